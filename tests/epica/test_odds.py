"""What shooting would do, before the dice are thrown: with modifiers, saves, suppression, crossfire and markers."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import TANK, TROOPS, act, area, asked, formation, named, row, shoot_at, situation, stay, versus
from sandtable.battle import questions
from sandtable.battle.system import Outlook
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.system import SYSTEM

RED, BLUE = [(30.0, 30.0)], [(30.0, 50.0)]
MACRO = {**TROOPS, "weapons": ["Big Gun 30cm MW4+"]}
MANY = {**TROOPS, "weapons": ["Gatling 30cm D3x AP5+"]}


def outlook(b: EpicBattle, name: str = "Blues") -> Outlook:
    """What shooting at a formation does to it."""
    (found,) = questions.outlook(b, asked(b, "shoot-at"), named(b, name).id)
    return found


def forecast(b: EpicBattle, name: str = "Reds", target: str = "Blues") -> list[str]:
    assert SYSTEM.forecast is not None
    return list(SYSTEM.forecast(b, named(b, name), named(b, target)))


@pytest.mark.parametrize(
    ("shooter", "target", "lost"),
    [
        (TROOPS, TROOPS, 1 / 2 * 2 / 3),  # AP5+ at +1, and a save of 5+
        (TROOPS, {**TROOPS, "armour": 0}, 1 / 2),
        (TROOPS, TANK, 1 / 3 * 1 / 2),  # AT6+ at +1, and a save of 4+
        (MACRO, TROOPS, 2 / 3),  # no save
        (MANY, TROOPS, 1 - (2 / 3 + (2 / 3) ** 2 + (2 / 3) ** 3) / 3),
    ],
    ids=["AP", "no save", "AT", "MW", "D3 shots"],
)
def test_a_shot_on_sustained_fire(shooter: Any, target: Any, lost: float) -> None:
    found = outlook(versus(RED, BLUE, sheet=shooter, target_sheet=target))
    assert (found.of, found.lost, found.destroyed) == (1, pytest.approx(lost), pytest.approx(lost))


def test_more_than_a_six_needs_a_second_roll() -> None:
    b = situation([formation("Reds", "red", at=RED), formation("Blues", "blue", TANK, [(30, 55)])])
    act(b, "Reds", "double")
    stay(b, "move", "move")
    assert outlook(b).lost == pytest.approx(1 / 6 * 1 / 2 * 1 / 2)  # 7+: a 6 and a 4+; then a save of 4+


def test_cover_makes_shots_harder_and_may_save() -> None:
    wood = versus(RED, BLUE, target_sheet={**TROOPS, "armour": 0}, terrain=[area("wood", 25, 45, 10, 10)])
    assert outlook(wood).lost == pytest.approx(1 / 3 * 2 / 3)


def test_blast_markers_keep_those_at_the_back_from_shooting() -> None:
    column = [(30.0, 30.0), (30.0, 27.0)]
    calm, shaken = outlook(versus(column, BLUE)), outlook(versus(column, BLUE, markers=1))
    assert calm.lost == pytest.approx(1 - (2 / 3) ** 2)
    assert shaken.lost == pytest.approx(1 / 3)


def test_a_broken_formation_loses_units_instead_of_getting_markers() -> None:
    found = outlook(versus(RED, row(4, 30, 50), broken=True))
    assert found.lost == pytest.approx(2 / 3 * 1 + 1 / 3 * 3)  # one for coming under fire; with a loss, two more


def crossed(**flags: Any) -> EpicBattle:
    """Reds and their friends on both sides of Blues."""
    b = situation(
        [
            formation("Reds", "red", at=RED),
            formation("Friends", "red", at=[(30, 70)], **flags),
            formation("Blues", "blue", at=BLUE),
        ]
    )
    act(b, "Reds", "sustained")
    return b


def test_a_crossfire_spoils_saves() -> None:
    assert outlook(crossed()).lost == pytest.approx(1 / 2 * 5 / 6)
    assert outlook(crossed(broken=True)).lost == pytest.approx(1 / 2 * 2 / 3)


def test_an_aim_is_weighed_with_those_who_are_not_suppressed() -> None:
    b = versus([(30.0, 30.0), (30.0, 27.0)], BLUE, markers=1)
    shoot_at(b, "Blues")
    aim = asked(b, "aim")
    (found,) = questions.outlook(b, aim, b.default(aim))
    assert (found.target, found.lost) == (named(b, "Blues").id, pytest.approx(1 / 3))
    assert questions.odds(b, aim, b.default(aim)) == pytest.approx(1 / 3)


def test_no_shot_does_nothing() -> None:
    b = versus(RED, BLUE)
    shoot_at(b, "Blues")
    assert questions.outlook(b, asked(b, "aim"), ()) == []
    assert questions.odds(b, asked(b, "aim"), ()) == 0


def test_nobody_picked_is_nobody_hurt() -> None:
    b = versus(RED, BLUE)
    assert questions.outlook(b, asked(b, "shoot-at"), None) == []


# --- In sentences ----------------------------------------------------------------------------------------------------


def facing(**flags: Any) -> EpicBattle:
    """Two stands a side, 20 cm apart."""
    reds, blues = formation("Reds", "red", at=row(2, 30, 30), **flags), formation("Blues", "blue", at=row(2, 30, 50))
    return situation([reds, blues])


def test_who_has_not_acted_hears_of_an_advance_and_of_sustained_fire() -> None:
    assert forecast(facing())[:2] == [
        "Shooting from here on an advance with 2 x Heavy Gun: 0.4 of 2 units on average, 35 % to break it, "
        "5 % to destroy it.",
        "Shooting from here on sustained fire with 2 x Heavy Gun: 0.7 of 2 units on average, 44 % to break it, "
        "11 % to destroy it.",
    ]


def test_the_forecast_tells_who_is_suppressed() -> None:
    assert "with 1 x Heavy Gun (1 unit suppressed): " in forecast(facing(markers=1))[0]


def test_the_forecast_tells_of_a_crossfire() -> None:
    assert forecast(crossed())[-1] == "Blues would be caught in a crossfire."


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"broken": True}, "Reds is broken and has to rally first."),
        ({"markers": 2}, "Blast markers keep every unit of Reds from shooting at Blues."),
    ],
    ids=["broken", "suppressed"],
)
def test_who_cannot_shoot_is_told_why(flags: dict[str, Any], said: str) -> None:
    assert forecast(facing(**flags))[0] == said
