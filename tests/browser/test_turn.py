"""A player turn of 1,000 points, and how many inputs it takes: that is what the design of the table is for."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import DESK, TABLET
from browser.hands import Hand
from browser.table import PATIENCE
from server.live import Battle, Server

SCENARIO = Path(__file__).parent / "scenarios" / "turn.yaml"
#: Two who have fought each other since the turn before, and go on: a fight without a charge.
SHEETS = """\
sheets:
  Brute:
    move: 6
    toughness: 9
    save: 2
    wounds: 6
    leadership: 6
    oc: 1
    base: 40mm
    height: 2
    keywords: [INFANTRY]
    weapons: [{name: fists, attacks: "2", skill: 4, strength: 4, ap: 0, damage: "1"}]
units:
"""
ENGAGED = """  - {name: Guard, player: red, sheet: Brute, positions: [[41, 57]]}
  - {name: Lookout, player: blue, sheet: Brute, positions: [[42.7, 57]]}
at: {step"""
MOST_ACTIVE, MOST_OTHER = 60, 8
SEED = 2
#: Inches to the right and up that each unit is dragged.
MOVES = {
    "Second Squad": (1, 4.5),
    "Fourth Squad": (0, 5),
    "First Squad": (2, 5),
    "Third Squad": (0, 4),
    "Fifth Squad": (-2, 4),
    "Ballistus Dreadnought": (0, 5),
    "Predator Annihilator": (0, 4),
}
SHOTS = {
    "First Squad": "First Mob",
    "Second Squad": "First Mob",
    "Third Squad": "Third Mob",
    "Fourth Squad": "Third Mob",
    "Fifth Squad": "Third Mob",
    "Ballistus Dreadnought": "Battlewagon",
    "Predator Annihilator": "Battlewagon",
}
SPLIT = ("Predator Annihilator", "Lootas")
"""Whose first weapon is aimed at a second target."""
CHARGES = {"Second Squad": "First Mob", "Fourth Squad": "Second Mob"}


ANSWERED = "before => document.querySelector('canvas').game.decision?.id !== before"
STAGED = """
const { decision, plan, settling, busy } = game;
return decision?.unit === argument && plan?.verdict?.ok && plan.ghosts.length && !settling && !busy;
"""


class Turn:
    """The turn as two people play it at their windows."""

    def __init__(self, mine: Hand, theirs: Hand) -> None:
        self.mine, self.theirs = mine, theirs
        self.units = {unit["name"]: unit["id"] for unit in mine.table.ask("return game.view.units.map(u => ({...u}))")}
        self.moves = list(MOVES)
        self.shots = list(SHOTS)
        self.charges, self.charging = list(CHARGES), ""

    def play(self) -> None:
        """Whoever is asked answers, until the turn is over."""
        while (found := self._asked()) is not None:
            who, question = found
            if who is self.theirs or question["kind"].startswith("react."):
                self._react(who, question)
            else:
                self._act(question)

    def _asked(self) -> tuple[Hand, dict[str, Any]] | None:
        """Who is asked, and what; nobody once the turn is over."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            for hand in (self.mine, self.theirs):
                if question := asked_of(hand):
                    over = hand.table.ask("return game.view.active !== 0 || game.view.round !== 2")
                    return None if over else (hand, question)
            self.mine.table.page.wait_for_timeout(20)
        raise TimeoutError("nobody is asked anything")

    def _act(self, question: dict[str, Any]) -> None:
        kind = question["kind"]
        if kind == "move_with" and self.moves:
            question, kind = self._move(), "move"
        match kind:
            case "move":
                self.mine.commit("move: done")
            case "shoot_with" if self.shots:
                self.mine.point_at(self.units[self.shots[0]], "shoot: who")
            case "shoot":
                self._shoot()
            case "charge_with" if self.charges:
                self.charging = self.charges.pop(0)
                self.mine.point_at(self.units[self.charging], "charge: who")
            case "charge_targets":
                self.mine.point_at(self.units[CHARGES[self.charging]], "charge: whom")
                self.mine.commit("charge: go")
            case "move_with" | "charge_with" | "shoot_with":
                self.mine.push(self.mine.table.page.locator(".dock .pass"), f"{kind}: no more")
            case _:
                self.mine.accept(kind)
        self.mine.table.page.wait_for_function(ANSWERED, arg=question["id"])

    def _move(self) -> dict[str, Any]:
        """Drag a unit; dragging the next one commits it, and the last is committed by a key or by the tick."""
        name = self.moves.pop(0)
        self.mine.drag(self.units[name], MOVES[name], "move")
        # The other may react to the unit before.
        self._until(lambda: self.mine.table.ask(STAGED, self.units[name]))
        if self.moves:
            return self._move()
        last = self.mine.table.decision
        assert last is not None
        return last

    def _until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE / 1000
        while not done():
            assert time.monotonic() < end, "nothing comes of it"
            if question := asked_of(self.theirs):
                self._react(self.theirs, question)
            self.mine.table.page.wait_for_timeout(20)

    def _shoot(self) -> None:
        table = self.mine.table
        name = self.shots.pop(0)
        asked = table.decision
        assert asked is not None
        self.mine.point_at(self.units[SHOTS[name]], "shoot: whom")
        if name == SPLIT[0]:
            row = asked["rows"][0]["label"]
            label = next(t["label"] for t in asked["targets"] if t["value"] == self.units[SPLIT[1]])
            self.mine.push(table.page.get_by_role("button", name=f"All {row} at {label}"), "shoot: split")
        table.page.wait_for_function("() => !document.querySelector('.dock .main')?.disabled")
        self.mine.commit("shoot: fire")

    def _react(self, who: Hand, question: dict[str, Any]) -> None:
        """Whoever may react does not, and wants to hear no more of it this turn."""
        page, kind = who.table.page, question["kind"]
        if kind.startswith("react."):
            group = page.get_by_role("group", name="Do not ask again")
            who.push(group.get_by_role("button", name="turn"), kind)
        else:
            # Who strikes back leaves piling in, blows and consolidation to what is usual.
            rest = page.get_by_role("button", name="Usual answers for the rest of the phase")
            who.press("Shift+Space", rest, kind)
        page.wait_for_function(ANSWERED, arg=question["id"])


def asked_of(hand: Hand) -> dict[str, Any] | None:
    """What a hand has to answer now; what the orders may still answer is shown to who waits long, but not asked."""
    question = hand.table.asked_now()
    ordered = question and hand.table.ask("return !!game.decision && game.mayBeOrdered(game.decision)")
    return None if ordered else question


@pytest.mark.parametrize(("size", "finger"), [(DESK, False), (TABLET, True)], ids=["mouse", "touch"])
def test_a_player_turn_takes_sixty_inputs_and_eight_of_the_other(
    join: Any, hall: Server, size: tuple[int, int], finger: bool
) -> None:
    scenario = SCENARIO.read_text().replace("units:\n", SHEETS, 1).replace("at: {step", ENGAGED, 1)
    battle = hall.begin(scenario=scenario, seed=SEED, seats=["mine", "mine"])
    tables = [join(battle, token, size, touch=finger, orders="default").watch() for token in battle.tokens]
    mine, theirs = (Hand(table, finger=finger) for table in tables)
    Turn(mine, theirs).play()
    done = happened(battle)
    assert done == {"move": 7, "shoot": 7, "split": 1, "charge": 2, "fight": 3}
    assert mine.count <= MOST_ACTIVE, mine.inputs
    assert theirs.count <= MOST_OTHER, theirs.inputs


def happened(battle: Battle) -> Counter[str]:
    """What was done in the turn, as the answers say."""
    with battle.server.watch(battle=battle.id) as watcher:
        told = watcher.ask("events", since=0)["events"]
    found: Counter[str] = Counter()
    for event in told:
        match event:
            case {"event": "answered", "kind": "move", "answer": {"paths": [_, *_]}}:
                found["move"] += 1
            case {"event": "answered", "kind": "shoot", "answer": [_, *_] as shots}:
                found["shoot"] += 1
                found["split"] += len({shot["target"] for shot in shots}) > 1
            case {"event": "answered", "kind": "charge_move"}:
                found["charge"] += 1
            case {"event": "answered", "kind": "strike", "player": 0}:
                found["fight"] += 1
    return found
