"""A ready battle with made-up armies, from the first step of a mission: for trying the system out, and for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from sandtable.battle.scenario import read_scenario_file
from sandtable.forty.scenario import of_made_up_units
from sandtable.systems.w40k11.scenario import FILES
from sandtable.systems.w40k11.state import Setup11, State11

FILE: Final = Path(__file__).parent / "sample.yaml"
TURNS: Final = 0
"""As many as the battle rounds hold."""


def sample(seed: int, options: dict[str, str], turns: int = TURNS) -> tuple[Setup11, State11]:
    """A battle about to begin with the first step of its mission."""
    doc = read_scenario_file(FILE)
    doc = msgspec.structs.replace(doc, options=dict(options), extra={**doc.extra, "turns": turns})
    setup, state = of_made_up_units(FILES, doc)
    state.segment, state.round = "setup", 0
    return setup, state
