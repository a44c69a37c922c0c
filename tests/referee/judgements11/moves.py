"""Moves of 11th edition: how long, through whom and what, and where they end."""

from __future__ import annotations

from typing import Any

from referee.field import Leg
from referee.geometry import Stand, flat_gap
from referee.judgements.moves import Made, MoveWatch
from referee.judgements11.common import Judgement11
from referee.watch import Item, Wall

NORMAL, ADVANCE, FALL_BACK, DESPERATE = "normal", "advance", "fall_back", "desperate"
CHARGE, PILE_IN, CONSOLIDATE, SCOUT = "charge", "pile_in", "consolidate", "scout"
ENDS_FREE = (NORMAL, ADVANCE, FALL_BACK, DESPERATE)
RULES = {
    NORMAL: "w40k11.movephase.normal",
    ADVANCE: "w40k11.movephase.advance",
    FALL_BACK: "w40k11.movephase.fall_back",
    DESPERATE: "w40k11.movephase.desperate_escape",
    CHARGE: "w40k11.charge.sequence",
    PILE_IN: "w40k11.fight.pile_in_move",
    CONSOLIDATE: "w40k11.fight.consolidate_move",
    SCOUT: "w40k11.unit.scout_move",
}
FOOT = ("INFANTRY", "BEAST", "SWARM")
BIG = ("MONSTER", "VEHICLE")


class Moves11(Judgement11, MoveWatch):
    """Every kind of move."""

    def begin(self) -> None:
        MoveWatch.begin(self)

    def unasked(self, item: Item) -> None:
        if self.book.bare:
            self.accuse("w40k11.move.models", f"Models {item['models']} were moved, and nobody had said how.")

    # --- Which moves are open -----------------------------------------------------------------------------------------

    def answered(self, asked: Item, answer: dict[str, Any]) -> None:
        if asked["kind"] != "move":
            return
        unit, mode = asked["unit"], answer["mode"]
        self.looked("options of a move")
        held = self.engaged(unit, -self.book.slack)
        if mode in (NORMAL, ADVANCE) and held:
            self.accuse(RULES[mode], f"{self.name(unit)} is engaged with {self.name(held[0])} and chose {mode}.")
        if mode in (FALL_BACK, DESPERATE) and not self.reach.engaged_with(unit, self.book.slack):
            self.accuse(RULES[FALL_BACK], f"{self.name(unit)} is engaged with nobody and falls back.")
        if mode == FALL_BACK and self.table.units[unit]["battle_shocked"]:
            self.accuse("w40k11.movephase.ordered_retreat", f"{self.name(unit)} is battle-shocked and retreats.")
        if self.table.units[unit]["player"] != self.table.clock["active"]:
            self.accuse("w40k11.movephase.structure", f"{self.name(unit)} moves in the other player's turn.")
        # Who disembarked tactically moves then, without being selected once more.
        if self.table.units[unit]["moved"] and self.table.units[unit].get("disembarked") != "tactical":
            self.accuse("w40k11.movephase.structure", f"{self.name(unit)} is selected to move a second time.")

    # --- A move -------------------------------------------------------------------------------------------------------

    def made(self, move: Made, item: Item) -> None:
        self.looked(f"{move.mode} moves")
        skies = bool(self.table.units[move.unit]["skies"])
        free = skies or self.book.allowed("move_through_models") or self.book.allowed("move_through_terrain")
        for model, legs in move.legs.items():
            self.looked("paths")
            self._length(move, model, legs, skies)
            if not free:
                self._through(move, model, legs)
                self._walls(move, model, legs)
        self._end(move)

    def _length(self, move: Made, model: int, legs: list[Leg], skies: bool) -> None:
        asked = next((m["allowance"] / 1024 for m in move.question["modes"] if m["name"] == move.mode), None)
        limit = self.book.allowance(move, model, asked)
        climbs = 0.0 if skies else sum(leg.up for leg in legs if leg.do == "climb")
        far = sum(leg.flat for leg in legs) + climbs
        if limit is not None and far > limit + self.book.slack:
            text = f'{self.model(model)} goes {far:.2f}" in a {move.mode} move of at most {limit:.2f}".'
            self.accuse(RULES.get(move.mode, "w40k11.move.straight_line"), text)

    def _through(self, move: Made, model: int, legs: list[Leg]) -> None:
        """Not through enemies; MONSTERS and VEHICLES only through each other not, in normal and advance moves."""
        book, big, player = self.book, self.book.is_a(model, *BIG), self.table.owner(model)
        enemies = [
            m for e in self.table.enemies(move.unit) if not book.unit_is(e, "AIRCRAFT") for m in self.table.on_table(e)
        ]
        if move.mode == DESPERATE:
            enemies = []
        if (big and move.mode in (NORMAL, ADVANCE)) or book.allowed("move_through_smaller", player):
            enemies = [m for m in enemies if book.is_a(m, *BIG)]
        if book.allowed("move_through_all_but_titanic", player):
            enemies = [m for m in enemies if book.is_a(m, "TITANIC")]
        for leg in legs:
            for m in self.field.models_met(leg, enemies)[:1]:
                self.accuse("w40k11.move.models", f"{self.model(model)} moves through {self.model(m)}.")
            if self.field.off_table(leg.end, book.slack):
                self.accuse("w40k11.move.models", f"{self.model(model)} goes over the edge of the battlefield.")

    def _walls(self, move: Made, model: int, legs: list[Leg]) -> None:
        """Whoever is not on foot goes through no dense part that is higher than 2"."""
        if self.book.is_a(model, *FOOT, "MOBILE") or self.table.units[move.unit]["mobile"]:
            return
        features = self.table.terrain.features
        free = 4.0 if self.book.allowed("move_over_4", self.table.owner(model)) else self.book.free_height

        def passes(wall: Wall) -> bool:
            return features[wall.feature].kind not in self.book.dense

        for leg in legs:
            for wall in list(self.field.walls_met(leg, free, passes))[:1]:
                name = features[wall.feature].name
                self.accuse("w40k11.terrain.move_dense_other", f"{self.model(model)} goes through a wall of {name}.")
                return

    # --- The end ------------------------------------------------------------------------------------------------------

    def _end(self, move: Made) -> None:
        others = [m for m in self.table.all_models() if m not in move.ends]
        for model, end in move.ends.items():
            self._stands(move, model, end, others)
        if not self.reach.unit_coherent(move.unit, self.book.slack, move.ends):
            self.accuse("w40k11.coherency.definition", f"{self.name(move.unit)} ends its move out of coherency.")
        self.looked("coherency after moves")
        now = self.reach.engaged_with(move.unit, -self.book.slack, move.ends)
        if move.mode in ENDS_FREE and now:
            self.accuse(RULES[move.mode], f"{self.name(move.unit)} ends engaged with {self.name(now[0])}.")
        if move.mode == SCOUT:
            self._scouts(move)
        elif move.mode == CHARGE:
            self._charge(move, now)
        elif move.mode in (PILE_IN, CONSOLIDATE):
            self._closer(move)

    def _stands(self, move: Made, model: int, end: Stand, others: list[int]) -> None:
        if self.field.off_table(end, self.book.slack):
            self.accuse("w40k11.move.models", f"{self.model(model)} stands over the edge of the battlefield.")
        on = self.field.overlapped(end, others, self.book.slack)
        if on is not None:
            self.accuse("w40k11.move.ending", f"{self.model(model)} ends on top of {self.model(on)}.")
        for m, other in move.ends.items():
            if m < model and flat_gap(end, other) < -self.book.slack and abs(end.z - other.z) < 0.5:
                self.accuse("w40k11.move.ending", f"{self.model(model)} ends on top of {self.model(m)}.")
        wall = self.field.in_wall(end)
        if wall is not None:
            name = self.table.terrain.features[wall.feature].name
            self.accuse("w40k11.move.ending", f"{self.model(model)} ends inside a wall of {name}.")
        if end.z > 0.01:
            self._upstairs(model, end)

    def _upstairs(self, model: int, end: Stand) -> None:
        self.looked("ends above the ground")
        if not self.field.stands_on(end):
            self.accuse("w40k11.terrain.elevated", f'{self.model(model)} ends {end.z:.1f}" up on nothing.')
        elif not self.book.is_a(model, *FOOT, "FLY", "MONSTER"):
            self.accuse("w40k11.terrain.elevated", f'{self.model(model)} ends {end.z:.1f}" up.')
        elif self.field.overhangs(end):
            self.accuse("w40k11.terrain.elevated", f"The base of {self.model(model)} overhangs what it stands on.")

    def _scouts(self, move: Made) -> None:
        enemies = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        for stand in self.reach.stands(self.table.on_table(move.unit), move.ends):
            if self.reach.flat_between(stand, enemies) <= self.book.arrive_gap - self.book.slack:
                self.accuse("w40k11.unit.scout_move", f'{self.name(move.unit)} scouts to within 8" of an enemy.')
                return

    def _charge(self, move: Made, now: list[int]) -> None:
        targets = [int(t) for t in move.question["about"]["targets"]]
        for e in now:
            if e not in targets:
                self.accuse("w40k11.charge.after", f"{self.name(move.unit)} ends engaged with {self.name(e)}.")
        sure = self.reach.engaged_with(move.unit, self.book.slack, move.ends)
        for t in targets:
            if t not in sure:
                self.accuse("w40k11.charge.after", f"{self.name(move.unit)} does not reach {self.name(t)}.")
        prey = [m for t in targets for m in self.table.on_table(t)]
        for model, end in move.ends.items():
            start = self.table.stand(model)
            if (start.x, start.y, start.z) == (end.x, end.y, end.z):
                continue
            if not any(self.nearest(end, [m]) < self.nearest(start, [m]) + self.book.slack for m in prey):
                self.accuse("w40k11.charge.move", f"{self.model(model)} ends closer to none of the targets.")

    def _closer(self, move: Made) -> None:
        """Who moves ends closer to the closest target; who touched an enemy stays; nobody loses an engagement."""
        targets = [int(t) for t in move.question["about"].get("targets", ())]
        rule, slack = RULES[move.mode], self.book.slack
        foes = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        for model, end in move.ends.items():
            start = self.table.stand(model)
            if (start.x, start.y, start.z) == (end.x, end.y, end.z):
                continue
            if self.reach.touching(start, foes, -0.008):
                self.accuse(rule, f"{self.model(model)} touches an enemy and moves.")
            for e in sorted({self.table.unit_of[m] for m in self.reach.engaging(start, foes, -slack)}):
                if not self.reach.engaging(end, self.table.on_table(e), slack):
                    self.accuse(rule, f"{self.model(model)} leaves {self.name(e)}.")
            if not targets:
                continue
            gaps = {t: self.nearest(start, self.table.on_table(t)) for t in targets}
            closest = [t for t in targets if gaps[t] <= min(gaps.values()) + slack]
            if all(self.nearest(end, self.table.on_table(t)) > gaps[t] + slack for t in closest):
                self.accuse(rule, f"{self.model(model)} ends further from the closest target.")
        if targets and move.mode == PILE_IN and not self.reach.engaged_with(move.unit, slack, move.ends):
            self.accuse(rule, f"{self.name(move.unit)} piles in and is engaged with nobody.")
