"""What the judgements of 11th edition have in common, and the rows that they read where 10th edition has another."""

from __future__ import annotations

from referee.judgements8.common import Judgement8

ROWS = {
    "round.phases": "round.turn",
    "round.first_player": "round.structure",
    "dice.roll_off": "gap.roll_off",
    "dice.reroll": "gap.rerolls",
    "mission.attacker_defender": "gap.deployment",
    "onlywar.first_turn": "gap.first_turn",
    "onlywar.end": "gap.end_and_victory",
    "onlywar.victor": "gap.end_and_victory",
    "onlywar.capture_and_control": "gap.mission",
    "mission.end": "gap.end_and_victory",
    "mission.victor": "gap.end_and_victory",
    "mission.muster": "gap.mission",
    "reserve.unarrived": "gap.reserves_at_end",
    "command.cp_cap": "gap.cp_cap",
    "objective.control": "objective.level_of_control",
    "unit.destroyed": "appendix.destroyed",
    "unit.attached_destroyed_triggers": "attached.destroyed",
    "attack.damage": "seq.damage",
    "concept.coherency_end_of_turn": "coherency.regain",
}
"""For judgements that hold as they stand."""


class Rows11:
    """Names the rows of 11th edition."""

    def accuse(self, rule: str, sentence: str) -> None:
        system, _, row = rule.partition(".")
        named = f"w40k11.{ROWS.get(row, row)}" if system == "w40k10" else rule
        super().accuse(named, sentence)  # type: ignore[misc]


class Judgement11(Rows11, Judgement8):
    """A judgement with the words and distances of 11th edition."""

    def engaged(self, unit: int, slack: float = 0.0) -> list[int]:
        """The enemy units within engagement range, without AIRCRAFT."""
        return [e for e in self.reach.engaged_with(unit, slack) if not self.book.unit_is(e, "AIRCRAFT")]
