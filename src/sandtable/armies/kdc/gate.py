"""The gate: which abilities of the dataset are sound enough to be compiled at all.

Its ability language is a sketch, and about half of the entries lost a number, a moment, a choice or a limit. Each check
finds a kind of loss that shows in the entry itself. Passing is necessary, not sufficient.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sandtable.armies.kdc.source import Json

UNSURE: Final = ("partial", "[approx]", "not encoded", "not modeled", "not modelled", "opaque")
DEEDS: Final = (
    "mortal-wounds", "cp-gain", "resurrection", "heal-wounds", "recovery-pool", "battle-shock-test", "flyover",
)  # fmt: skip
MOVES: Final = ("normal", "reactive", "shoot-and-scoot", "surge", "redeploy")
"""Kinds of additional moves."""
GRANTS: Final = {
    "benefit-of-cover", "lone-operative", "charge-after-advance", "declare-charge", "shoot-after-advance",
    "shoot-after-fall-back", "charge-after-fall-back", "stealth", "infiltrators", "deep-strike", "fights-first",
    "scouts", "hover", "feel-no-pain", "advance-and-charge", "fall-back-and-charge", "fall-back-and-shoot",
    "advance-and-shoot",
}  # fmt: skip
"""Names of abilities that the rules of the game, or the name itself, define."""
NO_KEYWORD: Final = "a"
"""What is left where somebody cut a keyword off after its first letter."""
NO_STRATAGEM: Final = "fire-overwatch-or-heroic"
ROLLS: Final = ("hit", "wound")


class Reason(NamedTuple):
    """A check that an entry fails."""

    check: str
    text: str


REASONS: Final = {
    "moment": "its entry does not say when it is done",
    "grant": "its entry only names something that nothing defines",
    "notes": "whoever entered it noted that a part is missing",
    "disputed": "its entry is disputed",
    "aura": "its entry lost the distance",
    "keyword": "its entry lost a keyword",
    "refund": "its entry does not say how often it can be used",
    "fall_back": "its entry does not say what may be done after Falling Back",
    "whose": "its entry does not say whose rolls it makes worse",
    "empty": "its entry lost what it changes",
    "stratagem": "its entry names a Stratagem that there is not",
    "leadership": "its entry does not say whether it changes a test or a characteristic",
    "armour": "its entry does not say whether AP becomes better or worse",
}
"""What players are told."""


def reasons(ability: Json) -> tuple[Reason, ...]:
    """The checks that an entry fails, with what players are told."""
    found = dict.fromkeys(_failed(ability))
    return tuple(Reason(check, REASONS[check]) for check in found)


def _failed(ability: Json) -> Iterator[str]:
    if ability.get("disputed"):
        yield "disputed"
    notes = str(ability.get("community_notes") or "").lower()
    if any(word in notes for word in UNSURE):
        yield "notes"
    timed = bool(ability.get("trigger"))
    scope = ability.get("scope") or {}
    near = str(scope.get("range", "")).startswith("aura") or bool(scope.get("range_inches"))
    for node, told in nodes(ability["effect"], timed):
        yield from _node_failed(node, told, near, ability)
    if any(_keyword_lost(one) for one in conditions(ability["effect"])):
        yield "keyword"


def _node_failed(node: Json, timed: bool, near: bool, ability: Json) -> Iterator[str]:
    kind, change = node["type"], node.get("modifier") or {}
    scope = ability.get("scope") or {}
    target = str(node.get("target", ""))
    if not timed and (kind in DEEDS or _is_move(kind, change) or (kind == "leadership-modifier" and _is_test(change))):
        yield "moment"
    if kind == "ability-grant" and not _granted(change):
        yield "grant"
    if target.endswith("-within-aura") and not near and not _inches(change):
        yield "aura"
    if kind == "cp-refund":
        if change.get("stratagem") == NO_STRATAGEM:
            yield "stratagem"
        elif scope.get("duration") == "one-use" and not ability.get("usage"):
            yield "refund"
    if kind == "fallback-and-act" and not change:
        yield "fall_back"
    worse = kind == "roll-modifier" and change.get("operation") == "subtract" and change.get("roll") in ROLLS
    if worse and target in ("unit", "self") and not change.get("incoming"):
        yield "whose"
    if kind == "stat-modifier":
        if not change:
            yield "empty"
        elif change.get("stat") == "AP" and _is_plus(change) and target in ("unit", "self", "bearer"):
            yield "armour"
    if kind == "leadership-modifier" and change.get("operation") in ("add", "subtract") and not change.get("test"):
        yield "leadership"


def _is_plus(change: Json) -> bool:
    return change.get("operation") in ("add", "subtract") and str(change.get("value")) in ("1", "+1")


def _is_move(kind: str, change: Json) -> bool:
    return kind == "movement-modifier" and change.get("move_type") in MOVES


def _is_test(change: Json) -> bool:
    return bool(change.get("test")) and not change.get("operation")


def _inches(change: Json) -> bool:
    return any(change.get(key) for key in ("range", "range_inches", "range_bonus"))


def _granted(change: Json) -> bool:
    names = {str(change.get(key) or "") for key in ("ability_id", "grant_type", "ability", "name")}
    return bool(names & GRANTS) or any(name.rstrip("0123456789-+") in GRANTS for name in names if name)


def _keyword_lost(condition: Json) -> bool:
    return str((condition.get("parameters") or {}).get("keyword", "")).lower() == NO_KEYWORD


def nodes(effect: Any, timed: bool = False) -> Iterator[tuple[Json, bool]]:
    """Everything that an entry does, and whether something before it says when."""
    if isinstance(effect, list):
        for one in effect:
            yield from nodes(one, timed)
    elif isinstance(effect, dict):
        known = timed or bool(effect.get("trigger")) or _tells_when(effect.get("condition"))
        if "type" in effect and ("modifier" in effect or "target" in effect):
            yield effect, timed
        for key, part in effect.items():
            if key != "condition":
                yield from nodes(part, known)


def conditions(effect: Any) -> Iterator[Json]:
    """All conditions of an entry, also those inside others."""
    if isinstance(effect, list):
        for one in effect:
            yield from conditions(one)
    elif isinstance(effect, dict):
        for key, part in effect.items():
            if key == "condition" and isinstance(part, dict):
                yield part
            if key == "operands" and isinstance(part, list):
                yield from (one for one in part if isinstance(one, dict))
            yield from conditions(part)


def _tells_when(condition: Any) -> bool:
    if not isinstance(condition, dict):
        return False
    told = condition.get("parameters") or {}
    if condition.get("type") == "timing-is" or (condition.get("type") == "phase-is" and told.get("phase") == "command"):
        return True
    return any(_tells_when(one) for one in condition.get("operands") or ())
