"""The Charge phase, and the Stratagems that belong to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandtable.battle import Leg, Moves, Path
from sandtable.battle.tables import FeatureDoc
from sandtable.kit.closing.contact import near
from sandtable.kit.moving import after
from sandtable.systems.w40k10.charge_move import find_charge
from sandtable.systems.w40k10.fly import flies
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import TURN, steps
from w40k10 import table
from w40k10.table import (
    TRACKS,
    alive,
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
    rolls,
    row,
    situation,
    told,
    unit,
)

# Without guns nobody fires Overwatch, and without blades nobody has to be asked about attacks.
TROOPER: dict[str, Any] = {**table.TROOPER, "weapons": []}
JUMPER: dict[str, Any] = {**table.JUMPER, "weapons": []}
TANK: dict[str, Any] = {**table.TANK, "weapons": [TRACKS]}


def charging(
    roll: list[int],
    reds: list[tuple[float, ...]],
    blues: list[tuple[float, ...]],
    *others: Any,
    terrain: list[FeatureDoc] | None = None,
    sheet: dict[str, Any] = TROOPER,
    **more: Any,
) -> Battle10:
    """Reds that have declared a charge at the Blues and rolled."""
    b = situation(
        [unit("Reds", "red", sheet, reds), unit("Blues", "blue", TROOPER, blues), *others],
        terrain,
        step="charge_phase",
        dice={"charge": roll},
        **more,
    )
    give(b, "charge_with", "Reds")
    if "charge_targets" in kinds(b):
        give(b, "charge_targets", ["Blues"])
    return b


def to(*points: Any) -> dict[str, Any]:
    return {"mode": "charge", "to": list(points)}


# --- Who may charge ---------------------------------------------------------------------------------------------------


def ready(gap: float, **flags: Any) -> Battle10:
    return situation(
        [
            unit("Reds", "red", TROOPER, [(5, 10)], **flags),
            unit("Blues", "blue", TROOPER, [(6 + gap, 10)]),
            unit("Eager", "red", TROOPER, [(5 + gap, 14)]),
        ],
        step="charge_phase",
    )


@pytest.mark.rule("w40k10.charge.eligible", check=1)
def test_twelve_inches_are_near_enough_to_charge() -> None:
    assert "Reds" in offered(ready(12), "charge_with")
    far = ready(12.1)
    assert "Reds" not in offered(far, "charge_with")
    assert "w40k10.charge.eligible" in cites(judge(far, "charge_with", "Reds"))


@pytest.mark.rule("w40k10.charge.eligible", check=2)
@pytest.mark.rule("w40k10.charge.eligible", check=3)
def test_who_advanced_or_fell_back_is_not_eligible() -> None:
    for moved in ("advance", "fall_back"):
        b = ready(6, moved=moved)
        assert "w40k10.charge.eligible" in cites(judge(b, "charge_with", "Reds"))
    assert judge(ready(6, moved="normal"), "charge_with", "Reds")


@pytest.mark.rule("w40k10.charge.eligible", check=4)
def test_an_engaged_unit_does_not_charge() -> None:
    b = ready(1)
    assert offered(b, "charge_with") == ["Eager"]
    assert cites(b.why_not("charge", named(b, "Reds").id)) == {"w40k10.charge.eligible"}
    assert offered(ready(1.1), "charge_with") == ["Eager", "Reds"]


@pytest.mark.rule("w40k10.charge.eligible", check=7)
def test_who_comes_near_only_later_in_the_phase_is_not_eligible() -> None:
    b = ready(14)
    b.move_models(list(named(b, "Blues").models), [(steps(15), steps(10), 0)])
    assert "w40k10.charge.eligible" in cites(b.why_not("charge", named(b, "Reds").id))


@pytest.mark.rule("w40k10.charge.sequence", check=1)
@pytest.mark.rule("w40k10.charge.sequence", check=2)
@pytest.mark.rule("w40k10.charge.sequence", check=3)
def test_a_unit_declares_one_charge_picks_targets_first_and_may_decline() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(5, 10)]),
            unit("Others", "red", TROOPER, [(5, 20)]),
            unit("One", "blue", TROOPER, [(15, 10)]),
            unit("Two", "blue", TROOPER, [(15, 12)]),
        ],
        step="charge_phase",
        dice={"charge": [1, 2]},
    )
    give(b, "charge_with", "Reds")
    assert rolls(b) == []
    give(b, "charge_targets", ["One"])
    assert rolls(b) == [("charge", (1, 2))]
    assert offered(b, "charge_with") == ["Others"]
    refused_by(b, "charge_with", "Reds", "w40k10.charge.sequence")
    give(b, "charge_with", "pass")
    assert b.state.active == 1


@pytest.mark.rule("w40k10.charge.targets", check=1)
@pytest.mark.rule("w40k10.charge.targets", check=2)
@pytest.mark.rule("w40k10.charge.targets", check=3)
@pytest.mark.rule("w40k10.charge.targets", check=4)
def test_targets_are_within_twelve_inches_seen_or_not_and_may_be_several() -> None:
    hidden = feature("hill", (9, 5, 1, 10), 8, solid=True)
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(5, 10)]),
            unit("Near", "blue", TROOPER, [(12, 10)]),
            unit("Edge", "blue", TROOPER, [(5, 23)]),
            unit("Far", "blue", TROOPER, [(18.1, 10)]),
        ],
        [hidden],
        step="charge_phase",
        dice={"charge": [1, 1]},
    )
    give(b, "charge_with", "Reds")
    assert offered(b, "charge_targets") == ["Edge", "Near"]
    refused_by(b, "charge_targets", [], "w40k10.charge.targets")
    refused_by(b, "charge_targets", ["Far"], "w40k10.charge.targets")
    give(b, "charge_targets", ["Near", "Edge"])
    assert "charge_declared" in told(b)


# --- The roll and the move --------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.charge.roll", check=1)
@pytest.mark.rule("w40k10.charge.roll", check=2)
@pytest.mark.rule("w40k10.charge.roll", check=3)
@pytest.mark.rule("w40k10.charge.move", check=2)
def test_one_roll_tells_how_far_everybody_may_charge() -> None:
    b = charging([3, 4], row(3, (10, 10)), row(3, (10, 16)), sheet={**TROOPER, "move": 2})
    assert rolls(b) == [("charge", (3, 4))]
    assert asked(b, "charge_move").modes[0].allowance == steps(7)  # type: ignore[attr-defined]

    def around(x: float) -> dict[str, Any]:
        """Everybody into contact, the first of them by a detour over a point so far to the left."""
        return {"mode": "charge", "paths": {1: [[x, 12.5], [10, 15]], 2: [[11.5, 15]], 3: [[13, 15]]}}

    refused_by(b, "charge_move", around(7.48), "w40k10.charge.roll")  # 7.1"
    give(b, "charge_move", around(7.56))  # 6.98"
    assert places(b, "Reds") == [(10, 15, 0), (11.5, 15, 0), (13, 15, 0)]
    assert "charged" in told(b)


@pytest.mark.rule("w40k10.charge.roll", check=2)
@pytest.mark.parametrize(("roll", "kind"), [([2, 3], "react.after_roll"), ([3, 3], "charge_move")])
def test_a_charge_over_6_inches_asks_for_a_re_roll_with_5_and_goes_on_with_6(roll: list[int], kind: str) -> None:
    b = charging(roll, [(10, 10)], [(10, 18)], cp=(1, 0))
    assert kinds(b) == [kind]


@pytest.mark.rule("w40k10.charge.roll", check=2)
def test_a_roll_is_made_again_only_where_another_could_be_enough() -> None:
    assert kinds(crowded([1, 1], cp=(1, 0))) == ["charge_with"], "no roll would do, and the next unit is to charge"
    assert kinds(crowded([1, 1], friends=3, cp=(1, 0))) == ["react.after_roll"]


@pytest.mark.rule("w40k10.charge.conditions", check=1)
@pytest.mark.rule("w40k10.charge.conditions", check=2)
def test_every_target_must_be_reached_by_somebody() -> None:
    def two(roll: list[int]) -> Battle10:
        b = situation(
            [
                unit("Reds", "red", TROOPER, row(4, (10, 10))),
                unit("One", "blue", TROOPER, [(10, 15)]),
                unit("Two", "blue", TROOPER, [(18, 13)]),
            ],
            step="charge_phase",
            dice={"charge": roll},
        )
        give(b, "charge_with", "Reds")
        give(b, "charge_targets", ["One", "Two"])
        return b

    b = two([4, 4])
    refused_by(b, "charge_move", {"mode": "charge", "by": [0, 4]}, "w40k10.charge.conditions")
    default(b, "charge_move")
    assert "charged" in told(b)
    failed = two([1, 1])
    assert "charge_failed" in told(failed)
    assert named(failed, "Reds").charged is False


@pytest.mark.rule("w40k10.charge.conditions", check=3)
def test_nobody_comes_near_enemies_that_are_no_targets() -> None:
    b = charging([6, 6], [(10, 10)], [(18, 10)], unit("Bystander", "blue", TROOPER, [(14, 11.5)]))
    refused_by(b, "charge_move", to([17, 10]), "w40k10.charge.conditions")
    give(b, "charge_move", {"mode": "charge", "paths": {1: [[12, 8], [16, 8.5], [17, 10]]}})
    assert "charged" in told(b)


@pytest.mark.rule("w40k10.charge.conditions", check=4)
def test_a_charge_keeps_the_unit_together() -> None:
    b = charging([6, 6], row(3, (10, 10)), [(10, 18)])
    refused_by(b, "charge_move", {"mode": "charge", "by": [0, 7], "models": [1]}, "w40k10.concept.coherency_move")
    assert "w40k10.charge.conditions" in cites(judge(b, "charge_move", {"mode": "charge", "by": [0, 3]}))


@pytest.mark.rule("w40k10.charge.conditions", check=5)
def test_a_gap_of_five_point_eight_takes_a_five() -> None:
    b = charging([2, 3], [(10, 10)], [(16.8, 10)])
    assert asked(b, "charge_move")
    refused_by(b, "charge_move", to([14.5, 10]), "w40k10.charge.conditions")
    failed = charging([2, 2], [(10, 10)], [(16.8, 10)])
    assert "charge_failed" in told(failed)


@pytest.mark.rule("w40k10.charge.fail", check=1)
@pytest.mark.rule("w40k10.charge.fail", check=2)
@pytest.mark.rule("w40k10.charge.fail", check=3)
def test_after_a_failed_charge_everybody_stands_where_they_stood() -> None:
    b = charging([1, 1], row(3, (10, 10)), row(3, (10, 16)), unit("Others", "red", TROOPER, [(20, 10)]))
    assert "charge_failed" in told(b)
    assert places(b, "Reds") == [(10, 10, 0), (11.5, 10, 0), (13, 10, 0)]
    assert not named(b, "Reds").charged
    assert offered(b, "charge_with") == ["Others"]


BROAD: dict[str, Any] = {**TROOPER, "base": "50.8mm"}


def crowded(roll: list[int], friends: int = 4, **more: Any) -> Battle10:
    """An enemy that so many broad friends stand around: four leave no room within Engagement Range."""
    around = [(16.5, 10), (15, 11.5), (15, 8.5), (13.5, 10)][:friends]
    others = (unit("Friends", "red", BROAD, around), unit("Others", "red", TROOPER, [(20, 16)]))
    return charging(roll, [(10, 10)], [(15, 10)], *others, **more)


@pytest.mark.rule("w40k10.charge.fail", check=1)
@pytest.mark.rule("w40k10.charge.fail", check=2)
@pytest.mark.rule("w40k10.charge.fail", check=3)
def test_a_charge_that_finds_no_room_fails_and_is_not_tried_again() -> None:
    b = crowded([5, 6])
    assert [m.name for m in asked(b, "charge_move").modes] == ["fail", "charge"]  # type: ignore[attr-defined]
    give(b, "charge_move", {"mode": "fail"})
    assert "charge_failed" in told(b)
    assert places(b, "Reds") == [(10, 10, 0)]
    assert not named(b, "Reds").charged
    assert offered(b, "charge_with") == ["Others"]


def drifting() -> Battle10:
    """A charge whose third model can keep up without getting any closer."""
    return charging([6, 6], [(10, 10), (11.5, 10), (12.2, 11.4)], [(10, 14)])


DRIFT = to([10, 13], [11, 13], [13.4, 13.3])


@pytest.mark.rule("w40k10.charge.move", check=1)
def test_who_moves_ends_closer_to_a_target() -> None:
    refused_by(drifting(), "charge_move", DRIFT, "w40k10.charge.move")
    into_contact = {1: [[10, 13]], 2: [[11, 14]], 3: [[13, 15], [10.2, 14.98]]}
    assert judge(drifting(), "charge_move", {"mode": "charge", "paths": into_contact})


@pytest.mark.rule("w40k10.charge.move", check=1)
def test_who_goes_half_around_a_target_has_come_no_closer() -> None:
    def beside(x: float, y: float) -> dict[str, Any]:
        return {"mode": "charge", "paths": {1: [[10, 13]], 2: [[11, 14]], 3: [[x, y]]}}

    # The enemy's second model is nobody's nearest: to come closer to it, or to stay further from it, says nothing.
    b = charging([2, 3], [(10, 10), (11.5, 10), (12.25, 11.5)], [(10, 14), (10, 15.5)])
    refused_by(b, "charge_move", beside(12.5, 11.75), "w40k10.charge.move")
    assert "closer to one of the targets" in str(judge(b, "charge_move", beside(12.5, 11.75)))
    assert "closer to one of the targets" not in str(judge(b, "charge_move", beside(12.25, 12)))


@pytest.mark.rule("w40k10.charge.move", check=1)
def test_a_charge_in_which_nobody_moves_is_none() -> None:
    b = charging([1, 2], [(11.499, 10)], [(14, 10)], terrain=[BARRICADE])
    assert "Nobody moves" in str(refused_by(b, "charge_move", {"mode": "charge"}, "w40k10.charge.move"))


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_charge_that_can_be_made_is_made() -> None:
    b = charging([6, 6], [(10, 10)], [(10, 14)])
    assert [m.name for m in asked(b, "charge_move").modes] == ["charge"]  # type: ignore[attr-defined]
    verdict = refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert "a charge that can be made is made" in str(verdict)
    b.answer(asked(b, "charge_move"), verdict.instead)
    assert "charged" in told(b)


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_one_gap_among_the_friends_around_an_enemy_is_enough_to_have_to_charge() -> None:
    b = crowded([5, 6], friends=3)
    assert [m.name for m in asked(b, "charge_move").modes] == ["charge"]  # type: ignore[attr-defined]
    refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert judge(crowded([5, 6]), "charge_move", {"mode": "fail"})


@pytest.mark.rule("w40k10.charge.move", check=4)
def test_a_charge_does_not_cross_enemies_or_big_friends() -> None:
    b = charging([6, 6], [(10, 10)], [(10, 14), (11.5, 14)])
    refused_by(b, "charge_move", to([10, 15.4]), "w40k10.move.through_enemies")
    friend = unit("Tank", "red", TANK, [(15, 10)], facing=90)
    b = charging([6, 6], [(10, 10)], [(22, 10)], friend, sheet={**TANK, "base": "60mm"})
    refused_by(b, "charge_move", to([20, 10]), "w40k10.move.monster_vehicle_block")
    refused_by(drifting(), "charge_move", DRIFT, "w40k10.charge.move")


@pytest.mark.rule("w40k10.charge.base_contact", check=1)
@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_who_can_touch_the_enemy_must() -> None:
    b = charging([3, 3], [(10, 10)], [(17, 10)])
    verdict = refused_by(b, "charge_move", to([15.5, 10]), "w40k10.charge.base_contact")
    assert isinstance(verdict.instead, Moves)
    give(b, "charge_move", to([16, 10]))
    assert places(b, "Reds") == [(16, 10, 0)]


def test_what_a_hull_could_have_done_instead_of_turning_touches_the_enemy() -> None:
    b = charging([6, 6], [(10, 10)], [(18, 11.5)], sheet=TANK)
    tank = named(b, "Reds").models[0]
    x, y = steps(15.2), steps(10)
    turned = Path(tank, (Leg("go", x, y, 0, 0), Leg("turn", x, y, 0, TURN // 4)))
    verdict = b.check(asked(b, "charge_move"), Moves("charge", (turned,)))
    assert cites(verdict) == {"w40k10.charge.base_contact"}
    there = after(b, verdict.instead)
    assert near(b, there, np.array([tank]), b.on_table(named(b, "Blues"))).all()


@pytest.mark.parametrize("enemy", [(11.56, 17.07), (10.32, 17.76)])
def test_a_hull_that_turned_to_get_through_a_gap_goes_on_until_it_touches(enemy: tuple[float, float]) -> None:
    narrow = [feature("hill", (0, 13, 8.3, 1), 5, solid=True), feature("hill", (11.7, 13, 30, 1), 5, solid=True)]
    b = charging([6, 6], [(10, 9)], [enemy], sheet={**TANK, "base": "hull 6x2"}, terrain=narrow)
    tank = named(b, "Reds").models[0]
    x, y, up = steps(10), steps(9), TURN // 4
    short = Path(tank, (Leg("turn", x, y, 0, up), Leg("go", x, steps(enemy[1] - 4.2), 0, up)))
    verdict = b.check(asked(b, "charge_move"), Moves("charge", (short,)))
    assert cites(verdict) == {"w40k10.charge.base_contact"}
    assert b.check(asked(b, "charge_move"), verdict.instead)
    assert near(b, after(b, verdict.instead), np.array([tank]), b.on_table(named(b, "Blues"))).all()


@pytest.mark.rule("w40k10.charge.base_contact", check=3)
def test_contact_is_not_asked_for_where_it_would_break_the_conditions() -> None:
    guard = unit("Bystander", "blue", TROOPER, [(17, 8.4)])
    b = charging([3, 3], [(10, 10)], [(17, 10.6)], guard)
    give(b, "charge_move", {"mode": "charge", "paths": {1: [[15.6, 10.6]]}})
    assert "charged" in told(b)
    immobile = {**TROOPER, "move": None}
    held = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10), (10, 8.5)], loadout=[{"models": [2], "sheet": immobile}]),
            unit("Blues", "blue", TROOPER, [(10, 13.2)]),
        ],
        step="charge_phase",
        dice={"charge": [1, 2]},
    )
    give(held, "charge_with", "Reds")
    refused_by(held, "charge_move", {"mode": "charge", "paths": {1: [[10, 12.2]]}}, "w40k10.concept.coherency_move")
    assert judge(held, "charge_move", {"mode": "charge", "paths": {1: [[10, 11.4]]}})
    free = charging([3, 3], [(10, 10)], [(17, 10)])
    refused_by(free, "charge_move", to([15.5, 10]), "w40k10.charge.base_contact")


@pytest.mark.rule("w40k10.charge.terrain", check=1)
def test_a_low_barrier_costs_a_charge_nothing() -> None:
    low = feature("debris", (12, 0, 1, 30), 2, solid=True)
    b = charging([3, 3], [(10, 10)], [(17, 10)], terrain=[low])
    up, down = ({"do": "climb", "to": [x, 10, z]} for x, z in ((11.5, 2), (13.5, 0)))
    assert judge(b, "charge_move", {"mode": "charge", "paths": {1: [[11.5, 10], up, [13.5, 10, 2], down, [16, 10]]}})
    give(b, "charge_move", to([16, 10]))
    assert "charged" in told(b)
    high = charging([5, 5], [(10, 10)], [(17, 10)], terrain=[feature("hill", (12, 0, 1, 30), 3, solid=True)])
    assert find_charge(high, named(high, "Reds"), [named(high, "Blues")], steps(10)) is None


HIGH = feature("hill", (12, 0, 1, 30), 3, solid=True)


@pytest.mark.rule("w40k10.charge.terrain", check=2)
@pytest.mark.rule("w40k10.charge.terrain", check=3)
def test_a_high_barrier_is_climbed_and_a_short_roll_fails() -> None:
    over = {
        "mode": "charge",
        "paths": {1: [[11.5, 10], {"do": "climb", "to": [11.5, 10, 3]}, [13.5, 10, 3],
                      {"do": "climb", "to": [13.5, 10, 0]}, [16, 10]]},
    }  # fmt: skip
    b = charging([6, 4], [(10, 10)], [(17, 10)], terrain=[HIGH])
    refused_by(b, "charge_move", over, "w40k10.charge.roll")
    assert asked(b, "charge_move").modes[0].name == "fail"  # type: ignore[attr-defined]
    middle = {"mode": "charge", "paths": {1: [[11.5, 10], {"do": "climb", "to": [11.5, 10, 2]}]}}
    refused_by(b, "charge_move", middle, "w40k10.move.climb")
    give(b, "charge_move", {"mode": "fail"})
    assert "charge_failed" in told(b)
    enough = charging([6, 6], [(10, 10)], [(17, 10)], terrain=[HIGH])
    give(enough, "charge_move", over)
    assert "charged" in told(enough)


@pytest.mark.rule("w40k10.charge.fly", check=1)
@pytest.mark.rule("w40k10.charge.fly", check=3)
@pytest.mark.rule("w40k10.charge.fly", check=4)
def test_flyers_charge_over_a_screen_but_do_not_end_beside_it() -> None:
    screen = unit("Screen", "blue", TROOPER, row(7, (14, 5.5), (0, 1.5)))
    b = charging([4, 5], [(10, 10)], [(16.6, 10)], screen, sheet=JUMPER)
    # Each of these touches the target, or stands on it; only what is said is wrong with them.
    verdict = refused_by(b, "charge_move", to([15.6, 10]), "w40k10.charge.conditions")
    assert "Screen is no target" in str(verdict)
    refused_by(b, "charge_move", to([17.5, 10]), "w40k10.move.no_stacking")
    give(b, "charge_move", to([17.6, 10]))
    assert "charged" in told(b)


@pytest.mark.rule("w40k10.charge.fly", check=1)
def test_who_cannot_fly_charges_around_a_screen_and_nobody_flies_to_pile_in() -> None:
    screen = unit("Screen", "blue", TROOPER, row(7, (14, 5.5), (0, 1.5)))
    b = charging([4, 5], [(10, 10)], [(18, 10)], screen, sheet={**JUMPER, "keywords": ["INFANTRY"]})
    refused_by(b, "charge_move", to([17, 10]), "w40k10.charge.conditions")
    assert judge(b, "charge_move", {"mode": "fail"}), "the way around is too long"
    winged = charging([4, 5], [(10, 10)], [(18, 10)], screen, sheet=JUMPER)
    assert judge(winged, "charge_move", to([17, 10]))
    flyer = situation([unit("Reds", "red", JUMPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(12, 10)])])
    model = named(flyer, "Reds").models[0]
    assert [flies(flyer, model, move) for move in ("charge", "pile_in", "consolidate")] == [True, False, False]


@pytest.mark.rule("w40k10.charge.fly", check=2)
def test_a_flying_charge_onto_a_structure_is_measured_through_the_air() -> None:
    tower = feature("hill", (16, 8, 6, 4), 5, solid=True)
    onto = {"mode": "charge", "paths": {1: [[18, 10, 5]]}}
    b = charging([4, 5], [(10, 10)], [(19, 10, 5)], terrain=[tower], sheet=JUMPER)
    refused_by(b, "charge_move", onto, "w40k10.charge.roll")
    enough = charging([5, 5], [(10, 10)], [(19, 10, 5)], terrain=[tower], sheet=JUMPER)
    assert judge(enough, "charge_move", onto)


def test_the_search_finds_a_charge_for_a_big_unit() -> None:
    b = charging([5, 5], [(x, y) for y in (8, 9.5) for x in (8, 9.5, 11, 12.5, 14)], row(5, (8, 16)))
    default(b, "charge_move")
    assert "charged" in told(b)


# --- Across a barricade -----------------------------------------------------------------------------------------------

BARRICADE = feature("barricade", (12, 5, 0.5, 10), 1, solid=True)


@pytest.mark.rule("w40k10.terrain.barricade_charge", check=1)
@pytest.mark.rule("w40k10.terrain.barricade_charge", check=3)
@pytest.mark.rule("w40k10.terrain.barricade_charge", check=4)
def test_a_charger_against_the_barricade_has_reached_the_enemy_behind_it() -> None:
    b = charging([1, 2], [(8.6, 10)], [(14, 10)], terrain=[BARRICADE])
    # To touch, a gap of two of the 1,024 parts of an inch is near enough, and three are not.
    refused_by(b, "charge_move", to([11.5 - 3 / 1024, 10]), "w40k10.charge.conditions")
    give(b, "charge_move", to([11.5 - 2 / 1024, 10]))
    assert "charged" in told(b)
    wide = feature("barricade", (12, 5, 1.2, 10), 1, solid=True)
    far = charging([1, 2], [(8.6, 10)], [(14.6, 10)], terrain=[wide])
    refused_by(far, "charge_move", to([11.5, 10]), "w40k10.charge.conditions")
    near = charging([1, 2], [(8.6, 10)], [(14.5, 10)], terrain=[wide])
    assert judge(near, "charge_move", to([11.5, 10]))


@pytest.mark.rule("w40k10.charge.conditions", check=1)
@pytest.mark.rule("w40k10.charge.conditions", check=2)
def test_of_two_targets_one_may_be_reached_across_a_barricade() -> None:
    def both(*terrain: FeatureDoc) -> Battle10:
        b = situation(
            [
                unit("Reds", "red", TROOPER, [(8.6, 10), (8.6, 8.5)]),
                unit("Behind", "blue", TROOPER, [(14, 10)]),
                unit("Before", "blue", TROOPER, [(10, 5.5)]),
            ],
            list(terrain),
            step="charge_phase",
            dice={"charge": [1, 3]},
        )
        give(b, "charge_with", "Reds")
        give(b, "charge_targets", ["Behind", "Before"])
        return b

    there = {"mode": "charge", "paths": {1: [[11.5, 9]], 2: [[10, 6.5]]}}
    assert judge(both(BARRICADE), "charge_move", there)
    refused_by(both(), "charge_move", there, "w40k10.charge.conditions")


@pytest.mark.rule("w40k10.terrain.barricade_charge", check=2)
def test_an_enemy_far_behind_the_barricade_is_not_reached() -> None:
    near = charging([1, 2], [(8.6, 10)], [(14, 10)], terrain=[BARRICADE])
    assert judge(near, "charge_move", to([11.499, 10]))
    thin = feature("barricade", (12, 5, 0.2, 10), 1, solid=True)
    # The second of them stands near the barricade, but out of reach.
    b = charging([1, 2], [(8.6, 10)], [(13.9, 10), (13, 14.9)], terrain=[thin])
    refused_by(b, "charge_move", to([11.499, 10]), "w40k10.charge.conditions")
    assert "charge_failed" in told(charging([1, 2], [(8.6, 10)], [(13.9, 10)], terrain=[thin]))


def test_the_search_finds_the_charge_up_to_a_barricade() -> None:
    b = charging([1, 2], [(8.6, 10)], [(14, 10)], terrain=[BARRICADE])
    assert [m.name for m in asked(b, "charge_move").modes] == ["charge"]  # type: ignore[attr-defined]
    default(b, "charge_move")
    assert "charged" in told(b)


# --- Heroic Intervention ----------------------------------------------------------------------------------------------


def after_charge(*others: Any, cp: tuple[int, int] = (0, 2), dice: list[int] | None = None) -> Battle10:
    """Reds have charged the Blues; the other blue units may intervene."""
    b = charging([3, 3, *(dice or [])], [(10, 10)], [(17, 10)], *others, cp=cp)
    give(b, "charge_move", to([16, 10]))
    return b


FRIEND = unit("Friends", "blue", TROOPER, [(16, 16)])


@pytest.mark.rule("w40k10.strat.heroic_intervention", check=1)
@pytest.mark.rule("w40k10.strat.heroic_intervention", check=5)
@pytest.mark.rule("w40k10.strat.heroic_intervention", check=6)
@pytest.mark.rule("w40k10.charge.bonus", check=3)
def test_a_heroic_intervention_charges_the_charger_without_a_bonus() -> None:
    b = after_charge(FRIEND, dice=[4, 4])
    give(b, "react.unit_move_ended", "Heroic Intervention: Friends")
    assert b.player(1).cp == 0
    default(b, "charge_move")
    friends = named(b, "Friends")
    declared = [e.units for e in b.events if getattr(e, "kind", "") == "charge_declared"]
    assert declared[-1] == (friends.id, named(b, "Reds").id)
    order = [e.units[0] for e in b.events if getattr(e, "kind", "") == "fights"]
    while len(order) < 2 and b.decisions:
        default(b, kinds(b)[0])
        order = [e.units[0] for e in b.events if getattr(e, "kind", "") == "fights"]
    assert order[0] == named(b, "Reds").id


@pytest.mark.rule("w40k10.strat.heroic_intervention", check=7)
def test_a_heroic_intervention_may_fail() -> None:
    b = after_charge(FRIEND, dice=[1, 1])
    give(b, "react.unit_move_ended", "Heroic")
    assert told(b).count("charge_failed") == 1
    paid = [e.fields["cp"] for e in b.events if getattr(e, "what", "") == "player" and "cp" in e.fields]
    assert paid[0] == 0


@pytest.mark.rule("w40k10.strat.heroic_intervention", check=2)
@pytest.mark.rule("w40k10.strat.heroic_intervention", check=3)
@pytest.mark.rule("w40k10.strat.heroic_intervention", check=4)
def test_who_may_intervene() -> None:
    b = after_charge(
        FRIEND,
        unit("Far", "blue", TROOPER, [(16, 17.1)]),
        unit("Tank", "blue", TANK, [(13, 14.5)]),
        unit("Walker", "blue", {**TANK, "keywords": ["VEHICLE", "WALKER"]}, [(22.5, 10)], facing=90),
        unit("Busy", "blue", TROOPER, [(20, 4)]),
        unit("Pest", "red", TROOPER, [(21, 4.5)]),
    )
    labels = offered(b, "react.unit_move_ended")
    assert labels == ["Heroic Intervention: Friends", "Heroic Intervention: Walker"]


def test_nobody_intervenes_without_two_points() -> None:
    b = after_charge(FRIEND, cp=(0, 1))
    assert "react.unit_move_ended" not in kinds(b)


# --- Tank Shock -------------------------------------------------------------------------------------------------------

RAM: dict[str, Any] = {**TANK, "base": "60mm"}


def ramming(roll: list[int], shock: list[int], *others: Any, toughness: int = 8, **more: Any) -> Battle10:
    b = situation(
        [
            unit("Tank", "red", RAM, [(10, 10)]),
            unit("Blues", "blue", {**TROOPER, "toughness": toughness, "wounds": 9}, [(17, 10)]),
            unit("Elsewhere", "blue", TROOPER, [(40, 28)]),
            *others,
        ],
        step="charge_phase",
        dice={"charge": roll, "tank shock": shock},
        cp=(1, 0),
        **more,
    )
    give(b, "charge_with", "Tank")
    return b


@pytest.mark.rule("w40k10.strat.tank_shock", check=1)
@pytest.mark.rule("w40k10.strat.tank_shock", check=2)
@pytest.mark.rule("w40k10.strat.tank_shock", check=3)
@pytest.mark.parametrize(("toughness", "dice"), [(8, 8), (7, 10)])
def test_a_tank_rolls_its_strength_in_dice(toughness: int, dice: int) -> None:
    b = ramming([6, 6], [5, 6, *[4] * (dice - 2)], toughness=toughness)
    give(b, "react.unit_move_began", "Tank Shock: Tank")
    assert b.player(0).cp == 0
    default(b, "charge_move")
    assert [len(faces) for kind, faces in rolls(b) if kind == "tank shock"] == [dice]
    shocked = next(e for e in b.events if getattr(e, "kind", "") == "tank_shock")
    assert shocked.data["wounds"] == 2
    assert int(b.state.models.wounds[1]) == 7


@pytest.mark.rule("w40k10.strat.tank_shock", check=4)
def test_no_more_than_six_mortal_wounds() -> None:
    b = ramming([6, 6], [6] * 8)
    give(b, "react.unit_move_began", "Tank Shock: Tank")
    default(b, "charge_move")
    assert int(b.state.models.wounds[1]) == 3


@pytest.mark.rule("w40k10.strat.tank_shock", check=5)
def test_the_point_is_lost_when_the_charge_fails() -> None:
    def declared(*roll: int) -> Battle10:
        spare = unit("Spares", "red", TROOPER, [(30, 26)])
        b = ramming([*roll], [5, *[1] * 7], spare, options={"windows": "all"})
        give(b, "react.charge_declared", "Tank Shock: Tank")
        return b

    b = declared(1, 1)
    assert [b.player(0).cp, *kinds(b)] == [0, "charge_with"], "the next unit is to charge"
    assert [kind for kind, _ in rolls(b)] == ["charge"]
    reached = declared(6, 6)
    default(reached, "charge_move")
    assert [kind for kind, _ in rolls(reached)] == ["charge", "tank shock"]


@pytest.mark.rule("w40k10.command.battleshock_stratagems", check=1)
def test_a_shocked_tank_shocks_nobody() -> None:
    b = situation(
        [
            unit("Tank", "red", RAM, [(10, 10)], battle_shocked=True),
            unit("Blues", "blue", TROOPER, [(17, 10)]),
        ],
        step="charge_phase",
        dice={"charge": [6, 6]},
        cp=(1, 0),
    )
    give(b, "charge_with", "Tank")
    assert kinds(b) == ["charge_move"]
    assert alive(b, "Blues") == 1
