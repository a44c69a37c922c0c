"""Army lists that people paste: what other programs export, read by the importers of the 40kdc dataset.

Whoever wrote such a text may mean harm or have made mistakes, so it is bounded before anybody reads it, names are found
by what they are called, near misses are suggested, and all that was understood is told first. What is wrong with the
army itself is told by the muster rules of its edition, later.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from sandtable.armies.format import Detachment, Faction, Sheet
from sandtable.armies.imported import SHOWN, Json, Roster, as_dict, called, dicts, parent_of, read_roster, said
from sandtable.armies.kdc.names import as_id, plain
from sandtable.armies.lists import (
    MAX_UNITS,
    ArmyList,
    ListUnit,
    Loadout,
    composition,
    list_points,
    loadout_problem,
    name_of,
    unexplained,
)
from sandtable.armies.pack import Pack
from sandtable.armies.packs import is_file, open_pack, packs_by_system
from sandtable.armies.told import understood
from sandtable.errors import UserError, short

MOST_LOADOUTS, MOST_ITEMS, MOST_MODELS, MOST_DETACHMENTS = 12, 12, 60, 5
UNBELIEVABLE: Final = 1_000_000
"""Models that nobody counts."""
SIZES: Final = (1000, 2000, 3000)
"""Points of the battle sizes; a list that names another limit is for the next larger one."""
CLOSE: Final = 0.75
TOLD: Final = 4
"""Doubts that a refusal tells."""
SAME: Final = {"adeptus astartes": "space marines", "heretic astartes": "chaos space marines"}
"""Factions that have another name in other packs."""
INCOMING: Final = "-"

T = TypeVar("T")


class Pasted(NamedTuple):
    """An army list, and what is to be told about it."""

    army: ArmyList
    pack: Pack
    understood: tuple[str, ...]
    """What was read, a line each."""
    doubts: tuple[str, ...]
    """What was not found, guessed or left out, a sentence each."""
    source: str = ""
    """The form that it was read as; empty for a list of ours."""
    reported: int | None = None
    """Points, as the list itself adds them up."""
    missing: int = 0
    """Units that are left out, because nobody here has their datasheets."""


def is_pasted(name: str) -> bool:
    """Whether an army list is named by a file that is none of ours; a dash is for what comes in."""
    return name == INCOMING or (os.path.isfile(name) and not is_file(name))


def read_pasted(text: str, system: str, where: str) -> Pasted:
    """An army list that another program exported."""
    return understand(read_roster(text, where), system, where)


def understand(read: Roster, system: str, where: str) -> Pasted:
    """What a system knows of a roster; refuses one of which it knows nothing."""
    roster, name = read.told, _pack_of(system)
    left_out = f"A second list begins in line {read.second} and is left out; give it in a file of its own."
    doubts = [left_out] if read.second else []
    pack, faction = _faction(name, roster, where, doubts)
    detachments = _detachments(faction, roster, doubts)
    units = _Units(pack, detachments, doubts)
    raws = _first(dicts(roster.get("units")), MAX_UNITS, "units", doubts)
    listed = [(raw, unit) for raw in raws if (unit := units.read(raw)) is not None]
    named = _named(pack, _with_warlord(pack, [unit for _, unit in listed], doubts))
    found = _attached(pack, named, [_guard(raw) for raw, _ in listed], doubts)
    if not found:
        raise UserError(" ".join((f"{where}: no unit of the list was found.", *doubts[:TOLD])))
    points = as_dict(roster.get("points"))
    first = detachments[0].id if detachments else ""
    army = ArmyList(
        said(roster.get("name") or "").strip("? ") or "A list",
        system,
        pack.header.id,
        faction.id,
        SIZES[-1],
        tuple(found),
        first,
        tuple(one.id for one in detachments[1:]),
    )
    cost = list_points(pack, army)
    army = msgspec.structs.replace(army, limit=_limit(points, cost))
    doubts += [f"{line} It is played as it is." for line in unexplained(pack, army)]
    source = said(as_dict(roster.get("source")).get("format") or "a list")
    total = points.get("total_reported")
    reported = total if isinstance(total, int) and 0 < total < UNBELIEVABLE else None
    told = tuple(understood(pack, army, source, reported))
    return Pasted(army, pack, told, tuple(dict.fromkeys(doubts)), source, reported, len(raws) - len(listed))


# --- The army ---------------------------------------------------------------------------------------------------------


def _pack_of(system: str) -> str:
    known = packs_by_system().get(system)
    if not known:
        raise UserError(f"No pack has datasheets for {system}.")
    return known[0]


def _faction(name: str, roster: Json, where: str, doubts: list[str]) -> tuple[Pack, Faction]:
    """The pack with the list's faction, found by its id or its name, or by those of the one that it is a chapter of."""
    told = said(roster.get("faction_id") or roster.get("faction") or "")
    whole = open_pack(name)
    if whole.parts is not None:
        if told not in whole.parts:
            known = ", ".join(whole.parts)
            raise UserError(f"{where}: it does not tell its faction, or one that we do not know; we know {known}.")
        pack = whole.parts[told]
        return pack, pack.factions[0]
    found = _named_so(whole, told)
    if found is None and (found := _named_so(whole, parent_of(told))):
        called_ = said(roster.get("faction") or told)
        doubts.append(f"{called_} have no datasheets of their own here: they are read as {found.name}.")
    if found is None:
        known = ", ".join(one.name for one in whole.factions)
        raise UserError(f"{where}: the pack {name} has no faction '{told}'; it has {known}.")
    return whole, found


def _named_so(pack: Pack, told: str) -> Faction | None:
    wanted = {plain(told), SAME.get(plain(told), "")} - {""}
    return next((one for one in pack.factions if {plain(one.name), plain(one.id)} & wanted), None)


def _detachments(faction: Faction, roster: Json, doubts: list[str]) -> list[Detachment]:
    """The detachments of a list, each once: a name with an "and" in it is told twice."""
    found: dict[str, Detachment] = {}
    by_name = {plain(one.name): one for one in faction.detachments} | {
        plain(one.id): one for one in faction.detachments
    }
    for raw in dicts(roster.get("detachments")):
        ref = as_dict(raw.get("ref"))
        one = by_name.get(plain(str(ref.get("id") or ""))) or by_name.get(plain(called(ref)))
        if one is None:
            doubts.append(_not_found("detachment", called(ref), [d.name for d in faction.detachments]))
        else:
            found[one.id] = one
    if not found and faction.detachments:
        doubts.append(f"No detachment was understood: {faction.detachments[0].name} is taken.")
        found[faction.detachments[0].id] = faction.detachments[0]
    return _first(list(found.values()), MOST_DETACHMENTS, "detachments", doubts)


def _first(found: list[T], most: int, what: str, doubts: list[str]) -> list[T]:
    """As many as a list of ours can have, and a sentence where there are more."""
    if len(found) > most:
        doubts.append(f"The list has {len(found)} {what}; an army has at most {most}, so the first {most} are taken.")
    return found[:most]


def _not_found(what: str, name: str, known: Iterable[str]) -> str:
    """A sentence about a name that nothing has, with the nearest ones that something has."""
    by_plain = {plain(one): one for one in known}
    near = get_close_matches(plain(name), list(by_plain), 2, CLOSE)
    hint = f"; did you mean {' or '.join(by_plain[one] for one in near)}?" if near else "."
    return f"There is no {what} '{short(name, SHOWN)}'{hint}"


def _limit(points: Json, cost: int) -> int:
    told = points.get("declared_limit")
    wanted = max(told if isinstance(told, int) and told > 0 else 0, cost)
    return next((size for size in SIZES if wanted <= size), SIZES[-1])


def _with_warlord(pack: Pack, units: list[ListUnit], doubts: list[str]) -> list[ListUnit]:
    """The units with one Warlord: the first that the list names, or else the first CHARACTER."""
    named = [i for i, unit in enumerate(units) if unit.warlord]
    chosen = named[:1]
    if len(named) > 1:
        told = ", ".join(name_of(pack, units[i]) for i in named)
        doubts.append(f"An army has one Warlord, the list names several ({told}): the first is taken.")
    elif not chosen:
        sheets = [pack.sheet(unit.sheet) for unit in units]
        chosen = [i for i, sheet in enumerate(sheets) if sheet and "CHARACTER" in sheet.keywords][:1]
        doubts += [f"The list names no Warlord: {name_of(pack, units[i])} is taken." for i in chosen]
    return [msgspec.structs.replace(unit, warlord=i in chosen) for i, unit in enumerate(units)]


def _named(pack: Pack, units: list[ListUnit]) -> list[ListUnit]:
    """Names for units that share a datasheet, so that others can be attached to them."""
    count, seen = Counter(unit.sheet for unit in units), Counter[str]()
    named = []
    for unit in units:
        seen[unit.sheet] += 1
        name = f"{name_of(pack, unit)} {seen[unit.sheet]}" if count[unit.sheet] > 1 else None
        named.append(msgspec.structs.replace(unit, name=name))
    return named


def _guard(raw: Json) -> str:
    """The datasheet of the unit that a list attaches a leader to; empty where it says nothing."""
    return str(as_dict(as_dict(raw.get("leader_attachment")).get("bodyguard_ref")).get("id") or "")


def _attached(pack: Pack, units: list[ListUnit], guards: list[str], doubts: list[str]) -> list[ListUnit]:
    """Leaders with the units that the list attaches them to, each of which has one of them at most."""
    out, led, alone = [], set[str](), []
    for unit, guard in zip(units, guards, strict=True):
        sheet = pack.sheet(unit.sheet)
        if sheet is None or not sheet.leads:
            out.append(unit)
            continue
        free = [name_of(pack, one) for one in units if one.sheet == guard and guard in sheet.leads]
        to = next((name for name in free if name not in led), None)
        led |= {to} if to else set()
        alone += [] if to else [name_of(pack, unit)]
        out.append(msgspec.structs.replace(unit, attached_to=to))
    if alone:
        lead, fight = ("it leads", "It fights on its") if len(alone) == 1 else ("they lead", "They fight on their")
        doubts.append(f"The list does not say whom {lead}: {', '.join(alone)}. {fight} own.")
    return out


# --- Units ------------------------------------------------------------------------------------------------------------


class _Units:
    """Reads the units of a list."""

    def __init__(self, pack: Pack, detachments: Sequence[Detachment], doubts: list[str]) -> None:
        self.pack, self.doubts = pack, doubts
        self.sheets = _by_name((sheet.name, sheet) for sheet in pack.sheets())
        self.ids = {sheet.id: sheet for sheet in pack.sheets()}
        self.enhancements = {plain(e.name): e.name for d in detachments for e in d.enhancements}

    def read(self, raw: Json) -> ListUnit | None:
        """A unit of the list; None, and a sentence, where its datasheet is missing."""
        ref = as_dict(raw.get("ref"))
        name = called(ref)
        sheet = self._sheet(ref, name)
        if sheet is None:
            known = [one.name for one in self.pack.sheets()]
            missing = _not_found("datasheet", name, known)
            self.doubts.append(f"{missing} The unit is left out.")
            return None
        size = self._size(sheet, raw.get("model_count"))
        unit = ListUnit(sheet.id, size=size, warlord=bool(raw.get("is_warlord")), enhancement=self._enhancement(raw))
        loadouts = self._loadouts(sheet, unit, raw)
        armed = msgspec.structs.replace(unit, wargear=tuple(loadouts[:MOST_LOADOUTS]))
        if len(loadouts) > MOST_LOADOUTS:
            problem = f"its models carry {len(loadouts)} different things, of which {MOST_LOADOUTS} can be read"
        else:
            problem = loadout_problem(sheet, armed)
        if problem:
            self.doubts.append(f"{sheet.name}: {problem}; it carries what its datasheet begins with.")
        return unit if problem else armed

    def _sheet(self, ref: Json, name: str) -> Sheet | None:
        found = self.ids.get(str(ref.get("id") or "")) or self.sheets.get(plain(name))
        return found or self.ids.get(as_id(name))

    def _size(self, sheet: Sheet, told: Any) -> int | None:
        least, most = sheet.sizes
        if not isinstance(told, int) or isinstance(told, bool) or not told:
            return None
        size = min(max(told, least), most)
        if size != told:
            listed = told if told <= UNBELIEVABLE else f"more than {UNBELIEVABLE}"
            self.doubts.append(f"{sheet.name}: {listed} models are listed; {size} are taken, of {least} to {most}.")
        return size

    def _enhancement(self, raw: Json) -> str | None:
        if not raw.get("enhancement"):
            return None
        name = called(raw["enhancement"])
        found = self.enhancements.get(plain(name)) or self.enhancements.get(plain(re.sub(r"\(.*?\)", "", name)))
        if found is None:
            self.doubts.append(_not_found("enhancement", name, self.enhancements.values()) + " It is left out.")
        return found

    def _loadouts(self, sheet: Sheet, unit: ListUnit, raw: Json) -> list[Loadout]:
        items = _by_name((item, item) for item in sheet.items)
        counts = composition(sheet, unit)
        groups = dicts(raw.get("loadout_groups"))
        if groups:
            found = [self._group(sheet, group, items) for group in groups]
            named = Counter[str]()
            for one in found:
                named[one.model] += one.count
            if all(named[kind] <= counts.get(kind, 0) for kind in named):
                return found
        wargear = [(item, n) for part in dicts(raw.get("wargear")) for item, n in self._item(sheet, part, items)]
        return list(_shared_out(sheet, counts, wargear)) if wargear else []

    def _group(self, sheet: Sheet, group: Json, items: Mapping[str, str]) -> Loadout:
        kinds = _by_name((kind.name, kind) for kind in sheet.models)
        kind = kinds.get(plain(str(group.get("model_name") or ""))) or max(sheet.models, key=lambda one: one.max)
        carried = [
            i for part in dicts(group.get("wargear")) for i, n in self._item(sheet, part, items) for _ in range(n)
        ]
        count = group.get("count")
        number = count if isinstance(count, int) and 0 < count <= MOST_MODELS else 1
        if len(carried) > MOST_ITEMS:
            self.doubts.append(f"{sheet.name}: a {kind.name} carries {len(carried)} items; {MOST_ITEMS} are taken.")
        return Loadout(kind.name, tuple(carried[:MOST_ITEMS]), number)

    def _item(self, sheet: Sheet, part: Json, items: Mapping[str, str]) -> Iterator[tuple[str, int]]:
        name = called(part.get("ref"))
        found = items.get(plain(name)) or items.get(plain(str(as_dict(part.get("ref")).get("id") or "")))
        number = part.get("count")
        if found is not None:
            yield found, min(number, MOST_MODELS * 4) if isinstance(number, int) and number > 0 else 1
        elif plain(name) not in {plain(kind.name) for kind in sheet.models}:
            self.doubts.append(f"{sheet.name}: " + _not_found("item", name, sheet.items) + " It is left out.")


def _by_name(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """By plain names, and by those without the plural."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        found[plain(name)] = value
    for name, value in list(found.items()):
        found.setdefault(name.removesuffix("s"), value)
        found.setdefault(f"{name}s", value)
    return found


def _shared_out(sheet: Sheet, counts: Mapping[str, int], wargear: Sequence[tuple[str, int]]) -> Iterator[Loadout]:
    """What each model carries, where a list counts the weapons of a unit: all alike, or one after the other."""
    models = [kind for kind in sheet.models for _ in range(counts[kind.name])]
    carried: list[list[str]] = [[] for _ in models]
    next_: Counter[bool] = Counter()
    for item, number in wargear:
        weapon = sheet.weapon(item)
        ranged = weapon is not None and "Range" in weapon.profiles[0].stats
        if number >= len(models):
            for own in carried:
                own.extend([item] * (number // len(models)))
            continue
        for _ in range(number):
            carried[next_[ranged] % len(models)].append(item)
            next_[ranged] += 1
    alike: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for kind, own in zip(models, carried, strict=True):
        if own:
            alike[kind.name, tuple(own[:MOST_ITEMS])] += 1
    for (name, own_), number in alike.items():
        yield Loadout(name, own_, number)
