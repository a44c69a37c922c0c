"""Abilities outside of attacks: charges, Advances, tests, movement and objective markers."""

from __future__ import annotations

import pytest

from sandtable.battle import GONE
from sandtable.battle.events import Told
from sandtable.systems.w40k10.abilities.scouts import scout_distance
from sandtable.systems.w40k10.leadership_tests import best_leadership
from sandtable.systems.w40k10.movement_phase import characteristics
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.table.grid import steps
from w40k10.powers import Place, at, called, clash, use
from w40k10.table import asked, give, kinds, rolls, told

BOYZ = at("boyz", 20)


def charging(red: list[Place], gap: float, dice: list[int], **more: object) -> Battle10:
    """The first unit of red declares a charge at Boyz, so far away."""
    b = clash(red, [at("boyz", 10 + gap)], step="charge_units", dice={"charge": dice}, **more)  # type: ignore[arg-type]
    for u in b.units():
        b.set_unit(u, near=True)
    b.start()
    give(b, "charge_with", b.units()[0].name)
    if "charge_targets" in kinds(b):
        give(b, "charge_targets", ["Boyz"])
    return b


def test_a_charge_is_rolled_again_by_an_ability() -> None:
    b = charging([at("captain-in-terminator-armour", 10)], 9, [1, 2, 5, 5])
    assert asked(b, "reroll_roll").default is True  # type: ignore[attr-defined]
    give(b, "reroll_roll", True)
    assert rolls(b) == [("charge", (1, 2)), ("charge", (5, 5))]
    assert "charge_failed" not in told(b)


def test_a_charge_roll_may_stand() -> None:
    b = charging([at("captain-in-terminator-armour", 10)], 9, [1, 2])
    give(b, "reroll_roll", False)
    assert rolls(b) == [("charge", (1, 2))]


def test_a_roll_that_is_enough_asks_nothing() -> None:
    b = charging([at("captain-in-terminator-armour", 10)], 9, [6, 6])
    assert "reroll_roll" not in kinds(b)


def test_no_die_of_a_charge_is_rolled_a_third_time() -> None:
    b = charging([at("captain-in-terminator-armour", 10)], 9, [1, 2, 1, 1], cp=(3, 0), options={"windows": "all"})
    give(b, "reroll_roll", True)
    assert not any(kind.startswith("react.after_roll") for kind in kinds(b)), "Command Re-roll has nothing to re-roll"


@pytest.mark.rule("w40k10.charge.roll", check=2)
def test_a_bonus_to_the_charge_roll_carries_further() -> None:
    riders = [at("squighog-boyz", 10), at("beastboss-on-squigosaur", 10, 18, leads="Squighog Boyz")]

    def outcome(units: list[Place]) -> list[str]:
        b = clash(units, [at("intercessor-squad", 20)], step="charge_units", dice={"charge": [3, 3]})
        for u in b.units():
            b.set_unit(u, near=True)
        b.start()
        give(b, "charge_with", "Squighog Boyz")
        return [e.text for e in b.events if isinstance(e, Told) and e.kind == "charge_roll"]

    assert outcome(riders) == ["Squighog Boyz: +1 to their Charge roll."]
    assert outcome(riders[:1]) == []


@pytest.mark.rule("w40k10.charge.roll", check=2)
def test_a_bonus_makes_a_charge_of_six_reach_seven_inches() -> None:
    def fails(gain: list[tuple[str, dict[str, object]]]) -> bool:
        b = charging([at("lieutenant", 10)], 9.0, [3, 3], gain=gain)
        return "charge_failed" in told(b)

    assert fails([])
    assert not fails([("Lieutenant", {"kind": "modify", "roll": "charge", "value": 2})])


@pytest.mark.rule("w40k10.charge.roll", check=2)
@pytest.mark.parametrize(("bonus", "asked_for"), [(2, "charge_move"), (1, "react.after_roll")])
def test_a_bonus_counts_before_command_re_roll_is_offered(bonus: int, asked_for: str) -> None:
    gain: list[tuple[str, dict[str, object]]] = [("Lieutenant", {"kind": "modify", "roll": "charge", "value": bonus})]
    assert kinds(charging([at("lieutenant", 10)], 10.0, [3, 3], gain=gain, cp=(1, 0))) == [asked_for]


@pytest.mark.rule("w40k10.charge.roll", check=2)
@pytest.mark.parametrize(("change", "helps"), [(2, True), (-1, True), (-2, False)])
def test_where_eleven_inches_are_to_go_a_re_roll_helps_who_can_still_get_so_far(change: int, helps: bool) -> None:
    """A twelve with one less is eleven inches, with two less it is ten."""
    gain: list[tuple[str, dict[str, object]]] = [("Lieutenant", {"kind": "modify", "roll": "charge", "value": change})]
    b = charging([at("lieutenant", 10)], 13.2, [3, 3], gain=gain, cp=(1, 0))
    assert ("react.after_roll" in kinds(b)) is helps


@pytest.mark.rule("w40k10.charge.roll", check=2)
@pytest.mark.parametrize(("malus", "far"), [(-1, 1), (-2, 0), (-3, 0)])
def test_a_charge_roll_comes_to_no_less_than_nothing(malus: int, far: int) -> None:
    gain: list[tuple[str, dict[str, object]]] = [("Lieutenant", {"kind": "modify", "roll": "charge", "value": malus})]
    b = charging([at("lieutenant", 10)], 9.0, [1, 1], gain=gain)
    (failed,) = [e.text for e in b.events if isinstance(e, Told) and e.kind == "charge_failed"]
    assert failed.endswith(f'with {far}".')


def advancing(units: list[Place], dice: list[int], **more: object) -> Battle10:
    b = clash(units, [at("intercessor-squad", 50)], step="move_units", dice={"advance": dice}, **more)  # type: ignore[arg-type]
    b.start()
    give(b, "move_with", b.units()[0].name)
    give(b, "move", {"mode": "advance"})
    return b


def test_an_advance_is_rolled_again_by_an_ability() -> None:
    b = advancing([at("big-mek", 10)], [1, 6])
    give(b, "reroll_roll", True)
    assert b.units()[0].advance == 6


def test_a_modifier_changes_an_advance_for_better_or_worse() -> None:
    b = advancing([at("boyz", 10)], [1], gain=[("Boyz", {"kind": "modify", "roll": "advance", "value": -2})])
    assert b.units()[0].advance == 0
    b = advancing([at("boyz", 10)], [3], gain=[("Boyz", {"kind": "modify", "roll": "advance", "value": 2})])
    assert b.units()[0].advance == 5


# --- Tests ------------------------------------------------------------------------------------------------------------


def shaken(gain: list[tuple[str, dict[str, object]]], dice: list[int]) -> Battle10:
    """Boyz take a Battle-shock test on 7+."""
    b = clash([at("boyz", 10)], [at("captain", 40)], step="battle_shock", dice={"battle-shock": dice}, gain=gain)
    unit = called(b, "Boyz")
    b.place_models(unit.models[:6], GONE)
    b.start()
    return b


def test_a_modifier_of_battle_shock_tests() -> None:
    assert not called(shaken([], [3, 4]), "Boyz").battle_shocked
    worse = ("Boyz", {"kind": "modify", "roll": "battle_shock", "value": -1})
    assert called(shaken([worse], [3, 4]), "Boyz").battle_shocked


def test_a_modifier_of_leadership_tests_counts_for_battle_shock_too() -> None:
    better = ("Boyz", {"kind": "modify", "roll": "leadership", "value": 1})
    assert not called(shaken([better], [3, 3]), "Boyz").battle_shocked
    assert called(shaken([], [3, 3]), "Boyz").battle_shocked


def test_a_failed_battle_shock_test_is_rolled_again() -> None:
    b = shaken([("Boyz", {"kind": "reroll", "roll": "battle_shock"})], [1, 1, 6, 6])
    give(b, "reroll_roll", True)
    assert not called(b, "Boyz").battle_shocked


@pytest.mark.parametrize(("faces", "asked_for"), [([1, 5, 3], True), ([2, 4], False)])
def test_re_rolls_of_ones_take_up_the_ones_only(faces: list[int], asked_for: bool) -> None:
    b = shaken([("Boyz", {"kind": "reroll", "roll": "battle_shock", "faces": "ones"})], faces)
    assert ("reroll_roll" in kinds(b)) == asked_for
    if asked_for:
        give(b, "reroll_roll", True)
        assert rolls(b)[-1] == ("battle-shock", (3,))
        assert not called(b, "Boyz").battle_shocked, "5 and 3"


def test_three_dice_within_synapse() -> None:
    b = clash([at("termagants", 10), at("hive-tyrant", 12)], [at("captain", 40)], step="battle_shock",
              dice={"battle-shock": [2, 3, 3]})  # fmt: skip
    b.place_models(called(b, "Termagants").models[4:], GONE)
    b.start()
    assert rolls(b) == [("battle-shock", (2, 3, 3))] and not called(b, "Termagants").battle_shocked


def test_leadership_is_a_characteristic() -> None:
    b = clash([at("boyz", 10)], [BOYZ], gain=[("Boyz (red)", {"kind": "characteristic", "name": "Ld", "add": -1})])
    assert best_leadership(b, called(b, "Boyz (red)")) == 6
    assert best_leadership(b, called(b, "Boyz (blue)")) == 7


# --- Movement and objectives ------------------------------------------------------------------------------------------


def test_move_is_a_characteristic() -> None:
    wargear = [{"model": "Tomb Blade", "carry": ["twin gauss blaster", "close combat weapon", "shieldvanes"]}]
    b = clash([at("tomb-blades", 10, wargear=wargear)], [BOYZ])
    unit = called(b, "Tomb Blades")
    assert sorted(characteristics(b, unit).values()) == [8, 12, 12]


def test_a_leader_takes_everybody_along_faster() -> None:
    b = clash([at("boyz", 10), at("warboss", 11.6, leads="Boyz", enhancement="Follow Me Ladz")],
              [at("captain", 40)])  # fmt: skip
    unit = called(b, "Boyz")
    assert set(characteristics(b, unit).values()) == {8}


def test_slowed_units_move_less_but_for_those_who_ignore_it() -> None:
    slow = {"kind": "characteristic", "name": "M", "add": -2}
    b = clash([at("boyz", 10), at("squighog-boyz", 20)], [at("captain", 40)],
              gain=[("Boyz", slow), ("Squighog Boyz", slow)])  # fmt: skip
    boyz, riders = called(b, "Boyz"), called(b, "Squighog Boyz")
    assert characteristics(b, boyz)[boyz.models[0]] == 4
    plain = b.setup.data.sheets[b.setup.data.kits[riders.models[0]].sheet].move
    assert characteristics(b, riders)[riders.models[0]] == plain


def test_an_ancient_raises_objective_control() -> None:
    squad, spot = at("intercessor-squad", 12), [(12.0, 11.0)]
    plain = clash([squad], [BOYZ], objectives=spot)
    held = clash([squad, at("ancient", 13.5, leads="Intercessor Squad")], [BOYZ], objectives=spot)
    assert (level_of_control(plain, 0, 0), level_of_control(held, 0, 0)) == (5 * 2, 5 * 3 + 2)


def test_objective_control_is_set_for_the_bearer_alone() -> None:
    b = clash([at("intercessor-squad", 12), at("apothecary-biologis", 13.5, leads="Intercessor Squad")], [BOYZ],
              objectives=[(12, 9)])  # fmt: skip
    before = level_of_control(b, 0, 0)
    own = sheet_of(b, called(b, "Intercessor Squad").leader[0]).oc
    use(b, "Vivispectrum", "Intercessor Squad", until="battle")
    assert level_of_control(b, 0, 0) == before - own + 9


@pytest.mark.rule("w40k10.ability.scouts", check=1)
@pytest.mark.parametrize(("ability", "far"), [("scouts 6", 6), ("scouts", 0)])
def test_scouts_that_are_granted_go_as_far_as_is_said(ability: str, far: int) -> None:
    squad = at("assault-intercessor-squad", 12)
    b = clash([squad], [BOYZ], gain=[("Assault Intercessor Squad", {"kind": "grant", "ability": ability})])
    assert scout_distance(b, called(b, "Assault Intercessor Squad")) == steps(far)


@pytest.mark.rule("w40k10.ability.scouts", check=3)
def test_scouts_of_the_leader_count_for_those_who_follow() -> None:
    squad = at("assault-intercessor-squad", 12)
    b = clash([squad], [BOYZ])
    assert scout_distance(b, called(b, "Assault Intercessor Squad")) == 0
    led = clash([squad, at("captain-sicarius", 13.5, leads="Assault Intercessor Squad")], [BOYZ])
    assert scout_distance(led, called(led, "Assault Intercessor Squad")) == steps(6)
