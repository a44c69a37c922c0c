"""The system: its steps and its questions, as the machine sees them."""

from __future__ import annotations

from typing import Final

from sandtable.battle.system import DeploymentZone, StepFlow
from sandtable.forty.cards import points_of
from sandtable.forty.edition import edition
from sandtable.forty.effects import deeds, offers, other_rolls, returning
from sandtable.forty.markers import pictured
from sandtable.rules import rule
from sandtable.systems.w40k8 import (
    before_the_battle,
    charge,
    charge_move,
    command_rerolls,
    deployment,
    disputes,
    fight,
    lord,
    melee,
    mission,
    morale,
    movement,
    only_war,
    overwatch,
    pile_in,
    powers,
    psychic,
    reinforcements,
    rounds,
    shooting,
    transports,
    turn,
    warlord,
)
from sandtable.systems.w40k8.abilities import ENFORCED, WORDS
from sandtable.systems.w40k8.attacks import COMPILE
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.cards import BREVITY, PRINTING
from sandtable.systems.w40k8.deeds import DEEDS, RETURNS
from sandtable.systems.w40k8.mind import MIND, PLAIN
from sandtable.systems.w40k8.objectives import CONTROL
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.scenario import FILES
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.shooting import AIMING
from sandtable.systems.w40k8.slain import Endings
from sandtable.systems.w40k8.state import World8
from sandtable.systems.w40k8.visibility import SEEING
from sandtable.table.picture import Objective


@rule("w40k8.onlywar.setup_order", neutral=())
def before_the_first_turn() -> tuple[StepFlow, ...]:
    """What Only War does before the battle, in its order."""
    return (
        mission.agree_on_mission,
        before_the_battle.place_markers,
        before_the_battle.primary_objective,
        deployment.divide_battlefield,
        deployment.assign_zones,
        before_the_battle.before_deployment,
        deployment.deploy_armies,
        before_the_battle.power_levels,
        before_the_battle.first_turn,
    )


TURN: Final[tuple[StepFlow, ...]] = (
    rounds.begin_round,
    turn.begin_turn,
    lord.nurgles_gift,
    movement.movement_phase,
    movement.move_units,
    reinforcements.reinforcements,
    psychic.psychic_phase,
    psychic.manifest_powers,
    turn.shooting_phase,
    shooting.shoot_units,
    charge.charge_phase,
    charge.charge_units,
    charge.heroic_interventions,
    fight.fight_phase,
    fight.fight_units,
    morale.morale_phase,
    morale.test_units,
    only_war.score_turn,
    turn.end_turn,
    rounds.end_round,
    only_war.score_battle,
)


def markers(w: World8) -> list[Objective]:
    """The objective markers, for pictures."""
    return pictured(w, BOOK.marker_range)


def zones(w: World8) -> list[DeploymentZone]:
    """The deployment zones, once the battlefield is divided."""
    game = w.state.game
    return [DeploymentZone(half, game.zones.index(i) if game.zones else -1) for i, half in enumerate(game.halves)]


SYSTEM: Final = edition(
    FRAME,
    before_the_first_turn(),
    TURN,
    warlord.QUESTIONS,
    powers.QUESTIONS,
    before_the_battle.QUESTIONS,
    deployment.QUESTIONS,
    transports.QUESTIONS,
    movement.QUESTIONS,
    reinforcements.QUESTIONS,
    psychic.QUESTIONS,
    shooting.QUESTIONS,
    charge.QUESTIONS,
    overwatch.QUESTIONS,
    charge_move.QUESTIONS,
    fight.QUESTIONS,
    pile_in.QUESTIONS,
    melee.QUESTIONS,
    morale.QUESTIONS,
    other_rolls.QUESTIONS,
    returning.QUESTIONS,
    deeds.QUESTIONS,
    offers.questions(DEEDS),
    settle=disputes.settle,
    next_segment=rounds.next_segment,
    orders=rounds.takes_order,
    reactions=(
        *command_rerolls.REACTIONS,
        *offers.reactions(DEEDS),
        warlord.TRAIT,
        powers.GENERATION,
        before_the_battle.RELIC,
    ),
    why={
        "move": lambda w, u: movement.eligible_to_move(w, w.unit(u)),
        "arrive": lambda w, u: reinforcements.may_arrive(w, w.unit(u)),
        "manifest": lambda w, u: psychic.may_manifest(w, w.unit(u)),
        "shoot": lambda w, u: shooting.may_shoot(w, w.unit(u)),
        "charge": lambda w, u: charge.eligible_to_charge(w, w.unit(u)),
        "intervene": lambda w, u: charge.may_intervene(w, w.unit(u)),
        "fight": lambda w, u: fight.eligible_to_fight(w, w.unit(u)),
    },
    sample=sample,
    build=mission.build,
    missions=mission.missions,
    objectives=markers,
    zones=zones,
    points=points_of,
    seams=(
        FILES,
        PRINTING,
        BREVITY,
        COMPILE._replace(plain=PLAIN),
        AIMING,
        melee.BLOWS,
        SEEING,
        WORDS,
        DEEDS,
        RETURNS,
        ENFORCED,
        CONTROL,
        deployment.SCORING,
        MIND,
        Endings(transports.abandon),
    ),
)
