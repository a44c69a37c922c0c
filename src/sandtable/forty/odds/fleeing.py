"""How units stand a phase in which models flee, and what their charts say, without a battle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from sandtable.attack.volley import FACES, Cites
from sandtable.battle import GONE, TABLE
from sandtable.battle.state import new_version
from sandtable.forty.effects.other_rolls import reroll_of
from sandtable.forty.odds.matchups import Force, Nerve
from sandtable.forty.odds.meeting import FAR, Meeting, meet
from sandtable.forty.state import Battle40, sheet_of


class Fleeing(NamedTuple):
    """What an edition says about units that test with one die and lose models by it."""

    has_to_test: Callable[[Any, Any], bool]
    """(world, unit): whether it tests, with what it has lost."""
    most: Callable[[Any, Any], int]
    """(world, unit): the result up to which nobody flees."""
    how_many: Callable[[int, int], int]
    """(result, most): how many flee."""
    rules: Cites


def nerves(m: Meeting, f: Fleeing, first: Force, second: Force, options: Mapping[str, str]) -> tuple[Nerve, Nerve]:
    """What such a phase asks of two units."""
    b, units = meet(m, first, second, FAR, options)
    found = [Nerve(tuple(map(int, b.on_table(unit))), cache(partial(_chances, f, b, unit)), f.rules) for unit in units]
    return found[0], found[1]


def _chances(f: Fleeing, b: Battle40, unit: Any, left: tuple[int, ...], slain: int) -> dict[int, float]:
    for model in unit.models:
        b.state.models.place[model] = TABLE if model in left else GONE
    unit.slain = slain
    b.state.version = b.state.stamp = new_version()
    if not f.has_to_test(b, unit):
        return {0: 1.0}
    most, again = f.most(b, unit), reroll_of(b, unit, "morale").faces
    found: dict[int, float] = defaultdict(float)
    for face in FACES:
        another = again in ("failures", "all") or (again == "ones" and face == 1)
        thrown = FACES if another and f.how_many(slain + face, most) else (face,)
        for now in thrown:
            found[min(len(left), f.how_many(slain + now, most))] += 1 / 6 / len(thrown)
    return found


def charts_of(m: Meeting, force: Force, options: Mapping[str, str]) -> tuple[int, ...]:
    """The wounds left at which a unit of a single model gets worse."""
    b, (unit, _) = meet(m, force, force, FAR, options)
    return tuple(row.up_to for row in sheet_of(b, unit.models[0]).chart) if len(unit.models) == 1 else ()
