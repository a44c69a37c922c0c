"""Scenario files as tests: where they stand, and the rules that they prove."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.errors import UserError
from sandtable.rules.scan import SCENARIO_FILES, SCENARIO_FOLDERS


def scenario_files(root: Path) -> list[Path]:
    """The scenario files of a checkout, where `sandtable rules coverage` looks for them too."""
    return sorted(path for folder in SCENARIO_FOLDERS for path in (root / folder).glob(SCENARIO_FILES))


def rule_marks(path: Path) -> list[pytest.MarkDecorator]:
    """The marks of a scenario file; none if it cannot be read, which its own test then says."""
    from sandtable.battle.scenario import read_scenario_file

    try:
        document = read_scenario_file(path)
    except UserError:
        return []
    return [pytest.mark.rule(proof.rule, check=proof.check) for proof in document.proves]
