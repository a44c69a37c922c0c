"""The process that thinks: what it does when the server is gone."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from sandtable.server.worker import HEADER, READY

MAIN = "from sandtable.server.worker import main; main()"
JOB = pickle.dumps(("rules", (("w40k10.move.options_free",),)))


@pytest.mark.parametrize(
    ("told", "waits"),
    [
        pytest.param(HEADER.pack(len(JOB)) + JOB, True, id="before it has the result"),
        pytest.param(b"", False, id="before the worker is ready"),
        pytest.param(HEADER.pack(len(JOB)) + JOB[:-1], True, id="in the middle of a job"),
        pytest.param(HEADER.pack(len(JOB))[:-1], True, id="in the middle of its length"),
    ],
)
def test_a_worker_ends_in_silence_when_the_server_is_killed(told: bytes, waits: bool) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", MAIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert worker.stdin is not None and worker.stdout is not None and worker.stderr is not None
    with worker.stderr:
        if waits:
            assert worker.stdout.read(len(READY)) == READY
        # So the system does it for a process that is killed.
        worker.stdout.close()
        worker.stdin.write(told)
        worker.stdin.close()
        assert worker.stderr.read() == b""
    assert worker.wait() == 0
