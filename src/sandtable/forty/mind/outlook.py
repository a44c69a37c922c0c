"""The battlefield at a glance: who stands where, what everybody is worth and could do to whom, as arrays over units.

Places and distances are in inches, worth is in points. All of it is estimated from the middles of units.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sandtable.battle import GONE, TABLE, Choose
from sandtable.battle.kept import EVERYTHING, LOSSES, PLACES, SETUP, kept
from sandtable.forty.mind.contest import Contest, contest
from sandtable.forty.mind.field import BAND, BANDS, Field, compared, harm_of, harms, summed
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import Unit, World40
from sandtable.table.grid import STEP, Bools, Floats, Ints

HURRY: Final = 3.5
"""What an Advance adds on average, in inches"""
GAP: Final = 0.15
"""Half of what is left between two bases of a unit that is set up"""


class Outlook(NamedTuple):
    """All units on the table. Rows are places in `units`."""

    units: tuple[int, ...]
    """Their ids"""
    row: dict[int, int]
    """The row of a unit id"""
    hold: Floats
    """What each counts for at an objective marker"""
    sheet: Ints
    """The datasheet of the first model"""
    models: Ints
    """How many each has"""
    against: dict[int, Ints]
    """Rows of the enemies of each side"""
    field: Field
    """Everything else, as kernels take it"""

    def foes(self, unit: int) -> Ints:
        """Rows of the enemies of a row."""
        return self.against[int(self.field.side[unit])]

    def friends(self, unit: int) -> Ints:
        """Rows of the same side, without the unit itself."""
        mine = self.field.side == self.field.side[unit]
        mine[unit] = False
        return np.flatnonzero(mine)


class Moment(NamedTuple):
    """All that counts for plans beside where everybody stands."""

    wounds: bytes
    """Of all models"""
    unnerved: tuple[int, ...]
    """Units that count for nothing at markers"""
    fought_over: Contest


def moment_of(w: World40) -> Moment:
    """What counts for plans now."""
    return Moment(w.state.models.wounds.tobytes(), mind_of(w).unnerved(w), contest(w))


@kept(EVERYTHING)
def outlook(w: World40) -> Outlook:
    """The battlefield as it is now."""
    return _outlook(w, -1, w.state.models.wounds.tobytes(), mind_of(w).unnerved(w))


def outlook_with(w: World40, unit: Unit) -> Outlook:
    """The same with a unit that is about to arrive; where it stands means nothing."""
    return _outlook(w, unit.id, w.state.models.wounds.tobytes(), mind_of(w).unnerved(w))


@kept(PLACES)
def _outlook(w: World40, arriving: int, wounds_left: bytes, unnerved: tuple[int, ...]) -> Outlook:
    """What counts for it changes less often than the state."""
    models, data, r, base = w.state.models, arsenal(w), _ranks(w, arriving), _bases(w)
    at, wide, wounds, points = summed(r.rows, r.models, models.pos, models.wounds, base, data.wounds, data.points)
    if arriving >= 0:
        i = r.row[arriving]
        wide[i] = (base[r.rows == i].max() + GAP) * float(r.models[i]) ** 0.5
    mind, hold = mind_of(w), r.hold.copy()
    hold[[r.row[u] for u in unnerved if u in r.row]] = 0.0
    far, worth, salvo = compared(r.side, at, wide, points, wounds, r.fire)
    field = Field(
        r.side,
        at,
        wide,
        points,
        wounds,
        r.move,
        r.fire,
        r.strike,
        far,
        worth,
        salvo,
        r.fires_on,
        r.passes,
        r.guarded,
        mind.charge,
        mind.berth,
    )
    return Outlook(r.units, r.row, hold, r.sheet, r.models, r.against, field)


@kept(SETUP)
def _bases(w: World40) -> Floats:
    """For each model how far its base reaches out, in inches."""
    return np.asarray(w.shapes.reach[w.ground.shape] / STEP)


class Ranks(NamedTuple):
    """What an outlook owes to who is there, not to where they stand."""

    units: tuple[int, ...]
    row: dict[int, int]
    rows: Ints
    """For each model the row of its unit; -1 for one that does not count"""
    side: Ints
    models: Ints
    hold: Floats
    move: Floats
    sheet: Ints
    fire: Floats
    strike: Floats
    fires_on: Bools
    passes: Bools
    guarded: Bools
    against: dict[int, Ints]


@kept(LOSSES)
def _ranks(w: World40, arriving: int) -> Ranks:
    """Who is there, with a unit that is about to arrive or without one."""
    data, mind, models = arsenal(w), mind_of(w), w.state.models
    here = models.place == TABLE
    if arriving >= 0:
        here |= (models.unit == arriving) & (models.place != GONE)
    m = np.flatnonzero(here)
    owner = w.state.models.unit[m]
    count = np.bincount(owner, minlength=len(w.state.units))
    units = np.flatnonzero(count)
    ids = units.tolist()
    row = (np.cumsum(count > 0) - 1)[owner]
    rows, strong = np.full(len(here), -1), count[units]
    rows[m] = row
    # Attacks meet the Bodyguard first: the last model of a roster is rarely its Leader.
    first = np.zeros(len(ids), dtype=np.int64)
    first[row[::-1]] = m[::-1]
    sheet = data.sheet[first]
    move = np.full(len(ids), 99.0)
    np.minimum.at(move, row, data.move[m])
    side = np.array([w.side(w.state.units[unit].player) for unit in ids], dtype=np.int64)
    return Ranks(
        tuple(ids),
        {unit: i for i, unit in enumerate(ids)},
        rows,
        side,
        strong,
        np.bincount(row, weights=data.hold[m], minlength=len(ids)).astype(np.float64),
        move,
        sheet,
        *harms(rows, data.kind, sheet, strong, data.fire, data.blast, data.strike),
        np.array([mind.fires_on(w, w.state.units[u]) for u in ids], dtype=np.bool_),
        np.array([mind.passes(w, w.state.units[u]) for u in ids], dtype=np.bool_),
        np.array([mind.guarded(w, w.state.units[u]) for u in ids], dtype=np.bool_),
        {s: np.flatnonzero(side != s) for s in dict.fromkeys(side.tolist())},
    )


def band_of(far: Floats) -> Ints:
    """The band of range that distances fall into."""
    return np.minimum((far / BAND).astype(np.int64), BANDS - 1)


def harm(o: Outlook, wounds: Floats, target: Ints) -> Floats:
    """What wounds on targets are worth in points; a unit that is nearly gone is worth finishing."""
    return np.asarray(harm_of(wounds, o.field.points[target], o.field.wounds[target]))


def friendly_fire(o: Outlook, i: int, foes: Ints) -> float:
    """What the rest of a side could do by shooting at the best of some enemies."""
    friends = o.friends(i)
    if not len(friends):
        return 0.0
    bands = band_of(o.field.far[friends[:, None], foes[None, :]])
    wounds = o.field.fire[friends[:, None], bands, foes[None, :]].sum(axis=0)
    return float(harm(o, wounds, foes).max())


def reach_chance(o: Outlook, gap: Floats) -> Floats:
    """The chance of a charge over gaps in inches."""
    chance = o.field.charge
    return chance[np.minimum(np.ceil(gap), len(chance) - 1).astype(np.int64)]


def value_of(w: World40, unit: Unit) -> float:
    """What is left of a unit in points, on the table or not."""
    data, place = arsenal(w), w.state.models.place
    left = [m for m in unit.models if place[m] != GONE]
    return float(sum(data.points[m] * w.state.models.wounds[m] / max(1.0, data.wounds[m]) for m in left))


def units_among(w: World40, d: Choose) -> list[Any]:
    """The units that a choice offers; what else it offers, such as Stratagems, is left out."""
    return [w.unit(o.value) for o in d.options if isinstance(o.value, int)]
