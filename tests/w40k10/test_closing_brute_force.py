"""No short stop is accepted where contact was possible, and no move is called impossible that is possible.

`make closing` holds the search against the brute force in a thousand layouts; here it is the first sixty, and some
that were judged wrongly once.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from sandtable.battle import Moves
from sandtable.kit.closing.contact import near
from sandtable.kit.moving import after
from sandtable.systems.w40k10.charge_move import find_charge
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import STEP, steps
from w40k10.charging import meets_conditions, possible_charge
from w40k10.closing_layouts import CHARGE, Layout, Scene, findings, layout, layouts, rough_layout
from w40k10.closing_planted import planted
from w40k10.table import TROOPER, asked, give, judge, kinds, named, refused_by, row, situation, told, unit

BARE: dict[str, Any] = {**TROOPER, "weapons": []}


@pytest.mark.parametrize("first", range(0, 60, 6))
def test_a_brute_force_finds_no_short_stop_and_no_charge_that_was_overlooked(first: int) -> None:
    for small in islice(layouts(first), 6):
        assert findings(small) == [], f"layout {small.number}"


@pytest.mark.parametrize("number", [108, 184, 245, 247, 280, 486, 492, 531, 740])
def test_layouts_that_took_a_closer_look(number: int) -> None:
    """Ways around things, two targets, several models that follow: each was overlooked by some bound of the search."""
    assert findings(layout(number)) == []


@pytest.mark.parametrize("first", range(0, 24, 4))
def test_a_brute_force_finds_nothing_that_was_overlooked_on_rough_ground(first: int) -> None:
    """Four kinds of charges: over a hill of 3", up or down one, across a barricade, and of flyers around a wall."""
    for number in range(first, first + 4):
        assert findings(rough_layout(number)) == [], f"rough layout {number}"


@pytest.mark.parametrize("number", [28])
def test_rough_layouts_that_took_a_closer_look(number: int) -> None:
    assert findings(rough_layout(number)) == []


def test_the_brute_force_sees_a_stop_that_is_too_short() -> None:
    small = Layout(
        0, CHARGE, (unit("Reds", "red", BARE, [(10, 10)]), unit("Blues", "blue", BARE, [(15, 10)])), (), 5, ("Blues",)
    )
    scene = Scene(small.open(), small)
    short = next(m for m in scene.short_stops(Random(1), 8) if not scene.touching(0, scene._end({0: m.paths[0]}, 0)))
    assert scene.conditions(short)
    assert scene.contact(short, Random(1)) is not None


# --- Rulings that a judge would have overturned -----------------------------------------------------------------------


def beside_a_friend() -> Battle10:
    """A charge with a friend beside its way, who leaves room for contact only further along the enemy's base."""
    b = situation(
        [
            unit("Reds", "red", BARE, [(20, 20)]),
            unit("Blues", "blue", BARE, [(26.5, 20)]),
            unit("Friends", "red", BARE, [(24.51, 21.91)]),
        ],
        step="charge_phase",
        dice={"charge": [3, 4]},
    )
    give(b, "charge_with", "Reds")
    return b


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_a_stop_beside_the_enemy_is_refused_where_a_place_further_along_its_base_is_free() -> None:
    b = beside_a_friend()
    verdict = refused_by(b, "charge_move", {"mode": "charge", "to": [[25.37, 18.87]]}, "w40k10.charge.base_contact")
    assert isinstance(verdict.instead, Moves)
    assert meets_conditions(b, named(b, "Reds"), [named(b, "Blues")], steps(7), verdict.instead)
    assert judge(b, "charge_move", {"mode": "charge", "to": [[25.793, 19.293]]})


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_a_model_that_stays_behind_although_it_could_touch_is_refused_too() -> None:
    b = situation(
        [unit("Reds", "red", BARE, [(20, 20), (20, 21.5)]), unit("Blues", "blue", BARE, [(23, 20), (23, 21.5)])],
        step="charge_phase",
        dice={"charge": [1, 1]},
    )
    give(b, "charge_with", "Reds")
    refused_by(b, "charge_move", {"mode": "charge", "paths": {1: [[22, 20]]}}, "w40k10.charge.base_contact")
    give(b, "charge_move", {"mode": "charge", "to": [[22, 20], [22, 21.5]]})
    assert "charged" in told(b)


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_two_that_stop_short_together_are_refused_although_either_alone_would_break_coherency() -> None:
    b = situation(
        [unit("Reds", "red", BARE, [(20, 20), (20, 23)]), unit("Blues", "blue", BARE, [(25, 20), (25, 23)])],
        step="charge_phase",
        dice={"charge": [2, 2]},
    )
    give(b, "charge_with", "Reds")
    short = {"mode": "charge", "to": [[23.1, 20], [23.1, 23]]}
    verdict = refused_by(b, "charge_move", short, "w40k10.charge.base_contact")
    assert isinstance(verdict.instead, Moves)
    assert meets_conditions(b, named(b, "Reds"), [named(b, "Blues")], steps(4), verdict.instead)


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_charge_in_a_chain_is_found_where_only_one_can_reach() -> None:
    """Five models in a row: the first reaches the enemy, and each of the others has to keep up with the one before."""
    reds = [(20.0 - 2.9 * i, 20.0) for i in range(5)]
    b = situation(
        [unit("Reds", "red", BARE, reds), unit("Blues", "blue", BARE, [(26.9, 20)])],
        step="charge_phase",
        dice={"charge": [2, 3]},
    )
    give(b, "charge_with", "Reds")
    assert kinds(b) == ["charge_move"]
    found = find_charge(b, named(b, "Reds"), [named(b, "Blues")], steps(5))
    assert found is not None
    refused = refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert refused.instead == found


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_charge_at_two_targets_is_found_where_each_leader_needs_two_beside_it() -> None:
    """Seven models from one target to the other: one alone between the leaders would leave these a neighbour short."""
    blues = [unit("Blues", "blue", BARE, [(10, 20)]), unit("Others", "blue", BARE, [(18, 20)])]
    b = situation([unit("Reds", "red", BARE, row(7, (10, 12))), *blues], step="charge_phase", dice={"charge": [3, 4]})
    give(b, "charge_with", "Reds")
    give(b, "charge_targets", ["Blues", "Others"])
    found = find_charge(b, named(b, "Reds"), [named(b, "Blues"), named(b, "Others")], steps(7))
    refused = refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert found is not None
    assert refused.instead == found


@pytest.mark.rule("w40k10.charge.move", check=3)
@pytest.mark.parametrize("number", [8, 21, 33, 34, 47, 64, 78, 83, 94, 101, 106, 130, 133, 148])
def test_a_charge_of_many_at_several_targets_is_found(number: int) -> None:
    """Chains from target to target, leaders who alone reach theirs, neighbours for everybody: each was overlooked."""
    large = planted(number)
    found = possible_charge(large.battle, large.unit, large.targets, large.far)
    assert found is not None
    assert meets_conditions(large.battle, large.unit, large.targets, large.far, found)


def seven_at_two() -> Battle10:
    """Seven models between two targets that stand 9.6" apart: those who touch need a chain of the others."""
    reds = [(10, 8), (10, 9.2), (10, 10.4), (10, 11.6), (11.2, 8.6), (11.2, 9.8), (11.2, 11)]
    blues = [unit("Blues", "blue", BARE, [(16, 5)]), unit("Others", "blue", BARE, [(16, 14.6)])]
    b = situation([unit("Reds", "red", BARE, reds), *blues], step="charge_phase", dice={"charge": [3, 4]})
    give(b, "charge_with", "Reds")
    give(b, "charge_targets", ["Blues", "Others"])
    return b


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_a_charge_of_seven_in_which_nobody_touches_is_refused_with_the_model_that_could_and_its_place() -> None:
    b = seven_at_two()
    apart = [[13.794, 9.131], [12.013, 8.013], None, [11.638, 12.312], [14.401, 6.2], [12.362, 11.202], [14.401, 13.4]]
    refusal = refused_by(b, "charge_move", {"mode": "charge", "to": apart}, "w40k10.charge.base_contact")
    assert isinstance(refusal.instead, Moves)
    targets = [named(b, "Blues"), named(b, "Others")]
    assert meets_conditions(b, named(b, "Reds"), targets, steps(7), refusal.instead)
    ends = {p.model: p.legs[-1] for p in refusal.instead.paths}
    named_so = [
        f"Trooper {m + 1} can end in base contact with {t}, at {e.x / STEP:.2f}, {e.y / STEP:.2f}"
        for m, e in ends.items()
        for t in ("Blues", "Others")
    ]
    assert sum(text in str(refusal) for text in named_so) == 1


def test_the_default_brings_into_contact_whoever_can_be() -> None:
    b = seven_at_two()
    best = b.default(asked(b, "charge_move"))
    assert in_contact(b, best, ["Blues", "Others"]) >= 4
    three = [unit("Reds", "red", BARE, [(10, 8), (10, 10), (10, 12)])]
    blues = [unit("Blues", "blue", BARE, [(16, 6.5)]), unit("Others", "blue", BARE, [(16, 13.5)])]
    small = situation([*three, *blues], step="charge_phase", dice={"charge": [3, 4]})
    give(small, "charge_with", "Reds")
    give(small, "charge_targets", ["Blues", "Others"])
    assert in_contact(small, small.default(asked(small, "charge_move")), ["Blues", "Others"]) == 2


def in_contact(b: Battle10, moves: Moves, targets: list[str]) -> int:
    """How many Reds touch one of the targets after a move."""
    theirs = np.concatenate([b.on_table(named(b, t)) for t in targets])
    return int(near(b, after(b, moves), b.on_table(named(b, "Reds")), theirs).sum())
