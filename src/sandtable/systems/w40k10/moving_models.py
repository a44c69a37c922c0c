"""Moving the models of a unit: which ways are open, how far they go, and where they may end.

Every kind of move (Normal, Advance, Fall Back, Charge, Pile-in, Consolidation) is judged here by the same steps; what
differs between them stands in a `Passage`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from sandtable.battle import ALLOWED, Moves, Path, Verdict
from sandtable.battle.kept import EVERYTHING, PLACES, SETUP, kept
from sandtable.forty.effects.permissions import allows_model
from sandtable.forty.markers import with_markers
from sandtable.forty.offences import check_able, usual_offences
from sandtable.forty.state import called_all
from sandtable.kit.cites import FRIEND, Cites, cite
from sandtable.kit.flags import belonging_to, clear_among, ends_among, enemy_units, hostile, on_the_table
from sandtable.kit.ground import along_surface, arc, parts_of
from sandtable.kit.moving import carry_out, ends_of
from sandtable.kit.sweeps import STOPPED, check_lengths, check_ways
from sandtable.kit.walking import OnFoot, fly_to, through_air, walk
from sandtable.kit.way import Way
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import fly
from sandtable.systems.w40k10.aircraft import FLIGHT, air_models, closed_by_aircraft, is_aircraft
from sandtable.systems.w40k10.coherency import check_coherency, coherency_of
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import can_ever_move
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.fly import flies, measures_through_air
from sandtable.systems.w40k10.objectives import check_off_markers
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.terrain import ruins
from sandtable.systems.w40k10.terrain.barricades import BARRICADE
from sandtable.systems.w40k10.terrain.debris import DEBRIS
from sandtable.systems.w40k10.terrain.moving_over_terrain import CLIMBING, climbed
from sandtable.systems.w40k10.terrain.ruins import RUINS, walks_through_ruins
from sandtable.systems.w40k10.terrain.terrain_features import check_ground
from sandtable.table.arrange import Clear
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.moves import MIDDLE, Code, Obstacles, obstacles
from sandtable.table.zones import NO_ZONE

CHARGE: Final = "charge"
PILE_IN: Final = "pile_in"
CONSOLIDATE: Final = "consolidate"
ORDINARY: Final = (NORMAL, ADVANCE, FALL_BACK)
AIRCRAFT: Final = "AIRCRAFT"
RULES: Final = {
    NORMAL: "w40k10.move.normal",
    ADVANCE: "w40k10.move.advance",
    FALL_BACK: "w40k10.move.fall_back",
    CHARGE: "w40k10.charge.roll",
    PILE_IN: "w40k10.fight.pile_in",
    CONSOLIDATE: "w40k10.fight.consolidate",
}
"""The rules that say how far each kind of move goes."""
PIVOT: Final = steps(1)
BIG_PIVOT: Final = steps(2)
"""What turning a base that is not round costs, where that has a fixed price."""


class MOVING(Facts):
    friends_block = fact(False, "w40k10.move.through_friends", neutral=True)
    """Friendly models are no obstacle."""
    edge_holds = fact(True, "w40k10.move.board_edge", neutral=False)
    """No part of a base crosses the edge of the battlefield."""
    models_are_in_the_way = fact(True, "w40k10.move.no_stacking", neutral=False)
    """No move ends on top of another model."""


def can_move(w: World10, model: int) -> bool:
    """Whether a model ever moves."""
    return can_ever_move(sheet_of(w, model))


@rule("w40k10.move.distance", neutral=0.0)
def swing(w: World10, model: int, turned: int) -> float:
    """How far the end of a base that is not round travels while it turns, by so many steps of 1/4096 turn."""
    shape = int(w.ground.shape[model])
    if w.shapes.corners[shape] == 1 or not turned:
        return 0.0
    if w.option("pivot") == "flat":
        return float(BIG_PIVOT if any(model_has_keyword(w, model, k) for k in ("MONSTER", "VEHICLE")) else PIVOT)
    return arc(w, model, turned)


class _Passage(NamedTuple):
    unit: int
    move: str
    avoid: tuple[int, ...] = ()
    """Enemy units whose Engagement Range is closed."""
    crossing: tuple[int, ...] | None = ()
    """Models that may be moved across enemy models; None for all."""


class Passage(_Passage, OnFoot):
    """How the models of one unit get about in one kind of move: the edition's `kit.way.Way`."""

    __slots__ = ()

    things = staticmethod(with_markers)
    swing = staticmethod(swing)
    stopped_by = staticmethod(fly.stopped_by)
    indoors = staticmethod(ruins.walks_through_ruins)
    able = staticmethod(can_move)

    @property
    def concerns_all(self) -> bool:
        """Whether models that stay are judged by where they stand: nobody who Falls Back may be left behind."""
        return self.move == FALL_BACK

    def manner(self, w: World10, model: int, path: Path | None) -> Manner:
        """How a model gets about."""
        plain = _plain_manner(w, model, self.move)
        wings = plain.flies and path is not None and flies(w, model, self.move)
        soars = path is not None and wings and not plain.air and measures_through_air(w, path)
        crosses = self.crossing is None or model in self.crossing
        return plain._replace(soars=soars, crosses=crosses) if soars or crosses else plain

    def past(self, w: World10, manner: Manner) -> Obstacles:
        """What stands in the way of who gets about in a manner."""
        return in_the_way(w, self, manner)

    def ends(self, w: World10, model: int) -> Obstacles:
        """The same for a search among `things`."""
        game = w.state.game
        return _ends(w, self, self.manner(w, model, None), game.markers, game.removed)

    def room(self, w: World10) -> Clear:
        """Where models may end, for services that arrange a unit among `things`."""
        return _room(w, self, w.state.game.markers, w.state.game.removed)

    def length(self, w: World10, path: Path) -> float:
        """How far a path takes its model, as the rules measure it."""
        if flies(w, path.model, self.move) and measures_through_air(w, path):
            return through_air(w, path)
        return along_surface(w, path, climbed, swing)

    def straight(self, w: World10, model: int, end: Sequence[int] | Ints) -> Path | None:
        """The plain way to a place, through the air where that counts; None where the model stands there already."""
        path = walk(w, model, end)
        if path is None or not flies(w, model, self.move) or not measures_through_air(w, path):
            return path
        return fly_to(w, model, (int(end[0]), int(end[1]), int(end[2])), fly.stopped_by)

    def flies(self, w: World10, model: int) -> bool:
        """Whether a model passes over others."""
        return flies(w, model, self.move)

    def together(self, w: World10, count: int) -> Coherency:
        """How so many models have to stand together."""
        return coherency_of(count)


def passage(w: World10, unit: Unit, move: str, crossing: tuple[int, ...] | None = ()) -> Passage:
    """How a unit gets about that keeps away from all enemies."""
    return Passage(unit.id, move, enemy_units(w, unit.player), crossing)


class Manner(NamedTuple):
    """How a model gets about; models of one manner are swept together."""

    flies: bool
    air: bool
    """Past all terrain, by an ability"""
    ruins: bool
    """Through walls and floors of ruins"""
    big: bool
    """A MONSTER or VEHICLE"""
    crosses: bool
    """Across enemy models"""
    winged: bool = False
    """Can FLY, whether it does so in this kind of move or not"""
    soars: bool = False
    """Through the air, over walls and not through them"""

    @property
    def in_turn(self) -> bool:
        """MONSTERS and VEHICLES of one unit are in each other's way."""
        return self.big


# --- What stands in the way -------------------------------------------------------------------------------------------


@rule("w40k10.move.through_enemies", neutral=False)
def enemies_block(manner: Manner) -> bool:
    """Nobody moves across enemy models, unless they fly or make a desperate escape."""
    return not manner.flies and not manner.crosses


@rule("w40k10.move.monster_vehicle_block", neutral=False)
def big_friends_block(manner: Manner) -> bool:
    """MONSTERS and VEHICLES go around other MONSTERS and VEHICLES."""
    return manner.big and not manner.flies


@rule("w40k10.move.normal", "w40k10.move.advance", neutral=False)
def closed_on_the_way(move: str) -> bool:
    """Whether a model may not come within Engagement Range at any point of a move."""
    return not pushes_through(move)


@rule("w40k10.move.fall_back", neutral=False)
def pushes_through(move: str) -> bool:
    """Who Falls Back may pass through Engagement Range."""
    return move == FALL_BACK


@kept(SETUP)
def is_big(w: World10, model: int) -> bool:
    """Whether a model is a MONSTER or a VEHICLE."""
    return model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE")


def passes(w: World10, model: int, what: Literal["move_through_models", "move_through_terrain"]) -> bool:
    """Whether an ability lets a model move through other models, or through terrain."""
    return allows_model(w, w.unit(int(w.state.models.unit[model])), model, what)


@kept(EVERYTHING)
def _plain_manner(w: World10, model: int, move: str) -> Manner:
    own = _own_manner(w, model, move)
    if move not in ORDINARY:
        return own
    over, through = passes(w, model, "move_through_models"), passes(w, model, "move_through_terrain")
    return own._replace(flies=own.flies or over, air=through) if over or through else own


@kept(SETUP)
def _own_manner(w: World10, model: int, move: str) -> Manner:
    """How a model gets about without what abilities let it move through."""
    winged = model_has_keyword(w, model, "FLY")
    return Manner(flies(w, model, move), False, walks_through_ruins(w, model), is_big(w, model), False, winged)


@kept(PLACES)
def in_the_way(w: World10, way: Passage, manner: Manner) -> Obstacles:
    """The obstacles of a manner of moving."""
    player = w.unit(way.unit).player
    here, enemy, avoided = on_the_table(w), hostile(w, player), belonging_to(w, way.avoid)
    friend = here & ~enemy
    passing = (enemy & enemies_block(manner)) | (friend & MOVING.friends_block)
    if big_friends_block(manner):
        passing |= friend & big_models(w)
    aircraft = air_models(w, player)
    closing = avoided | (aircraft & closed_by_aircraft(manner.winged))
    if FLIGHT.aircraft_are_passed:
        passing, avoided = passing & ~aircraft, avoided & ~aircraft
    on_the_way = ENGAGEMENT.range if not manner.flies and closed_on_the_way(way.move) else NO_ZONE
    at_the_end = NO_ZONE if ENGAGEMENT.may_end_engaged and way.move in ORDINARY else ENGAGEMENT.range
    walls, floors = parts_of(w, RUINS)
    open_walls = walls if manner.ruins else np.zeros_like(walls)
    open_floors = floors if manner.ruins else np.zeros_like(floors)
    return obstacles(
        len(here),
        w.terrain,
        pass_block=passing,
        end_block=here & MOVING.models_are_in_the_way,
        zone=on_the_way,
        zoned=avoided,
        end_zone=at_the_end,
        end_zoned=closing,
        wall_blocks=1 - open_walls,
        floor_blocks=1 - open_floors,
        free_height=CLIMBING.low,
        edge=MOVING.edge_holds,
        fly=manner.air or manner.soars,
        overhang=MIDDLE,
    )


@kept(SETUP)
def big_models(w: World10) -> Bools:
    """Which models are MONSTERS or VEHICLES."""
    return np.array([is_big(w, m) for m in range(len(w.setup.data.kits))], dtype=np.bool_)


@kept(PLACES)
def _ends(w: World10, way: Passage, manner: Manner, markers: tuple[Any, ...], removed: tuple[int, ...]) -> Obstacles:
    return ends_among(in_the_way(w, way, manner), way.things(w, w.bodies))


@kept(PLACES)
def _room(w: World10, way: Passage, markers: tuple[Any, ...], removed: tuple[int, ...]) -> Clear:
    unit = w.unit(way.unit)
    winged = all(model_has_keyword(w, int(m), "FLY") for m in w.on_table(unit))
    avoided = belonging_to(w, way.avoid) | (air_models(w, unit.player) & closed_by_aircraft(winged))
    return clear_among(w, way.things(w, w.bodies), ENGAGEMENT.range, avoided)


# --- Judging a move ---------------------------------------------------------------------------------------------------


def judge_paths(w: World10, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether models may go where they are sent, stand there, and stay together.

    `limit` says for each model how many grid steps it may go.
    """
    bodies, moved = ends_of(w, moves)
    return (
        check_able(w, moves, can_move, "w40k10.datasheet.move_dash")
        and check_distance(w, moves, way, limit)
        and check_ways(w, way, moves, bodies, OFFENCES)
        and check_ground(w, bodies, moved)
        and check_off_markers(w, bodies, moved)
        and check_coherency(w, w.unit(way.unit), bodies)
    )


@rule("w40k10.move.distance", neutral=ALLOWED)
def check_distance(w: World10, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether no model goes further than it may, along its whole path."""
    return check_lengths(w, way, moves, limit, OFFENCES)


# --- What a player is told --------------------------------------------------------------------------------------------


def cases(w: World10, unit: int) -> tuple[str, ...]:
    """What else is said where a unit is in the way."""
    return (AIRCRAFT,) if is_aircraft(w, w.unit(unit)) else ()


_NEAR = "{who} would end {gap} from {other}, within Engagement Range ({zone})"

OFFENCES: Final = Cites(
    {
        **usual_offences(
            distance="w40k10.move.distance",
            moves=RULES,
            edge="w40k10.move.board_edge",
            stacking="w40k10.move.no_stacking",
            terrain="w40k10.move.over_terrain",
            climb="w40k10.move.climb",
            inside="w40k10.terrain.ruins_move_through",
        ),
        Code.MODEL: cite("{who} would move across models of {other}.", "w40k10.move.through_enemies")
        .but(
            FRIEND,
            "{who} would move across {other}: MONSTERS and VEHICLES go around each other.",
            "w40k10.move.monster_vehicle_block",
        )
        .but(FALL_BACK, "", "w40k10.move.desperate_escape_trigger"),
        Code.ZONE: cite("{who} would pass within {zone} of {other}, in Engagement Range.", "w40k10.move.normal")
        .but(ADVANCE, "", "w40k10.move.advance")
        .but(FALL_BACK, "", "w40k10.move.fall_back")
        .but(
            "charge",
            "{who} would pass within {zone} of {other}: {other:is} no target, and Engagement Range is closed.",
            "w40k10.charge.conditions",
        ),
        STOPPED: cite(
            "{thing} is in the way of {who}, {top:.1f} high: it has to be flown over or around.",
            "w40k10.move.fly_air",
            "w40k10.move.over_terrain",
        ),
        Code.END_ZONE: cite(f"{_NEAR}.", "w40k10.concept.engagement_limit")
        .but(AIRCRAFT, f"{_NEAR} of an AIRCRAFT.", "w40k10.aircraft.others_pass", "w40k10.concept.engagement_limit")
        .but(FALL_BACK, "", "w40k10.concept.engagement_limit", "w40k10.move.fall_back")
        .but("charge", f"{_NEAR}: {{other:is}} no target.", "w40k10.charge.conditions"),
        Code.END_SOLID: cite("{who} cannot end on {thing}.", "w40k10.move.over_terrain")
        .but(BARRICADE, "", "w40k10.terrain.barricade_move")
        .but(DEBRIS, "", "w40k10.terrain.debris_move"),
    },
    called_all,
    cases,
)


@rule("w40k10.move.which_models")
def move_models(b: Battle10, moves: Moves) -> None:
    """Any number of models move, in the order of the answer."""
    carry_out(b, moves)
