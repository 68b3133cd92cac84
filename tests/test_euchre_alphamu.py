"""αμ search against the same thought through slowly, by card names."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from oddscalc.euchre import kernel_alphamu, kernel_closed_plays, kernel_table
from oddscalc.euchre.closed import skill_of
from oddscalc.euchre.kernel_table import Table
from oddscalc.euchre.notation import SUITS, card_name, deck_cards
from oddscalc.euchre.tables import trump_bit
from tests.oracle import euchre as oracle
from tests.test_euchre_closed import CLUBS, HANDS, PLAIN, SPADES, bits, dealt, ones, open_moves

Hands = tuple[frozenset[str], ...]
Vector = tuple[tuple[int, int], ...]


class Slowly:
    """What a way to play brings in each world, for each way that is not worse in all of them."""

    def __init__(self, table: Table, trump: str, me: int) -> None:
        self.trump, self.me = trump, me
        self.players = int(table.contract[kernel_table.C_PLAYERS])
        self.makers = int(table.contract[kernel_table.C_MAKERS])
        self.swept = int(table.contract[kernel_table.C_SWEPT])
        self.making = self.makers >> me & 1
        self.worth = table.worth.tolist()
        self.value = cache(self._value)

    def points(self, tricks: int) -> int:
        outcome = 3 if tricks == 5 else 2 if tricks > 2 else 1 if tricks or not self.swept else 0
        return int(self.worth[outcome] if self.making else -self.worth[outcome])

    def helps(self, seat: int) -> bool:
        return self.makers >> seat & 1 == self.making

    def played(
        self, hands: Hands, seat: int, trick: oracle.Played, taken: int, card: str
    ) -> tuple[Hands, int, oracle.Played, int]:
        hands = (*hands[:seat], hands[seat] - {card}, *hands[seat + 1 :])
        trick = (*trick, (seat, card))
        seat = (seat + 1) % self.players
        if len(trick) == self.players:
            seat = oracle.winner(trick, self.trump)
            return hands, seat, (), taken + (self.makers >> seat & 1)
        return hands, seat, trick, taken

    def legal(self, hands: Hands, seat: int, trick: oracle.Played) -> list[str]:
        return oracle.legal(hands[seat], trick[0][1] if trick else None, self.trump)

    def _value(self, hands: Hands, seat: int, trick: oracle.Played, taken: int) -> int:
        if not any(hands) and not trick:
            return self.points(taken)
        values = [
            self.value(*self.played(hands, seat, trick, taken, card))
            for card in self.legal(hands, seat, trick)
        ]
        return max(values) if self.helps(seat) else min(values)

    def front(
        self, worlds: dict[int, Hands], seat: int, trick: oracle.Played, taken: int, deep: int
    ) -> set[Vector]:
        """Return a vector for each way to play the own next `deep` choices."""
        if deep == 0 or not any(next(iter(worlds.values()))):
            values = {w: self.value(hands, seat, trick, taken) for w, hands in worlds.items()}
            return {tuple(sorted(values.items()))}
        children = []
        for card in sorted(set().union(*(hands[seat] for hands in worlds.values()))):
            after = {
                world: self.played(hands, seat, trick, taken, card)
                for world, hands in worlds.items()
                if card in self.legal(hands, seat, trick)
            }
            if after:
                _, *here = next(iter(after.values()))
                child = {world: state[0] for world, state in after.items()}
                children.append(self.front(child, *here, deep - (seat == self.me)))
        if seat == self.me:
            return set().union(*children)
        found: set[Vector] = {()}
        choose = max if self.helps(seat) else min
        for child in children:
            joined = set()
            for one in found:
                for other in child:
                    both = {**dict(one), **dict(other)}
                    for world in dict(one).keys() & dict(other).keys():
                        both[world] = choose(dict(one)[world], dict(other)[world])
                    joined.add(tuple(sorted(both.items())))
            found = {
                vector
                for vector in joined
                if not any(
                    other != vector
                    and all(a[1] >= b[1] for a, b in zip(other, vector, strict=True))
                    for other in joined
                )
            }
        return found


def mix(table: Table, worlds: np.ndarray, random: Random) -> None:
    """Make all worlds alike but for a few cards that have changed places."""
    me = int(table.trick[kernel_table.T_SEAT])
    unknown = bits(int(kernel_table.unknown_cards(table)))
    for row in range(1, len(worlds)):
        worlds[row] = worlds[0]
        for _ in range(random.choice((1, 1, 2))):
            pair = np.uint64(sum(random.sample(unknown, 2)))
            for player in range(4):
                both = worlds[row, player] & pair
                if player != me and both not in (0, pair):
                    worlds[row, player] ^= pair


def foreseen(table: Table, worlds: np.ndarray, moves: int, deep: int) -> list[int]:
    """Return the makers' points of each move over the worlds, as the kernel has them."""
    size, scratch = len(worlds), SCRATCH
    scratch.alike.worlds[:size] = worlds
    making = int(table.contract[kernel_table.C_MAKERS]) >> int(table.trick[0]) & 1
    totals = np.full(5, (1 << 30) * (1 if making else -1), np.int64)
    kernel_alphamu.foresee(
        table, scratch, np.uint64(size), np.uint64(moves), np.uint64(deep), totals
    )
    assert (scratch.alike.worlds[:size] == worlds).all()
    return totals[: ones(moves)].tolist()


SCRATCH = kernel_table.new_scratch()


@pytest.mark.parametrize("kind", ["three-handed, dummy", "four-handed", "four-handed, alone"])
@pytest.mark.parametrize("deep", [1, 2])
def test_own_next_choices_are_the_same_in_worlds_that_look_alike(kind: str, deep: int) -> None:
    random = Random(f"{kind} {deep}")
    trump = SPADES if HANDS[kind][1] == 1 else CLUBS
    name = {trump_bit(card, trump): card_name(card) for card in deck_cards(24)}

    def names(mask: int) -> frozenset[str]:
        return frozenset(name[bit.bit_length() - 1] for bit in bits(mask))

    compared = differ = 0
    for _ in range(4000):
        if differ >= 8 and compared >= 20:
            break
        table, told = dealt(kind, random, skill_of(20, PLAIN))
        trick: oracle.Played = ()
        players = int(table.contract[kernel_table.C_PLAYERS])
        while table.trick[kernel_table.T_LEFT]:
            moves, me = open_moves(table), int(table.trick[kernel_table.T_SEAT])
            left, taken = table.trick[kernel_table.T_LEFT], table.trick[kernel_table.T_TAKEN]
            if left == 3 and ones(moves) > 1:
                worlds = np.zeros((random.choice((2, 5, 16)), 4), np.uint64)
                kernel_closed_plays.draw_worlds(table, told, np.uint64(5), np.uint64(0), worlds)
                if random.random() < 0.9:
                    mix(table, worlds, random)
                found = foreseen(table, worlds, moves, deep)
                lower = found != foreseen(table, worlds, moves, 0)
                if (lower and differ < 8) or random.random() < 0.01:
                    slowly = Slowly(table, SUITS[trump], me)
                    deals = {w: tuple(map(names, row)) for w, row in enumerate(worlds.tolist())}
                    for number, move in enumerate(bits(moves)):
                        (card,) = names(move)
                        after = {
                            w: slowly.played(hands, me, trick, int(taken), card)
                            for w, hands in deals.items()
                        }
                        _, *here = after[0]
                        front = slowly.front({w: a[0] for w, a in after.items()}, *here, deep)
                        best = max(sum(points for _, points in vector) for vector in front)
                        assert found[number] == (best if slowly.making else -best)
                    compared += 1
                    differ += lower
            card = random.choice(bits(moves))
            (played,) = names(card)
            trick = (*trick, (me, played)) if len(trick) + 1 < players else ()
            kernel_table.put_down(table, np.uint64(card))
    assert compared >= 20
    assert differ >= 8
