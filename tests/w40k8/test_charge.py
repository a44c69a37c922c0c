"""The Charge phase: who may charge whom, Overwatch, and who intervenes heroically."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled, Told
from sandtable.battle.rulings import PutModel
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import judge, offered, refused_by
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    column,
    give,
    gun,
    kinds,
    last,
    named,
    rolls,
    sheet,
    situation,
    squad,
    stand,
    told,
    under,
    unit,
    wounds,
)

rule = pytest.mark.rule
RED: Doc = sheet(name="Red")
BLUE: Doc = bare(name="Blue")
RIFLE = gun("rapid fire", name="rifle")
GUNNER: Doc = sheet(RIFLE, name="Gunner")
FAILS = [1, 1] * 9


def field(*units: UnitDoc, **settings: Any) -> Battle8:
    """These units, in the Charge phase of red."""
    return situation(list(units), **{"step": "charge_phase", **settings})


def reds(name: str = "Reds", at: Spots | None = None, doc: Doc = RED, **flags: Any) -> UnitDoc:
    """A red unit, by default of one model at (10, 10)."""
    return unit(name, "red", doc, at or [(10, 10)], **flags)


def blues(name: str = "Blues", at: Spots | None = None, doc: Doc = BLUE, **flags: Any) -> UnitDoc:
    """A blue unit, by default of one model 7" from that."""
    return unit(name, "blue", doc, at or [(18, 10)], **flags)


OTHER_REDS = reds("Others", [(10, 20)])
"""Another red unit that may charge, so that there is something to choose."""


def declare(b: Battle8, who: str = "Reds", *targets: str) -> Battle8:
    """A unit charges these, or the only one there is."""
    give(stand(b), "charge_with", who)
    if targets:
        give(b, "charge_targets", list(targets))
    return b


def overwatch(b: Battle8, *, fires: bool = True, weapons: dict[str, int] | None = None) -> Battle8:
    """A target fires everything in Overwatch, or so many of each weapon, or nothing."""
    give(b, "overwatch", fires)
    if fires:
        question: Any = asked(b, "shoot")
        counts = weapons or {row.label: row.count for row in question.rows}
        target = question.targets[0].label
        give(b, "shoot", [{"weapon": name, "count": n, "target": target} for name, n in counts.items()])
    return b


def needed(b: Battle8, kind: str) -> list[int]:
    """The faces that the rolls of a kind needed."""
    return [e.read.needed for e in b.events if isinstance(e, Rolled) and e.reason == kind]


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k8.charge.sequence", check=1)
def test_a_charge_is_finished_before_the_next_is_declared() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(), dice={"charge": [1, 1]}))
    assert (told(b)[-2:], offered(b, "charge_with")) == (["charge_declared", "charge_failed"], ["Others"])


@rule("w40k8.charge.sequence", check=2)
def test_overwatch_comes_before_the_charge_roll() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(doc=GUNNER), dice={"charge": [1, 1], "hit": [1, 1]}))
    before = rolls(b)
    overwatch(b)
    assert (before, rolls(b)) == ([], [("hit", (1, 1)), ("charge", (1, 1))])


@rule("w40k8.attack.allocate")
@pytest.mark.parametrize("at", [[(8.5, 10), (10, 10)], [(10, 10), (8.5, 10)]])
def test_who_is_shot_at_before_a_charge_rather_loses_the_model_that_is_further_off(at: Spots) -> None:
    dice = {"hit": [6, 6], "wound": [6, 1], "charge": [3, 1]}
    b = declare(field(reds(at=at, doc=bare(name="Red")), OTHER_REDS, blues(at=[(16, 10)], doc=GUNNER), dice=dice))
    overwatch(b)
    assert (alive(b, "Reds"), kinds(b)) == (1, ["charge_move"])


@rule("w40k8.charge.sequence", check=3)
def test_nobody_has_to_charge() -> None:
    b = field(reds(), OTHER_REDS, blues())
    give(b, "charge_with", None)
    assert (told(b)[-1], kinds(b)) == ("phase", [])


# --- Who may charge ---------------------------------------------------------------------------------------------------


def may_charge(*units: UnitDoc, **settings: Any) -> list[str]:
    """Who of these is offered to charge, beside the others."""
    return offered(field(*units, OTHER_REDS, blues("Far", [(20, 20)]), **settings), "charge_with")


@rule("w40k8.charge.eligible", check=1)
@rule("w40k8.concept.within", check=1)
@pytest.mark.parametrize(("x", "ready"), [(23.0, ["Others", "Reds"]), (23.01, ["Others"])])
def test_an_enemy_exactly_12_inches_away_is_near_enough(x: float, ready: list[str]) -> None:
    assert may_charge(reds(at=[(10, 4)]), blues(at=[(x, 4)])) == ready


@rule("w40k8.charge.eligible", check=1)
def test_the_12_inches_are_judged_when_the_unit_is_chosen() -> None:
    b = field(reds(at=[(10, 4)]), OTHER_REDS, blues(at=[(14, 4)], doc=bare(name="Blue")), blues("Far", [(20, 20)]))
    before = offered(b, "charge_with")
    b.rule(PutModel(named(b, "Blues").models[0], steps(40), steps(4)))
    refused_by(b, "charge_with", "Reds", "w40k8.charge.eligible")
    assert (before, offered(b, "charge_with")) == (["Others", "Reds"], ["Others"])


@rule("w40k8.charge.eligible", check=2)
@rule("w40k8.charge.eligible", check=3)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
@pytest.mark.parametrize("doc", [sheet(gun(), name="Red"), sheet(name="Red", keywords=["FLY"])])
def test_a_unit_that_advanced_or_fell_back_does_not_charge(moved: str, doc: Doc) -> None:
    b = field(reds(moved=moved, doc=doc), OTHER_REDS, blues())
    refused_by(b, "charge_with", "Reds", "w40k8.charge.eligible")
    assert offered(b, "charge_with") == ["Others"]


@rule("w40k8.charge.eligible", check=(2, 3))
def test_a_unit_that_moved_charges() -> None:
    assert may_charge(reds(moved="normal"), blues()) == ["Others", "Reds"]


@rule("w40k8.charge.eligible", check=4)
@pytest.mark.parametrize(("gap", "ready"), [(1.0, ["Others"]), (1.01, ["Others", "Reds"])])
def test_a_unit_within_1_inch_of_an_enemy_when_the_phase_begins_does_not_charge(gap: float, ready: list[str]) -> None:
    assert may_charge(reds(at=[(10, 4), (10, 5.5)]), blues(at=[(11 + gap, 5.5)])) == ready


@rule("w40k8.charge.eligible", check=4)
def test_the_1_inch_is_judged_as_the_phase_begins() -> None:
    b = field(reds(at=[(10, 4)]), OTHER_REDS, blues(at=[(11, 4)]), blues("Far", [(20, 20)]))
    b.rule(PutModel(named(b, "Blues").models[0], steps(20), steps(4)))
    refused_by(b, "charge_with", "Reds", "w40k8.charge.eligible")
    assert offered(b, "charge_with") == ["Others"]


@rule("w40k8.charge.eligible", check=5)
@pytest.mark.parametrize("flags", [{"arrived": True}, {"disembarked": "out"}])
def test_a_unit_that_arrived_or_disembarked_charges(flags: Doc) -> None:
    assert may_charge(reds(**flags), blues()) == ["Others", "Reds"]


@rule("w40k8.charge.eligible", check=6)
def test_a_unit_that_shot_charges_anybody() -> None:
    near = blues("Near", [(10, 16)])
    b = field(reds(doc=sheet(gun(), name="Red")), OTHER_REDS, blues(), near, step="shoot_units", dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    declare(b)
    assert offered(b, "charge_targets") == ["Blues", "Near"]


@rule("w40k8.charge.once", check=1)
def test_a_unit_that_failed_does_not_try_again_in_the_phase() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(), dice={"charge": FAILS}, turns=3))
    refused_by(b, "charge_with", "Reds", "w40k8.charge.once")
    first = offered(b, "charge_with")
    give(b, "charge_with", None)
    give(stand(b), "charge_with", None)
    stand(b)
    assert (first, offered(b, "charge_with")) == (["Others"], ["Others", "Reds"])


# --- Whom -------------------------------------------------------------------------------------------------------------


@rule("w40k8.charge.targets", check=1)
@pytest.mark.parametrize(("x", "targets"), [(23.0, ["Blues", "Edge"]), (23.01, ["Blues"])])
def test_every_target_is_within_12_inches(x: float, targets: list[str]) -> None:
    third = blues("Third", [(10, 13)])
    b = declare(field(reds(at=[(10, 4)]), OTHER_REDS, blues(at=[(15, 4)]), blues("Edge", [(x, 4)]), third))
    assert offered(b, "charge_targets") == [*targets, "Third"]


@rule("w40k8.charge.targets", check=2)
def test_several_targets_may_be_named() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(), blues("Near", [(10, 16)]), dice={"charge": [1, 1]}))
    assert not judge(b, "charge_targets", [])
    give(b, "charge_targets", ["Blues", "Near"])
    assert declared(b) == ["Blues", "Near"]


def declared(b: Battle8) -> list[str]:
    """The targets of the last charge that was declared."""
    event = [e for e in b.events if isinstance(e, Told) and e.kind == "charge_declared"][-1]
    return [b.unit(u).name for u in event.units[1:]]


@rule("w40k8.charge.targets", check=3)
def test_a_target_need_not_be_visible() -> None:
    wall = FeatureDoc("wall", "wall", "A wall", (14.0, 1.0, 0.2, 28.0), height=8, solid=True)
    b = declare(field(reds(), OTHER_REDS, blues(), terrain=[wall], dice={"charge": [1, 1]}))
    assert declared(b) == ["Blues"]


@rule("w40k8.charge.targets", check=4)
def test_an_enemy_that_friends_fight_may_be_charged() -> None:
    friends = reds("Friends", [(18, 11)])
    b = declare(field(reds(), OTHER_REDS, friends, blues(), dice={"charge": [1, 1]}))
    assert declared(b) == ["Blues"]


@rule("w40k8.charge.targets", check=5)
def test_targets_are_named_before_any_overwatch() -> None:
    b = field(reds(), OTHER_REDS, blues(doc=GUNNER), blues("Near", [(10, 16)]), dice={"hit": [1, 1], "charge": [1, 1]})
    declare(b, "Reds", "Blues")
    asked_then = kinds(b)
    overwatch(b)
    assert (asked_then, kinds(b), declared(b)) == (["overwatch"], ["charge_with"], ["Blues"])


# --- Overwatch --------------------------------------------------------------------------------------------------------


@rule("w40k8.charge.overwatch", check=1)
def test_overwatch_is_free_and_nobody_has_to_fire() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(doc=GUNNER), dice={"charge": [1, 1]}))
    by = asked(b, "overwatch").player
    overwatch(b, fires=False)
    assert (by, rolls(b)) == (1, [("charge", (1, 1))])


@rule("w40k8.charge.overwatch", check=2)
def test_only_targets_fire_and_only_at_the_chargers() -> None:
    more = [blues("Near", [(18, 14)], GUNNER), blues("Third", [(18, 6)], GUNNER)]
    dice = {"hit": [1] * 4, "charge": [1, 1]}
    b = declare(field(reds(), OTHER_REDS, blues(doc=GUNNER), *more, dice=dice), "Reds", "Blues", "Near")
    first = asked(b, "overwatch").unit
    give(b, "overwatch", True)
    question: Any = asked(b, "shoot")
    at = [t.label for t in question.targets]
    give(b, "shoot", [{"weapon": "rifle", "target": "Reds"}])
    second = asked(b, "overwatch").unit
    overwatch(b)
    assert ([b.unit(u).name for u in (first, second)], at, kinds(b)) == (["Blues", "Near"], ["Reds"], ["charge_with"])


@rule("w40k8.charge.overwatch", check=3)
def test_overwatch_needs_range_and_sight() -> None:
    wall = FeatureDoc("wall", "wall", "A wall", (14.0, 1.0, 0.2, 28.0), height=8, solid=True)
    hidden = field(reds(), OTHER_REDS, blues(doc=GUNNER), terrain=[wall], dice={"charge": [1, 1]})
    short = field(reds(), OTHER_REDS, blues(doc=sheet(gun(range_=6))), dice={"charge": [1, 1]})
    enough = field(reds(), OTHER_REDS, blues(doc=sheet(gun(range_=7))), dice={"charge": [1, 1]})
    assert [kinds(declare(b)) for b in (hidden, short, enough)] == [["charge_with"], ["charge_with"], ["overwatch"]]


@rule("w40k8.charge.overwatch", check=3)
def test_one_weapon_that_reaches_is_enough_for_overwatch() -> None:
    doc = sheet(gun(range_=6), gun(name="other"), name="Gunner")
    assert kinds(declare(field(reds(), OTHER_REDS, blues(doc=doc), dice={"charge": [1, 1]}))) == ["overwatch"]


@rule("w40k8.charge.overwatch", check=4)
@rule("w40k8.weapon.rapid_fire", check=5)
@rule("w40k8.weapon.grenade", check=5)
def test_weapon_types_work_as_usual_in_overwatch() -> None:
    doc = sheet(RIFLE, gun("grenade", name="grenade", range_=8), gun("pistol", name="pistol", range_=12), name="Gunner")
    b = field(reds(), OTHER_REDS, blues(at=column(3, 18, 8.5), doc=doc), dice={"hit": [1] * 4, "charge": [1, 1]})
    declare(b)
    give(b, "overwatch", True)
    two = [{"weapon": "grenade", "count": 2, "target": "Reds"}]
    refused_by(b, "shoot", two, "w40k8.weapon.grenade")
    both = [{"weapon": "rifle", "count": 2, "target": "Reds"}, {"weapon": "pistol", "count": 2, "target": "Reds"}]
    refused_by(b, "shoot", both, "w40k8.weapon.pistol_choice")
    give(b, "shoot", [{"weapon": n, "count": 1, "target": "Reds"} for n in ("rifle", "grenade", "pistol")])
    assert rolls(b)[:3] == [("hit", (1, 1)), ("hit", (1,)), ("hit", (1,))]


@rule("w40k8.charge.overwatch", check=5)
@rule("w40k8.cover.scope", check=2)
def test_wounds_saves_cover_and_damage_are_as_usual_in_overwatch() -> None:
    woods = FeatureDoc("woods", "woods", "Woods", (8.0, 8.0, 4.0, 4.0))
    doc = sheet(gun("heavy", shots="2", ap=-1, d="2"), name="Gunner")
    dice = {"hit": [6, 6], "wound": [4, 3], "save": [2], "charge": [1, 1]}
    b = field(reds(doc=sheet(name="Red", wounds=5)), OTHER_REDS, blues(doc=doc), terrain=[woods], dice=dice)
    overwatch(declare(b))
    assert (needed(b, "save"), wounds(b, "Reds")) == ([3], [3])


@rule("w40k8.charge.overwatch", check=6)
def test_who_falls_to_overwatch_counts_as_slain_this_turn() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2], "charge": [1, 1]}
    b = overwatch(declare(field(reds(at=column(3, 10)), OTHER_REDS, blues(doc=GUNNER), dice=dice)))
    assert (alive(b, "Reds"), squad(b, "Reds").slain) == (1, 2)


@rule("w40k8.charge.overwatch", check=7)
@pytest.mark.parametrize("moved", ["advance", "normal", "fall_back"])
def test_whoever_advanced_or_fell_back_in_its_own_turn_fires(moved: str) -> None:
    units = [reds(), OTHER_REDS, blues(doc=GUNNER, moved=moved)]
    b = field(*units, step="end_turn", active="blue", turns=2, dice={"hit": [1, 1], "charge": [1, 1]})
    overwatch(declare(b))
    assert rolls(b) == [("hit", (1, 1)), ("charge", (1, 1))]


@rule("w40k8.charge.overwatch", check=8)
def test_a_character_is_fired_at_though_others_are_nearer() -> None:
    hero = reds("Hero", doc=sheet(name="Hero", keywords=["CHARACTER"]))
    b = field(hero, reds("Guards", [(14, 10.5)]), blues(doc=GUNNER), dice={"hit": [1, 1], "charge": [1, 1]})
    overwatch(declare(b, "Hero"))
    assert rolls(b)[0] == ("hit", (1, 1))


# --- Sixes ------------------------------------------------------------------------------------------------------------


def volley(added: int, *faces: int, skill: int = 3, **gunner: Any) -> int:
    """How many of these faces hit in Overwatch, with so much added."""
    doc = sheet(gun(gunner.pop("type_", "assault"), shots=f"{len(faces)}"), name="Gunner", ballistic_skill=skill)
    dice = {"hit": list(faces), "wound": [1] * 6, "charge": [1, 1]}
    b = field(reds(), OTHER_REDS, blues(doc=doc, **gunner), dice=dice)
    under(b, "hit", added, "Blues")
    hits: int = last(overwatch(declare(b)))["hits"]
    return hits


@rule("w40k8.charge.overwatch_six", check=1)
@pytest.mark.parametrize("added", [0, -1, -4])
def test_a_6_hits_whatever_is_taken_off(added: int) -> None:
    assert volley(added, 6, 6) == 2


@rule("w40k8.charge.overwatch_six", check=2)
@pytest.mark.parametrize("added", [0, 1, 3])
def test_a_5_misses_whatever_is_added(added: int) -> None:
    assert volley(added, 1, 2, 3, 4, 5, 6, skill=2) == 1


@rule("w40k8.charge.overwatch_six", check=2)
def test_outside_overwatch_the_ballistic_skill_counts() -> None:
    red = reds(doc=sheet(gun(shots="2"), name="Red"))
    b = field(red, OTHER_REDS, blues(), step="shoot_units", dice={"hit": [3, 5], "wound": [1, 1]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert last(b)["hits"] == 2


@rule("w40k8.charge.overwatch_six", check=3)
def test_heavy_weapons_have_no_penalty_in_overwatch() -> None:
    assert volley(0, 5, 6, type_="heavy", moved="normal") == 1


@rule("w40k8.charge.overwatch_six", check=4)
def test_hit_rolls_are_made_again_in_overwatch_if_a_rule_says_so() -> None:
    doc = sheet(gun(shots="2"), name="Gunner", ballistic_skill=3)
    b = field(reds(), OTHER_REDS, blues(doc=doc), dice={"hit": [6, 5, 6], "wound": [1, 1], "charge": [1, 1]})
    under(b, "reroll_hits", "failures", "Blues")
    assert last(overwatch(declare(b)))["hits"] == 2


@rule("w40k8.charge.overwatch_six", check=5)
def test_four_hit_rolls_with_two_sixes_slay_two_plague_marines() -> None:
    rifle = gun("rapid fire", name="bolt rifle", range_=30, ap=-1)
    dice = {"hit": [6, 3, 6, 5], "wound": [4, 5], "save": [3, 2], "charge": [1, 1]}
    marines = reds("Plague Marines", column(5, 10), sheet(name="Plague Marine"))
    b = field(marines, OTHER_REDS, blues("Intercessors", column(2, 17), sheet(rifle, wounds=2)), dice=dice)
    overwatch(declare(b, "Plague Marines"))
    assert (last(b)["hits"], alive(b, "Plague Marines")) == (2, 3)


@rule("w40k8.sheet.ballistic_skill_dash", check=2)
def test_a_model_with_a_dash_for_its_ballistic_skill_fires_no_overwatch() -> None:
    b = field(reds(), OTHER_REDS, blues(doc=sheet(gun(), ballistic_skill=None)), dice={"charge": [1, 1]})
    assert (kinds(declare(b)), rolls(b)) == (["charge_with"], [("charge", (1, 1))])


# --- How often --------------------------------------------------------------------------------------------------------

THREE = [reds(f"Red {i}", [(10, 4.0 + 3 * i)]) for i in range(3)]


@rule("w40k8.charge.overwatch_repeat", check=1)
@rule("w40k8.charge.overwatch_repeat", check=4)
def test_a_unit_fires_at_each_of_three_charges_that_fail() -> None:
    b = field(*THREE, blues(at=[(20, 7)], doc=GUNNER), dice={"hit": [1] * 6, "charge": FAILS})
    for red in THREE:
        overwatch(declare(b, red.name))
    assert rolls(b) == [("hit", (1, 1)), ("charge", (1, 1))] * 3


@rule("w40k8.charge.overwatch_repeat", check=2)
@rule("w40k8.charge.overwatch_repeat", check=3)
@rule("w40k8.weapon.pistol_combat", check=6)
@pytest.mark.parametrize("weapon", [RIFLE, gun("pistol", name="pistol")])
@pytest.mark.parametrize(("gap", "fires"), [(1.0, ["charge_with"]), (1.01, ["overwatch"])])
def test_with_an_enemy_within_1_inch_nobody_fires_overwatch(weapon: Doc, gap: float, fires: list[str]) -> None:
    friends = reds("Friends", [(18, 11 + gap)])
    b = field(reds(), OTHER_REDS, friends, blues(doc=sheet(weapon, name="Gunner")), dice={"charge": [1, 1]})
    assert kinds(declare(b)) == fires


@rule("w40k8.charge.overwatch_repeat", check=(2, 3))
@rule("w40k8.weapon.pistol_combat", check=6)
@pytest.mark.parametrize(("gap", "fires"), [(1.0, ["charge_move"]), (1.01, ["overwatch"])])
def test_pistols_stay_silent_too_though_the_chargers_are_nearest_to_them(gap: float, fires: list[str]) -> None:
    gunners = blues(at=[(18, 10), (18, 12)], doc=sheet(gun("pistol", name="pistol"), name="Gunner"))
    friends = reds("Friends", [(18, 13 + gap)])
    b = field(reds(at=[(15, 10)]), OTHER_REDS, friends, gunners, dice={"charge": [1, 1]})
    assert kinds(declare(b)) == fires


@rule("w40k8.charge.overwatch_repeat", check=5)
def test_a_second_target_fires_though_the_first_may_not() -> None:
    friends = reds("Friends", [(18, 11)])
    near = blues("Near", [(18, 16)], GUNNER)
    b = field(reds(), OTHER_REDS, friends, blues(doc=GUNNER), near, dice={"charge": [1, 1]})
    declare(b, "Reds", "Blues", "Near")
    assert (kinds(b), b.unit(asked(b, "overwatch").unit).name) == (["overwatch"], "Near")


@rule("w40k8.charge.fail", check=3)
def test_losses_from_overwatch_remain_when_the_charge_fails() -> None:
    dice = {"hit": [6, 1], "wound": [6], "save": [2], "charge": [1, 1]}
    b = overwatch(declare(field(reds(at=column(3, 10)), OTHER_REDS, blues(doc=GUNNER), dice=dice)))
    assert (told(b)[-1], alive(b, "Reds")) == ("charge_failed", 2)


@rule("w40k8.concept.unit", check=1)
def test_a_unit_may_be_a_single_model() -> None:
    b = declare(field(reds(), OTHER_REDS, blues(), dice={"charge": [1, 1]}))
    assert (squad(b, "Reds").models, declared(b)) == ((0,), ["Blues"])


@rule("w40k8.concept.unit", check=2)
def test_each_model_is_in_one_unit() -> None:
    b = field(reds(at=column(2, 10)), OTHER_REDS, blues(at=column(3, 18)))
    assert ([u.models for u in b.units()], offered(b, "charge_with")) == (
        [(0, 1), (2,), (3, 4, 5)], ["Others", "Reds"],
    )  # fmt: skip


@rule("w40k8.concept.unit", check=3)
def test_a_unit_that_falls_to_overwatch_charges_nobody() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2]}
    near = blues("Near", [(10, 16)], GUNNER)
    b = field(reds(), OTHER_REDS, blues(doc=GUNNER), near, dice=dice)
    overwatch(declare(b, "Reds", "Blues", "Near"))
    assert (alive(b, "Reds"), rolls(b)[-1][0], offered(b, "charge_with")) == (0, "save", ["Others"])
