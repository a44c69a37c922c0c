"""The solver comes to what was worked out on paper."""

from __future__ import annotations

from fractions import Fraction

import pytest

from attack.hand_worked import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_case_worked_by_hand(case: Case) -> None:
    found = case.found()
    if isinstance(found, Fraction):
        assert found == case.expected
    else:
        assert abs(found - float(case.expected)) < 1e-12, case.arithmetic


def test_there_are_enough_cases() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 80
