"""What was told of a battle, as everybody may see it: kept beside the journal, so that a battle can be watched to its
end by a version of Sandtable that no longer plays it the same."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from sandtable import systems
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import AnyEvent, Changed
from sandtable.battle.journal import Journal
from sandtable.battle.machine import Battle
from sandtable.battle.setup import Setup
from sandtable.battle.state import from_bytes
from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.page import page_html
from sandtable.page.story import tell
from sandtable.server.protocol import SPECTATOR, plain

LIGHTLY: Final = 1
"""How hard it is packed: every answer pays for it."""
GONE: Final = "What was told of this battle cannot be read by this version of Sandtable, or was never kept."

AnyBattle = Battle[Any, Any, Any, Any]
log = logging.getLogger("sandtable.server")

_encoder: Final = msgspec.json.Encoder(enc_hook=plain)
_decoder: Final = msgspec.json.Decoder(list[AnyEvent])


class Chapter(NamedTuple):
    """What one answer told, or what a take-back left."""

    first: int
    """The number of the first of these events; those from there on no longer count."""
    events: bytes


def pack(battle: AnyBattle, first: int) -> Chapter:
    """The events from a number on."""
    return Chapter(first, zlib.compress(_encoder.encode(battle.events_for(SPECTATOR, first)), LIGHTLY))


def unchanged(before: Sequence[AnyEvent], after: Sequence[AnyEvent]) -> int:
    """How many events were left as they were when the past changed."""
    together = zip(before, after, strict=False)
    return next((n for n, (was, now) in enumerate(together) if was is not now), min(len(before), len(after)))


def page(head: bytes, told: Sequence[Chapter]) -> bytes:
    """The page that replays a battle by what was told of it."""
    try:
        written = msgspec.json.decode(head, type=Journal)
        system = systems.get(written.system)
        return page_html(tell(_as_it_began(written, system).recall(_unpack(told, system)))).encode()
    except UserError:
        raise
    except Exception:  # another version wrote it, and anything may have changed since
        log.warning("What was told of a battle cannot be read.", exc_info=True)
        raise UserError(GONE) from None


def _as_it_began(written: Journal, system: System) -> AnyBattle:
    setup_type: Any = Setup[system.data_type]  # type: ignore[name-defined]
    setup = msgspec.json.decode(written.setup, type=setup_type)
    state = from_bytes(written.start, system.unit_type, system.player_type, system.game_type)
    return Battle(system, setup, state, dice=ScriptedDice([]))


def _unpack(told: Sequence[Chapter], system: System) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    for part in told:
        if part.first > len(events):
            raise UserError(GONE)
        events[part.first :] = [_typed(e, system) for e in _decoder.decode(zlib.decompress(part.events))]
    if not events:
        raise UserError(GONE)
    return events


def _typed(event: AnyEvent, system: System) -> AnyEvent:
    """An event whose fields are what the system keeps in them, and not plain data."""
    kinds = {"unit": system.unit_type, "player": system.player_type, "game": system.game_type}
    if not isinstance(event, Changed) or event.what not in kinds:
        return event
    types = {f.name: f.type for f in msgspec.structs.fields(kinds[event.what])}
    fields = {name: msgspec.convert(value, types[name]) for name, value in event.fields.items()}
    return Changed(event.what, event.id, fields)
