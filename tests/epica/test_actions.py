"""The action phase: whose turn it is, what may be declared, and the test for it."""

from __future__ import annotations

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
    judge,
    kinds,
    named,
    offered,
    offered_units,
    pass_all,
    prompt,
    refused,
    refused_by,
    rolls,
    row,
    shoot_at,
    shots,
    situation,
    stay,
    told,
)
from sandtable.systems.epica.action_test import chance, passes, test_modifier
from sandtable.systems.epica.actions import may_activate, may_declare
from sandtable.systems.epica.state import EpicBattle

rule = pytest.mark.rule
test_modifier.__test__ = False  # type: ignore[attr-defined]


def two_sides(dice: dict[str, list[int]] | None = None, reds: int = 3, blues: int = 3, **flags: object) -> EpicBattle:
    """Some formations of four on each side, far apart."""
    return situation(
        [
            *(formation(f"Red {i + 1}", "red", at=row(4, 5 + 20 * i, 10), **flags) for i in range(reds)),
            *(formation(f"Blue {i + 1}", "blue", at=row(4, 5 + 20 * i, 80)) for i in range(blues)),
        ],
        dice=dice,
    )


# --- Whose turn ------------------------------------------------------------------------------------------------------


@rule("epica.action.alternate", check=1)
@rule("epica.retain.attempt", check=1)
def test_control_passes_after_an_action_unless_the_player_retains() -> None:
    b = two_sides()
    act(b, "Red 1", "overwatch")
    assert offered_units(b, "retain") == {"Red 2", "Red 3"}
    give(b, "retain", None)
    assert asked(b, "activate").player == 1
    act(b, "Blue 1", "overwatch")
    give(b, "retain", None)
    act(b, "Red 2", "overwatch")
    assert offered_units(b, "retain") == {"Red 3"}
    give(b, "retain", "Red 3")
    assert asked(b, "action").about["modifier"] == -1


@rule("epica.action.alternate", check=1)
@rule("epica.retain.after_success", check=(1, 2))
@rule("epica.test.fail", check=3)
def test_after_a_failed_test_the_enemy_is_next() -> None:
    b = two_sides({"action test": [4, 1, 1], "regroup": [1, 1, 1, 1]})
    act(b, "Red 1", "overwatch")
    act(b, "Red 2", "overwatch")
    give(b, "hold", "regroup")
    assert asked(b, "activate").player == 1
    act(b, "Blue 1", "overwatch")
    give(b, "hold", "regroup")
    assert asked(b, "action").player == 0
    assert kinds(b) == ["action"]


@rule("epica.retain.after_success", check=1)
def test_a_failed_test_gives_no_chance_to_retain() -> None:
    b = two_sides({"action test": [1], "regroup": [1, 1]})
    act(b, "Red 1", "overwatch")
    give(b, "hold", "regroup")
    assert kinds(b) == ["activate"]
    assert asked(b, "activate").player == 1


@rule("epica.action.alternate", check=2)
def test_the_phase_ends_when_all_have_acted() -> None:
    b = two_sides(reds=1, blues=1)
    act(b, "Red 1", "overwatch")
    act(b, "Blue 1", "overwatch")
    assert b.result is not None


@rule("epica.retain.limit", check=(1, 3))
def test_nobody_retains_twice_in_a_row() -> None:
    b = two_sides()
    act(b, "Red 1", "overwatch")
    act(b, "Red 2", "overwatch")
    assert asked(b, "activate").player == 1
    act(b, "Blue 1", "overwatch")
    give(b, "retain", None)
    act(b, "Red 3", "overwatch")
    assert asked(b, "activate").player == 1
    b = two_sides(reds=4)
    act(b, "Red 1", "overwatch")
    act(b, "Red 2", "overwatch")
    act(b, "Blue 1", "overwatch")
    give(b, "retain", None)
    act(b, "Red 3", "overwatch")
    assert offered_units(b, "retain") == {"Red 4"}


@rule("epica.retain.limit", check=2)
@pytest.mark.parametrize(("face", "result"), [(1, "fail"), (6, "pass")])
def test_passed_or_failed_an_attempt_to_retain_hands_the_turn_over(face: int, result: str) -> None:
    b = two_sides({"action test": [6, face, 6], "regroup": [1, 1]}, reds=4)
    act(b, "Red 1", "overwatch")
    act(b, "Red 2", "overwatch")
    for _ in range(face == 1):
        give(b, "hold", "regroup")
    assert f"Red 2 {result} their test" in account(b)
    assert asked(b, "activate").player == 1
    act(b, "Blue 1", "overwatch")
    give(b, "retain", None)
    assert offered_units(b, "activate") == {"Red 3", "Red 4"}


@rule("epica.retain.limit", check=(1, 2))
def test_two_actions_in_a_row_are_the_most() -> None:
    for face, holds in ((6, 0), (1, 1)):
        b = two_sides({"action test": [6, face], "regroup": [1, 1]})
        act(b, "Red 1", "overwatch")
        act(b, "Red 2", "overwatch")
        for _ in range(holds):
            give(b, "hold", "regroup")
        assert (kinds(b), asked(b, "activate").player) == (["activate"], 1)


@rule("epica.retain.attempt", check=(2, 3))
@rule("epica.test.modifiers", check=3)
def test_retaining_makes_one_test_harder() -> None:
    b = two_sides({"action test": [6, 2, 2], "regroup": [1, 1]})
    act(b, "Red 1", "overwatch")
    give(b, "retain", "Red 2")
    assert asked(b, "action").about["modifier"] == -1
    give(b, "action", "overwatch")
    assert "Red 2 fail their test for overwatch: 2 (-1) against 2+." in account(b)
    give(b, "hold", "regroup")
    act(b, "Blue 1", "overwatch")
    assert "Blue 1 pass" in account(b)


@rule("epica.action.run_out", check=(1, 2))
@rule("epica.retain.exception", check=(1, 3))
def test_a_player_alone_goes_on_without_the_penalty_and_after_failures() -> None:
    b = two_sides({"action test": [6, 6, 2, 1, 2], "regroup": [1, 1]}, reds=4, blues=1)
    act(b, "Red 1", "overwatch")
    give(b, "retain", None)
    act(b, "Blue 1", "overwatch")
    act(b, "Red 2", "overwatch")
    assert asked(b, "activate").player == 0
    act(b, "Red 3", "overwatch")
    give(b, "hold", "regroup")
    act(b, "Red 4", "overwatch")
    assert "Red 4 pass their test for overwatch: 2 against 2+." in account(b)


@rule("epica.retain.exception", check=2)
def test_markers_still_count_for_a_player_alone() -> None:
    b = situation(
        [
            formation("Red 1", "red", at=row(4, 5, 5)),
            formation("Red 2", "red", at=row(4, 25, 5), markers=1),
            formation("Blues", "blue", at=row(4, 5, 80), acted=True),
        ],
        dice={"action test": [6, 2], "regroup": [1, 1]},
    )
    act(b, "Red 1", "overwatch")
    assert asked(b, "action").about["modifier"] == -1
    act(b, "Red 2", "overwatch")
    assert "Red 2 fail their test for overwatch: 2 (-1) against 2+." in account(b)


@rule("epica.action.alternate", check=1)
@rule("epica.retain.exception", check=1)
def test_a_player_whose_enemy_has_used_its_last_action_up_meanwhile_is_alone() -> None:
    # The Watch has its action of this turn when the first Reds have acted, and none after it has fired at their flight.
    b = situation(
        [
            formation("Red 1", "red", at=row(4, 20, 20), markers=3),
            formation("Red 2", "red", at=row(4, 90, 20)),
            formation("Red 3", "red", at=row(4, 90, 5)),
            formation("Guard", "blue", at=row(2, 30, 48), overwatch=True, acted=True),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
        ],
        dice={"hit": [1] * 6},
        round_=2,
    )
    act(b, "Red 1", "advance")
    stay(b, "move")
    give(b, "react.move_completed", "Overwatch: Guard")
    fire(b)
    give(b, "react.move_completed", None)
    stay(b, "withdraw")
    give(b, "react.move_completed", "Overwatch: Watch")
    fire(b)
    stay(b, "withdraw")
    assert offered_units(b, "activate") == {"Red 2", "Red 3"}
    give(b, "activate", "Red 2")
    assert asked(b, "action").about == {"retaining": False, "modifier": 0}


@rule("epica.action.no_pass", check=1)
def test_a_player_who_can_act_must() -> None:
    b = two_sides()
    assert not judge(b, "activate", None).ok
    b = situation(
        [
            formation("Waiting", "red", at=row(3, 5, 5), overwatch=True),
            formation("Reds", "red", at=row(3, 25, 5)),
            formation("Blues", "blue", at=row(3, 5, 80)),
        ]
    )
    assert not judge(b, "activate", None).ok
    act(b, "Reds", "overwatch")
    give(b, "retain", None)
    act(b, "Blues", "overwatch")
    allowed(b, "activate", None)


@rule("epica.action.no_pass", check=2)
@rule("epica.action.run_out", check=1)
def test_a_player_with_nothing_left_is_not_asked() -> None:
    b = two_sides(reds=2, blues=1)
    act(b, "Red 1", "overwatch")
    give(b, "retain", None)
    act(b, "Blue 1", "overwatch")
    assert asked(b, "action").unit == named(b, "Red 2").id


@rule("epica.action.run_out", check=1)
@rule("epica.action.no_pass", check=2)
def test_a_player_who_opens_the_phase_with_nothing_to_activate_lets_the_other_go_on() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 5, 5), broken=True),
            formation("Blue 1", "blue", at=row(4, 5, 80)),
            formation("Blue 2", "blue", at=row(4, 25, 80)),
        ],
        dice={"rally": [6]},
    )
    act(b, "Blue 1", "overwatch")
    assert asked(b, "action").about == {"retaining": False, "modifier": 0}
    assert rolls(b, "rally") == []
    act(b, "Blue 2", "overwatch")
    assert rolls(b, "rally") == [(6,)]


@rule("epica.action.alternate", check=2)
@rule("epica.overwatch.duration", check=2)
def test_formations_still_on_overwatch_may_sit_the_turn_out() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 5, 5), overwatch=True),
            formation("Blues", "blue", at=row(3, 5, 80), overwatch=True),
        ],
        round_=2,
        turns=2,
    )
    give(b, "activate", None)
    assert asked(b, "activate").player == 1
    give(b, "activate", None)
    assert b.result is not None
    assert named(b, "Reds").overwatch


@rule("epica.action.once", check=(1, 2))
@rule("epica.broken.limits", check=1)
def test_a_formation_acts_once_and_not_while_broken() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 5, 5)),
            formation("Spent", "red", at=row(3, 25, 5), acted=True),
            formation("Broken", "red", at=row(3, 45, 5), broken=True),
            formation("More", "red", at=row(3, 65, 5)),
            formation("Blues", "blue", at=row(3, 5, 80)),
        ]
    )
    assert offered_units(b, "activate") == {"Reds", "More"}
    refused(b, "activate", "Spent", "epica.action.once")
    refused(b, "activate", "Broken", "epica.broken.limits")
    act(b, "Reds", "overwatch")
    assert refused_by(may_activate(b, named(b, "Reds")), "epica.action.once")


@rule("epica.action.steps", check=1)
def test_formation_and_action_are_named_before_the_die() -> None:
    b = two_sides({"action test": [1], "regroup": [1, 1]})
    give(b, "activate", "Red 1")
    assert not rolls(b)
    assert offered(b, "action") == {"advance", "engage", "double", "march", "marshal", "overwatch", "sustained"}
    give(b, "action", "march")
    assert rolls(b) == [("action test", (1,))]
    assert kinds(b) == ["hold"]
    assert asked(b, "hold").prompt == "Red 1 on hold: what does it do?"


def test_what_is_asked_of_a_hold_agrees_with_the_name() -> None:
    places = [formation("Reds", "red", at=row(3, 5, 5)), formation("Blues", "blue", at=row(3, 5, 80))]
    b = situation(places, dice={"action test": [1]})
    give(b, "action", "march")
    assert asked(b, "hold").prompt == "Reds on hold: what do they do?"


@rule("epica.action.steps", check=2)
def test_the_action_that_was_declared_is_carried_out_after_the_roll() -> None:
    b = two_sides({"action test": [6]})
    act(b, "Red 1", "march")
    assert rolls(b) == [("action test", (6,))]
    assert (kinds(b), named(b, "Red 1").action) == (["move"], "march")


# --- The test --------------------------------------------------------------------------------------------------------


@rule("epica.test.roll", check=1)
@rule("epica.test.no_auto_fail", check=1)
@rule("epica.initiative.value", check=(1, 2, 3))
@pytest.mark.parametrize(
    ("initiative", "modifier", "lowest"), [(1, 0, 1), (2, 0, 2), (3, 0, 3), (1, -1, 2), (2, -2, 4), (3, 2, 1)]
)
def test_a_roll_of_the_initiative_or_more_passes(initiative: int, modifier: int, lowest: int) -> None:
    assert [face for face in range(1, 7) if passes(face, modifier, initiative)] == list(range(lowest, 7))


@rule("epica.test.roll", check=(2, 3))
def test_a_guard_company_passes_its_double_with_a_4() -> None:
    b = two_sides({"action test": [4]})
    act(b, "Red 1", "double")
    assert rolls(b) == [("action test", (4,))]
    assert kinds(b) == ["move"]
    assert named(b, "Red 1").action == "double"


@rule("epica.test.modifiers", check=(1, 2, 4))
@rule("epica.bm.effects", check=2)
def test_markers_count_once_and_retaining_adds_up() -> None:
    b = two_sides(markers=1)
    one = named(b, "Red 1")
    assert test_modifier(one, retaining=False) == -1
    one.markers = 5
    assert test_modifier(one, retaining=False) == -1
    assert test_modifier(one, retaining=True) == -2
    one.initiative = 1
    assert not passes(1, test_modifier(one, retaining=False), 1)
    assert passes(2, test_modifier(one, retaining=False), 1)
    assert chance(b, one, retaining=False) == pytest.approx(5 / 6)


@rule("epica.test.fail", check=(1, 2))
@rule("epica.bm.failed_test", check=1)
@rule("epica.action.hold", check=(1, 2))
def test_a_failed_test_costs_a_marker_and_leaves_a_hold() -> None:
    b = two_sides({"action test": [1]})
    give(b, "activate", "Red 1")
    assert "hold" not in offered(b, "action")
    give(b, "action", "double")
    assert named(b, "Red 1").markers == 1
    assert named(b, "Red 1").acted
    assert offered(b, "hold") == {"move", "shoot", "regroup"}
    give(b, "hold", "move")
    give(b, "move", {"by": [0, 15]})
    assert asked(b, "activate").player == 1


@rule("epica.action.steps", check=2)
@rule("epica.action.alternate", check=1)
@rule("epica.test.break_on_fail", check=(1, 2))
@rule("epica.bm.failed_test", check=3)
@rule("epica.withdraw.mid_action", check=1)
def test_a_formation_that_breaks_by_its_failed_test_withdraws_instead_of_holding() -> None:
    b = two_sides({"action test": [1]}, markers=3)
    act(b, "Red 1", "advance")
    assert named(b, "Red 1").broken
    assert kinds(b) == ["withdraw"]
    stay(b, "withdraw", "withdraw")
    assert asked(b, "activate").player == 1
    assert "hold" not in kinds(b)


# --- The actions -----------------------------------------------------------------------------------------------------


def in_range(dice: dict[str, list[int]] | None = None, **flags: object) -> EpicBattle:
    """Two formations 26 cm apart: guns reach 30 cm."""
    return situation(
        [formation("Reds", "red", at=row(4, 20, 20), **flags), formation("Blues", "blue", at=row(8, 14, 48))], dice=dice
    )


@rule("epica.action.advance", check=(1, 3))
@rule("epica.move.optional", check=1)
def test_an_advance_is_one_move_and_shooting_both_optional() -> None:
    b = in_range()
    act(b, "Reds", "advance")
    assert kinds(b) == ["move"]
    stay(b, "move")
    assert kinds(b) == ["shoot-at"]
    give(b, "shoot-at", None)
    assert named(b, "Blues").markers == 0


@rule("epica.action.advance", check=2)
@rule("epica.shoot.to_hit_modifiers", check=7)
def test_an_advance_shoots_without_a_modifier() -> None:
    b = in_range({"hit": [5, 5, 4, 4], "save": [1, 1]})
    act(b, "Reds", "advance")
    stay(b, "move")
    shoot_at(b, "Blues")
    fire(b)
    assert alive(b, "Blues") == 6


@rule("epica.action.double", check=(1, 2, 3))
@rule("epica.move.multiple", check=3)
@rule("epica.shoot.to_hit_modifiers", check=(2, 8))
def test_a_double_is_two_moves_and_shoots_at_minus_1_even_without_moving() -> None:
    b = in_range({"hit": [6, 5, 5, 5], "save": [1]})
    act(b, "Reds", "double")
    assert prompt(b, "move") == "Reds: move 1 of its double"
    stay(b, "move")
    assert prompt(b, "move") == "Reds: move 2 of its double"
    stay(b, "move")
    shoot_at(b, "Blues")
    fire(b)
    assert alive(b, "Blues") == 7


@rule("epica.action.march", check=(1, 2))
@rule("epica.move.multiple", check=(1, 2))
def test_a_march_is_three_moves_of_15_cm_and_no_shooting() -> None:
    b = in_range()
    act(b, "Reds", "march")
    assert prompt(b, "move") == "Reds: move 1 of its march"
    refused(b, "move", {"by": [0, -16]}, "epica.move.basic")
    give(b, "move", {"by": [10, 0]})
    assert prompt(b, "move") == "Reds: move 2 of its march"
    refused(b, "move", {"by": [20, 0]}, "epica.move.basic")
    give(b, "move", {"by": [15, 0]})
    assert prompt(b, "move") == "Reds: move 3 of its march"
    give(b, "move", {"by": [15, 0]})
    assert asked(b, "action").player == 1


@rule("epica.action.marshal", check=(1, 4))
@rule("epica.regroup.roll", check=(1, 2, 3))
def test_a_marshal_that_shoots_does_not_move_and_then_regroups() -> None:
    b = in_range({"hit": [1, 1], "regroup": [2, 5]}, markers=2)
    act(b, "Reds", "marshal")
    assert offered(b, "marshal") == {"shoot", "move"}
    give(b, "marshal", "shoot")
    shoot_at(b, "Blues")
    fire(b)
    assert [t for t in told(b) if t in ("shooting", "regroups", "moved")] == ["shooting", "regroups"]
    assert named(b, "Reds").markers == 0


@rule("epica.action.marshal", check=(2, 3))
@rule("epica.shoot.to_hit_modifiers", check=3)
@rule("epica.bm.effects", check=1)
def test_a_marshal_shoots_at_minus_1_with_the_markers_it_still_has() -> None:
    b = in_range({"hit": [6, 5], "save": [1], "regroup": [1, 2]}, markers=2)
    act(b, "Reds", "marshal")
    give(b, "marshal", "shoot")
    shoot_at(b, "Blues")
    assert shots(b) == 2
    fire(b)
    assert alive(b, "Blues") == 7
    assert named(b, "Reds").markers == 0


@rule("epica.action.marshal", check=1)
def test_a_marshal_that_moves_does_not_shoot() -> None:
    b = in_range({"regroup": [1, 1]}, markers=3)
    act(b, "Reds", "marshal")
    give(b, "marshal", "move")
    stay(b, "move")
    assert "shoot-at" not in kinds(b)
    assert named(b, "Reds").markers == 2


@rule("epica.regroup.roll", check=1)
def test_regrouping_takes_off_the_higher_die() -> None:
    b = situation(
        [formation("Reds", "red", at=row(9, 5, 5), markers=8), formation("Blues", "blue", at=row(3, 5, 80))],
        dice={"action test": [6], "regroup": [2, 5]},
    )
    act(b, "Reds", "marshal")
    give(b, "marshal", "move")
    stay(b, "move")
    assert named(b, "Reds").markers == 3


@rule("epica.bm.removal", check=2)
@rule("epica.regroup.roll", check=2)
def test_nobody_has_fewer_than_no_markers() -> None:
    b = in_range({"regroup": [5, 1]}, markers=3)
    act(b, "Reds", "marshal")
    give(b, "marshal", "move")
    stay(b, "move")
    assert named(b, "Reds").markers == 0


@rule("epica.action.sustained_fire", check=(1, 2, 4))
@rule("epica.shoot.to_hit_modifiers", check=4)
@rule("epica.shoot.natural_one", check=1)
def test_sustained_fire_does_not_move_and_shoots_at_plus_1() -> None:
    b = in_range({"hit": [4, 4, 3, 1], "save": [1, 1]})
    act(b, "Reds", "sustained")
    assert kinds(b) == ["shoot-at"]
    shoot_at(b, "Blues")
    fire(b)
    assert alive(b, "Blues") == 6
    assert "moved" not in told(b)


@rule("epica.action.overwatch", check=2)
@rule("epica.overwatch.enter", check=1)
def test_overwatch_neither_moves_nor_shoots() -> None:
    b = in_range()
    act(b, "Reds", "overwatch")
    assert named(b, "Reds").overwatch
    assert asked(b, "action").player == 1


@rule("epica.overwatch.enter", check=(1, 2))
def test_only_a_passed_test_gives_overwatch() -> None:
    b = in_range({"action test": [1, 6], "regroup": [1, 1]})
    act(b, "Reds", "overwatch")
    give(b, "hold", "regroup")
    act(b, "Blues", "overwatch")
    assert (named(b, "Reds").overwatch, named(b, "Blues").overwatch) == (False, True)


@rule("epica.action.hold", check=(3, 4))
@rule("epica.regroup.roll", check=3)
def test_a_hold_shoots_unmodified_or_regroups() -> None:
    b = in_range({"action test": [1], "hit": [5, 4, 4], "save": [1]})
    act(b, "Reds", "sustained")
    give(b, "hold", "shoot")
    shoot_at(b, "Blues")
    assert shots(b) == 3
    fire(b)
    assert alive(b, "Blues") == 7
    b = in_range({"action test": [1], "regroup": [2, 1]}, markers=2)
    act(b, "Reds", "sustained")
    give(b, "hold", "regroup")
    assert named(b, "Reds").markers == 1


@rule("epica.bm.failed_test", check=2)
def test_the_marker_of_a_failed_test_silences_one_unit_of_the_hold() -> None:
    b = in_range({"action test": [1]})
    act(b, "Reds", "advance")
    give(b, "hold", "shoot")
    shoot_at(b, "Blues")
    assert shots(b) == 3


# --- Split formations ------------------------------------------------------------------------------------------------

SPLIT = [(20.0, 20.0), (23.0, 20.0), (35.0, 20.0)]


@rule("epica.action.out_of_formation_limits", check=(1, 2))
@rule("epica.action.overwatch", check=1)
@rule("epica.action.sustained_fire", check=3)
@rule("epica.formation.close_up", check=2)
def test_a_split_formation_has_to_move() -> None:
    b = situation([formation("Reds", "red", at=SPLIT), formation("Blues", "blue", at=row(4, 20, 45))])
    assert offered(b, "action") == {"advance", "engage", "double", "march", "marshal"}
    assert refused_by(b.why_not("overwatch", 0), "epica.action.out_of_formation_limits")
    assert refused_by(may_declare(b, named(b, "Reds"), "sustained"), "epica.action.out_of_formation_limits")
    give(b, "action", "marshal")
    assert kinds(b) == ["move"]


@rule("epica.overwatch.enter", check=3)
@rule("epica.action.overwatch", check=1)
def test_a_formation_may_go_on_overwatch_once_it_stands_together() -> None:
    b = situation(
        [
            formation("Split", "red", at=SPLIT),
            formation("Reds", "red", at=row(3, 60, 20)),
            formation("Blues", "blue", at=row(4, 20, 85)),
        ]
    )
    for name, fine in (("Split", False), ("Reds", True)):
        assert bool(may_declare(b, named(b, name), "overwatch")) is fine
    act(b, "Reds", "overwatch")
    assert named(b, "Reds").overwatch


@rule("epica.action.hold", check=5)
@rule("epica.action.out_of_formation_limits", check=3)
def test_a_split_formation_that_fails_can_only_move() -> None:
    b = situation(
        [formation("Reds", "red", at=SPLIT), formation("Blues", "blue", at=row(4, 20, 45))], dice={"action test": [1]}
    )
    act(b, "Reds", "advance")
    assert kinds(b) == ["move"]


@rule("epica.formation.close_up", check=3)
def test_a_split_formation_that_does_not_close_up_with_its_move_loses_a_part() -> None:
    b = situation([formation("Reds", "red", at=SPLIT), formation("Blues", "blue", at=row(4, 20, 85))])
    assert refused_by(b.why_not("overwatch", 0), "epica.action.out_of_formation_limits")
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, "stragglers", 0)
    assert alive(b, "Reds") == 2


def test_units_without_speed_may_still_be_activated() -> None:
    b = situation([formation("Reds", "red", GUNS, row(3, 20, 20)), formation("Blues", "blue", TANK, row(4, 20, 85))])
    act(b, "Reds", "advance")
    refused(b, "move", {"by": [0, 1]}, "epica.move.basic")
    allowed(b, "move", {})
    pass_all(b)
