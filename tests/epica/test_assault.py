"""Assaults: charges, counter charges and attacks."""

from __future__ import annotations

import pytest

from epica.assaults import IDLE, engaging, engaging_all, killed, margins, scores
from epica.table import (
    BRUTES,
    MILITIA,
    TANK,
    act,
    alive,
    allowed,
    area,
    asked,
    destroy,
    fire,
    formation,
    give,
    judge,
    kinds,
    named,
    offered,
    offered_units,
    refused,
    rolls,
    row,
    settle,
    situation,
    stand,
    stay,
    told,
)
from sandtable.systems.epica.assault import attack_hits, firefighters, in_contact
from sandtable.systems.epica.charge import counter_charge_distance
from sandtable.systems.epica.zoc import stands_in_zones
from sandtable.table.grid import steps

rule = pytest.mark.rule

# --- The charge ------------------------------------------------------------------------------------------------------


@rule("epica.assault.target", check=(1, 2, 3))
def test_any_enemy_formation_on_the_table_may_be_named_before_the_charge() -> None:
    b = situation([
        formation("Reds", "red", at=row(3, 10, 10)), formation("Near", "blue", at=row(3, 10, 30)),
        formation("Far", "blue", at=row(3, 100, 80), broken=True), formation("Gone", "blue", at=row(3, 100, 60)),
    ])  # fmt: skip
    destroy(b, "Gone")
    act(b, "Reds", "engage")
    assert offered_units(b, "engage") == {"Near", "Far"}
    give(b, "engage", "Far")
    assert kinds(b) == ["charge"]


@rule("epica.assault.charge_move", check=(1, 2))
@rule("epica.assault.within_15", check=(2, 3))
def test_a_charge_goes_anywhere_and_may_fall_short() -> None:
    b = engaging(row(3, 20, 20), row(3, 20, 53))
    refused(b, "charge", {"by": [0, 15.2]}, "epica.move.basic")
    allowed(b, "charge", {"by": [0, -5]})
    give(b, "charge", {"by": [0, 15]})
    assert "charge fell short" in told(b)
    assert rolls(b, "firefight") == []
    assert named(b, "Reds").acted
    assert named(b, "Blues").markers == named(b, "Reds").markers == 0


@rule("epica.assault.within_15", check=1)
def test_one_unit_at_15_cm_is_enough() -> None:
    b = engaging(row(3, 20, 20), row(3, 20, 52))
    give(b, "charge", {"by": [0, 15], "models": [1, 2, 3]})
    assert "charge fell short" not in told(b)
    assert kinds(b) == ["counter-charge"]


@rule("epica.assault.within_15", check=1)
@rule("epica.intermingle.declare", check=4)
def test_one_unit_of_one_of_the_formations_that_are_attacked_is_enough() -> None:
    b = engaging_all(
        formation("Reds", "red", at=[(14, 40)]), formation("Blues", "blue", at=[(40, 40)]),
        formation("Mixed", "blue", at=[(34, 40), (28, 40)]),
    )  # fmt: skip
    stay(b, "charge")
    assert "charge fell short" not in told(b)
    assert kinds(b) == ["counter-charge"]


@rule("epica.assault.charge_move", check=3)
def test_chargers_out_of_formation_are_lost_before_the_fight() -> None:
    b = engaging(row(4, 20, 20), row(3, 20, 40))
    refused(b, "charge", {"by": [0, 15.2], "models": [1]}, "epica.move.basic")
    give(b, "charge", {"by": [0, 12], "models": [1]})
    give(b, "stragglers", 1)
    assert alive(b, "Reds") == 3
    assert named(b, "Reds").markers == 1
    assert rolls(b, "close combat") == []


WATCHING = {"overwatch": True, "acted": True}


@rule("epica.assault.procedure", check=1)
@rule("epica.action.engage", check=3)
def test_chargers_who_break_on_the_way_fight_no_assault_and_are_not_fired_at_before_they_withdraw() -> None:
    b = engaging(row(4, 20, 20), row(3, 20, 36), IDLE, blue_flags=WATCHING)
    give(b, "charge", {"by": [12, 0], "models": [3, 4]})
    give(b, "stragglers", 0)
    assert named(b, "Reds").broken
    assert kinds(b) == ["withdraw"]
    assert "attacks" not in told(b)


@rule("epica.assault.procedure", check=1)
def test_chargers_who_are_lost_on_the_way_fight_no_assault() -> None:
    b = engaging([(20, 20)], [(20, 44)], IDLE, red_sheet=TANK, blue_flags=WATCHING,
                 terrain=[area("wood", 10, 24, 20, 4)], dice={"dangerous terrain": [1]})  # fmt: skip
    give(b, "charge", {"by": [0, 16]})
    assert alive(b, "Reds") == 0
    assert "charge fell short" not in told(b)
    assert asked(b, "action").unit == named(b, "Idle").id


@rule("epica.assault.procedure", check=2)
@rule("epica.overwatch.before_assault", check=1)
def test_chargers_who_are_shot_down_fight_no_assault() -> None:
    b = engaging([(20, 30)], [(20, 42)], IDLE, red_sheet=MILITIA, blue_flags=WATCHING, dice={"hit": [6]})
    stay(b, "charge")
    give(b, "react.move_completed", "Overwatch: Blues")
    fire(b)
    assert alive(b, "Reds") == 0
    assert asked(b, "action").unit == named(b, "Idle").id


@rule("epica.zoc.charge_exception", check=1)
@rule("epica.assault.charge_contact", check=(1, 2))
def test_who_enters_a_zone_goes_on_into_contact() -> None:
    b = engaging([(20, 30)], [(20, 42)])
    refused(b, "charge", {"to": [[20, 38]]}, "epica.assault.charge_contact")
    allowed(b, "charge", {"to": [[20, 40]]})
    allowed(b, "charge", {"to": [[20, 34]]})
    b = engaging([(20, 24)], [(20, 42)])
    refused(b, "charge", {"to": [[20, 37]]}, "epica.assault.charge_contact")
    allowed(b, "charge", {"to": [[20, 39]]})


@rule("epica.assault.charge_contact", check=2)
def test_a_charger_who_could_just_reach_the_enemy_may_not_stop_a_hair_short() -> None:
    b = engaging([(20, 24)], [(20, 41)])
    refused(b, "charge", {"to": [[20, 38.95]]}, "epica.assault.charge_contact")
    allowed(b, "charge", {"to": [[20, 39]]})


@rule("epica.zoc.charge_exception", check=(1, 2))
@rule("epica.assault.charge_contact", check=3)
def test_a_charge_may_not_pass_a_nearer_unit() -> None:
    b = engaging([(20, 30)], [(22, 38), (19, 41)])
    refused(b, "charge", {"to": [[18.6, 39.04]]}, "epica.zoc.charge_exception", "epica.assault.charge_contact")
    allowed(b, "charge", {"to": [[21.5, 36.064]]})


@rule("epica.zoc.lost_on_contact", check=(1, 3))
def test_once_touched_a_unit_has_no_zone_and_others_may_pass_it() -> None:
    b = engaging([(20, 30), (24, 30)], [(20, 38), (24, 42)])
    front = {"1": [[20, 36]]}
    behind = {"2": [[24, 40]]}
    refused(b, "charge", {"paths": {2: [[24, 40]]}}, "epica.zoc.charge_exception")
    allowed(b, "charge", {"paths": {1: front["1"], 2: behind["2"]}})
    refused(b, "charge", {"paths": {1: front["1"], 2: [[20.5, 32], [20.5, 42]]}}, "epica.move.enemy_units")


@rule("epica.zoc.lost_on_contact", check=2)
def test_the_zone_is_back_after_the_assault() -> None:
    b = engaging([(20, 30), (23, 30)], [(20, 38), (23, 39)], IDLE, dice={"result": [6, 6, 1, 1]})
    b.set_unit(named(b, "Reds"), markers=0)
    give(b, "charge", {"paths": {1: [[20, 36]]}})
    assert stands_in_zones(b, named(b, "Reds"))


@rule("epica.assault.two_per_defender", check=1)
def test_a_third_charger_finds_no_room() -> None:
    b = engaging([(17, 32), (20, 31), (23, 32)], [(20, 38)])
    two = {1: [[18.268, 37]], 3: [[21.732, 37]]}
    allowed(b, "charge", {"paths": two})
    refused(b, "charge", {"paths": {**two, 2: [[20, 36]]}}, "epica.assault.two_per_defender")


@rule("epica.assault.two_per_defender", check=2)
def test_a_second_charger_may_touch_the_closest_defender_in_the_zone_of_its_neighbour() -> None:
    first, second = {1: [[20, 36]]}, {2: [[21.732, 37]]}
    b = engaging([(20, 30), (22, 30)], [(20, 38), (24, 40)])
    allowed(b, "charge", {"paths": {**first, **second}})
    # Closest means of those that may still be touched, measured from where the charger starts.
    b = engaging([(20, 30), (26, 33)], [(20, 38), (24, 40)])
    refused(b, "charge", {"paths": {**first, **second}}, "epica.assault.charge_contact")
    allowed(b, "charge", {"paths": {**first, 2: [[24, 38]]}})
    # Where two touch it already, the next in line is the closest.
    b = engaging([(18, 31), (22, 31), (20, 29)], [(20, 38), (24, 40)])
    two = {1: [[18.268, 37]], **second}
    refused(b, "charge", {"paths": {**two, 3: [[20, 36]]}}, "epica.assault.charge_contact")
    allowed(b, "charge", {"paths": {1: two[1], 3: [[20, 36]]}})
    # Of two that are equally close either will do, and two grid steps still are contact.
    b = engaging([(20, 30), (22, 30)], [(20, 38), (24, 38)])
    allowed(b, "charge", {"paths": {**first, **second}})
    b = engaging([(20, 30), (22, 30)], [(20, 38), (24, 40)])
    allowed(b, "charge", {"paths": {**first, 2: [[22 + 2 / 1024, 38]]}})
    refused(b, "charge", {"paths": {**first, 2: [[22 + 3 / 1024, 38]]}}, "epica.assault.charge_contact")


@rule("epica.assault.other_formations_zoc", check=(1, 2))
def test_zones_of_others_may_be_crossed_only_on_the_last_stretch() -> None:
    b = engaging([(20, 30)], [(20, 42)], formation("Others", "blue", at=[(26, 38)]))
    refused(b, "charge", {"to": [[22, 33]]}, "epica.assault.other_formations_zoc")
    b = engaging([(20, 30)], [(20, 42)], formation("Others", "blue", at=[(25, 42)]))
    allowed(b, "charge", {"to": [[20, 40]]})


@rule("epica.assault.other_formations_zoc", check=2)
def test_the_first_zone_of_the_target_opens_the_last_stretch() -> None:
    # The way enters the zone of the first unit of the target, then that of a stranger, then that of the second unit.
    b = engaging([(20, 30)], [(20, 42), (24, 45)], formation("Others", "blue", at=[(15.5, 43)]))
    allowed(b, "charge", {"to": [[20, 40]]})


@rule("epica.assault.other_formations_zoc", check=(1, 2))
@pytest.mark.parametrize(("y", "fine"), [(36.0, True), (35.9, False)])
def test_a_strangers_zone_that_is_entered_together_with_that_of_the_target_does_no_harm(y: float, fine: bool) -> None:
    b = engaging([(20, 24)], [(23, 36)], formation("Others", "blue", at=[(17, y)]))
    assert judge(b, "charge", {"paths": {1: [[20, 30], [23, 34]]}}).ok is fine


# --- Counter charges -------------------------------------------------------------------------------------------------


@rule("epica.assault.counter_charge", check=(1, 2))
def test_fast_units_counter_charge_10_cm_and_others_5() -> None:
    assert counter_charge_distance(30) == steps(10)
    assert counter_charge_distance(35) == steps(10)
    assert counter_charge_distance(29) == steps(5)
    assert counter_charge_distance(25) == steps(5)
    assert counter_charge_distance(0) == 0


@rule("epica.assault.counter_charge", check=(3, 4))
def test_units_in_contact_do_not_counter_charge_and_nobody_has_to() -> None:
    b = engaging([(20, 30)], [(20, 38), (24, 38)])
    give(b, "charge", {"to": [[20, 36]]})
    assert asked(b, "counter-charge").models == (stand(b, "Blues", 2),)  # type: ignore[attr-defined]
    allowed(b, "counter-charge", {})


@rule("epica.assault.counter_charge", check=6)
def test_units_further_than_15_cm_away_may_counter_charge_too() -> None:
    b = engaging([(20, 30)], row(4, 20, 47, 0, 6))
    stay(b, "charge")
    assert len(asked(b, "counter-charge").models) == 4  # type: ignore[attr-defined]


@rule("epica.assault.counter_charge_direction", check=1)
def test_a_counter_charge_goes_straight_at_the_closest_enemy() -> None:
    b = engaging([(20, 30), (23, 30)], [(20, 44)])
    stay(b, "charge")
    refused(b, "counter-charge", {"by": [5, 0]}, "epica.assault.counter_charge_direction")
    refused(b, "counter-charge", {"by": [0, 3]}, "epica.assault.counter_charge_direction")
    refused(b, "counter-charge", {"by": [0, -6]}, "epica.move.basic")
    allowed(b, "counter-charge", {"by": [0, -5]})


@rule("epica.assault.counter_charge_direction", check=1)
def test_a_counter_charge_does_not_go_at_an_enemy_who_is_further_off() -> None:
    b = engaging([(20, 30), (25, 26), (30, 30)], [(24, 40)])
    stay(b, "charge")
    refused(b, "counter-charge", {"by": [1.543, -2.572]}, "epica.assault.counter_charge_direction")
    allowed(b, "counter-charge", {"by": [-1.114, -2.785]})


@rule("epica.assault.counter_charge_direction", check=2)
def test_where_the_closest_is_taken_a_unit_makes_for_the_next() -> None:
    b = engaging([(20, 30), (26, 30)], [(18, 30), (20, 28), (20, 37.5)])
    stay(b, "charge")
    assert len(in_contact(b, [1], [0])) == 2
    assert asked(b, "counter-charge").models == (stand(b, "Blues", 3),)  # type: ignore[attr-defined]
    refused(b, "counter-charge", {"by": [0, -4]}, "epica.assault.counter_charge_direction")
    allowed(b, "counter-charge", {"by": [3.09, -3.865]})


@rule("epica.assault.counter_charge_direction", check=2)
def test_where_all_are_taken_a_unit_stays_where_it_is() -> None:
    b = engaging([(20, 30)], [(18, 30), (20, 28), (20, 37.5)])
    stay(b, "charge")
    refused(b, "counter-charge", {"by": [0, -4]}, "epica.assault.counter_charge_direction")
    allowed(b, "counter-charge", {})


@rule("epica.assault.counter_charge_direction", check=3)
@rule("epica.assault.charge_contact", check=1)
def test_a_counter_charge_into_a_zone_goes_on_into_contact() -> None:
    b = engaging([(20, 30)], [(20, 37.5)])
    stay(b, "charge")
    refused(b, "counter-charge", {"by": [0, -3]}, "epica.assault.charge_contact")


@rule("epica.assault.counter_charge_coherency", check=1)
def test_a_counter_charge_may_not_tear_the_formation() -> None:
    b = engaging([(20, 30)], [(20, 44), (20, 51)])
    stay(b, "charge")
    refused(b, "counter-charge", {"by": [0, -4], "models": [1]}, "epica.assault.counter_charge_coherency")
    allowed(b, "counter-charge", {"by": [0, -4]})


@rule("epica.assault.counter_charge_status", check=(1, 2))
@rule("epica.overwatch.not_triggered", check=4)
def test_a_counter_charge_is_no_action_and_draws_no_overwatch() -> None:
    b = engaging(
        row(3, 20, 30), row(3, 20, 44),
        formation("Watch", "red", at=row(3, 40, 28), overwatch=True, acted=True),
        dice={"result": [1, 1, 2, 2]},
    )  # fmt: skip
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -4]})
    settle(b)
    assert kinds(b) == ["withdraw"]
    assert "overwatch" not in told(b)
    stay(b, "withdraw", "withdraw", "consolidate")
    assert asked(b, "action").unit == named(b, "Blues").id
    act(b, "Blues", "advance")
    stay(b, "move")
    assert kinds(b) == ["react.move_completed"]


@rule("epica.assault.counter_charge_draws_in", check=(1, 2))
@rule("epica.assault.combined_roll", check=(1, 2))
def test_a_formation_that_is_touched_is_drawn_in() -> None:
    b = engaging([(20, 30)], [(26, 38), (29, 38)], formation("More", "red", at=[(26, 34), (29, 33)]), IDLE,
                 dice={"close combat": [1, 6], "save": [1], "result": [6, 1, 2, 2]})  # fmt: skip
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -2], "models": [1]})
    assert "drawn in" in told(b)
    assert rolls(b, "close combat") == [(1,), (6,)]
    assert killed(b) == [stand(b, "More", 1)]
    assert scores(b) == ["Reds and More: 6, no markers +1 makes 7.", "Blues: 2, kills +1, no markers +1 makes 4."]
    assert rolls(b, "result") == [(6, 1), (2, 2)]


@rule("epica.assault.counter_charge_draws_in", check=(1, 3))
@rule("epica.loser.already_broken", check=(1, 2))
@pytest.mark.parametrize(("broken", "result", "left_over"), [(False, [1, 1, 4, 4], 2), (True, [1, 1, 2, 2], 0)])
def test_if_the_attackers_lose_whoever_was_drawn_in_breaks_and_is_destroyed_if_it_was_broken(
    broken: bool, result: list[int], left_over: int
) -> None:
    more = formation("More", "red", at=[(26, 34), (29, 33), (32, 33)], broken=broken)
    b = engaging(row(3, 14, 30), [(26, 38)], more, IDLE, dice={"result": result})
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -2]})
    assert margins(b) == [1]
    assert (alive(b, "More"), alive(b, "Reds")) == (left_over, 3)
    assert (named(b, "More").broken, named(b, "Reds").broken) == (True, True)
    assert kinds(b) == ["withdraw"]


@rule("epica.assault.counter_charge_draws_in", check=1)
@pytest.mark.parametrize(("far", "drawn"), [(2 - 2 / 1024, True), (2 - 3 / 1024, False)])
def test_it_takes_contact_with_one_of_several_defenders_to_be_drawn_in(far: float, drawn: bool) -> None:
    b = engaging_all(
        formation("Reds", "red", at=[(20, 30)]), formation("Blues", "blue", at=[(32, 38)]),
        formation("Mixed", "blue", at=[(26, 38)]), formation("More", "red", at=[(26, 34)]),
    )  # fmt: skip
    stay(b, "charge")
    assert asked(b, "counter-charge").unit == named(b, "Blues").id
    stay(b, "counter-charge")
    assert bool(judge(b, "counter-charge", {"by": [0, -far]})) is drawn
    give(b, "counter-charge", [{"by": [0, -far]}, {}][not drawn])
    assert ("drawn in" in told(b)) is drawn


@rule("epica.assault.counter_charge_draws_in", check=5)
def test_a_formation_that_is_only_near_is_not_drawn_in_and_the_attackers_are_in_it_once() -> None:
    b = engaging([(20, 30)], [(20, 40)], formation("More", "red", at=[(26, 34)]), IDLE)
    give(b, "charge", {"by": [0, 8]})
    assert kinds(b) == ["support"]
    assert "drawn in" not in told(b)
    assert rolls(b, "close combat") == [(1,), (1,)]


@rule("epica.assault.counter_charge_draws_in", check=4)
@rule("epica.winner.markers", check=4)
def test_winners_get_markers_for_their_own_losses_only() -> None:
    b = engaging(
        row(4, 11, 30), [(26, 38)], formation("More", "red", at=row(5, 26, 34, 3, -0.5)), IDLE,
        dice={"close combat": [1, 6], "firefight": [1] * 12, "save": [1], "result": [6, 6, 1, 1]},
    )  # fmt: skip
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -2]})
    settle(b)
    assert alive(b, "More") == 4
    assert named(b, "More").markers == 1
    assert named(b, "Reds").markers == 0


# --- Attacks ---------------------------------------------------------------------------------------------------------


@rule("epica.assault.attacks_who", check=(1, 2, 4))
def test_contact_means_close_combat_and_15_cm_a_firefight() -> None:
    b = engaging([(20, 30), (24, 33)], [(20, 38), (24, 50), (24, 50.2)])
    give(b, "charge", {"to": [[20, 36], None]})
    assert in_contact(b, [0], [1]) == [stand(b, "Reds", 1)]
    assert firefighters(b, [0], [1]) == [stand(b, "Reds", 2)]
    b = engaging([(20, 30), (40, 30)], [(20, 47), (40, 47.2)])
    assert firefighters(b, [0], [1]) == [stand(b, "Reds", 1)]


@rule("epica.assault.attacks_who", check=3)
def test_without_a_line_of_fire_there_is_no_firefight() -> None:
    b = engaging([(20, 30)], [(20, 44)], terrain=[area("building", 10, 35, 20, 3, 5)])
    assert firefighters(b, [0], [1]) == []


@rule("epica.assault.attacks_who", check=5)
def test_units_with_clubs_only_fight_only_in_contact() -> None:
    b = engaging([(20, 30)], [(20, 44)], red_sheet=BRUTES)
    assert firefighters(b, [0], [1]) == []
    assert firefighters(b, [1], [0]) == [stand(b, "Blues", 1)]


@rule("epica.assault.attacks_roll", check=3)
@rule("epica.datasheet.assault_values", check=1)
def test_cc_4_up_hits_on_4_5_and_6() -> None:
    assert [f for f in range(1, 7) if attack_hits(f, 4)] == [4, 5, 6]


@rule("epica.assault.attacks_roll", check=(1, 2, 4))
@rule("epica.bm.casualty", check=4)
def test_the_dead_strike_back_and_nobody_is_suppressed() -> None:
    b = engaging(
        [(20, 30), (23, 30)], [(20, 40), (23, 40)], IDLE, blue_flags={"markers": 1}, markers=1,
        blue_sheet=MILITIA, red_sheet=MILITIA, terrain=[area("wood", 10, 36, 30, 10)],
        dice={"firefight": [5, 4, 5, 1], "result": [6, 6, 1, 1], "save": [1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert rolls(b, "firefight") == [(5, 4), (5, 1)]
    assert [e.data["hits"] for e in b.events if getattr(e, "kind", "") == "attacks"] == [1, 1]
    assert scores(b)[0] == "Reds: 6, kills +1 makes 7."
    assert scores(b)[1] == "Blues: 1, kills +1 makes 2."


@rule("epica.assault.markers_deferred", check=(1, 2))
@rule("epica.bm.casualty", check=4)
def test_losses_place_no_markers_before_the_result() -> None:
    b = engaging(
        row(2, 20, 30), row(4, 20, 40), IDLE, blue_flags={"markers": 1}, markers=1, blue_sheet=MILITIA,
        dice={"firefight": [6, 1, 1, 1, 1, 1], "result": [2, 1, 6, 6]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert scores(b) == ["Reds: 2, kills +1 makes 3.", "Blues: 6, numbers +1 makes 7."]
    assert not named(b, "Blues").broken


@rule("epica.assault.allocation", check=(1, 2, 4))
def test_assault_hits_fall_on_any_unit_within_15_cm_closest_first() -> None:
    b = engaging(
        row(3, 20, 30), [(20, 40), (24, 43), (24, 47.5), (24, 52)], IDLE,
        blue_sheet=TANK, dice={"firefight": [6, 6, 6, 1, 1, 1], "save": [4, 3, 4], "result": [6, 6, 1, 1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert rolls(b, "save") == [(4, 3), (4,)]
    assert killed(b) == [stand(b, "Blues", 1)]


@rule("epica.assault.allocation", check=3)
def test_hits_of_close_combat_fall_on_units_that_touch_nobody_too() -> None:
    b = engaging([(17, 32), (23, 32)], [(20, 38), (20, 44)], IDLE,
                 dice={"close combat": [6, 6, 1], "save": [6, 1], "result": [6, 6, 1, 1]})  # fmt: skip
    give(b, "charge", {"paths": {1: [[18.268, 37]], 2: [[21.732, 37]]}})
    stay(b, "counter-charge")
    assert rolls(b, "save") == [(6,), (1,)]
    assert killed(b) == [stand(b, "Blues", 2)]


@rule("epica.assault.allocation", check=5)
def test_infantry_destroys_vehicles_in_an_assault() -> None:
    b = engaging([(20, 30)], [(20, 38), (23, 38)], IDLE, blue_sheet=TANK,
                 dice={"close combat": [6, 1], "save": [1]})  # fmt: skip
    give(b, "charge", {"to": [[20, 36]]})
    stay(b, "counter-charge")
    assert killed(b) == [stand(b, "Blues", 1)]


@rule("epica.shoot.saves", check=4)
@rule("epica.assault.cover_saves", check=(1, 2))
def test_only_those_who_did_not_charge_save_by_cover() -> None:
    ruins = [area("ruins", 10, 30, 30, 20)]
    b = engaging([(20, 33)], [(20, 43)], IDLE, red_sheet={**MILITIA}, blue_sheet=MILITIA, terrain=ruins,
                 dice={"firefight": [6, 6], "save": [4], "result": [6, 6, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert rolls(b, "save") == [(4,)]
    assert alive(b, "Blues") == 1
    assert alive(b, "Reds") == 0


@rule("epica.crossfire.not_in_assault", check=1)
@pytest.mark.parametrize(("face", "lost"), [(5, False), (4, True)])
def test_there_is_no_crossfire_in_an_assault(face: int, lost: bool) -> None:
    b = engaging([(20, 30)], [(20, 38), (20, 41)], formation("Behind", "red", at=[(20, 60)]), IDLE,
                 dice={"close combat": [6, 1], "save": [face]})  # fmt: skip
    give(b, "charge", {"to": [[20, 36]]})
    stay(b, "counter-charge")
    assert rolls(b, "save") == [(face,)]
    assert killed(b) == [stand(b, "Blues", 1)] * lost


@rule("epica.assault.wiped_out", check=(1, 2, 3))
def test_a_defender_who_is_wiped_out_has_lost_without_a_roll() -> None:
    b = engaging(row(4, 20, 30), [(20, 40)], formation("Help", "red", at=[(24, 44)]), IDLE, blue_sheet=MILITIA,
                 dice={"firefight": [6, 1, 1, 1, 5], "save": [1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert alive(b, "Blues") == 0
    assert rolls(b, "result") == []
    assert rolls(b, "support") == []
    assert named(b, "Reds").markers == 1
    assert kinds(b) == ["consolidate"]


@rule("epica.assault.wiped_out", check=2)
def test_a_defender_with_a_unit_far_off_is_not_wiped_out() -> None:
    b = engaging(row(4, 20, 30), [(20, 40), (20, 48)], IDLE, blue_sheet=MILITIA, dice={"firefight": [6, 1, 1, 1, 1]})
    stay(b, "charge")
    stay(b, "counter-charge")
    assert killed(b) == [stand(b, "Blues", 1)]
    assert len(rolls(b, "result")) == 2


@rule("epica.assault.wiped_out", check=2)
@rule("epica.intermingle.single_formation", check=6)
def test_mixed_defenders_are_wiped_out_only_together() -> None:
    b = engaging_all(
        formation("Reds", "red", at=row(4, 20, 30)), formation("Blues", "blue", MILITIA, [(20, 40)]),
        formation("Mixed", "blue", MILITIA, [(26, 41)]),
        dice={"firefight": [6, 1, 1, 1, 1, 1], "result": [1, 1, 6, 6]},
    )  # fmt: skip
    stay(b, "charge", "counter-charge", "counter-charge")
    assert killed(b) == [stand(b, "Blues", 1)]
    assert scores(b) == [
        "Reds: 1, kills +1, numbers +2, no markers +1 makes 5.",
        "Blues and Mixed: 6, no markers +1 makes 7.",
    ]


@rule("epica.assault.stalled", check=(1, 3, 4))
@rule("epica.loser.broken", check=(1, 2))
def test_an_attack_whose_front_is_dead_has_stalled() -> None:
    b = engaging(row(4, 20, 30, 0, -6), [(20, 46)], IDLE, red_sheet=MILITIA, markers=1,
                 dice={"firefight": [1, 6]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert "stalled" in told(b)
    assert alive(b, "Reds") == 3
    assert rolls(b, "result") == []
    assert named(b, "Reds").broken
    assert named(b, "Reds").markers == 0
    assert kinds(b) == ["withdraw"]


@rule("epica.assault.stalled", check=2)
def test_one_survivor_in_front_keeps_the_attack_going() -> None:
    b = engaging(row(4, 20, 30), [(20, 46)], IDLE, red_sheet=MILITIA, dice={"firefight": [1, 1, 1, 1, 6]})
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert "stalled" not in told(b)
    assert rolls(b, "result")


@rule("epica.assault.stalled", check=5)
@pytest.mark.parametrize(("face", "stalled"), [(6, False), (1, True)])
def test_an_attack_that_wipes_the_defender_out_cannot_stall(face: int, stalled: bool) -> None:
    b = engaging(row(4, 20, 30, 0, -6), [(20, 46)], IDLE, red_sheet=MILITIA, blue_sheet=MILITIA,
                 dice={"firefight": [face, 6]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert stand(b, "Reds", 1) in killed(b)
    assert ("stalled" in told(b)) is stalled
    assert named(b, "Reds").broken is stalled


@rule("epica.assault.procedure", check=(1, 3))
@rule("epica.action.engage", check=(2, 3))
@rule("epica.withdraw.when", check=2)
def test_an_assault_goes_through_its_steps_in_order() -> None:
    b = engaging(row(3, 20, 30), row(4, 20, 40), formation("Help", "red", at=[(32, 36)], acted=True), IDLE,
                 dice={"result": [3, 1, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    give(b, "support", ["Help"])
    settle(b)
    assert kinds(b) == ["withdraw"]
    stay(b, "withdraw", "withdraw")
    assert kinds(b) == ["consolidate"]
    order = [t for t in told(b) if t in ("attacks", "support", "result", "assault won", "withdraws")]
    assert order == ["attacks", "attacks", "support", "result", "result", "assault won", "withdraws"]
    assert "shooting" not in told(b)


@rule("epica.assault.only_engage", check=1)
@rule("epica.action.engage", check=3)
@pytest.mark.parametrize(("action", "face", "moves"), [("advance", 6, 1), ("double", 6, 2), ("double", 1, 1)])
def test_no_move_but_a_charge_starts_an_assault_however_near_it_ends(action: str, face: int, moves: int) -> None:
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=row(3, 20, 50)), IDLE],
                  dice={"action test": [face]})  # fmt: skip
    act(b, "Reds", action)
    for kind in {"hold"} & set(kinds(b)):
        assert offered(b, kind) == {"move", "shoot", "regroup"}
        give(b, kind, "move")
    for _ in range(moves):
        give(b, "move", {"by": [0, 12 / moves]})
    for kind in {"shoot-at"} & set(kinds(b)):
        give(b, kind, None)
    assert b.gaps(named(b, "Reds"), named(b, "Blues")).min() == steps(6)
    assert "attacks" not in told(b)
    assert kinds(b) == ["activate"]


@rule("epica.assault.only_engage", check=2)
def test_a_hold_starts_no_assault_even_after_a_failed_engage() -> None:
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=row(3, 20, 50)), IDLE],
                  dice={"action test": [1]})  # fmt: skip
    act(b, "Reds", "engage")
    assert offered(b, "hold") == {"move", "shoot", "regroup"}
    give(b, "hold", "move")
    give(b, "move", {"by": [0, 12]})
    assert "attacks" not in told(b)
    assert kinds(b) == ["activate"]
