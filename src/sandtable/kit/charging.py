"""The frame of a charge: naming targets, what the roll has to come to, and how likely that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from sandtable.battle.decisions import ChooseSome, Mode, Move, Moves, Option, Value
from sandtable.battle.rolls import Total
from sandtable.battle.state import AnyUnit
from sandtable.battle.system import Question
from sandtable.battle.verdict import Verdict
from sandtable.kit.asking import move_of
from sandtable.kit.closing.contact import Contact, able_models, closer_to_a_unit
from sandtable.kit.closing.least import least_roll
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import agree, does, filled_in
from sandtable.kit.way import Way
from sandtable.table.grid import STEP, steps, units
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle, AnyWorld

U = TypeVar("U", bound=AnyUnit)
ChanceOf: TypeAlias = Callable[[Any, Any, Sequence[Any]], float]
"""(world, unit, targets): the chance that a charge which the unit declares now can be made."""


async def choose_targets(
    b: AnyBattle,
    unit: AnyUnit,
    enemies: Sequence[U],
    rule: str,
    kind: str = "charge_targets",
    prompt: str = "Whom {does} {unit} charge?",
    deed: str = "Charge",
) -> list[U]:
    """Let a player name targets of a charge, or of another move, at least one; of a single one nobody is asked."""
    if len(enemies) < 2:
        return list(enemies)
    chosen: Any = await b.ask(
        ChooseSome(
            player=unit.player,
            kind=kind,
            prompt=filled_in(prompt, unit),
            options=tuple(Option(e.id, e.name, f'{units(b.distance(unit, e)):.1f}"') for e in enemies),
            least=1,
            deed=deed,
            rules=(rule,),
            unit=unit.id,
        )
    )
    return sorted((e for e in enemies if e.id in chosen), key=lambda e: e.id)


def suggest_targets(w: AnyWorld, d: ChooseSome, rng: Random) -> Iterator[tuple[Value, ...]]:
    """Mostly the nearest, sometimes two."""
    near = _nearest_first(w, d)
    if len(near) > 1 and rng.random() < 0.2:
        yield tuple(v for _, v in near[:2])
    yield (near[0][1],) if rng.random() < 0.8 else (rng.choice(near)[1],)


def nearest_target(w: AnyWorld, d: ChooseSome) -> tuple[Value, ...]:
    """The nearest alone."""
    return (_nearest_first(w, d)[0][1],)


WHICH_TARGETS: Final = Question(suggest=suggest_targets, default=nearest_target)
"""The question whom a unit charges, or moves towards."""


def odds_of_targets(chance_of: ChanceOf) -> Callable[[Any, ChooseSome, Sequence[Value]], float]:
    """Of the question whom a unit charges: the chance that a charge at these targets can be made."""
    return lambda w, d, answer: chance_of(w, w.unit(d.unit), [w.unit(int(t)) for t in answer])


def _nearest_first(w: AnyWorld, d: ChooseSome) -> list[tuple[float, int]]:
    unit = w.unit(d.unit)
    return sorted((w.distance(unit, w.unit(int(o.value))), int(o.value)) for o in d.options)


# --- The move ---------------------------------------------------------------------------------------------------------


def others_than(w: AnyWorld, unit: AnyUnit, targets: Sequence[int]) -> tuple[int, ...]:
    """The enemy units on the table that are no targets."""
    return tuple(e.id for e in w.enemies_of(unit.player) if w.is_on_table(e) and e.id not in targets)


def charging(
    w: AnyWorld,
    way: Way,
    far: int,
    targets: tuple[int, ...],
    accept: Callable[[Any, Contact, Moves], Verdict],
    reach: Zone | Ball,
    ladder: tuple[Zone | Ball, ...],
    dice: int,
    **more: Any,
) -> Contact:
    """A move that has to reach every target, by which everybody who moves gets closer to one of them.

    How far it may go need not be known yet: no further than so many dice come to at most.
    """
    return Contact(
        way,
        far,
        able_models(w, way),
        targets,
        accept,
        reach=reach,
        each=True,
        closer=closer_to_a_unit,
        ladder=ladder,
        furthest=6 * dice * STEP,
        **more,
    )


# --- The charge -------------------------------------------------------------------------------------------------------


def tell_declared(b: AnyBattle, unit: AnyUnit, targets: Sequence[AnyUnit], rule: str) -> None:
    """A unit declares a charge."""
    text = f"{does(unit, 'declares')} a charge at {_names(targets)}."
    b.tell("charge_declared", text, rule, units=[unit.id, *(t.id for t in targets)])


def tell_charged(b: AnyBattle, unit: AnyUnit, targets: Sequence[AnyUnit], rule: str) -> None:
    """A charge was made."""
    text = f"{does(unit, 'charges')} {_names(targets)}."
    b.tell("charged", text, rule, units=[unit.id, *(t.id for t in targets)])


def tell_failed(b: AnyBattle, unit: AnyUnit, far: int, rule: str) -> None:
    """A charge failed."""
    text = f'{does(unit, "fails")} {agree(unit, "its")} charge with {far}".'
    b.tell("charge_failed", text, rule, units=[unit.id], far=far)


def _names(targets: Sequence[AnyUnit]) -> str:
    return " and ".join(t.name for t in targets)


def how_to_charge(
    w: AnyWorld, unit: AnyUnit, targets: Sequence[AnyUnit], far: int, modes: Sequence[Mode], *rules: str
) -> Move:
    """The question how a unit charges with a roll of so much..."""
    how, ids = f'{{unit}} {{charges}} up to {far}": how?', [t.id for t in targets]
    return move_of(w, unit, "charge_move", how, modes, *rules, targets=ids, far=steps(far))


def charge_in(w: AnyWorld, d: Move) -> tuple[Any, list[Any], int]:
    """...and who charges whom in it, and how far in grid steps."""
    return w.unit(d.unit), [w.unit(int(t)) for t in d.about["targets"]], int(d.about["far"])


# --- The roll ---------------------------------------------------------------------------------------------------------


def read_roll(w: AnyWorld, c: Contact, dice: int, more: int = 0, names: tuple[str, ...] = ()) -> Total:
    """What the dice have to come to with what is added: the least with which the move can be made; 0 for none found."""
    least = least_roll(w, c, 6 * dice + more)
    if least.moves is None:
        whom = "all targets" if c.each else "a target"
        return Total(f"far enough/no way to {whom} was found for any roll", parts_of(more, names), plus=more)
    return Total("far enough/too short", parts_of(more, names), max(dice, least.roll), plus=more)


def needed_of_dice(read: Total) -> int:
    """What the dice alone have to come to; 0 where no way was found, so that nothing depends on them."""
    return read.needed - read.plus if read.needed else 0


def chance(w: AnyWorld, c: Contact, dice: int, more: int = 0, least: int = 0) -> float:
    """The chance that a charge which is declared now can be made, before anything is rolled again.

    `least` is what the roll comes to at least with what is added, however short the way is.
    """
    need = max(least, least_roll(w, c, 6 * dice + more).roll) - more
    rolls = [sum(faces) for faces in product(range(1, 7), repeat=dice)]
    return sum(roll >= need for roll in rolls) / len(rolls)
