"""Victory points: when they are scored, and how many."""

from __future__ import annotations

from typing import Final

from sandtable.battle import DONE, Step
from sandtable.forty.markers import settle
from sandtable.forty.mission import enemy_zone, mission_of
from sandtable.forty.scoring import Scoring, held, score
from sandtable.kit.missions import Score
from sandtable.rules import rule
from sandtable.systems.w40k10.setting_up import wholly_within
from sandtable.systems.w40k10.state import Battle10, Unit, World10


async def score_command(b: Battle10) -> Step:
    """The Command phase has ended: the active player scores."""
    score(b, "command")
    return DONE


async def score_turn(b: Battle10) -> Step:
    """The turn ends: control is settled once more, and the active player scores."""
    if mission_of(b) is not None:
        settle(b)
        score(b, "turn")
    return DONE


@rule("w40k10.onlywar.capture_and_control", neutral=99)
def most_at_once(way: Score) -> int:
    """How many VP can be scored at one time."""
    return way.most


@rule("w40k10.onlywar.capture_and_control", neutral=0)
def control_counts(w: World10, player: int, way: Score) -> int:
    """Each marker under a player's control counts."""
    return len(held(w, player, way))


def has_broken_through(w: World10, unit: Unit) -> bool:
    """Whether a unit stands wholly within the enemy deployment zone."""
    zone = enemy_zone(w, unit.player)
    models = w.on_table(unit)
    return len(models) > 0 and all(wholly_within(w, w.bodies, int(m), zone) for m in models)


SCORING: Final = Scoring(
    held=control_counts,
    most=most_at_once,
    broken_through=has_broken_through,
    rule="w40k10.mission.muster",
    holding="w40k10.onlywar.capture_and_control",
)
