"""The library of deals: contracts, their outcomes, files."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from oddscalc.errors import InputError, StoreError
from oddscalc.euchre import deals_table, kernel_choices, kernel_plan, library
from oddscalc.euchre.contracts import contracts, renamed_game, upcards
from oddscalc.euchre.deals_table import write_deals
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import Library, deal_library
from oddscalc.euchre.notation import JOKER, card_name, deck_cards, read_cards
from oddscalc.euchre.plays import INNER_DEALS, Bid, Play, Question
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.tables import cards_of, in_trumps, mask_of

U = np.uint64
FOUR, THREE, TWO = (load_game(f"{hands}-handed") for hands in ("four", "three", "two"))
HOUSE = replace(
    FOUR, name="house", deck=25, turned_down_suit=True, defend_alone=True, discard_upcard=False
)
LARGE = replace(TWO, name="large", deck=32, stick_the_dealer=True)
MERGED = replace(THREE, name="merged", dummy_order="before-pickup", deck=25, joker_suit="hearts")


@cache
def dealt(game: EuchreGame, deals: int) -> Library:
    return deal_library(game, range(deals), seed=3, inner=INNER_DEALS)


def test_contracts_of_the_games() -> None:
    # Round one: the upcard's suit; round two: three suits. Each seat, alone or not.
    assert len(contracts(FOUR)) == 4 * 4 * 2
    assert len(contracts(THREE)) == 4 * 3 * 2
    assert len(contracts(TWO)) == 4 * 2
    assert len(contracts(HOUSE)) == (4 + 4) * 4 * 2
    assert len(contracts(HOUSE, read_cards("9S", 25)[0])) == (1 + 4) * 4 * 2
    assert contracts(FOUR)[0].column(FOUR) == "order_S_1"


@pytest.mark.parametrize(
    ("game", "deals"), [(FOUR, 150), (TWO, 400), (THREE, 3), (HOUSE, 60), (LARGE, 200), (MERGED, 3)]
)
def test_every_contract_is_played_as_a_bid_is(game: EuchreGame, deals: int) -> None:
    found = dealt(game, deals)
    ups = upcards(game)
    for row, deal in enumerate(found.deals):
        up = ups[int(deal[-1])]
        for column, one in enumerate(contracts(game)):
            outcome = found.outcomes[row, column]
            assert (outcome == CLOSED) != one.open_to(renamed_game(game), up)
            if outcome == CLOSED:
                continue
            hand = cards_of(int(deal[one.maker]))
            question = Question(game, hand, up, one.maker, one.round)
            play = Play.of(question, Bid(one.trump, one.alone), seed=3)
            five = in_trumps(hand, one.trump)
            # With the dummy merged first the upcard is one of the pool.
            if question.takes_up and not (play.merges and game.dummy_order == "before-pickup"):
                card = in_trumps([up], one.trump)
                fixed = U(0) if game.discard_upcard else U(card)
                thrown, _ = kernel_choices.discard(U(five | card), fixed, deal[game.hands + 1])
                five = (five | card) ^ int(thrown)
            play.plan[kernel_plan.P_SWEPT] = 1
            hands = found.deals[row : row + 1, : game.hands + 2].copy()
            assert play.outcomes(hands, row, five)[0] == outcome, one


@pytest.mark.parametrize("game", [FOUR, MERGED, LARGE], ids=lambda game: str(game.name))
def test_deals_are_deals(game: EuchreGame) -> None:
    for deal in deal_library(game, range(40)).deals.tolist():
        up = upcards(game)[deal[-1]]
        parties = [set(cards_of(mask)) for mask in deal[: game.hands + 1]]
        assert [len(cards) for cards in parties] == [5] * game.hands + [game.dummy]
        assert len({up}.union(*parties)) == 5 * game.hands + game.dummy + 1
        assert {up}.union(*parties) <= set(deck_cards(game.deck))


def test_upcards_are_as_frequent_as_their_names() -> None:
    deals = library.draw_deals(HOUSE, range(50_000), 1)
    found = np.bincount(deals[:, -1].astype(int)) / len(deals)
    chances = [1 / 25 if card == JOKER else 4 / 25 for card in upcards(HOUSE)]
    assert found == pytest.approx(chances, abs=4.5 * (0.16 * 0.84 / 50_000) ** 0.5)


def test_a_deal_depends_on_seed_and_number_alone() -> None:
    whole = dealt(FOUR, 150)
    part = deal_library(FOUR, range(70, 150), seed=3)
    assert np.array_equal(whole.deals[70:], part.deals)
    assert np.array_equal(whole.outcomes[70:], part.outcomes)
    assert not np.array_equal(library.draw_deals(FOUR, range(150), 4), whole.deals)


def test_one_side_takes_what_the_other_leaves() -> None:
    found = dealt(FOUR, 150)
    places = {one: place for place, one in enumerate(contracts(FOUR))}
    for one, place in places.items():
        if not one.alone:
            partner = found.outcomes[:, places[replace(one, maker=(one.maker + 2) % 4)]]
            other = found.outcomes[:, places[replace(one, maker=(one.maker + 1) % 4)]]
            assert np.array_equal(found.outcomes[:, place], partner)
            assert np.array_equal(found.outcomes[:, place], 3 - other)


# Files


def test_files_say_what_the_deals_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(library.STEPS, "open", 10)
    assert write_deals(HOUSE, tmp_path / "deals", deals=125, seed=3) == 125
    files = sorted((tmp_path / "deals").iterdir())
    assert [file.name for file in files] == ["deals-000000.parquet", "deals-000001.parquet"]
    found = deal_library(HOUSE, range(125), seed=3)
    frame = pl.scan_parquet(tmp_path / "deals" / "*.parquet").collect()
    assert frame["deal"].to_list() == list(range(125))
    for place, seat in enumerate(HOUSE.seats):
        hands = [mask_of(read_cards(hand, 25)) for hand in frame[f"hand_{seat}"]]
        assert hands == found.deals[:, place].tolist()
    assert frame["up"].to_list() == [card_name(upcards(HOUSE)[int(d)]) for d in found.deals[:, -1]]
    for place, one in enumerate(contracts(HOUSE)):
        column = frame[one.column(HOUSE)]
        assert column.fill_null(255).to_list() == found.outcomes[:, place].tolist()
    about = pl.read_parquet_metadata(files[0])
    assert json.loads(about["oddscalc.game"])["deck"] == 25
    assert (about["oddscalc.deals"], about["oddscalc.seed"]) == ("125", "3")
    assert about["oddscalc.play"].startswith("open hands")


def test_interrupted_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(library.STEPS, "open", 10)
    write_deals(FOUR, tmp_path / "whole", deals=40)

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_deals(FOUR, tmp_path / "deals", deals=40, progress=stop)
    with pytest.raises(StoreError, match="deals is 40"):
        write_deals(FOUR, tmp_path / "deals", deals=50)
    write_deals(FOUR, tmp_path / "deals", deals=40)
    names = [path.name for path in (tmp_path / "whole").iterdir()]
    for name in names:
        assert (tmp_path / "deals" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not deals_table.deals_folder(tmp_path / "deals").exists()


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0 deals"):
        write_deals(FOUR, tmp_path / "deals", deals=0)
    with pytest.raises(InputError, match="There is no folder"):
        write_deals(FOUR, tmp_path / "none" / "deals", deals=1)
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(InputError, match="holds 'note"):
        write_deals(FOUR, tmp_path, deals=1)
    with pytest.raises(InputError, match="is a file"):
        write_deals(FOUR, tmp_path / "note.txt", deals=1)
