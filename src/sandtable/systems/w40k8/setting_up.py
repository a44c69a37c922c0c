"""Setting units up: what every set-up keeps to, wherever a rule allows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sandtable.battle import ALLOWED, Spot, Verdict
from sandtable.forty.placing import no_room
from sandtable.kit.room import Outline, Room, Spots, check_free, models_to_place, placed, rows_of
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import check_coherent, check_open_ground
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball


def room_for(
    w: World8, unit: Unit, areas: Sequence[Outline], where: Callable[[Spots], Verdict], *, gap: int = -1
) -> Room:
    """Room for a unit that is set up by a rule which says where; with a gap, so far from enemies."""

    def accept(spots: Spots) -> Verdict:
        return where(spots) and judge_spots(w, unit, spots)

    return Room(unit.id, models_to_place(w, unit), tuple(areas), Ball(gap), BOOK.coherency, accept)


def judge_spots(w: World8, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """Room, solid ground, and coherency."""
    bodies, models = placed(w, spots), rows_of(spots)
    return (
        check_room(w, bodies, models)
        and check_open_ground(w, unit, bodies, models)
        and check_coherent(w, unit, bodies, models)
    )


@rule("w40k8.gap.board_edge", neutral=ALLOWED)
def check_room(w: World8, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody is set up on another model, in something solid, in the air, or over the edge."""
    return check_free(w, bodies, models, NO_ROOM)


NO_ROOM: Final = no_room(edge="w40k8.gap.board_edge", models="w40k8.move.through_models", terrain="w40k8.move.terrain")
