"""Core abilities that a model has: those of its datasheet, and those that other abilities grant."""

from __future__ import annotations

from typing import Final

from sandtable.armies.effects import Grant
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.characteristics import names
from sandtable.systems.w40k10.abilities.conditions import AttackMade
from sandtable.systems.w40k10.abilities.standing import Active, applies, changes_model, outside_attacks, standing
from sandtable.systems.w40k10.state import Unit, World10, sheet_of

COVER: Final = "benefit of cover"
"""What a grant may name beside core abilities."""


@rule("w40k10.datasheet.abilities", neutral=False)
def has_core(w: World10, unit: Unit, model: int, ability: str) -> bool:
    """Whether a model has a core ability, whatever number stands behind it."""
    return sheet_of(w, model).has(ability) or bool(outside_attacks(_granted(w, unit, model, ability)))


def granted_by(w: World10, unit: Unit, model: int, ability: str) -> tuple[str, ...]:
    """The abilities that grant a core ability to a model."""
    return names(outside_attacks(_granted(w, unit, model, ability)))


def core_values(w: World10, unit: Unit, model: int, ability: str) -> list[str]:
    """What stands behind a core ability of a model, for each time that it has it."""
    sheet = sheet_of(w, model)
    own = [sheet.value(ability)] if sheet.has(ability) else []
    granted = outside_attacks(_granted(w, unit, model, ability))
    return own + [a.effect.ability[len(ability) :].strip() for a in granted]


def given_cover(w: World10, attacker: Unit, target: Unit, model: int) -> tuple[str, ...]:
    """The abilities that give a model the Benefit of Cover against a unit's ranged attacks."""
    attack = AttackMade(attacker.id, target.id, melee=False, suffered=True)
    return names(a for a in _granted(w, target, model, COVER) if applies(w, a, attack))


def _granted(w: World10, unit: Unit, model: int, ability: str) -> list[Active[Grant]]:
    return [
        a
        for a in standing(w, unit, Grant)
        if (a.effect.ability == ability or a.effect.ability.startswith(ability + " ")) and changes_model(w, a, model)
    ]
