"""The questions of list builders, held against arithmetic that knows nothing of the solver."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time

import pytest

from odds.practice import PACK, PRACTICE, at_most, binomial
from sandtable import odds
from sandtable.errors import UserError
from sandtable.odds.answers import Assumptions, percent
from sandtable.odds.names import does
from sandtable.odds.results import CommandPoint, Use

PLAIN = 2 / 3 * 1 / 2 * 1 / 2
"""A rifle hits on 3+, wounds T4 on 4+, and the dummy fails a save of 4+."""


def close(found: object, wanted: object) -> None:
    assert found == pytest.approx(wanted, abs=1e-12)


# --- Into -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modifiers", "shots", "chance"),
    [
        ((), 10, PLAIN),
        (("half-range",), 20, PLAIN),
        (("cover",), 10, 2 / 3 * 1 / 2 * 1 / 3),
        (("hit-1",), 10, 1 / 2 * 1 / 2 * 1 / 2),
        (("hit+1", "wound+1"), 10, 5 / 6 * 2 / 3 * 1 / 2),
        (("wound-1",), 10, 2 / 3 * 1 / 3 * 1 / 2),
        (("reroll-hits",), 10, 8 / 9 * 1 / 2 * 1 / 2),
        (("reroll-hit-ones",), 10, (2 / 3 + 1 / 6 * 2 / 3) * 1 / 4),
        (("reroll-wounds",), 10, 2 / 3 * 3 / 4 * 1 / 2),
        (("reroll-wound-ones",), 10, 2 / 3 * (1 / 2 + 1 / 12) * 1 / 2),
        (("overwatch",), 10, 1 / 6 * 1 / 2 * 1 / 2),
        (("go-to-ground",), 10, 2 / 3 * 1 / 2 * 1 / 3),
        (("smokescreen",), 10, 1 / 2 * 1 / 2 * 1 / 3),
    ],
)
def test_ten_rifles_kill_as_many_as_the_binomial_says(modifiers: tuple[str, ...], shots: int, chance: float) -> None:
    answer = odds.into("10 rifle squad", "10 dummies", odds.shooting(*modifiers), PRACTICE)
    close(answer.killed, at_most(binomial(shots, chance), 10))
    close(answer.returned, answer.mean_killed * 10 / 100)


def test_every_modifier_is_among_the_assumptions_with_its_rules() -> None:
    for modifier in PRACTICE.matchups.modifiers:
        how = odds.shooting(modifier.name) if modifier.ranged else odds.melee(modifier.name)
        if modifier.name in ("unseen", "advanced"):
            continue
        answer = odds.into("10 rifle squad led by captain", "10 dummies", how, PRACTICE)
        lines = "\n".join(answer.assumptions.lines())
        assert all(rule in lines for rule in modifier.rules), modifier.name


def test_the_distance_decides_on_range_and_half_range() -> None:
    far = odds.into("10 rifle squad", "10 dummies", odds.shooting(distance=12.01), PRACTICE)
    near = odds.into("10 rifle squad", "10 dummies", odds.shooting(distance=12), PRACTICE)
    close(far.killed, at_most(binomial(10, PLAIN), 10))
    close(near.killed, at_most(binomial(20, PLAIN), 10))
    with pytest.raises(UserError, match=r'no ranged weapon that it may fire at .* from 24\.1" away'):
        odds.into("10 rifle squad", "10 dummies", odds.shooting(distance=24.1), PRACTICE)


def test_a_heavy_gun_hits_better_when_it_stood_still_and_damage_is_capped_by_the_model() -> None:
    moved = odds.into("cannon", "3 hulks", odds.shooting(), PRACTICE)
    still = odds.into("cannon", "3 hulks", odds.shooting("stationary"), PRACTICE)
    for answer, hit in ((moved, 1 / 2), (still, 2 / 3)):
        through = hit * 5 / 6
        chances = [0.0] * 10
        for dice in product((0, 1, 2, 3, 4, 5, 6), repeat=2):
            p, lost = 1.0, 0
            for die in dice:
                p *= 1 - through if die == 0 else through / 6
                lost += min(die, 3 - lost % 3)
            chances[lost] += p
        close(answer.damage, chances)
        close(answer.potential, 2 * through * 3.5)


def test_safe_profiles_are_used_unless_overcharge_is_said() -> None:
    safe = odds.into("5 rifle squad with plasma rifle", "hulks", odds.shooting(weapons=["plasma rifle"]), PRACTICE)
    hot = odds.into(
        "5 rifle squad with plasma rifle", "hulks", odds.shooting("overcharge", weapons=["plasma rifle"]), PRACTICE
    )
    close(safe.damage, (1 - 4 / 9, 4 / 9, 0, 0))
    close(hot.damage, (1 - 5 / 9, 0, 5 / 9, 0))


def test_pistols_or_the_rest_but_not_both() -> None:
    answer = odds.into("5 rifle squad with 2 sidearms", "10 dummies", odds.shooting(), PRACTICE)
    close(answer.killed, at_most(binomial(5, PLAIN), 10))


def test_a_leader_fights_with_the_unit_and_is_the_last_to_fall() -> None:
    answer = odds.into("cannon", "5 rifle squad led by captain", odds.shooting(), PRACTICE)
    assert answer.models == 6
    assert answer.wounds == 9
    close(answer.value, answer.mean_killed * 10)


def test_below_half_counts_models_or_the_wounds_of_one() -> None:
    many = odds.into("10 rifle squad", "10 dummies", odds.shooting(), PRACTICE)
    close(many.below_half, sum(many.killed[6:]))
    one = odds.into("10 rifle squad", "hulks", odds.shooting(), PRACTICE)
    close(one.below_half, sum(one.damage[2:]))


def test_the_marks_are_the_most_that_can_be_counted_on() -> None:
    answer = odds.into("10 rifle squad", "10 dummies", odds.shooting(), PRACTICE)
    for share in (0.5, 0.8, 0.95):
        n = answer.mark(share)
        assert answer.at_least(n) >= share > answer.at_least(n + 1)


def test_combined_units_meet_what_is_left() -> None:
    one = odds.into("10 rifle squad", "10 dummies", odds.shooting(), PRACTICE)
    close(one.combine(one).killed, at_most(binomial(20, PLAIN), 10))
    both = odds.combine(["10 rifle squad", "5 rifle squad"], "10 dummies", odds.shooting(), PRACTICE)
    close(both.killed, at_most(binomial(15, PLAIN), 10))
    assert both.points == 150


def test_compare_tells_the_difference() -> None:
    one = odds.into("10 rifle squad", "10 dummies", odds.shooting(), PRACTICE)
    two = odds.into("10 rifle squad", "10 dummies", odds.shooting("half-range"), PRACTICE)
    found = one.compare(two, "far", "near")
    rows = {row["what"]: row for row in found.table()}
    close(rows["models killed"]["difference"], two.mean_killed - one.mean_killed)
    assert found.headline.startswith("near against far: ")


def test_policies_are_named_and_change_the_answer() -> None:
    hard = odds.Setting(pack=str(PACK), reroll="optimal", goal="destroy")
    plain = odds.into("cannon", "hulks", odds.shooting("reroll-hits"), PRACTICE)
    best = odds.into("cannon", "hulks", odds.shooting("reroll-hits"), hard)
    assert best.destroyed >= plain.destroyed - 1e-12
    assert "the attacker re-rolls whatever is best, deciding attack by attack" in best.assumptions.policies


def test_profiles_fight_like_units() -> None:
    answer = odds.into(
        "profile: 10 x A1 BS3+ S4 AP0 D1", "profile: 10 x T4 Sv4+ W1 100 points", odds.shooting(), PRACTICE
    )
    close(answer.killed, at_most(binomial(10, PLAIN), 10))
    close(answer.value, 10 * answer.mean_killed)
    lethal = odds.into("profile: 10 x A1 BS3+ S4 AP0 D1 [lethal hits]", "10 dummies", odds.shooting(), PRACTICE)
    close(lethal.mean_killed, 10 * (3 / 6 * 1 / 2 + 1 / 6) * 1 / 2)
    pain = odds.into("10 rifle squad", "profile: T4 Sv7 W1 5+++", odds.shooting(), PRACTICE)
    close(pain.destroyed, 1 - (1 - 2 / 3 * 1 / 2 * 2 / 3) ** 10)
    with pytest.raises(UserError, match=r"attacks: \d+ is more than the 300"):
        odds.into("profile: 60 x A60 BS3+ S4 AP0 D1", "10 dummies", odds.shooting(), PRACTICE)


# --- How many, which target, how long ---------------------------------------------------------------------------------


def test_how_many_for_a_chance() -> None:
    found = odds.need("5 rifle squad", "5 dummies", 0.8, odds.shooting(), PRACTICE)
    wanted = [sum(binomial(5 * n, PLAIN)[5:]) for n in range(1, len(found.chances) + 1)]
    close(found.chances, wanted)
    assert found.number is not None
    assert wanted[found.number - 1] >= 0.8 > wanted[found.number - 2]
    assert odds.need("5 rifle squad", "10 dummies", 0.8, odds.shooting(), PRACTICE, most=2).number is None


def test_which_target() -> None:
    found = odds.targets("cannon", ["10 dummies", "3 hulks", "hulks"], odds.shooting(), PRACTICE)
    assert found.by_points.target == "3 Hulks"
    assert found.by_chance.target == "Hulks"
    wasted = found.outcomes[0].wasted
    assert wasted is not None
    close(wasted, found.outcomes[0].potential - found.outcomes[0].mean_damage)


def test_survival_is_the_other_side_of_destruction() -> None:
    found = odds.survive("5 dummies", ["10 rifle squad"], odds.shooting(), PRACTICE, times=3)
    wanted = [1 - sum(binomial(10 * n, PLAIN)[5:]) for n in (1, 2, 3)]
    close(found.alive, wanted)
    turn = odds.survive_list("5 dummies", str(PACK / "lists" / "one.yaml"), odds.shooting(), PRACTICE)
    assert turn.attackers == ("10 First Rifles + Captain", "Cannon")


# --- Plans ------------------------------------------------------------------------------------------------------------


def test_a_command_point_on_one_great_shot() -> None:
    """One shot that must hit (3+), wound (2+) and meets no save: 2/3 * 5/6."""
    how = odds.shooting("overcharge", weapons=["plasma rifle"])
    found = odds.command_point("5 rifle squad with plasma rifle", "dummies", "destroy", how, PRACTICE)
    after = {use.name: use.after for use in found.uses}
    before = 2 / 3 * 5 / 6
    close(found.uses[0].before, before)
    close(after["a re-roll of one hit roll"], 8 / 9 * 5 / 6)
    close(after["a re-roll of one wound roll"], 2 / 3 * 35 / 36)
    close(after["a re-roll of one damage roll"], before)
    close(after["a re-roll kept for the die where it does most"], 2 / 3 * 35 / 36 + 1 / 3 * 2 / 3 * 5 / 6)
    close(after["Go to Ground"], before * 5 / 6)
    assert "Smokescreen" not in after


def test_small_chances_are_told_so_finely_that_they_can_be_compared() -> None:
    told = {0.0: "0 %", 0.00001: "under 0.01 %", 0.0003: "0.03 %", 0.0006: "0.06 %", 0.004: "0.4 %", 0.0099: "1 %",
            0.031: "3 %", 0.5: "50 %", 0.995: "over 99 %", 0.9999: "over 99 %", 1.0: "100 %"}  # fmt: skip
    assert {chance: percent(chance) for chance in told} == told


def test_what_the_other_side_can_do_about_it_is_told_with_what_it_changes() -> None:
    uses = (Use("a re-roll", (), 0.0003, 0.0006), Use("Go to Ground", (), 0.0003, 0.0001, by_target=True))
    found = CommandPoint(assumptions=Assumptions("x", {}, ()), attacker="a", target="b", aim="destroy", uses=uses)
    assert found.headline == (
        "Best spent on a re-roll: 0.03 % to 0.06 % to destroy; "
        "the other side's best answer is Go to Ground: 0.03 % down to 0.01 %"
    )


def test_an_order_that_does_not_matter_is_called_that() -> None:
    found = odds.split("10 rifle squad", ["dummies"], "destroy", setting=PRACTICE)
    assert found.headline.startswith("The order of the weapons makes no difference to 10 Troopers: ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("10 Intercessors", "10 Intercessors have"),
        ("10 Boyz, 3 lost", "10 Boyz, 3 lost have"),
        ("Land Raider", "Land Raider has"),
        ("Land Raider, 6 wounds left", "Land Raider, 6 wounds left has"),
        ("Warboss + Nob", "Warboss + Nob have"),
    ],
)
def test_units_agree_with_their_verbs(name: str, said: str) -> None:
    assert does(name, "has") == said


def test_no_refusal_speaks_of_flags_of_the_command_line() -> None:
    """The page refuses in the same words."""
    with pytest.raises(UserError) as error:
        odds.leader("10 intercessors", "5 terminators")
    why = "10 Intercessors have no Leader; say '... led by ...', or name another unit to compare with."
    assert str(error.value) == why
    flag = re.compile(r"(?<![-\w])--[a-z]")
    for part in (Path(odds.__file__).parent, Path(odds.__file__).parents[1] / "forty" / "odds"):
        assert not [file.name for file in part.glob("*.py") if flag.search(file.read_text())]


def test_an_exchange_is_both_sides_dice_over_each_other() -> None:
    found = odds.exchange("5 rifle squad", "5 rifle squad", setting=PRACTICE)
    chance = 2 / 3 * 1 / 2 * 1 / 2
    theirs = at_most(binomial(5, chance), 5)
    mine = [0.0] * 6
    for killed, p in enumerate(theirs):
        for lost, q in enumerate(at_most(binomial(5 - killed, chance), 5)):
            mine[lost] += p * q
    close(found.killed[1], theirs)
    close(found.killed[0], mine)
    close(found.lost, (10 * sum(n * p for n, p in enumerate(mine)), 10 * 5 * chance))


def test_shooting_before_a_charge_uses_the_saves_of_each_attack() -> None:
    found = odds.exchange("5 rifle squad", "5 rifle squad", setting=PRACTICE, before=odds.shooting("cover"))
    shot = at_most(binomial(5, 2 / 3 * 1 / 2 * 1 / 3), 5)
    wanted = [0.0] * 6
    for first, p in enumerate(shot):
        for second, q in enumerate(at_most(binomial(5, 1 / 6), 5 - first)):
            wanted[first + second] += p * q
    close(found.killed[1], wanted)


def test_the_best_split_and_the_best_order() -> None:
    found = odds.split("10 rifle squad", ["dummies", "hulks"], "kills", odds.shooting(), PRACTICE)
    assert found.proven
    best = max(_split_worth(n) for n in range(11))
    close(found.worth, best)
    order = odds.split("5 rifle squad with plasma rifle", ["3 hulks"], "kills", odds.shooting("overcharge"), PRACTICE)
    assert set(order.order) == {"rifle", "plasma rifle, overcharged"}
    assert order.worst_order is not None
    assert order.worth >= order.worst_order


def _split_worth(at_dummy: int) -> float:
    """So many of ten rifles at one dummy (one wound, 4+), the rest at one hulk (three wounds, no save)."""
    dummy = 1 - (1 - PLAIN) ** at_dummy
    hulk = sum(binomial(10 - at_dummy, 1 / 3)[3:])
    return dummy + hulk


def test_strength_breaks_where_the_wound_table_does() -> None:
    found = odds.sweep("10 rifle squad", "3 hulks", "S", range(1, 11), odds.shooting(), PRACTICE)
    assert found.breaks == (3, 4, 5, 8)
    close(found.damage[3], sum(n * p for n, p in enumerate(at_most(binomial(10, 1 / 3), 9))))
    toughness = odds.sweep("10 rifle squad", "3 hulks", "T", range(1, 11), odds.shooting(), PRACTICE)
    assert (toughness.breaks, toughness.now) == ((3, 4, 5, 8), 4)
    models = odds.sweep("5 rifle squad", "3 hulks", "models", (), odds.shooting(), PRACTICE)
    assert models.values == (5, 6, 7, 8, 9, 10)
    distance = odds.sweep("5 rifle squad", "3 hulks", "distance", range(10, 27), odds.shooting(), PRACTICE)
    assert distance.breaks == (13, 25)


def test_charges_by_distance() -> None:
    found = odds.rolls("5 rifle squad", 9, PRACTICE)
    t = found.named("charge")
    assert t.needed == 8
    close(t.once, float(Fraction(15, 36)))
    close(t.again, float(1 - Fraction(21, 36) ** 2))
    assert odds.rolls("5 rifle squad", 9.01, PRACTICE).named("charge").needed == 9
    assert found.named("battle-shock").needed == 7
    # 2D6 make 7+ in 21 of 36 cases, 5+ in 30 and 4+ in 33, 3+ in 35; a roll takes a unit within 1", and it moves 6".
    assert found.threat == ((0.5, 14), (0.8, 12), (0.95, 10))
    assert odds.rolls("5 rifle squad led by captain", 9, PRACTICE).named("leadership").needed == 6


# --- Fields -----------------------------------------------------------------------------------------------------------


def test_options_over_a_panel() -> None:
    found = odds.weapons("10 rifle squad", setting=PRACTICE)
    # Sidearms do what rifles do beyond half range, so they are no choice.
    assert found.attackers == ("as it is", "2 plasma rifle")
    assert len(found.targets) == 20
    close(found.means[0], sum(found.returned[0]) / 20)
    assert found.headline.startswith("2 plasma rifle returns most")


def test_list_against_list_both_ways() -> None:
    lists = [str(PACK / "lists" / f"{name}.yaml") for name in ("one", "two")]
    found = odds.lists(*lists, setting=PRACTICE)
    assert found.there.attackers == ("10 First Rifles + Captain", "Cannon")
    assert found.back.targets == found.there.attackers
    one = odds.into(f"{lists[0]}: Cannon", f"{lists[1]}: Cannon", odds.shooting(), PRACTICE)
    close(found.there.destroyed[1][1], one.destroyed)
    assert found.hard(found.there, 1.01) == list(found.there.targets)


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: odds.into("rifle squad", "dummies", odds.shooting("covr"), PRACTICE), "Did you mean 'cover'"),
        (lambda: odds.into("rifle squad", "dummies", odds.melee("cover"), PRACTICE), "no bearing on attacks in close"),
        (lambda: odds.into("dummies", "hulks", odds.shooting(), PRACTICE), "have no ranged weapon that they may fire"),
        (lambda: odds.into("dummies", "hulks", odds.melee(), PRACTICE), "have no melee weapon to strike"),
        (lambda: odds.into("rifle squad", "hulks", odds.shooting(weapons=["axe"]), PRACTICE), "no ranged weapon 'axe'"),
        (lambda: odds.into("rifle squad", "hulks", odds.shooting(distance=-1), PRACTICE), "A distance is above 0"),
        (lambda: odds.need("rifle squad", "hulks", 1.5, setting=PRACTICE), "above 0 and below 1"),
        (lambda: odds.need("rifle squad", "hulks", most=10**9, setting=PRACTICE), "1 to 30, not 1000000000"),
        (lambda: odds.survive("hulks", [], setting=PRACTICE), "at least one unit that attacks"),
        (lambda: odds.survive("hulks", ["rifle squad"], setting=PRACTICE, times=999), "1 to 30, not 999"),
        (lambda: odds.sweep("rifle squad", "hulks", "Q", setting=PRACTICE), "no characteristic 'Q'"),
        (lambda: odds.sweep("rifle squad", "hulks", "T", range(4), setting=PRACTICE), "That profile cannot be"),
        (lambda: odds.sweep("rifle squad", "hulks", "S", range(1, 999), setting=PRACTICE), "2 to 60, not 998"),
        (lambda: odds.command_point("rifle squad", "hulks", "glory", setting=PRACTICE), "An aim is destroy, kills"),
        (lambda: odds.targets("rifle squad", [], setting=PRACTICE), "1 to 24, not 0"),
        (lambda: odds.into("rifle squad", "hulks", setting=odds.Setting(system="epica")), "tells no odds yet"),
        (lambda: odds.into("rifle squad", "hulks", setting=odds.Setting(pack="nowhere")), "No pack 'nowhere'"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused_in_a_sentence(ask: object, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        ask()  # type: ignore[operator]
    assert sentence in str(error.value)


HORDE = "profile: 60 x T4 Sv7 W10 A5 WS3+ S4 AP0 D2"


@pytest.mark.parametrize(
    "ask",
    [
        lambda: odds.survive(HORDE, ["profile: 10 x A2 BS3+ S4 AP0 DD3"], setting=PRACTICE, times=30),
        lambda: odds.command_point("profile: 60 x A5 BS3+ S4 AP0 DD6", HORDE, "damage", setting=PRACTICE),
        lambda: odds.exchange(HORDE, HORDE, setting=PRACTICE),
        lambda: odds.into("profile: 60 x A5 BS3+ S4 AP0 DD6 [sustained hits D3, devastating wounds]", HORDE,
                          setting=PRACTICE),
        lambda: odds.into("profile: 60 x A5 BS3+ S4 AP0 DD6", HORDE, odds.shooting("reroll-hits"),
                          odds.Setting(pack=str(PACK), reroll="optimal")),
    ],
)  # fmt: skip
def test_absurd_sizes_are_refused_with_the_bound_and_never_hang(ask: object) -> None:
    began = process_time()
    with pytest.raises(UserError, match=r"That cannot be reckoned exactly: .* is more than the \d+"):
        ask()  # type: ignore[operator]
    assert process_time() - began < 30


# --- Export -----------------------------------------------------------------------------------------------------------


def test_answers_export_themselves() -> None:
    answer = odds.into("10 rifle squad", "10 dummies", odds.shooting("cover"), PRACTICE)
    data = json.loads(answer.to_json())
    assert data["answer"] == "outcome"
    assert data["headline"] == answer.headline
    assert data["assumptions"]["circumstances"][0]["rules"] == ["w40k10.terrain.cover"]
    assert len(data["table"]) == 11
    rows = answer.to_csv().splitlines()
    assert rows[0] == "models,exactly,at least"
    assert float(rows[1].split(",")[1]) == pytest.approx(answer.killed[0])


def test_what_hardly_ever_happens_is_no_impossibility_in_tables() -> None:
    answer = odds.into("10 boyz", "5 intercessors")
    last = answer.table()[-1]
    assert 0 < last["exactly"] <= last["at least"] < 1e-9
