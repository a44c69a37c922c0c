"""From needed rolls and modifiers to tables by die face.

What all editions share is arithmetic; caps, natural ones and sixes, and what counts as critical are arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from sandtable.attack.volley import (
    FACES,
    NEVER,
    NO_WOUND,
    Choices,
    Cites,
    DiceSum,
    HitFace,
    HitRoll,
    Why,
    WoundFace,
    WoundRoll,
)
from sandtable.reasons import Part, part

Rerolls = Literal["none", "ones", "failures", "all"]


def capped(modifiers: Sequence[int] | int, least: int = -1, most: int = 1) -> int:
    """Modifiers added up, and the sum then kept within bounds."""
    total = modifiers if isinstance(modifiers, int) else sum(modifiers)
    return max(least, min(most, total))


def succeeds(face: int, needed: int, modifier: int = 0, *, always: int = 6, never: int = 1) -> bool:
    """Whether a bare face makes a roll: from `always` up it does in every case, up to `never` in none."""
    if face <= never:
        return False
    return face >= always or face + modifier >= needed


@lru_cache(maxsize=4096)
def hit_table(
    needed: int,
    modifier: int = 0,
    *,
    crit: int = 6,
    always: int = 6,
    never: int = 1,
    auto: bool = False,
    lethal: bool = False,
    sustained: DiceSum | int = 0,
    reroll: Rerolls = "none",
    cites: Cites = (),
    crit_cites: Cites = (),
    never_cites: Cites = (),
    reroll_cites: Cites = (),
    why: Why = (),
) -> HitRoll:
    """The hit roll's table. Bare faces from `crit` up are critical and hit; NEVER switches `crit` or `always` off.

    With `auto` nothing is rolled and nothing is critical. `lethal` lets a critical hit wound by itself; `sustained`
    gives it further hits, which are ordinary ones.
    """
    if auto:
        return HitRoll((HitFace(hits=1, cites=cites),) * 6, rolled=False, cites=cites, why=why)
    more = sustained if isinstance(sustained, DiceSum) else DiceSum(plus=sustained)
    extra = None if more.fixed else more
    fixed = more.result() if more.fixed else 0
    faces = []
    for face in FACES:
        if face >= crit and face > never:
            hits, wounds = (fixed, 1) if lethal else (1 + fixed, 0)
            faces.append(HitFace(hits, wounds, extra, critical=True, cites=(*cites, *crit_cites)))
        elif succeeds(face, needed, modifier, always=always, never=never):
            faces.append(HitFace(1, cites=cites))
        else:
            faces.append(HitFace(cites=(*cites, *never_cites) if face <= never else cites))
    again = reroll_faces(reroll, _bare(needed, crit, always, never))
    why = (*why, *_limits(needed, modifier, crit, always, never, crit_cites, never_cites))
    return HitRoll(tuple(faces), again, cites=(*cites, *reroll_cites), why=why, reroll_cites=reroll_cites)


@lru_cache(maxsize=4096)
def wound_table(
    needed: int,
    modifier: int = 0,
    *,
    crit: int = 6,
    always: int = 6,
    never: int = 1,
    kind: int = 0,
    crit_kind: int | None = None,
    reroll: Rerolls = "none",
    cites: Cites = (),
    crit_cites: Cites = (),
    never_cites: Cites = (),
    reroll_cites: Cites = (),
    why: Why = (),
) -> WoundRoll:
    """The wound roll's table. Critical faces wound in every case, as `crit_kind` where that is another kind."""
    faces = []
    for face in FACES:
        if face >= crit and face > never:
            found = kind if crit_kind is None else crit_kind
            faces.append(WoundFace(found, critical=True, cites=(*cites, *crit_cites)))
        elif succeeds(face, needed, modifier, always=always, never=never):
            faces.append(WoundFace(kind, cites=cites))
        else:
            faces.append(WoundFace(NO_WOUND, cites=(*cites, *never_cites) if face <= never else cites))
    again = reroll_faces(reroll, _bare(needed, crit, always, never))
    why = (*why, *_limits(needed, modifier, crit, always, never, crit_cites, never_cites))
    return WoundRoll(tuple(faces), again, cites=(*cites, *reroll_cites), why=why, reroll_cites=reroll_cites)


def _limits(
    needed: int, modifier: int, crit: int, always: int, never: int, crit_cites: Cites, never_cites: Cites
) -> Why:
    """Where the bare face decides, whatever is added: criticals below the 6, and what always or never succeeds."""
    found = []
    if crit < 6:
        found.append(part(f"critical {crit}+", crit_cites[-1] if crit_cites else ""))
    elif modifier and needed - modifier > always:
        found.append(Part(f"{always} always succeeds", source=crit_cites[0] if crit_cites else ""))
    if (modifier or never > 1) and needed - modifier <= never:
        fail = f"1 to {never} always fail" if never > 1 else "1 always fails"
        found.append(Part(fail, source=never_cites[0] if never_cites else ""))
    return tuple(found)


def _bare(needed: int, crit: int, always: int, never: int) -> list[bool]:
    """Which faces succeed before modifiers: by these it is judged what may be re-rolled."""
    return [succeeds(f, needed, always=min(always, crit), never=never) for f in FACES]


def reroll_faces(kind: Rerolls, success: Sequence[bool]) -> tuple[int, ...]:
    """The bare faces that a re-roll of a kind allows; which of them succeed before modifiers."""
    match kind:
        case "none":
            return ()
        case "ones":
            return (1,)
        case "failures":
            return tuple(f for f in FACES if not success[f - 1])
        case "all":
            return FACES


def faces_rerolled(roll: HitRoll | WoundRoll, policy: str) -> tuple[int, ...]:
    """The faces that a player who follows a policy re-rolls, of those that may be."""
    match policy:
        case "none":
            return ()
        case "failures":
            return tuple(f for f in roll.reroll if not roll.face(f).success)
        case "criticals":
            return tuple(f for f in roll.reroll if not roll.face(f).critical)
    raise ValueError(f"there is no re-roll policy '{policy}'")


def sum_rerolled(number: DiceSum, total: int, choices: Choices) -> bool:
    """Whether a player who follows the policies re-rolls a sum of dice that came to `total`."""
    return choices.sums == "below_average" and total in number.reroll and total < number.mean_of_dice


def save_needed(
    save: int, ap: int = 0, bonus: int = 0, *, invulnerable: int = NEVER, best: int = 1, never: int = 1
) -> int:
    """The bare face that saves, by the better of armour and invulnerable save; NEVER where none does.

    `ap` is 0 or below. It is added up with the bonuses, and the sum is never better than `best`; it does not touch the
    invulnerable save.
    """
    armour = save - min(best, ap + bonus)
    return min(NEVER, max(min(armour, invulnerable), never + 1))
