"""Charge, run and nerve: the rolls of a unit outside of attacks."""

from __future__ import annotations

from typing import Final

import msgspec

from sandtable.attack import chances
from sandtable.battle.matchups import Force
from sandtable.odds.answers import Answer, Assumptions, Noted, Row, percent
from sandtable.odds.changes import stat_of
from sandtable.odds.links import asked
from sandtable.odds.outcome import MARKS
from sandtable.odds.questions import readings
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force

MAX_CHARGE: Final = 14
"""No charge roll goes further."""


class Try(msgspec.Struct, frozen=True):
    """A roll, and the chance to make it."""

    name: str
    text: str
    needed: int
    once: float
    again: float
    """With one re-roll."""
    rules: tuple[str, ...] = ()
    free: bool = False
    """The unit has the re-roll by a rule of its own."""


class Rolls(Answer, frozen=True, kw_only=True):
    """Charges by distance, and the other rolls of a unit."""

    unit: str
    distance: float
    tries: tuple[Try, ...]
    """At this distance."""
    charges: tuple[tuple[int, float, float], ...]
    """For each Charge roll that can be needed: the chance, and the same with a re-roll."""
    threat: tuple[tuple[float, int], ...] = ()
    """How far away an enemy can be, at most, so that a move and a charge reach it with each of some chances."""

    def named(self, name: str) -> Try:
        """A roll by its name."""
        return next(t for t in self.tries if t.name == name)

    @property
    def headline(self) -> str:
        t = self.named("charge")
        far = "; ".join(f'{distance}" at {percent(share)}' for share, distance in self.threat)
        threat = f"; moving first it threatens {far}" if far else ""
        return f"{percent(t.once)} to {t.text} ({t.needed}+), {percent(t.again)} with a re-roll{threat}"

    def table(self) -> list[Row]:
        rows: list[Row] = [
            {"roll": t.name, "needed": t.needed, "chance": round(t.once, 12), "with a re-roll": round(t.again, 12)}
            for t in self.tries
        ]
        rows += [
            {"roll": "charge", "needed": n, "chance": round(p, 12), "with a re-roll": round(q, 12)}
            for n, p, q in self.charges
        ]
        return rows


@asked
def rolls(unit: str | Force, distance: float = 9.0, setting: Setting = PLAIN) -> Rolls:
    """Charge, run and nerve: the chance of each roll, and the same with one re-roll."""
    force = find_force(unit, setting)
    tests = setting.matchups.tests(force, distance, setting.options)
    tries = tuple(
        Try(
            test.name,
            test.text,
            test.needed,
            float(chances.at_least(test.number, test.needed, reroll=test.reroll if test.free else "none")),
            float(chances.at_least(test.number, test.needed, reroll=test.reroll)),
            test.rules,
            test.free,
        )
        for test in tests
    )
    charge = next(test for test in tests if test.name == "charge")
    table = tuple(
        (n, float(chances.at_least(charge.number, n)), float(chances.at_least(charge.number, n, reroll=charge.reroll)))
        for n in range(charge.number.plus + len(charge.number.dice), charge.number.most + 1)
    )
    move = stat_of(force, "M")
    rules = setting.rules
    noted = tuple(Noted(test.text, test.rules) for test in tests)
    return Rolls(
        assumptions=Assumptions(
            edition=f"{rules.name}, core rules as first published",
            options=readings(setting, [rule for test in tests for rule in test.rules]),
            units=(f"{force.name} ({force.points} points)",),
            circumstances=noted,
            policies=("a failed roll is rolled again, all its dice",),
            rules=tuple(dict.fromkeys(rule for test in tests for rule in test.rules)),
            notes=("distances are measured between the closest bases",),
        ),
        unit=force.name,
        distance=distance,
        tries=tries,
        charges=table,
        threat=() if move is None else tuple((share, move + _reach(force, share, setting)) for share in MARKS),
    )


def _reach(force: Force, share: float, setting: Setting) -> int:
    """The longest charge, in whole units, that is made with a chance."""
    best = 0
    for distance in range(1, MAX_CHARGE + 1):
        test = next(t for t in setting.matchups.tests(force, float(distance), setting.options) if t.name == "charge")
        if chances.at_least(test.number, test.needed, reroll=test.reroll if test.free else "none") >= share:
            best = distance
    return best
