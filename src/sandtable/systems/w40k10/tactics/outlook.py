"""The battlefield at a glance: who stands where, what everybody is worth and could do to whom, as arrays over units.

Places and distances are in inches, worth is in points. All of it is estimated from the middles of units.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.battle import GONE, TABLE, Choose
from sandtable.systems.w40k10.concepts import has_keyword
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.tactics.force import BAND, BANDS, arsenal
from sandtable.table.grid import STEP, Bools, Floats, Ints

CROWD: Final = 10
"""Of more models than this only a part gets to strike."""
REACH_OF_BLADES: Final = 0.6

HURRY: Final = 3.5
"""What an Advance adds on average, in inches"""
MIDDLE: Final = 2
"""The band of middle range"""
IN_MELEE: Final = 0.8
"""What the fire of big guns counts in a melee"""
GAP: Final = 0.15
"""Half of what is left between two bases of a unit that is set up"""

CHARGE_ROLL: Final = np.array([float(at_least(TWO_DICE, needed)) for needed in range(14)])
"""The chance of a Charge roll of at least 0, 1, 2, ... 13"""


class Outlook(NamedTuple):
    """All units on the table. Rows are places in `units`."""

    units: tuple[int, ...]
    """Their ids"""
    row: dict[int, int]
    """The row of a unit id"""
    side: Ints
    at: Floats
    """[unit, x y], the middle"""
    wide: Floats
    """How far its bases reach out from the middle"""
    points: Floats
    """What is left of it"""
    wounds: Floats
    """Wounds left"""
    models: Ints
    oc: Floats
    move: Floats
    fire: Floats
    """[unit, band of range, other unit]: wounds that its shooting takes off the other"""
    strike: Floats
    """[unit, other unit]: the same in melee"""
    far: Floats
    """[unit, other unit]: distance between the bases"""
    worth: Floats
    """For each unit the points that one of its wounds stands for"""
    salvo: Floats
    """About what a turn of each unit's shooting at middle range is worth"""
    big: Bools
    """Monsters and Vehicles, who shoot in a melee, too"""
    flies: Bools
    against: dict[int, Ints]
    """Rows of the enemies of each side"""

    def foes(self, unit: int) -> Ints:
        """Rows of the enemies of a row."""
        return self.against[int(self.side[unit])]

    def friends(self, unit: int) -> Ints:
        """Rows of the same side, without the unit itself."""
        mine = self.side == self.side[unit]
        mine[unit] = False
        return np.flatnonzero(mine)


def outlook(w: World10) -> Outlook:
    """The battlefield as it is now."""
    return w.now("outlook", lambda: _last_outlook(w))


def _last_outlook(w: World10) -> Outlook:
    """What counts for it changes less often than the state."""
    shocked = tuple([u.id for u in w.state.units if u.battle_shocked])
    return w.cached(("outlook", w.state.models.wounds.tobytes(), shocked), lambda: _outlook(w))


def outlook_with(w: World10, unit: Unit) -> Outlook:
    """The same with a unit that is about to arrive; where it stands means nothing."""
    key = ("outlook with", unit.id, w.state.models.wounds.tobytes())
    return w.cached(key, lambda: _outlook(w, unit.id))


def _outlook(w: World10, arriving: int = -1) -> Outlook:
    models, data = w.state.models, arsenal(w)
    owner = models.unit
    here = (models.place == TABLE) | ((owner == arriving) & (models.place != GONE))
    count_all = np.bincount(owner, weights=here, minlength=len(w.state.units))
    ids = np.flatnonzero(count_all > 0)
    rows = np.full(len(w.state.units), -1, dtype=np.int64)
    rows[ids] = np.arange(len(ids))
    m = np.flatnonzero(here)
    row, n = rows[owner[m]], len(ids)
    count = np.bincount(row, minlength=n)
    pos = models.pos[m, :2] / STEP
    at = (
        np.stack([np.bincount(row, weights=pos[:, k], minlength=n) for k in (0, 1)], axis=1)
        / np.maximum(count, 1)[:, None]
    )
    left = models.wounds[m].astype(np.float64)
    wounds: Floats = np.bincount(row, weights=left, minlength=n).astype(np.float64)
    share = left / np.maximum(data.wounds[m], 1)
    points: Floats = np.bincount(row, weights=data.points[m] * share, minlength=n).astype(np.float64)
    oc = np.bincount(row, weights=data.oc[m], minlength=n)
    shocked = np.array([w.state.units[u].battle_shocked for u in ids.tolist()], dtype=np.bool_)
    move = np.full(n, 99.0)
    np.minimum.at(move, row, data.move[m])
    spread = pos - at[row]
    base = w.shapes.reach[w.ground.shape[m]] / STEP
    wide = np.zeros(n)
    np.maximum.at(wide, row, np.sqrt(spread[:, 0] ** 2 + spread[:, 1] ** 2) + base)
    if arriving >= 0:
        wide[rows[arriving]] = (base[row == rows[arriving]].max() + GAP) * float(count[rows[arriving]]) ** 0.5
    arms = np.zeros((n, data.fire.shape[0]))
    np.add.at(arms, (row, data.kind[m]), 1.0)
    # Attacks meet the Bodyguard first: the last model of a roster is rarely its Leader.
    first = np.zeros(n, dtype=np.int64)
    first[row[::-1]] = m[::-1]
    sheet = data.sheet[first]
    gap = at[:, None, :] - at[None, :, :]
    far = np.maximum(0.0, np.sqrt(gap[:, :, 0] ** 2 + gap[:, :, 1] ** 2) - 0.8 * (wide[:, None] + wide[None, :]))
    # Who does what to whom changes with losses, not with moves.
    key = ("harms", arms.tobytes(), sheet.tobytes(), count.tobytes())
    fire, strike = w.fixed(key, lambda: _harms(w, arms, sheet, count))
    side = np.array([w.side(w.state.units[u].player) for u in ids.tolist()], dtype=np.int64)
    salvos = np.where(side[:, None] != side[None, :], _harm(fire[:, MIDDLE, :], points, wounds), 0.0)
    return Outlook(
        tuple(ids.tolist()),
        {int(u): i for i, u in enumerate(ids)},
        side,
        at,
        wide,
        points,
        wounds,
        count,
        np.where(shocked, 0.0, oc),
        move,
        fire,
        strike,
        far,
        points / np.maximum(wounds, 1.0),
        np.asarray(salvos.max(axis=1, initial=0.0)),
        _have(w, ids, "MONSTER", "VEHICLE"),
        _have(w, ids, "FLY"),
        {s: np.flatnonzero(side != s) for s in dict.fromkeys(side.tolist())},
    )


def _have(w: World10, units: Ints, *keywords: str) -> Bools:
    """Which units have one of some keywords from the start."""
    every = w.fixed(
        ("with", keywords),
        lambda: np.array([any(has_keyword(w, u, k) for k in keywords) for u in w.state.units], dtype=np.bool_),
    )
    return np.asarray(every[units])


def _harms(w: World10, arms: Floats, sheet: Ints, count: Ints) -> tuple[Floats, Floats]:
    """`fire` and `strike` of an outlook, for units with these arms, datasheets and numbers of models."""
    n = len(count)
    fire, strike = np.zeros((n, BANDS, n)), np.zeros((n, n))
    blows = np.minimum(count, CROWD + REACH_OF_BLADES * (count - CROWD)) / np.maximum(count, 1)
    for i in range(n):
        able = _might(w, arms[i])
        fire[i] = able.fire[:, sheet] + able.blast[:, sheet] * (count // 5)
        strike[i] = able.strike[sheet] * blows[i]
    return fire, strike


class Might(NamedTuple):
    """What some models together do to each datasheet, as in `Arsenal`."""

    fire: Floats
    blast: Floats
    strike: Floats


def _might(w: World10, count: Floats) -> Might:
    """For so many models of each kind."""

    def look() -> Might:
        data, kinds = arsenal(w), np.flatnonzero(count)
        share = count[kinds]
        return Might(
            (share[:, None, None] * data.fire[kinds]).sum(axis=0),
            (share[:, None, None] * data.blast[kinds]).sum(axis=0),
            (share[:, None] * data.strike[kinds]).sum(axis=0),
        )

    return w.fixed(("might", count.tobytes()), look)


def band_of(far: Floats) -> Ints:
    """The band of range that distances fall into."""
    return np.minimum((far / BAND).astype(np.int64), BANDS - 1)


def harm(o: Outlook, wounds: Floats, target: Ints) -> Floats:
    """What wounds on targets are worth in points; a unit that is nearly gone is worth finishing."""
    return _harm(wounds, o.points[target], o.wounds[target])


def _harm(wounds: Floats, points: Floats, left: Floats) -> Floats:
    share = np.minimum(1.0, wounds / np.maximum(left, 0.5))
    return np.asarray(points * share * (0.85 + 0.35 * share))


def silenced(o: Outlook, i: int) -> float:
    """What a turn of shooting is worth that a unit loses in a melee."""
    return float(o.salvo[i]) * (1.0 - IN_MELEE * bool(o.big[i]))


def friendly_fire(o: Outlook, i: int, foes: Ints) -> float:
    """What the rest of a side could do by shooting at the best of some enemies."""
    friends = o.friends(i)
    if not len(friends):
        return 0.0
    wounds = o.fire[friends[:, None], band_of(o.far[friends[:, None], foes[None, :]]), foes[None, :]].sum(axis=0)
    return float(harm(o, wounds, foes).max())


def reach_chance(gap: Floats) -> Floats:
    """The chance of a charge over gaps in inches."""
    need = np.clip(np.ceil(gap - 1.0), 0, 13).astype(np.int64)
    return CHARGE_ROLL[need]


def value_of(w: World10, unit: Unit) -> float:
    """What is left of a unit in points, on the table or not."""
    data, place = arsenal(w), w.state.models.place
    left = [m for m in unit.models if place[m] != GONE]
    return float(sum(data.points[m] * w.state.models.wounds[m] / max(1.0, data.wounds[m]) for m in left))


def units_among(w: World10, d: Choose) -> list[Unit]:
    """The units that a choice offers; what else it offers, such as Stratagems, is left out."""
    return [w.unit(o.value) for o in d.options if isinstance(o.value, int)]
