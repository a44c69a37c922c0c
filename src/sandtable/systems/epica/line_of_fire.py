"""Lines of fire: who can be seen, and who is partly hidden.

Hills, buildings, woods and the like block; they may be seen into and out of for 10 cm. Units on a hill stand at its
top, and see over what is lower. Only war engines would block among units.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.state import EpicWorld, Formation, stands
from sandtable.systems.epica.terrain import Effects, effects_of, under
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.sight import Sight, look
from sandtable.table.sight_pair import DEPTH, HARD, NONE, Blocking

USUAL_HEIGHT: Final = 4
"""How tall terrain is, in centimetres, where nobody has measured it."""


class Lines(NamedTuple):
    """Lines of fire between two formations, [observer, target] in the order of their stands on the table."""

    clear: Bools
    hidden: Bools
    """Clear, but terrain in between hides part of the target"""


@rule("epica.shoot.line_of_fire", neutral=NONE)
def blocks_beyond(terrain: Effects) -> int:
    """How terrain stands between two units of which neither is in it."""
    return HARD if terrain.tall else NONE


@rule("epica.shoot.line_of_fire_into_terrain", neutral=HARD)
def blocks_into(terrain: Effects) -> int:
    """How terrain stands in the way of a line to, from or between units that are in it."""
    if not terrain.tall or not terrain.deep:
        return NONE
    return DEPTH


@rule("epica.concept.line_of_sight_scale", "epica.terrain.hill", neutral=0)
def elevation(world: EpicWorld, stand: int) -> int:
    """How high the ground under a stand is: the top of the hill that it is on."""
    features = world.table.features
    hills = [int(f) for f in np.flatnonzero(under(world)[stand]) if features[f].kind == "hill"]
    return max((top_of(world, f) for f in hills), default=0)


def top_of(world: EpicWorld, feature: int) -> int:
    """How high a feature reaches."""
    found = world.table.features[feature]
    return found.top if found.top > found.bottom else found.bottom + steps(USUAL_HEIGHT)


@kept(PLACES)
def lines(world: EpicWorld, observers: Formation, targets: Formation) -> Lines:
    """The lines of fire from one formation to another."""
    inside = under(world).astype(np.int64)
    seen = sight(world, observers, targets)
    around = inside[world.on_table(observers)], inside[world.on_table(targets)]
    return Lines(seen.visible, seen.visible & partly_hidden(seen.broken, *around))


@kept(PLACES)
def sight(world: EpicWorld, observing: Formation, observed: Formation) -> Sight:
    """What the stands of a formation see of another's, with what is in the way."""
    observers, targets = world.on_table(observing), world.on_table(observed)
    features = world.table.features
    inside = under(world).astype(np.int64)
    effects = [effects_of(f.kind) for f in features]
    mode = np.array(
        [[[blocks_beyond(e), blocks_into(e)], [blocks_into(e), blocks_into(e)]] for e in effects], dtype=np.int64
    ).reshape(len(features), 2, 2)
    pos = world.state.models.pos.copy()
    for stand in (*observers.tolist(), *targets.tolist()):
        pos[stand, 2] += elevation(world, stand)
    blocking_models = np.zeros(len(pos), dtype=np.int64)
    on_table = world.all_on_table()
    blocking_models[on_table] = BOOK.units_block
    blocking = Blocking(
        observer_class=inside[observers],
        target_class=inside[targets],
        mode=mode,
        depth=np.full(len(features), BOOK.into_terrain, dtype=np.int64),
        band_top=np.array([top_of(world, f) for f in range(len(features))], dtype=np.int64),
        physical=np.zeros((len(features), 2, 2), dtype=np.int64),
        model_blocks=blocking_models,
        group=world.state.models.unit,
        target_group_blocks_visible=0,
        target_group_blocks_full=0,
        half_width=0,
    )
    bodies = Bodies(pos, world.state.models.facing, world.ground.shape)
    return look(bodies, world.shapes, world.terrain, observers, targets, blocking, True)


@rule("epica.cover.to_hit", neutral=np.False_)
def partly_hidden(broken: Bools, around_observer: Ints, around_target: Ints) -> Bools:
    """Which targets a feature in between hides in part, by the features that break the view of them.

    What a shooter stands in hides nobody from it, and what the target stands in is judged as its own cover.
    """
    outside = (around_observer[:, None, :] == 0) & (around_target[None, :, :] == 0)
    hidden: Bools = (broken & outside).any(axis=2)
    return hidden


def sees_any(world: EpicWorld, observer: int, of: Formation, targets: Formation) -> bool:
    """Whether one stand of a formation has a line of fire to any unit of another."""
    return bool(lines(world, of, targets).clear[stands(world, of).index(observer)].any())
