"""JSON schemas of the protocol, read off its types."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from sandtable.battle import decisions
from sandtable.server import protocol
from sandtable.server.protocol import PROTOCOL


@cache
def schemas() -> dict[str, Any]:
    """The schema of every message, and of the answers to each shape of decision."""
    both = [protocol.AnyFromClient, protocol.AnyFromServer]
    (client, server), parts = msgspec.json.schema_components(both, ref_template="#/parts/{name}")
    return {
        "protocol": PROTOCOL,
        "from_client": client,
        "from_server": server,
        "answers": {shape: both["answer"] for shape, both in decisions.schemas().items()},
        "parts": parts,
    }
