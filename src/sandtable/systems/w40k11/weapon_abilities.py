"""Weapon abilities (24): what each of them changes in an attack."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

import msgspec

from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import NEVER, DiceSum, dice
from sandtable.forty.sheets import names_in
from sandtable.forty.weapon_words import ANTI, antis
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.datasheet import Weapon
from sandtable.systems.w40k11.state import Unit

NOTHING: Final = DiceSum()

NUMBER: Final = re.compile(r" [0-9d+]+$")
"""What stands behind an ability"""

amount: Final = lru_cache(maxsize=1024)(dice)
"""A characteristic such as "D6+1", read once."""


class WEAPONS(Facts):
    """What the book states about weapon abilities."""

    group = fact(5, "w40k11.weapon.blast", "w40k11.weapon.cleave", neutral=10**9)
    """For each so many models of the target there are more dice."""


@rule("w40k11.weapon.notation", neutral=False)
def has(weapon: Weapon, ability: str) -> bool:
    """Whether a profile has an ability: it works for attacks with that weapon, and for no other."""
    return ability in names_in(weapon.abilities)


# --- Abilities that a weapon has more than once, and abilities with keywords ------------------------------------------


@lru_cache(maxsize=1024)
def duplicates(weapon: Weapon) -> tuple[tuple[str, ...], ...]:
    """The abilities of which a weapon has several instances, with other keywords or numbers: those of each."""
    found: dict[str, list[str]] = {}
    for ability in weapon.abilities:
        found.setdefault(same_ability(ability), []).append(ability)
    return tuple(tuple(several) for several in found.values() if len(several) > 1)


def same_ability(ability: str) -> str:
    """What instances of one ability have in common, whatever their keywords and numbers."""
    plain = NUMBER.sub("", ability.partition(":")[0])
    return ANTI if plain.startswith(ANTI) else plain


def in_use(weapon: Weapon, picked: tuple[tuple[str, str], ...], is_a: Callable[[str], bool]) -> Weapon:
    """A weapon as it is used on a target, whose keywords `is_a` knows; `picked` are instances of abilities."""
    if not duplicates(weapon) and not any(":" in ability for ability in weapon.abilities):
        return weapon
    spare = unused(weapon, picked)
    kept = [a.partition(":")[0] for a in weapon.abilities if a not in spare and works_on(a, is_a)]
    return msgspec.structs.replace(weapon, abilities=tuple(kept))


@rule("w40k11.weapon.duplicates", neutral=())
def unused(weapon: Weapon, picked: tuple[tuple[str, str], ...]) -> list[str]:
    """Of abilities that a weapon has several times all but the one that was picked, or the first if none was."""
    spare: list[str] = []
    for found in duplicates(weapon):
        used = next((a for a in found if (weapon.name, a) in picked), found[0])
        spare += [a for a in found if a != used]
    return spare


@rule("w40k11.weapon.notation", neutral=True)
def works_on(ability: str, is_a: Callable[[str], bool]) -> bool:
    """An ability that names keywords works only against units with them, or behind a "not" against all others."""
    keywords = ability.partition(":")[2].strip()
    words = keywords.removeprefix("not ").split("/")
    return not keywords or any(map(is_a, words)) != keywords.startswith("not ")


# --- How many attacks, how much damage --------------------------------------------------------------------------------


@rule("w40k11.attack.dice_number", "w40k11.gap.random_characteristics", neutral=DiceSum(plus=1))
def attacks_made(weapon: Weapon) -> DiceSum:
    """How many attack dice a weapon gives; a random number is rolled for each weapon on its own."""
    return amount(weapon.attacks)


@rule("w40k11.weapon.rapid_fire", neutral=NOTHING)
def rapid_fire(weapon: Weapon, half_range: bool) -> DiceSum:
    """More dice at half range."""
    return amount(weapon.value("rapid fire")) if half_range and has(weapon, "rapid fire") else NOTHING


@rule("w40k11.weapon.blast", neutral=NOTHING)
def blast(weapon: Weapon, models: int) -> DiceSum:
    """More dice for every five models that the target had when it was selected: one, or as many as stand behind it."""
    if not is_blast(weapon):
        return NOTHING
    return DiceSum(plus=models // WEAPONS.group * int(weapon.value("blast") or 1))


@rule("w40k11.weapon.cleave", neutral=NOTHING)
def cleave(weapon: Weapon, models: int, split: bool) -> DiceSum:
    """More dice for every five models of a single target, as it was when it was selected."""
    if split or not has(weapon, "cleave"):
        return NOTHING
    return DiceSum(plus=models // WEAPONS.group * int(weapon.value("cleave")))


@rule("w40k11.weapon.melta", neutral=NOTHING)
def melta(weapon: Weapon, half_range: bool) -> DiceSum:
    """More damage at half range."""
    return amount(weapon.value("melta")) if half_range and has(weapon, "melta") else NOTHING


# --- The hit roll -----------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.torrent", neutral=False)
def torrent(weapon: Weapon) -> bool:
    """Hits by itself."""
    return has(weapon, "torrent")


@rule("w40k11.weapon.lethal_hits", neutral=False)
def lethal_hits(weapon: Weapon) -> bool:
    """A critical hit may wound by itself."""
    return has(weapon, "lethal hits")


@rule("w40k11.weapon.sustained_hits", neutral=NOTHING)
def sustained_hits(weapon: Weapon) -> DiceSum:
    """A critical hit gives further hits."""
    return amount(weapon.value("sustained hits")) if has(weapon, "sustained hits") else NOTHING


# --- The wound roll ---------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.lance", neutral=0)
def lance(unit: Unit, weapon: Weapon) -> int:
    """Better wounds after a charge move."""
    return 1 if unit.charged and has(weapon, "lance") else 0


@rule("w40k11.weapon.twin_linked", neutral="none")
def twin_linked(weapon: Weapon) -> Rerolls:
    """Any wound roll may be re-rolled."""
    return "all" if has(weapon, "twin-linked") else "none"


@rule("w40k11.weapon.anti", neutral=NEVER)
def anti(weapon: Weapon, is_a: Callable[[str], bool]) -> int:
    """From which bare roll on a weapon made against the target's kind wounds critically; `is_a` knows its keywords."""
    return min((face for keyword, face in antis(weapon) if is_a(keyword)), default=NEVER)


@rule("w40k11.weapon.devastating_wounds", neutral=False)
def devastating_wounds(weapon: Weapon) -> bool:
    """A critical wound becomes mortal wounds."""
    return has(weapon, "devastating wounds")


# --- Everything else --------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.ignores_cover", neutral=False)
def ignores_cover(weapon: Weapon) -> bool:
    """No cover helps."""
    return has(weapon, "ignores cover")


@rule("w40k11.weapon.psychic", neutral=False)
def unhindered(weapon: Weapon) -> bool:
    """What makes BS, WS or hit rolls worse is left out; its player would leave out nothing else."""
    return is_psychic(weapon)


@rule("w40k11.weapon.precision", neutral=False)
def precision(weapon: Weapon) -> bool:
    """The attacker may have a CHARACTER take the attacks first."""
    return has(weapon, "precision")


@rule("w40k11.weapon.close_quarters", neutral=False)
def is_close_quarters(weapon: Weapon) -> bool:
    """[CLOSE-QUARTERS] and [PISTOL] are the same ability."""
    return has(weapon, "close-quarters") or has(weapon, "pistol")


is_blast: Final = partial(has, ability="blast")
is_hazardous: Final = partial(has, ability="hazardous")
is_assault: Final = partial(has, ability="assault")
is_indirect: Final = partial(has, ability="indirect fire")
is_psychic: Final = partial(has, ability="psychic")
has_one_shot: Final = partial(has, ability="one shot")


@rule("w40k11.weapon.extra_attacks", neutral=False)
def is_extra(weapon: Weapon) -> bool:
    """Strikes in addition to the weapon that a model chose."""
    return has(weapon, "extra attacks")
