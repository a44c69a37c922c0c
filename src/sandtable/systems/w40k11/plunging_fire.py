"""Plunging Fire (22.05): ranged attacks from above."""

from __future__ import annotations

from sandtable.kit.seeing import visible
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.aircraft import is_aircraft
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.table.grid import steps


class PLUNGING(Facts):
    """What the book states about Plunging Fire."""

    high = fact(steps(3), "w40k11.ability.plunging_fire", neutral=steps(500))
    """So high up on terrain an attacking model stands at least..."""
    near = fact(steps(12), "w40k11.ability.plunging_fire", neutral=-1)
    """...or is TOWERING, and the target so near."""


@rule("w40k11.ability.plunging_fire", neutral=False)
def plunges(w: World11, unit: Unit, row: int, target: Unit) -> bool:
    """Whether attacks of a model, by its row, at a visible unit with models on the ground have their BS improved."""
    if is_above(w, unit, target) or not (w.bodies.pos[w.on_table(target), 2] == 0).any():
        return False
    model = int(w.on_table(unit)[row])
    towers = model_has_keyword(w, model, "TOWERING") and w.distances(unit, target)[row].min() <= PLUNGING.near
    return (towers or w.bodies.pos[model, 2] >= PLUNGING.high) and bool(visible(w, unit, target)[row].any())


@rule("w40k11.aircraft.plunging", neutral=False)
def is_above(w: World11, unit: Unit, target: Unit) -> bool:
    """Nothing plunges that AIRCRAFT fire, or that is fired at them."""
    return is_aircraft(w, unit) or is_aircraft(w, target)
