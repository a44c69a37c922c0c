"""Charges that are proposed: as many units in contact as the rules and the ground let there be."""

from __future__ import annotations

from epica.assaults import engaging
from epica.table import area, asked, row
from sandtable.battle.decisions import Moves
from sandtable.battle.questions import check
from sandtable.kit.moving import after
from sandtable.systems.epica.closing import into_contact
from sandtable.systems.epica.state import EpicBattle
from sandtable.table.grid import TOUCHING
from sandtable.table.measure import gaps


def charge(b: EpicBattle) -> Moves:
    """The charge that is found; it is legal."""
    decision = asked(b, "charge")
    found = into_contact(b, decision)
    assert found is not None
    assert check(b, decision, found)
    return found


def contacts(b: EpicBattle, moves: Moves) -> list[int]:
    """How many of the Reds touch each of the Blues."""
    reds, blues = b.on_table(b.unit(0)), b.on_table(b.unit(1))
    return [int(n) for n in (gaps(after(b, moves), b.shapes, reds, blues) <= TOUCHING).sum(axis=0)]


def test_each_unit_goes_straight_at_its_own_enemy() -> None:
    b = engaging(row(3, 20, 30), row(3, 20, 42))
    assert sorted(contacts(b, charge(b))) == [1, 1, 1]


def test_no_more_than_two_go_for_one_enemy() -> None:
    b = engaging(row(4, 20, 30), [(24, 40)])
    assert contacts(b, charge(b)) == [2]


def test_a_charge_goes_around_what_it_may_not_enter() -> None:
    b = engaging([(20, 30)], [(20, 40)], terrain=[area("cliff", 18.5, 34, 3, 2)])
    found = charge(b)
    assert contacts(b, found) == [1]
    assert len(found.paths[0].legs) > 1


def test_a_charge_finds_the_side_of_an_enemy_that_is_open() -> None:
    # Straight ahead a cliff stands right before the enemy.
    b = engaging([(20, 30)], [(20, 40)], terrain=[area("cliff", 19, 37.5, 2, 1)])
    assert contacts(b, charge(b)) == [1]


def test_who_can_reach_nobody_makes_no_charge() -> None:
    b = engaging([(20, 30)], [(20, 60)])
    assert into_contact(b, asked(b, "charge")) is None
