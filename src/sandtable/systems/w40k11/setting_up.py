"""Setting units up (03.02): where models may be put down, whatever rule brings them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, GONE, Effect, Spot, Verdict, refuse
from sandtable.forty.effects.returning import Returns
from sandtable.forty.placing import how_near, no_room
from sandtable.kit.room import Outline, Room, Spots, check_free, placed, room_apart, rows_of
from sandtable.rules import rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.coherency import check_set_up_coherent, coherency_of
from sandtable.systems.w40k11.engagement import ENGAGEMENT, engaged, engaged_after
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.systems.w40k11.strength import starting_strength
from sandtable.systems.w40k11.terrain import check_ground
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links

NO_ROOM: Final = no_room(
    edge="w40k11.setup.conditions", models="w40k11.setup.conditions", terrain="w40k11.setup.conditions"
)


def room_for(
    w: World11, unit: Unit, areas: Sequence[Outline], where: Callable[[Spots], Verdict], *, gap: int = 0, ideas: int = 4
) -> Room:
    """Room for a unit that is set up by a rule which says where; with a gap, so far from enemies of any height."""

    def accept(spots: Spots) -> Verdict:
        return where(spots) and judge_spots(w, unit, spots)

    return room_apart(w, unit, areas, ENGAGEMENT.range, coherency_of, accept, gap=gap, ideas=ideas)


def judge_spots(w: World11, unit: Unit, spots: Sequence[Spot], met: Sequence[int] = ()) -> Verdict:
    """What every set-up keeps to: room, solid ground, coherency, and nobody engaged, but with whom may be `met`."""
    bodies, models = placed(w, spots), rows_of(spots)
    return (
        check_room(w, bodies, models)
        and check_ground(w, bodies, models)
        and check_set_up_coherent(w, unit, bodies, models)
        and check_unengaged(w, unit, bodies, models, met)
    )


def check_room(w: World11, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody stands on anybody, in a wall, in the air, or over the edge."""
    return check_free(w, bodies, models, NO_ROOM)


@rule("w40k11.setup.conditions", neutral=ALLOWED)
def check_unengaged(w: World11, unit: Unit, bodies: Bodies, models: Ints, met: Sequence[int] = ()) -> Verdict:
    """Nobody is set up engaged, unless a rule allows it with some units."""
    near = engaged_after(w, bodies, models, [e for e in w.enemies_of(unit.player) if e.id not in met])
    if not near:
        return ALLOWED
    return refuse(f"{how_near(w, bodies, models, near)}, engaged.", "w40k11.setup.conditions")


@rule("w40k11.setup.failure")
def goes_back(b: Battle11, unit: Unit) -> None:
    """Who cannot be set up stays where it was, all of it, and counts as never selected."""
    b.tell("no_room", f"There is no room for {unit.name}.", "w40k11.setup.failure", units=[unit.id])


def every_model_has(w: World11, unit: Unit, ability: str) -> bool:
    """Whether all models of a unit, those of Leaders included, have an ability."""
    place = w.state.models.place
    models = [m for m in unit.models if place[m] != GONE]
    return bool(models) and all(has_core(w, unit, m, ability) for m in models)


# --- Revived models ---------------------------------------------------------------------------------------------------

REVIVED: Final = "revived"
"""Kind of effect: the model in its value came back in this phase."""


@rule("w40k11.appendix.revived", neutral=0)
def room_in(w: World11, unit: Unit) -> int:
    """How many models may come back: no more than take a unit to its starting strength."""
    return starting_strength(w, unit) - len(w.on_table(unit))


def remember_revived(b: Battle11, unit: Unit, models: Sequence[int]) -> None:
    """Until the phase ends nobody comes back in coherency with these alone."""
    for model in models:
        b.add_effect(Effect(REVIVED, unit.id, model, source="w40k11.appendix.revived", until="phase"))


@rule("w40k11.appendix.revived", neutral=ALLOWED)
def check_beside(w: World11, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Each model is in coherency with one that was on the battlefield when the phase began."""
    fresh = {int(e.value) for e in w.effects(REVIVED, unit.id)}.union(models.tolist())
    others = np.array([m for m in w.on_table(unit).tolist() if m not in fresh], dtype=np.int64)
    together = coherency_of(len(others))
    near = Zone(together.reach, together.vertical)
    if not len(others) or links(bodies, w.shapes, models, others, near).any(axis=1).all():
        return ALLOWED
    text = "A model comes back in coherency with one that was on the battlefield when the phase began."
    return refuse(text, "w40k11.appendix.revived")


@rule("w40k11.appendix.revived", neutral=ALLOWED)
def may_come_back(w: World11, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """On solid ground, and engaged only with enemies that the unit is engaged with."""
    near = engaged_after(w, bodies, models, [e for e in w.enemies_of(unit.player) if not engaged(w, unit, e)])
    if near:
        return refuse(f"A model would come back engaged with {near[0].name}.", "w40k11.appendix.revived")
    return check_ground(w, bodies, models) and check_beside(w, unit, bodies, models)


RETURNS: Final = Returns(
    coherency_of,
    check_room,
    check_set_up_coherent,
    may_come_back,
    "w40k11.appendix.revived",
    most=room_in,
    reanimates=lambda w, unit, model: True,
    apart=check_unengaged,
    came_back=remember_revived,
)
