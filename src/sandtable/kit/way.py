"""Passage: how the models of one unit get about in one move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sandtable.battle.decisions import Path
from sandtable.table.arrange_room import Clear
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Ints
from sandtable.table.moves import Obstacles
from sandtable.table.shapes import Bodies
from sandtable.table.soar import Met

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Manner(Protocol):
    """How models get about: a value of the edition's own, of which services ask this."""

    @property
    def in_turn(self) -> bool:
        """Whether models of one unit are in each other's way, so that they go in the order of the answer."""

    @property
    def soars(self) -> bool:
        """Whether the path leads through the air, past walls and solids and not through them."""


class Way(Protocol):
    """What an edition says about passage, and nothing else: ground, coherency and duties stay in its own judgement.

    An edition implements it as a frozen tuple of plain values (the unit, the kind of move, what is avoided), so that a
    way can be part of what a value is kept under.
    """

    @property
    def unit(self) -> int: ...

    @property
    def move(self) -> str:
        """The kind of move, as answers name it in `Moves.mode`."""

    @property
    def concerns_all(self) -> bool:
        """Whether models that stay are judged by where they stand, too."""

    def manner(self, w: AnyWorld, model: int, path: Path | None) -> Manner:
        """How a model gets about: those of one manner meet the same obstacles, and are judged together."""

    def past(self, w: AnyWorld, manner: Any) -> Obstacles:
        """What stands in the way of who gets about in a manner."""

    def blocks(self, w: AnyWorld, model: int, path: Path | None = None) -> Obstacles:
        """What stands in the way of a model; some go elsewhere by a path of their own, such as one through the air."""

    def ends(self, w: AnyWorld, model: int) -> Obstacles:
        """The same for a model that looks for places among `things`, where its whole base has to find ground."""

    def room(self, w: AnyWorld) -> Clear:
        """Where models may end, for services that arrange a unit among `things`."""

    def things(self, w: AnyWorld, bodies: Bodies) -> Bodies:
        """Models standing as `bodies` says, and whatever else nobody may stand on."""

    def length(self, w: AnyWorld, path: Path) -> float:
        """How far a path takes its model, in grid steps, as the edition measures it."""

    def swing(self, w: AnyWorld, model: int, turned: int) -> float:
        """What turning on the spot by so many steps of a turn takes of a model's way."""

    def straight(self, w: AnyWorld, model: int, end: Sequence[int] | Ints) -> Path | None:
        """The plain way to a place: on foot, up and down, or through the air; None where there is none."""

    def stopped_by(self, w: AnyWorld, path: Path) -> Met | None:
        """What stops a path that leads through the air."""

    def indoors(self, w: AnyWorld, model: int) -> bool:
        """Whether a model goes through walls and floors of buildings, and so from floor to floor."""

    def flies(self, w: AnyWorld, model: int) -> bool:
        """Whether a model passes over others in this move."""

    def together(self, w: AnyWorld, count: int) -> Coherency:
        """How so many models have to stand together."""

    def able(self, w: AnyWorld, model: int) -> bool:
        """Whether a model can move at all."""
