"""The tests of the discipline pass on a sound system, and find every planted slip in a bad one."""

from __future__ import annotations

import pytest

from support import skirmish
from support.discipline import Findings, prove


def run(slip: str, battles: int) -> Findings:
    found = Findings()
    system = skirmish.system()
    for seed in range(battles):
        found.add(prove(system, lambda: skirmish.start(slip), seed, new_process=skirmish.forget))
    return found


def test_a_sound_system_stands_every_proof() -> None:
    found = run("", 12)
    assert not found.faults, found.examples
    assert found.forks > 500
    assert found.restarts > 300
    assert set(found.asked) == {
        "plan", "move-with", "how-far", "shoot-with", "shoot-at", "reroll", "allocate", "fight-with",
        "react.unit_moved", "react.unit_fought", "order.turn_began",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("slip", "test"),
    [
        ("effect before the loop", "cold restart"),
        ("a counter outside the state", "cold restart"),
        ("a list instead of the state", "fork"),
        ("a silent change", "fold"),
        ("geometry changed in silence", "fold"),
        ("a judge that changes the state", "purity"),
    ],
)
def test_a_planted_slip_is_found(slip: str, test: str) -> None:
    found = run(slip, 6)
    assert found.faults[test] > 0, f"{slip} was not found: {found.faults}"


def test_the_form_of_steps_heals_a_change_before_the_question() -> None:
    found = run("changed before the question", 6)
    assert not found.faults, found.examples
