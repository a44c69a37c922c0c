"""Units that stand together: who is apart, which models are lost for it, and whom their owner would rather lose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sandtable.battle.decisions import ChooseSome, Value
from sandtable.battle.system import Question
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.table.coherency import Coherency, groups, neighbour_counts
from sandtable.table.grid import Ints, units
from sandtable.table.losses import order_of_loss
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

FEW: Final = 3
"""Fewer models than this cannot lose each other."""


def who_is_apart(
    w: AnyWorld, bodies: Bodies, models: Ints, wanted: Coherency, called: Callable[[Any, Sequence[int]], str]
) -> str:
    """Which models have too few of their unit near them, or which part stands apart, and how far off they are."""
    near = neighbour_counts(bodies, w.shapes, models, wanted.reach, wanted.vertical)
    apart = near < wanted.neighbours
    if not apart.any():
        label = groups(bodies, w.shapes, models, wanted.reach, wanted.vertical).tolist()
        apart = np.array(label) == min(label, key=label.count)
        far = float(distances(bodies, w.shapes, models[apart], models[~apart]).min())
        lack, which = "nobody of the rest", "nearest"
    else:
        # The nearest to each model is the model itself.
        far = float(np.sort(distances(bodies, w.shapes, models[apart], models), axis=1)[:, wanted.neighbours].max())
        lack, which = ("nobody", "nearest") if wanted.neighbours == 1 else ("fewer than 2", "second")
        lack = f"{lack} of the unit"
    who = called(w, models[apart].tolist())
    return f'{who} would have {lack} within {units(wanted.reach):.0f}": the {which} is {units(far):.2f}" away.'


# --- Stragglers -------------------------------------------------------------------------------------------------------


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


# --- Losses -----------------------------------------------------------------------------------------------------------


def order_of_losses(
    w: AnyWorld,
    models: Ints,
    kinds: Mapping[int, tuple[int, ...]],
    busy: Callable[[], Collection[int]],
    wanted: Callable[[int], Coherency],
) -> tuple[int, ...]:
    """The order in which a unit's owner would rather lose its models.

    The plain ones first, of these the outermost, and none whose loss would cost coherency: rather a dearer one, but
    none whose kind is dear, as its first number says, for these come last. Who is busy comes later.
    """
    rows = models.tolist()
    if len(rows) < FEW:
        return tuple(sorted(rows, key=lambda m: (kinds[m], -m)))
    off = w.bodies.pos[models, :2] - w.bodies.pos[models, :2].mean(axis=0)
    far = (off[:, 0] ** 2 + off[:, 1] ** 2).tolist()
    later = busy()
    ranked = models[sorted(range(len(rows)), key=lambda i: (kinds[rows[i]], rows[i] in later, -far[i], -i))]
    joined = w.links(ranked, ranked, wanted(len(models)).near)
    needed = np.array([wanted(k).neighbours for k in range(len(models) + 1)], dtype=np.int64)
    dear = np.array([kinds[m][0] for m in ranked.tolist()], dtype=np.int64)
    return tuple(ranked[order_of_loss(joined, needed, dear)].tolist())
