"""Units that are hurt already, models that are asked about, the order of weapons, what weapons cost their bearers."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from odds.practice import PACK, PRACTICE, binomial
from sandtable import odds
from sandtable.attack.solver import solve
from sandtable.errors import UserError
from sandtable.odds.cases import case_of

ONE = str(PACK / "lists" / "one.yaml")


def close(found: object, wanted: object) -> None:
    assert found == pytest.approx(wanted, abs=1e-12)


# --- Hurt already -----------------------------------------------------------------------------------------------------


def test_a_model_that_is_hurt_has_only_what_is_left() -> None:
    answer = odds.into("10 rifle squad", "hulks, 2 wounds lost", odds.shooting(), PRACTICE)
    close(answer.destroyed, 1 - (2 / 3) ** 10)
    assert (answer.models, answer.wounds) == (1, 1)
    assert "hulks, 2 wounds lost (30 points)" in "\n".join(answer.assumptions.units).lower()


def test_a_hurt_unit_lost_whole_models_first_and_half_is_half_of_what_it_was() -> None:
    answer = odds.into("10 rifle squad", "3 hulks, 4 wounds lost", odds.shooting(), PRACTICE)
    assert (answer.models, answer.wounds) == (2, 5)
    close(answer.below_half, sum(answer.killed[1:]))
    fresh = odds.into("10 rifle squad", "2 hulks", odds.shooting(), PRACTICE)
    close(fresh.below_half, sum(fresh.killed[2:]))


def test_a_unit_that_lost_models_shoots_with_those_that_are_left() -> None:
    close(
        odds.into("10 rifle squad, 5 lost", "10 dummies", odds.shooting(), PRACTICE).killed,
        odds.into("5 rifle squad", "10 dummies", odds.shooting(), PRACTICE).killed,
    )


def test_a_leader_is_the_last_that_was_lost() -> None:
    answer = odds.into("cannon", "5 rifle squad led by captain, 1 model left", odds.shooting(), PRACTICE)
    assert (answer.models, answer.wounds) == (1, 4)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("hulks, 3 wounds lost", "0 to 2 wounds can be lost, not 3"),
        ("hulks, 4 wounds left", "1 to 3 wounds can be left, not 4"),
        ("3 hulks, 3 lost", "0 to 2 models can be lost, not 3"),
    ],
)
def test_more_than_there_is_cannot_be_lost(target: str, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        odds.into("10 rifle squad", target, odds.shooting(), PRACTICE)
    assert sentence in str(error.value)


def test_damage_that_hampers_a_model_counts_when_it_is_hurt() -> None:
    """A Land Raider with few wounds left hits worse: what the datasheet says of it works."""
    whole = odds.into("land raider", "10 boyz")
    hurt = odds.into("land raider on 3 wounds", "10 boyz")
    assert hurt.mean_killed < whole.mean_killed


# --- One model --------------------------------------------------------------------------------------------------------


def test_the_chance_that_the_captain_dies() -> None:
    """Four blows with Precision (2+, 3+, 5+ saved), two of which kill a model of four wounds: no knife reaches it."""
    chance = 5 / 6 * 2 / 3 * 2 / 3
    answer = odds.into(
        "5 rifle squad led by captain", "captain in 5 rifle squad", odds.melee(weapons=["sword"]), PRACTICE
    )
    assert answer.who == "Captain"
    close(answer.fate.gone if answer.fate else None, sum(binomial(4, chance)[2:]))
    assert answer.headline.startswith("47 % to kill Captain in 5 Troopers, led by Captain; 0 % to destroy")


def test_every_kind_of_model_has_its_fate() -> None:
    answer = odds.into("10 rifle squad", "5 rifle squad led by captain", odds.shooting(), PRACTICE)
    assert [(fate.name, fate.number, fate.guarded) for fate in answer.fates] == [
        ("Trooper", 5, False),
        ("Captain", 1, True),
    ]
    close(answer.fates[0].lost + answer.fates[1].lost, answer.mean_killed)
    close(answer.fates[1].gone, answer.destroyed)
    assert odds.into("10 rifle squad", "5 rifle squad", odds.shooting(), PRACTICE).fates == ()


def test_who_is_not_there_is_refused_with_who_is() -> None:
    with pytest.raises(UserError, match=r"Who is meant by 'sergeant' in .*? There: Trooper, Captain"):
        odds.into("10 rifle squad", "5 rifle squad led by captain", odds.shooting(), PRACTICE, who="sergeant")


# --- The order of weapons ---------------------------------------------------------------------------------------------


def test_weapons_are_used_in_the_best_order_and_it_is_told() -> None:
    how = odds.melee("charged")
    answer = odds.into("20 boyz led by warboss", "5 terminators", how)
    case = case_of("20 boyz led by warboss", "5 terminators", how, odds.Setting(), ordered=False)
    orders = [
        solve(msgspec.structs.replace(case.attack, volleys=order)).mean_damage
        for order in permutations(case.attack.volleys)
    ]
    close(answer.mean_damage, max(orders))
    assert max(orders) > orders[0] + 0.05
    told = "weapons are used in the order that does most wounds: big choppa of Boss Nob, then choppa, then big choppa"
    assert any(note.startswith(told) for note in answer.assumptions.notes)


def test_the_order_can_be_for_another_goal_or_named() -> None:
    unit, target = "10 rifle squad with 2 plasma rifles", "3 hulks"
    hot = ("overcharge",)
    first = odds.Setting(pack=str(PACK), order="named")
    rifles = odds.shooting(*hot, weapons=["rifle", "plasma rifle"])
    plasma = odds.shooting(*hot, weapons=["Plasma Rifle", "rifle"])
    assert odds.into(unit, target, rifles, first).order == ("rifle", "plasma rifle, overcharged")
    assert odds.into(unit, target, plasma, first).order == ("plasma rifle, overcharged", "rifle")
    for goal, measure in (("damage", "mean_damage"), ("models", "mean_killed"), ("destroy", "destroyed")):
        setting = odds.Setting(pack=str(PACK), goal=goal)  # type: ignore[arg-type]
        best = getattr(odds.into(unit, target, odds.shooting(*hot), setting), measure)
        named = [getattr(odds.into(unit, target, how, first), measure) for how in (rifles, plasma)]
        close(best, max(named))


def test_where_the_order_changes_nothing_nothing_is_said() -> None:
    answer = odds.into("10 rifle squad with 2 plasma rifles", "10 dummies", odds.shooting(), PRACTICE)
    assert len(answer.order) == 2
    assert not any("order" in note for note in answer.assumptions.notes)


# --- Hazardous weapons ------------------------------------------------------------------------------------------------


def test_own_losses_to_hazardous_weapons_are_told() -> None:
    answer = odds.into("10 rifle squad with 2 plasma rifles", "3 hulks", odds.shooting("overcharge"), PRACTICE)
    (lost,) = answer.backfires
    assert lost.tests == 2
    close(lost.any, 1 - (5 / 6) ** 2)
    close((lost.models, lost.wounds, lost.points), (2 / 6, 2 / 6, 2 / 6 * 11))
    assert "own losses of 10 Troopers after these attacks: 0.33 of 10 models" in "\n".join(answer.assumptions.notes)
    assert "backfires" in answer.data()


def test_a_safe_profile_costs_nothing() -> None:
    assert odds.into("10 rifle squad with 2 plasma rifles", "3 hulks", odds.shooting(), PRACTICE).backfires == ()


def test_a_vehicle_suffers_three_mortal_wounds_and_a_hurt_one_may_be_lost() -> None:
    gun = odds.shooting(weapons=["kustom mega-blasta"])
    whole = odds.into("deff dread with kustom mega-blasta", "5 terminators", gun).backfires[0]
    close((whole.models, whole.wounds), (0, whole.tests * 3 / 6))
    last = odds.into("deff dread with kustom mega-blasta, 2 wounds left", "5 terminators", gun).backfires[0]
    close(last.destroyed, last.any)


def test_an_exchange_says_that_own_losses_are_left_out() -> None:
    answer = odds.exchange(
        "5 rifle squad with plasma rifle", "5 rifle squad", odds.shooting("overcharge"), odds.melee(), PRACTICE
    )
    assert "what units lose by their own weapons is not in these numbers" in answer.assumptions.notes


# --- A whole list -----------------------------------------------------------------------------------------------------


def test_a_list_shoots_and_then_charges() -> None:
    turn = odds.survive_list("5 dummies", ONE, setting=PRACTICE)
    assert turn.attackers == (
        "10 First Rifles + Captain shoots",
        "Cannon shoots",
        "10 First Rifles + Captain fights",
    )
    assert turn.alive[-1] < turn.alive[1]
    shot = odds.survive_list("5 dummies", ONE, odds.shooting(), PRACTICE)
    close(turn.alive[:2], shot.alive)
    assert "shooting alone is counted" in shot.assumptions.notes


def test_over_a_distance_a_charge_has_the_chance_of_its_roll() -> None:
    """From 8 inches away a 7 is needed, 21 of 36; no roll is enough for more than 13."""
    fight = odds.melee("charged")
    eight = odds.survive_list("5 dummies", ONE, odds.shooting(distance=8), PRACTICE, then=fight)
    sure = odds.survive_list("5 dummies", ONE, odds.shooting("half-range"), PRACTICE, then=fight)
    assert eight.attackers[-1] == "10 First Rifles + Captain fights (58 %)"
    close(eight.alive[-1], eight.alive[1] * 15 / 36 + sure.alive[-1] * 21 / 36)
    at_most = odds.survive_list("5 dummies", ONE, odds.shooting(distance=13), PRACTICE, then=fight)
    assert at_most.attackers[-1] == "10 First Rifles + Captain fights (3 %)"
    beyond = odds.survive_list("5 dummies", ONE, odds.shooting(distance=13.1), PRACTICE, then=fight)
    assert beyond.attackers == ("10 First Rifles + Captain shoots", "Cannon shoots")


def test_of_a_single_model_the_wounds_left_are_told() -> None:
    alone = odds.survive("cannon", ["cannon"], odds.shooting(), PRACTICE)
    once = odds.into("cannon", "cannon", odds.shooting(), PRACTICE)
    close(alone.wounds_left, (6 - once.mean_damage,))
    assert alone.headline.endswith(f"to survive Cannon, {6 - once.mean_damage:.1f} of 6 wounds left")
    many = odds.survive("3 hulks", ["cannon"], odds.shooting(), PRACTICE)
    assert many.headline.endswith(f"{many.left[0]:.1f} of 3 models left")


def test_circumstances_bear_on_shooting_or_on_the_charge() -> None:
    shoot, fight = odds.both_ways(odds.shooting("cover", "hit-1", distance=9), PRACTICE)
    assert shoot == odds.shooting("cover", "hit-1", distance=9)
    assert fight == odds.melee("hit-1", "charged")


# --- Rolls ------------------------------------------------------------------------------------------------------------


def test_no_re_roll_is_bought_for_leadership_and_battle_shock() -> None:
    found = odds.rolls("5 rifle squad", 9, PRACTICE)
    assert [t.name for t in found.tries if t.again is None] == ["leadership", "battle-shock"]
    assert found.named("battle-shock").told == "no re-roll to buy"
    assert found.named("advance").again == pytest.approx(3 / 4)
    rows = {row["roll"]: row for row in found.table()}
    assert rows["leadership"]["with a re-roll"] is None


def test_the_rule_of_a_bought_re_roll_is_cited_where_it_may_be_used() -> None:
    found = odds.rolls("5 rifle squad", 9, PRACTICE)
    buys = [t.name for t in found.tries if "w40k10.strat.command_reroll" in t.rules]
    assert buys == ["charge", "advance"]


@pytest.mark.parametrize("text", ["8", '8"', "8 inches"])
def test_a_charge_is_asked_for_by_its_distance_alone(text: str) -> None:
    found = odds.rolls(text, setting=PRACTICE)
    assert [t.name for t in found.tries] == ["charge"]
    assert found.named("charge").needed == 7
    wanted = '58 % to charge an enemy 8" away (7+), 83 % with a re-roll; to roll 8+ 42 %, 66 % with a re-roll'
    assert found.headline == wanted
