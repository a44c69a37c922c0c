"""The chance that attacks do what they are for, for standing orders such as "ask if the odds are at least x".

What is compiled is loaded only where somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from sandtable.attack.volley import Aim, Attack, Choices
from sandtable.battle import Assign, Assignment
from sandtable.battle.system import Outlook
from sandtable.forty.aiming import guns_of
from sandtable.forty.attacks import compiled
from sandtable.forty.declaring import shots_of
from sandtable.forty.odds.arms import Arms
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40

if TYPE_CHECKING:
    from sandtable.attack.montecarlo import Odds
    from sandtable.attack.solver import Solution

ROLLS: Final = 200
SEED: Final = 10
"""Always the same dice: the odds of a question do not change by asking twice."""


def attack_of(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> Attack:
    """The attacks of a unit at one target, as the solver and the Monte Carlo kernel take them."""
    return compiled(w, unit, target, shots).attack(Choices(aim="always"))


def chance_to_destroy(attack: Attack) -> float:
    """The chance that nothing of the target is left."""
    from sandtable.attack.montecarlo import roll

    return roll(attack, ROLLS, SEED).destroyed


def chance_to_hurt(attack: Attack) -> float:
    """The chance that a model falls, or two wounds are lost."""
    found = _found(attack)
    killed, damage = found.killed, found.damage
    unhurt = min(float(killed[0]), float(sum(damage[:2])))
    return 1 - unhurt / float(sum(killed))


def mean_wounds(attack: Attack) -> float:
    """How many wounds are lost on average."""
    return _found(attack).mean_damage


def chances_of_losses(attack: Attack) -> list[float]:
    """The chances that at least 0, 1, 2... models fall."""
    killed = [float(n) for n in _found(attack).killed]
    total = sum(killed)
    return [sum(killed[k:]) / total for k in range(len(killed))]


def toll_of(attack: Attack) -> tuple[float, float]:
    """How many models attacks cost on average, and the chance that they are the end of the target."""
    found = _found(attack)
    return found.mean_killed, found.destroyed


def chance_that_one_falls(w: World40, unit: Any, shots: Sequence[Shot]) -> float:
    """The chance that at least one of the targets is destroyed."""
    stands = 1.0
    for target in dict.fromkeys(s.target for s in shots):
        at_it = [s for s in shots if s.target == target]
        stands *= 1 - chance_to_destroy(attack_of(w, unit, w.unit(target), at_it))
    return 1 - stands


def odds_of_shots(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's shooting is destroyed."""
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    return chance_that_one_falls(w, unit, shots_of(w, unit, guns, answer, overwatch=bool(d.about["overwatch"])))


def advise_shots(w: World40, d: Assign, aim: Aim) -> tuple[Assignment, ...]:
    """The best split of a unit's weapons for an aim."""
    from sandtable.forty.odds import advice

    return advice.advise_shots(w, d, aim)


def advise_blows(w: World40, d: Assign, aim: Aim, arms: Arms) -> tuple[Assignment, ...]:
    """The best split of a unit's blows for an aim."""
    from sandtable.forty.odds import advice

    return advice.advise(w, d, aim, arms)


def count_of_weapons(shots: Sequence[Shot]) -> str:
    """What is fired: "5 x bolt rifle, 1 x power fist"."""
    weapons = Counter(s.weapon.name for s in shots)
    return ", ".join(f"{n} x {name}" for name, n in weapons.items())


def outlook_of(w: World40, unit: Any, shots: Sequence[Shot]) -> Iterator[Outlook]:
    """What shots or blows do to each of their targets."""
    for target in dict.fromkeys(s.target for s in shots):
        attack = attack_of(w, unit, w.unit(target), [s for s in shots if s.target == target])
        lost, destroyed, damage = _means(attack)
        yield Outlook(target, lost, len(attack.target.bodies), damage, destroyed)


def outlook_of_shots(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> Iterator[Outlook]:
    """What a unit's shooting does to its targets."""
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    yield from outlook_of(w, unit, shots_of(w, unit, guns, answer, overwatch=bool(d.about["overwatch"])))


def what_it_does(attack: Attack) -> str:
    """Wounds and models lost on average, and the chance that all are."""
    mean, gone, damage = _means(attack)
    models = len(attack.target.bodies)
    return f"{damage:.1f} wounds, {mean:.1f} of {models} models on average, {100 * gone:.0f} % to destroy it."


def _means(attack: Attack) -> tuple[float, float, float]:
    """Models lost on average, the chance that all are, and wounds lost."""
    found = _found(attack)
    return found.mean_killed, found.destroyed, found.mean_damage


def _found(attack: Attack) -> Solution | Odds:
    """What comes of attacks: exactly, where that takes no ages."""
    from sandtable.attack.bounds import Unsolvable
    from sandtable.attack.montecarlo import roll
    from sandtable.attack.solver import solve

    try:
        return solve(attack)
    except Unsolvable:
        return roll(attack, 50 * ROLLS, SEED)
