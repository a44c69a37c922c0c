"""Datasheets: what stands in a profile, and what a battle makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import answers
from sandtable.errors import UserError
from sandtable.systems.w40k11.concepts import has_keyword
from sandtable.systems.w40k11.transports import check_hold
from w40k11.arms import duel, face_off, gun, hurt, melee, target
from w40k11.carriers import HOLD, RHINO
from w40k11.table import FOE, TROOPER, alive, asked, blade, give, named, rolls, situation, unit

rule = pytest.mark.rule


def shot(victim: Any, save: int, ap: int = 0) -> int:
    """How many wounds one hit and a save roll cost a model with 9 wounds."""
    dice = {"hit": [5], "wound": [5], "save": [save]}
    return 9 - hurt(duel(gun(ap=ap), target(wounds=9, **victim), dice=dice))[0]


@rule("w40k11.datasheet.profile", check=1)
def test_saves_are_target_numbers_and_lower_is_better() -> None:
    assert [shot({"save": s}, 3) for s in (3, 4)] == [0, 1]
    assert [shot({"save": 7, "invulnerable": s}, 3) for s in (3, 4)] == [0, 1]
    with pytest.raises(UserError):
        situation([unit("Reds", "red", {**TROOPER, "leadership": 13}, [(5, 5)]), FOE])


@rule("w40k11.datasheet.profile", check=2)
def test_without_an_invulnerable_save_there_is_none() -> None:
    assert [shot({"save": 7, "invulnerable": 6}, 6, -3), shot({"save": 7}, 6, -3)] == [0, 1]


@rule("w40k11.datasheet.profile", check=3)
def test_a_model_without_wounds_is_destroyed() -> None:
    dice = {"hit": [5], "wound": [5], "save": [1]}
    lost = duel(gun(damage="2"), target(wounds=2), dice=dice, targets=2)
    left = duel(gun(damage="2"), target(wounds=3), dice=dice, targets=2)
    assert (alive(lost, "Blues"), alive(left, "Blues")) == (1, 2)


@rule("w40k11.datasheet.weapon", check=1)
def test_melee_weapons_do_not_shoot() -> None:
    b = face_off([gun(), blade()])
    give(b, "shoot_with", "Reds")
    assert [r.label for r in asked(b, "shoot").rows] == ["gun"]


@rule("w40k11.datasheet.weapon", check=2)
def test_ranged_weapons_do_not_fight() -> None:
    b = melee([gun(), blade()])
    assert [r.label for r in asked(b, "strike").rows] == ["blade"]


@rule("w40k11.datasheet.weapon", check=3)
def test_ap_worsens_the_save_roll() -> None:
    assert [shot({"save": 3}, face, -2) for face in (5, 4)] == [0, 1]


@rule("w40k11.datasheet.weapon", check=4)
def test_a_weapon_rolls_as_many_dice_as_it_has_attacks() -> None:
    b = duel(gun(attacks="3"), target(wounds=9), dice={"hit": [1, 1, 1]})
    assert [len(faces) for kind, faces in rolls(b) if kind == "hit"] == [3]


@rule("w40k11.datasheet.abilities", check=1)
def test_a_unit_has_the_abilities_of_its_datasheet_and_what_rules_give_it() -> None:
    def deep(*abilities: str, given: bool = False) -> bool:
        gift = {"unit": "Reds", "name": "Gift", "effects": [{"kind": "grant", "ability": "deep strike"}]}
        reds = unit("Reds", "red", {**TROOPER, "abilities": list(abilities)}, off=1, reserve="strategic")
        b = situation([reds, unit("Base", "red", TROOPER, [(1, 1)]), FOE], round_=2, abilities=[gift] if given else [])
        give(b, "move_with", "Reds")
        give(b, "enter", "ingress")
        decision = asked(b, "arrive")
        return bool(b.check(decision, answers.read(b, decision, [[20, 15]])))

    assert [deep(), deep("deep strike"), deep(given=True)] == [False, True, True]


@rule("w40k11.datasheet.keywords", check=1)
def test_a_rule_for_a_keyword_does_nothing_to_others() -> None:
    def carried(*keywords: str) -> bool:
        reds = unit("Reds", "red", {**TROOPER, "keywords": list(keywords)}, [(20, 10)])
        b = situation([reds, unit("Rhino", "red", RHINO, [(10, 10)]), FOE])
        return bool(check_hold(b, named(b, "Rhino"), [named(b, "Reds")]))

    assert ([carried("INFANTRY"), carried("BEAST")], HOLD["carries"]) == ([True, False], ["INFANTRY"])


@rule("w40k11.datasheet.keywords", check=2)
@pytest.mark.parametrize(("one", "many"), [("BEAST", "BEASTS"), ("GRENADE", "GRENADES")])
def test_singular_and_plural_are_one_keyword(one: str, many: str) -> None:
    def has(own: str, asked_for: str) -> bool:
        b = situation([unit("Reds", "red", {**TROOPER, "keywords": [own]}, [(5, 5)]), FOE])
        return has_keyword(b, named(b, "Reds"), asked_for)

    assert [has(one, many), has(many, one), has(one, "SWARM")] == [True, True, False]
