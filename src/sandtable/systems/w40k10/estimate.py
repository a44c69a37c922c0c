"""What Stratagems against shooting are worth: how much they would spare a target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.attack.mean import mean_against
from sandtable.attack.volley import NEVER, Body
from sandtable.forty.attacks import compiled
from sandtable.forty.odds.estimate import wounds_left
from sandtable.systems.w40k10 import cover
from sandtable.systems.w40k10.saves import saving_throw
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Unit, World10

STEALTH_SHARE: Final = 0.75
"""About as many hits are left where a Hit roll of 3+ becomes one of 4+."""


def saved_by(
    w: World10, unit: Unit, target: Unit, shots: Sequence[Shot], *, inv: int = NEVER, stealth: bool = False
) -> float:
    """How many wounds cover, an invulnerable save and perhaps Stealth would spare a target on average."""
    batches, volleys, first = compiled(w, unit, target, shots, most=1)
    if not first.bodies:
        return 0.0
    body = first.bodies[0]
    shelter = (*cover.sources_of_cover(w, unit, target, body.model), "w40k10.terrain.cover")
    saves = tuple(saving_throw(w, target, body.model, batch[0], shelter, inv) for batch in batches)
    better = Body(body.model, body.wounds, body.full, saves, pain=body.pain)
    total = wounds_left(w, target)
    before = min(total, sum(mean_against(v, body) for v in volleys))
    share = STEALTH_SHARE if stealth else 1.0
    return before - min(total, share * sum(mean_against(v, better) for v in volleys))
