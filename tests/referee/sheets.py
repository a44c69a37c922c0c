"""Datasheets as the set-up brings them, for all editions that have them: who is what, and who carries which weapons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from referee.geometry import Base, Outline, read_base
from referee.watch import GONE, ON, Court, Item, Table, outline_of

Sheet = dict[str, Any]
Weapon = dict[str, Any]


@cache
def singular(keyword: str) -> str:
    """Singular and plural of a keyword are the same keyword."""
    word = keyword.upper()
    return word[:-1] if word.endswith("S") and not word.endswith("SS") else word


@cache
def read_dice(text: str) -> tuple[tuple[int, ...], int]:
    """Dice such as "2D6+1": the sides of each die, and what is added."""
    found = re.fullmatch(r"(?:(\d*)[dD](\d+))?(?:\+?(\d+))?", text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no number of dice")
    count, sides, plus = found.groups()
    return (int(sides),) * int(count or 1) if sides else (), int(plus or 0)


def value_of(dice: Sequence[int], plus: int, faces: Sequence[int]) -> int:
    """What D6 faces come to; a D3 is half of one, rounded up."""
    return sum(f if sides == 6 else (f + 1) // 2 for sides, f in zip(dice, faces, strict=True)) + plus


def ability(names: Sequence[str], name: str) -> str | None:
    """What stands behind an ability, "1" for "rapid fire 1"; None without it."""
    for text in names:
        if text == name or text.startswith(name + " "):
            return text[len(name) :].strip()
    return None


def weapon_of(label: str, weapons: Iterable[Weapon]) -> str:
    """The weapon that a row is called by: rows also say whose it is, and which of several of one model."""
    for number, word in enumerate(("second", "third", "fourth", "fifth", "sixth"), 2):
        label = label.replace(f", {word}", f" {number}")
    label = label.removesuffix(", again")
    names = {name for w in weapons for name in (w["name"], w["of"]) if name}
    return max((n for n in sorted(names) if f"{label} of ".startswith(f"{n} of ")), key=len, default=label)


class Sheets:
    """The models of a battle by their datasheets, and what armies brought beside them."""

    steps: tuple[str, ...]
    """The names of the steps of a turn, in their order"""

    def __init__(self, record: dict[str, Any]) -> None:
        self.setup = record["setup"]
        data = self.data = self.setup["data"]
        self.sheets: Sequence[Sheet] = data["sheets"]
        self.kits = data["kits"]
        self.bases: list[Base] = [
            read_base(self.sheet(m)["base"], self.sheet(m)["height"]) for m in range(len(self.kits))
        ]
        self.options: dict[str, str] = self.setup["options"]
        self.abilities: Sequence[dict[str, Any]] = data["abilities"]
        self.stratagems: Sequence[dict[str, Any]] = data["stratagems"]
        self.bare = not self.abilities and not self.stratagems
        self._keywords = [frozenset(map(singular, self.sheet(m)["keywords"])) for m in range(len(self.kits))]
        self._parts = [i for i, entry in enumerate(data["roster"]) for _ in range(entry["models"])]
        self._effects = [
            (owner["player"], e) for owner in (*self.abilities, *self.stratagems) for e in owner["effects"]
        ]
        self.table: Table

    def step(self, table: Table | None = None) -> str:
        """The step of the turn; "setup" before the battle."""
        clock = (table or self.table).clock
        return self.steps[clock["step"]] if clock["segment"] == "turn" else "setup"

    def moment(self, table: Table) -> str:
        """Where the battle stands."""
        clock = table.clock
        if clock["segment"] != "turn":
            return f"before the battle, step {clock['step']}"
        return f"round {clock['round']}, {table.players[clock['active']]['name']}, {self.step(table)}"

    def take_seat(self, court: Court) -> None:
        """See the table from now on."""
        self.table = court.table

    def follow(self, item: Item) -> None:
        """An item has happened."""

    # --- Models -------------------------------------------------------------------------------------------------------

    def sheet(self, model: int) -> Sheet:
        sheet: Sheet = self.sheets[self.kits[model]["sheet"]]
        return sheet

    def weapons(self, model: int) -> list[Weapon]:
        """The weapon profiles that a model carries."""
        return [self.sheet(model)["weapons"][i] for i in self.kits[model]["weapons"]]

    def is_a(self, model: int, *keywords: str) -> bool:
        """Whether a model has one of some keywords."""
        return any(singular(k) in self._keywords[model] for k in keywords)

    def core(self, model: int, name: str) -> str | None:
        """What stands behind a core ability of a model; None without it."""
        return ability(self.sheet(model)["abilities"], name)

    # --- Units --------------------------------------------------------------------------------------------------------

    def unit_is(self, unit: int, *keywords: str) -> bool:
        """Whether a unit has a keyword: one model that has it is enough."""
        return any(self.is_a(m, *keywords) for m in self.table.alive(unit))

    def all_have(self, unit: int, name: str) -> bool:
        """Whether every model of a unit has a core ability."""
        models = self.table.alive(unit)
        return bool(models) and all(self.core(m, name) is not None for m in models)

    def attached(self, unit: int) -> bool:
        """Whether Leader and Bodyguard both still stand."""
        leader = set(self.table.units[unit]["leader"])
        here = set(self.table.on_table(unit))
        return bool(here & leader) and bool(here - leader)

    def part_of(self, model: int) -> int:
        """The entry of the rosters that a model came with."""
        return self._parts[model]

    def entry_models(self, entry: int) -> range:
        """The models of an entry of the rosters."""
        first = sum(e["models"] for e in self.data["roster"][:entry])
        return range(first, first + self.data["roster"][entry]["models"])

    def fallen(self, entry: int) -> bool:
        """Whether nothing is left of an entry of the rosters."""
        return all(self.table.place[m] == GONE for m in self.entry_models(entry))

    def stands(self, unit: int) -> bool:
        return any(self.table.place[m] == ON for m in self.table.units[unit]["models"])

    # --- What armies brought ------------------------------------------------------------------------------------------

    def doubt(self, kind: str, *, player: int | None = None, **fields: Any) -> bool:
        """Whether something that an army brought might change a thing, so that the core book alone does not decide."""
        return any(
            e["kind"] == kind
            and (player is None or player == owner)
            and all(
                e.get(name) in value if isinstance(value, tuple) else e.get(name) == value
                for name, value in fields.items()
            )
            for owner, e in self._effects
        )

    def allowed(self, what: str, player: int | None = None) -> bool:
        """Whether somebody might be allowed what the rules forbid otherwise."""
        return self.doubt("allow", player=player, what=what)

    # --- The mission --------------------------------------------------------------------------------------------------

    @property
    def mission(self) -> dict[str, Any]:
        wish = self.table.game["wish"]
        mission: dict[str, Any] = self.data["mission"] if wish < 0 else self.data["wishes"][wish]["mission"]
        return mission

    @property
    def markers(self) -> list[tuple[float, float, float]]:
        """Where objective markers lie, in inches."""
        game = self.table.game
        spots = game["markers"] or (
            self.data["objectives"] if game["wish"] < 0 else self.data["wishes"][game["wish"]]["objectives"]
        )
        return [(x / 1024, y / 1024, z / 1024) for x, y, z in spots]

    def zone(self, player: int, *, enemy: bool = False) -> Outline:
        """A player's deployment zone, or that of the enemy."""
        game = self.table.game
        zones = self.data["zones"] if game["wish"] < 0 else self.data["wishes"][game["wish"]]["zones"]
        side = self.table.players[player]["side"]
        attacks = side == self.table.players[max(0, game["attacker"])]["side"]
        return outline_of(zones[0 if attacks != enemy else 1])
