"""The Benefit of Cover, where it is plain: inside a feature for certain, or with nothing near any line of sight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.field import Field
from referee.geometry import Shape, Stand, apart, area_gap, box_of, wholly_in

PARTLY = ("ruins", "woods", "barricade", "debris", "hill")
"""Kinds of features that cover what they hide a part of."""


def sheltered(field: Field, book: Any, attackers: Iterable[Stand], model: int, target: Stand) -> bool | None:
    """Whether a model has cover by terrain against shooters; None where it takes a closer look than this."""
    doubt = False
    for feature, box in field.features:
        if apart(box, (target.x, target.y, target.x, target.y), target.base.reach):
            continue
        plain = wholly_in(target, feature.outline, -0.03)
        if feature.kind in ("ruins", "woods") and plain:
            return True
        if feature.kind == "crater" and plain and book.is_a(model, "INFANTRY"):
            return True
        doubt = True
    if doubt:
        return None
    for shooter in attackers:
        corridor = Shape(((shooter.x, shooter.y), (target.x, target.y)))
        wide = max(shooter.base.reach, target.base.reach)
        here = box_of(corridor.points)
        for feature, box in field.features:
            if feature.kind in PARTLY and not apart(here, box, wide) and area_gap(corridor, feature.outline) < wide:
                return None
    return False
