"""Rapid Ingress: a unit arrives from Reserves when the opponent has moved."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.moments import PHASE_ENDED
from sandtable.forty.stratagems import reaction
from sandtable.rules import rule
from sandtable.systems.w40k10.aircraft import may_come_early
from sandtable.systems.w40k10.reserves import arrive, find_arrival, may_arrive
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.cards import RAPID_INGRESS
from sandtable.systems.w40k10.stratagems.using import CARDS


def _movement_ends(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["phase"] == "movement" and any(u.reserve for u in b.units_of(player))


@rule("w40k10.strat.rapid_ingress", neutral=())
def may_ingress(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """Units in Reserves that could arrive in this battle round, and have room to."""
    ready = [u for u in b.units_of(player) if may_arrive(b, u) and may_come_early(u)]
    return [Option(u.id, u.name) for u in ready if find_arrival(b, u) is not None]


@rule("w40k10.strat.rapid_ingress")
async def ingress(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit arrives as if in its own Reinforcements step."""
    await arrive(b, b.unit(int(value)), optional=False)


REACTIONS: Final = (
    reaction(CARDS, RAPID_INGRESS, PHASE_ENDED, effect=ingress, targets=may_ingress, when=_movement_ends),
)
