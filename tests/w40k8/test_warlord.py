"""The Warlord and the three Warlord Traits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from sandtable.armies import open_pack
from sandtable.battle import DONE, GONE, Step
from sandtable.battle.events import Rolled
from sandtable.battle.scenario import UnitDoc, open_scenario
from sandtable.forty.enlist import Army, army_of, enlist
from sandtable.systems.w40k8 import attacks, morale, warlord
from sandtable.systems.w40k8.before_the_battle import before_deployment
from sandtable.systems.w40k8.datasheet import number_of
from sandtable.systems.w40k8.enlist import LISTS
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from support.acting import offered
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    blade,
    document,
    give,
    gun,
    kinds,
    melee,
    named,
    rolls,
    sheet,
    shootout,
    strikers,
    told,
    unit,
    wounds,
)

rule = pytest.mark.rule
LEGEND, LEADER, SURVIVOR = warlord.TRAITS
HERO = ["INFANTRY", "CHARACTER", "WARLORD"]


async def deployment(b: Battle8) -> Step:
    """Here the armies would deploy."""
    b.tell("deployment", "The armies deploy.")
    return DONE


BEFORE = replace(SYSTEM, segments={"turn": (before_deployment, deployment, *SYSTEM.segments["turn"][-3:])})


def mustered(red: Doc, blue: Doc, dice: list[int] | None = None) -> Battle8:
    """Two armies with these Warlords, before they deploy."""
    units = [unit("Reds", "red", red, [(10, 10)]), unit("Blues", "blue", blue, [(30, 10)])]
    doc = document(units, step="before_deployment", dice={"warlord trait": dice or [], "roll-off": [6, 1]})
    b: Battle8 = open_scenario(doc, BEFORE)
    for d in [d for d in b.decisions if d.kind == "order.before_deployment"]:
        b.answer(d, b.default(d))
    return b


def traits(b: Battle8) -> list[str]:
    """The traits of the players' Warlords."""
    return [p.trait for p in b.state.players]


COMMANDER = bare(name="Commander", keywords=HERO)
SERGEANT = bare(name="Sergeant", keywords=["INFANTRY", "WARLORD"])


@rule("w40k8.warlord.trait", check=1)
def test_a_warlord_who_is_no_character_has_no_trait() -> None:
    b = mustered(SERGEANT, COMMANDER)
    assert asked(b, "warlord_trait").player == 1
    give(b, "warlord_trait", "Inspiring Leader")
    assert (traits(b), kinds(b)) == (["", LEADER], [])


@rule("w40k8.warlord.trait", check=2)
def test_the_player_rolls_or_chooses() -> None:
    b = mustered(COMMANDER, COMMANDER, [6])
    choice = offered(b, "warlord_trait")
    give(b, "warlord_trait", "Inspiring Leader")
    give(b, "warlord_trait", "roll for it")
    assert choice == ["Inspiring Leader", "Legendary Fighter", "Tenacious Survivor", "roll for it"]
    assert (traits(b), rolls(b)[-1]) == ([LEADER, SURVIVOR], ("warlord trait", (6,)))


@rule("w40k8.warlord.trait", check=3)
def test_two_faces_of_a_die_bring_each_trait() -> None:
    found = []
    for face in range(1, 7):
        b = mustered(COMMANDER, SERGEANT, [face])
        give(b, "warlord_trait", "roll for it")
        found += traits(b)[:1]
    assert found == [LEGEND, LEGEND, LEADER, LEADER, SURVIVOR, SURVIVOR]


@rule("w40k8.warlord.trait", check=4)
def test_traits_are_known_before_anybody_deploys() -> None:
    b = mustered(COMMANDER, COMMANDER)
    give(b, "warlord_trait", "Legendary Fighter")
    before = told(b)
    give(b, "warlord_trait", "Inspiring Leader")
    assert (before[1:], told(b)[1:4]) == (["warlord_trait"], ["warlord_trait", "warlord_trait", "deployment"])


@rule("w40k8.warlord.trait", check=5)
def test_both_players_may_have_the_same_trait() -> None:
    b = mustered(COMMANDER, COMMANDER)
    give(b, "warlord_trait", "Legendary Fighter")
    give(b, "warlord_trait", "Legendary Fighter")
    assert traits(b) == [LEGEND, LEGEND]


@rule("w40k8.warlord.trait", check=2)
def test_who_has_a_trait_already_is_not_asked() -> None:
    units = [unit("Reds", "red", COMMANDER, [(10, 10)]), unit("Blues", "blue", COMMANDER, [(30, 10)])]
    doc = document(units, step="before_deployment", state={"red": {"trait": LEADER}})
    b: Battle8 = open_scenario(doc, BEFORE)
    assert (asked(b, "warlord_trait").player, traits(b)) == (1, [LEADER, ""])


@rule("w40k8.warlord.trait", check=1)
def test_an_army_without_a_warlord_has_no_trait_whoever_else_is_there() -> None:
    b = mustered(bare(name="Trooper"), bare(name="Hero", keywords=["CHARACTER"]))
    assert (traits(b), told(b)) == (["", ""], ["deployment"])


# --- Legendary Fighter ------------------------------------------------------------------------------------------------

FIGHTER = sheet(blade(), name="Red", attacks=4, keywords=HERO)


def blows(trait: str = LEGEND, **flags: Any) -> dict[str, int]:
    """How many attacks a Warlord with 4 makes who did this."""
    return strikers(melee(blade(), red=FIGHTER, flags=flags, state={"red": {"trait": trait}}))


@rule("w40k8.warlord.legendary_fighter", check=1)
def test_a_legendary_fighter_who_charged_makes_one_attack_more() -> None:
    assert list(blows(charged=True, declared=True, targets=(1,)).values()) == [5]


@rule("w40k8.warlord.legendary_fighter", check=2)
@rule("w40k8.warlord.legendary_fighter", check=3)
@rule("w40k8.warlord.legendary_fighter", check=5)
def test_without_a_charge_or_after_one_that_failed_or_a_heroic_intervention_there_is_no_more() -> None:
    done = [blows(), blows(declared=True), blows(intervened=True), blows(charged=True, targets=(1,))]
    assert [sum(found.values()) for found in done] == [4, 4, 4, 5]


@rule("w40k8.warlord.legendary_fighter", check=1)
def test_no_other_trait_and_no_other_model_makes_one_more() -> None:
    soldier = sheet(blade(), name="Red", attacks=4)
    charge = {"charged": True, "targets": (1,)}
    other = strikers(melee(blade(), red=soldier, flags=charge, state={"red": {"trait": LEGEND}}))
    assert (sum(blows(LEADER, **charge).values()), sum(other.values())) == (4, 4)


@rule("w40k8.warlord.legendary_fighter", check=4)
def test_the_attack_is_gone_in_the_next_turn() -> None:
    foe = bare(wounds=40)
    flags, dice = {"charged": True, "targets": (1,)}, {"hit": [1] * 9}
    b = melee(blade(), foe, red=FIGHTER, flags=flags, state={"red": {"trait": LEGEND}}, turns=2, dice=dice)
    first = sum(strikers(b).values())
    give(b, "strike", [{"weapon": "Red", "count": 5, "target": "Blues"}])
    assert (first, strikers_of(b)) == (5, 4)


def strikers_of(b: Battle8) -> int:
    """How many attacks the Reds make when they are next asked."""
    while kinds(b) and not (kinds(b) == ["strike"] and b.decisions[0].player == 0):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    rows: Any = asked(b, "strike")
    return sum(row.count for row in rows.rows)


# --- Inspiring Leader -------------------------------------------------------------------------------------------------


def inspired(*units: UnitDoc, trait: str = LEADER, at: Spots | None = None, **settings: Any) -> Battle8:
    """These units and a red Warlord at (10, 10), in the Morale phase."""
    leader = unit("Warlord", "red", COMMANDER, at or [(10, 10)])
    foes = unit("Blues", "blue", bare(), [(10, 4)])
    settings = {"step": "test_units", "state": {"red": {"trait": trait}}, **settings}
    return open_scenario(document([leader, foes, *units], **settings), SYSTEM)


def ld(b: Battle8, name: str) -> int:
    """The Leadership of a unit whose datasheet says 7."""
    return morale.leadership(b, named(b, name))


def squad_at(gap: float, count: int = 1, **flags: Any) -> UnitDoc:
    """Reds whose first model is so far to the right of the Warlord, and the others behind it."""
    return unit("Reds", "red", bare(name="Red"), [(11 + gap + 1.5 * i, 10) for i in range(count)], **flags)


@rule("w40k8.warlord.inspiring_leader", check=1)
@rule("w40k8.warlord.inspiring_leader", check=2)
def test_a_unit_with_any_model_within_six_inches_has_one_more_leadership() -> None:
    assert [ld(inspired(squad_at(gap, 4)), "Reds") for gap in (6, 6.01)] == [8, 7]


@rule("w40k8.warlord.inspiring_leader", check=3)
@rule("w40k8.warlord.inspiring_leader", check=4)
def test_the_warlords_own_unit_is_inspired_and_no_enemy() -> None:
    b = inspired(squad_at(20))
    assert (ld(b, "Warlord"), ld(b, "Blues")) == (8, 7)


@rule("w40k8.warlord.inspiring_leader", check=5)
def test_nobody_is_inspired_once_the_warlord_is_off_the_battlefield() -> None:
    b = inspired(squad_at(2))
    before = ld(b, "Reds")
    b.place_models(named(b, "Warlord").models, 3)
    after = ld(b, "Reds")
    b.place_models(named(b, "Warlord").models, 2)
    assert (before, after, ld(b, "Reds")) == (8, 7, 7)


@rule("w40k8.warlord.inspiring_leader", check=6)
def test_an_inspired_unit_of_leadership_7_passes_with_a_total_of_8() -> None:
    near = inspired(squad_at(2, 3, slain=3), dice={"morale": [5]})
    far = inspired(squad_at(7, 3, slain=3), dice={"morale": [5]})
    assert (told(near)[-1], told(far)[-1]) == ("morale_passed", "morale_failed")


@rule("w40k8.warlord.inspiring_leader", check=1)
def test_another_trait_and_another_characteristic_are_not_raised() -> None:
    b = inspired(squad_at(2))
    model = named(b, "Reds").models[0]
    assert (ld(inspired(squad_at(2), trait=LEGEND), "Reds"), number_of(b, model, "toughness")) == (7, 4)


# --- Tenacious Survivor -----------------------------------------------------------------------------------------------


def shot(damage: str, *dice: int, saves: tuple[int, ...] = (1,), shots: str = "1", **blue: Any) -> Battle8:
    """A blue Warlord with six wounds is hit and wounded, and tries to survive."""
    victim = bare(**{"wounds": 6, "save": 5, "keywords": HERO, **blue})
    count = int(shots)
    faces = {"hit": [6] * count, "wound": [6] * count, "save": list(saves), "feel no pain": list(dice)}
    weapon = gun(shots=shots, d=damage)
    return shootout(weapon, victim, dice=faces, state={"blue": {"trait": SURVIVOR}})


def thrown(b: Battle8) -> int:
    """How many dice were thrown to ignore wounds."""
    return sum(len(e.faces) for e in b.events if isinstance(e, Rolled) and e.reason == "feel no pain")


@rule("w40k8.warlord.tenacious_survivor", check=1)
def test_a_die_is_thrown_for_each_wound() -> None:
    b = shot("3", 6, 1, 6)
    assert (wounds(b, "Blues"), thrown(b)) == ([5], 3)


@rule("w40k8.warlord.tenacious_survivor", check=2)
def test_a_six_keeps_the_wound_and_a_five_does_not() -> None:
    assert (wounds(shot("1", 6), "Blues"), wounds(shot("1", 5), "Blues")) == ([6], [5])


@rule("w40k8.warlord.tenacious_survivor", check=2)
def test_nobody_but_the_warlord_keeps_wounds() -> None:
    assert [thrown(shot("1", 6, keywords=words)) for words in (["INFANTRY", "CHARACTER"], HERO)] == [0, 1]


async def doom(b: Battle8) -> Step:
    """Blues suffer two mortal wounds."""
    await attacks.inflict(b, named(b, "Blues"), 2)
    return DONE


DOOMED = replace(SYSTEM, segments={"turn": (doom, *SYSTEM.segments["turn"][-3:])})


@rule("w40k8.warlord.tenacious_survivor", check=3)
def test_it_works_against_mortal_wounds() -> None:
    blues = unit("Blues", "blue", bare(wounds=6, keywords=HERO), [(10, 10)])
    others = unit("Reds", "red", bare(), [(30, 10)])
    doc = document([others, blues], step="doom", dice={"feel no pain": [6, 5]}, state={"blue": {"trait": SURVIVOR}})
    b: Battle8 = open_scenario(doc, DOOMED)
    assert (wounds(b, "Blues"), thrown(b)) == ([5], 2)


@rule("w40k8.warlord.tenacious_survivor", check=4)
def test_no_dice_are_thrown_for_a_warlord_who_is_slain() -> None:
    b = shot("6", 1, 6, 1, 6, wounds=2)
    assert (alive(b, "Blues"), thrown(b), kinds(b)) == (0, 3, ["shoot_with"])


@rule("w40k8.warlord.tenacious_survivor", check=5)
def test_it_comes_after_a_failed_save() -> None:
    b = shot("1", 6, saves=(5, 4), shots="2")
    assert ([kind for kind, _ in rolls(b)][2:], wounds(b, "Blues")) == (["save", "feel no pain"], [6])


@rule("w40k8.warlord.tenacious_survivor", check=6)
def test_it_does_not_help_a_warlord_who_flees() -> None:
    doomed = unit("Blues", "blue", bare(wounds=6, keywords=HERO), [(30, 10)], slain=9)
    spared = unit("Others", "blue", bare(), [(40, 10)])
    reds = unit("Reds", "red", bare(), [(4, 4)])
    doc = document([reds, doomed, spared], step="test_units", dice=[6], state={"blue": {"trait": SURVIVOR}})
    b: Battle8 = open_scenario(doc, SYSTEM)
    assert (alive(b, "Blues"), thrown(b), thrown(shot("1", 6))) == (0, 0, 1)


@rule("w40k8.gap.ignore_stacking", check=1)
def test_a_lord_of_contagion_throws_a_second_die_when_the_first_fails() -> None:
    b = shot("2", 5, 4, 6, abilities=["disgustingly resilient"])
    assert (wounds(b, "Blues"), thrown(b)) == ([6], 3)


# --- Naming the Warlord -----------------------------------------------------------------------------------------------

READY = army_of(next(path for path in open_pack("w40k8").lists if path.stem == "death-guard-40-vanguard"))


def named_by(number: int) -> list[tuple[int, ...]]:
    """For each unit of a list which of its models are the Warlord, where the list names this unit."""
    chosen = [msgspec.structs.replace(u, warlord=i == number) for i, u in enumerate(READY.list.units)]
    army = Army(msgspec.structs.replace(READY.list, units=tuple(chosen)), READY.pack)
    units, _ = enlist(LISTS, army, 0, 0)
    return [tuple(i for i, m in enumerate(u.models) if "WARLORD" in m.sheet.keywords) for u in units]


@rule("w40k8.warlord.nominate", check=1)
@rule("w40k8.warlord.nominate", check=2)
def test_one_model_of_whichever_unit_is_named_is_the_warlord() -> None:
    count = len(READY.list.units)
    expected = [[(0,) if i == number else () for i in range(count)] for number in range(count)]
    assert [named_by(number) for number in range(count)] == expected


@rule("w40k8.warlord.nominate", check=3)
def test_the_warlord_stays_the_same_for_the_battle() -> None:
    units, _ = enlist(LISTS, READY, 0, 0)
    (chief,) = [m.sheet for u in units for m in u.models if "WARLORD" in m.sheet.keywords]
    lord = unit("Lord", "red", bare(name="Lord", keywords=list(chief.keywords)), [(10, 10)])
    more = unit("More", "red", bare(name="More", keywords=["CHARACTER"]), [(14, 10)])
    doc = document([lord, more, unit("Blues", "blue", bare(), [(30, 10)])], step="end_turn", turns=4)
    b: Battle8 = open_scenario(doc, SYSTEM)
    before = warlord.warlord_of(b, 0)
    b.place_models([before], GONE)
    give(b, "move_with", None)
    assert (warlord.warlord_of(b, 0), before) == (named(b, "Lord").models[0],) * 2
