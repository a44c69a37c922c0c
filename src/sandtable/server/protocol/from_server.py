"""What the server says."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from sandtable.battle.cards import Card
from sandtable.battle.decisions import AnyDecision
from sandtable.battle.events import AnyEvent
from sandtable.battle.state import Result
from sandtable.battle.system import Outlook, Reach
from sandtable.battle.verdict import Verdict
from sandtable.players.table import Takebacks
from sandtable.server.protocol.parts import (
    AtTable,
    Board,
    Clock,
    Fall,
    Ground,
    Idea,
    Queued,
    Rule,
    Seen,
    Shown,
    Waiting,
)


class FromServer(msgspec.Struct, frozen=True, kw_only=True, tag_field="say"):
    """What every message of the server may have."""

    to: int = 0
    """The `ask` of the message that this replies to; 0 where it replies to none."""


class Now(FromServer, frozen=True, kw_only=True):
    """What tells where a battle stands."""

    line: int
    """Changes when something was taken back; numbers of events count anew from there."""
    next: int
    """The number of the next event."""
    open: list[AnyDecision]
    """The decisions that this seat is asked."""
    waiting: list[Waiting]
    """All that is open, for whomever."""
    result: Result | None
    board: Board | None
    """Null where it is as it was."""


class Welcome(Now, frozen=True, kw_only=True, tag="welcome"):
    """The reply to `hello`: all that there is to know from here."""

    protocol: int
    version: str
    battle: str
    title: str
    you: int
    """The player that this seat plays; -1 for spectators."""
    seats: list[AtTable]
    takebacks: Takebacks
    ground: Ground
    view: Shown
    orders: str
    """The standing orders of this seat."""
    usual_orders: str
    """Those that the word `default` stands for."""
    rerolls: str
    """The kind of question that offers to make a roll again; empty where the rules know none."""
    seen: int
    """The number of the first event that this seat has not heard before."""
    hook: str
    """The address that is told when this seat is asked and nobody is there."""
    queued: int
    """Answers of this seat that wait for their questions."""
    falls: list[Fall]
    """Who falls first of units of this seat."""
    clocks: list[Clock]
    """Empty for a battle without."""


class Resumed(Now, frozen=True, kw_only=True, tag="resumed"):
    """The reply to `hello` with a line that still holds: what happened since."""

    you: int
    first: int
    """The number of the first of these events."""
    events: list[AnyEvent]
    said: list[tuple[int, str]]
    """Numbers of events with a sentence: what was rolled, why and what came of it, or what was asked and answered.

    With the event that begins a phase, lines with what is left to the players in it; with one after which something was
    taken back, lines that tell so, with the dice that were burnt.
    """


class Happened(Now, frozen=True, kw_only=True, tag="events"):
    """What happened; view plus events is the view that follows."""

    first: int
    """The number of the first of these events."""
    events: list[AnyEvent]
    said: list[tuple[int, str]]
    """Numbers of events with a sentence: what was rolled, why and what came of it, or what was asked and answered.

    With the event that begins a phase, lines with what is left to the players in it; with one after which something was
    taken back, lines that tell so, with the dice that were burnt.
    """


class Rewound(Now, frozen=True, kw_only=True, tag="rewound"):
    """Something was taken back or corrected: the battle stands as this view shows it, on another line."""

    text: str
    """What was, with the dice that were burnt; empty where another player withdrew what nobody had learnt from."""
    view: Shown


class Accepted(FromServer, frozen=True, kw_only=True, tag="accepted"):
    """The answer counts, and is kept for good."""

    decision: int
    nonce: str
    again: bool = False
    """It had been accepted before."""


class Refused(FromServer, frozen=True, kw_only=True, tag="refused"):
    """Something that was not done, and why."""

    code: Literal[
        "malformed",
        "too_large",
        "too_frequent",
        "not_yours",
        "not_open",
        "illegal",
        "not_possible",
        "not_agreed",
        "failed",
    ]
    text: str
    verdict: Verdict | None = None
    """Of an illegal answer: reasons with rules and facts. A legal one near it follows as `judged`, if one is found."""


class Done(FromServer, frozen=True, kw_only=True, tag="done"):
    """What was asked for was done, or put to the others; what came of it is told to everybody."""


class Judged(FromServer, frozen=True, kw_only=True, tag="judged"):
    """Whether something would be legal; or, after a refusal of the same number, in `instead` what would be near it."""

    verdict: Verdict


class Ideal(FromServer, frozen=True, kw_only=True, tag="ideas"):
    """Legal answers, the best first."""

    decision: int
    ideas: list[Idea]


class ReachShown(FromServer, frozen=True, kw_only=True, tag="reach"):
    """Where the models of a unit may end, the certain area first; empty where the system cannot tell."""

    decision: int
    mode: str
    areas: list[Reach]


class ShadeShown(FromServer, frozen=True, kw_only=True, tag="shade"):
    """Where on the ground no model of an enemy would see one of the unit; empty where the system cannot tell."""

    decision: int
    foe: int
    outlines: tuple[tuple[tuple[int, int], ...], ...]
    """Holes run clockwise."""


class SightShown(FromServer, frozen=True, kw_only=True, tag="sight"):
    """What the models of a unit see of another: for each its best look."""

    unit: int
    target: int
    seen: list[Seen]
    blocked: list[int]
    """Features of the table that are in the way of some line, by number."""
    text: str
    """In a sentence."""


class OutlookShown(FromServer, frozen=True, kw_only=True, tag="outlook"):
    """What each of the answers would do to its targets; empty where it is not legal, or the system cannot tell."""

    decision: int
    outlooks: list[list[Outlook]]
    answers: list[Any]
    """The answers, without what cannot be done together with the rest of it; nothing for one that makes no sense."""


class MomentShown(FromServer, frozen=True, kw_only=True, tag="moment"):
    """The battle as it stands, as a scenario file."""

    name: str
    """For the file."""
    text: str
    lost: str = ""
    """What of the moment is not in it, as a sentence."""


class Likely(FromServer, frozen=True, kw_only=True, tag="chance"):
    """A chance; null where the system cannot tell."""

    chance: float | None
    meant: str = ""
    """What it is the chance of, in words that can follow it: "to destroy a target"; empty where nothing is known."""


class Sentences(FromServer, frozen=True, kw_only=True, tag="told"):
    """Sentences."""

    lines: list[str]


class CardShown(FromServer, frozen=True, kw_only=True, tag="card"):
    """A datasheet; null where the system has none."""

    unit: int
    card: Card | None


class RulesShown(FromServer, frozen=True, kw_only=True, tag="rules"):
    """Rules, as they were asked for."""

    rules: list[Rule]


class Asking(FromServer, frozen=True, kw_only=True, tag="asking"):
    """A player asks for something that the others must agree to; `consent` replies."""

    request: int
    player: int
    text: str


class Settled(FromServer, frozen=True, kw_only=True, tag="settled"):
    """What became of such a request; after `resumed`, that nothing is asked for, or no longer."""

    request: int
    agreed: bool
    text: str
    """Empty after `resumed`."""


class Noted(FromServer, frozen=True, kw_only=True, tag="noted"):
    """Something was answered for this seat by its standing orders, or one of them ended."""

    decision: int
    kind: str
    text: str
    answered: bool


class Left(FromServer, frozen=True, kw_only=True, tag="left"):
    """Standing orders leave a question to this seat; until then they may still answer it."""

    decision: int


class Ordered(FromServer, frozen=True, kw_only=True, tag="ordered"):
    """The standing orders of this seat, as they are kept."""

    text: str


class QueueLeft(FromServer, frozen=True, kw_only=True, tag="queue"):
    """How many answers of this seat wait for their questions, and what became of the others."""

    left: int
    text: str
    back: list[Queued]
    """Answers that were given up."""


class FallsKept(FromServer, frozen=True, kw_only=True, tag="falls"):
    """Who falls first of units of this seat, as it is kept."""

    falls: list[Fall]


class RecapShown(FromServer, frozen=True, kw_only=True, tag="recap"):
    """The battle as it stood before an event; null where it never stood just there."""

    since: int
    view: Shown | None


class HookKept(FromServer, frozen=True, kw_only=True, tag="hook"):
    """The address that is told when this seat is asked and nobody is there."""

    url: str


class ClocksShown(FromServer, frozen=True, kw_only=True, tag="clocks"):
    """What the clocks say now."""

    clocks: list[Clock]


class AtSeats(FromServer, frozen=True, kw_only=True, tag="seats"):
    """Somebody took a seat."""

    seats: list[AtTable]


class Farewell(FromServer, frozen=True, kw_only=True, tag="farewell"):
    """The last message before the server closes the connection."""

    code: int
    """The code that it closes with."""
    text: str


AnyFromServer: TypeAlias = (
    Welcome
    | Resumed
    | Happened
    | Rewound
    | Accepted
    | Refused
    | Done
    | Judged
    | Ideal
    | ReachShown
    | ShadeShown
    | SightShown
    | OutlookShown
    | MomentShown
    | Likely
    | Sentences
    | CardShown
    | RulesShown
    | Asking
    | Settled
    | Noted
    | Left
    | Ordered
    | QueueLeft
    | FallsKept
    | RecapShown
    | HookKept
    | ClocksShown
    | AtSeats
    | Farewell
)
