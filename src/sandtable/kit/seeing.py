"""Seeing: who sees whom, fully or not, by what the edition says stops sight, and who stands within which terrain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from sandtable.battle import TABLE, AnyUnit
from sandtable.battle.kept import PLACES, PLACES_OF_THESE, SETUP, kept, remember
from sandtable.table.grid import Bools, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import area_classes
from sandtable.table.sight import NONE, Blocking, Sight, look, prisms_of

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

# How a model stands to a terrain feature.
OUTSIDE: Final = 0
PARTLY: Final = 1
WHOLLY: Final = 2
EXEMPT: Final = 3
"""Areas do not count for it."""
CLASSES: Final = 4
SKY: Final = 1 << 40
"""Areas block without upper limit."""


class Seeing(NamedTuple):
    """The seam: what an edition says about sight. Its answers are those of `table.sight`: NONE, SOFT or HARD."""

    solids: Callable[[], int]
    """What walls, floors and solid features do to a line that meets them."""
    models_block: Callable[[], bool]
    """Whether models of other units stop sight."""
    through: Callable[[Any, int, int, int], int] = lambda w, feature, observer, target: NONE
    """(world, feature, how the observer stands to it, how the observed does): what its area does to a line."""
    areas: Callable[[Any, Ints], Ints] = lambda w, found: found
    """(world, how models stand to each feature): the same where several features are one area."""
    terrain: Callable[[Any], Terrain] = lambda w: w.terrain
    """(world): the terrain as it stops sight, where gaps in walls are closed to it."""
    detected: Callable[[Any, Any, Any], Bools | None] | None = None
    """(world, unit, other unit): whom of the other it may see at all, [observer, target]; None for everybody."""
    own_ranks_block: Callable[[], int] = lambda: 1
    """Whether other models of the observed unit are in the way of seeing one of it at all: 1 or 0."""
    half_width: Callable[[], int] = lambda: 0
    """Half the width of a line of sight."""
    own_ranks_hide: Callable[[], int] = lambda: 1
    """Whether other models of the observed unit are in the way of seeing one of it fully: 1 or 0."""
    sees_past: Callable[[Any, int], bool] = lambda w, model: False
    """(world, model): whether areas do not count for it, whoever looks."""
    floors_count: Callable[[], bool] = lambda: True
    """Whether an area reaches up to all floors above it."""


@kept(PLACES)
def sight(w: AnyWorld, unit: AnyUnit, target: AnyUnit) -> Sight:
    """What the models of a unit see fully of another; rows and columns are their models on the table.

    Here they may look through the other models of the observed unit; for what is visible at all, see `visible`.
    """
    return _look(w, unit, target, fully=True)


def visible(w: AnyWorld, unit: AnyUnit, target: AnyUnit) -> Bools:
    """Which models of a unit see which models of another, [observer, target]."""
    found: Bools = lines_of_sight(w, unit, target)
    detected = w.system.seam(Seeing).detected
    near = None if detected is None else detected(w, unit, target)
    return found if near is None else found & near


def noticed(w: AnyWorld, unit: AnyUnit, target: AnyUnit) -> Sight:
    """What players are told of `sight`: a line alone shows nobody who is not noticed from so far."""
    found, detected = sight(w, unit, target), w.system.seam(Seeing).detected
    near = None if detected is None else detected(w, unit, target)
    return found if near is None else found._replace(visible=found.visible & near, full=found.full & near)


@kept(PLACES)
def lines_of_sight(w: AnyWorld, unit: AnyUnit, target: AnyUnit) -> Bools:
    """The same as far as lines of sight go."""
    return _look(w, unit, target, fully=False).visible


def seen_by(w: AnyWorld, unit: AnyUnit, model: int, target: AnyUnit) -> Bools:
    """Which models of another unit one model of a unit sees."""
    seen: Bools = visible(w, unit, target)[w.on_table(unit).tolist().index(model)]
    return seen


def presume(w: AnyWorld, unit: AnyUnit, target: AnyUnit, *, seen: bool) -> None:
    """Settle that everybody of two units sees everybody, or nobody anybody, where nobody asks about a table."""
    for one, other in ((unit, target), (target, unit)):
        size = (len(w.on_table(one)), len(w.on_table(other)))
        remember(lines_of_sight, np.full(size, seen), w, one, other)


@kept(PLACES)
def hidden_behind(w: AnyWorld, unit: AnyUnit, target: AnyUnit, others: tuple[int, ...]) -> Bools:
    """Whom of another unit models of a unit do not see fully for models of these units alone, [observer, target]."""
    models, table = w.state.models, _blocking(w)
    table = table._replace(
        mode=np.full_like(table.mode, NONE),
        physical=np.full_like(table.physical, NONE),
        model_blocks=((models.place == TABLE) & np.isin(models.unit, others)).astype(np.int64),
    )
    return np.asarray(~_look(w, unit, target, fully=True, blocking=table).full)


def _look(w: AnyWorld, unit: AnyUnit, target: AnyUnit, *, fully: bool, blocking: Blocking | None = None) -> Sight:
    seeing = w.system.seam(Seeing)
    table = (blocking or _blocking(w))._replace(
        observer_class=_standing(w, unit),
        target_class=_standing(w, target),
        group=w.state.models.unit,
        target_group_blocks_visible=seeing.own_ranks_hide() if fully else seeing.own_ranks_block(),
    )
    return look(
        w.bodies,
        w.shapes,
        seeing.terrain(w),
        w.on_table(unit),
        w.on_table(target),
        table,
        fully=fully,
        prisms=_prisms(w),
    )


@kept(PLACES)
def _prisms(w: AnyWorld) -> Any:
    return prisms_of(w.bodies, w.shapes, w.system.seam(Seeing).terrain(w), _blocking(w).band_top)


@kept(PLACES_OF_THESE)
def within_areas(w: AnyWorld, unit: AnyUnit) -> Ints:
    """How the models of a unit stand to each terrain feature, [model, feature]: OUTSIDE, PARTLY or WHOLLY within."""
    models, terrain = w.on_table(unit), w.terrain
    found = np.asarray(area_classes(w.bodies, w.shapes, models, terrain.outline, terrain.corners))
    found = w.system.seam(Seeing).areas(w, found)
    if not w.system.seam(Seeing).floors_count():
        found = np.where(w.bodies.pos[models, 2][:, None] > 0, OUTSIDE, found)
    return found


def _standing(w: AnyWorld, unit: AnyUnit) -> Ints:
    """The same as far as sight is concerned: EXEMPT for models for whom areas do not count."""
    found, past = within_areas(w, unit), _who_sees_past(w)
    if not past:
        return found
    here = [m in past for m in w.on_table(unit).tolist()]
    if any(here):
        found = found.copy()
        found[here] = EXEMPT
    return found


@kept(SETUP)
def _who_sees_past(w: AnyWorld) -> frozenset[int]:
    sees_past = w.system.seam(Seeing).sees_past
    return frozenset(m for m in range(len(w.state.models.unit)) if sees_past(w, m))


@kept(PLACES)
def _blocking(w: AnyWorld) -> Blocking:
    """What of it is the same whoever looks at whom."""
    seeing, models = w.system.seam(Seeing), w.state.models
    mode, physical = _modes(w)
    features = len(mode)
    nobody = np.zeros((0, features), dtype=np.int64)
    return Blocking(
        observer_class=nobody,
        target_class=nobody,
        mode=mode,
        depth=np.zeros(features, dtype=np.int64),
        band_top=np.full(features, SKY, dtype=np.int64),
        physical=physical,
        model_blocks=((models.place == TABLE) & seeing.models_block()).astype(np.int64),
        group=models.unit,
        target_group_blocks_visible=1,
        target_group_blocks_full=seeing.own_ranks_hide(),
        half_width=seeing.half_width(),
    )


@kept(SETUP)
def _modes(w: AnyWorld) -> tuple[Ints, Ints]:
    seeing, features = w.system.seam(Seeing), w.table.features
    mode = np.zeros((len(features), CLASSES, CLASSES), dtype=np.int64)
    for f in range(len(features)):
        for observer in range(CLASSES):
            for target in range(CLASSES):
                mode[f, observer, target] = seeing.through(w, f, observer, target)
    return mode, np.full((len(features), CLASSES, CLASSES), seeing.solids(), dtype=np.int64)
