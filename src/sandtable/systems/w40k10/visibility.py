"""Determining visibility: who sees whom, fully or not, and which terrain feature stands in the way."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

import numpy as np

from sandtable.battle import TABLE
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import Bools, Ints
from sandtable.table.measure import area_classes
from sandtable.table.sight import HARD, NONE, SOFT, Blocking, Sight, look, prisms_of

# How a model stands to a terrain feature.
OUTSIDE: Final = 0
PARTLY: Final = 1
WHOLLY: Final = 2
EXEMPT: Final = 3
"""AIRCRAFT and TOWERING models see and are seen past ruins and woods."""

RUINS: Final = "ruins"
WOODS: Final = "woods"
SKY: Final = 1 << 40
"""Areas block without upper limit."""


def sight(w: World10, unit: Unit, target: Unit) -> Sight:
    """What the models of a unit see fully of another; rows and columns are their models on the table.

    Here they look through the other models of the observed unit; for what is visible at all, see `visible`.
    """
    return w.cached(("sight", unit.id, target.id), lambda: _look(w, unit, target, fully=True))


def visible(w: World10, unit: Unit, target: Unit) -> Bools:
    """Which models of a unit see which models of another, [observer, target]."""
    return w.cached(("visible", unit.id, target.id), lambda: _look(w, unit, target, fully=False).visible)


def presume(w: World10, unit: Unit, target: Unit, *, seen: bool) -> None:
    """Settle that everybody of two units sees everybody, or nobody anybody, where nobody asks about a table."""
    for one, other in ((unit, target), (target, unit)):
        size = (len(w.on_table(one)), len(w.on_table(other)))
        w.cached(("visible", one.id, other.id), partial(np.full, size, seen))


def _look(w: World10, unit: Unit, target: Unit, *, fully: bool) -> Sight:
    table = blocking(w, unit, target, fully=fully)
    prisms = w.cached(("prisms",), lambda: prisms_of(w.bodies, w.shapes, w.terrain, table.band_top))
    return look(w.bodies, w.shapes, w.terrain, w.on_table(unit), w.on_table(target), table, fully=fully, prisms=prisms)


def sees(w: World10, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any model of another."""
    return unit_visible(visible(w, unit, target))


@rule("w40k10.concept.unit_visible", neutral=False)
def unit_visible(seen: Bools) -> bool:
    """A unit is visible as soon as one of its models is."""
    return bool(seen.any())


@rule("w40k10.concept.unit_fully_visible", neutral=True)
def unit_fully_visible(w: World10, model: int, unit: Unit, target: Unit) -> bool:
    """Whether a model sees every model of a unit fully."""
    row = w.on_table(unit).tolist().index(model)
    return bool(sight(w, unit, target).full[row].all())


def within_areas(w: World10, unit: Unit) -> Ints:
    """How the models of a unit stand to each terrain feature, [model, feature]: OUTSIDE, PARTLY or WHOLLY within."""

    def look() -> Ints:
        models, terrain = w.on_table(unit), w.terrain
        found = np.asarray(area_classes(w.bodies, w.shapes, models, terrain.outline, terrain.corners))
        if not BOOK.area_of_all_floors:
            found = np.where(w.bodies.pos[models, 2][:, None] > 0, OUTSIDE, found)
        return found

    return w.standing(("areas", unit.id), look, unit.id)


@rule("w40k10.terrain.woods_footprint", "w40k10.concept.wholly_within", neutral=True)
def is_wholly_within(stands: int) -> bool:
    """Whether a model is wholly within an area: its whole base is."""
    return stands == WHOLLY


def standing(w: World10, unit: Unit) -> Ints:
    """The same as far as sight is concerned: EXEMPT for models for whom ruins and woods do not count."""
    found = within_areas(w, unit)
    past = w.fixed("see_past", lambda: frozenset(m for m in range(len(w.state.models.unit)) if sees_past(w, m)))
    if not past:
        return found
    here = [m in past for m in w.on_table(unit).tolist()]
    if any(here):
        found = found.copy()
        found[here] = EXEMPT
    return found


def sees_past(w: World10, model: int) -> bool:
    """Whether ruins and woods do not count for a model."""
    return model_has_keyword(w, model, "AIRCRAFT") or model_has_keyword(w, model, "TOWERING")


def blocking(w: World10, unit: Unit, target: Unit, *, fully: bool) -> Blocking:
    """What stops whose sight."""
    return w.cached(("blocking",), lambda: _blocking(w))._replace(
        observer_class=standing(w, unit),
        target_class=standing(w, target),
        group=w.state.models.unit,
        target_group_blocks_visible=BOOK.own_ranks_hide if fully else 1,
    )


def _blocking(w: World10) -> Blocking:
    """What of it is the same whoever looks at whom."""
    kinds = tuple(f.kind for f in w.table.features)
    mode, physical = _modes(kinds, BOOK.through_other_areas, BOOK.through_solids)
    features, models = len(kinds), w.state.models
    nobody = np.zeros((0, features), dtype=np.int64)
    return Blocking(
        observer_class=nobody,
        target_class=nobody,
        mode=mode,
        depth=np.zeros(features, dtype=np.int64),
        band_top=np.full(features, SKY, dtype=np.int64),
        physical=physical,
        model_blocks=((models.place == TABLE) & BOOK.models_block).astype(np.int64),
        group=models.unit,
        target_group_blocks_visible=1,
        target_group_blocks_full=BOOK.own_ranks_hide,
        half_width=0,
    )


@lru_cache(maxsize=256)
def _modes(kinds: tuple[str, ...], others: int, solids: int) -> tuple[Ints, Ints]:
    mode = np.full((len(kinds), 4, 4), NONE, dtype=np.int64)
    for f, kind in enumerate(kinds):
        for observer in range(4):
            for target in range(4):
                if kind == RUINS:
                    mode[f, observer, target] = through_ruins(observer, target)
                elif kind == WOODS:
                    mode[f, observer, target] = through_woods(observer, target)
                else:
                    mode[f, observer, target] = others
    return mode, np.full((len(kinds), 4, 4), solids, dtype=np.int64)


@rule("w40k10.terrain.ruins_visibility", neutral=NONE)
def through_ruins(observer: int, target: int) -> int:
    """Nobody sees through ruins or over them, but into them, and out of them from wholly within."""
    if EXEMPT in (observer, target) or observer == WHOLLY or target in (PARTLY, WHOLLY):
        return NONE
    return HARD


@rule("w40k10.terrain.woods_visibility", neutral=NONE)
def through_woods(observer: int, target: int) -> int:
    """Whoever is in the woods, or seen through or over them from outside, is never fully visible."""
    if EXEMPT in (observer, target):
        return NONE
    return SOFT if target == WHOLLY or observer != WHOLLY else NONE
