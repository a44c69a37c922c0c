"""Weapon abilities: what each of them changes in an attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sandtable.attack.tables import Rerolls
from sandtable.attack.volley import NEVER, DiceSum
from sandtable.battle import ALLOWED, Assignment, Verdict, refuse
from sandtable.forty.aiming import Gun, unit_weapons
from sandtable.forty.declaring import who_fires_which
from sandtable.forty.sheets import names_in
from sandtable.forty.weapon_words import antis
from sandtable.rules import rule
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.random_characteristics import rolled
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import STATIONARY, Unit, World10

NOTHING: Final = DiceSum()
BLAST_GROUP: Final = 5


@rule("w40k10.weapon.abilities", neutral=False)
def has(weapon: Weapon, ability: str) -> bool:
    """Whether a profile has an ability: it works for attacks with that weapon, and for no other."""
    return ability in names_in(weapon.abilities)


# --- How many attacks, how much damage --------------------------------------------------------------------------------


@rule("w40k10.weapon.rapid_fire", neutral=NOTHING)
def rapid_fire(weapon: Weapon, half_range: bool) -> DiceSum:
    """More attacks at half range."""
    return rolled(weapon.value("rapid fire")) if half_range and has(weapon, "rapid fire") else NOTHING


@rule("w40k10.weapon.blast_attacks", neutral=NOTHING)
def blast(weapon: Weapon, models: int) -> DiceSum:
    """One more attack for every five models that the target had when it was selected."""
    return DiceSum(plus=models // BLAST_GROUP) if is_blast(weapon) else NOTHING


@rule("w40k10.weapon.melta", neutral=NOTHING)
def melta(weapon: Weapon, half_range: bool) -> DiceSum:
    """More damage at half range."""
    return rolled(weapon.value("melta")) if half_range and has(weapon, "melta") else NOTHING


# --- The Hit roll -----------------------------------------------------------------------------------------------------


@rule("w40k10.weapon.heavy", neutral=0)
def heavy(unit: Unit, weapon: Weapon) -> int:
    """Better aim for a unit that Remained Stationary in this turn; what it did in its last turn is forgotten."""
    return 1 if unit.moved == STATIONARY and has(weapon, "heavy") else 0


@rule("w40k10.weapon.torrent", neutral=False)
def torrent(weapon: Weapon) -> bool:
    """Hits by itself."""
    return has(weapon, "torrent")


@rule("w40k10.weapon.lethal_hits", neutral=False)
def lethal_hits(weapon: Weapon) -> bool:
    """A Critical Hit wounds by itself."""
    return has(weapon, "lethal hits")


@rule("w40k10.weapon.sustained_hits", neutral=NOTHING)
def sustained_hits(weapon: Weapon) -> DiceSum:
    """A Critical Hit scores further hits."""
    return rolled(weapon.value("sustained hits")) if has(weapon, "sustained hits") else NOTHING


# --- The Wound roll ---------------------------------------------------------------------------------------------------


@rule("w40k10.weapon.lance", neutral=0)
def lance(unit: Unit, weapon: Weapon) -> int:
    """Better wounds after a Charge move."""
    return 1 if unit.charged and has(weapon, "lance") else 0


@rule("w40k10.weapon.twin_linked", neutral="none")
def twin_linked(weapon: Weapon) -> Rerolls:
    """Any Wound roll may be re-rolled."""
    return "all" if has(weapon, "twin-linked") else "none"


@rule("w40k10.weapon.anti", neutral=NEVER)
def anti(weapon: Weapon, is_a: Callable[[str], bool]) -> int:
    """From which bare roll on a weapon made against the target's kind wounds critically; `is_a` knows its keywords."""
    return min((face for keyword, face in antis(weapon) if is_a(keyword)), default=NEVER)


@rule("w40k10.weapon.devastating_wounds", neutral=False)
def devastating_wounds(weapon: Weapon) -> bool:
    """A Critical Wound becomes mortal wounds."""
    return has(weapon, "devastating wounds")


@rule("w40k10.weapon.ignores_cover", neutral=False)
def ignores_cover(weapon: Weapon) -> bool:
    """No Benefit of Cover helps."""
    return has(weapon, "ignores cover")


@rule("w40k10.weapon.precision", neutral=False)
def precision(weapon: Weapon) -> bool:
    """The attacker may direct a wound at a CHARACTER."""
    return has(weapon, "precision")


@rule("w40k10.weapon.indirect_target", neutral=False)
def indirect(weapon: Weapon) -> bool:
    """May be aimed at what the bearer does not see."""
    return has(weapon, "indirect fire")


is_pistol: Final = partial(has, ability="pistol")
is_assault: Final = partial(has, ability="assault")
is_psychic: Final = partial(has, ability="psychic")
has_one_shot: Final = partial(has, ability="one shot")


@rule("w40k10.weapon.blast_attacks", "w40k10.weapon.blast_limit", neutral=False)
def is_blast(weapon: Weapon) -> bool:
    """Makes more attacks at many models, and is never fired into a combat of the own army."""
    return has(weapon, "blast")


@rule("w40k10.weapon.hazardous", neutral=False)
def is_hazardous(weapon: Weapon) -> bool:
    """May harm who fires it."""
    return has(weapon, "hazardous")


@rule("w40k10.weapon.extra_attacks", neutral=False)
def is_extra(weapon: Weapon) -> bool:
    """Strikes in addition to the weapon that a model chose; the number of its attacks never changes."""
    return has(weapon, "extra attacks")


@rule("w40k10.weapon.pistol_eligible", neutral=False)
def pistols_engaged(w: World10, unit: Unit) -> bool:
    """Units with Pistols shoot while engaged."""
    return any(is_pistol(x) for x in unit_weapons(w, unit))


@rule("w40k10.weapon.assault", neutral=False)
def assault_after_advance(w: World10, unit: Unit) -> bool:
    """Whether a unit has Assault weapons to fire after an Advance."""
    return any(is_assault(x) for x in unit_weapons(w, unit))


@rule("w40k10.weapon.pistol_exclusive", neutral=ALLOWED)
def check_pistols(w: World10, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """A model that is neither MONSTER nor VEHICLE fires its Pistols or its other weapons."""
    if who_fires_which(w, groups, answer) is not None:
        return ALLOWED
    return refuse("A model fires either its Pistols or its other weapons.", "w40k10.weapon.pistol_exclusive")


@rule("w40k10.weapon.indirect_penalty", neutral=0)
def unseen_penalty(shot: Shot) -> int:
    """Indirect Fire at what nobody of the unit sees: no other weapon can be aimed at it."""
    return -1 if shot.unseen else 0
