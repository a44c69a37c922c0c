"""Rounds: turns in one order, an order that is drawn anew for each round, and the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.battle.state import Result
from sandtable.kit.rounds import NOBODY, Rounds, next_turn


class Clock:
    """As much of a battle as turns need."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.state = SimpleNamespace(active=order[0], round=1)
        self.order = order
        self.result: Result | None = None

    def set_clock(self, **fields: int) -> None:
        for name, value in fields.items():
            setattr(self.state, name, value)

    def finish(self, result: Result) -> None:
        self.result = result


def rounds(draws: list[tuple[int, ...]], last: int = 9, over: bool = False) -> Rounds:
    """Turns in the order that was drawn last."""

    def following(b: Any) -> int:
        at = b.order.index(b.state.active) + 1
        return b.order[at] if at < len(b.order) else NOBODY

    def new_round(b: Any) -> None:
        b.set_clock(round=b.state.round + 1)
        b.order = draws.pop(0)

    return Rounds(
        following=following,
        first=lambda b: b.order[0],
        new_round=new_round,
        is_over=lambda b: over,
        time_is_up=lambda b, round_is_over: round_is_over and b.state.round >= last,
        close=lambda b, reason: Result((), reason),
    )


def test_who_was_last_may_be_first_where_the_order_is_drawn_for_each_round() -> None:
    b: Any = Clock((0, 1))
    book = rounds([(1, 0), (1, 0)])
    turns = [(b.state.round, b.state.active)]
    for _ in range(5):
        assert next_turn(b, book) == "turn"
        turns.append((b.state.round, b.state.active))
    assert turns == [(1, 0), (1, 1), (2, 1), (2, 0), (3, 1), (3, 0)]


@pytest.mark.parametrize(
    ("over", "reason"), [(True, "one side is left on the battlefield"), (False, "the last round has been played")]
)
def test_a_battle_ends_when_one_side_is_left_or_after_its_last_turn(over: bool, reason: str) -> None:
    b: Any = Clock((0, 1))
    b.state.active = 1
    assert next_turn(b, rounds([(0, 1)], last=1, over=over)) is None
    assert b.result == Result((), reason)
