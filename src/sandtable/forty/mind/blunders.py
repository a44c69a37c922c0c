"""Blunders that a person would notice at once, judged by what stood on the table before the answer.

It measures with the rules' own services and shares nothing with the code that chooses: whoever plays, and however they
came to their answer, is judged alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from sandtable.battle import Assign, Assignment, Choose, ChooseSome, Move, Moves, questions
from sandtable.forty.aiming import guns_of, unit_weapons
from sandtable.forty.declaring import declaration, shots_of
from sandtable.forty.markers import Control, gaps_between, markers_left
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.state import ADVANCE, FALL_BACK, NORMAL, Unit, World40, sheet_of
from sandtable.kit.moving import after
from sandtable.kit.otherwise import standing
from sandtable.kit.seeing import WHOLLY, within_areas
from sandtable.table.grid import STEP, steps
from sandtable.table.measure import gaps
from sandtable.table.shapes import Bodies

IDLE_SHOOTER: Final = "idle shooter"
FREE_MARKER: Final = "free marker left"
OUT_OF_COVER: Final = "out of cover for nothing"
HOPELESS_CHARGE: Final = "hopeless charge"
BLUNDERS: Final = (IDLE_SHOOTER, FREE_MARKER, OUT_OF_COVER, HOPELESS_CHARGE)

WORTH_A_SHOT: Final = 0.3
"""Wounds on average that make a shot worth firing"""
LONG_ODDS: Final = 0.1
"""A charge that is less likely is hopeless"""
SCRATCH, WOUND = 0.05, 0.3
"""A charge is hopeless, too, that takes less than this part of its target and costs more than that part of itself"""
NOBODY_NEAR: Final = steps(9)
"""A marker is free if no enemy is so near to holding it"""
SLACK: Final = steps(1.5)
"""Inches of a move that going around things may cost"""
CHARGE_RANGE: Final = steps(12)


def blunder(w: World40, decision: Any, answer: Any) -> str:
    """The blunder that an answer is; empty for none."""
    match decision:
        case Choose(kind="shoot_with") if answer is None:
            return IDLE_SHOOTER if any(_could_hurt(w, w.unit(o.value)) for o in _units(decision)) else ""
        case Assign(kind="shoot"):
            return IDLE_SHOOTER if _leaves_guns_idle(w, decision, answer) else ""
        case Choose(kind="charge_with") if isinstance(answer, int):
            targets = mind_of(w).prey(w, w.unit(answer))
            return HOPELESS_CHARGE if len(targets) == 1 and _is_hopeless(w, w.unit(answer), targets) else ""
        case ChooseSome(kind="charge_targets"):
            chosen = [w.unit(int(t)) for t in answer]
            return HOPELESS_CHARGE if _is_hopeless(w, w.unit(decision.unit), chosen) else ""
        case Move(kind="move" | "complete_move"):
            return _misplaced(w, w.unit(decision.unit), answer)
    return ""


def _units(d: Choose) -> list[Any]:
    return [o for o in d.options if isinstance(o.value, int)]


# --- Shooting ---------------------------------------------------------------------------------------------------------


def _could_hurt(w: World40, unit: Unit) -> bool:
    """Whether a unit that may shoot would do any harm worth the name."""
    question = declaration(w, unit)
    return _harm(w, question, questions.plain(w, question)) >= WORTH_A_SHOT


def _harm(w: World40, d: Assign, shots: tuple[Assignment, ...]) -> float:
    """The wounds that shots take off all their targets on average."""
    unit, total = w.unit(d.unit), 0.0
    fired = shots_of(w, unit, guns_of(w, unit, int(d.about["only"])), shots)
    for target in dict.fromkeys(s.target for s in fired):
        total += mean_damage(w, unit, w.unit(target), [s for s in fired if s.target == target])
    return total


def _leaves_guns_idle(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> bool:
    """Whether guns that could still be fired with effect are not."""
    for row in d.rows:
        rest = row.count - sum(a.count for a in answer if a.row == row.id)
        if rest <= 0:
            continue
        for target in row.targets:
            for mode in row.modes or ("",):
                more = Assignment(row.id, target, rest, mode)
                if questions.judge(w, d, (*answer, more)) and _harm(w, d, (more,)) >= WORTH_A_SHOT:
                    return True
    return False


# --- Charges ----------------------------------------------------------------------------------------------------------


def _is_hopeless(w: World40, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Whether a charge will hardly arrive, or will hurt nobody but those who charge."""
    if mind_of(w).charge_chance(w, unit, targets) < LONG_ODDS:
        return True
    harm = max(_blows(w, unit, t) / max(1.0, _wounds(w, t)) for t in targets)
    back = sum(_blows(w, t, unit) for t in targets) / max(1.0, _wounds(w, unit))
    near_marker = any(_in_range(w, w.bodies, t, m) for t in targets for m in markers_left(w))
    return harm < SCRATCH and back > WOUND and not near_marker


def _wounds(w: World40, unit: Unit) -> float:
    return float(w.state.models.wounds[w.on_table(unit)].sum())


def _blows(w: World40, unit: Unit, target: Unit) -> float:
    """The wounds that a unit takes off another on average if all its models strike."""
    blows = []
    for m in map(int, w.on_table(unit)):
        if each := mind_of(w).blows(w, m, target):
            blows.append(max(each, key=lambda blow: mean_damage(w, unit, target, [blow])))
    return mean_damage(w, unit, target, blows) if blows else 0.0


# --- Movement ---------------------------------------------------------------------------------------------------------


def _misplaced(w: World40, unit: Unit, answer: Moves) -> str:
    if answer.mode in (FALL_BACK,) or mind_of(w).engaged(w, unit) or answer.onto >= 0:
        return ""
    if answer.mode == ADVANCE and not answer.paths:
        # Where an Advance leads is said, and judged, after its roll.
        return ""
    bodies = after(w, answer)
    if _leaves_marker(w, unit, bodies):
        return FREE_MARKER
    if answer.paths and _leaves_cover(w, unit, answer, bodies):
        return OUT_OF_COVER
    return ""


def _in_range(w: World40, bodies: Bodies, unit: Unit, marker: int) -> bool:
    """Whether any of a unit's models counts for a marker."""
    return bool(np.any(w.system.seam(Control).near(w, bodies, w.on_table(unit), (marker,))))


def _pays(w: World40, unit: Unit) -> bool:
    """Whether holding markers still pays the unit's player; without a mission they are all that there is to hold."""
    scoring = mind_of(w).scoring(w)
    if scoring is None:
        return True
    last = w.setup.data.rounds
    for way in scoring:
        again = w.state.round < min(way.to_round, last) or (way.when == "turn" and w.state.round >= way.from_round)
        if way.kind.startswith("hold") and way.where == "all" and again:
            return True
    return False


def _can_hold(w: World40, unit: Unit) -> bool:
    mind = mind_of(w)
    return unit.id not in mind.unnerved(w) and any(mind.hold(sheet_of(w, int(m))) > 0 for m in w.on_table(unit))


def _gap(w: World40, bodies: Bodies, unit: Unit, marker: int) -> float:
    """About how far a unit's nearest model is from counting for a marker."""
    near = mind_of(w).near_marker * STEP - float(w.shapes.reach[-1])
    return float(np.min(gaps_between(w, bodies, w.on_table(unit), (marker,)))) - near


def _leaves_marker(w: World40, unit: Unit, bodies: Bodies) -> bool:
    """Whether a unit does not take a marker that was there for the taking."""
    if not _can_hold(w, unit) or not _pays(w, unit):
        return False
    if any(_in_range(w, bodies, unit, m) for m in markers_left(w)):
        return False
    friends = [f for f in w.units_of(unit.player) if f.id != unit.id and w.is_on_table(f) and _can_hold(w, f)]
    for marker in markers_left(w):
        if _gap(w, w.bodies, unit, marker) > _reach(w, unit) - SLACK:
            continue
        enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e)]
        if any(_gap(w, w.bodies, e, marker) < NOBODY_NEAR for e in enemies):
            continue
        held = any(_in_range(w, w.bodies, f, marker) for f in friends)
        others = any(not f.moved and _gap(w, w.bodies, f, marker) <= _reach(w, f) for f in friends)
        if not held and not others:
            return True
    return False


def _reach(w: World40, unit: Unit) -> int:
    return min((mind_of(w).allowance(w, unit, int(m), NORMAL) for m in w.on_table(unit)), default=0)


def _leaves_cover(w: World40, unit: Unit, answer: Moves, bodies: Bodies) -> bool:
    """Whether a unit gives up cover, is seen by somebody, and gains nothing by it."""
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e)]
    if not enemies or not _sheltered(w, unit):
        return False
    then = standing(w, bodies)
    there = then.unit(unit.id)
    if _sheltered(then, there) or not any(mind_of(w).sees(then, e, there) and _armed(then, e, there) for e in enemies):
        return False
    gained = (
        any(_gap(w, bodies, unit, m) < max(0.0, _gap(w, w.bodies, unit, m) - STEP) for m in markers_left(w))
        or any(_in_range(w, bodies, unit, m) for m in markers_left(w))
        or float(min(gaps(bodies, w.shapes, w.on_table(unit), w.on_table(e)).min() for e in enemies)) <= CHARGE_RANGE
        or (answer.mode != ADVANCE and any(g.anything for g in guns_of(then, there)))
    )
    return not gained


def _sheltered(w: World40, unit: Unit) -> bool:
    """Whether most of a unit stands wholly within terrain that gives cover."""
    kinds = np.array([f.kind in mind_of(w).shelter for f in w.table.features], dtype=np.bool_)
    if not len(kinds) or not w.is_on_table(unit):
        return False
    inside = np.asarray(((within_areas(w, unit) == WHOLLY) & kinds[None, :]).any(axis=1))
    return bool(2 * inside.sum() > len(inside))


def _armed(w: World40, enemy: Unit, unit: Unit) -> bool:
    """Whether an enemy has a gun that reaches a unit."""
    reach = max((x.range for x in unit_weapons(w, enemy) if not x.is_melee), default=0)
    return w.distance(enemy, unit) <= steps(reach)
