"""Overwatch and crossfire."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    MILITIA,
    TANK,
    TROOPS,
    act,
    alive,
    area,
    asked,
    destroy,
    fire,
    formation,
    give,
    kinds,
    named,
    offered,
    refused_by,
    rolls,
    row,
    settle,
    shoot_at,
    shots,
    silent,
    situation,
    stand,
    stay,
    told,
)
from sandtable.battle.events import Told
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.cover import cover_save
from sandtable.systems.epica.crossfire import find_crossfire
from sandtable.systems.epica.state import EpicBattle

rule = pytest.mark.rule
OW = "react.move_completed"


def watched(dice: dict[str, list[int]] | None = None, size: int = 6, **flags: Any) -> EpicBattle:
    """The Reds about to act; a formation of the Blues lies in wait 26 cm off, another one behind it."""
    return situation(
        [
            formation("Reds", "red", at=row(size, 20, 20), **flags),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True, acted=True),
            formation("Guard", "blue", at=row(4, 40, 48), overwatch=True, acted=True),
            formation("Others", "blue", at=row(3, 90, 85)),
        ],
        dice=dice,
    )


@rule("epica.overwatch.trigger", check=(1, 3, 5))
@rule("epica.overwatch.target", check=(1, 2))
def test_overwatch_fires_after_the_move_and_before_the_shooting() -> None:
    b = watched({"hit": [5, 4, 4, 4, 1, 1, 1, 1], "save": [1]})
    act(b, "Reds", "advance")
    stay(b, "move")
    assert asked(b, OW).player == 1
    give(b, OW, "Overwatch: Watch")
    assert asked(b, "aim").about["target"] == named(b, "Reds").id
    fire(b)
    assert alive(b, "Reds") == 5
    assert not named(b, "Watch").overwatch
    assert offered(b, OW) == {"Overwatch/2"}
    give(b, OW, "Overwatch: Guard")
    fire(b)
    assert kinds(b) == ["shoot-at"]
    assert told(b).count("overwatch") == 2


@rule("epica.overwatch.trigger", check=4)
@rule("epica.overwatch.between_moves", check=(1, 4))
def test_declining_keeps_the_overwatch_for_the_second_move() -> None:
    b = watched()
    act(b, "Reds", "double")
    stay(b, "move")
    give(b, OW, None)
    assert named(b, "Watch").overwatch
    stay(b, "move")
    assert OW in kinds(b)


@rule("epica.overwatch.trigger", check=2)
def test_overwatch_fire_knows_suppression_and_range() -> None:
    b = situation([
        formation("Reds", "red", at=row(3, 20, 20)),
        formation("Watch", "blue", at=row(4, 20, 40, 0, 3), overwatch=True, acted=True, markers=1),
        formation("Guard", "blue", at=row(4, 60, 60), overwatch=True, acted=True),
        formation("Others", "blue", at=row(3, 90, 85)),
    ])  # fmt: skip
    act(b, "Reds", "advance")
    stay(b, "move")
    assert offered(b, OW) == {"Overwatch/1"}
    give(b, OW, "Overwatch: Watch")
    assert silent(b) == [4]
    assert shots(b) == 3


@rule("epica.overwatch.between_moves", check=2)
def test_a_march_opens_three_windows() -> None:
    b = watched()
    act(b, "Reds", "march")
    for _ in range(3):
        stay(b, "move")
        give(b, OW, None)
    assert OW not in kinds(b)


def broken_by_overwatch(action: str) -> EpicBattle:
    """The Reds begin an action with a move, and the first enemy who lies in wait breaks them by firing at it."""
    b = situation(
        [
            formation("Reds", "red", at=row(4, 20, 20), markers=3),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True, acted=True),
            formation("Others", "blue", at=row(3, 90, 85)),
        ],
        dice={"hit": [1] * 4},
    )
    act(b, "Reds", action)
    return b


@rule("epica.overwatch.between_moves", check=3)
@rule("epica.withdraw.mid_action", check=1)
@rule("epica.action.advance", check=1)
@rule("epica.action.double", check=1)
@rule("epica.action.march", check=1)
@pytest.mark.parametrize(
    ("action", "moves"), [("advance", 1), ("double", 1), ("double", 2), ("march", 1), ("march", 2)]
)
def test_a_formation_broken_by_overwatch_loses_the_rest_of_its_action_and_withdraws(action: str, moves: int) -> None:
    b = broken_by_overwatch(action)
    for _ in range(moves - 1):
        stay(b, "move")
        give(b, OW, None)
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert named(b, "Reds").broken
    assert kinds(b) == ["withdraw"]


@rule("epica.action.marshal", check=2)
@rule("epica.withdraw.mid_action", check=1)
def test_a_formation_broken_on_the_move_of_its_marshal_does_not_regroup() -> None:
    b = broken_by_overwatch("marshal")
    give(b, "marshal", "move")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert kinds(b) == ["withdraw"]
    assert "regroups" not in told(b)


@rule("epica.action.alternate", check=1)
@rule("epica.withdraw.mid_action", check=1)
def test_a_formation_that_is_broken_and_then_destroyed_does_not_withdraw() -> None:
    b = situation(
        [
            formation("Reds", "red", at=[(20, 20)]),
            formation("Watch", "blue", at=[(20, 48)], overwatch=True, acted=True),
            formation("Guard", "blue", at=[(24, 48)], overwatch=True, acted=True),
            formation("Others", "blue", at=row(3, 90, 85)),
        ],
        dice={"hit": [1, 1]},
    )
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert named(b, "Reds").broken
    give(b, OW, "Overwatch: Guard")
    fire(b)
    assert alive(b, "Reds") == 0
    assert "withdraws" not in told(b)
    assert asked(b, "action").player == 1


@rule("epica.overwatch.stationary", check=2)
def test_an_advance_without_a_step_may_be_fired_at() -> None:
    b = watched()
    act(b, "Reds", "advance")
    stay(b, "move")
    assert kinds(b) == [OW]


@rule("epica.overwatch.stationary", check=1)
def test_a_charge_without_a_step_may_be_fired_at() -> None:
    b = watched()
    act(b, "Reds", "engage")
    give(b, "engage", "Watch")
    stay(b, "charge")
    assert kinds(b) == [OW]


def then_the_others_advance(b: EpicBattle) -> None:
    """Nobody has fired so far, although all could; at the next move they may."""
    assert "overwatch" not in told(b)
    assert (named(b, "Watch").overwatch, named(b, "Guard").overwatch) == (True, True)
    act(b, "More", "advance")
    stay(b, "move")
    assert kinds(b) == [OW]


def watched_by_two(dice: dict[str, list[int]]) -> EpicBattle:
    return situation(
        [
            formation("Reds", "red", at=row(6, 20, 20)),
            formation("More", "red", at=row(6, 40, 20)),
            formation("Watch", "blue", at=row(8, 20, 48), overwatch=True, acted=True),
            formation("Guard", "blue", at=row(4, 45, 48), overwatch=True, acted=True),
        ],
        dice=dice,
    )


@rule("epica.overwatch.not_triggered", check=(1, 6))
def test_sustained_fire_triggers_no_overwatch() -> None:
    b = watched_by_two({"hit": [1] * 6})
    act(b, "Reds", "sustained")
    shoot_at(b, "Watch")
    fire(b)
    then_the_others_advance(b)


@rule("epica.overwatch.not_triggered", check=2)
def test_a_marshal_that_shoots_triggers_no_overwatch() -> None:
    b = watched_by_two({"hit": [1] * 6, "regroup": [1, 1]})
    act(b, "Reds", "marshal")
    give(b, "marshal", "shoot")
    shoot_at(b, "Watch")
    fire(b)
    then_the_others_advance(b)


@rule("epica.overwatch.not_triggered", check=3)
@pytest.mark.parametrize("part", ["shoot", "regroup"])
def test_a_hold_that_shoots_or_regroups_triggers_no_overwatch(part: str) -> None:
    b = watched_by_two({"action test": [1, 6], "regroup": [1, 1]})
    act(b, "Reds", "advance")
    give(b, "hold", part)
    for _ in range(part == "shoot"):
        give(b, "shoot-at", None)
    then_the_others_advance(b)


@rule("epica.overwatch.duration", check=3)
def test_a_new_action_ends_overwatch() -> None:
    b = situation(
        [formation("Reds", "red", at=row(3, 20, 20), overwatch=True), formation("Blues", "blue", at=row(3, 20, 80))],
        dice={"action test": [1], "regroup": [1, 1]},
        round_=2,
    )
    act(b, "Reds", "advance")
    give(b, "hold", "regroup")
    assert not named(b, "Reds").overwatch


def two_turns_on_overwatch(dice: dict[str, list[int]] | None = None) -> EpicBattle:
    """The Reds went on overwatch in turn 1 and nobody came; it is turn 2, and theirs."""
    b = situation(
        [formation("Reds", "red", at=row(3, 20, 20)), formation("Blues", "blue", at=row(3, 20, 60))],
        turns=3,
        dice={"strategy": [6, 1, 6, 1], **(dice or {})},
    )
    act(b, "Reds", "overwatch")
    act(b, "Blues", "overwatch")
    give(b, "first", "red")
    assert b.state.round == 2
    return b


@rule("epica.overwatch.duration", check=(1, 2, 3))
@rule("epica.end.status_reset", check=3)
def test_overwatch_lasts_from_turn_to_turn_without_a_test_until_an_action() -> None:
    b = two_turns_on_overwatch()
    assert named(b, "Reds").overwatch
    give(b, "activate", None)
    give(b, "activate", None)
    assert len(rolls(b, "action test")) == 2
    give(b, "first", "red")
    assert (b.state.round, named(b, "Reds").overwatch) == (3, True)
    act(b, "Reds", "advance")
    assert not named(b, "Reds").overwatch


@rule("epica.overwatch.next_turn", check=3)
def test_whoever_did_not_fire_may_act_in_the_next_turn_and_whoever_did_may_not() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(6, 20, 20)),
            formation("Watch", "blue", at=row(4, 20, 48)),
            formation("Guard", "blue", at=row(4, 45, 48)),
        ],
        turns=2,
        dice={"strategy": [6, 1], "hit": [1] * 4},
        active="blue",
    )
    act(b, "Watch", "overwatch")
    act(b, "Guard", "overwatch")
    act(b, "Reds", "overwatch")
    give(b, "first", "red")
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    give(b, OW, None)
    assert refused_by(may_activate(b, named(b, "Watch")), "epica.action.once")
    assert may_activate(b, named(b, "Guard"))


@rule("epica.overwatch.next_turn", check=1)
def test_fire_in_the_turn_of_the_overwatch_leaves_its_action_what_it_was() -> None:
    b = situation(
        [formation("Reds", "red", at=row(6, 20, 20)), formation("Watch", "blue", at=row(4, 20, 48))],
        dice={"hit": [1] * 4},
        active="blue",
        turns=2,
    )
    act(b, "Watch", "overwatch")
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert (named(b, "Watch").action, named(b, "Watch").acted) == ("overwatch", True)


@rule("epica.overwatch.next_turn", check=(1, 2))
@rule("epica.action.once", check=3)
def test_fire_in_the_next_turn_uses_up_its_action() -> None:
    for acted, free in ((False, False), (True, True)):
        b = situation(
            [
                formation("Reds", "red", at=row(6, 20, 20)),
                formation("Watch", "blue", at=row(4, 20, 48), overwatch=True, acted=acted),
                formation("Others", "blue", at=row(3, 20, 85)),
            ],
            round_=1 if acted else 2,
            dice={"hit": [1] * 4, "rally": [6], "strategy": [6, 1]},
            turns=3,
        )
        act(b, "Reds", "advance")
        stay(b, "move")
        give(b, OW, "Overwatch: Watch")
        fire(b)
        assert named(b, "Watch").acted
        assert not may_activate(b, named(b, "Watch"))
        pass_shoot(b)
        act(b, "Others", "overwatch")
        give(b, "first", "red")
        assert free is acted
        assert may_activate(b, named(b, "Watch"))


def pass_shoot(b: EpicBattle) -> None:
    if "shoot-at" in kinds(b):
        give(b, "shoot-at", None)


@rule("epica.overwatch.next_turn", check=4)
def test_after_the_action_of_the_next_turn_nobody_is_on_overwatch_still() -> None:
    b = two_turns_on_overwatch()
    act(b, "Reds", "advance")
    stay(b, "move")
    assert named(b, "Reds").acted
    assert (named(b, "Reds").overwatch, named(b, "Blues").overwatch) == (False, True)


@rule("epica.cover.overwatch_open", check=3)
def test_having_fired_infantry_has_no_cover_in_the_open() -> None:
    b = watched({"hit": [1] * 4})
    watch = named(b, "Watch")
    assert cover_save(b, watch.models[0]) == 5
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert cover_save(b, watch.models[0]) == 0


@rule("epica.withdraw.overwatch", check=(1, 2))
def test_a_withdrawal_draws_fire_after_each_move_and_its_marker_is_a_hit() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(5, 20, 20), broken=True, flees=True),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
            formation("Others", "blue", at=row(3, 90, 85)),
        ],
        dice={"hit": [1] * 4},
    )
    stay(b, "withdraw")
    give(b, OW, None)
    stay(b, "withdraw")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert alive(b, "Reds") == 4
    assert named(b, "Reds").markers == 0


@rule("epica.overwatch.before_assault", check=(1, 3))
@rule("epica.assault.procedure", check=2)
def test_the_target_of_a_charge_fires_before_its_counter_charge() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 20, 30)),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
        ],
        dice={"hit": [1] * 4},
    )
    act(b, "Reds", "engage")
    give(b, "charge", {"by": [0, 5]})
    assert kinds(b) == [OW]
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert kinds(b) == ["counter-charge"]


@rule("epica.overwatch.before_assault", check=2)
@rule("epica.result.kills", check=4)
def test_losses_to_overwatch_are_no_kills_of_the_assault() -> None:
    b = situation(
        [
            formation("Reds", "red", MILITIA, row(6, 20, 30)),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
        ],
        dice={"hit": [6, 1, 1, 1], "firefight": [1, 1, 1, 1, 1, 6, 1, 1, 1], "result": [3, 3, 3, 3]},
    )
    act(b, "Reds", "engage")
    give(b, "charge", {"by": [0, 5]})
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert alive(b, "Reds") == 5
    assert named(b, "Reds").markers == 2
    stay(b, "counter-charge")
    settle(b)
    text = [e.text for e in b.events if getattr(e, "kind", "") == "result"]
    assert text == ["Reds: 3 makes 3.", "Watch: 3, kills +1, no markers +1, fewer markers +1 makes 6."]


# --- Crossfire -------------------------------------------------------------------------------------------------------


def between(
    far: tuple[float, float] = (30, 50),
    target: list[tuple[float, float]] | None = None,
    dice: dict[str, list[int]] | None = None,
    terrain: list[Any] | None = None,
    sheet: dict[str, Any] = TROOPS,
    armour: int = 5,
    **flags: Any,
) -> EpicBattle:
    """The Blues between the Reds below and their friends above."""
    return situation(
        [
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Friends", "red", sheet, [far], acted=True, **flags),
            formation("Blues", "blue", {**TROOPS, "armour": armour}, target or [(27, 30), (33, 30)]),
            formation("Others", "blue", at=row(3, 5, 85)),
        ],
        terrain,
        dice=dice,
    )


def caught(b: EpicBattle) -> bool:
    return find_crossfire(b, named(b, "Reds"), named(b, "Blues")) is not None


@rule("epica.crossfire.line", check=(1, 3))
def test_a_line_of_45_cm_between_two_units_is_a_crossfire() -> None:
    assert caught(between((30, 57)))
    assert not caught(between((30, 57.1)))


@rule("epica.crossfire.line", check=(2, 4))
def test_the_line_has_to_cross_the_target_and_end_in_another_formation() -> None:
    assert not caught(between((10, 50)))
    assert caught(between(target=[(30, 30)]))
    assert not caught(between(target=[(32, 30)]))
    b = situation([
        formation("Reds", "red", TANK, [(30, 10), (30, 50)]), formation("Blues", "blue", at=[(27, 30), (33, 30)]),
    ])  # fmt: skip
    assert not caught(b)
    b = between(sheet=MILITIA)
    reds = named(b, "Reds")
    assert find_crossfire(b, reds, named(b, "Blues")) is not None


@rule("epica.crossfire.friend_line_of_fire", check=(1, 2, 3))
def test_the_far_end_needs_to_see_the_target_but_no_weapon() -> None:
    assert not caught(between(terrain=[area("building", 20, 38, 20, 4, 6)]))
    assert caught(between(sheet=MILITIA))


@rule("epica.crossfire.line", check=2)
@rule("epica.crossfire.excluded", check=(1, 2))
@rule("epica.broken.limits", check=2)
def test_broken_and_marching_formations_make_no_crossfire() -> None:
    assert not caught(between(broken=True))
    assert not caught(between(action="march"))
    assert caught(between(action="double"))


@rule("epica.action.march", check=3)
@rule("epica.crossfire.excluded", check=2)
@pytest.mark.parametrize(("action", "moves", "crossfire"), [("march", 3, False), ("advance", 1, True)])
def test_whoever_has_marched_makes_no_crossfire_for_the_rest_of_the_turn(
    action: str, moves: int, crossfire: bool
) -> None:
    b = situation(
        [
            formation("Friends", "red", at=[(30, 50)]),
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Blues", "blue", at=[(27, 30), (33, 30)]),
        ]
    )
    act(b, "Friends", action)
    stay(b, *["move"] * moves)
    pass_shoot(b)
    assert caught(b) is crossfire


@rule("epica.crossfire.line", check=4)
@rule("epica.crossfire.several", check=1)
def test_the_line_is_told_by_the_stands_at_its_ends() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, [(60, 10), (57, 10), (30, 10)]),
            formation("Gone", "red", at=[(30, 48)]),
            formation("Friends", "red", at=[(60, 50), (30, 50), (33, 50)]),
            formation("Blues", "blue", at=[(27, 30), (33, 30)]),
        ]
    )
    destroy(b, "Gone")
    found = find_crossfire(b, named(b, "Reds"), named(b, "Blues"))
    assert found == (stand(b, "Reds", 3), stand(b, "Friends", 2))


def shot(b: EpicBattle) -> None:
    act(b, "Reds", "sustained")
    shoot_at(b, "Blues")
    fire(b)


@rule("epica.crossfire.save", check=(1, 3))
def test_saves_are_one_worse_in_a_crossfire() -> None:
    b = between(dice={"hit": [6], "save": [5]})
    shot(b)
    assert alive(b, "Blues") == 1
    b = between((10, 50), dice={"hit": [6], "save": [5]})
    shot(b)
    assert alive(b, "Blues") == 2
    b = between(dice={"hit": [6]}, armour=6)
    shot(b)
    assert alive(b, "Blues") == 1
    assert rolls(b, "save") == []


@rule("epica.crossfire.save", check=2)
def test_cover_saves_suffer_too() -> None:
    ruins = [area("ruins", 22, 27, 16, 6)]
    for face, left_over in ((4, 1), (5, 2)):
        b = between(dice={"hit": [6], "save": [face]}, terrain=ruins)
        shot(b)
        assert alive(b, "Blues") == left_over


@rule("epica.crossfire.save", check=4)
@rule("epica.terrain.fortification", check=(2, 3))
@rule("epica.crossfire.marker", check=3)
def test_fortifications_cancel_the_save_modifier_but_not_the_marker() -> None:
    walls = [area("fortification", 20, 27, 20, 6)]
    b = between(dice={"hit": [6], "save": [3]}, terrain=walls)
    shot(b)
    assert alive(b, "Blues") == 2
    b = between(target=row(6, 22, 30), dice={"hit": [6], "save": [2]}, terrain=walls)
    shot(b)
    assert named(b, "Blues").markers == 3


@rule("epica.crossfire.marker", check=1)
def test_without_a_loss_there_is_no_extra_marker() -> None:
    b = between(target=row(4, 25, 30), dice={"hit": [1]})
    shot(b)
    assert named(b, "Blues").markers == 1


@rule("epica.crossfire.marker", check=1)
def test_without_a_loss_a_broken_formation_in_a_crossfire_pays_one_unit_only() -> None:
    b = between(target=row(4, 25, 30), dice={"hit": [1]})
    b.set_unit(named(b, "Blues"), broken=True)
    shot(b)
    assert alive(b, "Blues") == 3


@rule("epica.shoot.procedure", check=1)
@rule("epica.crossfire.marker", check=(1, 2))
@rule("epica.crossfire.save", check=3)
@pytest.mark.parametrize(
    ("far", "hit", "save", "markers", "lost"),
    [
        ((30, 50), 6, [5], [1, 2], 1),
        ((30, 50), 1, [], [1], 0),
        ((10, 50), 6, [5], [1], 0),
        ((10, 50), 6, [4], [1, 1], 1),
    ],
)
def test_an_attack_says_whether_it_is_a_crossfire_and_counts_it(
    far: tuple[float, float], hit: int, save: list[int], markers: list[int], lost: int
) -> None:
    b = between(far, target=row(6, 22, 30), dice={"hit": [hit], "save": save})
    crossfire = caught(b)
    shot(b)
    (told_of,) = [e for e in b.events if isinstance(e, Told) and e.kind == "shooting"]
    ends = [stand(b, "Reds", 1), stand(b, "Friends", 1)]
    assert told_of.text == f"Reds shoot at Blues{', who are caught in a crossfire' * crossfire}."
    assert told_of.rules == ("epica.shoot.procedure", *["epica.crossfire.line"] * crossfire)
    assert told_of.data["crossfire"] == ends * crossfire
    assert [e.data["count"] for e in b.events if isinstance(e, Told) and e.kind == "markers"] == markers
    assert 6 - alive(b, "Blues") == lost


@rule("epica.crossfire.marker", check=2)
@rule("epica.shoot.break_check", check=2)
def test_three_losses_in_a_crossfire_give_five_markers_and_break_the_warband() -> None:
    b = situation(
        [
            formation("Raiders", "red", {**TANK, "weapons": ["Twin Heavy Bolter 30cm AP4+"]}, row(3, 27, 10)),
            formation("Friends", "red", at=[(30, 45)], acted=True),
            formation("Warband", "blue", {**TROOPS, "armour": 6}, row(8, 20, 30)),
        ],
        dice={"hit": [3, 3, 3]},
    )
    act(b, "Raiders", "sustained")
    shoot_at(b, "Warband")
    fire(b)
    assert alive(b, "Warband") == 5
    assert named(b, "Warband").broken
    counts = [e.data["count"] for e in b.events if getattr(e, "kind", "") == "markers"]
    assert sum(counts) == 5


@rule("epica.crossfire.several", check=1)
def test_each_of_two_formations_may_claim_the_crossfire() -> None:
    b = situation(
        [
            formation("Reds", "red", TANK, [(30, 10)]),
            formation("Friends", "red", TANK, [(30, 50)]),
            formation("Blues", "blue", MILITIA, row(9, 18, 30)),
        ],
        dice={"hit": [6, 6]},
    )
    act(b, "Reds", "sustained")
    shoot_at(b, "Blues")
    fire(b)
    assert named(b, "Blues").markers == 3
    act(b, "Friends", "sustained")
    shoot_at(b, "Blues")
    fire(b)
    assert named(b, "Blues").markers == 6


@rule("epica.broken.markers_become_hits", check=5)
def test_the_crossfire_marker_is_a_hit_on_a_broken_formation() -> None:
    b = between(target=row(8, 19, 30), dice={"hit": [6], "save": [1]})
    b.set_unit(named(b, "Blues"), broken=True)
    shot(b)
    assert alive(b, "Blues") == 4


@rule("epica.crossfire.not_in_assault", check=2)
def test_overwatch_fire_at_chargers_may_claim_a_crossfire_and_their_assault_may_not() -> None:
    b = situation(
        [
            formation("Reds", "red", {**TROOPS, "armour": 6}, row(5, 20, 30)),
            formation("Watch", "blue", at=row(4, 20, 48), overwatch=True),
            formation("Behind", "blue", at=row(2, 25, 12), acted=True),
        ],
        dice={"hit": [6, 1, 1, 1], "firefight": [1] * 4 + [6, 1, 1, 1], "save": [6], "result": [6, 6, 1, 1]},
    )
    act(b, "Reds", "engage")
    give(b, "engage", "Watch")
    give(b, "charge", {"by": [0, 3]})
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert (alive(b, "Reds"), named(b, "Reds").markers, rolls(b, "save")) == (4, 3, [])
    stay(b, "counter-charge")
    settle(b)
    assert (alive(b, "Reds"), rolls(b, "save")) == (4, [(6,)])
