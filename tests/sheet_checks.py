"""What holds for the pages of every sheet, whatever stands on them."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from oddscalc import sheets
from oddscalc.cli import main
from oddscalc.sheets.sheet import Cards, Cell, Dice, Sheet

if TYPE_CHECKING:
    from playwright.sync_api import Page

NASTY = '<b>Bob & "Ann"</b> | #let $x$ \\ [*]'
STARTS = {
    ".html": b"<!DOCTYPE html>",
    ".pdf": b"%PDF",
    ".png": b"\x89PNG",
    ".md": b"# ",
    ".SVG": b"<svg",
}


def run(*args: str) -> int:
    """Run the command line and return its exit code."""
    with pytest.raises(SystemExit) as caught:
        main(list(args))
    assert isinstance(caught.value.code, int)
    return caught.value.code


def printed(content: bytes) -> list[str]:
    """Return the text of each page of a PDF."""
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def cells_of(pages: Sequence[Sheet]) -> list[Cell]:
    return [cell for page in pages for block in page.blocks() for row in block.rows for cell in row]


def parsed(content: bytes) -> ElementTree.Element:
    """Return the root of an HTML page, which must be well formed."""
    return ElementTree.fromstring(content.decode().partition("\n")[2])


def check_html(pages: Sequence[Sheet]) -> None:
    content = sheets.render(pages, ".html")
    root, text = parsed(content), content.decode()
    assert root.find("head/title").text == pages[0].title  # type: ignore[union-attr]
    assert [head.text for head in root.iter("h1")] == [page.title for page in pages]
    assert not re.search(r"(src|href)=|url\(|@import|<script", text)
    cells = cells_of(pages)
    assert len(root.findall(".//td")) == len(cells)
    pieces = [piece for cell in cells for piece in cell.pieces]
    dice = sum(len(piece.dice) for piece in pieces if isinstance(piece, Dice))
    cards = sum(len(piece.cards) for piece in pieces if isinstance(piece, Cards))
    assert text.count('class="die"') == dice
    assert len(root.findall(".//span[@class='cards']/span/svg")) == cards


def check_markdown(pages: Sequence[Sheet]) -> None:
    text = sheets.render(pages, ".md").decode()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    blocks = [block for page in pages for block in page.blocks() if block.columns]
    assert len(rows) == sum(len(block.rows) + 2 for block in blocks)
    assert "<b>" not in text


def check_typst(pages: Sequence[Sheet]) -> None:
    texts = printed(sheets.render(pages, ".pdf"))
    assert len(texts) == len(pages)
    for page, text in zip(pages, texts, strict=True):
        # Long lines are broken, which leaves the first words together.
        assert page.title.split(" ")[0] in text
    png = sheets.render(pages[0], ".png")
    assert png.startswith(STARTS[".png"])
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    sides = (297, 210) if pages[0].wide else (210, 297)
    assert width / height == pytest.approx(sides[0] / sides[1], rel=0.01)
    assert ElementTree.fromstring(sheets.render(pages[0], ".svg")).tag.endswith("svg")


# A browser


@contextmanager
def in_browser(path: Path) -> Iterator[Page]:
    """Open a page; skip the test where there is no browser."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 1300})
        page.goto(path.as_uri())
        yield page
        browser.close()


def darkness(colour: str) -> float:
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 1 - (red + green + blue) / 765


def check_colours(page: Page, *pairs: tuple[str, str, str, str]) -> None:
    """Hold ground against ink, light and dark; nothing may stick out.

    Parameters
    ----------
    pairs
        Further selectors and properties whose colours must differ as ground and ink do.
    """
    style = "([what, key]) => getComputedStyle(document.querySelector(what))[key]"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (darkness(page.evaluate(style, ["body", "backgroundColor"])) > 0.5) == (
            scheme == "dark"
        )
        for one, first, other, second in (("body", "backgroundColor", "body", "color"), *pairs):
            colours = (page.evaluate(style, pair) for pair in ([one, first], [other, second]))
            shades = [darkness(colour) for colour in colours]
            assert abs(shades[0] - shades[1]) > 0.6
        # Nothing sticks out of the window, and no cell out of its table.
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(
            "[...document.querySelectorAll('section')]"
            ".every(section => section.scrollWidth <= section.clientWidth + 1)"
        )
        assert len(page.screenshot()) > 20_000


def printed_pages(page: Page) -> int:
    """Return on how many pages a browser prints a page."""
    return len(printed(page.pdf(prefer_css_page_size=True, print_background=True)))
