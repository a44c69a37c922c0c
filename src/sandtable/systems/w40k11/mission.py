"""Missions: what stands in for one, from reading it to the victor. The book names a mission and has none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    GONE,
    OFF,
    Moment,
    Option,
    Plotted,
    Reaction,
    Result,
    Step,
    Value,
    Verdict,
    refuse,
)
from sandtable.errors import UserError
from sandtable.forty.dataset_missions import AT, dataset_missions, read_card
from sandtable.forty.markers import settle
from sandtable.forty.mission import enemy_zone, mission_of, pick_mission, sides_left
from sandtable.forty.moments import BATTLE_BEGINS, UNIT_DESTROYED
from sandtable.forty.placing_markers import place_marker, placing_a_marker
from sandtable.forty.scoring import Scoring, held, score, stands_in
from sandtable.kit.missions import (
    Mission,
    Score,
    check_sizes,
    find_mission,
    is_large_enough,
    missions_in,
    refuse_unknown,
)
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
NOBODY: Final = -1
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
    return missions_in(FOLDER)


def read_mission(name: str | Path) -> Mission:
    """A mission by its name, or from a file; what the folder does not have the dataset may."""
    called = str(name).partition(AT)[0]
    if Path(name).suffix not in (".yaml", ".yml") and called not in missions() and called in dataset_missions():
        return read_card(str(name), [size for size, points in MISSION.sizes.items() if points <= LARGE]).mission
    return find_mission(name, FOLDER, MISSION.sizes, lambda known: refuse_unknown(known, missions()))


def check_mission(mission: Mission, where: str) -> None:
    """Refuse a mission for battle sizes that there are not."""
    check_sizes(mission, where, MISSION.sizes)


@rule("w40k11.gap.battle_size", neutral=2000)
def check_size(mission: Mission, limits: Sequence[int]) -> int:
    """Both armies are of one battle size, which the mission allows; returns its points."""
    if len(set(limits)) > 1:
        told = " and ".join(str(points) for points in limits)
        raise UserError(f"Both armies must be of one battle size, not {told} points [w40k11.gap.battle_size].")
    limit, *_ = limits
    size = next((name for name, points in MISSION.sizes.items() if points == limit), "")
    if size not in mission.sizes:
        known = ", ".join(mission.sizes)
        raise UserError(f"{mission.name} is for {known}, not {limit} points [w40k11.gap.battle_size].")
    return limit


@rule("w40k11.gap.battlefield")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission asks for this battle size."""
    size = next(name for name, points in MISSION.sizes.items() if points == limit)
    long, short = mission.smallest[size]
    if not is_large_enough(table, (long, short)):
        needs = f'{mission.name} at {limit} points needs a battlefield of at least {short}" x {long}"'
        raise UserError(f"{needs} [w40k11.gap.battlefield].")


# --- Before the battle ------------------------------------------------------------------------------------------------


async def agree_on_mission(b: Battle11) -> Step:
    """Players who do not agree on a mission roll off, and the winner picks it."""
    if b.setup.data.wishes:
        await pick_mission(b, roll_off(b), "w40k11.gap.mission")
    return DONE


@rule("w40k11.gap.battlefield")
async def place_objectives(b: Battle11) -> Step:
    """In turn, the winner of a roll-off first, the players place objectives."""
    mission, game = mission_of(b), b.state.game
    if mission is None or len(game.markers) >= mission.placed:
        return DONE
    if game.chooser < 0:
        b.set_game(chooser=roll_off(b))
        return AGAIN
    await place_marker(b, game.chooser, "w40k11.gap.battlefield")
    return AGAIN


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
    winner = roll_off(b)
    b.set_game(attacker=winner, chooser=NOBODY)
    b.tell("attacker", f"{b.player(winner).name} is the Attacker.", "w40k11.gap.deployment", player=winner)
    return DONE


@rule("w40k11.gap.first_turn")
async def first_turn(b: Battle11) -> Step:
    """The winner of another roll-off takes the first turn."""
    winner = roll_off(b)
    b.set_game(first=winner)
    b.tell("first_turn", f"{b.player(winner).name} takes the first turn.", "w40k11.gap.first_turn", player=winner)
    return DONE


async def begin_the_battle(b: Battle11) -> Step:
    """What could not be deployed is lost, and the first battle round begins."""
    for unit in b.units():
        lost = [m for m in unit.models if b.state.models.place[m] == OFF] if unit.no_room else []
        if lost:
            b.place_models(lost, GONE)
            b.tell("no_room", f"There was no room for {unit.name}.", "w40k11.gap.deployment", units=[unit.id])
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
    if mission_of(b) is not None:
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
    broken_through=lambda w, unit: stands_in(w, unit, enemy_zone(w, unit.player), wholly_within),
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
    data, wish = w.setup.data, w.state.game.wish
    return data.rounds if wish < 0 else data.wishes[wish].mission.rounds


@rule("w40k11.gap.end_and_victory", "w40k11.round.length", neutral=False)
def time_is_up(w: World11, round_is_over: bool) -> bool:
    """The battle ends after the last turn of the last battle round."""
    data, game = w.setup.data, w.state.game
    return (round_is_over and w.state.round >= rounds_of(w)) or bool(data.turns and game.turns >= data.turns)


def close(b: Battle11, reason: str) -> Result:
    """The last points are scored, and the victor is found."""
    lose_absent(b)
    score(b, "battle")
    scores = tuple(p.vp for p in b.state.players)
    winners = victors(b)
    names = " and ".join(b.player(p).name for p in winners)
    told = f"{names} wins" if winners else "The battle is a draw"
    ranked = sorted(b.state.players, key=lambda p: (p.id not in winners, -p.vp, p.id))
    points = ", ".join(f"{p.name} {p.vp}" for p in ranked)
    b.tell("victor", f"{told}: {points}.", "w40k11.gap.end_and_victory", players=list(winners))
    return Result(winners, reason, scores)


@rule("w40k11.gap.end_and_victory", neutral=())
def victors(w: World11) -> tuple[int, ...]:
    """The side that is left wins; else the side of the player with the most Victory points; else nobody."""
    left = sides_left(w)
    if len(left) == 1:
        return tuple(p.id for p in w.state.players if p.side in left)
    best = max(p.vp for p in w.state.players)
    sides = {p.side for p in w.state.players if p.vp == best}
    return tuple(p.id for p in w.state.players if p.side in sides) if len(sides) == 1 else ()


def _army_lost(b: Battle11, player: int, moment: Moment) -> bool:
    return mission_of(b) is not None and b.unit(moment.unit).player == player and is_over(b)


def _at_once(b: Battle11, player: int, moment: Moment) -> list[Option]:
    return [Option(player, "the battle ends")]


async def _end(b: Battle11, player: int, moment: Moment, value: Value) -> None:
    b.end(close(b, "an army is destroyed"))


REACTIONS: Final = (
    Reaction(
        "The battle ends",
        UNIT_DESTROYED,
        _end,
        _army_lost,
        _at_once,
        mandatory=True,
        rules=("w40k11.gap.end_and_victory",),
    ),
)
QUESTIONS: Final[dict[str, Any]] = {
    "place_marker": placing_a_marker(judge_objective, lambda: MISSION.from_edge + MARKER.radius + 1)
}
