"""What the judgements of 8th edition have in common: distances in space, who stands where, and who is plainly seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.dice import Script
from referee.field import Field
from referee.geometry import Shape, Stand, apart, area_gap, box_of, distance, gap, shape_of
from referee.reach import Reach
from referee.watch import Judgement


class Script8(Script):
    """Events with the re-rolls of 8th edition: a Command re-roll is one die, and nothing is told of it."""

    ledger = "w40k8"
    command = "Command re-roll/"
    command_told = ""


class Judgement8(Judgement):
    """A judgement with the words and distances of 8th edition."""

    def begin(self) -> None:
        self.reach = Reach(self.table, self.book)
        self.field = Field(self.table)

    def name(self, unit: int) -> str:
        return f"{self.table.name(unit)} ({unit})"

    def model(self, model: int) -> str:
        return f"{self.book.sheet(model)['name']} {model}"

    def is_step(self, item: dict[str, object], name: str) -> bool:
        """Whether the battle has just come to a step."""
        fields: Any = item["fields"] if item["event"] == "changed" and item["what"] == "clock" else {}
        return "step" in fields and self.book.step() == name

    def leaves(self, item: dict[str, object], name: str) -> bool:
        """Whether the battle is about to go on from a step to another one."""
        fields: Any = item["fields"] if item["event"] == "changed" and item["what"] == "clock" else {}
        return self.book.step() == name and fields.get("step", self.table.clock["step"]) != self.table.clock["step"]

    # --- Distances ----------------------------------------------------------------------------------------------------

    def nearest(self, stand: Stand, models: Iterable[int]) -> float:
        """How far the nearest of some models is from a place, in space."""
        best = float("inf")
        for m in models:
            other = self.table.stand(m)
            rough = max(abs(stand.x - other.x), abs(stand.y - other.y)) - stand.base.reach - other.base.reach
            if rough < best:
                best = min(best, distance(stand, other))
        return best

    def close(self, unit: int, slack: float = 0.0) -> list[int]:
        """The enemy units within 1" of a unit."""
        far = self.book.one_inch + slack
        enemies = [e for e in self.table.enemies(unit) if not apart(self.reach.box(unit), self.reach.box(e), far)]
        return [e for e in enemies if self.reach.between(unit, e) <= far]

    def plainly_seen(self, here: Stand, there: Stand, own: int) -> bool:
        """Whether nothing at all is near any line from one model to another; who is of the own unit does not count."""
        corridor = Shape(((here.x, here.y), (there.x, there.y)))
        wide = max(here.base.reach, there.base.reach) + 0.05
        around = box_of(corridor.points)
        for feature, box in self.field.features:
            if not apart(around, box, wide) and area_gap(corridor, feature.outline) < wide:
                return False
        for m in self.table.all_models():
            other = self.table.stand(m)
            if self.table.unit_of[m] == own or other in (here, there):
                continue
            away = apart(around, (other.x, other.y, other.x, other.y), wide + other.base.reach)
            if not away and gap(corridor, shape_of(other)) < wide:
                return False
        return True
