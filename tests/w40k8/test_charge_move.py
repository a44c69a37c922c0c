"""The charge roll, the charge move and failed charges of 8th edition."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled
from sandtable.battle.rolls import Total
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import STEP
from support.acting import default, judge, places, refused_by
from w40k8.table import Spots, alive, asked, bare, column, give, gun, kinds, named, rolls, sheet, situation, told, unit

FLYER = sheet(name="Red", keywords=["INFANTRY", "FLY"])


def charging(
    *roll: int,
    gap: float = 6,
    red_at: Spots | None = None,
    blue_at: Spots | None = None,
    red: Any = None,
    more: list[UnitDoc] | None = None,
    terrain: list[FeatureDoc] | None = None,
) -> Battle8:
    """Reds charge Blues, who stand so many inches to the right of (10, 10) and cannot fire."""
    reds = unit("Reds", "red", red or sheet(name="Red"), red_at or [(10, 10)])
    blues = unit("Blues", "blue", bare(), blue_at or [(11 + gap, 10)])
    b = situation([reds, blues, *(more or [])], step="charge_phase", dice={"charge": list(roll)}, terrain=terrain)
    give(b, "charge_with", "Reds")
    return b


def to(*spots: tuple[float, ...] | None) -> dict[str, Any]:
    """A charge move that takes the models straight to places."""
    return {"mode": "charge", "to": [None if s is None else list(s) for s in spots]}


# --- The roll ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.charge.roll", check=1)
def test_one_roll_of_two_dice_serves_the_whole_unit() -> None:
    b = charging(3, 4, red_at=column(3, 10), blue_at=[(17, 8)])
    assert rolls(b) == [("charge", (3, 4))]
    assert judge(b, "charge_move", to((16, 8), (16, 9.5), (17, 11)))
    refused_by(b, "charge_move", to((16, 8), (16, 9.5), (17.01, 11)), "w40k8.charge.roll")


@pytest.mark.rule("w40k8.charge.roll", check=2)
@pytest.mark.parametrize("move", [1, 6, 14])
def test_the_move_characteristic_plays_no_part(move: int) -> None:
    b = charging(3, 4, red=sheet(name="Red", move=move), blue_at=[(20, 10)], gap=9)
    assert kinds(b) != ["charge_move"]
    b = charging(3, 4, red=sheet(name="Red", move=move), blue_at=[(19, 10)])
    assert judge(b, "charge_move", to((17, 10)))
    refused_by(b, "charge_move", to((17.01, 10)), "w40k8.charge.roll")


@pytest.mark.rule("w40k8.charge.roll", check=3)
@pytest.mark.rule("w40k8.move.through_models", check=2)
@pytest.mark.rule("w40k8.move.through_models", check=5)
def test_models_move_one_after_another_and_not_through_those_who_have_not_moved_yet() -> None:
    b = charging(3, 4, red_at=[(10, 10), (11.2, 10)])
    refused_by(b, "charge_move", to((15, 10), (16, 10)), "w40k8.move.through_models")
    assert judge(b, "charge_move", {"mode": "charge", "paths": {2: [[16, 10]], 1: [[14.8, 10]]}})


@pytest.mark.rule("w40k8.charge.roll", check=4)
def test_those_after_the_first_go_anywhere_or_stand_still_while_the_unit_stays_together() -> None:
    b = charging(3, 4, gap=4, red_at=[(10, 10), (12, 10)])
    assert judge(b, "charge_move", {"mode": "charge", "paths": {2: [[13, 10]]}})
    assert judge(b, "charge_move", {"mode": "charge", "paths": {2: [[13.125, 10]], 1: [[10.125, 10]]}})
    apart = {"mode": "charge", "paths": {2: [[13.125, 10]], 1: [[10.115, 10]]}}
    refused_by(b, "charge_move", apart, "w40k8.concept.coherency")


@pytest.mark.rule("w40k8.charge.roll", check=5)
def test_chargers_come_within_an_inch_of_their_targets() -> None:
    b = charging(3, 4)
    give(b, "charge_move", to((16, 10)))
    assert places(b, "Reds") == [(16.0, 10.0, 0.0)]
    assert "charged" in told(b)


@pytest.mark.rule("w40k8.charge.roll", check=6)
def test_a_sum_of_seven_brings_a_unit_six_inches_away_into_the_fight() -> None:
    b = charging(3, 4)
    default(b, "charge_move")
    assert named(b, "Reds").charged
    (x, _, _), *_ = places(b, "Reds")
    assert 15 <= x <= 16.01


@pytest.mark.parametrize(("gap", "need"), [(6, 5), (6.01, 6), (1.5, 2), (2.9, 2)])
def test_the_roll_says_what_it_needs(gap: float, need: int) -> None:
    b = charging(6, 6, gap=gap)
    assert [e.read.needed for e in b.events if isinstance(e, Rolled) and isinstance(e.read, Total)] == [need]


# --- The first model --------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.charge.first_model", check=1)
def test_exactly_one_inch_from_a_target_is_near_enough() -> None:
    b = charging(3, 4)
    refused_by(b, "charge_move", to((14.99, 10)), "w40k8.charge.first_model")
    assert judge(b, "charge_move", to((15, 10)))


@pytest.mark.rule("w40k8.charge.first_model", check=1)
def test_the_inch_is_measured_in_space() -> None:
    hill = FeatureDoc(kind="hill", rect=(16, 5, 6, 10), height=0.8, solid=True)
    b = charging(3, 4, blue_at=[(17, 10, 0.8)], terrain=[hill])
    refused_by(b, "charge_move", to((15.3, 10)), "w40k8.charge.first_model")
    assert judge(b, "charge_move", to((15.42, 10)))


@pytest.mark.rule("w40k8.charge.first_model", check=2)
def test_any_one_of_the_targets_is_enough() -> None:
    others = unit("Others", "blue", bare(), [(10, 20)])
    b = charging(3, 4, more=[others])
    give(b, "charge_targets", ["Blues", "Others"])
    give(b, "charge_move", to((16, 10)))
    assert set(named(b, "Reds").targets) == {named(b, "Blues").id, named(b, "Others").id}


@pytest.mark.rule("w40k8.charge.first_model", check=3)
def test_the_player_picks_who_goes_first() -> None:
    b = charging(3, 4, red_at=[(10, 10), (10, 11.5)])
    assert judge(b, "charge_move", {"mode": "charge", "paths": {1: [[15.5, 10]], 2: [[14, 11.5]]}})
    assert judge(b, "charge_move", {"mode": "charge", "paths": {2: [[15.5, 11]], 1: [[14, 9.8]]}})
    refused_by(
        b,
        "charge_move",
        {"mode": "charge", "paths": {2: [[14, 11.5]], 1: [[15.5, 10]]}},
        "w40k8.charge.first_model",
    )


@pytest.mark.rule("w40k8.charge.first_model", check=3)
def test_somebody_has_to_go_first() -> None:
    refused_by(charging(3, 4), "charge_move", {"mode": "charge"}, "w40k8.charge.first_model")


@pytest.mark.rule("w40k8.charge.first_model", check=4)
@pytest.mark.rule("w40k8.charge.fail", check=1)
@pytest.mark.parametrize(("roll", "made"), [((4, 4), True), ((3, 4), False)])
def test_a_sum_of_eight_is_enough_for_nine_inches_and_seven_is_not(roll: tuple[int, int], made: bool) -> None:
    b = charging(*roll, gap=9)
    for _ in range(int(made)):
        give(b, "charge_move", to((18, 10)))
    assert ("charged" in told(b), "charge_failed" in told(b)) == (made, not made)
    assert places(b, "Reds") == [(18.0 if made else 10.0, 10.0, 0.0)]


# --- Units not charged ------------------------------------------------------------------------------------------------

BYSTANDERS = unit("Bystanders", "blue", bare(), [(16.5, 13)])


def passing(red: Any = None) -> Battle8:
    """Reds charge Blues, with Bystanders beside them that are no targets."""
    b = charging(4, 5, red=red, more=[BYSTANDERS])
    give(b, "charge_targets", ["Blues"])
    return b


@pytest.mark.rule("w40k8.charge.non_targets", check=1)
def test_no_charge_ends_within_an_inch_of_a_unit_that_is_no_target() -> None:
    b = passing()
    refused_by(b, "charge_move", to((16.5, 11)), "w40k8.charge.non_targets")
    assert judge(b, "charge_move", to((16.5, 10.99)))


@pytest.mark.rule("w40k8.charge.non_targets", check=2)
@pytest.mark.rule("w40k8.move.fly", check=6)
def test_no_charge_passes_within_an_inch_of_a_unit_that_is_no_target_unless_it_flies() -> None:
    around = {"mode": "charge", "paths": {1: [[14.6, 12.5], [16, 10]]}}
    refused_by(passing(), "charge_move", around, "w40k8.charge.non_targets")
    assert judge(passing(), "charge_move", {"mode": "charge", "paths": {1: [[14.4, 12.5], [16, 10]]}})
    assert judge(passing(FLYER), "charge_move", around)


@pytest.mark.rule("w40k8.charge.non_targets", check=2)
def test_flyers_end_no_nearer_either() -> None:
    refused_by(passing(FLYER), "charge_move", to((16.5, 11)), "w40k8.charge.non_targets")
    assert judge(passing(FLYER), "charge_move", to((16.5, 10.99)))


@pytest.mark.rule("w40k8.charge.non_targets", check=3)
@pytest.mark.rule("w40k8.fight.pile_in", check=4)
def test_the_ban_ends_with_the_charge_move() -> None:
    b = passing()
    give(b, "charge_move", to((15.6, 11.2)))
    assert kinds(b) == ["pile_in"]
    give(b, "pile_in", {"to": [[16.2, 11.2]]})
    assert "pile_in" in told(b)


# --- Failing ----------------------------------------------------------------------------------------------------------


def failed() -> Battle8:
    """A charge that falls short, of one of two units."""
    spare = unit("Spares", "red", sheet(name="Spare"), [(10, 20)])
    return charging(1, 1, gap=6, more=[spare])


@pytest.mark.rule("w40k8.charge.fail", check=2)
def test_a_unit_that_failed_has_not_charged() -> None:
    b = failed()
    assert "charge_failed" in told(b)
    assert not named(b, "Reds").charged
    assert named(b, "Reds").targets == ()


@pytest.mark.rule("w40k8.charge.fail", check=2)
def test_a_charge_may_be_declined_and_has_failed_then() -> None:
    b = charging(6, 6)
    give(b, "charge_move", {"mode": "fail"})
    assert "charge_failed" in told(b)
    assert not named(b, "Reds").charged


@pytest.mark.rule("w40k8.charge.fail", check=2)
def test_who_gives_a_charge_up_goes_nowhere() -> None:
    question: Any = asked(charging(3, 4), "charge_move")
    assert [(mode.name, mode.allowance) for mode in question.modes] == [("charge", 7 * STEP), ("fail", 0)]


@pytest.mark.rule("w40k8.charge.fail", check=3)
def test_losses_from_overwatch_remain() -> None:
    reds = unit("Reds", "red", sheet(name="Red", save=7), [(10, 10), (10, 11.5)])
    blues = unit("Blues", "blue", sheet(gun(), name="Blue"), [(17, 10)])
    dice = {"hit": [6], "wound": [6], "save": [1], "charge": [1, 1]}
    b = situation([reds, blues], step="charge_phase", dice=dice)
    give(b, "charge_with", "Reds")
    while "charge_failed" not in told(b):
        default(b, kinds(b)[0])
    assert alive(b, "Reds") == 1


@pytest.mark.rule("w40k8.charge.fail", check=4)
def test_a_unit_that_failed_may_not_try_again_in_the_phase() -> None:
    b = failed()
    assert kinds(b) == ["charge_with"]
    assert not b.why_not("charge", named(b, "Reds").id)
    assert b.why_not("charge", named(b, "Spares").id)


# --- What is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3, 5, 10])
def test_a_charge_that_is_found_brings_the_unit_to_the_enemy(count: int) -> None:
    b = charging(4, 4, gap=6, red_at=[(10 - 1.3 * (i // 5), 7 + 1.3 * (i % 5)) for i in range(count)])
    default(b, "charge_move")
    assert named(b, "Reds").charged


def test_a_charge_around_a_wall_is_found() -> None:
    wall = FeatureDoc(kind="hill", rect=(13, 8, 0.5, 4), height=6, solid=True)
    b = charging(6, 5, terrain=[wall])
    default(b, "charge_move")
    assert named(b, "Reds").charged
