"""The built-in pack of 10th edition: complete, open about what it leaves out, and with lists that can be played."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sandtable.armies import (
    Pack,
    check_list,
    find_packs,
    list_points,
    load_pack,
    not_enforced,
    open_pack,
    read_list,
    share,
)
from sandtable.errors import UserError

FACTIONS = ("space-marines", "orks", "necrons", "tyranids")
SLACK = 30


@cache
def pack() -> Pack:
    return open_pack("w40k10")


def test_a_checkout_finds_its_pack_without_an_installation() -> None:
    assert (find_packs()["w40k10"] / "pack.yaml").is_file()


def test_a_pack_opens_by_its_folder() -> None:
    assert open_pack(str(find_packs()["w40k10"])).header.id == "w40k10"


def test_an_unknown_pack_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"packs are .*w40k10"):
        open_pack("w40k99")


def test_a_folder_without_a_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pack\.yaml"):
        load_pack(tmp_path)


def test_there_are_four_factions_with_a_dozen_datasheets_each() -> None:
    assert tuple(f.id for f in pack().factions) == FACTIONS
    for faction in FACTIONS:
        assert len(pack().sheets(faction)) >= 12


@pytest.mark.parametrize("faction", FACTIONS)
def test_a_faction_has_every_kind_of_unit(faction: str) -> None:
    sheets = pack().sheets(faction)
    keywords = [set(sheet.keywords) for sheet in sheets]
    for wanted in ("CHARACTER", "EPIC HERO", "BATTLELINE", "INFANTRY", "FLY", "AIRCRAFT", "TRANSPORT"):
        assert any(wanted in has for has in keywords), wanted
    assert any(has & {"VEHICLE", "MONSTER"} for has in keywords)
    assert sum("leader" in sheet.core and bool(sheet.leads) for sheet in sheets) >= 3
    assert any(sheet.transport for sheet in sheets)


def test_keywords_and_leaders_agree_with_the_rest_of_the_sheet() -> None:
    for sheet in pack().sheets():
        assert ("leader" in sheet.core) == bool(sheet.leads), sheet.id
        assert ("TRANSPORT" in sheet.keywords) == (sheet.transport is not None), sheet.id
        assert ("AIRCRAFT" in sheet.keywords) == (sheet.models[0].stats["M"] == "20+"), sheet.id
        assert (sheet.role == "character") <= ("CHARACTER" in sheet.keywords), sheet.id
        assert sheet.faction_rules, sheet.id


def test_every_model_can_fight() -> None:
    for sheet in pack().sheets():
        for kind in sheet.models:
            weapons = [w for name in kind.equipment if (w := sheet.weapon(name))]
            assert any("WS" in p.stats for w in weapons for p in w.profiles), (sheet.id, kind.name)


def test_every_rule_is_enforced_or_listed_as_not() -> None:
    listed = {(entry.where, entry.name) for entry in not_enforced(pack())}
    for sheet in pack().sheets():
        for ability in sheet.abilities:
            told = bool(ability.effects) and ability.left_out is None
            assert told != ((sheet.id, ability.name) in listed), (sheet.id, ability.name)
    counts = share(pack())
    assert counts.total == counts.whole + len(not_enforced(pack()))
    assert counts.none / counts.total < 0.1


def test_texts_are_short() -> None:
    for sheet in pack().sheets():
        for ability in sheet.abilities:
            assert len(ability.text) <= 200, (sheet.id, ability.name)


@pytest.mark.parametrize("path", pack().lists, ids=lambda path: path.stem)
def test_a_ready_list_is_legal_and_close_to_its_limit(path: Path) -> None:
    army = read_list(path)
    assert check_list(pack(), army) == []
    assert army.limit - SLACK <= list_points(pack(), army) <= army.limit
    assert sum(unit.warlord for unit in army.units) == 1


def test_each_faction_has_two_lists_of_each_size() -> None:
    armies = [read_list(path) for path in pack().lists]
    for faction in FACTIONS:
        for limit in (1000, 2000):
            assert sum(a.faction == faction and a.limit == limit for a in armies) == 2
    assert len({a.name for a in armies}) == len(armies)


def test_every_datasheet_is_in_a_list_or_could_be() -> None:
    """The lists between them use most of the pack, so that a mistake in it is likely to be seen in play."""
    used = {unit.sheet for path in pack().lists for unit in read_list(path).units}
    assert used <= {sheet.id for sheet in pack().sheets()}
    assert len(used) >= 0.85 * len(pack().sheets())


def test_ready_lists_follow_the_usual_limits_of_copies() -> None:
    for path in pack().lists:
        army = read_list(path)
        for sheet in pack().sheets(army.faction):
            copies = sum(unit.sheet == sheet.id for unit in army.units)
            common = {"BATTLELINE", "DEDICATED TRANSPORT"} & set(sheet.keywords)
            assert copies <= (1 if "EPIC HERO" in sheet.keywords else 6 if common else 3), (path.stem, sheet.id)
        assert sum(unit.enhancement is not None for unit in army.units) <= 3
