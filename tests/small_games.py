"""Dice games small enough for the oracle, that together turn every switch of the rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from oddscalc.dice.rules import DiceGame, game_names, read_game

# The built-in games that are solved in a second; the other one has tests marked as slow.
QUICK_GAMES = [name for name in game_names() if name != "maxi-yatzy"]


def _rules(
    boxes: str,
    rest: str = "",
    *,
    dice: int = 3,
    faces: int = 3,
    rolls: int = 3,
    in_turn: bool = False,
) -> str:
    top = f"dice = {dice}\nfaces = {faces}\nrolls = {rolls}\n"
    top += f"parts_in_turn = {str(in_turn).lower()}\n"
    lines = "\n".join(line.strip() for line in f"[boxes]\n{boxes}\n{rest}\n".splitlines())
    return top + lines


_COUNTS = """
ones = { kind = "count", face = 1 }
twos = { kind = "count", face = 2 }
"""
_PAR = """
ones = { kind = "count", face = 1, par = 2 }
twos = { kind = "count", face = 2, par = 2 }
"""
_LOWER = """
pair = { kind = "alike", groups = [2], points = "dice", first_roll = 2 }
chance = { kind = "chance" }
"""


def _parts(*, one: str = "any", two: str = "any") -> str:
    return f"""
    [parts]
    one = {{ boxes = ["ones", "twos"], order = "{one}" }}
    two = {{ boxes = ["pair", "chance"], order = "{two}" }}
    """


def _bonuses(*lines: str) -> str:
    return "[bonuses]\n" + "\n".join(lines)


# Patterns and points, without bonuses.
_PATTERNS = {
    "count": _rules(_COUNTS),
    "count-par": _rules(_PAR),
    "count-par-of-all-dice": _rules('twos = { kind = "count", face = 2, par = 3 }'),
    "count-first-roll": _rules(
        """
        ones = { kind = "count", face = 1, par = 2, first_roll = 3 }
        threes = { kind = "count", face = 3, first_roll = 2 }
        """
    ),
    "any-face": _rules('named = { kind = "count", face = "any" }' + _COUNTS),
    "any-face-par": _rules('named = { kind = "count", face = "any", par = 2 }', faces=4),
    "any-face-par-first-roll": _rules(
        """
        named = { kind = "count", face = "any", par = 2, first_roll = 2 }
        twos = { kind = "count", face = 2 }
        """
    ),
    "pair-dice": _rules('pair = { kind = "alike", groups = [2], points = "dice" }'),
    "pair-all": _rules('pair = { kind = "alike", groups = [2], points = "all" }', faces=4),
    "pair-fixed-extra": _rules(
        'pair = { kind = "alike", groups = [2], points = 10, extra = 3, first_roll = 2 }'
    ),
    "pair-negative-points": _rules(
        """
        pair = { kind = "alike", groups = [2], points = -4, extra = 1 }
        triple = { kind = "alike", groups = [3], points = 9, extra = -2 }
        """
    ),
    "singles-of-different-faces": _rules(
        """
        three = { kind = "alike", groups = [1, 1, 1], points = "dice" }
        two = { kind = "alike", groups = [1, 1], points = "dice", first_roll = 2 }
        """,
        faces=4,
    ),
    "groups-of-different-faces": _rules(
        """
        house = { kind = "alike", groups = [1, 2], points = "dice", first_roll = 2 }
        whole = { kind = "alike", groups = [3], points = "all", extra = 5 }
        """
    ),
    "groups-of-any-faces": _rules(
        """
        house = { kind = "alike", groups = [2, 1], points = "dice", different_faces = false }
        two = { kind = "alike", groups = [1, 1], points = "dice", different_faces = false }
        """
    ),
    "two-pairs-different": _rules(
        """
        two-pairs = { kind = "alike", groups = [2, 2], points = "dice" }
        chance = { kind = "chance" }
        """,
        dice=4,
    ),
    "two-pairs-any": _rules(
        """
        two-pairs = { kind = "alike", groups = [2, 2], points = 8, different_faces = false }
        chance = { kind = "chance" }
        """,
        dice=4,
    ),
    "straight-one-place": _rules(
        """
        low = { kind = "straight", length = 2, lowest = [1], points = "dice" }
        high = { kind = "straight", length = 2, lowest = [3], points = "all" }
        """,
        faces=4,
    ),
    "straight-places": _rules(
        """
        short = { kind = "straight", length = 2, lowest = [1, 3], points = "dice", first_roll = 2 }
        long = { kind = "straight", length = 3, points = 12, extra = 1 }
        """,
        faces=4,
    ),
    "straight-every-place": _rules(
        'short = { kind = "straight", length = 2, points = "dice", extra = -3 }', faces=4
    ),
    "straight-of-two-dice": _rules(
        """
        run = { kind = "straight", length = 2, points = "all", first_roll = 10 }
        pair = { kind = "alike", groups = [2], points = "all" }
        """,
        dice=2,
        faces=4,
    ),
    "chance": _rules('chance = { kind = "chance" }', faces=4),
    "chance-first-roll-extra": _rules(
        """
        chance = { kind = "chance", first_roll = 2, extra = -3 }
        other = { kind = "chance" }
        """
    ),
    "best-of": _rules(
        """
        best = { kind = "best-of", of = [
            { kind = "alike", groups = [2], points = "dice", first_roll = 2 },
            { kind = "straight", length = 3, points = 9 },
            { kind = "alike", groups = [3], points = "dice", extra = 6, first_roll = 3 },
        ] }
        """,
    ),
    "best-of-counts": _rules(
        """
        low = { kind = "best-of", of = [
            { kind = "count", face = 1, par = 1 }, { kind = "count", face = 2, par = 2 },
        ] }
        chance = { kind = "best-of", of = [
            { kind = "chance" }, { kind = "straight", length = 3, points = 11, first_roll = 2 },
        ] }
        """,
    ),
}

# How long a turn is, and how many dice.
_TURNS = {
    f"{dice}-dice-{rolls}-rolls": _rules(
        f"""
        ones = {{ kind = "count", face = 1, par = 1 }}
        alike = {{ kind = "alike", groups = [{dice}], points = "dice", first_roll = 2, extra = 2 }}
        chance = {{ kind = "chance" }}
        """,
        _bonuses('all = { boxes = ["ones", "chance"], at_least = 4, points = 3 }'),
        dice=dice,
        rolls=rolls,
    )
    for dice in (1, 2, 3)
    for rolls in (1, 2, 3, 4)
}

# Which boxes are open.
_ORDERS = {
    f"parts-{'in-turn' if in_turn else 'free'}-{one}-{two}": _rules(
        _PAR + _LOWER,
        _parts(one=one, two=two)
        + _bonuses('upper = { boxes = ["ones", "twos"], at_least = 0, points = 5 }'),
        dice=2,
        in_turn=in_turn,
    )
    for in_turn in (False, True)
    for one in ("any", "fixed")
    for two in ("any", "fixed")
}

# Bonuses.
_BONUSES = {
    "bonus": _rules(
        _COUNTS, _bonuses('upper = { boxes = ["ones", "twos"], at_least = 6, points = 9 }')
    ),
    "bonus-par-zero": _rules(
        _PAR, _bonuses('upper = { boxes = ["ones", "twos"], at_least = 0, points = 9 }')
    ),
    "bonus-below-zero": _rules(
        _PAR, _bonuses('upper = { boxes = ["ones", "twos"], at_least = -3, points = 9 }')
    ),
    "bonus-always": _rules(
        _COUNTS, _bonuses('upper = { boxes = ["ones", "twos"], at_least = -8, points = 9 }')
    ),
    "bonus-never": _rules(
        _PAR, _bonuses('upper = { boxes = ["ones", "twos"], at_least = 50, points = 9 }')
    ),
    "penalty": _rules(
        _COUNTS, _bonuses('upper = { boxes = ["ones", "twos"], at_least = 4, points = -9 }')
    ),
    "penalty-below-zero": _rules(
        _PAR + 'chance = { kind = "chance" }',
        _bonuses('upper = { boxes = ["ones", "twos"], at_least = -2, points = -9 }'),
    ),
    "bonus-any-face": _rules(
        'named = { kind = "count", face = "any", par = 2 }\nchance = { kind = "chance" }',
        _bonuses('named = { boxes = ["named"], at_least = 0, points = 50 }'),
    ),
    "bonus-of-one-box": _rules(
        _COUNTS + _LOWER, _bonuses('one = { boxes = ["pair"], at_least = 6, points = 5 }'), dice=2
    ),
    "bonus-of-lower-boxes": _rules(
        _LOWER + 'twos = { kind = "count", face = 2 }',
        _bonuses('lower = { boxes = ["pair", "chance"], at_least = 12, points = 8 }'),
    ),
    "bonus-negative-fixed-points": _rules(
        """
        pair = { kind = "alike", groups = [2], points = -4 }
        twos = { kind = "count", face = 2 }
        """,
        _bonuses('both = { boxes = ["pair", "twos"], at_least = 2, points = 8 }'),
    ),
    "bonus-negative-extra": _rules(
        """
        run = { kind = "straight", length = 2, points = "dice", extra = -9, first_roll = 2 }
        chance = { kind = "chance", extra = -2 }
        """,
        _bonuses('both = { boxes = ["run", "chance"], at_least = 1, points = 8 }'),
    ),
    "bonus-first-roll-count": _rules(
        """
        ones = { kind = "count", face = 1, first_roll = 2 }
        twos = { kind = "count", face = 2, par = 1, first_roll = 3 }
        """,
        _bonuses('upper = { boxes = ["ones", "twos"], at_least = 7, points = 9 }'),
    ),
    "bonuses-two": _rules(
        _COUNTS + _LOWER,
        _bonuses(
            'upper = { boxes = ["ones", "twos"], at_least = 3, points = 9 }',
            'lower = { boxes = ["pair", "chance"], at_least = 9, points = 4 }',
        ),
        dice=2,
    ),
    "bonuses-overlapping": _rules(
        _PAR + 'chance = { kind = "chance" }',
        _bonuses(
            'upper = { boxes = ["ones", "twos"], at_least = 0, points = 9 }',
            'rest = { boxes = ["twos", "chance"], at_least = 7, points = 5 }',
        ),
    ),
    "bonuses-steps": _rules(
        _COUNTS,
        _bonuses(
            'low = { boxes = ["ones", "twos"], at_least = 4, points = 3 }',
            'high = { boxes = ["twos", "ones"], at_least = 7, points = 6 }',
        ),
        faces=2,
    ),
    "bonuses-nested-mixed-signs": _rules(
        _PAR + _LOWER,
        _bonuses(
            'inner = { boxes = ["ones"], at_least = 0, points = -2 }',
            'outer = { boxes = ["ones", "twos", "pair"], at_least = 3, points = 6 }',
        ),
        dice=2,
    ),
    # A bonus that never moves beside one that does.
    "bonuses-one-of-a-box-always-zero": _rules(
        """
        nothing = { kind = "alike", groups = [1], points = 0 }
        threes = { kind = "count", face = 3 }
        chance = { kind = "chance" }
        """,
        _bonuses(
            'still = { boxes = ["nothing"], at_least = 5, points = 5 }',
            'moving = { boxes = ["threes", "chance"], at_least = 3, points = 4 }',
        ),
        dice=1,
        rolls=1,
    ),
    "bonuses-three": _rules(
        _COUNTS + 'chance = { kind = "chance", first_roll = 2 }',
        _bonuses(
            'a = { boxes = ["ones", "twos"], at_least = 3, points = 2 }',
            'b = { boxes = ["twos", "chance"], at_least = 9, points = 4 }',
            'c = { boxes = ["ones", "chance"], at_least = 8, points = 3 }',
        ),
        dice=2,
    ),
    "bonus-across-parts-in-turn": _rules(
        _PAR + _LOWER,
        _parts(two="fixed")
        + _bonuses('x = {boxes = ["twos", "chance"], at_least = 4, points = 6 }'),
        dice=2,
        in_turn=True,
    ),
}

_WHOLE = {
    "fixed": 'whole = { kind = "alike", groups = [%d], points = 10 }',
    "dice": 'whole = { kind = "alike", groups = [%d], points = "dice", extra = 5, first_roll = 2 }',
}
_JOKER_LOWER = """
house = { kind = "alike", groups = [2, 1], points = 6, extra = 1, first_roll = 2 }
"""


def _joker(placement: str, bonus: int) -> str:
    return f'[joker]\nbox = "whole"\nbonus = {bonus}\nplacement = "{placement}"\n'


# Jokers: what the roll of a filled box of all dice alike may do.
_JOKERS = {
    f"joker-{placement}-{bonus}-{points}": _rules(
        # No box of threes: that face counts as filled.
        _COUNTS + _JOKER_LOWER + whole % 3,
        _bonuses('upper = { boxes = ["ones", "twos"], at_least = 5, points = 7 }')
        + "\n"
        + _joker(placement, bonus),
    )
    for placement in ("none", "forced", "upper-filled", "free")
    for bonus in (0, 20)
    for points, whole in _WHOLE.items()
}
_JOKERS |= {
    f"joker-{placement}-parts-in-turn": _rules(
        # The joker's box is filled before the boxes of the faces open, or after.
        """
        twos = { kind = "count", face = 2, par = 1 }
        run = { kind = "straight", length = 2, points = 7 }
        ones = { kind = "count", face = 1 }
        """
        + _WHOLE["fixed"] % 2,
        '[parts]\na = { boxes = ["whole", "twos"] }\nb = { boxes = ["run", "ones"] }\n'
        + _joker(placement, 5),
        dice=2,
        in_turn=True,
    )
    for placement in ("forced", "upper-filled", "free")
}
_JOKERS |= {
    f"joker-{placement}-order-fixed": _rules(
        """
        ones = { kind = "count", face = 1 }
        run = { kind = "straight", length = 2, points = 7 }
        twos = { kind = "count", face = 2, par = 2 }
        """
        + _WHOLE["fixed"] % 2,
        '[parts]\na = { boxes = ["whole", "ones", "run", "twos"], order = "fixed" }\n'
        + _joker(placement, 5),
        dice=2,
    )
    for placement in ("forced", "upper-filled", "free")
}
_JOKERS |= {
    f"joker-{placement}-in-a-bonus": _rules(
        """
        run = { kind = "straight", length = 2, points = 7, first_roll = 2 }
        threes = { kind = "count", face = 3, par = 1 }
        best = { kind = "best-of", of = [
            { kind = "straight", length = 3, points = 4 }, { kind = "chance" },
        ] }
        """
        + _WHOLE["fixed"] % 3,
        _bonuses('lower = { boxes = ["run", "whole", "best"], at_least = 19, points = 7 }')
        + "\n"
        + _joker(placement, 3),
    )
    for placement in ("none", "forced", "upper-filled", "free")
}
_JOKERS |= {
    f"joker-{placement}-any-face": _rules(
        """
        named = { kind = "count", face = "any", par = 1 }
        run = { kind = "straight", length = 2, points = 7 }
        """
        + _WHOLE["fixed"] % 2,
        _joker(placement, 5),
        dice=2,
    )
    for placement in ("forced", "upper-filled", "free")
}

SMALL_GAMES: dict[str, str] = _PATTERNS | _TURNS | _ORDERS | _BONUSES | _JOKERS
"""Rule texts by a name that says what each is about."""


def random_rules(seed: int) -> str:
    """Return the text of a game drawn from the whole vocabulary of the rules."""
    random = Random(seed)
    dice, faces = random.choice([(1, 4), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)])
    number = random.choice([2, 3, 3, 4]) if dice * faces < 9 else 3
    names = [f"box-{place}" for place in range(number)]
    boxes = {name: _random_box(random, dice, faces) for name in names}
    rest = ""
    whole = random.choice(names)
    if dice > 1 and random.random() < 0.5:
        points = random.choice(['"dice"', '"all"', "8"])
        extra = random.choice([0, 3])
        boxes[whole] = (
            f'{{ kind = "alike", groups = [{dice}], points = {points}, extra = {extra} }}'
        )
        placement = random.choice(["none", "forced", "upper-filled", "free"])
        rest += f'[joker]\nbox = "{whole}"\nplacement = "{placement}"\n'
        rest += f"bonus = {random.choice([0, 6])}\n"
    if random.random() < 0.6:
        random.shuffle(names)
        cut = random.randrange(1, number)
        rest += "[parts]\n"
        for part in (names[:cut], names[cut:]):
            order = random.choice(["any", "any", "fixed"])
            rest += f'{part[0]} = {{ boxes = {part}, order = "{order}" }}\n'
    for place in range(random.choice([0, 1, 1, 2])):
        held = random.sample(names, random.randrange(1, number + 1))
        rest += f"[bonuses.bonus-{place}]\nboxes = {held}\n"
        rest += f"at_least = {random.randrange(-3, 2 * dice * faces)}\n"
        rest += f"points = {random.choice([-5, 4, 11])}\n"
    lines = "\n".join(f"{name} = {box}" for name, box in boxes.items())
    rolls = random.choice([1, 2, 2, 3, 3, 4])
    in_turn = random.random() < 0.5
    return _rules(lines, rest, dice=dice, faces=faces, rolls=rolls, in_turn=in_turn)


def _random_box(random: Random, dice: int, faces: int) -> str:
    if random.random() < 0.75:
        return f"{{ {_random_scoring(random, dice, faces)} }}"
    of = ", ".join(f"{{ {_random_scoring(random, dice, faces)} }}" for _ in range(2))
    return f'{{ kind = "best-of", of = [{of}] }}'


def _random_scoring(random: Random, dice: int, faces: int) -> str:
    kinds = ["count", "count", "alike", "alike", "chance"] + ["straight"] * (min(dice, faces) > 1)
    kind = random.choice(kinds)
    text = f'kind = "{kind}", first_roll = {random.choice([1, 1, 2, 3])}'
    if kind == "count":
        face = random.choice(['"any"', *range(1, faces + 1), *range(1, faces + 1)])
        return f"{text}, face = {face}, par = {random.choice([0, 0, 1, dice])}"
    text += f", extra = {random.choice([0, 0, 4, -3])}"
    if kind == "chance":
        return text
    points = random.choice(['"dice"', '"dice"', '"all"', "6", "-2"])
    text += f", points = {points}"
    if kind == "straight":
        length = random.randrange(2, min(dice, faces) + 1)
        every = range(1, faces - length + 2)
        lowest = random.sample(every, random.randrange(1, len(every) + 1))
        return f"{text}, length = {length}, lowest = {lowest}"
    different = random.random() < 0.5
    groups = [random.randrange(1, dice + 1)]
    while sum(groups) < dice and (not different or len(groups) < faces) and random.random() < 0.6:
        groups.append(random.randrange(1, dice - sum(groups) + 1))
    return f"{text}, groups = {groups}, different_faces = {str(different).lower()}"


@cache
def small_game(name: str) -> DiceGame:
    """Return a small game by its name, or the random game of a seed ("random-7")."""
    text = SMALL_GAMES.get(name) or random_rules(int(name.removeprefix("random-")))
    return game_of(text, name)


def game_of(text: str, name: str = "house") -> DiceGame:
    """Return the game of a rule text, read as a user's own file is."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return read_game(path)
