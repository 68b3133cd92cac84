"""A sheet as a file; its ending says how it looks."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from oddscalc.errors import ExportError, InputError
from oddscalc.export import check_folder, write_whole
from oddscalc.sheets.sheet import Sheet

__all__ = ["ENDINGS", "check_sheet", "render", "write_sheet"]

TYPST: dict[str, Literal["pdf", "png", "svg"]] = {".pdf": "pdf", ".png": "png", ".svg": "svg"}
ENDINGS = (".html", *TYPST, ".md")


def check_sheet(path: Path) -> None:
    """Refuse a file that cannot become a sheet, before the work is done.

    Raises
    ------
    InputError
        If its name has another ending, or its folder is none.
    ExportError
        If Typst is needed and not installed.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"The sheet '{path}' ends in '{path.suffix}'; accepted: {', '.join(ENDINGS)}."
        )
    check_folder(path)
    if ending in TYPST and find_spec("typst") is None:
        raise ExportError(
            f"A sheet as {path.suffix} needs the extra 'sheets'; install it with: pip install "
            "'oddscalc[sheets]'. Without it: .html, .md."
        )


def render(sheet: Sheet, ending: str) -> bytes:
    """Return a sheet as the content of a file with one of `ENDINGS`."""
    if ending == ".html":
        from oddscalc.sheets.html import html_page

        return html_page(sheet).encode()
    if ending == ".md":
        from oddscalc.sheets.markdown import markdown_page

        return markdown_page(sheet).encode()
    from oddscalc.sheets.typst import typst_page

    return typst_page(sheet, TYPST[ending])


def write_sheet(sheet: Sheet, path: Path | str) -> None:
    """Write a sheet to a file, html, pdf, png, svg or md by its ending; never half of it.

    Raises
    ------
    InputError, ExportError
        As `check_sheet` does, or if the file cannot be written.
    """
    path = Path(path)
    check_sheet(path)
    write_whole(path, render(sheet, path.suffix.lower()))
