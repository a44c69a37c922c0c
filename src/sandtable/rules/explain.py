"""Everything known about one rule: what it says, the code that enforces it, the tests that prove it."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.rules.ledger import Row
from sandtable.rules.project import Project
from sandtable.rules.scan import CodeMark, ProofMark, scan


class Explanation(msgspec.Struct, frozen=True):
    """A row with the code and the tests that name it."""

    row: Row
    code: list[CodeMark]
    tests: list[ProofMark]

    def proving(self, check: int) -> list[ProofMark]:
        """The tests that name this check, counted from 1."""
        return [test for test in self.tests if check in test.checks]


def explain(project: Project, rule_id: str) -> Explanation:
    """Look a rule up. The files are read, not run."""
    row = project.ledger.find(rule_id)
    marks = scan(project, only=rule_id)
    return Explanation(
        row,
        [mark for mark in marks.code if mark.rule == rule_id],
        [mark for mark in marks.tests if mark.rule == rule_id],
    )


def as_data(project: Project, found: Explanation) -> dict[str, Any]:
    """The explanation as plain data for JSON, with files named from the root of the checkout."""
    row = found.row
    return {
        **{name: getattr(row, name) for name in row.__struct_fields__},
        "code": [
            {"file": project.relative(mark.path), "line": mark.line, "function": mark.function, "doc": mark.doc}
            for mark in found.code
        ],
        "tests": [
            {"file": project.relative(mark.path), "line": mark.line, "test": mark.test, "checks": mark.checks}
            for mark in found.tests
        ],
    }
