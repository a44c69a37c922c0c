"""What units are called: by who is left of them."""

from __future__ import annotations

from typing import Any

from sandtable.battle import GONE, TABLE, answers
from sandtable.battle.state import new_version
from sandtable.kit.grammar import does
from w40k10.arms import face_off, gun, shoot, stories, target
from w40k10.powers import at, called, clash
from w40k10.table import HERO, named, situation, unit

LED = {**HERO, "leads": ["Target"]}


def escort() -> list[Any]:
    guards = unit("Guards", "blue", target(), [(22, 14), (22, 15.5)])
    return [guards, unit("Hero", "blue", LED, [(23.5, 14)], leads="Guards")]


def test_a_leader_who_is_left_alone_goes_by_the_leaders_name() -> None:
    more = escort()
    b = shoot(face_off(gun(a="2"), more=more, dice={"hit": [3, 3], "wound": [4, 4]}), at="Guards")
    alone = named(b, "Hero")
    assert (len(b.on_table(alone)), does(alone, "fights")) == (1, "Hero fights")
    assert "The Bodyguard of Guards is destroyed." in stories(b)
    assert answers.unit_named(b, "Guards") is alone, "still known by the name it had"


def test_a_lone_leader_is_destroyed_under_its_own_name() -> None:
    dice = {"hit": [3] * 3, "wound": [4] * 3, "save": [1]}
    b = shoot(face_off(gun(a="3", d="9"), more=escort(), dice=dice), at="Guards")
    assert "Hero is destroyed." in stories(b)


def test_a_leader_whose_name_ends_like_a_plural_is_still_one() -> None:
    leader = unit("Sicarius", "blue", LED, [(23.5, 14)], leads="Guards")
    dice = {"hit": [3] * 2, "wound": [4] * 2}
    b = shoot(face_off(gun(a="2"), more=[escort()[0], leader], dice=dice), at="Guards")
    assert does(named(b, "Sicarius"), "fights") == "Sicarius fights"


def test_of_two_leaders_who_are_left_alone_each_falls_under_its_own_name() -> None:
    from sandtable.forty.attached import tell_destroyed

    court = [at("overlord", 10, 30, leads="Necron Warriors"), at("technomancer", 10, 34, leads="Necron Warriors")]
    b = clash([at("necron-warriors", 10), *court], [at("boyz", 40)])
    led = called(b, "Necron Warriors")
    lord, mage = led.leader
    for m in led.models:
        b.state.models.place[m] = GONE
    b.state.models.place[[lord, mage]] = TABLE
    b.state.version = new_version()
    tell_destroyed(b, led, "bodyguard", led.models[0], "w40k10.unit.destroyed")
    assert does(led, "fights") == "Overlord and Technomancer fight"
    b.place_models([lord], GONE)
    tell_destroyed(b, led, "leader", lord, "w40k10.unit.destroyed")
    assert stories(b)[-1] == "Overlord is destroyed."
    assert (does(led, "fights"), led.former) == ("Technomancer fights", "Necron Warriors")


def test_while_one_of_the_bodyguard_stands_the_unit_keeps_its_name() -> None:
    more = escort()
    b = shoot(face_off(gun(a="2"), more=more, dice={"hit": [3, 1], "wound": [4]}), at="Guards")
    assert named(b, "Guards").name == "Guards"


def test_a_bodyguard_whose_leader_falls_keeps_its_name() -> None:
    more = escort()
    arm = gun("precision", a="1", d="9")
    b = shoot(face_off(arm, more=more, dice={"hit": [3], "wound": [4], "save": [1]}), at="Guards")
    b.answer(b.decisions[0], b.decisions[0].options[0].value)  # type: ignore[attr-defined]
    assert "The Leader of Guards is destroyed." in stories(b)
    assert named(b, "Guards").name == "Guards"


def test_with_lists_no_two_units_of_an_army_share_a_name_afterwards() -> None:
    from sandtable.forty.attached import name_the_leader

    b = clash([at("genestealers", 10), at("broodlord", 10, 30, leads="Genestealers")], [at("boyz", 40)])
    led = called(b, "Genestealers")
    for m in led.models:
        b.state.models.place[m] = TABLE if m in led.leader else GONE
    b.state.version = new_version()
    name_the_leader(b, led)
    assert led.name == "Broodlord"
    assert [u.name for u in b.units_of(0)] == ["Broodlord", "Genestealers"]
    assert not b.units_of(0)[1].models


def test_the_picture_counts_who_is_left_of_the_part_that_stands() -> None:
    more = escort()
    b = shoot(face_off(gun(a="2"), more=more, dice={"hit": [3, 3], "wound": [4, 4]}), at="Guards")
    alone = next(badge for badge in b.picture().badges if badge.label == "Hero")
    assert alone.marks == ()
    hurt = situation([unit("Reds", "red", target(), [(10, 10), (12, 10)], wounds={2: 0})])
    assert next(badge for badge in hurt.picture().badges if badge.label == "Reds").marks == ("1/2",)
