"""How large an attack may be to be reckoned exactly, and the error that says so.

The bounds are far above anything on a table, and low enough that no answer within them takes long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable import kernels
from sandtable.attack.volley import NO_SAVE, Attack, Body, Choices, DiceSum, Volley

MAX_VOLLEYS: Final = 40
MAX_ATTACKS: Final = 300
"""Attacks that all volleys of an attack together can come to, with the highest dice."""
MAX_HITS: Final = 20
"""Hits and wounds that a single hit roll can come to."""
MAX_POINTS: Final = 60
"""Damage or mortal wounds of a single wound."""
MAX_MODELS: Final = 100
MAX_WOUNDS: Final = 40
"""Wounds of a single model."""
MAX_ALL_WOUNDS: Final = 600
"""Wounds of all models of a target together."""
MAX_WORK: Final = 2_000_000_000
"""Elementary steps of one answer: some seconds."""
MAX_STATES: Final = 20_000
"""Different situations that an answer with players' decisions may lead through."""
MAX_WEIGHED: Final = 100_000
"""Wounds whose outcome is looked at in such an answer: some ten seconds."""
MAX_HELD: Final = 200
"""Mortal wounds that can wait in an answer with players' decisions."""
MAX_DICE: Final = 60
"""Dice of a single sum."""


class Unsolvable(ValueError):
    """An attack that is impossible, or too large for an exact answer."""


def check_size(what: str, size: int, most: int) -> None:
    """Refuse what is too large, naming the bound."""
    if size > most:
        raise Unsolvable(f"{what}: {size} is more than the {most} that can be reckoned exactly")


def check_work(steps: int) -> None:
    """Refuse what would take too long; for what takes long, have machine code."""
    check_size("steps", steps, MAX_WORK)
    kernels.use(steps)


def check_number(what: str, number: DiceSum, most: int) -> None:
    """Refuse a sum that can come out too high, or that has dice that do not exist."""
    check_size(f"dice of {what}", len(number.dice), MAX_DICE)
    if any(sides not in (3, 6) for sides in number.dice):
        raise Unsolvable(f"{what}: there are only D3 and D6, not {number}")
    check_size(what, number.result(sum(number.dice)), most)


def check_volley(volley: Volley) -> None:
    """Refuse a volley that is impossible or too large."""
    if any(shots.weapons < 0 for shots in volley.shots):
        raise Unsolvable(f"'{volley.name}' has fewer than no weapons")
    for shots in volley.shots:
        check_number(f"attacks of '{volley.name}'", shots.each, MAX_ATTACKS)
    for face in volley.hit.faces:
        if face.hits < 0 or face.wounds < 0:
            raise Unsolvable(f"a face of '{volley.name}' gives fewer than no hits")
        check_size(f"hits of one attack of '{volley.name}'", face.hits + face.wounds, MAX_HITS)
        if face.extra is not None:
            check_number(f"further hits of '{volley.name}'", face.extra, MAX_HITS)
    for kind in volley.kinds:
        if kind.damage is not None:
            check_number(f"damage of '{volley.name}'", kind.damage, MAX_POINTS)
        if kind.mortal is not None:
            check_number(f"mortal wounds of '{volley.name}'", kind.mortal.points, MAX_POINTS)
        if kind.save < NO_SAVE:
            raise Unsolvable(f"'{volley.name}' names class {kind.save} of saving throw, which cannot be")


def check_bodies(bodies: Sequence[Body], classes: int) -> None:
    """Refuse a target that is impossible or too large; `classes` of saving throw are asked for."""
    if not bodies:
        raise Unsolvable("there is nobody to attack")
    if any(b.more_pain for b in bodies):
        raise Unsolvable("several rolls against the loss of one wound are played, but not worked out")
    check_size("models of the target", len(bodies), MAX_MODELS)
    total = 0
    for body in bodies:
        total += body.wounds
        if not 0 < body.wounds <= body.full:
            raise Unsolvable(f"model {body.model} has {body.wounds} of {body.full} wounds, which cannot be")
        if body.full > MAX_WOUNDS:
            check_size(f"wounds of model {body.model}", body.full, MAX_WOUNDS)
        if len(body.saves) < classes:
            raise Unsolvable(f"model {body.model} has no saving throw of class {classes - 1}")
    check_size("wounds of the target", total, MAX_ALL_WOUNDS)


def classes_of(volleys: Sequence[Volley]) -> int:
    """How many classes of saving throw the volleys ask for."""
    saves = [k.save for v in volleys for k in v.kinds if k.damage is not None]
    return max(saves, default=NO_SAVE) + 1


def check_plain(choices: Choices, procedure: str) -> None:
    """Refuse policies that need decisions to be weighed, where that is not worked out."""
    if "optimal" in (choices.reroll, choices.sums, choices.aim):
        raise Unsolvable(
            f"the best re-rolls are only worked out where attacks are made each in turn, not '{procedure}'"
        )


def check_attack(attack: Attack) -> None:
    """Refuse an attack that is impossible or too large in one of its parts."""
    check_size("volleys", len(attack.volleys), MAX_VOLLEYS)
    check_bodies(attack.target.bodies, classes_of(attack.volleys))
