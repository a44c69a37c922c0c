"""The protocol: every message between a client and the server, as types. `docs/protocol.md` is written from them.

Messages are JSON objects, one in each text frame of a WebSocket. `say` names the message. A client may put a number of
its own into `ask`; whatever the server says in reply has it in `to`. Positions are grid steps of 1/1024 of the system's
unit of length, facings are steps of 1/4096 of a turn.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from sandtable.battle.cards import Card
from sandtable.battle.decisions import MAX_COORDINATE, MAX_ITEMS, AnyDecision, Spot
from sandtable.battle.events import AnyEvent
from sandtable.battle.state import Effect, Result
from sandtable.battle.system import DeploymentZone, Outlook, Reach, Ring
from sandtable.battle.verdict import Verdict
from sandtable.players.table import Takebacks
from sandtable.table.arrange import Formation
from sandtable.table.layout import Feature, Table
from sandtable.table.shapes import Shape

PROTOCOL: Final = 1
"""Grows when a client that knew the protocol before would no longer understand it."""

SPECTATOR: Final = -1
"""The seat of those who only watch."""

# ------------------------------------------------------------------------------------------ what clients say

Number: TypeAlias = Annotated[int, Meta(ge=-(1 << 40), le=1 << 40)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Secret: TypeAlias = Annotated[str, Meta(max_length=100)]
Word: TypeAlias = Annotated[str, Meta(max_length=100)]
Nonce: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


class FromClient(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="say"):
    """What every message of a client may have."""

    ask: Number = 0
    """A number of the client's own; the reply has it in `to`."""


class Hello(FromClient, frozen=True, kw_only=True, tag="hello"):
    """The first message: who is there. With a token the holder of a seat; with a battle's id a spectator."""

    token: Secret = ""
    """The token of a seat, or of a battle that is watched by invitation only."""
    battle: Word = ""
    """The id of the battle, for spectators without a token."""
    line: Number = -1
    """After a disconnect: the `line` and..."""
    since: Number = 0
    """...the `next` of the last message. If the line still holds, only the events since are sent, not the view."""


class Answer(FromClient, frozen=True, kw_only=True, tag="answer"):
    """Answer an open decision. Sent again after a disconnect, with the same nonce, it is still one answer."""

    decision: Number
    answer: Any
    """As the schema of the decision's shape says."""
    nonce: Nonce
    """Made up by the client, a new one for each answer."""


class Check(FromClient, frozen=True, kw_only=True, tag="check"):
    """Would this answer be legal? Nothing is decided by it; made for asking while a model is being dragged."""

    decision: Number
    answer: Any
    nearest: bool = False
    """Look for a legal answer near a move or a set-up that is not legal."""


class Ideas(FromClient, frozen=True, kw_only=True, tag="ideas"):
    """Legal answers with reasons, the best first."""

    decision: Number
    most: Annotated[int, Meta(ge=1, le=12)] = 3


class Default(FromClient, frozen=True, kw_only=True, tag="default"):
    """The answer that a player accepts with one key."""

    decision: Number


class Towards(FromClient, frozen=True, kw_only=True, tag="towards"):
    """A legal answer that brings the unit of a decision to a place, or as near to it as it may."""

    decision: Number
    x: Coordinate
    y: Coordinate
    shape: Formation = "keep"
    mode: Word = ""
    """The way of moving; empty for the plain one."""
    ends: Annotated[tuple[Spot, ...], Meta(max_length=MAX_ITEMS)] = ()
    """Where each model is wanted; who is left out stays. A legal answer with these ends is taken before any other."""


class ShowReach(FromClient, frozen=True, kw_only=True, tag="reach"):
    """Where the models of a unit may end a move."""

    decision: Number
    mode: Word


class ShowSight(FromClient, frozen=True, kw_only=True, tag="sight"):
    """What the models of a unit see of another, from where both stand now."""

    unit: Number
    target: Number


class ShowOutlook(FromClient, frozen=True, kw_only=True, tag="outlook"):
    """What answers would do to their targets on average: everything that can be aimed at each of them, say.

    What has several profiles and names none is taken with the one that does most at its target.
    """

    decision: Number
    answers: Annotated[tuple[Any, ...], Meta(max_length=40)]


class ShowReference(FromClient, frozen=True, kw_only=True, tag="reference"):
    """The rules of a phase, as a quick reference."""

    phase: Word


class ShowMoment(FromClient, frozen=True, kw_only=True, tag="moment"):
    """The battle as it stands now, as a scenario file."""


class Chance(FromClient, frozen=True, kw_only=True, tag="chance"):
    """The chance that an answer does what it is for."""

    decision: Number
    answer: Any


class Advise(FromClient, frozen=True, kw_only=True, tag="advise"):
    """The answer that reaches most of an aim on average, such as the best split of a unit's weapons."""

    decision: Number
    aim: Literal["destroy", "kills", "damage", "points"]


class Odds(FromClient, frozen=True, kw_only=True, tag="odds"):
    """What the attacks of a unit at a target would do from where both stand now."""

    unit: Number
    target: Number


class Why(FromClient, frozen=True, kw_only=True, tag="why"):
    """Whether a unit may do something now, and if not, why."""

    act: Word
    unit: Number


class ShowCard(FromClient, frozen=True, kw_only=True, tag="card"):
    """The datasheet of a unit, with what is left of it."""

    unit: Number


class ShowRules(FromClient, frozen=True, kw_only=True, tag="rules"):
    """What rules say, that decisions, events and verdicts cite."""

    ids: Annotated[tuple[Word, ...], Meta(max_length=50)]


class ShowEvents(FromClient, frozen=True, kw_only=True, tag="events"):
    """All events from a number on."""

    since: Number = 0


class TakeBack(FromClient, frozen=True, kw_only=True, tag="take_back"):
    """Take the last own answer back; once something was learnt from it, the others must agree."""


class Consent(FromClient, frozen=True, kw_only=True, tag="consent"):
    """Agree, or not, to what another player asks for."""

    request: Number
    agree: bool


class GiveOrders(FromClient, frozen=True, kw_only=True, tag="give_orders"):
    """Standing orders for this seat, as an orders file has them; they take the place of all given before."""

    text: Annotated[str, Meta(max_length=20_000)]
    """YAML; the word `default` for those that most players would give; empty for none."""


class Queued(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a question that is still to come."""

    kind: Word
    """Of the question."""
    unit: Number
    """That it is about; -1 for none."""
    answer: Any


class QueueAnswers(FromClient, frozen=True, kw_only=True, tag="queue"):
    """Answers in their order, to be given when they are asked for; they take the place of all that waited before."""

    answers: Annotated[tuple[Queued, ...], Meta(max_length=100)]


class Fall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which order the models of a unit fall."""

    unit: Number
    models: Annotated[tuple[Number, ...], Meta(max_length=MAX_ITEMS)]
    """Whoever is first takes what one of the unit must; without any the player is asked."""


class SetFall(FromClient, frozen=True, kw_only=True, tag="fall"):
    """Who of a unit falls first, whenever that is asked."""

    fall: Fall


class ShowRecap(FromClient, frozen=True, kw_only=True, tag="recap"):
    """The battle as it stood when this seat was last there; `events` gives what happened since."""

    since: Number


class SetHook(FromClient, frozen=True, kw_only=True, tag="hook"):
    """The address that is told when this seat is asked and nobody is there; empty for none."""

    url: Annotated[str, Meta(max_length=500)]


class PauseClocks(FromClient, frozen=True, kw_only=True, tag="pause"):
    """Stop the clocks, if the others agree, or let them run again."""


class Concede(FromClient, frozen=True, kw_only=True, tag="concede"):
    """Give the battle up."""


AnyFromClient: TypeAlias = (
    Hello
    | Answer
    | Check
    | Ideas
    | Default
    | Towards
    | ShowReach
    | ShowSight
    | ShowOutlook
    | ShowReference
    | ShowMoment
    | Chance
    | Advise
    | Odds
    | Why
    | ShowCard
    | ShowRules
    | ShowEvents
    | TakeBack
    | Consent
    | GiveOrders
    | QueueAnswers
    | SetFall
    | ShowRecap
    | SetHook
    | PauseClocks
    | Concede
)

# ------------------------------------------------------------------------------------------ what the server says


class Shown(msgspec.Struct, frozen=True):
    """The state of a battle as a seat may see it; what it may not know is null."""

    models: list[list[int]]
    """For each model x, y, z, facing, wounds, place, mark and unit. Places: 0 off, 1 on the table, 2 aboard, 3 gone."""
    units: list[Any]
    """The system's units; all have `id`, `player`, `name` and `models`."""
    players: list[Any]
    """The system's players; all have `id`, `name` and `side`."""
    game: Any
    """What the system keeps beside."""
    segment: str
    step: int
    round: int
    active: int
    effects: tuple[Effect, ...]
    features: tuple[Feature, ...]
    """Terrain that came up during the battle."""


class Board(msgspec.Struct, frozen=True):
    """What is drawn beside the models, the same for everybody."""

    objectives: list[tuple[int, int, int, int, str, int]]
    """x, y, radius, reach, label, look of the side that holds it or -1"""
    marks: list[tuple[str, ...]]
    """For each unit what its badge says."""
    numbers: list[tuple[tuple[str, int], ...]]
    """For each player what the score board says."""
    score: list[str]
    """How the battle stands, in lines."""
    phase: str
    zones: list[DeploymentZone]
    rounds: list[list[tuple[tuple[str, int], ...]]]
    """What the score board said before each round began, for each player."""


class Waiting(msgspec.Struct, frozen=True):
    """A question that is open for somebody."""

    decision: int
    player: int
    kind: str


class AtTable(msgspec.Struct, frozen=True):
    """Who sits at the table."""

    player: int
    name: str
    side: int
    plays: str
    """`person`, or the name of a computer player."""
    taken: bool
    """Whether somebody holds the seat; not while its invitation is open."""


class Clock(msgspec.Struct, frozen=True):
    """A player's chess clock."""

    player: int
    left: float
    """Seconds."""
    running: bool
    fallen: bool
    """No time is left: standing orders, or the usual answers, decide for this seat."""
    increment: float
    """Seconds that each phase of the player's own turn adds."""


class Ground(msgspec.Struct, frozen=True):
    """What does not change while a battle is played."""

    system: str
    name: str
    """Of the system."""
    unit: str
    """Of length: in or cm."""
    table: Table
    shapes: tuple[Shape, ...]
    shape_of: tuple[int, ...]
    """For each model its row of `shapes`."""
    options: dict[str, str]
    armies: tuple[str, ...]
    labels: list[str]
    """For each unit a short label."""
    rings: tuple[Ring, ...]
    """Distances that players look at while they move."""


class Switch(msgspec.Struct, frozen=True):
    """An option of the battle that settles how a rule is read."""

    name: str
    values: tuple[str, ...]
    """The usual one comes first."""
    text: str


class Rule(msgspec.Struct, frozen=True):
    """A rule in our words."""

    id: str
    name: str
    where: str
    """Its heading in the book."""
    text: str
    note: str
    """The reading that is taken, where there are several."""
    options: list[Switch]
    """Options by which another reading is taken."""


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
    """Numbers of events with a sentence: what was rolled, why and what came of it, or what was asked and answered."""


class Happened(Now, frozen=True, kw_only=True, tag="events"):
    """What happened; view plus events is the view that follows."""

    first: int
    """The number of the first of these events."""
    events: list[AnyEvent]
    said: list[tuple[int, str]]
    """Numbers of events with a sentence: what was rolled, why and what came of it, or what was asked and answered."""


class Rewound(Now, frozen=True, kw_only=True, tag="rewound"):
    """Something was taken back: the battle stands as this view shows it, on another line."""

    text: str
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
        "no_seat",
        "not_yours",
        "not_open",
        "illegal",
        "not_possible",
        "not_agreed",
        "failed",
    ]
    text: str
    verdict: Verdict | None = None
    """Of an illegal answer: reasons with rules and facts, and in `instead` a legal answer near it, if one was found."""


class Done(FromServer, frozen=True, kw_only=True, tag="done"):
    """What was asked for was done, or put to the others; what came of it is told to everybody."""


class Judged(FromServer, frozen=True, kw_only=True, tag="judged"):
    """Whether something would be legal."""

    verdict: Verdict


class Idea(msgspec.Struct, frozen=True):
    """A legal answer."""

    answer: Any
    said: str
    """In words."""
    why: str
    worth: float


class Ideal(FromServer, frozen=True, kw_only=True, tag="ideas"):
    """Legal answers, the best first."""

    decision: int
    ideas: list[Idea]


class ReachShown(FromServer, frozen=True, kw_only=True, tag="reach"):
    """Where the models of a unit may end, the certain area first; empty where the system cannot tell."""

    decision: int
    mode: str
    areas: list[Reach]


class Seen(msgspec.Struct, frozen=True):
    """What one model sees of another: a clear line where there is one."""

    model: int
    target: int
    line: tuple[int, int, int, int] | None
    """x, y on the one and x, y on the other; null where nothing is seen."""
    fully: bool


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


class Likely(FromServer, frozen=True, kw_only=True, tag="chance"):
    """A chance; null where the system cannot tell."""

    chance: float | None


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
    """What became of such a request."""

    request: int
    agreed: bool
    text: str


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

#: Why the server closes a connection.
BAD_HELLO: Final = 4400
NO_SEAT: Final = 4403
TOO_SLOW: Final = 4408
TOO_MANY: Final = 4409
TOO_FREQUENT: Final = 4429
UNPLAYABLE: Final = 4500


def _plain(value: Any) -> Any:
    # NumPy's numbers may find their way into what a system keeps.
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")


_encoder: Final = msgspec.json.Encoder(enc_hook=_plain)
_decoder: Final = msgspec.json.Decoder(AnyFromClient)


def encode(message: FromServer) -> str:
    """A message as a client gets it."""
    return _encoder.encode(message).decode()


def decode(text: str | bytes) -> AnyFromClient:
    """A message from a client; raises `msgspec.MsgspecError` or `RecursionError` where it is none."""
    message: AnyFromClient = _decoder.decode(text)
    return message
