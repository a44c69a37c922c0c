"""Dice in words: what a roll needed, why, and what came of it.

Whoever rolls says with a `Reading` how the dice are to be read, and the event keeps it. What came of a roll, and the
sentence about it, is worked out here from the two when somebody asks: most rolls are never told to anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec

from sandtable.reasons import Part

if TYPE_CHECKING:
    from sandtable.battle.events import Rolled

Why: TypeAlias = tuple[Part, ...]


class Read(NamedTuple):
    """What came of some dice."""

    made: int = 0
    """How many of them show enough; 1 for a total that does."""
    result: int = 0
    """A number of what the reading counts."""
    criticals: int = 0
    total: int | None = None
    """What the dice come to, with all that is added, where they make one number."""


class Reading(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, tag_field="read", tag="shown"):
    """How dice are read; by itself: they are only shown, and others decide what they mean."""

    noun: str = ""
    """"hit(s)" for what is counted, "passed/failed" for a verdict; empty where nothing follows from the dice alone."""
    why: Why = ()
    """What `needed` is made of, or what is added up."""
    needed: int = 0
    """The bare face that is enough, or the number that a total has to come to; 0 where nothing is needed."""

    def of(self, faces: Sequence[int]) -> Read:
        """What comes of dice that show these faces."""
        return Read()


class Each(Reading, frozen=True, omit_defaults=True, gc=False, tag="each"):
    """Every die is read by itself: those that show enough are counted, or with `failures` those that do not."""

    up_to: int = 0
    """The highest face that is enough, where not all above `needed` are."""
    failures: bool = False
    most: int = 0
    """No more than this comes of it, however many show enough."""

    def of(self, faces: Sequence[int]) -> Read:
        made = sum(self.needed <= f <= (self.up_to or f) for f in faces)
        number = len(faces) - made if self.failures else made
        return Read(made, min(number, self.most) if self.most else number)


class Apart(Reading, frozen=True, omit_defaults=True, gc=False, tag="apart"):
    """Every die is read by itself, and needs a face of its own."""

    needs: tuple[int, ...] = ()

    def of(self, faces: Sequence[int]) -> Read:
        made = sum(f >= n for f, n in zip(faces, self.needs, strict=True))
        return Read(made, made)


class ByFace(Reading, frozen=True, omit_defaults=True, gc=False, tag="by_face"):
    """Every die is read from a table."""

    gives: tuple[int, ...] = ()
    """What each face gives."""
    critical: int = 0
    """From which face on a die is critical; 0 for never."""
    by: str = ""
    """What makes critical hits wound without a roll, by its name."""
    more: int = 0
    """So many came of that, beside what these dice give."""

    def of(self, faces: Sequence[int]) -> Read:
        made = sum(f >= self.needed for f in faces)
        criticals = sum(f >= self.critical for f in faces) if self.critical else 0
        return Read(made, sum(self.gives[f - 1] for f in faces), criticals)


class Sum(NamedTuple):
    """Some of the dice added up, and a number on top."""

    sides: tuple[int, ...]
    """Of each die: 6, or 3 for a D6 halved and rounded up."""
    plus: int = 0
    least: int = 0
    divide: int = 1
    """What all of it is divided by, and then rounded up."""

    def of(self, faces: Sequence[int]) -> int:
        dice = zip(faces, self.sides, strict=True)
        whole = self.plus + sum((f + 1) // 2 if sides == 3 else f for f, sides in dice)
        return max(self.least, -(-whole // self.divide))


class Total(Reading, frozen=True, omit_defaults=True, gc=False, tag="total"):
    """The dice make one number; where one is needed, it has to come to that."""

    sums: tuple[Sum, ...] = ()
    """What is added up, each of its own dice; if nothing is named, all dice as they are."""
    plus: int = 0
    least: int = 0
    highest: bool = False
    """Only the highest die counts."""

    def of(self, faces: Sequence[int]) -> Read:
        total = max(self.least, self.plus + self._dice(faces))
        return Read(int(total >= self.needed) if self.needed else 0, total, 0, total)

    def _dice(self, faces: Sequence[int]) -> int:
        if self.highest:
            return max(faces)
        found, place = 0, 0
        for one in self.sums:
            found += one.of(faces[place : place + len(one.sides)])
            place += len(one.sides)
        return found if self.sums else sum(faces)


AnyReading: TypeAlias = Reading | Each | Apart | ByFace | Total

SHOWN: Final = Reading()


def needing(needs: Sequence[int], noun: str, why: Why = ()) -> AnyReading:
    """The reading of dice that need these faces, one each."""
    first = needs[0]
    if len(needs) == 1 or needs.count(first) == len(needs):
        return _each(first, noun, why)
    return Apart(noun, why, needs=tuple(needs))


@lru_cache(maxsize=1024)
def _each(needed: int, noun: str, why: Why) -> Each:
    return Each(noun, why, needed)


# --- In words ---------------------------------------------------------------------------------------------------------


def sentence(roll: Rolled) -> str:
    """A roll as a player would tell it: "hit 3+ (4+, +1 heavy): 6 4 3 5 4, 5 hits"."""
    came = outcome(roll)
    return f"{heading(roll)}: {dice(roll)}{', ' if came else ''}{came}{_by(roll)}"


def _by(roll: Rolled) -> str:
    """What critical dice do, or what came without these dice."""
    read = roll.read
    if not isinstance(read, ByFace) or not read.by:
        return ""
    if read.more:
        return f", {read.more} more by {read.by}"
    return f" ({read.by})" if roll.criticals else ""


def heading(roll: Rolled) -> str:
    """What was rolled, what it needed and why, and which dice were rolled again."""
    parts = list(roll.why)
    read = roll.read
    needed = roll.needed
    need = f" {needed}+" if needed else ""
    if isinstance(read, Total):
        need = f" needs {needed}" if needed else ""
        while parts and not parts[0].name:
            need += f" {parts.pop(0)}"
    elif isinstance(read, Each) and read.up_to:
        need = f" {needed}" if read.up_to == needed else f" {needed}-{read.up_to}"
    die = "" if roll.sides == 6 else f"D{roll.sides}"
    again = f", {_faces(roll.again)} again" if roll.again else ""
    by = f" ({roll.by})" if roll.by else ""
    return f"{roll.reason}{need}{_because(die, parts, f'{needed}+')}{again}{by}"


def _because(die: str, parts: Sequence[Part], needed: str) -> str:
    """The kind of die and the reasons in brackets; none where they would only repeat what is needed."""
    alone = len(parts) == 1 and parts[0].value == needed
    words = parts[0].name if alone else ", ".join(map(str, parts))
    told = ", ".join(filter(None, (die, words)))
    return f" ({told})" if told else ""


def dice(roll: Rolled) -> str:
    """The faces; where they are added up, as a sum, and where they need different faces, each with its own."""
    standing = roll.standing or roll.faces
    if isinstance(roll.read, Apart) and not roll.again:
        needs = roll.read.needs
        by_need = {n: [f for f, m in zip(standing, needs, strict=True) if m == n] for n in sorted(set(needs))}
        return "; ".join(f"{n}+ {_faces(found)}" for n, found in by_need.items())
    total = roll.total
    if total is None or outcome(roll).startswith(str(total)) or standing == (total,):
        return _faces(roll.faces)
    if isinstance(roll.read, Total) and [one.sides for one in roll.read.sums] == [(3,)] and len(standing) == 1:
        return f"{_faces(standing)} counts as {total}"
    if isinstance(roll.read, Total) and roll.read.highest:
        return f"{_faces(standing)} makes {total}"
    return f"{' + '.join(map(str, standing))} {'=' if total == sum(standing) else 'makes'} {total}"


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def outcome(roll: Rolled) -> str:
    """What came of it; empty where that does not follow from the dice alone."""
    noun = roll.noun
    if "/" in noun:
        good, bad = noun.split("/")
        return good if roll.made else bad
    return _counted(roll.result, noun, roll.criticals) if noun else ""


@lru_cache(maxsize=1024)
def _counted(number: int, noun: str, criticals: int) -> str:
    words = noun.replace("(s)", "" if number == 1 else "s").replace("(es)", "" if number == 1 else "es")
    return f"{number} {words}" + (f", {criticals} critical" if criticals else "")


def joined(one: Rolled, other: Rolled) -> Rolled | None:
    """Two rolls of one kind after each other as one, for those who tell many in a line; None where they differ."""
    if one.again or other.again or (one.player, one.reason, one.sides) != (other.player, other.reason, other.sides):
        return None
    read = one.read
    if one.rules != other.rules or read != other.read or isinstance(read, Apart | Total) or "/" in one.noun:
        return None
    return msgspec.structs.replace(one, faces=(*one.faces, *other.faces))


def as_data(roll: Rolled) -> dict[str, Any]:
    """A roll with all that came of it, as plain data for JSON."""
    found: dict[str, Any] = {"reason": roll.reason, "faces": roll.faces, "sides": roll.sides, "rules": roll.rules}
    if roll.needed:
        found["needed"] = roll.needed
    if roll.why:
        found["why"] = roll.why
    if roll.again:
        found |= {"again": roll.again, "standing": roll.standing, "by": roll.by}
    if isinstance(roll.read, Apart):
        found["needs"] = roll.read.needs
    if roll.noun:
        found |= {"made": roll.made, "result": roll.result, "outcome": outcome(roll)}
    if roll.criticals:
        found["criticals"] = roll.criticals
    if roll.total is not None:
        found["total"] = roll.total
    plain: dict[str, Any] = msgspec.to_builtins({**found, "text": sentence(roll)})
    return plain


# --- What a scenario file expects -------------------------------------------------------------------------------------


class ExpectedRoll(msgspec.Struct, forbid_unknown_fields=True):
    """A roll as a scenario file expects it; only what is said has to be so."""

    roll: str
    """The kind of roll."""
    needed: int | None = None
    outcome: str | None = None
    why: tuple[str, ...] | None = None
    """Its reasons as they are told, such as "4+" or "+1 Heavy"."""
    total: int | None = None


def differs(roll: Rolled, wanted: ExpectedRoll) -> str:
    """What is not as it was expected, in words; empty if all is."""
    found = {"needed": roll.needed, "outcome": outcome(roll), "why": tuple(map(str, roll.why)), "total": roll.total}
    for name, value in found.items():
        expected = getattr(wanted, name)
        if expected is not None and expected != value:
            return f"'{sentence(roll)}' has {name} {value!r}, not {expected!r}"
    return ""
