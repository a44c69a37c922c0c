"""Moving: which ways are open to models, how far they go, and where they may end, in every kind of move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Moves, Verdict, refuse
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.permissions import who_always_may
from sandtable.forty.offences import usual_offences
from sandtable.forty.state import called_all
from sandtable.kit.cites import Cites, cite
from sandtable.kit.closing.contact import Contact
from sandtable.kit.flags import enemy_units
from sandtable.kit.moving import Measure, after
from sandtable.kit.passage import Gait, Passage, is_long
from sandtable.kit.sweeps import check_lengths, check_ways
from sandtable.kit.way import Way
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import (
    IMPASSABLE,
    check_coherent,
    check_open_ground,
    coherency_of,
    model_has_keyword,
)
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, NORMAL, ORDINARY, Unit, World8
from sandtable.table.grid import Ints
from sandtable.table.moves import CLOSED, Code
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball

CHARGE: Final = "charge"
HEROIC: Final = "heroic"
PILE_IN: Final = "pile_in"
CONSOLIDATE: Final = "consolidate"
RULES: Final = {
    NORMAL: "w40k8.move.distance",
    ADVANCE: "w40k8.move.advance",
    FALL_BACK: "w40k8.move.fall_back",
    CHARGE: "w40k8.charge.roll",
    HEROIC: "w40k8.charge.heroic",
    PILE_IN: "w40k8.fight.pile_in",
    CONSOLIDATE: "w40k8.fight.consolidate",
}
"""The rules that say how far each kind of move goes."""


def passage(w: World8, unit: Unit, move: str) -> Passage:
    """How a unit gets about in the Movement phase, away from all enemies; nobody who Falls Back is left behind."""
    return Passage(unit.id, move, enemy_units(w, unit.player), concerns_all=move == FALL_BACK)


@rule("w40k8.move.fly", neutral=False)
def flies(w: World8, model: int, move: str) -> bool:
    """A model that can Fly moves over models and terrain as if they were not there, in every kind of move."""
    return model_has_keyword(w, model, "FLY") and (move in ORDINARY or w.option("fly") == "every-move")


@kept(SETUP)
def passes_all(w: World8, model: int, move: str) -> bool:
    """Whether models and terrain are no hindrance for a model: it flies, or an ability says so."""
    return flies(w, model, move) or model in who_always_may(w, "move_through_models")


@rule("w40k8.move.through_models", neutral=False)
def models_block(w: World8, model: int, move: str) -> bool:
    """Nobody moves through another model, friend or foe or of the same unit, unless it flies."""
    return not passes_all(w, model, move) and (move in ORDINARY or w.option("through-models") == "never")


@rule("w40k8.move.terrain", neutral=Measure(rise=False))
def measure_of(w: World8, model: int, move: str) -> Measure:
    """Height climbed is distance moved, but for who flies; turning counts for bases that are not round."""
    rises = w.option("climbing") == "measured" and not passes_all(w, model, move)
    return Measure(rise=rises, turn=is_long(w, model))


@rule("w40k8.move.fall_back", neutral=True)
def keeps_away(move: str) -> bool:
    """Nobody comes near the enemies that are avoided on the way either, but for who Falls Back."""
    return move != FALL_BACK


def zone_of(move: str) -> Ball:
    """How near to the enemies that are avoided nobody comes."""
    if move == FALL_BACK:
        return BOOK.fallen_back
    return BOOK.one_inch if move in ORDINARY else BOOK.non_targets


@kept(SETUP)
@rule("w40k8.gap.terrain_kinds", neutral=np.int64(1))
def ground_closed(w: World8) -> Ints:
    """For each feature how it blocks: nobody on foot passes through impassable terrain, or over it."""
    return np.array([CLOSED if f.kind == IMPASSABLE else 1 for f in w.table.features], dtype=np.int64)


GAIT: Final = Gait(
    passes_all, models_block, measure_of, zone_of, keeps_away, ground_closed, lambda: BOOK.edge_holds, coherency_of
)


def judge_paths(w: World8, moves: Moves, c: Contact) -> Verdict:
    """Whether models that close with the enemy may go where they are sent."""
    return no_embarking(moves) and judge_ways(w, moves, c.way, lambda _: c.far)


@rule("w40k8.transport.embark", neutral=ALLOWED)
def no_embarking(moves: Moves) -> Verdict:
    """Nobody embarks but in the Movement phase."""
    text = "A unit embarks in the Movement phase, not after this move."
    return ALLOWED if moves.onto < 0 else refuse(text, "w40k8.transport.embark")


def judge_ways(w: World8, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether models may go where they are sent, stand there, and stay together."""
    bodies, unit = after(w, moves), w.unit(way.unit)
    models = w.on_table(unit)
    return (
        check_distance(w, moves, way, limit)
        and check_passage(w, way, moves, bodies)
        and check_open_ground(w, unit, bodies, models)
        and check_coherent(w, unit, bodies, models)
    )


@rule("w40k8.move.distance", neutral=ALLOWED)
def check_distance(w: World8, moves: Moves, way: Way, limit: Callable[[int], int]) -> Verdict:
    """Whether no model goes further than it may, along its whole path."""
    return check_lengths(w, way, moves, limit, OFFENCES)


@rule("w40k8.move.terrain", "w40k8.move.through_models", neutral=ALLOWED)
def check_passage(w: World8, way: Way, moves: Moves, bodies: Bodies) -> Verdict:
    """Nobody goes through solid terrain or other models, or ends in them, or half-way up a climb."""
    return check_ways(w, way, moves, bodies, OFFENCES)


USUAL: Final = usual_offences(
    distance="w40k8.move.distance",
    moves=RULES,
    edge="w40k8.gap.board_edge",
    stacking="w40k8.move.through_models",
    terrain="w40k8.move.terrain",
    climb="w40k8.move.terrain",
    inside="w40k8.move.terrain",
)
OFFENCES: Final = Cites(
    {
        **USUAL,
        Code.SOLID: USUAL[Code.SOLID].but(IMPASSABLE, "{thing} is impassable to {who}.", "w40k8.gap.terrain_kinds"),
        Code.MODEL: cite("{who} would move through models of {other}.", "w40k8.move.through_models"),
        Code.ZONE: cite("{who} would pass within {zone} of {other}.", "w40k8.move.one_inch").but(
            CHARGE, "{who} would pass within {zone} of {other}: {other:is} no target.", "w40k8.charge.non_targets"
        ),
        Code.END_ZONE: cite("{who} would end {gap} from {other}, within {zone}.", "w40k8.move.one_inch")
        .but(
            CHARGE,
            "{who} would end {gap} from {other}, within {zone}: {other:is} no target.",
            "w40k8.charge.non_targets",
        )
        .but(FALL_BACK, "", "w40k8.move.fall_back"),
    },
    called_all,
)
