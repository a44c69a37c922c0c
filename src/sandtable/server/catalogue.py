"""What battles can be begun: systems, missions, tables, armies, opponents. Strangers name nothing but what is here.

In particular they name no files: an army list is one of a pack by its name, or its text.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from sandtable import systems
from sandtable.api import DEFAULT_MISSION, MAX_SEED, new, open_moment
from sandtable.armies.characteristics import printed
from sandtable.armies.lists import ArmyList, draw_lists, list_cost, of_one_size, read_list
from sandtable.armies.packs import find_packs, open_pack
from sandtable.battle.dice import SEED_BITS, derived_seed
from sandtable.battle.machine import Battle
from sandtable.battle.scenario import read_scenario
from sandtable.battle.system import WINDOWS, System
from sandtable.battle.tables import Piece
from sandtable.documents import parse_document
from sandtable.errors import UserError
from sandtable.kit.drafts import Draft, draft_of, read_draft
from sandtable.players.named import NAMES, WAYS
from sandtable.players.table import Takebacks
from sandtable.rules import ledger
from sandtable.server.dropped import SCENARIO, demand
from sandtable.server.lists import YOURS, as_ours
from sandtable.server.seats import INVITED, MINE

LONGEST_NAME: Final = 100
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
MAX_LIST: Final = 200_000
MAX_SCENARIO: Final = 800_000
"""Characters; the moment of a battle with everything that two armies brought takes about a quarter of that."""
SIDES: Final = ("red", "blue")
"""What players are called whose armies come from lists."""
MOST_SEATS: Final = 8
MEANT_FOR: Final = "@"
"""Stands in the name of a mission of data before the table that it is meant for."""
GROUND: Final = -2
"""Of seeds that come from a battle's own: the one that draws its table."""
YOUR_TABLE: Final = "your-table.yaml"
USUAL_POINTS: Final = (1000, 2000)
"""Battle sizes that a new table is meant for."""
MOST_IN_UNIT: Final = 100
"""Models; the largest unit of any army has fewer, and more of them take long to judge."""

LONGEST_CLOCK: Final = 7 * 24 * 60
"""Minutes, a week: a battle whose clocks run stays in memory until they have run down."""
LONGEST_INCREMENT: Final = 60 * 60
"""Seconds."""


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The battle that somebody wants to begin."""

    system: Name = systems.DEFAULT
    armies: Annotated[tuple[Annotated[str, Meta(max_length=MAX_LIST)], ...], Meta(max_length=MOST_SEATS)] = ()
    """For each player the name of an army list, or its text in any form; a ready one is drawn for who has none."""
    made_up: bool = False
    """Armies that the system makes up, set up and ready."""
    scenario: Annotated[str, Meta(max_length=MAX_SCENARIO)] = ""
    """The text of a scenario file: the battle goes on from its moment, with fresh dice."""
    mission: Name = ""
    """One of data beside the system is named with its table, or alone: then the seed draws one that is meant for it."""
    layout: Annotated[str, Meta(max_length=MAX_LIST)] = ""
    """The name of a table, or its whole text; without it one is drawn up."""
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    options: dict[str, Name] = {}
    seats: Annotated[tuple[Name, ...], Meta(max_length=MOST_SEATS)] = ()
    """For each player `mine`, `invited`, or the name of a computer player; by default mine against the tactician."""
    takebacks: Takebacks = "agreed"
    listed: bool = True
    """Whether everybody may watch; otherwise only who has the token for spectators."""
    minutes: Annotated[float, Meta(gt=0, le=LONGEST_CLOCK)] | None = None
    """On the clock of each person; without it no clock runs."""
    increment: Annotated[float, Meta(ge=0, le=LONGEST_INCREMENT)] = 0.0
    """Seconds that each phase of the own turn adds."""


class ArmyOffered(msgspec.Struct, frozen=True):
    """A ready army list."""

    id: str
    name: str
    faction: str
    points: int


class OpponentOffered(msgspec.Struct, frozen=True):
    """A computer player."""

    name: str
    text: str
    """How it plays."""


class ReadingOffered(msgspec.Struct, frozen=True):
    """An option of a system."""

    name: str
    values: tuple[str, ...]
    text: str


class SystemOffered(msgspec.Struct, frozen=True):
    """A system and what can be played with it."""

    id: str
    name: str
    edition: str
    """The whole name: the edition, and which text of it."""
    lacks: str
    """What it cannot do yet, in a sentence; empty where it is whole."""
    unit: str
    missions: list[str]
    layouts: list[str]
    grounds: list[tuple[str, str, str]]
    """More missions, each with a layout that it is meant for, and what that is called."""
    names: dict[str, str]
    """What those missions are called."""
    pieces: list[Piece]
    """Terrain to lay a table with; none where tables cannot be drawn."""
    armies: list[ArmyOffered]
    measure: str
    """What armies are counted in."""
    options: list[ReadingOffered]
    opponents: list[OpponentOffered]
    """The strongest comes first."""


def offered() -> list[SystemOffered]:
    """Everything that can be played; the usual system comes first."""
    return [_offer(id_) for id_ in sorted(systems.known(), key=systems.DEFAULT.__ne__)]


@cache
def _offer(id_: str) -> SystemOffered:
    system = systems.get(id_)
    return SystemOffered(
        id=id_,
        name=system.name,
        edition=ledger.text(id_).edition or system.name,
        lacks=system.lacks,
        unit=system.unit,
        missions=list(system.missions()) if system.missions else [],
        layouts=list(system.layouts()) if system.layouts else [],
        grounds=(grounds := _grounds(system)),
        names={
            name: system.mission_called(name)
            for name in dict.fromkeys(_card(mission) for mission, _, _ in grounds)
            if system.mission_called
        },
        pieces=list(system.pieces()) if system.pieces else [],
        armies=[
            ArmyOffered(path.stem, army.name, army.faction, army.limit)
            for path in _lists()
            if (army := read_list(path)).system == id_
        ],
        measure="Power" if printed(id_).power else "points",
        options=[ReadingOffered(r.name, r.values, r.text) for r in (WINDOWS, *system.readings)],
        opponents=[OpponentOffered(name, WAYS[name]) for name in reversed(NAMES)],
    )


def _grounds(system: System) -> list[tuple[str, str, str]]:
    try:
        return list(system.grounds()) if system.grounds else []
    except UserError:
        # The data that they come from is not installed.
        return []


def _lists() -> list[Path]:
    return [path for folder in find_packs().values() for path in sorted(folder.glob("lists/*.yaml"))]


def settled(wish: Wish) -> Wish:
    """A wish whose army lists are files of ours, whatever form they came in."""
    armies = tuple(as_ours(army, wish.system) if is_text(army) else army for army in wish.armies)
    return msgspec.structs.replace(wish, armies=armies)


def build(wish: Wish) -> Battle[Any, Any, Any, Any]:
    """The battle that somebody wants, at its first question; its lists are settled."""
    if wish.system not in systems.known():
        raise UserError(f"There is no system '{wish.system}'; there are {', '.join(systems.known())}.")
    system = systems.get(wish.system)
    for who in wish.seats:
        if who not in (MINE, INVITED, *NAMES):
            raise UserError(f"Nobody is called '{who}'; a seat is {MINE}, {INVITED}, {', '.join(NAMES)}.")
    grounds = _grounds(system) if wish.mission or wish.layout else []
    missions = [*(system.missions() if system.missions else ()), *(mission for mission, _, _ in grounds)]
    cards = [_card(mission) for mission, _, _ in grounds]
    for mission in filter(None, wish.mission.split(",")):
        if mission not in cards:
            _known("mission", mission, missions)
    if wish.layout and not is_text(wish.layout):
        layouts = [*(system.layouts() if system.layouts else ()), *(layout for _, layout, _ in grounds)]
        _known("layout", wish.layout, list(dict.fromkeys(layouts)))
    seed = secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed
    if wish.scenario:
        return play_on(wish.scenario, seed)
    lists = wish.armies
    if not wish.made_up and (not lists or "" in lists):
        drawn = draw_lists(wish.system, seed, _size(lists))
        lists = tuple(filter(None, (wanted or found for wanted, found in zip_longest(lists, drawn, fillvalue=""))))
    if not lists:
        if wish.mission or wish.layout:
            raise UserError("A mission or a layout needs army lists.")
        return new(wish.system, seed=seed, options=wish.options)
    if wish.made_up or len(lists) != len(SIDES):
        raise UserError(f"Name {len(SIDES)} army lists, or have armies made up; not {len(lists)} lists.")
    mission, layout = _drawn(wish.mission or DEFAULT_MISSION, wish.layout, grounds, seed)
    return _muster(wish.system, lists, mission=mission, layout=layout, seed=seed, options=wish.options)


def _drawn(mission: str, layout: str, grounds: Sequence[tuple[str, str, str]], seed: int) -> tuple[str, str]:
    """A mission with its table: of data, and where nobody chose, the seed draws one that is meant for it."""
    meant = [(named, on) for named, on, _ in grounds if mission in (named, _card(named))]
    if meant and layout and not is_text(layout) and mission == _card(mission):
        _known(f"table for {mission}", layout, [on for _, on in meant])
        meant = [(named, on) for named, on in meant if on == layout]
    if not meant:
        return mission, layout
    named, on = meant[derived_seed(seed, GROUND) % len(meant)]
    return named, layout or on


def _card(mission: str) -> str:
    """The name of a mission of data, whatever its table."""
    return mission.partition(MEANT_FOR)[0]


def play_on(text: str, seed: int) -> Battle[Any, Any, Any, Any]:
    """The battle of a scenario file at its moment; dice that were written down are left to who checks it."""
    demand("scenario", text)
    document = read_scenario(text, SCENARIO)
    if document.system not in systems.known():
        raise UserError(f"{SCENARIO} is of '{document.system}'; there are {', '.join(systems.known())}.")
    if any(max(unit.models, len(unit.positions)) > MOST_IN_UNIT for unit in document.units):
        raise UserError(f"{SCENARIO}: at most {MOST_IN_UNIT} models in a unit can be played here.")
    return open_moment(msgspec.structs.replace(document, dice=None, seed=seed), SCENARIO)


def seat_in(wish: Wish, battle: Battle[Any, Any, Any, Any]) -> int:
    """The seat of whoever wants a battle: the first, and in a scenario the one that it names, or whose turn it is."""
    if not wish.scenario:
        return 0
    at = read_scenario(wish.scenario, SCENARIO).at
    names = [str(p.name) for p in battle.state.players]
    return names.index(at.seat) if at.seat else max(0, battle.state.active)


def _muster(system: str, lists: Sequence[str], *, layout: str = "", **more: Any) -> Battle[Any, Any, Any, Any]:
    with tempfile.TemporaryDirectory(prefix="sandtable-lists-") as folder:
        files = [Path(folder) / f"{side}.yaml" for side in SIDES]
        if is_text(layout):
            table = Path(folder) / YOUR_TABLE
            table.write_text(layout, encoding="utf-8")
            layout = str(table)
        found = [_army(text, file) for text, file in zip(lists, files, strict=True)]
        armies = dict(zip(SIDES, _of_one_size(found) if set(files) & set(found) else found, strict=True))
        try:
            return new(system, armies=armies, layout=layout, **more)
        except UserError as error:
            # Where files lie is nobody's business.
            told = str(error)
            for place in (folder, *(f"{pack}/lists" for pack in find_packs().values())):
                told = told.replace(f"{place}/", "")
            raise UserError(told) from None


def _size(lists: Sequence[str]) -> int | None:
    """What the first list comes to that somebody chose; None where nobody did, or where it cannot be read."""
    named = next(filter(None, lists), "")
    known = {path.stem: path for path in _lists()} if named else {}
    if named in known:
        return read_list(known[named]).limit
    try:
        army = parse_document(named, ArmyList, YOURS) if is_text(named) else None
        return list_cost(open_pack(army.pack, army.faction), army) if army and army.pack in find_packs() else None
    except UserError:
        return None  # who musters it says what is wrong


def _army(text: str, draft: Path) -> Path:
    """The file of an army list: one of a pack by its name, or what somebody wrote."""
    known = {path.stem: path for path in _lists()}
    if text in known:
        return known[text]
    if not is_text(text):
        name = " ".join(text.split())
        raise UserError(f"There is no army list '{name}'; send a whole list, or name {', '.join(sorted(known))}.")
    draft.write_text(text, encoding="utf-8")
    return draft


def _of_one_size(files: Sequence[Path]) -> Sequence[Path | ArmyList]:
    """Armies of which somebody wrote one; who musters those that cannot be read says what is wrong."""
    try:
        armies = [read_list(file) for file in files]
    except UserError:
        return files
    # A list that keeps its size stays its file, which refusals name.
    return [f if of.limit == own.limit else of for f, own, of in zip(files, armies, of_one_size(armies), strict=True)]


def is_text(named: str) -> bool:
    """Whether somebody sent a file, and not the name of one: exports of other programs may be one long line."""
    return "\n" in named.strip() or len(named) > LONGEST_NAME or named.lstrip()[:1] in ("{", "[")


def draft(system: str, name: str, text: str) -> Draft:
    """A table to draw on: one of a system by its name, or from the text of a file."""
    if system not in systems.known():
        raise UserError(f"There is no system '{system}'; there are {', '.join(systems.known())}.")
    find = systems.get(system).table
    if find is None:
        raise UserError(f"{systems.get(system).name} has no tables that could be drawn.")
    if text:
        demand("table", text)
        return read_draft(text)
    if Path(name).name != name or Path(name).suffix:
        raise UserError(f"There is no layout '{name}'.")
    return draft_of(find(name), name, USUAL_POINTS)


def _known(what: str, name: str, known: Any) -> None:
    if name not in known:
        raise UserError(f"There is no {what} '{name}'; there are {', '.join(known) or 'none'}.")
