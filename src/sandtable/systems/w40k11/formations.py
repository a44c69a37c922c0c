"""Declare Battle Formations: what stands in for the step. Transports, then reserves, in secret, revealed together."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import DONE, Assign, Assignment, Moment, Option, Step, Verdict
from sandtable.forty.formations import (
    EMBARK,
    ask_riders,
    declare,
    judge_riders,
    planning,
    rides,
    to_write_down,
    written,
)
from sandtable.forty.moments import FORMATIONS
from sandtable.forty.passengers import leave_empty_behind
from sandtable.kit.room import models_to_place
from sandtable.kit.rounds import NOBODY
from sandtable.rules import rule
from sandtable.systems.w40k11.aircraft import must_wait
from sandtable.systems.w40k11.concepts import has_keyword
from sandtable.systems.w40k11.state import STRATEGIC, Battle11, World11
from sandtable.systems.w40k11.strategic_reserves import can_wait, judge_reserves, set_aside
from sandtable.systems.w40k11.transports import check_hold, start_aboard


@rule("w40k11.transport.start_embarked", "w40k11.gap.battle_formations")
async def declare_transports(b: Battle11) -> Step:
    """First it is written down which units start the battle embarked."""
    rules = ("w40k11.transport.start_embarked", "w40k11.transport.capacity")
    asked = [ask_riders(b, p.id, {}, check_hold, *rules) for p in b.state.players]
    await declare(b, asked, lambda a: (EMBARK, int(a.row), int(a.target)))
    return DONE


@rule("w40k11.gap.battle_formations")
async def declare_reserves(b: Battle11) -> Step:
    """Then which units start in strategic reserves."""
    await declare(b, [_ask_reserves(b, p.id) for p in b.state.players], lambda a: (STRATEGIC, int(a.row), NOBODY))
    return DONE


def _ask_reserves(b: Battle11, player: int) -> Assign | None:
    riding = rides(b.player(player).plans)
    free = [u for u in b.units_of(player) if u.models and u.id not in riding and not must_wait(b, u)]
    rows = [(unit, [STRATEGIC]) for unit in free if can_wait(b, unit)]
    prompt, options = "Which units start the battle in strategic reserves?", [Option(STRATEGIC, "Strategic reserves")]
    return to_write_down(player, "reserves", prompt, rows, options, "w40k11.reserves.placing", joined=riding)


def judge_transports(w: World11, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Everybody in a transport has room; nobody is in a transport that is itself embarked."""
    return judge_riders(w, d, answer, check_hold, "w40k11.transport.start_embarked")


@rule("w40k11.gap.battle_formations")
async def reveal(b: Battle11) -> Step:
    """Both players show what they wrote down; AIRCRAFT are in reserves in any case."""
    for p in b.state.players:
        plans = written(p)
        b.set_player(p, plans=())
        for unit, transport in rides(plans).items():
            start_aboard(b, b.unit(unit), b.unit(transport))
        leave_behind(b, p.id)
        reserved = {unit for what, unit, _ in plans if what == STRATEGIC}
        for one in b.units_of(p.id):
            if (one.id in reserved or must_wait(b, one)) and models_to_place(b, one):
                set_aside(b, one)
    await b.window(FORMATIONS, Moment())
    return DONE


@rule("w40k11.gap.dedicated_transport")
def leave_behind(b: Battle11, player: int) -> None:
    """A DEDICATED TRANSPORT that nobody starts in is not deployed, and counts as destroyed."""
    leave_empty_behind(b, player, has_keyword, "w40k11.gap.dedicated_transport")


QUESTIONS: Final[dict[str, Any]] = {
    "start_embarked": planning(judge_transports, lambda e, _: e.embark, as_listed=0.4, at_random=(0.5, 0.5, 0.5)),
    "reserves": planning(
        judge_reserves, lambda e, ways: ways[0] if e.reserves else None, as_listed=0.6, at_random=(0.3, 0.15)
    ),
}
