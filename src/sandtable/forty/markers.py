"""Objective markers: where they lie, who is near them, and who controls them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.battle.verdict import Reason, Verdict
from sandtable.forty.state import Battle40, Unit, World40, called
from sandtable.kit.cites import Length
from sandtable.kit.flags import enemy_units
from sandtable.kit.ideas import middle_of
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.measure import distances, gaps
from sandtable.table.picture import Objective
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone

NOBODY = -1


@dataclass(frozen=True)
class Control:
    """What an edition says about objective markers.

    Each set-up of such an edition has the shape of a marker as the last row of its `shapes`: a disc where distances go
    to its edge, and a point where they go to its middle.
    """

    near: Callable[[Any, Bodies, Ints, Sequence[int]], Bools]
    """(world, bodies, models, markers): who counts as near which marker, [model, marker]."""
    controller: Callable[[Any, int], int]
    """(world, marker): the player who controls it now, or -1."""
    rule: str
    """What settling control cites."""
    reach: Callable[[], int]
    """How far on the flat that is, for pictures."""
    lasting: bool = True
    """Whether it stays as it was settled last; else it is whoever controls it by where all stand."""


def worth_going_to(w: World40, player: int) -> list[tuple[int, int]]:
    """What units of a player may want to get near to: enemies and markers."""
    return [middle_of(w, w.unit(e)) for e in enemy_units(w, player)] + [(x, y) for x, y, _ in on_the_table(w)]


# --- Where they lie ---------------------------------------------------------------------------------------------------


def markers_of(w: World40) -> tuple[tuple[int, int, int], ...]:
    """Where the objective markers lie, also those that were taken off the table."""
    data, game = w.setup.data, w.state.game
    spots: tuple[tuple[int, int, int], ...] = game.markers or (
        data.objectives if game.wish < 0 else data.wishes[game.wish].objectives
    )
    return spots


def markers_left(w: World40) -> list[int]:
    """The markers that have not been taken off the table."""
    return [m for m in range(len(markers_of(w))) if m not in w.state.game.removed]


def on_the_table(w: World40) -> list[tuple[int, int, int]]:
    """Where these lie."""
    spots = markers_of(w)
    return [spots[m] for m in markers_left(w)]


@kept(SETUP)
def bodies_at(w: World40, spots: tuple[tuple[int, int, int], ...]) -> Bodies:
    """Markers at these places as bodies, for measuring."""
    none = np.zeros(len(spots), dtype=np.int64)
    return Bodies(np.array(spots, dtype=np.int64).reshape(-1, 3), none, none + len(w.setup.shapes) - 1)


def with_markers(w: World40, bodies: Bodies) -> Bodies:
    """Bodies with the markers on the table after the models, for the services that look for room beside both."""
    lying = bodies_at(w, tuple(on_the_table(w)))
    return Bodies(
        np.concatenate((bodies.pos, lying.pos)),
        np.concatenate((bodies.facing, lying.facing)),
        np.concatenate((bodies.shape, lying.shape)),
    )


# --- Who is near ------------------------------------------------------------------------------------------------------


def gaps_between(w: World40, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Floats:
    """Horizontal gaps between models and markers, [model, marker]; below 0 where a base is on one."""
    n, both = len(models), _beside_each_other(w, bodies, models, markers)
    rows = np.arange(len(both.pos))
    return np.asarray(gaps(both, w.shapes, rows[:n], rows[n:]))


def distances_between(w: World40, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Floats:
    """Distances in space between models and markers, [model, marker]."""
    n, both = len(models), _beside_each_other(w, bodies, models, markers)
    rows = np.arange(len(both.pos))
    return np.asarray(distances(both, w.shapes, rows[:n], rows[n:]))


def _beside_each_other(w: World40, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bodies:
    """Models with markers after them."""
    spots = markers_of(w)
    lying = bodies_at(w, tuple([spots[m] for m in markers]))
    return Bodies(
        np.concatenate((bodies.pos[models], lying.pos)),
        np.concatenate((bodies.facing[models], lying.facing)),
        np.concatenate((bodies.shape[models], lying.shape)),
    )


def in_zone(w: World40, bodies: Bodies, models: Ints, markers: Sequence[int], found: Floats, zone: Zone) -> Bools:
    """Which models are within a zone of which markers, where the horizontal gaps are known."""
    spots = markers_of(w)
    low = bodies.pos[models, 2][:, None]
    high = low + w.shapes.thick[bodies.shape[models]][:, None]
    z = np.array([spots[m][2] for m in markers], dtype=np.int64)
    rise = np.maximum(low - z, z - high)
    return np.asarray((found <= zone.flat) & (rise <= zone.up))


def near_models(w: World40, marker: int) -> tuple[int, ...]:
    """The models that count as near a marker."""
    return _near_each(w, markers_of(w))[marker]


@kept(PLACES)
def _near_each(w: World40, spots: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, ...], ...]:
    models = w.all_on_table()
    near = w.system.seam(Control).near(w, w.bodies, models, range(len(spots)))
    return tuple([tuple((models[near[:, m]] if near.ndim else models).tolist()) for m in range(len(spots))])


def markers_near(w: World40, unit: Unit) -> tuple[int, ...]:
    """The objective markers on the table that a unit is near."""
    return tuple([m for m in _markers_near(w, unit, markers_of(w)) if m not in w.state.game.removed])


@kept(PLACES)
def _markers_near(w: World40, unit: Unit, spots: tuple[tuple[int, int, int], ...]) -> tuple[int, ...]:
    near = enumerate(_near_each(w, spots))
    return tuple([marker for marker, models in near if any(m in unit.models for m in models)])


def on_a_marker(w: World40, models: Ints, markers: Sequence[int], found: Floats, rule_: str) -> Verdict:
    """That a model would end on a marker, and by how much."""
    row, column = (int(i) for i in np.unravel_index(found.argmin(), found.shape))
    by = Length(w, -float(found[row, column]))
    model, marker = int(models[row]), markers[column]
    text = f"{called(w, model)} would end on objective marker {marker + 1}, by {by}."
    return Verdict(False, (Reason(text, (rule_,), {"marker": marker}, (model,)),))


# --- Who controls them ------------------------------------------------------------------------------------------------


def controls(w: World40, unit: Unit) -> bool:
    """Whether a unit is near an objective marker that its player controls."""
    control = w.state.game.control
    return any(marker < len(control) and control[marker] == unit.player for marker in markers_near(w, unit))


def keeper_of(w: World40, marker: int) -> int:
    """The player who has secured a marker, or nobody."""
    secured: Sequence[int] = w.state.game.secured
    return secured[marker] if secured else NOBODY


def strongest(levels: Sequence[int], keeper: int) -> int:
    """The player with the greatest level at a marker; of equals the one who has secured it, or nobody."""
    best = max(levels)
    if levels.count(best) == 1:
        return levels.index(best)
    return keeper if keeper >= 0 and levels[keeper] == best else NOBODY


def holders(w: World40) -> tuple[int, ...]:
    """Who controls each marker at present, as the edition understands that."""
    control, count = w.system.seam(Control), len(markers_of(w))
    if control.lasting:
        return tuple(w.state.game.control) or (NOBODY,) * count
    return tuple([control.controller(w, m) for m in range(count)])


def settle(b: Battle40) -> None:
    """It is settled, and told, who controls the markers from now on."""
    markers = markers_of(b)
    if not markers:
        return
    control = b.system.seam(Control)
    now = tuple([control.controller(b, m) for m in range(len(markers))])
    before = b.state.game.control or (NOBODY,) * len(markers)
    if now == before:
        return
    b.set_game(control=now)
    for m, (old, new) in enumerate(zip(before, now, strict=True)):
        if old != new:
            who = f"is controlled by {b.player(new).name}" if new >= 0 else "is contested"
            b.tell("control", f"Objective {m + 1} {who}.", control.rule, marker=m, player=new)
    # Who has lost a marker to the enemy keeps it no longer.
    kept_ = tuple(p if p == new else NOBODY for p, new in zip(b.state.game.secured, now, strict=False))
    if kept_ != b.state.game.secured:
        b.set_game(secured=kept_)


def take_off(b: Battle40, markers: Sequence[int], rule: str) -> None:
    """Markers are carried off the battlefield."""
    gone = (*b.state.game.removed, *markers)
    control = tuple(NOBODY if m in gone else who for m, who in enumerate(b.state.game.control))
    b.set_game(removed=gone, control=control)
    for m in markers:
        b.tell("carried_off", f"Objective {m + 1} is carried off.", rule, marker=m)


def pictured(w: World40) -> list[Objective]:
    """The objective markers on the table, for pictures."""
    spots = markers_of(w)
    held = holders(w)
    radius, reach = w.setup.shapes[-1].radius, w.system.seam(Control).reach()
    return [
        Objective(x, y, radius, str(i + 1), reach, w.side(player) if player >= 0 else NOBODY)
        for i, ((x, y, _), player) in enumerate(zip(spots, held, strict=True))
        if i not in w.state.game.removed
    ]
