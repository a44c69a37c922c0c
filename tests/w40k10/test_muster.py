"""Mustering an army, and from an army list to a battle."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies import Pack
from sandtable.armies.format import FactionFile
from sandtable.battle import OFF
from sandtable.errors import UserError
from sandtable.forty.enlist import Army
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.muster import check_muster
from sandtable.systems.w40k10.state import sheet_of, weapons_of
from w40k10.armies import (
    BOYZ,
    CAPTAIN,
    INTERCESSORS,
    OPEN_FIELD,
    WARBOSS,
    army,
    battle,
    broken,
    pack,
)
from w40k10.powers import effect_of


@pytest.mark.parametrize("path", pack().lists, ids=lambda p: p.stem)
def test_every_list_of_the_pack_is_in_order(path: object) -> None:
    from sandtable.armies import read_list

    assert not check_muster(read_list(path), pack())  # type: ignore[arg-type]


@pytest.mark.rule("w40k10.muster.battle_size", check=1)
def test_armies_are_of_1000_2000_or_3000_points() -> None:
    for limit in (1000, 2000, 3000):
        assert not broken(army(CAPTAIN, INTERCESSORS, limit=limit))
    assert broken(army(CAPTAIN, INTERCESSORS, limit=1500)) == {"w40k10.muster.battle_size"}


@pytest.mark.rule("w40k10.muster.battle_size", check=2)
def test_both_players_use_the_same_battle_size() -> None:
    armies = {
        "red": Army(army(CAPTAIN), pack()),
        "blue": Army(army(WARBOSS, faction="orks", limit=2000), pack()),
    }
    with pytest.raises(UserError, match=r"w40k10\.muster\.battle_size"):
        build(armies, "only-war", OPEN_FIELD)


@pytest.mark.rule("w40k10.muster.faction", check=1)
def test_a_unit_of_another_faction_is_refused() -> None:
    assert broken(army(CAPTAIN, BOYZ)) == {"w40k10.muster.faction"}


@pytest.mark.rule("w40k10.muster.faction", check=2)
def test_a_list_names_one_faction() -> None:
    listed = army(CAPTAIN, {"sheet": "boyz"})
    assert [p.text for p in check_muster(listed, pack())] == ["The keyword ADEPTUS ASTARTES is missing from Boyz."]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.to_builtins(listed), "faction": ["orks", "necrons"]}, type(listed))


@pytest.mark.rule("w40k10.muster.detachment", check=1)
def test_an_unknown_detachment_is_refused() -> None:
    assert broken(army(CAPTAIN, detachment="war-horde")) == {"w40k10.muster.detachment"}


@pytest.mark.rule("w40k10.muster.character", check=1)
def test_an_army_without_a_character_is_refused() -> None:
    assert "w40k10.muster.character" in broken(army(INTERCESSORS))
    assert "w40k10.muster.character" not in broken(army(CAPTAIN))
    assert "w40k10.muster.character" not in broken(army(CAPTAIN, INTERCESSORS))


@pytest.mark.rule("w40k10.muster.points", check=1)
def test_a_total_of_exactly_the_limit_is_legal_and_more_is_not() -> None:
    exact = army(CAPTAIN, INTERCESSORS, {"sheet": "lieutenant", "enhancement": "The Honour Vehement"})
    from sandtable.armies import list_points

    points = list_points(pack(), exact)
    assert "w40k10.muster.points" not in broken(msgspec.structs.replace(exact, limit=points))
    assert "w40k10.muster.points" in broken(msgspec.structs.replace(exact, limit=points - 1))


@pytest.mark.rule("w40k10.muster.points", check=2)
def test_enhancements_count_for_the_points() -> None:
    listed = army({**CAPTAIN, "enhancement": "Artificer Armour"})
    assert "w40k10.muster.points" in broken(msgspec.structs.replace(listed, limit=89))
    assert "w40k10.muster.points" not in broken(msgspec.structs.replace(listed, limit=90))


@pytest.mark.rule("w40k10.muster.copies", check=1)
def test_a_fourth_unit_of_a_datasheet_is_refused() -> None:
    squad = {"sheet": "eradicator-squad"}
    assert not broken(army(CAPTAIN, *[squad] * 3))
    assert broken(army(CAPTAIN, *[squad] * 4)) == {"w40k10.muster.copies"}


@pytest.mark.rule("w40k10.muster.copies", check=2)
def test_six_battleline_units_are_legal_a_seventh_is_not() -> None:
    assert not broken(army(CAPTAIN, *[INTERCESSORS] * 6))
    assert broken(army(CAPTAIN, *[INTERCESSORS] * 7)) == {"w40k10.muster.copies"}


@pytest.mark.rule("w40k10.muster.copies", check=3)
def test_six_dedicated_transports_are_legal_a_seventh_is_not() -> None:
    impulsor = {"sheet": "impulsor"}
    assert not broken(army(CAPTAIN, *[impulsor] * 6))
    assert broken(army(CAPTAIN, *[impulsor] * 7)) == {"w40k10.muster.copies"}


@pytest.mark.rule("w40k10.muster.enhancements", check=1)
def test_an_enhancement_is_for_characters() -> None:
    assert broken(army(CAPTAIN, {**INTERCESSORS, "enhancement": "Fire Discipline"})) == {"w40k10.muster.enhancements"}
    assert not broken(army({**CAPTAIN, "enhancement": "Fire Discipline"}, INTERCESSORS))


@pytest.mark.rule("w40k10.muster.enhancements", check=2)
def test_a_unit_has_one_enhancement() -> None:
    with pytest.raises(msgspec.ValidationError):
        army({**CAPTAIN, "enhancement": ["Fire Discipline", "Artificer Armour"]})
    assert broken(army(CAPTAIN, {**BOYZ, "enhancement": "Fire Discipline"})) >= {"w40k10.muster.enhancements"}


@pytest.mark.rule("w40k10.muster.enhancements", check=3)
def test_a_fourth_enhancement_is_refused() -> None:
    names = ["Artificer Armour", "The Honour Vehement", "Fire Discipline", "Adept of the Codex"]
    heroes = [{"sheet": "captain", "enhancement": name, "name": name} for name in names[3:]]
    others = [{"sheet": "lieutenant", "enhancement": name, "name": name} for name in names[:3]]
    three = army(CAPTAIN, *others)
    assert not broken(three)
    assert broken(army(CAPTAIN, *others, *heroes)) == {"w40k10.muster.enhancements"}


@pytest.mark.rule("w40k10.muster.enhancements", check=4)
def test_the_same_enhancement_twice_is_refused() -> None:
    hero = {"sheet": "lieutenant", "enhancement": "Fire Discipline"}
    assert broken(army(CAPTAIN, hero, {**hero, "name": "Other"})) == {"w40k10.muster.enhancements"}


@pytest.mark.rule("w40k10.muster.enhancements", check=5)
def test_an_epic_hero_has_no_enhancement() -> None:
    hero = {"sheet": "captain-sicarius", "enhancement": "Fire Discipline", "warlord": True}
    assert broken(army(hero)) == {"w40k10.muster.enhancements"}


@pytest.mark.rule("w40k10.muster.epic_heroes", check=1)
def test_a_second_copy_of_an_epic_hero_is_refused() -> None:
    hero = {"sheet": "imotekh-the-stormlord"}
    listed = army({**hero, "warlord": True}, {**hero, "name": "Again"}, faction="necrons")
    assert broken(listed) == {"w40k10.muster.epic_heroes"}


@pytest.mark.rule("w40k10.muster.epic_heroes", check=2)
def test_two_different_epic_heroes_are_legal() -> None:
    two: list[dict[str, Any]] = [
        {"sheet": "imotekh-the-stormlord", "warlord": True},
        {"sheet": "ctan-shard-of-the-void-dragon"},
    ]
    assert not broken(army(*two, faction="necrons"))
    assert not broken(army(CAPTAIN, INTERCESSORS, {**INTERCESSORS, "name": "Others"}))  # no heroes
    assert broken(army(*two, {**two[1], "name": "Again"}, faction="necrons")) == {"w40k10.muster.epic_heroes"}


@pytest.mark.rule("w40k10.muster.warlord", check=1)
def test_an_army_has_exactly_one_warlord() -> None:
    captain = {"sheet": "captain"}
    assert broken(army(captain)) == {"w40k10.muster.warlord"}
    assert broken(army(CAPTAIN, {**CAPTAIN, "name": "Two"})) == {"w40k10.muster.warlord"}
    assert not broken(army(CAPTAIN, captain))


@pytest.mark.rule("w40k10.muster.warlord", check=3)
def test_the_warlord_is_a_character() -> None:
    assert broken(army({"sheet": "captain"}, {**INTERCESSORS, "warlord": True})) == {"w40k10.muster.warlord"}


@pytest.mark.rule("w40k10.muster.warlord", check=3)
def test_a_warlord_that_the_pack_does_not_know_is_refused_for_that_alone() -> None:
    found = broken(army({"sheet": "captain"}, {"sheet": "nobody", "warlord": True}))
    assert found == {"w40k10.datasheet.composition"}


@pytest.mark.rule("w40k10.muster.warlord", check=1)
def test_datasheets_forbid_to_be_the_warlord_or_that_another_is() -> None:
    def with_captain(what: str, *units: dict[str, Any]) -> set[str]:
        ability = next(a for s in marines().sheets for a in s.abilities)
        own = msgspec.structs.replace(ability, effects=(effect_of({"kind": "forbid", "what": what}),))
        sheets = tuple(
            msgspec.structs.replace(s, abilities=(own,)) if s.id == "captain" else s for s in marines().sheets
        )
        return {p.rule for p in check_muster(army(*units), changed_pack(sheets=sheets))}

    lieutenant, captain = {"sheet": "lieutenant"}, {"sheet": "captain"}
    assert with_captain("warlord", CAPTAIN, lieutenant) == {"w40k10.muster.warlord"}
    assert with_captain("warlord", captain, {**lieutenant, "warlord": True}) == set()
    assert with_captain("another_warlord", captain, {**lieutenant, "warlord": True}) == {"w40k10.muster.warlord"}
    assert with_captain("another_warlord", CAPTAIN, lieutenant) == set()


@pytest.mark.rule("w40k10.muster.warlord", check=2)
def test_the_warlord_has_the_keyword() -> None:
    b = battle()
    assert model_has_keyword(b, 0, "WARLORD")
    assert b.setup.data.roster[0].warlord == 0
    assert not model_has_keyword(b, 1, "WARLORD")


@pytest.mark.rule("w40k10.datasheet.composition", check=1)
@pytest.mark.rule("w40k10.datasheet.composition", check=2)
def test_a_unit_has_as_many_models_as_its_datasheet_allows() -> None:
    assert broken(army(CAPTAIN, {**INTERCESSORS, "size": 4})) == {"w40k10.datasheet.composition"}
    assert broken(army(CAPTAIN, {**INTERCESSORS, "size": 11})) == {"w40k10.datasheet.composition"}
    assert not broken(army(CAPTAIN, {**INTERCESSORS, "size": 10}, {**INTERCESSORS, "size": 5, "name": "Five"}))


@pytest.mark.rule("w40k10.datasheet.composition", check=1)
def test_what_other_rules_refuse_is_no_matter_of_the_composition() -> None:
    squads = [{**INTERCESSORS, "size": 10, "name": f"Squad {i}"} for i in range(6)]
    assert broken(army(CAPTAIN, *squads)) == {"w40k10.muster.points"}
    small = {**INTERCESSORS, "size": 4}
    assert broken(army(CAPTAIN, *squads, small)) >= {"w40k10.muster.points", "w40k10.datasheet.composition"}


@pytest.mark.rule("w40k10.datasheet.wargear_options", check=4)
def test_wargear_that_no_option_gives_is_refused() -> None:
    odd = {**INTERCESSORS, "wargear": [{"model": "Intercessor", "carry": ["bolt rifle", "bolt rifle"]}]}
    assert broken(army(CAPTAIN, odd)) == {"w40k10.datasheet.wargear_options"}


@pytest.mark.rule("w40k10.datasheet.wargear_options", check=1)
def test_an_option_for_one_model_in_five_is_used_once_for_five() -> None:
    grenades = {
        "model": "Intercessor",
        "carry": ["bolt pistol", "bolt rifle", "close combat weapon", "astartes grenade launcher"],
    }
    one = {**INTERCESSORS, "wargear": [grenades]}
    assert not broken(army(CAPTAIN, one))
    two = {**INTERCESSORS, "wargear": [{**grenades, "count": 2}]}
    assert broken(army(CAPTAIN, two)) == {"w40k10.datasheet.wargear_options"}


@pytest.mark.rule("w40k10.datasheet.wargear_options", check=2)
def test_the_order_of_options_makes_no_difference() -> None:
    carried = ["bolt pistol", "bolt rifle", "close combat weapon", "astartes grenade launcher"]
    for items in (carried, carried[::-1], [carried[3], *carried[:3]]):
        assert not broken(army(CAPTAIN, {**INTERCESSORS, "wargear": [{"model": "Intercessor", "carry": items}]}))
    twice = {**INTERCESSORS, "wargear": [{"model": "Intercessor", "carry": [*carried, carried[3]]}]}
    assert broken(army(CAPTAIN, twice)) == {"w40k10.datasheet.wargear_options"}


def test_a_list_that_breaks_several_rules_names_each() -> None:
    listed = army(BOYZ, *[{"sheet": "eradicator-squad"}] * 4)
    assert broken(listed) == {
        "w40k10.muster.faction",
        "w40k10.muster.character",
        "w40k10.muster.copies",
        "w40k10.muster.warlord",
    }
    with pytest.raises(UserError, match=r"red: .*muster\.faction(.|\n)*red: .*muster\.warlord"):
        build({"red": Army(listed, pack()), "blue": Army(listed, pack())}, "only-war", OPEN_FIELD)


# --- From the list to the battle --------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.datasheet.composition", check=3)
def test_models_carry_their_default_equipment_unless_the_list_says_otherwise() -> None:
    b = battle()
    squad = next(u for u in b.units() if u.name == "Intercessor Squad")
    carried = {w.name for m in squad.models for w in weapons_of(b, m)}
    assert carried >= {"bolt rifle", "bolt pistol", "close combat weapon"}
    assert "astartes grenade launcher" not in {w.item for m in squad.models for w in weapons_of(b, m)}


@pytest.mark.rule("w40k10.datasheet.composition", check=3)
def test_where_a_datasheet_has_no_options_models_carry_the_default_and_nothing_else() -> None:
    outriders = {"sheet": "outrider-squad"}
    b = battle(red=[CAPTAIN, outriders])
    squad = next(u for u in b.units() if u.name == "Outrider Squad")
    kit = {"heavy bolt pistol", "twin bolt rifle", "astartes chainsword"}
    assert [{w.name for w in weapons_of(b, m)} for m in squad.models] == [kit] * 3
    for carry in (["heavy bolt pistol", "twin bolt rifle"], [*sorted(kit), "power fist"]):
        odd = {**outriders, "wargear": [{"model": "Outrider", "carry": carry}]}
        assert broken(army(CAPTAIN, odd)) == {"w40k10.datasheet.wargear_options"}


def test_a_model_with_several_of_a_weapon_has_each_of_them() -> None:
    b = battle(blue=[WARBOSS, {"sheet": "dakkajet"}])
    jet = next(u for u in b.units() if u.name == "Dakkajet")
    shootas = [w for w in weapons_of(b, jet.models[0]) if w.name.startswith("twin supa-shoota")]
    assert len(shootas) == 2
    assert len({w.item for w in shootas}) == 2


@pytest.mark.rule("w40k10.muster.roster", check=1)
@pytest.mark.rule("w40k10.muster.roster", check=2)
def test_the_roster_is_open_to_everybody() -> None:
    b = battle(red=[{**CAPTAIN, "enhancement": "Fire Discipline"}, INTERCESSORS])
    entry, squad = b.view(1).setup.data.roster[:2]
    assert (entry.datasheet, entry.points, entry.enhancement) == ("captain", 105, "Fire Discipline")
    assert (squad.models, squad.points) == (5, 80)
    assert squad.wargear[1] == ("bolt pistol", "bolt rifle", "close combat weapon")


@pytest.mark.rule("w40k10.concept.army", check=1)
def test_every_model_belongs_to_one_army() -> None:
    b = battle()
    owners = [[u.player for u in b.units() if m in u.models] for m in range(len(b.setup.shape_of))]
    assert all(len(found) == 1 for found in owners)
    assert {found[0] for found in owners} == {0, 1}
    assert list(b.state.models.place) == [OFF] * len(owners)


def test_equal_units_have_names_of_their_own() -> None:
    b = battle(red=[CAPTAIN, INTERCESSORS, INTERCESSORS])
    assert [u.name for u in b.units_of(0)] == ["Captain", "Intercessor Squad 1", "Intercessor Squad 2"]
    assert sorted({sheet_of(b, m).name for m in range(1, 6)}) == ["Intercessor", "Intercessor Sergeant"]


def marines() -> FactionFile:
    """The Space Marines of the pack."""
    return next(file for file in pack().files if file.faction.id == "space-marines")


def changed_pack(**changes: Any) -> Pack:
    """The pack with other Space Marines."""
    files = tuple(msgspec.structs.replace(f, **changes) if f is marines() else f for f in pack().files)
    return Pack(pack().header, files)


@pytest.mark.rule("w40k10.muster.detachment", check=2)
def test_a_detachment_may_forbid_units_and_ask_for_others() -> None:
    listed = army(CAPTAIN, INTERCESSORS)

    def with_detachment(**words: tuple[str, ...]) -> set[str]:
        faction = marines().faction
        chosen = [msgspec.structs.replace(d, **words) for d in faction.detachments]
        changed = msgspec.structs.replace(faction, detachments=tuple(chosen))
        return {p.rule for p in check_muster(listed, changed_pack(faction=changed))}

    refused = {"w40k10.muster.detachment"}
    assert with_detachment(forbids=("intercessor-squad",)) == refused
    assert with_detachment(forbids=("BATTLELINE",)) == refused
    assert with_detachment(forbids=("VEHICLE",)) == set()
    assert with_detachment(needs=("VEHICLE",)) == refused
    assert with_detachment(needs=("BATTLELINE", "captain")) == set()


@pytest.mark.rule("w40k10.datasheet.wargear_options", check=3)
def test_an_option_for_units_of_9_or_fewer_is_closed_to_a_unit_of_10() -> None:
    carried = ["bolt pistol", "bolt rifle", "close combat weapon", "astartes grenade launcher"]
    unit = {**INTERCESSORS, "wargear": [{"model": "Intercessor", "carry": carried}]}

    def broken_with(size: int, **limits: int) -> bool:
        sheets = [
            msgspec.structs.replace(s, options=tuple(msgspec.structs.replace(o, **limits) for o in s.options))
            for s in marines().sheets
        ]
        found = check_muster(army(CAPTAIN, {**unit, "size": size}), changed_pack(sheets=tuple(sheets)))
        return "w40k10.datasheet.wargear_options" in {p.rule for p in found}

    assert not broken_with(5, to_size=9)
    assert broken_with(10, to_size=9)
    assert broken_with(5, from_size=10)
    assert not broken_with(10, from_size=10)
