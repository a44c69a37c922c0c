"""What abilities let models move through."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.armies.effects import Allow, Allowed
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.permissions import allows_model
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Unit, World40
from sandtable.table.grid import Bools, steps

MODELS: Final[Allowed] = "move_through_models"
SMALLER: Final[Allowed] = "move_through_smaller"
NOT_TITANIC: Final[Allowed] = "move_through_all_but_titanic"
TERRAIN: Final[Allowed] = "move_through_terrain"
LOW: Final[Allowed] = "move_over_4"
CHARGING: Final[Allowed] = "charge_through_terrain"
PASSAGES: Final = (MODELS, SMALLER, NOT_TITANIC, TERRAIN, LOW)
OVER: Final = steps(4)
"""How high terrain is at most that is passed by `move_over_4`."""
STOPPED_BY: Final = {MODELS: (), SMALLER: ("MONSTER", "VEHICLE"), NOT_TITANIC: ("TITANIC",)}
"""Keywords of models that still stand in the way."""


@kept(SETUP)
def _anybody(w: World40) -> bool:
    """Whether any ability or Stratagem of the battle lets somebody through; looked up once."""
    effects = (e for a in (*w.setup.data.abilities, *w.setup.data.stratagems) for e in a.effects)
    return any(isinstance(e, Allow) and e.what in (*PASSAGES, CHARGING) for e in effects)


def passages(w: World40, unit: Unit, model: int, *, charging: bool) -> tuple[Allowed, ...]:
    """What abilities let a model of a unit move through now, in a charge or in the moves of a Movement phase."""
    if not _anybody(w):
        return ()
    if charging:
        return (TERRAIN,) if allows_model(w, unit, model, CHARGING) else ()
    return tuple(what for what in PASSAGES if allows_model(w, unit, model, what))


@kept(SETUP)
def let_through(w: World40, what: tuple[Allowed, ...]) -> Bools:
    """Which models are no obstacle to who has these permissions."""
    has, every = w.system.seam(Words).model_has_keyword, range(len(w.setup.data.kits))
    found = np.zeros(len(every), dtype=np.bool_)
    for stops in (STOPPED_BY[one] for one in what if one in STOPPED_BY):
        found |= np.array([not any(has(w, m, word) for word in stops) for m in every], dtype=np.bool_)
    return found
