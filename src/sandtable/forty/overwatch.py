"""Shooting at an enemy that comes close: who could do so, and whether it is worth it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.battle import Option
from sandtable.battle.kept import PLACES_OF_THESE, kept
from sandtable.forty.aiming import guns_carried, guns_of
from sandtable.forty.odds.plain import of_weapon
from sandtable.forty.state import Unit, World40
from sandtable.table.grid import STEP


class Overwatch(NamedTuple):
    """What an edition says about it."""

    may: Callable[[Any, Any, Any], bool]
    """(world, unit, enemy): may the unit shoot at it?"""
    reach: int
    """Nobody further away is asked."""
    need: Callable[[Any, Any], int]
    """(world, unit): what its shots hit on"""
    certain: Callable[[Any], bool]
    """(weapon): does it hit without a roll?"""
    lent: Callable[[Any, Any, int], Sequence[tuple[Any, ...]]]
    """(world, unit, enemy): the profiles of each weapon that others could lend it for these shots."""


def watchers(w: World40, player: int, enemy: Unit, book: Overwatch, trigger: str) -> list[Option]:
    """The units of a player that may shoot at an enemy, those for which it could be worth it, and those armed."""
    if not w.is_on_table(enemy):
        return []
    every, least = w.asks_every(player, trigger), _worth_a_thought(w, enemy)
    return [
        Option(u.id, u.name)
        for u in w.units_of(player)
        if (every or u.id in w.armed or _could_be_worth(w, u, enemy, least, book)) and book.may(w, u, enemy)
    ]


def is_worth_it(w: World40, unit: Unit, enemy: Unit, book: Overwatch) -> bool:
    """Weapons that hit without a roll, or shots that cost a wound, or a quarter of what is left, on average.

    Who armed a unit wants to be asked in any case.
    """
    if unit.id in w.armed:
        return True
    guns = Counter(g.profiles for g in guns_of(w, unit, enemy.id) if g.anything)
    guns.update(book.lent(w, unit, enemy.id))
    return _damage(w, unit, enemy, book.need(w, unit), book.certain, guns) >= _worth_a_thought(w, enemy)


def _worth_a_thought(w: World40, enemy: Unit) -> float:
    return min(1.0, int(w.state.models.wounds[w.on_table(enemy)].sum()) / 4)


def _could_be_worth(w: World40, unit: Unit, enemy: Unit, least: float, book: Overwatch) -> bool:
    """Whether a unit would do that much if everything were in sight: sight is dear to look at."""
    if not w.is_on_table(unit) or w.distance(unit, enemy) > book.reach:
        return False
    need = book.need(w, unit)
    total = _with_everything(w, unit, enemy, need, book.certain)
    if total < least and (lent := book.lent(w, unit, enemy.id)):
        total += _damage(w, unit, enemy, need, book.certain, Counter(lent))
    return total >= least


@kept(PLACES_OF_THESE)
def _with_everything(w: World40, unit: Unit, enemy: Unit, need: int, certain: Callable[[Any], bool]) -> float:
    return _damage(w, unit, enemy, need, certain, _arms(w, unit))


def _damage(
    w: World40,
    unit: Unit,
    enemy: Unit,
    need: int,
    certain: Callable[[Any], bool],
    guns: Mapping[tuple[Any, ...], int],
) -> float:
    """About how many wounds so many of these weapons take off, each with its best profile."""
    if any(certain(p) for profiles in guns for p in profiles):
        return float("inf")
    models = w.on_table(enemy)
    sheet, far, size = w.setup.data.kits[int(models[0])].sheet, w.distance(unit, enemy) / STEP, len(models)
    return sum(n * max([of_weapon(w, p, sheet, far, size, need) for p in profiles]) for profiles, n in guns.items())


@kept(PLACES_OF_THESE)
def _arms(w: World40, unit: Unit) -> Counter[tuple[Any, ...]]:
    """How many of which ranged weapons a unit has."""
    return Counter(item.profiles for m in w.on_table(unit).tolist() for item in guns_carried(w, m))
