"""Army lists: what the datasheets allow, and what is said when they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from armies.small import small_faction, small_pack, write_pack
from sandtable.armies import ArmyList, Pack, check_list, list_points, load_pack, read_list
from sandtable.errors import UserError


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return small_pack(tmp_path)


def army(*units: dict[str, Any], **fields: Any) -> ArmyList:
    plain = {
        "name": "Test", "system": "w40k10", "pack": "test", "faction": "wardens", "detachment": "watch", "limit": 1000,
        "units": [{"sheet": "wardens", **unit} for unit in units],
    }  # fmt: skip
    return msgspec.convert({**plain, **fields}, ArmyList)


def carry(model: str, *items: str, count: int = 1) -> dict[str, Any]:
    return {"model": model, "carry": items, "count": count}


def test_a_unit_costs_what_its_size_costs(pack: Pack) -> None:
    assert [list_points(pack, army({"size": n})) for n in (5, 6, 10)] == [100, 190, 190]
    assert list_points(pack, army({})) == 100


def test_wargear_adds_its_points(pack: Pack) -> None:
    unit = {"size": 10, "wargear": [carry("Warden", "caster", "knife", count=2)]}
    assert check_list(pack, army(unit)) == []
    assert list_points(pack, army(unit)) == 200


LEGAL: list[list[dict[str, Any]]] = [
    [carry("Sergeant", "pistol", "blade")],
    [carry("Sergeant", "rifle", "blade", "shield")],
    [carry("Sergeant", "knife", "rifle"), carry("Warden", "rifle", "knife", count=4)],
]


@pytest.mark.parametrize("wargear", LEGAL)
def test_options_may_be_combined(pack: Pack, wargear: list[dict[str, Any]]) -> None:
    assert check_list(pack, army({"size": 5, "wargear": wargear})) == []


def test_an_option_may_replace_what_another_gave(pack: Pack) -> None:
    unit = {"wargear": [carry("Sergeant", "shield", "knife")]}
    assert check_list(pack, army({"size": 10, **unit})) == []
    assert "no option lets a model" in check_list(pack, army({"size": 5, **unit}))[0]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"sheet": "dragons"}, "dragons: the pack test has no datasheet 'dragons'."),
    ({"size": 3}, "Wardens: it has 5 to 10 models, not 3."),
    ({"size": 11}, "Wardens: it has 5 to 10 models, not 11."),
    ({"models": {"Warden": 5}}, "Wardens: it has 1 Sergeant, not 0."),
    ({"models": {"Warden": 4, "Sergeant": 2}}, "Wardens: it has 1 Sergeant, not 2."),
    ({"models": {"Warden": 60, "Sergeant": 1}}, "Wardens: it has 5 to 10 models, not 61."),
    ({"models": {"Captain": 5}}, "Wardens: it has no models 'Captain'; it has Warden, Sergeant."),
    ({"size": 5, "models": {"Warden": 5, "Sergeant": 1}}, "Wardens: its size is 5, but its models are 6."),
    ({"wargear": [carry("Captain", "rifle")]}, "Wardens: it has no models 'Captain'"),
    ({"wargear": [carry("Warden", "blade", "knife")]}, "Wardens: no option lets a model (Warden) carry blade, knife."),
    ({"wargear": [carry("Warden", "rifle")]}, "Wardens: no option lets a model (Warden) carry rifle."),
    ({"wargear": [carry("Warden", "caster", "knife", count=2)]}, "Wardens: 1 of its models may have caster"),
    ({"wargear": [carry("Sergeant", "rifle", "knife", count=2)]}, "Wardens: wargear is given to 2 Sergeant"),
    ({"enhancement": "Moon"}, "Wardens: Watch has no enhancement 'Moon'; it has Star."),
    ({"enhancement": "Star"}, "Wardens: Star is for CHARACTER only."),
    ({"attached_to": "Nobody"}, "Wardens: it is attached to 'Nobody', but no unit is called that."),
    ({"embarked_in": "Wardens"}, "Wardens: Wardens transports nobody."),
]


@pytest.mark.parametrize(("unit", "sentence"), WRONG)
def test_what_a_datasheet_does_not_allow_is_told(pack: Pack, unit: dict[str, Any], sentence: str) -> None:
    problems = check_list(pack, army(unit))
    assert len(problems) == 1 and problems[0].startswith(sentence), problems


def test_too_many_points_are_told(pack: Pack) -> None:
    assert check_list(pack, army({"size": 10}, limit=150)) == ["The army costs 190 points; the limit is 150."]


def test_a_list_of_another_system_faction_or_detachment_is_told(pack: Pack) -> None:
    assert check_list(pack, army({}, system="w40k11")) == ["The list is for w40k11, the pack test for w40k10."]
    assert "no faction 'elves'" in check_list(pack, army({}, faction="elves"))[0]
    assert "no detachment 'guard'" in check_list(pack, army({}, detachment="guard"))[0]


def test_names_of_units_that_others_refer_to_are_unique(pack: Pack) -> None:
    problems = check_list(pack, army({}, {}, {"name": "Third", "attached_to": "Wardens"}))
    assert problems == ["Third: it is attached to 'Wardens', but several units are called that."]


def transport_pack(folder: Path) -> Pack:
    """Wardens, a leader for them, and a wagon with eight places."""
    faction = small_faction()
    wardens = faction["sheets"][0]
    kind = {**wardens["models"][0], "min": 1, "max": 1}
    boss = {
        "id": "boss", "name": "Boss", "role": "character", "keywords": ["INFANTRY", "CHARACTER", "LARGE"],
        "models": [{**kind, "name": "Boss"}], "points": [{"models": 1, "points": 60}], "leads": ["wardens"],
    }  # fmt: skip
    aide = {**boss, "id": "aide", "name": "Aide", "keywords": ["INFANTRY", "CHARACTER"], "leads_beside": ["boss"]}
    wagon = {
        "id": "wagon", "name": "Wagon", "role": "transport", "keywords": ["VEHICLE"],
        "models": [{**kind, "name": "Wagon", "base": "hull 5x3"}], "points": [{"models": 1, "points": 70}],
        "transport": {"capacity": 8, "who": [["INFANTRY"]], "special": [{"keyword": "LARGE", "room": 3}]},
    }  # fmt: skip
    faction["sheets"] += [boss, aide, wagon]
    return load_pack(write_pack(folder, faction))


def test_a_leader_rides_with_its_unit(tmp_path: Path) -> None:
    pack = transport_pack(tmp_path)
    boss = {"sheet": "boss", "attached_to": "Wardens"}
    wagon = {"sheet": "wagon"}
    assert check_list(pack, army(boss, {"size": 5, "embarked_in": "Wagon"}, wagon)) == []
    told = check_list(pack, army({"size": 6, "embarked_in": "Wagon"}, boss, wagon))
    assert told == ["Wardens: Wagon has room for 8 models, not 9."]


def test_a_second_leader_needs_leave(tmp_path: Path) -> None:
    pack = transport_pack(tmp_path)
    boss, aide = ({"sheet": s, "attached_to": "Wardens"} for s in ("boss", "aide"))
    assert check_list(pack, army({}, boss, aide)) == []
    told = check_list(pack, army({}, {**boss, "name": "A"}, {**boss, "name": "B"}))
    assert told == ["Wardens: its Leaders Boss and Boss cannot lead it together."]


def test_a_vehicle_cannot_ride(tmp_path: Path) -> None:
    pack = transport_pack(tmp_path)
    problems = check_list(
        pack, army({"sheet": "wagon", "name": "One", "embarked_in": "Two"}, {"sheet": "wagon", "name": "Two"})
    )
    assert problems == ["One: it cannot embark in Two."]


@pytest.mark.parametrize(
    "change",
    [
        {"units": []},
        {"colour": "red"},
        {"limit": -1},
        {"units": [{"sheet": "x", "size": 10**9}]},
        {"units": [{"sheet": "x", "models": {"Warden": -4}}]},
        {"name": 7},
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    file = tmp_path / "list.yaml"
    file.write_text(yaml.safe_dump({**msgspec.to_builtins(army({})), **change}))
    with pytest.raises(UserError, match=r"list\.yaml"):
        read_list(file)


def test_absurdly_many_options_end_in_time(tmp_path: Path) -> None:
    faction = small_faction()
    sheet = faction["sheets"][0]
    items = ["rifle", "knife", "caster", "blade", "pistol", "shield"]
    sheet["options"] = [{"replace": [a], "by": [{"items": [b]} for b in items]} for a in items for _ in range(2)]
    pack = load_pack(write_pack(tmp_path, faction))
    problems = check_list(pack, army({"wargear": [carry("Warden", *["shield"] * 9)]}))
    assert "no option lets a model" in problems[0]
