"""Settling an unclear situation: players who cannot agree leave it to a winner, who picks the outcome.

All players ask for it with a ruling that grants an effect of the kind `dispute`, whose value names the outcomes:

>>> battle.propose(0, Grant(Effect(DISPUTE, value="It is in range | It is not")))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle import AGAIN, Effect, Option, Question, Step
from sandtable.battle.system import StepFlow

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

DISPUTE: Final = "dispute"


def hearing(
    steps: Iterable[StepFlow], settle: Callable[[Any, Effect], Coroutine[Any, Any, None]]
) -> tuple[StepFlow, ...]:
    """Steps that settle what the players dispute before they go on."""

    def heard(step: StepFlow) -> StepFlow:
        @wraps(step)
        async def run(b: AnyBattle) -> Step:
            for effect in b.state.effects:
                if effect.kind == DISPUTE:
                    b.end_effects(lambda e: e is effect)  # noqa: B023
                    await settle(b, effect)
                    return AGAIN
            return await step(b)

        return run

    return tuple(heard(step) for step in steps)


async def let_decide(b: AnyBattle, winner: int, dispute: Effect, rule: str) -> None:
    """The winner picks one of the outcomes."""
    outcomes = [text.strip() for text in str(dispute.value).split("|") if text.strip()] or ["As I say"]
    chosen = await b.choose(
        winner,
        DISPUTE,
        "You won the roll-off: how is it handled?",
        [Option(text, text) for text in outcomes],
        rules=(rule,),
    )
    b.tell("dispute", f"{b.player(winner).name} decides: {chosen}.", rule, outcome=chosen)


QUESTIONS: Final = {DISPUTE: Question()}
