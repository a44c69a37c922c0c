"""What a use of an ability allows, in a few words beside the choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sandtable.armies.effects import Allow, Mark
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.occasions import Use, at_moment

ALLOWED: Final[Mapping[str, str]] = {
    "advance_and_shoot": "shoot after Advancing",
    "advance_and_charge": "charge after Advancing",
    "fall_back_and_shoot": "shoot after Falling Back",
    "fall_back_and_charge": "charge after Falling Back",
}


def gist(ability: Ability, use: Use, at: str) -> str:
    """What units may do by a use, itself or by what it marks; empty where no few words say it."""
    due = [e for _, e in at_moment(ability, at, use.branch)]
    marks = {f"marked:{e.name}" for e in due if isinstance(e, Mark)}
    marked = [e for e in ability.effects if not marks.isdisjoint(e.when)]
    found = [e.what for e in (*due, *marked) if isinstance(e, Allow)]
    told = list(dict.fromkeys(ALLOWED[what] for what in found if what in ALLOWED))
    return f"lets units {' and '.join(told)}" if told else ""
