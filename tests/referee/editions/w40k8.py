"""8th edition: its numbers, the names of its steps and moves, and the judgements that hold for it."""

from __future__ import annotations

from typing import Any

from referee.geometry import Outline
from referee.sheets import Sheets, read_dice
from referee.tour import CURIOUS, PLAYERS, layouts, own_missions, ready_lists
from referee.watch import outline_of

__all__ = ["CURIOUS", "JUDGEMENTS", "LEDGER", "PLAYERS", "book", "layouts", "lists", "missions"]
LEDGER = "w40k8"


def lists() -> tuple[tuple[str, ...], ...]:
    return ready_lists(LEDGER)


def missions() -> tuple[str, ...]:
    return own_missions(LEDGER)


class Book(Sheets):
    """The numbers of the book, each with the row of the ledger that gives it."""

    slack = 0.01
    touch = 0.008

    one_inch = 1.0  # move.one_inch, charge.first_model, fight.eligible, shoot.eligible: a distance in space
    coherency_flat, coherency_up = 2.0, 6.0  # concept.coherency
    large_unit, neighbours = 10_000, 1  # one chain, however many models
    engage_flat, engage_up = 1.0, 1.0
    free_height = 0.0  # move.terrain
    charge_range = 12.0  # charge.targets
    step_in = 3.0  # fight.pile_in, fight.consolidate, charge.heroic
    marker_range = 3.0  # onlywar.control
    smite_charge, smite_range, smite_strong = 5, 18.0, 10  # psychic.smite, psychic.smite_strong
    deny_range = 24.0  # psychic.deny
    embark_range = 3.0  # transport.embark, transport.disembark_setup
    deploy_gap = 12.0  # onlywar.deploy_distance
    resilient = 5  # gap.disgustingly_resilient
    tenacious = 6  # warlord.tenacious_survivor
    hero_wounds = 10  # shoot.character_large

    steps = (
        "begin_round", "begin_turn", "nurgles_gift", "movement_phase", "move_units", "reinforcements", "psychic_phase",
        "manifest_powers", "shooting_phase", "shoot_units", "charge_phase", "charge_units", "heroic_interventions",
        "fight_phase", "fight_units", "morale_phase", "test_units", "score_turn", "end_turn", "end_round",
        "score_battle",
    )  # fmt: skip
    """The steps of a turn, round.phases"""

    def characteristic(self, model: int, name: str, wounds: int | None = None) -> Any:
        """A characteristic of a model with so many wounds left, by its chart."""
        sheet = self.sheet(model)
        left = self.table.wounds[model] if wounds is None else wounds
        rows = [row for row in sheet["chart"] if left <= row["up_to"] and name in row]
        return min(rows, key=lambda row: row["up_to"])[name] if rows else sheet[name]

    def least(self, model: int) -> float:
        """The least Move of a flyer that has one."""
        move = str(self.characteristic(model, "move"))
        return float(move.split("-", maxsplit=1)[0]) if "-" in move.strip("-") else 0.0

    def allowance(self, move: Any, model: int, asked: float | None) -> float | None:
        """How far a model may go; where abilities may have a word in it, what its player was told."""
        if move.mode == "charge":
            return asked  # held against the dice where they are thrown
        if move.mode in ("pile_in", "consolidate", "heroic"):
            further = self.doubt("move") or self.allowed("pile_in_6")
            return max(self.step_in, asked or 0.0) if further else self.step_in
        if not self.bare or move.kind not in ("move", "complete_move"):
            return asked
        text = str(self.characteristic(model, "move"))
        far = text.rsplit("-", maxsplit=1)[-1]
        if not far.isdigit():
            return asked
        return float(far) + (self.table.units[move.unit]["advance"] if move.mode == "advance" else 0)

    def toughnesses(self, unit: int, place: list[int]) -> set[int]:
        return {self.characteristic(m, "toughness") for m in self.table.units[unit]["models"] if place[m] == 1}

    def strength(self, model: int, weapon: dict[str, Any]) -> int:
        """The Strength of a weapon in a model's hands."""
        own, text = int(self.characteristic(model, "strength")), str(weapon["strength"])
        if text == "user":
            return own
        if text[0] in "+-":
            return max(1, own + int(text))
        return own * int(text[1:]) if text[0] == "x" else int(text)

    def zone(self, player: int, *, enemy: bool = False) -> Outline:
        """A player's deployment zone, or that of the enemy."""
        game = self.table.game
        number = game["zones"][player]
        return outline_of(game["halves"][1 - number if enemy else number])


def book(record: dict[str, Any]) -> Book:
    """The book for a battle."""
    return Book(record)


def _judgements() -> tuple[Any, ...]:
    from referee.judgements8.attacks import Attacks8, Losses8
    from referee.judgements8.charges import Charges8
    from referee.judgements8.fights import Fights8
    from referee.judgements8.moves import Moves8
    from referee.judgements8.psychic import Morale8, Psychic8
    from referee.judgements8.shooting import Shooting8
    from referee.judgements8.turns import Missions8, OnlyWar8, SettingUp8, Turns8

    return (
        Turns8, SettingUp8, Moves8, Psychic8, Shooting8, Attacks8, Losses8, Charges8, Fights8, Morale8, OnlyWar8,
        Missions8,
    )  # fmt: skip


JUDGEMENTS = _judgements()

__all__ = ["CURIOUS", "JUDGEMENTS", "PLAYERS", "Book", "book", "layouts", "lists", "missions", "read_dice"]
