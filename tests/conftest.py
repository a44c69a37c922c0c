"""Makes a test of every scenario file, with the marks of the rules that it proves."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.rules.scan import SCENARIO_FIXTURE
from support.scenarios import rule_marks, scenario_files

ROOT = Path(__file__).parents[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if SCENARIO_FIXTURE in metafunc.fixturenames:
        params = [
            pytest.param(path, marks=rule_marks(path), id=path.relative_to(ROOT).as_posix())
            for path in scenario_files(ROOT)
        ]
        metafunc.parametrize(SCENARIO_FIXTURE, params)
