"""Insane Bravery: a unit that failed a Battle-shock test stands firm after all."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Value
from sandtable.forty.moments import TEST_FAILED
from sandtable.forty.stratagems import offer_the_acting_unit, reaction
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.cards import INSANE_BRAVERY
from sandtable.systems.w40k10.stratagems.using import CARDS


@rule("w40k10.strat.insane_bravery", neutral=True)
def is_own_test(b: Battle10, player: int, moment: Moment) -> bool:
    """A Battle-shock test of the player's own unit, and one of the Battle-shock step."""
    return moment.data["step"] == "battle-shock" and b.unit(moment.unit).player == player


@rule("w40k10.strat.insane_bravery")
async def be_brave(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit counts as having passed."""
    unit = b.unit(int(value))
    b.set_unit(unit, battle_shocked=False)
    b.tell("brave", f"{does(unit, 'stands')} firm after all.", "w40k10.strat.insane_bravery", units=[unit.id])


REACTIONS: Final = (
    reaction(CARDS, INSANE_BRAVERY, TEST_FAILED, when=is_own_test, targets=offer_the_acting_unit, effect=be_brave),
)
