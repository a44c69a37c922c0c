"""Infiltrators: units that are deployed almost anywhere."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.mission import enemy_zone
from sandtable.kit.room import Spots, gap_to_area, gap_to_enemies, placed, rows_of
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import every_model_has
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import steps


class INFILTRATORS(Facts):
    gap = fact(steps(9), "w40k10.ability.infiltrators", neutral=0)
    """How far from the enemy and its zone Infiltrators are set up."""


@rule("w40k10.ability.infiltrators", neutral=False)
def infiltrates(w: World10, unit: Unit) -> bool:
    """Whether all models of a unit are Infiltrators."""
    return every_model_has(w, unit, "infiltrators")


@rule("w40k10.ability.infiltrators", neutral=ALLOWED)
def check_infiltrators(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """More than 9" horizontally from the enemy deployment zone and from all enemy models."""
    bodies, zone = placed(w, spots), enemy_zone(w, unit.player)
    if min(gap_to_area(w, bodies, s.model, zone) for s in spots) <= INFILTRATORS.gap:
        return refuse(
            f'{unit.name} must be more than 9" from the enemy deployment zone.', "w40k10.ability.infiltrators"
        )
    if gap_to_enemies(w, unit.player, bodies, rows_of(spots)) <= INFILTRATORS.gap:
        return refuse(f'{unit.name} must be more than 9" from all enemy models.', "w40k10.ability.infiltrators")
    return ALLOWED
