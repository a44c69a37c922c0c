"""Units in words: "10 boyz with 1 big shoota, led by warboss", or a unit of an army list, "orks-1000-horde: Boyz"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

import msgspec

from sandtable.armies.format import Option, Sheet
from sandtable.armies.lists import ArmyList, ListUnit, Loadout, carriers, check_list, composition, name_of, read_list
from sandtable.armies.packs import Pack, find_list
from sandtable.armies.wargear import limit_of
from sandtable.battle.matchups import Force
from sandtable.errors import UserError
from sandtable.odds.setting import Setting, load_named

NO_LIMIT: Final = 5000
MAX_TEXT: Final = 300
_COUNT: Final = re.compile(r"(\d+)\s*(?:x\s+|x?\s+)(.+)", re.IGNORECASE)
_AND: Final = re.compile(r"\s*(?:,|;|\+|&|\band\b)\s*")
_LED: Final = re.compile(r",?\s+led by\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
_PROFILE: Final = re.compile(r"profile\s*:\s*(.*)", re.IGNORECASE)
_PANEL: Final = re.compile(r"panel\s*:\s*(.*)", re.IGNORECASE)


def find_force(text: str | ArmyList | Force, setting: Setting) -> Force:
    """The unit that is meant: by words, or a list with nothing but the unit and its Leaders."""
    if isinstance(text, Force):
        return text
    if isinstance(text, ArmyList):
        army, pack = open_list(text, setting)
        return Force(_told(pack, army), army, pack, _short(pack, army))
    wanted = " ".join(text.split())
    if not wanted or len(wanted) > MAX_TEXT:
        raise UserError(f"A unit is named in 1 to {MAX_TEXT} characters, such as '10 boyz with big shoota'.")
    if panel := _PANEL.fullmatch(wanted):
        return _plain(setting.open_panel(), panel[1], setting)
    if profile := _PROFILE.fullmatch(wanted):
        from sandtable.odds.profiles import made_up

        return made_up(profile[1], setting)
    if name := list_in(wanted):
        return unit_of_list(name, wanted.rpartition(":")[2].strip(), setting)
    return _plain(setting.open_pack(), wanted, setting)


def list_in(text: str) -> str:
    """The army list that words such as "LIST: UNIT" name; empty where they name none."""
    left, _, right = text.rpartition(":")
    made_up = _PANEL.fullmatch(text.strip()) or _PROFILE.fullmatch(text.strip())
    return left.strip() if right.strip() and not made_up else ""


def panel_forces(setting: Setting) -> tuple[Force, ...]:
    """The typical targets of the system."""
    pack = setting.open_panel()
    return tuple(_force(pack, sheet, (ListUnit(sheet.id),), setting, "") for sheet in pack.sheets())


# --- Units of army lists ----------------------------------------------------------------------------------------------


def open_list(name: str | ArmyList, setting: Setting) -> tuple[ArmyList, Pack]:
    """An army list itself, by file or by its name in a pack, and the pack that it is written for."""
    army = read_list(find_list(name)) if isinstance(name, str) else name
    if army.system != setting.system:
        raise UserError(f"The list {army.name} is for {army.system}, not for {setting.system}.")
    pack = setting.open_pack()
    if pack.header.id != army.pack:
        pack = load_named(army.pack)
    problems = check_list(pack, army)
    if problems:
        raise UserError(f"{name if isinstance(name, str) else army.name}: {problems[0]}")
    return army, pack


def forces_of_list(name: str | ArmyList, setting: Setting) -> tuple[Force, ...]:
    """The units of an army list, each with its Leaders."""
    army, pack = open_list(name, setting)
    return tuple(_with_leaders(army, pack, unit) for unit in army.units if unit.attached_to is None)


def unit_of_list(name: str, wanted: str, setting: Setting) -> Force:
    """A unit of an army list, with its Leaders."""
    army, pack = open_list(name, setting)
    for asked in (name_of, _sheet_name):
        found = [unit for unit in army.units if words(asked(pack, unit)) == words(wanted)]
        if len(found) == 1:
            return _with_leaders(army, pack, found[0])
    names = [name_of(pack, unit) for unit in army.units]
    raise UserError(f"{army.name} has no unit '{wanted}'.{_meant(wanted, names)}")


def _sheet_name(pack: Pack, unit: ListUnit) -> str:
    sheet = pack.sheet(unit.sheet)
    return sheet.name if sheet else unit.sheet


def _with_leaders(army: ArmyList, pack: Pack, unit: ListUnit) -> Force:
    name = name_of(pack, unit)
    leaders = [other for other in army.units if other.attached_to == name]
    alone = msgspec.structs.replace(unit, attached_to=None, embarked_in=None)
    force = msgspec.structs.replace(army, units=(alone, *leaders))
    return Force(_told(pack, force), force, pack, _short(pack, force))


# --- Units of a pack --------------------------------------------------------------------------------------------------


def _plain(pack: Pack, text: str, setting: Setting) -> Force:
    first, *others = _LED.split(text)
    sheet, unit, enhancement = _read(pack, first)
    units, detachment = [unit], enhancement
    for other in (part for leader in others for part in re.split(r"\s+and\s+led by\s+", leader)):
        _, leader, gift = _read(pack, other)
        units.append(msgspec.structs.replace(leader, attached_to=name_of(pack, unit)))
        detachment = gift or detachment
    return _force(pack, sheet, tuple(units), setting, detachment)


def _force(pack: Pack, sheet: Sheet, units: tuple[ListUnit, ...], setting: Setting, detachment: str) -> Force:
    faction = pack.faction(pack.faction_of(sheet.id))
    assert faction is not None
    army = ArmyList(
        faction.name,
        setting.system,
        pack.header.id,
        faction.id,
        detachment or faction.detachments[0].id,
        NO_LIMIT,
        units,
    )
    problems = check_list(pack, army)
    if problems:
        raise UserError(problems[0])
    return Force(_told(pack, army), army, pack, _short(pack, army))


def _read(pack: Pack, text: str) -> tuple[Sheet, ListUnit, str]:
    """A unit in words, without its Leaders; and the detachment that its enhancement belongs to."""
    parts = text.split(" with ")
    # A name may itself hold "with": the longest name that exists is meant.
    for cut in range(len(parts), 0, -1):
        head = " with ".join(parts[:cut])
        size, name = _counted(head)
        found = _sheets_named(pack, name)
        if len(found) == 1:
            if size == 0:
                raise UserError(f"A unit of {found[0].name} has at least one model, not 0.")
            unit = ListUnit(found[0].id, size=size)
            return _equipped(pack, found[0], unit, " with ".join(parts[cut:]))
        if len(found) > 1:
            names = [f"'{sheet.name}'" for sheet in found[:6]]
            raise UserError(f"'{name}' can be {', '.join(names[:-1])} or {names[-1]}.")
    _, name = _counted(parts[0])
    names = list(dict.fromkeys(n for sheet in pack.sheets() for n in (sheet.name, *(k.name for k in sheet.models))))
    raise UserError(f"The pack {pack.header.id} has no unit '{name}'.{_meant(name, names)}")


def _counted(text: str) -> tuple[int | None, str]:
    found = _COUNT.fullmatch(text.strip())
    return (int(found[1]), found[2].strip()) if found else (None, text.strip())


def words(text: str) -> tuple[str, ...]:
    """The words of a name, without case, plural and punctuation."""
    plain = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    return tuple(_singular(word) for word in plain)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("xes"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word[-1] in "sz" and word[-2] != "s" else word


def _sheets_named(pack: Pack, text: str) -> list[Sheet]:
    """The datasheets that a name fits best: as a whole, or else with the fewest words left over."""
    wanted = words(text)
    if not wanted:
        return []
    best: dict[str, tuple[int, Sheet]] = {}
    for sheet in pack.sheets():
        for place, name in enumerate((sheet.name, sheet.id, *(kind.name for kind in sheet.models))):
            there = words(name)
            if set(wanted) <= set(there):
                # The name of a unit counts more than that of a model in it.
                spare = 0 if there == wanted and place < 2 else 1 + 2 * (len(there) - len(wanted)) + (place >= 2)
                if sheet.id not in best or spare < best[sheet.id][0]:
                    best[sheet.id] = (spare, sheet)
    least = min((spare for spare, _ in best.values()), default=0)
    return [sheet for spare, sheet in best.values() if spare == least]


def _meant(wanted: str, names: Sequence[str]) -> str:
    folded = {name.lower(): name for name in names}
    close = get_close_matches(wanted.lower(), list(folded), n=3, cutoff=0.55)
    if close:
        return f" Did you mean {' or '.join(repr(folded[name]) for name in close)}?"
    return f" It has: {', '.join(names[:12])}{', ...' if len(names) > 12 else '.'}"


# --- Wargear ----------------------------------------------------------------------------------------------------------


def _equipped(pack: Pack, sheet: Sheet, unit: ListUnit, text: str) -> tuple[Sheet, ListUnit, str]:
    """The unit with the wargear and the enhancement that the words after "with" name."""
    carried = [(g.kind.name, list(g.items)) for g in carriers(sheet, unit) for _ in range(g.number)]
    size = sum(composition(sheet, unit).values())
    detachment, changed = "", False
    for part in filter(None, _parts(sheet, text)):
        count, name = _counted(part)
        gift = _enhancement(pack, sheet, name)
        if gift is not None:
            unit, detachment = msgspec.structs.replace(unit, enhancement=gift[0]), gift[1]
            continue
        _give(sheet, carried, size, count, name)
        changed = True
    if changed:
        unit = msgspec.structs.replace(unit, wargear=_loadouts(sheet, carried))
    return sheet, unit, detachment


def _parts(sheet: Sheet, text: str) -> list[str]:
    """What is listed; an item whose own name holds an "and" stays whole."""
    whole = {words(item) for item in _items(sheet)}
    return [text.strip()] if words(_counted(text)[1]) in whole else _AND.split(text.strip())


def _items(sheet: Sheet) -> Iterator[str]:
    for kind in sheet.models:
        yield from kind.equipment
    for option in sheet.options:
        for choice in option.by:
            yield from choice.items


def _enhancement(pack: Pack, sheet: Sheet, name: str) -> tuple[str, str] | None:
    faction = pack.faction(pack.faction_of(sheet.id))
    for detachment in faction.detachments if faction else ():
        for enhancement in detachment.enhancements:
            if words(enhancement.name) == words(name):
                return enhancement.name, detachment.id
    return None


def _give(sheet: Sheet, carried: list[tuple[str, list[str]]], size: int, count: int | None, name: str) -> None:
    """Let models take an option that gives an item: as many as are asked for, or as many as may."""
    item = next((i for i in _items(sheet) if words(i) == words(name)), None)
    if item is None:
        raise UserError(f"{sheet.name} has no '{name}'.{_meant(name, list(dict.fromkeys(_items(sheet))))}")
    given = 0
    for option in sheet.options:
        for choice in option.by:
            if item not in choice.items:
                continue
            most = limit_of(option, size)
            for i, (kind, items) in enumerate(carried):
                enough = given >= (count if count is not None else size) or (most is not None and given >= most)
                if enough or not _may_take(option, kind, items):
                    continue
                left = Counter(items) - Counter(option.replace)
                carried[i] = (kind, [*left.elements(), *choice.items])
                given += 1
    had = sum(item in items for _, items in carried)
    if had < (count or 1):
        few = f"at most {given} of its models" if given else "none of its models by a single option"
        raise UserError(f"{sheet.name}: {few} may have {item}, not {count or 1}.")


def _may_take(option: Option, kind: str, items: Sequence[str]) -> bool:
    here = Counter(items)
    return (not option.who or kind in option.who) and all(
        here[item] >= n for item, n in Counter(option.replace).items()
    )


def _loadouts(sheet: Sheet, carried: Sequence[tuple[str, list[str]]]) -> tuple[Loadout, ...]:
    groups = Counter((kind, tuple(items)) for kind, items in carried)
    plain = {kind.name: kind.equipment for kind in sheet.models}
    return tuple(Loadout(kind, items, count) for (kind, items), count in groups.items() if items != plain[kind])


# --- In words ---------------------------------------------------------------------------------------------------------


def _told(pack: Pack, army: ArmyList) -> str:
    """A unit and its Leaders in words that `find_force` would understand."""
    first, *leaders = [_one_told(pack, unit) for unit in army.units]
    return ", led by ".join((first, *leaders))


def _short(pack: Pack, army: ArmyList) -> str:
    plain = [msgspec.structs.replace(unit, wargear=(), enhancement=None) for unit in army.units]
    return " + ".join(_one_told(pack, unit) for unit in plain)


def _plural(sheet: Sheet, unit: ListUnit) -> str:
    """Several of a unit: "Terminators" for a Terminator Squad."""
    if unit.name is not None or not sheet.name.endswith(" Squad"):
        return unit.name or sheet.name
    return f"{max(sheet.models, key=lambda kind: kind.max).name}s"


def _one_told(pack: Pack, unit: ListUnit) -> str:
    sheet = pack.sheet(unit.sheet)
    assert sheet is not None
    counts = composition(sheet, unit)
    size = sum(counts.values())
    plain = {kind.name: Counter(kind.equipment) for kind in sheet.models}
    extra: Counter[str] = Counter()
    for loadout in unit.wargear:
        for item in Counter(loadout.carry) - plain.get(loadout.model, Counter()):
            extra[item] += loadout.count
    told = f"{size} {_plural(sheet, unit)}" if size > 1 else name_of(pack, unit)
    gear = [f"{n} {item}" if size > 1 else item for item, n in extra.items()]
    gear += [unit.enhancement] if unit.enhancement else []
    return f"{told} with {', '.join(gear)}" if gear else told


# --- Variants ---------------------------------------------------------------------------------------------------------


def variants(force: Force) -> list[tuple[str, Force]]:
    """The unit as it is, and with each weapon that its options give to as many models as may have it."""
    pack, unit = force.pack, force.army.units[0]
    sheet = pack.sheet(unit.sheet)
    assert sheet is not None
    out = [("as it is", force)]
    plain = set(_carried_now(sheet, unit))
    for item in dict.fromkeys(item for option in sheet.options for choice in option.by for item in choice.items):
        if sheet.weapon(item) is None or item in plain:
            continue
        try:
            _, changed, _ = _equipped(pack, sheet, unit, item)
        except UserError:
            # Some options only change what another option gave.
            continue
        army = msgspec.structs.replace(force.army, units=(changed, *force.army.units[1:]))
        if not check_list(pack, army):
            number = sum(load.count for load in changed.wargear if item in load.carry)
            size = sum(composition(sheet, changed).values())
            label = item if size == 1 else f"{number} {item}"
            out.append((label, Force(_told(pack, army), army, pack, _short(pack, army))))
    return out


def _carried_now(sheet: Sheet, unit: ListUnit) -> Iterator[str]:
    for group in carriers(sheet, unit):
        yield from group.items


def without_leaders(force: Force) -> Force:
    """The unit alone."""
    army = msgspec.structs.replace(force.army, units=force.army.units[:1])
    return Force(_told(force.pack, army), army, force.pack, _short(force.pack, army))
