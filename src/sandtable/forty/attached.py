"""Attached units: their parts, the Bodyguard and each Leader, and what becomes of them when one is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle.kept import SETUP, kept
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.grammar import does

UNIT: Final = "unit"
BODYGUARD: Final = "bodyguard"
LEADER: Final = "leader"


def part_of(w: World40, unit: Unit, model: int) -> tuple[str, int]:
    """Which part of a unit a model belongs to, and of two Leaders the one whose unit it came with."""
    if not unit.leader:
        return UNIT, 0
    if model not in unit.leader:
        return BODYGUARD, 0
    return LEADER, came_with(w, model)


@kept(SETUP)
def came_with(w: World40, model: int) -> int:
    """The number of the unit on the rosters that a model was mustered in; 0 where no army list was brought."""
    number, first = 0, 0
    for i, entry in enumerate(w.setup.data.roster):
        if first <= model < first + entry.models:
            number = i
        first += entry.models
    return number


def tell_destroyed(b: Battle40, unit: Unit, part: str, model: int, rule: str) -> None:
    """Tell the end of a unit, or of one part of an Attached unit, with its last model."""
    if part == UNIT:
        text = f"{does(unit, 'is')} destroyed."
    elif unit.former:
        text = f"{dict(zip(unit.leader, unit.leader_names, strict=False)).get(model, unit.name)} is destroyed."
    else:
        text = f"The {part.title()} of {unit.name} is destroyed."
    b.tell("unit_destroyed", text, rule, units=[unit.id], part=part)
    if part == BODYGUARD or unit.former:
        name_the_leader(b, unit)


def tell_lost_parts(b: Battle40, unit: Unit, gone: list[int], rule: str) -> None:
    """Tell which parts of an Attached unit were lost with models that are gone already."""
    left = {part_of(b, unit, m) for m in b.on_table(unit).tolist()}
    for part, model in {part_of(b, unit, m): m for m in gone}.items() if unit.leader else ():
        if part not in left:
            tell_destroyed(b, unit, part[0], model, rule)


def name_the_leader(b: Battle40, unit: Unit, left: Sequence[int] | None = None) -> None:
    """Leaders who are left alone go by their own names; the Bodyguard keeps its own among the fallen."""
    alive = b.on_table(unit).tolist() if left is None else left
    names = dict.fromkeys(n for m, n in zip(unit.leader, unit.leader_names, strict=False) if m in alive)
    if not names:
        return
    if not unit.former:
        for other in b.units_of(unit.player):
            if not other.models and other.name == next(iter(names)):
                b.set_unit(other, name=unit.name)
    b.set_unit(unit, name=" and ".join(names), former=unit.former or unit.name, single=len(names) == 1)
