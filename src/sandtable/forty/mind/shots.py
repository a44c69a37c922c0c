"""The Shooting phase of the computer players: who shoots next, and what at whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import GONE, Assign, Assignment, Choose
from sandtable.battle.kept import EVERYTHING, PLACES, kept
from sandtable.battle.tactics import Idea
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import as_far_as_legal, rows_of
from sandtable.forty.mind.force import mean
from sandtable.forty.mind.ground import view
from sandtable.forty.mind.markers import in_reach
from sandtable.forty.mind.mind import Mark, mind_of
from sandtable.forty.mind.outlook import Moment, moment_of, outlook
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import Style
from sandtable.forty.mind.weighing import dearness
from sandtable.forty.state import Unit, World40
from sandtable.kit.grammar import does
from sandtable.table.grid import STEP

COVERED: Final = 0.75
"""What shots do to a target in cover, compared with one in the open"""
OVERKILL: Final = 0.3
"""What wounds count that a target does not have"""
TOGETHER: Final = 1.2
"""What counts in favour of a target that other guns of the unit shoot at: half a unit destroyed is still half there"""
SPARE: Final = 0.7
"""The share of a target's wounds that all guns together must take off before it matters who shoots at it"""
RIVALS: Final = 2
"""Targets that are weighed exactly against each other"""


def target_worth(w: World40, player: int) -> dict[int, float]:
    """For each enemy unit the points that one of its wounds is worth: dearer where it holds a marker or threatens."""
    return _target_worth(w, player, moment_of(w))


@kept(PLACES)
def _target_worth(w: World40, player: int, moment: Moment) -> dict[int, float]:
    o, at_stake = outlook(w), stakes(w, player)
    side = w.side(player)
    worth = dearness(o.field, side, o.hold, in_reach(o.field.at, at_stake.places, at_stake.near), at_stake.markers)
    found: dict[int, float] = {}
    for row in np.flatnonzero(o.field.side != side).tolist():
        unit = w.unit(o.units[row])
        more = at_stake.warlord if at_stake.warlord and warlord_of(w, unit) else 0.0
        found[unit.id] = (float(worth[row]) + more + at_stake.kill) / max(1.0, float(o.field.wounds[row]))
    return found


def warlord_of(w: World40, unit: Unit) -> bool:
    """Whether a unit has its army's Warlord in it, who is still alive."""
    place = w.state.models.place
    return any(e.warlord in unit.models and place[e.warlord] != GONE for e in w.setup.data.roster if e.warlord >= 0)


def _marks(w: World40, unit: Unit, targets: Sequence[int]) -> dict[int, Mark]:
    """Targets as a unit sees them; whether in cover, from the middles of both."""
    o, most, found = outlook(w), mind_of(w).cover_for, {}
    rows = [o.row[t] for t in targets]
    seen, sheltered = view(w, o.field.at[rows], o.field.at[[o.row[unit.id]]])
    for t, open_, shelter in zip(targets, seen[:, 0].tolist(), sheltered.tolist(), strict=True):
        target = w.unit(t)
        models = w.on_table(target)
        sheet, far = w.setup.data.kits[int(models[0])].sheet, w.distance(unit, target) / STEP
        found[t] = Mark(t, sheet, len(models), far, COVERED if not open_ or (shelter and len(models) <= most) else 1.0)
    return found


class Aimed(NamedTuple):
    """The use of a unit's guns that averages speak for."""

    worth: float
    guns: tuple[tuple[int, int, int, int], ...]
    """(row, target, profile, count) for each row of guns."""
    rivals: tuple[int, ...] = ()
    """Targets between which only exact numbers can decide: one of them has too few wounds for all guns."""


@kept(EVERYTHING)
def best_shots(w: World40, unit: Unit, only: int = -1, *, sparing: bool = False) -> Aimed:
    """The best use of a unit's guns by averages, at one target `only` or at all.

    Those that fire once in a battle are kept back if it is `sparing`.
    """
    o, worth, mind = outlook(w), target_worth(w, unit.player), mind_of(w)
    rows = rows_of(guns_of(w, unit, only))
    left = {o.units[r]: float(o.field.wounds[r]) for r in range(len(o.units))}
    options: list[list[tuple[int, int, float]]] = []
    marks = _marks(w, unit, list(dict.fromkeys(t for row in rows for ts in row[0].targets for t in ts)))
    for row in rows:
        gun, found = row[0], []
        for k, targets in enumerate(gun.targets):
            for t in () if sparing and mind.once(gun.profiles[k]) else targets:
                found.append((t, k, mean(w, gun.model, gun.profiles[k], marks[t]) * len(row)))
        options.append(found)
    rivals = _rivals(options, left, worth)
    # The guns that have most to gain from the right target choose first; the others finish what they began.
    order = sorted(range(len(rows)), key=lambda g: (-max((r * worth[t] for t, _, r in options[g]), default=0.0), g))
    total = 0.0
    chosen: list[tuple[int, int, int, int]] = []
    for g in order:
        best, pick = -1.0, None
        for t, k, wounds in options[g]:
            useful = min(wounds, left[t])
            score = worth[t] * (useful + OVERKILL * (wounds - useful))
            if any(t == aimed[1] for aimed in chosen):
                score *= TOGETHER
            if wounds >= left[t] > 0:
                score *= 1.25
            if score > best:
                best, pick = score, (g, t, k, wounds)
        if pick is not None:
            total += best
            left[pick[1]] = max(0.0, left[pick[1]] - pick[3])
            chosen.append((pick[0], pick[1], pick[2], len(rows[g])))
    return Aimed(total, tuple(chosen), rivals)


def _rivals(
    options: Sequence[Sequence[tuple[int, int, float]]], left: Mapping[int, float], worth: Mapping[int, float]
) -> tuple[int, ...]:
    """The best targets, where the guns get into each other's way: as long as none can run out, averages are exact."""
    if len(options) < 2:
        return ()
    loss: dict[int, float] = {}
    for found in options:
        most: dict[int, float] = {}
        for t, _, wounds in found:
            most[t] = max(wounds, most.get(t, 0.0))
        for t, wounds in most.items():
            loss[t] = loss.get(t, 0.0) + wounds
    best = sorted(loss, key=lambda t: (-worth[t] * min(loss[t], left[t]), t))[:RIVALS]
    tight = any(loss[t] >= SPARE * left[t] for t in best)
    return tuple(best) if tight and len(best) == RIVALS else ()


def who_shoots(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The unit with most to gain first; what else is offered where it is worth its price."""
    ready = [int(o.value) for o in d.options if isinstance(o.value, int)]
    if style.reacts:
        yield from _beside(w, d)
    o = outlook(w)
    # Those who do most to whatever they hit go first: the others finish what is left.
    strongest = o.field.fire[:, 3].max(axis=1).tolist()
    might = {u: strongest[o.row[u]] for u in ready}
    for u in sorted(ready, key=lambda u: (-might[u], u))[:1]:
        most, none = f"{does(w.unit(u), 'has')} the most to gain by shooting now.", "Nobody is left who could do more."
        yield Idea(u, might[u], most if might[u] > 0 else none)


def _beside(w: World40, d: Choose) -> Iterator[Idea]:
    """The best of what is offered beside the units that may shoot."""
    best: Idea | None = None
    for option in d.options:
        found = None if isinstance(option.value, int) else mind_of(w).beside_shooting(w, d, option)
        if found is not None and (best is None or found[0] > best.worth):
            best = Idea(option.value, *found)
    if best is not None:
        yield best


def what_to_shoot(w: World40, d: Assign, style: Style) -> Iterator[Idea]:
    """Every gun at the target that it does most to; where a target may run out of wounds, by the exact best split."""
    unit, only = w.unit(d.unit), int(d.about["only"])
    overwatch = bool(d.about["overwatch"])
    aimed = best_shots(w, unit, only, sparing=overwatch)
    if not aimed.guns:
        return
    wanted = [Assignment(d.rows[g].id, t, n, (d.rows[g].modes or ("",) * (k + 1))[k]) for g, t, k, n in aimed.guns]
    split: tuple[Assignment, ...] = ()
    if aimed.rivals and not overwatch:
        worth = target_worth(w, d.player)
        split = _exact_split(w, d, {t: worth[t] for t in aimed.rivals})
    dealt = [a.row for a in split]
    # Earlier assignments win where Pistols and other guns of a model exclude each other.
    answer = as_far_as_legal(w, d, [*split, *(a for a in wanted if a.row not in dealt)])
    yield Idea(answer, aimed.worth, _why(w, unit, answer, exact=bool(split)))


def _exact_split(w: World40, d: Assign, worth: Mapping[int, float]) -> tuple[Assignment, ...]:
    """How guns are best dealt over targets that compete for them; nothing where that is too much to work out."""
    # The solver is loaded only where somebody asks.
    from sandtable.forty.odds import advice

    found = advice.best_split(w, d, "damage", worth, by_rows=True)
    return () if found is None else found.answer


def _why(w: World40, unit: Unit, answer: Sequence[Assignment], *, exact: bool) -> str:
    names = list(dict.fromkeys(w.unit(int(a.target)).name for a in answer))
    if not names:
        return f"{does(unit, 'has')} nothing worth shooting at."
    if exact and len(names) > 1:
        return f"{does(unit, 'divides')} fire between {' and '.join(names[:3])}: the best split by exact odds."
    if exact:
        return f"{does(unit, 'fires')} everything at {names[0]}: by exact odds no split does more."
    return f"{does(unit, 'does')} most to {' and '.join(names[:3])}."
