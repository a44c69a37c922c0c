"""What players see of a formation: its units with what is left of them, their weapons, markers, and what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sandtable.battle.cards import Card, Line, Member
from sandtable.battle.state import GONE
from sandtable.battle.system import Mark, Moment
from sandtable.kit.grammar import counted
from sandtable.systems.epica.datasheet import ARMOURED_VEHICLE, INFANTRY, LIGHT_VEHICLE, Firepower, Sheet, Weapon
from sandtable.systems.epica.formation import is_coherent
from sandtable.systems.epica.state import EpicWorld, Formation, sheet, size
from sandtable.table.grid import steps

TYPES: Final = {INFANTRY: "infantry", LIGHT_VEHICLE: "light vehicle", ARMOURED_VEHICLE: "armoured vehicle"}
DONE: Final = {
    "advance": Mark("advanced", rule="epica.action.advance"),
    "engage": Mark("engaged", rule="epica.action.engage"),
    "double": Mark("doubled", rule="epica.action.double"),
    "march": Mark("marched", rule="epica.action.march"),
    "road-march": Mark("marched", rule="epica.terrain.road_march"),
    "marshal": Mark("marshalled", rule="epica.action.marshal"),
    "sustained": Mark("fired", "fired sustained", "epica.action.sustained_fire"),
    "overwatch fire": Mark("fired", "fired on overwatch", "epica.overwatch.trigger"),
    "hold": Mark("held", "held after a failed test", "epica.action.hold"),
}
"""What a formation did this turn, by its action."""
BROKEN: Final = Mark("broken", rule="epica.broken.limits")
IN_WAIT: Final = Mark("overwatch", "on overwatch", "epica.overwatch.trigger")


def marks(world: EpicWorld, formation: Formation) -> Iterator[Mark]:
    """What the badge of a formation says."""
    if formation.broken:
        yield BROKEN
    if formation.overwatch:
        yield IN_WAIT
    if formation.action in DONE:
        yield DONE[formation.action]
    if formation.markers:
        number = formation.markers
        yield Mark(f"{number} blast", counted(number, "blast marker"), "epica.bm.effects")


def card(world: EpicWorld, formation: Formation) -> Card:
    """A formation: its units by datasheet, their weapons, and what has become of it."""
    left = [m for m in formation.models if world.state.models.place[m] != GONE]
    sheets = Counter(sheet(world, m) for m in left)
    weapons: Counter[Weapon] = Counter()
    for found, number in sheets.items():
        for weapon in found.weapons:
            weapons[msgspec.structs.replace(weapon, count=1)] += number * weapon.count
    return Card(
        formation.name,
        tuple(Line(s.name, n, profile(s), s.notes, steps(s.speed)) for s, n in sheets.items()),
        tuple(Line(w.name, n, figures(w), w.notes, steps(w.range)) for w, n in weapons.items()),
        (),
        tuple(dict.fromkeys(TYPES[s.type] for s in sheets)),
        (f"initiative {formation.initiative}+", *status(world, formation)),
        tuple(Member(m, sheet(world, m).name) for m in left),
    )


def profile(found: Sheet) -> tuple[tuple[str, str], ...]:
    """The characteristics of a unit."""
    return (
        ("Type", found.type),
        ("Speed", f"{found.speed} cm"),
        ("Armour", needs(found.armour)),
        ("CC", needs(found.cc)),
        ("FF", needs(found.ff)),
    )


def needs(value: int) -> str:
    """The face that a characteristic needs, if it has one."""
    return f"{value}+" if value else "-"


def figures(weapon: Weapon) -> tuple[tuple[str, str], ...]:
    """Range and firepower of a weapon; of one for assaults alone, what it serves for."""
    fire = [printed(weapon.firepower)] if weapon.firepower is not None else []
    if weapon.small_arms:
        fire.append("small arms")
    reach = f"{weapon.range} cm" if weapon.range else "base contact"
    return (("Range", reach), ("Firepower", " and ".join(fire) or "assault"))


def printed(fire: Firepower) -> str:
    """Firepower as datasheets have it."""
    times = f"D{fire.die} x " if fire.die else f"{fire.dice} x " if fire.dice > 1 else ""
    return times + "/".join(f"{kind}{fire.value(kind)}+" for kind in fire.kinds)


def status(world: EpicWorld, formation: Formation) -> Iterator[str]:
    """What lies on a formation, and what it did this turn."""
    left, of = size(world, formation), len(formation.models)
    if not left:
        whole = all(world.state.models.place[m] == GONE for m in formation.models)
        yield "destroyed" if whole else "not on the table"
        return
    yield f"{left} of {counted(of, 'unit')} left" if left < of else counted(of, "unit")
    if formation.broken:
        yield "broken"
    elif formation.markers:
        yield f"{counted(formation.markers, 'blast marker')}, breaks at {left}"
    if not is_coherent(world, formation):
        yield "out of formation"
    if formation.overwatch:
        yield "on overwatch"
    if formation.acted:
        yield f"has {deed(formation)}"
    elif not formation.broken:
        yield "has not acted yet"


def deed(formation: Formation) -> str:
    """What a formation did as its action, in a word or more."""
    if formation.action == "overwatch":
        return "gone on overwatch"
    return DONE[formation.action].whole if formation.action in DONE else "acted"


def describe(world: EpicWorld, unit: Any) -> str:
    """A formation in one line."""
    formation = world.unit(unit.id)
    marks = [counted(formation.markers, "blast marker")] if formation.markers else []
    marks += [word for word in ("broken", "overwatch", "acted") if getattr(formation, word)]
    return ", ".join((f"{formation.name}: {counted(size(world, formation), 'unit')}", *marks))


def keywords(world: EpicWorld, formation: Formation) -> tuple[str, ...]:
    """The types of a formation's units, for standing orders."""
    return tuple(dict.fromkeys(TYPES[sheet(world, m).type] for m in formation.models))


def happening(world: EpicWorld, trigger: str, moment: Moment) -> str:
    """What somebody on overwatch may fire at."""
    return f"{world.unit(moment.unit).name} have completed a move"
