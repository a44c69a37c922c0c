"""Slain models."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from sandtable.battle import GONE, Moment
from sandtable.forty.effects.occasions import falls_hard
from sandtable.forty.moments import MODEL_DESTROYED
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k8.only_war import end_if_wiped_out
from sandtable.systems.w40k8.state import Battle8, Unit, unit_of


class Endings(NamedTuple):
    """What happens when a model is slain, before it is taken off the table."""

    abandon: Callable[[Any, Any, int], Coroutine[Any, Any, None]]
    """(battle, unit, model): passengers get out."""


@rule("w40k8.attack.damage")
async def slay(b: Battle8, model: int) -> None:
    """A model without wounds is slain: it is taken off the table at once, and counts for Morale."""
    unit = unit_of(b, model)
    if falls_hard(b, unit):
        # Whom it takes along falls at the same time.
        before = b.state.game.unjudged
        b.set_game(unjudged=True)
        await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}))
        b.set_game(unjudged=before)
    await b.system.seam(Endings).abandon(b, unit, model)
    b.place_models([model], GONE)
    b.set_unit(unit, slain=unit.slain + 1)
    tell_the_end(b, unit)
    end_if_wiped_out(b)


def tell_the_end(b: Battle8, unit: Unit) -> None:
    """Tell of a unit whose last model is gone."""
    if not b.is_on_table(unit):
        b.tell("unit_slain", f"{does(unit, 'is')} slain to the last.", "w40k8.attack.damage", units=[unit.id])
