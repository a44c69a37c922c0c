"""Which models go first when nobody says otherwise."""

from __future__ import annotations

from typing import Any

from sandtable.forty.casualties import casualty_order
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
