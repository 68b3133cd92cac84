// The dice page: which view the address asks for, and what the views share.

import { ask, el, select, show, trouble } from "./base.js";
import { MOST_PLAYERS, read, record, write } from "./dice-state.js";
import { showReview } from "./dice-review.js";
import { showTable } from "./dice-table.js";

const main = document.getElementById("main");
const known = new Map();
let running = new AbortController();

/** Ask once for what does not change; asking again gets the same promise. */
function once(path, parameters, options) {
  const key = JSON.stringify([path, parameters, options?.body]);
  if (!known.has(key)) {
    const answer = ask(path, parameters, options);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    if (known.size > 400) known.delete(known.keys().next().value);
  }
  return known.get(key);
}

/** Go on from another state, as a step of its own or not. */
function go(state, options) {
  write(state, options);
  return update();
}

/** Return the reviews of all players' complete turns: they fill the scorecard. */
function cards(state) {
  const complete = { ...state, turns: state.turns.filter((turn) => turn.box) };
  return Promise.all(
    state.players.map((_, player) => {
      const body = record(complete, player, state.game);
      return once("dice/review", { game: state.game }, { body });
    }),
  );
}

async function update() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const state = read();
  try {
    if (!state.game || !state.players.length || state.view === "setup") {
      showSetup(state, await once("dice/games", {}));
      return;
    }
    const rules = await once("dice/rules", { game: state.game });
    const view = state.view === "review" ? showReview : showTable;
    document.title = `${rules.title} – oddscalc`;
    await view({ main, state, rules, signal, go, once, cards });
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    show(main, trouble(error), el("p", {}, el("a", { href: "/", class: "button" }, "Start again")));
  }
}

function showSetup(state, { games }) {
  const wished = { game: state.game || games[0].name, players: state.players };
  if (!wished.players.length) wished.players = ["Anna"];
  document.title = "Dice – oddscalc";
  draw();

  function draw() {
    const game = games.find(({ name }) => name === wished.game) ?? games[0];
    const several = wished.players.length > 1;
    const players = wished.players.map((name, place) =>
      el(
        "li",
        {},
        el("input", {
          "aria-label": `Name of player ${place + 1}`,
          "data-key": `player-${place}`,
          value: name,
          maxlength: 20,
          autocomplete: "off",
          input: (event) => (wished.players[place] = event.target.value),
        }),
        several &&
          el(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": `Remove player ${place + 1}`,
              click: () => {
                wished.players.splice(place, 1);
                draw();
              },
            },
            "×",
          ),
      ),
    );
    show(
      main,
      el(
        "form",
        { class: "setup panel", submit: start },
        el("h1", {}, "Which dice do I keep?"),
        el(
          "p",
          {},
          "Tap what was rolled and see what to keep, which box to fill, and what every other choice costs.",
        ),
        select(
          "Game",
          "game",
          games.map(({ name, title }) => [name, title]),
          game.name,
          (name) => {
            wished.game = name;
            draw();
          },
        ),
        el("p", { class: "soft" }, game.summary),
        el(
          "fieldset",
          {},
          el("legend", {}, "Players"),
          el("ol", { class: "names" }, players),
          wished.players.length < MOST_PLAYERS &&
            el("button", { type: "button", "data-key": "add", click: add }, "Add a player"),
        ),
        el(
          "button",
          { class: "primary", "data-key": "start" },
          state.turns.length ? "Start a new game" : "Start",
        ),
      ),
    );
  }

  function add() {
    wished.players.push(`Player ${wished.players.length + 1}`);
    draw();
  }

  function start(event) {
    event.preventDefault();
    const players = wished.players.map(
      (name, place) => name.replaceAll(/[~#\p{C}]/gu, "").trim() || `Player ${place + 1}`,
    );
    go({
      ...read(),
      game: wished.game,
      players,
      turns: [],
      draft: [],
      pick: "",
      view: "",
      goal: "",
    });
  }
}

window.addEventListener("popstate", update);
window.addEventListener("hashchange", update);
update();
