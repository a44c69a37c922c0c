"""Rulings: corrections that the players agree on. They are journalled, seen by all, and counted in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from sandtable.battle.answers import number_in_unit
from sandtable.battle.decisions import MAX_COORDINATE
from sandtable.battle.state import GONE, TABLE, Effect
from sandtable.errors import UserError
from sandtable.table.grid import units

if TYPE_CHECKING:
    from sandtable.battle.changing import AnyChanging


class SetWounds(msgspec.Struct, frozen=True, tag="set_wounds"):
    """A model has this many wounds; with none it is out of play."""

    model: int
    wounds: int


class PutModel(msgspec.Struct, frozen=True, tag="put_model"):
    """A model stands here."""

    model: int
    x: int
    y: int
    z: int = 0
    facing: int = 0


class Grant(msgspec.Struct, frozen=True, tag="grant"):
    """An effect holds."""

    effect: Effect


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """The battle ends here, with this result."""

    winners: tuple[int, ...]
    reason: str = "settled by agreement"


class Modifier(msgspec.Struct, frozen=True, tag="modifier"):
    """An effect of a kind that the system lets players agree on, on a unit until the phase ends."""

    kind: str
    unit: int
    value: int


Ruling: TypeAlias = SetWounds | PutModel | Grant | Settle
Correction: TypeAlias = SetWounds | PutModel | Modifier
"""What players at a table ask each other for."""
AGREED: Final = "ruling"
"""The source of effects that players agreed on."""


def ruling_of(battle: AnyChanging, wanted: Correction) -> Ruling:
    """The ruling that a player asks for; refuses one that makes no sense here."""
    ruling = _granted(battle, wanted) if isinstance(wanted, Modifier) else wanted
    describe_ruling(battle, ruling)
    models = battle.state.models
    if isinstance(ruling, PutModel) and models.place[ruling.model] == GONE and models.wounds[ruling.model] <= 0:
        raise UserError("That model has no wounds left; it must be given some before it can stand anywhere.")
    return ruling


def _granted(battle: AnyChanging, wanted: Modifier) -> Grant:
    known = battle.system.modifiers
    if wanted.kind not in known:
        raise UserError(f"No modifier '{wanted.kind[:80]}' can be agreed on; there are {', '.join(known) or 'none'}.")
    least, most = known[wanted.kind]
    if not least <= wanted.value <= most:
        raise UserError(f"The value of {wanted.kind} is {least} to {most}, not {wanted.value}.")
    if wanted.unit < 0:
        raise UserError(f"There is no unit {wanted.unit}.")
    return Grant(Effect(wanted.kind, wanted.unit, wanted.value, source=AGREED, until="phase"))


def describe_ruling(battle: AnyChanging, ruling: Ruling) -> str:
    """A ruling in a sentence; refuses one that makes no sense here."""
    match ruling:
        case SetWounds(model, wounds):
            _known_model(battle, model)
            if not 0 <= wounds <= 1000:
                raise UserError(f"A model has 0 to 1000 wounds, not {wounds}.")
            return f"Model {number_in_unit(battle, model)} of {_unit_name(battle, model)} has {wounds} wounds."
        case PutModel(model, x, y, z, facing):
            _known_model(battle, model)
            table = battle.table
            on_it = 0 <= x <= table.width and 0 <= y <= table.depth and 0 <= z <= MAX_COORDINATE
            if not (on_it and 0 <= facing < 4096):
                raise UserError("That place is not on the table.")
            high = f", {units(z):.2f} above the ground" if z else ""
            number = number_in_unit(battle, model)
            return f"Model {number} of {_unit_name(battle, model)} stands at {units(x):.2f}, {units(y):.2f}{high}."
        case Grant(effect):
            if not -1 <= effect.unit < len(battle.state.units):
                raise UserError(f"There is no unit {effect.unit}.")
            if isinstance(effect.value, int) and abs(effect.value) > MAX_COORDINATE:
                raise UserError(f"An effect's value is at most {MAX_COORDINATE}.")
            whom = f" to {battle.unit(effect.unit).name}" if effect.unit >= 0 else ""
            return f"Granted{whom}: {effect.kind} {effect.value}."
        case Settle(winners, reason):
            if any(not 0 <= p < len(battle.state.players) for p in winners):
                raise UserError("A winner that does not play in this battle.")
            return f"The battle is settled: {reason}."
    raise TypeError(f"unknown ruling {ruling!r}")


def apply_ruling(battle: AnyChanging, ruling: Ruling) -> None:
    """Carry a ruling out, between two steps; the machine itself ends a battle that is settled."""
    battle.state.rulings += 1
    match ruling:
        case SetWounds(model, wounds):
            battle.set_wounds(model, wounds)
            if not wounds:
                battle.place_models((model,), GONE)
            elif battle.state.models.place[model] == GONE:
                battle.place_models((model,), TABLE)
        case PutModel(model, x, y, z, facing):
            battle.move_models((model,), ((x, y, z),), (facing,))
            battle.place_models((model,), TABLE)
        case Grant(effect):
            battle.add_effect(effect)


def _known_model(battle: AnyChanging, model: int) -> None:
    if not 0 <= model < len(battle.state.models.place):
        raise UserError(f"There is no model {model}.")


def _unit_name(battle: AnyChanging, model: int) -> str:
    name: str = battle.unit(int(battle.state.models.unit[model])).name
    return name
