"""The Charge phase: who may charge whom, the Charge roll, and the Charge move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    ChooseSome,
    Mode,
    Moment,
    Move,
    Moves,
    Option,
    Question,
    Step,
    Value,
    Verdict,
    refuse,
)
from sandtable.battle.rolls import Total
from sandtable.kit.grammar import agree, does
from sandtable.kit.moving import after, carry_out
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, transports
from sandtable.systems.w40k10.abilities.other_rolls import added, own_reroll
from sandtable.systems.w40k10.abilities.permissions import allows, not_forbidden
from sandtable.systems.w40k10.closing import (
    ACROSS,
    across,
    barricades,
    between,
    close_in,
    contact_instead,
    group_numbers,
    mend,
    unblock,
)
from sandtable.systems.w40k10.concepts import (
    ENGAGEMENT_HEIGHT,
    ENGAGEMENT_RANGE,
    coherency_of,
    is_engaged,
    models_of,
    within,
)
from sandtable.systems.w40k10.dice import offer_reroll, parts_of, total
from sandtable.systems.w40k10.objectives import with_markers
from sandtable.systems.w40k10.paths import CHARGE, Going, can_move, judge_paths, room_for
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, Battle10, Unit, World10
from sandtable.systems.w40k10.suggest import around, mostly_go_on, walk_to
from sandtable.systems.w40k10.triggers import CHARGE_DECLARED, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.systems.w40k10.turn import CHARGE as CHARGE_PHASE
from sandtable.systems.w40k10.turn import begin_phase
from sandtable.table.arrange import arrange
from sandtable.table.grid import TOUCHING, Ints, steps, units
from sandtable.table.measure import area_gap, distances, gaps, linked
from sandtable.table.scatter import bearing, offset
from sandtable.table.shapes import Bodies

CHARGE_RANGE: Final = steps(12)
FAIL: Final = "fail"
LEAST_CHARGE: Final = 2
"""What two dice always come to."""
NEAR_BARRICADE: Final = steps(1)


async def charge_phase(b: Battle10) -> Step:
    """The Charge phase begins; who has an enemy within 12" is looked up now, and only now."""
    await begin_phase(b, CHARGE_PHASE)
    for unit in b.units_of(b.state.active):
        if b.is_on_table(unit) and enemy_is_near(b, unit):
            b.set_unit(unit, near=True)
    return DONE


def enemy_is_near(w: World10, unit: Unit) -> bool:
    """Whether an enemy unit is within charge range."""
    return any(w.is_on_table(e) and within(w, unit, e, CHARGE_RANGE) for e in w.enemies_of(unit.player))


@rule("w40k10.charge.sequence")
async def charge_units(b: Battle10) -> Step:
    """One unit after the other: targets, roll, move."""
    player = b.state.active
    ready = [u for u in b.units_of(player) if eligible_to_charge(b, u)]
    unit = await b.choose_unit(
        player,
        "charge_with",
        "Which unit declares a charge next?",
        ready,
        optional=True,
        rules=("w40k10.charge.sequence",),
    )
    if unit is None:
        return DONE
    targets = await select_targets(b, unit)
    await b.act(unit, charge(b, unit, targets))
    return AGAIN


# --- Who may charge whom ----------------------------------------------------------------------------------------------


def eligible_to_charge(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may declare a charge now."""
    if unit.player != w.state.active:
        return refuse(f"It is not {w.player(unit.player).name}'s Charge phase.", "w40k10.charge.sequence")
    return (
        not_declared(unit)
        and was_near(unit)
        and able_to_charge(w, unit)
        and (ALLOWED if possible_targets(w, unit) else _nobody_in_range(unit))
    )


@rule("w40k10.charge.sequence", neutral=ALLOWED)
def not_declared(unit: Unit) -> Verdict:
    """A unit declares one charge in a phase."""
    if unit.declared:
        return refuse(f"{does(unit, 'has')} declared a charge already.", "w40k10.charge.sequence")
    return ALLOWED


@rule("w40k10.charge.eligible", neutral=ALLOWED)
def was_near(unit: Unit) -> Verdict:
    """There was an enemy within 12" when the phase began."""
    if not unit.near:
        return refuse(f'No enemy was within 12" of {unit.name} when the Charge phase began.', "w40k10.charge.eligible")
    return ALLOWED


def able_to_charge(w: World10, unit: Unit) -> Verdict:
    """Whether a unit could charge at all, in whoever's Charge phase."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k10.charge.eligible")
    if not any(can_move(w, int(m)) for m in w.on_table(unit)):
        return refuse(f"{unit.name} cannot move at all.", "w40k10.datasheet.move_dash")
    return (
        aircraft.may_charge(w, unit)
        and free_to_charge(w, unit)
        and not_after_falling_back(w, unit)
        and transports.may_charge(unit)
        and unengaged(w, unit)
        and not_forbidden(w, unit, "charge", "charge now")
    )


@rule("w40k10.move.advance_limits", "w40k10.charge.eligible", neutral=ALLOWED)
def free_to_charge(w: World10, unit: Unit) -> Verdict:
    """A unit that Advanced cannot charge."""
    if unit.moved == ADVANCE and not allows(w, unit, "advance_and_charge"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k10.charge.eligible", "w40k10.move.advance_limits")
    return ALLOWED


@rule("w40k10.move.fall_back_limits", "w40k10.charge.eligible", neutral=ALLOWED)
def not_after_falling_back(w: World10, unit: Unit) -> Verdict:
    """A unit that Fell Back cannot charge."""
    if unit.moved == FALL_BACK and not allows(w, unit, "fall_back_and_charge"):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k10.charge.eligible", "w40k10.move.fall_back_limits")
    return ALLOWED


@rule("w40k10.charge.eligible", neutral=ALLOWED)
def unengaged(w: World10, unit: Unit) -> Verdict:
    """An engaged unit cannot charge."""
    if is_engaged(w, unit):
        return refuse(f"{does(unit, 'is')} within Engagement Range of the enemy already.", "w40k10.charge.eligible")
    return ALLOWED


def _nobody_in_range(unit: Unit) -> Verdict:
    return refuse(f'No enemy is within 12" of {unit.name}.', "w40k10.charge.targets")


def possible_targets(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units that a unit may charge."""
    return [
        e
        for e in w.enemies_of(unit.player)
        if w.is_on_table(e) and in_charge_range(w, unit, e) and aircraft.may_be_charged(w, unit, e)
    ]


@rule("w40k10.charge.targets", neutral=True)
def in_charge_range(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A target is within 12"; it need not be visible."""
    return within(w, unit, enemy, CHARGE_RANGE)


async def select_targets(b: Battle10, unit: Unit) -> list[Unit]:
    """Select at least one target."""
    enemies = possible_targets(b, unit)
    if len(enemies) < 2:
        return enemies
    chosen = await b.ask(
        ChooseSome(
            player=unit.player,
            kind="charge_targets",
            prompt=f"Whom {agree(unit, 'does')} {unit.name} charge?",
            options=tuple(Option(e.id, e.name, f'{units(b.distance(unit, e)):.1f}"') for e in enemies),
            least=1,
            rules=("w40k10.charge.targets",),
            unit=unit.id,
        )
    )
    return [b.unit(int(e)) for e in sorted(int(v) for v in chosen)]


# --- The charge -------------------------------------------------------------------------------------------------------


async def charge(b: Battle10, unit: Unit, targets: Sequence[Unit], *, heroic: bool = False) -> None:
    """Declare, roll, move."""
    ids = [t.id for t in targets]
    names = " and ".join(t.name for t in targets)
    b.set_unit(unit, declared=True)
    b.tell(
        "charge_declared",
        f"{does(unit, 'declares')} a charge at {names}.",
        "w40k10.charge.targets",
        units=[unit.id, *ids],
    )
    await b.window(CHARGE_DECLARED, Moment(unit.id, data={"targets": ids}))
    far = await charge_roll(b, unit, targets)
    moves = await charge_move(b, unit, targets, far)
    if moves is None or moves.mode == FAIL:
        fail(b, unit, far)
        return
    carry_out(b, moves)
    b.set_unit(unit, charged=True, intervened=heroic)
    b.tell("charged", f"{does(unit, 'charges')} {names}.", "w40k10.charge.move", units=[unit.id, *ids])
    from sandtable.systems.w40k10.stratagems_combat import tank_shock

    await tank_shock(b, unit)
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": CHARGE}))


@rule("w40k10.charge.fail")
def fail(b: Battle10, unit: Unit, far: int) -> None:
    """The unit stays where it is."""
    b.tell(
        "charge_failed",
        f'{does(unit, "fails")} {agree(unit, "its")} charge with {far}".',
        "w40k10.charge.fail",
        units=[unit.id],
        far=far,
    )


@rule("w40k10.charge.roll", neutral=0)
async def charge_roll(b: Battle10, unit: Unit, targets: Sequence[Unit]) -> int:
    """2D6 for the whole unit: how many inches each model may move."""
    more, names = added(b, unit, "charge")
    read = read_charge(b, unit, targets, more, names)
    faces = b.roll(2, "charge", unit.player, rules=("w40k10.charge.roll",), read=read)
    need = read.needed - more
    source = "w40k10.charge.roll"
    faces, spent = await own_reroll(b, unit, ("charge",), "charge", faces, need=need, source=source, read=read)
    faces = await offer_reroll(b, unit, "charge", faces, sum_=True, need=need, read=read, rerolled=spent)
    if more:
        text = f"{unit.name}: {more:+d} to its Charge roll."
        b.tell("charge_roll", text, "w40k10.charge.roll", *names, units=[unit.id])
    return max(0, total(faces) + more)


def read_charge(w: World10, unit: Unit, targets: Sequence[Unit], more: int, names: tuple[str, ...]) -> Total:
    """What a Charge roll has to come to by the distances alone; less is never enough."""
    gaps = [
        float(w.gaps(unit, t).min()) - (ACROSS if _near_barricade(w, t) else ENGAGEMENT_RANGE)
        for t in targets
        if w.is_on_table(t)
    ]
    need = max(LEAST_CHARGE, -int(-max(gaps, default=0.0) // steps(1)))
    return Total("far enough/too short", parts_of(more, names), need, plus=more)


def _near_barricade(w: World10, target: Unit) -> bool:
    """Whether a charge can reach a target across a barricade."""
    features = [(w.terrain.outline[f], int(w.terrain.corners[f])) for f in barricades(w)]
    models = [int(m) for m in w.on_table(target)] if features else []
    return any(area_gap(w.bodies, w.shapes, m, *f) <= NEAR_BARRICADE for m in models for f in features)


async def charge_move(b: Battle10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """The move, or None when there can be none."""
    if not all(b.is_on_table(t) for t in targets) or not may_reach(b, unit, targets, steps(far)):
        return None
    await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": CHARGE}))
    if not may_reach(b, unit, targets, steps(far)):
        return None
    modes = [Mode(CHARGE, "Charge", steps(far))]
    if find_charge(b, unit, targets, steps(far)) is None:
        modes.insert(0, Mode(FAIL, "The charge fails", 0))
    return await b.ask(
        Move(
            player=unit.player,
            kind="charge_move",
            prompt=f'{does(unit, "charges")} up to {far}": how?',
            models=tuple(int(m) for m in b.on_table(unit)),
            modes=tuple(modes),
            rules=("w40k10.charge.move", "w40k10.charge.conditions"),
            unit=unit.id,
            about={"targets": [t.id for t in targets], "far": steps(far)},
        )
    )


def may_reach(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> bool:
    """Whether the distances alone leave a chance to end within reach of every target."""
    reach = far + (ACROSS if barricades(w) else ENGAGEMENT_RANGE)
    return all(float(w.gaps(unit, t).min()) <= reach for t in targets)


# --- Judging a Charge move --------------------------------------------------------------------------------------------


def judge_charge(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether a charge may be made like this."""
    if not transports.no_embarking(answer):
        return transports.no_embarking(answer)
    if answer.mode == FAIL:
        return ALLOWED
    targets = [w.unit(int(t)) for t in d.about["targets"]]
    return judge_charge_move(w, w.unit(d.unit), targets, int(d.about["far"]), answer)


def judge_charge_move(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """All conditions, and base contact wherever it is possible."""

    def look() -> Verdict:
        verdict = judge_conditions(w, unit, targets, far, answer)
        return verdict and check_contact(w, unit, targets, far, answer)

    # The search that proposes a move has it judged, and whoever gives it as an answer again.
    return w.now(("charge_move", unit.id, tuple(t.id for t in targets), far, answer), look)


def judge_conditions(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """The paths, the targets, and that everybody gets closer."""
    bodies = after(w, answer)
    return (
        judge_paths(w, unit, answer, _going(w, unit, targets), lambda _: far)
        and check_targets(w, unit, targets, bodies)
        and check_closer(w, targets, answer, bodies)
    )


def _going(w: World10, unit: Unit, targets: Sequence[Unit]) -> Going:
    ids = {t.id for t in targets}
    others = tuple(e.id for e in w.enemies_of(unit.player) if w.is_on_table(e) and e.id not in ids)
    return Going(CHARGE, closed_to_chargers(others))


@rule("w40k10.charge.conditions", neutral=())
def closed_to_chargers(others: tuple[int, ...]) -> tuple[int, ...]:
    """The Engagement Range of enemies that are no targets is closed."""
    return others


@rule("w40k10.charge.conditions", neutral=ALLOWED)
def check_targets(w: World10, unit: Unit, targets: Sequence[Unit], bodies: Bodies) -> Verdict:
    """The unit ends within Engagement Range of every target, or up against a barricade with the target behind it."""
    models = w.on_table(unit)
    for target in targets:
        theirs = w.on_table(target)
        if linked(bodies, w.shapes, models, theirs, ENGAGEMENT_RANGE, ENGAGEMENT_HEIGHT):
            continue
        if not reached_across(w, bodies, models, theirs):
            return refuse(
                f"{unit.name} would not end within Engagement Range of {target.name}.", "w40k10.charge.conditions"
            )
    return ALLOWED


@rule("w40k10.terrain.barricade_charge", neutral=False)
def reached_across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> bool:
    """Whether a model stands up against a barricade, no more than 2" from an enemy that is within 1" behind it."""
    pairs = across(w, bodies, models, enemies)
    for i, j in zip(*np.nonzero(pairs), strict=True):
        for f in barricades(w):
            outline, corners = w.terrain.outline[f], int(w.terrain.corners[f])
            if (
                area_gap(bodies, w.shapes, int(enemies[j]), outline, corners) <= NEAR_BARRICADE
                and area_gap(bodies, w.shapes, int(models[i]), outline, corners) <= TOUCHING
            ):
                return True
    return False


@rule("w40k10.charge.move", neutral=ALLOWED)
def check_closer(w: World10, targets: Sequence[Unit], answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to one of the targets."""
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    if not len(moved):
        return refuse("Nobody moves.", "w40k10.charge.move")
    closer = np.zeros(len(moved), dtype=np.bool_)
    for target in targets:
        theirs = w.on_table(target)
        before = distances(w.bodies, w.shapes, moved, theirs).min(axis=1)
        closer |= distances(bodies, w.shapes, moved, theirs).min(axis=1) < before
    if closer.all():
        return ALLOWED
    return refuse("Every model that moves must end closer to one of the targets.", "w40k10.charge.move")


@rule("w40k10.charge.base_contact", neutral=ALLOWED)
def check_contact(w: World10, unit: Unit, targets: Sequence[Unit], far: int, answer: Moves) -> Verdict:
    """A model that can end in base contact must: the refusal shows where."""
    enemies = models_of(w, targets)
    better = contact_instead(
        w,
        unit,
        answer,
        _going(w, unit, targets),
        far,
        enemies,
        lambda moves: judge_conditions(w, unit, targets, far, moves),
    )
    if better is None:
        return ALLOWED
    return refuse(
        "A model that can end its Charge move in base contact with an enemy must do so.",
        "w40k10.charge.base_contact",
        instead=better,
    )


# --- Finding one ------------------------------------------------------------------------------------------------------


def find_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """A legal Charge move, if a bounded search finds one."""
    key = ("find_charge", unit.id, tuple(t.id for t in targets), far, w.state.game.removed)
    return w.cached(key, lambda: (_find_charge(w, unit, targets, far),))[0]


def _find_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    movers = np.array([m for m in w.on_table(unit) if can_move(w, int(m))], dtype=np.int64)
    going = _going(w, unit, targets)
    enemies = models_of(w, targets)
    near = enemies[gaps(w.bodies, w.shapes, movers, enemies).min(axis=0) <= far + ENGAGEMENT_RANGE]
    if all(np.isin(w.on_table(t), near).any() for t in targets):
        first = close_in(w, unit, movers, near, going, far, group_numbers(w, targets, near))
        ways: tuple[Callable[[], Moves], ...] = (
            lambda: first,
            lambda: unblock(w, unit, first, going, far, near),
            lambda: around(w, unit, first, going, lambda _: far),
        )
        for way in ways:
            found = mend(way(), lambda m: judge_charge_move(w, unit, targets, far, m))
            if found is not None:
                return found
    for moves in _to_barricade(w, unit, movers, targets, far):
        found = mend(moves, lambda m: judge_charge_move(w, unit, targets, far, m))
        if found is not None:
            return found
    return None


def _to_barricade(w: World10, unit: Unit, movers: Ints, targets: Sequence[Unit], far: int) -> Iterator[Moves]:
    """Moves that bring one model up against a barricade with a target behind it, and the others after it."""
    if not barricades(w) or len(targets) != 1:
        return
    theirs = w.on_table(targets[0])
    gap = gaps(w.bodies, w.shapes, movers, theirs)
    order = np.argsort(gap.min(axis=1), kind="stable")[:3]
    for i in order:
        lead, enemy = int(movers[i]), int(theirs[int(gap[i].argmin())])
        for f in barricades(w):
            spot = _against(w, lead, enemy, f)
            if spot is None:
                continue
            moved = w.bodies.pos.copy()
            moved[lead] = spot
            rest = movers[movers != lead]
            shift = moved[lead] - w.bodies.pos[lead]
            x, y, _ = w.bodies.pos[rest].sum(axis=0) // max(1, len(rest)) + shift
            found = arrange(
                with_markers(w, Bodies(moved, w.bodies.facing, w.bodies.shape)),
                w.shapes,
                w.terrain,
                rest,
                anchor=(int(x), int(y)),
                shape="keep",
                turn=False,
                allowance=far,
                clear=room_for(w, unit, _going(w, unit, targets)),
                coherency=coherency_of(len(w.on_table(unit))),
                staying=np.array([lead], dtype=np.int64),
            )
            pos = np.concatenate((moved[lead : lead + 1], found.pos))
            yield walk_to(w, CHARGE, np.concatenate((np.array([lead], dtype=np.int64), rest)), pos)


def _against(w: World10, model: int, enemy: int, feature: int) -> Ints | None:
    """The place where a model that goes straight for an enemy meets a barricade; None where it never does."""
    outline, corners = w.terrain.outline[feature], int(w.terrain.corners[feature])
    start, goal = w.bodies.pos[model].copy(), w.bodies.pos[enemy]
    pos = w.bodies.pos.copy()
    bodies = Bodies(pos, w.bodies.facing, w.bodies.shape)
    low, high = 0, 1024
    pos[model, :2] = goal[:2]
    if area_gap(bodies, w.shapes, model, outline, corners) > 0 and not between(w, w.bodies, model, enemy, feature):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        pos[model, :2] = start[:2] + (goal - start)[:2] * middle // 1024
        if area_gap(bodies, w.shapes, model, outline, corners) > TOUCHING / 2:
            low = middle
        else:
            high = middle
    # Between two of these places the last few steps are taken one by one.
    pos[model, :2] = start[:2] + (goal - start)[:2] * low // 1024
    ahead = int(bearing(int(goal[0] - start[0]), int(goal[1] - start[1])))
    for _ in range(64):
        gap = area_gap(bodies, w.shapes, model, outline, corners)
        if gap <= 1.0:
            break
        x, y = offset(int(pos[model, 0]), int(pos[model, 1]), ahead, max(1, int(gap / 2)))
        pos[model, :2] = x, y
    return pos[model] if 0 <= area_gap(bodies, w.shapes, model, outline, corners) <= TOUCHING else None


# --- Suggestions ------------------------------------------------------------------------------------------------------


def default_charge(w: World10, d: Move) -> Moves:
    """The Charge move that the search found."""
    targets = [w.unit(int(t)) for t in d.about["targets"]]
    return find_charge(w, w.unit(d.unit), targets, int(d.about["far"])) or Moves(FAIL)


def suggest_charge(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """The move that was found, sometimes without those who do not matter."""
    best = default_charge(w, d)
    if best.mode == CHARGE and len(best.paths) > 2 and rng.random() < 0.3:
        keep = sorted(rng.sample(range(len(best.paths)), len(best.paths) - 1))
        yield Moves(CHARGE, tuple(best.paths[i] for i in keep))
    yield best


def suggest_targets(w: World10, d: ChooseSome, rng: Random) -> Iterator[tuple[Value, ...]]:
    """Mostly the nearest, sometimes two."""
    unit = w.unit(d.unit)
    near = sorted((w.distance(unit, w.unit(int(o.value))), int(o.value)) for o in d.options)
    if len(near) > 1 and rng.random() < 0.2:
        yield tuple(v for _, v in near[:2])
    yield (near[0][1],) if rng.random() < 0.8 else (rng.choice(near)[1],)


QUESTIONS: Final = {
    "charge_with": Question(why_unit=lambda w, d, u: eligible_to_charge(w, w.unit(u)), suggest=mostly_go_on(0.1)),
    "charge_targets": Question(suggest=suggest_targets),
    "charge_move": Question(judge=judge_charge, suggest=suggest_charge, default=default_charge),
}
