"""``oddscalc euchre``: games, rules, solve, bid, policy, chance.

Everything that computes is imported in the commands: help, and a dice question, must come at once.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oddscalc.cli.output import (
    Format,
    FormatOption,
    JsonOption,
    emit,
    long_job,
    progress_bar,
)
from oddscalc.errors import InputError

if TYPE_CHECKING:
    from oddscalc.euchre.rules import EuchreGame

__all__ = ["Play", "RulesOption", "SeedOption", "app", "chosen_game"]

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


class Play(StrEnum):
    """A play model."""

    closed = "closed"
    open = "open"


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
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            help="How many deals are sampled; unless given, as many as ± 0.02 points take.",
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="With open hands: count every possible deal, however long it takes."
        ),
    ] = False,
    play: Annotated[
        Play, typer.Option("--play", help="How the hands are played after the bidding.")
    ] = Play.closed,
    score: Annotated[
        str | None,
        typer.Option(
            "--score",
            metavar="US-THEM",
            help="Points in the match, yours first: adds the chance to win it.",
        ),
    ] = None,
    dealer_sees: Annotated[
        bool,
        typer.Option(
            "--dealer-sees",
            help="With open hands, for comparison: the dealer discards seeing every card.",
        ),
    ] = False,
    seed: SeedOption = 0,
    game: GameOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the odds and the points of a pass and of every bid open to you.

    For example:

    oddscalc euchre bid "JS JC AS KH 9D" --up 10S --seat 1

    oddscalc euchre bid "JS JC AS KH 9D" --up 10S --seat 1 --score 9-6

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
            play=play.value,
            score=score,
            exact=exact,
            seed=seed,
            dealer_sees=dealer_sees,
            progress=progress,
            announce=partial(typer.echo, err=True),
        )
    emit(answer, form, json=json)


@app.command()
def policy(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", "-n", metavar="N", help="Find it anew, over so many deals; else as at hand."
        ),
    ] = None,
    play: Annotated[
        Play | None,
        typer.Option("--play", help="How hands are played; unless given, closed or as at hand."),
    ] = None,
    seed: SeedOption = 0,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Show how players bid who see their own cards only, and how good that is.

    The policies of the built-in games come with the program; for a house's own rules it is found
    once and stored. Interrupted work goes on where it stopped.

    For example:

    oddscalc euchre policy four-handed

    oddscalc euchre policy two-handed --play open

    oddscalc euchre policy --rules house.toml --deals 200000
    """
    from oddscalc.euchre.bidding import bidding_policy
    from oddscalc.store import cache_folder

    with long_job("Deals and sweeps", cache_folder()) as progress:
        found = bidding_policy(
            chosen_game(game, rules_file),
            play=None if play is None else play.value,
            deals=deals,
            seed=seed,
            progress=progress,
        )
    emit(found, form, json=json)
