"""Assaults about to be fought, and what is told of their results."""

from __future__ import annotations

from typing import Any

from epica.table import TROOPS, act, formation, give, kinds, row, situation
from sandtable.battle.events import Told
from sandtable.systems.epica.state import EpicBattle

AVERAGE = {
    "close combat": [1] * 30,
    "firefight": [1] * 30,
    "support": [1] * 20,
    "result": [6, 6, 1, 1],
    "rally": [6] * 6,
}


def engaging(
    reds: list[tuple[float, float]],
    blues: list[tuple[float, float]],
    *more: Any,
    dice: dict[str, list[int]] | None = None,
    red_sheet: dict[str, Any] = TROOPS,
    blue_sheet: dict[str, Any] = TROOPS,
    blue_flags: dict[str, Any] | None = None,
    terrain: list[Any] | None = None,
    target: str = "Blues",
    **flags: Any,
) -> EpicBattle:
    """The Reds about to charge the Blues."""
    b = situation(
        [
            formation("Reds", "red", red_sheet, reds, **flags),
            formation("Blues", "blue", blue_sheet, blues, **(blue_flags or {})),
            *more,
        ],
        terrain,
        dice={**AVERAGE, **(dice or {})},
    )
    act(b, "Reds", "engage")
    if "engage" in kinds(b):
        give(b, "engage", target)
    if "intermingle" in kinds(b) and target == "Blues":
        give(b, "intermingle", [])
    return b


def scores(b: EpicBattle) -> list[str]:
    """The results of the sides as they were told."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "result"]


def margins(b: EpicBattle) -> list[int]:
    """By how much assaults were won."""
    return [e.data["margin"] for e in b.events if isinstance(e, Told) and e.kind == "assault won"]


def killed(b: EpicBattle) -> list[int]:
    """The stands that were destroyed in the attacks and by support."""
    found = [e for e in b.events if isinstance(e, Told) and e.kind == "destroyed" and "in the assault" in e.text]
    return [stand for e in found for stand in e.data["stands"]]


IDLE = formation("Idle", "blue", at=row(2, 100, 85))


def engaging_all(reds: Any, blues: Any, *others: Any, dice: dict[str, list[int]] | None = None) -> EpicBattle:
    """The Reds about to charge the Blues together with all formations that are mixed up with them."""
    b = situation([reds, blues, *others, IDLE], dice={**AVERAGE, **(dice or {})})
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", [f.name for f in others if f.player == "blue"])
    return b
