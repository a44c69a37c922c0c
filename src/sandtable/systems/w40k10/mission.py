"""Missions: the sequence from reading the mission to the victor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sandtable.battle import AGAIN, DONE, Moment, Result, Step
from sandtable.forty.counts import Scoring, held
from sandtable.forty.markers import settle
from sandtable.forty.mission import (
    lose_undeployed,
    mission_of,
    name_attacker,
    name_first,
    pick_mission,
    sides_left,
)
from sandtable.forty.moments import BATTLE_BEGINS, PRE_BATTLE
from sandtable.forty.placing_markers import place_in_turn, placing_a_marker
from sandtable.forty.scoring import score
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.forty.victory import ahead, end_at_once, name_victors, players_of, rounds_of, was_last_turn
from sandtable.kit.alternating import player_after, players_from
from sandtable.kit.missions import (
    Mission,
    Score,
    check_points,
    check_table,
    find_mission,
    missions_in,
    one_size,
    refuse_unknown,
    size_of,
)
from sandtable.kit.rounds import begin_the_round
from sandtable.rules import rule
from sandtable.systems.w40k10.core_concepts import fits_the_mission, wholly_within
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.muster import MUSTER
from sandtable.systems.w40k10.objectives import from_edge, judge_marker
from sandtable.systems.w40k10.reserves import lose_reserves
from sandtable.systems.w40k10.state import Battle10, World10
from sandtable.table.layout import Table

FOLDER: Final = Path(__file__).parent / "missions"


# --- Documents --------------------------------------------------------------------------------------------------------


def missions() -> list[str]:
    """The missions that come with the system."""
    return missions_in(FOLDER)


def read_mission(name: str | Path) -> Mission:
    """A mission by its name, or from a file."""
    return find_mission(name, FOLDER, MUSTER.battle_sizes, check_known)


@rule("w40k10.concept.mission_choice")
def check_known(name: str) -> None:
    """No battle without a mission."""
    refuse_unknown(name, missions())


# --- Before the battle ------------------------------------------------------------------------------------------------


@rule("w40k10.concept.mission_choice")
async def agree_on_mission(b: Battle10) -> Step:
    """1. Players who do not agree on a mission roll off, and the winner picks it."""
    if b.setup.data.wishes:
        await pick_mission(b, roll_off(b), "w40k10.concept.mission_choice")
    return DONE


@rule("w40k10.mission.muster", "w40k10.onlywar.sizes", neutral=2000)
def check_size(mission: Mission, limits: Sequence[int]) -> int:
    """Both armies are of one battle size, which the mission allows; returns its points."""
    same_size(limits)
    check_points(mission, limits[0], MUSTER.battle_sizes, "w40k10.mission.muster")
    return limits[0]


@rule("w40k10.muster.battle_size")
def same_size(limits: Sequence[int]) -> None:
    """Both players use the same battle size."""
    one_size(limits, "w40k10.muster.battle_size")


@rule("w40k10.onlywar.battlefield", "w40k10.mission.battlefield")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission asks for this battle size."""
    size = size_of(limit, MUSTER.battle_sizes)
    check_table(mission, size, limit, table, fits_the_mission, "w40k10.onlywar.battlefield")


@rule("w40k10.onlywar.markers", "w40k10.mission.battlefield")
async def place_markers(b: Battle10) -> Step:
    """3. In turn, the winner of a roll-off first, the players place objective markers."""
    return await place_in_turn(b, roll_off, "w40k10.onlywar.markers")


@rule("w40k10.mission.attacker_defender", "w40k10.onlywar.formations")
async def attacker_and_defender(b: Battle10) -> Step:
    """4. The winner of a roll-off is the Attacker."""
    name_attacker(b, roll_off(b), "w40k10.mission.attacker_defender")
    return DONE


@rule("w40k10.mission.first_turn", "w40k10.onlywar.first_turn")
async def first_turn(b: Battle10) -> Step:
    """7. The winner of another roll-off takes the first turn."""
    name_first(b, roll_off(b), "w40k10.mission.first_turn")
    return DONE


@rule("w40k10.mission.pre_battle")
async def pre_battle_rules(b: Battle10) -> Step:
    """8. In turn, the player with the first turn first, the players resolve rules that wait for this moment."""
    first = b.state.game.chooser if b.state.game.chooser >= 0 else b.state.game.first
    prompt, rules = "Which pre-battle rule is resolved next?", ("w40k10.mission.pre_battle",)
    for player in players_from(b, first):
        chosen = await unit_or_stratagem(
            b, "pre_battle", prompt, (), PRE_BATTLE, player=player, optional=False, rules=rules
        )
        if chosen.used:
            b.set_game(chooser=player_after(b, player))
            return AGAIN
    return DONE


async def begin_the_battle(b: Battle10) -> Step:
    """9. What could not be deployed is lost, and the first battle round begins."""
    lose_undeployed(b, "w40k10.onlywar.deploy")
    await b.window(BATTLE_BEGINS, Moment())
    return DONE


@rule("w40k10.mission.sequence", neutral="turn")
def start_first_round(b: Battle10) -> str:
    """The first turn of the first battle round."""
    begin_the_round(b, 1, "w40k10.round.structure", active=b.state.game.first)
    return "turn"


# --- Victory points ---------------------------------------------------------------------------------------------------


async def score_command(b: Battle10) -> Step:
    """The Command phase has ended: the active player scores."""
    score(b, "command")
    return DONE


async def score_turn(b: Battle10) -> Step:
    """The turn ends: control is settled once more, and the active player scores."""
    if mission_of(b) is not None:
        settle(b)
        score(b, "turn")
    return DONE


@rule("w40k10.onlywar.capture_and_control", neutral=99)
def most_at_once(way: Score) -> int:
    """How many VP can be scored at one time."""
    return way.most


@rule("w40k10.onlywar.capture_and_control", neutral=0)
def control_counts(w: World10, player: int, way: Score) -> int:
    """Each marker under a player's control counts."""
    return len(held(w, player, way))


SCORING: Final = Scoring(
    held=control_counts,
    most=most_at_once,
    wholly=wholly_within,
    rule="w40k10.mission.muster",
    holding="w40k10.onlywar.capture_and_control",
)


# --- The end ----------------------------------------------------------------------------------------------------------


@rule("w40k10.onlywar.end", "w40k10.mission.end", neutral=False)
def is_over(w: World10) -> bool:
    """The battle ends at once when an army has no models left."""
    return len(sides_left(w)) < 2


@rule("w40k10.onlywar.end", "w40k10.mission.end", neutral=False)
def time_is_up(w: World10, round_is_over: bool) -> bool:
    """The battle ends after the last turn of the last battle round."""
    return was_last_turn(w, round_is_over, rounds_of(w))


def close(b: Battle10, reason: str) -> Result:
    """10. and 11. The last points are scored, and the victor is found."""
    lose_reserves(b)
    score(b, "battle")
    return name_victors(b, victors(b), reason, "w40k10.mission.victor")


@rule("w40k10.mission.victor", "w40k10.onlywar.victor", neutral=())
def victors(w: World10) -> tuple[int, ...]:
    """The side that is left wins; else the side of the player with the most Victory points; else nobody."""
    mission, left = mission_of(w), sides_left(w)
    last = len(left) == 1 and (mission is None or mission.destroyed_loses)
    return players_of(w, left) if last else ahead(w)


REACTIONS: Final = (end_at_once(is_over, close, "w40k10.mission.end"),)
QUESTIONS: Final[dict[str, Any]] = {"place_marker": placing_a_marker(judge_marker, from_edge)}
