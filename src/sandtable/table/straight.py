"""The straight way of a model to a place, asked for many places in a scene that was gathered once."""

from __future__ import annotations

from sandtable.kernels import kernel
from sandtable.table.layout import Terrain
from sandtable.table.moves_ground import walkable
from sandtable.table.moves_scene import OK, Scene, go_offence


@kernel
def is_open(
    terrain: Terrain, scene: Scene, grounded: bool, slant: bool, x: int, y: int, z: int, tx: int, ty: int, tz: int
) -> bool:
    """Whether the mover of a scene gets to a place straight on, climbing down before or up after; or through the air.

    With `slant` it goes to another height in one straight line.
    """
    low = min(z, tz)
    for leg in range(3):
        nx, ny, nz = tx, ty, tz
        if not slant and leg == 0:
            nx, ny, nz = x, y, low
        elif not slant and leg == 1:
            nz = low
        if nx == x and ny == y and nz == z:
            continue
        code, _ = go_offence(scene, x, y, z, nx, ny, nz)
        if code != OK or (grounded and nz > 0 and not walkable(terrain, scene, x, y, z, nx, ny, nz)):
            return False
        x, y, z = nx, ny, nz
    return True
