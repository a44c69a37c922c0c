"""What two units do to each other without a battle, and the rolls that a unit makes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from sandtable.attack.volley import DiceSum, dice
from sandtable.battle import ALLOWED, Assignment, System, Verdict, refuse
from sandtable.errors import UserError
from sandtable.forty.aiming import Aiming
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Force, Matchups, Situation, Test
from sandtable.forty.odds.meeting import FAR, MAX_DISTANCE, Meeting, meet, strikes_between
from sandtable.kit.seeing import presume
from sandtable.systems.w40k8 import melee, powers, psychic, weapons
from sandtable.systems.w40k8.abilities import ENFORCED
from sandtable.systems.w40k8.attacks import COMPILE, who_can_take
from sandtable.systems.w40k8.auras import WORDS
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.characteristics import attacks_of
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.command_rerolls import RULE as COMMAND_REROLL
from sandtable.systems.w40k8.datasheet import GRENADE, Power, Weapon
from sandtable.systems.w40k8.enlist import assemble
from sandtable.systems.w40k8.objectives import CONTROL
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.setup import NAME, SYSTEM_ID
from sandtable.systems.w40k8.shooting import can_shoot, fires_after_advance, nearest
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Battle8, Data, Game, Player, Unit, World8, sheet_of
from sandtable.systems.w40k8.turn import FIGHT, SHOOTING
from sandtable.systems.w40k8.visibility import SEEING
from sandtable.table.grid import STEP, steps

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


def charts_of(force: Force, options: Mapping[str, str]) -> tuple[int, ...]:
    """The wounds left at which a unit of a single model gets worse."""
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    return tuple(row.up_to for row in sheet_of(b, unit.models[0]).chart) if len(unit.models) == 1 else ()


# --- Rolls ------------------------------------------------------------------------------------------------------------


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, and for psykers a test for each power."""
    if not 0 < distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {distance}".')
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    again = (COMMAND_REROLL, "w40k8.dice.reroll")
    found = [
        Test("charge", f'charge an enemy {distance:g}" away', dice(f"{BOOK.charge_dice}D6"),
             needed_to_charge(distance), "one", ("w40k8.charge.roll", "w40k8.charge.first_model", *again)),
        Test("advance", 'Advance 4" or more', dice(f"{BOOK.advance_dice}D6"), 4, "one", ("w40k8.move.advance", *again)),
    ]  # fmt: skip
    more = psychic.added(b, unit)
    for power in powers_of(b, unit):
        told = f"manifest {power.name.title()}" + (f", {more:+d} to the test" if more else "")
        rules = ("w40k8.psychic.test", *again)
        found.append(Test(power.name, told, dice("2D6"), power.charge - more, "one", rules))
    return tuple(found)


def powers_of(w: World8, unit: Unit) -> list[Power]:
    """The powers that psykers of a unit know."""
    there = [m for m in unit.models if psychic.is_psyker(w, m)]
    return [p for p in powers.powers_of(w) if any(powers.knows(w, m, p) for m in there)]


def needed_to_charge(distance: float) -> int:
    """The charge roll that brings a model from this far away within 1" of an enemy; never from beyond 12"."""
    if steps(distance) > BOOK.charge_range:
        return 6 * BOOK.charge_dice + 1
    return max(0, math.ceil((steps(distance) - BOOK.first_model.radius) / STEP))


MATCHUPS: Final = Matchups(
    rules=LEAN,
    modifiers=tuple(c.modifier for c in CIRCUMSTANCES),
    compile=partial(strikes_between, MEETING),
    tests=tests_of,
    panel=Path(__file__).parent / "panel",
    reroll_price=(COMMAND_REROLL,),
    rerolled=("attacks", "hit", "wound", "damage"),
    spent="Command re-roll",
    joins=False,
    pain=lambda face: "disgustingly resilient" if face == BOOK.resilient else f"feel no pain {face}+",
    charts=charts_of,
)
