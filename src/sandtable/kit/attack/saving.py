"""Saves, in the three ways that editions have them: each in turn, in sorted batches, and pooled.

Each in turn, every wound is given to a model, saved and inflicted before the next. In sorted batches all saves of a
volley are rolled, sorted, and taken from the lowest up over the groups of the target. Pooled, all wounds of all volleys
are saved on one number, and then the owner removes casualties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from sandtable.attack.procedures import batch_kinds, check_batch, common_reroll, common_saves, group_of
from sandtable.attack.volley import NEVER, NO_SAVE, Body, Cites, DiceSum, Volley, WoundKind
from sandtable.battle.decisions import Option, Order
from sandtable.kit.attack.defenders import Defenders, Due, Run, give, inflict, needed, points_of, suffer_one, why_saved
from sandtable.kit.grammar import counted

# --- Each in turn -----------------------------------------------------------------------------------------------------


async def save_in_turn(run: Run, volley: Volley, wounds: list[WoundKind]) -> None:
    """Go through the wounds one by one, in the order of the attacks."""
    place = 0
    while place < len(wounds) and run.defenders.somebody():
        batch = _fast(run, volley, wounds[place:])
        saved = await _save_together(run, batch) if len(batch) > 1 else [None]
        for wound, save in zip(batch, saved, strict=True):
            await _one_wound(run, volley, wound, save)
        place += len(batch)


def _fast(run: Run, volley: Volley, wounds: list[WoundKind]) -> list[WoundKind]:
    """The next wounds whose saves can be rolled together: never those with random damage, or that may be aimed."""
    plain = 0
    most = 0
    for wound in wounds:
        if volley.aim or not volley.together or wound.mortal is not None or wound.damage is None:
            break
        if wound.in_turn and not wound.damage.fixed:
            break
        plain += 1
        most = max(most, wound.damage.most)
    return wounds[: min(plain, run.defenders.sure(most, run.hooks.anew))] if plain > 1 else wounds[:1]


async def _save_together(run: Run, batch: list[WoundKind]) -> list[bool | None]:
    """Save dice of wounds that meet equal bodies; None for a wound that nothing can save."""
    defenders = run.defenders
    body = defenders.candidates(defenders.alive())[0]
    faces = [needed(body, wound) for wound in batch]
    rolled = [n for n in faces if n < NEVER]
    stake = max((w.damage.mean for w in batch if w.damage is not None), default=1.0) if run.hooks.watches else 1.0
    run.after_roll()
    why = why_saved(body, batch[0])
    cites = defenders.target.cites
    by = body.save_reroll_cites
    made = iter(await run.defender.checks("save", rolled, body.save_reroll, cites, stake, body.model, why, by))
    return [next(made) if n < NEVER else None for n in faces]


async def _one_wound(run: Run, volley: Volley, wound: WoundKind, save: bool | None) -> None:
    """Allocate, save and inflict one wound; `save` is known where it was rolled in a batch."""
    defenders = run.defenders
    if not defenders.somebody():
        return
    aimed = await _aim_one(run, volley) if volley.aim else None
    if wound.damage is not None:
        body = aimed or await defenders.choose("an attack")
        if body is None:
            return
        give(run, body)
        run.cite(defenders.target.cites)
        if save is None:
            save = await _save(run, body, wound)
        if not save:
            run.unsaved += 1
            points = await points_of(run, wound.damage, wound.cites, wound.why, wound.reroll_cites, body)
            await inflict(run, body, points, body.pain)
    if wound.mortal is not None:
        points = await points_of(run, wound.mortal.points, wound.cites, wound.why)
        due = Due(points, wound.mortal.spill, aimed.model if aimed is not None else -1)
        if wound.mortal.held:
            run.mortal.append(due)
        else:
            await suffer_one(run, due)


async def _aim_one(run: Run, volley: Volley) -> Body | None:
    """Let the attacker direct the wound at a body that others protect."""
    run.defenders.look_again()
    alive = run.defenders.alive()
    front = run.defenders.front(alive)
    offered = [x for x in alive if x.model in volley.aim and x.rank > front[0].rank]
    return await run.aim(volley, "Direct this attack at", offered)


async def _save(run: Run, body: Body, wound: WoundKind) -> bool:
    face = needed(body, wound)
    if face >= NEVER:
        return False
    stake = wound.damage.mean if run.hooks.watches and wound.damage is not None else 1.0
    run.after_roll()
    cites = run.defenders.target.cites
    why = why_saved(body, wound)
    by = body.save_reroll_cites
    return (await run.defender.checks("save", [face], body.save_reroll, cites, stake, body.model, why, by))[0]


# --- Sorted batches ---------------------------------------------------------------------------------------------------


Group: TypeAlias = list[Body]


async def save_sorted(run: Run, volley: Volley, wounds: list[WoundKind]) -> None:
    """Save and inflict all wounds of a volley; mortal wounds are held back."""
    if not wounds:
        return
    normal, _ = batch_kinds(volley)
    number = sum(w.damage is not None for w in wounds)
    if normal is not None and number and run.defenders.alive():
        run.cite(run.defenders.target.cites)
        order = await _declare(run, volley, normal)
        await _take(run, normal, order, await _roll_saves(run, normal, order, number))
    await _hold_back(run, [w for w in wounds if w.mortal is not None])


# --- The order of groups ----------------------------------------------------------------------------------------------


async def _declare(run: Run, volley: Volley, wound: WoundKind) -> list[Group]:
    """The groups in the order in which they take attacks."""
    groups = _groups(run)
    first = await _aim_first(run, volley, groups)
    others = [g for g in groups if g is not first]
    order = [first] if first else []
    for _, free in groupby(others, lambda g: _duty(run, g)):
        order += await _in_order(run, list(free), wound)
    return order


def _groups(run: Run) -> list[Group]:
    """The groups that stand: by rank, those with a hurt body before others, then in the order of the target."""
    defenders = run.defenders
    found: dict[tuple[object, ...], Group] = {group_of(x.model, x): [] for x in defenders.target.bodies}
    for body in defenders.alive():
        found[group_of(body.model, body)].append(body)
    return sorted(filter(None, found.values()), key=lambda g: _duty(run, g))


def _duty(run: Run, group: Group) -> tuple[int, bool]:
    return group[0].rank, not run.defenders.hurt(group)


async def _aim_first(run: Run, volley: Volley, groups: Sequence[Group]) -> Group | None:
    """Let the attacker have the group of a character take the first dice."""
    offered = [g for g in groups if g[0].rank and g[0].model in volley.aim]
    if len(groups) == 1 and not run.defenders.asks_always:
        return None
    body = await run.aim(volley, "Direct these attacks first at", [g[0] for g in offered])
    return next((g for g in offered if g[0] is body), None)


async def _in_order(run: Run, groups: list[Group], wound: WoundKind) -> list[Group]:
    """Let the defender order groups among which no rule decides; asked only where it makes a difference."""
    defenders = run.defenders
    if len(groups) == 1 or (not defenders.asks_always and defenders.alike([x for g in groups for x in g])):
        return groups
    name = run.b.unit(run.against).name
    order = await run.b.ask(
        Order(
            player=run.defender.player,
            kind="groups",
            prompt=f"In which order do these models of {name} take the attacks?",
            options=tuple(Option(g[0].model, _label(g), _note(g[0], wound)) for g in groups),
            rules=defenders.target.cites,
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


# --- Save and damage --------------------------------------------------------------------------------------------------


async def _roll_saves(run: Run, wound: WoundKind, order: Sequence[Group], number: int) -> tuple[int, ...]:
    """The save dice of a batch; where nobody has a save none are rolled, and each counts as a 1."""
    bodies = [x for g in order for x in g]
    check_batch(bodies)
    faces = tuple(dict.fromkeys(needed(x, wound) for x in bodies))
    if min(faces) >= NEVER:
        return (1,) * number
    stake = wound.damage.mean if run.hooks.watches and wound.damage is not None else 1.0
    first = bodies[0]
    return await run.defender.saves(number, faces, first.save_reroll, run.defenders.target.cites, stake, first.model)


async def _take(run: Run, wound: WoundKind, order: Sequence[Group], faces: Sequence[int]) -> None:
    """Take the dice from the lowest up. What saves all that it can come to ends it: all others are as high."""
    assert wound.damage is not None
    defenders = run.defenders
    for face in sorted(faces):
        group = _current(run, order)
        may = defenders.hurt(group) or group
        if all(face >= needed(body, wound) for body in may):
            return
        body = await defenders.pick(may, "an attack")
        if face >= needed(body, wound):
            continue
        run.unsaved += 1
        points = await points_of(run, wound.damage, wound.cites, wound.why, wound.reroll_cites, body)
        await inflict(run, body, points, body.pain)


def _current(run: Run, order: Sequence[Group]) -> Group:
    """What stands of the first group that is not wiped out."""
    stand = {x.model for x in run.defenders.alive()}
    return next((found for g in order if (found := [x for x in g if x.model in stand])), [])


async def _hold_back(run: Run, wounds: Sequence[WoundKind]) -> None:
    """Roll how many mortal wounds there are; most wait for the end of the unit's attacks on this target."""
    lots = [w.mortal for w in wounds if w.mortal is not None]
    if lots and run.defenders.alive():
        points = await run.attacker.numbers("damage", [m.points for m in lots], wounds[0].cites, wounds[0].why)
        for number, mortal in zip(points, lots, strict=True):
            if mortal.held:
                run.mortal.append(Due(number, mortal.spill))
            else:
                await suffer_one(run, Due(number, mortal.spill))


# --- Pooled -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Wound:
    """A wound in the pool."""

    run: Run
    """The volley that it came from."""
    save: int
    """The class of saving throw."""
    damage: DiceSum
    cites: Cites


async def save_pooled(wounds: Sequence[tuple[Run, WoundKind]], defenders: Defenders) -> None:
    """Save all wounds of all volleys together; casualties fall at the end."""
    pool: list[_Wound] = []
    for run, wound in wounds:
        if wound.mortal is not None:
            raise ValueError("mortal wounds have no place in a pool of wounds")
        if wound.damage is not None:
            pool.append(_Wound(run, wound.save, wound.damage, wound.cites))
    await _remove_casualties(await _unsaved(pool, defenders), defenders)


async def _unsaved(pool: Sequence[_Wound], defenders: Defenders) -> list[_Wound]:
    """The wounds that are left after all saves, which are rolled together."""
    if not pool or not defenders.alive():
        return []
    target = defenders.target
    for wound in pool:
        wound.run.cite(target.cites)
    saves = common_saves(target)
    needed = [NEVER if w.save == NO_SAVE else saves[w.save] for w in pool]
    rolled = [n for n in needed if n < NEVER]
    stake = max(w.damage.mean for w in pool)
    model = defenders.alive()[0].model
    defender = pool[0].run.defender
    made = iter(await defender.checks("save", rolled, common_reroll(target), target.cites, stake, model))
    unsaved = [w for w, n in zip(pool, needed, strict=True) if n >= NEVER or not next(made)]
    for wound in unsaved:
        wound.run.unsaved += 1
    return unsaved


# --- Casualties -------------------------------------------------------------------------------------------------------


async def _remove_casualties(pool: list[_Wound], defenders: Defenders) -> None:
    """Put the unsaved wounds on bodies, one after the other, as long as there are both."""
    damages = list(dict.fromkeys(w.damage for w in pool))
    while pool and defenders.somebody():
        wound = await _next(pool, damages, defenders)
        pool.remove(wound)
        body = await defenders.choose("a wound")
        if body is None:
            return
        points = await points_of(wound.run, wound.damage, wound.cites, body=body)
        await inflict(wound.run, body, points, body.pain)


async def _next(pool: Sequence[_Wound], damages: Sequence[DiceSum], defenders: Defenders) -> _Wound:
    """Let the owner pick which wound is next, of equal ones the oldest; asked only where it makes a difference."""
    oldest: dict[DiceSum, _Wound] = {}
    for wound in pool:
        oldest.setdefault(wound.damage, wound)
    first = pool[0]
    if len(oldest) == 1 or (not defenders.asks_always and _any_kills(oldest, defenders)):
        return first
    picked = await first.run.b.choose(
        first.run.defender.player,
        "wound",
        f"Which wound does {first.run.b.unit(first.run.against).name} take next?",
        [Option(damages.index(d), f"damage {d}", f"{counted(_number(pool, d), 'wound')} left") for d in oldest],
        rules=defenders.target.cites,
        unit=first.run.against,
    )
    assert picked is not None
    return oldest[damages[int(picked)]]


def _number(pool: Iterable[_Wound], damage: DiceSum) -> int:
    return sum(w.damage == damage for w in pool)


def _any_kills(damages: Iterable[DiceSum], defenders: Defenders) -> bool:
    """Whether each of these wounds destroys whomever it is put on, so that it makes no difference which is next."""
    least = min(d.result(len(d.dice)) for d in damages)
    return all(x.pain >= NEVER and defenders.wounds(x) <= least for x in defenders.alive())
