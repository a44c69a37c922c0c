"""Deployment: what stands in for it. The book uses deployment zones, and has none."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict, refuse
from sandtable.forty.deploying import check_far_from_enemies, deploy_next, deploying, set_up, without_room
from sandtable.forty.mission import attacker_of, zones_of
from sandtable.forty.placing import outside
from sandtable.kit.alternating import Group, next_selection
from sandtable.kit.room import ANYWHERE, Room, Spots, models_to_place, placed
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import wholly_within
from sandtable.systems.w40k11.dice import roll_off
from sandtable.systems.w40k11.setting_up import every_model_has, room_for
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.table.grid import steps

AFTER_DEPLOYMENT: Final = "after deployment"
"""The ability of units that are set up once both armies are deployed."""


class INFILTRATORS(Facts):
    """What the book states about Infiltrators."""

    gap = fact(steps(8), "w40k11.unit.infiltrators", neutral=-1)
    """How far from the enemy and its zone Infiltrators are set up."""


@rule("w40k11.gap.deployment", neutral=((0, 0), (1 << 20, 0), (1 << 20, 1 << 20), (0, 1 << 20)))
def zone_of(w: World11, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return zones_of(w)[0 if w.side(player) == w.side(attacker_of(w)) else 1]


@rule("w40k11.gap.deployment")
async def deploy_armies(b: Battle11) -> Step:
    """One unit at a time, the Attacker first, the players deploy their armies."""
    turn = next_selection(b, (EARLY,), b.state.game.chooser)
    return await deploy_next(b, turn, deploy, "w40k11.gap.deployment")


@rule("w40k11.gap.deployment")
async def deploy_late_units(b: Battle11) -> Step:
    """Units that a rule sets up after both armies; if both players have some, a roll-off says who begins."""
    owners = {u.player for u in b.units() if waits_longer(b, u)}
    if len(owners) > 1 and b.state.game.chooser < 0:
        b.set_game(chooser=roll_off(b))
    turn = next_selection(b, (LATE,), b.state.game.chooser)
    return await deploy_next(b, turn, deploy, "w40k11.gap.deployment")


def waits(w: World11, unit: Unit) -> bool:
    """Whether a unit still has to be deployed, with its army."""
    return _waits(w, unit) and not every_model_has(w, unit, AFTER_DEPLOYMENT)


def waits_longer(w: World11, unit: Unit) -> bool:
    """Whether a unit still has to be deployed, after both armies."""
    return _waits(w, unit) and every_model_has(w, unit, AFTER_DEPLOYMENT)


def _waits(w: World11, unit: Unit) -> bool:
    return bool(models_to_place(w, unit)) and is_deployed(unit) and not unit.no_room


@rule("w40k11.transport.start_embarked", "w40k11.aircraft.deploy", neutral=True)
def is_deployed(unit: Unit) -> bool:
    """Units in reserves and units that are embarked are not set up."""
    return not unit.reserve and unit.embarked < 0


EARLY: Final = Group(lambda w, unit: Verdict(waits(w, unit)), attacker_of)
LATE: Final = Group(lambda w, unit: Verdict(waits_longer(w, unit)), attacker_of)


async def deploy(b: Battle11, unit: Unit) -> None:
    """Set one unit up."""
    roams = infiltrates(b, unit)
    source = "w40k11.unit.infiltrators" if roams else "w40k11.gap.deployment"
    area = ANYWHERE if roams else zone_of(b, unit.player)
    await set_up(b, unit, area, source, told="w40k11.gap.deployment")


def rooms_to_deploy(w: World11, unit: Unit) -> tuple[Room, ...]:
    """Where a unit may be deployed: Infiltrators anywhere that is far enough from the enemy, everybody in the zone."""
    if not infiltrates(w, unit):
        return (room_in_zone(w, unit),)

    def where(spots: Spots) -> Verdict:
        verdict = check_zone(w, unit, spots)
        return verdict if verdict else check_infiltrators(w, unit, spots)

    gap = max(0, INFILTRATORS.gap)
    zone = room_for(w, unit, (zone_of(w, unit.player),), where)
    return room_for(w, unit, (ANYWHERE,), where, gap=gap, ideas=3), zone


def room_in_zone(w: World11, unit: Unit) -> Room:
    """Room in the deployment zone of a unit's player."""
    return room_for(w, unit, (zone_of(w, unit.player),), lambda spots: check_zone(w, unit, spots))


@rule("w40k11.unit.infiltrators", neutral=False)
def infiltrates(w: World11, unit: Unit) -> bool:
    """Whether all models of a unit are Infiltrators."""
    return every_model_has(w, unit, "infiltrators")


@rule("w40k11.unit.infiltrators", neutral=ALLOWED)
def check_infiltrators(w: World11, unit: Unit, spots: Spots) -> Verdict:
    """More than 8" horizontally from the opponent's deployment zone and from all enemies."""
    return check_far_from_enemies(w, unit, spots, INFILTRATORS.gap, "w40k11.unit.infiltrators")


@rule("w40k11.gap.deployment", neutral=ALLOWED)
def check_zone(w: World11, unit: Unit, spots: Spots) -> Verdict:
    """Every model is wholly within the player's own deployment zone."""
    bodies, zone = placed(w, spots), zone_of(w, unit.player)
    astray = [s.model for s in spots if not wholly_within(w, bodies, s.model, zone)]
    if not astray:
        return ALLOWED
    text = f"{outside(w, bodies, astray, zone)} {unit.name} must be wholly within it."
    return refuse(text, "w40k11.gap.deployment")


QUESTIONS: Final = deploying(
    rooms_to_deploy, lambda w, unit: without_room(w, rooms_to_deploy, unit, "w40k11.gap.deployment")
)
