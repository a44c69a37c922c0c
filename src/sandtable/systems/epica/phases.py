"""The phases of a turn: their names, the steps that belong to them, and where the book has their rules."""

from __future__ import annotations

from typing import Final

from sandtable.systems.epica.state import EpicBattle

STRATEGY, ACTION, END = "strategy", "action", "end"

PHASE_OF_STEP: Final = {
    "strategy_roll": STRATEGY,
    "take_action": ACTION,
    "begin_end_phase": END,
    "rally": END,
    "make_ready": END,
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""

SHOOTING: Final = ("1.9.1", "1.9.2", "1.9.3", "1.9.4", "1.9.5", "1.11")
CHARGE: Final = ("1.12.1", "1.12.2", "1.12.3", "1.12.10")
HEADINGS: Final[dict[str, tuple[str, ...]]] = {
    STRATEGY: ("1.5",),
    ACTION: ("1.6",),
    END: ("1.14 The End Phase", "1.14.1", "1.14.2"),
}
"""The headings with the rules of a phase."""

ASKED_UNDER: Final[dict[str, tuple[str, ...]]] = {
    "retain": ("1.6.3",),
    "action": ("1.6.1", "1.6.2"),
    "marshal": ("1.6.1", "1.13.1"),
    "hold": ("1.6.1", "1.13.1"),
    "move": ("1.7 Movement", "1.7.1", "1.7.2", "1.7.3", "1.7.4", "1.8.1", "1.8.4"),
    "stragglers": ("1.7.4",),
    "shoot-at": SHOOTING,
    "suppress": SHOOTING,
    "aim": SHOOTING,
    "allocate": ("1.9.6", "1.9.7"),
    "engage": CHARGE,
    "intermingle": CHARGE,
    "charge": CHARGE,
    "counter-charge": ("1.12.4",),
    "support": ("1.12.6",),
    "consolidate": ("1.12.9",),
    "withdraw": ("1.13.2", "1.13.3"),
    "rally": ("1.14.1",),
    "react.move_completed": ("1.10",),
}
"""The headings with the rules of a step within an action, by what is asked in it."""


def begin_phase(b: EpicBattle, phase: str) -> None:
    """A phase of all players begins."""
    b.set_game(phase=phase)
    b.tell("phase", f"{phase.capitalize()} phase.", "epica.turn.phases", phase=phase)
