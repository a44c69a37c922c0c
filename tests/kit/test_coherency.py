"""Who stands apart, told in a sentence."""

from __future__ import annotations

import numpy as np

import sandtable
from sandtable.forty.state import called_all
from sandtable.kit.coherency import who_is_apart
from sandtable.systems.w40k11.coherency import coherency_of
from sandtable.table.grid import steps


def test_a_unit_that_is_spread_too_far_is_told_by_its_two_ends() -> None:
    armies = {"red": "necrons-1000-silver-tide", "blue": "death-guard-1000-plague-company"}
    battle = sandtable.new("w40k11", armies=armies, seed=3)
    warriors = next(unit for unit in battle.state.units if "Necron Warriors" in unit.name)
    models = np.array(sorted(warriors.models)[-9:])
    places = battle.bodies.pos.copy()
    for number, model in enumerate(models):
        places[model] = (steps(10 + 2 * number), steps(10), 0)
    told = who_is_apart(battle, battle.bodies._replace(pos=places), models, coherency_of(9), called_all)
    assert told.text.endswith('would be 14.74" apart, and no two of a unit may be further than 9".')
    assert told.models == (int(models[0]), int(models[-1]))
    refused = told.refusal(warriors, "end", "w40k11.coherency.definition")
    assert refused.reasons[0].facts == {"unit": warriors.id, "gap": 14.74, "limit": 9.0}
