"""Words that agree with the name of a unit: Hormagaunts fight, a Captain fights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from sandtable.battle.state import AnyUnit

IRREGULAR: Final = {
    "is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "it": "they", "its": "their",
}  # fmt: skip
"""What is said of one, and of several."""
SMALL: Final = ("a", "an", "and", "at", "for", "from", "in", "of", "on", "the", "to", "with")
"""Words that are small in headings, too."""
OF_ONE: Final = ("us", "is", "as", "os", "ys", "az", "Graves", "Lemartes")
"""How names of single models end that only look like plurals"""
HISSING: Final = ("ches", "shes", "sses", "xes", "zes")
_TAIL: Final = re.compile(r"( with | in ).*|( \d+)?( \([^)]*\))?$")
"""What follows the noun in a name: equipment, or what tells equal units apart."""


def does(unit: AnyUnit, verb: str) -> str:
    """The unit does something; the verb comes first, as it is said of one."""
    first, space, rest = verb.partition(" ")
    return f"{unit.name} {agree(unit, first)}{space}{rest}"


def agree(unit: AnyUnit, word: str) -> str:
    """A verb or pronoun, given as it is said of one, in the form that the unit's name wants."""
    return _of_several(word) if named_as_several(unit) else word


def players_do(names: Sequence[str], verb: str) -> str:
    """Players do something: several of them, or one whose name is a plural; the verb as it is said of one."""
    return f"{' and '.join(names)} {verb if len(names) == 1 and not _plural(names[0]) else _of_several(verb)}"


def _of_several(word: str) -> str:
    if (small := word.lower()) in IRREGULAR:
        return IRREGULAR[small].capitalize() if word[0].isupper() else IRREGULAR[small]
    if word.endswith("ries"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(HISSING) else word.removesuffix("s")


def filled_in(text: str, unit: AnyUnit) -> str:
    """A text with the unit's name for {unit}, and any other word in braces in the form that agrees with it."""
    return text.format_map(_Words(unit))


class _Words(dict[str, str]):
    def __init__(self, unit: AnyUnit) -> None:
        super().__init__(unit=unit.name)
        self.of = unit

    def __missing__(self, word: str) -> str:
        return agree(self.of, word)


def one(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def titled(name: str) -> str:
    """A name in lower case as a heading: Curse of the Leper."""
    first, *rest = name.split(" ")
    return " ".join([first.title(), *(word if word in SMALL else word.title() for word in rest)])


def counted(number: int, noun: str) -> str:
    """So many of something."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def named_as_several(unit: AnyUnit) -> bool:
    """Whether the name is a plural: an s at the end, or a z where a faction spells so; one model may have such."""
    return not unit.single and _plural(unit.name) and (len(unit.models) > 1 or not _of_one(unit.name))


def _noun(name: str) -> str:
    # Of "Poxwalkers of the hive" the first word counts.
    return _TAIL.sub("", name, count=1).partition(" of ")[0]


@lru_cache(4096)
def _of_one(name: str) -> bool:
    return _noun(name).endswith(OF_ONE)


@lru_cache(4096)
def _plural(name: str) -> bool:
    noun = _noun(name)
    return " and " in noun or (noun.endswith(("s", "z")) and not noun.endswith("ss"))
