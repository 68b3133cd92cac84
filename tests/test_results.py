"""What is published is what the program says, and the commands that are told make it."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from pypdf import PdfReader

from oddscalc import dice, euchre
from oddscalc.cli import main
from oddscalc.dice.rules import Box
from oddscalc.dice.scoring import score
from oddscalc.euchre.catalogue import GameRules
from results.__main__ import MANIFEST, ROOT, files_of, is_current, made, read_manifest
from results.__main__ import main as build
from results.pages import MARK, page_of, pages
from results.plan import TERMINAL, Work, every_work

WORKS = list(every_work())


def _is_quick(work: Work) -> bool:
    quick = work.game.name == "poker-dice-short" or "holds" in work.words
    return quick and "pot" not in work.words


def _texts(picture: Path) -> list[str]:
    """Return the words of a picture; where they stand differs with the version that drew it."""
    return re.findall(r">([^<>]*\S[^<>]*)</text>", picture.read_text(encoding="utf-8"))


def _compare(file: Path, published: Path) -> None:
    if file.is_dir():
        assert [one.name for one in files_of(file)] == [one.name for one in files_of(published)]
        for one in files_of(file):
            _compare(one, published / one.name)
    elif file.suffix == ".parquet":
        assert_frame_equal(pl.read_parquet(file), pl.read_parquet(published), abs_tol=1e-9)
        assert pl.read_parquet_metadata(file) == pl.read_parquet_metadata(published)
    elif file.suffix == ".pdf":
        pages = [
            [page.extract_text() for page in PdfReader(one).pages] for one in (file, published)
        ]
        assert pages[0] == pages[1] != []
    elif file.suffix == ".html":
        assert file.read_text(encoding="utf-8") == published.read_text(encoding="utf-8")
    elif file.suffix == ".png":
        assert file.read_bytes()[:8] == published.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    else:
        assert _texts(file)
        assert _texts(file) == _texts(published)


def test_what_is_published_is_up_to_date_and_nothing_else_is() -> None:
    manifest = read_manifest()
    assert [work.line for work in WORKS if not is_current(work, manifest)] == []
    assert set(manifest) == {work.line for work in WORKS}
    folders = ("results/tables", "results/charts", "results/sheets", "docs/pictures")
    found = {
        str(file.relative_to(ROOT))
        for folder in folders
        for file in (ROOT / folder).iterdir()
        if not file.name.startswith("web-")  # drawn by a browser
    }
    assert found == {file for work in WORKS for file in work.files.values()}


def test_published_files_are_small() -> None:
    sizes = [file["bytes"] for entry in read_manifest().values() for file in entry["files"]]
    assert max(sizes) < 5_000_000
    assert sum(sizes) < 25_000_000


@pytest.mark.parametrize(
    "work", [work for work in WORKS if _is_quick(work)], ids=lambda work: work.line
)
def test_quick_ones_made_again_are_the_same(work: Work, tmp_path: Path) -> None:
    args = list(work.words)
    for option, file in work.files.items():
        args += [option, str(tmp_path / Path(file).name)]
    with pytest.raises(SystemExit) as caught:
        main(args)
    assert caught.value.code == 0
    for file in work.files.values():
        _compare(tmp_path / Path(file).name, ROOT / file)


def test_a_picture_of_the_terminal(tmp_path: Path) -> None:
    work = next(work for work in WORKS if TERMINAL in work.files)
    entry = made(work, tmp_path)
    _compare(tmp_path / work.files[TERMINAL], ROOT / work.files[TERMINAL])
    assert entry["fingerprint"] == work.mark
    drawn = (tmp_path / work.files[TERMINAL]).read_text(encoding="utf-8")
    assert "@font-face" not in drawn  # nothing is fetched from elsewhere
    assert "url(h" not in drawn


@pytest.mark.slow
@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.line)
def test_everything_made_again_is_the_same(work: Work, tmp_path: Path) -> None:
    made(work, tmp_path)
    for file in work.files.values():
        _compare(tmp_path / file, ROOT / file)


def test_nothing_is_made_twice(capsys: pytest.CaptureFixture[str]) -> None:
    before = MANIFEST.read_bytes()
    assert build(["tables"]) == 0
    assert ", 0 to make." in capsys.readouterr().out
    assert build(["--list", "--all", "yacht-holds"]) == 0
    assert "1 to make." in capsys.readouterr().out
    assert MANIFEST.read_bytes() == before


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(p, marks=pytest.mark.slow if p.stem in euchre.game_names() else ())
        for p in pages()
    ],
    ids=lambda page: page.stem,
)
def test_the_figures_of_a_page_are_those_of_the_program(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == page_of(page)


@pytest.mark.parametrize("name", euchre.game_names())
def test_a_page_of_euchre_tells_every_rule(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    for row in GameRules(euchre.load_game(name)).records():
        assert f"| `{row['key']}` | " in page
        assert f" | {row['means']} |" in page
    own, made = page.split(MARK)
    points = euchre.load_game(name).points
    assert f"Three or four tricks score {points.made} for" in own
    assert f"all five {points.march}." in own
    assert re.search(rf"euchred\*?: {points.euchred} for", own)
    assert made.count("± 0.0") == (0 if name == "two-handed" else 20)


def test_a_hand_on_the_page_of_euchre() -> None:
    page = (ROOT / "docs" / "games" / "four-handed.md").read_text(encoding="utf-8")
    answer = euchre.bid_odds("JS JC AS KH 9D", up="QS", seat="1", play="open", deals=4000)
    for action in answer.actions:
        if action.points is not None:
            assert f"{action.points:+.3f} ± {action.stderr:.3f}" in page


def test_expected_totals_on_pages_are_the_golden_ones() -> None:
    golden = (ROOT / "tests" / "golden" / "dice_values.tsv").read_text(encoding="utf-8")
    seen = 0
    for line in golden.splitlines():
        name, changes, value = line.split("\t")[:3] if line.count("\t") > 2 else ("#", "", "")
        if not name.startswith("#") and not changes:
            page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
            assert f"| expected total | {float(value):.4f} |" in page
            seen += 1
    assert seen == 9


def _fixed(box: Box) -> set[int]:
    return {s.points for s in box.scorings if isinstance(s.points, int)}


@pytest.mark.parametrize(
    "name", ["poker-dice", "poker-dice-short", "yahtzee", "kniffel", "yatzy", "maxi-yatzy", "yacht"]
)
def test_rules_in_words_name_the_numbers_of_the_rules(name: str) -> None:
    game = dice.load_game(name)
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    told = {int(number) for number in re.findall(r"\d+", page.split(MARK)[0])}
    for box in game.boxes:
        assert _fixed(box) <= told
        assert {s.extra for s in box.scorings} - {0} <= told
    for bonus in game.bonuses:
        assert {bonus.at_least, bonus.points} <= told
    if game.joker:
        assert game.joker.bonus in told | {0}


def test_examples_in_the_rules_of_poker_dice() -> None:
    boxes = {box.name: box for box in dice.load_game("poker-dice").boxes}
    page = (ROOT / "docs" / "games" / "poker-dice.md").read_text(encoding="utf-8")
    best = score(boxes["sixes"], (6, 6, 6, 6, 6), False, False)
    worst = score(boxes["sixes"], (1, 2, 3, 4, 5), False, False)
    assert f"Five sixes are +{best}, no sixes −{-worst}." in page
    short = dice.load_game("poker-dice-short")
    pair = score(short.boxes[1], (1, 2, 3, 6, 6), False, True)
    alike = score(short.boxes[0], (4, 4, 4, 5, 6), False, False) + short.bonuses[0].points
    page = (ROOT / "docs" / "games" / "poker-dice-short.md").read_text(encoding="utf-8")
    assert f"{alike} + 2 × {pair // 2} = {alike + pair}." in page
