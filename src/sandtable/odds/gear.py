"""Wargear in words: what stands behind "with" when players name a unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from sandtable.armies.format import Option, Sheet
from sandtable.armies.lists import ListUnit, Loadout, carriers, composition
from sandtable.armies.pack import Pack
from sandtable.armies.wargear import limit_of
from sandtable.errors import UserError
from sandtable.odds.names import leaders_named, meant, profile_named, words
from sandtable.odds.phrases import counted

_AND: Final = re.compile(r"\s*(?:,|;|\+|&|\band\b)\s*")
_ARTICLE: Final = re.compile(r"^(?:an?|the|his|her|its|their)\s+", re.IGNORECASE)


class Equipped(msgspec.Struct, frozen=True):
    """A unit with all that was named behind "with"."""

    sheet: Sheet
    unit: ListUnit
    detachment: str = ""
    """The one that its enhancement belongs to."""
    profiles: tuple[str, ...] = ()
    """Profiles that its weapons use."""
    leaders: tuple[str, ...] = ()
    """Units that lead it, in words."""


def equipped(pack: Pack, sheet: Sheet, unit: ListUnit, text: str) -> Equipped:
    """The unit with the wargear, the enhancement, the profiles and the Leaders that the words after "with" name."""
    carried = [(g.kind.name, list(g.items)) for g in carriers(sheet, unit) for _ in range(g.number)]
    size = sum(composition(sheet, unit).values())
    detachment, changed = "", False
    profiles, leaders = list[str](), list[str]()
    for part in filter(None, _parts(sheet, text)):
        count, name = counted(part)
        name = name if item_named(sheet, name) else _ARTICLE.sub("", name, count=1)
        gift = _enhancement(pack, sheet, name)
        if gift is not None:
            unit, detachment = msgspec.structs.replace(unit, enhancement=gift[0]), gift[1]
        elif not item_named(sheet, name) and (profile := profile_named(sheet, name)):
            profiles.append(profile)
        elif not item_named(sheet, name) and _leads(pack, sheet, name):
            leaders.append(name)
        else:
            item, profile = _with_profile(sheet, name)
            profiles += [profile] if profile else []
            _give(sheet, carried, size, count, item)
            changed = True
    if changed:
        unit = msgspec.structs.replace(unit, wargear=_loadouts(sheet, carried))
    return Equipped(sheet, unit, detachment, tuple(profiles), tuple(leaders))


def _with_profile(sheet: Sheet, name: str) -> tuple[str, str]:
    """An item, and the profile that is named behind it: "plasma pistol supercharge"."""
    tokens = name.split()
    for cut in range(len(tokens) - 1, 0, -1):
        head, tail = " ".join(tokens[:cut]), " ".join(tokens[cut:])
        if not item_named(sheet, name) and item_named(sheet, head) and (profile := profile_named(sheet, tail)):
            return head, profile
    return name, ""


def names_something(pack: Pack, sheet: Sheet, text: str) -> bool:
    """Whether words could stand behind "with" for a unit: an item, a profile, or a Leader."""
    return bool(item_named(sheet, text) or profile_named(sheet, text)) or _leads(pack, sheet, text)


def item_named(sheet: Sheet, text: str) -> str:
    """The item that is meant: by its name, or by words of it that no other item has; empty where there is none."""
    wanted, there = words(text), list(dict.fromkeys(items_of(sheet)))
    exact = [item for item in there if words(item) == wanted]
    close = [item for item in there if wanted and set(wanted) <= set(words(item))]
    return exact[0] if exact else close[0] if len(close) == 1 else ""


def _leads(pack: Pack, sheet: Sheet, text: str) -> bool:
    """Whether words name a unit that can lead another."""
    return len(leaders_named(pack, text, sheet)) == 1


def _parts(sheet: Sheet, text: str) -> list[str]:
    """What is listed; an item whose own name holds an "and" stays whole."""
    whole = words(counted(text)[1])
    return [text.strip()] if any(words(item) == whole for item in items_of(sheet)) else _AND.split(text.strip())


def items_of(sheet: Sheet) -> Iterator[str]:
    """Everything that models of a unit carry, or can."""
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
    item = item_named(sheet, name)
    if not item:
        raise UserError(f"{sheet.name} has no '{name}'.{meant(name, list(dict.fromkeys(items_of(sheet))))}")
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
