"""Weapon abilities: what each of them changes in an attack."""

from __future__ import annotations

from typing import Final

from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import NEVER, DiceSum, dice
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.state import STATIONARY, Unit, World10

NOTHING: Final = DiceSum()
BLAST_GROUP: Final = 5
CRITICAL: Final = 6


@rule("w40k10.weapon.rapid_fire", neutral=NOTHING)
def rapid_fire(weapon: Weapon, half_range: bool) -> DiceSum:
    """More attacks at half range."""
    return dice(weapon.value("rapid fire")) if half_range and weapon.has("rapid fire") else NOTHING


@rule("w40k10.weapon.blast_attacks", neutral=NOTHING)
def blast(weapon: Weapon, models: int) -> DiceSum:
    """One more attack for every five models that the target had when it was selected."""
    return DiceSum(plus=models // BLAST_GROUP) if weapon.has("blast") else NOTHING


@rule("w40k10.weapon.melta", neutral=NOTHING)
def melta(weapon: Weapon, half_range: bool) -> DiceSum:
    """More damage at half range."""
    return dice(weapon.value("melta")) if half_range and weapon.has("melta") else NOTHING


@rule("w40k10.weapon.heavy", neutral=0)
def heavy(w: World10, unit: Unit, weapon: Weapon) -> int:
    """Better aim for a unit that Remained Stationary in this turn of its own."""
    own_turn = w.side(unit.player) == w.side(w.state.active)
    return 1 if weapon.has("heavy") and own_turn and unit.moved == STATIONARY else 0


@rule("w40k10.weapon.lance", neutral=0)
def lance(unit: Unit, weapon: Weapon) -> int:
    """Better wounds after a Charge move."""
    return 1 if weapon.has("lance") and unit.charged else 0


@rule("w40k10.weapon.torrent", neutral=False)
def torrent(weapon: Weapon) -> bool:
    """Hits by itself."""
    return weapon.has("torrent")


@rule("w40k10.weapon.lethal_hits", neutral=False)
def lethal_hits(weapon: Weapon) -> bool:
    """A Critical Hit wounds by itself."""
    return weapon.has("lethal hits")


@rule("w40k10.weapon.sustained_hits", neutral=NOTHING)
def sustained_hits(weapon: Weapon) -> DiceSum:
    """A Critical Hit scores further hits."""
    return dice(weapon.value("sustained hits")) if weapon.has("sustained hits") else NOTHING


@rule("w40k10.weapon.devastating_wounds", neutral=False)
def devastating_wounds(weapon: Weapon) -> bool:
    """A Critical Wound becomes mortal wounds."""
    return weapon.has("devastating wounds")


@rule("w40k10.weapon.twin_linked", neutral="none")
def twin_linked(weapon: Weapon) -> Rerolls:
    """Any Wound roll may be re-rolled."""
    return "all" if weapon.has("twin-linked") else "none"


@rule("w40k10.weapon.ignores_cover", neutral=False)
def ignores_cover(weapon: Weapon) -> bool:
    return weapon.has("ignores cover")


@rule("w40k10.weapon.anti", neutral=CRITICAL)
def critical_wound(w: World10, weapon: Weapon, target: Unit) -> int:
    """From which bare roll on a wound is critical, for a weapon made against the target's kind."""
    best = CRITICAL
    for ability in weapon.abilities:
        if ability.startswith("anti-"):
            keyword, _, needed = ability.removeprefix("anti-").rpartition(" ")
            if has_keyword(w, target, keyword):
                best = min(best, int(needed.removesuffix("+")))
    return max(2, best)


@rule("w40k10.weapon.precision", neutral=False)
def precision(weapon: Weapon) -> bool:
    """The attacker may direct a wound at a CHARACTER."""
    return weapon.has("precision")


@rule("w40k10.weapon.indirect_target", neutral=False)
def indirect(weapon: Weapon) -> bool:
    """May be aimed at what the bearer does not see."""
    return weapon.has("indirect fire")


def is_pistol(weapon: Weapon) -> bool:
    return weapon.has("pistol")


def is_hazardous(weapon: Weapon) -> bool:
    return weapon.has("hazardous")


def is_assault(weapon: Weapon) -> bool:
    return weapon.has("assault")


def is_extra(weapon: Weapon) -> bool:
    return weapon.has("extra attacks")


@rule("w40k10.attack.wound_table", neutral=4)
def wound_needed(strength: int, toughness: int) -> int:
    """What the Wound roll needs."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def feel_no_pain(abilities: tuple[str, ...]) -> int:
    """The best Feel No Pain among a model's abilities: only one may be used."""
    found = [
        int(a.removeprefix("feel no pain").strip().removesuffix("+")) for a in abilities if a.startswith("feel no pain")
    ]
    return min(found, default=NEVER)
