"""The system: its steps and its questions, as the machine sees them."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.battle.system import DeploymentZone, Mark, Ring, StepFlow
from sandtable.forty import at_cost
from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Printing, badge
from sandtable.forty.edition import edition
from sandtable.forty.effects import deeds, offers, other_rolls, returning
from sandtable.forty.endings import Endings
from sandtable.forty.fighters import figures_of, profile
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.scenario import Files, ModelMark
from sandtable.kit.grammar import counted
from sandtable.rules import rule
from sandtable.systems.w40k8 import (
    battle_round,
    before_the_battle,
    charge,
    deployment,
    fight,
    lord,
    mission,
    morale,
    movement,
    only_war,
    psychic,
    reinforcements,
    shooting,
    transports,
    warlord,
)
from sandtable.systems.w40k8.abilities import ENFORCED, WORDS
from sandtable.systems.w40k8.attacks import AP, COMPILE, HIT, INVULNERABLE, SAVE, WOUND
from sandtable.systems.w40k8.battle_round import MORALE, PSYCHIC, SHOOTING, beginning
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, coherency_of, stand_together
from sandtable.systems.w40k8.cover import SEEING
from sandtable.systems.w40k8.deeds import DEEDS, LEAVING, RETURNS
from sandtable.systems.w40k8.dice import REROLL
from sandtable.systems.w40k8.enlist import FRAME, LISTS
from sandtable.systems.w40k8.mind import MIND, PLAIN
from sandtable.systems.w40k8.moving import GAIT
from sandtable.systems.w40k8.only_war import CONTROL
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.shooting import AIMING
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, MOVED, ORDINARY, Player, World8


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
    battle_round.begin_round,
    battle_round.begin_turn,
    lord.nurgles_gift,
    movement.movement_phase,
    movement.move_units,
    reinforcements.reinforcements,
    beginning(PSYCHIC),
    psychic.manifest_powers,
    beginning(SHOOTING),
    shooting.shoot_units,
    charge.charge_phase,
    charge.charge_units,
    charge.heroic_interventions,
    fight.fight_phase,
    fight.fight_units,
    beginning(MORALE),
    morale.test_units,
    only_war.score_turn,
    battle_round.end_turn,
    battle_round.end_round,
    only_war.score_battle,
)


def zones(w: World8) -> list[DeploymentZone]:
    """The deployment zones, once the battlefield is divided."""
    game = w.state.game
    return [DeploymentZone(half, game.zones.index(i) if game.zones else -1) for i, half in enumerate(game.halves)]


def rings(w: World8) -> tuple[Ring, ...]:
    """Distances that players look at while they move."""
    near = Ring('1"', BOOK.close, "enemies", "w40k8.move.one_inch", in_space=True)
    apart = Ring("ground too near for teleporters", BOOK.teleport, "enemies", in_space=True, kinds=("arrive",))
    asked = coherency_of(w)
    one = bool(asked.one_group)
    return near, Ring("coherency", asked.reach, "comrades", up=asked.vertical, one_group=one), apart


def points_and_rerolls(player: Player) -> str:
    """Victory points, and Command re-rolls that are left."""
    left = f", {counted(player.rerolls, 'Command re-roll')}" if player.rerolls else ""
    return f"{player.vp} VP{left}"


DEEDS_TOLD: Final = ("shot", "charged", "fought")
BADGE: Final = partial(
    badge,
    charged=Mark("charged", "charged this turn", "w40k8.fight.chargers_first"),
    moves={
        ADVANCE: Mark("advanced", "Advanced this turn", "w40k8.move.advance_limits"),
        FALL_BACK: Mark("fell back", "Fell Back this turn", "w40k8.move.fall_back_limits"),
    },
)
PRINTING: Final = Printing(
    profile, figures_of, lambda unit: [deed for deed in DEEDS_TOLD if getattr(unit, deed)], points_and_rerolls, BADGE
)
BREVITY: Final = Brevity(left_out=frozenset(("unit_slain", "pile_in", "consolidate")), scored_late=True)

EFFECTS: Final = {HIT: (-6, 6), WOUND: (-6, 6), SAVE: (-6, 6), AP: (-6, 6), INVULNERABLE: (2, 6)}
"""Kinds of effects that may lie on a unit when a scenario file begins, each with its least and its largest value."""

BEFORE_DEPLOYMENT: Final = (warlord.TRAIT, psychic.GENERATION)
BEFORE: Final = (before_the_battle, deployment, transports)
PHASES: Final = (movement, reinforcements, psychic, shooting, charge, fight, morale)
ANY_TIME: Final = (other_rolls, returning, deeds)
"""Where questions are asked: before the battle, in the phases of a turn, and whenever abilities say so."""

FILES: Final = Files(
    FRAME, battle_round.PHASE_OF_STEP, EFFECTS, LISTS, mission.MISSIONS,
    hold=transports.check_hold, powers=lambda: (BOOK.smite.name,),
    words=lambda _: {
        "reserve": (reinforcements.TELEPORT,), "disembarked": transports.WAYS_OUT, "trait": warlord.TRAITS,
    },
    marks={"moved": ModelMark(MOVED, "moved", ORDINARY)},
)  # fmt: skip
DOCUMENTS: Final = (FILES, PRINTING, BREVITY)
ATTACKS: Final = (COMPILE._replace(plain=PLAIN), AIMING, fight.BLOWS, SEEING)
ABILITIES: Final = (WORDS, DEEDS, RETURNS, LEAVING, ENFORCED)
"""What shared services are told of this edition."""

SYSTEM: Final = edition(
    FRAME,
    before_the_first_turn(),
    TURN,
    *(part.QUESTIONS for part in (*BEFORE, *PHASES, *ANY_TIME)),
    at_cost.questions(at_cost.Together(stand_together, close_enemies)),
    offers.questions(DEEDS),
    settle=battle_round.settle,
    next_segment=battle_round.next_segment,
    orders=battle_round.takes_order,
    table=mission.table_of,
    rings=rings,
    blows=fight.blows_at,
    after_roll=AFTER_ROLL,
    reactions=(REROLL, *offers.reactions(DEEDS), *BEFORE_DEPLOYMENT, before_the_battle.RELIC),
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
    zones=zones,
    seams=(*DOCUMENTS, *ATTACKS, *ABILITIES, GAIT, CONTROL, deployment.SCORING, MIND, Endings(transports.abandon)),
)
