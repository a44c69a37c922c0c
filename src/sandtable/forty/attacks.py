"""From shots to tables by die face: batches of equal shots, and the seam by which an edition compiles them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.attack.volley import Attack, Body, Choices, Procedure, Target, Volley, WoundRoll
from sandtable.battle import Moment
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.attack_rolls import Working, by_models, likeness_of, none_at_all
from sandtable.forty.effects.lasting import attacks_of
from sandtable.forty.effects.weapons import armed_against, changes_to_weapons
from sandtable.forty.effects.words import AttackMade
from sandtable.forty.moments import ATTACKS_MADE, TARGETS_SELECTED
from sandtable.forty.recall import remember_slain
from sandtable.forty.shot import Shot
from sandtable.forty.state import Battle40, World40
from sandtable.kit.attack.defenders import Outcome
from sandtable.kit.attack.resolving import Lot

S = TypeVar("S", bound=Shot)


def by_target(shots: Sequence[S], place: Callable[[Sequence[int], int], int]) -> Iterator[tuple[int, list[S]]]:
    """The shots at each target; `place` says where a target comes among those named, in the order of their naming."""
    targets = list(dict.fromkeys(s.target for s in shots))
    ordered = sorted(shots, key=lambda s: place(targets, s.target))
    for target, group in groupby(ordered, key=lambda s: s.target):
        yield target, list(group)


def in_batches(shots: Sequence[S], alike: Callable[[S], Hashable]) -> tuple[tuple[S, ...], ...]:
    """Shots for which `alike` is equal, together, in the order in which they come."""
    groups: dict[Hashable, list[S]] = {}
    for shot in shots:
        groups.setdefault(alike(shot), []).append(shot)
    return tuple(map(tuple, groups.values()))


def attack_made(unit: Any, shot: Shot, strength: int = 0, toughness: int = 0) -> AttackMade:
    """An attack, as conditions of abilities see it."""
    return AttackMade(unit.id, shot.target, shot.melee, shot.model, shot.half_range, strength, toughness)


class Precision(NamedTuple):
    """What an edition says about attacks that are directed at those whom others protect."""

    precise: Callable[[Any], object]
    """(profile): whether its attacks may be..."""
    whom: Callable[[Any, Any, Any, int], tuple[int, ...]]
    """...and (world, unit, target, model): at which models of the target, when this model makes them."""

    def aimed(self, w: World40, unit: Any, target: Any, shot: S) -> S:
        """A shot, with whom the attacker may pick out if that is not known yet."""
        if shot.aim or not self.precise(shot.weapon):
            return shot
        return msgspec.structs.replace(shot, aim=self.whom(w, unit, target, shot.model))


def as_changed(
    w: World40,
    unit: Any,
    target: Any,
    shots: Sequence[S],
    made: Callable[[Any, S], AttackMade],
    precision: Precision | None = None,
) -> Sequence[S]:
    """Shots with what abilities of both units change about them.

    `made` is the attack as conditions see it, and `precision` says which models the attacker may pick out with a weapon
    that may have become one for that.
    """
    if none_at_all(w):
        return shots
    changes, suffered = changes_to_weapons(w, unit), changes_to_weapons(w, target, "suffered")
    own, apart = by_models(w, unit), tells_apart(w)
    if not changes and not suffered and not own and not apart:
        return shots
    found = []
    for shot in shots:
        attack = made(unit, shot)
        weapon, by = armed_against(w, attack, shot.weapon, changes, suffered)
        likeness = (*likeness_of(w, attack, own), *apart.get(shot.model, ()))
        changed = msgspec.structs.replace(shot, weapon=weapon, by=by, own=likeness)
        found.append(changed if precision is None else precision.aimed(w, unit, target, changed))
    return found


@kept(SETUP)
def tells_apart(w: World40) -> dict[int, tuple[tuple[int, int], ...]]:
    """Models whose attacks are never rolled with those of others, since an ability asks whom they hit themselves."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for number, ability in enumerate(w.setup.data.abilities):
        for j in (j for j, effect in enumerate(ability.effects) if effect.own):
            found |= {m: (*found.get(m, ()), (number, j)) for m in ability.models}
    return found


def without(shots: Sequence[S], ability: str) -> tuple[S, ...]:
    """Shots with weapons that do not have an ability, whatever number stands behind it."""
    rest = [tuple(a for a in s.weapon.abilities if not a.startswith(ability)) for s in shots]
    arms = [msgspec.structs.replace(s.weapon, abilities=left) for s, left in zip(shots, rest, strict=True)]
    return tuple(msgspec.structs.replace(s, weapon=weapon) for s, weapon in zip(shots, arms, strict=True))


def in_turn(
    batches: Sequence[tuple[S, ...]],
    left: Callable[[tuple[S, ...]], tuple[S, ...]],
    volley: Callable[[int, tuple[S, ...]], Volley],
    target: Callable[[int], Target],
) -> Iterator[Lot]:
    """Batches one after the other, each compiled when its turn comes: what is `left` of it then, and its number."""

    def lot(k: int, now: tuple[S, ...]) -> tuple[Volley, Callable[[], Target]]:
        return volley(k, now), partial(target, k)

    for k, batch in enumerate(batches):
        if now := left(batch):
            yield partial(lot, k, now)


async def targets_selected(b: Battle40, unit: Any, shots: Sequence[Shot]) -> None:
    """What happens once a unit has selected all its targets, before it makes its attacks."""
    targets = tuple(dict.fromkeys(s.target for s in shots))
    await b.window(TARGETS_SELECTED, Moment(unit.id, data={"targets": targets, "shots": shots}))


async def after_attacks(
    b: Battle40,
    unit: Any,
    shots: Sequence[Shot],
    outcomes: Mapping[int, Sequence[Outcome]],
    batches: Mapping[int, Sequence[Sequence[Shot]]] = MappingProxyType({}),
) -> None:
    """What lasted for the attacks of a unit ends, and whatever their result sets off happens.

    `batches` are the shots that came to the outcomes, where an edition tells whose attacks hit.
    """
    b.end_effects(lambda e: e.until == attacks_of(unit.id))
    if outcomes:
        results: dict[str, Any] = {
            "melee": shots[0].melee,
            "hit": tuple(t for t, found in outcomes.items() if any(o.hits for o in found)),
            "hurt": tuple(t for t, found in outcomes.items() if any(o.damage for o in found)),
            "destroyed": tuple(m for found in outcomes.values() for o in found for m in o.destroyed),
            "hitters": tuple(
                (t, shot.model)
                for t, shots_at_it in batches.items()
                for batch, outcome in zip(shots_at_it, outcomes[t], strict=False)
                for shot in batch
                if outcome.hits
            ),
        }
        remember_slain(b, unit, results["destroyed"])
        await b.window(ATTACKS_MADE, Moment(unit.id, data=results))


class Compiled(NamedTuple):
    """Shots of one unit at one target, as tables."""

    batches: tuple[tuple[Any, ...], ...]
    """Which shots are rolled together."""
    volleys: tuple[Volley, ...]
    """For each batch; it has a class of saving throw of its own."""
    target: Target
    procedure: Procedure = Procedure.EACH_IN_TURN

    def attack(self, choices: Choices) -> Attack:
        """What the solver and the Monte Carlo kernel take."""
        return Attack(self.volleys, self.target, self.procedure, choices)


class Tables(Protocol):
    """How an edition makes tables of batches, and of the target as they meet it.

    For estimates the first `most` bodies of the target are enough; 0 for all.
    """

    def __call__(
        self, w: Any, unit: Any, target: Any, batches: Sequence[Any], /, most: int = 0
    ) -> tuple[tuple[Volley, ...], Target]: ...


def volleys_of(batches: Sequence[Any], volley: Callable[[Any, int], Volley]) -> tuple[Volley, ...]:
    """Batches as tables, `volley` of each with the class of saving throws that it begins with: no two share one."""
    made: list[Volley] = []
    for batch in batches:
        made.append(volley(batch, sum(len({kind.save for kind in v.kinds}) for v in made)))
    return tuple(made)


def tables_by(
    volley: Callable[[Any, Any, Any, Any, int], Volley],
    target_of: Callable[..., Target],
    w: World40,
    unit: Any,
    target: Any,
    batches: Sequence[Any],
    most: int = 0,
) -> tuple[tuple[Volley, ...], Target]:
    """Batches as tables, each of a class of saving throws of its own, by an edition's volleys and targets."""
    volleys = tuple([volley(w, unit, target, batch, k) for k, batch in enumerate(batches)])
    return volleys, target_of(w, unit, target, batches, most=most)


class Plain(NamedTuple):
    """What an edition says about a weapon when nothing but constant abilities of its bearer is at work."""

    volley: Callable[[Any, Any, bool, int, int, Working], Volley]
    """(world, profile, within half range, models of the target, the face that hits or 0 for its skill, what abilities
    always do): the tables of one weapon; those of the wound roll do not count."""
    wound: Callable[[Any, Any, Any, Working], WoundRoll]
    """(world, profile, datasheet, what abilities always do): the wound roll against it."""
    body: Callable[[Any, Any, Any], Body]
    """(world, datasheet, AP): a model of it."""
    endangers: Callable[[Any], bool]
    """(profile): whether it may harm who uses it."""


class Compile(NamedTuple):
    """The seam: what an edition brings for whoever wants to know what attacks would do."""

    batches: Callable[[Any, Any, Any, Sequence[Any]], tuple[tuple[Any, ...], ...]]
    """(world, unit, target, shots): which of them are rolled together, with what abilities change about weapons."""
    tables: Tables
    plain: Plain | None = None
    """For those who make plans."""
    procedure: Callable[[], Procedure] = lambda: Procedure.EACH_IN_TURN
    """How volleys and targets are joined."""


def compiled(w: World40, unit: Any, target: Any, shots: Sequence[Shot], most: int = 0) -> Compiled:
    """The shots of a unit at one target, by the rules of the battle's edition."""
    compile_ = w.system.seam(Compile)
    batches = compile_.batches(w, unit, target, shots)
    return Compiled(batches, *compile_.tables(w, unit, target, batches, most), compile_.procedure())


def compiled_batches(w: World40, unit: Any, target: Any, batches: Sequence[tuple[Any, ...]]) -> Compiled:
    """The same for shots that are in batches already."""
    compile_ = w.system.seam(Compile)
    return Compiled(tuple(batches), *compile_.tables(w, unit, target, batches), compile_.procedure())
