"""Makes a test of every scenario file, with the marks of the rules that it proves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable import kernels
from sandtable.rules.scan import SCENARIO_FIXTURE
from support.scenarios import rule_marks, scenario_files

# Tests run machine code, also in the processes that they start; what is missing is compiled before it runs.
os.environ.setdefault("SANDTABLE_KERNELS", kernels.COMPILED)
kernels.engage()

ROOT = Path(__file__).parents[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if SCENARIO_FIXTURE in metafunc.fixturenames:
        params = [
            pytest.param(path, marks=rule_marks(path), id=path.relative_to(ROOT).as_posix())
            for path in scenario_files(ROOT)
        ]
        metafunc.parametrize(SCENARIO_FIXTURE, params)
