"""Stratagems by which somebody throws something at somebody: who at whom, and with how much effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sandtable.battle import Moment, Option, Value
from sandtable.battle.rolls import Each
from sandtable.forty.state import Battle40


class Throw(NamedTuple):
    """A use of a Stratagem by somebody on somebody: who throws something, and at whom."""

    thrower: int
    enemy: int

    @property
    def value(self) -> str:
        """The value of its option."""
        return f"{self.thrower}>{self.enemy}"

    @classmethod
    def of(cls, value: Value) -> Throw:
        """What the value of an option stands for."""
        thrower, _, enemy = str(value).partition(">")
        return cls(int(thrower), int(enemy))


def throws(
    b: Battle40, player: int, may_throw: Callable[[Any, Any], object], may_be_hit: Callable[[Any, Any, Any], object]
) -> list[Option]:
    """One option for each unit of a player that may throw something and each enemy that it may throw it at."""
    return [
        Option(Throw(unit.id, enemy.id).value, f"{unit.name} at {enemy.name}")
        for unit in b.units_of(player)
        if may_throw(b, unit)
        for enemy in b.enemies_of(player)
        if b.is_on_table(enemy) and may_be_hit(b, unit, enemy)
    ]


def the_thrower(_b: Battle40, _player: int, _moment: Moment, value: Value) -> int:
    """The unit that throws something, by the value of the option."""
    return Throw.of(value).thrower


def roll_for_wounds(b: Battle40, player: int, dice: int, kind: str, needed: int, rule: str) -> int:
    """Roll dice of which each with the face that is needed, or more, is a mortal wound; tells how many."""
    read = Each("mortal wound(s)", needed=needed)
    return sum(face >= needed for face in b.roll(dice, kind, player, rules=(rule,), read=read))
