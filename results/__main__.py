"""Make what is published and not up to date; say what was made, when, and how long it took.

``python -m results [WORD ...] [--all] [--list]`` in the folder of the repository. WORDs choose the
commands and files that contain one of them; "pages" stands for the figures in docs/games.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from results.pages import page_of, pages
from results.plan import TERMINAL, Work, every_work

ROOT = Path(__file__).parent.parent
MANIFEST = ROOT / "results" / "manifest.json"

Entry = dict[str, Any]


def main(args: list[str] | None = None) -> int:
    """Make what was chosen and is not up to date; return 1 if a command failed."""
    parser = argparse.ArgumentParser(prog="python -m results", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--all", action="store_true", help="make again what is up to date, too")
    parser.add_argument("--list", action="store_true", help="only say what would be made")
    asked = parser.parse_args(args)
    manifest = read_manifest()
    every = list(every_work())
    chosen = [work for work in every if _is_chosen(work, asked.words)]
    due = [work for work in chosen if asked.all or not is_current(work, manifest)]
    print(f"{len(chosen) - len(due)} up to date, {len(due)} to make.")
    for work in due:
        print(work.line if not asked.list else f"  {work.line}", flush=True)
        if not asked.list:
            try:
                manifest[work.line] = made(work, ROOT)
            except subprocess.CalledProcessError as error:
                print(error.stderr, file=sys.stderr)
                return 1
            _write_manifest({w.line: manifest[w.line] for w in every if w.line in manifest})
    if not asked.list and (not asked.words or "pages" in asked.words):
        for page in pages():
            page.write_text(page_of(page), encoding="utf-8")
    return 0


def read_manifest() -> dict[str, Entry]:
    """Return what was made, by command; nothing before the first time."""
    if not MANIFEST.exists():
        return {}
    entries: dict[str, Entry] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return entries


def is_current(work: Work, manifest: dict[str, Entry]) -> bool:
    """Tell whether the files are those that the manifest speaks of, and made of the same."""
    entry = manifest.get(work.line)
    if entry is None or entry["fingerprint"] != work.mark:
        return False
    return all(
        (ROOT / file["path"]).exists() and digest(ROOT / file["path"]) == file["sha256"]
        for file in entry["files"]
    )


def made(work: Work, folder: Path) -> Entry:
    """Run a command, its files written below a folder, and return what the manifest says of it.

    Raises
    ------
    CalledProcessError
        If the command fails.
    """
    start = time.perf_counter()
    paths = {option: folder / file for option, file in work.files.items()}
    for path in paths.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.rmtree(path)  # nothing is written over a folder with anything else in it
    told = [word for o, path in paths.items() if o != TERMINAL for word in (o, str(path))]
    run = subprocess.run(
        [sys.executable, "-m", "oddscalc", *work.words, *told],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=os.environ | {"FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
    )
    if TERMINAL in paths:
        paths[TERMINAL].write_text(terminal_picture(work.line, run.stdout), encoding="utf-8")
    return {
        "fingerprint": work.mark,
        "made": f"{datetime.now(UTC):%Y-%m-%d}",
        "seconds": round(time.perf_counter() - start, 1),
        "files": [
            {
                "path": path.relative_to(folder).as_posix(),
                "bytes": path.stat().st_size,
                "sha256": digest(path),
            }
            for each in paths.values()
            for path in files_of(each)
        ],
    }


def terminal_picture(title: str, printed: str) -> str:
    """Return what a command printed, colours included, as SVG."""
    import io
    import re

    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(printed.rstrip()))
    picture = console.export_svg(title=title, unique_id="terminal")
    # A picture fetches no fonts from elsewhere; any of fixed width will do.
    return re.sub(r"@font-face {.*?}\s*", "", picture, flags=re.DOTALL)


def files_of(path: Path) -> list[Path]:
    """Return the files of a folder, or the one file itself."""
    return sorted(path.iterdir()) if path.is_dir() else [path]


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_chosen(work: Work, words: list[str]) -> bool:
    text = " ".join([work.line, *work.files.values()])
    return not words or any(word in text for word in words)


def _write_manifest(entries: dict[str, Entry]) -> None:
    text = json.dumps(entries, indent=1, ensure_ascii=False)
    temporary = MANIFEST.with_suffix(".part")
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(MANIFEST)


if __name__ == "__main__":
    sys.exit(main())
