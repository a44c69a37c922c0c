"""What models run into on their ways: together, one by one, through the air; and what their player is told."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Leg, Moves, Path
from sandtable.kit.cites import BACK_AGAIN, FRIEND, Cites, cite
from sandtable.kit.moving import after
from sandtable.kit.passage import Passage as Passage8
from sandtable.kit.sweeps import TOO_FAR, across_enemies, check_lengths, check_stop, check_ways
from sandtable.systems.w40k10.moving_models import Passage as Passage10
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from sandtable.table.moves import Code, obstacles
from sandtable.table.zones import Ball, Zone
from w40k8 import table as table8
from w40k10.table import TANK, TROOPER, named, row, situation, unit

SMALL_TANK = {**TANK, "base": "25.4mm"}
CITES = Cites(
    {
        TOO_FAR: cite("{who}: {far} of {limit}, {over} too far.", "toy.far"),
        Code.EDGE: cite("{who}: off by {by}.", "toy.edge").but(BACK_AGAIN, "{who}: off.", "toy.edge"),
        Code.MODEL: cite("{who}: {other}.", "toy.enemy").but(FRIEND, "{who}: friends of {other}.", "toy.friend"),
        Code.ZONE: cite("{who}: {zone} of {other}.", "toy.zone").but("charge", "", "toy.charge"),
        Code.END_MODEL: cite("{who}: on {other} by {overlap}.", "toy.on"),
        Code.END_ZONE: cite("{who}: {gap} of {zone} from {other}.", "toy.near"),
        Code.END_SOLID: cite("{who}: in {thing}.", "toy.in"),
    },
    lambda w, models: " ".join(str(m) for m in models),
)


def go(model: int, *points: tuple[float, float]) -> Path:
    return Path(model, tuple(Leg("go", steps(x), steps(y), 0, 0) for x, y in points))


def told(b: Any, way: Any, *paths: Path) -> list[str]:
    """The sentences about some paths."""
    moves = Moves(way.move, paths)
    return [reason.text for reason in check_ways(b, way, moves, after(b, moves), CITES).reasons]


def three(sheet: dict[str, Any] = TROOPER, *others: Any) -> Battle10:
    """Models 0, 1 and 2 in a row from (10, 10) on."""
    reds = unit("Reds", "red", sheet, row(3, (10, 10)))
    return situation([reds, *others, unit("Blues", "blue", TROOPER, [(20, 20)])])


def test_lengths_are_held_against_limits_with_half_a_step_to_spare() -> None:
    b, way = three(), Passage10(0, "normal")
    assert check_lengths(b, way, Moves("normal", (go(0, (10, 16)),)), lambda m: steps(6), CITES)
    refused = check_lengths(b, way, Moves("normal", (go(0, (10, 16)), go(1, (11.5, 16.5)))), lambda m: steps(6), CITES)
    assert str(refused) == '1: 6.50" of 6.00", 0.50" too far. [toy.far]'
    assert refused.reasons[0].facts == {"far": 6.5, "limit": 6.0}


def test_each_thing_in_the_way_is_one_sentence_for_all_whom_it_stops() -> None:
    b, way = three(), Passage10(0, "normal")
    off = [go(0, (10, -5)), go(1, (11.5, -4.5), (11.5, 5)), go(2, (13, -5))]
    assert told(b, way, *off[:1]) == ['0: off by 5.50".']
    assert told(b, way, off[1]) == ["1: off."]
    assert told(b, way, off[0], off[2]) == ['0 2: off by 5.50".']


def test_friends_and_enemies_and_kinds_of_move_are_told_apart() -> None:
    b = three(SMALL_TANK, unit("Wagon", "red", SMALL_TANK, [(10, 13)]), unit("Grots", "blue", TROOPER, [(13, 13)]))
    assert told(b, Passage10(0, "normal"), go(0, (10, 16))) == ["0: friends of Wagon."]
    assert told(b, Passage10(0, "normal"), go(2, (13, 16))) == ["2: Grots."]
    grots = named(b, "Grots").id
    (reason,) = check_ways(
        b,
        way := Passage10(0, "charge", (grots,)),
        moves := Moves("charge", (go(1, (11.5, 16)),)),
        after(b, moves),
        CITES,
    ).reasons
    assert (way.move, reason.text, reason.rules) == ("charge", '1: 1.00" of Grots.', ("toy.charge",))


@pytest.mark.parametrize(("order", "free"), [((0, 1), False), ((1, 0), True)])
def test_who_is_in_each_others_way_goes_in_the_order_of_the_answer(order: tuple[int, ...], free: bool) -> None:
    paths = {0: go(0, (11.5, 10)), 1: go(1, (11.5, 14))}
    answer = [paths[m] for m in order]
    assert (told(three(SMALL_TANK), Passage10(0, "normal"), *answer) == []) == free
    assert told(three(TROOPER), Passage10(0, "normal"), *answer) == [], "nobody else is in a comrade's way"
    foes = table8.unit("Blues", "blue", table8.TROOPER, [(20, 20)])
    b = table8.situation(
        [table8.unit("Reds", "red", table8.TROOPER, [(10, 10), (11.5, 10)]), foes], step="charge_phase"
    )
    assert (told(b, Passage8(0, "charge"), *answer) == []) == free, "here everybody is"


def test_who_stays_is_judged_only_where_the_move_concerns_all() -> None:
    b = three(TROOPER, unit("Grots", "blue", TROOPER, [(10, 8.2)]))
    grots = named(b, "Grots").id
    for sheet in (TROOPER, SMALL_TANK):
        b = three(sheet, unit("Grots", "blue", TROOPER, [(10, 8.2)]))
        assert told(b, Passage10(0, "fall_back", (grots,)), go(2, (13, 11))) == ['0: 0.80" of 1.00" from Grots.']
        assert told(b, Passage10(0, "normal", (grots,)), go(2, (13, 11))) == []


def test_models_of_a_unit_end_on_no_comrade() -> None:
    b, way = three(), Passage10(0, "normal")
    assert told(b, way, go(0, (11.25, 10))) == ['0: on Reds by 0.75".']


@pytest.mark.parametrize(
    ("zone", "says"),
    [(Zone(steps(3), steps(5)), '0: 2.00" of 3.00" from Blues.'), (Ball(steps(3)), '0: 2.00" of 3.00" from Blues.')],
)
def test_a_place_to_stop_is_measured_flat_or_in_space(zone: Zone | Ball, says: str) -> None:
    b = three()
    moves = Moves("normal", (go(0, (17, 20)),))
    blocks = obstacles(4, b.terrain, end_zone=zone, end_zoned=[0, 0, 0, 1])
    verdict = check_stop(b, 0, "normal", 0, after(b, moves), blocks, CITES)
    assert [reason.text for reason in verdict.reasons] == ['0: 2.00" of 3.00" from Blues.']
    assert check_stop(b, 0, "normal", 1, after(b, moves), blocks, CITES)


def test_only_those_cross_enemies_whose_path_leads_over_one() -> None:
    b = three(TROOPER, unit("Grots", "blue", TROOPER, [(10, 12)]))
    paths = (go(0, (10, 14)), go(1, (11.5, 14)), go(2, (11.5, 12), (8.5, 12), (8.5, 15)))
    assert across_enemies(b, Passage10(0, "fall_back"), Moves("fall_back", paths)) == [0, 2]
    assert across_enemies(b, Passage10(0, "fall_back", crossing=(0,)), Moves("fall_back", paths)) == [2]
