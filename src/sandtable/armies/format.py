"""The datasheet format: what a pack says about factions and their units, for every system.

Characteristics are maps, checked against the names that the pack's system prints (`characteristics.json`). Rules are
effects (`effects.py`); what no effect can express says so with `enforced: false`, or in `left_out` for a part of it.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from sandtable.armies.characteristics import Value
from sandtable.armies.due import Due
from sandtable.armies.effects import AnyEffect

MAX_UNIT: Final = 60
MM_PER_INCH: Final = 25.4
SMALLEST_BASE, LARGEST_BASE = 0.2, 24.0

Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=r"^\S(.*\S)?$")]
Words: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5000)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MAX_UNIT)]
Items: TypeAlias = Annotated[tuple[Name, ...], msgspec.Meta(max_length=12)]
Stats: TypeAlias = dict[str, Value]

Role: TypeAlias = Literal[
    "character", "battleline", "infantry", "mounted", "beast", "vehicle", "monster", "transport", "flyer", "war engine",
    "hq", "troops", "elites", "fast attack", "heavy support", "dedicated transport", "lord of war",
]  # fmt: skip
"""The last ones are battlefield roles, as editions print them that have such."""

_BASE = re.compile(r"(\d{1,3}(?:\.\d)?)(?:x(\d{1,3}(?:\.\d)?))?mm|hull (\d{1,2}(?:\.\d+)?)x(\d{1,2}(?:\.\d+)?)")


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pack document: fixed once read, and without fields that nobody knows."""


class Header(Struct, frozen=True):
    """pack.yaml: what the pack is."""

    id: Id
    system: str
    name: Name
    version: Annotated[str, msgspec.Meta(pattern=r"^\d+(\.\d+){0,2}$")]
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2}$")]
    factions: tuple[Id, ...] = ()
    """Each in factions/ID.yaml."""
    note: Words | None = None
    data: Literal["", "wh40kdc"] = ""
    """The installed package that factions are read from instead."""


class Ability(Struct, frozen=True):
    """A rule of a datasheet, a faction or a detachment."""

    name: Name
    text: Words
    """In our own words."""
    effects: tuple[AnyEffect, ...] = ()
    choose: Count = 0
    """So many branches of the effects are chosen each time; effects without a branch always belong to it."""
    item: Name | None = None
    """The piece of wargear that it comes with; it works only for models that carry it."""
    enforced: bool = True
    """False: no effect expresses it, and the players apply it themselves."""
    left_out: Words | None = None
    """The part that the effects do not express."""
    unreviewed: tuple[AnyEffect, ...] = ()
    """What it seems to do, in data that nobody has held against the printed rule: played only where that is wished."""
    due: tuple[Due, ...] = ()
    """When players are reminded of what they apply themselves; where nothing is said, the effects tell if they can."""
    of_unit: bool = False
    """With an item: the whole unit of a model that carries it has it, and keeps it when that model falls."""


class PsychicPower(Ability, frozen=True, kw_only=True):
    """A power of a faction's discipline; its effects work on whom it is manifested."""

    charge: Annotated[int, msgspec.Meta(ge=2, le=12)]
    """The warp charge value."""


class Enhancement(Struct, frozen=True):
    name: Name
    points: Points
    text: Words
    effects: tuple[AnyEffect, ...] = ()
    enforced: bool = True
    left_out: Words | None = None
    needs: tuple[Name, ...] = ()
    """Keywords of which its bearer has at least one."""
    unreviewed: tuple[AnyEffect, ...] = ()
    """As for abilities."""
    due: tuple[Due, ...] = ()
    """As for abilities."""


class Stratagem(Struct, frozen=True):
    name: Name
    cp: Annotated[int, msgspec.Meta(ge=0, le=3)]
    phases: tuple[Literal["any", "command", "movement", "shooting", "opponent_shooting", "charge", "fight"], ...]
    """`opponent_shooting` is for what is used in the opponent's Shooting phase, and in the Fight phase of either."""
    turn: Literal["own", "opponent", "either"]
    text: Words
    effects: tuple[AnyEffect, ...] = ()
    needs: tuple[Name, ...] = ()
    """Keywords of which the unit it is used on has at least one."""
    until: Literal["phase", "turn", "attacks"] = "phase"
    """How long effects last that no moment of their own ends; `attacks`: until the attackers at hand are done."""
    enforced: bool = True
    left_out: Words | None = None
    unreviewed: tuple[AnyEffect, ...] = ()
    """As for abilities."""

    def is_for(self, phase: str, *, own: bool) -> bool:
        """Whether it can be used in such a phase of its player's own turn, or of an opponent's."""
        if self.turn not in ("either", "own" if own else "opponent"):
            return False
        return any(known in self.phases for known in ("any", phase, *(() if own else (f"opponent_{phase}",))))


class Granted(Struct, frozen=True):
    """A keyword that a detachment gives to units."""

    keyword: Name
    to: tuple[Name, ...]
    """To units that have one of these keywords."""
    most: Count = 0
    """At most so many units, which are those that need it: the Warlord's, and those with an Enhancement; 0 for all."""


class Detachment(Struct, frozen=True):
    id: Id
    name: Name
    rules: tuple[Ability, ...]
    enhancements: tuple[Enhancement, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()
    forbids: tuple[Name, ...] = ()
    """Datasheets, by their ids, or keywords that an army with it may not have..."""
    needs: tuple[Name, ...] = ()
    """...and those of which it must have a unit."""
    grants: tuple[Granted, ...] = ()


class Faction(Struct, frozen=True):
    id: Id
    name: Name
    keyword: Name
    """The Faction keyword that every unit of its armies has."""
    rules: tuple[Ability, ...]
    detachments: tuple[Detachment, ...] = ()
    """At least one, in systems that have them."""
    keywords: tuple[Name, ...] = ()
    powers: tuple[PsychicPower, ...] = ()
    """The psychic powers among which its psykers find further ones."""
    parent: Annotated[str, msgspec.Meta(max_length=60)] = ""
    """The faction whose datasheets it uses, where it has none of its own."""

    @property
    def first_detachment(self) -> str:
        """The id of the one that is meant where none is named; empty in systems without any."""
        return self.detachments[0].id if self.detachments else ""


class Profile(Struct, frozen=True):
    stats: Stats
    abilities: tuple[Name, ...] = ()
    """In lower case: "rapid fire 1"."""
    name: Name | None = None
    """Where a weapon has several profiles: "supercharge"."""


class Weapon(Struct, frozen=True):
    name: Name
    profiles: Annotated[tuple[Profile, ...], msgspec.Meta(min_length=1, max_length=6)]


class ChartRow(Struct, frozen=True):
    """What some characteristics of a model are while it has so many wounds left, or fewer."""

    wounds: Annotated[int, msgspec.Meta(ge=1, le=100)]
    stats: Stats


class ModelKind(Struct, frozen=True):
    """A kind of model in a unit: what it is, how many of it, and what it carries unless an option changes that."""

    name: Name
    stats: Stats
    base: Annotated[str, msgspec.Meta(max_length=20)]
    """"32mm", "60x35mm", or "hull 6x4" in the system's unit of length."""
    height: Annotated[float, msgspec.Meta(ge=0.2, le=24)]
    min: Count
    max: Annotated[int, msgspec.Meta(ge=1, le=MAX_UNIT)]
    equipment: Items = ()
    invulnerable: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    keywords: tuple[Name, ...] = ()
    """Keywords that only these models of the unit have."""
    chart: Annotated[tuple[ChartRow, ...], msgspec.Meta(max_length=6)] = ()
    """Rows from more wounds to fewer; above the first one `stats` holds."""


class Choice(Struct, frozen=True):
    """What a wargear option gives, and what it costs for each model."""

    items: Items
    points: Points = 0


class Option(Struct, frozen=True):
    """A wargear option: models of a kind replace what they carry, or take something in addition.

    A model uses an option at most once; `count` models may use it, for every full `per` models of the unit if that
    is given. Without a count, every model may.
    """

    by: Annotated[tuple[Choice, ...], msgspec.Meta(min_length=1, max_length=20)]
    who: tuple[Name, ...] = ()
    """Kinds of models; empty for all."""
    replace: Items = ()
    count: Count = 0
    per: Count = 0
    each_once: bool = False
    """No choice may be taken twice (for every full `per` models)."""
    from_size: Count = 0
    """The unit needs at least so many models..."""
    to_size: Count = 0
    """...and has at most so many; 0 for any number."""


class Size(Struct, frozen=True):
    """What a unit of at most so many models costs."""

    models: Annotated[int, msgspec.Meta(ge=1, le=MAX_UNIT)]
    points: Points = 0
    """In systems that count in points."""
    power: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    """Its Power Rating, in systems that have one."""
    of: dict[str, int] = msgspec.field(default_factory=dict)
    """Exactly these models; without it any mix that the kinds of models allow."""
    copy: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """The price from the so-manieth unit of the datasheet in an army on."""


class Passenger(Struct, frozen=True):
    """What is special about some of the models that a transport takes."""

    keyword: Name
    room: Annotated[int, msgspec.Meta(ge=1, le=60)] = 1
    """Places that each of them takes."""
    most: Count = 0
    """At most so many of them; 0 for no limit."""
    from_wounds: Annotated[int, msgspec.Meta(ge=1, le=50)] = 1
    """Only models with so many wounds or more are meant."""


class Transport(Struct, frozen=True):
    capacity: Annotated[int, msgspec.Meta(ge=1, le=240)]
    who: tuple[tuple[Name, ...], ...]
    """Sets of keywords; a passenger has all of at least one set."""
    never: tuple[Name, ...] = ()
    """Keywords of models that cannot get in."""
    special: tuple[Passenger, ...] = ()
    max_wounds: Annotated[int, msgspec.Meta(ge=1, le=50)] | None = None
    """Models with more wounds cannot get in."""


class Psyker(Struct, frozen=True):
    """What a psyker can do in each Psychic phase, and what it knows."""

    casts: Annotated[int, msgspec.Meta(ge=0, le=6)]
    """Powers that it may try to manifest..."""
    denies: Annotated[int, msgspec.Meta(ge=0, le=6)]
    """...and those of the enemy that it may try to deny."""
    powers: tuple[Name, ...] = ("Smite",)
    """Those that it always knows..."""
    more: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    """...and how many further ones of its discipline."""


class Damaged(Struct, frozen=True):
    wounds: Annotated[int, msgspec.Meta(ge=1, le=50)]
    """The effects work while it has so many wounds left, or fewer."""
    effects: Annotated[tuple[AnyEffect, ...], msgspec.Meta(min_length=1)]


class Sheet(Struct, frozen=True):
    """A datasheet: one kind of unit."""

    id: Id
    name: Name
    role: Role
    keywords: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]
    models: Annotated[tuple[ModelKind, ...], msgspec.Meta(min_length=1, max_length=8)]
    points: Annotated[tuple[Size, ...], msgspec.Meta(min_length=1, max_length=16)]
    faction_keywords: tuple[Name, ...] = ()
    """Those of the faction, unless given."""
    core: tuple[Name, ...] = ()
    """Abilities that the system knows by name, in lower case: "deep strike", "feel no pain 5+"."""
    faction_rules: tuple[Name, ...] = ()
    """Rules of the faction that the unit has, by name."""
    abilities: tuple[Ability, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    """Once a pack is loaded, also those of the faction that it uses."""
    options: Annotated[tuple[Option, ...], msgspec.Meta(max_length=16)] = ()
    leads: tuple[Id, ...] = ()
    leads_beside: tuple[Id, ...] = ()
    """Leaders that may be attached to the same unit."""
    transport: Transport | None = None
    damaged: Damaged | None = None
    psyker: Psyker | None = None
    loose: bool = False
    """Its options do not explain every loadout that there is: models carry any of its items, and what no option
    explains is told, but not refused."""
    prices: dict[str, int] = msgspec.field(default_factory=dict)
    """Points for each such item that is carried, in addition to what options cost."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The fewest and the most models of the unit."""
        return sum(kind.min for kind in self.models), max(size.models for size in self.points)

    @property
    def items(self) -> frozenset[str]:
        """All that its models can carry: weapons, and what abilities come with."""
        return frozenset((*(w.name for w in self.weapons), *(a.item for a in self.abilities if a.item)))

    def kind(self, name: str) -> ModelKind | None:
        return next((kind for kind in self.models if kind.name == name), None)

    def weapon(self, name: str) -> Weapon | None:
        return next((weapon for weapon in self.weapons if weapon.name == name), None)


class FactionFile(Struct, frozen=True):
    """factions/ID.yaml: a faction, weapons that several of its datasheets share, and the datasheets."""

    faction: Faction
    sheets: tuple[Sheet, ...]
    weapons: tuple[Weapon, ...] = ()


def problem_of_base(text: str) -> str:
    """What is wrong with a base; empty if nothing is."""
    found = _BASE.fullmatch(text)
    if found is None:
        return f'a base is "32mm", "60x35mm" or "hull 6x4", not "{text}"'
    scale = 1.0 if text.startswith("hull") else MM_PER_INCH
    for size in found.groups():
        if size is not None and not SMALLEST_BASE <= float(size) / scale <= LARGEST_BASE:
            return f'a base measures {SMALLEST_BASE}" to {LARGEST_BASE:.0f}", not {text}'
    return ""
