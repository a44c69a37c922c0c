"""What is not enforced is said so: no effect of the pack is left out in silence."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest
from typer.testing import CliRunner

import sandtable
from sandtable.armies.effects import AnyEffect
from sandtable.armies.enforcement import not_enforced as not_told
from sandtable.armies.enforcement import rules_of
from sandtable.cli.main import app
from sandtable.forty.effects.enforced import KINDS, coverage, left_out, not_enforced, why_unread
from sandtable.systems.w40k10.words import ENFORCED
from w40k10.armies import pack
from w40k10.powers import at, clash, effect_of


def test_every_kind_of_effect_is_judged() -> None:
    assert set(KINDS) == set(get_args(AnyEffect))


def test_each_effect_of_the_pack_is_read_or_listed() -> None:
    """Every rule of the pack goes through a battle's list: nothing that is unread may be missing from it."""
    unread = []
    for where, rule in rules_of(pack()):
        unread += [(where, rule.name) for e in rule.effects if why_unread(ENFORCED, e)]
    assert unread == [("tyrannofex", "Resilient Organism")]
    b = clash([at("tyrannofex", 10)], [at("boyz", 40)])
    assert ("tyrannofex", "Resilient Organism") in {(entry.where, entry.name) for entry in not_enforced(b)}


def test_what_the_pack_leaves_out_is_listed() -> None:
    known = {(entry.where, entry.name): entry for entry in not_told(pack())}
    b = clash([at("intercessor-squad", 10), at("captain", 14)], [at("boyz", 40)])
    found = {(entry.where, entry.name): entry for entry in not_enforced(b)}
    assert ("intercessor-squad", "Target Elimination") in found
    assert all(key in known for key in found)
    assert found[("intercessor-squad", "Target Elimination")].whole is False


def test_an_ability_of_many_units_is_listed_once() -> None:
    b = clash([at("intercessor-squad", 10), at("intercessor-squad", 14, name="Others")], [at("boyz", 40)])
    names = [entry.name for entry in not_enforced(b)]
    assert names.count("Target Elimination") == 1


def test_the_lists_of_both_armies_are_told_apart() -> None:
    b = clash([at("intercessor-squad", 10)], [at("boyz", 40)])
    own = {entry.where for entry in not_enforced(b, 0)}
    assert "intercessor-squad" in own and "boyz" not in own
    by_army = {entry.name: entry.players for entry in left_out(b)}
    assert by_army["Target Elimination"] == (0,) and by_army["Bodyguard"] == (1,)


@pytest.mark.parametrize(
    "effect",
    [
        {"kind": "modify", "roll": "damage", "value": 1},
        {"kind": "grant", "ability": "flying carpet"},
        {"kind": "weapon_ability", "ability": "conversion"},
        {"kind": "weapon_ability", "ability": "assault", "when": ["target_closest"]},
        {"kind": "characteristic", "name": "W", "add": 1, "when": ["charged"]},
        {"kind": "characteristic", "name": "T", "add": 1, "when": ["melee"]},
        {"kind": "characteristic", "name": "A", "add": 1, "weapons": "melee", "when": ["target_closest"]},
        {"kind": "characteristic", "name": "S", "add": "D3", "weapons": "melee"},
        {"kind": "invulnerable", "value": 4, "once": "battle"},
        {"kind": "invulnerable", "value": 4, "who": "friend", "within": 6},
        {"kind": "invulnerable", "value": 4, "die": 4},
        {"kind": "invulnerable", "value": 4, "bearer": ["melee"]},
        {"kind": "modify", "roll": "charge", "value": 1, "when": ["target_closest"]},
        {"kind": "reroll", "roll": "advance", "when": ["ranged"]},
        {"kind": "grant", "ability": "stealth", "when": ["ranged"]},
    ],
)
def test_effects_that_are_not_read(effect: dict[str, object]) -> None:
    assert why_unread(ENFORCED, effect_of(effect))


def test_an_unread_effect_lowers_the_share() -> None:
    gain = [("Boyz", {"kind": "modify", "roll": "damage", "value": 1})]
    b = clash([at("boyz", 10)], [at("intercessor-squad", 40)], gain=gain)
    plain = clash([at("boyz", 10)], [at("intercessor-squad", 40)])
    assert coverage(b, 0).share < coverage(plain, 0).share <= 1
    assert any("modifiers of damage rolls" in entry.what for entry in not_enforced(b))


def test_a_battle_says_at_the_start_what_is_not_enforced() -> None:
    lists = ["--red", "space-marines-1000-gunline", "--blue", "orks-1000-horde"]
    args = [
        "battle",
        "--system",
        "w40k10",
        *lists,
        "--mission",
        "only-war",
        "--seed",
        "3",
        "--players",
        "default,default",
    ]
    told = CliRunner().invoke(app, args).output
    assert "Abilities that are not enforced in every part: red " in told
    found = json.loads(CliRunner().invoke(app, [*args, "--json"]).output)["abilities"]
    army = found["armies"]["red"]
    assert 0 < army["not_enforced"] < army["abilities"] and 0 < army["share"] < 1
    assert {"armies", "where", "of", "ability", "what", "whole"} == set(found["not_enforced"][0])


def test_the_system_counts_for_reports() -> None:
    lists = {"red": "space-marines-1000-gunline", "blue": "orks-1000-horde"}
    b = sandtable.new("w40k10", mission="only-war", armies=lists, seed=7)
    assert b.system.enforcement is not None
    left, total = b.system.enforcement(b, 0)
    assert left == len({(e.where, e.name) for e in not_enforced(b, 0)}) and total > left
    assert msgspec.json.encode(not_enforced(b))


def test_the_page_of_a_battle_names_what_is_not_enforced() -> None:
    from sandtable.page.story import tell

    lists = {"red": "space-marines-1000-gunline", "blue": "orks-1000-horde"}
    b = sandtable.new("w40k10", mission="only-war", armies=lists, seed=7)
    told = tell(b).left_out
    assert len(told) == len(left_out(b)) > 0
    assert any("Target Elimination (intercessor-squad)" in line for line in told)


def test_a_leader_who_takes_less_damage_is_listed_for_what_is_left() -> None:
    leader = clash([at("overlord", 10)], [at("boyz", 40)])
    assert any(e.name == "Implacable Resilience" and "Bodyguard" in e.what for e in not_enforced(leader))
    walker = clash([at("redemptor-dreadnought", 10)], [at("boyz", 40)])
    assert not any(e.name == "Duty Eternal" for e in not_enforced(walker))
