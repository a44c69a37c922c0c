"""Proofs that bite: changes one thing in the code of a rule and demands that a test of that rule fails.

A mutant that all tests of its rule let pass *survives*: a slip like it could be made without anybody noticing. Some
survive because nobody could tell the difference; these stand on a reviewed list, see `equivalent.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from sandtable.errors import UserError
from sandtable.rules.changed import base_of, changed
from sandtable.rules.equivalent import read_equivalents
from sandtable.rules.forks import FAILED, Outcome, Task
from sandtable.rules.mutants import Marked, MarkedFact, Mutant, marked_code, sampled
from sandtable.rules.project import Project
from sandtable.rules.scan import Problem, scan
from sandtable.rules.session import TIMEOUT, Fault, Progress, Session, limits_of, quickest, with_tests

if TYPE_CHECKING:
    import pytest

Code: TypeAlias = Marked | MarkedFact


class Survey(msgspec.Struct, frozen=True):
    """The result of a run. `compared` says with what the code was compared to find what changed."""

    mutants: int
    killed: int
    equivalent: int
    survived: list[Mutant]
    faults: list[Fault]
    compared: str | None = None

    @property
    def good(self) -> bool:
        return not self.survived and not self.faults


def mutate(
    project: Project,
    *,
    system: str | None = None,
    rules: Sequence[str] = (),
    files: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
    only_changed: bool = False,
    since: str | None = None,
    jobs: int = 2,
    timeout: float = TIMEOUT,
    progress: Progress = lambda doing, done, total: None,
) -> Survey:
    """Try mutants of all marked functions and facts, or of those that the filters name, or a sample of them.

    The tests that name a rule of the function run, the quickest first, until one fails. First they run with every
    function compiled again without a change, as a control.

    This imports the project and its tests into the running process.
    """
    project.need_tests()
    _refuse_unknown(project, system, rules, files)
    base = base_of(project, since) if only_changed or since is not None else None
    functions = marked_code(project)
    chosen = _choose(project, functions, system, rules, files)
    known = read_equivalents(project)
    mutants = {function.name + function.file: function.mutants() for function in functions}
    stale = known.stale([mutant for several in mutants.values() for mutant in several])
    marks = scan(project)
    faults = [_fault(project, problem) for problem in (*marks.problems, *known.problems, *stale)]

    compared = None
    if only_changed or since is not None:
        compared = f"{base.name} ({base.commit[:9]})" if base else "nothing: this is the first commit"
        chosen = changed(project, chosen, base) if base else []
    tried = sampled([m for f in chosen for m in mutants[f.name + f.file]], sample, seed)
    lively = [mutant for mutant in tried if mutant.key not in known.known]
    names = {(mutant.file, mutant.function) for mutant in lively}
    chosen = [function for function in chosen if (function.file, function.name) in names]
    survived: list[Mutant] = []
    if lively:
        wanted = list(dict.fromkeys(rule_id for function in chosen for rule_id in function.rules))

        def work(session: Session) -> None:
            tests, fair = tests_of(session, wanted, chosen)
            killed = kill(session, lively, tests, fair)
            survived.extend(mutant for mutant in lively if mutant.key not in killed)

        faults += with_tests(project, marks, wanted, work, jobs=jobs, timeout=timeout, progress=progress)
    equivalent = len(tried) - len(lively)
    return Survey(len(tried), len(lively) - len(survived), equivalent, survived, faults, compared)


def tests_of(
    session: Session, wanted: Collection[str], functions: Sequence[Code]
) -> tuple[dict[str, list[pytest.Item]], dict[str, Outcome]]:
    """The tests of each rule, and how those went that pass while all these functions are compiled again, unchanged."""
    tests = session.by_rule(wanted)

    def control() -> None:
        for function in functions:
            function.become()

    return tests, session.baseline(list({item: None for items in tests.values() for item in items}), control)


def kill(
    session: Session,
    mutants: Sequence[Mutant],
    tests: Mapping[str, Sequence[pytest.Item]],
    fair: Mapping[str, Outcome],
) -> set[tuple[str, str, str]]:
    """The keys of the mutants that a test of their rules notices."""
    limits = limits_of(fair)
    tasks = []
    for number, mutant in enumerate(mutants):
        able = quickest((item for rule_id in mutant.rules for item in tests[rule_id]), fair)
        if able:
            tasks.append(Task(str(number), able, mutant.apply, stop_at_failure=True, limits=limits))
    killed = set()
    for done, task in enumerate(session.run_all(tasks), 1):
        if any(outcome.result == FAILED for outcome in task.outcomes):
            killed.add(mutants[int(task.key)].key)
        session.progress("trying mutants", done, len(tasks))
    return killed


def _refuse_unknown(project: Project, system: str | None, rules: Sequence[str], files: Sequence[str]) -> None:
    """Refuse names that nothing bears, before all files are read."""
    if system is not None:
        project.ledger.load(system)
    for rule_id in rules:
        project.ledger.find(rule_id)
    sources = [(project.relative(path), str(path)) for path in project.package.rglob("*.py")] if files else []
    for file in files:
        if not any(_is_file(relative, whole, file) for relative, whole in sources):
            raise UserError(f"{file} has no mutants: there is no such file in {project.relative(project.package)}.")


def _choose(
    project: Project, functions: list[Code], system: str | None, rules: Sequence[str], files: Sequence[str]
) -> list[Code]:
    """The functions that all of the filters name."""
    if system is not None:
        ids = {row.id for row in project.ledger.rows(system)}
        functions = [function for function in functions if ids.intersection(function.rules)]
    for rule_id in rules:
        if not any(rule_id in function.rules for function in functions):
            raise UserError(f"{rule_id} has no mutants: no code carries @rule({rule_id!r}).")
    for file in files:
        if not any(_is_file(function.file, str(function.path), file) for function in functions):
            raise UserError(f"{file} has no mutants: no function in it carries @rule.")
    return [
        function
        for function in functions
        if (not rules or set(rules) & set(function.rules))
        and (not files or any(_is_file(function.file, str(function.path), file) for file in files))
    ]


def _is_file(relative: str, whole: str, file: str) -> bool:
    """Whether a path is meant by a file, which may be given by the end of its path, as in `charge.py`."""
    return f"/{relative}".endswith(f"/{file.removeprefix('./')}") or whole == file


def _fault(project: Project, problem: Problem) -> Fault:
    return Fault(f"{project.relative(problem.path)}:{problem.line}", problem.message)
