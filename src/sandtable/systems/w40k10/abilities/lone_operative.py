"""Lone Operative: units that are targeted from close by only."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.forty.state import is_attached
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import Bools, steps

LONE_OPERATIVE: Final = "lone operative"


LONE_OPERATIVE_RANGE: Final = steps(12)


@rule("w40k10.ability.lone_operative", neutral=True)
def close_enough(w: World10, unit: Unit, enemy: Unit) -> Bools | bool:
    """For each model of a unit: a Lone Operative is targeted from within 12" only."""
    if is_attached(w, enemy) or not all(has_core(w, enemy, int(m), LONE_OPERATIVE) for m in w.on_table(enemy)):
        return True
    return np.asarray(w.distances(unit, enemy).min(axis=1) <= LONE_OPERATIVE_RANGE)
