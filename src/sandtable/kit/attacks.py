"""Resolving attacks in a battle, each in turn: roll to hit, roll to wound, allocate, save, damage.

Hit and wound rolls are made in one batch. Then the wounds are walked through in the order of the attacks: each is given
to a model, saved and inflicted before the next. Where nothing can depend on it, the saves of several wounds are rolled
in one batch, and that batch is then walked through in the same order; so the result is that of one attack at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sandtable.attack.volley import NEVER, NO_SAVE, NO_WOUND, Body, Cites, DiceSum, Target, Volley, WoundKind
from sandtable.battle.decisions import Value
from sandtable.battle.system import Question
from sandtable.kit.attack_outcome import Due, Outcome, count, figures, losses, story
from sandtable.kit.attack_rolls import NO_HOOKS, REROLL_QUESTION, Hooks, Roll, Roller, reroll_one
from sandtable.kit.attack_target import Standing
from sandtable.kit.grammar import does

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

__all__ = ["QUESTIONS", "Due", "Hooks", "Outcome", "Roll", "reroll_one", "resolve", "resolve_all", "suffer"]

#: For a system's `questions`: the defaults of what is asked here. "allocate" and "aim" need none of their own.
QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType({"reroll": REROLL_QUESTION})

FEEL_NO_PAIN: Final = "feel no pain"


@dataclass
class _Run:
    """One resolution while it runs."""

    b: AnyBattle
    unit: int
    against: int
    hooks: Hooks
    standing: Standing
    cites: dict[str, None] = field(default_factory=dict)
    cited: set[Cites] = field(default_factory=set)
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    wounds: int = 0
    unsaved: int = 0
    damage: int = 0
    destroyed: list[int] = field(default_factory=list)
    mortal: list[Due] = field(default_factory=list)

    def cite(self, cites: Cites) -> None:
        if cites and cites not in self.cited:
            self.cited.add(cites)
            self.cites.update(dict.fromkeys(cites))

    def after_roll(self) -> None:
        """Where the edition or a player may step in after a roll, who takes attacks is looked at anew."""
        if self.hooks.watches or self.standing.asks_always:
            self.standing.look_again()

    @cached_property
    def attacker(self) -> Roller:
        return Roller(self.b, self.b.unit(self.unit).player, self.unit, self.hooks)

    @cached_property
    def defender(self) -> Roller:
        return Roller(self.b, self.b.unit(self.against).player, self.against, self.hooks)

    def outcome(self) -> Outcome:
        return Outcome(
            self.attacks,
            self.hits,
            self.criticals,
            self.wounds,
            self.unsaved,
            self.damage,
            tuple(self.destroyed),
            tuple(self.mortal),
        )


async def resolve_all(
    b: AnyBattle,
    volleys: Iterable[Callable[[], Volley]],
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    unit: int,
    against: int,
    mortal_rules: Cites = (),
) -> tuple[Outcome, ...]:
    """All volleys of a unit at one target, one after the other, and then the mortal wounds that were held back.

    Volleys are compiled only when their turn comes, since what happened before may change them.
    """
    outcomes = []
    for compiled in volleys:
        outcomes.append(await resolve(b, compiled(), target, hooks, unit=unit, against=against))
    due = [d for o in outcomes for d in o.mortal]
    if due:
        outcomes.append(await suffer(b, due, target, hooks, unit=unit, against=against, rules=mortal_rules))
    return tuple(outcomes)


async def resolve(
    b: AnyBattle,
    volley: Volley,
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    unit: int,
    against: int,
) -> Outcome:
    """Resolve one volley of `unit` at the unit `against`.

    `target` is asked for the bodies once, before the first die. Held mortal wounds are not inflicted but returned: give
    them to `suffer` when the last volley of the unit at this target is done. Against a target that is gone nothing is
    rolled.
    """
    run = _Run(b, unit, against, hooks, Standing(b, target(), against))
    if not run.standing.alive():
        return Outcome()
    run.cite(volley.cites)
    slots = await _roll_to_hit(run, volley)
    wounds = await _roll_to_wound(run, volley, slots)
    run.wounds = len(wounds)
    await _walk(run, volley, wounds)
    outcome = run.outcome()
    _tell(run, volley.name, outcome)
    return outcome


async def suffer(
    b: AnyBattle,
    due: Sequence[Due],
    target: Callable[[], Target],
    hooks: Hooks = NO_HOOKS,
    *,
    against: int,
    unit: int = -1,
    rules: Cites = (),
) -> Outcome:
    """Let a unit suffer mortal wounds, point by point, from an attack or from anything else."""
    run = _Run(b, unit, against, hooks, Standing(b, target(), against))
    if not run.standing.alive():
        return Outcome()
    run.cite(rules)
    for each in due:
        await _suffer(run, each)
    outcome = run.outcome()
    total = sum(d.points for d in due)
    text = f"{does(b.unit(against), 'suffers')} {count(total, 'mortal wound')}: {losses(outcome)}."
    units = [u for u in (unit, against) if u >= 0]
    b.tell("mortal-wounds", text, *run.cites, units=units, points=total, **figures(outcome))
    return outcome


# ---------------------------------------------------------------------- hit and wound


async def _roll_to_hit(run: _Run, volley: Volley) -> list[int | None]:
    """The hits, in the order of the attacks: None for one that needs a wound roll, else a kind of wound."""
    run.attacks = await _number_of_attacks(run, volley)
    roll = volley.hit
    faces = (
        await run.attacker.stage("hit", roll, run.attacks, _stake(run, volley)) if roll.rolled else (6,) * run.attacks
    )
    run.cite(roll.cites)
    sums = [e for f in faces if (e := roll.faces[f - 1].extra) is not None]
    extra = iter(await run.attacker.numbers("extra hits", sums, roll.cites) if sums else ())
    slots: list[int | None] = []
    for f in faces:
        face = roll.faces[f - 1]
        if face.wounds:
            slots += [volley.automatic] * face.wounds
        hits = face.hits if face.extra is None else face.hits + next(extra)
        if hits:
            slots += [None] * hits
        if face.critical:
            run.criticals += 1
        if face.cites and face.success:
            run.cite(face.cites)
    run.hits = len(slots)
    return slots


async def _number_of_attacks(run: _Run, volley: Volley) -> int:
    if all(s.each.fixed for s in volley.shots):
        return sum(s.weapons * max(0, s.each.least, s.each.plus) for s in volley.shots)
    each = [s.each for s in volley.shots for _ in range(s.weapons)]
    return sum(max(0, n) for n in await run.attacker.numbers("attacks", each, volley.cites))


async def _roll_to_wound(run: _Run, volley: Volley, slots: list[int | None]) -> list[WoundKind]:
    """The wounds, in the order of the attacks."""
    roll = volley.wound
    rolls = slots.count(None)
    faces = iter(await run.attacker.stage("wound", roll, rolls, _stake(run, volley)) if roll.rolled else (6,) * rolls)
    if rolls:
        run.cite(roll.cites)
    wounds = []
    for slot in slots:
        if slot is not None:
            wounds.append(volley.kinds[slot])
            continue
        face = roll.faces[next(faces) - 1]
        if face.kind != NO_WOUND:
            run.cite(face.cites)
            wounds.append(volley.kinds[face.kind])
    for wound in wounds:
        run.cite(wound.cites)
    return wounds


def _stake(run: _Run, volley: Volley) -> float:
    """How many wounds hang on one attack, where somebody looks at it."""
    if not run.hooks.watches:
        return 1.0
    return max((k.damage.mean for k in volley.kinds if k.damage is not None), default=1.0)


# ---------------------------------------------------------------------- allocate, save, damage


async def _walk(run: _Run, volley: Volley, wounds: list[WoundKind]) -> None:
    """Go through the wounds one by one, in the order of the attacks."""
    place = 0
    while place < len(wounds) and run.standing.somebody():
        batch = _fast(run, volley, wounds[place:])
        saved = await _save_together(run, batch) if len(batch) > 1 else [None]
        for wound, save in zip(batch, saved, strict=True):
            await _one_wound(run, volley, wound, save)
        place += len(batch)


def _fast(run: _Run, volley: Volley, wounds: list[WoundKind]) -> list[WoundKind]:
    """The next wounds whose saves can be rolled together: never those with random damage, or that may be aimed."""
    plain = 0
    most = 0
    for wound in wounds:
        if volley.aim or not volley.together or wound.mortal is not None or wound.damage is None:
            break
        if wound.in_turn and not wound.damage.fixed:
            break
        plain += 1
        most = max(most, wound.damage.most)
    return wounds[: min(plain, run.standing.sure(most))] if plain > 1 else wounds[:1]


async def _save_together(run: _Run, batch: list[WoundKind]) -> list[bool | None]:
    """Save dice of wounds that meet equal bodies; None for a wound that nothing can save."""
    standing = run.standing
    body = standing.candidates(standing.alive())[0]
    needed = [_needed(body, wound) for wound in batch]
    rolled = [n for n in needed if n < NEVER]
    stake = max((w.damage.mean for w in batch if w.damage is not None), default=1.0) if run.hooks.watches else 1.0
    run.after_roll()
    made = iter(await run.defender.checks("save", rolled, body.save_reroll, standing.target.cites, stake, body.model))
    return [next(made) if n < NEVER else None for n in needed]


async def _one_wound(run: _Run, volley: Volley, wound: WoundKind, save: bool | None) -> None:
    """Allocate, save and inflict one wound; `save` is known where it was rolled in a batch."""
    standing = run.standing
    if not standing.somebody():
        return
    aimed = await _aim(run, volley) if volley.aim else None
    if wound.damage is not None:
        body = aimed or await standing.choose("an attack")
        if body is None:
            return
        _give(run, body)
        run.cite(standing.target.cites)
        if save is None:
            save = await _save(run, body, wound)
        if not save:
            run.unsaved += 1
            await _inflict(run, body, await _points(run, wound.damage, wound.cites), body.pain)
    if wound.mortal is not None:
        points = await _points(run, wound.mortal.points, wound.cites)
        due = Due(points, wound.mortal.spill, aimed.model if aimed is not None else -1)
        if wound.mortal.held:
            run.mortal.append(due)
        else:
            await _suffer(run, due)


async def _points(run: _Run, number: DiceSum, cites: Cites) -> int:
    """Damage or mortal wounds of one wound."""
    if number.fixed:
        return max(number.least, number.plus)
    run.standing.look_again()
    return (await run.attacker.numbers("damage", [number], cites))[0]


async def _aim(run: _Run, volley: Volley) -> Body | None:
    """Let the attacker direct the wound at a body that others protect."""
    run.standing.look_again()
    alive = run.standing.alive()
    front = run.standing.front(alive)
    offered = [x for x in alive if x.model in volley.aim and x.rank > front[0].rank]
    if not offered:
        return None
    model: Value | None = await run.b.choose(
        run.attacker.player,
        "aim",
        "Direct this attack at",
        run.standing.options(offered),
        optional=True,
        rules=volley.aim_cites,
        unit=run.unit,
    )
    if model is None:
        return None
    run.cite(volley.aim_cites)
    return next(x for x in offered if x.model == model)


def _give(run: _Run, body: Body) -> None:
    if run.standing.target.keeps:
        run.standing.take(body)
        run.hooks.allocated(run.b, body.model)


def _needed(body: Body, wound: WoundKind) -> int:
    return NEVER if wound.save == NO_SAVE else body.saves[wound.save]


async def _save(run: _Run, body: Body, wound: WoundKind) -> bool:
    needed = _needed(body, wound)
    if needed >= NEVER:
        return False
    stake = wound.damage.mean if run.hooks.watches and wound.damage is not None else 1.0
    run.after_roll()
    cites = run.standing.target.cites
    return (await run.defender.checks("save", [needed], body.save_reroll, cites, stake, body.model))[0]


async def _inflict(run: _Run, body: Body, points: int, pain: int) -> int:
    """Take wounds off a body, at most those it has; the points that are left over."""
    b = run.b
    before = wounds = run.standing.wounds(body)
    while points > 0 and wounds > 0:
        # As many dice as can be needed: the last of them is the first that could destroy the model.
        step = min(points, wounds)
        kept: list[bool] = []
        if pain < NEVER:
            run.cite(run.standing.target.pain_cites)
            run.after_roll()
            kept = await run.defender.checks(FEEL_NO_PAIN, [pain] * step, rules=run.standing.target.pain_cites)
        points -= step
        wounds -= step - sum(kept)
    if wounds < before:
        run.damage += before - wounds
        b.set_wounds(body.model, wounds)
    if wounds == 0:
        run.destroyed.append(body.model)
        run.standing.look_again()
        await run.hooks.destroy(b, body.model)
    return points


async def _suffer(run: _Run, due: Due) -> None:
    """Mortal wounds, one after the other, as long as there are points and bodies."""
    points, first = due.points, due.first
    while points > 0:
        body = _first(run, first) or await run.standing.choose("a mortal wound")
        if body is None:
            return
        _give(run, body)
        # Point by point; but where one body has to take all that come, they can be taken at once.
        at_once = points if _takes_all(run, body, due) else 1
        left = await _inflict(run, body, at_once, body.pain_against_mortal)
        points += left - at_once
        if not due.spill:
            if run.standing.wounds(body) <= 0:
                return
            first = body.model


def _first(run: _Run, model: int) -> Body | None:
    """The body that is to take mortal wounds before all others, while it stands."""
    if model < 0:
        return None
    run.standing.look_again()
    return next((x for x in run.standing.alive() if x.model == model), None)


def _takes_all(run: _Run, body: Body, due: Due) -> bool:
    """Whether a body takes every further point for as long as it stands."""
    standing = run.standing
    if due.first == body.model or not due.spill:
        return True
    if standing.holds(body):
        return True
    front = standing.front(standing.alive())
    return standing.target.keeps and standing.forced(front) == [body]


def _tell(run: _Run, name: str, outcome: Outcome) -> None:
    text = f"{name}, {count(outcome.attacks, 'attack')}: {story(outcome)}."
    run.b.tell("attack", text, *run.cites, units=[run.unit, run.against], **figures(outcome))
