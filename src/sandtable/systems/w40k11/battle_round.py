"""The battle round (07): its parts, the parts of a turn, and what is over when they end."""

from __future__ import annotations

from typing import Final

from sandtable.battle import DONE, Moment, Step
from sandtable.forty import turns
from sandtable.forty.effects.limits import forget_uses
from sandtable.forty.effects.securing import secure_markers
from sandtable.forty.markers import settle
from sandtable.forty.mission import SETUP
from sandtable.forty.moments import ROUND_BEGAN, ROUND_ENDED, TURN_BEGAN, TURN_ENDED
from sandtable.forty.recall import note_the_turn
from sandtable.kit.rounds import NOBODY, Rounds, begin_the_round, next_turn
from sandtable.rules import rule
from sandtable.systems.w40k11 import mission
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.strategic_reserves import lose_late

COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT = "command", "movement", "shooting", "charge", "fight"
START, END = "start of turn", "end of turn"
"""The steps before and after the phases, where `phase` says what part of a turn it is"""


# --- The round --------------------------------------------------------------------------------------------------------


async def start_of_round(b: Battle11) -> Step:
    """What falls due at the start of a battle round, before the first turn in it."""
    if b.state.active == b.state.game.first:
        await b.window(ROUND_BEGAN, Moment())
    return DONE


@rule("w40k11.round.structure")
async def end_of_round(b: Battle11) -> Step:
    """What falls due at the end of a battle round, after the last turn in it: the mission's own rules last."""
    b.set_game(phase="")
    if following(b) == NOBODY:
        lose_late(b)
        await b.window(ROUND_ENDED, Moment())
        mission.score_round(b)
    return DONE


# --- The turn ---------------------------------------------------------------------------------------------------------


@rule("w40k11.round.turn")
async def start_of_turn(b: Battle11) -> Step:
    """What falls due at the start of a turn is resolved before the Command phase begins."""
    turns.turn_begins(b)
    b.set_game(phase=START)
    note_the_turn(b)
    await b.window(TURN_BEGAN, Moment())
    return DONE


@rule("w40k11.round.turn")
async def begin_phase(b: Battle11, phase: str) -> None:
    """A phase begins."""
    await turns.begin_phase(b, phase, "w40k11.round.turn")


async def end_phase(b: Battle11) -> Step:
    """A phase ends: what lasted for it is over, and the control of objectives is settled."""
    await turns.end_phase(b)
    settle(b)
    if b.state.game.phase == COMMAND:
        secure_markers(b)
    return DONE


async def end_of_turn(b: Battle11) -> Step:
    """The End of Turn step begins: rules that are no mission rules come first."""
    b.set_game(phase=END)
    await b.window(TURN_ENDED, Moment())
    return DONE


async def turn_is_over(b: Battle11) -> Step:
    """A turn is over: what lasted for it ends."""
    turns.turn_is_over(b, FRESH)
    b.set_game(turns=b.state.game.turns + 1, selecting=-1, stage="", forced=-1, passes=0)
    return DONE


FRESH: Final = (
    "moved", "advance", "rolled_move", "skies", "walked", "shot", "shooting", "declared", "charged", "engaged_before",
    "could_fight", "fought", "piled_in", "consolidated", "overruns", "disembarked", "arrived", "action", "acted",
    "rolled",
)  # fmt: skip
"""What a unit did in a turn, forgotten when it ends."""


# --- Rounds -----------------------------------------------------------------------------------------------------------


def next_segment(b: Battle11) -> str | None:
    """After a turn comes the next player's; after the last of a round, the next round."""
    return mission.start_first_round(b) if b.state.segment == SETUP else next_turn(b, ROUNDS)


def following(b: Battle11) -> int:
    """Who has the next turn of this battle round."""
    player = next_player(b)
    return NOBODY if player == b.state.game.first else player


@rule("w40k11.round.structure", neutral=0)
def first(b: Battle11) -> int:
    """Who has the first turn: the same player in every battle round."""
    return b.state.game.first


@rule("w40k11.round.structure", neutral=1)
def next_player(b: Battle11) -> int:
    """Who takes the next turn: players follow each other in one order."""
    return (b.state.active + 1) % len(b.state.players)


@rule("w40k11.round.structure")
def new_round(b: Battle11) -> None:
    """After a turn of each player the next battle round begins."""
    forget_extra_points(b)
    forget_uses(b, "round")
    begin_the_round(b, b.state.round + 1, "w40k11.round.structure")


@rule("w40k11.gap.cp_cap")
def forget_extra_points(b: Battle11) -> None:
    """With a new battle round every player may gain Command points by other rules again."""
    turns.forget_extra_points(b)


ROUNDS: Final = Rounds(following, first, new_round, mission.is_over, mission.time_is_up, mission.close)
