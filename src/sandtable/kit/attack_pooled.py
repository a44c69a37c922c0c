"""Pooled saves: all wounds of all volleys are saved on one number, then the owner removes casualties.

The save is the most common one of the unit. Unsaved wounds are put on models one after the other; the owner picks which
of them is next, where they differ, and on whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandtable.attack.procedures import common_reroll, common_saves
from sandtable.attack.volley import NEVER, NO_SAVE, Cites, DiceSum, Volley
from sandtable.battle.decisions import Option
from sandtable.kit.attack_damage import inflict, points_of
from sandtable.kit.attack_run import Run
from sandtable.kit.attack_target import Standing
from sandtable.kit.attack_wounds import roll_to_hit, roll_to_wound
from sandtable.kit.grammar import counted


@dataclass(frozen=True, eq=False)
class _Wound:
    """A wound in the pool."""

    run: Run
    """The volley that it came from."""
    save: int
    """The class of saving throw."""
    damage: DiceSum
    cites: Cites


async def resolve_pool(volleys: Sequence[tuple[Run, Volley]], standing: Standing) -> None:
    """Roll each stage for all volleys before the next stage; casualties fall at the end."""
    hits = [await roll_to_hit(run, volley) for run, volley in volleys]
    pool: list[_Wound] = []
    for (run, volley), slots in zip(volleys, hits, strict=True):
        for wound in await roll_to_wound(run, volley, slots):
            if wound.mortal is not None:
                raise ValueError("mortal wounds have no place in a pool of wounds")
            if wound.damage is not None:
                pool.append(_Wound(run, wound.save, wound.damage, wound.cites))
    await _remove_casualties(await _unsaved(pool, standing), standing)


async def _unsaved(pool: Sequence[_Wound], standing: Standing) -> list[_Wound]:
    """The wounds that are left after all saves, which are rolled together."""
    if not pool or not standing.alive():
        return []
    target = standing.target
    for wound in pool:
        wound.run.cite(target.cites)
    saves = common_saves(target)
    needed = [NEVER if w.save == NO_SAVE else saves[w.save] for w in pool]
    rolled = [n for n in needed if n < NEVER]
    stake = max(w.damage.mean for w in pool)
    model = standing.alive()[0].model
    defender = pool[0].run.defender
    made = iter(await defender.checks("save", rolled, common_reroll(target), target.cites, stake, model))
    unsaved = [w for w, n in zip(pool, needed, strict=True) if n >= NEVER or not next(made)]
    for wound in unsaved:
        wound.run.unsaved += 1
    return unsaved


# ---------------------------------------------------------------------- casualties


async def _remove_casualties(pool: list[_Wound], standing: Standing) -> None:
    """Put the unsaved wounds on bodies, one after the other, as long as there are both."""
    damages = list(dict.fromkeys(w.damage for w in pool))
    while pool and standing.somebody():
        wound = await _next(pool, damages, standing)
        pool.remove(wound)
        body = await standing.choose("a wound")
        if body is None:
            return
        await inflict(wound.run, body, await points_of(wound.run, wound.damage, wound.cites), body.pain)


async def _next(pool: Sequence[_Wound], damages: Sequence[DiceSum], standing: Standing) -> _Wound:
    """Let the owner pick which wound is next, of equal ones the oldest; asked only where it makes a difference."""
    oldest: dict[DiceSum, _Wound] = {}
    for wound in pool:
        oldest.setdefault(wound.damage, wound)
    first = pool[0]
    if len(oldest) == 1 or (not standing.asks_always and _any_kills(oldest, standing)):
        return first
    picked = await first.run.b.choose(
        first.run.defender.player,
        "wound",
        f"Which wound does {first.run.b.unit(first.run.against).name} take next?",
        [Option(damages.index(d), f"damage {d}", f"{counted(_number(pool, d), 'wound')} left") for d in oldest],
        rules=standing.target.cites,
        unit=first.run.against,
    )
    assert picked is not None
    return oldest[damages[int(picked)]]


def _number(pool: Iterable[_Wound], damage: DiceSum) -> int:
    return sum(w.damage == damage for w in pool)


def _any_kills(damages: Iterable[DiceSum], standing: Standing) -> bool:
    """Whether each of these wounds destroys whomever it is put on, so that it makes no difference which is next."""
    least = min(d.result(len(d.dice)) for d in damages)
    return all(x.pain >= NEVER and standing.wounds(x) <= least for x in standing.alive())
