"""The number of attacks that a weapon makes."""

from __future__ import annotations

from sandtable.attack.volley import DiceSum, Shots
from sandtable.forty.why import why_number
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.random_characteristics import rolled
from sandtable.systems.w40k10.shot import Batch, Shot


@rule("w40k10.shoot.attack_count", "w40k10.fight.attack_count", neutral=DiceSum(plus=1))
def attacks_made(weapon: Weapon) -> DiceSum:
    """How many attacks a weapon makes; a random number is rolled for each weapon on its own."""
    return rolled(weapon.attacks)


def attacks_of(batch: Batch) -> tuple[Shots, ...]:
    """How many attacks are made."""
    first = batch[0]
    if first.attacks:
        return (Shots(1, DiceSum(plus=sum(s.attacks for s in batch))),)
    each, more = attacks_made(first.weapon), added_attacks(first)
    why = why_number(str(each), "w40k10.shoot.attack_count", *more)
    for number, _, _ in more:
        each = each.more(number)
    return (Shots(len(batch), each, why),)


def added_attacks(shot: Shot) -> list[tuple[DiceSum, str, str]]:
    """What adds to a weapon's attacks: how much, by which rule, and what players call it."""
    rapid, blast = weapons.rapid_fire(shot.weapon, shot.half_range), weapons.blast(shot.weapon, shot.size)
    found = ((rapid, "w40k10.weapon.rapid_fire", "Rapid Fire"), (blast, "w40k10.weapon.blast_attacks", "Blast"))
    return [one for one in found if one[0] != weapons.NOTHING]
