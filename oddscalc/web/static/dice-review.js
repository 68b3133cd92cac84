// After the game: what was luck, what was a blunder, and the record to keep.

import { el, points, show, whole } from "./base.js";
import { dice } from "./dice-draw.js";
import { record } from "./dice-state.js";

/** Show the review of every player's game. */
export async function showReview({ main, state, rules, once, go }) {
  const records = state.players.map((_, player) => record(state, player, state.game));
  const reviews = await Promise.all(
    records.map((body) => once("dice/review", { game: state.game }, { body })),
  );
  show(
    main,
    el(
      "div",
      { class: "review" },
      el(
        "div",
        { class: "tools" },
        el("h1", {}, "Review"),
        el(
          "button",
          { type: "button", "data-key": "back", click: () => go({ ...state, view: "" }) },
          "Back to the game",
        ),
      ),
      el(
        "p",
        { class: "soft" },
        "Expected at the start + luck − loss = total. Luck is what the dice gave, loss what choices cost, both in points of the expected total. Exact.",
      ),
      reviews.map((review, player) => panel(review, state.players[player], records[player], rules)),
    ),
  );
}

function panel(review, name, text, rules) {
  const wrong = review.decisions.filter(({ loss }) => loss > 0);
  const file = `${rules.name}-${name}.txt`.toLowerCase().replaceAll(/[^\p{L}\p{N}.-]+/gu, "-");
  const blunders = review.blunders === 1 ? "1 blunder" : `${review.blunders} blunders`;
  const end = review.finished
    ? ["Total", whole(review.total)]
    : ["Expected now", points(review.expected)];
  const figures = [
    ["Expected at the start", points(review.start)],
    ["Luck", points(review.luck, true)],
    ["Loss", points(-review.loss)],
    end,
  ];
  return el(
    "section",
    { class: "panel" },
    el(
      "h2",
      {},
      `${name}: ${wrong.length ? `${points(review.loss)} lost, ${blunders}` : "every choice the best one"}`,
    ),
    el(
      "dl",
      { class: "figures" },
      figures.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
    ),
    wrong.length > 0 &&
      el(
        "ol",
        { class: "decisions" },
        wrong.map((decision) => item(decision, rules)),
      ),
    el(
      "details",
      {},
      el("summary", {}, `All ${review.decisions.length} rolls`),
      el(
        "ol",
        { class: "decisions" },
        review.decisions.map((decision) => item(decision, rules)),
      ),
    ),
    el(
      "button",
      { type: "button", class: "download", click: () => download(file, text) },
      "Download the record",
    ),
  );
}

function item(decision, rules) {
  const { turn, roll, chosen, best, loss, luck, mark } = decision;
  return el(
    "li",
    { class: mark ? "blunder" : "" },
    el("span", { class: "soft" }, `Turn ${turn}`),
    dice(roll, `rolled ${roll.join(" ")}`),
    el(
      "span",
      {},
      chosen ? said(chosen, rules) : "–",
      loss > 0 && [", better: ", said(best, rules)],
    ),
    el(
      "span",
      { class: "marks" },
      `${points(luck, true)} luck `,
      loss > 0 && el("span", { class: "loss" }, `−${points(loss)} `),
      mark && el("strong", {}, "Blunder"),
    ),
  );
}

function said(option, rules) {
  if (option.action === "score") {
    return `${whole(option.points)} in ${rules.boxes.find(({ name }) => name === option.box).title}`;
  }
  return option.hold.length ? `keep ${option.hold.join(" ")}` : "roll all";
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
