"""The Most Important Rule: players who cannot agree about a situation roll off."""

from __future__ import annotations

from sandtable.battle import Effect
from sandtable.kit.disputes import let_decide
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.state import Battle10


@rule("w40k10.concept.dispute")
async def settle(b: Battle10, dispute: Effect) -> None:
    """The winner of a roll-off picks the outcome."""
    await let_decide(b, roll_off(b), dispute, "w40k10.concept.dispute")
