"""What is said about moves that seek the enemy."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.battle import ALLOWED, Moves, Verdict, refuse
from sandtable.forty.state import World40, called, called_all
from sandtable.kit.closing.contact import Contact, astray
from sandtable.kit.closing.instead import contact_instead, who_could
from sandtable.table.grid import units
from sandtable.table.shapes import Bodies


def who_could_touch(w: World40, c: Contact, moves: Moves, better: Moves) -> str:
    """Which model stopped short, and where it could have touched whom, for those who refuse a move for a better one."""
    return _who_could(w, c, moves, better, "in base contact with")


def _who_could(w: World40, c: Contact, moves: Moves, better: Moves, how: str) -> str:
    found = who_could(w, c, moves, better)
    x, y, z = (units(v) for v in found.place)
    up = f', {z:.1f}" up' if z else ""
    name = w.unit(int(w.state.models.unit[found.enemy])).name
    return f"{called(w, found.model)} can end {how} {name}, at {x:.2f}, {y:.2f}{up}"


def check_touching(w: World40, c: Contact, moves: Moves, who: Sequence[int], rule: str) -> Verdict:
    """Whether everybody of some ends in base contact who can: the refusal shows where."""
    better = contact_instead(w, c, moves, who)
    if better is None:
        return ALLOWED
    return refuse(f"{who_could_touch(w, c, moves, better)}: a model that can, must.", rule, instead=better)


def check_loose(w: World40, c: Contact, moves: Moves, rule: str) -> Verdict:
    """Whether nobody moves who is none of the movers, being in base contact with an enemy."""
    held = [p.model for p in moves.paths if p.model not in c.movers]
    if not held:
        return ALLOWED
    return refuse(f"{called_all(w, held)} cannot move: in base contact with an enemy.", rule)


def check_nearer(w: World40, c: Contact, moves: Moves, bodies: Bodies, to: str, rule: str) -> Verdict:
    """Whether all who move end as much closer as the contact asks for, standing as `bodies` says."""
    lost = astray(w, c, moves, bodies)
    if not lost:
        return ALLOWED
    return refuse(f"{called_all(w, lost)} would not end closer to {to}, as all who move must.", rule)


def check_near_enough(w: World40, c: Contact, moves: Moves, who: Sequence[int], rule: str) -> Verdict:
    """Whether everybody of some ends as near to the enemy as the ladder of the contact asks, who can."""
    better = contact_instead(w, c, moves, who)
    if better is None:
        return ALLOWED
    return refuse(f"{_who_could(w, c, moves, better, 'nearer to')}: a model that can, must.", rule, instead=better)
