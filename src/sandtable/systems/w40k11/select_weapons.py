"""Select weapons (04.01, 24.02): of an ability that a weapon has more than once, one is picked before targets are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sandtable.battle import Option, Question
from sandtable.rules import rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.datasheet import Weapon
from sandtable.systems.w40k11.state import Battle11, Unit

ABILITY: Final = "ability"
"""The question which of several instances of an ability a weapon uses."""


@rule("w40k11.attack.steps", "w40k11.weapon.duplicates")
async def select_weapons(b: Battle11, unit: Unit, arms: Iterable[Weapon]) -> None:
    """The first step of shooting and of fighting: what is picked counts for these attacks only."""
    picked: list[tuple[str, str]] = []
    for weapon in dict.fromkeys(arms):
        for found in weapons.duplicates(weapon):
            options = [Option(ability, ability.title()) for ability in found]
            prompt, rules = f"Which ability counts for {weapon.name}?", ("w40k11.weapon.duplicates",)
            chosen = await b.choose(unit.player, ABILITY, prompt, options, rules=rules, unit=unit.id)
            picked.append((weapon.name, str(chosen)))
    if unit.picked != tuple(picked):
        b.set_unit(unit, picked=tuple(picked))


QUESTIONS: Final = {ABILITY: Question(default=lambda w, d: d.options[0].value)}
