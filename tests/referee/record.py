"""What a referee gets to see of a battle: its set-up, what was asked, and what happened, all as plain data.

A record is a dictionary of numbers, words and lists. It can be kept as JSON, looked at, and doctored, and it holds
nothing of the code that played the battle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec
import numpy as np

import sandtable
from sandtable.battle import journal
from sandtable.battle.replaying import replay
from sandtable.players import play, seat

Record: TypeAlias = dict[str, Any]


def begin(
    system: str,
    armies: Mapping[str, str],
    mission: str,
    layout: str,
    seed: int,
    *,
    bare: bool = False,
    options: Mapping[str, str] | None = None,
) -> Any:
    """A battle at its first question. In a bare one nobody brought abilities beyond those of the core book."""
    battle = sandtable.new(system, armies=armies, mission=mission, layout=layout, seed=seed, options=options)
    if not bare:
        return battle
    written = journal.read(journal.write(battle), "the battle")
    setup = json.loads(bytes(written.setup))
    setup["data"].update(abilities=[], stratagems=[])
    written.setup, written.entries = msgspec.Raw(json.dumps(setup).encode()), []
    return replay(written, battle.system)[0]


def watch(battle: Any, players: tuple[str, ...], seed: int, title: str = "") -> Record:
    """Play a battle to its end, and keep what a bystander saw."""
    record = opened(battle, title)
    items: list[dict[str, Any]] = []
    seen = 0

    def look() -> None:
        nonlocal seen
        items.extend(msgspec.to_builtins(battle.events[seen:]))
        seen = len(battle.events)

    def asked(decision: Any) -> None:
        look()
        items.append({"event": "question", **msgspec.to_builtins(decision)})

    play(battle, seat(players, seed, _nobody), on_ask=asked)
    look()
    record["items"] = items
    record["end"] = end_of(battle)
    return record


def opened(battle: Any, title: str = "") -> Record:
    """The record of a battle that has not been played."""
    return {
        "title": title,
        "system": battle.setup.system,
        "setup": msgspec.to_builtins(battle.setup),
        "start": plain_state(battle.start_bytes),
        "items": [],
        "end": {},
    }


def end_of(battle: Any) -> dict[str, Any]:
    """The battle as each player sees it in the end."""
    return {str(p.id): _seen(battle.view(p.id).state) for p in battle.state.players}


def plain_state(data: bytes) -> dict[str, Any]:
    """A state that was written down as bytes."""
    state: dict[str, Any] = msgspec.msgpack.decode(data)
    state["models"] = {
        name: np.frombuffer(raw, dtype=np.int64).reshape(shape).tolist()
        for name, (shape, raw) in state["models"].items()
    }
    return state


def _seen(state: Any) -> dict[str, Any]:
    models = state.models
    return {
        "pos": models.pos.tolist(),
        "facing": models.facing.tolist(),
        "wounds": models.wounds.tolist(),
        "place": models.place.tolist(),
        "unit": models.unit.tolist(),
        "players": msgspec.to_builtins(state.players),
        "game": msgspec.to_builtins(state.game),
    }


def _nobody(_number: int) -> Any:
    raise LookupError("a referee watches computer players only")
