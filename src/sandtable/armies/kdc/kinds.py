"""What each type of the dataset's ability language is in our effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

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
