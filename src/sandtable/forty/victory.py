"""The end of a battle: when time is up, who has won, and what is told about it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sandtable.battle import Moment, Option, Reaction, Result, Value
from sandtable.forty.mission import mission_of
from sandtable.forty.moments import UNIT_DESTROYED
from sandtable.forty.state import Battle40, World40
from sandtable.kit.grammar import players_do


def rounds_of(w: World40) -> int:
    """How many battle rounds there are: those of the mission that was picked, or of the only one."""
    data, wish = w.setup.data, w.state.game.wish
    rounds: int = data.rounds if wish < 0 else data.wishes[wish].mission.rounds
    return rounds


def was_last_turn(w: World40, round_is_over: bool, rounds: int) -> bool:
    """Whether that was the last turn: of so many rounds, or of as many turns as the battle has."""
    data, game = w.setup.data, w.state.game
    return (round_is_over and w.state.round >= rounds) or bool(data.turns and game.turns >= data.turns)


def players_of(w: World40, sides: Collection[int]) -> tuple[int, ...]:
    """The players of some sides."""
    return tuple(p.id for p in w.state.players if p.side in sides)


def ahead(w: World40) -> tuple[int, ...]:
    """The side of the player with the most Victory points; nobody where two sides have as many."""
    best = max(p.vp for p in w.state.players)
    sides = {p.side for p in w.state.players if p.vp == best}
    return players_of(w, sides) if len(sides) == 1 else ()


def name_victors(b: Battle40, winners: tuple[int, ...], reason: str, rule: str) -> Result:
    """It is told who has won, and with how many Victory points each player ends."""
    told = players_do([b.player(p).name for p in winners], "wins") if winners else "The battle is a draw"
    ranked = sorted(b.state.players, key=lambda p: (p.id not in winners, -p.vp, p.id))
    points = ", ".join(f"{p.name} {p.vp}" for p in ranked)
    b.tell("victor", f"{told}: {points}.", rule, players=list(winners))
    return Result(winners, reason, tuple(p.vp for p in b.state.players))


def end_at_once(is_over: Callable[[Any], bool], close: Callable[[Any, str], Result], rule: str) -> Reaction:
    """The battle of a mission ends with the last unit of an army, where `is_over` says so."""

    def army_lost(b: Battle40, player: int, moment: Moment) -> bool:
        return mission_of(b) is not None and b.unit(moment.unit).player == player and is_over(b)

    def at_once(b: Battle40, player: int, moment: Moment) -> list[Option]:
        return [Option(player, "the battle ends")]

    async def end(b: Battle40, player: int, moment: Moment, value: Value) -> None:
        b.end(close(b, "an army is destroyed"))

    return Reaction("The battle ends", UNIT_DESTROYED, end, army_lost, at_once, mandatory=True, rules=(rule,))
