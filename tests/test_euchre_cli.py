"""The euchre commands as a user types them: answers, refusals, what they import."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from oddscalc.cli import main
from oddscalc.euchre.rules import game_names, game_source

DOCS = Path(__file__).parents[1] / "docs" / "euchre.md"
HAND, UP = "AS KS 9H TD AC", "QS"


class Calls:
    """Runs a command in this process: exit code, stdout, stderr."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *args: str) -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        with pytest.raises(SystemExit) as left:
            main(["euchre", *args])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return int(left.value.code or 0), out, err

    def good(self, *args: str) -> str:
        """Return stdout of a call that must succeed without a word on stderr."""
        code, out, err = self(*args)
        assert (code, err) == (0, "")
        return out

    def json(self, *args: str) -> dict[str, object]:
        """Return the JSON answer."""
        content: dict[str, object] = json.loads(self.good(*args, "--json"))
        assert content["schema"] == f"oddscalc.euchre.{args[0]}/1"
        return content

    def refused(self, *args: str) -> str:
        """Return stderr of a call that must be refused as wrong input."""
        code, out, err = self(*args)
        assert (code, out) == (2, "")
        return err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Calls:
    return Calls(capsys)


def house(folder: Path, text: str) -> str:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_games(call: Calls) -> None:
    listed = call.json("games")["games"]
    assert isinstance(listed, list)
    assert [game["name"] for game in listed] == game_names()
    assert all(name in call.good("games") for name in game_names())
    rows = list(csv.DictReader(io.StringIO(call.good("games", "--format", "csv"))))
    assert [row["deck"] for row in rows] == ["24"] * 3
    assert call.good("games", "--format", "md").startswith("**Built-in Euchre games**")


def test_rules(call: Calls) -> None:
    assert "Four-handed Euchre, partners" in call.good("rules")
    content = call.json("rules", "three-handed")
    assert (content["name"], content["dummy"]) == ("three-handed", 5)
    assert call.good("rules", "two-handed", "--source") == game_source("two-handed")
    assert call.json("rules", "--game", "two-handed")["hands"] == 2


def test_rules_of_a_house(call: Calls, tmp_path: Path) -> None:
    text = 'base = "two-handed"\ntitle = "Ours"\nstick_the_dealer = true\n'
    path = house(tmp_path, text)
    content = call.json("rules", "--rules", path)
    assert (content["title"], content["stick_the_dealer"]) == ("Ours", True)
    assert call.good("rules", "--rules", path, "--source") == text
    assert "accepted: one of them" in call.refused("rules", "two-handed", "--rules", path)


def test_wrong_rules(call: Calls, tmp_path: Path) -> None:
    assert "did you mean 'two-handed'" in call.refused("rules", "two-hand")
    assert "cannot be read: No such file" in call.refused("rules", "--rules", "nowhere.toml")
    path = house(tmp_path, 'base = "two-handed"\ndeck = 28')
    assert "deck is 28; allowed: 24, 25" in call.refused("rules", "--rules", path)
    assert "house.toml" in call.refused("chance", "--of", "JS", "--rules", path)


def test_chance(call: Calls) -> None:
    content = call.json("chance", "--of", "JS JC", "--hand", HAND, "--up", UP)
    assert content["probability"] == {"fraction": "25/51", "value": 25 / 51}
    assert (content["seat"], content["at_least"]) == ("partner", 1)
    text = call.good("chance", "--of", "J♠ j♣", "-s", "dealer", "-k", "2", "--hand", HAND, "-u", UP)
    assert text.startswith("The dealer holds at least 2 of J♠ J♣: 6.536 % (10/153)")
    rows = call.good("chance", "--of", "JS", "--seat", "1", "--format", "csv").splitlines()
    assert rows[0] == "cards,exactly,at_least,fraction"
    assert rows[2].endswith(",5/24")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--of", "XX"], "'XX' is not a card"),
        (["--of", "JS", "--seat", "norht"], "There is no holder 'norht'"),
        (["--of", "JS", "--hand", "JS JC AS KH JS"], "The card 'JS' is there twice"),
        (["--of", "JS", "--hand", "JS JC AS KH"], "has 4 cards; accepted: 5 cards"),
        (["--of", "JS", "--hand", "JS JC AS KH 9D TD"], "has 6 cards; accepted: 5 cards"),
        (["--of", "JS", "--hand", HAND, "--up", "AS"], "The upcard 'AS' is in the hand"),
        (["--of", "8S"], "The deck of 24 has no card '8S'"),
        (["--of", "JS", "--me", "5"], "There is no seat '5'"),
        (["--of", "JS", "--at-least", "2"], "At least 2 of 1 cards"),
        (["--of", "JS", "--at-least", "two"], "'two' is not a valid int"),
        (["--of", "JS", "--game", "whist"], "There is no game 'whist'"),
        ([], "Missing option '--of'"),
    ],
)
def test_wrong_chances(call: Calls, args: list[str], message: str) -> None:
    assert message in call.refused("chance", *args)


def examples() -> list[tuple[str, str]]:
    """Return the commands of docs/euchre.md with the output shown for each."""
    blocks = re.findall(r"```console\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in parts if part]


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("command", "shown"), examples())
def test_examples_of_the_documentation(call: Calls, command: str, shown: str) -> None:
    program, family, *args = shlex.split(command)
    assert (program, family) == ("oddscalc", "euchre")
    out = call.good(*args)
    assert shown.strip() == "" or lines(out) == lines(shown)


@pytest.mark.parametrize("command", ["games", "rules", "solve", "bid", "chance", "table"])
def test_help_shows_an_example(call: Calls, command: str) -> None:
    assert f"oddscalc euchre {command}" in call.good(command, "--help")


@pytest.mark.parametrize(
    "args",
    ["--help", "euchre --help", "euchre games", "euchre rules --json", "euchre chance --of JS"],
)
def test_light_commands_import_nothing_heavy(args: str) -> None:
    code = (
        "import sys\nfrom oddscalc.cli import main\n"
        f"try: main({args.split()!r})\n"
        "except SystemExit as left: assert not left.code\n"
        "print([m for m in ('numba', 'numpy', 'polars') if m in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr.strip() == "[]"
