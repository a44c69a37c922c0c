"""How the dice of an attack are read, for the event of each roll."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from sandtable.attack.volley import NEVER, DiceSum, HitFace, HitRoll, Why, WoundFace, WoundRoll
from sandtable.battle.rolls import ByFace, Sum, Total
from sandtable.reasons import Part

NOUNS: Final = {
    "attacks": "attack(s)",
    "extra hits": "hit(s) more",
    "damage": "damage",
    "save": "saved",
    "feel no pain": "ignored",
}
"""What is counted, by the kind of roll."""


@lru_cache(maxsize=1024)
def by_table(table: HitRoll | WoundRoll) -> ByFace:
    """How a hit or wound roll is read."""
    noun = "hit(s)" if isinstance(table, HitRoll) else "wound(s)"
    faces: tuple[HitFace | WoundFace, ...] = table.faces
    needed = next((n for n, f in enumerate(faces, 1) if f.success), NEVER)
    critical = next((n for n, f in enumerate(faces, 1) if f.critical and _does_more(f)), 0)
    return ByFace(noun, table.why, needed, tuple(map(_scored, faces)), critical)


def _does_more(face: HitFace | WoundFace) -> bool:
    """Whether a critical face gives anything that another does not; else nobody wants to hear of it."""
    return (face.hits, face.wounds, face.extra) != (1, 0, None) if isinstance(face, HitFace) else face.kind > 0


def _scored(face: HitFace | WoundFace) -> int:
    return face.hits + face.wounds if isinstance(face, HitFace) else int(face.success)


@lru_cache(maxsize=1024)
def by_sums(kind: str, sums: tuple[DiceSum, ...], why: Why) -> Total:
    """How several sums of dice in one batch are read, such as the attacks of several weapons."""
    parts = why or (Part(" and ".join(dict.fromkeys(map(str, sums)))),)
    if len(sums) > 1 and len(set(sums)) == 1:
        parts = (msgspec.structs.replace(parts[0], value=f"{len(sums)} x {parts[0].value}"), *parts[1:])
    # Fewer than no attacks are none.
    read = tuple(Sum(s.dice, s.plus, max(0, s.least), s.divide) for s in sums)
    return Total(NOUNS.get(kind, kind), parts, sums=read)
