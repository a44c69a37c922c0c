"""Events: all that happens, typed, citing rules.

The first group changes what a player sees: a first view plus these is the current view. The second group tells the
story.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from sandtable.battle.state import Effect, Result
from sandtable.table.layout import Feature


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened."""


class Changed(Event, frozen=True, tag="changed"):
    """Fields of a unit, a player, the game or the clock have new values."""

    what: str
    """"unit", "player", "game" or "clock"."""
    id: int
    fields: dict[str, Any]


class Moved(Event, frozen=True, tag="moved"):
    """Models stand somewhere else now."""

    models: tuple[int, ...]
    pos: tuple[tuple[int, int, int], ...]
    facing: tuple[int, ...]


class Placed(Event, frozen=True, tag="placed"):
    """Models came onto the table, went aboard, or left play."""

    models: tuple[int, ...]
    place: int


class Wounded(Event, frozen=True, tag="wounded"):
    """A model has this many wounds left."""

    model: int
    wounds: int


class Marked(Event, frozen=True, tag="marked"):
    """The marks on a model."""

    model: int
    mark: int


class Joined(Event, frozen=True, tag="joined"):
    """Models belong to another unit now."""

    models: tuple[int, ...]
    unit: int


class Affected(Event, frozen=True, tag="affected"):
    """The effects in force."""

    effects: tuple[Effect, ...]


class Built(Event, frozen=True, tag="built"):
    """Terrain came up."""

    features: tuple[Feature, ...]


class Ended(Event, frozen=True, tag="ended"):
    """The battle is over."""

    result: Result


class Asked(Event, frozen=True, tag="asked"):
    """A question is open."""

    decision: int
    player: int
    kind: str


class Answered(Event, frozen=True, tag="answered"):
    """A player has decided."""

    decision: int
    player: int
    kind: str
    answer: Any
    secret: bool = False
    """Only the player who gave it may see it."""


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice were rolled."""

    player: int
    reason: str
    faces: tuple[int, ...]
    sides: int = 6
    rules: tuple[str, ...] = ()


class Told(Event, frozen=True, tag="told"):
    """What happened, as a sentence for the account and as data for programs."""

    kind: str
    text: str
    rules: tuple[str, ...] = ()
    units: tuple[int, ...] = ()
    data: dict[str, Any] = {}


class Ruled(Event, frozen=True, tag="ruled"):
    """The players agreed on a correction."""

    text: str


AnyEvent: TypeAlias = (
    Changed
    | Moved
    | Placed
    | Wounded
    | Marked
    | Joined
    | Affected
    | Built
    | Ended
    | Asked
    | Answered
    | Rolled
    | Told
    | Ruled
)
