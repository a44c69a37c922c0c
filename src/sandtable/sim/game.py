"""One battle among many: what is to be played, and what is kept of it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import msgspec
import numpy as np

from sandtable import api
from sandtable.battle.events import Changed, Placed, Told, Wounded
from sandtable.battle.machine import Battle
from sandtable.battle.state import GONE
from sandtable.errors import UserError
from sandtable.players.table import play, seat

ATTACK = "attack"
"""What systems tell when a unit's attacks at another have been resolved: the attacker first, then its target."""


class Game(msgspec.Struct, frozen=True):
    """A battle to be played: everything that decides how it ends."""

    system: str
    lists: tuple[str, str]
    """Army lists in the order of the seats, as files or names."""
    players: tuple[str, str]
    mission: str
    layout: str
    seed: int
    options: tuple[tuple[str, str], ...] = ()


class UnitTale(msgspec.Struct, frozen=True):
    """What became of a unit, and what it earned."""

    name: str
    seat: int
    points: int
    earned: float
    """Points of enemy units that its attacks took: a unit's points, by the share of its wounds."""
    lost: float
    """The share of its own wounds that were lost."""
    died: int
    """The round in which its last model was lost; 0 when it lived."""


class Outcome(msgspec.Struct, frozen=True):
    """How a battle ended."""

    game: Game
    winner: int = -1
    """The seat that won; -1 for a draw."""
    scores: tuple[int, ...] = ()
    first: int = -1
    """The seat that had the first turn."""
    rounds: int = 0
    decisions: int = 0
    seconds: float = 0.0
    units: tuple[UnitTale, ...] = ()
    trouble: str = ""
    """Why the battle has no result; empty when it has one."""

    @property
    def margin(self) -> int:
        """By how much the first seat led."""
        return self.scores[0] - self.scores[1] if len(self.scores) > 1 else 0

    def won_by(self, seat: int) -> float:
        """1 for a victory of the seat, 0.5 for a draw, 0 for a defeat."""
        return 0.5 if self.winner < 0 else float(self.winner == seat)


SEATS = ("red", "blue")


def play_game(game: Game) -> Outcome:
    """Play a battle to its end. What goes wrong on the way is told in the outcome: the other battles go on."""
    start = time.process_time()
    battle = open_game(game)
    before = battle.state.copy()
    players = seat(game.players, game.seed, nobody)
    try:
        play(battle, players)
    except Exception as error:
        return Outcome(game, trouble=f"{type(error).__name__}: {error}")
    result = battle.result
    assert result is not None, "play ends when nothing is left to decide, or with an error"
    return Outcome(
        game,
        result.winners[0] if len(result.winners) == 1 else -1,
        result.scores,
        _first(battle),
        battle.state.round,
        len(battle.answers),
        time.process_time() - start,
        tuple(_tales(battle, before)),
    )


def open_game(game: Game) -> Battle[Any, Any, Any, Any]:
    """The battle at its first question; refuses lists, missions and tables that cannot be played."""
    return api.new(
        game.system,
        armies=dict(zip(SEATS, game.lists, strict=True)),
        mission=game.mission,
        layout=game.layout,
        seed=game.seed,
        options=dict(game.options),
    )


def nobody(number: int) -> Any:
    """For seats where a person would have to sit."""
    raise UserError("A person cannot play a thousand battles; name computer players.")


def _first(battle: Battle[Any, Any, Any, Any]) -> int:
    """Who was active when the first round began."""
    active = 0
    for event in battle.events:
        if isinstance(event, Changed) and event.what == "clock":
            active = int(event.fields.get("active", active))
            if event.fields.get("round") == 1:
                return active
    return active


def _tales(battle: Battle[Any, Any, Any, Any], before: Any) -> list[UnitTale]:
    points = battle.system.points
    worth = [0 if points is None else points(battle, unit) for unit in before.units]
    home = before.models.unit.tolist()
    full = np.maximum(before.models.wounds, 1).tolist()
    left = list(full)
    whole = [0] * len(worth)
    for model, unit in enumerate(home):
        whole[unit] += full[model]
    earned = [0.0] * len(worth)
    alive = Counter(home)
    died = [0] * len(worth)
    lost_now: list[tuple[int, int]] = []
    number = 0
    for event in battle.events:
        if isinstance(event, Changed):
            number = int(event.fields.get("round", number)) if event.what == "clock" else number
        elif isinstance(event, Wounded):
            lost_now.append((event.model, left[event.model] - event.wounds))
            left[event.model] = event.wounds
        elif isinstance(event, Placed) and event.place == GONE:
            for model in event.models:
                lost_now.append((model, left[model]))
                left[model] = 0
                alive[home[model]] -= 1
                if not alive[home[model]]:
                    died[home[model]] = number
        elif isinstance(event, Told):
            if event.kind == ATTACK:
                attacker = before.units[event.units[0]]
                for model, wounds in lost_now:
                    unit = before.units[home[model]]
                    if unit.player != attacker.player:
                        earned[attacker.id] += worth[unit.id] * wounds / whole[unit.id]
            # What was lost before anything else is told was no attack's doing: mortal wounds, stragglers, wrecks.
            lost_now = []
    gone = [0] * len(worth)
    for model, wounds in enumerate(left):
        gone[home[model]] += full[model] - wounds
    return [
        UnitTale(u.name, u.player, worth[u.id], earned[u.id], gone[u.id] / max(whole[u.id], 1), died[u.id])
        for u in before.units
    ]
