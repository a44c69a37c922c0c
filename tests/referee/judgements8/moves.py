"""Moves of 8th edition: how long, through what, how near to enemies, and where they end."""

from __future__ import annotations

from referee.field import Leg
from referee.geometry import Stand, distance
from referee.judgements.moves import Made, MoveWatch
from referee.judgements8.common import Judgement8
from referee.watch import ON, Item

NORMAL, ADVANCE, FALL_BACK = "normal", "advance", "fall_back"
CHARGE, STEPS = "charge", ("pile_in", "consolidate", "heroic")
RULES = {
    NORMAL: "w40k8.move.distance", ADVANCE: "w40k8.move.advance", FALL_BACK: "w40k8.move.fall_back",
    CHARGE: "w40k8.charge.roll", "pile_in": "w40k8.fight.pile_in", "consolidate": "w40k8.fight.consolidate",
    "heroic": "w40k8.charge.heroic",
}  # fmt: skip
SAME_LEVEL = 0.2


class Moves8(Judgement8, MoveWatch):
    """Every kind of move."""

    def begin(self) -> None:
        MoveWatch.begin(self)
        self.near: set[int] = set()
        """Units that had an enemy within 1" beyond doubt when the Movement phase began."""
        self.moved: set[int] = set()
        self.die = 0
        """What was thrown last for an Advance."""

    def after(self, item: Item) -> None:
        if self.is_step(item, "movement_phase"):
            mine = [u["id"] for u in self.table.units if u["player"] == self.table.clock["active"]]
            self.near = {u for u in mine if self.table.on_table(u) and self.close(u, -self.book.slack)}
            self.moved = set()

    def before(self, item: Item) -> None:
        super().before(item)
        if item["event"] == "rolled" and item["reason"] == "advance":
            self.die = (item.get("standing") or item["faces"])[0]
        elif item["event"] == "told" and item["kind"] == "advance" and self.book.bare:
            self._advance(item["units"][0])

    def _advance(self, unit: int) -> None:
        """An Advance adds what the die shows, or half of it for whoever wears Cataphractii armour."""
        slow = any(self.book.core(m, "cataphractii armour") is not None for m in self.table.on_table(unit))
        due, told = (self.die + 1) // 2 if slow else self.die, self.table.units[unit]["advance"]
        self.looked("Advance rolls")
        if told != due:
            self.accuse("w40k8.move.advance", f'{self.name(unit)} Advances {told}" more, and the die says {due}.')

    def unasked(self, item: Item) -> None:
        if self.book.bare:
            self.accuse("w40k8.move.phase", f"Models {item['models']} were moved, and nobody had said how.")

    # --- Which moves are open -----------------------------------------------------------------------------------------

    def answered(self, asked: Item, answer: dict[str, object]) -> None:
        unit, mode = asked["unit"], answer["mode"]
        if asked["kind"] != "move":
            return
        self.looked("options of a move")
        if unit in self.near and mode in (NORMAL, ADVANCE):
            self.accuse("w40k8.move.near_enemy", f'{self.name(unit)} began within 1" of an enemy and chose {mode}.')
        if unit in self.moved:
            self.accuse("w40k8.move.once", f"{self.name(unit)} moves a second time.")
        self.moved.add(unit)
        if self.table.units[unit]["player"] != self.table.clock["active"]:
            self.accuse("w40k8.move.phase", f"{self.name(unit)} moves in the other player's turn.")
        if self.table.units[unit]["arrived"]:
            self.accuse("w40k8.move.reinforce_limits", f"{self.name(unit)} arrived this turn and moves.")

    # --- A move -------------------------------------------------------------------------------------------------------

    def made(self, move: Made, item: Item) -> None:
        self.looked(f"{move.mode} moves")
        for model, legs in move.legs.items():
            self.looked("paths")
            self._length(move, model, legs)
            if not self.book.is_a(model, "FLY") and not self.book.allowed("move_through_models"):
                self._through(move, model, legs)
        self._end(move)

    def _length(self, move: Made, model: int, legs: list[Leg]) -> None:
        asked = next((m["allowance"] / 1024 for m in move.question["modes"] if m["name"] == move.mode), None)
        limit = self.book.allowance(move, model, asked)
        base = legs[0].start.base
        swing = 0.0 if base.kind == "round" else sum(leg.turned for leg in legs) * base.reach
        climbs = 0.0 if self.book.is_a(model, "FLY") else sum(leg.up for leg in legs if leg.do == "climb")
        far = sum(leg.flat for leg in legs) + climbs + swing
        if limit is not None and far > limit + self.book.slack:
            text = f'{self.model(model)} goes {far:.2f}" in a {move.mode} move of at most {limit:.2f}".'
            self.accuse(RULES.get(move.mode, "w40k8.move.distance"), text)
        least = self.book.least(model) if move.mode in (NORMAL, ADVANCE) else 0.0
        start, end = legs[0].start, legs[-1].end
        if (
            least
            and ((start.x - end.x) ** 2 + (start.y - end.y) ** 2) ** 0.5 < least - self.book.slack - 2 * base.reach
        ):
            self.accuse("w40k8.move.minimum", f'{self.model(model)} ends less than {least:.0f}" from where it began.')

    def _through(self, move: Made, model: int, legs: list[Leg]) -> None:
        others = [m for m in self.table.all_models() if self.table.unit_of[m] != move.unit]
        enemies = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        closed = self._closed(move, enemies)
        for leg in legs:
            for m in self.field.models_met(leg, others)[:1]:
                self.accuse("w40k8.move.through_models", f"{self.model(model)} moves through {self.model(m)}.")
            if leg.do != "go" or leg.up > 0.01:
                continue
            level = [m for m in closed if abs(self.table.stand(m).z - leg.start.z) < SAME_LEVEL]
            for m in self.field.models_met(leg, level, self.book.one_inch - self.book.slack)[:1]:
                rule = "w40k8.charge.non_targets" if move.mode == CHARGE else "w40k8.move.one_inch"
                self.accuse(rule, f'{self.model(model)} comes within 1" of {self.model(m)} on its way.')
            if not self.book.allowed("move_through_terrain"):
                for wall in list(self.field.walls_met(leg, 0.0, lambda wall: False))[:1]:
                    feature = self.table.terrain.features[wall.feature].name
                    self.accuse("w40k8.move.terrain", f"{self.model(model)} goes through a wall of {feature}.")

    def _closed(self, move: Made, enemies: list[int]) -> list[int]:
        """The enemies that a move keeps away from all along."""
        if move.mode in (NORMAL, ADVANCE) and move.kind in ("move", "complete_move"):
            return enemies
        if move.mode == CHARGE:
            targets = move.question["about"]["targets"]
            return [m for m in enemies if self.table.unit_of[m] not in targets]
        return []

    # --- The end ------------------------------------------------------------------------------------------------------

    def _end(self, move: Made) -> None:
        book = self.book
        others = [m for m in self.table.all_models() if m not in move.ends]
        enemies = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        far = enemies if move.mode == FALL_BACK else self._closed(move, enemies)
        for model, end in move.ends.items():
            self._stands(model, end, others)
            if far and self.nearest(end, far) <= book.one_inch - book.slack:
                self.accuse(self._near_rule(move), f'{self.model(model)} ends within 1" of an enemy.')
        if not self.reach.unit_coherent(move.unit, book.slack, move.ends):
            self.accuse("w40k8.concept.coherency", f"{self.name(move.unit)} ends its move out of coherency.")
        if move.mode == CHARGE:
            self._first(move)
        if move.mode in STEPS:
            for model, end in move.ends.items():
                self._nearer(move, model, end, enemies)

    def _near_rule(self, move: Made) -> str:
        if move.mode == CHARGE:
            return "w40k8.charge.non_targets"
        return "w40k8.move.fall_back" if move.mode == FALL_BACK else "w40k8.move.one_inch"

    def _stands(self, model: int, end: Stand, others: list[int]) -> None:
        if self.field.off_table(end, self.book.slack):
            self.accuse("w40k8.gap.board_edge", f"{self.model(model)} stands over the edge of the battlefield.")
        on = self.field.overlapped(end, others, self.book.slack)
        if on is not None:
            self.accuse("w40k8.move.through_models", f"{self.model(model)} ends on top of {self.model(on)}.")
        if self.field.in_wall(end) is not None or self.field.in_solid(end) is not None:
            self.accuse("w40k8.move.terrain", f"{self.model(model)} ends inside solid terrain.")
        if end.z > 0.01 and not self.field.stands_on(end):
            self.accuse("w40k8.move.terrain", f'{self.model(model)} ends {end.z:.1f}" up with nothing to stand on.')

    def _first(self, move: Made) -> None:
        """The first model that is moved ends within 1" of a target."""
        first = next(iter(move.ends))
        targets = [m for t in move.question["about"]["targets"] for m in self.table.on_table(t)]
        if self.nearest(move.ends[first], targets) > self.book.one_inch + self.book.slack:
            self.accuse("w40k8.charge.first_model", f'{self.model(first)} moves first and ends more than 1" away.')

    def _nearer(self, move: Made, model: int, end: Stand, enemies: list[int]) -> None:
        """Who moves ends nearer to the enemy model that was nearest to it."""
        start = self.table.stand(model)
        if self.table.place[model] != ON or (start.x, start.y, start.z) == (end.x, end.y, end.z):
            return
        before = self.nearest(start, enemies)
        nearest = [m for m in enemies if distance(start, self.table.stand(m)) <= before + 0.002]
        if nearest and all(distance(end, self.table.stand(m)) > before + self.book.slack for m in nearest):
            self.accuse(RULES[move.mode], f"{self.model(model)} ends further from the enemy that was nearest to it.")
