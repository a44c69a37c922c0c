"""What a player is told who asks what a unit sees."""

from __future__ import annotations

import pytest

from sandtable.server.surveys import sight
from w40k11.arms import target
from w40k11.table import TROOPER, feature, named, situation, unit


@pytest.mark.parametrize(
    ("gap", "told"),
    [
        (15, "Reds sees Blues."),
        (15.1, "Reds does not see Blues. Blues would be in sight, but cannot be noticed from so far."),
    ],
)
def test_who_is_hidden_is_not_told_as_seen(gap: float, told: str) -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(23.5 - gap, 9)]),
            unit("Blues", "blue", target(wounds=9), [(24.5, 9)]),
        ],
        [feature("woods", (24, 4, 6, 10))],
        game={"turns": 4},
    )
    assert sight(b.view(0), named(b, "Reds"), named(b, "Blues")).text == told
