"""Charts as SVG or PNG files, drawn with Altair (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oddscalc.errors import ExportError, InputError

__all__ = ["save_distribution", "save_heatmaps"]

_INK, _PAPER, _BARS = "#1f2933", "#ffffff", "#3a6ea5"
_SQUARE = 28  # pixels


def save_distribution(
    title: str, what: str, values: Sequence[float], chances: Sequence[float], path: Path
) -> None:
    """Draw a histogram and, below it, the chance of each value or more.

    Parameters
    ----------
    what
        The name of the axis.
    values, chances
        Rising values, evenly spaced, and the chance of each.

    Raises
    ------
    InputError
        If the file ends neither in .svg nor in .png.
    ExportError
        If Altair is not installed, or the file cannot be written.
    """
    alt = _altair(path)
    at_least = []
    left = sum(chances)
    for chance in chances:
        at_least.append(min(1.0, max(0.0, left)))
        left -= chance
    step = values[1] - values[0] if len(values) > 1 else 1
    # The far tails would squeeze what is to be seen.
    shown = [i for i, p in enumerate(at_least) if 5e-4 < p < 1 - 5e-4 or chances[i] > 1e-3]
    first, last = shown[0], shown[-1]
    rows: list[dict[str, Any]] = [
        {"from": values[i], "to": values[i] + step, "chance": chances[i], "at_least": at_least[i]}
        for i in range(first, last + 1)
    ]
    base = alt.Chart({"values": rows}).properties(width=640, height=200)
    axis = alt.X("from:Q", title=what, scale=alt.Scale(nice=False, zero=False))
    bars = base.mark_rect(color=_BARS).encode(
        x=axis,
        x2="to:Q",
        y=alt.Y("chance:Q", title="Chance", axis=alt.Axis(format=".1%")),
        y2=alt.datum(0),
    )
    curve = base.mark_line(color=_INK, interpolate="step-after").encode(
        x=axis,
        y=alt.Y("at_least:Q", title="At least", axis=alt.Axis(format=".0%")),
    )
    _save(alt.vconcat(bars, curve, title=title, background=_PAPER), path)


def save_heatmaps(
    title: str,
    axes: tuple[str, str],
    ticks: Sequence[int],
    panels: Sequence[tuple[str, Sequence[Sequence[float]]]],
    path: Path,
) -> None:
    """Draw chances as coloured squares with their per cents, panels side by side.

    Parameters
    ----------
    axes
        What the rows and the columns are.
    ticks
        The numbers of the rows, which are those of the columns too.
    panels
        For each panel its title and its chances by row.

    Raises
    ------
    InputError, ExportError
        As `save_distribution`.
    """
    alt = _altair(path)
    down, across = axes
    charts = []
    for name, matrix in panels:
        cells = [
            {"row": row, "column": column, "chance": chance}
            for row, chances in zip(ticks, matrix, strict=True)
            for column, chance in zip(ticks, chances, strict=True)
        ]
        base = alt.Chart({"values": cells}, title=name).encode(
            x=alt.X("column:O", title=across, axis=alt.Axis(labelAngle=0, orient="top")),
            y=alt.Y("row:O", title=down),
        )
        colour = alt.Scale(scheme="redblue", domain=[0, 1])
        squares = base.mark_rect().encode(color=alt.Color("chance:Q", scale=colour, legend=None))
        dark = "abs(datum.chance - 0.5) > 0.35"
        texts = base.mark_text(fontSize=11).transform_calculate(percent="100 * datum.chance")
        texts = texts.encode(
            text=alt.Text("percent:Q", format=".0f"),
            color=alt.condition(dark, alt.value(_PAPER), alt.value(_INK)),
        )
        charts.append(
            (squares + texts).properties(width=_SQUARE * len(ticks), height=_SQUARE * len(ticks))
        )
    _save(alt.hconcat(*charts, title=title, background=_PAPER), path)


def _altair(path: Path) -> Any:
    """Return Altair, if it is there and can write such a file."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"The chart '{path}' ends in '{path.suffix}'; accepted: .svg, .png.")
    try:
        import altair as alt
        import vl_convert  # noqa: F401  Altair finds it by itself when it saves
    except ImportError:
        raise ExportError(
            "Charts need the extra 'plots'; install it with: pip install 'oddscalc[plots]'."
        ) from None
    return alt


def _save(chart: Any, path: Path) -> None:
    chart = chart.configure_axis(labelColor=_INK, titleColor=_INK).configure_title(color=_INK)
    try:
        chart.save(path, format=path.suffix[1:].lower(), scale_factor=2)
    except OSError as error:
        raise ExportError(f"The chart '{path}' cannot be written: {error.strerror}.") from None
