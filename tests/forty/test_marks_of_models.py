"""What a scenario file says of single models: what is remembered of them, and which way they face."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from sandtable import systems
from sandtable.battle.events import Rolled
from sandtable.battle.scenario import open_scenario, read_scenario, set_up_scenario
from sandtable.errors import UserError
from sandtable.forty.moment import moment
from sandtable.table.grid import facing

TROOPER: dict[str, Any] = {
    "move": 6, "weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "toughness": 4, "wounds": 2, "attacks": 2,
    "leadership": 7, "save": 3, "base": "25.4mm", "height": 1.6, "keywords": ["INFANTRY"],
    "weapons": [{"name": "gun", "range": 24, "type": "heavy", "attacks": "1", "strength": "4", "ap": 0, "damage": "1"}],
}  # fmt: skip
MODERN: dict[str, Any] = {
    "move": 6, "toughness": 4, "save": 3, "wounds": 2, "leadership": 6, "oc": 2, "base": "32mm", "height": 1.6,
    "keywords": ["INFANTRY"],
    "weapons": [{"name": "gun", "range": 24, "attacks": "1", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}],
}  # fmt: skip
REDS: dict[str, Any] = {"name": "Reds", "player": "red", "sheet": "T", "positions": [[20, 20], [21.5, 20], [23, 20]]}


def file_of(system: str = "w40k8", **reds: Any) -> dict[str, Any]:
    """Red is about to shoot, three models at the one of Blue."""
    return {
        "scenario": "Marks", "system": system, "question": "Who has moved?", "table": {"size": [60, 44]},
        "sheets": {"T": MODERN if system == "w40k10" else TROOPER},
        "units": [REDS | reds, {"name": "Blues", "player": "blue", "sheet": "T", "positions": [[30, 20]]}],
        "at": {"step": "shoot_units", "round": 1, "active": "red"},
    }  # fmt: skip


def read(doc: dict[str, Any]) -> Any:
    return set_up_scenario(read_scenario(yaml.safe_dump(doc), "file"), systems.get(doc["system"]))


def marks(doc: dict[str, Any]) -> list[int]:
    """The marks of the models of Red."""
    return read(doc).state.models.mark[:3].tolist()  # type: ignore[no-any-return]


def hits_needed(doc: dict[str, Any]) -> list[int]:
    """What each batch of hits of Red needs."""
    battle: Any = open_scenario(read_scenario(yaml.safe_dump(doc), "file"), systems.get(doc["system"]))
    battle.answer(battle.decisions[0], 0)
    for _ in range(4):
        if battle.decisions[0].kind in ("shoot", "aim"):
            battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    return [e.needed for e in battle.events if isinstance(e, Rolled) and e.reason == "hit"]


@pytest.mark.parametrize("moved", ["normal", "advance", "fall_back"])
def test_all_models_of_a_unit_have_moved_if_nothing_else_is_said(moved: str) -> None:
    assert marks(file_of(flags={"moved": moved})) == [1, 1, 1]


@pytest.mark.parametrize("said", [{}, {"flags": {"moved": "stationary"}}, {"flags": {"shot": True}}])
def test_no_model_has_moved_of_a_unit_that_has_not(said: dict[str, Any]) -> None:
    assert marks(file_of(**said)) == [0, 0, 0]


@pytest.mark.parametrize(("said", "has"), [([2], [0, 1, 0]), ("all", [1, 1, 1]), ([], [0, 0, 0]), ([3, 1], [1, 0, 1])])
def test_a_file_says_which_models_have_moved(said: Any, has: list[int]) -> None:
    assert marks(file_of(flags={"moved": "normal"}, marks={"moved": said})) == has


def test_a_file_says_to_which_models_attacks_were_allocated() -> None:
    assert marks(file_of("w40k10", marks={"allocated": [3]})) == [0, 0, 1]


@pytest.mark.parametrize(
    ("system", "reds"),
    [
        ("w40k8", {"flags": {"moved": "normal"}, "marks": {"moved": [2]}}),
        ("w40k8", {"flags": {"moved": "normal"}, "marks": {"moved": []}}),
        ("w40k8", {"flags": {"moved": "normal"}}),
        ("w40k8", {"marks": {"moved": "all"}}),
        ("w40k10", {"marks": {"allocated": [1, 3]}}),
    ],
)
def test_the_file_of_a_moment_says_as_much_of_models_as_is_needed(system: str, reds: dict[str, Any]) -> None:
    battle = read(file_of(system, **reds))
    written = moment(battle)
    assert written["units"][0].get("marks") == reds.get("marks")
    assert marks(written) == battle.state.models.mark[:3].tolist()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"marks": {"moved": [0]}}, "units (Reds).marks.moved: models are numbered 1 to 3, there is no 0"),
        ({"marks": {"moved": [4]}}, "units (Reds).marks.moved: models are numbered 1 to 3, there is no 4"),
        ({"marks": {"moved": [-1]}}, "there is no -1"),
        ({"marks": {"moved": [10**9]}}, "there is no 1000000000"),
        ({"marks": {"flew": [1]}}, "units (Reds).marks: there is no 'flew'; there are moved"),
        ({"marks": {"moved": "some"}}, "marks"),
        ({"marks": {"moved": True}}, "marks"),
        ({"marks": [1]}, "marks"),
        ({"facing": [0, 90]}, "units (Reds): 3 models, but 2 facings"),
        ({"facing": [0, 90, 400]}, "degrees from -360 to 360, not 0, 90, 400"),
        ({"facing": [0, 90, float("nan")]}, "no number"),
    ],
)
def test_what_no_model_can_have_is_refused(said: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError) as refused:
        read(file_of(**said))
    assert told in str(refused.value)


def test_models_face_different_ways() -> None:
    battle = read(file_of(facing=[0, 90, 45.5]))
    assert battle.state.models.facing[:3].tolist() == [facing(d) for d in (0, 90, 45.5)]
    assert moment(battle)["units"][1]["facing"] == 0


@pytest.mark.rule("w40k8.weapon.heavy", check=1)
def test_a_heavy_weapon_of_a_unit_that_a_file_says_has_moved_needs_one_more() -> None:
    assert hits_needed(file_of(flags={"moved": "normal"})) == [4]


def test_a_heavy_weapon_of_a_model_that_stood_still_does_not_mind_the_rest_of_its_unit() -> None:
    assert sorted(hits_needed(file_of(flags={"moved": "normal"}, marks={"moved": [2]}))) == [3, 4]
