"""Deployment: what stands in for it. The book uses deployment zones, and has none."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict, refuse
from sandtable.forty.deploying import deploy_next, deploying, set_up, without_room
from sandtable.forty.mission import attacker_of, zones_of
from sandtable.forty.placing import outside
from sandtable.kit.alternating import Group, next_selection
from sandtable.kit.room import Room, Spots, models_to_place, placed
from sandtable.rules import rule
from sandtable.systems.w40k11.concepts import wholly_within
from sandtable.systems.w40k11.setting_up import room_for
from sandtable.systems.w40k11.state import Battle11, Unit, World11


@rule("w40k11.gap.deployment", neutral=((0, 0), (1 << 20, 0), (1 << 20, 1 << 20), (0, 1 << 20)))
def zone_of(w: World11, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return zones_of(w)[0 if w.side(player) == w.side(attacker_of(w)) else 1]


@rule("w40k11.gap.deployment")
async def deploy_armies(b: Battle11) -> Step:
    """One unit at a time, the Attacker first, the players deploy their armies."""
    turn = next_selection(b, (WAITING,), b.state.game.chooser)
    return await deploy_next(b, turn, deploy, "w40k11.gap.deployment")


def waits(w: World11, unit: Unit) -> bool:
    """Whether a unit still has to be deployed."""
    return bool(models_to_place(w, unit)) and not unit.reserve and unit.embarked < 0 and not unit.no_room


WAITING: Final = Group(lambda w, unit: Verdict(waits(w, unit)), attacker_of)


async def deploy(b: Battle11, unit: Unit) -> None:
    """Set one unit up."""
    source = "w40k11.gap.deployment"
    await set_up(b, unit, zone_of(b, unit.player), source, told=source)


def rooms_to_deploy(w: World11, unit: Unit) -> tuple[Room, ...]:
    """Where a unit may be deployed."""

    def where(spots: Spots) -> Verdict:
        return check_zone(w, unit, spots)

    return (room_for(w, unit, (zone_of(w, unit.player),), where),)


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
