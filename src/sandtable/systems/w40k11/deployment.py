"""Deployment: what stands in for it. The book uses deployment zones, and has none."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict
from sandtable.forty.deploying import (
    InZones,
    Roaming,
    check_far_from_enemies,
    check_in_zone,
    early_and_late,
    say_who_begins,
)
from sandtable.forty.mission import own_zone
from sandtable.kit.alternating import next_selection
from sandtable.kit.room import Room, Spots
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import wholly_within
from sandtable.systems.w40k11.dice import roll_off
from sandtable.systems.w40k11.setting_up import every_model_has, room_for
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.table.grid import steps


class INFILTRATORS(Facts):
    """What the book states about Infiltrators."""

    gap = fact(steps(8), "w40k11.unit.infiltrators", neutral=-1)
    """How far from the enemy and its zone Infiltrators are set up."""


@rule("w40k11.gap.deployment", neutral=((0, 0), (1 << 20, 0), (1 << 20, 1 << 20), (0, 1 << 20)))
def zone_of(w: World11, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return own_zone(w, player)


@rule("w40k11.gap.deployment")
async def deploy_armies(b: Battle11) -> Step:
    """One unit at a time, the Attacker first, the players deploy their armies."""
    return await DEPLOYMENT.deploy_next(b, next_selection(b, (EARLY,), b.state.game.chooser))


@rule("w40k11.gap.deployment")
async def deploy_late_units(b: Battle11) -> Step:
    """Units that a rule sets up after both armies; if both players have some, a roll-off says who begins."""
    say_who_begins(b, LATE, roll_off)
    return await DEPLOYMENT.deploy_next(b, next_selection(b, (LATE,), b.state.game.chooser))


@rule("w40k11.transport.start_embarked", "w40k11.aircraft.deploy", neutral=True)
def is_deployed(unit: Unit) -> bool:
    """Units in reserves and units that are embarked are not set up."""
    return not unit.reserve and unit.embarked < 0


EARLY, LATE = early_and_late(is_deployed, every_model_has)


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
    return check_in_zone(w, unit, spots, zone_of(w, unit.player), wholly_within, "w40k11.gap.deployment")


ROAMING: Final = Roaming("w40k11.unit.infiltrators", infiltrates, check_infiltrators, lambda: max(0, INFILTRATORS.gap))
DEPLOYMENT: Final = InZones("w40k11.gap.deployment", zone_of, check_zone, room_for, ROAMING)
rooms_to_deploy: Final = DEPLOYMENT.rooms
QUESTIONS: Final = DEPLOYMENT.questions()
