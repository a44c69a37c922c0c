"""What Epic brings to the table as data: phases and their rules, cards, badges, the score, orders, what tests need."""

from __future__ import annotations

import pytest

from epica.table import (
    TANK,
    TROOPS,
    act,
    asked,
    destroy,
    formation,
    give,
    kinds,
    named,
    pass_all,
    row,
    situation,
    stay,
    versus,
)
from sandtable.battle.cards import Card
from sandtable.battle.events import Told
from sandtable.battle.vocabulary import vocabulary
from sandtable.page import wording
from sandtable.players.standing import DEFAULT_ORDERS, default_orders
from sandtable.rules.ledger import load
from sandtable.server.score import Score
from sandtable.server.surveys import of_phase
from sandtable.systems.epica.phases import ACTION, END, STRATEGY
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.system import SYSTEM


def two(step: str = "take_action", turns: int = 1, **flags: object) -> EpicBattle:
    """Three stands a side, far apart."""
    return situation(
        [formation("Reds", "red", at=row(3, 10, 10), **flags), formation("Blues", "blue", at=row(3, 10, 80))],
        step=step,
        turns=turns,
        dice={"strategy": [4, 2] * 2, "rally": [1]},
    )


def card(b: EpicBattle, name: str) -> Card:
    assert SYSTEM.card is not None
    return SYSTEM.card(b, named(b, name))


def score(b: EpicBattle) -> list[str]:
    assert SYSTEM.score is not None
    return list(SYSTEM.score(b))


# --- Phases ----------------------------------------------------------------------------------------------------------


def phases(b: EpicBattle) -> list[str]:
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "phase"]


def test_a_turn_tells_its_three_phases() -> None:
    b = two("strategy_roll")
    assert (b.state.game.phase, kinds(b)) == (STRATEGY, ["first"])
    give(b, "first", "red")
    assert b.state.game.phase == ACTION
    pass_all(b)
    assert phases(b) == ["Strategy phase.", "Action phase.", "End phase."]


@pytest.mark.parametrize(("step", "phase"), [("take_action", ACTION), ("rally", END)])
def test_a_scenario_that_begins_in_a_step_begins_in_its_phase(step: str, phase: str) -> None:
    assert two(step, markers=1).state.game.phase == phase


@pytest.mark.parametrize(("phase", "rule"), [(STRATEGY, "strategy.tie"), (ACTION, "action.hold"), (END, "rally.fail")])
def test_every_phase_has_a_quick_reference(phase: str, rule: str) -> None:
    assert f"epica.{rule}" in [found.id for found in of_phase(SYSTEM, phase)]


def test_the_rules_of_what_is_asked_come_before_those_of_the_phase() -> None:
    found = [rule.id for rule in of_phase(SYSTEM, ACTION, "counter-charge")]
    assert found[0].startswith("epica.assault.counter_charge")
    assert "epica.action.alternate" in found


def test_a_heading_has_no_rules_of_one_that_only_begins_with_its_number() -> None:
    assert not [found for found in of_phase(SYSTEM, "", "react.move_completed") if not found.where.startswith("1.10")]


def test_every_heading_is_one_of_the_book_and_every_question_one_that_is_asked() -> None:
    places = [found.where for found in load("epica").values()]
    headings = {h for found in (*SYSTEM.headings.values(), *SYSTEM.asked_under.values()) for h in found}
    assert not [h for h in headings if not any(place.startswith(h) for place in places)]
    words = vocabulary(SYSTEM)
    assert set(SYSTEM.asked_under) <= {*(q.kind for q in words.questions), *words.reactions}


# --- Moves cite their rules


def test_a_move_is_told_with_the_rule_that_it_is_made_by() -> None:
    b = two()
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 5]})
    (moved,) = [e for e in b.events if isinstance(e, Told) and e.kind == "moved"]
    assert moved.rules == ("epica.move.basic",)
    assert moved.text == "Reds move 3 of their 3 units."


def test_where_nobody_moves_it_is_said_that_they_stay() -> None:
    b = two()
    act(b, "Reds", "advance")
    give(b, "move", {"mode": "move"})
    (moved,) = [e for e in b.events if isinstance(e, Told) and e.kind == "moved"]
    assert moved.text == "Reds stay where they are."


# --- Action tests ----------------------------------------------------------------------------------------------------


def notes(b: EpicBattle) -> set[str]:
    return {o.note for o in asked(b, "action").options}  # type: ignore[attr-defined]


def test_an_action_tells_what_its_test_needs() -> None:
    assert notes(two()) == {"2+: 83 %"}


def test_an_action_tells_what_makes_its_test_harder() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 10, 10)),
            formation("More", "red", at=row(3, 50, 10), markers=1),
            formation("Blues", "blue", at=row(3, 10, 80)),
        ]
    )
    act(b, "Reds", "overwatch")
    give(b, "retain", "More")
    assert notes(b) == {"2+, -1 blast markers, -1 retaining: 50 %"}


def test_the_question_for_an_action_tells_what_a_failure_costs() -> None:
    assert "(a failed test costs a blast marker, and leaves only a hold" in asked(two(), "action").prompt
    assert "(a failed test costs a blast marker, which breaks it)" in asked(two(markers=2), "action").prompt


# --- Cards and badges ------------------------------------------------------------------------------------------------


def test_a_card_shows_units_weapons_and_types() -> None:
    heavy = {**TROOPS, "weapons": ["Rifles (15cm) Small Arms", "2 x Heavy Gun 30cm AP5+/AT6+", "Axe (b/c) Assault"]}
    b = situation(
        [
            formation("Reds", "red", TROOPS, row(3, 10, 10), loadout=[TANK, heavy]),
            formation("Blues", "blue", at=row(3, 10, 80)),
        ]
    )
    found = card(b, "Reds")
    assert (found.models[0].count, found.models[0].figures) == (
        1, (("Type", "AV"), ("Speed", "30 cm"), ("Armour", "4+"), ("CC", "6+"), ("FF", "5+")),
    )  # fmt: skip
    assert [(line.count, line.name, *(figure for _, figure in line.figures)) for line in found.weapons] == [
        (1, "Cannon", "45 cm", "AP4+/AT4+"),
        (2, "Rifles", "15 cm", "small arms"),
        (3, "Heavy Gun", "30 cm", "AP5+/AT6+"),
        (1, "Axe", "base contact", "assault"),
    ]
    assert found.keywords == ("armoured vehicle", "infantry")


def test_a_card_tells_what_lies_on_a_formation_and_what_it_did() -> None:
    b = two(markers=2)
    assert card(b, "Reds").status == ("initiative 2+", "3 units", "2 blast markers, breaks at 3", "has not acted yet")
    act(b, "Reds", "march")
    assert "has marched" in card(b, "Reds").status
    destroy(b, "Blues")
    assert card(b, "Blues").status[1:] == ("destroyed",)


def marks(b: EpicBattle, name: str) -> list[tuple[str, str]]:
    return [(mark.text, mark.name) for mark in wording.marks(b, named(b, name))]


def test_badges_tell_markers_overwatch_and_who_has_marched() -> None:
    b = two(markers=1, overwatch=True)
    assert marks(b, "Reds") == [("overwatch", "on overwatch"), ("1 blast", "1 blast marker")]
    act(b, "Reds", "march")
    assert marks(b, "Reds") == [("marched", "marched"), ("1 blast", "1 blast marker")]


# --- The score -------------------------------------------------------------------------------------------------------


def test_the_score_counts_units_in_formations_that_are_not_broken() -> None:
    b = versus(row(2, 30, 30), row(4, 30, 45), broken=True)
    assert score(b)[:3] == [
        "Turn 1 of 1",
        "red: 2 of 2 units standing",
        "blue: 3 of 7 units standing, 1 formation broken",
    ]
    assert [wording.numbers(b, p) for p in b.state.players] == [(("% standing", 100),), (("% standing", 42),)]


def test_the_score_at_the_end_is_that_of_the_result() -> None:
    b = two()
    destroy(b, "Blues")
    pass_all(b)
    assert b.result is not None
    assert [n for p in b.state.players for _, n in wording.numbers(b, p)] == list(b.result.scores) == [100, 0]


def test_the_board_knows_the_score_before_each_turn() -> None:
    b = two(turns=2)
    destroy(b, "Blues")
    pass_all(b)
    assert Score().rounds(b, 0) == [
        [(("% standing", 100),), (("% standing", 100),)],
        [(("% standing", 100),), (("% standing", 0),)],
    ]


# --- Orders ----------------------------------------------------------------------------------------------------------


def test_the_usual_orders_leave_the_battle_to_the_player() -> None:
    orders = default_orders(SYSTEM).orders
    own = [order.kinds for order in orders[: -len(DEFAULT_ORDERS.orders)]]
    assert own == ["suppress", "support", "rally", "react.move_completed"]
    assert {order.kinds for order in orders} <= {*vocabulary_of_orders(), *vocabulary(SYSTEM).reactions}


def vocabulary_of_orders() -> list[str]:
    words = vocabulary(SYSTEM)
    return [*(q.kind for q in words.questions), *(order.kinds for order in DEFAULT_ORDERS.orders)]


def test_who_lies_in_wait_is_told_who_has_moved() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(3, 30, 30)),
            formation("Blues", "blue", at=row(3, 30, 55), overwatch=True),
        ]
    )
    act(b, "Reds", "advance")
    stay(b, "move")
    assert asked(b, "react.move_completed").prompt.startswith("Reds have completed a move")
