"""Overwatch."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    MILITIA,
    TANK,
    act,
    alive,
    asked,
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
    stay,
    told,
)
from sandtable.battle import questions
from sandtable.players import StandingOrders, default_orders, read_orders
from sandtable.systems.epica.actions import may_activate
from sandtable.systems.epica.cover import cover_save
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


@rule("epica.overwatch.next_turn", check=(2, 3))
@rule("epica.action.once", check=3)
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
        dice={"hit": [1] * 4, "rally": [6], "strategy": [6, 1]},
        active="blue",
        turns=2,
    )
    act(b, "Watch", "overwatch")
    act(b, "Reds", "advance")
    stay(b, "move")
    give(b, OW, "Overwatch: Watch")
    fire(b)
    assert (named(b, "Watch").action, named(b, "Watch").acted) == ("overwatch", True)
    give(b, "shoot-at", None)
    give(b, "first", "blue")
    assert asked(b, "action").unit == named(b, "Watch").id


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


# --- When players are asked ------------------------------------------------------------------------------------------


class Asks:
    """Says that it was asked."""

    def choose(self, view: Any, decision: Any) -> Any:
        return "asked"


def by_usual_orders(b: EpicBattle, orders: Any = None) -> Any:
    """What the usual orders, or others, answer when the Reds have moved."""
    act(b, "Reds", "advance")
    stay(b, "move")
    return StandingOrders(orders or default_orders(b.system), Asks()).choose(b.view(1), asked(b, OW))


def test_players_are_asked_about_overwatch_where_it_is_worth_firing() -> None:
    """Four guns hit infantry 26 cm off on 5+, against saves of 5+: 49 % of them are missed by all; militia has none."""
    b = watched()
    assert by_usual_orders(b) == "asked"
    assert questions.matters(b, asked(b, OW), None) == ("infantry within 30 cm",)
    far = situation(
        [
            formation("Reds", "red", TANK, row(6, 20, 20)),
            formation("Watch", "blue", at=row(1, 20, 48), overwatch=True, acted=True),
        ]
    )
    assert by_usual_orders(far) is None
    assert questions.matters(far, asked(far, OW), None) == ()
    assert (questions.odds(far, asked(far, OW), "Overwatch/1") or 1) < 0.5


@pytest.mark.parametrize(
    ("what", "answer"), [("infantry*", "asked"), ("*within 30 cm", "asked"), ("* vehicle *", None), ("*15 cm", None)]
)
def test_orders_arm_overwatch_by_kind_of_target_and_range(what: str, answer: Any) -> None:
    text = f"orders: [{{for: react.move_completed, do: ask, if: ['{what}'], else: pass}}]"
    assert by_usual_orders(watched(), read_orders(text, "orders")) == answer
