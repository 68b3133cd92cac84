"""Imports run one way, and look-ups import nothing heavy."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import oddscalc
from oddscalc import dice, euchre

PACKAGE = Path(oddscalc.__file__).parent

# Each line may import from the lines above it and from its own.
LAYERS = [
    ["errors", "__init__"],
    ["reading", "gamefiles", "results", "charts", "store", "jit", "export"],
    ["clusters"],
    ["jobs"],
    ["dice.rules", "dice.notation", "dice.lattice", "euchre.rules", "euchre.kernel_bits"],
    ["dice.scoring", "dice.listing"],
    ["dice.tables", "dice.records"],
    ["dice.scorecard", "dice.kernels", "dice.turns", "dice.leads"],
    ["dice.asking"],
    ["dice.kernel_needs", "dice.kernel_paths", "dice.kernel_pot", "dice.kernel_sheet"],
    ["dice.solver", "dice.holdlines"],
    ["dice.strategy"],
    ["dice.sheet_cards", "dice.rollkinds"],
    ["dice.fitting"],
    ["dice.distribution", "dice.pots"],
    ["dice.beating", "dice.settlement", "dice.shipping"],
    ["dice.goals"],
    ["dice.advice", "dice.batch", "dice.chances"],
    ["dice.reviewing", "dice.frames"],
    ["euchre.notation", "euchre.catalogue", "euchre.scores"],
    ["euchre.hand_outcomes", "euchre.strata"],
    ["euchre.race", "euchre.score_odds"],
    ["euchre.kernels", "euchre.kernel_pairs", "euchre.kernel_deals", "euchre.kernel_plan"],
    ["euchre.contracts", "euchre.kernel_equilibrium", "euchre.kernel_worlds"],
    ["euchre.tables", "euchre.kernel_choices", "euchre.tablebase"],
    ["euchre.kernel_policy", "euchre.equilibrium", "euchre.positions"],
    ["euchre.kernel_beliefs", "euchre.kernel_bid_sheet"],
    ["euchre.kernel_table", "euchre.kernel_auction"],
    ["euchre.kernel_duels", "euchre.kernel_every"],
    ["euchre.kernel_closed"],
    ["euchre.kernel_plays", "euchre.deals", "euchre.classes", "euchre.answers", "euchre.card_odds"],
    ["euchre.plays", "euchre.kernel_library", "euchre.kernel_closed_plays"],
    ["euchre.library", "euchre.kernel_two_hands", "euchre.endings"],
    ["euchre.turns", "euchre.two_hands"],
    ["euchre.corrections"],
    [
        *("euchre.beliefs", "euchre.bidding", "euchre.closed", "euchre.closed_library"),
        *("euchre.counted_bidding", "euchre.settling"),
    ],
    ["euchre.bid_sheet"],
    ["euchre.sheet_strategy", "euchre.sheet_closed", "euchre.duplicates"],
    ["euchre.bid_fitting"],
    ["euchre.matches", "euchre.likely_deals"],
    ["euchre.closed_actions", "euchre.cardplay"],
    ["euchre.closed_bids"],
    ["euchre.sampling"],
    ["euchre.counting"],
    ["euchre.valuing", "euchre.bid_models"],
    ["euchre.solver", "euchre.bids", "euchre.chances"],
    ["euchre.frames", "euchre.strength"],
    ["euchre.pairs"],
    ["euchre.bid_table", "euchre.deals_table"],
    ["dice", "euchre"],
    ["sheets.sheet", "sheets.drawing"],
    ["sheets.html", "sheets.markdown", "sheets.typst", "sheets.leads", "sheets.lone_box"],
    ["sheets.dice", "sheets.euchre"],
    ["sheets.faces"],
    ["sheets"],
    ["web", "web.games"],
    ["web.questions"],
    ["web.endpoints"],
    ["web.worker"],
    ["web.lanes"],
    ["web.safety", "web.files", "web.answering"],
    ["web.app"],
    ["web.server"],
    ["bench.measuring"],
    ["bench.dds", "bench.kernel_leads"],
    ["bench.dice_suite", "bench.euchre_suite", "bench.cli_suite"],
    ["bench.suites"],
    ["bench.results"],
    ["bench", "bench.__main__"],
    ["cli.output", "cli.dice_options"],
    ["cli.dice_files"],
    ["cli.dice", "cli.euchre", "cli.bench"],
    ["cli.euchre_match", "cli.euchre_play", "cli.euchre_sheet", "cli.euchre_tables", "cli.web"],
    ["cli"],
    ["__main__"],
]


def _modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = path
    return found


def _imports(path: Path) -> set[str]:
    """Return the modules of oddscalc that a file imports, wherever in it."""
    found = set()
    known = set(_modules())
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("oddscalc"):
            package = (node.module or "").removeprefix("oddscalc").removeprefix(".")
            for alias in node.names:
                module = f"{package}.{alias.name}".removeprefix(".")
                found.add(module if module in known else package or "__init__")
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("oddscalc.")]
            found |= {name.removeprefix("oddscalc.") for name in names}
    return found


def test_every_module_has_its_layer() -> None:
    known = {name for layer in LAYERS for name in layer}
    assert set(_modules()) == known


def test_imports_run_one_way() -> None:
    place = {name: depth for depth, layer in enumerate(LAYERS) for name in layer}
    wrong = [
        f"{name} imports {other}"
        for name, path in _modules().items()
        for other in _imports(path) & set(place)
        # A package's own file only lists what its modules offer.
        if name in place and not path.name.startswith("__init__") and place[other] > place[name]
    ]
    assert wrong == []


def test_dice_and_euchre_never_meet() -> None:
    for name, path in _modules().items():
        family, _, module = name.partition(".")
        other = {"dice": "euchre", "euchre": "dice"}.get(family)
        if module and other:
            assert not any(found.partition(".")[0] == other for found in _imports(path)), name


def test_compiled_code_is_made_of_kernel_files_alone() -> None:
    """The folder of compiled kernels is named after these files."""
    for name, path in _modules().items():
        if "@jit" in path.read_text(encoding="utf-8"):
            assert name.rpartition(".")[2].startswith("kernel"), name
        if name.rpartition(".")[2].startswith("kernel"):
            used = {other.rpartition(".")[2] for other in _imports(path)}
            assert all(other.startswith("kernel") or other in ("jit", "tables") for other in used)


def _slices_of_arrays(path: Path) -> list[str]:
    """Return the assignments to slices of anything but a number."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            value, place = node.value, node.targets[0].slice
            number = isinstance(value, (ast.Constant, ast.UnaryOp)) or (
                isinstance(value, ast.Name) and value.id.isupper()
            )
            if not number and any(isinstance(part, ast.Slice) for part in ast.walk(place)):
                found.append(ast.unparse(node))
    return found


def test_kernels_copy_rows_in_loops() -> None:
    """Compiling what an assignment of arrays may refuse takes seconds in every process."""
    for name, path in _modules().items():
        if name.rpartition(".")[2].startswith("kernel"):
            assert _slices_of_arrays(path) == [], name


def test_modules_can_be_read_at_one_sitting() -> None:
    long = {n: len(p.read_text(encoding="utf-8").splitlines()) for n, p in _modules().items()}
    assert {name: lines for name, lines in long.items() if lines > 500} == {}


def _loaded(code: str) -> set[str]:
    script = f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_stored_hold_imports_neither_numba_nor_polars(form: str) -> None:
    dice.solve("poker-dice")
    args = ["dice", "hold", "2", "3", "6", "2", "1", "--format", form]
    loaded = _loaded(
        f"from oddscalc.cli import main\ntry:\n    main({args})\nexcept SystemExit:\n    pass"
    )
    assert "numpy" in loaded
    assert not loaded & {"numba", "llvmlite", "polars"}


def test_the_first_question_ever_imports_no_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    loaded = _loaded(
        "from oddscalc.cli import main\ntry:\n    main(['dice', 'hold', '23621'])\n"
        "except SystemExit:\n    pass"
    )
    assert "oddscalc.dice.solver" in loaded
    assert not loaded & {"numba", "llvmlite", "polars"}


def test_a_review_of_a_solved_game_imports_neither_numba_nor_polars() -> None:
    dice.solve("yahtzee")
    record = Path(__file__).parent / "records" / "yahtzee.txt"
    loaded = _loaded(
        f"from oddscalc.cli import main\ntry:\n    main(['dice', 'review', {str(record)!r}])\n"
        "except SystemExit:\n    pass"
    )
    assert "oddscalc.dice.reviewing" in loaded
    assert not loaded & {"numba", "llvmlite", "polars"}


LIGHT = [
    *(["--help"], ["bench", "--help"], ["dice", "--help"], ["dice", "hold", "--help"]),
    *(["dice", "table", "--help"],),
    *(
        ["web", "--help"],
        ["euchre", "--help"],
        ["euchre", "bid", "--help"],
        ["euchre", "table", "--help"],
    ),
    *(["euchre", "games"], ["euchre", "rules", "three-handed"], ["euchre", "rules", "--json"]),
    *(["euchre", "chance", "--of", "bowers", "-t", "S"],),
    *(["euchre", "chance", "--of", "trumps", "--hand", "AS KS 9H TD AC", "-u", "QS", "--json"],),
]


@pytest.mark.parametrize("args", LIGHT, ids=" ".join)
def test_help_rules_and_chances_import_no_numpy(args: list[str]) -> None:
    loaded = _loaded(
        f"from oddscalc.cli import main\ntry:\n    main({args})\nexcept SystemExit:\n    pass"
    )
    assert not loaded & {"numpy", "numba", "polars"}


def test_library_names_come_when_asked_for() -> None:
    assert "numpy" not in _loaded("import oddscalc\nfrom oddscalc import dice, euchre")
    assert all(hasattr(dice, name) for name in dice.__all__)
    assert all(hasattr(euchre, name) for name in euchre.__all__)
    assert all(hasattr(oddscalc, name) for name in oddscalc.__all__)
