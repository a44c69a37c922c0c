"""Abilities of the pack's datasheets in attacks, one kind of effect after the other."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.attack.montecarlo import roll
from sandtable.attack.solver import solve
from sandtable.attack.volley import Attack, DiceSum
from sandtable.battle import GONE
from sandtable.battle.state import new_version
from sandtable.forty.aiming import guns_of
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.odds.chances import attack_of
from sandtable.systems.w40k10.state import sheet_of
from sandtable.table.grid import steps
from w40k10.armies import go_on, pack
from w40k10.arms import last
from w40k10.powers import Place, at, bodies, called, clash, criticals, needs, shots, use, volleys
from w40k10.table import asked, default, give, kinds, rolls

INTERCESSORS = at("intercessor-squad", 10)
BOYZ = at("boyz", 20)
DREAD = at("deff-dread", 20)
REDEMPTOR = at("redemptor-dreadnought", 20)


def led(leader: str, squad: str, x: float = 10, **listed: object) -> list[Place]:
    """A squad, and beside it a Leader that is attached to it."""
    sheet = pack().sheet(squad)
    assert sheet is not None
    return [at(squad, x), at(leader, x + 1.5, leads=sheet.name, **listed)]


# --- Re-rolls ---------------------------------------------------------------------------------------------------------


def test_eradicators_re_roll_hits_wounds_and_damage_against_vehicles() -> None:
    b = clash([at("eradicator-squad", 10)], [DREAD, at("boyz", 26)])
    (at_it,) = volleys(b, "Eradicator Squad", "Deff Dread", "melta rifle")
    every = (1, 2, 3, 4, 5, 6)
    assert (at_it.hit.reroll, at_it.wound.reroll) == (every, every)
    assert at_it.kinds[0].damage is not None and at_it.kinds[0].damage.reroll == every
    assert "Total Obliteration" in at_it.hit.cites and "Total Obliteration" in at_it.kinds[0].cites
    (at_boyz,) = volleys(b, "Eradicator Squad", "Boyz", "melta rifle")
    assert (at_boyz.hit.reroll, at_boyz.wound.reroll) == ((), ())
    assert "Total Obliteration" not in at_boyz.all_cites


def test_the_dice_of_a_re_roll_are_really_rolled_again() -> None:
    dice = {"hit": [1, 1, 4, 3], "wound": [5, 5], "save": [1, 1], "damage": [4, 4], "deadly demise": [1]}
    b = clash([at("eradicator-squad", 10)], [DREAD], dice=dice)
    b.start()
    give(b, "shoot_with", "Eradicator Squad")
    give(b, "shoot", [{"weapon": "melta rifle", "target": "Deff Dread"}])
    while "reroll" in kinds(b):
        decision = asked(b, "reroll")
        b.answer(decision, b.default(decision))
    assert rolls(b)[:3] == [("hit", (1, 1)), ("hit", (4, 3)), ("wound", (5, 5))]
    assert last(b)["hits"] == 2


def test_re_roll_of_ones_becomes_one_of_everything_near_an_objective() -> None:
    far = clash([at("assault-intercessor-squad", 10)], [at("boyz", 11.4)], step="remaining_combats")
    near = clash([at("assault-intercessor-squad", 10)], [at("boyz", 11.4)], objectives=[(13, 9)])
    weapon = ("Assault Intercessor Squad", "Boyz", "astartes chainsword")
    assert volleys(far, *weapon)[0].wound.reroll == (1,)
    assert volleys(near, *weapon)[0].wound.reroll == (1, 2, 3, 4, 5, 6)
    assert volleys(near, "Assault Intercessor Squad", "Boyz", "heavy bolt pistol")[0].wound.reroll == ()


def test_twin_linked_stays_what_it_is_beside_a_re_roll_of_ones() -> None:
    b = clash([at("flayed-ones", 10)], [at("boyz", 11.2)], gain=[("Flayed Ones", {"kind": "reroll", "roll": "wound",
              "faces": "ones"})])  # fmt: skip
    assert volleys(b, "Flayed Ones", "Boyz", "flayer claws")[0].wound.reroll == (1, 2, 3, 4, 5, 6)


def test_bladeguard_re_roll_saves_of_one_when_they_chose_to() -> None:
    b = clash([at("boyz", 20)], [at("bladeguard-veteran-squad", 10)], step="remaining_combats")
    assert bodies(b, "Boyz", "Bladeguard Veteran Squad", "choppa").bodies[0].save_reroll == ()
    use(b, "Bladeguard", "Bladeguard Veteran Squad", number=1, until="phase")
    found = bodies(b, "Boyz", "Bladeguard Veteran Squad", "choppa")
    assert found.bodies[0].save_reroll == (1,) and "Bladeguard" in found.cites


def test_nobody_re_rolls_makaris_saves() -> None:
    gain = [("Ghazghkull Thraka", {"kind": "reroll", "roll": "save", "attacks": "suffered"})]
    b = clash([INTERCESSORS], [at("ghazghkull-thraka", 20)], gain=gain)
    found = {x.group: x for x in bodies(b, "Intercessor Squad", "Ghazghkull Thraka", "bolt rifle").bodies}
    assert found["Makari"].save_reroll == ()
    assert found["Ghazghkull Thraka"].save_reroll == (1, 2, 3, 4, 5, 6)


def test_command_re_roll_does_not_help_makari_either() -> None:
    b = clash([INTERCESSORS], [at("ghazghkull-thraka", 20)])
    unit = called(b, "Ghazghkull Thraka")
    found = {sheet_of(b, m).name: may_reroll_saves(b, unit, m) for m in unit.models}
    assert found == {"Ghazghkull Thraka": True, "Makari": False}


@pytest.mark.rule("w40k10.strat.command_reroll", check=1)
@pytest.mark.parametrize(("survivor", "asks"), [("Ghazghkull Thraka", ["react.after_roll"]), ("Makari", [])])
def test_a_failed_save_of_makari_offers_no_command_re_roll(survivor: str, asks: list[str]) -> None:
    dice = {"hit": [6, 1, 1], "wound": [6], "save": [1], "any": [4] * 40}
    b = clash([at("lieutenant", 10)], [at("ghazghkull-thraka", 20)], dice=dice, cp=(0, 5), options={"windows": "all"})
    unit = called(b, "Ghazghkull Thraka")
    b.place_models([m for m in unit.models if sheet_of(b, m).name != survivor], GONE)
    b.start()
    give(b, "shoot_with", "Lieutenant")
    default(b, "shoot")
    give(b, "react.targets_selected", "pass")
    assert rolls(b)[-1] == ("save", (1,))
    assert [kind for kind in kinds(b) if kind == "react.after_roll"] == asks


# --- Modifiers --------------------------------------------------------------------------------------------------------


def test_tankbustas_hit_and_wound_vehicles_better() -> None:
    b = clash([at("tankbustas", 10)], [REDEMPTOR, at("intercessor-squad", 30)])
    big = volleys(b, "Tankbustas", "Redemptor Dreadnought", "rokkit launcha")[0]
    small = volleys(b, "Tankbustas", "Intercessor Squad", "rokkit launcha")[0]
    assert needs(big.hit) == needs(small.hit) - 1
    assert "Tank Hunters" in big.hit.cites and "Tank Hunters" in big.wound.cites
    assert "Tank Hunters" not in small.all_cites


def test_all_modifiers_together_are_worth_one() -> None:
    gain = [("Tankbustas", {"kind": "modify", "roll": "hit", "value": 1})]
    plain = clash([at("tankbustas", 10)], [REDEMPTOR])
    more = clash([at("tankbustas", 10)], [REDEMPTOR], gain=gain)
    weapon = ("Tankbustas", "Redemptor Dreadnought", "rokkit launcha")
    assert needs(volleys(plain, *weapon)[0].hit) == needs(volleys(more, *weapon)[0].hit)


def test_strong_attacks_wound_nobz_that_a_warboss_leads_less_often() -> None:
    weapon = ("Intercessor Squad", "Nobz", "power fist")
    squad = at("intercessor-squad", 10, wargear=[{"model": "Intercessor Sergeant", "carry": [
               "bolt pistol", "bolt rifle", "power fist"]}])  # fmt: skip
    alone = clash([squad], [at("nobz", 20)])
    under = clash([squad], led("warboss", "nobz", 20))
    assert needs(volleys(alone, *weapon)[0].wound) == 3
    assert needs(volleys(under, *weapon)[0].wound) == 4
    weak = ("Intercessor Squad", "Nobz", "bolt rifle")
    assert needs(volleys(alone, *weak)[0].wound) == needs(volleys(under, *weak)[0].wound)


def test_ignoring_modifiers_leaves_the_good_ones() -> None:
    bad = {"kind": "modify", "roll": "hit", "value": -1}
    good = {"kind": "modify", "roll": "hit", "value": 1}
    steady = {"kind": "allow", "what": "ignore_hit_modifiers"}
    name, weapon = "Intercessor Squad", ("Intercessor Squad", "Boyz", "bolt rifle")
    assert needs(volleys(clash([INTERCESSORS], [BOYZ], gain=[(name, bad)]), *weapon)[0].hit) == 4
    assert needs(volleys(clash([INTERCESSORS], [BOYZ], gain=[(name, bad), (name, steady)]), *weapon)[0].hit) == 3
    every = [(name, bad), (name, good), (name, steady)]
    assert needs(volleys(clash([INTERCESSORS], [BOYZ], gain=every), *weapon)[0].hit) == 2


def test_a_bonus_to_saves_helps_armour_and_invulnerable_saves() -> None:
    gain = [("Terminator Squad", {"kind": "modify", "roll": "save", "value": 1, "attacks": "suffered"})]
    weapon = ("Tankbustas", "Terminator Squad", "rokkit launcha")
    plain = clash([at("tankbustas", 10)], [at("terminator-squad", 20)])
    better = clash([at("tankbustas", 10)], [at("terminator-squad", 20)], gain=gain)
    assert bodies(plain, *weapon).bodies[0].saves[0] - 1 == bodies(better, *weapon).bodies[0].saves[0]


# --- Criticals --------------------------------------------------------------------------------------------------------


def test_a_plasmancer_makes_fives_critical_for_those_it_leads() -> None:
    b = clash(led("plasmancer", "immortals"), [at("boyz", 22)])
    assert criticals(volleys(b, "Immortals", "Boyz", "gauss blaster")[0].hit) == 5
    assert criticals(volleys(b, "Immortals", "Boyz", "close combat weapon")[0].hit) == 6
    alone = clash([at("immortals", 10)], [at("boyz", 22)])
    assert criticals(volleys(alone, "Immortals", "Boyz", "gauss blaster")[0].hit) == 6


def test_every_hit_of_flayed_ones_is_critical_against_those_below_half() -> None:
    b = clash([at("flayed-ones", 10)], [at("boyz", 11.2)], step="remaining_combats")
    assert criticals(volleys(b, "Flayed Ones", "Boyz", "flayer claws")[0].hit) == 6
    b.place_models(called(b, "Boyz").models[:6], 3)
    (found,) = volleys(b, "Flayed Ones", "Boyz", "flayer claws")
    assert criticals(found.hit) == needs(found.hit) == 3
    assert "Flesh Hunger" in found.hit.face(3).cites


def test_critical_wounds_by_an_ability_are_devastating() -> None:
    gain = [("Intercessor Squad", {"kind": "critical", "roll": "wound", "value": 5}),
            ("Intercessor Squad", {"kind": "weapon_ability", "ability": "devastating wounds"})]  # fmt: skip
    b = clash([INTERCESSORS], [BOYZ], gain=gain)
    (found,) = volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")
    assert criticals(found.wound) == 5
    assert found.wound.face(5).kind == 1 and found.kinds[1].mortal is not None


# --- Weapons ----------------------------------------------------------------------------------------------------------


def test_outriders_strike_harder_when_they_charged() -> None:
    b = clash([at("outrider-squad", 10)], [at("boyz", 13)], step="remaining_combats")
    plain = volleys(b, "Outrider Squad", "Boyz", "astartes chainsword")[0]
    b.set_unit(called(b, "Outrider Squad"), charged=True)
    charging = volleys(b, "Outrider Squad", "Boyz", "astartes chainsword")[0]
    assert plain.kinds[0].damage is not None and charging.kinds[0].damage is not None
    assert (plain.kinds[0].damage.plus, charging.kinds[0].damage.plus) == (1, 2)
    assert (needs(plain.wound), needs(charging.wound)) == (5, 4), "Strength 4 and 5 against Toughness 5"
    assert "Thunderous Impact" in charging.cites and "Thunderous Impact" not in plain.cites
    assert "Thunderous Impact" not in volleys(b, "Outrider Squad", "Boyz", "twin bolt rifle")[0].cites


def test_waaagh_gives_strength_attacks_and_an_invulnerable_save() -> None:
    b = clash([at("boyz", 10)], [at("intercessor-squad", 11.4)], step="remaining_combats")
    weapon = ("Boyz", "Intercessor Squad", "choppa")
    before = volleys(b, *weapon)[0]
    use(b, "Waaagh!")
    after = volleys(b, *weapon)[0]
    assert after.shots[0].each.plus == before.shots[0].each.plus + 1
    assert (needs(before.wound), needs(after.wound)) == (4, 3)
    assert bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").bodies[0].saves == (5,)


def test_more_attacks_are_there_to_be_assigned_in_a_fight() -> None:
    def row(waaagh: bool) -> int:
        b = clash([at("boyz", 10, size=10)], [at("intercessor-squad", 11.4)], step="remaining_combats")
        if waaagh:
            use(b, "Waaagh!")
        b.set_unit(called(b, "Intercessor Squad"), fought=True)
        for u in b.units():
            b.set_unit(u, fight_eligible=True)
        b.start()
        go_on(b, "strike")
        rows = asked(b, "strike").rows  # type: ignore[attr-defined]
        return next(int(r.count) for r in rows if r.label == "choppa")

    assert row(True) > row(False)


@pytest.mark.rule("w40k10.weapon.extra_attacks", check=2)
def test_extra_attacks_are_never_more() -> None:
    gain = [("Hive Tyrant", {"kind": "characteristic", "name": "A", "add": 2, "weapons": "melee"})]
    weapon = ("Hive Tyrant", "Boyz", "monstrous scything talons")
    plain = clash([at("hive-tyrant", 10)], [at("boyz", 12)], step="remaining_combats")
    more = clash([at("hive-tyrant", 10)], [at("boyz", 12)], step="remaining_combats", gain=gain)
    assert volleys(plain, *weapon)[0].shots == volleys(more, *weapon)[0].shots
    other = ("Hive Tyrant", "Boyz", "monstrous bonesword and lash whip")
    assert volleys(more, *other)[0].shots[0].each.plus == volleys(plain, *other)[0].shots[0].each.plus + 2


def test_a_weapon_is_changed_by_its_name() -> None:
    b = clash([INTERCESSORS], [BOYZ])
    use(b, "Target Elimination", "Intercessor Squad", until="phase")
    assert volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")[0].shots[0].each.plus == 4
    assert volleys(b, "Intercessor Squad", "Boyz", "bolt pistol")[0].shots[0].each.plus == 1


def test_an_effect_on_the_bearer_leaves_the_rest_of_its_unit_alone() -> None:
    b = clash(led("captain", "intercessor-squad"), [at("boyz", 13.2)], step="remaining_combats")
    use(b, "Finest Hour", "Intercessor Squad", number=0, until="phase")
    use(b, "Finest Hour", "Intercessor Squad", number=1, until="phase")
    captain, others = sorted(
        volleys(b, "Intercessor Squad", "Boyz", "close combat weapon"), key=lambda v: -len(v.kinds)
    )
    assert captain.shots[0].weapons == 1 and captain.shots[0].each.plus == 9
    assert others.shots[0].weapons == 5 and others.shots[0].each.plus == 3


def test_ap_is_better_against_the_closest_target_only() -> None:
    squad = at("aggressor-squad", 10)
    b = clash([squad], [at("boyz", 20), at("nobz", 26)])
    near = bodies(b, "Aggressor Squad", "Boyz", "flamestorm gauntlets")
    far = bodies(b, "Aggressor Squad", "Nobz", "flamestorm gauntlets")
    assert near.bodies[0].saves == (6,), "a save of 5+ against AP -1"
    assert far.bodies[0].saves == (4,)


def test_a_target_worsens_the_ap_that_hits_it() -> None:
    gun = at("predator-annihilator", 10)
    b = clash([gun], [at("battlewagon", 30)])
    found = bodies(b, "Predator Annihilator", "Battlewagon", "predator twin lascannon")
    assert found.bodies[0].saves == (5,), "a save of 3+ against AP -3, that is worsened to -2"
    assert "Ramshackle but Rugged" in found.cites


def test_ap_never_becomes_a_bonus() -> None:
    b = clash([at("intercessor-squad", 10)], [at("battlewagon", 30)])
    assert bodies(b, "Intercessor Squad", "Battlewagon", "bolt pistol").bodies[0].saves == (3,)


def test_weapons_gain_abilities_from_the_leader() -> None:
    b = clash(led("lieutenant", "intercessor-squad"), [BOYZ])
    (lieutenants, squads) = volleys(b, "Intercessor Squad", "Boyz", "bolt rifle") + volleys(
        b, "Intercessor Squad", "Boyz", "master-crafted bolter"
    )
    for found in (lieutenants, squads):
        assert found.hit.face(6).wounds == 1, "lethal hits"
        assert "Tactical Precision" in found.cites
    b.place_models(called(b, "Intercessor Squad").models[5:], 3)
    assert volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")[0].hit.face(6).wounds == 0


def test_precision_that_hangs_on_the_target_picks_characters_out() -> None:
    b = clash([at("termagants", 10)], [at("intercessor-squad", 22), at("captain", 23.5, leads="Intercessor Squad")])
    assert volleys(b, "Termagants", "Intercessor Squad", "fleshborer")[0].aim == ()
    use(b, "Hyper-adaptations", number=2, until="battle")
    (found,) = volleys(b, "Termagants", "Intercessor Squad", "fleshborer")
    assert found.aim == (called(b, "Intercessor Squad").models[-1],)


def test_a_gained_assault_fires_after_an_advance() -> None:
    def fires(leaders: list[Place]) -> bool:
        b = clash(leaders, [at("boyz", 18)])
        unit = called(b, "Bladeguard Veteran Squad")
        b.set_unit(unit, moved="advance")
        return any(g.anything for g in guns_of(b, unit))

    squad = at("bladeguard-veteran-squad", 10)
    assert not fires([squad])
    assert fires([squad, at("captain-sicarius", 11.8, leads="Bladeguard Veteran Squad")])


def test_a_weapon_with_one_shot_is_fired_once_in_a_battle() -> None:
    dice = {"hit": [1, 1], "any": [4] * 40}
    b = clash([at("overlord", 10), at("necron-warriors", 10, 30)], [BOYZ], dice=dice)
    assert [g.item for g in guns_of(b, called(b, "Overlord")) if g.anything] == ["tachyon arrow"]
    b.start()
    give(b, "shoot_with", "Overlord")
    give(b, "shoot", [{"weapon": r.id, "target": "Boyz"} for r in asked(b, "shoot").rows])  # type: ignore[attr-defined]
    b.set_unit(called(b, "Overlord"), shot=False)
    assert not any(g.anything for g in guns_of(b, called(b, "Overlord")))


def test_range_is_a_characteristic_too() -> None:
    gain = [("Intercessor Squad", {"kind": "characteristic", "name": "Range", "add": 6, "weapons": "ranged"})]

    def reached(gained: list[tuple[str, dict[str, object]]]) -> bool:
        b = clash([INTERCESSORS], [at("boyz", 39)], gain=gained)
        return any(g.anything for g in guns_of(b, called(b, "Intercessor Squad")))

    assert not reached([]) and reached(gain)


def test_skill_is_a_characteristic_too() -> None:
    gain = [("Boyz", {"kind": "characteristic", "name": "BS", "add": -1, "weapons": "ranged"})]
    weapon = ("Boyz", "Intercessor Squad", "slugga")
    plain = clash([at("boyz", 10)], [at("intercessor-squad", 18)])
    better = clash([at("boyz", 10)], [at("intercessor-squad", 18)], gain=gain)
    assert needs(volleys(plain, *weapon)[0].hit) - 1 == needs(volleys(better, *weapon)[0].hit)


# --- The target -------------------------------------------------------------------------------------------------------


def test_a_painboy_lets_boyz_shrug_wounds_off() -> None:
    b = clash([INTERCESSORS], led("painboy", "boyz", 20))
    found = bodies(b, "Intercessor Squad", "Boyz", "bolt rifle")
    assert {x.pain for x in found.bodies} == {5} and "Dok's Toolz" in found.pain_cites
    alone = clash([INTERCESSORS], [BOYZ])
    assert {x.pain for x in bodies(alone, "Intercessor Squad", "Boyz", "bolt rifle").bodies} == {7}


def test_feel_no_pain_of_the_bearer_alone() -> None:
    b = clash([INTERCESSORS], led("warboss", "boyz", 20, enhancement="Supa-Cybork Body"))
    found = {x.group: x.pain for x in bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").bodies}
    assert found["Warboss"] == 4 and found["Boy"] == 7


def test_a_psychic_hood_stops_psychic_attacks_only() -> None:
    psykers = [at("zoanthropes", 10)]
    b = clash(psykers, [at("intercessor-squad", 22), at("librarian", 23.5, leads="Intercessor Squad")])
    assert {x.pain for x in bodies(b, "Zoanthropes", "Intercessor Squad", "warp blast").bodies} == {4}
    claws = bodies(b, "Zoanthropes", "Intercessor Squad", "chitinous claws and teeth")
    assert {x.pain for x in claws.bodies} == {7}


def test_feel_no_pain_against_mortal_wounds_only() -> None:
    gain = [("Boyz", {"kind": "feel_no_pain", "value": 5, "against": "mortal"})]
    b = clash([INTERCESSORS], [BOYZ], gain=gain)
    found = bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").bodies[0]
    assert (found.pain, found.pain_against_mortal) == (7, 5)


def test_invulnerable_saves_of_wargear_and_leaders() -> None:
    shields = [{"model": "Lychguard", "carry": ["hyperphase sword", "dispersion shield"], "count": 5}]
    gun = at("predator-annihilator", 10)
    bare = clash([gun], [at("lychguard", 30)])
    safe = clash([gun], [at("lychguard", 30, wargear=shields)])
    weapon = ("Predator Annihilator", "Lychguard", "predator twin lascannon")
    assert {x.saves for x in bodies(bare, *weapon).bodies} == {(6,)}
    assert {x.saves for x in bodies(safe, *weapon).bodies} == {(4,)}
    assert "Dispersion Shield" in bodies(safe, *weapon).cites


def test_an_invulnerable_save_against_ranged_attacks_only() -> None:
    gain = [("Boyz", {"kind": "invulnerable", "value": 4, "against": "ranged"})]
    b = clash([at("terminator-squad", 10)], [at("boyz", 11.5)], gain=gain, step="remaining_combats")
    assert bodies(b, "Terminator Squad", "Boyz", "storm bolter").bodies[0].saves == (4,)
    assert bodies(b, "Terminator Squad", "Boyz", "power fist").bodies[0].saves == (7,)


def test_duty_eternal_takes_one_damage_off_but_never_all() -> None:
    b = clash([at("tankbustas", 10), at("boyz", 10, 30)], [REDEMPTOR])
    rokkit = volleys(b, "Tankbustas", "Redemptor Dreadnought", "rokkit launcha")[0].kinds[0]
    slugga = volleys(b, "Boyz", "Redemptor Dreadnought", "slugga")[0].kinds[0]
    assert rokkit.damage is not None and slugga.damage is not None
    assert (rokkit.damage.plus, slugga.damage.plus) == (2, 1)
    assert "Duty Eternal" in rokkit.cites
    plain = clash([at("tankbustas", 10)], [at("ballistus-dreadnought", 20)])
    found = volleys(plain, "Tankbustas", "Ballistus Dreadnought", "rokkit launcha")[0].kinds[0].damage
    assert found is not None and found.plus == 3


def test_random_damage_is_reduced_after_the_roll() -> None:
    b = clash([at("zoanthropes", 10)], [REDEMPTOR])
    found = volleys(b, "Zoanthropes", "Redemptor Dreadnought", "warp blast")[0].kinds[0].damage
    assert found is not None and [found.of((face,)) for face in (1, 3, 6)] == [1, 1, 2], "a D3 less one, at least 1"


def halved(
    weapon: tuple[str, str], *, near: bool = False, more: tuple[tuple[str, dict[str, Any]], ...] = ()
) -> DiceSum:
    """The damage of a weapon on a dreadnought that halves it."""
    gain = [("Ballistus Dreadnought", {"kind": "damage", "divide": 2}), *more]
    b = clash([at(weapon[0], 10)], [at("ballistus-dreadnought", 30)], gain=gain)
    found = volleys(b, b.unit(0).name, "Ballistus Dreadnought", weapon[1], half_range=near)[0].kinds[0]
    assert found.damage is not None
    return found.damage


def test_half_damage_is_rounded_up() -> None:
    assert halved(("tankbustas", "rokkit launcha")).result() == 2, "half of 3"
    assert halved(("boyz", "slugga")).result() == 1, "half of 1"


def test_random_damage_is_halved_after_the_roll() -> None:
    found = halved(("predator-annihilator", "predator twin lascannon"))
    assert [found.of((face,)) for face in range(1, 7)] == [1, 2, 2, 3, 3, 4], "D6+1, halved"


def test_melta_is_added_to_what_is_left_of_the_damage() -> None:
    found = halved(("eradicator-squad", "melta rifle"), near=True)
    assert [found.of((face,)) for face in range(1, 7)] == [3, 3, 4, 4, 5, 5], "half of a D6, and 2"


def test_what_an_ability_adds_to_damage_is_not_halved() -> None:
    gain = ("Eradicator Squad", {"kind": "characteristic", "name": "D", "add": 1, "weapons": "ranged"})
    found = halved(("eradicator-squad", "melta rifle"), more=(gain,))
    assert [found.of((face,)) for face in range(1, 7)] == [2, 2, 3, 3, 4, 4], "half of a D6, and 1"


def test_one_less_damage_comes_after_the_halving() -> None:
    less = ("Ballistus Dreadnought", {"kind": "damage", "add": -1})
    found = halved(("predator-annihilator", "predator twin lascannon"), more=(less,))
    assert [found.of((face,)) for face in range(1, 7)] == [1, 1, 1, 2, 2, 3]


def test_a_weapon_whose_damage_is_halved_by_its_own_ability() -> None:
    half = ("Predator Annihilator", {"kind": "characteristic", "name": "D", "divide": 2, "weapons": "ranged"})
    b = clash([at("predator-annihilator", 10)], [at("land-raider", 30)], gain=[half])
    found = volleys(b, "Predator Annihilator", "Land Raider", "predator twin lascannon")[0].kinds[0].damage
    assert found is not None and [found.of((face,)) for face in range(1, 7)] == [1, 2, 2, 3, 3, 4]


def test_mortal_wounds_of_a_weapon_are_not_halved() -> None:
    deadly = ("Tankbustas", {"kind": "weapon_ability", "ability": "devastating wounds"})
    gain = [("Ballistus Dreadnought", {"kind": "damage", "divide": 2}), deadly]
    b = clash([at("tankbustas", 10)], [at("ballistus-dreadnought", 30)], gain=gain)
    kinds = volleys(b, "Tankbustas", "Ballistus Dreadnought", "rokkit launcha")[0].kinds
    assert kinds[0].damage is not None and kinds[0].damage.result() == 2
    assert kinds[1].mortal is not None and kinds[1].mortal.points.result() == 3


def test_armour_of_an_enhancement_and_of_wargear() -> None:
    b = clash([at("boyz", 10)], [at("captain", 20, enhancement="Artificer Armour")])
    found = bodies(b, "Boyz", "Captain", "slugga").bodies[0]
    assert (found.saves, found.pain) == ((2,), 5)


def test_a_runtherd_is_as_frail_as_the_gretchin_around_it() -> None:
    b = clash([INTERCESSORS], [at("gretchin", 20)])
    weapon = ("Intercessor Squad", "Gretchin", "bolt rifle")
    assert needs(volleys(b, *weapon)[0].wound) == 2
    runtherds = [
        m for m in called(b, "Gretchin").models if b.setup.data.sheets[b.setup.data.kits[m].sheet].name == "Runtherd"
    ]
    b.place_models([m for m in called(b, "Gretchin").models if m not in runtherds], 3)
    assert needs(volleys(b, *weapon)[0].wound) == 5, "his own Toughness is 5"


def test_stealth_needs_every_model_granted_or_printed() -> None:
    gun = at("intercessor-squad", 10)
    shade = ["twin gauss blaster", "close combat weapon", "shadowloom"]
    weapon = ("Intercessor Squad", "Tomb Blades", "bolt rifle")

    def needed(count: int) -> int:
        wargear = [{"model": "Tomb Blade", "carry": shade, "count": count}]
        return needs(volleys(clash([gun], [at("tomb-blades", 22, wargear=wargear)]), *weapon)[0].hit)

    assert (needed(2), needed(3)) == (3, 4)


def test_the_benefit_of_cover_is_granted_and_taken_away() -> None:
    grant = ("Boyz", {"kind": "grant", "ability": "benefit of cover"})
    forbid = ("Boyz", {"kind": "forbid", "what": "cover"})
    weapon = ("Intercessor Squad", "Boyz", "bolt pistol")
    assert bodies(clash([INTERCESSORS], [BOYZ], gain=[]), *weapon).bodies[0].saves == (5,)
    assert bodies(clash([INTERCESSORS], [BOYZ], gain=[grant]), *weapon).bodies[0].saves == (4,)
    assert bodies(clash([INTERCESSORS], [BOYZ], gain=[grant, forbid]), *weapon).bodies[0].saves == (5,)


def test_an_oath_is_kept_in_a_real_round_of_shooting() -> None:
    dice = {"hit": [2, 3, 1, 3, 3, 3, 3, 3, 3, 3], "wound": [3] * 8}
    b = clash([INTERCESSORS], [at("boyz", 20, size=20)], dice=dice)
    use(b, "Oath of Moment", "Boyz", until="command")
    b.start()
    give(b, "shoot_with", "Intercessor Squad")
    give(b, "react.unit_selected_to_shoot", "pass")
    give(b, "shoot", [{"weapon": "bolt rifle", "target": "Boyz"}])
    while "reroll" in kinds(b):
        decision = asked(b, "reroll")
        b.answer(decision, b.default(decision))
    assert (last(b)["hits"], last(b)["wounds"]) == (8, 0), "two dice missed and were rolled again"


def test_weapons_that_abilities_change_are_rolled_apart() -> None:
    gain = [("Intercessor Squad", {"kind": "characteristic", "name": "AP", "add": -1, "weapons": "ranged",
             "when": ["target_within:10"]})]  # fmt: skip
    b = clash([INTERCESSORS], [at("gretchin", 20)], gain=gain)
    unit = called(b, "Intercessor Squad")
    for i, m in enumerate(unit.models):
        b.state.models.pos[m, 0] -= steps(3) * (i % 2)
    b.state.version = b.state.stamp = new_version()
    found = volleys(b, "Intercessor Squad", "Gretchin", "bolt rifle")
    assert sorted(v.shots[0].weapons for v in found) == [2, 3]


def test_captains_shield_is_worth_a_wound() -> None:
    shield = [{"model": "Captain", "carry": ["master-crafted power weapon", "relic shield"]}]
    b = clash([at("captain", 10, wargear=shield)], [BOYZ])
    captain = called(b, "Captain").models[0]
    assert int(b.state.models.wounds[captain]) == 6
    assert bodies(b, "Boyz", "Captain", "slugga").bodies[0].full == 6


# --- One volley, three readers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "blue", "unit", "target", "weapon"),
    [
        ([at("eradicator-squad", 10)], [DREAD], "Eradicator Squad", "Deff Dread", "melta rifle"),
        (led("plasmancer", "immortals"), [BOYZ], "Immortals", "Boyz", "gauss blaster"),
        ([INTERCESSORS], led("painboy", "boyz", 20), "Intercessor Squad", "Boyz", "bolt rifle"),
        ([at("tankbustas", 10)], [REDEMPTOR], "Tankbustas", "Redemptor Dreadnought", "rokkit launcha"),
    ],
)
def test_solver_and_dice_agree_on_attacks_that_abilities_change(
    red: list[Place], blue: list[Place], unit: str, target: str, weapon: str
) -> None:
    def attack(bare: bool) -> Attack:
        b = clash(red, blue, bare=bare)
        one, other = called(b, unit), called(b, target)
        return attack_of(b, one, other, shots(b, unit, target, weapon))

    exact = solve(attack(bare=False)).mean_damage
    assert exact == pytest.approx(roll(attack(bare=False), 20_000, 1).mean_damage, rel=0.03)
    assert exact != pytest.approx(solve(attack(bare=True)).mean_damage, rel=0.02), "abilities make a difference"
