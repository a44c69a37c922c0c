"""The Lord of Contagion: his datasheet, his armour and his Gift."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.fighters import MODEL
from sandtable.systems.w40k8.abilities import CORE
from sandtable.systems.w40k8.known_sheets import SHEETS
from sandtable.systems.w40k8.state import Battle8, sheet_of
from support.acting import cites, judge, offered, refused_by, until
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    give,
    gun,
    kinds,
    last,
    melee,
    rolls,
    sheet,
    shootout,
    situation,
    squad,
    stand,
    strike,
    told,
    unit,
    wounds,
)
from w40k8.test_before_the_battle import SPOTS, marked, prepare

rule = pytest.mark.rule


def lords(at: Spots | None = None, name: str = "Lord", **flags: Any) -> UnitDoc:
    """A Lord of Contagion, by default at (10, 10)."""
    return unit(name, "red", SHEETS.lord, at or [(10, 10)], **flags)


FOE: Doc = bare(name="Foe", wounds=9)


# --- The datasheet ----------------------------------------------------------------------------------------------------


@rule("w40k8.lord.profile", check=1)
def test_the_nine_values_of_the_lord() -> None:
    b = situation([lords(), unit("Blues", "blue", FOE, [(30, 10)])], step="move_units")
    found = sheet_of(b, squad(b, "Lord").models[0])
    assert [getattr(found, name) for name in (*MODEL, "base", "height")] == [4, 2, 2, 4, 5, 6, 4, 9, 2, "40mm", 2.0]


@rule("w40k8.lord.profile", check=3)
def test_the_lord_has_nothing_to_shoot_with() -> None:
    others = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 14)])
    b = situation([lords(), others, unit("Blues", "blue", FOE, [(20, 10)])], step="shoot_units")
    assert (offered(b, "shoot_with"), [x["name"] for x in SHEETS.lord["weapons"]]) == (["Reds"], ["plaguereaper"])


@rule("w40k8.lord.keywords", check=1)
@rule("w40k8.lord.keywords", check=3)
def test_the_seven_keywords_of_the_lord() -> None:
    guard = {"CHAOS", "NURGLE", "HERETIC ASTARTES", "DEATH GUARD"}
    assert set(SHEETS.lord["keywords"]) == {*guard, "INFANTRY", "CHARACTER", "LORD OF CONTAGION"}


@rule("w40k8.lord.keywords", check=2)
def test_the_lord_intervenes_heroically() -> None:
    others = unit("Others", "red", bare(), [(10, 13)])
    b = situation([lords(), others, unit("Blues", "blue", FOE, [(13, 10)])], step="heroic_interventions", active="blue")
    assert offered(b, "intervene_with") == ["Lord"]


@rule("w40k8.gap.lord_power_rating", check=1)
def test_the_lord_has_a_power_rating_of_6() -> None:
    assert SHEETS.lord["power"] == 6


def struck(victim: Doc, wound: list[int], save: list[int], **more: Any) -> Battle8:
    """The Lord hits four times with his plaguereaper."""
    dice = {"hit": [6] * 4, "wound": wound, "save": save, "feel no pain": []}
    b = melee([], victim, red=SHEETS.lord, dice=dice, **more)
    return strike(b, ("Lord of Contagion", 4, "Blues"))


def needs(toughness: int) -> int:
    """What the Lord needs to wound such a model."""
    b = struck(bare(toughness=toughness, wounds=20), [2] * 4 + [1] * 4, [1] * 9)
    return next(e.needed for e in b.events if getattr(e, "reason", "") == "wound")


@rule("w40k8.lord.plaguereaper", check=1)
@rule("w40k8.lord.plaguereaper", check=2)
def test_the_plaguereaper_strikes_at_strength_6() -> None:
    assert [needs(t) for t in (3, 4, 5, 6, 7)] == [2, 3, 3, 4, 5]


@rule("w40k8.lord.plaguereaper", check=3)
def test_a_save_of_2_needs_a_5_and_one_of_3_a_6_against_it() -> None:
    saved = [struck(bare(wounds=20, save=save), [6, 2, 2, 2], [face] * 4) for save, face in SAVES]
    assert [wounds(b, "Blues") for b in saved] == [[20], [17], [20], [17]]


SAVES = [(2, 5), (2, 4), (3, 6), (3, 5)]


@rule("w40k8.lord.plaguereaper", check=4)
def test_one_unsaved_attack_takes_three_wounds_off_one_model() -> None:
    b = struck(bare(wounds=2), [6, 2, 2, 2], [1], targets=2)
    assert (alive(b, "Blues"), wounds(b, "Blues"), last(b)["damage"]) == (1, [2], 2)


@rule("w40k8.lord.disgustingly_resilient", check=1)
def test_disgustingly_resilient_is_on_the_datasheet() -> None:
    assert "disgustingly resilient" in SHEETS.lord["abilities"]


def fired_at(ap: int, face: int, **more: Any) -> list[int]:
    """The Lord's wounds after one shot with this Armour Penetration and this saving throw."""
    dice = {"hit": [6], "wound": [6], "save": [face], "feel no pain": [1]}
    return wounds(shootout(gun(ap=ap), SHEETS.lord, dice=dice, **more), "Blues")


@rule("w40k8.lord.disgustingly_resilient", check=2)
def test_his_resilience_is_that_of_the_gap_and_can_be_switched_off() -> None:
    dice = {"hit": [6], "wound": [6], "save": [1], "feel no pain": [5]}
    off = {"disgustingly-resilient": "off"}
    on = shootout(gun(), SHEETS.lord, dice=dice)
    assert (wounds(on, "Blues"), wounds(shootout(gun(), SHEETS.lord, dice=dice, options=off), "Blues")) == ([6], [5])


@rule("w40k8.lord.cataphractii_save", check=1)
def test_against_ap_3_he_saves_on_4() -> None:
    assert (fired_at(-3, 4), fired_at(-3, 3)) == ([6], [5])


@rule("w40k8.lord.cataphractii_save", check=2)
def test_against_less_his_armour_is_at_least_as_good() -> None:
    needed = [(0, 2), (-1, 3), (-2, 4)]
    assert [(fired_at(ap, face), fired_at(ap, face - 1)) for ap, face in needed] == [([6], [5])] * 3


@rule("w40k8.lord.cataphractii_advance", check=1)
@rule("w40k8.lord.cataphractii_advance", check=2)
def test_the_die_of_his_advance_is_halved() -> None:
    found = []
    for face in range(1, 7):
        foes = unit("Blues", "blue", FOE, [(40, 10)])
        b = situation(
            [lords(), unit("Reds", "red", bare(), [(10, 20)]), foes], step="move_units", dice={"advance": [face]}
        )
        give(b, "move_with", "Lord")
        give(b, "move", {"mode": "advance"})
        question: Any = b.decisions[0]
        found.append(question.modes[0].allowance / 1024)
    assert found == [5, 5, 6, 6, 7, 7]


def advancing(doc: Doc, loadout: list[Any]) -> float:
    """How far two models of Movement 4 go that advance with a 6."""
    pair = unit("Pair", "red", doc, [(10, 10), (12, 10)], loadout=loadout)
    units = [pair, unit("Reds", "red", bare(), [(10, 20)]), unit("Blues", "blue", FOE, [(40, 10)])]
    b = situation(units, step="move_units", dice={"advance": [6]})
    give(b, "move_with", "Pair")
    give(b, "move", {"mode": "advance"})
    question: Any = b.decisions[0]
    return float(question.modes[0].allowance / 1024)


@rule("w40k8.lord.cataphractii_advance", check=1)
def test_one_armoured_model_slows_its_unit_and_nobody_else_is_slowed() -> None:
    among = [{"models": [2], "sheet": SHEETS.lord}]
    plain = bare(name="Plain", move=4)
    assert (advancing(plain, among), advancing(plain, [])) == (7, 10)


def test_that_his_die_is_halved_is_said_before_he_advances() -> None:
    b = situation(
        [lords(), unit("Reds", "red", bare(), [(10, 20)]), unit("Blues", "blue", FOE, [(40, 10)])], step="move_units"
    )
    give(b, "move_with", "Lord")
    question: Any = b.decisions[0]
    assert {mode.name: mode.more for mode in question.modes}["advance"] == "half of D6"


# --- Nurgle's Gift ----------------------------------------------------------------------------------------------------


def gift(*units: UnitDoc, dice: list[int], **settings: Any) -> Battle8:
    """The start of a turn of red."""
    return situation(list(units), **{"step": "nurgles_gift", "dice": {"nurgle's gift": dice}, **settings})


def foe(gap: float, name: str = "Foes", *, x: float = 10, doc: Doc = FOE) -> UnitDoc:
    """A blue unit so far above a model at (x, 10); the Lord's base is 0.29" wider than 1"."""
    return unit(name, "blue", doc, [(x, 11 + gap)])


def thrown(b: Battle8) -> int:
    """How many dice the Gift threw."""
    return sum(kind == "nurgle's gift" for kind, _ in rolls(b))


@rule("w40k8.lord.nurgles_gift", check=1)
def test_the_gift_works_when_turns_of_its_owner_start_before_any_move() -> None:
    b = gift(lords(), foe(1), dice=[4])
    own = (wounds(b, "Foes"), told(b)[0], kinds(b))
    assert (own, thrown(gift(lords(), foe(1), dice=[4], active="blue"))) == (([8], "mortal-wounds", ["move_with"]), 0)


GUARD: Doc = bare(name="Guard", wounds=9, keywords=["DEATH GUARD"])


def guard(x: float, name: str = "Guards", doc: Doc = GUARD) -> UnitDoc:
    """A model of red on a line with the Lord."""
    return unit(name, "red", doc, [(x, 10)])


@rule("w40k8.lord.nurgles_gift", check=2)
def test_one_die_is_thrown_for_each_enemy_unit() -> None:
    b = gift(lords(), guard(11.5), guard(12.5, "More"), foe(0.5, x=12), foe(0.5, "Others", x=10), dice=[4, 4])
    assert (wounds(b, "Foes"), wounds(b, "Others"), thrown(b)) == ([8], [8], 2)


@rule("w40k8.lord.nurgles_gift", check=2)
def test_the_gift_reaches_enemies_exactly_an_inch_away_and_none_that_are_further() -> None:
    reached = [wounds(gift(lords(), foe(0.5 + 20 / 25.4 + gap), dice=[4]), "Foes") for gap in (0, 0.01)]
    assert reached == [[8], [9]]


@rule("w40k8.lord.nurgles_gift", check=3)
@rule("w40k8.lord.nurgles_gift", check=4)
def test_a_4_is_one_mortal_wound_and_a_3_nothing_the_lord_himself_being_enough() -> None:
    hurt = [wounds(gift(lords(), foe(1), dice=[face]), "Foes") for face in (3, 4, 6)]
    assert hurt == [[9], [8], [8]]


EDGE = 10 + 20 / 25.4 + 7 + 0.5
"""Where a base of 1" is 7" from the Lord's, which has 40 mm."""


@rule("w40k8.lord.nurgles_gift", check=5)
def test_a_death_guard_model_7_inches_from_the_lord_spreads_it_and_no_further_one() -> None:
    near = gift(lords(), guard(EDGE), foe(0.5, x=EDGE), dice=[4])
    far = gift(lords(), guard(EDGE + 0.01), foe(0.5, x=EDGE + 0.01), dice=[4])
    assert (wounds(near, "Foes"), wounds(far, "Foes")) == ([8], [9])


@rule("w40k8.lord.nurgles_gift", check=6)
def test_only_death_guard_of_his_own_army_spread_it() -> None:
    friends = [guard(14, "Friends", bare(wounds=9)), guard(17)]
    b = gift(lords(), *friends, foe(0, x=14), foe(0, "Others", x=17), dice=[4])
    assert (wounds(b, "Foes"), wounds(b, "Others"), thrown(b)) == ([9], [8], 1)


@rule("w40k8.lord.nurgles_gift", check=7)
def test_a_model_that_it_slays_counts_for_morale() -> None:
    b = gift(lords(), unit("Foes", "blue", bare(), [(10, 11.5), (10, 13)]), dice=[4])
    assert (alive(b, "Foes"), squad(b, "Foes").slain) == (1, 1)


@rule("w40k8.lord.nurgles_gift", check=8)
def test_a_lord_who_is_not_on_the_battlefield_spreads_nothing() -> None:
    away = UnitDoc(name="Away", player="red", sheet=SHEETS.lord, models=1, off=True)
    without = gift(away, guard(12), foe(0, x=12), dice=[4])
    assert (thrown(without), thrown(gift(away, lords(), guard(12), foe(0, x=12), dice=[4]))) == (0, 1)


def test_his_abilities_are_told_to_be_played() -> None:
    assert {"nurgle's gift", "cataphractii armour"} <= set(CORE)


# --- Teleport Strike --------------------------------------------------------------------------------------------------


def to_deploy() -> Battle8:
    """Two units a side before deployment; blue, who has the Lord, deploys first."""
    units = [
        *(unit(name, "red", bare(name=name), off=1) for name in ("R1", "R2")),
        unit("Lord", "blue", SHEETS.lord, off=1),
        unit("B2", "blue", bare(name="B2"), off=1),
    ]
    b = marked(prepare(units), *SPOTS)
    until(b, "deploy_with")
    return b


@rule("w40k8.lord.teleport_strike", check=1)
def test_putting_the_lord_into_the_chamber_uses_a_deployment_turn() -> None:
    b = to_deploy()
    give(b, "deploy_with", "Lord")
    give(b, "deploy_where", "reserve")
    assert (squad(b, "Lord").reserve, asked(b, "deploy_with").player, told(b)[-1]) == (
        "teleport strike", 0, "in_reserve",
    )  # fmt: skip


def late(at: Spots | None = None, **settings: Any) -> Battle8:
    """A Lord waits in the chamber, and a blue model stands at (30, 10) or elsewhere."""
    lord = unit("Lord", "red", SHEETS.lord, off=1, reserve="teleport strike")
    others = unit("Others", "red", bare(name="Other"), [(2, 28)])
    units = [lord, others, unit("Blues", "blue", FOE, at or [(30, 10)])]
    return stand(situation(units, **{"step": "movement_phase", **settings}))


@rule("w40k8.lord.teleport_strike", check=2)
def test_he_arrives_in_any_turn_of_his_player_or_never() -> None:
    b = late(turns=6)
    asks = []
    while kinds(b):
        asks += [b.state.round for kind in kinds(b) if kind == "arrive_with"]
        b.answer(b.decisions[0], None)
    assert (asks, told(b).count("unarrived")) == ([1, 2, 3], 1)


@rule("w40k8.lord.teleport_strike", check=3)
@rule("w40k8.concept.within", check=2)
def test_he_arrives_more_than_nine_inches_from_enemies() -> None:
    b = late()
    give(b, "arrive_with", "Lord")
    # His base is 40 mm across, that of the enemy 1".
    edge = 30 - 0.5 - 20 / 25.4 - 9
    verdict = refused_by(b, "arrive", [[edge + 0.001, 10]], "w40k8.move.reinforce_arrival")
    assert (cites(verdict), judge(b, "arrive", [[edge - 0.01, 10]]).ok) == ({"w40k8.move.reinforce_arrival"}, True)


@rule("w40k8.lord.teleport_strike", check=4)
def test_he_arrives_in_either_deployment_zone() -> None:
    halves = [
        [[0, 0], [22528, 0], [22528, 30720], [0, 30720]],
        [[45056, 30720], [22528, 30720], [22528, 0], [45056, 0]],
    ]
    b = late([(22, 15)], state={"game": {"halves": halves, "zones": [0, 1]}})
    give(b, "arrive_with", "Lord")
    assert [judge(b, "arrive", [[x, 15]]).ok for x in (5, 40, 22)] == [True, True, False]


def arrived(gap: float, *roll: int) -> Battle8:
    """He arrives so far from the enemy and charges."""
    b = late(dice={"charge": list(roll)})
    give(b, "arrive_with", "Lord")
    give(b, "arrive", [[30 - 0.5 - 20 / 25.4 - gap, 10]])
    give(b, "charge_with", "Lord")
    return b


@rule("w40k8.lord.teleport_strike", check=5)
def test_he_may_charge_when_he_arrives() -> None:
    b = arrived(9.1, 6, 6)
    give(b, "charge_move", {"mode": "charge", "to": [[28, 10]]})
    assert "charged" in told(b)


@rule("w40k8.lord.teleport_strike", check=6)
def test_from_nine_inches_away_he_needs_a_nine() -> None:
    goal = {"mode": "charge", "to": [[30 - 0.5 - 20 / 25.4 - 0.95, 10]]}
    enough, short = arrived(9.1, 4, 5), arrived(9.1, 4, 4)
    assert (judge(enough, "charge_move", goal).ok, kinds(short), "charge_failed" in told(short)) == (True, [], True)


@rule("w40k8.lord.teleport_strike", check=7)
def test_a_lord_who_never_arrives_counts_as_destroyed() -> None:
    b = late()
    before = b.state.models.place[squad(b, "Lord").models[0]]
    give(b, "arrive_with", None)
    assert (before == GONE, b.state.models.place[squad(b, "Lord").models[0]] == GONE, kinds(b)) == (False, True, [])
