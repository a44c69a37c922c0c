"""Whole battles under the referee: nothing is found in them."""

from __future__ import annotations

from itertools import islice

import pytest

from referee.run import judge, matches, tell

SYSTEM = "w40k10"
SIX = (0, 9, 18, 27, 36, 45)
"""Battles of the tour that every run of the tests plays; `make referee` plays a hundred."""


@pytest.mark.parametrize("number", SIX)
def test_a_battle_gives_the_referee_nothing_to_say(number: int) -> None:
    finding = judge(next(islice(matches(SYSTEM), number, None)))
    assert not finding.faults, "\n".join(tell(finding))
    assert finding.looks["volleys read"] > 10
    assert finding.looks["paths"] > 50
