"""What each endpoint asks of the library; everything that computes is imported when asked.

A question takes the games, what was asked (an `Asked`: a value for each parameter, None where it
was not given) and a progress callback, and returns the answer that the command line prints, or
the content of the file that it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from oddscalc.errors import InputError
from oddscalc.results import Result
from oddscalc.web.games import Games

__all__ = [
    "MOST_DEALS",
    "MOST_PLAY_DEALS",
    "SHEETS",
    "Asked",
    "Progress",
    "Question",
    "larger_samples",
    "larger_weighings",
]

MOST_DEALS, MOST_PLAY_DEALS = 100_000, 5_000
OPEN_SAMPLES, CLOSED_SAMPLES, WEIGHINGS = (500, 2_000, 8_000), (100, 500), (20, 100)

SHEETS = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".md": "text/markdown; charset=utf-8",
}

Asked = Mapping[str, Any]
Progress = Callable[[int, int], None]
Question = Callable[[Games, Asked, Progress | None], Result | bytes]


def dice_games(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """List the dice games."""
    from oddscalc.dice.listing import GameList

    return GameList(games.all_dice())


def dice_rules(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Show the rules of a dice game."""
    from oddscalc.dice.listing import GameRules

    return GameRules(games.dice_game(asked["game"]))


def hold(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Say what to keep, or which box to fill."""
    from oddscalc.dice.advice import advise
    from oddscalc.dice.asking import asked_totals
    from oddscalc.dice.notation import parse_roll

    game = games.dice_game(asked["game"])
    dice = parse_roll(asked["roll"] or "", game.faces, fewest=game.dice, most=game.dice)
    totals = asked["totals"]
    return advise(
        dice,
        game=game,
        rolls_left=asked["rolls-left"],
        card=_card(games, asked),
        goal="mean" if asked["goal"] is None else asked["goal"],
        totals=None if totals is None else asked_totals(totals),
        seat=asked["seat"],
        progress=progress,
    )


def odds(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the chance of a combination."""
    from oddscalc.dice.chances import odds

    game = games.dice_game(asked["game"])
    return odds(asked["combination"], game=game, rolls=asked["rolls"], start=asked["from"])


def solve_game(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Solve a dice game."""
    from oddscalc.dice.solver import solve

    return solve(games.dice_game(asked["game"]), progress)


def outcomes(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the distribution of totals, or of the amount won."""
    from oddscalc.dice.distribution import outcomes
    from oddscalc.dice.settlement import settle

    card = _card(games, asked)
    if asked["settle"] is None:
        return outcomes(card.game, card=card, progress=progress)
    if card.filled:
        raise InputError("--settle is given with a card; accepted: without one, before the game.")
    return settle(asked["settle"], game=card.game, progress=progress)


def beat(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the best chance of a total."""
    from oddscalc.dice.beating import beat

    card = _card(games, asked)
    return beat(asked["total"], game=card.game, card=card, progress=progress)


def pot(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give each seat's share of the pot."""
    from oddscalc.dice.pots import pot

    players = 2 if asked["players"] is None else asked["players"]
    game = games.dice_game(asked["game"] or "poker-dice-short")
    return pot(players, game=game, progress=progress)


def review(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Review a game record."""
    from oddscalc.dice.records import parse_record
    from oddscalc.dice.reviewing import BLUNDER, review

    game = None if asked["game"] is None else games.dice_game(asked["game"])
    blunder = BLUNDER if asked["blunder"] is None else asked["blunder"]
    return review(parse_record(asked["record"], game=game), blunder=blunder, progress=progress)


def dice_sheet(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Fit the sheet of a game."""
    from oddscalc.dice.fitting import sheet

    return sheet(games.dice_game(asked["game"]), progress)


def dice_sheet_as(ending: str) -> Question:
    """Return the question for a sheet as a file with that ending."""

    def draw(games: Games, asked: Asked, progress: Progress | None) -> bytes:
        from oddscalc.dice.fitting import sheet
        from oddscalc.sheets.dice import dice_sheet
        from oddscalc.sheets.faces import check_sheet, render

        game = games.dice_game(asked["game"])
        check_sheet(Path(game.name + ending))
        return render(dice_sheet(sheet(game, progress), progress), ending)

    return draw


def euchre_sheet(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Fit the sheet of a Euchre game."""
    from oddscalc.euchre.bid_fitting import sheet

    return sheet(games.euchre_game(asked["game"]), progress=progress)


def euchre_sheet_as(ending: str) -> Question:
    """Return the question for a Euchre sheet as a file with that ending."""

    def draw(games: Games, asked: Asked, progress: Progress | None) -> bytes:
        from oddscalc.euchre.bid_fitting import sheet
        from oddscalc.sheets.euchre import euchre_pages
        from oddscalc.sheets.faces import check_sheet, render

        game = games.euchre_game(asked["game"])
        seats = game.seats
        if asked["seat"] is not None:
            seats = (game.seats[game.seat_index(asked["seat"])],)
        check_sheet(Path(game.name + ending), len(seats))
        return render(euchre_pages(sheet(game, progress=progress), seats), ending)

    return draw


def euchre_games(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """List the Euchre games."""
    from oddscalc.euchre.catalogue import GameList

    return GameList(games.all_euchre())


def euchre_rules(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Show the rules of a Euchre game."""
    from oddscalc.euchre.catalogue import GameRules

    return GameRules(games.euchre_game(asked["game"]))


def chance(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the chance that somebody holds some of a set of cards."""
    from oddscalc.euchre.chances import chance

    return chance(
        asked["of"],
        seat=asked["seat"] or "partner",
        at_least=1 if asked["at-least"] is None else asked["at-least"],
        game=games.euchre_game(asked["game"]),
        **{key: asked[key] for key in ("hand", "up", "seen", "trump", "me", "maker")},
    )


def solve_deal(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Solve a deal with all cards seen."""
    from oddscalc.euchre.solver import solve_deal

    return solve_deal(
        asked["deal"],
        asked["trump"],
        game=games.euchre_game(asked["game"]),
        leader=asked["leader"],
        maker=asked["maker"],
        alone=asked["alone"],
        defend_alone=asked["defend-alone"],
    )


def bid(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the odds of a pass and of every bid."""
    from oddscalc.euchre.bids import bid_odds

    return bid_odds(
        asked["hand"],
        up=asked["up"],
        seat=asked["seat"],
        bidding_round=1 if asked["round"] is None else asked["round"],
        dummy=asked["dummy"],
        trump=asked["trump"],
        game=games.euchre_game(asked["game"]),
        play=asked["play"] or "closed",
        score=asked["score"],
        deals=_deals(asked, MOST_DEALS),
        seed=asked["seed"] or 0,
        progress=progress,
    )


def play(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the odds of every card that may be played now."""
    from oddscalc.euchre.cardplay import DEFAULT_PLAY_DEALS, play_odds

    return play_odds(
        asked["hand"],
        trump=asked["trump"],
        maker=asked["maker"],
        up=asked["up"],
        played=asked["played"] or "",
        alone=bool(asked["alone"]),
        defend_alone=asked["defend-alone"],
        buried=asked["buried"],
        bidding_round=asked["round"],
        upcard_left=bool(asked["upcard-left"]),
        game=games.euchre_game(asked["game"]),
        deals=_deals(asked, MOST_PLAY_DEALS) or DEFAULT_PLAY_DEALS,
        seed=asked["seed"] or 0,
        believe=not asked["ignore-bids"],
        progress=progress,
    )


def match(games: Games, asked: Asked, progress: Progress | None) -> Result:
    """Give the chance of winning the match by score and dealer."""
    from oddscalc.euchre.matches import match_table

    score, seat = asked["score"], asked["seat"]
    if seat is not None and score is None:
        raise InputError(f"The seat '{seat}' is given without a score; accepted: with --score.")
    table = match_table(games.euchre_game(asked["game"]), progress=progress)
    return table if score is None else table.at(score, seat)


def larger_samples(asked: Asked) -> Iterator[Asked]:
    """Yield a question about bids for ever more deals, at last for as many as were asked for."""
    samples = OPEN_SAMPLES if asked["play"] == "open" else CLOSED_SAMPLES
    return _larger(asked, samples, _deals(asked, MOST_DEALS))


def larger_weighings(asked: Asked) -> Iterator[Asked]:
    """Yield a question about cards to play for ever more deals; as `larger_samples`."""
    return _larger(asked, WEIGHINGS, _deals(asked, MOST_PLAY_DEALS))


def _larger(asked: Asked, samples: Iterable[int], most: int | None) -> Iterator[Asked]:
    for deals in samples:
        if most is None or deals < most:
            yield {**asked, "deals": deals}
    yield asked


def _deals(asked: Asked, most: int) -> int | None:
    deals: int | None = asked["deals"]
    if deals is not None and not 2 <= deals <= most:
        raise InputError(f"{deals} deals cannot be sampled; accepted: 2 to {most:,}.")
    return deals


def _card(games: Games, asked: Asked) -> Any:
    from oddscalc.dice.asking import asked_card

    return asked_card(
        games.dice_game(asked["game"]),
        filled=asked["filled"],
        open_boxes=asked["open"],
        bonus_progress=asked["bonus-progress"],
        points=asked["points"],
        joker_bonus=asked["joker-bonus"] or 0,
    )
