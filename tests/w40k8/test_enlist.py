"""From the pack of 8th edition to its own datasheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.armies import open_pack, read_list
from sandtable.armies.lists import unit_power
from sandtable.battle import World
from sandtable.battle.tables import TableDoc, build_table
from sandtable.forty.effects.enforced import left_out
from sandtable.forty.enlist import WARLORD, Army, army_of, enlist
from sandtable.forty.fighters import Row, Sheet
from sandtable.forty.psykers import Psyker
from sandtable.systems.w40k8.datasheet import check_sheet
from sandtable.systems.w40k8.enlist import LISTS, assemble, to_sheet
from sandtable.systems.w40k8.system import SYSTEM

READY = open_pack("w40k8").lists


def sheet_of(id_: str, kind: str = "") -> Sheet:
    pack = open_pack("w40k8")
    sheet = pack.sheet(id_)
    assert sheet is not None
    return to_sheet(pack, sheet, sheet.kind(kind) or sheet.models[0], {})


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_every_ready_list_becomes_units_with_sheets_that_can_be_played(path: Path) -> None:
    army = army_of(path)
    units, entries = enlist(LISTS, army, 0, 0)
    assert [entry.points for entry in entries] == [unit_power(army.pack, unit) for unit in army.list.units]
    for unit, entry in zip(units, entries, strict=True):
        for model in unit.models:
            check_sheet(model.sheet)
            assert model.sheet.power == entry.points
            assert {weapon.item for weapon in model.sheet.weapons}.issuperset(model.weapons or ())
    assert sum(WARLORD in model.sheet.keywords for unit in units for model in unit.models) == 1


def test_every_datasheet_of_the_pack_can_be_played() -> None:
    for sheet in open_pack("w40k8").sheets():
        for kind in sheet.models:
            check_sheet(sheet_of(sheet.id, kind.name))


def test_charts_types_and_strengths_are_read_as_they_are_printed() -> None:
    rhino = sheet_of("chaos-rhino")
    assert rhino.chart == (
        Row(5, move=6, ballistic_skill=4, attacks="D3"),
        Row(2, move=3, ballistic_skill=5, attacks=1),
    )
    assert rhino.transport is not None
    lord = sheet_of("lord-of-contagion")
    (reaper,) = lord.weapons
    assert (reaper.type, reaper.attacks, reaper.strength, reaper.ap, reaper.damage) == ("melee", "", "+2", -3, "3")
    gun = next(weapon for weapon in sheet_of("plague-marines").weapons if weapon.name == "boltgun")
    assert (gun.type, gun.attacks, gun.range, gun.strength, gun.ap) == ("rapid fire", "1", 24, "4", 0)


def test_a_psyker_knows_what_its_datasheet_says() -> None:
    caster = sheet_of("malignant-plaguecaster").psyker
    assert caster is not None
    assert caster == Psyker(2, 1, ("smite",), 2, caster.described)
    assert [(p.name, p.charge) for p in caster.described][:2] == [("plague wind", 5), ("miasma of pestilence", 6)]
    assert sheet_of("lord-of-contagion").psyker is None


def test_two_lists_stand_beside_a_table() -> None:
    pack = open_pack("w40k8")
    armies = {name: Army(read_list(path), pack) for name, path in zip(("red", "blue"), READY, strict=False)}
    setup, state = assemble(armies, build_table(TableDoc((48, 48)), "in"), {})
    assert len(state.units) == sum(len(army.list.units) for army in armies.values())
    assert {ability.player for ability in setup.data.abilities} == {0, 1}


def test_a_battle_tells_what_the_players_apply_themselves() -> None:
    pack = open_pack("w40k8")
    by_name = {path.stem: path for path in READY}
    names = {"red": "death-guard-40-vanguard", "blue": "necrons-40-phalanx"}
    armies = {player: Army(read_list(by_name[name]), pack) for player, name in names.items()}
    setup, state = assemble(armies, build_table(TableDoc((48, 48)), "in"), {})
    told = {(entry.name, entry.what) for entry in left_out(World(SYSTEM, setup, state))}
    assert "Curse of the Walking Pox" in {name for name, _ in told}
    assert {"Hardwired Hatred", "plaguereaper", "Living Metal"}.isdisjoint(name for name, _ in told)
    assert {"Disgustingly resilient", "Teleport strike"}.isdisjoint(name for name, _ in told)
