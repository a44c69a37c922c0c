"""Objective markers that the players place themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from sandtable.battle import AGAIN, DONE, Plot, Plotted, Question, Step, Verdict, refuse
from sandtable.forty.markers import NOBODY
from sandtable.forty.mission import mission_of
from sandtable.forty.state import Battle40, World40
from sandtable.kit.alternating import player_after
from sandtable.table.grid import steps
from sandtable.table.layout import Feature
from sandtable.table.measure import inside

IDEAS = 6
ON_THE_TABLE: Final = steps(6)
"""So far from the edges markers go by default, wherever they may: around them there should be room."""


async def place_in_turn(b: Battle40, roll_off: Callable[[Any], int], rule: str) -> Step:
    """Players place the markers of the mission in turn, the winner of a roll-off first: one with each call."""
    mission, game = mission_of(b), b.state.game
    if mission is None or len(game.markers) >= mission.placed:
        return DONE
    if game.chooser < 0:
        b.set_game(chooser=roll_off(b))
    else:
        await place_marker(b, game.chooser, rule)
    return AGAIN


async def place_marker(b: Battle40, player: int, rule: str) -> None:
    """A player places the next marker; then it is the next player's turn to place one."""
    (spot,) = await b.ask(
        Plot(
            player=player,
            kind="place_marker",
            prompt="Where does the next objective marker go?",
            most=1,
            last_turn=1,
            secret=False,
            rules=(rule,),
        )
    )
    markers = (*b.state.game.markers, (spot.x, spot.y, 0))
    b.set_game(markers=markers, control=(NOBODY,) * len(markers), chooser=player_after(b, player))
    b.tell("marker", f"{b.player(player).name} places objective {len(markers)}.", rule)


def solid_at(w: World40, x: int, y: int) -> Feature | None:
    """The solid feature that a point lies in, if any."""
    for f, feature in enumerate(w.table.features):
        if feature.solid and inside(float(x), float(y), w.terrain.outline[f], int(w.terrain.corners[f])):
            return feature
    return None


def placing_a_marker(may_lie: Callable[[Any, Plotted], Verdict], from_edge: Callable[[], int]) -> Question:
    """The question where a marker goes: one, on the table, and where the edition says that it may lie.

    `from_edge` tells how far its middle is from every edge at least.
    """

    def judge(w: World40, d: Plot, answer: tuple[Plotted, ...]) -> Verdict:
        if len(answer) != 1:
            return refuse("Place one objective marker.", *d.rules)
        (spot,) = answer
        if not (0 <= spot.x <= w.table.width and 0 <= spot.y <= w.table.depth):
            return refuse("A marker lies on the battlefield.", *d.rules)
        return may_lie(w, spot)

    def default(w: World40, d: Plot) -> tuple[Plotted, ...]:
        """The first place near the middle line that is free."""
        found = [(Plotted(x, y, 1),) for x, y in _places(w, max(from_edge(), ON_THE_TABLE))]
        return next((spot for spot in found if judge(w, d, spot)), found[0])

    def suggest(w: World40, d: Plot, rng: Random) -> Iterator[tuple[Plotted, ...]]:
        """Anywhere."""
        edge = from_edge()
        for _ in range(IDEAS):
            yield (Plotted(rng.randint(edge, w.table.width - edge), rng.randint(edge, w.table.depth - edge), 1),)

    return Question(judge=judge, default=default, suggest=suggest)


def _places(w: World40, edge: int) -> list[tuple[int, int]]:
    width, depth = w.table.width, w.table.depth
    xs = [edge + (width - 2 * edge) * i // 8 for i in range(9)]
    ys = [edge + (depth - 2 * edge) * i // 6 for i in range(7)]
    middle = sorted((abs(2 * y - depth), abs(2 * x - width) % (width // 2), x, y) for x in xs for y in ys)
    return [(x, y) for _, _, x, y in middle]
