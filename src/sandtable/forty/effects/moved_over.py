"""Passing over enemies: which units a move leads over, for abilities that make something of it."""

from __future__ import annotations

import numpy as np

from sandtable.battle import Moves
from sandtable.forty.effects.occasions import abilities_at
from sandtable.forty.state import Unit, World40
from sandtable.kit.sweeps import sweep
from sandtable.table.moves import Code, obstacles


def moved_over(w: World40, unit: Unit, moves: Moves) -> tuple[int, ...]:
    """The enemy units that models of a unit are about to move over; looked up only where an ability asks."""
    if not w.setup.data.abilities or not abilities_at(w, unit.player, "moved_over"):
        return ()
    paths = {p.model: p for p in moves.paths}
    found = []
    for enemy in w.enemies_of(unit.player):
        theirs = np.zeros(len(w.state.models.place), dtype=np.bool_)
        theirs[w.on_table(enemy)] = True
        # Terrain is no obstacle here: whether the way is open has been judged.
        blocks = obstacles(
            len(theirs),
            w.terrain,
            pass_block=theirs,
            wall_blocks=0,
            solid_blocks=0,
            floor_blocks=0,
            edge=False,
            grounded=False,
        )
        offences = sweep(w, w.bodies, list(paths), paths, blocks) if paths and theirs.any() else []
        if any(offence.code == Code.MODEL for offence in offences):
            found.append(enemy.id)
    return tuple(found)
