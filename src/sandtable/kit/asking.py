"""Questions about a whole unit, put to its player.

Words in braces in a prompt are filled in: `{unit}` is the unit's name, any other word comes in the form that agrees
with it, as in "How {does} {unit} move?".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sandtable.battle.decisions import ChooseSome, Confirm, Mode, Move, Option, Order, Place
from sandtable.battle.state import AnyUnit
from sandtable.kit.grammar import filled_in
from sandtable.kit.room import models_to_place

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle, AnyWorld

U = TypeVar("U", bound=AnyUnit)


async def pick_unit(
    b: AnyBattle,
    player: int,
    kind: str,
    prompt: str,
    ready: Callable[[Any, Any], object],
    *rules: str,
    optional: bool = True,
    rolls: Callable[[Any, Any], bool] = lambda b, unit: False,
) -> Any:
    """Let a player pick one of the own units that are ready: (battle, unit); None for none, or where none is.

    Of a unit that `rolls` dice are rolled as soon as it is picked.
    """
    options = [Option(u.id, u.name, rolls=rolls(b, u)) for u in b.units_of(player) if ready(b, u)]
    value = await b.choose(player, kind, prompt, options, optional=optional, rules=rules)
    return None if value is None else b.unit(int(value))


async def agreed(b: AnyBattle, unit: AnyUnit, kind: str, prompt: str, *rules: str, default: bool = True) -> bool:
    """Whether the player of a unit wants something done; nothing is filled in here, so that names may have braces."""
    answer: bool = await b.ask(
        Confirm(
            player=unit.player,
            kind=kind,
            prompt=prompt,
            default=default,
            rules=rules,
            unit=unit.id,
        )
    )
    return answer


async def put_in_order(b: AnyBattle, player: int, kind: str, prompt: str, units: Sequence[U], *rules: str) -> list[U]:
    """Units in the order that a player likes; nobody is asked about a single one."""
    if len(units) < 2:
        return list(units)
    options = tuple(Option(u.id, u.name) for u in units)
    asked = Order(player=player, kind=kind, prompt=prompt, options=options, rules=rules)
    return [b.unit(int(i)) for i in await b.ask(asked)]


def move_of(
    w: AnyWorld, unit: AnyUnit, kind: str, prompt: str, modes: Sequence[Mode], *rules: str, **about: Any
) -> Move:
    """How the models of a unit that are on the table move."""
    return Move(
        player=unit.player,
        kind=kind,
        prompt=filled_in(prompt, unit),
        models=tuple(w.on_table(unit).tolist()),
        modes=tuple(modes),
        rules=rules,
        unit=unit.id,
        about=about,
    )


def some_of(
    unit: AnyUnit, kind: str, prompt: str, options: Sequence[Option], *rules: str, least: int, most: int, deed: str
) -> ChooseSome:
    """Some of what is offered to a unit, so many of it: models of it, for the most part."""
    return ChooseSome(
        player=unit.player,
        kind=kind,
        prompt=filled_in(prompt, unit),
        options=tuple(options),
        least=least,
        most=most,
        deed=deed,
        rules=rules,
        unit=unit.id,
    )


def place_of(
    w: AnyWorld,
    unit: AnyUnit,
    kind: str,
    prompt: str,
    *rules: str,
    models: tuple[int, ...] | None = None,
    area: Sequence[tuple[int, int]] = (),
    optional: bool = False,
    about: Mapping[str, Any] | None = None,
) -> Place:
    """Where the models of a unit that are not on the table, or only some of them, are set up."""
    return Place(
        player=unit.player,
        kind=kind,
        prompt=filled_in(prompt, unit),
        models=models_to_place(w, unit) if models is None else models,
        area=tuple(area),
        optional=optional,
        rules=rules,
        unit=unit.id,
        about=dict(about or {}),
    )
