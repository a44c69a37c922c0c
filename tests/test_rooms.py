"""Every line of code stands in its room: shared code names no edition, and no import is hidden to close a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
SHARED = ("kit", "forty", "table", "attack", "battle", "armies")
SYSTEMS = ("w40k4", "w40k8", "w40k10", "w40k11", "epica")
EDITION = re.compile(rf"\b(?:{'|'.join(SYSTEMS)})(?:\b|_)|\b(?:4th|8th|10th|11th) edition\b", re.IGNORECASE)
NAMING = {"src/sandtable/armies/characteristics.py", "src/sandtable/armies/packs.py"}
"""Documents say which edition they are written for, and these read them."""


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((SOURCE / "sandtable").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(nodes: list[ast.stmt], known: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """The modules of ours that some statements import, with their lines."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((a.name, node.lineno) for a in node.names if a.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            whole = [f"{node.module}.{a.name}" for a in node.names]
            yield from ((name if name in known else str(node.module), node.lineno) for name in whole)


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text()) for name, path in modules().items()}


def late(tree: ast.Module) -> list[ast.stmt]:
    """Imports inside functions."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)]


@cache
def reached(module: str) -> frozenset[str]:
    """Everything that is imported when a module is, without what its functions import later."""
    known, found, todo = modules(), set[str](), [module]
    while todo:
        for name, _ in imported(trees()[todo.pop()].body, known):
            if name not in found:
                found.add(name)
                todo.append(name)
    return frozenset(found)


def hidden(room: str) -> list[str]:
    """Imports inside functions that stand there because at the top of the file they would close a circle."""
    return [
        f"{modules()[name].relative_to(SOURCE.parent)}:{line}: {other} imports this module"
        for name, tree in trees().items()
        if name.startswith(f"sandtable.{room}.")
        for other, line in imported(late(tree), modules())
        if name in reached(other) or name == other
    ]


@pytest.mark.parametrize("room", SHARED)
def test_no_shared_code_names_an_edition(room: str) -> None:
    named = []
    for path in sorted((SOURCE / "sandtable" / room).rglob("*.py")):
        place = path.relative_to(SOURCE.parent).as_posix()
        lines = path.read_text().splitlines() if place not in NAMING else []
        named += [f"{place}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if EDITION.search(line)]
    assert not named, "\n".join(named)


@pytest.mark.parametrize("room", ["kit", "forty", "table", "attack", "armies", "systems"])
def test_no_import_is_hidden_in_a_function_because_it_would_close_a_circle(room: str) -> None:
    assert not hidden(room), "\n".join(hidden(room))


@pytest.mark.parametrize("text", ['if edition == "w40k10":', "# as in 8th edition", "epica_zone = 5", '"w40k11.gap.x"'])
def test_an_edition_is_found_wherever_it_stands(text: str) -> None:
    assert EDITION.search(text)


@pytest.mark.parametrize("text", ["editions differ here", "the 10th model", "epicanthic"])
def test_what_only_looks_like_an_edition_is_none(text: str) -> None:
    assert not EDITION.search(text)
