"""Missions: what stands in for one, from reading it to the victor. The book names a mission and has none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Moment, Plotted, Result, Step, Verdict, refuse
from sandtable.forty import victory
from sandtable.forty.counts import Scoring, held
from sandtable.forty.dataset_missions import AT, dataset_missions, read_card
from sandtable.forty.markers import settle
from sandtable.forty.mission import lose_undeployed, name_attacker, name_first, pick_mission, sides_left
from sandtable.forty.moments import BATTLE_BEGINS
from sandtable.forty.placing_markers import place_in_turn, placing_a_marker
from sandtable.forty.scoring import score
from sandtable.kit import missions as shared
from sandtable.kit.missions import Mission, Score
from sandtable.kit.rounds import begin_the_round
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import wholly_within
from sandtable.systems.w40k11.dice import roll_off
from sandtable.systems.w40k11.objectives import MARKER
from sandtable.systems.w40k11.state import Battle11, World11
from sandtable.systems.w40k11.strategic_reserves import lose_absent
from sandtable.table.grid import steps
from sandtable.table.layout import Table

FIRST_ROUND: Final = 1
LARGE: Final = 2000
"""Points of the largest battles that maps of the dataset are for."""
FOLDER: Final = Path(__file__).parent / "missions"


class MISSION(Facts):
    """What stands in for what the book leaves to a mission."""

    sizes = fact(
        MappingProxyType({"incursion": 1000, "strike force": 2000, "onslaught": 3000}),
        "w40k11.gap.battle_size",
        neutral=MappingProxyType({"incursion": 0, "strike force": 0, "onslaught": 0}),
    )
    """Battle sizes, and the points of each army."""
    points = fact(0, "w40k11.gap.cp_cap", neutral=9)
    """So many Command points players begin with."""
    from_edge = fact(steps(6), "w40k11.gap.battlefield", neutral=0)
    """So far from every edge of the battlefield the players place objectives..."""
    apart = fact(steps(9), "w40k11.gap.battlefield", neutral=0)
    """...and so far from each other."""


# --- Documents --------------------------------------------------------------------------------------------------------


def missions() -> list[str]:
    """The missions that come with the system."""
    return shared.missions_in(FOLDER)


def read_mission(name: str | Path) -> Mission:
    """A mission by its name, or from a file; what the folder does not have the dataset may."""
    called = str(name).partition(AT)[0]
    if Path(name).suffix not in (".yaml", ".yml") and called not in missions() and called in dataset_missions():
        return read_card(str(name), [size for size, points in MISSION.sizes.items() if points <= LARGE]).mission
    return shared.find_mission(
        name, FOLDER, MISSION.sizes, lambda known: shared.refuse_unknown(known, [*missions(), *dataset_missions()])
    )


def check_mission(mission: Mission, where: str) -> None:
    """Refuse a mission for battle sizes that there are not."""
    shared.check_sizes(mission, where, MISSION.sizes)


@rule("w40k11.gap.battle_size", neutral=2000)
def check_size(mission: Mission, limits: Sequence[int]) -> int:
    """Both armies are of one battle size, which the mission allows; returns its points."""
    limit = shared.one_size(limits, "w40k11.gap.battle_size")
    shared.check_points(mission, limit, MISSION.sizes, "w40k11.gap.battle_size")
    return limit


@rule("w40k11.gap.battlefield")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission asks for this battle size."""
    size = shared.size_of(limit, MISSION.sizes)
    shared.check_table(mission, size, limit, table, shared.is_large_enough, "w40k11.gap.battlefield")


# --- Before the battle ------------------------------------------------------------------------------------------------


async def agree_on_mission(b: Battle11) -> Step:
    """Players who do not agree on a mission roll off, and the winner picks it."""
    if b.setup.data.wishes:
        await pick_mission(b, roll_off(b), "w40k11.gap.mission")
    return DONE


@rule("w40k11.gap.battlefield")
async def place_objectives(b: Battle11) -> Step:
    """In turn, the winner of a roll-off first, the players place objectives."""
    return await place_in_turn(b, roll_off, "w40k11.gap.battlefield")


@rule("w40k11.gap.battlefield", neutral=ALLOWED)
def judge_objective(w: World11, spot: Plotted) -> Verdict:
    """An objective lies more than 6" from every edge and more than 9" from every other."""
    x, y, radius = spot.x, spot.y, MARKER.radius
    if min(x, y, w.table.width - x, w.table.depth - y) - radius <= MISSION.from_edge:
        return refuse('An objective lies more than 6" from every edge of the battlefield.', "w40k11.gap.battlefield")
    for number, (ox, oy, _) in enumerate(w.state.game.markers, 1):
        if (x - ox) ** 2 + (y - oy) ** 2 <= (MISSION.apart + 2 * radius) ** 2:
            return refuse(f'An objective lies more than 9" from objective {number}.', "w40k11.gap.battlefield")
    return ALLOWED


@rule("w40k11.gap.deployment")
async def attacker_and_defender(b: Battle11) -> Step:
    """The winner of a roll-off is the Attacker."""
    name_attacker(b, roll_off(b), "w40k11.gap.deployment")
    return DONE


@rule("w40k11.gap.first_turn")
async def first_turn(b: Battle11) -> Step:
    """The winner of another roll-off takes the first turn."""
    name_first(b, roll_off(b), "w40k11.gap.first_turn")
    return DONE


async def begin_the_battle(b: Battle11) -> Step:
    """What could not be deployed is lost, and the first battle round begins."""
    lose_undeployed(b, "w40k11.gap.deployment")
    for p in b.state.players:
        b.set_player(p, cp=MISSION.points)
    await b.window(BATTLE_BEGINS, Moment())
    return DONE


def start_first_round(b: Battle11) -> str:
    """The first turn of the first battle round."""
    begin_the_round(b, FIRST_ROUND, "w40k11.round.structure", active=b.state.game.first)
    return "turn"


# --- Victory points ---------------------------------------------------------------------------------------------------


@rule("w40k11.gap.mission")
async def score_command(b: Battle11) -> Step:
    """The Command phase has ended: the player whose turn it is scores."""
    score(b, "command")
    return DONE


@rule("w40k11.round.end_of_turn")
async def score_turn(b: Battle11) -> Step:
    """Mission rules of the End of Turn step come last: control is settled, and the player whose turn it is scores."""
    settle(b)
    score(b, "turn")
    return DONE


@rule("w40k11.round.structure")
def score_round(b: Battle11) -> None:
    """Mission rules at the end of a battle round come last: control is settled, and everybody scores."""
    settle(b)
    score(b, "round")


@rule("w40k11.gap.mission", neutral=99)
def most_at_once(way: Score) -> int:
    """How many VP can be scored at one time."""
    return way.most


@rule("w40k11.gap.mission", neutral=0)
def control_counts(w: World11, player: int, way: Score) -> int:
    """Each objective under a player's control counts."""
    return len(held(w, player, way))


SCORING: Final = Scoring(
    held=control_counts,
    most=most_at_once,
    wholly=wholly_within,
    rule="w40k11.gap.mission",
    holding="w40k11.gap.mission",
)


# --- The end ----------------------------------------------------------------------------------------------------------


@rule("w40k11.gap.end_and_victory", neutral=False)
def is_over(w: World11) -> bool:
    """The battle ends at once when an army has no models left."""
    return len(sides_left(w)) < 2


@rule("w40k11.round.length", neutral=99)
def rounds_of(w: World11) -> int:
    """How many battle rounds there are: those of the mission."""
    return victory.rounds_of(w)


@rule("w40k11.gap.end_and_victory", "w40k11.round.length", neutral=False)
def time_is_up(w: World11, round_is_over: bool) -> bool:
    """The battle ends after the last turn of the last battle round."""
    return victory.was_last_turn(w, round_is_over, rounds_of(w))


def close(b: Battle11, reason: str) -> Result:
    """The last points are scored, and the victor is found."""
    lose_absent(b)
    score(b, "battle")
    return victory.name_victors(b, victors(b), reason, "w40k11.gap.end_and_victory")


@rule("w40k11.gap.end_and_victory", neutral=())
def victors(w: World11) -> tuple[int, ...]:
    """The side that is left wins; else the side of the player with the most Victory points; else nobody."""
    left = sides_left(w)
    return victory.players_of(w, left) if len(left) == 1 else victory.ahead(w)


REACTIONS: Final = (victory.end_at_once(is_over, close, "w40k11.gap.end_and_victory"),)
QUESTIONS: Final[dict[str, Any]] = {
    "place_marker": placing_a_marker(judge_objective, lambda: MISSION.from_edge + MARKER.radius + 1)
}
