"""The page in a real browser: whole games by tapping, by keyboard, narrow and wide."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from oddscalc import dice

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
NARROW, WIDE = 360, 1280
SECONDS = 300_000  # milliseconds: the first question of all compiles the kernels
DEALS_PLAYED = re.compile(r"^[\d,]+ to [\d,]+ deals\.")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

Open = Callable[..., Page]

# Every text against the ground below it, as WCAG 2.2 computes contrast.
CONTRASTS = """() => {
  const channel = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const parse = (text) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const light = ({ r, g, b }) =>
    0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const isOff = node.closest(":disabled, .unseen, noscript, option");
    if (!walker.currentNode.data.trim() || isOff || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(parse(style.color)), light(ground(node))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) low.push([walker.currentNode.data, ratio, style.color]);
  }
  return low;
}"""

# Controls without a name, or too small to tap (WCAG 2.2 asks for 24 pixels).
CONTROLS = """() => [...document.querySelectorAll("button, input, select, a, summary")]
  .filter((node) => node.checkVisibility())
  .filter((node) => {
    const box = (node.closest("label") ?? node).getBoundingClientRect();
    const name = node.getAttribute("aria-label") || node.textContent.trim()
      || node.labels?.[0]?.textContent.trim() || node.getAttribute("value");
    return !name || box.width < 24 || box.height < 24;
  })
  .map((node) => node.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    for name in ("poker-dice", "poker-dice-short"):
        dice.solve(name)
    command = [sys.executable, "-m", "oddscalc", "web", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline() if server.stdout else ""
        found = re.search(r"http://\S+/(?=;)", line)
        assert found, line
        try:
            yield found[0]
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=SECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Open pages; whatever a page complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    asked: list[str] = []

    def open_page(path: str, width: int = NARROW, scheme: Any = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 740}, color_scheme=scheme, has_touch=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SECONDS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda word: complaints.append(word.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address.rstrip("/") + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    refusals = "the server responded with a status of 400"
    assert [word for word in complaints if refusals not in word] == []
    assert [url for url in asked if not url.startswith((address, "blob:"))] == []


def _is_fit(page: Page) -> None:
    """Nothing is cut off to the side, unreadable, nameless or too small."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRASTS) == []
    assert page.evaluate(CONTROLS) == []


def _key(page: Page, key: str) -> Any:
    return page.locator(f'[data-key="{key}"]')


def _play_turn(page: Page, generator: random.Random) -> None:
    """Tap dice until a box is filled, always as advised."""
    is_scored = False
    while not is_scored:
        pad = page.locator(".pad button")
        expect(pad.first).to_be_visible()
        for _ in range(page.locator(".tray .none").count()):
            pad.nth(generator.randrange(6)).tap()
        go = _key(page, "go")
        expect(go).to_be_visible()
        is_scored = go.inner_text() == "Score it"
        go.tap()


def test_a_whole_game_of_poker_dice_by_tapping(open_page: Open) -> None:
    page = open_page("/")
    _key(page, "add").tap()
    page.get_by_label("Name of player 2").fill("Bert")
    _key(page, "start").tap()
    generator = random.Random(5)
    _play_turn(page, generator)
    expect(page.get_by_role("heading", level=1)).to_have_text("Bert")
    before = page.url
    # Undo takes the last thing back, reload and back keep the view.
    _key(page, "undo").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna")
    expect(_key(page, "go")).to_have_text("Score it")
    page.reload()
    expect(_key(page, "go")).to_have_text("Score it")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bert")
    assert page.url == before
    for _ in range(29):
        _play_turn(page, generator)
    expect(page.get_by_role("heading", level=1)).to_contain_text("won with")
    expect(page.get_by_text("Each wins or pays the difference")).to_be_visible()
    wins, pays = page.locator(".ending ul").nth(1).locator("b").all_inner_texts()
    assert wins == pays
    _is_fit(page)
    _key(page, "go").tap()
    expect(page.get_by_role("heading", name="every choice the best one")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").first.tap()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    found = dice.review(text)
    assert (found.record.player, found.record.finished, found.loss) == ("Anna", True, 0)


def test_the_advice_and_its_reasons(open_page: Open) -> None:
    page = open_page("/#game=poker-dice&players=Anna&turns=23621", WIDE)
    expect(page.get_by_role("heading", level=2)).to_have_text("Keep 2 2, roll three")
    expect(page.locator(".figure")).to_contain_text("161.75 expected total")
    expect(page.locator('.slot[aria-pressed="true"]')).to_have_count(2)
    expect(page.locator("#live")).to_contain_text("Keep 2 2, roll three. 161.75")
    page.get_by_text("Chances from 2 2").click()
    expect(page.locator(".behind li", has_text="Twos")).to_contain_text("66.5 %")
    # Another choice: by the list, and by the dice themselves.
    page.locator(".options button").nth(1).click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Keep 6, roll four")
    expect(page.locator(".figure")).to_contain_text("−0.63 to the best")
    page.get_by_role("button", name="keep 3").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Keep 3 6, roll three")
    page.reload()
    expect(page.get_by_role("heading", level=2)).to_have_text("Keep 3 6, roll three")
    _is_fit(page)


def test_a_blunder_is_found(open_page: Open) -> None:
    page = open_page("/#game=poker-dice&players=Anna&turns=23621.6.66641!sixes&view=review")
    expect(page.get_by_role("heading", level=2)).to_contain_text("lost, 1 blunder")
    expect(page.locator(".blunder").first).to_contain_text("better: ")
    _is_fit(page)


def test_goals(open_page: Open) -> None:
    short = "/#game=poker-dice-short&players=Anna~Bert&turns="
    page = open_page(f"{short}66611!three-alike,23621")
    expect(page.locator(".figure")).to_contain_text("share of the pot")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bert")
    _key(page, "goal").select_option("leader")
    expect(page.locator(".figure")).to_contain_text("Anna may expect")
    _key(page, "goal").select_option("beat")
    _key(page, "total").fill("60")
    _key(page, "total").press("Enter")
    expect(page.locator(".figure")).to_contain_text("chance of 60 or more")
    best = dice.advise("23621", game="poker-dice-short", goal="beat:60").best.value
    expect(page.locator(".figure")).to_contain_text(f"{100 * best:.2f} %")
    _key(page, "total").fill("")
    _key(page, "total").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("accepted: a whole number")
    page = open_page(
        f"{short}66611!three-alike,22211!three-alike,66611!combination,55522.555.55531.555.55512"
    )
    expect(page.get_by_role("heading", level=1)).to_have_text("Bert")
    _key(page, "go").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna takes the pot")


@pytest.mark.parametrize(("width", "scheme"), [(NARROW, "dark"), (WIDE, "light")])
def test_pages_fit(open_page: Open, width: int, scheme: str) -> None:
    page = open_page("/", width, scheme)
    expect(_key(page, "start")).to_be_visible()
    _is_fit(page)
    page.goto(page.url + "#game=poker-dice&players=Anna~Bert~Cleo&turns=23621.22.22345")
    expect(_key(page, "go")).to_be_visible()
    _is_fit(page)
    page.goto(
        page.url.partition("#")[0] + "euchre#game=two-handed&hand=JSASKSAH9D&up=9S&seat=1&open=yes"
    )
    expect(page.get_by_text("Exact: all 8,568 deals.")).to_be_visible()
    _is_fit(page)


def test_a_turn_with_the_keyboard_alone(open_page: Open) -> None:
    page = open_page("/", WIDE)
    expect(_key(page, "start")).to_be_visible()
    _reach(page, "start")
    page.keyboard.press("Enter")
    expect(page.get_by_text("What was rolled?")).to_be_visible()
    _reach(page, "pad-1")
    page.keyboard.type("23621")
    expect(_key(page, "go")).to_be_focused()
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    page.keyboard.press("Enter")
    expect(_key(page, "pad-1")).to_be_focused()
    page.keyboard.type("45")
    page.keyboard.press("Backspace")
    page.keyboard.type("66")
    expect(_key(page, "go")).to_be_focused()
    _reach(page, "undo")
    page.keyboard.press("Enter")
    expect(page.locator(".tray .none")).to_have_count(1)
    _reach(page, "typed")
    page.keyboard.type("22 9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("accepted: 3 dice from 1 to 6")


def _reach(page: Page, key: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(80):
        if page.evaluate("document.activeElement.dataset.key") == key:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{key} cannot be reached")


def test_a_hand_with_the_keyboard_alone(open_page: Open) -> None:
    page = open_page("/euchre#game=two-handed&open=yes", WIDE)
    for card in ("JS", "AS", "KS", "AH", "9D", "9S"):
        _reach(page, f"card-{card}")
        page.keyboard.press("Space")
    expect(page.get_by_text("Exact: all 8,568 deals.")).to_be_visible()
    _reach(page, "bid-Order spades")
    page.keyboard.press("Enter")
    _reach(page, "play-hand")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your card?")


def test_a_four_handed_hand_from_deal_to_last_trick(open_page: Open) -> None:
    page = open_page("/euchre#seat=dealer&score=6-4")
    for card in ("JC", "TS", "AS", "AH", "TD", "JS"):
        _key(page, f"card-{card}").tap()
    expect(page.get_by_text(DEALS_PLAYED)).to_be_visible()
    first = page.locator(".actions li").first
    expect(first).to_contain_text("Take up")
    expect(first).to_contain_text("to win the match")
    expect(first.get_by_text(re.compile(r"euchred .* made .* five"))).to_be_visible()
    _is_fit(page)
    url = page.url
    _key(page, "bid-Take up spades").tap()
    _key(page, "play-hand").tap()
    tricks = ["9H KH QH AH", "JS 9S KS AD", "JC QS 9D KC", "AS 9C QC TC", "TS AC TH KD"]
    for number, trick in enumerate(tricks):
        for card in trick.split():
            place = _key(page, f"card-{card}")
            expect(place).to_be_enabled()
            if number == 1 and card == "JS":  # it leads, and the advice is waited for
                expect(page.get_by_text("500 deals.")).to_be_visible()
                expect(page.get_by_role("heading", level=2)).to_contain_text("Play")
                _is_fit(page)
            place.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("All five: 2 to the makers")
    _is_fit(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What does seat 3 play?")
    page.goto(url)
    page.reload()
    expect(page.get_by_text(DEALS_PLAYED)).to_be_visible()


def test_a_long_answer_can_be_cancelled(open_page: Open) -> None:
    page = open_page("/euchre#game=three-handed&hand=JCTSASAHTD&up=JS&seat=2&open=yes")
    _key(page, "cancel").tap()
    expect(page.get_by_text("Cancelled")).to_be_visible()
    expect(_key(page, "again")).to_be_visible()


def test_a_sheet(open_page: Open) -> None:
    page = open_page("/sheets#game=poker-dice-short")
    expect(page.locator("p:not(#live)", has_text="Following this page brings")).to_be_visible()
    sheet = page.frame_locator("iframe").get_by_role("heading", level=1)
    expect(sheet).to_contain_text("Poker dice for the pot")
    _is_fit(page)
