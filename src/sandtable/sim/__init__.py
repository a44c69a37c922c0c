"""Many battles: played on several cores, counted, and told with what the figures can and cannot say."""

from sandtable.sim.game import Game, Outcome, UnitTale, play_game
from sandtable.sim.matchup import matchup, paired
from sandtable.sim.pool import run
from sandtable.sim.report import Matchup, Paired
from sandtable.sim.share import Share

__all__ = [
    "Game",
    "Matchup",
    "Outcome",
    "Paired",
    "Share",
    "UnitTale",
    "matchup",
    "paired",
    "play_game",
    "run",
]
