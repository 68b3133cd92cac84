// Cards drawn as cards; suits are told by their shapes, colour only helps.

import { el, svg } from "./base.js";

export const SUITS = ["S", "H", "C", "D"];
export const SUIT_NAMES = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };
const RANK_NAMES = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
};
const SHAPES = {
  S: "M50 5C60 26 92 42 92 64 92 78 81 84 72 84 64 84 57 80 54 74 55 84 58 90 64 95H36C42 90 45 84 46 74 43 80 36 84 28 84 19 84 8 78 8 64 8 42 40 26 50 5Z",
  H: "M50 93C20 66 7 48 7 32 7 17 18 8 30 8 40 8 47 14 50 22 53 14 60 8 70 8 82 8 93 17 93 32 93 48 80 66 50 93Z",
  D: "M50 4 88 50 50 96 12 50Z",
  C: "M50 5A22 22 0 0 1 65 43 22 22 0 1 1 55 74C56 84 58 90 64 95H36C42 90 44 84 45 74A22 22 0 1 1 35 43 22 22 0 0 1 50 5Z",
};

/** Return the cards of a deck, a row a suit, high cards first; the joker is a row of its own. */
export function deckRows(deck) {
  const ranks = [..."AKQJT9", ...(deck === 32 ? "87" : "")];
  const rows = SUITS.map((suit) => ranks.map((rank) => rank + suit));
  return deck === 25 ? [...rows, ["Jo"]] : rows;
}

/** Return the cards of a text such as JSJCAS. */
export function readCards(text) {
  return text.match(/Jo|[789TJQKA][SHCD]/g) ?? [];
}

/** Return the name that a screen reader says. */
export function cardName(card) {
  return card === "Jo" ? "joker" : `${RANK_NAMES[card[0]]} of ${SUIT_NAMES[card[1]]}`;
}

/** Return a suit as a picture; a text beside it names it, unless `name` is given. */
export function suitMark(suit, name = "") {
  const label = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return svg(
    "svg",
    { class: `suit ${colour(suit)}`, viewBox: "0 0 100 100", ...label },
    svg("path", { d: SHAPES[suit] }),
  );
}

/** Return the face of a card: rank and suit, for a button or a place that names it. */
export function face(card) {
  if (card === "Jo") return el("span", { class: "face", "aria-hidden": "true" }, el("b", {}, "Jo"));
  const rank = card[0] === "T" ? "10" : card[0];
  return el(
    "span",
    { class: `face ${colour(card[1])}`, "aria-hidden": "true" },
    el("b", {}, rank),
    suitMark(card[1]),
  );
}

/** Return a small card in a sentence. */
export function cardMark(card) {
  return el("span", { class: "mini", role: "img", "aria-label": cardName(card) }, face(card));
}

function colour(suit) {
  return suit === "H" || suit === "D" ? "red" : "black";
}

const JACKS = { S: "JC", C: "JS", H: "JD", D: "JH" };

/** Return the suit that a card belongs to: the left bower and the joker are trumps. */
export function suitOf(card, trump) {
  return card === "Jo" || card === JACKS[trump] ? trump : card[1];
}

/** Return how high a card is in a trick to which `led` was led; 0 does not count. */
export function strength(card, trump, led) {
  const suit = suitOf(card, trump);
  const rank = "789TJQKA".indexOf(card[0]) + 1;
  if (suit !== trump) return suit === led ? rank : 0;
  if (card === "Jo") return 40;
  if (card === `J${trump}`) return 39;
  return card === JACKS[trump] ? 38 : 20 + rank;
}
