"""Passing over enemies: which units a move leads over, for abilities that make something of it."""

from __future__ import annotations

import msgspec
import numpy as np

from sandtable.battle import Moves, Path
from sandtable.forty.effects.occasions import abilities_at
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Unit, World40
from sandtable.kit.sweeps import sweep
from sandtable.table.grid import Bools
from sandtable.table.moves import Code, obstacles
from sandtable.table.shapes import Bodies


def moved_over(w: World40, unit: Unit, moves: Moves) -> tuple[int, ...]:
    """The enemy units that models of a unit are about to move over; looked up only where an ability asks.

    That is seen from above: who goes from roof to roof passes over those on the ground.
    """
    if not w.setup.data.abilities or not abilities_at(w, unit.player, "moved_over"):
        return ()
    paths = {p.model: _flat(p) for p in moves.paths}
    flat = Bodies(w.bodies.pos * (1, 1, 0), w.bodies.facing, w.bodies.shape)
    below, found = _below(w, moves), []
    for enemy in w.enemies_of(unit.player):
        theirs = np.zeros(len(w.state.models.place), dtype=np.bool_)
        theirs[w.on_table(enemy)] = True
        theirs &= below
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
        offences = sweep(w, flat, list(paths), paths, blocks) if paths and theirs.any() else []
        if any(offence.code == Code.MODEL for offence in offences):
            found.append(enemy.id)
    return tuple(found)


def _flat(path: Path) -> Path:
    """A path as it is seen from above."""
    return Path(path.model, tuple(msgspec.structs.replace(leg, z=0) for leg in path.legs))


def _below(w: World40, moves: Moves) -> Bools:
    """Which models a move can lead over: all of them for who can FLY, else those that stand no higher."""
    flies, z = w.system.seam(Words).model_has_keyword, w.state.models.pos[:, 2]
    if any(flies(w, p.model, "FLY") for p in moves.paths):
        return np.ones(len(z), dtype=np.bool_)
    highest = max([0, *(int(z[p.model]) for p in moves.paths), *(leg.z for p in moves.paths for leg in p.legs)])
    return np.asarray(z <= highest)
