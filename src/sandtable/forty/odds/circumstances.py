"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sandtable.attack.volley import FACES
from sandtable.battle import Effect
from sandtable.errors import UserError
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.odds.matchups import Modifier
from sandtable.forty.state import Battle40

HALF_RANGE, OVERWATCH, UNSEEN, OVERCHARGE = "half-range", "overwatch", "unseen", "overcharge"
"""Circumstances that decide how attacks are declared."""
REROLLS: Final = (
    ("reroll-hit-ones", "hit", (1,)),
    ("reroll-hits", "hit", FACES),
    ("reroll-wound-ones", "wound", (1,)),
    ("reroll-wounds", "wound", FACES),
)
AT_ENEMIES: Final = ("enemy", "enemies", "target")


class Circumstance(NamedTuple):
    """A modifier, and what it does to the situation before attacks are compiled."""

    modifier: Modifier
    apply: Callable[[Any, Any, Any], None]
    """(battle, unit, target)"""
    again: tuple[str, tuple[int, ...]] | None = None
    """A roll, and the faces of it that may be rolled again, beside those that rules of the units let be."""


def flag(name: str, value: object) -> Callable[[Any, Any, Any], None]:
    """The attacking unit did something before."""

    def apply(b: Battle40, unit: Any, target: Any) -> None:
        setattr(unit, name, value)

    return apply


def effects(*found: tuple[str, int | str], rule: str, on_target: bool) -> Callable[[Any, Any, Any], None]:
    """Effects lie on one of the two units."""

    def apply(b: Battle40, unit: Any, target: Any) -> None:
        on = target.id if on_target else unit.id
        b.state.effects += tuple(Effect(kind, on, value, source=rule) for kind, value in found)

    return apply


def nothing(b: Battle40, unit: Any, target: Any) -> None:
    """What is settled where attacks are declared or compiled."""


def declared(name: str, text: str, *rules: str, also: tuple[str, ...] = ()) -> Circumstance:
    """A circumstance of shooting that is settled where attacks are declared or compiled."""
    return Circumstance(Modifier(name, text, rules, melee=False, also=also), nothing)


def half_range(*rules: str, also: tuple[str, ...] = ()) -> Circumstance:
    """Weapons are near enough to do more."""
    others = ("rapid fire", *also, "half", "close range")
    return declared(HALF_RANGE, "all weapons are within half range", *rules, also=others)


def overwatch(*rules: str) -> Circumstance:
    """Shots at an enemy that comes."""
    return declared(OVERWATCH, "the attacker fires Overwatch", *rules, also=("fire overwatch",))


def advanced(move: str, *rules: str) -> Circumstance:
    """The attacker made the longer move."""
    modifier = Modifier("advanced", "the attacker Advanced", rules, melee=False, also=("advance", "assault"))
    return Circumstance(modifier, flag("moved", move))


def charged(apply: Callable[[Any, Any, Any], None], *rules: str, also: tuple[str, ...] = ()) -> Circumstance:
    """The attacker charged; `apply` writes that down."""
    others = ("charge", *also, "on the charge")
    return Circumstance(Modifier("charged", "the attacker charged this turn", rules, ranged=False, also=others), apply)


def added(
    roll: str, kind: str, rule: str, values: Sequence[int], *, to: str = "", on_target: bool = False
) -> tuple[Circumstance, ...]:
    """What a question can add to a roll, by effects of a kind; `to` is what that roll is called."""
    return tuple(
        Circumstance(
            Modifier(f"{roll}{n:+d}", f"{n:+d} to {to or roll}", (rule,), also=(f"{n:+d} to {roll}", f"{n:+d} {roll}")),
            effects((kind, n), rule=rule, on_target=on_target),
        )
        for n in values
    )


def rerolls(rule: str) -> tuple[Circumstance, ...]:
    """Re-rolls that a question can grant."""
    texts = (
        "Hit rolls of 1 may be re-rolled", "Hit rolls may be re-rolled",
        "Wound rolls of 1 may be re-rolled", "Wound rolls may be re-rolled",
    )  # fmt: skip
    others = (
        ("reroll 1s to hit", "reroll ones to hit", "reroll hit 1s"),
        ("reroll hit", "reroll to hit", "reroll all hits"),
        ("reroll 1s to wound", "reroll ones to wound", "reroll wound 1s"),
        ("reroll wound", "reroll to wound", "twin-linked", "reroll all wounds"),
    )
    return tuple(
        Circumstance(Modifier(name, text, (rule,), also=also), nothing, (roll, faces))
        for (name, roll, faces), text, also in zip(REROLLS, texts, others, strict=True)
    )


def rerolls_by(roll: str, kind: str, *rules: str) -> tuple[Circumstance, ...]:
    """The same by effects of a kind, where a roll has failed or not by its bare face."""
    named = (
        ("ones", f"reroll-{roll}-ones", f"{roll} rolls of 1 may be made again", f"reroll 1s to {roll}"),
        ("failures", f"reroll-{roll}s", f"failed {roll} rolls may be made again", f"reroll failed {roll}s"),
        ("all", f"reroll-any-{roll}s", f"any {roll} rolls may be made again", f"reroll all {roll}s"),
    )
    return tuple(
        Circumstance(Modifier(name, text, rules, also=(also,)), effects((kind, faces), rule=rules[0], on_target=False))
        for faces, name, text, also in named
    )


# --- Abilities and Stratagems that are at work ------------------------------------------------------------------------


def use(b: Battle40, unit: Any, target: Any, name: str) -> str:
    """Let an ability or a Stratagem of either player work now, as if its moment had come; returns its proper name."""
    data = b.setup.data
    rules: list[Ability | DetachmentStratagem] = [*data.abilities, *data.stratagems]
    known = list(dict.fromkeys(label for rule in rules for label in _labels(rule)))
    name = meant_by(name, known) or name
    for one, other in ((unit, target), (target, unit)):
        found = [
            (i, n) for i, rule in enumerate(rules) if rule.player == one.player for n in _effects_meant(rule, name)
        ]
        for ability, number in found:
            effect = rules[ability].effects[number]
            on = other.id if effect.who in AT_ENEMIES else one.id
            b.state.effects += (set_off(ability, number, on, "", rules[ability].source),)
        if found:
            return next(label for label in _labels(rules[found[0][0]]) if label.lower() == name.lower())
    raise UserError(f"Neither unit can use '{name}'; they can use: {', '.join(known) or 'nothing'}.")


def meant_by(text: str, names: Sequence[str]) -> str:
    """The one name that is meant, however it is written, or by words that only it has; empty where none is."""
    wanted = _folded(text)
    exact = [name for name in names if _folded(name) == wanted]
    close = [name for name in names if wanted and set(wanted) <= set(_folded(name))]
    return exact[0] if exact else close[0] if len(close) == 1 else ""


def _folded(name: str) -> tuple[str, ...]:
    """The words of a name without case, plural and punctuation."""
    return tuple(word.rstrip("s") or word for word in re.findall(r"[a-z0-9]+", name.lower().replace("'", "")))


def _labels(rule: Ability | DetachmentStratagem) -> list[str]:
    """The names under which a rule can be used: its own, or those of its branches where one has to be chosen."""
    if isinstance(rule, DetachmentStratagem):
        return [rule.name]
    branches = [e.branch for e in rule.effects if e.at and e.branch]
    plain = any(e.at and not e.branch for e in rule.effects)
    return list(dict.fromkeys([*branches, *([rule.name] if plain else [])]))


def _effects_meant(rule: Ability | DetachmentStratagem, name: str) -> list[int]:
    if name.lower() not in (label.lower() for label in _labels(rule)):
        return []
    if isinstance(rule, DetachmentStratagem):
        return list(range(len(rule.effects)))
    own = name.lower() == rule.name.lower()
    return [
        n for n, e in enumerate(rule.effects) if e.at and (e.branch.lower() == name.lower() or (own and not e.branch))
    ]
