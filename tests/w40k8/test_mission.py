"""Fighting a battle: missions, the battlefield, terrain, and rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.armies.packs import find_list
from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice, ScriptedDice
from sandtable.battle.events import Asked, Told
from sandtable.battle.questions import check
from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.errors import UserError
from sandtable.forty.enlist import army_of
from sandtable.systems.w40k8.enlist import problems
from sandtable.systems.w40k8.mission import FOLDER, build, generate, missions
from sandtable.systems.w40k8.system import SYSTEM
from sandtable.table.grid import steps
from w40k8.table import bare, rolls, situation, unit

rule = pytest.mark.rule


def begin(mission: str = "only-war", layout: Any = "random-3", **lists: str) -> Any:
    names = {"red": "death-guard-40-vanguard", "blue": "space-marines-60-demi-company", **lists}
    return build({player: find_list(name) for player, name in names.items()}, mission, layout, {})


def field(width: int, depth: int) -> Any:
    return build_table(TableDoc((width, depth)), "in")


@rule("w40k8.battle.mission", check=1)
def test_only_war_is_there() -> None:
    assert "only-war" in missions()


@rule("w40k8.battle.mission", check=1)
def test_nobody_rolls_off_for_a_mission_that_was_agreed_on() -> None:
    setup, state = begin()
    b: Any = Battle(SYSTEM, setup, state, dice=ScriptedDice([2, 5])).start()
    assert ([d.kind for d in b.decisions], len(rolls(b))) == (["place_marker"], 2)


def other_mission(folder: Path, size: str = "[72, 48]") -> str:
    text = (FOLDER / "only-war.yaml").read_text()
    path = folder / "other.yaml"
    path.write_text(text.replace("only-war", "other").replace("Only War", "Other").replace("[72, 48]", size))
    return str(path)


@rule("w40k8.battle.mission", check=2)
def test_players_who_do_not_agree_on_a_mission_roll_off(tmp_path: Path) -> None:
    setup, state = begin(f"only-war,{other_mission(tmp_path)}")
    b: Any = Battle(SYSTEM, setup, state, dice=ScriptedDice([2, 5])).start()
    (d,) = b.decisions
    assert (d.kind, d.player, rolls(b)) == ("mission", 1, [("roll-off", (2,)), ("roll-off", (5,))])


@rule("w40k8.gap.army_size", check=1)
def test_the_size_of_a_battle_is_that_of_the_larger_army() -> None:
    assert begin()[0].data.limit == 60


@rule("w40k8.battle.field", check=1)
def test_a_battlefield_is_72_by_48_inches() -> None:
    setup, _ = begin()
    with pytest.raises(UserError, match=r"w40k8\.battle\.field"):
        begin(layout=field(72, 47))
    assert (setup.table.width, setup.table.depth) == (steps(72), steps(48))


@rule("w40k8.battle.field", check=2)
def test_a_mission_may_set_other_measures(tmp_path: Path) -> None:
    small = other_mission(tmp_path, "[48, 48]")
    with pytest.raises(UserError, match=r"w40k8\.battle\.field"):
        begin(small, field(48, 47))
    assert begin(small, field(48, 48))[0].table.width == steps(48)


@rule("w40k8.battle.field", check=3)
def test_a_larger_battlefield_may_be_set() -> None:
    with pytest.raises(UserError, match=r"w40k8\.battle\.field"):
        begin(layout=field(71, 60))
    assert begin(layout=field(96, 60))[0].table.width == steps(96)


@rule("w40k8.battle.terrain", check=1)
def test_any_number_of_features_is_legal() -> None:
    crowd = [FeatureDoc("crater", f"crater-{i}", "", (2 + 7 * (i % 10), 2 + 5 * (i // 10), 3, 3)) for i in range(80)]
    tables = [field(72, 48), build_table(TableDoc((72, 48), tuple(crowd)), "in"), "random-3"]
    found = [len(begin(layout=table)[0].table.features) for table in tables]
    assert (found[:2], 6 <= found[2] <= 12) == ([0, 80], True)


@rule("w40k8.battle.terrain", check=3)
def test_no_rules_of_a_battlezone_are_in_force() -> None:
    setup, state = begin()
    brought = [ability for ability in setup.data.abilities if ability.player not in (0, 1)]
    assert (brought, state.effects, setup.table.width) == ([], (), steps(72))
    assert not any("zone" in name for name in setup.options)


@rule("w40k8.battle.terrain", check=2)
@pytest.mark.parametrize("seed", range(12))
def test_a_generated_battlefield_has_one_or_two_features_in_each_square(seed: int) -> None:
    counts = {(x, y): 0 for x in range(3) for y in range(2)}
    for feature in build_table(generate(seed), "in").features:
        (square,) = {(x // steps(24), y // steps(24)) for x, y in feature.outline}
        counts[square] += 1
    assert set(counts.values()) <= {1, 2}


@rule("w40k8.battle.terrain", check=2)
def test_generated_features_keep_to_their_part_of_the_square_and_squares_have_one_or_two() -> None:
    across, deep, counts = set(), set(), set()
    for seed in range(60):
        squares: dict[tuple[int, int], int] = {}
        for feature in build_table(generate(seed), "in").features:
            across |= {x % steps(24) for x, _ in feature.outline}
            deep |= {y % steps(12) for _, y in feature.outline}
            x, y = feature.outline[0]
            place = (x // steps(24), y // steps(24))
            squares[place] = squares.get(place, 0) + 1
        counts |= set(squares.values())
    edges = [min(across), max(across), min(deep), max(deep)]
    assert (edges, counts) == ([steps(2), steps(22), steps(2), steps(10)], {1, 2})


def rounds() -> Any:
    """A battle of two rounds without anything to do but to move."""
    units = [unit("Reds", "red", bare(), [(2, 2)]), unit("Blues", "blue", bare(), [(42, 28)])]
    b = situation(units, step="movement_phase", turns=4)
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    return b


def story(b: Any, *kinds: str) -> list[str]:
    return [e.text for e in b.events if isinstance(e, Told) and e.kind in kinds]


@rule("w40k8.round.battle_round", check=1)
@rule("w40k8.round.battle_round", check=4)
def test_a_round_holds_one_turn_of_each_player() -> None:
    told = [text for text in story(rounds(), "phase", "round") if "Movement" in text or "round" in text]
    turn = ["red: Movement phase.", "blue: Movement phase."]
    assert told == [*turn, "Battle round 2.", *turn]


@rule("w40k8.round.battle_round", check=1)
def test_three_players_have_their_turns_one_after_the_other() -> None:
    spots = {"red": (2, 2), "blue": (42, 28), "green": (42, 2)}
    b = situation([unit(p, p, bare(), [at]) for p, at in spots.items()], step="movement_phase", turns=4)
    while b.decisions:
        b.answer(b.decisions[0], None)
    turns = [text.split(":")[0] for text in story(b, "phase") if "Movement" in text]
    assert turns == ["red", "blue", "green", "red"]


@rule("w40k8.round.battle_round", check=3)
def test_a_turn_starts_after_the_other_has_fully_ended() -> None:
    players = [text.split(":")[0] for text in story(rounds(), "phase")]
    assert players == [*["red"] * 6, *["blue"] * 6] * 2


@rule("w40k8.gap.battle_forged", check=1)
def test_there_are_no_command_points_and_no_stratagems() -> None:
    setup, state = begin()
    army = army_of(find_list("death-guard-40-vanguard"))
    forged = msgspec.structs.replace(army.list, detachment="battalion")
    assert (setup.data.stratagems, [hasattr(p, "cp") for p in state.players]) == ((), [False, False])
    assert [p.rule for p in problems(forged, army.pack)] == ["w40k8.gap.battle_forged"]


def test_a_whole_battle_asks_questions_of_every_step() -> None:
    setup, state = begin()
    b: Any = Battle(SYSTEM, setup, state, dice=KeyedDice(1)).start()
    while b.decisions:
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    asked = {e.kind for e in b.events if isinstance(e, Asked)}
    assert asked >= {"place_marker", "divide", "zone", "deploy_with", "deploy", "first_turn", "move_with"}
    assert b.result is not None
