"""What a short account of a battle leaves out, and what it lists in one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from sandtable.battle.events import Told
from sandtable.battle.system import Brief
from sandtable.forty.state import World40

LEFT_OUT: Final = frozenset(
    (
        "phase", "round", "command_points", "roll_off", "marker", "deployed", "advance", "charge_declared",
        "charge_roll", "piled_in", "consolidated", "ability", "price", "healed", "scouted", "secured", "victor",
        "no_targets", "power", "overwatch",
    )
)  # fmt: skip
"""Said by headings or by what comes of them, or of no account to those who only want to know how it went."""
LISTED: Final = MappingProxyType(
    {
        "stationary": "stay",
        "arrived": "arrive",
        "embarked": "embark",
        "disembarked": "disembark",
        "reanimates": "reanimate",
        "returned": "get models back",
        "reserves": "in Reserves",
    }
)
MOVING: Final = ("movement", "charge")
"""Phases in which only Overwatch lets the other player's units shoot"""
VERBS: Final = MappingProxyType({"shoots": "shoots", "fights": "strikes"})


@dataclass(frozen=True)
class Brevity:
    """What short accounts of an edition do beside that."""

    left_out: frozenset[str] = frozenset()
    scored_late: bool = False
    """What is scored belongs to the end of a turn, not to its last phase."""
    moves: Mapping[str, str] = field(default_factory=dict)
    """By the rule of a move, what its units are listed under."""


def _out_of_turn(w: World40, told: Told) -> bool:
    """Whether a unit shoots while the enemy moves or charges."""
    return w.unit(told.units[0]).player != w.state.active and w.state.game.phase in MOVING


def brief(w: World40, told: Told) -> Brief | None:
    """How a short account tells something; None for as a sentence of its own."""
    own = w.system.seam(Brevity)
    names = [w.unit(u).name for u in told.units]
    match told.kind:
        case kind if kind in LEFT_OUT or kind in own.left_out:
            return Brief()
        case "shoots" if told.data.get("overwatch") or _out_of_turn(w, told):
            return Brief(verb="fires Overwatch at")
        case kind if kind in VERBS:
            return Brief(verb=VERBS[kind])
        case "control":
            marker, holder = int(told.data["marker"]) + 1, int(told.data["player"])
            name = w.player(holder).name if holder >= 0 else "nobody"
            return Brief("objectives", f"{marker} {name}", key=str(marker))
        case "scored" if own.scored_late:
            return Brief("scored", told.text.replace(" scores ", " ", 1).removesuffix("."), key=told.text)
        case "stratagem":
            return Brief("Stratagems", told.text.removesuffix(".").replace(" uses ", ": ", 1), key=told.text)
        case "attached":
            return Brief("Leaders", " with ".join(names))
        case "charged":
            return Brief("charge", f"{names[0]} at {', '.join(names[1:])}")
        case "charge_failed":
            return Brief("fail to charge", f'{names[0]} with {told.data["far"]}"')
        case "test":
            return Brief(f"{'pass' if told.data['passed'] else 'fail'} their test")
        case "moved" if told.rules and told.rules[0] in own.moves:
            return Brief(own.moves[told.rules[0]])
    return Brief(LISTED[told.kind]) if told.kind in LISTED else None
