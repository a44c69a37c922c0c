"""The Movement phase (09): every unit is selected once, to move or to remain stationary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from sandtable.attack.volley import FACES
from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Choose,
    Mode,
    Moment,
    Move,
    Moves,
    Option,
    Question,
    Reason,
    Step,
    Verdict,
)
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.effects.characteristics import moves_of
from sandtable.forty.effects.moved_over import moved_over
from sandtable.forty.effects.permissions import allows, not_forbidden
from sandtable.forty.marching import advance_adds, advance_by_face, how_to_end, how_to_move, roll_advance
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_TO_MOVE
from sandtable.forty.passengers import boarding
from sandtable.forty.random_moves import roll_move
from sandtable.forty.state import sheet_of
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.forty.wandering import Marching
from sandtable.kit.asking import agreed, move_of
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import find_way_out, which_unit
from sandtable.kit.moving import modes_open, tell_move
from sandtable.kit.ready import is_its_turn, refuse_if
from sandtable.kit.room import models_to_place
from sandtable.rules import rule
from sandtable.systems.w40k11 import transports
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.aircraft import left_out
from sandtable.systems.w40k11.battle_round import MOVEMENT, begin_phase
from sandtable.systems.w40k11.battle_shock import battle_shock_roll, become_shocked
from sandtable.systems.w40k11.dice import value_of
from sandtable.systems.w40k11.engagement import engaged_enemies, is_engaged
from sandtable.systems.w40k11.flying import take_to_the_skies, taken_off
from sandtable.systems.w40k11.hazard_rolls import expected_hazards, hazard_rolls
from sandtable.systems.w40k11.moving import RULES, WALKER, Passage, carry, judge_paths, passage
from sandtable.systems.w40k11.setting_up import every_model_has
from sandtable.systems.w40k11.state import ADVANCE, DESPERATE, FALL_BACK, NORMAL, STATIONARY, Battle11, Unit, World11
from sandtable.systems.w40k11.strategic_reserves import find_arrival, ingress, may_ingress
from sandtable.systems.w40k11.surge import may_stir
from sandtable.systems.w40k11.terrain import can_move
from sandtable.systems.w40k11.transports import TACTICAL, TRANSPORTS, may_disembark
from sandtable.table.grid import steps

INGRESS, DISEMBARK = "ingress", "disembark"
NAMES: Final = {
    STATIONARY: "Remain stationary",
    NORMAL: "Normal move",
    ADVANCE: "Advance",
    FALL_BACK: "Ordered retreat",
    DESPERATE: "Desperate escape",
}
TOLD: Final = {
    NORMAL: "makes a Normal move",
    ADVANCE: "Advances",
    FALL_BACK: "falls back",
    DESPERATE: "makes a desperate escape",
}
GOOD_ADVANCE: Final = 4
"""An Advance roll that is usually kept."""
DICE_FIRST: Final = (ADVANCE, DESPERATE)
"""Moves for which dice are rolled before anybody moves"""


async def movement_phase(b: Battle11) -> Step:
    """The phase begins."""
    await begin_phase(b, MOVEMENT)
    return DONE


@rule("w40k11.movephase.structure")
async def move_units(b: Battle11) -> Step:
    """Move Units: one unit after the other; who is not selected remains stationary."""
    ready = [u for u in b.units_of(b.state.active) if eligible_to_move(b, u)]
    prompt, rules = "Which unit moves next?", ("w40k11.movephase.structure",)
    unit, used = await unit_or_stratagem(b, "move_with", prompt, ready, UNIT_TO_MOVE, rules=rules)
    if used:
        return AGAIN
    if unit is None:
        for one in ready:
            b.set_unit(one, moved=STATIONARY)
        return DONE
    await act(b, unit, move_unit(b, unit) if b.is_on_table(unit) else enter(b, unit))
    return AGAIN


@rule("w40k11.movephase.structure", neutral=ALLOWED)
def eligible_to_move(w: World11, unit: Unit) -> Verdict:
    """Units of the player whose turn it is are selected once each."""
    rule_ = "w40k11.movephase.structure"
    return (
        is_its_turn(w, unit, "Movement phase", rule_)
        and refuse_if(unit.moved, unit, "{unit} {has} been selected to move already.", rule_)
        and refuse_if(not (w.is_on_table(unit) or waits(w, unit)), unit, "{unit} {is} not on the battlefield.", rule_)
    )


@rule("w40k11.movephase.structure", neutral=False)
def waits(w: World11, unit: Unit) -> bool:
    """Units in strategic reserves and passengers are selected, too."""
    return bool((unit.reserve or unit.embarked >= 0) and models_to_place(w, unit))


# --- Move types -------------------------------------------------------------------------------------------------------


def may_make(w: World11, unit: Unit, move: str) -> Verdict:
    """Whether a kind of move is open to a unit."""
    if move == STATIONARY:
        return must_not_stay(unit)
    rooted = not any(can_move(w, int(m)) for m in w.on_table(unit))
    stirs = refuse_if(rooted, unit, "{unit} cannot move at all.", "w40k11.datasheet.move_dash") and may_stir(w, unit)
    if move in (NORMAL, ADVANCE):
        return stirs and open_to_unengaged(w, unit, move)
    return (
        stirs
        and open_to_engaged(w, unit)
        and fits_its_nerve(unit, move)
        and not_forbidden(w, unit, "fall_back", "fall back now")
    )


@rule("w40k11.transport.tactical", neutral=ALLOWED)
def must_not_stay(unit: Unit) -> Verdict:
    """After a tactical disembark a unit moves, be it 0", and does not remain stationary."""
    text = "{unit} moves at once after a tactical disembark."
    return refuse_if(unit.disembarked == TACTICAL, unit, text, "w40k11.transport.tactical")


@rule("w40k11.movephase.normal", "w40k11.movephase.advance", neutral=ALLOWED)
def open_to_unengaged(w: World11, unit: Unit, move: str) -> Verdict:
    """Only an unengaged unit makes a Normal or an Advance move."""
    near = engaged_enemies(w, unit)
    text = "{unit} {is} engaged, and can only remain stationary or fall back."
    return refuse_if(len(near) > len(left_out(w, near)), unit, text, RULES[move])


@rule("w40k11.movephase.fall_back", neutral=ALLOWED)
def open_to_engaged(w: World11, unit: Unit) -> Verdict:
    """Only an engaged unit falls back."""
    text = "{unit} {is} not engaged and cannot fall back."
    return refuse_if(not is_engaged(w, unit), unit, text, "w40k11.movephase.fall_back")


@rule("w40k11.movephase.ordered_retreat", neutral=ALLOWED)
def fits_its_nerve(unit: Unit, move: str) -> Verdict:
    """A battle-shocked unit has no ordered retreat."""
    text = "{unit} {is} battle-shocked, and can only make a desperate escape."
    return refuse_if(move == FALL_BACK and unit.battle_shocked, unit, text, "w40k11.movephase.ordered_retreat")


def allowance(w: World11, unit: Unit, model: int, move: str) -> int:
    """How far a model may go in a move, in grid steps."""
    if move == STATIONARY or not can_move(w, model):
        return 0
    return _allowances(w, unit, move)[model]


@kept(EVERYTHING)
def _allowances(w: World11, unit: Unit, move: str) -> dict[int, int]:
    def own(model: int) -> int:
        found = sheet_of(w, model).move
        return unit.rolled_move if isinstance(found, str) else found or 0

    return {m: taken_off(w, unit, steps(furthest(unit, own))) for m, own in moves_of(w, unit, own).items()}


@rule(
    "w40k11.movephase.normal",
    "w40k11.movephase.advance",
    "w40k11.movephase.fall_back",
    "w40k11.appendix.different_m",
    neutral=99,
)
def furthest(unit: Unit, own: int) -> int:
    """How many inches a model goes: its own Move, and what the unit has rolled if it Advances."""
    return own + unit.advance


def modes_of(w: World11, unit: Unit) -> tuple[Mode, ...]:
    """The ways of moving that are open to a unit, with the longest way that one of its models may go."""
    more = {ADVANCE: advance_adds(w, unit, "D6")}
    return modes_open(w, unit, NAMES, lambda move: may_make(w, unit, move), allowance, more, DICE_FIRST)


# --- From reserves and out of transports ------------------------------------------------------------------------------


async def enter(b: Battle11, unit: Unit) -> None:
    """A unit that is not on the battlefield was selected: it arrives or gets out, or remains stationary."""
    options = [Option(STATIONARY, NAMES[STATIONARY])]
    if may_ingress(b, unit):
        options.insert(0, Option(INGRESS, "Ingress move"))
    elif may_disembark(b, unit):
        options.insert(0, Option(DISEMBARK, transports.NAMES[transports.mode_of(b, unit)]))
    prompt, rules = f"How {agree(unit, 'does')} {unit.name} move?", ("w40k11.movephase.structure",)
    chosen = await b.choose(unit.player, "enter", prompt, options, rules=rules, unit=unit.id)
    if chosen == INGRESS:
        await ingress(b, unit)
    elif chosen == DISEMBARK:
        if await transports.disembark(b, unit) == TACTICAL:
            await move_unit(b, unit)
    else:
        stay(b, unit)


def how_to_enter(w: World11, d: Choose) -> str:
    """Who can arrive arrives; passengers stay aboard."""
    names = [str(o.value) for o in d.options]
    return INGRESS if INGRESS in names and find_arrival(w, w.unit(d.unit)) is not None else STATIONARY


# --- The move ---------------------------------------------------------------------------------------------------------


async def move_unit(b: Battle11, unit: Unit) -> None:
    """Move one unit, to the end of its move."""
    roll_random_move(b, unit)
    await take_to_the_skies(b, unit)
    await stride(b, unit)
    haste = [name for reason in must_not_stay(unit).reasons for name in reason.rules]
    rules = ("w40k11.movephase.structure", "w40k11.move.models", *haste)
    modes = modes_of(b, unit)
    near = boarding(b, unit, modes, TRANSPORTS.embark, transports.check_hold)
    moves = await b.ask(move_of(b, unit, "move", "How {does} {unit} move?", modes, *rules, **near))
    if makes_no_move(moves.mode):
        stay(b, unit)
        return
    b.set_unit(unit, moved=FALL_BACK if moves.mode == DESPERATE else moves.mode)
    shocked = unit.battle_shocked
    if moves.mode == ADVANCE:
        await roll_advance(b, unit, max(FACES), RULES[ADVANCE], poor=GOOD_ADVANCE)
    elif moves.mode == DESPERATE:
        await risk_escape(b, unit)
        if not b.is_on_table(unit):
            return
    await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": unit.moved}))
    moves = await complete(b, unit, moves)
    over = moved_over(b, unit, moves)
    carry(b, unit, moves, passage(b, unit, moves.mode))
    strode = unit.mobile
    if unit.skies or strode:
        b.set_unit(unit, skies=False, mobile=False)
    tell_move(b, unit, moves, TOLD[moves.mode], RULES[moves.mode])
    if moves.mode == DESPERATE and not shocked:
        await test_nerve(b, unit)
    if moves.onto >= 0:
        transports.embark(b, unit, b.unit(moves.onto))
        return
    if strode:
        shaken_by_walls(b, unit)
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": unit.moved, "over": over}))


@rule("w40k11.movephase.stationary", neutral=False)
def makes_no_move(mode: str) -> bool:
    """Who remains stationary: nothing that waits for a move to begin or to end is triggered."""
    return mode == STATIONARY


@rule("w40k11.movephase.stationary")
def stay(b: Battle11, unit: Unit) -> None:
    """The unit remains stationary, and is remembered as having done so."""
    b.set_unit(unit, moved=STATIONARY, skies=False, mobile=False)
    b.tell("stationary", f"{does(unit, 'remains')} stationary.", "w40k11.movephase.stationary", units=[unit.id])


@rule("w40k11.gap.random_characteristics")
def roll_random_move(b: Battle11, unit: Unit) -> None:
    """A random Move is rolled once for the unit, when it is selected to move."""
    roll_move(b, unit, value_of, "w40k11.gap.random_characteristics")


@rule("w40k11.unit.super_heavy_walker")
async def stride(b: Battle11, unit: Unit) -> None:
    """Before it moves, the player of Super-Heavy Walkers may make them MOBILE for the move."""
    if every_model_has(b, unit, WALKER):
        prompt, rule_ = f"{unit.name}: through walls of any height?", "w40k11.unit.super_heavy_walker"
        b.set_unit(unit, mobile=await agreed(b, unit, "stride", prompt, rule_, default=False))


@rule("w40k11.unit.super_heavy_walker")
def shaken_by_walls(b: Battle11, unit: Unit) -> None:
    """After a move for which Super-Heavy Walkers were MOBILE, a 1 leaves the unit battle-shocked."""
    rule_ = "w40k11.unit.super_heavy_walker"
    if b.roll_one("walker", unit.player, rules=(rule_,)) == 1:
        become_shocked(b, unit, rule_)


@rule("w40k11.movephase.desperate_escape", neutral=())
def at_risk(w: World11, unit: Unit) -> tuple[int, ...]:
    """For each of these models a desperate escape begins with a hazard roll."""
    return () if allows(w, unit, "no_falling_back_losses") else tuple(w.on_table(unit).tolist())


async def risk_escape(b: Battle11, unit: Unit) -> None:
    """Make the hazard rolls."""
    await hazard_rolls(b, unit, len(at_risk(b, unit)), "w40k11.movephase.desperate_escape")


@rule("w40k11.movephase.desperate_escape")
async def test_nerve(b: Battle11, unit: Unit) -> None:
    """After one, a unit that was not battle-shocked makes a battle-shock roll."""
    await battle_shock_roll(b, unit)


def notes(w: World11, d: Move, answer: Moves) -> Iterator[Reason]:
    """What a desperate escape asks for, before it is made."""
    unit = w.unit(d.unit)
    if answer.mode != DESPERATE:
        return
    models = at_risk(w, unit)
    if models:
        yield expected_hazards(w, unit, models, "w40k11.movephase.desperate_escape")
    if not unit.battle_shocked:
        yield Reason("After the move comes a battle-shock roll.", ("w40k11.movephase.desperate_escape",))


async def complete(b: Battle11, unit: Unit, moves: Moves) -> Moves:
    """The paths that are carried out: those of the answer, or new ones if dice or casualties have come between."""
    models = tuple(int(m) for m in b.on_table(unit))
    mode = Mode(moves.mode, NAMES[moves.mode], max(allowance(b, unit, m, moves.mode) for m in models))
    near = boarding(b, unit, (mode,), TRANSPORTS.embark, transports.check_hold)
    asked = move_of(b, unit, "complete_move", "Where {does} {unit} go?", (mode,), RULES[moves.mode], **near)
    left = Moves(moves.mode, tuple(p for p in moves.paths if p.model in models), moves.onto)
    if moves.mode not in DICE_FIRST and judge_completion(b, asked, left):
        return left
    return await b.ask(asked)


# --- Judging ----------------------------------------------------------------------------------------------------------


def judge_move(w: World11, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may move like this."""
    unit = w.unit(d.unit)
    if answer.mode == STATIONARY:
        return check_stands_still(unit, answer) and stays_out(w, unit, answer)
    if answer.mode in DICE_FIRST:
        text = "The dice come first: choose the move, then say where the models go."
        return refuse_if(answer.paths or answer.onto >= 0, unit, text, RULES[answer.mode])
    return judge_going(w, unit, answer)


@rule("w40k11.movephase.stationary", neutral=ALLOWED)
def check_stands_still(unit: Unit, answer: Moves) -> Verdict:
    """Nobody moves or turns in a unit that remains stationary."""
    text = "A unit that remains stationary moves and turns none of its models."
    return refuse_if(answer.paths, unit, text, "w40k11.movephase.stationary")


def judge_completion(w: World11, d: Move, answer: Moves) -> Verdict:
    """Whether the rest of a move may be made like this, once dice have been rolled."""
    unit = w.unit(d.unit)
    verdict = judge_going(w, unit, answer)
    if verdict or answer.paths or answer.mode not in (FALL_BACK, DESPERATE):
        return verdict
    # Nobody can be held to a move that does not exist: without one in sight, the unit stays where it is.
    way = way_out(w, unit, answer.mode)
    return ALLOWED if way is None else Verdict(False, verdict.reasons, way)


def judge_going(w: World11, unit: Unit, answer: Moves) -> Verdict:
    """Judge the paths of a Normal, an Advance or a Fall-back move."""
    boards = stays_out(w, unit, answer)
    if not boards:
        return boards
    if not answer.paths and answer.mode not in (FALL_BACK, DESPERATE):
        return ALLOWED
    return judge_paths(w, answer, passage(w, unit, answer.mode), lambda m: allowance(w, unit, m, answer.mode))


def stays_out(w: World11, unit: Unit, answer: Moves) -> Verdict:
    """Whether a unit may embark where it would."""
    return ALLOWED if answer.onto < 0 else transports.judge_embark(w, unit, answer)


def way_of(w: World11, unit: Unit, move: str) -> Passage:
    """Unengaged at the end."""
    return passage(w, unit, move)


@kept(EVERYTHING)
def way_out(w: World11, unit: Unit, move: str) -> Moves | None:
    """A legal Fall-back move, if a bounded search finds one."""
    limit = partial(allowance, w, unit, move=move)
    return find_way_out(w, passage(w, unit, move), limit, lambda moves: judge_going(w, unit, moves))


def default_completion(w: World11, d: Move) -> Moves:
    """Stay where the rules allow it, else the first way out."""
    mode = d.modes[0].name
    way = way_out(w, w.unit(d.unit), mode) if mode in (FALL_BACK, DESPERATE) else None
    return way or Moves(mode)


MARCHING: Final = Marching(way_of, allowance, transports.check_hold, lambda: TRANSPORTS.embark, adds=advance_by_face)

QUESTIONS: Final = {
    "move_with": which_unit(0.02, eligible_to_move),
    "move": replace(how_to_move(MARCHING, judge_move), notes=notes),
    "enter": Question(default=how_to_enter),
    "complete_move": how_to_end(MARCHING, judge_completion, default_completion),
}
