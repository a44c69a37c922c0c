"""Factions by what lists call them: by their names, by names of old, or by a part that only one of them has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from sandtable.armies.kdc.names import plain

_OLD: Final[Mapping[str, str]] = {
    "Asuryani": "aeldari",
    "Craftworlds": "aeldari",
    "Eldar": "aeldari",
    "Harlequins": "aeldari",
    "Ynnari": "aeldari",
    "Dark Eldar": "drukhari",
    "Daemons": "chaos-daemons",
    "Daemons of Chaos": "chaos-daemons",
    "Legiones Daemonica": "chaos-daemons",
    "Heretic Astartes": "chaos-space-marines",
    "Imperial Guard": "astra-militarum",
    "Inquisition": "agents-of-the-imperium",
    "League of Votann": "leagues-of-votann",
    "Questor Imperialis": "imperial-knights",
    "Questor Traitoris": "chaos-knights",
    "Sisters of Battle": "adepta-sororitas",
    "Tau": "tau-empire",
}
"""Names that the dataset does not give."""
_SIDES: Final = frozenset({"imperium", "chaos", "xenos"})
"""Words for many factions at once."""
_AKA: Final = re.compile(r"\baka\b|\s+-\s+|\s+[–—]\s+", re.IGNORECASE)
_APOSTROPHES: Final = str.maketrans("", "", "'’‘`´")


def faction_id(told: str, factions: Iterable[Any]) -> str:
    """The id of the faction that a list tells; empty where it may be of several, or of none."""
    known = _known(tuple((one.id, one.name, *(one.raw.get("aliases") or ())) for one in factions))
    # What stands last says most: "Imperium - Adeptus Astartes - Ultramarines".
    parts = [told, *reversed(_AKA.split(told))]
    names = [name for part in parts if (name := _key(part)) and name not in _SIDES]
    exact = (known.get(name) or known.get(name.removesuffix("s")) or known.get(f"{name}s") for name in names)
    return next(filter(None, exact), "") or next(filter(None, (_only(name, known) for name in names)), "")


def _only(name: str, known: Mapping[str, str]) -> str:
    """The one faction that has these whole words in a name: "Guard" may be of two, and is nobody's."""
    found = {id_ for other, id_ in known.items() if f" {name} " in f" {other} "}
    return next(iter(found)) if len(found) == 1 else ""


def _key(name: str) -> str:
    return plain(name.translate(_APOSTROPHES))


@cache
def _known(factions: tuple[tuple[str, ...], ...]) -> dict[str, str]:
    """The factions by all their names."""
    ids = {id_ for id_, *_ in factions}
    old = {_key(name): id_ for name, id_ in _OLD.items() if id_ in ids}
    return old | {_key(name): id_ for id_, *names in factions for name in (id_, *names)}
