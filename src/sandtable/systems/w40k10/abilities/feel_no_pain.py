"""Feel No Pain: wounds that are ignored."""

from __future__ import annotations

from sandtable.attack.volley import NEVER
from sandtable.forty.facing import own_pain
from sandtable.rules import rule
from sandtable.systems.w40k10.state import World10


@rule("w40k10.attack.feel_no_pain", neutral=NEVER)
def pain(w: World10, model: int) -> int:
    """What a wound that would be lost needs to be ignored; of several such abilities only the best is used."""
    return own_pain(w, model)
