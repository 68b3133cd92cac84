"""The command line: parse, call, draw; nothing else."""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import Annotated, NoReturn

import typer

from oddscalc import __version__
from oddscalc.cli import euchre_match, euchre_play, euchre_sheet  # noqa: F401  they add commands
from oddscalc.cli.bench import bench
from oddscalc.cli.dice import app as dice_app
from oddscalc.cli.euchre import app as euchre_app
from oddscalc.cli.euchre_tables import app as euchre_tables_app
from oddscalc.cli.web import serve
from oddscalc.errors import InputError, OddscalcError

__all__ = ["app", "main"]

app = typer.Typer(
    name="oddscalc",
    help="Exact odds for dice reroll games, and odds with error bars for Euchre.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(dice_app, name="dice")
app.add_typer(euchre_app, name="euchre")
euchre_app.add_typer(euchre_tables_app, name="table")
app.command()(bench)
app.command("web", rich_help_panel="Commands")(serve)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"oddscalc {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take the options that come before a command."""


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 failed, 2 wrong input."""
    # Looking for garbage again and again while modules are loaded is a good part of a look-up.
    gc.set_threshold(100_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ♠ gets a ? for it
    try:
        try:
            app(args)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OddscalcError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, InputError) else 1)
    except BrokenPipeError:
        # The reader has had enough, as `head` does; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        print(f"Error: the answer cannot be written: {error.strerror}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
    sys.exit(0)
