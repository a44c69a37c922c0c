"""Pictures about one unit and another: outcome, difference, how many, survival."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from sandtable.attack.funnel import Stage
from sandtable.charts import (
    AMBER,
    FIRST,
    FIRST_PALE,
    LABEL,
    LEFT,
    LINE,
    QUIET,
    RIGHT,
    SECOND,
    SECOND_PALE,
    SMALL,
    TEXT,
    axes,
    label,
    percent_axis,
    sheet,
    shortened,
    thinned,
    title,
    wrap,
    wrapped,
)
from sandtable.odds.outcome import MARKS, Difference, Outcome
from sandtable.odds.results import Needed, Survival

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 45


def outcome(answer: Outcome) -> Figure:
    """The at-least curve over the exact bars, and the funnel beside them."""
    points = f"{answer.attacker} ({answer.points}) into {answer.target} ({answer.target_points})"
    figure, bottom, top = sheet(answer.headline, points, answer.assumptions.lines())
    with_funnel = len(answer.stages) > 2
    plot = axes(figure, LEFT + 0.045, bottom + 0.125, 0.545 if with_funnel else RIGHT - 0.1, top - 0.035)
    kind = "wounds lost" if answer.counts_wounds else "models destroyed"
    title(plot, "At least so many (line), exactly (bars)")
    _curve(plot, answer, FIRST, FIRST_PALE)
    _marks(plot, answer)
    percent_axis(plot, 1.06)
    label(plot, kind)
    if with_funnel:
        figure.text(
            0.668, top - 0.008, "From attacks to models", fontsize=LABEL, color=TEXT, fontweight="bold", va="bottom"
        )
        _funnel(axes(figure, 0.765, bottom + 0.03, RIGHT + 0.01, top - 0.035), answer.stages)
    return figure


def _shown(answer: Outcome) -> int:
    """How many bars are worth showing: up to where almost nothing is left."""
    left, last = 1.0, 0
    for n, p in enumerate(answer.bars):
        if left > 5e-4:
            last = n
        left -= p
    return min(len(answer.bars), max(last + 2, 4), MOST_BARS)


def _at_least(answer: Outcome) -> list[float]:
    left, out = 1.0, []
    for p in answer.bars:
        out.append(max(0.0, left))
        left -= p
    return out


def _curve(plot: Axes, answer: Outcome, colour: str, pale: str, shift: float = 0.0, width: float = 0.72) -> None:
    shown = _shown(answer)
    xs = range(shown)
    plot.bar([x + shift for x in xs], answer.bars[:shown], width, color=pale, zorder=2)
    at_least = _at_least(answer)[:shown]
    plot.plot(list(xs), at_least, color=colour, linewidth=3, zorder=4, marker="o", markersize=5)
    ticks = thinned(shown, 13)
    plot.set_xticks(list(ticks), [str(t) for t in ticks])
    plot.set_xlim(-0.6, shown - 0.4)


def _marks(plot: Axes, answer: Outcome) -> None:
    """Where the curve passes 50, 80 and 95 %."""
    shown = _shown(answer)
    at_least = _at_least(answer)
    for share in MARKS:
        plot.axhline(share, color=AMBER, linewidth=1, linestyle=(0, (4, 4)), zorder=1)
        n = min(answer.mark(share), shown - 1)
        if n:
            plot.plot([n], [at_least[n]], marker="o", markersize=12, color=AMBER, zorder=5)
        text = f"{100 * share:.0f} %: {n}{'' if n == len(answer.bars) - 1 else '+'}" if n else f"{100 * share:.0f} %: 0"
        plot.text(
            1.015, share, text, ha="left", va="center", fontsize=LABEL, color=AMBER, fontweight="bold",
            transform=plot.get_yaxis_transform(),
        )  # fmt: skip


def _funnel(plot: Axes, stages: tuple[Stage, ...]) -> None:
    """From attacks to models: a bar for the mean, a line for the middle four fifths of all cases."""
    widest = max(max(s.high, s.mean) for s in stages) or 1
    for row, stage in enumerate(stages):
        plot.barh(row, stage.mean, 0.62, color=FIRST_PALE, zorder=2)
        plot.plot([stage.low, stage.high], [row, row], color=FIRST, linewidth=4, solid_capstyle="round", zorder=3)
        spread = f"{stage.low}" if stage.low == stage.high else f"{stage.low}–{stage.high}"
        plot.text(
            max(stage.high, stage.mean) + 0.03 * widest, row, f"{stage.mean:.1f}  ({spread})",
            va="center", fontsize=LABEL, color=TEXT,
        )  # fmt: skip
    plot.set_yticks(range(len(stages)), [s.name for s in stages])
    plot.invert_yaxis()
    plot.set_xlim(0, widest * 1.95)
    plot.set_xticks([])
    plot.spines["bottom"].set_visible(False)


# --- Two answers ------------------------------------------------------------------------------------------------------


def difference(answer: Difference) -> Figure:
    """Both curves over each other, and the table of differences."""
    a, b = answer.first, answer.second
    figure, bottom, top = sheet(answer.headline, f"into {a.target} ({a.target_points})", answer.assumptions.lines())
    plot = axes(figure, LEFT + 0.045, bottom + 0.125, 0.53, top - 0.035)
    title(plot, "Chance of at least so many")
    _curve(plot, a, FIRST, FIRST_PALE, -0.19, 0.36)
    _curve(plot, b, SECOND, SECOND_PALE, 0.19, 0.36)
    shown = max(_shown(a), _shown(b))
    ticks = thinned(shown, 13)
    plot.set_xticks(list(ticks), [str(t) for t in ticks])
    plot.set_xlim(-0.6, shown - 0.4)
    percent_axis(plot, 1.06)
    label(plot, "wounds lost" if a.counts_wounds else "models destroyed")
    _table(figure, answer, 0.565, bottom + 0.02, top - 0.01)
    return figure


def _table(figure: Figure, answer: Difference, left: float, bottom: float, top: float) -> None:
    columns = (0.795, 0.885, RIGHT)
    for name, column, colour in ((answer.first_name, columns[0], FIRST), (answer.second_name, columns[1], SECOND)):
        head = "\n".join(wrap(shortened(name, 26), SMALL, 0.095, bold=True)[:3])
        figure.text(column, top, head, ha="right", va="top", fontsize=SMALL, color=colour, fontweight="bold")
    rows = answer.table()
    pace = (top - bottom - 0.13) / len(rows)
    for i, row in enumerate(rows):
        y = top - 0.12 - i * pace
        what, x, z, change = row.values()
        chance = str(what).startswith("chance")
        told = [f"{100 * float(v or 0):.1f} %" if chance else _number(float(v or 0)) for v in (x, z)]
        delta = float(change or 0)
        moved = f"{100 * delta:+.1f} %" if chance else f"{delta:+.0f}" if what == "points" else f"{delta:+.2f}"
        figure.text(left, y, _SHORT.get(str(what), str(what)), fontsize=SMALL, color=TEXT, va="top")
        figure.text(columns[0], y, told[0], fontsize=SMALL, color=TEXT, va="top", ha="right")
        figure.text(columns[1], y, told[1], fontsize=SMALL, color=TEXT, va="top", ha="right")
        colour = QUIET if abs(delta) < 1e-9 else SECOND if delta > 0 else FIRST
        figure.text(columns[2], y, moved, fontsize=SMALL, color=colour, va="top", ha="right", fontweight="bold")
        figure.add_artist(_rule(figure, left, columns[2], y + pace * 0.25))


_SHORT: Final = {
    "chance to destroy": "destroyed",
    "chance to take below half": "below half",
    "points returned per point": "points per point",
}


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and value >= 10 else f"{value:.2f}"


def _rule(figure: Figure, left: float, right: float, y: float) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([left, right], [y, y], color=LINE, linewidth=0.8, transform=figure.transFigure)


# --- How many, how long -----------------------------------------------------------------------------------------------


def needed(answer: Needed) -> Figure:
    """The chance to destroy by the number of units."""
    cost = f"{answer.attacker} ({answer.points} points each) into {answer.target}"
    figure, bottom, top = sheet(answer.headline, cost, answer.assumptions.lines())
    plot = axes(figure, LEFT + 0.055, bottom + 0.125, RIGHT, top - 0.02)
    xs = list(range(1, len(answer.chances) + 1))
    enough = [SECOND if n == answer.number else FIRST if p >= answer.wanted else FIRST_PALE
              for n, p in zip(xs, answer.chances, strict=True)]  # fmt: skip
    plot.bar(xs, answer.chances, 0.7, color=enough, zorder=2)
    for n, p in zip(xs, answer.chances, strict=True):
        plot.text(n, p + 0.015, _told(p), ha="center", va="bottom", fontsize=LABEL, color=TEXT, fontweight="bold")
    plot.axhline(answer.wanted, color=AMBER, linewidth=2, linestyle=(0, (4, 4)), zorder=3)
    plot.text(
        0.45, answer.wanted + 0.012, f"{100 * answer.wanted:.0f} % wanted", fontsize=LABEL, color=AMBER, va="bottom"
    )
    percent_axis(plot, 1.1)
    points = [f"{n}\n{n * answer.points} pts" if len(xs) <= 9 else str(n) for n in xs]
    plot.set_xticks(xs, points)
    plot.set_xlim(0.4, len(xs) + 0.6)
    label(plot, "units" if len(xs) > 9 else "", "chance to destroy")
    return figure  # fmt: skip


def _told(chance: float) -> str:
    if 0 < chance < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < chance < 1 - 1e-12 else f"{100 * chance:.0f} %"


def survival(answer: Survival) -> Figure:
    """The chance that something is left, and the models left, attack by attack."""
    sub = f"{answer.unit} ({answer.models} models) under attack"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.lines())
    plot = axes(figure, LEFT + 0.055, bottom + 0.2, RIGHT - 0.055, top - 0.045)
    title(plot, "Chance that the unit still stands (line), and models left on average (bars)")
    xs = list(range(len(answer.alive) + 1))
    left = [float(answer.models), *answer.left]
    plot.bar(xs, [x / answer.models for x in left], 0.66, color=FIRST_PALE, zorder=2)
    plot.plot(xs, [1.0, *answer.alive], color=SECOND, linewidth=3.5, marker="o", markersize=8, zorder=4)
    for x, models, chance in zip(xs, left, [1.0, *answer.alive], strict=True):
        if models >= 0.05:
            plot.text(x, 0.02, f"{models:.1f}", ha="center", va="bottom", fontsize=LABEL, color=FIRST, zorder=3)
        plot.text(
            x + 0.06, chance + 0.035, _told(chance), ha="left", va="bottom", fontsize=LABEL, color=SECOND,
            fontweight="bold", zorder=5,
        )  # fmt: skip
    percent_axis(plot, 1.16)
    room = max(7, 96 // max(1, len(xs)))
    same = len(set(answer.attackers)) == 1
    names = ["before", *(str(n) if same else wrapped(a, room, 3) for n, a in enumerate(answer.attackers, 1))]
    plot.set_xticks(xs, names)
    plot.tick_params(axis="x", labelsize=LABEL if same else 10)
    label(plot, f"attacks of {answer.attackers[0]}" if same else "")
    return figure


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {
    Outcome: outcome,
    Difference: difference,
    Needed: needed,
    Survival: survival,
}
