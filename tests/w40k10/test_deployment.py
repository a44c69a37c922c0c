"""Battle formations, deployment, Infiltrators and Scouts; and whole battles from mustering to the last point."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable.battle import OFF, TABLE, Assignment, Battle, Place, Spot, World, questions
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import KeyedDice
from sandtable.battle.state import new_version
from sandtable.forty.deploying import find_place
from sandtable.forty.effects.ability import Ability
from sandtable.systems.w40k10 import deployment, mission
from sandtable.systems.w40k10.abilities import scouts
from sandtable.systems.w40k10.abilities.scouts import scout_distance
from sandtable.systems.w40k10.coherency import in_coherency
from sandtable.systems.w40k10.deployment import is_deployed, rooms_to_deploy, zone_of
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.state import Battle10, Unit
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import STEP, steps
from support.discipline import prove
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, WARBOSS, battle, go_on, pack
from w40k10.powers import effect_of
from w40k10.table import TANK, TROOPER, asked, cites, give, kinds, named, offered, refused_by, situation, told, unit

SCOUTS: dict[str, Any] = {"sheet": "scout-squad"}
INFILTRATORS: dict[str, Any] = {"sheet": "infiltrator-squad"}
TERMINATORS: dict[str, Any] = {"sheet": "terminator-squad"}


def line(d: Decision[Any], x: float, y: float, pace: float = 1.5) -> tuple[Spot, ...]:
    """The models of a decision in a line."""
    models = d.models  # type: ignore[attr-defined]
    return tuple(Spot(m, steps(x + i * pace), steps(y)) for i, m in enumerate(models))


def pick(b: Battle10, d: Decision[Any], **where: str) -> tuple[Assignment, ...]:
    """Assignments by names of units: `Captain="Intercessor Squad"`."""
    rows = {r.label: r for r in d.rows}  # type: ignore[attr-defined]
    out = []
    for name, target in where.items():
        row = rows[name.replace("_", " ")]
        found = [u.id for u in b.units() if u.name == target]
        out.append(Assignment(row.id, found[0] if found else target, 1))
    return tuple(out)


# --- Battle formations ------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.mission.battle_formations", check=1)
@pytest.mark.rule("w40k10.onlywar.formations", check=2)
def test_leaders_are_declared_before_reserves() -> None:
    b = battle()
    assert kinds(b) == ["attach", "attach"]
    for d in b.decisions:
        b.answer(d, b.default(d))
    assert kinds(b) == ["reserves", "reserves"]
    for d in b.decisions:
        b.answer(d, ())
    assert b.state.game.attacker == 0
    assert "deploy_with" in kinds(b)


@pytest.mark.rule("w40k10.mission.battle_formations", check=2)
def test_formations_are_secret_until_both_have_declared() -> None:
    b = battle()
    red, blue = b.decisions
    b.answer(red, pick(b, red, Captain="Intercessor Squad"))
    b.answer(blue, pick(b, blue, Warboss="Boyz"))
    assert named(b, "Captain").models
    assert b.view(1).player(0).plans is None
    assert b.view(0).player(0).plans == (("lead", 0, 1),)
    for d in b.decisions:
        b.answer(d, ())
    assert not named(b, "Captain").models
    assert len(b.view(1).unit(named(b, "Intercessor Squad").id).models) == 6


@pytest.mark.rule("w40k10.mission.battle_formations", check=3)
@pytest.mark.rule("w40k10.ability.leader_attach", check=4)
def test_formations_stand_once_they_are_revealed() -> None:
    b = battle(red=[CAPTAIN, INTERCESSORS, TERMINATORS])
    red, blue = b.decisions
    b.answer(red, pick(b, red, Captain="Intercessor Squad"))
    b.answer(blue, ())
    red, blue = b.decisions
    b.answer(red, pick(b, red, Terminator_Squad="deep strike"))
    b.answer(blue, ())
    squad = named(b, "Intercessor Squad")
    assert (squad.leader, squad.leader_strength, squad.strength) == ((0,), 1, 5)
    assert named(b, "Terminator Squad").reserve == "deep strike"
    asked_before = len(b.events)
    go_on(b, "move_with")
    later = {getattr(e, "kind", "") for e in b.events[asked_before:]}
    assert not later & {"attach", "reserves"}


@pytest.mark.rule("w40k10.ability.leader_attach", check=1)
@pytest.mark.rule("w40k10.ability.leader_attach", check=3)
def test_a_leader_is_offered_the_units_of_its_datasheet() -> None:
    b = battle(red=[CAPTAIN, INTERCESSORS, TERMINATORS])
    red, blue = b.decisions
    assert [[b.unit(int(t)).name for t in row.targets] for row in red.rows] == [["Intercessor Squad"]]  # type: ignore[attr-defined]
    b.answer(red, ())
    b.answer(blue, ())
    for d in b.decisions:
        b.answer(d, ())
    assert named(b, "Captain").models == (0,)


@pytest.mark.rule("w40k10.ability.leader_attach", check=2)
def test_a_second_leader_of_a_unit_is_refused() -> None:
    b = battle(red=[CAPTAIN, {"sheet": "librarian"}, {"sheet": "lieutenant"}, INTERCESSORS])
    d = b.decisions[0]
    both = pick(b, d, Captain="Intercessor Squad", Librarian="Intercessor Squad")
    assert cites(b.check(d, both)) == {"w40k10.ability.leader_attach"}
    # A Lieutenant's datasheet lets it join a Captain.
    assert b.check(d, pick(b, d, Captain="Intercessor Squad", Lieutenant="Intercessor Squad"))


def test_the_default_is_what_the_army_list_says() -> None:
    b = battle(
        red=[{**CAPTAIN, "attached_to": "Intercessor Squad"}, INTERCESSORS, {**TERMINATORS, "reserves": True}],
    )
    go_on(b, "deploy_with", "deploy")
    assert named(b, "Intercessor Squad").leader == (0,)
    assert named(b, "Terminator Squad").reserve == "deep strike"


# --- Deploying --------------------------------------------------------------------------------------------------------


def at_deployment(**more: Any) -> Battle10:
    """Both armies stand beside the table; nobody is attached or in Reserves."""
    b = battle(**more)
    for _ in range(3):
        if kinds(b)[:1] in (["attach"], ["reserves"]):
            for d in b.decisions:
                b.answer(d, ())
    return b


def set_up(b: Battle10) -> list[Place]:
    """The questions where a unit is set up, in their order, as the armies are deployed by default."""
    found = []
    while b.state.segment == "setup":
        d = b.decisions[0]
        if isinstance(d, Place):
            found.append(d)
        b.answer(d, () if d.kind in ("attach", "reserves") else b.default(d))
    return found


@pytest.mark.rule("w40k10.onlywar.deploy", check=1)
@pytest.mark.rule("w40k10.onlywar.deploy", check=2)
@pytest.mark.rule("w40k10.onlywar.deploy", check=4)
def test_the_players_deploy_in_turn_and_who_is_done_is_passed_over() -> None:
    b = at_deployment(
        red=[CAPTAIN, INTERCESSORS], blue=[WARBOSS, BOYZ, {"sheet": "nobz"}, {"sheet": "gretchin"}],
        dice={"roll-off": [1, 6, 6, 1]},
    )  # fmt: skip
    assert [d.player for d in set_up(b)] == [1, 0, 1, 0, 1, 1]


@pytest.mark.rule("w40k10.onlywar.deploy", check=3)
@pytest.mark.rule("w40k10.mission.deploy", check=1)
@pytest.mark.rule("w40k10.mission.deploy", check=2)
def test_every_model_is_wholly_within_its_own_zone() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    d = asked(b, "deploy")
    assert b.check(d, line(d, 20, 5))
    assert cites(b.check(d, line(d, 20, 9.9))) == {"w40k10.onlywar.deploy"}  # the bases stick out
    assert cites(b.check(d, line(d, 20, 22))) == {"w40k10.onlywar.deploy"}  # No Man's Land
    assert cites(b.check(d, line(d, 20, 40))) == {"w40k10.onlywar.deploy"}  # the Defender's
    *within, last = line(d, 20, 9)
    assert b.check(d, (*within, last))
    sticks_out = msgspec.structs.replace(last, y=steps(9.9))  # one of five
    assert cites(b.check(d, (*within, sticks_out))) == {"w40k10.onlywar.deploy"}
    b.answer(d, line(d, 20, 5))
    give(b, "deploy_with", "Boyz")
    other = asked(b, "deploy")
    assert b.check(other, line(other, 20, 40))
    assert not b.check(other, line(other, 20, 5))


@pytest.mark.rule("w40k10.mission.deploy", check=1)
def test_whoever_is_the_attacker_deploys_in_the_attackers_zone() -> None:
    b = at_deployment(dice={"roll-off": [1, 6, 6, 1]})
    assert b.state.game.attacker == 1
    give(b, "deploy_with", "Warboss")
    d = asked(b, "deploy")
    assert b.check(d, line(d, 20, 5))
    assert cites(b.check(d, line(d, 20, 40))) == {"w40k10.onlywar.deploy"}


@pytest.mark.rule("w40k10.onlywar.deploy", check=5)
@pytest.mark.rule("w40k10.reserve.definition", check=2)
def test_units_in_reserves_are_not_set_up() -> None:
    b = battle(red=[CAPTAIN, INTERCESSORS, TERMINATORS])
    for d in b.decisions:
        b.answer(d, ())
    red, blue = b.decisions
    b.answer(red, pick(b, red, Terminator_Squad="deep strike"))
    b.answer(blue, ())
    assert offered(b, "deploy_with") == ["Captain", "Intercessor Squad"]
    go_on(b, "move_with")
    waits = named(b, "Terminator Squad")
    assert not b.is_on_table(waits)
    assert waits.id not in [o.value for o in asked(b, "move_with").options]  # type: ignore[attr-defined]


def test_a_unit_is_left_out_only_where_there_is_no_room() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    d = asked(b, "deploy")
    verdict = b.check(d, None)
    assert not verdict
    assert b.check(d, verdict.instead)


@pytest.mark.rule("w40k10.concept.coherency_setup", check=1)
def test_a_unit_is_set_up_in_coherency() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    d = asked(b, "deploy")
    assert b.check(d, line(d, 10, 5, 3.2))
    assert cites(b.check(d, line(d, 10, 5, 4))) == {"w40k10.concept.coherency_setup"}


def test_nobody_is_set_up_on_somebody_or_off_the_table() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    d = asked(b, "deploy")
    assert not b.check(d, line(d, 20, 5, 0.5))
    assert not b.check(d, line(d, 58, 5))
    assert not b.check(d, line(d, 30 - 3 * 1.5, 6))  # a marker


def coming_late(*names: str, dice: list[int]) -> Battle10:
    """A battle in which these units are set up after both armies."""
    b = battle(dice={"roll-off": dice})
    sheets = tuple(
        msgspec.structs.replace(s, abilities=(*s.abilities, "after deployment")) if s.name in names else s
        for s in b.setup.data.sheets
    )
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, sheets=sheets))
    return b


@pytest.mark.rule("w40k10.onlywar.deploy_after", check=1)
@pytest.mark.rule("w40k10.onlywar.deploy_after", check=2)
def test_units_that_come_after_both_armies_are_rolled_off_for() -> None:
    b = coming_late("Captain", "Warboss", dice=[6, 1, 1, 6, 6, 1])
    order = [b.unit(d.unit).name for d in set_up(b)]
    assert order == ["Intercessor Squad", "Boyz", "Warboss", "Captain"]
    assert told(b).count("roll_off") == 3


@pytest.mark.rule("w40k10.onlywar.deploy_after", check=2)
def test_one_roll_off_does_for_all_units_that_come_late_and_the_players_alternate() -> None:
    everybody = ("Captain", "Intercessor", "Intercessor Sergeant", "Warboss", "Boy", "Boss Nob")
    b = coming_late(*everybody, dice=[6, 1, 1, 6, 6, 1])
    assert [d.player for d in set_up(b)] == [1, 0, 1, 0]
    assert told(b).count("roll_off") == 3


@pytest.mark.rule("w40k10.onlywar.deploy_after", check=1)
def test_late_units_of_one_player_alone_are_not_rolled_off_for() -> None:
    b = coming_late("Captain", dice=[6, 1, 6, 1])
    assert [b.unit(d.unit).name for d in set_up(b)][-1] == "Captain"
    assert told(b).count("roll_off") == 2


# --- Infiltrators -----------------------------------------------------------------------------------------------------


def infiltrating(*, hero: bool = False) -> tuple[Battle10, Decision[Any]]:
    """Infiltrators are about to be set up, and the Boyz stand in their zone."""
    b = battle(red=[CAPTAIN, INFILTRATORS], dice={"roll-off": [1, 6] * 9})
    for d in b.decisions:
        b.answer(d, ())
    for d in b.decisions:
        b.answer(d, ())
    if hero:
        b.join([0], named(b, "Infiltrator Squad"))
    give(b, "deploy_with", "Boyz")
    d = asked(b, "deploy")
    b.answer(d, line(d, 10, 5))
    if "deploy_with" in kinds(b):
        give(b, "deploy_with", "Infiltrator Squad")
    return b, asked(b, "deploy")


@pytest.mark.rule("w40k10.ability.infiltrators", check=1)
def test_infiltrators_are_set_up_outside_their_zone() -> None:
    b, d = infiltrating()
    assert d.player == 0
    assert b.check(d, line(d, 30, 24))
    assert b.check(d, line(d, 30, 40))


@pytest.mark.rule("w40k10.ability.infiltrators", check=2)
def test_infiltrators_keep_more_than_9_inches_from_the_enemy_zone() -> None:
    b, d = infiltrating()
    radius = int(b.shapes.reach[b.ground.shape[d.models[0]]]) / STEP  # type: ignore[attr-defined]
    assert cites(b.check(d, line(d, 30, 10 + 9 + radius))) == {"w40k10.ability.infiltrators"}
    *far, last = line(d, 30, 10 + 9.1 + radius)
    assert b.check(d, (*far, last))
    near = msgspec.structs.replace(last, y=steps(10 + 9 + radius))  # one of them all
    assert cites(b.check(d, (*far, near))) == {"w40k10.ability.infiltrators"}


@pytest.mark.rule("w40k10.ability.infiltrators", check=3)
def test_infiltrators_keep_more_than_9_inches_from_enemy_models() -> None:
    b, d = infiltrating()
    boyz = named(b, "Boyz")
    b.move_models(list(boyz.models), [(steps(20 + 1.7 * i), steps(24), 0) for i in range(len(boyz.models))])
    bases = b.shapes.reach[b.ground.shape[[d.models[-1], boyz.models[0]]]]  # type: ignore[attr-defined]
    nearest = steps(20) - steps(9) - int(bases.sum())
    assert b.check(d, _up_to(d, nearest - 1, 24))
    assert cites(b.check(d, _up_to(d, nearest, 24))) == {"w40k10.ability.infiltrators"}


def _up_to(d: Decision[Any], x: int, y: float) -> tuple[Spot, ...]:
    """The models of a decision in a column; the last of them, to the right of the others, is at this step."""
    *others, last = d.models  # type: ignore[attr-defined]
    return (*(Spot(m, x - steps(1.5), steps(y + 1.5 * i)) for i, m in enumerate(others)), Spot(last, x, steps(y)))


@pytest.mark.rule("w40k10.ability.infiltrators", check=4)
def test_one_model_without_the_ability_binds_the_unit_to_its_zone() -> None:
    b, d = infiltrating(hero=True)
    assert cites(b.check(d, line(d, 30, 24))) == {"w40k10.onlywar.deploy"}
    assert b.check(d, line(d, 30, 40))
    free, other = infiltrating()
    assert free.check(other, line(other, 30, 24))


# --- Scouts -----------------------------------------------------------------------------------------------------------

RANGER: dict[str, Any] = {**TROOPER, "name": "Ranger", "move": 3, "abilities": ["scouts 6"]}
PLAIN = unit("Plain", "red", TROOPER, [(40, 28)])


def scouting(reds: Any, blues: Any, **more: Any) -> Battle10:
    """The first battle round opens."""
    return situation([reds, blues, PLAIN, unit("Far", "blue", TROOPER, [(2, 28)])], step="scouts", round_=0, **more)


@pytest.mark.rule("w40k10.ability.scouts", check=1)
@pytest.mark.rule("w40k10.ability.scouts", check=6)
def test_a_scouts_move_has_its_own_distance() -> None:
    b = scouting(unit("Reds", "red", RANGER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(40, 10)]))
    assert offered(b, "scout_with") == ["Reds"]
    give(b, "scout_with", "Reds")
    assert not b.check(asked(b, "scout_move"), _by(b, 6.1))
    b.answer(asked(b, "scout_move"), _by(b, 6))
    assert named(b, "Reds").moved == ""
    assert b.state.segment == "turn"
    assert b.state.round == 1


def _by(b: Battle10, dx: float) -> Any:
    from sandtable.battle import answers

    d = asked(b, "scout_move")
    return answers.read(b, d, {"mode": "normal", "by": [dx, 0]})


@pytest.mark.rule("w40k10.ability.scouts", check=2)
def test_a_scouts_move_ends_more_than_9_inches_from_the_enemy() -> None:
    b = scouting(unit("Reds", "red", RANGER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(25, 10)]))
    give(b, "scout_with", "Reds")
    assert cites(b.check(asked(b, "scout_move"), _by(b, 5))) == {"w40k10.ability.scouts"}
    assert b.check(asked(b, "scout_move"), _by(b, 4.9))


@pytest.mark.rule("w40k10.ability.scouts", check=3)
@pytest.mark.rule("w40k10.ability.scouts", check=7)
def test_a_model_without_the_ability_or_a_unit_in_reserves_makes_no_scouts_move() -> None:
    mixed = unit("Reds", "red", RANGER, [(10, 10), (11.5, 10)], loadout=[{"models": [2], "sheet": TROOPER}])
    b = scouting(mixed, unit("Blues", "blue", RANGER, off=2, reserve="deep strike"))
    assert b.state.segment == "turn"
    whole = scouting(unit("Reds", "red", RANGER, [(10, 10)]), unit("Blues", "blue", RANGER, off=2, reserve="strategic"))
    assert offered(whole, "scout_with") == ["Reds"]


@pytest.mark.rule("w40k10.ability.scouts", check=4)
def test_the_player_with_the_first_turn_scouts_first() -> None:
    units = [
        unit("Reds", "red", RANGER, [(10, 10)]), unit("Reds 2", "red", RANGER, [(14, 10)]),
        unit("Blues", "blue", RANGER, [(40, 20)]), unit("Blues 2", "blue", RANGER, [(36, 20)]),
    ]  # fmt: skip
    b = situation(units, step="scouts", round_=0, game={"first": 1})
    order = []
    while "scout_with" in kinds(b):
        d = asked(b, "scout_with")
        order.append((d.player, b.state.active))
        b.answer(d, b.default(d))
        b.answer(asked(b, "scout_move"), b.default(asked(b, "scout_move")))
    assert order == [(1, 1), (1, 1), (0, 0), (0, 0)]
    assert b.state.active == 1


@pytest.mark.rule("w40k10.ability.scouts", check=4)
def test_who_scouts_no_more_leaves_it_to_the_other_player() -> None:
    b = scouting(unit("Reds", "red", RANGER, [(10, 10)]), unit("Blues", "blue", RANGER, [(40, 10)]))
    assert offered(b, "scout_with") == ["Reds"]
    b.answer(asked(b, "scout_with"), None)
    assert offered(b, "scout_with") == ["Blues"]
    b.answer(asked(b, "scout_with"), None)
    assert b.state.segment == "turn"


@pytest.mark.rule("w40k10.ability.scouts", check=1)
def test_of_two_distances_a_model_has_the_longer_and_a_unit_that_of_its_slowest_model() -> None:
    swift = {**RANGER, "abilities": ["scouts 7"]}
    mixed = unit("Reds", "red", swift, [(10, 10), (11.5, 10)], loadout=[{"models": [2], "sheet": RANGER}])

    def distances(*gained: str) -> list[int]:
        b = scouting(mixed, unit("Blues", "blue", swift, [(40, 10)]))
        reds, blues = named(b, "Reds"), named(b, "Blues")
        effects = tuple(effect_of({"kind": "grant", "ability": ability}) for ability in gained)
        given = Ability("Guides", "test", blues.id, blues.models, 1, effects)
        b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, abilities=(given,)))
        fresh = World(SYSTEM, b.setup, b.state)
        return [scout_distance(fresh, u) for u in (reds, blues)]

    assert distances() == [steps(6), steps(7)]
    assert distances("scouts 8") == [steps(6), steps(8)]


@pytest.mark.rule("w40k10.ability.scouts", check=5)
def test_a_scouts_move_is_a_normal_move() -> None:
    b = scouting(unit("Reds", "red", RANGER, [(10, 10), (11.5, 10)]), unit("Blues", "blue", TROOPER, [(40, 10)]))
    give(b, "scout_with", "Reds")
    refused_by(b, "scout_move", {"mode": "normal", "by": [6, 0], "models": [1]}, "w40k10.concept.coherency_move")


HOLD = {"capacity": 6, "carries": ["INFANTRY"]}
CAR: dict[str, Any] = {
    **TANK,
    "name": "Car",
    "keywords": ["VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT"],
    "transport": HOLD,
}


def driving(car: dict[str, Any], *riders: dict[str, Any]) -> Battle10:
    """A transport with one model of each of these aboard."""
    units = [unit("Car", "red", car, [(10, 10)]), unit("Blues", "blue", TROOPER, [(27, 10)]), PLAIN]
    units += [unit(f"Riders {i}", "red", r, off=1, embarked="Car") for i, r in enumerate(riders)]
    return situation(units, step="scouts", round_=0)


@pytest.mark.rule("w40k10.onlywar.deploy", check=5)
@pytest.mark.rule("w40k10.reserve.definition", check=2)
def test_who_is_embarked_is_not_set_up() -> None:
    b = driving(CAR, RANGER)
    assert named(b, "Car").id == 0
    assert is_deployed(named(b, "Car"))
    assert not is_deployed(named(b, "Riders 0"))


@pytest.mark.rule("w40k10.ability.scouts", check=1)
@pytest.mark.rule("w40k10.ability.scouts_transport", check=1)
@pytest.mark.rule("w40k10.ability.scouts_transport", check=4)
def test_a_dedicated_transport_of_scouts_makes_their_move() -> None:
    b = driving(CAR, RANGER, {**RANGER, "abilities": ["scouts 8"]})
    assert offered(b, "scout_with") == ["Car"]
    give(b, "scout_with", "Car")
    assert asked(b, "scout_move").modes[0].allowance == steps(6)  # type: ignore[attr-defined]
    assert not b.check(asked(b, "scout_move"), _by(b, 5.6))  # 9" from the Blues
    assert b.check(asked(b, "scout_move"), _by(b, 5.4))


@pytest.mark.rule("w40k10.ability.scouts_transport", check=2)
@pytest.mark.rule("w40k10.ability.scouts_transport", check=3)
def test_a_transport_with_others_aboard_or_of_another_kind_makes_no_scouts_move() -> None:
    assert "scout_with" not in kinds(driving(CAR, RANGER, TROOPER))
    assert "scout_with" not in kinds(driving({**CAR, "keywords": ["VEHICLE", "TRANSPORT"]}, RANGER))
    assert "scout_with" in kinds(driving(CAR, RANGER))


# --- Whole battles ----------------------------------------------------------------------------------------------------

BATTLES = [
    ("space-marines-1000-gunline", "orks-1000-horde", "only-war", "twin-cities"),
    ("necrons-1000-legion", "tyranids-1000-swarm", "supply-drop", "quarry"),
    ("orks-1000-speed", "space-marines-1000-assault", "break-out", "monument"),
    ("tyranids-1000-monsters", "necrons-1000-destroyers", "cut-off-the-head", "random-5"),
    ("necrons-2000-gunline", "tyranids-2000-swarm", "rising-tide", "crossroads"),
]


def listed(name: str) -> Any:
    """A list of the pack."""
    return next(path for path in pack().lists if path.stem == name)


def invariant(b: Battle[Any, Any, Any, Any]) -> str | None:
    """Deployed units stand in their zones, coherent."""
    if b.state.segment != "setup":
        return None
    for u in b.units():
        if b.is_on_table(u) and not in_coherency(b, b.bodies, b.on_table(u)):
            return f"{u.name} is out of coherency"
    return None


@pytest.mark.parametrize(("red", "blue", "mission", "layout"), BATTLES, ids=str)
def test_a_whole_battle_is_played_to_its_victory_points(red: str, blue: str, mission: str, layout: str) -> None:
    setup, state = build({"red": listed(red), "blue": listed(blue)}, mission, layout)
    b: Battle[Any, Any, Any, Any] = Battle(SYSTEM, setup, state, dice=KeyedDice(11)).start()
    rng = Random(11)
    seen = set()
    while b.decisions:
        d = b.decisions[0]
        seen.add(d.kind)
        b.answer(d, next(questions.suggest(b, d, rng)))
        assert invariant(b) is None
    assert b.result is not None
    assert b.result.scores == tuple(p.vp for p in b.state.players) == tuple(sum(p.scored) for p in b.state.players)
    assert b.state.round == 5 or b.result.winners
    assert not (b.state.models.place == OFF).any()
    assert {"deploy", "move"} <= seen


def test_a_battle_from_the_muster_on_stands_every_proof() -> None:
    armies = {"red": listed("tyranids-1000-swarm"), "blue": listed("space-marines-1000-gunline")}
    found = prove(SYSTEM, lambda: build(armies, "only-war", "quarry"), 4, invariant=invariant, every=11)
    assert not found.faults, found.examples
    own = {*mission.QUESTIONS, *deployment.QUESTIONS, *scouts.QUESTIONS, "attach", "reserves", "arrive_with", "arrive"}
    assert found.asked.keys() >= own, own - found.asked.keys()


def test_players_who_take_the_defaults_deploy_within_their_zones() -> None:
    b = battle(red=[CAPTAIN, *[{**INTERCESSORS, "size": 10}] * 4])
    go_on(b, "move_with")
    from sandtable.systems.w40k10.core_concepts import wholly_within

    for u in b.units():
        assert all(b.state.models.place[m] == TABLE for m in u.models)
        assert all(wholly_within(b, b.bodies, int(m), zone_of(b, u.player)) for m in b.on_table(u))


def test_where_there_is_no_room_a_unit_is_not_deployed() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    squad: Unit = named(b, "Intercessor Squad")
    assert find_place(b, rooms_to_deploy, squad) is not None
    crowded = np.array([[0, 0], [steps(60), 0], [steps(60), steps(1)], [0, steps(1)]])
    thin = tuple((int(x), int(y)) for x, y in crowded)
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, zones=(thin, thin)))
    b.state.version = b.state.stamp = new_version()
    d = asked(b, "deploy")
    assert b.check(d, None)
    b.answer(d, None)
    assert squad.no_room
