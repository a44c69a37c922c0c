"""A target as attacks and mortal wounds meet it: its models, with what saves each of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.attack.volley import NEVER, Body, Target, Why
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.saves import Guard, Pain, pain_of, pains, save_reroll
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.state import Unit, World40, sheet_of
from sandtable.forty.why import why_no_pain


class Throw(NamedTuple):
    """A saving throw: the face that is needed, what it is made of, and the rules and abilities to cite."""

    face: int
    why: Why
    cites: tuple[str, ...] = ()


def psychic_hurts(
    shots: Sequence[Any], current: int, devastating: Callable[[Any], bool], psychic: Callable[[Any], bool]
) -> tuple[bool, bool]:
    """Whether the wounds, and whether the mortal wounds, come from psychic weapons alone.

    `current` is the shot that is about to be resolved; -1 for all of them together.
    """
    wounds = [psychic(shot.weapon) for shot in (shots[current : current + 1] if current >= 0 else shots)]
    mortal = [psychic(shot.weapon) for shot in shots if devastating(shot.weapon)]
    return bool(wounds) and all(wounds), bool(mortal) and all(mortal)


def feel_no_pain(sheet: Any) -> int:
    """The best Feel No Pain among the abilities of a datasheet."""
    name = "feel no pain"
    found = [int(a.removeprefix(name).strip().removesuffix("+")) for a in sheet.abilities if a.startswith(name)]
    return min(found, default=NEVER)


@kept(SETUP)
def own_pain(w: World40, model: int) -> int:
    """That of a model."""
    return feel_no_pain(sheet_of(w, model))


def why_ignoring(rule: str, bodies: Sequence[Body]) -> tuple[str, ...]:
    """The rule, and the abilities, by which bodies may ignore wounds."""
    return tuple(dict.fromkeys((rule, *(p.source for x in bodies for p in x.pain_why))))


def unhurt(sheet: Any, save: int) -> Body:
    """A model of a datasheet that has taken no harm, with such a save."""
    return Body(0, sheet.wounds, sheet.wounds, (save,), pain=feel_no_pain(sheet))


class Facing(NamedTuple):
    """What an edition says about models that are attacked."""

    who: Callable[[Any, Any], tuple[int, ...]]
    """(world, target): who can be given an attack, in the order in which their owner would rather lose them."""
    pain: Callable[[Any, int], int]
    """(world, model): the face that keeps a wound from being lost, by its datasheet."""
    keeps: bool
    """Who was given an attack takes the next one, too."""
    cites: tuple[str, ...]
    pain_cites: Callable[[Sequence[Body]], tuple[str, ...]]
    """(bodies): the rules by which some of them may keep wounds from being lost."""
    marked: Callable[[Any, int], bool] = lambda w, model: False
    """(world, model): whether it was given an attack before."""
    rank: Callable[[Any, Any, int], int] = lambda w, target, model: 0
    """(world, target, model): behind how many others it is safe."""
    full: Callable[[int], int] = lambda wounds: wounds
    """(wounds of its datasheet): with fewer left it has to take the next attack."""
    more_pain: Callable[[Any, int], tuple[int, ...]] = lambda w, model: ()
    """(world, model): further faces that keep wounds from being lost, each rolled for after the one before."""


def faced(
    w: World40,
    facing: Facing,
    target: Unit,
    models: Sequence[int],
    guard: Guard,
    throws: Callable[[int], Sequence[Throw]] = lambda model: (),
    kinds: Iterable[Hashable] = (),
    hurts: tuple[bool, bool] = (False, False),
    profile: Callable[[int], tuple[int, ...]] = lambda model: (),
) -> Target:
    """Models of a target as attacks see them.

    `throws` are the saving throws of a model, one for each class. Those of the same datasheet and the same of `kinds`,
    on whom the same abilities work, differ only in what happened to them. `hurts` tells whether the wounds, and whether
    the mortal wounds, come from Psychic Attacks. Where saves are sorted, models of the same `profile` form a group.
    """
    kits, idle = w.setup.data.kits, guard.idle
    known: dict[tuple[object, ...], Body] = {}
    cites = dict.fromkeys(facing.cites)
    found = []
    for m, kind in zip(models, kinds or models, strict=True):
        key = (kits[m].sheet, kind, () if idle else guard.kind(w, m))
        if key in known:
            wounds = int(w.state.models.wounds[m])
            found.append(msgspec.structs.replace(known[key], model=m, wounds=wounds, marked=facing.marked(w, m)))
            continue
        body = known[key] = _body(w, facing, target, m, throws(m), guard, hurts, cites, profile(m))
        found.append(body)
    return Target(tuple(found), keeps=facing.keeps, cites=tuple(cites), pain_cites=facing.pain_cites(found))


def _body(
    w: World40,
    facing: Facing,
    target: Unit,
    model: int,
    throws: Sequence[Throw],
    guard: Guard,
    hurts: tuple[bool, bool],
    cites: dict[str, None],
    profile: tuple[int, ...],
) -> Body:
    sheet, own = sheet_of(w, model), facing.pain(w, model)
    hurt = pain_of(w, guard.pain, model, own, *hurts) if guard.pain else Pain(own, own)
    again, by = ((), ()) if guard.idle else save_reroll(w, guard, model)
    for t in throws:
        cites.update(dict.fromkeys(t.cites))
    cites.update(dict.fromkeys(by))
    return Body(
        model,
        int(w.state.models.wounds[model]),
        facing.full(sheet.wounds),
        tuple([t.face for t in throws]),
        again,
        hurt.normal,
        hurt.mortal if hurt.mortal != hurt.normal else 0,
        marked=facing.marked(w, model),
        rank=int(facing.rank(w, target, model)),
        group=sheet.name,
        save_why=tuple([t.why for t in throws]),
        save_reroll_cites=by,
        pain_why=why_no_pain(hurt) if hurt.names else (),
        more_pain=facing.more_pain(w, model),
        profile=profile,
    )


def without_saves(w: World40, facing: Facing, target: Unit, alone: int = -1, *, psychic: bool = False) -> Target:
    """A unit as mortal wounds from anywhere, `psychic` or not, meet it, or one model of it `alone`."""
    guard = Guard(AttackMade(-1, target.id, False), pain=pains(w, target))
    models = [m for m in facing.who(w, target) if alone in (-1, m)]
    return faced(w, facing, target, models, guard, hurts=(False, psychic))
