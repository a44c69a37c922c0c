"""What a system tells of two units without a battle: what one does to the other, and the rolls that a unit makes.

A system compiles these from the same functions as its battles, so that odds and battles cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from sandtable.armies.characteristics import printed
from sandtable.armies.lists import ArmyList, unit_cost
from sandtable.armies.pack import Pack
from sandtable.attack.chances import Reroll
from sandtable.attack.volley import Attack, Cites, DiceSum, Volley

if TYPE_CHECKING:
    from sandtable.battle.system import System


class Losses(msgspec.Struct, frozen=True):
    """What a unit has lost before it is asked about."""

    number: int
    what: str = ""
    """"models" or "wounds"; "half" for half of all wounds; without a word models, or the wounds of a single model."""
    left: bool = False
    """So many are left, not lost."""

    def __str__(self) -> str:
        if self.what == "half":
            return "half of its wounds lost"
        one = self.what.removesuffix("s") if self.number == 1 else self.what
        return f"{self.number} {one or 'models'} {'left' if self.left else 'lost'}"


@dataclass(frozen=True)
class Force:
    """A unit with the Leaders that are attached to it: an army list that holds nothing else."""

    name: str
    army: ArmyList
    """The unit itself comes first, its Leaders after it."""
    pack: Pack
    short: str = ""
    """A name without wargear, for the axes of pictures."""
    profiles: tuple[str, ...] = ()
    """Profiles that its weapons use where they have them, such as "supercharge"."""
    losses: Losses | None = None
    """What it has lost already."""

    @property
    def points(self) -> int:
        """What the unit and its Leaders cost."""
        return sum(unit_cost(self.pack, self.army, unit) for unit in self.army.units)

    @property
    def cost(self) -> str:
        """What it is measured by."""
        return currency(self.pack.header.system)

    @property
    def price(self) -> str:
        """What the unit and its Leaders cost, in words."""
        return f"{self.points} {self.cost}"


def currency(system: str) -> str:
    """What armies of a system are measured by."""
    return "Power" if printed(system).power else "points"


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one unit attacks the other."""

    melee: bool = False
    distance: float | None = None
    """Between the closest bases, in the system's unit; without it every weapon reaches, and none at half range."""
    modifiers: tuple[str, ...] = ()
    """Names of the system's modifiers that hold."""
    weapons: tuple[str, ...] = ()
    """Only these weapons; all that the unit may use without it."""
    uses: tuple[str, ...] = ()
    """Abilities and stratagems of either unit that work at a moment, and are at work now."""


class Modifier(msgspec.Struct, frozen=True):
    """A circumstance that an attack can be made under."""

    name: str
    text: str
    """A clause for the list of assumptions."""
    rules: Cites
    melee: bool = True
    ranged: bool = True
    price: int = 0
    """Command points, or what the system has in their place."""
    needs: tuple[str, ...] = ()
    """Keywords of which the unit it is used on has at least one."""
    by_target: bool = False
    """It is the target's player who brings it about."""
    also: tuple[str, ...] = ()
    """Other names for it: rules that it sets off, and what players call it."""


class Backfire(msgspec.Struct, frozen=True):
    """What a unit's own weapons cost it, once its attacks are made."""

    name: str
    """What the tests are called."""
    tests: int
    any: float
    """The chance that at least one test fails."""
    models: float
    """Models lost on average."""
    wounds: float
    points: float
    destroyed: float
    """The chance that nothing of the unit is left."""
    of: int
    """Models that the unit has."""
    rules: Cites
    cost: str = "points"

    def __str__(self) -> str:
        lost = f"{self.wounds:.2f} wounds" if self.of == 1 else f"{self.models:.2f} of {self.of} models"
        tests = f"{self.tests} {self.name} test{'' if self.tests == 1 else 's'}"
        worth = f"{self.points:.0f}" if self.cost == "points" else f"{self.points:.1f}"
        return f"{lost} ({worth} {self.cost}) on average by {tests}"


class Strikes(msgspec.Struct, frozen=True):
    """All attacks of one unit on the other."""

    attack: Attack
    """The value of a body is its share of the unit's points."""
    single: tuple[Volley, ...]
    """Each volley as one of its bearers makes it."""
    bearers: tuple[tuple[int, ...], ...]
    """For each volley the models that make it."""
    weapons: tuple[str, ...]
    """For each volley the profile that it is made with."""
    users: tuple[str, ...]
    """For each volley the kind of model that makes it."""
    facts: tuple[str, ...] = ()
    """What was settled about weapons and circumstances, a clause each."""
    left_out: tuple[str, ...] = ()
    """Abilities of both units that are not in the tables."""
    strength: int = 0
    """Models that the target had at first."""
    backfire: Backfire | None = None
    """What the attacks cost the attacker itself."""


class Cast(msgspec.Struct, frozen=True):
    """A psyker tries a power on a unit."""

    power: str
    needed: int
    """What the dice of the test have to come to."""
    manifested: float
    """The chance that the power is manifested, and the psyker lives to see it."""
    denied: float
    """The chance that it is manifested and then denied."""
    perils: float
    own_wounds: float
    """Wounds that the psyker loses by Perils on average."""
    dies: float
    """The chance that the psyker dies of them."""
    effects: tuple[tuple[str, float, Attack], ...]
    """The mortal wounds that it can deal, each with its chance and as an attack."""
    rules: Cites


class Nerve(NamedTuple):
    """How a unit stands a Morale phase."""

    models: tuple[int, ...]
    """Who is there."""
    fleeing: Callable[[tuple[int, ...], int], Mapping[int, float]]
    """(the models that are left, how many were slain): the chance that 0, 1, 2... of them flee."""
    rules: Cites


class Test(msgspec.Struct, frozen=True):
    """A roll that has to reach a number."""

    name: str
    text: str
    number: DiceSum
    needed: int
    reroll: Reroll
    """What a re-roll takes up: all its dice, or any of them; none where it may not be re-rolled at all."""
    rules: Cites
    free: bool = False
    """The unit may re-roll it by a rule of its own; else the re-roll has to be bought."""


StrikesOfBoth: TypeAlias = tuple[Strikes | None, Strikes | None]
Meet: TypeAlias = Callable[[Force, Force, Situation | None, Situation | None, Mapping[str, str]], StrikesOfBoth]
CastAt: TypeAlias = Callable[[Force, Force, str, Force | None, float | None, Mapping[str, str]], Cast]
Tests: TypeAlias = Callable[[Force, float, Mapping[str, str]], tuple[Test, ...]]


@dataclass(frozen=True)
class Matchups:
    """What a system brings for questions about odds."""

    rules: System
    """The system without its steps and questions: its name, its readings and its options."""
    modifiers: tuple[Modifier, ...]
    compile: Meet
    """(first, second, how the first attacks, how the second attacks back, options); None where nobody asks. Models are
    numbered alike in both answers."""
    tests: Tests
    """(unit, distance, options): charge, run and nerve."""
    panel: Path
    """The folder of a pack of typical targets."""
    reroll_price: tuple[str, ...] = ()
    """The rules by which a single die may be re-rolled for a price; empty where there are none."""
    rerolled: tuple[str, ...] = ()
    """The rolls of an attacker that this can be used on: attacks, hit, wound, damage."""
    spent: str = "command point"
    """What is given for it."""
    joins: bool = True
    """Leaders join the units that they lead; else they help from beside them."""
    pain: Callable[[int], str] = lambda face: f"feel no pain {face}+"
    """(face): the ability of a datasheet by which wounds are ignored from it on."""
    charts: Callable[[Force, Mapping[str, str]], tuple[int, ...]] = lambda force, options: ()
    """(unit, options): the wounds left at which it gets worse, for a unit that is a single model with such a chart."""
    cast: CastAt | None = None
    """(psyker, target, power, who denies it, distance, options); None where nobody casts."""
    nerves: Callable[[Force, Force, Mapping[str, str]], tuple[Nerve, Nerve]] | None = None
    """(first, second, options): how both stand a Morale phase, with models numbered as in attacks; None where nobody
    flees."""
