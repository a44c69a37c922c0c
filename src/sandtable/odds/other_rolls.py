"""Charge, run and nerve: the rolls of a unit outside of attacks."""

from __future__ import annotations

import math
import re
from typing import Final

import msgspec

from sandtable.attack import chances
from sandtable.forty.odds.matchups import Force, Test
from sandtable.odds.answers import Answer, Assumptions, Noted, Row, percent
from sandtable.odds.cases import readings
from sandtable.odds.changes import stat_of
from sandtable.odds.links import asked
from sandtable.odds.outcome import MARKS
from sandtable.odds.setting import PLAIN, Setting
from sandtable.odds.units import find_force, panel_forces

MAX_CHARGE: Final = 14
"""No charge roll goes further."""
AGAIN: Final = {
    "none": "no roll is made again",
    "all": "a failed roll is rolled again, all its dice",
    "any": "of a failed roll any dice are rolled again",
    "one": "of a failed roll one die is rolled again, the lowest",
}
_NUMBER: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)\s*(?:\"|in|inch|inches)?")


class Try(msgspec.Struct, frozen=True):
    """A roll, and the chance to make it."""

    name: str
    text: str
    needed: int
    once: float
    """With the re-roll that the unit has by a rule of its own, if any."""
    again: float | None
    """With one re-roll that is bought; None where none can be."""
    rules: tuple[str, ...] = ()
    free: bool = False
    """The unit has a re-roll by a rule of its own."""

    @property
    def told(self) -> str:
        """What a re-roll does to it, in words."""
        if self.free:
            return "own re-roll counted"
        return "no re-roll to buy" if self.again is None else f"{percent(self.again)} with a re-roll"


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
        far = ", ".join(f'{distance}" at {percent(share)}' for share, distance in self.threat)
        threat = f"; moving first it threatens {far}" if far else ""
        return f"{percent(t.once)} to {t.text} ({t.needed}+), {t.told}{self._as_rolled}{threat}"

    @property
    def _as_rolled(self) -> str:
        """For a bare number: who speaks of a charge of 8 may mean the dice."""
        if self.unit:
            return ""
        needed = math.ceil(self.distance)
        return "".join(f"; to roll {n}+ {percent(p)}, {percent(q)} with a re-roll" for n, p, q in self.charges
                       if n == needed)  # fmt: skip

    def table(self) -> list[Row]:
        rows: list[Row] = [
            {
                "roll": t.name,
                "needed": t.needed,
                "chance": round(t.once, 12),
                "with a re-roll": None if t.again is None else round(t.again, 12),
            }
            for t in self.tries
        ]
        rows += [
            {"roll": "any charge", "needed": n, "chance": round(p, 12), "with a re-roll": round(q, 12)}
            for n, p, q in self.charges
        ]  # fmt: skip
        return rows


@asked
def rolls(unit: str | Force, distance: float = 9.0, setting: Setting = PLAIN) -> Rolls:
    """Charge, run and nerve: the chance of each roll, and the same with one re-roll.

    A bare distance in place of the unit asks for the charge of any unit.
    """
    bare = _NUMBER.fullmatch(unit.strip()) if isinstance(unit, str) else None
    distance = float(bare[1]) if bare else distance
    force = panel_forces(setting)[0] if bare else find_force(unit, setting)
    tests = [t for t in setting.matchups.tests(force, distance, setting.options) if not bare or t.name == "charge"]
    charge = next(test for test in tests if test.name == "charge")
    table = tuple(
        (n, float(chances.at_least(charge.number, n)), float(chances.at_least(charge.number, n, reroll=charge.reroll)))
        for n in range(charge.number.plus + len(charge.number.dice), charge.number.most + 1)
    )
    move = None if bare else stat_of(force, "M")
    rules = setting.rules
    name = "any unit that nothing helps to charge" if bare else f"{force.name} ({force.price})"
    return Rolls(
        assumptions=Assumptions(
            edition=f"{rules.name}, core rules as first published",
            options=readings(setting, [rule for test in tests for rule in test.rules]),
            units=(name,),
            circumstances=tuple(Noted(test.text, test.rules) for test in tests),
            policies=(AGAIN[charge.reroll],),
            rules=tuple(dict.fromkeys(rule for test in tests for rule in test.rules)),
            notes=("distances are measured between the closest bases",),
        ),
        unit="" if bare else force.name,
        distance=distance,
        tries=tuple(_try(test) for test in tests),
        charges=table,
        threat=() if move is None else tuple((share, move + _reach(force, share, setting)) for share in MARKS),
    )


def _try(test: Test) -> Try:
    once = chances.at_least(test.number, test.needed, reroll=test.reroll if test.free else "none")
    bought = not test.free and test.reroll != "none"
    again = chances.at_least(test.number, test.needed, reroll=test.reroll) if bought else None
    return Try(
        test.name, test.text, test.needed, float(once), None if again is None else float(again), test.rules, test.free
    )


def _reach(force: Force, share: float, setting: Setting) -> int:
    """The longest charge, in whole units, that is made with a chance."""
    best = 0
    for distance in range(1, MAX_CHARGE + 1):
        test = next(t for t in setting.matchups.tests(force, float(distance), setting.options) if t.name == "charge")
        if chances.at_least(test.number, test.needed, reroll=test.reroll if test.free else "none") >= share:
            best = distance
    return best
