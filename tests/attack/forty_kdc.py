"""Weapons and units of the 40kdc dataset as volleys and targets, by the rules of the 11th edition ledger.

Only what the ledger says of weapon abilities is read here; nothing is taken from the dataset's own reckoning.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.attack.tables import Rerolls, hit_table, save_needed, wound_table
from sandtable.attack.volley import (
    NEVER,
    Attack,
    Body,
    DiceSum,
    Mortal,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundKind,
    dice,
)

Json = dict[str, Any]


class Circumstances(msgspec.Struct, frozen=True):
    """What does not stand on the datasheets."""

    firing: int = 1
    models: int = 5
    half_range: bool = False
    stationary: bool = False
    cover: bool = False
    to_hit: int = 0
    to_wound: int = 0
    reroll_hits: Rerolls = "none"
    reroll_wounds: Rerolls = "none"
    reroll_saves: Rerolls = "none"
    pain: int = NEVER
    pain_mortal: int = 0
    invulnerable: int = NEVER


def abilities(profile: Json, keywords: list[str]) -> dict[str, list[Json]]:
    """The weapon's abilities that work against a unit with these keywords, each with what it says in its entries."""
    found: dict[str, list[Json]] = {}
    for entry in profile.get("keywords") or []:
        said = entry.get("parameters") or {}
        only = [k.lower() for k in said.get("required_target_keywords_any") or []]
        never = [k.lower() for k in said.get("excluded_target_keywords") or []]
        if (only and not any(k in keywords for k in only)) or any(k in keywords for k in never):
            continue
        found.setdefault(entry["keyword_id"], []).append(said)
    return found


def keywords_of(unit: Json) -> list[str]:
    return [k.lower() for k in [*(unit.get("keywords") or []), *(unit.get("faction_keywords") or [])]]


def more_dice(number: DiceSum, said: list[Json], times: int = 1) -> DiceSum:
    for _ in range(times):
        number = number.more(dice(said[0].get("value", 1)))
    return number


def anti(found: dict[str, list[Json]], keywords: list[str]) -> int:
    """The lowest roll that is a critical wound: the player picks the best of several such abilities."""
    wide = [int(a["threshold"]) for a in found.get("anti", []) if a["target_keyword"].lower() in keywords]
    return min([6, *wide])


def needed_to_wound(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if 2 * strength <= toughness:
        return 6
    return 4 + (strength < toughness) - (strength > toughness)


def volley(profile: Json, unit: Json, at: Circumstances) -> Volley:
    stats = profile["stats"]
    keywords = keywords_of(unit)
    found = abilities(profile, keywords)
    melee = profile["range"] == "Melee"
    full_fives = at.models // 5
    shots = dice(stats["A"])
    if "rapid-fire" in found and at.half_range:
        shots = more_dice(shots, found["rapid-fire"])
    for ability in ("blast", "cleave"):
        if ability in found:
            shots = more_dice(shots, found[ability], full_fives)
    damage = dice(stats["D"])
    if "melta" in found and at.half_range:
        damage = more_dice(damage, found["melta"])
    heavy = "heavy" in found and at.stationary
    covered = at.cover and not melee and "ignores-cover" not in found
    hit = hit_table(
        int(stats.get("WS" if melee else "BS") or 0) + covered,
        max(-1, min(1, at.to_hit + heavy)),
        auto="torrent" in found,
        lethal="lethal-hits" in found,
        sustained=dice(found["sustained-hits"][0].get("value", 1)) if "sustained-hits" in found else 0,
        reroll=at.reroll_hits,
    )
    devastating = "devastating-wounds" in found
    wound = wound_table(
        needed_to_wound(int(stats["S"]), int(unit["profiles"][0]["T"])),
        at.to_wound,
        crit=anti(found, keywords),
        crit_kind=1 if devastating else None,
        reroll="failures" if "twin-linked" in found else at.reroll_wounds,
    )
    kinds = (WoundKind(0, damage), WoundKind(0, None, Mortal(damage, spill=False)))
    return Volley(profile["name"], (Shots(at.firing, shots),), hit, wound, kinds[: 1 + devastating])


def body(profile: Json, unit: Json, at: Circumstances, model: int = 0, wounds: int = 0) -> Body:
    sheet = unit["profiles"][0]
    scope = "invuln_sv_melee" if profile["range"] == "Melee" else "invuln_sv_ranged"
    printed = sheet.get(scope) if sheet.get(scope) is not None else sheet.get("invuln_sv")
    better = min(at.invulnerable, printed or NEVER)
    needed = save_needed(int(sheet["Sv"]), int(profile["stats"]["AP"]), invulnerable=better)
    again = {"none": (), "ones": (1,), "failures": tuple(range(1, 7)), "all": tuple(range(1, 7))}[at.reroll_saves]
    full = wounds or int(sheet["W"])
    return Body(model, full, full, (needed,), again, pain=at.pain, pain_mortal=at.pain_mortal)


def wall(profile: Json, unit: Json, at: Circumstances, bodies: int = 15, wounds: int = 40) -> Target:
    """Models with the unit's saves, but so many wounds that nothing is wasted on them."""
    return Target(tuple(body(profile, unit, at, i, wounds) for i in range(bodies)))


def squad(profile: Json, unit: Json, at: Circumstances) -> Target:
    return Target(tuple(body(profile, unit, at, i) for i in range(at.models)))


def attack(profile: Json, target: Target, unit: Json, at: Circumstances) -> Attack:
    return Attack((volley(profile, unit, at),), target, Procedure.SORTED_BATCH)
