"""List against list: which battles are played, by whom, on which seeds and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from sandtable import systems
from sandtable.api import DEFAULT_MISSION, MAX_SEED
from sandtable.errors import UserError
from sandtable.players.table import seat
from sandtable.sim.game import Game, Outcome, nobody, open_game
from sandtable.sim.pool import run
from sandtable.sim.report import Matchup, Paired, seat_of_first

MOST_GAMES: Final = 20_000
CONTROL: Final = 4
"""Controls take a quarter of the games each."""
Progress: TypeAlias = Callable[[str, int, int], None]
"""(what is being played, battles done, of how many)"""


def matchup(
    one: str | Path,
    other: str | Path,
    *,
    games: int = 100,
    system: str = systems.DEFAULT,
    mission: str = "",
    layouts: Sequence[str] = (),
    players: Sequence[str] = ("tactician", "rusher"),
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    processes: int = 0,
    controls: bool = True,
    progress: Progress | None = None,
) -> Matchup:
    """Play two lists against each other `games` times, half of them from each seat.

    The first of `players` plays both sides; with `controls`, each list also plays itself, and every other player plays
    a quarter of the games again.
    """
    plan = _Plan(system, mission, layouts, seed, options, processes, progress)
    lists = (str(one), str(other))
    plan.check(lists, players, games)
    chief, quarter = players[0], max(2, games // CONTROL // 2 * 2)
    outcomes = plan.play("the matchup", plan.games(lists, chief, games))
    mirrors: list[tuple[Outcome, ...]] = [(), ()]
    others: list[tuple[str, tuple[Outcome, ...]]] = []
    if controls:
        for side, name in enumerate(lists):
            mirrors[side] = plan.play(f"{_label(name)} against itself", plan.mirror(name, chief, quarter))
        for player in players[1:]:
            others.append((player, plan.play(f"the matchup by {player}", plan.games(lists, player, quarter))))
    return Matchup(
        _labels(lists),
        plan.system.id,
        plan.mission,
        tuple(players),
        outcomes,
        (mirrors[0], mirrors[1]),
        tuple(others),
        plan.unenforced(lists),
    )


def paired(first: str | Path, second: str | Path, against: str | Path, **how: Any) -> Paired:
    """Two lists of one player against the same enemy, each game of one on the seed, seat and table of the other's."""
    one = matchup(first, against, **{**how, "controls": False})
    two = matchup(second, against, **how)
    return Paired(_labels((str(first), str(second))), one.names[1], one, two)


class _Plan:
    """Who plays where, on which seeds."""

    def __init__(
        self,
        system: str,
        mission: str,
        layouts: Sequence[str],
        seed: int,
        options: Mapping[str, str] | None,
        processes: int,
        progress: Progress | None,
    ) -> None:
        self.system = systems.get(system)
        self.mission = mission or DEFAULT_MISSION
        known = self.system.layouts() if self.system.layouts is not None else ()
        self.layouts = tuple(layouts) or tuple(known)
        self.seed = seed
        self.options = tuple(sorted(self.system.settle_options(options or {}).items()))
        self.processes = processes
        self.progress = progress

    def check(self, lists: tuple[str, str], players: Sequence[str], games: int) -> None:
        """Refuse what cannot be played before the first worker starts."""
        if not 2 <= games <= MOST_GAMES:
            raise UserError(f"A matchup takes 2 to {MOST_GAMES} games, not {games}.")
        last = self.seed + games // 2
        if self.seed < 0 or last > MAX_SEED:
            raise UserError(f"The seeds of {games} games are {self.seed} to {last}; seeds go from 0 to {MAX_SEED}.")
        if not players:
            raise UserError("Name at least one computer player.")
        for player in players:
            seat((player,), 0, nobody)
        for layout in self.layouts:
            open_game(self._game(lists, players[0], layout, 0))

    def games(self, lists: tuple[str, str], player: str, count: int) -> list[Game]:
        """Pairs of games on one seed and table, the second with the seats changed."""
        seats = (lists, (lists[1], lists[0]))
        return [
            self._game(seats[seat_of_first(i)], player, self._layout(i // 2), self.seed + i // 2) for i in range(count)
        ]

    def mirror(self, name: str, player: str, count: int) -> list[Game]:
        """A list against itself: changing the seats would change nothing, so every game has its own seed."""
        return [self._game((name, name), player, self._layout(i), self.seed + i) for i in range(count)]

    def _layout(self, pair: int) -> str:
        return self.layouts[pair % len(self.layouts)] if self.layouts else ""

    def _game(self, lists: tuple[str, str], player: str, layout: str, seed: int) -> Game:
        return Game(self.system.id, lists, (player, player), self.mission, layout, seed, self.options)

    def play(self, what: str, games: Sequence[Game]) -> tuple[Outcome, ...]:
        done = 0

        def tell(_: Outcome) -> None:
            nonlocal done
            done += 1
            if self.progress is not None:
                self.progress(what, done, len(games))

        if self.progress is not None:
            self.progress(what, 0, len(games))
        return tuple(run(games, processes=self.processes, on_done=tell))

    def unenforced(self, lists: tuple[str, str]) -> tuple[tuple[int, int], ...]:
        """For each list how many of its abilities nobody enforces, of how many."""
        if self.system.enforcement is None:
            return ()
        battle = open_game(self._game(lists, "", self._layout(0), 0))
        return tuple(self.system.enforcement(battle, seat) for seat in range(2))


def _label(name: str) -> str:
    return Path(name).stem if name.endswith((".yaml", ".yml")) else name


def _labels(names: tuple[str, str]) -> tuple[str, str]:
    one, other = _label(names[0]), _label(names[1])
    return (one, other) if one != other else (f"{one} (A)", f"{other} (B)")
