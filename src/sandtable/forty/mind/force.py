"""What kinds of models do to datasheets on average, with all that they carry, at every range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.constant import always, armed_always, rolls_always, rolls_of
from sandtable.forty.mind.field import BAND, BANDS
from sandtable.forty.mind.mind import BESIDES, PISTOL, SHOOT, STRIKE, Arm, Mark, mind_of
from sandtable.forty.odds.plain import against_sheets, of_weapon
from sandtable.forty.state import World40
from sandtable.table.grid import Floats, Ints


class Arsenal(NamedTuple):
    """For each kind of model what it does to each datasheet: wounds lost on average."""

    kind: Ints
    """For each model of the battle its kind: datasheet, weapons, and abilities that always work."""
    fire: Floats
    """[kind, band, sheet] with ranged weapons, at a distance within the band"""
    blast: Floats
    """[kind, band, sheet] more for each five models of the target"""
    strike: Floats
    """[kind, sheet] with melee weapons"""
    running: Floats
    """[kind, band, sheet] with what can be fired after an Advance"""
    points: Floats
    """For each model what it cost."""
    sheet: Ints
    """For each model its datasheet."""
    wounds: Floats
    """For each model the wounds that it began with."""
    hold: Floats
    """For each model what it counts for at an objective marker."""
    move: Floats
    """For each model, in inches; a random Move by its average."""


@kept(SETUP)
def arsenal(w: World40) -> Arsenal:
    """The tables of this battle's armies."""
    data, mind = w.setup.data, mind_of(w)
    bearers = [(kit, always(w, model)) for model, kit in enumerate(data.kits)]
    kinds = {bearer: i for i, bearer in enumerate(dict.fromkeys(bearers))}
    sheets = len(data.sheets)
    fire = np.zeros((len(kinds), BANDS, sheets))
    blast, running = np.zeros_like(fire), np.zeros_like(fire)
    strike = np.zeros((len(kinds), sheets))
    known: dict[tuple[int, int, tuple[Any, ...]], Arm] = {}
    for (kit, effects), k in kinds.items():
        for i in kit.weapons:
            if (kit.sheet, i, effects) not in known:
                known[kit.sheet, i, effects] = arm_of(w, kit.sheet, i, effects)
        arms = [known[kit.sheet, i, effects] for i in kit.weapons]
        strike[k] = _strike(arms, sheets)
        fire[k], blast[k] = _fire(arms, sheets)
        running[k], _ = _fire([x for x in arms if x.running], sheets)
    rows = [data.sheets[kit.sheet] for kit in data.kits]
    return Arsenal(
        np.array([kinds[bearer] for bearer in bearers], dtype=np.int64),
        fire,
        blast,
        strike,
        running,
        _points(w),
        np.array([kit.sheet for kit in data.kits], dtype=np.int64),
        np.array([s.wounds for s in rows], dtype=np.float64),
        np.array([mind.hold(s) for s in rows], dtype=np.float64),
        np.array([mind.pace(s) for s in rows], dtype=np.float64),
    )


def arm_of(w: World40, number: int, row: int, effects: tuple[Any, ...]) -> Arm:
    """What a weapon of a datasheet does to each datasheet on average, at every range, with effects of abilities that
    always work."""
    sheet = w.setup.data.sheets[number]
    held = mind_of(w).by_sheet(w, sheet, armed_always(w, sheet.weapons[row], effects))
    weapon, hit_on, rolls = held.weapon, held.hit_on, rolls_always(effects, melee=held.weapon.is_melee)
    plain = against_sheets(w, weapon, False, 0, hit_on, rolls)
    if weapon.is_melee:
        return Arm(weapon.item, held.use, plain[None, :], running=held.running)
    close = against_sheets(w, weapon, True, 0, hit_on, rolls) if held.nearer else plain
    fire = np.zeros((BANDS, len(plain)))
    for band in range(BANDS):
        far = (band + 0.5) * BAND
        if far <= weapon.range:
            fire[band] = close if 2 * far <= weapon.range else plain
    more = np.where(fire > 0, against_sheets(w, weapon, False, 1, hit_on, rolls) - plain, 0.0) if held.crowds else None
    return Arm(weapon.item, held.use, fire, more, held.running)


def mean(w: World40, model: int, weapon: Any, target: Mark) -> float:
    """The wounds that one of what is assigned of a weapon takes off a target on average."""
    held, hit_on = mind_of(w).by_model(w, model, weapon)
    rolls, far = rolls_of(w, model, weapon.is_melee), min(target.far, float(weapon.range))
    return of_weapon(w, held, target.sheet, far, target.size, hit_on, rolls) * target.cover


def _points(w: World40) -> Floats:
    """What each model cost; without army lists, a guess from its wounds and armour."""
    data = w.setup.data
    if data.roster:
        each = [entry.points / max(1, entry.models) for entry in data.roster for _ in range(entry.models)]
        if len(each) == len(data.kits):
            return mind_of(w).price * np.array(each, dtype=np.float64)
    sheets = [data.sheets[kit.sheet] for kit in data.kits]
    return np.array([s.wounds * (s.toughness + 8 - s.save) for s in sheets], dtype=np.float64)


def _fire(arms: Sequence[Arm], sheets: int) -> tuple[Floats, Floats]:
    """With the best profile of each ranged weapon: the wounds by band and target, and more for each five models."""
    pistols, blast = np.zeros((BANDS, sheets)), np.zeros((BANDS, sheets))
    rest: dict[str, Floats] = {}
    for x in arms:
        if x.use == PISTOL:
            pistols = np.maximum(pistols, x.wounds)
        elif x.use == SHOOT:
            rest[x.item] = np.maximum(rest[x.item], x.wounds) if x.item in rest else x.wounds
            if x.more is not None:
                blast += x.more
    total = sum(rest.values(), np.zeros((BANDS, sheets)))
    # A model fires its Pistols or everything else.
    return np.maximum(total, pistols), np.where(total >= pistols, blast, 0.0)


def _strike(arms: Sequence[Arm], sheets: int) -> Floats:
    """With the best melee weapon, and those that strike in addition."""
    extra, best = np.zeros(sheets), np.zeros(sheets)
    for x in arms:
        if x.use == BESIDES:
            extra = extra + x.wounds[0]
        elif x.use == STRIKE:
            best = np.maximum(best, x.wounds[0])
    return extra + best
