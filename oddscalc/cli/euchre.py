"""``oddscalc euchre``: games, rules, solve, bid, chance, table.

Everything that computes is imported in the commands: help, and a dice question, must come at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from oddscalc.cli.output import Format, FormatOption, JsonOption, emit, progress_bar
from oddscalc.errors import ExportError, InputError
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    from oddscalc.euchre.rules import EuchreGame

__all__ = ["app"]

app = typer.Typer(help="Euchre with two, three and four hands.", no_args_is_help=True)

GameOption = Annotated[
    str | None,
    typer.Option("--game", "-g", metavar="GAME", help="A built-in game; four-handed unless given."),
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="A house's own rules, as TOML.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", help="Another seed samples other deals.")
]
UpOption = Annotated[
    str | None, typer.Option("--up", "-u", metavar="CARD", help="The card turned up.")
]


class TableKind(StrEnum):
    """What a table holds."""

    bids = "bids"


class Play(StrEnum):
    """A play model."""

    open = "open"


@dataclass(frozen=True)
class WrittenTable(Result):
    """A table that was written to a file."""

    schema: ClassVar[str] = "oddscalc.euchre.table/1"

    game: str
    kind: str
    file: str
    rows: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return asdict(self)

    def headline(self) -> str:
        """Return the answer as a sentence."""
        return f"{self.file}: {self.rows:,} rows in {self.seconds:.1f} s"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("game", "Game"),
            Column("kind", "Kind"),
            Column("file", "File"),
            Column("rows", "Rows", "{:,}".format, right=True),
            Column("seconds", "Seconds", "{:.1f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the one row."""
        return [self.to_dict()]


@app.callback()
def euchre() -> None:
    """Euchre: open hands solved, the odds of bids, chances of cards, the rules."""


def _game(name: str | None, rules: Path | None) -> EuchreGame:
    from oddscalc.euchre.rules import load_game, read_game

    if rules is None:
        return load_game(name) if name else load_game()
    if name is not None:
        raise InputError(
            f"Both the game '{name}' and the rule file '{rules}' are given; accepted: one of them."
        )
    return read_game(rules)


@app.command()
def games(form: FormatOption = Format.table, json: JsonOption = False) -> None:
    """List the built-in games.

    For example: oddscalc euchre games --json
    """
    from oddscalc.euchre.catalogue import GameList

    emit(GameList.of_all(), form, json=json)


@app.command()
def rules(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    game_option: GameOption = None,
    rules_file: RulesOption = None,
    source: Annotated[
        bool, typer.Option("--source", help="Print the game's TOML file, to start your own from.")
    ] = False,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Show the rules of a game, switch by switch, or check a rule file.

    For example:

    oddscalc euchre rules three-handed

    oddscalc euchre rules two-handed --source > house.toml

    oddscalc euchre rules --rules house.toml
    """
    from oddscalc.euchre.catalogue import GameRules

    chosen = _game(game or game_option, rules_file)
    if source:
        from oddscalc.euchre.rules import game_source

        text = game_source(chosen.name) if rules_file is None else rules_file.read_text("utf-8")
        typer.echo(text, nl=False)
        return
    emit(GameRules(chosen), form, json=json)


@app.command()
def chance(
    of: Annotated[
        str, typer.Option("--of", metavar="CARDS", help="Cards, or: trumps, bowers, aces.")
    ],
    seat: Annotated[
        str,
        typer.Option(
            "--seat",
            "-s",
            metavar="WHO",
            help="partner, opponents, opponent, left, right, others, me, us, makers, defenders, "
            "dummy, undealt, or a seat: 1, 2, 3, dealer.",
        ),
    ] = "partner",
    at_least: Annotated[
        int, typer.Option("--at-least", "-k", metavar="N", help="How many of the cards.")
    ] = 1,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="CARDS", help="Your five cards.")
    ] = None,
    up: UpOption = None,
    seen: Annotated[
        str | None,
        typer.Option(
            "--seen", metavar="CARDS", help="Other cards that no other player or dummy holds."
        ),
    ] = None,
    trump: Annotated[
        str | None,
        typer.Option(
            "--trump", "-t", metavar="SUIT", help="Trumps; the upcard's suit unless given."
        ),
    ] = None,
    me: Annotated[str | None, typer.Option("--me", metavar="SEAT", help="Your own seat.")] = None,
    maker: Annotated[
        str | None, typer.Option("--maker", metavar="SEAT", help="The maker's seat.")
    ] = None,
    game: GameOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the exact chance that somebody holds some of a set of cards.

    For example:

    oddscalc euchre chance --of "JS JC" --hand "AS KS 9H TD AC" --up QS

    oddscalc euchre chance -s dealer -k 2 --of trumps --hand JS9DTDKHAC -u 9S

    oddscalc euchre chance -g three-handed -s dummy --of bowers --trump hearts
    """
    from oddscalc.euchre.chances import chance

    answer = chance(
        of,
        seat=seat,
        at_least=at_least,
        hand=hand,
        up=up,
        seen=seen,
        trump=trump,
        me=me,
        maker=maker,
        game=_game(game, rules_file),
    )
    emit(answer, form, json=json)


@app.command()
def solve(
    deal: Annotated[
        str, typer.Argument(metavar="DEAL", help="Hands from the dealer's left, parted by '/'.")
    ],
    trump: Annotated[str, typer.Option("--trump", "-t", metavar="SUIT", help="The trump suit.")],
    leader: Annotated[
        str | None,
        typer.Option("--leader", metavar="SEAT", help="Who leads; by the rules unless given."),
    ] = None,
    maker: Annotated[
        str | None, typer.Option("--maker", metavar="SEAT", help="The maker; 1 unless given.")
    ] = None,
    alone: Annotated[
        str | None, typer.Option("--alone", metavar="SEAT", help="The maker, if playing alone.")
    ] = None,
    defend_alone: Annotated[
        str | None,
        typer.Option("--defend-alone", metavar="SEAT", help="A defender who plays alone."),
    ] = None,
    game: GameOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Solve a deal with all cards seen: the maker's tricks and a line of best play.

    For example:

    oddscalc euchre solve JSASKSQS9H/TS9SAHKHQH/JHTHADKDQD/JDTD9DACKC -t S

    oddscalc euchre solve "JS AS KS QS 9H / TS 9S AH KH QH" -g two-handed -t ♠
    """
    from oddscalc.euchre.solver import solve_deal

    answer = solve_deal(
        deal,
        trump,
        game=_game(game, rules_file),
        leader=leader,
        maker=maker,
        alone=alone,
        defend_alone=defend_alone,
    )
    emit(answer, form, json=json)


@app.command()
def bid(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="Your five cards.")],
    up: Annotated[str, typer.Option("--up", "-u", metavar="CARD", help="The card turned up.")],
    seat: Annotated[
        str, typer.Option("--seat", "-s", metavar="SEAT", help="Your seat: 1, 2, 3, dealer.")
    ],
    bidding_round: Annotated[
        int, typer.Option("--round", "-r", metavar="1|2", help="1: order or take up; 2: name.")
    ] = 1,
    dummy: Annotated[
        str | None,
        typer.Option(
            "--dummy",
            metavar="CARDS",
            help="The dummy, if you made: which five to keep.",
        ),
    ] = None,
    trump: Annotated[
        str | None,
        typer.Option("--trump", "-t", metavar="SUIT", help="Only bids in this suit."),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option("--deals", "-n", metavar="N", help="How many deals are sampled."),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Count every possible deal, however long it takes.")
    ] = False,
    play: Annotated[
        Play, typer.Option("--play", help="How the hands are played after the bidding.")
    ] = Play.open,
    dealer_sees: Annotated[
        bool,
        typer.Option(
            "--dealer-sees", help="For comparison: the dealer discards seeing every card."
        ),
    ] = False,
    seed: SeedOption = 0,
    game: GameOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the odds and the points of every bid open to you.

    For example:

    oddscalc euchre bid "JS JC AS KH 9D" --up 10S --seat 1

    oddscalc euchre bid "J♠ J♣ A♠ K♥ 9♦" -u 9♥ -s dealer --round 2 --trump S

    oddscalc euchre bid JSASKSAH9D -u 9S -s 1 --game two-handed --json
    """
    from oddscalc.euchre.bids import bid_odds

    if exact and deals is not None:
        raise InputError(f"Both --exact and --deals {deals} are given; accepted: one of them.")
    with progress_bar("Deals") as progress:
        answer = bid_odds(
            hand,
            up=up,
            seat=seat,
            bidding_round=bidding_round,
            dummy=dummy,
            trump=trump,
            game=_game(game, rules_file),
            deals=deals,
            exact=exact,
            seed=seed,
            dealer_sees=dealer_sees,
            progress=progress,
            announce=partial(typer.echo, err=True),
        )
    emit(answer, form, json=json)


@app.command()
def table(
    kind: Annotated[TableKind, typer.Argument(metavar="KIND", help="bids: the odds of every bid.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The Parquet file to write.")
    ],
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    bidding_round: Annotated[
        int | None, typer.Option("--round", "-r", metavar="1|2", help="Both unless given.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", "-n", metavar="N", help="Deals sampled for each hand, where not exact."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Only the first N classes, as a trial."),
    ] = None,
    seed: SeedOption = 0,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write the odds of every bid for every class of hands, upcard, seat and round as Parquet.

    Interrupted work goes on where it stopped when the same command is given again.

    For example:

    oddscalc euchre table bids two-handed -o two-handed.parquet

    oddscalc euchre table bids four-handed -o trial.parquet --limit 100 -n 500
    """
    from oddscalc.euchre.bid_table import DEFAULT_TABLE_DEALS, write_bid_table
    from oddscalc.euchre.classes import hand_classes

    chosen = _game(game, rules_file)
    start = perf_counter()
    classes = None if limit is None else range(min(limit, len(hand_classes(chosen.deck))))
    try:
        with progress_bar("Hands") as progress:
            rows = write_bid_table(
                chosen,
                output,
                rounds=(1, 2) if bidding_round is None else (bidding_round,),
                deals=DEFAULT_TABLE_DEALS if deals is None else deals,
                seed=seed,
                classes=classes,
                progress=progress,
            )
    except KeyboardInterrupt:
        raise ExportError(
            f"Interrupted; the same command goes on from the folder {output.name}.parts."
        ) from None
    emit(
        WrittenTable(chosen.name, kind.value, str(output), rows, perf_counter() - start),
        form,
        json=json,
    )
