"""What weapons do to targets on average, read off the datasheets once for a whole battle.

These are estimates for plans: abilities of the weapon and the target's armour are in them, what happens to lie on a
unit at the moment is not. Odds of an attack that is about to be made stand in `estimate` and `odds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.tactics.field import BAND, BANDS
from sandtable.table.grid import Floats, Ints

HAZARD: Final = 0.85
"""What the attacks of a weapon that may kill its bearer are worth."""


class Arsenal(NamedTuple):
    """For each kind of model what it does to each datasheet: wounds lost on average."""

    kind: Ints
    """For each model of the battle its kind: datasheet and weapons."""
    fire: Floats
    """[kind, band, sheet] with ranged weapons, at a distance within the band"""
    blast: Floats
    """[kind, band, sheet] more for each five models of the target"""
    strike: Floats
    """[kind, sheet] with melee weapons"""
    assault: Floats
    """[kind, band, sheet] with what can be fired after an Advance"""
    points: Floats
    """For each model what it cost."""
    sheet: Ints
    """For each model its datasheet."""
    wounds: Floats
    """For each model the wounds that it began with."""
    oc: Floats
    move: Floats
    """For each model, in inches; a random Move by its average."""


def arsenal(w: World10) -> Arsenal:
    """The tables of this battle's armies."""
    return w.fixed("arsenal", lambda: _arsenal(w))


def _arsenal(w: World10) -> Arsenal:
    data = w.setup.data
    kinds = {kit: i for i, kit in enumerate(dict.fromkeys(data.kits))}
    sheets = len(data.sheets)
    fire = np.zeros((len(kinds), BANDS, sheets))
    blast, assault = np.zeros_like(fire), np.zeros_like(fire)
    strike = np.zeros((len(kinds), sheets))
    known: dict[tuple[int, int], Effect] = {}
    for kit, k in kinds.items():
        for i in kit.weapons:
            if (kit.sheet, i) not in known:
                known[kit.sheet, i] = _effect(w, data.sheets[kit.sheet].weapons[i])
        carried = [known[kit.sheet, i] for i in kit.weapons]
        strike[k] = _strike(carried, sheets)
        fire[k], blast[k] = _fire(carried, sheets)
        assault[k], _ = _fire([x for x in carried if weapons.is_assault(x.weapon)], sheets)
    rows = [data.sheets[kit.sheet] for kit in data.kits]
    return Arsenal(
        np.array([kinds[kit] for kit in data.kits], dtype=np.int64),
        fire,
        blast,
        strike,
        assault,
        _points(w),
        np.array([kit.sheet for kit in data.kits], dtype=np.int64),
        np.array([s.wounds for s in rows], dtype=np.float64),
        np.array([s.oc for s in rows], dtype=np.float64),
        np.array([_move(s) for s in rows], dtype=np.float64),
    )


def _points(w: World10) -> Floats:
    """What each model cost; without army lists, a guess from its wounds and armour."""
    data = w.setup.data
    if data.roster:
        each = [entry.points / max(1, entry.models) for entry in data.roster for _ in range(entry.models)]
        if len(each) == len(data.kits):
            return np.array(each, dtype=np.float64)
    sheets = [data.sheets[kit.sheet] for kit in data.kits]
    return np.array([s.wounds * (s.toughness + 8 - s.save) for s in sheets], dtype=np.float64)


def _move(sheet: Sheet) -> float:
    return weapons.amount(sheet.move).mean if isinstance(sheet.move, str) else float(sheet.move or 0)


# --- One attack -------------------------------------------------------------------------------------------------------


class Effect(NamedTuple):
    """What a weapon does to each datasheet."""

    weapon: Weapon
    each: Floats
    """[sheet] wounds that one attack takes off"""
    fire: Floats
    """[band, sheet] wounds that the weapon takes off in a Shooting phase; one row for a melee weapon"""


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


def _effect(w: World10, weapon: Weapon) -> Effect:
    each, close = _each(w, weapon, half=False), _each(w, weapon, half=True)
    attacks, more = weapons.attacks_made(weapon).mean, weapons.rapid_fire(weapon, half_range=True).mean
    risk = HAZARD if weapons.is_hazardous(weapon) else 1.0
    if weapon.is_melee:
        return Effect(weapon, each, risk * attacks * each[None, :])
    fire = np.zeros((BANDS, len(each)))
    for band in range(BANDS):
        far = (band + 0.5) * BAND
        if 2 * far <= weapon.range:
            fire[band] = risk * (attacks + more) * close
        elif far <= weapon.range:
            fire[band] = risk * attacks * each
    return Effect(weapon, each, fire)


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
    return np.array([weapons.by_table(strength, t) for t in toughness.tolist()], dtype=np.int64)


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
    return np.asarray(risk * attacks * _each(w, weapon, half=half, faces=faces))


def _each(w: World10, weapon: Weapon, *, half: bool, faces: int = 0) -> Floats:
    near = half and weapons.has(weapon, "melta")
    key = ("per_attack", weapon, near, faces)
    return w.fixed(key, lambda: per_attack(weapon, hides_of(w), half=near, faces=faces))


def _fire(carried: list[Effect], sheets: int) -> tuple[Floats, Floats]:
    """With the best profile of each ranged weapon: the wounds by band and target, and more for each five models."""
    pistols = np.zeros((BANDS, sheets))
    rest: dict[str, Floats] = {}
    blast = np.zeros((BANDS, sheets))
    for x in carried:
        if x.weapon.is_melee:
            continue
        if weapons.is_pistol(x.weapon):
            pistols = np.maximum(pistols, x.fire)
            continue
        rest[x.weapon.item] = np.maximum(rest[x.weapon.item], x.fire) if x.weapon.item in rest else x.fire
        if weapons.is_blast(x.weapon):
            blast += np.where(x.fire > 0, x.each[None, :], 0.0)
    total = sum(rest.values(), np.zeros((BANDS, sheets)))
    # A model fires its Pistols or everything else.
    return np.maximum(total, pistols), np.where(total >= pistols, blast, 0.0)


def _strike(carried: list[Effect], sheets: int) -> Floats:
    """With the best melee weapon, and those that strike in addition."""
    extra, best = np.zeros(sheets), np.zeros(sheets)
    for x in carried:
        if x.weapon.is_melee and weapons.is_extra(x.weapon):
            extra = extra + x.fire[0]
        elif x.weapon.is_melee:
            best = np.maximum(best, x.fire[0])
    return extra + best
