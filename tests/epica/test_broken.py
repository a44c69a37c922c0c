"""Broken formations, withdrawals, and the end phase."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    GUNS,
    TANK,
    TROOPS,
    act,
    alive,
    allowed,
    asked,
    default,
    destroy,
    fire,
    formation,
    give,
    kinds,
    left,
    named,
    offered_units,
    places,
    refused,
    refused_by,
    rolls,
    row,
    shoot_at,
    situation,
    stay,
    told,
)
from sandtable.battle.events import Told
from sandtable.players import DefaultPlayer, StandingOrders, default_orders
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.end_phase import half, rally_modifier
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.support import may_support

rule = pytest.mark.rule


# --- Withdrawals -----------------------------------------------------------------------------------------------------


def fleeing(
    at: list[tuple[float, float]], *enemies: tuple[float, float], sheet: Any = None, **flags: Any
) -> EpicBattle:
    """The Reds, broken by somebody, about to withdraw."""
    return situation(
        [
            formation("Reds", "red", *([sheet] if sheet else []), at=at, broken=True, flees=True),
            formation("Blues", "blue", at=list(enemies), **flags),
        ]
    )


@rule("epica.withdraw.when", check=(1, 3))
def test_a_target_that_breaks_withdraws_after_the_shooters_action() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, row(3, 20, 20), markers=1),
            formation("Blues", "blue", at=row(2, 20, 50), markers=1),
            formation("More", "blue", at=row(3, 90, 80)),
        ],
        dice={"hit": [1, 1], "regroup": [6, 6]},
    )
    act(b, "Reds", "marshal")
    give(b, "marshal", "shoot")
    shoot_at(b, "Blues")
    fire(b)
    order = [t for t in told(b) if t in ("broken", "regroups", "withdraws")]
    assert order == ["broken", "regroups", "withdraws"]
    allowed(b, "withdraw", {"by": [0, -10]})
    allowed(b, "withdraw", {})
    allowed(b, "withdraw", {"by": [0, 1]})


@rule("epica.withdraw.moves", check=(1, 5))
def test_a_withdrawal_is_two_moves_at_full_speed() -> None:
    b = fleeing(row(2, 30, 30), (30, 60))
    refused(b, "withdraw", {"by": [0, -15.2]}, "epica.move.basic")
    give(b, "withdraw", {"by": [0, -15]})
    give(b, "withdraw", {"by": [10, -10]})
    assert places(b, "Reds") == [(40, 5), (43, 5)]
    assert not named(b, "Reds").flees
    assert asked(b, "action").player == 1


@rule("epica.withdraw.destroyed_near_enemy", check=(1, 5))
@pytest.mark.parametrize(("far", "survivors"), [(47.0, [2]), (47.1, [1, 2])])
def test_within_15_cm_of_an_enemy_is_too_near(far: float, survivors: list[int]) -> None:
    b = fleeing([(30, 30), (30, 24)], (30, far))
    stay(b, "withdraw", "withdraw")
    assert left(b, "Reds") == survivors


@rule("epica.withdraw.destroyed_near_enemy", check=(2, 3))
def test_any_enemy_counts_even_a_broken_one() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(2, 30, 30), broken=True, flees=True),
            formation("Blues", "blue", at=[(30, 44)], broken=True),
            formation("More", "blue", at=row(3, 90, 80)),
        ]
    )
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Reds") == 0


@rule("epica.withdraw.destroyed_near_enemy", check=4)
@rule("epica.move.optional", check=(1, 2))
def test_only_the_end_of_the_second_move_counts_and_a_move_of_no_distance_is_one() -> None:
    b = fleeing([(30, 30), (33, 30), (30, 24)], (30, 44))
    allowed(b, "withdraw", {})
    stay(b, "withdraw")
    assert alive(b, "Reds") == 3
    give(b, "withdraw", {"to": [[30, 20], None, [33, 24]]})
    assert left(b, "Reds") == [1, 3]


@rule("epica.withdraw.speed_zero", check=(1, 2))
@rule("epica.withdraw.when", check=1)
def test_units_that_cannot_move_are_lost_with_an_enemy_near() -> None:
    b = fleeing(row(2, 30, 30), (30, 44), sheet=GUNS)
    assert alive(b, "Reds") == 0
    assert asked(b, "action").player == 1
    b = fleeing(row(2, 30, 30), (30, 60), sheet=GUNS)
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Reds") == 2


@rule("epica.withdraw.speed_zero", check=1)
def test_units_that_can_move_get_away_from_the_same_enemy() -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(30, 30), (33, 30), (36, 30)], loadout=[TROOPS, GUNS, TROOPS], broken=True,
                      flees=True),
            formation("Blues", "blue", at=[(30, 44)]),
        ]
    )  # fmt: skip
    assert left(b, "Reds") == [1, 3]
    give(b, "withdraw", {"by": [0, -10]})
    stay(b, "withdraw")
    assert left(b, "Reds") == [1, 3]


@rule("epica.broken.markers_become_hits", check=4)
@rule("epica.shoot.allocation_order", check=1)
def test_with_no_enemy_about_a_withdrawal_that_falls_apart_takes_its_hits_as_the_units_stand() -> None:
    b = fleeing(row(5, 30, 30), (30, 60))
    destroy(b, "Blues")
    give(b, "withdraw", {"by": [12, 0], "models": [5]})
    give(b, "stragglers", 0)
    assert left(b, "Reds") == [2, 3, 4]


@rule("epica.assault.procedure", check=2)
@rule("epica.withdraw.mid_action", check=2)
def test_chargers_broken_by_overwatch_fight_no_assault() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 20, 30), markers=2),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
        ],
        dice={"hit": [1] * 4},
    )
    act(b, "Reds", "engage")
    give(b, "charge", {"by": [0, 5]})
    give(b, "react.move_completed", "Overwatch: Watch")
    fire(b)
    assert kinds(b) == ["withdraw"]
    assert "attacks" not in told(b)


@rule("epica.broken.limits", check=5)
def test_a_broken_formation_keeps_its_zones() -> None:
    b = situation([formation("Reds", "red", at=[(30, 30)]), formation("Blues", "blue", at=[(30, 42)], broken=True)])
    act(b, "Reds", "advance")
    refused(b, "move", {"by": [0, 6]}, "epica.zoc.no_entry")


# --- Rallying --------------------------------------------------------------------------------------------------------


def end_of_turn(units: list[Any], dice: dict[str, list[int]] | None = None, **more: Any) -> EpicBattle:
    return situation(units, step="begin_end_phase", dice=dice, **more)


def shaken(dice: list[int], *, enemy: float = 80, size: int = 5, **flags: Any) -> EpicBattle:
    return end_of_turn(
        [
            formation("Reds", "red", at=row(size, 10, 10), acted=True, **flags),
            formation("Blues", "blue", at=row(3, 10, enemy), acted=True),
        ],
        {"rally": dice},
    )


RATED = {"red": {"strategy": 2}, "blue": {"strategy": 4}, "game": {"strategy_winner": 0}}
EQUAL = {"red": {"strategy": 3}, "blue": {"strategy": 3}}


@rule("epica.rally.order", check=(1, 2, 3, 4))
def test_players_rally_in_turns_the_higher_strategy_rating_first() -> None:
    b = end_of_turn(
        [
            formation("Red 1", "red", at=row(4, 10, 10), markers=1),
            formation("Red 2", "red", at=row(4, 40, 10), markers=1),
            formation("Calm", "red", at=row(4, 70, 10)),
            formation("Gone", "red", at=row(4, 90, 10), markers=1),
            formation("Blue 1", "blue", at=row(4, 10, 80), markers=1),
            formation("Blue 2", "blue", at=row(4, 40, 80), markers=1),
            formation("Blue 3", "blue", at=row(4, 70, 80), broken=True),
        ],
        {"rally": [6] * 5},
        state=RATED,
    )
    destroy(b, "Gone")
    assert asked(b, "rally").player == 1
    assert offered_units(b, "rally") == {"Blue 1", "Blue 2", "Blue 3"}
    give(b, "rally", "Blue 3")
    assert offered_units(b, "rally") == {"Red 1", "Red 2"}
    give(b, "rally", "Red 2")
    give(b, "rally", "Blue 1")
    assert not b.decisions
    assert who_tested(b) == ["Blue 3", "Red 2", "Blue 1", "Red 1", "Blue 2"]


def test_who_may_gain_by_waiting_rallies_last_and_who_frees_the_enemy_by_withdrawing_before_that() -> None:
    """Waiting lets a broken enemy withdraw; a broken formation that fails and goes makes a test near it easier."""
    b = end_of_turn(
        [
            formation("Waits", "red", at=row(4, 10, 30), markers=1),
            formation("Holds", "red", at=row(4, 90, 30), broken=True),
            formation("Far", "red", at=row(4, 50, 5), markers=1),
            formation("Broken foe", "blue", at=row(4, 10, 55), broken=True),
            formation("Shaken foe", "blue", at=row(4, 90, 55), markers=1),
        ],
        {"rally": [6] * 5},
        state={"red": {"strategy": 4}, "blue": {"strategy": 2}, "game": {"strategy_winner": 0}},
    )
    while not b.result and b.decisions:
        d = b.decisions[0]
        assert StandingOrders(default_orders(b.system), DefaultPlayer()).choose(b.view(d.player), d) == b.default(d)
        b.answer(d, b.default(d))
    assert who_tested(b) == ["Far", "Broken foe", "Waits", "Shaken foe", "Holds"]


def who_tested(b: EpicBattle) -> list[str]:
    """Who took a rally test, in the order in which they did."""
    return [b.unit(e.units[0]).name for e in b.events if isinstance(e, Told) and e.kind == "rally"]


@rule("epica.rally.order", check=1)
def test_three_players_rally_round_the_table() -> None:
    shaken_ones = [("red", 10), ("blue", 10), ("green", 10), ("red", 40), ("green", 40)]
    names = ("red", "blue", "green")
    b = end_of_turn(
        [formation(f"{n} {x}", n, at=row(3, x, 10 + 30 * names.index(n)), markers=1) for n, x in shaken_ones],
        {"rally": [6] * 5},
        players=names,
        state={"blue": {"strategy": 5}},
    )
    while b.decisions:
        default(b, "rally")
    assert [name.split()[0] for name in who_tested(b)] == ["blue", "green", "red", "green", "red"]


@rule("epica.rally.order", check=4)
@rule("epica.concept.ties", check=1)
@pytest.mark.parametrize(
    ("red", "blue", "priority", "order"),
    [(1, 1, [2], ["Blues", "Reds"]), (1, 1, [1], ["Reds", "Blues"]), (0, 1, [], ["Blues"]), (0, 0, [], [])],
)
def test_equal_ratings_are_a_tie_only_between_those_who_have_somebody_to_rally(
    red: int, blue: int, priority: list[int], order: list[str]
) -> None:
    b = end_of_turn(
        [
            formation("Reds", "red", at=row(4, 10, 10), markers=red),
            formation("Blues", "blue", at=row(4, 10, 80), markers=blue),
        ],
        {"rally": [6] * 2, "tie priority": priority},
        state=EQUAL,
    )  # fmt: skip
    assert who_tested(b) == order
    assert rolls(b, "tie priority") == [tuple(priority)] * len(priority)


@rule("epica.rally.test", check=(1, 2, 3, 4))
@rule("epica.bm.effects", check=3)
@pytest.mark.parametrize(
    ("broken", "markers", "enemy", "modifier"),
    [
        (False, 1, 80, 0),
        (False, 4, 80, 0),
        (False, 1, 42, -1),
        (False, 1, 42.1, 0),
        (True, 0, 42, -3),
        (True, 0, 80, -2),
    ],
)
def test_being_broken_and_an_enemy_near_make_rallying_hard(
    broken: bool, markers: int, enemy: float, modifier: int
) -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(5, 10, 10), broken=broken, markers=markers),
            formation("Blues", "blue", at=row(3, 10, enemy)),
            formation("Others", "blue", at=row(3, 90, 80)),
            formation("Gone", "blue", at=row(3, 10, 20)),
            formation("More", "red", at=row(5, 90, 10)),
        ]
    )
    destroy(b, "Gone")
    assert rally_modifier(b, named(b, "Reds")) == modifier


@rule("epica.bm.effects", check=3)
def test_however_many_markers_rally_as_well_as_one_and_broken_units_worse() -> None:
    for flags, passed in (({"markers": 1}, True), ({"markers": 4}, True), ({"broken": True}, False)):
        b = shaken([2], **flags)
        assert [e.data["passed"] for e in b.events if isinstance(e, Told) and e.kind == "rally"] == [passed]


@rule("epica.rally.test", check=(5, 6))
@pytest.mark.parametrize(("initiative", "needed"), [(2, 5), (3, 6)])
def test_a_broken_formation_near_the_enemy_needs_luck(initiative: int, needed: int) -> None:
    for face in (needed - 1, needed):
        b = shaken([face], broken=True, enemy=35, initiative=initiative)
        assert named(b, "Reds").broken == (face < needed)


@rule("epica.rally.pass", check=(1, 2))
@rule("epica.dice.rounding", check=(1, 2))
@pytest.mark.parametrize(("markers", "left_over"), [(5, 2), (1, 0), (4, 2), (7, 3)])
def test_half_of_the_markers_go(markers: int, left_over: int) -> None:
    b = shaken([6], markers=markers, size=9)
    assert named(b, "Reds").markers == left_over
    assert half(7) == 4
    assert half(1) == 1


@rule("epica.rally.pass", check=(3, 4, 5, 6))
@pytest.mark.parametrize(("size", "markers"), [(7, 3), (6, 3), (1, 0), (2, 1)])
def test_a_broken_formation_that_rallies_is_left_with_half_its_markers(size: int, markers: int) -> None:
    b = shaken([6], broken=True, size=size)
    assert not named(b, "Reds").broken
    assert named(b, "Reds").markers == markers


@rule("epica.rally.fail", check=(1, 2))
@rule("epica.withdraw.when", check=1)
def test_a_broken_formation_that_fails_withdraws_again() -> None:
    b = shaken([1], broken=True, enemy=22)
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Reds") < 5
    assert "caught" in told(b)


@rule("epica.rally.fail", check=3)
def test_an_unbroken_formation_that_fails_keeps_its_markers() -> None:
    b = shaken([1], markers=3)
    assert (named(b, "Reds").markers, named(b, "Reds").broken) == (3, False)
    assert "withdraws" not in told(b)


@rule("epica.rally.fail", check=4)
def test_a_failed_rally_is_tried_again_in_the_next_end_phase_only() -> None:
    b = end_of_turn(
        [
            formation("Reds", "red", at=row(4, 10, 10), broken=True),
            formation("Blues", "blue", at=row(3, 10, 80)),
        ],
        {"rally": [1, 6], "strategy": [6, 1]},
        turns=2,
    )
    stay(b, "withdraw", "withdraw")
    give(b, "first", "red")
    assert not may_activate(b, named(b, "Reds"))
    assert asked(b, "action").player == 1
    act(b, "Blues", "overwatch")
    assert rolls(b, "rally") == [(1,), (6,)]


@rule("epica.bm.removal", check=1)
@rule("epica.end.status_reset", check=(1, 2, 4))
@rule("epica.support.barred", check=3)
def test_the_next_turn_finds_everybody_ready() -> None:
    b = end_of_turn(
        [
            formation("Reds", "red", at=row(4, 10, 10), acted=True, action="march", markers=2),
            formation("Steady", "red", at=row(4, 40, 10), markers=2),
            formation("Fresh", "red", at=row(4, 70, 10), acted=True, action="advance"),
            formation("Blues", "blue", at=row(3, 10, 80), acted=True, broken=True),
        ],
        {"rally": [1, 1, 6], "strategy": [6, 1]},
        turns=2,
    )
    assert refused_by(may_support(named(b, "Reds")), "epica.support.barred")
    give(b, "rally", "Reds")
    stay(b, "withdraw", "withdraw")
    give(b, "first", "red")
    assert may_support(named(b, "Reds"))
    assert [named(b, n).markers for n in ("Reds", "Steady", "Fresh")] == [2, 1, 0]
    assert [(f.acted, f.action, f.rallied) for f in b.units()] == [(False, "", False)] * 4
    assert offered_units(b, "activate") == {"Reds", "Steady", "Fresh"}
    assert named(b, "Blues").broken


@rule("epica.end.status_reset", check=2)
def test_whoever_sat_a_turn_out_on_overwatch_may_act_in_the_next() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 5, 5), overwatch=True),
            formation("Blues", "blue", at=row(3, 5, 80), overwatch=True),
        ],
        turns=2,
        dice={"strategy": [6, 1]},
    )
    give(b, "activate", None)
    give(b, "activate", None)
    give(b, "first", "red")
    assert (b.state.round, asked(b, "activate").player) == (2, 0)
