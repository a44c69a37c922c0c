"""10th edition: its numbers, the names of its steps and moves, and the judgements that hold for it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from referee.sheets import Sheets
from referee.tour import CURIOUS, PLAYERS, layouts, own_missions, ready_lists

__all__ = ["CURIOUS", "JUDGEMENTS", "LEDGER", "PLAYERS", "book", "layouts", "lists", "missions"]
LEDGER = "w40k10"


def lists() -> tuple[tuple[str, ...], ...]:
    return ready_lists(LEDGER)


def missions() -> tuple[str, ...]:
    return own_missions(LEDGER)


class Book(Sheets):
    """The numbers of the core book, each with the row of the ledger that gives it."""

    slack = 0.01
    """Less than this is no distance: bases are measured to some thousandths of an inch."""
    touch = 0.008
    """Bases this near touch."""

    coherency_flat, coherency_up = 2.0, 5.0  # concept.coherency_small
    large_unit, neighbours = 7, 2  # concept.coherency_large
    engage_flat, engage_up = 1.0, 5.0  # concept.engagement_range
    free_height = 2.0  # move.over_terrain
    charge_range = 12.0  # charge.eligible
    step_in = 3.0  # fight.pile_in, fight.consolidate
    hover_move = 20.0  # aircraft.hover
    marker_radius = 40 / 25.4 / 2  # objective.marker
    marker_flat, marker_up = 3.0, 5.0  # objective.range
    across = 2.0  # terrain.barricade_fight
    near_barricade = 1.0  # terrain.barricade_charge
    infiltrate = 9.0  # ability.infiltrators
    arrive_gap = 9.0  # ability.deep_strike, reserve.strategic_enemy_distance
    arrive_band = 6.0  # reserve.strategic_round2
    disembark_reach = 3.0  # transport.disembark_setup
    emergency_reach = 6.0  # transport.emergency
    demise_range = 6.0  # attack.deadly_demise
    plunging_height = 6.0  # terrain.ruins_plunging_fire
    overwatch_range = 24.0  # strat.fire_overwatch
    grenade_range = 8.0  # strat.grenade
    lone_range = 12.0  # ability.lone_operative
    scouts_gap = 9.0  # ability.scouts
    embark_range = 3.0  # transport.embark
    marker_from_edge, marker_from_marker = 6.0, 9.0  # onlywar.markers
    intervene_range = 6.0  # strat.heroic_intervention

    steps = (
        "round begins",
        "command",
        "command, the rest",
        "battle-shock",
        "command ends",
        "command is scored",
        "movement begins",
        "move units",
        "reinforcements",
        "late disembarking",
        "movement ends",
        "shooting begins",
        "shooting",
        "shooting ends",
        "charge begins",
        "charge",
        "charge ends",
        "fight begins",
        "fights first",
        "remaining combats",
        "fight ends",
        "stragglers",
        "turn is scored",
        "turn ends",
        "round ends",
    )  # round.phases, command.steps, move.steps, fight.steps

    _moving = ("movement begins", "move units", "reinforcements", "late disembarking", "movement ends")
    _charging = ("charge begins", "charge", "charge ends")
    _fighting = ("fights first", "remaining combats")
    cards = MappingProxyType(
        {
            "Command Re-roll": (1, steps[1:21], "either"),
            "Counter-offensive": (2, _fighting, "either"),
            "Epic Challenge": (1, _fighting, "either"),
            "Insane Bravery": (1, ("battle-shock",), "own"),
            "Grenade": (1, ("shooting",), "own"),
            "Tank Shock": (1, ("charge",), "own"),
            "Rapid Ingress": (1, ("movement ends",), "opponent"),
            "Fire Overwatch": (1, (*_moving, *_charging), "opponent"),
            "Go to Ground": (1, ("shooting",), "opponent"),
            "Smokescreen": (1, ("shooting",), "opponent"),
            "Heroic Intervention": (2, ("charge",), "opponent"),
        }
    )
    """Core Stratagems: cost, steps in which they are used, and in whose turn."""
    once_per_turn = ("Fire Overwatch",)

    def phase_of(self, step: str) -> str:
        """The phase that a step belongs to."""
        number = self.steps.index(step)
        ends = {"command": 5, "movement": 10, "shooting": 13, "charge": 16, "fight": 20}
        return next((phase for phase, last in ends.items() if 0 < number <= last), "")

    no_place = ("barricade", "debris")
    """Kinds of terrain on which nobody stops."""

    _lengths = MappingProxyType(
        {
            "normal": "w40k10.move.normal",
            "advance": "w40k10.move.advance",
            "fall_back": "w40k10.move.fall_back",
            "charge": "w40k10.charge.roll",
            "pile_in": "w40k10.fight.pile_in",
            "consolidate": "w40k10.fight.consolidate",
            "objective": "w40k10.fight.consolidate",
        }
    )
    _solids = MappingProxyType({"barricade": "w40k10.terrain.barricade_move", "debris": "w40k10.terrain.debris_move"})

    def length_rule(self, mode: str) -> str:
        """The row that limits a kind of move."""
        return self._lengths.get(mode, "w40k10.move.distance")

    def solid_rule(self, kind: str) -> str:
        """The row that keeps models from ending in or on a solid feature."""
        return self._solids.get(kind, "w40k10.move.over_terrain")

    def aircraft(self, unit: int) -> bool:
        """Whether a unit is AIRCRAFT, which it is not in Hover mode."""
        return not self.table.units[unit]["hover"] and self.unit_is(unit, "AIRCRAFT")

    def allowance(self, move: Any, model: int, asked: float | None) -> float | None:
        """How far a model may go in a move; where abilities may have a word in it, what its player was told."""
        unit = self.table.units[move.unit]
        if move.mode == "charge":
            return asked  # held against the dice where they are rolled
        if move.mode in ("pile_in", "consolidate", "objective"):
            return self.step_in if not self.doubt("move") else max(self.step_in, asked or 0.0)
        if move.kind == "scout_move":
            own = [self.core(m, "scouts") for m in self.table.on_table(move.unit)]
            told = [float(x.strip('"')) for x in own if x]
            return min(told) if told and len(told) == len(own) else asked
        if move.kind == "extra_move" or self.doubt("characteristic", name="M"):
            return asked
        far = self.sheet(model)["move"]
        if unit["hover"]:
            far = self.hover_move
        if isinstance(far, str):
            far = unit["rolled_move"]
        if move.mode == "advance" and self.doubt("modify", roll="advance"):
            return asked
        return float(far or 0) + (unit["advance"] if move.mode == "advance" else 0)


def book(record: dict[str, Any]) -> Book:
    """The book for a battle."""
    return Book(record)


def _judgements() -> tuple[Any, ...]:
    from referee.judgements.attacks import Attacks
    from referee.judgements.charges import Charges
    from referee.judgements.closing import Closing
    from referee.judgements.command import BattleShock, CommandPoints, Shocked
    from referee.judgements.failed_charges import FailedCharges
    from referee.judgements.fights import Fights, Strikes
    from referee.judgements.losses_told import Destroyed, NobodyReturns, Story, Stragglers
    from referee.judgements.moves import Moves
    from referee.judgements.objectives import Control, VictoryPoints
    from referee.judgements.other_dice import OtherDice
    from referee.judgements.preparing import Preparing
    from referee.judgements.setting_up import SettingUp
    from referee.judgements.shooting import Shooting
    from referee.judgements.stratagems import Stratagems
    from referee.judgements.transports import Transports
    from referee.judgements.turns import Deeds, Turns

    return (
        Turns,
        Deeds,
        CommandPoints,
        BattleShock,
        Shocked,
        Stratagems,
        Preparing,
        SettingUp,
        Transports,
        Moves,
        Charges,
        Closing,
        FailedCharges,
        Shooting,
        Attacks,
        OtherDice,
        Fights,
        Strikes,
        Control,
        VictoryPoints,
        Destroyed,
        NobodyReturns,
        Stragglers,
        Story,
    )


JUDGEMENTS = _judgements()
