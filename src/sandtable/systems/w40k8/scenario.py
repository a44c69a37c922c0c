"""Scenario files: what 8th edition brings to them."""

from __future__ import annotations

from typing import Final

from sandtable.forty.scenario import Files
from sandtable.systems.w40k8.attacks import AP, HIT, INVULNERABLE, SAVE, WOUND
from sandtable.systems.w40k8.enlist import LISTS
from sandtable.systems.w40k8.mission import MISSIONS
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.turn import PHASE_OF_STEP

EFFECTS: Final = {HIT: (-6, 6), WOUND: (-6, 6), SAVE: (-6, 6), AP: (-6, 6), INVULNERABLE: (2, 6)}
"""Kinds of effects that may lie on a unit when a file begins, each with its least and its largest value."""

FILES: Final = Files(FRAME, PHASE_OF_STEP, EFFECTS, LISTS, MISSIONS)
