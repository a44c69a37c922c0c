"""The protocol: every message between a client and the server, as types. `docs/protocol.md` is written from them.

Messages are JSON objects, one in each text frame of a WebSocket. `say` names the message. A client may put a number of
its own into `ask`; whatever the server says in reply has it in `to`. Positions are grid steps of 1/1024 of the system's
unit of length, facings are steps of 1/4096 of a turn.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from sandtable.server.protocol.from_client import (
    Advise,
    Answer,
    AnyFromClient,
    Chance,
    Check,
    Concede,
    Consent,
    Correct,
    Default,
    FromClient,
    GiveOrders,
    Hello,
    Ideas,
    Odds,
    PauseClocks,
    QueueAnswers,
    SetFall,
    SetHook,
    ShowCard,
    ShowEvents,
    ShowMoment,
    ShowOutlook,
    ShowReach,
    ShowRecap,
    ShowReference,
    ShowRules,
    ShowShade,
    ShowSight,
    TakeBack,
    Towards,
    Why,
)
from sandtable.server.protocol.from_server import (
    Accepted,
    AnyFromServer,
    Asking,
    AtSeats,
    CardShown,
    ClocksShown,
    Done,
    FallsKept,
    Farewell,
    FromServer,
    Happened,
    HookKept,
    Ideal,
    Judged,
    Left,
    Likely,
    MomentShown,
    Noted,
    Now,
    Ordered,
    OutlookShown,
    QueueLeft,
    ReachShown,
    RecapShown,
    Refused,
    Resumed,
    Rewound,
    RulesShown,
    Sentences,
    Settled,
    ShadeShown,
    SightShown,
    Welcome,
)
from sandtable.server.protocol.lists import Counted, LeftRead, ListRead, ReadList, UnitRead
from sandtable.server.protocol.parts import (
    AtTable,
    Board,
    Clock,
    Fall,
    Ground,
    Idea,
    Need,
    Proved,
    Queued,
    Rule,
    Seen,
    Shown,
    Switch,
    Tested,
    Waiting,
)

__all__ = [
    "BAD_HELLO",
    "NO_SEAT",
    "PROTOCOL",
    "SPECTATOR",
    "TOO_FREQUENT",
    "TOO_MANY",
    "TRY_AGAIN",
    "UNPLAYABLE",
    "Accepted",
    "Advise",
    "Answer",
    "AnyFromClient",
    "AnyFromServer",
    "Asking",
    "AtSeats",
    "AtTable",
    "Board",
    "CardShown",
    "Chance",
    "Check",
    "Clock",
    "ClocksShown",
    "Concede",
    "Consent",
    "Correct",
    "Counted",
    "Default",
    "Done",
    "Fall",
    "FallsKept",
    "Farewell",
    "FromClient",
    "FromServer",
    "GiveOrders",
    "Ground",
    "Happened",
    "Hello",
    "HookKept",
    "Idea",
    "Ideal",
    "Ideas",
    "Judged",
    "Left",
    "LeftRead",
    "Likely",
    "ListRead",
    "MomentShown",
    "Need",
    "Noted",
    "Now",
    "Odds",
    "Ordered",
    "OutlookShown",
    "PauseClocks",
    "Proved",
    "QueueAnswers",
    "QueueLeft",
    "Queued",
    "ReachShown",
    "ReadList",
    "RecapShown",
    "Refused",
    "Resumed",
    "Rewound",
    "Rule",
    "RulesShown",
    "Seen",
    "Sentences",
    "SetFall",
    "SetHook",
    "Settled",
    "ShadeShown",
    "ShowCard",
    "ShowEvents",
    "ShowMoment",
    "ShowOutlook",
    "ShowReach",
    "ShowRecap",
    "ShowReference",
    "ShowRules",
    "ShowShade",
    "ShowSight",
    "Shown",
    "SightShown",
    "Switch",
    "TakeBack",
    "Tested",
    "Towards",
    "UnitRead",
    "Waiting",
    "Welcome",
    "Why",
    "decode",
    "encode",
    "plain",
]

PROTOCOL: Final = 1
"""Grows when a client that knew the protocol before would no longer understand it."""

SPECTATOR: Final = -1
"""The seat of those who only watch."""

#: Why the server closes a connection.
BAD_HELLO: Final = 4400
NO_SEAT: Final = 4403
TOO_MANY: Final = 4409
TOO_FREQUENT: Final = 4429
UNPLAYABLE: Final = 4500
TRY_AGAIN: Final = 4503


def plain(value: Any) -> Any:
    """What JSON knows, for what it does not: NumPy's numbers may find their way into what a system keeps."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")


_encoder: Final = msgspec.json.Encoder(enc_hook=plain)
_decoder: Final = msgspec.json.Decoder(AnyFromClient)


def encode(message: FromServer) -> str:
    """A message as a client gets it."""
    return _encoder.encode(message).decode()


class _Numbered(msgspec.Struct, frozen=True):
    ask: int = 0


_number = msgspec.json.Decoder(_Numbered)


def number_of(text: str) -> int:
    """The number that a client gave to what is no message of the protocol, for the refusal; 0 where it has none."""
    try:
        return _number.decode(text).ask
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError):
        return 0


def decode(text: str | bytes) -> AnyFromClient:
    """A message from a client; raises `msgspec.MsgspecError` or `RecursionError` where it is none."""
    message: AnyFromClient = _decoder.decode(text)
    return message
