"""Attached units, and abilities: who has them, how far they reach, and how long they last."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.errors import UserError
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.attack_rolls import modifiers, working
from sandtable.forty.effects.words import AttackMade
from sandtable.systems.w40k11.abilities import still_giving
from sandtable.systems.w40k11.attached_units import form_attached_units
from sandtable.systems.w40k11.attack_sequence import toughness
from sandtable.systems.w40k11.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k11.cover import in_cover
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import character, column, done, duel, face_off, gun, hurt, outcomes, shoot, target
from w40k11.table import Doc, default, feature, give, named, offered, rolls, sheet, situation, unit

rule = pytest.mark.rule


def escort(guards: int = 2, *, guard: Doc | None = None, chief: Doc | None = None, **more: Any) -> list[Any]:
    """A Leader with bodyguards of Blue."""
    return [
        unit("Guard", "blue", target(**(guard or {})), column(guards, 21, 14), **more),
        unit("Chief", "blue", character(**{"wounds": 3, **(chief or {})}), [(23, 14)], leads="Guard"),
    ]


def aide(name: str = "Aide", post: str = "support", at: float = 15.5, **more: Any) -> Any:
    """Somebody who joins the Guard in Support."""
    return unit(name, "blue", character(name=name, abilities=[post], **more), [(23, at)], leads="Guard")


def power(whose: str, effect: Doc, name: str = "Gift", **more: Any) -> Doc:
    return {"name": name, "unit": whose, "effects": [effect], **more}


def attacked(weapon: Doc | list[Doc], dice: Doc, units: list[Any], **more: Any) -> Battle11:
    """Reds have shot at the Guard."""
    return shoot(face_off(weapon, more=units, dice=dice, **more), at="Guard")


NO_PAIN: Doc = {"kind": "feel_no_pain", "value": 2}
ONE: Doc = {"hit": [5], "wound": [5]}


# --- Forming ----------------------------------------------------------------------------------------------------------


@rule("w40k11.attached.form", check=1)
def test_an_attached_unit_acts_as_one() -> None:
    arms = [gun(), {"name": "blade", "attacks": "1", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}]
    reds = unit("Guard", "red", target(weapons=arms), column(2, 10))
    chief = unit("Chief", "red", character(weapons=[gun(name="pistol", strength=5)]), [(12, 8)], leads="Guard")
    foes = unit("Blues", "blue", target(wounds=9), [(21, 8)])
    b = situation([reds, chief, foes], step="shoot_units", dice={"hit": [1] * 3})
    give(b, "shoot_with", "Guard")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("gun", "pistol")])
    assert ([o["attacks"] for o in outcomes(b)], "Guard" in offered(b, "charge_with")) == ([2, 1], True)


@rule("w40k11.attached.form", check=2)
@rule("w40k11.unit.leader_support", check=1)
def test_a_leader_and_a_support_unit_join_the_same_bodyguards() -> None:
    b = situation([*escort(), aide(), unit("Reds", "red", target(), [(3, 3)])])
    assert (len(named(b, "Guard").models), named(b, "Guard").leader_names) == (4, ("Chief", "Aide"))


@rule("w40k11.attached.form", check=3)
@pytest.mark.parametrize("post", ["leader", "support"])
def test_two_leaders_or_two_support_units_may_not_join_the_same_bodyguards(post: str) -> None:
    reds = unit("Reds", "red", target(), [(3, 3)])
    guard = escort()[0]
    with pytest.raises(UserError, match=f"Guard has a {post.title()} already: Aide"):
        situation([guard, aide(post=post), aide("Other", post, 18), reds])


@rule("w40k11.attached.form", check=3)
@pytest.mark.parametrize(("leads", "known"), [(["Somebody"], "Somebody"), ([], "nobody")])
def test_who_can_lead_others_only_does_not_join(leads: list[str], known: str) -> None:
    reds = unit("Reds", "red", target(), [(3, 3)])
    with pytest.raises(UserError, match=f"Aide can lead {known}, not Target"):
        situation([escort()[0], aide(leads=leads), reds])


@rule("w40k11.attached.form", check=3)
@pytest.mark.parametrize("guard", ["Nobody", "Reds"])
def test_who_is_not_of_the_army_is_not_joined(guard: str) -> None:
    reds = unit("Reds", "red", target(), [(3, 3)])
    lone = unit("Aide", "blue", character(), [(23, 14)], leads=guard)
    with pytest.raises(UserError, match=f"cannot be attached to '{guard}'"):
        situation([escort()[0], lone, reds])


# --- Attacks at them --------------------------------------------------------------------------------------------------


@rule("w40k11.attached.toughness", check=1)
def test_the_toughness_of_bodyguards_counts() -> None:
    b = situation([*escort(chief={"toughness": 6}), unit("Reds", "red", target(), [(3, 3)])])
    assert toughness(b, named(b, "Guard")) == 4


@rule("w40k11.attached.toughness", check=2)
def test_of_mixed_bodyguards_the_highest_toughness_counts() -> None:
    units = escort(chief={"toughness": 3, "leads": ["Target", "Brute"]})
    units[0].loadout = [{"models": [1], "sheet": target(name="Brute", toughness=5)}]
    b = situation([*units, unit("Reds", "red", target(), [(3, 3)])])
    assert toughness(b, named(b, "Guard")) == 5


@rule("w40k11.attached.toughness", check=3)
def test_without_bodyguards_the_highest_toughness_of_the_others_counts() -> None:
    """The first batch destroys the bodyguard, and the second meets the Toughness of the Chief."""
    units = [*escort(1, chief={"toughness": 6}), aide(toughness=3)]
    arms = [gun(), gun(name="other gun", strength=5)]
    b = attacked(arms, {"hit": [5, 5], "wound": [5, 4]}, units)
    default(b, "groups")
    assert ([o["wounds"] for o in outcomes(b)], toughness(b, named(b, "Guard"))) == ([1, 0], 6)


@rule("w40k11.attached.destroyed", check=1)
def test_the_end_of_the_bodyguards_is_not_the_end_of_the_unit() -> None:
    b = attacked(gun(), ONE, escort(1))
    assert outcomes(b, "unit_destroyed") == []


@rule("w40k11.attached.destroyed", check=2)
def test_the_whole_attached_unit_is_destroyed_once() -> None:
    b = attacked(gun(attacks="2"), {"hit": [5, 5], "wound": [5, 5]}, escort(1, chief={"wounds": 1}))
    assert [e["part"] for e in outcomes(b, "unit_destroyed")] == ["unit"]


# --- Keywords ---------------------------------------------------------------------------------------------------------


@rule("w40k11.attached.keywords", check=2)
def test_a_bodyguard_does_not_become_a_character() -> None:
    b = situation([*escort(), unit("Reds", "red", target(), [(3, 3)])])
    guard = named(b, "Guard")
    found = [model_has_keyword(b, m, "CHARACTER") for m in guard.models]
    assert (has_keyword(b, guard, "CHARACTER"), found) == (True, [False, False, True])


@rule("w40k11.attached.keywords", check=3)
@pytest.mark.parametrize(("keyword", "covered"), [("INFANTRY", True), ("VEHICLE", False)])
def test_cover_is_asked_of_the_own_keywords_of_each_model(keyword: str, covered: bool) -> None:
    """All stand in woods, but those shelter only who is on foot."""
    woods = [feature("woods", (18, 11, 8, 8), 3)]
    units = escort(chief={"keywords": [keyword, "CHARACTER"]})
    b = situation([*units, unit("Reds", "red", target(), [(20, 3)])], woods)
    assert in_cover(b, named(b, "Reds"), 0, named(b, "Guard")) is covered


@rule("w40k11.appendix.mixed_keywords", check=1)
def test_a_unit_has_all_keywords_of_its_models() -> None:
    walker = [{"models": [2], "sheet": target(name="Walker", keywords=["VEHICLE"])}]
    b = situation(
        [unit("Reds", "red", target(), column(2, 10), loadout=walker), unit("B", "blue", target(), [(30, 9)])]
    )
    assert [has_keyword(b, named(b, "Reds"), k) for k in ("VEHICLE", "INFANTRY", "MONSTER")] == [True, True, False]


@rule("w40k11.appendix.mixed_keywords", check=2)
def test_a_model_has_only_its_own_keywords() -> None:
    walker = [{"models": [2], "sheet": target(name="Walker", keywords=["VEHICLE"])}]
    b = situation(
        [unit("Reds", "red", target(), column(2, 10), loadout=walker), unit("B", "blue", target(), [(30, 9)])]
    )
    models = named(b, "Reds").models
    assert [model_has_keyword(b, m, "VEHICLE") for m in models] == [False, True]


# --- Abilities of attached units --------------------------------------------------------------------------------------


@rule("w40k11.attached.abilities", check=1)
def test_an_ability_of_a_leader_reaches_the_bodyguards() -> None:
    gift = power("Guard", {**NO_PAIN, "who": "led"}, models=[3])
    b = attacked(gun(), {**ONE, "feel no pain": [2]}, escort(), abilities=[gift])
    assert hurt(b, "Guard") == [1, 1, 3]


@rule("w40k11.attached.abilities", check=2)
def test_it_ends_with_the_last_model_of_the_leader() -> None:
    gift = power("Guard", {**NO_PAIN, "who": "led"}, models=[3])
    units = [*escort(chief={"wounds": 1}), unit("More", "red", sheet(gun(name="rifle"), name="More"), [(10, 12)])]
    dice = {"hit": [5, 5], "wound": [5, 5], "feel no pain": [1]}
    b = face_off(gun("precision"), more=units, dice=dice, abilities=[gift])
    shoot(b, at="Guard")
    give(b, "aim", named(b, "Guard").models[2])
    shoot(b, "More", "Guard")
    assert ([kind for kind, _ in rolls(b)].count("feel no pain"), sum(hurt(b, "Guard"))) == (1, 1)


@rule("w40k11.attached.abilities", check=3)
def test_an_ability_of_bodyguards_reaches_the_leader_until_the_last_of_them_is_destroyed() -> None:
    gift = power("Guard", {**NO_PAIN, "who": "unit"}, models=[1, 2])
    units = [
        *escort(2, chief={"wounds": 2}),
        unit("More", "red", sheet(gun(attacks="3", name="rifle"), name="More"), [(10, 12)]),
    ]
    dice = {"hit": [5] * 5, "wound": [5] * 5, "feel no pain": [2, 1, 1, 1]}
    b = face_off(gun("precision"), more=units, dice=dice, abilities=[gift])
    shoot(b, at="Guard")
    give(b, "aim", named(b, "Guard").models[2])
    reached = hurt(b, "Guard")
    shoot(b, "More", "Guard")
    shoot(b, "Spares", "Guard")
    assert (reached, [kind for kind, _ in rolls(b)].count("feel no pain"), hurt(b, "Guard")) == (
        [1, 1, 2],
        4,
        [0, 0, 0],
    )


@rule("w40k11.attached.abilities", check=4)
def test_an_ability_of_one_model_reaches_no_other() -> None:
    gift = power("Guard", {**NO_PAIN, "who": "model"}, models=[3])
    b = attacked(gun(attacks="3"), {"hit": [5] * 3, "wound": [5] * 3, "feel no pain": [2]}, escort(), abilities=[gift])
    assert hurt(b, "Guard") == [0, 0, 3]


@rule("w40k11.attached.leader_alone", check=1)
def test_a_leader_without_bodyguards_keeps_what_depends_on_leading() -> None:
    gift = power("Guard", {**NO_PAIN, "who": "led"}, models=[2])
    units = [*escort(1), unit("More", "red", sheet(gun(name="rifle"), name="More"), [(10, 12)])]
    dice = {"hit": [5, 5], "wound": [5, 5], "feel no pain": [1, 2]}
    b = face_off(gun(), more=units, dice=dice, abilities=[gift])
    shoot(b, at="Guard")
    shoot(b, "More", "Guard")
    assert (hurt(b, "Guard"), rolls(b)[-1]) == ([0, 3], ("feel no pain", (2,)))


def late(batches: int) -> Battle11:
    """Reds aimed at the Chief, who gives Feel No Pain, and then shot at the Guard so often; More shot after them."""
    gift = power("Guard", {**NO_PAIN, "who": "led"}, models=[4])
    more = unit("More", "red", sheet(gun(name="rifle", strength=6), name="More"), [(10, 12)])
    arms = [gun("precision"), gun(name="other gun", strength=5, attacks=f"{batches}")]
    dice = {"hit": [5] * 9, "wound": [5] * 9, "feel no pain": [1, 2, 2, 2]}
    b = face_off(arms, more=[*escort(3, chief={"wounds": 1}), more], dice=dice, abilities=[gift])
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Guard"} for w in ("gun", "other gun")])
    give(b, "aim", named(b, "Guard").models[3])
    return b


@rule("w40k11.attached.ability_until_attacks_end", check=1)
def test_what_a_destroyed_leader_gave_works_until_the_attacks_are_over() -> None:
    b = late(2)
    assert (hurt(b, "Guard"), rolls(b)[-2:]) == (
        [1, 1, 1, 0],
        [("feel no pain", (2,)), ("feel no pain", (2,))],
    )


@rule("w40k11.attached.ability_until_attacks_end", check=2)
def test_it_ends_before_the_next_unit_attacks() -> None:
    b = late(1)
    shoot(b, "More", "Guard")
    assert (sum(hurt(b, "Guard")), [kind for kind, _ in rolls(b)].count("feel no pain")) == (2, 2)


@rule("w40k11.attached.ability_until_attacks_end", check=1)
def test_only_models_of_attached_units_go_on_giving_and_only_their_own() -> None:
    b = face_off(gun(), more=escort())
    guard, blues = named(b, "Guard"), named(b, "Blues")
    b.set_game(down=(guard.models[2], blues.models[0]))
    gifts = [Ability("Gift", "", 0, models, 1) for models in (guard.models[2:], guard.models[:1], blues.models)]
    assert [still_giving(b, gift) for gift in gifts] == [[guard.models[2]], [], []]


# --- Auras ------------------------------------------------------------------------------------------------------------


def aura(unit_: str = "Banner", name: str = "Banner of War", **changes: Any) -> Doc:
    return power(unit_, {"kind": "modify", "roll": "hit", "value": 1, "who": "friends", "within": 6, **changes}, name)


def plus(b: Battle11, whose: str, roll: str = "hit") -> int:
    """What is added to the rolls of a unit's attacks."""
    found = working(b, AttackMade(named(b, whose).id, named(b, "Foes").id, False))
    return sum(value for value, _ in modifiers(found, roll))


def around(*powers: Doc, **more: Any) -> Battle11:
    banner = unit("Banner", "red", target(name="Banner"), [(10, 12)], **more)
    second = unit("Second", "red", target(name="Second"), [(10, 4)])
    reds = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 8)])
    foes = unit("Foes", "blue", target(name="Foe"), [(40, 8)])
    return situation([banner, second, reds, foes], step="shoot_units", abilities=list(powers))


@rule("w40k11.ability.aura", check=1)
def test_the_bearer_is_in_range_of_its_own_aura() -> None:
    assert plus(around(aura()), "Banner") == 1


@rule("w40k11.ability.aura", check=2)
def test_two_sources_of_the_same_aura_do_not_add_up() -> None:
    assert plus(around(aura(), aura("Second")), "Reds") == 1


@rule("w40k11.ability.aura", check=3)
def test_two_different_auras_both_work() -> None:
    assert plus(around(aura(), aura("Second", "Banner of Peace")), "Reds") == 2


@rule("w40k11.ability.aura", check=4)
def test_while_its_bearer_is_off_the_battlefield_an_aura_does_nothing() -> None:
    b = around(aura())
    before = plus(b, "Reds")
    b.place_models(named(b, "Banner").models, sandtable.battle.OFF)
    assert (before, plus(b, "Reds")) == (1, 0)


# --- Wargear, psychic abilities ---------------------------------------------------------------------------------------


@rule("w40k11.ability.wargear", check=1)
def test_an_item_stops_working_when_its_bearer_is_destroyed() -> None:
    item = power("Blues", {**NO_PAIN, "who": "unit"}, models=[1])
    dice = {"hit": [5] * 2, "wound": [5] * 2, "feel no pain": [1]}
    arms = [gun(), gun(name="other gun", strength=5)]
    b = duel(arms, target(wounds=2), targets=2, wounds={1: 1}, abilities=[item], dice=dice)
    assert (hurt(b), rolls(b)[2:]) == ([0, 1], [("feel no pain", (1,)), ("hit", (5,)), ("wound", (5,))])


@rule("w40k11.ability.wargear", check=2)
def test_an_item_of_a_unit_works_for_the_whole_unit() -> None:
    item = power("Blues", {**NO_PAIN, "who": "unit"})
    b = duel(
        gun(attacks="2"), targets=2, abilities=[item], dice={"hit": [5] * 2, "wound": [5] * 2, "feel no pain": [2, 2]}
    )
    assert (hurt(b), done(b)) == ([1, 1], True)


@rule("w40k11.ability.psychic", check=1)
@pytest.mark.parametrize(("name", "left"), [("Smite (Psychic)", [1]), ("Smite", [0])])
def test_what_works_against_psychic_attacks_works_against_wounds_of_psychic_abilities(
    name: str, left: list[int]
) -> None:
    shield = power("Blues", {**NO_PAIN, "against": "psychic"}, "Shield")
    smite = {"kind": "mortal_wounds", "amount": 1, "who": "enemies", "within": 12, "at": "shooting"}
    dice = {"feel no pain": [2]}
    b = face_off(gun(), abilities=[shield, power("Reds", smite, name)], step="shooting_phase", dice=dice)
    assert hurt(b) == left


# --- Mustering --------------------------------------------------------------------------------------------------------


@rule("w40k11.attached.form", check=4)
def test_units_are_attached_when_armies_are_mustered() -> None:
    """What the army list says is done before the first question of the battle."""
    chief = unit("Chief", "blue", character(), off=1)
    b = situation([unit("Guard", "blue", target(), off=2), chief, unit("Reds", "red", target(), off=1)],
                  step="agree_on_mission", mission="only-war", dice={"roll-off": [5, 2]})  # fmt: skip
    roster = [msgspec.structs.replace(e, attach=0) if i == 1 else e for i, e in enumerate(b.setup.data.roster)]
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, roster=tuple(roster)))
    asyncless(form_attached_units(b))
    assert (len(named(b, "Guard").models), named(b, "Guard").leader_names) == (3, ("Chief",))


def asyncless(flow: Any) -> None:
    """Run a flow that asks nothing."""
    with pytest.raises(StopIteration):
        flow.send(None)
