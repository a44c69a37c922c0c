"""Words of weapons: what they say about hits, wounds and the number of attacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import msgspec

from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import FACES, NEVER, DiceSum, HitRoll
from sandtable.forty.effects.attack_rolls import Working, modifiers
from sandtable.forty.effects.edges import WORDS as EDGES
from sandtable.forty.effects.vocabulary import has_any
from sandtable.forty.overheating import OVERHEATS
from sandtable.forty.sheets import Weapon
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40

AUTOMATIC: Final = "automatic hits"
UNWIELDY: Final = "unwieldy"
INDIRECT: Final = "indirect fire"
SNIPER: Final = "sniper"
ONE_SHOT: Final = "one shot"
ANTI: Final = "anti-"
ANTI_AIR: Final = "anti-air"
PIERCES_COVER: Final = "ignores cover"
AGAIN: Final[MappingProxyType[str, tuple[str, Rerolls]]] = MappingProxyType(
    {
        "re-roll hits": ("hit", "failures"),
        "re-roll hits of 1": ("hit", "ones"),
        "re-roll wounds": ("wound", "failures"),
    }
)
"""Weapon abilities by which rolls are made again: which, and with which faces."""
EXTRA: Final = "extra attacks"
MOST_EXTRA: Final = 9
HITS: Final = re.compile(r"hits ([0-9]) on ([2-6])\+")
SURE: Final = re.compile(r"hits on ([2-6])\+")
POISON: Final = re.compile(r"wounds on ([2-6])\+")
MANY: Final = re.compile(r"rolls (\S+) for each attack")
STEADY: Final = re.compile(r"to hit \+([1-9])(?: against ([0-9]+))?")
MORE: Final = re.compile(r"another roll on ([2-6])(\+?)")
WORDS: Final = (
    AUTOMATIC, UNWIELDY, INDIRECT, SNIPER, ONE_SHOT, ANTI_AIR, PIERCES_COVER, OVERHEATS, *AGAIN, *EDGES,
    *(f"{EXTRA} {n}" for n in range(1, MOST_EXTRA + 1)),
    *(f"hits {n} on {face}" for n in range(2, MOST_EXTRA + 1) for face in FACES),
    "hits on ", "wounds on ", "rolls ", "another roll on ", "to hit +",
)  # fmt: skip
"""How the abilities of weapons begin that are read here and beside..."""
BEFORE_TARGETS: Final = (EXTRA, INDIRECT, SNIPER)
"""...and those that count before a target is known."""


Added = Sequence[tuple[int, str]]
"""What is added to a roll, each with its source."""


def antis(weapon: Weapon) -> list[tuple[str, int]]:
    """The keywords that a weapon is made against, and from which bare roll on it wounds their bearers critically."""
    found = [a.removeprefix(ANTI).rpartition(" ") for a in weapon.abilities if a.startswith(ANTI)]
    return [(keyword, int(needed.removesuffix("+"))) for keyword, _, needed in found]


def hits_by_itself(weapon: Weapon) -> bool:
    """Whether no hit rolls are made."""
    return AUTOMATIC in weapon.abilities


@lru_cache(maxsize=512)
def found_in(weapon: Weapon, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The first ability of a weapon that is written like this."""
    return next((m for word in weapon.abilities if (m := pattern.fullmatch(word))), None)


def fires_once(weapon: Weapon) -> bool:
    """Whether a weapon has a single shot for the whole battle."""
    return ONE_SHOT in weapon.abilities


def many_hits(weapon: Weapon) -> tuple[int, int]:
    """From which hit roll on an attack scores further hits, and how many; never, for most weapons."""
    found = found_in(weapon, HITS)
    return (int(found[2]), int(found[1]) - 1) if found else (NEVER, 0)


def with_more_rolls(roll: HitRoll, weapon: Weapon, needed: int, added: int, again: tuple[int, ...]) -> HitRoll:
    """A hit roll of which some faces give another one, which gives no further."""
    found = found_in(weapon, MORE)
    if found is None:
        return roll
    # A die that comes to 1 where it hits, and to 0 where it does not.
    least = max(FACES[0] + 1, min(NEVER, needed - added))
    more = DiceSum((6,), 1 - least, reroll=again, divide=6)
    first = int(found[1]) - (added if found[2] else 0)
    faces = [
        msgspec.structs.replace(f, extra=more) if n >= first else f for n, f in zip(FACES, roll.faces, strict=True)
    ]
    return msgspec.structs.replace(roll, faces=tuple(faces))


def in_any_case(weapon: Weapon, usual: tuple[int, Added]) -> tuple[int, Added]:
    """What a hit roll needs and what is added to it, with a weapon that hits by a number of its own."""
    found = found_in(weapon, SURE)
    return (int(found[1]), ()) if found else usual


def poisoned(w: World40, weapon: Weapon, target: Unit, needed: int) -> int:
    """What a wound roll needs, with a weapon that wounds whom it can poison by a number of its own."""
    found = found_in(weapon, POISON)
    return needed if found is None or has_any(w, target, "VEHICLE") else min(needed, int(found[1]))


def rolls_for_each(weapon: Weapon) -> str:
    """How many hit rolls each attack makes."""
    found = found_in(weapon, MANY)
    return found[1].upper() if found else "1"


def extra_attacks(weapon: Weapon) -> int:
    """How many close combat attacks a weapon brings along, beside those of its bearer."""
    text = weapon.value(EXTRA)
    return int(text) if text.isdecimal() else 0


def added_by_weapon(w: World40, weapon: Weapon, target: Unit) -> list[tuple[int, str]]:
    """What a weapon itself adds to its hit rolls."""
    own = [(-1, UNWIELDY)] if UNWIELDY in weapon.abilities else []
    if steady := found_in(weapon, STEADY):
        crowd = len(w.on_table(target)) >= int(steady[2] or 0)
        own += [(int(steady[1]), steady[0])] if crowd else []
    if ANTI_AIR in weapon.abilities:
        own.append((1 if has_any(w, target, "FLY") else -1, ANTI_AIR))
    return own


def again_by_weapon(weapon: Weapon, roll: str) -> list[tuple[Rerolls, str]]:
    """Which rolls a weapon itself lets be made again, and by which of its abilities."""
    return [(faces, name) for name, (which, faces) in AGAIN.items() if which == roll and name in weapon.abilities]


def added_by(w: World40, found: Working, roll: str, shot: Shot) -> list[tuple[int, str]]:
    """What abilities of both units and of the weapon add to a roll of an attack, and which of them."""
    own = added_by_weapon(w, shot.weapon, w.unit(shot.target)) if roll == "hit" else []
    return [*modifiers(found, roll), *own]


def again_by(found: Working, roll: str, weapon: Weapon) -> list[tuple[Rerolls, str]]:
    """Which of these rolls they let be made again, and which of them do."""
    given = [(a.effect.faces, a.name) for a in found.rerolls if a.effect.roll == roll]
    return [*given, *again_by_weapon(weapon, roll)]
