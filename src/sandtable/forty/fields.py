"""Notes for the fields of 40,000: which markers, weapons and passengers there are to be named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, get_args

import msgspec

from sandtable.battle.fields import At, ForEach, Numbers, Text, span
from sandtable.battle.sound import MAX_MODELS
from sandtable.battle.tables import MAX_SIZE, check_outline
from sandtable.battle.world import World
from sandtable.errors import UserError
from sandtable.table.grid import STEP


def marker_spots(w: World[Any, Any, Any, Any]) -> Sequence[tuple[int, int, int]]:
    """Where the objective markers of a file lie, also while nobody knows whether it names a mission that there is."""
    data, game = w.setup.data, w.state.game
    wished = data.wishes[game.wish].objectives if 0 <= game.wish < len(data.wishes) else data.objectives
    spots: Sequence[tuple[int, int, int]] = game.markers or wished
    return spots


@dataclass(frozen=True)
class Markers:
    """The number of an objective marker."""

    def problem(self, value: int, at: At) -> str:
        count = len(marker_spots(at.world))
        if 0 <= value < count:
            return ""
        return f"there is no objective marker {value}; there are {span(range(count))}"


@dataclass(frozen=True)
class Wishes:
    """The number of a mission that players wished for, or -1."""

    def problem(self, value: int, at: At) -> str:
        count = len(at.world.setup.data.wishes)
        if -1 <= value < count:
            return ""
        known = f"0 to {count - 1}, or -1 for none" if count else "-1 here"
        return f"players wished for no mission {value}; it is {known}"


@dataclass(frozen=True)
class OnTheTable:
    """A place on the table, in the steps that it is measured by."""

    def problem(self, value: Sequence[int], at: At) -> str:
        table = at.world.setup.table
        x, y = value[:2]
        if 0 <= x <= table.width and 0 <= y <= table.depth and value[2:] in ((), (0,)):
            return ""
        size = f"{table.width} and {table.depth}"
        return f"a place on the table is 0 to {size}, in steps of 1/{STEP} inch, not {', '.join(map(str, value))}"


@dataclass(frozen=True)
class Empty:
    """Nothing: the field holds something only while somebody acts, and a file begins before that."""

    while_: str

    def problem(self, value: Any, at: At) -> str:
        return f"it holds something only while {self.while_}, and a file begins before that" if value else ""


@cache
def only_while_acting(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of units, players or the game that are empty in every file."""
    fields = msgspec.structs.fields(kind)
    return frozenset(f.name for f in fields if any(isinstance(note, Empty) for note in get_args(f.type)[1:]))


@dataclass(frozen=True)
class Arms:
    """A model of the unit, and a weapon that it carries."""

    def problem(self, value: Sequence[Any], at: At) -> str:
        model, weapon = value[:2]
        if model not in at.holder.models:
            return ""  # the note of the model says it
        known = tuple(dict.fromkeys(name for one in _weapons(at.world, model) for name in (one.item, one.name)))
        if weapon in known:
            return ""
        return f"model {model} has no weapon '{weapon}'; it has {', '.join(known) or 'none'}"


@dataclass(frozen=True)
class UnitsArms:
    """A weapon that some model of the unit carries."""

    def problem(self, value: str, at: At) -> str:
        known = tuple(dict.fromkeys(one.name for m in at.holder.models for one in _weapons(at.world, m)))
        return "" if value in known else f"nobody there has a weapon '{value}'; they have {', '.join(known) or 'none'}"


def _weapons(w: World[Any, Any, Any, Any], model: int) -> Iterator[Any]:
    kit = w.setup.data.kits[model]
    for row in kit.weapons:
        yield w.setup.data.sheets[kit.sheet].weapons[row]


@dataclass(frozen=True)
class Outlines:
    """The corners of a part of the table."""

    def problem(self, value: tuple[tuple[int, int], ...], at: At) -> str:
        try:
            check_outline(value, "it")
        except UserError as error:
            return str(error).removeprefix("it: ").rstrip(".")
        return ""


@dataclass(frozen=True)
class Halves:
    """The number of one of the parts into which the table is divided."""

    def problem(self, value: int, at: At) -> str:
        count = len(at.world.state.game.halves)
        if 0 <= value < count:
            return ""
        return f"there is no half {value}; " + ("there are 0 and 1" if count else "the game has no 'halves' yet")


@dataclass(frozen=True)
class Marks:
    """Something that an action has marked."""

    def problem(self, value: tuple[str, str, int, int, int], at: At) -> str:
        tag, kind, number, player, turn = value
        things = {
            "objective": len(marker_spots(at.world)),
            "area": len(at.world.setup.table.features),
            "unit": len(at.world.state.units),
        }
        if kind not in things or not 0 <= number < things[kind]:
            there = ", ".join(f"{what} {span(range(many))}" for what, many in things.items() if many)
            return f"there is no {kind} {number}; there are {there}"
        if not tag or not 0 <= player < len(at.world.state.players) or turn < 0:
            return "it is marked with a word, by a player, in a turn from 0 on"
        return ""


@dataclass(frozen=True)
class Tasks:
    """An action of a unit: the unit, which action of the mission, and on which target, or -1."""

    def problem(self, value: tuple[int, int, int], at: At) -> str:
        unit, action, target = value
        data = at.world.setup.data
        missions = (data.mission, *(plan.mission for plan in data.wishes))
        actions = max(len(mission.actions) if mission else 0 for mission in missions)
        if 0 <= unit < len(at.world.state.units) and 0 <= action < actions and target >= -1:
            return ""
        return f"there is no unit {unit} with action {action}; the mission has {actions} of these"


def _ways(at: At) -> int:
    mission = at.world.setup.data.mission
    return len(mission.scoring) if mission else 0


COUNT: Final = Numbers(0, MAX_MODELS)
POINTS: Final = Numbers(0, 1000)
INCHES: Final = Numbers(0, 100)
STEPS: Final = Numbers(0, MAX_SIZE * STEP)
TURNS: Final = Numbers(0, 10_000)
MARKER: Final = Markers()
MARK: Final = Marks()
TASK: Final = Tasks()
EACH_MARKER: Final = ForEach("objective marker", lambda at: len(marker_spots(at.world)))
ROUND_AND_POINTS: Final = ForEach("round and player", lambda at: 1 + len(at.world.state.players))
EACH_WAY: Final = ForEach("way of scoring of the mission", _ways, empty=False)
WISH: Final = Wishes()
SPOT: Final = OnTheTable()
OUTLINE: Final = Outlines()
HALF: Final = Halves()
HALVES: Final = ForEach("half of the table", lambda at: 2)
ARM: Final = Arms()
ARM_OF_THE_UNIT: Final = UnitsArms()
USE: Final = Text(500)
"""An ability or Stratagem that was used, and on whom."""
