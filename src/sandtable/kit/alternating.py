"""Taking turns: whose selection it is where players select units one after the other.

What an edition says comes in as groups, in the order of the book: who is in each, who begins, and whether players
alternate. Whether a player may pass, and whether a group is looked at again once it was done, stands in its own steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.battle.state import AnyUnit
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.grammar import does

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Group(NamedTuple):
    """Units that are selected before those of the next group."""

    ready: Callable[[Any, Any], Verdict]
    """(world, unit): whether it may be selected"""
    begins: Callable[[Any], int]
    """(world): the player who selects first"""
    alternates: bool = True
    """Whether players take turns; else all of one player's units are selected before the next player's"""


class Selection(NamedTuple):
    """Who selects next, and from which units."""

    player: int
    units: tuple[Any, ...]
    group: Group


def next_selection(w: AnyWorld, groups: tuple[Group, ...], selecting: int = -1) -> Selection | None:
    """Whose selection it is, leaving out players who have nobody left; None when nobody has.

    `selecting` is whose turn it would be by the selections so far; -1 for whoever begins.
    """
    for group in groups:
        first = selecting if selecting >= 0 and group.alternates else group.begins(w)
        for player in players_from(w, first):
            units = tuple(u for u in w.units_of(player) if group.ready(w, u))
            if units:
                return Selection(player, units, group)
    return None


def why_selected(w: AnyWorld, player: int, unit: AnyUnit, turn: Selection | None, rule: str) -> Verdict:
    """Why a unit is, or is not, among those from which a player selects now."""
    verdict = turn.group.ready(w, unit) if turn else ALLOWED
    if unit.player == player or not verdict:
        return verdict
    return refuse(f"{does(unit, 'belongs')} to {w.player(unit.player).name}.", rule)


def players_from(w: AnyWorld, first: int) -> list[int]:
    """All players in the order of seats, beginning with one of them."""
    count = len(w.state.players)
    return [(first + k) % count for k in range(count)]


def player_after(w: AnyWorld, player: int) -> int:
    """The next player in the order of seats."""
    return (player + 1) % len(w.state.players)
