"""The table as a bystander pieces it together from events. It knows no edition.

`Table` is folded from the plain events of a record; `Court` reads a record from its first item to its last, shows each
item to the judgements before and after it happens, and keeps what they find.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from referee.geometry import Base, Outline, Stand

STEP = 1024
"""Positions are told in 1/1024 of an inch..."""
TURN = 4096
"""...and facings in 1/4096 of a turn."""

OFF, ON, ABOARD, GONE = range(4)
"""Where a model is: not set up yet, on the table, in a transport, out of play."""

Item: TypeAlias = dict[str, Any]


def inches(steps: float) -> float:
    return steps / STEP


def outline_of(points: Iterable[Sequence[int]]) -> Outline:
    """An area of the set-up in inches."""
    return tuple((x / STEP, y / STEP) for x, y in points)


class Wall(NamedTuple):
    """An upright wall of a terrain feature."""

    a: tuple[float, float]
    b: tuple[float, float]
    bottom: float
    top: float
    half: float
    feature: int


class Floor(NamedTuple):
    """A level that models can stand on."""

    outline: Outline
    z: float
    thick: float
    feature: int


class Feature(NamedTuple):
    """A terrain feature."""

    name: str
    kind: str
    outline: Outline
    bottom: float
    top: float
    solid: bool


class Terrain:
    """The battlefield in inches."""

    def __init__(self, table: dict[str, Any], extra: Sequence[dict[str, Any]] = ()) -> None:
        self.width, self.depth = inches(table["width"]), inches(table["depth"])
        self.features: list[Feature] = []
        self.walls: list[Wall] = []
        self.floors: list[Floor] = []
        for number, f in enumerate((*table["features"], *extra)):
            top = inches(f["top"])
            self.features.append(
                Feature(f["id"], f["kind"], outline_of(f["outline"]), inches(f["bottom"]), top, bool(f["solid"]))
            )
            for w in f["walls"]:
                a, b = outline_of((w["a"], w["b"]))
                half = inches(w["thickness"]) / 2
                self.walls.append(Wall(a, b, inches(w["bottom"]), inches(w["top"]), half, number))
            for level in f["floors"]:
                thick = inches(level["thickness"])
                self.floors.append(Floor(outline_of(level["outline"]), inches(level["z"]), thick, number))


class Table:
    """Who stands where with how many wounds, and all that units, players and the game carry with them."""

    def __init__(self, record: dict[str, Any], bases: Sequence[Base]) -> None:
        setup, start = record["setup"], record["start"]
        models = start["models"]
        self.bases = list(bases)
        self.pos: list[tuple[int, int, int]] = [tuple(p) for p in models["pos"]]
        self.facing: list[int] = list(models["facing"])
        self.wounds: list[int] = list(models["wounds"])
        self.place: list[int] = list(models["place"])
        self.mark: list[int] = list(models["mark"])
        self.unit_of: list[int] = list(models["unit"])
        self.units: list[dict[str, Any]] = [dict(u) for u in start["units"]]
        self.players: list[dict[str, Any]] = [dict(p) for p in start["players"]]
        self.game: dict[str, Any] = dict(start["game"])
        self.clock: dict[str, Any] = {name: start[name] for name in ("segment", "step", "round", "active")}
        self.effects: list[dict[str, Any]] = list(start["effects"])
        self.result: dict[str, Any] | None = start["result"]
        self.ground: dict[str, Any] = setup["table"]
        self.terrain = Terrain(self.ground, start["features"])
        self._stands: list[Stand | None] = [None] * len(self.pos)
        self.stamp = 0
        """Changes when a model moves, comes or goes."""

    # --- What is there ------------------------------------------------------------------------------------------------

    def stand(self, model: int) -> Stand:
        """A model where it stands."""
        found = self._stands[model]
        if found is None:
            x, y, z = self.pos[model]
            turn = self.facing[model] * 2 * math.pi / TURN
            found = self._stands[model] = Stand(self.bases[model], x / STEP, y / STEP, z / STEP, turn)
        return found

    def on_table(self, unit: int) -> list[int]:
        """The models of a unit on the table."""
        return [m for m in self.units[unit]["models"] if self.place[m] == ON and self.unit_of[m] == unit]

    def alive(self, unit: int) -> list[int]:
        """The models of a unit that are not out of play."""
        return [m for m in self.units[unit]["models"] if self.place[m] != GONE and self.unit_of[m] == unit]

    def owner(self, model: int) -> int:
        """The player of a model."""
        player: int = self.units[self.unit_of[model]]["player"]
        return player

    def side(self, unit: int) -> int:
        """The side that a unit fights on."""
        side: int = self.players[self.units[unit]["player"]]["side"]
        return side

    def enemies(self, unit: int) -> list[int]:
        """The enemy units with models on the table."""
        mine = self.side(unit)
        return [u["id"] for u in self.units if self.side(u["id"]) != mine and self.on_table(u["id"])]

    def all_models(self) -> list[int]:
        """Everybody on the table."""
        return [m for m, place in enumerate(self.place) if place == ON]

    def name(self, unit: int) -> str:
        name: str = self.units[unit]["name"]
        return name

    # --- What happens -------------------------------------------------------------------------------------------------

    def fold(self, item: Item) -> None:
        """Let an event happen."""
        match item["event"]:
            case "moved":
                self.stamp += 1
                for m, pos, facing in zip(item["models"], item["pos"], item["facing"], strict=True):
                    self.pos[m], self.facing[m], self._stands[m] = tuple(pos), facing, None
            case "placed":
                self.stamp += 1
                for m in item["models"]:
                    self.place[m] = item["place"]
            case "wounded":
                self.wounds[item["model"]] = item["wounds"]
            case "marked":
                self.mark[item["model"]] = item["mark"]
            case "joined":
                self.stamp += 1
                for m in item["models"]:
                    self.unit_of[m] = item["unit"]
            case "affected":
                self.effects = list(item["effects"])
            case "built":
                self.terrain = Terrain(self.ground, item["features"])
            case "ended":
                self.result = item["result"]
            case "changed":
                self._change(item)

    def _change(self, item: Item) -> None:
        holder: dict[str, Any]
        match item["what"]:
            case "unit":
                holder = self.units[item["id"]]
            case "player":
                holder = self.players[item["id"]]
            case "game":
                holder = self.game
            case _:
                holder = self.clock
        holder.update(item["fields"])


# --- The court --------------------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """Something that a referee would not have let pass."""

    rule: str
    """The row of the ledger."""
    sentence: str
    event: int
    """The number of the event at which it was noticed, counted without questions."""
    at: str
    """Round, player and step."""
    judgement: str


class Judgement:
    """One heading of the book. `before` sees an item while the table is still as it was, `after` once it happened."""

    def __init__(self, court: Any) -> None:
        self.court = court
        self.table: Table = court.table
        self.book: Any = court.book
        self.begin()

    def begin(self) -> None:
        """What is to be remembered from the start."""

    def before(self, item: Item) -> None:
        """An item is about to happen."""

    def after(self, item: Item) -> None:
        """An item has happened."""

    def end(self) -> None:
        """The record is at its end."""

    def accuse(self, rule: str, sentence: str) -> None:
        """Say that something was against a row of the ledger."""
        self.court.accuse(rule, sentence, type(self).__name__)

    def looked(self, what: str, count: int = 1) -> None:
        """Count that something was looked at, so that a judgement that never looks does not pass for a good one."""
        self.court.looks[what] += count


class Court:
    """Reads a record under an edition's judgements."""

    def __init__(self, record: dict[str, Any], edition: Any) -> None:
        self.record = record
        self.book = edition.book(record)
        self.table = Table(record, self.book.bases)
        self.faults: list[Fault] = []
        self.looks: Counter[str] = Counter()
        self.number = -1
        self.questions: dict[int, Item] = {}
        """What was asked, by the number of the decision."""
        self.item: Item = {}
        self.book.take_seat(self)
        self.judgements: list[Judgement] = [judgement(self) for judgement in edition.JUDGEMENTS]

    def hear(self) -> list[Fault]:
        """Read it to the end."""
        for item in self.record["items"]:
            self.item = item
            if item["event"] == "question":
                self.questions[item["id"]] = item
            else:
                self.number += 1
            for judgement in self.judgements:
                judgement.before(item)
            self.table.fold(item)
            self.book.follow(item)
            for judgement in self.judgements:
                judgement.after(item)
        for judgement in self.judgements:
            judgement.end()
        return self.faults

    def asked(self, item: Item) -> Item:
        """The question that an answer belongs to."""
        return self.questions[item["decision"]]

    def accuse(self, rule: str, sentence: str, judgement: str) -> None:
        self.faults.append(Fault(rule, sentence, self.number, self.book.moment(self.table), judgement))


def hear(record: dict[str, Any], edition: Any) -> tuple[list[Fault], Counter[str]]:
    """What a referee finds in a record, and what was looked at."""
    court = Court(record, edition)
    return court.hear(), court.looks
