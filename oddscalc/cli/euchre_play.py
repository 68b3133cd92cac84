"""``oddscalc euchre play``: the card to play now."""

from __future__ import annotations

from typing import Annotated

import typer

from oddscalc.cli.euchre import GameOption, RulesOption, SeedOption, app, chosen_game
from oddscalc.cli.output import Format, FormatOption, JsonOption, emit, progress_bar

__all__ = ["play"]


@app.command()
def play(
    hand: Annotated[
        str,
        typer.Argument(metavar="HAND", help="The cards you hold, or your five at the first lead."),
    ],
    trump: Annotated[str, typer.Option("--trump", "-t", metavar="SUIT", help="The trump suit.")],
    maker: Annotated[str, typer.Option("--maker", "-m", metavar="SEAT", help="The maker's seat.")],
    up: Annotated[str, typer.Option("--up", "-u", metavar="CARD", help="The card turned up.")],
    played: Annotated[
        str,
        typer.Option(
            "--played",
            "-p",
            metavar="CARDS",
            help="The cards played so far, trick by trick, in the order played.",
        ),
    ] = "",
    alone: Annotated[bool, typer.Option("--alone", help="The maker plays alone.")] = False,
    defend_alone: Annotated[
        str | None,
        typer.Option("--defend-alone", metavar="SEAT", help="A defender who plays alone."),
    ] = None,
    buried: Annotated[
        str | None,
        typer.Option(
            "--buried",
            metavar="CARDS",
            help="What you discarded as the dealer, or left of hand and dummy as the maker.",
        ),
    ] = None,
    upcard_left: Annotated[
        bool, typer.Option("--upcard-left", help="The dealer, who might, did not take the upcard.")
    ] = False,
    bidding_round: Annotated[
        int | None,
        typer.Option(
            "--round",
            "-r",
            metavar="1|2",
            help="When trumps were made; by the upcard's suit unless given.",
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option("--deals", "-n", metavar="N", help="How many deals are drawn."),
    ] = None,
    ignore_bids: Annotated[
        bool,
        typer.Option("--ignore-bids", help="Let passes and bids tell nothing."),
    ] = False,
    seed: SeedOption = 0,
    game: GameOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the odds and the points of every card that may be played now.

    Whose turn it is follows from the cards played so far; the hand is that player's, after any
    pick-up and discard. Nobody sees a hidden card.

    For example:

    oddscalc euchre play "JS AS 9H TD AC" --trump S --maker 1 --up 9S

    oddscalc euchre play "JC KS QS AD TH" -t S -m 1 -u 9S -p "JS 9D"
    """
    from oddscalc.euchre.cardplay import DEFAULT_PLAY_DEALS, play_odds

    with progress_bar("Playing") as progress:
        answer = play_odds(
            hand,
            trump=trump,
            maker=maker,
            up=up,
            played=played,
            alone=alone,
            defend_alone=defend_alone,
            buried=buried,
            bidding_round=bidding_round,
            upcard_left=upcard_left,
            game=chosen_game(game, rules_file),
            deals=DEFAULT_PLAY_DEALS if deals is None else deals,
            seed=seed,
            believe=not ignore_bids,
            progress=progress,
        )
    emit(answer, form, json=json)
