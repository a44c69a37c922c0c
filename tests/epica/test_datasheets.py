"""Datasheets, and the sample battles made of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from epica.table import MILITIA, TANK, TROOPS, a_sheet, formation, named, row, situation
from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc
from sandtable.battle.tables import TableDoc
from sandtable.errors import UserError
from sandtable.systems.epica.datasheet import Weapon, is_legal_stand, read_firepower, weapon
from sandtable.systems.epica.library import LIBRARY, MAX_LINE, SheetDoc, find_sheet, read_sheet, read_weapon
from sandtable.systems.epica.system import SYSTEM, describe

rule = pytest.mark.rule


@rule("epica.datasheet.fields", check=(1, 2))
def test_a_datasheet_holds_the_unit_and_its_weapons() -> None:
    found = LIBRARY["Devastator"]
    assert (found.type, found.speed, found.armour, found.cc, found.ff) == ("INF", 15, 4, 5, 3)
    launcher = found.weapons[0]
    assert (launcher.name, launcher.count, launcher.range) == ("Missile Launcher", 2, 45)
    assert launcher.firepower == read_firepower("AP5+/AT6+")
    assert a_sheet(MILITIA).armour == 0
    gun = a_sheet(TROOPS).weapons[1]
    assert (gun.name, gun.count, gun.range, gun.firepower) == ("Heavy Gun", 1, 30, read_firepower("AP5+/AT6+"))


@rule("epica.weapon.count", check=1)
@rule("epica.datasheet.fields", check=2)
def test_a_line_gives_number_name_range_and_firepower_of_a_weapon() -> None:
    assert read_weapon("2 x Missile Launcher 45cm AP5+/AT6+") == weapon("Missile Launcher", 45, "AP5+/AT6+", 2)
    assert read_weapon("Bolter (15cm) Small Arms") == Weapon("Bolter", 1, 15, None, small_arms=True)
    assert read_weapon("Choppas (b/c) Assault") == Weapon("Choppas", 1, 0, None)
    with pytest.raises(UserError, match="no weapon"):
        read_weapon("a bad line")


@rule("epica.datasheet.fields", check=2)
def test_a_line_of_a_datasheet_is_no_longer_than_anybody_prints() -> None:
    line = "Gun 30cm AP5+"
    assert read_weapon("x" * (MAX_LINE - len(line)) + line).range == 30
    with pytest.raises(UserError, match="no weapon"):
        read_weapon("x" * (MAX_LINE + 1 - len(line)) + line)


def test_a_datasheet_that_nobody_has_written_is_not_found() -> None:
    with pytest.raises(UserError, match="no datasheet"):
        find_sheet("Unicorn")


@rule("epica.unit.stand_size", check=(1, 4))
@pytest.mark.parametrize(("length", "width"), [(0.5, 2.0), (4.0, 4.0), (2.0, 0.5)])
def test_a_stand_of_a_legal_size_is_taken(length: float, width: float) -> None:
    assert is_legal_stand(length, width)
    assert read_sheet("Odd", SheetDoc("INF", 15, 5, 5, 5, base=(length, width))).base == (length, width)


@rule("epica.unit.stand_size", check=(2, 3))
@pytest.mark.parametrize(("length", "width"), [(0.5, 0.5), (1.9, 1.9), (4.1, 2.0), (2.0, 4.1), (0.4, 2.0)])
def test_a_stand_of_another_size_is_refused(length: float, width: float) -> None:
    assert not is_legal_stand(length, width)
    with pytest.raises(UserError, match="not legal"):
        read_sheet("Odd", SheetDoc("INF", 15, 5, 5, 5, base=(length, width)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"speed": 201}, "speed is 0 to 200, not 201"),
        ({"armour": 8}, "armour is 0 to 7, not 8"),
        ({"height": 0.0}, "height is 0.1 to 20, not 0.0"),
        ({"base": [2.0, 2.0, 2.0]}, "the number of sizes of its base is 1 to 2, not 3"),
        ({"weapons": ["21 x Gun 30cm AP5+"]}, "the number of Gun is 1 to 20, not 21"),
        ({"weapons": ["Gun 501cm AP5+"]}, "the range of Gun is 0 to 500, not 501"),
        ({"weapons": ["Gun 30cm 21x AP5+"]}, "the dice of Gun is 1 to 20, not 21"),
        ({"weapons": ["Gun 30cm AP9+"]}, "the worst value of Gun is 0 to 7, not 9"),
        ({"weapons": ["Gun 30cm AP5+"] * 21}, "the number of its weapons is 0 to 20, not 21"),
        ({"weapons": ["x " * 500_000]}, "is no weapon"),
        ({"spead": 3}, "unknown field `spead`; its fields are type, speed, armour, cc, ff,"),
    ],
)
def test_a_datasheet_that_nobody_prints_is_refused(change: dict[str, Any], sentence: str) -> None:
    began = time.process_time()
    with pytest.raises(UserError, match=sentence):
        situation([formation("Reds", "red", {**TROOPS, **change}, [(10, 10)])])
    assert time.process_time() - began < 8, "it hangs"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"at": AtDoc("actions", active="green")}, "at.active: no player 'green'; players are red, blue"),
        ({"options": {"magic": "on"}}, "has no option 'magic'; it has: premeasuring, windows"),
        ({"extra": {"turns": 10**6}}, "extra, turns: Expected `int` <= 20"),
        ({"extra": {"turn": 2}}, "extra: Object contains unknown field `turn`; its fields are turns"),
        ({"state": {"green": {}}}, "'green' is neither a player nor 'game'"),
        ({"state": {"game": {"to_act": 1000}}}, "state.game.to_act: there is no player 1000"),
        ({"units": (UnitDoc("Reds", "red", TROOPS, off=True),)}, "Reds: a formation has stands"),
    ],
)
def test_a_scenario_that_cannot_be_set_up_is_refused(change: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    reds = UnitDoc("Reds", "red", TROOPS, positions=((10, 10),))
    doc = Scenario("x", "epica", "?", TableDoc((100, 100)), (reds,), AtDoc("actions"))
    file = tmp_path / "s.yaml"
    file.write_bytes(msgspec.yaml.encode(msgspec.structs.replace(doc, **change)))
    with pytest.raises(UserError, match=sentence):
        sandtable.scenario(file)


def test_a_stand_and_a_vehicle_are_one_unit_each() -> None:
    b = situation([formation("Reds", "red", TROOPS, row(3, 10, 10)), formation("Tank", "blue", TANK, [(50, 50)])])
    assert len(named(b, "Reds").models) == 3
    assert len(named(b, "Tank").models) == 1


def test_a_sample_is_the_same_for_the_same_seed_and_plays_on_any() -> None:
    assert SYSTEM.sample is not None
    first, second = SYSTEM.sample(7, {}), SYSTEM.sample(7, {})
    assert first[0] == second[0]
    assert (first[1].models.pos == second[1].models.pos).all()
    setup, state = SYSTEM.sample(8, {})
    assert setup != first[0]
    battle = Battle(SYSTEM, setup, state, dice=KeyedDice(1)).start()
    assert "units" in describe(battle, battle.unit(0))
    assert 18 <= sum(len(u.models) for u in state.units if u.player == 0) <= 40
