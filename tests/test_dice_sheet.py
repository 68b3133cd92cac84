"""Sheets: what following one brings, what its page says, and how it looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest

from oddscalc import dice, sheets
from oddscalc.dice.holdlines import hold_lines
from oddscalc.dice.lattice import lattice
from oddscalc.dice.leads import SETTLED, counted_face, lead_of
from oddscalc.dice.rollkinds import Fill, FillFace, Hold, HoldGroups, Kind, groups_of, roll_kinds
from oddscalc.dice.rules import Count, DiceGame
from oddscalc.dice.strategy import LEADS, Numbers, SheetStrategy
from oddscalc.errors import ExportError, InputError
from oddscalc.sheets.sheet import Block, Cards, Cell, Column, Dice, Sheet, Words
from tests import sheet_checks as checks
from tests.oracle import dice as oracle
from tests.oracle.dice_sheet import Follower
from tests.sheet_checks import NASTY, run
from tests.small_games import SMALL_GAMES, game_of, small_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = [*list(SMALL_GAMES)[::2], *(f"random-{seed}" for seed in range(20))]


def drawn_strategy(game: DiceGame, seed: object) -> SheetStrategy:
    """Return a sheet whose numbers come from a lottery, with gaps."""
    random, lines = Random(str(seed)), hold_lines(game)[0]
    counts = np.cumsum(
        [[random.randint(0, 4) for _ in range(game.dice + 1)] for _ in game.boxes], 1
    )
    numbers = [
        [random.choice([-np.inf, *range(-6, 7)]) for _ in lines] for _ in range(game.rolls - 1)
    ]
    worths = np.cumsum([random.choice([0, 0, 1, 3]) for _ in range(2 * LEADS + 1)]) - 2.0
    with_leads = lead_of(game) is not None and random.random() < 0.8
    return SheetStrategy(
        dice.solve(game),
        Numbers(
            np.array([random.randint(-3, 9) for _ in game.boxes], float),
            np.array([random.randint(-9, 3) for _ in game.boxes], float),
            counts - 6.0,
            np.array(numbers, float).reshape(game.rolls - 1, len(lines)),
            np.array([random.random() < 0.3 for _ in lines]),
            worths if with_leads else np.zeros(0),
        ),
    )


@cache
def short_sheet() -> SheetStrategy:
    return dice.sheet("poker-dice-short")


@pytest.mark.parametrize("name", NAMES)
def test_following_a_sheet_brings_what_the_oracle_finds(name: str) -> None:
    strategy = drawn_strategy(small_game(name), name)
    wanted = Follower(strategy.game, json.loads(strategy.to_json())).expected()
    assert strategy.expected == pytest.approx(float(wanted), abs=1e-9)
    assert strategy.expected <= strategy.best + 1e-9


# What the page says for a fresh card


def told(game: DiceGame, kind: Kind, roll: tuple[int, ...], first_roll: bool) -> oracle.Action:
    """Return what a person does who reads the entries of a kind one after the other."""
    for entry in kind.entries:
        if isinstance(entry, Fill):
            points = oracle.scores(game, entry.box, roll, first_roll=first_roll)
            if entry.at_least is None or points >= entry.at_least:
                return "score", entry.box
        elif isinstance(entry, FillFace):
            face = max(set(roll), key=lambda face: (roll.count(face), face))
            return "score", next(b.name for b in game.boxes if counted_face(b) == face)
        elif isinstance(entry, HoldGroups):
            return "reroll", tuple(sorted(sum(groups_of(roll)[: entry.groups], ())))
        else:
            assert isinstance(entry, Hold)
            for hold in entry.holds:
                if all(roll.count(face) >= hold.count(face) for face in hold):
                    return "reroll", hold
    raise AssertionError(f"nothing is said for {roll}")


def check_kinds(strategy: SheetStrategy, mask: int) -> None:
    game = strategy.game
    follower = Follower(game, json.loads(strategy.to_json()))
    filled = frozenset(box.name for place, box in enumerate(game.boxes) if mask >> place & 1)
    state = follower.cards.start()._replace(filled=filled)
    rolls = lattice(game.dice, game.faces).rolls
    for left in range(game.rolls):
        kinds = roll_kinds(strategy, mask, left)
        assert sum(kind.rolls for kind in kinds) == len(rolls)
        by_shape = {kind.shape: kind for kind in kinds}
        for roll in rolls:
            kind = by_shape[tuple(len(group) for group in groups_of(roll))]
            assert told(game, kind, roll, left == game.rolls - 1) == follower.choice(
                state, roll, left
            ), (roll, left, kind)


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("joker")])
def test_the_entries_of_a_kind_say_what_the_numbers_say(name: str) -> None:
    game = small_game(name)
    if game.joker is None:
        check_kinds(drawn_strategy(game, f"kinds {name}"), 0)


def test_the_entries_of_a_whole_game_say_what_the_numbers_say() -> None:
    for mask in (0, 1):
        check_kinds(short_sheet(), mask)


# The fitted sheet


def test_a_fitted_sheet_loses_little() -> None:
    strategy = short_sheet()
    assert 0 < strategy.best - strategy.expected < 0.01 * strategy.best
    assert strategy.to_dict()["expected"] == strategy.expected


@pytest.mark.slow
@pytest.mark.parametrize("name", dice.game_names())
def test_the_sheet_of_every_game_loses_little(name: str) -> None:
    strategy = dice.sheet(name)
    most = 0.03 if "poker" in name else 0.05
    assert strategy.best * (1 - most) < strategy.expected < strategy.best
    assert len(checks.printed(sheets.render(sheets.dice_sheet(strategy), ".pdf"))) == 1


@pytest.mark.slow
def test_a_sheet_asks_for_the_lead_where_that_saves_enough() -> None:
    in_turn, any_order = dice.sheet("poker-dice"), dice.sheet("poker-dice-any-order")
    assert in_turn.lead is None
    assert any_order.lead is not None
    assert any_order.expected > 0.975 * any_order.best


def test_a_sheet_is_fitted_to_a_rule_file() -> None:
    game = small_game("bonus-of-lower-boxes")
    strategy = dice.sheet(game)
    worst = drawn_strategy(game, "bad").expected
    assert worst < strategy.expected <= strategy.best + 1e-9
    assert strategy.expected > 0.97 * strategy.best


def test_the_figure_on_the_page_is_worked_out_from_its_numbers() -> None:
    game = small_game("bonuses-two")
    costs = set()
    for seed in range(3):
        strategy = drawn_strategy(game, seed)
        wanted = float(Follower(game, json.loads(strategy.to_json())).expected())
        page = sheets.dice_sheet(strategy)
        assert page.cost == f"Following this page: {wanted:.1f} of {strategy.best:.1f}"
        for ending in (".html", ".md"):
            assert page.cost in sheets.render(page, ending).decode()
        costs.add(page.cost)
    assert len(costs) == 3


# The lead


@pytest.mark.parametrize(
    ("name", "dice_asked"),
    [("yahtzee", 3), ("maxi-yatzy", 4), ("poker-dice-any-order", 3), ("yacht", None)],
)
def test_a_lead_is_measured_against_what_the_bonus_asks_for(
    name: str, dice_asked: int | None
) -> None:
    lead = lead_of(dice.load_game(name))
    assert (lead and (lead.dice, lead.needed)) == (dice_asked and (dice_asked, 0))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("joker-free-20-fixed", (2, -1)),  # 5 points of ones and twos: two of each and a one less
        ("bonus-below-zero", (1, 0)),  # a par of two dice, and a die of each fewer
        ("bonus-always", None),
        ("bonus-never", None),
        ("bonus-of-lower-boxes", None),
        ("bonus-any-face", None),
    ],
)
def test_only_a_bonus_of_count_boxes_has_a_lead(name: str, asked: tuple[int, int] | None) -> None:
    lead = lead_of(small_game(name))
    assert (lead and (lead.dice, lead.needed)) == asked


def test_the_page_says_what_leads_are_worth() -> None:
    game = small_game("bonus-below-zero")
    without = drawn_strategy(game, "lead")
    worths = np.repeat([-2.0, 3.0, 4.0], [LEADS - 1, 2, LEADS])
    strategy = SheetStrategy(without.solved, replace(without.numbers, worths=worths))
    (table,) = [block for block in sheets.dice_sheet(strategy).blocks() if block.title == "Lead"]
    heads = ["Lead", "−2 or less", "−1 to 0", "1 or more"]
    assert [column.title for column in table.columns] == heads
    assert [cell.pieces[0] for cell in table.rows[0]] == [
        Words(text, strong=True) for text in ("Worth", "−2", "3", "4")
    ]
    strategy = SheetStrategy(without.solved, replace(without.numbers, worths=np.zeros(0)))
    assert all(block.title != "Lead" for block in sheets.dice_sheet(strategy).blocks())


def test_the_lead_is_counted_only_as_long_as_the_bonus_is_open() -> None:
    strategy = drawn_strategy(dice.load_game("yahtzee"), "open")
    worths = np.arange(2.0 * LEADS + 1)
    strategy = SheetStrategy(strategy.solved, replace(strategy.numbers, worths=worths))
    sixes = strategy.game.box_index("sixes")
    assert strategy.leads(0) == [0]
    assert strategy.leads(1 << sixes) == [-18, -12, -6, 0, 6, 12]
    upper = (1 << 6) - 1
    assert strategy.leads(upper) == [SETTLED]
    # Five sixes make up for a lead of −12; a lead of 18 needs none.
    assert strategy.leads(upper & ~(1 << sixes)) == [SETTLED, *range(-12, 18)]


# Faces


def page_of_everything() -> Sheet:
    """Return a page with every kind of piece."""
    cells = (
        Cell((Words(NASTY, strong=True),)),
        Cell((Dice(tuple(range(1, 11))),), 0.5),
        Cell((Cards((("J", "S"), ("10", "H"), ("A", "D"), ("", "C"))), Words("−3")), 1.0),
    )
    columns = (
        Column("Who"),
        Column(NASTY, "center", 1.0, "both"),
        Column("B", "right", 1.0, "both"),
    )
    table = Block("Table", NASTY, columns, (cells, cells))
    return Sheet(NASTY, NASTY, NASTY, ((table,), (Block("Left", NASTY), table)), (NASTY,))


@pytest.fixture(params=["everything", "short", "small"])
def page(request: pytest.FixtureRequest) -> Sheet:
    if request.param == "everything":
        return page_of_everything()
    if request.param == "short":
        return sheets.dice_sheet(short_sheet())
    return sheets.dice_sheet(drawn_strategy(small_game("joker-forced-20-fixed"), "page"))


def test_html_is_well_formed_and_needs_nothing_else(page: Sheet) -> None:
    checks.check_html([page])


def test_every_face_of_a_die_has_its_pips() -> None:
    from oddscalc.sheets.drawing import die_shapes

    for face in range(1, 11):
        circles = ElementTree.fromstring(f"<g>{die_shapes(face)}</g>").findall("circle")
        places = {(circle.get("cx"), circle.get("cy")) for circle in circles}
        assert len(circles) == len(places) == face


def test_markdown_tells_every_cell(page: Sheet) -> None:
    checks.check_markdown([page])


def test_typst_sets_one_page(page: Sheet) -> None:
    checks.check_typst([page])


def test_a_long_title_stays_on_one_line() -> None:
    title, cost = (
        "Poker dice with points, boxes in any order",
        "Following this page: 211.4 of 215.5",
    )
    page = replace(page_of_everything(), title=title, cost=cost)
    (text,) = checks.printed(sheets.render(page, ".pdf"))
    lines = text.splitlines()
    assert any(title in line for line in lines)
    assert any(cost in line for line in lines)


def test_names_of_rule_files_are_text_in_every_face() -> None:
    game = game_of(
        f"title = {json.dumps(NASTY)}\n"
        "dice = 2\nfaces = 3\n[boxes]\n"
        'ones = { title = "<i>1</i> & *x*", kind = "count", face = 1 }\n'
        'all = { kind = "chance" }\n'
    )
    page = sheets.dice_sheet(drawn_strategy(game, 1))
    html = sheets.render(page, ".html")
    assert b"<b>Bob" not in html
    assert b"<i>" not in html
    assert NASTY in "".join(checks.parsed(html).itertext())
    assert "&lt;i>1&lt;/i>" in sheets.render(page, ".md").decode()
    (printed,) = checks.printed(sheets.render(page, ".pdf"))
    assert "#let $x$" in printed
    assert "<i>1</i> & *x*" in printed


# Files and the command line


def test_the_ending_says_how_the_file_looks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending, start in checks.STARTS.items():
        path = tmp_path / f"short{ending}"
        assert run("dice", "sheet", "poker-dice-short", "-o", str(path)) == 0
        assert path.read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 5
    assert "following its sheet brings 62." in capsys.readouterr().out


def test_a_rule_file_has_a_sheet_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text(SMALL_GAMES["pair-dice"], encoding="utf-8")
    page = tmp_path / "house.md"
    assert run("dice", "sheet", "--rules", str(rules), "-o", str(page), "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "oddscalc.dice.sheet/1"
    cost = f"Following this page: {answer['expected']:.1f} of {answer['best']:.1f}"
    assert cost in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "word", "accepted"),
    [
        (("-o", "page.docx"), "'.docx'", ".html, .pdf, .png, .svg, .md"),
        (("-o", "page"), "''", ".html, .pdf"),
        (("-o", "nowhere/page.pdf"), "'nowhere'", "a folder that exists"),
        (("yatzee-dice", "-o", "page.pdf"), "'yatzee-dice'", "yatzy"),
    ],
)
def test_wrong_input_is_told_before_anything_is_worked_out(
    args: tuple[str, ...], word: str, accepted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("dice", "sheet", *args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert word in err
    assert accepted in err


def test_without_typst_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("oddscalc.sheets.faces.find_spec", lambda name: None)
    assert run("dice", "sheet", "poker-dice-short", "-o", "page.pdf") == 1
    assert "pip install 'oddscalc[sheets]'" in capsys.readouterr().err


def test_a_sheet_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "page.md").mkdir()
    with pytest.raises(ExportError, match=r"page\.md"):
        sheets.write_sheet(page_of_everything(), tmp_path / "page.md")
    with pytest.raises(InputError, match="accepted"):
        sheets.write_sheet(page_of_everything(), tmp_path / "page.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


# A browser


@pytest.fixture(scope="module")
def browser_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = tmp_path_factory.mktemp("browser") / "page.html"
    sheets.write_sheet(sheets.dice_sheet(short_sheet()), path)
    with checks.in_browser(path) as page:
        yield page


def test_a_browser_shows_it_light_and_dark(browser_page: Page) -> None:
    checks.check_colours(browser_page, (".die", "fill", ".pip", "fill"))


def test_a_browser_prints_it_on_one_page(browser_page: Page) -> None:
    assert checks.printed_pages(browser_page) == 1


def test_count_boxes_are_told_by_their_face() -> None:
    game = dice.load_game("yahtzee")
    assert [counted_face(box) for box in game.boxes[:6]] == [1, 2, 3, 4, 5, 6]
    patterns = [box.scorings[0].pattern for box in game.boxes]
    counts = sum(isinstance(pattern, Count) for pattern in patterns)
    assert sum(counted_face(box) is not None for box in game.boxes) == counts
