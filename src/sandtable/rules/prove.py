"""Proves that tests prove: takes the code of a rule away and demands that a test of that rule fails.

A rule whose tests all pass without the code that enforces it is *hollow*: the tests name the rule and do not test it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from sandtable.errors import UserError
from sandtable.rules.equivalent import read_equivalents
from sandtable.rules.facts import STATED
from sandtable.rules.forks import FAILED, Outcome, Task
from sandtable.rules.knock import without_rule
from sandtable.rules.mark import MARKED
from sandtable.rules.mutants import Mutant, marked_code
from sandtable.rules.project import Project
from sandtable.rules.scan import Marks, scan
from sandtable.rules.session import TIMEOUT, Fault, Progress, Session, limits_of, quickest, with_tests

if TYPE_CHECKING:
    import pytest


class IdleTest(msgspec.Struct, frozen=True):
    """A test that passes although all code of the rule it names is gone."""

    test: str
    checks: tuple[int, ...]


class Check(msgspec.Struct, frozen=True):
    """What proves one check of a rule: a test of it that fails without the rule, or one that kills a mutant of it."""

    number: int
    tests: int
    test: str | None = None
    mutant: str | None = None

    @property
    def proved(self) -> bool:
        return self.test is not None


class Proof(msgspec.Struct, frozen=True):
    """What became of the tests of one rule when its code was gone."""

    rule: str
    tests: int
    hollow: bool
    first_failure: str | None = None
    error: str | None = None
    idle: tuple[IdleTest, ...] = ()
    checks: tuple[Check, ...] = ()

    @property
    def unproved(self) -> list[int]:
        """The checks that tests name and do not prove."""
        return [check.number for check in self.checks if check.tests and not check.proved]

    @property
    def unnamed(self) -> list[int]:
        """The checks that no test names. They are not built yet, which `rules coverage` counts, and prove no fault."""
        return [check.number for check in self.checks if not check.tests]


class Report(msgspec.Struct, frozen=True):
    """The result of a run."""

    proofs: list[Proof]
    faults: list[Fault]

    @property
    def hollow(self) -> list[str]:
        return [proof.rule for proof in self.proofs if proof.hollow]

    @property
    def unproved(self) -> int:
        """How many checks are named by tests and proved by none."""
        return sum(len(proof.unproved) for proof in self.proofs)

    @property
    def good(self) -> bool:
        return not self.hollow and not self.unproved and not self.faults


def prove(
    project: Project,
    *,
    system: str | None = None,
    rules: Sequence[str] = (),
    sample: int | None = None,
    jobs: int = 2,
    checks: bool = False,
    timeout: float = TIMEOUT,
    progress: Progress = lambda doing, done, total: None,
) -> Report:
    """Knock the code of each rule out in turn and run the tests that are marked with it.

    Looks at all rows that are enforced and tested, at those of one system, at the rules named, or at a random sample of
    that many. A rule is done as soon as one of its tests fails. With `checks`, every marked test runs, and every check
    that tests name must be proved: one of them fails without the rule, or kills a mutant of the rule's code.

    This imports the project and its tests into the running process.
    """
    project.need_tests()
    if system is not None:
        project.ledger.load(system)
    for rule_id in rules:
        project.ledger.find(rule_id)
    if rules:  # a rule without code or tests is noticed before all files are read
        _choose(project, scan(project, rules[0]), system, rules[:1])
    marks = scan(project)
    wanted = _choose(project, marks, system, rules)
    if sample is not None and sample < len(wanted):
        picked = set(random.sample(wanted, sample))
        wanted = [rule_id for rule_id in wanted if rule_id in picked]
    faults = [Fault(f"{project.relative(p.path)}:{p.line}", p.message) for p in marks.problems]
    proofs: list[Proof] = []

    def work(session: Session) -> None:
        tests = session.by_rule(wanted)
        fair = session.baseline(list({item: None for items in tests.values() for item in items}))
        proofs.extend(_knock_out(session, tests, fair, checks))
        if checks:
            proofs[:] = prove_checks(project, session, proofs, tests, fair)

    if wanted:
        faults += with_tests(project, marks, wanted, work, jobs=jobs, timeout=timeout, progress=progress)
    return Report(proofs, faults)


def _choose(project: Project, marks: Marks, system: str | None, rules: Sequence[str]) -> list[str]:
    """The rules to prove, in the order of the ledger."""
    enforced = {mark.rule for mark in marks.code}
    tested = {mark.rule for mark in marks.tests}
    for rule_id in rules:
        if rule_id not in enforced:
            raise UserError(f"{rule_id} cannot be proven: no code carries @rule({rule_id!r}).")
        if rule_id not in tested:
            raise UserError(f"{rule_id} cannot be proven: no test carries pytest.mark.rule({rule_id!r}, check=...).")
    candidates = enforced & tested & set(rules) if rules else enforced & tested
    return [row.id for row in project.ledger.rows(system) if row.id in candidates]


# --------------------------------------------------------------------------------------------------------- the rules


def _knock_out(
    session: Session, by_rule: Mapping[str, list[pytest.Item]], fair: Mapping[str, Outcome], checks: bool
) -> list[Proof]:
    tasks = []
    for rule_id, items in by_rule.items():
        able = quickest(items, fair)
        if not items:
            session.faults.append(Fault(rule_id, "a mark names this rule, but pytest collected no test for it"))
        elif not able:
            session.faults.append(Fault(rule_id, "none of its tests passes as it is, so none can prove it"))
        elif rule_id not in MARKED and rule_id not in STATED:
            session.faults.append(Fault(rule_id, "its code was imported, but nothing was marked with it"))
        else:
            try:
                tasks.append(Task(rule_id, able, _without(rule_id), stop_at_failure=not checks))
            except UserError as error:
                session.faults.append(Fault(rule_id, str(error)))
    done: dict[str, Proof] = {}
    for task in session.run_all(tasks):
        done[task.key] = _judge(task)
        session.progress("knocking rules out", len(done), len(tasks))
    return [done[rule_id] for rule_id in by_rule if rule_id in done]


def _without(rule_id: str) -> Callable[[], None]:
    """What takes a rule away: all its functions answer, and all its facts are, as if it did not exist."""
    knock = [(function, without_rule(function, neutral)) for function, neutral in MARKED.get(rule_id, ())]

    def change() -> None:
        for function, code in knock:
            function.__code__ = code
        for stated in STATED.get(rule_id, ()):
            stated.become(stated.neutral)

    return change


def _judge(task: Task) -> Proof:
    failures = [outcome for outcome in task.outcomes if outcome.result == FAILED]
    passing = {outcome.test for outcome in task.outcomes if outcome.result != FAILED}
    idle = tuple(IdleTest(item.nodeid, _checks_of(item, task.key)) for item in task.items if item.nodeid in passing)
    if not failures:
        return Proof(task.key, len(task.items), True, idle=idle)
    # A task that stopped at the first failure has not tried all tests, so its list would say little.
    known = () if task.stop_at_failure else idle
    return Proof(task.key, len(task.items), False, failures[0].test, failures[0].error, known)


def _checks_of(item: pytest.Item, rule_id: str) -> tuple[int, ...]:
    """The checks of a rule that a test says it proves."""
    numbers: set[int] = set()
    for mark in item.iter_markers("rule"):
        if mark.args and mark.args[0] == rule_id:
            check = mark.kwargs.get("check", ())
            numbers.update((check,) if isinstance(check, int) else check)
    return tuple(sorted(numbers))


# -------------------------------------------------------------------------------------------------------- the checks


class _Open(msgspec.Struct):
    """A check that no test proves yet, and what is left to try on its tests."""

    rule: str
    number: int
    tests: list[pytest.Item]
    mutants: list[Mutant]


def prove_checks(
    project: Project,
    session: Session,
    proofs: Sequence[Proof],
    by_rule: Mapping[str, list[pytest.Item]],
    fair: Mapping[str, Outcome],
) -> list[Proof]:
    """The proofs with what proves each check of their rules.

    Some checks say what a rule still allows, and hold without the rule as well. Their tests must kill a mutant of it.
    """
    found: dict[tuple[str, int], Check] = {}
    open_ones = []
    mutants = _mutants_by_rule(project, {proof.rule for proof in proofs})
    for proof in proofs:
        idle = {test.test for test in proof.idle}
        for number in range(1, len(project.ledger.find(proof.rule).checks) + 1):
            tests = [i for i in quickest(by_rule[proof.rule], fair) if number in _checks_of(i, proof.rule)]
            failing = next((item.nodeid for item in tests if item.nodeid not in idle), None)
            found[proof.rule, number] = Check(number, len(tests), failing)
            if tests and failing is None:
                open_ones.append(_Open(proof.rule, number, tests, mutants[proof.rule]))
    for check, test, mutant in _kill_for(session, open_ones, limits_of(fair)):
        number = check.number
        found[check.rule, number] = Check(number, len(check.tests), test, f"{mutant.function}: {mutant.what}")
    return [
        msgspec.structs.replace(
            proof, checks=tuple(check for (rule_id, _), check in found.items() if rule_id == proof.rule)
        )
        for proof in proofs
    ]


def _mutants_by_rule(project: Project, rules: set[str]) -> dict[str, list[Mutant]]:
    known = read_equivalents(project).known
    found: dict[str, list[Mutant]] = {rule_id: [] for rule_id in rules}
    for function in marked_code(project):
        for rule_id in rules.intersection(function.rules):
            found[rule_id] += [mutant for mutant in function.mutants() if mutant.key not in known]
    return found


def _kill_for(
    session: Session, checks: list[_Open], limits: Mapping[str, float]
) -> Iterator[tuple[_Open, str, Mutant]]:
    """Try one mutant after the other on the tests of each check, until one of them is killed."""
    total, turn = len(checks), 0
    while checks := [check for check in checks if turn < len(check.mutants)]:
        session.progress("looking for mutants that checks kill", total - len(checks), total)
        tasks = [
            Task(str(at), check.tests, check.mutants[turn].apply, stop_at_failure=True, limits=limits)
            for at, check in enumerate(checks)
        ]
        done = set()
        for task in session.run_all(tasks):
            check = checks[int(task.key)]
            failure = next((outcome.test for outcome in task.outcomes if outcome.result == FAILED), None)
            if failure is not None:
                done.add(int(task.key))
                yield check, failure, check.mutants[turn]
        checks = [check for at, check in enumerate(checks) if at not in done]
        turn += 1
