"""Expected damage agrees with the calculator of the dataset, wherever that models the same rule."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("wh40kdc")


@pytest.fixture
def cruncher(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The bench by its file: the folder on the path would hide packages of the tests."""
    spec = spec_from_file_location("cruncher", Path(__file__).parents[2] / "bench" / "cruncher.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "cruncher", module)
    spec.loader.exec_module(module)
    return module


def test_expected_damage_agrees_with_the_calculator_of_the_dataset(cruncher: Any) -> None:
    pairs = list(cruncher.drawn(300, 11))
    assert [pair for pair in pairs if not pair.agree and not pair.reason] == []
    assert sum(pair.agree for pair in pairs) > 285
