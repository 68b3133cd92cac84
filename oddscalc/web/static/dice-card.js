// The scorecard of all players, how they stand, and how they settle.

import { el, percent, points, whole } from "./base.js";
import { current } from "./dice-state.js";
import { hasPot } from "./dice-goal.js";

/** Return the scorecard: a row a box, a column a player. */
export function scorecard(state, rules, reviews) {
  const isOver = reviews.every(({ finished }) => finished);
  const now = isOver ? -1 : current(state).player;
  const titles = Object.fromEntries(rules.boxes.map(({ name, title }) => [name, title]));
  const filled = reviews.map((review) => new Map(review.turns.map((turn) => [turn.box, turn])));
  const last = reviews.map((review) => review.turns.at(-1)?.box);
  const row = (title, cells, attributes = {}) =>
    el(
      "tr",
      attributes,
      el("th", { scope: "row" }, title),
      cells.map((cell, place) => el("td", { class: place === now ? "now" : "" }, cell)),
    );
  const parts = rules.parts.map((part) =>
    el(
      "tbody",
      {},
      rules.parts.length > 1 &&
        el(
          "tr",
          {},
          el("th", { scope: "rowgroup", colspan: reviews.length + 1, class: "part" }, part.title),
        ),
      part.boxes.map((box) =>
        row(
          titles[box],
          filled.map((turns, place) => {
            const turn = turns.get(box);
            return turn && el(last[place] === box ? "mark" : "span", {}, whole(turn.points));
          }),
        ),
      ),
      rules.bonuses
        .filter(({ boxes }) => part.boxes.includes(boxes.at(-1)))
        .map((bonus) =>
          row(
            bonus.title,
            reviews.map((review) => bonusCell(bonus, review)),
            { class: "bonus" },
          ),
        ),
    ),
  );
  const jokers = reviews.map((review) =>
    review.turns.reduce((sum, turn) => sum + turn.joker_bonus, 0),
  );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scorecard" },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td", {}),
          state.players.map((name, place) =>
            el("th", { scope: "col", class: place === now ? "now" : "" }, name),
          ),
        ),
      ),
      parts,
      el(
        "tfoot",
        {},
        jokers.some(Boolean) &&
          row(
            "Jokers",
            jokers.map((sum) => whole(sum, true)),
            { class: "bonus" },
          ),
        row(
          "Total",
          reviews.map(({ total }) => whole(total)),
        ),
        reviews.some(({ finished }) => !finished) &&
          row(
            "Expected",
            reviews.map(({ expected }) => expected.toFixed(1).replace("-", "−")),
            { class: "soft" },
          ),
      ),
    ),
  );
}

/** The points of a bonus, or how far one is towards it. */
function bonusCell(bonus, review) {
  const mine = review.turns.filter(({ box }) => bonus.boxes.includes(box));
  const credited = review.turns.find(({ bonuses }) => bonus.name in bonuses);
  if (credited) return whole(credited.bonuses[bonus.name], true);
  if (mine.length === bonus.boxes.length) return "0";
  const sum = mine.reduce((total, { points: earned }) => total + earned, 0);
  const wanted = bonus.at_least ? ` of ${whole(bonus.at_least)}` : " so far";
  return mine.length ? el("small", {}, whole(sum) + wanted) : null;
}

/** Before a roll: how the players stand, and what the seats of a pot are worth. */
export async function standing({ state, rules, once }, reviews) {
  if (state.players.length < 2) return null;
  if (!state.turns.length && hasPot(state, rules)) {
    const { win } = await once("dice/pot", { game: state.game, players: state.players.length });
    return el(
      "div",
      { class: "panel" },
      el("h2", {}, "Shares of the pot"),
      bars(
        state.players.map((name, place) => ({
          name,
          share: win[place],
          text: percent(win[place], 2),
        })),
      ),
      el(
        "p",
        { class: "soft small" },
        "Exact, before the first roll, when everybody plays for their own share.",
      ),
    );
  }
  if (!state.turns.length) return null;
  return el("div", { class: "panel" }, el("h2", {}, "Standing"), ranking(state, reviews));
}

/** After the last turn: who won, and what everybody wins or pays. */
export function ending(page, reviews) {
  const { state, rules, go } = page;
  const totals = reviews.map(({ total }) => total);
  const best = Math.max(...totals);
  const winners = state.players.filter((_, place) => totals[place] === best);
  const several = state.players.length > 1;
  const verb = winners.length > 1 ? "share the pot" : "takes the pot";
  const headline = !several
    ? `${state.players[0]}: ${whole(best)} points`
    : hasPot(state, rules)
      ? `${winners.join(" and ")} ${verb}`
      : `${winners.join(" and ")} won with ${whole(best)}`;
  return el(
    "div",
    { class: "ending" },
    el("h1", {}, headline),
    several && ranking(state, reviews),
    several && !hasPot(state, rules) && settlement(state, totals),
    el(
      "div",
      { class: "tools" },
      el(
        "button",
        {
          type: "button",
          class: "primary",
          "data-key": "go",
          click: () => go({ ...state, view: "review" }),
        },
        "Review the game",
      ),
      el("button", { type: "button", "data-key": "undo", click: () => history.back() }, "Back"),
      el("button", { type: "button", click: () => go({ ...state, view: "setup" }) }, "New game"),
    ),
  );
}

function ranking(state, reviews) {
  const ranked = state.players.map((name, place) => ({ name, review: reviews[place] }));
  ranked.sort((a, b) => b.review.expected - a.review.expected);
  const most = Math.max(...ranked.map(({ review }) => review.expected), 1);
  return bars(
    ranked.map(({ name, review }) => ({
      name,
      share: Math.max(0, review.expected) / most,
      text: review.finished
        ? whole(review.total)
        : `${whole(review.total)}, ${points(review.expected)} expected`,
    })),
  );
}

function settlement(state, totals) {
  const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
  const amounts = state.players.map((name, place) => ({ name, amount: totals[place] - mean }));
  amounts.sort((a, b) => b.amount - a.amount);
  const rows = amounts.map(({ name, amount }) => {
    const verb = amount > 0 ? "wins" : amount < 0 ? "pays" : "is even";
    return el(
      "li",
      {},
      el("span", {}, `${name} ${verb}`),
      el("b", { class: "value" }, points(Math.abs(amount))),
    );
  });
  return [
    el("h2", {}, "Settlement"),
    el("ul", { class: "chances" }, rows),
    el(
      "p",
      { class: "soft small" },
      `Each wins or pays the difference to the mean of all totals, ${points(mean)}.`,
    ),
  ];
}

function bars(rows) {
  return el(
    "ul",
    { class: "chances" },
    rows.map(({ name, share, text }) =>
      el(
        "li",
        {},
        el("span", {}, name),
        el("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" }),
        el("span", { class: "value" }, text),
      ),
    ),
  );
}
