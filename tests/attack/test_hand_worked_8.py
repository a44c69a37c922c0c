"""8th edition comes to what was worked out on paper."""

from __future__ import annotations

import pytest

from attack.hand_worked_8 import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_case_of_8th_edition_worked_by_hand(case: Case) -> None:
    assert float(case.found()) == pytest.approx(float(case.expected), abs=1e-12), case.arithmetic


def test_there_are_enough_cases_of_8th_edition() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 20
