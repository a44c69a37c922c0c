"""The odds page: what can be asked about units, and answers to it. Strangers ask: no file is opened for them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from sandtable import systems
from sandtable.errors import UserError
from sandtable.odds.links import Question, open_link
from sandtable.odds.outcome import Outcome
from sandtable.odds.setting import Setting
from sandtable.version import __version__

Words = Annotated[str, Meta(max_length=300)]


class OddsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about two units, or one that a link holds."""

    system: Annotated[str, Meta(max_length=40)] = systems.DEFAULT
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


class Told(msgspec.Struct, frozen=True):
    """An answer."""

    headline: str
    attacker: str
    target: str
    bars: list[tuple[int, float, float]]
    """Models that are lost, with the chance of exactly so many, and of at least so many."""
    stages: list[tuple[str, float, int, int]]
    """From attacks to models: each step with its mean, and between what four fifths of all cases lie."""
    assumptions: list[str]
    code: str
    """That opens the question again."""


def known(system: str) -> Known:
    """Units, typical targets and circumstances of a system."""
    setting = _setting(system)
    units = sorted({sheet.name for sheet in setting.open_pack().sheets()})
    targets = [f"panel: {sheet.name}" for sheet in setting.open_panel().sheets()]
    return Known(units, targets, [(m.name, m.text) for m in setting.matchups.modifiers])


def answered(asked: OddsAsked) -> Told:
    """The answer to a question; raises `UserError` where it cannot be asked."""
    code = asked.code
    if not code:
        if not asked.attacker.strip() or not asked.target.strip():
            raise UserError("Name a unit that attacks, and one that is attacked.")
        setting = _setting(asked.system)
        how = {
            "melee": asked.melee,
            "distance": asked.distance,
            "modifiers": asked.modifiers,
            "weapons": (),
            "uses": (),
        }
        around = {"system": asked.system, "pack": setting.open_pack().header.id}
        given = {"attacker": asked.attacker, "target": asked.target, "how": how, "setting": around}
        # What a link holds is read as what a stranger wrote.
        code = Question(__version__, "into", given).link
    answer = open_link(code)
    if not isinstance(answer, Outcome):
        raise UserError("This page tells what one unit does to another; other questions are for the command line.")
    bars = [
        (int(row["models"] or 0), float(row["exactly"] or 0), float(row["at least"] or 0)) for row in answer.table()
    ]
    return Told(
        headline=answer.headline,
        attacker=answer.attacker,
        target=answer.target,
        bars=bars,
        stages=[(s.name, s.mean, s.low, s.high) for s in answer.stages],
        assumptions=answer.assumptions.lines(),
        code=answer.code,
    )


def _setting(system: str) -> Setting:
    if system not in systems.known():
        raise UserError(f"There is no system '{system}'; there are {', '.join(systems.known())}.")
    return Setting(system)
