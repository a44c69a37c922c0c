"""From the dataset's ability language to our effects, for the entries that have a whole counterpart.

What has none, in any part, raises `Unmapped` with what players are told: an ability is compiled whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies.effects import HAS_MOMENT, AnyEffect, problem_of_effect
from sandtable.armies.kdc.names import keyword
from sandtable.armies.kdc.source import Json
from sandtable.armies.kdc.weapons import ability_of, dice_of

ATTACKS: Final = ("hit", "wound", "save", "damage")
ROLLS: Final = {
    **{roll: roll for roll in (*ATTACKS, "charge", "advance", "leadership")},
    "battle-shock": "battle_shock",
    "saving-throw": "save",
}
FACES: Final = {"ones": "ones", "all-failures": "failures", "all": "all", "any": "all"}
STATS: Final = ("M", "T", "Sv", "W", "Ld", "OC")
OF_WEAPONS: Final = ("A", "BS", "WS", "S", "AP", "D")
MOMENTS: Final = {
    "start-of-command-phase": "command", "end-of-command-phase": "command_end", "start-of-turn": "turn_start",
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
GRANTS: Final = {
    "benefit-of-cover": {"kind": "grant", "ability": "benefit of cover"},
    "lone-operative": {"kind": "grant", "ability": "lone operative"},
    "stealth": {"kind": "grant", "ability": "stealth"},
    "infiltrators": {"kind": "grant", "ability": "infiltrators"},
    "deep-strike": {"kind": "grant", "ability": "deep strike"},
    "fights-first": {"kind": "grant", "ability": "fights first"},
    "charge-after-advance": {"kind": "allow", "what": "advance_and_charge"},
    "advance-and-charge": {"kind": "allow", "what": "advance_and_charge"},
    "advance-and-shoot": {"kind": "allow", "what": "advance_and_shoot"},
    "shoot-after-advance": {"kind": "allow", "what": "advance_and_shoot"},
    "charge-after-fall-back": {"kind": "allow", "what": "fall_back_and_charge"},
    "fall-back-and-charge": {"kind": "allow", "what": "fall_back_and_charge"},
    "shoot-after-fall-back": {"kind": "allow", "what": "fall_back_and_shoot"},
    "fall-back-and-shoot": {"kind": "allow", "what": "fall_back_and_shoot"},
}  # fmt: skip
SUPPRESSED: Final = {"fall-back": "fall_back", "charge": "charge", "overwatch-against-bearer": "overwatch_at_unit"}
WEAPON_ABILITIES: Final = (
    "anti", "assault", "blast", "cleave", "close quarters", "conversion", "devastating wounds", "extra attacks",
    "hazardous", "heavy", "hunter", "ignores cover", "indirect fire", "lance", "lethal hits", "melta", "one shot",
    "pistol", "precision", "psychic", "rapid fire", "sustained hits", "torrent", "twin linked",
)  # fmt: skip


class Unmapped(Exception):
    """A part of an entry has no counterpart; the text is for players."""


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
        raise Unmapped("no effect of ours expresses it")
    if set(node) - {"type", "target", "modifier"}:
        raise Unmapped("a part of it has no counterpart")
    if setting.until and not setting.at and not _is_attack_phase(setting):
        raise Unmapped("its entry does not say when it begins")
    target = str(node.get("target", "unit"))
    for raw in KINDS[kind](dict(node.get("modifier") or {}), target):
        yield {**_common(setting, target, raw), **raw}


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


# --- Kinds ------------------------------------------------------------------------------------------------------------


def _take(change: Json, *known: str) -> None:
    """Refuse a change that says more than we read."""
    if set(change) - set(known):
        raise Unmapped("a part of it has no counterpart")


def _number(value: object) -> int:
    text = str(value)
    if not text.lstrip("-+").isdigit():
        raise Unmapped("it changes something by a roll")
    return int(text)


def _against(target: str) -> str:
    """Whose attacks are meant: those on the unit are made by an attacker."""
    return "suffered" if target == "attacker" else "made"


def _with_type(raw: Json, change: Json) -> Json:
    kind = change.get("attack_type") or change.get("weapon_type") or change.get("context")
    if kind not in (None, "ranged", "melee"):
        raise Unmapped("it works on some attacks only")
    return {**raw, "when": [kind]} if kind else raw


def _reroll(change: Json, target: str) -> Iterator[Json]:
    _take(change, "roll", "subset", "attack_type", "weapon_type")
    roll, faces = ROLLS.get(str(change.get("roll"))), FACES.get(str(change.get("subset")))
    if roll is None or faces is None or target in ("defender", "attacker"):
        raise Unmapped("it re-rolls something that we do not know")
    yield _with_type({"kind": "reroll", "roll": roll, "faces": faces if roll in ATTACKS else "all"}, change)


def _modify(change: Json, target: str) -> Iterator[Json]:
    _take(change, "roll", "operation", "value", "attack_type", "context", "incoming")
    roll, operation, value = (
        ROLLS.get(str(change.get("roll"))),
        change.get("operation"),
        _number(change.get("value", 0)),
    )
    if operation == "crit-on" and roll in ("hit", "wound"):
        yield {"kind": "critical", "roll": roll, "value": value}
        return
    if roll is None or operation not in ("add", "subtract") or target == "defender":
        raise Unmapped("it changes a roll in a way that we do not know")
    suffered = "suffered" if change.get("incoming") else _against(target)
    raw = {"kind": "modify", "roll": roll, "value": value if operation == "add" else -value}
    yield _with_type({**raw, "attacks": suffered} if roll in ATTACKS else raw, change)


def _stat(change: Json, target: str) -> Iterator[Json]:
    _take(change, "stat", "operation", "value", "attack_type", "weapon_type")
    stat, operation, value = str(change.get("stat")), change.get("operation"), _number(change.get("value"))
    better = -1 if stat in ("Sv", "Ld", "BS", "WS", "AP") else 1
    if operation in ("improve", "worsen"):
        value *= better if operation == "improve" else -better
    elif operation == "subtract":
        value = -value
    elif operation not in ("add", "set"):
        raise Unmapped("it changes a characteristic in a way that we do not know")
    raw: Json = {"kind": "characteristic", "name": stat, **({"to": value} if operation == "set" else {"add": value})}
    if stat in OF_WEAPONS:
        if target == "attacker":
            raise Unmapped("it changes weapons of the enemy")
        raw["weapons"] = change.get("attack_type") or change.get("weapon_type") or "all"
        yield raw
    elif stat in STATS:
        yield raw
    else:
        raise Unmapped("it changes a characteristic that we do not know")


def _skill(change: Json, target: str) -> Iterator[Json]:
    yield from _stat({**change, "stat": "BS", "weapon_type": "ranged"}, target)


def _keywords(change: Json, target: str) -> Iterator[Json]:
    _take(change, "keywords", "keyword", "weapon_type", "attack_type")
    named = change.get("keywords") or [change.get("keyword")]
    weapons = change.get("weapon_type") or change.get("attack_type") or "all"
    for name in named:
        ability = (
            ability_of({**name, "keyword_id": name.get("keyword_id", "?")})
            if isinstance(name, dict)
            else _spelled(str(name))
        )
        first = ability.split(":")[0].rstrip("0123456789d+ ").split("-")[0].strip()
        if ability.startswith(("twin-linked", "close-quarters")):
            first = first.replace("twin", "twin linked").replace("close", "close quarters")
        if first not in WEAPON_ABILITIES:
            raise Unmapped("it gives weapons an ability that we do not know")
        yield {"kind": "weapon_ability", "ability": ability, "weapons": weapons}


def _spelled(name: str) -> str:
    text = name.strip("[] ").lower().replace("’", "'")
    return text if text.startswith(("anti-", "twin-linked", "close-quarters")) else text.replace("-", " ")


def _grant(change: Json, target: str) -> Iterator[Json]:
    _take(change, "ability_id", "grant_type")
    found = GRANTS.get(str(change.get("ability_id") or change.get("grant_type")))
    if found is None:
        raise Unmapped("it grants something that we do not know")
    yield dict(found)


def _pain(change: Json, target: str) -> Iterator[Json]:
    _take(change, "threshold", "scope")
    for against in {"psychic-and-mortal": ("psychic", "mortal")}.get(
        change.get("scope", ""), (change.get("scope", "all"),)
    ):
        yield {"kind": "feel_no_pain", "value": _number(change.get("threshold")), "against": against}


def _invulnerable(change: Json, target: str) -> Iterator[Json]:
    _take(change, "invuln_sv", "threshold", "attack_type")
    value = _number(change.get("invuln_sv") or change.get("threshold"))
    yield {"kind": "invulnerable", "value": value, "against": change.get("attack_type", "all")}


def _damage(change: Json, target: str) -> Iterator[Json]:
    _take(change, "reduction")
    if change.get("reduction") == "half":
        yield {"kind": "damage", "divide": 2}
    else:
        yield {"kind": "damage", "add": -_number(change.get("reduction"))}


def _mortal(change: Json, target: str) -> Iterator[Json]:
    _take(change, "count")
    if target != "enemy-within-aura":
        raise Unmapped("who suffers the mortal wounds is not told in our words")
    yield {"kind": "mortal_wounds", "amount": dice_of(change.get("count"))}


def _command_points(change: Json, target: str) -> Iterator[Json]:
    _take(change, "amount")
    yield {"kind": "gain_cp", "value": _number(change.get("amount"))}


def _control(change: Json, target: str) -> Iterator[Json]:
    if change == {"sticky": True}:
        yield {"kind": "allow", "what": "hold_objectives"}
        return
    yield from _stat({"stat": "OC", **change}, target)


def _suppress(change: Json, target: str) -> Iterator[Json]:
    _take(change, "direction", "rule", "rule_kind")
    if change.get("direction") != "suppressed" or change.get("rule") not in SUPPRESSED:
        raise Unmapped("it changes a rule in a way that we do not know")
    yield {"kind": "forbid", "what": SUPPRESSED[change["rule"]]}


def _leadership(change: Json, target: str) -> Iterator[Json]:
    if change == {"test": "battle-shock"}:
        yield {"kind": "battle_shock"}
    elif set(change) == {"operation", "value"} and change["operation"] in ("improve", "worsen"):
        yield from _stat({"stat": "Ld", **change}, target)
    elif change.get("test") == "battle-shock" and change.get("operation") in ("add", "subtract"):
        sign = 1 if change["operation"] == "add" else -1
        yield {"kind": "modify", "roll": "battle_shock", "value": sign * _number(change.get("value"))}
    else:
        raise Unmapped("it changes a test in a way that we do not know")


def _fixed(raw: Json) -> Callable[[Json, str], Iterator[Json]]:
    def make(change: Json, target: str) -> Iterator[Json]:
        _take(change)
        yield dict(raw)

    return make


def _fall_back(change: Json, target: str) -> Iterator[Json]:
    _take(change, "can_charge", "can_shoot")
    for what in ("shoot", "charge"):
        if change.get(f"can_{what}"):
            yield {"kind": "allow", "what": f"fall_back_and_{what}"}


KINDS: Final[dict[str, Callable[[Json, str], Iterator[Json]]]] = {
    "re-roll": _reroll,
    "roll-modifier": _modify,
    "charge-roll-modifier": lambda change, target: _modify({"roll": "charge", **change}, target),
    "stat-modifier": _stat,
    "bs-modifier": _skill,
    "keyword-grant": _keywords,
    "ability-grant": _grant,
    "feel-no-pain": _pain,
    "invulnerable-save": _invulnerable,
    "damage-reduction": _damage,
    "mortal-wounds": _mortal,
    "cp-gain": _command_points,
    "objective-control-modifier": _control,
    "rule-state": _suppress,
    "leadership-modifier": _leadership,
    "fallback-and-act": _fall_back,
    "fight-on-death": _fixed({"kind": "allow", "what": "fight_when_destroyed"}),
    "shoot-on-death": _fixed({"kind": "allow", "what": "shoot_when_destroyed"}),
    "fight-first": _fixed({"kind": "grant", "ability": "fights first"}),
    "deep-strike": _fixed({"kind": "grant", "ability": "deep strike"}),
}
