"""What clients say."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from sandtable.battle.decisions import MAX_ITEMS, Spot
from sandtable.battle.rulings import Correction
from sandtable.server.protocol.parts import (
    Coordinate,
    Fall,
    Nonce,
    Number,
    Queued,
    Secret,
    Word,
)
from sandtable.table.arrange import Formation


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


class ShowShade(FromClient, frozen=True, kw_only=True, tag="shade"):
    """Where the unit of a decision would be out of sight of an enemy."""

    decision: Number
    foe: Number


class ShowSight(FromClient, frozen=True, kw_only=True, tag="sight"):
    """What the models of a unit see of another, from where both stand now, or stood."""

    unit: Number
    target: Number
    stood: Annotated[tuple[Spot, ...], Meta(max_length=MAX_ITEMS)] = ()
    """Where every model that was on the table stood; none for now."""


class ShowOutlook(FromClient, frozen=True, kw_only=True, tag="outlook"):
    """What answers would do to their targets on average: everything that can be aimed at each of them, say.

    What has several profiles and names none is taken with the one that does most at its target.
    """

    decision: Number
    answers: Annotated[tuple[Any, ...], Meta(max_length=40)]


class ShowReference(FromClient, frozen=True, kw_only=True, tag="reference"):
    """The rules of a phase, as a quick reference."""

    phase: Word
    kind: Word = ""
    """Of the question that is open: its rules come first, where the system has them apart."""


class ShowMoment(FromClient, frozen=True, kw_only=True, tag="moment"):
    """The battle as it stands now, as a scenario file."""

    question: Annotated[str, Meta(max_length=400)] = ""
    """What the author of the file wants to know."""
    units: Annotated[tuple[Number, ...], Meta(max_length=12)] = ()
    """Those that matter: how far they are apart, and the first one from its nearest enemies, is written down."""
    decision: Number = 0
    """The open decision, where..."""
    refused: Any = None
    """...this answer to it was refused; it is written down with the reasons."""
    chosen: Word = ""
    """The kind of question by which the unit of that decision was chosen."""


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


class Correct(FromClient, frozen=True, kw_only=True, tag="correct"):
    """Ask the others for a correction: wounds of a model, its place, or a modifier on a unit for the phase.

    Computer players leave that to people. The result of the battle says how many corrections there were.
    """

    correction: Correction


class Consent(FromClient, frozen=True, kw_only=True, tag="consent"):
    """Agree, or not, to what another player asks for."""

    request: Number
    agree: bool


class GiveOrders(FromClient, frozen=True, kw_only=True, tag="give_orders"):
    """Standing orders for this seat, as an orders file has them; they take the place of all given before."""

    text: Annotated[str, Meta(max_length=20_000)]
    """YAML; the word `default` for those that most players would give; empty for none."""


class QueueAnswers(FromClient, frozen=True, kw_only=True, tag="queue"):
    """Answers in their order, to be given when they are asked for; they take the place of all that waited before."""

    answers: Annotated[tuple[Queued, ...], Meta(max_length=100)]


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
    | ShowShade
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
    | Correct
    | Consent
    | GiveOrders
    | QueueAnswers
    | SetFall
    | ShowRecap
    | SetHook
    | PauseClocks
    | Concede
)
