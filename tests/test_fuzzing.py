"""Whatever is told to a parser, only the project's own errors come out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddscalc import dice, euchre
from oddscalc.dice.goals import goal_of
from oddscalc.dice.notation import parse_roll
from oddscalc.dice.rules import game_source
from oddscalc.dice.scorecard import Scorecard, parse_filled, read_card
from oddscalc.errors import OddscalcError
from oddscalc.euchre.notation import read_deal, read_hand
from oddscalc.euchre.rules import game_source as euchre_source
from oddscalc.jobs import read_spec

RECORD = (Path(__file__).parent / "records" / "yahtzee.txt").read_text(encoding="utf-8")
YAHTZEE, SHORT = dice.load_game("yahtzee"), dice.load_game("poker-dice-short")


def of_file(read: Callable[[Path], object], ending: str) -> Callable[[str], object]:
    """Return a parser of a file's text."""

    def parse(text: str) -> object:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"job{ending}"
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            return read(path)

    return parse


# Each parser with something that it accepts.
PARSERS: dict[str, tuple[Callable[[str], object], str]] = {
    "roll": (lambda text: parse_roll(text, 6, fewest=5, most=5), "2 3 6, ⚁ 1"),
    "scorecard": (lambda text: Scorecard(YAHTZEE, parse_filled(text)), "ones=3, yahtzee: 50"),
    "card-json": (of_file(lambda p: read_card(p, YAHTZEE), ".json"), '{"filled": {"fours": 12}}'),
    "card-toml": (of_file(lambda p: read_card(p, YAHTZEE), ".toml"), "[filled]\nfours = 12\n"),
    "goal": (lambda text: goal_of(text, Scorecard(SHORT)), "beat:74"),
    "hand": (lambda text: read_hand(text, 25), "JS 10♥ Jo ac 9D"),
    "deal": (
        lambda text: read_deal(text, euchre.load_game("two-handed")),
        "JS AS KS QS 9H / TS 9S AH KH QH",
    ),
    "dice-rules": (of_file(dice.read_game, ".toml"), game_source("yahtzee")),
    "euchre-rules": (of_file(euchre.read_game, ".toml"), euchre_source("three-handed")),
    "record": (dice.parse_record, RECORD),
    "job": (
        of_file(lambda p: read_spec(p.parent).mark, ".json"),
        '{"kind": "a", "game": {}, "seed": 1, "chunks": 2, "settings": {}, "version": "1"}',
    ),
}
CRUMBS = st.one_of(
    st.text(max_size=6),
    st.text("0123456789+-=:,;/|>[]{}\"'. \n²٣⚀♠\x00", max_size=8),
    st.sampled_from(["[" * 3000, "9" * 5000, "1e999", "nan", "null", "true", "[[a]]", "\ufeff"]),
)


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_accepted_is(name: str) -> None:
    parse, good = PARSERS[name]
    parse(good)


@pytest.mark.parametrize("name", PARSERS)
@given(data=st.data())
@settings(max_examples=60)
def test_only_our_errors_come_of_it(name: str, data: st.DataObject) -> None:
    parse, text = PARSERS[name]
    if data.draw(st.booleans()):
        text = data.draw(CRUMBS)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 12))
        text = text[:place] + data.draw(CRUMBS) + text[place + gone :]
    with suppress(OddscalcError):
        parse(text)
