"""The Benefit of Cover: which terrain, or what else, shelters a model from a unit's ranged attacks."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.forty.covering import Covering
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.terrain.barricades import barricade_cover
from sandtable.systems.w40k10.terrain.craters import crater_cover
from sandtable.systems.w40k10.terrain.debris import debris_cover
from sandtable.systems.w40k10.terrain.hills import hill_cover
from sandtable.systems.w40k10.terrain.ruins import ruins_cover
from sandtable.systems.w40k10.terrain.woods import woods_cover
from sandtable.table.grid import Bools

GOOD_SAVE: Final = 3
COVER: Final = "cover"
"""Kind of effect that gives the Benefit of Cover, as Stratagems do."""


@rule("w40k10.terrain.cover_not_fully_visible", neutral=np.False_)
def hidden_from_any(broken: Bools) -> Bools:
    """One attacking model whose view the feature obstructs is enough."""
    return np.asarray(broken.any(axis=0))


def hidden(w: World10, broken: Bools) -> Bools:
    """Which models which features hide partly: from any attacking model, or from every one, as the option says."""
    if w.option("cover-sight") == "every":
        return np.asarray(broken.all(axis=0) & bool(len(broken)))
    return hidden_from_any(broken)


COVERING: Final = Covering(
    {
        "ruins": (ruins_cover, "w40k10.terrain.ruins_cover"),
        "woods": (woods_cover, "w40k10.terrain.woods_cover"),
        "crater": (crater_cover, "w40k10.terrain.craters_cover"),
        "barricade": (barricade_cover, "w40k10.terrain.barricade_cover"),
        "debris": (debris_cover, "w40k10.terrain.debris_cover"),
        "hill": (hill_cover, "w40k10.terrain.hill_cover"),
    },
    hidden,
    effect=COVER,
)


@rule("w40k10.terrain.cover_once", neutral=Argument("rules"))
def once(rules: tuple[str, ...]) -> tuple[str, ...]:
    """Several sources of cover count as one: the first of them."""
    return rules[:1]


@rule("w40k10.terrain.cover", neutral=0)
def cover_bonus(save: int, ap: int) -> int:
    """What the Benefit of Cover adds to an armour save against a ranged attack."""
    return 0 if too_good_for_cover(save, ap) else 1


@rule("w40k10.terrain.cover_good_armour", neutral=False)
def too_good_for_cover(save: int, ap: int) -> bool:
    """Against AP 0 a Save of 3+ or better gets nothing from cover."""
    return ap == 0 and save <= GOOD_SAVE
