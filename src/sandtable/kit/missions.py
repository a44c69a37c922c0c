"""Missions as documents: which battle sizes, which zones, where markers lie, and what scores Victory points."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from sandtable.documents import read_document
from sandtable.errors import UserError
from sandtable.table.grid import STEP, steps
from sandtable.table.layout import Table

MOST_CORNERS: Final = 32
Label: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100)]
Size: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
"""A battle size, as the system calls it."""
Round: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=99)]
Side: TypeAlias = Annotated[int, msgspec.Meta(ge=12, le=240)]
Length: TypeAlias = Annotated[str, msgspec.Meta(max_length=20)] | Annotated[float, msgspec.Meta(ge=-240, le=240)]
"""Inches, or a place on the map: W and H are its long and its short side, as in "W/2" or "H/2-12"."""
Spot: TypeAlias = tuple[Length, Length]
Outline: TypeAlias = Annotated[tuple[Spot, ...], msgspec.Meta(min_length=3, max_length=MOST_CORNERS)]
Where: TypeAlias = Literal["all", "own zone", "enemy zone", "not own zone", "no man's land"]

_LENGTH: Final = re.compile(r"([WH])(?:/([1-9]))?(?:([+-])([0-9]{1,3}(?:\.[0-9]{1,4})?))?")


class Score(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One way to score. `kind` says what is counted, and `vp` what each of it is worth.

    hold             markers under the player's control
    hold more        1 if the player controls more markers than every opponent
    hold some        1 if the player controls at least `count` markers
    destroy          enemy units destroyed since it was last scored
    destroy warlord  1 once an enemy Warlord is destroyed
    break through    own units wholly within the enemy deployment zone
    """

    kind: Literal["hold", "hold more", "hold some", "destroy", "destroy warlord", "break through"]
    name: Label
    vp: Points
    when: Literal["command", "turn", "round", "battle"] = "command"
    """At the end of the player's Command phase, of their turn, of a battle round or of the battle."""
    where: Where = "all"
    """Which markers count."""
    count: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    grows: Points = 0
    """So many more VP for each battle round after `from_round`."""
    from_round: Round = 1
    to_round: Round = 99
    most: Points = 99
    """VP that can be scored at one time..."""
    most_in_battle: Points = 99
    """...and in the whole battle."""
    carries_off: bool = False
    """A marker that was scored is taken off the battlefield."""


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task of a unit, in editions that know such: when it starts, who may, how often, and what it brings."""

    name: Label
    starts: Literal["movement", "shooting"] = "shooting"
    """In which phase of the player's own turn it starts..."""
    completes: Literal["turn"] = "turn"
    """...and at which end it is completed."""
    near_objective: bool = False
    """Only units within range of an objective may start it..."""
    keywords: Annotated[tuple[Label, ...], msgspec.Meta(max_length=6)] = ()
    """...and only those with one of these keywords, where some are named."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """So many units of a player start it in a turn."""
    vp: Points = 0
    """What its player scores when it is completed."""


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mission. Its map lies with the long side of the battlefield along the bottom."""

    id: Label
    name: Label
    sizes: Annotated[tuple[Size, ...], msgspec.Meta(min_length=1, max_length=3)]
    smallest: dict[Size, tuple[Side, Side]]
    """The smallest battlefield for each size: long and short side in inches."""
    attacker: Outline
    """The outline of the Attacker's deployment zone..."""
    defender: Outline
    scoring: Annotated[tuple[Score, ...], msgspec.Meta(max_length=20)]
    markers: Annotated[tuple[Spot, ...], msgspec.Meta(max_length=12)] = ()
    placed: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """So many markers are placed by the players instead."""
    actions: Annotated[tuple[Action, ...], msgspec.Meta(max_length=6)] = ()
    rounds: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    closed_windows: Annotated[float, msgspec.Meta(ge=0, le=24)] | None = None
    """Up to which height nobody sees through windows and doors, where that is not what the rules say."""
    text: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    destroyed_loses: bool = True
    """A player whose army is destroyed loses, whatever was scored."""


def missions_in(folder: Path) -> list[str]:
    """The missions of a folder, by name."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def find_mission(name: str | Path, folder: Path, sizes: Collection[str], check_known: Callable[[str], None]) -> Mission:
    """A mission of a folder by its name, which `check_known` refuses if there is none, or a mission from a file."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        check_known(str(name))
        path = folder / f"{name}.yaml"
    return open_mission(path, sizes)


def refuse_unknown(name: str, missions: Collection[str]) -> None:
    """Refuse the name of a mission that is not among these."""
    if name not in missions:
        raise UserError(f"There is no mission '{name}'; missions are {', '.join(missions)}.")


def is_large_enough(table: Table, smallest: tuple[int, int]) -> bool:
    """Whether a table is as large as a battlefield has to be, either way round: long and short side in inches."""
    short, long = sorted((table.width, table.depth))
    return long >= steps(smallest[0]) and short >= steps(smallest[1])


def one_size(limits: Sequence[int], rule: str) -> int:
    """The points of a battle; armies that are not all of one size are refused."""
    if len(set(limits)) > 1:
        told = " and ".join(str(points) for points in limits)
        raise UserError(f"Both armies must be of one battle size, not {told} points [{rule}].")
    return limits[0]


def check_points(mission: Mission, limit: int, sizes: Mapping[str, int], rule: str) -> None:
    """Refuse a battle of so many points that a mission is not for."""
    if size_of(limit, sizes) not in mission.sizes:
        raise UserError(f"{mission.name} is for {', '.join(mission.sizes)}, not {limit} points [{rule}].")


def size_of(limit: int, sizes: Mapping[str, int]) -> str:
    """The battle size of so many points."""
    return next((name for name, points in sizes.items() if points == limit), "")


def check_table(
    mission: Mission, size: str, limit: int, table: Table, fits: Callable[[Table, tuple[int, int]], bool], rule: str
) -> None:
    """Refuse a battlefield that does not fit what a mission asks for at a battle size."""
    long, short = mission.smallest[size]
    if not fits(table, (long, short)):
        needs = f'{mission.name} at {limit} points needs a battlefield of at least {short}" x {long}"'
        raise UserError(f"{needs} [{rule}].")


def open_mission(path: Path, sizes: Collection[str]) -> Mission:
    """The mission of a file, for a system that knows these battle sizes."""
    mission = read_document(path, Mission)
    check_sizes(mission, str(path), sizes)
    return mission


def check_sizes(mission: Mission, where: str, sizes: Collection[str]) -> None:
    """Each size that a mission is for has its smallest battlefield."""
    for size in (*mission.sizes, *mission.smallest):
        if size not in sizes:
            raise UserError(f"{where}: there is no battle size '{size}'; there are {', '.join(sizes)}.")
    for size in mission.sizes:
        if size not in mission.smallest:
            raise UserError(f"{where}: smallest: it does not say how large the battlefield is at least for {size}.")


def on_map(spot: Spot, width: int, depth: int) -> tuple[int, int]:
    """A spot of the map on a battlefield of this size in grid steps; on an upright one the map is turned."""
    long, short = max(width, depth), min(width, depth)
    x, y = (_length(value, long, short) for value in spot)
    if not (0 <= x <= long and 0 <= y <= short):
        told = ", ".join(map(str, spot))
        raise UserError(f'The place {told} is not on the battlefield of {long // STEP}" x {short // STEP}".')
    return (x, y) if width >= depth else (y, depth - x)


def _length(value: Length, long: int, short: int) -> int:
    if isinstance(value, int | float):
        return steps(value)
    found = _LENGTH.fullmatch(value.replace(" ", ""))
    if found is None:
        raise UserError(f"A place on a mission's map is a number, or such as 'W/2' or 'H/2-12', not '{value}'.")
    side, part, sign, more = found.groups()
    shift = float(more) * STEP if more else 0.0
    return round((long if side == "W" else short) / int(part or 1) + (-shift if sign == "-" else shift))
