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
Where: TypeAlias = Literal[
    "all", "own zone", "enemy zone", "not own zone", "no man's land",
    "own home", "enemy home", "not own home", "central", "expansion", "own territory", "enemy territory",
]  # fmt: skip
Role: TypeAlias = Literal["home", "central", "expansion"]
"""What an objective is to both players, in missions that say so."""
Whose: TypeAlias = Literal["everybody", "first side", "second side"]
"""Who plays by a card, where the sides have cards of their own."""
Tag: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]
"""How whatever was marked by an action is called, such as "decoyed"."""

_LENGTH: Final = re.compile(r"([WH])(?:/([1-9]))?(?:([+-])([0-9]{1,3}(?:\.[0-9]{1,4})?))?")


class Score(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One way to score. `kind` says what is counted, and `vp` what each of it is worth.

    hold             markers under the player's control
    hold more        1 if the player controls more markers than every opponent
    hold some        1 if the player controls at least `count` markers
    destroy          enemy units destroyed since it was last scored
    destroy warlord  1 once an enemy Warlord is destroyed
    break through    own units wholly within the enemy deployment zone
    take             markers under the player's control that were not when the turn began
    slay             enemy units destroyed in this turn
    slay more        1 if these are more than the own units destroyed in the turn before
    quarters         quarters of the table with a unit of the player wholly within, not near the middle
    clear            1 if no enemy unit is wholly within the player's territory
    marked           objectives, areas or enemy units that bear the player's `tag`
    left             enemy units with the `tag` that left the battlefield in this turn
    done             units of the player that completed the `action` in this turn
    tokens           operation markers on the battlefield, those of `tokens_of`
    alone            1 if one of these is left, and the player has units in its terrain area, and no enemy has
    """

    kind: Literal[
        "hold", "hold more", "hold some", "destroy", "destroy warlord", "break through", "take", "slay", "slay more",
        "quarters", "clear", "marked", "left", "done", "tokens", "alone",
    ]  # fmt: skip
    name: Label
    vp: Points
    when: Literal["command", "turn", "round", "battle"] = "command"
    """At the end of the player's Command phase, of their turn, of a battle round or of the battle."""
    where: Where = "all"
    """Which markers count."""
    count: Annotated[int, msgspec.Meta(ge=0, le=20)] = 1
    once: bool = False
    """All that is counted scores once, if it is at least `count`..."""
    at_most: Annotated[int, msgspec.Meta(ge=0, le=99)] = 99
    """...and no more than this."""
    given: Annotated[tuple[Where, ...], msgspec.Meta(max_length=3)] = ()
    """It scores only while the player controls a marker at each of these."""
    of: Literal[
        "", "stood on objective", "slayer on objective", "stood in area", "stood in marked area",
        "is objective", "unshielded", "controlled",
    ] = ""  # fmt: skip
    """Of what was destroyed, only units that began the turn there, or whose destroyer stood there; of areas, those that
    are objectives; of enemies, those out of range of their own operation markers; of these, those at markers held."""
    tag: Tag = ""
    fresh: bool = False
    """Of what bears the tag, only what got it in this turn."""
    action: Annotated[str, msgspec.Meta(max_length=80)] = ""
    tokens_of: Literal["own", "enemy"] = "own"
    by: Whose = "everybody"
    """Who scores in this way."""
    turns: Literal["own", "enemy", "either"] = "own"
    """At the ends of whose turns, where `when` is the turn."""
    group: Tag = ""
    """Of all ways with the same group only the best scores at one time, where it is named."""
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
    starts: Literal["movement", "shooting", "battle", "turn begins", "turn ends", "moves"] = "shooting"
    """In which phase of the player's own turn it starts; others happen at a moment, whatever units do else."""
    completes: Literal["turn", "at once"] = "turn"
    """When it is completed: with the end of the turn, or at once."""
    near_objective: bool = False
    """Only units within range of an objective may start it..."""
    keywords: Annotated[tuple[Label, ...], msgspec.Meta(max_length=6)] = ()
    """...and only those with one of these keywords, where some are named."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """So many units of a player start it in a turn."""
    vp: Points = 0
    """What its player scores when it is completed."""
    by: Whose = "everybody"
    """Whose units may start it."""
    from_round: Round = 1
    at: Literal["", "objective", "area", "enemy"] = ""
    """What it is done to: an objective in range, an area that the unit is within, or an enemy that it sees."""
    where: Where = "all"
    """Which objectives or areas."""
    within: Annotated[float, msgspec.Meta(ge=0, le=240)] = 0
    """How near an enemy has to be."""
    controls: bool = False
    """It is completed only if the unit controls the objective then..."""
    alone: bool = False
    """...or if no enemy is within the area then."""
    tag: Tag = ""
    """How its target is called from then on..."""
    lasts: Literal["battle", "turn", "round of turns"] = "battle"
    """...for how long: until the turn ends, or until the player's next turn begins..."""
    again: bool = False
    """...and whether it is done again to what bears the tag."""
    who: Literal["any", "slayers", "threats"] = "any"
    """Whom it is for: units that destroyed an enemy; or, of enemies, those on objectives or that destroyed somebody."""
    clears: Literal["", "one", "here"] = ""
    """It takes operation markers off: one of the player's choice, or those of the enemy in range of the objective."""
    leaves: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """It cannot start while no more than so many operation markers are left."""


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
    roles: Annotated[tuple[Role, ...], msgspec.Meta(max_length=12)] = ()
    """For each marker what it is to both players, in missions that say so."""
    territories: tuple[Outline, Outline] | None = None
    """The outlines of the Attacker's and of the Defender's territory; else a place belongs to the nearer zone."""
    most_in_round: Points = 0
    """VP that a player can score in a battle round, 0 for any number..."""
    most_in_battle: Points = 0
    """...and in the whole battle."""
    actions: Annotated[tuple[Action, ...], msgspec.Meta(max_length=6)] = ()
    rounds: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    closed_windows: Annotated[float, msgspec.Meta(ge=0, le=24)] | None = None
    """Up to which height nobody sees through windows and doors, where that is not what the rules say."""
    text: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    destroyed_loses: bool = True
    """A player whose army is destroyed loses, whatever was scored."""


LOOKS_BACK: Final = ("take", "slay", "slay more", "marked", "left", "done", "tokens", "alone")


def looks_back(mission: Mission) -> bool:
    """Whether a mission counts by how a turn began or by what actions left behind, or has actions."""
    return bool(mission.actions) or any(way.kind in LOOKS_BACK for way in mission.scoring)


def names_slayers(mission: Mission) -> bool:
    """Whether a mission asks who destroyed whom."""
    return any(action.who != "any" for action in mission.actions) or any(
        way.of == "slayer on objective" for way in mission.scoring
    )


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
