"""What a question is asked within: the rules system, the pack, the options, and how the players decide."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from sandtable import systems
from sandtable.armies.format import Header
from sandtable.armies.pack import Pack
from sandtable.armies.packs import HEADER, find_packs, load_pack, open_pack
from sandtable.attack.volley import Attack
from sandtable.battle.system import System
from sandtable.documents import read_document
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Matchups

Allocation = Literal["in_order", "best_save", "worst_for_attacker"]
Rerolls = Literal["failures", "criticals", "none", "optimal"]
Goal = Literal["damage", "models", "destroy", "value"]
Order = Literal["best", "named"]


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The world of a question. Everything has a default: the first rules system, its pack, the ledger's readings."""

    system: str = systems.DEFAULT
    pack: str = ""
    """By name or folder; without it the pack of the system."""
    options: dict[str, str] = {}
    """Readings of the rules, as for a battle."""
    allocation: Allocation = "in_order"
    """Who takes an attack, as the defender decides."""
    reroll: Rerolls = "failures"
    """What the attacker re-rolls, where a rule lets them."""
    goal: Goal = "damage"
    """What both weigh where something is `optimal` or `worst_for_attacker`, and what the order of weapons is for."""
    order: Order = "best"
    """The order in which the attacker uses its weapons: the best, or as they are named or stand on the datasheet."""

    @property
    def rules(self) -> System:
        """The system: its name, its readings and its options."""
        return self.matchups.rules

    @property
    def matchups(self) -> Matchups:
        """What the system tells of units without a battle."""
        return systems.matchups(self.system)

    def open_pack(self) -> Pack:
        """The pack that units are named from."""
        # A system without odds says so before anybody looks for a pack.
        _ = self.matchups
        pack = load_named(self.pack or _pack_of(self.system))
        if pack.header.system != self.system:
            raise UserError(f"The pack {pack.header.id} is for {pack.header.system}, not for {self.system}.")
        return pack

    def open_panel(self) -> Pack:
        """Typical targets of the system."""
        return _panel(str(self.matchups.panel))

    def decide(self, attack: Attack) -> Attack:
        """The attack with the players' policies of this setting."""
        weighed: dict[str, Any] = {"allocation": self.allocation, "reroll": self.reroll, "goal": self.goal}
        if self.reroll == "optimal":
            weighed |= {"sums": "optimal"}
        choices = msgspec.structs.replace(attack.choices, **weighed)
        return msgspec.structs.replace(attack, choices=choices)


PLAIN: Final = Setting()


@lru_cache(4)
def load_named(name: str) -> Pack:
    """A pack, read once."""
    return open_pack(name)


@lru_cache(4)
def _panel(folder: str) -> Pack:
    from pathlib import Path

    return load_pack(Path(folder))


@lru_cache(8)
def _pack_of(system: str) -> str:
    known = find_packs()
    if system in known and load_named(system).header.system == system:
        return system  # the usual name, and the pack itself is needed anyway: no document has to be read for it
    for name, folder in known.items():
        path = folder / HEADER
        if read_document(path, Header).system == system:
            return name
    raise UserError(f"There is no pack for {system}; install one, or name the folder of one.")
