"""Facts: read like plain values, found by reading, taken away by proofs, changed by mutants, and never copied."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.rules import Facts, fact
from sandtable.rules.facts import STATED
from sandtable.rules.mutants import marked_code
from sandtable.rules.project import Project
from sandtable.rules.scan import scan

Make = Callable[..., Project]

BOOK = """
    from sandtable.rules import Facts, fact

    class BOOK(Facts):
        reach = fact(3 * 2, "toy.reach.far", neutral=99)
        \"\"\"How far one reaches.

        In inches.\"\"\"
        band = fact((reach, 12), "toy.band.low", "toy.band.high", neutral=(0, 99))
"""
GAME = """
    from toy.book import BOOK

    def reaches(distance):
        return distance <= BOOK.reach
"""
TESTS = """
    import pytest
    from toy.book import BOOK
    from toy.game import reaches

    @pytest.mark.rule("toy.reach.far", check=1)
    def test_six_is_in_reach_and_seven_is_not():
        assert reaches(6)
        assert not reaches(7)

    @pytest.mark.rule("toy.band.low", check=1)
    def test_the_band_begins_at_six():
        assert BOOK.band[0] == 6

    @pytest.mark.rule("toy.band.high", check=1)
    def test_the_band_ends():
        assert BOOK.band[1] < 99
"""
ROWS = ["toy.reach.far", "toy.band.low", "toy.band.high"]
FILES = {
    "src/toy/__init__.py": "",
    "src/toy/book.py": BOOK,
    "src/toy/game.py": GAME,
    "tests/test_toy.py": TESTS,
}


def run(project: Project, *arguments: str) -> tuple[int, Any]:
    """A command of `rules` in a process of its own, because it imports the project's tests."""
    command = [
        sys.executable,
        "-m",
        "sandtable.cli.main",
        "rules",
        *arguments,
        "--json",
        "--project",
        str(project.root),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_fact_is_a_plain_value_of_its_class() -> None:
    class Toy(Facts):
        reach = fact(6, "toy.plain.value", neutral=0)

    assert type(Toy.reach) is int and Toy.reach == 6
    stated = STATED.pop("toy.plain.value")
    assert [(one.owner, one.name, one.neutral) for one in stated] == [(Toy, "reach", 0)]
    stated[0].become(7)
    assert Toy.reach == 7


def test_a_fact_needs_rows_and_a_class_of_facts() -> None:
    with pytest.raises(TypeError, match="ids of ledger rows"):
        fact(6, neutral=0)
    with pytest.raises((TypeError, RuntimeError)) as refused:
        type("Plain", (), {"reach": fact(6, "toy.plain.class", neutral=0)})
    assert "must be a class of Facts" in f"{refused.value}{refused.value.__cause__}"
    with pytest.raises(TypeError, match="read as it is"):
        Facts()


def test_facts_are_found_by_reading_with_what_is_written_below_them(make_project: Make) -> None:
    marks = scan(make_project(ROWS, **FILES))
    assert [(m.rule, m.function, m.doc) for m in marks.code] == [
        ("toy.reach.far", "BOOK.reach", "How far one reaches."),
        ("toy.band.low", "BOOK.band", ""),
        ("toy.band.high", "BOOK.band", ""),
    ]
    assert not marks.problems


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("REACH = BOOK.reach", True),
        ("def far(reach=BOOK.reach): return reach", True),
        ("class Far: reach = BOOK.reach", True),
        ("far = lambda d, reach=BOOK.reach: d > reach", True),
        ("FAR = lambda d: d > BOOK.reach", False),
        ("def far(d): return d > BOOK.reach", False),
    ],
)
def test_a_copy_that_is_made_on_import_is_told(make_project: Make, line: str, told: bool) -> None:
    project = make_project(ROWS, **FILES, **{"src/toy/other.py": f"from toy.book import BOOK\n{line}\n"})
    messages = [problem.message for problem in scan(project).problems]
    expected = ["BOOK.reach is copied when this is imported; read it where and when it is needed."]
    assert messages == (expected if told else [])


@pytest.mark.parametrize(
    ("source", "called"),
    [
        ("from toy.book import BOOK as ours\nREACH = ours.reach", "ours"),
        ("import toy\nREACH = toy.BOOK.reach", "toy.BOOK"),
    ],
)
def test_a_copy_is_told_whatever_the_book_is_called(make_project: Make, source: str, called: str) -> None:
    problems = scan(make_project(ROWS, **FILES, **{"src/toy/other.py": f"{source}\n"})).problems
    expected = f"{called}.reach is copied when this is imported; read it where and when it is needed."
    assert [problem.message for problem in problems] == [expected]


@pytest.mark.parametrize(("mark", "told"), [("cache", True), ("lru_cache(maxsize=9)", True), ("kept(PLACES)", False)])
def test_a_fact_in_a_cache_that_nobody_empties_is_told(make_project: Make, mark: str, told: bool) -> None:
    source = f"from toy.book import BOOK\n@{mark}\ndef far(d): return d > BOOK.reach\n"
    problems = scan(make_project(ROWS, **FILES, **{"src/toy/other.py": source})).problems
    expected = ["BOOK.reach is kept in a cache that nobody empties; let it be an argument."]
    assert [problem.message for problem in problems] == (expected if told else [])


def test_ids_that_are_computed_are_told(make_project: Make) -> None:
    book = BOOK.replace('"toy.reach.far"', '"toy.reach." + "far"')
    problems = scan(make_project(ROWS, **{**FILES, "src/toy/book.py": book})).problems
    assert ["written out" in problem.message for problem in problems] == [True]


def test_a_proof_takes_facts_away(make_project: Make) -> None:
    project = make_project(ROWS, **FILES)
    status, report = run(project, "prove")
    assert status == 0, report
    assert {proof["rule"]: proof["hollow"] for proof in report["proofs"]} == dict.fromkeys(ROWS, False)


def test_mutants_change_the_numbers_of_facts(make_project: Make) -> None:
    project = make_project(ROWS, **FILES)
    said = [m.what for code in marked_code(project) for m in code.mutants()]
    assert said == [
        "`3 * 2` becomes `4 * 2`",
        "`3 * 2` becomes `2 * 2`",
        "`3 * 2` becomes `3 * 3`",
        "`3 * 2` becomes `3 * 1`",
        "`(reach, 12)` becomes `(reach, 13)`",
        "`(reach, 12)` becomes `(reach, 11)`",
    ]
    status, report = run(project, "mutate")
    assert (status, report["killed"]) == (1, 4)
    assert [s["what"] for s in report["survived"]] == [f"BOOK.band: {what}" for what in said[4:]]
