"""Options of a battle: other readings and later wordings of single rules, each with both of its values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable import systems
from sandtable.battle import Moves
from sandtable.forty.effects.saves import Saves
from sandtable.kit.alternating import next_selection
from sandtable.systems.w40k10.abilities.deadly_demise import units_near
from sandtable.systems.w40k10.allocate_and_save import throw
from sandtable.systems.w40k10.desperate_escape import who_escapes
from sandtable.systems.w40k10.readings import READINGS
from sandtable.systems.w40k10.shooting_phase import eligible_to_shoot
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.core_stratagems import may_throw
from w40k10.arms import blade, cited, duel, face_off, gun, last, outcomes, sheet, target
from w40k10.table import (
    INCH,
    TANK,
    TROOPER,
    alive,
    asked,
    cites,
    feature,
    give,
    judge,
    kinds,
    named,
    refused_by,
    rolls,
    situation,
    unit,
    wall,
    wounds,
)

FOE = unit("Blues", "blue", TROOPER, [(40, 25)])
SPARE = unit("Spares", "red", TROOPER, [(2, 28)])
"""Somebody who can still move, so that the phase goes on."""


@pytest.mark.parametrize("reading", READINGS, ids=lambda r: r.name)
def test_a_reading_names_a_rule_whose_note_speaks_of_it(reading: Any) -> None:
    from sandtable.rules.project import Project

    row = Project.here().ledger.load("w40k10")[reading.rule]
    assert row.note, f"{reading.rule} has no note"
    assert len(reading.values) == 2


def test_the_page_of_options_lists_every_reading() -> None:
    page = (Path(__file__).parents[2] / "docs" / "options.md").read_text(encoding="utf-8")
    for reading in READINGS:
        values = ", ".join(f"`{v}`" for v in reading.values)
        assert f"| `{reading.name}` | {values} | {reading.text} | `{reading.rule}` |" in page


def test_the_defaults_are_the_first_values() -> None:
    chosen = systems.get("w40k10").settle_options({})
    assert {r.name: chosen[r.name] for r in READINGS} == {r.name: r.values[0] for r in READINGS}


# --- Attacks ----------------------------------------------------------------------------------------------------------

DEADLY = gun("lethal hits", "devastating wounds", s=1, d="3")


def test_lethal_hits_always_wound_by_themselves() -> None:
    b = duel(DEADLY, target(wounds=9), dice={"hit": [6]})
    assert "lethal_hits" not in kinds(b)
    assert [kind for kind, _ in rolls(b)] == ["hit"]


@pytest.mark.parametrize("use", [True, False])
def test_lethal_hits_may_be_optional(use: bool) -> None:
    dice = {"hit": [6], "wound": [6]}
    b = duel(DEADLY, target(wounds=9), dice=dice, options={"lethal": "optional"})
    assert asked(b, "lethal_hits").player == 0
    assert b.default(asked(b, "lethal_hits")) is True
    give(b, "lethal_hits", "yes" if use else "no")
    assert [kind for kind, _ in rolls(b)] == (["hit"] if use else ["hit", "wound"])
    assert ("w40k10.weapon.devastating_wounds" in cited(b)) is not use
    assert wounds(b, "Blues") == [6]


def test_nobody_is_asked_about_lethal_hits_that_cannot_do_more() -> None:
    b = duel(gun("lethal hits", s=1), target(wounds=9), dice={"hit": [6]}, options={"lethal": "optional"})
    assert "lethal_hits" not in kinds(b)


@pytest.mark.parametrize(("value", "hits"), [("penalty", 2), ("misses-to-3", 1)])
def test_low_rolls_of_indirect_fire_may_miss(value: str, hits: int) -> None:
    hill = feature("hill", (15, 0, 0.5, 20), 6, solid=True)
    shot = gun("indirect fire", a="2", bs=2, s=1)
    b = duel(shot, terrain=[hill], dice={"hit": [3, 4], "wound": [1] * hits}, options={"indirect": value})
    assert last(b)["hits"] == hits


@pytest.mark.parametrize(("value", "hits"), [("unit", 2), ("model", 1)])
def test_indirect_fire_may_ask_for_each_models_own_sight(value: str, hits: int) -> None:
    """One of two shooters sees the target: both roll a 3 and need a 3."""
    hill = feature("hill", (15, 0, 0.5, 7), 6, solid=True)
    b = duel(
        gun("indirect fire", s=1),
        terrain=[hill],
        red_at=[(10, 4), (10, 16)],
        blue_at=[(21, 4)],
        dice={"hit": [3, 3], "wound": [1] * hits},
        options={"indirect-sight": value},
    )
    assert sum(o["hits"] for o in outcomes(b)) == hits


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=1)
@pytest.mark.parametrize(("value", "hits"), [("sum", 1), ("each", 0)])
def test_each_modifier_may_be_capped_by_itself(value: str, hits: int) -> None:
    """Stealth and Indirect Fire take 1 each from a Hit roll of 4 that needs a 3."""
    hill = feature("hill", (15, 0, 0.5, 20), 6, solid=True)
    stealthy = target(abilities=["stealth"])
    dice = {"hit": [4], "wound": [1] * hits}
    b = duel(gun("indirect fire", s=1), stealthy, terrain=[hill], dice=dice, options={"modifier-cap": value})
    assert last(b)["hits"] == hits


@pytest.mark.parametrize(("value", "needed"), [("sum", 5), ("bonuses", 6)])
def test_the_limit_on_saves_may_look_at_bonuses_alone(value: str, needed: int) -> None:
    """AP -2 and two bonuses of +1 on a save of 5+."""
    b = face_off(gun(ap=-2), target(save=5), options={"save-cap": value})
    unit_, blues = named(b, "Reds"), named(b, "Blues")
    from sandtable.forty.aiming import guns_of
    from sandtable.forty.declaring import shots_of
    from sandtable.systems.w40k10.fast_dice_rolling import alike_together

    give(b, "shoot_with", "Reds")
    guns = guns_of(b, unit_)
    shots = shots_of(b, unit_, guns, b.default(asked(b, "shoot")))
    (batch,) = alike_together([s for s in shots if s.target == blues.id])
    saves = Saves(save=5, ap=-2, invulnerable=7, bonus=2)
    assert throw(b, blues, batch[0], (), saves).face == needed


@pytest.mark.parametrize(("value", "left"), [("raised", 4), ("printed", 6)])
def test_devastating_wounds_may_leave_melta_out(value: str, left: int) -> None:
    shot = gun("devastating wounds", "melta 2", d="3")
    b = duel(shot, target(wounds=9), dice={"hit": [3], "wound": [6]}, options={"melta-devastating": value})
    assert wounds(b, "Blues") == [left]


@pytest.mark.parametrize("value", ["each", "one-unit"])
def test_pistols_may_have_to_share_a_target(value: str) -> None:
    pistols = sheet(gun("pistol", name="left", range_=12), gun("pistol", name="right", range_=12), name="Gunslinger")
    b = situation(
        [
            unit("Reds", "red", pistols, [(10, 10)]),
            unit("Blues", "blue", target(), [(11.5, 10)]),
            unit("Others", "blue", target(name="Other"), [(8.5, 10)]),
        ],
        step="shoot_units",
        options={"pistols": value},
    )
    give(b, "shoot_with", "Reds")
    split = [{"weapon": "left", "target": "Blues"}, {"weapon": "right", "target": "Others"}]
    if value == "each":
        assert judge(b, "shoot", split)
    else:
        refused_by(b, "shoot", split, "w40k10.weapon.pistol_eligible")
    assert judge(b, "shoot", [{"weapon": "left", "target": "Blues"}, {"weapon": "right", "target": "Blues"}])


# --- Cover ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "saved"), [("improved", 1), ("printed", 0)])
def test_cover_may_look_at_the_printed_ap(value: str, saved: int) -> None:
    """Plunging Fire with AP 0 at a save of 3+ in cover: at AP -1 cover gives the point back, at AP 0 it gives none."""
    tower = feature("ruins", (6, 5, 8, 8), 9)
    ditch = feature("crater", (18, 4, 8, 8))
    b = duel(
        gun(),
        target(save=3, wounds=2),
        terrain=[tower, ditch],
        red_at=[(10, 8, 6)],
        blue_at=[(22, 8)],
        dice={"hit": [3], "wound": [6], "save": [3]},
        options={"cover-ap": value},
    )
    assert last(b)["wounds"] - last(b)["unsaved"] == saved


@pytest.mark.parametrize(("value", "covered"), [("any", True), ("every", False)])
def test_cover_may_need_everybody_to_be_hindered(value: str, covered: bool) -> None:
    from sandtable.forty.covering import terrain_cover

    walled = feature("ruins", (18, 9, 1, 6), 6, walls=(wall((18.5, 10), (18.5, 15), 6),))
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10), (22, 7)]), unit("Blues", "blue", TROOPER, [(22, 10)])],
        [walled],
        options={"cover-sight": value},
    )
    assert bool(terrain_cover(b, named(b, "Reds"), named(b, "Blues"))) is covered


# --- Moves and Reserves -----------------------------------------------------------------------------------------------

OVAL = {**TANK, "name": "Oval", "base": "101.6x50.8mm", "move": 6}


@pytest.mark.rule("w40k10.move.distance", check=2)
@pytest.mark.parametrize(
    ("value", "keyword", "degrees", "most"),
    [
        # The end of a base of 4" is 2" from its middle: a quarter turn takes it 3.14" along.
        ("measured", "VEHICLE", 90, 2.85),
        ("measured", "VEHICLE", 10, 5.62),
        ("measured", "VEHICLE", 0, 6),
        ("flat", "VEHICLE", 90, 4),
        ("flat", "MONSTER", 10, 4),
        ("flat", "MOUNTED", 90, 5),
        ("flat", "VEHICLE", 0, 6),
    ],
)
def test_a_turn_costs_what_the_end_of_the_base_travels_or_a_fixed_price(
    value: str, keyword: str, degrees: float, most: float
) -> None:
    def may(go: float) -> bool:
        oval = {**OVAL, "keywords": [keyword]}
        b = situation([unit("Reds", "red", oval, [(10, 10)]), FOE], options={"pivot": value})
        give(b, "move_with", "Reds")
        turn = {"do": "turn", "to": [10, 10], "facing": degrees}
        return bool(judge(b, "move", {"mode": "normal", "paths": {1: [turn, [10 + go, 10]]}}))

    assert [may(most), may(most + 0.05)] == [True, False]


@pytest.mark.parametrize("value", ["no", "yes"])
def test_strategic_reserves_may_use_deep_strike(value: str) -> None:
    dropper = {**TROOPER, "name": "Dropper", "abilities": ["deep strike"]}
    b = situation(
        [unit("Drop", "red", dropper, off=1, reserve="strategic"), unit("Whites", "red", TROOPER, [(5, 5)]), FOE],
        step="reinforcements",
        round_=2,
        options={"strategic-deep-strike": value},
    )
    give(b, "arrive_with", "Drop")
    assert judge(b, "arrive", [(3, 20)])
    if value == "no":
        refused_by(b, "arrive", [(20, 15)], "w40k10.reserve.strategic_round2")
    else:
        assert judge(b, "arrive", [(20, 15)])
        refused_by(b, "arrive", [(36, 20)], "w40k10.ability.deep_strike")


@pytest.mark.parametrize("value", ["any-round", "from-round-2"])
def test_deep_strike_may_wait_for_the_second_round(value: str) -> None:
    for round_ in (1, 2):
        drop = unit("Drop", "red", {**TROOPER, "abilities": ["deep strike"]}, off=1, reserve="deep strike")
        b = situation([drop, FOE], step="reinforcements", round_=round_, options={"deep-strike": value})
        assert ("arrive_with" in kinds(b)) == (value == "any-round" or round_ == 2)


@pytest.mark.parametrize("value", ["never", "touching-edge"])
def test_a_very_large_model_may_arrive_touching_the_edge(value: str) -> None:
    giant = {**TANK, "name": "Giant", "base": "hull 8x7"}
    b = situation(
        [unit("Giant", "red", giant, off=1, reserve="strategic"), unit("Whites", "red", TROOPER, [(5, 25)]), FOE],
        step="reinforcements",
        round_=2,
        options={"large-reserves": value},
    )
    give(b, "arrive_with", "Giant")
    if value == "never":
        refused_by(b, "arrive", [(20, 3.5)], "w40k10.reserve.strategic_round2")
    else:
        assert judge(b, "arrive", [(20, 3.5)])
    refused_by(b, "arrive", [(20, 3.6)], "w40k10.reserve.strategic_round2")


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=4)
@pytest.mark.parametrize(("value", "tests"), [("all", 2), ("fly-exempt", 1)])
def test_flyers_may_be_spared_the_desperate_escape(value: str, tests: int) -> None:
    b = situation(
        [
            unit(
                "Reds", "red", TROOPER, [(10, 10), (10, 11.5)], battle_shocked=True,
                loadout=[{"models": [2], "sheet": {**TROOPER, "keywords": ["INFANTRY", "FLY"]}}],
            ),
            unit("Blues", "blue", TROOPER, [(11.2, 10)]),
        ],
        options={"desperate-escape": value},
    )  # fmt: skip
    assert len(who_escapes(b, named(b, "Reds"), Moves("fall_back"))) == tests


@pytest.mark.parametrize("value", ["refused", "allowed"])
def test_units_may_be_set_up_on_markers(value: str) -> None:
    drop = unit("Drop", "red", {**TROOPER, "abilities": ["deep strike"]}, off=1, reserve="deep strike")
    b = situation([drop, FOE], step="reinforcements", objectives=[(20, 10)], options={"marker-set-up": value})
    give(b, "arrive_with", "Drop")
    if value == "refused":
        refused_by(b, "arrive", [(20, 10)], "w40k10.objective.movement")
    else:
        assert judge(b, "arrive", [(20, 10)])


# --- Fights and Stratagems --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "following"), [("selection", 0), ("extra", 1)])
def test_a_counter_offensive_may_come_on_top_of_the_selection(value: str, following: int) -> None:
    harmless = sheet(blade(a="0"), name="Harmless")
    pairs = [
        doc
        for i in range(3)
        for doc in (
            unit(f"Red {i}", "red", harmless, [(10 * i + 5, 10)]),
            unit(f"Blue {i}", "blue", harmless, [(10 * i + 6, 10)]),
        )
    ]
    b = situation(pairs, step="remaining_combats", game={"forced": 1}, options={"counter-offensive": value})
    from sandtable.systems.w40k10.fight_phase import REMAINING

    while not named(b, "Blue 0").fought or asked_during(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    turn = next_selection(b, (REMAINING,), b.state.game.selecting)
    assert turn is not None
    assert turn.player == following


def asked_during(b: Battle10) -> bool:
    """Whether a question of a fight is open."""
    return kinds(b)[0] in ("pile_in", "strike", "consolidate")


@pytest.mark.parametrize(("value", "near"), [("own-unit", ["Reds", "Blues"]), ("others", ["Blues"])])
def test_a_deadly_demise_may_spare_the_own_unit(value: str, near: list[str]) -> None:
    bomb = {**TROOPER, "abilities": ["deadly demise 1"]}
    b = situation(
        [unit("Reds", "red", bomb, [(10, 10), (12, 10)]), unit("Blues", "blue", TROOPER, [(8, 10)])],
        options={"deadly-demise": value},
    )
    assert [u.name for u in units_near(b, 0)] == near


@pytest.mark.parametrize(("value", "allowed"), [("locked", False), ("free", True)])
def test_aircraft_alone_may_leave_a_unit_free_to_shoot(value: str, allowed: bool) -> None:
    jet = {**TANK, "name": "Jet", "keywords": ["VEHICLE", "AIRCRAFT", "FLY"], "base": INCH}
    units = [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Jet", "blue", jet, [(11.5, 10)]), FOE]
    b = situation(units, options={"aircraft-lock": value})
    verdict = eligible_to_shoot(b, named(b, "Reds"))
    assert verdict.ok is allowed
    assert allowed or "w40k10.shoot.locked_shooter" in cites(verdict)
    b = situation([*units, unit("Foes", "blue", TROOPER, [(10, 11.5)])], options={"aircraft-lock": value})
    assert not eligible_to_shoot(b, named(b, "Reds"))


@pytest.mark.rule("w40k10.strat.grenade", check=6)
@pytest.mark.parametrize(("value", "allowed"), [("any", True), ("unhurried", False)])
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_a_hurried_unit_may_have_no_time_for_grenades(value: str, allowed: bool, moved: str) -> None:
    thrower = {**TROOPER, "keywords": ["INFANTRY", "GRENADES"]}
    b = situation([unit("Reds", "red", thrower, [(10, 10)], moved=moved), SPARE, FOE], options={"grenade": value})
    assert may_throw(b, named(b, "Reds")) is allowed
    b = situation([unit("Reds", "red", thrower, [(10, 10)], moved="normal"), SPARE, FOE], options={"grenade": value})
    assert may_throw(b, named(b, "Reds"))


@pytest.mark.parametrize(("value", "count"), [("set-up", 1), ("all", 2)])
def test_lost_models_may_be_rolled_for_in_an_emergency(value: str, count: int) -> None:
    from w40k10.test_destroyed_transports import NICHE, shot_down

    b = shot_down(2, {"destroyed transport": [4] * count}, NICHE, options={"emergency-rolls": value})
    b.answer(asked(b, "escape"), b.default(asked(b, "escape")))
    assert alive(b, "Reds") == 1
    assert [len(faces) for kind, faces in rolls(b) if kind == "destroyed transport"] == [count]
