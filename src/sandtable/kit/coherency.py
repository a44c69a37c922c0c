"""Units that stand together: who is apart, and whom their owner would rather lose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from sandtable.battle.state import AnyUnit
from sandtable.battle.verdict import Fact, Reason, Verdict
from sandtable.kit.cites import Length
from sandtable.table.coherency import Coherency, groups, neighbour_counts
from sandtable.table.grid import Ints, units
from sandtable.table.losses import order_of_loss
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

FEW: Final = 3
"""Fewer models than this cannot lose each other."""


class Apart(NamedTuple):
    """Models that do not stand with the rest of their unit, what is told of them, and in the table's unit of length how
    far off they are, and how far they may be."""

    text: str
    models: tuple[int, ...]
    gap: float
    limit: float

    def refusal(self, unit: AnyUnit, would: str, *rules: str) -> Verdict:
        """That they would stand so."""
        text = f"{unit.name} would {would} out of coherency. {self.text}"
        facts: dict[str, Fact] = {"unit": unit.id, "gap": self.gap, "limit": self.limit}
        return Verdict(False, (Reason(text, rules, facts, self.models),))


def who_is_apart(
    w: AnyWorld, bodies: Bodies, models: Ints, wanted: Coherency, called: Callable[[Any, Sequence[int]], str]
) -> Apart:
    """Which models have too few of their unit near them, or which part stands apart, and how far off they are."""
    near = neighbour_counts(bodies, w.shapes, models, wanted.reach, wanted.vertical)
    apart = near < wanted.neighbours
    if not apart.any():
        label = groups(bodies, w.shapes, models, wanted.reach, wanted.vertical).tolist()
        if wanted.spread >= 0 and (len(set(label)) == 1 or not wanted.one_group):
            return _too_far_spread(w, bodies, models, wanted, called)
        apart = np.array(label) == min(label, key=label.count)
        far = float(distances(bodies, w.shapes, models[apart], models[~apart]).min())
        lack, which = "nobody of the rest", "nearest"
    else:
        # The nearest to each model is the model itself.
        far = float(np.sort(distances(bodies, w.shapes, models[apart], models), axis=1)[:, wanted.neighbours].max())
        lack, which = ("nobody", "nearest") if wanted.neighbours == 1 else ("fewer than 2", "second")
        lack = f"{lack} of the unit"
    off, limit = models[apart].tolist(), units(wanted.reach)
    within, away = Length(w, wanted.reach), Length(w, far, wanted.reach)
    text = f"{called(w, off)} would have {lack} within {within:.0f}: the {which} is {away} away."
    return Apart(text, tuple(off), round(units(far), 3), limit)


def _too_far_spread(
    w: AnyWorld, bodies: Bodies, models: Ints, wanted: Coherency, called: Callable[[Any, Sequence[int]], str]
) -> Apart:
    """Which two models are furthest apart, where each is next to another."""
    gaps = distances(bodies, w.shapes, models, models)
    pair = tuple(int(models[i]) for i in np.unravel_index(int(gaps.argmax()), gaps.shape))
    far = float(gaps.max())
    apart, most = Length(w, far, wanted.spread), Length(w, wanted.spread)
    text = f"{called(w, pair)} would be {apart} apart, and no two of a unit may be further than {most:.0f}."
    return Apart(text, pair, round(units(far), 3), units(wanted.spread))


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
        later = busy() if len(rows) > 1 else ()
        return tuple(sorted(rows, key=lambda m: (kinds[m], m in later, -m)))
    off = w.bodies.pos[models, :2] - w.bodies.pos[models, :2].mean(axis=0)
    far = (off[:, 0] ** 2 + off[:, 1] ** 2).tolist()
    later = busy()
    ranked = models[sorted(range(len(rows)), key=lambda i: (kinds[rows[i]], rows[i] in later, -far[i], -i))]
    joined = w.links(ranked, ranked, wanted(len(models)).near)
    needed = np.array([wanted(k).neighbours for k in range(len(models) + 1)], dtype=np.int64)
    dear = np.array([kinds[m][0] for m in ranked.tolist()], dtype=np.int64)
    return tuple(ranked[order_of_loss(joined, needed, dear)].tolist())
