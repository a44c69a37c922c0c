"""What the ways of scoring of a mission count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sandtable.battle import GONE
from sandtable.forty.grounds import far_from_middle, is_objective, lies, own_territory, quarters
from sandtable.forty.markers import markers_near, markers_of
from sandtable.forty.mission import enemy_zone, mission_of
from sandtable.forty.recall import (
    AREA,
    OBJECTIVE,
    UNIT,
    Mark,
    areas_with,
    destroyed_in_turn,
    marks_of,
    own_lost_earlier,
    tokens_of,
    was_held,
)
from sandtable.forty.state import Unit, World40
from sandtable.kit.missions import Score
from sandtable.kit.room import Outline
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

MIDDLE: Final = steps(6)
"""Who is so near the middle of the table is in no quarter of it."""


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
    further: Callable[[Any], tuple[str, ...]] = lambda w: ()
    """(world): ways to score that stand in no mission, each in a sentence."""


def is_for(w: World40, player: int, whose: str) -> bool:
    """Whether a player plays by a card of a side, or of everybody."""
    return whose == "everybody" or w.side(player) == (0 if whose == "first side" else 1)


def paid(w: World40, player: int, way: Score) -> int:
    """How often a way of scoring pays a player now."""
    if any(not held_at(w, player, where) for where in way.given):
        return 0
    found = counted(w, player, way)
    return int(way.count <= found <= way.at_most) if way.once else found


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
        case _:
            return COUNTS[way.kind](w, player, way)


# --- Markers ----------------------------------------------------------------------------------------------------------


def held(w: World40, player: int, way: Score) -> list[int]:
    """The markers that a player controls and that a way of scoring looks at."""
    return held_at(w, player, way.where)


def held_at(w: World40, player: int, where: str) -> list[int]:
    """The markers that a player controls and that lie there."""
    control = w.state.game.control
    return [m for m in range(len(markers_of(w))) if control and control[m] == player and lies(w, m, player, where)]


def _taken(w: World40, player: int, way: Score) -> int:
    return sum(was_held(w, m) != player for m in held(w, player, way))


# --- Units ------------------------------------------------------------------------------------------------------------


def stands_in(w: World40, unit: Unit, zone: Outline, wholly: Callable[[Any, Bodies, int, Outline], bool]) -> bool:
    """Whether a unit is on the table and all of its models are wholly in a zone, as the edition understands it."""
    models = w.on_table(unit).tolist()
    return bool(models) and all(wholly(w, w.bodies, m, zone) for m in models)


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


def _slain(w: World40, player: int, way: Score) -> int:
    game, fell = w.state.game, destroyed_in_turn(w, w.side(player))
    match way.of:
        case "stood on objective":
            there = {u for u, m in game.stood_on if lies(w, m, player, way.where)}
        case "stood in area":
            there = {u for u, _ in game.stood_in}
        case "stood in marked area":
            marked = {m.number for m in marks_of(w) if (m.tag, m.kind, m.player) == (way.tag, AREA, player)}
            there = {u for u, area in game.stood_in if area in marked}
        case "slayer on objective":
            there = {u for who, u, turn, near in game.slain if near and turn == game.turns and _own(w, player, who)}
        case _:
            there = set(fell)
    return sum(u in there for u in fell)


def _own(w: World40, player: int, unit: int) -> bool:
    return w.side(w.unit(unit).player) == w.side(player)


def _slain_more(w: World40, player: int, way: Score) -> int:
    side = w.side(player)
    return int(len(destroyed_in_turn(w, side)) > len(own_lost_earlier(w, side)))


def _in_quarters(w: World40, player: int, way: Score) -> int:
    wholly = w.system.seam(Scoring).wholly
    away = [u for u in w.units_of(player) if _is_away(w, u)]
    return sum(any(stands_in(w, u, quarter, wholly) for u in away) for quarter in quarters(w))


def _is_away(w: World40, unit: Unit) -> bool:
    return all(far_from_middle(w, w.bodies, m) > MIDDLE for m in w.on_table(unit).tolist())


def _is_clear(w: World40, player: int, way: Score) -> int:
    wholly, land = w.system.seam(Scoring).wholly, own_territory(w, player)
    return int(not any(stands_in(w, e, land, wholly) for e in w.enemies_of(player)))


# --- What actions have marked -----------------------------------------------------------------------------------------


def _marked(w: World40, player: int, way: Score) -> int:
    turn = w.state.game.turns
    mine = [m for m in marks_of(w) if m.tag == way.tag and m.player == player and (m.turn == turn or not way.fresh)]
    return len({(m.kind, m.number) for m in mine if _counts(w, player, way, m)})


def _counts(w: World40, player: int, way: Score, mark: Mark) -> bool:
    match mark.kind:
        case "objective":
            return lies(w, mark.number, player, way.where)
        case "area":
            return way.of != "is objective" or is_objective(w, mark.number)
        case _:
            return way.of != "unshielded" or not _is_shielded(w, player, mark.number)


def _is_shielded(w: World40, player: int, unit: int) -> bool:
    """Whether a unit is in range of an objective with an operation marker of the player's enemies."""
    shields = {m.number for m in tokens_of(w, player, "enemy") if m.kind == OBJECTIVE}
    return w.is_on_table(w.unit(unit)) and any(m in shields for m in markers_near(w, w.unit(unit)))


def _left(w: World40, player: int, way: Score) -> int:
    marked = {m.number for m in marks_of(w) if (m.tag, m.kind, m.player) == (way.tag, UNIT, player)}
    return sum(u in w.state.game.stood and not w.is_on_table(w.unit(u)) for u in marked)


def _done(w: World40, player: int, way: Score) -> int:
    mission = mission_of(w)
    names = [action.name for action in mission.actions] if mission else []
    done = [w.unit(u) for u, which, _ in w.state.game.deeds if names[which] == way.action]
    return sum(
        unit.player == player
        and (way.where == "all" or any(lies(w, m, player, way.where) for m in markers_near(w, unit)))
        for unit in done
    )


def _tokens(w: World40, player: int, way: Score) -> int:
    control, found = w.state.game.control, tokens_of(w, player, way.tokens_of)
    if way.where != "all":
        found = [t for t in found if t.kind == OBJECTIVE and lies(w, t.number, player, way.where)]
    return sum(way.of != "controlled" or control[t.number] == player for t in found)


def _alone(w: World40, player: int, way: Score) -> int:
    found = tokens_of(w, player, way.tokens_of)
    if len(found) != 1 or found[0].kind != AREA:
        return 0
    there = [u for u in w.units() if w.is_on_table(u) and found[0].number in areas_with(w, u)]
    return int(bool(there) and all(_own(w, player, u.id) for u in there))


COUNTS: Final[dict[str, Callable[[World40, int, Score], int]]] = {
    "take": _taken,
    "slay": _slain,
    "slay more": _slain_more,
    "quarters": _in_quarters,
    "clear": _is_clear,
    "marked": _marked,
    "left": _left,
    "done": _done,
    "tokens": _tokens,
    "alone": _alone,
}
"""What the kinds count that look back at a turn, or at actions."""
