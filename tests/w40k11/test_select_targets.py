"""Select weapons and targets: which weapons a model fires, and at whom."""

from __future__ import annotations

import pytest

from sandtable.systems.w40k11.shooting_phase import snap_targets
from w40k11.arms import face_off, gun, outcomes, target
from w40k11.shooters import BIG, CANNON, MORTAR, PISTOL, RIFLE, SECOND, begin, engage, melee_with, rows
from w40k11.table import Doc, alive, asked, feature, give, judge, kinds, named, refused_by, rolls, sheet, unit

rule = pytest.mark.rule


@rule("w40k11.attack.weapons_cq_limit", check=1)
@rule("w40k11.weapon.close_quarters", check=2)
def test_a_model_fires_its_pistol_or_its_rifle() -> None:
    b = begin(face_off([PISTOL, RIFLE]))
    both = [{"weapon": r.id, "target": "Blues"} for r in asked(b, "shoot").rows]
    refused_by(b, "shoot", both, "w40k11.attack.weapons_cq_limit")
    assert [bool(judge(b, "shoot", [one])) for one in both] == [True, True]


@rule("w40k11.attack.weapons_cq_limit", check=2)
def test_a_vehicle_fires_both_kinds() -> None:
    b = begin(face_off([], red=sheet(PISTOL, RIFLE, name="Red", **BIG)))
    assert judge(b, "shoot", [{"weapon": r.id, "target": "Blues"} for r in asked(b, "shoot").rows])


@rule("w40k11.attack.weapons_cq_limit", check=3)
def test_one_model_fires_its_pistol_and_the_next_its_rifle() -> None:
    b = begin(face_off([PISTOL, RIFLE], shooters=2))
    ids = [r.id for r in asked(b, "shoot").rows]
    one_each = [{"weapon": i, "target": "Blues", "count": 1} for i in ids]
    refused_by(b, "shoot", [one_each[0], {**one_each[1], "count": 2}], "w40k11.attack.weapons_cq_limit")
    assert judge(b, "shoot", one_each)


@rule("w40k11.weapon.close_quarters", check=1)
@pytest.mark.parametrize("ability", ["pistol", "close-quarters"])
def test_pistol_and_close_quarters_are_one_ability(ability: str) -> None:
    arm = gun(ability, name="arm", range=12)
    b = begin(face_off([arm, RIFLE]))
    refused_by(
        b, "shoot", [{"weapon": r.id, "target": "Blues"} for r in asked(b, "shoot").rows],
        "w40k11.attack.weapons_cq_limit",
    )  # fmt: skip
    assert rows(begin(engage([arm, RIFLE]))) == {"arm": ["Blues"]}


@rule("w40k11.attack.targets_shooting", check=1)
def test_the_attacks_of_one_weapon_go_at_one_unit() -> None:
    b = begin(face_off(gun(name="rifle", attacks="4"), more=[SECOND]))
    one = {"weapon": "0", "target": "Blues"}
    split = judge(b, "shoot", [{**one, "count": 1}, {"weapon": "0", "target": "Others", "count": 1}])
    assert (asked(b, "shoot").rows[0].count, bool(split), bool(judge(b, "shoot", [one]))) == (1, False, True)


@rule("w40k11.attack.targets_shooting", check=2)
def test_two_weapons_of_a_model_have_two_targets() -> None:
    b = begin(face_off([RIFLE, CANNON], target(wounds=9), more=[SECOND], dice={"hit": [1, 1]}))
    ids = [r.id for r in asked(b, "shoot").rows]
    give(b, "shoot", [{"weapon": ids[0], "target": "Blues"}, {"weapon": ids[1], "target": "Others"}])
    assert len(outcomes(b)) == 2


@rule("w40k11.attack.targets_shooting", check=3)
def test_range_and_sight_are_judged_from_the_model_with_the_weapon() -> None:
    b = begin(face_off(gun(name="rifle", range=10), red_at=[(10, 8), (8.5, 8)]))
    block = feature("crater", (14, 0, 1, 9.2), 6, solid=True)
    hid = begin(face_off(gun(name="rifle"), red_at=[(10, 8), (10, 9.5)], blue_at=[(21, 9)], terrain=[block]))
    assert [asked(x, "shoot").rows[0].count for x in (b, hid)] == [1, 1]


@rule("w40k11.attack.targets_shooting", check=3)
def test_one_model_of_the_target_in_range_and_another_in_sight_are_enough() -> None:
    """The nearer of two is out of sight, the one that is seen out of range."""
    block = feature("crater", (14, 0, 1, 9.2), 6, solid=True)
    near: Doc = {"red_at": [(10, 8)], "blue_at": [(21, 4), (21, 13)], "terrain": [block]}
    found = [begin(face_off(gun(name="rifle", range=reach), **near)) for reach in (10, 11)]
    short = begin(face_off(gun(name="rifle", range=11), red_at=[(10, 8), (8, 4)], blue_at=[(21, 4)], terrain=[block]))
    assert [kinds(b) for b in (*found, short)] == [["shoot_with"], ["shoot"], ["shoot_with"]]


@rule("w40k11.unit.lone_operative", check=3)
def test_indirect_fire_at_a_lone_operative_is_for_models_that_are_near_it() -> None:
    doc = target(wounds=9, abilities=["lone operative"])
    b = begin(face_off(MORTAR, doc, red_at=[(10, 8), (8, 8)], blue_at=[(22, 8), (22, 9.5)]), "indirect")
    assert {b.unit(int(t)).name: r.count for r in asked(b, "shoot").rows for t in r.targets} == {
        "Bystanders": 1,
        "Blues": 1,
    }


@rule("w40k11.attack.targets_shooting", check=4)
def test_who_is_engaged_with_others_is_no_target_at_close_quarters() -> None:
    friends = unit("Friends", "red", sheet(PISTOL, name="Friend"), [(21, 14.4)])
    others = unit("Others", "blue", target(name="Other", wounds=9), [(20, 13)])
    found = [rows(begin(engage([CANNON], red=BIG, more=more))) for more in ([others, friends], [others])]
    assert found == [{"cannon": ["Blues", "Bystanders"]}, {"cannon": ["Blues", "Bystanders", "Others"]}]


@rule("w40k11.attack.targets_shooting", check=4)
def test_the_enemy_one_is_engaged_with_is_a_target_at_close_quarters_alone() -> None:
    found = [[e.name for e in snap_targets(b, named(b, "Reds"))] for b in (engage([RIFLE]), engage([PISTOL]))]
    assert found == [["Others"], ["Blues"]]


@rule("w40k11.attack.targets_shooting", check=4)
def test_an_engaged_unit_is_no_target() -> None:
    b, free = begin(melee_with({}, CANNON)), begin(melee_with({}, CANNON, more=[]))
    assert [rows(b), rows(free)] == [{"cannon": ["Bystanders"]}, {"cannon": ["Blues", "Bystanders"]}]


@rule("w40k11.attack.targets_shooting", check=5)
def test_all_targets_are_settled_before_the_first_die() -> None:
    b = begin(face_off([RIFLE, CANNON], target(), more=[SECOND], dice={"hit": [6, 6], "wound": [6, 6]}))
    before = rolls(b)
    give(b, "shoot", [{"weapon": r.id, "target": "Blues"} for r in asked(b, "shoot").rows])
    assert (before, alive(b, "Blues"), kinds(b)) == ([], 0, ["shoot_with"])
