"""Destroyed models that come back: who, with how many wounds, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sandtable.battle import ALLOWED, GONE, TABLE, ChooseSome, Effect, Option, Place, Question, Spot, Verdict
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.effects.words import Deeds, Words
from sandtable.forty.state import Battle40, Unit, World40, sheet_of
from sandtable.kit.dice import read_amount, read_as
from sandtable.kit.grammar import counted
from sandtable.kit.room import placed, put_down, rows_of
from sandtable.table.coherency import Coherency
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.moves import Code, may_end, obstacles
from sandtable.table.scatter import offset
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links

WAYS: Final = 12
"""Directions around a comrade in which a place for a model is looked for..."""
PACES: Final = (STEP // 16, STEP, 3 * STEP // 2)
"""...and gaps between the two."""
RISEN: Final = "risen"
"""Kind of effect: the model in its value stood up again in this battle."""
RINGS: Final = 24
"""Rings of half an inch around the place where a model fell."""


def is_trooper(w: World40, unit: Unit, model: int) -> bool:
    """Whether a model is neither a Leader nor another CHARACTER."""
    return model not in unit.leader and not w.system.seam(Words).model_has_keyword(w, model, "CHARACTER")


@dataclass(frozen=True)
class Returns:
    """What an edition says about models that come back."""

    together: Callable[[int], Coherency]
    """(how many): how so many models have to stand together."""
    free: Callable[[World40, Bodies, Ints], Verdict]
    """(world, bodies, models): is there room for them where they would stand?"""
    coherent: Callable[[World40, Any, Bodies, Ints], Verdict]
    """(world, unit, bodies, models): would all models of the unit stand together?"""
    may_stand: Callable[[World40, Any, Bodies, Ints], Verdict]
    """(world, unit, bodies, models): may they stand there, as far as ground, markers and enemies are concerned?"""
    set_up_rule: str
    """The rule that says where."""
    is_alone: Callable[[World40, Any], bool] = lambda w, unit: not w.is_on_table(unit)
    """(world, unit): is nobody left who would miss them?"""
    left_for_good: Callable[[Any], Sequence[int]] = lambda unit: ()
    """(unit): the models that are gone, but were not slain."""
    most: Callable[[World40, Any], int] = lambda w, unit: len(unit.models)
    """(world, unit): how many come back at most."""
    reanimates: Callable[[World40, Any, int], bool] = is_trooper
    """(world, unit, model): can a destroyed model be reanimated?"""
    apart: Callable[[World40, Any, Bodies, Ints], Verdict] = lambda w, unit, bodies, models: ALLOWED
    """(world, unit, bodies, models): would they be in combat with nobody, where `may_stand` leaves that open?"""
    came_back: Callable[[Any, Any, Sequence[int]], None] = lambda b, unit, models: None
    """(battle, unit, models): they did."""


def missing(w: World40, unit: Unit) -> list[int]:
    """The destroyed models of a unit that can come back: not Leaders or other CHARACTERS."""
    return _fallen(w, unit, is_trooper)


def to_reanimate(w: World40, unit: Unit) -> list[int]:
    """The destroyed models of a unit that can be reanimated."""
    return _fallen(w, unit, w.system.seam(Returns).reanimates)


def _fallen(w: World40, unit: Unit, fits: Callable[[World40, Unit, int], bool]) -> list[int]:
    returns = w.system.seam(Returns)
    if returns.is_alone(w, unit):
        return []
    place, lost = w.state.models.place, returns.left_for_good(unit)
    return [m for m in unit.models if place[m] == GONE and m not in lost and fits(w, unit, m)]


# --- Coming back ------------------------------------------------------------------------------------------------------


async def return_models(b: Battle40, unit: Unit, count: int, wounds: int | str, name: str) -> None:
    """Destroyed models of a unit come back."""
    most = b.system.seam(Returns).most(b, unit)
    back = await who_returns(b, unit, missing(b, unit), min(count, most), name)
    await set_up(b, unit, {m: wounds_of(b, unit, m, wounds, name) for m in back}, name)


def wounds_of(b: Battle40, unit: Unit, model: int, wounds: int | str, name: str) -> int:
    """With how many wounds a model comes back."""
    full: int = sheet_of(b, model).wounds
    if wounds == "full":
        return full
    deeds, amount = b.system.seam(Deeds), read_amount(wounds)
    faces = b.roll(amount.dice, name, unit.player, rules=(deeds.source,), read=read_as(amount, "wound(s)"))
    return min(full, deeds.value_of(amount, faces))


async def who_returns(b: Battle40, unit: Unit, dead: list[int], count: int, name: str) -> list[int]:
    """Which of the destroyed models come back; asked only where they differ."""
    kits = b.setup.data.kits
    if count >= len(dead) or len({kits[m] for m in dead}) == 1:
        return dead[:count]
    chosen = await b.ask(
        ChooseSome(
            player=unit.player,
            kind="returning",
            deed="Bring back",
            prompt=f"{name}: which models of {unit.name} come back?",
            options=tuple(Option(m, f"{sheet_of(b, m).name} {unit.models.index(m) + 1}") for m in dead),
            least=count,
            most=count,
            rules=(b.system.seam(Deeds).source,),
            unit=unit.id,
        )
    )
    return sorted(int(m) for m in chosen)


async def set_up(b: Battle40, unit: Unit, wounds: dict[int, int], name: str) -> None:
    """Set models up beside their unit, each with its wounds: as many as there is room for."""
    found = find_room(b, unit, tuple(wounds))
    if not found:
        return
    spots = await b.ask(
        Place(
            player=unit.player,
            kind="return_models",
            prompt=f"{name}: where do the models of {unit.name} come back?",
            models=tuple(s.model for s in found),
            optional=True,
            rules=(b.system.seam(Deeds).source, b.system.seam(Returns).set_up_rule),
            unit=unit.id,
        )
    )
    if spots is None:
        return
    for spot in spots:
        b.set_wounds(spot.model, wounds[spot.model])
    put_down(b, spots)
    b.system.seam(Returns).came_back(b, unit, [s.model for s in spots])
    _tell(b, unit, len(spots), name)


def _tell(b: Battle40, unit: Unit, count: int, name: str) -> None:
    who = counted(count, "model")
    back = "comes back" if count == 1 else "come back"
    b.tell(
        "returned", f"{name}: {who} of {unit.name} {back}.", b.system.seam(Deeds).source, units=[unit.id], models=count
    )


def return_bearer(b: Battle40, unit: Unit, model: int, wounds: int | str, name: str) -> None:
    """A model that fell stands up again, once in a battle, as close as possible to where that was."""
    place = _nearest(b, unit, model) if b.system.seam(Returns).most(b, unit) else None
    if place is None or b.state.models.place[model] != GONE or has_risen(b, model):
        return
    b.add_effect(Effect(RISEN, unit.id, model, source=b.system.seam(Deeds).source))
    b.set_wounds(model, wounds_of(b, unit, model, wounds, name))
    put_down(b, (place,))
    _tell(b, unit, 1, name)


def has_risen(w: World40, model: int) -> bool:
    """Whether a model has stood up again before."""
    return any(e.kind == RISEN and e.value == model for e in w.state.effects)


# --- Where ------------------------------------------------------------------------------------------------------------


def judge_return(w: World40, d: Place, answer: tuple[Spot, ...] | None) -> Verdict:
    """Whether models may come back like this; that they do not is always open."""
    return ALLOWED if answer is None else check_return(w, w.unit(d.unit), answer)


def check_return(w: World40, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """With room, together with their unit, and where the edition lets them stand."""
    returns, bodies, models = w.system.seam(Returns), placed(w, spots), rows_of(spots)
    everybody = np.concatenate((w.on_table(unit), models))
    return (
        returns.free(w, bodies, models)
        and returns.coherent(w, unit, bodies, everybody)
        and returns.may_stand(w, unit, bodies, models)
    )


@kept(EVERYTHING)
def find_room(w: World40, unit: Unit, models: tuple[int, ...]) -> tuple[Spot, ...]:
    """Places for as many of the models as possible, one after the other, beside those that stand already."""
    spots: list[Spot] = []
    for m in models:
        spot = _beside(w, unit, m, spots)
        if spot is None:
            break
        spots.append(spot)
    while spots and not check_return(w, unit, spots):
        spots.pop()
    return tuple(spots)


def _beside(w: World40, unit: Unit, model: int, spots: list[Spot]) -> Spot | None:
    """A place beside a comrade with as many neighbours as coherency asks for."""
    bodies = placed(w, spots)
    mates = np.array([*map(int, w.on_table(unit)), *(s.model for s in spots)], dtype=np.int64)
    reach = w.shapes.reach[bodies.shape]
    places = []
    for gap in PACES:
        for mate in mates:
            x, y, z = (int(v) for v in bodies.pos[mate])
            far = int(reach[mate] + reach[model]) + gap
            for k in range(WAYS):
                px, py = offset(x, y, k * TURN // WAYS, far)
                places.append((int(px), int(py), z, int(bodies.facing[mate])))
    rows = np.array(places, dtype=np.int64).reshape(len(places), 4)
    return _first_free(w, unit, model, bodies, rows, mates)


def _nearest(w: World40, unit: Unit, model: int) -> Spot | None:
    """The nearest place to where a model fell, in combat with nobody."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    places = [(x, y, z, facing)]
    for ring in range(1, RINGS + 1):
        for k in range(2 * WAYS):
            px, py = offset(x, y, k * TURN // (2 * WAYS), ring * STEP // 2)
            places.append((int(px), int(py), z, facing))
    mates = w.on_table(unit)
    rows, apart = np.array(places, dtype=np.int64), w.system.seam(Returns).apart
    return _first_free(w, unit, model, placed(w, ()), rows, mates, lambda bodies, row: apart(w, unit, bodies, row))


def _first_free(
    w: World40,
    unit: Unit,
    model: int,
    bodies: Bodies,
    places: Ints,
    mates: Ints,
    fits: Callable[[Bodies, Ints], Verdict] = lambda bodies, row: ALLOWED,
) -> Spot | None:
    """The first of some places that fits, and where a model may stand with enough comrades near it."""
    taken = np.asarray(w.state.models.place == TABLE)
    taken[mates] = True
    blocks = obstacles(len(taken), w.terrain, end_block=taken)
    free = may_end(bodies, w.shapes, w.terrain, model, places, blocks)[:, 0] == Code.OK
    row = np.array([model], dtype=np.int64)
    there = Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape)
    returns = w.system.seam(Returns)
    together = returns.together(len(mates) + 1)
    need, near = min(len(mates), together.neighbours), Zone(together.reach, together.vertical)
    for x, y, z, facing in places[free]:
        there.pos[model], there.facing[model] = (x, y, z), facing
        if need and int(links(there, w.shapes, row, mates, near).sum()) < need:
            continue
        if fits(there, row) and returns.may_stand(w, unit, there, row):
            return Spot(model, int(x), int(y), int(z), int(facing))
    return None


def default_return(w: World40, d: Place) -> tuple[Spot, ...] | None:
    """The places that the search found."""
    return find_room(w, w.unit(d.unit), d.models) or None


QUESTIONS: Final = {"return_models": Question(judge=judge_return, default=default_return)}
