"""Victory points: when a mission's ways of scoring pay, and the limits that they keep."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.forty.counts import Scoring, fallen, held, is_for, paid
from sandtable.forty.markers import take_off
from sandtable.forty.mission import mission_of
from sandtable.forty.state import Battle40, World40
from sandtable.kit.missions import Mission, Score


class Due(NamedTuple):
    """What one way of scoring brings a player now."""

    number: int
    way: Score
    worth: int
    """VP for each of what is counted..."""
    points: int
    """...and in all."""


def score(b: Battle40, when: str) -> None:
    """Score what is due: for the active player, and at the end of a round or of the battle for everybody."""
    mission = mission_of(b)
    if mission is None:
        return
    for player in b.state.players:
        for i, way in enumerate(mission.scoring):
            if is_time(b, player.id, way, when):
                due = _due(b, player.id, i, way)
                if due.points > 0 and not (way.group and _is_beaten(b, player.id, due, mission, when)):
                    add(b, player.id, due, mission)
    if when != "command" and any(way.kind == "destroy" for way in mission.scoring):
        players = [p for p in b.state.players if when in ("round", "battle") or p.id == b.state.active]
        sides = {p.side for p in players}
        # A unit stays to be scored until an enemy of it has had the chance to.
        seen = [u for u in fallen(b) if u in b.state.game.fallen or sides - {b.side(b.unit(u).player)}]
        b.set_game(fallen=tuple(seen))


def is_time(w: World40, player: int, way: Score, when: str) -> bool:
    """Whether a player scores in one way at a moment of this turn."""
    if way.when != when or not way.from_round <= w.state.round <= way.to_round or not is_for(w, player, way.by):
        return False
    if when in ("round", "battle") or (way.turns == "either" and when == "turn"):
        return True
    return (player == w.state.active) == (way.turns != "enemy")


def _due(b: Battle40, player: int, number: int, way: Score) -> Due:
    """What one way of scoring would bring, within its own limits."""
    worth = way.vp + way.grows * (b.state.round - way.from_round)
    most = min(b.system.seam(Scoring).most(way), way.most_in_battle - b.player(player).scored[number])
    return Due(number, way, worth, min(worth * paid(b, player, way), most))


def _is_beaten(b: Battle40, player: int, due: Due, mission: Mission, when: str) -> bool:
    """Whether another way of its group brings more, or as much and comes first."""
    for i, way in enumerate(mission.scoring):
        if i != due.number and (way.group, way.by) == (due.way.group, due.way.by) and is_time(b, player, way, when):
            other = _due(b, player, i, way)
            if (other.points, -i) > (due.points, -due.number):
                return True
    return False


def add(b: Battle40, player: int, due: Due, mission: Mission) -> None:
    """Score in one way, within the limits of the mission."""
    book, p, way = b.system.seam(Scoring), b.player(player), due.way
    room, limit = room_left(b, player, mission)
    points = min(due.points, room)
    more = f" Beyond {limit} no more is scored." if points < due.points else ""
    if points <= 0:
        b.tell("not_scored", f"{p.name} scores nothing: {way.name}.{more}", book.rule, player=player)
        return
    scored = tuple(n + points if i == due.number else n for i, n in enumerate(p.scored))
    b.set_player(p, vp=p.vp + points, scored=scored)
    if mission.most_in_round:
        tally = _tally(b)
        b.set_game(tally=(b.state.round, *(n + points * (i == player) for i, n in enumerate(tally))))
    cited = book.holding if way.kind == "hold" else book.rule
    b.tell("scored", f"{p.name} scores {points}VP: {way.name}.{more}", cited, player=player, vp=points)
    if way.carries_off:
        take_off(b, held(b, player, way)[: max(1, points // max(1, due.worth))], book.rule)


# --- Limits -----------------------------------------------------------------------------------------------------------


def room_left(w: World40, player: int, mission: Mission) -> tuple[int, str]:
    """How many VP the mission still lets a player score now, and the limit that says so."""
    limits = []
    if mission.most_in_round:
        limits.append((mission.most_in_round - _tally(w)[player], f"{mission.most_in_round}VP in a battle round"))
    if mission.most_in_battle:
        total = sum(w.player(player).scored)
        limits.append((mission.most_in_battle - total, f"{mission.most_in_battle}VP in the battle"))
    return min(limits, default=(1000, ""))


def _tally(w: World40) -> tuple[int, ...]:
    """VP of each player in this battle round."""
    tally: tuple[int, ...] = w.state.game.tally
    return tally[1:] if tally[:1] == (w.state.round,) else (0,) * len(w.state.players)
