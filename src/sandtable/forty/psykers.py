"""Psykers: what datasheets say of them, and of the powers that they know."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.battle import Option
from sandtable.forty.state import Battle40, Unit, World40, called
from sandtable.kit.asking import some_of
from sandtable.kit.grammar import titled


class Power(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A psychic power: how hard it is to manifest, how far it reaches, and what the nearest visible enemy suffers."""

    name: str
    """In lower case."""
    charge: int
    """The warp charge value."""
    range: int
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

    casts: int = 1
    denies: int = 1
    powers: tuple[str, ...] = ("smite",)
    """In lower case; none if nothing is said about them."""
    more: int = 0
    """Further powers of its discipline that it may know."""
    described: tuple[Power, ...] = ()
    """Powers beside those of the book, which any psyker of the battle may know by name."""


def powers_described(w: World40) -> list[Power]:
    """The powers that datasheets of a battle describe."""
    found = {p.name: p for sheet in w.setup.data.sheets if sheet.psyker for p in sheet.psyker.described}
    return [found[name] for name in sorted(found)]


async def pick_powers(b: Battle40, unit: Unit, model: int, names: Sequence[str], count: int, rule: str) -> list[str]:
    """The player of a psyker picks powers that it knows from now on; returns them."""
    prompt, options = f"Which powers does {called(b, model)} know?", [Option(name, titled(name)) for name in names]
    chosen = await b.ask(some_of(unit, "generate_powers", prompt, options, rule, least=count, most=count))
    text = f"{called(b, model)} knows {' and '.join(titled(str(name)) for name in chosen)}."
    b.tell("powers_generated", text, rule, units=[unit.id], powers=list(chosen))
    return [str(name) for name in chosen]
