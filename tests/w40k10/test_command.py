"""The Command phase, battle rounds, and the Stratagem frame."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect, Moment, questions
from sandtable.battle.events import Changed
from sandtable.systems.w40k10 import battle_shock
from sandtable.systems.w40k10.battle_shock import must_test
from sandtable.systems.w40k10.command_phase import gain_extra
from sandtable.systems.w40k10.leadership_tests import leadership_test
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems import using_stratagems
from sandtable.systems.w40k10.stratagems.core_stratagems import is_own_test
from w40k10.arms import stories
from w40k10.table import (
    HERO,
    TROOPER,
    asked,
    cites,
    default,
    give,
    kinds,
    named,
    rolls,
    row,
    situation,
    told,
    unit,
)

FOE = unit("Blues", "blue", TROOPER, [(40, 25)])


def weak(
    dice: dict[str, list[int]] | None = None,
    step: str = "command_phase",
    sheet: dict[str, Any] = TROOPER,
    **more: Any,
) -> Battle10:
    """A red unit Below Half-strength."""
    return situation([unit("Reds", "red", sheet, row(2, (10, 10)), strength=5), FOE], step=step, dice=dice, **more)


BESIDE = [(12, 12)]
"""A marker that this unit is near."""


# --- Rounds and phases ------------------------------------------------------------------------------------------------


def run_turn(b: Battle10) -> None:
    """Answer plainly until the turn is over."""
    turns = b.state.game.turns
    while b.decisions and b.state.game.turns == turns:
        decision = b.decisions[0]
        b.answer(decision, questions.plain(b, decision))


@pytest.mark.rule("w40k10.round.phases", check=1)
@pytest.mark.rule("w40k10.round.phases", check=3)
def test_phases_come_in_their_order_and_the_turn_ends_with_the_fight() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    run_turn(b)
    texts = [e.text for e in b.events if getattr(e, "kind", "") == "phase"]
    names = ["Command", "Movement", "Shooting", "Charge", "Fight"]
    assert texts[:5] == [f"red: {name} phase." for name in names]
    assert texts[5] == "blue: Command phase."


@pytest.mark.rule("w40k10.round.phases", check=2)
def test_in_the_fight_phase_both_players_act_and_in_the_others_the_active_player_alone() -> None:
    pairs = [
        unit(f"{name.title()} {n}", name, TROOPER, [(10 + (name == "blue") * gap, 5 + 8 * n)])
        for n, gap in enumerate((12, 1, 1))
        for name in ("red", "blue")
    ]
    pairs += [
        unit(name, "red", TROOPER, row(2, at), strength=5) for name, at in (("Weak", (30, 25)), ("Frail", (35, 25)))
    ]
    b = situation(pairs, step="command_phase", dice={"any": [1] * 300})
    seen = set()
    while b.state.active == 0:
        decision = b.decisions[0]
        seen.add((b.state.game.phase, decision.player))
        b.answer(decision, questions.plain(b, decision))
    own = {(phase, 0) for phase in ("command", "movement", "shooting", "charge", "fight")}
    assert seen == {*own, ("fight", 1)}


@pytest.mark.rule("w40k10.round.structure", check=1)
@pytest.mark.rule("w40k10.round.structure", check=2)
@pytest.mark.rule("w40k10.round.first_player", check=1)
def test_a_round_has_one_turn_of_each_player_and_the_same_one_begins_the_next() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    seen = []
    for _ in range(4):
        seen.append((b.state.round, b.state.active))
        run_turn(b)
    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1)]


@pytest.mark.rule("w40k10.round.structure", check=1)
@pytest.mark.rule("w40k10.round.first_player", check=1)
def test_three_players_take_their_turns_in_the_same_order_in_every_round() -> None:
    unarmed = {**TROOPER, "weapons": []}
    names = ("red", "blue", "green")
    units = [unit(name.title(), name, unarmed, [(5 + 15 * i, 5)]) for i, name in enumerate(names)]
    b = situation(units, step="command_phase", players=names)
    seen = []
    for _ in range(6):
        seen.append((b.state.round, b.state.active))
        run_turn(b)
    assert seen == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]


# --- Command points ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.command.gain_cp", check=1)
@pytest.mark.rule("w40k10.command.gain_cp", check=2)
@pytest.mark.rule("w40k10.command.gain_cp", check=4)
def test_both_players_gain_a_command_point_before_anything_else() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    assert [p.cp for p in b.state.players] == [1, 1]
    # Below the heading of the phase, but before whatever happens at its start.
    assert told(b)[:2] == ["phase", "command_points"]


@pytest.mark.rule("w40k10.command.gain_cp", check=3)
def test_a_round_brings_two_command_points_to_each() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    run_turn(b)
    assert [p.cp for p in b.state.players] == [2, 2]


def gain(b: Battle10, player: int, amount: int = 1) -> int:
    """A player gains Command points by a rule; how many the player has more now."""
    before = b.player(player).cp
    gained = gain_extra(b, b.player(player), amount, "w40k10.datasheet.abilities")
    assert b.player(player).cp == before + gained
    return gained


@pytest.mark.rule("w40k10.command.cp_cap", check=1)
@pytest.mark.rule("w40k10.command.cp_cap", check=2)
def test_one_extra_command_point_in_a_round_and_those_of_the_command_phase_beside_it() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    points = told(b).count("command_points")
    assert gain(b, 0) == 1
    assert gain(b, 0) == 0
    assert told(b).count("command_points") == points + 1, "nothing is told where nothing is gained"
    run_turn(b)
    assert [p.cp for p in b.state.players] == [3, 2]


@pytest.mark.rule("w40k10.command.cp_cap", check=3)
@pytest.mark.rule("w40k10.command.cp_cap", check=4)
def test_the_cap_spans_both_turns_and_starts_afresh_in_the_next_round() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], step="command_phase")
    assert gain(b, 0) == 1
    assert gain(b, 1, amount=2) == 1, "each player has a cap"
    run_turn(b)
    assert gain(b, 0) == 0
    run_turn(b)
    assert b.state.round == 2
    assert [gain(b, player, amount=2) for player in (0, 1)] == [1, 1]


@pytest.mark.rule("w40k10.command.other_rules", check=1)
def test_what_was_chosen_for_a_round_ends_when_its_players_command_phase_begins_and_nothing_else_does() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE])
    for until in ("command of 0", "command of 1", "battle"):
        b.add_effect(Effect("chosen", until=until))
    run_turn(b)
    assert [e.until for e in b.state.effects] == ["command of 0", "battle"]
    run_turn(b)
    assert [e.until for e in b.state.effects] == ["battle"]


# --- Battle-shock -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.command.battleshock_test", check=1)
@pytest.mark.rule("w40k10.command.battleshock_test", check=4)
@pytest.mark.rule("w40k10.datasheet.leadership_test", check=1)
@pytest.mark.rule("w40k10.command.steps", check=1)
@pytest.mark.rule("w40k10.command.steps", check=2)
@pytest.mark.rule("w40k10.command.other_rules", check=1)
def test_a_weak_unit_tests_and_its_leadership_is_enough() -> None:
    b = weak({"battle-shock": [3, 3]})
    assert rolls(b) == [("battle-shock", (3, 3))]
    assert not named(b, "Reds").battle_shocked
    assert told(b)[:4] == ["phase", "command_points", "test", "phase"]


@pytest.mark.rule("w40k10.command.battleshock_test", check=5)
def test_one_less_than_its_leadership_shocks_a_unit() -> None:
    b = weak({"battle-shock": [3, 2]}, cp=(0, 0), step="battle_shock")
    assert named(b, "Reds").battle_shocked
    assert "battle_shocked" in told(b)


@pytest.mark.rule("w40k10.command.battleshock_test", check=2)
@pytest.mark.rule("w40k10.command.battleshock_test", check=3)
@pytest.mark.rule("w40k10.command.battleshock_test", check=7)
def test_who_does_not_test() -> None:
    b = situation(
        [
            unit("Half", "red", TROOPER, row(5, (10, 10)), strength=10),
            unit("Away", "red", TROOPER, off=2, strength=5),
            unit("Weak", "red", TROOPER, row(2, (10, 20)), strength=5),
            unit("Blues", "blue", TROOPER, row(2, (30, 10)), strength=5),
        ],
        step="battle_shock",
        dice={"battle-shock": [6, 6]},
    )
    assert rolls(b) == [("battle-shock", (6, 6))]
    for name in ("Half", "Away", "Blues"):
        assert not must_test(b, named(b, name))


@pytest.mark.rule("w40k10.command.battleshock_test", check=6)
def test_the_best_leadership_of_the_unit_counts() -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "leadership": 7}, [(10, 10)], strength=9),
            unit("Hero", "red", {**HERO, "leadership": 5}, [(10, 12)], leads="Reds"),
            FOE,
        ],
        step="battle_shock",
        dice={"battle-shock": [1, 4]},
    )
    assert rolls(b) == [("battle-shock", (1, 4))]
    assert not named(b, "Reds").battle_shocked


@pytest.mark.rule("w40k10.dice.sequencing", check=1)
def test_the_active_player_orders_the_tests() -> None:
    b = situation(
        [
            unit("One", "red", TROOPER, row(2, (10, 10)), strength=5),
            unit("Two", "red", TROOPER, row(2, (10, 20)), strength=5),
            FOE,
        ],
        step="battle_shock",
        dice={"battle-shock": [6, 6, 1, 1]},
    )
    assert asked(b, "test_with").player == 0
    give(b, "test_with", "Two")
    assert named(b, "One").battle_shocked
    assert not named(b, "Two").battle_shocked


@pytest.mark.rule("w40k10.command.battleshock_duration", check=1)
@pytest.mark.rule("w40k10.command.battleshock_duration", check=2)
@pytest.mark.rule("w40k10.command.battleshock_duration", check=3)
def test_battle_shock_lasts_through_the_opponents_turn_and_ends_before_the_next_tests() -> None:
    b = weak({"battle-shock": [1, 1, 5, 5]})
    assert named(b, "Reds").battle_shocked
    run_turn(b)
    assert (b.state.active, named(b, "Reds").battle_shocked) == (1, True)
    run_turn(b)
    assert (b.state.active, named(b, "Reds").battle_shocked) == (0, False)
    assert rolls(b) == [("battle-shock", (1, 1)), ("battle-shock", (5, 5))]


@pytest.mark.rule("w40k10.command.battleshock_duration", check=2)
def test_who_passed_tests_again_in_the_next_own_command_phase() -> None:
    b = weak({"battle-shock": [6, 6, 1, 1]})
    assert not named(b, "Reds").battle_shocked
    run_turn(b)
    run_turn(b)
    assert named(b, "Reds").battle_shocked


@pytest.mark.rule("w40k10.command.battleshock_duration", check=1)
def test_all_units_recover_when_their_players_command_phase_begins_and_nobody_elses() -> None:
    units = [
        unit("Reds", "red", TROOPER, row(5, (10, 10)), battle_shocked=True),
        unit("Others", "red", TROOPER, row(5, (10, 20)), battle_shocked=True),
        unit("Steady", "red", TROOPER, row(5, (30, 20))),
        unit("Blues", "blue", TROOPER, row(5, (30, 10)), battle_shocked=True),
    ]
    b = situation(units, step="command_phase")
    assert [u.battle_shocked for u in b.units()] == [False, False, False, True]
    recovered = [e.id for e in b.events if isinstance(e, Changed) and "battle_shocked" in e.fields]
    assert recovered == [0, 1], "nothing changes for those who were steady"


@pytest.mark.rule("w40k10.datasheet.leadership_test", check=2)
@pytest.mark.parametrize(("hero", "bodyguard"), [(5, 7), (7, 5)])
def test_an_attached_unit_tests_on_the_better_leadership_of_leader_and_bodyguard(hero: int, bodyguard: int) -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "leadership": bodyguard}, row(2, (10, 10))),
            unit("Hero", "red", {**HERO, "leadership": hero}, [(10, 11.5)], leads="Reds"),
            FOE,
        ],
        dice={"leadership": [2, 3, 2, 2]},
    )
    reds, source = named(b, "Reds"), "w40k10.datasheet.leadership_test"
    assert leadership_test(b, reds, "leadership", source)
    assert not leadership_test(b, reds, "leadership", source)


@pytest.mark.rule("w40k10.datasheet.leadership_test", check=1)
def test_a_test_tells_the_score_and_what_was_needed() -> None:
    b = weak({"leadership": [3, 4, 3, 3]}, step="move_units", sheet={**TROOPER, "leadership": 7})
    reds, source = named(b, "Reds"), "w40k10.datasheet.leadership_test"
    assert leadership_test(b, reds, "leadership", source)
    assert not leadership_test(b, reds, "leadership", source)
    assert stories(b)[-2:] == [
        "Reds pass their leadership test: 7 against 7+.",
        "Reds fail their leadership test: 6 against 7+.",
    ]


@pytest.mark.rule("w40k10.datasheet.leadership_test", check=3)
def test_a_failed_leadership_test_alone_shocks_nobody() -> None:
    b = weak({"leadership": [1, 2]}, step="move_units")
    assert not leadership_test(b, named(b, "Reds"), "leadership", "w40k10.datasheet.leadership_test")
    assert not named(b, "Reds").battle_shocked


@pytest.mark.rule("w40k10.command.battleshock_oc", check=1)
@pytest.mark.rule("w40k10.command.battleshock_oc", check=2)
@pytest.mark.rule("w40k10.objective.level_of_control", check=3)
def test_a_shocked_unit_controls_nothing_nor_does_its_leader() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(2, (10, 10)), battle_shocked=True),
            unit("Hero", "red", HERO, [(10, 11.5)], leads="Reds"),
            unit("Blues", "blue", TROOPER, [(11, 8)]),
        ],
        objectives=[(11, 10)],
    )
    assert level_of_control(b, 0, 0) == 0
    assert level_of_control(b, 1, 0) == 2


# --- Stratagems -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.strat.insane_bravery", check=1)
@pytest.mark.rule("w40k10.strat.insane_bravery", check=2)
@pytest.mark.rule("w40k10.command.battleshock_stratagems", check=3)
@pytest.mark.rule("w40k10.strat.use", check=1)
@pytest.mark.rule("w40k10.strat.use", check=3)
def test_insane_bravery_undoes_a_failed_test_for_one_point() -> None:
    b = weak({"battle-shock": [1, 1]}, step="battle_shock", cp=(1, 0), objectives=BESIDE)
    assert named(b, "Reds").battle_shocked
    give(b, "react.test_failed", "Insane Bravery: Reds")
    assert not named(b, "Reds").battle_shocked
    assert b.player(0).cp == 0


@pytest.mark.parametrize(
    ("objectives", "options", "asked"),
    [(BESIDE, {}, True), ([(20, 20)], {}, False), ([], {}, False), ([], {"windows": "all"}, True)],
)
def test_insane_bravery_is_asked_about_where_a_marker_is_at_stake(
    objectives: list[tuple[float, float]], options: dict[str, str], asked: bool
) -> None:
    b = weak({"battle-shock": [1, 1]}, step="battle_shock", cp=(1, 0), objectives=objectives, options=options)
    assert ("react.test_failed" in kinds(b)) is asked


@pytest.mark.parametrize(("printed", "more", "asked"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_insane_bravery_is_not_asked_about_for_who_holds_nothing(printed: int, more: int, asked: bool) -> None:
    gain = [{"name": "Zeal", "unit": "Reds", "effects": [{"kind": "characteristic", "name": "OC", "add": more}]}]
    b = weak(
        {"battle-shock": [1, 1]},
        step="battle_shock",
        sheet={**TROOPER, "oc": printed},
        cp=(1, 0),
        objectives=BESIDE,
        abilities=gain if more else [],
    )
    assert ("react.test_failed" in kinds(b)) is asked


@pytest.mark.rule("w40k10.strat.use", check=2)
def test_without_the_points_nothing_is_offered() -> None:
    b = weak({"battle-shock": [1, 1]}, step="battle_shock", cp=(0, 5), objectives=BESIDE)
    assert named(b, "Reds").battle_shocked
    assert kinds(b) == ["move_with"]
    verdict = using_stratagems.can_pay(b, 0, using_stratagems.HEROIC_INTERVENTION)
    assert not verdict.ok


@pytest.mark.rule("w40k10.strat.insane_bravery", check=3)
@pytest.mark.rule("w40k10.strat.once_per_phase", check=1)
def test_the_same_stratagem_works_once_in_a_phase() -> None:
    b = situation(
        [
            unit("One", "red", TROOPER, row(2, (10, 10)), strength=5),
            unit("Two", "red", TROOPER, row(2, (10, 20)), strength=5),
            FOE,
        ],
        step="battle_shock",
        dice={"battle-shock": [1, 1, 1, 1]},
        cp=(5, 5),
        objectives=[*BESIDE, (12, 22)],
    )
    give(b, "test_with", "One")
    give(b, "react.test_failed", "Insane Bravery: One")
    assert kinds(b) == ["move_with"]
    assert named(b, "Two").battle_shocked
    assert b.player(0).cp == 4


@pytest.mark.rule("w40k10.strat.when_target", check=1)
def test_a_stratagem_has_its_moment() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)]), FOE], cp=(5, 5))
    for player, stratagem, fits in (
        (0, using_stratagems.COMMAND_REROLL, True),
        (0, using_stratagems.COUNTER_OFFENSIVE, False),
        (0, using_stratagems.FIRE_OVERWATCH, False),
        (1, using_stratagems.FIRE_OVERWATCH, True),
        (1, using_stratagems.GO_TO_GROUND, False),
    ):
        assert bool(using_stratagems.CARDS.usable(b, player, stratagem)) == fits


@pytest.mark.rule("w40k10.strat.insane_bravery", check=4)
@pytest.mark.rule("w40k10.strat.when_target", check=2)
@pytest.mark.rule("w40k10.strat.when_target", check=1)
def test_insane_bravery_belongs_to_ones_own_command_phase() -> None:
    b = weak({"battle-shock": [1, 1]}, step="battle_shock", cp=(5, 5), objectives=BESIDE)
    assert asked(b, "react.test_failed").player == 0
    assert not using_stratagems.CARDS.usable(b, 1, using_stratagems.INSANE_BRAVERY)
    default(b, "react.test_failed")
    assert not using_stratagems.CARDS.usable(b, 0, using_stratagems.INSANE_BRAVERY)
    assert b.player(0).cp == 5


@pytest.mark.rule("w40k10.strat.insane_bravery", check=4)
def test_insane_bravery_is_for_units_of_ones_own_and_for_tests_of_the_step() -> None:
    b = weak({"battle-shock": [1, 1]}, step="battle_shock", cp=(5, 5))
    reds = named(b, "Reds").id
    in_step, forced = Moment(reds, data={"step": "battle-shock"}), Moment(reds, data={"step": ""})
    assert [is_own_test(b, 0, in_step), is_own_test(b, 1, in_step), is_own_test(b, 0, forced)] == [True, False, False]


@pytest.mark.rule("w40k10.command.battleshock_stratagems", check=1)
@pytest.mark.rule("w40k10.command.battleshock_stratagems", check=4)
def test_no_stratagem_for_ones_own_shocked_unit() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 5)], battle_shocked=True), FOE], cp=(5, 5))
    verdict = battle_shock.may_affect(b, 0, using_stratagems.COMMAND_REROLL, named(b, "Reds"))
    assert cites(verdict) == {"w40k10.command.battleshock_stratagems"}
    assert battle_shock.may_affect(b, 1, using_stratagems.GRENADE, named(b, "Reds"))
    assert battle_shock.may_affect(b, 1, using_stratagems.COMMAND_REROLL, named(b, "Blues"))


@pytest.mark.rule("w40k10.strat.categories", check=1)
@pytest.mark.rule("w40k10.strat.categories", check=2)
@pytest.mark.rule("w40k10.strat.categories", check=3)
@pytest.mark.rule("w40k10.strat.categories", check=4)
def test_every_core_stratagem_has_its_category() -> None:
    found: dict[str, set[str]] = {}
    for stratagem in using_stratagems.CORE:
        found.setdefault(using_stratagems.category_of(stratagem.name), set()).add(stratagem.name)
    assert found == {
        "Battle Tactic": {"Command Re-roll", "Go to Ground"},
        "Epic Deed": {"Epic Challenge", "Insane Bravery"},
        "Strategic Ploy": {
            "Counter-offensive",
            "Tank Shock",
            "Rapid Ingress",
            "Fire Overwatch",
            "Heroic Intervention",
        },
        "Wargear": {"Grenade", "Smokescreen"},
    }


@pytest.mark.rule("w40k10.strat.use", check=4)
def test_both_players_may_use_core_stratagems() -> None:
    for active, player in (("red", 0), ("blue", 1)):
        b = situation(
            [
                unit("Reds", "red", TROOPER, row(2, (10, 10)), strength=5),
                unit("Blues", "blue", TROOPER, row(2, (30, 10)), strength=5),
            ],
            step="battle_shock",
            active=active,
            dice={"battle-shock": [1, 1]},
            cp=(1, 1),
            objectives=[*BESIDE, (32, 12)],
        )
        assert asked(b, "react.test_failed").player == player
        give(b, "react.test_failed", "Insane")
        assert b.player(player).cp == 0
