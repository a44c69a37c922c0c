"""What a player is told of models that may not go where they are sent, as far as editions say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.battle import ALLOWED, Moves, Verdict, refuse
from sandtable.forty.state import Unit, World40, called
from sandtable.kit.cites import BACK_AGAIN, Cite, cite
from sandtable.kit.grammar import does
from sandtable.kit.sweeps import TOO_FAR
from sandtable.table.moves import Code


def check_able(w: World40, moves: Moves, able: Callable[[Any, int], bool], rule: str) -> Verdict:
    """Whether no model moves that cannot, as the edition says: (world, model)."""
    for path in moves.paths:
        if not able(w, path.model):
            return refuse(f"{called(w, path.model)} cannot move at all.", rule)
    return ALLOWED


def able_unit(w: World40, unit: Unit, able: Callable[[Any, int], bool], absent: str, unable: str) -> Verdict:
    """Whether a unit is on the table, and has models that can move; with the rules for who is `absent` or `unable`."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", absent)
    if not any(able(w, int(m)) for m in w.on_table(unit)):
        return refuse(f"{unit.name} cannot move at all.", unable)
    return ALLOWED


def usual_offences(
    *, distance: str, moves: Mapping[str, str], edge: str, stacking: str, terrain: str, climb: str, inside: str
) -> dict[object, Cite]:
    """The sentences for a way that is too long or leads where none does, with the rules of an edition behind them.

    `moves` has the rules that say how far each kind of move goes.
    """
    too_far = cite("{who} would go {far}, but may go {limit}: {over} too far.", distance)
    for move, rule in moves.items():
        too_far = too_far.but(move, "", distance, rule)
    over = cite("{thing} is in the way of {who}, {top:.1f} high: it has to be climbed or gone around.", terrain)
    within = cite("{who} cannot end inside a part of {thing}.", inside)
    nothing = "{who} would find nothing to walk on or to climb along on the way to a height of {height:.1f}."
    half_way = "{who} cannot end in the middle of a climb: there is no ground at a height of {height:.1f}."
    return {
        TOO_FAR: too_far,
        Code.LEG: cite("{who}: a leg goes straight, turns on the spot or climbs straight up or down, one at a time."),
        Code.EDGE: cite("{who} would cross the edge of the battlefield, by {by}.", edge).but(
            BACK_AGAIN, "{who} would cross the edge of the battlefield.", edge
        ),
        Code.WALL: over,
        Code.SOLID: over,
        Code.FLOOR: over,
        Code.AIR: cite(nothing, climb),
        Code.END_MODEL: cite("{who} cannot end on top of {other}: the bases would overlap by {overlap}.", stacking),
        Code.END_WALL: within,
        Code.END_CEILING: within,
        Code.END_SOLID: cite("{who} cannot end on {thing}.", terrain),
        Code.END_FLOOR: cite(half_way, climb),
    }
