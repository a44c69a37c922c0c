"""Datasheets: what stands in a profile, and what a battle makes of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies import ArmyList, open_pack
from sandtable.battle import Battle, answers
from sandtable.battle.dice import ScriptedDice
from sandtable.errors import UserError
from sandtable.forty.enlist import Army
from sandtable.forty.state import weapons_of
from sandtable.systems.w40k11.concepts import has_keyword
from sandtable.systems.w40k11.datasheet import check_composition
from sandtable.systems.w40k11.muster import build
from sandtable.systems.w40k11.objectives import level_of_control
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.system import SYSTEM
from sandtable.systems.w40k11.transports import check_hold
from sandtable.table.grid import steps
from sandtable.table.layout import Table
from w40k11.arms import duel, face_off, gun, hurt, melee, target
from w40k11.carriers import HOLD, RHINO
from w40k11.table import FOE, TROOPER, alive, asked, blade, give, named, power, rolls, situation, unit, until

rule = pytest.mark.rule
OPEN_FIELD = Table(steps(60), steps(44), "in", ())


def shot(victim: Any, save: int, ap: int = 0) -> int:
    """How many wounds one hit and a save roll cost a model with 9 wounds."""
    dice = {"hit": [5], "wound": [5], "save": [save]}
    return 9 - hurt(duel(gun(ap=ap), target(wounds=9, **victim), dice=dice))[0]


@rule("w40k11.datasheet.profile", check=1)
def test_saves_are_target_numbers_and_lower_is_better() -> None:
    assert [shot({"save": s}, 3) for s in (3, 4)] == [0, 1]
    assert [shot({"save": 7, "invulnerable": s}, 3) for s in (3, 4)] == [0, 1]
    with pytest.raises(UserError):
        situation([unit("Reds", "red", {**TROOPER, "leadership": 13}, [(5, 5)]), FOE])


@rule("w40k11.datasheet.profile", check=2)
def test_without_an_invulnerable_save_there_is_none() -> None:
    assert [shot({"save": 7, "invulnerable": 6}, 6, -3), shot({"save": 7}, 6, -3)] == [0, 1]


@rule("w40k11.datasheet.profile", check=3)
def test_a_model_without_wounds_is_destroyed() -> None:
    dice = {"hit": [5], "wound": [5], "save": [1]}
    lost = duel(gun(damage="2"), target(wounds=2), dice=dice, targets=2)
    left = duel(gun(damage="2"), target(wounds=3), dice=dice, targets=2)
    assert (alive(lost, "Blues"), alive(left, "Blues")) == (1, 2)


@rule("w40k11.datasheet.weapon", check=1)
def test_melee_weapons_do_not_shoot() -> None:
    b = face_off([gun(), blade()])
    give(b, "shoot_with", "Reds")
    assert [r.label for r in asked(b, "shoot").rows] == ["gun"]


@rule("w40k11.datasheet.weapon", check=2)
def test_ranged_weapons_do_not_fight() -> None:
    b = melee([gun(), blade()])
    assert [r.label for r in asked(b, "strike").rows] == ["blade"]


@rule("w40k11.datasheet.weapon", check=3)
def test_ap_worsens_the_save_roll() -> None:
    assert [shot({"save": 3}, face, -2) for face in (5, 4)] == [0, 1]


@rule("w40k11.datasheet.weapon", check=4)
def test_a_weapon_rolls_as_many_dice_as_it_has_attacks() -> None:
    b = duel(gun(attacks="3"), target(wounds=9), dice={"hit": [1, 1, 1]})
    assert [len(faces) for kind, faces in rolls(b) if kind == "hit"] == [3]


@rule("w40k11.datasheet.abilities", check=1)
def test_a_unit_has_the_abilities_of_its_datasheet_and_what_rules_give_it() -> None:
    def deep(*abilities: str, given: bool = False) -> bool:
        gift = {"unit": "Reds", "name": "Gift", "effects": [{"kind": "grant", "ability": "deep strike"}]}
        reds = unit("Reds", "red", {**TROOPER, "abilities": list(abilities)}, off=1, reserve="strategic")
        b = situation([reds, unit("Base", "red", TROOPER, [(1, 1)]), FOE], round_=2, abilities=[gift] if given else [])
        give(b, "move_with", "Reds")
        give(b, "enter", "ingress")
        decision = asked(b, "arrive")
        return bool(b.check(decision, answers.read(b, decision, [[20, 15]])))

    assert [deep(), deep("deep strike"), deep(given=True)] == [False, True, True]


@rule("w40k11.datasheet.keywords", check=1)
def test_a_rule_for_a_keyword_does_nothing_to_others() -> None:
    def carried(*keywords: str) -> bool:
        reds = unit("Reds", "red", {**TROOPER, "keywords": list(keywords)}, [(20, 10)])
        b = situation([reds, unit("Rhino", "red", RHINO, [(10, 10)]), FOE])
        return bool(check_hold(b, named(b, "Rhino"), [named(b, "Reds")]))

    assert ([carried("INFANTRY"), carried("BEAST")], HOLD["carries"]) == ([True, False], ["INFANTRY"])


@rule("w40k11.datasheet.keywords", check=2)
@pytest.mark.parametrize(("one", "many"), [("BEAST", "BEASTS"), ("GRENADE", "GRENADES")])
def test_singular_and_plural_are_one_keyword(one: str, many: str) -> None:
    def has(own: str, asked_for: str) -> bool:
        b = situation([unit("Reds", "red", {**TROOPER, "keywords": [own]}, [(5, 5)]), FOE])
        return has_keyword(b, named(b, "Reds"), asked_for)

    assert [has(one, many), has(many, one), has(one, "SWARM")] == [True, True, False]


# --- Objective Control of "-" -----------------------------------------------------------------------------------------


def held(*reds: Any, **more: Any) -> tuple[int, int]:
    """The level of control of the Reds near an objective, and who controls it when the phase has ended."""
    units = [*reds, unit("Watch", "red", TROOPER, [(2, 2)]), unit("Blues", "blue", {**TROOPER, "oc": 1}, [(20, 10)])]
    b = situation([*units, FOE], objectives=[(20, 12)], **more)
    level = level_of_control(b, 0, 0)
    until(b, "shoot_with")
    return level, b.state.game.control[0]


DASH: dict[str, Any] = {**TROOPER, "oc": None}
RAISED = power("Reds", kind="characteristic", name="OC", add=3)


@rule("w40k11.datasheet.oc_dash", check=1)
def test_a_model_with_oc_dash_adds_nothing_whatever_would_raise_it() -> None:
    two = [(20, 14), (21.5, 14)]
    found = [held(unit("Reds", "red", doc, two), abilities=[RAISED])[0] for doc in (DASH, {**TROOPER, "oc": 0})]
    assert found == [0, 6]


@rule("w40k11.datasheet.oc_dash", check=2)
def test_models_with_oc_dash_alone_control_nothing() -> None:
    def controls(doc: Any) -> int:
        return held(unit("Reds", "red", doc, [(20, 14)]), abilities=[RAISED])[1]

    assert [controls(DASH), controls(TROOPER)] == [1, 0]


# --- Composition and wargear ------------------------------------------------------------------------------------------


def necrons(*units: dict[str, Any]) -> ArmyList:
    """An Overlord with such units."""
    document = {"name": "Test", "system": "w40k11", "pack": "w40k11", "faction": "necrons", "limit": 1000}
    own = [{"sheet": "overlord", "warlord": True}, *units]
    return msgspec.convert({**document, "detachment": "awakened-dynasty", "units": own}, ArmyList)


def broken(*units: dict[str, Any]) -> set[str]:
    """What the datasheets have against a list."""
    return {p.rule for p in check_composition(necrons(*units), open_pack("w40k11", "necrons"))}


def mustered(*units: dict[str, Any]) -> Battle11:
    """A battle between two such armies, at its first question."""
    force = Army(necrons(*units), open_pack("w40k11", "necrons"))
    setup, state = build({"red": force, "blue": force}, "only-war", OPEN_FIELD)
    found: Battle11 = Battle(SYSTEM, setup, state, dice=ScriptedDice({"roll-off": [6, 1] * 9}))
    return found.start()


def arms(b: Battle11) -> list[list[str]]:
    """What the models of the second unit carry."""
    return [sorted(w.item for w in weapons_of(b, m)) for m in b.state.units[1].models]


IMMORTALS: dict[str, Any] = {"sheet": "immortals"}
PLAIN, TESLA = ["Close combat weapon", "Gauss blaster"], ["Close combat weapon", "Tesla carbine"]
COMPOSITION, WARGEAR = "w40k11.datasheet.composition", "w40k11.datasheet.wargear"


def carrying(*items: str, count: int = 1) -> dict[str, Any]:
    """Immortals of whom some carry these."""
    return {**IMMORTALS, "wargear": [{"model": "Immortal", "carry": list(items), "count": count}]}


@rule("w40k11.datasheet.composition", check=1)
def test_a_unit_has_as_many_models_as_its_datasheet_allows() -> None:
    found = [broken({**IMMORTALS, "size": size}) for size in (4, 5, 10, 11)]
    assert found == [{COMPOSITION}, set(), set(), {COMPOSITION}]


@rule("w40k11.datasheet.composition", check=1)
def test_what_other_rules_refuse_is_no_matter_of_the_composition() -> None:
    assert broken(*[{**IMMORTALS, "size": 10, "name": f"Squad {n}"} for n in range(9)]) == set()


@rule("w40k11.datasheet.composition", check=2)
def test_models_carry_their_default_wargear_unless_an_option_changed_it() -> None:
    assert [arms(mustered(doc)) for doc in (IMMORTALS, carrying(*TESLA, count=2))] == [
        [PLAIN] * 5,
        [TESLA] * 2 + [PLAIN] * 3,
    ]
    assert [broken(carrying(*items)) for items in (TESLA, [*PLAIN, "Gauss reaper"])] == [set(), {WARGEAR}]


@rule("w40k11.datasheet.composition", check=3)
def test_a_leader_joins_only_units_that_its_datasheet_names() -> None:
    units = [IMMORTALS, {"sheet": "doomsday-ark"}]
    lords = [{"sheet": "royal-warden", "attached_to": name} for name in ("Immortals", "Doomsday Ark")]
    assert [broken(*units, lord) for lord in lords] == [set(), {"w40k11.attached.form"}]


@rule("w40k11.datasheet.wargear", check=1)
def test_wargear_stays_as_it_was_mustered() -> None:
    b = mustered(carrying(*TESLA))
    before = arms(b)
    until(b, "move_with")
    with pytest.raises(UserError, match=r"datasheet\.wargear"):
        mustered(carrying(*PLAIN, "Gauss reaper"))
    assert arms(b) == before


@rule("w40k11.datasheet.wargear", check=2)
def test_an_option_that_is_not_listed_cannot_be_taken() -> None:
    found = [
        broken(carrying("Close combat weapon", gun_)) for gun_ in ("Tesla carbine", "Gauss reaper", "Gauss flayer")
    ]
    assert found == [set(), {WARGEAR}, {WARGEAR}]
