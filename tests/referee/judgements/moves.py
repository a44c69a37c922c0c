"""Moves: which are open to a unit, how long they are, what they lead through, and where they end."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from referee.field import Leg, legs_of
from referee.geometry import Stand, flat_gap
from referee.judgements.ground import Ground
from referee.watch import ON, Item, Wall

NORMAL, ADVANCE, FALL_BACK, STATIONARY = "normal", "advance", "fall_back", "stationary"
CHARGE, PILE_IN, CONSOLIDATE, OBJECTIVE = "charge", "pile_in", "consolidate", "objective"
ORDINARY = (NORMAL, ADVANCE, FALL_BACK)

KINDS = ("move", "complete_move", "charge_move", "pile_in", "consolidate", "scout_move", "extra_move")
"""The questions whose answers are moves."""


class Made(NamedTuple):
    """A move that is about to be carried out."""

    unit: int
    kind: str
    """The question that it answers."""
    mode: str
    legs: dict[int, list[Leg]]
    ends: dict[int, Stand]
    question: Item


class MoveWatch(Ground):
    """Tells the moves apart: `made` is called for each, while the models still stand where they stood."""

    def begin(self) -> None:
        super().begin()
        self.pending: tuple[Item, dict[str, Any]] | None = None

    def before(self, item: Item) -> None:
        if item["event"] == "answered":
            asked = self.court.asked(item)
            if asked["shape"] == "move":
                self.pending = (asked, item["answer"])
                self.answered(asked, item["answer"])
        elif item["event"] == "moved":
            self.field = self.field.fresh()
            self._moved(item)

    def _moved(self, item: Item) -> None:
        walking = [m for m in item["models"] if self.table.place[m] == ON]
        if not walking:
            return
        if self.pending is None:
            self.unasked(item)
            return
        asked, answer = self.pending
        paths = {p["model"]: p["legs"] for p in answer["paths"]}
        if any(m not in paths for m in walking):
            self.unasked(item)
            return
        legs = {m: legs_of(self.table.stand(m), paths[m]) for m in item["models"]}
        ends = {m: made[-1].end for m, made in legs.items()}
        self.pending = None
        self.made(Made(asked["unit"], asked["kind"], answer["mode"], legs, ends, asked), item)

    def answered(self, asked: Item, answer: dict[str, Any]) -> None:
        """A question for a move has its answer."""

    def made(self, move: Made, item: Item) -> None:
        """A move is about to be carried out."""

    def unasked(self, item: Item) -> None:
        """Models on the table are about to be moved, and nobody was asked how."""


class Moves(MoveWatch):
    """Every kind of move: its length, its way, its end."""

    def unasked(self, item: Item) -> None:
        if self.book.bare:
            self.accuse("w40k10.move.select_units", f"Models {item['models']} were moved, and nobody had said how.")

    # --- Which moves are open -----------------------------------------------------------------------------------------

    def answered(self, asked: Item, answer: dict[str, Any]) -> None:
        if asked["kind"] != "move":
            return
        unit, mode = asked["unit"], answer["mode"]
        self.looked("options of a move")
        if self.book.aircraft(unit):
            if mode != NORMAL:
                self.accuse("w40k10.aircraft.move_options", f"{self.name(unit)} is an AIRCRAFT and chose {mode}.")
            return
        held = [e for e in self.reach.engaged_with(unit, -self.book.slack) if not self.book.aircraft(e)]
        if mode in (NORMAL, ADVANCE) and held:
            self.accuse(
                "w40k10.move.options_engaged",
                f"{self.name(unit)} is engaged with {self.name(held[0])} and makes a {mode} move.",
            )
        if mode == FALL_BACK and not self.reach.engaged_with(unit, self.book.slack):
            self.accuse("w40k10.move.options_free", f"{self.name(unit)} is engaged with nobody and Falls Back.")
        if mode == STATIONARY and self.table.units[unit]["disembarked"]:
            self.accuse(
                "w40k10.transport.disembark_before_move", f"{self.name(unit)} disembarked and Remains Stationary."
            )
        if self.table.units[unit]["moved"]:
            self.accuse("w40k10.move.select_units", f"{self.name(unit)} is selected to move a second time.")
        if self.table.units[unit]["player"] != self.table.clock["active"]:
            self.accuse("w40k10.move.select_units", f"{self.name(unit)} moves in the other player's turn.")

    # --- A move -------------------------------------------------------------------------------------------------------

    def made(self, move: Made, item: Item) -> None:
        self.looked(f"{move.mode} moves")
        self.blamed = False
        """A wall is named once for a unit that went through it."""
        self._as_answered(move, item)
        for model, legs in move.legs.items():
            self.looked("paths")
            self._legs(move, model, legs)
            if self.book.aircraft(move.unit) and move.mode == NORMAL:
                self._flight(model, legs)
                continue
            self._length(move, model, legs)
            self._way(move, model, legs)
        self._end(move)

    def _flight(self, model: int, legs: list[Leg]) -> None:
        """An AIRCRAFT goes straight ahead, far enough, and then pivots a quarter turn at the most."""
        start, turn = legs[0].start, 0.0
        for i, leg in enumerate(legs):
            if leg.do == "turn":
                turn += leg.turned
                if i + 1 < len(legs):
                    self.accuse("w40k10.aircraft.pivot", f"{self.model(model)} turns before its move is over.")
        end = legs[-1].end
        far = math.hypot(end.x - start.x, end.y - start.y)
        ahead = math.cos(start.turn) * (end.x - start.x) + math.sin(start.turn) * (end.y - start.y)
        if far < self.book.hover_move - self.book.slack:
            self.accuse("w40k10.aircraft.minimum_move", f'{self.model(model)} flies {far:.2f}".')
        if ahead < far - 0.05:
            self.accuse("w40k10.aircraft.minimum_move", f"{self.model(model)} does not fly straight ahead.")
        if turn > math.pi / 2 + 0.002:
            self.accuse("w40k10.aircraft.pivot", f"{self.model(model)} turns {math.degrees(turn):.0f} degrees.")

    def _as_answered(self, move: Made, item: Item) -> None:
        for m, pos, facing in zip(item["models"], item["pos"], item["facing"], strict=True):
            end = move.question, move.ends[m]
            told = Stand(end[1].base, pos[0] / 1024, pos[1] / 1024, pos[2] / 1024)
            if (told.x, told.y, told.z) != (end[1].x, end[1].y, end[1].z) or facing != self._last_facing(move, m):
                self.accuse("w40k10.move.which_models", f"{self.model(m)} stands elsewhere than its path ends.")

    def _last_facing(self, move: Made, model: int) -> int:
        return round(move.ends[model].turn * 4096 / (2 * 3.141592653589793)) % 4096

    def _legs(self, move: Made, model: int, legs: list[Leg]) -> None:
        for leg in legs:
            wrong = (
                (leg.do == "go" and leg.turned > 1e-6)
                or (leg.do == "turn" and (leg.flat > 0 or leg.up > 0))
                or (leg.do == "climb" and (leg.flat > 0 or leg.turned > 1e-6))
            )
            if wrong:
                self.accuse("w40k10.move.distance", f"{self.model(model)}: a leg does more than {leg.do}.")

    # --- How far ------------------------------------------------------------------------------------------------------

    def _length(self, move: Made, model: int, legs: list[Leg]) -> None:
        limit = self.limit(move, model)
        far = self.length(move, model, legs)
        if limit is not None and far > limit + self.book.slack:
            self.accuse(
                self.book.length_rule(move.mode),
                f'{self.model(model)} goes {far:.2f}" in a {move.mode} move of at most {limit:.2f}".',
            )

    def length(self, move: Made, model: int, legs: list[Leg]) -> float:
        """How far a model goes at the least, as the rules measure it."""
        if self.flies(move, model) and (
            self.field.touches_feature(legs[0].start) or self.field.touches_feature(legs[-1].end)
        ):
            return sum((leg.flat**2 + leg.up**2) ** 0.5 for leg in legs)
        base = legs[0].start.base
        swing = 0.0 if base.kind == "round" else sum(leg.turned for leg in legs) * base.reach
        climbs = sum(leg.up for leg in legs if leg.up > 0 and not self.field.low_climb(leg, self.book.free_height))
        return sum(leg.flat for leg in legs) + climbs + swing

    def limit(self, move: Made, model: int) -> float | None:
        """How far a model may go in inches; None where the core book alone does not say."""
        asked = next((m["allowance"] / 1024 for m in move.question["modes"] if m["name"] == move.mode), None)
        return self.book.allowance(move, model, asked)

    def flies(self, move: Made, model: int) -> bool:
        return move.mode in (*ORDINARY, CHARGE) and self.book.is_a(model, "FLY")

    # --- Through what -------------------------------------------------------------------------------------------------

    def _way(self, move: Made, model: int, legs: list[Leg]) -> None:
        player = self.table.owner(model)
        through = self.book.allowed("move_through_terrain", player)
        over = self.book.allowed("move_through_models", player)
        flies = self.flies(move, model)
        enemies = [
            m for e in self.table.enemies(move.unit) if not self.book.aircraft(e) for m in self.table.on_table(e)
        ]
        for leg in legs:
            if not through and not self.blamed:
                self._terrain(move, model, leg)
            if self.field.off_table(leg.end, self.book.slack):
                self.accuse("w40k10.move.board_edge", f"{self.model(model)} goes over the edge of the battlefield.")
            if flies or over:
                continue
            if not (move.mode == FALL_BACK and (self._may_cross(move, model))):
                for m in self.field.models_met(leg, enemies)[:1]:
                    self.accuse("w40k10.move.through_enemies", f"{self.model(model)} moves across {self.model(m)}.")
            self._closed(move, model, leg, enemies)
            self._big(move, model, leg)

    def _may_cross(self, move: Made, model: int) -> bool:
        """Whether a test was taken for a model that Falls Back; the tests are counted elsewhere."""
        crossing = move.question["about"].get("crossing")
        return crossing is None or model in crossing or self.table.units[move.unit]["battle_shocked"]

    def _terrain(self, move: Made, model: int, leg: Leg) -> None:
        walks = self.book.is_a(model, "INFANTRY", "BEAST")
        features = self.table.terrain.features

        def passes(wall: Wall) -> bool:
            return walks and features[wall.feature].kind == "ruins"

        for wall in self.field.walls_met(leg, self.book.free_height, passes):
            rule = "w40k10.move.fly_air" if self.book.is_a(model, "FLY") else "w40k10.move.over_terrain"
            self.accuse(
                rule, f'{self.model(model)} goes through a {wall.top:.1f}" wall of {features[wall.feature].name}.'
            )
            self.blamed = True
            break
        for feature in self.field.solids_met(leg, self.book.free_height):
            self.accuse("w40k10.move.over_terrain", f"{self.model(model)} goes through {feature.name}.")
            break

    def _closed(self, move: Made, model: int, leg: Leg, enemies: list[int]) -> None:
        """The Engagement Range of some enemies is closed on the way."""
        near = self.book.engage_flat - self.book.slack
        if move.mode in (NORMAL, ADVANCE) and move.kind != "extra_move":
            closed, rule = enemies, self.book.length_rule(move.mode)
        elif move.mode == CHARGE:
            targets = move.question["about"]["targets"]
            closed = [m for m in enemies if self.table.unit_of[m] not in targets]
            rule = "w40k10.charge.conditions"
        else:
            return
        closed = [m for m in closed if not self.reach.engaging(self.table.stand(model), [m], self.book.slack)]
        for m in self.field.models_met(leg, closed, near, self.book.engage_up)[:1]:
            self.accuse(rule, f"{self.model(model)} passes within Engagement Range of {self.model(m)} on its way.")

    def _big(self, move: Made, model: int, leg: Leg) -> None:
        if not self.book.is_a(model, "MONSTER", "VEHICLE"):
            return
        side = self.table.side(move.unit)
        friends = [
            m
            for m in self.table.all_models()
            if self.table.unit_of[m] != move.unit
            and self.table.side(self.table.unit_of[m]) == side
            and self.book.is_a(m, "MONSTER", "VEHICLE")
        ]
        for m in self.field.models_met(leg, friends)[:1]:
            self.accuse("w40k10.move.monster_vehicle_block", f"{self.model(model)} moves across {self.model(m)}.")

    # --- Where it ends ------------------------------------------------------------------------------------------------

    def _end(self, move: Made) -> None:
        everybody = self.table.all_models()
        for model, end in move.ends.items():
            self._stack(move, model, end, everybody)
            self.standing(model, end)
        self._engagement(move)
        if move.kind == "scout_move":
            self._scouts(move)
        here = self.table.on_table(move.unit)
        if not self.reach.coherent(self.reach.stands(here, move.ends), self.book.slack):
            self.accuse("w40k10.concept.coherency_move", f"{self.name(move.unit)} ends its move out of coherency.")
        self.looked("coherency after moves")

    def _scouts(self, move: Made) -> None:
        """A Scouts move ends more than 9" from every enemy model, on the flat."""
        enemies = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        for m, end in move.ends.items():
            if self.reach.flat_between(end, enemies) <= self.book.scouts_gap - self.book.slack:
                self.accuse("w40k10.ability.scouts", f'{self.model(m)} ends its Scouts move within 9" of an enemy.')
                return

    def _stack(self, move: Made, model: int, end: Stand, everybody: list[int]) -> None:
        if self.field.overlapped(end, (m for m in everybody if m not in move.ends), self.book.slack) is not None:
            on = self.field.overlapped(end, (m for m in everybody if m not in move.ends), self.book.slack)
            self.accuse("w40k10.move.no_stacking", f"{self.model(model)} ends on top of {self.model(on)}.")
        for m, other in move.ends.items():
            if m < model and flat_gap(end, other) < -self.book.slack and abs(end.z - other.z) < 0.5:
                self.accuse("w40k10.move.no_stacking", f"{self.model(model)} ends on top of {self.model(m)}.")

    def _engagement(self, move: Made) -> None:
        """Ordinary moves end outside Engagement Range; so does every move, of aircraft that are no target."""
        table, slack = self.table, self.book.slack
        enemies = self.table.enemies(move.unit)
        surge = move.kind == "extra_move" and move.mode not in ORDINARY
        if move.mode in ORDINARY and not surge:
            models = table.on_table(move.unit) if move.mode == FALL_BACK else list(move.ends)
            closed, rule = enemies, "w40k10.concept.engagement_limit"
        elif move.mode == CHARGE:
            models = list(move.ends)
            closed = [e for e in enemies if e not in move.question["about"]["targets"]]
            rule = "w40k10.charge.conditions"
        else:
            models = [m for m in move.ends if not self.book.is_a(m, "FLY")]
            closed, rule = [e for e in enemies if self.book.aircraft(e)], "w40k10.aircraft.others_pass"
        for m, stand in zip(models, self.reach.stands(models, move.ends), strict=True):
            for e in closed:
                if self.reach.engaging(stand, table.on_table(e), -slack):
                    self.accuse(
                        rule, f"{self.model(m)} ends a {move.mode} move within Engagement Range of {self.name(e)}."
                    )
                    return
