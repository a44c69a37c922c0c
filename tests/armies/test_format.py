"""What a pack document must hold, and how it is refused if it does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from armies.small import small_faction, small_pack, write_pack
from sandtable.armies import ArmyList, check_list, load_pack
from sandtable.armies.characteristics import is_one_of, printed, problem_of_value
from sandtable.armies.format import Psyker
from sandtable.armies.lists import list_cost, list_power, unit_power
from sandtable.errors import UserError

Change = Callable[[dict[str, Any]], object]


def sheet_of(faction: dict[str, Any]) -> dict[str, Any]:
    sheet: dict[str, Any] = faction["sheets"][0]
    return sheet


def test_a_sheet_gets_the_shared_weapons_that_it_uses(tmp_path: Path) -> None:
    sheet = small_pack(tmp_path).sheet("wardens")
    assert sheet is not None
    assert [w.name for w in sheet.weapons] == ["caster", "blade", "pistol", "rifle", "knife"]
    assert sheet.faction_keywords == ("WARDENS",)
    assert sheet.sizes == (5, 10)


REFUSED: list[tuple[str, Change, tuple[str, ...]]] = [
    ("unknown field", lambda s: s.update(colour="red"), ("wardens", "colour", "its fields are id, name,")),
    ("no keywords", lambda s: s.update(keywords=[]), ("keywords",)),
    ("keyword in lower case", lambda s: s["keywords"].append("Walker"), ("upper case", "Walker")),
    ("id with blanks", lambda s: s.update(id="the wardens"), ("the wardens", "id")),
    ("unknown weapon", lambda s: s["models"][0]["equipment"].append("bazooka"), ("Warden", "bazooka")),
    ("missing stat", lambda s: s["models"][0]["stats"].pop("OC"), ("Warden", "OC is missing")),
    ("foreign stat", lambda s: s["models"][0]["stats"].update(WS=3), ("Warden", "no WS")),
    ("absurd stat", lambda s: s["models"][0]["stats"].update(T=99), ("T is 1 to 30, not 99",)),
    ("stat as a word", lambda s: s["models"][0]["stats"].update(T="tough"), ("T is 1 to 30",)),
    ("dice as nonsense", lambda s: s["weapons"][1]["profiles"][0]["stats"].update(A="6D"), ("blade", "A is")),
    ("no such weapon ability", lambda s: s["weapons"][0]["profiles"][1].update(abilities=["boom"]), ("boom",)),
    ("no such core ability", lambda s: s["core"].append("teleport"), ("core", "teleport")),
    ("no such faction rule", lambda s: s.update(faction_rules=["Luck"]), ("Luck",)),
    ("bad base", lambda s: s["models"][0].update(base="big"), ("32mm", "big")),
    ("absurd base", lambda s: s["models"][0].update(base="999mm"), ("999mm",)),
    ("absurd unit", lambda s: s["models"][0].update(max=5000), ("models[0].max",)),
    ("more than the kinds allow", lambda s: s["points"].append({"models": 20, "points": 1}), ("20 models",)),
    ("min above max", lambda s: s["models"][0].update(min=9, max=3), ("at least 9",)),
    ("negative points", lambda s: s["points"][0].update(points=-5), ("points",)),
    ("option for nobody", lambda s: s["options"][0].update(who=["Captain"]), ("Captain",)),
    ("option with unknown item", lambda s: s["options"][0].update(by=[{"items": ["halo"]}]), ("halo",)),
    ("per without count", lambda s: s["options"][0].pop("count"), ("'per'",)),
    ("weapon nobody carries", lambda s: s["options"].pop(0), ("nobody can carry the caster",)),
    ("leads nobody known", lambda s: s.update(leads=["ghosts"]), ("ghosts",)),
    ("effects missing", lambda s: s["abilities"][0].pop("effects"), ("Steady", "enforced: false")),
    ("enforced false with effects", lambda s: s["abilities"][0].update(enforced=False), ("Steady", "left_out")),
    ("unknown kind of effect", lambda s: s["abilities"][0].update(effects=[{"kind": "win"}]), ("win",)),
    ("long text", lambda s: s["abilities"][0].update(text="x" * 500), ("text",)),
    ("twice the same model", lambda s: s["models"][1].update(name="Warden"), ("twice",)),
    ("profiles without names", lambda s: s["weapons"][0]["profiles"][0].pop("name"), ()),
    ("a choice of one", lambda s: s["abilities"][0].update(choose=1), ("choice",)),
]


@pytest.mark.parametrize(("change", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_wrong_sheet_is_refused_with_its_place(tmp_path: Path, change: Change, words: tuple[str, ...]) -> None:
    faction = small_faction()
    change(sheet_of(faction))
    if words == ():
        faction["sheets"][0]["weapons"][0]["profiles"][1].pop("name")
        words = ("caster", "different names")
    with pytest.raises(UserError) as error:
        load_pack(write_pack(tmp_path, faction))
    for word in ("test/wardens", *words):
        assert word in str(error.value)


EFFECTS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "reroll", "roll": "luck"}, "luck"),
    ({"kind": "reroll", "roll": "hit", "value": 3}, "value"),
    ({"kind": "modify", "roll": "hit"}, "value"),
    ({"kind": "modify", "roll": "hit", "value": 1, "when": ["sunny"]}, "sunny"),
    ({"kind": "modify", "roll": "hit", "value": 1, "when": ["target_keyword"]}, "name after a colon"),
    ({"kind": "modify", "roll": "hit", "value": 1, "when": ["size:many"]}, "number"),
    ({"kind": "modify", "roll": "hit", "value": 1, "when": ["charged:3"]}, "stands alone"),
    ({"kind": "modify", "roll": "hit", "value": 1, "within": 6}, "'within'"),
    ({"kind": "modify", "roll": "hit", "value": 1, "until": "turn"}, "'at' is missing"),
    ({"kind": "modify", "roll": "hit", "value": 1, "only": ["Orks"], "who": "friends"}, "upper case"),
    ({"kind": "characteristic", "name": "T"}, "one of 'add'"),
    ({"kind": "characteristic", "name": "T", "add": 1, "to": 5}, "one of 'add'"),
    ({"kind": "characteristic", "name": "Speed", "add": 1}, "Speed"),
    ({"kind": "characteristic", "name": "S", "add": 1, "weapons": "howitzer"}, "howitzer"),
    ({"kind": "weapon_ability", "ability": "sharp"}, "sharp"),
    ({"kind": "grant", "ability": "wings"}, "wings"),
    ({"kind": "allow", "what": "anything"}, "anything"),
    ({"kind": "feel_no_pain", "value": 1}, "value"),
    ({"kind": "gain_cp"}, "'at' is missing"),
    ({"kind": "mortal_wounds", "amount": "D99", "at": "shot"}, "amount"),
    ({"kind": "cost"}, "'add' or 'to'"),
    ({"kind": "damage"}, "'divide'"),
    ({"kind": "heal", "amount": 1, "at": "command", "up_to": 3}, "up_to"),
    ({"kind": "heal", "amount": 1, "at": "command", "shared": True}, "'once'"),
    ({"kind": "heal", "amount": 1, "at": "command", "branch": "a"}, "choose"),
]


@pytest.mark.parametrize(("effect", "word"), EFFECTS)
def test_an_effect_outside_the_vocabulary_is_refused(tmp_path: Path, effect: dict[str, Any], word: str) -> None:
    faction = small_faction()
    sheet_of(faction)["abilities"][0]["effects"] = [effect]
    with pytest.raises(UserError) as error:
        load_pack(write_pack(tmp_path, faction))
    assert word in str(error.value) and "wardens" in str(error.value)


HOSTILE = {
    "an alias bomb": "a: &a [x, x]\nfaction: [*a, *a]",
    "nested deeply": "faction: " + "[" * 5000 + "]" * 5000,
    "a Python object": "faction: !!python/object/apply:os.system ['true']",
    "no mapping": "- 1\n- 2",
    "empty": "",
    "not YAML": "faction: {",
    "binary": "\x00\x01",
    "sheets that are no list": yaml.safe_dump({**small_faction(), "sheets": {"a": 1}}),
    "a sheet that is a number": yaml.safe_dump({**small_faction(), "sheets": [7]}),
    "something more": yaml.safe_dump({**small_faction(), "extra": 1}),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError):
        load_pack(write_pack(tmp_path, text))


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="MB"):
        load_pack(write_pack(tmp_path, "# " + "x" * (1 << 21)))


def test_a_faction_file_cannot_lie_elsewhere(tmp_path: Path) -> None:
    folder = write_pack(tmp_path)
    header = yaml.safe_load((folder / "pack.yaml").read_text())
    (folder / "pack.yaml").write_text(yaml.safe_dump({**header, "factions": ["../../etc/passwd"]}))
    with pytest.raises(UserError, match="factions"):
        load_pack(folder)


@pytest.mark.parametrize("system", ["chess", ""])
def test_a_pack_of_an_unknown_system_is_refused(tmp_path: Path, system: str) -> None:
    with pytest.raises(UserError, match="systems are"):
        load_pack(write_pack(tmp_path, system=system))


OTHER_SYSTEMS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "w40k11": (
        {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2},
        {"Range": 24, "A": 2, "BS": 3, "S": 4, "AP": -1, "D": 1},
        {"A": "D3+1", "WS": 3, "S": 4, "AP": 0, "D": 1},
    ),
    "w40k8": (
        {"M": 6, "WS": 3, "BS": 3, "S": 4, "T": 4, "W": 1, "A": 1, "Ld": 7, "Sv": 3},
        {"Range": 24, "Type": "Rapid Fire 1", "S": 4, "AP": 0, "D": 1},
        {"Type": "Melee", "S": "+1", "AP": -1, "D": "D3"},
    ),
    "w40k4": (
        {"WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": 3},
        {"Range": 24, "S": 4, "AP": 5, "Type": "Rapid Fire"},
        {"S": "User", "AP": "-"},
    ),
    "epica": (
        {"Type": "INF", "Speed": 15, "Armour": 4, "CC": 4, "FF": 4},
        {"Range": 30, "Firepower": "AP5+/AT6+"},
        {"Firepower": "Assault"},
    ),
}


@pytest.mark.parametrize("system", OTHER_SYSTEMS)
def test_the_format_serves_every_system(tmp_path: Path, system: str) -> None:
    stats, ranged, melee = OTHER_SYSTEMS[system]
    faction = small_faction()
    faction["weapons"] = [{"name": n, "profiles": [{"stats": s}]} for n, s in (("rifle", ranged), ("knife", melee))]
    sheet = sheet_of(faction)
    sheet.update(weapons=[], options=[], core=[], abilities=sheet["abilities"][:1])
    for kind in sheet["models"]:
        kind["stats"] = stats
    if printed(system).power:
        sheet["points"] = [{"models": 5, "power": 5}, {"models": 10, "power": 9}]
    if not printed(system).detachments:
        faction["faction"].pop("detachments")
    assert load_pack(write_pack(tmp_path, faction, system=system)).sheet("wardens") is not None


def test_a_vehicle_of_fourth_edition_has_armour_values(tmp_path: Path) -> None:
    stats, ranged, melee = OTHER_SYSTEMS["w40k4"]
    faction = small_faction()
    faction["weapons"] = [{"name": n, "profiles": [{"stats": s}]} for n, s in (("rifle", ranged), ("knife", melee))]
    sheet = sheet_of(faction)
    sheet.update(weapons=[], options=[], core=[], abilities=sheet["abilities"][:1])
    sheet["models"][0]["stats"] = {"Front": 13, "Side": 11, "Rear": 10, "BS": 4}
    sheet["models"][1]["stats"] = stats
    load_pack(write_pack(tmp_path, faction, system="w40k4"))
    sheet["models"][0]["stats"]["Front"] = 15
    with pytest.raises(UserError, match="Front is 10 to 14, not 15"):
        load_pack(write_pack(tmp_path, faction, system="w40k4"))


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("AP", (0, -3, "-"), (1, "none", -11)),
        ("M", (5, "2D6", "-", "20-50"), ("20+", "20 - 50", 241)),
        ("S", (4, "User", "user", "+2", "-1", "x2"), ("x1", "2x", "Users", 0)),
    ],
)
def test_eighth_edition_prints_dashes_two_moves_and_the_strength_of_the_user(
    name: str, good: tuple[int | str, ...], bad: tuple[int | str, ...]
) -> None:
    table = printed("w40k8")
    kind = table.models[0][name] if name == "M" else table.weapons[1][name]
    assert [problem_of_value(name, value, kind) for value in good] == [""] * len(good)
    for value in bad:
        assert problem_of_value(name, value, kind).startswith(f"{name} is ")


def test_the_power_level_of_an_army_adds_up_the_ratings_of_its_units(tmp_path: Path) -> None:
    faction = small_faction()
    sheet_of(faction)["points"] = [
        {"models": 5, "points": 0, "power": 5},
        {"models": 10, "points": 0, "power": 9},
    ]
    pack = load_pack(write_pack(tmp_path, faction))
    five = {"sheet": "wardens", "models": {"Warden": 4, "Sergeant": 1}}
    six = {"sheet": "wardens", "models": {"Warden": 5, "Sergeant": 1}}
    plain = {"name": "Test", "system": "w40k10", "pack": "test", "faction": "wardens", "detachment": "watch"}
    army = msgspec.convert({**plain, "limit": 1000, "units": [five, five, six]}, ArmyList)
    assert [unit_power(pack, unit) for unit in army.units] == [5, 5, 9]
    assert list_power(pack, army) == 19
    assert unit_power(pack, msgspec.structs.replace(army.units[0], sheet="nobody")) == 0


# --- What datasheets of 8th edition have beside ----------------------------------------------------------------------


def eighth() -> dict[str, Any]:
    """The small faction as a pack of 8th edition has it: Power Ratings, no detachment."""
    stats, ranged, melee = OTHER_SYSTEMS["w40k8"]
    faction = small_faction()
    faction["weapons"] = [{"name": n, "profiles": [{"stats": s}]} for n, s in (("rifle", ranged), ("knife", melee))]
    faction["faction"].pop("detachments")
    sheet = sheet_of(faction)
    sheet.update(weapons=[], options=[], core=[], abilities=sheet["abilities"][:1])
    sheet["points"] = [{"models": 5, "power": 5}, {"models": 10, "power": 9}]
    for kind in sheet["models"]:
        kind["stats"] = {**stats, "W": 10}
    return faction


def test_a_chart_tells_what_a_model_is_with_fewer_wounds(tmp_path: Path) -> None:
    faction = eighth()
    chart = [{"wounds": 5, "stats": {"M": "20-40", "BS": 4, "A": "D3"}}, {"wounds": 2, "stats": {"M": 3, "BS": "-"}}]
    sheet_of(faction)["models"][0]["chart"] = chart
    sheet = load_pack(write_pack(tmp_path, faction, system="w40k8")).sheet("wardens")
    assert sheet is not None
    assert [(row.wounds, row.stats) for row in sheet.models[0].chart] == [(r["wounds"], r["stats"]) for r in chart]


@pytest.mark.parametrize(
    ("chart", "told"),
    [
        ([{"wounds": 10, "stats": {"M": 5}}], "a row for 10 wounds cannot follow 10"),
        ([{"wounds": 2, "stats": {"M": 5}}, {"wounds": 5, "stats": {"M": 3}}], "a row for 5 wounds cannot follow 2"),
        ([{"wounds": 5, "stats": {}}], "the row for 5 wounds needs characteristics"),
        ([{"wounds": 5, "stats": {"W": 3}}], "Wounds are none of them"),
        ([{"wounds": 5, "stats": {"OC": 1}}], "there is no OC; the model has M, WS,"),
        ([{"wounds": 5, "stats": {"BS": 9}}], "BS is 2 to 7"),
    ],
)
def test_a_chart_that_makes_no_sense_is_refused(tmp_path: Path, chart: list[dict[str, Any]], told: str) -> None:
    faction = eighth()
    sheet_of(faction)["models"][0]["chart"] = chart
    with pytest.raises(UserError, match=re.escape(told)):
        load_pack(write_pack(tmp_path, faction, system="w40k8"))


def test_a_psyker_casts_and_denies_and_knows_smite(tmp_path: Path) -> None:
    faction = eighth()
    sheet_of(faction).update(psyker={"casts": 2, "denies": 1, "more": 1})
    sheet_of(faction)["keywords"].append("PSYKER")
    sheet = load_pack(write_pack(tmp_path, faction, system="w40k8")).sheet("wardens")
    assert sheet is not None
    assert sheet.psyker == Psyker(2, 1, ("Smite",), 1)


def test_who_is_a_psyker_has_the_keyword_and_says_what_it_can_do(tmp_path: Path) -> None:
    without, silent, tenth = eighth(), eighth(), small_faction()
    sheet_of(without).update(psyker={"casts": 1, "denies": 1})
    sheet_of(silent)["keywords"].append("PSYKER")
    sheet_of(tenth).update(psyker={"casts": 1, "denies": 1})
    for faction, system, told in (
        (without, "w40k8", "it goes with the keyword PSYKER"),
        (silent, "w40k8", "it goes with the keyword PSYKER"),
        (tenth, "w40k10", "no Psychic phase"),
    ):
        with pytest.raises(UserError, match=told):
            load_pack(write_pack(tmp_path, faction, system=system))


def test_factions_have_detachments_where_the_system_has(tmp_path: Path) -> None:
    tenth, with_one = small_faction(), eighth()
    with_one["faction"]["detachments"] = tenth["faction"].pop("detachments")
    with pytest.raises(UserError, match="detachments: at least one is wanted"):
        load_pack(write_pack(tmp_path, tenth))
    with pytest.raises(UserError, match="detachments: the system has none"):
        load_pack(write_pack(tmp_path, with_one, system="w40k8"))


@pytest.mark.parametrize("price", [{"models": 10}, {"models": 10, "power": 9, "points": 100}])
def test_a_system_of_power_ratings_asks_for_them_and_knows_no_points(tmp_path: Path, price: dict[str, int]) -> None:
    faction = eighth()
    sheet_of(faction)["points"][1] = price
    with pytest.raises(UserError, match="the system counts in power, which 10 models need"):
        load_pack(write_pack(tmp_path, faction, system="w40k8"))


def test_the_limit_of_a_list_is_power_where_the_system_counts_in_it(tmp_path: Path) -> None:
    pack = load_pack(write_pack(tmp_path, eighth(), system="w40k8"))
    plain = {"name": "Test", "system": "w40k8", "pack": "test", "faction": "wardens", "units": [{"sheet": "wardens"}]}
    enough, less = (msgspec.convert({**plain, "limit": limit}, ArmyList) for limit in (5, 4))
    assert (list_cost(pack, enough), check_list(pack, enough)) == (5, [])
    assert check_list(pack, less) == ["The army has 5 Power; the limit is 4."]
    wrong = msgspec.convert({**plain, "limit": 5, "detachment": "watch"}, ArmyList)
    assert check_list(pack, wrong) == ["Wardens have no detachment 'watch'; they have none."]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"core": ["fights frist"]}, "core: there is no ability 'fights frist'; did you mean 'fights first'"),
        (
            {"weapons": ["sustaned hits 1"]},
            "there is no weapon ability 'sustaned hits 1'; did you mean 'sustained hits",
        ),
    ],
)
def test_unknown_words_of_a_sheet_of_11th_edition_are_refused_with_names_like_them(
    tmp_path: Path, words: dict[str, list[str]], told: str
) -> None:
    faction = small_faction()
    sheet_of(faction).update(core=words.get("core", []))
    faction["weapons"][0]["profiles"][0]["abilities"] = words.get("weapons", [])
    with pytest.raises(UserError, match=re.escape(told)):
        load_pack(write_pack(tmp_path, faction, system="w40k11"))


@pytest.mark.parametrize(
    ("ability", "known"),
    [("cleave 2", True), ("lethal hits: not monster/vehicle", True), ("blast 2", True), ("cleave", False)],
)
def test_11th_edition_knows_its_weapon_abilities(ability: str, known: bool) -> None:
    assert is_one_of(ability, printed("w40k11").weapon_abilities) == known
