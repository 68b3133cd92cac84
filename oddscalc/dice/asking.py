"""What is asked in words, by the options of the command line or of the web: cards and totals."""

from __future__ import annotations

from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard, parse_filled
from oddscalc.errors import InputError
from oddscalc.reading import whole_number

__all__ = ["asked_card", "asked_totals"]


def asked_card(
    game: DiceGame,
    *,
    filled: str | None = None,
    open_boxes: str | None = None,
    bonus_progress: str | None = None,
    points: int | None = None,
    joker_bonus: int = 0,
) -> Scorecard:
    """Return the card that the options tell, an empty one if they tell none.

    Raises
    ------
    InputError
        If options contradict each other, or the card cannot come about.

    >>> from oddscalc.dice.rules import load_game
    >>> asked_card(load_game("yatzy"), filled="pair=12, sixes=18").progress
    {'upper': 18}
    """
    if filled is not None and open_boxes is not None:
        raise InputError("--filled and --open are given together; accepted: one of them.")
    if open_boxes is None and (bonus_progress is not None or points is not None):
        option = "--bonus-progress" if bonus_progress is not None else "--points"
        raise InputError(f"{option} is given without --open; accepted: together with --open.")
    if filled is None and joker_bonus:
        raise InputError("--joker-bonus is given without --filled; accepted: together with it.")
    if open_boxes is None:
        return Scorecard(game, parse_filled(filled or ""), joker_bonus)
    names = [word for word in map(str.strip, open_boxes.split(",")) if word]
    if not names:
        raise InputError("--open is empty; accepted: names of boxes, parted by commas.")
    return Scorecard.with_open(game, names, _progress(game, bonus_progress), points or 0)


def asked_totals(text: str) -> list[int]:
    """Return the numbers of a text like "74,12,71".

    Raises
    ------
    InputError
        If a word is not a whole number.
    """
    numbers = []
    for word in text.replace(",", " ").split():
        number = whole_number(word)
        if number is None:
            raise InputError(f"'{word}' is not a total; accepted: whole numbers, as in 74,12,71.")
        numbers.append(number)
    return numbers


def _progress(game: DiceGame, text: str | None) -> dict[str, int]:
    if text is None:
        return {}
    names = [bonus.name for bonus in game.bonuses]
    if not names:
        raise InputError(
            f"--bonus-progress is given, but '{game.name}' has no bonus; accepted: none."
        )
    if "=" not in text and len(names) == 1:
        text = f"{names[0]}={text}"
    return parse_filled(text, "sum of a bonus's boxes")
