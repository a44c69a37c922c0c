"""The charge roll and the charge move, and the move of a Heroic Intervention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from sandtable.battle import Question
from sandtable.kit.grammar import agree, does
from sandtable.systems.w40k8.state import Battle8, Unit


async def make_charge_move(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Throw 2D6 and move; whether the charge was made."""
    b.tell("charge_failed", f"{does(unit, 'fails')} {agree(unit, 'its')} charge.", "w40k8.charge.fail", units=[unit.id])
    return False


async def make_heroic_move(b: Battle8, unit: Unit) -> None:
    """Move up to 3", closer to the nearest enemy model."""


QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType({})
