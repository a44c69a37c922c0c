"""Units in words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from odds.practice import PACK, PRACTICE
from sandtable.armies.lists import composition
from sandtable.errors import UserError
from sandtable.odds import find_force, panel_forces
from sandtable.odds.units import variants, without_leaders


@pytest.mark.parametrize(
    ("text", "name", "points"),
    [
        ("rifle squad", "5 Troopers", 50),
        ("10 troopers", "10 Troopers", 100),
        ("10 x Rifle Squad", "10 Troopers", 100),
        ("rifle-squad with plasma rifle", "5 Troopers with 1 plasma rifle", 55),
        ("10 rifle squad with plasma rifles", "10 Troopers with 2 plasma rifle", 110),
        ("10 rifle squad with 1 plasma rifle", "10 Troopers with 1 plasma rifle", 105),
        ("5 rifle squad with sidearm", "5 Troopers with 5 sidearm", 50),
        ("5 rifle squad with 2 sidearms and plasma rifle", "5 Troopers with 2 sidearm, 1 plasma rifle", 55),
        ("5 rifle squad led by captain", "5 Troopers, led by Captain", 110),
        ("5 rifle squad, led by a captain with lucky charm", "5 Troopers, led by Captain with Lucky Charm", 125),
        ("3 HULKS", "3 Hulks", 90),
        ("dummy", "Dummies", 10),
    ],
)
def test_a_unit_is_found_by_words(text: str, name: str, points: int) -> None:
    force = find_force(text, PRACTICE)
    assert (force.name, force.points) == (name, points)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("profile: 10 x T4 Sv3+ W2", "10 x T4 Sv3 W2"),
        ("profile: T10 Sv2+ W12 4++ 5+++ VEHICLE 200 points", "T10 Sv2 W12 4++ 5+++"),
        ("profile: 5 x A2 BS3+ S4 AP-1 D1 [lethal hits]", "5 x A2 BS3 S4 AP-1 D1"),
        ("profile: a3 ws2+ s8 ap-2 dD3+1", "A3 WS2 S8 AP-2 DD3+1"),
    ],
)
def test_a_unit_can_be_made_up_on_the_spot(text: str, name: str) -> None:
    assert find_force(text, PRACTICE).name == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A unit is named in 1 to 300 characters"),
        ("x" * 400, "A unit is named in 1 to 300 characters"),
        ("rifel squad", "Did you mean 'Rifle Squad'"),
        ("50 rifle squad", "it has 5 to 10 models, not 50"),
        ("0 rifle squad", "at least one model, not 0"),
        ("999999999999 hulks", "it has 1 to 3 models"),
        ("rifle squad with bazooka", "Rifle Squad has no 'bazooka'"),
        ("5 rifle squad with 3 plasma rifles", "at most 1 of its models may have plasma rifle, not 3"),
        ("hulks led by captain", "it can lead Rifle Squad, not Hulks"),
        ("no-such-list: Boyz", "There is no army list 'no-such-list'"),
        ("profile: T99", "That profile cannot be: T is 1 to 30, not 99"),
        ("profile: T4 W100000", "W is 1 to 100, not 100000"),
        ("profile: 100000 x T4", "A unit has 1 to 60 models, not 100000"),
        ("profile: T4 9++", "an invulnerable save is 2 to 6, not 9"),
        ("profile: A2 S4", "has no WS; wanted are A, WS, S, AP, D"),
        ("profile: A2 BS3 S4 AP0 D1 [laser eyes]", "there is no weapon ability 'laser eyes'"),
        ("profile: big", "'big' is nothing that a profile has"),
        ("profile: 5 x", "A profile has characteristics"),
        ("panel: nothing", "There is no unit called 'nothing'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        find_force(text, PRACTICE)
    assert sentence in str(error.value)


def test_a_name_that_fits_several_units_lists_them() -> None:
    from sandtable.odds import Setting

    with pytest.raises(UserError, match="can be 'Redemptor Dreadnought' or 'Ballistus Dreadnought'"):
        find_force("dreadnought", Setting())


def test_two_units_with_one_name_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    from sandtable.odds import Setting

    shutil.copytree(PACK, tmp_path / "pack")
    file = tmp_path / "pack/factions/blues.yaml"
    file.write_text(file.read_text().replace("name: Captain\n", "name: Dummies\n", 1))
    with pytest.raises(UserError, match=r"'dummies' can be 'Dummies' \(.+\) or 'Dummies' \(.+\)"):
        find_force("dummies", Setting(pack=str(tmp_path / "pack")))


def test_a_unit_of_a_list_brings_its_leader_and_wargear() -> None:
    force = find_force(f"{PACK}/lists/one.yaml: First Rifles", PRACTICE)
    assert force.name == "10 First Rifles, led by Captain"
    assert without_leaders(force).name == "10 First Rifles"
    with pytest.raises(UserError, match="List one has no unit 'Hulks'"):
        find_force(f"{PACK}/lists/one.yaml: Hulks", PRACTICE)


def test_the_panel_has_twelve_to_twenty_two_targets_that_all_differ() -> None:
    forces = panel_forces(PRACTICE)
    assert 12 <= len(forces) <= 22
    profiles = set()
    for force in forces:
        sheet = force.pack.sheet(force.army.units[0].sheet)
        assert sheet is not None
        assert sum(composition(sheet, force.army.units[0]).values()) == sheet.sizes[1]
        profiles.add((sheet.sizes[1], *sheet.models[0].stats.values(), sheet.models[0].invulnerable))
    assert len(profiles) == len(forces)


def test_variants_are_the_options_of_the_datasheet() -> None:
    named = [label for label, _ in variants(find_force("10 rifle squad", PRACTICE))]
    assert named == ["as it is", "2 plasma rifle", "10 sidearm"]
