// A hand being played: tap the cards as they fall, see the card to play.

import { announce, ask, el, show, trouble } from "./base.js";
import { cardMark, cardName, face, suitMark, SUIT_NAMES } from "./cards.js";
import { interval, signed, stack } from "./euchre-bid.js";
import { deck, PREPARING, seatTitle } from "./euchre-parts.js";
import {
  before,
  blank,
  buried,
  follow,
  heldCards,
  legal,
  nextDeal,
  playing,
  sideOf,
} from "./euchre-state.js";

/** Show the play of a hand. */
export function showPlay(page) {
  const { main, state, rules, go } = page;
  const { tricks, turn } = follow(rules, state);
  const held = heldCards(state);
  const left = held.filter((card) => !state.plays.includes(card));
  const isMine = turn === state.seat;
  const side = sideOf(rules, state.maker);
  const taken = tricks.filter(({ taker }) => side.includes(taker)).length;
  const done = tricks.filter(({ taker }) => taker).length;
  const answer = el("section", { class: "answer", "aria-label": "Advice" });
  const play = (card) => go({ ...state, plays: [...state.plays, card] });
  const name = (seat) =>
    seat === state.seat ? "You" : seat === "dealer" ? "Dealer" : `Seat ${seat}`;
  const headline = !turn
    ? result(page, taken)
    : isMine
      ? "Your card?"
      : `What does ${turn === "dealer" ? "the dealer" : seatTitle(turn)} play?`;
  if (headline) announce(headline);
  show(
    main,
    el(
      "div",
      { class: "table" },
      el(
        "div",
        { class: "column" },
        el(
          "section",
          { class: "panel", "aria-label": "Play" },
          el(
            "p",
            { class: "soft" },
            suitMark(state.trump, SUIT_NAMES[state.trump]),
            ` by ${name(state.maker).toLowerCase()}${state.alone ? ", alone" : ""}: ${taken} of ${done} tricks`,
          ),
          el("h1", {}, headline),
          drawTrick(page, tricks, turn, name),
          turn &&
            (isMine
              ? drawHand(left, legal(left, tricks, state.trump), play)
              : drawDeck(page, held, play)),
          !isMine &&
            turn &&
            left.length > 0 &&
            el("p", { class: "soft mine" }, "You hold ", left.map(cardMark)),
          el(
            "div",
            { class: "tools" },
            el(
              "button",
              { type: "button", "data-key": "undo", click: () => go(before(state)) },
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
            el(
              "button",
              {
                type: "button",
                class: "quiet",
                click: () => go({ ...state, plays: [], view: "" }),
              },
              "Back to the bid",
            ),
          ),
        ),
        tricks.length > 0 && drawTricks(tricks, name, side),
      ),
      answer,
    ),
  );
  if (isMine) advise(page, play, answer);
  else answer.remove();
}

function result({ state, rules }, taken) {
  const lone = Boolean(state.defender);
  const { points } = rules;
  let earned;
  if (taken === 5) earned = [state.alone ? points.alone_march : points.march, 0];
  else if (taken >= 3) earned = [state.alone ? points.alone_made : points.made, 0];
  else if (lone) earned = [0, taken ? points.lone_defender : points.lone_defender_march];
  else if (state.alone) earned = [0, taken ? points.alone_euchred : points.alone_swept];
  else earned = [0, taken ? points.euchred : points.swept];
  const verb = taken === 5 ? "All five" : taken >= 3 ? "Made" : "Euchred";
  return `${verb}: ${earned[0] || earned[1]} to the ${earned[0] ? "makers" : "others"}`;
}

function drawTrick(page, tricks, turn, name) {
  const { state, rules } = page;
  const last = tricks.at(-1);
  const trick = last && (!last.taker || !turn) ? last.plays : [];
  return el(
    "ul",
    { class: "trick" },
    playing(rules, state).map((seat) => {
      const play = trick.find((one) => one.seat === seat);
      return el(
        "li",
        { class: seat === turn ? "turn" : "" },
        play
          ? el(
              "span",
              { class: "playing", role: "img", "aria-label": cardName(play.card) },
              face(play.card),
            )
          : el("span", { class: "playing none" }),
        el("span", { class: "small" }, name(seat)),
      );
    }),
  );
}

function drawHand(left, allowed, play) {
  return el(
    "div",
    { class: "hand", role: "group", "aria-label": "Your hand" },
    left.map((card) =>
      el(
        "button",
        {
          type: "button",
          class: "playing",
          "data-key": `card-${card}`,
          "aria-label": cardName(card),
          disabled: !allowed.includes(card),
          click: () => play(card),
        },
        face(card),
      ),
    ),
  );
}

function drawDeck(page, held, play) {
  const { state } = page;
  const gone = new Set([...held, ...state.thrown, ...state.plays, ...state.dummy]);
  if (state.round === 2) gone.add(state.up);
  return deck(page, play, { marked: () => "", enabled: (card) => !gone.has(card) });
}

function drawTricks(tricks, name, side) {
  return el(
    "section",
    { class: "panel", "aria-label": "Tricks" },
    el(
      "ol",
      { class: "tricks" },
      tricks.map(({ plays, taker }) =>
        el(
          "li",
          {},
          el(
            "span",
            { class: "mine" },
            plays.map(({ card }) => cardMark(card)),
          ),
          el(
            "span",
            { class: "small" },
            taker && `${name(taker)}${side.includes(taker) ? ", makers" : ""}`,
          ),
        ),
      ),
    ),
  );
}

/** Ask which card to play; the answer sharpens as larger samples come in. */
async function advise(page, play, node) {
  const { state, signal } = page;
  const cancel = new AbortController();
  signal.addEventListener("abort", () => cancel.abort());
  const parameters = {
    hand: heldCards(state)
      .filter((card) => !state.plays.includes(card))
      .join(" "),
    trump: state.trump,
    maker: state.maker,
    up: state.up,
    played: state.plays.join(" "),
    alone: state.alone ? "yes" : null,
    "defend-alone": state.defender,
    buried: buried(state).join(" "),
    "upcard-left": state.left ? "yes" : null,
    round: state.round,
    game: state.game,
  };
  const stop = el(
    "button",
    { type: "button", "data-key": "cancel", click: () => cancel.abort() },
    "Cancel",
  );
  let answer = null;
  const draw = (text, isOver) =>
    show(
      node,
      el(
        "div",
        { class: "panel" },
        answer && el("h2", {}, "Play ", cardMark(answer.cards[0].card)),
        el("p", { class: "status", "data-key": "status" }, el("span", {}, text), !isOver && stop),
        answer && drawCards(answer, play),
      ),
    );
  draw("Dealing …");
  try {
    answer = await ask("euchre/play", parameters, {
      signal: cancel.signal,
      onAnswer: (better) => {
        answer = better;
        draw(`${answer.deals.toLocaleString("en")} deals, sharpening …`);
      },
      onSlow: () => {
        draw(PREPARING);
        announce(PREPARING);
      },
    });
  } catch (error) {
    if (signal.aborted) return;
    if (error.name === "AbortError") draw("Cancelled.", true);
    else show(node, trouble(error));
    return;
  }
  const count = answer.deals.toLocaleString("en");
  draw(answer.method === "exact" ? `Exact: all ${count} deals.` : `${count} deals.`, true);
  announce(`Play the ${cardName(answer.cards[0].card)}.`);
}

function drawCards({ cards, method }, play) {
  const row = (one, rank) => {
    const names = [...one.alike, one.card];
    const error = one.loss_stderr ? ` ± ${one.loss_stderr.toFixed(2)}` : "";
    return el(
      "li",
      { class: rank ? "" : "first" },
      el(
        "button",
        {
          type: "button",
          "data-key": `play-${one.card}`,
          "aria-label": `play ${cardName(one.card)}: ${signed(one.points, one.stderr)} points`,
          click: () => play(one.card),
        },
        el("span", { class: "bid" }, names.map(cardMark)),
        el(
          "span",
          { class: "worth" },
          el("b", {}, signed(one.points, one.stderr)),
          rank
            ? el("small", { class: "loss" }, `−${one.loss.toFixed(2)}${error}`)
            : interval(one, method),
        ),
        stack(one, method),
      ),
    );
  };
  return [
    el("ol", { class: "actions" }, cards.map(row)),
    el(
      "p",
      { class: "soft small" },
      "Points of your side less those of the other; below it how far behind the best card. Nobody sees a hidden card.",
    ),
  ];
}
