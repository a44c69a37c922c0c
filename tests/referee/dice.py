"""Reading dice again: which faces stood in the end, and what was done with them.

A `Script` is a stretch of events that is read from its beginning to its end, as somebody would who wrote down what must
come next. What does not come, or comes unbidden, is a complaint. No edition is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.watch import Item


class Complaint(Exception):
    """The reading cannot go on: something else happened than had to."""

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(sentence)
        self.rule, self.sentence = rule, sentence


QUIET = ("asked", "question", "changed", "affected", "joined")
"""Events that say nothing about dice and wounds."""


class Script:
    """Events to be read one after the other."""

    ledger = "w40k10"
    command = "Command Re-roll/"
    """How an answer begins by which a player has dice rolled again that no rule of their own does."""
    command_told = "stratagem"
    """What is told then, if anything."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = [i for i in items if i["event"] not in QUIET]
        self.at = 0
        self.reading: dict[str, Any] = {}
        """How the roll that was read last says that it is to be read, where it does."""
        self.found: list[tuple[str, str]] = []
        """What is wrong so far, as far as the reading could go on all the same."""

    def peek(self, ahead: int = 0) -> Item:
        """The next event, or an empty one at the end."""
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else {"event": "end"}

    def take(self) -> Item:
        item = self.peek()
        self.at += 1
        return item

    def is_next(self, event: str, **fields: Any) -> bool:
        """Whether the next event is of a kind, with these values."""
        item = self.peek()
        return item["event"] == event and all(item.get(name) == value for name, value in fields.items())

    def blame(self, rule: str, sentence: str) -> None:
        self.found.append((rule, sentence))

    def mark(self) -> tuple[int, int]:
        """A place to come back to."""
        return self.at, len(self.found)

    def back(self, mark: tuple[int, int]) -> None:
        self.at = mark[0]
        del self.found[mark[1] :]

    # --- Answers ------------------------------------------------------------------------------------------------------

    def answer(self, kind: str) -> Any:
        """The answer to a question of a kind, if that comes next; None where it was not asked."""
        return self.take()["answer"] if self.is_next("answered", kind=kind) else None

    def told(self, kind: str, rule: str) -> Item:
        """What must be told now."""
        if not self.is_next("told", kind=kind):
            raise Complaint(rule, f"'{kind}' should be told here, but there comes {brief(self.peek())}.")
        return self.take()

    # --- Dice ---------------------------------------------------------------------------------------------------------

    def roll(
        self,
        reason: str,
        count: int,
        rule: str,
        *,
        bad: Callable[[int], bool] | None = None,
        size: int = 1,
    ) -> list[int]:
        """The faces that stand after a roll of so many dice and all its re-rolls.

        `bad` says which faces the roller may have rolled again by a rule of their own without being asked; None where
        no such rule is known. `size` dice make one result, and are rolled again together.
        """
        if not self.is_next("rolled", reason=reason):
            raise Complaint(rule, f"{count} {reason} dice are due, but there comes {brief(self.peek())}.")
        first = self.take()
        self.reading = first.get("read", {})
        faces = list(first["faces"])
        if len(faces) != count:
            self.blame(rule, f"{len(faces)} {reason} dice are rolled, and {count} are due.")
        if any(not 1 <= f <= 6 for f in faces):
            self.blame(f"{self.ledger}.dice.sums", f"A die shows {faces}.")
        again: set[int] = set()
        while True:
            if self.is_next("answered", kind="reroll"):
                picked = sorted(int(i) for i in self.take()["answer"])
                self._again(reason, faces, [p for r in picked for p in self._dice(r, size)], again, rule)
            elif self.is_next("answered", kind="react.after_roll"):
                answer = self.take()["answer"]
                if isinstance(answer, str) and answer.startswith(self.command):
                    # An ability may change what the card costs, and its player is asked before.
                    while self.is_next("told", kind="price") or self.is_next("answered", kind="use_ability"):
                        self.take()
                    if self.command_told:
                        self.told(self.command_told, rule)
                    which = int(answer.removeprefix(self.command))
                    self._again(reason, faces, self._dice(which, size), again, rule)
            elif self.is_next("rolled", reason=reason) and bad is not None and not again:
                places = [i for i, f in enumerate(faces) if bad(f)]
                if len(self.peek()["faces"]) != len(places):
                    break
                self._again(reason, faces, places, again, rule)
            else:
                break
        self._agrees(faces)
        return faces

    @staticmethod
    def _dice(roll: int, size: int) -> list[int]:
        return list(range(roll * size, roll * size + size))

    def _again(self, reason: str, faces: list[int], places: list[int], again: set[int], rule: str) -> None:
        if not places:
            return
        if not self.is_next("rolled", reason=reason) or len(self.peek()["faces"]) != len(places):
            raise Complaint(
                rule, f"{len(places)} {reason} dice are rolled again, but there comes {brief(self.peek())}."
            )
        if again.intersection(places):
            self.blame(f"{self.ledger}.dice.reroll", f"A {reason} die is rolled again for the second time.")
        item = self.take()
        before = [faces[p] for p in places]
        if item.get("again") and list(item["again"]) != before:
            self.blame(
                f"{self.ledger}.dice.reroll", f"{list(item['again'])} is told as rolled again, and it was {before}."
            )
        for place, face in zip(places, item["faces"], strict=True):
            faces[place] = face
        again.update(places)

    def needed(self, due: set[int], what: str, rule: str) -> None:
        """Where a roll says which bare face was enough, this is one of those that are right."""
        told = self.reading.get("needed", 0)
        if told and told not in due:
            right = " or ".join(f"{face}+" for face in sorted(due))
            self.blame(rule, f"The {what} is told to need {told}+, and {right} is right.")

    def _agrees(self, faces: list[int]) -> None:
        """Where an event says which dice stand, these are they."""
        item = self.items[self.at - 1]
        if item.get("standing") and list(item["standing"]) != faces:
            self.blame(f"{self.ledger}.dice.reroll", f"{list(item['standing'])} is told to stand, and {faces} does.")


def brief(item: Item) -> str:
    """An event in a few words."""
    match item["event"]:
        case "rolled":
            return f"a roll '{item['reason']}' of {list(item['faces'])}"
        case "answered":
            return f"an answer to '{item['kind']}'"
        case "told":
            return f"'{item['kind']}': {item['text']}"
        case "wounded":
            return f"model {item['model']} with {item['wounds']} wounds left"
        case "placed":
            return f"models {list(item['models'])} put to {item['place']}"
        case "end":
            return "nothing more"
    return str(item["event"])
