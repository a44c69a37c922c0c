"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sandtable.attack.volley import FACES
from sandtable.battle import Effect
from sandtable.errors import UserError
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, STEALTH, WOUND_MODIFIER
from sandtable.systems.w40k10.saves import INVULNERABLE
from sandtable.systems.w40k10.state import ADVANCE, STATIONARY, Battle10, Unit
from sandtable.systems.w40k10.stratagems_shooting import GROUND_SAVE


class Circumstance(NamedTuple):
    """A modifier, and what it does to the situation before attacks are compiled."""

    modifier: Modifier
    apply: Callable[[Battle10, Unit, Unit], None]


def _flag(name: str, value: object) -> Callable[[Battle10, Unit, Unit], None]:
    def apply(b: Battle10, unit: Unit, target: Unit) -> None:
        setattr(unit, name, value)

    return apply


def _effects(*effects: tuple[str, int], rule: str, on_target: bool) -> Callable[[Battle10, Unit, Unit], None]:
    def apply(b: Battle10, unit: Unit, target: Unit) -> None:
        on = target.id if on_target else unit.id
        b.state.effects += tuple(Effect(kind, on, value, source=rule) for kind, value in effects)

    return apply


def _challenge(b: Battle10, unit: Unit, target: Unit) -> None:
    effects = (Effect(melee.CHALLENGE, unit.id, m, source=EPIC) for m in melee.characters(b, unit)[:1])
    b.state.effects += tuple(effects)


def _nothing(b: Battle10, unit: Unit, target: Unit) -> None:
    """What is settled where attacks are declared or compiled."""


HALF_RANGE, OVERWATCH, UNSEEN, PLUNGING, BIG_GUNS, OVERCHARGE = (
    "half-range",
    "overwatch",
    "unseen",
    "plunging",
    "big-guns",
    "overcharge",
)
REROLLS: Final = {
    "reroll-hit-ones": ("hit", (1,)),
    "reroll-hits": ("hit", FACES),
    "reroll-wound-ones": ("wound", (1,)),
    "reroll-wounds": ("wound", FACES),
}
CHARGED: Final = ("w40k10.charge.bonus", "w40k10.weapon.lance")
AT_ENEMIES: Final = ("enemy", "enemies", "target")
EPIC: Final = "w40k10.strat.epic_challenge"
CAP: Final = ("w40k10.attack.hit_modifier_cap",)
WOUND_CAP: Final = ("w40k10.attack.wound_modifier_cap",)
GROUND: Final = "w40k10.strat.go_to_ground"
HIDDEN: Final = "w40k10.ability.stealth"
SMOKE: Final = "w40k10.strat.smokescreen"
IN_COVER: Final = "w40k10.terrain.cover"

CIRCUMSTANCES: Final = (
    Circumstance(
        Modifier(
            "cover", "the target has the Benefit of Cover", (IN_COVER,), melee=False,
            also=("benefit of cover", "in cover", "light cover"),
        ),
        _effects((COVER, 1), rule=IN_COVER, on_target=True),
    ),
    Circumstance(
        Modifier(
            HALF_RANGE, "all weapons are within half range", ("w40k10.weapon.rapid_fire", "w40k10.weapon.melta"),
            melee=False, also=("rapid fire", "melta", "half", "close range"),
        ),
        _nothing,
    ),
    Circumstance(
        Modifier(
            "stationary", "the attacker Remained Stationary", ("w40k10.move.stationary", "w40k10.weapon.heavy"),
            melee=False, also=("heavy", "remained stationary", "remain stationary", "not moved"),
        ),
        _flag("moved", STATIONARY),
    ),
    Circumstance(
        Modifier(
            "advanced", "the attacker Advanced", ("w40k10.move.advance_limits", "w40k10.weapon.assault"), melee=False,
            also=("advance", "assault"),
        ),
        _flag("moved", ADVANCE),
    ),
    Circumstance(
        Modifier(
            "charged", "the attacker charged this turn", CHARGED, ranged=False,
            also=("charge", "lance", "on the charge"),
        ),
        _flag("charged", True),
    ),
    Circumstance(
        Modifier(
            OVERWATCH, "the attacker fires Overwatch", ("w40k10.strat.fire_overwatch",), melee=False,
            also=("fire overwatch",),
        ),
        _nothing,
    ),
    Circumstance(
        Modifier(
            UNSEEN, "nobody sees the target", ("w40k10.weapon.indirect_penalty",), melee=False,
            also=("indirect", "indirect fire", "out of sight", "no line of sight"),
        ),
        _nothing,
    ),
    Circumstance(
        Modifier(PLUNGING, "the attacker fires down from ruins", ("w40k10.terrain.ruins_plunging_fire",), melee=False,
                 also=("plunging fire",)),
        _nothing,
    ),
    Circumstance(
        Modifier(
            BIG_GUNS, "big guns are fired in a melee", ("w40k10.shoot.bgnt_penalty",), melee=False,
            also=("big guns never tire",),
        ),
        _nothing,
    ),
    Circumstance(
        Modifier(
            OVERCHARGE, "Hazardous profiles are used too", ("w40k10.weapon.hazardous",), melee=False,
            also=("supercharge", "hazardous", "overcharged", "supercharged"),
        ),
        _nothing,
    ),
    Circumstance(
        Modifier("hit+1", "+1 to hit", CAP, also=("+1 to hit", "+1 hit")),
        _effects((HIT_MODIFIER, 1), rule=CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("hit-1", "-1 to hit", CAP, also=("-1 to hit", "-1 hit")),
        _effects((HIT_MODIFIER, -1), rule=CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("stealth", "the target has Stealth", (HIDDEN,), melee=False),
        _effects((STEALTH, 1), rule=HIDDEN, on_target=True),
    ),
    Circumstance(
        Modifier("wound+1", "+1 to wound", WOUND_CAP, also=("+1 to wound", "+1 wound")),
        _effects((WOUND_MODIFIER, 1), rule=WOUND_CAP[0], on_target=False),
    ),
    Circumstance(
        Modifier("wound-1", "-1 to wound", WOUND_CAP, also=("-1 to wound", "-1 wound")),
        _effects((WOUND_MODIFIER, -1), rule=WOUND_CAP[0], on_target=False),
    ),
    *(
        Circumstance(Modifier(name, text, ("w40k10.dice.reroll",), also=also), _nothing)
        for name, text, also in zip(
            REROLLS,
            (
                "Hit rolls of 1 may be re-rolled", "Hit rolls may be re-rolled",
                "Wound rolls of 1 may be re-rolled", "Wound rolls may be re-rolled",
            ),
            (
                ("reroll 1s to hit", "reroll ones to hit", "reroll hit 1s"),
                ("reroll hit", "reroll to hit", "reroll all hits"),
                ("reroll 1s to wound", "reroll ones to wound", "reroll wound 1s"),
                ("reroll wound", "reroll to wound", "twin-linked", "reroll all wounds"),
            ),
            strict=True,
        )
    ),
    Circumstance(
        Modifier(
            "go-to-ground", "the target Goes to Ground", (GROUND,),
            melee=False, price=1, by_target=True, needs=("INFANTRY",),
        ),
        _effects((INVULNERABLE, GROUND_SAVE), (COVER, 1), rule=GROUND, on_target=True),
    ),
    Circumstance(
        Modifier(
            "smokescreen", "smoke hides the target", (SMOKE,),
            melee=False, price=1, by_target=True, needs=("SMOKE",), also=("smoke",),
        ),
        _effects((STEALTH, 1), (COVER, 1), rule=SMOKE, on_target=True),
    ),
    Circumstance(
        Modifier(
            "epic-challenge", "a CHARACTER issues an Epic Challenge", (EPIC,),
            ranged=False, price=1, needs=("CHARACTER",),
        ),
        _challenge,
    ),
)  # fmt: skip


# --- Abilities and Stratagems that are at work ------------------------------------------------------------------------


def use(b: Battle10, unit: Unit, target: Unit, name: str) -> str:
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
