"""Missions: the sequence from reading the mission to the victor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sandtable.battle import AGAIN, DONE, GONE, OFF, Moment, Option, Reaction, Result, Step, Value
from sandtable.errors import UserError
from sandtable.forty.markers import settle
from sandtable.forty.mission import enemy_zone, mission_of, pick_mission, sides_left
from sandtable.forty.moments import BATTLE_BEGINS, PRE_BATTLE, UNIT_DESTROYED
from sandtable.forty.placing_markers import place_in_turn, placing_a_marker
from sandtable.forty.scoring import Scoring, held, score, stands_in
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.kit.alternating import player_after, players_from
from sandtable.kit.missions import Mission, Score, find_mission, missions_in, refuse_unknown
from sandtable.kit.rounds import begin_the_round
from sandtable.rules import rule
from sandtable.systems.w40k10.core_concepts import fits_the_mission, wholly_within
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.muster import MUSTER
from sandtable.systems.w40k10.objectives import from_edge, judge_marker
from sandtable.systems.w40k10.reserves import lose_reserves
from sandtable.systems.w40k10.state import Battle10, World10
from sandtable.table.layout import Table

NOBODY: Final = -1

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
    limit, *_ = limits
    size = next((name for name, points in MUSTER.battle_sizes.items() if points == limit), "")
    if size not in mission.sizes:
        known = ", ".join(mission.sizes)
        raise UserError(f"{mission.name} is for {known}, not {limit} points [w40k10.mission.muster].")
    return limit


@rule("w40k10.muster.battle_size")
def same_size(limits: Sequence[int]) -> None:
    """Both players use the same battle size."""
    if len(set(limits)) > 1:
        told = " and ".join(str(points) for points in limits)
        raise UserError(f"Both armies must be of one battle size, not {told} points [w40k10.muster.battle_size].")


@rule("w40k10.onlywar.battlefield", "w40k10.mission.battlefield")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission asks for this battle size."""
    size = next(name for name, points in MUSTER.battle_sizes.items() if points == limit)
    long, short = mission.smallest[size]
    if not fits_the_mission(table, (long, short)):
        needs = f'{mission.name} at {limit} points needs a battlefield of at least {short}" x {long}"'
        raise UserError(f"{needs} [w40k10.onlywar.battlefield].")


@rule("w40k10.onlywar.markers", "w40k10.mission.battlefield")
async def place_markers(b: Battle10) -> Step:
    """3. In turn, the winner of a roll-off first, the players place objective markers."""
    return await place_in_turn(b, roll_off, "w40k10.onlywar.markers")


@rule("w40k10.mission.attacker_defender", "w40k10.onlywar.formations")
async def attacker_and_defender(b: Battle10) -> Step:
    """4. The winner of a roll-off is the Attacker."""
    winner = roll_off(b)
    b.set_game(attacker=winner, chooser=NOBODY)
    b.tell("attacker", f"{b.player(winner).name} is the Attacker.", "w40k10.mission.attacker_defender", player=winner)
    return DONE


@rule("w40k10.mission.first_turn", "w40k10.onlywar.first_turn")
async def first_turn(b: Battle10) -> Step:
    """7. The winner of another roll-off takes the first turn."""
    winner = roll_off(b)
    b.set_game(first=winner)
    b.tell("first_turn", f"{b.player(winner).name} takes the first turn.", "w40k10.mission.first_turn", player=winner)
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
    for unit in b.units():
        lost = [m for m in unit.models if b.state.models.place[m] == OFF] if unit.no_room else []
        if lost:
            b.place_models(lost, GONE)
            b.tell("no_room", f"There was no room for {unit.name}.", "w40k10.onlywar.deploy", units=[unit.id])
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
    broken_through=lambda w, unit: stands_in(w, unit, enemy_zone(w, unit.player), wholly_within),
    rule="w40k10.mission.muster",
    holding="w40k10.onlywar.capture_and_control",
)


# --- The end ----------------------------------------------------------------------------------------------------------


@rule("w40k10.onlywar.end", "w40k10.mission.end", neutral=False)
def is_over(w: World10) -> bool:
    """The battle ends at once when an army has no models left."""
    return len(sides_left(w)) < 2


def rounds_of(w: World10) -> int:
    """How many battle rounds there are: those of the mission that was picked, or of the only one."""
    data, wish = w.setup.data, w.state.game.wish
    return data.rounds if wish < 0 else data.wishes[wish].mission.rounds


@rule("w40k10.onlywar.end", "w40k10.mission.end", neutral=False)
def time_is_up(w: World10, round_is_over: bool) -> bool:
    """The battle ends after the last turn of the last battle round."""
    data, game = w.setup.data, w.state.game
    last_round = round_is_over and w.state.round >= rounds_of(w)
    return last_round or bool(data.turns and game.turns >= data.turns)


def close(b: Battle10, reason: str) -> Result:
    """10. and 11. The last points are scored, and the victor is found."""
    lose_reserves(b)
    score(b, "battle")
    scores = tuple(p.vp for p in b.state.players)
    winners = victors(b)
    names = " and ".join(b.player(p).name for p in winners)
    told = f"{names} wins" if winners else "The battle is a draw"
    ranked = sorted(b.state.players, key=lambda p: (p.id not in winners, -p.vp, p.id))
    points = ", ".join(f"{p.name} {p.vp}" for p in ranked)
    b.tell("victor", f"{told}: {points}.", "w40k10.mission.victor", players=list(winners))
    return Result(winners, reason, scores)


@rule("w40k10.mission.victor", "w40k10.onlywar.victor", neutral=())
def victors(w: World10) -> tuple[int, ...]:
    """The side that is left wins; else the side of the player with the most Victory points; else nobody."""
    mission = mission_of(w)
    left = sides_left(w)
    if len(left) == 1 and (mission is None or mission.destroyed_loses):
        return tuple(p.id for p in w.state.players if p.side in left)
    best = max(p.vp for p in w.state.players)
    sides = {p.side for p in w.state.players if p.vp == best}
    return tuple(p.id for p in w.state.players if p.side in sides) if len(sides) == 1 else ()


def _army_lost(b: Battle10, player: int, moment: Moment) -> bool:
    return mission_of(b) is not None and b.unit(moment.unit).player == player and is_over(b)


def _at_once(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return [Option(player, "the battle ends")]


async def _end(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    b.end(close(b, "an army is destroyed"))


REACTIONS: Final = (
    Reaction(
        "The battle ends", UNIT_DESTROYED, _end, _army_lost, _at_once, mandatory=True, rules=("w40k10.mission.end",)
    ),
)
QUESTIONS: Final[dict[str, Any]] = {"place_marker": placing_a_marker(judge_marker, from_edge)}
