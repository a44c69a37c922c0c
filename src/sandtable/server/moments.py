"""A moment of a battle as a scenario file: as the player who asks for it may know it, or as everybody may."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from sandtable import systems
from sandtable.api import disagreement
from sandtable.battle.decisions import Decision
from sandtable.battle.journal import Journal
from sandtable.battle.machine import Battle
from sandtable.battle.replaying import replay
from sandtable.battle.world import View
from sandtable.errors import UserError
from sandtable.kit.written import stage
from sandtable.server import disputes
from sandtable.server.protocol import SPECTATOR, MomentShown, ShowMoment

AnyView: TypeAlias = View[Any, Any, Any, Any]

PLAIN: Final = ShowMoment()
"""Somebody who says nothing about it."""


def shown(
    view: AnyView, decision: Decision[Any] | None = None, said: ShowMoment = PLAIN, left_out: str = ""
) -> MomentShown:
    """The moment as a file with a name, with what somebody said about it and the question that it cannot hold."""
    told = "The open question is not in this file, which goes on as near to it as it can"
    lost = f"{told}: {left_out}" if left_out else ""
    head = f"# {' '.join(lost.split())}\n" if lost else ""
    return MomentShown(name=file_name(view), text=head + write(view, decision, said), lost=lost)


def write(view: AnyView, decision: Decision[Any] | None = None, said: ShowMoment = PLAIN) -> str:
    """The moment as YAML that `sandtable scenario check` reads."""
    if view.system.moment is None:
        raise UserError(f"{view.system.name} cannot write its moments down yet.")
    doc = dict(view.system.moment(view))
    if view.player_id != SPECTATOR:
        doc["at"] = {**doc["at"], "seat": str(view.state.players[view.player_id].name)}
    return disputes.written(view, doc, decision, said)


def file_name(view: AnyView) -> str:
    """A plain name for the file: after the phase, or after the step where a system has no phases."""
    state = view.state
    step = view.system.segments[state.segment][state.step].__name__
    when = stage(state, str(getattr(state.game, "phase", step) or "set-up"))
    return f"round-{state.round}-{re.sub(r'[^a-z]+', '-', when.casefold()).strip('-')}.yaml"


def at(written: Journal, events: int, called: str = "The battle") -> MomentShown:
    """The moment of a journal once so many events have happened, as everybody may know it.

    In the middle of something nobody could play on, so that it is the next question, or the end.
    """
    found: list[tuple[int, AnyView]] = []

    def listen(battle: Battle[Any, Any, Any, Any], _: Any = None) -> None:
        now = len(battle.events)
        if found and now < found[0][0]:
            found.clear()  # it was taken back
        if not found and now >= events:
            found.append((now, battle.view_to_play_on(SPECTATOR)))

    battle, agreement = replay(written, systems.get(written.system), watch=listen)
    if not agreement.whole:
        raise UserError(disagreement(called, agreement))
    listen(battle)
    if not found:
        raise UserError(f"{called} has no moment {events}: it has come to {len(battle.events)}.")
    return shown(found[0][1])
