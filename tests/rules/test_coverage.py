"""Counting: which rows code enforces and which tests name, found without running anything."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest

from sandtable.errors import UserError
from sandtable.rules.coverage import coverage
from sandtable.rules.explain import as_data, explain
from sandtable.rules.project import Project
from sandtable.rules.scan import scan

Make = Callable[..., Project]

CODE = '''
    raise RuntimeError("scanning must not import this")

    @rule("toy.a.one", "toy.a.two", neutral=3)
    async def walk(unit):
        """Walk a unit.

        At length.
        """

    class Gun:
        @rules.rule("toy.a.three")
        def fire(self): ...
'''

TESTS = """
    import pytest

    pytestmark = [pytest.mark.slow, pytest.mark.rule("toy.b.module", check=1)]
    rule = pytest.mark.rule

    @pytest.mark.rule("toy.a.one", check=2)
    def test_one(): ...

    @pytest.mark.parametrize("x", [
        pytest.param(1, marks=pytest.mark.rule("toy.a.two", check=(1, 3))),
        pytest.param(2, marks=[pytest.mark.rule("toy.b.param", check=1)]),
    ])
    def test_two(x): ...

    class TestGun:
        pytestmark = pytest.mark.rule("toy.b.class")

        @rule("toy.b.alias", check=1)
        async def test_three(self): ...
"""

SCENARIO = """
    table: {}
    proves:
      - {rule: toy.c.scenario, check: 1}
      - rule: toy.c.scenario
        check: [2, 3]
      - rule: toy.c.whole
"""

ROWS = [
    "toy.a.one 2",
    "toy.a.two 3",
    "toy.a.three 1",
    "toy.b.module 1",
    "toy.b.param 1",
    "toy.b.class 2",
    "toy.b.alias 1",
    "toy.c.scenario 3",
    "toy.c.whole 1",
    "toy.d.nobody 1",
]


@pytest.fixture
def toy(make_project: Make) -> Project:
    return make_project(
        ROWS,
        **{
            "src/toy/move.py": CODE,
            "tests/test_toy.py": TESTS,
            "tests/toy/scenarios/deep/walk.yaml": SCENARIO,
            "docs/scenarios/puzzle.yaml": "proves: [{rule: toy.a.one, check: 1}]",
            "docs/other/puzzle.yaml": "proves: [{rule: toy.d.nobody, check: 1}]",
        },
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('TEXT = "toy.a.oen"', "There is no rule 'toy.a.oen'"),
        ('TEXT = f"toy.a.{name}"', "The id of a rule is written out where it is cited"),
        ('TEXT = f"toy.{area}.one"', "The id of a rule is written out where it is cited"),
    ],
)
def test_ids_that_are_cited_must_be_rows(make_project: Make, line: str, message: str) -> None:
    source = f"name = area = 'one'\n\n{line}\n"
    problems = scan(make_project(["toy.a.one"], **{"src/toy/texts.py": source})).problems
    assert [(problem.path.name, problem.line) for problem in problems] == [("texts.py", 3)]
    assert message in problems[0].message


@pytest.mark.parametrize("text", ['"toy.a.one"', '"other.a.two"', '"toy.texts"', 'f"other.{1}"', 'f"{1} toy.a."'])
def test_ids_of_rows_and_other_dotted_words_are_no_problem(make_project: Make, text: str) -> None:
    assert scan(make_project(["toy.a.one"], **{"src/toy/texts.py": f"TEXT = {text}\n"})).problems == []


def test_every_way_to_mark_is_found(toy: Project) -> None:
    marks = scan(toy)
    assert marks.problems == []
    assert {(mark.rule, mark.function) for mark in marks.code} == {
        ("toy.a.one", "walk"),
        ("toy.a.two", "walk"),
        ("toy.a.three", "Gun.fire"),
    }
    assert {(mark.rule, mark.checks, mark.test) for mark in marks.tests} == {
        ("toy.b.module", (1,), ""),
        ("toy.a.one", (2,), "test_one"),
        ("toy.a.two", (1, 3), "test_two"),
        ("toy.b.param", (1,), "test_two"),
        ("toy.b.class", (), "TestGun"),
        ("toy.b.alias", (1,), "TestGun.test_three"),
        ("toy.c.scenario", (1,), ""),
        ("toy.c.scenario", (2, 3), ""),
        ("toy.c.whole", (), ""),
        ("toy.a.one", (1,), ""),
    }


def test_the_count_has_exactly_the_agreed_keys(toy: Project) -> None:
    assert msgspec.to_builtins(coverage(toy)) == [
        {
            "system": "toy",
            "rules": 10,
            "checks": 16,
            "enforced": 3,
            "tested": 8,
            "checks_tested": 10,
            "missing": [row.split()[0] for row in ROWS if row[:9] not in ("toy.a.one", "toy.a.two")],
        }
    ]


def test_a_check_that_two_tests_name_counts_once(make_project: Make) -> None:
    twice = '@pytest.mark.rule("toy.a.one", check=1)\ndef test_{}(): ...\n'
    project = make_project(["toy.a.one 2"], **{"tests/test_toy.py": twice.format("a") + twice.format("b")})
    assert coverage(project)[0].checks_tested == 1


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ('"toy.a.oen", check=1', "There is no rule 'toy.a.oen'. Did you mean toy.a.one?"),
        ('"toy.a.one", check=3', "toy.a.one has no check 3; it has 2 checks, counted from 1."),
        ('"toy.a.one", check=0', "toy.a.one has no check 0; it has 2 checks, counted from 1."),
        ('"toy.a.one", check=(1, 5)', "toy.a.one has no check 5; it has 2 checks, counted from 1."),
        ('"toy.a.one", check=n', "must be a number or a tuple of numbers, written out"),
        ('"toy.a.one", check=True', "must be a number or a tuple of numbers, written out"),
        ('"toy.a.one", checks=1', "A rule mark is written"),
        ('"toy.a.one", 1', "A rule mark is written"),
        ('f"toy.{area}.one", check=1', "A rule mark is written"),
    ],
)
def test_a_wrong_mark_is_reported_with_its_place(make_project: Make, mark: str, message: str) -> None:
    tests = f"import pytest\n\n@pytest.mark.rule({mark})\ndef test_one(): ...\n"
    problems = scan(make_project(["toy.a.one 2"], **{"tests/test_toy.py": tests})).problems
    assert [(problem.path.name, problem.line) for problem in problems] == [("test_toy.py", 3)]
    assert message in problems[0].message


@pytest.mark.parametrize("source", ['@rule("toy.a.oen")\ndef f(): ...', "@rule(*IDS)\ndef f(): ..."])
def test_a_wrong_mark_in_the_source_is_reported(make_project: Make, source: str) -> None:
    marks = scan(make_project(["toy.a.one"], **{"src/toy/a.py": source}))
    assert len(marks.problems) == 1
    assert marks.code == []


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{rule: toy.a.one, check: 9}", "has no check 9"),
        ("{rule: toy.a.one, check: one}", "must be a number or a list of numbers"),
        ("{rlue: toy.a.one}", "An entry of 'proves' is written"),
        ("toy.a.one", "An entry of 'proves' is written"),
    ],
)
def test_a_wrong_entry_in_a_scenario_file_is_reported(make_project: Make, entry: str, message: str) -> None:
    text = f"name: x\nproves:\n  - {entry}\n"
    problems = scan(make_project(["toy.a.one 2"], **{"tests/scenarios/a.yaml": text})).problems
    assert [(problem.path.name, problem.line) for problem in problems] == [("a.yaml", 3)]
    assert message in problems[0].message


def test_an_installed_package_without_tests_says_so(toy: Project) -> None:
    with pytest.raises(UserError, match="needs a source checkout"):
        coverage(Project(root=toy.root / "src", package=toy.package))


def test_a_folder_without_a_ledger_is_no_checkout(toy: Project) -> None:
    with pytest.raises(UserError, match="is not a checkout with a rules ledger"):
        Project.at(toy.root / "src")


def test_a_rule_is_explained_with_its_code_and_tests(toy: Project) -> None:
    found = explain(toy, "toy.a.one")
    assert [test.test for test in found.proving(2)] == ["test_one"]
    assert [test.path.name for test in found.proving(1)] == ["puzzle.yaml"]
    data = as_data(toy, found)
    assert data["checks"] == ("Fact 1.", "Fact 2.")
    assert data["code"] == [{"file": "src/toy/move.py", "line": 5, "function": "walk", "doc": "Walk a unit."}]
    assert {"file": "tests/test_toy.py", "line": 7, "test": "test_one", "checks": (2,)} in data["tests"]


def test_counting_the_real_checkout_imports_no_system_and_no_numpy() -> None:
    script = (
        "import sys; from sandtable.rules.coverage import coverage; from sandtable.rules.project import Project; "
        "coverage(Project.here()); "
        "print([m for m in sys.modules if m in ('numpy', 'numba') or m.startswith('sandtable.systems')])"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "[]"


def test_a_conftest_may_compute_marks(make_project: Make) -> None:
    conftest = "def mark(item, entry):\n    item.add_marker(pytest.mark.rule(entry['rule'], check=entry['check']))\n"
    assert scan(make_project(["toy.a.one"], **{"tests/conftest.py": conftest})).problems == []
