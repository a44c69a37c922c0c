"""Stragglers: the models that a unit loses where it does not stand together any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from sandtable.battle.decisions import ChooseSome, Option, Value
from sandtable.battle.state import GONE, AnyUnit
from sandtable.battle.system import Question
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.asking import some_of
from sandtable.kit.grammar import counted, does
from sandtable.table.coherency import Coherency, groups, neighbour_counts
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle, AnyWorld


@dataclass(frozen=True)
class Stragglers:
    """How a unit that has lost its coherency loses models for it."""

    whole: Callable[[Any, Bodies, Ints], bool]
    """(world, bodies, models): whether no more have to go."""
    wanted: Callable[[int], Coherency]
    """What coherency asks of so many models."""
    dear: Callable[[Any, int], bool]
    """(world, model): whether its owner would rather keep it."""
    rule: str


async def remove_stragglers(b: AnyBattle, unit: AnyUnit, book: Stragglers) -> list[int]:
    """A unit that is out of coherency loses models; they count as destroyed, but set nothing off."""
    options = tuple(Option(int(m), f"{unit.name} {unit.models.index(int(m)) + 1}") for m in b.on_table(unit))
    prompt = "{unit} {is} out of coherency: remove models, one by one, until the rest is in coherency"
    most = len(options) - 1
    chosen = await b.ask(some_of(unit, "stragglers", prompt, options, book.rule, least=1, most=most, deed="Remove"))
    gone = [int(m) for m in chosen]
    b.place_models(gone, GONE)
    told = f"{does(unit, 'loses')} {counted(len(gone), 'model')} out of coherency."
    b.tell("stragglers", told, book.rule, units=[unit.id], models=gone)
    return gone


def removing_stragglers(book: Stragglers) -> Question:
    """The question which models of a unit are removed, one by one, until the rest stands together."""

    def judge(w: AnyWorld, d: ChooseSome, answer: tuple[Value, ...]) -> Verdict:
        """The rest must be coherent, and not a model before the last removed may have been enough."""
        left = w.on_table(w.unit(d.unit))
        for i, gone in enumerate(answer):
            left = left[left != gone]
            whole = book.whole(w, w.bodies, left)
            if whole and i + 1 < len(answer):
                told = f"After {i + 1} removed models the rest is in coherency: no more are removed."
                return refuse(told, book.rule, instead=answer[: i + 1], removed=i + 1)
            if not whole and i + 1 == len(answer):
                told = "The rest would still be out of coherency."
                return refuse(told, book.rule, instead=default(w, d), left=len(left))
        return ALLOWED

    def default(w: AnyWorld, d: ChooseSome) -> tuple[Value, ...]:
        """Keep the largest group, and take off what holds least to it."""
        left = w.on_table(w.unit(d.unit))
        gone: list[Value] = []
        while len(left) > 1 and not book.whole(w, w.bodies, left):
            m = _loosest(w, left, book)
            gone.append(m)
            left = left[left != m]
        return tuple(gone)

    def suggest(w: AnyWorld, d: ChooseSome, rng: Random) -> Iterator[tuple[Value, ...]]:
        """The plain answer, or one that keeps another group."""
        models = w.on_table(w.unit(d.unit))
        wanted = book.wanted(len(models))
        label = groups(w.bodies, w.shapes, models, wanted.reach, wanted.vertical)
        remain = rng.randrange(int(label.max()) + 1)
        yield tuple(int(m) for m in models[label != remain])
        yield default(w, d)

    return Question(judge=judge, default=default, suggest=suggest)


def _loosest(w: AnyWorld, models: Ints, book: Stragglers) -> int:
    wanted = book.wanted(len(models))
    label = groups(w.bodies, w.shapes, models, wanted.reach, wanted.vertical)
    size = np.bincount(label)[label]
    near = neighbour_counts(w.bodies, w.shapes, models, wanted.reach, wanted.vertical)
    dear = np.array([book.dear(w, int(m)) for m in models], dtype=np.int64)
    held = np.bincount(label, dear)[label]
    # A whole group is removed before another is begun: the smallest, of equal ones one without anybody dear; then who
    # has fewest neighbours, then the last model.
    return int(min(zip(size, held, label, dear, near, -models, strict=True))[5]) * -1
