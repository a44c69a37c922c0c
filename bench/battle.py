"""How fast whole battles are played by two tacticians, how much memory they take, and how much a player is asked."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sandtable import systems
from sandtable.armies.packs import find_list, find_packs
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import KeyedDice
from sandtable.battle.machine import Battle
from sandtable.players import ComputerPlayer, StandingOrders, default_orders, play
from sandtable.players.base import AnyView, Player


class Game(NamedTuple):
    """A system, and how large its armies are, as the names of lists tell it."""

    system: str
    small: int
    large: int
    of: str
    """What armies are measured in"""
    prefix: str
    """Of the names of figures"""
    megabytes: int
    """How much memory it may take"""

    def lists(self, size: int) -> list[str]:
        """The ready lists of one size, of those factions that have lists of both: they are held against each other."""
        found: dict[int, dict[str, str]] = {self.small: {}, self.large: {}}
        for path in sorted(find_packs()[self.system].glob("lists/*.yaml")):
            for named, lists in found.items():
                faction, here, _ = path.stem.partition(f"-{named}-")
                if here:
                    lists[path.stem] = faction
        both = set(found[self.small].values()) & set(found[self.large].values())
        return [name for name, faction in found[size].items() if faction in both]


GAMES: Final = (
    Game("w40k10", 1000, 2000, "points", "", 400),
    Game("w40k8", 60, 100, "Power", "w40k8_", 400),
    Game("w40k11", 1000, 2000, "points", "w40k11_", 500),
)
BATTLES: Final = 8
"""Battles of each size; the first one more is not counted, since it fills caches"""
RUNS: Final = 2
"""So often each is played, and the best counts: other work on a shared machine slows a run by up to half"""
LIMIT_S: Final = 0.8
LIMIT_RATIO: Final = 2.3
LIMIT_ACTIVE: Final = 70
LIMIT_OTHER: Final = 10

AnyBattle = Battle[Any, Any, Any, Any]


def tables(game: Game, size: int, count: int) -> list[Callable[[], AnyBattle]]:
    """Battles that are set up and wait for their first question, with all lists in turn."""
    system = systems.get(game.system)
    assert system.build is not None
    lists = game.lists(size)
    missions = list(system.missions()) if system.missions else ["only-war"]
    layouts = list(system.layouts()) if system.layouts else [""]
    found: list[Callable[[], AnyBattle]] = []
    for k in range(count):
        red, blue = lists[k % len(lists)], lists[(k * 3 + 1) % len(lists)]
        armies = {"red": find_list(red), "blue": find_list(blue)}
        setup, state = system.build(
            armies, missions[k % len(missions)], layouts[k % len(layouts)], system.settle_options({})
        )

        def begin(setup: Any = setup, state: Any = state, seed: int = k) -> AnyBattle:
            return Battle(system, setup, state.copy(), dice=KeyedDice(seed)).start()

        found.append(begin)
    return found


def seconds(game: Game, size: int) -> list[float]:
    """Process time of whole battles, without setting up."""
    return [min(_seconds(begin) for _ in range(RUNS)) for begin in tables(game, size, BATTLES + 1)][1:]


def _seconds(begin: Callable[[], AnyBattle]) -> float:
    battle = begin()
    start = time.process_time()
    play(battle, {0: ComputerPlayer("tactician"), 1: ComputerPlayer("tactician")})
    return time.process_time() - start


class Counted:
    """A player behind standing orders: counts what still reaches it, in its own turns and in others'."""

    def __init__(self, battle: AnyBattle) -> None:
        self._inner = ComputerPlayer("tactician")
        self._battle = battle
        self.asked: dict[tuple[int, int, bool], int] = {}

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        state = self._battle.state
        if state.round:
            key = (state.round, state.active, state.active == decision.player)
            self.asked[key] = self.asked.get(key, 0) + 1
        return self._inner.choose(view, decision)


def asked(game: Game) -> tuple[list[int], list[int]]:
    """For each player turn how many questions reach the active player and the other one, with default orders."""
    active, other = [], []
    for begin in tables(game, game.small, 4):
        battle = begin()
        counted = {p.id: Counted(battle) for p in battle.state.players}
        players: dict[int, Player] = {p: StandingOrders(default_orders(battle.system), c) for p, c in counted.items()}
        play(battle, players)
        turns = {key[:2] for c in counted.values() for key in c.asked}
        for turn in sorted(turns):
            active.append(sum(c.asked.get((*turn, True), 0) for c in counted.values()))
            other.append(sum(c.asked.get((*turn, False), 0) for c in counted.values()))
    return active, other


def measure() -> dict[str, dict[str, Any]]:
    """The figures, with their limits."""
    found: dict[str, dict[str, Any]] = {}
    small, peak = {}, {}
    for game in GAMES:
        small[game] = seconds(game, game.small)
        peak[game] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for game in GAMES:
        found |= _figures(game, small[game], peak[game])
    return found


def _figures(game: Game, small: list[float], peak: float) -> dict[str, dict[str, Any]]:
    """Those of one system."""
    large = seconds(game, game.large)
    active, other = asked(game)
    pace = statistics.median(small)
    figures: dict[str, dict[str, Any]] = {
        f"battle_{game.small}_s": {
            "value": round(pace, 3),
            "limit": LIMIT_S,
            "what": f"tactician against tactician at {game.small:,} {game.of}, process time, median of {len(small)} "
            f"battles, the better of {RUNS} runs each",
        },
        f"battle_{game.large}_ratio": {
            "value": round(statistics.median(large) / pace, 2),
            "limit": LIMIT_RATIO,
            "what": f"the same at {game.large:,} {game.of}, as a multiple",
        },
        "battle_memory_mb": {
            "value": round(peak),
            "limit": game.megabytes,
            "what": f"most memory that the process had after the battles at {game.small:,} {game.of}",
        },
        "asked_active_mean": {
            "value": round(statistics.mean(active), 1),
            "limit": LIMIT_ACTIVE,
            "what": f"questions to the active player in a turn with default orders, mean of {len(active)} turns",
        },
        "asked_active_most": {
            "value": max(active),
            "limit": None,
            "what": "the most of them in one turn",
        },
        "asked_other_mean": {
            "value": round(statistics.mean(other), 1),
            "limit": LIMIT_OTHER,
            "what": "questions to the other player in the same turns, mean",
        },
        "asked_other_most": {
            "value": max(other),
            "limit": None,
            "what": "the most of them in one turn",
        },
    }
    return {f"{game.prefix}{name}": figure for name, figure in figures.items()}
