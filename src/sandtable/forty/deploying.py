"""Setting armies up: one unit after the other, each where there is room for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sandtable.battle import AGAIN, ALLOWED, DONE, Question, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.mission import attacker_of, enemy_zone
from sandtable.forty.placing import outside, too_near
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.alternating import Group, Selection, player_after
from sandtable.kit.asking import place_of
from sandtable.kit.grammar import does
from sandtable.kit.room import (
    ANYWHERE,
    Outline,
    Room,
    Spots,
    find_room,
    gap_to_area,
    gap_to_enemies,
    models_to_place,
    placed,
    put_down,
    rows_of,
    setting_up,
)
from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies

NOBODY: Final = -1
AFTER_DEPLOYMENT: Final = "after deployment"
"""The ability of units that are set up once both armies are deployed."""
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


def early_and_late(is_deployed: Callable[[Any], bool], has: Callable[[Any, Any, str], bool]) -> tuple[Group, Group]:
    """Units that still have to be set up with their army, and those that are set up after both.

    The edition says who is set up at all, and whether all models of a unit have an ability: (world, unit, ability).
    """

    def waits(w: World40, unit: Any) -> bool:
        return bool(models_to_place(w, unit)) and is_deployed(unit) and not unit.no_room

    return (
        Group(lambda w, u: Verdict(waits(w, u) and not has(w, u, AFTER_DEPLOYMENT)), attacker_of),
        Group(lambda w, u: Verdict(waits(w, u) and has(w, u, AFTER_DEPLOYMENT)), attacker_of),
    )


class Roaming(NamedTuple):
    """Who may be deployed outside the zone of its player, wherever that is far enough from the enemy."""

    rule: str
    roams: Callable[[Any, Any], bool]
    """(world, unit)"""
    far_enough: Callable[[Any, Any, Spots], Verdict]
    """(world, unit, spots)"""
    gap: Callable[[], int]
    """How far that is, for the search."""


@dataclass(frozen=True)
class InZones:
    """Armies that are deployed in zones, as an edition has it."""

    rule: str
    zone: Callable[[Any, int], Outline]
    """(world, player)"""
    in_zone: Callable[[Any, Any, Spots], Verdict]
    """(world, unit, spots): whether all models of a unit are set up in the zone of its player."""
    room: Callable[..., Room]
    """(world, unit, areas, condition, gap to enemies, number of ideas)"""
    roaming: Roaming

    async def deploy_next(self, b: Battle40, turn: Selection | None) -> Step:
        """The player whose turn it is sets a unit up; then comes the next player, until nobody is left."""
        return await deploy_next(b, turn, self.deploy, self.rule)

    async def deploy(self, b: Battle40, unit: Unit) -> None:
        """Set one unit up: in the zone of its player, or anywhere if it may roam."""
        if self.roaming.roams(b, unit):
            await set_up(b, unit, ANYWHERE, self.roaming.rule, told=self.rule)
        else:
            await set_up(b, unit, self.zone(b, unit.player), self.rule, told=self.rule)

    def rooms(self, w: World40, unit: Unit) -> tuple[Room, ...]:
        """Where a unit may be deployed: who may roam anywhere far enough from the enemy, everybody in the zone."""
        roams = self.roaming.roams(w, unit)

        def where(spots: Spots) -> Verdict:
            verdict = self.in_zone(w, unit, spots)
            return verdict if verdict or not roams else self.roaming.far_enough(w, unit, spots)

        zone = self.room(w, unit, (self.zone(w, unit.player),), where)
        return (self.room(w, unit, (ANYWHERE,), where, gap=self.roaming.gap(), ideas=3), zone) if roams else (zone,)

    def left_out(self, w: World40, unit: Unit) -> Verdict:
        """Only a unit for which no room is found is left out."""
        return without_room(w, self.rooms, unit, self.rule)

    def questions(self) -> dict[str, Question]:
        """Which unit is deployed next, and where."""
        return deploying(self.rooms, self.left_out)


def say_who_begins(b: Battle40, group: Group, roll_off: Callable[[Any], int]) -> None:
    """If several players have units of a group to set up, a roll-off says who begins."""
    owners = {u.player for u in b.units() if group.ready(b, u)}
    if len(owners) > 1 and b.state.game.chooser < 0:
        b.set_game(chooser=roll_off(b))


def check_in_zone(
    w: World40, unit: Unit, spots: Spots, zone: Outline, wholly: Callable[[Any, Bodies, int, Outline], bool], rule: str
) -> Verdict:
    """Whether all models are set up wholly within a zone, as the edition understands it."""
    bodies = placed(w, spots)
    astray = [s.model for s in spots if not wholly(w, bodies, s.model, zone)]
    if not astray:
        return ALLOWED
    return refuse(f"{outside(w, bodies, astray, zone)} {unit.name} must be wholly within it.", rule)


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
        text, enemies = f"{unit.name} must be {far} from all enemy models", w.enemies_of(unit.player)
        return too_near(w, text, bodies, rows_of(spots), enemies, gap, rule)
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
