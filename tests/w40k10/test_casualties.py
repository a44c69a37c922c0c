"""Which models go first when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.battle import Choose, Option, questions
from sandtable.forty.casualties import casualty_order
from sandtable.players import StandingOrders, default_orders
from sandtable.systems.w40k10.coherency import coherency_of, in_coherency
from sandtable.systems.w40k10.engagement_range import engaged_enemies
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import HERO, TROOPER, named, row, situation, unit

FAR: Any = unit("Blues", "blue", TROOPER, row(3, (40, 28)))


def order(b: Battle10, name: str = "Reds") -> list[int]:
    """The order of loss, by places in the unit."""
    models = list(named(b, name).models)
    return [models.index(m) for m in casualty_order(b, named(b, name), coherency_of, engaged_enemies)]


def test_a_unit_in_a_row_is_lost_from_its_ends_and_stays_coherent() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(6, (10, 10), (3.0, 0))), FAR])
    models = b.on_table(named(b, "Reds"))
    gone = order(b)
    assert gone[0] in (0, 5)
    for k in range(1, 5):
        left = models[sorted(gone[k:])]
        assert in_coherency(b, b.bodies, left)


def test_who_is_in_range_of_a_marker_is_kept() -> None:
    # The marker lies beyond the left end, within range of the first model alone.
    b = situation([unit("Reds", "red", TROOPER, row(5, (10, 10), (2.0, 0))), FAR], objectives=[(6.5, 10)])
    gone = order(b)
    assert gone[0] == 4
    assert gone[-1] == 0


def test_of_two_the_one_in_range_of_a_marker_is_kept() -> None:
    for marker, first in (((6.5, 10), 1), ((15.5, 10), 0)):
        b = situation([unit("Reds", "red", TROOPER, row(2, (10, 10), (2.0, 0))), FAR], objectives=[marker])
        assert order(b)[0] == first


def test_who_is_in_a_melee_is_kept() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(5, (10, 10), (2.0, 0))),
            unit("Blues", "blue", TROOPER, row(3, (19.9, 10), (1.5, 0))),
        ]
    )
    gone = order(b)
    assert gone[-1] == 4


def test_rather_a_dearer_model_falls_than_a_leader_is_left_alone() -> None:
    # The plain first model joins the Leader to the rest, who have a wound more.
    rest = row(4, (10, 10), (2.5, 0))
    better = [{"models": [2, 3, 4], "sheet": {**TROOPER, "wounds": 3}}]
    led = unit("Hero", "red", HERO, [(7.5, 10)], leads="Reds")
    b = situation([unit("Reds", "red", TROOPER, rest, loadout=better), led, FAR])
    assert order(b)[0] == 3


# --- What speaks against a model that could take an attack ----------------------------------------------------------


def against(b: Battle10, places: Sequence[int], name: str = "Reds") -> list[tuple[str, ...]]:
    """What speaks against each of these models, by their places in the unit, where one of them takes an attack."""
    models = named(b, name).models
    options = tuple(Option(models[k], f"model {k + 1}") for k in places)
    d = Choose(player=0, kind="allocate", prompt="Who?", options=options, unit=named(b, name).id)
    return [questions.matters(b, d, option.value) for option in options]


def test_the_one_who_joins_the_others_costs_coherency() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10), (3.0, 0))), FAR])
    assert against(b, [0, 1, 2]) == [(), ("coherency",), ()]
    assert against(b, [1]) == [()], "there is no choice"


def test_the_only_one_near_a_marker_costs_that() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10), (1.2, 0))), FAR], objectives=[(6.5, 10)])
    assert against(b, [0, 1, 2]) == [("a marker",), (), ()]


def test_a_marker_that_the_rest_still_holds_costs_nothing_unless_an_enemy_is_stronger_then() -> None:
    reds = unit("Reds", "red", TROOPER, row(3, (10, 10), (1.5, 0)))
    assert against(situation([reds, FAR], objectives=[(9, 10)]), [0, 1, 2]) == [(), (), ()]
    b = situation([reds, unit("Blues", "blue", TROOPER, [(5, 10)])], objectives=[(7.9, 10)])
    assert against(b, [0, 1, 2]) == [("a marker",), ("a marker",), ()]


def test_who_keeps_a_marker_from_the_enemy_matters_like_who_holds_it() -> None:
    reds, blues = unit("Reds", "red", TROOPER, row(3, (10, 10), (1.2, 0))), unit("Blues", "blue", TROOPER, [(3, 10)])
    assert against(situation([reds, blues], objectives=[(6.5, 10)]), [0, 1, 2]) == [("a marker",), (), ()]
    two = unit("Blues", "blue", TROOPER, row(2, (3, 10), (0, 1.5)))
    assert against(situation([reds, two], objectives=[(6.5, 10)]), [0, 1, 2]) == [(), (), ()], "it is theirs anyway"


def test_the_last_in_a_melee_costs_that() -> None:
    blues = unit("Blues", "blue", TROOPER, [(15.5, 10)])
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10), (2.0, 0))), blues])
    assert against(b, [0, 2]) == [(), ("a melee",)]


def test_a_character_who_could_take_it_matters_whoever_does() -> None:
    leader = [{"models": [1], "sheet": {**TROOPER, "name": "Boss", "keywords": ["INFANTRY", "CHARACTER"]}}]
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10), (1.5, 0)), loadout=leader), FAR])
    assert against(b, [0, 1]) == [("a character",), ("a character",)]
    assert against(b, [1, 2]) == [(), ()]


def test_the_usual_orders_leave_a_dear_choice_to_the_player_and_make_a_cheap_one() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10), (3.0, 0))), FAR])
    models, reds = named(b, "Reds").models, named(b, "Reds").id
    for first, answer in ((1, "asked"), (0, models[0])):
        options = tuple(Option(models[k], f"model {k + 1}") for k in (first, 2))
        d = Choose(player=0, kind="allocate", prompt="Who?", options=options, unit=reds)
        assert StandingOrders(default_orders(b.system), Asked()).choose(b.view(0), d) == answer


class Asked:
    """Says that it was asked."""

    def choose(self, view: Any, decision: Any) -> Any:
        return "asked"
