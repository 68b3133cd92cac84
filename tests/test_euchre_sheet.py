"""Bidding sheets of Euchre: what following one costs, what its pages say, and how they look."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from oddscalc import sheets
from oddscalc.errors import InputError
from oddscalc.euchre import bid_fitting, sheet_closed
from oddscalc.euchre.bid_fitting import sheet_of
from oddscalc.euchre.bid_sheet import ALONE, MAKE, PASS, Actions, Auctions, Cost, Layout, duplicate
from oddscalc.euchre.bidding import bidding_policy
from oddscalc.euchre.contracts import Contract, contracts, upcards
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import Library, deal_library
from oddscalc.euchre.notation import SUITS, card_name, rank_of, read_cards, suit_of
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.sheet_closed import closed_duplicate
from oddscalc.euchre.sheet_strategy import BidSheet, cost_words, discarded
from oddscalc.euchre.tables import cards_of
from oddscalc.sheets.euchre import euchre_pages
from tests import sheet_checks as checks
from tests.oracle.bidding import trumps_of
from tests.sheet_checks import NASTY, run

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAMES = ("four-handed", "three-handed", "two-handed")
FEW = 2_000


@cache
def few(name: str) -> BidSheet:
    """Return a sheet that is fitted to few deals."""
    return sheet_of(bidding_policy(name), FEW)


@cache
def dealt(name: str) -> Library:
    """Return deals that no sheet here has been fitted to."""
    return deal_library(load_game(name), range(300 if name == "three-handed" else 2_000), seed=5)


@cache
def auctions(name: str) -> Auctions:
    return Auctions.of(dealt(name), bidding_policy(name), Layout.of(load_game(name)))


def all_of(name: str, action: int) -> Actions:
    game = load_game(name)
    return np.full((2 * game.hands, *Layout.of(game).shape), action, np.uint8)


# Looking a hand up


def counted(name: str, hand: list[str], up: str, turn: int) -> tuple[int, ...]:
    """Return block, trumps, bowers and aces of the suit that a person looks at, and the suit."""
    game = load_game(name)
    layout = Layout.of(game)
    taken = turn < game.hands
    found = []
    for step in (0,) if taken else (1, 2, 3):  # the next suit before the cross suits
        cards, trump = list(hand), SUITS[suit_of(read_cards(up, 24)[0]) ^ step]
        if turn == game.dealer:
            six = read_cards(" ".join([*hand, up]), 24)
            cards = [card_name(card) for card in six if card != discarded(six, SUITS.index(trump))]
        trumps = trumps_of(cards, trump)
        bowers = ("left" in trumps) + 2 * ("right" in trumps)
        aces = sum(card[0] == "A" and card[1] != trump for card in cards)
        rank = rank_of(read_cards(up, 24)[0])
        block = [rank in kind for kind in layout.ups].index(True) if taken else len(layout.ups)
        found.append((len(trumps), bowers, min(aces, 2), -step, block + (step > 1)))
    trumps_held, bowers, aces, step, block = max(found)
    return block, trumps_held, bowers, aces, -step


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_is_looked_up_as_a_person_counts_it(name: str) -> None:
    library, layout = dealt(name), Layout.of(load_game(name))
    for turn in range(2 * layout.game.hands):
        cells, steps = layout.looked_at(library.deals[:200], turn)
        for deal, cell, step in zip(library.deals, cells, steps, strict=False):
            hand = [card_name(card) for card in cards_of(int(deal[turn % layout.game.hands]))]
            up = card_name(upcards(layout.game)[int(deal[-1])])
            found = (*map(int, np.unravel_index(cell, layout.shape)), int(step))
            wanted = counted(name, hand, up, turn)
            assert found[:4] == wanted[:4], (hand, up, turn)
            # Two cross suits may be equally good.
            assert found[4] == wanted[4] or {found[4], wanted[4]} == {2, 3}


def test_the_sheet_says_what_its_cell_says_whatever_the_suits_are_called() -> None:
    strategy, said = few("four-handed"), set()
    for hand, up in ("JS JC AS KS AH", "9S"), ("JD JH AD KD AS", "9D"):
        said.add(str(strategy.bid(hand, up, "1")).replace("♦", "♠"))
    assert len(said) == 1
    with pytest.raises(InputError, match="accepted: 1 or 2"):
        strategy.bid("JS JC AS KS AH", "9S", "1", 3)


def test_passing_is_open_to_all_but_a_dealer_who_is_stuck() -> None:
    strategy = few("three-handed")
    stuck = replace(strategy.game, stick_the_dealer=True)
    turns = range(2 * stuck.hands)
    assert [Layout.of(stuck).stuck(turn) for turn in turns] == [turn == 5 for turn in turns]
    assert not any(Layout.of(load_game("two-handed")).stuck(turn) for turn in range(4))
    assert (few("two-handed").actions != ALONE).all()  # nobody plays alone there


# What following it costs


def slow_value(name: str, number: int, actions: Actions, side: Collection[int]) -> float:
    """Return what the side's first player gets of a deal, by the policy if there are no actions."""
    game, library, policy = load_game(name), dealt(name), bidding_policy(name)
    deal, outcomes = library.deals[number], library.outcomes[number]
    every, up = contracts(game), upcards(game)[int(deal[-1])]
    player = next(iter(side))

    def earned(one: Contract) -> float:
        column = every.index(one)
        points = float(library.contracts.points[column, outcomes[column]])
        if player in game.side(one.maker):
            return points
        return -points / (2 if game.hands == 3 else 1)

    rest = 0.0
    for turn in reversed(range(2 * game.hands)):
        seat, number_of_round = turn % game.hands, turn // game.hands + 1
        hand = cards_of(int(deal[seat]))
        if seat in side and len(actions):
            names = [card_name(card) for card in hand]
            *place, step = counted(name, names, card_name(up), turn)
            action = actions[turn][tuple(place)]
            if action != PASS:
                if step > 1:  # of equal cross suits any is as good to a person, not to the deal
                    step = int(Layout.of(game).looked_at(library.deals[[number]], turn)[1][0])
                rest = earned(Contract(number_of_round, step, seat, bool(action == ALONE)))
            continue
        said = policy.chances(hand, up, game.seats[seat], number_of_round)
        rest = sum(
            one.chance
            * (
                rest
                if one.trump is None
                else earned(Contract(number_of_round, one.trump, seat, one.alone))
            )
            for one in said
        )
    return rest


@pytest.mark.parametrize("name", GAMES)
def test_the_cost_is_that_of_bidding_deal_by_deal(name: str) -> None:
    actions, game = few(name).actions, load_game(name)
    sides = sorted({game.side(seat) for seat in range(game.hands)})
    lost = [
        np.mean(
            [
                slow_value(name, number, np.empty(0, np.uint8), side)
                - slow_value(name, number, actions, side)
                for side in sides
            ]
        )
        for number in range(25)
    ]
    found = first_deals(auctions(name), 25)
    assert duplicate(found, actions).points == pytest.approx(np.mean(lost), abs=1e-5)


def first_deals(one: Auctions, deals: int) -> Auctions:
    """Return the first deals alone."""
    arrays = {"cells", "codes", "points", "passes", "priors"}
    return replace(one, **{key: getattr(one, key)[..., :deals] for key in arrays})


@pytest.mark.parametrize("name", GAMES)
def test_a_policy_that_bids_by_the_sheet_loses_nothing(name: str) -> None:
    actions, seen = few(name).actions, auctions(name)
    done = np.array([actions[turn].ravel()[cells] for turn, cells in enumerate(seen.cells)])
    points = seen.points.copy()
    points[:, :, 2] = np.select([done == MAKE, done == ALONE], [points[:, :, 0], points[:, :, 1]])
    same = replace(seen, passes=(done == PASS).astype(np.float32), points=points)
    assert duplicate(same, actions) == Cost(0.0, 0.0, len(seen))


@pytest.mark.parametrize("name", GAMES)
def test_a_silly_sheet_costs_a_lot(name: str) -> None:
    fitted, timid = (
        duplicate(auctions(name), one) for one in (few(name).actions, all_of(name, PASS))
    )
    assert timid.points > 0.2
    assert timid.points - 3 * timid.stderr > fitted.points
    assert -3 * fitted.stderr < fitted.points < 0.12


def test_the_cost_is_measured_on_deals_that_the_sheet_was_not_fitted_to() -> None:
    strategy = few("two-handed")
    first = bid_fitting._FIRST
    fresh = deal_library(strategy.game, range(first + FEW // 2, first + FEW))
    seen = Auctions.of(fresh, strategy.policy, strategy.layout)
    assert strategy.cost == duplicate(seen, strategy.actions)
    assert strategy.cost.deals == FEW // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_sheet_of_every_game_costs_little(name: str) -> None:
    strategy = bid_fitting.sheet(name)
    for cost in (strategy.cost, strategy.closed):
        assert cost.points < 0.03
    assert len(checks.printed(sheets.render(euchre_pages(strategy), ".pdf"))) == len(
        strategy.game.seats
    )


@pytest.mark.slow
def test_long_trumps_are_bid_in_turns_that_hardly_come_too() -> None:
    strategy = bid_fitting.sheet("four-handed")
    layout = strategy.layout
    for row in layout.rows:
        aces = slice(row.most_aces() + 1)
        last = strategy.actions[-1, len(layout.ups) :, *row.place, aces]
        if row.trumps >= 4:
            assert (last != PASS).all(), row
        if row.trumps == 5 and any(held & 3 for held in row.bowers):
            assert (last == ALONE).all(), row


# Played closed


def test_closed_play_like_open_play_costs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    library = dealt("four-handed")
    monkeypatch.setattr(
        sheet_closed,
        "_played",
        lambda deals, policy, asked, progress: [deals.outcomes[deal, one] for one, deal in asked],
    )
    actions, known = few("four-handed").actions, Cost(0.01, 0.002, 10_000)
    found = closed_duplicate(library, bidding_policy("four-handed"), actions, known)
    assert found == Cost(0.01, 0.002, len(library))


def test_other_outcomes_cost_what_open_hands_with_them_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library, policy = dealt("two-handed"), bidding_policy("two-handed")
    kinder = np.where(library.outcomes == CLOSED, CLOSED, np.minimum(library.outcomes + 1, 3))
    other = replace(library, outcomes=kinder.astype(np.uint8))
    monkeypatch.setattr(
        sheet_closed,
        "_played",
        lambda deals, policy, asked, progress: [other.outcomes[deal, one] for one, deal in asked],
    )
    timid, layout = all_of("two-handed", PASS), Layout.of(library.contracts.game)
    known = duplicate(auctions("two-handed"), timid)
    wanted = duplicate(Auctions.of(other, policy, layout), timid)
    found = closed_duplicate(library, policy, timid, known)
    assert abs(wanted.points - known.points) > 0.1
    # The policy's bids are drawn here, and counted by their chances there.
    assert found.points == pytest.approx(wanted.points, abs=4 * found.stderr)


def test_closed_play_is_the_same_with_any_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    library, known = dealt("two-handed").part(slice(200)), Cost(0.0, 0.0, 1)
    found = []
    for threads in ("1", "2", "2"):
        monkeypatch.setenv("ODDSCALC_THREADS", threads)
        actions = few("two-handed").actions
        found.append(closed_duplicate(library, bidding_policy("two-handed"), actions, known))
    assert found[0] == found[1] == found[2]
    assert found[0].stderr > 0


# Pages


@pytest.mark.parametrize("name", GAMES)
def test_every_face_of_every_game(name: str) -> None:
    pages = euchre_pages(few(name))
    assert len(pages) == load_game(name).hands
    checks.check_html(pages)
    checks.check_markdown(pages)
    checks.check_typst(pages)


@pytest.mark.parametrize("name", GAMES)
def test_the_cost_on_the_page_is_that_of_its_sheet(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategies = [few(name)]
    if name == "two-handed":
        policy = bidding_policy(name)
        strategies.append(sheet_of(policy, FEW + 500))
        monkeypatch.setattr(bid_fitting, "fit", lambda auctions: all_of(name, PASS))
        strategies.append(sheet_of(policy, FEW))
        assert strategies[2].cost.points > strategies[0].cost.points + 0.05
    said = set()
    for strategy in strategies:
        words = cost_words(strategy.cost), cost_words(strategy.closed)
        said.add(words)
        for ending in (".html", ".md"):
            text = sheets.render(euchre_pages(strategy), ending).decode()
            assert text.count(f"costs {words[0]} points a hand") == strategy.game.hands
            assert text.count(f"sees a hidden card: {words[1]}") == strategy.game.hands
    assert len(said) == len(strategies)


def test_cells_say_action_and_odds() -> None:
    strategy = few("four-handed")
    content = strategy.to_dict()
    assert content["cost"]["points"] == strategy.cost.points
    for cell in content["cells"]:
        total = cell["p_euchred"] + cell["p_made"] + cell["p_march"]
        assert total == pytest.approx(1, abs=1e-9)
    assert {cell["action"] for cell in content["cells"]} == {"pass", "make", "alone"}
    text = sheets.render(euchre_pages(strategy, ["dealer"]), ".md").decode()
    shown = "take", "**alone**", "pass"
    assert all(word in text for word in shown)
    assert "Discard" in text
    assert "Discard" not in sheets.render(euchre_pages(strategy, ["1"]), ".md").decode()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the command fit its sheets to few deals."""
    monkeypatch.setattr(bid_fitting, "DEALS", FEW)
    monkeypatch.setattr(bid_fitting, "DUMMY_DEALS", FEW)


@pytest.mark.usefixtures("quick")
def test_names_of_rule_files_are_text(tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text(f'base = "two-handed"\ntitle = {json.dumps(NASTY)}\n', encoding="utf-8")
    for ending in (".html", ".md", ".pdf"):
        page = tmp_path / f"house{ending}"
        assert run("euchre", "sheet", "--rules", str(rules), "-o", str(page)) == 0
    html = (tmp_path / "house.html").read_bytes()
    assert b"<b>Bob" not in html
    assert NASTY in "".join(checks.parsed(html).itertext())
    assert "&lt;b>Bob" in (tmp_path / "house.md").read_text(encoding="utf-8")
    assert all("#let $x$" in text for text in checks.printed((tmp_path / "house.pdf").read_bytes()))


# Files and the command line


@pytest.mark.usefixtures("quick")
def test_the_ending_says_how_the_file_looks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending, start in checks.STARTS.items():
        path = tmp_path / f"page{ending}"
        one = () if ending in (".html", ".pdf", ".md") else ("--seat", "dealer")
        assert run("euchre", "sheet", "two-handed", *one, "-o", str(path)) == 0
        assert path.read_bytes().startswith(start)
    assert len(checks.printed((tmp_path / "page.pdf").read_bytes())) == 2
    assert "following the sheet costs" in capsys.readouterr().out
    args = ("--seat", "1", "-o", str(tmp_path / "one.pdf"), "--json")
    assert run("euchre", "sheet", "two-handed", *args) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "oddscalc.euchre.sheet/1"
    assert len(checks.printed((tmp_path / "one.pdf").read_bytes())) == 1


@pytest.mark.parametrize(
    ("args", "word", "accepted"),
    [
        (("-o", "page.docx"), "'.docx'", ".html, .pdf, .png, .svg, .md"),
        (("-o", "page.png"), "4 pages", "a single page"),
        (("-o", "page.png", "--seat", "5"), "'5'", "dealer"),
        (("-o", "nowhere/page.pdf"), "'nowhere'", "a folder that exists"),
        (("five-handed", "-o", "page.pdf"), "'five-handed'", "four-handed"),
    ],
)
def test_wrong_input_is_told_before_anything_is_worked_out(
    args: tuple[str, ...], word: str, accepted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("euchre", "sheet", *args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert word in err
    assert accepted in err


def test_without_typst_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("oddscalc.sheets.faces.find_spec", lambda name: None)
    assert run("euchre", "sheet", "-o", "page.pdf") == 1
    assert "pip install 'oddscalc[sheets]'" in capsys.readouterr().err


def test_a_sheet_is_not_fitted_to_a_handful_of_deals() -> None:
    with pytest.raises(InputError, match="accepted: 2,000"):
        bid_fitting.sheet("two-handed", deals=100)


# A browser


@pytest.fixture(scope="module")
def browser_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = tmp_path_factory.mktemp("browser") / "page.html"
    sheets.write_sheet(euchre_pages(few("four-handed")), path)
    with checks.in_browser(path) as page:
        yield page


def test_a_browser_shows_it_light_and_dark(browser_page: Page) -> None:
    checks.check_colours(browser_page, ("body", "backgroundColor", ".black", "fill"))


def test_a_browser_prints_a_page_for_each_seat(browser_page: Page) -> None:
    assert checks.printed_pages(browser_page) == 4
