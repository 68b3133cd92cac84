// The chances behind a hold.

import { el, percent, show, trouble } from "./base.js";

export const COUNTS = ["no", "one", "two", "three", "four", "five", "six"];

/** The chances behind a hold: each open combination, played only for it. */
export function drawChances({ advice, rules, state, left, once, open }, pick) {
  const scored = advice.options.filter(({ action }) => action === "score");
  const fillable = new Set(scored.map(({ box }) => box));
  const boxes = rules.boxes.filter(
    ({ name, scorings }) =>
      fillable.has(name) &&
      scorings.every(
        ({ pattern }) => pattern.kind !== "chance" && (pattern.kind !== "count" || pattern.par),
      ),
  );
  const isStop = pick.action === "score";
  if (!boxes.length || isStop) return null;
  const list = el("ul", { class: "chances" });
  const load = async () => {
    const answers = await Promise.all(
      boxes.map(({ name }) =>
        once("dice/odds", {
          combination: name,
          game: state.game,
          from: pick.hold.join(" ") || null,
          rolls: left,
        }),
      ),
    );
    const rows = answers.map(({ probability }, place) => ({
      chance: probability.value,
      box: boxes[place],
    }));
    rows.sort((a, b) => b.chance - a.chance);
    show(
      list,
      rows.map(({ chance, box }) =>
        el(
          "li",
          {},
          el(
            "span",
            {},
            box.title,
            box.scorings[0].pattern.par ? `, ${box.scorings[0].pattern.par} or more` : "",
          ),
          el("meter", { min: 0, max: 1, value: chance, "aria-hidden": "true" }),
          el("span", { class: "value" }, percent(chance)),
        ),
      ),
    );
  };
  load().catch((error) => show(list, el("li", {}, trouble(error))));
  const from = pick.hold.length ? `from ${pick.hold.join(" ")}` : "from nothing";
  return el(
    "details",
    { class: "behind", "data-key": "behind", open: open },
    el("summary", {}, `Chances ${from}, ${COUNTS[left]} roll${left > 1 ? "s" : ""}`),
    list,
    el("p", { class: "soft small" }, "Each for one who plays only for it; exact."),
  );
}
