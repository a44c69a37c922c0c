"""Charge moves in tests: what the judge says of one, and what the search finds."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.battle import Moves, Verdict
from sandtable.kit.closing.least import Least, least_roll, possible
from sandtable.systems.w40k10 import charge_move
from sandtable.systems.w40k10.state import Battle10, Unit


def meets_conditions(b: Battle10, unit: Unit, targets: Sequence[Unit], far: int, moves: Moves) -> Verdict:
    """The judge without the duty to touch."""
    return charge_move.judge_conditions(b, charge_move.charge_move_of(b, unit, targets, far), moves)


def is_legal(b: Battle10, unit: Unit, targets: Sequence[Unit], far: int, moves: Moves) -> Verdict:
    """The judge with it."""
    return charge_move.judge_charge_move(b, charge_move.charge_move_of(b, unit, targets, far), moves)


def possible_charge(b: Battle10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """A move that meets the conditions."""
    return possible(b, charge_move.charge_move_of(b, unit, targets, far))


def least_charge(b: Battle10, unit: Unit, targets: Sequence[Unit]) -> Least:
    """The lowest roll that is enough, before anything is added to it."""
    return least_roll(b, charge_move.charge_move_of(b, unit, targets), charge_move.highest_roll())
