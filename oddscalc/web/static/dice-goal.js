// What one plays for: the mean, a score, the leader, the pot.

import { el, points, select } from "./base.js";

/** The choice of what to play for. */
export function drawGoal({ state, rules, go }) {
  const several = state.players.length > 1;
  const kind = state.goal.split(":")[0] || defaultGoal(state, rules);
  const choices = [
    ["mean", "the mean"],
    ["beat", "a score"],
  ];
  if (several) choices.push(["leader", "beating the leader"]);
  if (hasPot(state, rules)) choices.push(["pot", "the pot"]);
  const total = state.goal.startsWith("beat:") ? state.goal.slice(5) : "";
  return el(
    "div",
    { class: "goal" },
    select("Play for", "goal", choices, kind, (goal) =>
      go({ ...state, pick: "", goal: goal === "beat" ? "beat:200" : goal }),
    ),
    kind === "beat" &&
      el(
        "label",
        { class: "field" },
        el("span", {}, "At least"),
        el("input", {
          type: "number",
          inputmode: "numeric",
          "data-key": "total",
          value: total,
          change: (event) => go({ ...state, pick: "", goal: `beat:${event.target.value}` }),
        }),
      ),
  );
}

/** Return what is played for: words, and the parameters of the question. */
export function goalOf({ state, rules, reviews, player }) {
  const kind = state.goal || defaultGoal(state, rules);
  if (kind === "pot") {
    const totals = reviews.map(({ total }) => total).join(",");
    return {
      what: "share of the pot",
      isChance: true,
      parameters: { goal: "pot", totals, seat: player + 1 },
    };
  }
  if (kind === "leader") {
    const others = reviews
      .map((review, place) => ({ review, place }))
      .filter(({ place }) => place !== player);
    const { review, place } = others.reduce((a, b) =>
      b.review.expected > a.review.expected ? b : a,
    );
    const total = Math.floor(review.expected + 1e-9) + 1;
    const name = state.players[place];
    const has = review.finished
      ? `${name} has ${review.total}`
      : `${name} may expect ${points(review.expected)}`;
    return {
      what: `chance of ${total} or more; ${has}`,
      isChance: true,
      parameters: { goal: `beat:${total}` },
    };
  }
  if (kind.startsWith("beat:")) {
    return {
      what: `chance of ${kind.slice(5)} or more`,
      isChance: true,
      parameters: { goal: kind },
    };
  }
  return { what: "expected total", isChance: false, parameters: { goal: "mean" } };
}

/** Whether the pot of a game is solved for its players: two turns, one after the other. */
export function hasPot(state, rules) {
  const two =
    rules.boxes.length === 2 && rules.parts.length === 2 && rules.parts_in_turn && !rules.joker;
  return two && state.players.length > 1 && state.players.length < 5;
}

function defaultGoal(state, rules) {
  return hasPot(state, rules) ? "pot" : "mean";
}
