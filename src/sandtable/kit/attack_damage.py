"""Damage: what a wound takes off, feel no pain, casualties, and mortal wounds."""

from __future__ import annotations

from typing import Final

from sandtable.attack.volley import NEVER, Body, Cites, DiceSum, Why
from sandtable.kit.attack_outcome import Due
from sandtable.kit.attack_run import Run

FEEL_NO_PAIN: Final = "feel no pain"


async def points_of(run: Run, number: DiceSum, cites: Cites, why: Why = (), by: Cites = ()) -> int:
    """Damage or mortal wounds of one wound; `why` says what it is made of, and `by` what may re-roll it."""
    if number.fixed:
        return number.result()
    run.standing.look_again()
    return (await run.attacker.numbers("damage", [number], cites, why, by))[0]


def give(run: Run, body: Body) -> None:
    """Write down that a body was given an attack, where that binds it."""
    if run.standing.target.keeps:
        run.standing.take(body)
        run.hooks.allocated(run.b, body.model)


async def inflict(run: Run, body: Body, points: int, pain: int) -> int:
    """Take wounds off a body, at most those it has; the points that are left over."""
    b = run.b
    before = wounds = run.standing.wounds(body)
    while points > 0 and wounds > 0:
        # As many dice as can be needed: the last of them is the first that could destroy the model.
        step = min(points, wounds)
        kept: list[bool] = []
        if pain < NEVER:
            run.cite(run.standing.target.pain_cites)
            run.after_roll()
            cites, why = run.standing.target.pain_cites, body.pain_why
            kept = await run.defender.checks(FEEL_NO_PAIN, [pain] * step, rules=cites, why=why)
        points -= step
        wounds -= step - sum(kept)
    if wounds < before:
        run.damage += before - wounds
        b.set_wounds(body.model, wounds)
    if wounds == 0:
        run.destroyed.append(body.model)
        run.standing.look_again()
        await run.hooks.destroy(b, body.model)
    return points


# ---------------------------------------------------------------------- mortal wounds


async def suffer_one(run: Run, due: Due) -> None:
    """Mortal wounds, one after the other, as long as there are points and bodies."""
    points, first = due.points, due.first
    while points > 0:
        body = _first(run, first) or await run.standing.choose("a mortal wound")
        if body is None:
            return
        give(run, body)
        # Point by point; but where one body has to take all that come, they can be taken at once.
        at_once = points if _takes_all(run, body, due) else 1
        left = await inflict(run, body, at_once, body.pain_against_mortal)
        points += left - at_once
        if not due.spill:
            if run.standing.wounds(body) <= 0:
                return
            first = body.model


def _first(run: Run, model: int) -> Body | None:
    """The body that is to take mortal wounds before all others, while it stands."""
    if model < 0:
        return None
    run.standing.look_again()
    return next((x for x in run.standing.alive() if x.model == model), None)


def _takes_all(run: Run, body: Body, due: Due) -> bool:
    """Whether a body takes every further point for as long as it stands."""
    standing = run.standing
    if due.first == body.model or not due.spill:
        return True
    if standing.holds(body):
        return True
    front = standing.front(standing.alive())
    return standing.target.keeps and standing.forced(front) == [body]
