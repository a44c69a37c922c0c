"""Declare Battle Formations: Leaders, then transports, then Reserves, written down in secret and revealed together."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Assign, Assignment, Option, Step, Verdict
from sandtable.forty import formations as shared
from sandtable.forty.formations import (
    EMBARK,
    LEAD,
    ask_riders,
    declare,
    joins,
    judge_riders,
    planning,
    rides,
    to_write_down,
    written,
)
from sandtable.kit.room import models_to_place
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.deep_strike import DEEP_STRIKE
from sandtable.systems.w40k10.abilities.leader import judge_leaders, leads
from sandtable.systems.w40k10.aircraft import may_start_aboard, must_be_in_reserves
from sandtable.systems.w40k10.muster import leave_empty_behind
from sandtable.systems.w40k10.reserves import STRATEGIC, set_aside
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.transports import check_hold, start_aboard


async def declare_leaders(b: Battle10) -> Step:
    """First it is written down which Leader is attached to which unit."""
    asked = [_ask_leaders(b, p.id) for p in b.state.players]
    await declare(b, asked, lambda a: (LEAD, int(a.row), int(a.target)))
    return DONE


def _ask_leaders(b: Battle10, player: int) -> Assign | None:
    rows = [(unit, leads(b, unit)) for unit in b.units_of(player)]
    led = [Option(i, b.unit(i).name) for i in sorted({i for _, bodyguards in rows for i in bodyguards})]
    prompt = "Which Leaders are attached to which units?"
    return to_write_down(player, "attach", prompt, rows, led, "w40k10.ability.leader_attach")


@rule("w40k10.transport.start_embarked")
async def declare_transports(b: Battle10) -> Step:
    """Next it is written down which units start the battle embarked, before anything is set up."""
    rules = ("w40k10.transport.start_embarked", "w40k10.transport.capacity")
    asked = [ask_riders(b, p.id, joins(p.plans), check_hold, *rules) for p in b.state.players]
    await declare(b, asked, lambda a: (EMBARK, int(a.row), int(a.target)))
    return DONE


@rule("w40k10.transport.start_embarked", neutral=ALLOWED)
def judge_transports(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Everybody in a transport has room; nobody is in a transport that is itself embarked."""
    return judge_riders(w, d, answer, check_hold, "w40k10.transport.start_embarked")


@rule("w40k10.mission.battle_formations", "w40k10.onlywar.formations")
async def reveal(b: Battle10) -> Step:
    """Both players show what they wrote down: Leaders join their units, then Reserves are set aside."""
    for p in b.state.players:
        plans = written(p)
        b.set_player(p, plans=())
        for leader, bodyguard in joins(plans).items():
            attach(b, b.unit(leader), b.unit(bodyguard))
        reserved = {unit: what for what, unit, _ in plans if what in (DEEP_STRIKE, STRATEGIC)}
        for unit, transport in rides(plans).items():
            if may_start_aboard(b, b.unit(unit), b.unit(transport), reserved):
                start_aboard(b, b.unit(unit), b.unit(transport))
                reserved.pop(unit, None)
        leave_empty_behind(b, p.id)
        for unit, how in reserved.items():
            if models_to_place(b, b.unit(unit)):
                set_aside(b, b.unit(unit), how)
        for unit_ in b.units_of(p.id):
            if must_be_in_reserves(b, unit_):
                set_aside(b, unit_, STRATEGIC)
    return DONE


def attach(b: Battle10, leader: Unit, unit: Unit) -> None:
    """A Leader joins a unit for the whole battle."""
    shared.attach(b, leader, unit, "w40k10.ability.leader_attach")


QUESTIONS: Final[dict[str, Any]] = {
    "attach": planning(judge_leaders, lambda e, _: e.attach, as_listed=0.6, at_random=(0.7, 0.7, 0.7)),
    "start_embarked": planning(judge_transports, lambda e, _: e.embark, as_listed=0.4, at_random=(0.5, 0.5, 0.5)),
}
