"""What weapons do to datasheets on average, read off once for a whole battle.

These are estimates for plans, and for windows that open only where they can matter: abilities of the weapon and the
target's armour are in them, what happens to lie on a unit at the moment is not. An attack that is about to be made has
its averages in `estimate`, and its odds in `odds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.hit_and_wound import by_table
from sandtable.systems.w40k10.state import World10
from sandtable.table.grid import Floats, Ints

HAZARD: Final = 0.85
"""What the attacks of a weapon that may kill its bearer are worth."""


class Hides(NamedTuple):
    """What the datasheets have against attacks, a row each."""

    sheets: Sequence[Sheet]
    toughness: Ints
    save: Ints
    invulnerable: Ints
    wounds: Floats
    pain: Ints


def hides_of(w: World10) -> Hides:
    """Those of this battle's datasheets."""
    return w.fixed("hides", lambda: _hides(w.setup.data.sheets))


def _hides(sheets: Sequence[Sheet]) -> Hides:
    return Hides(
        sheets,
        np.array([s.toughness for s in sheets], dtype=np.int64),
        np.array([s.save for s in sheets], dtype=np.int64),
        np.array([s.invulnerable or 7 for s in sheets], dtype=np.int64),
        np.array([s.wounds for s in sheets], dtype=np.float64),
        np.array([weapons.feel_no_pain(s) for s in sheets], dtype=np.int64),
    )


def per_attack(weapon: Weapon, hides: Hides, *, half: bool = False, faces: int = 0) -> Floats:
    """The wounds that one attack takes off a model of each datasheet on average; `faces` hit, or what skill says."""
    critical, torrent = 1 / 6, weapons.torrent(weapon)
    hit = 1.0 if torrent else (faces or min(5, max(1, 7 - weapon.skill))) / 6
    extra = 0.0 if torrent else critical * weapons.sustained_hits(weapon).mean
    automatic = critical if weapons.lethal_hits(weapon) and not torrent else 0.0
    crit = _critical_wound(weapon, hides.sheets)
    wound: Floats = (7 - np.minimum(_needed(weapon.strength, hides.toughness), crit)) / 6
    deadly: Floats = (7 - crit) / 6 if weapons.devastating_wounds(weapon) else np.zeros(len(crit))
    if weapons.twin_linked(weapon) != "none":
        deadly = deadly * (2 - wound)
        wound = wound * (2 - wound)
    passes = (np.minimum(np.clip(hides.save - weapon.ap, 2, 7), hides.invulnerable) - 1) / 6
    damage = weapons.amount(weapon.damage).more(weapons.melta(weapon, half)).mean
    harm = np.minimum(damage, hides.wounds) * (hides.pain - 1) / 6
    wounded = (hit + extra - automatic) * wound + automatic
    mortal = (hit + extra - automatic) * deadly
    return np.asarray(((wounded - mortal) * passes + mortal) * harm)


def _needed(strength: int, toughness: Ints) -> Ints:
    """What the wound table asks for against each Toughness."""
    return np.array([by_table(strength, t) for t in toughness.tolist()], dtype=np.int64)


def _critical_wound(weapon: Weapon, sheets: Sequence[Sheet]) -> Ints:
    """From which bare roll on the weapon wounds each datasheet critically."""
    best = np.full(len(sheets), 6)
    for ability in weapon.abilities:
        if ability.startswith("anti-"):
            keyword, _, needed = ability.removeprefix("anti-").rpartition(" ")
            meant = [keyword.upper() in sheet.keywords for sheet in sheets]
            best[meant] = np.minimum(best[meant], int(needed.removesuffix("+")))
    return best


def of_weapon(w: World10, weapon: Weapon, sheet: int, far: float, size: int = 1, faces: int = 0) -> float:
    """The wounds that a weapon takes off a unit of so many models on average, from so many inches away.

    So many `faces` hit, or as many as its skill says.
    """
    if not weapon.is_melee and far > weapon.range:
        return 0.0
    half = not weapon.is_melee and 2 * far <= weapon.range
    key = ("of_weapon", weapon, half, size // 5, faces)
    return float(w.fixed(key, lambda: _of_weapon(w, weapon, half, size, faces))[sheet])


def _of_weapon(w: World10, weapon: Weapon, half: bool, size: int, faces: int) -> Floats:
    """The same for each datasheet."""
    attacks = weapons.attacks_made(weapon).mean + weapons.rapid_fire(weapon, half).mean
    attacks += weapons.blast(weapon, size).mean
    risk = HAZARD if weapons.is_hazardous(weapon) else 1.0
    return np.asarray(risk * attacks * each_attack(w, weapon, half=half, faces=faces))


def each_attack(w: World10, weapon: Weapon, *, half: bool, faces: int = 0) -> Floats:
    near = half and weapons.has(weapon, "melta")
    key = ("per_attack", weapon, near, faces)
    return w.fixed(key, lambda: per_attack(weapon, hides_of(w), half=near, faces=faces))
