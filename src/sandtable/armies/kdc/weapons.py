"""Weapons of the dataset, in our format."""

from __future__ import annotations

import re
from typing import Final

from sandtable.armies.characteristics import Value
from sandtable.armies.format import Profile, Weapon
from sandtable.armies.kdc.source import Json

MELEE: Final = "melee"
NAME: Final = 80
_DICE: Final = re.compile(r"(\d*)[dD]([36])(?:\s*\+\s*(\d+))?")
_PARTS: Final = re.compile(r"\s+[-–—]\s+|\s*[➤►]\s*")


def weapon_of(raw: Json, name: str) -> Weapon:
    """A weapon under the name that a datasheet has for it."""
    profiles = raw["profiles"]
    made = []
    for number, profile in enumerate(profiles, 1):
        called = _profile_name(raw["name"], profile["name"], number) if len(profiles) > 1 else None
        made.append(Profile(_stats(profile), tuple(dict.fromkeys(_abilities(profile))), called))
    names = [profile.name for profile in made]
    if len(made) > 1 and len(set(names)) < len(names):
        made = [Profile(p.stats, p.abilities, f"{p.name} {i}") for i, p in enumerate(made, 1)]
    return Weapon(name, tuple(made))


def _profile_name(weapon: str, profile: str, number: int) -> str:
    """What tells a profile from the others: the part behind the name of the weapon."""
    rest = _PARTS.split(profile)[-1].strip(" ()-–—")
    return rest[:NAME].strip() if rest and rest.lower() != weapon.lower() else f"profile {number}"


def _stats(profile: Json) -> dict[str, Value]:
    told = profile["stats"]
    close = str(profile["range"]).lower() == MELEE
    stats: dict[str, Value] = {} if close else {"Range": int(profile["range"])}
    stats["A"] = dice_of(told.get("A", 1))
    skill = told.get("WS" if close else "BS")
    stats["WS" if close else "BS"] = skill if isinstance(skill, int) and skill else "-"
    stats["S"] = _number(told.get("S"))
    stats["AP"] = -abs(_number(told.get("AP")))
    stats["D"] = dice_of(told.get("D", 1))
    return stats


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def dice_of(value: object) -> Value:
    """A number, or dice as we write them: "D6+1", whatever the dataset writes."""
    if isinstance(value, int):
        return value
    found = _DICE.fullmatch(str(value).strip())
    if found is None:
        return int(str(value)) if str(value).isdigit() else 1
    count, faces, more = found.groups()
    return f"{count if count not in ('', '1') else ''}D{faces}{f'+{more}' if more else ''}"


def _abilities(profile: Json) -> list[str]:
    return [ability_of(one) for one in profile.get("keywords") or ()]


def ability_of(keyword: Json) -> str:
    """A weapon ability, in lower case, with its number and the keywords that it works against."""
    name, told = keyword["keyword_id"], keyword.get("parameters") or {}
    plain = name.replace("-", " ") if name not in HYPHENATED else name
    target = str(told.get("target_keyword", "")).lower().replace("’", "'")
    if name == "anti":
        return f"anti-{target} {told.get('threshold', 6)}+"
    if "value" in told:
        plain = f"{plain} {str(dice_of(told['value'])).lower()}"
    only = [str(word).lower() for word in told.get("required_target_keywords_any") or ()] or (
        [target] if target else []
    )
    never = [str(word).lower() for word in told.get("excluded_target_keywords") or ()]
    if only:
        return f"{plain}: {'/'.join(only)}"
    return f"{plain}: not {'/'.join(never)}" if never else plain


HYPHENATED: Final = ("twin-linked", "close-quarters")
