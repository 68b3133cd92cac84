"""The figures on the pages of docs/games, from the published tables and the rules.

A page is written by hand up to its mark; what follows is made by ``python -m results pages``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from pathlib import Path
from typing import Any

import polars as pl

from oddscalc import dice, euchre
from oddscalc.dice.listing import GameRules
from oddscalc.euchre.catalogue import GameRules as EuchreRules
from oddscalc.euchre.classes import hand_classes
from results.plan import dice_games

__all__ = ["MARK", "page_of", "pages"]

ROOT = Path(__file__).parent.parent
MARK = "<!-- What follows is made by `python -m results pages`. -->"

# One roll of each kind that a first roll may be.
_ROLLS = (
    *("1 2 3 4 6", "1 3 4 5 6", "2 3 4 4 5", "1 2 5 6 6", "1 1 2 4 5", "2 2 5 5 6"),
    *("3 3 3 5 6", "1 1 1 6 6", "1 4 4 4 4"),
)
_UP, _DEALS = "QS", 4_000
_HANDS = ("JS JC AS KH 9D", "JC AS 9S AH KD", "KS TS 9S AH AD", "AS TS KH QH 9D", "9S AH AD AC KH")


def pages() -> Iterator[Path]:
    """Yield every page that has figures."""
    for name in (*dice_games(), *euchre.game_names()):
        yield ROOT / "docs" / "games" / f"{name}.md"


def page_of(path: Path) -> str:
    """Return a page as it should be: what is written by hand, and the figures."""
    own, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        raise ValueError(f"{path.name} has no mark for its figures")
    name = path.stem
    lines = _dice(name) if name in dice.game_names() else _euchre(name)
    return own + "\n".join([MARK, "", *lines]).rstrip() + "\n"


def _dice(name: str) -> Iterator[str]:
    game = dice.load_game(name)
    totals, rounds = _table(name, "outcomes"), _table(name, "rounds")
    yield from ("## Boxes", "")
    chance = pl.col("chance")
    brought = rounds.group_by("box", maintain_order=True).agg(
        mean=(chance * pl.col("mean")).sum(),
        made=(chance * pl.col("made")).sum(),
        round=(chance * pl.col("round")).sum(),
    )
    rules = GameRules(game)
    rows: list[tuple[str, ...]] = [
        (told["title"], told["scores"], f"{mean:.2f}", f"{made:.1%}", f"{turn:.1f}")
        for told, (_, mean, made, turn) in zip(rules.records(), brought.iter_rows(), strict=True)
    ]
    yield from _markdown(("box", "scores", "brings", "made", "in round"), rows, right=3)
    yield from ("", *(f"- {note}" for note in rules.notes()), "")
    yield "`brings` and `made` are means over games played best; `in round` is when, on average."
    yield from ("", "## Played best", "")
    points, weights = totals["total"], totals["chance"]
    mean = float((points * weights).sum())
    spread = float((weights * (points - mean) ** 2).sum()) ** 0.5
    figures = {
        "expected total": f"{mean:.4f}",
        "of it, bonuses": f"{mean - float(brought['mean'].sum()):.2f}",
        "standard deviation": f"{spread:.2f}",
        "half of the games": f"{_quantile(totals, 0.25)} to {_quantile(totals, 0.75)}",
        "nine games of ten": f"{_quantile(totals, 0.05)} to {_quantile(totals, 0.95)}",
        "one game of a hundred": f"{_quantile(totals, 0.99)} or more",
        "lowest and highest total": f"{points[0]}, {points[-1]}",
    }
    yield from _markdown(("", "points"), figures.items(), right=1)
    holds = _table(name, "holds").filter(rolls_left=game.rolls - 1)
    for filled in holds["filled"].unique(maintain_order=True):
        part = "" if filled == 0 else f", {game.parts[1].title.lower()}, nothing filled there"
        yield from ("", f"## What to keep of the first roll{part or ', on an empty card'}", "")
        rows = []
        for roll in _ROLLS:
            first, second = holds.filter(filled=filled, roll=roll).head(2).iter_rows(named=True)
            rows.append(
                (
                    roll,
                    _kept(first),
                    f"{first['value']:.2f}",
                    _kept(second),
                    f"{second['loss']:.2f}",
                )
            )
        heads = ("roll", "best", "expected points", "next best", "loses")
        yield from _markdown(heads, rows, right=0)
    yield from ("", "## Charts and tables", "")
    yield f"![What boxes get and cost, round by round](../../results/charts/{name}-rounds.svg)"
    yield ""
    yield f"![Final totals](../../results/charts/{name}-outcomes.svg)"
    yield from ("", *_files(name))


def _euchre(name: str) -> Iterator[str]:
    game = euchre.load_game(name)
    yield from ("## Rules, switch by switch", "")
    rules = EuchreRules(game)
    key, value, means = rules.columns()
    rows: list[tuple[str, ...]] = [
        (f"`{row[key.key]}`", value.show(row[value.key]), row[means.key]) for row in rules.records()
    ]
    yield from _markdown(("key", "value", "means"), rows, right=0)
    yield from ("", "## How many", "")
    unseen = game.deck - 6
    worlds = 1
    for _ in range(game.hands - 1 + (game.dummy > 0)):
        worlds *= comb(unseen, 5)
        unseen -= 5
    classes = hand_classes(game.deck)
    counts = {
        "hands with an upcard": f"{int(classes.sizes.sum()):,}",
        "of them not alike": f"{len(classes):,}",
        "deals of the unseen cards, given one": f"{worlds:,}",
    }
    yield from _markdown(("", "number"), counts.items(), right=1)
    yield from ("", "## What hands are worth, Q♠ turned up", "")
    asked = pl.DataFrame({"hand": _HANDS}).join(
        pl.DataFrame({"seat": ["1", "dealer"]}), how="cross"
    )
    asked = asked.with_columns(up=pl.lit(_UP))
    odds = euchre.bid_odds_frame(asked, game=game, play="open", deals=_DEALS).filter(
        pl.col("action") != "pass"
    )
    heads = ["hand", "seat", "euchred", "made", "all five", "points", *["alone"] * game.alone]
    rows = []
    for (hand, seat), bids in odds.group_by("hand", "seat", maintain_order=True):
        own, *lone = bids.sort("alone").iter_rows(named=True)
        ends = (f"{own[key]:.0%}" for key in ("p_euchred", "p_made", "p_march"))
        rows.append((str(hand), str(seat), *ends, *map(_points, (own, *lone))))
    yield from _markdown(heads, rows, right=len(heads) - 2)
    exact = odds["method"][0] == "exact"
    how = "all deals counted" if exact else f"{_DEALS:,} deals for each hand, ± the standard error"
    yield from ("", f"Spades become trumps; open hands, {how}. [euchre.md](../euchre.md) says what")
    yield "that means: compare actions with each other rather than with the results of a table."
    files = list(_files(name))
    if files:
        yield from ("", "## Charts and tables", "")
        chart = f"results/charts/{name}-bids.svg"
        if (ROOT / chart).exists():
            yield f"![Odds by seat, trumps and bowers](../../{chart})"
            yield ""
        yield from files


def _table(name: str, kind: str) -> pl.DataFrame:
    return pl.read_parquet(ROOT / "results" / "tables" / f"{name}-{kind}.parquet")


def _quantile(totals: pl.DataFrame, share: float) -> int:
    return int(totals.filter(pl.col("at_most") >= share - 1e-12)["total"][0])


def _kept(hold: dict[str, Any]) -> str:
    if hold["box"] is not None:
        return f"score {hold['points']} in {hold['box']}"
    return str(hold["hold"]) or "nothing"


def _points(bid: dict[str, Any]) -> str:
    error = f" ± {bid['stderr']:.3f}" if bid["stderr"] else ""
    return f"{bid['points']:+.3f}{error}"


def _files(name: str) -> Iterator[str]:
    """Yield links to the published tables and sheets of a game."""
    for what, folder in (("Cheat sheet", "sheets"), ("Tables", "tables")):
        found = sorted((ROOT / "results" / folder).glob(f"{name}[.-]*"))
        mine = [f for f in found if _owner(f.stem) == name]
        if mine:
            links = ", ".join(f"[{f.name}](../../results/{folder}/{f.name})" for f in mine)
            yield f"- {what}: {links}"


def _owner(stem: str) -> str:
    """Return the game whose name a file's name starts with, the longest one."""
    names = (*dice.game_names(), *euchre.game_names())
    return max((n for n in names if stem == n or stem.startswith(f"{n}-")), key=len, default="")


def _markdown(heads: Iterable[str], rows: Iterable[Iterable[str]], right: int) -> Iterator[str]:
    """Yield a table's lines, its last `right` columns set to the right."""
    heads = list(heads)
    rules = ["---:" if len(heads) - i <= right else "---" for i in range(len(heads))]
    for row in (heads, rules, *rows):
        yield "| " + " | ".join(row) + " |"
