"""Two units that meet without a battle: what one does to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from sandtable.attack.volley import DiceSum
from sandtable.battle import Assignment
from sandtable.forty.blows import Hand
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Situation
from sandtable.forty.odds.meeting import Meeting
from sandtable.kit.seeing import presume
from sandtable.systems.w40k8 import melee, powers, psychic
from sandtable.systems.w40k8.abilities import ENFORCED, INDIRECT
from sandtable.systems.w40k8.attacks import COMPILE, who_can_take
from sandtable.systems.w40k8.auras import WORDS
from sandtable.systems.w40k8.characteristics import attacks_of
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.datasheet import GRENADE, Power, Weapon
from sandtable.systems.w40k8.enlist import assemble
from sandtable.systems.w40k8.objectives import CONTROL
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.shooting import AIMING
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.systems.w40k8.turn import FIGHT, SHOOTING
from sandtable.systems.w40k8.visibility import SEEING

LEAN: Final = FRAME.lean(WORDS, ENFORCED, COMPILE, AIMING, CONTROL, SEEING)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def begin(b: Battle8, unit: Unit, how: Situation) -> None:
    """The phase of the attacks; without a word about it, nobody has moved."""
    b.state.game.phase = FIGHT if how.melee else SHOOTING


def melee_weapons(w: World8, unit: Unit) -> Iterable[tuple[int, Weapon]]:
    """Who can strike with what."""
    return ((int(m), weapon) for m in w.on_table(unit) for weapon in melee.melee_weapons(w, int(m)))


def blows(w: World8, unit: Unit, used: Callable[[int, Weapon], bool]) -> list[Shot]:
    """Every model strikes with what does most, of what it uses; dice for Attacks are left to whoever throws them."""
    numbers = {m: attacks_of(w, m) for m in melee.fighters(w, unit)}
    found: list[Shot] = []
    for hand in melee.hands_of(w, unit, {m: n.result() if n.fixed else 1 for m, n in numbers.items()}):
        arms = tuple(x for x in hand.weapons if used(hand.models[0], x))
        target = w.unit(min(hand.targets))
        ways = [_blows(hand._replace(weapons=(x,)), target.id) for x in arms]
        best = max(ways, key=lambda way: mean_damage(w, unit, target, way), default=[])
        found += best if hand.extra else [_thrown(blow, numbers[blow.model]) for blow in best]
    return found


def _blows(hand: Hand, target: int) -> list[Shot]:
    return melee.blows([hand], [Assignment("0", target, melee.attacks_in(hand))])


def _thrown(blow: Shot, number: DiceSum) -> Shot:
    return blow if number.fixed else msgspec.structs.replace(blow, attacks=0, number=number)


MEETING: Final = Meeting(
    rules=LEAN,
    assemble=assemble,
    attach=lambda b, leader, unit: None,
    presume=presume,
    begin=begin,
    circumstances=CIRCUMSTANCES,
    under=lambda shot, how: shot,
    order_of_loss=who_can_take,
    strength=lambda w, unit: len(unit.models),
    half_range_counts=lambda w, unit, weapon: True,
    fires_unseen=lambda weapon: INDIRECT in weapon.abilities,
    melee_weapons=melee_weapons,
    blows=blows,
    used=lambda shots: (),
    hazards=None,
    once=(GRENADE,),
)


def powers_of(w: World8, unit: Unit) -> list[Power]:
    """The powers that psykers of a unit know."""
    there = [m for m in unit.models if psychic.is_psyker(w, m)]
    return [p for p in powers.powers_of(w) if any(powers.knows(w, m, p) for m in there)]
