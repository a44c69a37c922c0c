"""Deploy armies, and what happens between deployment and the first turn: Infiltrators and Scouts."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict
from sandtable.forty.deploying import InZones, Roaming, check_in_zone, early_and_late, say_who_begins
from sandtable.forty.mission import own_zone
from sandtable.kit.alternating import Group, Selection, next_selection
from sandtable.kit.room import Spots
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
    return own_zone(w, player)


async def deploy_armies(b: Battle10) -> Step:
    """6. One unit at a time, the players deploy their armies."""
    return await DEPLOYMENT.deploy_next(b, who_deploys(b, EARLY))


@rule("w40k10.onlywar.deploy_after")
async def deploy_late_units(b: Battle10) -> Step:
    """Units that are set up after both armies; if both players have some, a roll-off says who begins."""
    say_who_begins(b, LATE, roll_off)
    return await DEPLOYMENT.deploy_next(b, who_deploys(b, LATE))


@rule("w40k10.onlywar.deploy", neutral=None)
def who_deploys(w: World10, group: Group) -> Selection | None:
    """Whose turn it is: the Attacker begins, the players alternate, who is done is passed over."""
    return next_selection(w, (group,), w.state.game.chooser)


@rule("w40k10.onlywar.deploy", "w40k10.reserve.definition", neutral=True)
def is_deployed(unit: Unit) -> bool:
    """Units in Reserves and units that are embarked are not set up."""
    return not unit.reserve and unit.embarked < 0


EARLY, LATE = early_and_late(is_deployed, every_model_has)


@rule("w40k10.onlywar.deploy", neutral=ALLOWED)
def check_zone(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """Every model is wholly within the player's own deployment zone."""
    return check_in_zone(w, unit, spots, zone_of(w, unit.player), wholly_within, "w40k10.onlywar.deploy")


ROAMING: Final = Roaming("w40k10.ability.infiltrators", infiltrates, check_infiltrators, lambda: INFILTRATORS.gap)
DEPLOYMENT: Final = InZones("w40k10.onlywar.deploy", zone_of, check_zone, room_for, ROAMING)
rooms_to_deploy: Final = DEPLOYMENT.rooms
QUESTIONS: Final = DEPLOYMENT.questions()
