"""Pictures about phases: a charge through Overwatch, a Morale phase, a psychic power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sandtable.charts import (
    AMBER,
    FIRST,
    FIRST_PALE,
    LABEL,
    LEFT,
    QUIET,
    RIGHT,
    SECOND,
    SECOND_PALE,
    SMALL,
    TEXT,
    THIRD,
    axes,
    label,
    percent_axis,
    sheet,
    shortened,
    thinned,
    title,
)
from sandtable.odds.answers import percent
from sandtable.odds.results_phase import Assault, Morale, Psychic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def at_least(chances: Sequence[float]) -> list[float]:
    """From the chances of exactly so many those of at least so many."""
    left, out = 1.0, []
    for p in chances:
        out.append(max(0.0, left))
        left -= p
    return out


def last_shown(*chances: Sequence[float]) -> int:
    """How many bars are worth showing."""
    last = max(n for each in chances for n, p in enumerate(at_least(each)) if p > 5e-4)
    return min(len(chances[0]), max(last + 2, 4))


def assault(answer: Assault) -> Figure:
    """The way in from left to right: Overwatch, the roll, what both sides lose, and who flees."""
    firing = [text.partition(" of ")[0] for text in answer.steps[: answer.before]]
    blows = [text.replace("blows of what is left of", "what is left of") for text in answer.steps[answer.before :]]
    sub = ", then ".join([*firing, "the roll", *blows])
    sub = f"{sub[:1].upper()}{sub[1:]}"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    chain = axes(figure, LEFT + 0.105, bottom + 0.06, 0.36, top - 0.05)
    title(chain, "The way in")
    rows = [("charge roll", answer.chance), ("with a re-roll", answer.again), ("reaches them", answer.home)]
    for row, (_, chance) in enumerate(rows):
        chain.barh(row, chance, 0.62, color=FIRST_PALE if row == 1 else FIRST, zorder=2)
        chain.text(chance + 0.03, row, percent(chance), va="center", fontsize=LABEL, color=TEXT, fontweight="bold")
    chain.set_yticks(range(len(rows)), [name for name, _ in rows])
    chain.tick_params(labelsize=SMALL)
    chain.set_xlim(0, 1.35)
    chain.set_ylim(-0.6, len(rows) - 0.4)
    chain.invert_yaxis()
    chain.set_xticks([])
    chain.spines["bottom"].set_visible(False)
    for side, (colour, pale) in enumerate(((FIRST, FIRST_PALE), (SECOND, SECOND_PALE))):
        left = 0.425 + side * 0.295
        plot = axes(figure, left, bottom + 0.125, left + 0.245, top - 0.05)
        title(plot, shortened(f"Losses of {answer.names[side]}", 28))
        shown = last_shown(answer.killed[side], answer.made[side])
        plot.bar(range(shown), answer.killed[side][:shown], 0.72, color=pale, zorder=2)
        plot.plot(range(shown), at_least(answer.made[side])[:shown], color=colour, linewidth=3, marker="o", zorder=4)
        plot.plot(
            range(shown), at_least(answer.killed[side])[:shown], color=colour, linewidth=2,
            linestyle=(0, (4, 3)), zorder=3,
        )  # fmt: skip
        percent_axis(plot, 1.06)
        # The words have the room above the curves.
        plot.set_ylim(0, 1.5)
        ticks = thinned(shown, 8)
        plot.set_xticks(list(ticks), [str(t) for t in ticks])
        label(plot, "at least: made (line), in all (dashes)" if not side else "exactly, in all (bars)")
        plot.xaxis.label.set_fontsize(SMALL)
        told = [
            f"{answer.mean_killed(side):.1f} of {answer.models[side]}",
            f"{percent(answer.destroyed[side])} destroyed",
        ]
        if answer.fled is not None:
            told.append(f"{answer.fled[side]:.1f} flee")
        plot.text(
            0.98, 0.96, "\n".join(told), transform=plot.transAxes, ha="right", va="top",
            fontsize=LABEL, color=colour, fontweight="bold", linespacing=1.3,
        )  # fmt: skip
    return figure


def morale(answer: Morale) -> Figure:
    """Models slain, and models gone after the Morale phase."""
    after = " + ".join(answer.attackers)
    sub = f"{answer.unit} ({answer.models} models), " + (f"attacked by {after}" if after else "after its losses")
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    plot = axes(figure, LEFT + 0.045, bottom + 0.125, RIGHT, top - 0.045)
    title(plot, "At least so many gone: slain (dashes), and with those who fled (line); exactly (bars)")
    shown = last_shown(answer.gone, answer.slain)
    plot.bar([n - 0.19 for n in range(shown)], answer.slain[:shown], 0.38, color=FIRST_PALE, zorder=2)
    plot.bar([n + 0.19 for n in range(shown)], answer.gone[:shown], 0.38, color=SECOND_PALE, zorder=2)
    dashes = (0, (4, 3))
    plot.plot(range(shown), at_least(answer.slain)[:shown], color=FIRST, linewidth=2.5, linestyle=dashes, zorder=3)
    plot.plot(range(shown), at_least(answer.gone)[:shown], color=SECOND, linewidth=3.5, marker="o", zorder=4)
    percent_axis(plot, 1.06)
    ticks = thinned(shown, 16)
    plot.set_xticks(list(ticks), [str(t) for t in ticks])
    label(plot, "models")
    told = (f"{answer.mean_slain:.1f} slain", f"{answer.mean_fled:.1f} fled", f"{percent(answer.firm)} nobody flees")
    for row, (text, colour) in enumerate(zip(told, (FIRST, SECOND, TEXT), strict=True)):
        plot.text(
            0.985, 0.96 - 0.11 * row, text, transform=plot.transAxes, ha="right", va="top", fontsize=18, color=colour,
            fontweight="bold",
        )  # fmt: skip
    return figure


def psychic(answer: Psychic) -> Figure:
    """What may come of the attempt, and the mortal wounds that it deals."""
    figure, bottom, top = sheet(answer.headline, f"{answer.psyker} at {answer.target}", answer.assumptions.words())
    left = axes(figure, LEFT + 0.1, bottom + 0.05, 0.44, top - 0.05)
    title(left, f"{answer.power} ({answer.needed}+)")
    fails = max(0.0, 1 - answer.manifested)
    rows = [
        ("manifested", answer.manifested, FIRST),
        ("denied", answer.denied, SECOND),
        ("takes effect", answer.works, THIRD),
        ("fails", fails, QUIET),
        ("Perils", answer.perils, AMBER),
        ("psyker dies", answer.dies, AMBER),
    ]
    for row, (_, chance, colour) in enumerate(rows):
        left.barh(row, chance, 0.62, color=colour, zorder=2)
        left.text(chance + 0.02, row, percent(chance), va="center", fontsize=LABEL, color=TEXT)
    left.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    left.tick_params(labelsize=SMALL)
    left.set_xlim(0, 1.25)
    left.set_ylim(-0.6, len(rows) - 0.4)
    left.invert_yaxis()
    left.set_xticks([])
    left.spines["bottom"].set_visible(False)
    _wounds(axes(figure, 0.53, bottom + 0.125, RIGHT, top - 0.05), answer)
    return figure


def _wounds(plot: Axes, answer: Psychic) -> None:
    title(plot, "At least (line), exactly (bars)")
    shown = last_shown(answer.damage)
    plot.bar(range(shown), answer.damage[:shown], 0.72, color=FIRST_PALE, zorder=2)
    plot.plot(range(shown), at_least(answer.damage)[:shown], color=FIRST, linewidth=3, marker="o", zorder=4)
    percent_axis(plot, 1.06)
    plot.set_xticks(range(shown), [str(n) for n in range(shown)])
    label(plot, f"wounds lost, of {answer.wounds}")
    told = [f"{answer.mean_damage:.2f} wounds", f"{answer.mean_killed:.2f} of {answer.models} slain"]
    plot.text(
        0.98, 0.96, "\n".join(told), transform=plot.transAxes, ha="right", va="top", fontsize=LABEL, color=FIRST,
        fontweight="bold", linespacing=1.3,
    )  # fmt: skip


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {Assault: assault, Morale: morale, Psychic: psychic}
