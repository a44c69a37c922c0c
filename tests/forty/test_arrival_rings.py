"""Whoever arrives from reserve is told how far from enemies: by a ring of the system, and by the question itself."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Place
from sandtable.battle.system import Ring
from sandtable.systems import get
from sandtable.table.grid import steps
from support.acting import AnyBattle, asked, give, kinds, named
from support.situations import INCH, Doc, opened, unit

LINE: Doc = {
    "name": "Grunt", "move": 6, "toughness": 4, "save": 4, "wounds": 1, "leadership": 6, "base": INCH, "height": 1.5,
    "keywords": ["INFANTRY"],
}  # fmt: skip
OLD = {"weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "attacks": 1}
STRIKES = {"abilities": ["deep strike"], "oc": 1}
EDITIONS = [
    ("w40k8", "reinforcements", {**OLD, "abilities": ["teleport strike"]}, "teleport strike", 9),
    ("w40k10", "reinforcements", STRIKES, "deep strike", 9),
    ("w40k11", "move_units", STRIKES, "strategic", 8),
]
NEAR = {"unit": "Newcomers", "name": "Near", "effects": [{"kind": "allow", "what": "arrive_at_6"}]}


def arriving(system: str, step: str, more: Doc, reserve: str, **extra: Any) -> tuple[AnyBattle, Place]:
    """Red's Newcomers wait, and are asked where they arrive."""
    doc = {**LINE, **more}
    b = opened(
        get(system),
        [
            unit("Reds", "red", doc, [(4, 4)], moved="stationary"),
            unit("Newcomers", "red", doc, off=1, reserve=reserve),
            unit("Blues", "blue", doc, [(22, 15)]),
        ],
        step=step,
        round_=2,
        cp=(),
        **extra,
    )
    b.answer(b.decisions[0], named(b, "Newcomers").id)
    while "enter" in kinds(b):
        give(b, "enter", "ingress")
    found = asked(b, "arrive")
    assert isinstance(found, Place)
    return b, found


@pytest.mark.parametrize(("system", "step", "more", "reserve", "far"), EDITIONS, ids=[e[0] for e in EDITIONS])
def test_the_question_names_the_distance(system: str, step: str, more: Doc, reserve: str, far: int) -> None:
    _, found = arriving(system, step, more, reserve)
    assert found.about["gap"] == steps(far)


@pytest.mark.parametrize(("system", "step", "more", "reserve", "far"), EDITIONS, ids=[e[0] for e in EDITIONS])
def test_the_system_has_a_ring_for_it(system: str, step: str, more: Doc, reserve: str, far: int) -> None:
    b, _ = arriving(system, step, more, reserve)
    assert b.system.rings is not None
    (ring,) = [r for r in b.system.rings(b) if "arrive" in r.kinds]
    assert (ring.far, ring.around) == (steps(far), "enemies")


@pytest.mark.parametrize(("system", "step", "more", "reserve", "far"), EDITIONS[1:], ids=[e[0] for e in EDITIONS[1:]])
def test_who_may_come_closer_is_told_so(system: str, step: str, more: Doc, reserve: str, far: int) -> None:
    _, found = arriving(system, step, more, reserve, abilities=[NEAR])
    assert found.about["gap"] == steps(6)


def test_other_rings_are_for_all_moves() -> None:
    assert Ring("near", 1, "enemies").kinds == ()


@pytest.mark.parametrize(
    ("system", "far", "up", "in_space"), [("w40k8", 1, -1, True), ("w40k10", 1, 5, False), ("w40k11", 2, 5, False)]
)
def test_the_ring_around_enemies_says_how_high_it_reaches(system: str, far: int, up: int, in_space: bool) -> None:
    more: Doc = OLD if system == "w40k8" else {"oc": 1}
    reds, blues = (unit(name, name, {**LINE, **more}, [(x, 15)]) for name, x in (("red", 4), ("blue", 22)))
    b = opened(get(system), [reds, blues], step="move_units", round_=2, cp=())
    assert b.system.rings is not None
    ring: Ring = next(r for r in b.system.rings(b) if r.around == "enemies" and not r.kinds)
    assert (ring.far, ring.up, ring.in_space) == (steps(far), steps(up) if up > 0 else up, in_space)
