"""What weapons are fired as, and at whom of a target, where nobody says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from sandtable.battle.decisions import Assign, Assignment, Row
from sandtable.systems.epica import crossfire as crossfires
from sandtable.systems.epica.hits import NO_SAVE, may_save_against, modified_save, save_of
from sandtable.systems.epica.shooting import (
    COVER,
    Gun,
    guns_against,
    potential_targets,
    second_roll,
    to_hit_modifier,
)
from sandtable.systems.epica.state import EpicWorld, Formation, sheet, stands

# --- The best split --------------------------------------------------------------------------------------------------


class Prey(NamedTuple):
    """The units that fire of a kind can fall on."""

    number: int
    unsaved: float
    """The share of hits that they do not save, on average."""


def default_aim(world: EpicWorld, decision: Assign) -> tuple[Assignment, ...]:
    """Every weapon as what costs the target most together with the others; all fire of a kind goes the same way."""
    formation, target = world.unit(decision.unit), world.unit(int(decision.about["target"]))
    guns = {gun.row: gun for gun in firing(world, decision)}
    rows = [row for row in decision.rows if row.targets and row.id in guns]
    kinds = tuple(dict.fromkeys(mode for row in rows for mode in row.modes))
    ways = [tuple(dict.fromkeys(t for row in rows if kind in row.modes for t in row.targets)) for kind in kinds]
    spoiled = crossfires.find_crossfire(world, formation, target) is not None
    best: tuple[Assignment, ...] = ()
    most = -1.0
    for aims in product(*ways):
        going = {kind: str(aim) for kind, aim in zip(kinds, aims, strict=True)}
        prey = {kind: prey_of(world, target, kind, aim, guns, rows, crossfire=spoiled) for kind, aim in going.items()}
        split, lost = best_split(rows, guns, going, prey, str(decision.about.get("action", "")))
        if split and lost > most:
            best, most = split, lost
    return best


def firing(world: EpicWorld, decision: Assign) -> list[Gun]:
    """The weapons that a question is about; whoever is in no row of it is suppressed."""
    formation, target = world.unit(decision.unit), world.unit(int(decision.about["target"]))
    able = {stand for row in decision.rows for stand in row.models}
    return guns_against(world, formation, target, [s for s in stands(world, formation) if s not in able])


def prey_of(
    world: EpicWorld,
    target: Formation,
    kind: str,
    aim: str,
    guns: Mapping[str, Gun],
    rows: Sequence[Row],
    *,
    crossfire: bool,
) -> Prey:
    """Whom all fire of a kind can fall on if it goes at units in the open, or at those in cover."""
    reached = [t for row in rows if kind in row.modes and aim in row.targets for t in at(guns[row.id], aim)]
    found = potential_targets(world, kind, reached, stands(world, target))
    if not found:
        return Prey(0, 0.0)
    unsaved = 0.0
    for stand in found:
        changed = crossfires.crossfire_save_modifier(world, stand) if crossfire else 0
        save = modified_save(save_of(world, stand), changed) if may_save_against(kind) else NO_SAVE
        unsaved += min(max(save - 1, 0), 6) / 6
    return Prey(len(found), unsaved / len(found))


def at(gun: Gun, aim: str) -> Sequence[int]:
    """The units that a weapon reaches in cover, or in the open."""
    return gun.covered if aim == COVER else [t for t in gun.reach if t not in gun.covered]


def best_split(
    rows: Sequence[Row], guns: Mapping[str, Gun], going: Mapping[str, str], prey: Mapping[str, Prey], action: str
) -> tuple[tuple[Assignment, ...], float]:
    """Weapon by weapon, those without a choice first, as what adds most; with what the target loses by it."""
    hits = dict.fromkeys(going, 0.0)
    given: dict[tuple[str, str], int] = {}
    open_ = {row.id: [kind for kind in row.modes if going[kind] in row.targets] for row in rows}
    for row in sorted(rows, key=lambda row: len(open_[row.id])):
        for _ in range(row.count if open_[row.id] else 0):
            more = {kind: hits_of(guns[row.id], kind, going[kind], action) for kind in open_[row.id]}
            kind = max(more, key=lambda k: lost_by(prey[k], hits[k] + more[k]) - lost_by(prey[k], hits[k]))
            hits[kind] += more[kind]
            given[row.id, kind] = given.get((row.id, kind), 0) + 1
    split = tuple(
        Assignment(row.id, going[kind], given[row.id, kind], kind)
        for row in rows
        for kind in row.modes
        if (row.id, kind) in given
    )
    return split, sum(lost_by(prey[kind], n) for kind, n in hits.items())


def hits_of(gun: Gun, kind: str, aim: str, action: str) -> float:
    """The hits of one weapon on average."""
    fire = gun.weapon.firepower
    if fire is None:
        return 0.0
    needed = fire.value(kind) - to_hit_modifier(action, in_cover=aim == COVER)
    again = second_roll(needed) if needed > 6 else 0
    if needed > 6:
        chance = (7 - again) / 36 if again else 0.0
    else:
        chance = (7 - max(2, needed)) / 6
    return chance * ((fire.die + 1) / 2 if fire.die else fire.dice)


def lost_by(prey: Prey, hits: float) -> float:
    """About how many units so many hits cost, which go round: nobody is hit twice before everybody is hit once."""
    lost, left = 0.0, float(prey.number)
    while hits > 0 and left > 0.01 and prey.unsaved > 0:
        lost += prey.unsaved * left * min(hits, prey.number) / prey.number
        left = prey.number - lost
        hits -= prey.number
    return lost


# --- Other ideas -----------------------------------------------------------------------------------------------------


def suggest_aim(world: EpicWorld, decision: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Mostly what hurts the larger part of the target, and sometimes anything."""
    yield _some_aim(world, decision, rng)
    yield default_aim(world, decision)


def _some_aim(world: EpicWorld, decision: Assign, rng: Random) -> tuple[Assignment, ...]:
    target = world.unit(int(decision.about["target"]))
    infantry = sum(sheet(world, int(m)).is_infantry for m in world.on_table(target))
    soft = 2 * infantry >= len(world.on_table(target))
    rows = {g.row: g for g in firing(world, decision)}
    covered = sum(len(g.covered) for g in rows.values())
    reached = sum(len(g.reach) for g in rows.values())
    aims: dict[str, str] = {}
    out = []
    for row in decision.rows:
        if not row.targets or (len(decision.rows) > 1 and rng.random() < 0.05):
            continue
        mode = _mode(row.modes, soft) if rng.random() < 0.8 else rng.choice(row.modes)
        if rng.random() < 0.3:
            aims.setdefault(mode, str(rng.choice(row.targets)))
        wanted = aims.setdefault(mode, COVER if 2 * covered > reached and COVER in row.targets else str(row.targets[0]))
        if wanted in row.targets:
            out.append(Assignment(row.id, wanted, row.count, mode))
    if not out and decision.about.get("must_fire") and decision.rows:
        row = decision.rows[0]
        out.append(Assignment(row.id, row.targets[0], row.count, row.modes[0]))
    return tuple(out)


def _mode(modes: Sequence[str], soft: bool) -> str:
    for kind in ("MW", "AP" if soft else "AT"):
        if kind in modes:
            return kind
    return modes[0]
