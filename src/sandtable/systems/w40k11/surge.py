"""Surge moves (21.01, 21.02): towards the closest enemy, at once, when a rule says so."""

from __future__ import annotations

from typing import Final

from sandtable.armies.effects import Move as MoveEffect
from sandtable.battle import ALLOWED, Mode, Move, Moves, Verdict, refuse
from sandtable.forty.closing import check_near_enough, check_nearer
from sandtable.forty.effects import extra_moves
from sandtable.forty.effects.deeds import rolled
from sandtable.forty.effects.occasions import Cause
from sandtable.kit.asking import move_of
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, closer_to_the_nearest_unit
from sandtable.kit.closing.in_force import all_close_in, beside_others, one_alone
from sandtable.kit.closing.joining import joined
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.kit.ready import refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.aircraft import is_prey, may_move
from sandtable.systems.w40k11.concepts import distance
from sandtable.systems.w40k11.engagement import ENGAGEMENT, is_engaged
from sandtable.systems.w40k11.flying import take_to_the_skies, taken_off
from sandtable.systems.w40k11.moving import SURGE, Passage, carry, judge_paths, no_embarking, now
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.systems.w40k11.strategic_reserves import rests
from sandtable.systems.w40k11.terrain import can_move
from sandtable.table.arrange import FAR
from sandtable.table.grid import STEP, steps
from sandtable.table.measure import gaps
from sandtable.table.zones import Zone

RULE: Final = "w40k11.surge.move"
HAIR: Final = STEP // 50
"""So much nobody is asked to be more exact."""


def may_surge(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may make a surge move now."""
    if not w.is_on_table(unit) or not any(can_move(w, int(m)) for m in w.on_table(unit)):
        return refuse(f"{unit.name} cannot move.", "w40k11.datasheet.move_dash")
    return may_stir(w, unit) and is_ready(w, unit) and has_not_moved(w, unit)


def may_stir(w: World11, unit: Unit) -> Verdict:
    """What keeps a unit from every move but an ingress."""
    return may_move(w, unit) and rests(unit, w.state.game.phase) and has_not_surged(w, unit)


@rule("w40k11.surge.eligible", neutral=ALLOWED)
def is_ready(w: World11, unit: Unit) -> Verdict:
    """Neither battle-shocked nor engaged."""
    shocked, engaged = "{unit} {is} battle-shocked and cannot surge.", "{unit} {is} engaged and cannot surge."
    fit = refuse_if(unit.battle_shocked, unit, shocked, "w40k11.surge.eligible")
    return fit and refuse_if(is_engaged(w, unit), unit, engaged, "w40k11.surge.eligible")


@rule("w40k11.surge.eligible", neutral=ALLOWED)
def has_not_moved(w: World11, unit: Unit) -> Verdict:
    """Who has moved this phase does not surge."""
    return refuse_if(unit.stirred == now(w), unit, "{unit} {has} moved this phase.", "w40k11.surge.eligible")


@rule("w40k11.surge.move", neutral=ALLOWED)
def has_not_surged(w: World11, unit: Unit) -> Verdict:
    """Who has surged makes no other move in the phase."""
    return refuse_if(unit.surged == now(w), unit, "{unit} {has} surged this phase and cannot move again.", RULE)


@rule("w40k11.surge.move", neutral=[])
def surge_targets(w: World11, unit: Unit) -> list[Unit]:
    """The closest enemy unit; of several as close, each."""
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and is_prey(w, unit, e)]
    far = [distance(w, unit, e) for e in enemies]
    return [e for e, n in zip(enemies, far, strict=True) if n <= min(far)]


async def surge_move(b: Battle11, unit: Unit, far: int, source: str) -> None:
    """A unit surges so many inches at most, if its player wants."""
    targets = surge_targets(b, unit)
    prompt = f"Towards whom does {unit.name} surge?"
    target = await b.choose_unit(unit.player, "surge_target", prompt, targets, rules=(RULE,))
    if target is None:
        return
    mode, ask = Mode(SURGE, "Surge", surge_distance(far)), "{unit} may surge: how {does} {unit} move?"
    moves = await b.ask(move_of(b, unit, "surge", ask, (mode,), RULE, targets=[target.id]))
    if moves.paths:
        carry(b, unit, moves, surge_of(b, unit, mode.allowance, target.id).way)
        has_surged(b, unit)
        b.tell("surged", f"{source}: {does(unit, 'surges')} towards {target.name}.", RULE, units=[unit.id])


@rule("w40k11.surge.eligible", neutral=0)
def surge_distance(inches: int) -> int:
    """As far as the rule says that lets a unit surge."""
    return steps(inches)


@rule("w40k11.surge.move")
def has_surged(b: Battle11, unit: Unit) -> None:
    """Who has surged does not move again in the phase."""
    b.set_unit(unit, surged=now(b))


# --- Judging ----------------------------------------------------------------------------------------------------------


def surge_of(w: World11, unit: Unit, far: int, target: int) -> Contact:
    """What a surge has to come to."""
    others = closed_to_surges(tuple(e.id for e in w.enemies_of(unit.player) if w.is_on_table(e)), target)
    way = Passage(unit.id, SURGE, others)
    return Contact(
        way,
        far,
        able_models(w, way),
        (target,),
        judge_conditions,
        reach=ENGAGEMENT.range,
        closer=closer_to_the_nearest_unit,
        ladder=(ENGAGEMENT.range, *nearer_and_nearer(w, unit, w.unit(target), far)),
    )


@rule("w40k11.surge.move", neutral=())
def nearer_and_nearer(w: World11, unit: Unit, target: Unit, far: int) -> tuple[Zone, ...]:
    """Who cannot end engaged ends as near as it can: all the way straight on, and around others to a quarter inch."""
    apart = gaps(w.bodies, w.shapes, w.on_table(unit), w.on_table(target))
    first = max(ENGAGEMENT.range.flat, int(apart.min()) - far) + HAIR
    return tuple([Zone(n, FAR) for n in range(first, int(apart.max()), STEP // 4)])


@rule("w40k11.surge.move", neutral=())
def closed_to_surges(enemies: tuple[int, ...], target: int) -> tuple[int, ...]:
    """The unit ends engaged with nobody but its target."""
    return tuple(e for e in enemies if e != target)


def judge_surge(w: World11, c: Contact, answer: Moves) -> Verdict:
    """The conditions, and engaged with the target wherever it is possible; a unit may always stay."""
    if not answer.paths:
        return ALLOWED
    return judge_conditions(w, c, answer) and check_engages(w, c, answer)


@rule("w40k11.surge.move", neutral=ALLOWED)
def judge_conditions(w: World11, c: Contact, answer: Moves) -> Verdict:
    """The paths, and that everybody who moves gets closer to the target."""
    return (
        no_embarking(answer)
        and judge_paths(w, answer, c.way, lambda _: c.far)
        and check_nearer(w, c, answer, after(w, answer), "the surge target", RULE)
    )


@rule("w40k11.surge.move", neutral=ALLOWED)
def check_engages(w: World11, c: Contact, answer: Moves) -> Verdict:
    """A model that can end engaged with the target must: the refusal shows where."""
    return check_near_enough(w, c, answer, c.movers, RULE)


def asked(w: World11, d: Move) -> Plan:
    """The plan of the move in a question."""
    target = int(d.about["targets"][0])
    contact = surge_of(w, w.unit(d.unit), d.modes[0].allowance, target)
    return Plan(contact, judge_surge, (all_close_in, beside_others, one_alone, joined), idle=SURGE)


# --- Abilities that let units surge -----------------------------------------------------------------------------------


def can_go(w: World11, effect: MoveEffect, unit: Unit) -> bool:
    """Whether a unit could make a move that an ability gives."""
    if effect.type != SURGE:
        return extra_moves.can_go(w, effect, unit)
    return bool(may_surge(w, unit)) and bool(surge_targets(w, unit))


async def move_again(b: Battle11, cause: Cause, effect: MoveEffect, unit: Unit) -> None:
    """A unit moves once more, by an ability."""
    far = await rolled(b, cause, effect.distance, "inch(es)")
    move = surge_move if effect.type == SURGE else normal_move
    await act(b, unit, move(b, unit, far, cause.name))


async def normal_move(b: Battle11, unit: Unit, far: int, name: str) -> None:
    """An additional Normal move, through the skies for who takes to them."""
    await take_to_the_skies(b, unit)
    await extra_moves.make_extra_move(b, unit, taken_off(b, unit, steps(far)) // STEP, name, surge=False)
    b.set_unit(unit, skies=False)


QUESTIONS: Final = {"surge": plan.question(asked, plan.parts)}
