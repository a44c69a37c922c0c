"""What a player is told when something is not allowed: a sentence, and the rules behind it.

An edition writes down a sentence for each thing that may be wrong, with the ids of its ledger rows, and what it says
`but` in some cases: for one kind of move, one kind of terrain, or against one kind of unit. Words in braces are filled
in by who refuses; `{other:is}` is the name of a unit with a verb that agrees with it, `{far:.1f}` a length with its
unit of measure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from sandtable.battle.state import AnyUnit
from sandtable.battle.verdict import Fact, Reason, Verdict
from sandtable.kit.grammar import does
from sandtable.table.grid import units

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

FRIEND: Final = "friend"
"""The case in which a friend is in the way, and not an enemy"""
BACK_AGAIN: Final = "back again"
"""The case in which a model would leave the table and come back"""


class Cite(NamedTuple):
    """A sentence and the rules behind it, and what is said instead in some cases."""

    text: str
    rules: tuple[str, ...]
    others: tuple[tuple[str, Cite], ...] = ()

    def but(self, case: str, text: str, *rules: str) -> Cite:
        """The same, with another sentence and other rules in a case; with no text, the same sentence."""
        return self._replace(others=(*self.others, (case, Cite(text or self.text, rules))))

    def reason(self, cases: Collection[str], facts: Mapping[str, Fact] | None = None, **words: object) -> Reason:
        """What is said where some cases are given, of which the one that was written down first counts."""
        found = next((other for case, other in self.others if case in cases), self)
        return Reason(found.text.format_map(words), found.rules, dict(facts or {}))

    def refusal(self, *cases: str, **words: object) -> Verdict:
        """The same as a verdict."""
        return Verdict(False, (self.reason(cases, None, **words),))


def cite(text: str, *rules: str) -> Cite:
    """A sentence for something that is wrong, and the ids of the ledger rows behind it, written out."""
    return Cite(text, rules)


def _no_more(_w: AnyWorld, _unit: int) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Cites:
    """The sentences of an edition, by what is wrong, and how it calls models."""

    by: Mapping[object, Cite]
    who: Callable[[AnyWorld, Sequence[int]], str]
    """What some models are called together"""
    cases: Callable[[AnyWorld, int], Collection[str]] = _no_more
    """The cases that the edition knows when something is wrong because of a unit"""


class Named:
    """A unit in a sentence: its name, or with a verb behind the colon, what it does."""

    def __init__(self, unit: AnyUnit) -> None:
        self.unit = unit

    def __format__(self, verb: str) -> str:
        return does(self.unit, verb) if verb else self.unit.name


class Length:
    """A length in a sentence, from grid steps, with the table's unit of measure: with two decimals, or as is asked.

    It stands `beside` another one, such as a limit: what differs from that by a hair must not read as if it were equal.
    """

    def __init__(self, w: AnyWorld, steps: float, beside: float | None = None) -> None:
        self.long = units(steps)
        self.beside = self.long if beside is None else units(beside)
        self.mark = '"' if w.table.unit == "in" else f" {w.table.unit}"

    def __format__(self, how: str) -> str:
        how = how or ".2f"
        told = f"{self.long:{how}}"
        if self.long != self.beside and told == f"{self.beside:{how}}":
            return f"just {'over' if self.long > self.beside else 'under'} {self.beside:g}{self.mark}"
        if self.long > 0 and told == f"{0:{how}}":
            return f"less than {told[:-1]}1{self.mark}"
        return f"{told}{self.mark}"

    def __str__(self) -> str:
        return format(self)
