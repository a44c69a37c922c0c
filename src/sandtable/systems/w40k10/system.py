"""The system: its steps, its questions and its reactions, as the machine sees them."""

from __future__ import annotations

from typing import Final

from sandtable.battle.system import Ring, StepFlow
from sandtable.forty import at_cost, detachments
from sandtable.forty.edition import edition, why
from sandtable.forty.effects import deeds, extra_moves, last_stand, offers
from sandtable.forty.effects import returning as coming_back
from sandtable.forty.endings import Endings
from sandtable.forty.moments import AFTER_ROLL, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.odds import overwatch
from sandtable.forty.striking import blows_at
from sandtable.rules import rule
from sandtable.systems.w40k10 import (
    aircraft,
    battle_round,
    charge_move,
    charge_phase,
    coherency,
    deployment,
    desperate_escape,
    destroyed_transports,
    disputes,
    enlist,
    fight_phase,
    formations,
    making_attacks,
    melee_attacks,
    mission,
    movement_phase,
    pile_in_and_consolidate,
    reserves,
    shooting_phase,
    transports,
)
from sandtable.systems.w40k10.abilities import firing_deck, scouts
from sandtable.systems.w40k10.abilities.deadly_demise import deadly_demise
from sandtable.systems.w40k10.coherency import COHERENCY
from sandtable.systems.w40k10.command_phase import battle_shock, command_begins, command_phase
from sandtable.systems.w40k10.dice import takes_order
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT, engaged_enemies
from sandtable.systems.w40k10.enlist import FRAME
from sandtable.systems.w40k10.mind import MIND
from sandtable.systems.w40k10.mission import missions
from sandtable.systems.w40k10.objectives import CONTROL
from sandtable.systems.w40k10.printing import BREVITY, PRINTING
from sandtable.systems.w40k10.reserves import RESERVES
from sandtable.systems.w40k10.sample import sample
from sandtable.systems.w40k10.scenario import FILES
from sandtable.systems.w40k10.setting_up import RETURNS
from sandtable.systems.w40k10.starting_strength import starting_strength
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.stratagems import core_stratagems
from sandtable.systems.w40k10.stratagems.using_stratagems import FIRE_OVERWATCH
from sandtable.systems.w40k10.terrain.benefit_of_cover import COVERING
from sandtable.systems.w40k10.visibility import SEEING
from sandtable.systems.w40k10.weapon_abilities import torrent
from sandtable.systems.w40k10.words import DEEDS, ENFORCED, EXTRA_MOVES, WORDS

TURN: Final[tuple[StepFlow, ...]] = (
    battle_round.round_begins,
    command_phase,
    command_begins,
    battle_shock,
    battle_round.end_phase,
    mission.score_command,
    *movement_phase.movement_steps(),
    battle_round.end_phase,
    battle_round.shooting_phase,
    shooting_phase.shoot_units,
    battle_round.end_phase,
    charge_phase.charge_phase,
    charge_phase.charge_units,
    battle_round.end_phase,
    fight_phase.fight_phase,
    fight_phase.fights_first,
    fight_phase.remaining_combats,
    battle_round.end_phase,
    coherency.remove_stragglers,
    mission.score_turn,
    battle_round.end_turn,
    battle_round.round_ends,
)


@rule("w40k10.mission.sequence", neutral=())
def before_the_battle() -> tuple[StepFlow, ...]:
    """The steps of a mission from the battlefield to the first turn, in their order."""
    return (
        mission.agree_on_mission,
        mission.place_markers,
        mission.attacker_and_defender,
        aircraft.declare_hover,
        formations.declare_leaders,
        formations.declare_transports,
        reserves.declare_reserves,
        formations.reveal,
        deployment.deploy_armies,
        deployment.deploy_late_units,
        mission.first_turn,
        mission.pre_battle_rules,
        scouts.scouts,
        mission.begin_the_battle,
    )


def rings(w: World10) -> tuple[Ring, ...]:
    """Distances that players look at while they move."""
    return (
        Ring(
            "Engagement Range",
            ENGAGEMENT.range.flat,
            "enemies",
            "w40k10.concept.engagement_limit",
            up=ENGAGEMENT.range.up,
        ),
        Ring(
            "coherency",
            COHERENCY.distance.flat,
            "comrades",
            "w40k10.concept.coherency_small",
            up=COHERENCY.distance.up,
            crowd=COHERENCY.large_unit,
        ),
        Ring("ground too near for Reserves", RESERVES.gap, "enemies", kinds=("arrive",)),
        Ring("objective markers", 0, "objectives", "w40k10.objective.movement"),
    )


SYSTEM: Final = edition(
    FRAME,
    before_the_battle(),
    TURN,
    mission.QUESTIONS,
    formations.QUESTIONS,
    deployment.QUESTIONS,
    scouts.QUESTIONS,
    coherency.QUESTIONS,
    reserves.QUESTIONS,
    movement_phase.QUESTIONS,
    desperate_escape.QUESTIONS,
    transports.QUESTIONS,
    destroyed_transports.QUESTIONS,
    firing_deck.QUESTIONS,
    aircraft.QUESTIONS,
    charge_phase.QUESTIONS,
    charge_move.QUESTIONS,
    fight_phase.QUESTIONS,
    pile_in_and_consolidate.QUESTIONS,
    shooting_phase.QUESTIONS,
    melee_attacks.QUESTIONS,
    overwatch.questions(
        overwatch.Watch(FIRE_OVERWATCH.name, lambda w, d, unit: (w.unit(d.unit),), torrent, charge_phase.stops),
        *(UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED),
    ),
    making_attacks.QUESTIONS,
    at_cost.questions(at_cost.Together(coherency.in_coherency, engaged_enemies)),
    deeds.QUESTIONS,
    coming_back.QUESTIONS,
    extra_moves.QUESTIONS,
    offers.questions(DEEDS),
    settle=disputes.settle,
    next_segment=battle_round.next_segment,
    orders=takes_order,
    reactions=(
        *mission.REACTIONS,
        *firing_deck.REACTIONS,
        *core_stratagems.REACTIONS,
        *last_stand.reactions(DEEDS),
        *offers.reactions(DEEDS),
        *detachments.reactions(core_stratagems.DETACHMENTS),
    ),
    secrets=frozenset({("player", "plans")}),
    why=why(
        movement_phase.eligible_to_move,
        movement_phase.may_make,
        charge=charge_phase.eligible_to_charge,
        fight=fight_phase.eligible_to_fight,
        shoot=shooting_phase.may_be_selected,
        disembark=transports.may_disembark,
        arrive=reserves.may_arrive,
    ),
    sample=sample,
    build=enlist.build,
    strength=starting_strength,
    rings=rings,
    blows=blows_at,
    missions=missions,
    after_roll=AFTER_ROLL,
    default_orders=overwatch.orders(FIRE_OVERWATCH.name),
    seams=(
        FILES,
        CONTROL,
        PRINTING,
        BREVITY,
        mission.SCORING,
        WORDS,
        DEEDS,
        ENFORCED,
        EXTRA_MOVES,
        RETURNS,
        reserves.LEAVING,
        Endings(destroyed_transports.abandon, deadly_demise),
        core_stratagems.DETACHMENTS,
        making_attacks.COMPILE,
        melee_attacks.STRIKING,
        COVERING,
        shooting_phase.AIMING,
        SEEING,
        MIND,
    ),
)
