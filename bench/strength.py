"""How strong the tactician is: battles of 1,000 points, or of 60 Power, against the other computer players.

    python bench/strength.py [--system w40k10] [--games 200] [--against random,rusher,gunline] [--first 0] [--show]

Lists, missions and tables change from battle to battle; every table is played twice with the seats swapped, so that
nobody wins by the better list. Draws are no wins. It also counts the tactician's blunders and times the battles.
It takes a while and says how far it is; the exit status is 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

from sandtable import systems
from sandtable.armies.packs import find_list, find_packs
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import KeyedDice
from sandtable.battle.machine import Battle
from sandtable.players.base import AnyView, Player
from sandtable.players.computer import ComputerPlayer
from sandtable.players.table import AnyBattle, play, seat

SIZES: Final = {"w40k10": 1000, "w40k8": 60, "w40k11": 1000}
"""How large armies are, as the names of lists tell it"""
BOUNDS: Final = {"random": 0.97, "rusher": 0.80, "gunline": 0.80}
MOST_BLUNDERS: Final = 0.02
LONGEST_S: Final = 2.0
"""Seconds that a decision may take"""


class Meeting(NamedTuple):
    """Who meets where."""

    system: str
    red: str
    blue: str
    mission: str
    layout: str
    seed: int


class Watched:
    """A tactician whose answers are looked at by the audit."""

    def __init__(self, style: str, found: Counter[str]) -> None:
        self.inner = ComputerPlayer(style)
        self.found = found
        self.longest = 0.0

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        began = time.process_time()
        answer = self.inner.choose(view, decision)
        self.longest = max(self.longest, time.process_time() - began)
        self.found["decisions"] += 1
        tactics = view.system.tactics
        name = tactics.blunder(view, decision, answer) if tactics is not None else ""
        if name:
            self.found[name] += 1
        return answer


def meetings(name: str, count: int, first: int = 0) -> list[Meeting]:
    """Tables for so many pairs of battles, as different as can be; each list meets all, and itself."""
    system = systems.get(name)
    lists = [path.stem for path in sorted(find_packs()[name].glob(f"lists/*-{SIZES[name]}-*.yaml"))]
    pairs = list(combinations_with_replacement(lists, 2))
    step = next(n for n in (5, 7, 11) if len(pairs) % n)
    missions = list(system.missions()) if system.missions else ["only-war"]
    layouts = list(system.layouts()) if system.layouts else [f"random-{seed}" for seed in range(15)]
    return [
        Meeting(
            name,
            *pairs[(k * step) % len(pairs)],
            missions[k % len(missions)],
            layouts[(k // len(missions) + k) % len(layouts)],
            1000 + k,
        )
        for k in range(first, first + count)
    ]


@cache
def _start(at: Meeting) -> tuple[Any, Any]:
    """A table as it is set up; reading the lists takes longer than many a turn."""
    system = systems.get(at.system)
    assert system.build is not None
    lists = {"red": find_list(at.red), "blue": find_list(at.blue)}
    return system.build(lists, at.mission, at.layout, system.settle_options({}))


class Outcome(NamedTuple):
    """How a battle ended for the style that is measured."""

    won: int
    """1 for a win, 0 for a draw, -1 for a loss"""
    scores: tuple[int, ...]
    longest: float
    """Seconds for its longest decision"""


def fight(at: Meeting, style: str, opponent: str, style_is: int, found: Counter[str]) -> Outcome:
    """One battle."""
    setup, state = _start(at)
    battle: AnyBattle = Battle(
        systems.get(at.system), setup, state.copy(), dice=KeyedDice(at.seed), record=False
    ).start()
    names = [opponent, opponent]
    players: dict[int, Player] = seat(names, at.seed, _nobody)
    watched = players[style_is] = Watched(style, found)
    play(battle, players)
    result = battle.result
    assert result is not None
    won = (1 if style_is in result.winners else -1) if result.winners else 0
    return Outcome(won, result.scores, watched.longest)


def _nobody(_: int) -> Player:
    raise RuntimeError("nobody sits at this terminal")


def interval(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share."""
    if not games:
        return 0.0, 1.0
    share = wins / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def measure_against(system: str, opponent: str, games: int, first: int, show: bool, style: str) -> bool:
    """Play, print, and say whether the bounds hold."""
    tally: Counter[int] = Counter()
    found: Counter[str] = Counter()
    began, longest = time.process_time(), 0.0
    for k, at in enumerate(meetings(system, (games + 1) // 2, first)):
        for style_is in (0, 1)[: games - 2 * k]:
            outcome = fight(at, style, opponent, style_is, found)
            longest = max(longest, outcome.longest)
            tally[outcome.won] += 1
            if show:
                word = {1: "won", 0: "drawn", -1: "lost"}[outcome.won]
                print(f"  {word:6} {style_is} {outcome.scores} {at}", flush=True)
        done = 2 * (k + 1)
        if sys.stderr.isatty():
            print(f"\r  {opponent}: {done} of {games}, {tally[1]} won", end="", file=sys.stderr, flush=True)
    played = sum(tally.values())
    share = tally[1] / played
    low, high = interval(tally[1], played)
    blunders = sum(n for name, n in found.items() if name != "decisions")
    rate = blunders / max(1, found["decisions"])
    bound = BOUNDS.get(opponent, 0.0)
    good = share >= bound and rate <= MOST_BLUNDERS and longest <= LONGEST_S
    print(
        f"\r{style} against {opponent}: {tally[1]} won, {tally[0]} drawn, {tally[-1]} lost of {played}: "
        f"{share:.1%} ({low:.1%} to {high:.1%}; bound {bound:.0%}); "
        f"{blunders} blunders in {found['decisions']} decisions ({rate:.2%}); "
        f"{(time.process_time() - began) / played:.2f} s a battle, longest decision {longest:.2f} s",
        flush=True,
    )
    if blunders:
        print("  " + ", ".join(f"{name} {n}" for name, n in sorted(found.items()) if name != "decisions"))
    return good


def main() -> int:
    """Play against each opponent; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description="Measure how strong the tactician is.")
    parser.add_argument("--system", default="w40k10", choices=sorted(SIZES))
    parser.add_argument("--games", type=int, default=200, help="battles against each opponent")
    parser.add_argument("--against", default="random,rusher,gunline")
    parser.add_argument("--style", default="tactician", help="who is measured")
    parser.add_argument("--first", type=int, default=0, help="begin with this meeting")
    parser.add_argument("--show", action="store_true", help="print every battle")
    args = parser.parse_args()
    opponents = args.against.split(",")
    good = [measure_against(args.system, o, args.games, args.first, args.show, args.style) for o in opponents]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
