"""The system: its steps and its questions, as the machine sees them."""

from __future__ import annotations

from typing import Final

from sandtable.battle import System
from sandtable.battle.system import StepFlow
from sandtable.forty.briefly import brief
from sandtable.forty.cards import card, describe, printed_keywords
from sandtable.forty.effects.enforced import enforcement, left_out
from sandtable.forty.scenario import from_scenario
from sandtable.kit.attack import resolving
from sandtable.systems.w40k8 import (
    charge,
    charge_move,
    fight,
    heroic,
    melee,
    morale,
    movement,
    only_war,
    overwatch,
    pile_in,
    psychic,
    reinforcements,
    rounds,
    shooting,
    turn,
    warlord,
)
from sandtable.systems.w40k8.abilities import ENFORCED
from sandtable.systems.w40k8.attacks import COMPILE
from sandtable.systems.w40k8.auras import WORDS
from sandtable.systems.w40k8.cards import BREVITY, PRINTING
from sandtable.systems.w40k8.objectives import CONTROL
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.scenario import FILES
from sandtable.systems.w40k8.setup import NAME, SYSTEM_ID, check_sound
from sandtable.systems.w40k8.state import Data, Game, Player, Unit
from sandtable.systems.w40k8.visibility import SEEING

TURN: Final[tuple[StepFlow, ...]] = (
    movement.movement_phase,
    movement.move_units,
    reinforcements.reinforcements,
    psychic.psychic_phase,
    psychic.manifest_powers,
    turn.shooting_phase,
    shooting.shoot_units,
    charge.charge_phase,
    charge.charge_units,
    heroic.heroic_interventions,
    fight.fight_phase,
    fight.fight_units,
    morale.morale_phase,
    morale.test_units,
    only_war.score_turn,
    turn.end_turn,
    only_war.score_battle,
)


SYSTEM: Final = System(
    id=SYSTEM_ID,
    name=NAME,
    unit="in",
    unit_type=Unit,
    player_type=Player,
    game_type=Game,
    data_type=Data,
    segments={"turn": TURN},
    next_segment=rounds.next_segment,
    questions={
        **warlord.QUESTIONS,
        **movement.QUESTIONS,
        **reinforcements.QUESTIONS,
        **psychic.QUESTIONS,
        **shooting.QUESTIONS,
        **charge.QUESTIONS,
        **overwatch.QUESTIONS,
        **charge_move.QUESTIONS,
        **heroic.QUESTIONS,
        **fight.QUESTIONS,
        **pile_in.QUESTIONS,
        **melee.QUESTIONS,
        **morale.QUESTIONS,
        **resolving.QUESTIONS,
    },
    why={
        "move": lambda w, u: movement.eligible_to_move(w, w.unit(u)),
        "arrive": lambda w, u: reinforcements.may_arrive(w, w.unit(u)),
        "manifest": lambda w, u: psychic.may_manifest(w, w.unit(u)),
        "shoot": lambda w, u: shooting.may_shoot(w, w.unit(u)),
        "charge": lambda w, u: charge.eligible_to_charge(w, w.unit(u)),
        "intervene": lambda w, u: heroic.may_intervene(w, w.unit(u)),
        "fight": lambda w, u: fight.eligible_to_fight(w, w.unit(u)),
    },
    readings=READINGS,
    scenario=from_scenario,
    sound=check_sound,
    sample=sample,
    describe=describe,
    card=card,
    brief=brief,
    keywords=printed_keywords,
    seams=(FILES, PRINTING, BREVITY, COMPILE, SEEING, WORDS, ENFORCED, CONTROL),
    enforcement=enforcement,
    left_out=left_out,
)
