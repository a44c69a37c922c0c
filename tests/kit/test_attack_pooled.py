"""Pooled saves in a battle: all wounds are saved on one number, then the owner removes casualties."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from attack.exact import bodies
from kit.shooting_range import (
    SHOOTER,
    VICTIM,
    Range,
    asked,
    battle,
    every_way,
    fire,
    left,
    mark,
    reasons,
    rolls,
    shoot,
    shooting_range,
    spend,
    target_of,
    told,
)
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import NO_SAVE, Attack, Body, Mortal, Procedure, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import GONE
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Rolled, Told, Wounded
from sandtable.kit.attack.resolving import resolve
from sandtable.kit.attack.rolling import Hooks
from support.discipline import prove

SLAIN = 9
"""The damage of a wound that slays outright."""


def pool(target: Target, *volleys: Volley) -> Attack:
    return Attack(volleys, target, Procedure.POOLED)


def gun(name: str, shots: int, damage: str | int = 1, save: int = 0) -> Volley:
    """Attacks that hit and wound on 4 or more."""
    hit, wound = hit_table(4, crit=7), wound_table(4, crit=7)
    return Volley(name, (Shots(shots, dice(1)),), hit, wound, (WoundKind(save, dice(damage)),))


# ---------------------------------------------------------------------- the order of dice


def test_each_stage_is_rolled_for_all_volleys_before_the_next() -> None:
    attack = pool(Target(bodies(4, 1, 4)), gun("rifle", 3), gun("cannon", 2, SLAIN))
    b = fire(attack, {"hit": [4, 3, 5, 6, 1], "wound": [4, 6, 5], "save": [3, 4, 1]})
    assert [len(r) for kind in ("hit", "wound", "save") for r in rolls(b, kind)] == [3, 2, 2, 1, 3]
    assert reasons(b) == ["hit", "hit", "wound", "wound", "save"]
    assert told(b) == [
        "rifle, 3 attacks: 2 hit, 2 wound, 1 unsaved, 1 wound lost, 1 destroyed.",
        "cannon, 2 attacks: 1 hit, 1 wound, 1 unsaved, 1 wound lost, 1 destroyed.",
    ]


def test_no_casualty_falls_before_all_saves_are_rolled() -> None:
    attack = pool(Target(bodies(3, 1, 4)), gun("rifle", 1), gun("pistol", 1))
    b = fire(attack, {"hit": [4, 4], "wound": [4, 4], "save": [1, 1]})
    kinds = [type(e) for e in b.events if isinstance(e, Rolled | Wounded | Told)]
    last_roll = max(i for i, kind in enumerate(kinds) if kind is Rolled)
    assert kinds[last_roll + 1 :] == [Wounded, Wounded, Told, Told]
    assert left(b) == [0, 0, 1]


def test_one_volley_alone_is_a_pool_too() -> None:
    async def alone(b: Range) -> Any:
        (rifle,) = b.setup.data.attack.volleys
        outcome = await resolve(
            b, rifle, lambda: target_of(b), unit=SHOOTER, against=VICTIM, procedure=Procedure.POOLED
        )
        assert outcome.destroyed == (0,)

    attack = pool(Target(bodies(2, 1, 4)), gun("rifle", 1))
    assert left(battle(attack, ScriptedDice({"hit": [4], "wound": [4], "save": [3]}), alone).start()) == [0, 1]


# ---------------------------------------------------------------------- the save


def test_the_save_is_the_one_that_most_models_have() -> None:
    target = Target((Body(0, 1, 1, (6,)), *bodies(2, 1, 3, first=1)))
    b = fire(pool(target, gun("rifle", 2)), {"hit": [4, 4], "wound": [4, 4], "save": [3, 2]})
    assert left(b) == [0, 1, 1]


def test_on_a_tie_the_worse_save_counts() -> None:
    target = Target((Body(0, 1, 1, (6,)), Body(1, 1, 1, (3,))))
    b = fire(pool(target, gun("rifle", 1)), {"hit": [4], "wound": [4], "save": [5]})
    assert left(b) == [0, 1]


def test_the_save_stays_the_same_while_casualties_fall() -> None:
    """The two that save on 6 fall first; the third, with a save of 2, goes by their number to the end."""
    target = Target((*bodies(2, 1, 6), Body(2, 1, 1, (2,))))
    b = fire(pool(target, gun("rifle", 3)), {"hit": [4] * 3, "wound": [4] * 3, "save": [5, 5, 5]})
    assert left(b) == [0, 0, 0]


def test_a_unit_without_a_save_makes_no_roll() -> None:
    attack = pool(
        Target(bodies(3, 1, 7, 4)), gun("piercing", 1), gun("rifle", 1, save=1), gun("flame", 1, save=NO_SAVE)
    )
    b = fire(attack, {"hit": [4] * 3, "wound": [4] * 3, "save": [4]})
    assert left(b) == [0, 0, 1]
    assert [t.rpartition(" wound, ")[2] for t in told(b)][1] == "0 unsaved, no wounds lost."


def test_failed_saves_are_rerolled_by_those_who_may() -> None:
    again = tuple(msgspec.structs.replace(x, save_reroll=(1,)) for x in bodies(2, 1, 4))
    b = fire(pool(Target(again), gun("rifle", 2)), {"hit": [4, 4], "wound": [4, 4], "save": [1, 2, 5]})
    assert rolls(b, "save") == [(1, 2), (5,)]
    assert left(b) == [0, 1]


# ---------------------------------------------------------------------- casualties


def test_the_owner_picks_who_is_removed_where_models_differ() -> None:
    armed = tuple(msgspec.structs.replace(x, group=name) for x, name in zip(bodies(3, 1, 7), "abc", strict=True))
    picks = iter([2, 0])
    b = fire(pool(Target(armed), gun("rifle", 2)), {"hit": [4, 4], "wound": [4, 4]}, lambda b, d: next(picks))
    assert asked(b) == ["allocate", "allocate"]
    assert left(b) == [0, 1, 0]


def test_models_of_different_saves_are_not_the_same_to_their_owner() -> None:
    target = Target((*bodies(2, 1, 6), Body(2, 1, 1, (3,))))
    b = fire(pool(target, gun("rifle", 1)), {"hit": [4], "wound": [4], "save": [5]}, lambda b, d: 2)
    assert asked(b) == ["allocate"]
    assert left(b) == [1, 1, 0]


def test_wounds_go_onto_one_model_at_a_time_the_hurt_one_first() -> None:
    target = Target((Body(0, 2, 2, (7,)), Body(1, 1, 2, (7,)), Body(2, 2, 2, (7,))))
    b = fire(pool(target, gun("rifle", 4)), {"hit": [4] * 4, "wound": [4] * 4})
    assert asked(b) == []
    assert left(b) == [0, 0, 1]


def test_the_owner_picks_which_wound_is_next_where_they_differ() -> None:
    """A wound that slays outright is best put on a model that has one wound left."""
    attack = pool(Target(bodies(2, 2, 7)), gun("cannon", 1, SLAIN), gun("rifle", 1))
    script = {"hit": [4, 4], "wound": [4, 4]}
    b = battle(attack, ScriptedDice(script), shoot).start()
    (d,) = b.decisions
    assert (d.kind, d.player, b.default(d)) == ("wound", 1, 0)
    assert [(o.value, o.label, o.note) for o in d.options] == [  # type: ignore[attr-defined]
        (0, "damage 9", "1 wound left"),
        (1, "damage 1", "1 wound left"),
    ]
    b.answer(d, 1)
    assert left(b) == [0, 2]
    assert [t.rpartition("unsaved, ")[2] for t in told(b)] == [
        "1 wound lost, 1 destroyed.",
        "1 wound lost.",
    ]
    assert left(fire(attack, script)) == [0, 1]


def test_nobody_is_asked_which_wound_is_next_where_each_of_them_destroys() -> None:
    attack = pool(Target(bodies(3, 1, 7)), gun("cannon", 1, SLAIN), gun("rifle", 1))
    b = fire(attack, {"hit": [4, 4], "wound": [4, 4]})
    assert asked(b) == []
    assert left(b) == [0, 0, 1]


def test_wounds_beyond_the_last_model_are_lost() -> None:
    attack = pool(Target(bodies(2, 1, 7)), gun("rifle", 3), gun("pistol", 2))
    b = fire(attack, {"hit": [4] * 5, "wound": [4] * 5})
    assert told(b) == [
        "rifle, 3 attacks: 3 hit, 3 wound, 3 unsaved, 2 wounds lost, 2 destroyed.",
        "pistol, 2 attacks: 2 hit, 2 wound, 2 unsaved, no wounds lost.",
    ]


def test_nothing_is_rolled_against_a_unit_that_is_gone() -> None:
    async def gone(b: Range) -> None:
        b.place_models([0], GONE)
        assert not any(o.attacks for o in await shoot(b))

    b = battle(pool(Target(bodies(1, 1, 4)), gun("rifle", 1)), ScriptedDice({}), gone).start()
    assert told(b) == []


def test_what_a_casualty_sets_off_happens_before_the_next() -> None:
    async def burst(b: Range, model: int) -> None:
        b.place_models([model], GONE)
        if model == 0:
            b.set_wounds(1, 0)
            b.place_models([1], GONE)

    hooks = Hooks(allocated=mark, destroy=burst)
    b = fire(pool(Target(bodies(3, 1, 7)), gun("rifle", 2)), {"hit": [4, 4], "wound": [4, 4]}, hooks=hooks)
    assert left(b) == [0, 0, 0]
    assert list(b.state.models.mark) == [0, 0, 0]


def test_mortal_wounds_have_no_place_in_a_pool() -> None:
    rifle = msgspec.structs.replace(gun("rifle", 1), kinds=(WoundKind(0, dice(1), Mortal(dice(1))),))
    with pytest.raises(ValueError, match="no place in a pool"):
        fire(pool(Target(bodies(1, 1, 4)), rifle), {"hit": [4], "wound": [4]})


# ---------------------------------------------------------------------- proofs


def test_a_pool_stands_every_proof_of_the_discipline() -> None:
    armed = [Body(i, 2, 2, (5,), (1,), pain=6, group=f"gun {i}") for i in range(4)]
    attack = pool(Target(tuple(armed)), gun("rifle", 6), gun("cannon", 3, "D3"))
    system, start = shooting_range(attack, lambda b: shoot(b, Hooks(spend, mark)), 4, "all")
    found = prove(system, start, seed=3)
    assert not found.faults, found.examples
    assert found.forks > 10
    assert all(found.asked[kind] for kind in ("spend", "wound", "allocate", "reroll"))


@pytest.mark.parametrize(
    "attack",
    [
        pool(Target((Body(0, 1, 2, (5,)), Body(1, 2, 2, (5,)))), gun("cannon", 1, SLAIN), gun("rifle", 1, SLAIN)),
        pool(Target((Body(0, 1, 2, (3,), (1,), pain=5), Body(1, 2, 2, (4,), (1,)))), gun("cannon", 1, "D3")),
    ],
    ids=["two volleys", "re-rolls"],
)
def test_every_way_the_dice_can_fall_adds_up_to_the_solution(attack: Attack) -> None:
    found, exact = every_way(attack), {what: p for what, p in solve(attack).joint.items() if p}
    assert found.keys() == exact.keys()
    assert all(abs(found[what] - exact[what]) < 1e-9 for what in exact)
