"""Command points: what brings them to players."""

from __future__ import annotations

from typing import Any

from sandtable.forty.state import Battle40


def gain_each(b: Battle40, points: int, rule: str) -> None:
    """All players gain Command points."""
    for p in b.state.players:
        b.set_player(p, cp=p.cp + points)
    b.tell("command_points", f"Both players gain {points}CP.", rule)


def gain_more(b: Battle40, player: Any, points: int, *rules: str) -> int:
    """A player gains Command points beside those that every Command phase brings, and they are counted; how many."""
    if points:
        b.set_player(player, cp=player.cp + points, extra_cp=player.extra_cp + points)
        b.tell("command_points", f"{player.name} gains {points}CP.", *rules)
    return points
