"""Whose selection it is, told from groups in the order of a book."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.kit.alternating import Group, next_selection, player_after


class Fighter(NamedTuple):
    player: int
    first: bool = False
    fought: bool = False


def world(*fighters: Fighter, active: int = 0, players: int = 2) -> Any:
    """As much of a world as taking turns looks at."""
    state = SimpleNamespace(players=list(range(players)), active=active)
    return SimpleNamespace(state=state, units_of=lambda player: [f for f in fighters if f.player == player])


def ready(_w: Any, unit: Fighter) -> Verdict:
    return refuse("It has fought.") if unit.fought else ALLOWED


def ready_first(w: Any, unit: Fighter) -> Verdict:
    return ready(w, unit) and (ALLOWED if unit.first else refuse("It waits."))


def active(w: Any) -> int:
    return int(w.state.active)


def other(w: Any) -> int:
    return player_after(w, w.state.active)


CHARGERS = Group(ready_first, active, alternates=False)
IN_TURN = Group(ready, active)


def test_the_player_who_begins_selects_first() -> None:
    w = world(Fighter(0), Fighter(1), active=1)
    turn = next_selection(w, (Group(ready, active),))
    assert turn is not None and turn.player == 1
    turn = next_selection(w, (Group(ready, other),))
    assert turn is not None and turn.player == 0


def test_who_selected_last_says_who_is_next() -> None:
    turn = next_selection(world(Fighter(0), Fighter(1)), (IN_TURN,), selecting=1)
    assert turn is not None and turn.player == 1


def test_who_has_nobody_left_is_passed_over() -> None:
    w = world(Fighter(0), Fighter(0), Fighter(1, fought=True))
    turn = next_selection(w, (IN_TURN,), selecting=1)
    assert turn is not None and (turn.player, len(turn.units)) == (0, 2)


def test_with_nobody_left_at_all_it_is_over() -> None:
    assert next_selection(world(Fighter(0, fought=True), Fighter(1, fought=True)), (CHARGERS, IN_TURN)) is None


def test_a_group_comes_before_the_next_whoever_would_be_next() -> None:
    w = world(Fighter(0, first=True), Fighter(0), Fighter(1))
    turn = next_selection(w, (CHARGERS, IN_TURN), selecting=1)
    assert turn is not None
    assert (turn.player, turn.units, turn.group) == (0, (Fighter(0, first=True),), CHARGERS)


def test_where_players_do_not_alternate_one_selects_all_of_theirs_first() -> None:
    w = world(Fighter(0, first=True), Fighter(1, first=True))
    turn = next_selection(w, (CHARGERS, IN_TURN), selecting=1)
    assert turn is not None and turn.player == 0
    turn = next_selection(w, (Group(ready_first, active), IN_TURN), selecting=1)
    assert turn is not None and turn.player == 1


@pytest.mark.parametrize(("player", "following"), [(0, 1), (1, 2), (2, 0)])
def test_three_players_select_in_the_order_of_their_seats(player: int, following: int) -> None:
    w = world(Fighter(0), Fighter(1), Fighter(2), players=3)
    assert player_after(w, player) == following
    turn = next_selection(w, (IN_TURN,), selecting=following)
    assert turn is not None and turn.player == following
