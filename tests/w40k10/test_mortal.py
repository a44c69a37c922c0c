"""Mortal wounds, Deadly Demise and Hazardous weapons."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.attack.volley import DiceSum, Mortal, Volley, WoundKind
from sandtable.battle.events import Wounded
from sandtable.systems.w40k10 import making_attacks as attacks
from sandtable.systems.w40k10.mortal_wounds import MORTAL
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import blade, column, duel, face_off, gun, last, melee, outcomes, sheet, shoot, strike, target
from w40k10.powers import at, called, clash
from w40k10.table import HERO, TANK, alive, asked, give, kinds, named, offered, rolls, unit, wounds

BOMB = gun("torrent", "devastating wounds", "anti-infantry 2+", s=8)


def bombed(points: int, victim: dict[str, Any] | None = None, **more: Any) -> Battle10:
    """Blues suffer so many mortal wounds."""
    return duel({**BOMB, "damage": str(points)}, victim, **{"dice": {"wound": [2]}, **more})


def lobbed(points: int, victim: dict[str, Any] | None = None, *, at: str = "Blues", **more: Any) -> Battle10:
    """A unit suffers so many mortal wounds, up to 6, by a grenade."""
    dice = {"grenade": [4] * points + [1] * (6 - points), **more.pop("dice", {})}
    red = sheet(gun(), name="Red", keywords=["INFANTRY", "GRENADES"])
    b = face_off(gun(), victim, gap=5, red=red, cp=(1, 0), dice=dice, **more)
    give(b, "shoot_with", f"Grenade: Reds at {at}")
    return b


# --- Mortal wounds ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.mortal_wounds", check=1)
def test_no_save_is_made_against_mortal_wounds() -> None:
    b = lobbed(2, target(save=2, invulnerable=2, wounds=3))
    assert wounds(b, "Blues") == [1]
    assert [k for k, _ in rolls(b)] == ["grenade"]


@pytest.mark.rule("w40k10.attack.mortal_wounds", check=2)
def test_mortal_wounds_go_to_damaged_models_first() -> None:
    b = lobbed(3, target(wounds=3), targets=3, wounds={2: 1})
    assert named(b, "Blues").models[1] not in b.on_table(named(b, "Blues"))
    assert sorted(wounds(b, "Blues")) == [1, 3], "one point for the damaged model, two for the next"


@pytest.mark.rule("w40k10.attack.mortal_wounds", check=2)
@pytest.mark.parametrize(("points", "told"), [(0, []), (1, [1]), (2, [2])])
def test_a_unit_suffers_as_many_mortal_wounds_as_there_are(points: int, told: list[int]) -> None:
    b = lobbed(points, target(wounds=3))
    assert [suffered["points"] for suffered in outcomes(b, "mortal-wounds")] == told
    assert wounds(b, "Blues") == [3 - points]


@pytest.mark.rule("w40k10.attack.mortal_wounds", check=3)
@pytest.mark.rule("w40k10.attack.mortal_spill", check=3)
def test_mortal_wounds_spare_the_character_while_the_bodyguard_stands() -> None:
    hero = {**HERO, "leads": ["Guard"]}

    def guard() -> list[Any]:
        return [
            unit("Guard", "blue", target(name="Guard", wounds=2), column(2, 16, 11)),
            unit("Hero", "blue", hero, [(17.5, 11)], leads="Guard"),
        ]

    assert sorted(wounds(lobbed(3, at="Guard", more=guard()), "Guard")) == [1, 5]
    assert wounds(lobbed(4, at="Guard", more=guard()), "Guard") == [5]
    assert wounds(lobbed(6, at="Guard", more=guard()), "Guard") == [3], "what is left carries over to the Character"


@pytest.mark.rule("w40k10.attack.mortal_wounds", check=4)
@pytest.mark.rule("w40k10.attack.feel_no_pain", check=3)
@pytest.mark.rule("w40k10.attack.feel_no_pain", check=4)
def test_feel_no_pain_is_rolled_against_mortal_wounds() -> None:
    b = lobbed(3, target(wounds=3, abilities=["feel no pain 5+"]), dice={"feel no pain": [5, 1, 6]})
    assert wounds(b, "Blues") == [2]


@pytest.mark.rule("w40k10.attack.mortal_spill", check=1)
def test_five_mortal_wounds_on_models_with_two() -> None:
    assert sorted(wounds(bombed(5, target(wounds=2), targets=4), "Blues")) == [1, 2]


@pytest.mark.rule("w40k10.attack.mortal_spill", check=2)
def test_what_is_left_when_the_unit_is_destroyed_is_lost() -> None:
    near = unit("Near", "blue", target(name="N"), [(22.5, 8)])
    b = bombed(9, target(), targets=3, more=[near])
    assert alive(b, "Blues") == 0 and alive(b, "Near") == 1, "three of nine were needed"


@pytest.mark.rule("w40k10.attack.mortal_timing", check=1)
@pytest.mark.rule("w40k10.attack.mortal_timing", check=2)
def test_mortal_wounds_wait_for_all_weapons_at_that_target() -> None:
    arms = [{**BOMB, "name": "bomb", "damage": "2"}, gun(name="rifle", d="2")]
    b = face_off(arms, target(wounds=3), targets=2, dice={"wound": [2, 4], "hit": [3]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("bomb", "rifle")])
    told = [e.kind for e in b.events if getattr(e, "kind", "") in ("attack", "mortal-wounds")]
    assert told == ["attack", "attack", "mortal-wounds"]
    assert wounds(b, "Blues") == [2], "2 of 3 by the rifle, then 1 and 1 by mortal wounds"


@pytest.mark.rule("w40k10.attack.mortal_timing", check=4)
def test_mortal_wounds_in_addition_to_damage_are_suffered_though_it_was_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """No core weapon does this; so one is made up."""
    plain = attacks.volley

    def sharper(*given: Any) -> Volley:
        v = plain(*given)
        extra = WoundKind(0, DiceSum(plus=1), Mortal(DiceSum(plus=1), held=MORTAL.wait))
        return Volley(v.name, v.shots, v.hit, v.wound, (extra,))

    monkeypatch.setattr(attacks, "volley", sharper)
    b = duel(gun(), target(save=2, wounds=3), dice={"hit": [3], "wound": [4], "save": [6]})
    assert wounds(b, "Blues") == [2]
    assert last(b)["damage"] == 0 and last(b, "mortal-wounds")["points"] == 1, "they were held back until then"


# --- Deadly Demise ----------------------------------------------------------------------------------------------------

WRECK = {
    **TANK,
    "base": "25.4mm",
    "height": 1.5,
    "toughness": 4,
    "save": 7,
    "wounds": 1,
    "abilities": ["deadly demise d3"],
    "weapons": [],
}
KILL = {"hit": [3], "wound": [4]}


def blast(
    more: list[Any], demise: list[int], points: list[int] | None = None, wreck: Any = None, **sets: Any
) -> Battle10:
    dice = {**KILL, "deadly demise": demise, "deadly demise wounds": points or []}
    return duel(gun(), wreck or WRECK, more=more, dice=dice, **sets)


def near(name: str, player: str, at: tuple[float, float], models: int = 1) -> Any:
    return unit(name, player, target(name=name, wounds=5), column(models, *at))


@pytest.mark.rule("w40k10.attack.deadly_demise", check=1)
def test_only_a_6_sets_off_a_deadly_demise() -> None:
    b = blast([near("Near", "blue", (23, 8))], [5])
    assert wounds(b, "Near") == [5] and alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.attack.deadly_demise", check=2)
@pytest.mark.rule("w40k10.attack.deadly_demise", check=3)
@pytest.mark.rule("w40k10.attack.deadly_demise", check=6)
@pytest.mark.rule("w40k10.attack.deadly_demise", check=7)
def test_friends_and_foes_within_6_inches_suffer_a_roll_each() -> None:
    units = [near("One", "blue", (23, 8), 3), near("Two", "red", (21, 12)), near("Three", "blue", (25, 8))]
    b = blast(units, [6], [1, 3, 6])
    assert sorted(f for k, f in rolls(b) if k == "deadly demise wounds") == [(1,), (3,), (6,)]
    assert sum(wounds(b, "One")) == 14 and wounds(b, "Two") == [3] and wounds(b, "Three") == [2]


@pytest.mark.rule("w40k10.attack.deadly_demise", check=5)
def test_a_unit_at_exactly_6_inches_is_hit_and_one_further_is_not() -> None:
    b = blast([near("Edge", "blue", (28, 8)), near("Safe", "blue", (21, 15.1))], [6], [6])
    assert wounds(b, "Edge") == [2] and wounds(b, "Safe") == [5]


@pytest.mark.rule("w40k10.dice.sequencing", check=1)
def test_the_active_player_orders_deadly_demises_that_may_set_each_other_off() -> None:
    second = unit("Second", "blue", {**WRECK, "wounds": 5}, [(23, 8)])
    b = blast([second, near("Near", "red", (25, 8))], [6], [1, 1])
    order = asked(b, "order_units")
    assert order.player == b.state.active == 0
    give(b, "order_units", ["Near", "Second"])
    assert wounds(b, "Near") == [4] and wounds(b, "Second") == [4]


@pytest.mark.rule("w40k10.attack.deadly_demise", check=2)
def test_other_models_of_the_unit_suffer_too() -> None:
    b = blast([], [6, 2], [6], {**WRECK, "wounds": 2}, targets=2, wounds={1: 1})
    assert alive(b, "Blues") == 0, "the second went down by the demise of the first"
    assert min(e.wounds for e in b.events if isinstance(e, Wounded)) == 0
    assert [k for k, _ in rolls(b)] == ["hit", "wound", "deadly demise", "deadly demise wounds", "deadly demise"]


@pytest.mark.rule("w40k10.attack.deadly_demise", check=3)
def test_a_model_that_is_granted_another_deadly_demise_goes_down_with_its_own() -> None:
    b = clash(
        [at("intercessor-squad", 10)],
        [at("trukk", 20), at("nobz", 24)],
        gain=[("Trukk", {"kind": "grant", "ability": "deadly demise 1"})],
        bare=True,
        dice={"hit": [6] * 12, "wound": [6] * 12, "save": [1] * 12, "deadly demise": [6], "any": [6] * 9},
    )
    b.set_wounds(called(b, "Trukk").models[0], 1)
    b.start()
    shoot(b, "Intercessor Squad", "Trukk", only=("bolt rifle",))
    assert ("deadly demise wounds", (6,)) in rolls(b), "a Trukk has Deadly Demise D3"


# --- Hazardous --------------------------------------------------------------------------------------------------------

HOT = gun("hazardous", name="plasma", a="2")


@pytest.mark.rule("w40k10.weapon.hazardous", check=1)
@pytest.mark.rule("w40k10.weapon.hazardous", check=2)
@pytest.mark.rule("w40k10.weapon.hazardous", check=3)
def test_one_test_for_each_hazardous_weapon_after_all_attacks() -> None:
    other = unit("Others", "blue", target(name="Other"), [(21, 16)])
    b = face_off(HOT, shooters=5, more=[other], dice={"hit": [1] * 10, "hazardous": [6, 1, 2, 3, 4]})
    give(b, "shoot_with", "Reds")
    give(
        b,
        "shoot",
        [{"weapon": "plasma", "target": "Blues", "count": 3}, {"weapon": "plasma", "target": "Others", "count": 2}],
    )
    give(b, "hazard", named(b, "Reds").models[0])
    assert [k for k, _ in rolls(b)] == ["hit", "hit", "hazardous"]
    assert alive(b, "Reds") == 4
    assert kinds(b) == ["shoot_with"], "nobody else pays"


@pytest.mark.rule("w40k10.weapon.hazardous", check=4)
def test_the_owner_picks_any_model_with_a_hazardous_weapon() -> None:
    arms = [["plasma", "gun"], ["plasma"], ["gun"]]
    loadout = [{"models": [i], "weapons": weapons} for i, weapons in enumerate(arms, 1)]
    reds = unit("More Reds", "red", sheet(HOT, gun(), name="More Red"), column(3, 10, 14), loadout=loadout)
    b = face_off(gun(), more=[reds], dice={"hit": [1] * 2, "hazardous": [1]})
    give(b, "shoot_with", "More Reds")
    give(b, "shoot", [{"weapon": "plasma", "target": "Blues", "count": 1}])
    models = named(b, "More Reds").models
    offered_ = asked(b, "hazard").options  # type: ignore[attr-defined]
    assert sorted((o.value, o.label) for o in offered_) == [(models[0], "More Red 1"), (models[1], "More Red 2")]
    give(b, "hazard", models[1])
    assert models[1] not in b.on_table(named(b, "More Reds"))


@pytest.mark.rule("w40k10.weapon.hazardous", check=5)
@pytest.mark.rule("w40k10.attack.feel_no_pain", check=6)
def test_the_picked_model_is_destroyed_outright() -> None:
    red = sheet(HOT, name="Red", wounds=4, invulnerable=2, abilities=["feel no pain 2+"])
    b = duel(HOT, red=red, dice={"hit": [1, 1], "hazardous": [1]})
    assert alive(b, "Reds") == 0 and rolls(b)[-1] == ("hazardous", (1,))


@pytest.mark.rule("w40k10.attack.feel_no_pain", check=6)
def test_feel_no_pain_is_rolled_against_an_explosion_but_not_against_a_hazardous_weapon() -> None:
    """The Reds live through the Deadly Demise of their target, and then go down by their own weapon."""
    red = sheet(HOT, name="Red", wounds=4, abilities=["feel no pain 2+"])
    dice = {"hit": [3, 1], "wound": [4], "deadly demise": [6], "deadly demise wounds": [1], "feel no pain": [2]}
    b = duel(HOT, WRECK, red=red, gap=3, dice={**dice, "hazardous": [1]})
    assert [kind for kind, _ in rolls(b)][-2:] == ["feel no pain", "hazardous"]
    assert alive(b, "Reds") == 0


@pytest.mark.rule("w40k10.weapon.hazardous", check=6)
def test_hazardous_melee_weapons_are_tested_too() -> None:
    b = melee(blade("hazardous", a="2"), fighters=2, targets=2, dice={"hit": [1] * 4, "hazardous": [1, 6]})
    strike(b, ("blade", "Blues", 4))
    give(b, "hazard", named(b, "Reds").models[0])
    assert alive(b, "Reds") == 1


@pytest.mark.rule("w40k10.weapon.hazardous", check=7)
@pytest.mark.parametrize(("mode", "tests"), [("cool", 0), ("hot", 1)])
def test_a_test_is_due_only_for_the_hazardous_profile(mode: str, tests: int) -> None:
    arms = [gun(name="cool", of="plasma"), gun("hazardous", name="hot", of="plasma")]
    b = face_off(arms, dice={"hit": [1], "hazardous": [6]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "plasma", "target": "Blues", "mode": mode}])
    assert [k for k, _ in rolls(b)].count("hazardous") == tests


def hot_hero(**more: Any) -> Any:
    return {**HERO, "weapons": [HOT], "leads": ["Red"], **more}


@pytest.mark.rule("w40k10.weapon.hazardous_character", check=1)
def test_a_character_suffers_3_mortal_wounds_instead() -> None:
    b = duel(HOT, red=hot_hero(), dice={"hit": [1, 1], "hazardous": [1]})
    assert wounds(b, "Reds") == [2]


@pytest.mark.rule("w40k10.weapon.hazardous_character", check=2)
def test_feel_no_pain_is_rolled_against_them() -> None:
    b = duel(
        HOT,
        red=hot_hero(abilities=["feel no pain 5+"]),
        dice={"hit": [1, 1], "hazardous": [1], "feel no pain": [5, 1, 6]},
    )
    assert wounds(b, "Reds") == [4]


def attached(hero_wounds: int, dice: dict[str, list[int]]) -> Battle10:
    captain = unit("Captain", "red", hot_hero(), [(10, 11)], leads="Reds", wounds={1: hero_wounds})
    b = face_off(gun(), shooters=2, red=sheet(gun(), name="Red", wounds=2), more=[captain], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "plasma", "target": "Blues"}])
    return b


@pytest.mark.rule("w40k10.weapon.hazardous_character", check=3)
def test_the_picked_character_takes_them_though_a_bodyguard_is_hurt() -> None:
    b = face_off(
        gun(),
        shooters=2,
        red=sheet(gun(), name="Red", wounds=2),
        more=[unit("Captain", "red", hot_hero(), [(10, 11)], leads="Reds")],
        dice={"hit": [1, 1], "hazardous": [1]},
    )
    b.set_wounds(named(b, "Reds").models[0], 1)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "plasma", "target": "Blues"}])
    assert wounds(b, "Reds") == [1, 2, 2]


@pytest.mark.rule("w40k10.weapon.hazardous_character", check=5)
def test_what_is_left_after_the_character_goes_to_the_rest() -> None:
    b = attached(1, {"hit": [1, 1], "hazardous": [1]})
    assert alive(b, "Reds") == 1, "one point on the Character, two on a trooper with two wounds"


@pytest.mark.rule("w40k10.weapon.hazardous_character", check=4)
@pytest.mark.parametrize(
    ("before", "left", "tests"), [(2, [], ["hazardous", "deadly demise"]), (4, [1], ["hazardous"])]
)
def test_a_vehicle_may_blow_up_by_its_own_weapon(before: int, left: list[int], tests: list[str]) -> None:
    tank = {**WRECK, "wounds": 12, "weapons": [HOT]}
    b = face_off(HOT, red=tank, dice={"hit": [1, 1], "hazardous": [1], "deadly demise": [2]})
    b.set_wounds(named(b, "Reds").models[0], before)
    shoot(b)
    assert wounds(b, "Reds") == left
    assert [k for k, _ in rolls(b)] == ["hit", *tests]
    assert last(b, "mortal-wounds")["points"] == 3


def test_outcomes_tell_of_mortal_wounds() -> None:
    b = bombed(2, target(wounds=3))
    assert last(b, "mortal-wounds")["points"] == 2 and outcomes(b)[0]["damage"] == 0
    assert "Spares" in offered(b, "shoot_with")
