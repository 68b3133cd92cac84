"""The files that are published, and what makes each of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from oddscalc import __version__, dice, euchre, store

__all__ = ["TERMINAL", "Work", "dice_games", "every_work"]

TERMINAL = ""  # stands for an option: what the command prints, as a picture of the terminal

# Solving it takes minutes: on request only.
_LARGE = ("maxi-yatzy",)
# The best chance of every total takes minutes and much memory for the large games.
_QUICK_BEST = ("poker-dice", "poker-dice-short", "yacht")
# Yatzy's and the any-order game's are larger than 5 MB; Kniffel's are those of plain Yahtzee.
_NO_VALUES = ("yatzy", "poker-dice-any-order", "kniffel")
_SHEET_ENDINGS = ("pdf", "html")


@dataclass(frozen=True)
class Work:
    """A command and the files that it writes.

    Attributes
    ----------
    words
        The command without its files.
    files
        By option, relative to the folder of the repository; a library of deals is a folder of
        files.
    game
        Whose rules the files depend on.
    """

    words: tuple[str, ...]
    files: dict[str, str]
    game: dice.DiceGame | euchre.EuchreGame

    @property
    def line(self) -> str:
        """The command as it is typed, which names the work in the manifest."""
        told = [word for pair in self.files.items() if pair[0] != TERMINAL for word in pair]
        return shlex.join(["oddscalc", *self.words, *told])

    @property
    def mark(self) -> str:
        """The fingerprint of command, rules and version."""
        return store.fingerprint("published", __version__, self.line, self.game.to_dict())


def every_work() -> Iterator[Work]:
    """Yield everything that is published."""
    yield from _dice_tables()
    yield from _euchre_tables()
    yield from _sheets()
    yield from _pictures()


def dice_games() -> list[str]:
    """Return the names of the dice games whose figures are published."""
    return [name for name in dice.game_names() if name not in _LARGE]


def _dice_tables() -> Iterator[Work]:
    for name in dice_games():
        game = dice.load_game(name)
        for kind in ("holds", "boxes", "values", "rounds", "outcomes"):
            if kind == "values" and name in _NO_VALUES:
                continue
            words = ["dice", "table", kind, name]
            files = {"-o": f"results/tables/{name}-{kind}.parquet"}
            if kind == "outcomes" and name in _QUICK_BEST:
                words.append("--best")
            if kind in ("rounds", "outcomes"):
                files["--plot"] = f"results/charts/{name}-{kind}.svg"
            yield Work(tuple(words), files, game)


def _euchre_tables() -> Iterator[Work]:
    files = {
        "-o": "results/tables/two-handed-bids.parquet",
        "--plot": "results/charts/two-handed-bids.svg",
    }
    words = ("euchre", "table", "bids", "two-handed", "--round", "1")
    yield Work(words, files, euchre.load_game("two-handed"))
    for name in euchre.game_names():
        game = euchre.load_game(name)
        table = {"-o": f"results/tables/{name}-match.parquet"}
        yield Work(("euchre", "table", "match", name), table, game)
        yield Work(("euchre", "match", name), {"--plot": f"results/charts/{name}-match.svg"}, game)
    for play in ("open", "closed"):
        folder = {"-o": f"results/tables/four-handed-deals-{play}"}
        dealt = ("euchre", "table", "deals", "four-handed", "--deals", "5000", "--play", play)
        yield Work(dealt, folder, euchre.load_game("four-handed"))


def _sheets() -> Iterator[Work]:
    for name in dice_games():
        for ending in _SHEET_ENDINGS:
            files = {"-o": f"results/sheets/{name}.{ending}"}
            yield Work(("dice", "sheet", name), files, dice.load_game(name))
    for name in euchre.game_names():
        for ending in _SHEET_ENDINGS:
            files = {"-o": f"results/sheets/{name}.{ending}"}
            yield Work(("euchre", "sheet", name), files, euchre.load_game(name))


def _pictures() -> Iterator[Work]:
    """Yield the pictures of the README."""
    hold = ("dice", "hold", "2", "3", "6", "2", "1")
    yield Work(hold, {TERMINAL: "docs/pictures/hold.svg"}, dice.load_game())
    totals = ("dice", "outcomes", "yahtzee")
    yield Work(totals, {"--plot": "docs/pictures/totals.svg"}, dice.load_game("yahtzee"))
    sheet = ("dice", "sheet", "poker-dice")
    yield Work(sheet, {"-o": "docs/pictures/sheet.png"}, dice.load_game())
