"""Models that blow up when they are destroyed, and hurt all units around them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

import numpy as np

from sandtable.attack.volley import dice
from sandtable.battle.flows import Apart
from sandtable.battle.rolls import Each
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.effects.deeds import order_units
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.attack.rolling import by_sums
from sandtable.kit.grammar import does
from sandtable.table.measure import distances

NAME = "deadly demise"
"""The ability, and what its die is rolled for"""


async def blow_up(
    b: Battle40,
    unit: Unit,
    model: int,
    goes_off_from: int,
    near: Callable[[Any, int], Sequence[Any]],
    inflict: Callable[..., Coroutine[Any, Any, None]],
    rule: str,
) -> None:
    """On a high roll every unit that is `near` suffers mortal wounds; a random number is rolled for each of them."""
    goes_off = Each("it goes off/nothing happens", needed=goes_off_from)
    if b.roll_one(NAME, unit.player, rules=(rule,), read=goes_off) < goes_off_from:
        return
    # The model that blows up is as good as gone: none of the mortal wounds goes to it.
    b.set_wounds(model, 0)
    amount = dice(core_values(b, unit, model, NAME)[0])
    read = by_sums("mortal wound(s)", (amount,), ())
    hit = near(b, model)
    text = f"{does(unit, 'goes')} down with a Deadly Demise."
    b.tell("deadly_demise", text, rule, units=[unit.id, *(u.id for u in hit)])
    for victim in await order_units(b, hit):
        points = amount.of(b.roll(len(amount.dice), f"{NAME} wounds", unit.player, rules=(rule,), read=read))
        await Apart(inflict(b, victim, points, rule, by=unit.id))


def units_around(w: World40, units: Iterable[Unit], model: int, far: int) -> list[Any]:
    """Those of some units that have a model so near to a model that is about to be removed, itself left out."""
    here, near = np.array([model], dtype=np.int64), []
    for u in units:
        # Who went down before and is not removed yet is destroyed all the same.
        models = np.array([m for m in w.on_table(u) if m != model and w.state.models.wounds[m] > 0], dtype=np.int64)
        if len(models) and float(distances(w.bodies, w.shapes, here, models).min()) <= far:
            near.append(u)
    return near
