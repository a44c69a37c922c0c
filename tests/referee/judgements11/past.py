"""What mission cards look back to: how a turn began, who fell in it, what was marked, and which actions were completed.

All of it is told from events; what the battle remembers of these itself is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from referee.geometry import Stand
from referee.judgements11.common import Judgement11
from referee.judgements11.lands import Answer, Lands, some
from referee.watch import GONE, ON, Item


class Mark(NamedTuple):
    """Something that was told to be marked; on objectives and in areas it is an operation marker."""

    tag: str
    kind: str
    number: int
    player: int


class Past(Judgement11):
    """How the turn began, and what has happened in it so far."""

    def begin(self) -> None:
        super().begin()
        self.lands = Lands(self.table, self.book)
        self.turn = 0
        self.held: list[int] = []
        self.stood: dict[int, list[Stand]] = {}
        """Who stood where when the turn began..."""
        self.came: set[int] = set()
        """...who was set up since..."""
        self.went: set[int] = set()
        """...who was off the battlefield at some time since..."""
        self.fell: set[int] = set()
        """...and of whom nothing was left at some time since."""
        self.gone: set[int] = set()
        """Units that were destroyed when the turn began."""
        self.lost: tuple[set[int], set[int]] = (set(), set())
        """Units that were surely, and possibly, destroyed in the turn before."""
        self.last_end: set[int] = set()
        """Who was destroyed when the last turn was scored."""
        self.slayers: dict[int, Answer] = {}
        """Units destroyed by attacks in this turn, and whether the attacker was on an objective."""
        self.deeds: list[tuple[int, str, list[Stand]]] = []
        """Which unit completed which action in this turn, and where."""
        self.marks: dict[int, tuple[Mark, int]] = {}
        """What is marked, in the order in which it was, and in which turn."""

    def after(self, item: Item) -> None:
        if self.is_step(item, "turn begins"):
            self._turn_begins()
        elif item["event"] == "placed":
            self._placed(item)
        elif item["event"] == "told":
            self._told(item)

    def _turn_begins(self) -> None:
        now = self.destroyed()
        self.lost = self.last_end - self.gone, (now | self.fell) - self.gone
        self.turn += 1
        self.held = list(self.table.game["control"])
        self.stood = {u["id"]: self.stands(u["id"]) for u in self.table.units if self.table.on_table(u["id"])}
        self.gone, self.slayers, self.deeds = now, {}, []
        self.came, self.went, self.fell = set(), set(), set()
        lasts = {a["tag"]: a["lasts"] for a in self.actions}
        active = self.table.clock["active"]
        for number, (mark, _) in list(self.marks.items()):
            until = lasts.get(mark.tag, "battle")
            if until == "turn" or (until == "round of turns" and mark.player == active):
                del self.marks[number]

    def _placed(self, item: Item) -> None:
        units = {self.table.unit_of[m] for m in item["models"]}
        if item["place"] == ON:
            self.came |= units
        else:
            self.went |= {u for u in units if not self.table.on_table(u)}
        self.fell |= units & self.destroyed()

    def _told(self, item: Item) -> None:
        match item["kind"]:
            case "attack":
                self._attacked(item["units"][0], item["data"]["destroyed"])
            case "action_completed":
                unit, name = item["units"][0], action_in(item["text"], self.actions)
                self.deeds.append((unit, name, self.stands(unit)))
            case "marked":
                self._marked(item)
            case "marker_cleared":
                self._cleared(item["text"])

    def _attacked(self, attacker: int, models: Iterable[int]) -> None:
        """Who is destroyed to the last model by an attack is destroyed by the attacker; else it may be so later."""
        for unit in {self.table.unit_of[m] for m in models}:
            near = some(self.lands.in_range(self.stands(attacker), m) for m in range(len(self.book.markers)))
            surely = unit in self.destroyed() and near is not None
            self.slayers[unit] = near if surely and self.slayers.get(unit) is None else None

    def _marked(self, item: Item) -> None:
        tags = [
            a["tag"] for a in self.book.mission["actions"] if a["tag"] and item["text"].endswith(f" is {a['tag']}.")
        ]
        data = item["data"]
        kind = next((k for k in ("objective", "area") if k in data), "unit")
        number = data[kind] if kind in data else item["units"][0]
        found = Mark(tags[0] if tags else "", kind, number, data["player"])
        self.marks[max(self.marks, default=0) + 1] = found, self.turn

    def _cleared(self, text: str) -> None:
        found = [
            n
            for n, (mark, _) in self.marks.items()
            if mark.kind != "unit" and text == f"The marker at {self.called(mark.kind, mark.number)} is taken off."
        ]
        owners = {self.marks[n][0].player for n in found}
        mover = self.table.clock["active"]
        if len(owners) > 1:  # Whoever sweeps takes off those of the enemy.
            found = [n for n in found if self.marks[n][0].player != mover]
        for n in found[:1]:
            del self.marks[n]

    # --- Words --------------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The actions of the mission."""
        return list(self.book.mission["actions"]) if self.book.data["mission"] else []

    def called(self, kind: str, number: int) -> str:
        """An objective or an area as players call it."""
        if kind == "objective":
            return f"objective {number + 1}"
        feature = self.table.ground["features"][number]
        return str(feature["name"] or feature["id"])

    def stands(self, unit: int) -> list[Stand]:
        """Where the models of a unit stand."""
        return [self.table.stand(m) for m in self.table.on_table(unit)]

    def destroyed(self) -> set[int]:
        """The units of which nothing is left; an attached unit is one."""
        place = self.table.place
        return {u["id"] for u in self.table.units if u["models"] and all(place[m] == GONE for m in u["models"])}

    def enemies(self, player: int) -> set[int]:
        """The units of the other sides."""
        side = self.table.players[player]["side"]
        return {u["id"] for u in self.table.units if self.table.side(u["id"]) != side}

    def tagged(self, player: int, tag: str, kind: str = "") -> Iterator[tuple[Mark, int]]:
        """What bears a player's tag, and since which turn."""
        return (
            (mark, turn)
            for mark, turn in self.marks.values()
            if (mark.tag, mark.player) == (tag, player) and kind in ("", mark.kind)
        )

    def tokens(self, player: int, whose: str) -> list[Mark]:
        """The operation markers of a player's side, or of its enemies."""
        sides = [p["side"] for p in self.table.players]
        return [
            mark
            for mark, _ in self.marks.values()
            if mark.kind != "unit" and (sides[mark.player] == sides[player]) == (whose == "own")
        ]


def mark_of(item: Item, actions: Iterable[dict[str, Any]]) -> Mark:
    """What was told to be marked."""
    data = item["data"]
    tags = (action["tag"] for action in actions if action["tag"])
    tag = next((tag for tag in tags if item["text"].endswith(f" is {tag}.")), "")
    kind = next((k for k in ("objective", "area") if k in data), "unit")
    return Mark(tag, kind, data[kind] if kind in data else item["units"][0], data["player"])


def action_in(text: str, actions: Iterable[dict[str, Any]]) -> str:
    """The action that was told to be completed."""
    for name in {action["name"] for action in actions}:
        verb, _, rest = text.rpartition(f" {name}")
        if verb.endswith(("complete", "completes")) and (rest[:1] in (".", ":") or rest.startswith(" on ")):
            return str(name)
    return ""
