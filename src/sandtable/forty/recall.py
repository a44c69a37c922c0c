"""What missions remember: how a turn began, who destroyed whom, and what actions have marked."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.battle import GONE
from sandtable.battle.kept import LOSSES, PLACES, kept
from sandtable.forty.markers import NOBODY, markers_near
from sandtable.forty.mission import mission_of
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.areas import areas_of
from sandtable.kit.missions import looks_back, names_slayers
from sandtable.kit.seeing import OUTSIDE, within_areas

OBJECTIVE, AREA, UNIT = "objective", "area", "unit"


class Mark(NamedTuple):
    """Something that an action has marked; on objectives and in areas it is an operation marker."""

    tag: str
    kind: str
    number: int
    player: int
    turn: int


def marks_of(w: World40) -> list[Mark]:
    """All that is marked now."""
    return [Mark(*mark) for mark in getattr(w.state.game, "marks", ())]


def tokens_of(w: World40, player: int, whose: str = "own") -> list[Mark]:
    """The operation markers on the battlefield, a player's own or those of their enemies."""
    side = w.side(player)
    return [m for m in marks_of(w) if m.kind != UNIT and (w.side(m.player) == side) == (whose == "own")]


def note_the_turn(b: Battle40) -> None:
    """A turn begins: what the mission may look back to is remembered, and marks that lasted until now are gone."""
    mission, game = mission_of(b), b.state.game
    if mission is None or not looks_back(mission):
        return
    here = [u for u in b.units() if b.is_on_table(u)]
    short = {action.tag: action.lasts for action in mission.actions if action.lasts != "battle"}
    b.set_game(
        held_before=game.control,
        lost_earlier=game.lost_before,
        lost_before=destroyed(b),
        stood=tuple(u.id for u in here),
        stood_on=tuple((u.id, m) for u in here for m in markers_near(b, u)),
        stood_in=tuple((u.id, a) for u in here for a in areas_with(b, u)),
        marks=tuple(tuple(m) for m in marks_of(b) if not _is_over(b, m, short.get(m.tag, "battle"))),
        tasks=(),
        deeds=(),
    )


def _is_over(b: Battle40, mark: Mark, lasts: str) -> bool:
    return lasts == "turn" or (lasts == "round of turns" and mark.player == b.state.active)


@kept(LOSSES)
def destroyed(w: World40) -> tuple[int, ...]:
    """The units that are destroyed, as they stand now: an attached unit is one."""
    place = w.state.models.place
    return tuple(u.id for u in w.units() if u.models and all(place[m] == GONE for m in u.models))


def destroyed_in_turn(w: World40, side: int, enemies: bool = True) -> list[int]:
    """The units that were destroyed in this turn: of the enemies of a side, or its own."""
    before = w.state.game.lost_before
    return [u for u in destroyed(w) if u not in before and (w.side(w.unit(u).player) != side) == enemies]


def own_lost_earlier(w: World40, side: int) -> list[int]:
    """The units of a side that were destroyed in the turn before this."""
    game = w.state.game
    return [u for u in game.lost_before if u not in game.lost_earlier and w.side(w.unit(u).player) == side]


@kept(PLACES)
def areas_with(w: World40, unit: Unit) -> tuple[int, ...]:
    """The terrain areas that a unit on the table is within, with any part of a model."""
    if not w.table.features or not w.is_on_table(unit):
        return ()
    there = (within_areas(w, unit) != OUTSIDE).any(axis=0)
    return tuple(dict.fromkeys(areas_of(w)[there].tolist()))


def remember_slain(b: Battle40, unit: Unit, models: tuple[int, ...]) -> None:
    """A unit has destroyed models by its attacks: which units fell with them, where the mission asks for that."""
    mission = mission_of(b)
    if not models or mission is None or not names_slayers(mission):
        return
    game = b.state.game
    known = {victim for _, victim, turn, _ in game.slain if turn == game.turns}  # who came back may fall once more
    owners = dict.fromkeys(int(b.state.models.unit[m]) for m in models)
    gone = [u for u in owners if u in destroyed(b) and u not in known and b.are_enemies(unit, b.unit(u))]
    if gone:
        near = bool(markers_near(b, unit))
        b.set_game(slain=(*game.slain, *((unit.id, u, game.turns, near) for u in gone)))


def was_held(w: World40, marker: int) -> int:
    """Who controlled a marker when this turn began; nobody before the first."""
    before = w.state.game.held_before
    return int(before[marker]) if marker < len(before) else NOBODY
