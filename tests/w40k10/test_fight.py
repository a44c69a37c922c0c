"""The Fight phase: who fights when, Pile In, Consolidate, and Counter-offensive."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Moves
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k10.charge_phase import has_charge_bonus
from sandtable.systems.w40k10.engagement_range import is_engaged
from sandtable.systems.w40k10.fight_phase import eligible_to_fight
from sandtable.systems.w40k10.melee_attacks import fighters
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import (
    TANK,
    TROOPER,
    asked,
    cites,
    default,
    feature,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    refused_by,
    row,
    situation,
    told,
    unit,
)

HARMLESS: dict[str, Any] = {**TROOPER, "weapons": []}
"""Without weapons nobody dies, and nobody has to be asked about attacks."""
QUICK: dict[str, Any] = {**HARMLESS, "abilities": ["fights first"]}


def fight(*units: Any, terrain: list[FeatureDoc] | None = None, **more: Any) -> Battle10:
    return situation(list(units), terrain, step="fight_phase", **more)


def fought(b: Battle10) -> list[str]:
    """Who has fought so far, in order."""
    return [b.unit(e.units[0]).name for e in b.events if getattr(e, "kind", "") == "fights"]


def finish(b: Battle10) -> list[str]:
    """Let the phase run with defaults; who fought, in order."""
    while b.decisions and b.state.game.phase == "fight" and b.state.active == 0:
        default(b, kinds(b)[0])
    return fought(b)


def duel(n: int, *, red: dict[str, Any] = HARMLESS, blue: dict[str, Any] = HARMLESS, **flags: Any) -> list[Any]:
    """Red and blue in base contact, the n-th such pair."""
    y = 4 + 5 * n
    return [
        unit(f"Red {n}", "red", red, [(10, y)], **flags),
        unit(f"Blue {n}", "blue", blue, [(11, y)]),
    ]


# --- Who fights when --------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.fight.eligible", check=1)
@pytest.mark.rule("w40k10.fight.eligible", check=2)
@pytest.mark.rule("w40k10.fight.eligible", check=3)
def test_engaged_units_and_chargers_fight_and_nobody_else() -> None:
    b = fight(
        *duel(0),
        unit("Charged", "red", HARMLESS, [(30, 10)], charged=True),
        unit("Idle", "red", HARMLESS, [(30, 20)]),
    )
    assert sorted(finish(b)) == ["Blue 0", "Charged", "Red 0"]
    fresh = fight(*duel(0), unit("Idle", "red", HARMLESS, [(30, 20)]), *duel(1))
    assert cites(eligible_to_fight(fresh, named(fresh, "Idle"))) == {"w40k10.fight.eligible"}
    assert eligible_to_fight(fresh, named(fresh, "Red 0"))


@pytest.mark.rule("w40k10.fight.steps", check=1)
@pytest.mark.rule("w40k10.fight.steps", check=2)
@pytest.mark.rule("w40k10.fight.first_step", check=1)
@pytest.mark.rule("w40k10.charge.bonus", check=1)
@pytest.mark.rule("w40k10.fight.remaining", check=1)
def test_chargers_fight_before_all_others() -> None:
    b = fight(*duel(0), *duel(1, charged=True))
    order = finish(b)
    assert order[0] == "Red 1"
    assert sorted(order) == ["Blue 0", "Blue 1", "Red 0", "Red 1"]
    assert b.state.active == 1


@pytest.mark.rule("w40k10.fight.first_step", check=2)
@pytest.mark.rule("w40k10.fight.alternate", check=1)
def test_a_defender_who_fights_first_comes_before_the_charger() -> None:
    b = fight(*duel(0, blue=QUICK, charged=True))
    assert finish(b) == ["Blue 0", "Red 0"]


@pytest.mark.rule("w40k10.ability.fights_first", check=1)
def test_one_slow_model_keeps_the_unit_out_of_the_first_step() -> None:
    b = fight(
        unit("Reds", "red", HARMLESS, [(10, 10)], charged=True),
        unit("Blues", "blue", QUICK, [(11, 10), (12.5, 10)], loadout=[{"models": [2], "sheet": HARMLESS}]),
    )
    assert finish(b) == ["Reds", "Blues"]
    all_quick = fight(
        unit("Reds", "red", HARMLESS, [(10, 10)], charged=True), unit("Blues", "blue", QUICK, [(11, 10), (12.5, 10)])
    )
    assert finish(all_quick) == ["Blues", "Reds"]


@pytest.mark.rule("w40k10.ability.fights_first", check=2)
def test_a_charge_lets_the_whole_unit_fight_first_whichever_of_its_models_have_the_ability() -> None:
    def order(charged: bool) -> list[str]:
        mixed = [{"models": [2], "sheet": QUICK}]
        return finish(
            fight(
                *duel(0),
                unit("Reds", "red", HARMLESS, [(10, 20), (10, 21.5)], loadout=mixed, charged=charged),
                unit("Blues", "blue", HARMLESS, [(11, 20)]),
            )
        )

    assert order(charged=True) == ["Reds", "Blue 0", "Red 0", "Blues"]
    assert order(charged=False) == ["Blue 0", "Red 0", "Blues", "Reds"]


@pytest.mark.rule("w40k10.fight.alternate", check=2)
def test_the_opponent_selects_first_in_the_second_step_too() -> None:
    # Red has two chargers: it fights last in the first step, and blue still begins the second.
    b = fight(*duel(0, blue=QUICK, charged=True), *duel(1, charged=True), *duel(2))
    assert finish(b) == ["Blue 0", "Red 0", "Red 1", "Blue 1", "Red 2", "Blue 2"]


@pytest.mark.rule("w40k10.fight.alternate", check=3)
def test_who_is_alone_in_a_step_fights_with_all_one_at_a_time() -> None:
    b = fight(*duel(0, blue=QUICK, charged=True), *duel(1, charged=True), *duel(2, charged=True))
    assert fought(b) == ["Blue 0"], "blue comes first, and has nobody else in this step"
    assert offered(b, "fight_with") == ["Red 0", "Red 1", "Red 2"]
    give(b, "fight_with", "Red 1")
    assert offered(b, "fight_with") == ["Red 0", "Red 2"]
    assert finish(b) == ["Blue 0", "Red 1", "Red 0", "Red 2", "Blue 1", "Blue 2"]


@pytest.mark.rule("w40k10.fight.no_pass", check=1)
def test_nobody_may_pass() -> None:
    b = fight(*duel(0), *duel(1))
    assert not judge(b, "fight_with", "pass")
    assert asked(b, "fight_with").player == 1


@pytest.mark.rule("w40k10.fight.once", check=1)
def test_a_unit_fights_once_in_a_phase() -> None:
    b = fight(*duel(0, charged=True), *duel(1))
    assert fought(b) == ["Red 0"]
    assert cites(eligible_to_fight(b, named(b, "Red 0"))) == {"w40k10.fight.once"}
    assert finish(b) == ["Red 0", "Blue 0", "Red 1", "Blue 1"]


def wait(b: Battle10, phase: str) -> None:
    """Everybody stands still until this phase of blue's turn."""
    while (b.state.active, b.state.game.phase) != (1, phase):
        kind = kinds(b)[0]
        give(b, kind, {"mode": "stationary"}) if kind == "move" else default(b, kind)


@pytest.mark.rule("w40k10.fight.once", check=1)
def test_in_the_next_turn_a_unit_fights_again() -> None:
    b = fight(*duel(0, charged=True), *duel(1))
    assert finish(b) == ["Red 0", "Blue 0", "Red 1", "Blue 1"]
    wait(b, "fight")
    give(b, "fight_with", "Red 0")
    assert fought(b)[4] == "Red 0"


@pytest.mark.rule("w40k10.charge.bonus", check=2)
def test_the_charge_bonus_ends_with_the_turn() -> None:
    b = fight(*duel(0, charged=True), *duel(1, blue=QUICK), *duel(2))
    assert has_charge_bonus(named(b, "Red 0"))
    assert finish(b)[:2] == ["Blue 1", "Red 0"]
    wait(b, "fight")
    # With the bonus Red 0 would come first now, since it is blue's turn.
    assert fought(b)[6:] == ["Blue 1"]
    assert not has_charge_bonus(named(b, "Red 0"))


@pytest.mark.rule("w40k10.fight.newly_eligible", check=1)
@pytest.mark.rule("w40k10.fight.newly_eligible", check=2)
@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=4)
def test_who_is_consolidated_into_fights_in_the_remaining_combats() -> None:
    b = fight(
        unit("Reds", "red", HARMLESS, [(10, 10)], charged=True),
        unit("Others", "red", HARMLESS, [(30, 10)], charged=True),
        unit("Blues", "blue", QUICK, [(14, 10)]),
    )
    give(b, "fight_with", "Reds")
    give(b, "pile_in", {"mode": "pile_in"})
    give(b, "consolidate", {"mode": "consolidate", "to": [[13, 10]]})
    assert is_engaged(b, named(b, "Blues"))
    # Blue Fights First, but was not eligible when the phase began: the other charger comes before it.
    assert finish(b) == ["Reds", "Others", "Blues"]


# --- Counter-offensive ------------------------------------------------------------------------------------------------


def countering(cp: int = 2, **flags: Any) -> Battle10:
    b = fight(*duel(0, charged=True), *duel(1, charged=True), *duel(2), cp=(0, cp))
    give(b, "fight_with", "Red 0")
    return b


@pytest.mark.rule("w40k10.strat.counter_offensive", check=1)
@pytest.mark.rule("w40k10.strat.counter_offensive", check=2)
@pytest.mark.rule("w40k10.strat.counter_offensive", check=5)
def test_a_counter_offensive_lets_a_unit_fight_next() -> None:
    b = countering()
    give(b, "react.unit_fought", "Counter-offensive: Blue 2")
    assert b.player(1).cp == 0
    assert finish(b)[:3] == ["Red 0", "Blue 2", "Red 1"]


@pytest.mark.rule("w40k10.strat.counter_offensive", check=3)
@pytest.mark.rule("w40k10.strat.counter_offensive", check=4)
def test_who_has_fought_or_is_not_engaged_cannot_counter() -> None:
    b = fight(
        *duel(0, charged=True),
        *duel(1, charged=True),
        unit("Done", "blue", HARMLESS, [(11, 13)], fought=True),
        unit("Red 2", "red", HARMLESS, [(10, 13)]),
        unit("Idle", "blue", HARMLESS, [(30, 20)]),
        cp=(0, 2),
    )
    give(b, "fight_with", "Red 0")
    labels = offered(b, "react.unit_fought")
    assert "Counter-offensive: Blue 0" in labels
    assert not [x for x in labels if x.endswith(("Done", "Idle"))]


def test_one_point_is_not_enough_for_a_counter_offensive() -> None:
    assert "react.unit_fought" not in kinds(countering(1))


# --- Pile In ----------------------------------------------------------------------------------------------------------


def piling(reds: list[tuple[float, ...]], blues: list[tuple[float, ...]], *others: Any, **more: Any) -> Battle10:
    """Reds that charged, about to Pile In."""
    return fight(
        unit("Reds", "red", HARMLESS, reds, charged=True), unit("Blues", "blue", HARMLESS, blues), *others, **more
    )


def step(*points: Any) -> dict[str, Any]:
    return {"mode": "pile_in", "to": list(points)}


@pytest.mark.rule("w40k10.fight.sequence", check=1)
@pytest.mark.rule("w40k10.fight.sequence", check=2)
@pytest.mark.rule("w40k10.fight.no_targets", check=1)
def test_a_fight_is_pile_in_then_attacks_then_consolidation() -> None:
    b = fight(
        unit("Reds", "red", TROOPER, [(10, 10), (11.5, 10)], charged=True),
        unit("Blues", "blue", HARMLESS, [(10, 11.4)]),
    )
    assert kinds(b) == ["pile_in"]
    default(b, "pile_in")
    assert kinds(b) == ["strike"]
    alone = fight(unit("Reds", "red", TROOPER, [(10, 10)], charged=True), unit("Blues", "blue", HARMLESS, [(14.5, 10)]))
    give(alone, "pile_in", {"mode": "pile_in"})
    assert kinds(alone) == ["consolidate"]


@pytest.mark.rule("w40k10.fight.pile_in", check=1)
def test_who_touches_the_enemy_does_not_pile_in() -> None:
    b = piling([(10, 10), (11.5, 10)], [(10, 11)])
    verdict = refused_by(b, "pile_in", step([10.2, 10.0], None), "w40k10.fight.pile_in")
    assert "base contact" in str(verdict)
    both = {"mode": "pile_in", "paths": {2: [[11, 11]], 1: [[10.1, 10.01]]}}
    refused_by(b, "pile_in", both, "w40k10.fight.pile_in")
    assert judge(b, "pile_in", {"mode": "pile_in", "paths": {2: [[11, 11]]}})


@pytest.mark.rule("w40k10.fight.pile_in", check=2)
def test_a_pile_in_is_three_inches_at_most() -> None:
    b = piling([(10, 10)], [(14.2, 10)])
    refused_by(b, "pile_in", step([13.1, 10]), "w40k10.fight.pile_in")
    assert judge(b, "pile_in", step([13, 10]))
    b = piling([(10, 10), (11.5, 9)], [(10, 11)])
    refused_by(b, "pile_in", {"mode": "pile_in", "paths": {2: [[13, 9], [11, 11]]}}, "w40k10.fight.pile_in")
    assert judge(b, "pile_in", {"mode": "pile_in", "paths": {2: [[11, 11]]}})


@pytest.mark.rule("w40k10.fight.pile_in", check=3)
def test_nobody_piles_in_without_reaching_anybody() -> None:
    b = piling([(10, 10)], [(14.8, 10)])
    refused_by(b, "pile_in", step([11, 10]), "w40k10.fight.pile_in")
    assert judge(b, "pile_in", step([13, 10])), "near enough, though it cannot touch"
    assert "pile_in" in kinds(piling([(10, 10)], [(15, 10)]))
    assert "pile_in" not in kinds(piling([(10, 10)], [(15.1, 10)]))


@pytest.mark.rule("w40k10.fight.pile_in", check=4)
def test_a_pile_in_keeps_the_unit_together() -> None:
    b = piling([(10, 10), (12.9, 10)], [(7.2, 10)])
    refused_by(b, "pile_in", step([8.2, 10]), "w40k10.concept.coherency_move")
    assert judge(b, "pile_in", step([8.2, 10], [11, 10])), "the second follows"


@pytest.mark.rule("w40k10.fight.pile_in", check=5)
def test_a_pile_in_is_voluntary_for_each_model() -> None:
    b = piling([(10, 10), (11.5, 9.5)], [(10, 11.5)])
    assert judge(b, "pile_in", {"mode": "pile_in"})
    assert judge(b, "pile_in", step([10, 10.5], None))
    assert judge(b, "pile_in", step(None, [11, 11.5]))
    assert judge(b, "pile_in", step([10, 10.5], [11, 11.5]))


@pytest.mark.rule("w40k10.fight.pile_in", check=6)
def test_a_pile_in_may_engage_an_enemy_that_was_not_engaged() -> None:
    b = piling([(10, 10), (11.5, 9.2)], [(9, 10)], unit("New", "blue", HARMLESS, [(13.7, 9.2)]))
    assert not is_engaged(b, named(b, "New"))
    give(b, "pile_in", {"mode": "pile_in", "paths": {2: [[12.7, 9.2]]}})
    assert is_engaged(b, named(b, "New"))


@pytest.mark.rule("w40k10.fight.pile_in_direction", check=1)
def test_who_piles_in_ends_closer_to_the_closest_enemy() -> None:
    # Both are too far behind their comrade to touch the enemy, so that only the direction counts.
    b = piling([(10, 10), (9.4, 7.4), (10.6, 7.4)], [(10, 11.5)])
    refused_by(b, "pile_in", step(None, None, [10.6, 7.3]), "w40k10.fight.pile_in_direction")
    refused_by(b, "pile_in", step(None, [9.4, 7.8], [10.6, 7.3]), "w40k10.fight.pile_in_direction")
    assert judge(b, "pile_in", step(None, [9.4, 7.8], [10.6, 7.8]))


@pytest.mark.rule("w40k10.fight.pile_in_direction", check=1)
def test_beside_aircraft_alone_nobody_on_the_ground_has_anybody_to_get_closer_to() -> None:
    jet = {**TANK, "name": "Jet", "keywords": ["VEHICLE", "AIRCRAFT", "FLY"], "weapons": []}
    reds = unit("Reds", "red", HARMLESS, [(10, 10), (6.5, 10), (8.2, 10)], charged=True)
    b = fight(reds, unit("Jet", "blue", jet, [(13, 10)]))
    refused_by(b, "pile_in", step(None, [6.8, 10], None), "w40k10.fight.pile_in_direction")
    grounded = fight(reds, unit("Tank", "blue", {**TANK, "weapons": []}, [(13, 10)]))
    assert judge(grounded, "pile_in", step(None, [6.8, 10], None)), "too far behind to touch it"


@pytest.mark.rule("w40k10.fight.pile_in_direction", check=2)
def test_who_can_touch_the_enemy_when_piling_in_must() -> None:
    b = piling([(10, 10), (11.5, 9.5)], [(10, 11)])
    verdict = refused_by(b, "pile_in", step(None, [11.3, 10]), "w40k10.fight.pile_in_direction")
    assert isinstance(verdict.instead, Moves)
    give(b, "pile_in", step(None, [11, 11]))
    assert places(b, "Reds")[1] == (11, 11, 0)


@pytest.mark.rule("w40k10.fight.pile_in_direction", check=3)
def test_the_player_chooses_the_order_in_which_models_pile_in() -> None:
    b = piling([(9.4, 9.4), (10.6, 9.4)], [(10, 11)])
    paths = {"mode": "pile_in", "paths": {2: [[10.5, 10.1335]], 1: [[9.5, 10.1335]]}}
    refused_by(b, "pile_in", {"mode": "pile_in", "paths": {1: [[9.5, 9.6]]}}, "w40k10.fight.pile_in_direction")
    give(b, "pile_in", paths)
    assert "piled_in" in told(b)


def test_the_default_pile_in_brings_everybody_it_can_into_the_fight() -> None:
    b = piling([(10, 10), (11.5, 9.5), (8.5, 9.5)], row(3, (8.8, 11), (1.2, 0)))
    before = len(fighters(b, named(b, "Reds")))
    default(b, "pile_in")
    assert len(fighters(b, named(b, "Reds"))) >= before
    assert "piled_in" in told(b)


@pytest.mark.rule("w40k10.concept.engagement_limit", check=3)
@pytest.mark.parametrize(
    ("phase", "kind", "mode"),
    [
        ("charge_phase", "charge_move", "charge"),
        ("fight_phase", "pile_in", "pile_in"),
        ("fight_phase", "consolidate", "consolidate"),
    ],
)
def test_charges_and_moves_in_a_fight_end_within_engagement_range_and_no_others(
    phase: str, kind: str, mode: str
) -> None:
    def standing(step: str, **flags: Any) -> Battle10:
        # They fly, so that on the way to where the move ends nothing is closed to them.
        reds = unit("Reds", "red", {**HARMLESS, "keywords": ["INFANTRY", "FLY"]}, [(10, 10)], **flags)
        return situation([reds, unit("Blues", "blue", HARMLESS, [(13.5, 10)])], step=step, dice={"charge": [6, 6]})

    b = standing("move_units")
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [(12.5, 10)]}, "w40k10.concept.engagement_limit")
    b = standing(phase, charged=phase == "fight_phase")
    while kinds(b) != [kind]:
        give(b, kinds(b)[0], {"charge_with": "Reds", "pile_in": {"mode": "pile_in"}}[kinds(b)[0]])
    give(b, kind, {"mode": mode, "to": [(12.5, 10)]})
    assert places(b, "Reds") == [(12.5, 10, 0)]


# --- Which models fight -----------------------------------------------------------------------------------------------


BROAD: dict[str, Any] = {**TROOPER, "base": "50.8mm"}
"""On a base of 2" a second rank is not within Engagement Range by itself."""


def who_fights(reds: list[tuple[float, ...]], blues: list[tuple[float, ...]], *others: Any, **more: Any) -> list[int]:
    b = situation([unit("Reds", "red", BROAD, reds), unit("Blues", "blue", BROAD, blues), *others], **more)
    return sorted(fighters(b, named(b, "Reds")))


@pytest.mark.rule("w40k10.fight.which_models", check=1)
@pytest.mark.rule("w40k10.fight.which_models", check=2)
@pytest.mark.rule("w40k10.fight.which_models", check=4)
def test_the_first_rank_fights_and_the_second_behind_it_but_not_the_third() -> None:
    assert who_fights([(10, 10), (10, 8), (10, 6)], [(10, 12)]) == [0, 1]


@pytest.mark.rule("w40k10.fight.which_models", check=2)
def test_a_friend_on_another_level_is_not_touched() -> None:
    assert who_fights([(10, 10), (10, 8, 0.001)], [(10, 12)]) == [0]
    assert who_fights([(10, 10), (10, 8, 0)], [(10, 12)]) == [0, 1]


@pytest.mark.rule("w40k10.fight.which_models", check=3)
def test_a_friend_who_only_is_near_gives_nothing() -> None:
    assert who_fights([(10, 10), (10, 8)], [(10, 12.3)]) == [0]


@pytest.mark.rule("w40k10.fight.which_models", check=5)
def test_a_friend_of_another_unit_gives_nothing() -> None:
    other = unit("Others", "red", BROAD, [(10, 10)])
    assert who_fights([(10, 8)], [(10, 12)], other) == []
    assert who_fights([(10, 8), (10, 10)], [(10, 12)]) == [0, 1]


@pytest.mark.rule("w40k10.fight.which_models", check=6)
def test_five_near_three_behind_and_two_elsewhere_make_eight() -> None:
    front = [(10 + 2.0 * i, 10.0) for i in range(5)]
    behind = [(10 + 2.0 * i, 8.0) for i in range(3)]
    idle = [(18.0, 7.0), (16.0, 5.5)]
    blues = [(10 + 2.0 * i, 12.0) for i in range(3)] + [(16.0, 12.4), (18.0, 12.4)]
    assert len(who_fights([*front, *behind, *idle], blues)) == 8


@pytest.mark.rule("w40k10.fight.select_targets", check=1)
@pytest.mark.rule("w40k10.fight.select_targets", check=3)
def test_the_second_rank_attacks_only_whom_its_comrade_touches() -> None:
    b = situation(
        [
            unit("Reds", "red", BROAD, [(10, 10), (10, 8)]),
            unit("Touched", "blue", BROAD, [(10, 12)]),
            unit("Near", "blue", BROAD, [(7.2, 10.6)]),
        ],
        [feature("hill", (8.5, 9.8, 0.3, 0.3), 8, solid=True)],
    )
    found = fighters(b, named(b, "Reds"))
    touched, near = named(b, "Touched").id, named(b, "Near").id
    assert found == {0: (touched, near), 1: (touched,)}


# --- Consolidating ----------------------------------------------------------------------------------------------------


def consolidating(reds: list[tuple[float, ...]], *blues: Any, **more: Any) -> Battle10:
    """Reds that charged, have nobody to attack, and are about to Consolidate."""
    b = fight(unit("Reds", "red", HARMLESS, reds, charged=True), *blues, **more)
    if "pile_in" in kinds(b):
        give(b, "pile_in", {"mode": "pile_in"})
    return b


@pytest.mark.rule("w40k10.fight.consolidate", check=1)
@pytest.mark.rule("w40k10.fight.consolidate", check=2)
@pytest.mark.rule("w40k10.fight.consolidate", check=4)
def test_a_consolidation_is_short_voluntary_and_not_for_those_in_contact() -> None:
    b = consolidating([(10, 10), (11.5, 10)], unit("Blues", "blue", HARMLESS, [(10, 11)]))
    assert judge(b, "consolidate", {"mode": "consolidate"})
    refused_by(b, "consolidate", {"mode": "consolidate", "to": [[10.2, 10], None]}, "w40k10.fight.consolidate")
    both = {"mode": "consolidate", "paths": {2: [[11, 11]], 1: [[10.1, 10.01]]}}
    refused_by(b, "consolidate", both, "w40k10.fight.consolidate")
    assert judge(b, "consolidate", {"mode": "consolidate", "paths": {2: [[11, 11]]}})
    long = {"mode": "consolidate", "paths": {2: [[14, 10], [11, 11]]}}
    refused_by(b, "consolidate", long, "w40k10.fight.consolidate")


@pytest.mark.rule("w40k10.fight.consolidate", check=1)
def test_a_consolidation_is_three_inches_at_most() -> None:
    b = consolidating([(10, 10)], unit("Blues", "blue", HARMLESS, [(14.2, 10)]))
    refused_by(b, "consolidate", {"mode": "consolidate", "to": [[13.1, 10]]}, "w40k10.fight.consolidate")
    assert judge(b, "consolidate", {"mode": "consolidate", "to": [[13, 10]]})
    b = consolidating([(9.5, 10)], unit("Blues", "blue", HARMLESS, [(40, 25)]), objectives=[(15, 10)])
    refused_by(b, "consolidate", {"mode": "objective", "to": [[12.6, 10]]}, "w40k10.fight.consolidate")
    assert judge(b, "consolidate", {"mode": "objective", "to": [[12.5, 10]]})


@pytest.mark.rule("w40k10.fight.consolidate", check=3)
def test_without_a_mode_nobody_consolidates() -> None:
    near = consolidating([(10, 10)], unit("Blues", "blue", HARMLESS, [(15, 10)]))
    assert judge(near, "consolidate", {"mode": "consolidate", "to": [[13, 10]]})
    far = consolidating([(10, 10)], unit("Blues", "blue", HARMLESS, [(15.1, 10)]))
    assert "consolidate" not in kinds(far)


@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=1)
def test_where_the_enemy_can_be_reached_the_objective_is_closed() -> None:
    b = consolidating([(10, 10)], unit("Blues", "blue", HARMLESS, [(14, 10)]), objectives=[(6, 10)])
    assert [m.name for m in asked(b, "consolidate").modes] == ["consolidate"]  # type: ignore[attr-defined]


OPEN = [("consolidate", "Towards the enemy"), ("objective", "Towards the objective")]


def ways(b: Battle10) -> list[tuple[str, str]]:
    """The ways of Consolidating that are open."""
    return [(m.name, m.label) for m in asked(b, "consolidate").modes]  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=1)
def test_where_walls_keep_the_enemy_out_of_reach_the_objective_is_open() -> None:
    wall = feature("debris", (12, 5, 0.5, 10), 8, solid=True)
    blues = unit("Blues", "blue", HARMLESS, [(14, 10)])
    assert ways(consolidating([(10, 10)], blues, terrain=[wall], objectives=[(6, 10)])) == OPEN
    assert ways(consolidating([(10, 10)], blues, objectives=[(6, 10)])) == OPEN[:1]


@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=1)
def test_who_is_engaged_does_not_turn_to_the_objective_though_nobody_can_get_closer() -> None:
    wall = feature("debris", (4, 9, 12, 0.4), 8, solid=True)
    blues = unit("Blues", "blue", HARMLESS, [(10, 11)])
    # The first touches the enemy, the second stands against the wall behind it.
    b = consolidating([(10, 10), (10, 8.5)], blues, terrain=[wall], objectives=[(6, 6)])
    assert ways(b) == OPEN[:1]
    assert b.default(asked(b, "consolidate")) == Moves("consolidate"), "nobody can go anywhere"


@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=2)
def test_nobody_consolidates_towards_an_enemy_without_reaching_it() -> None:
    b = consolidating([(10, 10)], unit("Blues", "blue", HARMLESS, [(14, 10)]))
    short = {"mode": "consolidate", "to": [[11, 10]]}
    assert cites(judge(b, "consolidate", short)) == {"w40k10.fight.consolidate_enemy"}
    assert judge(b, "consolidate", {"mode": "consolidate", "to": [[13, 10]]})


@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=2)
@pytest.mark.rule("w40k10.fight.consolidate_enemy", check=3)
def test_a_consolidation_goes_to_the_closest_enemy_and_into_contact() -> None:
    def moved(*points: Any) -> dict[str, Any]:
        return {"mode": "consolidate", "to": list(points)}

    blues = unit("Blues", "blue", HARMLESS, [(10, 11.5)])
    # Those behind are too far from the enemy to touch it, so that only the direction counts for them.
    b = consolidating([(10, 10), (9.4, 7.4), (10.6, 7.4)], blues)
    refused_by(b, "consolidate", moved(None, None, [10.6, 7.3]), "w40k10.fight.consolidate_enemy")
    refused_by(b, "consolidate", moved(None, [9.4, 7.8], [10.6, 7.3]), "w40k10.fight.consolidate_enemy")
    assert judge(b, "consolidate", moved(None, [9.4, 7.8], [10.6, 7.8]))
    b = consolidating([(10, 10), (10, 8.5)], blues)
    short = refused_by(b, "consolidate", moved([10, 10.3]), "w40k10.fight.consolidate_enemy")
    assert isinstance(short.instead, Moves)
    give(b, "consolidate", moved([10, 10.5]))
    assert "consolidated" in told(b)


MARKED = {"objectives": [(15, 10), (10, 19)]}


@pytest.mark.rule("w40k10.fight.consolidate_objective", check=1)
@pytest.mark.rule("w40k10.fight.consolidate_objective", check=2)
@pytest.mark.rule("w40k10.fight.consolidate_objective", check=3)
@pytest.mark.rule("w40k10.fight.consolidate_objective", check=4)
def test_without_enemies_the_closest_marker_may_be_taken() -> None:
    far = unit("Blues", "blue", HARMLESS, [(40, 25)])
    b = consolidating([(9.5, 10)], far, **MARKED)
    refused_by(b, "consolidate", {"mode": "objective", "to": [[9.6, 10]]}, "w40k10.fight.consolidate_objective")
    refused_by(b, "consolidate", {"mode": "objective", "to": [[9.5, 12.9]]}, "w40k10.fight.consolidate_objective")
    give(b, "consolidate", {"mode": "objective", "to": [[12, 10]]})
    assert places(b, "Reds") == [(12, 10, 0)]
    inside = consolidating([(13, 10), (12, 8.6)], far, **MARKED)
    back = {"mode": "objective", "to": [None, [11.6, 8.4]]}
    refused_by(inside, "consolidate", back, "w40k10.fight.consolidate_objective")
    one_back = {"mode": "objective", "to": [[13.4, 10], [11.6, 8.4]]}
    refused_by(inside, "consolidate", one_back, "w40k10.fight.consolidate_objective")
    assert judge(inside, "consolidate", {"mode": "objective", "to": [[13.4, 10], [12.2, 8.7]]})


@pytest.mark.rule("w40k10.fight.consolidate_objective", check=1)
@pytest.mark.rule("w40k10.fight.consolidate_objective", check=3)
def test_every_model_goes_towards_the_marker_and_one_of_them_within_range_is_enough() -> None:
    far = unit("Blues", "blue", HARMLESS, [(40, 25)])
    two = [(9.5, 10), (8, 10)]
    b = consolidating(two, far, **MARKED)
    assert judge(b, "consolidate", {"mode": "objective", "to": [[12, 10], [10.5, 10]]}), "the second is out of range"
    away = {"mode": "objective", "to": [[12, 10], [7.9, 10]]}
    assert not judge(b, "consolidate", away)
    near = consolidating([(12, 10), (12, 11.2)], far, **MARKED)
    refused_by(
        near,
        "consolidate",
        {"mode": "objective", "to": [[12.3, 10], [11.8, 11.6]]},
        "w40k10.fight.consolidate_objective",
    )
    level = {"mode": "objective", "to": [None, [12, 8.8]]}
    refused_by(near, "consolidate", level, "w40k10.fight.consolidate_objective")
    refused_by(near, "consolidate", {"mode": "objective", "to": [[15.3, 10], None]}, "w40k10.fight.consolidate")


@pytest.mark.rule("w40k10.fight.consolidate_objective", check=1)
def test_nobody_embarks_on_the_way_to_a_marker() -> None:
    rhino = {
        **TROOPER,
        "name": "Rhino",
        "keywords": ["VEHICLE", "TRANSPORT"],
        "transport": {"capacity": 6, "carries": ["INFANTRY"]},
    }
    b = fight(
        unit("Rhino", "red", rhino, [(12, 12)]),
        unit("Reds", "red", HARMLESS, [(9.5, 10)], charged=True),
        unit("Blues", "blue", HARMLESS, [(40, 25)]),
        **MARKED,
    )
    refused_by(b, "consolidate", {"mode": "objective", "to": [[12, 10]], "onto": "Rhino"}, "w40k10.transport.embark")
    assert judge(b, "consolidate", {"mode": "objective", "to": [[12, 10]]})


@pytest.mark.rule("w40k10.fight.consolidate_objective", check=1)
def test_nobody_consolidates_towards_a_marker_that_was_carried_off() -> None:
    far, two = unit("Blues", "blue", HARMLESS, [(40, 25)]), [(13, 10), (9.5, 16)]
    b = consolidating([(9.5, 10)], far, objectives=two, game={"removed": [0]})
    refused_by(b, "consolidate", {"mode": "objective", "to": [[11, 10]]}, "w40k10.fight.consolidate_objective")
    assert judge(b, "consolidate", {"mode": "objective", "to": [[9.5, 12.5]]}), "the other is the closest now"
    both = consolidating([(9.5, 10)], far, objectives=two)
    assert judge(both, "consolidate", {"mode": "objective", "to": [[11, 10]]})
    refused_by(both, "consolidate", {"mode": "objective", "to": [[9.5, 12.5]]}, "w40k10.fight.consolidate_objective")
    none = consolidating([(9.5, 10)], far, objectives=two, game={"removed": [0, 1]})
    assert "consolidate" not in kinds(none)


# --- Across a barricade -----------------------------------------------------------------------------------------------

BARRICADE = feature("barricade", (12, 5, 0.5, 10), 1, solid=True)


@pytest.mark.rule("w40k10.terrain.barricade_fight", check=1)
@pytest.mark.rule("w40k10.terrain.barricade_fight", check=2)
@pytest.mark.rule("w40k10.terrain.barricade_fight", check=3)
def test_a_barricade_stretches_the_reach_of_fighting_only() -> None:
    reds, blues = unit("Reds", "red", TROOPER, [(11.4, 10)]), unit("Blues", "blue", TROOPER, [(13.9, 10)])
    b = situation([reds, blues], [BARRICADE])
    assert fighters(b, named(b, "Reds")) == {0: (named(b, "Blues").id,)}
    assert eligible_to_fight(b, named(b, "Blues"))
    assert not is_engaged(b, named(b, "Reds"))
    assert b.why_not("move", named(b, "Reds").id)
    bare = situation([reds, blues])
    assert fighters(bare, named(bare, "Reds")) == {}


@pytest.mark.rule("w40k10.terrain.barricade_fight", check=1)
@pytest.mark.parametrize(("up", "fighting"), [(5.0, [0, 1]), (5.01, [0])])
def test_across_a_barricade_too_an_enemy_is_struck_who_is_up_to_5_inches_higher(up: float, fighting: list[int]) -> None:
    reds = unit("Reds", "red", TROOPER, [(11.4, 6), (11.4, 13)])
    blues = unit("Blues", "blue", TROOPER, [(13.9, 6), (13.9, 13, up)])
    b = situation([reds, blues], [BARRICADE])
    assert sorted(fighters(b, named(b, "Reds"))) == fighting
