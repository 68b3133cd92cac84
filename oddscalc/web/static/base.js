// What all pages share: elements, numbers as words, questions to the server, state in the address.

/** Return an element; attributes with a function are listeners, true or false switch them. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Return an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter((child) => child != null && child !== false));
  return node;
}

/** Put children into a node; the focus stays on the element with the same data-key. */
export function show(node, ...children) {
  const key = node.contains(document.activeElement) && document.activeElement.dataset.key;
  node.replaceChildren(...children.flat(3).filter((child) => child != null && child !== false));
  if (key) focusOn(key);
}

/** Focus the element with that data-key, if there is one. */
export function focusOn(key) {
  document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Have a screen reader say a sentence. */
export function announce(sentence) {
  const live = document.getElementById("live");
  if (live.textContent !== sentence) live.textContent = sentence;
}

/** Points with two decimals and a true minus sign. */
export function points(number, sign = false) {
  const text = Math.abs(number).toFixed(2);
  if (Number(text) === 0) return sign ? "±0.00" : text;
  return (number < 0 ? "−" : sign ? "+" : "") + text;
}

/** A whole number with a true minus sign. */
export function whole(number, sign = false) {
  return (number < 0 ? "−" : sign && number > 0 ? "+" : "") + Math.abs(number);
}

/** A chance in per cent; only what is certain or impossible is 0 or 100. */
export function percent(chance, digits = 1) {
  if (chance === 0 || chance === 1) return `${100 * chance}\u00a0%`;
  const least = 10 ** -digits;
  if (100 * chance < least / 2) return `<${least.toFixed(digits)}\u00a0%`;
  if (100 * (1 - chance) < least / 2) return `>${(100 - least).toFixed(digits)}\u00a0%`;
  return `${(100 * chance).toFixed(digits)}\u00a0%`;
}

const SLOW = 3_000; // milliseconds

/** What the server refuses, or that it cannot be reached; its message is a sentence. */
class Refusal extends Error {}

/**
 * Ask an endpoint and return its answer.
 *
 * With `onAnswer` and `onProgress` a long answer is a stream: each better one is handed on as it
 * comes. `signal` cancels it, on the server too. `onSlow` is called if nothing has come for long.
 */
export async function ask(path, parameters, { signal, onAnswer, onProgress, onSlow, body } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value != null && value !== "") query.set(name, value);
  }
  let response;
  const slow = onSlow && setTimeout(onSlow, SLOW);
  try {
    response = await fetch(`/api/${path}?${query}`, {
      signal,
      body,
      method: body == null ? "GET" : "POST",
      headers: onAnswer || onProgress ? { Accept: "application/x-ndjson" } : {},
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server cannot be reached; is oddscalc web still running?");
  } finally {
    clearTimeout(slow);
  }
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("json")) throw new Refusal(await response.text());
  if (!type.includes("ndjson")) return settled(await response.json());
  let last;
  for await (const line of lines(response.body)) {
    const word = JSON.parse(line);
    if (word.schema.startsWith("oddscalc.web.progress/")) {
      onProgress?.(word.done, word.total);
    } else {
      last = settled(word);
      onAnswer?.(last, false);
    }
  }
  if (!last) throw new Refusal("The answer broke off; ask again.");
  return last;
}

function settled(answer) {
  if (answer.schema.startsWith("oddscalc.web.error/")) throw new Refusal(answer.error);
  return answer;
}

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (rest + value).split("\n");
    rest = pieces.pop();
    yield* pieces;
  }
}

/** Return the state in the address, texts by key. */
export function readAddress() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Put the state into the address: a step that `back` undoes, or no step of its own. */
export function writeAddress(state, { step = true } = {}) {
  const pairs = Object.entries(state).filter(([, value]) => value != null && value !== "");
  const text = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  // These may stand in an address as they are, and keep it readable.
  const hash = "#" + text.replaceAll("%2C", ",").replaceAll("%3A", ":");
  if (hash === (location.hash || "#")) return;
  history[step ? "pushState" : "replaceState"](null, "", hash === "#" ? location.pathname : hash);
}

/** A sentence that says what went wrong. */
export function trouble(error) {
  return el("p", { class: "trouble", role: "alert" }, error.message);
}

/** A select with a label; `choices` are pairs of value and title. */
export function select(label, key, choices, value, change) {
  return el(
    "label",
    { class: "field" },
    el("span", {}, label),
    el(
      "select",
      { "data-key": key, change: (event) => change(event.target.value) },
      choices.map(([own, title]) => el("option", { value: own, selected: own === value }, title)),
    ),
  );
}
