"""The battle round: turns and their phases, and the end of a turn."""

from __future__ import annotations

from typing import Final

from sandtable.battle import DONE, Moment, Step
from sandtable.forty import turns
from sandtable.forty.effects.limits import forget_uses
from sandtable.forty.effects.securing import secure_markers
from sandtable.forty.markers import settle
from sandtable.forty.mission import SETUP
from sandtable.forty.moments import ROUND_BEGAN, ROUND_ENDED, TURN_ENDED
from sandtable.kit import rounds
from sandtable.kit.rounds import NOBODY, Rounds, next_turn, unmark
from sandtable.rules import rule
from sandtable.systems.w40k10 import mission
from sandtable.systems.w40k10.state import ALLOCATED, Battle10

COMMAND: Final = "command"
MOVEMENT: Final = "movement"
SHOOTING: Final = "shooting"
CHARGE: Final = "charge"
FIGHT: Final = "fight"


async def round_begins(b: Battle10) -> Step:
    """What falls due at the start of a battle round, before the first turn in it."""
    if b.state.active == b.state.game.first:
        await b.window(ROUND_BEGAN, Moment())
    return DONE


async def round_ends(b: Battle10) -> Step:
    """What falls due at the end of a battle round, after the last turn in it."""
    b.set_game(phase="")
    if following(b) == NOBODY:
        await b.window(ROUND_ENDED, Moment())
    return DONE


@rule("w40k10.round.phases")
async def begin_phase(b: Battle10, phase: str) -> None:
    """A phase begins."""
    tell_phase(b, phase)
    await turns.phase_began(b, phase)


def tell_phase(b: Battle10, phase: str) -> None:
    """Tell that a phase begins, before anything happens in it."""
    rounds.tell_phase(b, phase, "w40k10.round.phases")


async def end_phase(b: Battle10) -> Step:
    """A phase ends: what lasted for it is over, and the control of objective markers is settled."""
    await turns.end_phase(b)
    unmark(b, ALLOCATED)
    settle(b)
    if b.state.game.phase == COMMAND:
        secure_markers(b)
    return DONE


async def shooting_phase(b: Battle10) -> Step:
    """The Shooting phase begins."""
    await begin_phase(b, SHOOTING)
    return DONE


async def end_turn(b: Battle10) -> Step:
    """A turn is over: what lasted for it ends."""
    await b.window(TURN_ENDED, Moment())
    turns.turn_is_over(b, FRESH)
    b.set_game(turns=b.state.game.turns + 1, selecting=-1, forced=-1)
    return DONE


FRESH: Final = (
    "moved", "advance", "rolled_move", "shot", "near", "declared", "charged", "intervened", "fight_eligible",
    "fought", "disembarked", "stays_aboard", "held_back", "arrived",
)  # fmt: skip
"""What a unit did in a turn, forgotten when it ends."""


def next_segment(b: Battle10) -> str | None:
    """After a turn comes the next player's; after the last of a round, the next round."""
    return mission.start_first_round(b) if b.state.segment == SETUP else next_turn(b, ROUNDS)


def following(b: Battle10) -> int:
    """Who has the next turn of this battle round."""
    player = next_player(b)
    return NOBODY if player == b.state.game.first else player


def first(b: Battle10) -> int:
    """Who has the first turn of every battle round."""
    return b.state.game.first


@rule("w40k10.round.first_player", neutral=1)
def next_player(b: Battle10) -> int:
    """Who takes the next turn: players follow each other in one order, in every round."""
    return (b.state.active + 1) % len(b.state.players)


@rule("w40k10.round.structure")
def new_round(b: Battle10) -> None:
    """After a turn of each player the next battle round begins."""
    b.set_clock(round=b.state.round + 1)
    forget_extra_points(b)
    forget_uses(b, "round")
    b.tell("round", f"Battle round {b.state.round}.", "w40k10.round.structure", round=b.state.round)


@rule("w40k10.command.cp_cap")
def forget_extra_points(b: Battle10) -> None:
    """With a new battle round every player may gain Command points by other rules again."""
    turns.forget_extra_points(b)


ROUNDS: Final = Rounds(following, first, new_round, mission.is_over, mission.time_is_up, mission.close)
