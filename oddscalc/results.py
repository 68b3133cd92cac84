"""What every answer can do: JSON, Polars, CSV, Markdown, a terminal table and HTML.

An answer is a frozen dataclass that says what it holds (`to_dict`) and what its table is
(`columns`, `records`); everything else follows from these.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderableType

__all__ = ["Column", "Result"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer's table: its key in `records`, its title, how a value is shown."""

    key: str
    title: str
    show: Callable[[Any], str] = str
    right: bool = False


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

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: the table's, unless records hold more."""
        return [column.key for column in self.columns()]

    def notes(self) -> list[str]:
        """Return sentences for below the table: how the numbers were obtained."""
        return []

    def to_json(self) -> str:
        """Return `to_dict` as JSON, the schema first."""
        content = {"schema": self.schema, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, indent=2)

    def to_polars(self) -> pl.DataFrame:
        """Return all records as a Polars frame, a column for each of `fields`."""
        import polars as pl

        records = self.records()
        return pl.DataFrame({key: [record[key] for record in records] for key in self.fields()})

    def to_csv(self) -> str:
        """Return the table as CSV with a header, all records."""
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
        """Return headline, table and notes as Markdown."""
        columns = self.columns()
        lines = [f"**{self.headline()}**", ""]
        lines.append("| " + " | ".join(column.title for column in columns) + " |")
        lines.append("|" + "|".join("---:" if column.right else "---" for column in columns) + "|")
        for row in self._cells(limit):
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        lines += ["", *self.notes()]
        return "\n".join(lines).strip() + "\n"

    def to_rich(self, limit: int | None = None) -> RenderableType:
        """Return headline, table and notes for a Rich console."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for column in self.columns():
            table.add_column(column.title, justify="right" if column.right else "left")
        for row in self._cells(limit):
            table.add_row(*map(Text, row))
        parts: list[RenderableType] = [Text(self.headline(), style="bold")]
        if table.row_count:
            parts.append(table)
        parts += [Text(note, style="dim") for note in self.notes()]
        return Group(*parts)

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        yield self.to_rich(self.shown)

    def _repr_html_(self) -> str:
        columns = self.columns()
        head = "".join(f"<th>{html.escape(column.title)}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._cells(self.shown)
        )
        notes = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in self.notes())
        return (
            f"<p><strong>{html.escape(self.headline())}</strong></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
        )

    def _cells(self, limit: int | None) -> Iterator[list[str]]:
        columns = self.columns()
        for record in self.records()[:limit]:
            yield [column.show(record[column.key]) for column in columns]
