"""Pictures of many pairs: which target, heat maps, two lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sandtable.charts import (
    FIRST,
    FIRST_PALE,
    HEIGHT,
    LABEL,
    LEFT,
    PAPER,
    QUIET,
    RIGHT,
    ROOM,
    SECOND,
    SMALL,
    TEXT,
    WIDTH,
    axes,
    sheet,
    shortened,
    title,
    wrapped,
)
from sandtable.odds.results import Choice, Grid, Lists

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RAMP: Final = ("#f6f1e6", "#f3dcb8", "#eaa66f", "#d2673a", "#94311a", "#571508")
BLUES: Final = ("#eef1f5", "#c6d8ec", "#86aed9", "#4a80bf", "#235a9c", "#12355f")
REDS: Final = ("#f6f0ea", "#f0cdbb", "#e39c7e", "#cf653f", "#a53d1c", "#6a210b")
MOST_COLUMNS: Final = 7
"""More attackers than this are rows of a map, not columns of a table."""
ONE_COLUMN: Final = 10
"""Up to so many targets stand in one column."""
MEAN: Final = -1
"""In place of a target: the mean of all of them."""
WIDE: Final = 9
"""Up to so many units have room for their names side by side."""


def choice(answer: Choice) -> Figure:
    """For each target the chance to destroy, and the points returned."""
    figure, bottom, top = sheet(answer.headline, f"What should {answer.attacker} take?", answer.assumptions.words())
    names = [wrapped(o.target, 17, 3) for o in answer.outcomes]
    rows = range(len(names))
    size = LABEL if len(names) <= 6 else SMALL if len(names) <= 10 else 10
    first = axes(figure, 0.235, bottom + 0.03, 0.46, top - 0.05)
    title(first, "Chance to destroy")
    first.barh(rows, [o.destroyed for o in answer.outcomes], 0.62, color=FIRST, zorder=2)
    for row, o in zip(rows, answer.outcomes, strict=True):
        first.text(o.destroyed + 0.02, row, f"{100 * o.destroyed:.0f} %", va="center", fontsize=size, color=TEXT)
    first.set_xlim(0, 1.15)
    first.set_yticks(rows, names)
    first.tick_params(axis="y", labelsize=size)
    second = axes(figure, 0.50, bottom + 0.03, 0.725, top - 0.05)
    title(second, f"{answer.assumptions.cost.capitalize()} per {answer.assumptions.one}")
    most = max(o.returned for o in answer.outcomes) or 1.0
    best = answer.by_points
    colours = [FIRST if o is best else FIRST_PALE for o in answer.outcomes]
    second.barh(rows, [o.returned for o in answer.outcomes], 0.62, color=colours, zorder=2)
    for row, o in zip(rows, answer.outcomes, strict=True):
        second.text(o.returned + 0.03 * most, row, f"{o.returned:.2f}", va="center", fontsize=size, color=TEXT)
    second.set_xlim(0, most * 1.3)
    third = axes(figure, 0.765, bottom + 0.03, RIGHT, top - 0.05)
    title(third, "Wounds + wasted")
    scale = max(o.mean_damage + (o.wasted or 0.0) for o in answer.outcomes) or 1.0
    third.barh(rows, [o.mean_damage for o in answer.outcomes], 0.62, color=FIRST, zorder=2)
    lost = [o.mean_damage for o in answer.outcomes]
    third.barh(rows, [o.wasted or 0.0 for o in answer.outcomes], 0.62, left=lost, color="#d8cfbb", zorder=2)
    for row, o in zip(rows, answer.outcomes, strict=True):
        text = f"{o.mean_damage:.1f}" + (f" + {o.wasted:.1f}" if o.wasted else "")
        end = o.mean_damage + (o.wasted or 0.0)
        third.text(end + 0.03 * scale, row, text, va="center", fontsize=size, color=TEXT)
    third.set_xlim(0, scale * 1.5)
    for plot in (first, second, third):
        plot.invert_yaxis()
        plot.set_xticks([])
        plot.spines["bottom"].set_visible(False)
        if plot is not first:
            plot.set_yticks(rows, [""] * len(names))
    return figure


# --- Heat maps --------------------------------------------------------------------------------------------------------


def grid(answer: Grid) -> Figure:
    """Points returned per point as colour and large print, the chance to destroy beside it."""
    sub = f"{answer.title}; in small print the chance to destroy"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    if len(answer.attackers) > MOST_COLUMNS:
        longest = max(len(name) for name in answer.attackers)
        left = LEFT + min(0.2, 0.0088 * min(longest, 24)) + 0.01
        _heat(axes(figure, left, bottom + 0.05, RIGHT - 0.06, top - 0.19), answer)
        return figure
    # Names are read from left to right: targets are the rows, in two columns where there are many. MEAN is one of them.
    rows = [MEAN, *range(len(answer.targets))]
    half = len(rows) if len(rows) <= ONE_COLUMN + 1 else -(-len(rows) // 2)
    blocks = [rows[:half], rows[half:]] if half < len(rows) else [rows]
    for place, block in enumerate(blocks):
        left = LEFT + place * (ROOM + 0.02) / len(blocks)
        right = left + (ROOM + 0.02) / len(blocks) - 0.02
        names = 0.16 if len(blocks) == 2 else 0.22
        _rows(axes(figure, left + names, bottom + 0.02, right, top - 0.105), answer, block, half)
    return figure


def _rows(plot: Axes, answer: Grid, rows: Sequence[int], space: int) -> None:
    """Some targets one below the other, with a column for each attacker."""
    columns, most = len(answer.attackers), _most(answer)
    colours = _ramp(RAMP)
    box = plot.get_position()
    across, down = box.width * WIDTH * 72 / columns, box.height * HEIGHT * 72 / space
    big = min(15.0, across / 4.2, down * 0.62)
    for y, target in enumerate(rows):
        for x in range(columns):
            mean = target == MEAN
            value = answer.means[x] if mean else answer.returned[x][target]
            chance = 0.0 if mean else answer.destroyed[x][target]
            _cell(plot, (x - 0.48, y - 0.46, 0.96, 0.92), PAPER if mean else colours(value / most))
            ink = PAPER if value > 0.45 * most and not mean else TEXT
            small = "" if chance < 0.005 else f"{100 * chance:.0f} %"
            place = x if not small else x - 0.06
            plot.text(
                place, y, _told(value), ha="right" if small else "center", va="center", fontsize=big, color=ink,
                fontweight="bold" if mean and x == answer.best else "normal",
            )  # fmt: skip
            plot.text(x + 0.02, y + 0.03, small, ha="left", va="center", fontsize=max(7.0, 0.66 * big), color=ink)
    plot.set_xlim(-0.5, columns - 0.5)
    plot.set_ylim(space - 0.5, -0.5)
    plot.set_yticks(range(len(rows)), ["mean" if t == MEAN else wrapped(answer.targets[t], 22, 2) for t in rows])
    plot.tick_params(axis="y", labelsize=min(13.0, down * 0.62), pad=3)
    # The longest piece of a name has to fit, and says how large the print can be.
    longest = max(len(piece) for name in answer.attackers for piece in re.split(r"[ -]", name))
    size = min(12.0, across / (0.62 * longest))
    heads = [wrapped(name, max(longest + 1, int(across / (0.62 * size))), 3) for name in answer.attackers]
    plot.set_xticks(range(columns), heads)
    plot.tick_params(axis="x", labelsize=size, top=False, labeltop=True, labelbottom=False, pad=2)
    plot.get_xticklabels()[answer.best].set_fontweight("bold")
    for spine in plot.spines.values():
        spine.set_visible(False)


def _heat(plot: Axes, answer: Grid) -> None:
    """Many attackers one below the other, targets beside each other."""
    rows, columns, most = len(answer.attackers), len(answer.targets), _most(answer)
    colours = _ramp(RAMP)
    box = plot.get_position()
    across, down = box.width * WIDTH * 72 / columns, box.height * HEIGHT * 72 / rows
    big = min(16.0, across / 2.6, down * 0.36)
    for i in range(rows):
        for j in range(columns):
            value, chance = answer.returned[i][j], answer.destroyed[i][j]
            _cell(plot, (j - 0.48, i - 0.47, 0.96, 0.94), colours(value / most))
            ink = PAPER if value > 0.45 * most else TEXT
            plot.text(j, i - 0.02, _told(value), ha="center", va="bottom", fontsize=big, color=ink)
            small = "" if chance < 0.005 else f"{100 * chance:.0f}%"
            plot.text(j, i + 0.04, small, ha="center", va="top", fontsize=max(6.0, 0.72 * big), color=ink)
        bold = "bold" if i == answer.best else "normal"
        plot.text(
            columns - 0.35, i, _told(answer.means[i]), ha="left", va="center", fontsize=min(15, down * 0.5), color=TEXT,
            fontweight=bold,
        )  # fmt: skip
    plot.text(columns - 0.35, rows - 0.45, "mean", ha="left", va="top", fontsize=SMALL, color=QUIET)
    plot.set_xlim(-0.5, columns - 0.5)
    plot.set_ylim(rows - 0.5, -0.5)
    steep = across < 60
    plot.set_xticks(range(columns), [shortened(t, 22) for t in answer.targets], rotation=60 if steep else 30, ha="left",
                    rotation_mode="anchor")  # fmt: skip
    plot.tick_params(axis="x", labelsize=11 if columns <= 14 else 9, top=False, labeltop=True, labelbottom=False, pad=2)
    plot.set_yticks(range(rows), [wrapped(a, 24, 2) for a in answer.attackers])
    plot.tick_params(axis="y", labelsize=min(SMALL, down * 0.42))
    for spine in plot.spines.values():
        spine.set_visible(False)


def _most(*grids: Grid) -> float:
    return max(0.6, *(v for one in grids for row in one.returned for v in row))


def _ramp(colours: Sequence[str]) -> Callable[[float], Any]:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("returned", list(colours))


def _cell(plot: Axes, box: tuple[float, float, float, float], colour: Any) -> None:
    from matplotlib.patches import Rectangle

    plot.add_patch(Rectangle(box[:2], box[2], box[3], facecolor=colour, edgecolor="none", zorder=1))


def _told(value: float) -> str:
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}".lstrip("0") if value >= 0.005 else "·"


# --- Two lists --------------------------------------------------------------------------------------------------------


def two_lists(answer: Lists) -> Figure:
    """Each unit of one list against each of the other: in a cell on the left what mine does, on the right theirs."""
    words = answer.assumptions
    per = f"{words.cost.capitalize()} destroyed per {words.one}"
    sub = f"{per} when one unit attacks the other; in small print the chance to destroy it"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    mine, theirs = answer.there.attackers, answer.back.attackers
    rows, columns = len(mine), len(theirs)
    wide = columns <= WIDE
    plot = axes(figure, 0.225, bottom + 0.015, RIGHT, top - (0.14 if wide else 0.175))
    box = plot.get_position()
    across, down = box.width * WIDTH * 72 / columns, box.height * HEIGHT * 72 / rows
    most = _most(answer.there, answer.back)
    big = min(14.0, across / 5.4, down * 0.4)
    for i in range(rows):
        for j in range(columns):
            halves = (
                (j - 0.48, _ramp(BLUES), answer.there.returned[i][j], answer.there.destroyed[i][j]),
                (j + 0.0, _ramp(REDS), answer.back.returned[j][i], answer.back.destroyed[j][i]),
            )
            for x, colours, value, chance in halves:
                _cell(plot, (x, i - 0.46, 0.48, 0.92), colours(value / most))
                ink = PAPER if value > 0.5 * most else TEXT
                plot.text(x + 0.24, i + 0.02, _told(value), ha="center", va="bottom", fontsize=big, color=ink)
                small = "" if chance < 0.005 else f"{100 * chance:.0f}%"
                plot.text(x + 0.24, i + 0.04, small, ha="center", va="top", fontsize=max(5.5, 0.7 * big), color=ink)
    plot.set_xlim(-0.5, columns - 0.5)
    plot.set_ylim(rows - 0.5, -0.5)
    plot.set_yticks(range(rows), [wrapped(name, 26, 2) for name in mine])
    plot.tick_params(axis="y", labelsize=min(12.5, down * 0.42), pad=3, colors=FIRST)
    if wide:
        plot.set_xticks(range(columns), [wrapped(name, max(9, round(across / 5.6)), 3) for name in theirs])
    else:
        plot.set_xticks(range(columns), [wrapped(name, 22, 2) for name in theirs], rotation=45, ha="left",
                        rotation_mode="anchor")  # fmt: skip
    plot.tick_params(axis="x", labelsize=11 if wide else 9, top=False, labeltop=True, labelbottom=False, pad=2)
    for tick in plot.get_xticklabels():
        tick.set_color(SECOND)
    for spine in plot.spines.values():
        spine.set_visible(False)
    figure.text(LEFT, top - 0.005, wrapped(f"{answer.mine} (blue)", 21, 2), fontsize=SMALL, color=FIRST,
                fontweight="bold", va="top")  # fmt: skip
    figure.text(LEFT, top - 0.07, wrapped(f"against {answer.theirs} (red)", 21, 2), fontsize=SMALL, color=SECOND,
                fontweight="bold", va="top")  # fmt: skip
    return figure


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {Choice: choice, Grid: grid, Lists: two_lists}
