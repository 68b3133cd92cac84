"""The card to play now: what is asked, what is refused, what is answered."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from oddscalc import euchre
from oddscalc.cli import main
from oddscalc.errors import InputError
from oddscalc.euchre.cardplay import Weighing, play_odds
from oddscalc.euchre.notation import card_name, card_names, read_cards
from oddscalc.euchre.positions import Position, read_position
from oddscalc.euchre.rules import read_game
from tests.oracle import euchre as oracle

# Spades by seat 1, 9♠ taken up by the dealer; two tricks, then seat 1 leads.
PLAYED = "JS 9D TS KS / AH 9H QH TH"
ASKED: dict[str, Any] = {"trump": "S", "maker": "1", "up": "9S"}


def position(hand: str, **asked: Any) -> Position:
    return read_position(hand, **{**ASKED, **asked})


# Whose turn it is


@pytest.mark.parametrize(
    ("game", "asked", "played", "hand", "seat", "trick"),
    [
        ("four-handed", {}, "", "JS AH KH AS 9C", "1", 1),
        ("four-handed", {}, "JS 9D", "TS QH KD AD 9C", "3", 1),
        ("four-handed", {}, PLAYED, "KH AS 9C", "1", 3),
        # The left bower follows trumps and is taken by the right one.
        ("four-handed", {}, "AS JC JS KS", "TH KH AC 9C", "3", 2),
        # A trump takes a side suit; a card of neither suit takes nothing.
        ("four-handed", {}, "AH 9H AC 9S", "KS KD QD JD", "dealer", 2),
        ("four-handed", {"maker": "2", "alone": True}, "AD 9D", "JS AS KS QS 9C", "3", 1),
        ("four-handed", {"maker": "1", "alone": True}, "JS 9D", "9S AC KC QC TC", "dealer", 1),
        ("three-handed", {}, "JS 9D", "9S AC KC QC TC", "dealer", 1),
        ("three-handed", {"maker": "2", "alone": True}, "", "9D AC KC QC TC", "dealer", 1),
        ("two-handed", {}, "JS 9S / AH", "TH KH AC 9C", "dealer", 2),
        ("two-handed", {}, "AH 9S", "TD KD AC 9C", "dealer", 2),
    ],
)
def test_who_is_to_play_follows_from_the_cards(
    game: str, asked: dict[str, Any], played: str, hand: str, seat: str, trick: int
) -> None:
    found = position(hand, played=played, game=game, **asked)
    assert (found.game.seats[found.seat], found.trick) == (seat, trick)


def test_the_five_of_the_first_lead_stand_for_what_is_held() -> None:
    held = position("KH AS 9C", played=PLAYED)
    assert position("JS AS AH KH 9C", played=PLAYED).hand == (
        read_cards("AS", 24)[0],
        *read_cards("KH 9C", 24),
    )
    assert set(position("JS AS AH KH 9C", played=PLAYED).hand) == set(held.hand)


def test_suit_must_be_followed() -> None:
    following = position("JC QH KD AD 9C", played="AS 9D")
    assert card_names(following.legal) == ["JC"]
    assert card_names(position("TH QH KD AD 9C", played="AS 9D").legal) == [
        "TH",
        "QH",
        "KD",
        "AD",
        "9C",
    ]


def test_rounds_follow_from_the_suit() -> None:
    assert position("JS AS KS QS TH").round == 1
    assert position("JS AS KS QS TH", up="9H").round == 2


# What is refused

REFUSED = [
    ("JS AS KS QS", {}, "has 4 cards, and seat 1 is to play, having played 0"),
    ("KH AS", {"played": PLAYED}, "has 2 cards, and seat 1 is to play, having played 2; "
     "accepted: the 3 still held, or all 5 with JS AH."),
    ("JS KH AS 9C", {"played": PLAYED}, "has 4 cards"),
    ("KH QH 9C", {"played": PLAYED}, "QH is in the hand, and seat 3 has played it"),
    ("KH AS 9C", {"played": "JS 9D TS KS / AH 9H QH JS"}, "'JS' is there twice"),
    ("KH AS", {"played": "JS 9D TS KS / AH 9H TC TH / 9C QS TD JC"},
     "Seat 2 cannot have played QS to trick 3, having none of its suit in trick 1"),
    ("AD KH", {"played": "JS AC KS 9S / AH TS QH TH / 9H AH", "maker": "2"},
     "'AH' is there twice"),
    ("9S AS KH 9C AC", {}, "Seat 1 cannot have the upcard 9S, as the dealer has taken it"),
    ("TS AS KH 9C AC", {"up": "9H", "played": "9H"}, "as it was turned down"),
    ("TS AS KH 9C AC", {"buried": "QC"}, "Seat 1 cannot have buried 'QC'; accepted: nothing."),
    ("TS AS KH 9C AC", {"upcard_left": True}, "in four-handed the dealer must take it"),
    ("TS AS KH 9C AC", {"trump": "H", "bidding_round": 1},
     "H cannot be trumps by round 1, 9S being turned up; accepted: S."),
    ("TS AS KH 9C AC", {"bidding_round": 2}, "S cannot be trumps by round 2"),
    ("TS AS KH 9C AC", {"bidding_round": 3}, "There is no bidding round 3"),
    ("TS AS KH 9C AC", {"maker": "4"}, "There is no seat '4'"),
    ("TS AS KH 9C AC", {"trump": "X"}, "'X' is not a suit"),
    ("TS AS KH 9C AC", {"defend_alone": "2"}, "no defender plays alone in four-handed"),
    ("TS AS KH 9C AC", {"game": "two-handed", "alone": True}, "Nobody makes alone in two-handed"),
    ("TS", {"played": "JS 9D QS KS / AH 9H QH TH / KH JH JD KD / AS AD QD 9S / 9C AC KC QC"},
     "20 cards are played, after which nobody is to play"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "asked", "sentence"), REFUSED)
def test_refusals(hand: str, asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)) as caught:
        position(hand, **asked)
    assert str(caught.value).endswith((".", ")."))


def test_a_revoke_of_ones_own_is_refused() -> None:
    with pytest.raises(InputError, match="cannot have played 9H to trick 1, holding JC"):
        # Seat 2 took nothing, seat 1 leads again.
        position("JC KD 9C TC", played="JS 9H TS 9S / AS")


def test_the_dealer_knows_what_was_buried() -> None:
    asked: dict[str, Any] = {"maker": "dealer", "played": "AD KD TD"}
    assert card_names(position("9S AS KS QC TC", **asked, buried="QH").buried) == ["QH"]
    # A hand without the upcard has thrown it.
    assert card_names(position("JS AS KS QC TC", **asked).buried) == ["9S"]
    with pytest.raises(InputError, match="accepted: a hand with it, or that it was buried"):
        position("JS AS KS QC TC", **asked, buried="QH")
    with pytest.raises(InputError, match="QC cannot be buried: in the hand"):
        position("9S AS KS QC TC", **asked, buried="QC")
    with pytest.raises(InputError, match="accepted: one card"):
        position("9S AS KS QC TC", **asked, buried="QH JH")


def test_the_maker_knows_what_was_left_of_the_dummy() -> None:
    left = "9H TH 9D TD 9C"
    found = position("JS AS KS QC TC", game="three-handed", buried=left)
    assert card_names(found.buried) == left.split()
    with pytest.raises(InputError, match="accepted: 5 cards"):
        position("JS AS KS QC TC", game="three-handed", buried="9H")


def test_the_upcard_may_be_left_where_it_may() -> None:
    found = position("JS AS KS QC TC", game="three-handed", upcard_left=True)
    assert not found.taken
    with pytest.raises(InputError, match="as the dealer left it"):
        position("9S AS KS QC TC", game="three-handed", played="JS QH", upcard_left=True)
    with pytest.raises(InputError, match="the dealer made trumps by taking it"):
        position("JS AS KS QC TC", game="three-handed", maker="dealer", upcard_left=True)


def test_who_sits_out_has_taken_the_upcard_with_him() -> None:
    with pytest.raises(InputError, match="the dealer, who sits out, has taken it"):
        position("JH AH KD QC TC", maker="2", alone=True, played="AS 9S")


def test_lone_defenders(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "four-handed"\ndefend_alone = true\n', encoding="utf-8")
    game = read_game(house)
    found = position(
        "JS AS KS QC TC", game=game, maker="1", alone=True, defend_alone="2", played=""
    )
    assert [found.game.seats[seat] for seat in found.playing] == ["1", "2"]
    with pytest.raises(InputError, match="accepted: 2, dealer"):
        position("JS AS KS QC TC", game=game, defend_alone="3")


# What is answered


def test_all_legal_cards_are_ranked() -> None:
    answer = play_odds("KH AS 9C", played=PLAYED, deals=60, **ASKED)
    shown = [card for one in answer.cards for card in (one.card, *one.alike)]
    assert sorted(card_names(shown)) == ["9C", "AS", "KH"]
    points = [one.points for one in answer.cards]
    assert points == sorted(points, reverse=True)
    assert answer.cards[0].loss == answer.cards[0].loss_stderr == 0
    for one in answer.cards:
        assert one.p_euchred + one.p_made + one.p_march == pytest.approx(1)
        expected = -2 * one.p_euchred + one.p_made + 2 * one.p_march
        assert one.points == pytest.approx(expected)
        assert one.loss == pytest.approx(points[0] - one.points)


def test_defenders_count_their_own_points() -> None:
    answer = play_odds("JC KS QS AH TH", played="JS", deals=40, **ASKED)
    for one in answer.cards:
        expected = 2 * one.p_euchred - one.p_made - 2 * one.p_march
        assert one.points == pytest.approx(expected)


def test_cards_that_are_alike_are_shown_together() -> None:
    answer = play_odds("AS KS 9C TC", played="AH 9H QH JH", deals=20, **ASKED)
    groups = {str(one) for one in answer.cards}
    # 9♠ is the dealer's, so A♠ K♠ are alike, and 10♣ 9♣.
    assert groups == {"A♠ K♠", "10♣ 9♣"}


def test_more_deals_refine_an_answer() -> None:
    at = position("KH AS 9C", played=PLAYED)
    weighing = Weighing(at, seed=4)
    weighing.draw(13)
    parts = weighing.draw(27)
    whole = Weighing(at, seed=4).draw(40)
    assert parts == whole
    assert whole != Weighing(at, seed=5).draw(40)


def test_the_number_of_threads_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for threads in ("1", "3"):
        monkeypatch.setenv("ODDSCALC_THREADS", threads)
        answers.append(play_odds("KH AS 9C", played=PLAYED, deals=50, **ASKED).to_json())
    assert answers[0] == answers[1]


@pytest.mark.parametrize("deals", [1, -1, 10_000_000])
def test_deals_that_cannot_be_drawn(deals: int) -> None:
    with pytest.raises(InputError, match="cannot be drawn; accepted: 2 to"):
        play_odds("KH AS 9C", played=PLAYED, deals=deals, **ASKED)


def test_two_players_count_every_deal() -> None:
    # Two cards each: seat 1 leads, and nine cards may be the dealer's.
    asked: dict[str, Any] = {**ASKED, "game": "two-handed"}
    played = "JS 9S / AS TH / AH 9H"
    answer = play_odds("KH 9C", played=played, believe=False, **asked)
    assert (answer.method, answer.seed) == ("exact", None)
    seen = {*played.replace("/", "").split(), "KH", "9C"}
    hidden = [card for card in oracle.deck(24) if card not in seen]
    # The dealer has shown no spades, and hearts were followed with the ten and the nine.
    possible = [
        hand
        for hand in combinations(hidden, 2)
        if not any(oracle.suit_of(card, "S") == "S" for card in hand)
    ]
    assert answer.deals == len(possible)
    for one in answer.cards:
        assert one.stderr == one.loss_stderr == 0
        # Three tricks are taken: all that is open is the march.
        assert one.p_euchred == 0
        low, high = march_chances(card_name(one.card), {"KH", "9C"}, possible)
        assert low - 1e-12 <= one.p_march <= high + 1e-12


def march_chances(
    lead: str, hand: set[str], possible: Sequence[tuple[str, ...]]
) -> tuple[float, float]:
    """Return the least and the most chance of both tricks, whatever the dealer discards."""
    (last,) = hand - {lead}
    counts = [0, 0]
    for other in possible:
        results = []
        for reply in oracle.legal(other, lead, "S"):
            (rest,) = set(other) - {reply}
            first = oracle.winner([(0, lead), (1, reply)], "S") == 0
            results.append(first and oracle.winner([(0, last), (1, rest)], "S") == 0)
        counts[0] += all(results)
        counts[1] += any(results)
    return counts[0] / len(possible), counts[1] / len(possible)


# The command


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["euchre", "play", *args])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


SHOWN = ["KH AS 9C", "-t", "S", "-m", "1", "-u", "9S", "--played", PLAYED, "-n", "20"]


def test_the_command_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *SHOWN, "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["schema"] == "oddscalc.euchre.play/1"
    assert (answer["seat"], answer["trick"], answer["play"]) == ("1", 3, "closed")
    assert answer["played"][4] == {"seat": "1", "card": "AH"}
    assert set(answer["cards"][0]) == {
        "card", "alike", "p_euchred", "p_made", "p_march", "points", "stderr", "loss",
        "loss_stderr",
    }  # fmt: skip
    assert answer == json.loads(play_odds("KH AS 9C", played=PLAYED, deals=20, **ASKED).to_json())


@pytest.mark.parametrize("form", ["table", "csv", "md"])
def test_the_command_answers_in_every_form(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *SHOWN, "--format", form)
    assert (code, err) == (0, "")
    assert ("KH" if form == "csv" else "K♥") in out


def test_the_command_refuses_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "KH AS", *SHOWN[1:])
    assert (code, out) == (2, "")
    assert err.startswith("Error: The hand 'KH AS' has 2 cards")


def test_names_are_offered_by_the_package() -> None:
    assert euchre.play_odds is play_odds
    assert euchre.Weighing is Weighing
