"""Two units that meet without a battle: what one does to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from sandtable.attack.volley import DiceSum
from sandtable.battle import ALLOWED, Assignment, System, Verdict, refuse
from sandtable.forty.aiming import Aiming
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Situation
from sandtable.forty.odds.meeting import Meeting
from sandtable.kit.seeing import presume
from sandtable.systems.w40k8 import melee, powers, psychic, weapons
from sandtable.systems.w40k8.abilities import ENFORCED
from sandtable.systems.w40k8.attacks import COMPILE, who_can_take
from sandtable.systems.w40k8.auras import WORDS
from sandtable.systems.w40k8.characteristics import attacks_of
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.datasheet import GRENADE, Power, Weapon
from sandtable.systems.w40k8.enlist import assemble
from sandtable.systems.w40k8.objectives import CONTROL
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.setup import NAME, SYSTEM_ID
from sandtable.systems.w40k8.shooting import can_shoot, fires_after_advance, nearest
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Battle8, Data, Game, Player, Unit, World8
from sandtable.systems.w40k8.turn import FIGHT, SHOOTING
from sandtable.systems.w40k8.visibility import SEEING
from sandtable.table.grid import steps

OVERHEATS: Final = "overheats"


# --- Attacks ----------------------------------------------------------------------------------------------------------


def shot_at(w: World8, unit: Unit, target: Unit, overwatch: bool) -> Shot:
    """A shot that nobody fires yet."""
    return Shot(weapon=melee.CLOSE_COMBAT_WEAPON, target=target.id, overwatch=overwatch)


def fire(w: World8, unit: Unit, row: int, model: int, weapon: Weapon, at: Shot) -> Shot:
    """Who fires what, from how far."""
    half = weapons.at_half_range(weapon, float(nearest(w, unit, w.unit(at.target))[row]))
    return msgspec.structs.replace(at, model=model, weapon=weapon, half_range=half)


def fits(unit: Unit, weapon: Weapon) -> Verdict:
    """Whether a unit that moved as it did may fire a weapon."""
    if fires_after_advance(unit, weapon):
        return ALLOWED
    return refuse(f"{unit.name} Advanced this turn.", "w40k8.move.advance_limits")


AIMING: Final = Aiming(
    usable=lambda w, model, weapon: weapons.can_be_fired(weapon) and can_shoot(w, model),
    lent=lambda w, unit: (),
    is_target=lambda w, unit, enemy: ALLOWED,
    fits=lambda w, unit, weapon, enemy: fits(unit, weapon),
    reach=lambda w, unit, weapon, enemy: nearest(w, unit, enemy) <= steps(weapon.range),
    depends=lambda w, unit: unit.moved,
    apart=lambda weapon: bool(sort(weapon)),
    free_hands=lambda w, model: False,
    endangers=lambda weapon: OVERHEATS in weapon.abilities,
    shot_at=shot_at,
    fire=fire,
    together=lambda w, guns, answer: ALLOWED,
)

LEAN: Final = System(
    SYSTEM_ID,
    NAME,
    "in",
    Unit,
    Player,
    Game,
    Data,
    segments={},
    next_segment=lambda b: None,
    readings=READINGS,
    seams=(WORDS, ENFORCED, COMPILE, AIMING, CONTROL, SEEING),
)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def begin(b: Battle8, unit: Unit, how: Situation) -> None:
    """The phase of the attacks; without a word about it, nobody has moved."""
    b.state.game.phase = FIGHT if how.melee else SHOOTING


def sort(weapon: Weapon) -> str:
    """A model fires its Pistols, or throws a grenade, or fires its other weapons."""
    return weapon.type if weapons.is_pistol(weapon) or weapons.is_grenade(weapon) else ""


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


def _blows(hand: melee.Hand, target: int) -> list[Shot]:
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
    fires_unseen=lambda weapon: False,
    melee_weapons=melee_weapons,
    blows=blows,
    used=lambda shots: (),
    hazards=None,
    sort=sort,
    once=(GRENADE,),
)


def powers_of(w: World8, unit: Unit) -> list[Power]:
    """The powers that psykers of a unit know."""
    there = [m for m in unit.models if psychic.is_psyker(w, m)]
    return [p for p in powers.powers_of(w) if any(powers.knows(w, m, p) for m in there)]
