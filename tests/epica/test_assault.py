"""Assaults: charges, counter charges, attacks, support, results."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    BRUTES,
    MILITIA,
    TANK,
    TROOPS,
    act,
    alive,
    allowed,
    area,
    asked,
    default,
    formation,
    give,
    kinds,
    left,
    named,
    offered,
    offered_units,
    places,
    refused,
    rolls,
    row,
    settle,
    situation,
    stand,
    stay,
    told,
)
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.assault import attack_hits, firefighters, in_contact
from sandtable.systems.epica.charge import counter_charge_distance
from sandtable.systems.epica.result import (
    fewer_marker_modifier,
    kill_modifier,
    no_marker_modifier,
    number_modifier,
)
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.zoc import stands_in_zones
from sandtable.table.grid import steps

rule = pytest.mark.rule

AVERAGE = {
    "close combat": [1] * 30,
    "firefight": [1] * 30,
    "support": [1] * 20,
    "result": [6, 6, 1, 1],
    "rally": [6] * 6,
}


def engaging(
    reds: list[tuple[float, float]],
    blues: list[tuple[float, float]],
    *more: Any,
    dice: dict[str, list[int]] | None = None,
    red_sheet: dict[str, Any] = TROOPS,
    blue_sheet: dict[str, Any] = TROOPS,
    blue_flags: dict[str, Any] | None = None,
    terrain: list[Any] | None = None,
    target: str = "Blues",
    **flags: Any,
) -> EpicBattle:
    """The Reds about to charge the Blues."""
    b = situation(
        [
            formation("Reds", "red", red_sheet, reds, **flags),
            formation("Blues", "blue", blue_sheet, blues, **(blue_flags or {})),
            *more,
        ],
        terrain,
        dice={**AVERAGE, **(dice or {})},
    )
    act(b, "Reds", "engage")
    if "engage" in kinds(b):
        give(b, "engage", target)
    if "intermingle" in kinds(b) and target == "Blues":
        give(b, "intermingle", [])
    return b


def scores(b: EpicBattle) -> list[str]:
    return [e.text for e in b.events if getattr(e, "kind", "") == "result"]


IDLE = formation("Idle", "blue", at=row(2, 100, 85))

# --- The charge ------------------------------------------------------------------------------------------------------


@rule("epica.assault.target", check=(1, 2, 3))
def test_any_enemy_formation_may_be_named_before_the_charge() -> None:
    b = situation([
        formation("Reds", "red", at=row(3, 10, 10)), formation("Near", "blue", at=row(3, 10, 30)),
        formation("Far", "blue", at=row(3, 100, 80), broken=True),
    ])  # fmt: skip
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


@rule("epica.assault.charge_move", check=3)
def test_chargers_out_of_formation_are_lost_before_the_fight() -> None:
    b = engaging(row(4, 20, 20), row(3, 20, 40))
    give(b, "charge", {"by": [0, 12], "models": [1]})
    give(b, "stragglers", 1)
    assert alive(b, "Reds") == 3
    assert named(b, "Reds").markers == 1
    assert rolls(b, "close combat") == []


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


@rule("epica.zoc.charge_exception", check=(1, 2))
@rule("epica.assault.charge_contact", check=3)
def test_a_charge_may_not_pass_a_nearer_unit() -> None:
    b = engaging([(20, 30)], [(22, 38), (19, 41)])
    refused(b, "charge", {"to": [[18.6, 39.04]]}, "epica.zoc.charge_exception")


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


@rule("epica.assault.other_formations_zoc", check=(1, 2))
def test_zones_of_others_may_be_crossed_only_on_the_last_stretch() -> None:
    b = engaging([(20, 30)], [(20, 42)], formation("Others", "blue", at=[(26, 38)]))
    refused(b, "charge", {"to": [[22, 33]]}, "epica.assault.other_formations_zoc")
    b = engaging([(20, 30)], [(20, 42)], formation("Others", "blue", at=[(25, 42)]))
    allowed(b, "charge", {"to": [[20, 40]]})


# --- Counter charges -------------------------------------------------------------------------------------------------


@rule("epica.assault.counter_charge", check=(1, 2))
def test_fast_units_counter_charge_10_cm_and_others_5() -> None:
    assert counter_charge_distance(30) == steps(10)
    assert counter_charge_distance(35) == steps(10)
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


@rule("epica.assault.counter_charge_direction", check=2)
def test_where_the_closest_is_taken_a_unit_makes_for_the_next() -> None:
    b = engaging([(20, 30), (26, 30)], [(18, 30), (20, 28), (20, 37.5)])
    stay(b, "charge")
    assert len(in_contact(b, [1], [0])) == 2
    assert asked(b, "counter-charge").models == (stand(b, "Blues", 3),)  # type: ignore[attr-defined]
    refused(b, "counter-charge", {"by": [0, -4]}, "epica.assault.counter_charge_direction")
    allowed(b, "counter-charge", {"by": [3.09, -3.865]})


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
        row(3, 20, 30), row(3, 20, 44), formation("Watch", "red", at=row(3, 30, 20), overwatch=True, acted=True),
        dice={"result": [1, 1, 6, 6]},
    )  # fmt: skip
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -4]})
    assert "overwatch" not in told(b)
    assert "react.move_completed" not in kinds(b)
    while "withdraw" in kinds(b) or "support" in kinds(b) or "react.move_completed" in kinds(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    assert may_activate(b, named(b, "Blues"))


@rule("epica.assault.counter_charge_draws_in", check=(1, 2, 3))
@rule("epica.assault.combined_roll", check=(1, 2))
def test_a_formation_that_is_touched_is_drawn_in() -> None:
    b = engaging([(20, 30)], [(26, 38)], formation("More", "red", at=[(26, 34)]), IDLE, dice={"result": [1, 1, 6, 6]})
    stay(b, "charge")
    give(b, "counter-charge", {"by": [0, -2]})
    assert "drawn in" in told(b)
    assert len(rolls(b, "close combat")) == 2
    assert len(rolls(b, "result")) == 2
    assert scores(b)[0].startswith("Reds and More")
    assert not alive(b, "More") or named(b, "More").broken
    assert not alive(b, "Reds") or named(b, "Reds").broken


@rule("epica.assault.counter_charge_draws_in", check=5)
def test_a_formation_that_is_only_near_is_not_drawn_in() -> None:
    b = engaging([(20, 30)], [(26, 42)], formation("More", "red", at=[(26, 34)]), IDLE)
    stay(b, "charge")
    stay(b, "counter-charge")
    assert "drawn in" not in told(b)


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


@rule("epica.assault.allocation", check=(1, 2, 3, 4))
def test_assault_hits_fall_on_any_unit_within_15_cm_closest_first() -> None:
    b = engaging(
        row(3, 20, 30), [(20, 40), (24, 43), (24, 47.5), (24, 52)], IDLE,
        blue_sheet=TANK, dice={"firefight": [6, 6, 6, 1, 1, 1], "save": [1, 1, 1], "result": [6, 6, 1, 1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert len(rolls(b, "save")) == 2 or rolls(b, "save")[0] == (1, 1)
    assert stand(b, "Blues", 4) not in [s for e in b.events if getattr(e, "kind", "") == "destroyed"
                                        and "assault" in e.text for s in e.data["stands"]]  # fmt: skip


@rule("epica.assault.allocation", check=5)
def test_infantry_destroys_vehicles_in_an_assault() -> None:
    b = engaging([(20, 30)], [(20, 38), (23, 38)], IDLE, blue_sheet=TANK,
                 dice={"close combat": [6, 1], "save": [1]})  # fmt: skip
    give(b, "charge", {"to": [[20, 36]]})
    stay(b, "counter-charge")
    assert 1 not in left(b, "Blues")


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
def test_there_is_no_crossfire_in_an_assault() -> None:
    b = engaging([(20, 30)], [(20, 38)], formation("Behind", "red", at=[(20, 60)]), IDLE,
                 dice={"close combat": [6, 1], "save": [5]})  # fmt: skip
    give(b, "charge", {"to": [[20, 36]]})
    assert rolls(b, "save") == [(5,)]
    assert "destroyed" not in told(b)[: told(b).index("result")]


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
def test_an_attack_that_wipes_the_defender_out_cannot_stall() -> None:
    b = engaging(row(4, 20, 30, 0, -6), [(20, 46)], IDLE, red_sheet=MILITIA, blue_sheet=MILITIA,
                 dice={"firefight": [6, 6]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert "stalled" not in told(b)
    assert not named(b, "Reds").broken


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


@rule("epica.assault.only_engage", check=(1, 2))
def test_nothing_but_an_engage_starts_an_assault() -> None:
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=row(3, 20, 50)), IDLE])
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 8]})
    give(b, "shoot-at", None)
    assert "attacks" not in told(b)
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=row(3, 20, 50)), IDLE],
                  dice={"action test": [1]})  # fmt: skip
    act(b, "Reds", "engage")
    assert offered(b, "hold") == {"move", "shoot", "regroup"}


# --- Support ---------------------------------------------------------------------------------------------------------


def supported(
    help_at: tuple[float, float] = (32, 36), dice: dict[str, list[int]] | None = None, **flags: Any
) -> EpicBattle:
    """Reds and Blues 8 cm apart, the fight begun; a red neighbour by the side of the Blues."""
    b = engaging(row(3, 20, 30), row(6, 14, 40), formation("Help", "red", at=[help_at], **flags), IDLE, dice=dice)
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    return b


@rule("epica.support.eligible", check=(1, 3, 4))
def test_neighbours_within_15_cm_may_support_even_after_acting() -> None:
    b = supported(acted=True, action="double")
    assert offered_units(b, "support") == {"Help"}
    b = supported((46.2, 40))
    assert "support" not in kinds(b)


@rule("epica.support.eligible", check=2)
def test_an_enemy_who_cannot_attack_is_no_reason_to_support() -> None:
    b = engaging([(20, 30)], row(4, 20, 40, 6), formation("Help", "red", at=[(50, 40)]), IDLE)
    stay(b, "charge")
    stay(b, "counter-charge")
    assert "support" not in kinds(b)


@rule("epica.support.barred", check=(1, 2, 3))
@rule("epica.broken.limits", check=2)
@rule("epica.action.march", check=3)
@rule("epica.terrain.road_march", check=5)
def test_broken_and_marching_neighbours_give_no_support() -> None:
    assert "support" not in kinds(supported(broken=True))
    assert "support" not in kinds(supported(action="march", acted=True))
    assert "support" not in kinds(supported(action="road-march", acted=True))
    assert "support" in kinds(supported(action="", acted=False))


@rule("epica.support.resolve", check=(1, 2, 4, 5))
@rule("epica.result.kills", check=2)
@rule("epica.support.eligible", check=5)
@rule("epica.result.outnumber", check=7)
def test_support_is_not_suppressed_and_its_kills_count() -> None:
    b = supported(dice={"support": [5], "save": [1], "result": [6, 6, 1, 1]}, markers=0)
    b.set_unit(named(b, "Help"), markers=3)
    give(b, "support", ["Help"])
    settle(b)
    assert rolls(b, "support") == [(5,)]
    assert "kills +1" in scores(b)[0]
    assert "numbers" not in scores(b)[0]
    assert "numbers +1" in scores(b)[1]
    assert named(b, "Help").markers == 3
    assert "under fire" not in "".join(e.text for e in b.events if getattr(e, "kind", "") == "markers")


@rule("epica.support.resolve", check=3)
def test_support_of_both_sides_is_simultaneous() -> None:
    b = engaging(row(3, 20, 30), row(4, 20, 40), formation("Help", "red", at=[(36, 38)]),
                 formation("Aid", "blue", at=[(12, 33)]), IDLE,
                 dice={"support": [6, 6], "save": [1, 1], "result": [6, 6, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    give(b, "support", ["Help"])
    assert asked(b, "support").player == 1
    give(b, "support", ["Aid"])
    settle(b)
    assert rolls(b, "support") == [(6,), (6,)]
    assert "kills +1" in scores(b)[0]
    assert "kills +1" in scores(b)[1]


# --- Result ----------------------------------------------------------------------------------------------------------


@rule("epica.result.roll", check=(1, 2))
def test_the_higher_die_counts_and_the_margin_is_the_difference() -> None:
    b = engaging(row(3, 20, 30), row(3, 20, 40), IDLE, dice={"result": [5, 2, 3, 1]})
    stay(b, "charge")
    stay(b, "counter-charge")
    assert scores(b)[0].startswith("Reds: 5,")
    won = [e.data["margin"] for e in b.events if getattr(e, "kind", "") == "assault won"]
    assert won == [2]


@rule("epica.result.outnumber", check=(1, 2, 3, 4))
@pytest.mark.parametrize(("mine", "theirs", "bonus"), [(5, 4, 1), (9, 4, 2), (8, 4, 1), (4, 4, 0), (3, 4, 0)])
def test_more_units_and_more_than_twice_as_many(mine: int, theirs: int, bonus: int) -> None:
    assert number_modifier(mine, theirs) == bonus


@rule("epica.result.outnumber", check=(5, 6))
def test_units_far_off_count_and_the_dead_do_not() -> None:
    b = engaging(row(5, 20, 30, 0, -6), row(3, 20, 40), IDLE, blue_sheet=MILITIA,
                 dice={"firefight": [6, 1, 1, 1, 1, 1, 1], "result": [6, 6, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert "numbers +2" in scores(b)[0]


@rule("epica.result.no_markers", check=(1, 2))
@rule("epica.result.fewer_markers", check=(1, 2, 3))
def test_markers_in_the_result() -> None:
    assert [no_marker_modifier(n) for n in (0, 1, 5)] == [1, 0, 0]
    assert fewer_marker_modifier(0, 1) + no_marker_modifier(0) == 2
    assert fewer_marker_modifier(2, 5) == 1
    assert fewer_marker_modifier(3, 3) == 0
    assert kill_modifier(3) == 3


@rule("epica.result.fewer_markers", check=4)
@rule("epica.result.no_markers", check=2)
@rule("epica.broken.count_as_markers", check=(1, 2))
@rule("epica.broken.limits", check=4)
def test_a_broken_defender_counts_as_fully_marked_and_still_fights() -> None:
    for markers, red in ((4, "Reds: 3, numbers +1, fewer markers +1 makes 5."), (5, "Reds: 3, numbers +1 makes 4.")):
        b = engaging(row(6, 14, 30), row(5, 18, 40), IDLE, markers=markers, blue_flags={"broken": True},
                     dice={"result": [3, 3, 1, 1]})  # fmt: skip
        stay(b, "charge")
        assert kinds(b) == ["counter-charge"]
        stay(b, "counter-charge")
        assert scores(b) == [red, "Blues: 1 makes 1."]
        assert len(rolls(b, "firefight")) == 2


@rule("epica.result.kills", check=(1, 3))
@rule("epica.result.tie", check=(1, 2, 3, 4, 5))
@rule("epica.concept.ties", check=3)
def test_a_tie_is_fought_on_and_old_kills_count() -> None:
    b = engaging(row(4, 20, 30), row(4, 20, 42), IDLE, red_sheet=MILITIA, blue_sheet=MILITIA,
                 dice={"firefight": [6, 1, 1, 1, 6, *[1] * 9], "result": [3, 3, 3, 3, 6, 1, 2, 2]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    assert "tied" in told(b)
    assert asked(b, "counter-charge").player == 0
    allowed(b, "counter-charge", {"by": [0, 5]})
    stay(b, "counter-charge")
    assert asked(b, "counter-charge").player == 1
    stay(b, "counter-charge")
    assert [s.count("kills +1") for s in scores(b)] == [1, 1, 1, 1]
    assert "tie priority" not in dict(rolls(b))
    assert "assault won" in told(b)


@rule("epica.result.tie", check=6)
def test_a_round_with_nobody_near_is_still_decided() -> None:
    b = engaging([(20, 30), (20, 24)], [(20, 44), (20, 50)], IDLE, red_sheet=MILITIA, blue_sheet=MILITIA,
                 dice={"firefight": [6, 1], "result": [3, 3, 3, 3, 6, 6, 1, 1]})  # fmt: skip
    b.set_unit(named(b, "Blues"), markers=0)
    stay(b, "charge")
    stay(b, "counter-charge")
    assert rolls(b, "result")


# --- Losing and winning ----------------------------------------------------------------------------------------------


def lost_by(margin: int, blues: list[tuple[float, float]], **more: Any) -> EpicBattle:
    """The Blues have lost an assault by so much (both sides without markers and equal in number)."""
    b = engaging(row(len(blues), 20, 20, 4, 0), blues, IDLE, dice={"result": [1 + margin, 1, 1, 1]}, **more)
    give(b, "charge", {"by": [0, 10]})
    if "counter-charge" in kinds(b):
        stay(b, "counter-charge")
    settle(b)
    return b


@rule("epica.loser.extra_hits", check=(1, 3, 4))
@rule("epica.loser.broken", check=(2, 3))
@rule("epica.loser.withdraws", check=1)
def test_the_loser_breaks_loses_more_units_and_withdraws_first() -> None:
    b = lost_by(3, row(5, 20, 40, 4))
    assert alive(b, "Blues") == 2
    assert rolls(b, "save") == []
    assert named(b, "Blues").broken
    assert named(b, "Blues").markers == 0
    assert kinds(b) == ["withdraw"]
    assert asked(b, "withdraw").unit == named(b, "Blues").id


@rule("epica.loser.extra_hits", check=(2, 3))
def test_extra_hits_take_those_in_contact_first_then_the_closest_even_beyond_15_cm() -> None:
    b = engaging([(20, 30)], row(4, 20, 38, 0, 7), IDLE, dice={"result": [6, 1, 1, 1]}, red_sheet={**TROOPS, "cc": 6})
    b.set_unit(named(b, "Blues"), markers=2)
    give(b, "charge", {"to": [[20, 36]]})
    stay(b, "counter-charge")
    won = next(e.data["margin"] for e in b.events if getattr(e, "kind", "") == "assault won")
    assert left(b, "Blues") == [1, 2, 3, 4][won:]


@rule("epica.loser.extra_hits", check=2)
def test_among_units_equally_close_their_owner_says_who_is_lost_to_extra_hits() -> None:
    b = engaging([(20, 20), (24, 20)], [(20, 32), (24, 32), (22, 42)], IDLE, dice={"result": [3, 1, 1, 1]})
    give(b, "charge", {"by": [0, 10]})
    stay(b, "counter-charge")
    assert next(e.data["margin"] for e in b.events if getattr(e, "kind", "") == "assault won") == 1
    d = asked(b, "allocate")
    assert d.player == 1 and "epica.loser.extra_hits" in d.rules
    first, second = stand(b, "Blues", 1), stand(b, "Blues", 2)
    assert [o.value for o in d.options] == [first, second], "both are in contact, and the third is further away"
    b.answer(d, [second, first])
    assert left(b, "Blues") == [1, 3]


@rule("epica.loser.extra_hits", check=2)
def test_nobody_is_asked_who_is_lost_to_extra_hits_where_one_is_closer() -> None:
    b = engaging([(20, 20)], [(20, 32), (27, 40), (22, 42)], IDLE, dice={"result": [4, 1, 1, 1]})
    give(b, "charge", {"by": [0, 10]})
    stay(b, "counter-charge")
    assert kinds(b) == ["withdraw"] and left(b, "Blues") == [2, 3]


@rule("epica.loser.extra_hits", check=5)
@rule("epica.loser.broken", check=1)
def test_more_extra_hits_than_units_destroy_the_loser() -> None:
    b = lost_by(5, row(3, 20, 40, 4))
    assert alive(b, "Blues") == 0
    assert kinds(b) == ["consolidate"]


@rule("epica.loser.already_broken", check=(1, 2))
def test_a_formation_that_was_broken_before_is_destroyed() -> None:
    b = lost_by(0, row(4, 20, 40, 0, 6), blue_flags={"broken": True}, markers=1)
    assert alive(b, "Blues") == 0
    assert kinds(b) == ["consolidate"]
    b = lost_by(1, row(4, 20, 40, 4))
    assert alive(b, "Blues") == 3


@rule("epica.loser.withdraws", check=2)
@rule("epica.withdraw.destroyed_near_enemy", check=3)
@rule("epica.move.optional", check=2)
def test_losers_who_stay_near_the_enemy_are_lost() -> None:
    b = lost_by(1, row(4, 20, 40, 4))
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Blues") == 0


@rule("epica.loser.supporters", check=(1, 2, 4, 5))
def test_neighbours_of_the_loser_get_a_marker_whether_or_not_they_helped() -> None:
    b = engaging(
        row(4, 20, 30), row(4, 20, 40), formation("Near", "blue", at=[(12, 38), (9, 38)]),
        formation("Friend", "red", at=[(36, 33)]), IDLE, dice={"result": [4, 1, 3, 1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    give(b, "support", [])
    give(b, "support", [])
    settle(b)
    assert kinds(b) == ["withdraw"]
    stay(b, "withdraw", "withdraw")
    assert named(b, "Near").markers == 1
    assert named(b, "Friend").markers == 0
    b = engaging(
        row(4, 20, 30), row(4, 20, 40), formation("Near", "blue", at=[(12, 38)]), IDLE, dice={"result": [4, 1, 3, 1]}
    )
    stay(b, "charge")
    stay(b, "counter-charge")
    give(b, "support", [])
    settle(b)
    stay(b, "withdraw", "withdraw")
    assert named(b, "Near").broken


@rule("epica.loser.supporters", check=3)
def test_neighbours_are_shaken_by_a_wipe_out_too() -> None:
    b = engaging(row(4, 20, 30), [(20, 40)], formation("Near", "blue", at=row(3, 12, 40, -3)), IDLE,
                 blue_sheet=MILITIA, dice={"firefight": [6, 1, 1, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    assert named(b, "Near").markers == 1


@rule("epica.winner.markers", check=(1, 2, 3))
def test_the_winner_gets_a_marker_for_each_unit_it_lost() -> None:
    b = engaging(
        row(6, 14, 30), row(4, 20, 40), formation("Aid", "blue", at=[(8, 38)]), IDLE, red_sheet=MILITIA, markers=1,
        dice={"firefight": [1] * 6 + [6, 1, 1, 1], "support": [6], "result": [6, 6, 1, 1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    give(b, "support", ["Aid"])
    settle(b)
    stay(b, "withdraw", "withdraw")
    assert alive(b, "Reds") == 4
    assert named(b, "Reds").markers == 3


@rule("epica.winner.breaks", check=(1, 2))
def test_a_winner_can_break_and_stays_where_it_is() -> None:
    b = engaging(
        row(6, 14, 30), row(3, 20, 40), IDLE, red_sheet=MILITIA,
        dice={"firefight": [1] * 6 + [6, 6, 6], "result": [6, 6, 1, 1]},
    )  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    while "withdraw" in kinds(b):
        default(b, "withdraw")
    assert named(b, "Reds").broken
    assert kinds(b) == ["consolidate"]
    stay(b, "consolidate")
    assert alive(b, "Reds") == 3
    assert told(b).count("withdraws") <= 1


@rule("epica.winner.already_broken", check=(1, 2))
def test_a_broken_winner_gets_no_markers_and_stays_broken() -> None:
    b = engaging(
        row(4, 20, 30), row(6, 14, 40), IDLE, blue_sheet=MILITIA, blue_flags={"broken": True},
        dice={"firefight": [6, 6, 1, 1] + [1] * 6, "result": [1, 1, 6, 6]},
    )  # fmt: skip
    b.set_unit(named(b, "Reds"), markers=0)
    stay(b, "charge")
    stay(b, "counter-charge")
    settle(b)
    while "withdraw" in kinds(b):
        stay(b, "withdraw")
    assert alive(b, "Blues") == 4
    assert named(b, "Blues").broken


@rule("epica.winner.consolidates", check=(1, 2, 3))
@rule("epica.zoc.no_entry", check=2)
def test_the_winner_may_move_5_cm_but_not_into_a_zone() -> None:
    b = engaging(row(3, 20, 30), [(20, 40)], formation("Others", "blue", at=[(34, 30)]), IDLE, blue_sheet=MILITIA,
                 red_sheet=TANK, dice={"firefight": [6, 1, 1, 1]})  # fmt: skip
    stay(b, "charge")
    stay(b, "counter-charge")
    allowed(b, "consolidate", {"by": [0, 5]})
    refused(b, "consolidate", {"by": [0, 5.2]}, "epica.move.basic")
    refused(b, "consolidate", {"by": [3, 0]}, "epica.zoc.no_entry")
    give(b, "consolidate", {"by": [0, 2], "models": [1]})
    assert places(b, "Reds")[0] == (20, 32)


# --- Intermingled formations -----------------------------------------------------------------------------------------


@rule("epica.intermingle.declare", check=(1, 2, 4))
def test_formations_within_5_cm_of_the_target_may_be_attacked_with_it() -> None:
    others = [formation("Mixed", "blue", at=[(32, 40)]), formation("Chain", "blue", at=[(39, 40)])]
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=[(22, 40), (25, 40)]),
                   *others], dice=AVERAGE)  # fmt: skip
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    assert offered_units(b, "intermingle") == {"Mixed"}
    give(b, "intermingle", ["Mixed"])
    assert asked(b, "charge").about["targets"] == [1, 2]
    b = situation([formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=[(22, 40), (25, 40)]),
                   formation("Mixed", "blue", at=[(32.1, 40)])], dice=AVERAGE)  # fmt: skip
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    assert kinds(b) == ["charge"]


@rule("epica.intermingle.single_formation", check=(1, 2, 3, 4))
@rule("epica.intermingle.result", check=3)
@rule("epica.loser.broken", check=3)
def test_mixed_formations_fight_and_lose_as_one() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(6, 14, 30)),
            formation("Blues", "blue", at=row(4, 16, 40), markers=1),
            formation("Mixed", "blue", at=row(3, 31, 42, 4), markers=2),
            IDLE,
        ],
        dice={**AVERAGE, "result": [4, 1, 6, 1]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", ["Mixed"])
    stay(b, "charge")
    for _ in range(2):
        stay(b, "counter-charge")
    settle(b)
    assert scores(b) == [
        "Reds: 4, no markers +1, fewer markers +1 makes 6.",
        "Blues and Mixed: 6, numbers +1 makes 7.",
    ]
    b = situation(
        [
            formation("Reds", "red", at=row(6, 14, 30)),
            formation("Blues", "blue", at=row(4, 16, 40), markers=1),
            formation("Mixed", "blue", at=row(3, 31, 42, 4)),
            IDLE,
        ],
        dice={**AVERAGE, "result": [6, 1, 4, 1]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", ["Mixed"])
    stay(b, "charge")
    for _ in range(2):
        stay(b, "counter-charge")
    settle(b)
    assert "no markers" not in scores(b)[1]
    assert named(b, "Blues").broken
    assert named(b, "Mixed").broken


@rule("epica.loser.extra_hits_intermingled", check=(1, 2))
def test_extra_hits_come_before_the_broken_half_is_destroyed() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(6, 14, 30)),
            formation("Blues", "blue", at=row(4, 16, 40)),
            formation("Mixed", "blue", at=row(4, 31, 38, 4), broken=True),
            IDLE,
        ],
        dice={**AVERAGE, "result": [2, 1, 1, 1]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", ["Mixed"])
    stay(b, "charge")
    for _ in range(2):
        stay(b, "counter-charge")
    settle(b)
    margin = next(e.data["margin"] for e in b.events if getattr(e, "kind", "") == "assault won")
    lost = [e for e in b.events if getattr(e, "kind", "") == "destroyed"]
    assert sum(e.data["lost"] for e in lost if "thrown back" in e.text) == margin > 0
    assert "already" in lost[-1].text
    assert alive(b, "Mixed") == 0
    assert named(b, "Blues").broken


@rule("epica.intermingle.single_formation", check=5)
def test_chargers_may_enter_the_zones_of_all_that_are_attacked() -> None:
    units = [formation("Reds", "red", at=[(30, 30)]), formation("Blues", "blue", at=[(22, 40), (25, 40)]),
             formation("Mixed", "blue", at=[(30, 40)])]  # fmt: skip
    for chosen, fine in ((["Mixed"], True), ([], False)):
        b = situation(list(units), dice=AVERAGE)
        act(b, "Reds", "engage")
        give(b, "engage", "Blues")
        give(b, "intermingle", chosen)
        if fine:
            allowed(b, "charge", {"to": [[30, 38]]})
        else:
            refused(b, "charge", {"to": [[30, 38]]}, "epica.assault.other_formations_zoc")


@rule("epica.intermingle.result", check=(1, 2))
def test_mixed_winners_get_markers_for_their_own_losses() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(5, 20, 30)),
            formation("Blues", "blue", MILITIA, row(6, 12, 40)),
            formation("Mixed", "blue", MILITIA, row(5, 33, 42, 4)),
            IDLE,
        ],
        dice={**AVERAGE, "firefight": [6, 6, 1, 1, 1] + [1] * 20, "result": [1, 1, 6, 6]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", ["Mixed"])
    stay(b, "charge")
    for _ in range(2):
        stay(b, "counter-charge")
    settle(b)
    while "withdraw" in kinds(b):
        stay(b, "withdraw")
    lost = (6 - alive(b, "Blues"), 5 - alive(b, "Mixed"))
    assert sum(lost) == 2
    assert (named(b, "Blues").markers, named(b, "Mixed").markers) == lost
