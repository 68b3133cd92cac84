// A game of dice as the address tells it: game, players, turns, what is being entered.

import { readAddress, writeAddress } from "./base.js";

export const MOST_PLAYERS = 8;

/**
 * Return the state in the address.
 *
 * `turns` has a turn after the other, whosever they are: its rolls, its holds and its box. The last
 * one may lack its box. `draft` are the dice entered of a roll that is not complete.
 */
export function read() {
  const told = readAddress();
  return {
    game: told.game ?? "",
    players: (told.players ?? "").split("~").filter(Boolean).slice(0, MOST_PLAYERS),
    goal: told.goal ?? "",
    turns: (told.turns ?? "").split(",").filter(Boolean).map(readTurn),
    draft: readDice(told.draft ?? ""),
    pick: told.pick ?? "",
    view: told.view ?? "",
  };
}

/** Put a state into the address. */
export function write(state, options) {
  writeAddress(
    {
      game: state.game,
      players: state.players.join("~"),
      goal: state.goal,
      turns: state.turns.map(writeTurn).join(","),
      draft: writeDice(state.draft),
      pick: state.pick,
      view: state.view,
    },
    options,
  );
}

function readTurn(text) {
  const [played, box = ""] = text.split("!");
  const pieces = played.split(".").filter(Boolean).map(readDice);
  return {
    rolls: pieces.filter((_, place) => place % 2 === 0),
    holds: pieces.filter((_, place) => place % 2 === 1),
    box,
  };
}

function writeTurn(turn) {
  const pieces = turn.rolls.flatMap((roll, place) => [
    writeDice(roll),
    ...turn.holds.slice(place, place + 1).map((hold) => writeDice(hold) || "-"),
  ]);
  return pieces.join(".") + (turn.box && `!${turn.box}`);
}

// A die is a digit; the tenth face is an a.
const readDice = (text) => [...text.replace("-", "")].map((letter) => parseInt(letter, 16) || 0);
const writeDice = (dice) => dice.map((face) => face.toString(16)).join("");

/** Return the turns of one player. */
function turnsOf(state, player) {
  return state.turns.filter((_, place) => place % state.players.length === player);
}

/** Return a player's game as a record that `oddscalc dice review` reads. */
export function record(state, player, game) {
  const lines = turnsOf(state, player).map((turn) => {
    const pieces = turn.rolls.flatMap((roll, place) => [
      roll.join(" "),
      ...turn.holds.slice(place, place + 1).map((hold) => hold.join(" ") || "-"),
    ]);
    return pieces.join(" | ") + (turn.box && ` > ${turn.box}`);
  });
  const name = state.players[player].replaceAll("#", "");
  return `game: ${game}\nplayer: ${name}\n\n${lines.join("\n")}`.trimEnd() + "\n";
}

/** Return the turn under way: that of a player whose last one is complete is empty. */
export function current(state) {
  const last = state.turns.at(-1);
  const open = last && !last.box;
  const number = state.turns.length - (open ? 1 : 0);
  return {
    turn: open ? last : { rolls: [], holds: [], box: "" },
    player: number % state.players.length,
    round: Math.floor(number / state.players.length),
  };
}

/** Return the state with another turn under way. */
export function withTurn(state, turn) {
  const done = state.turns.filter((one) => one.box);
  return { ...state, turns: [...done, turn], draft: [], pick: "" };
}

/** Return the state before the last thing that was entered, or null if nothing was. */
export function before(state) {
  if (state.view) return { ...state, view: "" };
  if (state.draft.length) return { ...state, draft: state.draft.slice(0, -1) };
  const turns = state.turns.slice(0, -1);
  const last = state.turns.at(-1);
  if (!last) return null;
  if (last.box) return { ...state, pick: "", turns: [...turns, { ...last, box: "" }] };
  if (last.holds.length === last.rolls.length) {
    const holds = last.holds.slice(0, -1);
    return { ...state, pick: "", turns: [...turns, { ...last, holds }] };
  }
  // A roll goes back to the dice that were entered, but the last.
  const held = last.holds.at(-1)?.length ?? 0;
  const draft = last.rolls.at(-1).slice(held, -1);
  const shorter = { ...last, rolls: last.rolls.slice(0, -1) };
  return { ...state, pick: "", draft, turns: shorter.rolls.length ? [...turns, shorter] : turns };
}
