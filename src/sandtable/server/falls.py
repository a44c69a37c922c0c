"""Who falls first: the order that players put their models in, for questions which of a unit's own takes something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.battle.decisions import Choose, Decision, Option
from sandtable.server.protocol import Fall


def victim(asked: Decision[Any], units: Sequence[Any], falls: Mapping[int, tuple[int, ...]]) -> int | None:
    """Who of those that a question offers falls first; None where it is about something else, or nobody said it."""
    order = falls.get(asked.unit)
    if order is None or not isinstance(asked, Choose) or not asked.options:
        return None
    models = set(units[asked.unit].models)
    if not all(option.value in models and not _is_unit(option, units) for option in asked.options):
        return None
    offered = {option.value for option in asked.options}
    return next((model for model in order if model in offered), None)


def _is_unit(option: Option, units: Sequence[Any]) -> bool:
    """Whether the number stands for a unit: then its name is the unit's."""
    number = option.value
    return isinstance(number, int) and number < len(units) and option.label.startswith(units[number].name)


def shown(falls: Mapping[int, tuple[int, ...]]) -> list[Fall]:
    """For the player."""
    return [Fall(unit, order) for unit, order in sorted(falls.items())]
