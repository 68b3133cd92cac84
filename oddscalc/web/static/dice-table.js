// A game under way: the dice, what to do with them, and why.

import { announce, ask, el, focusOn, percent, points, show, trouble, whole } from "./base.js";
import { ending, scorecard, standing } from "./dice-card.js";
import { COUNTS, drawChances } from "./dice-chances.js";
import { dice, die, noDie } from "./dice-draw.js";
import { drawGoal, goalOf } from "./dice-goal.js";
import { before, current, withTurn, write } from "./dice-state.js";

const SHOWN = 5;

/** Show the table of a game. */
export async function showTable(page) {
  const { main, state, rules } = page;
  const table = new Table(page);
  const over =
    state.turns.filter((turn) => turn.box).length === rules.boxes.length * state.players.length;
  const parts = Object.fromEntries(["turn", "answer", "card"].map((name) => [name, el("section")]));
  table.parts = parts;
  parts.turn.className = "turn panel";
  parts.answer.className = "answer";
  parts.card.className = "card panel";
  parts.turn.setAttribute("aria-label", "Turn");
  parts.answer.setAttribute("aria-label", "Advice");
  parts.card.setAttribute("aria-label", "Scorecard");
  const column = el("div", { class: "column" }, parts.turn, parts.answer);
  // Until all is known again, the old card stays: nothing on the page jumps.
  parts.card.append(...(main.querySelector(".card")?.childNodes ?? []));
  if (!over) table.drawTurn();
  show(main, el("div", { class: "table" }, column, parts.card));
  table.placeFocus();
  const reviews = await page.cards(state);
  if (page.signal.aborted) return;
  table.reviews = reviews;
  show(parts.card, scorecard(state, rules, reviews));
  if (over) {
    show(parts.turn, ending(page, reviews));
    parts.answer.remove();
    announce("The game is over.");
    return;
  }
  if (table.isRolled) await table.advise();
  else show(parts.answer, await standing(page, reviews));
}

class Table {
  constructor(page) {
    Object.assign(this, page);
    Object.assign(this, current(page.state));
    this.roll = this.turn.rolls.at(-1)?.toSorted((a, b) => a - b);
    this.isRolled = this.turn.rolls.length > this.turn.holds.length;
    this.held = this.isRolled ? [] : (this.turn.holds.at(-1) ?? []);
    this.left = this.rules.rolls - this.turn.rolls.length;
  }

  get name() {
    return this.state.players[this.player];
  }

  /** The dice that may be kept: those of the option that is picked. */
  get pick() {
    const { options } = this.advice;
    return options.find((option) => keyOf(option) === this.state.pick) ?? options[0];
  }

  drawTurn() {
    const { rules, state } = this;
    const rolls = Array.from({ length: rules.rolls }, (_, place) =>
      el("li", { class: place < this.turn.rolls.length ? "done" : "" }),
    );
    const roll = this.isRolled ? this.turn.rolls.length : this.turn.rolls.length + 1;
    const hint = this.isRolled
      ? `Roll ${roll} of ${rules.rolls}`
      : this.turn.rolls.length
        ? `What came on roll ${roll}?`
        : "What was rolled?";
    show(
      this.parts.turn,
      el(
        "div",
        { class: "whose" },
        el("h1", {}, this.name),
        el("p", { class: "soft" }, `Turn ${this.round + 1} of ${rules.boxes.length}`),
        el(
          "button",
          {
            type: "button",
            "data-key": "undo",
            disabled: before(state) === null,
            click: () => this.go(before(state)),
          },
          "Undo",
        ),
      ),
      el(
        "div",
        { class: "hint" },
        el("p", { id: "hint" }, hint),
        el("ol", { class: "rolls", "aria-hidden": "true" }, rolls),
      ),
      this.isRolled ? this.drawRoll() : this.drawEntry(),
      el(
        "div",
        { class: "tools" },
        drawGoal(this),
        el(
          "button",
          { type: "button", class: "quiet", click: () => this.go({ ...state, view: "setup" }) },
          "New game",
        ),
      ),
    );
  }

  /** The dice that are rolled; tapping one keeps it or lets it go. */
  drawRoll() {
    const kept = this.advice ? this.pick.hold.slice() : [];
    const tray = this.roll.map((face, place) => {
      const at = kept.indexOf(face);
      if (at >= 0) kept.splice(at, 1);
      const attributes = {
        type: "button",
        class: "slot",
        "data-key": `die-${place}`,
        "aria-label": `keep ${face}`,
        "aria-pressed": this.left > 0 && String(at >= 0),
        disabled: !this.advice || this.left === 0,
        click: () => this.toggle(face, at >= 0),
      };
      return el("button", attributes, die(face));
    });
    return el("div", { class: "tray", role: "group", "aria-labelledby": "hint" }, tray);
  }

  toggle(face, isKept) {
    const hold = this.pick.hold.slice();
    if (isKept) hold.splice(hold.indexOf(face), 1);
    else hold.push(face);
    hold.sort((a, b) => a - b);
    const all = hold.length === this.rules.dice;
    const { options } = this.advice;
    const option = options.find(
      (one) => (one.action === "score") === all && one.hold.join() === hold.join(),
    );
    this.choose(option ?? options.find((one) => one.action === "score"));
  }

  /** Places for the dice of a roll, the held ones filled, and a pad to fill the others. */
  drawEntry() {
    const { state, rules, held } = this;
    const missing = rules.dice - held.length;
    const entered = state.draft.slice(0, missing);
    const slots = [
      ...held.map((face) =>
        el(
          "span",
          { class: "slot held" },
          die(face),
          el("span", { class: "unseen" }, `kept ${face}`),
        ),
      ),
      ...entered.map((face, place) =>
        el(
          "button",
          {
            type: "button",
            class: "slot",
            "data-key": `slot-${place}`,
            "aria-label": `remove ${face}`,
            click: () => this.enter(entered.toSpliced(place, 1)),
          },
          die(face),
        ),
      ),
      ...Array.from({ length: missing - entered.length }, () =>
        el("span", { class: "slot" }, noDie()),
      ),
    ];
    const faces = Array.from({ length: rules.faces }, (_, place) => place + 1);
    const pad = faces.map((face) =>
      el(
        "button",
        {
          type: "button",
          "data-key": `pad-${face}`,
          "aria-label": String(face),
          click: () => this.enter([...entered, face]),
        },
        die(face),
      ),
    );
    return [
      el("div", { class: "tray", role: "group", "aria-label": "Dice on the table" }, slots),
      el(
        "div",
        {
          class: "pad",
          role: "group",
          "aria-label": "Add a die; digits work too",
          keydown: (event) => this.type(event, entered),
        },
        pad,
      ),
      this.drawText(missing),
    ];
  }

  drawText(missing) {
    const submit = (event) => {
      event.preventDefault();
      const text = event.target.elements.dice.value;
      const faces = (text.match(this.rules.faces > 9 ? /10|[1-9]/g : /\d|[⚀-⚅]/gu) ?? []).map(
        (word) => Number(word) || word.codePointAt(0) - 0x267f,
      );
      const wrong = faces.find((face) => face > this.rules.faces) ?? (faces.includes(0) ? 0 : null);
      if (wrong != null || faces.length !== missing) {
        const sentence = `'${text}' cannot be; accepted: ${missing} dice from 1 to ${this.rules.faces}.`;
        show(this.parts.answer, trouble(new Error(sentence)));
      } else this.enter(faces);
    };
    return el(
      "form",
      { class: "typed", submit },
      el(
        "label",
        { class: "field" },
        el("span", {}, "or type them"),
        el("input", {
          name: "dice",
          "data-key": "typed",
          inputmode: "numeric",
          autocomplete: "off",
        }),
      ),
      el("button", {}, "Enter"),
    );
  }

  type(event, entered) {
    const face = event.key === "0" ? 10 : Number(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Backspace" && entered.length) this.enter(entered.slice(0, -1));
    else if (/^\d$/.test(event.key) && face <= this.rules.faces) this.enter([...entered, face]);
  }

  enter(draft) {
    const { state, held, turn } = this;
    if (held.length + draft.length < this.rules.dice) {
      this.go({ ...state, draft }, { step: false });
    } else {
      this.go(withTurn(state, { ...turn, rolls: [...turn.rolls, [...held, ...draft]] }));
    }
  }

  /** The focus goes where the next thing is done, unless it is somewhere already. */
  placeFocus() {
    const lost = !document.activeElement || document.activeElement === document.body;
    if (lost && !this.isRolled && this.state.turns.length + this.state.draft.length) {
      focusOn(`pad-1`);
    }
  }

  async advise() {
    const { state, parts } = this;
    try {
      const goal = goalOf(this);
      this.advice = await this.ask(goal);
      if (this.signal.aborted) return;
      this.goalNow = goal;
    } catch (error) {
      if (error.name === "AbortError" || this.signal.aborted) return;
      show(parts.answer, trouble(error));
      announce(error.message);
      return;
    }
    this.draw();
    const lost = !document.activeElement || document.activeElement === document.body;
    if (lost && state.turns.length) focusOn("go");
  }

  /** Ask what to keep; while a table is built its progress shows, and it can be cancelled. */
  async ask(goal) {
    const review = this.reviews[this.player];
    const filled = review.turns.map(({ box, points }) => `${box}=${points}`).join(", ");
    const bonus = review.turns.reduce((sum, turn) => sum + turn.joker_bonus, 0);
    const parameters = {
      roll: this.roll.join(" "),
      game: this.state.game,
      "rolls-left": this.left,
      filled,
      "joker-bonus": bonus || null,
      ...goal.parameters,
    };
    const cancel = new AbortController();
    this.signal.addEventListener("abort", () => cancel.abort());
    let bar = null;
    const onProgress = (done, total) => {
      if (!bar) {
        bar = el("progress", { "aria-label": "Building the table" });
        show(
          this.parts.answer,
          el(
            "div",
            { class: "panel waiting" },
            el(
              "p",
              {},
              "Solving this game for that goal. It is done once and kept; some tables take minutes.",
            ),
            bar,
            el(
              "button",
              {
                type: "button",
                "data-key": "cancel",
                click: () => {
                  cancel.abort();
                  this.go({ ...this.state, goal: "" });
                },
              },
              "Cancel",
            ),
          ),
        );
      }
      bar.max = total;
      bar.value = done;
    };
    return ask("dice/hold", parameters, { signal: cancel.signal, onProgress });
  }

  /** Show the advice and the dice it is about. */
  draw() {
    const { parts, rules } = this;
    this.drawTurn();
    const { options, usual } = this.advice;
    const pick = this.pick;
    const { isChance, what } = this.goalNow;
    const value = isChance ? (number) => percent(number, 2) : (number) => points(number);
    const less = (loss) =>
      loss === 0 ? "" : isChance ? `−${percent(loss, 2)}` : `−${points(loss)}`;
    const shown = this.left ? SHOWN : options.length;
    const row = (option) => this.drawOption(option, value, less);
    announce(`${this.said(options[0])}. ${value(options[0].value)} ${what}.`);
    show(
      parts.answer,
      el(
        "div",
        { class: "panel" },
        el("h2", {}, this.said(pick)),
        el(
          "p",
          { class: "figure" },
          el("b", {}, value(pick.value)),
          ` ${what}`,
          pick.loss > 0 && el("span", { class: "loss" }, ` ${less(pick.loss)} to the best`),
        ),
        el(
          "button",
          { type: "button", class: "primary", "data-key": "go", click: () => this.commit(pick) },
          pick.action === "score" ? "Score it" : `Roll ${COUNTS[rules.dice - pick.hold.length]}`,
        ),
        usual &&
          usual.loss > 0 &&
          el(
            "p",
            { class: "soft" },
            `For the mean you would ${this.said(usual).toLowerCase()}: ${value(usual.value)}.`,
          ),
        el("h3", {}, this.left ? "All choices" : "Boxes"),
        el("ol", { class: "options" }, options.slice(0, shown).map(row)),
        options.length > shown &&
          el(
            "details",
            { "data-key": "more", open: this.isOpen("more") },
            el("summary", {}, `${options.length - shown} more`),
            el("ol", { class: "options" }, options.slice(shown).map(row)),
          ),
        el("p", { class: "soft small" }, "Exact: every later choice the best one."),
        this.left > 0 && drawChances({ ...this, open: this.isOpen("behind") }, pick),
      ),
    );
  }

  drawOption(option, value, less) {
    const isScore = option.action === "score";
    const name = isScore
      ? `Score ${whole(option.points)} in ${this.title(option.box)}`
      : this.said(option);
    const picture = isScore
      ? el(
          "span",
          { class: "box" },
          this.title(option.box),
          el("b", {}, whole(option.points, true)),
        )
      : option.hold.length
        ? dice(option.hold)
        : el("span", { class: "box" }, "roll all");
    return el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          "data-key": `option-${keyOf(option)}`,
          "aria-pressed": String(option === this.pick),
          "aria-label": `${name}: ${value(option.value)}${option.loss ? `, ${less(option.loss)}` : ", best"}`,
          click: () => this.choose(option),
        },
        picture,
        el("span", { class: "value" }, value(option.value)),
        el("span", { class: option.loss ? "loss" : "best" }, less(option.loss) || "best"),
      ),
    );
  }

  choose(option) {
    this.state = { ...this.state, pick: keyOf(option) };
    write(this.state, { step: false });
    this.draw();
  }

  commit(option) {
    const { turn, state } = this;
    document.activeElement?.blur();
    if (option.action === "score") this.go(withTurn(state, { ...turn, box: option.box }));
    else this.go(withTurn(state, { ...turn, holds: [...turn.holds, option.hold] }));
  }

  isOpen(key) {
    return this.parts.answer.querySelector(`[data-key=${key}]`)?.open ?? false;
  }

  title(name) {
    return this.rules.boxes.find((box) => box.name === name)?.title ?? name;
  }

  /** An option as words. */
  said(option) {
    if (option.action === "score")
      return `Score ${whole(option.points)} in ${this.title(option.box)}`;
    const rest = this.rules.dice - option.hold.length;
    if (!option.hold.length) return `Roll all ${COUNTS[rest]}`;
    return `Keep ${option.hold.join(" ")}, roll ${COUNTS[rest]}`;
  }
}

function keyOf(option) {
  return option.action === "score"
    ? `!${option.box}`
    : option.hold.map((face) => face.toString(16)).join("") || "-";
}
