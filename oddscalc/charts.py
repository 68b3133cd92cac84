"""Charts as SVG, PNG, PDF or HTML files, drawn with Altair (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oddscalc.errors import ExportError, InputError

__all__ = ["check_chart", "save_bids", "save_distribution", "save_heatmaps", "save_rounds"]

ENDINGS = (".svg", ".png", ".pdf", ".html")

_SQUARE = 28  # pixels of a cell in a heatmap
_INK, _PAPER, _BARS, _LINE = "#1f2933", "#ffffff", "#3a6ea5", "#b5482a"
_SHADES = ("#1f2933", "#7da7d0", "#dfe9f3")  # told apart in black and white, too

Row = dict[str, Any]


def check_chart(path: Path) -> None:
    """Refuse a file that cannot become a chart, before the work is done.

    Raises
    ------
    InputError
        If its name ends otherwise, or its folder is none.
    ExportError
        If the extra `plots` is not installed.
    """
    if path.suffix.lower() not in ENDINGS:
        accepted = ", ".join(ENDINGS)
        raise InputError(f"The chart '{path}' ends in '{path.suffix}'; accepted: {accepted}.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder '{path.parent}'; accepted: a folder that exists.")
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401  Altair finds it by itself when it saves
    except ImportError:
        raise ExportError(
            "Charts need the extra 'plots'; install it with: pip install 'oddscalc[plots]'."
        ) from None


def save_distribution(
    headline: str, what: str, values: Sequence[float], chances: Sequence[float], path: Path
) -> None:
    """Draw a histogram and, below it, the chance of each value or more.

    Parameters
    ----------
    headline
        What is drawn, a colon, what it tells.
    what
        The name of the axis.
    values, chances
        Rising values, evenly spaced, and the chance of each.

    Raises
    ------
    InputError, ExportError
        As `check_chart` does; if the file cannot be written.
    """
    check_chart(path)
    import altair as alt

    at_least = []
    left = sum(chances)
    for chance in chances:
        at_least.append(min(1.0, max(0.0, left)))
        left -= chance
    step = values[1] - values[0] if len(values) > 1 else 1
    # The far tails would squeeze what is to be seen.
    shown = [i for i, p in enumerate(at_least) if 5e-4 < p < 1 - 5e-4 or chances[i] > 1e-3]
    first, last = shown[0], shown[-1]
    rows: list[Row] = [
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
    head, _, rest = headline.partition(": ")
    subtitle = rest[:1].upper() + rest[1:]
    _save(alt.vconcat(bars, curve, title=alt.Title(head, subtitle=subtitle)), path)


def save_rounds(title: str, rows: Sequence[Row], path: Path) -> None:
    """Draw, a panel for each box, what it gets in each round and what filling it then costs.

    Parameters
    ----------
    rows
        Round, box, chance that the box is filled then, its mean points and its price.

    Raises
    ------
    InputError, ExportError
        As `check_chart` does; if the file cannot be written.
    """
    check_chart(path)
    import altair as alt

    boxes = list(dict.fromkeys(row["box"] for row in rows))
    seen = [row for row in rows if row["chance"] >= 1e-3]  # the others hardly ever happen
    last = max(row["round"] for row in rows)
    ticks = [1, *range(5, last + 1, 5)] if last > 5 else list(range(1, last + 1))
    base = alt.Chart().encode(
        alt.X(
            "round:Q",
            title=None,
            scale=alt.Scale(domain=[0.5, last + 0.5], nice=False),
            axis=alt.Axis(values=ticks, grid=False, format="d"),
        )
    )
    legend = alt.Legend(title=None, orient="top", offset=8)
    names = ["gets", "costs"]
    colours = alt.Scale(domain=names, range=[_BARS, _LINE])
    dots = base.transform_calculate(what="'gets'").mark_circle(opacity=0.75)
    gets = dots.encode(
        alt.Y("mean:Q", title=None, scale=alt.Scale(padding=8)),
        alt.Size(
            "chance:Q",
            title="Filled in this round",
            scale=alt.Scale(domain=[0, 0.25], range=[0, 160], clamp=True),
            legend=alt.Legend(
                orient="top",
                offset=8,
                titleOrient="left",
                format=".0%",
                values=[0.01, 0.05, 0.1, 0.25],
            ),
        ),
        alt.Color("what:N", scale=colours, legend=legend),
    )
    line = base.transform_calculate(what="'costs'").mark_line(
        strokeWidth=2, point={"size": 12, "color": _LINE}
    )
    costs = line.encode(alt.Y("price:Q"), alt.Color("what:N", scale=colours, legend=legend))
    panel = alt.layer(costs, gets, data={"values": seen}).properties(width=130, height=100)
    chart = panel.facet(
        alt.Facet("box:N", sort=boxes, title=None, header=alt.Header(labelFontWeight="bold")),
        columns=5,
        title=alt.Title(
            title,
            subtitle="Points that a box gets if it is filled in a round, by rounds, and what that "
            "costs: how many points fewer are to come.",
        ),
    ).resolve_axis(x="independent", y="independent")
    _save(chart, path)


def save_bids(title: str, how: str, rows: Sequence[Row], path: Path) -> None:
    """Draw the odds of a bid by seat, trumps and bowers held.

    Parameters
    ----------
    how
        How the odds were obtained.
    rows
        Seat, bowers, trumps, `p_euchred`, `p_made`, `p_march`; in the order of the panels.

    Raises
    ------
    InputError, ExportError
        As `check_chart` does; if the file cannot be written.
    """
    check_chart(path)
    import altair as alt

    ends = {"p_euchred": "euchred", "p_made": "made, three or four tricks", "p_march": "all five"}
    parts = [
        {
            "seat": f"Seat {row['seat']}" if row["seat"] != "dealer" else "Dealer",
            "bowers": ("No bower", "One bower", "Two bowers", "Three bowers")[row["bowers"]],
            "trumps": row["trumps"],
            "end": name,
            "order": place,
            "chance": row[key],
        }
        for row in rows
        for place, (key, name) in enumerate(ends.items())
    ]
    bars = alt.Chart({"values": parts}).mark_bar(stroke=_INK, strokeWidth=0.5)
    panel = bars.encode(
        alt.X("trumps:O", title="Trumps held", axis=alt.Axis(labelAngle=0)),
        alt.Y(
            "chance:Q",
            title=None,
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
        ),
        alt.Color(
            "end:N",
            sort=list(ends.values()),
            scale=alt.Scale(domain=list(ends.values()), range=list(_SHADES)),
            legend=alt.Legend(title=None, orient="top", labelLimit=300),
        ),
        alt.Order("order:Q"),
    ).properties(width=130, height=110)
    seats, held = (list(dict.fromkeys(part[key] for part in parts)) for key in ("seat", "bowers"))
    chart = panel.facet(
        column=alt.Facet("seat:N", title=None, sort=seats),
        row=alt.Facet("bowers:N", title=None, sort=held),
        title=alt.Title(title, subtitle=how),
    )
    _save(chart, path)


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
        As `check_chart` does; if the file cannot be written.
    """
    check_chart(path)
    import altair as alt

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
    _save(alt.hconcat(*charts, title=title), path)


def _save(chart: Any, path: Path) -> None:
    """Write a chart in the house's colours."""
    chart = chart.properties(background=_PAPER)
    chart = chart.configure_axis(labelColor=_INK, titleColor=_INK)
    chart = chart.configure_title(color=_INK, subtitleColor=_INK, anchor="start")
    ending = path.suffix[1:].lower()
    options: dict[str, Row] = {"png": {"scale_factor": 2}, "html": {"inline": True}}
    try:
        chart.save(path, format=ending, **options.get(ending, {}))
    except OSError as error:
        raise ExportError(f"The chart '{path}' cannot be written: {error.strerror}.") from None
