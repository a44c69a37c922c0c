"""What the mission has at stake: the worth of each objective marker, of a kill and of a breakthrough, in points."""

from __future__ import annotations

from functools import reduce
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.kept import SETUP, kept
from sandtable.forty.counts import held, is_for
from sandtable.forty.grounds import lies
from sandtable.forty.mind.contest import Contest, before, contest
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import World40
from sandtable.kit.missions import Score
from sandtable.table.grid import STEP, Floats

POT: Final = 1.1
"""What all victory points of a battle are worth, in armies."""
HELD: Final = {"own zone": 1.0, "no man's land": 0.5, "enemy zone": 0.2}
"""How often a marker is held, by where it lies"""
USUAL: Final = {"hold more": 0.5, "hold some": 0.7, "destroy": 1.5, "destroy warlord": 0.6, "break through": 1.0}
"""How much of what else is scored an army usually has, in each round"""
NAMED: Final = ("own home", "enemy home", "not own home", "central", "expansion", "own territory", "enemy territory")
SMALL_ARMY: Final = 1000
LATER: Final = 0.7
"""What a scoring after the next one counts: what is held now may be lost by then."""
URGENCY: Final = (3.0, 1.6, 1.0, 0.8, 0.7)
"""By rounds to come: early on what is destroyed pays later, in the end only victory points count"""
PATIENCE: Final = 0.9
"""What is left of a plan with every turn that it takes"""
TURNS: Final = 6
"""So many turns ahead are thought of"""
FIRST_ONE: Final = 0.5
"""What a kill counts, where only the first of a turn is scored"""
SOME: Final = 0.5
"""How much an army usually has of what nobody counts here"""
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
    at_once: Floats
    """What each marker brings at the end of the player's own turn, if that is now; the enemy can do nothing about it"""
    arrivals: Floats
    """[turns, marker]: the worth of each marker for a unit that gets there in so many turns from now"""
    near: float
    """How near to the middle of a marker a base counts for it"""
    point: float = 0.0
    """The worth of a victory point"""


def stakes(w: World40, player: int) -> Stakes:
    """What is at stake for a player."""
    return _stakes(w, player, contest(w))


@kept(SETUP)
def _stakes(w: World40, player: int, now: Contest) -> Stakes:
    """The same; nothing else of the state counts."""
    markers, mind = now.markers, mind_of(w)
    near = mind.near_marker
    places = np.array([(x / STEP, y / STEP) for x, y, _ in markers], dtype=np.float64).reshape(len(markers), 2)
    if now.scoring is None:
        worth = np.full(len(markers), NO_MISSION)
        arrivals = worth * PATIENCE ** np.arange(TURNS)[:, None]
        return Stakes(places, worth, 0.0, 0.0, 0.0, np.zeros(len(markers)), arrivals, near)
    army = mind.price * w.setup.data.limit or SMALL_ARMY
    each = POT * army / max(1.0, _all_usual(w, player, before(now)))
    each *= URGENCY[max(0, min(len(URGENCY) - 1, w.setup.data.rounds - now.battle_round))]
    worth, at_once, arrivals = np.zeros(len(markers)), np.zeros(len(markers)), np.zeros((TURNS, len(markers)))
    kill = warlord = zone = 0.0
    enemies = [p.id for p in w.opponents(player)]
    for way in now.scoring:
        mine, theirs = _rest(w, player, way, now), max((_rest(w, p, way, now) for p in enemies), default=0.0)
        match way.kind:
            case "hold" | "hold more" | "hold some" | "take":
                soon = _in_turns(w, player, player, way, now)
                paid = _scores_now(w, player, way, now)
                deny = reduce(np.maximum, [_in_turns(w, player, p, way, now) for p in enemies])
                share = each * _shares(w, player, way, now)
                denied = each * DENIED * reduce(np.maximum, [_shares(w, p, way, now) for p in enemies])
                worth += mine * share + theirs * denied
                at_once += share * paid
                arrivals += soon[:, None] * share + deny[:, None] * denied
            case "destroy":
                kill += each * way.vp * min(1.0, mine)
            case "slay" | "slay more":
                kill += each * way.vp * min(1.0, mine) * (FIRST_ONE if way.once or way.kind == "slay more" else 1.0)
            case "destroy warlord":
                warlord += each * way.vp * min(1.0, mine)
            case "break through":
                zone += each * way.vp * min(1.5, mine)
    return Stakes(places, worth, kill, warlord, zone, at_once, arrivals, near, each)


@kept(SETUP)
def _all_usual(w: World40, player: int, now: Contest) -> float:
    """About what a player scores over the whole battle."""
    return sum(_usual(w, player, way, now) for way in now.scoring or ())


def _usual(w: World40, player: int, way: Score, now: Contest) -> float:
    """About what a player scores in one way over the whole battle."""
    last = w.setup.data.rounds
    if not is_for(w, player, way.by):
        return 0.0
    rounds = range(last if way.when == "battle" else max(way.from_round, 1), min(way.to_round, last) + 1)
    match way.kind:
        case "destroy warlord":
            return USUAL[way.kind] * way.vp
        case "hold":
            spots = range(len(now.markers))
            places = [where for where in HELD if way.where in ("all", where)]
            many = sum(HELD[where] for where in places for m in spots if lies(w, m, player, where))
            if way.where in NAMED:
                many = sum(SOME for m in spots if lies(w, m, player, way.where))
        case _:
            many = USUAL.get(way.kind, SOME)
    total = sum(min(way.most, (way.vp + way.grows * (r - way.from_round)) * many) for r in rounds)
    return float(min(total, way.most_in_battle))


def _rest(w: World40, player: int, way: Score, now: Contest) -> float:
    """How many scorings a player has still to come, later ones counting less."""
    return _summed(_worths(way, _to_come(w, player, way, now)))


def _in_turns(w: World40, player: int, scorer: int, way: Score, now: Contest) -> Floats:
    """How much of a scorer's rest is at stake for a player who gets to a marker in 0, 1, 2 ... turns."""
    rounds, seats, first = _to_come(w, scorer, way, now), len(w.state.players), now.first
    place, turn = (player - first) % seats, (now.active - first) % seats
    this = now.battle_round + (place < turn)
    # What is scored before the player's turn of a round has to be thought of in the one before.
    early = way.when == "command" if scorer == player else way.when != "battle" and (scorer - first) % seats < place
    worth, late = _worths(way, rounds), this + early - (rounds[0] if rounds else 0)
    return np.array([PATIENCE**t * _summed(worth[max(0, late + t) :]) for t in range(TURNS)])


def _to_come(w: World40, player: int, way: Score, now: Contest) -> list[int]:
    """The rounds in which a player still scores in one way."""
    if not is_for(w, player, way.by):
        return []
    seats, starts = len(w.state.players), now.first
    place, turn = (player - starts) % seats, (now.active - starts) % seats
    # In this round: the turn is still to come, or it is this one and its end is, or the end of the battle is.
    to_come = place > turn or (place == turn and way.when != "command") or way.when == "battle"
    first, last = now.battle_round if to_come else now.battle_round + 1, w.setup.data.rounds
    return list(range(last if way.when == "battle" else max(first, way.from_round), min(way.to_round, last) + 1))


def _scores_now(w: World40, player: int, way: Score, now: Contest) -> bool:
    """Whether a player scores in one way at the end of this turn."""
    own = way.when == "turn" and now.active == player
    return own and now.battle_round in _to_come(w, player, way, now)


def _worths(way: Score, rounds: list[int]) -> list[float]:
    """What each of some rounds brings, compared with the first in which a way scores."""
    return [1.0 + way.grows * (r - way.from_round) / max(1, way.vp) for r in rounds]


def _summed(worth: list[float]) -> float:
    return sum((v * LATER for v in worth[1:]), worth[0]) if worth else 0.0


def _shares(w: World40, player: int, way: Score, now: Contest) -> Floats:
    """About how many VP each marker brings a player at a scoring."""
    have = held(w, player, way)
    return np.array(
        [
            _share(way, len(have) - (m in have))
            if m not in now.gone and lies(w, m, player, way.where) and not (way.kind == "take" and m in have)
            else 0.0
            for m in range(len(now.markers))
        ]
    )


def _share(way: Score, have: int) -> float:
    """The same for one marker, with so many others."""
    match way.kind:
        case "hold":
            return way.vp * (1.0 if (have + 1) * way.vp <= way.most else 0.35)
        case "hold more" | "take":
            return way.vp * 0.5
        case _:
            return way.vp * (1.0 if have + 1 == way.count else 0.6 if have + 1 < way.count else 0.3)
