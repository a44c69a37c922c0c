"""Resolving attacks in a battle: roll to hit, roll to wound, save, damage.

Hit and wound rolls are made in one batch each. How the wounds are then saved and who loses them is the edition's
`Procedure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from sandtable.attack.mean import loss_by, rolled_again
from sandtable.attack.volley import NO_WOUND, Cites, Procedure, Target, Volley, Why, WoundKind
from sandtable.battle.decisions import Number
from sandtable.battle.system import Question
from sandtable.kit.attack.defenders import Defenders, Due, Outcome, Run, figures, losses, suffer_one
from sandtable.kit.attack.rolling import NO_HOOKS, REROLL_QUESTION, Hooks, what_wounds
from sandtable.kit.attack.saving import save_in_turn, save_pooled, save_sorted
from sandtable.kit.grammar import counted, does

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle


#: For a system's `questions`: the defaults of what is asked here. All others go by the default of their shape.
QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType({"reroll": REROLL_QUESTION})
#: For a system's `default_orders`: what failed is rolled again, and its player asked where more could be.
USUAL_REROLLS: Final[Mapping[str, Any]] = MappingProxyType({"for": "reroll", "do": "ask", "if": ["*"]})


Lot: TypeAlias = Callable[[], tuple[Volley, Callable[[], Target]]]
"""Compiles a volley when its turn comes, with the function that says what its target is then."""


async def resolve_all(
    b: AnyBattle,
    lots: Iterable[Lot],
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
        compiled = [lot() for lot in lots]
        return await _pool(b, [v for v, _ in compiled], compiled[-1][1], hooks, unit, against) if compiled else ()
    outcomes = []
    target: Callable[[], Target] | None = None
    for lot in lots:
        volley, target = lot()
        outcomes.append(await resolve(b, volley, target, hooks, unit=unit, against=against, procedure=procedure))
    due = [d for o in outcomes for d in o.mortal]
    if due and target is not None:
        last = target
        freely = last if procedure is Procedure.EACH_IN_TURN else lambda: _unbound(last())
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
        bodies, inflict = target(), save_in_turn
    elif procedure is Procedure.SORTED_BATCH:
        bodies, inflict = _unbound(target()), save_sorted
    elif procedure is Procedure.POOLED:
        return (await _pool(b, [volley], target, hooks, unit, against))[0]
    else:
        raise ValueError(f"attacks that are made '{procedure.value}' have a flow of their own")
    run = Run(b, unit, against, hooks, Defenders(b, bodies, against), target)
    if not run.defenders.alive():
        return Outcome()
    slots = await roll_to_hit(run, volley)
    wounds = await roll_to_wound(run, volley, slots)
    await inflict(run, volley, wounds)
    return run.tell(volley.name)


async def _pool(
    b: AnyBattle, volleys: Sequence[Volley], target: Callable[[], Target], hooks: Hooks, unit: int, against: int
) -> tuple[Outcome, ...]:
    """Volleys whose wounds are saved and inflicted together; each tells of its own."""
    defenders = Defenders(b, _unbound(target()), against)
    if not defenders.alive():
        return (Outcome(),) * len(volleys)
    runs = [Run(b, unit, against, hooks, defenders) for _ in volleys]
    pairs = list(zip(runs, volleys, strict=True))
    # Each stage is rolled for all volleys before the next.
    hits = [await roll_to_hit(run, volley) for run, volley in pairs]
    wounds = [
        (run, wound)
        for (run, volley), slots in zip(pairs, hits, strict=True)
        for wound in await roll_to_wound(run, volley, slots)
    ]
    await save_pooled(wounds, defenders)
    return tuple(run.tell(volley.name) for run, volley in pairs)


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
    run = Run(b, unit, against, hooks, Defenders(b, target(), against))
    if not run.defenders.alive():
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


# --- From attacks to wounds -------------------------------------------------------------------------------------------


async def roll_to_hit(run: Run, volley: Volley) -> list[int | None]:
    """The hits, in the order of the attacks: None for one that needs a wound roll, else a kind of wound."""
    run.cite(volley.cites)
    run.attacks = await _number_of_attacks(run, volley)
    roll = volley.hit
    faces = (6,) * run.attacks
    if roll.rolled:
        worth = partial(_worth_of_hits, run, volley)
        faces = await run.attacker.stage("hit", roll, run.attacks, worth, _stake(run, volley))
    run.cite(roll.cites)
    sums = [e for f in faces if (e := roll.faces[f - 1].extra) is not None]
    extra = iter(await run.attacker.numbers("extra hits", sums, roll.cites) if sums else ())
    slots: list[int | None] = []
    for f in faces:
        face = roll.faces[f - 1]
        if face.wounds:
            slots += [volley.automatic] * face.wounds
        hits = face.hits if face.extra is None else face.hits + next(extra)
        if hits:
            slots += [None] * hits
        if face.critical:
            run.criticals += 1
        if face.cites and face.success:
            run.cite(face.cites)
    run.hits = len(slots)
    return slots


async def _number_of_attacks(run: Run, volley: Volley) -> int:
    if all(s.each.fixed for s in volley.shots):
        return sum(s.weapons * max(0, s.each.result()) for s in volley.shots)
    each = [s.each for s in volley.shots for _ in range(s.weapons)]
    return sum(max(0, n) for n in await run.attacker.numbers("attacks", each, volley.cites, _why_so_many(volley)))


def _why_so_many(volley: Volley) -> Why:
    """What the attacks of each weapon are made of, where all weapons are alike."""
    return volley.shots[0].why if len(volley.shots) == 1 else ()


async def roll_to_wound(run: Run, volley: Volley, slots: list[int | None]) -> list[WoundKind]:
    """The wounds, in the order of the attacks."""
    if not slots:
        return []
    if volley.may_roll:
        slots = await _rolled_instead(run, volley, slots)
    roll = volley.wound
    rolls = slots.count(None)
    more = len(slots) - rolls
    by = what_wounds(volley.hit) if more else ""
    rolled: tuple[int, ...] = (6,) * rolls
    if roll.rolled:
        worth = partial(_worth_of_wounds, run, volley)
        rolled = await run.attacker.stage("wound", roll, rolls, worth, _stake(run, volley), by, more)
    faces = iter(rolled)
    if rolls:
        run.cite(roll.cites)
    wounds = []
    for slot in slots:
        if slot is not None:
            wounds.append(volley.kinds[slot])
            continue
        face = roll.faces[next(faces) - 1]
        if face.kind != NO_WOUND:
            run.cite(face.cites)
            wounds.append(volley.kinds[face.kind])
    for wound in wounds:
        run.cite(wound.cites)
    run.wounds = len(wounds)
    return wounds


async def _rolled_instead(run: Run, volley: Volley, slots: list[int | None]) -> list[int | None]:
    """Let the attacker roll to wound for hits that would wound by themselves; asked where a roll could do more."""
    sure = len(slots) - slots.count(None)
    more = any(f.success and f.kind != volley.automatic for f in volley.wound.faces)
    if not sure or not (more or run.defenders.asks_always):
        return slots
    number = await run.b.ask(
        Number(
            player=run.attacker.player,
            kind="roll_to_wound",
            prompt=f"{volley.name}: {counted(sure, 'hit')} may wound without a roll. For how many is it rolled?",
            rules=volley.hit.cites,
            unit=run.unit,
            least=0,
            most=sure,
        )
    )
    out = list(slots)
    for place in [i for i, slot in enumerate(slots) if slot is not None][:number]:
        out[place] = None
    return out


def _worth_of_hits(run: Run, volley: Volley) -> list[float]:
    """What each face of a hit roll takes off the target on average."""
    by_kind, to_wound = _losses(run, volley), _worth_of_wounds(run, volley)
    each = sum(to_wound) / len(to_wound) * rolled_again(volley.wound) if volley.wound.rolled else to_wound[-1]
    hits = [f.hits if f.extra is None else f.hits + f.extra.mean for f in volley.hit.faces]
    return [f.wounds * by_kind[volley.automatic] + each * n for f, n in zip(volley.hit.faces, hits, strict=True)]


def _worth_of_wounds(run: Run, volley: Volley) -> list[float]:
    """What each face of a wound roll takes off the target on average."""
    by_kind = _losses(run, volley)
    return [0.0 if f.kind == NO_WOUND else by_kind[f.kind] for f in volley.wound.faces]


def _losses(run: Run, volley: Volley) -> list[float]:
    """What a wound of each kind takes off whoever is next in line."""
    defenders = run.defenders
    first = defenders.candidates(defenders.alive())[:1]
    return [sum(loss_by(kind, body) for body in first) for kind in volley.kinds]


def _stake(run: Run, volley: Volley) -> float:
    """How many wounds depend on one attack, where somebody looks at it."""
    if not run.hooks.watches:
        return 1.0
    return max((k.damage.mean for k in volley.kinds if k.damage is not None), default=1.0)
