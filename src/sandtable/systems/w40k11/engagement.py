"""Engagement (03.04): engagement range, and who is engaged with whom."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, linked, links


class ENGAGEMENT(Facts):
    """What the book states about engagement."""

    range = fact(Zone(steps(2), steps(5)), "w40k11.engagement.range", neutral=Zone(-1, -1))
    """Engagement range."""


@rule("w40k11.engagement.status", neutral=False)
def engaged(w: World11, one: Unit, other: Unit) -> bool:
    """Whether two enemy units are engaged with each other: one model of each is enough."""
    return w.are_enemies(one, other) and w.linked(one, other, ENGAGEMENT.range)


def engaged_enemies(w: World11, unit: Unit) -> list[Unit]:
    """The enemy units that a unit is engaged with."""
    return [e for e in w.enemies_near(unit, ENGAGEMENT.range) if engaged(w, unit, e)]


@kept(PLACES)
def is_engaged(w: World11, unit: Unit) -> bool:
    """Whether a unit is engaged with any enemy."""
    return bool(engaged_enemies(w, unit))


def engaged_after(w: World11, bodies: Bodies, models: Ints, enemies: Iterable[Unit]) -> list[Unit]:
    """Which enemies would be engaged with models standing as `bodies` says."""
    return [e for e in enemies if linked(bodies, w.shapes, models, w.on_table(e), ENGAGEMENT.range)]


@rule("w40k11.engagement.status", neutral=np.bool_(False))
def engaged_models(w: World11, bodies: Bodies, models: Ints, enemies: Ints) -> Bools:
    """Which of some models are themselves engaged with one of some enemy models."""
    return np.asarray(links(bodies, w.shapes, models, enemies, ENGAGEMENT.range).any(axis=1))
