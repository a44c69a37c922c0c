"""Psykers: what datasheets say of them, and of the powers that they know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Annotated, Final, TypeAlias

import msgspec

from sandtable.armies.characteristics import problem_of_value
from sandtable.attack.volley import FACES
from sandtable.battle import Option
from sandtable.forty.state import Battle40, Unit, World40, called
from sandtable.kit.asking import some_of
from sandtable.kit.grammar import titled

PSYKER: Final = "PSYKER"
MOST_INCHES: Final = 240
Faces: TypeAlias = tuple[int, ...]
TWO_DICE: Final[tuple[Faces, ...]] = tuple(product(FACES, FACES))
Few = Annotated[int, msgspec.Meta(ge=0, le=20)]


class Power(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A psychic power: how hard it is to manifest, how far it reaches, and what the nearest visible enemy suffers."""

    name: str
    """In lower case."""
    charge: Few
    """The warp charge value."""
    range: Annotated[int, msgspec.Meta(ge=0, le=MOST_INCHES)]
    """In inches."""
    wounds: str
    """The mortal wounds that it deals: a number, or dice..."""
    strong: str = ""
    """...and instead of them, where that is said, when the test came to more than `above`."""
    above: int = 99
    ability: bool = False
    """It works as an ability of its name does, on whom that says."""

    @property
    def title(self) -> str:
        """Its name as players write it."""
        return titled(self.name)


class Psyker(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What a psyker may try in each Psychic phase, and the powers that it knows."""

    casts: Few = 1
    denies: Few = 1
    powers: tuple[str, ...] = ("smite",)
    """In lower case; none if nothing is said about them."""
    more: Few = 0
    """Further powers of its discipline that it may know."""
    described: tuple[Power, ...] = ()
    """Powers beside those of the book, which any psyker of the battle may know by name."""


def problem_of_psyker(psyker: Psyker, keywords: Sequence[str]) -> str:
    """What is wrong with what a datasheet says of a psyker; empty if nothing is."""
    if PSYKER not in keywords:
        return f"it goes with the keyword {PSYKER}"
    for name in (*psyker.powers, *(p.name for p in psyker.described)):
        if not name or name != name.lower():
            return f"the names of powers are in lower case: '{name.lower()}', not '{name}'"
    for power in psyker.described:
        for name, text in (("wounds", power.wounds), *([("strong", power.strong)] if power.strong else ())):
            number = int(text) if text.isdecimal() else text
            if problem := problem_of_value(name, number, "dice"):
                return f"{power.name}, {problem}"
    return ""


def powers_described(w: World40) -> list[Power]:
    """The powers that datasheets of a battle describe."""
    found = {p.name: p for sheet in w.setup.data.sheets if sheet.psyker for p in sheet.psyker.described}
    return [found[name] for name in sorted(found)]


def chance_of_test(succeeds: Callable[[Faces], bool], may_reroll: Callable[[Faces], bool]) -> float:
    """The chance that two dice succeed, thrown again where that is allowed and they do not."""
    good = [faces for faces in TWO_DICE if succeeds(faces)]
    once = len(good) / len(TWO_DICE)
    again = sum(may_reroll(faces) for faces in TWO_DICE if faces not in good) / len(TWO_DICE)
    return once + again * once


async def pick_powers(b: Battle40, unit: Unit, model: int, names: Sequence[str], count: int, rule: str) -> list[str]:
    """The player of a psyker picks powers that it knows from now on; returns them."""
    prompt, options = f"Which powers does {called(b, model)} know?", [Option(name, titled(name)) for name in names]
    chosen = await b.ask(some_of(unit, "generate_powers", prompt, options, rule, least=count, most=count, deed="Take"))
    text = f"{called(b, model)} knows {' and '.join(titled(str(name)) for name in chosen)}."
    b.tell("powers_generated", text, rule, units=[unit.id], powers=list(chosen))
    return [str(name) for name in chosen]
