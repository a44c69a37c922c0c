"""Units of the dataset as datasheets: models, sizes, points, keywords, core abilities, leaders, transports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from sandtable.armies.format import MAX_UNIT, ModelKind, Role, Sheet, Size, Transport
from sandtable.armies.kdc.bases import base_of, height_of
from sandtable.armies.kdc.names import cut, keyword, plain
from sandtable.armies.kdc.source import NO_EDITION, Data, Json
from sandtable.armies.kdc.wargear import Gear, options_of

CORE: Final = "core"
LEADER, SUPPORT = "leader", "support"
CORE_BY_NAME: Final = ("fights first",)
"""Core abilities that the dataset files under those of datasheets."""
MOST_KINDS: Final = 8
_FEEL: Final = re.compile(r"feel no pain (\d)\+?")

ROLES: Final = {"character": "character", "epic-hero": "character", "battleline": "battleline"}
KINDS: Final = (
    ("AIRCRAFT", "flyer"), ("TRANSPORT", "transport"), ("MONSTER", "monster"), ("VEHICLE", "vehicle"),
    ("MOUNTED", "mounted"), ("BEAST", "beast"), ("BEASTS", "beast"),
)  # fmt: skip


class Read(NamedTuple):
    """A unit as a datasheet, without its abilities; and what had to be filled in."""

    sheet: Sheet
    gear: Gear
    gaps: tuple[str, ...]


def read_unit(data: Data, unit: Json, host: str) -> Read:
    """A unit as a datasheet of an army of a faction; abilities come later."""
    gear = Gear(data, unit)
    gaps: list[str] = []
    row = data.compositions.get((unit["faction_id"], unit["id"]))
    kinds, rows = _kinds(gear, unit, (row or {}).get("models") or [], gaps)
    sizes = _sizes(unit, host, gaps)
    kinds = _fitting(kinds, sizes)
    options = options_of(gear, kinds, rows)
    prices = gear.prices()
    if not gear.weapons:
        gaps.append("weapons")
    gaps += [f"weapon {id_}" for id_ in gear.lost]
    words = tuple(dict.fromkeys(keyword(word) for word in unit["keywords"])) or ("INFANTRY",)
    if "TRANSPORT" in words and not unit.get("transport_capacity"):
        gaps.append("capacity")
    sheet = Sheet(
        unit["id"],
        cut(unit["name"]),
        _role(unit, words),
        words,
        kinds,
        sizes,
        tuple(dict.fromkeys(keyword(word) for word in unit["faction_keywords"])),
        weapons=tuple(gear.weapons),
        options=options,
        leads=tuple(_led(data, unit)),
        transport=_transport(unit),
        loose=True,
        prices=prices,
    )
    return Read(sheet, gear, tuple(gaps))


def is_fielded(unit: Json) -> bool:
    """Whether armies of the game may have a unit, and not only those of a smaller one."""
    return NO_EDITION not in (unit.get("game_modes") or ())


# --- Models -----------------------------------------------------------------------------------------------------------


def _kinds(
    gear: Gear, unit: Json, rows: Sequence[Json], gaps: list[str]
) -> tuple[tuple[ModelKind, ...], Sequence[Json]]:
    if not rows:
        gaps.append("composition")
        count = unit["model_count"]
        profile = unit["profiles"][0]
        row = {"name": profile["name"] or unit["name"], "min": count["min"], "max": count["max"]}
        return (_kind(gear, unit, row, profile, gear.usual(), gaps),), [row]
    made: list[ModelKind] = []
    for row in rows[:MOST_KINDS]:
        items = gear.items(row.get("default_weapon_ids") or ())
        kind = _kind(gear, unit, row, _profile(unit, row), items, gaps)
        if all(kind.name != other.name for other in made):
            made.append(kind)
    return tuple(made), rows


def _profile(unit: Json, row: Json) -> Json:
    """The line of characteristics of a kind of model: the one that it names, or is called like."""
    wanted = [row.get("profile_name"), row["name"], unit["name"]]
    by_name = {plain(profile["name"]): profile for profile in unit["profiles"]}
    for name in (plain(one) for one in wanted if one):
        found = by_name.get(name) or by_name.get(name.removesuffix("s")) or by_name.get(f"{name}s")
        if found:
            return cast(Json, found)
    return cast(Json, unit["profiles"][0])


def _kind(gear: Gear, unit: Json, row: Json, profile: Json, items: tuple[str, ...], gaps: list[str]) -> ModelKind:
    base, told = base_of(unit, row)
    if not told and "base" not in gaps:
        gaps.append("base")
    saves = [profile.get("invuln_sv"), profile.get("invuln_sv_ranged"), profile.get("invuln_sv_melee")]
    most = min(MAX_UNIT, max(1, row["max"]))
    return ModelKind(
        cut(row["name"]),
        {
            "M": profile["M"] or "-",
            "T": profile["T"],
            "Sv": profile["Sv"],
            "W": profile["W"],
            "Ld": profile["Ld"],
            "OC": profile["OC"],
        },
        base,
        height_of(unit, base),
        min(row["min"], most),
        most,
        items,
        saves[0] or None,
    )


def half_saves(unit: Json) -> tuple[tuple[str, int], ...]:
    """Invulnerable saves against ranged or melee attacks only, which a characteristic cannot tell."""
    first = unit["profiles"][0]
    found = (("ranged", first.get("invuln_sv_ranged")), ("melee", first.get("invuln_sv_melee")))
    return tuple((against, value) for against, value in found if value and value != first.get("invuln_sv"))


def _sizes(unit: Json, host: str, gaps: list[str]) -> tuple[Size, ...]:
    """What units of so many models cost; from the second or third unit of a kind on some cost more.

    In armies of some chapters they have another price.
    """
    if not unit.get("points"):
        gaps.append("points")
        return (Size(max(1, min(MAX_UNIT, unit["model_count"]["max"]))),)
    found = {
        (one.get("unit_count_min") or 1, min(MAX_UNIT, one.get("models_max") or one["models"])): one["cost"]
        for one in ([p for p in unit.get("allied_points") or () if p["host_faction"] == host] or unit["points"])
    }
    return tuple(Size(models, cost, copy=copy) for (copy, models), cost in sorted(found.items()))


def _fitting(kinds: tuple[ModelKind, ...], sizes: Sequence[Size]) -> tuple[ModelKind, ...]:
    """Kinds of models that can make up the sizes that are sold: where they cannot, the commonest ones give way."""
    least, most = min(size.models for size in sizes), max(size.models for size in sizes)
    made = list(kinds)
    over = sum(kind.min for kind in made) - least
    for i in sorted(range(len(made)), key=lambda i: -made[i].min):
        fewer = max(0, min(over, made[i].min))
        made[i], over = _with(made[i], made[i].min - fewer, made[i].max), over - fewer
    under = most - sum(kind.max for kind in made)
    if under > 0:
        i = max(range(len(made)), key=lambda i: made[i].max)
        made[i] = _with(made[i], made[i].min, made[i].max + under)
    return tuple(made)


def _with(kind: ModelKind, least: int, most: int) -> ModelKind:
    if (least, most) == (kind.min, kind.max):
        return kind
    return ModelKind(
        kind.name, kind.stats, kind.base, kind.height, least, most, kind.equipment, kind.invulnerable, kind.keywords
    )


# --- What else a datasheet says ---------------------------------------------------------------------------------------


def _role(unit: Json, words: Sequence[str]) -> Role:
    found = ROLES.get(unit.get("role") or "")
    return cast(Role, found or next((role for word, role in KINDS if word in words), "infantry"))


def core_of(unit: Json, abilities: Sequence[Json]) -> tuple[str, ...]:
    """The abilities that the game knows by name, in lower case with their numbers."""
    found = [core_name(one["name"]) for one in abilities if is_core(one)]
    part = unit.get("attachment_role")
    if part == SUPPORT:
        found = [SUPPORT, *(name for name in found if name != LEADER)]
    elif part == LEADER and LEADER not in found:
        found.insert(0, LEADER)
    return tuple(dict.fromkeys(found))


def is_core(ability: Json) -> bool:
    """Whether the rules of the game say what an ability does."""
    return ability["ability_type"] == CORE or core_name(ability["name"]) in CORE_BY_NAME


def core_name(name: str) -> str:
    """A core ability as the rules write it: "scouts 6", "feel no pain 5+", "deadly demise d6+2"."""
    text = cut(name.split("(", maxsplit=1)[0]).lower().replace("super-heavy", "super heavy").replace('"', "").strip()
    feel = _FEEL.fullmatch(text)
    if feel:
        return f"feel no pain {feel[1]}+"
    return text.replace("super heavy walker", "super-heavy walker")


def _led(data: Data, unit: Json) -> Iterator[str]:
    """Whom a Leader can lead: units of its faction by their ids, or all that have the keywords."""
    raw = data.led.get(unit["id"])
    if raw is None or not unit.get("attachment_role"):
        return
    own = {other["id"]: other for other in data.units.get(unit["faction_id"], ())}
    ids = [id_ for id_ in raw["eligible_bodyguard_ids"] if id_ in own]
    wanted = {plain(word) for word in raw.get("eligible_bodyguard_keywords") or ()}
    for id_, other in own.items():
        has = {plain(word) for word in (*other["keywords"], *other["faction_keywords"])}
        if wanted and (wanted <= has or has & {word for word in wanted if word.endswith(" squad")}):
            ids.append(id_)
    yield from dict.fromkeys(ids)


def _transport(unit: Json) -> Transport | None:
    hold = unit.get("transport_capacity")
    if not hold:
        return None
    return Transport(
        hold["capacity"], (("INFANTRY",),), tuple(keyword(w) for w in hold.get("exclusion_keywords") or ())
    )


def borne(data: Data, unit: Json) -> list[Json]:
    """The abilities of a unit: those that it names, and those that name it."""
    faction = unit["faction_id"]
    found = {id_: data.ability(faction, id_) for id_ in unit.get("ability_ids") or ()}
    for ability in (*data.pointing.get((faction, unit["id"]), ()), *data.pointing.get(("", unit["id"]), ())):
        if not ability.get("detachment_id"):
            found.setdefault(ability["ability_id"], ability)
    return [ability for ability in found.values() if ability is not None]
