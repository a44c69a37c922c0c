"""From the dataset's ability language to our effects, for the entries that have a whole counterpart.

What has none, in any part, raises `Unmapped` with what players are told: an ability is compiled whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies.effects import HAS_MOMENT, AnyEffect, problem_of_effect
from sandtable.armies.kdc.kinds import KINDS, Unmapped
from sandtable.armies.kdc.names import keyword
from sandtable.armies.kdc.source import Json

MOMENTS: Final = {
    "start-of-command-phase": "command_start", "end-of-command-phase": "command_end", "start-of-turn": "turn_start",
    "start-of-movement-phase": "movement", "end-of-movement-phase": "movement_end",
    "selected-to-shoot": "select_to_shoot",
    "start-of-shooting-phase": "shooting", "start-of-fight-phase": "fight", "end-of-fight-phase": "fight_end",
    "selected-to-fight": "select_to_fight", "end-of-charge-move": "charged", "charge-move": "charged",
    "end-of-opponent-turn": "opponent_turn_end", "after-unit-resolves-attacks": "shot", "battle-start": "battle_start",
}  # fmt: skip
UNTIL: Final = {
    "phase": "phase", "turn": "turn", "until-next-command-phase": "command", "battle": "battle", "permanent": "battle",
    "until-start-next-turn": "next_turn",
}  # fmt: skip
LASTING: Final = ("permanent", "battle")
"""Durations of what always works."""
ONCE: Final = {
    "once-per-turn": "turn", "once-per-phase": "phase", "once-per-battle-round": "round", "n-per-battle": "battle",
}  # fmt: skip


class Setting(NamedTuple):
    """What stands around an effect in its entry."""

    who: str = "unit"
    within: float = 0.0
    only: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    at: str = ""
    until: str = ""
    once: str = ""
    optional: bool = False
    led: bool = False


def mapped(ability: Json) -> tuple[AnyEffect, ...]:
    """The effects of an entry; raises `Unmapped`."""
    effects = tuple(_made(raw) for raw in _effects(ability["effect"], _around(ability)))
    if not effects:
        raise Unmapped("its entry does nothing that we know")
    return effects


def _made(raw: Json) -> AnyEffect:
    try:
        effect: AnyEffect = msgspec.convert(raw, AnyEffect)
    except msgspec.ValidationError as error:
        raise Unmapped("its entry has a value that we do not know") from error
    if isinstance(effect, HAS_MOMENT) and not effect.at:
        raise Unmapped("its entry does not say when it is done")
    if problem_of_effect(effect):
        raise Unmapped("its entry does not fit together")
    return effect


def _around(ability: Json) -> Setting:
    scope, usage = ability.get("scope") or {}, ability.get("usage") or {}
    setting = Setting(within=float(_inches(scope)))
    duration = scope.get("duration", "permanent")
    if ability.get("applies_to"):
        told = ability["applies_to"]
        if told.get("excluded_keywords"):
            raise Unmapped("it leaves some units out")
        words = told.get("required_keywords") or ()
        setting = setting._replace(when=tuple(f"keyword:{keyword(word)}" for word in words))
    triggers = ability.get("trigger")
    if isinstance(triggers, list):
        raise Unmapped("it has several moments")
    if triggers:
        setting = _at(setting, str(triggers.get("event")), triggers)
        setting = setting._replace(optional=bool(triggers.get("optional")))
    if setting.at:
        if duration not in UNTIL:
            raise Unmapped("how long it lasts is not told")
        setting = setting._replace(until=UNTIL[duration])
    elif duration not in LASTING:
        setting = setting._replace(until=duration)  # a phase or turn, which a condition has to explain
    if usage:
        if usage.get("frequency") not in ONCE or usage.get("count", 1) != 1 or usage.get("per") == "army":
            raise Unmapped("how often it can be used is not told in our words")
        setting = setting._replace(once=ONCE[usage["frequency"]])
    return setting


def _inches(scope: Json) -> float:
    if scope.get("range_inches"):
        return float(scope["range_inches"])
    found = str(scope.get("range", ""))
    return float(found.removeprefix("aura-")) if found.removeprefix("aura-").isdigit() else 0.0


def _at(setting: Setting, event: str, told: Json) -> Setting:
    if event not in MOMENTS or told.get("subject") not in (None, "self", "bearer") or told.get("condition"):
        raise Unmapped("it waits for a moment that we do not know")
    return setting._replace(at=MOMENTS[event])


# --- Nodes ------------------------------------------------------------------------------------------------------------


def _effects(node: Any, setting: Setting) -> Iterator[Json]:
    if not isinstance(node, dict):
        raise Unmapped("its entry does nothing that we know")
    kind = node.get("type")
    if kind in ("sequence", "rules-bundle"):
        for step in node["steps"]:
            yield from _effects(step, setting)
        return
    if kind == "conditional":
        if node.get("on_fail"):
            raise Unmapped("it does something else where its condition fails")
        yield from _effects(node["effect"], _conditioned(setting, node["condition"]))
        return
    if kind not in KINDS:
        raise Unmapped("Sandtable has no effect for it")
    if set(node) - {"type", "target", "modifier"}:
        raise Unmapped("a part of it has no counterpart")
    if setting.until and not setting.at and not _is_attack_phase(setting):
        raise Unmapped("its entry does not say when it begins")
    target = str(node.get("target", "unit"))
    for raw in KINDS[kind](dict(node.get("modifier") or {}), target):
        common = _common(setting, target, raw)
        yield {**common, **raw, "when": list(dict.fromkeys((*common["when"], *raw.get("when", ()))))}


def _is_attack_phase(setting: Setting) -> bool:
    """Something that lasts for a phase of attacks works on these attacks."""
    return setting.until == "phase" and bool({"ranged", "melee"} & set(setting.when))


def _common(setting: Setting, target: str, raw: Json) -> Json:
    """Who an effect works on, and when."""
    found: Json = {"when": list(setting.when)}
    if target == "enemy-within-aura":
        found |= {"who": "enemies", "within": setting.within}
    elif target == "friendly-within-aura":
        found |= {"who": "friends", "within": setting.within}
    elif target in ("unit", "attached-unit", "attacker", "defender"):
        found["who"] = "led" if setting.led else "unit"
    elif target in ("self", "bearer"):
        found["who"] = (
            "model" if raw["kind"] in ("feel_no_pain", "invulnerable", "damage", "characteristic") else "unit"
        )
    else:
        raise Unmapped("whom it works on is not told in our words")
    if setting.at:
        found |= {"at": setting.at, "optional": setting.optional}
        if raw["kind"] not in DONE:
            found["until"] = setting.until
    if setting.once:
        if not setting.at:
            raise Unmapped("its entry does not say when it is used")
        found["once"] = setting.once
    return found


DONE: Final = ("mortal_wounds", "gain_cp", "heal", "return_models", "reanimate", "move", "battle_shock")


def _conditioned(setting: Setting, condition: Json) -> Setting:
    kind, told = condition.get("type"), condition.get("parameters") or {}
    if "operands" in condition:
        if condition.get("operator") == "not":
            return _turned_round(setting, condition["operands"])
        if condition.get("operator") != "and":
            raise Unmapped("it has a choice of conditions")
        for one in condition["operands"]:
            setting = _conditioned(setting, one)
        return setting
    if kind in ("is-attached", "model-is-leader") and not told:
        return setting._replace(led=True)
    if kind == "phase-is" and told == {"phase": "shooting"}:
        return _when(setting, "ranged")
    if kind == "phase-is" and told == {"phase": "fight"}:
        return _when(setting, "melee")
    if kind == "attack-is-type" and set(told) == {"attack_type"} and told["attack_type"] in ("ranged", "melee"):
        return _when(setting, told["attack_type"])
    if kind == "timing-is" and set(told) == {"timing"} and told["timing"] in MOMENTS:
        return setting._replace(at=MOMENTS[told["timing"]], until=setting.until or "battle")
    if kind == "target-has-keyword" and set(told) == {"keyword"}:
        return _when(setting, f"target_keyword:{keyword(told['keyword'])}")
    if kind == "unit-has-keyword" and set(told) == {"keyword"}:
        return _when(setting, f"keyword:{keyword(told['keyword'])}")
    plain = PLAIN.get(str(kind))
    if plain and not told:
        return _when(setting, plain)
    if kind == "within-range-of-objective" and told in ({}, {"subject": "unit"}):
        return _when(setting, "near_objective")
    if kind == "within-range-of-objective" and told == {"subject": "target"}:
        return _when(setting, "target_near_objective")
    raise Unmapped("it has a condition that we do not know")


def _turned_round(setting: Setting, operands: list[Json]) -> Setting:
    """One condition that must not hold."""
    found = _conditioned(Setting(), operands[0])
    if len(operands) != 1 or len(found.when) != 1 or found != Setting(when=found.when):
        raise Unmapped("it has conditions turned round")
    return _when(setting, f"not {found.when[0]}")


PLAIN: Final = {
    "charged-this-turn": "charged", "advanced-this-turn": "advanced", "remained-stationary": "stationary",
    "unit-below-starting-strength": "below_starting", "unit-below-half-strength": "below_half",
    "is-battle-shocked": "battle_shocked", "target-within-half-weapon-range": "half_range",
}  # fmt: skip


def _when(setting: Setting, condition: str) -> Setting:
    return setting._replace(when=(*setting.when, condition))
