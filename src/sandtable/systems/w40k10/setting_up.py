"""Setting a unit up on the battlefield: where models may be put down, whatever rule brings them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sandtable.battle import ALLOWED, Spot, Verdict, refuse
from sandtable.forty.effects.returning import Returns
from sandtable.forty.markers import with_markers
from sandtable.forty.placing import no_room
from sandtable.forty.state import alive
from sandtable.kit.room import Outline, Room, Spots, check_free, placed, room_apart, rows_of
from sandtable.rules import rule
from sandtable.systems.w40k10.coherency import check_set_up_coherent, coherency_of
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT, check_unengaged, engaged, engaged_after
from sandtable.systems.w40k10.objectives import check_off_markers
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain.terrain_features import check_ground
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies

NO_ROOM: Final = no_room(
    edge="w40k10.concept.battlefield", models="w40k10.concept.battlefield", terrain="w40k10.concept.battlefield"
)


def room_for(
    w: World10, unit: Unit, areas: Sequence[Outline], where: Callable[[Spots], Verdict], *, gap: int = 0, ideas: int = 4
) -> Room:
    """Room for a unit that is set up by a rule which says where; with a gap, so far from enemies of any height."""

    def accept(spots: Spots) -> Verdict:
        return where(spots) and judge_spots(w, unit, spots)

    def things(bodies: Bodies) -> Bodies:
        return with_markers(w, bodies)

    return room_apart(w, unit, areas, ENGAGEMENT.range, coherency_of, accept, things=things, gap=gap, ideas=ideas)


def judge_spots(w: World10, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """What every set-up keeps to: room, solid ground, coherency, no enemy within Engagement Range, no marker."""
    bodies, models = placed(w, spots), rows_of(spots)
    return (
        check_room(w, bodies, models)
        and check_ground(w, bodies, models)
        and (ALLOWED if w.option("marker-set-up") == "allowed" else check_off_markers(w, bodies, models))
        and check_set_up_coherent(w, unit, bodies, models)
        and check_unengaged(w, unit, bodies, models)
    )


def check_room(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody stands on anybody, in a wall, in the air, or over the edge."""
    return check_free(w, bodies, models, NO_ROOM)


# --- Models that come back to their unit: in coherency, and engaged only with whom the unit fights --------------------


@rule("w40k10.unit.attached_strength", neutral=False)
def is_alone(w: World10, unit: Unit) -> bool:
    """Whether a Leader has outlived its Bodyguard, and misses nobody any more."""
    return all(m in unit.leader for m in alive(w, unit.models))


def may_come_back(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """On solid ground, off markers, and within Engagement Range only of enemies that the unit fights."""
    return (
        check_ground(w, bodies, models)
        and check_off_markers(w, bodies, models)
        and _check_enemies(w, unit, bodies, models)
    )


def _check_enemies(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    others = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and not engaged(w, unit, e)]
    near = engaged_after(w, bodies, models, others)
    if not near:
        return ALLOWED
    text = f"A model would come back within Engagement Range of {near[0].name}."
    return refuse(text, "w40k10.concept.engagement_limit")


RETURNS: Final = Returns(
    coherency_of,
    check_room,
    check_set_up_coherent,
    may_come_back,
    "w40k10.concept.coherency_setup",
    is_alone,
    apart=check_unengaged,
)
