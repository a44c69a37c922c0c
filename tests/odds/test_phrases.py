"""Units as players speak of them: numbers, profiles, Leaders, factions, losses, and units that are made up."""

from __future__ import annotations

import pytest

from odds.practice import PRACTICE, at_most, binomial
from sandtable import odds
from sandtable.errors import UserError
from sandtable.odds import Setting, units
from sandtable.odds.units import find_force, find_forces, model_and_unit

PACK = Setting()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ork boyz", "10 Boyz"),
        ("20 ork boyz led by a warboss", "20 Boyz, led by Warboss"),
        ("space marine captain", "Captain"),
        ("a squad of ten hellblasters", "10 Hellblasters"),
        ("hellblaster squad (10)", "10 Hellblasters"),
        ("hellblasters x10", "10 Hellblasters"),
        ("10x hellblasters", "10 Hellblasters"),
        ("5 hellblasters supercharge", "5 Hellblasters (supercharge)"),
        ("5 hellblasters with supercharge", "5 Hellblasters (supercharge)"),
        ("supercharging hellblasters", "5 Hellblasters (supercharge)"),
        ("overcharged hellblasters", "5 Hellblasters (supercharge)"),
        ("5 hellblasters with supercharge led by captain", "5 Hellblasters, led by Captain (supercharge)"),
        ("10 boyz + warboss", "10 Boyz, led by Warboss"),
        ("10 hellblasters led by captain and lieutenant", "10 Hellblasters, led by Captain, led by Lieutenant"),
        ("3 inceptors with plasma exterminators supercharge", "3 Inceptors with 3 plasma exterminators (supercharge)"),
        ("all my hellblasters", "5 Hellblasters"),
        ("10 boyz and a warboss", "10 Boyz, led by Warboss"),
        ("10 boyz with warboss", "10 Boyz, led by Warboss"),
        ("10 boyz big shoota", "10 Boyz with 1 big shoota"),
        ("10 boyz with a big shoota and a power klaw", "10 Boyz with 1 big shoota, 1 power klaw"),
        ("terminators led by captain", "5 Terminators, led by Captain in Terminator Armour"),
        ("land raider with 6 wounds left", "Land Raider, 6 wounds left"),
        ("land raider on 6 wounds", "Land Raider, 6 wounds left"),
        ("land raider down to 1 wound", "Land Raider, 1 wound left"),
        ("a land raider that has lost 8 wounds", "Land Raider, 8 wounds lost"),
        ("land raider, half dead", "Land Raider, half of its wounds lost"),
        ("5-man terminator squad", "5 Terminators"),
        ("lascannon predator destructor", "Predator Destructor with lascannon"),
        ("10 intercessors with grenade launchers", "10 Intercessors with 2 astartes grenade launcher"),
        ("space-marines-1000-gunline: Eradicators", "3 Eradicators with 1 multi-melta"),
        ("10 x T5 Sv3+ W2", "10 x T5 Sv3 W2"),
        ("20 shots BS3+ S4 AP0 D1", "A20 BS3 S4 AP0 D1"),
        ("10 boyz, 3 lost", "10 Boyz, 3 models lost"),
        ("10 boyz (3 models left)", "10 Boyz, 3 models left"),
        ("5 terminators, 2 wounds lost", "5 Terminators, 2 wounds lost"),
        ("orks-1000-horde: First Mob, 3 lost", "20 First Mob with 2 rokkit launcha, 1 power klaw, 3 models lost"),
    ],
)
def test_a_unit_is_understood_as_players_name_it(text: str, name: str) -> None:
    assert find_force(text, PACK).name == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("2 x 5 hellblasters", ["5 Hellblasters"] * 2),
        ("two squads of 5 hellblasters", ["5 Hellblasters"] * 2),
        ("3 land raiders", ["Land Raider"] * 3),
        ("2 x land raider", ["Land Raider"] * 2),
        ("10 hellblasters", ["10 Hellblasters"]),
        ("2 x 3 eradicators and 10 hellblasters", ["3 Eradicators"] * 2 + ["10 Hellblasters"]),
        ("10 boyz with 1 big shoota and 1 power klaw", ["10 Boyz with 1 big shoota, 1 power klaw"]),
        ("profile: 2 x T4 Sv3+ W2", ["2 x T4 Sv3 W2"]),
    ],
)
def test_several_units_are_named_at_once(text: str, names: list[str]) -> None:
    assert [force.name for force in find_forces([text], PACK)] == names


def test_a_question_about_one_unit_says_that_it_was_given_two() -> None:
    with pytest.raises(UserError, match="'2 x 5 terminators' are 2 units, and here one is asked about"):
        odds.into("10 hellblasters", "2 x 5 terminators")
    with pytest.raises(UserError, match=r"Several units are named as '2 x 10 \.\.\.'"):
        find_force("15 hellblasters", PACK)
    with pytest.raises(UserError, match="Units named at once: 1 to 30, not 999"):
        find_forces(["999 x 5 hellblasters"], PACK)


def test_words_that_fit_two_units_name_both() -> None:
    with pytest.raises(UserError, match="'lascannon predator' can be 'Predator Annihilator' or 'Predator Destructor'"):
        find_force("lascannon predator", PACK)


def test_two_units_attack_one_after_the_other() -> None:
    both = odds.into("2 x 5 rifle squad", "10 dummies", setting=PRACTICE)
    assert both.killed == pytest.approx(at_most(binomial(10, 1 / 6), 10), abs=1e-12)
    assert both.points == 100


def test_a_profile_that_is_named_is_used_and_no_other() -> None:
    plain = odds.into("5 hellblasters", "5 terminators")
    hot = odds.into("5 hellblasters supercharge", "5 terminators")
    assert plain.order == ("plasma incinerator, standard",)
    assert hot.order == ("plasma incinerator, supercharge",)
    chosen = odds.into("5 hellblasters", "5 terminators", odds.shooting(weapons=["Supercharge"]))
    assert chosen.order == hot.order


@pytest.mark.parametrize(
    ("text", "model", "unit"),
    [
        ("the captain in 5 intercessors", "captain", "5 intercessors led by captain"),
        ("captain in 5 intercessors led by captain", "captain", "5 intercessors led by captain"),
        ("captain in terminator armour", "", "captain in terminator armour"),
        ("5 terminators", "", "5 terminators"),
    ],
)
def test_a_model_in_a_unit_is_told_from_a_unit_with_such_a_name(text: str, model: str, unit: str) -> None:
    assert model_and_unit(text, PACK) == (model, unit)


def test_only_the_first_words_that_may_part_a_model_from_its_unit_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def find(text: str, setting: Setting) -> None:
        tried.append(text)
        raise UserError("There is no such unit.")

    monkeypatch.setattr(units, "find_force", find)
    model_and_unit("a in " * 50 + "10 boyz", PACK)
    assert len(tried) == 2 * units.MOST_SPLITS


def test_weapons_and_abilities_are_named_by_the_words_that_tell_them() -> None:
    guns = odds.into("redemptor", "5 nobz", odds.shooting(weapons=["Onslaught gatling cannons"]))
    assert guns.order == ("heavy onslaught gatling cannon",)
    oath = odds.into("5 hellblasters", "5 terminators", odds.shooting(uses=["oath"]))
    assert "Oath of Moment is at work" in [noted.text for noted in oath.assumptions.circumstances]
    with pytest.raises(UserError, match="Neither unit can use 'doctrine'; they can use: "):
        odds.into("5 hellblasters", "5 terminators", odds.shooting(uses=["doctrine"]))


@pytest.mark.parametrize(("what", "printed"), [("strength", "S"), ("ap", "AP"), ("Toughness", "T"), ("sv", "Sv")])
def test_a_sweep_knows_characteristics_by_their_long_names(what: str, printed: str) -> None:
    assert odds.sweep("10 rifle squad", "3 hulks", what, setting=PRACTICE).what == printed


def test_a_chance_of_eighty_is_eighty_percent() -> None:
    assert odds.need("5 rifle squad", "5 dummies", 80, setting=PRACTICE).wanted == 0.8


# --- Made up ----------------------------------------------------------------------------------------------------------


def test_a_made_up_attacker_has_two_weapons() -> None:
    """Every model fires both: ten shots that get through in 1/6 of all cases, and five in 5/18 (3+, 3+, 5+ saved)."""
    answer = odds.into(
        "profile: 10 x A1 BS3+ S4 AP0 D1 and 5 x A1 BS3+ S5 AP-1 D1", "10 dummies", odds.shooting(), PRACTICE
    )
    mean = sum(n * p for n, p in enumerate(answer.damage))
    assert answer.attacker == "10 x A1 BS3 S4 AP0 D1 and 5 x A1 BS3 S5 AP-1 D1"
    assert mean == pytest.approx(10 / 6 + 5 * 2 / 3 * 2 / 3 * 2 / 3, abs=1e-4)
    every = odds.into("profile: 2 x A1 BS3+ S4 AP0 D1; A2 BS3+ S4 AP0 D1", "10 dummies", odds.shooting(), PRACTICE)
    assert every.killed == pytest.approx(at_most(binomial(6, 1 / 6), 10), abs=1e-12)


@pytest.mark.parametrize(
    ("defence", "damage"),
    [("", 3.0), ("-1 damage", 2.0), ("-1D", 2.0), ("half damage", 2.0), ("half damage -1 damage", 1.0)],
)
def test_a_made_up_target_takes_less_damage(defence: str, damage: float) -> None:
    answer = odds.into("profile: A1 BS3+ S8 AP0 D3", f"profile: T4 Sv7 W3 {defence}", odds.shooting(), PRACTICE)
    assert answer.mean_damage == pytest.approx(2 / 3 * 5 / 6 * damage, abs=1e-12)


@pytest.mark.parametrize(
    ("defence", "chance"),
    [
        ("-1 to be hit", 1 / 2 * 1 / 2),
        ("stealth", 1 / 2 * 1 / 2),
        ("-1 to be wounded", 2 / 3 * 1 / 3),
        ("4+ invuln", 2 / 3 * 1 / 2 * 1 / 2),
        ("FNP 5+", 2 / 3 * 1 / 2 * 2 / 3),
    ],
)
def test_a_made_up_target_is_harder_to_hurt(defence: str, chance: float) -> None:
    answer = odds.into("profile: A1 BS3+ S4 AP0 D1", f"profile: T4 Sv7 W1 {defence}", odds.shooting(), PRACTICE)
    assert answer.destroyed == pytest.approx(chance, abs=1e-12)


def test_characteristics_may_be_spelt_out() -> None:
    spelt = find_force("profile: 5 x Attacks 2 BS 3+ Strength 4 AP -1 Damage 2 Toughness 5 Save 3+ Wounds 2", PRACTICE)
    assert spelt.name == "5 x T5 Sv3 W2 A2 BS3 S4 AP-1 D2"


# --- Modifiers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("heavy", "stationary"),
        ("Remained Stationary", "stationary"),
        ("rapid fire", "half-range"),
        ("melta", "half-range"),
        ("supercharge", "overcharge"),
        ("+1 to hit", "hit+1"),
        ("-1 to wound", "wound-1"),
        ("hit -1", "hit-1"),
        ("re-roll hits", "reroll-hits"),
        ("half_range", "half-range"),
    ],
)
def test_a_modifier_has_the_names_that_players_give_it(name: str, meant: str) -> None:
    found = odds.into("10 rifle squad", "10 dummies", odds.shooting(name), PRACTICE)
    other = odds.into("10 rifle squad", "10 dummies", odds.shooting(meant), PRACTICE)
    assert (found.killed, found.assumptions) == (other.killed, other.assumptions)


def test_a_modifier_that_is_nearly_right_is_named() -> None:
    with pytest.raises(UserError, match=r"Did you mean 'stationary' \(the attacker Remained Stationary\)"):
        odds.into("10 rifle squad", "10 dummies", odds.shooting("heavi"), PRACTICE)
