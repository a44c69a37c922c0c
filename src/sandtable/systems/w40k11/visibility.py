"""Visibility (06.01, 13.07-13.11): who sees whom, fully or not, and what stands in the way."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.mission import mission_of
from sandtable.kit.areas import joined
from sandtable.kit.seeing import OUTSIDE, Seeing, sight, visible
from sandtable.kit.windows import with_closed_gaps
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.systems.w40k11.terrain import DENSE, LIGHT, areas_with, in_category, on_foot, within_area
from sandtable.table.grid import Bools, steps
from sandtable.table.layout import Terrain
from sandtable.table.sight import HARD, NONE

LONE_OPERATIVE: Final = "lone operative"
EVERYWHERE: Final = float("inf")


class SIGHT(Facts):
    """What the book states about sight."""

    models_block = fact(True, "w40k11.vis.los", neutral=False)
    """Models of third units stop sight."""
    own_ranks_block = fact(0, "w40k11.vis.los", neutral=1)
    """Other models of the observed unit are looked through..."""
    own_ranks_hide = fact(0, "w40k11.vis.los", "w40k11.vis.model_fully_visible", neutral=1)
    """...also where a model is to be seen fully."""
    half_width = fact(steps(0.5 / 25.4), "w40k11.vis.los", neutral=0)
    """A line of sight is 1 mm wide."""
    through_solids = fact(HARD, "w40k11.vis.los", "w40k11.vis.model_visible", "w40k11.concept.base", neutral=NONE)
    """Walls, floors and solid features stop every line that meets them."""
    area_of_all_floors = fact(True, "w40k11.gap.area_height", neutral=False)
    """An area is a column without upper limit."""
    closed_gaps = fact(steps(3), "w40k11.terrain.solid", neutral=0)
    """Up to this height nobody sees through gaps in dense features, unless the mission says otherwise."""
    detection = fact(steps(15), "w40k11.terrain.hidden", neutral=steps(500))
    """A hidden model is seen from so near at most."""
    lone_operative = fact(12, "w40k11.unit.lone_operative", neutral=500)
    """So near in inches one has to be to see a Lone Operative, where it does not say how near."""


def sees(w: World11, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any model of another."""
    return unit_visible(visible(w, unit, target))


@rule("w40k11.vis.unit_visible", neutral=False)
def unit_visible(seen: Bools) -> bool:
    """A unit is visible as soon as one of its models is."""
    return bool(seen.any())


@rule("w40k11.vis.unit_fully_visible", neutral=True)
def unit_fully_visible(w: World11, unit: Unit, row: int, target: Unit) -> bool:
    """A unit is fully visible to a model of another, by its row, if all its models are."""
    return bool(models_fully_visible(w, unit, target)[row].all())


@rule("w40k11.vis.model_fully_visible", neutral=np.bool_(True))
def models_fully_visible(w: World11, unit: Unit, target: Unit) -> Bools:
    """Which models of a unit see which models of another fully, [observer, target]."""
    return np.asarray(sight(w, unit, target).full & visible(w, unit, target))


# --- Terrain and visibility -------------------------------------------------------------------------------------------


@rule("w40k11.terrain.obscuring", "w40k11.terrain.visibility_rules", neutral=NONE)
def through(w: World11, feature: int, observer: int, target: int) -> int:
    """Nobody sees across an area with light or dense features, but for who is within it at either end."""
    obscures = bool(areas_with(w, (LIGHT, DENSE))[feature])
    return HARD if obscures and observer == OUTSIDE and target == OUTSIDE else NONE


@kept(PLACES)
def terrain_for_sight(w: World11) -> Terrain:
    """The terrain with windows and doors closed that nobody sees through."""
    dense = in_category(w, (DENSE,)).tolist()
    return with_closed_gaps(w.table, dense, closed_up_to(w)) if any(dense) else w.terrain


@rule("w40k11.terrain.solid", "w40k11.terrain.visibility_rules", neutral=0)
def closed_up_to(w: World11) -> int:
    """The height up to which gaps in dense features are closed: the mission may say another."""
    mission = mission_of(w)
    said = None if mission is None else mission.closed_windows
    return SIGHT.closed_gaps if said is None else steps(said)


def is_quiet(w: World11, unit: Unit) -> bool:
    """Whether a unit made no ranged attacks in this turn or in the one before."""
    return unit.revealed < w.state.game.turns - 1


def who_was_loud(w: World11, player: int) -> tuple[int, ...]:
    """The enemy units that are not hidden for having shot: who can be seen depends on it."""
    return tuple([u.id for u in w.enemies_of(player) if not is_quiet(w, u)])


@kept(PLACES)
@rule("w40k11.terrain.hidden", neutral=np.bool_(False))
def hidden_models(w: World11, target: Unit, quiet: bool) -> Bools:
    """Which models of a unit are hidden: on foot, within an area with a dense feature, and quiet."""
    return on_foot(w, target) & (within_area(w, target) & areas_with(w, (DENSE,))).any(axis=1) & quiet


@rule("w40k11.unit.lone_operative", neutral=EVERYWHERE)
def lone_operative(w: World11, target: Unit) -> float:
    """From how near a unit can be seen, or targeted by Indirect Fire: a Lone Operative that was not attached."""
    near = EVERYWHERE
    for m in [] if target.leader else w.on_table(target).tolist():
        if not (values := core_values(w, target, m, LONE_OPERATIVE)):
            return EVERYWHERE
        near = min(near, *(steps(int(x or SIGHT.lone_operative)) for x in values))
    return near


@rule("w40k11.terrain.visibility_rules", "w40k11.terrain.hidden", "w40k11.unit.lone_operative", neutral=None)
def detected(w: World11, unit: Unit, target: Unit) -> Bools | None:
    """Whom of a unit the models of another are near enough to see, [observer, target]; None for everybody."""
    if not w.are_enemies(unit, target):
        return None
    lone, quiet = lone_operative(w, target), bool(w.table.features) and is_quiet(w, target)
    if lone == EVERYWHERE and not quiet:
        return None
    distances = w.distances(unit, target)
    hidden = hidden_models(w, target, quiet)
    near = distances.min(axis=1, initial=EVERYWHERE)[:, None] <= lone
    return np.asarray(near & (~hidden | (distances <= SIGHT.detection)))


SEEING: Final = Seeing(
    through=through,
    solids=lambda: SIGHT.through_solids,
    models_block=lambda: SIGHT.models_block,
    own_ranks_block=lambda: SIGHT.own_ranks_block,
    own_ranks_hide=lambda: SIGHT.own_ranks_hide,
    half_width=lambda: SIGHT.half_width,
    areas=joined,
    terrain=terrain_for_sight,
    detected=detected,
    sees_past=lambda w, model: False,
    floors_count=lambda: SIGHT.area_of_all_floors,
)
