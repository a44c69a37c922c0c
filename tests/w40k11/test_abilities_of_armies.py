"""Abilities of the armies as our corrections tell them: each kind of effect in the cases that print sets apart."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.armies.effects import Invulnerable, Modify
from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.errors import UserError
from sandtable.forty.effects.at_work import at_work, is_marked
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.weapons import changes_to_weapons, suffered_ap
from sandtable.forty.effects.words import AttackMade
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.engagement import engaged
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import blade, face_off, fire, gun, hurt, last, shoot, target
from w40k11.carriers import RHINO, driven, get_out
from w40k11.printed import ours
from w40k11.table import (
    FOE,
    HERO,
    TARGET,
    TROOPER,
    Doc,
    Spots,
    alive,
    asked,
    cards,
    default,
    feature,
    give,
    kinds,
    named,
    offered,
    places,
    play,
    power,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
    wounds,
)

# --- Shooting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [1, 6])
def test_who_may_move_after_it_has_shot_may_do_so_whether_it_hit_or_not(face: int) -> None:
    swarm = ours("tyranids", "winged-swarm", "Reds")
    b = shoot(face_off(gun(), dice={"hit": [face], "wound": [1]}, abilities=[swarm]))
    assert cards(b) == ["Ability: winged-swarm (Reds)"]


@pytest.mark.parametrize(("relay", "hits"), [(False, 0), (True, 1)])
def test_who_cannot_have_cover_has_none_against_indirect_fire(relay: bool, hits: int) -> None:
    mortar = [gun("indirect fire", skill=4)]
    b = face_off(
        gun(),
        target(wounds=9),
        more=[unit("Mortars", "red", sheet(*mortar, name="Mortar"), [(10, 14)], moved="stationary")],
        abilities=[ours("necrons", "targeting-relay", "Reds")] if relay else [],
        dice={"hit": [6, 4], "wound": [1, 1]},
    )
    shoot(b)
    give(b, "shoot_with", "Mortars")
    give(b, "shooting_type", "indirect")
    assert last(fire(b))["hits"] == hits


def hail(*targets: str) -> Battle11:
    """Reds have hit some of a Monster and a unit of Infantry."""
    big = unit("Big", "blue", target(name="Big", keywords=["MONSTER"], wounds=20), [(21, 20)])
    b = face_off(
        [gun(name=f"gun at {name}") for name in targets],
        target(wounds=5),
        more=[big, unit("More", "blue", target(name="More", wounds=5), [(21, 14)])],
        dice={"hit": [6] * len(targets), "wound": [1] * len(targets)},
        abilities=[ours("death-guard", "hail-of-corrosive-disease", "Reds")],
    )
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": f"gun at {name}", "target": name} for name in targets])
    return b


def test_who_is_excluded_cannot_be_chosen_among_those_that_were_hit() -> None:
    assert offered(hail("Big", "Blues", "More"), "ability_target") == ["Blues", "More"]
    b = hail("Big", "Blues")
    assert [len(changes_to_weapons(b, named(b, name), "suffered")) for name in ("Big", "Blues")] == [0, 1]
    assert "ability" not in told(hail("Big"))


@pytest.mark.parametrize(("faction", "ap"), [("DEATH GUARD", -1), ("ORKS", 0)])
def test_those_of_one_army_alone_shoot_better_at_whom_it_chose(faction: str, ap: int) -> None:
    other = sheet(gun(name="other gun", range=48), name="Other", keywords=["INFANTRY", faction])
    hit = {"dice": {"hit": [6, 6], "wound": [1, 6], "save": [1]}}
    b = face_off(
        gun(), target(wounds=5, save=2), more=[unit("Others", "red", other, [(10, 14)])], **hit,
        abilities=[ours("death-guard", "hail-of-corrosive-disease", "Reds")],
    )  # fmt: skip
    shoot(b)
    attack = AttackMade(named(b, "Others").id, named(b, "Blues").id, melee=False)
    weapon = b.setup.data.sheets[b.setup.data.kits[named(b, "Others").models[0]].sheet].weapons[0]
    changes = changes_to_weapons(b, named(b, "Blues"), "suffered")
    assert suffered_ap(b, attack, weapon, named(b, "Blues").models[0], changes)[0] == ap


def test_the_same_unit_is_not_chosen_twice() -> None:
    others = unit("Others", "red", sheet(gun(name="other gun", range=48), name="Other"), [(10, 14)])
    corrosive = [ours("death-guard", "hail-of-corrosive-disease", name) for name in ("Reds", "Others")]
    b = face_off(gun(), target(wounds=5), more=[others], abilities=corrosive, dice={"hit": [6, 6], "wound": [1, 1]})
    shoot(b)
    shoot(b, "Others")
    assert len(changes_to_weapons(b, named(b, "Blues"), "suffered")) == 1


@pytest.mark.parametrize(("height", "again"), [(6, True), (0, False)])
def test_the_closest_target_is_the_closest_of_those_that_may_be_shot_at(height: float, again: bool) -> None:
    b = situation(
        [
            unit("Fiend", "red", sheet(gun(attacks="1"), name="Fiend"), [(10, 10)]),
            unit("Near", "blue", TARGET, [(10, 18)]),
            unit("Seen", "blue", TARGET, [(22, 10)]),
        ],
        [feature("hill", (9, 14, 10, 1), height, solid=True)] if height else None,
        step="shoot_units",
        abilities=[ours("world-eaters", "furious-onslaught", "Fiend")],
        dice={"hit": [1, 6], "wound": [1]},
    )
    shoot(b, "Fiend", "Seen")
    assert last(b)["hits"] == again


def test_an_engaged_enemy_that_is_closer_is_no_target() -> None:
    b = situation(
        [
            unit("Fiend", "red", sheet(gun(attacks="1"), name="Fiend"), [(10, 10)]),
            unit("Friends", "red", TROOPER, [(10, 19.5)]),
            unit("Near", "blue", TARGET, [(10, 18)]),
            unit("Seen", "blue", TARGET, [(22, 10)]),
        ],
        step="shoot_units",
        abilities=[ours("world-eaters", "furious-onslaught", "Fiend")],
        dice={"hit": [1, 6], "wound": [1]},
    )
    shoot(b, "Fiend", "Seen")
    assert last(b)["hits"] == 1


# --- Those who rise again ---------------------------------------------------------------------------------------------


def test_who_rises_beside_its_unit_is_engaged_with_nobody_though_the_unit_is() -> None:
    killer = blade("precision", strength=20, ap=-6, damage="9")
    b = situation(
        [
            unit("Guard", "blue", TROOPER, [(11.5, 10 + 1.5 * i) for i in range(3)]),
            unit("Chief", "blue", {**HERO, "save": 7}, [(11.5, 8.5)], leads="Guard"),
            unit("Reds", "red", sheet(killer, name="Red"), [(10, 8.5)], charged=True),
            FOE,
        ],
        step="fight_phase",
        abilities=[ours("world-eaters", "berzerker-frenzy", "Guard", models=[4])],
        dice={"hit": [5] + [1] * 40, "wound": [5], "berzerker-frenzy": [2]},
    )
    while "returned" not in told(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    guard, reds = named(b, "Guard"), named(b, "Reds")
    beside = engaged(b, guard, reds)
    b.place_models(guard.models[:3], GONE)
    assert (beside, engaged(b, named(b, "Guard"), reds), alive(b, "Guard")) == (True, False, 1)


def falling(*others: UnitDoc, dice: list[int], lords: int = 1) -> Battle11:
    """Lords with a gunner each who shoots them, in the Shooting phase of red."""
    big = gun(strength=20, ap=-6, damage="9", range=48)
    names = [f"Lord {i + 1}" for i in range(lords)]
    return situation(
        [
            *(unit(f"Reds {i + 1}", "red", sheet(big, name="Red"), [(3, 5 + 8 * i)]) for i in range(lords)),
            *(unit(n, "blue", sheet(name="Lord", wounds=6), [(20, 5 + 8 * i)]) for i, n in enumerate(names)),
            FOE,
            *others,
        ],
        step="shoot_units",
        abilities=[ours("death-guard", "unholy-resilience", name) for name in names],
        dice={"hit": [5] * 9, "wound": [5] * 9, "unholy-resilience": dice, "battle-shock": [6] * 60},
    )


def test_who_has_risen_does_not_rise_again_in_another_round() -> None:
    b = falling(dice=[6, 6])
    shoot(b, "Reds 1", "Lord 1")
    until(b, "shoot_with", 0)
    risen = wounds(b, "Lord 1")
    shoot(b, "Reds 1", "Lord 1")
    until(b, "move_with", 1)
    assert (risen, alive(b, "Lord 1"), told(b).count("returned")) == ([3], 0, 1)


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_of_two_who_fall_in_one_round_the_first_to_fall_rises(first: int, second: int) -> None:
    b = falling(dice=[2], lords=2)
    shoot(b, f"Reds {first}", f"Lord {first}")
    shoot(b, f"Reds {second}", f"Lord {second}")
    until(b, "move_with", 1)
    assert [alive(b, f"Lord {n}") for n in (first, second)] == [1, 0]


# --- Transports and moves ---------------------------------------------------------------------------------------------


def test_a_ramp_lets_nobody_charge_after_an_ingress_move_of_the_transport() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=2, embarked="Rhino"),
            unit("Rhino", "red", RHINO, off=1, reserve="strategic"),
            unit("Foes", "blue", TROOPER, [(18, 18)]),
            unit("Base", "red", TROOPER, [(41, 2)]),
        ],
        round_=2,
        abilities=[ours("world-eaters", "assault-ramp", "Rhino")],
    )
    give(b, "move_with", "Rhino")
    give(b, "enter", "ingress")
    give(b, "arrive", [[10, 3]])
    get_out(b, "rapid", [[13, 3], [13, 4.5]])
    assert not able_to_charge(b, named(b, "Reds"))


def skulking(name: str) -> Doc:
    return ours("tyranids", "skulking-horrors", name)


@pytest.mark.parametrize(("x", "open_"), [(22, ["Ability: skulking-horrors (Gaunts)"]), (22.1, [])])
def test_to_get_out_of_a_transport_is_a_move_that_enemies_react_to(x: float, open_: list[str]) -> None:
    gaunts = unit("Gaunts", "blue", TROOPER, [(x, 10)])
    b = driven("stationary", gaunts, abilities=[skulking("Gaunts")], dice={"skulking-horrors": [3]})
    get_out(b, "tactical", [[13, 10], [13, 11.5]])
    assert cards(b) == open_


def test_to_escape_from_a_wreck_is_a_move_that_enemies_react_to() -> None:
    mine = {"kind": "mortal_wounds", "amount": 12, "who": "enemy", "within": 3, "at": "enemy_moved"}
    b = driven(
        "normal",
        unit("Mines", "blue", TARGET, [(10, 14.5)]),
        unit("Gaunts", "blue", TROOPER, [(21, 10)]),
        count=1,
        abilities=[{"unit": "Mines", "name": "Mine", "effects": [mine]}, skulking("Gaunts")],
        dice={"hazard": [6]},
    )
    before = cards(b)
    give(b, "escape", [[12.51, 10]])
    assert (before, cards(b)) == ([], ["Ability: skulking-horrors (Gaunts)"])


def test_who_reacts_in_the_opponents_turn_does_not_react_to_reactions_in_its_own() -> None:
    b = situation(
        [
            unit("Mine", "red", TROOPER, [(10, 10)]),
            unit("Walkers", "red", TROOPER, [(17, 20)]),
            unit("Theirs", "blue", TROOPER, [(17, 12)]),
            FOE,
        ],
        abilities=[skulking("Mine"), skulking("Theirs")],
        dice={"skulking-horrors": [3]},
    )
    give(b, "move_with", "Walkers")
    give(b, "move", {"mode": "normal", "by": [0, -1]})
    play(b, "Ability: skulking-horrors (Theirs)")
    give(b, "extra_move", {"mode": "normal", "by": [-2, 0]})
    assert (kinds(b), cards(b)) == (["move_with"], [])


# --- Command phase ----------------------------------------------------------------------------------------------------


def test_a_point_from_the_start_of_the_command_phase_is_there_for_its_battle_shock_step() -> None:
    b = situation(
        [unit("Swarm", "red", {**HERO, "wounds": 10}, [(10, 10)], wounds={1: 4}), FOE],
        step="command_phase",
        objectives=[(10, 10)],
        abilities=[ours("tyranids", "hive-commander", "Swarm")],
    )
    assert (kinds(b), [p.cp for p in b.state.players]) == (["react.test_due"], [2, 1])


def test_what_is_called_at_the_start_of_a_command_phase_lasts_to_the_start_of_the_next() -> None:
    b = situation(
        [unit("Orks", "red", TROOPER, [(10, 10)]), FOE],
        step="command_phase",
        abilities=[ours("orks", "waaagh", "Orks")],
    )
    play(b, "Ability: waaagh")
    here = is_marked(b, named(b, "Orks"), "waaagh")
    until(b, "move_with", 1)
    there = is_marked(b, named(b, "Orks"), "waaagh")
    until(b, "move_with", 0)
    assert (here, there, is_marked(b, named(b, "Orks"), "waaagh")) == (True, True, False)


@pytest.mark.parametrize("active", ["red", "blue"])
def test_who_heals_at_the_start_of_each_command_phase_does_so_before_battle_shock(active: str) -> None:
    b = situation(
        [unit("Beast", "red", {**TARGET, "wounds": 10}, [(10, 10)], wounds={1: 4}), FOE],
        step="command_phase",
        active=active,
        abilities=[ours("tyranids", "unstoppable-monster", "Beast")],
        dice={"unstoppable-monster": [6]},
    )
    assert (wounds(b, "Beast"), [name for name, _ in rolls(b)]) == ([7], ["unstoppable-monster"])


# --- Leaders and their units ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lost", "bonus"), [((), 1), ((0,), 1), ((0, 1), 0), ((2,), 0)])
def test_who_is_led_needs_a_leader_and_somebody_to_lead(lost: tuple[int, ...], bonus: int) -> None:
    b = situation(
        [
            unit("Guard", "red", TROOPER, [(10, 10), (11.5, 10)]),
            unit("Lord", "red", HERO, [(8.5, 10)], leads="Guard"),
            FOE,
        ],
        abilities=[ours("necrons", "command-protocols", "Guard", models=[1, 2, 3])],
    )
    b.place_models([named(b, "Guard").models[i] for i in lost], GONE)
    assert len(at_work(b, named(b, "Guard"), Modify)) == bonus


@pytest.mark.parametrize(("y", "marked"), [(17, True), (17.1, False)])
def test_a_range_that_is_measured_from_models_is_not_measured_from_those_whom_they_lead(y: float, marked: bool) -> None:
    mind = {**HERO, "keywords": ["INFANTRY", "CHARACTER", "SYNAPSE", "TYRANIDS"]}
    swarm = {**TROOPER, "keywords": ["INFANTRY", "TYRANIDS"]}
    b = situation(
        [
            unit("Guard", "red", swarm, [(10, 10 + 1.5 * i) for i in range(6)]),
            unit("Lord", "red", mind, [(8.5, 10)], leads="Guard"),
            unit("Gaunts", "red", swarm, [(8.5, y)]),
            FOE,
        ],
        abilities=[ours("tyranids", "synapse", name) for name in ("Guard", "Gaunts")],
    )
    assert [is_marked(b, named(b, name), "synapse") for name in ("Guard", "Gaunts")] == [True, marked]


@pytest.mark.parametrize(("y", "models", "saves"), [(17, [], 1), (17.1, [], 0), (17, [1], 0)])
def test_a_range_that_is_measured_from_a_unit_is_measured_from_who_leads_it_too(
    y: float, models: list[int], saves: int
) -> None:
    swarm = {**TROOPER, "keywords": ["INFANTRY", "TYRANIDS"]}
    b = situation(
        [
            unit("Guard", "red", swarm, [(8.5, 7), (8.5, 8.5)]),
            unit("Lord", "red", HERO, [(8.5, 10)], leads="Guard"),
            unit("Gaunts", "red", swarm, [(8.5, y)]),
            FOE,
        ],
        abilities=[ours("tyranids", "warp-field-aura-psychic", "Guard", models=models or [1, 2])],
    )
    assert len(at_work(b, named(b, "Gaunts"), Invulnerable)) == saves


def reanimated(points: int) -> Battle11:
    """A Guard and its Lord of five wounds have fallen, and so many wounds are reanimated."""
    b = situation(
        [
            unit("Guard", "red", target(), [(10, 10), (11.5, 10), (13, 10)], wounds={3: 0}),
            unit("Lord", "red", {**HERO, "leads": ["Target"]}, [(8.5, 10)], leads="Guard", wounds={1: 0}),
            FOE,
        ],
        step="command_phase",
        abilities=[ours("necrons", "reanimation-protocols", "Guard")],
        dice={"reanimation": [2 * points], "battle-shock": [6, 6]},
    )
    until(b, "returning")
    return b


def test_a_leader_is_reanimated_like_its_unit_one_wound_after_the_other() -> None:
    b = reanimated(3)
    give(b, "returning", [named(b, "Guard").models[3]])
    default(b, "return_models")
    assert (hurt(b, "Guard"), kinds(b)) == ([1, 1, 0, 3], ["move_with"])


def test_wounds_that_are_left_bring_back_the_next() -> None:
    b = reanimated(3)
    give(b, "returning", [named(b, "Guard").models[2]])
    assert len(asked(b, "return_models").models) == 2  # type: ignore[attr-defined]
    default(b, "return_models")
    assert (hurt(b, "Guard"), len(places(b, "Guard"))) == ([1, 1, 1, 2], 4)


# --- Objectives -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shocked", "kept"), [(False, (0,)), (True, ())])
def test_who_is_battle_shocked_controls_no_marker_and_secures_none(shocked: bool, kept: tuple[int, ...]) -> None:
    b = situation(
        [
            unit("Boyz", "red", TROOPER, [(10, 10)], battle_shocked=shocked),
            unit("Others", "red", TROOPER, [(10, 12)]),
            FOE,
        ],
        step="command_abilities",
        objectives=[(10, 11)],
        game={"control": [0]},
        abilities=[power("Boyz", kind="allow", what="hold_objectives", when=["control_objective"])],
    )
    assert (b.state.game.secured, b.state.game.control) == (kept, (0,))


# --- Units of army lists in scenario files ----------------------------------------------------------------------------


def herded(**leads: str) -> Battle11:
    """Gretchin of an army list and those who join them."""
    units = [
        {"sheet": "gretchin"},
        {"sheet": "runtherd"},
        {"sheet": "runtherd"},
        {"sheet": "zodgrod-wortsnagga", "warlord": True},
    ]
    listed = {"name": "Grots", "pack": "w40k11", "faction": "orks", "detachment": "war-horde", "limit": 1000}
    places_: dict[str, Spots] = {"Gretchin": [(10 + 1.5 * i, 10) for i in range(10)], "Zodgrod Wortsnagga": [(8.5, 10)]}
    names = {"Gretchin": "Gretchin", "Runtherd 1": "herd", "Runtherd 2": "second", "Zodgrod Wortsnagga": "boss"}
    at = {**places_, "Runtherd 1": [(8.5, 11.5)], "Runtherd 2": [(8.5, 13)]}
    here = [
        UnitDoc(name=n, player="red", positions=tuple(at[n]), flags={"leads": leads[key]} if key in leads else {})
        for n, key in names.items()
    ]
    return situation([*here, FOE], lists={"red": {**listed, "system": "w40k11", "units": units}})


def test_a_leader_and_a_support_unit_of_a_list_join_the_unit_that_a_file_names() -> None:
    b = herded(boss="Gretchin", herd="Gretchin")
    assert (len(named(b, "Gretchin").models), len(named(b, "Gretchin").leader)) == (12, 2)
    with pytest.raises(UserError, match="Gretchin has a Support already"):
        herded(second="Gretchin", herd="Gretchin")
    with pytest.raises(UserError, match="it can lead Gretchin, not Zodgrod"):
        herded(herd="Zodgrod Wortsnagga")


@pytest.mark.parametrize(("lost", "toughness"), [(0, 2), (10, 5)])
def test_a_runtherd_is_as_weak_as_the_gretchin_whom_it_has_joined_while_there_are_any(
    lost: int, toughness: int
) -> None:
    b = herded(herd="Gretchin")
    unit_ = named(b, "Gretchin")
    b.place_models(unit_.models[:lost], GONE)
    assert changed(b, changes_of(b, unit_, "T"), unit_.models[10], "T", 5) == toughness


# --- Several with the same ability ------------------------------------------------------------------------------------


def terror(*blues: UnitDoc, ability: str = "terrifying-monstrosity", faction: str = "necrons") -> Battle11:
    """A Fight phase begins around two unarmed monsters of red."""
    reds = [unit("One", "red", TARGET, [(10, 10)]), unit("Two", "red", TARGET, [(14, 10)])]
    both = [ours(faction, ability, monster) for monster in ("One", "Two")]
    return situation([*reds, *blues], step="fight_phase", abilities=both, dice={"battle-shock": [6] * 12})


def shocks(b: Battle11) -> int:
    return [reason for reason, _ in rolls(b)].count("battle-shock")


def test_two_monsters_frighten_a_unit_between_them_once() -> None:
    assert shocks(terror(unit("Blues", "blue", TARGET, [(12, 10)]))) == 1


def test_each_of_them_frightens_whom_it_is_engaged_with() -> None:
    left, right = unit("Left", "blue", TARGET, [(8, 10)]), unit("Right", "blue", TARGET, [(16, 10)])
    assert shocks(terror(left, right)) == 2


def test_they_frighten_it_again_in_the_next_fight_phase() -> None:
    b = terror(unit("Blues", "blue", TARGET, [(12, 10)]))
    until(b, "move_with", player=1)
    assert shocks(b) == 1
    until(b, "move_with", player=0)
    assert shocks(b) == 2


def test_what_a_model_does_by_itself_two_of_them_do_twice() -> None:
    b = terror(unit("Blues", "blue", TARGET, [(12, 10)]), ability="bloodied-terror", faction="world-eaters")
    default(b, "order_abilities")
    assert shocks(b) == 2


# --- Selected to shoot ------------------------------------------------------------------------------------------------


def watch(ability: str) -> Battle11:
    """The Blues have an ability of Orks for when they are selected to shoot, and fire Overwatch."""
    guards = unit("Blues", "blue", sheet(gun(attacks="1"), name="Watcher"), [(16, 10)])
    b = situation(
        [unit("Reds", "red", {**TARGET, "wounds": 9}, [(5, 10)]), guards],
        cp=(0, 1), options={"windows": "all"}, abilities=[ours("orks", ability, "Blues")], dice={"hit": [6]},
    )  # fmt: skip
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    play(b, "Fire Overwatch")
    return b


def test_who_fires_overwatch_is_selected_to_shoot() -> None:
    b = watch("ammo-runt")
    assert cards(b) == ["Ability: ammo-runt (Blues)"]
    play(b, "Ability: ammo-runt")
    default(b, "shoot")
    assert kinds(b) == ["roll_to_wound"]  # which Lethal Hits leave open


def test_what_is_for_the_own_shooting_phase_is_not_for_overwatch() -> None:
    assert kinds(watch("pulsa-rokkit")) == ["shoot"]


def test_it_is_for_the_own_shooting_phase() -> None:
    b = face_off(gun(), abilities=[ours("orks", "pulsa-rokkit", "Reds")], options={"windows": "all"})
    give(b, "shoot_with", "Reds")
    assert cards(b) == ["Ability: pulsa-rokkit (Reds)"]


# --- Charges rolled again ---------------------------------------------------------------------------------------------


def relentless(first: list[int], **more: Any) -> Battle11:
    """Reds who may roll charges again have rolled one: one enemy is 5" away, another 9"."""
    near, far = unit("Near", "blue", TARGET, [(16, 10)]), unit("Far", "blue", TARGET, [(10, 20)])
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), near, far], step="charge_units",
        abilities=[ours("necrons", "relentless-combatants", "Reds")], dice={"charge": [*first, 6, 6]}, **more,
    )  # fmt: skip
    give(b, "charge_with", "Reds")
    return b


@pytest.mark.parametrize("first", [[2, 2], [3, 2], [4, 4]])
def test_a_charge_may_be_rolled_again_while_some_enemy_is_out_of_its_reach(first: list[int]) -> None:
    b = relentless(first)
    give(b, "reroll_roll", "yes")
    assert offered(b, "charge_targets") == ["Far", "Near"]


@pytest.mark.parametrize(("first", "wanted"), [([2, 2], True), ([3, 2], False), ([4, 4], False)])
def test_without_a_thought_only_one_that_reaches_nobody_is(first: list[int], wanted: bool) -> None:
    b = relentless(first)
    assert b.default(asked(b, "reroll_roll")) is wanted


def test_who_reaches_everybody_may_still_want_more_for_detours_and_the_skies() -> None:
    assert kinds(relentless([5, 6])) == ["reroll_roll"]


def test_who_rolled_as_much_as_can_be_is_not_asked() -> None:
    assert kinds(relentless([6, 6])) == ["charge_targets"]


def test_who_is_asked_about_everything_is() -> None:
    assert kinds(relentless([6, 6], options={"windows": "all"})) == ["reroll_roll"]


# --- Whenever an enemy ends a move ------------------------------------------------------------------------------------


def test_who_runs_when_an_enemy_ends_a_move_runs_after_each_of_its_moves() -> None:
    dog = unit("Dogs", "blue", TROOPER, [(10, 17)])
    speed = ours("world-eaters", "loping-speed", "Dogs")
    b = driven("", dog, count=1, abilities=[speed], options={"windows": "all"}, dice={"loping-speed": [1, 1]})
    get_out(b, "tactical", [[10, 12.2]])
    play(b, "Ability: loping-speed")
    give(b, "extra_move", {"mode": "normal", "by": [1, 0]})
    give(b, "move", {"mode": "normal", "by": [0, 1]})
    assert cards(b) == ["Ability: loping-speed (Dogs)"]


def test_it_runs_once_after_each() -> None:
    dog = unit("Dogs", "blue", TROOPER, [(10, 17)])
    speed = ours("world-eaters", "loping-speed", "Dogs")
    b = driven("", dog, count=1, abilities=[speed], options={"windows": "all"}, dice={"loping-speed": [1]})
    get_out(b, "tactical", [[10, 12.2]])
    play(b, "Ability: loping-speed")
    give(b, "extra_move", {"mode": "normal", "by": [1, 0]})
    assert cards(b) == []
