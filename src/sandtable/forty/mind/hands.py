"""What a unit can strike with, where its blows are declared in one answer (see `forty.striking`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.battle import Assign, Assignment
from sandtable.forty.mind.mind import Hands
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40, weapons_of
from sandtable.forty.striking import Striking, deal_out, rows_in


def hands(w: World40, d: Assign) -> list[Hands]:
    """What stands behind the rows of the question whom a unit strikes."""
    return [Hands(len(row), row[0].model, (row[0].weapon,), row[0].targets, row) for row in rows_in(w, d)]


def legal_blows(w: World40, rows: Sequence[Hands], wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """For each row as many weapons as models are free."""
    return deal_out([row.made_of for row in rows], wanted, w.system.seam(Striking).things)


def blows(w: World40, model: int, target: Any) -> list[Shot]:
    """What a model could strike a target with, one after the other of its weapons."""
    at = w.system.seam(Striking).blow_at(w, target)
    return [replace(at, model=model, weapon=x) for x in weapons_of(w, model) if x.is_melee]
