"""One scenario under several systems: what comes out differently, and the rules behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Final

import msgspec

from sandtable.battle.courses import ALLOWED, GIVEN, REFUSED, Course, Entry, rules_of
from sandtable.rules.diff import Pair, as_data, behind
from sandtable.rules.project import Project

MINOR: Final = ("told", "asked")
"""What is said about a difference only where there is nothing else to say: wordings, and questions of one system."""
END: Final = ("unit", "open")
MOST_ENDS: Final = 3
"""Units whose losses a headline tells of."""


class Row(msgspec.Struct, frozen=True):
    """One thing under each of the systems; None where it is not there."""

    entries: tuple[Entry | None, ...]
    moved: bool = False
    """Whether it comes at another time under one of them; the row stands where it comes first."""

    @property
    def entry(self) -> Entry:
        """The first that there is."""
        return next(e for e in self.entries if e is not None)

    @property
    def differs(self) -> bool:
        return self.moved or self.differs_in_itself

    @property
    def differs_in_itself(self) -> bool:
        """Whether it differs in more than its time."""
        return len({None if e is None else e.same for e in self.entries}) > 1


class SideBySide(msgspec.Struct, frozen=True):
    """A scenario under several systems."""

    scenario: str
    question: str
    courses: tuple[Course, ...]
    rows: tuple[Row, ...]
    differences: tuple[tuple[str, str, tuple[Pair, ...]], ...]
    """For each system and the one before it, the rules that rows cite in which they differ."""

    @property
    def differing(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.differs)

    @property
    def headline(self) -> str:
        """In a sentence or two: where the courses part, and what that comes to in the end."""
        return headline(self)

    def data(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "scenario": self.scenario,
            "question": " ".join(self.question.split()),
            "headline": self.headline,
            "same": not self.differing,
            "systems": [{"id": c.system, "name": c.name, "notes": list(c.notes)} for c in self.courses],
            "rows": [self._row(row) for row in self.rows],
            "differences": [
                {"systems": [one, other], "rules": [as_data(pair) for pair in pairs]}
                for one, other, pairs in self.differences
            ],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        under = {c.system: _plain(e) for c, e in zip(self.courses, row.entries, strict=True)}
        told = {"what": row.entry.what, "about": row.entry.about, "differs": row.differs, "moved": row.moved}
        return {**told, "under": under}


def _plain(entry: Entry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    found: dict[str, Any] = {"text": entry.text, "rules": list(entry.rules), **msgspec.to_builtins(entry.data)}
    return {**found, "status": entry.status} if entry.status else found


def side_by_side(scenario: str, question: str, courses: Sequence[Course]) -> SideBySide:
    """Courses of a scenario beside each other, with the rules behind what differs."""
    rows = align(courses)
    differing = [row for row in rows if row.differs]
    cited = [rules_of([e for row in differing if (e := row.entries[i]) is not None]) for i in range(len(courses))]
    ledgers = Project.here().ledger.systems()
    differences = tuple(
        (a.system, b.system, behind(Project.here(), (a.system, b.system), (*cited[i], *cited[i + 1])))
        for i, (a, b) in enumerate(pairwise(courses))
        if a.system in ledgers and b.system in ledgers and (cited[i] or cited[i + 1])
    )
    return SideBySide(scenario, question, tuple(courses), tuple(rows), differences)


def align(courses: Sequence[Course]) -> list[Row]:
    """Entries about the same in one row, in their order as far as the courses have one in common."""
    rows: list[Row] = []
    for n, course in enumerate(courses):
        keys, new = [row.entry.key for row in rows], [entry.key for entry in course.entries]
        merged: list[Row] = []
        for _, i1, i2, j1, j2 in SequenceMatcher(None, keys, new, autojunk=False).get_opcodes():
            same = keys[i1:i2] == new[j1:j2]
            theirs: Sequence[Entry | None] = course.entries[j1:j2] if same else [None] * (i2 - i1)
            merged += [Row((*row.entries, entry)) for row, entry in zip(rows[i1:i2], theirs, strict=True)]
            if not same:
                merged += [Row((*[None] * n, entry)) for entry in course.entries[j1:j2]]
        rows = merged
    return _joined(rows, [Counter(entry.key for entry in course.entries) for course in courses])


def _joined(rows: Sequence[Row], counts: Sequence[Counter[str]]) -> list[Row]:
    """What happens only once in each course in one row, though the courses have it at different times."""
    found: dict[Any, Row] = {}
    for i, row in enumerate(rows):
        key = row.entry.key
        place = key if all(count[key] <= 1 for count in counts) else i
        found[place] = _both(found[place], row) if place in found else row
    return list(found.values())


def _both(one: Row, other: Row) -> Row:
    return Row(tuple(a or b for a, b in zip(one.entries, other.entries, strict=True)), moved=True)


# --- In words ---------------------------------------------------------------------------------------------------------


def headline(found: SideBySide) -> str:
    """Where the courses part, and what that comes to in the end."""
    editions = [c.edition for c in found.courses]
    differing = found.differing
    if not differing:
        return f"The same under {_listed(editions)}."
    ending = _ending(differing, editions)
    course = [row for row in differing if row.entry.what not in END]
    if not course:
        return f"The same to the end, but then {ending or _parting(differing[0], editions)}."
    first = next((row for row in course if row.entry.what not in MINOR), course[0])
    apart = "The same" if first is course[0] else "Apart from words and questions, the same"
    end = f"In the end, {ending}." if ending else "It comes to the same in the end."
    return f"{apart} until {_parting(first, editions)}. {end}"


def _ending(differing: Sequence[Row], editions: Sequence[str]) -> str:
    """How units end up differently, those with other losses first."""
    ends = [row for row in differing if row.entry.what == "unit"]
    hurt = [row for row in ends if len({e and e.brief for e in row.entries}) > 1]
    told = [f"{row.entry.data['unit']}: {_each(row, editions)}" for row in hurt[:MOST_ENDS]]
    if len(hurt) > MOST_ENDS:
        told.append("others differ, too")
    elsewhere = [row.entry.data["unit"] for row in ends if row not in hurt]
    if elsewhere:
        told.append(f"other places for {_listed(elsewhere)}")
    return "; ".join(told)


def _parting(row: Row, editions: Sequence[str]) -> str:
    """What is different in a row, to follow "the same until"."""
    entry = row.entry
    if not row.differs_in_itself:
        return f"{_name(entry)}, which comes at another time"
    if entry.what == "roll":
        return f"{_name(entry)}: {_rolls(row, editions)}"
    if entry.what == "asked" and None in row.entries:
        return f"{entry.data['player']} is asked '{entry.brief}' {_where(row, editions)}"
    return f"{_name(entry)}: {_each(row, editions)}"


def _name(entry: Entry) -> str:
    match entry.what:
        case "answer" | "try":
            return f"{entry.data['player']}'s {entry.what} to {entry.data['to']}"
        case "roll":
            return f"the {entry.data['reason']} roll"
        case "told":
            return f"'{entry.about}' is told"
        case _:
            return entry.about


def _where(row: Row, editions: Sequence[str]) -> str:
    return f"only under {_listed([edition for e, edition in zip(row.entries, editions, strict=True) if e is not None])}"


def _rolls(row: Row, editions: Sequence[str]) -> str:
    """What a roll needs under each, or where that is the same, what comes of it."""
    there = [e for e in row.entries if e is not None]
    if len(there) < len(row.entries):
        return f"it is made {_where(row, editions)}"
    # What dice need says more than how they fall, but not where they need the same.
    needs = [_needs(e) for e in there]
    return _under(needs if len(set(needs)) > 1 else [e.text.partition(": ")[2] for e in there], editions)


def _needs(roll: Entry) -> str:
    each = sorted(set(roll.data.get("needs", ())))
    return " or ".join(f"{face}+" for face in each) or roll.brief or "plain dice"


def _each(row: Row, editions: Sequence[str]) -> str:
    return _under([_said(e) for e in row.entries], editions)


def _said(entry: Entry | None) -> str:
    if entry is None:
        return "not there"
    if entry.status == REFUSED:
        # A headline has room for the first reason.
        return f"refused ({entry.brief.partition('. ')[0].rstrip('.')})"
    if entry.status:
        return ALLOWED if entry.status == GIVEN else entry.status
    return (entry.brief or entry.text).rstrip(".")


def _under(told: Sequence[str], editions: Sequence[str]) -> str:
    return ", ".join(f"{said} under {edition}" for said, edition in zip(told, editions, strict=True))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
