"""The computer players think about 8th edition's Charge and Fight phases with what its own functions answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.mean import mean_against
from sandtable.battle import Assign, Assignment, Battle
from sandtable.battle.dice import KeyedDice
from sandtable.forty.attacks import compiled
from sandtable.forty.mind.field import BANDS
from sandtable.forty.mind.mind import SHOOT, STRIKE, Arm, Hands, Mark, Mind
from sandtable.forty.mind.tactics import TACTICS
from sandtable.players import ComputerPlayer
from sandtable.players.computer import PLAIN
from sandtable.players.table import play
from sandtable.systems.w40k8 import charge, charge_move, melee, movement, moving
from sandtable.systems.w40k8.concepts import close_enemies
from sandtable.systems.w40k8.datasheet import Sheet, Weapon
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.systems.w40k8.system import SYSTEM


def not_yet(*asked: Any) -> Any:
    """What the edition has no phase for so far: nobody may ask."""
    raise NotImplementedError


def arm(w: World8, sheet: int, number: int) -> Arm:
    """A rough guess, which is enough to choose by."""
    weapon, sheets = w.setup.data.sheets[sheet].weapons[number], len(w.setup.data.sheets)
    return Arm(
        weapon.item, STRIKE if weapon.is_melee else SHOOT, np.full((1 if weapon.is_melee else BANDS, sheets), 0.3)
    )


def mean(w: World8, unit: Unit, weapon: Weapon, target: Mark) -> float:
    """By the tables of an attack, as things stand."""
    blow = Shot(model=int(w.on_table(unit)[0]), weapon=weapon, target=target.unit, melee=weapon.is_melee, attacks=1)
    found = compiled(w, unit, w.unit(target.unit), [blow], most=1)
    return sum(mean_against(volley, found.target.bodies[0]) for volley in found.volleys)


def charge_chance(w: World8, unit: Unit, targets: Sequence[Unit]) -> float:
    needed = charge_move.read_charge(w, unit, targets).needed
    return float(at_least(TWO_DICE, needed)) if needed else 0.0


def hands(w: World8, d: Assign) -> list[Hands]:
    found = melee.hands_of(w, w.unit(d.unit), dict(d.about["attacks"]))
    return [Hands(len(hand.models) * hand.attacks, hand.weapons, hand.targets, hand) for hand in found]


def all_of_it(w: World8, rows: Sequence[Hands], wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    return tuple(wanted)


def pace(sheet: Sheet) -> float:
    return float(sheet.move) if isinstance(sheet.move, int) else 6.0


MIND = Mind(
    arm=arm,
    mean=mean,
    pace=pace,
    fires_on=lambda w, unit: False,
    may=lambda w, unit, what: False,
    hiding=frozenset(),
    shelter=frozenset({"woods"}),
    sees=not_yet,
    stands_within=not_yet,
    hold=lambda sheet: 1.0,
    unnerved=lambda w: (),
    near_marker=3.0,
    to_marker=lambda w, d: iter(()),
    rooms_to_deploy=not_yet,
    room_to_arrive=not_yet,
    room_beside=not_yet,
    way=moving.passage,
    allowance=movement.allowance,
    way_out=movement.way_out,
    flyer=not_yet,
    apart=1.0,
    scouts_apart=not_yet,
    declaration=not_yet,
    once=lambda weapon: False,
    beside_shooting=not_yet,
    prey=charge.possible_targets,
    charge=np.array([float(at_least(TWO_DICE, max(0, gap - 1))) for gap in range(15)]),
    charge_chance=charge_chance,
    passes=lambda w, unit: False,
    berth=1.5,
    engaged=close_enemies,
    may_strike=lambda w, unit: [w.unit(t) for t in sorted({t for ts in melee.fighters(w, unit).values() for t in ts})],
    fighters=melee.fighters,
    hands=hands,
    legal_blows=all_of_it,
    blow_at=not_yet,
    cards={},
    thinkers=dict.fromkeys(("shoot", "move_with", "move", "complete_move"), lambda w, d, style: iter(())),
)
RULES = replace(SYSTEM, seams=(*SYSTEM.seams, MIND), tactics=TACTICS)


def thoughts(seed: int) -> Iterator[tuple[str, str]]:
    """What two tacticians were asked in a battle, and why they answered as they did, where they thought about it."""
    setup, state = sample(seed, RULES.settle_options({}))
    players = {p: ComputerPlayer("tactician") for p in (0, 1)}
    assert play(Battle(RULES, setup, state, dice=KeyedDice(seed)).start(), players)
    return ((note.kind, note.text) for player in players.values() for note in player.log if note.text != PLAIN)


def test_two_tacticians_think_about_charges_and_fights() -> None:
    why = dict(thought for seed in range(3) for thought in thoughts(seed))
    assert {"shoot_with", "charge_with", "charge_targets", "fight_with", "strike", "consolidate"} <= set(why)
    assert "reached with a chance of" in why["charge_targets"]
    assert "to the most effect" in why["strike"]
