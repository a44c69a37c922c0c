"""The marks of this checkout: they are in order, and no rule is enforced without a test or tested without code."""

from __future__ import annotations

import pytest

from sandtable.rules.coverage import coverage
from sandtable.rules.project import Project
from sandtable.rules.scan import Marks, scan

#: Systems that are played by all rows of their ledger.
WHOLE = ("w40k8", "w40k10", "w40k11")


@pytest.fixture(scope="module")
def marks() -> Marks:
    return scan(Project.here())


def test_all_marks_are_in_order(marks: Marks) -> None:
    assert [f"{p.path}:{p.line}: {p.message}" for p in marks.problems] == []


def test_every_rule_that_code_enforces_is_named_by_a_test(marks: Marks) -> None:
    assert sorted({mark.rule for mark in marks.code} - {mark.rule for mark in marks.tests}) == []


def test_every_rule_that_a_test_names_is_enforced_by_code(marks: Marks) -> None:
    assert sorted({mark.rule for mark in marks.tests} - {mark.rule for mark in marks.code}) == []


@pytest.mark.parametrize("system", WHOLE)
def test_a_system_that_was_whole_stays_so(marks: Marks, system: str) -> None:
    (counted,) = coverage(Project.here(), system, marks)
    assert (counted.missing, counted.checks_tested) == ([], counted.checks)
