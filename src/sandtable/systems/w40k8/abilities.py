"""What abilities of units and of their weapons do to the rolls of attacks."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import Allow, Characteristic, Invulnerable, Modify, Reroll
from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import FACES, NEVER
from sandtable.forty.effects.attack_rolls import Working, modifiers
from sandtable.forty.effects.enforced import Enforced
from sandtable.forty.effects.saves import guard_of, wards_of
from sandtable.forty.effects.words import AttackMade
from sandtable.rules import rule
from sandtable.systems.w40k8.datasheet import Weapon
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Unit, World8

AUTOMATIC: Final = "automatic hits"
UNWIELDY: Final = "unwieldy"
PLAGUE: Final = "plague weapon"
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
READ: Final = ("M", "WS", "BS", "S", "T", "A", "Ld", "Sv")
"""Characteristics of models that abilities change."""
CORE: Final = ("disgustingly resilient", "cataphractii armour", "nurgle's gift")
"""Abilities that sheets name and that are played."""
ENFORCED: Final = Enforced(
    weapon_abilities=(
        AUTOMATIC,
        UNWIELDY,
        PLAGUE,
        *AGAIN,
        *(f"{EXTRA} {n}" for n in range(1, MOST_EXTRA + 1)),
        *(f"hits {n} on {face}" for n in range(2, MOST_EXTRA + 1) for face in FACES),
    ),
    before_targets=(),
    granted=(),
    kinds=(Reroll, Modify, Characteristic, Invulnerable, Allow),
    core=CORE,
    rolls=("hit", "wound"),
    model_stats=READ,
    weapon_stats=(),
    allowed=("advance_and_charge", "fall_back_and_charge", "fall_back_and_shoot"),
)


def attack_made(unit: Unit, shot: Shot) -> AttackMade:
    """An attack, as conditions of abilities see it."""
    return AttackMade(unit.id, shot.target, shot.melee, shot.model, shot.half_range)


def hits_by_itself(weapon: Weapon) -> bool:
    """Whether no hit rolls are made."""
    return AUTOMATIC in weapon.abilities


def many_hits(weapon: Weapon) -> tuple[int, int]:
    """From which hit roll on an attack scores further hits, and how many; never, for most weapons."""
    found = next((m for word in weapon.abilities if (m := HITS.fullmatch(word))), None)
    return (int(found[2]), int(found[1]) - 1) if found else (NEVER, 0)


def extra_attacks(weapon: Weapon) -> int:
    """How many close combat attacks a weapon brings along, beside those of its bearer."""
    text = weapon.value(EXTRA)
    return int(text) if text.isdecimal() else 0


def added_by(found: Working, roll: str, weapon: Weapon) -> list[tuple[int, str]]:
    """What abilities of both units and of the weapon add to a roll."""
    own = [(-1, UNWIELDY)] if roll == "hit" and UNWIELDY in weapon.abilities else []
    return [*modifiers(found, roll), *own]


def again_by(found: Working, roll: str, weapon: Weapon) -> list[Rerolls]:
    """Which of these rolls they let be made again."""
    own = [faces for name, (which, faces) in AGAIN.items() if which == roll and name in weapon.abilities]
    plague = plagued(weapon) if roll == "wound" else []
    return [*(a.effect.faces for a in found.rerolls if a.effect.roll == roll), *own, *plague]


@rule("w40k8.gap.plague_weapon", neutral=())
def plagued(weapon: Weapon) -> list[Rerolls]:
    """Wound rolls of 1 with a Plague Weapon are made again."""
    return ["ones"] if PLAGUE in weapon.abilities else []


def ward_by(w: World8, unit: Unit, target: Unit, model: int, shot: Shot) -> int:
    """The best invulnerable save that abilities give a model against an attack."""
    return min(wards_of(w, guard_of(w, target, attack_made(unit, shot)), model), default=NEVER)
