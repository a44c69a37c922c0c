"""Carrying out what abilities and Stratagems do: on whom, the die, and each kind of effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sandtable.armies.effects import (
    Allow,
    AnyEffect,
    BattleShock,
    GainCp,
    Heal,
    MortalWounds,
    Move,
    Reanimate,
    ReturnModels,
)
from sandtable.battle import OFF, TABLE, Choose, Question, Value
from sandtable.battle.rolls import AnyReading, Each, Reading
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.effects.reach import models_that_reach
from sandtable.kit.dice import read_amount, read_as
from sandtable.kit.grammar import does
from sandtable.reasons import Part
from sandtable.systems.w40k10.abilities.extra_moves import can_go, make_extra_move
from sandtable.systems.w40k10.abilities.returning import (
    can_heal,
    heal,
    is_short,
    missing,
    reanimate,
    return_bearer,
    return_models,
)
from sandtable.systems.w40k10.abilities.uses import Occasion, candidates
from sandtable.systems.w40k10.command import battle_shock_test, gain_extra
from sandtable.systems.w40k10.dice import in_range, value_of
from sandtable.systems.w40k10.formations import DEEP_STRIKE, STRATEGIC
from sandtable.systems.w40k10.mortal import inflict, order_of
from sandtable.systems.w40k10.reserves import arrive, find_arrival
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import living, passengers

SOURCE: Final = "w40k10.datasheet.abilities"
CHOSEN: Final = ("friend", "enemy", "target")
SEVERAL: Final = ("friends", "enemies", "army")
ALL_FACES: Final = 6
MORTAL: Final = "mortal wound(s)"


class Doing(NamedTuple):
    """A use while it is carried out."""

    number: int
    """Of the ability or Stratagem."""
    source: Ability | DetachmentStratagem
    bearer: int
    occasion: Occasion
    until: str = ""
    """How long effects last that do not say so themselves."""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def player(self) -> int:
        return self.source.player


async def carry_out(b: Battle10, doing: Doing, effects: Sequence[tuple[int, AnyEffect]]) -> None:
    """All effects of one use: units are chosen first, then one die is rolled for all, or one for each unit."""
    chosen = await _choose_units(b, doing, effects)
    faces: dict[int, int] = {}
    read = _reading([effect for _, effect in effects])
    for j, effect in effects:
        units = chosen[j]
        if isinstance(effect, MortalWounds) and len(units) > 1:
            units = await order_of(b, units)
        if effect.who == "army" and not _is_done(effect):
            if units and _shows(b, doing, effect, -1, faces, read):
                last(b, doing, j, effect, -1)
            continue
        for unit in units:
            apart = unit.id if effect.who in SEVERAL else -1
            if _rolls_itself(effect) or _shows(b, doing, effect, apart, faces, read):
                await _do(b, doing, j, effect, unit)


def _rolls_itself(effect: AnyEffect) -> bool:
    """Whether the die of an effect is not the one that all effects share."""
    return not effect.die or (isinstance(effect, MortalWounds) and effect.dice != 1)


def _shows(b: Battle10, doing: Doing, effect: AnyEffect, apart: int, faces: dict[int, int], read: AnyReading) -> bool:
    """Whether the die, rolled at most once for all, or for each unit apart, shows what the effect needs."""
    if not effect.die:
        return True
    if apart not in faces:
        faces[apart] = b.roll_one(doing.name, doing.player, rules=(SOURCE,), read=read)
    return in_range(faces[apart], effect.die, effect.up_to or ALL_FACES)


def _reading(effects: Sequence[AnyEffect]) -> AnyReading:
    """How the die that all effects share is read: what it needs, or what each face does where that differs."""
    sharing = [e for e in effects if not _rolls_itself(e)]
    needs = dict.fromkeys((e.die, e.up_to) for e in sharing)
    if len(needs) == 1:
        ((die, up_to),) = needs
        return Each("it works/it does not", needed=die, up_to=up_to if up_to < ALL_FACES else 0)
    words = [(f"{e.die}-{e.up_to}" if e.up_to else f"{e.die}+", _tag(e)) for e in sharing]
    return Reading(why=tuple(Part(faces, word.replace("_", " ")) for faces, word in dict.fromkeys(words)))


def _tag(effect: AnyEffect) -> str:
    return str(effect.__struct_config__.tag)


# --- On whom ----------------------------------------------------------------------------------------------------------


async def _choose_units(b: Battle10, doing: Doing, effects: Sequence[tuple[int, AnyEffect]]) -> dict[int, list[Unit]]:
    """For each effect the units that it works on. Effects on the same kind of unit share the choice; equal effects
    mean different units."""
    found: dict[int, list[Unit]] = {}
    picked: dict[tuple[Any, ...], list[Unit]] = {}
    seen: list[AnyEffect] = []
    for j, effect in effects:
        units = candidates(b, doing.source, effect, doing.bearer, doing.occasion)
        if effect.who in CHOSEN:
            again = seen.count(effect)
            seen.append(effect)
            key = (effect.who, effect.within, effect.only, again)
            if key not in picked:
                taken = [u.id for k, us in picked.items() if k[:3] == key[:3] for u in us]
                picked[key] = await _pick(b, doing, effect, [u for u in units if u.id not in taken])
            units = picked[key]
        found[j] = units
    return found


async def _pick(b: Battle10, doing: Doing, effect: AnyEffect, units: list[Unit]) -> list[Unit]:
    unit = await b.choose_unit(
        doing.player,
        "ability_target",
        f"{doing.name}: which unit?",
        units,
        rules=(SOURCE,),
        unit=doing.bearer,
        about={"ability": doing.name, "kind": _tag(effect)},
    )
    return [] if unit is None else [unit]


def default_target(w: World10, d: Choose) -> Value | None:
    """The unit that cost its army most."""
    roster = w.setup.data.roster
    if not roster:
        return d.options[0].value
    return max(d.options, key=lambda o: (roster[int(o.value)].points, -int(o.value))).value


# --- What is done -----------------------------------------------------------------------------------------------------


def _is_done(effect: AnyEffect) -> bool:
    return isinstance(effect, GainCp | MortalWounds | Heal | Reanimate | ReturnModels | Move | BattleShock)


async def _do(b: Battle10, doing: Doing, number: int, effect: AnyEffect, unit: Unit) -> None:
    """One effect on one unit."""
    match effect:
        case GainCp():
            gain_extra(b, b.player(doing.player), effect.value, SOURCE)
        case MortalWounds():
            await inflict(b, unit, mortal_wounds(b, doing, effect, unit), SOURCE, by=doing.bearer)
        case Heal():
            points = amount(b, doing, effect.amount, "wound(s) healed")
            await heal(b, unit, points, doing.name, _own_models(doing, effect))
        case Reanimate():
            await reanimate(b, unit, effect.amount, doing.name)
        case ReturnModels() if effect.who == "model":
            for m in doing.occasion.fallen:
                if m in _own_models(doing, effect):
                    return_bearer(b, unit, m, effect.wounds, doing.name)
        case ReturnModels():
            await return_models(b, unit, amount(b, doing, effect.amount, "model(s) back"), effect.wounds, doing.name)
        case Move():
            far = amount(b, doing, effect.distance, "inch(es)")
            await b.act(unit, make_extra_move(b, unit, far, doing.name, surge=effect.type == "surge"))
        case BattleShock():
            await battle_shock_test(b, unit, effect.modifier, by=doing.name)
        case Allow(what="into_reserves"):
            into_reserves(b, unit, doing.name)
        case Allow(what="redeploy"):
            await redeploy(b, unit, doing.name)
        case _:
            last(b, doing, number, effect, unit.id)


def _own_models(doing: Doing, effect: AnyEffect) -> tuple[int, ...]:
    """The models that an effect on the bearer alone is meant for; none for others."""
    return doing.source.models if effect.who == "model" and isinstance(doing.source, Ability) else ()


def amount(b: Battle10, doing: Doing, text: int | str, noun: str) -> int:
    """A number of something, rolled where it holds dice."""
    found = read_amount(text)
    read = read_as(found, noun)
    return value_of(found, b.roll(found.dice, doing.name, doing.player, rules=(SOURCE,), read=read))


def mortal_wounds(b: Battle10, doing: Doing, effect: MortalWounds, unit: Unit) -> int:
    """How many mortal wounds a unit suffers: an amount for each die that shows enough."""
    if effect.dice == 1:
        return amount(b, doing, effect.amount, MORTAL)
    dice = engaged_models(b, b.unit(doing.bearer), unit, effect) if effect.dice == "model" else effect.dice
    least, most = max(1, effect.die), effect.up_to or ALL_FACES
    noun = MORTAL if str(effect.amount) == "1" else "success(es)"
    read = Each(noun, needed=least, up_to=most if most < ALL_FACES else 0)
    faces = b.roll(dice, doing.name, doing.player, rules=(SOURCE,), read=read)
    hits = sum(in_range(f, least, most) for f in faces)
    return sum(amount(b, doing, effect.amount, MORTAL) for _ in range(hits))


def engaged_models(w: World10, bearer: Unit, unit: Unit, effect: MortalWounds) -> int:
    """One die for each model of the bearer's unit, after a charge for each that reached the enemy."""
    return int(models_that_reach(w, w.on_table(bearer), unit, effect.within).sum())


def last(b: Battle10, doing: Doing, number: int, effect: AnyEffect, unit: int) -> None:
    """An effect that lasts is written down; -1 for a whole army."""
    b.add_effect(set_off(doing.number, number, unit, ends(b, doing.player, effect.until or doing.until), SOURCE))


def ends(w: World10, player: int, until: str) -> str:
    """When an effect ends, as the state keeps it."""
    if until == "command":
        return f"command of {player}"
    if until == "opponent_turn":
        following = [p for p in (*w.state.players[player:], *w.state.players[:player]) if p.side != w.side(player)]
        return f"turn of {following[0].side}"
    return until


# --- Leaving the battlefield ------------------------------------------------------------------------------------------


def into_reserves(b: Battle10, unit: Unit, name: str) -> None:
    """A unit leaves the battlefield for Strategic Reserves."""
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=STRATEGIC)
    b.tell("into_reserves", f"{name}: {does(unit, 'goes')} into Strategic Reserves.", SOURCE, units=[unit.id])


async def redeploy(b: Battle10, unit: Unit, name: str) -> None:
    """A unit leaves the battlefield and is set up again at once, as with Deep Strike."""
    moved = unit.moved
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=DEEP_STRIKE)
    if find_arrival(b, unit) is None:
        b.place_models(living(b, unit), TABLE)
        b.set_unit(unit, reserve="")
        b.tell("no_room", f"{name}: there is no room for {unit.name} elsewhere.", SOURCE, units=[unit.id])
        return
    b.tell("redeploys", f"{name}: {does(unit, 'is')} set up elsewhere.", SOURCE, units=[unit.id])
    await arrive(b, unit, optional=False)
    # Being set up counts as a Normal move, and undoes no other.
    if moved in (ADVANCE, FALL_BACK):
        b.set_unit(unit, moved=moved)


# --- Whether it is any use --------------------------------------------------------------------------------------------


def is_useful(w: World10, effect: AnyEffect, unit: Unit) -> bool:
    """Whether something that is done at once would change anything for a unit."""
    match effect:
        case Heal():
            return can_heal(w, unit)
        case Reanimate():
            return w.is_on_table(unit) and (is_short(w, unit) or can_heal(w, unit))
        case ReturnModels() if effect.who == "model":
            return True
        case ReturnModels():
            return w.is_on_table(unit) and bool(missing(w, unit))
        case Move():
            return can_go(w, unit, surge=effect.type == "surge")
        case MortalWounds() | BattleShock():
            return w.is_on_table(unit)
        case Allow(what="into_reserves"):
            return w.is_on_table(unit) and not passengers(w, unit)
        case Allow(what="redeploy"):
            return w.is_on_table(unit) and not passengers(w, unit)
    return True


QUESTIONS: Final[dict[str, Question]] = {"ability_target": Question(default=default_target)}
