"""The reviewed list of mutants that change nothing a game could show, each with the reason why.

It stands in `tests/equivalent/`, in files that are named after the source files they speak of:

    file: src/package/charge.py
    equivalent:
      - function: may_charge
        what: "`left < 0` becomes `left <= 0`"
        why: Nothing is left at 0 either, and the loop that follows finds that out itself.

`what` is what `sandtable rules mutate` says; it holds no line numbers, so that the list outlives changes elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml

from sandtable.rules.mutants import Mutant
from sandtable.rules.project import Project
from sandtable.rules.scan import Problem

FOLDER = "equivalent"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One mutant, or several that are equivalent for the same reason."""

    function: str
    what: str | list[str]
    why: str


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries for one source file."""

    file: str
    equivalent: list[Entry]


class Equivalents(msgspec.Struct, frozen=True):
    """All entries of a checkout: the file and line of each, by the key of its mutant."""

    known: dict[tuple[str, str, str], tuple[Path, int]]
    problems: list[Problem]

    def stale(self, mutants: Sequence[Mutant]) -> list[Problem]:
        """The entries that no mutant answers to any more."""
        there = {mutant.key for mutant in mutants}
        return [
            Problem(path, line, f"There is no such mutant (any more) in {file}: {function}: {what}")
            for (file, function, what), (path, line) in self.known.items()
            if (file, function, what) not in there
        ]


def read_equivalents(project: Project) -> Equivalents:
    found = Equivalents({}, [])
    for path in sorted((project.tests / FOLDER).rglob("*.yaml")):
        _read(path, found)
    return found


def _read(path: Path, found: Equivalents) -> None:
    text = path.read_text("utf-8")
    try:
        document = msgspec.convert(yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)), Document)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        found.problems.append(Problem(path, 1, f"This is no list of equivalent mutants: {error}"))
        return
    lines = _lines_of_entries(text)
    for line, entry in zip(lines, document.equivalent, strict=True):
        if len(entry.why.split()) < 3:
            found.problems.append(Problem(path, line, f"{entry.function}: say why nobody could see the difference."))
        for what in [entry.what] if isinstance(entry.what, str) else entry.what:
            key = (document.file, entry.function, what)
            if key in found.known:
                found.problems.append(Problem(path, line, f"{entry.function} has this entry twice: {what}"))
            found.known[key] = (path, line)


def _lines_of_entries(text: str) -> list[int]:
    root = yaml.compose(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    entries = next(value for key, value in root.value if key.value == "equivalent")
    return [entry.start_mark.line + 1 for entry in entries.value]
