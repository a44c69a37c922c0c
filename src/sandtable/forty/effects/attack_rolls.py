"""Hit and Wound rolls of an attack: what abilities of both sides add to them, re-roll and make critical."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

import msgspec

from sandtable.armies.effects import Allow, Characteristic, Critical, Modify, Reroll, WeaponAbility
from sandtable.armies.effects import Effect as AbilityEffect
from sandtable.attack.tables import Rerolls, succeeds
from sandtable.attack.volley import FACES, DiceSum, HitRoll, WoundRoll
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.effects.at_work import Active, applies, at_work, changes_model
from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.conditions import about_model
from sandtable.forty.effects.weapons import by_model
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.state import Unit, World40

E = TypeVar("E", bound=AbilityEffect)
R = TypeVar("R", HitRoll, WoundRoll)

ORDER: Final = ("none", "ones", "failures", "all")
"""Re-rolls, from the worst to the best."""
ON_ATTACKS: Final = (Reroll, Modify, Critical, Allow)


class Again(NamedTuple):
    """Which results may be re-rolled, and by which abilities."""

    faces: Rerolls = "none"
    names: tuple[str, ...] = ()


def none_at_all(w: World40) -> bool:
    """Whether no ability can change anything in this battle."""
    return not w.setup.data.abilities and not w.state.effects


class Working(NamedTuple):
    """The effects of both sides that work on the rolls of an attack."""

    rerolls: tuple[Active[Reroll], ...] = ()
    modifies: tuple[Active[Modify], ...] = ()
    criticals: tuple[Active[Critical], ...] = ()
    allows: tuple[Active[Allow], ...] = ()


NOTHING: Final = Working()


@kept(EVERYTHING)
def working(w: World40, attack: AttackMade) -> Working:
    """What works on an attack, from either side."""
    if none_at_all(w):
        return NOTHING
    return Working(
        tuple(on_attack(w, Reroll, attack)),
        tuple(on_attack(w, Modify, attack)),
        tuple(on_attack(w, Critical, attack)),
        tuple(on_attack(w, Allow, attack)),
    )


def on_attack(w: World40, kind: type[E], attack: AttackMade) -> Iterator[Active[E]]:
    """The effects of a kind that work on an attack, from either side."""
    for active in at_work(w, w.unit(attack.unit), kind):
        if getattr(active.effect, "attacks", "made") == "made" and applies(w, active, attack):
            yield active
    target = w.unit(attack.target)
    for active in at_work(w, target, kind):
        if getattr(active.effect, "attacks", "made") == "suffered":
            meant = applies(w, active, attack._replace(suffered=True))
            if meant and all(changes_model(w, active, int(m)) for m in w.on_table(target)):
                yield active


def modifiers(found: Working, roll: str) -> list[tuple[int, str]]:
    """What abilities add to a Hit or Wound roll."""
    return [(a.effect.value, a.name) for a in found.modifies if a.effect.roll == roll]


def best_of(found: Sequence[Active[Reroll]], own: Rerolls = "none") -> Again:
    """The best of several re-rolls."""
    if not found:
        return Again(own)
    best = max([own, *(a.effect.faces for a in found)], key=ORDER.index)
    return Again(best, names(a for a in found if a.effect.faces == best and best != own))


def best_among(given: Sequence[tuple[str, str]]) -> Again:
    """The best of several re-rolls, each with its source, and the sources of those that are as good."""
    best = max((faces for faces, _ in given), key=ORDER.index, default="none")
    by = dict.fromkeys(source for faces, source in given if faces == best and source)
    return Again(cast(Rerolls, best), tuple(by))


def with_rerolls(roll: R, faces: tuple[int, ...], by: tuple[str, ...]) -> R:
    """A roll of which some faces may be thrown again, with those who allow it."""
    return msgspec.structs.replace(roll, reroll=faces, reroll_cites=by, cites=(*roll.cites, *by))


def lying_on(w: World40, kind: str, unit: Unit) -> list[tuple[int, str]]:
    """What effects of a kind on a unit add to its rolls, and their sources."""
    return [(int(e.value), e.source) for e in w.effects(kind, unit.id)]


def plainly(found: Working, roll: str) -> tuple[int, Rerolls]:
    """What abilities add to a Hit or Wound roll, and which faces they let be rolled again at best."""
    again = best_of([a for a in found.rerolls if a.effect.roll == roll]).faces
    return sum(value for value, _ in modifiers(found, roll)), again


def critical(
    found: Working, roll: str, usual: int, needed: int, modifier: int, *, always: int, never: int
) -> tuple[int, tuple[str, ...]]:
    """From which bare face on a roll is critical, and by which abilities; some make every success critical."""
    if not found.criticals:
        return usual, ()
    lowest = next(f for f in FACES if succeeds(f, needed, modifier, always=always, never=never) or f == FACES[-1])
    best, by = usual, []
    for a in found.criticals:
        face = lowest if a.effect.value == "success" else int(a.effect.value)
        face = max(face, lowest) if a.effect.successful else face
        if a.effect.roll == roll and face < best:
            best, by = face, [a]
    return best, names(by)


def ignores_hit_modifiers(found: Working) -> tuple[str, ...]:
    """The abilities that let an attack ignore what makes its Hit roll worse."""
    return names(a for a in found.allows if a.effect.what == "ignore_hit_modifiers")


def with_reroll(damage: DiceSum, faces: Rerolls) -> DiceSum:
    """Random damage that may be rolled again."""
    if not damage.dice or faces == "none":
        return damage
    least, most = len(damage.dice), sum(damage.dice)
    sums = (least,) if faces == "ones" else tuple(range(least, most + 1))
    return msgspec.structs.replace(damage, reroll=sums)


def faces_of(reroll: Rerolls) -> tuple[int, ...]:
    """The faces of a failed save that are rolled again."""
    return {"none": (), "ones": FACES[:1]}.get(reroll, FACES)


def by_models(w: World40, unit: Unit) -> tuple[Active[Any], ...]:
    """Effects on attacks that can differ between the models of a unit."""
    if none_at_all(w):
        return ()
    return by_model([a for kind in ON_ATTACKS for a in at_work(w, unit, kind)])


def looks_at_half_range(w: World40, unit: Unit) -> bool:
    """Whether abilities make a difference between attacks of a unit at half range and others."""
    return not none_at_all(w) and _looks_at_half_range(w, unit)


@kept(EVERYTHING)
def _looks_at_half_range(w: World40, unit: Unit) -> bool:
    found = [a for kind in (*ON_ATTACKS, Characteristic, WeaponAbility) for a in at_work(w, unit, kind)]
    gained = [a.effect.ability for a in found if isinstance(a.effect, WeaponAbility)]
    return any("half_range" in c for a in found for c in a.effect.when) or any(
        ability.startswith(("rapid fire", "melta")) for ability in gained
    )


def likeness_of(w: World40, attack: AttackMade, own: Sequence[Active[Any]]) -> tuple[tuple[int, int], ...]:
    """Which of them work for an attack: attacks are rolled together only where these are the same."""
    return tuple(
        (a.ability, a.number)
        for a in own
        if changes_model(w, a, attack.model) and (not about_model(a.effect.when) or applies(w, a, attack))
    )
