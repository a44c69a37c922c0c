"""Expected damage agrees with the calculator of the dataset, wherever that models the same rule."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("wh40kdc")
sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
drawn = import_module("cruncher").drawn


def test_expected_damage_agrees_with_the_calculator_of_the_dataset() -> None:
    pairs = list(drawn(300, 11))
    assert [pair for pair in pairs if not pair.agree and not pair.reason] == []
    assert sum(pair.agree for pair in pairs) > 285
