"""Models that come back to their unit: in coherency, and engaged only with whom the unit fights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Spot, Verdict, refuse
from sandtable.forty.effects.returning import Returns
from sandtable.forty.state import alive
from sandtable.kit.room import placed
from sandtable.rules import rule
from sandtable.systems.w40k10.coherency import coherency_of, in_coherency
from sandtable.systems.w40k10.concepts import engaged, engaged_after
from sandtable.systems.w40k10.objectives import check_off_markers
from sandtable.systems.w40k10.setting_up import check_room
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain import check_ground
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies


@rule("w40k10.unit.attached_strength", neutral=False)
def is_alone(w: World10, unit: Unit) -> bool:
    """Whether a Leader has outlived its Bodyguard, and misses nobody any more."""
    return all(m in unit.leader for m in alive(w, unit.models))


def check_return(w: World10, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """In coherency with their unit, with room, and within Engagement Range only of enemies that the unit fights."""
    bodies = placed(w, spots)
    models = np.array([s.model for s in spots], dtype=np.int64)
    everybody = np.concatenate((w.on_table(unit), models))
    return (
        check_room(w, bodies, models)
        and check_ground(w, bodies, models)
        and check_off_markers(w, bodies, models)
        and _check_together(w, unit, bodies, everybody)
        and _check_enemies(w, unit, bodies, models)
    )


def may_stand(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """The same for a place that has room and comrades near it."""
    return (
        check_ground(w, bodies, models)
        and check_off_markers(w, bodies, models)
        and _check_enemies(w, unit, bodies, models)
    )


def _check_together(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    if in_coherency(w, bodies, models):
        return ALLOWED
    return refuse(f"{unit.name} would be out of coherency.", "w40k10.concept.coherency_setup")


def _check_enemies(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    others = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and not engaged(w, unit, e)]
    near = engaged_after(w, bodies, models, others)
    if not near:
        return ALLOWED
    return refuse(
        f"A model would come back within Engagement Range of {near[0].name}.", "w40k10.concept.engagement_limit"
    )


RETURNS: Final = Returns(is_alone, coherency_of, may_stand, check_return, "w40k10.concept.coherency_setup")
