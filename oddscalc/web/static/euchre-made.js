// The bid that was made: by whom, in which suit, with which cards.

import { ask, el, select, show, trouble } from "./base.js";
import { cardMark, cardName, face, suitMark, SUIT_NAMES, SUITS } from "./cards.js";
import { choice, deck, seatTitle } from "./euchre-parts.js";
import { takesUp } from "./euchre-state.js";

const weighed = new Map();

/** Who made what: the bid that was made, and the button to play it. */
export function made(page) {
  const { state, rules, go } = page;
  const suits =
    state.round === 1
      ? upSuits(rules, state.up)
      : SUITS.filter((suit) => rules.turned_down_suit || suit !== state.up[1]);
  const trump = suits.includes(state.trump) ? state.trump : suits.length === 1 ? suits[0] : "";
  const isMine = state.maker === state.seat;
  const mustThrow = takesUp(state) && state.maker;
  const isUser =
    rules.dummy_use === "maker" || (rules.dummy_use === "dealer" && state.seat === "dealer");
  const usesDummy = isMine && !state.alone && rules.dummy > 0 && isUser;
  const set = (more) => go({ ...state, trump, ...more }, { step: false });
  const seatChoices = rules.seats.map((seat) => [
    seat,
    seat === state.seat ? "Me" : seat === "dealer" ? "Dealer" : seat,
  ]);
  const others = rules.seats.filter((seat) => seat !== state.maker);
  return el(
    "section",
    { class: "panel made", "aria-label": "The bid that was made" },
    el("h2", {}, "Who made it?"),
    choice("Maker", "maker", seatChoices, state.maker, (maker) =>
      set({ maker, thrown: [], dummy: [], kept: [] }),
    ),
    suits.length > 1 &&
      choice(
        "Trumps",
        "trump",
        suits.map((suit) => [suit, suitMark(suit, SUIT_NAMES[suit])]),
        trump,
        (suit) => set({ trump: suit, kept: [] }),
      ),
    rules.alone &&
      el(
        "label",
        { class: "check" },
        el("input", {
          type: "checkbox",
          checked: state.alone,
          "data-key": "alone",
          change: (event) => set({ alone: event.target.checked, dummy: [], kept: [] }),
        }),
        "alone",
      ),
    rules.defend_alone &&
      state.maker &&
      select(
        "Defends alone",
        "defender",
        [
          ["", "nobody"],
          ...others.map((seat) => [seat, seat === state.seat ? "I" : seatTitle(seat)]),
        ],
        state.defender,
        (defender) => set({ defender }),
      ),
    !rules.dealer_must_take &&
      state.round === 1 &&
      state.maker &&
      state.maker !== "dealer" &&
      el(
        "label",
        { class: "check" },
        el("input", {
          type: "checkbox",
          checked: state.left,
          "data-key": "left",
          change: (event) => set({ left: event.target.checked, thrown: [] }),
        }),
        state.seat === "dealer" ? "I leave the upcard" : "the dealer left the upcard",
      ),
    usesDummy ? drawDummy(page, { ...state, trump }, set) : mustThrow && drawThrow(page, set),
    state.maker &&
      trump &&
      (usesDummy ? state.kept.length : !mustThrow || state.thrown.length) > 0 &&
      el(
        "button",
        {
          type: "button",
          class: "primary",
          "data-key": "play-hand",
          click: () => go({ ...state, trump, view: "play" }),
        },
        "Play the hand",
      ),
  );
}

function upSuits(rules, up) {
  if (up !== "Jo") return [up[1]];
  return rules.joker_suit === "any" ? SUITS : [rules.joker_suit[0].toUpperCase()];
}

/** The six cards of a dealer who takes the upcard: one goes. */
function drawThrow({ state, rules }, set) {
  const six = [...state.hand, ...(rules.discard_upcard ? [state.up] : [])];
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, "You take ", cardMark(state.up), " and throw"),
    el(
      "div",
      { class: "hand" },
      six.map((card) =>
        el(
          "button",
          {
            type: "button",
            class: "playing",
            "data-key": `throw-${card}`,
            "aria-label": `throw ${cardName(card)}`,
            "aria-pressed": String(state.thrown.includes(card)),
            click: () => set({ thrown: [card] }),
          },
          face(card),
        ),
      ),
    ),
  );
}

/** The dummy's cards, and which five of ten to keep. */
function drawDummy({ rules, signal }, state, set) {
  const { hand, up, dummy, kept, round } = state;
  const toggle = (card) => {
    const cards = dummy.includes(card) ? dummy.filter((one) => one !== card) : [...dummy, card];
    set({ dummy: cards.slice(0, rules.dummy), kept: [] });
  };
  const gone = [...hand, up];
  const place = el("div", {});
  const options = {
    marked: (card) => (dummy.includes(card) ? "in the dummy" : ""),
    enabled: (card) => !gone.includes(card) && (dummy.length < rules.dummy || dummy.includes(card)),
  };
  if (dummy.length === rules.dummy) {
    const parameters = {
      hand: hand.join(" "),
      up,
      seat: state.seat,
      game: state.game,
      round,
      dummy: dummy.join(" "),
      trump: state.trump,
    };
    const choose = ({ actions: [best] }) => {
      const keeps = [best.keep, best.runner_up_keep].filter(Boolean);
      const loss =
        best.runner_up_loss == null ? "" : `, ${best.runner_up_loss.toFixed(2)} points less`;
      show(
        place,
        keeps.map((cards, rank) =>
          el(
            "button",
            {
              type: "button",
              class: "keep",
              "data-key": `keep-${rank}`,
              "aria-pressed": String(cards.join() === kept.join()),
              click: () => set({ kept: cards }),
            },
            "keep ",
            cards.map(cardMark),
            rank ? el("small", {}, loss) : "",
          ),
        ),
      );
    };
    const key = JSON.stringify(parameters);
    if (weighed.has(key)) {
      choose(weighed.get(key));
    } else {
      show(place, el("p", { class: "soft" }, "Weighing the ten cards …"));
      ask("euchre/bid", parameters, { signal })
        .then((answer) => choose(weighed.set(key, answer).get(key)))
        .catch((error) => signal.aborted || show(place, trouble(error)));
    }
  }
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, `The dummy's ${rules.dummy} cards`),
    dummy.length < rules.dummy && deck({ state, rules }, toggle, options),
    el(
      "p",
      {},
      dummy.map(cardMark),
      dummy.length > 0 &&
        el(
          "button",
          {
            type: "button",
            class: "quiet",
            "data-key": "again",
            click: () => set({ dummy: [], kept: [] }),
          },
          "again",
        ),
    ),
    place,
  );
}
