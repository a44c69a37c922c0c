"""The Movement phase: stand, move, Advance or Fall Back."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Moment, Move, Moves, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.system import StepFlow
from sandtable.forty.effects.characteristics import moves_of
from sandtable.forty.effects.moved_over import moved_over
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.forty.marching import advance_adds, advance_by_face, how_to_end, how_to_move, roll_advance
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_TO_MOVE
from sandtable.forty.passengers import boarding
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.forty.wandering import Marching
from sandtable.kit.asking import move_of
from sandtable.kit.flights import furthest as furthest_flight
from sandtable.kit.grammar import does
from sandtable.kit.ideas import find_way_out, which_unit
from sandtable.kit.moving import modes_open, tell_move
from sandtable.kit.ready import is_its_turn, is_there, refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, reserves, transports
from sandtable.systems.w40k10.battle_round import MOVEMENT, begin_phase
from sandtable.systems.w40k10.desperate_escape import desperate_escape
from sandtable.systems.w40k10.engagement_range import is_engaged
from sandtable.systems.w40k10.moving_models import RULES, Passage, can_move, judge_paths, move_models, passage
from sandtable.systems.w40k10.random_characteristics import roll_random_move
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, STATIONARY, Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.transports import TRANSPORTS
from sandtable.table.grid import steps

NAMES: Final = {STATIONARY: "Remain Stationary", NORMAL: "Normal move", ADVANCE: "Advance", FALL_BACK: "Fall Back"}
TOLD: Final = {NORMAL: "makes a Normal move", ADVANCE: "Advances", FALL_BACK: "Falls Back"}
GOOD_ADVANCE: Final = 4
"""An Advance roll that nobody would roll again without being asked."""


async def movement_phase(b: Battle10) -> Step:
    """The Movement phase begins."""
    await begin_phase(b, MOVEMENT)
    return DONE


async def move_units(b: Battle10) -> Step:
    """1. Move Units: one unit after the other."""
    player = b.state.active
    ready = [u for u in b.units_of(player) if eligible_to_move(b, u)]
    aboard = [u for u in b.units_of(player) if transports.may_disembark(b, u)]
    unit, used_stratagem = await unit_or_stratagem(
        b,
        "move_with",
        "Which unit moves next?",
        (*ready, *aboard),
        UNIT_TO_MOVE if ready else "",
        optional=not any(aircraft.must_move(b, u) for u in ready),
        rules=("w40k10.move.select_units", *(("w40k10.transport.disembark_when",) if aboard else ())),
    )
    if used_stratagem:
        return AGAIN
    if unit is None:
        stand_still(b, ready)
        transports.stay_aboard(b, aboard)
        return DONE
    if unit.embarked >= 0:
        await transports.disembark(b, unit)
        return AGAIN
    await b.act(unit, move_unit(b, unit))
    return AGAIN


def stand_still(b: Battle10, units: list[Unit]) -> None:
    """Units that were not selected Remain Stationary; who has disembarked counts as having moved."""
    for unit in units:
        b.set_unit(unit, moved=STATIONARY if transports.may_stand(unit, STATIONARY) else NORMAL)


@rule("w40k10.move.select_units", neutral=ALLOWED)
def eligible_to_move(w: World10, unit: Unit) -> Verdict:
    """Units of the active player on the battlefield are selected once each."""
    id_ = "w40k10.move.select_units"
    return (
        is_its_turn(w, unit, "Movement phase", id_)
        and is_there(w, unit, id_)
        and refuse_if(unit.moved, unit, "{unit} {has} been selected to move already.", id_)
    )


# --- Options ----------------------------------------------------------------------------------------------------------


def may_make(w: World10, unit: Unit, move: str) -> Verdict:
    """Whether a kind of move is open to a unit."""
    flown = aircraft.only_normal(w, unit, move)
    if flown is not None:
        return flown
    if not any(can_move(w, int(m)) for m in w.on_table(unit)) and move != STATIONARY:
        return refuse(f"{unit.name} cannot move at all.", "w40k10.datasheet.move_dash")
    return (
        open_to_engaged(w, unit, move)
        and open_to_free(w, unit, move)
        and transports.may_stand(unit, move)
        and (not_forbidden(w, unit, "fall_back", "Fall Back now") if move == FALL_BACK else ALLOWED)
    )


@rule("w40k10.move.options_engaged", neutral=ALLOWED)
def open_to_engaged(w: World10, unit: Unit, move: str) -> Verdict:
    """An engaged unit Remains Stationary or Falls Back."""
    if move in (NORMAL, ADVANCE) and aircraft.held_fast(w, unit):
        text = f"{does(unit, 'is')} within Engagement Range of the enemy and can only Remain Stationary or Fall Back."
        return refuse(text, "w40k10.move.options_engaged")
    return ALLOWED


@rule("w40k10.move.options_free", neutral=ALLOWED)
def open_to_free(w: World10, unit: Unit, move: str) -> Verdict:
    """An unengaged unit has nobody to Fall Back from."""
    if move == FALL_BACK and not is_engaged(w, unit):
        return refuse(f"{does(unit, 'is')} not engaged and cannot Fall Back.", "w40k10.move.options_free")
    return ALLOWED


def characteristics(w: World10, unit: Unit) -> dict[int, int]:
    """The Move characteristic of each model of a unit in inches; a random one is what was rolled for the unit."""

    def own(model: int) -> int:
        move = aircraft.hover_move(unit) or sheet_of(w, model).move
        return unit.rolled_move if isinstance(move, str) else move or 0

    return moves_of(w, unit, own)


def allowance(w: World10, unit: Unit, model: int, move: str) -> int:
    """How far a model may go in a move, in grid steps."""
    if move == STATIONARY or not can_move(w, model):
        return 0
    return _allowances(w, unit, move)[model]


@kept(EVERYTHING)
def _allowances(w: World10, unit: Unit, move: str) -> dict[int, int]:
    if aircraft.is_aircraft(w, unit):
        return dict.fromkeys(unit.models, furthest_flight(w))
    return {m: steps(furthest(unit, own, move)) for m, own in characteristics(w, unit).items()}


@rule("w40k10.move.normal", "w40k10.move.advance", "w40k10.move.fall_back", neutral=99)
def furthest(unit: Unit, own: int, move: str) -> int:
    """How many inches a model goes: its own Move, and what the unit rolled if it Advances."""
    return own + unit.advance if move == ADVANCE else own


@rule("w40k10.move.advance_limits", neutral=False)
def has_advanced(unit: Unit) -> bool:
    """Whether a unit Advanced this turn, and neither shoots nor charges unless something allows it."""
    return unit.moved == ADVANCE


@rule("w40k10.move.fall_back_limits", neutral=False)
def fell_back(unit: Unit) -> bool:
    """Whether a unit Fell Back this turn, and neither shoots nor charges unless something allows it."""
    return unit.moved == FALL_BACK


def modes_of(w: World10, unit: Unit) -> tuple[Mode, ...]:
    """The ways of moving that are open to a unit, with the longest way that one of its models may go."""
    more = {ADVANCE: advance_adds(w, unit, "D6")}
    return modes_open(w, unit, NAMES, lambda move: may_make(w, unit, move), allowance, more, (ADVANCE,))


# --- The move ---------------------------------------------------------------------------------------------------------


async def move_unit(b: Battle10, unit: Unit) -> None:
    """Move one unit, to the end of its move."""
    roll_random_move(b, unit)
    modes = modes_of(b, unit)
    if not modes:
        b.set_unit(unit, moved=NORMAL)
        return
    rule_ = "w40k10.move.options_engaged" if aircraft.held_fast(b, unit) else "w40k10.move.options_free"
    near = boarding(b, unit, modes, TRANSPORTS.embark, transports.check_hold)
    moves = await b.ask(move_of(b, unit, "move", "How {does} {unit} move?", modes, rule_, **near))
    if moves.mode == STATIONARY:
        stay(b, unit)
        return
    b.set_unit(unit, moved=moves.mode)
    if moves.mode == ADVANCE:
        await roll_advance(b, unit, GOOD_ADVANCE, RULES[ADVANCE])
    await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": moves.mode}))
    crossing: tuple[int, ...] = ()
    if moves.mode == FALL_BACK:
        crossing = await desperate_escape(b, unit, moves)
    moves = await complete(b, unit, moves, crossing)
    if aircraft.is_aircraft(b, unit) and aircraft.leaves(b, moves):
        aircraft.leave(b, unit)
        return
    over = moved_over(b, unit, moves)
    move_models(b, moves)
    tell_move(b, unit, moves, TOLD[moves.mode], RULES[moves.mode])
    if moves.onto >= 0:
        transports.embark(b, unit, b.unit(moves.onto))
        return
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": moves.mode, "over": over}))


@rule("w40k10.move.stationary")
def stay(b: Battle10, unit: Unit) -> None:
    """The unit stands still for the phase, and is remembered as having done so."""
    b.set_unit(unit, moved=STATIONARY)
    b.tell("stationary", f"{does(unit, 'Remains')} Stationary.", "w40k10.move.stationary", units=[unit.id])


async def complete(b: Battle10, unit: Unit, moves: Moves, crossing: tuple[int, ...]) -> Moves:
    """The paths that are carried out: those of the answer, or new ones if the roll or casualties have come between."""
    models = tuple(int(m) for m in b.on_table(unit))
    mode = Mode(moves.mode, NAMES[moves.mode], max(allowance(b, unit, m, moves.mode) for m in models))
    where, source = "Where {does} {unit} go?", RULES[moves.mode]
    near = boarding(b, unit, (mode,), TRANSPORTS.embark, transports.check_hold)
    asked = move_of(b, unit, "complete_move", where, (mode,), source, crossing=list(crossing), **near)
    kept = Moves(moves.mode, tuple(p for p in moves.paths if p.model in models), moves.onto)
    if moves.mode != ADVANCE and judge_completion(b, asked, kept):
        return kept
    return await b.ask(asked)


# --- Judging ----------------------------------------------------------------------------------------------------------


def judge_move(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may move like this."""
    unit = w.unit(d.unit)
    if answer.onto >= 0 and answer.mode != ADVANCE:
        verdict = transports.judge_embark(w, unit, answer)
        if not verdict:
            return verdict
    if answer.mode == STATIONARY:
        return ALLOWED if not answer.paths else check_stands_still()
    if answer.mode == ADVANCE:
        text = "The Advance roll comes first: choose to Advance, then say where the models go."
        return refuse(text, "w40k10.move.advance") if answer.paths or answer.onto >= 0 else ALLOWED
    return judge_going(w, unit, answer, None)


@rule("w40k10.move.stationary", neutral=ALLOWED)
def check_stands_still() -> Verdict:
    """Nobody moves in a unit that Remains Stationary."""
    return refuse("A unit that Remains Stationary moves none of its models.", "w40k10.move.stationary")


def judge_completion(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether the rest of a move may be made like this, once dice have been rolled."""
    unit = w.unit(d.unit)
    boards = ALLOWED if answer.onto < 0 else transports.judge_embark(w, unit, answer)
    if not boards:
        return boards
    crossing = tuple(int(m) for m in d.about["crossing"])
    verdict = judge_going(w, unit, answer, crossing)
    if verdict or answer.paths or answer.mode != FALL_BACK:
        return verdict
    # Nobody can be held to a move that does not exist: without one in sight, the unit stays where it is.
    way = way_out(w, unit, crossing)
    return ALLOWED if way is None else Verdict(False, verdict.reasons, way)


def judge_going(w: World10, unit: Unit, answer: Moves, crossing: tuple[int, ...] | None) -> Verdict:
    """Judge the paths of a Normal move, an Advance or a Fall Back."""
    if aircraft.is_aircraft(w, unit) and answer.mode == NORMAL:
        return aircraft.judge_flight(w, unit, answer)
    if not answer.paths and answer.mode != FALL_BACK:
        return ALLOWED
    way = passage(w, unit, answer.mode, crossing if answer.mode == FALL_BACK else ())
    return judge_paths(w, answer, way, lambda m: allowance(w, unit, m, answer.mode))


def way_of(w: World10, unit: Unit, move: str) -> Passage:
    """Clear of all enemies; who Falls Back may go across them."""
    return passage(w, unit, move, None if move == FALL_BACK else ())


@kept(EVERYTHING)
def way_out(w: World10, unit: Unit, crossing: tuple[int, ...] | None) -> Moves | None:
    """A legal Fall Back move, if a bounded search finds one."""
    way = passage(w, unit, FALL_BACK, crossing)
    limit = partial(allowance, w, unit, move=FALL_BACK)
    return find_way_out(w, way, limit, lambda moves: judge_going(w, unit, moves, crossing))


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_completion(w: World10, d: Move) -> Moves:
    """Stay where the rules allow it, else the first way out."""
    if d.modes[0].name == FALL_BACK:
        way = way_out(w, w.unit(d.unit), tuple(int(m) for m in d.about["crossing"]))
        if way is not None:
            return way
    return Moves(d.modes[0].name)


def why_move(w: World10, unit: Unit) -> Verdict:
    """Why a unit is, or is not, among those that may move or disembark now."""
    return transports.may_disembark(w, unit) if unit.embarked >= 0 else eligible_to_move(w, unit)


MARCHING: Final = Marching(
    way_of, allowance, transports.check_hold, lambda: TRANSPORTS.embark, aircraft.flights, adds=advance_by_face
)

QUESTIONS: Final = {
    "move_with": which_unit(0.02, why_move),
    "move": how_to_move(MARCHING, judge_move),
    "complete_move": how_to_end(MARCHING, judge_completion, default_completion),
}


@rule("w40k10.move.steps", neutral=(movement_phase, move_units))
def movement_steps() -> tuple[StepFlow, ...]:
    """Move Units comes first, then Reinforcements."""
    return (movement_phase, move_units, reserves.reinforcements, transports.disembark_late)
