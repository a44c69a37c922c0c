"""What abilities do for every attack of a model, for those who make plans before there is a target.

What depends on the moment, on places, on the target or on a Leader is left to the attack itself.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from sandtable.armies.effects import Characteristic, Critical, Modify, Reroll, WeaponAbility
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.at_work import Active
from sandtable.forty.effects.attack_rolls import NOTHING, Working
from sandtable.forty.effects.enforced import Enforced
from sandtable.forty.effects.weapons import Change, alter, is_meant
from sandtable.forty.sheets import Weapon
from sandtable.forty.state import World40

OWN: Final = ("model", "unit")
"""Whom an effect works on without anybody else."""
SORTS: Final = frozenset(("ranged", "melee", "not ranged", "not melee"))
"""Conditions that only say which weapons are meant."""
NOBODY: Final = -1

X = TypeVar("X", bound=Weapon)


@kept(SETUP)
def always(w: World40, model: int) -> tuple[Any, ...]:
    """The effects on a model's attacks that work in every one of them."""
    found = [
        effect
        for ability in w.setup.data.abilities
        if model in ability.models and not ability.wounds and not ability.choose
        for effect in ability.effects
        if _is_about_attacks(effect) and _holds_always(effect)
    ]
    return tuple(dict.fromkeys(found))


def _is_about_attacks(effect: Any) -> bool:
    if isinstance(effect, Reroll | Modify | Critical):
        return effect.roll in ("hit", "wound")
    return isinstance(effect, WeaponAbility) or (isinstance(effect, Characteristic) and bool(effect.weapons))


def _holds_always(effect: Any) -> bool:
    if effect.who not in OWN or effect.at or effect.bearer or effect.only or effect.branch or effect.optional:
        return False
    return getattr(effect, "attacks", "made") == "made" and SORTS.issuperset(effect.when)


def armed_always(w: World40, weapon: X, effects: tuple[Any, ...]) -> X:
    """A weapon with what effects always change about it."""
    read = w.system.seam(Enforced).weapon_stats
    changes: tuple[Change, ...] = tuple(
        e for e in effects if isinstance(e, WeaponAbility) or (isinstance(e, Characteristic) and e.name in read)
    )
    meant = tuple(e for e in changes if is_meant(weapon, e))
    altered: X = alter(w, weapon, meant) if meant else weapon
    return altered


def rolls_always(effects: tuple[Any, ...], *, melee: bool) -> Working:
    """What effects always do for the rolls of a model's shots, or of its blows."""
    wrong = ("ranged", "not melee") if melee else ("melee", "not ranged")
    found = [Active(NOBODY, e, NOBODY, "") for e in effects if not any(c in wrong for c in e.when)]

    def of(kind: type[Any]) -> tuple[Active[Any], ...]:
        return tuple(a for a in found if isinstance(a.effect, kind))

    return Working(of(Reroll), of(Modify), of(Critical)) if found else NOTHING


@kept(SETUP)
def rolls_of(w: World40, model: int, melee: bool) -> Working:
    """The same for a model's own abilities."""
    return rolls_always(always(w, model), melee=melee)
