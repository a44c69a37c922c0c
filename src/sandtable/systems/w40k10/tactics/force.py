"""What kinds of models do to datasheets on average, with all that they carry, at every range."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandtable.forty.mind.field import BAND, BANDS
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.averages import HAZARD, each_attack
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.state import World10
from sandtable.table.grid import Floats, Ints


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


def _effect(w: World10, weapon: Weapon) -> Effect:
    each, close = each_attack(w, weapon, half=False), each_attack(w, weapon, half=True)
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
