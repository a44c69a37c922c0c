"""Destroyed transports: who gets out of them, where, and at what cost."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Asked, Told
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k10.charge_phase import able_to_charge
from sandtable.systems.w40k10.state import Battle10, weapons_of
from sandtable.systems.w40k10.weapon_abilities import heavy
from w40k10.arms import blade, gun, sheet, shoot
from w40k10.carriers import AT, HEAVY, RHINO, is_aboard
from w40k10.table import (
    HERO,
    INCH,
    TROOPER,
    alive,
    asked,
    cites,
    default,
    feature,
    give,
    judge,
    kinds,
    named,
    places,
    refused_by,
    rolls,
    situation,
    told,
    unit,
    wounds,
)

# --- Destroyed transports ---------------------------------------------------------------------------------------------

LANCE = gun("indirect fire", name="lance", range_=48, s=16, ap=-6, d="12")
KILL = {"hit": [6], "wound": [6], "save": [1]}
PEN = [
    feature("debris", rect, 4, solid=True)
    for rect in ((14.9, 10.4, 2.9, 9.2), (22.2, 10.4, 2.9, 9.2), (17.8, 10.4, 4.4, 2.9), (17.8, 16.7, 4.4, 2.9))
]
"""Blocks all around a Rhino at (20, 15): nobody has room wholly within 3" of it."""
NICHE = [
    feature("debris", rect, 4, solid=True)
    for rect in (
        (10, 5, 7.8, 20), (22.2, 5, 7.8, 20), (17.8, 5, 4.4, 8.3), (17.8, 16.7, 4.4, 2), (19.2, 18.7, 3, 1.3),
        (17.8, 20, 4.4, 5),
    )
]  # fmt: skip
"""The same, with room for one model within 6"."""
SIX = [(17, 17.5), (18.5, 17.5), (20, 17.5), (21.5, 17.5), (23, 17.5), (23.5, 15.5)]
FAR_SIX = [(17, 20.5), (18.5, 20.5), (20, 20.5), (21.5, 20.5), (23, 20.5), (20, 22)]


def shot_down(
    count: int = 6,
    dice: dict[str, list[int]] | None = None,
    terrain: list[FeatureDoc] | None = None,
    *others: Any,
    reds: dict[str, Any] = TROOPER,
    rhino: dict[str, Any] = RHINO,
    **more: Any,
) -> Battle10:
    """A Rhino with Reds in it is shot down in blue's Shooting phase."""
    b = situation(
        [
            unit("Reds", "red", reds, off=count, embarked="Rhino"),
            unit("Rhino", "red", rhino, [(20, 15)], wounds={1: 1}),
            unit("Whites", "red", TROOPER, [(2, 2)]),
            unit("Lancers", "blue", sheet(LANCE, name="Lancer"), [(40, 15)]),
            unit("Archers", "blue", sheet(LANCE, name="Archer"), [(42, 28)]),
            *others,
        ],
        terrain,
        **{
            "step": "shoot_units",
            "active": "blue",
            "dice": {**KILL, "destroyed transport": [4] * count, "any": [4] * 90, **(dice or {})},
            **more,
        },
    )
    return shoot(b, "Lancers", "Rhino")


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=1)
def test_passengers_get_out_before_the_wreck_is_removed() -> None:
    b = shot_down()
    assert asked(b, "escape").player == 0
    assert alive(b, "Rhino") == 1
    give(b, "escape", SIX)
    assert alive(b, "Rhino") == 0 and alive(b, "Reds") == 6


def test_what_went_down_before_is_not_hit_by_the_next_demise() -> None:
    bomb = sheet(name="Bomb", save=7, wounds=3, abilities=["deadly demise D3"])
    dice = {"hit": [4], "wound": [6], "deadly demise": [6, 6], "deadly demise wounds": [5]}
    b = situation(
        [
            unit("Reds", "red", sheet(gun(s=8, d="6"), name="Red"), [(5, 10)]),
            unit("First", "blue", bomb, [(20, 10)]),
            unit("Second", "blue", bomb, [(24, 10)]),
            unit("Far", "blue", bomb, [(40, 28)]),
        ],
        step="shoot_units",
        dice=dice,
    )
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "First"}])
    assert (alive(b, "First"), alive(b, "Second"), alive(b, "Far")) == (0, 0, 1)


def test_many_deadly_demises_set_off_one_another() -> None:
    bomb = sheet(name="Bomb", save=7, wounds=1, abilities=["deadly demise 1"])
    crowd = unit("Bombs", "blue", bomb, [(20 + 1.5 * (i % 15), 2 + 1.5 * (i // 15)) for i in range(150)])
    dice = {"hit": [4], "wound": [6], "deadly demise": [6] * 150}
    b = situation([unit("Reds", "red", sheet(gun(s=8), name="Red"), [(5, 2)]), crowd], step="shoot_units", dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Bombs"}])
    assert alive(b, "Bombs") == 0


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=2)
@pytest.mark.rule("w40k10.attack.deadly_demise", check=4)
def test_a_deadly_demise_comes_first_and_spares_the_passengers() -> None:
    b = shot_down(rhino={**RHINO, "abilities": ["deadly demise 3"]}, dice={"deadly demise": [6]})
    give(b, "escape", SIX)
    assert [kind for kind, _ in rolls(b)][-2:] == ["deadly demise", "destroyed transport"]
    assert wounds(b, "Reds") == [2] * 6


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=3)
def test_it_happens_in_any_phase_of_either_player() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=1, embarked="Rhino"),
            unit("Rhino", "red", RHINO, [AT], wounds={1: 1}, fought=True),
            unit("Foes", "blue", sheet(blade(s=16, ap=-6, d="12"), name="Foe"), [(12.5, 10)]),
            unit("Whites", "red", TROOPER, [(30, 5)]),
        ],
        step="remaining_combats",
        dice={**KILL, "destroyed transport": [4]},
    )
    while "strike" not in kinds(b):
        default(b, kinds(b)[0])
    default(b, "strike")
    give(b, "escape", [(7, 10)])
    assert alive(b, "Reds") == 1 and alive(b, "Rhino") == 0


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=4)
def test_passengers_of_a_wreck_keep_within_3_inches_and_out_of_engagement_range() -> None:
    b = shot_down(2, None, None, unit("Foes", "blue", TROOPER, [(20, 12)]))
    refused_by(b, "escape", [(20, 19.1), (21.5, 19)], "w40k10.transport.disembark_setup")
    refused_by(b, "escape", [(18.5, 12.5), (17, 12.5)], "w40k10.concept.engagement_limit")
    assert judge(b, "escape", [(20, 19), (21.5, 19)])


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=1)
def test_passengers_stay_in_a_transport_unit_until_its_last_model_is_destroyed() -> None:
    cart = {**RHINO, "name": "Cart", "base": INCH, "wounds": 1}
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=1, embarked="Carts"),
            unit("Carts", "red", cart, [(20, 15), (21.5, 15)]),
            unit("Lancers", "blue", sheet(LANCE, name="Lancer"), [(40, 15)]),
            unit("Archers", "blue", sheet(LANCE, name="Archer"), [(42, 28)]),
            unit("Slingers", "blue", sheet(LANCE, name="Slinger"), [(42, 2)]),
        ],
        step="shoot_units",
        active="blue",
        dice={"hit": [6, 6], "wound": [6, 6], "save": [1, 1], "destroyed transport": [4]},
    )
    shoot(b, "Lancers", "Carts")
    assert alive(b, "Carts") == 1 and is_aboard(b, transport="Carts")
    assert kinds(b) == ["shoot_with"]
    shoot(b, "Archers", "Carts")
    give(b, "escape", [(21.5, 17)])
    assert alive(b, "Carts") == 0 and places(b, "Reds") == [(21.5, 17, 0)]


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=1)
def test_each_one_costs_a_mortal_wound() -> None:
    b = shot_down(dice={"destroyed transport": [1, 4, 1, 6, 3, 2]})
    give(b, "escape", SIX)
    assert sum(wounds(b, "Reds")) == 10


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=2)
def test_the_mortal_wounds_are_allocated_as_usual() -> None:
    b = shot_down(dice={"destroyed transport": [1, 4, 1, 6, 3, 2]})
    give(b, "escape", SIX)
    # Two ones for two models, but one model takes both wounds.
    assert wounds(b, "Reds") == [2] * 5


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=3)
def test_feel_no_pain_helps_against_them() -> None:
    tough = {**TROOPER, "abilities": ["feel no pain 5+"]}
    b = shot_down(reds=tough, dice={"destroyed transport": [1, 4, 1, 6, 3, 2], "feel no pain": [5, 1]})
    give(b, "escape", SIX)
    assert sum(wounds(b, "Reds")) == 11


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=1)
def test_who_gets_out_of_a_wreck_is_battle_shocked_without_a_test() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    assert "battle-shock" not in [kind for kind, _ in rolls(b)]


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=2)
def test_the_shock_lasts_until_the_own_next_command_phase() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    give(b, "shoot_with", "pass")
    while b.state.active == 1:
        assert named(b, "Reds").battle_shocked
        default(b, kinds(b)[0])
    assert b.state.game.phase != "fight" and not named(b, "Reds").battle_shocked


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=3)
@pytest.mark.rule("w40k10.charge.eligible", check=6)
def test_who_gets_out_of_a_wreck_does_not_charge() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert cites(able_to_charge(b, named(b, "Reds"))) == {"w40k10.transport.destroyed_effects"}


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=4)
def test_who_gets_out_of_a_wreck_counts_as_having_moved() -> None:
    b = shot_down(reds=HEAVY)
    give(b, "escape", SIX)
    reds = named(b, "Reds")
    assert reds.moved == "normal"
    assert heavy(reds, weapons_of(b, reds.models[0])[0]) == 0


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=5)
def test_insane_bravery_does_not_help_out_of_a_wreck() -> None:
    b = shot_down(cp=(3, 3))
    while "escape" not in kinds(b):
        give(b, kinds(b)[0], "pass")
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    assert "react.test_failed" not in [e.kind for e in b.events if isinstance(e, Asked)]


# --- Emergency Disembarkation -----------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.emergency", check=1)
def test_an_emergency_is_when_a_unit_has_no_room_within_3_inches() -> None:
    b = shot_down(6, None, PEN)
    assert judge(b, "escape", FAR_SIX)
    b = shot_down(dice={"destroyed transport": [3, 3, 3, 2, 2, 2]})
    refused_by(b, "escape", FAR_SIX, "w40k10.transport.disembark_setup")
    give(b, "escape", SIX)
    assert wounds(b, "Reds") == [2] * 6


@pytest.mark.rule("w40k10.transport.emergency", check=2)
def test_in_an_emergency_models_are_set_up_wholly_within_6_inches() -> None:
    b = shot_down(2, None, PEN)
    refused_by(b, "escape", [(20, 22.1), (21.5, 22)], "w40k10.transport.disembark_setup")
    give(b, "escape", [(20, 22), (21.5, 22)])
    assert places(b, "Reds") == [(20, 22, 0), (21.5, 22, 0)]


@pytest.mark.rule("w40k10.transport.emergency", check=3)
def test_in_an_emergency_ones_to_threes_cost_mortal_wounds() -> None:
    b = shot_down(6, {"destroyed transport": [1, 4, 1, 6, 3, 2]}, PEN)
    give(b, "escape", FAR_SIX)
    assert sum(wounds(b, "Reds")) == 8


@pytest.mark.rule("w40k10.transport.emergency", check=4)
def test_a_model_without_a_place_is_destroyed_and_the_rest_is_set_up() -> None:
    b = shot_down(2, {"destroyed transport": [4]}, NICHE)
    default(b, "escape")
    assert alive(b, "Reds") == 1 and "no_place" in told(b)


@pytest.mark.rule("w40k10.transport.emergency", check=4)
def test_where_only_one_finds_a_place_it_is_the_character() -> None:
    hero = unit("Hero", "red", {**HERO, "wounds": 5}, off=1, leads="Reds", embarked="Rhino")
    b = shot_down(1, {"destroyed transport": [4]}, NICHE, hero)
    default(b, "escape")
    assert wounds(b, "Hero") == [5]


@pytest.mark.rule("w40k10.transport.emergency", check=5)
def test_an_emergency_shakes_a_unit_as_well() -> None:
    b = shot_down(6, {"destroyed transport": [3, 4, 4, 4, 4, 4]}, PEN)
    give(b, "escape", FAR_SIX)
    reds = named(b, "Reds")
    assert reds.battle_shocked and sum(wounds(b, "Reds")) == 11
    assert cites(able_to_charge(b, reds)) == {"w40k10.transport.destroyed_effects"}


# --- Compulsory set-ups -----------------------------------------------------------------------------------------------

TWO_NICHES = [
    feature("debris", rect, 4, solid=True)
    for rect in (
        (10, 5, 7.8, 20), (22.2, 5, 7.8, 20), (17.8, 5, 4.4, 4), (17.8, 10.3, 4.4, 3), (19.2, 9, 3, 1.3),
        (17.8, 16.7, 4.4, 2), (19.2, 18.7, 3, 1.3), (17.8, 20, 4.4, 5),
    )
]  # fmt: skip
"""Room for one model within 6" on each of two sides of the Rhino, far apart."""


@pytest.mark.rule("w40k10.concept.coherency_setup", check=2)
def test_a_model_without_a_coherent_place_is_destroyed_and_the_rest_is_set_up() -> None:
    b = shot_down(2, {"destroyed transport": [4]}, TWO_NICHES)
    default(b, "escape")
    assert alive(b, "Reds") == 1 and "no_place" in told(b)
    b = shot_down(1, {"destroyed transport": [4]}, TWO_NICHES)
    for place in ((18.5, 19.36), (18.5, 9.66)):
        assert judge(b, "escape", [place]), "each of the places is a good one"


@pytest.mark.rule("w40k10.concept.engagement_limit", check=4)
def test_a_model_whose_only_place_is_next_to_the_enemy_is_destroyed() -> None:
    foe = unit("Foes", "blue", TROOPER, [(17.15, 19.35)])
    outside = [feature("debris", (0, 25, 44, 5), 4, solid=True), *NICHE[1:]]
    outside += [
        feature("debris", rect, 4, solid=True) for rect in ((10, 5, 7.8, 13.7), (10, 20, 7.8, 5), (10, 18.7, 6.6, 1.3))
    ]
    b = shot_down(1, {"destroyed transport": [4]}, outside)
    assert judge(b, "escape", [(18.5, 19.36)])
    b = shot_down(1, None, outside, foe)
    assert "escape" not in kinds(b)
    assert alive(b, "Reds") == 0 and "no_place" in told(b)


def test_of_an_attached_unit_that_finds_no_place_both_parts_are_told_as_destroyed() -> None:
    filled = [*NICHE, feature("debris", (17.8, 18.7, 1.4, 1.3), 4, solid=True)]
    hero = unit("Hero", "red", HERO, off=1, leads="Reds", embarked="Rhino")
    b = shot_down(2, None, filled, hero)
    assert alive(b, "Reds") == 0
    ends = [e for e in b.events if isinstance(e, Told) and e.kind == "unit_destroyed"]
    assert [(b.unit(e.units[0]).name, e.data["part"]) for e in ends] == [
        ("Reds", "bodyguard"),
        ("Reds", "leader"),
        ("Rhino", "unit"),
    ]
