"""What a world keeps depends on nothing but what it is kept under."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.battle import GONE, Effect
from sandtable.battle.kept import EFFECTS, EVERYTHING, LOSSES, PLACES, PLACES_OF_THESE, SETUP, Reads, kept
from sandtable.battle.stale import StaleValue, same, watching
from sandtable.forty.aiming import guns_of
from sandtable.forty.deploying import find_place
from sandtable.forty.mind.outlook import outlook, outlook_with
from sandtable.forty.mind.plan import plan
from sandtable.forty.mind.shots import best_shots, target_worth
from sandtable.sim.game import Game, open_game, play_game
from sandtable.systems.w40k10.deployment import rooms_to_deploy, zone_of
from sandtable.systems.w40k10.movement_phase import way_out
from sandtable.systems.w40k10.state import Battle10, Unit
from w40k10.arms import face_off, gun, target
from w40k10.powers import at, called, clash
from w40k10.table import JUMPER, TROOPER, named, row, situation, unit

# --- The check itself -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reads", [SETUP, LOSSES, PLACES_OF_THESE, PLACES, EFFECTS])
def test_a_value_that_is_kept_too_long_is_found(reads: Reads) -> None:
    @kept(reads)
    def shocked(w: Battle10, unit: Unit) -> bool:
        return unit.battle_shocked

    b = situation([unit("Reds", "red", TROOPER, row(2, (5, 5))), unit("Blues", "blue", TROOPER, [(30, 5)])])
    reds = named(b, "Reds")
    with watching():
        assert [shocked(b, reds), shocked(b, reds)] == [False, False]
        b.set_unit(reds, battle_shocked=True)
        with pytest.raises(StaleValue, match="shocked"):
            shocked(b, reds)
    with watching(collect=True) as watch:
        shocked(b, reds)
        shocked(b, reds)
    assert [name.rpartition(".")[2] for name in watch.found] == ["shocked"]


def test_what_is_kept_until_anything_changes_is_never_stale() -> None:
    @kept(EVERYTHING)
    def shocked(w: Battle10, unit: Unit) -> bool:
        return unit.battle_shocked

    b = situation([unit("Reds", "red", TROOPER, row(2, (5, 5))), unit("Blues", "blue", TROOPER, [(30, 5)])])
    with watching() as watch:
        for now in (True, False, True):
            b.set_unit(named(b, "Reds"), battle_shocked=now)
            assert shocked(b, named(b, "Reds")) is now
            assert shocked(b, named(b, "Reds")) is now
    assert watch.checked == 3


def test_values_are_compared_to_their_depth() -> None:
    assert same((np.array([1.0, np.nan]), {"a": [1]}), (np.array([1.0, np.nan]), {"a": [1]}))
    assert not same((np.array([1.0, 2.0]), 1), (np.array([1.0, 3.0]), 1))
    assert not same({"a": [1]}, {"a": [2]})
    assert not same([1], (1,))
    assert not same(np.array([1]), np.array([1.0]))


@pytest.mark.parametrize("number", [0, 1])
def test_a_whole_battle_keeps_nothing_too_long(number: int) -> None:
    lists = [("necrons-1000-destroyers", "tyranids-1000-swarm"), ("orks-1000-speed", "space-marines-1000-assault")]
    players = [("tactician", "tactician"), ("rusher", "random")]
    game = Game("w40k10", lists[number], players[number], "supply-drop", "crossroads", 3 + number)
    with watching(collect=True) as watch:
        assert play_game(game).trouble == ""
    assert watch.found == {} and watch.checked > 10_000


# --- What was kept too long -------------------------------------------------------------------------------------------


def test_a_unit_flies_in_the_outlook_as_long_as_its_flying_model_lives() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (5, 5))),
            unit("Pilot", "red", {**JUMPER, "leads": ["Trooper"], "abilities": ["leader"]}, [(5, 6.5)], leads="Reds"),
            unit("Blues", "blue", TROOPER, [(30, 5)]),
        ]
    )
    reds = named(b, "Reds")
    assert outlook(b).field.passes[outlook(b).row[reds.id]]
    b.place_models(list(reds.leader), GONE)
    assert not outlook(b).field.passes[outlook(b).row[reds.id]]


ROCKET = gun("one shot", name="rocket", s=8, d="3")


def launcher() -> Battle10:
    """Reds with a rifle and a rocket each, in front of Blues."""
    return face_off([gun(name="rifle"), ROCKET], target(wounds=6), shooters=2)


def test_the_best_shots_are_those_of_weapons_that_are_left() -> None:
    b = launcher()
    reds = named(b, "Reds")
    before = best_shots(b, reds)
    assert {g for g, _, _, _ in before.guns} == {0, 1}
    b.set_unit(reds, emptied=tuple((int(m), "rocket") for m in reds.models))
    assert {g for g, _, _, _ in best_shots(b, reds).guns} == {0}


def test_the_best_shots_look_at_effects_and_at_who_may_shoot() -> None:
    b = launcher()
    reds = named(b, "Reds")
    assert [n for *_, n in best_shots(b, reds).guns] == [2, 2]
    b.set_unit(reds, last_stand=(int(reds.models[0]),))
    assert [n for *_, n in best_shots(b, reds).guns] == [1, 1]
    stronger = {
        "kind": "characteristic",
        "name": "S",
        "add": 8,
        "weapons": "ranged",
        "at": "select_to_shoot",
        "until": "phase",
    }
    c = clash([at("intercessor-squad", 10)], [at("trukk", 20)], gain=[("Intercessor Squad", stronger)])
    number = len(c.setup.data.abilities) - 1
    weak = best_shots(c, called(c, "Intercessor Squad")).worth
    c.add_effect(Effect("ability", called(c, "Intercessor Squad").id, f"{number}/0", until="phase"))
    assert best_shots(c, called(c, "Intercessor Squad")).worth > weak


def test_what_a_target_is_worth_and_who_goes_where_depend_on_who_is_shocked_and_on_the_turn() -> None:
    def ready() -> Battle10:
        return situation(
            [unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Blues", "blue", TROOPER, row(3, (12, 14)))],
            objectives=[(12, 12)],
            game={"control": [-1]},
        )

    b, fresh = ready(), ready()
    target_worth(b, 0), plan(b, 0), outlook_with(b, named(b, "Reds"))
    for battle in (b, fresh):
        battle.set_unit(named(battle, "Blues"), battle_shocked=True)
        battle.set_clock(active=1)
    assert target_worth(b, 0) == target_worth(fresh, 0)
    assert same(plan(b, 0), plan(fresh, 0))
    assert same(outlook_with(b, named(b, "Reds")).hold, outlook_with(fresh, named(fresh, "Reds")).hold)


def test_a_place_to_deploy_is_looked_for_in_the_zone_that_is_the_players_now() -> None:
    game = Game(
        "w40k10", ("necrons-1000-legion", "orks-1000-horde"), ("tactician", "tactician"), "only-war", "crossroads", 1
    )
    b = open_game(game)
    found = []
    for attacker in (0, 1):
        b.set_game(attacker=attacker)
        spots = find_place(b, rooms_to_deploy, b.units()[0])
        assert spots is not None
        found.append((spots, zone_of(b, 0)))
    (first, one), (second, other) = found
    assert one != other and first != second


def test_ways_out_are_looked_for_anew_when_an_ability_opens_them() -> None:
    gain = {"kind": "allow", "what": "move_through_models", "at": "movement", "until": "phase"}
    boyz = [at("boyz", 11.4), at("gretchin", 8.4), at("nobz", 4.0)]
    b = clash([at("captain", 10, 12)], boyz, gain=[("Captain", gain)], step="move_units")
    captain = called(b, "Captain")
    before = way_out(b, captain, ())
    number = len(b.setup.data.abilities) - 1
    b.add_effect(Effect("ability", captain.id, f"{number}/0", until="phase"))
    assert way_out(b, captain, ()) != before


def test_a_lone_operative_is_one_from_the_moment_an_ability_makes_it_one() -> None:
    gain = {"kind": "grant", "ability": "lone operative", "at": "any_command", "until": "turn"}
    b = clash([at("intercessor-squad", 10)], [at("nobz", 28)], gain=[("Nobz", gain)])
    nobz, squad = called(b, "Nobz"), called(b, "Intercessor Squad")
    assert any(g.anything for g in guns_of(b, squad))
    number = len(b.setup.data.abilities) - 1
    b.add_effect(Effect("ability", nobz.id, f"{number}/0", until="turn"))
    assert not any(g.anything for g in guns_of(b, squad)), "more than 12 inches away"
