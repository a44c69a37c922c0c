"""Only War: what this mission adds to the general steps - the players place the objective markers."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Plot, Plotted, Step, Verdict, refuse
from sandtable.forty.mission import mission_of
from sandtable.forty.placing_markers import placing_a_marker, solid_at
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.state import Battle10, World10


@rule("w40k10.onlywar.markers", "w40k10.mission.battlefield")
async def place_markers(b: Battle10) -> Step:
    """3. In turn, the winner of a roll-off first, the players place objective markers."""
    mission, game = mission_of(b), b.state.game
    if mission is None or len(game.markers) >= mission.placed:
        return DONE
    if game.chooser < 0:
        b.set_game(chooser=roll_off(b))
        return AGAIN
    player = game.chooser
    answer = await b.ask(
        Plot(
            player=player,
            kind="place_marker",
            prompt="Where does the next objective marker go?",
            most=1,
            last_turn=1,
            secret=False,
            rules=("w40k10.onlywar.markers",),
        )
    )
    (spot,) = answer
    markers = (*b.state.game.markers, (spot.x, spot.y, 0))
    following = (player + 1) % len(b.state.players)
    b.set_game(markers=markers, control=(-1,) * len(markers), chooser=following)
    b.tell("marker", f"{b.player(player).name} places objective {len(markers)}.", "w40k10.onlywar.markers")
    return AGAIN


@rule("w40k10.onlywar.markers", neutral=ALLOWED)
def judge_marker(w: World10, d: Plot, answer: tuple[Plotted, ...]) -> Verdict:
    """A marker lies more than 6" from every edge and more than 9" from every other marker."""
    if len(answer) != 1:
        return refuse("Place one objective marker.", "w40k10.onlywar.markers")
    (spot,) = answer
    x, y, radius = spot.x, spot.y, MARKER.radius
    width, depth = w.table.width, w.table.depth
    if min(x, y, width - x, depth - y) - radius <= BOOK.marker_from_edge:
        return refuse('A marker lies more than 6" from every edge of the battlefield.', "w40k10.onlywar.markers")
    for number, (ox, oy, _) in enumerate(w.state.game.markers, 1):
        if (x - ox) ** 2 + (y - oy) ** 2 <= (BOOK.markers_apart + 2 * radius) ** 2:
            return refuse(f'A marker lies more than 9" from objective {number}.', "w40k10.onlywar.markers")
    return check_open(w, x, y)


def check_open(w: World10, x: int, y: int) -> Verdict:
    """A marker lies on the ground, not inside a solid feature."""
    feature = solid_at(w, x, y)
    if feature is None:
        return ALLOWED
    return refuse(f"A marker cannot lie inside {feature.name or feature.id}.", "w40k10.mission.battlefield")


def from_edge() -> int:
    """How far the middle of a marker is from every edge at least."""
    return BOOK.marker_from_edge + MARKER.radius + 1


QUESTIONS: Final[dict[str, Any]] = {"place_marker": placing_a_marker(judge_marker, from_edge)}
