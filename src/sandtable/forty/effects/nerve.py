"""Leadership that units borrow from others: from those who lead them on, or from a crowd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.armies.effects import LendLeadership
from sandtable.forty.effects.at_work import bearers
from sandtable.forty.effects.attack_rolls import none_at_all
from sandtable.forty.effects.conditions import hold_for_unit
from sandtable.forty.effects.index import index_of
from sandtable.forty.state import Unit, World40


def lent_leadership(w: World40, unit: Unit, own: Callable[[Any], int]) -> list[int]:
    """The values that a unit may use as its Leadership, beside its own; `own` says what that of a unit is."""
    if none_at_all(w):
        return []
    index, found = index_of(w), []
    for c in index.chances(w, unit, LendLeadership).candidates:
        effect = c.effect
        assert isinstance(effect, LendLeadership)
        if effect.only and not index.words.has_keyword(w, unit, effect.only):
            continue
        if not hold_for_unit(w, effect.when, unit):
            continue
        lenders = [w.unit(b) for b in bearers(w, index.words, c, unit)]
        able = [u for u in lenders if hold_for_unit(w, effect.bearer, u)]
        found += [len(w.on_table(u)) if effect.by == "size" else own(u) for u in able]
    return found
