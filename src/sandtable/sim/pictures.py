"""Pictures of many battles, as SVG and PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sandtable import charts
from sandtable.charts import (
    AMBER,
    FIRST,
    FIRST_PALE,
    LINE,
    QUIET,
    SECOND,
    SMALL,
    TEXT,
    axes,
    sheet,
    shortened,
    title,
    wrapped,
)
from sandtable.sim.report import Matchup, Paired, UnitReport
from sandtable.sim.share import Share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_UNITS: Final = 4
"""So many units of each list are shown."""
NAME: Final = 20
ROW: Final = 10.5
"""Size of print in rows of many."""

Row = tuple[str, Share, str]


def to_svg(found: Matchup | Paired) -> str:
    """The picture of a report as SVG."""
    return charts.to_svg(lambda: draw(found), found.headline)


def to_png(found: Matchup | Paired) -> bytes:
    """The picture of a report as PNG, 1200 by 675."""
    return charts.to_png(lambda: draw(found), found.headline)


def draw(found: Matchup | Paired) -> Figure:
    """The picture of a report."""
    return _paired(found) if isinstance(found, Paired) else _matchup(found)


def _matchup(found: Matchup) -> Figure:
    """Rates with their intervals, margins, and what the units earned."""
    sub = f"{len(found.outcomes)} battles by {found.players[0]}; grey: controls"
    figure, bottom, top = sheet(found.headline, sub, _sentences(found.assumptions))
    _rates(axes(figure, 0.2, bottom + 0.08, 0.45, top - 0.05), _rows(found))
    middle = bottom + 0.08 + 0.52 * (top - bottom - 0.13)
    _margins(axes(figure, 0.58, middle + 0.1, 0.965, top - 0.05), found)
    _units(axes(figure, 0.72, bottom + 0.06, 0.965, middle - 0.02), found)
    return figure


def _paired(found: Paired) -> Figure:
    """Both rates, and how the games of common seeds changed."""
    sub = f"against {found.against}, on the same seeds, seats and tables"
    figure, bottom, top = sheet(found.headline, sub, _sentences(found.second.assumptions))
    lists = zip(found.names, (found.first, found.second), strict=True)
    rows = [(wrapped(name, NAME), m.share, FIRST) for name, m in lists]
    _rates(axes(figure, 0.22, bottom + 0.08, 0.46, top - 0.05), rows)
    plot = axes(figure, 0.62, bottom + 0.1, 0.965, top - 0.05)
    bars = plot.bar(list(found.changed), list(found.changed.values()), color=[SECOND, LINE, FIRST], width=0.6)
    plot.bar_label(bars, color=TEXT, fontsize=SMALL)
    plot.margins(y=0.15)
    plot.set_yticks([])
    title(plot, "What became of the games")
    return figure


def _sentences(lines: list[str]) -> list[str]:
    return [f"{line[:1].upper()}{line[1:]}." for line in lines]


def _rows(found: Matchup) -> list[Row]:
    rows: list[Row] = [("all battles", found.share, FIRST)]
    rows += [(name, share, FIRST) for name, share in (*found.by_seat.items(), *found.by_first_turn.items())]
    if len(found.by_layout) > 1:
        rows += [(f"on {name}", share, FIRST) for name, share in found.by_layout.items()]
    rows += [(f"by {name}", share, QUIET) for name, share in found.other_shares.items()]
    rows += [(f"{shortened(name, 15)} mirror", share, QUIET) for name, share in found.mirror_shares.items()]
    return rows


def _rates(plot: Any, rows: list[Row]) -> None:
    for i, (_, share, colour) in enumerate(rows):
        low, high = share.interval
        pale = FIRST_PALE if colour == FIRST else LINE
        plot.plot([low, high], [i, i], color=pale, linewidth=7, solid_capstyle="round")
        plot.plot([share.rate], [i], "o", color=colour, markersize=7, clip_on=False)
        plot.text(1.05, i, f"{share.rate:.0%} of {share.games}", va="center", fontsize=ROW, color=TEXT)
    plot.axvline(0.5, color=AMBER, linewidth=1, linestyle="--")
    size = SMALL if len(rows) < 8 else ROW
    plot.set_yticks(range(len(rows)), [name for name, _, _ in rows], fontsize=size, color=TEXT)
    plot.set_ylim(len(rows) - 0.5, -0.5)
    plot.set_xlim(0, 1)
    plot.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"], fontsize=SMALL)
    plot.grid(axis="x", color=LINE, linewidth=0.8)
    plot.set_axisbelow(True)
    title(plot, "Share won, 95 % interval")


def _margins(plot: Any, found: Matchup) -> None:
    margins = found.margins
    if margins:
        low, high = min(margins), max(margins)
        bins = range(low - 1, high + 2, max(1, (high - low) // 18))
        _, edges, patches = plot.hist(margins, bins=bins, rwidth=0.88, align="left")
        for edge, patch in zip(edges, patches, strict=False):
            patch.set_facecolor(LINE if edge == 0 else FIRST if edge > 0 else SECOND)
    plot.axvline(0, color=AMBER, linewidth=1, linestyle="--")
    plot.set_yticks([])
    plot.tick_params(labelsize=SMALL)
    title(plot, "Its lead at the end, in VP")


def _units(plot: Any, found: Matchup) -> None:
    rows: list[tuple[UnitReport, str]] = []
    for side, colour in enumerate((FIRST, SECOND)):
        rows += [(report, colour) for report in found.units(side)[:MOST_UNITS]]
    for i, (report, colour) in enumerate(rows):
        plot.barh(i, report.earned, color=colour, height=0.66, alpha=0.85)
        lived = f"lives {report.survived:.0%}"
        plot.text(report.earned, i, f" {report.returned:.2f} a point, {lived}", va="center", fontsize=9, color=TEXT)
    plot.set_yticks(range(len(rows)), [shortened(r.name, 26) for r, _ in rows], fontsize=ROW, color=TEXT)
    plot.invert_yaxis()
    plot.set_xlim(0, 1.9 * max([1.0, *(report.earned for report, _ in rows)]))
    plot.set_xticks([])
    title(plot, "Points taken")
