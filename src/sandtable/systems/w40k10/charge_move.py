"""The Charge move: whether it may be made like this, whether it can be made at all, and the roll that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import ALLOWED, Moves, Verdict, refuse
from sandtable.forty.state import called_all
from sandtable.kit.moving import after
from sandtable.kit.walking import around
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.closing import (
    ACROSS,
    across,
    barricades,
    close_in,
    group_numbers,
    mend,
    unblock,
)
from sandtable.systems.w40k10.concepts import models_of
from sandtable.systems.w40k10.contact import contact_instead, more_contact, who_could_touch
from sandtable.systems.w40k10.joining import Closing, join_battle
from sandtable.systems.w40k10.paths import CHARGE, Passage, can_move, judge_paths
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.to_barricade import NEAR_BARRICADE, near_barricade, to_barricade
from sandtable.table.grid import TOUCHING, Bools, Floats, Ints, steps
from sandtable.table.measure import area_gap, distances, gaps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import linked

MOST: Final = 12
"""The highest Charge roll, before anything is added to it"""


def judge_charge_move(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """All conditions, and base contact wherever it is possible."""

    def look() -> Verdict:
        verdict = judge_conditions(w, unit, targets, far, answer)
        return verdict and check_contact(w, unit, targets, far, answer)

    # The search that proposes a move has it judged, and whoever gives it as an answer again.
    return w.now(("charge_move", unit.id, tuple(t.id for t in targets), far, answer), look)


def judge_conditions(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """The paths, the targets, and that everybody gets closer."""
    bodies = after(w, answer)
    return (
        judge_paths(w, answer, _way(w, unit, targets), lambda _: far)
        and check_targets(w, unit, targets, bodies)
        and check_closer(w, targets, answer, bodies)
    )


def _way(w: World10, unit: Unit, targets: Sequence[Unit]) -> Passage:
    ids = {t.id for t in targets}
    others = tuple(e.id for e in w.enemies_of(unit.player) if w.is_on_table(e) and e.id not in ids)
    return Passage(unit.id, CHARGE, closed_to_chargers(others))


@rule("w40k10.charge.conditions", neutral=())
def closed_to_chargers(others: tuple[int, ...]) -> tuple[int, ...]:
    """The Engagement Range of enemies that are no targets is closed."""
    return others


@rule("w40k10.charge.conditions", neutral=ALLOWED)
def check_targets(w: World10, unit: Unit, targets: Sequence[Unit], bodies: Bodies) -> Verdict:
    """The unit ends within Engagement Range of every target, or up against a barricade with the target behind it."""
    models = w.on_table(unit)
    for target in targets:
        theirs = w.on_table(target)
        if linked(bodies, w.shapes, models, theirs, BOOK.engagement):
            continue
        if not reached_across(w, bodies, models, theirs):
            return refuse(_out_of_reach(w, unit, target), "w40k10.charge.conditions")
    return ALLOWED


def _out_of_reach(w: World10, unit: Unit, target: Unit) -> str:
    text = f"{unit.name} would not end within Engagement Range of {target.name}"
    if near_barricade(w, target):
        return f'{text}, nor up against the barricade and no more than 2" from {target.name} across it.'
    return f"{text}."


@rule("w40k10.terrain.barricade_charge", neutral=False)
def reached_across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> bool:
    """Whether a model stands up against a barricade, no more than 2" from an enemy that is within 1" behind it."""
    pairs = across(w, bodies, models, enemies)
    for i, j in zip(*np.nonzero(pairs), strict=True):
        for f in barricades(w):
            outline, corners = w.terrain.outline[f], int(w.terrain.corners[f])
            if (
                area_gap(bodies, w.shapes, int(enemies[j]), outline, corners) <= NEAR_BARRICADE
                and area_gap(bodies, w.shapes, int(models[i]), outline, corners) <= TOUCHING
            ):
                return True
    return False


@rule("w40k10.charge.move", neutral=ALLOWED)
def check_closer(w: World10, targets: Sequence[Unit], answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to one of the targets."""
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    if not len(moved):
        return refuse("Nobody moves.", "w40k10.charge.move")
    closer = np.zeros(len(moved), dtype=np.bool_)
    for target in targets:
        theirs = w.on_table(target)
        before = distances(w.bodies, w.shapes, moved, theirs).min(axis=1)
        closer |= distances(bodies, w.shapes, moved, theirs).min(axis=1) < before
    if closer.all():
        return ALLOWED
    return refuse(_astray(w, moved, closer), "w40k10.charge.move")


def _astray(w: World10, moved: Ints, closer: Bools) -> str:
    return f"{called_all(w, moved[~closer].tolist())} would not end closer to one of the targets, as all who move must."


@rule("w40k10.charge.base_contact", neutral=ALLOWED)
def check_contact(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """A model that can end in base contact must, whether it moved or stayed: the refusal shows where."""
    closing = closing_of(w, unit, targets, far)
    better = contact_instead(w, closing, answer, able_models(w, unit))
    if better is None:
        return ALLOWED
    text = f"{who_could_touch(w, closing, answer, better)}: a model that can, must."
    return refuse(text, "w40k10.charge.base_contact", instead=better)


def able_models(w: World10, unit: Unit) -> Ints:
    """The models of a unit that can move at all."""
    return np.array([m for m in w.on_table(unit) if can_move(w, int(m))], dtype=np.int64)


def closing_of(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Closing:
    """A charge as the search for contact and for places sees it."""
    enemies, models = models_of(w, targets), w.on_table(unit)
    groups = group_numbers(w, targets, enemies)
    gap = distances(w.bodies, w.shapes, models, enemies)
    nearest = np.stack([gap[:, groups == g].min(axis=1, initial=np.inf) for g in range(len(targets))], axis=1)
    row = {int(m): k for k, m in enumerate(models)}

    def closer(model: int) -> tuple[Ints, Floats]:
        return enemies, nearest[row[model]][groups]

    def accept(moves: Moves) -> Verdict:
        return judge_conditions(w, unit, targets, far, moves)

    return Closing(unit, _way(w, unit, targets), far, enemies, groups, closer, accept)


# --- Finding one ------------------------------------------------------------------------------------------------------


class Least(NamedTuple):
    """The lowest Charge roll with which a charge can be made, and how; one too many and None where none is enough."""

    roll: int
    moves: Moves | None


def least_roll(w: World10, unit: Unit, targets: Sequence[Unit], most: int = MOST) -> Least:
    """What a charge takes, by the search that decides whether it fails: the chance that is told is the one judged.

    Rolls above `most` do not count.
    """
    key = ("least_roll", unit.id, tuple(t.id for t in targets), most, w.state.game.markers, w.state.game.removed)
    return w.cached(key, lambda: _least_roll(w, unit, targets, most))


def _least_roll(w: World10, unit: Unit, targets: Sequence[Unit], most: int) -> Least:
    low, high = max(0, -int(-furthest_to_go(w, unit, targets) // steps(1))), most
    never = Least(most + 1, None)
    if low > high:
        return never
    # Mostly the distance alone decides. Where it does not: what one roll allows, any higher one does.
    found = possible_charge(w, unit, targets, steps(low))
    if found is not None or low == high:
        return never if found is None else Least(low, found)
    found = possible_charge(w, unit, targets, steps(high))
    if found is None:
        return never
    best = _enough_for(w, unit, targets, low, high, found)
    while best.roll - low > 1:
        middle = (low + best.roll) // 2
        found = possible_charge(w, unit, targets, steps(middle))
        if found is None:
            low = middle
        else:
            best = _enough_for(w, unit, targets, low, middle, found)
    return best


def _enough_for(w: World10, unit: Unit, targets: Sequence[Unit], low: int, high: int, moves: Moves) -> Least:
    """The lowest roll with which the same move can be made, above one that is too low, up to one that is enough."""
    while high - low > 1:
        middle = (low + high) // 2
        if judge_conditions(w, unit, targets, steps(middle), moves):
            high = middle
        else:
            low = middle
    return Least(high, moves)


def furthest_to_go(w: World10, unit: Unit, targets: Sequence[Unit]) -> float:
    """How far a unit has to go at least to reach each of its targets, by the distances alone."""
    here = [t for t in targets if w.is_on_table(t)]
    reach = {t.id: ACROSS if near_barricade(w, t) else BOOK.engagement.flat for t in here}
    return max((float(w.gaps(unit, t).min()) - reach[t.id] for t in here), default=0.0)


def possible_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """A Charge move that meets all conditions, if the search finds one; models may still have to go on into contact."""
    key = ("possible_charge", unit.id, tuple(t.id for t in targets), far, w.state.game.markers, w.state.game.removed)
    return w.cached(key, lambda: (_possible_charge(w, unit, targets, far),))[0]


def _possible_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    movers, closing, models = able_models(w, unit), closing_of(w, unit, targets, far), w.on_table(unit)

    def reached(bodies: Bodies, target: Unit) -> bool:
        return reached_across(w, bodies, models, w.on_table(target))

    found = join_battle(w, closing, movers)
    return to_barricade(w, closing, movers, targets, reached) if found is None else found


def find_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """A legal Charge move, if there is one; None where the bounded search behind `least_roll` finds none."""
    key = ("find_charge", unit.id, tuple(t.id for t in targets), far, w.state.game.markers, w.state.game.removed)
    return w.cached(key, lambda: (_find_charge(w, unit, targets, far),))[0]


def _find_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    least = least_roll(w, unit, targets, max(MOST, far // steps(1)))
    plain = least.moves if far >= steps(least.roll) else None
    if plain is None:
        return None

    def judge(moves: Moves) -> Verdict:
        return judge_charge_move(w, unit, targets, far, moves)

    # It can be made: now for a way that brings as many as may be into the fight.
    found = next((m for moves in chain(_in_force(w, unit, targets, far), (plain,)) if (m := mend(moves, judge))), None)
    while found is not None and len(targets) > 1:
        # With several targets, whom the first ones go for decides how many can touch.
        more = more_contact(w, closing_of(w, unit, targets, far), found, able_models(w, unit))
        more = None if more is None else mend(more, judge)
        if more is None:
            break
        found = more
    return found


def _in_force(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Iterator[Moves]:
    """Moves with everybody as near to the enemy as they get; most of them are legal."""
    movers, way, enemies = able_models(w, unit), _way(w, unit, targets), models_of(w, targets)
    near = enemies[gaps(w.bodies, w.shapes, movers, enemies).min(axis=0) <= far + BOOK.engagement.flat]
    if all(np.isin(w.on_table(t), near).any() for t in targets):
        first = close_in(w, movers, near, way, far, group_numbers(w, targets, near))
        yield first
        yield unblock(w, first, way, far, near)
        yield around(w, way, first, lambda _: far)
