"""Events: all that happens, typed, citing rules.

The first group changes what a player sees: a first view plus these is the current view. The second group tells the
story.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from sandtable.battle.rolls import SHOWN, AnyReading, Read
from sandtable.battle.state import Effect, Result
from sandtable.reasons import Part
from sandtable.table.layout import Feature


class Event(msgspec.Struct, frozen=True, tag_field="event", gc=False):
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


class Rolled(Event, frozen=True, tag="rolled", omit_defaults=True, gc=False):
    """Dice were rolled: what they had to show, why, and what came of it. `battle.rolls` makes a sentence of it."""

    player: int
    reason: str
    faces: tuple[int, ...]
    sides: int = 6
    rules: tuple[str, ...] = ()
    read: AnyReading = SHOWN
    """How the dice are read."""
    again: tuple[int, ...] = ()
    """Where dice were rolled again: what they showed before."""
    standing: tuple[int, ...] = ()
    """Where dice were rolled again: all dice of the roll as they are now."""
    by: str = ""
    """What allowed to roll them again."""

    @property
    def needed(self) -> int:
        """The bare face that is enough, or the number that `total` has to come to; 0 where nothing is needed."""
        return self.read.needed

    @property
    def why(self) -> tuple[Part, ...]:
        """What `needed` is made of, or what is added up to `total`."""
        return self.read.why

    @property
    def noun(self) -> str:
        """What `result` is a number of, or a verdict such as "passed/failed"."""
        return self.read.noun

    @property
    def came(self) -> Read:
        """What came of all dice that stand."""
        return self.read.of(self.standing or self.faces)

    @property
    def made(self) -> int:
        """How many dice show enough; 1 for a total that does."""
        return self.came.made

    @property
    def result(self) -> int:
        """How many hits, saves or mortal wounds came of it, or what the dice come to."""
        return self.came.result

    @property
    def criticals(self) -> int:
        return self.came.criticals

    @property
    def total(self) -> int | None:
        """What the dice come to, with all that is added, where they make one number."""
        return self.came.total


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
