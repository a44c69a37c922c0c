"""Abilities that follow moves, and moves that follow abilities."""

from __future__ import annotations

import pytest

from sandtable.battle import OFF, Refused
from sandtable.systems.w40k10.charge_phase import able_to_charge
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.table.grid import STEP, steps
from w40k10.armies import go_on
from w40k10.powers import Place, at, called, clash
from w40k10.table import asked, default, give, kinds, offered, places, rolls
from w40k10.test_moments_command import use_now, used

FOES = at("intercessor-squad", 40)


def walk(b: Battle10, who: str, by: tuple[float, float], mode: str = "normal") -> None:
    """A unit moves."""
    give(b, "move_with", who)
    give(b, "move", {"mode": mode, "by": list(by)})


def settle(b: Battle10) -> None:
    """Wounds go where they go by default."""
    while kinds(b) == ["allocate"]:
        default(b, "allocate")


# --- After a move -----------------------------------------------------------------------------------------------------


def squigs(count: int = 1) -> Place:
    carries = {"model": "Tankbusta", "carry": ["rokkit launcha", "close combat weapon", *["bomb squig"] * count]}
    return at("tankbustas", 10, wargear=[carries])


def test_a_bomb_squig_goes_off_after_a_normal_move() -> None:
    b = clash([squigs()], [at("intercessor-squad", 24)], step="move_units", dice={"Bomb Squigs": [3, 4]})
    b.start()
    walk(b, "Tankbustas", (3, 0))
    use_now(b, "unit_move_ended", "Bomb Squigs")
    settle(b)
    assert rolls(b)[-2:] == [("Bomb Squigs", (3,)), ("Bomb Squigs", (4,))]
    assert sum(b.state.models.wounds[list(called(b, "Intercessor Squad").models)]) == 8


def test_a_bomb_squig_needs_a_three_and_each_is_used_once() -> None:
    b = clash([squigs(2)], [at("scout-squad", 24)], step="move_units", dice={"any": [2] * 300})
    b.start()
    walk(b, "Tankbustas", (3, 0))
    use_now(b, "unit_move_ended", "Bomb Squigs")
    assert not any(reason == "damage" for reason, _ in rolls(b)) and len(b.on_table(called(b, "Scout Squad"))) == 5
    assert sum("battle|" in s for s in b.player(0).spent) == 1
    assert "react.unit_move_ended" not in kinds(b), "one squig after one move"
    while b.state.active or b.state.round < 2:
        default(b, kinds(b)[0])
    go_on(b, "move_with")
    walk(b, "Tankbustas", (1, 0))
    go_on(b, "react.unit_move_ended")
    assert [label for label in offered(b, "react.unit_move_ended") if "Squig" in label], "the second one"


def test_no_squig_after_an_advance() -> None:
    b = clash([squigs()], [at("intercessor-squad", 24)], step="move_units", dice={"advance": [1]})
    b.start()
    give(b, "move_with", "Tankbustas")
    give(b, "move", {"mode": "advance"})
    default(b, "complete_move")
    assert "react.unit_move_ended" not in kinds(b)


def test_wraiths_hurt_what_they_move_over() -> None:
    b = clash(
        [at("canoptek-wraiths", 10)],
        [at("boyz", 13), at("gretchin", 40)],
        step="move_units",
        dice={"Wraith Form": [4, 4, 3]},
        gain=[("Canoptek Wraiths", {"kind": "allow", "what": "move_through_models"})],
    )
    b.start()
    walk(b, "Canoptek Wraiths", (8, 0))
    use_now(b, "unit_move_ended", "Wraith Form")
    settle(b)
    assert len(b.on_table(called(b, "Boyz"))) == 8, "two of three dice show a 4"


def test_a_move_beside_the_enemy_is_no_move_over_it() -> None:
    b = clash([at("canoptek-wraiths", 10)], [at("boyz", 30)], step="move_units", dice=[])
    b.start()
    walk(b, "Canoptek Wraiths", (8, 0))
    assert "react.unit_move_ended" not in kinds(b)


def test_a_charge_brings_mortal_wounds_for_each_model_that_reached_the_enemy() -> None:
    b = clash(
        [at("jump-pack-intercessors", 10)],
        [at("boyz", 16), at("nobz", 40)],
        step="charge_phase",
        dice={"charge": [6, 6], "Hammer of Wrath": [4, 4, 4, 1, 1, 1]},
    )
    b.start()
    give(b, "charge_with", "Assault Intercessors with Jump Packs")
    default(b, "charge_move")
    settle(b)
    (faces,) = [f for reason, f in rolls(b) if reason == "Hammer of Wrath"]
    near = b.distances(called(b, "Assault Intercessors with Jump Packs"), called(b, "Boyz")).min(axis=1) <= steps(1)
    assert 0 < len(faces) <= 5 and used(b) == ["Hammer of Wrath"]
    assert len(b.on_table(called(b, "Boyz"))) == 10 - sum(f == 4 for f in faces)
    assert near.any()


@pytest.mark.parametrize(("face", "second", "lost"), [(1, 0, 0), (2, 6, 3), (6, 1, 4)])
def test_one_die_decides_between_two_results(face: int, second: int, lost: int) -> None:
    b = clash(
        [at("deff-dread", 10)],
        [at("intercessor-squad", 17)],
        step="charge_phase",
        dice={"charge": [6, 6], "Piston-driven Brutality": [face, second]},
    )
    b.start()
    give(b, "charge_with", "Deff Dread")
    default(b, "charge_move")
    settle(b)
    assert 10 - sum(b.state.models.wounds[list(called(b, "Intercessor Squad").models)]) == lost


# --- Moves out of turn ------------------------------------------------------------------------------------------------


def test_termagants_slip_away_when_an_enemy_comes_near() -> None:
    b = clash([at("intercessor-squad", 10)], [at("termagants", 22)], step="move_units", dice={"Skulking Horrors": [5]})
    b.start()
    walk(b, "Intercessor Squad", (5, 0))
    use_now(b, "unit_move_ended", "Skulking Horrors")
    d = asked(b, "extra_move")
    assert d.modes[0].allowance == steps(5)  # type: ignore[attr-defined]
    assert d.player == 1
    start = places(b, "Termagants")[0]
    with pytest.raises(Refused):
        give(b, "extra_move", {"mode": "normal", "by": [6, 0]})
    give(b, "extra_move", {"mode": "normal", "by": [5, 0]})
    assert places(b, "Termagants")[0][0] == pytest.approx(start[0] + 5)
    assert any(s.startswith("turn|") for s in b.player(1).spent), "once in a turn"


def test_nobody_slips_away_from_an_enemy_that_stays_far() -> None:
    b = clash([at("intercessor-squad", 10)], [at("termagants", 30)], step="move_units", dice=[])
    b.start()
    walk(b, "Intercessor Squad", (5, 0))
    assert "react.unit_move_ended" not in kinds(b)


def test_tomb_blades_move_after_shooting_and_then_cannot_charge() -> None:
    b = clash([at("tomb-blades", 10), at("immortals", 10, 30)], [at("boyz", 24)], dice={"any": [2] * 60})
    b.start()
    give(b, "shoot_with", "Tomb Blades")
    default(b, "shoot")
    assert b.default(asked(b, "react.attacks_made")) is None, "it costs the charge"
    use_now(b, "attacks_made", "Evasion Engrams")
    give(b, "extra_move", {"mode": "normal", "by": [-6, 0]})
    assert places(b, "Tomb Blades")[0][0] == 4
    assert kinds(b) == ["shoot_with"], "another unit keeps the phase going"
    blades = called(b, "Tomb Blades")
    assert "Evasion Engrams" in str(able_to_charge(b, blades))
    b.end_effects(lambda e: e.until == "turn")
    assert able_to_charge(b, blades)


def test_carnifexes_surge_into_those_who_shot_them() -> None:
    b = clash(
        [at("eradicator-squad", 20)],
        [at("carnifexes", 14, 8)],
        dice={"hit": [6] + [1] * 9, "wound": [6], "save": [1], "damage": [1] * 5, "Blistering Assault": [6]},
    )
    b.start()
    give(b, "shoot_with", "Eradicator Squad")
    default(b, "shoot")
    for _ in range(10):
        if "react.attacks_made" in kinds(b):
            break
        default(b, kinds(b)[0])
    use_now(b, "attacks_made", "Blistering Assault")
    d = asked(b, "extra_move")
    assert d.modes[0].name == "surge" and d.modes[0].allowance == steps(8)  # type: ignore[attr-defined]
    with pytest.raises(Refused, match="closer"):
        give(b, "extra_move", {"mode": "surge", "by": [-3, 0]})
    default(b, "extra_move")
    assert b.distance(called(b, "Carnifexes"), called(b, "Eradicator Squad")) <= STEP


# --- Leaving the battlefield ------------------------------------------------------------------------------------------


def test_scouts_slip_into_reserves_at_the_end_of_the_opponents_turn() -> None:
    b = clash([at("boyz", 10), at("boyz", 50, name="Other")], [at("scout-squad", 30)], step="end_turn", dice=[])
    b.start()
    use_now(b, "turn_ended", "Guerrilla Tactics")
    squad = called(b, "Scout Squad")
    assert squad.reserve == "strategic" and all(b.state.models.place[m] == OFF for m in squad.models)


def test_scouts_stay_when_an_enemy_is_near_or_in_their_own_turn() -> None:
    near = clash([at("boyz", 25)], [at("scout-squad", 30)], step="end_turn", dice=[])
    near.start()
    assert "react.turn_ended" not in kinds(near)
    own = clash([at("boyz", 10)], [at("scout-squad", 30)], step="end_turn", active=1, dice=[])
    own.start()
    assert "react.turn_ended" not in kinds(own)


def jump(face: int) -> Battle10:
    squad = [at("boyz", 10), at("weirdboy", 11.5, leads="Boyz"), at("nobz", 18)]
    b = clash(squad, [FOES], step="end_phase", dice={"Da Jump": [face, 6], "any": [1] * 30})
    b.state.game.phase = "movement"
    b.start()
    assert b.default(asked(b, "react.phase_ended")) is None, "it may cost wounds"
    use_now(b, "phase_ended", "Da Jump")
    return b


def test_da_jump_sets_the_unit_up_elsewhere() -> None:
    b = jump(2)
    d = asked(b, "arrive")
    assert all(b.state.models.place[m] == OFF for m in d.models)  # type: ignore[attr-defined]
    default(b, "arrive")
    assert len(b.on_table(called(b, "Boyz"))) == 11 and called(b, "Boyz").moved == "normal"
    assert b.distance(called(b, "Boyz"), called(b, "Intercessor Squad")) > steps(9)


def test_da_jump_on_a_one_hurts_the_unit_instead() -> None:
    b = jump(1)
    settle(b)
    boyz = list(called(b, "Boyz").models)
    full = sum(sheet_of(b, m).wounds for m in boyz)
    assert full - int(b.state.models.wounds[boyz].sum()) == 6, "six mortal wounds"
    assert "arrive" not in kinds(b)
