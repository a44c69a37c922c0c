"""Carrying out what abilities and Stratagems do: on whom, the die, and each kind of deed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

from sandtable.armies.effects import HAS_MOMENT, AnyEffect, GainCp, Heal, MortalWounds, Reanimate, ReturnModels
from sandtable.battle import Choose, Question, Value
from sandtable.battle.rolls import AnyReading, Each, Reading
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.conditions import hold_for_unit
from sandtable.forty.effects.healing import can_heal, heal, reanimate
from sandtable.forty.effects.lasting import write_down
from sandtable.forty.effects.limits import note_done
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.reach import models_that_reach
from sandtable.forty.effects.returning import missing, return_bearer, return_models, set_up, to_reanimate, wounds_of
from sandtable.forty.effects.targets import candidates, is_at_once
from sandtable.forty.effects.words import Deed, Deeds, Words, deed_name
from sandtable.forty.markers import controls, markers_near
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.asking import put_in_order
from sandtable.kit.dice import parts_of, read_amount, read_as
from sandtable.reasons import Part

U = TypeVar("U", bound=Unit)

CHOSEN: Final = ("friend", "enemy", "target")
SEVERAL: Final = ("friends", "enemies", "army")
ALL_FACES: Final = 6
MORTAL: Final = "mortal wound(s)"


async def carry_out(b: Battle40, cause: Cause, effects: Sequence[tuple[int, AnyEffect]]) -> None:
    """All effects of one use: units are chosen first, then one die is rolled for all, or one for each unit."""
    chosen = await _choose_units(b, cause, effects)
    faces: dict[int, int] = {}
    read = _reading([effect for _, effect in effects])
    for j, effect in effects:
        units = chosen[j]
        if isinstance(effect, MortalWounds) and len(units) > 1:
            units = await order_units(b, units)
        if effect.who == "army" and not isinstance(effect, HAS_MOMENT):
            if units and await _shows(b, cause, effect, -1, faces, read):
                write_down(b, cause, j, effect, -1)
            continue
        for unit in units:
            if is_at_once(effect):
                note_done(b, cause.source, effect, unit.id, cause.occasion)
            apart = unit.id if effect.who in SEVERAL else -1
            if _rolls_itself(effect) or await _shows(b, cause, effect, apart, faces, read):
                await _do(b, cause, j, effect, unit)


async def order_units(b: Battle40, units: Sequence[U]) -> list[U]:
    """Units in the order in which they suffer at the same time; a player is asked where that can make a difference."""
    deeds = b.system.seam(Deeds)
    if len(units) < 2 or not (b.option("windows") == "all" or any(deeds.may_go_off(b, u) for u in units)):
        return list(units)
    prompt = "In which order are these units hit?"
    return await put_in_order(b, deeds.orders(b), "order_units", prompt, units, deeds.sequencing)


async def _do(b: Battle40, cause: Cause, number: int, effect: AnyEffect, unit: Unit) -> None:
    """One effect on one unit: something that is done at once, or else something that lasts."""
    deed = b.system.seam(Deeds).by_name.get(deed_name(effect))
    if deed is None:
        write_down(b, cause, number, effect, unit.id)
    else:
        await deed.do(b, cause, effect, unit)


def _rolls_itself(effect: AnyEffect) -> bool:
    """Whether the die of an effect is not the one that all effects share."""
    each = isinstance(effect, ReturnModels) and effect.each
    each = each or (isinstance(effect, GainCp) and effect.dice != 1)
    return each or not effect.die or (isinstance(effect, MortalWounds) and (effect.dice != 1 or bool(effect.above)))


async def _shows(
    b: Battle40, cause: Cause, effect: AnyEffect, apart: int, faces: dict[int, int], read: AnyReading
) -> bool:
    """Whether the die, rolled at most once for all, or for each unit apart, shows what the effect needs."""
    if not effect.die:
        return True
    if apart not in faces:
        (faces[apart],) = await thrown(b, cause, 1, read)
    return b.system.seam(Deeds).in_range(faces[apart], effect.die, effect.up_to or ALL_FACES)


def _reading(effects: Sequence[AnyEffect]) -> AnyReading:
    """How the die that all effects share is read: what it needs, or what each face does where that differs."""
    sharing = [e for e in effects if not _rolls_itself(e)]
    needs = dict.fromkeys((e.die, e.up_to) for e in sharing)
    if len(needs) == 1:
        ((die, up_to),) = needs
        return Each("it works/it does not", needed=die, up_to=up_to if up_to < ALL_FACES else 0)
    words = [(f"{e.die}-{e.up_to}" if e.up_to else f"{e.die}+", _kind(e)) for e in sharing]
    return Reading(why=tuple(Part(faces, word.replace("_", " ")) for faces, word in dict.fromkeys(words)))


def _kind(effect: AnyEffect) -> str:
    return str(effect.__struct_config__.tag)


# --- On whom ----------------------------------------------------------------------------------------------------------


async def _choose_units(b: Battle40, cause: Cause, effects: Sequence[tuple[int, AnyEffect]]) -> dict[int, list[Any]]:
    """For each effect the units that it works on. Effects on the same kind of unit share the choice; equal effects
    mean different units."""
    found: dict[int, list[Any]] = {}
    picked: dict[tuple[Any, ...], list[Any]] = {}
    seen: list[AnyEffect] = []
    for j, effect in effects:
        units = candidates(b, cause.source, effect, cause.bearer, cause.occasion)
        if effect.who in CHOSEN:
            again = seen.count(effect)
            seen.append(effect)
            key = (effect.who, effect.within, effect.only, again)
            if key not in picked:
                taken = [u.id for k, us in picked.items() if k[:3] == key[:3] for u in us]
                picked[key] = await _pick(b, cause, effect, [u for u in units if u.id not in taken])
            units = picked[key]
        found[j] = units
    return found


async def _pick(b: Battle40, cause: Cause, effect: AnyEffect, units: list[Any]) -> list[Any]:
    unit = await b.choose_unit(
        cause.player,
        "ability_target",
        f"{cause.name}: which unit?",
        units,
        rules=(b.system.seam(Deeds).source,),
        unit=cause.bearer,
        about={"ability": cause.name, "kind": _kind(effect)},
    )
    return [] if unit is None else [unit]


def default_target(w: World40, d: Choose) -> Value | None:
    """The unit that cost its army most."""
    roster = w.setup.data.roster
    if not roster:
        return d.options[0].value
    return max(d.options, key=lambda o: (roster[int(o.value)].points, -int(o.value))).value


# --- What is done -----------------------------------------------------------------------------------------------------


async def thrown(b: Battle40, cause: Cause, dice: int, read: AnyReading) -> tuple[int, ...]:
    """Dice for an ability, as they stand in the end."""
    deeds = b.system.seam(Deeds)
    faces = b.roll(dice, cause.name, cause.player, rules=(deeds.source,), read=read)
    return await deeds.after_roll(b, cause.bearer, cause.name, faces, read) if dice else faces


async def rolled(b: Battle40, cause: Cause, text: int | str, noun: str) -> int:
    """A number of something, rolled where it holds dice."""
    amount = read_amount(text)
    return b.system.seam(Deeds).value_of(amount, await thrown(b, cause, amount.dice, read_as(amount, noun)))


def on_the_table(w: World40, effect: AnyEffect, unit: Unit) -> bool:
    """What works on any unit that stands on the table."""
    return w.is_on_table(unit)


async def _gain_points(b: Battle40, cause: Cause, effect: GainCp, unit: Unit) -> None:
    deeds = b.system.seam(Deeds)
    if effect.dice == "marker":
        read = Each("success(es)", needed=effect.die)
        faces = await thrown(b, cause, len(_markers_held(b, cause.source, effect)), read)
        if not any(deeds.in_range(face, effect.die, effect.up_to or ALL_FACES) for face in faces):
            return
    deeds.gain_points(b, b.player(cause.player), effect.value, deeds.source)


def _markers_held(w: World40, source: Any, effect: GainCp) -> tuple[int, ...]:
    """The objectives of a player that units with an ability of this name are near, as far as its conditions hold."""
    bearers = [a for a in w.setup.data.abilities if (a.name, a.player) == (source.name, source.player)]
    units = dict.fromkeys(int(w.state.models.unit[m]) for a in bearers for m in w.system.seam(Words).bearing(w, a))
    able = [u for u in map(w.unit, units) if w.is_on_table(u) and hold_for_unit(w, effect.when, u)]
    near = dict.fromkeys(marker for unit in able for marker in markers_near(w, unit))
    control = w.state.game.control
    return tuple(m for m in near if m < len(control) and control[m] == source.player)


def _can_gain(w: World40, effect: GainCp, unit: Unit) -> bool:
    return effect.dice != "marker" or controls(w, unit)


async def _inflict(b: Battle40, cause: Cause, effect: MortalWounds, unit: Unit) -> None:
    deeds = b.system.seam(Deeds)
    await deeds.inflict(b, unit, await mortal_wounds(b, cause, effect, unit), deeds.source, by=cause.bearer)


async def mortal_wounds(b: Battle40, cause: Cause, effect: MortalWounds, unit: Unit) -> int:
    """How many mortal wounds a unit suffers: an amount for each die that shows enough."""
    if effect.dice == 1 and not effect.above:
        return await rolled(b, cause, effect.amount, MORTAL)
    dice = effect.dice
    if isinstance(dice, str):
        own = dice == "model"
        dice = engaged_models(b, b.unit(cause.bearer), unit, effect) if own else len(b.on_table(unit))
    least, most = max(1, effect.die), effect.up_to or ALL_FACES
    if effect.above:
        least = b.system.seam(Deeds).toughness(b, unit) + 1
    noun = MORTAL if str(effect.amount) == "1" else "success(es)"
    read = Each(noun, needed=least, up_to=most if most < ALL_FACES else 0)
    deeds = b.system.seam(Deeds)
    hits = sum(deeds.in_range(f, least, most) for f in await thrown(b, cause, dice, read))
    return sum([await rolled(b, cause, effect.amount, MORTAL) for _ in range(hits)])


def engaged_models(w: World40, bearer: Unit, unit: Unit, effect: MortalWounds) -> int:
    """One die for each model of the bearer's unit, after a charge for each that reached the enemy."""
    return int(models_that_reach(w, w.on_table(bearer), unit, effect.within).sum())


def _own_models(cause: Cause, effect: AnyEffect) -> tuple[int, ...]:
    """The models that an effect on the bearer alone is meant for; none for others."""
    return cause.source.models if effect.who == "model" and isinstance(cause.source, Ability) else ()


async def _heal(b: Battle40, cause: Cause, effect: Heal, unit: Unit) -> None:
    points = await rolled(b, cause, effect.amount, "wound(s) healed")
    await heal(b, unit, points, cause.name, _own_models(cause, effect))


def _can_heal(w: World40, effect: Heal, unit: Unit) -> bool:
    return can_heal(w, unit)


async def _reanimate(b: Battle40, cause: Cause, effect: Reanimate, unit: Unit) -> None:
    await reanimate(b, unit, effect.amount, cause.name)


def _can_reanimate(w: World40, effect: Reanimate, unit: Unit) -> bool:
    return w.is_on_table(unit) and (bool(to_reanimate(w, unit)) or can_heal(w, unit))


async def _return(b: Battle40, cause: Cause, effect: ReturnModels, unit: Unit) -> None:
    if effect.each:
        await _return_each(b, cause, effect, unit)
        return
    if effect.who != "model":
        count = await rolled(b, cause, effect.amount, "model(s) back")
        await return_models(b, unit, count, effect.wounds, cause.name)
        return
    for m in cause.occasion.fallen:
        if m in _own_models(cause, effect):
            return_bearer(b, unit, m, effect.wounds, cause.name)


async def _return_each(b: Battle40, cause: Cause, effect: ReturnModels, unit: Unit) -> None:
    """A die for each model that is missing says whether it comes back."""
    dead = missing(b, unit)
    more, by = added(b, unit, "reanimation")
    read = Each("model(s) back", parts_of(more, by), effect.die - more)
    faces = await thrown(b, cause, len(dead), read)
    back = [m for m, face in zip(dead, faces, strict=True) if face + more >= effect.die]
    await set_up(b, unit, {m: wounds_of(b, unit, m, effect.wounds, cause.name) for m in back}, cause.name)


def _can_return(w: World40, effect: ReturnModels, unit: Unit) -> bool:
    return effect.who == "model" or (w.is_on_table(unit) and bool(missing(w, unit)))


DEEDS: Final[Mapping[str, Deed]] = MappingProxyType(
    {
        "gain_cp": Deed(_gain_points, _can_gain),
        "mortal_wounds": Deed(_inflict, on_the_table),
        "heal": Deed(_heal, _can_heal),
        "reanimate": Deed(_reanimate, _can_reanimate),
        "return_models": Deed(_return, _can_return),
    }
)
"""What is done in the same way in every edition that lets it be done."""

QUESTIONS: Final[dict[str, Question]] = {"ability_target": Question(default=default_target)}
