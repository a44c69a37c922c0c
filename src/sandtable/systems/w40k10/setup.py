"""Setting a battle up: what 10th edition says about tables, units and Leaders before the first step."""

from __future__ import annotations

from typing import Final

from sandtable.errors import UserError
from sandtable.forty import setup as shared
from sandtable.forty.setup import Frame, Leaders, UnitList
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10.datasheet import Sheet, check_sheet
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.readings import READINGS
from sandtable.systems.w40k10.state import Data, Game, Player, Unit
from sandtable.systems.w40k10.terrain import check_stacking

SYSTEM_ID: Final = "w40k10"
NAME: Final = "Warhammer 40,000, 10th edition"


# --- Units ------------------------------------------------------------------------------------------------------------


@rule("w40k10.ability.leader_one_unit", neutral=Argument("bodyguard"))
def one_unit(bodyguard: tuple[int, ...], leader: tuple[int, ...]) -> tuple[int, ...]:
    """The models of an Attached unit are one unit."""
    return bodyguard + leader


@rule("w40k10.ability.leader_attach")
def attach(leader: UnitList, bodyguard: UnitList | None, leaders: dict[str, UnitList]) -> None:
    """Refuse a Leader that cannot be attached to a unit."""
    if bodyguard is None or bodyguard.player != leader.player:
        raise UserError(f"{leader.name} cannot be attached to '{leader.leads}': the army has no such unit.")
    if not all(m.sheet.has("leader") for m in leader.models):
        raise UserError(f"{leader.name} is no Leader and cannot be attached to a unit.")
    for m in leader.models:
        for guard in bodyguard.models:
            if guard.sheet.name not in m.sheet.leads:
                raise UserError(
                    f"{leader.name} can lead {', '.join(m.sheet.leads) or 'nobody'}, not {guard.sheet.name}."
                )
    if leader.leads in leaders:
        raise UserError(f"{leader.leads} has a Leader already: {leaders[leader.leads].name}.")


@rule("w40k10.concept.unit")
def check_unit(brought: UnitList) -> None:
    """A unit has models."""
    shared.check_unit(brought)


FRAME: Final = Frame(
    system=SYSTEM_ID,
    name=NAME,
    readings=READINGS,
    unit=Unit,
    player=Player,
    game=Game,
    data=Data,
    sheet=Sheet,
    check_sheet=check_sheet,
    check_unit=check_unit,
    check_table=check_stacking,
    leaders=Leaders(check=attach, join=one_unit),
    shapes=(MARKER,),
)
