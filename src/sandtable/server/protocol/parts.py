"""What messages are made of: numbers and words within limits, the table, the board, and what lies on it."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from sandtable.battle.decisions import MAX_COORDINATE, MAX_ITEMS
from sandtable.battle.state import Effect
from sandtable.battle.system import Aura, Briefing, ByHand, DeploymentZone, Mark, Reminder, Ring
from sandtable.table.layout import Feature, Table
from sandtable.table.shapes import Shape

Number: TypeAlias = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Secret: TypeAlias = Annotated[str, Meta(max_length=100)]
Word: TypeAlias = Annotated[str, Meta(max_length=100)]
Nonce: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


class Queued(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a question that is still to come."""

    kind: Word
    """Of the question."""
    unit: Number
    """That it is about; -1 for none."""
    answer: Any


class Fall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which order the models of a unit fall."""

    unit: Number
    models: Annotated[tuple[Number, ...], Meta(max_length=MAX_ITEMS)]
    """Whoever is first takes what one of the unit must; without any the player is asked."""


class Shown(msgspec.Struct, frozen=True):
    """The state of a battle as a seat may see it; what it may not know is null."""

    models: list[list[int]]
    """For each model x, y, z, facing, wounds, place, mark and unit. Places: 0 off, 1 on the table, 2 aboard, 3 gone."""
    units: list[Any]
    """The system's units; all have `id`, `player`, `name` and `models`."""
    players: list[Any]
    """The system's players; all have `id`, `name` and `side`."""
    game: Any
    """What the system keeps beside."""
    segment: str
    step: int
    round: int
    active: int
    effects: tuple[Effect, ...]
    features: tuple[Feature, ...]
    """Terrain that came up during the battle."""


class Board(msgspec.Struct, frozen=True):
    """What is drawn beside the models, the same for everybody."""

    objectives: list[tuple[int, int, int, int, str, int]]
    """x, y, radius, reach, label, look of the side that holds it or -1"""
    marks: list[tuple[Mark, ...]]
    """For each unit what its badge says."""
    numbers: list[tuple[tuple[str, int], ...]]
    """For each player what the score board says."""
    score: list[str]
    """How the battle stands, in lines."""
    phase: str
    round_name: str
    """What a round of the battle is called."""
    zones: list[DeploymentZone]
    rounds: list[list[tuple[tuple[str, int], ...]]]
    """What the score board said before each round began, for each player."""
    reminders: list[Reminder]
    """What is left to the players in this phase, because nothing enforces it."""
    mission: Briefing | None
    """What the battle is about; null where there is no mission, or none yet."""


class Waiting(msgspec.Struct, frozen=True):
    """A question that is open for somebody."""

    decision: int
    player: int
    kind: str


class AtTable(msgspec.Struct, frozen=True):
    """Who sits at the table."""

    player: int
    name: str
    side: int
    plays: str
    """`person`, or the name of a computer player."""
    taken: bool
    """Whether somebody holds the seat; not while its invitation is open."""


class Clock(msgspec.Struct, frozen=True):
    """A player's chess clock."""

    player: int
    left: float
    """Seconds."""
    running: bool
    fallen: bool
    """No time is left: standing orders, or the usual answers, decide for this seat."""
    increment: float
    """Seconds that each phase of the player's own turn adds."""


class Ground(msgspec.Struct, frozen=True):
    """What does not change while a battle is played."""

    system: str
    name: str
    """Of the system."""
    unit: str
    """Of length: in or cm."""
    table: Table
    shapes: tuple[Shape, ...]
    shape_of: tuple[int, ...]
    """For each model its row of `shapes`."""
    wounds: tuple[int, ...]
    """For each model how many it has when it is whole."""
    options: dict[str, str]
    armies: tuple[str, ...]
    labels: list[str]
    """For each unit a short label."""
    rings: tuple[Ring, ...]
    """Distances that players look at while they move."""
    auras: tuple[Aura, ...]
    """What helps friends within a distance."""
    by_hand: tuple[ByHand, ...]
    """All that is left to the players, those of a datasheet together."""
    measuring: bool
    """Whether distances may be measured at any time; else `reach`, `chance`, `outlook` and `odds` may be refused."""
    modifiers: list[tuple[str, int, int]]
    """Those that players may agree on, with their least and largest values."""
    file: str
    """The title of the scenario file that the battle goes on from; empty without one."""
    question: str
    """What the author of that file wants to know."""


class Switch(msgspec.Struct, frozen=True):
    """An option of the battle that settles how a rule is read."""

    name: str
    values: tuple[str, ...]
    """The usual one comes first."""
    text: str


class Need(msgspec.Struct, frozen=True):
    """A rule that another one builds on."""

    id: str
    name: str


class Proved(msgspec.Struct, frozen=True):
    """A scenario that proves a rule; `/api/scenarios/` and its id give its text."""

    id: str
    title: str


class Tested(msgspec.Struct, frozen=True):
    """A test that names a rule."""

    name: str
    """What it shows, in words."""
    file: str
    """Where it stands in a checkout."""


class Rule(msgspec.Struct, frozen=True):
    """A rule in our words."""

    id: str
    name: str
    where: str
    """Its heading in the book."""
    text: str
    note: str
    """The reading that is taken, where there are several."""
    options: list[Switch]
    """Options by which another reading is taken."""
    edition: str
    """Of the text that it was written from..."""
    dated: str
    """...and when that was published, or last changed."""
    link: str
    """Where this server shows the rule, for who wants to pass it on."""
    needs: tuple[Need, ...]
    """Those that it builds on, the first one first."""
    proofs: tuple[Proved, ...]
    """Scenarios that prove it, where this server has them."""
    beneath: tuple[str, ...] = ()
    """The ids of all that it builds on, at whatever remove; none that builds on it in turn."""
    tests: tuple[Tested, ...] = ()
    """Tests that name it, where this server comes from a checkout; not in a quick reference."""


class Idea(msgspec.Struct, frozen=True):
    """A legal answer."""

    answer: Any
    said: str
    """In words."""
    why: str
    worth: float


class Seen(msgspec.Struct, frozen=True):
    """What one model sees of another: a clear line where there is one."""

    model: int
    target: int
    line: tuple[int, int, int, int] | None
    """x, y on the one and x, y on the other; null where nothing is seen."""
    fully: bool
