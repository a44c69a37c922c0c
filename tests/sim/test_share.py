"""Shares of games and their intervals."""

from __future__ import annotations

import pytest

from sandtable.sim import Share


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (9, 10, 0.5958, 0.9821)],
)
def test_the_interval_is_wilsons(won: float, games: int, low: float, high: float) -> None:
    """Held against values from the published formula."""
    assert Share(won, games).interval == pytest.approx((low, high), abs=1e-4)


def test_no_games_say_nothing() -> None:
    assert Share(0, 0).interval == (0.0, 1.0)
    assert Share(0, 0).rate == 0.0
