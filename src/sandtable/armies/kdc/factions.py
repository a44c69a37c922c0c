"""A faction of the dataset as one of ours, compiled once and kept."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple

import msgspec

from sandtable import cachefiles
from sandtable.armies.alike import led_alike
from sandtable.armies.effects import Invulnerable
from sandtable.armies.format import Ability, Choice, Faction, FactionFile, Option, Sheet
from sandtable.armies.kdc.corrections import Corrections, corrections, sources
from sandtable.armies.kdc.detachments import detachments_of
from sandtable.armies.kdc.judging import judged
from sandtable.armies.kdc.names import as_id, cut, keyword, plain
from sandtable.armies.kdc.source import Data, Json, data, stamp
from sandtable.armies.kdc.units import SUPPORT, borne, core_of, half_saves, is_core, is_fielded, read_unit
from sandtable.armies.kdc.verdicts import Verdict
from sandtable.sources import fingerprint

KEPT: Final = 80
"""Factions that are kept on disk as they were compiled."""
FACTION, DAMAGED = "faction", "Damaged"
NO_TEXT: Final = "Left to the players: nothing is known of it but its name."


class Compiled(NamedTuple):
    """A faction, and what the dataset did not tell about its units."""

    file: FactionFile
    gaps: dict[str, tuple[str, ...]]


@cache
def faction_file(faction: str) -> Compiled:
    """A faction with its datasheets, from the folder of kept ones if it was compiled before."""
    key = "\0".join([faction, stamp(), fingerprint(__file__), *sources()])
    path = cachefiles.cache_folder() / "kdc" / hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
    raw = cachefiles.read(path)
    if raw is not None:
        with suppress(msgspec.DecodeError):
            return Compiled(*msgspec.msgpack.decode(raw, type=tuple[FactionFile, dict[str, tuple[str, ...]]]))
    found = compile_faction(data(), faction, corrections(faction))
    cachefiles.keep(path, msgspec.msgpack.encode(tuple(found)), KEPT)
    return found


def compile_faction(known: Data, faction: str, ours: Corrections, *, all_units: bool = False) -> Compiled:
    """A faction of the dataset; with `all_units` also those of games of their own."""
    raw = known.factions[faction]
    rules = tuple(_faction_rules(known, faction, raw, ours))
    gaps: dict[str, tuple[str, ...]] = {}
    sheets = []
    for unit in known.units.get(known.faction_of_units(faction), ()):
        if not _may_have(known, raw, unit) or not (all_units or is_fielded(unit)):
            continue
        sheet, missing = _sheet(known, unit, faction, tuple(rule.name for rule in rules), ours)
        sheets.append(sheet)
        if missing:
            gaps[sheet.id] = missing
    sheets = _with_support(_known_leads(led_alike(sheets)))
    keywords = tuple(keyword(word) for word in raw["keywords"])
    file = FactionFile(
        Faction(
            as_id(raw["id"]),
            cut(raw["name"]),
            _common(sheets, keywords),
            rules,
            tuple(detachments_of(known, faction, lambda ability, name: judged(ability, name, ours, None))),
            keywords,
            parent="" if known.units.get(faction) else known.faction_of_units(faction),
        ),
        tuple(sheets),
    )
    return Compiled(file, gaps)


def _common(sheets: list[Sheet], keywords: tuple[str, ...]) -> str:
    """The Faction keyword that most datasheets share: the one that armies are mustered by."""
    return max(keywords, key=lambda word: sum(word in sheet.faction_keywords for sheet in sheets), default=keywords[0])


def _may_have(known: Data, faction: Json, unit: Json) -> bool:
    """Whether an army of a chapter may have a datasheet of all Space Marines: not another chapter's, nor one banned."""
    parent = faction.get("parent_faction_id")
    if not parent:
        return True
    own = {plain(word) for word in faction["keywords"]}
    chapters = {
        plain(word)
        for one in known.factions.values()
        if one.get("parent_faction_id") == parent
        for word in one["keywords"]
    }
    words = {plain(word) for word in unit["faction_keywords"]}
    banned = {plain(word) for word in unit.get("excluded_faction_keywords") or ()}
    return not (words & chapters) - own and not banned & own


# --- Abilities --------------------------------------------------------------------------------------------------------


def _faction_rules(known: Data, faction: str, raw: Json, ours: Corrections) -> list[Ability]:
    found = []
    for id_ in raw.get("faction_rule_ids") or ():
        ability = known.ability(faction, id_)
        name = cut(ability["name"] if ability else id_.replace("-", " ").title())
        found.append(_ability(name, judged(ability, name, ours, None)))
    return found


def _ability(name: str, verdict: Verdict, item: str | None = None) -> Ability:
    return Ability(
        name,
        verdict.text,
        verdict.effects,
        verdict.choose,
        item,
        verdict.enforced,
        verdict.left_out,
        verdict.unreviewed,
        verdict.due,
        verdict.item == "unit" and item is not None,
    )


def _to_take(name: str, verdict: Verdict) -> Option:
    """Wargear that gives an ability: one piece in a unit, or one for each so many models."""
    per = max((effect.per for effect in verdict.effects), default=0)
    return Option((Choice((name,)),), count=1, per=per)


def _sheet(
    known: Data, unit: Json, faction: str, rules: tuple[str, ...], ours: Corrections
) -> tuple[Sheet, tuple[str, ...]]:
    """A datasheet with its abilities."""
    sheet, gear, gaps = read_unit(known, unit, faction)
    strange = ours.file.not_printed.get(unit["id"], ())
    has = [ability for ability in borne(known, unit) if ability["ability_id"] not in strange]
    abilities: dict[str, Ability] = {}
    taken: list[Option] = []
    for ability in has:
        name = cut(ability["name"])
        told = unit["id"] in ours.brackets and name.startswith(DAMAGED)
        if is_core(ability) or ability["ability_type"] == FACTION or name in rules or told:
            continue
        item = gear.names.get(ability["ability_id"]) if ability["ability_id"] in gear.wargear.values() else None
        verdict = judged(ability, name, ours, unit["id"])
        if verdict.item and item is None:
            item = name
            taken.append(_to_take(name, verdict))
        abilities.setdefault(name, _ability(name, verdict, item))
    for name in gear.wargear:
        if all(ability.item != name for ability in abilities.values()):
            added = ours.added(unit["id"], name)
            called = name if name not in abilities else f"{name} (wargear)"
            abilities[called] = (
                _ability(called, added, name) if added else Ability(called, NO_TEXT, item=name, enforced=False)
            )
    for name, verdict in ours.missing(unit["id"]):
        if verdict.item and name not in abilities:
            taken.append(_to_take(name, verdict))
        abilities.setdefault(name, _ability(name, verdict, name if verdict.item else None))
    for against, value in half_saves(unit):
        effect = Invulnerable(value=value, against="ranged" if against == "ranged" else "melee", who="model")
        name = f"Invulnerable Save ({against} attacks)"
        abilities[name] = Ability(name, f"An invulnerable save of {value}+ against {against} attacks.", (effect,))
    if not has and not abilities:
        gaps = (*gaps, "abilities")
    return msgspec.structs.replace(
        sheet,
        core=core_of(unit, has),
        faction_rules=rules,
        abilities=tuple(abilities.values()),
        damaged=ours.brackets[unit["id"]].damaged if unit["id"] in ours.brackets else None,
        weapons=tuple(gear.weapons),
        options=(*sheet.options, *taken),
    ), gaps


def _known_leads(sheets: list[Sheet]) -> list[Sheet]:
    """Leaders of a chapter lead those whom its armies can have."""
    ids = {sheet.id for sheet in sheets}
    return [
        msgspec.structs.replace(sheet, leads=tuple(id_ for id_ in sheet.leads if id_ in ids)) if sheet.leads else sheet
        for sheet in sheets
    ]


def _with_support(sheets: list[Sheet]) -> list[Sheet]:
    """Support units join beside a Leader of the same unit."""
    leaders = [sheet for sheet in sheets if sheet.leads and SUPPORT not in sheet.core]
    return [
        msgspec.structs.replace(
            sheet, leads_beside=tuple(other.id for other in leaders if set(other.leads) & set(sheet.leads))
        )
        if SUPPORT in sheet.core
        else sheet
        for sheet in sheets
    ]
