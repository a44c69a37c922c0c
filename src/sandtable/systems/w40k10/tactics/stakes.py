"""What the mission has at stake: the worth of each objective marker, of a kill and of a breakthrough, in points."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10.mission_doc import Score
from sandtable.systems.w40k10.scoring import held, lies
from sandtable.systems.w40k10.state import World10, markers_of, mission_of
from sandtable.table.grid import STEP, Floats

POT: Final = 1.6
"""What all victory points of a battle are worth, in armies."""
SMALL_ARMY: Final = 1000
LATER: Final = 0.45
"""What a scoring after the next one counts: what is held now may be lost by then."""
URGENCY: Final = (3.0, 1.6, 1.0, 0.8, 0.7)
"""By rounds to come: early on what is destroyed pays later, in the end only victory points count"""
DENIED: Final = 0.8
"""What a point counts that the enemy does not score."""
NO_MISSION: Final = 60.0
"""The worth of a marker where nobody scores."""


class Stakes(NamedTuple):
    """The worth of things to one player, in points."""

    places: Floats
    """[marker, x y] in inches"""
    markers: Floats
    """The worth of each marker: what it brings, and what it denies; 0 for one that is gone"""
    kill: float
    """More for every enemy unit that is destroyed"""
    warlord: float
    """More for the enemy Warlord"""
    zone: float
    """For a unit that ends a turn within the enemy deployment zone"""
    now: bool
    """Whether anything is scored at the end of the player's own turn"""


def stakes(w: World10, player: int) -> Stakes:
    """What is at stake for a player."""
    game = w.state.game
    key = ("stakes", player, w.state.round, w.state.active, game.phase, game.control, game.removed, game.markers)
    return w.cached(key, lambda: _stakes(w, player))


def _stakes(w: World10, player: int) -> Stakes:
    markers, mission = markers_of(w), mission_of(w)
    places = np.array([(x / STEP, y / STEP) for x, y, _ in markers], dtype=np.float64).reshape(len(markers), 2)
    if mission is None:
        return Stakes(places, np.full(len(markers), NO_MISSION), 0.0, 0.0, 0.0, False)
    army = float(w.setup.data.limit or SMALL_ARMY)
    each = POT * army / max(1.0, sum(_most(w, way) for way in mission.scoring))
    each *= URGENCY[max(0, min(len(URGENCY) - 1, w.setup.data.rounds - w.state.round))]
    worth = np.zeros(len(markers))
    kill = warlord = zone = 0.0
    now = False
    for way in mission.scoring:
        mine, theirs = _rest(w, player, way), max((_rest(w, p.id, way) for p in w.opponents(player)), default=0.0)
        match way.kind:
            case "hold" | "hold more" | "hold some":
                for m in range(len(markers)):
                    if m not in w.state.game.removed:
                        worth[m] += each * mine * _share(w, player, way, m)
                        worth[m] += each * theirs * DENIED * max(_share(w, p.id, way, m) for p in w.opponents(player))
            case "destroy":
                kill += each * way.vp * min(1.0, mine)
            case "destroy warlord":
                warlord += each * way.vp * min(1.0, mine)
            case "break through":
                zone += each * way.vp * min(1.5, mine)
        now = now or (way.when == "turn" and mine > 0 and way.kind.startswith("hold"))
    return Stakes(places, worth, kill, warlord, zone, now)


def _most(w: World10, way: Score) -> float:
    """About the most that a player scores in one way over the whole battle."""
    rounds = range(max(way.from_round, 1), min(way.to_round, w.setup.data.rounds) + 1)
    if way.kind == "destroy warlord":
        return float(way.vp)
    many = {"hold": 3, "destroy": 3, "break through": 2}.get(way.kind, 1)
    total = sum(min(way.most, (way.vp + way.grows * (r - way.from_round)) * many) for r in rounds)
    return float(min(total, way.most_in_battle))


def _rest(w: World10, player: int, way: Score) -> float:
    """How many scorings a player has still to come, later ones counting less."""
    data, game = w.setup.data, w.state.game
    seats = len(w.state.players)
    place, turn = (player - game.first) % seats, (w.state.active - game.first) % seats
    # In this round: the turn is still to come, or it is this one and its end is still to come.
    to_come = place > turn or (place == turn and way.when != "command")
    first = w.state.round if to_come else w.state.round + 1
    rounds = range(max(first, way.from_round), min(way.to_round, data.rounds) + 1)
    worth = [1.0 + way.grows * (r - way.from_round) / max(1, way.vp) for r in rounds]
    return float(sum(v * (1.0 if i == 0 else LATER) for i, v in enumerate(worth)))


def _share(w: World10, player: int, way: Score, marker: int) -> float:
    """About how many VP one marker brings a player at a scoring."""
    if not lies(w, marker, player, way.where):
        return 0.0
    have = len([m for m in held(w, player, way) if m != marker])
    match way.kind:
        case "hold":
            return way.vp * (1.0 if (have + 1) * way.vp <= way.most else 0.35)
        case "hold more":
            return way.vp * 0.5
        case _:
            return way.vp * (1.0 if have + 1 == way.count else 0.6 if have + 1 < way.count else 0.3)


def has_turns(w: World10, player: int) -> bool:
    """Whether a player has another turn to come after this one."""
    if w.state.round < w.setup.data.rounds or w.setup.data.turns:
        return True
    seats, first = len(w.state.players), w.state.game.first
    return (player - first) % seats > (w.state.active - first) % seats


def enemies_have_turns(w: World10, player: int) -> bool:
    """Whether any enemy of a player has another turn to come."""
    return any(has_turns(w, p.id) for p in w.opponents(player))
