"""Weapons that do more with a good wound roll: a better AP, more damage, a mortal wound beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from sandtable.attack.volley import FACES, NO_WOUND, DiceSum, Mortal, WoundKind, WoundRoll

WORDS: Final = ("sharp ", "ap -", "damage +", "damage to ", "mortal wound on ")
"""How these abilities of weapons begin."""
_SHARP: Final = re.compile(r"sharp (-[1-6]) on ([2-6])\+")
_BETTER: Final = re.compile(r"ap (-[1-6]) on ([2-6])\+")
_HARDER: Final = re.compile(r"damage \+([1-9]) on ([2-6])\+")
_HARD: Final = re.compile(r"damage to ([1-9]) on ([2-6])\+")
_MORTAL: Final = re.compile(r"mortal wound on ([2-9])\+")


class Edge(NamedTuple):
    """What a wound does: its AP, its damage, and mortal wounds beside it."""

    ap: int
    damage: DiceSum
    mortal: int = 0


def edge_of(abilities: Sequence[str], ap: int, damage: DiceSum, total: int) -> Edge:
    """What a wound does whose roll came to `total`."""
    mortal = 0
    for word in abilities:
        if (m := _SHARP.fullmatch(word)) and total >= int(m[2]):
            ap = min(ap, int(m[1]))
        elif (m := _BETTER.fullmatch(word)) and total >= int(m[2]):
            ap += int(m[1])
        elif (m := _HARD.fullmatch(word)) and total >= int(m[2]):
            damage = DiceSum(plus=int(m[1]))
        elif (m := _MORTAL.fullmatch(word)) and total >= int(m[1]):
            mortal += 1
    for word in abilities:
        if (m := _HARDER.fullmatch(word)) and total >= int(m[2]):
            damage = damage.more(DiceSum(plus=int(m[1])))
    return Edge(ap, damage, mortal)


@lru_cache(maxsize=2048)
def edges(abilities: tuple[str, ...], ap: int, damage: DiceSum, added: int) -> tuple[Edge, ...]:
    """What the wounds of a weapon can do, what most of them do first; `added` is what its rolls gain."""
    if not any(word.startswith(WORDS) for word in abilities):
        return (Edge(ap, damage),)
    return tuple(dict.fromkeys([Edge(ap, damage), *(edge_of(abilities, ap, damage, f + added) for f in FACES)]))


def penetrations(found: Sequence[Edge]) -> tuple[int, ...]:
    """The different APs among them, each a class of saving throw."""
    return tuple(dict.fromkeys(e.ap for e in found))


def kinds_of(found: Sequence[Edge], first: int, usual: WoundKind) -> tuple[WoundKind, ...]:
    """The kinds of wounds, with classes of saving throw from `first` on."""
    classes = penetrations(found)
    return tuple(
        msgspec.structs.replace(
            usual,
            save=first + classes.index(e.ap),
            damage=e.damage,
            mortal=Mortal(DiceSum(plus=e.mortal)) if e.mortal else None,
        )
        for e in found
    )


def with_edges(
    roll: WoundRoll, found: Sequence[Edge], abilities: tuple[str, ...], ap: int, damage: DiceSum, added: int
) -> WoundRoll:
    """A wound roll with the kind of wound that each face gives."""
    if len(found) == 1:
        return roll
    faces = [
        face
        if face.kind == NO_WOUND
        else msgspec.structs.replace(face, kind=found.index(edge_of(abilities, ap, damage, n + added)))
        for n, face in zip(FACES, roll.faces, strict=True)
    ]
    return msgspec.structs.replace(roll, faces=tuple(faces))
