"""Deploy armies, and what happens between deployment and the first turn: Infiltrators and Scouts."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict
from sandtable.forty.deploying import (
    check_in_zone,
    deploy_next,
    deploy_unit,
    deploying,
    early_and_late,
    say_who_begins,
    without_room,
)
from sandtable.forty.mission import attacker_of, zones_of
from sandtable.kit.alternating import Group, Selection, next_selection
from sandtable.kit.room import ANYWHERE, Room, Spots
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import every_model_has
from sandtable.systems.w40k10.abilities.infiltrators import INFILTRATORS, check_infiltrators, infiltrates
from sandtable.systems.w40k10.core_concepts import wholly_within
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.setting_up import room_for
from sandtable.systems.w40k10.state import Battle10, Unit, World10


@rule("w40k10.mission.deploy", neutral=((0, 0), (1 << 20, 0), (1 << 20, 1 << 20), (0, 1 << 20)))
def zone_of(w: World10, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return zones_of(w)[0 if w.side(player) == w.side(attacker_of(w)) else 1]


async def deploy_armies(b: Battle10) -> Step:
    """6. One unit at a time, the players deploy their armies."""
    return await deploy_next(b, who_deploys(b, EARLY), deploy, "w40k10.onlywar.deploy")


@rule("w40k10.onlywar.deploy_after")
async def deploy_late_units(b: Battle10) -> Step:
    """Units that are set up after both armies; if both players have some, a roll-off says who begins."""
    say_who_begins(b, LATE, roll_off)
    return await deploy_next(b, who_deploys(b, LATE), deploy, "w40k10.onlywar.deploy")


@rule("w40k10.onlywar.deploy", neutral=None)
def who_deploys(w: World10, group: Group) -> Selection | None:
    """Whose turn it is: the Attacker begins, the players alternate, who is done is passed over."""
    return next_selection(w, (group,), w.state.game.chooser)


@rule("w40k10.onlywar.deploy", "w40k10.reserve.definition", neutral=True)
def is_deployed(unit: Unit) -> bool:
    """Units in Reserves and units that are embarked are not set up."""
    return not unit.reserve and unit.embarked < 0


EARLY, LATE = early_and_late(is_deployed, every_model_has)


async def deploy(b: Battle10, unit: Unit) -> None:
    """Set one unit up."""
    roaming = "w40k10.ability.infiltrators" if infiltrates(b, unit) else ""
    await deploy_unit(b, unit, zone_of(b, unit.player), "w40k10.onlywar.deploy", roaming)


def rooms_to_deploy(w: World10, unit: Unit) -> tuple[Room, ...]:
    """Where a unit may be deployed: Infiltrators anywhere that is far enough from the enemy, everybody in the zone."""

    def where(spots: Spots) -> Verdict:
        return check_where(w, unit, spots)

    zone = room_for(w, unit, (zone_of(w, unit.player),), where)
    if not infiltrates(w, unit):
        return (zone,)
    return room_for(w, unit, (ANYWHERE,), where, gap=INFILTRATORS.gap, ideas=3), zone


def check_where(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """Within the own zone; Infiltrators anywhere that is far enough from the enemy."""
    verdict = check_zone(w, unit, spots)
    if verdict or not infiltrates(w, unit):
        return verdict
    return check_infiltrators(w, unit, spots)


@rule("w40k10.onlywar.deploy", neutral=ALLOWED)
def check_zone(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """Every model is wholly within the player's own deployment zone."""
    return check_in_zone(w, unit, spots, zone_of(w, unit.player), wholly_within, "w40k10.onlywar.deploy")


QUESTIONS: Final = deploying(
    rooms_to_deploy, lambda w, unit: without_room(w, rooms_to_deploy, unit, "w40k10.onlywar.deploy")
)
