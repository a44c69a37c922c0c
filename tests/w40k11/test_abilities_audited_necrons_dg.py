"""Abilities of Necrons and Death Guard, held against print once more: whom, when and how long, as they are played."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies import ArmyList
from sandtable.armies.effects import Modify, Reroll
from sandtable.armies.kdc.factions import faction_file
from sandtable.armies.packs import open_pack
from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.effects.attack_rolls import best_of, on_attack
from sandtable.forty.effects.characteristics import characteristic, moves_of
from sandtable.forty.effects.occasions import Occasion
from sandtable.forty.effects.other_rolls import reroll_of
from sandtable.forty.effects.saves import guard_of, pain_of, pains, wards_of
from sandtable.forty.effects.targets import candidates
from sandtable.forty.effects.weapons import armed, armed_against, changes_to_weapons
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.mustering import check_warlord
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.objectives import level_of_control
from sandtable.systems.w40k11.shooting_phase import eligible_to_shoot
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import blade, character, duel, face_off, gun, hurt, last, melee, shoot, target
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
    feature,
    give,
    judge,
    kinds,
    named,
    play,
    rolls,
    sheet,
    situation,
    unit,
    until,
)

HERE: Doc = {"at": [(10, 10)]}


def chief(name: str = "Blues", **changes: Any) -> UnitDoc:
    """A Character who leads the Blues."""
    return unit("Lord", "blue", character(**changes), [(21, 6.5)], leads=name)


# --- Until the attacks are over ---------------------------------------------------------------------------------------


def test_a_bodyguard_that_falls_protects_its_character_until_the_attacks_are_over() -> None:
    b = face_off(
        [gun(strength=20, ap=-6), gun("heavy", name="second", strength=20, ap=-6)], target(), more=[chief(wounds=9)],
        abilities=[ours("death-guard", "silent-bodyguard", "Blues", models=[1])],
        dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [4]},
    )  # fmt: skip
    shoot(b)
    assert (hurt(b), [name for name, _ in rolls(b)].count("feel no pain")) == ([0, 9], 1)


def test_it_does_not_protect_it_from_the_next_attacker() -> None:
    others = unit("Others", "red", sheet(gun(name="other", strength=20, ap=-6), name="Other"), [(10, 14)])
    b = face_off(
        gun(strength=20, ap=-6), target(), more=[chief(wounds=9), others],
        abilities=[ours("death-guard", "silent-bodyguard", "Blues", models=[1])],
        dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [4]},
    )  # fmt: skip
    shoot(b)
    shoot(b, "Others")
    assert (hurt(b), [name for name, _ in rolls(b)].count("feel no pain")) == ([0, 8], 0)


def test_lychguard_that_fall_protect_their_noble_until_the_attacks_are_over() -> None:
    noble = chief(wounds=9, keywords=["INFANTRY", "CHARACTER", "NOBLE"])
    b = face_off(
        [gun(strength=5, ap=-6), gun("heavy", name="second", strength=5, ap=-6)], target(toughness=4), more=[noble],
        abilities=[ours("necrons", "guardian-protocols", "Blues", models=[1])], dice={"hit": [6, 6], "wound": [6, 3]},
    )  # fmt: skip
    shoot(b)
    assert hurt(b) == [0, 9]


@pytest.mark.parametrize(("lost", "more"), [((), 1), ((1,), 0), ((2,), 0)])
def test_command_protocols_need_a_character_and_somebody_to_lead(lost: tuple[int, ...], more: int) -> None:
    lord = unit("Lord", "red", HERO, [(8.5, 10)], leads="Reds")
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), lord, FOE],
        abilities=[ours("necrons", "command-protocols", "Reds", models=[1, 2])],
    )
    reds = named(b, "Reds")
    b.place_models([reds.models[i - 1] for i in lost], GONE)
    attack = AttackMade(reds.id, named(b, "Foes").id, melee=False)
    assert sum(a.effect.value for a in on_attack(b, Modify, attack)) == more


# --- After shooting and moving ----------------------------------------------------------------------------------------


def engrams() -> Battle11:
    """Tomb Blades have shot, and may move; others near them can charge, too."""
    others = unit("Others", "red", TARGET, [(14, 14)])
    b = face_off(
        gun(),
        target(wounds=9),
        more=[others],
        abilities=[ours("necrons", "evasion-engrams", "Reds")],
        dice={"hit": [1]},
    )
    return shoot(b)


def test_who_moves_after_it_has_shot_does_not_charge() -> None:
    b = engrams()
    play(b, "Ability: evasion-engrams")
    give(b, "extra_move", {"mode": "normal", "by": [5, 0]})
    until(b, "charge_with")
    assert not able_to_charge(b, named(b, "Reds"))


def test_who_does_not_move_then_may_charge() -> None:
    b = engrams()
    default(b, "react.attacks_made")
    until(b, "charge_with")
    assert able_to_charge(b, named(b, "Reds"))


def over(**move: Any) -> Battle11:
    """Two Wraiths have moved past or over some Blues."""
    wraith = {**TROOPER, "move": 12, "keywords": ["BEASTS", "FLY"]}
    b = situation(
        [
            unit("Wraiths", "red", wraith, [(10, 10), (10, 11.5)]),
            unit("Blues", "blue", target(wounds=9), [(14, 10)]),
            FOE,
        ],
        abilities=[ours("necrons", "wraith-form", "Wraiths")], dice={"wraith-form": [4, 3], "advance": [6]},
    )  # fmt: skip
    give(b, "move_with", "Wraiths")
    give(b, "skies", "yes")
    give(b, "move", move)
    return b


def test_wraiths_roll_a_die_each_for_whom_they_moved_over() -> None:
    b = over(mode="normal", by=[8, 0])
    play(b, "Ability: wraith-form")
    assert (hurt(b), rolls(b)[-1]) == ([8], ("wraith-form", (4, 3)))


def test_they_harm_nobody_whom_they_moved_past() -> None:
    assert cards(over(mode="normal", by=[0, 8])) == []


def test_they_harm_nobody_when_they_advance() -> None:
    b = over(mode="advance")
    give(b, "complete_move", {"mode": "advance", "by": [8, 0]})
    assert cards(b) == []


# --- Attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "left"), [("1", 8), ("3", 7)])
def test_necrodermis_takes_one_off_the_damage_and_leaves_one(damage: str, left: int) -> None:
    skin = ours("necrons", "necrodermis", "Blues")
    b = duel(gun(damage=damage, ap=-6), target(wounds=9), abilities=[skin], dice={"hit": [6], "wound": [6]})
    assert hurt(b) == [left]


@pytest.mark.parametrize(("moved", "found"), [("stationary", ("devastating wounds",)), ("normal", ()), ("", ())])
def test_a_doomsday_cannon_devastates_where_the_ark_stood_still(moved: str, found: tuple[str, ...]) -> None:
    ark = sheet(gun(name="Doomsday cannon"), gun(name="Gauss flayer array"), name="Ark")
    b = situation(
        [unit("Reds", "red", ark, [(10, 10)], moved=moved), FOE],
        abilities=[ours("necrons", "overwhelming-obliteration", "Reds")],
    )
    assert [weapon(b, name).abilities for name in ("Doomsday cannon", "Gauss flayer array")] == [found, ()]


def test_it_does_so_in_the_own_turn_alone() -> None:
    ark = sheet(gun(name="Doomsday cannon"), name="Ark")
    b = situation(
        [unit("Reds", "red", ark, [(10, 10)]), FOE], step="move_units",
        abilities=[ours("necrons", "overwhelming-obliteration", "Reds")],
    )  # fmt: skip
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    here = weapon(b, "Doomsday cannon").abilities
    until(b, "move_with", player=1)
    assert (here, weapon(b, "Doomsday cannon").abilities) == (("devastating wounds",), ())


def weapon(b: Battle11, name: str, model: int = 0, who: str = "Reds") -> Any:
    """A weapon as its bearer has it now."""
    u, data = named(b, who), b.setup.data
    m = u.models[model]
    plain = next(x for x in data.sheets[data.kits[m].sheet].weapons if x.name == name)
    return armed(b, m, plain, changes_to_weapons(b, u))


def led(ability: str, faction: str, **settings: Any) -> Battle11:
    """Reds whom a Lord with an ability leads."""
    lord = unit("Lord", "red", {**HERO, "leads": ["Trooper"]}, [(8.5, 10)], leads="Reds")
    reds = unit("Reds", "red", {**TROOPER, "keywords": ["INFANTRY", "NECRONS"]}, [(10, 10)])
    return situation([reds, lord, FOE], abilities=[ours(faction, ability, "Reds", models=[2])], **settings)


@pytest.mark.parametrize(
    ("faction", "ability", "melee_", "ranged"),
    [
        ("necrons", "united-in-destruction", ("lethal hits",), ()),
        ("death-guard", "vector-of-disease", ("sustained hits 1", "lance"), ()),
        ("death-guard", "foul-infusion", ("lethal hits",), ("lethal hits",)),
    ],
)
def test_weapons_of_the_whole_led_unit_gain_abilities(
    faction: str, ability: str, melee_: tuple[str, ...], ranged: tuple[str, ...]
) -> None:
    b = led(ability, faction)
    found = [(weapon(b, "blade", m).abilities, weapon(b, "rifle", m).abilities) for m in (0, 1)]
    assert found == [(melee_, ranged)] * 2


@pytest.mark.parametrize(("ability", "face", "hits"), [("harbinger-of-destruction", 5, 2), ("destroyer-cult", 5, 2),
                                                       ("harbinger-of-destruction", 4, 1)])  # fmt: skip
def test_a_successful_5_of_a_led_unit_is_critical_in_shooting(ability: str, face: int, hits: int) -> None:
    lord = unit("Lord", "red", {**HERO, "leads": ["Red"]}, [(10, 6.5)], leads="Reds")
    b = face_off(gun("sustained hits 1"), target(wounds=9), more=[lord], dice={"hit": [face, 1, 1], "wound": [1, 1]},
                 abilities=[ours("necrons", ability, "Reds", models=[2])])  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert last(b)["hits"] == hits


def test_a_5_that_misses_is_not() -> None:
    lord = unit("Lord", "red", {**HERO, "leads": ["Red"]}, [(10, 6.5)], leads="Reds")
    b = face_off(gun(skill=6), target(wounds=9), more=[lord], dice={"hit": [5], "wound": [1]},
                 abilities=[ours("necrons", "destroyer-cult", "Reds", models=[2])])  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert last(b)["hits"] == 0


def test_a_5_of_an_infused_unit_hits_whatever_its_skill() -> None:
    lord = unit("Lord", "red", {**HERO, "leads": ["Red"]}, [(10, 6.5)], leads="Reds")
    b = face_off(gun(skill=6), target(wounds=9), more=[lord], dice={"hit": [5], "wound": [1]},
                 abilities=[ours("death-guard", "foul-infusion", "Reds", models=[2])])  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert (last(b)["criticals"], hurt(b)) == (1, [8])


@pytest.mark.parametrize(("strength", "less"), [(4, 0), (5, -1)])
def test_a_barge_is_harder_to_wound_for_stronger_attacks(strength: int, less: int) -> None:
    shield = ours("necrons", "advanced-quantum-shielding", "Blues")
    b = face_off(gun(strength=strength), target(toughness=4), abilities=[shield])
    attack = AttackMade(named(b, "Reds").id, named(b, "Blues").id, False, strength=strength, toughness=4)
    assert [a.effect.value for a in on_attack(b, Modify, attack)] == [less] * bool(less)


@pytest.mark.parametrize(("charged", "faces"), [(False, "ones"), (True, "all")])
def test_skorpekh_strike_again(charged: bool, faces: str) -> None:
    b = melee(blade(), flags={"charged": charged}, abilities=[ours("necrons", "whirling-onslaught", "Reds")])
    reds, blues = named(b, "Reds").id, named(b, "Blues").id
    found = [best_of(list(on_attack(b, Reroll, AttackMade(reds, blues, melee_)))).faces for melee_ in (True, False)]
    assert found == [faces, "none"]


@pytest.mark.parametrize(("spot", "faces"), [((21, 12), "all"), ((2, 2), "ones")])
def test_immortals_wound_again_whoever_is_near_a_marker(spot: tuple[float, float], faces: str) -> None:
    b = face_off(gun(), abilities=[ours("necrons", "implacable-eradication", "Reds")], objectives=[spot])
    attack = AttackMade(named(b, "Reds").id, named(b, "Blues").id, melee=False)
    assert best_of(list(on_attack(b, Reroll, attack))).faces == faces


# --- Wounds that are shrugged off, and saves --------------------------------------------------------------------------


def pain(b: Battle11, who: str) -> list[tuple[int, int]]:
    """What each model of a unit ignores wounds on, and mortal wounds."""
    u = named(b, who)
    found = [pain_of(b, pains(b, u), m, 7, False, False) for m in u.models]
    return [(p.normal, p.mortal) for p in found]


def test_all_of_a_unit_that_a_technomancer_leads_shrug_wounds_off() -> None:
    assert pain(led("rites-of-reanimation", "necrons"), "Reds") == [(5, 5)] * 2


@pytest.mark.parametrize(
    ("ability", "y", "words", "found"),
    [
        ("nullstone-field-generator-aura", 17, ["INFANTRY", "NECRONS"], (7, 5)),
        ("nullstone-field-generator-aura", 17.1, ["INFANTRY", "NECRONS"], (7, 7)),
        ("nullstone-field-generator-aura", 17, ["INFANTRY"], (7, 7)),
        ("reanimation-nodes-aura", 17, ["INFANTRY", "NECRONS"], (6, 6)),
        ("reanimation-nodes-aura", 17, ["VEHICLE", "NECRONS"], (7, 7)),
        ("reanimation-nodes-aura", 17.1, ["INFANTRY", "NECRONS"], (7, 7)),
    ],
)
def test_auras_of_necrons_ward_their_own(ability: str, y: float, words: list[str], found: tuple[int, int]) -> None:
    b = situation(
        [
            unit("Node", "red", {**TROOPER, "keywords": ["VEHICLE", "NECRONS"]}, [(10, 10)]),
            unit("Reds", "red", {**TROOPER, "keywords": words}, [(10, y)]),
            FOE,
        ],
        abilities=[ours("necrons", ability, "Node")],
    )
    assert pain(b, "Reds") == [found]


def test_orikan_saves_all_of_the_unit_that_he_leads() -> None:
    b = led("master-chronomancer", "necrons")
    reds = named(b, "Reds")
    guard = guard_of(b, reds, AttackMade(named(b, "Foes").id, reds.id, melee=False))
    assert [wards_of(b, guard, m) for m in reds.models] == [[4], [4]]


# --- Command phases ---------------------------------------------------------------------------------------------------


def test_warriors_may_roll_again_how_much_they_reanimate() -> None:
    b = situation(
        [unit("Reds", "red", target(), [(10, 10 + 1.5 * i) for i in range(5)], wounds={3: 0, 4: 0, 5: 0}), FOE],
        step="command_phase",
        abilities=[ours("necrons", name, "Reds") for name in ("reanimation-protocols", "their-number-is-legion")],
        dice={"battle-shock": [6, 6], "reanimation": [1, 6]},
    )
    until(b, "reroll_reanimation")
    give(b, "reroll_reanimation", "yes")
    default(b, "return_models")
    assert alive(b, "Reds") == 5


@pytest.mark.parametrize(
    ("active", "place", "points"), [("red", HERE, 2), ("blue", HERE, 1), ("red", {"off": 1, "reserve": "strategic"}, 1)]
)
def test_a_strategist_on_the_battlefield_brings_a_point(active: str, place: Doc, points: int) -> None:
    b = situation(
        [unit("Lord", "red", TROOPER, **place), unit("Others", "red", TROOPER, [(30, 10)]), FOE],
        step="command_phase",
        active=active,
        cp=(0, 0),
        abilities=[ours("necrons", "grand-strategist", "Lord")],
    )
    until(b, "move_with")
    assert b.player(0).cp == points


def surgery(*, guard: int = 2, other: int = 5) -> Battle11:
    """The Command phase of Reds whom a Surgeon and another lead; a guard and the other have so many wounds left."""
    lord = unit("Lord", "red", {**HERO, "leads": ["Trooper"]}, [(8.5, 10)], leads="Reds")
    helper = {**HERO, "name": "Other", "abilities": ["support"], "leads": ["Trooper"]}
    second = unit("Other", "red", helper, [(8.5, 12)], leads="Reds", wounds={1: other})
    reds = unit("Reds", "red", TROOPER, [(10, 10), (11.5, 10)], wounds={2: guard})
    return situation(
        [reds, lord, second, FOE], step="command_phase",
        abilities=[ours("death-guard", "tainted-narthecium", "Reds", models=[3])], dice={"battle-shock": [6, 6]},
    )  # fmt: skip


def test_a_surgeon_brings_a_bodyguard_back() -> None:
    b = surgery(guard=0)
    play(b, "Ability: tainted-narthecium")
    default(b, "return_models")
    assert hurt(b, "Reds") == [2, 2, 5, 5]


def test_it_brings_no_leader_back() -> None:
    assert kinds(surgery(other=0)) == ["move_with"]


# --- Moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("abilities", "shoots", "charges"),
    [
        ([ours("necrons", "adaptive-strategy", "Reds")], True, True),
        ([ours("necrons", "relentless-combatants", "Reds")], False, True),
        ([ours("death-guard", "hovering-death", "Reds")], True, True),
        ([], False, False),
    ],
)
def test_who_fell_back_may_still_act(abilities: list[Doc], shoots: bool, charges: bool) -> None:
    b = face_off(gun(), flags={"moved": "fall_back"}, abilities=abilities)
    reds = named(b, "Reds")
    assert (bool(eligible_to_shoot(b, reds)), bool(able_to_charge(b, reds))) == (shoots, charges)


def test_a_blightbringer_hurries_the_unit_that_it_leads() -> None:
    b = led("sickening-vitality", "death-guard")
    reds = named(b, "Reds")
    again = [reroll_of(b, reds, roll).faces for roll in ("advance", "charge", "battle_shock")]
    assert (list(moves_of(b, reds, lambda _: 6).values()), again) == ([7, 7], ["all", "all", "none"])


def crawl(mode: str, by: list[float], *more: UnitDoc, x: float = 14, **foe: Any) -> Any:
    """What is said of a Defiler's way past Blues and a wall."""
    walker = {**TROOPER, "move": 12, "keywords": ["VEHICLE"]}
    b = situation(
        [unit("Reds", "red", walker, [(10, 10)]), unit("Blues", "blue", {**TARGET, **foe}, [(x, 10)]), FOE, *more],
        [feature("wall", (15.5, 5, 0.5, 10), 6)],
        abilities=[ours("death-guard", "scuttling-walker", "Reds")],
    )
    give(b, "move_with", "Reds")
    return judge(b, "move", {"mode": mode, "by": by})


def test_a_defiler_crawls_through_models_and_terrain() -> None:
    assert crawl("normal", [10, 0], keywords=["VEHICLE"])
    assert crawl("fall_back", [10, 0], x=11.5, keywords=["MONSTER"])


def test_it_does_not_crawl_through_titans_nor_end_engaged() -> None:
    assert not crawl("normal", [10, 0], keywords=["TITANIC", "VEHICLE"])
    assert not crawl("normal", [6, 0], keywords=["VEHICLE"])


# --- Auras and states -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "words", "alone"),
    [(14, ["INFANTRY", "DEATH GUARD"], True), (14.1, ["INFANTRY", "DEATH GUARD"], False),
     (14, ["VEHICLE", "DEATH GUARD"], False), (14, ["INFANTRY"], False)],
)  # fmt: skip
def test_a_prince_hides_behind_infantry_of_its_own(y: float, words: list[str], alone: bool) -> None:
    b = situation(
        [
            unit("Prince", "red", TROOPER, [(10, 10)]),
            unit("Others", "red", {**TROOPER, "keywords": words}, [(10, y)]),
            FOE,
        ],
        abilities=[ours("death-guard", "death-guard-defenders", "Prince")],
    )
    prince = named(b, "Prince")
    assert has_core(b, prince, prince.models[0], "lone operative") is alone


@pytest.mark.parametrize(
    ("y", "words", "hits"),
    [(13, ["INFANTRY", "DEATH GUARD"], 0), (15.1, ["INFANTRY", "DEATH GUARD"], 1), (13, ["INFANTRY"], 1)],
)
def test_a_miasma_covers_death_guard_near_it(y: float, words: list[str], hits: int) -> None:
    prince = unit("Prince", "blue", target(name="Prince"), [(21, y + 2)])
    b = duel(gun(skill=4), target(keywords=words), more=[prince], dice={"hit": [4], "wound": [1]},
             abilities=[ours("death-guard", "miasma-of-pestilence-aura", "Prince")])  # fmt: skip
    assert last(b)["hits"] == hits


def test_an_icon_lets_all_of_a_led_unit_control_more() -> None:
    b = led("unclean-icon", "death-guard", objectives=[(10, 12)])
    assert level_of_control(b, 0, 0) == 3 + 2


@pytest.mark.parametrize(("x", "found"), [(13, ("sustained hits 1",)), (30, ())])
def test_a_plaguecaster_lets_its_unit_hit_the_afflicted_more(x: float, found: tuple[str, ...]) -> None:
    lord = unit("Lord", "red", {**HERO, "leads": ["Trooper"]}, [(8.5, 10)], leads="Reds")
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), lord, unit("Blues", "blue", TARGET, [(x, 10)])],
        abilities=[
            ours("death-guard", "nurgle-s-gift-aura", "Reds"),
            ours("death-guard", "gift-of-contagion-psychic", "Reds", models=[2]),
        ],
    )
    reds, blues = named(b, "Reds"), named(b, "Blues")
    rifle = weapon(b, "rifle")
    attack = AttackMade(reds.id, blues.id, False, reds.models[0])
    assert armed_against(b, attack, rifle, changes_to_weapons(b, reds), ())[0].abilities == found


# --- Measured from a Leader -------------------------------------------------------------------------------------------


def behind(ability: str, x: float, **settings: Any) -> Battle11:
    """A Lord with an ability, who stands behind his unit, and Blues in front of it."""
    lord = unit("Lord", "red", {**HERO, "leads": ["Trooper"]}, [(10, 10)], leads="Reds")
    blues = unit("Blues", "blue", target(wounds=9), [(x, 10)])
    return situation(
        [unit("Reds", "red", TROOPER, [(11.5, 10), (13, 10)]), lord, blues],
        abilities=[ours("necrons", ability, "Reds", models=[3])], **settings,
    )  # fmt: skip


@pytest.mark.parametrize(("x", "open_"), [(23, 1), (23.1, 0)])
def test_a_storm_is_measured_from_the_stormlord_not_from_his_unit(x: float, open_: int) -> None:
    b = behind("lord-of-the-storm", x, step="command_phase")
    assert cards(b) == ["Ability: lord-of-the-storm (Reds)"] * open_


@pytest.mark.parametrize(("x", "found"), [(14.5, []), (8.5, ["Blues"])])
def test_a_harvest_is_of_whom_the_lord_himself_is_engaged_with(x: float, found: list[str]) -> None:
    b = behind("crimson-harvest", x)
    ability, reds = b.setup.data.abilities[0], named(b, "Reds")
    whom = candidates(b, ability, ability.effects[0], reds.id, Occasion("charged", reds.id))
    assert [u.name for u in whom] == found


# --- Army lists -------------------------------------------------------------------------------------------------------


def fielded(faction: str, detachment: str, *units: Doc, foe: tuple[float, float] = (40, 25), **leads: str) -> Battle11:
    """Units of an army list in columns, and an enemy; `leads` says by sheets who leads whom, with _ for each -."""
    head = {"name": "Army", "system": "w40k11", "pack": "w40k11", "faction": faction, "detachment": detachment}
    names = {s.id: s.name for s in faction_file(faction).file.sheets}
    here = []
    for i, one in enumerate(units):
        size, leader = int(one.get("size", 1)), leads.get(one["sheet"].replace("-", "_"))
        flags = {"leads": names[leader]} if leader else {}
        places = tuple((5 + 3.5 * i, 3 + 2 * k) for k in range(size))
        here.append(UnitDoc(name=names[one["sheet"]], player="red", positions=places, flags=flags))
    return situation(
        [*here, unit("Blues", "blue", target(wounds=9), [foe])],
        lists={"red": {**head, "limit": 2000, "units": list(units)}},
    )


def test_shields_looms_vanes_and_scopes_are_for_who_carries_them() -> None:
    guard = [{"model": "Lychguard", "count": 1, "carry": ["Hyperphase sword", "Dispersion Shield"]}]
    blades = [
        {"model": "Tomb Blade", "carry": ["Twin gauss blaster", "Close combat weapon", *items]}
        for items in (["Shadowloom"], ["Nebuloscope", "Shieldvanes"])
    ]
    b = fielded("necrons", "awakened-dynasty", {"sheet": "overlord", "warlord": True},
                {"sheet": "lychguard", "size": 5, "wargear": guard}, {"sheet": "tomb-blades", "size": 3,
                "wargear": blades})  # fmt: skip
    shields, bikes = named(b, "Lychguard"), named(b, "Tomb Blades")
    against = guard_of(b, shields, AttackMade(named(b, "Blues").id, shields.id, melee=False))
    assert sorted(len(wards_of(b, against, m)) for m in shields.models) == [0, 0, 0, 0, 1]
    assert sorted(has_core(b, bikes, m, "stealth") for m in bikes.models) == [False, False, True]
    assert sorted(moves_of(b, bikes, lambda _: 12).values()) == [8, 12, 12]
    scopes = ["ignores cover" in weapon(b, "Twin gauss blaster", i, "Tomb Blades").abilities for i in range(3)]
    assert sorted(scopes) == [False, False, True]


def test_a_star_god_leads_no_army() -> None:
    pack = open_pack("w40k11", "necrons")
    head = {"name": "Army", "system": "w40k11", "pack": "w40k11", "faction": "necrons", "limit": 2000}
    gods = ["nightbringer", "deceiver", "void-dragon"]
    sheets = [*(f"ctan-shard-of-the-{name}" for name in gods), "transcendent-ctan", "overlord"]
    found = [
        check_warlord(msgspec.convert({**head, "units": [{"sheet": id_, "warlord": True}]}, ArmyList), pack, "rule")
        for id_ in sheets
    ]
    assert [len(problems) for problems in found] == [1, 1, 1, 1, 0]


@pytest.mark.parametrize(("carried", "leadership"), [(["Icon of Despair (Aura)"], 7), ([], 6)])
def test_an_icon_of_deathshroud_is_for_who_carries_it(carried: list[str], leadership: int) -> None:
    champion = {"model": "Deathshroud Champion", "carry": ["Plaguespurt gauntlet", "Manreaper", *carried]}
    b = fielded("death-guard", "virulent-vectorium", {"sheet": "lord-of-contagion", "warlord": True},
                {"sheet": "deathshroud-terminators", "size": 3, "wargear": [champion]}, foe=(15, 3))  # fmt: skip
    blues = named(b, "Blues")
    assert characteristic(b, blues, blues.models[0], "Ld", 6) == leadership


def to_hit(b: Battle11, who: str) -> int:
    """What abilities add to the hit rolls of a unit that shoots at the Blues."""
    u = named(b, who)
    found = on_attack(b, Modify, AttackMade(u.id, named(b, "Blues").id, False, u.models[0]))
    return sum(a.effect.value for a in found if a.effect.roll == "hit")


def test_a_subjugator_helps_units_near_it_that_hold_no_character() -> None:
    lord = {"sheet": "overlord", "warlord": True, "enhancement": "Phasal Subjugator (Aura)"}
    others = ({"sheet": "immortals", "size": 5}, {"sheet": "royal-warden"}, {"sheet": "lychguard", "size": 5})
    b = fielded("necrons", "awakened-dynasty", lord, *others)
    assert [to_hit(b, name) for name in ("Overlord", "Immortals", "Royal Warden", "Lychguard")] == [0, 1, 0, 0]


def test_a_casket_hides_all_of_the_unit_that_its_bearer_leads() -> None:
    b = fielded(
        "necrons", "awakened-dynasty", {"sheet": "immortals", "size": 5},
        {"sheet": "overlord", "warlord": True, "enhancement": "Nether-realm Casket"}, {"sheet": "lychguard", "size": 5},
        overlord="immortals",
    )  # fmt: skip
    found = [[has_core(b, u, m, "stealth") for m in u.models] for u in (named(b, "Immortals"), named(b, "Lychguard"))]
    assert found == [[True] * 6, [False] * 5]


@pytest.mark.parametrize(("who", "hits"), [("Immortals", 1), ("Lychguard", 0)])
def test_a_dynasty_hits_better_where_a_character_leads(who: str, hits: int) -> None:
    b = fielded(
        "necrons", "awakened-dynasty", {"sheet": "immortals", "size": 5}, {"sheet": "plasmancer", "warlord": True},
        {"sheet": "lychguard", "size": 5}, plasmancer="immortals",
    )  # fmt: skip
    assert to_hit(b, who) == hits


@pytest.mark.parametrize(("control", "left"), [(1, 1), (2, 1), (5, 4), (0, 0)])
def test_a_swarm_leaves_who_controls_something_some_control(control: int, left: int) -> None:
    swarm = unit("Swarm", "red", TARGET, [(10, 10)])
    b = situation([swarm, unit("Blues", "blue", TARGET, [(11.5, 10)])],
                  abilities=[ours("necrons", "chittering-swarm", "Swarm")])  # fmt: skip
    blues = named(b, "Blues")
    assert characteristic(b, blues, blues.models[0], "OC", control) == left
