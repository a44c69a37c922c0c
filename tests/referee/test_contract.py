"""The referee shares nothing with the rules that it judges."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
CLOSED = ("sandtable.table", "sandtable.attack", "sandtable.kit", "sandtable.forty", "sandtable.systems")
"""What decides battles, and what they are decided with."""


def imports(source: str) -> Iterator[str]:
    """All modules that a source imports, wherever it does, and whatever it imports from them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("sandtable."):
            yield node.value


def closed(source: str) -> list[str]:
    """What a source imports and must not."""
    return [name for name in imports(source) if any(f"{name}.".startswith(f"{room}.") for room in CLOSED)]


def test_the_referee_imports_nothing_that_decides_battles() -> None:
    found = {path.name: closed(path.read_text()) for path in HERE.rglob("*.py") if path.name != Path(__file__).name}
    assert len(found) > 10
    assert not any(found.values()), found


def test_an_import_in_a_function_or_by_name_is_noticed() -> None:
    assert closed("def f():\n    from sandtable.systems.w40k10 import charge_phase\n") == [
        "sandtable.systems.w40k10.charge_phase"
    ]
    assert closed("from sandtable import kit") == ["sandtable.kit"]
    assert closed("import sandtable.table.measure as m") == ["sandtable.table.measure"]
    assert closed("import_module('sandtable.attack.solver')") == ["sandtable.attack.solver"]
    assert closed("from sandtable.players import play\nimport sandtable") == []
