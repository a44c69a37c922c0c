"""What stands in for mustering: the limits of an army."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from armies.small import small_faction, small_sheet, write_pack
from sandtable.armies import ArmyList, list_points, load_pack
from sandtable.armies.effects import FeelNoPain
from sandtable.battle import Battle
from sandtable.battle.dice import ScriptedDice
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.enlist import Army
from sandtable.systems.w40k11.muster import RULE, assemble, check_limits
from sandtable.systems.w40k11.system import SYSTEM
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, OPEN_FIELD, army, pack

rule = pytest.mark.rule

SIZE = "w40k11.gap.battle_size"
LIEUTENANT: dict[str, Any] = {"sheet": "lieutenant"}
TANK: dict[str, Any] = {"sheet": "predator-destructor"}


def broken(listed: ArmyList) -> list[str]:
    """What is wrong with a list."""
    return [p.text for p in check_limits(listed, pack()) if p.rule == RULE]


def big(*units: dict[str, Any]) -> ArmyList:
    """A large army."""
    return army(CAPTAIN, *units, limit=3000)


@rule("w40k11.gap.mustering", check=1)
def test_an_army_has_a_character() -> None:
    told = "The army has no CHARACTER: add one to the list, such as Captain."
    assert (broken(army(INTERCESSORS))[0], broken(army(CAPTAIN))) == (told, [])


@rule("w40k11.gap.mustering", check=2)
def test_three_units_of_a_datasheet_or_six_of_battleline() -> None:
    told = [broken(big(*([LIEUTENANT] * 3))), broken(big(*([INTERCESSORS] * 6)))]
    more = [len(broken(big(*([LIEUTENANT] * 4)))), len(broken(big(*([INTERCESSORS] * 7))))]
    assert (told, more) == ([[], []], [1, 1])


@rule("w40k11.gap.mustering", check=3)
def test_enhancements_and_epic_heroes() -> None:
    names = ["Artificer Armour", "The Honour Vehement", "Fire Discipline"]
    three = [{"sheet": "lieutenant", "enhancement": name, "name": name} for name in names]
    hero = {"sheet": "captain-sicarius"}
    good = [army(CAPTAIN, *three), army({**hero, "warlord": True})]
    bad = [
        army({**CAPTAIN, "enhancement": "Adept of the Codex"}, *three),
        army({**CAPTAIN, "enhancement": names[0]}, three[0]),
        army(CAPTAIN, {**INTERCESSORS, "enhancement": names[0]}),
        army({**hero, "warlord": True, "enhancement": names[0]}),
        army({**hero, "warlord": True}, {**hero, "name": "Again"}),
    ]
    assert ([len(broken(x)) for x in good], [len(broken(x)) for x in bad]) == ([0, 0], [1, 1, 1, 1, 1])


@rule("w40k11.gap.mustering", check=4)
def test_all_share_a_faction_and_one_character_is_the_warlord() -> None:
    no_warlord = army({"sheet": "captain"})
    squad = army({"sheet": "captain"}, {**INTERCESSORS, "warlord": True})
    faults = [len(broken(listed)) for listed in (army(CAPTAIN, BOYZ), no_warlord, squad, army(CAPTAIN, INTERCESSORS))]
    assert faults == [1, 1, 1, 0]


@rule("w40k11.gap.mustering", check=5)
def test_more_points_than_the_battle_size_are_illegal() -> None:
    listed = army(CAPTAIN, INTERCESSORS)
    points = list_points(pack(), listed)
    exact, less = (msgspec.structs.replace(listed, limit=n) for n in (points, points - 1))
    assert (len(broken(exact)), len(broken(less))) == (0, 1)


@rule("w40k11.ability.faction", check=1)
def test_a_unit_of_another_faction_does_not_use_the_ability_of_the_army(tmp_path: Path) -> None:
    allies = {**small_sheet(), "id": "allies", "name": "Allies", "faction_keywords": ["OTHERS"]}
    faction = {**small_faction(), "sheets": [small_sheet(), allies]}
    listed = army({"sheet": "wardens"}, {"sheet": "allies"}, faction="wardens", detachment="watch")
    armies = {"red": Army(listed, load_pack(write_pack(tmp_path, faction)))}
    b = Battle(SYSTEM, *assemble(armies, OPEN_FIELD, {}), dice=ScriptedDice([]))
    assert [[a.name for a in at_work(b, u, FeelNoPain)] for u in b.units()] == [["Grit"], []]
