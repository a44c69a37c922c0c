"""Victory points: what a mission's ways of scoring count, and the limits that they keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sandtable.battle import GONE
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.markers import markers_of, take_off
from sandtable.forty.mission import attacker_of, enemy_zone, mission_of, zones_of
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.missions import Score
from sandtable.kit.room import Outline
from sandtable.table.shapes import Bodies


@dataclass(frozen=True)
class Scoring:
    """What an edition says about scoring."""

    wholly: Callable[[Any, Bodies, int, Outline], bool]
    """(world, bodies, model, area): whether it stands wholly in an area."""
    rule: str
    """What all scoring cites..."""
    holding: str
    """...and what scoring for markers does."""
    held: Callable[[Any, int, Score], int] = lambda w, player, way: len(held(w, player, way))
    """(world, player, way): how many markers under a player's control count; without a word, all of them."""
    most: Callable[[Score], int] = lambda way: way.most
    """How many points can be scored at one time."""


def score(b: Battle40, when: str) -> None:
    """Score what is due: for the active player, and at the end of a round or of the battle for everybody."""
    mission = mission_of(b)
    if mission is None:
        return
    players = [p for p in b.state.players if when in ("round", "battle") or p.id == b.state.active]
    for player in players:
        for i, way in enumerate(mission.scoring):
            if way.when == when and way.from_round <= b.state.round <= way.to_round:
                add(b, player.id, i, way)
    if when != "command" and any(way.kind == "destroy" for way in mission.scoring):
        sides = {p.side for p in players}
        # A unit stays to be scored until an enemy of it has had the chance to.
        seen = [u for u in fallen(b) if u in b.state.game.fallen or sides - {b.side(b.unit(u).player)}]
        b.set_game(fallen=tuple(seen))


def add(b: Battle40, player: int, number: int, way: Score) -> None:
    """Score in one way, within its limits."""
    book = b.system.seam(Scoring)
    p = b.player(player)
    worth = way.vp + way.grows * (b.state.round - way.from_round)
    points = min(worth * counted(b, player, way), book.most(way), way.most_in_battle - p.scored[number])
    if points <= 0:
        return
    scored = tuple(n + points if i == number else n for i, n in enumerate(p.scored))
    b.set_player(p, vp=p.vp + points, scored=scored)
    cited = book.holding if way.kind == "hold" else book.rule
    b.tell("scored", f"{p.name} scores {points}VP: {way.name}.", cited, player=player, vp=points)
    if way.carries_off:
        take_off(b, held(b, player, way)[: max(1, points // max(1, worth))], book.rule)


# --- What -------------------------------------------------------------------------------------------------------------


def counted(w: World40, player: int, way: Score) -> int:
    """How many of what a way of scoring counts a player has."""
    match way.kind:
        case "hold":
            return w.system.seam(Scoring).held(w, player, way)
        case "hold more":
            others = [len(held(w, p.id, way)) for p in w.opponents(player)]
            return int(len(held(w, player, way)) > max(others, default=0))
        case "hold some":
            return int(len(held(w, player, way)) >= way.count)
        case "destroy":
            new = [u for u in fallen(w) if u not in w.state.game.fallen]
            return sum(w.side(w.unit(u).player) != w.side(player) for u in new)
        case "destroy warlord":
            return int(any(warlord_fell(w, p.id) for p in w.opponents(player)))
        case "break through":
            wholly, zone = w.system.seam(Scoring).wholly, enemy_zone(w, player)
            return sum(stands_in(w, u, zone, wholly) for u in w.units_of(player))


def stands_in(w: World40, unit: Unit, zone: Outline, wholly: Callable[[Any, Bodies, int, Outline], bool]) -> bool:
    """Whether a unit is on the table and all of its models are wholly in a zone, as the edition understands it."""
    models = w.on_table(unit).tolist()
    return bool(models) and all(wholly(w, w.bodies, m, zone) for m in models)


def held(w: World40, player: int, way: Score) -> list[int]:
    """The markers that a player controls and that a way of scoring looks at."""
    control = w.state.game.control
    return [m for m in range(len(markers_of(w))) if control and control[m] == player and lies(w, m, player, way.where)]


def lies(w: World40, marker: int, player: int, where: str) -> bool:
    """Whether a marker lies where a way of scoring looks."""
    if where == "all":
        return True
    zones = zones_of(w)
    own = 0 if w.side(player) == w.side(attacker_of(w)) else 1
    return _lies(w, markers_of(w)[marker], zones[own], zones[1 - own], where)


@kept(SETUP)
def _lies(w: World40, spot: tuple[int, int, int], own: Outline, enemy: Outline, where: str) -> bool:
    x, y, _ = spot
    if where == "no man's land":
        return not _inside(own, x, y) and not _inside(enemy, x, y)
    if where == "not own zone":
        return not _inside(own, x, y)
    return _inside(own if where == "own zone" else enemy, x, y)


def _inside(zone: Outline, x: int, y: int) -> bool:
    """Whether a point lies in an outline; in whole numbers."""
    found = False
    for (ax, ay), (bx, by) in zip(zone, (*zone[1:], zone[0]), strict=True):
        if (ay > y) != (by > y):
            cross = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
            found ^= (cross > 0) == (by > ay)
    return found


def fallen(w: World40) -> tuple[int, ...]:
    """The units of the rosters that are destroyed; Leaders count on their own."""
    out, first = [], 0
    for i, entry in enumerate(w.setup.data.roster):
        if bool((w.state.models.place[first : first + entry.models] == GONE).all()):
            out.append(i)
        first += entry.models
    return tuple(out)


def warlord_fell(w: World40, player: int) -> bool:
    """Whether a player's Warlord is destroyed."""
    roster = w.setup.data.roster
    return any(
        entry.warlord >= 0 and w.unit(i).player == player and w.state.models.place[entry.warlord] == GONE
        for i, entry in enumerate(roster)
    )
