"""Only War before the battle: objective markers, the primary objective, Power Level, and who goes first."""

from __future__ import annotations

import math
from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Moment, Option, Question, Reaction, Step, Value, Verdict, refuse
from sandtable.battle.decisions import Plotted
from sandtable.forty.markers import NOBODY, markers_of
from sandtable.forty.moments import ROUND_BEGAN
from sandtable.forty.placing_markers import place_in_turn, placing_a_marker
from sandtable.forty.single_dice import roll
from sandtable.kit.dice import read_amount, read_as
from sandtable.kit.grammar import counted
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import at_least
from sandtable.systems.w40k8.dice import roll_off
from sandtable.systems.w40k8.only_war import ANCIENT_RELIC, PRIMARY, has_its_own_map
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of

BEFORE_DEPLOYMENT: Final = "before_deployment"


@rule("w40k8.onlywar.markers")
async def place_markers(b: Battle8) -> Step:
    """In turn, the winner of a roll-off first, the players place two markers each."""
    return await place_in_turn(b, roll_off, "w40k8.onlywar.markers")


@rule("w40k8.onlywar.markers", neutral=ALLOWED)
def judge_marker(w: World8, spot: Plotted) -> Verdict:
    """A marker lies anywhere on the battlefield, 10" or more from every other, from centre to centre."""
    for number, (x, y, _) in enumerate(w.state.game.markers, 1):
        if not at_least(math.sqrt((spot.x - x) ** 2 + (spot.y - y) ** 2), BOOK.markers_apart):
            return refuse(f'A marker lies 10" or more from objective {number}.', "w40k8.onlywar.markers")
    return ALLOWED


@rule("w40k8.onlywar.primary")
async def primary_objective(b: Battle8) -> Step:
    """The winner of a roll-off throws a D3 for the primary objective of both players, unless the mission names it."""
    winner = roll_off(b)
    b.set_game(chooser=NOBODY, roller=winner)
    if has_its_own_map(b):
        return DONE
    read = read_as(read_amount("D3"), "")
    goal = read.of(b.roll(1, "primary objective", winner, rules=("w40k8.onlywar.primary",), read=read)).result
    b.set_game(primary=goal)
    b.tell("primary", f"The primary objective is {PRIMARY[goal][0]}.", "w40k8.onlywar.primary", primary=goal)
    return DONE


@rule("w40k8.onlywar.ancient_relic")
async def find_relic(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """As the first battle round starts, one marker is picked at random, and the others are removed."""
    relic = await draw(b, b.units_of(player)[0], len(markers_of(b)))
    b.set_game(removed=tuple(m for m in range(len(markers_of(b))) if m != relic))
    b.tell("relic", f"Objective {relic + 1} is the Ancient Relic.", "w40k8.onlywar.ancient_relic", marker=relic)


def is_hidden(w: World8, player: int, moment: Moment) -> bool:
    """Whether the Relic is still to be found; who rolled for the primary objective throws for it."""
    game = w.state.game
    return game.primary == ANCIENT_RELIC and player == game.roller and not game.turns


@rule("w40k8.gap.random_marker", neutral=0)
async def draw(b: Battle8, unit: Unit, count: int) -> int:
    """Markers are numbered in the order in which they were placed; a face that is no number is thrown anew."""
    (face,) = await roll(b, unit, 1, "relic", "w40k8.gap.random_marker")
    return face - 1 if face <= count else await draw(b, unit, count)


RELIC: Final = Reaction(
    "Ancient Relic", ROUND_BEGAN, find_relic, is_hidden, lambda w, p, m: [Option("the markers", "the markers")],
    mandatory=True, rules=("w40k8.onlywar.ancient_relic",),
)  # fmt: skip


async def before_deployment(b: Battle8) -> Step:
    """The moment for Warlord Traits and for psykers that generate their powers."""
    await b.window(BEFORE_DEPLOYMENT)
    return DONE


async def power_levels(b: Battle8) -> Step:
    """The Underdog is found, and how many Command re-rolls that is worth."""
    levels = [power_level(b, p.id) for p in b.state.players]
    underdog, rerolls = find_underdog(b, levels), rerolls_for(max(levels) - min(levels))
    b.set_game(underdog=underdog)
    b.set_player(b.player(underdog), rerolls=rerolls)
    told = ", ".join(f"{p.name} {levels[p.id]}" for p in b.state.players)
    has = counted(rerolls, "Command re-roll") if rerolls else "no Command re-rolls"
    text = f"Power Levels: {told}. {b.player(underdog).name} is the Underdog and has {has}."
    b.tell("underdog", text, "w40k8.onlywar.underdog", player=underdog, rerolls=rerolls)
    return DONE


@rule("w40k8.onlywar.underdog", "w40k8.gap.points", "w40k8.gap.unplaced_units", neutral=0)
def power_level(w: World8, player: int) -> int:
    """The Power Ratings of all units of a player that are in the battle, also in transports and in reserve."""
    return sum(power_rating(w, unit) for unit in w.units_of(player) if not unit.no_room)


@rule("w40k8.sheet.power_rating", neutral=0)
def power_rating(w: World8, unit: Unit) -> int:
    """A unit's Power Rating."""
    return sheet_of(w, unit.models[0]).power


@rule("w40k8.onlywar.underdog", neutral=0)
def find_underdog(w: World8, levels: list[int]) -> int:
    """Who has the lower Power Level; of equals, who assigned the deployment zones."""
    return levels.index(min(levels)) if len(set(levels)) > 1 else w.state.game.roller


@rule("w40k8.onlywar.command_rerolls", neutral=0)
def rerolls_for(difference: int) -> int:
    """One Command re-roll for each full 10 points between the Power Levels."""
    return difference // BOOK.power_for_a_reroll


@rule("w40k8.onlywar.first_turn")
async def first_turn(b: Battle8) -> Step:
    """The Underdog decides who has the first turn."""
    options, rules = [Option(p.id, p.name) for p in b.state.players], ("w40k8.onlywar.first_turn",)
    chosen = await b.choose(b.state.game.underdog, "first_turn", "Who has the first turn?", options, rules=rules)
    first = int(str(chosen))
    b.set_game(first=first)
    b.tell("first_turn", f"{b.player(first).name} has the first turn.", *rules, player=first)
    return DONE


QUESTIONS: Final[dict[str, Any]] = {
    "place_marker": placing_a_marker(judge_marker, lambda: 0),
    "first_turn": Question(default=lambda w, d: d.player),
}
