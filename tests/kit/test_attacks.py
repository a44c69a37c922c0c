"""Attacks in a battle: the flow, held against scripted dice, the kernel and a plain reckoning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from attack.exact import BOLTER, SPECS, bodies, fits, outcomes
from kit.shooting_range import (
    MARKING,
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
    play,
    rolls,
    shoot,
    shooting_range,
    spend,
    target_of,
    told,
    volley,
)
from sandtable.attack import montecarlo
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import NEVER, Attack, Body, Mortal, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import GONE
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Told
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import resolve_all, suffer
from sandtable.kit.attack.rolling import Hooks, Roll, reroll_one
from support.discipline import prove

# ---------------------------------------------------------------------- the sequence


def test_the_sequence_is_told_in_one_line() -> None:
    b = fire(
        Attack((volley(4),), Target(bodies(3, 1, 4))),
        {"hit": [6, 3, 2, 5], "wound": [4, 3, 6], "save": [3, 4]},
    )
    assert told(b) == ["gun, 4 attacks: 3 hit (1 critical), 2 wound, 1 unsaved, 1 wound lost, 1 destroyed."]
    assert left(b) == [0, 1, 1]
    assert b.state.models.place[0] == GONE


def test_hits_and_wounds_are_rolled_in_one_batch_each() -> None:
    b = fire(Attack((volley(5),), Target(bodies(5, 1, 4))), {"hit": [3] * 5, "wound": [4] * 5, "save": [1] * 5})
    assert [len(rolls(b, kind)) for kind in ("hit", "wound", "save")] == [1, 1, 1]
    assert asked(b) == []


def test_each_weapon_rolls_its_own_number_of_attacks() -> None:
    gun = Volley("gun", (Shots(2, dice("D3+1")), Shots(1, dice(2))), hit_table(3), wound_table(4), (WoundKind(),))
    b = fire(Attack((gun,), Target(bodies(1, 1, 4))), {"attacks": [1, 6], "hit": [1] * 8})
    assert told(b) == ["gun, 8 attacks: none hit."]


def test_automatic_hits_are_not_rolled() -> None:
    b = fire(Attack((volley(3, hit=hit_table(4, auto=True)),), Target(bodies(1, 1, 4))), {"wound": [1, 2, 3]})
    assert rolls(b, "hit") == []


def test_a_lethal_hit_skips_the_wound_roll_and_further_hits_do_not() -> None:
    gun = volley(2, hit=hit_table(3, lethal=True, sustained=dice("D3")))
    b = fire(
        Attack((gun,), Target(bodies(4, 1, 4))),
        {"hit": [6, 3], "extra hits": [3], "wound": [1, 2, 5], "save": [2, 3]},
    )
    assert left(b) == [0, 0, 1, 1]


def test_a_wound_without_a_roll_may_be_rolled_for_where_the_roll_could_do_more() -> None:
    kinds = (WoundKind(0, dice(1)), WoundKind(0, None, Mortal(dice(3))))
    gun = volley(3, hit=hit_table(3, lethal=True), wound=wound_table(4, crit_kind=1), kinds=kinds, may_roll=True)
    attack = Attack((gun,), Target(bodies(4, 1, 4)))
    b = fire(attack, {"hit": [6, 3, 6], "wound": [6, 1], "save": [4]}, lambda b, d: 1)
    assert asked(b) == ["roll_to_wound"]
    assert left(b) == [0, 0, 0, 1]
    taken = fire(attack, {"hit": [6, 3, 6], "wound": [1], "save": [4, 4]})
    assert left(taken) == [1, 1, 1, 1]
    plain = volley(2, hit=hit_table(3, lethal=True), may_roll=True)
    assert asked(fire(Attack((plain,), Target(bodies(1, 1, 7))), {"hit": [6, 1]})) == []
    with_windows = fire(Attack((plain,), Target(bodies(1, 1, 7))), {"hit": [6, 1]}, windows="all")
    assert asked(with_windows)[0] == "roll_to_wound"


def test_excess_damage_is_lost_and_the_order_of_dice_counts() -> None:
    gun = volley(3, "D3", **SURE)
    target = Target(bodies(3, 2, 7))
    up = fire(Attack((gun,), target), {"wound": [3, 3, 3], "damage": [1, 3, 5]})
    assert left(up) == [0, 0, 2]
    down = fire(Attack((gun,), target), {"wound": [3, 3, 3], "damage": [5, 3, 1]})
    assert left(down) == [0, 0, 1]


def test_attacks_at_a_unit_that_is_gone_are_lost() -> None:
    gun = volley(3, 1, **SURE)
    b = fire(Attack((gun, gun), Target(bodies(2, 1, 7))), {"wound": [3, 3, 3]})
    assert len(told(b)) == 1


# ---------------------------------------------------------------------- who takes it


def test_a_hurt_model_takes_the_next_attack() -> None:
    target = Target((Body(0, 3, 3, (7,)), Body(1, 1, 3, (7,))))
    b = fire(Attack((volley(1, **SURE),), target), {"wound": [3]})
    assert left(b) == [3, 0]


def test_a_model_that_saved_takes_the_next_attack_too_also_of_another_volley() -> None:
    target = Target((Body(0, 1, 1, (4,), group="gun"), Body(1, 1, 1, (4,), group="blade")))
    one = volley(1, **SURE)
    b = fire(
        Attack((one, one), target),
        {"wound": [3, 3], "save": [6, 1]},
        lambda b, d: 1,
    )
    assert asked(b) == ["allocate"]
    assert left(b) == [1, 0]


def test_without_the_duty_each_attack_is_given_anew() -> None:
    target = Target((Body(0, 1, 1, (4,), group="gun"), Body(1, 1, 1, (4,), group="blade")), keeps=False)
    b = fire(Attack((volley(2, **SURE),), target), {"wound": [3, 3], "save": [6, 1]})
    assert asked(b) == ["allocate", "allocate"]


def test_the_owner_picks_among_two_that_have_to() -> None:
    target = Target((Body(0, 2, 2, (7,)), Body(1, 1, 2, (7,)), Body(2, 2, 2, (7,), marked=True)))
    b = battle(Attack((volley(1, **SURE),), target), ScriptedDice({"wound": [3]}), shoot).start()
    (d,) = b.decisions
    assert d.player == 1
    assert [o.value for o in d.options] == [1, 2]  # type: ignore[attr-defined]
    assert not b.check(d, 0)


def test_nobody_is_asked_where_models_are_alike_unless_players_wish_to_be() -> None:
    attack = Attack((volley(2, **SURE),), Target(bodies(3, 1, 4)))
    script = {"wound": [3, 3], "save": [1, 1]}
    assert asked(fire(attack, script)) == []
    assert asked(fire(attack, script, windows="all")) == ["allocate", "allocate"]


def test_a_leader_is_protected_until_its_bodyguards_are_gone() -> None:
    target = Target((Body(0, 2, 4, (2,), rank=1, marked=True), *bodies(2, 1, 5, first=1)))
    b = fire(Attack((volley(4, **SURE),), target), {"wound": [3] * 4, "save": [1, 1, 1, 2]})
    assert left(b) == [1, 0, 0]


def test_an_attack_can_be_aimed_at_the_leader_one_by_one() -> None:
    target = Target((*bodies(2, 1, 7), Body(2, 3, 3, (5,), rank=1, group="hero")))
    picks = iter([2, None, 2])
    b = fire(
        Attack((volley(3, 2, aim=(2,), aim_cites=("aim",), **SURE),), target),
        {"wound": [3] * 3, "save": [4, 5]},
        lambda b, d: next(picks),
    )
    assert asked(b) == ["aim"] * 3
    assert left(b) == [0, 1, 1]


# ---------------------------------------------------------------------- saves together


def test_saves_of_equal_models_are_rolled_together_only_with_fixed_damage() -> None:
    target = Target(bodies(3, 2, 4))
    fixed = fire(Attack((volley(3, 2, **SURE),), target), {"wound": [3] * 3, "save": [1, 4, 1]})
    assert len(rolls(fixed, "save")) == 1
    rolled = fire(Attack((volley(3, "D3", **SURE),), target), {"wound": [3] * 3, "save": [1, 4, 1], "damage": [3, 3]})
    assert len(rolls(rolled, "save")) == 3
    assert left(fixed) == left(rolled) == [0, 0, 2]


def test_in_a_unit_of_different_saves_each_attack_is_given_before_its_save_is_rolled() -> None:
    target = Target((Body(0, 1, 1, (3,)), Body(1, 1, 1, (5,))))
    b = battle(Attack((volley(2, **SURE),), target), ScriptedDice({"wound": [3, 3], "save": [4, 4]}), shoot).start()
    assert rolls(b, "save") == []
    b.answer(b.decisions[0], 1)
    assert left(b) == [1, 0]


def test_as_many_saves_go_together_as_there_are_bodyguards() -> None:
    target = Target((*bodies(3, 1, 4), Body(3, 4, 4, (2,), rank=1)))
    b = fire(Attack((volley(5, **SURE),), target), {"wound": [3] * 5, "save": [1, 1, 1, 3, 1]})
    assert [len(r) for r in rolls(b, "save")] == [3, 2]
    assert left(b) == [0, 0, 0, 3]


@pytest.mark.parametrize("seed", range(25))
def test_saves_in_a_batch_come_to_the_same_as_one_by_one(seed: int) -> None:
    """With the same dice a batch and single saves leave the same wounds and the same marks."""
    rng = np.random.default_rng(seed)
    full = int(rng.integers(1, 4))
    hurt = Body(0, int(rng.integers(1, full + 1)), full, (4,))
    target = Target((hurt, *bodies(3, full, 4, first=1), Body(4, 3, 3, (int(rng.integers(3, 5)),), rank=1)))
    attack = Attack((volley(8, int(rng.integers(1, 3)), **SURE),), target)
    script = {"wound": [3] * 8, "save": [int(f) for f in rng.integers(1, 7, 8)]}
    together = battle(attack, ScriptedDice(script), shoot).start()
    strict = battle(attack, ScriptedDice(script), shoot, windows="all").start()
    while strict.decisions:
        strict.answer(strict.decisions[0], strict.default(strict.decisions[0]))
    assert left(together) == left(strict)
    assert list(together.state.models.mark) == list(strict.state.models.mark)


# ---------------------------------------------------------------------- feel no pain, mortal wounds


def test_feel_no_pain_is_rolled_for_each_wound_until_the_model_is_gone() -> None:
    attack = Attack((volley(1, 3, **SURE),), Target((Body(0, 2, 2, (7,), pain=5),)))
    assert left(fire(attack, {"wound": [3], "feel no pain": [5, 3, 6]})) == [1]
    assert left(fire(attack, {"wound": [3], "feel no pain": [4, 3]})) == [0]


def test_mortal_wounds_wait_for_the_normal_damage_and_spill_over() -> None:
    kinds = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2))))
    gun = volley(2, hit=SURE["hit"], wound=wound_table(2, crit_kind=1), kinds=kinds)
    b = fire(Attack((gun,), Target(bodies(2, 3, 7))), {"wound": [6, 3]})
    assert left(b) == [0, 2]
    assert told(b) == [
        "gun, 2 attacks: 2 hit, 2 wound, 2 mortal wounds to come, 1 unsaved, 2 wounds lost.",
        "Blues suffer 2 mortal wounds: 2 wounds lost, 1 destroyed.",
    ]


def test_mortal_wounds_wait_for_all_weapons_of_the_unit() -> None:
    kinds = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2))))
    first = volley(1, hit=SURE["hit"], wound=wound_table(2, crit_kind=1), kinds=kinds)
    b = fire(Attack((first, volley(1, 2, **SURE)), Target(bodies(2, 3, 7))), {"wound": [6, 3]})
    assert left(b) == [0, 2]


def test_mortal_wounds_in_addition_are_suffered_even_if_the_rest_is_saved() -> None:
    kinds = (WoundKind(0, dice(2), Mortal(dice("D3"), held=False)),)
    gun = volley(1, hit=SURE["hit"], wound=wound_table(2), kinds=kinds)
    b = fire(Attack((gun,), Target(bodies(2, 3, 4))), {"wound": [3], "save": [4], "damage": [3]})
    assert left(b) == [1, 3]


def five(b: Range, due: Due, hooks: Hooks = MARKING) -> Any:
    return suffer(b, [due], lambda: target_of(b), hooks, against=VICTIM, rules=("mortal",))


def test_mortal_wounds_go_from_model_to_model_and_then_are_lost() -> None:
    attack = Attack((), Target(bodies(3, 2, 2)))
    assert left(battle(attack, ScriptedDice([]), lambda b: five(b, Due(5))).start()) == [0, 0, 1]
    assert left(battle(attack, ScriptedDice([]), lambda b: five(b, Due(9))).start()) == [0, 0, 0]
    assert left(battle(attack, ScriptedDice([]), lambda b: five(b, Due(5, spill=False))).start()) == [0, 2, 2]


def test_each_mortal_wound_is_given_on_its_own_where_two_models_have_to_take_it() -> None:
    attack = Attack((), Target((Body(0, 3, 4, (2,)), Body(1, 1, 4, (2,)), Body(2, 4, 4, (2,)))))
    b = battle(attack, ScriptedDice([]), lambda b: five(b, Due(2))).start()
    for model in (0, 1):
        b.answer(b.decisions[0], model)
    assert left(b) == [2, 0, 4]


def test_mortal_wounds_can_take_one_model_first() -> None:
    attack = Attack((), Target((Body(0, 1, 2, (2,)), *bodies(1, 2, 2, first=1), Body(2, 2, 2, (2,), rank=1))))
    assert left(battle(attack, ScriptedDice([]), lambda b: five(b, Due(3, first=2))).start()) == [0, 2, 0]


def test_feel_no_pain_works_against_mortal_wounds() -> None:
    attack = Attack((), Target((Body(0, 3, 3, (2,), pain=6, pain_mortal=4),)))
    b = battle(attack, ScriptedDice({"feel no pain": [4, 3, 5]}), lambda b: five(b, Due(3))).start()
    assert left(b) == [2]


# ---------------------------------------------------------------------- re-rolls and other steps in between


def test_failures_are_rerolled_without_a_question() -> None:
    b = fire(Attack((volley(3, hit=hit_table(3, reroll="ones")),), Target(bodies(1, 1, 4))), {"hit": [1, 2, 1, 2, 1]})
    assert rolls(b, "hit") == [(1, 2, 1), (2, 1)]
    assert asked(b) == []


def test_a_success_may_be_rerolled_for_a_critical_that_does_more() -> None:
    kinds = (WoundKind(), WoundKind(0, None, Mortal(dice(1))))
    gun = volley(3, hit=SURE["hit"], wound=wound_table(4, crit_kind=1, reroll="all"), kinds=kinds)
    script = {"wound": [6, 4, 2, 6, 5], "save": [4]}
    b = fire(Attack((gun,), Target(bodies(2, 1, 4))), script, lambda b, d: (1, 2))
    assert asked(b) == ["reroll"]
    assert left(b) == [0, 0]
    by_policy = fire(Attack((gun,), Target(bodies(2, 1, 4))), {"wound": [6, 4, 2, 1], "save": [4]})
    assert left(by_policy) == [0, 1]


def test_a_hook_rerolls_one_die_of_a_batch_but_none_twice() -> None:
    seen: list[Roll] = []

    async def command(b: Range, roll: Roll) -> tuple[int, ...]:
        seen.append(roll)
        if roll.kind != "hit":
            return roll.faces
        with pytest.raises(ValueError, match="twice"):
            reroll_one(b, roll, 0)
        return reroll_one(b, roll, roll.open()[0], "command")

    gun = volley(3, hit=hit_table(3, reroll="ones"))
    b = fire(
        Attack((gun,), Target(bodies(1, 1, 4))),
        {"hit": [1, 2, 4, 1, 6], "wound": [1, 1]},
        hooks=Hooks(command, mark),
    )
    assert rolls(b, "hit") == [(1, 2, 4), (1,), (6,)]
    assert seen[0].spent == (True, False, False)
    assert seen[0].score == (0.0, 0.0, 1.0)
    assert [r.kind for r in seen] == ["hit", "wound"]


def test_the_dice_of_one_sum_are_rerolled_together() -> None:
    async def command(b: Range, roll: Roll) -> tuple[int, ...]:
        return reroll_one(b, roll, roll.open()[0]) if roll.kind == "attacks" else roll.faces

    gun = Volley("gun", (Shots(2, dice("2D6")),), hit_table(3), wound_table(4), (WoundKind(),))
    b = fire(
        Attack((gun,), Target(bodies(1, 1, 4))),
        {"attacks": [3, 4, 1, 2, 6, 6], "hit": [1] * 19},
        hooks=Hooks(command),
    )
    assert rolls(b, "attacks") == [(3, 4, 1, 2), (6, 6)]


def test_the_save_is_rolled_by_the_defender() -> None:
    seen = []

    async def watch(b: Range, roll: Roll) -> tuple[int, ...]:
        seen.append((roll.kind, roll.player, roll.unit))
        return roll.faces

    attack = Attack((volley(1, "D3"),), Target((Body(0, 3, 3, (4,), pain=6),)))
    fire(attack, {"hit": [3], "wound": [4], "save": [3], "damage": [1], "feel no pain": [6]}, hooks=Hooks(watch))
    assert seen == [
        ("hit", 0, 0),
        ("wound", 0, 0),
        ("save", 1, 1),
        ("damage", 0, 0),
        ("feel no pain", 1, 1),
    ]


def test_what_a_destroyed_model_sets_off_happens_before_the_next_attack() -> None:
    async def burst(b: Range, model: int) -> None:
        b.place_models([model], GONE)
        if model == 0:
            await five(b, Due(1), Hooks())

    attack = Attack((volley(3, **SURE),), Target(bodies(4, 1, 4)))
    b = fire(attack, {"wound": [3] * 3, "save": [1, 4, 1]}, hooks=Hooks(allocated=mark, destroy=burst))
    assert left(b) == [0, 0, 0, 1]


def test_events_cite_the_rules_of_what_happened() -> None:
    gun = Volley(
        "gun",
        (Shots(1, dice(1)),),
        hit_table(3, cites=("hit",), crit_cites=("critical",)),
        wound_table(4, cites=("wound",)),
        (WoundKind(cites=("damage",)),),
        cites=("sequence",),
    )
    attack = Attack((gun,), Target(bodies(1, 1, 4), cites=("allocate",)))
    plain = fire(attack, {"hit": [5], "wound": [4], "save": [6]})
    assert [e.rules for e in plain.events if isinstance(e, Told)] == [
        ("sequence", "hit", "wound", "damage", "allocate")
    ]
    missed = fire(attack, {"hit": [1]})
    assert [e.rules for e in missed.events if isinstance(e, Told)] == [("sequence", "hit")]


@pytest.mark.parametrize("name", ["a leader aimed at", "failures only", "random damage"])
def test_an_attack_stands_every_proof_of_the_discipline(name: str) -> None:
    system, start = shooting_range(SPECS[name], lambda b: shoot(b, Hooks(spend, mark)), 4, "all")
    found = prove(system, start, seed=3)
    assert not found.faults, found.examples
    assert found.forks > 10
    assert found.asked["spend"]


# ---------------------------------------------------------------------- flow = kernel = reckoning


@pytest.mark.parametrize("name", SPECS)
def test_the_flow_agrees_with_the_reckoning_and_the_kernel(name: str) -> None:
    attack = SPECS[name]
    seen = play(attack, 3000, seed=5)
    assert fits(seen, outcomes(attack))
    odds = montecarlo.roll(attack, 200_000, 3)
    mean = sum(lost * n for (lost, _), n in seen.items()) / 3000
    assert abs(mean - odds.mean_damage) < 5 * spread(odds.damage) / 3000**0.5


def spread(counts: Sequence[int]) -> float:
    total = sum(counts)
    mean = sum(n * c for n, c in enumerate(counts)) / total
    return float((sum((n - mean) ** 2 * c for n, c in enumerate(counts)) / total) ** 0.5)


DEVASTATING = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(3))))


@pytest.mark.parametrize(
    "attack",
    [
        Attack((volley(1, "D3", hit=hit_table(4, sustained=1)),), Target((Body(0, 1, 2, (5,)), Body(1, 2, 2, (5,))))),
        Attack(
            (volley(1, wound=wound_table(5, crit_kind=1), kinds=DEVASTATING),),
            Target((Body(0, 1, 1, (4,)), Body(1, 2, 2, (4,), pain=5, rank=1))),
        ),
        Attack((volley(2, hit=hit_table(6, auto=True)),), Target((Body(0, 1, 1, (4,)),))),
    ],
    ids=["sustained", "devastating", "two shots"],
)  # fmt: skip
def test_every_way_the_dice_can_fall_adds_up_to_the_reckoning(attack: Attack) -> None:
    found = every_way(attack)
    exact = {what: p for what, p in outcomes(attack).items() if p}
    assert found.keys() == exact.keys()
    assert all(abs(found[what] - exact[what]) < 1e-9 for what in exact)


def test_a_bolter_against_its_own_kind() -> None:
    """Four shots at 3+, wounding on 4+, saved on 3+: 4/9 of a wound on average."""
    assert BOLTER.hit.face(3).success
    odds = montecarlo.roll(SPECS["plain"], 400_000)
    assert abs(odds.mean_damage - 4 * (2 / 3) * (1 / 2) * (1 / 3)) < 0.005


# ---------------------------------------------------------------------- what editions do differently


def test_one_die_of_a_sum_can_be_re_rolled_where_an_edition_says_so() -> None:
    async def again(b: Any, roll: Roll) -> tuple[int, ...]:
        return reroll_one(b, roll, 0, die=1) if roll.kind == "attacks" else roll.faces

    gun = Volley("gun", (Shots(1, dice("2D6")),), hit_table(6), wound_table(4), (WoundKind(0, dice(1)),))
    b = fire(Attack((gun,), Target(bodies(1, 1, 4))), {"attacks": [3, 1, 2], "hit": [1] * 5}, hooks=Hooks(again, mark))
    assert rolls(b, "attacks") == [(3, 1), (2,)] and len(rolls(b, "hit")[0]) == 5


def test_several_rolls_against_the_loss_of_a_wound_are_made_one_after_the_other() -> None:
    tough = Target(tuple(msgspec.structs.replace(x, pain=5, more_pain=(6,)) for x in bodies(1, 4, NEVER)))
    b = fire(Attack((volley(3, **SURE),), tough), {"wound": [4, 4, 4], "feel no pain": [5, 1, 6, 2, 3]})
    assert left(b) == [3], "the first is ignored at once, the second by the second die, the third is lost"


def test_saves_can_be_looked_at_anew_after_each_loss() -> None:
    """The last one stands in cover as soon as it is alone."""

    async def once(b: Range) -> None:
        def now() -> Target:
            found = target_of(b)
            save = 5 if len(found.bodies) > 1 else 2
            return msgspec.structs.replace(
                found, keeps=False, bodies=tuple(msgspec.structs.replace(x, saves=(save,)) for x in found.bodies)
            )

        gun = volley(3, **SURE)
        await resolve_all(b, [lambda: (gun, now)], Hooks(anew=True), unit=SHOOTER, against=VICTIM)

    attack = Attack((volley(3, **SURE),), Target(bodies(2, 1, 5)))
    dice_ = ScriptedDice({"wound": [4] * 3, "save": [4, 2, 1]})
    b = battle(attack, dice_, once).start()
    assert left(b) == [0, 0] and rolls(b, "save") == [(4,), (2,), (1,)]
