"""The odds page: what can be asked about units, and answers to it. Strangers ask: no file is opened for them."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from sandtable import systems
from sandtable.errors import UserError
from sandtable.odds.answers import Answer, Row, percent
from sandtable.odds.asks import ASKS, TwoUnits, form_of, question_of, target_example
from sandtable.odds.links import open_link
from sandtable.odds.outcome import Outcome
from sandtable.odds.setting import Setting

SHARES: Final = ("chance", "exactly", "at least", "re-roll", "destroy", "before", "after", "gain")
"""Columns with one of these words hold chances."""
LEAST: Final = 5e-4
"""What happens less often is not shown."""
MOST_ROWS: Final = 60


class OddsAsked(TwoUnits, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about two units, or one that a link holds."""

    code: Annotated[str, Meta(max_length=6000)] = ""
    """A link to a question, instead of all these."""


class AskKnown(msgspec.Struct, frozen=True):
    """A question that can be asked."""

    name: str
    text: str
    how: bool
    """Whether it matters how the attack is made."""
    example: str
    """Who may attack."""
    distance: str
    """What is reckoned with where no distance is named; empty where none matters."""


class Known(msgspec.Struct, frozen=True):
    """What can be asked about."""

    units: list[str]
    targets: list[str]
    """Typical ones, as they are named in a question."""
    modifiers: list[tuple[str, str]]
    """Names of circumstances, with what they say."""
    asks: list[AskKnown]
    example: str
    """Whom it may be asked about."""


class Told(msgspec.Struct, frozen=True):
    """An answer."""

    headline: str
    title: str
    lost: str
    """What bars count: models or wounds."""
    bars: list[tuple[int, float, float]]
    """So many that are lost, with the chance of exactly so many, and of at least so many."""
    stages: list[tuple[str, float, int, int]]
    """From attacks to models: each step with its mean, and between what four fifths of all cases lie."""
    columns: list[str]
    rows: list[list[str]]
    """The numbers of answers that are no bars."""
    assumptions: list[str]
    code: str
    """That opens the question again."""
    asked: TwoUnits | None
    """The question, as a form asks it; none where it holds more than a form can say."""


# ------------------------------------------------------------------------------------------ what can be asked


def known(system: str) -> Known:
    """Units, typical targets, circumstances and questions of a system."""
    setting = _setting(system)
    units = sorted({sheet.name for sheet in setting.open_pack().sheets()})
    targets = [f"panel: {sheet.name}" for sheet in setting.open_panel().sheets()]
    known = [(name, ask) for name, ask in ASKS.items() if ask.known(setting)]
    asks = [AskKnown(name, ask.text, ask.how, ask.example(setting), ask.distance) for name, ask in known]
    modifiers = [(m.name, m.text) for m in setting.matchups.modifiers]
    return Known(units, targets, modifiers, asks, target_example(setting))


def answered(asked: OddsAsked) -> Told:
    """The answer to a question; raises `UserError` where it cannot be asked."""
    answer = open_link(asked.code or question_of(asked, _setting(asked.system)).link)
    outcome = answer if isinstance(answer, Outcome) else None
    columns, rows = _table(answer) if outcome is None else ([], [])
    return Told(
        headline=answer.headline,
        title=f"{outcome.attacker} at {outcome.target}" if outcome else _title(answer),
        lost=_counted(outcome) if outcome else "",
        bars=_bars(outcome) if outcome else [],
        stages=[(s.name, s.mean, s.low, s.high) for s in outcome.stages] if outcome else [],
        columns=columns,
        rows=rows,
        assumptions=answer.assumptions.lines(),
        code=answer.code,
        asked=form_of(answer.question) if answer.question else None,
    )


# ------------------------------------------------------------------------------------------ what is shown of it


def _title(answer: Answer) -> str:
    ask = ASKS.get(answer.question.ask) if answer.question else None
    return ask.text if ask else ""


def _bars(answer: Outcome) -> list[tuple[int, float, float]]:
    kind = _counted(answer)
    return [(int(row[kind] or 0), float(row["exactly"] or 0), float(row["at least"] or 0)) for row in answer.table()]


def _counted(answer: Outcome) -> str:
    return "wounds" if answer.counts_wounds else "models"


def _table(answer: Answer) -> tuple[list[str], list[list[str]]]:
    """The numbers of an answer in words, without what hardly ever happens."""
    rows = [row for row in answer.table() if _happens(row)][:MOST_ROWS]
    names = [name for name in (rows[0] if rows else ()) if name != "rules"]
    return names, [[_cell(name, row) for name in names] for row in rows]


def _happens(row: Row) -> bool:
    chances = [float(value) for name, value in row.items() if isinstance(value, float) and "exactly" in name]
    return not chances or max(chances) > LEAST


def _cell(name: str, row: Row) -> str:
    match row[name]:
        case None:
            return ""
        case bool(yes):
            return "yes" if yes else ""
        case float(share) if 0 <= share <= 1 and _is_share(name, row):
            return percent(share)
        case float(number):
            return f"{number:.1f}"
        case value:
            return str(value)


def _is_share(name: str, row: Row) -> bool:
    return str(row.get("what", "")).startswith("chance") or any(word in name for word in SHARES)


def _setting(system: str) -> Setting:
    if system not in systems.known():
        raise UserError(f"There is no system '{system}'; there are {', '.join(systems.known())}.")
    return Setting(system)
