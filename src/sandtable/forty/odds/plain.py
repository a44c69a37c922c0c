"""What weapons do to datasheets on average, worked out once for a whole battle.

These are estimates for plans, and for windows that open only where they can matter: abilities of the weapon, what those
of its bearer always do and the target's armour are in them, what happens to lie on a unit at the moment is not. They
are read off the same tables as an attack; one that is about to be made has its averages in `estimate`, and its odds in
`chances`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sandtable.attack.mean import loss_by, wounds_by_kind
from sandtable.attack.volley import WoundKind, WoundRoll
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.attacks import Compile, Plain
from sandtable.forty.effects.attack_rolls import NOTHING, Working
from sandtable.forty.state import World40
from sandtable.table.grid import Floats, Ints

HAZARD: Final = 0.85
"""What the attacks of a weapon that may kill its bearer are worth."""
FIVE: Final = 5


def of_weapon(
    w: World40, weapon: Any, sheet: int, far: float, size: int = 1, hit_on: int = 0, rolls: Working = NOTHING
) -> float:
    """The wounds that a weapon takes off a unit of so many models on average, from so many inches away.

    It hits on `hit_on`, or on what its skill says; `rolls` is what abilities of its bearer always do.
    """
    if not weapon.is_melee and far > weapon.range:
        return 0.0
    half = not weapon.is_melee and 2 * far <= weapon.range
    return float(against_sheets(w, weapon, half, size // FIVE if weapon.has("blast") else 0, hit_on, rolls)[sheet])


@kept(SETUP)
def against_sheets(
    w: World40, weapon: Any, half: bool, fives: int = 0, hit_on: int = 0, rolls: Working = NOTHING
) -> Floats:
    """The wounds that a weapon takes off models of each datasheet on average, with so many times five of them."""
    attacks, kinds = _shots(w, weapon, half, fives, hit_on, rolls)
    # What one attack does is mostly the same from near and from far.
    near = half and kinds != _shots(w, weapon, False, 0, hit_on, rolls)[1]
    return attacks * _each_attack(w, weapon, near, hit_on, rolls)


@kept(SETUP)
def _shots(
    w: World40, weapon: Any, half: bool, fives: int, hit_on: int, rolls: Working
) -> tuple[float, tuple[WoundKind, ...]]:
    """How many attacks a weapon makes on average, and the kinds of wounds that they can give."""
    volley = _plain(w).volley(w, weapon, half, FIVE * fives, hit_on, rolls)
    return sum([s.weapons * s.each.mean for s in volley.shots]), volley.kinds


@kept(SETUP)
def _each_attack(w: World40, weapon: Any, half: bool, hit_on: int, rolls: Working) -> Floats:
    """What one attack takes off models of each datasheet on average."""
    plain = _plain(w)
    volley = plain.volley(w, weapon, half, 0, hit_on, rolls)
    attacks, _ = _shots(w, weapon, half, 0, hit_on, rolls)
    share = (HAZARD if plain.endangers(weapon) else 1.0) / attacks if attacks else 0.0
    lost = [_losses(w, kind, weapon.ap) for kind in volley.kinds]
    known: dict[WoundRoll, list[float]] = {}
    found = np.zeros(len(w.setup.data.sheets))
    for sheet, rows in _alike(w, any(ability.startswith("anti-") for ability in weapon.abilities)):
        roll = plain.wound(w, weapon, sheet, rolls)
        if roll not in known:
            known[roll] = [share * n for n in wounds_by_kind(volley, roll)]
        for n, each in zip(known[roll], lost, strict=True):
            found[rows] += n * each[rows]
    return found


@kept(SETUP)
def _losses(w: World40, kind: WoundKind, ap: int | None) -> Floats:
    """What a wound of a kind costs a model of each datasheet on average."""
    body = _plain(w).body
    return np.array([loss_by(kind, body(w, sheet, ap)) for sheet in w.setup.data.sheets])


@kept(SETUP)
def _alike(w: World40, keywords: bool) -> list[tuple[Any, Ints]]:
    """Datasheets that are wounded alike, each with all that are like it; `keywords` may count, too."""
    found: dict[tuple[object, ...], tuple[Any, list[int]]] = {}
    for i, s in enumerate(w.setup.data.sheets):
        found.setdefault((s.toughness, s.keywords if keywords else ()), (s, []))[1].append(i)
    return [(sheet, np.array(rows, dtype=np.int64)) for sheet, rows in found.values()]


def _plain(w: World40) -> Plain:
    plain = w.system.seam(Compile).plain
    if plain is None:
        raise LookupError(f"{w.system.name} says nothing about weapons when nothing else is at work.")
    return plain
