"""Tables agree with rules and advice, and docs/tables.md tells their columns."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from oddscalc import __version__, dice, euchre
from oddscalc.cli import main
from oddscalc.cli.dice_files import TableKind
from oddscalc.dice.frames import KINDS, table_about
from oddscalc.errors import ExportError, InputError
from oddscalc.euchre.deals_table import write_deals

ROOT = Path(__file__).parent.parent


def columns_of(page: str, heading: str) -> list[tuple[str, str]]:
    """Return names and types of the columns that a page tells below a heading."""
    part = (ROOT / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    table = part.split("| column | type | unit | meaning |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]
    assert all(len(row) == 4 and row[3] for row in rows)
    return [(row[0].strip("`"), row[1]) for row in rows]


def written(frame: pl.DataFrame) -> list[tuple[str, str]]:
    return [(name, str(kind.base_type())) for name, kind in frame.schema.items()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["poker-dice-short", "yahtzee", "yacht"])
def test_the_page_tells_every_column(kind: str, name: str, tmp_path: Path) -> None:
    game, path = dice.load_game(name), tmp_path / "table.parquet"
    rows = dice.write_table(kind, game, path)
    told = []
    for column, form in columns_of("docs/tables.md", f"dice table {kind}"):
        if column == "progress_BONUS":
            told += [(f"progress_{bonus.name}", form) for bonus in game.bonuses]
        elif column != "joker_made" or (game.joker and game.joker.bonus):
            told.append((column, form))
    frame = pl.read_parquet(path)
    assert written(frame) == told
    assert frame.height == rows


def test_the_page_tells_every_column_of_bids() -> None:
    frame = pl.read_parquet(ROOT / "results" / "tables" / "two-handed-bids.parquet")
    assert written(frame) == columns_of("docs/tables.md", "euchre table bids")


@pytest.mark.parametrize("name", euchre.game_names())
def test_the_page_tells_every_column_of_the_match(name: str) -> None:
    told = columns_of("docs/tables.md", "euchre table match")
    if name == "three-handed":
        told[2:3] = [("left", told[2][1]), ("right", told[2][1])]
    assert written(pl.read_parquet(ROOT / "results" / "tables" / f"{name}-match.parquet")) == told


@pytest.mark.parametrize("name", euchre.game_names())
def test_the_page_tells_every_column_of_deals(name: str, tmp_path: Path) -> None:
    game = euchre.load_game(name)
    write_deals(game, tmp_path / "deals", deals=3)
    seats, forms = "|".join(game.seats), dict(columns_of("docs/tables.md", "euchre table deals"))
    for word, known in ("dummy", game.dummy), ("alone", game.alone):
        forms = {kind: form for kind, form in forms.items() if known or word not in kind}
    found = set()
    for column, form in written(pl.read_parquet(tmp_path / "deals" / "*.parquet")):
        kind = re.sub(rf"(?<=_)({seats})(?=_|$)", "SEAT", re.sub("_[SHDC]_", "_SUIT_", column))
        assert form == forms[kind]
        found.add(kind)
    assert found == set(forms)


@pytest.mark.parametrize("name", ["four-handed-match", "two-handed-bids", "four-handed-deals-*/*"])
def test_metadata_of_euchre_tables(name: str) -> None:
    path = next((ROOT / "results" / "tables").glob(f"{name}.parquet"))
    about = pl.read_parquet_metadata(path)
    wanted = "table game game_fingerprint fingerprint version method seed play"
    assert {f"oddscalc.{name}" for name in wanted.split()} <= set(about)
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in page for key in about if key.startswith("oddscalc."))


def test_metadata_tell_what_made_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    dice.write_table("outcomes", "poker-dice-short", path)
    about = pl.read_parquet_metadata(path)
    assert about["oddscalc.table"] == "dice.outcomes"
    assert about["oddscalc.version"] == __version__
    assert about["oddscalc.method"] == "exact"
    assert json.loads(about["oddscalc.game"])["name"] == "poker-dice-short"
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    assert all(f"| `{key}` |" in page for key in about if key.startswith("oddscalc."))
    marks = {
        table_about(kind, name, best=best)["oddscalc.fingerprint"]
        for kind, name, best in [
            ("outcomes", "poker-dice-short", False),
            ("outcomes", "poker-dice-short", True),
            ("holds", "poker-dice-short", False),
            ("outcomes", "yacht", False),
        ]
    }
    assert len(marks) == 4
    assert about["oddscalc.fingerprint"] in marks


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_sorted_as_the_page_says(kind: str) -> None:
    frame = dice.table_frame(kind, "poker-dice-short")
    if kind in ("holds", "boxes"):
        keys, down = ["filled", "rolls_left", "roll"], [False, True, False]  # as a turn goes
        assert frame.equals(frame.sort(keys, descending=down, maintain_order=True))
        ranks = frame.group_by("filled", "rolls_left", "roll", maintain_order=True).agg(
            "rank", "value"
        )
        assert all(r[0] == 1 and r == sorted(r) for r in ranks["rank"].to_list())
        assert all(v == sorted(v, reverse=True) for v in ranks["value"].to_list())
    else:
        assert frame.equals(frame.sort(*frame.columns[:2], maintain_order=True))


def test_holds_are_all_there_and_say_what_the_advice_says() -> None:
    frame = dice.table_frame("holds", "yahtzee")
    holds = frame.filter(rolls_left=2)
    assert holds.height == 4368  # roll and keep pairs of five dice
    chances = holds.unique("roll")["roll_chance"]
    assert chances.len() == 252
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    for roll, left in ("5 5 6 6 1", 2), ("1 1 1 6 6", 1):
        advice = dice.advise(roll, game="yahtzee", rolls_left=left)
        told = [o for o in advice.options if o.action == "reroll"]
        rows = frame.filter(roll=" ".join(sorted(roll.split())), rolls_left=left)
        again = rows.filter(pl.col("box").is_null())
        assert again["hold"].to_list() == [" ".join(map(str, o.hold)) for o in told]
        assert again["value"].to_list() == [o.value for o in told]
        assert again["rerolled"].to_list() == [5 - len(o.hold) for o in told]
        scored = next(o for o in advice.options if o.action == "score")
        kept = rows.filter(pl.col("box").is_not_null()).row(0, named=True)
        assert (kept["box"], kept["points"], kept["value"]) == (
            scored.box,
            scored.points,
            scored.value,
        )
        assert (kept["hold"], kept["rerolled"]) == (" ".join(sorted(roll.split())), 0)
        assert rows["loss"].to_list() == pytest.approx(
            [rows["value"][0] - v for v in rows["value"]]
        )


def test_the_card_at_the_start_of_each_part_is_there() -> None:
    frame = dice.table_frame("boxes", "poker-dice")
    assert frame["filled"].unique().to_list() == [0, 63]
    second = frame.filter(filled=63, roll="4 4 4 4 4")
    assert second["box"].n_unique() == 9
    # Five fours: 2 × 20 + 50 on the first roll, 20 + 50 later.
    poker = dict(second.filter(box="poker").select("rolls_left", "points").iter_rows())
    assert poker == {2: 90, 1: 70, 0: 70}
    # Nothing is on that card yet: the best turn is the mean of its best first rolls.
    holds = dice.table_frame("holds", "poker-dice").filter(filled=63, rolls_left=2, rank=1)
    first = holds.unique("roll")
    value = (first["roll_chance"] * first["value"]).sum()
    assert value == pytest.approx(150.414840202, abs=1e-8)  # part two


def test_rounds_of_a_game_of_two_turns() -> None:
    frame = dice.table_frame("rounds", "poker-dice-short")
    filled = {(r["round"], r["box"]): r for r in frame.iter_rows(named=True)}
    first, second = filled[1, "three-alike"], filled[2, "combination"]
    assert (first["chance"], second["chance"]) == pytest.approx((1, 1), abs=1e-12)
    assert filled[2, "three-alike"]["chance"] == filled[1, "combination"]["chance"] == 0
    assert filled[2, "three-alike"]["mean"] is None
    # Stage one brings 37.84 with its bonus of 50 for three or more alike.
    assert first["mean"] + 50 * first["made"] == pytest.approx(37.844359332, abs=1e-8)
    assert second["mean"] == pytest.approx(24.496816776, abs=1e-8)
    assert second["price"] == pytest.approx(second["mean"], abs=1e-9)


def test_rounds_agree_with_the_whole_game() -> None:
    frame = dice.table_frame("rounds", "yahtzee")
    chance, found = pl.col("chance"), dice.outcomes("yahtzee")
    rounds = frame.group_by("round").agg(
        chance.sum(),
        (pl.col("mean") * pl.col("chance")).sum().alias("points"),
        (pl.col("price") * pl.col("chance")).sum().alias("prices"),
    )
    assert rounds["chance"].to_list() == pytest.approx([1] * 13, abs=1e-12)
    # Every later choice being the best one, a round can neither win nor lose on average. The
    # joker's bonus is no box's, and is not in the price either.
    assert rounds["points"].to_list() == pytest.approx(rounds["prices"].to_list(), abs=1e-9)
    boxes = frame.group_by("box", maintain_order=True).agg(
        chance.sum(), mean=(pl.col("mean") * chance).sum(), made=(pl.col("made") * chance).sum()
    )
    assert boxes["chance"].to_list() == pytest.approx([1] * 13, abs=1e-12)
    assert boxes["mean"].to_list() == pytest.approx([box.mean for box in found.boxes], abs=1e-9)
    assert boxes["made"].to_list() == pytest.approx([box.made for box in found.boxes], abs=1e-9)


def test_the_last_box_costs_what_it_brings() -> None:
    frame = dice.table_frame("rounds", "yacht").filter(round=12)
    assert frame["price"].to_list() == pytest.approx(frame["mean"].to_list(), abs=1e-9)
    # Only the yacht is open: five alike in three rolls, playing for it alone.
    yacht = frame.filter(box="yacht").row(0, named=True)
    assert yacht["made"] == pytest.approx(float(Fraction(347897, 7558272)), abs=1e-12)
    assert yacht["mean"] == pytest.approx(50 * yacht["made"], abs=1e-9)


def test_outcomes_with_the_best_chance_of_each_total() -> None:
    frame = dice.table_frame("outcomes", "poker-dice-short", best=True)
    assert frame["chance"].sum() == pytest.approx(1, abs=1e-12)
    assert (frame["at_most"] + frame["at_least"] - frame["chance"]).to_list() == pytest.approx(
        [1] * frame.height, abs=1e-12
    )
    assert (frame["best"] > frame["at_least"] - 1e-12).all()
    one = frame.filter(total=74).row(0, named=True)
    assert one["best"] == pytest.approx(dice.beat(74, game="poker-dice-short").probability)
    assert dice.table_frame("outcomes", "poker-dice-short")["best"].null_count() == frame.height


def test_values_are_those_of_all_sets_of_boxes() -> None:
    frame = dice.table_frame("values", "yacht")
    assert frame["filled"].to_list() == list(range(4096))
    assert frame["value"][0] == pytest.approx(166.955067705, abs=1e-8)
    assert frame["value"][-1] == 0


def test_the_command_writes_table_and_chart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, chart = tmp_path / "rounds.parquet", tmp_path / "rounds.svg"
    args = ["dice", "table", "rounds", "poker-dice-short", "-o", str(table), "--plot", str(chart)]
    with pytest.raises(SystemExit) as caught:
        main([*args, "--json"])
    content = json.loads(capsys.readouterr().out)
    assert caught.value.code == 0
    assert content["schema"] == "oddscalc.dice.table/1"
    assert (content["kind"], content["rows"]) == ("rounds", 4)
    assert pl.read_parquet(table).equals(dice.table_frame("rounds", "poker-dice-short"))
    drawn = chart.read_text(encoding="utf-8")
    assert ">Combination<" in drawn
    assert ">costs<" in drawn


def test_a_house_rule_in_a_table(tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text('base = "poker-dice-short"\nrolls = 2\n', encoding="utf-8")
    table = tmp_path / "holds.parquet"
    with pytest.raises(SystemExit) as caught:
        main(["dice", "table", "holds", "--rules", str(rules), "-o", str(table)])
    assert caught.value.code == 0
    assert pl.read_parquet(table)["rolls_left"].unique().to_list() == [1]
    assert json.loads(pl.read_parquet_metadata(table)["oddscalc.game"])["name"] == "house"


def test_parts_that_a_bonus_spans_have_one_card(tmp_path: Path) -> None:
    rules = tmp_path / "spanned.toml"
    rules.write_text(
        'base = "poker-dice-short"\n'
        '[bonuses]\nboth = { boxes = ["three-alike", "combination"], at_least = 20, points = 5 }\n',
        encoding="utf-8",
    )
    game = dice.read_game(rules)
    assert dice.table_frame("holds", game)["filled"].unique().to_list() == [0]
    assert dice.table_frame("holds", "poker-dice-short")["filled"].unique().to_list() == [0, 1]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["holds", "yatsy", "-o", "t.parquet"], 2, ["'yatsy'", "yatzy"]),
        (["hold", "yatzy", "-o", "t.parquet"], 2, ["'hold'", "holds"]),
        (["holds", "yatzy", "-o", "t.csv"], 2, ["t.csv", "NAME.parquet"]),
        (["holds", "yatzy", "-o", "nowhere/t.parquet"], 2, ["no folder 'nowhere'"]),
        (["holds", "yatzy", "-o", "t.parquet", "--best"], 2, ["'holds'", "outcomes"]),
        (["values", "yatzy", "-o", "t.parquet", "--plot", "t.svg"], 2, ["'values'", "rounds or"]),
        (["rounds", "yatzy", "-o", "t.parquet", "--plot", "t.jpg"], 2, ["t.jpg", ".svg"]),
        (["rounds", "yatzy"], 2, ["--output"]),
    ],
)
def test_wrong_input_writes_nothing(
    args: list[str],
    code: int,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(["dice", "table", *args])
    assert caught.value.code == code
    err = capsys.readouterr().err
    assert all(word in err for word in words)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(ExportError, match=r"t\.parquet"):
        dice.write_table("rounds", "poker-dice-short", tmp_path / "t.parquet")
    with pytest.raises(InputError, match="accepted: rounds or outcomes"):
        dice.draw_table("holds", "poker-dice-short", tmp_path / "t.svg")


def test_the_command_knows_every_table() -> None:
    assert tuple(TableKind) == KINDS
