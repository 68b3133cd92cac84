// What each bid is worth: the answer sharpens as larger samples come in.

import { announce, ask, el, percent, show, trouble } from "./base.js";
import { cardMark, suitMark, SUIT_NAMES } from "./cards.js";
import { made } from "./euchre-made.js";
import { choice, PREPARING } from "./euchre-parts.js";
import { unmade } from "./euchre-state.js";

const VERBS = { pass: "Pass", order: "Order", take: "Take up", name: "Name" };

const known = new Map();

/** Ask what the bids are worth and show it in a node. */
export function bidPanel(page, node) {
  const { state, go } = page;
  const rounds = [
    [1, "Turned up"],
    [2, "Turned down"],
  ];
  const question = choice("The upcard is", "round", rounds, state.round, (round) =>
    go({ ...unmade(state), round }),
  );
  const place = el("div", {});
  show(node, el("div", { class: "panel" }, question, place), made(page));
  return sharpen(page, place);
}

/** Ask, and show each better answer as it comes, until it is the last or is cancelled. */
async function sharpen(page, place, deals = null) {
  const { state, signal } = page;
  const key = JSON.stringify(parameters(state, null));
  if (known.has(key) && !deals) return finish(page, place, known.get(key));
  const cancel = new AbortController();
  signal.addEventListener("abort", () => cancel.abort());
  let answer = null;
  const draw = (status) => show(place, status, answer && drawAnswer(page, answer));
  const stop = el(
    "button",
    { type: "button", "data-key": "cancel", click: () => cancel.abort() },
    "Cancel",
  );
  let wait = "Dealing …";
  const run = () =>
    status(
      answer ? `${played(answer)} deals, sharpening …` : wait,
      stop,
    );
  draw(run());
  try {
    answer = await ask("euchre/bid", parameters(state, deals), {
      signal: cancel.signal,
      onAnswer: (better) => {
        answer = better;
        draw(run());
      },
      onProgress: (done, total) => {
        wait = `Dealing … ${total ? percent(done / total, 0) : ""}`;
        if (!answer) draw(run());
      },
      onSlow: () => {
        wait = PREPARING;
        draw(run());
        announce(PREPARING);
      },
    });
  } catch (error) {
    if (signal.aborted) return;
    if (error.name !== "AbortError") {
      show(place, trouble(error));
      announce(error.message);
      return;
    }
    const again = el(
      "button",
      { type: "button", "data-key": "again", click: () => sharpen(page, place, deals) },
      "Go on",
    );
    draw(
      status(
        answer ? `Cancelled after ${played(answer)} deals.` : "Cancelled.",
        again,
      ),
    );
    return;
  }
  known.set(key, answer);
  return finish(page, place, answer);
}

/** How many deals the sharpest answer has. */
function most(state) {
  return state.open ? 100_000 : 10_000;
}

/** In how many deals the actions were played: some take more than others. */
function played(answer) {
  const counts = answer.actions.flatMap(({ deals }) => deals ?? []);
  const ends = new Set([Math.min(...counts), answer.deals]);
  return [...ends].map((count) => count.toLocaleString("en")).join(" to ");
}

function finish(page, place, answer) {
  const isExact = answer.method === "exact";
  const count = played(answer);
  const more = el(
    "button",
    { type: "button", "data-key": "more", click: () => sharpen(page, place, most(state)) },
    "Sharper",
  );
  show(
    place,
    status(
      isExact ? `Exact: all ${count} deals.` : `${count} deals.`,
      !isExact && answer.deals < most(page.state) && more,
    ),
    drawAnswer(page, answer),
  );
  const best = answer.actions[0];
  announce(
    `Best: ${words(best)}${best.points == null ? "" : `, ${best.points.toFixed(2)} points`}.`,
  );
}

function status(text, ...more) {
  return el("p", { class: "status", "data-key": "status" }, el("span", {}, text), more);
}

function parameters(state, deals) {
  return {
    hand: state.hand.join(" "),
    up: state.up,
    seat: state.seat,
    game: state.game,
    round: state.round,
    play: state.open ? "open" : null,
    score: state.score,
    deals,
  };
}

function words(action) {
  const suit = action.trump ? ` ${SUIT_NAMES[action.trump]}` : "";
  return `${VERBS[action.action]}${suit}${action.alone ? " alone" : ""}`;
}

function drawAnswer(page, answer) {
  return [
    el(
      "ol",
      { class: "actions" },
      answer.actions.map((action, place) => drawAction(page, action, place === 0, answer.method)),
    ),
    el(
      "p",
      { class: "legend soft small", "aria-hidden": "true" },
      ["euchred", "made", "five"].map((kind) => el("span", {}, el("i", { class: kind }), kind)),
    ),
    el(
      "p",
      { class: "soft small" },
      "Points: yours less what an opponent gets; in brackets the 95 % interval.",
    ),
    el(
      "details",
      { class: "how" },
      el("summary", {}, "What stands behind it"),
      answer.models.map((line) => el("p", { class: "soft small" }, line)),
    ),
  ];
}

function drawAction(page, action, isBest, method) {
  const { state, go } = page;
  const isPass = action.action === "pass";
  const pick = () =>
    go(
      {
        ...unmade(state),
        maker: isPass ? "" : state.seat,
        trump: action.trump ?? "",
        alone: action.alone,
        thrown: action.discard ? [action.discard] : [],
      },
      { step: false },
    );
  const title = el(
    "span",
    { class: "bid" },
    `${VERBS[action.action]} `,
    action.trump && suitMark(action.trump, SUIT_NAMES[action.trump]),
    action.alone && " alone",
    action.discard && [el("small", {}, " throw "), cardMark(action.discard)],
  );
  const isChosen =
    !isPass &&
    state.maker === state.seat &&
    state.trump === action.trump &&
    state.alone === action.alone;
  return el(
    "li",
    { class: isBest ? "first" : "" },
    el(
      "button",
      {
        type: "button",
        "data-key": `bid-${words(action)}`,
        "aria-pressed": String(isChosen),
        click: pick,
      },
      title,
      action.points == null
        ? el("span", { class: "soft small worth" }, "no figure")
        : el(
            "span",
            { class: "worth" },
            el("b", {}, signed(action.points, action.stderr)),
            interval(action, method),
          ),
      action.p_made != null && stack(action, method),
      action.endings && isPass && drawEndings(action.endings),
      action.win != null &&
        el("span", { class: "win" }, el("b", {}, percent(action.win)), " to win the match"),
      action.keep && el("span", { class: "keep" }, "keep ", action.keep.map(cardMark)),
    ),
  );
}

/** How a hand ends that one does not make, the likeliest endings first. */
function drawEndings(endings) {
  const said = ({ maker, ours, result, chance }) => {
    const who = maker ? (ours ? "we " : "they ") : "";
    return `${who}${result === "march" ? "take five" : result === "euchred" ? "are euchred" : maker ? "make it" : result} ${percent(chance)}`;
  };
  const sums = new Map();
  for (const one of endings) {
    const key = `${one.maker ? one.ours : ""} ${one.result}`;
    const sum = sums.get(key) ?? { ...one, chance: 0 };
    sums.set(key, { ...sum, chance: sum.chance + one.chance });
  }
  const text = [...sums.values()]
    .sort((a, b) => b.chance - a.chance)
    .map(said)
    .join(", ");
  return el("small", { class: "soft endings" }, text);
}

export function signed(number, stderr) {
  const digits = stderr && stderr >= 0.005 ? 2 : 3;
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "" : number < 0 ? "−" : "+") + text;
}

/** The 95 % interval; none for what is exact. */
export function interval({ points, stderr }, method) {
  if (method === "exact") return el("small", { class: "soft" }, "exact");
  if (!stderr) return null;
  const ends = [points - 1.96 * stderr, points + 1.96 * stderr].map((end) => signed(end, stderr));
  return el("small", { class: "soft" }, `[${ends.join(", ")}]`);
}

/** The three endings as one bar, and in words. */
export function stack({ p_euchred, p_made, p_march }, method) {
  const parts = [
    ["euchred", p_euchred],
    ["made", p_made],
    ["five", p_march],
  ];
  const bar = el("span", { class: "stack", "aria-hidden": "true" });
  for (const [kind, share] of parts) {
    const piece = el("i", { class: kind });
    piece.style.flexGrow = share;
    bar.append(piece);
  }
  // What never came in a sample is not impossible.
  const shown = method === "exact" ? percent : (share) => `${(100 * share).toFixed(1)}\u00a0%`;
  const text = parts.map(([kind, share]) => `${kind} ${shown(share)}`).join(", ");
  return el("span", { class: "endings" }, bar, el("small", { class: "soft" }, text));
}
