// Dice drawn as dice.

import { el, svg } from "./base.js";

const LOW = 26;
const MIDDLE = 50;
const HIGH = 74;
const PIPS = [
  [],
  [[MIDDLE, MIDDLE]],
  [
    [LOW, HIGH],
    [HIGH, LOW],
  ],
  [
    [LOW, HIGH],
    [MIDDLE, MIDDLE],
    [HIGH, LOW],
  ],
  [
    [LOW, LOW],
    [LOW, HIGH],
    [HIGH, LOW],
    [HIGH, HIGH],
  ],
  [
    [LOW, LOW],
    [LOW, HIGH],
    [MIDDLE, MIDDLE],
    [HIGH, LOW],
    [HIGH, HIGH],
  ],
  [
    [LOW, LOW],
    [LOW, MIDDLE],
    [LOW, HIGH],
    [HIGH, LOW],
    [HIGH, MIDDLE],
    [HIGH, HIGH],
  ],
];

/** Return one die; faces above six are numbers. A text beside it names it. */
export function die(face) {
  const marks = PIPS[face]
    ? PIPS[face].map(([x, y]) => svg("circle", { cx: x, cy: y, r: 9.5 }))
    : [svg("text", { x: 50, y: 52 }, String(face))];
  return svg(
    "svg",
    { class: "die", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 }),
    marks,
  );
}

/** Return a place for a die that is not rolled yet. */
export function noDie() {
  return svg(
    "svg",
    { class: "die none", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 20 }),
  );
}

/** Return some dice in a row, named as a whole. */
export function dice(faces, name = faces.join(" ")) {
  return el("span", { class: "dice", role: "img", "aria-label": name }, faces.map(die));
}
