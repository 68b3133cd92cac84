// A hand of Euchre as the address tells it, and who plays when.

import { readAddress, writeAddress } from "./base.js";
import { readCards, strength, suitOf } from "./cards.js";

/** Return the state in the address. */
export function read() {
  const told = readAddress();
  return {
    game: told.game ?? "",
    hand: readCards(told.hand ?? ""),
    up: readCards(told.up ?? "")[0] ?? "",
    seat: told.seat ?? "",
    round: told.round === "2" ? 2 : 1,
    score: told.score ?? "",
    maker: told.maker ?? "",
    trump: told.trump ?? "",
    alone: told.alone === "yes",
    defender: told.defender ?? "",
    dummy: readCards(told.dummy ?? ""),
    thrown: readCards(told.thrown ?? ""),
    kept: readCards(told.kept ?? ""),
    left: told.left === "yes",
    open: told.open === "yes",
    plays: readCards(told.plays ?? ""),
    view: told.view ?? "",
  };
}

/** Put a state into the address. */
export function write(state, options) {
  writeAddress(
    {
      ...state,
      hand: state.hand.join(""),
      dummy: state.dummy.join(""),
      thrown: state.thrown.join(""),
      kept: state.kept.join(""),
      plays: state.plays.join(""),
      round: state.round === 2 ? "2" : "",
      alone: state.alone ? "yes" : "",
      left: state.left ? "yes" : "",
      open: state.open ? "yes" : "",
    },
    options,
  );
}

/** Return the state of the same player before anybody has bid. */
export function unmade(state) {
  return {
    ...state,
    maker: "",
    trump: "",
    alone: false,
    defender: "",
    dummy: [],
    thrown: [],
    kept: [],
    left: false,
  };
}

/** Return the state of the same player before any card is known. */
export function blank(state) {
  return { ...unmade(state), hand: [], up: "", round: 1, plays: [], view: "" };
}

/** The deal moves to the left, so that one's own seat moves to the dealer's place. */
export function nextDeal(rules, seat) {
  return rules.seats[(rules.seats.indexOf(seat) + rules.hands - 1) % rules.hands];
}

/** Return the cards that are played: after pick-up, discard and dummy. */
export function heldCards(state) {
  if (state.kept.length) return state.kept;
  const cards = takesUp(state) && state.thrown.length ? [...state.hand, state.up] : state.hand;
  return cards.filter((card) => !state.thrown.includes(card));
}

/** Return the seats on the maker's side. */
export function sideOf(rules, maker) {
  const place = rules.seats.indexOf(maker);
  return rules.partners ? [maker, rules.seats[(place + 2) % 4]] : [maker];
}

/** Return the seats in the game, from the dealer's left. */
export function playing(rules, { maker, alone, defender }) {
  const side = sideOf(rules, maker);
  return rules.seats.filter((seat) =>
    side.includes(seat) ? !alone || seat === maker : !defender || seat === defender,
  );
}

/** Return who leads to the first trick. */
export function leader(rules, state) {
  const inGame = playing(rules, state);
  let leftOf = "dealer";
  if (rules.loner_lead === "loners-left") {
    const loner = state.alone ? state.maker : "";
    const order =
      rules.both_alone_lead === "maker" ? [loner, state.defender] : [state.defender, loner];
    leftOf = order.find(Boolean) ?? leftOf;
  }
  return nextSeat(rules, inGame, leftOf);
}

function nextSeat(rules, inGame, seat) {
  const place = rules.seats.indexOf(seat);
  const after = rules.seats.map((_, step) => rules.seats[(place + step + 1) % rules.hands]);
  return after.find((one) => inGame.includes(one));
}

/**
 * Return the tricks of a hand: each with its plays, its taker once it is complete; and whose turn
 * it is, if the hand is not over.
 */
export function follow(rules, state) {
  const inGame = playing(rules, state);
  const tricks = [];
  let seat = leader(rules, state);
  for (const card of state.plays) {
    let trick = tricks.at(-1);
    if (!trick || trick.taker) tricks.push((trick = { plays: [], taker: "" }));
    trick.plays.push({ seat, card });
    if (trick.plays.length < inGame.length) {
      seat = nextSeat(rules, inGame, seat);
      continue;
    }
    const led = suitOf(trick.plays[0].card, state.trump);
    const best = trick.plays.reduce((a, b) =>
      strength(b.card, state.trump, led) > strength(a.card, state.trump, led) ? b : a,
    );
    trick.taker = seat = best.seat;
  }
  const isOver = tricks.filter(({ taker }) => taker).length === 5;
  return { tricks, turn: isOver ? "" : seat };
}

/** Return the cards of a hand that may be played now. */
export function legal(cards, tricks, trump) {
  const trick = tricks.at(-1);
  if (!trick || trick.taker) return cards;
  const led = suitOf(trick.plays[0].card, trump);
  const same = cards.filter((card) => suitOf(card, trump) === led);
  return same.length ? same : cards;
}

/** Return whether the player takes the upcard into the hand. */
export function takesUp(state) {
  return state.seat === "dealer" && state.round === 1 && !state.left;
}

/** Return what the player has put away: the discard, or what is left of hand and dummy. */
export function buried(state) {
  if (!state.kept.length) return state.thrown;
  const all = [...state.hand, ...state.dummy, ...(takesUp(state) ? [state.up] : [])];
  return all.filter((card) => !state.kept.includes(card));
}

/** Return the state before the last card was tapped. */
export function before(state) {
  if (state.plays.length) return { ...state, plays: state.plays.slice(0, -1) };
  if (state.view) return { ...state, view: "" };
  if (state.maker) return unmade(state);
  if (state.up) return { ...state, up: "", round: 1 };
  return state.hand.length ? { ...state, hand: state.hand.slice(0, -1) } : null;
}
