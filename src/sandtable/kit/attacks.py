"""Resolving attacks in a battle: roll to hit, roll to wound, save, damage.

Hit and wound rolls are made in one batch each. How the wounds are then saved and who loses them is the edition's
`Procedure`, with a module each: in turn, in sorted batches, or pooled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec

from sandtable.attack.volley import Cites, Procedure, Target, Volley
from sandtable.battle.system import Question
from sandtable.kit.attack_batch import save_batch
from sandtable.kit.attack_damage import suffer_one
from sandtable.kit.attack_in_turn import walk
from sandtable.kit.attack_outcome import Due, Outcome, figures, losses
from sandtable.kit.attack_pooled import resolve_pool
from sandtable.kit.attack_rolls import NO_HOOKS, REROLL_QUESTION, Hooks, Roll, reroll_one
from sandtable.kit.attack_run import Run
from sandtable.kit.attack_target import Standing
from sandtable.kit.attack_wounds import roll_to_hit, roll_to_wound
from sandtable.kit.grammar import counted, does

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

__all__ = [
    "QUESTIONS",
    "Due",
    "Hooks",
    "Outcome",
    "Roll",
    "reroll_one",
    "resolve",
    "resolve_all",
    "suffer",
]

#: For a system's `questions`: the defaults of what is asked here. All others go by the default of their shape.
QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType({"reroll": REROLL_QUESTION})


async def resolve_all(
    b: AnyBattle,
    volleys: Iterable[Callable[[], Volley]],
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    unit: int,
    against: int,
    mortal_rules: Cites = (),
    procedure: Procedure = Procedure.EACH_IN_TURN,
) -> tuple[Outcome, ...]:
    """All volleys of a unit at one target, one after the other, and then the mortal wounds that were held back.

    Volleys are compiled only when their turn comes, since what happened before may change them; those whose wounds go
    into one pool are all rolled before anything happens, and so are compiled together.
    """
    if procedure is Procedure.POOLED:
        return await _pool(b, [compiled() for compiled in volleys], target, hooks, unit, against)
    outcomes = []
    for compiled in volleys:
        outcomes.append(await resolve(b, compiled(), target, hooks, unit=unit, against=against, procedure=procedure))
    due = [d for o in outcomes for d in o.mortal]
    if due:
        freely = target if procedure is Procedure.EACH_IN_TURN else lambda: _unbound(target())
        outcomes.append(await suffer(b, due, freely, hooks, unit=unit, against=against, rules=mortal_rules))
    return tuple(outcomes)


async def resolve(
    b: AnyBattle,
    volley: Volley,
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    unit: int,
    against: int,
    procedure: Procedure = Procedure.EACH_IN_TURN,
) -> Outcome:
    """Resolve one volley of `unit` at the unit `against`.

    `target` is asked for the bodies once, before the first die. Held mortal wounds are not inflicted but returned: give
    them to `suffer` when the last volley of the unit at this target is done. Against a target that is gone nothing is
    rolled.
    """
    if procedure is Procedure.EACH_IN_TURN:
        bodies, inflict = target(), walk
    elif procedure is Procedure.SORTED_BATCH:
        bodies, inflict = _unbound(target()), save_batch
    elif procedure is Procedure.POOLED:
        return (await _pool(b, [volley], target, hooks, unit, against))[0]
    else:
        raise ValueError(f"attacks that are made '{procedure.value}' have a flow of their own")
    run = Run(b, unit, against, hooks, Standing(b, bodies, against))
    if not run.standing.alive():
        return Outcome()
    slots = await roll_to_hit(run, volley)
    wounds = await roll_to_wound(run, volley, slots)
    await inflict(run, volley, wounds)
    return run.tell(volley.name)


async def _pool(
    b: AnyBattle, volleys: Sequence[Volley], target: Callable[[], Target], hooks: Hooks, unit: int, against: int
) -> tuple[Outcome, ...]:
    """Volleys whose wounds are saved and inflicted together; each tells of its own."""
    standing = Standing(b, _unbound(target()), against)
    if not standing.alive():
        return (Outcome(),) * len(volleys)
    runs = [Run(b, unit, against, hooks, standing) for _ in volleys]
    await resolve_pool(list(zip(runs, volleys, strict=True)), standing)
    return tuple(run.tell(volley.name) for run, volley in zip(runs, volleys, strict=True))


def _unbound(target: Target) -> Target:
    """Where saves come before anybody is picked, being given an attack binds nobody."""
    return msgspec.structs.replace(target, keeps=False) if target.keeps else target


async def suffer(
    b: AnyBattle,
    due: Sequence[Due],
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    against: int,
    unit: int = -1,
    rules: Cites = (),
) -> Outcome:
    """Let a unit suffer mortal wounds, point by point, from an attack or from anything else."""
    run = Run(b, unit, against, hooks, Standing(b, target(), against))
    if not run.standing.alive():
        return Outcome()
    run.cite(rules)
    for each in due:
        await suffer_one(run, each)
    outcome = run.outcome()
    total = sum(d.points for d in due)
    text = f"{does(b.unit(against), 'suffers')} {counted(total, 'mortal wound')}: {losses(outcome)}."
    units = [u for u in (unit, against) if u >= 0]
    b.tell("mortal-wounds", text, *run.cites, units=units, points=total, **figures(outcome))
    return outcome
