"""What the README and the pages of docs/ tell people to type works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from oddscalc.cli import main

ROOT = Path(__file__).parent.parent
LONG = ("beat 250 --game yatzy", "my-game.txt", "GOAL", "GAME")


def _commands(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("oddscalc ")]


@pytest.mark.parametrize("line", [*_commands("README.md"), *_commands("docs/goals.md")])
def test_commands(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    if any(word in line for word in LONG):
        line = line.partition("#")[0].split()[1] + " --help"
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
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
