"""Attacks at Attached units, and the end of units."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.battle import GONE
from sandtable.battle.flows import Flow
from sandtable.systems.w40k10.destroyed import destroy
from w40k10.armies import go_on
from w40k10.arms import column, duel, face_off, gun, last, outcomes, sheet, shoot, target
from w40k10.powers import at, bodies, called, clash
from w40k10.table import HERO, alive, asked, give, kinds, named, offered, unit, wounds

# --- Attached units ---------------------------------------------------------------------------------------------------


def escort(bodyguards: int = 2, **hero: object) -> list:  # type: ignore[type-arg]
    """A Leader in a unit of troopers of Toughness 4."""
    leads = {**HERO, "toughness": 5, "save": 2, "wounds": 5, "leads": ["Target"], **hero}
    return [
        unit("Guard", "blue", target(save=6), column(bodyguards, 22, 14)),
        unit("Hero", "blue", leads, [(23.5, 14)], leads="Guard"),
    ]


@pytest.mark.rule("w40k10.ability.leader_toughness", check=1)
def test_attacks_use_the_toughness_of_the_bodyguard() -> None:
    b = shoot(face_off(gun(a="2", s=5), more=escort(), dice={"hit": [3, 3], "wound": [2, 3], "save": [6]}), at="Guard")
    assert last(b)["wounds"] == 1


@pytest.mark.rule("w40k10.ability.leader_toughness", check=1)
@pytest.mark.parametrize(("tough", "wounded"), [([1], True), ([1, 2], False)])
def test_of_a_mixed_bodyguard_the_toughness_of_most_counts_and_the_higher_one_of_two(
    tough: list[int], wounded: bool
) -> None:
    hero = escort(leads=["Target", "Brute"])[1]
    brutes = [{"models": tough, "sheet": target(name="Brute", toughness=6, save=6)}]
    guard = unit("Guard", "blue", target(save=6), column(4, 22, 14), loadout=brutes)
    b = face_off(gun(s=5), more=[guard, hero], dice={"hit": [3], "wound": [3], "save": [6]})
    shoot(b, at="Guard")
    assert ("allocate" in kinds(b)) is wounded


@pytest.mark.rule("w40k10.ability.leader_toughness", check=2)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=3)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=4)
@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=2)
def test_when_the_bodyguard_dies_midway_its_toughness_still_counts_and_the_character_takes_the_rest() -> None:
    arms = [gun(a="2", s=5), gun(name="second", s=5)]
    dice = {"hit": [3, 3, 3], "wound": [3, 3, 3], "save": [1, 2, 2]}
    b = shoot(face_off(arms, more=escort(1), dice=dice), at="Guard")
    assert [o["wounds"] for o in outcomes(b)] == [2, 1]
    assert [o["unsaved"] for o in outcomes(b)] == [1, 0], "the Leader's Save of 2+ is used"
    assert [e["part"] for e in outcomes(b, "unit_destroyed")] == ["bodyguard"]


@pytest.mark.rule("w40k10.ability.leader_toughness", check=2)
def test_only_an_attached_unit_keeps_the_toughness_of_those_who_fell() -> None:
    arms = [gun(a="2", s=4), gun(name="second", s=4)]
    boss = [{"models": [3], "sheet": target(name="Boss", toughness=5, wounds=3)}]
    mob = unit("Mob", "blue", target(toughness=2), column(3, 22, 14), loadout=boss)
    dice = {"hit": [3, 3, 3], "wound": [2, 2, 4]}
    b = face_off(arms, more=[mob], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Mob"}, {"weapon": "second", "target": "Mob"}])
    for _ in range(2):
        give(b, "allocate", asked(b, "allocate").options[0].value)  # type: ignore[attr-defined]
    assert [o["wounds"] for o in outcomes(b)] == [2, 0], "the Boss alone is wounded on 5+"


@pytest.mark.rule("w40k10.ability.leader_toughness", check=3)
def test_the_next_attacking_unit_uses_the_leaders_own_toughness() -> None:
    more = [*escort(1), unit("Others", "red", sheet(gun(s=5), name="Other"), [(10, 20)])]
    b = face_off(gun(s=5), more=more, dice={"hit": [3, 3], "wound": [3, 3], "save": [1]})
    shoot(b, at="Guard")
    shoot(b, "Others", "Hero")
    assert [o["wounds"] for o in outcomes(b)] == [1, 0]


@pytest.mark.rule("w40k10.ability.leader_allocation", check=1)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=2)
def test_a_character_is_safe_behind_its_bodyguard_even_when_hurt() -> None:
    more = escort(3)
    more[1].wounds = {1: 2}
    b = shoot(face_off(gun(a="2"), more=more, dice={"hit": [3, 3], "wound": [4, 4], "save": [1, 1]}), at="Guard")
    assert wounds(b, "Guard") == [1, 2]


@pytest.mark.rule("w40k10.ability.leader_allocation", check=4)
def test_a_gift_to_the_saves_of_a_character_is_cited_only_when_the_bodyguard_is_gone() -> None:
    squad = [at("intercessor-squad", 20), at("captain", 22, leads="Intercessor Squad")]
    gift = ("Captain", {"kind": "invulnerable", "value": 3, "who": "model"})
    b = clash([at("boyz", 10)], squad, bare=True, gain=[gift])
    intercessors = called(b, "Intercessor Squad")
    assert "gained 0" not in bodies(b, "Boyz", "Intercessor Squad", "slugga").cites
    b.place_models([m for m in intercessors.models if m not in intercessors.leader], GONE)
    assert "gained 0" in bodies(b, "Boyz", "Intercessor Squad", "slugga").cites


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=1)
@pytest.mark.rule("w40k10.ability.leader_one_unit", check=2)
def test_an_attached_unit_shoots_as_one_unit_and_once() -> None:
    guns = {**HERO, "weapons": [gun(name="relic")], "leads": ["Red"]}
    b = face_off(gun(), more=[unit("Captain", "red", guns, [(10, 9.5)], leads="Reds")], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    assert offered(b, "shoot") == ["Blues", "gun", "relic"]
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "relic", "target": "Blues"}])
    assert offered(b, "shoot_with") == ["Spares"]


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=3)
def test_the_leader_goes_on_as_a_unit_of_its_own() -> None:
    arms = [gun(a="2", s=8)]
    b = shoot(face_off(arms, more=escort(1), dice={"hit": [3, 1], "wound": [2], "save": [1]}), at="Guard")
    guard = named(b, "Guard")
    assert alive(b, "Guard") == 1 and int(b.on_table(guard)[0]) in guard.leader


# --- Destroyed --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.unit.destroyed", check=1)
@pytest.mark.rule("w40k10.unit.destroyed", check=2)
def test_a_unit_is_destroyed_with_its_last_model() -> None:
    b = duel(gun(a="2"), targets=2, dice={"hit": [3, 1], "wound": [4]})
    assert alive(b, "Blues") == 1 and not outcomes(b, "unit_destroyed")
    b = duel(gun(a="2"), targets=2, dice={"hit": [3, 3], "wound": [4, 4]})
    assert alive(b, "Blues") == 0
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["unit"]
    assert b.distance(named(b, "Reds"), named(b, "Blues")) == float("inf")


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=1)
def test_wiping_out_an_attached_unit_destroys_two_units() -> None:
    b = shoot(
        face_off(gun(a="3", s=8, ap=-6, d="5"), more=escort(2), dice={"hit": [3] * 3, "wound": [2] * 3}), at="Guard"
    )
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["bodyguard", "leader"]


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=3)
def test_destroying_only_the_leader_counts_at_once() -> None:
    shot = gun("precision", s=8, ap=-6, d="5")
    b = shoot(face_off(shot, more=escort(2), dice={"hit": [3], "wound": [2]}), at="Guard")
    give(b, "aim", asked(b, "aim").options[0].value)  # type: ignore[attr-defined]
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["leader"]
    assert alive(b, "Guard") == 2


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=3)
def test_of_two_leaders_in_a_unit_the_end_of_each_counts() -> None:
    armies = {"red": "necrons-2000-gunline", "blue": "orks-2000-horde"}
    b = sandtable.new("w40k10", armies=armies, mission="hold-the-line", layout="long-field", seed=1)
    go_on(b, "move_with")
    immortals = named(b, "First Immortals")
    first, second = immortals.leader
    for model in (first, second):
        with pytest.raises(StopIteration):
            Flow(destroy(b, model)).send(None)
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["leader", "leader"]
    assert alive(b, "First Immortals") == immortals.strength
