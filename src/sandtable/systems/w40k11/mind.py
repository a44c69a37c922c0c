"""What 11th edition tells its computer players: how far units go, what weapons do, and what holds an objective."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.battle import Choose, Move, Moves, Option
from sandtable.forty.markers import markers_near
from sandtable.forty.mind import reactions
from sandtable.forty.mind.combat import how_to_close_in
from sandtable.forty.mind.duties import DUTIES, task_worth
from sandtable.forty.mind.hands import blows, hands, legal_blows
from sandtable.forty.mind.laying_out import where_to_lay
from sandtable.forty.mind.mind import Held, Mind, Worth, held, objective_control, pace, shocked
from sandtable.forty.mind.plan import models_there
from sandtable.forty.stratagems import Stratagem
from sandtable.forty.throwing import Throw
from sandtable.kit.beside import find_beside
from sandtable.kit.room import Spots, models_to_place
from sandtable.systems.w40k11 import (
    charge_phase,
    consolidate,
    deployment,
    melee,
    movement_phase,
    shooting_phase,
    strategic_reserves,
    transports,
)
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.concepts import has_keyword
from sandtable.systems.w40k11.datasheet import Sheet, Weapon
from sandtable.systems.w40k11.engagement import engaged_enemies
from sandtable.systems.w40k11.shooting_types import is_big
from sandtable.systems.w40k11.state import DESPERATE, FALL_BACK, Unit, World11, sheet_of
from sandtable.systems.w40k11.stratagems import using_stratagems as cards
from sandtable.systems.w40k11.stratagems.core_stratagems import has_charged, is_in_the_fray
from sandtable.systems.w40k11.visibility import sees

BERTH: Final = 2.5
"""Inches that a charge keeps from bases that it goes around: engagement range, and a little"""
APART: Final = 2.0
"""Inches from an enemy within which no ordinary move ends"""
MARKER: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it: 3" from its edge"""
SCOUTS: Final = 8.0
EXPLOSIVE_WOUNDS: Final = 3.0
"""What explosives do on average..."""
EXPLOSIVE_WORTH: Final = 25.0
"""...and points that a Command point spent on them should bring"""
IMPACT_CHANCE: Final = 1 / 3
IMPACT_RISK: Final = 1 / 6
"""What each die of a crushing impact costs the enemy, and who makes it, on average"""
FURTHEST: Final = 15
HIDING: Final = frozenset(("ruins", "woods", "barricade", "debris", "hill"))


def by_sheet(w: World11, sheet: Sheet, x: Weapon) -> Held:
    """A weapon in the hands of models of a datasheet."""
    nearer, close = weapons.has(x, "rapid fire") or weapons.has(x, "melta"), weapons.is_close_quarters(x)
    extra, crowds, running = weapons.is_extra(x), weapons.is_blast(x), weapons.is_assault(x)
    return held(x, extra=extra, close=close, nearer=nearer, crowds=crowds, running=running)


def room_beside(w: World11, unit: Unit, transport: int, sides: Sequence[int]) -> Spots | None:
    """Where passengers disembark."""
    hulls, reach = (transport,), transports.TRANSPORTS.tactical
    return find_beside(w, transports.room_around(w, unit, models_to_place(w, unit), hulls, reach), hulls, reach, sides)


def way_out(w: World11, unit: Unit) -> Moves | None:
    """A Fall-back move: by ordered retreat, or for a battle-shocked unit by desperate escape, once dice are rolled."""
    return Moves(DESPERATE) if unit.battle_shocked else movement_phase.way_out(w, unit, FALL_BACK)


def to_marker(w: World11, d: Move) -> Iterator[Moves]:
    """A consolidation move towards the objective of a question, if anybody finds a way."""
    if int(d.about["objective"]) >= 0 and (moves := consolidate.to_objective(w, d)).paths:
        yield moves


def beside_shooting(w: World11, d: Choose, option: Option) -> Worth | None:
    """Explosives, where they are worth the Command point, and actions of the mission."""
    thrown = reactions.thrown(w, d, option, cards.EXPLOSIVES.name, EXPLOSIVE_WOUNDS, EXPLOSIVE_WORTH)
    return thrown or task_worth(w, d, option)


# --- Stratagems -------------------------------------------------------------------------------------------------------


def steadied(w: World11, d: Choose, use: str) -> Worth:
    """Bravery is for those who hold an objective."""
    unit = w.unit(int(use))
    return reactions.keeps_hold(w, unit, 12.0) if markers_near(w, unit) else (0.0, "")


def snap_shots(w: World11, d: Choose, use: str) -> Worth:
    """Shots out of turn, at whom they do most to."""
    unit, cost = w.unit(int(use)), cards.FIRE_OVERWATCH.cost
    return max(reactions.overwatch(w, unit, e.id, cost) for e in shooting_phase.snap_targets(w, unit))


def impact(w: World11, d: Choose, use: str) -> Worth:
    """As many dice as the Toughness of who rams."""
    model, enemy = Throw.of(use)
    dice, unit = sheet_of(w, model).toughness, w.unit(int(w.state.models.unit[model]))
    return reactions.rammed(w, unit, enemy, dice * IMPACT_CHANCE, dice * IMPACT_RISK, cards.CRUSHING_IMPACT.cost)


def intervenes(card: Stratagem, whom: Callable[[World11, Unit, Unit], bool]) -> Callable[[World11, Choose, str], Worth]:
    """A charge at the end of the enemy's Charge phase, at the best of those whom the card names."""

    def worth(w: World11, d: Choose, use: str) -> Worth:
        unit = w.unit(int(use))
        prey = [e for e in charge_phase.possible_targets(w, unit) if whom(w, unit, e)]
        return max(reactions.joins(w, unit, e.id, card.cost) for e in prey)

    return worth


CARDS: Final[Mapping[str, Callable[[World11, Choose, str], Worth]]] = {
    cards.COMMAND_REROLL.name: lambda w, d, use: (15.0, "Much depends on this roll."),
    cards.INSANE_BRAVERY.name: steadied,
    cards.FIRE_OVERWATCH.name: snap_shots,
    cards.SMOKESCREEN.name: lambda w, d, use: reactions.screened(w, w.unit(int(use)), cards.SMOKESCREEN.cost),
    cards.CRUSHING_IMPACT.name: impact,
    cards.HEROIC_INTERVENTION.name: intervenes(cards.HEROIC_INTERVENTION, has_charged),
    cards.INTO_THE_FRAY.name: intervenes(cards.INTO_THE_FRAY, is_in_the_fray),
    cards.EPIC_CHALLENGE.name: lambda w, d, use: reactions.challenged(w, d.player),
    cards.COUNTEROFFENSIVE.name: lambda w, d, use: reactions.strikes_first(
        w, w.unit(int(use)), cards.COUNTEROFFENSIVE.cost
    ),
}
"""What the core stratagems bring beyond their price"""

MIND: Final = Mind(
    by_sheet=by_sheet,
    pace=pace,
    fires_on=is_big,
    hiding=HIDING,
    shelter=HIDING | {"crater"},
    sees=sees,
    hold=objective_control,
    unnerved=shocked,
    near_marker=MARKER,
    present=models_there,
    rooms_to_deploy=deployment.rooms_to_deploy,
    room_to_arrive=strategic_reserves.room_to_arrive,
    room_beside=room_beside,
    garrison=40.0,
    way=movement_phase.way_of,
    allowance=movement_phase.allowance,
    # Who is charged first loses a turn of shooting, and targets are picked when the roll is known.
    keen=1.5,
    # Nothing is scored in the first battle round, and who is reached first is struck first.
    caution=(4.0, 1.5),
    # Who stays at home does not charge.
    calm=0.3,
    second_wave=0.3,
    halts=(0.6, 0.3),
    way_out=way_out,
    flyer=lambda w, unit: False,
    apart=APART,
    scouts_apart=lambda: SCOUTS,
    prey=charge_phase.possible_targets,
    # The roll is as far as the target is away, not an inch less.
    charge=np.array([float(at_least(TWO_DICE, gap)) for gap in range(FURTHEST)]),
    charge_chance=charge_phase.chance_to_charge,
    passes=lambda w, unit: has_keyword(w, unit, "FLY"),
    berth=BERTH,
    engaged=engaged_enemies,
    may_strike=engaged_enemies,
    fighters=melee.fighters,
    hands=hands,
    legal_blows=legal_blows,
    blows=blows,
    beside_shooting=beside_shooting,
    cards=CARDS,
    to_marker=to_marker,
    thinkers=DUTIES
    | {"place_marker": where_to_lay, "snap_target": reactions.whom_to_watch, "consolidate": how_to_close_in},
)
