"""Two units that meet without a battle: what one does to the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from sandtable.attack.chances import sums
from sandtable.attack.volley import FACES, DiceSum
from sandtable.battle import Assignment
from sandtable.forty.attacks import attack_made
from sandtable.forty.blows import Hand
from sandtable.forty.effects.attack_rolls import working
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Backfire, Situation
from sandtable.forty.odds.meeting import Meeting
from sandtable.forty.overheating import OVERHEATS, heat_of
from sandtable.forty.weapon_words import INDIRECT
from sandtable.kit.seeing import presume
from sandtable.systems.w40k8 import fight, powers, psychic, weapons
from sandtable.systems.w40k8.abilities import ENFORCED, WORDS
from sandtable.systems.w40k8.attacks import COMPILE, hit_roll, to_hit, who_can_take
from sandtable.systems.w40k8.battle_round import FIGHT, SHOOTING
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.characteristics import attacks_of
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.datasheet import GRENADE, Power, Weapon
from sandtable.systems.w40k8.enlist import FRAME, assemble
from sandtable.systems.w40k8.only_war import CONTROL
from sandtable.systems.w40k8.shooting import AIMING
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.systems.w40k8.visibility import SEEING


def overheats(weapon: Weapon) -> bool:
    """Whether a weapon may harm who fires it."""
    return bool(heat_of(weapon.abilities))


LEAN: Final = FRAME.lean(WORDS, ENFORCED, COMPILE, AIMING._replace(endangers=overheats), CONTROL, SEEING)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def begin(b: Battle8, unit: Unit, how: Situation) -> None:
    """The phase of the attacks; without a word about it, nobody has moved."""
    b.state.game.phase = FIGHT if how.melee else SHOOTING


def melee_weapons(w: World8, unit: Unit) -> Iterable[tuple[int, Weapon]]:
    """Who can strike with what."""
    return ((int(m), weapon) for m in w.on_table(unit) for weapon in fight.melee_weapons(w, int(m)))


def blows(w: World8, unit: Unit, used: Callable[[int, Weapon], bool]) -> list[Shot]:
    """Every model strikes with what does most, of what it uses; dice for Attacks are left to whoever throws them."""
    numbers = {m: attacks_of(w, m) for m in fight.fighters(w, unit)}
    found: list[Shot] = []
    for hand in fight.hands_of(w, unit, {m: n.result() if n.fixed else 1 for m, n in numbers.items()}):
        arms = tuple(x for x in hand.weapons if used(hand.models[0], x))
        target = w.unit(min(hand.targets))
        ways = [_blows(hand._replace(weapons=(x,)), target.id) for x in arms]
        best = max(ways, key=lambda way: mean_damage(w, unit, target, way), default=[])
        found += best if hand.extra else [_thrown(blow, numbers[blow.model]) for blow in best]
    return found


def _blows(hand: Hand, target: int) -> list[Shot]:
    return fight.blows([hand], [Assignment("0", target, fight.attacks_in(hand))])


def _thrown(blow: Shot, number: DiceSum) -> Shot:
    return blow if number.fixed else msgspec.structs.replace(blow, attacks=0, number=number)


def overheating(w: World8, unit: Unit, shots: Sequence[Shot], worth: Mapping[int, float]) -> Backfire | None:
    """What low hit rolls with weapons that overheat cost those who fire them."""
    safe: dict[int, float] = {}
    """For each model that fires one, the chance that nothing happens to it."""
    slays = wounds = 0.0
    for s in (s for s in shots if heat_of(s.weapon.abilities)):
        found = working(w, attack_made(unit, s))
        roll, low = hit_roll(w, unit, s, found), max(0, BOOK.failing_face - to_hit(w, s, found)[1])
        again = [f for f in roll.reroll if not roll.faces[f - 1].hits]
        risk = (sum(f <= low for f in FACES if f not in again) + len(again) * low / 6) / 6
        rolls = sums(weapons.shots_of(s.weapon, half_range=s.half_range))
        spared = sum(float(p) * (1 - risk) ** n for n, p in rolls.items())
        safe[s.model] = safe.get(s.model, 1.0) * spared
        left = int(w.state.models.wounds[s.model])
        dies = heat_of(s.weapon.abilities) == OVERHEATS or left == 1
        slays += dies
        wounds += (1 - spared) * (left if dies else 1)
    if not safe:
        return None
    lost = {m: 1 - p for m, p in safe.items()} if slays else {}
    models = w.on_table(unit).tolist()
    return Backfire(
        "overheating",
        len(safe),
        1 - math.prod(safe.values()),
        sum(lost.values()),
        wounds,
        sum(p * worth[m] for m, p in lost.items()),
        math.prod(lost.get(m, 0.0) for m in models),
        len(models),
        ("w40k8.sheet.abilities",),
        "Power",
    )


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
    harm=overheating,
    once=(GRENADE,),
)


def powers_of(w: World8, unit: Unit) -> list[Power]:
    """The powers that psykers of a unit know, or may know."""
    there = [m for m in unit.models if psychic.is_psyker(w, m)]
    open_ = {name for m in there for name in powers.open_to(w, m)}
    return [p for p in powers.powers_of(w) if p.name in open_ or any(powers.knows(w, m, p) for m in there)]
