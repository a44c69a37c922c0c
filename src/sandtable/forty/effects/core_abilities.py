"""Core abilities that a model has: those of its datasheet, and those that other abilities grant."""

from __future__ import annotations

from typing import Final

from sandtable.armies.effects import Grant
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.at_work import Active, applies, at_work, changes_model, outside_attacks
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.state import Unit, World40, sheet_of

COVER: Final = "benefit of cover"
"""What a grant may name beside core abilities."""


def granted_by(w: World40, unit: Unit, model: int, ability: str) -> tuple[str, ...]:
    """The abilities that grant a core ability to a model."""
    return names(granted(w, unit, model, ability))


def core_values(w: World40, unit: Unit, model: int, ability: str) -> list[str]:
    """What stands behind a core ability of a model, for each time that it has it."""
    sheet = sheet_of(w, model)
    own = [sheet.value(ability)] if sheet.has(ability) else []
    return own + [a.effect.ability[len(ability) :].strip() for a in granted(w, unit, model, ability)]


def given_cover(w: World40, attacker: Unit, target: Unit, model: int) -> tuple[str, ...]:
    """The abilities that give a model the Benefit of Cover against a unit's ranged attacks."""
    attack = AttackMade(attacker.id, target.id, melee=False, suffered=True)
    return names(a for a in _granted(w, target, model, COVER) if applies(w, a, attack))


def all_given_cover(w: World40, attacker: Unit, target: Unit) -> bool:
    """Whether abilities give every model of a unit the Benefit of Cover against a unit's ranged attacks."""
    if not at_work(w, target, Grant):
        return False
    return all(given_cover(w, attacker, target, m) for m in w.on_table(target).tolist())


def granted(w: World40, unit: Unit, model: int, ability: str) -> tuple[Active[Grant], ...]:
    """What grants a core ability to a model where nobody attacks."""
    return outside_attacks(_granted(w, unit, model, ability))


def _granted(w: World40, unit: Unit, model: int, ability: str) -> list[Active[Grant]]:
    return [
        a
        for a in at_work(w, unit, Grant)
        if (a.effect.ability == ability or a.effect.ability.startswith(ability + " ")) and changes_model(w, a, model)
    ]


def made(w: World40, ability: str) -> tuple[int, ...]:
    """The models on the table to which other abilities grant a core ability now; nobody where none can."""
    if not _can_be_granted(w, ability):
        return ()
    return tuple(m for u in w.units() for m in map(int, w.on_table(u)) if granted_by(w, u, m, ability))


@kept(SETUP)
def _can_be_granted(w: World40, ability: str) -> bool:
    data = w.setup.data
    effects = [e.effects for e in data.abilities] + [e.effects for e in data.stratagems]
    return any(isinstance(e, Grant) and e.ability.startswith(ability) for found in effects for e in found)
