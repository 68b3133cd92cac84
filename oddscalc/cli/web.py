"""``oddscalc web``: the page for the people at the table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["serve"]


def serve(
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="0 takes any that is free.")
    ] = 8000,
    host: Annotated[
        str, typer.Option("--host", help="Another address than this machine's own.")
    ] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
    rules: Annotated[
        list[Path] | None,
        typer.Option("--rules", help="A rule file, dice or Euchre; may be given several times."),
    ] = None,
) -> None:
    """Serve a page for the people at the table: tap dice and cards, see what to do.

    [bold]Examples[/bold]

    oddscalc web --open

    oddscalc web --rules house.toml --port 8080

    oddscalc web --host 0.0.0.0
    """
    from oddscalc.web.games import Games
    from oddscalc.web.server import is_loopback
    from oddscalc.web.server import serve as served

    def ready(address: str) -> None:
        typer.echo(f"The page is at {address}; Ctrl-C ends it.")
        sys.stdout.flush()
        if open_browser:
            typer.launch(address)

    games = Games.of_files(rules or ())
    if not is_loopback(host):
        typer.echo(
            f"Warning: on {host} everybody in your network can ask; there is no password.", err=True
        )
    served(games, host, port, ready)
