"""Odds without a battle are compiled as a battle compiles them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.attack.volley import Attack, Volley
from sandtable.battle import TABLE, Battle
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.state import new_version
from sandtable.errors import UserError
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.enlist import Army
from sandtable.forty.odds.chances import attack_of
from sandtable.forty.odds.matchups import Force, Situation
from sandtable.forty.sheets import shape_of
from sandtable.forty.striking import best_strikes, strikes
from sandtable.odds import Setting, find_force
from sandtable.systems.w40k10.enlist import assemble
from sandtable.systems.w40k10.formations import attach
from sandtable.systems.w40k10.matchups import MATCHUPS, needed_to_charge
from sandtable.systems.w40k10.melee_attacks import hands_of
from sandtable.systems.w40k10.state import NORMAL, Battle10, Unit, sheet_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import steps
from sandtable.table.layout import Table

PACK = Setting()
FIELD = Table(steps(90), steps(60), "in", ())


def stand(first: Force, second: Force, apart: float) -> tuple[Battle10, Unit, Unit]:
    """Both units in ranks on a real table, with Leaders, so far apart."""
    armies = {"red": Army(first.army, first.pack), "blue": Army(second.army, second.pack)}
    setup, state = assemble(armies, FIELD, SYSTEM.settle_options({}))
    b: Battle10 = Battle(SYSTEM, setup, state, dice=ScriptedDice([]), record=False)
    heads = (b.unit(0), b.unit(len(first.army.units)))
    for head, force, side in zip(heads, (first, second), (-1, 1), strict=True):
        for number in range(1, len(force.army.units)):
            attach(b, b.unit(head.id + number), head)
        widest = max(shape_of(sheet_of(b, m)).length for m in head.models)
        for place, m in enumerate(head.models):
            half = shape_of(sheet_of(b, m)).length // 2
            x = steps(45) + side * (steps(apart / 2) + half + (place // 5) * widest)
            state.models.pos[m] = (x, steps(28) + (place % 5) * widest, 0)
            state.models.facing[m] = 0 if side < 0 else 2048
            state.models.place[m] = TABLE
    state.version = new_version()
    state.active = 0
    heads[0].moved = NORMAL
    return b, *heads


def shape_of_volleys(attack: Attack) -> list[tuple[Any, ...]]:
    """What the tables say, without the names of the units."""

    def key(v: Volley) -> tuple[Any, ...]:
        return v.shots, v.hit, v.wound, v.kinds, bool(v.aim)

    return sorted((key(v) for v in attack.volleys), key=repr)


PAIRS = [
    ("10 hellblasters", "20 boyz"),
    ("10 hellblasters led by captain", "5 terminators"),
    ("6 eradicators with multi-melta", "deff dread"),
    ("10 intercessors with 2 astartes grenade launcher led by lieutenant", "20 boyz led by warboss"),
    ("20 necron warriors led by overlord", "land raider"),
    ("predator destructor with heavy bolter", "10 genestealers"),
    ("5 lootas", "5 intercessors"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_shooting_is_compiled_as_in_a_battle(one: str, other: str) -> None:
    first, second = find_force(one, PACK), find_force(other, PACK)
    b, unit, target = stand(first, second, 13)
    b.state.game.phase = "shooting"
    question = declaration(b, unit)
    battle = attack_of(b, unit, target, shots_of(b, unit, guns_of(b, unit), default_shots(b, question)))
    reach = float(b.distances(unit, target).min(axis=1).max() / steps(1))
    there, _ = MATCHUPS.compile(first, second, Situation(distance=13.0), None, {})
    assert there is not None
    assert reach < 24
    assert shape_of_volleys(there.attack) == shape_of_volleys(battle)
    # Who is lost first depends on where the models stand, and nobody stands anywhere in a question about odds.
    wanted = sorted((x.wounds, x.saves, x.pain, x.rank) for x in battle.target.bodies)
    assert sorted((x.wounds, x.saves, x.pain, x.rank) for x in there.attack.target.bodies) == wanted


@pytest.mark.parametrize(
    ("one", "other"), [("10 boyz led by warboss", "5 terminators"), ("5 genestealers", "5 intercessors")]
)
def test_melee_is_compiled_as_in_a_battle(one: str, other: str) -> None:
    first, second = find_force(one, PACK), find_force(other, PACK)
    b, unit, target = stand(first, second, 0.0)
    # All models of the second rank stand where the first rank does, so that everybody fights.
    for head in (unit, target):
        columns = b.state.models.pos[list(head.models), 0]
        edge = columns.max() if head is unit else columns.min()
        b.state.models.pos[list(head.models), 0] = edge
    b.state.version = new_version()
    b.state.game.phase = "fight"
    hands = hands_of(b, unit)
    battle = attack_of(b, unit, target, strikes(b, unit, hands, best_strikes(b, unit, hands)))
    there, _ = MATCHUPS.compile(first, second, Situation(melee=True), None, {})
    assert there is not None
    assert {h.model for h in hands} == set(unit.models)
    assert shape_of_volleys(there.attack) == shape_of_volleys(battle)


def test_both_ways_number_the_same_models() -> None:
    first, second = find_force("10 boyz led by warboss", PACK), find_force("5 terminators", PACK)
    there, back = MATCHUPS.compile(first, second, Situation(melee=True), Situation(melee=True), {})
    assert there is not None and back is not None
    mine = {b.model for b in back.attack.target.bodies}
    theirs = {b.model for b in there.attack.target.bodies}
    assert mine.isdisjoint(theirs)
    assert {m for bearers in there.bearers for m in bearers} <= mine
    assert {m for bearers in back.bearers for m in bearers} <= theirs


def test_all_bearers_together_make_the_volley() -> None:
    first, second = find_force("20 boyz with 2 big shoota led by warboss", PACK), find_force("5 terminators", PACK)
    for how in (Situation(), Situation(melee=True)):
        there, _ = MATCHUPS.compile(first, second, how, None, {})
        assert there is not None
        for whole, one, bearers in zip(there.attack.volleys, there.single, there.bearers, strict=True):
            attacks = sum(s.weapons * s.each.mean for s in whole.shots)
            assert attacks == pytest.approx(len(bearers) * sum(s.weapons * s.each.mean for s in one.shots))
            assert (whole.hit, whole.wound, whole.kinds) == (one.hit, one.wound, one.kinds)


def test_a_model_is_worth_its_share_of_the_points() -> None:
    first, second = find_force("5 lootas", PACK), find_force("20 boyz led by warboss", PACK)
    there, _ = MATCHUPS.compile(first, second, Situation(), None, {})
    assert there is not None
    values = sorted({b.value for b in there.attack.target.bodies})
    assert values == [170 / 20, 75.0]


def test_an_oath_helps_only_where_it_is_at_work() -> None:
    first, second = find_force("10 hellblasters", PACK), find_force("5 terminators", PACK)
    plain, _ = MATCHUPS.compile(first, second, Situation(), None, {})
    sworn, _ = MATCHUPS.compile(first, second, Situation(uses=("oath of moment",)), None, {})
    assert plain is not None and sworn is not None
    assert plain.attack.volleys[0].hit.reroll == ()
    assert set(sworn.attack.volleys[0].hit.reroll) >= {1, 2}
    assert "Oath of Moment is at work" in sworn.facts
    assert any(name.startswith("Oath of Moment") for name in plain.left_out)
    assert not any(name.startswith("Oath of Moment") for name in sworn.left_out)


def test_of_a_choice_of_branches_one_is_named() -> None:
    first, second = find_force("10 intercessors", PACK), find_force("20 boyz", PACK)
    with pytest.raises(UserError, match=r"Neither unit can use 'Combat Doctrines'.*Devastator Doctrine"):
        MATCHUPS.compile(first, second, Situation(uses=("Combat Doctrines",)), None, {})


def test_unseen_targets_are_for_indirect_fire_alone() -> None:
    boyz = find_force("20 boyz", PACK)
    hidden = Situation(modifiers=("unseen",))
    with pytest.raises(UserError, match="has no ranged weapon that it may fire"):
        MATCHUPS.compile(find_force("10 hellblasters", PACK), boyz, hidden, None, {})
    lobbed, _ = MATCHUPS.compile(find_force("battlewagon with lobba", PACK), boyz, hidden, None, {})
    assert lobbed is not None
    assert lobbed.weapons == ("lobba",)
    assert "w40k10.weapon.indirect_penalty" in lobbed.attack.volleys[0].hit.cites


def test_precision_from_afar_picks_the_leader_out() -> None:
    there, _ = MATCHUPS.compile(
        find_force("5 scout squad with scout sniper rifle", PACK), find_force("20 boyz led by warboss", PACK),
        Situation(), None, {},
    )  # fmt: skip
    assert there is not None
    leader = max(there.attack.target.bodies, key=lambda b: b.wounds).model
    picked = {name: v.aim for name, v in zip(there.weapons, there.attack.volleys, strict=True)}
    assert (leader,) in picked.values()


def test_every_datasheet_of_the_pack_can_be_asked_about() -> None:
    boyz, asked = find_force("10 boyz", PACK), 0
    for sheet in PACK.open_pack().sheets():
        force = find_force(sheet.id.replace("-", " "), PACK)
        for how in (Situation(), Situation(melee=True)):
            try:
                there, back = MATCHUPS.compile(force, boyz, how, Situation(melee=True), {})
            except UserError as error:
                assert "weapon" in str(error)
                continue
            assert there is not None and back is not None
            assert all(v.shots for v in there.attack.volleys)
            asked += 1
    assert asked > len(PACK.open_pack().sheets())


def test_what_a_charge_needs() -> None:
    assert [needed_to_charge(d) for d in (1, 2, 8.99, 9, 9.001, 12)] == [0, 1, 8, 8, 9, 11]


def test_a_situation_is_plain_data() -> None:
    how = Situation(True, None, ("charged",), uses=("Waaagh!",))
    assert msgspec.json.decode(msgspec.json.encode(how), type=Situation) == how
