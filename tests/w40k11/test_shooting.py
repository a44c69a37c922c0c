"""The Shooting phase: who shoots in which way, with what, at whom."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.forty.aiming import why_not_at
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER
from sandtable.systems.w40k11.engagement import engaged
from sandtable.systems.w40k11.select_targets import fire as shot_of
from sandtable.systems.w40k11.select_targets import shot_at
from sandtable.systems.w40k11.shooting_phase import eligible_to_shoot, may_shoot, snap_shoot, snap_targets
from sandtable.systems.w40k11.shooting_types import NAMES, types_open
from sandtable.systems.w40k11.state import Battle11, weapons_of
from w40k11.arms import changed, column, face_off, fire, gun, last, outcomes, shoot, target
from w40k11.carriers import get_out, inside
from w40k11.shooters import BIG, CANNON, MORTAR, PISTOL, RIFLE, SECOND, THREES, begin, engage, melee_with, rows
from w40k11.table import (
    TROOPER,
    Doc,
    alive,
    asked,
    blade,
    cards,
    cites,
    default,
    feature,
    give,
    kinds,
    mission,
    named,
    offered,
    play,
    power,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule

DIG: Doc = {"name": "Dig", "starts": "shooting", "near_objective": False, "limit": 9, "vp": 2}
ALLOWS = power("Reds", kind="allow", what="fall_back_and_shoot")
BLOCK = feature("crater", (14, 1, 1, 28), 6, solid=True)
"""A block right across the table, which is no obscuring area"""


def types(b: Battle11, name: str = "Reds") -> list[str]:
    """The shooting types open to a unit."""
    return list(types_open(b, named(b, name)))


# --- The phase --------------------------------------------------------------------------------------------------------


@rule("w40k11.shoot.phase", check=1)
def test_a_unit_shoots_once_in_a_phase() -> None:
    b = shoot(face_off(RIFLE, target(wounds=9), dice={"hit": [1]}))
    assert (offered(b, "shoot_with"), cites(eligible_to_shoot(b, named(b, "Reds")))) == (
        ["Spares"],
        {"w40k11.shoot.phase"},
    )


@rule("w40k11.shoot.phase", check=2)
def test_no_unit_has_to_be_selected() -> None:
    b = face_off(RIFLE)
    give(b, "shoot_with", None)
    assert (rolls(b), b.state.game.phase) == ([], "charge")


def after_a_retreat(*powers: Doc, **more: Any) -> Battle11:
    """Reds have fallen back from Blues, and red's Shooting phase has come."""
    b = face_off(RIFLE, target(wounds=9), gap=1, step="move_units", abilities=list(powers), **more)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "by": [-4, 0]})
    until(b, "shoot_with")
    return b


@rule("w40k11.shoot.phase", check=3)
@pytest.mark.parametrize(("powers", "names"), [([], ["Spares"]), ([ALLOWS], ["Reds", "Spares"])])
def test_who_fell_back_does_not_shoot_unless_a_rule_allows_it(powers: list[Doc], names: list[str]) -> None:
    assert offered(after_a_retreat(*powers), "shoot_with") == names


@rule("w40k11.shoot.phase", check=3)
def test_who_started_an_action_does_not_shoot_and_others_do() -> None:
    b = face_off(RIFLE, mission={**mission(), "actions": [DIG]})
    before = offered(b, "shoot_with")
    play(b, "Action: Dig with Reds")
    assert ("Reds" in before, offered(b, "shoot_with")) == (True, ["Action: Dig with Spares", "Spares"])


@rule("w40k11.shoot.phase", check=4)
def test_who_is_not_on_the_battlefield_is_not_eligible() -> None:
    late = unit("Late", "red", TROOPER, off=1, reserve="strategic")
    b = face_off(RIFLE, more=[late])
    assert (offered(b, "shoot_with"), cites(may_shoot(b, named(b, "Late")))) == (
        ["Reds", "Spares"],
        {"w40k11.shoot.phase"},
    )


@rule("w40k11.shoot.phase", check=4)
def test_a_unit_without_ranged_weapons_is_eligible() -> None:
    b = begin(face_off(blade()))
    assert (told(b).count("shoots"), offered(b, "shoot_with")) == (0, ["Spares"])


@rule("w40k11.faq.eligible_to_shoot", check=1)
def test_a_unit_with_melee_weapons_alone_starts_an_action_in_the_shooting_phase() -> None:
    b = face_off(blade(), mission={**mission(), "actions": [DIG]})
    play(b, "Action: Dig with Reds")
    assert (told(b)[-1], offered(b, "shoot_with")) == ("action_started", ["Action: Dig with Spares", "Spares"])


@rule("w40k11.faq.eligible_to_shoot", check=2)
def test_who_fell_back_is_not_eligible_to_shoot_and_starts_no_action() -> None:
    b = after_a_retreat(mission={**mission(), "actions": [DIG]})
    assert offered(b, "shoot_with") == ["Action: Dig with Spares", "Spares"]


@rule("w40k11.attack.weapons_shooting", check=1)
def test_a_model_fires_all_its_ranged_weapons() -> None:
    b = shoot(face_off([RIFLE, CANNON], target(wounds=9), dice={"hit": [1, 1]}))
    assert len(outcomes(b)) == 1
    assert sum(len(faces) for kind, faces in rolls(b) if kind == "hit") == 2


@rule("w40k11.attack.weapons_shooting", check=2)
def test_a_model_without_ranged_weapon_makes_no_attack_while_others_do() -> None:
    plain = [{"models": [2], "weapons": ["blade"]}]
    b = begin(face_off([RIFLE, blade()], shooters=2, loadout=plain))
    assert [r.count for r in asked(b, "shoot").rows] == [1]


# --- Types ------------------------------------------------------------------------------------------------------------


@rule("w40k11.shoot.type", check=1)
def test_a_unit_with_indirect_fire_chooses_between_normal_and_indirect() -> None:
    b = begin(face_off([RIFLE, MORTAR]))
    assert offered(b, "shooting_type") == sorted([NAMES["normal"], NAMES["indirect"]])


@rule("w40k11.shoot.type", check=2)
@pytest.mark.parametrize(("moved", "open_"), [("advance", False), ("normal", True)])
def test_who_advanced_without_assault_weapons_has_no_type(moved: str, open_: bool) -> None:
    b = face_off(RIFLE, flags={"moved": moved})
    assert ("Reds" in offered(b, "shoot_with")) is open_
    assert bool(may_shoot(b, named(b, "Reds"))) is open_


@rule("w40k11.shoot.type", check=3)
def test_who_is_engaged_without_close_quarters_weapons_has_no_type() -> None:
    assert [types(engage([RIFLE])), types(engage([PISTOL])), types(engage([RIFLE], red=BIG))] == [
        [],
        ["close-quarters"],
        ["close-quarters"],
    ]


@rule("w40k11.shoot.type", check=4)
def test_who_advanced_and_is_engaged_has_no_type() -> None:
    assault = gun("assault", "pistol")
    assert [types(engage([assault], flags={"moved": moved})) for moved in ("advance", "normal")] == [
        [],
        ["close-quarters"],
    ]


CARBINE = gun("assault", name="carbine")


@rule("w40k11.shoot.type", check=2)
def test_who_may_advance_and_shoot_shoots_as_if_it_had_not_advanced() -> None:
    may = power("Reds", kind="allow", what="advance_and_shoot")
    found = [types(face_off([RIFLE], flags={"moved": "advance"}, abilities=powers)) for powers in ([may], [])]
    assert found == [["normal"], []]


@rule("w40k11.shoot.assault", check=2)
def test_assault_shooting_is_for_the_unengaged_with_assault_weapons() -> None:
    gone: Doc = {"flags": {"moved": "advance"}}
    found = [face_off(CARBINE, **gone), engage([CARBINE], **gone), face_off(RIFLE, **gone)]
    assert [types(b) for b in found] == [["assault"], [], []]


@rule("w40k11.shoot.close_quarters", check=1)
def test_close_quarters_shooting_takes_one_such_weapon_and_no_advance() -> None:
    moved: Doc = {"flags": {"moved": "advance"}}
    found = [engage([PISTOL, RIFLE]), engage([PISTOL, RIFLE], **moved), engage([CANNON], red=BIG, **moved)]
    assert [types(b) for b in found] == [["close-quarters"], [], []]


@rule("w40k11.shoot.indirect", check=3)
def test_indirect_shooting_is_for_the_unengaged_who_did_not_advance() -> None:
    found = [face_off(MORTAR), face_off(MORTAR, flags={"moved": "advance"}), engage([MORTAR]), face_off(RIFLE)]
    assert [types(b) for b in found] == [["normal", "indirect"], [], [], ["normal"]]


@rule("w40k11.shoot.normal", check=1)
def test_engaged_units_do_not_use_normal_shooting() -> None:
    assert [types(engage([PISTOL])), types(face_off(PISTOL))] == [["close-quarters"], ["normal"]]


@rule("w40k11.shoot.normal", check=2)
def test_units_that_advanced_do_not_use_normal_shooting() -> None:
    assert [types(face_off(gun("assault"), flags={"moved": m})) for m in ("advance", "normal")] == [
        ["assault"],
        ["normal"],
    ]


@rule("w40k11.shoot.normal", check=3)
def test_who_has_shot_starts_no_action_in_this_phase() -> None:
    b = face_off(RIFLE, target(wounds=9), dice={"hit": [1]}, mission={**mission(), "actions": [DIG]})
    before = cards(b)
    shoot(b)
    assert (before, cards(b)) == (["Action: Dig with Reds", "Action: Dig with Spares"], ["Action: Dig with Spares"])


@rule("w40k11.shoot.assault", check=1)
@rule("w40k11.weapon.assault", check=1)
def test_only_assault_weapons_are_fired_after_an_advance() -> None:
    b = begin(face_off([RIFLE, gun("assault", name="carbine")], flags={"moved": "advance"}))
    assert rows(b) == {"carbine": ["Blues"]}


@rule("w40k11.shoot.assault", check=2)
def test_who_did_not_advance_does_not_use_assault_shooting() -> None:
    b = begin(face_off([RIFLE, gun("assault", name="carbine")], flags={"moved": "normal"}))
    assert rows(b) == {"carbine": ["Blues"], "rifle": ["Blues"]}


@rule("w40k11.shoot.assault", check=3)
def test_one_model_with_an_assault_weapon_is_enough() -> None:
    arms = [{"models": [1], "weapons": ["carbine"]}, {"models": [2, 3], "weapons": ["rifle"]}]
    b = begin(face_off([RIFLE, gun("assault", name="carbine")], shooters=3, loadout=arms, flags={"moved": "advance"}))
    assert [(r.label, r.count) for r in asked(b, "shoot").rows] == [("carbine", 1)]


# --- Close quarters ---------------------------------------------------------------------------------------------------


@rule("w40k11.shoot.close_quarters", check=1)
def test_an_engaged_unit_shoots_with_its_pistols() -> None:
    assert (rows(begin(engage([PISTOL]))), types(face_off(PISTOL))) == ({"pistol": ["Blues"]}, ["normal"])


@rule("w40k11.shoot.close_quarters", check=2)
def test_an_engaged_vehicle_shoots_without_close_quarters_weapons() -> None:
    found = rows(begin(engage([CANNON], red=BIG)))
    assert (found, types(engage([CANNON]))) == ({"cannon": ["Blues", "Bystanders", "Others"]}, [])


@rule("w40k11.shoot.close_quarters", check=3)
def test_the_target_is_engaged_with_the_unit_and_need_not_be_with_the_model() -> None:
    b = begin(engage([PISTOL], red_at=column(4, 10)))
    apart = types(engage([PISTOL], red_at=column(4, 10), blue_at=[(13.6, 8)]))
    assert ([r.count for r in asked(b, "shoot").rows], rows(b), apart) == ([4], {"pistol": ["Blues"]}, ["normal"])


@rule("w40k11.shoot.close_quarters", check=4)
def test_the_target_is_visible_and_in_range_still() -> None:
    thin = feature("crater", (10.9, 5, 0.2, 9.2), 6, solid=True)
    short = gun("pistol", name="pistol", range=1)
    found = [begin(engage([short], red_at=column(4, 10), terrain=terrain)) for terrain in ([], [thin])]
    assert ([r.count for r in asked(found[0], "shoot").rows], kinds(found[1])) == ([1], ["shoot_with"])
    assert types(face_off(short)) == ["normal"]


def at_three(b: Battle11, at: str = "Blues", dice: int = 3) -> int:
    """How many hits of everything that is fired at somebody, where all rolls are 3s."""
    found = fire(b, at)
    return int(last(found)["hits"])


@rule("w40k11.shoot.cq_monster_vehicle", check=1)
def test_a_cannon_at_the_engaged_enemy_is_hampered() -> None:
    assert at_three(begin(engage([CANNON], red=BIG, dice=THREES))) == 0


@rule("w40k11.shoot.cq_monster_vehicle", check=2)
def test_a_cannon_at_a_distant_enemy_is_hampered_too() -> None:
    assert at_three(begin(engage([CANNON], red=BIG, dice=THREES)), "Others") == 0


@rule("w40k11.shoot.cq_monster_vehicle", check=3)
def test_a_close_quarters_weapon_at_the_engaged_enemy_is_not() -> None:
    found = [at_three(begin(engage([weapon], red=BIG, dice=THREES))) for weapon in (PISTOL, CANNON)]
    assert found == [1, 0]


@rule("w40k11.shoot.cq_monster_vehicle", check=4)
def test_a_close_quarters_weapon_at_a_distant_enemy_is_hampered() -> None:
    assert at_three(begin(engage([PISTOL], red=BIG, dice=THREES)), "Others") == 0


@rule("w40k11.shoot.cq_monster_vehicle", check=5)
def test_blast_is_aimed_at_an_unengaged_enemy_alone_and_is_hampered() -> None:
    b = begin(engage([gun("blast", name="mortar")], red=BIG, dice=THREES))
    found = rows(b)
    assert (found, at_three(b, "Others")) == ({"mortar": ["Others"]}, 0)


@rule("w40k11.shoot.cq_monster_vehicle", check=6)
def test_both_kinds_of_weapons_are_fired_by_one_vehicle() -> None:
    b = fire(begin(engage([PISTOL, CANNON], red=BIG, dice=THREES)))
    assert [o["hits"] for o in outcomes(b)] == [1, 0]


@rule("w40k11.shoot.cq_other_models", check=1)
def test_a_rifle_is_not_fired_at_close_quarters() -> None:
    assert rows(begin(engage([PISTOL, RIFLE]))) == {"pistol": ["Blues"]}


@rule("w40k11.shoot.cq_other_models", check=2)
def test_players_are_told_why_who_is_not_engaged_is_no_target_at_close_quarters() -> None:
    b = begin(engage([PISTOL]))
    found = [cites(why_not_at(b, named(b, "Reds"), named(b, name))) for name in ("Others", "Blues")]
    assert found == [{"w40k11.shoot.cq_other_models"}, set()]


def mixed() -> Battle11:
    """Two Reds on foot with a vehicle among them, all with the same guns."""
    car = [{"models": [2], "sheet": sheet(PISTOL, RIFLE, name="Car", **BIG)}]
    return begin(engage([PISTOL, RIFLE], red_at=column(3, 10), loadout=car))


@rule("w40k11.shoot.cq_other_models", check=1)
def test_beside_a_vehicle_of_their_unit_models_on_foot_fire_no_rifles_at_close_quarters() -> None:
    assert [(r.label, r.count) for r in asked(mixed(), "shoot").rows] == [
        ("pistol of Red", 2),
        ("pistol of Car", 1),
        ("rifle", 1),
    ]


@rule("w40k11.shoot.cq_other_models", check=2)
def test_beside_a_vehicle_of_their_unit_models_on_foot_do_not_fire_at_who_is_not_engaged_with_it() -> None:
    both = ["Blues", "Others"]
    assert rows(mixed()) == {"pistol of Red": ["Blues"], "pistol of Car": both, "rifle": both}


@rule("w40k11.shoot.cq_other_models", check=2)
def test_who_is_not_engaged_with_the_unit_is_no_target_at_close_quarters() -> None:
    found = [rows(begin(engage([PISTOL], red=red)))["pistol"] for red in ({}, BIG)]
    assert found == [["Blues"], ["Blues", "Others"]]


@rule("w40k11.shoot.cq_other_models", check=3)
def test_two_models_shoot_at_two_engaged_enemies() -> None:
    left = unit("Lefts", "blue", target(name="Left", wounds=9), [(8, 8)])
    b = begin(engage([PISTOL], shooters=2, more=[left], dice={"hit": [1, 1]}))
    give(b, "shoot", [{"weapon": "0", "target": "Blues", "count": 1}, {"weapon": "0", "target": "Lefts", "count": 1}])
    assert [b.unit(e.units[1]).name for e in b.events if getattr(e, "kind", "") == "attack"] == ["Blues", "Lefts"]


@rule("w40k11.shoot.cq_other_models", check=4)
def test_a_pistol_at_an_engaged_vehicle_is_not_hampered() -> None:
    assert at_three(begin(engage([PISTOL], victim=target(wounds=9, **BIG), dice=THREES))) == 1


# --- Shooting at engaged monsters and vehicles ------------------------------------------------------------------------


@rule("w40k11.mv.shoot_at_engaged", check=1)
def test_an_engaged_vehicle_is_shot_at_from_afar_and_is_harder_to_hit() -> None:
    b, foot = begin(melee_with(BIG, CANNON)), begin(melee_with({}, CANNON))
    assert (rows(foot)["cannon"], at_three(b)) == (["Bystanders"], 0)


@rule("w40k11.mv.shoot_at_engaged", check=1)
@pytest.mark.parametrize(("face", "more", "hits"), [(3, [1], 1), (3, [], 0), (4, [], 1)])
def test_it_is_harder_by_one(face: int, more: list[int], hits: int) -> None:
    b = melee_with(BIG, CANNON, dice={"hit": [face], "wound": [1]})
    assert at_three(begin(changed(b, HIT_MODIFIER, *more))) == hits


@rule("w40k11.mv.shoot_at_engaged", check=2)
def test_a_pistol_at_close_quarters_is_not_easier_either() -> None:
    b = melee_with(BIG, CANNON, dice={"hit": [2], "wound": [1]})
    assert at_three(begin(b, who="Friends")) == 0


@rule("w40k11.mv.shoot_at_engaged", check=2)
def test_a_pistol_of_a_unit_that_is_engaged_with_it_is_not_hampered() -> None:
    assert at_three(begin(melee_with(BIG, CANNON), who="Friends")) == 1


@rule("w40k11.mv.shoot_at_engaged", check=3)
def test_a_pistol_of_another_unit_is_hampered() -> None:
    assert at_three(begin(melee_with(BIG, gun("pistol", range=24)))) == 0


@rule("w40k11.mv.shoot_at_engaged", check=4)
def test_blast_is_not_aimed_at_an_engaged_vehicle() -> None:
    b = begin(melee_with(BIG, CANNON, gun("blast", name="mortar", range=48)))
    assert rows(b) == {"cannon": ["Blues", "Bystanders"], "mortar": ["Bystanders"]}


@rule("w40k11.mv.shoot_at_engaged", check=5)
def test_an_engaged_vehicle_is_no_target_in_the_opponents_turn() -> None:
    found = [
        [e.name for e in snap_targets(b, named(b, "Reds"))]
        for b in (melee_with(BIG, CANNON, active=active) for active in ("red", "blue"))
    ]
    assert found == [["Blues"], []]


# --- Indirect shooting ------------------------------------------------------------------------------------------------


@rule("w40k11.shoot.indirect", check=1)
def test_an_unseen_unit_is_a_target_of_indirect_fire_alone() -> None:
    b = begin(face_off([RIFLE, MORTAR], terrain=[BLOCK]), "indirect")
    assert rows(b) == {"mortar": ["Blues", "Bystanders"]}


@rule("w40k11.shoot.indirect", check=2)
def test_other_weapons_fire_at_visible_targets_without_handicap() -> None:
    b = fire(begin(face_off([RIFLE, MORTAR], target(wounds=9), dice={"hit": [3, 3], "wound": [1]}), "indirect"))
    assert sorted(o["hits"] for o in outcomes(b)) == [0, 1]


@rule("w40k11.shoot.indirect", check=3)
@pytest.mark.parametrize(("way", "hits"), [("indirect", 0), ("normal", 1)])
def test_the_handicaps_hold_although_the_target_is_seen(way: str, hits: int) -> None:
    b = fire(begin(face_off(MORTAR, target(wounds=9), dice={"hit": [5], "wound": [1]}), way))
    assert last(b)["hits"] == hits


@rule("w40k11.shoot.indirect", check=4)
@pytest.mark.parametrize(("way", "dice"), [("indirect", 1), ("normal", 2)])
def test_hit_rolls_of_indirect_fire_are_not_rolled_again(way: str, dice: int) -> None:
    again = power("Reds", kind="reroll", roll="hit", faces="all")
    b = fire(begin(face_off(MORTAR, target(wounds=9), abilities=[again], dice={"hit": [1, 1], "wound": []}), way))
    assert sum(len(faces) for kind, faces in rolls(b) if kind == "hit") == dice


@rule("w40k11.shoot.indirect", check=5)
def test_targets_are_unengaged_and_in_range_still() -> None:
    near = gun("indirect fire", name="mortar", range=22)
    b, free = (begin(melee_with({}, near, **more), "indirect") for more in ({}, {"more": []}))
    far = begin(face_off(near, gap=23, more=[SECOND]), "indirect")
    assert [kinds(b), rows(free), rows(far)] == [
        ["shoot_with"],
        {"mortar": ["Blues"]},
        {"mortar": ["Others"]},
    ]


def indirect(
    hit: int, *, moved: str = "stationary", seen: bool = True, skill: int = 3, more: Any = None, **flags: Any
) -> int:
    """Hits of a mortar behind a block with one bare roll; `seen`: Friends see the target."""
    friends = unit("Friends", "red", TROOPER, [(20 if seen else 5, 25)])
    b = face_off(gun("indirect fire", range=48, skill=skill), target(wounds=9), terrain=[BLOCK],
                 flags={"moved": moved, **flags}, more=[friends], dice={"hit": [hit], "wound": [1]})  # fmt: skip
    return int(last(fire(begin(changed(b, HIT_MODIFIER, *(more or [])), "indirect")))["hits"])


@rule("w40k11.shoot.indirect_hit", check=1)
def test_who_moved_misses_with_a_five() -> None:
    assert [indirect(5, moved="normal", skill=2), indirect(6, moved="normal", skill=2)] == [0, 1]


@rule("w40k11.shoot.indirect_hit", check=1)
def test_who_got_out_of_a_wreck_has_not_stayed_where_it_was() -> None:
    assert [indirect(5, disembarked="emergency"), indirect(6, disembarked="emergency")] == [0, 1]


@rule("w40k11.shoot.indirect_hit", check=2)
def test_who_stayed_misses_with_a_five_where_no_friend_sees_the_target() -> None:
    assert [indirect(5, seen=False), indirect(6, seen=False)] == [0, 1]


@rule("w40k11.shoot.indirect_hit", check=3)
def test_who_stayed_hits_on_four_and_more_where_a_friend_sees_the_target() -> None:
    assert [indirect(hit) for hit in (3, 4, 5, 6)] == [0, 1, 1, 1]


@rule("w40k11.shoot.indirect_hit", check=3)
def test_cover_still_counts_against_a_poor_shot() -> None:
    assert [indirect(hit, skill=4) for hit in (4, 5)] == [0, 1]


@rule("w40k11.shoot.indirect_hit", check=4)
def test_modifiers_save_no_roll_that_fails() -> None:
    assert [indirect(3, skill=2, more=[1]), indirect(5, seen=False, skill=2, more=[1])] == [0, 0]


@rule("w40k11.shoot.indirect_hit", check=5)
def test_a_six_is_a_critical_hit_as_usual() -> None:
    arm = gun("indirect fire", "sustained hits 1", range=48)
    b = face_off(arm, target(wounds=9), terrain=[BLOCK], dice={"hit": [6], "wound": [1, 1]})
    assert last(fire(begin(b, "indirect")))["hits"] == 2


@rule("w40k11.shoot.indirect_hit", check=6)
def test_the_shooters_themselves_may_see_the_target() -> None:
    def alone(terrain: list[Any]) -> int:
        b = face_off(MORTAR, target(wounds=9), terrain=terrain, flags={"moved": "stationary"}, shooters=1,
                     dice={"hit": [4], "wound": [1]})  # fmt: skip
        return int(last(fire(begin(b, "indirect")))["hits"])

    # The Spares of Red stand at the other side of the block, as the Reds do.
    assert [alone([]), alone([BLOCK])] == [1, 0]


@rule("w40k11.weapon.indirect_fire", check=1)
def test_in_normal_shooting_the_weapon_needs_sight_and_has_no_handicap() -> None:
    hidden, lobbed = (begin(face_off([MORTAR, RIFLE], terrain=[BLOCK]), way) for way in ("normal", "indirect"))
    b = fire(begin(face_off(MORTAR, target(wounds=9), dice={"hit": [3], "wound": [1]}), "normal"))
    assert (kinds(hidden), last(b)["hits"], list(rows(lobbed))) == (["shoot_with"], 1, ["mortar"])


# --- Snap shooting ----------------------------------------------------------------------------------------------------


def watch(*weapons: Doc, gap: float = 10, more: Any = (), **settings: Any) -> Battle11:
    """Reds fire Overwatch at the end of blue's Movement phase: by snap shooting."""
    units = [
        unit("Reds", "red", sheet(*weapons, name="Red"), [(10, 8)]),
        unit("Blues", "blue", target(wounds=9), [(11 + gap, 8)], moved="normal"),
    ]
    b = situation([*units, *more], step="move_units", active="blue", cp=(1, 0), options=WATCHING, **settings)
    until(b, "react.phase_ended")
    give(b, "react.phase_ended", next(o.value for o in b.decisions[0].options))  # type: ignore[attr-defined]
    return b


WATCHING = {"windows": "all"}
NEAR = unit("Near", "blue", target(name="Near", wounds=9), [(20, 12)], moved="normal")


@rule("w40k11.shoot.snap", check=1)
def test_all_weapons_have_one_target_in_snap_shooting() -> None:
    b = watch(RIFLE, CANNON, more=[NEAR], dice={"hit": [1, 1]})
    give(b, "snap_target", "Near")
    assert rows(b) == {"cannon": ["Near"], "rifle": ["Near"]}


@rule("w40k11.shoot.snap", check=2)
def test_snap_targets_are_within_24_inches_and_in_range_of_each_weapon() -> None:
    near, far = (face_off(CANNON, gap=gap, active="blue", step="move_units") for gap in (24, 24.1))
    found = [[e.name for e in snap_targets(b, named(b, "Reds"))] for b in (near, far)]
    assert (found, rows(watch(PISTOL, CANNON, gap=13))) == ([["Blues"], []], {"cannon": ["Blues"]})


@rule("w40k11.shoot.snap", check=2)
def test_who_has_no_gun_for_anybody_has_no_target_and_does_not_shoot() -> None:
    found = [face_off(arm, gap=gap, active="blue", step="move_units") for arm, gap in ((PISTOL, 12), (PISTOL, 13))]
    names = [[e.name for e in snap_targets(b, named(b, "Reds"))] for b in found]
    with pytest.raises(StopIteration):
        snap_shoot(found[1], named(found[1], "Reds")).send(None)
    assert (names, named(found[1], "Reds").shooting, kinds(found[1])) == ([["Blues"], []], "", ["move_with"])


@rule("w40k11.shoot.snap", check=3)
@pytest.mark.parametrize(("hit", "hits"), [(5, 0), (6, 1)])
def test_a_five_misses_in_snap_shooting_whatever_the_skill(hit: int, hits: int) -> None:
    b = watch(gun(skill=2), dice={"hit": [hit], "wound": [1]})
    assert last(fire(changed(b, HIT_MODIFIER, 1)))["hits"] == hits


@rule("w40k11.shoot.snap", check=4)
def test_hit_rolls_of_snap_shooting_are_not_rolled_again() -> None:
    b = watch(RIFLE, abilities=[power("Reds", kind="reroll", roll="hit", faces="all")], dice={"hit": [1]})
    assert [kind for kind, _ in rolls(fire(b))] == ["hit"]


@rule("w40k11.shoot.snap", check=5)
def test_a_six_is_a_critical_hit_in_snap_shooting() -> None:
    b = fire(watch(gun("sustained hits 1"), dice={"hit": [6], "wound": [1, 1]}))
    assert last(b)["hits"] == 2


@rule("w40k11.shoot.snap", check=6)
def test_torrent_hits_by_itself_in_snap_shooting() -> None:
    b = fire(watch(gun("torrent", range=12), dice={"wound": [1]}))
    assert (last(b)["hits"], [kind for kind, _ in rolls(b)]) == (1, ["wound"])


@rule("w40k11.weapon.heavy", check=5)
def test_snap_shooting_gets_no_bonus_for_heavy_weapons() -> None:
    b = watch(gun("heavy"))
    reds, blues = named(b, "Reds"), named(b, "Blues")
    shot = shot_of(b, reds, 0, reds.models[0], weapons_of(b, reds.models[0])[0], shot_at(b, reds, blues))
    assert (shot.steady, shot.fails) == (False, 5)


@pytest.mark.parametrize(
    ("big", "at", "cited"),
    [
        (True, "Bystanders", "w40k11.shoot.cq_monster_vehicle"),
        (False, "Bystanders", ""),
        (False, "Tank", "w40k11.mv.shoot_at_engaged"),
    ],
)
def test_a_hampered_shot_tells_by_which_rule(big: bool, at: str, cited: str) -> None:
    caught = [unit("Tank", "blue", target(**BIG), [(24, 10)]), unit("Friends", "red", sheet(RIFLE), [(26.5, 10)])]
    b = engage([CANNON], red=BIG if big else None, more=caught)
    reds = named(b, "Reds")
    shot = shot_of(b, reds, 0, reds.models[0], weapons_of(b, reds.models[0])[0], shot_at(b, reds, named(b, at)))
    assert shot.hampered == cited


# --- Heavy and one shot -----------------------------------------------------------------------------------------------


TWOS = {"hit": [2] * 9, "wound": [1] * 9}


def heavy(*far: float, arm: Doc = gun("heavy")) -> int:  # noqa: B008
    """Hits of weapons with BS 3+ that roll a 2, by models that went so far and back before, if they moved."""
    b = face_off(arm, target(wounds=9), shooters=len(far) or 1, step="move_units", dice=TWOS)
    give(b, "move_with", "Reds")
    ways = {n: [[10 + x / 2, 6.5 + 1.5 * n], [10, 6.5 + 1.5 * n]] for n, x in enumerate(far, 1) if x}
    give(b, "move", {"mode": "normal", "paths": ways} if far else {"mode": "stationary"})
    until(b, "shoot_with")
    return int(last(shoot(b))["hits"])


@rule("w40k11.weapon.heavy", check=1)
def test_a_heavy_weapon_hits_better_after_three_inches() -> None:
    assert [heavy(), heavy(3), heavy(arm=gun())] == [1, 1, 0]


@rule("w40k11.weapon.heavy", check=2)
def test_one_model_that_went_further_spoils_it_for_all() -> None:
    assert [heavy(0, 3), heavy(0, 3.5)] == [2, 0]


@rule("w40k11.weapon.heavy", check=3)
def test_who_arrived_this_turn_has_no_bonus() -> None:
    arms = sheet(gun("heavy"), name="Red", abilities=["deep strike"])
    late, reds = unit("Late", "red", arms, off=1, reserve="strategic"), unit("Reds", "red", arms, [(10, 8)])
    b = situation([late, reds, unit("Blues", "blue", target(wounds=9), [(21, 8)])], round_=2, dice=TWOS)
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", [[10, 12]])
    until(b, "shoot_with")
    found = [last(shoot(b, name))["hits"] for name in ("Late", "Reds")]
    assert (found, kinds(b)) == ([0, 1], ["charge_with"])


@rule("w40k11.weapon.heavy", check=3)
def test_who_got_out_of_a_transport_this_turn_has_no_bonus() -> None:
    b = inside(unit("Blues", "blue", target(wounds=9), [(25, 10)]), count=1, reds=sheet(gun("heavy"), name="Red"),
               dice=TWOS)  # fmt: skip
    get_out(b, "tactical", [[13, 10]])
    give(b, "move", {"mode": "normal", "paths": {1: [[13, 10], [13, 10.1]]}})
    until(b, "shoot_with")
    assert (last(shoot(b))["hits"], heavy()) == (0, 1)


@rule("w40k11.weapon.heavy", check=4)
def test_an_engaged_vehicle_has_no_bonus() -> None:
    b = begin(engage([gun("heavy", "pistol")], red=BIG, dice={"hit": [2], "wound": [1]}))
    assert last(fire(b))["hits"] == 0


@rule("w40k11.weapon.heavy", check=6)
def test_the_moves_of_a_turn_are_added_up() -> None:
    b = face_off(gun("heavy"), target(wounds=9), step="move_units", dice={"hit": [2], "wound": [1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "paths": {1: [[10, 10], [10, 8], [10, 7.9]]}})
    until(b, "shoot_with")
    shoot(b)
    assert (named(b, "Reds").walked, last(b)["hits"]) == ((round(4.1 * 1024),), 0)


@rule("w40k11.weapon.heavy", check=5)
@pytest.mark.parametrize(
    ("step", "active", "steady"),
    [("shoot_units", "red", True), ("shoot_units", "blue", True), ("move_units", "red", False)],
)
def test_heavy_weapons_hit_better_in_the_shooting_phase_of_either_player(step: str, active: str, steady: bool) -> None:
    b = face_off(gun("heavy"), step=step, active=active)
    reds, blues = named(b, "Reds"), named(b, "Blues")
    shot = shot_of(b, reds, 0, reds.models[0], weapons_of(b, reds.models[0])[0], shot_at(b, reds, blues))
    assert shot.steady is steady


MISSILE = gun("one shot", name="missile")


@rule("w40k11.weapon.one_shot", check=1)
def test_a_weapon_with_one_shot_fires_once_in_a_battle() -> None:
    b = shoot(face_off([MISSILE, RIFLE], target(wounds=9), dice={"hit": [1] * 4}))
    until(b, "shoot_with", 1)
    until(b, "shoot_with", 0)
    assert rows(begin(b)) == {"rifle": ["Blues"]}


@rule("w40k11.weapon.one_shot", check=2)
def test_a_model_that_comes_back_has_used_its_shot() -> None:
    back = power("Reds", kind="return_models", amount=1, at="command")
    b = face_off([MISSILE, RIFLE], target(wounds=9), shooters=2, abilities=[back],
                 dice={"hit": [1] * 6, "battle-shock": [6] * 4})  # fmt: skip
    shoot(b)
    b.place_models([0], GONE)
    until(b, "return_models", 0)
    default(b, "return_models")
    until(b, "shoot_with", 0)
    assert (alive(b, "Reds"), rows(begin(b))) == (2, {"rifle": ["Blues"]})


@rule("w40k11.weapon.one_shot", check=3)
def test_another_unit_has_its_own_shot() -> None:
    again = unit("Again", "red", sheet(MISSILE, name="Red"), [(10, 20)])
    b = shoot(face_off([MISSILE, RIFLE], target(wounds=9), more=[again], dice={"hit": [1] * 4}))
    assert (rows(begin(b, who="Again")), named(b, "Reds").emptied) == ({"missile": ["Blues"]}, ((0, "missile"),))


def test_units_of_one_pair_are_engaged_here() -> None:
    b = engage([PISTOL])
    assert [engaged(b, named(b, "Reds"), named(b, name)) for name in ("Blues", "Others")] == [True, False]
