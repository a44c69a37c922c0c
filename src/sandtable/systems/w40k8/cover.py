"""Cover: what a unit within terrain adds to its saving throws; and what of it hides anybody from sight."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.kit.seeing import WHOLLY, Seeing, within_areas
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.table.grid import Bools

SEEING: Final = Seeing(solids=lambda: BOOK.solids_hide, models_block=lambda: BOOK.models_hide)
"""Only what is really there hides anybody."""


@rule("w40k8.cover.scope", "w40k8.cover.bonus", neutral=0)
def bonus_against(w: World8, unit: Unit, *, melee: bool) -> int:
    """What cover adds to a save: nothing in close combat."""
    return BOOK.cover if not melee and in_cover(w, unit) else 0


@rule("w40k8.cover.bonus", "w40k8.concept.datasheet", "w40k8.gap.terrain_kinds", neutral=False)
def in_cover(w: World8, unit: Unit) -> bool:
    """Whether all models of a unit are wholly within terrain of any kind, not all in the same feature."""
    inside = _inside(w, unit)
    if w.option("cover") == "one-feature":
        return bool(inside.all(axis=0).any())
    return bool(inside.any(axis=1).all())


def is_settled(w: World8, unit: Unit) -> bool:
    """Whether losses cannot change that: it has cover now, or nobody is within terrain."""
    return in_cover(w, unit) or not _inside(w, unit).any()


def who_is_in(w: World8, unit: Unit) -> list[int]:
    """The models that are wholly within terrain."""
    return [int(m) for m in w.on_table(unit)[_inside(w, unit).any(axis=1)]]


def _inside(w: World8, unit: Unit) -> Bools:
    """Which models are wholly within which terrain features."""
    return np.asarray(within_areas(w, unit) == WHOLLY)
