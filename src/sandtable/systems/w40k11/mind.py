"""What 11th edition tells its computer players: how far units go, what weapons do, and what holds an objective."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.battle import Choose, Moves
from sandtable.forty.mind.hands import blows, hands, legal_blows
from sandtable.forty.mind.mind import Held, Mind, Worth, held, shocked
from sandtable.kit.beside import find_beside
from sandtable.kit.room import Spots, models_to_place
from sandtable.systems.w40k11 import charge_phase, deployment, melee, movement_phase, strategic_reserves, transports
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.concepts import has_keyword
from sandtable.systems.w40k11.datasheet import Sheet, Weapon
from sandtable.systems.w40k11.engagement import engaged_enemies
from sandtable.systems.w40k11.shooting_types import is_big
from sandtable.systems.w40k11.state import DESPERATE, FALL_BACK, Unit, World11
from sandtable.systems.w40k11.visibility import sees

BERTH: Final = 2.5
"""Inches that a charge keeps from bases that it goes around: engagement range, and a little"""
APART: Final = 2.0
"""Inches from an enemy within which no ordinary move ends"""
MARKER: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it: 3" from its edge"""
SCOUTS: Final = 8.0
FURTHEST: Final = 15
HIDING: Final = frozenset(("ruins", "woods", "barricade", "debris", "hill"))


def by_sheet(w: World11, sheet: Sheet, x: Weapon) -> Held:
    """A weapon in the hands of models of a datasheet."""
    nearer, close = weapons.has(x, "rapid fire") or weapons.has(x, "melta"), weapons.is_close_quarters(x)
    extra, crowds, running = weapons.is_extra(x), weapons.is_blast(x), weapons.is_assault(x)
    return held(x, extra=extra, close=close, nearer=nearer, crowds=crowds, running=running)


def pace(sheet: Sheet) -> float:
    """How far models of a datasheet move; a random Move by its average."""
    return weapons.amount(sheet.move).mean if isinstance(sheet.move, str) else float(sheet.move or 0)


def hold(sheet: Sheet) -> float:
    """Objective Control."""
    return float(sheet.oc or 0)


def room_beside(w: World11, unit: Unit, transport: int, sides: Sequence[int]) -> Spots | None:
    """Where passengers disembark."""
    hulls, reach = (transport,), transports.TRANSPORTS.tactical
    return find_beside(w, transports.room_around(w, unit, models_to_place(w, unit), hulls, reach), hulls, reach, sides)


def way_out(w: World11, unit: Unit) -> Moves | None:
    """A Fall-back move: by ordered retreat, or for a battle-shocked unit by desperate escape, once dice are rolled."""
    return Moves(DESPERATE) if unit.battle_shocked else movement_phase.way_out(w, unit, FALL_BACK)


def passes(w: World11, unit: Unit) -> bool:
    """Who can FLY charges over others."""
    return has_keyword(w, unit, "FLY")


CARDS: Final[Mapping[str, Callable[[World11, Choose, str], Worth]]] = {}
"""What the core stratagems bring beyond their price"""

MIND: Final = Mind(
    by_sheet=by_sheet,
    pace=pace,
    fires_on=is_big,
    hiding=HIDING,
    shelter=HIDING | {"crater"},
    sees=sees,
    hold=hold,
    unnerved=shocked,
    near_marker=MARKER,
    rooms_to_deploy=deployment.rooms_to_deploy,
    room_to_arrive=strategic_reserves.room_to_arrive,
    room_beside=room_beside,
    way=movement_phase.way_of,
    allowance=movement_phase.allowance,
    way_out=way_out,
    flyer=lambda w, unit: False,
    apart=APART,
    scouts_apart=lambda: SCOUTS,
    prey=charge_phase.possible_targets,
    # The roll is as far as the target is away, not an inch less.
    charge=np.array([float(at_least(TWO_DICE, gap)) for gap in range(FURTHEST)]),
    charge_chance=charge_phase.chance_to_charge,
    passes=passes,
    berth=BERTH,
    engaged=engaged_enemies,
    may_strike=engaged_enemies,
    fighters=melee.fighters,
    hands=hands,
    legal_blows=legal_blows,
    blows=blows,
    cards=CARDS,
)
