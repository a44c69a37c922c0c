"""Feel No Pain: wounds that are ignored."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.attack.volley import NEVER, Body
from sandtable.battle.kept import SETUP, kept
from sandtable.rules import rule
from sandtable.systems.w40k10.datasheet import Sheet
from sandtable.systems.w40k10.state import World10, sheet_of


def feel_no_pain(sheet: Sheet) -> int:
    """The best Feel No Pain among a model's abilities: only one may be used."""
    name = "feel no pain"
    found = [int(a.removeprefix(name).strip().removesuffix("+")) for a in sheet.abilities if a.startswith(name)]
    return min(found, default=NEVER)


@rule("w40k10.attack.feel_no_pain", neutral=NEVER)
def pain(w: World10, model: int) -> int:
    """What a wound that would be lost needs to be ignored; of several such abilities only the best is used."""
    return _own_pain(w, model)


@kept(SETUP)
def _own_pain(w: World10, model: int) -> int:
    return feel_no_pain(sheet_of(w, model))


def ignoring(bodies: Sequence[Body]) -> tuple[str, ...]:
    """The rule, and the abilities, by which bodies may ignore wounds."""
    return tuple(dict.fromkeys(("w40k10.attack.feel_no_pain", *(p.source for x in bodies for p in x.pain_why))))
