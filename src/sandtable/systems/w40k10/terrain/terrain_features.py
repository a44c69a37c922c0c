"""Terrain features of all kinds: in place before the battle, solid to sight, and where a move may end on them."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.state import called
from sandtable.kit.ground import among_floors, area_around, is_inside_a_floor, surface_under
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.terrain.barricades import not_on_barricade
from sandtable.systems.w40k10.terrain.craters import CRATERS
from sandtable.systems.w40k10.terrain.debris import not_on_debris
from sandtable.systems.w40k10.terrain.hills import fits_on_top
from sandtable.systems.w40k10.terrain.ruins import RUINS, may_stand_upstairs
from sandtable.systems.w40k10.terrain.woods import WOODLAND
from sandtable.table.grid import STEP, Ints
from sandtable.table.layout import Table
from sandtable.table.shapes import Bodies
from sandtable.table.sight import HARD, NONE


class TERRAIN(Facts):
    through_solids = fact(HARD, "w40k10.terrain.general", neutral=NONE)
    """Walls, floors and solid features stop every line that meets them, and nothing else does by itself."""


def check_ground(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """Whether models may stop where they would stand: what they stand on, and that they are in no wall or floor."""
    if not len(w.table.features):
        return ALLOWED
    for model, among in zip(models.tolist(), among_floors(w, bodies, models), strict=True):
        area = None if CRATERS.may_end and WOODLAND.may_end else area_around(w, bodies, model)
        if area is not None:
            return refuse(f"{called(w, model)} cannot end in {area.id}.", "w40k10.terrain.general")
        if bodies.pos[model, 2] > 0:
            verdict = check_surface(w, bodies, model)
            if not verdict:
                return verdict
        if among and is_inside_a_floor(w, bodies, model):
            text = f"{called(w, model)} is too tall to end there: it would stand inside a floor."
            return refuse(text, "w40k10.terrain.ruins_move_through")
    return ALLOWED


def check_surface(w: World10, bodies: Bodies, model: int) -> Verdict:
    """Whether a model may stop on what it stands on."""
    under = surface_under(w, bodies, model)
    if under is None:
        return ALLOWED
    name, kind = under.name, under.feature.kind
    if under.is_floor:
        return may_stand_upstairs(w, bodies, model, name) if kind == RUINS else fits_on_top(w, bodies, model, name)
    return (
        not_on_barricade(w, model, name, kind)
        and not_on_debris(w, model, name, kind)
        and fits_on_top(w, bodies, model, name)
    )


@rule("w40k10.concept.terrain_placement", neutral=Table(60 * STEP, 44 * STEP, "in", ()))
def with_terrain(table: Table) -> Table:
    """The terrain of a layout is on the table before the first step, and belongs to nobody."""
    return table
