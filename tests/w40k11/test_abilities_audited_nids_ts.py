"""Abilities of Tyranids and Thousand Sons, held against print once more, as they are played."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies.effects import Modify, Reroll
from sandtable.armies.kdc.corrections import corrections
from sandtable.forty.effects.attack_rolls import on_attack
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.prices import price
from sandtable.forty.effects.saves import guard_of, saves_of, wards_of
from sandtable.forty.effects.weapons import armed, changes_to_weapons
from sandtable.forty.effects.words import AttackMade
from sandtable.systems.w40k11.battle_shock import best_leadership
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.cover import can_have_cover
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import blade, character, face_off, gun, hurt, shoot, strike, target
from w40k11.printed import ours
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
    named,
    offered,
    play,
    rolls,
    sheet,
    situation,
    unit,
    until,
)

SWARM: Doc = {**TROOPER, "keywords": ["INFANTRY", "TYRANIDS"]}


def edge(b: Battle11, by: str, at: str, *, melee_: bool) -> tuple[int, int]:
    """What abilities add to the Hit and Wound rolls of a unit's attacks on another."""
    found = list(on_attack(b, Modify, AttackMade(named(b, by).id, named(b, at).id, melee_, named(b, by).models[0])))
    hit, wound = (sum(a.effect.value for a in found if a.effect.roll == roll) for roll in ("hit", "wound"))
    return hit, wound


# --- Stratagems -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Heroic Intervention", "Heroic Intervention: Into the Fray"])
def test_sentinels_pay_less_for_an_intervention_with_whatever_section(name: str) -> None:
    b = situation(
        [unit("Robots", "red", TROOPER, [(10, 10)]), FOE],
        abilities=[ours("thousand-sons", "prophetic-sentinels", "Robots")],
    )
    assert price(b, 0, name, 2, named(b, "Robots").id) == 1


PLAIN: Doc = {**TROOPER, "weapons": []}


STANDING_BY = {"Leapers": (8, 16), "More": (2, 10), "Others": (8, 4)}


def interveners(cp: int) -> Battle11:
    """The Reds have charged the Prey, and three other units of blue stand by."""
    near = [unit(name, "blue", PLAIN, [spot]) for name, spot in STANDING_BY.items()]
    return situation(
        [
            unit("Reds", "red", PLAIN, [(8, 10)], charged=True, declared=True),
            unit("Prey", "blue", PLAIN, [(10, 10)]),
            *near,
        ],
        step="charge_units",
        cp=(0, cp),
        dice={"charge": [1, 1, 1, 1]},
        abilities=[ours("tyranids", "pouncing-leap", "Leapers")],
    )


FRAY = "Heroic Intervention: Into the Fray: "
LEAP = "Heroic Intervention: "


def test_leapers_intervene_for_one_point_less_with_whatever_section() -> None:
    assert [cards(interveners(cp)) for cp in (0, 1)] == [
        [f"{LEAP}Leapers"],
        [f"{FRAY}Leapers", f"{LEAP}Leapers", f"{LEAP}More", f"{LEAP}Others"],
    ]


@pytest.mark.parametrize(("first", "left"), [("Leapers", ["More", "Others"]), ("Others", ["Leapers"])])
def test_leapers_and_others_do_not_keep_each_other_from_it(first: str, left: list[str]) -> None:
    b = interveners(1)
    play(b, f"{LEAP}{first}")
    until(b, "react.phase_ended")
    assert cards(b) == [f"{LEAP}{name}" for name in left]


def test_one_lictor_in_a_round_comes_in_for_nothing() -> None:
    lurker = sheet(name="Lurker", abilities=["deep strike"])
    away = [unit(name, "blue", lurker, off=1, reserve="strategic") for name in ("One", "Two", "Other")]
    trail = [{**ours("tyranids", "pheromone-trail", name), "name": "Trail"} for name in ("One", "Two")]
    b = situation(
        [unit("Reds", "red", TROOPER, [(30, 25)]), unit("Blues", "blue", TARGET, [(2, 2)]), *away],
        step="move_units", round_=2, cp=(0, 0), abilities=trail,
    )  # fmt: skip
    until(b, "react.phase_ended", 1)
    before = cards(b)
    b.set_player(b.player(1), spent=("round|Trail/",))
    assert (before, price(b, 1, "Rapid Ingress", 1, named(b, "Two").id)) == (
        ["Rapid Ingress: One", "Rapid Ingress: Two"],
        1,
    )


# --- After shooting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fiends", "less"), [(1, -1), (2, -1)])
def test_a_unit_is_suppressed_once_by_however_many(fiends: int, less: int) -> None:
    fiend = sheet(gun(), name="Fiend")
    more = [unit("Second", "red", fiend, [(10, 14)])]
    b = face_off(
        gun(), target(wounds=9), more=more, dice={"hit": [6, 6], "wound": [1, 1]},
        abilities=[ours("thousand-sons", "blazing-salvoes", name) for name in ("Reds", "Second")],
    )  # fmt: skip
    for name in ("Reds", "Second")[:fiends]:
        shoot(b, name)
    assert edge(b, "Blues", "Reds", melee_=True)[0] == less


@pytest.mark.parametrize(("words", "ap"), [(["INFANTRY", "TYRANIDS"], [-2, -1]), (["INFANTRY"], [-1, -1])])
def test_a_stimulus_sharpens_the_blows_of_tyranids_alone(words: list[str], ap: list[int]) -> None:
    other = sheet(blade(ap=-1), gun(ap=-1), name="Other", keywords=words)
    b = face_off(
        gun(), target(wounds=9), more=[unit("Others", "red", other, [(10, 14)])], dice={"hit": [6], "wound": [1]},
        abilities=[ours("tyranids", "bio-stimulus-aura", "Reds")],
    )  # fmt: skip
    shoot(b)
    others, blues = named(b, "Others"), named(b, "Blues")
    found = []
    for m, melee_ in ((True, True), (False, False)):
        guard = guard_of(b, blues, AttackMade(others.id, blues.id, melee_))
        weapon = next(
            x for x in b.setup.data.sheets[b.setup.data.kits[others.models[0]].sheet].weapons if x.is_melee == m
        )
        found.append(saves_of(b, guard, blues.models[0], weapon, weapon.ap).ap)
    assert found == ap


@pytest.mark.parametrize(("keyword", "found"), [("INFANTRY", (4, -2, -2)), ("VEHICLE", (6, 0, 0))])
def test_the_disrupted_are_slower_until_the_end_of_their_next_turn(keyword: str, found: tuple[int, int, int]) -> None:
    b = face_off(
        gun(), target(wounds=9, keywords=[keyword]), dice={"hit": [6], "wound": [1]},
        abilities=[ours("tyranids", "disruption-bombardment", "Reds")],
    )  # fmt: skip
    shoot(b)
    blues = named(b, "Blues")

    def slower() -> tuple[int, int, int]:
        move = changed(b, changes_of(b, blues, "M"), blues.models[0], "M", 6)
        return move, added(b, blues, "advance")[0], added(b, blues, "charge")[0]

    until(b, "move_with", 1)
    there = slower()
    until(b, "move_with", 0)
    assert (there, slower()) == (found, (6, 0, 0))


def test_sprayed_units_have_no_cover_until_the_phase_ends() -> None:
    b = face_off(
        gun(), target(wounds=9), dice={"hit": [6], "wound": [1]}, abilities=[ours("tyranids", "burning-spray", "Reds")]
    )
    shoot(b)
    here = can_have_cover(b, named(b, "Blues"))
    until(b, "move_with", 1)
    assert (here, can_have_cover(b, named(b, "Blues"))) == (False, True)


@pytest.mark.parametrize(("hits", "tests"), [([6], 1), ([1], 0)])
def test_who_is_hit_by_a_scream_tests_its_nerve_at_one_less(hits: list[int], tests: int) -> None:
    b = face_off(
        gun(), target(wounds=9, leadership=7), dice={"hit": hits, "wound": [1], "battle-shock": [3, 4]},
        abilities=[ours("tyranids", "death-scream", "Reds")],
    )  # fmt: skip
    shoot(b)
    found = [name for name, _ in rolls(b)].count("battle-shock")
    assert (found, named(b, "Blues").battle_shocked) == (tests, bool(tests))


# --- In the Fight phase -----------------------------------------------------------------------------------------------


def fighting(faction: str, ability: str, **settings: Any) -> Battle11:
    """A Leader and its unit at the start of a Fight phase, with one enemy in combat with the Leader and one with the
    others."""
    return situation(
        [
            unit("Guard", "red", TROOPER, [(10, 10), (10, 11.5)]),
            unit("Lord", "red", HERO, [(10, 13)], leads="Guard"),
            unit("Near", "blue", {**TARGET, "wounds": 9}, [(11.2, 13.6)]),
            unit("Other", "blue", {**TARGET, "wounds": 9}, [(10, 8.8)]),
        ],
        step="fight_phase",
        abilities=[ours(faction, ability, "Guard", models=[3])],
        **settings,
    )


def test_a_gaze_holds_an_enemy_that_the_broodlord_itself_is_engaged_with_for_the_phase() -> None:
    b = fighting("tyranids", "hypnotic-gaze-psychic", active="blue", dice={"hit": [1] * 60})
    found = [edge(b, name, "Guard", melee_=True)[0] for name in ("Near", "Other")]
    until(b, "move_with", 0)
    assert (found, edge(b, "Near", "Guard", melee_=True)[0]) == ([-1, 0], 0)


@pytest.mark.parametrize(
    ("branch", "attack", "save"), [("Aggression Imperative", ["ones"], []), ("Bioregeneration", [], ["ones"])]
)
def test_an_instinct_is_for_blows_or_for_saves(branch: str, attack: list[str], save: list[str]) -> None:
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), unit("Blues", "blue", {**TARGET, "wounds": 9}, [(11, 10)])],
        step="fight_phase", abilities=[ours("tyranids", "adaptive-instincts", "Reds")],
    )  # fmt: skip
    give(b, "ability_branch", branch)
    reds, blues = named(b, "Reds"), named(b, "Blues")
    made = [a.effect for a in on_attack(b, Reroll, AttackMade(reds.id, blues.id, melee=True, model=reds.models[0]))]
    kept = guard_of(b, reds, AttackMade(blues.id, reds.id, melee=True)).rolls
    assert ([e.faces for e in made if e.roll == "hit"], [a.effect.faces for a in kept]) == (attack, save)


def test_a_guarded_character_is_guarded_until_the_attacks_are_over_that_destroy_its_guards() -> None:
    lord = unit("Lord", "blue", character(wounds=9), [(21, 6.5)], leads="Blues")
    b = face_off(
        [gun(strength=20, ap=-6), gun("heavy", name="second", strength=20, ap=-6)], target(), more=[lord],
        abilities=[ours("tyranids", "guardian-organism", "Blues", models=[1])],
        dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [5]},
    )  # fmt: skip
    shoot(b)
    assert hurt(b) == [0, 9]


def test_a_prime_that_falls_strikes_alone_and_its_unit_still_fights() -> None:
    killer = sheet(blade("precision", strength=20, ap=-6, damage="9"), name="Killer", wounds=9, save=7)
    sword = blade(name="sword", strength=20, ap=-6, damage="3", skill=2)
    prime = sheet(sword, name="Prime", keywords=["INFANTRY", "CHARACTER"], abilities=["leader"], leads=["Trooper"])
    b = situation(
        [
            unit("Blues", "blue", killer, [(10, 10)], charged=True, engaged_before=True),
            unit("Guard", "red", TROOPER, [(11, 11)], engaged_before=True),
            unit("Prime", "red", prime, [(11, 10)], leads="Guard"),
        ],
        step="fight_units", active="blue", abilities=[ours("tyranids", "death-blow", "Guard", models=[2])],
        dice={"hit": [6] * 9, "wound": [6] * 9, "death-blow": [4]},
    )  # fmt: skip
    until(b, "strike")
    strike(b, ("blade", "Guard", 1))
    give(b, "aim", named(b, "Guard").models[1])
    rows = [offer.label for offer in asked(b, "strike").rows]  # type: ignore[attr-defined]
    default(b, "strike")
    assert (rows, [r.label for r in asked(b, "strike").rows], alive(b, "Guard")) == (["sword"], ["blade"], 1)  # type: ignore[attr-defined]


# --- Synapse ----------------------------------------------------------------------------------------------------------


def weapon_of(b: Battle11, name: str, who: str = "Reds") -> Any:
    """A weapon as the first model of a unit has it now."""
    u, data = named(b, who), b.setup.data
    plain = next(x for x in data.sheets[data.kits[u.models[0]].sheet].weapons if x.name == name)
    return armed(b, u.models[0], plain, changes_to_weapons(b, u))


@pytest.mark.parametrize(("gap", "strength"), [(6, (5, 4)), (6.1, (4, 4))])
def test_within_synapse_range_blows_are_stronger_and_shots_are_not(gap: float, strength: tuple[int, int]) -> None:
    mind = {**SWARM, "name": "Mind", "keywords": ["INFANTRY", "TYRANIDS", "SYNAPSE"]}
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), unit("Mind", "red", mind, [(10, 11 + gap)]), FOE],
        abilities=[ours("tyranids", "synapse", name) for name in ("Reds", "Mind")],
    )
    assert (weapon_of(b, "blade").strength, weapon_of(b, "rifle").strength) == strength


@pytest.mark.parametrize(("gap", "strength"), [(9, 5), (9.1, 4)])
def test_the_swarmlord_widens_it_to_9_inches_around_itself_not_its_guard(gap: float, strength: int) -> None:
    lord = {**HERO, "keywords": ["MONSTER", "CHARACTER", "TYRANIDS", "SYNAPSE"], "leads": ["Trooper"]}
    guard = unit("Guard", "red", SWARM, [(10, 11 + gap - 1.5)])
    b = situation(
        [unit("Reds", "red", {**SWARM, "name": "Red"}, [(10, 10)]), guard,
         unit("Lord", "red", lord, [(10, 11 + gap)], leads="Guard"), FOE],
        abilities=[ours("tyranids", "synapse", "Reds"),
                   ours("tyranids", "domination-of-the-hive-mind-aura", "Guard", models=[2])],
    )  # fmt: skip
    assert weapon_of(b, "blade").strength == strength


@pytest.mark.parametrize("spelt", ["Synaptic Linchpin", "Synaptic Lynchpin"])
def test_a_linchpin_does_so_however_it_is_spelt(spelt: str) -> None:
    linchpin = corrections("tyranids").file.named[spelt]
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), unit("Lord", "red", {**SWARM, "name": "Lord"}, [(10, 20)]), FOE],
        abilities=[
            ours("tyranids", "synapse", "Reds"),
            {"unit": "Lord", "name": spelt, "effects": list(msgspec.to_builtins(linchpin.effects))},
        ],
    )
    assert weapon_of(b, "blade").strength == 5


# --- Auras ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "kinds_"), [("TYRANIDS", {"assault", "lethal hits"}), ("ORKS", set())])
def test_an_onslaught_lets_tyranids_nearby_shoot_after_an_advance(word: str, kinds_: set[str]) -> None:
    own = {**TROOPER, "keywords": ["INFANTRY", word]}
    b = situation(
        [unit("Reds", "red", own, [(10, 10)], moved="advance"), unit("Tyrant", "red", SWARM, [(10, 17)]),
         unit("Blues", "blue", TARGET, [(20, 10)])],
        step="shoot_units", abilities=[ours("tyranids", "onslaught-aura-psychic", "Tyrant")],
    )  # fmt: skip
    assert (set(weapon_of(b, "rifle").abilities), "Reds" in offered(b, "shoot_with")) == (kinds_, bool(kinds_))


@pytest.mark.parametrize(
    ("lost", "gap", "less"), [({}, 6, (-1, 0)), ({3: 0, 4: 0, 5: 0}, 6, (-1, -1)), ({3: 0, 4: 0, 5: 0}, 6.1, (0, 0))]
)
def test_diffusion_weakens_attacks_of_who_is_near(lost: dict[int, int], gap: float, less: tuple[int, int]) -> None:
    blues = unit("Blues", "blue", TROOPER, [(10, 11 + gap + 1.5 * i) for i in range(5)], wounds=lost)
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), blues, FOE],
        abilities=[ours("tyranids", "encephalic-diffusion-aura-psychic", "Reds")],
    )
    assert [edge(b, "Blues", "Reds", melee_=m) for m in (True, False)] == [less, less]


@pytest.mark.parametrize(("lost", "gap", "tests"), [({5: 0}, 6, 1), ({5: 0}, 6.1, 0), ({}, 6, 0)])
def test_the_unseen_makes_who_has_lost_models_test_its_nerve(lost: dict[int, int], gap: float, tests: int) -> None:
    blues = unit("Blues", "blue", TARGET, [(10, 11 + gap + 1.5 * i) for i in range(5)], wounds=lost)
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), blues], step="command_phase", active="blue",
        abilities=[ours("tyranids", "fear-of-the-unseen-aura", "Reds")], dice={"battle-shock": [6, 6]},
    )  # fmt: skip
    until(b, "move_with", 1)
    assert [reason for reason, _ in rolls(b)].count("battle-shock") == tests


def test_and_worsens_its_leadership() -> None:
    b = situation(
        [unit("Reds", "red", SWARM, [(10, 10)]), unit("Blues", "blue", TARGET, [(10, 17)]), FOE],
        abilities=[ours("tyranids", "fear-of-the-unseen-aura", "Reds")],
    )
    assert [best_leadership(b, named(b, name)) for name in ("Blues", "Foes")] == [7, 6]


@pytest.mark.parametrize(("gap", "words", "ward"), [(6, "TYRANIDS", [6]), (6.1, "TYRANIDS", []), (6, "ORKS", [])])
def test_a_warp_field_is_measured_from_the_whole_unit_its_leader_included(
    gap: float, words: str, ward: list[int]
) -> None:
    lord = unit("Lord", "red", {**HERO, "leads": ["Trooper"]}, [(10, 11 + gap)], leads="Minds")
    b = situation(
        [unit("Reds", "red", {**TROOPER, "name": "Red", "keywords": ["INFANTRY", words]}, [(10, 10)]),
         unit("Minds", "red", SWARM, [(10, 12.5 + gap)]), lord, FOE],
        abilities=[ours("tyranids", "warp-field-aura-psychic", "Minds", models=[1])],
    )  # fmt: skip
    reds = named(b, "Reds")
    guard = guard_of(b, reds, AttackMade(named(b, "Foes").id, reds.id, melee=True))
    assert wards_of(b, guard, reds.models[0]) == ward


# --- Moves and Reserves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "charges"), [(True, False), (False, True)])
def test_a_winged_swarm_that_moves_on_after_its_shots_does_not_charge(moves: bool, charges: bool) -> None:
    b = face_off(
        gun(), target(wounds=9), dice={"hit": [6], "wound": [1]}, abilities=[ours("tyranids", "winged-swarm", "Reds")]
    )
    shoot(b)
    for _ in range(moves):
        play(b, "Ability: winged-swarm")
        give(b, "extra_move", {"mode": "normal", "by": [3, 0]})
    assert bool(able_to_charge(b, named(b, "Reds"))) is charges


@pytest.mark.parametrize(
    ("faction", "ability"), [("tyranids", "skulking-horrors"), ("thousand-sons", "malign-trickery")]
)
@pytest.mark.parametrize(("by", "mode", "open_"), [(6, "normal", True), (5.8, "normal", False), (8, "advance", True)])
def test_who_ends_a_move_within_8_lets_them_slip_away(
    faction: str, ability: str, by: float, mode: str, open_: bool
) -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(5, 10)]),
            unit("Blues", "blue", TROOPER, [(20, 10)]),
            unit("More", "red", TROOPER, [(2, 28)]),
        ],
        abilities=[ours(faction, ability, "Blues")], dice={"advance": [6], ability: [4]},
    )  # fmt: skip
    give(b, "move_with", "Reds")
    for kind, answer in MOVES[mode]:
        give(b, kind, answer | ({"by": [by, 0]} if (kind == "complete_move") == (mode == "advance") else {}))
    assert (f"Ability: {ability} (Blues)" in cards(b)) is open_


MOVES: dict[str, list[tuple[str, Doc]]] = {
    "normal": [("move", {"mode": "normal"})],
    "advance": [("move", {"mode": "advance"}), ("complete_move", {"mode": "advance"})],
}


@pytest.mark.parametrize(("active", "step", "open_"), [("red", "fight_phase", 1), ("blue", "fight_phase", 1)])
def test_a_red_terror_goes_below_at_the_end_of_either_fight_phase(active: str, step: str, open_: int) -> None:
    b = situation(
        [unit("Terror", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TARGET, [(20, 10)])],
        step=step, active=active, abilities=[ours("tyranids", "subterranean-hunter", "Terror")],
    )  # fmt: skip
    assert cards(b).count("Ability: subterranean-hunter (Terror)") == open_


@pytest.mark.parametrize(("active", "x", "open_"), [("blue", 20, 1), ("blue", 11.5, 0), ("red", 20, 0)])
def test_raveners_go_below_at_the_end_of_the_opponents_turn_unless_they_are_engaged(
    active: str, x: float, open_: int
) -> None:
    b = situation(
        [unit("Reds", "red", {**TROOPER, "weapons": []}, [(10, 10)]), unit("Blues", "blue", TARGET, [(x, 10)]), FOE],
        step="end_of_turn", active=active, abilities=[ours("tyranids", "death-from-below", "Reds")],
    )  # fmt: skip
    assert cards(b).count("Ability: death-from-below (Reds)") == open_
