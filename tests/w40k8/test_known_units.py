"""What the example of the book tells of its units and weapons."""

from __future__ import annotations

import pytest

from sandtable.systems.w40k8.known_sheets import SHEETS
from support.acting import offered
from w40k8.table import alive, bare, gun, rolls, sheet, shootout, situation, unit

rule = pytest.mark.rule


@rule("w40k8.units.plague_marines", check=1)
def test_plague_marines_move_5_and_hit_on_3() -> None:
    found = [SHEETS.marine.get(name) for name in ("move", "weapon_skill", "ballistic_skill")]
    assert found == [5, 3, 3]


@rule("w40k8.units.plague_marines", check=2)
def test_the_champion_has_two_attacks_and_leadership_8() -> None:
    assert (SHEETS.champion["attacks"], SHEETS.champion["leadership"]) == (2, 8)


@rule("w40k8.units.plague_marines", check=3)
def test_one_point_of_damage_slays_a_plague_marine() -> None:
    dice = {"hit": [6], "wound": [6], "save": [1]}
    b = shootout(gun(), SHEETS.marine, targets=2, dice=dice, options={"disgustingly-resilient": "off"})
    assert alive(b, "Blues") == 1


@rule("w40k8.units.intercessors", check=1)
def test_intercessors_have_toughness_4_two_wounds_and_a_save_of_3() -> None:
    assert [SHEETS.intercessor[name] for name in ("toughness", "wounds", "save")] == [4, 2, 3]


@rule("w40k8.units.intercessors", check=2)
def test_a_model_of_the_unit_has_leadership_8() -> None:
    assert SHEETS.sergeant["leadership"] == 8


@rule("w40k8.units.intercessors", check=3)
def test_two_intercessors_throw_four_dice_at_half_range() -> None:
    b = shootout([], bare(wounds=9), red=SHEETS.intercessor, shooters=2, gap=15, dice={"hit": [1] * 4})
    far = shootout([], bare(wounds=9), red=SHEETS.intercessor, shooters=2, gap=16, dice={"hit": [1] * 4})
    assert (len(rolls(b)[0][1]), len(rolls(far)[0][1])) == (4, 2)


@rule("w40k8.units.plaguecaster", check=1)
def test_the_plaguecaster_moves_5() -> None:
    assert SHEETS.plaguecaster["move"] == 5


@rule("w40k8.units.plaguecaster", check=2)
def test_the_plaguecaster_manifests_smite_after_an_advance() -> None:
    caster = unit("Caster", "red", SHEETS.plaguecaster, [(10, 10)], moved="advance")
    b = situation([caster, unit("Blues", "blue", sheet(name="Blue"), [(20, 10)])], step="manifest_powers")
    assert offered(b, "manifest") == ["Malignant Plaguecaster: Smite"]


@rule("w40k8.units.example_weapons", check=1)
@rule("w40k8.units.example_weapons", check=3)
def test_the_boltgun_of_the_example() -> None:
    gun_ = SHEETS.boltgun
    assert [gun_.get(x) for x in ("type", "attacks", "strength", "ap", "damage")] == ["rapid fire", "1", "4", 0, "1"]
    assert gun_["range"] / 2 >= 6


@rule("w40k8.units.example_weapons", check=2)
@rule("w40k8.units.example_weapons", check=4)
def test_the_krak_grenade_of_the_example() -> None:
    assert [SHEETS.krak_grenade.get(x) for x in ("strength", "ap", "damage")] == ["6", -1, "D3"]
    assert SHEETS.krak_grenade["range"] == 6
