"""What 10th edition tells its computer players: how far units go, what their weapons do, and what holds a marker."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.forty.effects.permissions import allows
from sandtable.forty.mind.field import BAND, BANDS
from sandtable.forty.mind.mind import BESIDES, PISTOL, SHOOT, STRIKE, Arm, Contest, Mind
from sandtable.forty.mission import mission_of
from sandtable.systems.w40k10 import scoring, weapons
from sandtable.systems.w40k10.averages import HAZARD, each_attack
from sandtable.systems.w40k10.concepts import CRATER, RUINS, WOODS, has_any_keyword, has_keyword
from sandtable.systems.w40k10.datasheet import Sheet
from sandtable.systems.w40k10.state import Unit, World10, markers_of

ENDS_WITHIN: Final = 1
"""Inches from its target within which a charge has arrived"""
CHARGE: Final = np.array([float(at_least(TWO_DICE, max(0, gap - ENDS_WITHIN))) for gap in range(15)])
"""The chance of a charge over 0, 1, 2, ... inches"""
BERTH: Final = 1.5
"""Inches that a charge keeps from bases that it goes around: Engagement Range, and a little"""
MARKER: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it: 3" from its edge"""


def arm(w: World10, sheet: int, number: int) -> Arm:
    """What a weapon does to each datasheet on average, at every range."""
    weapon = w.setup.data.sheets[sheet].weapons[number]
    each, close = each_attack(w, weapon, half=False), each_attack(w, weapon, half=True)
    attacks, more = weapons.attacks_made(weapon).mean, weapons.rapid_fire(weapon, half_range=True).mean
    risk = HAZARD if weapons.is_hazardous(weapon) else 1.0
    if weapon.is_melee:
        use = BESIDES if weapons.is_extra(weapon) else STRIKE
        return Arm(weapon.item, use, risk * attacks * each[None, :], running=weapons.is_assault(weapon))
    fire = np.zeros((BANDS, len(each)))
    for band in range(BANDS):
        far = (band + 0.5) * BAND
        if 2 * far <= weapon.range:
            fire[band] = risk * (attacks + more) * close
        elif far <= weapon.range:
            fire[band] = risk * attacks * each
    use = PISTOL if weapons.is_pistol(weapon) else SHOOT
    blast = np.where(fire > 0, each[None, :], 0.0) if weapons.is_blast(weapon) else None
    return Arm(weapon.item, use, fire, blast, weapons.is_assault(weapon))


def pace(sheet: Sheet) -> float:
    """How far models of a datasheet move; a random Move by its average."""
    return weapons.amount(sheet.move).mean if isinstance(sheet.move, str) else float(sheet.move or 0)


def hold(sheet: Sheet) -> float:
    """Objective Control."""
    return float(sheet.oc)


def unnerved(w: World10) -> tuple[int, ...]:
    """Battle-shocked units hold nothing."""
    return tuple([u.id for u in w.state.units if u.battle_shocked])


def fires_on(w: World10, unit: Unit) -> bool:
    """MONSTERS and VEHICLES shoot in a melee, too."""
    return has_any_keyword(w, unit, ("MONSTER", "VEHICLE"))


def passes(w: World10, unit: Unit) -> bool:
    """Who can FLY charges over others."""
    return has_keyword(w, unit, "FLY")


def contest(w: World10) -> Contest:
    """Markers, who controls them, and how long the battle lasts."""
    game, data = w.state.game, w.setup.data
    turn = (w.state.round, w.state.active, game.first)
    which = (game.wish, game.attacker)
    return Contest(markers_of(w), game.removed, game.control, data.rounds, bool(data.turns), *turn, which)


MIND: Final = Mind(
    arm=arm,
    pace=pace,
    hold=hold,
    unnerved=unnerved,
    fires_on=fires_on,
    passes=passes,
    contest=contest,
    mission=mission_of,
    held=scoring.held,
    lies=scoring.lies,
    own_zone=scoring.zone_of,
    enemy_zone=scoring.enemy_zone,
    hiding=frozenset((RUINS,)),
    shelter=frozenset((RUINS, WOODS, CRATER)),
    may=allows,
    charge=CHARGE,
    berth=BERTH,
    marker=MARKER,
)
