"""What commands print of several systems side by side: the rules behind a difference, and a scenario under each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sandtable.battle.courses import Entry
    from sandtable.battle.side_by_side import Row, SideBySide
    from sandtable.rules.diff import Pair

SHOWN = 12
"""Rules that are shown of each pair of systems."""


def rules_behind(screen: Console, names: Mapping[str, str], one: str, other: str, pairs: Sequence[Pair]) -> None:
    """The rules behind a difference: those that state other facts, and those that only one system has."""
    from sandtable.cli.out import show, text
    from sandtable.rules.diff import alone, rank, told

    otherwise = [p for p in pairs if rank(p) == 0]
    show(screen, text((f"  {names[one]} beside {names[other]}", "bold")))
    for pair in otherwise[:SHOWN]:
        for row, facts in zip(pair.rows, pair.facts, strict=True):
            assert row is not None
            stated = f" ({'; '.join(told(facts))})" if facts else ""
            show(screen, text(f"    {names[row.system]}: {row.name}", (f"  {row.id}{stated}", "dim")))
    for side, has in enumerate((one, other)):
        for n, row in enumerate(alone(pairs, side)[:SHOWN]):
            if not n:
                show(screen, text(f"    Only in {names[has]}:"))
            show(screen, text(f"      {row.name}", (f"  {row.id}", "dim")))
    left = [len(otherwise), *(len(alone(pairs, side)) for side in (0, 1))]
    more = sum(max(0, number - SHOWN) for number in left)
    rest = f"{more} more, and " if more else ""
    shared = len(pairs) - sum(left)
    both = f"{shared} rule{'' if shared == 1 else 's'} that both have with the same facts"
    show(screen, text((f"    {rest}{both}: sandtable rules diff {one} {other}", "dim")))
    screen.print()


# --- A scenario under several systems ---------------------------------------------------------------------------------


def tell_scenario(screen: Console, found: SideBySide, whole: bool) -> None:
    """A headline, a table with a column for each system, and the rules behind what differs."""
    from sandtable.cli.out import show, text

    screen.print(text((found.scenario, "bold")))
    screen.print(text("Question: ", " ".join(found.question.split())))
    screen.print()
    show(screen, text((found.headline, "bold")))
    screen.print()
    if found.differing or whole:
        screen.print(_table(found, whole))
        screen.print()
    for course in found.courses:
        for note in course.notes:
            show(screen, text((f"  {course.edition}: ", "bold"), note))
    names = {course.system: course.edition for course in found.courses}
    for one, other, pairs in found.differences:
        rules_behind(screen, names, one, other, pairs)


def _table(found: SideBySide, whole: bool) -> Table:
    from rich.table import Table

    from sandtable.cli.out import text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", ratio=1, overflow="fold")
    for course in found.courses:
        table.add_column(text((course.edition, "bold")), ratio=2, overflow="fold")
    for row in _folded(found.rows, whole):
        if isinstance(row, int):
            table.add_row(text((f"  {row} the same", "dim")))
        else:
            about = f"  {row.entry.about}{' (at another time)' if row.moved else ''}"
            table.add_row(text(about), *(_cell(entry) for entry in row.entries))
    return table


def _folded(rows: Iterable[Row], whole: bool) -> Iterable[Row | int]:
    """The rows that differ, and how many lie between them that do not; or all of them."""
    same = 0
    for row in rows:
        if not row.differs and not whole:
            same += 1
            continue
        if same:
            yield same
        same = 0
        yield row
    if same:
        yield same


def _cell(entry: Entry | None) -> Text:
    from sandtable.battle.courses import REFUSED
    from sandtable.cli.out import cites, text

    if entry is None:
        return text(("-", "dim"))
    return text(entry.text, cites(entry.rules)) if entry.status == REFUSED else text(entry.text)
