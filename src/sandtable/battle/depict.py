"""A world as a picture: what stands on the table, whose it is, and what a caller wants shown on top.

A player's view gives a picture of what that player may know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from sandtable.battle.state import TABLE, State
from sandtable.table.grid import Ints
from sandtable.table.picture import Arrow, Badge, Model, Objective, Picture, Sight

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

#: Looks by the name of their colour, as `table.picture_style` has them.
COLOURS: Final = {"red": 0, "blue": 1, "green": 2, "purple": 3}


def depict(
    world: AnyWorld,
    *,
    title: str = "",
    caption: str = "",
    before: State[Any, Any, Any] | None = None,
    sights: Sequence[Sight] = (),
    highlight: Collection[int] = (),
) -> Picture:
    """The picture of a world.

    `before` is an earlier state: units that stand elsewhere now get an arrow. `highlight` names units.
    """
    look = looks(world)
    on_table = [u for u in world.units() if world.is_on_table(u)]
    return Picture(
        world.table,
        models=tuple(m for u in on_table for m in _models(world, u, look, u.id in highlight)),
        badges=tuple(_badge(world, u, look, u.id in highlight) for u in on_table),
        objectives=_objectives(world, look),
        arrows=tuple(a for u in on_table if before is not None for a in _arrows(world, before, u, look)),
        sights=tuple(sights),
        sides=_side_names(world, look),
        title=title,
        caption=caption or _caption(world),
    )


def looks(world: AnyWorld) -> list[int]:
    """The look of each side; one whose player is called by a colour gets that colour."""
    count = 1 + max((p.side for p in world.state.players), default=-1)
    looks = list(range(count))
    for player in world.state.players:
        wanted = COLOURS.get(player.name.casefold(), count)
        if wanted < count:
            other = looks.index(wanted)
            looks[other], looks[player.side] = looks[player.side], wanted
    return looks


def _side_names(world: AnyWorld, looks: list[int]) -> tuple[str, ...]:
    """Names for the legend, in the order of the looks."""
    names = [f"side {side}" for side in range(len(looks))]
    for side, look in enumerate(looks):
        names[look] = " and ".join(p.name for p in world.state.players if p.side == side) or names[look]
    return tuple(names)


def _objectives(world: AnyWorld, looks: list[int]) -> tuple[Objective, ...]:
    if world.system.objectives is None:
        return ()
    return tuple(
        msgspec.structs.replace(o, side=looks[o.side]) if 0 <= o.side < len(looks) else o
        for o in world.system.objectives(world)
    )


def _caption(world: AnyWorld) -> str:
    state = world.state
    if state.result is not None:
        return f"Ended: {state.result.reason}"
    if not state.round:
        return "Before the battle"
    system = world.system
    return system.whose_turn.format(round=f"{system.round_name} {state.round}", player=world.player(state.active).name)


def _key(unit: Any) -> str:
    """Names may stand twice on a table; the picture groups models by this."""
    return f"unit-{unit.id}"


def _models(world: AnyWorld, unit: Any, looks: list[int], highlight: bool) -> list[Model]:
    models, setup = world.state.models, world.setup
    tip = world.system.describe(world, unit) if world.system.describe else unit.name
    out = []
    for m in world.on_table(unit).tolist():
        x, y, z = (int(v) for v in models.pos[m])
        shape = setup.shapes[setup.shape_of[m]]
        out.append(
            Model(
                x,
                y,
                shape,
                side=looks[world.side(unit.player)],
                z=z,
                facing=int(models.facing[m]),
                unit=_key(unit),
                tip=tip,
                highlight=highlight,
            )
        )
    return out


def _badge(world: AnyWorld, unit: Any, looks: list[int], highlight: bool) -> Badge:
    alive = len(world.on_table(unit))
    of = world.system.strength(world, unit) if world.system.strength else len(unit.models)
    marks = (f"{alive}/{of}",) if alive < of else ()
    return Badge(_key(unit), unit.name, side=looks[world.side(unit.player)], marks=marks, highlight=highlight)


def _arrows(world: AnyWorld, before: State[Any, Any, Any], unit: Any, looks: list[int]) -> list[Arrow]:
    """From where the unit's middle was to where it is, over the models that stood on the table both times."""
    both = [m for m in world.on_table(unit).tolist() if before.models.place[m] == TABLE]
    if not both:
        return []
    then, now = before.models.pos[both], world.state.models.pos[both]
    if bool((then[:, :2] == now[:, :2]).all()):
        return []
    return [Arrow((_middle(then), _middle(now)), side=looks[world.side(unit.player)])]


def _middle(pos: Ints) -> tuple[int, int]:
    return int(np.mean(pos[:, 0])), int(np.mean(pos[:, 1]))
