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
    PAPER,
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
from sandtable.odds.answers import counted
from sandtable.odds.outcome import MARKS, Difference, Outcome
from sandtable.odds.results import Needed, Survival

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 45


def outcome(answer: Outcome) -> Figure:
    """The at-least curve over the exact bars, and the funnel beside them."""
    figure, bottom, top = sheet(answer.headline, _beside(answer), answer.assumptions.words())
    with_funnel = len(answer.stages) > 2
    plot = axes(figure, LEFT + 0.045, bottom + 0.125, 0.545 if with_funnel else RIGHT - 0.1, top - 0.035)
    kind = "wounds lost" if answer.counts_wounds else "models destroyed"
    title(plot, "At least so many (line), exactly (bars)")
    _curve(plot, answer, FIRST, FIRST_PALE)
    _marks(plot, answer)
    percent_axis(plot, 1.06)
    label(plot, kind)
    if with_funnel:
        # Over the names of the stages, at the height of the other heading.
        figure.text(
            0.672,
            top - 0.01,
            "From attacks to models",
            fontsize=LABEL,
            color=TEXT,
            fontweight="bold",
            va="baseline",
        )
        _funnel(axes(figure, 0.765, bottom + 0.05, RIGHT + 0.01, top - 0.035), answer.stages)
    return figure


def _beside(answer: Outcome) -> str:
    """Who attacks whom, and what else is worth a word: a Leader's fate, and what the attack costs the attacker."""
    told = [f"{answer.attacker} ({answer.points}) into {answer.target} ({answer.target_points})"]
    told += [f"{f.name} killed {_told(f.gone)}" for f in answer.fates if f.guarded and f.name != answer.who]
    own = sum(lost.models for lost in answer.backfires)
    told += [f"{own:.1f} own models lost"] if own >= 0.05 else []
    return "; ".join(told)


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
    plot.set_xlim(0, widest * 2.2)
    plot.set_xticks([])
    plot.spines["bottom"].set_visible(False)


# --- Two answers ------------------------------------------------------------------------------------------------------


def difference(answer: Difference) -> Figure:
    """Both curves over each other, and the table of differences."""
    a, b = answer.first, answer.second
    figure, bottom, top = sheet(answer.headline, f"into {a.target} ({a.target_points})", answer.assumptions.words())
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
        moved = f"{100 * delta:+.1f} %" if chance else f"{delta:+.0f}" if what in COSTS else f"{delta:+.2f}"
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
    "Power returned per Power": "Power per Power",
}
COSTS: Final = ("points", "Power")


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and value >= 10 else f"{value:.2f}"


def _rule(figure: Figure, left: float, right: float, y: float) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([left, right], [y, y], color=LINE, linewidth=0.8, transform=figure.transFigure)


# --- How many, how long -----------------------------------------------------------------------------------------------


def needed(answer: Needed) -> Figure:
    """The chance to destroy by the number of units."""
    cost = f"{answer.attacker} ({answer.points} {answer.assumptions.cost} each) into {answer.target}"
    figure, bottom, top = sheet(answer.headline, cost, answer.assumptions.words())
    plot = axes(figure, LEFT + 0.055, bottom + 0.125, RIGHT, top - 0.02)
    xs = list(range(1, len(answer.chances) + 1))
    enough = [SECOND if n == answer.number else FIRST if p >= answer.wanted else FIRST_PALE
              for n, p in zip(xs, answer.chances, strict=True)]  # fmt: skip
    plot.bar(xs, answer.chances, 0.7, color=enough, zorder=2)
    for n, p in zip(xs, answer.chances, strict=True):
        plot.text(
            n, p + 0.02, _told(p), ha="center", va="bottom", fontsize=LABEL, color=TEXT, fontweight="bold", zorder=5,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
    plot.axhline(answer.wanted, color=AMBER, linewidth=2, linestyle=(0, (4, 4)), zorder=3)
    plot.text(
        0.45, answer.wanted + 0.012, f"{100 * answer.wanted:.0f} % wanted", fontsize=LABEL, color=AMBER, va="bottom"
    )
    percent_axis(plot, 1.1)
    word = answer.assumptions.cost.replace("points", "pts")
    points = [f"{n}\n{n * answer.points} {word}" if len(xs) <= 9 else str(n) for n in xs]
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
    sub = f"{answer.unit} ({counted(answer.models, 'model')}) under attack"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    if len(set(answer.attackers)) > 1:
        return _by_attacker(figure, answer, bottom, top)
    plot = axes(figure, LEFT + 0.055, bottom + 0.165, RIGHT - 0.055, top - 0.045)
    kind, full, rest = ("wounds", answer.wounds, answer.wounds_left) if answer.models == 1 else (
        "models", answer.models, answer.left
    )  # fmt: skip
    title(plot, f"Chance that the unit still stands (line), and share of its {kind} left (bars)")
    xs = list(range(len(answer.alive) + 1))
    left = [float(full), *rest]
    plot.bar(xs, [x / full for x in left], 0.66, color=FIRST_PALE, zorder=2)
    plot.plot(xs, [1.0, *answer.alive], color=SECOND, linewidth=3.5, marker="o", markersize=8, zorder=4)
    for x, chance in zip(xs, [1.0, *answer.alive], strict=True):
        plot.text(
            x + 0.06, chance + 0.035, _told(chance), ha="left", va="bottom", fontsize=LABEL, color=SECOND,
            fontweight="bold", zorder=5,
        )  # fmt: skip
    percent_axis(plot, 1.16)
    ticks = thinned(len(xs), 16)
    plot.set_xticks(list(ticks), [f"{x or 'before'}\n{left[x]:.1f} left" if len(xs) <= 9 else f"{x}" for x in ticks])
    label(plot, f"attacks of {answer.attackers[0]}, and {kind} left on average")
    return figure


def _by_attacker(figure: Figure, answer: Survival, bottom: float, top: float) -> Figure:
    """Attacker by attacker, from above: how likely the unit still stands, and how much of it."""
    plot = axes(figure, 0.32, bottom + 0.03, RIGHT - 0.17, top - 0.045)
    title(plot, "After each attack: still there, in red where more likely gone")
    rows = range(len(answer.alive))
    size = LABEL if len(rows) <= 8 else SMALL if len(rows) <= 12 else 10 if len(rows) <= 20 else 7
    plot.barh(rows, answer.alive, 0.66, color=[SECOND if p < 0.5 else FIRST for p in answer.alive], zorder=2)
    for row, chance in zip(rows, answer.alive, strict=True):
        told = f"{_told(chance)}  ({answer.rest(row, brief=True)})"
        plot.text(chance + 0.012, row, told, va="center", fontsize=size, color=TEXT)
    plot.set_yticks(rows, [wrapped(name, 31 if len(rows) <= 12 else 40, 2) for name in answer.attackers])
    plot.tick_params(axis="y", labelsize=min(size, 12), pad=4)
    plot.set_xlim(0, 1.0)
    plot.set_ylim(-0.6, len(rows) - 0.4)
    plot.invert_yaxis()
    plot.set_xticks([])
    plot.spines["bottom"].set_visible(False)
    return figure


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {
    Outcome: outcome,
    Difference: difference,
    Needed: needed,
    Survival: survival,
}
