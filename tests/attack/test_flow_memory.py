"""What the battle's flow remembers from one attack to the next never hides what happened in between."""

from __future__ import annotations

from kit.shooting_range import MARKING, Range, asked, battle, left, mark, shoot
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import Attack, Body, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import GONE
from sandtable.battle.dice import ScriptedDice
from sandtable.kit.attack.rolling import Hooks, Roll

TWO = Volley(
    "gun", (Shots(2, dice(1)),), hit_table(2, auto=True), wound_table(2), (WoundKind(0, dice(1)),), together=False
)
PAIR = Target((Body(0, 3, 3, (4,)), Body(1, 3, 3, (4,))))


def after_first_save(change: str) -> Hooks:
    done: list[int] = []

    async def meddle(b: Range, roll: Roll) -> tuple[int, ...]:
        if roll.kind == "save" and not done:
            done.append(1)
            if change == "gone":
                b.place_models([0], GONE)
            if change == "hurt":
                b.set_wounds(1, 2)
        return roll.faces

    return Hooks(after_roll=meddle, allocated=mark)


def test_a_body_that_was_given_an_attack_takes_the_next() -> None:
    b = battle(
        Attack((TWO,), PAIR), ScriptedDice({"wound": [3, 3], "save": [5, 1]}), lambda b: shoot(b, MARKING)
    ).start()
    assert left(b) == [2, 3]
    assert asked(b) == []


def test_a_body_that_left_in_between_takes_nothing() -> None:
    dice_ = ScriptedDice({"wound": [3, 3], "save": [5, 1]})
    b = battle(Attack((TWO,), PAIR), dice_, lambda b: shoot(b, after_first_save("gone"))).start()
    assert left(b) == [3, 2]


def test_another_body_that_was_hurt_in_between_may_take_it_too() -> None:
    dice_ = ScriptedDice({"wound": [3, 3], "save": [5, 1]})
    b = battle(Attack((TWO,), PAIR), dice_, lambda b: shoot(b, after_first_save("hurt"))).start()
    (d,) = b.decisions
    assert d.kind == "allocate"
    b.answer(d, 1)
    assert left(b) == [3, 1]


def test_what_a_destroyed_body_sets_off_is_seen() -> None:
    target = Target(tuple(Body(i, 1, 1, (4,)) for i in range(3)))

    async def burst(b: Range, model: int) -> None:
        b.place_models([model], GONE)
        if model == 0:
            b.set_wounds(1, 0)
            b.place_models([1], GONE)

    b = battle(
        Attack((TWO,), target),
        ScriptedDice({"wound": [3, 3], "save": [1, 1]}),
        lambda b: shoot(b, Hooks(allocated=mark, destroy=burst)),
    ).start()
    assert left(b) == [0, 0, 0]
