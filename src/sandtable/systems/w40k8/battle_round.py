"""The battle round: whose turn follows whose, and when the battle is over."""

from __future__ import annotations

from typing import Final

from sandtable.battle import DONE, Effect, Moment, Step
from sandtable.battle.system import StepFlow
from sandtable.forty.effects.lasting import end_lasting
from sandtable.forty.mission import SETUP
from sandtable.forty.moments import PHASE_BEGAN, PHASE_ENDED, ROUND_BEGAN, ROUND_ENDED, TURN_BEGAN, TURN_ENDED
from sandtable.kit.alternating import player_after
from sandtable.kit.disputes import let_decide
from sandtable.kit.rounds import NOBODY, TURN, Rounds, begin_the_round, forget, next_turn, tell_phase, unmark
from sandtable.rules import rule
from sandtable.systems.w40k8 import only_war
from sandtable.systems.w40k8.before_the_battle import before_deployment
from sandtable.systems.w40k8.concepts import who_orders
from sandtable.systems.w40k8.dice import roll_off
from sandtable.systems.w40k8.state import MOVED, Battle8

MOVEMENT, PSYCHIC, SHOOTING, CHARGE, FIGHT, MORALE = "movement", "psychic", "shooting", "charge", "fight", "morale"
PHASE_OF_STEP: Final = {
    "move_units": MOVEMENT,
    "reinforcements": MOVEMENT,
    "manifest_powers": PSYCHIC,
    "shoot_units": SHOOTING,
    "charge_units": CHARGE,
    "heroic_interventions": CHARGE,
    "fight_units": FIGHT,
    "test_units": MORALE,
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""
FRESH: Final = (
    "moved", "advance", "arrived", "shot", "declared", "charged", "fought", "intervened", "targets", "disembarked",
    "slain", "tested", "tried", "denied",
)  # fmt: skip
"""What a unit did in a turn, forgotten when it ends."""


def next_segment(b: Battle8) -> str | None:
    """After a turn comes the next player's; after the last of a round, the next round."""
    return start_first_round(b) if b.state.segment == SETUP else next_turn(b, ROUNDS)


@rule("w40k8.onlywar.first_turn", neutral=TURN)
def start_first_round(b: Battle8) -> str:
    """The first turn of the first battle round, of whom the Underdog has chosen."""
    begin_the_round(b, 1, "w40k8.round.battle_round", active=b.state.game.first)
    return TURN


@rule("w40k8.round.battle_round", neutral=1)
def following(b: Battle8) -> int:
    """Who has the next turn of this battle round: players follow each other in one order, in every round."""
    player = player_after(b, b.state.active)
    return NOBODY if player == b.state.game.first else player


@rule("w40k8.round.battle_round", neutral=0)
def first(b: Battle8) -> int:
    """Who has the first turn of every battle round."""
    return b.state.game.first


@rule("w40k8.round.battle_round")
def new_round(b: Battle8) -> None:
    """After a turn of each player the next battle round begins."""
    begin_the_round(b, b.state.round + 1, "w40k8.round.battle_round")


async def begin_round(b: Battle8) -> Step:
    """A battle round begins with its first turn."""
    if b.state.active == first(b):
        await b.window(ROUND_BEGAN)
    return DONE


async def end_round(b: Battle8) -> Step:
    """It ends with its last."""
    if following(b) == NOBODY:
        await b.window(ROUND_ENDED)
    return DONE


def takes_order(b: Battle8) -> int:
    """Who orders rules that fall due at one time."""
    return who_orders(b) if is_within_a_turn(b) else roll_off(b)


@rule("w40k8.round.sequencing_outside", neutral=True)
def is_within_a_turn(b: Battle8) -> bool:
    """Before the battle, and when a battle round begins or ends, the winner of a roll-off orders them."""
    step = b.system.segments[b.state.segment][b.state.step].__name__
    return step not in (before_deployment.__name__, begin_round.__name__, end_round.__name__)


# An army that is wiped out ends the battle when it is, not between turns.
ROUNDS: Final = Rounds(
    following, first, new_round, lambda b: False, lambda b, _: only_war.time_is_up(b), only_war.close
)


@rule("w40k8.round.phases")
async def begin_phase(b: Battle8, phase: str) -> None:
    """A phase begins, when the one before it has ended."""
    await end_phase(b)
    tell_phase(b, phase, "w40k8.round.phases")
    end_lasting(b, f"{phase} of {b.state.active}")
    await b.window(PHASE_BEGAN, Moment(data={"phase": phase}))


async def end_phase(b: Battle8) -> None:
    """A phase ends."""
    if b.state.game.phase:
        await b.window(PHASE_ENDED, Moment(data={"phase": b.state.game.phase}))
        end_lasting(b, "phase")


async def begin_turn(b: Battle8) -> Step:
    """A turn begins."""
    end_lasting(b, f"next turn of {b.state.active}")
    await b.window(TURN_BEGAN)
    return DONE


def beginning(phase: str) -> StepFlow:
    """The step with which a phase begins that needs nothing else then."""

    async def begin(b: Battle8) -> Step:
        await begin_phase(b, phase)
        return DONE

    begin.__name__ = f"{phase}_phase"
    return begin


async def end_turn(b: Battle8) -> Step:
    """A turn ends: what was written down about it is forgotten."""
    await end_phase(b)
    await b.window(TURN_ENDED)
    forget(b, FRESH)
    unmark(b, MOVED)
    end_lasting(b, "turn")
    b.set_game(phase="", turns=b.state.game.turns + 1)
    return DONE


@rule("w40k8.concept.most_important_rule")
async def settle(b: Battle8, dispute: Effect) -> None:
    """The winner of a roll-off decides."""
    await let_decide(b, roll_off(b), dispute, "w40k8.concept.most_important_rule")
