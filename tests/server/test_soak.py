"""The soak must be able to fail: it is half an hour long, and nobody watches it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from server.soak import MAY_GROW, MAY_STAY_OPEN, growth, judge

HELD = {"mb": 300.0, "workers mb": 400.0, "files": 25, "threads": 7}
QUIET = {"battles": 0, "clients": 0, "tasks": 5, "files": 11, "threads": 4, "workers": 2}
WELL: dict[str, Any] = {"once warm": {**HELD}, "at the end": {**HELD}, "before": {**QUIET}, "after": {**QUIET}}


def test_a_server_that_keeps_nothing_passes() -> None:
    judge(WELL)


@pytest.mark.parametrize(
    ("when", "what", "most"),
    [
        ("at the end", "mb", 300 * MAY_GROW),
        ("at the end", "workers mb", 400 * MAY_GROW),
        ("after", "battles", 0),
        ("after", "clients", 0),
        ("after", "tasks", 5),
        ("after", "threads", 7),
        ("after", "files", 11 + MAY_STAY_OPEN + 6),
    ],
)
def test_what_grows_is_refused_and_its_bound_is_not(when: str, what: str, most: float) -> None:
    told = deepcopy(WELL)
    told[when][what] = most
    judge(told)
    told[when][what] = most + 1
    with pytest.raises(AssertionError):
        judge(told)


def test_what_memory_gains_in_an_hour_is_told_whatever_it_does_in_between() -> None:
    looks = [{"at": at, "mb": 300 + at / 60 + (at % 2), "workers mb": 400.0} for at in range(600, 1801)]
    assert growth(looks) == {"mb": 60.0, "workers mb": 0.0}
