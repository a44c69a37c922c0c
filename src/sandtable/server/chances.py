"""The odds page: what can be asked about units, and answers to it. Strangers ask: no file is opened for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from sandtable import systems
from sandtable.errors import UserError
from sandtable.odds.answers import Answer, Row, percent
from sandtable.odds.links import Question, open_link
from sandtable.odds.outcome import Outcome
from sandtable.odds.setting import Setting
from sandtable.version import __version__

Words = Annotated[str, Meta(max_length=300)]

USUAL_CHARGE: Final = 8.0
WANTED: Final = 0.8
AGAIN: Final = 4
"""Attacks that a unit is to outlive."""
SHARES: Final = ("chance", "exactly", "at least", "re-roll", "destroy", "before", "after", "gain")
"""Columns with one of these words hold chances."""
LEAST: Final = 5e-4
"""What happens less often is not shown."""
MOST_ROWS: Final = 60


class OddsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about two units, or one that a link holds."""

    system: Annotated[str, Meta(max_length=40)] = systems.DEFAULT
    ask: Annotated[str, Meta(max_length=40)] = "into"
    """What is asked: one of `Known.asks`."""
    attacker: Words = ""
    target: Words = ""
    melee: bool = False
    distance: Annotated[float, Meta(ge=0, le=1000)] | None = None
    modifiers: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=12)] = ()
    code: Annotated[str, Meta(max_length=6000)] = ""
    """A link to a question, instead of all these."""


class Known(msgspec.Struct, frozen=True):
    """What can be asked about."""

    units: list[str]
    targets: list[str]
    """Typical ones, as they are named in a question."""
    modifiers: list[tuple[str, str]]
    """Names of circumstances, with what they say."""
    asks: list[tuple[str, str, bool]]
    """Questions by name, in words, and whether it matters how the attack is made."""


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


# ------------------------------------------------------------------------------------------ what can be asked


class Ask(NamedTuple):
    """A question about two units."""

    text: str
    arguments: Callable[[OddsAsked, Any], dict[str, Any]]
    """(what was asked, how the attack is made): as the function of `sandtable.odds` takes them."""
    how: bool = True
    """Whether it matters how the attack is made."""
    known: Callable[[Setting], bool] = lambda setting: True
    """Whether the system has such a thing."""


ASKS: Final = {
    "into": Ask("What does it do?", lambda a, how: {"attacker": a.attacker, "target": a.target, "how": how}),
    "need": Ask(
        "How many does it take?",
        lambda a, how: {"attacker": a.attacker, "target": a.target, "wanted": WANTED, "how": how},
    ),
    "survive": Ask(
        "How long does the other live?",
        lambda a, how: {"unit": a.target, "attackers": (a.attacker,), "how": how, "times": AGAIN},
    ),
    "exchange": Ask(
        "A fight: who loses what?",
        lambda a, _: {"first": a.attacker, "second": a.target, "how": None, "back": None},
        how=False,
    ),
    "assault": Ask(
        "A charge, from the shots before to the blows",
        lambda a, _: {"first": a.attacker, "second": a.target, "distance": a.distance or USUAL_CHARGE},
        how=False,
    ),
    "command_point": Ask(
        "Where is a command point well spent?",
        lambda a, how: {"attacker": a.attacker, "target": a.target, "aim": "destroy", "how": how},
    ),
    "leader": Ask("What does its Leader bring?", lambda a, how: {"unit": a.attacker, "target": a.target, "how": how}),
    "split": Ask(
        "Which weapons first?",
        lambda a, how: {"attacker": a.attacker, "among": (a.target,), "aim": "destroy", "how": how},
    ),
    "morale": Ask(
        "Who flees afterwards?",
        lambda a, how: {"unit": a.target, "lost": 0, "attackers": (a.attacker,), "how": how},
        known=lambda setting: setting.matchups.nerves is not None,
    ),
    "power": Ask(
        "A psychic power",
        lambda a, _: {"psyker": a.attacker, "target": a.target, "name": "", "deny": "", "distance": a.distance},
        how=False,
        known=lambda setting: setting.matchups.cast is not None,
    ),
}
"""By the name of the function of `sandtable.odds` that answers it."""


def known(system: str) -> Known:
    """Units, typical targets, circumstances and questions of a system."""
    setting = _setting(system)
    units = sorted({sheet.name for sheet in setting.open_pack().sheets()})
    targets = [f"panel: {sheet.name}" for sheet in setting.open_panel().sheets()]
    asks = [(name, ask.text, ask.how) for name, ask in ASKS.items() if ask.known(setting)]
    return Known(units, targets, [(m.name, m.text) for m in setting.matchups.modifiers], asks)


def answered(asked: OddsAsked) -> Told:
    """The answer to a question; raises `UserError` where it cannot be asked."""
    answer = open_link(asked.code or _code(asked))
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
    )


def _code(asked: OddsAsked) -> str:
    """The question as a link holds it: what is in a link is read as what a stranger wrote."""
    if not asked.attacker.strip() or not asked.target.strip():
        raise UserError("Name a unit that attacks, and one that is attacked.")
    setting, ask = _setting(asked.system), ASKS.get(asked.ask)
    if ask is None or not ask.known(setting):
        raise UserError(f"There is no question '{asked.ask}' here; there are {', '.join(ASKS)}.")
    how = {"melee": asked.melee, "distance": asked.distance, "modifiers": asked.modifiers, "weapons": (), "uses": ()}
    around = {"system": asked.system, "pack": setting.open_pack().header.id}
    return Question(__version__, asked.ask, {**ask.arguments(asked, how), "setting": around}).link


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
