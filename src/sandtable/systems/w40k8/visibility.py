"""Visibility: who sees whom. Only what is really there hides anybody."""

from __future__ import annotations

from typing import Final

from sandtable.kit.seeing import Seeing
from sandtable.rules import rule
from sandtable.table.sight import HARD, NONE


@rule("w40k8.concept.visibility", "w40k8.gap.sight_model", neutral=False)
def others_hide() -> bool:
    """Models hide what is behind them, but for those of the observer's own unit."""
    return True


@rule("w40k8.gap.sight_model", neutral=NONE)
def walls_hide() -> int:
    """What is solid stops every line that meets it, and nothing else of terrain does."""
    return HARD


SEEING: Final = Seeing(
    through=lambda kind, observer, target: NONE,
    solids=walls_hide,
    models_block=others_hide,
    own_ranks_hide=lambda: 1,
    sees_past=lambda w, model: False,
    floors_count=lambda: True,
)
