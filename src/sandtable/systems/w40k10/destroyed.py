"""Destroyed models and units: what that sets off, and what is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from sandtable.battle import GONE, Moment
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.moments import MODEL_DESTROYED, UNIT_DESTROYED
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities import has_core
from sandtable.systems.w40k10.state import Battle10, Unit, World10


class Endings(NamedTuple):
    """What the end of a model sets off, and what may destroy others in turn."""

    deadly_demise: Callable[[Battle10, Unit, int], Awaitable[None]]
    abandon: Callable[[Battle10, Unit, int], Awaitable[None]]
    """(battle, transport, model): passengers get out."""


async def destroy(b: Battle10, model: int) -> None:
    """A model is destroyed: what that sets off happens first, then it is taken off the battlefield."""
    endings = b.system.seam(Endings)
    unit = b.unit(int(b.state.models.unit[model]))
    if has_core(b, unit, model, "deadly demise"):
        await endings.deadly_demise(b, unit, model)
    await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}))
    if b.state.models.place[model] == GONE:
        return
    if any(u.embarked == unit.id for u in b.units()):
        await endings.abandon(b, unit, model)
    parts = parts_destroyed(b, unit, model)
    remove(b, model)
    for part in parts:
        tell_destroyed(b, unit, part, model)
        await b.window(UNIT_DESTROYED, Moment(unit.id, data={"part": part}))


def tell_destroyed(b: Battle10, unit: Unit, part: str, model: int) -> None:
    """Tell the end of a unit, or of one part of an Attached unit, with its last model."""
    if part == "unit":
        text = f"{does(unit, 'is')} destroyed."
    elif unit.former:
        text = f"{dict(zip(unit.leader, unit.leader_names, strict=False)).get(model, unit.name)} is destroyed."
    else:
        text = f"The {part.title()} of {unit.name} is destroyed."
    b.tell("unit_destroyed", text, "w40k10.unit.destroyed", units=[unit.id], part=part)
    if part == "bodyguard" or unit.former:
        name_the_leader(b, unit)


def name_the_leader(b: Battle10, unit: Unit) -> None:
    """Leaders who are left alone go by their own names; the Bodyguard keeps its own among the fallen."""
    alive = b.on_table(unit).tolist()
    names = dict.fromkeys(n for m, n in zip(unit.leader, unit.leader_names, strict=False) if m in alive)
    if not names:
        return
    if not unit.former:
        for other in b.units_of(unit.player):
            if not other.models and other.name == next(iter(names)):
                b.set_unit(other, name=unit.name)
    b.set_unit(unit, name=" and ".join(names), former=unit.former or unit.name, single=len(names) == 1)


@rule("w40k10.unit.destroyed", "w40k10.datasheet.profile")
def remove(b: Battle10, model: int) -> None:
    """Take a destroyed model off the battlefield."""
    if b.state.models.wounds[model]:
        b.set_wounds(model, 0)
    b.place_models([model], GONE)


@rule("w40k10.unit.attached_destroyed_triggers", neutral=())
def parts_destroyed(w: World10, unit: Unit, model: int) -> tuple[str, ...]:
    """What a model's loss destroys: the Bodyguard and each Leader of an Attached unit count on their own."""
    here = part_of(w, unit, model)
    if any(part_of(w, unit, m) == here for m in map(int, w.on_table(unit)) if m != model):
        return ()
    return (here[0],)


def part_of(w: World10, unit: Unit, model: int) -> tuple[str, int]:
    """Which part of a unit a model belongs to, and of two Leaders the one whose unit it came with."""
    if not unit.leader:
        return "unit", 0
    if model not in unit.leader:
        return "bodyguard", 0
    return "leader", came_with(w, model)


@kept(SETUP)
def came_with(w: World10, model: int) -> int:
    """The number of the unit on the rosters that a model was mustered in; 0 where no army list was brought."""
    number, first = 0, 0
    for i, entry in enumerate(w.setup.data.roster):
        if first <= model < first + entry.models:
            number = i
        first += entry.models
    return number
