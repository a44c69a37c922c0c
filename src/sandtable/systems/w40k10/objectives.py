"""Objective markers: range, Level of Control, and who controls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.armies.effects import Characteristic
from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.effects.at_work import Active
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.state import called
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit, World10, markers_of, sheet_of
from sandtable.table.grid import OVERLAP, Bools, Floats, Ints, steps, units
from sandtable.table.measure import gaps
from sandtable.table.shapes import Bodies, Shape, round_base

MARKER: Final[Shape] = round_base(40 / 25.4, 0.1)
"""A marker is a disc of 40 mm; every set-up has its shape as the last row of `shapes`."""
RANGE: Final = steps(3)
HEIGHT: Final = steps(5)


def marker_shape(w: World10) -> int:
    """The row of a marker's shape."""
    return len(w.setup.shapes) - 1


@rule("w40k10.objective.marker", neutral=np.float64(0.0))
def gaps_to_markers(w: World10, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Floats:
    """Horizontal gaps between models and the edges of markers, [model, marker]; below 0 where a base is on one."""
    n, lying = len(models), _lying(w, tuple(markers))
    rows = np.arange(n + len(lying.pos))
    both = Bodies(
        np.concatenate((bodies.pos[models], lying.pos)),
        np.concatenate((bodies.facing[models], lying.facing)),
        np.concatenate((bodies.shape[models], lying.shape)),
    )
    return np.asarray(gaps(both, w.shapes, rows[:n], rows[n:]))


def _lying(w: World10, markers: tuple[int, ...]) -> Bodies:
    """Markers as bodies, for measuring."""
    spots = markers_of(w)

    def look() -> Bodies:
        none = np.zeros(len(markers), dtype=np.int64)
        pos = np.array([spots[m] for m in markers], dtype=np.int64).reshape(-1, 3)
        return Bodies(pos, none, none + marker_shape(w))

    return w.fixed(("markers", spots, markers), look)


def gap_to_marker(w: World10, bodies: Bodies, models: Ints, marker: int) -> Floats:
    """The same for one marker."""
    found = gaps_to_markers(w, bodies, models, (marker,))
    return found[:, 0] if found.ndim else found


def with_markers(w: World10, bodies: Bodies) -> Bodies:
    """Bodies with the markers on the table after the models, for the services that look for room beside both."""
    lying = _lying(w, tuple(markers_left(w)))
    return Bodies(
        np.concatenate((bodies.pos, lying.pos)),
        np.concatenate((bodies.facing, lying.facing)),
        np.concatenate((bodies.shape, lying.shape)),
    )


def markers_left(w: World10) -> list[int]:
    """The markers that have not been taken off the table."""
    return [m for m in range(len(markers_of(w))) if m not in w.state.game.removed]


def on_the_table(w: World10) -> list[tuple[int, int, int]]:
    """Where these lie."""
    spots = markers_of(w)
    return [spots[m] for m in markers_left(w)]


def beside_markers(w: World10, flags: Ints, value: int) -> Ints:
    """Flags of models with those of the markers after them."""
    return np.concatenate((flags, np.full(len(on_the_table(w)), value, dtype=np.int64)))


@rule("w40k10.objective.range", neutral=np.bool_(True))
def in_range_of(w: World10, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bools:
    """Which models are within range of which markers, [model, marker]."""
    spots = markers_of(w)
    low = bodies.pos[models, 2][:, None]
    high = low + w.shapes.thick[bodies.shape[models]][:, None]
    z = np.array([spots[m][2] for m in markers], dtype=np.int64)
    rise = np.maximum(low - z, z - high)
    return np.asarray((gaps_to_markers(w, bodies, models, markers) <= RANGE) & (rise <= HEIGHT))


def in_range(w: World10, bodies: Bodies, models: Ints, marker: int) -> Bools:
    """Which models are within range of a marker."""
    found = in_range_of(w, bodies, models, (marker,))
    return found[:, 0] if found.ndim else found


@rule("w40k10.command.battleshock_oc", neutral=False)
def loses_control(unit: Unit) -> bool:
    """A Battle-shocked unit has an Objective Control of 0."""
    return unit.battle_shocked


@rule("w40k10.objective.level_of_control", neutral=0)
def level_of_control(w: World10, player: int, marker: int) -> int:
    """The sum of the Objective Control of a player's models within range."""
    level = 0
    changes: dict[int, tuple[Active[Characteristic], ...]] = {}
    owner, every = w.state.models.unit, w.state.units
    for m in near_models(w, marker):
        unit = every[owner[m]]
        if unit.player == player and not loses_control(unit):
            if unit.id not in changes:
                changes[unit.id] = changes_of(w, unit, "OC")
            level += changed(w, changes[unit.id], m, "OC", sheet_of(w, m).oc)
    return level


def near_models(w: World10, marker: int) -> tuple[int, ...]:
    """The models within range of a marker."""

    def look() -> list[tuple[int, ...]]:
        models, number = w.all_on_table(), len(markers_of(w))
        near = in_range_of(w, w.bodies, models, range(number))
        return [tuple((models[near[:, m]] if near.ndim else models).tolist()) for m in range(number)]

    return w.cached(("near_markers", markers_of(w)), look)[marker]


def markers_near(w: World10, unit: Unit) -> tuple[int, ...]:
    """The objective markers that a unit is within range of."""

    def look() -> tuple[int, ...]:
        return tuple(
            marker for marker in range(len(markers_of(w))) if any(m in unit.models for m in near_models(w, marker))
        )

    near = w.cached(("markers_near", unit.id, markers_of(w)), look)
    return tuple(marker for marker in near if marker not in w.state.game.removed)


def controls(w: World10, unit: Unit) -> bool:
    """Whether a unit is within range of an objective marker that its player controls."""
    control = w.state.game.control
    return any(marker < len(control) and control[marker] == unit.player for marker in markers_near(w, unit))


@rule("w40k10.objective.control", neutral=-1)
def controller(w: World10, marker: int) -> int:
    """Who controls a marker: the player with the greatest Level of Control; -1 when it is contested."""
    if marker in w.state.game.removed:
        return -1
    levels = [level_of_control(w, p.id, marker) for p in w.state.players]
    best = max(levels)
    return levels.index(best) if levels.count(best) == 1 else keeper(w, marker, levels)


def keeper(w: World10, marker: int, levels: Sequence[int]) -> int:
    """Who keeps a marker that nobody outnumbers them at, by an ability; -1 where nobody does."""
    who = w.state.game.secured[marker] if w.state.game.secured else -1
    return who if who >= 0 and levels[who] == max(levels) else -1


def settle(b: Battle10) -> None:
    """At the end of each phase it is settled who controls the markers."""
    markers = markers_of(b)
    if not markers:
        return
    now = tuple(controller(b, m) for m in range(len(markers)))
    before = b.state.game.control or (-1,) * len(markers)
    if now == before:
        return
    b.set_game(control=now)
    for m, (old, new) in enumerate(zip(before, now, strict=True)):
        if old != new:
            who = f"is controlled by {b.player(new).name}" if new >= 0 else "is contested"
            b.tell("control", f"Objective {m + 1} {who}.", "w40k10.objective.control", marker=m, player=new)
    # Who has lost a marker to the enemy keeps it no longer.
    kept = tuple(p if p == new else -1 for p, new in zip(b.state.game.secured, now, strict=False))
    if kept != b.state.game.secured:
        b.set_game(secured=kept)


@rule("w40k10.objective.movement", neutral=ALLOWED)
def check_off_markers(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """No move ends on a marker."""
    markers = markers_left(w)
    if not markers:
        return ALLOWED
    found = gaps_to_markers(w, bodies, models, markers)
    if not (found < OVERLAP).any():
        return ALLOWED
    return refuse(_on_a_marker(w, models, markers, found), "w40k10.objective.movement")


def _on_a_marker(w: World10, models: Ints, markers: Sequence[int], found: Floats) -> str:
    """Who would end on which marker, and by how much."""
    row, column = (int(i) for i in np.unravel_index(found.argmin(), found.shape))
    by = f'{units(-float(found[row, column])):.2f}"'
    return f"{called(w, int(models[row]))} would end on objective marker {markers[column] + 1}, by {by}."
