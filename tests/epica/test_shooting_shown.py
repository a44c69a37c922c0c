"""What players see before they shoot: who is suppressed, the chance to break a target, and the line of a crossfire."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import act, asked, formation, named, row, shoot_at, situation, stand
from sandtable.battle import questions
from sandtable.systems.epica.state import EpicBattle


def shooting(friends: Any = (), **flags: Any) -> EpicBattle:
    """Reds about to shoot at Blues, 20 cm away."""
    reds = formation("Reds", "red", at=[(30, 30), (30, 27), (30, 24)], **flags)
    b = situation([reds, *friends, formation("Blues", "blue", at=row(2, 30, 50))])
    act(b, "Reds", "sustained")
    return b


BEHIND = (formation("Friends", "red", at=[(30, 70)]),)


def note(b: EpicBattle) -> str:
    (option,) = asked(b, "shoot-at").options  # type: ignore[attr-defined]
    return str(option.note)


def test_a_target_tells_who_is_suppressed() -> None:
    assert note(shooting(markers=1)) == "1 of 3 units suppressed"


def test_a_target_tells_of_a_crossfire() -> None:
    assert note(shooting(BEHIND)) == "crossfire"


def test_of_a_plain_target_there_is_nothing_to_tell() -> None:
    assert note(shooting()) == ""


def test_the_line_of_a_crossfire_is_drawn() -> None:
    b = shooting(BEHIND)
    line = {"from": stand(b, "Reds", 1), "to": stand(b, "Friends", 1), "text": "crossfire"}
    assert asked(b, "shoot-at").about["lines"] == [line]


def test_the_line_of_a_crossfire_is_drawn_while_weapons_are_aimed() -> None:
    b = shooting(BEHIND)
    shoot_at(b, "Blues")
    assert asked(b, "aim").about["lines"][0]["to"] == stand(b, "Friends", 1)


def test_without_a_crossfire_no_line_is_drawn() -> None:
    assert "lines" not in asked(shooting(), "shoot-at").about


def test_an_aim_names_its_target_and_who_is_suppressed() -> None:
    b = shooting(markers=1)
    shoot_at(b, "Blues")
    aim = asked(b, "aim")
    assert aim.about["targets"] == [named(b, "Blues").id]
    assert aim.about["suppressed"] == [stand(b, "Reds", 3)]
    assert aim.prompt == "Reds: aim at Blues (1 unit suppressed)"


def test_the_outlook_tells_the_chance_to_break_a_target() -> None:
    b = shooting()
    (found,) = questions.outlook(b, asked(b, "shoot-at"), named(b, "Blues").id)
    # Each of three shots costs a unit one time in three; one lost and two markers break the other.
    assert found.broken == pytest.approx(3 * 1 / 3 * (2 / 3) ** 2, abs=0.05)
