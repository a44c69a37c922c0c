"""What weapons are fired as, and at whom of a target, where nobody says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from sandtable.battle.decisions import Assign, Assignment
from sandtable.systems.epica.shooting import COVER, guns_against
from sandtable.systems.epica.state import EpicWorld, sheet


def default_aim(world: EpicWorld, decision: Assign) -> tuple[Assignment, ...]:
    """Every weapon at what it hurts most; each kind of fire where more units stand."""
    return _aim(world, decision, None)


def suggest_aim(world: EpicWorld, decision: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    yield _aim(world, decision, rng)
    yield _aim(world, decision, None)


def _aim(world: EpicWorld, decision: Assign, rng: Random | None) -> tuple[Assignment, ...]:
    target = world.unit(int(decision.about["target"]))
    infantry = sum(sheet(world, int(m)).is_infantry for m in world.on_table(target))
    soft = 2 * infantry >= len(world.on_table(target))
    rows = {g.row: g for g in guns_against(world, world.unit(decision.unit), target, ())}
    covered = sum(len(g.covered) for g in rows.values())
    reached = sum(len(g.reach) for g in rows.values())
    aims: dict[str, str] = {}
    out = []
    for row in decision.rows:
        if not row.targets or (rng is not None and len(decision.rows) > 1 and rng.random() < 0.05):
            continue
        mode = _mode(row.modes, soft) if rng is None or rng.random() < 0.8 else rng.choice(row.modes)
        if rng is not None and rng.random() < 0.3:
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
