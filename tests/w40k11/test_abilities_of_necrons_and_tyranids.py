"""Abilities of Necrons and Tyranids in play, in the cases that print sets apart."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.effects.core_abilities import granted_by
from sandtable.forty.effects.prices import price
from sandtable.systems.w40k11.objectives import level_of_control
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import blade, character, duel, face_off, gun, hurt, last, melee, shoot, strike, target
from w40k11.table import (
    FOE,
    HERO,
    TARGET,
    TROOPER,
    Doc,
    alive,
    asked,
    cards,
    default,
    give,
    kinds,
    named,
    offered,
    play,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
)
from w40k11.test_abilities_of_armies import ours

PLACES = [(10.0, 10.0), (11.5, 10.0), (13.0, 10.0)]
SWARM: Doc = {**TROOPER, "keywords": ["INFANTRY", "TYRANIDS"]}
AWAY: Doc = {"reserve": "strategic"}
LEGION: Doc = {**TROOPER, "keywords": ["INFANTRY", "NECRONS"]}


# --- Hit rolls and wound rolls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "hits"), [(["INFANTRY", "TYRANIDS"], 1), (["INFANTRY"], 0)])
def test_a_unit_that_is_marked_for_others_is_hit_again_by_friends_of_that_kind(words: list[str], hits: int) -> None:
    others = unit("Others", "red", sheet(gun(), name="Other", keywords=words), [(10, 14)])
    marks = ours("tyranids", "symbiotic-targeting", "Reds")
    b = face_off(gun(), target(wounds=9), more=[others], abilities=[marks], dice={"hit": [6, 1, 6], "wound": [1, 1]})
    shoot(b)
    shoot(b, "Others")
    assert last(b)["hits"] == hits


def overwatch(face: int, *abilities: Doc, skill: int = 6) -> int:
    """The hits of an Overwatch shot that shows a face."""
    guards = unit("Blues", "blue", sheet(gun(skill=skill), name="Watcher"), [(16, 10)])
    b = situation(
        [unit("Reds", "red", {**TARGET, "wounds": 9}, [(5, 10)]), guards],
        cp=(0, 1), abilities=list(abilities), dice={"hit": [face], "wound": [1]},
    )  # fmt: skip
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    play(b, "Fire Overwatch")
    default(b, "shoot")
    return int(last(b)["hits"])


@pytest.mark.parametrize(("face", "skill", "hits"), [(4, 2, 0), (5, 2, 1), (5, 6, 1), (6, 6, 1)])
def test_a_sentinel_hits_on_a_bare_5_in_overwatch_whatever_its_skill(face: int, skill: int, hits: int) -> None:
    assert overwatch(face, ours("necrons", "sentinel-construct", "Blues"), skill=skill) == hits


def test_others_hit_on_a_6_then() -> None:
    assert overwatch(5, skill=2) == 0


@pytest.mark.parametrize(("left", "hits"), [(1, 2), (3, 1)])
def test_every_hit_on_prey_below_half_strength_is_critical(left: int, hits: int) -> None:
    claws = blade("sustained hits 1", strength=1)
    hunger = ours("necrons", "flesh-hunger", "Reds")
    b = melee(claws, targets=5, abilities=[hunger], dice={"hit": [3], "wound": [1, 1]})
    gone = named(b, "Blues").models[left:]
    b.place_models(gone, GONE)
    strike(b, ("blade", "Blues", 1))
    assert last(b)["hits"] == hits


@pytest.mark.parametrize(("strength", "wounded"), [(4, 1), (5, 0)])
def test_a_noble_protects_lychguard_from_stronger_attacks(strength: int, wounded: int) -> None:
    lord = unit("Lord", "blue", character(keywords=["INFANTRY", "CHARACTER", "NOBLE"]), [(21, 6.5)], leads="Blues")
    b = duel(
        gun(strength=strength), target(toughness=4), targets=2, more=[lord],
        abilities=[ours("necrons", "guardian-protocols", "Blues", models=[2, 3])],
        dice={"hit": [6], "wound": [4 if strength == 4 else 3]},
    )  # fmt: skip
    assert last(b)["wounds"] == wounded


@pytest.mark.parametrize(("below", "wounds"), [(False, 0), (True, 1)])
def test_a_psychophage_wounds_the_weak_better(below: bool, wounds: int) -> None:
    frenzy = ours("tyranids", "feeding-frenzy", "Reds")
    b = melee(blade(strength=4, skill=4), target(toughness=4, wounds=2), targets=3, abilities=[frenzy],
              dice={"hit": [3], "wound": [3]})  # fmt: skip
    b.place_models(named(b, "Blues").models[1 if below else 2 :], GONE)
    strike(b, ("blade", "Blues", 1))
    assert (last(b)["hits"], last(b)["wounds"]) == (1, wounds)


def enslaved(*abilities: Doc, faces: list[int]) -> Battle11:
    """A Fight phase with Orikan's staff, once the stars have been asked."""
    staff = blade("devastating wounds", name="Staff of Tomorrow", attacks="2", strength=4, skill=2, damage="1")
    return situation(
        [
            unit("Reds", "red", sheet(staff, name="Seer"), [(10, 10)]),
            unit("Blues", "blue", target(toughness=12, wounds=20), [(11, 10)]),
        ],
        step="fight_phase",
        abilities=list(abilities),
        dice={"hit": [6] * 20, "wound": faces},
    )


def test_the_stars_triple_attacks_and_strength_and_make_each_wound_critical() -> None:
    b = enslaved(ours("necrons", "the-stars-are-right", "Reds"), faces=[4, 4, 4, 4, 4, 3])
    play(b, "Ability: the-stars-are-right")
    until(b, "strike")
    give(b, "strike", [{"weapon": "Staff of Tomorrow", "target": "Blues", "count": 6}])
    assert (last(b)["wounds"], hurt(b)) == (5, [15])


def test_they_are_right_once_in_a_battle() -> None:
    b = enslaved(ours("necrons", "the-stars-are-right", "Reds"), faces=[1] * 20)
    play(b, "Ability: the-stars-are-right")
    until(b, "strike", 0)
    default(b, "strike")
    until(b, "strike", 0)
    default(b, "strike")
    assert [len(faces) for name, faces in rolls(b) if name == "hit"] == [6, 2]


# --- What follows attacks ---------------------------------------------------------------------------------------------


def spectacle(*, leader: bool) -> Battle11:
    """A beast has struck down a unit, and others are near."""
    lord = [unit("Lord", "blue", character(wounds=9), [(11, 6.5)], leads="Blues")] if leader else []
    b = melee(
        blade(strength=20, ap=-6, damage="9"), target(), targets=1,
        more=[unit("Near", "blue", target(name="Near"), [(10, 15)]), *lord],
        abilities=[ours("tyranids", "grisly-spectacle", "Reds")],
        dice={"hit": [6], "wound": [6], "battle-shock": [6] * 20},
    )  # fmt: skip
    return strike(b, ("blade", "Blues", 1))


@pytest.mark.parametrize(("leader", "tests"), [(False, 1), (True, 0)])
def test_a_unit_with_a_leader_is_destroyed_when_nobody_of_it_is_left(leader: bool, tests: int) -> None:
    b = spectacle(leader=leader)
    assert [name for name, _ in rolls(b)].count("battle-shock") == tests


def devoured(*abilities: str) -> Battle11:
    """A shot at a Lord and its unit."""
    return face_off(
        gun(*abilities, strength=20, ap=-6, damage="9"), target(wounds=3), targets=2, cp=(0, 0),
        more=[unit("Lord", "blue", character(), [(21, 6.5)], leads="Blues")],
        abilities=[ours("tyranids", "feeder-tendrils", "Reds")], dice={"hit": [6], "wound": [6]},
    )  # fmt: skip


@pytest.mark.parametrize(("victim", "points"), [(0, 0), (2, 1)])
def test_a_character_that_falls_brings_a_point_though_its_unit_stands(victim: int, points: int) -> None:
    b = shoot(devoured("precision"))
    give(b, "aim", named(b, "Blues").models[victim] if victim else None)
    assert (sum(w == 0 for w in hurt(b)), [p.cp for p in b.state.players]) == (1, [points, 0])


# --- Stratagems that cost more ----------------------------------------------------------------------------------------


def presence(cp: int, *, gap: float = 12) -> Battle11:
    """Blue fires Overwatch with a unit, which the Swarmlord of red is so many inches away from."""
    guards = unit("Blues", "blue", sheet(gun(), name="Watcher"), [(16, 10)])
    b = situation(
        [unit("Lord", "red", {**TARGET, "wounds": 9}, [(16, 11 + gap)]), guards],
        cp=(0, cp), abilities=[ours("tyranids", "malign-presence-aura", "Lord")], dice={"hit": [1]},
    )  # fmt: skip
    give(b, "move_with", "Lord")
    give(b, "move", {"mode": "stationary"})
    play(b, "Fire Overwatch")
    return b


@pytest.mark.parametrize(("answer", "left"), [("yes", 0), ("no", 1)])
def test_the_swarmlord_may_make_a_stratagem_dearer_for_an_enemy_near_it(answer: str, left: int) -> None:
    b = presence(2)
    d = asked(b, "use_ability")
    assert (d.player, d.prompt) == (0, "Use malign-presence-aura (Lord) to make Fire Overwatch dearer?")
    give(b, "use_ability", answer)
    assert [p.cp for p in b.state.players] == [0, left]


def test_who_cannot_pay_the_higher_price_does_not_use_it_and_pays_nothing() -> None:
    b = presence(1)
    give(b, "use_ability", "yes")
    assert ("too_dear" in told(b), "stratagem" in told(b), b.state.players[1].cp) == (True, False, 1)


def test_it_does_so_once_in_a_turn_and_within_12() -> None:
    assert kinds(presence(2, gap=12.1)) == ["shoot"]
    b = presence(1)
    give(b, "use_ability", "yes")
    play(b, "Fire Overwatch")
    assert kinds(b) == ["shoot"]


# --- Leaders ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "hits"), [(2, 2), (1, 1)])
def test_weapons_of_a_led_unit_score_more_hits(model: int, hits: int) -> None:
    prime = unit("Prime", "red", {**HERO, "leads": ["Red"]}, [(10, 6.5)], leads="Reds")
    b = face_off(gun(), target(wounds=9), more=[prime], dice={"hit": [6] * 9, "wound": [1] * 9},
                 abilities=[ours("tyranids", "alpha-warrior", "Reds", models=[model])])  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert last(b)["hits"] == hits


def test_a_guarded_character_shrugs_wounds_off() -> None:
    lord = unit("Lord", "blue", character(wounds=9), [(21, 6.5)], leads="Blues")
    guard = ours("tyranids", "guardian-organism", "Blues", models=[1])
    b = duel(gun("precision", strength=20, ap=-6), target(wounds=2), shooters=2, more=[lord],
             abilities=[guard], dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [5, 4]})  # fmt: skip
    give(b, "aim", named(b, "Blues").models[1])
    assert hurt(b) == [2, 8]


def test_who_guards_a_character_is_hurt_as_ever() -> None:
    lord = unit("Lord", "blue", character(wounds=9), [(21, 6.5)], leads="Blues")
    guard = ours("tyranids", "guardian-organism", "Blues", models=[1])
    b = duel(gun(strength=20, ap=-6), target(wounds=2), more=[lord], abilities=[guard], dice={"hit": [6], "wound": [6]})
    assert hurt(b) == [1, 9]


# --- Auras ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "hits"), [(["INFANTRY"], 0), (["VEHICLE"], 1)])
def test_a_swarm_harasses_whoever_is_no_monster_or_vehicle(words: list[str], hits: int) -> None:
    swarm = ours("necrons", "harassment-swarm-aura", "Blues")
    shooter = sheet(gun(skill=4), name="Red", keywords=words)
    b = duel([], red=shooter, gap=3, abilities=[swarm], dice={"hit": [4], "wound": [1]})
    assert last(b)["hits"] == hits


def holders(red: Doc, *abilities: Doc, control: int) -> Battle11:
    """Two units within range of a marker, engaged with each other."""
    return situation(
        [
            unit("Reds", "red", {**LEGION, **red}, [(10, 10)]),
            unit("Blues", "blue", {**SWARM, "oc": control}, [(11, 10)]),
        ],
        objectives=[(10.5, 11)],
        abilities=list(abilities),
    )


def test_a_carrier_wave_lets_necrons_control_more() -> None:
    b = holders({"oc": 1}, ours("necrons", "carrier-wave-aura", "Reds"), control=1)
    assert [level_of_control(b, player, 0) for player in (0, 1)] == [2, 1]


@pytest.mark.parametrize(("control", "level"), [(4, 2), (5, 3)])
def test_rippers_halve_what_engaged_enemies_control_rounded_up(control: int, level: int) -> None:
    b = holders({"oc": 2}, ours("tyranids", "chitinous-horrors-aura", "Reds"), control=control)
    assert level_of_control(b, 1, 0) == level


def test_spores_hide_all_tyranids_but_give_monsters_no_stealth() -> None:
    big = {**SWARM, "name": "Big", "keywords": ["MONSTER", "TYRANIDS"]}
    b = situation(
        [unit("Spores", "red", SWARM, [(10, 10)]), unit("Big", "red", big, [(10, 14)]), FOE],
        abilities=[ours("tyranids", "foul-spores-aura", "Spores")],
    )
    found = [bool(granted_by(b, named(b, n), named(b, n).models[0], "stealth")) for n in ("Spores", "Big")]
    assert found == [True, False]


@pytest.mark.parametrize(("shocked", "hits"), [(True, 0), (False, 1)])
def test_a_saboteur_spoils_the_aim_of_the_battle_shocked(shocked: bool, hits: int) -> None:
    saboteur = ours("tyranids", "psychological-saboteur-aura", "Blues")
    b = duel(gun(skill=4), abilities=[saboteur], flags={"battle_shocked": shocked}, dice={"hit": [4], "wound": [1]})
    assert last(b)["hits"] == hits


@pytest.mark.parametrize(("words", "wounds"), [(["INFANTRY", "TYRANIDS"], 1), (["INFANTRY"], 0)])
def test_tyranids_wound_the_battle_shocked_near_a_saboteur_better(words: list[str], wounds: int) -> None:
    lictor = unit("Lictor", "red", SWARM, [(21, 20)])
    saboteur = ours("tyranids", "psychological-saboteur-aura", "Lictor")
    b = face_off([], target(toughness=4, wounds=9), red=sheet(gun(strength=4), name="Red", keywords=words),
                 more=[lictor], abilities=[saboteur], dice={"hit": [6], "wound": [3]})  # fmt: skip
    b.set_unit(named(b, "Blues"), battle_shocked=True)
    shoot(b)
    assert last(b)["wounds"] == wounds


# --- At a moment ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "wounds"), [(1, 9), (2, 7), (5, 7), (6, 4)])
def test_a_harvest_does_more_on_a_6(face: int, wounds: int) -> None:
    b = situation(
        [unit("Lord", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", target(wounds=9), [(14, 10)])],
        step="charge_units",
        abilities=[ours("necrons", "crimson-harvest", "Lord")],
        dice={"charge": [6, 6], "crimson-harvest": [face, 3], "hit": [1] * 9, "battle-shock": [6, 6]},
    )
    give(b, "charge_with", "Lord")
    until(b, "move_with", 1)
    assert hurt(b) == [wounds]


def test_a_storm_rolls_for_each_enemy_within_12_once_in_a_battle() -> None:
    near, off = unit("Near", "blue", target(wounds=9), [(10, 20)]), unit("Off", "blue", target(wounds=9), [(10, 24.1)])
    b = situation(
        [unit("Lord", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", target(wounds=9), [(14, 10)]), near, off],
        step="command_phase",
        abilities=[ours("necrons", "lord-of-the-storm", "Lord")],
        dice={"lord-of-the-storm": [6, 5, 3, 3], "battle-shock": [6] * 90},
    )
    play(b, "Ability: lord-of-the-storm")
    until(b, "move_with")
    first = [hurt(b, name)[0] for name in ("Blues", "Near", "Off")]
    until(b, "move_with", 1)
    until(b, "move_with", 0)
    assert (sorted(first), hurt(b, "Off"), told(b).count("ability")) == ([4, 7, 9], [9], 1)


def test_warriors_choose_an_instinct_for_each_fight_phase() -> None:
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), unit("Blues", "blue", target(wounds=9), [(11, 10)])],
        step="fight_phase",
        abilities=[ours("tyranids", "adaptive-instincts", "Reds", choose=1)],
    )
    assert offered(b, "ability_branch") == ["Aggression Imperative", "Bioregeneration"]


@pytest.mark.parametrize(("synapse", "dice"), [(True, 3), (False, 2)])
def test_the_hive_mind_tests_with_three_dice(synapse: bool, dice: int) -> None:
    mind = {**SWARM, "name": "Mind", "keywords": ["INFANTRY", "TYRANIDS", *(["SYNAPSE"] if synapse else [])]}
    b = situation(
        [unit("Mind", "red", mind, [(10, 14)]), unit("Gaunts", "red", SWARM, PLACES, wounds={2: 0, 3: 0}), FOE],
        step="command_phase",
        abilities=[ours("tyranids", "synapse", name) for name in ("Mind", "Gaunts")],
        dice={"battle-shock": [6, 6, 6]},
    )
    until(b, "move_with")
    assert [len(faces) for name, faces in rolls(b) if name == "battle-shock"] == [dice]


def test_life_is_drained_from_each_enemy_within_6_at_the_end_of_either_fight_phase() -> None:
    b = situation(
        [
            unit("Star", "red", TARGET, [(10, 10)]),
            unit("Blues", "blue", target(wounds=9), [(10, 17)]),
            unit("Off", "blue", target(wounds=9), [(17.1, 10)]),
        ],
        step="fight_phase",
        active="blue",
        abilities=[ours("necrons", "drain-life", "Star")],
        dice={"drain-life": [4, 3]},
    )
    until(b, "move_with")
    assert (hurt(b), hurt(b, "Off")) == ([7], [9])


def test_an_overlord_makes_a_stratagem_on_its_unit_cheaper_once_in_a_round_for_the_whole_army() -> None:
    lords = [unit(n, "red", sheet(gun(), name="Lord"), [(x, 10)]) for n, x in (("One", 10), ("Two", 14))]
    will = [{**ours("necrons", "my-will-be-done", name), "name": "My Will Be Done"} for name in ("One", "Two")]
    b = situation([*lords, FOE], abilities=will)
    before = [price(b, 0, "Fire Overwatch", 1, named(b, name).id) for name in ("One", "Two")]
    b.set_player(b.player(0), spent=("round|My Will Be Done/",))
    assert (before, [price(b, 0, "Fire Overwatch", 1, named(b, n).id) for n in ("One", "Two")]) == ([0, 0], [1, 1])


# --- The Shadow in the Warp -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "terror", "shocked"), [(6.1, False, False), (6, False, False), (6.1, True, False), (6, True, True)]
)
def test_the_shadow_weighs_on_who_is_near_synapse_or_in_terror(gap: float, terror: bool, shocked: bool) -> None:
    mind = {**SWARM, "name": "Mind", "keywords": ["INFANTRY", "TYRANIDS", "SYNAPSE"]}
    b = situation(
        [unit("Blues", "blue", {**TROOPER, "leadership": 7}, [(10, 10)]), unit("Mind", "red", mind, [(10, 11 + gap)])],
        step="command_phase",
        active="blue",
        abilities=[
            ours("tyranids", "shadow-in-the-warp", "Mind"),
            *([ours("tyranids", "psychic-terror-psychic", "Mind")] if terror else []),
        ],
        dice={"battle-shock": [4, 4]},
    )
    play(b, "Ability: shadow-in-the-warp")
    assert named(b, "Blues").battle_shocked == shocked


@pytest.mark.parametrize(("place", "open_"), [({"positions": ((30, 20),)}, 1), ({"off": 1, "flags": AWAY}, 0)])
def test_the_shadow_falls_while_synapse_is_on_the_battlefield(place: Doc, open_: int) -> None:
    units = [{"sheet": "hormagaunts"}, {"sheet": "winged-hive-tyrant", "warlord": True}]
    listed = {"name": "Swarm", "pack": "w40k11", "faction": "tyranids", "detachment": "invasion-fleet", "limit": 1000}
    gaunts = UnitDoc(name="Hormagaunts", player="red", positions=tuple((5 + 1.5 * i, 5) for i in range(10)))
    b = situation(
        [gaunts, UnitDoc(name="Winged Hive Tyrant", player="red", **place), FOE],
        step="command_phase",
        lists={"red": {**listed, "system": "w40k11", "units": units}},
    )
    assert cards(b).count("Ability: Shadow in the Warp") == open_


# --- Abilities that an army has several times -------------------------------------------------------------------------


def test_two_tyrants_make_a_stratagem_cheaper_once() -> None:
    lords = [unit(n, "red", {**SWARM, "name": n}, [(x, 10)]) for n, x in (("One", 10), ("Two", 14))]
    will = [{**ours("tyranids", "will-of-the-hive-mind", name), "name": "Will"} for name in ("One", "Two")]
    b = situation([*lords, FOE], abilities=will)
    assert price(b, 0, "Fire Overwatch", 2, named(b, "One").id) == 1


# --- One last blow ----------------------------------------------------------------------------------------------------


def last_blow(face: int, **prime: Any) -> Battle11:
    """Blues who have fought strike a Prime down, who rolls a face."""
    killer = sheet(blade(strength=20, ap=-6, damage="9"), name="Killer", wounds=9, save=7)
    sword = sheet(blade(name="sword", strength=20, ap=-6, damage="3", skill=2), name="Prime")
    b = situation(
        [
            unit("Blues", "blue", killer, [(10, 10)], charged=True, engaged_before=True),
            unit("Prime", "red", sword, [(11, 10)], engaged_before=True, **prime),
            unit("Others", "red", TROOPER, [(30, 20)]),
        ],
        step="fight_units",
        active="blue",
        abilities=[ours("tyranids", "death-blow", "Prime")],
        dice={"hit": [6, 6], "wound": [6, 6], "death-blow": [face]},
    )
    until(b, "strike")
    return strike(b, ("blade", "Prime", 1))


def test_who_falls_in_melee_before_it_has_fought_may_strike_back_and_is_gone() -> None:
    b = last_blow(4)
    strike(b, ("sword", "Blues", 1))
    assert (hurt(b), alive(b, "Prime")) == ([6], 0)


@pytest.mark.parametrize(("face", "flags"), [(3, {}), (4, {"fought": True})])
def test_who_rolls_too_low_or_has_fought_does_not(face: int, flags: Doc) -> None:
    b = last_blow(face, **flags)
    assert ("strike" in kinds(b), hurt(b), alive(b, "Prime")) == (False, [9], 0)


def test_who_falls_in_the_fight_phase_by_no_attack_does_not() -> None:
    fire = {"kind": "mortal_wounds", "amount": 9, "who": "enemy", "within": "engagement", "at": "fight"}
    b = situation(
        [
            unit("Blues", "blue", {**TARGET, "wounds": 9}, [(10, 10)]),
            unit("Prime", "red", TROOPER, [(11, 10)]),
            unit("Others", "red", TROOPER, [(30, 20)]),
        ],
        step="fight_phase",
        abilities=[
            ours("tyranids", "death-blow", "Prime"),
            {"unit": "Blues", "name": "Fire", "effects": [fire]},
        ],
        dice={"death-blow": [6]},
    )
    assert (alive(b, "Prime"), [name for name, _ in rolls(b)]) == (0, [])
