"""Stratagems around attacks."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import BYSTANDERS, blade, column, duel, face_off, gun, last, melee, sheet, shoot, strike, target
from w40k10.powers import at, clash
from w40k10.table import (
    HERO,
    alive,
    asked,
    default,
    feature,
    give,
    kinds,
    named,
    offered,
    rolls,
    situation,
    unit,
    wounds,
)

ALL = {"windows": "all"}
REROLL = "react.after_roll"


def cp(b: Battle10, player: int = 0) -> int:
    return b.player(player).cp


# --- Command Re-roll --------------------------------------------------------------------------------------------------


def use_reroll(b: Battle10) -> None:
    """Use Command Re-roll on the first thing offered."""
    give(b, REROLL, asked(b, REROLL).options[0].value)  # type: ignore[attr-defined]


def pass_until(b: Battle10, kind: str) -> None:
    """Pass, until a roll of this kind may be re-rolled."""
    while f" of the {kind} roll" not in " ".join(offered(b, REROLL)):
        give(b, REROLL, "pass")


@pytest.mark.rule("w40k10.strat.command_reroll", check=1)
@pytest.mark.parametrize(
    ("kind", "weapon", "dice"),
    [
        ("hit", gun(), {"hit": [2, 1]}),
        ("wound", gun(), {"hit": [3], "wound": [2, 1]}),
        ("attacks", gun(a="D6"), {"attacks": [1, 2], "hit": [1, 1]}),
        ("damage", gun(d="D6"), {"hit": [3], "wound": [4], "damage": [1, 3]}),
        ("hazardous", gun("hazardous"), {"hit": [1], "hazardous": [1, 6]}),
    ],
)
def test_the_rolls_of_an_attack_can_be_re_rolled(kind: str, weapon: Any, dice: dict[str, list[int]]) -> None:
    b = duel(weapon, target(wounds=9), dice=dice, cp=(1, 0), options=ALL)
    pass_until(b, kind)
    use_reroll(b)
    assert [f for k, f in rolls(b) if k == kind] == [(dice[kind][0],), (dice[kind][1],)]
    assert cp(b) == 0


@pytest.mark.rule("w40k10.strat.command_reroll", check=1)
@pytest.mark.rule("w40k10.strat.command_reroll", check=6)
@pytest.mark.rule("w40k10.strat.command_reroll", check=7)
@pytest.mark.rule("w40k10.dice.reroll", check=1)
def test_the_defender_re_rolls_a_saving_throw_in_the_opponents_turn() -> None:
    b = duel(gun(d="3"), target(save=3, wounds=3), dice={"hit": [3], "wound": [4], "save": [2, 1]}, cp=(0, 1))
    assert asked(b, REROLL).player == 1
    use_reroll(b)
    assert alive(b, "Blues") == 0, "the new result stands, though it is worse"
    assert cp(b, 1) == 0


@pytest.mark.rule("w40k10.strat.command_reroll", check=2)
def test_feel_no_pain_deadly_demise_and_grenades_cannot_be_re_rolled() -> None:
    tough = target(wounds=2, abilities=["feel no pain 6+"], keywords=["BEAST"])
    b = duel(gun("torrent", s=8), tough, dice={"wound": [2], "feel no pain": [1]}, cp=(0, 1), options=ALL)
    assert REROLL not in kinds(b) and wounds(b, "Blues") == [1]
    b = duel(
        gun("torrent", s=8),
        target(abilities=["deadly demise 1"], keywords=["BEAST"]),
        dice={"wound": [2], "deadly demise": [1]},
        cp=(0, 1),
        options=ALL,
    )
    assert REROLL not in kinds(b) and alive(b, "Blues") == 0
    b = grenadiers(cp=(2, 0), dice={"grenade": [1] * 6}, options=ALL)
    give(b, "shoot_with", "Grenade: Reds at Blues")
    assert kinds(b) == ["shoot_with"]


@pytest.mark.rule("w40k10.strat.command_reroll", check=3)
def test_one_roll_is_re_rolled_not_the_whole_batch() -> None:
    b = duel(gun(a="3"), dice={"hit": [1, 2, 6, 1], "wound": [1]}, cp=(1, 0), options=ALL)
    use_reroll(b)
    assert [f for k, f in rolls(b) if k == "hit"] == [(1, 2, 6), (1,)]


@pytest.mark.rule("w40k10.strat.command_reroll", check=4)
@pytest.mark.rule("w40k10.dice.reroll_sum", check=1)
def test_a_charge_roll_is_re_rolled_with_both_dice() -> None:
    b = situation(
        [
            unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8)], near=True),
            unit("Blues", "blue", target(), [(20, 8)]),
        ],
        step="charge_units",
        cp=(1, 0),
        dice={"charge": [1, 1, 6, 6]},
    )
    give(b, "charge_with", "Reds")
    use_reroll(b)
    assert [f for k, f in rolls(b) if k == "charge"] == [(1, 1), (6, 6)]


@pytest.mark.rule("w40k10.command.battleshock_stratagems", check=2)
def test_a_battle_shocked_unit_gets_no_command_re_roll() -> None:
    b = duel(gun(d="6"), dice={"hit": [1]}, cp=(1, 0), options=ALL, flags={"battle_shocked": True})
    assert REROLL not in kinds(b)
    assert REROLL in kinds(duel(gun(d="6"), dice={"hit": [1]}, cp=(1, 0), options=ALL))


@pytest.mark.rule("w40k10.strat.command_reroll", check=1)
def test_who_may_not_re_roll_saves_may_re_roll_hits() -> None:
    b = clash(
        [at("intercessor-squad", 10)],
        [at("boyz", 20)],
        gain=[("Intercessor Squad", {"kind": "forbid", "what": "reroll_saves"})],
        bare=True,
        cp=(1, 0),
        options=ALL,
        dice={"hit": [1] * 10},
    )
    b.start()
    give(b, "shoot_with", "Intercessor Squad")
    default(b, "shoot")
    assert "of the hit roll" in offered(b, REROLL)[0]


@pytest.mark.parametrize(
    ("weapon", "hits", "asks"),
    [
        (gun(), [1], False),
        (gun(d="6"), [1], True),
        (gun(a="6", d="6"), [1, 6, 6, 6, 6, 6], False),
        (gun(d="6"), [5], False),
    ],
)
def test_a_missed_shot_is_asked_about_only_if_much_hangs_on_it(weapon: Any, hits: list[int], asks: bool) -> None:
    b = duel(weapon, target(toughness=12), dice={"hit": hits, "wound": [1] * 6}, cp=(1, 0))
    first_asked = REROLL in kinds(b) and "hit" in asked(b, REROLL).options[0].label  # type: ignore[attr-defined]
    assert first_asked is asks


@pytest.mark.parametrize(("who", "asks"), [(0, True), (1, False)])
def test_who_wants_to_be_asked_about_every_roll_is(who: int, asks: bool) -> None:
    b = face_off(gun(), target(toughness=12), dice={"hit": [1]}, cp=(1, 0))
    b.arm(who, [], ["after_roll"])
    shoot(b)
    assert (REROLL in kinds(b)) is asks


def test_a_save_is_asked_about_if_it_is_the_end_of_the_last_model() -> None:
    dice = {"hit": [3], "wound": [4], "save": [1]}
    assert REROLL in kinds(duel(gun(), target(save=3), dice=dice, cp=(0, 1)))
    assert REROLL not in kinds(duel(gun(), target(save=3), targets=2, dice=dice, cp=(0, 1)))


@pytest.mark.parametrize(("face", "asks"), [(1, True), (2, True), (3, False)])
def test_low_damage_of_a_d6_is_asked_about(face: int, asks: bool) -> None:
    b = duel(gun(d="D6"), target(wounds=9), dice={"hit": [6], "wound": [6], "damage": [face]}, cp=(1, 0))
    assert (REROLL in kinds(b)) is asks


# --- Go to Ground and Smokescreen -------------------------------------------------------------------------------------

SELECTED = "react.targets_selected"
SOFT = target(save=5, wounds=2)


@pytest.mark.rule("w40k10.strat.go_to_ground", check=1)
@pytest.mark.rule("w40k10.strat.go_to_ground", check=3)
@pytest.mark.rule("w40k10.strat.go_to_ground", check=4)
@pytest.mark.rule("w40k10.strat.go_to_ground", check=6)
def test_going_to_ground_gives_cover_and_a_6_up_invulnerable_save_for_the_phase() -> None:
    more = [unit("More Reds", "red", sheet(gun(ap=-6), name="More Red"), [(10, 16)])]
    b = duel(gun(), SOFT, more=more, cp=(0, 1), options=ALL, dice={"hit": [3, 3], "wound": [4, 4], "save": [4, 6]})
    give(b, SELECTED, "Go to Ground: Blues")
    assert cp(b, 1) == 0 and wounds(b, "Blues") == [2], "a 4 saves: 5+ with cover"
    shoot(b, "More Reds")
    assert wounds(b, "Blues") == [2], "a 6 saves against AP -6"
    give(b, "shoot_with", "pass")
    assert not b.state.effects


@pytest.mark.rule("w40k10.strat.go_to_ground", check=2)
def test_only_targeted_infantry_goes_to_ground() -> None:
    others = unit("Others", "blue", target(name="Other"), [(21, 16)])
    b = duel(gun(), SOFT, more=[others], cp=(0, 1), options=ALL)
    assert offered(b, SELECTED) == ["Go to Ground: Blues"]
    b = duel(gun(), {**SOFT, "keywords": ["VEHICLE"]}, cp=(0, 1), options=ALL, dice={"hit": [1]})
    assert SELECTED not in kinds(b)


@pytest.mark.rule("w40k10.strat.go_to_ground", check=5)
def test_going_to_ground_does_not_help_a_3_up_save_against_ap_0() -> None:
    b = duel(gun(), target(save=3), cp=(0, 1), options=ALL, dice={"hit": [3], "wound": [4], "save": [2]})
    give(b, SELECTED, "Go to Ground: Blues")
    assert alive(b, "Blues") == 0


SMOKY = {**SOFT, "keywords": ["VEHICLE", "SMOKE"]}


@pytest.mark.rule("w40k10.strat.smokescreen", check=1)
@pytest.mark.rule("w40k10.strat.smokescreen", check=3)
@pytest.mark.rule("w40k10.strat.smokescreen", check=4)
def test_smoke_gives_cover_and_stealth_for_the_phase() -> None:
    b = duel(gun(a="2"), SMOKY, cp=(0, 1), options=ALL, dice={"hit": [3, 4], "wound": [4], "save": [4]})
    give(b, SELECTED, "Smokescreen: Blues")
    assert cp(b, 1) == 0 and last(b)["hits"] == 1 and wounds(b, "Blues") == [2]
    give(b, "shoot_with", "pass")
    assert not b.state.effects


@pytest.mark.rule("w40k10.strat.smokescreen", check=2)
def test_only_targeted_units_with_smoke_make_smoke() -> None:
    others = unit("Others", "blue", {**SMOKY, "name": "Other"}, [(21, 16)])
    b = duel(gun(), {**SOFT, "keywords": ["VEHICLE"]}, more=[others], cp=(0, 1), options=ALL, dice={"hit": [1]})
    assert SELECTED not in kinds(b)
    assert offered(duel(gun(), SMOKY, cp=(0, 1), options=ALL), SELECTED) == ["Smokescreen: Blues"]


def test_neither_is_asked_about_when_it_spares_nothing() -> None:
    b = duel(gun(), target(save=3, invulnerable=4), cp=(0, 1), dice={"hit": [1]})
    assert SELECTED not in kinds(b)


@pytest.mark.parametrize(
    ("weapon", "victim", "models", "asked"),
    [
        (gun(a="12"), target(save=4), 5, False),
        (gun(a="13"), target(save=4), 5, True),
        (gun(a="2", d="3"), target(save=4, wounds=3), 1, False),
        (gun(a="3", d="3"), target(save=4, wounds=3), 1, True),
        (gun(a="20"), {**SMOKY, "wounds": 8}, 1, False),
        (gun(a="24"), {**SMOKY, "wounds": 8}, 1, True),
    ],
)
def test_both_are_asked_about_from_seven_tenths_of_a_model_or_a_tenth_of_a_life_on(
    weapon: Any, victim: Any, models: int, asked: bool
) -> None:
    """Exactly: cover spares 0.66 models of 12 shots, 0.71 of 13; 2 shots kill 9.6 % likelier without it, 3 by 12 %."""
    b = duel(weapon, victim, targets=models, cp=(0, 1), dice={"hit": [1] * 24})
    assert (SELECTED in kinds(b)) is asked


# --- Grenade ----------------------------------------------------------------------------------------------------------

GRENADIER = sheet(gun(), name="Grenadier", keywords=["INFANTRY", "GRENADES"])
LOB = "Grenade: Reds at Blues"


def grenadiers(victim: Any = None, *, gap: float = 8, red: Any = None, **more: Any) -> Battle10:
    return face_off(gun(), victim or target(wounds=5), gap=gap, red=red or GRENADIER, **{"cp": (1, 0), **more})


def lobs(b: Battle10) -> list[str]:
    """What grenades can be thrown at Blues."""
    return [label for label in offered(b, "shoot_with") if label.startswith("Grenade") and label.endswith("Blues")]


@pytest.mark.rule("w40k10.strat.grenade", check=1)
@pytest.mark.rule("w40k10.strat.grenade", check=4)
@pytest.mark.rule("w40k10.strat.grenade", check=5)
def test_a_grenade_inflicts_a_mortal_wound_for_each_4_and_the_unit_may_still_shoot() -> None:
    b = grenadiers(dice={"grenade": [4, 5, 1, 6, 2, 3]})
    give(b, "shoot_with", LOB)
    assert wounds(b, "Blues") == [2] and cp(b) == 0
    assert "Reds" in offered(b, "shoot_with") and LOB not in offered(b, "shoot_with")


@pytest.mark.rule("w40k10.strat.grenade", check=2)
def test_who_throws_has_grenades_is_not_engaged_and_has_not_shot() -> None:
    others = unit("Others", "red", {**GRENADIER, "name": "Other"}, [(18, 14)])
    assert lobs(grenadiers(more=[others])) == ["Grenade: Others at Blues", LOB]
    assert lobs(grenadiers(red=sheet(gun(), name="Red"), more=[others])) == ["Grenade: Others at Blues"]
    assert lobs(shoot(grenadiers(more=[others], dice={"hit": [1]}))) == ["Grenade: Others at Blues"]
    near = unit("Near", "blue", target(name="N"), [(10, 9.5)])
    assert lobs(grenadiers(more=[others, near])) == ["Grenade: Others at Blues"]


@pytest.mark.rule("w40k10.strat.once_per_phase", check=1)
@pytest.mark.rule("w40k10.strat.once_per_phase", check=3)
@pytest.mark.rule("w40k10.strat.once_per_phase", check=4)
def test_a_use_counts_for_one_player_and_one_stratagem() -> None:
    others = unit("Others", "red", {**GRENADIER, "name": "Other"}, [(18, 14)])
    beast = target(save=3, wounds=9, keywords=["BEAST"])
    dice = {"hit": [1, 3, 1], "wound": [4], "save": [1, 1], "grenade": [1] * 6}
    b = shoot(grenadiers(beast, more=[others], cp=(3, 1), options=ALL, dice=dice))
    use_reroll(b)
    assert asked(b, REROLL).player == 1, "red's Wound roll is not re-rolled, blue's saving throw may be"
    use_reroll(b)
    give(b, "shoot_with", "Grenade: Others at Blues")
    assert cp(b) == 1, "another Stratagem in the same phase"
    assert kinds(shoot(b, "Others")) == ["shoot_with"], "nor is red's next Hit roll"


@pytest.mark.rule("w40k10.strat.grenade", check=3)
def test_the_enemy_is_within_8_inches_visible_and_not_in_combat() -> None:
    assert LOB in offered(grenadiers(), "shoot_with")
    assert LOB not in offered(grenadiers(gap=8.1), "shoot_with")
    wall = feature("hill", (15, 0, 0.5, 20), 6, solid=True)
    assert LOB not in offered(grenadiers(terrain=[wall]), "shoot_with")
    friend = unit("Friends", "red", sheet(name="F"), [(20.5, 8)])
    assert LOB not in offered(grenadiers(more=[friend]), "shoot_with")


@pytest.mark.rule("w40k10.strat.grenade", check=6)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_a_hurried_unit_may_throw_grenades(moved: str) -> None:
    assert LOB in offered(grenadiers(flags={"moved": moved}), "shoot_with")


def test_a_grenade_is_never_the_default() -> None:
    b = grenadiers(flags={"moved": "advance"})
    assert b.default(asked(b, "shoot_with")) == named(b, "Spares").id


# --- Epic Challenge ---------------------------------------------------------------------------------------------------

FIGHT = "react.unit_selected_to_fight"


def challenge(*more: Any, blue_leader: bool = True, points: int = 1, dice: Any = None) -> Battle10:
    """Reds with a Champion fight the Guard with its Hero."""
    lord = {**HERO, "name": "Lord", "weapons": [blade(name="relic", ap=-6, s=8, d="2")], "leads": ["Red"]}
    hero = {**HERO, "weapons": [], "leads": ["Target"]}
    units = [
        unit("Reds", "red", sheet(blade(ap=-6), name="Red"), [(10, 8)]),
        unit("Lord", "red", lord, [(10, 9)], leads="Reds"),
        unit("Blues", "blue", target(wounds=2), [(11, 8)], fought=True),
    ]
    if blue_leader:
        units.append(unit("Hero", "blue", hero, [(11, 9)], leads="Blues"))
    return situation([*units, *BYSTANDERS, *more], step="remaining_combats", cp=(points, 0), dice=dice)


@pytest.mark.rule("w40k10.strat.epic_challenge", check=1)
@pytest.mark.rule("w40k10.strat.epic_challenge", check=3)
def test_only_the_challengers_attacks_have_precision() -> None:
    b = challenge(dice={"hit": [3, 3], "wound": [4, 4]})
    (option,) = asked(b, FIGHT).options  # type: ignore[attr-defined]
    give(b, FIGHT, option.value)
    assert cp(b) == 0
    give(b, "strike", [{"weapon": w, "target": "Blues"} for w in ("blade", "relic")])
    assert asked(b, "aim").player == 0
    give(b, "aim", named(b, "Blues").leader[0])
    assert wounds(b, "Blues") == [1, 3], "the trooper's attack was allocated, the Lord's directed at the Hero"


@pytest.mark.rule("w40k10.strat.epic_challenge", check=2)
def test_a_challenge_needs_an_attached_unit() -> None:
    assert FIGHT not in kinds(challenge(blue_leader=False))
    others = unit("Others", "blue", target(name="Other"), [(9, 8)], fought=True)
    assert FIGHT in kinds(challenge(others)), "one of two is enough"


def test_without_a_command_point_there_is_no_challenge() -> None:
    assert FIGHT not in kinds(challenge(points=0))


def test_strikes_of_the_melee_helper_are_plain() -> None:
    b = strike(melee(blade(), dice={"hit": [1]}), ("blade", "Blues", 1))
    assert last(b)["hits"] == 0


# --- Smokescreen ------------------------------------------------------------------------------------------------------

LANCE = gun(s=12, ap=-4, d="3", bs=5)


@pytest.mark.parametrize(
    ("weapon", "left", "asked"), [(LANCE, 3, True), (LANCE, 4, False), ({**LANCE, "skill": 6}, 3, False)]
)
def test_smoke_is_asked_about_where_it_spares_a_tenth_of_the_chance_of_an_end(
    weapon: dict[str, Any], left: int, asked: bool
) -> None:
    """Of 22 chances in 100 of one shot 13 are spared, though the mean is less than a quarter of the wounds."""
    tank = target(toughness=9, save=3, wounds=12, keywords=["VEHICLE", "SMOKE"])
    b = duel(weapon, tank, wounds={1: left}, dice={"any": [1] * 9}, cp=(0, 1))
    assert ("react.targets_selected" in kinds(b)) is asked


@pytest.mark.parametrize(("attacks", "asked"), [(4, True), (2, False)])
def test_smoke_is_asked_about_where_it_spares_small_models_behind_a_large_one(attacks: int, asked: bool) -> None:
    walker = target(save=5, keywords=["VEHICLE", "SMOKE"])
    small = [{"models": [2, 3, 4, 5], "sheet": {**walker, "name": "Small"}}]
    blues = unit("Blues", "blue", {**walker, "wounds": 6}, column(5, 21), loadout=small)
    reds = unit("Reds", "red", sheet(gun(a=f"{attacks}", s=8, ap=-2), name="Red"), [(10, 8)])
    b = situation([reds, blues, *BYSTANDERS], step="shoot_units", dice={"any": [1] * 9}, cp=(0, 1))
    assert ("react.targets_selected" in kinds(shoot(b))) is asked
