"""The models of a target: saves, Feel No Pain, damage and cover, after what abilities change about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sandtable.armies.effects import Characteristic, Damage, FeelNoPain, Forbid, Invulnerable, Modify, Reroll
from sandtable.attack.volley import NEVER, DiceSum, Why
from sandtable.forty.effects.at_work import Active, applies, at_work, changes_model, outside_attacks
from sandtable.forty.effects.attack_rolls import best_of, faces_of, none_at_all
from sandtable.forty.effects.characteristics import changed, names
from sandtable.forty.effects.weapons import Changes, changes_to_weapons, suffered_ap
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.sheets import Weapon
from sandtable.forty.state import Unit, World40, is_attached, sheet_of
from sandtable.reasons import modifier


class Guard(NamedTuple):
    """What abilities do for the models of a unit that is attacked."""

    attack: AttackMade
    save: Changes = ()
    ap: Changes = ()
    rolls: Changes = ()
    """Re-rolls of saves, and what is added to them."""
    stubborn: Changes = ()
    """No re-rolls of saves."""
    invulnerable: Changes = ()
    pain: Changes = ()
    bare: Changes = ()
    """No Benefit of Cover."""

    @property
    def idle(self) -> bool:
        return not any(self[1:])

    def kind(self, w: World40, model: int) -> tuple[bool, ...]:
        """Which of them work for a model: equal for models that are alike."""
        return tuple(changes_model(w, a, model) for found in self[1:] for a in found)


class Saves(NamedTuple):
    """How a model meets a batch of attacks."""

    save: int
    ap: int
    invulnerable: int
    bonus: int = 0
    bare: bool = False
    """It never has the Benefit of Cover..."""
    bared: tuple[str, ...] = ()
    """...by these abilities."""
    names: tuple[str, ...] = ()
    """All abilities that have a part in it."""
    save_by: str = ""
    ap_by: tuple[str, ...] = ()
    ward_by: str = ""
    added: Why = ()
    """What `bonus` is made of."""


def guard_of(w: World40, target: Unit, attack: AttackMade) -> Guard:
    """What works for a unit while it is attacked."""
    if none_at_all(w):
        return Guard(attack)
    seen = attack._replace(suffered=True)

    def on(kind: type[Any]) -> list[Active[Any]]:
        return [a for a in at_work(w, target, kind) if applies(w, a, seen)]

    forbidden = on(Forbid)
    return Guard(
        seen,
        tuple(a for a in on(Characteristic) if a.effect.name == "Sv" and not a.effect.weapons),
        tuple(a for a in changes_to_weapons(w, target, "suffered") if a.effect.name == "AP"),
        tuple(a for kind in (Reroll, Modify) for a in on(kind) if a.effect.roll == "save"),
        tuple(a for a in forbidden if a.effect.what == "reroll_saves"),
        tuple(on(Invulnerable)),
        tuple(on(FeelNoPain)),
        tuple(a for a in forbidden if a.effect.what == "cover"),
    )


def saves_of(w: World40, guard: Guard, model: int, weapon: Weapon, ap: int) -> Saves:
    """What decides a model's saving throw against a weapon whose AP is `ap`."""
    sheet = sheet_of(w, model)
    own = sheet.invulnerable or NEVER
    if guard.idle:
        return Saves(sheet.save, ap, own)
    more, by = suffered_ap(w, guard.attack, weapon, model, guard.ap)
    found = [a for a in guard.invulnerable if _against(a.effect, guard.attack) and changes_model(w, a, model)]
    added = [a for a in guard.rolls if isinstance(a.effect, Modify) and changes_model(w, a, model)]
    save = changed(w, guard.save, model, "Sv", sheet.save)
    best = min([own, *(a.effect.value for a in found)])
    wards = [a for a in found if a.effect.value == best < own]
    armour = [a for a in guard.save if save != sheet.save and changes_model(w, a, model)]
    bared = [a for a in guard.bare if changes_model(w, a, model)]
    return Saves(
        save,
        min(0, ap + more),
        best,
        sum(a.effect.value for a in added),
        bool(bared),
        names(bared),
        names([*by, *added, *wards, *armour]),
        ", ".join(names(armour)),
        names(by),
        ", ".join(names(wards)),
        tuple(modifier(a.effect.value, a.name) for a in added),
    )


def wards_of(w: World40, guard: Guard, model: int) -> list[int]:
    """The invulnerable saves that abilities give a model."""
    found = [a for a in guard.invulnerable if _against(a.effect, guard.attack) and changes_model(w, a, model)]
    return [a.effect.value for a in found]


def _against(effect: Invulnerable, attack: AttackMade) -> bool:
    return effect.against == "all" or (effect.against == "melee") == attack.melee


def save_reroll(w: World40, guard: Guard, model: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The faces of a failed save that a model rolls again, and the abilities that allow it."""
    if not guard.rolls or any(changes_model(w, a, model) for a in guard.stubborn):
        return (), ()
    again = best_of([a for a in guard.rolls if isinstance(a.effect, Reroll) and changes_model(w, a, model)])
    return faces_of(again.faces), again.names


def may_reroll_saves(w: World40, unit: Unit, model: int) -> bool:
    """Whether no ability keeps the saves of a model from being rolled again."""
    if none_at_all(w):
        return True
    return not any(a.effect.what == "reroll_saves" and changes_model(w, a, model) for a in at_work(w, unit, Forbid))


class Pain(NamedTuple):
    """The faces that keep a wound from being lost, and the abilities behind the better of them."""

    normal: int
    mortal: int
    names: tuple[str, ...] = ()


def pain_of(w: World40, found: Changes, model: int, own: int, psychic: bool, psychic_mortal: bool) -> Pain:
    """Feel No Pain of a model: of several only the best is used. `own` is that of the datasheet."""
    mine = [a for a in found if changes_model(w, a, model)] if found else []
    if not mine:
        return Pain(own, own)

    def best(*against: str) -> int:
        return min([own, *(int(a.effect.value) for a in mine if a.effect.against in against)])

    normal = best("all", "psychic") if psychic else best("all")
    mortal = best("all", "mortal", "psychic") if psychic_mortal else best("all", "mortal")
    return Pain(normal, mortal, names(a for a in mine if a.effect.value in (normal, mortal) and a.effect.value < own))


def pains(w: World40, unit: Unit) -> Changes:
    """What lets models of a unit ignore wounds outside of attacks."""
    return () if none_at_all(w) else outside_attacks(at_work(w, unit, FeelNoPain))


def reduced(
    w: World40, target: Unit, damage: DiceSum, attack: AttackMade, raised: Callable[[], int]
) -> tuple[DiceSum, tuple[str, ...]]:
    """The damage of an attack after what the models that take it change about it; never below 1 by what is taken off.

    As with every characteristic it is first set, then divided and rounded up, then added to: `raised` is how much of
    the damage was added to what the weapon's profile says. All models that can be given an attack now are alike in
    this, or it is not changed.
    """
    if none_at_all(w):
        return damage, ()
    seen = attack._replace(suffered=True)
    found = [a for a in at_work(w, target, Damage) if applies(w, a, seen)]
    if not found:
        return damage, ()
    front = [int(m) for m in w.on_table(target)]
    if is_attached(w, target):
        front = [m for m in front if m not in target.leader]
    found = [a for a in found if front and all(changes_model(w, a, m) for m in front)]
    changes = [a.effect for a in found]
    less = sum(e.add for e in changes if e.to is None)
    for e in changes:
        if e.to is not None:
            damage, less = DiceSum(plus=e.to), 0
    for e in changes:
        if e.divide > 1 and e.to is None:
            damage = damage.part(e.divide, raised())
    if less:
        damage = damage.more(DiceSum(plus=less, least=1))
    return damage if damage.dice else DiceSum(plus=damage.result()), names(found)
