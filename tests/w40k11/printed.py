"""Abilities of armies as our corrections tell them, for units of a situation."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.armies.kdc.corrections import corrections
from support.situations import Doc


def ours(faction: str, ability: str, whose: str, **more: Any) -> Doc:
    """An ability of an army for a unit of a situation, with the effects that our corrections have for it."""
    effects = msgspec.to_builtins(corrections(faction).file.abilities[ability].effects)
    choose = corrections(faction).file.abilities[ability].choose
    return {"unit": whose, "name": ability, "effects": list(effects), "choose": choose, **more}
