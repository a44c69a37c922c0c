"""Attached units (19): Leaders and Support units that are mustered with bodyguards, and are one unit with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sandtable.battle import ALLOWED, DONE, Assign, Assignment, Step, Verdict, refuse
from sandtable.errors import UserError
from sandtable.forty.formations import attach
from sandtable.forty.setup import UnitList
from sandtable.rules import Argument, rule
from sandtable.systems.w40k11.datasheet import Sheet
from sandtable.systems.w40k11.state import Battle11, Unit, World11, sheet_of

LEADER: Final = "leader"
SUPPORT: Final = "support"


@rule("w40k11.attached.form", neutral=Argument("bodyguard"))
def one_unit(bodyguard: tuple[int, ...], leader: tuple[int, ...]) -> tuple[int, ...]:
    """The models of an attached unit are one unit."""
    return bodyguard + leader


@rule("w40k11.unit.leader_support", neutral=LEADER)
def post(sheet: Sheet) -> str:
    """As what a unit joins others: as their Leader, or in Support of them."""
    return SUPPORT if sheet.has(SUPPORT) else LEADER


@rule("w40k11.attached.form")
def check_attached(leader: UnitList, bodyguard: UnitList | None, joined: Mapping[str, Sequence[UnitList]]) -> None:
    """Refuse who cannot be attached to a unit; it takes one Leader unit, and one Support unit."""
    if bodyguard is None or bodyguard.player != leader.player:
        raise UserError(f"{leader.name} cannot be attached to '{leader.leads}': the army has no such unit.")
    for m in leader.models:
        for guard in bodyguard.models:
            if guard.sheet.name not in m.sheet.leads:
                known = ", ".join(m.sheet.leads) or "nobody"
                raise UserError(f"{leader.name} can lead {known}, not {guard.sheet.name}.")
    mine = post(leader.models[0].sheet)
    for other in joined.get(leader.leads, ()):
        if post(other.models[0].sheet) == mine:
            raise UserError(f"{leader.leads} has a {mine.title()} already: {other.name}.")


@rule("w40k11.attached.form")
async def form_attached_units(b: Battle11) -> Step:
    """Units that the army lists attach to others join them, before anything else is decided."""
    for number, entry in enumerate(b.setup.data.roster):
        if entry.attach >= 0:
            form(b, b.unit(number), b.unit(entry.attach))
    return DONE


def form(b: Battle11, leader: Unit, unit: Unit) -> None:
    """A Leader or Support unit joins another."""
    attach(b, leader, unit, "w40k11.attached.form")


def judge_posts(w: World11, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether every unit is joined by one Leader unit and one Support unit at most."""
    taken = [(int(a.target), post(sheet_of(w, w.unit(int(a.row)).models[0]))) for a in answer]
    for number, mine in taken:
        if taken.count((number, mine)) > 1:
            return refuse(f"{w.unit(number).name} has a {mine.title()} already.", "w40k11.attached.form")
    return ALLOWED
