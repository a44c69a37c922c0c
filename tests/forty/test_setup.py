"""The frame of a set-up and of scenario files, for an edition that has not everything that another has."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable import systems
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, set_up_scenario
from sandtable.battle.tables import TableDoc
from sandtable.errors import UserError

SHEET: dict[str, Any] = {
    "name": "Guard", "move": 6, "weapon_skill": 4, "ballistic_skill": 4, "strength": 3, "toughness": 3, "wounds": 1,
    "attacks": 1, "leadership": 6, "save": 5, "base": "25mm", "height": 1.2, "keywords": ["INFANTRY"],
    "weapons": [{"name": "lasgun", "range": 24, "type": "rapid fire", "attacks": "1", "strength": "3", "damage": "1"}],
}  # fmt: skip


def scenario(*units: UnitDoc, **extra: Any) -> Scenario:
    return Scenario(
        scenario="A test",
        system="w40k8",
        question="Can it be set up?",
        table=TableDoc((44, 30)),
        units=units,
        at=AtDoc("shoot_units", 1, "red"),
        extra=extra,
    )


def squad(name: str = "Guards", **fields: Any) -> UnitDoc:
    return UnitDoc(name, "red", SHEET, positions=((10, 10), (11.5, 10)), **fields)


def test_a_unit_stands_where_the_file_says_with_what_it_carries() -> None:
    b = set_up_scenario(scenario(squad(wounds={2: 0}, loadout=[{"models": [1], "weapons": []}])), systems.get("w40k8"))
    assert [len(kit.weapons) for kit in b.setup.data.kits] == [0, 1]
    assert len(b.on_table(b.unit(0))) == 1
    assert b.state.game.phase == "shooting"


def test_passengers_name_the_unit_that_they_are_in() -> None:
    bus = UnitDoc("Bus", "red", {**SHEET, "transport": {"capacity": 2, "carries": ["INFANTRY"]}}, positions=((20, 20),))
    b = set_up_scenario(scenario(squad(flags={"embarked": "Bus"}), bus), systems.get("w40k8"))
    assert b.unit(0).embarked == 1
    assert not b.is_on_table(b.unit(0))
    with pytest.raises(UserError, match="no unit 'Tram' to be embarked in"):
        set_up_scenario(scenario(squad(flags={"embarked": "Tram"})), systems.get("w40k8"))


@pytest.mark.parametrize(
    ("units", "extra", "words"),
    [
        ([squad(), squad("Boss", flags={"leads": "Guards"})], {}, "knows no Leaders"),
        ([squad()], {"lists": {"red": "some-list"}}, "no army list 'some-list'"),
        ([squad()], {"mission": "some-mission"}, "no mission 'some-mission'"),
        ([squad(flags={"battle_shocked": True})], {}, "there is no 'battle_shocked'"),
        ([squad(loadout=[{"models": [3]}])], {}, "models are numbered 1 to 2, there is no 3"),
    ],
)
def test_what_an_edition_does_not_have_is_refused(units: list[UnitDoc], extra: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        set_up_scenario(scenario(*units, **extra), systems.get("w40k8"))


@pytest.mark.parametrize(("system", "stranger"), [("w40k8", "orks-1000-horde"), ("w40k10", "orks-40-green-tide")])
def test_an_army_list_of_another_edition_is_refused_in_a_sentence(system: str, stranger: str) -> None:
    with pytest.raises(UserError, match=f"red .*: The list is for w40k.*, and this is a battle of {system}"):
        sandtable.new(system, armies={"red": stranger, "blue": stranger}, seed=1)
