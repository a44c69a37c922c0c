"""Infiltrators: units that are deployed almost anywhere."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict
from sandtable.forty.deploying import check_far_from_enemies
from sandtable.kit.room import Spots
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
    return check_far_from_enemies(w, unit, spots, INFILTRATORS.gap, "w40k10.ability.infiltrators")
