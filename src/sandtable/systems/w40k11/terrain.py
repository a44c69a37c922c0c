"""Terrain (13): areas and categories, what is moved through and climbed, and where models may stand."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, TABLE, Path, Verdict, refuse
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty.state import called
from sandtable.kit.areas import areas_of
from sandtable.kit.ground import Surface, among_floors, is_inside_a_floor, stands_wholly, surface_under
from sandtable.kit.seeing import within_areas
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.state import Unit, World11, sheet_of
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.moves_scene import Flags
from sandtable.table.shapes import Bodies

EXPOSED, LIGHT, DENSE = "exposed", "light", "dense"
FOOT: Final = ("INFANTRY", "BEAST", "SWARM")
CLIMBERS: Final = (*FOOT, "FLY", "MONSTER")


class TERRAIN(Facts):
    """What the book states about terrain."""

    categories = fact(
        MappingProxyType(
            dict.fromkeys(("crater", "razorwire", "debris", "area"), EXPOSED)
            | dict.fromkeys(("barricade", "wall", "statuary"), LIGHT)
            | dict.fromkeys(("ruins", "woods"), DENSE)
        ),
        "w40k11.terrain.categories",
        neutral=MappingProxyType({}),
    )
    """The category of each kind of feature; any other is dense."""
    low = fact(steps(2), "w40k11.terrain.move_dense_other", neutral=0)
    """Parts of dense features up to this height are moved through by everybody."""
    cling = fact(steps(0.5), "w40k11.terrain.vertical", neutral=steps(99))
    """How near to a feature a model stays that moves up or down along it."""


@rule("w40k11.terrain.categories", neutral=EXPOSED)
def category_of(kind: str) -> str:
    """The category of a feature."""
    return TERRAIN.categories.get(kind, DENSE)


@kept(SETUP)
def in_category(w: World11, categories: tuple[str, ...]) -> Bools:
    """Which features of the table are of one of some categories."""
    return np.array([category_of(f.kind) in categories for f in w.table.features], dtype=np.bool_)


@rule("w40k11.terrain.area", neutral=0)
def area_of(w: World11, feature: int) -> int:
    """The area that a feature belongs to: that of the features it stands with, or its own."""
    return int(areas_of(w)[feature])


@kept(SETUP)
def areas_with(w: World11, categories: tuple[str, ...]) -> Bools:
    """For each feature whether the area that it belongs to has a feature of one of some categories."""
    found = in_category(w, categories)
    having = {area_of(w, f) for f in np.flatnonzero(found).tolist()}
    return np.array([area_of(w, f) in having for f in range(len(found))], dtype=np.bool_)


@kept(PLACES)
def on_foot(w: World11, unit: Unit) -> Bools:
    """Which models of a unit on the table are INFANTRY, BEASTS or SWARM."""
    return np.array([any(model_has_keyword(w, m, k) for k in FOOT) for m in w.on_table(unit).tolist()], dtype=np.bool_)


@rule("w40k11.gap.within", neutral=np.zeros((1, 1), dtype=np.bool_))
def within_area(w: World11, unit: Unit) -> Bools:
    """Which models of a unit have any part of their bases in the areas of which features, [model, feature]."""
    return np.asarray(within_areas(w, unit) > 0)


# --- Moving through it ------------------------------------------------------------------------------------------------


@rule("w40k11.datasheet.move_dash", neutral=True)
def can_move(w: World11, model: int) -> bool:
    """A model with a Move of "-" never moves."""
    return sheet_of(w, model).move is not None


@rule("w40k11.terrain.move_dense_foot", neutral=False)
def goes_through_dense(w: World11, model: int) -> bool:
    """INFANTRY, BEASTS and SWARM move through walls and floors of dense features."""
    return any(model_has_keyword(w, model, k) for k in FOOT)


@rule("w40k11.terrain.move_dense_foot", neutral=False)
def goes_through_walls(w: World11, model: int) -> bool:
    """MOBILE models move through their walls, but not through floors."""
    return model_has_keyword(w, model, "MOBILE")


@rule("w40k11.terrain.move_open", neutral=np.bool_(False))
def open_to_all(w: World11) -> Bools:
    """Which features everybody moves through: exposed and light ones."""
    return in_category(w, (EXPOSED, LIGHT))


@kept(PLACES)
def closed_parts(w: World11, through_walls: bool, through_floors: bool) -> tuple[Flags, Flags, Flags]:
    """Which walls, floors and solid features stand in the way of who moves through dense features like that."""
    dense = ~np.asarray(open_to_all(w)) if len(w.table.features) else np.zeros(1, dtype=np.bool_)
    walls, floors = dense[w.terrain.wall[:, 7]], dense[w.terrain.floor_level[:, 2]]
    closed = (walls & (not through_walls), floors & (not through_floors), dense & (not through_walls))
    return closed[0].astype(np.uint8), closed[1].astype(np.uint8), closed[2].astype(np.uint8)


@rule("w40k11.terrain.vertical", "w40k11.move.straight_line", "w40k11.terrain.move_dense_other", neutral=0)
def climbed(w: World11, path: Path) -> int:
    """How far a model goes up and down along its path: all of it counts."""
    z = int(w.state.models.pos[path.model, 2])
    up_and_down = 0
    for leg in path.legs:
        up_and_down += abs(leg.z - z)
        z = leg.z
    return up_and_down


# --- Standing on it ---------------------------------------------------------------------------------------------------


@rule("w40k11.terrain.elevated", neutral=ALLOWED)
def check_elevated(w: World11, bodies: Bodies, model: int, name: str) -> Verdict:
    """Above ground level stand INFANTRY, BEASTS, SWARM, FLY and MONSTERS, and nobody overhangs."""
    if not any(model_has_keyword(w, model, k) for k in CLIMBERS):
        return refuse(f"{called(w, model)} cannot stand up on {name}.", "w40k11.terrain.elevated")
    if not stands_wholly(w, bodies, model):
        return refuse(f"The base of {called(w, model)} would overhang {name}.", "w40k11.terrain.elevated")
    return ALLOWED


@rule("w40k11.terrain.move_dense_other", neutral=ALLOWED)
def check_dense(w: World11, model: int, under: Surface) -> Verdict:
    """No move of others than INFANTRY, BEASTS, SWARM and MOBILE ends up on dense terrain, but through the skies."""
    if category_of(under.feature.kind) != DENSE or w.state.models.place[model] != TABLE:
        return ALLOWED
    if goes_through_dense(w, model) or goes_through_walls(w, model) or w.unit(int(w.state.models.unit[model])).skies:
        return ALLOWED
    return refuse(f"{called(w, model)} cannot end its move up on {under.name}.", "w40k11.terrain.move_dense_other")


@rule("w40k11.move.ending", neutral=ALLOWED)
def check_not_inside(w: World11, bodies: Bodies, model: int) -> Verdict:
    """Nobody ends partway through a floor or ceiling."""
    if not is_inside_a_floor(w, bodies, model):
        return ALLOWED
    text = f"{called(w, model)} is too tall to end there: it would stand inside a floor."
    return refuse(text, "w40k11.move.ending", "w40k11.terrain.move_dense_foot")


def check_ground(w: World11, bodies: Bodies, models: Ints) -> Verdict:
    """Whether models may stop where they would stand: what they stand on, and that they are in no wall or floor."""
    if not len(w.table.features):
        return ALLOWED
    for model, among in zip(models.tolist(), among_floors(w, bodies, models), strict=True):
        under = surface_under(w, bodies, model) if bodies.pos[model, 2] > 0 else None
        verdict = (
            ALLOWED if under is None else check_elevated(w, bodies, model, under.name) and check_dense(w, model, under)
        )
        if verdict and among:
            verdict = check_not_inside(w, bodies, model)
        if not verdict:
            return verdict
    return ALLOWED
