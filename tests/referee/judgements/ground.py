"""Where a model stands: on the battlefield, in no wall, on nothing that it cannot stand on."""

from __future__ import annotations

from referee.field import Field
from referee.geometry import Stand, disc, flat_gap
from referee.reach import Reach
from referee.watch import Judgement


class Ground(Judgement):
    """What is common to all judgements of places."""

    def begin(self) -> None:
        self.reach = Reach(self.table, self.book)
        self.field = Field(self.table)

    def standing(self, model: int, end: Stand) -> None:
        """What a model ends on, or in."""
        if self.field.off_table(end, self.book.slack):
            self.accuse("w40k10.move.board_edge", f"{self.model(model)} stands over the edge of the battlefield.")
        for number, (x, y, z) in enumerate(self.book.markers):
            marker = disc(x, y, self.book.marker_radius, z)
            if number not in self.table.game["removed"] and flat_gap(end, marker) < -self.book.slack:
                self.accuse("w40k10.objective.movement", f"{self.model(model)} ends on objective marker {number + 1}.")
        wall = self.field.in_wall(end)
        if wall is not None:
            name = self.table.terrain.features[wall.feature].name
            self.accuse("w40k10.terrain.ruins_move_through", f"{self.model(model)} ends inside a wall of {name}.")
        solid = self.field.in_solid(end)
        if solid is not None:
            self.accuse(self.book.solid_rule(solid.kind), f"{self.model(model)} ends inside {solid.name}.")
        if end.z > 0.01:
            self._upstairs(model, end)

    def _upstairs(self, model: int, end: Stand) -> None:
        self.looked("ends above the ground")
        under = self.field.stands_on(end)
        if not under:
            self.accuse("w40k10.move.climb", f'{self.model(model)} ends {end.z:.1f}" up with nothing to stand on.')
            return
        for feature in under:
            if feature.kind in self.book.no_place:
                self.accuse(self.book.solid_rule(feature.kind), f"{self.model(model)} ends on {feature.name}.")
            upper = feature.kind == "ruins"
            if upper and not self.book.is_a(model, "INFANTRY", "BEAST", "FLY"):
                self.accuse("w40k10.terrain.ruins_floors", f"{self.model(model)} ends on a floor of {feature.name}.")
        if self.field.overhangs(end):
            rule = "w40k10.terrain.ruins_floors" if under[0].kind == "ruins" else "w40k10.terrain.hill_move"
            self.accuse(rule, f"The base of {self.model(model)} overhangs {under[0].name}.")

    # --- Words --------------------------------------------------------------------------------------------------------

    def name(self, unit: int) -> str:
        return f"{self.table.name(unit)} ({unit})"

    def model(self, model: int | None) -> str:
        return "nobody" if model is None else f"{self.book.sheet(model)['name']} {model}"
