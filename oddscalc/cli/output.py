"""How answers reach the terminal: formats, progress, words on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from threading import Timer
from typing import Annotated, Any

import typer

from oddscalc.errors import StoreError
from oddscalc.results import Column, Result

__all__ = [
    "ClusterOption",
    "Format",
    "FormatOption",
    "JsonOption",
    "PlotOption",
    "WrittenTable",
    "emit",
    "long_job",
    "progress_bar",
]

WIDEST = 200


class Format(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


FormatOption = Annotated[
    Format, typer.Option("--format", case_sensitive=False, help="How the answer is printed.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster: its scheduler's address, or local:N for N processes here.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
PlotOption = Annotated[
    Path | None, typer.Option(help="Draw a chart, too: FILE.svg, .png, .pdf or .html.")
]


def emit(result: Result, form: Format, *, json: bool = False, all_records: bool = False) -> None:
    """Print an answer on stdout."""
    limit = None if all_records else result.shown
    if json or form is Format.json:
        typer.echo(result.to_json())
    elif form is Format.csv:
        typer.echo(result.to_csv(), nl=False)
    elif form is Format.md:
        typer.echo(result.to_markdown(limit), nl=False)
    else:
        from rich.console import Console

        # A pipe or file has no width that a table would have to fit.
        piped = not sys.stdout.isatty()
        console = Console(highlight=False, soft_wrap=piped, width=WIDEST if piped else None)
        console.print(result.to_rich(limit))


@contextmanager
def progress_bar(text: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes work done and work in all.

    A bar appears on stderr if that is a terminal and the work lasts longer than a second.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=None)
    timer = Timer(1.0, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def long_job(text: str, folder: Path) -> Iterator[Callable[[int, int], None]]:
    """Yield a progress bar's function; Ctrl-C ends the work with a word on how to go on.

    Raises
    ------
    StoreError
        If the work is interrupted.
    """
    try:
        with progress_bar(text) as progress:
            yield progress
    except KeyboardInterrupt:
        raise StoreError(
            f"Interrupted; the same command goes on from the folder '{folder}'."
        ) from None


@dataclass(frozen=True)
class WrittenTable(Result):
    """A table that was written to a file."""

    game: str
    kind: str
    file: str
    rows: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return asdict(self)

    def headline(self) -> str:
        """Return the answer as a sentence."""
        return f"{self.file}: {self.rows:,} rows in {self.seconds:.1f} s"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("game", "Game"),
            Column("kind", "Kind"),
            Column("file", "File"),
            Column("rows", "Rows", "{:,}".format, right=True),
            Column("seconds", "Seconds", "{:.1f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the one row."""
        return [self.to_dict()]
