"""Who can be picked to act: whose turn it is, who is on the battlefield, and who has not acted yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.battle.state import AnyUnit
from sandtable.battle.verdict import ALLOWED, Fact, Verdict, refuse
from sandtable.kit.grammar import filled_in

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


def refuse_if(ruled_out: object, unit: AnyUnit, text: str, *rules: str, **facts: Fact) -> Verdict:
    """A refusal if something rules a unit out, else none; words in braces in its text are filled in.

    No other name belongs into such a text: players may have put braces into it.
    """
    return refuse(filled_in(text, unit), *rules, **facts) if ruled_out else ALLOWED


def is_its_turn(w: AnyWorld, unit: AnyUnit, when: str, *rules: str) -> Verdict:
    """Whether a unit belongs to the active player; `when` is what it would be picked in, such as a phase."""
    if unit.player == w.state.active:
        return ALLOWED
    return refuse(f"It is not {w.player(unit.player).name}'s {when}.", *rules)


def is_there(w: AnyWorld, unit: AnyUnit, *rules: str) -> Verdict:
    """Whether a unit is on the battlefield."""
    if w.is_on_table(unit):
        return ALLOWED
    return refuse(filled_in("{unit} {is} not on the battlefield.", unit), *rules)
