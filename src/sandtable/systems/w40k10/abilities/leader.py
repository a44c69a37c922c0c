"""Leader: who is attached to whom, and what it means to be an Attached unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.battle import ALLOWED, Assign, Assignment, Verdict, refuse
from sandtable.errors import UserError
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.permissions import allows
from sandtable.forty.setup import UnitList
from sandtable.forty.state import is_attached
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Unit, World10, sheet_of


@rule("w40k10.ability.leader_attach", neutral=())
def leads(w: World10, unit: Unit) -> tuple[int, ...]:
    """The units that a Leader's datasheet lets it lead."""
    entry = w.setup.data.roster[unit.id]
    return entry.leads if all(sheet_of(w, m).has("leader") for m in unit.models) else ()


@rule("w40k10.ability.leader_attach", neutral=ALLOWED)
def judge_leaders(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """A unit takes one Leader, or two whose datasheets, or its own, say so."""
    roster = w.setup.data.roster
    led: dict[int, int] = {}
    full: list[int] = []
    for a in answer:
        leader, target = int(a.row), int(a.target)
        first = led.setdefault(target, leader)
        if first == leader:
            continue
        beside = first in roster[leader].beside or allows(w, w.unit(target), "second_leader")
        if target in full or not beside:
            name, other = w.unit(target).name, w.unit(first).name
            return refuse(f"{name} has a Leader already: {other}.", "w40k10.ability.leader_attach")
        full.append(target)
    return ALLOWED


@rule("w40k10.ability.leader_one_unit", neutral=Argument("bodyguard"))
def one_unit(bodyguard: tuple[int, ...], leader: tuple[int, ...]) -> tuple[int, ...]:
    """The models of an Attached unit are one unit."""
    return bodyguard + leader


@rule("w40k10.ability.leader_attach")
def check_leader(leader: UnitList, bodyguard: UnitList | None, leaders: Mapping[str, Sequence[UnitList]]) -> None:
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
        raise UserError(f"{leader.leads} has a Leader already: {leaders[leader.leads][0].name}.")


@rule("w40k10.ability.leader_toughness", neutral=1)
def toughness(w: World10, target: Unit) -> int:
    """The Bodyguard's Toughness, while there is one; in a mixed unit that of most models, the higher one in a tie."""
    models = [int(m) for m in w.on_table(target)]
    if is_attached(w, target):
        models = [m for m in models if m not in target.leader]
    changes = changes_of(w, target, "T")
    values = [changed(w, changes, m, "T", sheet_of(w, m).toughness) for m in models]
    return max(values, key=lambda t: (values.count(t), t), default=1)


@rule("w40k10.ability.leader_toughness", neutral=Argument("shot"))
def at_last(w: World10, target: Unit, shot: Shot) -> Shot:
    """An attack when its turn comes: only an Attached unit keeps the Toughness that it was selected with."""
    return shot if shot.attached else msgspec.structs.replace(shot, toughness=toughness(w, target))


@rule("w40k10.ability.leader_allocation", neutral=False)
def protected(w: World10, target: Unit, model: int) -> bool:
    """CHARACTER models of an Attached unit are safe while the Bodyguard stands."""
    return model in target.leader and is_attached(w, target)
