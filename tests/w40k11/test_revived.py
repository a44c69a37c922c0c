"""Revived models: how many come back, with how many wounds, and where."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.forty.effects.returning import return_bearer
from sandtable.systems.w40k11.setting_up import REVIVED, room_in
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import BYSTANDERS, character, column, hurt, target
from w40k11.table import asked, cites, default, feature, give, judge, kinds, named, refused_by, situation, unit

rule = pytest.mark.rule


def rising(
    count: int, gone: list[int], amount: int = 3, *units: Any, keywords: Any = ("INFANTRY",), **more: Any
) -> Battle11:
    """Some of the Reds are destroyed, and an ability brings models back."""
    back = {"kind": "return_models", "amount": amount, "at": "shooting"}
    places = [(10 + 1.5 * (i // 5), 8 + 1.5 * (i % 5)) for i in range(count)]
    doc = target(name="Red", wounds=3, keywords=list(keywords))
    reds = unit("Reds", "red", doc, [*places], wounds=dict.fromkeys(gone, 0))
    power = {"name": "Rise", "unit": "Reds", "effects": [back]}
    return situation([reds, BYSTANDERS, *units], step="shooting_phase", abilities=[power], **more)


@rule("w40k11.appendix.revived", check=1)
def test_a_unit_of_ten_with_nine_left_gets_back_one_model() -> None:
    b = rising(10, [10])
    asked_for = len(asked(b, "return_models").models)  # type: ignore[attr-defined]
    before = room_in(b, named(b, "Reds"))
    default(b, "return_models")
    assert (asked_for, before, len(b.on_table(named(b, "Reds"))), room_in(b, named(b, "Reds"))) == (1, 1, 10, 0)


@rule("w40k11.appendix.revived", check=2)
def test_a_returned_model_has_all_its_wounds() -> None:
    b = rising(2, [2])
    default(b, "return_models")
    assert hurt(b, "Reds") == [3, 3]


@rule("w40k11.appendix.revived", check=3)
def test_nobody_comes_back_engaged_with_an_enemy_that_the_unit_is_not_engaged_with() -> None:
    foes = unit("Foes", "blue", target(name="Foe"), [(10, 4)])
    b = rising(2, [2], 1, foes)
    refused_by(b, "return_models", [[10, 6.9]], "w40k11.appendix.revived")
    assert judge(b, "return_models", [[11.5, 8]]).ok


@rule("w40k11.appendix.revived", check=3)
def test_who_is_engaged_already_is_no_hindrance() -> None:
    foes = unit("Foes", "blue", target(name="Foe"), [(10, 5.5)])
    b = rising(2, [2], 1, foes)
    assert judge(b, "return_models", [[11.5, 7]]).ok


@rule("w40k11.appendix.revived", check=3)
@pytest.mark.parametrize(("keyword", "cited"), [("INFANTRY", set()), ("MOUNTED", {"w40k11.terrain.elevated"})])
def test_nobody_comes_back_where_it_could_not_stand(keyword: str, cited: set[str]) -> None:
    hill = feature("hill", (12, 4, 8, 8), 3, solid=True)
    b = rising(2, [2], 1, terrain=[hill], keywords=[keyword])
    assert cites(judge(b, "return_models", [[13, 8, 3]])) == cited


@rule("w40k11.appendix.revived", check=4)
def test_nobody_comes_back_beside_another_who_does_alone() -> None:
    b = rising(3, [2, 3], 2)
    refused_by(b, "return_models", [[12.5, 8], [15.1, 8]], "w40k11.appendix.revived")
    assert judge(b, "return_models", [[12.5, 8], [10, 11]]).ok


@rule("w40k11.appendix.revived", check=4)
def test_both_may_come_back_beside_who_was_there() -> None:
    b = rising(3, [2, 3], 2)
    give(b, "return_models", [[13, 8], [10, 11]])
    assert (hurt(b, "Reds"), [e.value for e in b.effects(REVIVED, named(b, "Reds").id)]) == ([3, 3, 3], [1, 2])


@rule("w40k11.appendix.revived", check=4)
@pytest.mark.parametrize(("fresh", "allowed"), [(True, False), (False, True)])
def test_nobody_comes_back_beside_who_came_back_before_in_the_phase(fresh: bool, allowed: bool) -> None:
    b = rising(3, [3], 1)
    value = named(b, "Reds").models[1] if fresh else -1
    b.add_effect(Effect(REVIVED, named(b, "Reds").id, value, until="phase"))
    assert judge(b, "return_models", [[10, 12.4]]).ok is allowed


@rule("w40k11.appendix.revived", check=5)
def test_a_lone_model_comes_back_where_nobody_is_left() -> None:
    lone = unit("Lone", "blue", target(wounds=3), [(21, 14)], wounds={1: 0})
    b = situation([lone, BYSTANDERS, unit("Reds", "red", target(), [(3, 3)])])
    return_bearer(b, named(b, "Lone"), named(b, "Lone").models[0], "full", "Rise")
    assert hurt(b, "Lone") == [3]


@rule("w40k11.appendix.revived", check=5)
def test_a_revived_leader_rejoins_its_attached_unit() -> None:
    guard = unit("Guard", "blue", target(), column(2, 21, 14))
    chief = unit("Chief", "blue", character(wounds=3), [(23, 14)], leads="Guard", wounds={1: 0})
    b = situation([guard, chief, unit("Reds", "red", target(), [(3, 3)])])
    before = len(b.on_table(named(b, "Guard")))
    return_bearer(b, named(b, "Guard"), named(b, "Guard").models[2], "full", "Rise")
    assert (before, hurt(b, "Guard"), len(b.on_table(named(b, "Guard"))), kinds(b)) == (2, [1, 1, 3], 3, ["move_with"])
