"""The question what a unit fires at whom, with all that players may want to know about it."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Question
from sandtable.forty.declaring import default_shots, judge_shots, safe_profiles, suggest_shots, why_gun, why_target
from sandtable.forty.odds.chances import advise_shots, odds_of_shots, outlook_of_shots

SHOOT: Final = Question(
    judge_shots,
    suggest_shots,
    default_shots,
    settled=True,
    why_unit=why_target,
    why_row=why_gun,
    odds=odds_of_shots,
    advise=advise_shots,
    outlook=outlook_of_shots,
    safe_modes=safe_profiles,
)
