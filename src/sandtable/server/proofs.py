"""Scenarios that prove rules: players who argue begin one, and see for themselves.

They stand beside the source; an installed package has none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sandtable.battle.scenario import read_scenario
from sandtable.errors import UserError
from sandtable.rules.project import Project
from sandtable.server.protocol import Proved


def _files() -> Mapping[str, Path]:
    """The scenarios by their names, the system and the file."""
    folder = Project.here().root / "docs" / "scenarios"
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.glob("*/*.yaml"))}


@cache
def _by_rule() -> Mapping[str, tuple[Proved, ...]]:
    found: dict[str, list[Proved]] = {}
    for name, path in _files().items():
        document = read_scenario(path.read_text(encoding="utf-8"), path.name)
        for rule in dict.fromkeys(proof.rule for proof in document.proves):
            found.setdefault(rule, []).append(Proved(name, document.scenario))
    return {rule: tuple(proved) for rule, proved in found.items()}


def of_rule(id_: str) -> tuple[Proved, ...]:
    """The scenarios that prove checks of a rule."""
    return _by_rule().get(id_, ())


def text_of(name: str) -> str:
    """A scenario as it is written."""
    path = _files().get(name)
    if path is None:
        raise UserError(f"There is no scenario '{name}' here.")
    return path.read_text(encoding="utf-8")
