"""Moves that somebody leads: the model that is moved first ends near whom the unit seeks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sandtable.battle.decisions import Moves
from sandtable.kit.closing.contact import Contact, near, sought
from sandtable.kit.closing.in_force import all_close_in, around_things, beside_others, one_alone
from sandtable.kit.closing.joining import joined
from sandtable.kit.moving import after

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


def led(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """Attempts at a move, with somebody first who ends as near as the contact asks for."""
    for attempt in (all_close_in, beside_others, around_things, joined, one_alone):
        for moves in attempt(w, c):
            yield leader_first(w, c, moves)


def leader_first(w: AnyWorld, c: Contact, moves: Moves) -> Moves:
    """The same move in an order in which the first model ends near enough, if anybody does."""
    assert c.reach is not None, "nobody must be reached"
    models = np.array([p.model for p in moves.paths], dtype=np.int64)
    leads = near(w, after(w, moves), models, sought(w, c), c.reach).tolist()
    first = leads.index(True) if True in leads else 0
    return Moves(moves.mode, (*moves.paths[first : first + 1], *moves.paths[:first], *moves.paths[first + 1 :]))
