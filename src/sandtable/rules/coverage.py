"""How much of each system is in: rows that code enforces, rows that tests name, checks that tests name."""

from __future__ import annotations

import msgspec

from sandtable.rules.project import Project
from sandtable.rules.scan import Marks, scan


class Coverage(msgspec.Struct, frozen=True):
    """The count for one system. `missing` are the rows that are not both enforced and tested."""

    system: str
    rules: int
    checks: int
    enforced: int
    tested: int
    checks_tested: int
    missing: list[str]


def coverage(project: Project, system: str | None = None, marks: Marks | None = None) -> list[Coverage]:
    """Count one system, or all of them."""
    project.need_tests()
    ledger = project.ledger
    systems = ledger.systems() if system is None else [system]
    rows = {name: ledger.load(name) for name in systems}
    marks = marks or scan(project)
    enforced = {mark.rule for mark in marks.code}
    tested = {mark.rule for mark in marks.tests}
    checks = {(mark.rule, check) for mark in marks.tests for check in mark.checks}
    return [
        Coverage(
            system=name,
            rules=len(of_system),
            checks=sum(len(row.checks) for row in of_system.values()),
            enforced=len(enforced & of_system.keys()),
            tested=len(tested & of_system.keys()),
            checks_tested=sum((row.id, n + 1) in checks for row in of_system.values() for n in range(len(row.checks))),
            missing=[rule_id for rule_id in of_system if rule_id not in enforced or rule_id not in tested],
        )
        for name, of_system in rows.items()
    ]
