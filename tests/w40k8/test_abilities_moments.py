"""Abilities at their moments: when a turn or a phase begins or ends, after a charge, and when a model falls."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.events import Asked
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import default, judge, offered, until
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    blade,
    column,
    give,
    gun,
    kinds,
    last,
    melee,
    named,
    rolls,
    sheet,
    shootout,
    situation,
    squad,
    strike,
    told,
    unit,
    wounds,
)

rule = pytest.mark.rule
TURN = {"step": "begin_turn"}


def ability(bearer: str, *effects: Doc, name: str = "Gift", **more: Any) -> Doc:
    """An ability of a unit."""
    return {"name": name, "unit": bearer, "effects": list(effects), **more}


def at_start(reds: UnitDoc, *abilities: Doc, dice: Any = None, more: list[UnitDoc] | None = None) -> Battle8:
    """A turn of red begins."""
    units = [reds, unit("Blues", "blue", bare(wounds=9), [(30, 8)]), *(more or [])]
    return situation(units, step="begin_turn", dice=dice, abilities=list(abilities))


# --- The start of a turn ----------------------------------------------------------------------------------------------

METAL: Doc = {"kind": "heal", "amount": 1, "at": "turn_start"}


def test_living_metal_gives_a_lost_wound_back_when_a_turn_of_its_player_starts() -> None:
    b = at_start(unit("Reds", "red", bare(wounds=5), [(4, 8)], wounds={1: 2}), ability("Reds", METAL))
    assert wounds(b, "Reds") == [3]


def test_it_gives_none_back_when_a_turn_of_the_other_player_starts() -> None:
    hurt = unit("Reds", "red", bare(wounds=5), [(4, 8)], wounds={1: 2})
    units = [hurt, unit("Blues", "blue", bare(), [(30, 8)])]
    b = situation(units, step="begin_turn", active="blue", abilities=[ability("Reds", METAL)])
    assert wounds(b, "Reds") == [2]


@pytest.mark.parametrize(("face", "left"), [(6, 3), (5, 2)])
def test_self_repair_needs_a_6(face: int, left: int) -> None:
    repair = ability("Reds", {**METAL, "die": 6})
    b = at_start(unit("Reds", "red", bare(wounds=5), [(4, 8)], wounds={1: 2}), repair, dice=[face])
    assert (wounds(b, "Reds"), rolls(b)) == ([left], [("Gift", (face,))])


def test_nothing_is_rolled_for_a_model_that_is_whole() -> None:
    repair = ability("Reds", {**METAL, "die": 6})
    assert rolls(at_start(unit("Reds", "red", bare(wounds=5), [(4, 8)]), repair)) == []


RISE: Doc = {"kind": "return_models", "each": True, "die": 5, "at": "turn_start"}


def fallen(lost: int, *abilities: Doc, dice: list[int], **flags: Any) -> Battle8:
    """Reds of five, of whom some were slain, when their turn starts."""
    squad_ = unit("Reds", "red", bare(wounds=2), column(5, 8), wounds={5 - i: 0 for i in range(lost)}, **flags)
    return at_start(squad_, *abilities, dice=dice)


def test_a_die_for_each_slain_model_brings_it_back_unhurt() -> None:
    b = fallen(3, ability("Reds", RISE), dice=[5, 4, 6])
    default(b, "return_models")
    assert (alive(b, "Reds"), rolls(b)) == (4, [("Gift", (5, 4, 6))])
    assert (wounds(b, "Reds"), b.state.models.place[squad(b, "Reds").models[3]]) == ([2] * 4, GONE)


def test_models_that_fled_do_not_come_back() -> None:
    b = situation(
        [
            unit("Reds", "red", bare(), column(5, 8), slain=3),
            unit("Blues", "blue", bare(), [(30, 8)]),
        ],
        step="test_units",
        dice={"morale": [6], "Gift": [6]},
        abilities=[ability("Reds", RISE)],
        turns=3,
    )
    default(b, "flee")
    until(b, "move_with", 0)
    assert (alive(b, "Reds"), ("Gift", (6,)) in rolls(b)) == (3, False)


def test_nobody_comes_back_to_a_unit_that_is_gone() -> None:
    assert rolls(fallen(5, ability("Reds", RISE), dice=[6] * 5)) == []


@pytest.mark.parametrize(("gap", "open_"), [(3, ["return_models"]), (3.1, ["move_with"])])
def test_a_technomancer_makes_coming_back_easier(gap: float, open_: list[str]) -> None:
    helps = {"kind": "modify", "roll": "reanimation", "value": 1, "who": "friends", "within": 3}
    squad_ = unit("Reds", "red", bare(), column(4, 8), wounds={4: 0})
    mage = unit("Mage", "red", bare(name="Mage"), [(9 + gap, 8)])
    b = at_start(squad_, ability("Reds", RISE), ability("Mage", helps, name="Art"), dice=[4], more=[mage])
    assert kinds(b) == open_


def test_who_comes_back_stands_with_those_who_were_there_and_away_from_enemies() -> None:
    squad_ = unit("Reds", "red", bare(), column(4, 8), wounds={4: 0})
    foes = unit("Foes", "blue", bare(), [(12, 8)])
    b = at_start(squad_, ability("Reds", RISE), dice=[6], more=[foes])
    model = int(squad(b, "Reds").models[3])
    spots = [{"model": model, "at": at} for at in ((9.5, 8), (10.1, 8), (8, 15.1), (8, 14.0))]
    assert [bool(judge(b, "return_models", [s])) for s in spots] == [True, False, False, True]


def test_a_command_lasts_until_the_next_turn_and_no_unit_has_two_of_them() -> None:
    will = [
        {"kind": "modify", "roll": roll, "value": 1, "who": "friend", "within": 6, "only": ["INFANTRY"],
         "at": "turn_start", "until": "next_turn", "fresh": True}
        for roll in ("advance", "hit")
    ]  # fmt: skip
    lords = [unit(name, "red", bare(name=name, keywords=["HERO"]), [(x, 12)]) for name, x in (("A", 4), ("B", 6))]
    others = unit("Others", "red", bare(), [(7, 8)])
    reds = unit("Reds", "red", bare(), [(4, 8)])
    b = at_start(reds, ability("A", *will, name="Will"), ability("B", *will, name="Will"), more=[*lords, others])
    first = offered(b, "ability_target")
    give(b, "ability_target", "Reds")
    assert (first, sorted(e.unit for e in b.state.effects)) == (
        ["Others", "Reds"],
        sorted([named(b, "Reds").id] * 2 + [named(b, "Others").id] * 2),
    )


# --- When a model falls -----------------------------------------------------------------------------------------------

BURST: Doc = {"kind": "mortal_wounds", "amount": "D3", "who": "everyone", "within": 3, "at": "slain", "die": 6}


def bursting(dice: list[int], gap: float = 3, *, effect: Doc = BURST, **more: Any) -> Battle8:
    """A tank is shot, with a friend and a foe beside it."""
    others = [
        unit("Friends", "blue", bare(name="Friend", wounds=9), [(21, 9 + gap)]),
        unit("Foes", "red", bare(name="Foe", wounds=9), [(21, 7 - gap)]),
    ]
    queues = {"hit": [6], "wound": [6], "Gift": dice}
    return shootout(gun(), dice=queues, more=others, abilities=[ability("Blues", effect)], **more)


def test_a_tank_that_explodes_hurts_all_around_it() -> None:
    b = bursting([6, 5, 1])
    assert (wounds(b, "Friends"), wounds(b, "Foes"), alive(b, "Blues")) in (([6], [8], 0), ([8], [6], 0))


@rule("w40k8.attack.damage")
def test_one_die_is_thrown_for_the_explosion() -> None:
    b = bursting([5])
    assert (rolls(b)[2:], wounds(b, "Friends"), wounds(b, "Foes")) == ([("Gift", (5,))], [9], [9])


def test_who_is_further_away_is_safe() -> None:
    assert rolls(bursting([], 3.1))[2:] == []


def test_fellows_of_who_explodes_suffer_and_it_does_not() -> None:
    queues = {"hit": [6], "wound": [6], "Gift": [6, 1]}
    b = shootout(gun(), bare(wounds=1), targets=2, dice=queues, abilities=[ability("Blues", {**BURST, "die": 2})])
    assert (alive(b, "Blues"), last(b, "mortal-wounds")["points"]) == (0, 1)


def test_one_explosion_sets_off_another() -> None:
    queues = {"hit": [6], "wound": [6], "Gift": [6, 1, 6, 1]}
    others = unit("Drums", "blue", bare(name="Drum"), [(21, 11)])
    more = unit("Foes", "red", bare(name="Foe", wounds=9), [(21, 14)])
    bursts = [ability(name, BURST) for name in ("Blues", "Drums")]
    b = shootout(gun(), dice=queues, more=[others, more], abilities=bursts)
    assert (alive(b, "Drums"), wounds(b, "Foes")) == (0, [8])


def test_a_hundred_explosions_set_off_one_another() -> None:
    spots: Spots = [(21 + 1.5 * (i % 10), 8 + 1.5 * (i // 10)) for i in range(100)]
    chain = {**BURST, "die": 0, "amount": 1, "within": 2}
    queues = {"hit": [6], "wound": [6]}
    b = shootout(gun(), bare(wounds=1), blue_at=spots, dice=queues, abilities=[ability("Blues", chain)])
    assert (alive(b, "Blues"), squad(b, "Blues").slain, told(b).count("unit_slain")) == (0, 100, 1)


def test_who_explodes_is_gone_even_if_it_takes_its_slayer_along() -> None:
    queues = {"hit": [6], "wound": [6], "Gift": [6]}
    b = shootout(gun(), dice=queues, abilities=[ability("Blues", {**BURST, "within": 30, "amount": 9})])
    assert (alive(b, "Reds"), alive(b, "Blues")) == (0, 0)


def test_some_are_safe_from_what_bursts() -> None:
    plague = {**BURST, "amount": 1, "when": ["not keyword:NURGLE"]}
    others = [
        unit("Friends", "blue", bare(name="Friend", wounds=9, keywords=["NURGLE"]), [(21, 11)]),
        unit("Foes", "red", bare(name="Foe", wounds=9), [(21, 5)]),
    ]
    queues = {"hit": [6], "wound": [6], "Gift": [6]}
    b = shootout(gun(), dice=queues, more=others, abilities=[ability("Blues", plague)])
    assert (wounds(b, "Friends"), wounds(b, "Foes")) == ([9], [8])


# --- Phases -----------------------------------------------------------------------------------------------------------

SMOKE: list[Doc] = [
    {"kind": "modify", "roll": "hit", "value": -1, "attacks": "suffered", "when": ["ranged"], "at": "shooting",
     "until": "next_shooting", "once": "battle", "optional": True},
    {"kind": "forbid", "what": "shoot", "at": "shooting", "until": "phase", "once": "battle", "optional": True},
]  # fmt: skip


def smoking(**more: Any) -> Battle8:
    """The Shooting phase of red begins; its tank has smoke launchers."""
    units = [
        unit("Tank", "red", sheet(gun(), name="Tank", wounds=9), [(10, 8)]),
        unit("Blues", "blue", sheet(gun(shots="6"), name="Blue"), [(21, 8)]),
    ]
    return situation(units, step="shooting_phase", abilities=[ability("Tank", *SMOKE)], **more)


def smoke(b: Battle8) -> Battle8:
    d: Any = asked(b, "react.phase_began")
    b.answer(d, d.options[0].value)
    return b


@rule("w40k8.shoot.sequence")
def test_smoke_is_used_instead_of_shooting() -> None:
    assert "shoot_with" not in kinds(smoke(smoking()))


def test_smoke_makes_shots_worse_until_the_next_shooting_phase() -> None:
    b = smoke(smoking(turns=4, dice={"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * 3}))
    until(b, "shoot_with", 1)
    give(b, "shoot_with", "Blues")
    default(b, "shoot")
    assert last(b)["hits"] == 3
    until(b, "shoot_with", 0)
    assert [e for e in b.state.effects if e.kind == "ability"] == []


def test_smoke_is_used_once_in_a_battle() -> None:
    b = smoke(smoking(turns=4))
    until(b, "shoot_with", 0)
    assert [e.kind for e in b.events if isinstance(e, Asked)].count("react.phase_began") == 1


def test_smoke_that_was_not_used_is_offered_again() -> None:
    b = smoking(turns=4)
    give(b, "react.phase_began", None)
    until(b, "react.phase_began", 0)
    assert b.state.round == 2


def test_a_ram_hurts_an_enemy_after_a_charge() -> None:
    ram = {"kind": "mortal_wounds", "amount": 1, "who": "enemy", "within": "engagement", "at": "charged", "die": 4}
    units = [unit("Reds", "red", sheet(name="Red"), [(10, 10)]), unit("Blues", "blue", bare(wounds=5), [(14, 10)])]
    dice = {"charge": [6, 6], "Gift": [4]}
    b = situation(units, step="charge_phase", dice=dice, abilities=[ability("Reds", ram)])
    give(b, "charge_with", "Reds")
    default(b, "charge_move")
    assert wounds(b, "Blues") == [4]


def test_a_miasma_hurts_enemies_nearby_when_the_fight_phase_ends() -> None:
    miasma = {
        "kind": "mortal_wounds",
        "amount": 1,
        "who": "enemies",
        "within": "engagement",
        "at": "fight_end",
        "die": 5,
    }
    dice = {"hit": [1], "Gift": [5]}
    b = melee(blade(), bare(wounds=5), dice=dice, abilities=[ability("Reds", miasma)])
    strike(b, ("Red", 1, "Blues"))
    assert wounds(b, "Blues") == [4]


def test_a_mek_mends_a_vehicle_once_a_turn() -> None:
    mend = {"who": "friend", "within": 3, "only": ["VEHICLE"], "at": "movement_end", "optional": True, "fresh": True}
    effects = [{"kind": "heal", "amount": "D3", **mend}, {"kind": "mark", "name": "mended", "until": "turn", **mend}]
    units = [
        unit("Tank", "red", bare(name="Tank", wounds=9, keywords=["VEHICLE"]), [(10, 8)], wounds={1: 2}),
        *(unit(name, "red", bare(name=name), [(12, y)]) for name, y in (("Mek", 8), ("Other", 10))),
        unit("Blues", "blue", bare(), [(30, 8)]),
    ]
    meks = [ability(name, *effects, name="Mek") for name in ("Mek", "Other")]
    b = situation(units, step="movement_phase", dice={"Mek": [3]}, abilities=meks)
    give(b, "move_with", None)
    d: Any = asked(b, "react.phase_ended")
    assert len(d.options) == 2
    b.answer(d, d.options[0].value)
    assert (wounds(b, "Tank"), "react.phase_ended" in kinds(b)) == ([4], False)


def test_the_last_who_take_each_other_along_leave_nobody_a_winner() -> None:
    queues = {"hit": [6], "wound": [6], "Gift": [6, 6]}
    units = [
        unit("Reds", "red", sheet(gun(), name="Red"), [(10, 8)]),
        unit("Drums", "blue", bare(name="Drum"), [(13, 8)]),
    ]
    b = situation(units, step="shoot_units", dice=queues, abilities=[ability("Drums", BURST)])
    default(b, "shoot_with")
    default(b, "shoot")
    assert (b.decisions, b.result is not None and b.result.winners) == ((), ())
