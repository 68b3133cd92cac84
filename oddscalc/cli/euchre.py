"""``oddscalc euchre``: games, rules, solve, bid, chance, table.

Everything that computes is imported in the commands: help, and a dice question, must come at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from oddscalc.cli.output import (
    ClusterOption,
    Format,
    FormatOption,
    JsonOption,
    emit,
    long_job,
    progress_bar,
)
from oddscalc.errors import InputError
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    from oddscalc.euchre.rules import EuchreGame

__all__ = ["OutcomesOption", "RulesOption", "app", "chosen_game"]

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
OutcomesOption = Annotated[
    Path | None,
    typer.Option(
        "--outcomes", metavar="FILE", help="What hands earn at your table, as TOML or JSON."
    ),
]
UpOption = Annotated[
    str | None, typer.Option("--up", "-u", metavar="CARD", help="The card turned up.")
]


class TableKind(StrEnum):
    """What a table holds."""

    bids = "bids"
    match = "match"


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


def chosen_game(name: str | None, rules: Path | None) -> EuchreGame:
    """Return the game that is named, or that of a rule file."""
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

    emit(GameList(), form, json=json)


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

    chosen = chosen_game(game or game_option, rules_file)
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
        game=chosen_game(game, rules_file),
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
        game=chosen_game(game, rules_file),
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
            game=chosen_game(game, rules_file),
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
    kind: Annotated[
        TableKind,
        typer.Argument(
            metavar="KIND",
            help="bids: the odds of every bid; match: the chance of winning, by score and dealer.",
        ),
    ],
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
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    outcomes: OutcomesOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write a table as Parquet.

    bids: the odds of every bid for every class of hands, upcard, seat and round. Interrupted work
    goes on where it stopped when the same command is given again.

    match: the chance of winning the match for every score and seat.

    For example:

    oddscalc euchre table bids two-handed -o two-handed.parquet

    oddscalc euchre table bids four-handed -o trial.parquet --limit 100 -n 500

    oddscalc euchre table match three-handed -o match.parquet
    """
    chosen = chosen_game(game, rules_file)
    start = perf_counter()
    if kind is TableKind.match:
        from oddscalc.euchre.hand_outcomes import read_outcomes
        from oddscalc.euchre.matches import write_match_table

        others = {
            "--round": bidding_round,
            "--deals": deals,
            "--limit": limit,
            "--cluster": cluster,
        }
        _refuse(kind, others)
        figures = None if outcomes is None else read_outcomes(outcomes, chosen)
        with progress_bar("Bidding") as progress:
            rows = write_match_table(chosen, output, figures, progress=progress)
    else:
        _refuse(kind, {"--outcomes": outcomes})
        rows = _write_bids(chosen, output, bidding_round, deals, limit, seed, cluster)
    emit(
        WrittenTable(chosen.name, kind.value, str(output), rows, perf_counter() - start),
        form,
        json=json,
    )


def _refuse(kind: TableKind, options: Mapping[str, object]) -> None:
    """Refuse options that a kind of table has no use for."""
    for option, value in options.items():
        if value is not None:
            raise InputError(f"{option} {value} is given with the table '{kind}'; accepted: none.")


def _write_bids(
    game: EuchreGame,
    output: Path,
    bidding_round: int | None,
    deals: int | None,
    limit: int | None,
    seed: int,
    cluster: str | None,
) -> int:
    from oddscalc.euchre.bid_table import DEFAULT_TABLE_DEALS, parts_folder, write_bid_table
    from oddscalc.euchre.classes import hand_classes

    classes = None if limit is None else range(min(limit, len(hand_classes(game.deck))))
    with long_job("Hands", parts_folder(output)) as progress:
        return write_bid_table(
            game,
            output,
            rounds=(1, 2) if bidding_round is None else (bidding_round,),
            deals=DEFAULT_TABLE_DEALS if deals is None else deals,
            seed=seed,
            classes=classes,
            progress=progress,
            cluster=cluster,
        )
