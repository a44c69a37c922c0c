"""Sentences by what is wrong, with their rules, and what is said instead in some cases."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.kit.cites import Length, Named, cite
from sandtable.table.grid import steps

FENCE = (
    cite("{who} would cross {thing}.", "toy.move.fences")
    .but("swim", "{who} would swim into {thing}.", "toy.move.water")
    .but("hedge", "", "toy.move.hedges")
)


def named(name: str, models: int = 3, *, single: bool = False) -> Named:
    return Named(SimpleNamespace(name=name, models=range(models), single=single))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cases", "text", "rules"),
    [
        ((), "Boy would cross it.", ("toy.move.fences",)),
        (("walk",), "Boy would cross it.", ("toy.move.fences",)),
        (("hedge",), "Boy would cross it.", ("toy.move.hedges",)),
        (("swim",), "Boy would swim into it.", ("toy.move.water",)),
        (("hedge", "swim"), "Boy would swim into it.", ("toy.move.water",)),
    ],
)
def test_the_case_that_was_written_down_first_counts(cases: Any, text: str, rules: Any) -> None:
    reason = FENCE.reason(cases, {"height": 2}, who="Boy", thing="it")
    assert (reason.text, reason.rules, reason.facts) == (text, rules, {"height": 2})


def test_a_refusal_is_a_verdict_with_one_reason() -> None:
    verdict = FENCE.refusal("hedge", who="Boy", thing="it")
    assert not verdict
    assert [r.rules for r in verdict.reasons] == [("toy.move.hedges",)]


def test_units_stand_in_sentences_with_verbs_that_agree() -> None:
    assert f"{named('Boyz')}, {named('Boyz'):is}, {named('Boss', 1):is}" == "Boyz, Boyz are, Boss is"


def test_lengths_have_the_unit_of_the_table() -> None:
    inches: Any = SimpleNamespace(table=SimpleNamespace(unit="in"))
    metric: Any = SimpleNamespace(table=SimpleNamespace(unit="cm"))
    assert (
        f"{Length(inches, steps(2.25))} {Length(inches, steps(2.25)):.1f} {Length(metric, steps(5)):g}"
        == '2.25" 2.2" 5 cm'
    )


@pytest.mark.parametrize(
    ("long", "beside", "how", "told"),
    [
        (6.004, 6, "", 'just over 6"'),
        (5.996, 6, "", 'just under 6"'),
        (6, 6, "", '6.00"'),
        (6.01, 6, "", '6.01"'),
        (6.504, 6.5, "", 'just over 6.5"'),
        (6.04, 6, ".1f", 'just over 6"'),
        (0.004, None, "", 'less than 0.01"'),
        (0.04, None, ".1f", 'less than 0.1"'),
        (0, None, "", '0.00"'),
        (0, 0, ".0f", '0"'),
        (-0.5, None, "", '-0.50"'),
    ],
)
def test_a_length_just_beside_a_limit_does_not_read_as_if_it_were_equal(
    long: float, beside: float | None, how: str, told: str
) -> None:
    inches: Any = SimpleNamespace(table=SimpleNamespace(unit="in"))
    length = Length(inches, steps(1) * long, None if beside is None else steps(beside))
    assert format(length, how) == told
