"""Advice on splits and orders, single re-rolls, and attacks one after the other: held against plain reckonings."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations, product

import msgspec
import pytest

from attack import specs
from sandtable.attack import advice, series
from sandtable.attack.advice import Goal, Lot, best_order, best_split, together, worth_of
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.one_reroll import ATTACKER, worth
from sandtable.attack.potential import potential
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import Attack, Body, Choices, DiceSum, Procedure, Shots, Target, Volley, WoundKind, dice


def gun(hit: int, wound: int, damage: str | int = 1, *, name: str = "gun", reroll: str = "none") -> Volley:
    table = hit_table(hit, reroll=reroll)  # type: ignore[arg-type]
    return Volley(name, (Shots(1, dice(1)),), table, wound_table(wound), (WoundKind(0, dice(damage)),))


def unit(models: int, wounds: int, save: int) -> Target:
    return Target(tuple(Body(i, wounds, wounds, (save,), value=10.0) for i in range(models)))


def times(volley: Volley, number: int) -> Volley:
    return msgspec.structs.replace(volley, shots=(Shots(number, dice(1)),))


# --- Splits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("aim", ["destroy", "kills", "damage", "points"])
def test_no_split_does_more_than_the_best(aim: advice.Aim) -> None:
    rng = random.Random(aim)
    for _ in range(4):
        goals = [Goal(unit(rng.randint(1, 3), rng.randint(1, 3), rng.randint(4, 7))) for _ in range(3)]
        lots = [
            Lot(f"gun {k}", rng.randint(1, 3), tuple(gun(rng.randint(2, 5), rng.randint(2, 5), rng.choice((1, 2, "D3")))
                if rng.random() < 0.85 else None for _ in goals))
            for k in range(2)
        ]  # fmt: skip
        found = best_split(lots, goals, aim)
        assert found.proven
        best = 0.0
        shares = [[s for s in product(range(lot.count + 1), repeat=3) if sum(s) <= lot.count] for lot in lots]
        for counts in product(*shares):
            if any(n and lot.at[t] is None for lot, s in zip(lots, counts, strict=True) for t, n in enumerate(s)):
                continue
            value = sum(
                worth_of(solve(together(lots, tuple(s[t] for s in counts), goal, t)), aim)
                for t, goal in enumerate(goals)
            )
            best = max(best, value)
        assert found.worth == pytest.approx(best, abs=1e-12)
        assert sum(found.by_target) == pytest.approx(found.worth, abs=1e-12)


def test_a_search_takes_over_where_there_are_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    goals = [Goal(unit(1, 2, 7)), Goal(unit(3, 1, 5))]
    lots = [Lot("gun", 6, (gun(3, 3, 2), gun(3, 3)))]
    sure = best_split(lots, goals, "kills")
    monkeypatch.setattr(advice, "MAX_WAYS", 1)
    found = best_split(lots, goals, "kills")
    assert not found.proven
    assert found.worth == pytest.approx(sure.worth, abs=1e-12)


def test_absurd_splits_are_refused() -> None:
    with pytest.raises(Unsolvable, match="targets: 9 is more than the 8"):
        best_split([Lot("gun", 1, (gun(3, 3),) * 9)], [Goal(unit(1, 1, 7))] * 9)
    with pytest.raises(Unsolvable, match="a split needs weapons and targets"):
        best_split([], [Goal(unit(1, 1, 7))])


# --- Orders -----------------------------------------------------------------------------------------------------------


def test_no_order_does_more_than_the_best() -> None:
    volleys = (
        times(gun(3, 3, 2, name="two"), 2),
        times(gun(2, 4, 3, name="three"), 2),
        times(gun(4, 2, name="one"), 3),
    )
    attack = Attack(volleys, unit(3, 3, 6))
    found = best_order(attack, "kills")
    values = [solve(Attack(order, attack.target)).mean_killed for order in permutations(volleys)]
    assert found.worth == pytest.approx(max(values), abs=1e-12)
    assert found.worst == pytest.approx(min(values), abs=1e-12)
    assert found.worth > found.worst


def test_where_the_order_is_said_not_to_count_it_does_not() -> None:
    told = 0
    for attack in specs.chunk(7, 150, Procedure.EACH_IN_TURN):
        if len(attack.volleys) < 2 or advice.order_counts(attack):
            continue
        told += 1
        values = [solve(msgspec.structs.replace(attack, volleys=o)).damage for o in permutations(attack.volleys)]
        assert all(v == pytest.approx(values[0], abs=1e-12) for v in values), attack
    guns = (times(gun(3, 4), 2), times(gun(4, 3), 3))
    assert not advice.order_counts(Attack(guns, unit(3, 3, 5)))
    assert not advice.order_counts(Attack((gun(3, 4, "D3"), gun(4, 3, 2)), unit(3, 1, 5)))
    assert advice.order_counts(Attack((gun(3, 4, 2), gun(4, 3)), unit(3, 3, 5)))
    assert told > 2


# --- A single re-roll -------------------------------------------------------------------------------------------------


@cache
def plain(attacks: int, models: int, hit: int, wound: int, held: bool, on: tuple[str, ...]) -> float:
    """The chance to destroy some models of one wound and no save, with one re-roll, attack by attack."""
    if not models:
        return 1.0
    if not attacks:
        return 0.0

    def then(down: int, left: bool) -> float:
        return plain(attacks - 1, models - down, hit, wound, left, on)

    def wounded(left: bool) -> float:
        made = (7 - wound) / 6
        kept = made * then(1, left) + (1 - made) * then(0, left)
        if not left or "wound" not in on:
            return kept
        again = made * then(1, False) + (1 - made) * then(0, False)
        return made * max(then(1, True), again) + (1 - made) * max(then(0, True), again)

    made = (7 - hit) / 6
    if not held or "hit" not in on:
        return made * wounded(held) + (1 - made) * then(0, held)
    again = made * wounded(False) + (1 - made) * then(0, False)
    return made * max(wounded(True), again) + (1 - made) * max(then(0, True), again)


@pytest.mark.parametrize("on", [(), ("hit",), ("wound",), ("hit", "wound")])
def test_a_single_re_roll_is_used_where_it_does_most(on: tuple[str, ...]) -> None:
    for attacks, models, hit, wound in ((1, 1, 4, 4), (3, 2, 3, 5), (5, 3, 4, 2), (6, 2, 5, 4)):
        attack = Attack((times(gun(hit, wound), attacks),), unit(models, 1, 7), choices=Choices(goal="destroy"))
        found = worth(attack, on)  # type: ignore[arg-type]
        assert found == pytest.approx(plain(attacks, models, hit, wound, True, on), abs=1e-12)


def test_a_re_roll_of_damage_and_of_a_save() -> None:
    attack = Attack((gun(2, 2, "D6"),), unit(1, 4, 5), choices=Choices(goal="destroy"))
    through = 5 / 6 * 5 / 6
    assert worth(attack) == pytest.approx(through * 2 / 3 * 1 / 2, abs=1e-12)
    assert worth(attack, ("damage",)) == pytest.approx(through * 2 / 3 * 3 / 4, abs=1e-12)
    assert worth(attack, ("save",)) == pytest.approx(through * 4 / 9 * 1 / 2, abs=1e-12)


def test_a_re_roll_of_the_number_of_attacks() -> None:
    volley = msgspec.structs.replace(gun(2, 2), shots=(Shots(1, DiceSum((3,))),))
    attack = Attack((volley,), unit(3, 1, 7), choices=Choices(goal="models"))
    one = 25 / 36
    assert worth(attack) == pytest.approx(2 * one, abs=1e-12)
    # A one is worth less than the mean of two, a two exactly as much, a three more.
    assert worth(attack, ("attacks",)) == pytest.approx((2 + 2 + 3) / 3 * one, abs=1e-12)


def test_without_a_re_roll_it_is_the_solver() -> None:
    tried = 0
    for drawn in specs.chunk(3, 80, Procedure.EACH_IN_TURN):
        attack = _without_mortal_wounds(drawn)
        try:
            found = worth(attack)
        except Unsolvable:
            continue
        assert found == pytest.approx(solve(attack).mean_damage, abs=1e-10)
        assert worth(attack, ATTACKER) >= found - 1e-12
        tried += 1
    assert tried > 5


def _without_mortal_wounds(attack: Attack) -> Attack:
    """Mortal wounds may wait for the solver, but not for a single re-roll."""
    volleys = tuple(
        msgspec.structs.replace(v, aim=(), kinds=tuple(WoundKind(k.save, k.damage or dice(1)) for k in v.kinds))
        for v in attack.volleys
    )
    return msgspec.structs.replace(attack, volleys=volleys, choices=Choices())


def test_what_is_weighed_already_has_no_single_re_roll() -> None:
    attack = Attack((gun(3, 3),), unit(1, 1, 7), choices=Choices(reroll="optimal"))
    with pytest.raises(Unsolvable, match="by fixed policies"):
        worth(attack)


# --- One after the other ----------------------------------------------------------------------------------------------


def test_the_next_unit_meets_what_the_last_one_left() -> None:
    one, both = times(gun(3, 4), 2), times(gun(3, 4), 4)
    target = unit(3, 1, 5)
    states = series.series([Attack((one,), target), Attack((one,), target)])[-1]
    assert series.killed(states) == pytest.approx(solve(Attack((both,), target)).killed, abs=1e-12)
    assert series.value(states, target) == pytest.approx(10 * solve(Attack((both,), target)).mean_killed, abs=1e-12)


def test_only_attacks_on_the_same_models_come_one_after_the_other() -> None:
    with pytest.raises(Unsolvable, match="on the same models"):
        series.series([Attack((gun(3, 4),), unit(1, 1, 7)), Attack((gun(3, 4),), unit(2, 1, 7))])
    with pytest.raises(Unsolvable, match="is more than the 60"):
        series.series([Attack((gun(3, 4),), unit(1, 1, 7))] * 61)


def test_potential_is_what_an_endless_target_would_lose() -> None:
    attack = Attack((times(gun(3, 4, 3), 4),), unit(2, 2, 5))
    assert potential(attack) == pytest.approx(4 * 2 / 3 * 1 / 2 * 2 / 3 * 3, abs=1e-12)
    assert potential(Attack(attack.volleys, attack.target, choices=Choices(reroll="optimal"))) is None
