"""A checkout small enough to read: a ledger of one system, some code, some tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from sandtable.rules.project import Project

PYPROJECT = """
[tool.pytest.ini_options]
addopts = "--strict-markers --import-mode=importlib -q"
markers = ["rule(id, check): names a ledger row"]
"""

MakeProject = Callable[..., Project]


def ledger(*rows: str, system: str = "toy") -> str:
    """A ledger file with these rows: an id, and how many checks it has."""
    lines = [f"system: {system}", "source: none", "rules:"]
    for entry in rows:
        rule_id, _, checks = entry.partition(" ")
        lines += [f"  - id: {rule_id}", f"    name: The rule {rule_id}", "    where: Chapter 1", "    text: A rule."]
        lines += ["    checks:", *(f"      - Fact {n + 1}." for n in range(int(checks or 1)))]
    return "\n".join(lines) + "\n"


@pytest.fixture
def make_project(tmp_path: Path) -> MakeProject:
    """Writes a checkout of the package `toy`: files by path from its root."""

    def make(rows: list[str], **files: str) -> Project:
        root = tmp_path / "checkout"
        everything = {"src/toy/rules/ledger/toy.yaml": ledger(*rows), "pyproject.toml": PYPROJECT, **files}
        for name, text in everything.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), "utf-8")
        (root / "tests").mkdir(exist_ok=True)
        return Project.at(root)

    return make
