"""Mortal wounds, hazard rolls, destroyed models and what they set off."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.events import Rolled, Told
from sandtable.systems.w40k11.destroyed import destroy
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import BYSTANDERS, alive, character, column, done, duel, face_off, gun, hurt, outcomes, shoot, target
from w40k11.carriers import RHINO
from w40k11.table import Doc, default, give, kinds, named, rolls, sheet, situation, unit

rule = pytest.mark.rule


def cursed(points: int, victim: Doc, count: int = 3, *, wounds: dict[int, int] | None = None, **more: Any) -> Battle11:
    """Blues suffer mortal wounds by an ability of Reds."""
    curse = {"kind": "mortal_wounds", "amount": points, "who": "enemies", "within": 6, "at": "shooting"}
    reds = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 8)])
    blues = unit("Blues", "blue", target(**victim), column(count, 14), wounds=wounds, loadout=more.pop("kinds", None))
    power = {"name": "Curse", "unit": "Reds", "effects": [curse]}
    return situation([reds, blues, BYSTANDERS], step="shooting_phase", abilities=[power], **more)


CHIEF = character(wounds=3)


# --- Mortal wounds ----------------------------------------------------------------------------------------------------


@rule("w40k11.mortal.selection", check=1)
def test_no_save_is_made_against_mortal_wounds() -> None:
    b = cursed(2, {"save": 2, "invulnerable": 2, "wounds": 2})
    assert (rolls(b), sorted(hurt(b))) == ([], [0, 2, 2])


@rule("w40k11.mortal.selection", check=2)
def test_a_wounded_model_is_picked_before_an_unwounded_one() -> None:
    assert hurt(cursed(1, {"wounds": 3}, wounds={2: 2})) == [3, 1, 3]


@rule("w40k11.mortal.selection", check=3)
def test_an_unwounded_bodyguard_is_picked_before_a_wounded_character() -> None:
    b = cursed(1, {"wounds": 2}, 2, wounds={2: 1}, kinds=[{"models": [2], "sheet": CHIEF}])
    assert hurt(b) == [1, 1]


@rule("w40k11.mortal.selection", check=4)
def test_a_wounded_character_is_picked_before_an_unwounded_one() -> None:
    chiefs = [{"models": [2, 3], "sheet": CHIEF}]
    b = cursed(2, {}, 3, wounds={3: 2}, kinds=chiefs)
    assert hurt(b) == [0, 3, 1]


@rule("w40k11.mortal.selection", check=4)
def test_of_characters_who_are_alike_their_player_picks() -> None:
    chiefs = [{"models": [1], "sheet": CHIEF}, {"models": [2], "sheet": {**CHIEF, "name": "Other"}}]
    b = cursed(1, {}, 2, kinds=chiefs)
    give(b, "allocate", named(b, "Blues").models[1])
    assert hurt(b) == [3, 2]


@rule("w40k11.mortal.selection", check=5)
def test_mortal_wounds_carry_over() -> None:
    assert sorted(hurt(cursed(3, {"wounds": 2}))) == [0, 1, 2]


@rule("w40k11.mortal.selection", check=6)
def test_feel_no_pain_is_rolled_for_each_mortal_wound() -> None:
    b = cursed(2, {"wounds": 9, "abilities": ["feel no pain 5+"]}, 1, dice={"feel no pain": [5, 4]})
    assert ([faces for _, faces in rolls(b)], hurt(b)) == ([(5,), (4,)], [8])


@rule("w40k11.mortal.selection", check=1)
def test_no_mortal_wounds_are_not_told() -> None:
    assert outcomes(risky([3]), "mortal-wounds") == []


@rule("w40k11.mortal.selection", check=7)
def test_mortal_wounds_of_attacks_do_not_go_to_whom_precision_picked() -> None:
    weapon = gun("precision", "devastating wounds", attacks="2")
    chief = [{"models": [3], "sheet": CHIEF}]
    b = duel(weapon, target(wounds=2), targets=3, kinds=chief, dice={"hit": [5, 5], "wound": [5, 6]})
    give(b, "aim", named(b, "Blues").models[2])
    assert (sorted(hurt(b)[:2]), hurt(b)[2], done(b)) == ([1, 2], 2, True)


# --- Hazard rolls -----------------------------------------------------------------------------------------------------


def risky(faces: list[int], keywords: list[str] | None = None, **more: Any) -> Battle11:
    """Reds fired a hazardous weapon for each face."""
    red = target(name="Red", wounds=9, keywords=keywords or ["INFANTRY"], weapons=[gun("hazardous")])
    dice = {"hit": [1] * len(faces), "hazard": faces}
    return duel([], red={**red, **more.pop("red", {})}, red_at=column(len(faces), 10), dice=dice, **more)


@rule("w40k11.hazard.roll", check=1)
@pytest.mark.parametrize(("face", "left"), [(1, 8), (2, 8), (3, 9), (6, 9)])
def test_a_hazard_roll_fails_on_1_and_2(face: int, left: int) -> None:
    assert hurt(risky([face]), "Reds") == [left]


@rule("w40k11.hazard.roll", check=1)
def test_the_roll_says_what_is_safe() -> None:
    (told_,) = [e for e in risky([3]).events if isinstance(e, Rolled) and e.reason == "hazard"]
    assert told_.needed == 3


@rule("w40k11.hazard.roll", check=1)
def test_without_such_a_weapon_nothing_is_rolled() -> None:
    assert rolls(duel(gun(), dice={"hit": [1]})) == [("hit", (1,))]


@rule("w40k11.hazard.roll", check=2)
def test_two_failures_cost_infantry_two_mortal_wounds() -> None:
    assert sum(hurt(risky([1, 2]), "Reds")) == 16


@rule("w40k11.hazard.roll", check=3)
@pytest.mark.parametrize("keyword", ["VEHICLE", "MONSTER"])
def test_a_failure_costs_a_vehicle_three_mortal_wounds(keyword: str) -> None:
    assert hurt(risky([2], [keyword]), "Reds") == [6]


@rule("w40k11.hazard.roll", check=4)
def test_a_vehicle_among_infantry_costs_one_mortal_wound() -> None:
    walker = target(name="Walker", wounds=9, keywords=["VEHICLE"], weapons=[gun("hazardous", name="cannon")])
    b = risky([2, 3], loadout=[{"models": [2], "sheet": walker}])
    give(b, "allocate", named(b, "Reds").models[0])
    assert hurt(b, "Reds") == [8, 9]


@rule("w40k11.hazard.roll", check=5)
def test_the_wounds_of_hazard_rolls_follow_the_order_of_mortal_wounds() -> None:
    kit = [{"models": [1], "weapons": []}]
    b = face_off([], red=target(name="Red", wounds=3, weapons=[gun("hazardous")]), red_at=column(2, 10), loadout=kit,
                 dice={"hit": [1], "hazard": [1]})  # fmt: skip
    b.set_wounds(named(b, "Reds").models[0], 2)
    assert hurt(shoot(b), "Reds") == [1, 3]


@rule("w40k11.hazard.roll", check=6)
def test_all_hazard_rolls_are_made_before_anybody_is_lost() -> None:
    b = risky([1, 1, 1], red={"wounds": 1})
    assert (rolls(b)[-1], hurt(b, "Reds")) == (("hazard", (1, 1, 1)), [0, 0, 0])


# --- Deadly Demise ----------------------------------------------------------------------------------------------------


def blown(face: int, demise: str = "deadly demise 2", *, targets: int = 1, **more: Any) -> Battle11:
    """Reds destroyed a model of Blues that may blow up."""
    near = unit("Near", "red", target(name="Near", wounds=9), [(21, 15)])
    far = unit("Far", "red", target(name="Far", wounds=9), [(28.1, 8)])
    pals = unit("Pals", "blue", target(name="Pal", wounds=9), [(21, 1)])
    dice = {"hit": [5], "wound": [5], "deadly demise": [face], "deadly demise wounds": more.pop("points", [])}
    victim = target(abilities=[demise])
    units = [near, far, pals, *more.pop("more", [])]
    return duel(gun(), victim, red_at=[(3, 8)], blue_at=column(targets, 21, 8), more=units, dice=dice, **more)


@rule("w40k11.unit.deadly_demise", check=1)
@pytest.mark.parametrize(("face", "left"), [(5, [9, 9, 9]), (6, [7, 7, 9])])
def test_on_a_6_all_units_within_6_inches_suffer(face: int, left: list[int]) -> None:
    b = blown(face)
    assert [hurt(b, name)[0] for name in ("Near", "Pals", "Far")] == left


def wrecked(demise: str, face: int) -> Battle11:
    """A Rhino with Pals aboard was destroyed by the first of two batches; the second goes at Lone."""
    rhino = {**RHINO, "wounds": 1, "save": 7, "abilities": [demise]}
    carrier = unit("Rhino", "blue", rhino, [(21, 8)])
    pals = unit("Pals", "blue", target(name="Pal", wounds=9), off=1, embarked="Rhino")
    lone = unit("Lone", "blue", target(name="Lone", wounds=9), [(21, 25)])
    arms = [gun(strength=20), gun(name="other gun")]
    dice = {"hit": [5, 5], "wound": [5, 5], "hazard": [6], "deadly demise": [face]}
    b = face_off(arms, more=[carrier, pals, lone], blue_at=[(40, 8)], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Rhino"}, {"weapon": "other gun", "target": "Lone"}])
    default(b, "escape")
    return b


@rule("w40k11.unit.deadly_demise", check=2)
def test_units_that_just_got_out_are_affected() -> None:
    b = wrecked("deadly demise 2", 6)
    assert ([kind for kind, _ in rolls(b)][-2:], hurt(b, "Pals")) == (["hazard", "deadly demise"], [7])


@rule("w40k11.unit.deadly_demise", check=3)
def test_a_random_number_is_rolled_for_each_unit() -> None:
    b = blown(6, "deadly demise d3", points=[1, 6])
    assert ([hurt(b, name)[0] for name in ("Near", "Pals")], rolls(b)[-2:]) == (
        [8, 6],
        [("deadly demise wounds", (1,)), ("deadly demise wounds", (6,))],
    )


@rule("w40k11.unit.deadly_demise", check=4)
def test_the_rest_of_its_own_unit_is_affected() -> None:
    victim = [{"models": [2], "sheet": target(name="Other", wounds=9)}]
    b = blown(6, targets=2, kinds=victim, wounds={})
    give(b, "groups", sorted(o.value for o in b.decisions[0].options))  # type: ignore[attr-defined]
    default(b, "order_units")
    assert hurt(b) == [0, 7]


def test_who_explodes_is_gone_even_if_it_takes_its_slayer_along() -> None:
    dice = {"hit": [5, 5], "wound": [5, 5], "deadly demise": [6, 1]}
    rise = {"kind": "return_models", "amount": 1, "at": "death_phase_end"}
    gift = {"name": "Gift", "unit": "Blues", "effects": [rise]}
    b = duel(gun(attacks="2"), target(abilities=["deadly demise 9"]), targets=2, gap=3, dice=dice, abilities=[gift])
    assert (alive(b, "Reds"), alive(b, "Blues"), b.state.game.down, kinds(b)) == (0, 0, (), ["shoot_with"])


# --- Destroyed models -------------------------------------------------------------------------------------------------


def told(b: Battle11, *wanted: str) -> list[str]:
    """What was told of some kinds, in order."""
    return [e.kind for e in b.events if isinstance(e, Told) and e.kind in wanted]


@rule("w40k11.appendix.destroyed", check=1)
def test_what_is_destroyed_blows_up_only_after_the_last_attack() -> None:
    lone = unit("Lone", "blue", target(name="Lone"), [(21, 20)])
    arms = [gun(), gun(name="other gun", strength=5)]
    dice = {"hit": [5, 5], "wound": [5, 5], "deadly demise": [1]}
    b = face_off(arms, target(abilities=["deadly demise 1"]), more=[lone], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "other gun", "target": "Lone"}])
    assert ([kind for kind, _ in rolls(b)], told(b, "attack", "unit_destroyed")) == (
        ["hit", "wound", "hit", "wound", "deadly demise"],
        ["attack", "attack", "unit_destroyed", "unit_destroyed"],
    )


@rule("w40k11.appendix.destroyed", check=1)
def test_a_transport_empties_and_explodes_only_after_the_last_attack() -> None:
    b = wrecked("deadly demise 1", 1)
    kinds_ = [kind for kind, _ in rolls(b)]
    assert (kinds_, told(b, "unit_destroyed")) == (
        ["hit", "wound", "hit", "wound", "hazard", "deadly demise"],
        ["unit_destroyed"],
    )


@rule("w40k11.appendix.destroyed", check=2)
def test_a_model_that_an_earlier_batch_destroyed_takes_no_more_damage() -> None:
    arms = [gun(), gun(name="other gun", strength=5)]
    b = duel(arms, target(wounds=2), targets=2, wounds={1: 1}, dice={"hit": [5, 5], "wound": [5, 5]})
    assert (hurt(b), told(b, "unit_destroyed"), done(b)) == ([0, 1], [], True)


@rule("w40k11.appendix.destroyed", check=3)
def test_what_is_destroyed_by_other_means_blows_up_at_once() -> None:
    """Pals fall to the Deadly Demise of the Blues, before what the end of Lone sets off, whom an attack destroyed."""
    frail = target(abilities=["deadly demise 1"])
    pals = unit("Pals", "blue", {**frail, "name": "Pal"}, [(21, 12)])
    lone = unit("Lone", "blue", {**frail, "name": "Lone"}, [(21, 25)])
    arms = [gun(), gun(name="other gun", strength=5)]
    b = face_off(arms, frail, more=[pals, lone], dice={"hit": [5, 5], "wound": [5, 5], "deadly demise": [6, 1, 1]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "other gun", "target": "Lone"}])
    ends = [e.text for e in b.events if isinstance(e, Told) and e.kind == "unit_destroyed"]
    assert ends == ["Pals are destroyed.", "Blues are destroyed.", "Lone is destroyed."]


@rule("w40k11.appendix.destroyed", check=3)
def test_whoever_is_destroyed_has_no_wounds_left() -> None:
    b = face_off(gun(), target(wounds=3), targets=2)
    model = named(b, "Blues").models[0]
    with pytest.raises(StopIteration):
        destroy(b, model).send(None)
    assert (hurt(b), int(b.state.models.place[model])) == ([0, 3], GONE)


@rule("w40k11.appendix.destroyed", check=4)
def test_the_aura_of_a_destroyed_model_no_longer_works() -> None:
    banner = unit("Banner", "blue", target(name="Banner"), [(21, 11)])
    aura = {"kind": "feel_no_pain", "value": 2, "who": "friends", "within": 6}
    arms = [gun(), gun(name="other gun", strength=5)]
    powers = [{"name": "Banner of War", "unit": "Banner", "effects": [aura]}]
    dice = {"hit": [5, 5], "wound": [5, 5], "feel no pain": [1]}
    b = face_off(arms, more=[banner], abilities=powers, dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Banner"}, {"weapon": "other gun", "target": "Blues"}])
    assert ([kind for kind, _ in rolls(b)], hurt(b)) == (["hit", "wound", "feel no pain", "hit", "wound"], [0])
