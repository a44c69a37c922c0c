"""The computer players think about 11th edition with what its own functions answer."""

from __future__ import annotations

from sandtable.forty.mind.plan import models_there
from sandtable.systems.w40k11.mind import MIND
from w40k11.table import mission, sheet, situation, unit


def test_models_are_counted_at_an_objective_not_the_middles_of_units() -> None:
    units = [
        unit("Reds", "red", sheet(oc=2), [(14, 15), (16, 15), (18, 15), (20, 15)]),
        unit("Blues", "blue", sheet(), [(42, 28)]),
    ]
    hold = {"kind": "hold", "name": "Hold", "vp": 1, "when": "command", "from_round": 2}
    b = situation(units, step="move_units", mission=mission(hold, spots=[(10.5, 15.0)]))
    assert MIND.present is models_there
    assert models_there(b).tolist() == [[2.0], [0.0]]
