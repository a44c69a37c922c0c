"""Transports: room in them, embarking, three ways of getting out, and destroyed ones."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.errors import UserError
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.state import Battle11
from w40k11 import table
from w40k11.arms import last
from w40k11.carriers import AT, BASE, FAR_OFF, HOLD, RHINO, STAY, driven, get_out, inside, is_aboard
from w40k11.table import (
    TROOPER,
    alive,
    asked,
    cites,
    give,
    gun,
    judge,
    kinds,
    named,
    offered,
    places,
    power,
    refused_by,
    rolls,
    row,
    sheet,
    situation,
    told,
    unit,
    until,
    wounds,
)

rule = pytest.mark.rule


def near(
    count: int = 3, doc: Any = TROOPER, others: Any = (), hold: Any = HOLD, at: Any = None, **flags: Any
) -> Battle11:
    """Reds close to their Rhino, selected to move."""
    rhino = unit("Rhino", "red", {**RHINO, "transport": hold}, [AT])
    reds = unit("Reds", "red", doc, at or row(count, (8.5, 15)), **flags)
    b = situation([reds, rhino, FAR_OFF, *others], dice={"advance": [3]})
    give(b, "move_with", "Reds")
    return b


def boarding(*to: tuple[float, float], mode: str = "normal") -> dict[str, Any]:
    return {"mode": mode, "to": [list(p) for p in to], "onto": "Rhino"}


def said(b: Battle11, kind: str, answer: Any) -> set[str]:
    """What is cited against an answer; nothing where it is allowed."""
    verdict = judge(b, kind, answer)
    return set() if verdict else cites(verdict) | {"refused"}


CLOSE = row(3, (8.5, 13))
NO_ROOM, NO_WAY_IN = {"refused", "w40k11.transport.capacity"}, {"refused", "w40k11.transport.embark"}


# --- Room -------------------------------------------------------------------------------------------------------------


@rule("w40k11.transport.capacity", check=1)
def test_who_does_not_fit_in_what_is_left_does_not_embark() -> None:
    def with_aboard(count: int) -> Battle11:
        return near(others=[unit("Friends", "red", TROOPER, off=count, embarked="Rhino")])

    assert [said(with_aboard(n), "move", boarding(*CLOSE)) for n in (3, 4)] == [set(), NO_ROOM]


@rule("w40k11.transport.capacity", check=2)
def test_two_units_share_a_transport() -> None:
    b = near(others=[unit("Friends", "red", TROOPER, off=3, embarked="Rhino")])
    give(b, "move", boarding(*CLOSE))
    assert (is_aboard(b, "Reds"), is_aboard(b, "Friends")) == (True, True)
    more = near(4, others=[unit("Friends", "red", TROOPER, off=3, embarked="Rhino")])
    assert said(more, "move", boarding(*row(4, (8, 13)))) == NO_ROOM


@rule("w40k11.transport.capacity", check=3)
@pytest.mark.parametrize(
    ("keywords", "cited"), [(["INFANTRY"], set()), (["BEAST"], NO_ROOM)], ids=["INFANTRY", "BEAST"]
)
def test_only_kinds_that_are_listed_embark(keywords: list[str], cited: set[str]) -> None:
    b = near(doc={**TROOPER, "keywords": keywords})
    assert said(b, "move", boarding(*CLOSE)) == cited


# --- Embarking --------------------------------------------------------------------------------------------------------


@rule("w40k11.transport.embark", check=1)
def test_a_single_model_beyond_three_inches_stops_it() -> None:
    b = near(2)
    assert said(b, "move", boarding((9, 15), (10.5, 15))) == set()
    assert said(b, "move", boarding((9, 15), (10.5, 15.01))) == NO_WAY_IN


@rule("w40k11.transport.embark", check=1)
def test_nobody_embarks_in_what_is_not_on_the_battlefield() -> None:
    rhino = unit("Rhino", "red", RHINO, off=1, reserve="strategic")
    b = situation([unit("Reds", "red", TROOPER, CLOSE), rhino, FAR_OFF])
    give(b, "move_with", "Reds")
    assert said(b, "move", boarding(*CLOSE)) == NO_WAY_IN


@rule("w40k11.transport.embark", check=2)
def test_who_has_disembarked_this_turn_does_not_embark() -> None:
    b = get_out(inside(count=1), "tactical", [[14, 10]])
    assert said(b, "move", {"mode": "normal", "onto": "Rhino"}) == NO_WAY_IN
    give(b, "move", {"mode": "normal"})
    until(b, "move_with", 1)
    until(b, "move_with", 0)
    give(b, "move_with", "Reds")
    assert said(b, "move", {"mode": "normal", "onto": "Rhino"}) == set()


@rule("w40k11.transport.embark", check=2)
def test_who_has_arrived_this_turn_does_not_embark() -> None:
    late = unit("Reds", "red", TROOPER, off=1, reserve="strategic")
    b = situation([late, unit("Rhino", "red", RHINO, [(20, 7)]), FAR_OFF], round_=2)
    give(b, "move_with", "Reds")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 4]])
    assert (offered(b, "move_with"), alive(b, "Reds")) == (["Rhino"], 1)
    refused_by(b, "move_with", "Reds", "w40k11.movephase.structure")


@rule("w40k11.transport.embark", check=3)
def test_who_remains_stationary_does_not_embark() -> None:
    b = near(at=CLOSE)
    assert said(b, "move", {**STAY, "onto": "Rhino"}) == NO_WAY_IN | {"w40k11.movephase.stationary"}
    assert said(b, "move", {"mode": "normal", "onto": "Rhino"}) == set()


@rule("w40k11.transport.embark", check=5)
def test_who_is_embarked_is_not_on_the_battlefield() -> None:
    b = near()
    give(b, "move", boarding(*CLOSE))
    assert (alive(b, "Reds"), is_aboard(b), told(b)[-1]) == (0, True, "embarked")


# --- Getting out ------------------------------------------------------------------------------------------------------


@rule("w40k11.transport.disembark", check=1)
@pytest.mark.parametrize(
    ("how", "blue", "open_"),
    [
        ("advance", (30, 20), False),
        ("fall_back", (10, 13.5), False),
        ("normal", (30, 20), True),
        ("stationary", (10, 13.5), True),
        ("", (30, 20), True),
    ],
)
def test_nobody_gets_out_of_a_transport_that_advanced_or_fell_back(how: str, blue: Any, open_: bool) -> None:
    b = driven(how, unit("Blues", "blue", TROOPER, [blue]))
    give(b, "move_with", "Reds")
    assert (kinds(b) == ["enter"]) is open_


@rule("w40k11.transport.disembark", check=2)
def test_who_embarked_this_phase_does_not_get_out() -> None:
    b = near(others=[unit("Friends", "red", TROOPER, off=1, embarked="Rhino")])
    give(b, "move", boarding(*CLOSE))
    assert offered(b, "move_with") == ["Friends", "Rhino"]
    refused_by(b, "move_with", "Reds", "w40k11.movephase.structure")
    give(b, "move_with", "Friends")
    assert "Tactical disembark" in offered(b, "enter")


@rule("w40k11.transport.disembark", check=3)
def test_models_are_wholly_within_the_distance() -> None:
    b = inside(count=2)
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    assert said(b, "tactical_disembark", [[14.5, 10], [14, 8]]) == set()
    verdict = refused_by(b, "tactical_disembark", [[14.5127, 10], [14, 8]], "w40k11.transport.disembark")
    assert [reason.facts for reason in verdict.reasons] == [{"model": 0, "distance": 3.013}]


BOXED = [unit(f"Block {k}", "blue", TROOPER, [at]) for k, at in enumerate(
    [(10, 14.1), (10, 5.9), (15, 10), (5, 10), (14.1, 13.1), (5.9, 13.1), (14.1, 6.9), (5.9, 6.9)]
)]  # fmt: skip
"""Enemies all around the Rhino: nobody can be set up unengaged within 3\"."""


@rule("w40k11.transport.disembark", check=4)
def test_the_first_way_out_that_applies_is_the_only_one() -> None:
    def ways(moved: str, *others: Any) -> list[str]:
        b = driven(moved, *others)
        give(b, "move_with", "Reds")
        return [label for label in offered(b, "enter") if label.endswith(" disembark")]

    found = [ways("normal"), ways("stationary"), ways(""), ways("", *BOXED), ways("normal", *BOXED)]
    assert found == [[f"{way} disembark"] for way in ("Rapid", "Tactical", "Tactical", "Combat", "Rapid")]


@rule("w40k11.transport.disembark", check=5)
def test_nobody_makes_a_combat_disembark_while_there_is_room() -> None:
    b = inside(BOXED[0])
    give(b, "move_with", "Reds")
    assert offered(b, "enter") == ["Remain stationary", "Tactical disembark"]
    refused_by(b, "enter", "combat")


@pytest.mark.parametrize(
    ("count", "side", "sentence"),
    [(7, "red", "Rhino has room for 6 models, not 7."), (6, "blue", "Rhino is no friend")],
)
def test_files_with_passengers_that_cannot_be_are_refused(count: int, side: str, sentence: str) -> None:
    riders = unit("Riders", side, TROOPER, off=count, embarked="Rhino")
    with pytest.raises(UserError, match=sentence):
        situation([riders, unit("Rhino", "red", RHINO, [AT]), FAR_OFF])


def test_by_default_nobody_of_a_file_starts_aboard() -> None:
    units = [
        unit("Reds", "red", TROOPER, off=5),
        unit("Rhino", "red", RHINO, off=1),
        unit("Foes", "blue", TROOPER, off=5),
    ]
    b = situation(units, step="declare_transports")
    assert (b.decisions[0].kind, questions.default(b, b.decisions[0])) == ("start_embarked", ())


@rule("w40k11.transport.disembark", check=5)
def test_twelve_models_find_room_all_around_a_transport_that_is_engaged() -> None:
    blues = unit("Blues", "blue", TROOPER, [(13, 8.5), (13, 10), (13, 11.5)])
    larger = {**RHINO, "transport": {**HOLD, "capacity": 12}}
    reds = unit("Reds", "red", sheet(base="32mm"), off=12, embarked="Rhino")
    b = situation([reds, unit("Rhino", "red", larger, [AT]), blues, BASE])
    give(b, "move_with", "Reds")
    assert offered(b, "enter") == ["Remain stationary", "Tactical disembark"]


@rule("w40k11.transport.disembark", check=6)
def test_without_room_for_a_rapid_disembark_the_unit_stays_aboard() -> None:
    b = driven("normal", *BOXED)
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    give(b, "rapid_disembark", None)
    assert (is_aboard(b), rolls(b), named(b, "Reds").moved) == (True, [], "")
    give(b, "move_with", "Reds")
    assert offered(b, "enter") == ["Rapid disembark", "Remain stationary"]


@rule("w40k11.transport.disembark", check=7)
def test_who_got_out_counts_as_set_up_this_turn() -> None:
    heavy = sheet(gun("heavy", attacks="1"), name="Heavy")
    out = get_out(driven("normal", BLUES, count=1, reds=heavy, dice={"hit": [2]}), "rapid", [[14, 10]])
    stood = situation([unit("Reds", "red", heavy, [(14, 10)]), BASE, BLUES], dice={"hit": [2], "wound": [1]})
    for b in (out, stood):
        until(b, "shoot_with")
        give(b, "shoot_with", "Reds")
        give(b, "shoot", [{"weapon": "rifle", "target": "Blues"}])
    assert [last(b)["hits"] for b in (out, stood)] == [0, 1]


BLUES = unit("Blues", "blue", TROOPER, [(20, 10)])


def rapid() -> Battle11:
    """Reds have got out of a Rhino that had moved."""
    return get_out(driven("normal", BLUES, count=1), "rapid", [[14, 10]])


@rule("w40k11.transport.rapid", check=1)
def test_a_rapid_disembark_reaches_three_inches() -> None:
    b = driven("normal", count=1)
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    cited = {"refused", "w40k11.transport.disembark"}
    assert (said(b, "rapid_disembark", [[14.5, 10]]), said(b, "rapid_disembark", [[14.51, 10]])) == (set(), cited)


@rule("w40k11.transport.rapid", check=2)
@rule("w40k11.charge.eligible", check=4)
def test_after_a_rapid_disembark_nobody_charges() -> None:
    late, early = rapid(), get_out(driven("", BLUES, count=1), "tactical", [[14, 10]])
    give(early, "move", {"mode": "normal"})
    for b in (late, early):
        until(b, "charge_with")
    assert [offered(b, "charge_with") for b in (late, early)] == [["Rhino"], ["Reds", "Rhino"]]
    refused_by(late, "charge_with", "Reds", "w40k11.charge.eligible")


@rule("w40k11.transport.rapid", check=3)
def test_after_a_rapid_disembark_the_unit_moves_no_further() -> None:
    b = rapid()
    assert offered(b, "move_with") == ["Base"]
    refused_by(b, "move_with", "Reds", "w40k11.movephase.structure")


@rule("w40k11.transport.rapid", check=4)
def test_passengers_of_who_arrived_keep_to_what_bound_it() -> None:
    def out(at: list[float], blue: tuple[float, float] = (40, 25)) -> set[str]:
        rhino = unit("Rhino", "red", RHINO, off=1, reserve="strategic")
        reds = unit("Reds", "red", TROOPER, off=1, embarked="Rhino")
        b = situation([reds, rhino, unit("Blues", "blue", TROOPER, [blue])], round_=2)
        give(b, "move_with", "Rhino")
        give(b, "enter", "ingress")
        give(b, "arrive", [[20, 3.5]])
        give(b, "move_with", "Reds")
        give(b, "enter", "disembark")
        return said(b, "rapid_disembark", [at])

    cited = {"refused", "w40k11.reserves.ingress"}
    assert (out([20, 5.5]), out([20, 5.6])) == (set(), cited)
    assert (out([23.5, 3.5], (32.5, 3.5)), out([23.5, 3.5], (32.6, 3.5))) == (cited, set())


@rule("w40k11.transport.rapid", check=4)
def test_passengers_of_who_drove_are_not_bound_to_an_edge() -> None:
    b = driven("normal", count=1)
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    assert said(b, "rapid_disembark", [[14, 10]]) == set()


@rule("w40k11.transport.rapid", check=5)
def test_after_a_rapid_disembark_the_unit_shoots() -> None:
    b = rapid()
    until(b, "shoot_with")
    assert offered(b, "shoot_with") == ["Base", "Reds", "Rhino"]
    until(b, "charge_with")
    refused_by(b, "charge_with", "Reds", "w40k11.charge.eligible")


@rule("w40k11.transport.tactical", check=1)
def test_after_a_tactical_disembark_the_unit_moves_at_once() -> None:
    b = get_out(inside(count=1), "tactical", [[14, 10]])
    assert kinds(b) == ["move"]
    refused_by(b, "move", {"mode": "stationary"}, "w40k11.transport.tactical")
    give(b, "move", {"mode": "normal", "to": [[20, 10]]})
    assert (places(b, "Reds"), offered(b, "move_with")) == ([(20, 10, 0)], ["Rhino"])


@rule("w40k11.transport.tactical", check=1)
def test_a_tactical_disembark_reaches_three_inches() -> None:
    b = inside(count=1)
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    cited = {"refused", "w40k11.transport.disembark"}
    assert (said(b, "tactical_disembark", [[14.5, 10]]), said(b, "tactical_disembark", [[14.51, 10]])) == (set(), cited)


@rule("w40k11.transport.tactical", check=2)
def test_after_a_tactical_disembark_the_unit_may_advance() -> None:
    b = get_out(inside(count=1, dice={"advance": [5]}), "tactical", [[14, 10]])
    assert offered(b, "move") == ["Advance", "Normal move", "advance", "normal"]
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance", "to": [[25, 10]]})
    assert places(b, "Reds") == [(25, 10, 0)]


@rule("w40k11.transport.tactical", check=3)
def test_after_a_tactical_disembark_the_unit_may_charge_unless_it_advanced() -> None:
    walked, ran = (get_out(driven("", BLUES, count=1), "tactical", [[14, 10]]) for _ in range(2))
    give(walked, "move", {"mode": "normal"})
    give(ran, "move", {"mode": "advance"})
    give(ran, "complete_move", {"mode": "advance"})
    for b in (walked, ran):
        until(b, "charge_with")
    assert [offered(b, "charge_with") for b in (walked, ran)] == [["Reds", "Rhino"], ["Rhino"]]
    refused_by(ran, "charge_with", "Reds", "w40k11.movephase.advance")


@rule("w40k11.transport.tactical", check=4)
def test_the_transport_moves_afterwards_unless_it_was_selected() -> None:
    def left(how: str) -> list[str]:
        b = get_out(driven(how, count=1), "tactical", [[14, 10]])
        give(b, "move", {"mode": "normal"})
        return offered(b, "move_with")

    assert [left(""), left("stationary")] == [["Base", "Rhino"], ["Base"]]


@rule("w40k11.transport.tactical", check=5)
def test_after_a_tactical_disembark_nobody_remains_stationary() -> None:
    b = get_out(inside(count=1), "tactical", [[14, 10]])
    passenger = offered(b, "move")
    give(b, "move", {"mode": "normal"})
    assert (named(b, "Reds").moved, places(b, "Reds")) == ("normal", [(14, 10, 0)])
    give(b, "move_with", "Rhino")
    assert ["Remain stationary" in labels for labels in (passenger, offered(b, "move"))] == [False, True]


def boxed(count: int = 2, dice: Any = None) -> Battle11:
    """Reds in a Rhino that is surrounded, about to get out; it is engaged with Block 0 alone."""
    blocks = [unit("Block 0", "blue", TROOPER, [(10, 13.5)]), *BOXED[1:]]
    near = unit("Base", "red", TROOPER, [(22, 10)])
    b = inside(*blocks, near, count=count, dice={"hazard": dice or [6] * count})
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    return b


@rule("w40k11.transport.combat", check=1)
def test_each_of_six_models_makes_a_hazard_roll_before_it_is_placed() -> None:
    b = boxed(6)
    assert (rolls(b), kinds(b), alive(b, "Reds")) == ([("hazard", (6,) * 6)], ["combat_disembark"], 0)


@rule("w40k11.transport.combat", check=2)
def test_mortal_wounds_come_before_the_models() -> None:
    b = boxed(2, [1, 2])
    assert (alive(b, "Reds"), len(b.decisions[0].models), named(b, "Reds").embarked) == (0, 1, 1)


@rule("w40k11.setup.conditions", check=1)
@rule("w40k11.transport.combat", check=3)
def test_models_are_placed_engaged_only_with_whom_the_transport_is_engaged_with() -> None:
    b = boxed(1)
    assert said(b, "combat_disembark", [[10, 15.4]]) == set()
    assert said(b, "combat_disembark", [[13.3, 10]]) == {"refused", "w40k11.setup.conditions"}


@rule("w40k11.transport.combat", check=3)
def test_a_combat_disembark_reaches_six_inches() -> None:
    b = boxed(1)
    assert said(b, "combat_disembark", [[10, 17]]) == set()
    assert said(b, "combat_disembark", [[10, 17.01]]) == {"refused", "w40k11.transport.disembark"}


def out_in_combat() -> Battle11:
    b = boxed(1)
    give(b, "combat_disembark", [[10, 15.4]])
    return b


@rule("w40k11.transport.combat", check=4)
def test_after_a_combat_disembark_the_unit_is_battle_shocked() -> None:
    b = out_in_combat()
    assert (named(b, "Reds").battle_shocked, named(b, "Rhino").battle_shocked) == (True, False)


@rule("w40k11.transport.combat", check=5)
@rule("w40k11.charge.eligible", check=4)
def test_after_a_combat_disembark_nobody_charges() -> None:
    b = boxed(1)
    give(b, "combat_disembark", [[10, 17]])
    until(b, "charge_with", 0)
    assert offered(b, "charge_with") == ["Base"]
    refused_by(b, "charge_with", "Reds", "w40k11.charge.eligible")


@rule("w40k11.transport.combat", check=6)
def test_who_made_a_combat_disembark_and_is_engaged_may_fight() -> None:
    b = out_in_combat()
    until(b, "fight_with", 0)
    assert "Reds" in offered(b, "fight_with")


# --- Destroyed transports ---------------------------------------------------------------------------------------------


def wreck(count: int = 2, hazard: Any = None, others: Any = (FAR_OFF,), at: Any = AT, doc: Any = TROOPER) -> Battle11:
    """The Rhino is destroyed, with Reds aboard."""
    blast = unit("Bomb", "blue", sheet(gun(name="bomb", attacks="1", strength=20, ap=-6, damage="12")), [(10, 20)])
    dice = {"hit": [6], "wound": [6], "save": [1], "hazard": hazard or [6] * count}
    reds, rhino = unit("Reds", "red", doc, off=count, embarked="Rhino"), unit("Rhino", "red", RHINO, [at])
    b = situation([reds, rhino, blast, *others], step="shoot_units", active="blue", dice=dice)
    give(b, "shoot_with", "Bomb")
    until(b, "shoot")
    give(b, "shoot", [{"weapon": "bomb", "target": "Rhino"}])
    return b


@rule("w40k11.transport.emergency", check=1)
def test_each_low_hazard_roll_of_passengers_is_a_mortal_wound() -> None:
    b = wreck(2, [2, 3])
    until(b, "escape")
    lost = [int(b.state.models.wounds[m]) for m in named(b, "Reds").models]
    assert (rolls(b)[-1], sorted(lost)) == (("hazard", (2, 3)), [1, 2])


@rule("w40k11.transport.emergency", check=1)
def test_nobody_gets_out_where_all_have_died() -> None:
    dead, saved = (wreck(2, faces, doc={**TROOPER, "wounds": 1}) for faces in ([1, 2], [1, 3]))
    table.default(saved, "escape")
    assert [(alive(b, "Reds"), told(b).count("escaped")) for b in (dead, saved)] == [(0, 0), (1, 1)]


@rule("w40k11.transport.emergency", check=2)
def test_models_are_placed_as_close_as_possible_and_within_six_inches() -> None:
    b = wreck(1)
    cited = {"refused", "w40k11.transport.emergency"}
    assert (said(b, "escape", [[12.51, 10]]), said(b, "escape", [[13.5, 10]])) == (set(), cited)
    assert said(b, "escape", [[17.6, 10]]) == {"refused", "w40k11.transport.disembark"}


@rule("w40k11.transport.emergency", check=4)
def test_nobody_gets_out_of_a_wreck_engaged() -> None:
    b = wreck(1, others=[unit("Blues", "blue", TROOPER, [(10, 13.5)])])
    assert said(b, "escape", [[10, 12.01]]) == {"refused", "w40k11.setup.conditions"}
    assert said(b, "escape", [[10, 7.99]]) == set()


@rule("w40k11.transport.emergency", check=5)
@rule("w40k11.charge.eligible", check=4)
def test_who_got_out_of_a_wreck_is_battle_shocked_and_does_not_charge() -> None:
    b = wreck(1, others=[unit("Blues", "blue", TROOPER, [(20, 10)])])
    give(b, "escape", [[12.51, 10]])
    reds = named(b, "Reds")
    assert (reds.battle_shocked, cites(able_to_charge(b, reds))) == (True, {"w40k11.charge.eligible"})


@rule("w40k11.transport.emergency", check=2)
def test_who_finds_room_only_five_inches_off_is_saved() -> None:
    ring = [(5.5, 4.2), (6.5, 1), (7.5, 3.5), (4.4, 6.6), (1.5, 6)]
    blues = [unit(f"Blue {k}", "blue", TROOPER, [at]) for k, at in enumerate(ring)]
    b = wreck(1, others=blues, at=(2, 1.5))
    table.default(b, "escape")
    assert places(b, "Reds") == [(7.54, 6.54, 0)]


@rule("w40k11.transport.emergency", check=2)
def test_five_models_find_places_that_touch_the_sides_of_a_wreck() -> None:
    b = wreck(5)
    table.default(b, "escape")
    gaps = [round(hypot(max(abs(x - 10) - 2, 0), max(abs(y - 10) - 1.5, 0)) - 0.5, 1) for x, y, _ in places(b, "Reds")]
    assert gaps == [0.0] * 5


@rule("w40k11.transport.emergency", check=2)
def test_the_refusal_shows_all_models_with_the_first_moved_closer() -> None:
    b = wreck(3)
    verdict = judge(b, "escape", [[14, 10], [12.51, 8.5], [12.51, 7]])
    assert [spot.model for spot in verdict.instead] == list(named(b, "Reds").models)


@rule("w40k11.transport.emergency", check=1)
def test_nobody_gets_out_before_the_last_transport_of_a_unit_is_destroyed() -> None:
    bomb = gun(name="bomb", attacks="1", strength=20, ap=-6, damage="12")
    units = [
        unit("Reds", "red", TROOPER, off=1, embarked="Rhino"),
        unit("Rhino", "red", RHINO, [AT, (10, 14)]),
        unit("Base", "red", TROOPER, [(41, 2)]),
        *(unit(name, "blue", sheet(bomb), [(x, 25)]) for name, x in (("Bomb", 10), ("Second", 12))),
    ]
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 1], "hazard": [6]}
    b, asked_for = situation(units, step="shoot_units", active="blue", dice=dice), []
    for name in ("Bomb", "Second"):
        give(b, "shoot_with", name)
        give(b, "shoot", [{"weapon": "bomb", "target": "Rhino"}])
        asked_for.append(kinds(b))
    assert (asked_for, alive(b, "Rhino")) == ([["shoot_with"], ["escape"]], 1)


@rule("w40k11.transport.emergency", check=7)
def test_the_player_of_the_passengers_sets_them_up_also_in_the_turn_of_the_enemy() -> None:
    b = wreck(1)
    assert (b.state.active, b.decisions[0].kind, b.decisions[0].player) == (1, "escape", 0)


@rule("w40k11.transport.emergency", check=3)
def test_only_models_without_a_place_are_destroyed() -> None:
    ring = [unit(f"Wall {x} {y}", "red", {**TROOPER, "keywords": ["VEHICLE"], "base": "60mm"}, [(x, y)])
            for x, y in ((6.6, 10), (13.4, 10), (10, 7), (10, 13), (6.8, 7), (13.2, 7), (6.8, 13), (13.2, 13),
                         (4, 10), (16, 10), (10, 4.4), (10, 15.6), (4.2, 6.4), (15.8, 6.4), (4.2, 13.6), (15.8, 13.6),
                         (7.2, 4.2), (12.8, 4.2), (7.2, 15.8), (12.8, 15.8),
                         (11.5, 12), (8.5, 12), (8.5, 8), (11.5, 8))]  # fmt: skip
    b = wreck(6, others=[FAR_OFF, *ring])
    saved = len(asked(b, "escape").models)
    table.default(b, "escape")
    assert (0 < saved < 6, alive(b, "Reds")) == (True, saved)


@rule("w40k11.transport.emergency", check=6)
def test_passengers_are_out_before_the_transport_explodes() -> None:
    doc = {**RHINO, "abilities": ["deadly demise 1"]}
    bomb = unit("Bomb", "blue", sheet(gun(name="bomb", attacks="1", strength=20, ap=-6, damage="12")), [(10, 25)])
    dice = {"hit": [6], "wound": [6], "save": [1], "hazard": [6], "deadly demise": [6], "battle-shock": [6, 6]}
    reds = unit("Reds", "red", TROOPER, off=1, embarked="Rhino")
    units = [reds, unit("Rhino", "red", doc, [AT]), bomb, unit("Base", "red", TROOPER, [(40, 2)])]
    b = situation(units, step="shoot_units", active="blue", dice=dice)
    give(b, "shoot_with", "Bomb")
    give(b, "shoot", [{"weapon": "bomb", "target": "Rhino"}])
    before = [reason for reason, _ in rolls(b)]
    give(b, "escape", [[12.51, 10]])
    after = [reason for reason, _ in rolls(b)]
    assert ("deadly demise" in before, "deadly demise" in after, wounds(b, "Reds")) == (False, True, [1])


# --- Aboard -----------------------------------------------------------------------------------------------------------


def boarded(*others: Any, **more: Any) -> Battle11:
    """Reds have embarked, and the others have still to move."""
    reds = unit("Reds", "red", TROOPER, [(10, 13)], **more.pop("flags", {}))
    b = situation([reds, unit("Rhino", "red", RHINO, [AT]), BASE, *others], **more)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "onto": "Rhino"})
    return b


@rule("w40k11.gap.embarked", check=1)
def test_who_is_embarked_does_nothing_and_nothing_is_done_to_it() -> None:
    b = boarded(unit("Blues", "blue", TROOPER, [(10, 19)]))
    until(b, "shoot_with", 0)
    shooting = offered(b, "shoot_with")
    until(b, "charge_with", 0)
    charging = offered(b, "charge_with")
    until(b, "shoot_with", 1)
    give(b, "shoot_with", "Blues")
    targets = {b.unit(t).name for row_ in asked(b, "shoot").rows for t in row_.targets}
    assert (shooting, charging, targets) == (["Base", "Rhino"], ["Rhino"], {"Rhino"})


@rule("w40k11.gap.embarked", check=2)
def test_an_aura_does_not_work_from_inside() -> None:
    haste = power("Reds", kind="characteristic", name="M", add=2, who="friends", within=6)
    friends = unit("Friends", "red", TROOPER, [(10, 15)])
    b = boarded(friends, FAR_OFF, abilities=[haste])
    beside = situation([unit("Reds", "red", TROOPER, [(10, 13)]), friends, FAR_OFF], abilities=[haste])
    for one in (b, beside):
        give(one, "move_with", "Friends")
    cited = {"refused", "w40k11.move.straight_line", "w40k11.movephase.normal"}
    assert [said(one, "move", {"mode": "normal", "to": [[10, 23]]}) for one in (b, beside)] == [cited, set()]


@rule("w40k11.gap.embarked", check=3)
def test_who_is_embarked_makes_no_battle_shock_roll() -> None:
    out = unit("Others", "red", TROOPER, [(20, 20)], strength=10)
    b = boarded(out, FAR_OFF, flags={"strength": 10}, dice={"battle-shock": [6, 6]})
    until(b, "move_with", 1)
    until(b, "move_with", 0)
    assert rolls(b) == [("battle-shock", (6, 6))]
