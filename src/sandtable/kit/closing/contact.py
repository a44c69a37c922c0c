"""What a move that seeks the enemy has to come to, as a value, and what distances alone say about it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Moves
from sandtable.battle.kept import PLACES, kept
from sandtable.battle.verdict import Verdict
from sandtable.kit.closing.across import Across, stands_behind
from sandtable.kit.way import Way
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Ball, Zone, links

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

NEVER: Final = -np.inf
"""No distance is below this."""
EQUALLY: Final = 0.5
"""Distances that differ by no more than half a grid step are the same."""


class Contact(NamedTuple):
    """Who goes, how, whom they seek, and what the move has to come to.

    It holds no duty: "must end in contact if it can" is a rule of the edition, which asks `contact_instead` for a
    witness. All in it are plain values and plain functions, so that what is found can be kept under it.
    """

    way: Way
    far: int
    """How far each model may go"""
    movers: tuple[int, ...]
    """The models that may go"""
    prey: tuple[int, ...]
    """The enemy units that they seek"""
    accept: Callable[[AnyWorld, Contact, Moves], Verdict]
    """All conditions of the move, but no duty"""
    reach: Zone | Ball | None = None
    """How near to the enemy somebody must end, to one unit or to each; None where nobody must"""
    each: bool = False
    """Whether that goes for each unit"""
    closer: Callable[[AnyWorld, Contact], Floats] | None = None
    """[model of the unit, model sought]: who moves must end closer than this to one of those; None where nobody must.
    `closer_to_a_unit` and `closer_to_the_nearest` are what editions mean by it"""
    counts: Callable[[AnyWorld, Contact], Bools] | None = None
    """[model of the unit, model sought]: whom a model goes for, where it looks past some"""
    ladder: tuple[Zone | Ball, ...] = ()
    """How near to the enemy each model should get if it can, the best first"""
    across: Across | None = None
    """Another way of reaching the enemy, where the edition knows one"""
    furthest: int = 0
    """How far such a move may ever go, where dice decide: what is laid out for that serves all that may be rolled"""
    lying: Hashable = ()
    """What lies on the table beside models, as far as it changes while no model moves"""

    @property
    def several(self) -> bool:
        """Whether more than one unit must be reached."""
        return self.each and len(self.prey) > 1


def mates_of(w: AnyWorld, c: Contact) -> Ints:
    """All models of the unit on the table."""
    return w.on_table(w.unit(c.way.unit))


@kept(PLACES)
def models_of(w: AnyWorld, units: tuple[int, ...]) -> Ints:
    """The models on the table of several units."""
    found = [w.on_table(w.unit(u)) for u in units]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def sought(w: AnyWorld, c: Contact) -> Ints:
    """The enemy models that they seek."""
    return models_of(w, c.prey)


def groups(w: AnyWorld, c: Contact, models: Ints, units: tuple[int, ...]) -> Ints:
    """For each of some enemy models the place of its unit among those to be reached; all alike where one is enough."""
    if not c.each:
        return np.zeros(len(models), dtype=np.int64)
    place = {u: i for i, u in enumerate(units)}
    return np.array([place[int(w.state.models.unit[m])] for m in models], dtype=np.int64)


@kept(PLACES)
def able_models(w: AnyWorld, way: Way) -> tuple[int, ...]:
    """The models of a unit that can move at all."""
    return tuple(int(m) for m in w.on_table(w.unit(way.unit)) if way.able(w, int(m)))


def near(w: AnyWorld, bodies: Bodies, models: Ints, others: Ints, zone: Zone | Ball = CONTACT) -> Bools:
    """Which models are so near to one of the others; by default, in base contact."""
    if not len(models) or not len(others):
        return np.zeros(len(models), dtype=np.bool_)
    return np.asarray(links(bodies, w.shapes, models, others, zone).any(axis=1))


# --- Closer -----------------------------------------------------------------------------------------------------------


def closer_to_a_unit(w: AnyWorld, c: Contact) -> Floats:
    """Closer to one of the units sought than the nearest of its models was."""
    models, enemies = mates_of(w, c), models_of(w, c.prey)
    gap = distances(w.bodies, w.shapes, models, enemies)
    unit = w.state.models.unit[enemies]
    out = np.empty_like(gap)
    for one in c.prey:
        out[:, unit == one] = gap[:, unit == one].min(axis=1, initial=np.inf)[:, None]
    return out


def closer_to_the_nearest(w: AnyWorld, c: Contact) -> Floats:
    """Closer to the enemy model that was nearest, of those that count; of several equally near ones, to any."""
    gap = distances(w.bodies, w.shapes, mates_of(w, c), models_of(w, c.prey))
    if c.counts is not None:
        gap[~c.counts(w, c)] = np.inf
    nearest = (gap <= gap.min(axis=1, initial=np.inf)[:, None] + EQUALLY) & (gap < np.inf)
    return np.where(nearest, gap, NEVER)


def closer_to_the_nearest_unit(w: AnyWorld, c: Contact) -> Floats:
    """Closer to the unit sought that was nearest, than the nearest of its models was; of several as near, to any."""
    each = closer_to_a_unit(w, c)
    return np.where(each <= each.min(axis=1, initial=np.inf)[:, None] + EQUALLY, each, NEVER)


def all_but(w: AnyWorld, c: Contact, left_out: Bools, looks_past: Callable[[Any, int], bool]) -> Bools:
    """[model of the unit, model sought] which count: all but those left out, for a model that looks past these."""
    sought_, mates = models_of(w, c.prey), mates_of(w, c).tolist()
    past = np.array([looks_past(w, m) for m in mates], dtype=np.bool_)
    return np.asarray(~(past[:, None] & left_out[sought_][None, :]))


@kept(PLACES)
def to_beat(w: AnyWorld, c: Contact) -> Floats:
    """[model of the unit, model sought] what `closer` says."""
    assert c.closer is not None, "nobody need get closer"
    return c.closer(w, c)


def closer_than(w: AnyWorld, c: Contact, model: int) -> tuple[Ints, Floats]:
    """The enemies to one of which a model has to end closer if it moves, and than what distance."""
    if c.closer is None:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
    row = to_beat(w, c)[mates_of(w, c).tolist().index(model)]
    counts = row > NEVER
    return models_of(w, c.prey)[counts], row[counts]


def astray(w: AnyWorld, c: Contact, moves: Moves, bodies: Bodies) -> list[int]:
    """Which models that move would not end closer."""
    models = mates_of(w, c)
    row = {m: k for k, m in enumerate(models.tolist())}
    moved = np.array([p.model for p in moves.paths], dtype=np.int64)
    limits = to_beat(w, c)[[row[p.model] for p in moves.paths]]
    closer = (distances(bodies, w.shapes, moved, models_of(w, c.prey)) < limits).any(axis=1)
    return [int(m) for m in moved[~closer]]


# --- What distances alone rule out ------------------------------------------------------------------------------------


def least_way(w: AnyWorld, c: Contact, left: Sequence[int] | None = None) -> float:
    """How far they have to go at least to reach whom they must, by distances alone; infinite where they cannot.

    With `left`, where these are all that is left of the unit.
    """
    assert c.reach is not None, "nobody must be reached"
    unit = w.unit(c.way.unit)
    rows = slice(None) if left is None else np.isin(w.on_table(unit), left)
    ways = [
        float(w.gaps(unit, e)[rows].min(initial=np.inf)) - _widest(w, c, e) if w.is_on_table(e) else np.inf
        for e in map(w.unit, c.prey)
    ]
    return max(ways, default=0.0) if c.each else min(ways, default=np.inf)


def _widest(w: AnyWorld, c: Contact, enemy: Any) -> int:
    """From how far a unit can be reached."""
    assert c.reach is not None
    if c.across is not None and stands_behind(w, w.on_table(enemy), c.across.features, c.across.behind):
        return c.across.zone.flat
    return c.reach.flat
