"""How the battle stands: who has the larger share of units left in formations that are not broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle.system import Briefing
from sandtable.kit.grammar import counted
from sandtable.systems.epica.state import EpicWorld, Player, size

STANDING: Final = "% standing"
WAY: Final = "Whoever has the larger share of units in formations that are not broken wins after the last turn."


def standing(world: EpicWorld, player: int) -> tuple[int, int]:
    """How many units of a player are left in formations that are not broken, of how many."""
    mine = world.units_of(player)
    return sum(size(world, f) for f in mine if not f.broken), sum(len(f.models) for f in mine)


def share(world: EpicWorld, player: int) -> int:
    """The same in percent, rounded down: what the result counts."""
    steady, total = standing(world, player)
    return 100 * steady // total if total else 0


def numbers(world: EpicWorld, player: Player) -> tuple[tuple[str, int], ...]:
    """What the score board says of a player."""
    return ((STANDING, share(world, player.id)),)


def score(world: EpicWorld) -> Iterator[str]:
    """How the battle stands: it is won by the larger share of units that are left and not broken."""
    yield f"Turn {world.state.round} of {world.setup.data.turns}"
    for player in world.state.players:
        steady, total = standing(world, player.id)
        mine = world.units_of(player.id)
        lost = total - sum(size(world, f) for f in mine)
        broken = sum(f.broken and bool(size(world, f)) for f in mine)
        rest = f", {lost} lost" if lost else ""
        rest += f", {counted(broken, 'formation')} broken" if broken else ""
        yield f"{player.name}: {steady} of {counted(total, 'unit')} standing{rest}"
    yield WAY


def briefing(world: EpicWorld) -> Briefing:
    """How long the battle lasts, and how it is won; there are no other missions yet."""
    turns = world.setup.data.turns
    return Briefing("The larger share standing", f"The battle lasts {counted(turns, 'turn')}.", turns, (WAY,))
