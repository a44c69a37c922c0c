"""Moving units (03.01): how models get about, how far they go, and how a move ends.

Every kind of move is judged here by the same steps; what differs between them stands in a `Passage`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from sandtable.armies.effects import Allowed
from sandtable.battle import ALLOWED, Moves, Path, Verdict, refuse
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty import tasks
from sandtable.forty.effects.passing import LOW, OVER, let_through, passages
from sandtable.forty.effects.passing import TERRAIN as THROUGH
from sandtable.forty.offences import check_able, usual_offences
from sandtable.forty.state import called_all
from sandtable.kit.cites import FRIEND, Cites, cite
from sandtable.kit.flags import belonging_to, clear_among, enemy_units, hostile, on_the_table
from sandtable.kit.ground import along_surface, arc
from sandtable.kit.moving import carry_out, ends_of
from sandtable.kit.sweeps import check_lengths, check_ways
from sandtable.kit.walking import OnFoot
from sandtable.kit.way import Way
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import actions, terrain
from sandtable.systems.w40k11.aircraft import passed_by_all
from sandtable.systems.w40k11.coherency import check_coherency, coherency_of
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.engagement import ENGAGEMENT
from sandtable.systems.w40k11.flying import measures_height, passes_everything
from sandtable.systems.w40k11.state import ADVANCE, DESPERATE, FALL_BACK, NORMAL, Battle11, Unit, World11, sheet_of
from sandtable.systems.w40k11.terrain import TERRAIN, can_move, check_ground, climbed, closed_parts, goes_through_dense
from sandtable.table.arrange import Clear
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Bools, steps
from sandtable.table.moves import MIDDLE, Code, Obstacles, obstacles

CHARGE: Final = "charge"
PILE_IN: Final = "pile_in"
CONSOLIDATE: Final = "consolidate"
SURGE: Final = "surge"
SCOUT: Final = "scout"
WALKER: Final = "super-heavy walker"
ORDINARY: Final = (NORMAL, ADVANCE, FALL_BACK, DESPERATE)
RULES: Final = {
    NORMAL: "w40k11.movephase.normal",
    ADVANCE: "w40k11.movephase.advance",
    FALL_BACK: "w40k11.movephase.fall_back",
    DESPERATE: "w40k11.movephase.desperate_escape",
    CHARGE: "w40k11.charge.move",
    PILE_IN: "w40k11.fight.pile_in_move",
    CONSOLIDATE: "w40k11.fight.consolidate_move",
    SURGE: "w40k11.surge.move",
    SCOUT: "w40k11.unit.scout_move",
}
"""The rules that say how far each kind of move goes."""


class MOVING(Facts):
    """What the book states about every move."""

    friends_block = fact(False, "w40k11.move.models", neutral=True)
    """Friendly models are no obstacle."""
    edge_holds = fact(True, "w40k11.move.models", neutral=False)
    """No part of a base crosses the edge of the battlefield."""
    turning_counts = fact(False, "w40k11.move.rotating", "w40k11.mv.frame", neutral=True)
    """Turning around the middle of a base uses up no distance."""
    strides_over = fact(steps(4), "w40k11.unit.super_heavy_walker", neutral=0)
    """Parts of terrain up to this height a Super-Heavy Walker passes through."""
    models_are_in_the_way = fact(True, "w40k11.move.ending", "w40k11.mv.move_through", neutral=False)
    """No move ends on top of another model."""


class _Passage(NamedTuple):
    unit: int
    move: str
    avoid: tuple[int, ...] = ()
    """Enemy units that the move may not end engaged with."""
    skies: bool = False
    """It takes to the skies."""
    mobile: bool = False
    """Its models are MOBILE for this move."""


class Passage(_Passage, OnFoot):
    """How the models of one unit get about in one kind of move: the edition's `kit.way.Way`."""

    __slots__ = ()

    indoors = staticmethod(goes_through_dense)
    able = staticmethod(can_move)

    @property
    def concerns_all(self) -> bool:
        """Whether models that stay are judged by where they stand: nobody who falls back may be left behind."""
        return self.move in (FALL_BACK, DESPERATE)

    def manner(self, w: World11, model: int, path: Path | None) -> Manner:
        """How a model gets about."""
        own = own_manner(w, model, self.move, self.skies, self.mobile)
        helped = self.move in (*ORDINARY, CHARGE)
        more = passages(w, w.unit(self.unit), model, charging=self.move == CHARGE) if helped else ()
        return own._replace(through=more) if more else own

    def past(self, w: World11, manner: Manner) -> Obstacles:
        """What stands in the way of who gets about in a manner."""
        return in_the_way(w, self, manner)

    def room(self, w: World11) -> Clear:
        """Where models may end, for services that arrange a unit."""
        return clear_among(w, w.bodies, ENGAGEMENT.range, belonging_to(w, self.avoid))

    def length(self, w: World11, path: Path) -> float:
        """How far a path takes its model: along straight lines, up and down; turning is free."""
        return along_surface(w, path, climbed if measures_height(self.skies) else _level, self.swing)

    def swing(self, w: World11, model: int, turned: int) -> float:
        """What turning takes of a model's way."""
        return arc(w, model, turned) if MOVING.turning_counts else 0.0

    def flies(self, w: World11, model: int) -> bool:
        """Whether a model passes over others."""
        return self.skies

    def together(self, w: World11, count: int) -> Coherency:
        """How so many models have to stand together."""
        return coherency_of(count)


def _level(w: World11, path: Path) -> int:
    return 0


def passage(w: World11, unit: Unit, move: str) -> Passage:
    """How a unit gets about that may not end engaged."""
    return Passage(unit.id, move, enemy_units(w, unit.player), unit.skies, unit.mobile)


class Manner(NamedTuple):
    """How a model gets about; models of one manner are swept together."""

    flies: bool
    """Past all models and all terrain"""
    walls: bool
    """Through walls and solid parts of dense features"""
    floors: bool
    """Through their floors, too"""
    big: bool
    """A MONSTER or VEHICLE"""
    crosses: bool
    """Through enemy models"""
    rolls_over: bool
    """Through enemy models that are no MONSTERS or VEHICLES"""
    strides: bool = False
    """Through all models but TITANIC ones, and through higher parts of terrain"""
    through: tuple[Allowed, ...] = ()
    """What abilities let it move through besides"""

    @property
    def in_turn(self) -> bool:
        """MONSTERS and VEHICLES of one unit are in each other's way."""
        return goes_in_turn(self)

    @property
    def soars(self) -> bool:
        """Nothing stops who takes to the skies."""
        return False


@rule("w40k11.move.models", neutral=False)
def goes_in_turn(manner: Manner) -> bool:
    """Models go one after another, in the order of their player; that matters to who is in the way of the others."""
    return manner.big


@kept(SETUP)
def own_manner(w: World11, model: int, move: str, skies: bool, mobile: bool = False) -> Manner:
    """How a model gets about in a kind of move."""
    through, big = goes_through_dense(w, model), is_big(w, model)
    walls = through or mobile or terrain.goes_through_walls(w, model)
    rolls, walks = big and rolls_over(move), strides(w, model, move)
    return Manner(passes_everything(skies), walls, through, big, crosses(move), rolls, walks)


# --- What stands in the way -------------------------------------------------------------------------------------------


@kept(SETUP)
def is_big(w: World11, model: int) -> bool:
    """Whether a model is a MONSTER or a VEHICLE."""
    return model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE")


@kept(SETUP)
def big_models(w: World11) -> Bools:
    """Which models are MONSTERS or VEHICLES."""
    return np.array([is_big(w, m) for m in range(len(w.setup.data.kits))], dtype=np.bool_)


@rule("w40k11.move.models", neutral=np.bool_(False))
def closed_enemies(enemy: Bools) -> Bools:
    """No base passes through enemy models."""
    return enemy


@rule("w40k11.movephase.desperate_escape", neutral=False)
def crosses(move: str) -> bool:
    """Whoever makes a desperate escape may pass through enemy models."""
    return move == DESPERATE


@rule("w40k11.mv.move_through", neutral=False)
def rolls_over(move: str) -> bool:
    """MONSTERS and VEHICLES pass through smaller models in Normal and Advance moves."""
    return move in (NORMAL, ADVANCE)


@rule("w40k11.mv.move_through", neutral=False)
def big_models_block(manner: Manner) -> bool:
    """MONSTERS and VEHICLES go around other MONSTERS and VEHICLES."""
    return manner.big


@rule("w40k11.unit.super_heavy_walker", neutral=False)
def strides(w: World11, model: int, move: str) -> bool:
    """A Super-Heavy Walker passes most models and walls in Normal, Advance and Fall-back moves."""
    return move in ORDINARY and sheet_of(w, model).has(WALKER)


@kept(SETUP)
def titanic_models(w: World11) -> Bools:
    """Which models even a Super-Heavy Walker goes around."""
    return np.array([model_has_keyword(w, m, "TITANIC") for m in range(len(w.setup.data.kits))], dtype=np.bool_)


@kept(PLACES)
def in_the_way(w: World11, way: Passage, manner: Manner) -> Obstacles:
    """The obstacles of a manner of moving."""
    player = w.unit(way.unit).player
    here, enemy = on_the_table(w), hostile(w, player)
    friend, big = here & ~enemy, big_models(w)
    passing = (closed_enemies(enemy) & (not manner.crosses)) | (friend & MOVING.friends_block)
    if manner.rolls_over:
        passing = passing & big
    if big_models_block(manner):
        passing = passing | (here & big)
    if manner.strides:
        passing = here & titanic_models(w)
    passing = passing & ~passed_by_all(w)
    if manner.through:
        passing = passing & ~let_through(w, manner.through)
    open_ = THROUGH in manner.through
    walls, floors, solids = closed_parts(w, manner.walls or open_, manner.floors or open_)
    return obstacles(
        len(here),
        w.terrain,
        pass_block=passing,
        end_block=here & MOVING.models_are_in_the_way,
        end_zone=ENGAGEMENT.range,
        end_zoned=belonging_to(w, way.avoid),
        wall_blocks=walls,
        floor_blocks=floors,
        solid_blocks=solids,
        free_height=max(TERRAIN.low, MOVING.strides_over * manner.strides, OVER * (LOW in manner.through)),
        edge=MOVING.edge_holds,
        fly=manner.flies,
        overhang=MIDDLE,
        cling=TERRAIN.cling,
    )


# --- Judging a move ---------------------------------------------------------------------------------------------------


def judge_paths(w: World11, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether models may go where they are sent, stand there, and stay together: else nobody moves.

    `limit` says for each model how many grid steps it may go.
    """
    bodies, moved = ends_of(w, moves)
    return (
        check_able(w, moves, can_move, "w40k11.datasheet.move_dash")
        and check_distance(w, moves, way, limit)
        and check_ways(w, way, moves, bodies, OFFENCES)
        and check_ground(w, bodies, moved)
        and check_coherency(w, w.unit(way.unit), bodies)
    )


@rule("w40k11.move.straight_line", neutral=ALLOWED)
def check_distance(w: World11, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether no model goes further than it may, all its straight lines added up."""
    return check_lengths(w, way, moves, limit, OFFENCES)


def no_embarking(answer: Moves) -> Verdict:
    """Nobody embarks at the end of a charge, pile-in, consolidation or surge move."""
    if answer.onto < 0:
        return ALLOWED
    text = "A unit embarks after a Normal, an Advance or a Fall-back move, not after this move."
    return refuse(text, "w40k11.transport.embark")


# --- Making a move ----------------------------------------------------------------------------------------------------


def carry(b: Battle11, unit: Unit, moves: Moves, way: Way) -> None:
    """Put the models where their paths end, and remember how far each has gone this turn, and when."""
    before = unit.walked or (0,) * len(unit.models)
    far = {p.model: round(way.length(b, p)) for p in moves.paths}
    gone = tuple([n + far.get(m, 0) for m, n in zip(unit.models, before, strict=True)])
    b.set_unit(unit, walked=gone, stirred=now(b))
    actions.stop(b, unit, way.move)
    carry_out(b, moves)
    tasks.sweep(b, unit, "w40k11.gap.action_list")


def now(w: World11) -> str:
    """The phase that is played, among all of the battle."""
    return f"{w.state.game.phase} {w.state.game.turns}"


# --- What a player is told --------------------------------------------------------------------------------------------


_NEAR = "{who} would end {gap} from {other}, engaged ({zone})"

OFFENCES: Final = Cites(
    {
        **usual_offences(
            distance="w40k11.move.straight_line",
            moves=RULES,
            edge="w40k11.move.models",
            stacking="w40k11.move.ending",
            terrain="w40k11.terrain.move_dense_other",
            climb="w40k11.terrain.vertical",
            inside="w40k11.move.ending",
        ),
        Code.MODEL: cite("{who} would move through models of {other}.", "w40k11.move.models").but(
            FRIEND,
            "{who} would move through {other}: MONSTERS and VEHICLES go around each other.",
            "w40k11.mv.move_through",
        ),
        Code.END_ZONE: cite(f"{_NEAR}.", "w40k11.movephase.normal")
        .but(ADVANCE, "", "w40k11.movephase.advance")
        .but(FALL_BACK, "", "w40k11.movephase.fall_back")
        .but(DESPERATE, "", "w40k11.movephase.fall_back")
        .but(CHARGE, f"{_NEAR}: {{other:is}} no target.", "w40k11.charge.after")
        .but(SURGE, f"{_NEAR}: {{other:is}} not the surge target.", "w40k11.surge.move"),
    },
    called_all,
)
