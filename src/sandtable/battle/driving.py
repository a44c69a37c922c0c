"""The drive: from step to step and from answer to answer, and back again.

A copy of the state at the entry of each step, plus the answers since, is the present: by these a battle goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sandtable import kernels
from sandtable.battle.acting import Acting, Gone, Over
from sandtable.battle.changing import MOST_DICE, MOST_TOLD
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import Dice, ScriptedDice
from sandtable.battle.events import Answered, Asked, Ruled
from sandtable.battle.flows import Flow
from sandtable.battle.journal import AnswerEntry, Entry
from sandtable.battle.numbers import Numbers
from sandtable.battle.rulings import Ruling, apply_ruling, describe_ruling
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import G, P, Result, State, U
from sandtable.battle.system import AGAIN, DONE, Step, System
from sandtable.battle.world import Ground
from sandtable.errors import UserError

MAX_IDLE_STEPS: Final = 10_000
"""So many steps without a question mean that a rule runs in circles."""


class BrokenRule(RuntimeError):
    """The engine failed while carrying out an answer; the battle was put back to before it."""


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


class Armed(NamedTuple):
    """What a player wants to be asked about though it is hardly worth it, from the answer after so many on."""

    answers: int
    player: int
    units: frozenset[int]
    triggers: frozenset[str]


class Driving(Acting[U, P, G, D]):
    """A battle with its flow, what it asks, and what was answered."""

    __slots__ = (
        "_answers",
        "_armings",
        "_checkpoints",
        "_entries",
        "_first_answer",
        "_flow",
        "_given",
        "_kept",
        "_late_rulings",
        "_made_rulings",
        "_numbers",
        "_on_step",
        "_open",
        "_recording",
        "_replaying",
    )

    def __init__(
        self,
        system: System,
        setup: Setup[D],
        state: State[U, P, G],
        dice: Dice,
        ground: Ground | None,
        record: bool,
        on_step: Callable[[Any], None] | None,
    ) -> None:
        super().__init__(system, setup, state, dice, ground)
        self._on_step = on_step
        self._entries: list[Entry | State[U, P, G]] = []
        """The journal; the state that a step was entered with stands for its entry until somebody reads it."""
        self._recording = record
        self._answers: list[Given] = []
        self._first_answer = state.answers
        self._checkpoints: list[Checkpoint] = []
        self._flow: Flow | None = None
        self._open: tuple[Decision[Any], ...] = ()
        self._numbers = Numbers(state.answers)
        self._given: dict[int, Any] = {}
        self._late_rulings: list[Ruling] = []
        self._made_rulings: list[tuple[int, Ruling]] = []
        """Rulings made inside an activation, with the number of answers before them."""
        self._armings: list[Armed] = []
        """Who was armed when: what is played again meets the windows that it met then."""
        self._kept = True
        self._replaying = False

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
        self._dice_left, self._told_left = MOST_DICE, MOST_TOLD
        if self._armings:
            self._take_arms(self.state.answers)
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

    def _take_arms(self, answers: int) -> None:
        """Ask as the players wish it after so many answers."""
        latest = {a.player: a for a in self._armings if a.answers < answers}
        self.armed = frozenset().union(*(a.units for a in latest.values()))
        self.awaited = frozenset((a.player, trigger) for a in latest.values() for trigger in a.triggers)

    def _renumber(self, least: int = -1) -> None:
        """Give what is open other numbers, so that nobody answers it with a question from before."""
        fresh = self._numbers.renew(self._open, self.state.answers, least)
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
        self._flow = Flow(self.system.segments[state.segment][state.step](self))

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
        # Who is armed is no move: it stays when moves are taken back.
        self._armings = [a._replace(answers=min(a.answers, target)) for a in self._armings]
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
