"""A ready battle with made-up armies: for trying the system out, and for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sandtable.forty.sample import deployed
from sandtable.systems.w40k10.coherency import coherency_of
from sandtable.systems.w40k10.scenario import FILES
from sandtable.systems.w40k10.state import Setup10, State10

FILE: Final = Path(__file__).parent / "sample.yaml"
TURNS: Final = 2
ZONE: Final = 9
"""How deep the deployment zones are, in inches."""


def sample(seed: int, options: dict[str, str], turns: int = TURNS) -> tuple[Setup10, State10]:
    """A battle about to begin; the seed shuffles the deployment."""
    return deployed(FILES, FILE, options, seed=seed, depth=ZONE, together=coherency_of, turns=turns)
