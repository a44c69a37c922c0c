"""The audit knows a blunder when it sees one, and lets good answers pass."""

from __future__ import annotations

from typing import Any

from sandtable.battle import Moves, answers
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import BLADE, TROOPER, asked, feature, give, named, row, situation, unit

KNIFE = {**BLADE, "name": "knife", "attacks": "1", "skill": 6, "strength": 1}
CLAWS = {**BLADE, "name": "claws", "attacks": "6", "strength": 8, "ap": -3, "damage": "2"}
WEAK: dict[str, Any] = {**TROOPER, "name": "Weakling", "wounds": 1, "save": 6, "weapons": [KNIFE]}
STRONG: dict[str, Any] = {**TROOPER, "name": "Fiend", "wounds": 6, "weapons": [CLAWS]}


def audit(b: Battle10, kind: str, answer: Any) -> str:
    """The blunder that an answer would be."""
    tactics = b.system.tactics
    assert tactics is not None
    decision = asked(b, kind)
    return tactics.blunder(b.view(decision.player), decision, answer)


def in_words(b: Battle10, kind: str, raw: Any) -> Any:
    return answers.read(b, asked(b, kind), raw)


# --- Shooting ---------------------------------------------------------------------------------------------------------


def _shooters() -> Battle10:
    return situation(
        [unit("Reds", "red", TROOPER, row(4, (10, 15))), unit("Blues", "blue", TROOPER, row(4, (24, 15)))],
        step="shoot_units",
    )


def test_to_end_the_shooting_while_somebody_could_shoot_is_an_idle_shooter() -> None:
    b = _shooters()
    assert audit(b, "shoot_with", None) == "idle shooter"
    assert audit(b, "shoot_with", named(b, "Reds").id) == ""


def test_guns_that_are_not_fired_are_idle() -> None:
    b = _shooters()
    give(b, "shoot_with", "Reds")
    assert audit(b, "shoot", ()) == "idle shooter"
    assert audit(b, "shoot", in_words(b, "shoot", [{"weapon": "rifle", "target": "Blues"}])) == ""


# --- Charges ----------------------------------------------------------------------------------------------------------


def _chargers(reds: dict[str, Any], blues: dict[str, Any], far: float) -> Battle10:
    return situation(
        [
            unit("Reds", "red", reds, row(5, (10, 10), (0, 1.5)), near=True),
            unit("Blues", "blue", blues, row(5, (11 + far, 10), (0, 1.5))),
        ],
        step="charge_units",
    )


def test_a_charge_that_needs_eleven_is_hopeless() -> None:
    far, near = _chargers(STRONG, WEAK, 11.5), _chargers(STRONG, WEAK, 7)
    assert audit(far, "charge_with", named(far, "Reds").id) == "hopeless charge"
    assert audit(near, "charge_with", named(near, "Reds").id) == ""


def test_a_charge_that_hurts_only_oneself_is_hopeless() -> None:
    b = _chargers(WEAK, STRONG, 4)
    assert audit(b, "charge_with", named(b, "Reds").id) == "hopeless charge"


# --- Movement ---------------------------------------------------------------------------------------------------------


def _near_a_marker() -> Battle10:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (20, 4))), unit("Blues", "blue", TROOPER, row(3, (40, 28)))],
        objectives=[(20, 12)],
    )
    give(b, "move_with", "Reds")
    return b


def test_to_stay_beside_a_marker_that_is_free_for_the_taking_is_a_blunder() -> None:
    b = _near_a_marker()
    assert audit(b, "move", Moves("stationary")) == "free marker left"
    assert audit(b, "move", in_words(b, "move", {"mode": "normal", "by": [0, 5]})) == ""


def test_a_marker_with_an_enemy_near_it_is_not_free() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (20, 4))), unit("Blues", "blue", TROOPER, row(3, (20, 18)))],
        objectives=[(20, 12)],
    )
    give(b, "move_with", "Reds")
    assert audit(b, "move", Moves("stationary")) == ""


def test_a_marker_that_a_friend_can_still_take_is_left_to_the_friend() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (20, 4))),
            unit("Crimsons", "red", TROOPER, row(3, (26, 8))),
            unit("Blues", "blue", TROOPER, row(3, (40, 28))),
        ],
        objectives=[(20, 12)],
    )
    give(b, "move_with", "Reds")
    assert audit(b, "move", Moves("stationary")) == ""


def test_to_step_out_of_the_woods_into_fire_and_gain_nothing_is_a_blunder() -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "weapons": [BLADE]}, row(3, (7, 14))),
            unit("Blues", "blue", TROOPER, row(5, (26, 12), (0, 1.5))),
        ],
        [feature("woods", (5, 12, 6, 5), 4)],
    )
    give(b, "move_with", "Reds")
    assert audit(b, "move", in_words(b, "move", {"mode": "normal", "by": [0, -5]})) == "out of cover for nothing"
    assert audit(b, "move", in_words(b, "move", {"mode": "normal", "by": [0.5, 0]})) == ""


def test_to_step_out_of_the_woods_for_a_target_is_none() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (7, 14))), unit("Blues", "blue", TROOPER, row(5, (26, 12), (0, 1.5)))],
        [feature("woods", (5, 12, 6, 5), 4)],
    )
    give(b, "move_with", "Reds")
    assert audit(b, "move", in_words(b, "move", {"mode": "normal", "by": [0, -5]})) == ""
