"""Settling an unclear situation: players who cannot agree roll off, and the winner picks the outcome.

Both players ask for it with a ruling that grants an effect of the kind `dispute`, whose value names the outcomes:

>>> battle.propose(0, Grant(Effect(DISPUTE, value="It is in range | It is not")))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Final

from sandtable.battle import AGAIN, Effect, Option, Question, Step
from sandtable.battle.system import StepFlow
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.state import Battle10

DISPUTE: Final = "dispute"


def hearing(steps: Iterable[StepFlow]) -> tuple[StepFlow, ...]:
    """Steps that settle what the players dispute before they go on."""
    return tuple(_hearing(step) for step in steps)


def _hearing(step: StepFlow) -> StepFlow:
    @wraps(step)
    async def run(b: Battle10) -> Step:
        for effect in b.state.effects:
            if effect.kind == DISPUTE:
                b.end_effects(lambda e: e is effect)  # noqa: B023
                await settle(b, effect)
                return AGAIN
        return await step(b)

    return run


@rule("w40k10.concept.dispute")
async def settle(b: Battle10, dispute: Effect) -> None:
    """The winner of a roll-off picks the outcome."""
    outcomes = [text.strip() for text in str(dispute.value).split("|") if text.strip()] or ["As I say"]
    winner = roll_off(b)
    chosen = await b.choose(
        winner,
        DISPUTE,
        "You won the roll-off: how is it handled?",
        [Option(text, text) for text in outcomes],
        rules=("w40k10.concept.dispute",),
    )
    b.tell("dispute", f"{b.player(winner).name} decides: {chosen}.", "w40k10.concept.dispute", outcome=chosen)


QUESTIONS: Final = {DISPUTE: Question()}
