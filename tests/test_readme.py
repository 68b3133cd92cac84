"""What the README and the pages of docs/ tell people to type works."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import polars as pl
import pytest

from oddscalc.cli import main

ROOT = Path(__file__).parent.parent
LONG = (
    *("beat 250 --game yatzy", "my-game.txt", "GOAL", "GAME", "table bids", "-g three-handed"),
    *("web --open", " sheet "),  # serves until it is ended; fits what takes minutes
)
PAGES = [
    *("README.md", "docs/goals.md", "docs/tables.md"),
    *(f"docs/games/{page.name}" for page in sorted((ROOT / "docs" / "games").glob("*.md"))),
]
HOUSE = 'base = "poker-dice-short"\nrolls = 2\n'


def _commands(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("oddscalc ")]


@pytest.mark.parametrize("line", dict.fromkeys(c for page in PAGES for c in _commands(page)))
def test_commands(
    line: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    Path("house.toml").write_text(HOUSE, encoding="utf-8")
    if any(word in line for word in LONG):
        line = " ".join(line.split()[1:3]) + " --help"
    words = shlex.split(line, comments=True)
    with pytest.raises(SystemExit) as caught:
        main(words[1:] if words[0] == "oddscalc" else words)
    assert caught.value.code == 0
    assert capsys.readouterr().out


def test_the_first_command_answers_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["dice", "hold", "2", "3", "6", "2", "1"])
    shown = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert all(line in text for line in shown)


def test_every_page_that_is_linked_is_there() -> None:
    pages = (ROOT / "README.md", ROOT / "results" / "README.md")
    for page in (*pages, *sorted((ROOT / "docs").rglob("*.md"))):
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if not link.startswith("https://"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_queries_of_the_tables_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # it reads the published tables
    with pl.Config():
        found = doctest.testfile(str(ROOT / "docs" / "tables.md"), module_relative=False)
    assert (found.failed, found.attempted > 25) == (0, True)
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    for part in page.split("\n## ")[1:]:
        assert part.count("```python") >= 3, part.splitlines()[0]
