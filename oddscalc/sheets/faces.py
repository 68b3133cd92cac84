"""A sheet as a file; its ending says how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from oddscalc.errors import ExportError, InputError
from oddscalc.export import check_folder, write_whole
from oddscalc.sheets.sheet import Sheet

__all__ = ["ENDINGS", "check_sheet", "render", "write_sheet"]

TYPST: dict[str, Literal["pdf", "png", "svg"]] = {".pdf": "pdf", ".png": "png", ".svg": "svg"}
SINGLE = (".png", ".svg")  # hold one page
ENDINGS = (".html", *TYPST, ".md")


def check_sheet(path: Path, pages: int = 1) -> None:
    """Refuse a file that cannot become a sheet of so many pages, before the work is done.

    Raises
    ------
    InputError
        If its name has another ending, its folder is none, or it cannot hold so many pages.
    ExportError
        If Typst is needed and not installed.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"The sheet '{path}' ends in '{path.suffix}'; accepted: {', '.join(ENDINGS)}."
        )
    if pages > 1 and ending in SINGLE:
        many = ", ".join(one for one in ENDINGS if one not in SINGLE)
        raise InputError(
            f"The sheet '{path}' has {pages} pages, and {ending} holds one; accepted: {many}, or a "
            "single page."
        )
    check_folder(path)
    if ending in TYPST and find_spec("typst") is None:
        raise ExportError(
            f"A sheet as {path.suffix} needs the extra 'sheets'; install it with: pip install "
            "'oddscalc[sheets]'. Without it: .html, .md."
        )


def render(sheet: Sheet | Sequence[Sheet], ending: str) -> bytes:
    """Return a sheet, or several as pages, as the content of a file with one of `ENDINGS`."""
    pages = _pages(sheet)
    if ending == ".html":
        from oddscalc.sheets.html import html_page

        return html_page(pages).encode()
    if ending == ".md":
        from oddscalc.sheets.markdown import markdown_page

        return markdown_page(pages).encode()
    from oddscalc.sheets.typst import typst_pages

    return typst_pages(pages, TYPST[ending])


def write_sheet(sheet: Sheet | Sequence[Sheet], path: Path | str) -> None:
    """Write a sheet, or several as pages, to a file by its ending; never half of it.

    Raises
    ------
    InputError, ExportError
        As `check_sheet` does, or if the file cannot be written.
    """
    path = Path(path)
    check_sheet(path, len(_pages(sheet)))
    write_whole(path, render(sheet, path.suffix.lower()))


def _pages(sheet: Sheet | Sequence[Sheet]) -> Sequence[Sheet]:
    return [sheet] if isinstance(sheet, Sheet) else sheet
