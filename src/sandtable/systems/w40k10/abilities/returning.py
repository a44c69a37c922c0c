"""Healing models, and bringing destroyed ones back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.armies.effects import Modify, Reroll
from sandtable.battle import ALLOWED, GONE, TABLE, ChooseSome, Confirm, Option, Place, Question, Spot, Verdict, refuse
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.characteristics import names
from sandtable.forty.state import alive
from sandtable.kit.dice import parts_of, read_amount, read_as
from sandtable.kit.grammar import counted, does
from sandtable.kit.room import placed, put_down
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import (
    COHERENCY_HEIGHT,
    COHERENCY_RANGE,
    engaged,
    engaged_after,
    in_coherency,
    model_has_keyword,
    neighbours_needed,
)
from sandtable.systems.w40k10.dice import value_of
from sandtable.systems.w40k10.objectives import check_off_markers
from sandtable.systems.w40k10.placing import check_room
from sandtable.systems.w40k10.state import Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.terrain_moves import check_ground
from sandtable.systems.w40k10.turn import model_label
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.moves import Code, may_end, obstacles
from sandtable.table.scatter import offset
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links

SOURCE: Final = "w40k10.datasheet.abilities"
WAYS: Final = 12
"""Directions around a comrade in which a place for a model is looked for..."""
PACES: Final = (STEP // 16, STEP, 3 * STEP // 2)
"""...and gaps between the two."""
RINGS: Final = 24
"""Rings of half an inch around the place where a model fell."""


# --- Who lacks what ---------------------------------------------------------------------------------------------------


def damaged(w: World10, unit: Unit, models: Sequence[int] = ()) -> list[int]:
    """The models of a unit on the table that have lost wounds; of some models only, where any are named."""
    here = [int(m) for m in w.on_table(unit) if not models or int(m) in models]
    return [m for m in here if int(w.state.models.wounds[m]) < sheet_of(w, m).wounds]


def can_heal(w: World10, unit: Unit) -> bool:
    """Whether anybody in a unit has lost wounds."""
    return bool(damaged(w, unit))


def missing(w: World10, unit: Unit) -> list[int]:
    """The destroyed models of a unit that can come back: not Leaders or other CHARACTERS."""
    if is_alone(w, unit):
        return []
    place = w.state.models.place
    return [
        m for m in unit.models if place[m] == GONE and m not in unit.leader and not model_has_keyword(w, m, "CHARACTER")
    ]


@rule("w40k10.unit.attached_strength", neutral=False)
def is_alone(w: World10, unit: Unit) -> bool:
    """Whether a Leader has outlived its Bodyguard, and misses nobody any more."""
    return all(m in unit.leader for m in alive(w, unit.models))


def is_short(w: World10, unit: Unit) -> bool:
    """Whether models of a unit could come back."""
    return bool(missing(w, unit))


# --- Healing ----------------------------------------------------------------------------------------------------------


async def heal(b: Battle10, unit: Unit, points: int, name: str, models: Sequence[int] = ()) -> None:
    """One model regains lost wounds."""
    hurt = damaged(b, unit, models)
    options = [Option(m, model_label(b, unit, m)) for m in hurt]
    chosen = await b.choose(
        unit.player, "heal", f"{name}: which model of {unit.name} is healed?", options, rules=(SOURCE,), unit=unit.id
    )
    if chosen is not None:
        mend(b, unit, int(chosen), points, name)


def mend(b: Battle10, unit: Unit, model: int, points: int, name: str) -> int:
    """A model regains wounds, at most those that it lost; returns how many are left over."""
    most, now = sheet_of(b, model).wounds, int(b.state.models.wounds[model])
    gained = min(points, most - now)
    if gained > 0:
        b.set_wounds(model, now + gained)
        b.tell(
            "healed",
            f"{name}: {model_label(b, unit, model)} regains {gained} wound{'' if gained == 1 else 's'}.",
            SOURCE,
            units=[unit.id],
            wounds=gained,
        )
    return points - gained


async def reanimate(b: Battle10, unit: Unit, text: int | str, name: str) -> None:
    """Wound by wound: a damaged model is healed, or else a destroyed one comes back with one wound."""
    points = await _reanimation_roll(b, unit, text, name)
    while points and (hurt := damaged(b, unit)):
        lost = sum(sheet_of(b, m).wounds - int(b.state.models.wounds[m]) for m in hurt)
        if points < lost and len(hurt) > 1:
            await heal(b, unit, 1, name)
            points -= 1
        else:
            points = mend(b, unit, hurt[0], points, name)
    dead = missing(b, unit)
    if not points or not dead:
        return
    full = sheet_of(b, dead[0]).wounds
    back = await _who_returns(b, unit, dead, -(-points // full), name)
    wounds: dict[int, int] = {}
    for m in back:
        if points:
            wounds[m] = min(points, sheet_of(b, m).wounds)
            points -= wounds[m]
    await _set_up(b, unit, wounds, name)


async def _reanimation_roll(b: Battle10, unit: Unit, text: int | str, name: str) -> int:
    amount = read_amount(text)
    added = [a for a in at_work(b, unit, Modify) if a.effect.roll == "reanimation"]
    more, cites = sum(a.effect.value for a in added), (SOURCE, *names(added))
    read = read_as(amount, "wound(s)", more, *parts_of(more, names(added)))
    faces = b.roll(amount.dice, "reanimation", unit.player, rules=cites, read=read)
    again = [a for a in at_work(b, unit, Reroll) if a.effect.roll == "reanimation"]
    if again and faces:
        yes = await b.ask(
            Confirm(
                player=unit.player,
                kind="reroll_reanimation",
                prompt=f"{again[0].name}: re-roll {value_of(amount, faces)} for {unit.name}?",
                rules=(SOURCE,),
                unit=unit.id,
                # The lower half is worth another try.
                default=2 * value_of(amount, faces) <= amount.dice * amount.sides + amount.plus,
            )
        )
        if yes:
            cites, by = (*cites, *names(again)), again[0].name
            places = range(len(faces))
            faces = b.roll_again(faces, places, "reanimation", unit.player, rules=cites, read=read, by=by)
    points = max(0, value_of(amount, faces) + more)
    b.tell(
        "reanimates",
        f"{name}: {does(unit, 'reanimates')} {counted(points, 'wound')}.",
        SOURCE,
        units=[unit.id],
        wounds=points,
    )
    return points


# --- Coming back ------------------------------------------------------------------------------------------------------


async def return_models(b: Battle10, unit: Unit, count: int, wounds: int | str, name: str) -> None:
    """Destroyed models of a unit come back."""
    back = await _who_returns(b, unit, missing(b, unit), count, name)
    await _set_up(b, unit, {m: _wounds(b, unit, m, wounds, name) for m in back}, name)


def _wounds(b: Battle10, unit: Unit, model: int, wounds: int | str, name: str) -> int:
    """With how many wounds a model comes back."""
    full = sheet_of(b, model).wounds
    if wounds == "full":
        return full
    amount = read_amount(wounds)
    faces = b.roll(amount.dice, name, unit.player, rules=(SOURCE,), read=read_as(amount, "wound(s)"))
    return min(full, value_of(amount, faces))


async def _who_returns(b: Battle10, unit: Unit, dead: list[int], count: int, name: str) -> list[int]:
    """Which of the destroyed models come back; asked only where they differ."""
    kits = b.setup.data.kits
    if count >= len(dead) or len({kits[m] for m in dead}) == 1:
        return dead[:count]
    chosen = await b.ask(
        ChooseSome(
            player=unit.player,
            kind="returning",
            prompt=f"{name}: which models of {unit.name} come back?",
            options=tuple(Option(m, f"{sheet_of(b, m).name} {unit.models.index(m) + 1}") for m in dead),
            least=count,
            most=count,
            rules=(SOURCE,),
            unit=unit.id,
        )
    )
    return sorted(int(m) for m in chosen)


async def _set_up(b: Battle10, unit: Unit, wounds: dict[int, int], name: str) -> None:
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
            rules=(SOURCE, "w40k10.concept.coherency_setup"),
            unit=unit.id,
        )
    )
    if spots is None:
        return
    for spot in spots:
        b.set_wounds(spot.model, wounds[spot.model])
    put_down(b, spots)
    _tell(b, unit, len(spots), name)


def _tell(b: Battle10, unit: Unit, count: int, name: str) -> None:
    who = counted(count, "model")
    back = "comes back" if count == 1 else "come back"
    b.tell("returned", f"{name}: {who} of {unit.name} {back}.", SOURCE, units=[unit.id], models=count)


def return_bearer(b: Battle10, unit: Unit, model: int, wounds: int | str, name: str) -> None:
    """A model that fell stands up again, as close as possible to where that was."""
    place = _nearest(b, unit, model)
    if place is None or b.state.models.place[model] != GONE:
        return
    b.set_wounds(model, _wounds(b, unit, model, wounds, name))
    put_down(b, (place,))
    _tell(b, unit, 1, name)


# --- Where ------------------------------------------------------------------------------------------------------------


def judge_return(w: World10, d: Place, answer: tuple[Spot, ...] | None) -> Verdict:
    """Whether models may come back like this; that they do not is always open."""
    return ALLOWED if answer is None else check_return(w, w.unit(d.unit), answer)


def check_return(w: World10, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """In coherency with their unit, with room, and within Engagement Range only of enemies that the unit fights."""
    bodies = placed(w, spots)
    models = np.array([s.model for s in spots], dtype=np.int64)
    everybody = np.concatenate((w.on_table(unit), models))
    return (
        check_room(w, bodies, models)
        and check_ground(w, bodies, models, obstacles(len(bodies.shape), w.terrain, end_solid=0, edge=False))
        and check_off_markers(w, bodies, models)
        and _check_together(w, unit, bodies, everybody)
        and _check_enemies(w, unit, bodies, models)
    )


def _check_together(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    if in_coherency(w, bodies, models):
        return ALLOWED
    return refuse(f"{unit.name} would be out of coherency.", "w40k10.concept.coherency_setup")


def _check_enemies(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    others = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and not engaged(w, unit, e)]
    near = engaged_after(w, bodies, models, others)
    if not near:
        return ALLOWED
    return refuse(
        f"A model would come back within Engagement Range of {near[0].name}.", "w40k10.concept.engagement_limit"
    )


def find_room(w: World10, unit: Unit, models: tuple[int, ...]) -> tuple[Spot, ...]:
    """Places for as many of the models as possible, one after the other, beside those that stand already."""
    found = w.now(("room to return", unit.id, models), lambda: (_find_room(w, unit, models),))
    return found[0]


def _find_room(w: World10, unit: Unit, models: tuple[int, ...]) -> tuple[Spot, ...]:
    spots: list[Spot] = []
    for m in models:
        spot = _beside(w, unit, m, spots)
        if spot is None:
            break
        spots.append(spot)
    while spots and not check_return(w, unit, spots):
        spots.pop()
    return tuple(spots)


def _beside(w: World10, unit: Unit, model: int, spots: list[Spot]) -> Spot | None:
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
    need = min(len(mates), neighbours_needed(len(mates) + 1))
    return _first_free(w, unit, model, bodies, rows, mates, need)


def _nearest(w: World10, unit: Unit, model: int) -> Spot | None:
    """The nearest place to where a model fell."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    places = [(x, y, z, facing)]
    for ring in range(1, RINGS + 1):
        for k in range(2 * WAYS):
            px, py = offset(x, y, k * TURN // (2 * WAYS), ring * STEP // 2)
            places.append((int(px), int(py), z, facing))
    mates = w.on_table(unit)
    need = min(len(mates), neighbours_needed(len(mates) + 1))
    return _first_free(w, unit, model, placed(w, ()), np.array(places, dtype=np.int64), mates, need)


def _first_free(
    w: World10, unit: Unit, model: int, bodies: Bodies, places: Ints, mates: Ints, need: int
) -> Spot | None:
    """The first of some places where a model may stand with enough comrades near it."""
    taken = np.asarray(w.state.models.place == TABLE)
    taken[mates] = True
    blocks = obstacles(len(taken), w.terrain, end_block=taken)
    free = may_end(bodies, w.shapes, w.terrain, model, places, blocks)[:, 0] == Code.OK
    row = np.array([model], dtype=np.int64)
    there = Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape)
    solid = obstacles(len(taken), w.terrain, end_solid=0, edge=False)
    for x, y, z, facing in places[free]:
        there.pos[model], there.facing[model] = (x, y, z), facing
        if need and int(links(there, w.shapes, row, mates, Zone(COHERENCY_RANGE, COHERENCY_HEIGHT)).sum()) < need:
            continue
        if (
            check_ground(w, there, row, solid)
            and check_off_markers(w, there, row)
            and _check_enemies(w, unit, there, row)
        ):
            return Spot(model, int(x), int(y), int(z), int(facing))
    return None


def default_return(w: World10, d: Place) -> tuple[Spot, ...] | None:
    """The places that the search found."""
    return find_room(w, w.unit(d.unit), d.models) or None


QUESTIONS: Final = {"return_models": Question(judge=judge_return, default=default_return)}
