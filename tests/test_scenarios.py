"""Every scenario file of the checkout comes true. Its marks are made in conftest.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import systems
from sandtable.battle.judging import run_scenario
from sandtable.battle.scenario import read_scenario_file
from support import playable
from support.scenarios import rule_marks, scenario_files


def test_scenario(scenario_file: Path) -> None:
    document = read_scenario_file(scenario_file)
    outcome = run_scenario(document, systems.get(document.system))
    if outcome.failures:
        pytest.fail("\n".join([*outcome.failures, "", "The account:", *outcome.account]), pytrace=False)


def test_scenario_files_are_found_in_docs_and_tests(tmp_path: Path) -> None:
    for name in ("docs/scenarios/a.yaml", "docs/scenarios/deep/b.yaml", "tests/x/scenarios/c.yaml", "docs/d.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [p.stem for p in scenario_files(tmp_path)] == ["a", "b", "c"]


def test_a_scenario_carries_the_marks_of_what_it_proves(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(playable.SCENARIO + "proves: [{rule: w40k10.move.advance, check: 2}]\n")
    (mark,) = rule_marks(file)
    assert (mark.name, mark.args, mark.kwargs) == ("rule", ("w40k10.move.advance",), {"check": 2})
    file.write_text("broken")
    assert rule_marks(file) == []
