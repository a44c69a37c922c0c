"""The picture of one question under several editions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from sandtable.charts import (
    AMBER,
    FIRST,
    LABEL,
    LEFT,
    RIGHT,
    SECOND,
    SMALL,
    TEXT,
    THIRD,
    axes,
    label,
    percent_axis,
    sheet,
    thinned,
    title,
)
from sandtable.odds.answers import percent
from sandtable.odds.pictures_phase import at_least, last_shown
from sandtable.odds.side_by_side import Editions, Under
from sandtable.rules.diff import alone, rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS: Final = (FIRST, SECOND, THIRD, AMBER, "#7b5ba6")
"""One for each edition."""
MOST_RULES: Final = 4


def editions(answer: Editions) -> Figure:
    """Where the ways part from attacks to models, what is lost in the end, and which rules differ."""
    figure, bottom, top = sheet(answer.headline, _sub(answer), _words(answer))
    charge = any(u.own for u in answer.under)
    edge = 0.385 if charge else 0.5
    _funnel(axes(figure, LEFT + 0.075, bottom + 0.05, edge, top - 0.05), answer)
    if not charge:
        _curves(axes(figure, edge + 0.075, bottom + 0.125, RIGHT, top - 0.05), answer, 1)
        return figure
    _curves(axes(figure, 0.455, bottom + 0.125, 0.685, top - 0.05), answer, 1)
    _curves(axes(figure, 0.745, bottom + 0.125, RIGHT, top - 0.05), answer, 0)
    return figure


def _sub(answer: Editions) -> str:
    parts = []
    for u in answer.under:
        home = u.measures.get("chance to charge home")
        told = f", {percent(home)} get home" if home is not None else ""
        number, _, cost = u.prices[0].partition(" ")
        parts.append(f"{u.edition}: {number} against {u.prices[1].partition(' ')[0]} {cost}{told}")
    return "; ".join(parts)


def _words(answer: Editions) -> list[str]:
    """What makes the difference, in the names of the rules, pair by pair; then what is not counted."""
    names = {u.system: u.edition for u in answer.under}
    out = []
    for one, other, pairs in answer.differences:
        parts = [("other facts", [p.row.name for p in pairs if rank(p) == 0])]
        parts += [(f"only in {names[has]}", [row.name for row in alone(pairs, side)])
                  for side, has in enumerate((one, other))]  # fmt: skip
        told = [f"{what}: {_some(rules)}" for what, rules in parts if rules]
        out += [f"{names[one]} beside {names[other]}; {'; '.join(told)}."] if told else []
    return [*out, *answer.assumptions.words()[1:]]


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_RULES} more" if len(names) > MOST_RULES else ""
    return f"{', '.join(names[:MOST_RULES])}{more}"


def _funnel(plot: Axes, answer: Editions) -> None:
    """Attacks, hits, wounds, unsaved, damage and models of each edition, one under the other."""
    title(plot, "From attacks to models" if not any(u.own for u in answer.under) else "The blows, if all get there")
    names = list(dict.fromkeys(s.name for u in answer.under for s in u.stages))
    most = max((s.mean for u in answer.under for s in u.stages), default=1.0) or 1.0
    high = 0.8 / len(answer.under)
    for k, u in enumerate(answer.under):
        means = {s.name: s.mean for s in u.stages}
        for row, name in enumerate(names):
            y = row - 0.4 + high * (k + 0.5)
            value = means.get(name, 0.0)
            # A dash where an edition does not count it: none is not the same as nothing of it.
            told = f"{value:.1f}" if name in means else "-"
            plot.barh(y, value, 0.92 * high, color=COLOURS[k], zorder=2, label=u.edition if not row else None)
            plot.text(value + 0.02 * most, y, told, va="center", fontsize=SMALL, color=COLOURS[k])
    plot.set_yticks(range(len(names)), names)
    plot.tick_params(labelsize=SMALL)
    plot.set_xlim(0, most * 1.25)
    plot.set_ylim(-0.55, len(names) - 0.45)
    plot.invert_yaxis()
    plot.set_xticks([])
    plot.spines["bottom"].set_visible(False)
    plot.legend(loc="lower right", frameon=False, fontsize=SMALL, labelcolor="linecolor", handlelength=1.0)


def _curves(plot: Axes, answer: Editions, side: int) -> None:
    """The chance that one side loses at least so many models."""
    title(plot, "The target loses" if side else "The chargers lose")

    def chances(u: Under) -> tuple[float, ...]:
        return u.killed if side else u.own

    shown = max(last_shown(chances(u)) for u in answer.under)
    for k, u in enumerate(answer.under):
        line = at_least(chances(u))[:shown]
        plot.plot(range(len(line)), line, color=COLOURS[k], linewidth=3.5, marker="o", markersize=6, zorder=4)
        mean = sum(n * p for n, p in enumerate(chances(u)))
        fled = u.measures.get("models that flee" if side else "own models that flee", 0.0)
        told = f"{mean:.1f} of {len(chances(u)) - 1}" + (f", {fled:.1f} flee" if fled >= 0.05 else "")
        plot.text(
            0.98, 0.97 - 0.09 * k, told, transform=plot.transAxes, ha="right", va="top", fontsize=LABEL,
            color=COLOURS[k], fontweight="bold",
        )  # fmt: skip
    percent_axis(plot, 1.06)
    plot.set_ylim(0, 1.12 + 0.14 * len(answer.under))
    ticks = thinned(shown, 8)
    plot.set_xticks(list(ticks), [str(t) for t in ticks])
    plot.set_xlim(-0.4, shown - 0.6)
    label(plot, "models, at least")
    plot.xaxis.label.set_color(TEXT)


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {Editions: editions}
