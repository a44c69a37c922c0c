"""A pytest session that collects the tests of a checkout and hands them to a proof instead of running them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec

from sandtable.errors import UserError

try:
    import pytest
except ImportError:
    raise UserError("Proving rules runs their tests and needs pytest: pip install 'sandtable[dev]'.") from None

from sandtable.rules.forks import FAILED, PASSED, Outcome, Reports, Task, run_all, unchanged
from sandtable.rules.project import Project
from sandtable.rules.scan import SCENARIO_FIXTURE, Marks

#: Seconds after which one test counts as failed: in changed code, a loop may never end.
TIMEOUT = 60.0
#: A test may do this many times the work that it does in unchanged code, and this many seconds of work more.
PATIENCE, GRACE = 10.0, 2.0

#: Told about progress: what is being done, how much of it is finished, how much there is.
Progress = Callable[[str, int, int], None]


class Fault(msgspec.Struct, frozen=True):
    """Something that keeps a rule from being proven at all."""

    where: str
    message: str


class Session:
    """The pytest plugin: silent, collects as usual, and then lets `work` do what it wants with the tests."""

    def __init__(
        self, project: Project, jobs: int, timeout: float, progress: Progress, work: Callable[[Session], None]
    ) -> None:
        self.project, self.jobs, self.timeout, self.progress, self.work = project, jobs, timeout, progress, work
        self.reports = Reports()
        self.items: list[pytest.Item] = []
        self.faults: list[Fault] = []
        self.finished = False

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.unregister(name="terminalreporter")
        # Hypothesis takes long to import, so a project that does not use it should not pay for it.
        if any(b"hypothesis" in path.read_bytes() for path in self.project.tests.rglob("*.py")):
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
        self.items = session.items
        self._warm_up()
        self.work(self)
        self.finished = True
        return True

    def _warm_up(self) -> None:
        """Load what was compiled before the first fork, or every child would spend most of its life on it."""
        for name, module in sorted(sys.modules.items()):
            if name.startswith(f"{self.project.package.name}.") and callable(warm := getattr(module, "warm_up", None)):
                self.progress(f"loading {name}", 0, 0)
                warm()

    def by_rule(self, wanted: Collection[str]) -> dict[str, list[pytest.Item]]:
        """The tests that name each of these rules."""
        found: dict[str, list[pytest.Item]] = {rule_id: [] for rule_id in wanted}
        for item in self.items:
            for rule_id in dict.fromkeys(mark.args[0] for mark in item.iter_markers("rule") if mark.args):
                if rule_id in found:
                    found[rule_id].append(item)
        return found

    def baseline(self, items: Sequence[pytest.Item], control: Callable[[], None] = unchanged) -> dict[str, Outcome]:
        """Run tests in which no rule is any different. Those that pass can prove something; those that fail are faults.

        `control` does to the code what a change does to it, without changing what it says. It must make no difference.
        """
        outcomes = self._run_pieces("running the tests as they are", items, control)
        failed = [item for item in items if outcomes[item.nodeid].result == FAILED]
        plain = self._run_pieces("running failed tests again", failed, unchanged) if control is not unchanged else {}
        for item in failed:
            error = outcomes[item.nodeid].error
            reason = "although no rule is knocked out" if control is unchanged else "although nothing is changed"
            if plain and plain[item.nodeid].result != FAILED:
                reason = "when code is compiled again without a change, though not otherwise"
            self.faults.append(Fault(item.nodeid, f"fails {reason}: {error}"))
        return {test: outcome for test, outcome in outcomes.items() if outcome.result == PASSED}

    def _run_pieces(self, doing: str, items: Sequence[pytest.Item], change: Callable[[], None]) -> dict[str, Outcome]:
        outcomes: dict[str, Outcome] = {}
        # Neighbours stay together, because they share fixtures; several pieces for each job keep all jobs busy.
        size = max(1, -(-len(items) // (self.jobs * 4)))
        tasks = [Task(str(at), items[at : at + size], change) for at in range(0, len(items), size)]
        for task in self.run_all(tasks):
            outcomes.update((outcome.test, outcome) for outcome in task.outcomes)
            self.progress(doing, len(outcomes), len(items))
        return outcomes

    def run_all(self, tasks: Sequence[Task]) -> Iterable[Task]:
        return run_all(tasks, self.reports, jobs=self.jobs, timeout=self.timeout)


def with_tests(
    project: Project,
    marks: Marks,
    wanted: Collection[str],
    work: Callable[[Session], None],
    *,
    jobs: int,
    timeout: float,
    progress: Progress,
) -> list[Fault]:
    """Import the code of the rules, collect the tests that name them, and let `work` go at it. Returns the faults.

    This imports the project and its tests into the running process.
    """
    if not hasattr(os, "fork"):
        raise UserError("Proving rules forks the process, which this operating system cannot do.")
    _import_code(project, marks, wanted)
    session = Session(project, jobs, timeout, progress, work)
    # Whatever the project's own settings say: one process, all marks, nothing remembered for the next run.
    arguments = [
        *map(str, _test_files(project, marks, wanted)),
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
    return session.faults


def quickest(items: Iterable[pytest.Item], fair: Mapping[str, Outcome]) -> list[pytest.Item]:
    """The tests that can prove something, the quickest first, because one that fails ends a proof."""
    able = {item.nodeid: item for item in items if item.nodeid in fair}
    return sorted(able.values(), key=lambda item: fair[item.nodeid].seconds)


def limits_of(fair: Mapping[str, Outcome]) -> dict[str, float]:
    """The seconds of processor time after which a test in changed code counts as failed."""
    return {test: GRACE + PATIENCE * outcome.seconds for test, outcome in fair.items()}


def _test_files(project: Project, marks: Marks, wanted: Collection[str]) -> list[Path]:
    """The files with tests of these rules: to collect all others too would take longer than most proofs."""
    paths = {mark.path for mark in marks.tests if mark.rule in wanted}
    files = {path for path in paths if path.suffix == ".py"}
    if files != paths:
        # Scenario files become tests wherever this fixture is asked for.
        takers = (path for path in project.tests.rglob("test_*.py") if SCENARIO_FIXTURE in path.read_text("utf-8"))
        files.update(takers)
    return sorted(files)


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
