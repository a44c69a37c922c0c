"""What a word means: datasheets, profiles and models by the names that players give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from sandtable.armies.format import Sheet
from sandtable.armies.pack import Pack
from sandtable.kit.grammar import players_do

LONG: Final = {
    "movement": "M", "move": "M", "toughness": "T", "save": "Sv", "wounds": "W",
    "leadership": "Ld", "oc": "OC", "range": "Range", "attacks": "A", "shots": "A", "strength": "S", "ap": "AP",
    "damage": "D", "bs": "BS", "ws": "WS", "ballistic skill": "BS", "weapon skill": "WS", "sv": "Sv", "ld": "Ld",
}  # fmt: skip
"""Characteristics as they are spelt out."""
_ENDING: Final = re.compile(r"(?:ing|ed|es|e|d|s)$")
_WITH: Final = re.compile(r" \+ | and ")
SAME: Final = (("overcharg", "supercharg"),)
"""Words, without their endings, that players use for the same profile."""


def does(name: str, verb: str) -> str:
    """A unit does something; the verb as it is said of one: 10 Intercessors, 3 lost, have."""
    names = _WITH.split(name.partition(", ")[0])
    return name + players_do(names, verb).removeprefix(" and ".join(names))


def words(text: str) -> tuple[str, ...]:
    """The words of a name, without case, plural and punctuation."""
    plain = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    return tuple(_singular(word) for word in plain)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("xes"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word[-1] in "sz" and word[-2] != "s" else word


def sheets_named(pack: Pack, text: str) -> list[Sheet]:
    """The datasheets that a name fits best: as a whole, or else with the fewest words left over.

    The name of the faction may stand before it: "ork boyz".
    """
    wanted = words(text)
    found = _fitting(pack.sheets(), wanted)
    if found:
        return found
    for faction in pack.factions:
        own = {*words(faction.name), *words(faction.keyword)}
        rest = wanted
        while rest and rest[0] in own:
            rest = rest[1:]
        if rest != wanted:
            found += _fitting([s for s in pack.sheets() if pack.faction_of(s.id) == faction.id], rest)
    return found


def leaders_named(pack: Pack, text: str, led: Sheet) -> list[Sheet]:
    """The datasheets that a name fits among those that can lead a unit; a captain of Terminators wears their armour."""
    return _fitting([s for s in pack.sheets() if led.id in (*s.leads, *s.leads_beside)], words(text))


def _fitting(sheets: Iterable[Sheet], wanted: tuple[str, ...]) -> list[Sheet]:
    if not wanted:
        return []
    best: dict[str, tuple[tuple[int, int], Sheet]] = {}
    for sheet in sheets:
        for place, name in enumerate((sheet.name, sheet.id, *(kind.name for kind in sheet.models))):
            there = words(name)
            if set(wanted) <= set(there):
                # The name of a unit counts more than that of a model in it.
                spare = 0 if there == wanted and place < 2 else 1 + 2 * (len(there) - len(wanted)) + (place >= 2)
                # Of two units with such models the one with the plainer name is meant.
                found = (spare, len(words(sheet.name)))
                if sheet.id not in best or found < best[sheet.id][0]:
                    best[sheet.id] = (found, sheet)
    least = min((spare for spare, _ in best.values()), default=(0, 0))
    return [sheet for spare, sheet in best.values() if spare == least]


def profile_named(sheet: Sheet, text: str) -> str:
    """The profile of one of a sheet's weapons that is meant, such as "supercharge"; empty where there is none."""
    wanted = _stems(text)
    for weapon in sheet.weapons:
        for profile in weapon.profiles:
            if profile.name and wanted and _stems(profile.name) == wanted:
                return profile.name
    return ""


def _stems(text: str) -> tuple[str, ...]:
    stems = [_ENDING.sub("", word) for word in re.findall(r"[a-z0-9]+", text.lower())]
    return tuple(next((same[1] for same in SAME if stem == same[0]), stem) for stem in stems if stem != "profil")


def meant(wanted: str, names: Sequence[str], there: str = "It has") -> str:
    """A hint at what may have been meant, or at what there is."""
    folded = {name.lower(): name for name in names}
    close = get_close_matches(wanted.lower(), list(folded), n=3, cutoff=0.55)
    if close:
        return f" Did you mean {' or '.join(repr(folded[name]) for name in close)}?"
    return f" {there}: {', '.join(names[:12])}{', ...' if len(names) > 12 else '.'}"
