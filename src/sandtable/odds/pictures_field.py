"""Pictures of many pairs: which target, heat maps, two lists."""

from __future__ import annotations

from collections.abc import Callable
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

RAMP: Final = ("#fbf9f4", "#f3dcb8", "#eaa66f", "#d2673a", "#94311a", "#571508")


def choice(answer: Choice) -> Figure:
    """For each target the chance to destroy, and the points returned."""
    figure, bottom, top = sheet(answer.headline, f"What should {answer.attacker} take?", answer.assumptions.lines())
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
    title(second, "Points per point")
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
    """Points returned per point as colour and large print, the chance to destroy below it."""
    sub = f"{answer.title}; in small print the chance to destroy"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.lines())
    longest = max(len(name) for name in answer.attackers)
    left = LEFT + min(0.2, 0.0088 * min(longest, 24)) + 0.01
    plot = axes(figure, left, bottom + 0.05, RIGHT - 0.06, top - 0.15)
    _heat(plot, answer, means=True)
    return figure


def _heat(plot: Axes, answer: Grid, *, means: bool, letters: int = 24) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = len(answer.attackers), len(answer.targets)
    values = [list(row) for row in answer.returned]
    most = max(0.6, *(v for row in values for v in row))
    colours = LinearSegmentedColormap.from_list("returned", RAMP)
    plot.imshow(values, aspect="auto", cmap=colours, vmin=0, vmax=most)
    box = plot.get_position()
    across, down = box.width * WIDTH * 72 / columns, box.height * HEIGHT * 72 / rows
    big = min(16.0, across / 2.6, down * 0.36)
    for i in range(rows):
        for j in range(columns):
            dark = values[i][j] > 0.45 * most
            colour = PAPER if dark else TEXT
            plot.text(j, i - 0.02, _told(values[i][j]), ha="center", va="bottom", fontsize=big, color=colour)
            chance = answer.destroyed[i][j]
            small = "" if chance < 0.005 else f"{100 * chance:.0f}%"
            plot.text(j, i + 0.04, small, ha="center", va="top", fontsize=max(6.0, 0.72 * big), color=colour)
        if means:
            plot.text(
                columns - 0.35, i, _told(answer.means[i]), ha="left", va="center", fontsize=15, color=TEXT,
                fontweight="bold" if i == answer.best else "normal",
            )  # fmt: skip
    if means:
        plot.text(columns - 0.35, rows - 0.45, "mean", ha="left", va="top", fontsize=SMALL, color=QUIET)
    plot.set_xticks(range(columns), [shortened(t, letters) for t in answer.targets], rotation=38, ha="left")
    plot.tick_params(
        axis="x", labelsize=SMALL if columns <= 12 else 11, top=False, labeltop=True, labelbottom=False, pad=2
    )
    plot.set_yticks(range(rows), [wrapped(a, letters, 2) for a in answer.attackers])
    plot.tick_params(axis="y", labelsize=SMALL if rows <= 8 else 10)
    for spine in plot.spines.values():
        spine.set_visible(False)
    plot.set_xticks([x - 0.5 for x in range(1, columns)], minor=True)
    plot.set_yticks([y - 0.5 for y in range(1, rows)], minor=True)
    plot.grid(which="minor", color=PAPER, linewidth=2)
    plot.tick_params(which="minor", length=0)


def _told(value: float) -> str:
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}".lstrip("0") if value >= 0.005 else "·"


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _small_letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else str(number + 1)


def two_lists(answer: Lists) -> Figure:
    """Both directions side by side."""
    sub = "Points returned per point; in small print the chance to destroy with one unit"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.lines())
    for number, one in enumerate((answer.there, answer.back)):
        left = 0.172 if number == 0 else 0.652
        plot = axes(figure, left, bottom + 0.02, left + 0.32, top - 0.09)
        _heat(plot, one, means=False)
        # The columns of one map are the rows of the other, and bear their signs.
        mine, theirs = (_letter, _small_letter) if number == 0 else (_small_letter, _letter)
        columns = range(len(one.targets))
        plot.set_xticks(columns, [theirs(n) for n in columns], rotation=0, ha="center")
        names = [f"{shortened(name, 23)}  {mine(n)}" for n, name in enumerate(one.attackers)]
        plot.set_yticks(range(len(names)), names)
        plot.tick_params(axis="y", labelsize=9.5)
        plot.tick_params(axis="x", labelsize=SMALL)
        figure.text(
            left - 0.125, top - 0.005, shortened(one.title, 44), fontsize=LABEL, color=TEXT, fontweight="bold", va="top"
        )
    return figure


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {Choice: choice, Grid: grid, Lists: two_lists}
