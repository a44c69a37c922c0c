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
    """The schema of every message, of requests about army lists, and of the answers to each shape of decision."""
    kinds = [protocol.AnyFromClient, protocol.AnyFromServer, protocol.ReadList, protocol.ListRead]
    (client, server, sent, read), parts = msgspec.json.schema_components(kinds, ref_template="#/parts/{name}")
    return {
        "protocol": PROTOCOL,
        "from_client": client,
        "from_server": server,
        "lists": {"request": sent, "reply": read},
        "answers": {shape: both["answer"] for shape, both in decisions.schemas().items()},
        "parts": parts,
    }
