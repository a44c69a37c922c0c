"""Movement, coherency and the zones of control."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    GUNS,
    TANK,
    TROOPS,
    account,
    act,
    alive,
    allowed,
    asked,
    default,
    facts,
    fire,
    formation,
    give,
    judge,
    kinds,
    left,
    named,
    offered,
    places,
    prompt,
    refused,
    refused_by,
    rolls,
    row,
    situation,
    stay,
    told,
)
from sandtable.battle.questions import check
from sandtable.systems.epica.formation import is_coherent
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.zoc import stands_in_zones

rule = pytest.mark.rule
FAR = formation("Blues", "blue", at=row(4, 10, 85))


def alone(*units: object, **more: object) -> EpicBattle:
    return situation([*units, FAR], **more)  # type: ignore[arg-type, list-item]


def advancing(at: list[tuple[float, float]], sheet: object = None, **more: object) -> EpicBattle:
    """The Reds in the middle of an advance."""
    b = alone(formation("Reds", "red", *([sheet] if sheet else []), at=at), **more)  # type: ignore[arg-type, list-item]
    act(b, "Reds", "advance")
    return b


# --- Moving ----------------------------------------------------------------------------------------------------------


@rule("epica.move.basic", check=(1, 2, 3))
@rule("epica.datasheet.speed", check=1)
def test_the_length_of_the_path_counts_and_turns_are_free() -> None:
    b = advancing(row(2, 30, 30))
    allowed(b, "move", {"by": [0, 15]})
    refused(b, "move", {"by": [0, 15 + 1 / 1024]}, "epica.move.basic")
    assert facts(b, "move", {"by": [0, 15.126]}) == {"far": 15.126, "limit": 15}
    allowed(b, "move", {"paths": {1: [[30, 38], [30, 31]]}})
    refused(b, "move", {"paths": {1: [[30, 40], [30, 33]]}}, "epica.move.basic")
    allowed(b, "move", {"paths": {1: [{"do": "turn", "to": [30, 30], "facing": 180}, [30, 45]], 2: [[33, 42]]}})
    give(b, "move", {"paths": {1: [[31, 32]], 2: [[34, 35]]}})
    assert places(b, "Reds") == [(31, 32), (34, 35)]


@rule("epica.datasheet.speed", check=2)
def test_a_unit_with_speed_0_cannot_move_at_all() -> None:
    b = advancing(row(2, 30, 30), GUNS)
    refused(b, "move", {"by": [0, 0.5]}, "epica.move.basic")


def test_a_move_that_was_made_stands() -> None:
    b = advancing(row(2, 30, 30))
    give(b, "move", {"by": [0, 5]})
    assert "move" not in kinds(b)
    assert places(b, "Reds") == [(30, 35), (33, 35)]


@rule("epica.move.enemy_units", check=(1, 2))
def test_nobody_moves_through_an_enemy() -> None:
    b = situation([formation("Reds", "red", TANK, [(30, 30)]), formation("Blues", "blue", at=[(30, 45)])])
    act(b, "Reds", "engage")
    refused(b, "charge", {"to": [[30, 55]]}, "epica.move.enemy_units")
    allowed(b, "charge", {"to": [[30, 43]]})


@rule("epica.move.enemy_units", check=3)
@rule("epica.withdraw.moves", check=3)
def test_a_withdrawal_does_not_lead_through_an_enemy_either() -> None:
    b = situation(
        [formation("Reds", "red", at=[(30, 30)], broken=True, flees=True), formation("Blues", "blue", at=[(30, 38)])]
    )
    refused(b, "withdraw", {"to": [[30, 45]]}, "epica.move.enemy_units")
    allowed(b, "withdraw", {"to": [[33.5, 40]]})


@rule("epica.move.friendly_units", check=(1, 2))
@pytest.mark.parametrize(("sheet", "fine"), [(TROOPS, True), (TANK, False)])
def test_friendly_infantry_steps_aside_and_vehicles_do_not(sheet: dict[str, Any], fine: bool) -> None:
    b = alone(formation("Reds", "red", at=[(30, 30)]), formation("Friends", "red", sheet, [(30, 36)]))
    act(b, "Reds", "advance")
    across = judge(b, "move", {"by": [0, 12]})
    assert (across.ok, refused_by(across, "epica.move.friendly_units")) == (fine, not fine)
    refused(b, "move", {"by": [0, 6]}, "epica.move.friendly_units")


@rule("epica.move.table_edge", check=1)
def test_nobody_leaves_the_table() -> None:
    b = advancing(row(1, 5, 5))
    refused(b, "move", {"by": [-5, 0]}, "epica.move.table_edge")
    allowed(b, "move", {"by": [-4, 0]})


# --- Standing together -----------------------------------------------------------------------------------------------


@rule("epica.formation.coherency", check=(1, 2, 3, 4))
@pytest.mark.parametrize(
    ("at", "together"),
    [
        ([(10, 10), (17, 10)], True),
        ([(10, 10), (17.1, 10)], False),
        ([(10, 10), (13, 10), (23, 10), (26, 10)], False),
        ([(10, 10), (17, 10), (24, 10), (31, 10), (38, 10)], True),
        ([(10, 10)], True),
    ],
)
def test_gaps_of_more_than_5_cm_split_a_formation(at: list[tuple[float, float]], together: bool) -> None:
    b = alone(formation("Reds", "red", at=at))
    assert is_coherent(b, named(b, "Reds")) == together


@rule("epica.move.out_of_formation", check=(1, 2, 3))
@rule("epica.bm.casualty", check=3)
def test_the_owner_says_which_part_goes_on_and_each_loss_costs_a_marker() -> None:
    b = advancing(row(5, 30, 30))
    give(b, "move", {"to": [[30, 30], None, None, [45, 30], [48, 30]]})
    assert offered(b, "stragglers") == {0, 1}
    give(b, "stragglers", 0)
    assert left(b, "Reds") == [1, 2, 3]
    assert named(b, "Reds").markers == 2
    assert told(b).index("out of formation") < len(told(b))
    assert "shooting" not in told(b)
    b = advancing(row(5, 30, 30))
    give(b, "move", {"to": [[30, 30], None, None, [45, 30], [48, 30]]})
    give(b, "stragglers", 1)
    assert left(b, "Reds") == [4, 5]
    assert named(b, "Reds").broken


@rule("epica.move.out_of_formation", check=4)
def test_those_markers_can_break_the_formation_and_end_its_action() -> None:
    b = advancing(row(4, 30, 30))
    give(b, "move", {"to": [[28, 30], [31, 30], [43, 30], [46, 30]]})
    give(b, "stragglers", 0)
    assert named(b, "Reds").broken
    assert kinds(b) == ["withdraw"]


@rule("epica.move.out_of_formation", check=2)
def test_whoever_keeps_together_loses_nobody_and_gets_no_marker() -> None:
    b = advancing([(30, 30), (33, 30)])
    give(b, "move", {"to": [None, [37, 30]]})
    assert (alive(b, "Reds"), named(b, "Reds").markers) == (2, 0)
    assert "out of formation" not in told(b)
    assert asked(b, "action").player == 1


@rule("epica.move.out_of_formation", check=1)
def test_of_two_units_that_part_the_owner_keeps_one() -> None:
    b = advancing([(30, 30), (33, 30)])
    give(b, "move", {"to": [None, [37.1, 30]]})
    give(b, "stragglers", 1)
    assert left(b, "Reds") == [2]
    assert named(b, "Reds").broken


@rule("epica.move.out_of_formation_each_move", check=(1, 2))
@rule("epica.move.multiple", check=4)
def test_units_left_behind_in_a_move_of_a_march_are_lost_then() -> None:
    b = alone(formation("Reds", "red", at=row(7, 30, 30)))
    act(b, "Reds", "march")
    for number, lost in ((1, 7), (2, 6), (3, 5)):
        assert prompt(b, "move") == f"Reds: move {number} of its march"
        give(b, "move", {"by": [0, 12], "models": [lost]})
        give(b, "stragglers", 0)
        assert left(b, "Reds") == list(range(1, lost))
    assert asked(b, "action").player == 1


@rule("epica.move.out_of_formation_each_move", check=3)
@rule("epica.withdraw.moves", check=4)
def test_both_moves_of_a_withdrawal_have_to_keep_together_too() -> None:
    # One unit is lost out of formation and another for its marker, as the formation is broken.
    b = alone(formation("Reds", "red", at=row(5, 30, 30), broken=True, flees=True))
    give(b, "withdraw", {"by": [12, 0], "models": [5]})
    give(b, "stragglers", 0)
    assert left(b, "Reds") == [2, 3, 4]
    give(b, "withdraw", {"by": [12, 0], "models": [3]})
    give(b, "stragglers", 0)
    assert left(b, "Reds") == [4]
    assert asked(b, "action").player == 1


@rule("epica.formation.close_up", check=1)
def test_losing_a_link_destroys_nobody_at_that_moment() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, [(30, 20)]),
            formation("Blues", "blue", at=[(20, 60), (26, 58), (32, 60)]),
        ],
        dice={"hit": [6], "save": [1]},
    )
    act(b, "Reds", "sustained")
    give(b, "shoot-at", "Blues")
    fire(b)
    assert left(b, "Blues") == [1, 3]


def test_every_stand_belongs_to_one_formation() -> None:
    b = alone(formation("Reds", "red", at=[(5, 5)]), formation("More", "red", at=row(3, 30, 30)))
    owners = [u.id for u in b.units() for _ in u.models]
    assert list(b.state.models.unit) == owners
    assert len(named(b, "Reds").models) == 1


# --- Zones of control ------------------------------------------------------------------------------------------------


def facing_enemy(at: tuple[float, float] = (30, 50), **flags: object) -> EpicBattle:
    """The Reds advancing, with one enemy stand about."""
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[at], **flags)])
    act(b, "Reds", "advance")
    return b


@rule("epica.zoc.extent", check=(1, 2))
@pytest.mark.parametrize("sheet", [TROOPS, TANK])
@pytest.mark.parametrize(("x", "y"), [(0, 1), (0, -1), (1, 0), (-1, 0)])
def test_every_unit_has_a_zone_of_5_cm_all_round(sheet: dict[str, Any], x: int, y: int) -> None:
    b = situation([
        formation("Reds", "red", at=[(40, 40)]), formation("Blues", "blue", sheet, [(40 + 20 * x, 40 + 20 * y)]),
    ])  # fmt: skip
    act(b, "Reds", "advance")
    refused(b, "move", {"by": [13 * x, 13 * y]}, "epica.zoc.no_entry")
    allowed(b, "move", {"by": [12.9 * x, 12.9 * y]})


@rule("epica.zoc.exact_distance", check=(1, 2))
def test_exactly_5_cm_is_inside_and_5_1_cm_is_not() -> None:
    b = facing_enemy((30, 50))
    refused(b, "move", {"by": [0, 13], "models": [1]}, "epica.zoc.exact_distance")
    allowed(b, "move", {"by": [0, 12.9], "models": [1]})


@rule("epica.zoc.no_entry", check=1)
def test_the_whole_path_has_to_keep_out() -> None:
    b = facing_enemy((30, 40))
    refused(b, "move", {"paths": {1: [[30, 34], [30, 30]]}}, "epica.zoc.no_entry")
    refused(b, "move", {"paths": {2: [[34, 36], [33, 30]]}}, "epica.zoc.no_entry")
    allowed(b, "move", {"paths": {1: [[30, 32.9], [30, 30]]}})
    b = facing_enemy((30, 40.256))
    assert facts(b, "move", {"to": [[30, 34], None]}) == {"after": 3.26}


@rule("epica.zoc.no_entry", check=1)
def test_less_than_a_grid_step_outside_a_zone_the_way_in_enters_it() -> None:
    # The gap is 5 cm and 0.65 of a grid step.
    at = 30 + 5069 / 1024
    b = situation([formation("Reds", "red", at=[(30, 30)]), formation("Blues", "blue", at=[(at, at)])])
    act(b, "Reds", "advance")
    refused(b, "move", {"by": [2, 2]}, "epica.zoc.no_entry")
    allowed(b, "move", {"by": [-2, -2]})


@rule("epica.zoc.no_entry", check=2)
@pytest.mark.parametrize("action", ["advance", "double", "march", "marshal", "hold"])
def test_no_action_but_a_charge_enters_a_zone(action: str) -> None:
    declared = {"hold": "advance"}.get(action, action)
    dice = {"hold": {"action test": [1]}}.get(action, {})
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, 44)])], dice=dice)
    act(b, "Reds", declared)
    for kind in {"marshal", "hold"} & set(kinds(b)):
        give(b, kind, "move")
    refused(b, "move", {"by": [0, 8]}, "epica.zoc.no_entry")
    allowed(b, "move", {"by": [0, 6]})


@rule("epica.zoc.no_entry", check=3)
@rule("epica.withdraw.moves", check=2)
def test_a_withdrawal_may_go_through_zones_and_an_advance_may_not() -> None:
    units = [formation("More", "red", at=[(60, 30)]), formation("Blues", "blue", at=[(38, 36), (68, 36)])]
    b = situation([formation("Reds", "red", at=[(30, 30)], broken=True, flees=True), *units])
    allowed(b, "withdraw", {"to": [[35, 42]]})
    default(b, "withdraw")
    default(b, "withdraw")
    act(b, "More", "advance")
    refused(b, "move", {"to": [[65, 42]]}, "epica.zoc.no_entry")


@rule("epica.zoc.broken_units", check=1)
def test_broken_units_keep_their_zone() -> None:
    b = facing_enemy((30, 44), broken=True)
    refused(b, "move", {"by": [0, 8]}, "epica.zoc.no_entry")


@rule("epica.zoc.start_inside", check=1)
@pytest.mark.parametrize(("y", "inside"), [(37.0, True), (37.1, False)])
def test_a_formation_in_an_enemy_zone_cannot_sit_still(y: float, inside: bool) -> None:
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, y)])])
    assert bool(stands_in_zones(b, named(b, "Reds"))) is inside
    for action in ("sustained", "overwatch"):
        assert (action in offered(b, "action")) is not inside
        assert refused_by(b.why_not(action, 0), "epica.zoc.start_inside") is inside


@rule("epica.zoc.start_inside", check=2)
def test_a_marshal_from_within_a_zone_has_to_be_the_move() -> None:
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, 36)])])
    act(b, "Reds", "marshal")
    assert kinds(b) == ["move"]


@rule("epica.zoc.start_inside", check=4)
@rule("epica.zoc.no_entry", check=1)
def test_a_unit_leaves_the_zone_that_it_starts_in() -> None:
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, 36)])])
    act(b, "Reds", "advance")
    refused(b, "move", {}, "epica.zoc.start_inside")
    refused(b, "move", {"by": [0, -0.5]}, "epica.zoc.start_inside")
    allowed(b, "move", {"by": [0, -10]})
    allowed(b, "move", {"paths": {1: [[27, 31], [22, 28]], 2: [[28, 26]]}})
    default(b, "move")
    assert not stands_in_zones(b, named(b, "Reds"))


@rule("epica.zoc.start_inside", check=4)
def test_a_unit_that_stays_in_a_zone_is_shown_a_way_out_and_the_others_go_theirs() -> None:
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, 36)])])
    act(b, "Reds", "advance")
    wrong = {"paths": {1: [[30, 29.5]], 2: [[36, 26]]}}
    instead = judge(b, "move", wrong).instead
    assert sorted(p.model for p in instead.paths) == [0, 1]
    assert check(b, asked(b, "move"), instead).ok
    b.answer(asked(b, "move"), instead)
    assert places(b, "Reds")[1] == (36, 26)


@rule("epica.zoc.start_inside", check=4)
def test_a_unit_that_cannot_get_out_of_a_zone_may_stay() -> None:
    b = situation([formation("Reds", "red", GUNS, [(30, 30)]), formation("Blues", "blue", at=[(30, 36)])])
    act(b, "Reds", "advance")
    allowed(b, "move", {})


@rule("epica.zoc.start_inside", check=3)
@rule("epica.assault.charge_contact", check=4)
def test_a_charger_in_a_zone_touches_the_enemy_or_leaves() -> None:
    b = situation([formation("Reds", "red", at=[(30, 30)]), formation("Blues", "blue", at=[(30, 36)])])
    act(b, "Reds", "engage")
    refused(b, "charge", {}, "epica.zoc.start_inside")
    allowed(b, "charge", {"to": [[30, 34]]})
    allowed(b, "charge", {"to": [[30, 25]]})
    refused(b, "charge", {"to": [[30, 33]]}, "epica.assault.charge_contact")


@rule("epica.action.engage", check=1)
def test_a_charge_is_one_move_at_normal_speed() -> None:
    b = situation([formation("Reds", "red", at=row(2, 30, 30)), formation("Blues", "blue", at=[(30, 75)])])
    act(b, "Reds", "engage")
    refused(b, "charge", {"by": [0, 16]}, "epica.move.basic")
    stay(b, "charge")
    assert "charge fell short" in told(b)
    assert asked(b, "action").player == 1
    assert rolls(b, "close combat") == []
    assert "no assault" in account(b)


def test_a_move_that_leaves_somebody_out_of_formation_says_whom_it_costs() -> None:
    b = situation([formation("Reds", "red", at=row(4, 10, 10)), formation("Blues", "blue", at=row(3, 10, 70))])
    act(b, "Reds", "advance")
    together = judge(b, "move", {"by": [0, 10]})
    verdict = judge(b, "move", {"by": [0, 12], "models": [4]})
    (note,) = verdict.notes
    assert (bool(together), together.notes) == (True, ())
    assert note.text == "1 unit would be out of formation, and destroyed after the move, with a Blast marker for each."
    assert (note.facts, note.models, note.rules) == ({"units_lost": 1}, (3,), ("epica.move.out_of_formation",))
    assert len(b.on_table(b.unit(0))) == 4
