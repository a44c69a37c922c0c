"""Actions of mission cards: whose they are, on what they are done, and what they need to be completed."""

from __future__ import annotations

from typing import Any

from referee.judgements11.lands import negated, some
from referee.judgements11.past import Mark, Past, action_in, mark_of
from referee.reach import Reach
from referee.watch import Item

AT_A_MOMENT = ("battle", "turn begins", "turn ends")
"""When marks are made that no unit completes an action for."""


class Deeds11(Past):
    """An action is on the player's card, its target is where it says, and what it needs in the end is so."""

    rule = "w40k11.action.complete"

    def begin(self) -> None:
        super().begin()
        self.started: list[tuple[int, str]] = []
        self.done: list[tuple[str, int, str, int]] = []
        """Which player has done which action on what in this turn."""

    def before(self, item: Item) -> None:
        if item["event"] != "told" or not self.actions:
            return
        if item["kind"] == "action_started":
            self._start(item)
        elif item["kind"] == "action_completed":
            self._complete(item)
        elif item["kind"] == "marked":
            self._mark(mark_of(item, self.actions))

    def after(self, item: Item) -> None:
        if not self.actions:
            return
        super().after(item)
        if self.is_step(item, "turn begins"):
            self.started, self.done = [], []

    def _action(self, player: int, **fields: Any) -> dict[str, Any] | None:
        """An action of a player's card."""
        side = ("first side", "second side")[self.table.players[player]["side"]]
        return next(
            (
                action
                for action in self.actions
                if action["by"] in ("everybody", side) and all(action[key] == value for key, value in fields.items())
            ),
            None,
        )

    def _start(self, item: Item) -> None:
        unit = item["units"][0]
        player = self.table.units[unit]["player"]
        name = next((a["name"] for a in self.actions if item["text"].endswith(f" {a['name']}.")), "")
        action = self._action(player, name=name)
        self.looked("actions started")
        if action is None or player != self.table.clock["active"]:
            self.accuse("w40k11.action.definition", f"{item['text']} That is not on their card, or not in their turn.")
            return
        if self.table.clock["round"] < action["from_round"]:
            self.accuse("w40k11.action.definition", f"{item['text']} It starts in round {action['from_round']}.")
        self.started.append((player, name))
        if self.started.count((player, name)) > action["limit"]:
            self.accuse("w40k11.action.definition", f"{item['text']} So many cannot start it in a turn.")
        if self.table.units[unit]["battle_shocked"]:
            self.accuse("w40k11.action.eligible", f"{item['text']} The unit is battle-shocked.")

    def _complete(self, item: Item) -> None:
        unit, name = item["units"][0], action_in(item["text"], self.actions)
        player = self.table.units[unit]["player"]
        action = self._action(player, name=name)
        self.looked("actions completed")
        if action is None or player != self.table.clock["active"] or not self.table.on_table(unit):
            self.accuse(self.rule, f"{item['text']} Nobody of theirs can complete that now.")
            return
        target = self._target(action["at"], item["text"])
        if target is None:
            return
        deed = (name, player, action["at"], target)
        tagged = any(mark.number == target for mark, _ in self.tagged(player, action["tag"], action["at"]))
        if deed in self.done or (not action["again"] and tagged):
            self.accuse(self.rule, f"{item['text']} It was done there before.")
        self.done.append(deed)
        self._judge_place(item["text"], player, action, target)
        if action["at"] == "objective":
            self._judge_objective(item["text"], unit, action, target)
        else:
            self._judge_area(item["text"], unit, action, target)

    def _target(self, kind: str, text: str) -> int | None:
        """On what a unit was told to act; enemies are told of when they are marked."""
        count = {"objective": len(self.book.markers), "area": len(self.table.ground["features"])}.get(kind, 0)
        named = [n for n in range(count) if text.endswith(f" on {self.called(kind, n)}.")]
        return named[0] if len(named) == 1 else None

    def _judge_place(self, text: str, player: int, action: dict[str, Any], target: int) -> None:
        lies = self.lands.lies if action["at"] == "objective" else self.lands.area_lies
        if lies(target, player, action["where"]) is False:
            self.accuse(self.rule, f"{text} It is done elsewhere: {action['where']}.")

    def _judge_objective(self, text: str, unit: int, action: dict[str, Any], target: int) -> None:
        if self.lands.in_range(self.stands(unit), target) is False:
            self.accuse(self.rule, f"{text} The unit is not within range of it.")
        if action["controls"] and self.table.game["control"][target] != self.table.units[unit]["player"]:
            self.accuse(self.rule, f"{text} Its player does not control it.")

    def _judge_area(self, text: str, unit: int, action: dict[str, Any], target: int) -> None:
        if self.lands.in_area(self.stands(unit), target) is False:
            self.accuse(self.rule, f"{text} The unit is not within it.")
        others = some(self.lands.in_area(self.stands(e), target) for e in self.table.enemies(unit))
        if action["alone"] and negated(others) is False:
            self.accuse(self.rule, f"{text} Enemies are within it.")

    def _mark(self, mark: Mark) -> None:
        """What is marked bears a tag of the player's card, and is where the card says."""
        action = self._action(mark.player, tag=mark.tag) if mark.tag else None
        text = f"{mark.kind.title()} {mark.number} is {mark.tag}."
        self.looked("marks made")
        if action is None:
            self.accuse(self.rule, f"{text} That is not on the player's card.")
        elif mark.kind == "unit":
            self._judge_enemy(text, mark, action)
        elif action["starts"] in AT_A_MOMENT:
            self._judge_place(text, mark.player, action, mark.number)

    def _judge_enemy(self, text: str, mark: Mark, action: dict[str, Any]) -> None:
        if mark.number not in self.enemies(mark.player) or not self.table.on_table(mark.number):
            self.accuse(self.rule, f"{text} It is no enemy on the battlefield.")
        elif action["within"] and self.deeds:
            near = Reach(self.table, self.book).between(self.deeds[-1][0], mark.number)
            if near > action["within"] + self.book.slack:
                self.accuse(self.rule, f'{text} It is {near:.1f}" away.')
