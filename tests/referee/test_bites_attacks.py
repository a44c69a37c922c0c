"""Judgements of attacks and other dice: each lets a clean story pass, and finds the fault that is planted in it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.judgements.attacks import Attacks
from referee.judgements.fights import Strikes
from referee.judgements.other_dice import OtherDice
from referee.judgements.shooting import Shooting
from referee.stage import GUN, SWORD, Stage, box
from referee.volleys import wound_need

HIT, WOUND, SAVE = "w40k10.attack.hit_roll", "w40k10.attack.wound_roll", "w40k10.attack.armour_save"


class Volley:
    """Two shooters with a gun each at two targets, and the dice of one volley."""

    def __init__(
        self,
        to_hit: tuple[int, ...] = (3, 4, 2, 1),
        to_wound: tuple[int, ...] = (4, 3),
        *,
        gun: dict[str, Any] | None = None,
        far: float = 15.0,
        target: dict[str, Any] | None = None,
        shooter: dict[str, Any] | None = None,
        kind: str = "shoot",
        features: tuple[Any, ...] = (),
        **figures: int,
    ) -> None:
        weapon = {**(GUN if kind == "shoot" else SWORD), **(gun or {})}
        stage = self.stage = Stage(*features)
        self.red = stage.unit(0, [(10, 10), (10, 12)], weapons=[weapon], fields=shooter or {})
        sheet = dict(target or {})
        wounds_left = sheet.pop("left", None)
        spots = sheet.pop("spots", [(10 + far, 10), (10 + far, 12)])
        self.blue = stage.unit(1, spots, wounds=wounds_left, weapons=[], **sheet)
        stage.step("shooting" if kind == "shoot" else "fights first")
        count = 2 if kind == "shoot" else figures.get("attacks", 4)
        stage.declare(
            self.red,
            weapon["name"],
            self.blue,
            count,
            kind=kind,
            **({"only": -1, "overwatch": False} if kind == "shoot" else {}),
        )
        self.weapon = weapon["name"]
        if to_hit:
            stage.roll("hit", *to_hit, rules=[HIT])
        if to_wound:
            stage.roll("wound", *to_wound, rules=[WOUND])
        self.figures = {"attacks": 4, "hits": 2, "criticals": 0, "wounds": 1, "unsaved": 1, **figures}

    def hurt(self, model: int, left: int, *, mark: bool = True, save: int | None = None) -> Volley:
        """A model is given a wound, fails its save, and has so many wounds left."""
        if mark:
            self.stage.marked(model)
        if save is not None:
            self.stage.roll("save", save, player=1, rules=[SAVE])
        self.stage.wounded(model, left)
        if left == 0:
            self.stage.gone(model)
        return self

    def found(self) -> list[str]:
        self.stage.attack(self.red, self.weapon, self.blue, 2, **self.figures)
        return self.stage.rules(Attacks)


def plain(**more: Any) -> Volley:
    return Volley(**more).hurt(2, 1, save=3)


# --- Dice counted and read again --------------------------------------------------------------------------------------


def test_a_clean_volley_passes() -> None:
    assert plain().found() == []


def test_a_hit_die_misread_is_found() -> None:
    assert "attack.hit_roll" in plain(to_hit=(3, 4, 3, 1)).found()
    assert "attack.hit_roll" in plain(to_hit=(3, 2, 2, 1)).found()


def test_a_die_too_many_or_too_few_is_found() -> None:
    assert "attack.hit_roll" in plain(to_hit=(3, 4, 2, 1, 1)).found()
    assert "attack.wound_roll" in plain(to_wound=(4, 3, 3)).found()
    assert "shoot.attack_count" in plain(to_hit=(3, 4, 2), attacks=3).found()


def test_a_wound_die_misread_is_found() -> None:
    assert "attack.wound_roll" in plain(to_wound=(4, 4)).found()
    assert "attack.wound_roll" in plain(gun={"strength": 5}).found()


def test_a_critical_hit_misread_is_found() -> None:
    assert plain(to_hit=(3, 6, 2, 1), criticals=1).found() == []
    assert "attack.critical_hit" in plain(to_hit=(3, 6, 2, 1)).found()


def test_a_save_misread_or_forgotten_is_found() -> None:
    assert "attack.armour_save" in Volley().hurt(2, 1, save=4).found()
    assert "attack.armour_save" in Volley().hurt(2, 1).found()
    assert Volley(gun={"ap": -1}).hurt(2, 1, save=4).found() == []
    assert Volley(gun={"ap": -3}).hurt(2, 1).found() == []
    assert "attack.armour_save" in Volley(gun={"ap": -3}).hurt(2, 1, save=3).found()


def test_an_invulnerable_save_stands_against_any_ap() -> None:
    ward = {"invulnerable": 4}
    assert Volley(gun={"ap": -3}, target=ward).hurt(2, 1, save=3).found() == []
    assert "attack.armour_save" in Volley(gun={"ap": -3}, target=ward).hurt(2, 1, save=4).found()


def test_a_save_that_was_made_costs_nothing() -> None:
    clean = Volley(unsaved=0)
    clean.stage.marked(2)
    clean.stage.roll("save", 4, player=1, rules=[SAVE])
    assert clean.found() == []


def test_cover_inside_ruins_is_worth_one() -> None:
    ruin = box("ruins", 20, 5, 10, 10, 6)
    assert Volley(features=(ruin,)).hurt(2, 1, save=2).found() == []
    assert "attack.armour_save" in Volley(features=(ruin,)).hurt(2, 1, save=3).found()
    assert Volley(features=(ruin,), gun={"abilities": ["ignores cover"]}).hurt(2, 1, save=3).found() == []
    assert Volley(features=(ruin,), target={"save": 3}).hurt(2, 1, save=2).found() == []


def test_wrong_damage_is_found_and_excess_is_lost() -> None:
    assert "attack.damage" in Volley().hurt(2, 0, save=3).found()
    assert Volley(gun={"damage": "3"}).hurt(2, 0, save=3).found() == []
    assert "attack.damage" in Volley(gun={"damage": "3"}).hurt(2, 1, save=3).found()


def test_random_damage_is_rolled_and_read() -> None:
    for face, found in ((2, []), (3, ["attack.damage"])):
        volley = Volley(gun={"damage": "D3"})
        volley.stage.marked(2)
        volley.stage.roll("save", 1, player=1, rules=[SAVE])
        volley.stage.roll("damage", face)
        assert volley.hurt(2, 1, mark=False).found() == found


def test_feel_no_pain_is_rolled_for_each_wound() -> None:
    for faces, left, found in (((5, 2), 1, []), ((5, 6), 1, ["attack.damage"]), ((5,), 1, ["attack.feel_no_pain"])):
        volley = Volley(gun={"damage": "2"}, target={"abilities": ["feel no pain 5+"]})
        volley.stage.marked(2)
        volley.stage.roll("save", 1, player=1, rules=[SAVE])
        volley.stage.roll("feel no pain", *faces, player=1)
        rules = volley.hurt(2, left, mark=False).found()
        assert (rules == []) == (found == [])


# --- What weapons do --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("abilities", "far", "attacks"),
    [
        (["rapid fire 1"], 10.0, 6),
        (["rapid fire 1"], 20.0, 4),
        (["blast"], 15.0, 4),
    ],
)
def test_the_number_of_attacks_follows_from_the_weapon(abilities: list[str], far: float, attacks: int) -> None:
    misses = (1,) * attacks
    gun = {"abilities": abilities}
    figures = {"hits": 0, "wounds": 0, "unsaved": 0}
    assert Volley(misses, (), gun=gun, far=far, attacks=attacks, **figures).found() == []
    more = Volley((*misses, 1), (), gun=gun, far=far, attacks=attacks + 1, **figures).found()
    assert "shoot.attack_count" in more


def test_blast_counts_groups_of_five() -> None:
    spots = [(25 + 1.1 * i, 10) for i in range(5)]
    figures = {"hits": 0, "wounds": 0, "unsaved": 0}
    for attacks, found in ((6, []), (4, ["shoot.attack_count"])):
        volley = Volley(
            (1,) * attacks, (), gun={"abilities": ["blast"]}, target={"spots": spots}, attacks=attacks, **figures
        )
        assert volley.found() == found


def test_torrent_hits_without_a_roll() -> None:
    volley = Volley((), (4, 1, 1, 1), gun={"abilities": ["torrent"]}, hits=4, far=10)
    assert volley.hurt(2, 1, save=3).found() == []


def test_lethal_and_sustained_hits_come_from_sixes() -> None:
    lethal = Volley((6, 1, 1, 1), (), gun={"abilities": ["lethal hits"]}, hits=1, criticals=1)
    assert lethal.hurt(2, 1, save=3).found() == []
    sustained = Volley((6, 1, 1, 1), (4, 1, 1), gun={"abilities": ["sustained hits 2"]}, hits=3, criticals=1)
    assert sustained.hurt(2, 1, save=3).found() == []
    assert "attack.hit_roll" in Volley((6, 1, 1, 1), (4, 1, 1), hits=3, criticals=1).hurt(2, 1, save=3).found()


def test_heavy_counts_for_who_stood_still_and_is_cited() -> None:
    gun = {"abilities": ["heavy"]}
    still = {"moved": "stationary"}
    volley = plain(to_hit=(2, 4, 1, 1), gun=gun, shooter=still)
    assert "weapon.heavy" in volley.found()
    volley = plain(to_hit=(2, 4, 1, 1), gun=gun, shooter=still)
    for item in volley.stage.items:
        if item.get("reason") == "hit":
            item["rules"].append("w40k10.weapon.heavy")
    assert volley.found() == []


def test_devastating_wounds_turn_into_mortal_wounds_after_all_else() -> None:
    for points, found in ((1, []), (2, ["weapon.devastating_wounds", "attack.mortal_wounds"])):
        volley = Volley(to_wound=(6, 3), gun={"abilities": ["devastating wounds"]}, unsaved=0)
        assert volley.found() == []
        volley.stage.marked(2)
        volley.stage.wounded(2, 1)
        rules = ["w40k10.attack.mortal_wounds", "w40k10.attack.mortal_timing"]
        volley.stage.tell("mortal-wounds", [volley.red, volley.blue], *rules, points=points)
        assert volley.stage.rules(Attacks)[: len(found)] == found


def test_twin_linked_rolls_failures_again_and_nothing_else() -> None:
    for gun, found in (({"abilities": ["twin-linked"]}, []), ({}, ["attack"])):
        volley = Volley(to_wound=(3, 3), gun=gun)
        volley.stage.roll("wound", 4, 2, rules=[WOUND])
        rules = volley.hurt(2, 1, save=3).found()
        assert bool(rules) == bool(found)


def test_a_command_reroll_takes_one_die() -> None:
    volley = Volley(to_wound=())
    volley.stage.answer("react.after_roll", "Command Re-roll/2")
    volley.stage.tell("stratagem", [volley.red], name="Command Re-roll")
    volley.stage.roll("hit", 3)
    volley.stage.roll("wound", 4, 3, 1, rules=[WOUND])
    volley.figures["hits"] = 3
    assert volley.hurt(2, 1, save=3).found() == []


# --- Who takes it -----------------------------------------------------------------------------------------------------


def test_a_damaged_model_takes_the_next_attack() -> None:
    volley = Volley()
    volley.stage.wounds[3] = 1
    assert "attack.allocate_forced" in volley.hurt(2, 1, save=3).found()


def test_a_model_that_was_given_an_attack_takes_the_next() -> None:
    for second, found in ((2, []), (3, ["attack.allocate_forced"])):
        volley = Volley(to_wound=(4, 4))
        volley.figures.update(wounds=2, unsaved=1)
        volley.stage.marked(2)
        volley.stage.roll("save", 6, player=1, rules=[SAVE])
        rules = volley.hurt(second, 1, mark=second == 3, save=1).found()
        assert rules[:1] == found


def test_a_leader_is_spared_while_the_bodyguard_stands() -> None:
    stage = Stage()
    red = stage.unit(0, [(10, 10)])
    blue = stage.unit(1, [(25, 10)], leader=[(25, 12)])
    for model, found in ((1, []), (2, ["ability.leader_allocation"])):
        stage.items = []
        stage.step("shooting")
        stage.declare(red, "gun", blue, 1, only=-1, overwatch=False)
        stage.roll("hit", 3, 1, rules=[HIT])
        stage.roll("wound", 4, rules=[WOUND])
        stage.marked(model)
        stage.roll("save", 3, player=1, rules=[SAVE])
        stage.wounded(model, 1)
        stage.attack(red, "gun", blue, 1, attacks=2, hits=1, wounds=1, unsaved=1)
        assert stage.rules(Attacks) == found


def test_a_destroyed_unit_is_told_and_its_deadly_demise_rolled() -> None:
    def story(*, demise: int | None, told: bool) -> list[str]:
        stage = Stage()
        red = stage.unit(0, [(10, 10)])
        blue = stage.unit(1, [(25, 10)], wounds=1, abilities=["deadly demise 1"])
        stage.step("shooting")
        stage.declare(red, "gun", blue, 1, only=-1, overwatch=False)
        stage.roll("hit", 3, 1, rules=[HIT])
        stage.roll("wound", 4, rules=[WOUND])
        stage.marked(1)
        stage.roll("save", 3, player=1, rules=[SAVE])
        stage.wounded(1, 0)
        if demise is not None:
            stage.roll("deadly demise", demise, player=1)
        stage.gone(1)
        if told:
            stage.tell("unit_destroyed", [blue], part="unit")
        stage.attack(red, "gun", blue, 1, attacks=2, hits=1, wounds=1, unsaved=1)
        return stage.rules(Attacks)

    assert story(demise=5, told=True) == []
    assert story(demise=6, told=True) == ["attack.deadly_demise"]
    assert story(demise=None, told=True) == ["attack.deadly_demise"]
    assert story(demise=5, told=False) == ["unit.destroyed"]


@pytest.mark.parametrize(
    ("s", "t", "need"), [(8, 4, 2), (7, 4, 3), (5, 5, 4), (4, 5, 5), (4, 8, 6), (4, 7, 5), (3, 2, 3)]
)
def test_the_wound_table(s: int, t: int, need: int) -> None:
    assert wound_need(s, t) == need


def test_a_roll_that_tells_a_wrong_need_is_found() -> None:
    for needed, found in ((3, []), (4, ["attack.hit_roll"])):
        volley = plain()
        for item in volley.stage.items:
            if item.get("reason") == "hit":
                item["read"] = {"read": "by_face", "needed": needed}
        assert volley.found() == found


# --- Shooting ---------------------------------------------------------------------------------------------------------


def shooting(
    far: float = 15.0,
    *,
    shooter: Any = None,
    gun: Any = None,
    features: Any = (),
    step: str = "shooting",
    near: Any = None,
    **sheet: Any,
) -> list[str]:
    stage = Stage(*features)
    red = stage.unit(0, [(10, 10)], fields=shooter or {}, weapons=[{**GUN, **(gun or {})}], **sheet)
    blue = stage.unit(1, [(11 + far, 10)])
    if near is not None:
        stage.unit(near[0], [near[1]])
    stage.step(step)
    stage.declare(red, "gun", blue, 1, only=-1, overwatch=False)
    return stage.rules(Shooting)


def test_weapons_reach_as_far_as_they_do() -> None:
    assert shooting(24.0) == []
    assert shooting(24.1) == ["shoot.range"]


def test_nobody_shoots_through_ruins() -> None:
    assert shooting(features=(box("ruins", 15, 5, 5, 10, 6),)) == ["shoot.select_targets"]
    assert shooting(features=(box("ruins", 15, 10.2, 5, 10, 6),)) == []
    assert shooting(features=(box("ruins", 15, 5, 5, 10, 6),), gun={"abilities": ["indirect fire"]}) == []
    assert shooting(features=(box("woods", 15, 5, 5, 10, 6),)) == []


def test_who_advanced_or_fell_back_does_not_shoot() -> None:
    assert shooting(shooter={"moved": "fall_back"}) == ["move.fall_back_limits"]
    assert shooting(shooter={"moved": "advance"}) == ["weapon.assault"]
    assert shooting(shooter={"moved": "advance"}, gun={"abilities": ["assault"]}) == []


def test_who_is_engaged_is_locked() -> None:
    engaged = (1, (10.0, 11.5))
    assert shooting(near=engaged) == ["shoot.locked_shooter"]
    assert shooting(near=engaged, keywords=["VEHICLE"]) == []
    assert shooting(near=engaged, gun={"abilities": ["pistol"]}) == ["weapon.pistol_eligible"]
    assert shooting(near=(0, (26.0, 11.5))) == ["shoot.locked_target"]
    assert shooting(0.5, keywords=["VEHICLE"], gun={"abilities": ["blast"]}) == ["weapon.blast_limit"]


def test_nobody_fires_a_weapon_twice_or_a_pistol_beside_a_rifle() -> None:
    def declared(*shots: tuple[str, int], models: int = 2, keywords: str = "INFANTRY") -> list[str]:
        stage = Stage()
        arms = [GUN, {**GUN, "name": "pistol", "abilities": ["pistol"]}]
        red = stage.unit(0, [(10 + i, 10) for i in range(models)], weapons=arms, keywords=[keywords])
        blue = stage.unit(1, [(20, 10)])
        stage.step("shooting")
        rows = [
            {"id": str(i), "label": name, "count": n, "targets": [blue], "modes": []}
            for i, (name, n) in enumerate(shots)
        ]
        told = [{"row": str(i), "target": blue, "count": n, "mode": ""} for i, (_, n) in enumerate(shots)]
        about = {"only": -1, "overwatch": False}
        stage.answer("shoot", told, red, shape="assign", about=about, rows=rows, targets=[])
        return stage.rules(Shooting)

    assert declared(("gun", 2)) == []
    assert "shoot.split" in declared(("gun", 3))
    assert declared(("gun", 1), ("pistol", 1)) == []
    assert declared(("gun", 2), ("pistol", 1)) == ["weapon.pistol_exclusive"]
    assert declared(("gun", 2), ("pistol", 2), keywords="VEHICLE") == []


def test_units_shoot_once_in_their_own_shooting_step() -> None:
    assert shooting(step="charge") == ["shoot.sequence"]
    stage = Stage()
    red, blue = stage.unit(0, [(10, 10)]), stage.unit(1, [(20, 10)])
    stage.step("shooting")
    stage.declare(red, "gun", blue, 1, only=-1, overwatch=False)
    stage.declare(red, "gun", blue, 1, only=-1, overwatch=False)
    assert stage.rules(Shooting) == ["shoot.sequence"]


def test_overwatch_reaches_twenty_four_inches() -> None:
    for far, found in ((24.0, []), (24.2, ["strat.fire_overwatch"])):
        stage = Stage()
        red, blue = stage.unit(0, [(10, 10)], weapons=[{**GUN, "range": 48}]), stage.unit(1, [(11 + far, 10)])
        stage.step("move units", active=1)
        stage.declare(red, "gun", blue, 1, only=blue, overwatch=True)
        assert stage.rules(Shooting) == found


# --- Melee ------------------------------------------------------------------------------------------------------------


def test_melee_reaches_engagement_range_and_one_rank_behind() -> None:
    both = ["fight.select_weapon", "fight.attack_count"]
    for spots, attacks, found in (
        ([(10.0, 10.0)], 2, []),
        ([(10.0, 9.9)], 2, ["fight.select_targets", "fight.attack_count"]),
        ([(10.0, 10.0)], 4, both),
        ([(10.0, 10.0), (10.0, 9.0)], 4, both),
        ([(10.0, 11.0), (10.0, 10.0)], 4, []),
        ([(10.0, 11.0), (10.0, 10.0), (10.0, 9.0)], 6, both),
    ):
        stage = Stage()
        red = stage.unit(0, spots)
        blue = stage.unit(1, [(10, 12)])
        stage.step("fights first")
        stage.declare(red, "sword", blue, attacks, kind="strike")
        assert stage.rules(Strikes) == found


def test_melee_attacks_are_read_like_ranged_ones() -> None:
    volley = Volley(kind="strike", far=1.5)
    assert volley.hurt(2, 1, save=3).found() == []
    assert "attack.armour_save" in Volley(kind="strike", far=1.5).hurt(2, 1, save=4).found()


# --- Other dice -------------------------------------------------------------------------------------------------------


def thrown(faces: tuple[int, ...], lost: int) -> list[str]:
    """A grenade at a unit of one model with six wounds, which loses some."""
    stage = Stage()
    red = stage.unit(0, [(10, 10), (11, 10)])
    blue = stage.unit(1, [(16, 10)], wounds=6)
    stage.sheets[-1]["wounds"] = 6
    stage.step("shooting")
    stage.roll("grenade", *faces, rules=["w40k10.strat.grenade"])
    if lost:
        stage.marked(2)
        stage.wounded(2, 6 - lost)
        stage.tell("mortal-wounds", [red, blue], "w40k10.attack.mortal_wounds", "w40k10.strat.grenade", points=lost)
    stage.step("shooting ends")
    return stage.rules(OtherDice)


def test_grenades_roll_six_dice_for_four_or_more() -> None:
    assert thrown((4, 5, 1, 6, 2, 3), 3) == []
    assert thrown((4, 5, 1, 6, 2, 3), 2) == ["attack.mortal_wounds"]
    assert thrown((4, 5, 1, 6, 2), 3) == ["strat.grenade"]
    assert thrown((1, 1, 1, 1, 1, 1), 1) == ["strat.grenade"]


def test_an_advance_adds_what_was_rolled() -> None:
    for added, found in ((3, []), (4, ["move.advance"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 10)])
        stage.step("move units")
        stage.roll("advance", 3)
        stage.changed("unit", unit, advance=added)
        stage.tell("advance", [unit])
        stage.step("reinforcements")
        assert stage.rules(OtherDice) == found


def test_a_desperate_escape_costs_a_model_for_each_one_or_two() -> None:
    for faces, gone, found in (
        ((1, 3), [0], []),
        ((1, 2), [0], ["move.desperate_escape_test"]),
        ((1,), [0], ["move.desperate_escape_trigger"]),
        ((1, 3, 3), [0], ["move.desperate_escape_trigger"]),
    ):
        stage = Stage()
        unit = stage.unit(0, [(10, 10), (11, 10), (12, 10)])
        stage.unit(1, [(10, 11.2), (11, 11.2)])
        stage.step("move units")
        stage.move(unit, "fall_back", {0: [(10, 15)], 1: [(11, 15)], 2: [(13, 10), (13, 15)]}, allowance=9)
        del stage.items[-1]
        stage.roll("desperate escape", *faces)
        stage.answer("escape_losses", gone, unit, shape="choose_some")
        stage.tell("desperate_escape", [unit])
        for m in gone:
            stage.killed(m)
        stage.tell("moved", [unit])
        assert stage.rules(OtherDice) == found


def test_hazardous_weapons_are_tested_one_by_one() -> None:
    for faces, dies, found in (
        ((1, 4), True, []),
        ((4, 4, 4), False, ["weapon.hazardous"]),
        ((1, 4), False, ["weapon.hazardous"]),
    ):
        stage = Stage()
        red = stage.unit(0, [(10, 10), (11, 10)], weapons=[{**GUN, "abilities": ["hazardous"]}])
        blue = stage.unit(1, [(20, 10)])
        stage.step("shooting")
        stage.declare(red, "gun", blue, 2, only=-1, overwatch=False)
        stage.attack(red, "gun", blue, 2, attacks=4)
        stage.roll("hazardous", *faces)
        if dies:
            stage.answer("hazard", 0, red)
            stage.tell("backfire", [red])
            stage.killed(0)
        stage.step("shooting ends")
        assert stage.rules(OtherDice) == found
