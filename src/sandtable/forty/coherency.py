"""Units that do not stand together: what is said of them, and what they lose for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.battle import AGAIN, ALLOWED, DONE, Step, Verdict
from sandtable.forty.attached import tell_lost_parts
from sandtable.forty.state import Battle40, Unit, World40, called_all
from sandtable.kit.alternating import players_from
from sandtable.kit.coherency import who_is_apart
from sandtable.kit.stragglers import Stragglers, remove_stragglers
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies


def check_together(
    w: World40,
    unit: Unit,
    would: str,
    bodies: Bodies,
    models: Ints,
    whole: Callable[[Any, Bodies, Ints], bool],
    wanted: Callable[[int], Coherency],
    *rules: str,
) -> Verdict:
    """Whether models of a unit would end, or be set up, in coherency; else which of them would be apart.

    `whole` is the edition's judgement, and `wanted` what coherency asks of so many models.
    """
    if whole(w, bodies, models):
        return ALLOWED
    return who_is_apart(w, bodies, models, wanted(len(models)), called_all).refusal(unit, would, *rules)


async def lose_stragglers(b: Battle40, book: Stragglers, destroyed: str) -> Step:
    """The next unit that is out of coherency loses models until it stands together again.

    `destroyed` is the rule behind the end of a part of an attached unit.
    """
    for player in players_from(b, b.state.active):
        for unit in b.units_of(player):
            if not book.whole(b, b.bodies, b.on_table(unit)):
                gone = await remove_stragglers(b, unit, book)
                tell_lost_parts(b, unit, gone, destroyed)
                return AGAIN
    return DONE
