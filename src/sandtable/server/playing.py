"""One battle as it is played: everything here runs on the thread of the engine, and nothing here waits.

The caches of the engine belong to the whole process, so that one thread does the work of all battles.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from sandtable import systems
from sandtable.api import disagreement
from sandtable.battle import answers, journal, questions, rolls
from sandtable.battle.decisions import Decision, read_answer
from sandtable.battle.events import Answered, AnyEvent, Rolled, Wounded
from sandtable.battle.journal import FORMAT, AnswerEntry, Entry, Journal, RulingEntry, UndoEntry
from sandtable.battle.machine import Battle
from sandtable.battle.machine import Refused as Illegal
from sandtable.battle.reminding import left_by_unit
from sandtable.battle.replaying import replay
from sandtable.battle.rulings import Correction, Ruling, describe_ruling, ruling_of
from sandtable.battle.scenario import UNASKED
from sandtable.battle.state import to_bytes
from sandtable.battle.verdict import Verdict
from sandtable.battle.world import View
from sandtable.errors import UserError
from sandtable.page import wording
from sandtable.page.story import objectives
from sandtable.players import Orders, default_orders
from sandtable.players.standing import REACTIONS, arms, awaits
from sandtable.players.table import Takebacks, back_to, placed_since
from sandtable.server import falls, protocol, told
from sandtable.server.protocol import SPECTATOR, AtTable, Board, Ground, Refused, Shown, Waiting, encode
from sandtable.server.reminded import Reminded
from sandtable.server.score import Score
from sandtable.server.seats import PERSON, Seat
from sandtable.server.showing import shown
from sandtable.server.store.records import Saved, Status
from sandtable.server.taken_back import TakenBack, TakingBack
from sandtable.server.told import Chapter
from sandtable.server.worker import Computer, Scene
from sandtable.version import __version__

AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]

MAX_NAMES: Final = 8
"""Players whose armies a title names."""
MOST_CHANGED: Final = 1 / 2
"""How much of what can be read of a journal is filled when nothing is taken back, corrected or armed any more: one that
goes round in circles would grow until nobody can read it..."""
MOST_ANSWERED: Final = 3 / 4
"""...and when the battle can only be given up."""
TOO_LONG: Final = "This battle has become too long to be kept: "

log = logging.getLogger("sandtable.server")


class Untold(Exception):
    """The battle has changed, and what came of it cannot be told: what is stored is the battle."""


class Gained(NamedTuple):
    """What came of an answer, a take-back or a concession: to be stored, then told."""

    leaf: bytes | None
    """What the journal gained; None for an answer that waits for others."""
    status: Status
    events: int
    """How many events there are by now."""
    told: dict[int, str]
    """For each seat that listens, the message that it gets."""
    answer: bytes = b""
    """The answer in its type, as JSON."""
    story: Chapter | None = None
    """What everybody may watch of it."""
    only: int | None = None
    """The one player whom a take-back concerns, where nobody else had learnt anything."""


class Wanted(NamedTuple):
    """What it takes to take an answer back."""

    back: int
    """How many answers must go."""
    learnt: str
    """What was learnt since, as a clause; empty where it can be taken back freely."""
    placed: bool
    """Whether a model was set up or moved since."""


class Playing:
    """A battle in memory."""

    def __init__(
        self, battle: AnyBattle, said: dict[int, str] | None = None, taken_back: TakenBack | None = None
    ) -> None:
        self.battle = battle
        self._said = {} if said is None else said
        """What was asked and answered, in words, by the number of the question."""
        self._taken_back = taken_back or TakenBack()
        entries = battle.entries
        self._stored = len(entries)
        """Entries of the journal that are stored, or on their way there..."""
        self._size = 0
        """...and how many bytes they take."""
        self.line = _lines(entries)
        self._told = len(battle.events)
        self._kept = 0
        """Events that are kept in the database."""
        self.reached: set[str] = set()
        """Phases that were reached before it was loaded, also those that were taken back."""
        self._board: Board | None = None
        self._score = Score()
        self._setup = pickle.dumps(battle.setup)
        self._reminded = Reminded(battle)

    @classmethod
    def load(cls, saved: Saved) -> Playing:
        """The battle of the database, where it was left; refuses, saying where, if it does not play the same."""
        try:
            written = msgspec.json.decode(saved.head, type=Journal)
            written.entries = [e for leaf in saved.leaves for e in msgspec.json.decode(leaf, type=list[Entry])]
        except msgspec.MsgspecError as error:
            why = str(error).rstrip(".")
            raise UserError(f"Another version of Sandtable wrote this battle, and it cannot be read: {why}.") from None
        said: dict[int, str] = {}
        taken_back = TakenBack()
        reached: set[str] = set()

        def listen(again: AnyBattle, entry: Entry) -> None:
            reached.add(_phase(again))
            taken_back.expect(again, entry.count if isinstance(entry, UndoEntry) else None)
            if isinstance(entry, AnswerEntry) and again.decisions:
                asked = again.decisions[0]
                said[asked.id] = _in_words(again, asked, read_answer(asked, entry.answer))

        battle, agreement = replay(written, systems.get(written.system), watch=listen)
        if not agreement.whole:
            raise UserError(disagreement("This battle", agreement))
        taken_back.expect(battle, None)
        playing = cls(battle, said, taken_back)
        playing._kept = len(battle.events) if saved.told else 0
        playing._size = sum(map(len, saved.leaves))
        playing.reached = reached
        for kept in saved.answers:
            if kept.waits:
                given = playing.answer(kept.player, kept.decision, msgspec.json.decode(kept.answer), ())
                if isinstance(given, Refused):
                    raise UserError(f"An answer of this battle that waits for others is refused: {given.text}")
        return playing

    def head(self) -> bytes:
        """The journal without its entries, for the database."""
        battle = self.battle
        setup = msgspec.Raw(msgspec.json.encode(battle.setup))
        assert battle.seed is not None
        return msgspec.json.encode(
            Journal(FORMAT, __version__, battle.system.id, battle.seed, setup, battle.start_bytes, [])
        )

    def put_away(self) -> None:
        """Nobody plays on here."""
        self.battle.put_away()

    def first_leaf(self) -> bytes:
        """What the journal holds at the beginning."""
        return msgspec.json.encode(self.battle.entries)

    def story(self, first: int | None = None) -> Chapter:
        """What everybody may watch since it was last kept, or from an event on that changed."""
        first = self._kept if first is None else min(first, self._kept)
        self._kept = len(self.battle.events)
        return told.pack(self.battle, first)

    def title(self) -> str:
        """Who plays whom."""
        battle = self.battle
        names = battle.setup.armies or tuple(p.name for p in battle.state.players)
        return " against ".join(wording.name(name) for name in names[:MAX_NAMES])

    # ---------------------------------------------------------------------------------- what changes the battle

    def answer(self, player: int, number: int, raw: Any, listeners: Iterable[int]) -> Gained | Refused:
        """Answer a question for a seat."""
        asked = self.asked(player, number)
        if isinstance(asked, Refused):
            return asked
        self._must_have_room(MOST_ANSWERED, "all that is left is to concede")
        before = self.battle.state.answers
        try:
            typed = read_answer(asked, raw)
            words = _in_words(self.battle, asked, typed)
            with self._or_nothing():
                self.battle.answer(asked, typed)
        except Illegal as refused:
            return _illegal(refused.verdict)
        except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
            return _illegal(self.battle.check(asked, raw))
        with self._changed():
            self._said[asked.id] = words
            answer = msgspec.json.encode(typed)
            if self.battle.state.answers == before:
                return Gained(None, self.status(), self.count(), self._tell(listeners), answer)
            return self._gained(listeners)._replace(answer=answer)

    def concede(self, player: int, listeners: Iterable[int]) -> Gained:
        """Give the battle up for a seat."""
        with self._or_nothing():
            self.battle.concede(player)
        with self._changed():
            return self._gained(listeners)

    def wanted(self, player: int) -> Wanted:
        """What it takes to take the last answer of a seat back; raises `UserError` where there is none."""
        if self.battle.result is not None:
            raise UserError("The battle is over already.")
        if self.battle.waits(player):
            raise UserError("Your answer waits for the others', and cannot be taken back before they have come.")
        back = back_to(self.battle, player)
        return Wanted(back, self.battle.learnt_since(back), placed_since(self.battle, back))

    def undo(self, player: int, count: int, listeners: Iterable[int]) -> Gained:
        """Take the last answers back, for a seat; others hear why only where something had been learnt."""
        self._must_have_room(MOST_CHANGED, "nothing can be taken back any more")
        taking, before = TakingBack(self.battle, count), list(self.battle.events)
        with self._or_nothing():
            self.battle.undo(count)
        with self._changed():
            text = self._taken_back.note(self.battle, taking)
            return self._rewound(text, listeners, before, None if taking.learnt else player)

    def arm(self, player: int, orders: Orders) -> Gained | None:
        """Ask about what a seat's orders ask about in any case, and nothing else; None where that changes nothing."""
        battle = self.battle
        units = frozenset(arms(orders, battle.units_of(player)))
        triggers = frozenset(awaits(orders, battle.system))
        if battle.result is not None or (battle.armed_by(player), battle.awaited_by(player)) == (units, triggers):
            return None
        if units or triggers:
            self._must_have_room(MOST_CHANGED, "no other orders can be given that ask about reactions")
        with self._or_nothing():
            battle.arm(player, units, triggers)
        with self._changed():
            return Gained(self._leaf(), self.status(), self.count(), {})

    def correction(self, wanted: Correction) -> tuple[Ruling, str]:
        """The ruling that a seat asks for, and its sentence; raises `UserError` where it makes no sense."""
        if self.battle.result is not None:
            raise UserError("The battle is over already.")
        ruling = ruling_of(self.battle, wanted)
        return ruling, describe_ruling(self.battle, ruling)

    def rule(self, ruling: Ruling, listeners: Iterable[int]) -> Gained:
        """Carry out a correction that all agreed on: at once, or when what is being done is over."""
        self._must_have_room(MOST_CHANGED, "nothing can be corrected any more")
        counted, sentence = self.battle.state.rulings, describe_ruling(self.battle, ruling)
        before = list(self.battle.events)
        with self._or_nothing():
            self.battle.rule(ruling)
        with self._changed():
            late = " It holds as soon as what is being done is over." if self.battle.state.rulings == counted else ""
            self._taken_back.cut(self.battle)
            return self._rewound(f"Agreed: {sentence}{late}", listeners, before)

    @contextmanager
    def _or_nothing(self) -> Iterator[None]:
        """What the battle refuses leaves it as it was; where it does not, that must not pass for a refusal."""
        before = self._where()
        try:
            yield
        except Exception as error:
            if self._where() != before:
                raise Untold from error
            raise

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """The battle has changed: whatever goes wrong from here on, that must not pass for a refusal."""
        try:
            yield
        except Exception as error:
            raise Untold from error

    def _where(self) -> tuple[int, int, int, bool]:
        battle = self.battle
        return len(battle.events), battle.state.answers, len(battle.decisions), battle.result is None

    def _must_have_room(self, most: float, otherwise: str) -> None:
        """Refuse to make a battle longer of whose journal too much is filled."""
        if max(self._stored / journal.MAX_ENTRIES, self._size / journal.MAX_BYTES) >= most:
            raise UserError(f"{TOO_LONG}{otherwise}.")

    def _rewound(self, text: str, listeners: Iterable[int], before: list[AnyEvent], only: int | None = None) -> Gained:
        """The past has changed: everybody sees all of it anew; why is told to all, or to one alone."""
        self.line += 1
        self._told = len(self.battle.events)
        board = self.board()
        news = {
            p: encode(
                protocol.Rewound(
                    text=text if only in (None, p) else "", view=self._view(p), board=board, **self._now(p)
                )
            )
            for p in set(listeners)
        }
        story = self.story(told.unchanged(before, self.battle.events))
        return Gained(self._leaf(), self.status(), self.count(), news, story=story, only=only)

    def _gained(self, listeners: Iterable[int]) -> Gained:
        return Gained(self._leaf(), self.status(), self.count(), self._tell(listeners), story=self.story())

    def _leaf(self) -> bytes:
        gained = self.battle.entries_since(self._stored)
        leaf = msgspec.json.encode(gained)
        self._stored, self._size = self._stored + len(gained), self._size + len(leaf)
        return leaf

    def _tell(self, listeners: Iterable[int]) -> dict[int, str]:
        """What happened since the last time, for each seat that listens."""
        first, self._told = self._told, len(self.battle.events)
        before, board = self._board, self.board()
        news = None if board == before else board
        return {
            player: encode(protocol.Happened(board=news, **self._events(player, first), **self._now(player)))
            for player in set(listeners)
        }

    # ---------------------------------------------------------------------------------- what seats see

    def status(self) -> Status:
        """Where the battle stands, for lists."""
        result = self.battle.result
        first = {d.player: d.id for d in reversed(self.battle.decisions)}
        asked = tuple(sorted(first))
        ended = None if result is None else msgspec.json.encode(result).decode()
        state = self.battle.state
        return Status(state.round, asked, ended, _phase(self.battle), state.active, tuple(first[p] for p in asked))

    def asked(self, player: int, number: int) -> Decision[Any] | Refused:
        """The question of that number, if it is put to this seat."""
        for decision in self.battle.decisions:
            if decision.id == number:
                if decision.player == player:
                    return decision
                return Refused(code="not_yours", text=f"Question {number} is put to another player.")
        if not self.battle.decisions:
            return Refused(code="not_open", text="No question is open: the battle is over.")
        return Refused(code="not_open", text=f"Question {number} is not open, or no longer.")

    def check(self, player: int, number: int, raw: Any) -> Verdict | Refused:
        """Whether an answer would be legal, as the seat may know."""
        asked = self.asked(player, number)
        return (
            asked if isinstance(asked, Refused) else questions.check(self.battle.view(player, trusted=True), asked, raw)
        )

    def why(self, player: int, act: str, unit: int) -> Verdict:
        """Whether a unit may do something now."""
        return self.battle.view(player, trusted=True).why_not(act, unit)

    def card(self, player: int, unit: int) -> Any:
        """The datasheet of a unit; None where the system has none."""
        view = self.battle.view(player, trusted=True)
        if not 0 <= unit < len(view.state.units):
            raise UserError(f"There is no unit {unit}; units run from 0 to {len(view.state.units) - 1}.")
        return None if view.system.card is None else view.system.card(view, view.unit(unit))

    def scene(self, player: int, number: int | None = None, measured: str = "") -> Scene | Refused:
        """What a worker needs to think for a seat, about something that may have to be `measured` for it."""
        asked = None if number is None else self.asked(player, number)
        if isinstance(asked, Refused):
            return asked
        if measured and (refused := self._may_measure(player, asked, measured)):
            return refused
        return self._seen(self.battle.view(player, trusted=True), asked)

    def moment(self, player: int) -> tuple[Scene, str]:
        """What a worker needs to write the moment down, as a seat may know it, and the question that is left out."""
        asked = not self.battle.decisions or self.battle.decisions[0].player == player
        left_out = self.battle.amid if asked else ""
        return self._seen(self.battle.view_to_play_on(player), None), left_out

    def _seen(self, view: View[Any, Any, Any, Any], asked: Decision[Any] | None) -> Scene:
        return Scene(self.battle.system.id, self._setup, to_bytes(view.state), view.player_id, asked)

    def _may_measure(self, player: int, asked: Decision[Any] | None, what: str) -> Refused | None:
        """A refusal where a player must not be told yet what takes a tape to find out."""
        measures = self.battle.system.measures
        if measures is None:
            return None
        asked = asked or next((d for d in self.battle.decisions if d.player == player), None)
        verdict = measures(self.battle.view(player, trusted=True), asked, what)
        return None if verdict else _illegal(verdict)

    def victim(self, seat: Seat, number: int) -> tuple[int, bool] | None:
        """The model that takes what one of a unit must, if the player said who falls first.

        With it stands whether that speaks against itself, so that the player may want to think again.
        """
        asked = self.asked(seat.player, number)
        if isinstance(asked, Refused):
            return None
        found = falls.victim(asked, self.battle.state.units, seat.falls)
        view = self.battle.view(seat.player, trusted=True)
        return None if found is None else (found, bool(questions.matters(view, asked, found)))

    def check_fall(self, player: int, unit: int, models: tuple[int, ...]) -> None:
        """Refuse an order of models that are not those of an own unit."""
        units = self.battle.state.units
        if not 0 <= unit < len(units) or units[unit].player != player:
            raise UserError("You say for your own units who falls first.")
        if len(set(models)) != len(models) or not set(models) <= set(units[unit].models):
            raise UserError(f"Name models of {units[unit].name}, each of them once.")

    def plain(self, player: int, number: int) -> Any:
        """The simplest legal answer, for when nobody could think of another; raises `LookupError` without one."""
        asked = self.asked(player, number)
        return asked if isinstance(asked, Refused) else questions.plain(self.battle.view(player, trusted=True), asked)

    def open_numbers(self) -> list[tuple[int, int]]:
        """Number and player of each open question."""
        return [(d.id, d.player) for d in self.battle.decisions]

    def count(self) -> int:
        """How many events there are."""
        return len(self.battle.events)

    def hurt(self, player: int) -> int:
        """How often models of a player lost wounds."""
        units = self.battle.state.units
        mine = {m for u in units if u.player == player for m in u.models}
        return sum(isinstance(e, Wounded) and e.model in mine for e in self.battle.events)

    def journal(self) -> bytes:
        """The whole journal as a file; it tells everything, so it is given away only when the battle is over."""
        return journal.write(self.battle)

    def board(self) -> Board:
        """What is drawn beside the models: what everybody may see."""
        view, system = self.battle.view(SPECTATOR, trusted=True), self.battle.system
        self._board = Board(
            objectives=objectives(view),
            marks=[wording.marks(view, u) for u in view.state.units],
            numbers=[wording.numbers(view, p) for p in view.state.players],
            score=list(system.score(view)) if system.score else [],
            phase=str(getattr(view.state.game, "phase", "") or ""),
            round_name=system.round_name,
            zones=list(system.zones(view)) if system.zones else [],
            rounds=self._score.rounds(self.battle, self.line),
            reminders=list(system.reminders(view)) if system.reminders else [],
            mission=system.briefing(view) if system.briefing else None,
        )
        return self._board

    def welcome(
        self,
        player: int,
        battle: str,
        title: str,
        seats: list[Seat],
        takebacks: Takebacks,
        clocks: list[protocol.Clock],
        queued: int,
        ask: int,
    ) -> str:
        """All that there is to know, for a seat that just sat down."""
        after_roll = self.battle.system.after_roll
        return encode(
            protocol.Welcome(
                to=ask,
                protocol=protocol.PROTOCOL,
                version=__version__,
                battle=battle,
                title=title,
                you=player,
                seats=self.at_table(seats),
                takebacks=takebacks,
                ground=self._ground(),
                view=self._view(player),
                orders=seats[player].orders if player >= 0 else "",
                usual_orders=default_orders(self.battle.system).dump(),
                rerolls=REACTIONS + after_roll if after_roll else "",
                seen=min(seats[player].place.seen, len(self.battle.events)) if player >= 0 else 0,
                hook=seats[player].place.hook if player >= 0 else "",
                queued=queued,
                falls=falls.shown(seats[player].falls) if player >= 0 else [],
                clocks=clocks,
                board=self.board(),
                **self._now(player),
            )
        )

    def resume(
        self, player: int, line: int, since: int, ask: int, seats: list[Seat]
    ) -> tuple[str, list[AtTable]] | None:
        """What happened since an event, and who sits at the table now; None where the line no longer holds."""
        if line != self.line or not 0 <= since <= len(self.battle.events):
            return None
        news, now = self._events(player, since), self._now(player)
        resumed = encode(protocol.Resumed(to=ask, you=player, board=self.board(), **news, **now))
        return resumed, self.at_table(seats)

    def events(self, player: int, since: int, ask: int) -> str:
        """All events from a number on."""
        since = min(max(since, 0), len(self.battle.events))
        return encode(protocol.Happened(to=ask, board=None, **self._events(player, since), **self._now(player)))

    def at_table(self, seats: list[Seat]) -> list[AtTable]:
        """Who sits at the table."""
        players = self.battle.state.players
        return [AtTable(s.player, players[s.player].name, players[s.player].side, s.plays, s.taken) for s in seats]

    def _ground(self) -> Ground:
        system, setup = self.battle.system, self.battle.setup
        view = self.battle.view(SPECTATOR, trusted=True)
        return Ground(
            system=system.id,
            name=system.name,
            unit=system.unit,
            table=setup.table,
            shapes=setup.shapes,
            shape_of=setup.shape_of,
            wounds=tuple(system.wounds(view, m) if system.wounds else 1 for m in range(len(setup.shape_of))),
            options=setup.options,
            armies=setup.armies,
            labels=wording.labels([u.name for u in self.battle.state.units]),
            rings=tuple(system.rings(view)) if system.rings else (),
            auras=tuple(system.auras(view)) if system.auras else (),
            by_hand=tuple(left_by_unit(view)),
            measuring=system.measures is None or bool(system.measures(view, None, "")),
            modifiers=[(kind, least, most) for kind, (least, most) in system.modifiers.items()],
            file=wording.name(setup.file),
            question="" if setup.question == UNASKED else wording.line(" ".join(setup.question.split())),
        )

    def _view(self, player: int) -> Shown:
        return shown(self.battle.view(player, trusted=True).state)

    def _events(self, player: int, first: int) -> dict[str, Any]:
        """Events from a number on, as a seat may see them, with sentences where they need some."""
        events, reminded = self.battle.events_for(player, first), self._reminded.by_event(self.line)
        taken_back = self._taken_back.by_event()
        said: list[tuple[int, str]] = []
        for number, event in enumerate(events, first):
            if isinstance(event, Rolled):
                said.append((number, rolls.sentence(event)))
            elif isinstance(event, Answered) and not (event.secret and event.player != player):
                said.append((number, self._said.get(event.decision, "")))
            elif number in reminded or number in taken_back:
                said.append((number, "\n".join(lines[number] for lines in (reminded, taken_back) if number in lines)))
        return {"first": first, "events": events, "said": said}

    def _now(self, player: int) -> dict[str, Any]:
        battle = self.battle
        return {
            "line": self.line,
            "next": len(battle.events),
            "open": [d for d in battle.decisions if d.player == player],
            "waiting": [Waiting(d.id, d.player, d.kind) for d in battle.decisions],
            "result": battle.result,
        }


def _illegal(verdict: Verdict) -> Refused:
    return Refused(code="illegal", text=str(verdict), verdict=verdict)


def _in_words(battle: AnyBattle, asked: Decision[Any], answer: Any) -> str:
    """A question with its answer; an answer that makes no sense, and will be refused, may have no words."""
    try:
        said = answers.describe(battle, asked, answer)
    except Exception:
        log.info("An answer to '%s' has no words.", asked.kind, exc_info=True)
        return ""
    return wording.whole(f"{wording.question(asked, battle.state.units)}{said}")


def mind_of(battle: str, seat: Seat) -> Computer:
    """The computer player of a seat; one that plays by chance has a seed that has nothing to do with the dice."""
    drawn = hashlib.sha256(f"{battle}:{seat.player}".encode()).digest()
    return Computer(seat.plays, int.from_bytes(drawn[:4], "big"))


def is_automatic(seat: Seat) -> bool:
    """Whether a seat answers by itself, at least sometimes."""
    return seat.plays != PERSON or bool(seat.orders or seat.place.queue or seat.falls)


def _phase(battle: AnyBattle) -> str:
    """Which phase of which turn it is."""
    state = battle.state
    return f"{state.round} {state.active} {getattr(state.game, 'phase', '')}"


def _lines(entries: list[Entry]) -> int:
    """How often the past was changed."""
    return sum(isinstance(e, UndoEntry | RulingEntry) for e in entries)
