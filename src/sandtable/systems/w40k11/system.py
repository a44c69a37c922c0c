"""The system: its steps, its questions and its reactions, as the machine sees them."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import Verdict
from sandtable.battle.system import Ring, StepFlow
from sandtable.forty import cards
from sandtable.forty.edition import edition
from sandtable.forty.effects import deeds, extra_moves, offers
from sandtable.forty.effects import returning as coming_back
from sandtable.forty.happening import happening
from sandtable.forty.markers import pictured
from sandtable.systems.w40k11 import (
    actions,
    aircraft,
    attached_units,
    battle_round,
    charge_move,
    charge_phase,
    coherency,
    command_phase,
    consolidate,
    deployment,
    dice,
    fight_phase,
    firing_deck,
    formations,
    melee,
    mission,
    movement_phase,
    muster,
    pile_in,
    scouts,
    select_weapons,
    shooting_phase,
    strategic_reserves,
    surge,
    transports,
)
from sandtable.systems.w40k11.active_player import takes_order
from sandtable.systems.w40k11.cards import BREVITY, PRINTING
from sandtable.systems.w40k11.coherency import COHERENCY
from sandtable.systems.w40k11.deadly_demise import deadly_demise
from sandtable.systems.w40k11.destroyed import Endings
from sandtable.systems.w40k11.engagement import ENGAGEMENT
from sandtable.systems.w40k11.making_attacks import COMPILE
from sandtable.systems.w40k11.mind import MIND
from sandtable.systems.w40k11.objectives import CONTROL, OBJECTIVES
from sandtable.systems.w40k11.sample import sample
from sandtable.systems.w40k11.scenario import FILES
from sandtable.systems.w40k11.setting_up import RETURNS
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, NORMAL, World11
from sandtable.systems.w40k11.stratagems import core_stratagems
from sandtable.systems.w40k11.strength import starting_strength
from sandtable.systems.w40k11.visibility import SEEING
from sandtable.systems.w40k11.words import DEEDS, ENFORCED, EXTRA_MOVES, WORDS
from sandtable.table.picture import Objective

BEFORE: Final[tuple[StepFlow, ...]] = (
    attached_units.form_attached_units,
    mission.agree_on_mission,
    mission.place_objectives,
    mission.attacker_and_defender,
    formations.declare_transports,
    formations.declare_reserves,
    formations.reveal,
    deployment.deploy_armies,
    deployment.deploy_late_units,
    mission.first_turn,
    scouts.pre_battle_abilities,
    mission.begin_the_battle,
)
TURN: Final[tuple[StepFlow, ...]] = (
    battle_round.start_of_round,
    battle_round.start_of_turn,
    command_phase.command_phase,
    command_phase.gain_core_points,
    command_phase.battle_shock,
    command_phase.command_abilities,
    battle_round.end_phase,
    mission.score_command,
    movement_phase.movement_phase,
    movement_phase.move_units,
    battle_round.end_phase,
    shooting_phase.shooting_phase,
    shooting_phase.shoot_units,
    battle_round.end_phase,
    charge_phase.charge_phase,
    charge_phase.charge_units,
    battle_round.end_phase,
    fight_phase.fight_phase,
    fight_phase.pile_in_units,
    fight_phase.begin_fights,
    fight_phase.fight_units,
    fight_phase.consolidate_units,
    battle_round.end_phase,
    battle_round.end_of_turn,
    aircraft.aircraft_leave,
    coherency.regain_coherency,
    mission.score_turn,
    battle_round.turn_is_over,
    battle_round.end_of_round,
)


def _why_move(move: str) -> Any:
    def why(w: World11, unit: int) -> Verdict:
        return movement_phase.eligible_to_move(w, w.unit(unit)) and movement_phase.may_make(w, w.unit(unit), move)

    return why


def markers(w: World11) -> list[Objective]:
    """The objectives, for pictures."""
    return pictured(w, OBJECTIVES.range.flat)


def rings(w: World11) -> tuple[Ring, ...]:
    """Distances that players look at while they move."""
    return (
        Ring("engagement range", ENGAGEMENT.range.flat, "enemies"),
        Ring("coherency", COHERENCY.together.reach, "comrades"),
    )


SYSTEM: Final = edition(
    muster.FRAME,
    BEFORE,
    TURN,
    mission.QUESTIONS,
    formations.QUESTIONS,
    deployment.QUESTIONS,
    strategic_reserves.QUESTIONS,
    transports.QUESTIONS,
    scouts.QUESTIONS,
    firing_deck.QUESTIONS,
    surge.QUESTIONS,
    coherency.QUESTIONS,
    movement_phase.QUESTIONS,
    charge_phase.QUESTIONS,
    charge_move.QUESTIONS,
    fight_phase.QUESTIONS,
    pile_in.QUESTIONS,
    consolidate.QUESTIONS,
    shooting_phase.QUESTIONS,
    select_weapons.QUESTIONS,
    melee.QUESTIONS,
    deeds.QUESTIONS,
    coming_back.QUESTIONS,
    extra_moves.QUESTIONS,
    offers.questions(DEEDS),
    settle=dice.settle,
    next_segment=battle_round.next_segment,
    orders=takes_order,
    reactions=(
        *mission.REACTIONS,
        *actions.REACTIONS,
        *firing_deck.REACTIONS,
        *core_stratagems.REACTIONS,
        *offers.reactions(DEEDS),
    ),
    secrets=frozenset({("player", "plans")}),
    why={
        "move": _why_move(NORMAL),
        "advance": _why_move(ADVANCE),
        "fall_back": _why_move(FALL_BACK),
        "charge": lambda w, u: charge_phase.eligible_to_charge(w, w.unit(u)),
        "fight": lambda w, u: fight_phase.eligible_to_fight(w, w.unit(u)),
        "shoot": lambda w, u: shooting_phase.may_shoot(w, w.unit(u)),
    },
    sample=sample,
    build=muster.build,
    happening=happening,
    strength=starting_strength,
    score=cards.score,
    zones=cards.zones,
    rings=rings,
    objectives=markers,
    points=cards.points_of,
    missions=mission.missions,
    seams=(
        FILES,
        CONTROL,
        PRINTING,
        BREVITY,
        mission.SCORING,
        Endings(transports.abandon, deadly_demise),
        WORDS,
        DEEDS,
        ENFORCED,
        EXTRA_MOVES,
        RETURNS,
        strategic_reserves.LEAVING,
        COMPILE,
        melee.STRIKING,
        shooting_phase.AIMING,
        SEEING,
        MIND,
    ),
)
