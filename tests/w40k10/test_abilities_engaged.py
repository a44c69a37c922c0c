"""Abilities that work within Engagement Range: an inch along the table, and five in height."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.armies.effects import AnyEffect, Characteristic, Modify, MortalWounds, problem_of_effect
from sandtable.battle import OFF, TABLE
from sandtable.forty.effects.at_work import Active, at_work, once_each
from sandtable.forty.effects.deeds import engaged_models
from sandtable.forty.effects.occasions import Occasion
from sandtable.forty.effects.targets import candidates
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.armies import pack
from w40k10.powers import Place, at, called, clash, effect_of
from w40k10.table import rolls


def beside(one: Place, other: str, gap: float, rise: float, **more: object) -> Battle10:
    """Two units in columns whose first models are so far apart, and the other so much above their heads."""
    b = clash([one], [at(other, 10)], **more)  # type: ignore[arg-type]
    mine, theirs = b.units()[0], b.units()[1]
    wide = b.shapes.reach[b.bodies.shape[[mine.models[0], theirs.models[0]]]]
    for i, m in enumerate(theirs.models):
        b.state.models.pos[m, 0] = b.state.models.pos[mine.models[0], 0] + int(wide.sum()) + steps(gap)
        b.state.models.pos[m, 1] = b.state.models.pos[mine.models[0], 1] - i * int(2 * wide[1] + 99)
        b.state.models.pos[m, 2] = int(b.shapes.thick[b.bodies.shape[mine.models[0]]]) + steps(rise) if rise else 0
    return b


PLACES = [(1.0, 0.0, True), (1.0, 3.0, True), (1.0, 5.0, True), (1.05, 0.0, False), (0.5, 5.05, False)]
"""Gap along the table, gap in height, and whether that is Engagement Range."""


@pytest.mark.parametrize(("gap", "rise", "engaged"), PLACES)
def test_terminatus_assault_reaches_enemies_further_up(gap: float, rise: float, engaged: bool) -> None:
    b = beside(at("terminator-assault-squad", 10), "boyz", gap, rise, step="fight_phase", dice={"any": [6] * 99})
    b.start()
    assert ("battle-shock" in [reason for reason, _ in rolls(b)]) is engaged


@pytest.mark.parametrize(("gap", "rise", "engaged"), PLACES)
def test_swarms_take_objective_control_from_enemies_further_up(gap: float, rise: float, engaged: bool) -> None:
    b = beside(at("canoptek-scarab-swarms", 10), "boyz", gap, rise)
    assert [a.name for a in at_work(b, called(b, "Boyz"), Characteristic)] == ["Chittering Swarm"] * engaged


@pytest.mark.rule("w40k10.ability.aura", check=1)
@pytest.mark.parametrize(("gap", "reached"), [(6.0, True), (6.01, False)])
def test_an_aura_reaches_exactly_as_far_as_it_says(gap: float, reached: bool) -> None:
    aura = {"kind": "characteristic", "name": "Ld", "add": 1, "who": "enemies", "within": 6}
    b = beside(at("captain", 10), "boyz", gap, 0.0, bare=True, gain=[("Captain", aura)])
    assert bool(at_work(b, called(b, "Boyz"), Characteristic)) is reached
    assert not at_work(b, called(b, "Captain"), Characteristic)


@pytest.mark.rule("w40k10.ability.aura", check=4)
def test_an_aura_over_the_whole_table_needs_both_on_it() -> None:
    aura = {"kind": "characteristic", "name": "Ld", "add": 1, "who": "friends"}
    b = clash([at("captain", 10), at("intercessor-squad", 20)], [at("boyz", 30)], bare=True, gain=[("Captain", aura)])
    squad, captain = called(b, "Intercessor Squad"), called(b, "Captain")
    assert at_work(b, squad, Characteristic)
    b.place_models(squad.models, OFF)
    assert not at_work(b, squad, Characteristic), "in Reserves"
    b.place_models(squad.models, TABLE)
    b.place_models(captain.models, OFF)
    assert not at_work(b, squad, Characteristic), "and so is its bearer"


@pytest.mark.rule("w40k10.ability.aura", check=2)
def test_auras_of_one_name_work_once_and_what_a_unit_has_itself_adds_up() -> None:
    b = clash([at("captain", 10)], [at("boyz", 30)], bare=True)

    def kept(who: str, **more: int) -> int:
        effect = effect_of({"kind": "characteristic", "name": "Ld", "add": 1, "who": who, **more})
        return len(once_each(b, [Active(0, effect, 1, "Banner"), Active(1, effect, 2, "Banner")]))

    assert (kept("friends", within=6), kept("army"), kept("unit")) == (1, 1, 2)


def test_models_that_charged_count_where_they_are_engaged() -> None:
    b = beside(at("jump-pack-intercessors", 10), "boyz", 0.2, 3.0)
    (hammer,) = [e for a in b.setup.data.abilities for e in a.effects if isinstance(e, MortalWounds)]
    chargers, boyz = called(b, "Assault Intercessors with Jump Packs"), called(b, "Boyz")
    assert engaged_models(b, chargers, boyz, hammer) == 1
    high = beside(at("jump-pack-intercessors", 10), "boyz", 0.2, 6.0)
    assert engaged_models(high, chargers, boyz, hammer) == 0


def test_every_ability_of_the_pack_that_speaks_of_engaged_enemies_measures_engagement() -> None:
    named = {
        ability.name: {e.within for e in ability.effects if e.who in ("enemy", "enemies")}
        for sheet in pack().sheets()
        for ability in sheet.abilities
    }
    meant = (
        "Terminatus Assault", "Crimson Harvest", "Piston-driven Brutality", "Hammer of Wrath", "Hypnotic Gaze",
        "Chittering Swarm", "Chitinous Horrors",
    )  # fmt: skip
    assert {name: named[name] for name in meant} == {name: {"engagement"} for name in meant}
    assert not [name for name, ranges in named.items() if any(r not in ("engagement", 0) and r < 3 for r in ranges)]


def test_what_a_leader_does_to_an_enemy_is_measured_from_the_leader() -> None:
    b = clash(
        [at("genestealers", 10), at("broodlord", 40, leads="Genestealers")],
        [at("boyz", 11.5), at("nobz", 42)],
        step="fight_phase",
        dice={"any": [1] * 99},
    )
    number = next(i for i, a in enumerate(b.setup.data.abilities) if a.name == "Hypnotic Gaze")
    gaze = b.setup.data.abilities[number]
    (effect,) = [e for e in gaze.effects if isinstance(e, Modify)]
    found = candidates(b, gaze, effect, called(b, "Genestealers").id, Occasion("fight"))
    assert [u.name for u in found] == ["Nobz"], "the Boyz are engaged with its Bodyguard only"


def test_engagement_is_no_distance_for_arrivals() -> None:
    forbid = {"kind": "forbid", "what": "arrive_within", "who": "enemies", "within": "engagement"}
    assert "inches" in problem_of_effect(effect_of(forbid))
    assert not problem_of_effect(effect_of({**forbid, "within": 12}))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**forbid, "within": "close"}, AnyEffect)  # type: ignore[arg-type]
