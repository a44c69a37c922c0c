"""Keywords of datasheets; singular and plural, in any case, are the same keyword."""

from __future__ import annotations

from functools import lru_cache

from sandtable.battle.kept import LOSSES, PLACES_OF_THESE, kept
from sandtable.forty.sheets import Sheet
from sandtable.forty.state import Unit, World40


@lru_cache(maxsize=4096)
def singular(keyword: str) -> str:
    """A keyword as it is compared."""
    word = keyword.upper()
    return word[:-1] if word.endswith("S") and not word.endswith("SS") else word


@lru_cache(maxsize=4096)
def keywords_of(sheet: Sheet) -> frozenset[str]:
    """The keywords of a datasheet."""
    return frozenset(map(singular, sheet.keywords))


@kept(PLACES_OF_THESE)
def unit_keywords(w: World40, unit: Unit) -> frozenset[str]:
    """The keywords of all models of a unit that are not destroyed."""
    lost, kits = w.out_of_play(), w.setup.data.kits
    sheets = dict.fromkeys([kits[m].sheet for m in unit.models if m not in lost])
    return frozenset[str]().union(*(keywords_of(w.setup.data.sheets[s]) for s in sheets))


@kept(LOSSES)
def kinds_left(w: World40, unit: Unit) -> tuple[int, ...]:
    """One model of each datasheet that is left in a unit."""
    lost, kits = w.out_of_play(), w.setup.data.kits
    return tuple({kits[m].sheet: m for m in unit.models if m not in lost}.values())
