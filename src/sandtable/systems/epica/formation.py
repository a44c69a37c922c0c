"""Formations: standing together, and what becomes of those who do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sandtable.battle.decisions import Option
from sandtable.battle.kept import PLACES_OF_THESE, kept
from sandtable.battle.state import GONE
from sandtable.battle.verdict import Reason
from sandtable.kit.grammar import counted
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, sheet, stands
from sandtable.table.arrange import FAR
from sandtable.table.coherency import groups
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies

ONE_GROUP: Final = ()


@rule("epica.formation.coherency", neutral=ONE_GROUP)
def groups_of(world: EpicWorld, bodies: Bodies, members: list[int]) -> tuple[tuple[int, ...], ...]:
    """The parts that a formation falls into; one part, or none, means that it stands together."""
    rows = np.array(members, dtype=np.int64)
    label: Ints = groups(bodies, world.shapes, rows, BOOK.coherency, FAR)
    parts: dict[int, list[int]] = {}
    for stand, part in zip(members, label, strict=True):
        parts.setdefault(int(part), []).append(stand)
    return tuple(tuple(part) for part in parts.values())


def is_coherent(world: EpicWorld, formation: Formation) -> bool:
    """Whether a formation stands together."""
    return len(world.on_table(formation)) < 2 or _parts_now(world, formation) < 2


@kept(PLACES_OF_THESE)
def _parts_now(world: EpicWorld, formation: Formation) -> int:
    return parts_after(world, formation, world.bodies)


def parts_after(world: EpicWorld, formation: Formation, bodies: Bodies) -> int:
    """How many parts a formation would fall into if everybody stood like this."""
    members = stands(world, formation)
    return len(groups_of(world, bodies, members)) if len(members) > 1 else 1


@rule("epica.move.out_of_formation", "epica.move.out_of_formation_each_move", "epica.bm.casualty", neutral=0)
async def lose_stragglers(b: EpicBattle, formation: Formation) -> int:
    """Destroy the units that a move has left out of formation; their owner says which part goes on. Returns losses."""
    members = stands(b, formation)
    parts = groups_of(b, b.bodies, members)
    if len(parts) < 2:
        return 0
    options = [Option(i, describe_part(b, part), f"{len(members) - len(part)} lost") for i, part in enumerate(parts)]
    kept = await b.choose(
        formation.player,
        "stragglers",
        f"{formation.name} have fallen apart: which part goes on?",
        options,
        rules=("epica.move.out_of_formation",),
        unit=formation.id,
        about={"parts": [list(part) for part in parts]},
    )
    lost = [stand for i, part in enumerate(parts) if i != kept for stand in part]
    b.place_models(lost, GONE)
    b.tell(
        "out of formation",
        f"{formation.name} lose {counted(len(lost), 'unit')} out of formation.",
        "epica.move.out_of_formation",
        units=[formation.id],
        lost=len(lost),
    )
    return len(lost)


def stragglers_note(world: EpicWorld, formation: Formation, bodies: Bodies) -> Iterator[Reason]:
    """What it would cost if everybody stood like this after a move, where the largest part goes on."""
    parts = sorted(groups_of(world, bodies, stands(world, formation)), key=len)
    lost = tuple(stand for part in parts[:-1] for stand in part)
    if lost:
        what = f"{counted(len(lost), 'unit')} would be out of formation, and destroyed after the move"
        text = f"{what}, with a Blast marker for each."
        yield Reason(text, ("epica.move.out_of_formation",), {"units_lost": len(lost)}, lost)


def describe_part(world: EpicWorld, part: tuple[int, ...]) -> str:
    """A part of a formation in words, such as "3 x Boyz, 1 x Nobz"; numbered by its first stand."""
    counts: dict[str, int] = {}
    for stand in part:
        counts[sheet(world, stand).name] = counts.get(sheet(world, stand).name, 0) + 1
    first = world.unit(int(world.state.models.unit[part[0]])).models.index(part[0]) + 1
    return ", ".join(f"{n} x {name}" for name, n in counts.items()) + f" (with stand {first})"
