"""All Stratagems: the core ones in the order in which a window asks for them, and those of detachments."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from sandtable.forty.detachments import Detachments
from sandtable.forty.moments import UNIT_TO_MOVE, UNIT_TO_SHOOT
from sandtable.systems.w40k10.battle_round import CHARGE, COMMAND, FIGHT, MOVEMENT, SHOOTING
from sandtable.systems.w40k10.movement import eligible_to_move
from sandtable.systems.w40k10.shooting import may_shoot
from sandtable.systems.w40k10.stratagems import (
    command_reroll,
    counter_offensive,
    epic_challenge,
    fire_overwatch,
    go_to_ground,
    grenade,
    heroic_intervention,
    insane_bravery,
    rapid_ingress,
    smokescreen,
    tank_shock,
)
from sandtable.systems.w40k10.stratagems.cards import BATTLE_TACTIC
from sandtable.systems.w40k10.stratagems.using import CARDS

REACTIONS: Final = (
    *insane_bravery.REACTIONS,
    *counter_offensive.REACTIONS,
    *heroic_intervention.REACTIONS,
    *tank_shock.REACTIONS,
    *command_reroll.REACTIONS,
    *fire_overwatch.REACTIONS,
    *go_to_ground.REACTIONS,
    *smokescreen.REACTIONS,
    *grenade.REACTIONS,
    *epic_challenge.REACTIONS,
    *rapid_ingress.REACTIONS,
)

DETACHMENTS: Final = Detachments(
    CARDS,
    BATTLE_TACTIC,
    "w40k10.strat.when_target",
    (COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT),
    MappingProxyType({UNIT_TO_MOVE: eligible_to_move, UNIT_TO_SHOOT: may_shoot}),
)
