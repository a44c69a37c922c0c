"""Which formation had best rally next, where players test in turns."""

from __future__ import annotations

from sandtable.battle.decisions import Choose, Value
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.end_phase import needs_rally
from sandtable.systems.epica.state import EpicWorld, Formation


def best_to_rally(world: EpicWorld, decision: Choose) -> Value:
    """Whoever gains nothing by waiting; of those the one who gives the enemy nothing by going, should it fail."""
    return min((o.value for o in decision.options), key=lambda f: (*gains(world, world.unit(int(f))), int(f)))


def gains(world: EpicWorld, formation: Formation) -> tuple[bool, bool]:
    """What it gains by waiting: that all enemies near it may still withdraw, or that it stays near who has to test.

    A broken formation that fails withdraws, and makes the tests of those easier that it was near.
    """
    near = [e for e in world.enemies_of(formation.player) if world.distance(formation, e) <= BOOK.near_for_rally]
    may_leave = bool(near) and all(e.broken and needs_rally(world, e) for e in near)
    return may_leave, formation.broken and any(needs_rally(world, e) for e in near)
