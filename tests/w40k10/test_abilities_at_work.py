"""Which abilities work on which unit: Auras, wargear, damaged profiles, Leaders, armies, and what was set off."""

from __future__ import annotations

import sys

import msgspec
import pytest

import sandtable
from sandtable.armies.effects import Characteristic, Damage, FeelNoPain, Invulnerable, Mark, Modify, WeaponAbility
from sandtable.battle import GONE, OFF, World
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import at_work, is_marked
from sandtable.forty.effects.index import reference, referred
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.saves import pains
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.formations import attach
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.state import Battle10, Data, World10
from w40k10.armies import battle
from w40k10.powers import at, bodies, called, clash, effect_of, needs, use, volleys

BOYZ = at("boyz", 40)
NECRONS = at("immortals", 40)


def names(b: Battle10, unit: str, kind: type) -> list[str]:
    """The abilities whose effects of a kind work on a unit."""
    return [a.name for a in at_work(b, called(b, unit), kind)]


def gone(b: Battle10, *models: int) -> None:
    b.place_models(list(models), GONE)


# --- Auras ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.ability.aura", check=1)
def test_the_bearers_own_unit_is_within_range_of_its_aura() -> None:
    b = clash([at("zoanthropes", 10)], [BOYZ])
    assert names(b, "Zoanthropes", Invulnerable) == ["Warp Field"]


def test_units_within_the_distance_are_under_the_aura_and_others_are_not() -> None:
    b = clash([at("zoanthropes", 10), at("termagants", 16), at("genestealers", 10, 24)], [at("boyz", 14, 8)])
    assert names(b, "Termagants", Invulnerable) == ["Warp Field"]
    assert names(b, "Genestealers", Invulnerable) == []
    assert names(b, "Boyz", Invulnerable) == [], "enemies are no friends"
    weapon = ("Boyz", "Termagants", "slugga")
    assert bodies(b, *weapon).bodies[0].saves == (5,), "the armour is better than 6+"


def test_an_aura_is_measured_from_its_bearer_and_not_from_the_rest_of_the_unit() -> None:
    banner = {"kind": "modify", "roll": "hit", "value": 1, "who": "friends", "within": 6}
    b = clash([at("intercessor-squad", 10, 8), at("captain", 10, 16, leads="Intercessor Squad"),
               at("eradicator-squad", 16, 2)], [BOYZ], bare=True, gain=[("Captain", banner)])  # fmt: skip
    assert names(b, "Intercessor Squad", Modify) == ["gained 0"]
    assert names(b, "Eradicator Squad", Modify) == [], "close to the squad, but not to the Captain"


@pytest.mark.rule("w40k10.ability.aura", check=2)
def test_the_same_aura_of_two_models_works_once() -> None:
    b = clash([at("canoptek-scarab-swarms", 10), at("canoptek-scarab-swarms", 13)], [at("boyz", 11.5)],
              objectives=[(11.5, 9)])  # fmt: skip
    assert names(b, "Boyz", Characteristic) == ["Chittering Swarm"]
    assert level_of_control(b, 1, 0) > 0


@pytest.mark.rule("w40k10.ability.aura", check=3)
def test_two_different_auras_both_work() -> None:
    auras = [{"kind": "characteristic", "name": "Ld", "add": -1, "who": "friends", "within": 6} for _ in range(2)]
    units = [at("zoanthropes", 10), at("neurotyrant", 10, 20), at("termagants", 12)]
    gain = [("Zoanthropes", auras[0]), ("Neurotyrant", auras[1])]
    b = clash(units, [BOYZ], gain=gain, bare=True)
    assert names(b, "Termagants", Characteristic) == ["gained 0", "gained 1"]


@pytest.mark.rule("w40k10.ability.aura", check=4)
def test_an_aura_ends_when_the_unit_leaves_or_the_bearers_are_gone() -> None:
    b = clash([at("zoanthropes", 10), at("termagants", 16)], [BOYZ])
    assert names(b, "Termagants", Invulnerable) == ["Warp Field"]
    psykers = called(b, "Zoanthropes").models
    gone(b, *psykers[:-1])
    assert names(b, "Termagants", Invulnerable) == ["Warp Field"], "one bearer is enough"
    gone(b, psykers[-1])
    assert names(b, "Termagants", Invulnerable) == []
    b = clash([at("zoanthropes", 10), at("termagants", 16)], [BOYZ])
    b.place_models(called(b, "Termagants").models, OFF)
    assert names(b, "Termagants", Invulnerable) == []


def test_an_aura_on_enemies_takes_objective_control_from_them() -> None:
    away = clash([at("ripper-swarms", 30)], [at("intercessor-squad", 12)], objectives=[(12, 9)])
    close = clash([at("ripper-swarms", 10.4)], [at("intercessor-squad", 12)], objectives=[(12, 9)])
    assert level_of_control(away, 1, 0) == 2 * level_of_control(close, 1, 0) > 0


def test_only_units_with_the_keyword_are_meant() -> None:
    aura = {"kind": "modify", "roll": "hit", "value": 1, "who": "friends", "within": 12, "only": ["VEHICLE"]}
    b = clash([at("captain", 10), at("redemptor-dreadnought", 14), at("intercessor-squad", 12)], [BOYZ], bare=True,
              gain=[("Captain", aura)])  # fmt: skip
    assert names(b, "Redemptor Dreadnought", Modify) == ["gained 0"]
    assert names(b, "Intercessor Squad", Modify) == []


def test_conditions_on_the_bearer() -> None:
    b = clash([at("termagants", 10), at("genestealers", 14)], [BOYZ])
    assert not is_marked(b, called(b, "Genestealers"), "synapse"), "Termagants have no Synapse of their own"
    b = clash([at("hive-tyrant", 10), at("genestealers", 14)], [BOYZ])
    assert is_marked(b, called(b, "Genestealers"), "synapse")
    assert names(b, "Genestealers", Characteristic) == ["Synapse"]


# --- Wargear, damaged profiles, core abilities ------------------------------------------------------------------------

GAUNTLET = [{"model": "Infiltrator", "carry": ["bolt pistol", "marksman bolt carbine", "close combat weapon",
                                              "helix gauntlet"]}]  # fmt: skip


@pytest.mark.rule("w40k10.datasheet.wargear_abilities", check=1)
def test_an_ability_of_wargear_is_gone_with_the_last_model_that_carries_it() -> None:
    b = clash([at("infiltrator-squad", 10, wargear=GAUNTLET)], [BOYZ])
    ability = next(a for a in b.setup.data.abilities if a.name == "Helix Gauntlet")
    assert len(ability.models) == 1
    weapon = ("Boyz", "Infiltrator Squad", "slugga")
    assert {x.pain for x in bodies(b, *weapon).bodies} == {6}
    gone(b, *(m for m in called(b, "Infiltrator Squad").models[:2] if m not in ability.models))
    assert {x.pain for x in bodies(b, *weapon).bodies} == {6}
    gone(b, *ability.models)
    assert {x.pain for x in bodies(b, *weapon).bodies} == {7}


def test_nobody_has_an_ability_of_wargear_that_nobody_carries() -> None:
    b = clash([at("infiltrator-squad", 10)], [BOYZ])
    assert "Helix Gauntlet" not in [a.name for a in b.setup.data.abilities]


@pytest.mark.rule("w40k10.datasheet.abilities", check=2)
def test_a_damaged_model_hits_worse_while_its_wounds_are_in_the_band() -> None:
    b = clash([at("redemptor-dreadnought", 10)], [at("boyz", 20)])
    model = called(b, "Redemptor Dreadnought").models[0]
    weapon = ("Redemptor Dreadnought", "Boyz", "heavy onslaught gatling cannon")

    def needed(wounds: int) -> int:
        b.set_wounds(model, wounds)
        return needs(volleys(b, *weapon)[0].hit)

    assert [needed(w) for w in (12, 5, 4, 1, 5)] == [3, 3, 4, 4, 3]


@pytest.mark.rule("w40k10.datasheet.abilities", check=2)
def test_what_no_band_is_named_for_works_at_any_wounds() -> None:
    pain = {"kind": "feel_no_pain", "value": 5, "who": "model"}
    b = clash([at("redemptor-dreadnought", 10)], [BOYZ], bare=True, gain=[("Redemptor Dreadnought", pain)])
    model = called(b, "Redemptor Dreadnought").models[0]

    def needed(wounds: int) -> int:
        b.set_wounds(model, wounds)
        return bodies(b, "Boyz", "Redemptor Dreadnought", "slugga").bodies[0].pain

    assert [needed(w) for w in (12, 4, 1)] == [5, 5, 5]


@pytest.mark.rule("w40k10.datasheet.abilities", check=2)
def test_what_a_damaged_model_does_to_its_whole_unit_ends_with_the_band_too() -> None:
    worse = {"kind": "modify", "roll": "hit", "value": -1}
    b = clash([at("redemptor-dreadnought", 10)], [BOYZ], bare=True, gain=[("Redemptor Dreadnought", worse)], damaged=4)

    def working(wounds: int) -> list[str]:
        b.set_wounds(called(b, "Redemptor Dreadnought").models[0], wounds)
        return names(b, "Redemptor Dreadnought", Modify)

    assert [working(w) for w in (5, 4, 1, 5)] == [[], ["gained 0"], ["gained 0"], []]


@pytest.mark.rule("w40k10.datasheet.abilities", check=2)
def test_a_damaged_gorkanaut_controls_less() -> None:
    b = clash([at("gorkanaut", 12)], [BOYZ], objectives=[(12, 9)])
    assert level_of_control(b, 0, 0) == 8
    b.set_wounds(called(b, "Gorkanaut").models[0], 7)
    assert level_of_control(b, 0, 0) == 4


@pytest.mark.rule("w40k10.datasheet.abilities", check=1)
def test_core_abilities_work_whether_printed_or_granted() -> None:
    casket = [at("immortals", 20), at("overlord", 21.6, leads="Immortals", enhancement="Nether-realm Casket")]
    weapon = ("Intercessor Squad", "Immortals", "bolt rifle")
    b = clash([at("intercessor-squad", 10)], casket)
    assert needs(volleys(b, *weapon)[0].hit) == 4, "Stealth for the whole unit"
    printed = clash([at("intercessor-squad", 10)], [at("flayed-ones", 20)])
    assert needs(volleys(printed, "Intercessor Squad", "Flayed Ones", "bolt rifle")[0].hit) == 4
    plain = clash([at("intercessor-squad", 10)], [at("immortals", 20)])
    assert needs(volleys(plain, *weapon)[0].hit) == 3


# --- Leaders, armies --------------------------------------------------------------------------------------------------


def test_what_a_leader_gives_ends_with_it_and_with_those_it_leads() -> None:
    b = clash([at("boyz", 10), at("painboy", 11.6, leads="Boyz")], [NECRONS])
    unit = called(b, "Boyz")
    assert names(b, "Boyz", FeelNoPain) == ["Dok's Toolz"]
    gone(b, *unit.models[:10])
    assert names(b, "Boyz", FeelNoPain) == [], "nobody is led"
    b = clash([at("boyz", 10), at("painboy", 11.6, leads="Boyz")], [NECRONS])
    gone(b, *called(b, "Boyz").leader)
    assert names(b, "Boyz", FeelNoPain) == []
    alone = clash([at("painboy", 10)], [NECRONS])
    assert names(alone, "Painboy", FeelNoPain) == []


def test_an_effect_for_the_army_works_on_all_of_it_and_on_no_other() -> None:
    lance = {"kind": "weapon_ability", "ability": "lance", "who": "army", "only": ["ORKS"]}
    b = clash([at("boyz", 10), at("deff-dread", 20)], [at("nobz", 40)], bare=True, gain=[("Boyz", lance)])
    assert names(b, "Deff Dread", WeaponAbility) == ["gained 0"]
    assert names(b, "Nobz", WeaponAbility) == []
    gone(b, *called(b, "Boyz").models)
    assert names(b, "Deff Dread", WeaponAbility) == [], "its bearers are destroyed"


def test_what_two_units_give_to_the_whole_army_counts_once() -> None:
    sharp = {"kind": "characteristic", "name": "AP", "add": -1, "weapons": "melee", "who": "army"}
    b = clash([at("boyz", 10), at("boyz", 14, name="More Boyz")], [NECRONS])
    data = b.setup.data
    own = tuple(Ability("Sharp", "test", u.id, u.models, 0, (effect_of(sharp),)) for u in b.units() if u.player == 0)
    setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(data, abilities=own))
    again: World10 = World(b.system, setup, b.state)
    assert [a.name for a in at_work(again, called(b, "Boyz"), Characteristic)] == ["Sharp"]


def test_conditions_about_attacks_do_not_hold_where_nobody_attacks() -> None:
    gain = [("Boyz", {"kind": "characteristic", "name": "OC", "add": 1, "when": ["melee"]}),
            ("Boyz", {"kind": "grant", "ability": "stealth", "when": ["melee"]}),
            ("Boyz", {"kind": "modify", "roll": "charge", "value": 1, "when": ["melee"]}),
            ("Boyz", {"kind": "feel_no_pain", "value": 5, "when": ["melee"]})]  # fmt: skip
    b = clash([at("boyz", 12, size=10)], [NECRONS], objectives=[(12, 9)], gain=gain)
    plain = clash([at("boyz", 12, size=10)], [NECRONS], objectives=[(12, 9)])
    unit = called(b, "Boyz")
    assert level_of_control(b, 0, 0) == level_of_control(plain, 0, 0)
    assert not has_core(b, unit, unit.models[0], "stealth")
    assert added(b, unit, "charge") == (0, ())
    assert pains(b, unit) == ()


def test_what_belongs_to_a_moment_does_not_work_before() -> None:
    b = clash([at("captain", 10)], [BOYZ])
    assert names(b, "Captain", Characteristic) == []
    use(b, "Finest Hour", "Captain", until="phase")
    assert names(b, "Captain", Characteristic) == ["Finest Hour"]
    b.end_effects(lambda e: e.until == "phase")
    assert names(b, "Captain", Characteristic) == []


def test_a_mark_on_the_army_is_one_on_each_of_its_units_and_on_no_enemy() -> None:
    b = clash([at("boyz", 10), at("nobz", 14)], [at("deff-dread", 40)])
    use(b, "Waaagh!")
    assert [is_marked(b, u, "waaagh") for u in b.units()] == [True, True, False]


def test_marks_that_hang_on_each_other_end_in_no_circle() -> None:
    gain = [("Boyz", {"kind": "mark", "name": "one", "when": ["marked:two"]}),
            ("Boyz", {"kind": "mark", "name": "two", "when": ["marked:one"]})]  # fmt: skip
    b = clash([at("boyz", 10)], [at("deff-dread", 40)], gain=gain)
    assert not is_marked(b, called(b, "Boyz"), "one")
    assert names(b, "Boyz", Mark) == []


def test_effects_of_stratagems_are_counted_on_after_those_of_abilities() -> None:
    b = clash([at("intercessor-squad", 10)], [BOYZ])
    data = b.setup.data
    row = [s.name for s in data.stratagems].index("Armour of Contempt")
    ability, number, effect = referred(data, reference(len(data.abilities) + row, 0))
    assert (ability, number) == (len(data.abilities) + row, 0) and isinstance(effect, Characteristic)
    use(b, "Armour of Contempt", "Intercessor Squad", until="phase")
    assert names(b, "Intercessor Squad", Characteristic) == ["Armour of Contempt"]


# --- What the armies brought ------------------------------------------------------------------------------------------


def test_abilities_are_part_of_the_set_up_and_survive_as_bytes() -> None:
    b = battle()
    data = b.setup.data
    assert {a.origin for a in data.abilities} == {"datasheet", "faction", "detachment"}
    assert [s.player for s in data.stratagems] == sorted(s.player for s in data.stratagems)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(data), type=Data)
    assert again == data


def test_a_battle_with_abilities_is_saved_and_loaded(tmp_path) -> None:  # type: ignore[no-untyped-def]
    lists = {"red": "space-marines-1000-gunline", "blue": "orks-1000-horde"}
    b = sandtable.new("w40k10", mission="only-war", armies=lists, seed=7)
    b.save(tmp_path / "game.battle")
    again = sandtable.load(tmp_path / "game.battle")
    assert len(b.setup.data.abilities) > 10
    assert again.setup.data == b.setup.data


def test_an_enhancement_is_borne_by_the_character() -> None:
    b = clash([at("captain", 10, enhancement="Artificer Armour"), at("intercessor-squad", 14)], [BOYZ])
    found = next(a for a in b.setup.data.abilities if a.origin == "enhancement")
    assert (found.name, found.source, found.models) == ("Artificer Armour", "gladius-task-force", (0,))


def test_rules_of_the_faction_are_borne_by_the_units_that_have_them() -> None:
    b = clash([at("boyz", 10), at("deff-dread", 14)], [at("necron-warriors", 40)])
    found = {a.name: a for a in b.setup.data.abilities if a.origin in ("faction", "detachment")}
    assert found["Waaagh!"].unit == -1 and set(found["Waaagh!"].models) == set(range(11))
    assert found["Waaagh!"].player == 0 and found["Reanimation Protocols"].player == 1


# --- What is looked at ------------------------------------------------------------------------------------------------


def test_a_unit_without_effects_of_a_kind_costs_next_to_nothing() -> None:
    b = clash([at("intercessor-squad", 10)], [at("boyz", 20)])
    unit = called(b, "Intercessor Squad")
    at_work(b, unit, Damage)
    calls: list[str] = []
    sys.setprofile(lambda frame, what, _: calls.append(f"{what} {frame.f_code.co_name}"))
    found = at_work(b, unit, Damage)
    sys.setprofile(None)
    assert not found
    assert len([call for call in calls if call.startswith("call ")]) <= 4, calls


def test_the_index_does_not_outlive_the_models_of_a_unit() -> None:
    b = clash([at("boyz", 10), at("painboy", 11.6)], [NECRONS])
    assert names(b, "Boyz", FeelNoPain) == []
    attach(b, called(b, "Painboy"), called(b, "Boyz"))
    assert names(b, "Boyz", FeelNoPain) == ["Dok's Toolz"]
