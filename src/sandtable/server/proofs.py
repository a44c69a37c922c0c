"""What proves rules: scenarios, which players who argue begin to see for themselves, and tests.

Scenarios stand beside the source, and an installed package brings them along; tests stand in a checkout alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from sandtable.battle.scenario import read_scenario
from sandtable.errors import UserError
from sandtable.rules.project import Project
from sandtable.rules.scan import files_of_tests, tests_in
from sandtable.server.protocol import Proved, Tested

FILES: Final = 1000
"""Files of tests whose names are kept."""


def _folder() -> Path | None:
    """Where a checkout keeps its scenarios; None where this is none."""
    folder = Project.here().root / "docs" / "scenarios"
    return folder if folder.is_dir() else None


def _files() -> Mapping[str, Path]:
    """The scenarios by their names, the system and the file."""
    folder = _folder() or Project.here().package / "scenarios"
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


@cache
def _files_of_tests() -> Mapping[str, list[Path]]:
    return files_of_tests(Project.here())


@lru_cache(FILES)
def _tests_in(path: Path) -> Mapping[str, list[str]]:
    """The tests of a file by the rules that they name."""
    found: dict[str, list[str]] = {}
    for mark in tests_in(path):
        found.setdefault(mark.rule, []).append(mark.test)
    return found


@cache
def tests_of(id_: str) -> tuple[Tested, ...]:
    """The tests that name a rule, those of its system first; in words as their names say it."""
    if _folder() is None:
        return ()
    project, system = Project.here(), id_.partition(".")[0]
    named = {
        (name, project.relative(path)): None
        for path in _files_of_tests().get(id_, ())
        for name in _tests_in(path).get(id_, ())
    }
    found = [Tested(name.removeprefix("test_").replace("_", " "), file) for name, file in named if name]
    return tuple(sorted(found, key=lambda tested: not tested.file.startswith(f"tests/{system}/")))


def text_of(name: str) -> str:
    """A scenario as it is written."""
    path = _files().get(name)
    if path is None:
        raise UserError(f"There is no scenario '{name}' here.")
    return path.read_text(encoding="utf-8")
