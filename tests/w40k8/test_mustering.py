"""Mustering an army for Only War: datasheets, their composition and wargear, and how much a player brings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies import ArmyList, open_pack
from sandtable.armies.lists import ListUnit, Loadout
from sandtable.documents import convert
from sandtable.errors import UserError
from sandtable.forty.enlist import Army, enlist
from sandtable.forty.fighters import MODEL, Sheet
from sandtable.systems.w40k8.datasheet import check_sheet
from sandtable.systems.w40k8.enlist import LISTS, problems, to_sheet
from sandtable.systems.w40k8.known_sheets import SHEETS
from sandtable.systems.w40k8.mission import build
from sandtable.systems.w40k8.state import sheet_of
from w40k8.table import bare, gun, named, shootout, unit, wounds
from w40k8.test_before_the_battle import weighed

rule = pytest.mark.rule
PACK = open_pack("w40k8")


def listed(*units: ListUnit, limit: int = 0, **more: Any) -> ArmyList:
    """A list of the Death Guard."""
    return ArmyList("Test", "w40k8", "w40k8", "death-guard", limit, units, **more)


def wrong(*units: ListUnit, **more: Any) -> list[tuple[str, str]]:
    """What is wrong with a list, and the rules that it breaks."""
    return [(found.text, found.rule) for found in problems(listed(*units, **more), PACK)]


MARINES = ListUnit("plague-marines", "Marines")
BOYZ = ListUnit("boyz")
LORD = ListUnit("lord-of-contagion", warlord=True)


def of_size(size: int, name: str = "Marines", **more: Any) -> ListUnit:
    return ListUnit("plague-marines", name, size, **more)


@rule("w40k8.concept.datasheet", check=1)
def test_a_unit_without_a_datasheet_cannot_join_an_army() -> None:
    told = "Sleepers: the pack w40k8 has no datasheet 'sleepers'."
    assert (wrong(MARINES), wrong(MARINES, ListUnit("sleepers", "Sleepers"))) == (
        [], [(told, "w40k8.concept.datasheet")],
    )  # fmt: skip


@rule("w40k8.onlywar.armies", check=1)
def test_units_of_any_factions_may_be_mixed() -> None:
    unknown = msgspec.structs.replace(listed(MARINES), faction="squats")
    assert (wrong(MARINES, BOYZ), len(list(problems(unknown, PACK)))) == ([], 1)
    assert len(wrong(BOYZ, of_size(21))) == 1


@rule("w40k8.onlywar.armies", check=2)
@rule("w40k8.gap.army_size", check=1)
def test_armies_of_any_size_meet() -> None:
    small, large = listed(MARINES, BOYZ), listed(*(of_size(20, f"Marines {i}") for i in range(9)), LORD)
    setup, _ = build({"red": Army(small, PACK), "blue": Army(large, PACK)}, "only-war", "random-3", {})
    assert [sum(entry.points for entry in setup.data.roster[:2]), setup.data.limit] == [7 + 4, 0]


@rule("w40k8.onlywar.armies", check=3)
def test_an_army_needs_a_model() -> None:
    assert wrong() == [("An army needs at least one model.", "w40k8.onlywar.armies")]


@rule("w40k8.gap.army_size", check=2)
def test_an_army_above_the_limit_is_refused() -> None:
    told = ("The army has 13 Power; the limit is 12.", "w40k8.gap.army_size")
    assert (wrong(MARINES, LORD, limit=13), wrong(MARINES, LORD, limit=12)) == ([], [told])


# --- Composition ------------------------------------------------------------------------------------------------------


@rule("w40k8.sheet.composition", check=1)
def test_a_unit_has_no_more_models_than_its_datasheet_allows() -> None:
    told = ("Marines: it has 5 to 20 models, not 21.", "w40k8.sheet.composition")
    assert (wrong(of_size(20)), wrong(of_size(21))) == ([], [told])


@rule("w40k8.sheet.composition", check=2)
@rule("w40k8.onlywar.understrength", check=1)
@rule("w40k8.onlywar.understrength", check=2)
def test_one_unit_of_each_datasheet_may_be_too_small() -> None:
    told = ("Others: it has 5 to 20 models, not 4.", "w40k8.sheet.composition")
    pox = ListUnit("poxwalkers", size=3)
    assert (wrong(of_size(3), pox), wrong(of_size(3), pox, of_size(4, "Others"))) == ([], [told])


@rule("w40k8.onlywar.understrength", check=1)
def test_a_unit_that_is_too_small_has_the_models_that_there_are() -> None:
    units, _ = enlist(LISTS, Army(listed(of_size(3)), PACK), 0, 0)
    named_ = ListUnit("plague-marines", "Marines", models={"Plague Marine": 2})
    assert [m.sheet.name for m in units[0].models] == ["Plague Marine", "Plague Marine", "Plague Champion"]
    assert wrong(named_) == []


@rule("w40k8.onlywar.understrength", check=1)
def test_a_small_unit_keeps_to_its_datasheet_otherwise() -> None:
    unknown = ListUnit("plague-marines", "Marines", models={"Ogre": 1})
    plague, armed = ("Plague Marine", ("boltgun", "plague knife", "blight grenade", "krak grenade"))
    too_many = ListUnit("plague-marines", "Marines", 2, wargear=(Loadout(plague, armed, 3),))
    found = [wrong(unknown), wrong(too_many)]
    assert [[cited for _, cited in one] for one in found] == [["w40k8.sheet.composition"]] * 2


@rule("w40k8.onlywar.understrength", check=3)
def test_a_unit_that_is_too_small_has_the_rating_of_its_datasheet() -> None:
    units, entries = enlist(LISTS, Army(listed(of_size(3), of_size(5, "Others")), PACK), 0, 0)
    assert [(entry.points, u.models[0].sheet.power) for entry, u in zip(entries, units, strict=True)] == [(7, 7)] * 2


@rule("w40k8.lord.profile", check=2)
def test_the_unit_of_a_lord_is_one_model_as_the_book_prints_it() -> None:
    units, _ = enlist(LISTS, Army(listed(LORD), PACK), 0, 0)
    (lord,) = units[0].models
    two = wrong(msgspec.structs.replace(LORD, name="Lords", size=2))
    assert two == [("Lords: it has 1 models, not 2.", "w40k8.sheet.composition")]
    assert [getattr(lord.sheet, name) for name in MODEL] == [SHEETS.lord[name] for name in MODEL]


@rule("w40k8.sheet.power_rating", check=1)
def test_a_power_level_is_the_sum_of_power_ratings() -> None:
    units, _ = enlist(LISTS, Army(listed(MARINES, LORD), PACK), 0, 0)
    more = [unit(name, "red", bare(name=name, power=power), [(20, 20)]) for name, power in (("A", 6), ("B", 9))]
    found = [weighed(5, 30, more).player(0).rerolls, weighed(6, 30, more).player(0).rerolls]
    assert ([u.models[0].sheet.power for u in units], found) == ([7, 6], [1, 0])


@rule("w40k8.sheet.power_rating", check=2)
def test_a_rating_does_not_drop_with_models() -> None:
    horde = unit("Horde", "red", bare(name="Horde", power=9), [(20, 20), (21.5, 20)], wounds={1: 0})
    assert weighed(5, 24, [horde]).player(0).rerolls == 1


# --- Datasheets and weapons -------------------------------------------------------------------------------------------


@rule("w40k8.sheet.name_and_role", check=1)
def test_a_datasheet_names_its_unit() -> None:
    check_sheet(convert(bare(name="Red"), Sheet, "test"))
    with pytest.raises(UserError, match=r"w40k8\.sheet\.name_and_role"):
        check_sheet(convert(bare(name=" "), Sheet, "test"))


@rule("w40k8.sheet.name_and_role", check=2)
def test_the_battlefield_role_may_be_empty_and_changes_nothing() -> None:
    dice = {"hit": [6], "wound": [6]}
    found = [shootout(gun(), bare(wounds=2, role=role), dice=dice) for role in ("", "hq")]
    with pytest.raises(UserError, match="name"):
        check_sheet(convert(bare(name="", role="hq"), Sheet, "test"))
    assert [(wounds(b, "Blues"), sheet_of(b, named(b, "Blues").models[0]).role) for b in found] == [
        ([1], ""), ([1], "hq"),
    ]  # fmt: skip


def first_of(id_: str) -> Sheet:
    """The first kind of model on a datasheet of the pack."""
    found = PACK.sheet(id_)
    assert found is not None
    return to_sheet(PACK, found, found.models[0], {})


def weapons_of(id_: str) -> dict[str, Any]:
    """The weapons of the first kind of model on a datasheet, by name."""
    return {weapon.name: weapon for weapon in first_of(id_).weapons}


@rule("w40k8.sheet.weapons_elsewhere", check=1)
def test_datasheets_refer_to_weapons_of_a_shared_list() -> None:
    shared = [weapons_of(id_)["krak grenade"] for id_ in ("plague-marines", "malignant-plaguecaster")]
    assert shared[0] == shared[1]


@rule("w40k8.sheet.weapons_elsewhere", check=2)
@rule("w40k8.gap.wargear_options", check=2)
def test_a_weapon_that_is_nowhere_described_is_refused() -> None:
    armed = [of_size(5, wargear=(Loadout("Plague Champion", (x, "plague knife", "blight grenade", "krak grenade")),))
             for x in ("plasma gun", "doom rake")]  # fmt: skip
    assert wrong(armed[0]) == []
    assert [cited for _, cited in wrong(armed[1])] == ["w40k8.gap.wargear_options"]


@rule("w40k8.sheet.composition", check=3)
@rule("w40k8.gap.wargear_options", check=1)
def test_models_carry_what_their_datasheet_says_unless_an_option_replaces_it() -> None:
    plasma = ("plasma gun", "plague knife", "blight grenade", "krak grenade")
    units, _ = enlist(LISTS, Army(listed(of_size(5, wargear=(Loadout("Plague Champion", plasma),))), PACK), 0, 0)
    marine, champion = units[0].models[0], units[0].models[-1]
    profiles = {weapon.item for weapon in marine.sheet.weapons}
    assert (marine.weapons, champion.weapons) == (("boltgun", *plasma[1:]), plasma)
    assert profiles >= {"boltgun", "plague knife"}


@rule("w40k8.gap.base_sizes", check=1)
@pytest.mark.parametrize("base", ["32mm", "hull 4x3"])
def test_each_model_has_a_base_or_a_hull(base: str) -> None:
    check_sheet(convert(bare(base=base), Sheet, "test"))
    with pytest.raises(UserError, match="a base is"):
        check_sheet(convert(bare(base=""), Sheet, "test"))


@rule("w40k8.gap.datasheets", check=1)
def test_what_the_book_tells_is_kept() -> None:
    known: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
        ("plague-marines", SHEETS.marine, MODEL[:3]),
        ("malignant-plaguecaster", SHEETS.plaguecaster, MODEL[:1]),
        ("intercessor-squad", SHEETS.intercessor, MODEL[4:6]),
    ]
    kept = [[getattr(first_of(id_), name) == book[name] for name in names] for id_, book, names in known]
    assert kept == [[True] * 3, [True], [True] * 2]


@rule("w40k8.gap.datasheets", check=2)
def test_the_datasheets_of_the_pack_have_a_unit_for_every_rule() -> None:
    sheets = [to_sheet(PACK, found, kind, {}) for found in PACK.sheets() for kind in found.models]
    large = [s for s in sheets if "CHARACTER" in s.keywords and s.wounds >= 10]
    kinds = {weapon.type for s in sheets for weapon in s.weapons}
    assert kinds == {"assault", "heavy", "rapid fire", "grenade", "pistol", "melee"}
    assert all(
        any(found)
        for found in (
            (s.transport for s in sheets),
            ("-" in str(s.move) for s in sheets),
            (s.chart for s in sheets),
            (s.psyker for s in sheets),
            large,
        )
    )


@rule("w40k8.gap.datasheets", check=3)
def test_made_up_values_of_the_units_of_the_book_are_marked() -> None:
    invented = SHEETS.invented
    assert "toughness" in invented["Plague Marine"]
    assert not {*MODEL[:3], "wounds", "attacks"} & set(invented["Plague Marine"])
    assert not {"toughness", "wounds", "save"} & set(invented["Intercessor"])


@rule("w40k8.gap.example_weapons", check=1)
def test_weapons_of_the_example_have_the_proposed_values_and_are_marked() -> None:
    names = ("range", "type", "attacks", "strength", "ap", "damage")
    found = {x["name"]: tuple(x.get(name) for name in names) for x in SHEETS.other_weapons}
    assert found == {
        "plague knife": (None, None, None, "user", 0, "1"),
        "plague sword": (None, None, None, "user", 0, "1"),
        "power fist": (None, None, None, "x2", -3, "D3"),
        "bolt rifle": (30, "rapid fire", "1", "4", -1, "1"),
    }
    assert (SHEETS.boltgun["range"], SHEETS.krak_grenade["range"]) == (24, 6)
    assert {*found, "boltgun", "krak grenade"} <= SHEETS.invented.keys()
