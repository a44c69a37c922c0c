"""Assaults: support, results, losing and winning, intermingled formations."""

from __future__ import annotations

from typing import Any

import pytest

from epica.assaults import AVERAGE, IDLE, engaging, engaging_all, killed, margins, scores
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
    destroy,
    formation,
    give,
    judge,
    kinds,
    left,
    named,
    offered_units,
    places,
    refused,
    refused_by,
    rolls,
    row,
    sentences,
    settle,
    situation,
    stand,
    stay,
    told,
)
from sandtable.battle.events import Told
from sandtable.systems.epica.result import (
    fewer_marker_modifier,
    kill_modifier,
    no_marker_modifier,
    number_modifier,
)
from sandtable.systems.epica.state import EpicBattle

rule = pytest.mark.rule

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


@rule("epica.support.eligible", check=(1, 4))
@pytest.mark.parametrize(("x", "asked_for"), [(46.0, "support"), (46.1, "withdraw")])
def test_neighbours_within_15_cm_may_support_even_after_acting(x: float, asked_for: str) -> None:
    b = supported((x, 40), dice={"result": [6, 6, 1, 1]}, acted=True, action="double")
    assert kinds(b) == [asked_for]


@rule("epica.support.eligible", check=3)
def test_each_neighbour_is_judged_alone() -> None:
    b = engaging(row(3, 20, 30), row(6, 14, 40),
                 formation("Help", "red", at=[(46, 40), (49, 40), (32, 36)], loadout=[TROOPS, TROOPS, BRUTES]),
                 formation("Clubs", "red", BRUTES, [(33, 44)]), IDLE)  # fmt: skip
    stay(b, "charge", "counter-charge")
    assert offered_units(b, "support") == {"Help"}
    give(b, "support", ["Help"])
    assert rolls(b, "support") == [(1,)]
    assert sentences(b, "support") == ["support 5+: 1, 0 hits"]


@rule("epica.support.eligible", check=1)
def test_a_neighbour_without_a_line_of_fire_gives_no_support() -> None:
    for wall, asked_for in (([], "support"), ([area("building", 34, 34, 3, 12, 5)], "withdraw")):
        b = engaging(row(3, 20, 30), row(6, 14, 40), formation("Help", "red", at=[(40, 40)]), IDLE, terrain=wall)
        stay(b, "charge", "counter-charge")
        settle(b)
        assert kinds(b) == [asked_for]


@rule("epica.support.eligible", check=2)
def test_an_enemy_who_cannot_attack_is_no_reason_to_support() -> None:
    b = engaging([(20, 30)], row(4, 20, 40, 6), formation("Help", "red", at=[(50, 40)]), IDLE)
    stay(b, "charge")
    stay(b, "counter-charge")
    assert "support" not in kinds(b)


@rule("epica.support.barred", check=(1, 2))
@rule("epica.broken.limits", check=2)
@rule("epica.terrain.road_march", check=5)
def test_broken_and_marching_neighbours_give_no_support() -> None:
    assert "support" not in kinds(supported(broken=True))
    assert "support" not in kinds(supported(action="march", acted=True))
    assert "support" not in kinds(supported(action="road-march", acted=True))
    assert "support" in kinds(supported(action="", acted=False))


@rule("epica.action.march", check=3)
@rule("epica.support.barred", check=2)
@pytest.mark.parametrize(("action", "moves", "asked_for"), [("march", 3, "withdraw"), ("marshal", 1, "support")])
def test_whoever_has_marched_gives_no_support_for_the_rest_of_the_turn(action: str, moves: int, asked_for: str) -> None:
    b = situation(
        [
            formation("Help", "red", at=[(40, 40)]), formation("Reds", "red", at=row(3, 20, 30)),
            formation("Blues", "blue", at=row(6, 14, 40)), formation("Idle", "blue", at=row(2, 100, 85)),
        ],
        dice={**AVERAGE, "regroup": [1, 1]},
    )  # fmt: skip
    act(b, "Help", action)
    for _ in range(action == "marshal"):
        give(b, "marshal", "move")
    stay(b, *["move"] * moves)
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    stay(b, "charge", "counter-charge")
    settle(b)
    assert kinds(b) == [asked_for]


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


def test_each_side_tells_its_attacks_and_hits_and_saves_are_told_where_nobody_is_lost() -> None:
    b = supported(dice={"close combat": [6] * 9, "firefight": [6] * 9, "support": [6], "save": [6] * 99})
    give(b, "support", ["Help"])
    settle(b)
    found = [e for e in b.events if isinstance(e, Told)]
    figures = [(e.kind, e.data["attacks"], e.data["hits"]) for e in found if "attacks" in e.data]
    assert figures == [("attacks", 3, 3), ("attacks", 6, 6), ("support", 1, 1)]
    assert [(e.text, e.data["lost"]) for e in found if e.kind == "unharmed"] == [
        ("Nobody is lost in the assault.", 0)
    ] * 2


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


def test_the_result_is_told_with_each_modifier_as_a_fact_and_the_rules_of_those_that_count() -> None:
    b = engaging(row(3, 20, 30), row(4, 20, 40), IDLE, dice={"result": [5, 2, 3, 1]})
    stay(b, "charge")
    stay(b, "counter-charge")
    mine, theirs = (e for e in b.events if isinstance(e, Told) and e.kind == "result")
    names = ["die", "kills", "numbers", "no_markers", "fewer_markers", "total"]
    assert [list(e.data) for e in (mine, theirs)] == [names, names]
    assert mine.data == {"die": 5, "kills": 0, "numbers": 0, "no_markers": 1, "fewer_markers": 0, "total": 6}
    assert theirs.data == {"die": 3, "kills": 0, "numbers": 1, "no_markers": 1, "fewer_markers": 0, "total": 5}
    assert theirs.rules == ("epica.result.roll", "epica.result.outnumber", "epica.result.no_markers")


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
@rule("epica.result.tie", check=(1, 2, 3, 4))
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
    assert "assault won" in told(b)


@rule("epica.concept.ties", check=3)
@rule("epica.rally.order", check=1)
def test_a_tied_assault_asks_for_no_priority_and_tied_ratings_do() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 20, 30), markers=1),
            formation("Blues", "blue", at=row(4, 20, 42), markers=1, acted=True),
            formation("Shaken", "blue", at=row(4, 90, 80), markers=1, acted=True),
        ],
        dice={**AVERAGE, "result": [3, 3, 3, 3, 4, 4, 3, 3], "tie priority": [2], "rally": [6, 6]},
        state={"red": {"strategy": 2}, "blue": {"strategy": 2}},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    stay(b, "charge", "counter-charge", "counter-charge", "counter-charge")
    settle(b)
    assert told(b).count("tied") == 1
    assert rolls(b, "tie priority") == []
    while "withdraw" in kinds(b):
        stay(b, "withdraw")
    stay(b, "consolidate")
    assert rolls(b, "tie priority") == [(2,)]
    assert next(e.text for e in b.events if isinstance(e, Told) and e.kind == "rally").startswith("Shaken rally")


@rule("epica.result.tie", check=(5, 6))
@rule("epica.assault.stalled", check=2)
def test_a_round_with_nobody_near_is_still_decided() -> None:
    b = engaging([(20, 30), (23, 30)], [(20, 44), (20, 51), (20, 58)], IDLE, blue_sheet=MILITIA,
                 dice={"firefight": [6, 1, 1], "result": [3, 3, 4, 4, 6, 6, 1, 1]})  # fmt: skip
    stay(b, "charge", "counter-charge")
    assert killed(b) == [stand(b, "Blues", 1)]
    assert told(b)[-1] == "tied"
    stay(b, "counter-charge", "counter-charge")
    assert rolls(b, "firefight") == [(6, 1), (1,)]
    assert len(scores(b)) == 4
    assert "stalled" not in told(b)
    assert margins(b) == [6]


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
@rule("epica.loser.withdraws", check=1)
def test_more_extra_hits_than_units_destroy_the_loser() -> None:
    b = lost_by(5, row(3, 20, 40, 4))
    assert alive(b, "Blues") == 0
    assert kinds(b) == ["consolidate"]
    assert [t for t in told(b) if t in ("broken", "withdraws")] == []


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


@rule("epica.winner.consolidates", check=2)
@rule("epica.formation.close_up", check=1)
def test_a_winner_who_was_split_loses_nobody_by_staying_where_it_is() -> None:
    b = engaging([(20, 30), (26, 32), (32, 30)], [(26, 44)], IDLE, red_sheet=MILITIA,
                 dice={"firefight": [1, 1, 1, 6], "result": [6, 6, 1, 1]})  # fmt: skip
    stay(b, "charge", "counter-charge")
    assert killed(b) == [stand(b, "Reds", 2)]
    stay(b, "consolidate")
    assert left(b, "Reds") == [1, 3]
    assert asked(b, "action").unit == named(b, "Idle").id


# --- Intermingled formations -----------------------------------------------------------------------------------------


@rule("epica.intermingle.declare", check=(1, 2, 4))
def test_formations_within_5_cm_of_the_target_may_be_attacked_with_it() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 20, 30)), formation("Blues", "blue", at=[(22, 40), (25, 40)]),
            formation("Mixed", "blue", at=[(32, 40)]), formation("Chain", "blue", at=[(39, 40)]),
            formation("Gone", "blue", at=[(22, 43)]), formation("Near", "blue", at=[(15, 40)]),
            formation("Off", "blue", at=[(25, 47.1)]),
        ],
        dice=AVERAGE,
    )  # fmt: skip
    destroy(b, "Gone")
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    assert offered_units(b, "intermingle") == {"Mixed", "Near"}
    allowed(b, "intermingle", [])
    allowed(b, "intermingle", ["Mixed", "Near"])
    give(b, "intermingle", ["Near"])
    assert asked(b, "charge").about["targets"] == [named(b, "Blues").id, named(b, "Near").id]


@rule("epica.intermingle.declare", check=1)
@pytest.mark.parametrize(("x", "asked_for"), [(32.0, "intermingle"), (32.1, "charge")])
def test_5_cm_are_near_enough_to_be_mixed_up_and_5_1_are_not(x: float, asked_for: str) -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 20, 30)),
            formation("Blues", "blue", at=[(22, 40), (25, 40)]),
            formation("Mixed", "blue", at=[(x, 40)]),
        ]
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    assert kinds(b) == [asked_for]


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
@pytest.mark.parametrize(("chosen", "fine"), [(["Mixed"], True), ([], False)])
def test_chargers_may_enter_the_zones_of_all_that_are_attacked(chosen: list[str], fine: bool) -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(30, 30)]), formation("Blues", "blue", at=[(22, 40), (25, 40)]),
            formation("Mixed", "blue", at=[(30, 40)]),
        ],
        dice=AVERAGE,
    )  # fmt: skip
    act(b, "Reds", "engage")
    give(b, "engage", "Blues")
    give(b, "intermingle", chosen)
    verdict = judge(b, "charge", {"to": [[30, 38]]})
    assert verdict.ok is fine
    assert refused_by(verdict, "epica.assault.other_formations_zoc") is not fine


@rule("epica.intermingle.result", check=(1, 2))
def test_mixed_winners_get_markers_for_their_own_losses() -> None:
    b = engaging_all(
        formation("Reds", "red", at=row(4, 20, 30)),
        formation("Blues", "blue", MILITIA, [(20, 39), (23, 40), (20, 46), (23, 46), *row(3, 20, 52)]),
        formation("Mixed", "blue", MILITIA, [(28, 41), (31, 46), (34, 46), *row(2, 31, 52)]),
        formation("Third", "blue", MILITIA, [(16, 52), (13, 52)]),
        dice={"firefight": [6, 6, 6, 1, *[1] * 12], "result": [1, 1, 6, 6]},
    )
    stay(b, "charge", "counter-charge", "counter-charge", "counter-charge")
    assert killed(b) == [stand(b, "Blues", 1), stand(b, "Blues", 2), stand(b, "Mixed", 1)]
    while "withdraw" in kinds(b):
        stay(b, "withdraw")
    assert [named(b, name).markers for name in ("Blues", "Mixed", "Third")] == [2, 1, 0]
