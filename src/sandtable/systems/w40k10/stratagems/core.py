"""All Stratagems: the core ones in the order in which a window asks for them, and those of detachments."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from sandtable.forty.detachments import Detachments
from sandtable.forty.moments import UNIT_TO_MOVE, UNIT_TO_SHOOT
from sandtable.systems.w40k10.battle_round import CHARGE, COMMAND, FIGHT, MOVEMENT, SHOOTING
from sandtable.systems.w40k10.movement import eligible_to_move
from sandtable.systems.w40k10.shooting import may_shoot
from sandtable.systems.w40k10.stratagems import battle_tactics, epic_deeds, strategic_ploys, tank_shock, wargear
from sandtable.systems.w40k10.stratagems.cards import BATTLE_TACTIC, CARDS

REACTIONS: Final = (
    epic_deeds.STAND_FIRM,
    strategic_ploys.COUNTER,
    strategic_ploys.INTERVENE,
    *tank_shock.REACTIONS,
    battle_tactics.ROLL_AGAIN,
    *strategic_ploys.WATCH,
    battle_tactics.TAKE_COVER,
    wargear.HIDE,
    wargear.THROW,
    epic_deeds.CHALLENGE,
    strategic_ploys.INGRESS,
)

DETACHMENTS: Final = Detachments(
    CARDS,
    BATTLE_TACTIC,
    "w40k10.strat.when_target",
    (COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT),
    MappingProxyType({UNIT_TO_MOVE: eligible_to_move, UNIT_TO_SHOOT: may_shoot}),
)
