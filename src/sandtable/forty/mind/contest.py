"""What is fought over as it stands now, and how long it still goes on."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.forty.markers import markers_of
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import World40
from sandtable.kit.missions import Score


class Contest(NamedTuple):
    """All of the state that counts for what the mission pays."""

    markers: tuple[tuple[int, int, int], ...]
    """Where the objective markers lie"""
    mission: int
    """Which of several missions is played"""
    scoring: tuple[Score, ...] | None
    """The ways in which both players score; None where nobody does"""
    attacker: int
    """Who has which deployment zone"""
    gone: tuple[int, ...]
    """Markers that were taken off the table"""
    control: tuple[int, ...]
    """For each marker who controls it, -1 for nobody; empty before that was settled for the first time"""
    battle_round: int
    active: int
    """Whose turn it is"""
    first: int
    """Who has the first turn of a round"""


def contest(w: World40) -> Contest:
    """What is fought over now."""
    state, game = w.state, w.state.game
    return Contest(
        markers_of(w),
        game.wish,
        mind_of(w).scoring(w),
        game.attacker,
        game.removed,
        game.control,
        state.round,
        state.active,
        game.first,
    )


def before(now: Contest) -> Contest:
    """The same when nobody had done anything yet."""
    return now._replace(gone=(), control=(), battle_round=1, active=0, first=0)


def has_turns(w: World40, player: int) -> bool:
    """Whether a player has another turn to come after this one."""
    data, state = w.setup.data, w.state
    if state.round < data.rounds or data.turns:
        return True
    seats, first = len(state.players), state.game.first
    return bool((player - first) % seats > (state.active - first) % seats)


def enemies_have_turns(w: World40, player: int) -> bool:
    """Whether any enemy of a player has another turn to come."""
    return any(has_turns(w, p.id) for p in w.opponents(player))
