"""Sorted batches in a battle: groups, their order, and save dice from the lowest up, with scripted dice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from attack.exact import bodies
from kit.shooting_range import (
    SHOOTER,
    SURE,
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
    volley,
)
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import NO_SAVE, Attack, Body, Mortal, Procedure, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import GONE
from sandtable.battle.decisions import Order
from sandtable.battle.dice import ScriptedDice
from sandtable.kit.attack.resolving import resolve
from sandtable.kit.attack.rolling import Hooks, Roll, reroll_one
from support.discipline import prove


def batch(target: Target, *volleys: Volley) -> Attack:
    return Attack(volleys, target, Procedure.SORTED_BATCH)


def sure(shots: int, damage: str | int = 1, **more: Any) -> Volley:
    """Attacks that all wound where 2 or more is rolled."""
    return volley(shots, damage, **{**SURE, **more})


HERO = Body(9, 3, 3, (4,), rank=1, group="hero")
MIXED = Target((*bodies(2, 1, 6), *bodies(2, 2, 4, first=2)))


# ---------------------------------------------------------------------- dice from the lowest up


def test_low_dice_meet_the_first_group_and_high_dice_the_next() -> None:
    """Two models saving on 6+ and two of two wounds saving on 4+: the 1 and the 2 destroy the first, the 3 hurts."""
    b = fire(batch(MIXED, sure(6)), {"wound": [3] * 6, "save": [5, 2, 4, 3, 6, 1]})
    assert left(b) == [0, 0, 1, 2]
    assert told(b) == ["gun, 6 attacks: 6 hit, 6 wound, 3 unsaved, 3 wounds lost, 2 destroyed."]
    assert rolls(b, "save") == [(5, 2, 4, 3, 6, 1)]


def test_a_die_that_would_have_failed_against_the_first_group_may_save_the_second() -> None:
    b = fire(
        batch(MIXED, sure(3)),
        {"wound": [3] * 3, "save": [5, 5, 5]},
    )
    assert left(b) == [0, 0, 2, 2]
    other_way = fire(
        batch(MIXED, sure(3)),
        {"wound": [3] * 3, "save": [5, 5, 5]},
        lambda b, d: (2, 0),
    )
    assert left(other_way) == [1, 1, 2, 2]


def test_the_order_is_declared_before_the_save_dice_are_rolled() -> None:
    attack = batch(MIXED, sure(2))
    b = battle(attack, ScriptedDice({"wound": [3, 3], "save": [1, 3]}), shoot).start()
    (d,) = b.decisions
    assert isinstance(d, Order)
    assert (d.kind, d.player) == ("groups", 1)
    assert [(o.value, o.label, o.note) for o in d.options] == [
        (0, "2 x model", "1 wound, save 6+"),
        (2, "2 x model", "2 wounds, save 4+"),
    ]
    assert reasons(b) == ["wound"]
    assert b.default(d) == (0, 2)
    b.answer(d, (2, 0))
    assert left(b) == [1, 1, 0, 2]


def test_damage_is_rolled_for_each_die_as_it_is_inflicted_and_what_is_too_much_is_lost() -> None:
    attack = batch(Target(bodies(3, 3, 5)), sure(3, "D3"))
    b = fire(attack, {"wound": [3] * 3, "save": [4, 6, 1], "damage": [4, 6]})
    assert reasons(b) == ["wound", "save", "damage", "damage"]
    assert left(b) == [0, 3, 3]


def test_where_nobody_has_a_save_none_is_rolled() -> None:
    assert left(fire(batch(Target(bodies(3, 1, 7)), sure(2)), {"wound": [3, 3]})) == [0, 0, 1]
    unsavable = sure(2, kinds=(WoundKind(NO_SAVE, dice(1)),))
    assert left(fire(batch(Target(bodies(3, 1, 2)), unsavable), {"wound": [3, 3]})) == [0, 0, 1]


def test_feel_no_pain_is_rolled_by_the_model_that_the_die_comes_to() -> None:
    target = Target((Body(0, 1, 1, (5,)), Body(1, 2, 2, (4,), pain=5)))
    b = fire(batch(target, sure(3)), {"wound": [3] * 3, "save": [3, 1, 2], "feel no pain": [5, 4]})
    assert reasons(b) == ["wound", "save", "feel no pain", "feel no pain"]
    assert left(b) == [0, 1]


def test_dice_left_over_when_the_unit_is_gone_are_lost_and_so_is_the_next_batch() -> None:
    b = fire(batch(Target(bodies(2, 1, 5)), sure(4), sure(3)), {"wound": [3] * 4, "save": [1, 1, 2, 3]})
    assert left(b) == [0, 0]
    assert len(told(b)) == 1


# ---------------------------------------------------------------------- groups and their order


def groups_asked(*found: Body) -> list[list[int]]:
    """The groups that the owner may order, question by question."""
    seen: list[list[int]] = []

    def note(b: Range, d: Any) -> Any:
        seen.append([o.value for o in d.options])
        return b.default(d)

    fire(batch(Target(found), sure(1)), {"wound": [3], "save": [6]}, note)
    return seen


def test_a_group_with_a_hurt_model_goes_first() -> None:
    assert groups_asked(*bodies(2, 1, 6), Body(2, 1, 2, (4,)), Body(3, 3, 3, (4,))) == [[0, 3]]
    target = Target((*bodies(2, 1, 6), Body(2, 1, 2, (4,))))
    b = fire(batch(target, sure(2)), {"wound": [3, 3], "save": [1, 5]})
    assert left(b) == [0, 1, 0]


def test_characters_come_last_the_hurt_one_first_and_the_owner_orders_the_rest() -> None:
    hurt, whole, other = (Body(m, w, 3, (4,), rank=1, group="hero") for m, w in ((0, 2), (1, 3), (2, 3)))
    assert groups_asked(hurt, whole, *bodies(1, 1, 6, first=3), *bodies(1, 2, 6, first=4)) == [[3, 4]]
    target = Target((whole, hurt, *bodies(1, 1, 7, first=3)))
    b = fire(batch(target, sure(3)), {"wound": [3] * 3, "save": [1, 1, 1]})
    assert left(b) == [0, 3, 0, 0]
    assert groups_asked(whole, msgspec.structs.replace(other, value=2.0)) == [[1, 2]]
    assert groups_asked(whole, other) == []


def test_groups_are_formed_anew_for_each_batch() -> None:
    """The first batch hurts a model of the second group, which then has to go first."""
    picks = iter([(2, 0)])
    b = fire(
        batch(MIXED, sure(1), sure(2)),
        {"wound": [3] * 3, "save": [3, 1, 5]},
        lambda b, d: next(picks),
    )
    assert asked(b) == ["groups"]
    assert left(b) == [1, 1, 0, 2]


def test_in_a_group_a_hurt_model_is_picked_else_the_owner_picks_where_models_differ() -> None:
    armed = tuple(msgspec.structs.replace(x, group=name) for x, name in zip(bodies(3, 2, 5), "aab", strict=True))
    b = fire(batch(Target(armed), sure(3)), {"wound": [3] * 3, "save": [1, 1, 6]}, lambda b, d: 2)
    assert asked(b) == ["allocate"]
    assert left(b) == [2, 2, 0]
    alike = fire(batch(Target(bodies(3, 2, 5)), sure(3)), {"wound": [3] * 3, "save": [1, 1, 1]})
    assert asked(alike) == []
    assert left(alike) == [0, 1, 2]


def test_being_given_an_attack_leaves_no_mark() -> None:
    b = fire(batch(Target(bodies(2, 2, 4)), sure(1)), {"wound": [3], "save": [6]})
    assert list(b.state.models.mark) == [0, 0]


def test_what_a_destroyed_model_sets_off_happens_before_the_next_die() -> None:
    async def burst(b: Range, model: int) -> None:
        b.place_models([model], GONE)
        if model == 0:
            b.set_wounds(1, 0)
            b.place_models([1], GONE)

    hooks = Hooks(allocated=mark, destroy=burst)
    b = fire(batch(MIXED, sure(2)), {"wound": [3, 3], "save": [5, 3]}, hooks=hooks)
    assert left(b) == [0, 0, 2, 2]


# ---------------------------------------------------------------------- attacks directed at a character


def test_a_character_that_is_aimed_at_takes_the_lowest_dice_of_the_batch() -> None:
    target = Target((*bodies(2, 1, 6), HERO))
    gun = sure(5, 2, aim=(9,), aim_cites=("aim",))
    script = {"wound": [3] * 5, "save": [6, 3, 1, 5, 2]}
    b = fire(batch(target, gun), script, lambda b, d: 9)
    assert asked(b) == ["aim"]
    assert (b.state.models.wounds[9], left(b)[:2]) == (0, [0, 0])
    declined = fire(batch(target, gun), script)
    assert asked(declined) == ["aim"]
    assert (declined.state.models.wounds[9], left(declined)[:2]) == (1, [0, 0])


def test_a_character_that_cannot_be_aimed_at_is_not_offered() -> None:
    target = Target((*bodies(2, 1, 6), HERO))
    assert asked(fire(batch(target, sure(1, aim=(0,))), {"wound": [3], "save": [6]})) == []
    alone = fire(batch(Target((HERO,)), sure(1, aim=(9,))), {"wound": [3], "save": [6]})
    assert asked(alone) == []


# ---------------------------------------------------------------------- mortal wounds


DEVASTATING = {"wound": wound_table(2, crit_kind=1)}


def devastating(shots: int, damage: str | int) -> Volley:
    kinds = (WoundKind(0, dice(damage)), WoundKind(0, None, Mortal(dice(damage), spill=False)))
    return sure(shots, kinds=kinds, **DEVASTATING)


def test_mortal_wounds_wait_for_all_batches_and_those_of_one_wound_hurt_one_model() -> None:
    attack = batch(Target(bodies(4, 2, 7)), devastating(2, 3), sure(1, 1))
    b = fire(attack, {"wound": [6, 6, 3]})
    assert left(b) == [0, 0, 2, 2]
    assert told(b)[1:] == [
        "gun, 1 attack: 1 hit, 1 wound, 1 unsaved, 1 wound lost.",
        "Blues suffer 6 mortal wounds: 3 wounds lost, 2 destroyed.",
    ]


def test_mortal_wounds_heed_neither_order_nor_aim_but_hurt_models() -> None:
    target = Target((*bodies(1, 1, 7), Body(1, 1, 2, (7,)), HERO))
    gun = msgspec.structs.replace(devastating(1, 1), aim=(9,))
    b = fire(batch(target, gun), {"wound": [6]})
    assert asked(b) == []
    assert left(b)[:2] == [1, 0]


def test_a_model_that_felt_no_pain_of_a_mortal_wound_need_not_take_the_next() -> None:
    kinds = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2))))
    target = Target(tuple(Body(i, 2, 2, (7,), pain=5, group=name) for i, name in enumerate("ab")))
    picks = iter([0, 1])
    b = fire(
        batch(target, sure(1, kinds=kinds, **DEVASTATING)),
        {"wound": [6], "feel no pain": [5, 4]},
        lambda b, d: next(picks),
    )
    assert asked(b) == ["allocate", "allocate"]
    assert left(b) == [2, 1]
    assert list(b.state.models.mark) == [0, 0]


def test_random_mortal_wounds_are_rolled_after_the_normal_damage() -> None:
    attack = batch(Target(bodies(3, 3, 5)), devastating(3, "D3"))
    b = fire(attack, {"wound": [6, 3, 6], "save": [4], "damage": [2, 6, 3]})
    assert reasons(b) == ["wound", "save", "damage", "damage"]
    assert rolls(b, "damage") == [(2,), (6, 3)]
    assert left(b) == [0, 1, 3]


# ---------------------------------------------------------------------- re-rolls


def test_save_dice_that_fail_against_everybody_are_rerolled_without_a_question() -> None:
    again = tuple(msgspec.structs.replace(x, save_reroll=(1, 2)) for x in MIXED.bodies)
    b = fire(batch(Target(again), sure(3)), {"wound": [3] * 3, "save": [6, 1, 2, 6, 5]})
    assert asked(b) == ["groups"]
    assert rolls(b, "save") == [(6, 1, 2), (6, 5)]
    assert left(b) == [0, 1, 2, 2]


def test_the_owner_says_whether_a_die_is_rerolled_that_would_save_some_but_not_others() -> None:
    again = tuple(msgspec.structs.replace(x, save_reroll=(1, 2, 3, 4, 5)) for x in MIXED.bodies)

    def keep_the_five(b: Range, d: Any) -> Any:
        return (1,) if d.kind == "reroll" else (2, 0)

    b = fire(batch(Target(again), sure(2)), {"wound": [3, 3], "save": [5, 1, 4]}, keep_the_five)
    assert asked(b) == ["groups", "reroll"]
    assert left(b) == [1, 1, 2, 2]


def test_a_hook_sees_how_many_groups_a_die_would_save_and_rerolls_the_worst() -> None:
    seen: list[Roll] = []

    async def command(b: Range, roll: Roll) -> tuple[int, ...]:
        if roll.kind != "save":
            return roll.faces
        seen.append(roll)
        return reroll_one(b, roll, roll.open()[0])

    b = fire(batch(MIXED, sure(3)), {"wound": [3] * 3, "save": [4, 1, 6, 5]}, hooks=Hooks(command))
    assert (seen[0].score, seen[0].best, seen[0].player, seen[0].model) == ((0.5, 0.0, 1.0), 1.0, 1, 0)
    assert left(b) == [0, 0, 2, 2]


# ---------------------------------------------------------------------- what is no batch


def test_wounds_of_several_kinds_are_no_batch() -> None:
    kinds = (WoundKind(0, dice(1)), WoundKind(NO_SAVE, dice(1)))
    gun = sure(1, kinds=kinds, **DEVASTATING)
    with pytest.raises(ValueError, match="no batch of identical attacks"):
        fire(batch(Target(bodies(1, 1, 4)), gun), {"wound": [3]})


def test_hits_that_are_spread_are_not_resolved_here() -> None:
    async def spread(b: Range) -> Any:
        target = lambda: target_of(b)  # noqa: E731
        return await resolve(b, sure(1), target, unit=SHOOTER, against=VICTIM, procedure=Procedure.SPREAD)

    with pytest.raises(ValueError, match="a flow of their own"):
        battle(batch(MIXED, sure(1)), ScriptedDice({}), spread).start()


# ---------------------------------------------------------------------- proofs


LED = Target((*bodies(2, 1, 4), *bodies(2, 2, 3, first=2), HERO, Body(10, 2, 2, (3,), (), 5, rank=1, group="hero")))


def test_a_batch_stands_every_proof_of_the_discipline() -> None:
    again = [msgspec.structs.replace(x, save_reroll=(1, 2, 3)) for x in LED.bodies]
    armed = tuple(msgspec.structs.replace(x, group=f"gun {x.model}") for x in again)
    gun = msgspec.structs.replace(devastating(4, "D3"), aim=(9, 10), hit=hit_table(3, lethal=True), may_roll=True)
    attack = batch(Target(armed), gun, sure(3))
    system, start = shooting_range(attack, lambda b: shoot(b, Hooks(spend, mark)), 4, "all")
    found = prove(system, start, seed=3)
    assert not found.faults, found.examples
    assert found.forks > 10
    assert all(found.asked[kind] for kind in ("spend", "aim", "groups", "allocate", "reroll", "roll_to_wound"))


@pytest.mark.parametrize(
    "attack",
    [
        batch(Target((Body(0, 1, 2, (5,)), Body(1, 3, 3, (4,), rank=1))), sure(2)),
        batch(Target((Body(0, 1, 2, (3,), (1,)), Body(1, 2, 2, (3,), (1,), pain=5))), sure(1, "D3")),
        batch(Target((Body(0, 2, 2, (4,)), Body(1, 2, 3, (4,), rank=1))), devastating(2, 2)),
    ],
    ids=["two groups", "re-rolls", "devastating"],
)
def test_every_way_the_dice_can_fall_adds_up_to_the_solution(attack: Attack) -> None:
    found, exact = every_way(attack), {what: p for what, p in solve(attack).joint.items() if p}
    assert found.keys() == exact.keys()
    assert all(abs(found[what] - exact[what]) < 1e-9 for what in exact)


def test_attacks_of_each_weapon_make_one_batch() -> None:
    gun = Volley("gun", (Shots(2, dice("D3")), Shots(1, dice(2))), **SURE, kinds=(WoundKind(),))  # type: ignore[arg-type]
    b = fire(batch(Target(bodies(1, 1, 2)), gun), {"attacks": [1, 3], "wound": [3] * 5, "save": [2] * 5})
    assert [len(r) for r in rolls(b, "save")] == [5]
