"""Reinforcements of 8th edition: units that are set up in mid-battle."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import cites, judge, offered, places, refused_by
from w40k8.table import Doc, Spots, alive, bare, give, gun, kinds, named, rolls, sheet, situation, stand, told, unit

rule = pytest.mark.rule

CANNON = sheet(gun("heavy", name="cannon", range_=48), name="Red")
RED = sheet(name="Red")


def waiting(models: int = 1, doc: Doc | None = None, name: str = "Reds", **flags: Any) -> UnitDoc:
    """A unit that arrives by teleporting."""
    return unit(name, "red", doc or RED, off=models, **{"reserve": "teleport strike", **flags})


def blue(at: Spots | None = None) -> UnitDoc:
    """Their enemies."""
    return unit("Blues", "blue", bare(wounds=9), at or [(30, 10)])


OTHERS = unit("Others", "red", sheet(name="Other"), [(2, 28)])


def arriving(*units: UnitDoc, **settings: Any) -> Battle8:
    """Reds are about to be set up."""
    b = stand(situation(list(units), **{"step": "movement_phase", **settings}))
    give(b, "arrive_with", "Reds")
    return b


def at(*spots: tuple[float, float]) -> list[list[float]]:
    """Where models are set up."""
    return [list(s) for s in spots]


@rule("w40k8.move.reinforce_arrival", check=1)
def test_a_unit_arrives_at_the_time_and_place_of_its_rule() -> None:
    b = arriving(waiting(), OTHERS, blue())
    verdict = refused_by(b, "arrive", at((20, 10)), "w40k8.move.reinforce_arrival")
    assert cites(verdict) == {"w40k8.move.reinforce_arrival"}
    give(b, "arrive", at((19.99, 10)))
    assert places(b, "Reds") == [(19.99, 10, 0)]


@rule("w40k8.move.reinforce_arrival", check=1)
def test_every_model_keeps_away_from_every_enemy() -> None:
    b = arriving(waiting(2), OTHERS, blue(), unit("More", "blue", bare(), [(30, 28)]))
    refused_by(b, "arrive", at((18.5, 10), (20, 10)), "w40k8.move.reinforce_arrival")
    refused_by(b, "arrive", at((20, 28), (18.5, 28)), "w40k8.move.reinforce_arrival")
    assert judge(b, "arrive", at((18.5, 10), (19.99, 10)))


@rule("w40k8.move.reinforce_arrival", check=1)
def test_a_unit_without_a_rule_for_it_does_not_arrive() -> None:
    b = stand(situation([waiting(reserve=""), waiting(name="More"), OTHERS, blue()], step="movement_phase"))
    refused_by(b, "arrive_with", "Reds", "w40k8.move.reinforce_arrival")
    assert offered(b, "arrive_with") == ["More"]


@rule("w40k8.move.reinforce_arrival", check=1)
def test_nobody_arrives_in_the_enemys_turn() -> None:
    b = situation([waiting(), OTHERS, blue()], step="movement_phase", active="blue")
    assert kinds(stand(b)) == []


@rule("w40k8.move.reinforce_arrival", check=2)
def test_units_arrive_after_all_moves() -> None:
    b = situation([waiting(), OTHERS, blue()], step="movement_phase")
    give(b, "move_with", "Others")
    give(b, "move", {"mode": "normal", "to": [[4, 28]]})
    give(b, "arrive_with", "Reds")
    give(b, "arrive", at((10, 10)))
    assert [kind for kind in told(b) if kind in ("moved", "arrived")] == ["moved", "arrived"]


@rule("w40k8.move.reinforce_arrival", check=3)
def test_arriving_units_are_coherent() -> None:
    b = arriving(waiting(3), OTHERS, blue())
    refused_by(b, "arrive", at((10, 10), (13, 10), (16.01, 10)), "w40k8.concept.coherency")
    give(b, "arrive", at((10, 10), (13, 10), (16, 10)))
    assert places(b, "Reds") == [(10, 10, 0), (13, 10, 0), (16, 10, 0)]


@rule("w40k8.move.reinforce_arrival", check=4)
def test_units_arrive_one_by_one_in_any_order() -> None:
    b = stand(situation([waiting(), waiting(name="More"), OTHERS, blue()], step="movement_phase"))
    first = offered(b, "arrive_with")
    give(b, "arrive_with", "More")
    give(b, "arrive", at((10, 10)))
    assert (first, offered(b, "arrive_with")) == (["More", "Reds"], ["Reds"])


@rule("w40k8.gap.board_edge", check=2)
def test_nobody_is_set_up_over_the_edge() -> None:
    b = arriving(waiting(), OTHERS, blue())
    refused_by(b, "arrive", at((0.49, 10)), "w40k8.gap.board_edge")
    assert judge(b, "arrive", at((0.5, 10)))


# --- In its turn of arrival -------------------------------------------------------------------------------------------


@rule("w40k8.move.reinforce_limits", check=1)
def test_who_has_arrived_does_not_move_any_more() -> None:
    reds = unit("Reds", "red", RED, [(10, 10)], arrived=True)
    b = situation([reds, OTHERS, blue()], step="movement_phase")
    refused_by(b, "move_with", "Reds", "w40k8.move.reinforce_limits")
    assert offered(b, "move_with") == ["Others"]


@rule("w40k8.move.reinforce_limits", check=2)
def test_who_has_arrived_may_shoot() -> None:
    reds = unit("Reds", "red", CANNON, [(10, 10)], arrived=True)
    b = situation([reds, OTHERS, blue()], step="movement_phase", dice={"hit": [1]})
    moving = offered(b, "move_with")
    give(stand(b), "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "cannon", "target": "Blues"}])
    assert (moving, rolls(b)) == (["Others"], [("hit", (1,))])


@rule("w40k8.move.reinforce_limits", check=3)
def test_who_has_arrived_may_charge_and_pile_in() -> None:
    reds = unit("Reds", "red", RED, [(20, 10)], arrived=True)
    b = situation([reds, OTHERS, blue()], step="movement_phase", dice={"charge": [4, 5], "hit": [1, 1]})
    moving = offered(b, "move_with")
    give(stand(b), "charge_with", "Reds")
    give(b, "charge_move", {"mode": "charge", "to": [[28.5, 10]]})
    give(b, "pile_in", {"to": [[29, 10]]})
    assert (moving, places(b, "Reds")) == (["Others"], [(29, 10, 0)])


@rule("w40k8.move.reinforce_limits", check=4)
def test_who_has_arrived_manifests_powers() -> None:
    witch = sheet(name="Witch", keywords=["PSYKER"], psyker={"casts": 1, "denies": 1})
    reds = unit("Reds", "red", witch, [(20, 10)], arrived=True)
    dice = {"psychic test": [3, 3], "smite": [1]}
    b = situation([reds, OTHERS, blue()], step="movement_phase", dice=dice)
    moving = offered(b, "move_with")
    give(stand(b), "manifest", "Witch: Smite")
    assert (moving, [kind for kind, _ in rolls(b)]) == (["Others"], ["psychic test", "smite"])


@rule("w40k8.move.reinforce_moved", check=1)
@rule("w40k8.weapon.heavy", check=4)
@pytest.mark.parametrize(("face", "hits"), [(3, 0), (4, 1)])
def test_heavy_weapons_of_arrivals_have_a_penalty(face: int, hits: int) -> None:
    b = arriving(waiting(doc=CANNON), OTHERS, blue(), dice={"hit": [face], "wound": [1]})
    give(b, "arrive", at((10, 10)))
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "cannon", "target": "Blues"}])
    assert rolls(b) == [("hit", (face,)), ("wound", (1,))][: 1 + hits]


@rule("w40k8.move.reinforce_moved", check=2)
def test_arrivals_have_moved_and_not_advanced() -> None:
    b = arriving(waiting(doc=CANNON), OTHERS, blue())
    give(b, "arrive", at((10, 10)))
    assert (named(b, "Reds").moved, kinds(b)) == ("normal", ["shoot_with"])


# --- The end of the battle --------------------------------------------------------------------------------------------


@rule("w40k8.move.reinforce_late", check=1)
def test_who_never_arrives_counts_as_destroyed() -> None:
    b = stand(situation([waiting(2), OTHERS, blue()], step="movement_phase"))
    before = [b.state.models.place[m] for m in named(b, "Reds").models]
    give(b, "arrive_with", None)
    assert GONE not in before
    assert [b.state.models.place[m] for m in named(b, "Reds").models] == [GONE, GONE]
    assert (told(b).count("unarrived"), alive(b, "Others"), alive(b, "Blues")) == (1, 1, 1)


@rule("w40k8.move.reinforce_late", check=3)
def test_passengers_of_a_transport_on_the_table_have_arrived() -> None:
    riders = [
        unit("Riders", "red", RED, off=1, embarked="Others"),
        unit("Late", "red", RED, off=1, embarked="Reds"),
    ]
    car = bare(keywords=["TRANSPORT"], transport={"capacity": 4, "carries": ["INFANTRY"]})
    others = unit("Others", "red", car, [(5, 5)])
    b = stand(situation([others, waiting(doc=car), *riders, blue()], step="movement_phase"))
    give(b, "arrive_with", None)
    gone = {u: [b.state.models.place[m] for m in named(b, u).models] == [GONE] for u in ("Riders", "Late", "Reds")}
    assert gone == {"Riders": False, "Late": True, "Reds": True}


def test_who_would_arrive_too_near_is_told_who_is_how_near_to_whom() -> None:
    b = arriving(waiting(2), OTHERS, blue())
    (reason,) = judge(b, "arrive", at((18.5, 10), (20.5, 10))).reasons
    assert reason.text == 'Reds must be more than 9" from all enemy models: Red 2 would be 8.50" from Blues.'
    assert (reason.facts, reason.models) == ({"unit": 2, "gap": 8.5, "limit": 9.0}, (1,))
