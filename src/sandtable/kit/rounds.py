"""Rounds and turns: whose turn comes next, which phase it is, and what is over when a turn ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from sandtable.battle.state import Result

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

TURN: Final = "turn"
"""The segment that the steps of a turn are in"""
NOBODY: Final = -1


@dataclass(frozen=True)
class Rounds:
    """How turns follow each other."""

    following: Callable[[Any], int]
    """(battle): who has the next turn of this round; -1 when it is over."""
    first: Callable[[Any], int]
    """(battle): who has the first turn of the round that has begun."""
    new_round: Callable[[Any], None]
    """(battle): another round begins; where the order of the players is drawn anew, it is drawn here."""
    is_over: Callable[[Any], bool]
    """(battle): whether the battle ends now, whoever's turn would come next."""
    time_is_up: Callable[[Any, bool], bool]
    """(battle, whether the round is over): whether that was the last turn."""
    close: Callable[[Any, str], Result]
    """(battle, reason): the last things happen, and the result is known."""


def next_turn(b: AnyBattle, rounds: Rounds) -> str | None:
    """After a turn comes that of the next player; after the last of a round the first of the next, or the end."""
    if rounds.is_over(b):
        b.finish(rounds.close(b, "one side is left on the battlefield"))
        return None
    following = rounds.following(b)
    if rounds.time_is_up(b, following == NOBODY):
        b.finish(rounds.close(b, "the last round has been played"))
        return None
    if following == NOBODY:
        rounds.new_round(b)
        following = rounds.first(b)
    b.set_clock(active=following)
    return TURN


def begin_the_round(b: AnyBattle, number: int, rule: str, **clock: int) -> None:
    """A battle round begins."""
    b.set_clock(round=number, **clock)
    b.tell("round", f"Battle round {number}.", rule, round=number)


def tell_phase(b: AnyBattle, phase: str, rule: str) -> None:
    """A phase of the active player begins."""
    b.set_game(phase=phase)
    b.tell("phase", f"{b.player(b.state.active).name}: {phase.capitalize()} phase.", rule, phase=phase)


def forget(b: AnyBattle, fields: Sequence[str]) -> None:
    """What units did in a turn is forgotten: these of their fields are as they are when a battle begins."""
    plain = {field.name: field.default for field in msgspec.structs.fields(b.system.unit_type)}
    for unit in b.units():
        changed = {name: plain[name] for name in fields if getattr(unit, name) != plain[name]}
        if changed:
            b.set_unit(unit, **changed)


def mark(b: AnyBattle, models: Iterable[int], bit: int) -> None:
    """Models get one of their marks."""
    for m in models:
        b.set_mark(m, int(b.state.models.mark[m]) | bit)


def unmark(b: AnyBattle, bit: int) -> None:
    """Models lose one of their marks."""
    for m in np.flatnonzero(b.state.models.mark & bit):
        b.set_mark(int(m), int(b.state.models.mark[m]) & ~bit)
