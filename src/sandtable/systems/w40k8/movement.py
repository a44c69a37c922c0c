"""The Movement phase: one unit after the other stays, moves, Advances or Falls Back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Move, Moves, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.rolls import Sum, Total
from sandtable.forty.effects.characteristics import of_each
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.permissions import allows
from sandtable.forty.marching import BOOST, advance_adds, advance_by_face, how_to_end, how_to_move
from sandtable.forty.passengers import boarding
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called
from sandtable.forty.wandering import Marching
from sandtable.kit.asking import move_of
from sandtable.kit.cites import Length
from sandtable.kit.dice import parts_of, read_amount, read_as
from sandtable.kit.flights import flights_beyond, furthered, who_is_stuck
from sandtable.kit.grammar import does
from sandtable.kit.ideas import find_way_out, which_unit
from sandtable.kit.moving import after, carry_out, modes_open, tell_move
from sandtable.kit.passage import Passage
from sandtable.kit.ready import is_its_turn, is_there, refuse_if
from sandtable.kit.rounds import mark
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import slay
from sandtable.systems.w40k8.battle_round import MOVEMENT, begin_phase
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import enemies_within
from sandtable.systems.w40k8.datasheet import changed, changes_of, printed
from sandtable.systems.w40k8.dice import amount, halved
from sandtable.systems.w40k8.lord import slowed
from sandtable.systems.w40k8.moving import RULES, judge_ways, passage
from sandtable.systems.w40k8.reinforcements import has_been_there
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, MOVED, NORMAL, STATIONARY, Battle8, Unit, World8, unit_of
from sandtable.systems.w40k8.transports import check_hold, disembark, embark, judge_embark, may_disembark
from sandtable.table.grid import steps, units
from sandtable.table.shapes import Bodies

GOOD_ADVANCE: Final = 4
"""A throw for an Advance that nobody thinks of making again."""
NAMES: Final = {STATIONARY: "Stay", NORMAL: "Move", ADVANCE: "Advance", FALL_BACK: "Fall Back"}
TOLD: Final = {NORMAL: "moves", ADVANCE: "Advances", FALL_BACK: "Falls Back"}
IDLE: Final = ", but none of its models moves"


async def movement_phase(b: Battle8) -> Step:
    """The Movement phase begins; who has an enemy within 1" is looked up now, and only now."""
    await begin_phase(b, MOVEMENT)
    for unit in b.units_of(b.state.active):
        b.set_unit(unit, near=begins_near(b, unit))
    return DONE


@rule("w40k8.move.near_enemy", neutral=False)
def begins_near(w: World8, unit: Unit) -> bool:
    """Whether an enemy unit is within 1" of any model of a unit."""
    return bool(enemies_within(w, unit, BOOK.near))


@rule("w40k8.move.phase")
async def move_units(b: Battle8) -> Step:
    """Units are picked one after the other, as many as their player likes."""
    player, rules = b.state.active, ("w40k8.move.phase",)
    ready = [u for u in b.units_of(player) if eligible_to_move(b, u)]
    may_end = not any(must_move(b, unit) for unit in ready)
    unit = await b.choose_unit(player, "move_with", "Which unit moves next?", ready, optional=may_end, rules=rules)
    if unit is None:
        for other in ready:
            b.set_unit(other, moved=STATIONARY)
        return DONE
    if unit.embarked >= 0:
        await disembark(b, unit)
    else:
        await b.act(unit, move_unit(b, unit))
    return AGAIN


def eligible_to_move(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be picked to move now, or to disembark."""
    if unit.embarked >= 0 and unit.player == w.state.active:
        return may_disembark(w, unit)
    return has_its_phase(w, unit) and has_been_there(unit) and not_moved_yet(unit)


@rule("w40k8.move.phase", neutral=ALLOWED)
def has_its_phase(w: World8, unit: Unit) -> Verdict:
    """Only units of the active player move, and only on the table."""
    return is_its_turn(w, unit, "Movement phase", "w40k8.move.phase") and is_there(w, unit, "w40k8.move.phase")


@rule("w40k8.move.once", "w40k8.move.phase", neutral=ALLOWED)
def not_moved_yet(unit: Unit) -> Verdict:
    """A unit is picked once, and so no model moves twice."""
    text = "{unit} {has} been picked to move already."
    return refuse_if(unit.moved, unit, text, "w40k8.move.once", "w40k8.move.phase")


def modes_of(w: World8, unit: Unit) -> tuple[Mode, ...]:
    """The ways of moving that are open to a unit, with the longest way that one of its models may go."""
    count = f"{BOOK.advance_dice}" if BOOK.advance_dice != 1 else ""
    dice = f"{'half of ' if slowed(w, unit) else ''}{count}D6"
    more, later = {ADVANCE: advance_adds(w, unit, dice)}, () if unit.moved else (ADVANCE,)
    return modes_open(w, unit, NAMES, lambda move: is_open(w, unit, move), allowance, more, later)


@rule("w40k8.move.near_enemy", "w40k8.move.fall_back_limits", neutral=True)
def is_open(w: World8, unit: Unit, move: str) -> bool:
    """Who began within 1" of an enemy stays or Falls Back, nobody else Falls Back, and flyers cannot stay."""
    return not must_move(w, unit) if move == STATIONARY else (move == FALL_BACK) == unit.near


def allowance(w: World8, unit: Unit, model: int, move: str) -> int:
    """How far a model may go in a move, in grid steps."""
    return 0 if move == STATIONARY else steps(own_move(w, unit, model) + further(unit))


@kept(EVERYTHING)
def own_move(w: World8, unit: Unit, model: int) -> int:
    """The Move characteristic of a model as it is now, in inches: of two numbers the higher; a random one as thrown."""
    move = printed(w, model, "move")
    if move is None:
        return 0
    inches = unit.rolled_move if is_random(move) else int(str(move).split("-")[-1])
    return changed("move", inches, changes_of(w, model, "move"))


def is_random(move: int | str | None) -> bool:
    """Whether a Move characteristic is thrown for."""
    return isinstance(move, str) and "D" in move.upper()


@rule("w40k8.move.advance", neutral=0)
def further(unit: Unit) -> int:
    """What the throw for an Advance adds to the Move of every model of the unit, until it has moved."""
    return unit.advance


async def move_unit(b: Battle8, unit: Unit) -> None:
    """Move one unit, to the end of its move."""
    await roll_random_move(b, unit)
    await crash(b, unit, FALL_BACK if unit.near else NORMAL)
    rules = ("w40k8.move.phase", *(("w40k8.move.near_enemy",) if unit.near else ()))
    modes = modes_of(b, unit)
    near = boarding(b, unit, modes, BOOK.embark, check_hold)
    moves = await b.ask(move_of(b, unit, "move", "How {does} {unit} move?", modes, *rules, **near))
    if moves.mode == ADVANCE:
        await roll_advance(b, unit)
        await crash(b, unit, ADVANCE)
        modes = tuple(mode for mode in modes_of(b, unit) if mode.name == ADVANCE)
        near = boarding(b, unit, modes, BOOK.embark, check_hold)
        asked = move_of(b, unit, "complete_move", "Where {does} {unit} go?", modes, RULES[ADVANCE], **near)
        moves = await b.ask(asked)
    move_models(b, unit, moves)


@rule("w40k8.stat.random_move")
async def roll_random_move(b: Battle8, unit: Unit) -> None:
    """A random Move is thrown once for the unit, when it is picked to move."""
    random = next((x for m in b.on_table(unit) if is_random(x := printed(b, int(m), "move"))), None)
    if random is None:
        return
    number, read = amount(random), read_as(read_amount(random), "inch(es)")
    faces = await roll(b, unit, len(number.dice), "move", "w40k8.stat.random_move", read=read)
    b.set_unit(unit, rolled_move=number.of(faces))


async def roll_advance(b: Battle8, unit: Unit) -> None:
    """One D6 for the whole unit, before any model moves; from then on it has Advanced."""
    b.set_unit(unit, moved=ADVANCE)
    more, names = added(b, unit, "advance")
    inches = BOOST
    if not allows(b, unit, "advance_6"):
        cites, count, slow = RULES[ADVANCE], BOOK.advance_dice, slowed(b, unit)
        sums, why = (Sum((6,) * count, divide=1 + len(slow)),), (*slow, *parts_of(more, names))
        read = Total("inch(es) more", why, sums=sums, plus=more)
        faces = await roll(b, unit, count, "advance", cites, read=read, enough=lambda faces: sum(faces) >= GOOD_ADVANCE)
        inches = halved(sum(faces)) if slow else sum(faces)
    inches = max(0, inches + more)
    b.set_unit(unit, advance=inches)
    b.tell("advance", f'{does(unit, "Advances")}: {inches}" more.', RULES[ADVANCE], *names, units=[unit.id])


def move_models(b: Battle8, unit: Unit, moves: Moves) -> None:
    """Models go where they were sent, and are remembered as having moved; a unit of which nobody moves has stayed."""
    went = [p for p in moves.paths if passage(b, unit, moves.mode).length(b, p)]
    mark(b, [path.model for path in went], MOVED)
    carry_out(b, moves)
    if moves.mode == STATIONARY or (moves.mode == NORMAL and not went):
        b.set_unit(unit, moved=STATIONARY)
        b.tell("stationary", f"{does(unit, 'stays')} in place.", "w40k8.move.phase", units=[unit.id])
    else:
        b.set_unit(unit, moved=moves.mode, advance=0)
        tell_move(b, unit, moves, TOLD[moves.mode], RULES[moves.mode], idle=IDLE, move=moves.mode)
    if moves.onto >= 0:
        embark(b, unit, b.unit(moves.onto))


def judge_move(w: World8, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may move like this."""
    if answer.mode == ADVANCE:
        return rolls_first(answer)
    if answer.mode == STATIONARY and answer.paths:
        return refuse("A unit that stays moves none of its models.", "w40k8.move.phase")
    return judge_going(w, w.unit(d.unit), answer)


@rule("w40k8.move.advance", neutral=ALLOWED)
def rolls_first(answer: Moves) -> Verdict:
    """An Advance is declared, and thrown for, before any model moves."""
    text = "The throw for an Advance comes first: choose to Advance, then say where the models go."
    return refuse(text, RULES[ADVANCE]) if answer.paths else ALLOWED


def judge_going(w: World8, unit: Unit, answer: Moves) -> Verdict:
    """Whether the models may go where they are sent; whoever may stay, stays."""
    least = check_least(w, unit, after(w, answer))
    boards = ALLOWED if answer.onto < 0 else judge_embark(w, unit, answer)
    if not answer.paths and answer.mode != FALL_BACK:
        return least and boards
    way = passage(w, unit, answer.mode)
    return least and boards and judge_ways(w, answer, way, lambda m: allowance(w, unit, m, answer.mode))


@kept(EVERYTHING)
def way_out(w: World8, unit: Unit) -> Moves | None:
    """A legal Fall Back, if a bounded search finds one."""
    way = passage(w, unit, FALL_BACK)
    limit = partial(allowance, w, unit, move=FALL_BACK)
    return find_way_out(w, way, limit, lambda moves: judge_ways(w, moves, way, limit))


@rule("w40k8.move.minimum", neutral=0)
def least_move(w: World8, model: int) -> int:
    """How far a model has to get, in grid steps: the lower number of a Move such as 20-60, and 0 for any other."""
    move = printed(w, model, "move")
    if not isinstance(move, str) or "-" not in move:
        return 0
    more = further(unit_of(w, model)) if w.option("flyers-advance") == "both-numbers" else 0
    return steps(int(move.split("-")[0]) + more)


@kept(EVERYTHING)
@rule("w40k8.move.minimum", neutral=False)
def must_move(w: World8, unit: Unit) -> bool:
    """Whether a unit has a least move, and cannot be left where it is."""
    return any(of_each(w, unit, least_move))


@rule("w40k8.move.minimum", neutral=ALLOWED)
def check_least(w: World8, unit: Unit, bodies: Bodies) -> Verdict:
    """Each point of the base ends at least so far from where it began, whatever the way between."""
    for m, least in zip(w.on_table(unit).tolist(), of_each(w, unit, least_move), strict=True):
        if least and round(far := furthered(w, m, bodies)) < least:
            told = Length(w, far, least)
            text = f'{called(w, m)} would end {told} from where it began, and has to get {units(least):g}".'
            return refuse(text, "w40k8.move.minimum")
    return ALLOWED


@rule("w40k8.move.minimum_crash")
async def crash(b: Battle8, unit: Unit, move: str) -> None:
    """Whoever has no place to get to with its least move is destroyed, and who keeps the others from getting there."""
    judge = partial(judge_going, b, unit)
    while must_move(b, unit) and (stuck := who_is_stuck(b, *flying(b, unit, move), judge)):
        text = f"{called(b, stuck[0])} has nowhere to go with its least move, and crashes."
        b.tell("crashed", text, "w40k8.move.minimum_crash", units=[unit.id])
        await slay(b, stuck[0])
    b.go_on()


def flying(w: World8, unit: Unit, move: str) -> tuple[Passage, list[int], list[tuple[int, int]]]:
    """How a unit gets about, its models, and how far each of them goes at the least and at the most."""
    models = w.on_table(unit).tolist()
    return passage(w, unit, move), models, [(least_move(w, m), allowance(w, unit, m, move)) for m in models]


def flights(w: World8, d: Move, rng: Random | None) -> Iterator[Moves] | None:
    """Flights of those who cannot stay; None for those who can."""
    unit = w.unit(d.unit)
    return flights_beyond(w, *flying(w, unit, d.modes[0].name), rng) if must_move(w, unit) else None


def faces_of_advance(w: World8, unit: Unit) -> tuple[int, ...]:
    """What each face adds to an Advance, in inches."""
    return advance_by_face(w, unit, halved) if slowed(w, unit) else advance_by_face(w, unit)


MARCHING: Final = Marching(passage, allowance, check_hold, lambda: BOOK.embark, flights, way_out, adds=faces_of_advance)

QUESTIONS: Final = {
    "move_with": which_unit(0.02, eligible_to_move),
    "move": how_to_move(MARCHING, judge_move),
    "complete_move": how_to_end(MARCHING, lambda w, d, answer: judge_going(w, w.unit(d.unit), answer)),
}
