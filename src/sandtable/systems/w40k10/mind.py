"""What 10th edition tells its computer players: how far units go, what their weapons do, and what holds a marker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from sandtable.battle import Choose, Move, Moves, Option
from sandtable.forty.mind.hands import blows, hands, legal_blows
from sandtable.forty.mind.mind import Held, Mind, Worth, held, objective_control, pace, shocked
from sandtable.forty.mind.reactions import challenged, joins, keeps_hold, overwatch, spared, strikes_first, thrown
from sandtable.kit.beside import find_beside
from sandtable.kit.room import Spots, models_to_place
from sandtable.systems.w40k10 import (
    aircraft,
    charge_phase,
    deployment,
    melee_attacks,
    movement_phase,
    pile_in_and_consolidate,
    reserves,
)
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.scouts import SCOUTING
from sandtable.systems.w40k10.core_concepts import has_any_keyword, has_keyword
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.engagement_range import engaged_enemies
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.stratagems import using_stratagems as cards
from sandtable.systems.w40k10.terrain.craters import CRATER
from sandtable.systems.w40k10.terrain.ruins import RUINS
from sandtable.systems.w40k10.terrain.woods import WOODS
from sandtable.systems.w40k10.transports import TRANSPORTS, room_around
from sandtable.systems.w40k10.visibility import sees
from sandtable.systems.w40k10.weapon_abilities import has_one_shot
from sandtable.table.grid import units

MARKER: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it: 3" from its edge"""
GRENADE_WOUNDS: Final = 3.0
"""What a Grenade does on average"""
GRENADE_WORTH: Final = 25.0
"""Points that a Command point spent on grenades should bring"""


def by_sheet(w: World10, sheet: Sheet, x: Weapon) -> Held:
    """A weapon in the hands of models of a datasheet."""
    nearer, close = weapons.has(x, "rapid fire") or weapons.has(x, "melta"), weapons.is_pistol(x)
    extra, crowds, running = weapons.is_extra(x), weapons.is_blast(x), weapons.is_assault(x)
    return held(x, extra=extra, close=close, nearer=nearer, crowds=crowds, running=running)


def fires_on(w: World10, unit: Unit) -> bool:
    """MONSTERS and VEHICLES shoot in a melee, too."""
    return has_any_keyword(w, unit, ("MONSTER", "VEHICLE"))


# --- The table, and objective markers ---------------------------------------------------------------------------------


def to_marker(w: World10, d: Move) -> Iterator[Moves]:
    """Consolidation moves towards the nearest objective marker."""
    if any(mode.name == pile_in_and_consolidate.OBJECTIVE for mode in d.modes):
        yield from pile_in_and_consolidate.to_marker(w, w.unit(d.unit))


# --- Setting up, and moves --------------------------------------------------------------------------------------------


def room_beside(w: World10, unit: Unit, transport: int, sides: Sequence[int]) -> Spots | None:
    """Where passengers disembark."""
    room = room_around(w, unit, models_to_place(w, unit), (transport,), TRANSPORTS.disembark)
    return find_beside(w, room, (transport,), TRANSPORTS.disembark, sides)


def way_out(w: World10, unit: Unit) -> Moves | None:
    """A Fall Back move, with whatever Desperate Escape tests it takes."""
    return movement_phase.way_out(w, unit, None)


def passes(w: World10, unit: Unit) -> bool:
    """Who can FLY charges over others."""
    return has_keyword(w, unit, "FLY")


# --- Attacks ----------------------------------------------------------------------------------------------------------


def beside_shooting(w: World10, d: Choose, option: Option) -> Worth | None:
    """Grenades, where they are worth the Command point."""
    return thrown(w, d, option, cards.GRENADE.name, GRENADE_WOUNDS, GRENADE_WORTH)


# --- Stratagems -------------------------------------------------------------------------------------------------------


CARDS: Final[Mapping[str, Callable[[World10, Choose, str], Worth]]] = {
    cards.COMMAND_REROLL.name: lambda w, d, use: (15.0, "Much depends on this roll."),
    cards.GO_TO_GROUND.name: lambda w, d, use: spared(w, w.unit(int(use))),
    cards.SMOKESCREEN.name: lambda w, d, use: spared(w, w.unit(int(use))),
    cards.FIRE_OVERWATCH.name: lambda w, d, use: overwatch(w, w.unit(int(use)), d.unit, cards.FIRE_OVERWATCH.cost),
    cards.INSANE_BRAVERY.name: lambda w, d, use: keeps_hold(w, w.unit(int(use)), 12.0),
    cards.EPIC_CHALLENGE.name: lambda w, d, use: challenged(w, d.player),
    cards.TANK_SHOCK.name: lambda w, d, use: (8.0, "The ram costs them some wounds."),
    cards.HEROIC_INTERVENTION.name: lambda w, d, use: joins(
        w, w.unit(int(use)), d.unit, cards.HEROIC_INTERVENTION.cost
    ),
    cards.COUNTER_OFFENSIVE.name: lambda w, d, use: strikes_first(w, w.unit(int(use)), cards.COUNTER_OFFENSIVE.cost),
}
"""What the core Stratagems bring beyond their price"""

MIND: Final = Mind(
    by_sheet=by_sheet,
    pace=pace,
    fires_on=fires_on,
    hiding=frozenset((RUINS,)),
    shelter=frozenset((RUINS, WOODS, CRATER)),
    sees=sees,
    hold=objective_control,
    unnerved=shocked,
    near_marker=MARKER,
    to_marker=to_marker,
    rooms_to_deploy=deployment.rooms_to_deploy,
    room_to_arrive=reserves.room_to_arrive,
    room_beside=room_beside,
    way=movement_phase.way_of,
    allowance=movement_phase.allowance,
    way_out=way_out,
    flyer=aircraft.must_move,
    scouts_apart=lambda: units(SCOUTING.gap),
    once=has_one_shot,
    beside_shooting=beside_shooting,
    prey=charge_phase.possible_targets,
    charge_chance=charge_phase.chance_to_charge,
    passes=passes,
    engaged=engaged_enemies,
    may_strike=melee_attacks.enemies_in_reach,
    fighters=melee_attacks.fighters,
    hands=hands,
    legal_blows=legal_blows,
    blows=blows,
    cards=CARDS,
)
