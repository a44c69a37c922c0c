"""Runs collected pytest items in forked children, each with some code changed, and gathers what became of them.

The tests are imported once, in the parent, which itself never runs one: every child starts from the same clean process.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import NoReturn

import msgspec
import pytest

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

#: How much more memory than its parent a child may take, in bytes: changed code may fill lists for ever.
MEMORY = 2 << 30


def unchanged() -> None:
    """Leaves the code of a child as it is."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of one test, and the seconds of processor time that it took."""

    test: str
    result: str
    seconds: float = 0.0
    error: str | None = None


class Task(msgspec.Struct):
    """Tests to run in one child, and what to change in it first. `limits` are seconds of processor time by test."""

    key: str
    items: Sequence[pytest.Item]
    change: Callable[[], None] = unchanged
    stop_at_failure: bool = False
    limits: Mapping[str, float] = {}
    outcomes: list[Outcome] = []


class Reports:
    """A pytest plugin that keeps the reports of the test that is running."""

    def __init__(self) -> None:
        self.kept: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.kept.append(report)


class _Child(msgspec.Struct):
    task: Task
    pid: int
    lines: bytearray


def run_all(tasks: Sequence[Task], reports: Reports, *, jobs: int, timeout: float) -> Iterator[Task]:
    """Run the tasks, `jobs` at a time, and hand each back when it has all its outcomes.

    A test that takes the child down, runs longer than `timeout` seconds or beyond its own limit, has failed; the rest
    of its task goes on in another child.
    """
    # The collector would touch every object in every child, and so make the system copy all memory.
    gc.collect()
    gc.freeze()
    waiting = deque(tasks)
    running: dict[int, _Child] = {}
    with selectors.DefaultSelector() as selector, tempfile.TemporaryDirectory(prefix="sandtable-prove-") as scratch:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    pipe, child = _start(waiting.popleft(), reports, scratch, timeout)
                    running[pipe] = child
                    selector.register(pipe, selectors.EVENT_READ)
                for key, _ in selector.select():
                    child = running[key.fd]
                    if data := os.read(key.fd, 1 << 16):
                        child.lines += data
                        continue
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    del running[key.fd]
                    status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
                    finished = _gather(child, status, timeout)
                    if finished:
                        yield child.task
                    else:
                        waiting.appendleft(child.task)
        finally:
            for pipe, child in running.items():
                os.kill(child.pid, signal.SIGKILL)
                os.waitpid(child.pid, 0)
                os.close(pipe)


def _start(task: Task, reports: Reports, scratch: str, timeout: float) -> tuple[int, _Child]:
    reading, writing = os.pipe()
    # What is still in the buffers would otherwise be written by the child as well.
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _be_child(task, reports, writing, scratch, timeout)
    os.close(writing)
    return reading, _Child(task, pid, bytearray())


def _gather(child: _Child, status: int, timeout: float) -> bool:
    """Take over what the child told. False if tests are left that it could not run."""
    task = child.task
    for line in child.lines.splitlines():
        # The last line may be cut off where the child died.
        if line.endswith(b"}"):
            task.outcomes.append(msgspec.json.decode(line, type=Outcome))
    left = len(task.items) - len(task.outcomes)
    stopped = task.stop_at_failure and any(outcome.result == FAILED for outcome in task.outcomes)
    if not left or (stopped and status == 0):
        return True
    test = task.items[len(task.outcomes)].nodeid
    reason = f"ended the process ({status})"
    if status in (-signal.SIGALRM, -signal.SIGPROF):
        reason = f"took longer than {timeout if status == -signal.SIGALRM else task.limits[test]:g} s"
    task.outcomes.append(Outcome(test, FAILED, error=reason))
    return left == 1 or task.stop_at_failure


def _be_child(task: Task, reports: Reports, writing: int, scratch: str, timeout: float) -> NoReturn:
    """The life of a child. It ends here, whatever happens, so that it never goes on as a second parent."""
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        # pytest looks here for the place of tmp_path; children must not share it.
        os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.mkdtemp(dir=scratch)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _bound_memory()
        task.change()
        _run_items(task, reports, lambda outcome: _send(writing, outcome), timeout)
        status = 0
    finally:
        os._exit(status)


def _bound_memory() -> None:
    """Changed code then gets a MemoryError, which fails its test, instead of all the memory of the machine."""
    import resource  # Not every system has it.

    pages = Path("/proc/self/statm")
    if pages.exists():
        size = int(pages.read_text().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard == resource.RLIM_INFINITY or size + MEMORY < hard:
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, hard))


def _run_items(task: Task, reports: Reports, send: Callable[[Outcome], None], timeout: float) -> None:
    items = task.items[len(task.outcomes) :]
    for number, item in enumerate(items):
        following = items[number + 1] if number + 1 < len(items) else None
        reports.kept.clear()
        started = process_time()
        signal.setitimer(signal.ITIMER_REAL, timeout)
        # On a busy machine time passes without work being done, so a test's own limit counts the work.
        signal.setitimer(signal.ITIMER_PROF, task.limits.get(item.nodeid, 0))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        outcome = _outcome(item, reports.kept, process_time() - started)
        send(outcome)
        if outcome.result == FAILED and task.stop_at_failure:
            # Ends fixtures that were kept for the next test, such as servers, before the child goes.
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=None)
            return


def _outcome(item: pytest.Item, reports: Sequence[pytest.TestReport], seconds: float) -> Outcome:
    for report in reports:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            error = crash.message if crash else str(report.longrepr)
            return Outcome(item.nodeid, FAILED, seconds, next(iter(error.splitlines()), ""))
    ran = any(report.when == "call" and report.passed for report in reports)
    return Outcome(item.nodeid, PASSED if ran else SKIPPED, seconds)


def _send(writing: int, outcome: Outcome) -> None:
    data = msgspec.json.encode(outcome) + b"\n"
    while data:
        data = data[os.write(writing, data) :]
