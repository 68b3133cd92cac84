// The cheat sheets: one to look at, all to download.

import {
  announce,
  ask,
  el,
  points,
  readAddress,
  select,
  show,
  trouble,
  writeAddress,
} from "./base.js";

// A picture holds one page; Euchre has one for each seat.
const FORMS = { dice: ["pdf", "html", "png", "svg", "md"], euchre: ["pdf", "html", "md"] };
const main = document.getElementById("main");
let running = new AbortController();

async function update() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const lists = await Promise.all(
      Object.keys(FORMS).map(async (family) => {
        const { games } = await ask(`${family}/games`, {});
        return games.map((game) => ({ ...game, family }));
      }),
    );
    const games = lists.flat();
    const asked = readAddress().game;
    const game = games.find(({ name }) => name === asked) ?? games[0];
    const titles = games.map(({ name, title }) => [name, title]);
    const place = el("section", { class: "answer", "aria-label": "Sheet" });
    const choose = (name) => {
      writeAddress({ game: name });
      update();
    };
    show(
      main,
      el(
        "div",
        { class: "sheets" },
        el(
          "section",
          { class: "panel where", "aria-label": "Game" },
          el("h1", {}, "A page to play by"),
          select("Game", "game", titles, game.name, choose),
        ),
        place,
      ),
    );
    await showSheet(game, place, signal);
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) show(main, trouble(error));
  }
}

async function showSheet(game, place, signal) {
  const cancel = new AbortController();
  signal.addEventListener("abort", () => cancel.abort());
  const bar = el("progress", { "aria-label": "Fitting the sheet" });
  const stop = el(
    "button",
    { type: "button", "data-key": "cancel", click: () => cancel.abort() },
    "Cancel",
  );
  const wait = el(
    "p",
    {},
    "Fitting the sheet. It is done once and kept; it may take some minutes.",
  );
  const timer = setTimeout(
    () => show(place, el("div", { class: "panel waiting" }, wait, bar, stop)),
    300,
  );
  const onProgress = (done, total) => Object.assign(bar, { max: total, value: done });
  let sheet;
  try {
    const options = { signal: cancel.signal, onProgress };
    sheet = await ask(`${game.family}/sheet`, { game: game.name }, options);
  } catch (error) {
    if (signal.aborted) return;
    const again = el(
      "button",
      { type: "button", click: () => showSheet(game, place, signal) },
      "Fit it",
    );
    show(
      place,
      error.name === "AbortError"
        ? el("p", { class: "panel" }, "Cancelled. ", again)
        : trouble(error),
    );
    return;
  } finally {
    clearTimeout(timer);
  }
  const address = (form) =>
    `/api/${game.family}/sheet.${form}?game=${encodeURIComponent(game.name)}`;
  const cost =
    game.family === "dice"
      ? `Following this page brings ${points(sheet.expected)} of ${points(sheet.best)} points; exact.`
      : `Following these pages costs ${sheet.cost.points.toFixed(3)} ± ${sheet.cost.stderr.toFixed(3)} points a hand.`;
  announce(cost);
  show(
    place,
    el(
      "div",
      { class: "panel" },
      el("p", {}, cost),
      el(
        "ul",
        { class: "tools downloads" },
        FORMS[game.family].map((form) =>
          el(
            "li",
            {},
            el(
              "a",
              {
                class: "button",
                href: address(form),
                download: `${game.name}.${form}`,
                "data-key": `as-${form}`,
              },
              el("span", { class: "unseen" }, "Download as "),
              form.toUpperCase(),
            ),
          ),
        ),
      ),
    ),
    el("iframe", {
      class: "sheet",
      title: `Sheet of ${game.title}`,
      src: address("html"),
      sandbox: "",
    }),
  );
}

window.addEventListener("popstate", update);
window.addEventListener("hashchange", update);
update();
