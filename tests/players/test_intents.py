"""Playing by intent: units go, and are set up, where a player's words point."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import sandtable
from sandtable.battle.questions import middle_after
from sandtable.errors import UserError
from sandtable.players import Person, words
from sandtable.players.base import AnyView, Save
from sandtable.table.grid import STEP

ARMIES = {"red": "orks-1000-horde", "blue": "space-marines-1000-gunline"}


def at_kind(kind: str, name: str = "") -> tuple[Any, AnyView, Any]:
    """A battle that tacticians have played up to a question, perhaps about a unit whose name begins so."""
    battle = sandtable.new("w40k10", armies=ARMIES, layout="crossroads", seed=5)
    player = sandtable.players.tactician()
    while True:
        decision = battle.decisions[0]
        view = battle.view(decision.player)
        if decision.kind == kind and (not name or view.unit(decision.unit).name.startswith(name)):
            return battle, view, decision
        battle.answer(decision, player.choose(view, decision))


def far(view: AnyView, decision: Any, answer: Any, x: float, y: float) -> float:
    """How far from a place the unit's middle would be, in inches."""
    mx, my = middle_after(view, decision, answer)
    return math.hypot(mx / STEP - x, my / STEP - y)


def middle(view: AnyView, unit: Any) -> tuple[float, float]:
    pos = view.state.models.pos[view.on_table(unit)]
    return float(pos[:, 0].mean()) / STEP, float(pos[:, 1].mean()) / STEP


def test_a_unit_goes_to_a_marker_by_its_number() -> None:
    battle, view, decision = at_kind("move")
    marker = next(m for m in view.system.objectives(view) if m.label == "2")
    answer = words.parse(view, decision, "to marker 2", [])
    x, y = marker.x / STEP, marker.y / STEP
    here = middle(view, view.unit(decision.unit))
    assert battle.check(decision, answer)
    assert far(view, decision, answer, x, y) < math.hypot(here[0] - x, here[1] - y) - 2


def test_towards_an_enemy_is_as_far_as_it_may() -> None:
    battle, view, decision = at_kind("move")
    enemy = next(e for e in view.enemies_of(decision.player) if view.is_on_table(e))
    x, y = middle(view, enemy)
    here = middle(view, view.unit(decision.unit))
    answer = words.parse(view, decision, f"normal towards {enemy.name}, as far as I may", [])
    assert battle.check(decision, answer)
    assert answer.mode == "normal"
    assert far(view, decision, answer, x, y) < math.hypot(here[0] - x, here[1] - y) - 3
    away = words.parse(view, decision, f"away from {enemy.name}", [])
    assert battle.check(decision, away)
    assert far(view, decision, away, x, y) > far(view, decision, answer, x, y)


def test_behind_the_ruin_is_the_far_side_from_the_enemy() -> None:
    battle, view, decision = at_kind("deploy")
    answer = words.parse(view, decision, "behind the ruin", [])
    assert battle.check(decision, answer)


def test_a_set_up_flows_to_where_there_is_room() -> None:
    battle, view, decision = at_kind("deploy")
    xs, ys = [x for x, _ in decision.area], [y for _, y in decision.area]
    x, y = (min(xs) + max(xs)) / 2 / STEP, (min(ys) + max(ys)) / 2 / STEP
    for line in (f"at {x:g} {y:g}", f"at {x:.1f}, {y:.1f}", f"[{x:g}, {y:g}]"):
        answer = words.parse(view, decision, line, [])
        assert battle.check(decision, answer)
        assert far(view, decision, answer, x, y) < 8
        assert words.say(view, decision, answer).startswith("around")


def test_a_place_far_outside_the_zone_becomes_the_nearest_one_inside() -> None:
    battle, view, decision = at_kind("deploy")
    answer = words.parse(view, decision, "at 1000 1000", [])
    assert battle.check(decision, answer)


def test_a_formation_can_be_asked_for() -> None:
    _, view, decision = at_kind("move")
    line = words.parse(view, decision, "to marker 2 in a line", [])
    block = words.parse(view, decision, "to marker 2 in a block", [])
    assert line != block


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("to marker 9", "There is no marker 9; the markers are 1, 2, 3"),
        ("towards Napoleon", "'napoleon' is neither a unit on the table nor a kind of terrain here; kinds are "),
        ("behind the ruin 99", "counted from the nearest; not 99"),
    ],
)
def test_a_place_that_is_not_there_is_told_with_those_that_are(said: str, sentence: str) -> None:
    _, view, decision = at_kind("move")
    with pytest.raises(UserError, match=sentence):
        words.parse(view, decision, said, [])


def person(view: AnyView, decision: Any, *lines: str) -> tuple[Any, list[str]]:
    """What a person who types these lines answers, and what is said."""
    said: list[str] = []
    typed = iter(lines)
    return Person(lambda _: next(typed), said.append).choose(view, decision), said


def flat(said: list[str]) -> str:
    """All that was said, without line ends."""
    return " ".join(" ".join(said).split())


def test_a_refusal_names_the_nearest_legal_place_and_ok_takes_it() -> None:
    battle, view, decision = at_kind("move")
    answer, said = person(view, decision, "normal by 30 0", "ok")
    assert "say 'ok' to take it" in flat(said)
    assert battle.check(decision, answer)
    assert answer.paths


def test_an_advance_goes_on_to_where_it_was_sent() -> None:
    battle, view, decision = at_kind("move")
    said: list[str] = []
    typed = iter(["advance to marker 2", ""])
    someone = Person(lambda _: next(typed), said.append)
    battle.answer(decision, someone.choose(view, decision))
    asked = battle.decisions[0]
    assert asked.kind == "complete_move"
    view = battle.view(asked.player)
    answer = someone.choose(view, asked)
    marker = next(m for m in view.system.objectives(view) if m.label == "2")
    here = middle(view, view.unit(asked.unit))
    x, y = marker.x / STEP, marker.y / STEP
    assert far(view, asked, answer, x, y) < math.hypot(here[0] - x, here[1] - y) - 3


def test_commands_look_at_the_table_the_score_a_unit_and_odds() -> None:
    _, view, decision = at_kind("shoot_with")
    enemy = next(e for e in view.enemies_of(decision.player) if view.is_on_table(e))
    mine = next(u for u in view.units_of(decision.player) if view.is_on_table(u))
    _, said = person(view, decision, "map", "score", f"unit {mine.name}", f"odds {mine.name} at {enemy.name}", "")
    text = flat(said)
    assert "numbers: markers, shaded: terrain" in text
    assert "red: 0 VP" in text
    assert "Marker 1: free" in text
    assert " T " in text and " Sv " in text and " from marker " in text
    assert "% to destroy it." in text


@pytest.mark.parametrize("system", ["w40k8", "w40k10", "w40k11"])
def test_every_edition_tells_the_score_and_the_odds_of_shots_and_blows(system: str) -> None:
    battle, player = sandtable.new(system, seed=5), sandtable.players.tactician()
    while (decision := battle.decisions[0]).kind != "strike":
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    view = battle.view(decision.player)
    mine, enemy = view.unit(decision.unit), view.unit(decision.targets[0].value)
    _, said = person(view, decision, "score", f"odds {mine.name} at {enemy.name}", "")
    assert f"{view.state.players[0].name}: {view.state.players[0].vp} VP" in flat(said)
    assert re.search(rf"In melee: [0-9.]+ wounds, [0-9.]+ of {len(view.on_table(enemy))} models", flat(said))


def test_save_hands_the_file_to_the_table() -> None:
    _, view, decision = at_kind("move_with")
    with pytest.raises(Save, match=r"game\.battle"):
        person(view, decision, "save game.battle")
