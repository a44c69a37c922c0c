"""Which models fight, and whom they reach."""

from __future__ import annotations

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.kit.closing.contact import near
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain import across_in_fight
from sandtable.table.grid import Bools, Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Zone, links


def reach_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools:
    """Which models may attack which enemies, [model, enemy]: Engagement Range, or 2" across a barricade."""
    engaged = links(bodies, w.shapes, models, enemies, BOOK.engagement)
    return np.asarray(engaged | across_in_fight(w, bodies, models, enemies))


def enemies_in_reach(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units that a unit could fight from where it stands."""
    return [w.unit(e) for e in _in_reach(w, unit)]


@kept(PLACES)
def _in_reach(w: World10, unit: Unit) -> tuple[int, ...]:
    models = w.on_table(unit)
    close = w.enemies_near(unit, Zone(2 * BOOK.engagement.flat, BOOK.engagement.up))
    return tuple(e.id for e in close if bool(reach_in_fight(w, w.bodies, models, w.on_table(e)).any()))


@kept(PLACES)
def fighters(w: World10, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that fight, and the enemy units that each of them may attack."""
    reached = in_the_fray(w, unit).items()
    found = {m: tuple(e for e in enemies if aircraft.may_strike(w, unit, m, w.unit(e))) for m, enemies in reached}
    return {m: targets for m, targets in found.items() if targets}


@rule("w40k10.fight.which_models", "w40k10.fight.select_targets", neutral={})
def in_the_fray(w: World10, unit: Unit) -> dict[int, list[int]]:
    """Models within reach of an enemy, and models that touch a comrade who touches an enemy; with the enemy units."""
    models, bodies = w.on_table(unit), w.bodies
    mates = links(bodies, w.shapes, models, models, CONTACT)
    reached: dict[int, list[int]] = {int(m): [] for m in models}
    for enemy in enemies_in_reach(w, unit):
        theirs = w.on_table(enemy)
        direct = np.asarray(reach_in_fight(w, bodies, models, theirs).any(axis=1))
        behind = (mates & near(w, bodies, models, theirs)).any(axis=1)
        for m in models[direct | behind]:
            reached[int(m)].append(enemy.id)
    return reached
