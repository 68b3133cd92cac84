// The Euchre page: the deal, the bid, and what follows from it.

import { ask, el, select, show, trouble } from "./base.js";
import { cardName, deckRows, face } from "./cards.js";
import { bidPanel } from "./euchre-bid.js";
import { choice, deck } from "./euchre-parts.js";
import { showPlay } from "./euchre-play.js";
import { before, blank, nextDeal, read, unmade, write } from "./euchre-state.js";

const main = document.getElementById("main");
const known = new Map();
let running = new AbortController();

function once(path, parameters) {
  const key = JSON.stringify([path, parameters]);
  if (!known.has(key)) {
    known.set(key, ask(path, parameters));
    known.get(key).catch(() => known.delete(key));
  }
  return known.get(key);
}

/** Have the first question about a game prepared while its cards are still being tapped. */
function prepare(rules) {
  const [up, ...hand] = deckRows(rules.deck)[0];
  const seat = rules.seats[0];
  const parameters = { hand: hand.slice(0, 5).join(" "), up, seat, game: rules.name, deals: 2 };
  once("euchre/bid", parameters).catch(() => {}); // the question itself will say what is wrong
}

function go(state, options) {
  write(state, options);
  return update();
}

async function update() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const { games } = await once("euchre/games", {});
    const state = read();
    state.game ||= games[0].name;
    const rules = await once("euchre/rules", { game: state.game });
    if (!rules.seats.includes(state.seat)) state.seat = rules.seats[0];
    if (signal.aborted) return;
    document.title = `${rules.title} – oddscalc`;
    const page = { main, state, rules, games, signal, go };
    if (!isComplete(state)) prepare(rules);
    if (state.view === "play" && rules.seats.includes(state.maker)) showPlay(page);
    else showDeal(page);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    show(
      main,
      trouble(error),
      el("p", {}, el("a", { href: "/euchre", class: "button" }, "Start again")),
    );
  }
}

function isComplete(state) {
  return state.hand.length === 5 && state.up;
}

function showDeal(page) {
  const { state, rules, games, go } = page;
  const answer = el("section", { class: "answer", "aria-label": "Advice" });
  show(
    main,
    el(
      "div",
      { class: "table deal-table" },
      el(
        "section",
        { class: "panel deal", "aria-label": "Deal" },
        el(
          "h1",
          {},
          isComplete(state)
            ? "Your hand"
            : state.hand.length === 5
              ? "Which card is turned up?"
              : "Tap your five cards",
        ),
        seats(page),
        drawSlots(page),
        !isComplete(state) && deck(page, tapped(page)),
        el(
          "div",
          { class: "tools" },
          el(
            "button",
            {
              type: "button",
              "data-key": "undo",
              disabled: before(state) === null,
              click: () => go(before(state)),
            },
            "Undo",
          ),
          el(
            "button",
            {
              type: "button",
              "data-key": "new",
              click: () => go({ ...blank(state), seat: nextDeal(rules, state.seat) }),
            },
            "Next deal",
          ),
        ),
      ),
      answer,
      el(
        "section",
        { class: "panel where", "aria-label": "Game and score" },
        select(
          "Game",
          "game",
          games.map(({ name, title }) => [name, title]),
          state.game,
          (game) => go({ ...blank(state), game, score: "" }),
        ),
        score(page),
        select(
          "Play after the bidding",
          "play",
          [
            ["", "closed, as at a table"],
            ["yes", "open hands, perfect play"],
          ],
          state.open ? "yes" : "",
          (open) => go({ ...state, open: open === "yes" }),
        ),
      ),
    ),
  );
  if (isComplete(state)) {
    bidPanel(page, answer);
  } else {
    show(answer, el("div", { class: "panel soft" }, hint(state)));
  }
}

function hint(state) {
  const missing = 5 - state.hand.length;
  if (missing)
    return `Tap ${missing === 5 ? "your five cards" : `${missing} more`}, then the card that is turned up; the advice comes at once.`;
  return "Now tap the card that is turned up.";
}

function tapped({ state, go }) {
  return (card) => {
    const cleared = { ...unmade(state), plays: [] };
    if (state.hand.includes(card))
      go({ ...cleared, hand: state.hand.filter((one) => one !== card) });
    else if (state.up === card) go({ ...cleared, up: "", round: 1 });
    else if (state.hand.length < 5) go({ ...cleared, hand: [...state.hand, card] });
    else go({ ...cleared, up: card });
  };
}

function drawSlots({ state, go }) {
  const tap = tapped({ state, go });
  const slot = (card, place) =>
    card
      ? el(
          "button",
          {
            type: "button",
            class: "playing",
            "data-key": `slot-${place}`,
            "aria-label": `remove ${cardName(card)}`,
            click: () => tap(card),
          },
          face(card),
        )
      : el("span", { class: "playing none" });
  const places = [0, 1, 2, 3, 4];
  const turned = state.round === 2 ? "down" : "up";
  return el(
    "div",
    { class: "hand" },
    places.map((place) => slot(state.hand[place], place)),
    el(
      "div",
      { class: "upcard" },
      slot(state.up, "up"),
      el("span", { class: "soft small" }, turned),
    ),
  );
}

function seats({ state, rules, go }) {
  const choices = rules.seats.map((seat) => [seat, seat === "dealer" ? "Dealer" : seat]);
  return choice("Your seat, from the dealer's left", "seat", choices, state.seat, (seat) =>
    go({ ...state, seat }),
  );
}

/** The score, a number for each side: one's own first. */
function score({ state, rules, go }) {
  const sides = rules.partners
    ? ["Us", "Them"]
    : rules.seats.map((seat) => (seat === "dealer" ? "Dealer" : `Seat ${seat}`));
  const numbers = state.score.split("-");
  const change = () => {
    const told = sides.map((_, place) => document.getElementById(`score-${place}`).value.trim());
    go({ ...state, score: told.some(Boolean) ? told.map((text) => text || "0").join("-") : "" });
  };
  return el(
    "fieldset",
    { class: "score" },
    el("legend", {}, `Score, to ${rules.target}`),
    sides.map((side, place) =>
      el(
        "label",
        { class: "field" },
        el("span", {}, side),
        el("input", {
          id: `score-${place}`,
          "data-key": `score-${place}`,
          type: "number",
          inputmode: "numeric",
          min: 0,
          max: rules.target - 1,
          value: numbers[place] ?? "",
          change,
        }),
      ),
    ),
  );
}

window.addEventListener("popstate", update);
window.addEventListener("hashchange", update);
update();
