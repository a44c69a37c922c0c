"""The computer players think about 8th edition with what its own functions answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import sandtable
from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice
from sandtable.battle.tactics import Idea
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.places import dread, weigh
from sandtable.forty.mind.plan import models_there, plan
from sandtable.forty.mind.style import STYLES
from sandtable.forty.mind.tactics import TACTICS
from sandtable.players import ComputerPlayer
from sandtable.players.computer import PLAIN
from sandtable.players.table import play
from sandtable.systems.w40k8.mind import MIND
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from w40k8.table import bare, blade, column, gun, sheet, situation, unit

LISTS = {"red": "space-marines-60-demi-company", "blue": "orks-60-speed"}


def thoughts(seed: int) -> Iterator[tuple[str, str]]:
    """What two tacticians were asked in a battle, and why they answered as they did, where they thought about it."""
    setup, state = sample(seed, SYSTEM.settle_options({}))
    players = {p: ComputerPlayer("tactician") for p in (0, 1)}
    assert play(Battle(SYSTEM, setup, state, dice=KeyedDice(seed)).start(), players)
    return ((note.kind, note.text) for player in players.values() for note in player.log if note.text != PLAIN)


def test_two_tacticians_think_about_charges_and_fights() -> None:
    why = dict(thought for seed in range(3) for thought in thoughts(seed))
    assert {"shoot_with", "charge_with", "charge_targets", "fight_with", "strike", "consolidate"} <= set(why)
    assert "reached with a chance of" in why["charge_targets"]
    assert "to the most effect" in why["strike"]


def plan_of(b: Battle8, style: str = "tactician") -> Idea:
    """What a computer player thinks best about the question that is open."""
    return next(TACTICS.ideas(b, b.decisions[0], style))


def witches(gap: float) -> Battle8:
    """A psyker in her Psychic phase, with enemies so far off."""
    witch = sheet(name="Witch", wounds=5, keywords=["INFANTRY", "PSYKER"], psyker={"casts": 1, "denies": 1})
    foes = unit("Blues", "blue", bare(wounds=9), [(11 + gap, 10)])
    return situation([unit("Witch", "red", witch, [(10, 10)]), foes], step="manifest_powers")


def test_a_power_is_manifested_where_it_reaches_somebody() -> None:
    assert plan_of(witches(18)).answer == "0|smite"
    assert plan_of(witches(18.1)).answer is None


def blessed(gap: float, effect: dict[str, Any]) -> Battle8:
    """A psyker with a power that works as an ability, and enemies so far off."""
    power = {"name": "bless", "charge": 5, "range": 0, "wounds": "0", "ability": True}
    mind = {"casts": 1, "denies": 0, "powers": ["bless"], "described": [power]}
    witch = sheet(blade(), name="Witch", wounds=5, keywords=["INFANTRY", "PSYKER"], psyker=mind)
    units = [unit("Witch", "red", witch, [(10, 10)]), unit("Blues", "blue", bare(wounds=9), [(11 + gap, 10)])]
    abilities = [{"name": "Bless", "unit": "Witch", "effects": [{"at": "manifested", **effect}]}]
    return situation(units, step="manifest_powers", abilities=abilities)


def test_what_helps_in_melee_is_manifested_where_there_will_be_one() -> None:
    grace = {"kind": "modify", "roll": "wound", "value": 1, "when": ["melee"], "who": "friend", "within": 6,
             "until": "next_psychic"}  # fmt: skip
    assert [plan_of(blessed(gap, grace)).answer for gap in (8, 14)] == ["0|bless", None]


def test_what_hurts_is_weighed_by_its_wounds() -> None:
    curse = {"kind": "mortal_wounds", "amount": 1, "dice": 7, "above": "T", "who": "enemy", "within": 14}
    reached, beyond = plan_of(blessed(14, curse)), plan_of(blessed(14.1, curse))
    assert (reached.answer, beyond.answer) == ("0|bless", None)


def test_a_character_joins_a_melee_that_it_wins_and_no_other() -> None:
    def hero(attacks: int) -> Battle8:
        lord = sheet(blade(s="x2", ap=-3, d="3"), name="Lord", wounds=6, attacks=attacks, keywords=["CHARACTER"])
        brutes = sheet(blade(s="8", ap=-3, d="3"), name="Brute", attacks=4)
        return situation(
            [
                unit("Brutes", "red", brutes, column(3, 10, 10)),
                unit("Lord", "blue", lord, [(13.5, 10)]),
            ],
            step="heroic_interventions",
        )

    assert plan_of(hero(8)).answer == 1
    assert plan_of(hero(0)).answer is None


def test_transports_are_set_up_before_those_who_ride_in_them() -> None:
    b: Any = sandtable.new("w40k8", armies=LISTS, mission="only-war", layout="random-1", seed=1)
    players = {p: ComputerPlayer("tactician") for p in (0, 1)}
    while not b.state.round:
        for d in b.decisions:
            b.answer(d, players[d.player].choose(b.view(d.player), d))
    listed = {i: entry.embark for i, entry in enumerate(b.setup.data.roster) if entry.embark >= 0}
    assert len(listed) >= 4
    assert {i: b.unit(i).embarked for i in listed} == listed


def test_what_only_war_pays_depends_on_its_primary_objective() -> None:
    def pays(primary: int) -> list[tuple[str, int, str]]:
        b: Any = sandtable.new("w40k8", armies=LISTS, mission="only-war", layout="random-1", seed=1)
        b.state.game.primary = primary
        return [(way.kind, way.vp, way.when) for way in MIND.scoring(b) or ()]

    assert pays(1) == [("hold", 2, "battle"), ("destroy warlord", 2, "battle")]
    assert pays(2) == [("hold", 6, "battle")]
    assert pays(3) == [("hold", 1, "turn"), ("hold", 1, "command")]


def test_points_of_an_army_are_counted_by_its_power() -> None:
    b: Any = sandtable.new("w40k8", armies=LISTS, mission="only-war", layout="random-1", seed=1)
    power = sum(entry.points for entry in b.setup.data.roster)
    assert 110 <= power <= 125
    assert round(float(arsenal(b).points.sum())) == 20 * power


def test_a_character_is_not_afraid_of_those_who_have_others_nearer() -> None:
    def danger(friend: float) -> float:
        guns = sheet(gun(range_=48, shots="4"), name="Gunner")
        lord = sheet(name="Lord", wounds=6, keywords=["CHARACTER"])
        b = situation(
            [
                unit("Lord", "red", lord, [(6, 20)]),
                unit("Guards", "red", sheet(), column(5, friend, 20)),
                unit("Gunners", "blue", guns, column(5, 40, 20)),
            ],
            step="move_units",
        )
        return float(weigh(b, b.unit(0), STYLES["tactician"], np.array([[6.0, 20.0]])).danger[0])

    assert 0 < danger(12) < 0.3 * danger(2)


def test_models_are_counted_at_a_marker_not_the_middles_of_units() -> None:
    wide = unit("Reds", "red", sheet(), [(14.4, 15), (16.4, 15), (18.4, 15), (20.4, 15)])
    b = situation(
        [wide, unit("Blues", "blue", sheet(), [(40, 28)])],
        step="move_units",
        mission="only-war",
        objectives=[(12.0, 15.0), (17.4, 15.0)],
    )
    assert models_there(b).tolist() == [[1.0, 4.0], [0.0, 0.0]]


def test_a_warlord_is_afraid_for_what_his_fall_pays_the_enemy() -> None:
    b: Any = sandtable.new("w40k8", armies=LISTS, mission="cut-off-the-head", layout="random-1", seed=1)
    players = {p: ComputerPlayer("tactician") for p in (0, 1)}
    while not b.state.round:
        for d in b.decisions:
            b.answer(d, players[d.player].choose(b.view(d.player), d))
    o = outlook(b)
    feared = {b.unit(u).name: dread(b, o, row, b.unit(u)) for u, row in o.row.items()}
    assert [name for name, more in feared.items() if more] == ["Captain in Terminator Armour"]
    assert feared["Captain in Terminator Armour"] > 1.0


def test_who_is_in_the_middle_of_an_advance_still_counts_for_a_marker_at_the_end() -> None:
    def needed(more: int) -> float:
        units = [unit("Reds", "red", sheet(), [(10, 15)]), unit("Blues", "blue", sheet(), [(40, 28)])]
        state = {"game": {"primary": 2, "first": 1}}
        b = situation(
            units, step="move_units", mission="only-war", objectives=[(18.0, 15.0)], state=state, rounds=1, turns=0
        )
        b.set_unit(b.unit(0), moved="advance", advance=more)
        return float(plan(b, 0).needed[0][0])

    assert needed(3) > 0.5
    assert needed(0) == 0.0
