"""What every answer can do: JSON, Polars, CSV, Markdown, a terminal table and HTML.

An answer is a frozen dataclass that says what it holds (`to_dict`) and what its table is
(`columns`, `records`); everything else follows from these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderableType

__all__ = ["Column", "Detail", "Result", "percent"]


def percent(chance: float) -> str:
    """Return a chance in per cent; only what is impossible or certain is told as 0 or 100.

    >>> percent(0.25), percent(1e-9), percent(0.0), percent(1.0)
    ('25.0000%', '<0.0001%', '0%', '100%')
    """
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if chance < 5e-7:
        return "<0.0001%"
    return ">99.9999%" if chance > 1 - 5e-7 else f"{chance:.4%}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer's table: its key in `records`, its title, how a value is shown."""

    key: str
    title: str
    show: Callable[[Any], str] = str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Detail:
    """A further table below an answer's own."""

    title: str
    columns: Sequence[Column]
    records: list[dict[str, Any]]


class Result:
    """Base of all answers.

    Attributes
    ----------
    schema
        Name and version of the JSON form.
    shown
        How many records a table shows unless told otherwise; None for all.
    """

    schema: ClassVar[str]
    shown: ClassVar[int | None] = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        raise NotImplementedError

    def headline(self) -> str:
        """Return the answer as a sentence."""
        raise NotImplementedError

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table, a value for each column's key."""
        raise NotImplementedError

    def view(self, limit: int | None) -> list[dict[str, Any]]:
        """Return the rows that a table shows, at most `limit` if that is told."""
        return self.records()[:limit]

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: the table's, unless records hold others."""
        return [column.key for column in self.columns()]

    def details(self) -> list[Detail]:
        """Return further tables."""
        return []

    def notes(self) -> list[str]:
        """Return sentences for below the table: how the numbers were obtained."""
        return []

    def to_json(self, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON, the schema first; on one line if `indent` is None."""
        content = {"schema": self.schema, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, indent=indent)

    def to_polars(self) -> pl.DataFrame:
        """Return all records as a Polars frame, a column for each of `fields`."""
        import polars as pl

        records = self.records()
        keys = self.fields()
        return pl.DataFrame({key: [record[key] for record in records] for key in keys})

    def to_csv(self) -> str:
        """Return the table as CSV with a header, all records."""
        import csv
        import io

        text = io.StringIO()
        keys = self.fields()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(keys)
        for record in self.records():
            values = (record[key] for key in keys)
            writer.writerow(
                " ".join(map(str, v)) if isinstance(v, (list, tuple)) else v for v in values
            )
        return text.getvalue()

    def to_markdown(self, limit: int | None = None) -> str:
        """Return headline, tables and notes as Markdown."""
        lines = [f"**{self.headline()}**", ""]
        for title, columns, rows in self._tables(limit):
            heads = [column.title for column in columns]
            rules = ["---:" if column.right else "---" for column in columns]
            lines += [f"{title}:", ""] if title else []
            cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
            lines += ["| " + " | ".join(row) + " |" for row in (heads, rules, *cells)]
            lines.append("")
        return "\n".join([*lines, *self.notes()]).strip() + "\n"

    def to_rich(self, limit: int | None = None) -> RenderableType:
        """Return headline, tables and notes for a Rich console."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        parts: list[RenderableType] = [Text(self.headline(), style="bold")]
        for title, columns, rows in self._tables(limit):
            table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
            for column in columns:
                table.add_column(column.title, justify="right" if column.right else "left")
            for row in rows:
                table.add_row(*map(Text, row))
            if table.row_count:
                parts.append(table)
        parts += [Text(note, style="dim") for note in self.notes()]
        return Group(*parts)

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        yield self.to_rich(self.shown)

    def _repr_html_(self) -> str:
        import html

        parts = [f"<p><strong>{html.escape(self.headline())}</strong></p>"]
        for title, columns, rows in self._tables(self.shown):
            caption = f"<caption>{html.escape(title)}</caption>" if title else ""
            head = "".join(f"<th>{html.escape(column.title)}</th>" for column in columns)
            body = "".join(
                "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                for row in rows
            )
            parts.append(
                f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            )
        parts += [f"<p><small>{html.escape(note)}</small></p>" for note in self.notes()]
        return "".join(parts)

    def _tables(
        self, limit: int | None
    ) -> Iterator[tuple[str | None, Sequence[Column], list[list[str]]]]:
        """Yield title, columns and cells of each table."""
        own = Detail("", self.columns(), self.view(limit))
        for table in (own, *self.details()):
            cells = [[c.show(row[c.key]) for c in table.columns] for row in table.records]
            yield table.title or None, table.columns, cells
