"""Proves that tests prove: takes the code of a rule away and demands that a test of that rule fails.

A rule whose tests all pass without the code that enforces it is *hollow*: the tests name the rule and do not test it.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec

from sandtable.errors import UserError

try:
    import pytest
except ImportError:
    raise UserError("Proving rules runs their tests and needs pytest: pip install 'sandtable[dev]'.") from None

from sandtable.rules.forks import FAILED, PASSED, Outcome, Reports, Task, run_all
from sandtable.rules.knock import without_rule
from sandtable.rules.mark import MARKED
from sandtable.rules.project import Project
from sandtable.rules.scan import Marks, scan

#: Seconds after which one test counts as failed: without a rule, a loop may never end.
TIMEOUT = 60.0


class IdleTest(msgspec.Struct, frozen=True):
    """A test that passes although all code of the rule it names is gone."""

    test: str
    checks: tuple[int, ...]


class Proof(msgspec.Struct, frozen=True):
    """What became of the tests of one rule when its code was gone."""

    rule: str
    tests: int
    hollow: bool
    first_failure: str | None = None
    error: str | None = None
    idle: tuple[IdleTest, ...] = ()


class Fault(msgspec.Struct, frozen=True):
    """Something that keeps a rule from being proven at all."""

    where: str
    message: str


class Report(msgspec.Struct, frozen=True):
    """The result of a run."""

    proofs: list[Proof]
    faults: list[Fault]

    @property
    def hollow(self) -> list[str]:
        return [proof.rule for proof in self.proofs if proof.hollow]

    @property
    def good(self) -> bool:
        return not self.hollow and not self.faults


#: Told about progress: what is being done, how much of it is finished, how much there is.
Progress = Callable[[str, int, int], None]


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
    that many. With `checks`, every marked test runs, and the ones that pass without the rule are listed as idle;
    otherwise a rule is done as soon as one of its tests fails.

    This imports the project and its tests into the running process.
    """
    if not hasattr(os, "fork"):
        raise UserError("Proving rules forks the process, which this operating system cannot do.")
    project.need_tests()
    marks = scan(project)
    wanted = _choose(project, marks, system, rules)
    if sample is not None and sample < len(wanted):
        picked = set(random.sample(wanted, sample))
        wanted = [rule_id for rule_id in wanted if rule_id in picked]
    faults = [Fault(f"{project.relative(p.path)}:{p.line}", p.message) for p in marks.problems]
    if not wanted:
        return Report([], faults)
    _import_code(project, marks, wanted)

    session = _Session(project.tests, wanted, jobs, checks, timeout, progress)
    # Whatever the project's own settings say: one process, all marks, nothing remembered for the next run.
    arguments = [
        str(project.tests),
        f"--rootdir={project.root}",
        "-p",
        "no:cacheprovider",
        "--capture=no",
        "--tb=native",
        "-m",
        "",
    ]
    if find_spec("xdist"):
        arguments.append("-n0")
    status = pytest.main(arguments, plugins=[session, session.reports])
    if not session.finished:
        if status == pytest.ExitCode.INTERRUPTED:
            raise KeyboardInterrupt
        raise UserError(f"pytest could not collect the tests in {project.tests} (exit status {int(status)}).")
    return Report(session.proofs, faults + session.faults)


def _choose(project: Project, marks: Marks, system: str | None, rules: Sequence[str]) -> list[str]:
    """The rules to prove, in the order of the ledger."""
    enforced = {mark.rule for mark in marks.code}
    tested = {mark.rule for mark in marks.tests}
    for rule_id in rules:
        project.ledger.find(rule_id)
        if rule_id not in enforced:
            raise UserError(f"{rule_id} cannot be proven: no code carries @rule({rule_id!r}).")
        if rule_id not in tested:
            raise UserError(f"{rule_id} cannot be proven: no test carries pytest.mark.rule({rule_id!r}, check=...).")
    candidates = enforced & tested & set(rules) if rules else enforced & tested
    return [row.id for row in project.ledger.rows(system) if row.id in candidates]


def _import_code(project: Project, marks: Marks, wanted: Collection[str]) -> None:
    """Import every module that carries one of the rules, so that its marks are known before the first fork."""
    source = str(project.package.parent)
    if source not in sys.path:
        sys.path.insert(0, source)
    for path in sorted({mark.path for mark in marks.code if mark.rule in wanted}):
        name = project.module_name(path)
        try:
            module = import_module(name)
        except Exception as error:
            raise UserError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
        if Path(module.__file__ or "").resolve() != path.resolve():
            raise UserError(f"{name} comes from {module.__file__} and not from {path}; use that checkout's own venv.")


class _Session:
    """The pytest plugin: silent, collects as usual, and instead of running the tests proves the rules with them."""

    def __init__(
        self, tests: Path, wanted: Sequence[str], jobs: int, checks: bool, timeout: float, progress: Progress
    ) -> None:
        self.tests, self.wanted, self.jobs = tests, wanted, jobs
        self.checks, self.timeout, self.progress = checks, timeout, progress
        self.reports = Reports()
        self.proofs: list[Proof] = []
        self.faults: list[Fault] = []
        self.finished = False

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.unregister(name="terminalreporter")
        # Hypothesis takes long to import, so a project that does not use it should not pay for it.
        if any(b"hypothesis" in path.read_bytes() for path in self.tests.rglob("*.py")):
            from hypothesis import Phase, settings

            # The first failure is enough: making it small would take minutes, and it must not be kept for the next run.
            phases = [Phase.explicit, Phase.generate]
            settings.register_profile(
                "sandtable-prove", settings.default, derandomize=True, database=None, deadline=None, phases=phases
            )
            settings.load_profile("sandtable-prove")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            lines = [line for line in report.longreprtext.splitlines() if line.startswith("E ")]
            self.faults.append(Fault(report.nodeid, lines[-1][1:].strip() if lines else "could not be collected"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        by_rule: dict[str, list[pytest.Item]] = {rule_id: [] for rule_id in self.wanted}
        for item in session.items:
            for rule_id in dict.fromkeys(mark.args[0] for mark in item.iter_markers("rule") if mark.args):
                if rule_id in by_rule:
                    by_rule[rule_id].append(item)
        fair = self._baseline(list(dict.fromkeys(item for items in by_rule.values() for item in items)))
        self._knock_out(by_rule, fair)
        self.finished = True
        return True

    def _baseline(self, items: Sequence[pytest.Item]) -> dict[str, Outcome]:
        """Run every marked test as it is. Those that pass can prove something; those that fail are faults."""
        outcomes: dict[str, Outcome] = {}
        # Neighbours stay together, because they share fixtures; several pieces for each job keep all jobs busy.
        size = max(1, -(-len(items) // (self.jobs * 4)))
        tasks = [Task(str(at), items[at : at + size]) for at in range(0, len(items), size)]
        for task in run_all(tasks, self.reports, jobs=self.jobs, timeout=self.timeout):
            outcomes.update((outcome.test, outcome) for outcome in task.outcomes)
            self.progress("running the tests as they are", len(outcomes), len(items))
        for item in items:
            if outcomes[item.nodeid].result == FAILED:
                message = f"fails although no rule is knocked out: {outcomes[item.nodeid].error}"
                self.faults.append(Fault(item.nodeid, message))
        return {test: outcome for test, outcome in outcomes.items() if outcome.result == PASSED}

    def _knock_out(self, by_rule: dict[str, list[pytest.Item]], fair: dict[str, Outcome]) -> None:
        tasks = []
        for rule_id, items in by_rule.items():
            # The quickest tests first: one that fails ends the proof.
            able = sorted((item for item in items if item.nodeid in fair), key=lambda item: fair[item.nodeid].seconds)
            if not items:
                self.faults.append(Fault(rule_id, "a mark names this rule, but pytest collected no test for it"))
            elif not able:
                self.faults.append(Fault(rule_id, "none of its tests passes as it is, so none can prove it"))
            elif rule_id not in MARKED:
                self.faults.append(Fault(rule_id, "its code was imported, but no function was marked with it"))
            else:
                try:
                    knock = [(function, without_rule(function, neutral)) for function, neutral in MARKED[rule_id]]
                except UserError as error:
                    self.faults.append(Fault(rule_id, str(error)))
                    continue
                tasks.append(Task(rule_id, able, knock, stop_at_failure=not self.checks))
        done: dict[str, Proof] = {}
        for task in run_all(tasks, self.reports, jobs=self.jobs, timeout=self.timeout):
            done[task.key] = _judge(task)
            self.progress("knocking rules out", len(done), len(tasks))
        self.proofs = [done[rule_id] for rule_id in by_rule if rule_id in done]


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
