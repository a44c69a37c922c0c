"""Reinforcements: units that are set up in mid-battle, by rules of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Step, Verdict
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.arriving import come_on
from sandtable.forty.passengers import lose_the_absent
from sandtable.forty.placing import no_room, too_near
from sandtable.kit.asking import pick_unit
from sandtable.kit.ideas import which_unit
from sandtable.kit.ready import is_its_turn, refuse_if
from sandtable.kit.room import (
    ANYWHERE,
    Outline,
    Room,
    Spots,
    check_free,
    find_room,
    models_to_place,
    placed,
    rows_of,
    setting_up,
)
from sandtable.kit.rounds import mark
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import check_coherent, check_open_ground, enemy_near
from sandtable.systems.w40k8.state import MOVED, NORMAL, Battle8, Unit, World8
from sandtable.table.grid import Ints, units
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball

Where = Callable[[Spots], Verdict]
Models = tuple[int, ...]
TELEPORT: Final = "teleport strike"


@rule("w40k8.lord.teleport_strike", neutral={})
def arrivals() -> dict[str, int]:
    """The rules by which units arrive when their Movement phase ends, and so far from all enemies or further."""
    return {TELEPORT: BOOK.teleport}


@rule("w40k8.move.reinforce_arrival")
async def reinforcements(b: Battle8) -> Step:
    """When all moves are made, one unit after the other may arrive, in the order that its player likes."""
    rule_ = "w40k8.move.reinforce_arrival"
    unit = await pick_unit(b, b.state.active, "arrive_with", "Which unit arrives?", may_arrive, rule_)
    if unit is None:
        return DONE
    await arrive(b, unit)
    return AGAIN


async def arrive(b: Battle8, unit: Unit, *, optional: bool = False) -> None:
    """Set a unit up from reserve."""
    rule_, gap = "w40k8.move.reinforce_arrival", arrivals()[unit.reserve]
    await come_on(b, unit, rule_, gap=gap, told=rule_, moved=counts_as_moved, optional=optional)


def may_arrive(w: World8, unit: Unit) -> Verdict:
    """Whether a unit could arrive now: it waits under a rule for this time, and there is room."""
    id_, waits = "w40k8.move.reinforce_arrival", unit.reserve in arrivals() and models_to_place(w, unit)
    return (
        refuse_if(not waits, unit, "No rule of {unit} sets it up now.", id_)
        and is_its_turn(w, unit, "turn", id_)
        and refuse_if(find_arrival(w, unit) is None, unit, "There is no room for {unit}.", id_)
    )


@rule("w40k8.move.reinforce_moved")
def counts_as_moved(b: Battle8, unit: Unit) -> None:
    """Who arrives has moved in this Movement phase, and has not Advanced."""
    b.set_unit(unit, moved=NORMAL)
    mark(b, b.on_table(unit).tolist(), MOVED)


@rule("w40k8.move.reinforce_limits", neutral=ALLOWED)
def has_been_there(unit: Unit) -> Verdict:
    """Who arrives does not move or Advance any more this turn; all else is open to it."""
    return refuse_if(unit.arrived, unit, "{unit} {has} arrived this turn.", "w40k8.move.reinforce_limits")


def room_to_arrive(w: World8, unit: Unit) -> Room:
    """Where a unit may arrive, by its own rule."""
    gap = arrivals()[unit.reserve]
    return room_for(w, unit, (ANYWHERE,), lambda spots: check_gap(w, unit, gap, spots), gap)


@rule("w40k8.move.reinforce_arrival", neutral=ALLOWED)
def check_gap(w: World8, unit: Unit, gap: int, spots: Spots) -> Verdict:
    """Every model is further from every enemy than the unit's rule says, in space."""
    bodies, models = placed(w, spots), rows_of(spots)
    if enemy_near(w, unit, bodies, models, gap) is None:
        return ALLOWED
    text, id_ = f'{unit.name} must be more than {units(gap):g}" from all enemy models', "w40k8.move.reinforce_arrival"
    return too_near(w, text, bodies, models, w.enemies_of(unit.player), gap, id_, flat=False)


@kept(PLACES)
def find_arrival(w: World8, unit: Unit) -> Spots | None:
    """A legal place to arrive at, if a bounded search finds one."""
    return find_room(w, room_to_arrive(w, unit))


@rule("w40k8.move.reinforce_late")
def lose_reinforcements(b: Battle8) -> None:
    """What is off the table when the battle ends counts as destroyed, unless it rides in something on the table."""
    lose_the_absent(b, "w40k8.move.reinforce_late")


def room_for(w: World8, unit: Unit, areas: Sequence[Outline], where: Where, gap: int = -1, some: Models = ()) -> Room:
    """Room for a unit, or some of it, that is set up by a rule which says where; with a gap, so far from enemies."""

    def accept(spots: Spots) -> Verdict:
        bodies, models = placed(w, spots), rows_of(spots)
        free = where(spots) and check_room(w, bodies, models) and check_open_ground(w, unit, bodies, models)
        return free and check_coherent(w, unit, bodies, models)

    return Room(unit.id, some or models_to_place(w, unit), tuple(areas), Ball(gap), BOOK.coherency, accept)


@rule("w40k8.gap.board_edge", neutral=ALLOWED)
def check_room(w: World8, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody is set up on another model, in something solid, in the air, or over the edge."""
    return check_free(w, bodies, models, NO_ROOM)


NO_ROOM: Final = no_room(edge="w40k8.gap.board_edge", models="w40k8.move.through_models", terrain="w40k8.move.terrain")
QUESTIONS: Final[dict[str, Any]] = {
    "arrive_with": which_unit(0.3, may_arrive),
    "arrive": setting_up(lambda w, unit: (room_to_arrive(w, unit),), find_arrival),
}
