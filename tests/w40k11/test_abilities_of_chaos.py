"""Abilities of Death Guard, World Eaters and Thousand Sons, as our corrections tell them, where print is exact."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.armies.effects import Mark, Modify, Reroll
from sandtable.armies.kdc.corrections import corrections
from sandtable.battle import Effect
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.effects.at_work import at_work, is_marked, set_off
from sandtable.forty.effects.attack_rolls import on_attack
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.limits import spend
from sandtable.forty.effects.occasions import Occasion, Use
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.prices import price
from sandtable.forty.effects.weapons import armed, changes_to_weapons
from sandtable.forty.effects.words import AttackMade
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.cover import can_have_cover
from sandtable.systems.w40k11.engagement import ENGAGEMENT
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import blade, character, face_off, gun, hurt, melee, shoot, strike, target
from w40k11.printed import ours
from w40k11.table import (
    FOE,
    HERO,
    TARGET,
    TROOPER,
    Doc,
    alive,
    cards,
    default,
    give,
    judge,
    kinds,
    named,
    play,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
)

# --- What is added to rolls of attacks --------------------------------------------------------------------------------


def beside(ability: Doc, red: Doc | None = None, blue: Doc | None = None, *more: UnitDoc, **settings: Any) -> Battle11:
    """Reds and five Blues, 6" apart, with an ability in the army of one of them."""
    blues = unit(
        "Blues", "blue", blue or TARGET, [(17, 10 + 1.5 * i) for i in range(5)], wounds=settings.pop("lost", None)
    )
    return situation(
        [unit("Reds", "red", red or TROOPER, [(10, 10)]), blues, *more], abilities=[ability],
        **{"step": "shoot_units", **settings},
    )  # fmt: skip


def edge(b: Battle11, by: str = "Reds", at: str = "Blues", *, melee_: bool = True) -> tuple[int, int]:
    """What abilities add to the Hit and Wound rolls of a unit's attacks on another."""
    found = list(on_attack(b, Modify, AttackMade(named(b, by).id, named(b, at).id, melee_, named(b, by).models[0])))
    return tuple(sum(a.effect.value for a in found if a.effect.roll == roll) for roll in ("hit", "wound"))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("keyword", "active", "step", "more"),
    [
        ("VEHICLE", "red", "shoot_units", (1, 1)),
        ("MONSTER", "red", "shoot_units", (1, 1)),
        ("INFANTRY", "red", "shoot_units", (0, 0)),
        ("VEHICLE", "blue", "shoot_units", (0, 0)),
        ("VEHICLE", "red", "move_units", (0, 0)),
    ],
)
def test_tank_hunters_have_an_edge_on_big_targets_in_their_shooting_phase(
    keyword: str, active: str, step: str, more: tuple[int, int]
) -> None:
    hunters = ours("death-guard", "tank-hunters", "Reds")
    b = beside(hunters, blue={**TARGET, "keywords": [keyword]}, active=active, step=step)
    assert edge(b, melee_=False) == more


@pytest.mark.parametrize(
    ("lost", "more"), [({}, (0, 0)), ({5: 0}, (1, 0)), ({4: 0, 5: 0}, (1, 0)), ({3: 0, 4: 0, 5: 0}, (1, 1))]
)
def test_the_weaker_a_unit_is_the_better_a_maulerfiend_strikes_it(lost: dict[int, int], more: tuple[int, int]) -> None:
    b = beside(ours("world-eaters", "savage-exaltation", "Reds"), lost=lost)
    assert (edge(b), edge(b, melee_=False)) == (more, (0, 0))


@pytest.mark.parametrize(
    ("y", "word", "keyword", "lost", "more"),
    [
        (17, "WORLD EATERS", "INFANTRY", {}, (1, 0)),
        (17, "WORLD EATERS", "INFANTRY", {3: 0, 4: 0, 5: 0}, (1, 1)),
        (17.1, "WORLD EATERS", "INFANTRY", {}, (0, 0)),
        (17, "ORKS", "INFANTRY", {}, (0, 0)),
        (17, "WORLD EATERS", "MONSTER", {3: 0, 4: 0, 5: 0}, (0, 0)),
    ],
)
def test_beacons_spur_on_their_own_within_6_inches_at_smaller_targets(
    y: float, word: str, keyword: str, lost: dict[int, int], more: tuple[int, int]
) -> None:
    beacons = unit("Beacons", "red", TARGET, [(10, y)])
    own, theirs = {**TROOPER, "keywords": ["INFANTRY", word]}, {**TARGET, "keywords": [keyword]}
    b = beside(ours("world-eaters", "beacons-of-rage", "Beacons"), own, theirs, beacons, lost=lost)
    assert (edge(b), edge(b, melee_=False)) == (more, (0, 0))


@pytest.mark.parametrize(("keyword", "more"), [("FLY", (1, 0)), ("INFANTRY", (0, 0))])
def test_a_heldrake_hits_what_flies_better(keyword: str, more: tuple[int, int]) -> None:
    b = beside(ours("world-eaters", "airborne-predator", "Reds"), blue={**TARGET, "keywords": [keyword]})
    assert (edge(b), edge(b, melee_=False)) == (more, more)


def test_a_hive_makes_blows_at_the_unit_that_typhus_leads_worse() -> None:
    lord = unit("Lord", "red", HERO, [(8.5, 10)], leads="Reds")
    b = beside(ours("death-guard", "destroyer-hive", "Reds", models=[2]), None, None, lord)
    assert (edge(b, "Blues", "Reds"), edge(b, "Blues", "Reds", melee_=False)) == ((-1, 0), (0, 0))


@pytest.mark.parametrize(("keyword", "less"), [("INFANTRY", -1), ("VEHICLE", 0)])
def test_who_is_suppressed_hits_worse_until_the_next_turn_of_who_did_it(keyword: str, less: int) -> None:
    fire = ours("world-eaters", "punishing-suppression", "Reds")
    victim = target(wounds=9, keywords=[keyword])
    b = shoot(face_off(gun(), victim, dice={"hit": [6], "wound": [1]}, abilities=[fire]))
    here = edge(b, "Blues", "Reds")[0]
    until(b, "move_with", player=1)
    there = edge(b, "Blues", "Reds")[0]
    until(b, "move_with", player=0)
    assert (here, there, edge(b, "Blues", "Reds")[0]) == (less, less, 0)


# --- What is rolled again, and weapons --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faction", "ability", "melee_", "found"),
    [
        ("world-eaters", "legendary-killer", True, [("hit", "ones"), ("wound", "ones")]),
        ("world-eaters", "legendary-killer", False, []),
        ("death-guard", "virulent-aura", False, [("wound", "all")]),
        ("death-guard", "virulent-aura", True, []),
    ],
)
def test_a_leader_lets_all_of_its_unit_roll_again(
    faction: str, ability: str, melee_: bool, found: list[tuple[str, str]]
) -> None:
    lord = unit("Lord", "red", HERO, [(8.5, 10)], leads="Reds")
    b = beside(ours(faction, ability, "Reds", models=[2]), None, None, lord)
    reds, blues = named(b, "Reds"), named(b, "Blues")
    for m in reds.models:
        again = on_attack(b, Reroll, AttackMade(reds.id, blues.id, melee_, m))
        assert [(a.effect.roll, a.effect.faces) for a in again] == found


def weapon_of(b: Battle11, name: str, model: int = 0, who: str = "Reds") -> Any:
    """A weapon as its bearer has it now."""
    u = named(b, who)
    m = u.models[model]
    data = b.setup.data
    plain = next(x for x in data.sheets[data.kits[m].sheet].weapons if x.name == name)
    return armed(b, m, plain, changes_to_weapons(b, u))


@pytest.mark.parametrize(("charged", "found"), [(True, ("devastating wounds",)), (False, ())])
def test_hellforged_weapons_are_devastating_after_a_charge(charged: bool, found: tuple[str, ...]) -> None:
    prince = sheet(blade(name="Hellforged weapons"), blade(name="claw"), name="Prince")
    b = situation(
        [unit("Reds", "red", prince, [(10, 10)], charged=charged), FOE],
        abilities=[ours("world-eaters", "devastating-assault", "Reds")],
    )
    assert [weapon_of(b, name).abilities for name in ("Hellforged weapons", "claw")] == [found, ()]


@pytest.mark.parametrize(("charged", "found"), [(True, ("4", 6)), (False, ("3", 4))])
def test_berzerkers_strike_harder_in_a_turn_in_which_they_charged(charged: bool, found: tuple[str, int]) -> None:
    own = {**TROOPER, "keywords": ["INFANTRY", "WORLD EATERS"]}
    b = situation(
        [
            unit("Reds", "red", own, [(10, 10)], charged=charged),
            unit("Others", "red", TROOPER, [(10, 20)], charged=True),
            FOE,
        ],
        abilities=[ours("world-eaters", "relentless-rage", "Reds")],
    )
    weapons = [weapon_of(b, "blade"), weapon_of(b, "blade", who="Others"), weapon_of(b, "rifle")]
    assert [(x.attacks, x.strength) for x in weapons] == [found, ("3", 4), ("2", 4)]


def test_a_possessed_lord_is_furious_for_one_fight_phase_of_the_battle() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", {**TARGET, "wounds": 50}, [(11.5, 10)])],
        step="fight_phase", abilities=[ours("world-eaters", "possessed-lord", "Reds")],
        dice={"hit": [1] * 60, "wound": [1] * 60},
    )  # fmt: skip
    play(b, "Ability: possessed-lord")
    angry = weapon_of(b, "blade")
    until(b, "move_with", player=1)
    calm = weapon_of(b, "blade")
    until(b, "move_with", player=0)
    assert [(x.attacks, x.abilities) for x in (angry, calm)] == [("6", ("devastating wounds",)), ("3", ())]
    assert told(b).count("ability") == 1


@pytest.mark.parametrize(("keyword", "left"), [("VEHICLE", [7]), ("INFANTRY", [8])])
def test_who_rends_does_more_damage_to_big_targets(keyword: str, left: list[int]) -> None:
    b = melee(
        blade(), target(wounds=9, keywords=[keyword]), dice={"hit": [6], "wound": [6]},
        abilities=[ours("world-eaters", "rend-and-tear", "Reds")],
    )  # fmt: skip
    strike(b, ("blade", "Blues", 1))
    assert hurt(b) == left


@pytest.mark.parametrize(
    ("ability", "near", "wanted"), [("diseased-malice", 13, (0, 1)), ("diseased-malice", 30, (0, 0))]
)
def test_afflicted_units_are_wounded_better(ability: str, near: float, wanted: tuple[int, int]) -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TARGET, [(near, 10)])],
        abilities=[ours("death-guard", GIFT, "Reds"), ours("death-guard", ability, "Reds")],
    )
    assert edge(b) == wanted


# --- After moves ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "more", "left"), [(1, [], 9), (2, [], 8), (3, [], 8), (4, [6], 6), (5, [2], 8), (6, [2], 5), (6, [6], 3)]
)
def test_the_die_says_how_hard_a_stampede_hits(face: int, more: list[int], left: int) -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", {**TARGET, "wounds": 9}, [(16, 10)])],
        step="charge_units", abilities=[ours("world-eaters", "bloody-stampede", "Reds")],
        dice={"charge": [6, 6], "bloody-stampede": [face, *more]},
    )  # fmt: skip
    give(b, "charge_with", "Reds")
    default(b, "charge_move")
    assert hurt(b) == [left]


@pytest.mark.parametrize(("mode", "by", "open_"), [("normal", [8, 0], True), ("normal", [0, 8], False)])
def test_a_swooping_prince_harms_whom_it_moved_over(mode: str, by: list[float], open_: bool) -> None:
    flyer = {**TROOPER, "move": 12, "keywords": ["MONSTER", "FLY"]}
    b = situation(
        [unit("Prince", "red", flyer, [(10, 10)]), unit("Blues", "blue", {**TARGET, "wounds": 9}, [(14, 10)]), FOE],
        abilities=[ours("world-eaters", "swooping-predator", "Prince")], dice={"swooping-predator": [3, 4, 4, 5, 6, 1]},
    )  # fmt: skip
    give(b, "move_with", "Prince")
    give(b, "skies", "yes")
    give(b, "move", {"mode": mode, "by": by})
    assert [card for card in cards(b) if "swooping" in card] == ["Ability: swooping-predator (Prince)"] * open_
    for _ in range(open_):
        play(b, "Ability: swooping-predator")
    assert hurt(b) == [5 if open_ else 9]


def test_it_harms_nobody_when_it_falls_back_over_them() -> None:
    flyer = {**TROOPER, "move": 12, "keywords": ["MONSTER", "FLY"]}
    b = situation(
        [unit("Prince", "red", flyer, [(11.5, 10)]), unit("Blues", "blue", {**TARGET, "wounds": 9}, [(13, 10)]), FOE],
        abilities=[ours("world-eaters", "swooping-predator", "Prince")],
    )
    give(b, "move_with", "Prince")
    give(b, "skies", "yes")
    give(b, "move", {"mode": "fall_back", "by": [8, 0]})
    assert (cards(b), kinds(b)) == ([], ["move_with"])


def test_a_horrifying_visage_shakes_whom_it_charged() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TARGET, [(16, 10)])], step="charge_units",
        abilities=[ours("death-guard", "horrifying-visage", "Reds")], dice={"charge": [6, 6], "battle-shock": [3, 3]},
    )  # fmt: skip
    give(b, "charge_with", "Reds")
    default(b, "charge_move")
    assert named(b, "Blues").battle_shocked


# --- Auras and prices -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x", "leadership"), [(17, 7), (17.1, 6)])
def test_an_icon_makes_leadership_near_it_worse(x: float, leadership: int) -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TARGET, [(x, 10)])],
        abilities=[ours("death-guard", "icon-of-despair-aura", "Reds")],
    )
    blues = named(b, "Blues")
    assert changed(b, changes_of(b, blues, "Ld"), blues.models[0], "Ld", 6) == leadership


@pytest.mark.parametrize(
    ("faction", "ability", "word"),
    [("death-guard", "fevered-strategist", "DEATH GUARD"), ("world-eaters", "direct-the-slaughter", "WORLD EATERS")],
)
def test_a_strategist_makes_one_stratagem_of_a_round_cheaper_for_its_own_nearby(
    faction: str, ability: str, word: str
) -> None:
    own = {**TROOPER, "keywords": ["INFANTRY", word]}
    b = situation(
        [
            unit("Prince", "red", own, [(10, 10)]),
            unit("Near", "red", own, [(10, 23)]),
            unit("Far", "red", own, [(35, 10)]),
            unit("Others", "red", TROOPER, [(12, 10)]),
            unit("Second", "red", own, [(14, 10)]),
            FOE,
        ],
        abilities=[ours(faction, ability, name) for name in ("Prince", "Second")],
        step="move_units",
    )
    costs = {name: price(b, 0, "Any", 2, named(b, name).id) for name in ("Prince", "Near", "Far", "Others")}
    assert costs == {"Prince": 1, "Near": 1, "Far": 2, "Others": 2}


# --- What others lost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "open_"), [("1", []), ("2", ["Ability: blood-surge (Blues)"])])
def test_who_surges_for_models_that_were_destroyed_does_not_for_mere_wounds(damage: str, open_: list[str]) -> None:
    b = face_off(
        gun(damage=damage), target(wounds=2), targets=2, dice={"hit": [6], "wound": [6]},
        abilities=[ours("world-eaters", "blood-surge", "Blues")],
    )  # fmt: skip
    assert cards(shoot(b)) == open_


def test_it_surges_after_shots_of_the_opponents_shooting_phase_alone() -> None:
    guards = unit("Blues", "blue", sheet(gun(attacks="1"), name="Watcher"), [(16, 10)])
    b = situation(
        [unit("Reds", "red", TARGET, [(5, 10), (5, 11.5)]), guards], cp=(0, 1), options={"windows": "all"},
        abilities=[ours("world-eaters", "blood-surge", "Reds")], dice={"hit": [6], "wound": [6]},
    )  # fmt: skip
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    play(b, "Fire Overwatch")
    default(b, "shoot")
    default(b, "allocate")
    assert (alive(b, "Reds"), "Ability: blood-surge (Reds)" in cards(b)) == (1, False)


@pytest.mark.parametrize(("hits", "control"), [([6, 1], 1), ([6, 6], 7)])
def test_an_attached_unit_is_destroyed_with_the_last_of_its_models(hits: list[int], control: int) -> None:
    chief = unit("Chief", "blue", character(), [(11, 9.5)], leads="Blues")
    b = melee(
        blade(attacks="2"), target(), more=[chief], dice={"hit": hits, "wound": [6] * 2},
        abilities=[ours("death-guard", "extraction-of-fresh-disease", "Reds")],
    )  # fmt: skip
    strike(b, ("blade", "Blues", 2))
    reds = named(b, "Reds")
    assert changed(b, changes_of(b, reds, "OC"), reds.models[0], "OC", 1) == control


@pytest.mark.parametrize(
    ("strength", "y", "bonus"), [({}, 18, 0), ({1: 0}, 18, 1), ({1: 0}, 20.1, 0), ({1: 0, 2: 0}, 18, 2)]
)
def test_a_charge_is_spurred_by_how_much_an_enemy_nearby_has_lost(
    strength: dict[int, int], y: float, bonus: int
) -> None:
    b = situation(
        [
            unit("Fiend", "red", TROOPER, [(10, 10)]),
            unit("Near", "blue", TARGET, [(10, y), (11.5, y), (13, y)], wounds=strength),
        ],
        step="charge_units",
        abilities=[ours("world-eaters", "the-scent-of-blood", "Fiend")],
    )
    assert added(b, named(b, "Fiend"), "charge")[0] == bonus


# --- Those who lead ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leads", [True, False])
def test_who_has_core_abilities_while_attached_has_none_alone(leads: bool) -> None:
    lord = unit("Lord", "red", HERO, [(8.5, 10)], **({"leads": "Guard"} if leads else {}))
    b = situation(
        [unit("Guard", "red", TROOPER, [(10, 10), (11.5, 10)]), lord, FOE],
        abilities=[
            ours("world-eaters", "lord-of-the-eightbound", "Guard" if leads else "Lord", models=[3 if leads else 1])
        ],
    )
    unit_ = named(b, "Guard" if leads else "Lord")
    has = [has_core(b, unit_, m, core) for core in ("deep strike", "scouts") for m in unit_.models]
    assert has == ([False, False, True] * 2 if leads else [False] * 2)


# --- Plagues ----------------------------------------------------------------------------------------------------------

GIFT = "nurgle-s-gift-aura"


def plagued(x: float = 13, round_: int = 1, plague: str = "", victim: Doc | None = None, **more: Any) -> Battle11:
    """A Death Guard unit beside enemies; the plague that its player has chosen is a mark on its army."""
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", victim or TARGET, [(x, 10)]), FOE],
        round_=round_, abilities=[ours("death-guard", GIFT, "Reds")], **more,
    )  # fmt: skip
    effects = corrections("death-guard").file.abilities[GIFT].effects
    if plague:
        chosen = next(i for i, e in enumerate(effects) if isinstance(e, Mark) and e.name == plague)
        b.add_effect(set_off(0, chosen, -1, "battle"))
    return b


@pytest.mark.parametrize(
    ("round_", "x", "afflicted"),
    [(1, 14, True), (1, 14.1, False), (2, 17, True), (2, 17.1, False), (3, 20, True), (3, 20.1, False), (5, 20, True)],
)
def test_contagion_reaches_further_in_later_rounds(round_: int, x: float, afflicted: bool) -> None:
    b = plagued(x, round_)
    blues = named(b, "Blues")
    tough = changed(b, changes_of(b, blues, "T"), blues.models[0], "T", 4)
    assert (is_marked(b, blues, "afflicted"), tough) == (afflicted, 3 if afflicted else 4)


@pytest.mark.parametrize(
    ("plague", "worse"),
    [
        ("skullsquirm", {"M": 6, "Sv": 3, "Ld": 7, "OC": 2}),
        ("rattlejoint", {"M": 6, "Sv": 4, "Ld": 7, "OC": 2}),
        ("soulrot", {"M": 5, "Sv": 3, "Ld": 8, "OC": 1}),
    ],
)
def test_each_plague_makes_something_else_worse(plague: str, worse: dict[str, int]) -> None:
    b = plagued(plague=plague)
    blues = named(b, "Blues")
    before = {"M": 6, "Sv": 3, "Ld": 7, "OC": 2}
    assert {
        name: changed(b, changes_of(b, blues, name), blues.models[0], name, n) for name, n in before.items()
    } == worse
    assert [a.effect.value for a in at_work(b, blues, Modify)] == ([-1] if plague == "skullsquirm" else [])


@pytest.mark.parametrize(("control", "left"), [(0, 0), (1, 1), (2, 1), (5, 4)])
def test_soulrot_leaves_who_controls_something_some_control(control: int, left: int) -> None:
    b = plagued(plague="soulrot")
    blues = named(b, "Blues")
    assert changed(b, changes_of(b, blues, "OC"), blues.models[0], "OC", control) == left


def test_who_is_hit_by_the_infused_is_afflicted_until_their_next_turn() -> None:
    infused = ours("death-guard", "infused-with-the-blessings-of-nurgle", "Reds")
    b = shoot(face_off(gun(), target(wounds=5), dice={"hit": [6], "wound": [1]}, abilities=[infused]))
    here = is_marked(b, named(b, "Blues"), "afflicted")
    until(b, "move_with", player=1)
    there = is_marked(b, named(b, "Blues"), "afflicted")
    until(b, "move_with", player=0)
    assert (here, there, is_marked(b, named(b, "Blues"), "afflicted")) == (True, True, False)


@pytest.mark.parametrize(("lost", "x", "tests"), [({5: 0}, 20, 1), ({5: 0}, 20.1, 0), ({}, 20, 0)])
def test_a_bell_makes_who_has_lost_models_test_for_battle_shock(lost: dict[int, int], x: float, tests: int) -> None:
    b = situation(
        [
            unit("Ringer", "blue", TARGET, [(10, 10)]),
            unit("Reds", "red", TARGET, [(x, 10 + 1.5 * i) for i in range(5)], wounds=lost),
        ],
        step="command_phase",
        abilities=[ours("death-guard", "tocsin-of-misery-aura", "Ringer")],
        dice={"battle-shock": [6, 6]},
    )
    until(b, "move_with")
    assert [reason for reason, _ in rolls(b)].count("battle-shock") == tests


@pytest.mark.parametrize(("keyword", "shocked"), [("INFANTRY", False), ("PSYKER", True)])
def test_psykers_test_worse_when_it_rings(keyword: str, shocked: bool) -> None:
    b = situation(
        [
            unit("Ringer", "blue", TARGET, [(10, 10)]),
            unit(
                "Reds", "red", {**TARGET, "keywords": [keyword]}, [(15, 10 + 1.5 * i) for i in range(5)], wounds={5: 0}
            ),
        ],
        step="command_phase",
        abilities=[ours("death-guard", "tocsin-of-misery-aura", "Ringer")],
        dice={"battle-shock": [3, 3]},
    )
    until(b, "move_with")
    assert named(b, "Reds").battle_shocked is shocked


def test_a_plague_is_chosen_with_the_battle_formations() -> None:
    b = plagued(step="reveal", dice={"roll-off": [6, 1]})
    give(b, "ability_branch", "Scabrous Soulrot")
    assert [is_marked(b, named(b, "Reds"), name) for name in ("soulrot", "rattlejoint")] == [True, False]


def test_what_lasts_until_the_next_turn_is_over_with_its_start() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), FOE], step="command_phase")
    b.add_effect(Effect("test", named(b, "Reds").id, 1, until="next turn of 0"))
    until(b, "move_with", player=1)
    there = bool(b.affected("test", named(b, "Reds").id))
    until(b, "move_with", player=0)
    assert (there, bool(b.affected("test", named(b, "Reds").id))) == (True, False)


# --- Arriving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("abilities", "x", "allowed"),
    [
        ([GIFT, "death-approaches"], 7.1, True),
        ([GIFT, "death-approaches"], 7, False),
        (["death-approaches"], 7.1, False),
        (["death-approaches"], 9.1, True),
        ([GIFT], 9, False),
        ([GIFT], 9.1, True),
    ],
)
def test_death_approaches_the_afflicted_closer(abilities: list[str], x: float, allowed: bool) -> None:
    b = situation(
        [
            unit("Guard", "red", sheet(name="Guard", abilities=["deep strike"]), off=1, reserve="strategic"),
            unit("Reds", "red", TROOPER, [(10, 7)]),
            unit("Blues", "blue", TARGET, [(10, 10)]),
        ],
        round_=2,
        abilities=[ours("death-guard", name, "Reds" if name == GIFT else "Guard") for name in abilities],
    )
    give(b, "move_with", "Guard")
    give(b, "enter", "ingress")
    assert bool(judge(b, "arrive", [[10 + x, 10]])) is allowed


def test_it_keeps_its_distance_from_those_who_are_not() -> None:
    b = situation(
        [
            unit("Guard", "red", sheet(name="Guard", abilities=["deep strike"]), off=1, reserve="strategic"),
            unit("Reds", "red", TROOPER, [(10, 7)]),
            unit("Blues", "blue", TARGET, [(10, 10)]),
            unit("Far", "blue", TARGET, [(26, 10)]),
        ],
        round_=2,
        abilities=[ours("death-guard", GIFT, "Reds"), ours("death-guard", "death-approaches", "Guard")],
    )
    give(b, "move_with", "Guard")
    give(b, "enter", "ingress")
    assert [bool(judge(b, "arrive", [[x, 10]])) for x in (16.9, 17.1)] == [False, False]


# --- Thousand Sons ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spot", "control", "again"),
    [((17, 10), -1, ["ones", "all"]), ((17, 10), 1, ["ones", "all"]), ((17, 10), 0, ["ones"]), ((40, 2), -1, ["ones"])],
)
def test_bringers_of_change_wound_better_near_objectives_that_are_not_theirs(
    spot: tuple[float, float], control: int, again: list[str]
) -> None:
    bringers = ours("thousand-sons", "bringers-of-change", "Reds")
    b = beside(bringers, objectives=[spot], game={"control": [control]})
    reds, blues = named(b, "Reds"), named(b, "Blues")
    attacks = [AttackMade(reds.id, blues.id, melee_, reds.models[0]) for melee_ in (False, True)]
    assert [[a.effect.faces for a in on_attack(b, Reroll, one)] for one in attacks] == [again, []]


@pytest.mark.parametrize(
    ("face", "more", "back", "left"), [(1, [1], 0, 2), (2, [], 1, 3), (5, [], 1, 3), (6, [], 2, 3)]
)
def test_a_die_says_what_becomes_of_the_rubric(face: int, more: list[int], back: int, left: int) -> None:
    name = "rebind-rubricae-psychic"
    b = situation(
        [
            unit("Guard", "red", TARGET, [(10 + 1.5 * i, 10) for i in range(5)], wounds={4: 0, 5: 0}),
            unit("Lord", "red", character(wounds=5), [(8.5, 10)], leads="Guard"),
            FOE,
        ],
        step="command_abilities",
        abilities=[ours("thousand-sons", name, "Guard", models=[6])],
        dice={name: [face, *more]},
    )
    play(b, f"Ability: {name}")
    for _ in range(back > 0):
        default(b, "return_models")
    assert alive(b, "Guard") == left + 1 + back


@pytest.mark.parametrize(("mode", "bare"), [("normal", True), ("fall_back", False)])
def test_a_heldrake_takes_cover_from_whom_it_passed_in_a_normal_move(mode: str, bare: bool) -> None:
    flyer = {**TROOPER, "move": 12, "keywords": ["VEHICLE", "FLY"]}
    b = situation(
        [unit("Drake", "red", flyer, [(10 if bare else 12.5, 10)]), unit("Blues", "blue", TARGET, [(14, 10)]), FOE],
        abilities=[ours("thousand-sons", "flame-wreathed", "Drake")],
    )
    give(b, "move_with", "Drake")
    give(b, "skies", "yes")
    give(b, "move", {"mode": mode, "by": [8, 0]})
    assert can_have_cover(b, named(b, "Blues")) is not bare


def test_the_dice_of_prophesied_doom_are_one_for_each_model_that_reached() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10), (10, 11.5), (10, 13)]),
            unit("Blues", "blue", {**TARGET, "wounds": 9}, [(16, 10)]),
        ],
        step="charge_units",
        abilities=[ours("thousand-sons", "prophesied-doom", "Reds")],
        dice={"charge": [3, 3], "prophesied-doom": [3, 4, 6]},
    )
    give(b, "charge_with", "Reds")
    default(b, "charge_move")
    dice = next(faces for reason, faces in rolls(b) if reason == "prophesied-doom")
    reds, blues = named(b, "Reds"), named(b, "Blues")
    near = b.links(b.on_table(reds), b.on_table(blues), ENGAGEMENT.range).any(axis=1).sum()
    assert (len(dice), hurt(b)) == (near, [9 - sum(face >= 4 for face in dice)])


def test_icons_of_flame_are_not_for_characters() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10), (11.5, 10)]),
            unit("Lord", "red", HERO, [(8.5, 10)], leads="Reds"),
            FOE,
        ],
        abilities=[ours("thousand-sons", "icon-of-flame", "Reds", models=[1])],
    )
    assert [weapon_of(b, "rifle", i).abilities for i in range(3)] == [("ignores cover",), ("ignores cover",), ()]
    assert weapon_of(b, "blade").abilities == ()


def test_sentinels_pay_less_once_in_a_turn() -> None:
    b = situation(
        [unit("Robots", "red", TROOPER, [(10, 10)]), FOE],
        abilities=[ours("thousand-sons", "prophetic-sentinels", "Robots")],
    )
    names = ("Fire Overwatch", "Heroic Intervention", "Any")
    before = [price(b, 0, name, 2, named(b, "Robots").id) for name in names]
    spend(b, Use(0, named(b, "Robots").id), Occasion("targeted", named(b, "Robots").id))
    assert (before, [price(b, 0, name, 2, named(b, "Robots").id) for name in names]) == ([1, 1, 2], [2, 2, 2])
