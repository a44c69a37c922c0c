"""Datasheets, and the sample battles made of them."""

from __future__ import annotations

import pytest

from epica.table import MILITIA, TANK, TROOPS, a_sheet, formation, named, row, situation
from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice
from sandtable.errors import UserError
from sandtable.systems.epica.datasheet import is_legal_stand, read_firepower, weapon
from sandtable.systems.epica.library import LIBRARY, SheetDoc, find_sheet, read_sheet, read_weapon
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
def test_a_number_before_a_weapon_counts_it() -> None:
    assert read_weapon("2 x Missile Launcher 45cm AP5+/AT6+").count == 2
    assert read_weapon("Bolter (15cm) Small Arms").small_arms
    assert read_weapon("Choppas (b/c) Assault").firepower is None
    with pytest.raises(UserError, match="no weapon"):
        read_weapon("a bad line")
    with pytest.raises(UserError, match="no firepower"):
        weapon("Stick", 10, "XX5+")
    with pytest.raises(UserError, match="no datasheet"):
        find_sheet("Unicorn")


@rule("epica.unit.stand_size", check=(1, 2, 3, 4))
@pytest.mark.parametrize(
    ("length", "width", "legal"), [(0.5, 2.0, True), (0.5, 0.5, False), (4.1, 2.0, False), (4.0, 4.0, True)]
)
def test_the_size_of_a_stand(length: float, width: float, legal: bool) -> None:
    assert is_legal_stand(length, width) == legal
    if not legal:
        with pytest.raises(UserError, match="not legal"):
            read_sheet("Odd", SheetDoc("INF", 15, 5, 5, 5, base=(length, width)))


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
