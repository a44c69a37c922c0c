"""The machine: drives the rules of a system, step by step, from answer to answer.

Rules are coroutines that ask, roll and tell. The machine keeps a copy of the state at the entry of each step, so that a
battle can be forked, taken back and restarted: the copy, plus the answers since, is the present.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from sandtable import kernels
from sandtable.battle import questions
from sandtable.battle.changing import Changing
from sandtable.battle.decisions import Choose, Decision, Option, Value
from sandtable.battle.dice import Dice, KeyedDice, ReplayedDice, ScriptedDice, derived_seed
from sandtable.battle.events import (
    Answered,
    AnyEvent,
    Asked,
    Changed,
    Ended,
    Rolled,
    Ruled,
    Told,
)
from sandtable.battle.journal import (
    AnswerEntry,
    ConcedeEntry,
    Entry,
    RulingEntry,
    StepEntry,
    UndoEntry,
    write_file,
)
from sandtable.battle.numbers import Numbers, same
from sandtable.battle.rolls import SHOWN, AnyReading
from sandtable.battle.rulings import Ruling, Settle, apply_ruling, describe_ruling
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import GONE, G, P, Result, State, U, digest, to_bytes
from sandtable.battle.system import AGAIN, DONE, Moment, Step, System
from sandtable.battle.tactics import Idea
from sandtable.battle.verdict import Verdict
from sandtable.battle.windows import any_guard, open_window
from sandtable.battle.world import Ground, View, conceal
from sandtable.errors import UserError

A = TypeVar("A")

MAX_IDLE_STEPS: Final = 10_000
"""So many steps without a question mean that a rule runs in circles."""
NO_MOMENT: Final = Moment()


class Refused(UserError):
    """An answer that the rules do not allow; the battle stands as it was."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


class BrokenRule(RuntimeError):
    """The engine failed while carrying out an answer; the battle was put back to before it."""


NOBODY: Final = -1
"""In the list of those who act: what is going on ends with nobody."""


class Gone(Exception):
    """The acting unit cannot go on."""

    def __init__(self, unit: int) -> None:
        super().__init__(unit)
        self.unit = unit


class Over(Exception):
    """The battle ended in the middle of a flow."""


class Asking:
    """What a flow hands to the machine when it asks."""

    __slots__ = ("decisions",)

    def __init__(self, decisions: tuple[Decision[Any], ...]) -> None:
        self.decisions = decisions

    def __await__(self) -> Generator[tuple[Decision[Any], ...], tuple[Any, ...], tuple[Any, ...]]:
        return (yield self.decisions)


class Checkpoint(NamedTuple):
    """The battle at the entry of a step."""

    state: State[Any, Any, Any]
    answers: int
    events: int
    first: bool
    """Whether it opens a segment, or follows a ruling; such a checkpoint is kept for the whole battle."""


class Given(NamedTuple):
    """An answer that was given."""

    player: int
    kind: str
    answer: Any


class Battle(Changing[U, P, G, D]):
    """A battle being played: `decisions` are open, `answer` goes on, `result` ends it."""

    __slots__ = (
        "_acting",
        "_agreed",
        "_answers",
        "_checkpoints",
        "_entries",
        "_first_answer",
        "_flow",
        "_forks",
        "_given",
        "_kept",
        "_late_rulings",
        "_made_rulings",
        "_numbers",
        "_on_step",
        "_open",
        "_recording",
        "_replaying",
        "_rolls",
        "_start",
        "_takebacks",
        "dice",
    )

    def __init__(
        self,
        system: System,
        setup: Setup[D],
        state: State[U, P, G],
        *,
        dice: Dice,
        ground: Ground | None = None,
        record: bool = True,
        on_step: Callable[[Battle[U, P, G, D]], None] | None = None,
    ) -> None:
        super().__init__(system, setup, state, ground)
        self._on_step = on_step
        self.dice = dice
        self._entries: list[Entry | State[U, P, G]] = []
        """The journal; the state that a step was entered with stands for its entry until somebody reads it."""
        self._recording = record
        self._start = b""
        self._answers: list[Given] = []
        self._first_answer = state.answers
        self._checkpoints: list[Checkpoint] = []
        self._rolls: dict[tuple[int, int], tuple[tuple[int, ...], int]] = {}
        self._flow: Coroutine[Any, Any, Step] | None = None
        self._open: tuple[Decision[Any], ...] = ()
        self._numbers = Numbers(state.answers)
        self._given: dict[int, Any] = {}
        self._acting: list[int] = []
        self._agreed: list[tuple[Ruling, set[int]] | None] = []
        self._late_rulings: list[Ruling] = []
        self._made_rulings: list[tuple[int, Ruling]] = []
        """Rulings made inside an activation, with the number of answers before them."""
        self._kept = True
        self._replaying = False
        self._forks = 0
        self._takebacks = 0

    # ------------------------------------------------------------------ what the outside does

    def start(self) -> Battle[U, P, G, D]:
        """Run to the first question."""
        kernels.engage()
        if self._recording:
            self._start = to_bytes(self.state)
        self._drive(None)
        return self

    @property
    def decisions(self) -> tuple[Decision[Any], ...]:
        """The open questions that have no answer yet; empty when the battle is over."""
        given = self._given
        return tuple([d for d in self._open if d.id not in given]) if given else self._open

    @property
    def result(self) -> Result | None:
        return self.state.result

    @property
    def answers(self) -> tuple[Given, ...]:
        """All answers so far."""
        return tuple(self._answers)

    @property
    def entries(self) -> list[Entry]:
        """What the journal holds so far."""
        read = [StepEntry(digest(e)) if isinstance(e, State) else e for e in self._entries]
        self._entries = [*read]
        return read

    def answer(self, decision: Decision[Any] | int, answer: Any) -> None:
        """Give an answer; raises `Refused`, and changes nothing, when the rules do not allow it."""
        asked = self._find(decision)
        verdict, typed = questions.weigh(self, asked, answer)
        if not verdict:
            raise Refused(verdict)
        before = dict(self._given)
        self._given[asked.id] = typed
        if len(self._given) == len(self._open):
            try:
                self._go_on()
            except Exception:
                self._given = before
                raise

    def check(self, decision: Decision[Any] | int, answer: Any) -> Verdict:
        """Whether an answer would be legal, and if not, why."""
        return questions.check(self, self._find(decision), answer)

    def default(self, decision: Decision[Any] | int) -> Any:
        """What a sensible player would answer."""
        return questions.default(self, self._find(decision))

    def ideas(self, decision: Decision[Any] | int) -> Iterator[Idea]:
        """Legal answers, best first, each with the reason for it; from what the player who is asked may know."""
        asked = self._find(decision)
        return self.view(asked.player, trusted=True).ideas(asked)

    def view(self, player: int, *, trusted: bool = False) -> View[U, P, G, D]:
        """The battle as a player may see it; `trusted` for who changes nothing in it, which is faster."""
        view = View(self, player, trusted=trusted)
        view.state.answers = view.state.rolled = 0
        return view

    def events_for(self, player: int, since: int = 0) -> list[AnyEvent]:
        """The events that a player may see."""
        return [self._masked(e, player) for e in self.events[since:]]

    def fork(self, player: int | None = None, branch: int | None = None) -> Battle[U, P, G, D]:
        """An independent battle from here on, with the same past and other dice to come.

        With `player`, what that player may not know is left out. `branch` names the fork, so that a search can be
        repeated; without it each fork has a number of its own.
        """
        last = self._checkpoints[-1]
        self._forks += 1
        branch = self._forks if branch is None else branch
        origin = self.dice.then if isinstance(self.dice, ReplayedDice) else self.dice
        seed = origin.seed if isinstance(origin, KeyedDice) else 0
        fresh = KeyedDice(derived_seed(seed, (self.state.answers << 32) + branch))
        state = last.state.copy()
        if player is not None:
            conceal(self.system, state, player)
        twin: Battle[U, P, G, D] = Battle(
            self.system,
            self.setup,
            state,
            dice=ReplayedDice(dict(self._rolls), fresh),
            ground=self.ground,
            record=False,
        )
        twin._numbers = self._numbers.copy()
        twin._known_versions = self._versions[::-1]
        twin._replay(self._answers[last.answers - self._first_answer :])
        twin._known_versions = []
        if player is not None:
            conceal(self.system, twin.state, player)
        for asked in self._open:
            if asked.id in self._given and player in (None, asked.player):
                twin._given[asked.id] = self._given[asked.id]
        twin._late_rulings = list(self._late_rulings)
        twin._takebacks = self._takebacks
        if self.state.result is not None and twin.state.result is None:
            twin._close(self.state.result)
        return twin

    def undo(self, count: int = 1) -> None:
        """Take back the last answers. Dice that were seen are burnt: the next ones come from a new epoch.

        Simultaneous answers go together: taking one of them back asks all of them again.
        """
        keep = len(self._answers) - count
        oldest = self._checkpoints[0].answers - self._first_answer
        if count < 1 or keep < oldest:
            raise UserError(f"{len(self._answers) - oldest} answers can be taken back, not {count}.")
        self._takebacks += bool(self.learnt_since(count))
        before = len(self.events)
        seen = self.events
        self._rewind(keep)
        # Of answers given together none is back on its own: the journal, too, knows them only together.
        self._given = {}
        self._renumber()
        rolled = any(isinstance(e, Rolled) for e in seen[len(self.events) : before])
        epoch = self._burn() if rolled else -1
        if self._recording:
            self._entries.append(UndoEntry(count, epoch))

    def learnt_since(self, count: int = 1) -> str:
        """What was learnt since the last so many answers, as a clause; empty where they can be taken back freely."""
        answered = [i for i, e in enumerate(self.events) if isinstance(e, Answered)][-count:]
        start = answered[0] if answered else 0
        first = self.events[start] if answered else None
        if not isinstance(first, Answered):
            return ""
        # Answers given together were shown together; between others a question stands.
        while start and isinstance(self.events[start - 1], Answered):
            start -= 1
        since = self.events[start:]
        if any(isinstance(e, Rolled) for e in since):
            return "dice were rolled"
        other = next((e.player for e in since if isinstance(e, Answered) and e.player != first.player), None)
        return "" if other is None else f"{self.player(other).name} answered"

    def pass_over(self, past: Sequence[Entry]) -> bool:
        """Take answers, and the undo of just these, into the journal without playing them.

        A journal that is played again knows what they came to: nothing, but for other dice from here on if any were
        rolled. False where that is not so: what is asked of several players at once is taken back together.
        """
        undo = past[-1]
        if len(self._open) != 1 or not isinstance(undo, UndoEntry):
            return False
        rolled = undo.epoch >= 0
        answered = [e.player for e in past if isinstance(e, AnswerEntry)]
        self._takebacks += rolled or any(player != answered[0] for player in answered)
        self._entries += past
        self._renumber()
        if rolled:
            self._burn()
        return True

    def _burn(self) -> int:
        """Have new dice after the next answer; returns their epoch."""
        if not isinstance(self.dice, KeyedDice | ReplayedDice):
            return -1
        self.dice = self.dice.burn(self.state.answers)
        keyed = self.dice.then if isinstance(self.dice, ReplayedDice) else self.dice
        return keyed.epochs[-1][1]

    def propose(self, player: int, ruling: Ruling) -> int:
        """Propose a correction; it holds once every player has agreed. Returns its number."""
        self._known_player(player)
        self._refuse_when_over()
        describe_ruling(self, ruling)
        self._agreed.append((ruling, {player}))
        number = len(self._agreed) - 1
        self._settle_rulings(number)
        return number

    def agree(self, player: int, number: int) -> None:
        """Agree to a correction that another player proposed."""
        self._known_player(player)
        proposed = self._agreed[number] if 0 <= number < len(self._agreed) else None
        if proposed is None:
            raise UserError(f"There is no ruling {number} to agree to.")
        proposed[1].add(player)
        self._settle_rulings(number)

    def watch(self, on_step: Callable[[Battle[U, P, G, D]], None] | None) -> None:
        """Let somebody hear of each step that is entered from now on."""
        self._on_step = on_step

    @property
    def seed(self) -> int | None:
        """What the dice are keyed by; None where they were written down beforehand."""
        return self.dice.seed if isinstance(self.dice, KeyedDice) else None

    @property
    def start_bytes(self) -> bytes:
        """The state that the battle began with, as bytes; empty where no journal is kept."""
        return self._start

    def save(self, path: str | Path) -> None:
        """Write the journal to a file, from which `sandtable.load` gives this battle again."""
        write_file(self, Path(path))

    def concede(self, player: int) -> None:
        """Give the battle up."""
        self._known_player(player)
        side = self.side(player)
        winners = tuple(p.id for p in self.state.players if p.side != side)
        self._close(Result(winners, f"{self.player(player).name} conceded", rulings=self.state.rulings))
        if self._recording:
            self._entries.append(ConcedeEntry(player))

    # ------------------------------------------------------------------ what rules do: ask, roll, tell

    async def ask(self, decision: Decision[A]) -> A:
        """Put a question to a player."""
        answer: A = (await Asking((decision,)))[0]
        return answer

    async def ask_all(self, decisions: Sequence[Decision[A]]) -> tuple[A, ...]:
        """Put questions to several players at once; answers stay hidden until all are in."""
        if not decisions:
            return ()
        return await Asking(tuple(sorted(decisions, key=lambda d: d.player)))

    async def choose(
        self,
        player: int,
        kind: str,
        prompt: str,
        options: Iterable[Option],
        *,
        optional: bool = False,
        rules: tuple[str, ...] = (),
        unit: int = -1,
        about: dict[str, Any] | None = None,
    ) -> Value | None:
        """Let a player pick; where there is only one thing to pick, nobody is asked."""
        offered = tuple(options)
        if not offered:
            return None
        if len(offered) == 1 and not optional:
            return offered[0].value
        return await self.ask(
            Choose(
                player=player,
                kind=kind,
                prompt=prompt,
                options=offered,
                optional=optional,
                rules=rules,
                unit=unit,
                about=about or {},
            )
        )

    async def choose_unit(
        self,
        player: int,
        kind: str,
        prompt: str,
        units: Iterable[U],
        *,
        optional: bool = False,
        rules: tuple[str, ...] = (),
        unit: int = -1,
        about: dict[str, Any] | None = None,
    ) -> U | None:
        """Let a player pick a unit."""
        options = [Option(u.id, u.name) for u in units]
        value = await self.choose(player, kind, prompt, options, optional=optional, rules=rules, unit=unit, about=about)
        return None if value is None else self.state.units[int(value)]

    async def window(self, trigger: str, moment: Moment = NO_MOMENT, *, unbroken: bool = False) -> bool:
        """Name a trigger, so that whatever is due or may be done at it happens now; whether anything did.

        Whoever acts may fall by it, and its activation ends then; where something has to be done to its end first,
        the window is `unbroken`, and `go_on` follows when that is done.
        """
        reactions = self.system.by_trigger.get(trigger)
        # Most windows open for nobody: the guards are asked before anything is built.
        if reactions is None or not any_guard(self, reactions, moment):
            return False
        if unbroken:
            self._acting.append(NOBODY)
        try:
            happened = await open_window(self, trigger, reactions, moment)
        finally:
            if unbroken:
                self._acting.pop()
        if happened and not unbroken:
            self.go_on()
        return happened

    async def act(self, unit: U, flow: Coroutine[Any, Any, A]) -> A | None:
        """Run a unit's activation; it ends by itself, with None, when the unit can no longer go on."""
        self._acting.append(unit.id)
        depth = len(self._acting)
        result: A | None = None
        try:
            result = await flow
        except Gone as gone:
            if gone.unit != unit.id:
                raise
        finally:
            del self._acting[depth - 1 :]
        self.go_on()
        return result

    def go_on(self) -> None:
        """End the innermost activation if its unit can no longer go on; those around it end when it has."""
        if self._acting and self._acting[-1] != NOBODY and not self.system.can_go_on(self, self._acting[-1]):
            raise Gone(self._acting[-1])

    def roll(
        self,
        count: int,
        reason: str,
        player: int = -1,
        *,
        sides: int = 6,
        rules: tuple[str, ...] = (),
        read: AnyReading = SHOWN,
    ) -> tuple[int, ...]:
        """Roll dice; `read` says what they had to show and what came of it."""
        if count <= 0:
            return ()
        faces = self._throw(count, sides, reason)
        self.events.append(Rolled(player, reason, faces, sides, rules, read))
        return faces

    def roll_one(self, reason: str, player: int = -1, *, rules: tuple[str, ...] = (), read: AnyReading = SHOWN) -> int:
        """Roll one D6."""
        return self.roll(1, reason, player, rules=rules, read=read)[0]

    def roll_again(
        self,
        faces: tuple[int, ...],
        places: Sequence[int],
        reason: str,
        player: int = -1,
        *,
        rules: tuple[str, ...] = (),
        read: AnyReading = SHOWN,
        by: str = "",
    ) -> tuple[int, ...]:
        """Roll some of these dice again; returns all that stand then. `by` is what allowed it."""
        if not places:
            return faces
        fresh = self._throw(len(places), 6, reason)
        found = list(faces)
        for place, face in zip(places, fresh, strict=True):
            found[place] = face
        again, standing = tuple(faces[i] for i in places), tuple(found)
        self.events.append(Rolled(player, reason, fresh, 6, rules, read, again, standing, by))
        return standing

    def _throw(self, count: int, sides: int, reason: str) -> tuple[int, ...]:
        state = self.state
        rolled = self.dice.roll(state.answers, state.rolled, count, sides, reason)
        self._rolls[(state.answers, state.rolled)] = rolled
        faces, state.rolled = rolled
        return faces

    def tell(self, kind: str, text: str, *rules: str, units: Iterable[int] = (), **data: Any) -> None:
        """Tell what happened."""
        self.events.append(Told(kind, text, rules, tuple(units), data))

    def finish(self, result: Result) -> None:
        """End the battle, once the running flow has said all it has to say."""
        result = msgspec.structs.replace(result, rulings=self.state.rulings, takebacks=self._takebacks)
        self.state.result = result
        self.events.append(Ended(result))

    def end(self, result: Result) -> None:
        """End the battle at once, from however deep inside a flow."""
        self.finish(result)
        raise Over

    # ------------------------------------------------------------------ the drive

    def _find(self, decision: Decision[Any] | int) -> Decision[Any]:
        number = decision if isinstance(decision, int) else decision.id
        for asked in self._open:
            if asked.id == number and asked.id not in self._given:
                if asked is decision or isinstance(decision, int) or same(asked, decision):
                    return asked
                whose = self.player(asked.player).name
                raise UserError(f"Question {number} is put to {whose} and reads '{asked.prompt}'; that is another one.")
        if not self.decisions:
            raise UserError("No question is open: the battle is over.")
        waiting = ", ".join(f"{d.id} ('{d.prompt}')" for d in self.decisions)
        raise UserError(f"Question {number} is not open; open now: {waiting}.")

    def _go_on(self) -> None:
        """All open questions are answered: tell so, and run on."""
        keep = len(self._answers)
        answers = tuple(self._given[d.id] for d in self._open)
        for d, a in zip(self._open, answers, strict=True):
            self._answers.append(Given(d.player, d.kind, a))
            self.events.append(Answered(d.id, d.player, d.kind, a, d.secret))
            if self._recording:
                self._entries.append(AnswerEntry(d.player, d.kind, a))
        asked = self._open
        self._open, self._given = (), {}
        self.state.answers += len(answers)
        self.state.rolled = 0
        try:
            self._drive(answers)
        except Exception as error:
            if self._replaying:
                raise
            if self._recording:
                del self._entries[self._entry_of(keep) :]
            self._rewind(keep)
            if isinstance(error, UserError):
                raise
            what = ", ".join(d.kind for d in asked)
            raise BrokenRule(f"The rules failed on the answer to '{what}'; the battle stands as before it.") from error

    def _entry_of(self, answers: int) -> int:
        """The place in the journal of the answer with this number, counted from the end."""
        extra = len(self._answers) - answers
        place = len(self._entries)
        while extra:
            place -= 1
            extra -= isinstance(self._entries[place], AnswerEntry)
        return place

    def _drive(self, send: Any) -> None:
        """Run until a flow asks, or the battle is over."""
        idle = 0
        while True:
            if self._flow is None:
                if self.state.result is not None:
                    return
                idle += 1
                if idle > MAX_IDLE_STEPS:
                    raise RuntimeError(f"'{self.state.segment}' step {self.state.step} runs in circles")
                self._enter()
                send = None
            assert self._flow is not None
            try:
                asked = self._flow.send(send)
            except StopIteration as stop:
                self._leave(stop.value)
            except Gone:
                self._leave(AGAIN)
            except Over:
                self._leave(AGAIN)
            else:
                self._numbers.give(asked, self.state.answers)
                self.events += [Asked(d.id, d.player, d.kind) for d in asked]
                self._open = asked
                return

    def _renumber(self) -> None:
        """Give what is open other numbers, so that nobody answers it with a question from before."""
        fresh = self._numbers.renew(self._open, self.state.answers)
        place = len(self.events)
        while fresh:
            place -= 1
            event = self.events[place]
            if isinstance(event, Asked):
                self.events[place] = Asked(fresh.pop(event.decision), event.player, event.kind)

    def _enter(self) -> None:
        """Enter the step that the state points at, keeping a copy of the state."""
        kernels.catch_up()
        state = self.state
        kept = self._kept or bool(self._late_rulings)
        for ruling in self._late_rulings:
            apply_ruling(self, ruling)
        self._late_rulings.clear()
        if self._kept:
            self._checkpoints = [c for c in self._checkpoints if c.first]
        self._kept = False
        self._checkpoints.append(
            Checkpoint(state.copy(), self._first_answer + len(self._answers), len(self.events), kept)
        )
        self._rolls = {}
        self._versions = []
        self._acting = []
        if self._recording:
            self._entries.append(self._checkpoints[-1].state)
        if self._on_step is not None:
            self._on_step(self)
        self._flow = self.system.segments[state.segment][state.step](self)

    def _leave(self, step: Step) -> None:
        self._flow = None
        state = self.state
        if state.result is not None or step is AGAIN:
            return
        if step is not DONE:
            raise TypeError(f"step {state.step} of '{state.segment}' answered {step!r}, not AGAIN or DONE")
        if state.step + 1 < len(self.system.segments[state.segment]):
            self.set_clock(step=state.step + 1)
            return
        following = self.system.next_segment(self)
        if following is not None:
            self.set_clock(segment=following, step=0)
            self._kept = True
        elif state.result is None:
            self.finish(Result((), "nothing is left to do"))

    def _rewind(self, keep: int) -> None:
        """Go back to the moment after the first `keep` answers."""
        target = self._first_answer + keep
        place = max(i for i, c in enumerate(self._checkpoints) if c.answers <= target)
        start = self._checkpoints[place]
        if self._flow is not None:
            self._flow.close()
        past = self._answers[start.answers - self._first_answer : keep]
        self._checkpoints = self._checkpoints[:place]
        self._answers = self._answers[: start.answers - self._first_answer]
        self.events = self.events[: start.events]
        self._flow, self._open, self._given = None, (), {}
        self.state = start.state.copy()
        self._kept = start.first
        if isinstance(self.dice, ScriptedDice):
            self.dice.put_back(target)
        self._made_rulings = [(at, ruling) for at, ruling in self._made_rulings if at <= target]
        self._late_rulings = []
        self._replay(past, [(at, ruling) for at, ruling in self._made_rulings if at > start.answers])

    def _replay(self, past: Sequence[Given], rulings: Sequence[tuple[int, Ruling]] = ()) -> None:
        """Enter the step that the state points at and give answers again, without keeping a journal of it."""
        recording, self._recording = self._recording, False
        replaying, self._replaying = self._replaying, True
        try:
            self._drive(None)
            for given in past:
                self._given[self._open[len(self._given)].id] = given.answer
                if len(self._given) == len(self._open):
                    self._go_on()
                    for at, ruling in rulings:
                        if at == self.state.answers:
                            self.events.append(Ruled(describe_ruling(self, ruling)))
                            self._late_rulings.append(ruling)
        finally:
            self._recording, self._replaying = recording, replaying

    def _close(self, result: Result) -> None:
        self._refuse_when_over()
        if self._flow is not None:
            self._flow.close()
        self._flow, self._open, self._given = None, (), {}
        self._late_rulings = []
        self.finish(result)

    def _refuse_when_over(self) -> None:
        if self.state.result is not None:
            raise UserError("The battle is over already.")

    def _known_player(self, player: int) -> None:
        if not 0 <= player < len(self.state.players):
            raise UserError(f"There is no player {player}; players run from 0 to {len(self.state.players) - 1}.")

    def _settle_rulings(self, number: int) -> None:
        proposed = self._agreed[number]
        if proposed is not None and len(proposed[1]) == len(self.state.players):
            self._agreed[number] = None
            self.rule(proposed[0])

    def rule(self, ruling: Ruling) -> None:
        """Carry out a ruling that everybody agreed on.

        Between two activations it takes effect at once; in the middle of one, when that has ended. The end of the
        battle takes effect at once in any case.
        """
        self._refuse_when_over()
        told = Ruled(describe_ruling(self, ruling))
        if isinstance(ruling, Settle):
            self.events.append(told)
            self.state.rulings += 1
            self._close(Result(ruling.winners, ruling.reason))
        elif self.state.answers > self._checkpoints[-1].answers:
            self.events.append(told)
            self._made_rulings.append((self.state.answers, ruling))
            self._late_rulings.append(ruling)
        else:
            self._rule_at_once(ruling, told)
            return
        if self._recording:
            self._entries.append(RulingEntry(ruling))

    def _rule_at_once(self, ruling: Ruling, told: Ruled) -> None:
        """Go back to the entry of the step, where nothing has been decided yet, and enter it with the ruling."""
        start = self._checkpoints.pop()
        checkpoints, entries = list(self._checkpoints), len(self._entries)
        if self._flow is not None:
            self._flow.close()
        del self.events[start.events :]
        self._flow, self._open, self._given = None, (), {}
        self.state = start.state.copy()
        self._kept = start.first
        if self._recording:
            self._entries.append(RulingEntry(ruling))
        self.events.append(told)
        self._late_rulings.append(ruling)
        try:
            self._drive(None)
            self._renumber()
        except Exception as error:
            del self._entries[entries:]
            del self.events[start.events :]
            self._flow, self._late_rulings, self._kept = None, [], start.first
            self._checkpoints = checkpoints
            self.state = start.state.copy()
            self._replay(())
            raise BrokenRule("The rules failed on that ruling; the battle stands as before it.") from error

    def _masked(self, event: AnyEvent, player: int) -> AnyEvent:
        if isinstance(event, Answered) and event.secret and event.player != player:
            return Answered(event.decision, event.player, event.kind, None, secret=True)
        if isinstance(event, Changed) and self.system.secrets:
            owner = self.state.units[event.id].player if event.what == "unit" else event.id
            hidden = {name for kind, name in self.system.secrets if kind == event.what}
            if owner != player and hidden.intersection(event.fields):
                return Changed(event.what, event.id, {k: None if k in hidden else v for k, v in event.fields.items()})
        return event

    def gone(self, unit: U) -> bool:
        """Whether every model of a unit is out of play."""
        place = self.state.models.place
        return all(place[m] == GONE for m in unit.models)
