"""8th edition answers the same questions, and three of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest

from sandtable import odds
from sandtable.errors import UserError
from sandtable.odds.answers import Answer
from sandtable.odds.setting import Setting

EIGHTH = Setting("w40k8")

QUESTIONS: dict[str, Callable[[], Answer]] = {
    "into": lambda: odds.into("5 intercessors", "10 boyz", setting=EIGHTH),
    "need": lambda: odds.need("5 intercessors", "10 boyz", most=3, setting=EIGHTH),
    "targets": lambda: odds.targets("predator", ["trukk", "10 boyz"], setting=EIGHTH),
    "weapons": lambda: odds.weapons("predator", (), ["trukk"], setting=EIGHTH),
    "leader": lambda: odds.leader("20 boyz beside ghazghkull", "5 intercessors", odds.melee("charged"), EIGHTH),
    "cp": lambda: odds.command_point("predator", "trukk", setting=EIGHTH),
    "exchange": lambda: odds.exchange("10 boyz", "5 intercessors", setting=EIGHTH),
    "split": lambda: odds.split("predator with lascannon", ["trukk", "10 boyz"], setting=EIGHTH),
    "sweep": lambda: odds.sweep("5 intercessors", "10 boyz", "S", (3, 4, 5), setting=EIGHTH),
    "charge": lambda: odds.rolls("10 boyz", 9.0, EIGHTH),
    "survive": lambda: odds.survive("5 intercessors", ["10 boyz"], odds.melee(), EIGHTH),
    "lists": lambda: odds.lists("necrons-40-phalanx", "tyranids-40-swarm", odds.shooting(), EIGHTH),
    "power": lambda: odds.power("weirdboy", "5 intercessors", "smite", "librarian", EIGHTH, distance=12.0),
    "assault": lambda: odds.assault("10 boyz", "5 intercessors", 8.0, EIGHTH),
    "morale": lambda: odds.morale("20 boyz", 0, ["10 intercessors"], setting=EIGHTH),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered_by_the_rules_of_8th_edition(name: str) -> None:
    answer = QUESTIONS[name]()
    assert answer.table()
    assert answer.assumptions.edition.startswith("Warhammer 40,000, 8th edition")
    assert all(rule.startswith("w40k8.") or "." not in rule for rule in answer.assumptions.rules)
    assert "w40k10" not in answer.to_json().replace('"link"', "")


@pytest.mark.parametrize("name", ["into", "power", "assault", "morale"])
def test_a_link_opens_the_question_again(name: str) -> None:
    answer = QUESTIONS[name]()
    assert odds.open(answer.link).headline == answer.headline


@pytest.mark.parametrize("name", ["power", "assault", "morale"])
def test_a_question_about_a_phase_has_a_picture(name: str) -> None:
    answer = QUESTIONS[name]()
    assert answer.svg().startswith("<?xml")


def test_units_are_measured_in_power() -> None:
    found = odds.into("5 intercessors", "10 boyz", setting=EIGHTH)
    assert found.assumptions.units == ("5 Intercessors (5 Power)", "10 Boyz (4 Power)")
    assert found.headline.endswith("Power returned per Power")


def test_a_model_throws_one_grenade_for_its_unit_where_that_does_more() -> None:
    found = odds.into("10 boyz", "5 intercessors", odds.shooting(distance=5), EIGHTH)
    fired = {name: v.shots[0].weapons for name, v in zip(found.order, found.attacks[0].volleys, strict=True)}
    assert fired == {"slugga": 9, "stikkbomb": 1}


def test_an_aura_helps_those_beside_it_and_costs_its_power() -> None:
    alone = odds.into("20 boyz", "5 terminators", odds.melee("charged"), EIGHTH)
    helped = odds.into("20 boyz beside ghazghkull", "5 terminators", odds.melee("charged"), EIGHTH)
    assert helped.mean_killed > alone.mean_killed
    assert helped.points - alone.points == 14


def test_a_unit_with_a_chart_strikes_back_with_what_is_left_of_it() -> None:
    found = odds.exchange("5 terminators", "carnifex", setting=EIGHTH)
    assert not any("chart" in note for note in found.assumptions.notes)
    found = odds.exchange("5 terminators", "hive tyrant", setting=EIGHTH)
    assert any("chart" in note for note in found.assumptions.notes)
    hurt = odds.exchange("5 terminators", "hive tyrant, 3 wounds left", setting=EIGHTH)
    assert hurt.mean_killed(0) < found.mean_killed(0)


def test_a_command_re_roll_throws_one_die_of_a_charge_again() -> None:
    charge = odds.rolls("5 intercessors", 12.0, EIGHTH).named("charge")
    assert (charge.needed, charge.once) == (11, pytest.approx(3 / 36))
    # Beside one of eight 6s the other die needs a 5 or a 6; beside the 5 of nine throws, a 6.
    assert charge.again == pytest.approx((3 + 8 * 2 / 6 + 9 * 1 / 6) / 36)


def test_nobody_charges_from_beyond_12_inches() -> None:
    assert odds.rolls("5 intercessors", 12.1, EIGHTH).named("charge").once == 0
    assert odds.rolls("5 intercessors", 12.0, EIGHTH).named("charge").once == pytest.approx(3 / 36)


def test_a_charge_through_overwatch_adds_up() -> None:
    found = odds.assault("10 boyz", "5 intercessors", 8.0, EIGHTH)
    for side in (0, 1):
        assert sum(found.killed[side]) == pytest.approx(1)
    assert f"they lose {found.mean_killed(0):.1f} of 10 models, {found.fired[0]:.1f} of them before" in found.headline
    quiet = odds.assault("10 boyz", "5 intercessors", 8.0, EIGHTH, overwatch=False)
    assert "before the charge" not in quiet.headline
    assert quiet.fired == (0, 0)
    assert quiet.mean_killed(1) > found.mean_killed(1)
    assert found.fired[0] == pytest.approx(odds.into(
        "5 intercessors", "10 boyz", odds.shooting("overwatch", distance=8), EIGHTH
    ).mean_killed)  # fmt: skip


def test_mob_rule_lets_many_boyz_stand() -> None:
    assert odds.morale("30 boyz", 5, setting=EIGHTH).firm == pytest.approx(1)
    assert odds.morale("10 boyz", 5, setting=EIGHTH).firm < 1


def test_morale_after_an_attack_is_worse_than_the_attack() -> None:
    found = odds.morale("10 boyz", 0, ["10 intercessors"], setting=EIGHTH)
    assert sum(found.gone) == pytest.approx(1)
    assert found.mean_slain == pytest.approx(odds.into("10 intercessors", "10 boyz", setting=EIGHTH).mean_killed)
    assert found.mean_fled > 0.5


def test_dice_for_attacks_of_a_chart_are_counted() -> None:
    found = odds.into("predator, 5 wounds left", "10 boyz", odds.melee(), EIGHTH)
    assert found.stages[0].mean == pytest.approx(2)  # D3


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda: odds.power("boyz", "5 intercessors", setting=EIGHTH), "no psyker"),
        (lambda: odds.power("librarian", "10 boyz", "doombolt", setting=EIGHTH), "it knows: Smite"),
        (lambda: odds.power("librarian", "10 boyz", setting=EIGHTH, distance=20.0), 'reaches 18"'),
        (lambda: odds.power("librarian", "10 boyz"), "Nobody casts powers"),
        (lambda: odds.morale("10 boyz", 3), "no Morale phase"),
        (lambda: odds.morale("10 boyz", setting=EIGHTH), "either how many models were slain, or who attacks"),
        (lambda: odds.morale("10 boyz", 10, setting=EIGHTH), "1 to 9, not 10"),
        (lambda: odds.assault("10 boyz", "5 intercessors", 14.0, EIGHTH), 'No charge over 14"'),
        (lambda: odds.into("5 intercessors", "profile: 1 x T4 Sv3+ W1 6+++", setting=EIGHTH), "feel no pain 6+"),
        (lambda: odds.into("5 intercessors", "10 boyz", odds.shooting("plunging"), EIGHTH), "no modifier 'plunging'"),
        (lambda: odds.leader("10 boyz", "5 intercessors", setting=EIGHTH), "have no Leader"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(ask: Callable[[], Answer], told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)):
        ask()


def test_everything_is_plain_data() -> None:
    found = msgspec.json.decode(QUESTIONS["assault"]().to_json())
    assert found["answer"] == "assault"
    assert 0 < found["chance"] < 1


def test_plasma_is_fired_safely_unless_the_question_says_otherwise() -> None:
    safe = odds.into("5 hellblasters", "5 terminators", setting=EIGHTH)
    hot = odds.into("5 hellblasters", "5 terminators", odds.shooting("overcharge"), EIGHTH)
    assert safe.backfires == ()
    assert hot.mean_killed > safe.mean_killed
    (lost,) = hot.backfires
    assert (lost.models, lost.any) == (pytest.approx(5 / 6), pytest.approx(1 - (5 / 6) ** 5))
    assert str(lost).startswith("0.83 of 5 models (1.3 Power)")


def test_a_re_roll_of_ones_saves_most_of_those_who_fire_plasma() -> None:
    how = odds.shooting("overcharge", "reroll-hit-ones")
    (lost,) = odds.into("5 hellblasters", "5 terminators", how, EIGHTH).backfires
    assert lost.models == pytest.approx(5 / 36)


def test_a_re_roll_costs_a_command_re_roll_and_no_command_point() -> None:
    found = odds.command_point("10 boyz", "5 intercessors", how=odds.melee(), setting=Setting("w40k8")).table()
    assert {row["Command re-rolls"] for row in found} == {1}
    assert not {"price", "command points"} & {*found[0]}


def test_where_both_attack_it_is_said_who_charged_and_who_fires() -> None:
    noted = odds.assault("10 boyz", "5 intercessors", 8.0, Setting("w40k8")).assumptions.circumstances
    told = {n.text for n in noted}
    assert {"the attacker fires Overwatch (5 Intercessors)", "the attacker charged this turn (10 Boyz)"} <= told
