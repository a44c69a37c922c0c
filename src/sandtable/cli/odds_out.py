"""What `sandtable odds` prints: the headline, bars that also a pipe can show, and the assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.cli.out import console, show, text

if TYPE_CHECKING:
    from rich.console import Console

    from sandtable.odds.answers import Answer, Row
    from sandtable.odds.outcome import Fate, Outcome
    from sandtable.odds.results import Grid, Lists

WIDTH = 32
BLOCKS = " ▏▎▍▌▋▊▉█"
SHARES = ("chance", "exactly", "re-roll")
"""Columns with one of these words hold chances."""
SHOWN = 26
"""Rows that a table shows at most; all of them are in the CSV."""


def show_answer(answer: Answer) -> None:
    """Print an answer."""
    from sandtable.odds.outcome import Outcome
    from sandtable.odds.results import Grid, Lists

    screen = console()
    headline = answer.headline
    show(screen, text((f"{headline[:1].upper()}{headline[1:]}.", "bold")))
    screen.print()
    match answer:
        case Outcome():
            _outcome(screen, answer)
        case Grid():
            _grid(screen, answer)
        case Lists():
            _lists(screen, answer)
        case _:
            _table(screen, answer)
    screen.print()
    for line in answer.assumptions.lines():
        show(screen, text(("  " + line, "dim")))
    if answer.link:
        # On one line however long, so that it can be copied.
        screen.print(text("  ", ("Ask again: ", "dim"), f"sandtable odds open {answer.code}"), soft_wrap=True)


def bar(share: float, width: int = WIDTH) -> str:
    """A bar of blocks, to an eighth of a letter."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (BLOCKS[rest] if rest else "")).ljust(width)


def _outcome(screen: Console, answer: Outcome) -> None:
    from sandtable.odds.answers import percent
    from sandtable.odds.outcome import MARKS

    kind = "wounds" if answer.counts_wounds else "models"
    rows = answer.table()
    last = max((i for i, row in enumerate(rows) if float(row["at least"] or 0) > 5e-4), default=0)
    step = max(1, -(-(last + 1) // SHOWN))
    show(screen, text((f"  {kind:>6}   at least", "dim"), " " * WIDTH, ("exactly", "dim")))
    for row in rows[: last + 1 : step]:
        at_least, exactly = float(row["at least"] or 0), float(row["exactly"] or 0)
        show(
            screen,
            text(f"  {row[kind]:>6}  {100 * at_least:5.1f} %  ", (bar(at_least), "blue"), f" {100 * exactly:5.1f} %"),
        )
    sure = [(answer.mark(share), share) for share in MARKS if answer.mark(share)]
    marks = ", ".join(f"{n}{'' if n == len(rows) - 1 else '+'} ({100 * share:.0f} %)" for n, share in sure)
    counted_on = f"Count on {marks}" if marks else f"No {kind} can be counted on"
    show(screen, text(f"  {counted_on}; below half strength {percent(answer.below_half)}."))
    for fate in (fate for fate in answer.fates if fate.guarded or fate is answer.fate):
        show(screen, text(f"  {fate.name}: {_fate(fate)}."))
    for lost in answer.backfires:
        show(screen, text(f"  Own losses: {lost}; at least one test fails in {percent(lost.any)} of all cases."))
    if answer.stages:
        screen.print()
        widest = max(max(s.mean, s.high) for s in answer.stages) or 1.0
        for stage in answer.stages:
            spread = f"{stage.low}-{stage.high}" if stage.low != stage.high else f"{stage.low}"
            show(
                screen,
                text(f"  {stage.name:<8} ", (bar(stage.mean / widest, 24), "cyan"), f" {stage.mean:6.2f}  ({spread})"),
            )
    if answer.wasted is not None and answer.wasted >= 0.05:
        show(screen, text(f"  {answer.wasted:.1f} damage wasted on models that had fewer wounds left."))


def _fate(fate: Fate) -> str:
    from sandtable.odds.answers import percent

    if fate.number == 1:
        return f"{percent(fate.gone)} to be killed"
    return f"{fate.lost:.1f} of {fate.number} killed, all of them {percent(fate.gone)}"


def _grid(screen: Console, answer: Grid) -> None:
    _cells(screen, answer)
    screen.print()
    for number, name in enumerate(answer.targets, 1):
        show(screen, text((f"  {number:>3} ", "dim"), name))


def _cells(screen: Console, answer: Grid) -> None:
    wide = min(34, max(len(name) for name in answer.attackers))
    head = "".join(f"{n:>5}" for n in range(1, len(answer.targets) + 1))
    show(screen, text((f"  {answer.assumptions.returned:<{wide + 7}}{head}   mean", "dim")))
    for i, name in enumerate(answer.attackers):
        row = "".join(f"{v:5.2f}" if v >= 0.005 else "    ·" for v in answer.returned[i])
        show(
            screen, text(f"  {name[:wide]:<{wide}}  {answer.points[i]:>4} {row}  ", (f"{answer.means[i]:.2f}", "bold"))
        )
        if any(chance >= 0.005 for chance in answer.destroyed[i]):
            chances = "".join(f"{100 * c:4.0f}%" if c >= 0.005 else "     " for c in answer.destroyed[i])
            show(screen, text((f"  {'':<{wide}}       {chances}", "dim")))


def _lists(screen: Console, answer: Lists) -> None:
    for grid in (answer.there, answer.back):
        show(screen, text((grid.title, "bold")))
        _grid(screen, grid)
        screen.print()


def _table(screen: Console, answer: Answer) -> None:
    from sandtable.odds.results import CommandPoint, Exchange
    from sandtable.odds.results_phase import Assault, Morale, Psychic

    rows = answer.table()
    if isinstance(answer, Assault | Exchange | Morale | Psychic):
        rows = [row for row in rows if any(float(v) > 5e-4 for n, v in row.items() if v and "exactly" in n)]
    names = [n for n in (rows[0] if rows else ()) if n != "rules"]
    percent = isinstance(answer, CommandPoint) and answer.aim == "destroy"
    chance = next((n for n in names if "chance" in n or n in ("exactly", "after")), None)
    wide = {n: max(len(n), *(len(_cell(n, row, percent)) for row in rows)) for n in names}
    show(screen, text(("  " + "  ".join(f"{n:>{wide[n]}}" for n in names), "dim")))
    for row in rows[:SHOWN]:
        cells = "  ".join(f"{_cell(n, row, percent):>{wide[n]}}" for n in names)
        value = row[chance] if chance else None
        share = float(value) if isinstance(value, float) and 0 <= value <= 1 else None
        drawn = f"  {bar(share, 20)}" if share is not None else ""
        show(screen, text(f"  {cells}", (drawn.rstrip(), "blue")))
    if len(rows) > SHOWN:
        show(screen, text((f"  {len(rows) - SHOWN} more rows; see them with --csv.", "dim")))


def _cell(name: str, row: Row, percent: bool) -> str:
    value = row[name]
    if value is None:
        return ""
    if isinstance(value, bool):
        return "*" if value else ""
    if isinstance(value, float):
        share = percent or str(row.get("what", "")).startswith("chance") or any(s in name for s in SHARES)
        return f"{100 * value:.1f} %" if share else f"{value:.2f}"
    return str(value)
