"""Who sits down at a battle is told what it is about and how one scores."""

from __future__ import annotations

import pytest

from sandtable.forty.briefing import in_words, task
from sandtable.kit.missions import Action, Score

ROUNDS = 5
WAYS = [
    (
        Score("hold", "Ground held", 2, from_round=2, most=8),
        "Ground held: 2 VP for each marker that you control, scored at the end of your Command phase, "
        "in rounds 2 to 5, at most 8 VP at a time.",
    ),
    (
        Score("hold more", "The upper hand", 4, "battle"),
        "The upper hand: 4 VP if you control more markers than the enemy, scored when the battle ends.",
    ),
    (
        Score("hold some", "A foothold", 2, "round", "no man's land", 2, grows=1, to_round=3),
        "A foothold: 2 VP if you control at least 2 markers in no man's land, scored at the end of each battle round, "
        "in rounds 1 to 3, 1 VP more with each round after the first of these.",
    ),
    (
        Score("destroy", "The limbs", 2, "turn"),
        "The limbs: 2 VP for each enemy unit that was destroyed since the last scoring, "
        "scored at the end of your turn.",
    ),
    (
        Score("destroy warlord", "The head", 12, "turn", most_in_battle=12),
        "The head: 12 VP once an enemy Warlord is destroyed, scored at the end of your turn, "
        "at most 12 VP in the battle.",
    ),
    (
        Score("break through", "Beyond", 3, "turn", from_round=5),
        "Beyond: 3 VP for each of your units wholly within the enemy deployment zone, "
        "scored at the end of your turn, in round 5.",
    ),
]


@pytest.mark.parametrize(("way", "told"), WAYS, ids=[way.kind for way, _ in WAYS])
def test_each_way_to_score_is_a_sentence(way: Score, told: str) -> None:
    assert in_words(way, way.most, ROUNDS) == told


def test_what_is_carried_off_is_told_of() -> None:
    told = in_words(Score("hold", "Supplies", 5, "turn", most=5, carries_off=True), 5, ROUNDS)
    assert told.endswith("at most 5 VP at a time, and the marker is taken off the battlefield.")


def test_an_action_that_scores_is_a_sentence() -> None:
    told = task(Action("Raise banners", near_objective=True, vp=3))
    assert told == "Raise banners: 3 VP for each unit within range of an objective that completes this action."


DEEDS = [
    (
        Action("Triangulate", at="objective", controls=True, where="not own home", tag="triangulated"),
        "Triangulate: an action of your Shooting phase at an objective in range away from your home, completed at the "
        "end of the turn, if the unit controls the objective then; what it was done to is triangulated.",
    ),
    (
        Action("Surveil", completes="at once", at="enemy", within=18, tag="surveilled"),
        'Surveil: an action of your Shooting phase at an enemy in sight within 18", completed at once; what it was '
        "done to is surveilled.",
    ),
    (
        Action("Vanguard Operation", at="area", where="enemy territory", alone=True),
        "Vanguard Operation: an action of your Shooting phase in a terrain area in enemy territory, completed at the "
        "end of the turn, if no enemy is in the area then.",
    ),
    (
        Action("Sensor Sweep", at="objective", controls=True, where="central", clears="one"),
        "Sensor Sweep: an action of your Shooting phase at an objective in range in the centre, completed at the end "
        "of the turn, if the unit controls the objective then; it takes one operation marker off.",
    ),
    (
        Action("Place Markers", starts="battle", at="area", where="not own zone", limit=5),
        "Place Markers: before the first turn you put 5 operation markers into terrain areas outside your own "
        "deployment zone.",
    ),
    (
        Action("Condemn", starts="turn begins", at="enemy", tag="condemned"),
        "Condemn: at the start of your turn you name enemies on objectives, or that destroyed somebody, condemned.",
    ),
    (
        Action("Consecrate", starts="turn ends", at="objective", where="not own home", tag="consecrated"),
        "Consecrate: at the end of your turn who has destroyed an enemy makes an objective in range away from your "
        "home consecrated.",
    ),
    (
        Action("Clear Markers", starts="moves", clears="here"),
        "Clear Markers: whoever ends a move in range of an objective takes the enemy's operation markers off it.",
    ),
]


@pytest.mark.parametrize(("action", "told"), DEEDS, ids=[action.name for action, _ in DEEDS])
def test_what_has_to_be_done_to_score_is_a_sentence(action: Action, told: str) -> None:
    assert task(action) == told
