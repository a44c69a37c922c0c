"""Pictures of many battles, sized for a chat."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sandtable.sim.report import Matchup, Paired, UnitReport
    from sandtable.sim.share import Share

INK: Final = "#22262b"
FAINT: Final = "#8a8f98"
RED: Final = "#b3382c"
BLUE: Final = "#2b5f9e"
GREY: Final = "#b9bdc4"
PAPER: Final = "#fbfaf7"
SIZE: Final = (12.0, 6.75)
MOST_UNITS: Final = 7


def figure_of(found: Matchup | Paired) -> Figure:
    """The picture of a report."""
    from sandtable.sim.report import Paired

    return figure_paired(found) if isinstance(found, Paired) else figure_matchup(found)


def figure_matchup(found: Matchup) -> Figure:
    """The matchup as a figure: rates with their intervals, margins, and what the units earned."""
    figure, top = _sheet(found.headline)
    grid = figure.add_gridspec(2, 2, left=0.165, right=0.985, top=top, bottom=0.17, hspace=0.42, wspace=0.66)
    _rates(figure.add_subplot(grid[:, 0]), _rows(found))
    _margins(figure.add_subplot(grid[0, 1]), found.margins, found.names)
    _units(figure.add_subplot(grid[1, 1]), found)
    _box(figure, found.assumptions)
    return figure


def figure_paired(found: Paired) -> Figure:
    """Two lists against the same enemy: both rates, and the difference on common seeds."""
    figure, top = _sheet(found.headline)
    grid = figure.add_gridspec(1, 2, left=0.19, right=0.985, top=top, bottom=0.2, wspace=0.3)
    rows = [(name, m.share, BLUE) for name, m in zip(found.names, (found.first, found.second), strict=True)]
    _rates(figure.add_subplot(grid[0, 0]), rows)
    axes = figure.add_subplot(grid[0, 1])
    counts = [sum(d < 0 for d in found.differences), sum(d == 0 for d in found.differences)]
    counts.append(sum(d > 0 for d in found.differences))
    bars = axes.bar(["worse", "same", "better"], counts, color=[RED, GREY, BLUE], width=0.6)
    axes.bar_label(bars, color=INK)
    axes.set_title(f"Games in which {found.names[1]} did", fontsize=11, color=INK, loc="left")
    _plain(axes, "y")
    _box(figure, ["the same seed, seat and table for both lists", *found.second.assumptions])
    return figure


def as_svg(figure: Figure) -> str:
    """A figure as SVG, the same text for the same figures."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context({"svg.hashsalt": "sandtable"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def _sheet(headline: str) -> tuple[Figure, float]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=100, facecolor=PAPER)
    lines = textwrap.wrap(headline, 92)
    figure.text(0.015, 0.97, "\n".join(lines), fontsize=15, fontweight="bold", color=INK, va="top")
    return figure, 0.93 - 0.045 * len(lines)


def _rows(found: Matchup) -> list[tuple[str, Share, str]]:
    rows = [("all battles", found.share, BLUE)]
    rows += [(name, share, BLUE) for name, share in (*found.by_seat.items(), *found.by_first_turn.items())]
    rows += [(f"on {name}", share, BLUE) for name, share in found.by_layout.items()] if len(found.by_layout) > 1 else []
    rows += [(f"played by {name}", share, GREY) for name, share in found.other_shares.items()]
    rows += [(f"{name}\nagainst itself", share, GREY) for name, share in found.mirror_shares.items()]
    return rows


def _rates(axes: Any, rows: list[tuple[str, Share, str]]) -> None:
    for i, (_, share, colour) in enumerate(rows):
        low, high = share.interval
        axes.plot([low, high], [i, i], color=colour, linewidth=7, alpha=0.4, solid_capstyle="round")
        axes.plot([share.rate], [i], "o", color=colour if colour != GREY else FAINT, markersize=7)
        axes.text(1.03, i, f"{share.rate:.0%} of {share.games}", va="center", fontsize=8.5, color=INK)
    axes.axvline(0.5, color=INK, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows], fontsize=9, color=INK)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100%"], fontsize=9)
    axes.set_title("Share won, 95% interval; grey: controls", fontsize=11, color=INK, loc="left")
    _plain(axes, "x")


def _margins(axes: Any, margins: list[int], names: tuple[str, str]) -> None:
    if margins:
        low, high = min(margins), max(margins)
        bins = range(low - 1, high + 2, max(1, (high - low) // 18))
        _, edges, patches = axes.hist(margins, bins=bins, rwidth=0.88, align="left")
        for edge, patch in zip(edges, patches, strict=False):
            patch.set_facecolor(GREY if edge == 0 else BLUE if edge > 0 else RED)
    axes.axvline(0, color=INK, linewidth=0.8, linestyle=":")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_title(f"Lead of {names[0]} in victory points", fontsize=10, color=INK, loc="left")
    _plain(axes, "y")


def _units(axes: Any, found: Matchup) -> None:
    rows: list[tuple[UnitReport, str]] = []
    for side, colour in enumerate((BLUE, RED)):
        rows += [(report, colour) for report in found.units(side)[: MOST_UNITS // 2 + 1]]
    for i, (report, colour) in enumerate(rows):
        axes.barh(i, report.earned, color=colour, height=0.66, alpha=0.85)
        lived = f"lives {report.survived:.0%}" + (f" (dies T{report.median_death:g})" if report.median_death else "")
        axes.text(report.earned, i, f" {report.returned:.2f} a point; {lived}", va="center", fontsize=7.5, color=INK)
    axes.set_yticks(range(len(rows)), [report.name for report, _ in rows], fontsize=8, color=INK)
    axes.invert_yaxis()
    axes.margins(x=0.75)
    axes.set_xlim(left=0)
    axes.set_title("Points taken by the best units", fontsize=11, color=INK, loc="left")
    _plain(axes, "x")


def _plain(axes: Any, grid: str) -> None:
    axes.set_facecolor(PAPER)
    axes.grid(axis=grid, color=GREY, alpha=0.4, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelsize=9)


def _box(figure: Figure, lines: list[str]) -> None:
    text = "\n".join(textwrap.wrap("; ".join(lines) + ".", 170))
    figure.text(0.015, 0.02, text, fontsize=8, color=FAINT, va="bottom")
