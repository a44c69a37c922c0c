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
from sandtable.odds.answers import percent
from sandtable.odds.other_rolls import Rolls
from sandtable.odds.results import CommandPoint, Exchange, SplitFire, Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_USES = 7


def command_point(answer: CommandPoint) -> Figure:
    """What each use changes, from before to after."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker} into {answer.target}", answer.assumptions.words())
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
    label(plot, f"{answer.unit}: without (grey), with the {answer.spent}")
    return figure


def exchange(answer: Exchange) -> Figure:
    """What each side loses."""
    sub = f"First {', then '.join(answer.steps)}"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    for side, (colour, pale) in enumerate(((FIRST, FIRST_PALE), (SECOND, SECOND_PALE))):
        left = LEFT + 0.045 + side * 0.475
        plot = axes(figure, left, bottom + 0.125, left + 0.4, top - 0.05)
        title(plot, shortened(f"Losses of {answer.names[side]}", 46))
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
            f"{answer.assumptions.told(answer.lost[side])} of {answer.points[side]} {answer.assumptions.cost}",
            f"{percent(answer.destroyed[side])} destroyed",
        )
        plot.text(
            0.98, 0.95, "\n".join(told), transform=plot.transAxes, ha="right", va="top",
            fontsize=LABEL, color=colour, fontweight="bold", linespacing=1.35,
        )  # fmt: skip
    return figure


COLOURS: Final = (FIRST, SECOND, THIRD, AMBER, "#7b5ba6", "#3c7a89")
"""One for each target of a split."""


def split_fire(answer: SplitFire) -> Figure:
    """Which weapons at which target, and what that brings."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker}, aim: {answer.aim}", answer.assumptions.words())
    if len(answer.targets) == 1:
        return _in_order(figure, answer, bottom, top)
    weapons = list(dict.fromkeys(s.weapon for s in answer.shares))
    left = axes(figure, 0.185, bottom + 0.04, 0.56, top - 0.05)
    title(left, "Who fires at whom")
    size = LABEL if len(weapons) <= 5 else SMALL if len(weapons) <= 9 else 10
    most = max(sum(s.count for s in answer.shares if s.weapon == weapon) for weapon in weapons)
    for row, weapon in enumerate(weapons):
        start, beside = 0, list[tuple[str, str]]()
        for t, target in enumerate(answer.targets):
            count = sum(s.count for s in answer.shares if s.weapon == weapon and s.target == target)
            if not count:
                continue
            left.barh(row, count, 0.62, left=start, color=COLOURS[t], zorder=2)
            told = f"{count} at {target}"
            room = round(34 * count / most)
            if max(map(len, told.split())) <= room and len(told) <= 2 * room:
                inside = wrapped(told, room, 2)
                left.text(start + count / 2, row, inside, ha="center", va="center", fontsize=size, color="white")
            else:
                beside.append((told, COLOURS[t]))
            start += count
        # What has no room in its bar stands beside it, in its colour.
        for i, (told, colour) in enumerate(beside):
            y = row + 0.24 * (i - (len(beside) - 1) / 2)
            left.text(start + 0.02 * most, y, told, ha="left", va="center", fontsize=size, color=colour)
    left.set_yticks(range(len(weapons)), [wrapped(w, 18, 2) for w in weapons])
    left.tick_params(labelsize=SMALL)
    left.set_xlim(0, most)
    left.set_ylim(-0.6, max(1.6, len(weapons) - 0.4))
    left.invert_yaxis()
    left.set_xticks([])
    left.spines["bottom"].set_visible(False)
    right = axes(figure, 0.735, bottom + 0.04, RIGHT - 0.02, top - 0.05)
    title(right, "Destroyed" if answer.aim == "destroy" else answer.told(answer.worth).partition(" ")[2].capitalize())
    names = [*answer.targets, *(f"all at {t}" for t in answer.targets)]
    values = [*answer.by_target, *answer.alone]
    tints = [*COLOURS[: len(answer.targets)], *(["#d8cfbb"] * len(answer.targets))]
    # A gap between what the split does and what everything at one target would do.
    rows = [i + 0.5 * (i >= len(answer.targets)) for i in range(len(names))]
    right.barh(rows, values, 0.66, color=tints, zorder=2)
    scale = max(values) or 1.0
    for place, value in zip(rows, values, strict=True):
        told = f"{100 * value:.0f} %" if answer.aim == "destroy" else f"{value:.1f}"
        right.text(value + 0.03 * scale, place, told, va="center", fontsize=LABEL, color=TEXT)
    right.set_yticks(rows, [wrapped(n, 17, 2) for n in names])
    right.tick_params(labelsize=SMALL if len(names) <= 8 else 10)
    right.set_xlim(0, scale * 1.3)
    right.invert_yaxis()
    right.set_xticks([])
    right.spines["bottom"].set_visible(False)
    return figure


def _in_order(figure: Figure, answer: SplitFire, bottom: float, top: float) -> Figure:
    """For a single target the weapons one after the other, and what the best and the worst order come to."""
    plot = axes(figure, LEFT + 0.02, bottom + 0.04, 0.56, top - 0.05)
    title(plot, f"The best order at {shortened(answer.targets[0], 34)}")
    plot.axis("off")
    counts = {share.weapon: share.count for share in answer.shares}
    pace = min(0.2, 0.95 / max(1, len(answer.order)))
    for i, weapon in enumerate(answer.order):
        y = 0.9 - i * pace
        number = f"{counts[weapon]} x " if counts.get(weapon, 1) > 1 else ""
        plot.text(0.0, y, str(i + 1), fontsize=20, color=FIRST, fontweight="bold", transform=plot.transAxes)
        plot.text(0.07, y, f"{number}{weapon}", fontsize=18, color=TEXT, transform=plot.transAxes)
    values = [answer.worth, answer.worth if answer.worst_order is None else answer.worst_order]
    right = axes(figure, 0.70, bottom + 0.2, RIGHT - 0.02, top - 0.08)
    title(right, answer.told(0.0).partition(" " if answer.aim != "destroy" else "% ")[2].capitalize())
    right.barh(range(2), values, 0.6, color=(FIRST, "#d8cfbb"), zorder=2)
    scale = max(values) or 1.0
    for row, value in enumerate(values):
        told = percent(value) if answer.aim == "destroy" else f"{value:.2f}"
        right.text(value + 0.03 * scale, row, told, va="center", fontsize=LABEL, color=TEXT)
    right.set_yticks(range(2), ["best order", "worst order"])
    right.set_xlim(0, scale * 1.35)
    right.invert_yaxis()
    right.set_xticks([])
    right.spines["bottom"].set_visible(False)
    return figure


def sweep(answer: Sweep) -> Figure:
    """Damage, and the chance to destroy, by the number that changes; where it breaks, a bar is dark."""
    figure, bottom, top = sheet(answer.headline, f"{answer.attacker} into {answer.target}", answer.assumptions.words())
    plot = axes(figure, LEFT + 0.055, bottom + 0.125, RIGHT - 0.065, top - 0.045)
    title(plot, f"Wounds lost for each {answer.what}; dark where it changes")
    few = len(answer.breaks) <= 14 and answer.what != "models"
    dark = [few and value in answer.breaks for value in answer.values]
    plot.bar(answer.values, answer.damage, 0.74, color=[FIRST if d else FIRST_PALE for d in dark], zorder=2)
    most = max(answer.damage) or 1.0
    for i, (value, damage) in enumerate(zip(answer.values, answer.damage, strict=True)):
        if dark[i] or i == 0 or len(answer.values) <= 16:
            plot.text(
                value, damage + 0.02 * most, f"{damage:.1f}", ha="center", va="bottom",
                fontsize=LABEL if dark[i] else SMALL, color=FIRST if dark[i] else QUIET,
                fontweight="bold" if dark[i] else "normal", zorder=5,
            )  # fmt: skip
    plot.set_ylim(0, most * 1.2)
    plot.set_xlim(answer.values[0] - 0.7, answer.values[-1] + 0.7)
    shown = [answer.values[i] for i in thinned(len(answer.values), 16)]
    plot.set_xticks(shown, [f"{v}\nnow" if v == answer.now else str(v) for v in shown])
    for tick, value in zip(plot.get_xticklabels(), shown, strict=True):
        if value == answer.now:
            tick.set_color(SECOND)
            tick.set_fontweight("bold")
    plot.grid(axis="y", color="#e6dcc6", linewidth=0.8)
    plot.set_axisbelow(True)
    label(plot, answer.what if answer.now not in shown else "", "wounds lost")
    plot.yaxis.label.set_color(FIRST)
    if max(answer.destroyed) > 0.005:
        other = plot.twinx()
        other.plot(answer.values, answer.destroyed, color=THIRD, linewidth=2.5, marker="o", markersize=5, zorder=2)
        other.set_ylim(0, 1.2)
        other.set_yticks([0, 0.25, 0.5, 0.75, 1.0], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        other.tick_params(colors=THIRD, labelsize=LABEL, length=0)
        other.set_ylabel("chance to destroy", fontsize=LABEL, color=THIRD)
        for spine in other.spines.values():
            spine.set_visible(False)
    return figure


def rolls(answer: Rolls) -> Figure:
    """The chance of each Charge roll, with and without a re-roll; the unit's other rolls beside it."""
    sub = answer.unit or "Any unit that nothing helps to charge"
    figure, bottom, top = sheet(answer.headline, sub, answer.assumptions.words())
    plot = axes(figure, LEFT + 0.05, bottom + 0.125, 0.66 if answer.unit else RIGHT, top - 0.045)
    title(plot, "Charge: at least so much on the dice")
    needed = [n for n, _, _ in answer.charges]
    plot.bar([n - 0.19 for n in needed], [p for _, p, _ in answer.charges], 0.38, color=FIRST, zorder=2)
    plot.bar([n + 0.19 for n in needed], [q for _, _, q in answer.charges], 0.38, color=FIRST_PALE, zorder=2)
    for n, once, again in answer.charges:
        for x, chance, colour in ((n - 0.19, once, FIRST), (n + 0.19, again, QUIET)):
            told = f"{100 * chance:.0f}" if chance < 0.995 else ""
            plot.text(x, chance + 0.01, told, ha="center", va="bottom", fontsize=10, color=colour)
    here = answer.named("charge").needed
    plot.axvspan(here - 0.5, here + 0.5, color=AMBER, alpha=0.18, zorder=0)
    percent_axis(plot, 1.05)
    plot.set_xticks(needed, [f"{n}+" for n in needed])
    label(plot, "roll needed: dark once, pale with a re-roll")
    rows = answer.tries
    if not answer.unit:
        return figure
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
