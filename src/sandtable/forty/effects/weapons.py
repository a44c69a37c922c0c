"""Weapons in the hands of a unit: their profiles after what abilities change about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from sandtable.armies.effects import SPARED, Characteristic, WeaponAbility
from sandtable.attack.volley import dice
from sandtable.battle.kept import EVERYTHING, SETUP, kept
from sandtable.forty.effects.at_work import Active, applies, at_work, changes_model
from sandtable.forty.effects.characteristics import names, settle, settle_dice
from sandtable.forty.effects.conditions import about_attack, about_model
from sandtable.forty.effects.enforced import Enforced
from sandtable.forty.effects.index import numbered
from sandtable.forty.effects.words import AttackMade, Words
from sandtable.forty.sheets import Weapon
from sandtable.forty.state import Unit, World40, weapons_of

Change: TypeAlias = Characteristic | WeaponAbility
X = TypeVar("X", bound=Weapon)
Changes: TypeAlias = tuple[Active[Any], ...]

ROLLED: Final = ("A", "D")
NUMBERS: Final = (("strength", "S"), ("ap", "AP"))
DICED: Final = (("attacks", "A"), ("damage", "D"))
"""Characteristics that numbers change, and those that may hold dice."""
NUMBERED: Final = ("rapid fire", "sustained hits", "melta", "cleave")
"""Weapon abilities with a number behind them, of which a weapon uses the best."""


@kept(EVERYTHING)
def changes_to_weapons(w: World40, unit: Unit, attacks: str = "made") -> Changes:
    """What changes weapons that a unit uses, or that are used against it."""
    if not w.setup.data.abilities and not w.state.effects:
        return ()
    found: list[Active[Any]] = [
        a for a in at_work(w, unit, Characteristic) if a.effect.weapons and a.effect.attacks == attacks
    ]
    if found:
        read = w.system.seam(Enforced).weapon_stats
        found = [a for a in found if a.effect.name in read]
    if attacks == "made":
        found += at_work(w, unit, WeaponAbility)
    return tuple(found)


def key_of(changes: Changes) -> tuple[tuple[int, int], ...]:
    """What tells one set of changes from another, for caches."""
    return tuple((a.ability, a.number) for a in changes)


def armed(w: World40, model: int, weapon: X, changes: Changes) -> X:
    """A weapon as its bearer has it before a target is known."""
    if not changes:
        return weapon
    found = [a for a in changes if not about_attack(_when(a.effect)) and changes_model(w, a, model)]
    return _altered(w, weapon, tuple(a.effect for a in found if is_meant(weapon, a.effect)))


def all_armed(w: World40, model: int, changes: Changes) -> tuple[Any, ...]:
    """All weapons of a model in the order of its kit, as it has them before a target is known."""
    if not changes:
        return tuple(weapons_of(w, model))
    return _armed_by(w, model, kind_of(w, model, changes))


@kept(SETUP)
def _armed_by(w: World40, model: int, kind: tuple[int, ...]) -> tuple[Any, ...]:
    data = w.setup.data
    effects: list[Any] = [numbered(data, a).effects[n] for a, n in zip(kind[::2], kind[1::2], strict=True)]
    early = [e for e in effects if not about_attack(_when(e))]
    return tuple(_altered(w, x, tuple(e for e in early if is_meant(x, e))) for x in weapons_of(w, model))


def kind_of(w: World40, model: int, changes: Changes) -> tuple[int, ...]:
    """What tells models apart whose weapons abilities change differently."""
    found: list[int] = []
    for a in changes:
        if changes_model(w, a, model):
            found += (a.ability, a.number)
    return tuple(found)


def armed_against(
    w: World40, attack: AttackMade, weapon: X, made: Changes, suffered: Changes
) -> tuple[X, tuple[str, ...]]:
    """A weapon as it is used in an attack, and the abilities that changed it."""
    if not made and not suffered:
        return weapon, ()
    plain = next((x for x in weapons_of(w, attack.model) if x.name == weapon.name), weapon)
    found = [a for a in made if is_meant(plain, a.effect) and applies(w, a, attack)]
    found += _against(w, attack, plain, suffered)
    return _altered(w, plain, tuple(a.effect for a in found)), names(found)


def _when(effect: Change) -> tuple[str, ...]:
    """Conditions that count for the weapon: "ranged" and "melee" only say which weapons are meant."""
    return tuple(c for c in effect.when if c not in ("ranged", "melee"))


def _against(w: World40, attack: AttackMade, weapon: Weapon, suffered: Changes) -> Iterator[Active[Any]]:
    """What the target changes about a weapon, where all of its models do; AP is judged for each model."""
    if not suffered:
        return
    models = [int(m) for m in w.on_table(w.unit(attack.target))]
    seen = attack._replace(suffered=True)
    for a in suffered:
        meant = a.effect.name != "AP" and is_meant(weapon, a.effect) and applies(w, a, seen)
        if meant and all(changes_model(w, a, m) for m in models):
            yield a


def suffered_ap(w: World40, attack: AttackMade, weapon: Any, model: int, suffered: Changes) -> tuple[int, Changes]:
    """By how much a model of the target changes the AP of an attack, and by what."""
    seen = attack._replace(suffered=True)
    found = tuple(
        a
        for a in suffered
        if a.effect.name == "AP" and is_meant(weapon, a.effect) and applies(w, a, seen) and changes_model(w, a, model)
    )
    if not found:
        return 0, found
    limits = w.system.seam(Words).limits("AP")
    return settle(limits, weapon.ap, [a.effect for a in found]) - weapon.ap, found


def is_meant(weapon: Weapon, effect: Change) -> bool:
    """Whether an effect is about a weapon."""
    kind = "melee" if weapon.is_melee else "ranged"
    if ("ranged" if kind == "melee" else "melee") in effect.when or f"not {kind}" in effect.when:
        return False
    if isinstance(effect, Characteristic) and effect.name == ("BS" if weapon.is_melee else "WS"):
        return False
    named, _, spared = effect.weapons.lower().partition(SPARED)
    if spared and spared in weapon.abilities:
        return False
    return named in ("all", kind) or named in _names(weapon) or named in weapon.abilities


def _names(weapon: Weapon) -> tuple[str, ...]:
    """The weapon's own name, without the number of a second copy, and that of the profile."""
    item = weapon.item.rstrip("0123456789").strip() if weapon.item[-1:].isdigit() else weapon.item
    return item.lower(), weapon.item.lower(), weapon.name.lower()


def _altered(w: World40, weapon: X, effects: tuple[Change, ...]) -> X:
    if not effects:
        return weapon
    altered: X = alter(w, weapon, effects)
    return altered


@kept(SETUP)
def alter(w: World40, weapon: Any, effects: tuple[Change, ...]) -> Any:
    """A weapon profile after changes."""
    stats, words = [e for e in effects if isinstance(e, Characteristic)], w.system.seam(Words)

    def of(name: str) -> list[Characteristic]:
        return [e for e in stats if e.name == name]

    def settled(name: str, value: int) -> int:
        return settle(words.limits(name), value, of(name))

    skill = "WS" if weapon.is_melee else "BS"
    attacks = [] if words.fixed_attacks(weapon) else of("A")
    fresh: dict[str, Any] = {name: settled(short, getattr(weapon, name)) for name, short in NUMBERS if of(short)}
    fresh |= {name: settle_dice(getattr(weapon, name), of(short)) for name, short in DICED if of(short)}
    if not attacks:
        fresh.pop("attacks", None)
    if of(skill) and weapon.skill:
        fresh["skill"] = settled(skill, weapon.skill)
    if of("Range") and not weapon.is_melee:
        fresh["range"] = max(1, settled("Range", weapon.range))
    gained = [e.ability for e in effects if isinstance(e, WeaponAbility)]
    return msgspec.structs.replace(weapon, **fresh, abilities=with_abilities(weapon.abilities, gained))


def with_abilities(have: tuple[str, ...], more: Sequence[str]) -> tuple[str, ...]:
    """Weapon abilities with further ones; of the same one with two numbers the better is used."""
    found = list(have)
    for ability in more:
        name = next((n for n in NUMBERED if ability.startswith(n + " ")), "")
        same = [a for a in found if name and a.startswith(name + " ")]
        if ability in found or any(_worth(a) >= _worth(ability) for a in same):
            continue
        found = [a for a in found if a not in same] + [ability]
    return tuple(found)


def _worth(ability: str) -> float:
    return dice(ability.rpartition(" ")[2]).mean


def by_model(changes: Iterable[Active[Any]]) -> Changes:
    """Those that can be different for models of one unit."""
    return tuple(a for a in changes if a.effect.who == "model" or about_model(a.effect.when))
