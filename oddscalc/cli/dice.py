"""``oddscalc dice``: questions about games, rolls and records.

Everything that computes is imported in the commands: help must come at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oddscalc.cli.dice_files import table
from oddscalc.cli.dice_options import (
    CardOption,
    FilledOption,
    GameArgument,
    GameOption,
    JokerBonusOption,
    OpenOption,
    PointsOption,
    ProgressOption,
    RulesOption,
    chosen_game,
    told_card,
)
from oddscalc.cli.output import (
    Format,
    FormatOption,
    JsonOption,
    PlotOption,
    emit,
    progress_bar,
)
from oddscalc.errors import InputError

if TYPE_CHECKING:
    from oddscalc.dice.distribution import Outcomes
    from oddscalc.dice.settlement import Settlement

app = typer.Typer(help="Dice reroll games.", no_args_is_help=True, rich_markup_mode="rich")
app.command()(table)


@app.callback()
def dice() -> None:
    """Dice reroll games: the best hold, the odds, the rules."""


@app.command()
def games(form: FormatOption = Format.table, json: JsonOption = False) -> None:
    """List the built-in games."""
    from oddscalc.dice.listing import GameList

    emit(GameList.of_all(), form, json=json)


@app.command()
def rules(
    game: GameArgument = None,
    rules: RulesOption = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="The game's file, to start a rule file from.")
    ] = False,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Show the rules of a game, box by box.

    [bold]Examples[/bold]

    oddscalc dice rules yatzy

    oddscalc dice rules kniffel --toml > mine.toml
    """
    from oddscalc.dice.listing import GameRules
    from oddscalc.dice.rules import game_source

    chosen = chosen_game(game, rules)
    if toml and rules is None:
        typer.echo(game_source(chosen.name), nl=False)
    elif toml:
        typer.echo(rules.read_text(encoding="utf-8") if rules else "", nl=False)
    else:
        emit(GameRules(chosen), form, json=json)


@app.command()
def solve(
    game: GameArgument = None,
    rules: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Solve a game exactly: the expected final total under the best play.

    [bold]Example[/bold]

    oddscalc dice solve yahtzee
    """
    from oddscalc.dice.solver import solve

    chosen = chosen_game(game, rules)
    with progress_bar(f"Solving {chosen.title}") as progress:
        values = solve(chosen, progress)
    emit(values, form, json=json)


@app.command()
def hold(
    roll: Annotated[list[str] | None, typer.Argument(help="The dice: 2 3 6 2 1 or 23621.")] = None,
    game: GameOption = None,
    rules: RulesOption = None,
    rolls_left: Annotated[
        int | None, typer.Option("--rolls-left", "-n", help="Rolls that may follow.")
    ] = None,
    filled: FilledOption = None,
    card: CardOption = None,
    open_boxes: OpenOption = None,
    bonus_progress: ProgressOption = None,
    points: PointsOption = None,
    joker_bonus: JokerBonusOption = 0,
    goal: Annotated[
        str,
        typer.Option(
            help="mean: the highest expected total; beat:N: the best chance of at least N; "
            "box:NAME: only that box; pot: a share of the pot."
        ),
    ] = "mean",
    totals: Annotated[
        str | None, typer.Option(help="For the pot: all totals so far in seat order: 74,12,71.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="For the pot: the seat of the player who rolls, from 1.")
    ] = None,
    all_options: Annotated[bool, typer.Option("--all", help="Show every option.")] = False,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Say what to keep, or which box to fill, and what every other option loses.

    [bold]Examples[/bold]

    oddscalc dice hold 2 3 6 2 1

    oddscalc dice hold 55661 --game yatzy --rolls-left 1

    oddscalc dice hold 1 4 4 5 5 -g yahtzee -n 0 --filled "sixes=18, yahtzee=0"

    oddscalc dice hold 33456 --open "large-straight, chance" --all

    oddscalc dice hold 23621 --goal beat:200

    oddscalc dice hold 66123 -g poker-dice-short --goal pot --totals 74,12,50 --seat 3
    """
    from oddscalc.dice.advice import advise
    from oddscalc.dice.asking import asked_totals
    from oddscalc.dice.notation import parse_roll

    chosen = chosen_game(game, rules)
    dice = parse_roll(roll or [], chosen.faces, fewest=chosen.dice, most=chosen.dice)
    known = told_card(chosen, filled, card, open_boxes, bonus_progress, points, joker_bonus)
    with progress_bar(f"Solving {chosen.title}") as progress:
        advice = advise(
            dice,
            game=chosen,
            rolls_left=rolls_left,
            card=known,
            goal=goal,
            totals=None if totals is None else asked_totals(totals),
            seat=seat,
            progress=progress,
        )
    emit(advice, form, json=json, all_records=all_options)


@app.command()
def odds(
    combination: Annotated[str, typer.Argument(help="A box: full-house, poker, small-straight.")],
    game: GameOption = None,
    rules: RulesOption = None,
    rolls: Annotated[int | None, typer.Option(help="How many rolls there are.")] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", help="Dice on the table; fewer than all are held: 2345."),
    ] = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the exact chance of a combination when playing only for it.

    [bold]Examples[/bold]

    oddscalc dice odds full-house

    oddscalc dice odds large-straight --game yahtzee --from 2345 --rolls 2
    """
    from oddscalc.dice.chances import odds

    emit(
        odds(combination, game=chosen_game(game, rules), rolls=rolls, start=start), form, json=json
    )


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="The record of a game: docs/game-records.md.")],
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Review it by this game, not the record's.")
    ] = None,
    rules: RulesOption = None,
    blunder: Annotated[
        float, typer.Option(help="Expected points; choices that lose as much are marked.")
    ] = 1.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the table there too: NAME.parquet.")
    ] = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Review a game: what every choice lost, and what the dice gave.

    A record has a line for the game, then a line for each turn: roll | held dice | roll > box.

    [bold]Examples[/bold]

    oddscalc dice review evening.txt

    oddscalc dice review evening.txt --blunder 0.5 --format csv

    oddscalc dice review evening.txt --rules house.toml -o evening.parquet
    """
    from oddscalc.dice.records import read_record
    from oddscalc.dice.reviewing import review as reviewed
    from oddscalc.export import check_parquet, write_parquet

    if output is not None:
        check_parquet(output)
    record = read_record(file, game=chosen_game(game, rules) if game or rules else None)
    with progress_bar(f"Solving {record.game.title}") as progress:
        result = reviewed(record, blunder=blunder, progress=progress)
    if output is not None:
        write_parquet(result, output)
    emit(result, form, json=json)


@app.command()
def outcomes(
    game: GameArgument = None,
    rules: RulesOption = None,
    filled: FilledOption = None,
    card: CardOption = None,
    open_boxes: OpenOption = None,
    bonus_progress: ProgressOption = None,
    points: PointsOption = None,
    joker_bonus: JokerBonusOption = 0,
    settle: Annotated[
        int | None, typer.Option(help="Show the amount won among so many players instead.")
    ] = None,
    plot: PlotOption = None,
    all_totals: Annotated[bool, typer.Option("--all", help="Show every total.")] = False,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the exact distribution of the final total when the mean is maximised.

    [bold]Examples[/bold]

    oddscalc dice outcomes yatzy

    oddscalc dice outcomes yahtzee --filled "sixes=24, yahtzee=50" --plot totals.svg

    oddscalc dice outcomes poker-dice --settle 3
    """
    from oddscalc.charts import check_chart, save_distribution
    from oddscalc.dice.distribution import outcomes
    from oddscalc.dice.settlement import settle as settle_among

    if plot is not None:
        check_chart(plot)
    chosen = chosen_game(game, rules)
    known = told_card(chosen, filled, card, open_boxes, bonus_progress, points, joker_bonus)
    if settle is not None and known.filled:
        raise InputError("--settle is given with a card; accepted: without one, before the game.")
    result: Outcomes | Settlement
    with progress_bar(f"Following {chosen.title}") as progress:
        if settle is None:
            result = outcomes(chosen, card=known, progress=progress)
        else:
            result = settle_among(settle, game=chosen, progress=progress)
    if plot is not None:
        values, chances = result.curve()
        what = "Final total" if settle is None else "Amount won"
        save_distribution(result.headline(), what, values, chances, plot)
    emit(result, form, json=json, all_records=all_totals)


@app.command()
def beat(
    total: Annotated[int, typer.Argument(help="The total to reach or beat.")],
    game: GameOption = None,
    rules: RulesOption = None,
    filled: FilledOption = None,
    card: CardOption = None,
    open_boxes: OpenOption = None,
    bonus_progress: ProgressOption = None,
    points: PointsOption = None,
    joker_bonus: JokerBonusOption = 0,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the exact best chance of a final total of at least N.

    [bold]Examples[/bold]

    oddscalc dice beat 200

    oddscalc dice beat 250 --game yatzy --filled "pair=12, chance=24"
    """
    from oddscalc.dice.beating import beat

    chosen = chosen_game(game, rules)
    known = told_card(chosen, filled, card, open_boxes, bonus_progress, points, joker_bonus)
    with progress_bar(f"Solving {chosen.title} for every total") as progress:
        result = beat(total, game=chosen, card=known, progress=progress)
    emit(result, form, json=json)


@app.command()
def pot(
    players: Annotated[int, typer.Option(help="How many play: 2 to 4.")] = 2,
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="A game of two turns: poker-dice-short.")
    ] = None,
    rules: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give each seat's share of the pot when everybody plays for it.

    [bold]Example[/bold]

    oddscalc dice pot --players 3
    """
    from oddscalc.dice.pots import pot

    chosen = chosen_game(game or (None if rules else "poker-dice-short"), rules)
    with progress_bar(f"Solving the pot of {chosen.title}") as progress:
        result = pot(players, game=chosen, progress=progress)
    emit(result, form, json=json)


@app.command()
def sheet(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The page: .html, .pdf, .png, .svg or .md."
        ),
    ],
    game: Annotated[str | None, typer.Argument(help="A built-in game.")] = None,
    rules: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write a page to play by, and say what following it costs.

    The first sheet of a game takes a minute or two; pdf, png and svg need the extra 'sheets'.

    [bold]Examples[/bold]

    oddscalc dice sheet yatzy -o yatzy.pdf

    oddscalc dice sheet --rules house.toml -o house.html
    """
    from oddscalc.dice.fitting import sheet as fitted
    from oddscalc.sheets.dice import dice_sheet
    from oddscalc.sheets.faces import check_sheet, write_sheet

    chosen = chosen_game(game, rules)
    check_sheet(output)
    with progress_bar(f"Fitting the sheet of {chosen.title}") as progress:
        strategy = fitted(chosen, progress)
    with progress_bar(f"Following {chosen.title}") as progress:
        page = dice_sheet(strategy, progress)
    write_sheet(page, output)
    emit(strategy, form, json=json)
