"""Setting armies up: one unit after the other, each where there is room for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Question, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.mission import enemy_zone
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.alternating import Selection, player_after
from sandtable.kit.asking import place_of
from sandtable.kit.grammar import does
from sandtable.kit.room import (
    Outline,
    Room,
    Spots,
    find_room,
    gap_to_area,
    gap_to_enemies,
    placed,
    put_down,
    rows_of,
    setting_up,
)
from sandtable.table.grid import STEP

NOBODY: Final = -1
Rooms = Callable[[Any, Any], Sequence[Room]]
"""(world, unit): where it may be deployed, last where a search looks for room."""


async def deploy_next(
    b: Battle40, turn: Selection | None, deploy: Callable[[Any, Any], Coroutine[Any, Any, None]], rule: str
) -> Step:
    """The player whose turn it is picks a unit and sets it up; then comes the next player, until nobody is left."""
    if turn is None:
        b.set_game(chooser=NOBODY)
        return DONE
    unit = await b.choose_unit(turn.player, "deploy_with", "Which unit is set up next?", turn.units, rules=(rule,))
    await deploy(b, unit)
    b.set_game(chooser=player_after(b, turn.player))
    return AGAIN


async def set_up(b: Battle40, unit: Unit, area: Outline, *rules: str, told: str, without: str = "") -> bool:
    """Ask where a unit is set up in an area, and put it down; whether there was room.

    `told` is the rule that its deployment cites; `without` cites the lack of room, if that is told.
    """
    spots = await b.ask(place_of(b, unit, "deploy", "Where {is} {unit} set up?", *rules, area=area, optional=True))
    if spots is None:
        b.set_unit(unit, no_room=True)
        if without:
            b.tell("no_room", f"There is no room for {unit.name}.", without, units=[unit.id])
        return False
    put_down(b, spots)
    b.tell("deployed", f"{does(unit, 'is')} deployed.", told, units=[unit.id])
    return True


@kept(EVERYTHING)
def find_place(w: World40, rooms: Rooms, unit: Unit) -> Spots | None:
    """A legal place to deploy at, if a bounded search finds one."""
    return find_room(w, rooms(w, unit)[-1])


def without_room(w: World40, rooms: Rooms, unit: Unit, rule: str) -> Verdict:
    """Only a unit for which no room is found is left out."""
    found = find_place(w, rooms, unit)
    return ALLOWED if found is None else refuse(f"There is room for {unit.name}.", rule, instead=found)


def check_far_from_enemies(w: World40, unit: Unit, spots: Spots, gap: int, rule: str) -> Verdict:
    """Whether models are set up so far, horizontally, from the enemy deployment zone and from all enemy models."""
    bodies, zone, far = placed(w, spots), enemy_zone(w, unit.player), f'more than {gap // STEP}"'
    if min(gap_to_area(w, bodies, s.model, zone) for s in spots) <= gap:
        return refuse(f"{unit.name} must be {far} from the enemy deployment zone.", rule)
    if gap_to_enemies(w, unit.player, bodies, rows_of(spots)) <= gap:
        return refuse(f"{unit.name} must be {far} from all enemy models.", rule)
    return ALLOWED


def deploying(rooms: Rooms, left_out: Callable[[Any, Any], Verdict]) -> dict[str, Question]:
    """The questions which unit is deployed next, and where; `left_out` judges who is not: (world, unit)."""
    return {
        "deploy_with": Question(default=lambda w, d: d.options[0].value),
        "deploy": setting_up(rooms, lambda w, unit: find_place(w, rooms, unit), left_out),
    }


def as_listed(w: World40, d: Any) -> Any:
    """Whom the army list puts into the transport that a question is about."""
    roster = w.setup.data.roster
    return next((o.value for o in d.options if roster and roster[o.value].embark == d.unit), None)
