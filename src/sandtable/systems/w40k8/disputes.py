"""The Most Important Rule: players who find no common answer roll off."""

from __future__ import annotations

from sandtable.battle import Effect
from sandtable.kit.disputes import let_decide
from sandtable.rules import rule
from sandtable.systems.w40k8.dice import roll_off
from sandtable.systems.w40k8.state import Battle8


@rule("w40k8.concept.most_important_rule")
async def settle(b: Battle8, dispute: Effect) -> None:
    """The winner of a roll-off decides."""
    await let_decide(b, roll_off(b), dispute, "w40k8.concept.most_important_rule")
