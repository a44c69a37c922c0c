"""The parts of an attack: what attacks, what is hit, and how the two are joined.

An edition compiles a `Volley` and a `Target` for one batch of equal attacks, when that batch is resolved. From then on
there are no ability names left, only tables by die face, and every entry cites the rules behind it. The battle's flow,
the Monte Carlo kernel and the exact solver all read these same tables.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from sandtable.reasons import Part

FACES: Final = (1, 2, 3, 4, 5, 6)
NEVER: Final = 7
"""A needed roll that no die reaches."""
NO_WOUND: Final = -1
NO_SAVE: Final = -1
CANNOT_BE_HIT: Final = 0
"""In a body's `saves`: hits of this class never fall on it (Procedure.SPREAD)."""

_EXPRESSION: Final = re.compile(r"(?P<sign>[+-]?)(?:(?P<dice>\d*)[Dd](?P<sides>[36])|(?P<fixed>\d+))")
_PART: Final = re.compile(r"\((?P<whole>[^()]+)\)/(?P<divide>[1-9])(?P<after>(?:[+-]\d+)*)")

Cites: TypeAlias = tuple[str, ...]
Why: TypeAlias = tuple[Part, ...]
"""What a number is made of, for those who tell of a roll; nothing is worked out from it."""
Aim: TypeAlias = Literal["destroy", "kills", "damage", "points"]
"""What an attacker wants most of on average: targets destroyed, models killed, wounds lost, or their value."""


class DiceSum(msgspec.Struct, frozen=True, cache_hash=True):
    """A number, or dice added up and a number on top: 4, D3, 2D6+3, D6+D3; or a part of that, as (D6+1)/2."""

    dice: tuple[int, ...] = ()
    """The sides of each die: 6, or 3 for a D6 halved and rounded up."""
    plus: int = 0
    least: int = 0
    """The result is never lower."""
    reroll: tuple[int, ...] = ()
    """Sums of the dice alone that may be re-rolled, all dice together."""
    divide: int = 1
    """What dice and number together are divided by, and then rounded up."""
    times: int = 1
    """What all of that is multiplied by: "D6 x 2" is one die."""

    @property
    def fixed(self) -> bool:
        return not self.dice

    @property
    def mean_of_dice(self) -> float:
        return sum((sides + 1) / 2 for sides in self.dice)

    @property
    def mean(self) -> float:
        """The average, without re-rolls and lower bounds."""
        whole = self.plus + self.mean_of_dice if self.divide == 1 else _mean_of_part(self)
        return self.times * whole

    @property
    def most(self) -> int:
        return self.times * -(-(self.plus + sum(self.dice)) // self.divide)

    def of(self, faces: Sequence[int]) -> int:
        """The result when the D6s that are rolled for it show these faces."""
        return self.result(self.total(faces))

    def result(self, total: int = 0) -> int:
        """The result when the dice alone come to this sum."""
        return max(self.least, self.times * -(-(self.plus + total) // self.divide))

    def total(self, faces: Sequence[int]) -> int:
        """The sum of the dice alone."""
        return sum(f if sides == 6 else (f + 1) // 2 for f, sides in zip(faces, self.dice, strict=True))

    def more(self, other: DiceSum) -> DiceSum:
        """Both added up, as for a random bonus on a random characteristic; what is divided takes in further dice."""
        if self.times > 1 or other.times > 1:
            added = other.result() if other.fixed else 1
            if not other.fixed or added % self.times:
                raise ValueError(f"{self} and {other} cannot be written as one sum")
            return msgspec.structs.replace(self, plus=self.plus + added * self.divide // self.times)
        # A number that is added after the division counts as much as so many times the divisor before it.
        plus = self.plus + other.plus * self.divide
        return DiceSum((*self.dice, *other.dice), plus, max(self.least, other.least), self.reroll, self.divide)

    def part(self, divide: int, after: int = 0) -> DiceSum:
        """The sum divided and rounded up; `after` of its number is added only then."""
        plus = self.plus + after * self.divide * (divide - 1)
        return DiceSum(self.dice, plus, self.least, self.reroll, self.divide * divide)

    def multiplied(self, times: int) -> DiceSum:
        """So many times the result, whatever the dice show."""
        return msgspec.structs.replace(self, times=self.times * times)

    def __str__(self) -> str:
        parts = []
        for sides in sorted(set(self.dice), reverse=True):
            count = self.dice.count(sides)
            parts.append(f"{count if count > 1 else ''}D{sides}")
        if self.plus or not parts:
            parts.append(str(self.plus))
        told = "+".join(parts).replace("+-", "-")
        told = told if self.divide == 1 else f"({told})/{self.divide}"
        return told if self.times == 1 else f"{told} x {self.times}" if len(parts) == 1 else f"({told}) x {self.times}"


@lru_cache(1024)
def _mean_of_part(number: DiceSum) -> float:
    """The average of a sum that is divided, over all that its dice can show."""
    sums = {0: 1.0}
    for sides in number.dice:
        fresh: dict[int, float] = {}
        for total, p in sums.items():
            for face in range(1, sides + 1):
                fresh[total + face] = fresh.get(total + face, 0.0) + p / sides
        sums = fresh
    return sum(p * -(-(number.plus + total) // number.divide) for total, p in sums.items())


def dice(text: str | int, *, least: int = 0, reroll: tuple[int, ...] = ()) -> DiceSum:
    """Read a characteristic such as "4", "D3", "2D6+3" or "D6+D3"; "(D6+1)/2+2" is halved and rounded up before the 2.

    >>> str(dice("2d6+3"))
    '2D6+3'
    """
    plain = str(text).replace(" ", "")
    if part := _PART.fullmatch(plain):
        whole = dice(part["whole"], least=least, reroll=reroll).part(int(part["divide"]))
        return whole.more(dice(part["after"])) if part["after"] else whole
    found: list[int] = []
    plus = 0
    place = 0
    while place < len(plain) or not plain:
        match = _EXPRESSION.match(plain, place)
        if match is None or (place and not match["sign"]):
            raise ValueError(f"'{text}' is no sum of D3, D6 and numbers")
        place = match.end()
        if match["fixed"]:
            plus += -int(match["fixed"]) if match["sign"] == "-" else int(match["fixed"])
        elif match["sign"] == "-":
            raise ValueError(f"'{text}' takes dice away; only numbers can be taken away")
        else:
            found += [int(match["sides"])] * int(match["dice"] or 1)
    return DiceSum(tuple(found), plus, least, reroll)


class Shots(msgspec.Struct, frozen=True):
    """Equal weapons, and how many attacks each of them makes."""

    weapons: int
    each: DiceSum
    why: Why = ()
    """What the number of attacks is made of."""


class HitFace(msgspec.Struct, frozen=True, cache_hash=True):
    """What one face of a hit roll gives."""

    hits: int = 0
    """Hits that go on to a wound roll."""
    wounds: int = 0
    """Wounds without a wound roll, of the volley's kind `automatic`."""
    extra: DiceSum | None = None
    """Further hits whose number is rolled."""
    critical: bool = False
    cites: Cites = ()

    @property
    def success(self) -> bool:
        return self.hits > 0 or self.wounds > 0


class WoundFace(msgspec.Struct, frozen=True, cache_hash=True):
    """What one face of a wound roll gives."""

    kind: int = NO_WOUND
    """Row of the volley's `kinds`."""
    critical: bool = False
    cites: Cites = ()

    @property
    def success(self) -> bool:
        return self.kind != NO_WOUND


class HitRoll(msgspec.Struct, frozen=True, cache_hash=True):
    """The hit roll: six faces, and which of them may be re-rolled."""

    faces: tuple[HitFace, ...]
    reroll: tuple[int, ...] = ()
    rolled: bool = True
    """Without a roll every attack counts as the last face."""
    cites: Cites = ()
    why: Why = ()
    """What the face that is needed is made of."""
    reroll_cites: Cites = ()

    def face(self, face: int) -> HitFace:
        return self.faces[face - 1]


class WoundRoll(msgspec.Struct, frozen=True, cache_hash=True):
    """The wound roll: six faces, and which of them may be re-rolled."""

    faces: tuple[WoundFace, ...]
    reroll: tuple[int, ...] = ()
    rolled: bool = True
    """Without a roll every hit counts as the last face."""
    cites: Cites = ()
    why: Why = ()
    """What the face that is needed is made of."""
    reroll_cites: Cites = ()

    def face(self, face: int) -> WoundFace:
        return self.faces[face - 1]


class Mortal(msgspec.Struct, frozen=True):
    """Damage that no save stops."""

    points: DiceSum
    spill: bool = True
    """What is left when a model is destroyed goes on to the next one."""
    held: bool = True
    """It waits until all normal damage of the attacking unit on this target is done."""


class WoundKind(msgspec.Struct, frozen=True):
    """What a successful wound does next."""

    save: int = 0
    """The class of saving throw: which of a body's `saves` is used; NO_SAVE for none at all."""
    damage: DiceSum | None = DiceSum(plus=1)
    """None where the attack ends here, with nothing to allocate."""
    mortal: Mortal | None = None
    """Instead of normal damage, or, where there is damage too, in addition to it, saved or not."""
    cites: Cites = ()
    in_turn: bool = True
    """Where the damage is random: it is inflicted before the next wound is saved."""
    why: Why = ()
    """What the damage is made of."""
    reroll_cites: Cites = ()


class Volley(msgspec.Struct, frozen=True):
    """A batch of equal attacks of one unit on one target."""

    name: str
    shots: tuple[Shots, ...]
    hit: HitRoll
    wound: WoundRoll
    kinds: tuple[WoundKind, ...]
    automatic: int = 0
    """The kind of a wound that came without a wound roll."""
    may_roll: bool = False
    """The attacker may roll to wound instead of taking such a wound; where nobody can be asked it is taken."""
    aim: tuple[int, ...] = ()
    """Models of the target that the attacker may direct a wound at, against the defender's allocation."""
    aim_cites: Cites = ()
    cites: Cites = ()
    together: bool = True
    """Saves may be rolled together where nothing can depend on it."""
    step: int = 0
    """Procedure.SPREAD: all hits of a step are dealt out and saved together; a step ends before the next begins."""

    def __post_init__(self) -> None:
        if len(self.hit.faces) != 6 or len(self.wound.faces) != 6:
            raise ValueError("a die has six faces")
        named = [f.kind for f in self.wound.faces if f.kind != NO_WOUND]
        named.append(self.automatic)
        if min(named) < 0 or max(named) >= len(self.kinds):
            raise ValueError(f"a face of '{self.name}' names a kind of wound that is not there")

    @property
    def all_cites(self) -> Cites:
        """Every rule behind this volley, each once."""
        faces = (f.cites for roll in (self.hit, self.wound) for f in roll.faces)
        entries = (self.cites, self.hit.cites, self.wound.cites, *faces, *(k.cites for k in self.kinds))
        return tuple(dict.fromkeys(c for cites in entries for c in cites))


class Body(msgspec.Struct, frozen=True):
    """A model of the target, as an attack sees it."""

    model: int
    wounds: int
    """Wounds left."""
    full: int
    """Wounds of an unhurt one; a body with fewer left has to take the next attack."""
    saves: tuple[int, ...]
    """The face needed for each class of saving throw, with armour, invulnerable save and cover settled."""
    save_reroll: tuple[int, ...] = ()
    """Faces of a failed save that are re-rolled."""
    pain: int = NEVER
    """The face that keeps a single wound from being lost."""
    pain_mortal: int = 0
    """The same for mortal wounds, where it differs; 0 for no difference."""
    marked: bool = False
    """Was given an attack before, and so has to take the next one."""
    rank: int = 0
    """Bodies of a rank are safe while one of a lower rank stands: 0 bodyguards, 1 their characters."""
    group: str = ""
    """Bodies of different groups are not the same to their owner, even with equal numbers."""
    value: float = 1.0
    save_why: tuple[Why, ...] = ()
    """What the faces in `saves` are made of."""
    save_reroll_cites: Cites = ()
    pain_why: Why = ()
    more_pain: tuple[int, ...] = ()
    """Faces of further rolls that keep a wound from being lost, one after the other where all before it failed."""
    profile: tuple[int, ...] = ()
    """Procedure.SORTED_BATCH: bodies of a profile form a group; where it is empty, those of equal wounds and saves."""

    @property
    def pain_against_mortal(self) -> int:
        return self.pain_mortal or self.pain


class Target(msgspec.Struct, frozen=True):
    """A unit that is hit: its bodies, in the order in which its owner would rather lose them."""

    bodies: tuple[Body, ...]
    keeps: bool = True
    """A body that was given an attack takes the next one too, even if it saved; else only a body that lost wounds."""
    cites: Cites = ()
    """Rules on who takes an attack, and on saving throws."""
    pain_cites: Cites = ()


class Procedure(enum.Enum):
    """How a volley and a target are joined."""

    EACH_IN_TURN = "each_in_turn"
    """Each attack is given to a model, saved and inflicted before the next."""
    SORTED_BATCH = "sorted_batch"
    """All saves are rolled, sorted, and taken from the lowest up."""
    POOLED = "pooled"
    """All wounds are saved, then casualties are picked."""
    SPREAD = "spread"
    """Hits go one to each, nearest first, then all save."""


class Choices(msgspec.Struct, frozen=True):
    """How the players decide inside an attack, by named policies, where nobody can be asked.

    What is `optimal` or `worst_for_attacker` is weighed move by move against the goal; only the exact solver can.
    """

    allocation: Literal["in_order", "best_save", "worst_for_attacker"] = "in_order"
    """The defender: the first body of the target's order that may be taken, the one that saves best, or whichever
    leaves the attacker least."""
    reroll: Literal["failures", "criticals", "none", "optimal"] = "failures"
    """The attacker: re-roll what failed, everything that is not critical, or what is best, as far as it may be."""
    sums: Literal["below_average", "none", "optimal"] = "below_average"
    """The attacker: re-roll sums of dice that may be re-rolled when they are low, or when it is best."""
    aim: Literal["never", "always", "optimal"] = "never"
    """The attacker: direct wounds at the models that may be aimed at."""
    goal: Literal["damage", "models", "destroy", "value"] = "damage"
    """What both sides weigh: wounds lost, models lost, the chance to destroy all of the target, or the value lost."""

    @property
    def weighed(self) -> bool:
        """Whether a decision has to be weighed instead of following a fixed rule."""
        return self.allocation == "worst_for_attacker" or "optimal" in (self.reroll, self.sums, self.aim)


class Attack(msgspec.Struct, frozen=True):
    """All that one unit throws at one target: what the solver and the Monte Carlo kernel work out.

    The classes of saving throw are those of the target's bodies, and so common to all volleys.
    """

    volleys: tuple[Volley, ...]
    target: Target
    procedure: Procedure = Procedure.EACH_IN_TURN
    choices: Choices = Choices()
