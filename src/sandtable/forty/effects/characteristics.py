"""Characteristics that abilities change: those of models, and those of their weapons."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sandtable.armies.effects import Characteristic
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.effects.at_work import Active, at_work, changes_model, outside_attacks
from sandtable.forty.effects.permissions import allows
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Unit, World40

T = TypeVar("T")


@kept(EVERYTHING)
def changes_of(w: World40, unit: Unit, name: str) -> tuple[Active[Characteristic], ...]:
    """What changes a characteristic of models in a unit now."""
    found = at_work(w, unit, Characteristic)
    return outside_attacks(a for a in found if a.effect.name == name and not a.effect.weapons) if found else ()


def changes_to_model(w: World40, unit: Unit, model: int, name: str) -> list[Characteristic]:
    """What changes a characteristic of one model."""
    return [a.effect for a in changes_of(w, unit, name) if changes_model(w, a, model)]


def of_each(w: World40, unit: Unit, ask: Callable[[Any, int], T]) -> list[T]:
    """What a characteristic comes to for each model of a unit on the table, asked once for all that are alike.

    Those of one datasheet with equally many wounds left are, unless abilities change characteristics of the unit.
    """
    models = w.on_table(unit).tolist()
    kinds = alike(w, unit, models)
    known = {kind: ask(w, m) for kind, m in dict(zip(kinds, models, strict=True)).items()}
    return [known[kind] for kind in kinds]


def alike(w: World40, unit: Unit, models: Sequence[int]) -> Sequence[Hashable]:
    """For each of some models of a unit what sets it apart from others: its characteristics are those of its equals."""
    if at_work(w, unit, Characteristic):
        return models
    kits, left = w.setup.data.kits, w.state.models.wounds
    return [(kits[m].sheet, int(left[m])) for m in models]


def changed(w: World40, changes: Sequence[Active[Characteristic]], model: int, name: str, value: int) -> int:
    """A characteristic of one model, after what changes it."""
    if not changes:
        return value
    found = [a.effect for a in changes if changes_model(w, a, model)]
    return settle(w.system.seam(Words).limits(name), value, found)


def characteristic(w: World40, unit: Unit, model: int, name: str, value: int) -> int:
    """A characteristic of a model: `value` is what its datasheet says."""
    return changed(w, changes_of(w, unit, name), model, name, value)


def moves_of(w: World40, unit: Unit, own: Callable[[int], int]) -> dict[int, int]:
    """The Move characteristic of each model of a unit; `own` says what it is before anything changes it."""
    changes = changes_of(w, unit, "M")
    if changes and allows(w, unit, "ignore_move_modifiers"):
        changes = tuple(a for a in changes if not is_slower(a.effect))
    return {m: changed(w, changes, m, "M", own(m)) for m in unit.models}


def is_slower(effect: Characteristic) -> bool:
    """Whether a change of the Move characteristic is one for the worse."""
    return effect.divide > 1 or (isinstance(effect.add, int) and effect.add < 0)


def settle(limits: tuple[int, int], value: int, effects: Iterable[Characteristic]) -> int:
    """A characteristic after several changes: first set, then multiplied, or divided and rounded up, then added to."""
    effects = list(effects)
    for e in effects:
        if e.to is not None:
            value = e.to
    for e in effects:
        value = -(-value * e.multiply // e.divide)
    value += sum(e.add for e in effects if isinstance(e.add, int) and not e.least)
    for e in effects:
        if e.least and isinstance(e.add, int):
            value = max(value + e.add, min(value, e.least))
    least, most = limits
    return min(most, max(least, value))


def settle_dice(text: str, effects: Iterable[Characteristic]) -> str:
    """The same for a number that may hold dice: Attacks and Damage, which are never below 1."""
    effects = list(effects)
    for e in effects:
        if e.to is not None:
            text = str(e.to)
    plus = sum(e.add for e in effects if isinstance(e.add, int))
    if text.isdecimal():
        number = int(text)
        for e in effects:
            number = -(-number * e.multiply // e.divide)
        text, plus = str(max(1, number + plus)), 0
    whole = "+".join([text, *(str(e.add) for e in effects if isinstance(e.add, str))])
    divide = 1 if whole.isdecimal() else math.prod(e.divide for e in effects)
    return (f"({whole})/{divide}" if divide > 1 else whole) + (f"{plus:+d}" if plus else "")


def names(actives: Iterable[Active[Any]]) -> tuple[str, ...]:
    """The names of abilities, each once, to be cited."""
    return tuple(dict.fromkeys(a.name for a in actives))


def bounds(least: Mapping[str, int], most: Mapping[str, int], name: str) -> tuple[int, int]:
    """Below and above which no change makes a characteristic, by what the least and the most are for some."""
    return least.get(name, -99), most.get(name, 99)
