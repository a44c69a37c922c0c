"""Broken formations, withdrawals, and the end phase."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    GUNS,
    TANK,
    account,
    act,
    alive,
    allowed,
    asked,
    fire,
    formation,
    give,
    kinds,
    left,
    named,
    offered_units,
    places,
    refused,
    rolls,
    row,
    shoot_at,
    situation,
    stay,
    told,
)
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.end_phase import half, rally_modifier
from sandtable.systems.epica.state import EpicBattle

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
@pytest.mark.parametrize(("far", "survives"), [(47.0, False), (47.1, True)])
def test_within_15_cm_of_an_enemy_is_too_near(far: float, survives: bool) -> None:
    b = fleeing([(30, 30), (30, 24)], (30, far))
    stay(b, "withdraw", "withdraw")
    assert left(b, "Reds") == ([1, 2] if survives else [2])


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
def test_only_the_end_of_the_second_move_counts() -> None:
    b = fleeing(row(2, 30, 30), (30, 44))
    stay(b, "withdraw")
    assert alive(b, "Reds") == 2
    give(b, "withdraw", {"by": [0, -10]})
    assert alive(b, "Reds") == 2


@rule("epica.withdraw.speed_zero", check=(1, 2))
def test_units_that_cannot_move_are_lost_with_an_enemy_near() -> None:
    b = fleeing(row(2, 30, 30), (30, 44), sheet=GUNS)
    assert alive(b, "Reds") == 0
    b = fleeing(row(2, 30, 30), (30, 60), sheet=GUNS)
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Reds") == 2


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


@rule("epica.rally.order", check=(1, 2, 3, 4))
def test_players_rally_in_turns_the_higher_strategy_rating_first() -> None:
    b = end_of_turn(
        [
            formation("Red 1", "red", at=row(4, 10, 10), markers=1),
            formation("Red 2", "red", at=row(4, 40, 10), markers=1),
            formation("Calm", "red", at=row(4, 70, 10)),
            formation("Blue 1", "blue", at=row(4, 10, 80), markers=1),
            formation("Blue 2", "blue", at=row(4, 40, 80), markers=1),
            formation("Blue 3", "blue", at=row(4, 70, 80), broken=True),
        ],
        {"rally": [6] * 5},
        state={"red": {"strategy": 2}, "blue": {"strategy": 4}, "game": {"strategy_winner": 0}},
    )
    assert asked(b, "rally").player == 1
    assert offered_units(b, "rally") == {"Blue 1", "Blue 2", "Blue 3"}
    give(b, "rally", "Blue 3")
    assert offered_units(b, "rally") == {"Red 1", "Red 2"}
    give(b, "rally", "Red 2")
    give(b, "rally", "Blue 1")
    assert not b.decisions
    assert len(rolls(b, "rally")) == 5
    assert "Calm rally" not in account(b)


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
def test_being_broken_and_enemies_near_make_rallying_hard(
    broken: bool, markers: int, enemy: float, modifier: int
) -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(5, 10, 10), broken=broken, markers=markers),
            formation("Blues", "blue", at=row(3, 10, enemy)),
            formation("More", "red", at=row(5, 90, 10)),
        ]
    )
    assert rally_modifier(b, named(b, "Reds")) == modifier


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
            formation("Blues", "blue", at=row(3, 10, 80), acted=True, broken=True),
        ],
        {"rally": [1, 1], "strategy": [6, 1]},
        turns=2,
    )
    stay(b, "withdraw", "withdraw")
    give(b, "first", "red")
    assert named(b, "Reds").action == ""
    assert may_activate(b, named(b, "Reds"))
    assert named(b, "Reds").markers == 2
    assert named(b, "Blues").broken
