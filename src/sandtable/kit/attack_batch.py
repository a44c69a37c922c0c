"""Sorted batches: all saves of a volley are rolled, sorted, and taken from the lowest up over the groups of the target.

The owner of the target puts its groups in order before the dice are rolled; the attacker may be allowed to have one
group go first. A die meets the saves of the group that it comes to. Mortal wounds wait until all volleys are done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

from sandtable.attack.procedures import batch_kinds, check_batch, group_of
from sandtable.attack.volley import NEVER, Body, Volley, WoundKind
from sandtable.battle.decisions import Option, Order
from sandtable.kit.attack_damage import inflict, points_of
from sandtable.kit.attack_outcome import Due
from sandtable.kit.attack_run import Run
from sandtable.kit.attack_target import needed
from sandtable.kit.grammar import counted

Group: TypeAlias = list[Body]


async def save_batch(run: Run, volley: Volley, wounds: list[WoundKind]) -> None:
    """Save and inflict all wounds of a volley; mortal wounds are held back."""
    if not wounds:
        return
    normal, _ = batch_kinds(volley)
    number = sum(w.damage is not None for w in wounds)
    if normal is not None and number and run.standing.alive():
        run.cite(run.standing.target.cites)
        order = await _declare(run, volley, normal)
        await _take(run, normal, order, await _roll_saves(run, normal, order, number))
    await _hold_back(run, [w for w in wounds if w.mortal is not None])


# ---------------------------------------------------------------------- the order of groups


async def _declare(run: Run, volley: Volley, wound: WoundKind) -> list[Group]:
    """The groups in the order in which they take attacks."""
    groups = _groups(run)
    first = await _aim(run, volley, groups)
    others = [g for g in groups if g is not first]
    order = [first] if first else []
    for _, free in groupby(others, lambda g: _duty(run, g)):
        order += await _in_order(run, list(free), wound)
    return order


def _groups(run: Run) -> list[Group]:
    """The groups that stand: by rank, those with a hurt body before others, then in the order of the target."""
    found: dict[tuple[object, ...], Group] = {}
    for body in run.standing.alive():
        found.setdefault(group_of(body.model, body), []).append(body)
    return sorted(found.values(), key=lambda g: _duty(run, g))


def _duty(run: Run, group: Group) -> tuple[int, bool]:
    return group[0].rank, not run.standing.hurt(group)


async def _aim(run: Run, volley: Volley, groups: Sequence[Group]) -> Group | None:
    """Let the attacker have the group of a character take the first dice."""
    offered = [g for g in groups if g[0].rank and g[0].model in volley.aim]
    if len(groups) == 1 and not run.standing.asks_always:
        return None
    body = await run.aim(volley, "Direct these attacks first at", [g[0] for g in offered])
    return next((g for g in offered if g[0] is body), None)


async def _in_order(run: Run, groups: list[Group], wound: WoundKind) -> list[Group]:
    """Let the defender order groups among which no rule decides; asked only where it makes a difference."""
    standing = run.standing
    if len(groups) == 1 or (not standing.asks_always and standing.alike([x for g in groups for x in g])):
        return groups
    name = run.b.unit(run.against).name
    order = await run.b.ask(
        Order(
            player=run.defender.player,
            kind="groups",
            prompt=f"In which order do these models of {name} take the attacks?",
            options=tuple(Option(g[0].model, _label(g), _note(g[0], wound)) for g in groups),
            rules=standing.target.cites,
            unit=run.against,
        )
    )
    by_model = {g[0].model: g for g in groups}
    return [by_model[int(model)] for model in order]


def _label(group: Group) -> str:
    names = Counter(x.group or "model" for x in group)
    return ", ".join(f"{n} x {name}" for name, n in names.items())


def _note(body: Body, wound: WoundKind) -> str:
    face = needed(body, wound)
    return f"{counted(body.full, 'wound')}, {f'save {face}+' if face < NEVER else 'no save'}"


# ---------------------------------------------------------------------- save and damage


async def _roll_saves(run: Run, wound: WoundKind, order: Sequence[Group], number: int) -> tuple[int, ...]:
    """The save dice of a batch; where nobody has a save none are rolled, and each counts as a 1."""
    bodies = [x for g in order for x in g]
    check_batch(bodies)
    faces = tuple(dict.fromkeys(needed(g[0], wound) for g in order))
    if min(faces) >= NEVER:
        return (1,) * number
    stake = wound.damage.mean if run.hooks.watches and wound.damage is not None else 1.0
    first = bodies[0]
    return await run.defender.saves(number, faces, first.save_reroll, run.standing.target.cites, stake, first.model)


async def _take(run: Run, wound: WoundKind, order: Sequence[Group], faces: Sequence[int]) -> None:
    """Take the dice from the lowest up. What saves the group that they come to ends it: all others are as high."""
    assert wound.damage is not None
    standing = run.standing
    for face in sorted(faces):
        group = _current(run, order)
        if not group or face >= needed(group[0], wound):
            return
        run.unsaved += 1
        body = await standing.pick(standing.hurt(group) or group, "an attack")
        points = await points_of(run, wound.damage, wound.cites, wound.why, wound.reroll_cites)
        await inflict(run, body, points, body.pain)


def _current(run: Run, order: Sequence[Group]) -> Group:
    """What stands of the first group that is not wiped out."""
    stand = {x.model for x in run.standing.alive()}
    return next((found for g in order if (found := [x for x in g if x.model in stand])), [])


async def _hold_back(run: Run, wounds: Sequence[WoundKind]) -> None:
    """Roll how many mortal wounds wait for the end of the unit's attacks on this target."""
    lots = [w.mortal for w in wounds if w.mortal is not None]
    if lots and run.standing.alive():
        points = await run.attacker.numbers("damage", [m.points for m in lots], wounds[0].cites, wounds[0].why)
        run.mortal += [Due(n, m.spill) for n, m in zip(points, lots, strict=True)]
