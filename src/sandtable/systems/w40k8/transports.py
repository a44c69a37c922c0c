"""Transports: who has room in them, getting in and getting out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.battle import ALLOWED, Moves, Question, Verdict
from sandtable.battle.rolls import Each
from sandtable.forty import passengers as shared
from sandtable.forty.passengers import check_set_up_near, get_out, passengers, put_aboard, tell_of
from sandtable.forty.placing import too_near
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called, called_each
from sandtable.kit.beside import place_beside, room_beside_for, setting_up_beside
from sandtable.kit.ready import is_there, refuse_if
from sandtable.kit.room import Room, Spots, models_to_place, narrowest, placed, rows_of
from sandtable.kit.rounds import mark
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8.attacks import slay, who_can_take
from sandtable.systems.w40k8.battle_round import MOVEMENT
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import enemy_near, model_has_keyword
from sandtable.systems.w40k8.reinforcements import room_for
from sandtable.systems.w40k8.state import MOVED, STATIONARY, Battle8, Unit, World8

WAYS_OUT: Final = ("out", "wreck")
"""How a unit left its transport this turn: of its own will, or because the transport was destroyed."""
OUT, WRECK = WAYS_OUT


@rule("w40k8.transport.capacity", neutral=ALLOWED)
def check_hold(w: World8, transport: Unit, units: Sequence[Unit]) -> Verdict:
    """Friends of the right kind, all of them together no more than there is room for."""
    cited, friends = "w40k8.transport.capacity", lambda w, a, b: not w.are_enemies(a, b)
    return shared.check_hold(w, transport, units, cited, friendly=friends, has_keyword=model_has_keyword)


def has_room_for(w: World8, transport: Unit, unit: Unit) -> Verdict:
    """Whether a unit finds room beside those that are aboard."""
    return check_hold(w, transport, [*passengers(w, transport), unit])


def judge_embark(w: World8, unit: Unit, answer: Moves) -> Verdict:
    """Whether a unit may embark at the end of a move of the Movement phase, or without having moved."""
    transport = w.unit(answer.onto)
    free = not_out_already(unit) and has_room_for(w, transport, unit)
    return free and check_ends_near(w, unit, transport, answer)


@rule("w40k8.transport.same_turn", neutral=ALLOWED)
def not_out_already(unit: Unit) -> Verdict:
    """Nobody embarks in the turn in which it disembarked."""
    return refuse_if(unit.disembarked, unit, "{unit} {has} disembarked this turn.", "w40k8.transport.same_turn")


@rule("w40k8.transport.embark", neutral=ALLOWED)
def check_ends_near(w: World8, unit: Unit, transport: Unit, answer: Moves) -> Verdict:
    """Every model ends within 3" of the transport."""
    id_ = "w40k8.transport.embark"
    return is_there(w, transport, id_) and shared.check_ends_near(w, unit, transport, answer, BOOK.embark, id_)


@rule("w40k8.transport.embark", "w40k8.transport.embarked")
def embark(b: Battle8, unit: Unit, transport: Unit) -> None:
    """A unit gets in and is taken off the table: it does nothing any more, and nothing is done to it."""
    put_aboard(b, unit, transport)
    tell_of(b, "embarked", "embarks in", unit, transport, "w40k8.transport.embark")


def may_disembark(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may disembark now."""
    outside = unit.embarked < 0 or not models_to_place(w, unit)
    aboard = refuse_if(outside, unit, "{unit} {is} in no transport.", "w40k8.transport.disembark")
    return aboard and may_get_out(w, unit) and not_in_already(unit)


@rule("w40k8.transport.disembark", neutral=ALLOWED)
def may_get_out(w: World8, unit: Unit) -> Verdict:
    """Who was aboard when its player's Movement phase began may disembark, before the transport moves."""
    id_, transport = "w40k8.transport.disembark", w.unit(unit.embarked)
    late = unit.player != w.state.active or w.state.game.phase != MOVEMENT
    return (
        refuse_if(late, unit, "{unit} can disembark in its own Movement phase only.", id_)
        and is_there(w, transport, id_)
        and refuse_if(transport.moved not in ("", STATIONARY), transport, "{unit} {has} moved already.", id_)
    )


@rule("w40k8.transport.same_turn", "w40k8.transport.disembark", neutral=ALLOWED)
def not_in_already(unit: Unit) -> Verdict:
    """Nobody disembarks in the turn in which it embarked."""
    return refuse_if(unit.moved, unit, "{unit} {has} embarked this turn.", "w40k8.transport.same_turn")


@rule("w40k8.transport.disembark_acts")
async def disembark(b: Battle8, unit: Unit) -> None:
    """A unit gets out of its transport, and then acts as any other; who finds no place is slain."""
    transport = b.unit(unit.embarked)
    await set_up_beside(b, unit, transport, tuple(b.on_table(transport).tolist()), OUT)


async def set_up_beside(b: Battle8, unit: Unit, transport: Unit, models: tuple[int, ...], how: str) -> tuple[int, ...]:
    """The models that have a place are set up within 3" of the transport, and the others lost; tells who stands."""
    every, id_ = models_to_place(b, unit), "w40k8.transport.disembark_setup"
    saved = who_fits(b, unit, every, models)
    spots: Spots | None = ()
    if saved:
        where, reach = "Where {does} {unit} disembark?", furthest(b, every)
        spots = await b.ask(place_beside(b, unit, "disembark", where, models, reach, id_, models=saved))
    get_out(b, unit, spots or ())
    b.set_unit(unit, disembarked=how)
    has_moved(b, saved)
    tell_of(b, "disembarked", "disembarks from", unit, transport, id_)
    for m in (m for m in every if m not in saved):
        b.tell("no_place", f"{called(b, m)} finds no place and is slain.", id_, units=[unit.id], model=m)
        await slay(b, m)
    return saved


@rule("w40k8.transport.disembark_acts")
def has_moved(b: Battle8, models: Sequence[int]) -> None:
    """Who has disembarked counts as having moved, even without moving on."""
    mark(b, models, MOVED)


@rule("w40k8.transport.disembark_setup", neutral=Argument("models"))
def who_fits(w: World8, unit: Unit, models: tuple[int, ...], transports: tuple[int, ...]) -> tuple[int, ...]:
    """As many models as there is a legal place for."""
    return models[: room_beside_for(w, room_around, unit, models, transports, furthest(w, models))]


def room_around(w: World8, unit: Unit, models: tuple[int, ...], transports: tuple[int, ...], reach: int) -> Room:
    """Room for models of a unit around those of a transport; a search keeps their bases wholly within reach."""
    return room_for(w, unit, (), lambda spots: check_beside(w, unit, spots, transports), BOOK.not_beside, models)


@rule("w40k8.transport.disembark_setup", neutral=ALLOWED)
def check_beside(w: World8, unit: Unit, spots: Spots, transports: Sequence[int]) -> Verdict:
    """The nearest point of every base is within 3" of the transport, and no enemy within 1", exactly 1" included."""
    id_ = "w40k8.transport.disembark_setup"
    bodies, models = placed(w, spots), rows_of(spots)
    if enemy_near(w, unit, bodies, models, BOOK.not_beside) is not None:
        text, enemies = f'{unit.name} must get out more than 1" from the enemy', w.enemies_of(unit.player)
        return too_near(w, text, bodies, models, enemies, BOOK.not_beside, id_, flat=False)
    return check_set_up_near(w, unit, spots, transports, BOOK.embark, id_)


def furthest(w: World8, models: Sequence[int]) -> int:
    """So near everybody is whose nearest point is within 3"; a base need not be wholly inside."""
    return BOOK.embark + min(narrowest(w, m) for m in models)


@rule("w40k8.transport.destroyed", "w40k8.transport.same_turn")
async def abandon(b: Battle8, transport: Unit, model: int) -> None:
    """A transport is destroyed: before it is taken off the table its passengers get out, and some may be slain."""
    if len(b.on_table(transport)) > 1:
        return
    for unit in passengers(b, transport):
        saved = await set_up_beside(b, unit, transport, (model,), WRECK)
        read, cited = Each("slain", needed=BOOK.slain_in_a_wreck + 1, failures=True), "w40k8.transport.destroyed"
        faces = await roll(b, unit, len(saved), "destroyed transport", cited, read=read, value=not_slain)
        await lose_some(b, unit, -not_slain(faces))


def not_slain(faces: Sequence[int]) -> int:
    """What the dice for those who got out come to: the fewer are slain, the better."""
    return -sum(face <= BOOK.slain_in_a_wreck for face in faces)


async def lose_some(b: Battle8, unit: Unit, count: int) -> None:
    """Their player picks who of those who got out is slain, whatever wounds they have left."""
    for _ in range(count):
        options, rules = called_each(b, b.on_table(unit).tolist()), ("w40k8.transport.destroyed",)
        prompt = f"Who of {unit.name} is slain?"
        model = int(str(await b.choose(unit.player, "wreck_loss", prompt, options, rules=rules, unit=unit.id)))
        b.tell("wreck_loss", f"{called(b, model)} is slain in the wreck.", *rules, units=[unit.id], model=model)
        await slay(b, model)


QUESTIONS: Final[dict[str, Any]] = {
    "disembark": setting_up_beside(room_around, may_stay=False),
    "wreck_loss": Question(default=lambda w, d: who_can_take(w, w.unit(d.unit))[0]),
}
