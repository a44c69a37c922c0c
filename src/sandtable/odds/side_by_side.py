"""One question under several editions: what the same fight comes to, and which rules make the difference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable import systems
from sandtable.armies.lists import list_cost, read_list
from sandtable.attack.funnel import Stage
from sandtable.attack.volley import NO_SAVE, Attack
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Situation, currency
from sandtable.odds.answers import Answer, Assumptions, Row, percent
from sandtable.odds.bounds import plainly, whole_number
from sandtable.odds.cases import case_of, told_weapons
from sandtable.odds.exchanges import assault
from sandtable.odds.flights import morale
from sandtable.odds.questions import into, melee, shooting
from sandtable.odds.setting import Setting
from sandtable.odds.units import find_force
from sandtable.rules.diff import Pair, as_data, behind
from sandtable.rules.project import Project

VERBS: Final = (
    ("charge", re.compile(r"\s+(?:charges?|assaults?)\s+(?:into\s+)?", re.IGNORECASE)),
    ("shoot", re.compile(r"\s+(?:shoots?|fires?)\s+(?:at\s+)?", re.IGNORECASE)),
    ("fight", re.compile(r"\s+(?:fights?|strikes?|hits?)\s+", re.IGNORECASE)),
    ("shoot", re.compile(r"\s+(?:attacks?|into|against|vs\.?|versus|on)\s+", re.IGNORECASE)),
)
"""What is done, and how players say it."""
HOW_IT_LOOKS: Final = (
    "say who does what to whom, as in '10 boyz charge 5 intercessors' or '5 hellblasters shoot 10 boyz'"
)
RETURNED: Final = "worth killed, times its own cost"
APART: Final = {"charge": 8.0, "shoot": 12.0}
"""Inches between the two where nobody says how far it is: one distance for all editions, and for all their weapons."""
MAX_EDITIONS: Final = 5
POINTS_OF_POWER: Final = 20
"""About so many points are worth what one Power is: armies of 50 Power and of 1,000 points are of a size."""


class Asked(NamedTuple):
    """A question in words, taken apart."""

    who: str
    does: str
    whom: str


class Blow(msgspec.Struct, frozen=True):
    """What one weapon does, in numbers that every edition has."""

    weapon: str
    attacks: str
    """Of one bearer."""
    bearers: int
    hits: str
    wounds: str
    saved: str
    damage: str


class Under(msgspec.Struct, frozen=True):
    """The answer of one edition."""

    system: str
    edition: str
    """Its name, briefly."""
    names: tuple[str, str]
    prices: tuple[str, str]
    models: tuple[int, int]
    measures: dict[str, float]
    """Each number by what it is; chances among them are named so."""
    killed: tuple[float, ...]
    """The chance that the target loses exactly 0, 1, 2... models..."""
    own: tuple[float, ...]
    """...and the attacker; empty where nobody strikes back."""
    stages: tuple[Stage, ...]
    blows: tuple[Blow, ...]
    rules: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def mean_killed(self) -> float:
        return sum(n * p for n, p in enumerate(self.killed))


class Editions(Answer, frozen=True, kw_only=True):
    """One question under several editions."""

    words: str
    does: str
    distance: float | None
    under: tuple[Under, ...]
    differences: tuple[tuple[str, str, tuple[Pair, ...]], ...]
    """For each edition and the one before it, the rules behind the answers that differ."""

    @property
    def headline(self) -> str:
        lost = [
            f"{u.mean_killed:.1f} of {u.models[1]} lost ({percent(u.killed[-1])} destroyed) in {u.edition}"
            for u in self.under
        ]
        apart = "" if self.distance is None else f', {self.distance:g}" apart'
        return f"{self.words[:1].upper()}{self.words[1:]}{apart}: {', '.join(lost)}"

    def table(self) -> list[Row]:
        names = list(dict.fromkeys(name for u in self.under for name in u.measures))
        return [
            {"what": name, **{u.edition: _rounded(u.measures.get(name)) for u in self.under}}
            for name in names
        ]  # fmt: skip

    def data(self) -> dict[str, Any]:
        found = super().data()
        found["differences"] = [
            {"systems": [one, other], "rules": [as_data(pair) for pair in pairs]}
            for one, other, pairs in self.differences
        ]
        return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def parse(words: str) -> Asked:
    """Who does what to whom."""
    plain = " ".join(words.split()).rstrip(".?!")
    for does, pattern in VERBS:
        found = pattern.search(plain)
        if found and plain[: found.start()] and plain[found.end() :]:
            return Asked(plain[: found.start()], does, plain[found.end() :])
    raise UserError(f"'{plain[:80]}' is no question to compare: {HOW_IT_LOOKS}.")


@plainly
def editions(words: str, among: Sequence[str] = (), *, distance: float | None = None, shoot: bool = False) -> Editions:
    """The same question under several editions, with the datasheets of each by their names.

    Without `among` every edition is asked that has odds and a pack. With `shoot`, those who charge shoot before.
    """
    question = parse(words)
    distance = APART.get(question.does) if distance is None else distance
    ids = tuple(dict.fromkeys(among)) or systems.with_odds()
    whole_number("Editions side by side", len(ids), 2, MAX_EDITIONS)
    under = tuple(_under(question, Setting(id_), distance, shoot) for id_ in ids)
    notes = ["each edition has its own datasheets, found by the same names"]
    notes += [f'they begin {distance:g}" apart'] if distance is not None else []
    return Editions(
        assumptions=Assumptions(
            edition=" and ".join(u.edition for u in under) + ", core rules as first published",
            options={},
            units=tuple(f"{u.edition}: {name} ({price})" for u in under
                        for name, price in zip(u.names, u.prices, strict=True)),
            rules=tuple(rule for u in under for rule in u.rules),
            left_out=tuple(f"{u.edition}: {name}" if not i else name
                           for u in under for i, name in enumerate(u.left_out)),
            notes=tuple(notes),
        ),
        words=f"{question.who} {question.does} {question.whom}",
        does=question.does,
        distance=distance,
        under=under,
        differences=tuple((a.system, b.system, _behind(a, b)) for a, b in pairwise(under)),
    )  # fmt: skip


def forces(question: Asked, setting: Setting) -> tuple[Force, Force]:
    """The two units as an edition knows them; a refusal says which edition lacks one."""
    try:
        return find_force(question.who, setting), find_force(question.whom, setting)
    except UserError as error:
        raise UserError(f"{setting.rules.edition}: {error}") from None


def _under(question: Asked, setting: Setting, distance: float | None, shoot: bool) -> Under:
    one, other = forces(question, setting)
    try:
        return _charged(one, other, setting, distance, shoot) if question.does == "charge" else _attacked(
            one, other, setting, melee() if question.does == "fight" else shooting(distance=distance)
        )  # fmt: skip
    except UserError as error:
        raise UserError(f"{setting.rules.edition}: {error}") from None


def _charged(one: Force, other: Force, setting: Setting, distance: float | None, shoot: bool) -> Under:
    found = assault(one, other, distance or 0.0, setting, shoot=shoot)
    measures = {
        "chance to charge home": found.home,
        "lost to Overwatch": found.fired[0],
        "models killed": found.mean_killed(1),
        "killed if the charge is made": found.mean_killed(1, made=True),
        "chance to destroy": found.destroyed[1],
        "own models lost": found.mean_killed(0),
    }
    if found.fled is not None:
        measures |= {"models that flee": found.fled[1], "own models that flee": found.fled[0]}
    if all(found.points):
        own, theirs = (lost / found.points[0] for lost in found.lost)
        measures |= {RETURNED: theirs, "share of its own cost lost": own}
    how = melee("charged")
    return _told(one, other, setting, how, measures, found.killed[1], found.killed[0], found.assumptions)


def _attacked(one: Force, other: Force, setting: Setting, how: Situation) -> Under:
    found = into(one, other, how, setting)
    measures = {s.name: s.mean for s in found.stages if s.name != "models"}
    measures |= {"models killed": found.mean_killed, "chance to destroy": found.destroyed}
    if setting.matchups.nerves is not None:
        measures["models that flee"] = morale(other, 0, [one], how, setting).mean_fled
    if found.points and found.target_points:
        measures[RETURNED] = found.returned
    return _told(one, other, setting, how, measures, found.killed, (), found.assumptions)


def _told(
    one: Force,
    other: Force,
    setting: Setting,
    how: Situation,
    measures: dict[str, float],
    killed: tuple[float, ...],
    own: tuple[float, ...],
    rests_on: Assumptions,
) -> Under:
    case = case_of(one, other, how, setting)
    return Under(
        setting.system,
        setting.rules.edition,
        (one.name, other.name),
        (one.price, other.price),
        (len(own) - 1, len(killed) - 1) if own else (max(map(len, case.strikes.bearers)), len(killed) - 1),
        measures,
        killed,
        own,
        into(one, other, how, setting).stages,
        tuple(_blows(case.attack, case.strikes.bearers, told_weapons(case))),
        tuple(dict.fromkeys((*rests_on.rules, *(r for noted in rests_on.circumstances for r in noted.rules)))),
        rests_on.left_out,
    )


def _blows(attack: Attack, bearers: Sequence[tuple[int, ...]], names: Sequence[str]) -> list[Blow]:
    found = []
    for volley, models, name in zip(attack.volleys, bearers, names, strict=True):
        kind, body = volley.kinds[0], attack.target.bodies[0]
        shots = [s for s in volley.shots if s.weapons and s.each.most]
        total = sum(s.weapons * s.each.mean for s in shots) / max(1, len(models))
        alike = len(shots) == 1 and shots[0].weapons == len(models) and not shots[0].each.fixed
        each = str(shots[0].each) if alike else f"{total:g}"
        hit = _from([f.hits > 0 or f.wounds > 0 for f in volley.hit.faces]) if volley.hit.rolled else "always"
        saved = body.saves[kind.save] if kind.save != NO_SAVE else 7
        found.append(
            Blow(
                name,
                each,
                len(models),
                hit,
                _from([f.kind >= 0 for f in volley.wound.faces]),
                f"{saved}+" if saved <= 6 else "no",
                str(kind.damage),
            )
        )
    return _merged(found, bearers)


def _merged(blows: Sequence[Blow], bearers: Sequence[tuple[int, ...]]) -> list[Blow]:
    """What only differs in its number together: attacks of the same models, and models with the same attacks."""
    by_models: dict[tuple[Blow, tuple[int, ...]], list[str]] = {}
    for blow, models in zip(blows, bearers, strict=True):
        plain = replace(blow, attacks="", bearers=0)
        by_models.setdefault((plain, models), []).append(blow.attacks)
    found: dict[Blow, int] = {}
    for (plain, models), numbers in by_models.items():
        blow = replace(plain, attacks=_added(numbers))
        found[blow] = found.get(blow, 0) + len(models)
    return [replace(blow, bearers=number) for blow, number in found.items()]


def _added(numbers: Sequence[str]) -> str:
    plain = [n for n in numbers if n.isdecimal()]
    return " + ".join([*([str(sum(map(int, plain)))] if plain else []), *(n for n in numbers if not n.isdecimal())])


def _from(good: Sequence[bool]) -> str:
    """From which face on a roll succeeds."""
    return next((f"{face}+" for face, fine in enumerate(good, 1) if fine), "never")


def _behind(one: Under, other: Under) -> tuple[Pair, ...]:
    """The rules behind two answers, those that differ first."""
    return behind(Project.here(), (one.system, other.system), (*one.rules, *other.rules))


# --- Armies of a size -------------------------------------------------------------------------------------------------


def lists_for(question: Asked, setting: Setting, points: int) -> tuple[str, str]:
    """Ready lists of the factions of both units, as near to so many points as there are, or to as much Power."""
    wanted = points / POINTS_OF_POWER if currency(setting.system) == "Power" else float(points)
    one, other = (_nearest(force, wanted, setting) for force in forces(question, setting))
    return one, other


def _nearest(force: Force, wanted: float, setting: Setting) -> str:
    found = []
    for path in force.pack.lists:
        army = read_list(path)
        if army.faction == force.army.faction:
            cost = list_cost(force.pack, army)
            found.append((abs(cost - wanted), path.stem))
    if not found:
        raise UserError(f"{setting.rules.edition}: the pack {force.pack.header.id} has no army list for {force.name}.")
    return min(found)[1]
