"""Ideas for moves: places that a whole formation can go to, quickly found and varied.

Ideas are likely to be legal; the judge of the question has the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.system import Goal, Reach
from sandtable.kit.detours import reach_of, ways_to, ways_to_ends
from sandtable.kit.walking import arranged, walk
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.closing import counter_charge, into_contact
from sandtable.systems.epica.movement import rows_of, stay_or_leave
from sandtable.systems.epica.passage import Passage
from sandtable.systems.epica.state import EpicWorld, Formation, enemy_stands, sheet, stands
from sandtable.table.arrange import FORMATIONS
from sandtable.table.grid import STEP, TURN, Ints, steps
from sandtable.table.scatter import offset

TRIES = 5


def go_to(
    world: EpicWorld, decision: Move, anchor: tuple[int, int], shape: str, allowance: Ints, *, zones: bool
) -> Moves | None:
    """The formation around a point, or as near to it as it gets."""
    size = world.terrain.size
    x = min(max(anchor[0], STEP), int(size[0]) - STEP)
    y = min(max(anchor[1], STEP), int(size[1]) - STEP)
    way = Passage(decision.unit, decision.modes[0].name, decision.models, zones)
    found = arranged(world, way, rows_of(decision.models), allowance, (x, y), shape, 0)
    return None if found is None else Moves(found.mode, tuple(sorted(found.paths, key=lambda p: p.model)))


def speeds_of(world: EpicWorld, models: Sequence[int]) -> Ints:
    """How far each of some units goes in one move."""
    # A step less, because a straight way is rarely a whole number of steps long.
    return np.array([max(0, steps(sheet(world, m).speed) - 2) for m in models], dtype=np.int64)


def middle(world: EpicWorld, models: Sequence[int]) -> tuple[int, int]:
    """The middle of some units."""
    pos = world.state.models.pos[rows_of(models)]
    return int(pos[:, 0].sum()) // len(models), int(pos[:, 1].sum()) // len(models)


def ordinary_moves(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Moves of an action: towards an enemy, or anywhere."""
    if not decision.models:
        return
    formation = world.unit(decision.unit)
    speeds = speeds_of(world, decision.models)
    if not speeds.any():
        return
    if rng.random() < 0.1:
        yield stay_or_leave(world, decision)
    if decision.about.get("action") == "road-march":
        yield from _along_road(world, decision, rng)
        return
    enemies = [e for e in world.enemies_of(formation.player) if world.is_on_table(e)]
    for _ in range(TRIES):
        x, y = middle(world, decision.models)
        if enemies and rng.random() < 0.6:
            x, y = middle(world, stands(world, rng.choice(enemies)))
        else:
            x, y = offset(x, y, rng.randrange(TURN), int(rng.random() * decision.modes[0].allowance))
        shape = rng.choice(FORMATIONS[:5]) if rng.random() < 0.3 else "keep"
        found = go_to(world, decision, (int(x), int(y)), shape, speeds, zones=True)
        if found is not None:
            yield found


def move_towards(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """To a place that a player points at, around what is in the way, or as far as the formation gets."""
    way = Passage(decision.unit, decision.modes[0].name, decision.models)
    speeds = dict(zip(decision.models, speeds_of(world, decision.models).tolist(), strict=True))
    place, shapes = np.array([goal.x, goal.y]) / STEP, tuple(dict.fromkeys((goal.shape, "block")))
    yield from ways_to_ends(world, way, goal.ends, speeds.__getitem__)
    yield from ways_to(world, way, decision.models, place, speeds.__getitem__, shapes=shapes)


def reach_of_formation(world: EpicWorld, decision: Move, mode: str) -> Iterator[Reach]:
    """Where the units of a formation may end."""
    speeds = dict(zip(decision.models, speeds_of(world, decision.models).tolist(), strict=True))
    yield from reach_of(world, Passage(decision.unit, mode, decision.models), decision.models, speeds.__getitem__)


def _along_road(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """All units the same way along the x or y axis, as far as the road goes."""
    pos = world.state.models.pos
    for _ in range(4):
        far = rng.randint(1, max(1, int(speeds_of(world, decision.models).min()) // STEP)) * STEP
        dx, dy = rng.choice(((far, 0), (-far, 0), (0, far), (0, -far)))
        ends = pos[rows_of(decision.models)] + np.array([dx, dy, 0])
        ways = (walk(world, m, end) for m, end in zip(decision.models, ends, strict=True))
        yield Moves(decision.modes[0].name, tuple(path for path in ways if path is not None))


def withdrawals(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Away from the enemy, to the emptiest of a few places."""
    if not decision.models:
        return
    formation = world.unit(decision.unit)
    speeds = speeds_of(world, decision.models)
    if not speeds.any() or rng.random() < 0.1:
        return
    for idea in range(3):
        anchor = _refuge(world, formation, decision, rng) if idea < 2 else middle(world, decision.models)
        found = go_to(world, decision, anchor, "keep", speeds, zones=False)
        if found is not None:
            yield found


def _refuge(world: EpicWorld, formation: Formation, decision: Move, rng: Random) -> tuple[int, int]:
    x, y = middle(world, decision.models)
    enemies = enemy_stands(world, formation.player)
    far, width, depth = decision.modes[0].allowance, int(world.terrain.size[0]), int(world.terrain.size[1])
    places = [offset(x, y, (rng.randrange(64) + 512 * k) % TURN, far) for k in range(8)]
    places = [(min(max(int(px), STEP), width - STEP), min(max(int(py), STEP), depth - STEP)) for px, py in places]
    if not enemies:
        return places[0]
    there = world.state.models.pos[rows_of(enemies)]
    return max(places, key=lambda p: int(((there[:, 0] - p[0]) ** 2 + (there[:, 1] - p[1]) ** 2).min()))


def consolidations(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """A short move together."""
    if not decision.models or rng.random() < 0.3:
        return
    x, y = middle(world, decision.models)
    limit = np.array([BOOK.consolidation - 2 if sheet(world, m).speed else 0 for m in decision.models], dtype=np.int64)
    for _ in range(2):
        px, py = offset(x, y, rng.randrange(TURN), int(rng.random() * BOOK.consolidation))
        found = go_to(world, decision, (int(px), int(py)), "keep", limit, zones=True)
        if found is not None:
            yield found


def charges(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Into contact with whoever is in reach, or up to the edge of the enemy's zones."""
    if not decision.models:
        return
    targets = [m for t in decision.about["targets"] for m in stands(world, world.unit(t))]
    if not targets:
        return
    speeds = speeds_of(world, decision.models)
    contact = into_contact(world, decision)
    firefight = go_to(world, decision, middle(world, targets), "keep", speeds, zones=True)
    ideas = [contact, firefight] if rng.random() < 0.7 else [firefight, contact]
    yield from (idea for idea in ideas if idea is not None and idea.paths)


def counter_charges(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Each unit straight at the closest enemy; some may stay."""
    for keenness in (rng.choice((1.0, 0.6)), 0.3):
        moves = counter_charge(world, decision, lambda _stand, keenness=keenness: rng.random() <= keenness)  # type: ignore[misc]
        if moves.paths:
            yield moves
