"""Before blows are struck players see what they would do, are shown the best split, and get what they point at."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from sandtable.battle import Assign, Assignment, questions
from sandtable.battle.scenario import UnitDoc
from sandtable.systems import get
from support.acting import AnyBattle, asked, kinds, named
from support.situations import INCH, opened, unit

LINE = {"base": INCH, "height": 1.5, "keywords": ["INFANTRY"], "move": 6, "toughness": 4, "leadership": 6}
SKILLS = {"weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "attacks": 2, "leadership": 7}
BARE = {**LINE, "name": "Target", "save": 7, "wounds": 1}


class Edition(NamedTuple):
    """How an edition writes its sheets, and at which step it fights."""

    system: str
    step: str
    more: dict[str, Any]
    blade: dict[str, Any]
    fist: dict[str, Any]


MODERN = {"attacks": "2", "skill": 3, "ap": 0, "damage": "1"}
EDITIONS = [
    Edition(
        "w40k8",
        "fight_units",
        SKILLS,
        {"name": "blade", "strength": "user", "ap": 0, "damage": "1"},
        {"name": "fist", "strength": "x2", "ap": -3, "damage": "1"},
    ),
    Edition(
        "w40k10",
        "remaining_combats",
        {"oc": 1},
        {**MODERN, "name": "blade", "strength": 4},
        {**MODERN, "name": "fist", "strength": 8},
    ),
    Edition(
        "w40k11",
        "fight_units",
        {"oc": 1},
        {**MODERN, "name": "blade", "strength": 4},
        {**MODERN, "name": "fist", "strength": 8},
    ),
]


def fight(edition: Edition) -> tuple[AnyBattle, Assign]:
    """One of the Reds stands between Left and Right, the other touches only Right; Reds are about to strike."""
    bare = {**BARE, **edition.more}
    red = {**bare, "name": "Red", "weapons": [edition.blade, edition.fist]}
    units: list[UnitDoc] = [
        unit("Reds", "red", red, [(10, 10), (10, 12.5)]),
        unit("Left", "blue", bare, [(9, 9.5)], fought=True),
        unit("Right", "blue", bare, [(11, 10), (11, 12.5)], fought=True),
    ]
    b = opened(get(edition.system), units, step=edition.step, cp=())
    while "strike" not in kinds(b):
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))
    found = asked(b, "strike")
    assert isinstance(found, Assign)
    return b, found


def everything(b: AnyBattle, d: Assign, name: str) -> tuple[Assignment, ...]:
    """What a player means who points at an enemy, without a thought for what goes together."""
    whom = named(b, name).id
    return tuple(Assignment(row.id, whom, row.count) for row in d.rows if whom in row.targets)


@pytest.fixture(params=EDITIONS, ids=lambda edition: edition.system)
def struck(request: pytest.FixtureRequest) -> tuple[AnyBattle, Assign]:
    return fight(request.param)


def test_everything_at_one_target_is_not_legal_by_itself(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    assert not questions.check(b, d, everything(b, d, "Left"))


def test_but_something_legal_is_meant_by_it(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    assert questions.check(b, d, questions.fit(b, d, everything(b, d, "Left")))


def test_who_cannot_reach_the_target_strikes_another(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    found = questions.fit(b, d, everything(b, d, "Left"))
    at = {name: sum(a.count for a in found if a.target == named(b, name).id) for name in ("Left", "Right")}
    assert at == {"Left": 2, "Right": 2}


def test_no_row_is_named_twice_at_a_target(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    found = questions.fit(b, d, everything(b, d, "Right")[:1])
    assert len({(a.row, a.target) for a in found}) == len(found)


def test_the_outlook_tells_what_falls(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    left, right = named(b, "Left").id, named(b, "Right").id
    seen = {o.target: o for o in questions.outlook(b, d, questions.fit(b, d, everything(b, d, "Left")))}
    # Two attacks with the fist, each hits on 3+ and wounds on 2+, and nobody saves.
    one = 1 - (1 - 2 / 3 * 5 / 6) ** 2
    assert seen[left].destroyed == pytest.approx(one)
    assert seen[right].lost == pytest.approx(2 * 2 / 3 * 5 / 6)
    assert (seen[left].of, seen[right].of) == (1, 2)


def test_the_best_split_is_legal(struck: tuple[AnyBattle, Assign]) -> None:
    b, d = struck
    assert questions.check(b, d, questions.advise(b, d, "kills"))


@pytest.mark.parametrize("name", ["Left", "Right"])
def test_the_best_split_does_no_less_than_all_at_one(struck: tuple[AnyBattle, Assign], name: str) -> None:
    b, d = struck
    best, one = questions.advise(b, d, "kills"), questions.fit(b, d, everything(b, d, name))
    worth = [sum(o.lost for o in questions.outlook(b, d, answer)) for answer in (best, one)]
    assert worth[0] > worth[1], "one attack to the left and one to the right waste least"
