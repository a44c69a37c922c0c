"""11th edition: its numbers, the names of its steps and moves, and the judgements that hold for it."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

from referee.sheets import Sheets
from referee.tour import CURIOUS, PLAYERS, layouts, ready_lists
from sandtable.armies.kdc.source import data

__all__ = ["CURIOUS", "JUDGEMENTS", "LEDGER", "PLAYERS", "book", "layouts", "lists", "missions"]
LEDGER = "w40k11"


def lists() -> tuple[tuple[str, ...], ...]:
    return ready_lists(LEDGER)


@cache
def missions() -> tuple[str, ...]:
    """Only War, and those of the dataset, each with a layout that is meant for it."""
    raw = data().raw
    layouts_of: dict[str, list[str]] = {}
    for one in raw["terrain_layouts"]:
        layouts_of.setdefault(_pair(str(one.get("mission_matchup_id"))), []).append(one["id"])
    found = []
    for number, one in enumerate(raw["mission_matchups"]):
        there = layouts_of[_pair(one["id"])]
        found += ["only-war", f"{one['mission_id']}@{there[number % len(there)]}"]
    return tuple(found)


def _pair(matchup: str) -> str:
    """Two dispositions in one order."""
    return "-vs-".join(sorted(matchup.split("-vs-")))


class Book(Sheets):
    """The numbers of the book, each with the row of the ledger that gives it."""

    slack = 0.01
    touch = 0.008

    coherency_flat, coherency_up, spread = 2.0, 5.0, 9.0  # coherency.definition
    large_unit, neighbours = 10_000, 1
    engage_flat, engage_up = 2.0, 5.0  # engagement.range
    one_inch = 1.0  # charge.move
    free_height = 2.0  # terrain.move_dense_other
    charge_range = 12.0  # charge.eligible
    step_in = 3.0  # fight.pile_in_move, fight.consolidate_move
    marker_radius = 40 / 25.4 / 2  # objective.marker
    marker_flat, marker_up = 3.0, 5.0  # objective.range
    arrive_gap = 8.0  # reserves.ingress, unit.deep_strike, unit.infiltrators, unit.scout_move
    arrive_band = 6.0  # reserves.ingress
    furthest_out = 6.0  # transport.combat, transport.emergency
    snap_range = 24.0  # shoot.snap
    skies_cost = 2.0  # fly.take_to_skies
    dense = ("ruins", "building")
    """Kinds of terrain whose walls are dense beyond doubt, terrain.categories"""

    steps = (
        "round begins",
        "turn begins",
        "command",
        "command points",
        "battle-shock",
        "command abilities",
        "command ends",
        "command is scored",
        "movement begins",
        "move units",
        "movement ends",
        "shooting begins",
        "shooting",
        "shooting ends",
        "charge begins",
        "charge",
        "charge ends",
        "fight begins",
        "pile in",
        "fights begin",
        "fights",
        "consolidate",
        "fight ends",
        "end of turn",
        "aircraft leave",
        "stragglers",
        "turn is scored",
        "turn ends",
        "round ends",
    )  # round.turn, command.structure, fight.phase, round.end_of_turn

    cards = MappingProxyType(
        {
            "Command Re-Roll": (1, ("command", "movement", "shooting", "charge", "fight"), "either"),
            "Epic Challenge": (1, ("fight",), "either"),
            "Insane Bravery": (1, ("command",), "own"),
            "Explosives": (1, ("shooting",), "own"),
            "Crushing Impact": (1, ("charge",), "own"),
            "Rapid Ingress": (1, ("movement",), "opponent"),
            "Fire Overwatch": (1, ("movement",), "opponent"),
            "Smokescreen": (1, ("shooting",), "opponent"),
            "Heroic Intervention": (1, ("charge",), "opponent"),
            "Heroic Intervention: Into the Fray": (2, ("charge",), "opponent"),
            "Counteroffensive": (2, ("fight",), "opponent"),
        }
    )
    """Core stratagems: cost, phases in which they are used, and in whose turn."""

    def phase_of(self, step: str) -> str:
        """The phase that a step belongs to."""
        number = self.steps.index(step) if step in self.steps else 0
        ends = {"command": 7, "movement": 10, "shooting": 13, "charge": 16, "fight": 22}
        return next((phase for phase, last in ends.items() if 1 < number <= last), "")

    def allowance(self, move: Any, model: int, asked: float | None) -> float | None:
        """How far a model may go; where abilities may have a word in it, what its player was told."""
        unit = self.table.units[move.unit]
        if move.mode == "charge":
            return asked  # held against the dice where they are rolled
        if move.mode in ("pile_in", "consolidate"):
            return self.step_in if self.bare else max(self.step_in, asked or 0.0)
        if not self.bare or move.kind not in ("move", "complete_move"):
            return asked
        far = self.sheet(model)["move"]
        if isinstance(far, str):
            far = unit["rolled_move"]
        hovers = self.core(model, "hover") is not None
        less = self.skies_cost if unit["skies"] and not hovers else 0.0
        return max(0.0, float(far or 0) + (unit["advance"] if move.mode == "advance" else 0) - less)


def book(record: dict[str, Any]) -> Book:
    """The book for a battle."""
    return Book(record)


def _judgements() -> tuple[Any, ...]:
    from referee.judgements.losses_told import Story
    from referee.judgements11.cards import Cards11
    from referee.judgements11.combat import Charges11, Fights11
    from referee.judgements11.deeds import Deeds11
    from referee.judgements11.moves import Moves11
    from referee.judgements11.setting_up import SettingUp11
    from referee.judgements11.shooting import Attacks11, Shooting11
    from referee.judgements11.turns import (
        CommandPoints11,
        Control11,
        NobodyReturns11,
        Shock11,
        Stragglers11,
        Stratagems11,
        Turns11,
        VictoryPoints11,
    )

    return (
        Turns11, CommandPoints11, Shock11, Stratagems11, SettingUp11, Moves11, Charges11, Fights11, Shooting11,
        Attacks11, Control11, VictoryPoints11, Cards11, Deeds11, NobodyReturns11, Stragglers11, Story,
    )  # fmt: skip


JUDGEMENTS = _judgements()
