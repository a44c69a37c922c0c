"""Units in words: "10 boyz with 1 big shoota, led by warboss", or a unit of an army list, "orks-1000-horde: Boyz"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import msgspec

from sandtable.armies.format import Sheet
from sandtable.armies.lists import ArmyList, ListUnit, carriers, check_list, composition, name_of, read_list
from sandtable.armies.pack import Pack
from sandtable.armies.packs import find_list
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Losses
from sandtable.odds.bounds import whole_number
from sandtable.odds.gear import Equipped, equipped, names_something
from sandtable.odds.names import leaders_named, meant, sheets_named, words
from sandtable.odds.phrases import MOST, counted, losses, plain, several
from sandtable.odds.setting import Setting, load_named

NO_LIMIT: Final = 5000
MAX_TEXT: Final = 300
_LED: Final = re.compile(
    r",?\s+(?:is\s+)?(?:and\s+)?(?:(?:led|lead|joined|accompanied) by|beside|next to)\s+(?:an?\s+|the\s+)?",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"\s*(?:,|;|\+|&|\s(?:and|plus|w/)\s)\s*", re.IGNORECASE)
_IN: Final = re.compile(r"\s+(?:in|inside|among|within|leading)\s+", re.IGNORECASE)
MOST_SPLITS: Final = 4
"""Of these words that are tried, each of which takes looking for a unit; no name has more."""
_ALSO: Final = re.compile(r"\s*(?:,|;|\+|&|\band\b|\bplus\b)\s*(?=\d)", re.IGNORECASE)
_PROFILE: Final = re.compile(r"profile\s*:\s*(.*)", re.IGNORECASE)
_STATS: Final = (re.compile(r"\b[TSWA]\s?\d"), re.compile(r"\b(?:Sv|BS|WS|AP)\s?-?\d", re.IGNORECASE))
"""Words with both of these are a profile, even without the word."""
_PANEL: Final = re.compile(r"panel\s*:\s*(.*)", re.IGNORECASE)


def find_force(text: str | ArmyList | Force, setting: Setting) -> Force:
    """The unit that is meant: by words, or a list with nothing but the unit and its Leaders."""
    if isinstance(text, Force):
        return text
    if isinstance(text, ArmyList):
        army, pack = open_list(text, setting)
        return force_of(pack, army)
    wanted = " ".join(text.split())
    if not wanted or len(wanted) > MAX_TEXT:
        raise UserError(f"A unit is named in 1 to {MAX_TEXT} characters, such as '10 boyz with big shoota'.")
    wanted, lost = losses(wanted)
    found = _found(wanted, setting)
    return found if lost is None else _hurt(found, lost)


def _found(wanted: str, setting: Setting) -> Force:
    if panel := _PANEL.fullmatch(wanted):
        return _plain(setting.open_panel(), panel[1], setting)
    if profile := _PROFILE.fullmatch(wanted):
        from sandtable.odds.profiles import made_up

        return made_up(profile[1], setting)
    if name := list_in(wanted):
        return unit_of_list(name, wanted.rpartition(":")[2].strip(), setting)
    if all(pattern.search(wanted) for pattern in _STATS):
        return _found(f"profile: {wanted}", setting)
    return _plain(setting.open_pack(), wanted, setting)


def _hurt(force: Force, lost: Losses) -> Force:
    """A unit that has lost something already."""
    if not lost.what:
        lost = msgspec.structs.replace(lost, what="models" if size_of(force) > 1 else "wounds")
    return replace(force, name=f"{force.name}, {lost}", short=f"{force.short}, {lost}", losses=lost)


def size_of(force: Force) -> int:
    """How many models a unit has with its Leaders."""
    sheets = [(force.pack.sheet(unit.sheet), unit) for unit in force.army.units]
    return sum(sum(composition(sheet, unit).values()) for sheet, unit in sheets if sheet is not None)


def find_forces(texts: Sequence[str | ArmyList | Force], setting: Setting) -> list[Force]:
    """Units by their words; "2 x 5 hellblasters" and "2 land raiders" are two units each."""
    found: list[Force] = []
    for text in _one_by_one(texts, setting):
        number, one = several_of(text, setting) if isinstance(text, str) and len(text) <= MAX_TEXT else (1, text)
        whole_number("Units named at once", number, 1, MOST)
        found += [find_force(one, setting)] * number
    return found


def _one_by_one(texts: Sequence[str | ArmyList | Force], setting: Setting) -> Iterator[str | ArmyList | Force]:
    """What is named in one breath, "3 eradicators and 2 x 5 hellblasters", one after the other."""
    for text in texts:
        parts = _ALSO.split(text) if isinstance(text, str) and len(text) <= MAX_TEXT else [text]
        if len(parts) == 1 or (isinstance(text, str) and _is_unit(several_of(text, setting)[1], setting)):
            yield text
        else:
            yield from parts


def _is_unit(text: str, setting: Setting) -> bool:
    try:
        find_force(text, setting)
    except UserError:
        return False
    return True


def several_of(text: str, setting: Setting) -> tuple[int, str]:
    """How many units are named, and one of them."""
    wanted = " ".join(text.split())
    if _PANEL.fullmatch(wanted) or _PROFILE.fullmatch(wanted) or list_in(wanted):
        return 1, wanted
    number, one = several(wanted)
    size, name = counted(one)
    if number > 1 or size is None or size < 2:
        return number, one
    # Of a unit that is a single model, two are two units.
    sheets = sheets_named(setting.open_pack(), losses(_LED.split(name)[0])[0].split(" with ")[0])
    return (size, name) if len(sheets) == 1 and sheets[0].sizes[1] == 1 else (1, one)


def model_and_unit(text: str, setting: Setting) -> tuple[str, str]:
    """A model and the unit it is in: "the captain in 5 intercessors"; no model where the words name a unit alone."""
    wanted = " ".join(text.split())
    if len(wanted) > MAX_TEXT or _PANEL.fullmatch(wanted) or _PROFILE.fullmatch(wanted):
        return "", text
    for found in islice(_IN.finditer(wanted), MOST_SPLITS):
        model, unit = plain(wanted[: found.start()]), wanted[found.end() :]
        pack = setting.open_pack()
        if list_in(wanted) or not unit or len(sheets_named(pack, counted(_LED.split(wanted)[0])[1])) == 1:
            break
        for words_ in (unit, f"{unit} led by {model}"):
            try:
                force = find_force(words_, setting)
            except UserError:
                continue
            sheets = [force.pack.sheet(one.sheet) for one in force.army.units]
            there = [words(kind.name) for sheet in sheets if sheet for kind in sheet.models]
            if any(set(words(model)) <= set(name) for name in there):
                return model, words_
    return "", text


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
    army = read_list(find_list(name, setting.system)) if isinstance(name, str) else name
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
    sheets = {sheet.id for sheet in sheets_named(pack, wanted)}
    found = [unit for unit in army.units if unit.sheet in sheets]
    if len(found) == 1:
        return _with_leaders(army, pack, found[0])
    names = [name_of(pack, unit) for unit in army.units]
    raise UserError(f"{army.name} has no unit '{wanted}'.{meant(wanted, names)}")


def _sheet_name(pack: Pack, unit: ListUnit) -> str:
    sheet = pack.sheet(unit.sheet)
    return sheet.name if sheet else unit.sheet


def _with_leaders(army: ArmyList, pack: Pack, unit: ListUnit) -> Force:
    name = name_of(pack, unit)
    leaders = [other for other in army.units if other.attached_to == name]
    alone = msgspec.structs.replace(unit, attached_to=None, embarked_in=None)
    return force_of(pack, msgspec.structs.replace(army, units=(alone, *leaders)))


# --- Units of a pack --------------------------------------------------------------------------------------------------


def _plain(pack: Pack, text: str, setting: Setting) -> Force:
    number, one = several(text)
    if number != 1:
        raise UserError(f"'{text}' are {number} units, and here one is asked about: '{one}'.")
    first, *others = _LED.split(one)
    read = _read(pack, first)
    units, detachment, profiles = [read.unit], read.detachment, list(read.profiles)
    waiting = [*others, *read.leaders]
    while waiting:
        leader = _read(pack, plain(waiting.pop(0)), read.sheet)
        # "Led by a captain and a lieutenant": the second was named with the first.
        waiting = [*leader.leaders, *waiting]
        joined = name_of(pack, read.unit) if setting.matchups.joins else None
        units.append(msgspec.structs.replace(leader.unit, attached_to=joined))
        detachment = leader.detachment or detachment
        profiles += leader.profiles
    return _force(pack, read.sheet, tuple(units), setting, detachment, tuple(dict.fromkeys(profiles)))


def _force(
    pack: Pack,
    sheet: Sheet,
    units: tuple[ListUnit, ...],
    setting: Setting,
    detachment: str,
    profiles: tuple[str, ...] = (),
) -> Force:
    faction = pack.faction(pack.faction_of(sheet.id))
    assert faction is not None
    army = ArmyList(
        faction.name,
        setting.system,
        pack.header.id,
        faction.id,
        NO_LIMIT,
        units,
        detachment or faction.first_detachment,
    )
    problems = check_list(pack, army)
    if problems:
        most, size = sheet.sizes[1], units[0].size or 0
        hint = f" Several units are named as '{-(-size // most)} x {most} ...'." if most < size <= MOST * most else ""
        raise UserError(f"{problems[0]}{hint}")
    return force_of(pack, army, profiles)


def force_of(pack: Pack, army: ArmyList, profiles: tuple[str, ...] = ()) -> Force:
    """A list that holds nothing but a unit and its Leaders."""
    told, short = _told(pack, army), _short(pack, army)
    by = f" ({', '.join(profiles)})" if profiles else ""
    return Force(told + by, army, pack, short + by, profiles)


def _read(pack: Pack, text: str, led: Sheet | None = None) -> Equipped:
    """A unit in words, without those who lead it; `led` is the unit that it leads itself."""
    parts = text.split(" with ")
    # A name may itself hold "with": the longest name that exists is meant.
    for cut in range(len(parts), 0, -1):
        head = " with ".join(parts[:cut])
        size, name = counted(head)
        found = (leaders_named(pack, name, led) if led else []) or sheets_named(pack, name)
        if len(found) == 1:
            if size == 0:
                raise UserError(f"A unit of {found[0].name} has at least one model, not 0.")
            unit = ListUnit(found[0].id, size=size)
            return equipped(pack, found[0], unit, " with ".join(parts[cut:]))
        if len(found) > 1:
            raise UserError(_several_fit(pack, name, found))
    if again := _told_otherwise(pack, parts):
        return _read(pack, again, led)
    _, name = counted(parts[0])
    names = list(dict.fromkeys(n for sheet in pack.sheets() for n in (sheet.name, *(k.name for k in sheet.models))))
    raise UserError(f"There is no unit called '{name}' in these rules.{meant(name, names, 'There are')}")


def _several_fit(pack: Pack, name: str, found: Sequence[Sheet]) -> str:
    called = [sheet.name for sheet in found]
    names = [f"'{s.name}'" + (f" ({s.id})" if called.count(s.name) > 1 else "") for s in found[:6]]
    return f"'{name}' can be {', '.join(names[:-1])} or {names[-1]}."


def _told_otherwise(pack: Pack, parts: Sequence[str]) -> str:
    """The same unit with "with" where it was left out: "5 hellblasters supercharge", "10 boyz + warboss"."""
    size, name = counted(parts[0])
    number = "" if size is None else f"{size} "
    split = _JOINED.split(name, maxsplit=1)
    if len(split) == 2 and len(sheets_named(pack, split[0])) == 1:
        return f"{number}{split[0]} with {', '.join((split[1], *parts[1:]))}"
    tokens = name.split()
    for length in range(1, len(tokens)):
        for more, rest in ((tokens[-length:], tokens[:-length]), (tokens[:length], tokens[length:])):
            found = [s for s in sheets_named(pack, " ".join(rest)) if names_something(pack, s, " ".join(more))]
            if len(found) > 1:
                raise UserError(_several_fit(pack, name, found))
            if found:
                return f"{number}{found[0].name} with {', '.join((' '.join(more), *parts[1:]))}"
    return ""


# --- In words ---------------------------------------------------------------------------------------------------------


def _told(pack: Pack, army: ArmyList) -> str:
    """A unit and its Leaders in words that `find_force` would understand."""
    first, *leaders = [_one_told(pack, unit) for unit in army.units]
    joins = any(unit.attached_to for unit in army.units)
    return (", led by " if joins else ", beside ").join((first, *leaders))


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
        for item in _chosen(sheet, Counter(loadout.carry) - plain.get(loadout.model, Counter())):
            extra[item] += loadout.count
    told = f"{size} {_plural(sheet, unit)}" if size > 1 else name_of(pack, unit)
    gear = [f"{n} {item}" if size > 1 else item for item, n in extra.items()]
    gear += [unit.enhancement] if unit.enhancement else []
    return f"{told} with {', '.join(gear)}" if gear else told


def _chosen(sheet: Sheet, more: Counter[str]) -> Counter[str]:
    """What models took by options; of a choice that brings several things the first tells it."""
    left = Counter(more)
    for choice in (choice for option in sheet.options for choice in option.by if len(choice.items) > 1):
        if not Counter(choice.items) - left:
            left -= Counter(choice.items[1:])
    return left


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
            changed = equipped(pack, sheet, unit, item).unit
        except UserError:
            # Some options only change what another option gave.
            continue
        army = msgspec.structs.replace(force.army, units=(changed, *force.army.units[1:]))
        if not check_list(pack, army):
            number = sum(load.count for load in changed.wargear if item in load.carry)
            size = sum(composition(sheet, changed).values())
            label = item if size == 1 else f"{number} {item}"
            out.append((label, force_of(pack, army, force.profiles)))
    return out


def _carried_now(sheet: Sheet, unit: ListUnit) -> Iterator[str]:
    for group in carriers(sheet, unit):
        yield from group.items


def without_leaders(force: Force) -> Force:
    """The unit alone."""
    army = msgspec.structs.replace(force.army, units=force.army.units[:1])
    return force_of(force.pack, army, force.profiles)
