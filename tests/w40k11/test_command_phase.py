"""The Command phase: CP, then battle-shock; and the parts of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE, questions
from sandtable.battle.events import Told
from sandtable.systems.w40k11.battle_shock import best_leadership
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import FOE, HERO, TROOPER, give, kinds, named, power, rolls, row, situation, told, unit, until

rule = pytest.mark.rule


def weak(models: int = 5, *, dice: list[int] | None = None, step: str = "battle_shock", **flags: Any) -> Battle11:
    """Reds who had ten models."""
    reds = unit("Reds", "red", TROOPER, row(models, (5, 10)), **{"strength": 10, **flags})
    return situation([reds, FOE], step=step, dice={"battle-shock": dice or []})


def run_turn(b: Battle11) -> None:
    """Answer plainly until the turn is over."""
    turns = b.state.game.turns
    while b.decisions and b.state.game.turns == turns:
        decision = b.decisions[0]
        b.answer(decision, questions.plain(b, decision))


@rule("w40k11.command.battleshock", check=1)
def test_a_unit_at_half_strength_rolls() -> None:
    assert rolls(weak(5, dice=[6, 6])) == [("battle-shock", (6, 6))]


@rule("w40k11.command.battleshock", check=2)
def test_a_unit_above_half_strength_does_not_roll() -> None:
    assert rolls(weak(6)) == []


@rule("w40k11.command.battleshock", check=3)
def test_a_battle_shocked_unit_at_full_strength_rolls() -> None:
    assert rolls(weak(5, dice=[6, 6], strength=5, battle_shocked=True)) == [("battle-shock", (6, 6))]


@rule("w40k11.command.battleshock", check=4)
def test_a_battle_shocked_unit_below_half_strength_rolls_once() -> None:
    assert rolls(weak(2, dice=[1, 1, 6, 6], battle_shocked=True)) == [("battle-shock", (1, 1))]


@rule("w40k11.command.battleshock", check=5)
def test_only_units_of_the_player_whose_turn_it_is_roll() -> None:
    blues = unit("Blues", "blue", TROOPER, row(2, (30, 20)), strength=10)
    reds = unit("Reds", "red", TROOPER, row(2, (5, 10)), strength=10)
    b = situation([reds, blues], step="battle_shock", dice={"battle-shock": [6, 6]})
    assert rolls(b) == [("battle-shock", (6, 6))]


@rule("w40k11.command.battleshock", check=6)
def test_a_lone_model_with_half_of_its_wounds_rolls() -> None:
    lone = unit("Reds", "red", {**TROOPER, "wounds": 10}, [(5, 10)], wounds={1: 5})
    assert rolls(situation([lone, FOE], step="battle_shock", dice=[6, 6])) == [("battle-shock", (6, 6))]


@rule("w40k11.command.battleshock_recover", check=1)
def test_a_battle_shocked_unit_that_rolls_its_leadership_recovers() -> None:
    assert not named(weak(5, dice=[3, 3], strength=5, battle_shocked=True), "Reds").battle_shocked


@rule("w40k11.command.battleshock_recover")
def test_who_was_not_battle_shocked_does_not_recover() -> None:
    assert (rolls(b := weak(5, dice=[6, 6])), told(b)) == ([("battle-shock", (6, 6))], ["test", "phase"])


@rule("w40k11.command.battleshock_recover", check=2)
@rule("w40k11.concept.battleshock_roll")
def test_a_battle_shocked_unit_that_fails_stays_so() -> None:
    b = weak(5, dice=[2, 3], strength=5, battle_shocked=True)
    run_turn(b)
    assert (named(b, "Reds").battle_shocked, told(b).count("battle_shocked")) == (True, 0)


@rule("w40k11.command.battleshock_recover", check=3)
def test_nobody_recovers_without_a_roll() -> None:
    b = weak(5, dice=[2, 3], strength=5, battle_shocked=True, step="command_phase")
    assert (named(b, "Reds").battle_shocked, kinds(b)) == (True, ["move_with"])


@rule("w40k11.concept.battleshock_roll", check=1)
def test_a_failed_roll_makes_the_unit_battle_shocked() -> None:
    assert named(weak(5, dice=[2, 3]), "Reds").battle_shocked


@rule("w40k11.concept.leadership_roll", check=1)
def test_the_best_leadership_of_any_one_model_counts() -> None:
    hero = unit("Hero", "red", {**HERO, "leadership": 6}, [(5, 12)], leads="Reds")
    reds = unit("Reds", "red", {**TROOPER, "leadership": 7}, row(2, (5, 10)), strength=9)
    b = situation([reds, hero, FOE], step="battle_shock", dice=[3, 3])
    assert not named(b, "Reds").battle_shocked


@rule("w40k11.concept.leadership_roll", check=2)
@pytest.mark.parametrize(("dice", "shocked"), [([3, 3], True), ([3, 4], False)])
def test_as_much_as_the_leadership_is_enough(dice: list[int], shocked: bool) -> None:
    reds = unit("Reds", "red", {**TROOPER, "leadership": 7}, row(2, (5, 10)), strength=9)
    b = situation([reds, FOE], step="battle_shock", dice=dice)
    test = next(e for e in b.events if isinstance(e, Told) and e.kind == "test")
    how = {True: "fail", False: "pass"}[shocked]
    assert (named(b, "Reds").battle_shocked, test.text.split()[1]) == (shocked, how)


@rule("w40k11.command.gain_cp", check=1)
def test_in_a_round_each_player_gains_two_core_cp() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="start_of_round")
    run_turn(b)
    assert (b.state.round, b.state.active, [p.cp for p in b.state.players]) == (1, 1, [2, 2])


@rule("w40k11.gap.cp_cap", check=2)
def test_one_cp_a_round_is_gained_from_other_sources() -> None:
    sources = [power("Reds", kind="gain_cp", at=at, value=value) for at, value in (("command", 2), ("command_end", 1))]
    reds = unit("Reds", "red", TROOPER, [(5, 5)])
    b = situation([reds, FOE], step="command_phase", abilities=sources)
    first = (b.player(0).cp, told(b).count("command_points"))
    until(b, "move_with", 1)
    until(b, "move_with", 0)
    assert (first, b.state.round, b.player(0).cp, told(b).count("command_points")) == ((2, 2), 2, 5, 5)


@rule("w40k11.command.structure", check=1)
def test_cp_are_gained_before_battle_shock_rolls() -> None:
    b = weak(5, dice=[6, 6], step="command_phase")
    until(b, "move_with")
    assert told(b)[:3] == ["phase", "command_points", "test"]


@rule("w40k11.command.battleshock")
def test_who_is_not_on_the_battlefield_makes_no_roll() -> None:
    reds = unit("Reds", "red", TROOPER, off=2, strength=10, battle_shocked=True)
    b = situation([reds, unit("Others", "red", TROOPER, [(5, 5)]), FOE], step="battle_shock")
    assert (rolls(b), kinds(b)) == ([], ["move_with"])


@rule("w40k11.round.turn", check=1)
def test_the_parts_of_a_turn_follow_each_other() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="start_of_round")
    phases = [b.state.game.phase]
    while b.decisions and b.state.active == 0:
        decision = b.decisions[0]
        b.answer(decision, questions.plain(b, decision))
    told_ = [e.text for e in b.events if getattr(e, "kind", "") == "phase"][:5]
    assert (phases, [text.partition(": ")[2] for text in told_]) == (
        ["movement"],
        ["Command phase.", "Movement phase.", "Shooting phase.", "Charge phase.", "Fight phase."],
    )


def test_a_unit_of_ten_that_lost_five_is_asked_for_in_turn() -> None:
    reds = unit("Reds", "red", TROOPER, row(5, (5, 10)), strength=10)
    others = unit("Others", "red", TROOPER, row(5, (5, 20)), strength=10)
    b = situation([reds, others, FOE], step="battle_shock", dice=[6, 6, 6, 6])
    give(b, "test_with", "Others")
    assert rolls(b) == [("battle-shock", (6, 6)), ("battle-shock", (6, 6))]


# --- Command abilities ------------------------------------------------------------------------------------------------


def in_command(at: str, **more: Any) -> Battle11:
    """Reds at half-strength with an ability that gains a CP at some moment of the Command phase."""
    reds = unit("Reds", "red", TROOPER, row(5, (5, 10)), strength=10)
    gain = power("Reds", kind="gain_cp", at=at)
    b = situation([reds, FOE], step="start_of_turn", dice={"battle-shock": [6, 6]}, abilities=[gain], **more)
    until(b, "move_with")
    return b


@rule("w40k11.command.structure", check=2)
@rule("w40k11.command.abilities", check=1)
def test_what_is_done_in_the_command_phase_comes_after_battle_shock() -> None:
    assert told(in_command("command")) == ["phase", "command_points", "test", "ability", "command_points", "phase"]


@rule("w40k11.command.abilities", check=2)
def test_what_falls_due_at_the_end_of_the_command_phase_comes_after_that() -> None:
    both = [
        power("Reds", kind="gain_cp", at="command_end"),
        power("Reds", kind="battle_shock", at="command"),
    ]
    reds = unit("Reds", "red", TROOPER, row(5, (5, 10)))
    b = situation([reds, FOE], step="command_phase", dice={"battle-shock": [6, 6]}, abilities=both)
    assert told(b) == ["phase", "command_points", "ability", "test", "ability", "command_points", "phase"]


@rule("w40k11.command.gain_cp", check=2)
def test_core_cp_and_other_cp_are_one_pool() -> None:
    assert [p.cp for p in in_command("command", cp=(1, 0)).state.players] == [3, 1]


@rule("w40k11.round.turn", check=2)
def test_what_falls_due_at_the_start_of_a_turn_comes_before_the_command_phase() -> None:
    assert told(in_command("turn_start"))[:3] == ["ability", "command_points", "phase"]


# --- Leadership -------------------------------------------------------------------------------------------------------


@rule("w40k11.concept.leadership_roll", check=3)
def test_destroyed_models_lend_no_leadership() -> None:
    hero = unit("Hero", "red", {**HERO, "leadership": 6}, [(5, 12)], leads="Reds")
    reds = unit("Reds", "red", {**TROOPER, "leadership": 7}, row(2, (5, 10)))
    b = situation([reds, hero, FOE])
    before = best_leadership(b, named(b, "Reds"))
    b.place_models([m for m in named(b, "Reds").models if m in named(b, "Reds").leader], GONE)
    assert (before, best_leadership(b, named(b, "Reds"))) == (6, 7)


@rule("w40k11.concept.battleshock_roll", check=2)
@pytest.mark.parametrize(("step", "shocked"), [("command_abilities", True), ("battle_shock", False)])
def test_a_success_cures_only_in_the_battle_shock_step(step: str, shocked: bool) -> None:
    reds = unit("Reds", "red", TROOPER, row(5, (5, 10)), battle_shocked=True)
    nerve = power("Reds", kind="battle_shock", at="command")
    b = situation([reds, FOE], step=step, dice={"battle-shock": [6, 6, 6, 6]}, abilities=[nerve])
    assert (told(b)[-2:] == ["test", "phase"], named(b, "Reds").battle_shocked) == (True, shocked)
