"""Battle formations: who may lead whom, who starts in which transport, and what the reveal does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.battle import Assign, Assignment
from sandtable.battle.state import new_version
from sandtable.forty.effects.ability import Ability
from sandtable.systems.w40k10.abilities.leader import leads
from sandtable.systems.w40k10.formations import judge_transports, reveal
from sandtable.systems.w40k10.state import Battle10
from w40k10.armies import CAPTAIN, INTERCESSORS, battle
from w40k10.powers import effect_of
from w40k10.table import TANK, TROOPER, cites, named, situation, unit
from w40k10.test_deployment import pick

HOLD = {"capacity": 3, "carries": ["INFANTRY"]}
CAR: dict[str, Any] = {**TANK, "name": "Car", "keywords": ["VEHICLE", "TRANSPORT"], "transport": HOLD}
TAXI: dict[str, Any] = {**CAR, "name": "Taxi", "keywords": [*CAR["keywords"], "DEDICATED TRANSPORT"]}
JET: dict[str, Any] = {**CAR, "name": "Jet", "keywords": [*CAR["keywords"], "AIRCRAFT"]}
FOE = unit("Blues", "blue", TROOPER, [(40, 25)])
BASE = unit("Base", "red", TROOPER, [(2, 2)])


def with_data(b: Battle10, **fields: Any) -> Battle10:
    """The battle, with something else in what it was set up with."""
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, **fields))
    b.state.version = b.state.stamp = new_version()
    return b


# --- Leaders ----------------------------------------------------------------------------------------------------------


def squad_leads(*able: str) -> tuple[int, ...]:
    """Whom a squad leads that its list lets lead the Captain, if models of these names are Leaders."""
    b = battle()
    squad = named(b, "Intercessor Squad")
    roster = list(b.setup.data.roster)
    roster[squad.id] = msgspec.structs.replace(roster[squad.id], leads=(0,))
    sheets = tuple(
        msgspec.structs.replace(s, abilities=(*s.abilities, "leader")) if s.name in able else s
        for s in b.setup.data.sheets
    )
    return leads(with_data(b, roster=tuple(roster), sheets=sheets), squad)


@pytest.mark.rule("w40k10.ability.leader_attach", check=1)
def test_a_unit_leads_only_if_all_of_its_models_are_leaders() -> None:
    assert squad_leads() == ()
    assert squad_leads("Intercessor Sergeant") == ()
    assert squad_leads("Intercessor Sergeant", "Intercessor") == (0,)


def heroes(*, allowed: bool = False) -> Battle10:
    """A squad, two Captains, a Lieutenant and a Librarian; perhaps the squad may have a second Leader of any kind."""
    second = {**CAPTAIN, "warlord": False, "name": "Second"}
    b = battle(red=[CAPTAIN, {"sheet": "lieutenant"}, second, {"sheet": "librarian"}, INTERCESSORS])
    squad = named(b, "Intercessor Squad")
    effect = effect_of({"kind": "allow", "what": "second_leader"})
    own = [Ability("Guard", "test", squad.id, squad.models, 0, (effect,))][: int(allowed)]
    return with_data(b, abilities=(*b.setup.data.abilities, *own))


def refused(b: Battle10, *leaders: str) -> set[str]:
    """The rules that forbid that all these lead the squad."""
    d = b.decisions[0]
    return cites(b.check(d, pick(b, d, **dict.fromkeys(leaders, "Intercessor Squad"))))


@pytest.mark.rule("w40k10.ability.leader_attach", check=2)
def test_a_third_leader_is_refused_though_the_second_may_stand_beside_each_of_the_others() -> None:
    b = heroes()
    assert refused(b, "Captain", "Lieutenant") == set()
    assert refused(b, "Lieutenant", "Second") == set()
    assert refused(b, "Captain", "Lieutenant", "Second") == {"w40k10.ability.leader_attach"}


@pytest.mark.rule("w40k10.ability.leader_attach", check=2)
def test_a_unit_whose_ability_says_so_has_two_leaders_of_any_kind_and_no_third() -> None:
    assert refused(heroes(), "Captain", "Librarian") == {"w40k10.ability.leader_attach"}
    assert refused(heroes(allowed=True), "Captain", "Librarian") == set()
    assert refused(heroes(allowed=True), "Captain", "Second", "Librarian") == {"w40k10.ability.leader_attach"}


# --- Transports -------------------------------------------------------------------------------------------------------


def aboard(*pairs: tuple[str, str]) -> set[str]:
    """The rules that forbid these to start in these transports."""
    barge = {**CAR, "name": "Barge", "transport": {"capacity": 3, "carries": ["VEHICLE"]}}
    cars = [unit("Car", "red", CAR, off=1), unit("Other car", "red", CAR, off=1), unit("Barge", "red", barge, off=1)]
    squads = [unit(name, "red", TROOPER, off=n) for name, n in (("Two", 2), ("Three", 3), ("Four", 4))]
    b = situation([*cars, *squads, BASE, FOE])
    d = Assign(player=0, kind="start_embarked", prompt="", rows=(), targets=(), about={"joined": []})
    return cites(judge_transports(b, d, tuple(Assignment(str(named(b, u).id), named(b, to).id, 1) for u, to in pairs)))


@pytest.mark.rule("w40k10.transport.start_embarked", check=3)
def test_each_transport_has_room_for_its_own_passengers() -> None:
    assert aboard(("Two", "Car"), ("Three", "Other car")) == set()
    assert aboard(("Two", "Car"), ("Four", "Other car")) == {"w40k10.transport.capacity"}
    assert aboard(("Two", "Car"), ("Three", "Car")) == {"w40k10.transport.capacity"}


@pytest.mark.rule("w40k10.transport.start_embarked", check=1)
def test_nobody_starts_in_a_transport_that_is_embarked_itself() -> None:
    assert aboard(("Car", "Barge"), ("Two", "Other car")) == set()
    assert aboard(("Car", "Barge"), ("Two", "Car")) == {"w40k10.transport.start_embarked"}


# --- The reveal -------------------------------------------------------------------------------------------------------


def revealed(*plans: tuple[str, str, str]) -> Battle10:
    """Red's formations are revealed: what is planned, for whom, and where to."""
    units = [("Reds", TROOPER), ("Whites", TROOPER), ("Car", CAR), ("Taxi", TAXI), ("Jet", JET)]
    shuttle = {**JET, "name": "Shuttle", "keywords": [*JET["keywords"], "DEDICATED TRANSPORT"]}
    b = situation([*(unit(n, "red", sheet, off=1) for n, sheet in (*units, ("Shuttle", shuttle))), BASE, FOE])
    ids = {u.name: u.id for u in b.units()}
    b.set_player(b.player(0), plans=tuple((what, ids[u], ids.get(to, -1)) for what, u, to in plans))
    with pytest.raises(StopIteration):  # it ends without a question
        reveal(b).send(None)
    return b


@pytest.mark.rule("w40k10.mission.battle_formations", check=1)
def test_who_starts_embarked_is_aboard_and_waits_in_reserves_with_its_transport() -> None:
    b = revealed(("embark", "Reds", "Car"), ("strategic", "Car", ""), ("deep strike", "Whites", ""))
    assert named(b, "Reds").embarked == named(b, "Car").id
    assert [named(b, n).reserve for n in ("Reds", "Car", "Whites")] == ["", "strategic", "deep strike"]


@pytest.mark.rule("w40k10.mission.battle_formations", check=1)
def test_who_is_not_in_reserves_does_not_start_in_an_aircraft_and_is_deployed() -> None:
    b = revealed(("embark", "Reds", "Jet"), ("embark", "Whites", "Jet"), ("strategic", "Whites", ""))
    assert (named(b, "Reds").embarked, named(b, "Reds").reserve) == (-1, "")
    assert (named(b, "Whites").embarked, named(b, "Whites").reserve) == (named(b, "Jet").id, "")
    assert named(b, "Jet").reserve == "strategic"


@pytest.mark.rule("w40k10.mission.battle_formations", check=3)
def test_a_transport_that_was_left_behind_is_not_in_reserves() -> None:
    b = revealed(("strategic", "Taxi", ""), ("strategic", "Car", ""))
    assert b.gone(named(b, "Taxi")) and b.gone(named(b, "Shuttle"))
    assert [named(b, n).reserve for n in ("Taxi", "Shuttle", "Car", "Jet")] == ["", "", "strategic", "strategic"]
