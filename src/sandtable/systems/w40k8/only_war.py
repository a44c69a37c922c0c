"""Only War: the primary objectives, how long the battle lasts, and who wins it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import DONE, GONE, Result, Step
from sandtable.forty import mission
from sandtable.forty.enlist import WARLORD
from sandtable.forty.markers import (
    NOBODY,
    Control,
    distances_between,
    keeper_of,
    markers_left,
    near_models,
    settle,
    strongest,
)
from sandtable.forty.mission import mission_of
from sandtable.forty.scoring import score
from sandtable.kit import grammar
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.dice import throw
from sandtable.systems.w40k8.reinforcements import lose_reinforcements
from sandtable.systems.w40k8.state import Battle8, World8, sheet_of, unit_of
from sandtable.table.grid import Bools, Ints
from sandtable.table.shapes import Bodies, Shape, round_base

SLAY_AND_SECURE, ANCIENT_RELIC, DOMINATION = 1, 2, 3
PRIMARY: Final = {
    SLAY_AND_SECURE: ("Slay and Secure", "w40k8.onlywar.slay_and_secure"),
    ANCIENT_RELIC: ("Ancient Relic", "w40k8.onlywar.ancient_relic"),
    DOMINATION: ("Domination", "w40k8.onlywar.domination"),
}
"""The primary objectives with their rules, by the D3 that brings them."""
MARKER: Final[Shape] = round_base(0, 0)
"""Of a marker only its centre counts."""
SPOILS: Final = "D3"
"""Victory points for a slain Warlord."""


def has_its_own_map(w: World8) -> bool:
    """Whether a mission says where the armies deploy and what is scored, so that no die and no player decides it."""
    mission = mission_of(w)
    return mission is not None and bool(mission.scoring)


def primary_in_words(w: World8) -> tuple[str, ...]:
    """What the primary objective is worth, as soon as it was thrown for."""
    told = {
        SLAY_AND_SECURE: f"{BOOK.secure} VP for each marker that you control when the battle ends, and {SPOILS} VP for "
        "the enemy Warlord",
        ANCIENT_RELIC: f"{BOOK.relic} VP for the Relic when the battle ends",
        DOMINATION: f"{BOOK.dominate} VP for each marker that you control at the end of every turn",
    }
    primary = w.state.game.primary
    return (f"{PRIMARY[primary][0]}: {told[primary]}.",) if primary in told else ()


async def score_turn(b: Battle8) -> Step:
    """A turn ends: it is settled who controls the markers, and in Domination both players score."""
    for player in settled(b, "turn"):
        gain(b, player, for_markers(b, player, "turn"))
    return DONE


async def score_battle(b: Battle8) -> Step:
    """The battle ends: who has not arrived is lost, and both players score for what they hold, and for the Warlord."""
    if time_is_up(b):
        lose_reinforcements(b)
    for player in settled(b, "battle") if time_is_up(b) else ():
        gain(b, player, for_markers(b, player, "battle"))
        if earns_spoils(b, player):
            cited = "w40k8.onlywar.slay_and_secure"
            points = await throw(b, SPOILS, "warlord slain", "victory points", b.units_of(player)[0], cited)
            gain(b, player, points, "the enemy Warlord")
    return DONE


def settled(b: Battle8, when: str) -> list[int]:
    """Who controls what is settled, and what the mission itself scores is scored; the players who score further."""
    if mission_of(b) is None:
        return []
    settle(b)
    score(b, when)
    return [p.id for p in b.state.players]


@rule("w40k8.onlywar.domination", "w40k8.onlywar.ancient_relic", "w40k8.onlywar.slay_and_secure", neutral=0)
def for_markers(w: World8, player: int, when: str) -> int:
    """1 for each marker when any turn of Domination ends; 6 for the Relic, or 2 for each, when the battle does."""
    at_the_end = {ANCIENT_RELIC: BOOK.relic, SLAY_AND_SECURE: BOOK.secure}
    worth = {DOMINATION: BOOK.dominate} if when == "turn" else at_the_end
    return worth.get(w.state.game.primary, 0) * controlled(w, player)


@rule("w40k8.onlywar.slay_and_secure", neutral=False)
def earns_spoils(w: World8, player: int) -> bool:
    """In Slay and Secure a player whose opponent's Warlord was slain earns D3 points on top."""
    return w.state.game.primary == SLAY_AND_SECURE and any(warlord_is_slain(w, p.id) for p in w.opponents(player))


@rule("w40k8.gap.fled_models", neutral=False)
def warlord_is_slain(w: World8, player: int) -> bool:
    """Whether a player's Warlord is out of the battle; one that fled counts as slain."""
    gone = [m for unit in w.units_of(player) for m in unit.models if w.state.models.place[m] == GONE]
    return any(WARLORD in sheet_of(w, m).keywords for m in gone)


def gain(b: Battle8, player: int, points: int, for_: str = "") -> None:
    """Victory points are added to those that a player has."""
    if points:
        p, (goal, source) = b.player(player), PRIMARY[b.state.game.primary]
        b.set_player(p, vp=p.vp + points)
        for_ = for_ or grammar.counted(controlled(b, player), "marker")
        text = f"{p.name} scores {grammar.counted(points, 'victory point')} for {for_} ({goal})."
        b.tell("scored", text, source, player=player, vp=points)


@rule("w40k8.onlywar.length", neutral=False)
def time_is_up(w: World8) -> bool:
    """The battle ends after the last turn of the last battle round; no dice decide."""
    data, turns = w.setup.data, w.state.game.turns
    return turns >= (data.turns or data.rounds * len(w.state.players))


@rule("w40k8.onlywar.wipe_out", "w40k8.gap.mutual_destruction")
def end_if_wiped_out(b: Battle8) -> None:
    """The battle ends at once when an army has no models left; what slays models of both is judged when it is over."""
    if mission_of(b) is None or b.state.game.unjudged:
        return
    if len(sides_left(b)) < len({p.side for p in b.state.players}):
        b.end(close(b, "an army is wiped out"))


@rule("w40k8.onlywar.wipe_out", "w40k8.gap.unplaced_units", "w40k8.gap.fled_models", neutral=(0, 1))
def sides_left(w: World8) -> tuple[int, ...]:
    """The sides that have models left: on the table, in transports or in reserve."""
    everywhere = w.option("wiped-out") == "all-models"
    return mission.sides_left(w, lambda unit: w.is_on_table(unit) or (everywhere and not unit.no_room))


def close(b: Battle8, reason: str) -> Result:
    """The victor is found."""
    if mission_of(b) is None:
        return Result((), "all turns are played")
    players, degree = victory_of(b)
    victors = grammar.players_do([b.player(p).name for p in players], "wins")
    points = ", ".join(f"{p.name} {p.vp}" for p in sorted(b.state.players, key=lambda p: -p.vp))
    text = f"{victors} a {degree} victory: {points}." if players else f"The battle is a draw: {points}."
    b.tell("victor", text, "w40k8.onlywar.points_win", players=list(players), victory=degree)
    return Result(players, reason, tuple(p.vp for p in b.state.players), victory=degree)


def victory_of(w: World8) -> tuple[tuple[int, ...], str]:
    """Who wins, and how: the army that has slain all of its foes; else whoever has most points; else the Underdog."""
    left = sides_left(w)
    return (tuple(p.id for p in w.state.players if p.side in left), "major") if len(left) == 1 else by_points(w)


@rule("w40k8.onlywar.points_win", "w40k8.gap.mutual_destruction", neutral=((), ""))
def by_points(w: World8) -> tuple[tuple[int, ...], str]:
    """More points are a major victory, and equal ones a minor victory of the Underdog."""
    best = max(p.vp for p in w.state.players)
    winners = tuple(p.id for p in w.state.players if p.vp == best)
    underdog = tuple(p.id for p in w.state.players if p.id == w.state.game.underdog)
    return (winners, "major") if len(winners) == 1 else (underdog, "minor" if underdog else "")


def near(w: World8, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bools:
    """Which models are within 3" of the centre of which markers, [model, marker]."""
    return np.asarray(distances_between(w, bodies, models, markers) <= BOOK.marker_range)


@rule("w40k8.onlywar.control", neutral=1)
def counted(w: World8, player: int, marker: int) -> int:
    """How many models of a player are near a marker, whatever they are."""
    return sum(unit_of(w, m).player == player for m in near_models(w, marker))


@rule("w40k8.onlywar.control", neutral=NOBODY)
def controller(w: World8, marker: int) -> int:
    """Who has more models near a marker than the enemy; nobody keeps one without any."""
    if marker in w.state.game.removed:
        return NOBODY
    return strongest([counted(w, p.id, marker) for p in w.state.players], keeper_of(w, marker))


def controlled(w: World8, player: int) -> int:
    """How many markers a player controls now."""
    return sum(controller(w, marker) == player for marker in markers_left(w))


CONTROL: Final = Control(near, controller, "w40k8.onlywar.control", lambda: BOOK.marker_range, lasting=False)
