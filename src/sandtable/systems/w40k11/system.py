"""The system: its steps, its questions and its reactions, as the machine sees them."""

from __future__ import annotations

from typing import Final

from sandtable.battle.system import Ring, StepFlow
from sandtable.forty import at_cost
from sandtable.forty.dataset_missions import dataset_tables, mission_called
from sandtable.forty.edition import edition, why
from sandtable.forty.effects import deeds, extra_moves, last_stand, offers
from sandtable.forty.effects import returning as coming_back
from sandtable.forty.endings import Endings
from sandtable.forty.moments import AFTER_ROLL, PHASE_BEGAN, PHASE_ENDED
from sandtable.forty.odds import overwatch, sparing
from sandtable.forty.striking import blows_at
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
from sandtable.systems.w40k11.engagement import ENGAGEMENT, engaged_enemies
from sandtable.systems.w40k11.making_attacks import COMPILE
from sandtable.systems.w40k11.mind import MIND
from sandtable.systems.w40k11.objectives import CONTROL
from sandtable.systems.w40k11.sample import sample
from sandtable.systems.w40k11.scenario import FILES
from sandtable.systems.w40k11.setting_up import RETURNS
from sandtable.systems.w40k11.state import World11
from sandtable.systems.w40k11.stratagems import core_stratagems
from sandtable.systems.w40k11.stratagems.using_stratagems import FIRE_OVERWATCH, SMOKESCREEN
from sandtable.systems.w40k11.strength import starting_strength
from sandtable.systems.w40k11.visibility import SEEING
from sandtable.systems.w40k11.weapon_abilities import torrent
from sandtable.systems.w40k11.words import DEEDS, ENFORCED, EXTRA_MOVES, WORDS

BEFORE: Final[tuple[StepFlow, ...]] = (
    attached_units.form_attached_units,
    mission.agree_on_mission, mission.place_objectives, mission.attacker_and_defender,
    formations.declare_transports, formations.declare_reserves, formations.reveal,
    deployment.deploy_armies, deployment.deploy_late_units,
    mission.first_turn, scouts.pre_battle_abilities, mission.begin_the_battle,
)  # fmt: skip
TURN: Final[tuple[StepFlow, ...]] = (
    battle_round.start_of_round, battle_round.start_of_turn,
    command_phase.command_phase, command_phase.gain_core_points, command_phase.battle_shock,
    command_phase.command_abilities, battle_round.end_phase, mission.score_command,
    movement_phase.movement_phase, movement_phase.move_units, battle_round.end_phase,
    shooting_phase.shooting_phase, shooting_phase.shoot_units, battle_round.end_phase,
    charge_phase.charge_phase, charge_phase.charge_units, battle_round.end_phase,
    fight_phase.fight_phase, fight_phase.pile_in_units, fight_phase.begin_fights, fight_phase.fight_units,
    fight_phase.consolidate_units, battle_round.end_phase,
    battle_round.end_of_turn, aircraft.aircraft_leave, coherency.regain_coherency, mission.score_turn,
    battle_round.turn_is_over, battle_round.end_of_round,
)  # fmt: skip


def rings(w: World11) -> tuple[Ring, ...]:
    """Distances that players look at while they move."""
    asked = COHERENCY.together
    return (
        Ring(
            "engagement range",
            ENGAGEMENT.range.flat,
            "enemies",
            "w40k11.engagement.range",
            up=ENGAGEMENT.range.up,
        ),
        Ring("coherency", asked.reach, "comrades", spread=asked.spread, up=asked.vertical, one_group=False),
        Ring("ground too near for reserves", strategic_reserves.RESERVES.gap, "enemies", kinds=("arrive",)),
    )


BEFOREHAND: Final = (mission, formations, deployment, scouts)
PHASES: Final = (movement_phase, shooting_phase, charge_phase, fight_phase)
PARTS: Final = (
    strategic_reserves, transports, firing_deck, surge, coherency, charge_move, pile_in, consolidate, select_weapons,
    melee, deeds, coming_back, extra_moves,
)  # fmt: skip
"""Where questions are asked: before the battle, in the phases of a turn, and in parts of them."""

DOCUMENTS: Final = (FILES, PRINTING, BREVITY, mission.SCORING, CONTROL)
ABILITIES: Final = (WORDS, DEEDS, ENFORCED, EXTRA_MOVES, RETURNS, strategic_reserves.LEAVING)
ATTACKS: Final = (COMPILE, melee.STRIKING, shooting_phase.AIMING, SEEING)
"""What shared services are told of this edition."""

SYSTEM: Final = edition(
    muster.FRAME,
    BEFORE,
    TURN,
    *(part.QUESTIONS for part in (*BEFOREHAND, *PHASES, *PARTS)),
    offers.questions(DEEDS),
    at_cost.questions(at_cost.Together(coherency.in_coherency, engaged_enemies)),
    overwatch.questions(
        overwatch.Watch(FIRE_OVERWATCH.name, lambda w, d, unit: shooting_phase.snap_targets(w, unit), torrent),
        PHASE_ENDED,
    ),
    sparing.questions(SMOKESCREEN.name, core_stratagems.in_smoke, PHASE_BEGAN),
    settle=dice.settle,
    next_segment=battle_round.next_segment,
    orders=takes_order,
    reactions=tuple(r for part in (mission, actions, firing_deck, core_stratagems) for r in part.REACTIONS)
    + last_stand.reactions(DEEDS) + offers.reactions(DEEDS),
    secrets=frozenset({("player", "plans")}),
    why=why(
        movement_phase.eligible_to_move, movement_phase.may_make, charge=charge_phase.eligible_to_charge,
        fight=fight_phase.eligible_to_fight, shoot=shooting_phase.may_be_selected,
    ),
    sample=sample,
    build=muster.build,
    strength=starting_strength,
    rings=rings,
    blows=blows_at,
    missions=mission.missions,
    after_roll=AFTER_ROLL,
    default_orders=overwatch.orders(FIRE_OVERWATCH.name) + sparing.orders(SMOKESCREEN.name, PHASE_BEGAN),
    grounds=dataset_tables,
    mission_called=mission_called,
    seams=(*DOCUMENTS, *ABILITIES, *ATTACKS, Endings(transports.abandon, deadly_demise), MIND),
)  # fmt: skip
