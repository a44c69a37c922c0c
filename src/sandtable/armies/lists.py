"""Army lists: which units, how many models, what they carry; and whether the datasheets allow it.

What a system's own muster rules ask (copies, epic heroes, a character) is checked by the system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from sandtable.armies.characteristics import printed
from sandtable.armies.effects import Allow
from sandtable.armies.format import (
    Count,
    Detachment,
    Granted,
    Id,
    Items,
    ModelKind,
    Name,
    Points,
    Sheet,
    Struct,
    Transport,
)
from sandtable.armies.pack import Pack
from sandtable.armies.packs import find_packs
from sandtable.armies.wargear import Carriers, settle
from sandtable.documents import read_document

MAX_UNITS: Final = 100
EVEN: Final = 1.25
"""How many times as much the larger of two armies may come to before players are told."""
SUPPORT: Final = "support"
"""A core ability of those who join a unit beside its Leader"""


class Loadout(Struct, frozen=True):
    """What some models of a unit carry, all of it; models that no loadout names carry what their datasheet says."""

    model: Name
    carry: Items
    count: Annotated[int, msgspec.Meta(ge=1, le=60)] = 1


class ListUnit(Struct, frozen=True):
    sheet: Id
    name: Name | None = None
    """Where the list needs to tell it from others; the datasheet's name otherwise."""
    size: Annotated[int, msgspec.Meta(ge=1, le=60)] | None = None
    """Models; as few as possible unless given."""
    models: dict[str, Count] = msgspec.field(default_factory=dict)
    """How many of which kind, where the size alone does not tell."""
    wargear: Annotated[tuple[Loadout, ...], msgspec.Meta(max_length=12)] = ()
    enhancement: Name | None = None
    attached_to: Name | None = None
    embarked_in: Name | None = None
    warlord: bool = False
    reserves: bool = False


class ArmyList(Struct, frozen=True):
    name: Name
    system: str
    pack: Id
    faction: Id
    limit: Points
    """Points, or Power where the system counts in that."""
    units: Annotated[tuple[ListUnit, ...], msgspec.Meta(min_length=1, max_length=MAX_UNITS)]
    detachment: Annotated[str, msgspec.Meta(pattern=r"^([a-z0-9]+(-[a-z0-9]+)*)?$", max_length=60)] = ""
    """In systems that have them."""
    more_detachments: Annotated[tuple[Id, ...], msgspec.Meta(max_length=4)] = ()
    """Where an army may have several."""
    note: Annotated[str, msgspec.Meta(max_length=400)] | None = None


def read_list(path: Path) -> ArmyList:
    """An army list from a file."""
    return read_document(path, ArmyList)


def ready_lists(system: str, limit: int | None = None) -> list[tuple[str, str]]:
    """The lists of a size that packs bring for a system: the name of each, and its faction.

    If no size is said it is the middle one, and of two the smaller.
    """
    armies = _ready(system)
    sizes = sorted({army.limit for _, army in armies})
    wanted = limit or (sizes[(len(sizes) - 1) // 2] if sizes else 0)
    return [(name, army.faction) for name, army in armies if army.limit == wanted]


def _ready(system: str) -> list[tuple[str, ArmyList]]:
    paths = [path for folder in find_packs().values() for path in sorted(folder.glob("lists/*.yaml"))]
    return [(path.stem, army) for path, army in ((path, read_list(path)) for path in paths) if army.system == system]


def draw_lists(system: str, seed: int, near: int | None = None) -> tuple[str, str]:
    """Two ready lists of different factions, the same for the same seed; empty names where no pack has any.

    Where it is said what an army comes to that one of them meets, they are of the size that is nearest to it.
    """
    sizes = {army.limit for _, army in _ready(system)} if near else ()
    known = ready_lists(system, min(sizes, key=lambda size: (_ratio(size, near or 0), size), default=None))
    if not known:
        return "", ""
    turn, place = divmod(seed, len(known))
    red, faction = known[place]
    others = [name for name, other in known if other != faction] or [red]
    return red, others[turn % len(others)]


def of_one_size(armies: Sequence[ArmyList]) -> list[ArmyList]:
    """Armies for a battle of the larger size of theirs; an army may be smaller than its battle allows."""
    limit = max(army.limit for army in armies)
    return [msgspec.structs.replace(army, limit=limit) if army.limit else army for army in armies]


def uneven(costs: Mapping[str, int], measure: str) -> str:
    """A sentence where what the armies of players come to differs much; empty where it does not."""
    small, large = min(costs.values()), max(costs.values())
    if _ratio(small, large) <= EVEN:
        return ""
    (first, cost), *others = costs.items()
    rest = ", ".join(f"{name} {other}" for name, other in others)
    return f"The armies are not of the same size: {first} has {cost} {measure}, {rest}."


def _ratio(one: int, other: int) -> float:
    return max(one, other) / max(min(one, other), 1)


def name_of(pack: Pack, unit: ListUnit) -> str:
    sheet = pack.sheet(unit.sheet)
    return unit.name or (sheet.name if sheet else unit.sheet)


# --- Composition and points -------------------------------------------------------------------------------------------


def composition(sheet: Sheet, unit: ListUnit) -> dict[str, int]:
    """How many models of each kind the unit has, as far as the list tells."""
    if unit.models:
        return {kind.name: unit.models.get(kind.name, 0) for kind in sheet.models}
    size = unit.size or min(price.models for price in sheet.points)
    exact = next((price.of for price in sheet.points if price.of and price.models == size), None)
    if exact:
        return {kind.name: exact.get(kind.name, 0) for kind in sheet.models}
    counts = {kind.name: kind.min for kind in sheet.models}
    for kind in sheet.models:
        more = min(kind.max - kind.min, size - sum(counts.values()))
        counts[kind.name] += max(0, more)
    # A unit that is too small lacks models of its most common kind first.
    for kind in sorted(sheet.models, key=lambda kind: -counts[kind.name]):
        counts[kind.name] -= min(counts[kind.name], max(0, sum(counts.values()) - size))
    return counts


def excuse_small_units(pack: Pack, army: ArmyList) -> ArmyList:
    """The list with one unit of each datasheet that has too few models as the smallest that it allows."""
    excused: set[str] = set()
    units = []
    for unit in army.units:
        if _is_too_small(pack, unit) and unit.sheet not in excused:
            excused.add(unit.sheet)
            units.append(msgspec.structs.replace(unit, size=None, models={}))
        else:
            units.append(unit)
    return msgspec.structs.replace(army, units=tuple(units))


def _is_too_small(pack: Pack, unit: ListUnit) -> bool:
    """Whether a unit has fewer models than its datasheet asks for, and nothing else amiss with them."""
    sheet = pack.sheet(unit.sheet)
    if sheet is None or any(sheet.kind(name) is None for name in unit.models):
        return False
    counts = composition(sheet, unit)
    armed = Counter(loadout.model for loadout in unit.wargear for _ in range(loadout.count))
    return sum(counts.values()) < sheet.sizes[0] and all(armed[name] <= n for name, n in counts.items())


def carriers(sheet: Sheet, unit: ListUnit) -> list[Carriers]:
    """The models of a unit in groups that carry the same."""
    counts = composition(sheet, unit)
    groups = []
    for kind in sheet.models:
        left = counts[kind.name]
        for loadout in unit.wargear:
            if loadout.model == kind.name:
                groups.append(Carriers(kind, loadout.count, loadout.carry))
                left -= loadout.count
        if left > 0:
            groups.append(Carriers(kind, left, kind.equipment))
    return groups


def unit_points(pack: Pack, army: ArmyList, unit: ListUnit) -> int:
    """What a unit costs with wargear and enhancement; 0 for one that is unknown."""
    sheet = pack.sheet(unit.sheet)
    if sheet is None:
        return 0
    size = sum(composition(sheet, unit).values())
    price = _price(sheet, size, _copy(army, unit))
    groups = carriers(sheet, unit)
    wargear = 0 if sheet.loose else settle(sheet, groups, size)[0]
    wargear += sum(sheet.prices.get(item, 0) * group.number for group in groups for item in group.items)
    detachment = detachment_of(pack, army)
    extra = [e.points for e in (detachment.enhancements if detachment else ()) if e.name == unit.enhancement]
    return price + wargear + sum(extra)


def _price(sheet: Sheet, size: int, copy: int) -> int:
    """What so many models cost, in the so-manieth unit of their datasheet."""
    reached = max((price.copy for price in sheet.points if price.copy <= copy), default=1)
    return next((price.points for price in sheet.points if price.copy == reached and size <= price.models), 0)


def _copy(army: ArmyList, unit: ListUnit) -> int:
    """Which of the army's units of its datasheet a unit is, counted from 1."""
    copies = [other for other in army.units if other.sheet == unit.sheet]
    return next((number for number, other in enumerate(copies, 1) if other is unit), len(copies) or 1)


def sheet_in(pack: Pack, army: ArmyList, unit: ListUnit) -> Sheet | None:
    """The datasheet of a unit, with the keywords that the army's detachment gives it."""
    sheet, detachment = pack.sheet(unit.sheet), detachment_of(pack, army)
    grants = detachment.grants if detachment is not None and sheet is not None else ()
    for grant in grants:
        assert sheet is not None
        if _is_given(pack, army, unit, grant) and grant.keyword not in sheet.keywords:
            sheet = msgspec.structs.replace(sheet, keywords=(*sheet.keywords, grant.keyword))
    return sheet


def _is_given(pack: Pack, army: ArmyList, unit: ListUnit, grant: Granted) -> bool:
    sheet = pack.sheet(unit.sheet)
    if sheet is None or not any(word in (*sheet.keywords, *sheet.faction_keywords) for word in grant.to):
        return False
    if not grant.most:
        return True
    able = [u for u in army.units if _is_given(pack, army, u, msgspec.structs.replace(grant, most=0))]
    chosen = [u for u in able if u.warlord or u.enhancement]
    return any(u is unit for u in chosen[: grant.most])


def detachment_of(pack: Pack, army: ArmyList) -> Detachment | None:
    """The detachment of an army; of several, one that has the rules of all."""
    found = [pack.detachment(army.faction, id_) for id_ in (army.detachment, *army.more_detachments)]
    known = [detachment for detachment in found if detachment is not None]
    if len(known) < 2:
        return found[0]
    return Detachment(
        known[0].id,
        known[0].name,
        tuple(rule for one in known for rule in one.rules),
        tuple(enhancement for one in known for enhancement in one.enhancements),
        tuple(stratagem for one in known for stratagem in one.stratagems),
        tuple(word for one in known for word in one.forbids),
        tuple(word for one in known for word in one.needs),
        tuple(grant for one in known for grant in one.grants),
    )


def list_points(pack: Pack, army: ArmyList) -> int:
    """What the army costs."""
    return sum(unit_points(pack, army, unit) for unit in army.units)


def unit_power(pack: Pack, unit: ListUnit) -> int:
    """The Power Rating of a unit as it is fielded, whatever it carries; 0 for one that is unknown."""
    sheet = pack.sheet(unit.sheet)
    if sheet is None:
        return 0
    size = sum(composition(sheet, unit).values())
    return next((price.power for price in sheet.points if size <= price.models), 0)


def list_power(pack: Pack, army: ArmyList) -> int:
    """The Power Level of the army: the ratings of its units, added up."""
    return sum(unit_power(pack, unit) for unit in army.units)


def unit_cost(pack: Pack, army: ArmyList, unit: ListUnit) -> int:
    """What a unit counts for in its system: points, or its Power Rating."""
    return unit_power(pack, unit) if printed(pack.header.system).power else unit_points(pack, army, unit)


def list_cost(pack: Pack, army: ArmyList) -> int:
    """What the army counts for in its system: points, or its Power Level."""
    return list_power(pack, army) if printed(pack.header.system).power else list_points(pack, army)


# --- Checks -----------------------------------------------------------------------------------------------------------

Topic: TypeAlias = Literal[
    "system", "faction", "detachment", "datasheet", "composition", "wargear", "enhancement", "repeated", "lead",
    "transport", "warlord", "points",
]  # fmt: skip


class Problem(str):
    """What is wrong with a list, as a sentence, and what it is about."""

    topic: Topic

    def __new__(cls, topic: Topic, text: str) -> Problem:
        made = super().__new__(cls, text)
        made.topic = topic
        return made


def check_list(pack: Pack, army: ArmyList) -> list[Problem]:
    """What the datasheets do not allow, a sentence each; empty for a list that is in order."""
    if army.system != pack.header.system:
        told = f"The list is for {army.system}, the pack {pack.header.id} for {pack.header.system}."
        return [Problem("system", told)]
    faction = pack.faction(army.faction)
    if faction is None:
        known = ", ".join(f.id for f in pack.factions)
        told = f"The pack {pack.header.id} has no faction '{army.faction}'; it has {known}."
        return [Problem("faction", told)]
    problems = []
    if (faction.detachments or army.detachment) and pack.detachment(army.faction, army.detachment) is None:
        known = ", ".join(d.id for d in faction.detachments)
        told = f"{faction.name} have no detachment '{army.detachment}'; they have {known or 'none'}."
        problems.append(Problem("detachment", told))
    names = Counter(name_of(pack, unit) for unit in army.units)
    for unit in army.units:
        found = _unit_problems(pack, army, unit, names)
        problems += [Problem(p.topic, f"{name_of(pack, unit)}: {p}.") for p in found]
    problems += _leader_problems(pack, army)
    problems += [Problem("repeated", f"Two enhancements '{name}'; each can be given once.") for name in _repeated(army)]
    if sum(unit.warlord for unit in army.units) > 1:
        problems.append(Problem("warlord", "An army has one Warlord, not several."))
    cost = list_cost(pack, army)
    if cost > army.limit:
        told = f"The army has {cost} Power" if printed(army.system).power else f"The army costs {cost} points"
        problems.append(Problem("points", f"{told}; the limit is {army.limit}."))
    return problems


def _leader_problems(pack: Pack, army: ArmyList) -> Iterator[Problem]:
    """Units with several Leaders, none of which may stand beside the others, or with several in Support."""
    led: dict[str, list[Sheet]] = {}
    guards = {name_of(pack, unit): pack.sheet(unit.sheet) for unit in army.units}
    for unit in army.units:
        sheet = pack.sheet(unit.sheet)
        if unit.attached_to is not None and sheet is not None:
            led.setdefault(unit.attached_to, []).append(sheet)
    for name, leaders in led.items():
        guard = guards.get(name)
        effects = [e for a in (guard.abilities if guard else ()) for e in a.effects]
        most = 2 if any(isinstance(e, Allow) and e.what == "second_leader" for e in effects) else 1
        supports = [s for s in leaders if SUPPORT in s.core]
        first = [s for s in leaders if s not in supports]
        alone = [s for s in first if not any(o.id in s.leads_beside for o in first if o is not s)]
        if len(alone) > most or len(first) > 2 or len(supports) > 1:
            yield Problem(
                "lead", f"{name}: its Leaders {' and '.join(s.name for s in leaders)} cannot lead it together."
            )


def _repeated(army: ArmyList) -> list[str]:
    taken = Counter(unit.enhancement for unit in army.units if unit.enhancement)
    return [name for name, count in taken.items() if count > 1]


def _unit_problems(pack: Pack, army: ArmyList, unit: ListUnit, names: Counter[str]) -> Iterator[Problem]:
    sheet = pack.sheet(unit.sheet)
    if sheet is None:
        yield Problem("datasheet", f"the pack {pack.header.id} has no datasheet '{unit.sheet}'")
        return
    faction = pack.faction(army.faction)
    if faction is not None and faction.keyword not in sheet.faction_keywords:
        yield Problem("faction", f"it does not have the faction keyword {faction.keyword}")
    yield from _enhancement_problems(pack, army, unit, sheet)
    yield from _bond_problems(pack, army, unit, sheet, names)
    sized = list(_size_problems(sheet, unit))
    yield from sized
    if not sized:
        yield from _wargear_problems(sheet, unit)


def _size_problems(sheet: Sheet, unit: ListUnit) -> Iterator[Problem]:
    for name in unit.models:
        if sheet.kind(name) is None:
            yield Problem("composition", f"it has no models '{name}'; it has {', '.join(k.name for k in sheet.models)}")
            return
    least, most = sheet.sizes
    counts = composition(sheet, unit)
    size = sum(counts.values())
    if unit.size is not None and unit.size != size and (unit.models or least <= unit.size <= most):
        yield Problem("composition", f"its size is {unit.size}, but its models are {size}")
        return
    wanted = unit.size or size
    if not least <= wanted <= most:
        told = (
            f"it has {least} to {most} models, not {wanted}" if least < most else f"it has {least} models, not {wanted}"
        )
        yield Problem("composition", told)
        return
    exact = [price.of for price in sheet.points if price.of]
    if exact and not any(all(counts[k.name] == of.get(k.name, 0) for k in sheet.models) for of in exact):
        allowed = " or ".join(_told(of) for of in exact)
        yield Problem("composition", f"it has {allowed}, not {_told(counts)}")
        return
    for kind in sheet.models:
        if not kind.min <= counts[kind.name] <= kind.max:
            yield Problem("composition", f"it has {_between(kind)} {kind.name}, not {counts[kind.name]}")


def _told(counts: dict[str, int]) -> str:
    return " and ".join(f"{count} {name}" for name, count in counts.items() if count)


def _between(kind: ModelKind) -> str:
    return str(kind.min) if kind.min == kind.max else f"{kind.min} to {kind.max}"


def _wargear_problems(sheet: Sheet, unit: ListUnit) -> Iterator[Problem]:
    counts = composition(sheet, unit)
    named: Counter[str] = Counter()
    for loadout in unit.wargear:
        if sheet.kind(loadout.model) is None:
            yield Problem(
                "composition", f"it has no models '{loadout.model}'; it has {', '.join(k.name for k in sheet.models)}"
            )
            return
        named[loadout.model] += loadout.count
    for name, count in named.items():
        if count > counts[name]:
            yield Problem("wargear", f"wargear is given to {count} {name}, but it has {counts[name]}")
            return
    groups = carriers(sheet, unit)
    if sheet.loose:
        known = sheet.items
        lost = [item for group in groups for item in group.items if item not in known]
        yield from (Problem("wargear", f"its datasheet has no '{item}'") for item in dict.fromkeys(lost))
        return
    _, problem = settle(sheet, groups, sum(counts.values()))
    if problem:
        yield Problem("wargear", problem)


def loadout_problem(sheet: Sheet, unit: ListUnit) -> str:
    """What is wrong with what a unit carries; empty if nothing is."""
    return next((str(problem) for problem in _wargear_problems(sheet, unit)), "")


def unexplained(pack: Pack, army: ArmyList) -> list[str]:
    """Loadouts that no option of a loose datasheet explains, a sentence each; they are played all the same."""
    out = []
    for unit in army.units:
        sheet = pack.sheet(unit.sheet)
        if sheet is not None and sheet.loose and not any(_wargear_problems(sheet, unit)):
            _, problem = settle(sheet, carriers(sheet, unit), sum(composition(sheet, unit).values()))
            if problem:
                out.append(f"{name_of(pack, unit)}: {problem}.")
    return out


def _enhancement_problems(pack: Pack, army: ArmyList, unit: ListUnit, sheet: Sheet) -> Iterator[Problem]:
    detachment = detachment_of(pack, army)
    if unit.enhancement is None or detachment is None:
        return
    found = next((e for e in detachment.enhancements if e.name == unit.enhancement), None)
    if found is None:
        known = ", ".join(e.name for e in detachment.enhancements) or "none"
        yield Problem("enhancement", f"{detachment.name} has no enhancement '{unit.enhancement}'; it has {known}")
    elif found.needs and not set(found.needs) & set(sheet.keywords):
        yield Problem("enhancement", f"{found.name} is for {' or '.join(found.needs)} only")


def _bond_problems(pack: Pack, army: ArmyList, unit: ListUnit, sheet: Sheet, names: Counter[str]) -> Iterator[Problem]:
    by_name = {name_of(pack, other): other for other in army.units}
    bonds: tuple[tuple[Topic, str | None, str], ...] = (
        ("lead", unit.attached_to, "attached to"),
        ("transport", unit.embarked_in, "embarked in"),
    )
    for topic, bond, doing in bonds:
        if bond is not None and names[bond] != 1:
            called = "no unit is" if not names[bond] else "several units are"
            yield Problem(topic, f"it is {doing} '{bond}', but {called} called that")
            return
    if unit.attached_to is not None and by_name[unit.attached_to].sheet not in sheet.leads:
        led = [other.name for id_ in sheet.leads if (other := pack.sheet(id_))]
        yield Problem("lead", f"it can lead {', '.join(led) or 'nobody'}, not {unit.attached_to}")
    if unit.embarked_in is not None:
        carrier = pack.sheet(by_name[unit.embarked_in].sheet)
        if carrier is None or carrier.transport is None:
            yield Problem("transport", f"{unit.embarked_in} transports nobody")
        elif by_name[unit.embarked_in].embarked_in is not None:
            yield Problem("transport", f"{unit.embarked_in} is embarked itself, and can carry nobody")
        else:
            yield from _passenger_problems(pack, army, unit, carrier)


def _passenger_problems(pack: Pack, army: ArmyList, unit: ListUnit, carrier: Sheet) -> Iterator[Problem]:
    transport, sheet = carrier.transport, pack.sheet(unit.sheet)
    assert transport is not None and sheet is not None
    if not _may_embark(transport, sheet):
        yield Problem("transport", f"it cannot embark in {unit.embarked_in}")
        return
    aboard = [o for o in army.units if unit.embarked_in in (o.embarked_in, _rides_in(pack, army, o))]
    if aboard[0] is not unit:  # what follows is told once
        return
    room = 0
    most: Counter[int] = Counter()
    for other in aboard:
        inside = pack.sheet(other.sheet)
        if inside is None:
            continue
        counts = composition(inside, other)
        for kind in inside.models:
            special = [
                (number, passenger)
                for number, passenger in enumerate(transport.special)
                if passenger.keyword in inside.keywords and _wounds(kind) >= passenger.from_wounds
            ]
            room += max((passenger.room for _, passenger in special), default=1) * counts[kind.name]
            for number, _ in special:
                most[number] += counts[kind.name]
    if room > transport.capacity:
        yield Problem("transport", f"{unit.embarked_in} has room for {transport.capacity} models, not {room}")
    for number, passenger in enumerate(transport.special):
        if passenger.most and most[number] > passenger.most:
            yield Problem(
                "transport", f"{unit.embarked_in} takes {passenger.most} {passenger.keyword} models, not {most[number]}"
            )


def _may_embark(transport: Transport, sheet: Sheet) -> bool:
    has = set(sheet.keywords) | set(sheet.faction_keywords)
    too_big = transport.max_wounds is not None and any(_wounds(k) > transport.max_wounds for k in sheet.models)
    return any(has.issuperset(one) for one in transport.who) and not has & set(transport.never) and not too_big


def _wounds(kind: ModelKind) -> int:
    wounds = kind.stats.get("W", 1)
    return wounds if isinstance(wounds, int) else 1


def _rides_in(pack: Pack, army: ArmyList, unit: ListUnit) -> str | None:
    """The transport of the unit that a Leader is attached to."""
    led = next((o for o in army.units if unit.attached_to and name_of(pack, o) == unit.attached_to), None)
    return led.embarked_in if led else None
