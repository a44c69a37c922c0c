"""Pictures about what to do: command points, exchanges, splits, break points, rolls."""

from __future__ import annotations

from collections.abc import Callable
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
    wrapped,
)
from sandtable.odds.other_rolls import Rolls
from sandtable.odds.results import CommandPoint, Exchange, SplitFire, Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_USES = 7


def command_point(answer: CommandPoint) -> Figure:
    """What each use changes, from before to after."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker} into {answer.target}", answer.assumptions.lines())
    plot = axes(figure, 0.40, bottom + 0.135, RIGHT - 0.03, top)
    # What changes nothing is in the table; here it would crowd the rest out.
    uses = [u for u in answer.uses if abs(u.gain) > 1e-6][:MOST_USES] or list(answer.uses[:3])
    rows = range(len(uses))
    most = max([u.after for u in uses] + [u.before for u in uses], default=1.0) or 1.0
    for row, use in zip(rows, uses, strict=True):
        colour = SECOND if use.by_target else FIRST
        plot.plot([use.before, use.after], [row, row], color=colour, linewidth=9, solid_capstyle="butt", alpha=0.45)
        plot.plot([use.before], [row], "o", color=QUIET, markersize=9)
        plot.plot([use.after], [row], "o", color=colour, markersize=13)
        change = answer.told(use.after)
        right = use.after >= use.before
        plot.text(
            use.after + (0.025 if right else -0.025) * most, row, change, va="center", ha="left" if right else "right",
            fontsize=LABEL, color=colour, fontweight="bold",
        )  # fmt: skip
    names = [wrapped(u.name + (" (by the target)" if u.by_target else ""), 34, 2) for u in uses]
    plot.set_yticks(rows, names)
    plot.set_ylim(-0.6, len(uses) - 0.4)
    plot.invert_yaxis()
    plot.tick_params(labelsize=SMALL)
    if uses:
        plot.axvline(uses[0].before, color=QUIET, linewidth=1, linestyle=(0, (4, 4)), zorder=0)
    plot.set_xlim(min(0.0, -0.02 * most), most * 1.22)
    if answer.aim == "destroy":
        ticks = [t for t in (0, 0.2, 0.4, 0.6, 0.8, 1.0) if t <= most * 1.2]
        plot.set_xticks(ticks, [f"{100 * t:.0f} %" for t in ticks])
    label(plot, f"{answer.unit}: without (grey), with the command point")
    return figure


def exchange(answer: Exchange) -> Figure:
    """What each side loses."""
    sub = "; then ".join(dict.fromkeys(answer.steps))
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.lines())
    for side, (colour, pale) in enumerate(((FIRST, FIRST_PALE), (SECOND, SECOND_PALE))):
        left = LEFT + 0.045 + side * 0.485
        plot = axes(figure, left, bottom + 0.125, left + 0.42, top - 0.05)
        title(plot, shortened(f"{answer.names[side]} loses", 44))
        chances = answer.killed[side]
        left_over, at_least = 1.0, []
        for p in chances:
            at_least.append(max(0.0, left_over))
            left_over -= p
        shown = max([n + 1 for n, p in enumerate(at_least) if p > 5e-4] or [1])
        shown = min(len(chances), max(shown + 1, 4))
        plot.bar(range(shown), chances[:shown], 0.72, color=pale, zorder=2)
        plot.plot(range(shown), at_least[:shown], color=colour, linewidth=3, marker="o", markersize=5, zorder=3)
        percent_axis(plot, 1.06)
        ticks = thinned(shown, 11)
        plot.set_xticks(list(ticks), [str(t) for t in ticks])
        label(plot, f"models lost, at least (line) and exactly (bars) of {answer.models[side]}")
        plot.xaxis.label.set_fontsize(SMALL)
        told = (
            f"{answer.mean_killed(side):.1f} models",
            f"{answer.lost[side]:.0f} of {answer.points[side]} points",
            f"{100 * answer.destroyed[side]:.0f} % destroyed",
        )
        plot.text(
            0.98, 0.95, "\n".join(told), transform=plot.transAxes, ha="right", va="top",
            fontsize=LABEL, color=colour, fontweight="bold", linespacing=1.35,
        )  # fmt: skip
    return figure


def split_fire(answer: SplitFire) -> Figure:
    """Which weapons at which target, and what that brings."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker}, aim: {answer.aim}", answer.assumptions.lines())
    weapons = list(dict.fromkeys(s.weapon for s in answer.shares))
    left = axes(figure, 0.20, bottom + 0.04, 0.55, top - 0.05)
    title(left, "Who fires at whom")
    colours = (FIRST, SECOND, THIRD, AMBER, QUIET, "#7b5ba6")
    for row, weapon in enumerate(weapons):
        start = 0
        for t, target in enumerate(answer.targets):
            count = sum(s.count for s in answer.shares if s.weapon == weapon and s.target == target)
            if count:
                left.barh(row, count, 0.6, left=start, color=colours[t % len(colours)], zorder=2)
                left.text(start + count / 2, row, str(count), ha="center", va="center", fontsize=LABEL, color="white")
                start += count
    left.set_yticks(range(len(weapons)), [wrapped(w, 18, 2) for w in weapons])
    left.tick_params(labelsize=SMALL)
    left.invert_yaxis()
    left.set_xticks([])
    left.spines["bottom"].set_visible(False)
    right = axes(figure, 0.70, bottom + 0.04, RIGHT - 0.03, top - 0.05)
    if len(answer.targets) == 1:
        title(right, "The best order")
        right.axis("off")
        for i, weapon in enumerate(answer.order):
            right.text(0, 0.92 - i * 0.14, f"{i + 1}. {weapon}", fontsize=LABEL, color=TEXT, transform=right.transAxes)
        return figure
    title(right, "What that reaches")
    names = [*answer.targets, *(f"all at {t}" for t in answer.targets)]
    values = [*answer.by_target, *answer.alone]
    tints = [*(colours[t % len(colours)] for t in range(len(answer.targets))), *(["#d8cfbb"] * len(answer.targets))]
    right.barh(range(len(names)), values, 0.6, color=tints, zorder=2)
    most = max(values) or 1.0
    for row, value in enumerate(values):
        told = f"{100 * value:.0f} %" if answer.aim == "destroy" else f"{value:.1f}"
        right.text(value + 0.03 * most, row, told, va="center", fontsize=LABEL, color=TEXT)
    right.set_yticks(range(len(names)), [wrapped(n, 17, 2) for n in names])
    right.tick_params(labelsize=SMALL if len(names) <= 8 else 10)
    right.set_xlim(0, most * 1.25)
    right.invert_yaxis()
    right.set_xticks([])
    right.spines["bottom"].set_visible(False)
    return figure


def sweep(answer: Sweep) -> Figure:
    """Damage, and the chance to destroy, by the number that changes; breaks are marked."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker} into {answer.target}", answer.assumptions.lines())
    plot = axes(figure, LEFT + 0.055, bottom + 0.125, RIGHT - 0.065, top - 0.045)
    plot.step(answer.values, answer.damage, where="mid", color=FIRST, linewidth=3, zorder=3)
    plot.plot(answer.values, answer.damage, "o", color=FIRST, markersize=7, zorder=4)
    most = max(answer.damage) or 1.0
    for value, damage in zip(answer.values, answer.damage, strict=True):
        if value in answer.breaks and len(answer.breaks) <= 14 and answer.what != "models":
            plot.axvline(value, color=AMBER, linewidth=1.2, linestyle=(0, (4, 4)), zorder=1)
            plot.text(
                value, damage + 0.035 * most, f"{damage:.1f}", ha="center", va="bottom", fontsize=LABEL, color=FIRST,
                fontweight="bold", zorder=5,
            )  # fmt: skip
    if answer.now is not None and answer.now in answer.values:
        plot.axvline(answer.now, color=SECOND, linewidth=2, zorder=1)
        plot.text(answer.now, most * 1.2, "now", ha="center", va="top", fontsize=LABEL, color=SECOND, fontweight="bold")
    plot.set_ylim(0, most * 1.22)
    ticks = thinned(len(answer.values), 16)
    plot.set_xticks([answer.values[i] for i in ticks])
    plot.grid(axis="y", color="#e6dcc6", linewidth=0.8)
    label(plot, answer.what, "wounds lost")
    plot.yaxis.label.set_color(FIRST)
    if max(answer.destroyed) > 0.005:
        other = plot.twinx()
        other.plot(answer.values, answer.destroyed, color=THIRD, linewidth=2.5, zorder=2)
        other.set_ylim(0, 1.0)
        other.set_yticks([0, 0.25, 0.5, 0.75, 1.0], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        other.tick_params(colors=THIRD, labelsize=LABEL, length=0)
        other.set_ylabel("chance to destroy", fontsize=LABEL, color=THIRD)
        for spine in other.spines.values():
            spine.set_visible(False)
    return figure


def rolls(answer: Rolls) -> Figure:
    """The chance of each Charge roll, with and without a re-roll; the unit's other rolls beside it."""
    figure, bottom, top = sheet(answer.headline, answer.unit, answer.assumptions.lines())
    plot = axes(figure, LEFT + 0.05, bottom + 0.125, 0.66, top - 0.045)
    title(plot, "Charge: at least so much on the dice")
    needed = [n for n, _, _ in answer.charges]
    plot.bar([n - 0.19 for n in needed], [p for _, p, _ in answer.charges], 0.38, color=FIRST, zorder=2)
    plot.bar([n + 0.19 for n in needed], [q for _, _, q in answer.charges], 0.38, color=FIRST_PALE, zorder=2)
    here = answer.named("charge").needed
    plot.axvspan(here - 0.5, here + 0.5, color=AMBER, alpha=0.18, zorder=0)
    percent_axis(plot, 1.05)
    plot.set_xticks(needed, [f"{n}+" for n in needed])
    label(plot, "roll needed: dark once, pale with a re-roll")
    rows = answer.tries
    figure.text(0.695, top - 0.02, "This unit", fontsize=LABEL, fontweight="bold", color=TEXT, va="top")
    pace = min(0.115, (top - bottom - 0.12) / max(1, len(rows)))
    for i, row in enumerate(rows):
        y = top - 0.09 - i * pace
        figure.text(0.695, y, shortened(row.text, 40), fontsize=SMALL, color=TEXT, va="top")
        figure.text(
            0.695, y - 0.038, f"{100 * row.once:.0f} %", fontsize=LABEL, color=FIRST, va="top", fontweight="bold"
        )
        figure.text(0.765, y - 0.038, row.told, fontsize=SMALL, color=QUIET, va="top")
    return figure


PICTURES: Final[dict[type, Callable[[Any], Any]]] = {
    CommandPoint: command_point,
    Exchange: exchange,
    SplitFire: split_fire,
    Sweep: sweep,
    Rolls: rolls,
}
