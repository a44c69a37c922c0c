"""Questions about two units that a form can ask, in words, and the other way round: what a form asked, by its link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from sandtable import systems
from sandtable.armies.format import Sheet
from sandtable.errors import UserError
from sandtable.odds import links
from sandtable.odds.links import Question
from sandtable.odds.setting import Setting
from sandtable.version import __version__

Words = Annotated[str, Meta(max_length=300)]

USUAL_CHARGE: Final = 8.0
WANTED: Final = 0.8
AGAIN: Final = 4
"""Attacks that a unit is to outlive."""


class TwoUnits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about two units, as a form holds it."""

    system: Annotated[str, Meta(max_length=40)] = systems.DEFAULT
    ask: Annotated[str, Meta(max_length=40)] = "into"
    """What is asked: one of `ASKS`."""
    attacker: Words = ""
    target: Words = ""
    melee: bool = False
    distance: Annotated[float, Meta(ge=0, le=1000)] | None = None
    modifiers: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=12)] = ()


class Ask(NamedTuple):
    """A question about two units."""

    text: str
    arguments: Callable[[TwoUnits, Any], dict[str, Any]]
    """(what was asked, how the attack is made): as the function of `sandtable.odds` takes them."""
    attacker: str = "attacker"
    target: str = "target"
    """Which of them name the two."""
    how: bool = True
    """Whether it matters how the attack is made."""
    known: Callable[[Setting], bool] = lambda setting: True
    """Whether the system has such a thing."""
    example: Callable[[Setting], str] = lambda setting: _unit(setting, 0)
    """Who may attack."""
    distance: str = "any"
    """What is reckoned with where no distance is named; empty where none matters."""


def _unit(setting: Setting, place: int) -> str:
    """The first or the last unit of several models that the pack has."""
    several = [sheet for sheet in setting.open_pack().sheets() if sheet.sizes[0] > 1]
    return _counted(several[place]) if several else ""


def _counted(sheet: Sheet) -> str:
    return f"{sheet.sizes[0]} {sheet.name}"


def _led(setting: Setting) -> str:
    """A unit with who leads it; empty in a system where nobody does."""
    sheets = setting.open_pack().sheets()
    known = {sheet.id: sheet for sheet in sheets}
    pairs = ((known[id_], sheet) for sheet in sheets for id_ in sheet.leads if id_ in known)
    return next((f"{_counted(led)} led by {leader.name}" for led, leader in pairs), "")


def _psyker(setting: Setting) -> str:
    return next((sheet.name for sheet in setting.open_pack().sheets() if sheet.psyker), "")


ASKS: Final = {
    "into": Ask("What does it do?", lambda a, how: {"attacker": a.attacker, "target": a.target, "how": how}),
    "need": Ask(
        "How many does it take?",
        lambda a, how: {"attacker": a.attacker, "target": a.target, "wanted": WANTED, "how": how},
    ),
    "survive": Ask(
        "How long does the other live?",
        lambda a, how: {"unit": a.target, "attackers": (a.attacker,), "how": how, "times": AGAIN},
        attacker="attackers",
        target="unit",
    ),
    "exchange": Ask(
        "A fight: who loses what?",
        lambda a, _: {"first": a.attacker, "second": a.target, "how": None, "back": None},
        attacker="first",
        target="second",
        how=False,
        distance="",
    ),
    "assault": Ask(
        "A charge, from the shots before to the blows",
        lambda a, _: {
            "first": a.attacker,
            "second": a.target,
            "distance": USUAL_CHARGE if a.distance is None else a.distance,
        },
        attacker="first",
        target="second",
        how=False,
        distance=f'{USUAL_CHARGE:g}"',
    ),
    "command_point": Ask(
        "Where is a command point well spent?",
        lambda a, how: {"attacker": a.attacker, "target": a.target, "aim": "destroy", "how": how},
    ),
    "leader": Ask(
        "What does its Leader bring?",
        lambda a, how: {"unit": a.attacker, "target": a.target, "how": how},
        attacker="unit",
        known=lambda setting: bool(_led(setting)),
        example=_led,
    ),
    "split": Ask(
        "Which weapons first?",
        lambda a, how: {"attacker": a.attacker, "among": (a.target,), "aim": "destroy", "how": how},
        target="among",
    ),
    "morale": Ask(
        "Who flees afterwards?",
        lambda a, how: {"unit": a.target, "lost": 0, "attackers": (a.attacker,), "how": how},
        attacker="attackers",
        target="unit",
        known=lambda setting: setting.matchups.nerves is not None,
    ),
    "power": Ask(
        "A psychic power",
        lambda a, _: {"psyker": a.attacker, "target": a.target, "name": "", "deny": "", "distance": a.distance},
        attacker="psyker",
        how=False,
        known=lambda setting: setting.matchups.cast is not None,
        example=_psyker,
    ),
}
"""By the name of the function of `sandtable.odds` that answers it."""


def target_example(setting: Setting) -> str:
    """Whom it may be asked about."""
    return _unit(setting, -1)


def question_of(asked: TwoUnits, setting: Setting) -> Question:
    """The question of a form."""
    if not asked.attacker.strip() or not asked.target.strip():
        raise UserError("Name a unit that attacks, and one that is attacked.")
    ask = ASKS.get(asked.ask)
    if ask is None or not ask.known(setting):
        there = ", ".join(name for name, one in ASKS.items() if one.known(setting))
        raise UserError(f"There is no question '{asked.ask}' here; there are {there}.")
    how = {"melee": asked.melee, "distance": asked.distance, "modifiers": asked.modifiers, "weapons": (), "uses": ()}
    around = {"system": asked.system, "pack": setting.open_pack().header.id}
    return Question(__version__, asked.ask, {**ask.arguments(asked, how), "setting": around})


def form_of(question: Question) -> TwoUnits | None:
    """The form that asks a question; None where it asks more than a form can say."""
    ask, given = ASKS.get(question.ask), question.arguments
    if ask is None:
        return None
    how = given.get("how") or {}
    found = {
        "system": given["setting"]["system"],
        "ask": question.ask,
        "attacker": _only(given[ask.attacker]),
        "target": _only(given[ask.target]),
        "melee": how.get("melee", False),
        "distance": how.get("distance", given.get("distance")),
        "modifiers": how.get("modifiers", ()),
    }
    try:
        asked = msgspec.convert(found, TwoUnits)
        again = question_of(asked, Setting(asked.system))
        kind = links.FORMS[question.ask].arguments
        same = msgspec.convert(again.arguments, kind) == msgspec.convert(given, kind)
    except (msgspec.ValidationError, UserError):
        return None
    return asked if same else None


def _only(named: Any) -> Any:
    """The one unit of a list."""
    return named[0] if isinstance(named, list | tuple) and len(named) == 1 else named
