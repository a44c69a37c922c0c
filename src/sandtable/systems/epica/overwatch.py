"""Overwatch: lying in wait, and firing in the middle of the enemy's action."""

from __future__ import annotations

from typing import Any

from sandtable.battle.decisions import Option, Value
from sandtable.battle.system import Moment, Reaction
from sandtable.battle.verdict import Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.epica.movement import MOVE_COMPLETED
from sandtable.systems.epica.shooting import can_shoot_at, shoot_at
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation


@rule("epica.overwatch.enter", "epica.action.overwatch")
def go_on_overwatch(b: EpicBattle, formation: Formation) -> None:
    """A formation that passed its test lies in wait."""
    b.set_unit(formation, overwatch=True)
    b.tell("on overwatch", f"{formation.name} go on overwatch.", "epica.overwatch.enter", units=[formation.id])


def may_fire_overwatch(world: EpicWorld, formation: Formation, mover: Formation) -> Verdict:
    """Whether a formation may fire at one that has just completed a move."""
    if not formation.overwatch:
        return refuse(f"{formation.name} is not on overwatch.", "epica.overwatch.trigger")
    if not world.are_enemies(formation, mover):
        return refuse(f"{mover.name} is no enemy.", "epica.overwatch.target")
    return can_shoot_at(world, formation, mover)


def _lies_in_wait(world: EpicWorld, player: int, moment: Moment) -> bool:
    return any(f.overwatch and world.are_enemies(f, world.unit(moment.unit)) for f in world.units_of(player))


@rule(
    "epica.overwatch.trigger",
    "epica.overwatch.between_moves",
    "epica.overwatch.stationary",
    "epica.overwatch.not_triggered",
    neutral=(),
)
def watchers(world: EpicWorld, player: int, moment: Moment) -> list[Option]:
    """The formations of a player that may fire now."""
    mover = world.unit(moment.unit)
    return [Option(f.id, f.name) for f in world.units_of(player) if may_fire_overwatch(world, f, mover)]


@rule("epica.overwatch.target")
async def fire_overwatch(b: EpicBattle, player: int, moment: Moment, use: Value) -> None:
    """Fire at the formation that moved; after that the formation is no longer on overwatch."""
    formation, mover = b.unit(int(use)), b.unit(moment.unit)
    b.tell(
        "overwatch",
        f"{formation.name} fire overwatch at {mover.name}.",
        "epica.overwatch.trigger",
        units=[formation.id, mover.id],
    )
    await shoot_at(b, formation, mover, "overwatch")
    end_overwatch(b, formation)


def end_overwatch(b: EpicBattle, formation: Formation) -> None:
    """The shots are fired; in a later turn than the one it was set up in, they are that turn's action."""
    b.set_unit(formation, overwatch=False, **uses_up_action(formation))


@rule("epica.overwatch.next_turn", neutral={})
def uses_up_action(formation: Formation) -> dict[str, Any]:
    """What overwatch fire does to the formation's action of this turn, if it still has one."""
    return {} if formation.acted else {"acted": True, "action": "overwatch fire"}


@rule("epica.overwatch.duration", "epica.overwatch.next_turn")
def give_up_overwatch(b: EpicBattle, formation: Formation) -> None:
    """A formation that takes a new action is no longer on overwatch."""
    if formation.overwatch:
        b.set_unit(formation, overwatch=False)


REACTION = Reaction(
    name="Overwatch",
    trigger=MOVE_COMPLETED,
    flow=fire_overwatch,
    guard=_lies_in_wait,
    uses=watchers,
    rules=("epica.overwatch.trigger",),
)
