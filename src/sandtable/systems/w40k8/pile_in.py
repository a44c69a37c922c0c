"""Piling in and consolidating."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sandtable.battle import Question
from sandtable.systems.w40k8.state import Battle8, Unit


async def pile_in(b: Battle8, unit: Unit) -> None:
    """Each model may move up to 3", closer to the enemy model nearest to it."""


async def consolidate(b: Battle8, unit: Unit) -> None:
    """The same once the unit has made its attacks."""


QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType({})
