// Parts that the views of a hand share.

import { el } from "./base.js";
import { cardName, deckRows, face } from "./cards.js";

// Said when nothing has come for long: the kernels are compiled, or others have asked before.
export const PREPARING = "Preparing … The first answer after the start can take some minutes.";

/** The deck laid out by suit; `marked` tells what is said of a card that is not free. */
export function deck({ state, rules }, tap, { marked, enabled } = {}) {
  const mark =
    marked ??
    ((card) => (state.hand.includes(card) ? "in your hand" : state.up === card ? "turned up" : ""));
  return el(
    "div",
    { class: `deck of-${rules.deck}`, role: "group", "aria-label": "Deck" },
    deckRows(rules.deck).map((row) =>
      el(
        "div",
        { class: "row" },
        row.map((card) =>
          el(
            "button",
            {
              type: "button",
              class: "playing",
              "data-key": `card-${card}`,
              "aria-label": [cardName(card), mark(card)].filter(Boolean).join(", "),
              "aria-pressed": String(Boolean(mark(card))),
              disabled: enabled ? !enabled(card) : false,
              click: () => tap(card),
            },
            face(card),
          ),
        ),
      ),
    ),
  );
}

/** Radio buttons in a row; `choices` are pairs of value and what is shown. */
export function choice(legend, key, choices, value, change) {
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, legend),
    el(
      "div",
      {},
      choices.map(([own, ...title]) =>
        el(
          "label",
          {},
          el("input", {
            type: "radio",
            name: key,
            value: own,
            checked: own === value,
            "data-key": `${key}-${own}`,
            change: () => change(own),
          }),
          el("span", {}, title),
        ),
      ),
    ),
  );
}

export const seatTitle = (seat) => (seat === "dealer" ? "dealer" : `seat ${seat}`);
