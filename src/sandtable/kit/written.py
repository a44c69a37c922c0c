"""What a scenario file says of units, players and the game: names that tell them apart, and what has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, Final

import msgspec

from sandtable.battle.state import State
from sandtable.battle.world import World

OVER: Final = "after the battle"


def stage(state: State[Any, Any, Any], called: str) -> str:
    """When a moment is: what its phase or its step is called, unless the battle is over."""
    return OVER if state.result is not None else called


def at(w: World[Any, Any, Any, Any]) -> dict[str, Any]:
    """When a moment is: the step, which of that name it is, the round, and whose turn."""
    state, segments = w.state, w.system.segments
    here = [(segment, i, flow.__name__) for segment, flows in segments.items() for i, flow in enumerate(flows)]
    step = segments[state.segment][state.step].__name__
    nth = [(segment, i) for segment, i, name in here if name == step].index((state.segment, state.step)) + 1
    which = {"step": step} if nth == 1 else {"step": step, "nth": nth}
    return which | {"round": state.round, "active": str(state.players[state.active].name)}


def own_names(names: Iterable[str]) -> list[str]:
    """Names, no two alike: who comes later under the same one gets a number."""
    out: list[str] = []
    for name in names:
        free, number = name, 2
        while free in out:
            free, number = f"{name} {number}", number + 1
        out.append(free)
    return out


def changed(holder: Any, but: Collection[str]) -> dict[str, Any]:
    """Fields of a unit, a player or the game that are not as they are at first."""
    return {name: value for name, value in plain(holder).items() if name not in but}


def plain(value: Any) -> Any:
    """A value as a document holds it, without the fields that are as they would be anyway."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag_field else {}
        fields = [(f, getattr(value, f.name)) for f in _fields(type(value))]
        return tag | {f.encode_name: plain(held) for f, held in fields if held != _at_first(f)}
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    return [plain(held) for held in value] if isinstance(value, tuple | list) else value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _at_first(field: msgspec.structs.FieldInfo) -> Any:
    return field.default_factory() if callable(field.default_factory) else field.default
