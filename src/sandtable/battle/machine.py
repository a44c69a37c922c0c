"""The machine: a battle as players, programs and the server have it, from answer to answer.

Rules are coroutines that ask, roll and tell. The machine keeps a copy of the state at the entry of each step, so that a
battle can be forked, taken back and restarted: the copy, plus the answers since, is the present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sandtable import kernels
from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import Dice, KeyedDice, ReplayedDice, derived_seed
from sandtable.battle.driving import Armed, BrokenRule, Driving, Given
from sandtable.battle.events import Answered, AnyEvent, Asked, Changed, Rolled, Ruled
from sandtable.battle.journal import (
    AnswerEntry,
    ArmEntry,
    ConcedeEntry,
    Entry,
    RulingEntry,
    StepEntry,
    UndoEntry,
    round_trip,
    write_file,
)
from sandtable.battle.numbers import same
from sandtable.battle.rulings import Ruling, Settle, describe_ruling
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import G, P, Result, State, U, digest, to_bytes
from sandtable.battle.system import System
from sandtable.battle.tactics import Idea
from sandtable.battle.verdict import Verdict
from sandtable.battle.world import Ground, View, World, conceal
from sandtable.errors import UserError

TAKEN_BACK: Final = 200
"""So many answers that were taken back are played again with a journal; of more, those that came to nothing are passed
over..."""
MOST_TAKEN_BACK: Final = 3_000
"""...and no more of the others are taken back: to play them again would take longer than any battle."""


class Refused(UserError):
    """An answer that the rules do not allow; the battle stands as it was."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


class Battle(Driving[U, P, G, D]):
    """A battle being played: `decisions` are open, `answer` goes on, `result` ends it."""

    __slots__ = ("_agreed", "_forks", "_start", "retraced")

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
        super().__init__(system, setup, state, dice, ground, record, on_step)
        self._start = b""
        self._agreed: list[tuple[Ruling, set[int]] | None] = []
        self._forks = 0
        self.retraced = 0
        """Answers that were taken back and are played again with the journal."""

    def start(self) -> Battle[U, P, G, D]:
        """Run to the first question."""
        kernels.engage()
        if self._recording:
            self._start = to_bytes(self.state)
        self._drive(None)
        return self

    def recall(self, events: list[AnyEvent]) -> Battle[U, P, G, D]:
        """Take in what was told of the battle, for who only watches: nothing is played, and nobody is asked."""
        self._start = to_bytes(self.state)
        self.events = events
        return self

    def put_away(self) -> None:
        """Nobody plays on: without its flow, which holds it in turn, the battle is gone with who lets go of it last."""
        if self._flow is not None:
            self._flow.close()
        self._flow, self._open, self._given = None, (), {}

    @property
    def decisions(self) -> tuple[Decision[Any], ...]:
        """The open questions that have no answer yet; empty when the battle is over."""
        given = self._given
        return tuple([d for d in self._open if d.id not in given]) if given else self._open

    def waits(self, player: int) -> bool:
        """Whether an answer of a player waits for those that others give to the same question."""
        return any(d.player == player and d.id in self._given for d in self._open)

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
        return self.entries_since(0)

    def entries_since(self, first: int) -> list[Entry]:
        """What the journal has gained since it held so many entries."""
        read = [StepEntry(digest(e)) if isinstance(e, State) else e for e in self._entries[first:]]
        self._entries[first:] = read
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

    def view_to_play_on(self, player: int) -> View[U, P, G, D]:
        """The battle as a player may see it, from where somebody else could play it on.

        A step gives points before it asks, and leaves marks on who was chosen before it asks what they do. As long as
        nobody has decided more than whom to choose, the step is entered anew, and nothing happens twice; otherwise it
        is the battle as it is.
        """
        if not self.decisions or (self._answered and self._went_on):
            return self.view(player)
        view = View(World(self.system, self.setup, self._checkpoints[-1].state, self.ground), player)
        view.state.answers = view.state.rolled = 0
        return view

    @property
    def amid(self) -> str:
        """The open question, where it is in the middle of something that cannot be gone on with from outside."""
        rolled = any(isinstance(e, Rolled) for e in self._since_entry)
        return self.decisions[0].prompt if self.decisions and (rolled or (self._answered and self._went_on)) else ""

    @property
    def _since_entry(self) -> list[AnyEvent]:
        """What has happened since the step was entered."""
        return self.events[self._checkpoints[-1].events :]

    @property
    def _answered(self) -> bool:
        """Whether somebody has answered in the step; without that it comes to the same question again, but for dice."""
        return any(isinstance(e, Answered) for e in self._since_entry)

    @property
    def _went_on(self) -> bool:
        """Whether more has happened in the step than that somebody was chosen."""
        return not all(isinstance(e, Asked | Answered | Changed) for e in self._since_entry)

    def events_for(self, player: int, since: int = 0) -> list[AnyEvent]:
        """The events that a player may see."""
        return [self._masked(e, player) for e in self.events[since:]]

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

    def _known_player(self, player: int) -> None:
        if not 0 <= player < len(self.state.players):
            raise UserError(f"There is no player {player}; players run from 0 to {len(self.state.players) - 1}.")

    def _masked(self, event: AnyEvent, player: int) -> AnyEvent:
        if isinstance(event, Answered) and event.secret and event.player != player:
            return Answered(event.decision, event.player, event.kind, None, secret=True)
        if isinstance(event, Changed) and self.system.secrets:
            owner = self.state.units[event.id].player if event.what == "unit" else event.id
            hidden = {name for kind, name in self.system.secrets if kind == event.what}
            if owner != player and hidden.intersection(event.fields):
                return Changed(event.what, event.id, {k: None if k in hidden else v for k, v in event.fields.items()})
        return event

    def arm(self, player: int, units: Iterable[int], triggers: Iterable[str] = ()) -> None:
        """From the next answer on, ask a player whenever one of these units could react, or anybody to these triggers.

        Otherwise a window opens only where a reaction is worth something; what it costs must be there in any case.
        """
        self._known_player(player)
        now = self.state.answers
        wish = Armed(now, player, frozenset(units), frozenset(triggers))
        if not wish.units <= {u.id for u in self.units_of(player)}:
            raise UserError("Players arm their own units.")
        if unknown := sorted(wish.triggers.difference(self.system.by_trigger)):
            raise UserError(f"Nobody of {self.system.name} reacts to '{unknown[0]}'.")
        if wish[2:] == (self.armed_by(player), self.awaited_by(player)):
            return
        others = [a for a in self._armings if (a.player, a.answers) != (player, now)]
        self._armings = [*others, wish]
        if self._recording:
            self._entries.append(ArmEntry(player, tuple(sorted(wish.units)), tuple(sorted(wish.triggers))))

    def armed_by(self, player: int) -> frozenset[int]:
        """The units for which a player wants to be asked."""
        found = [a.units for a in self._armings if a.player == player]
        return found[-1] if found else frozenset()

    def awaited_by(self, player: int) -> frozenset[str]:
        """The triggers at which a player wants to be asked about every reaction."""
        found = [a.triggers for a in self._armings if a.player == player]
        return found[-1] if found else frozenset()

    # ------------------------------------------------------------------ forks, and taking back

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
        twin._armings = list(self._armings)
        twin._replay(self._answers[last.answers - self._first_answer :])
        twin._known_versions = []
        if player is not None:
            conceal(self.system, twin.state, player)
            # For whom others lie in wait is nobody's business.
            twin._armings = [a for a in self._armings if a.player == player]
            twin.armed, twin.awaited = frozenset(), frozenset()
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
        if self._recording and self.retraced + count > MOST_TAKEN_BACK:
            raise UserError(f"More than {MOST_TAKEN_BACK} answers of a battle cannot be taken back.")
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
            self._entries.append(UndoEntry(count, epoch, self._open[0].id))
            passed_over = len(self._open) == 1 and round_trip(self._entries, len(self._entries) - 1) >= 0
            if self.retraced < TAKEN_BACK or not passed_over:
                self.retraced += count

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
            return "dice have been rolled"
        other = next((e.player for e in since if isinstance(e, Answered) and e.player != first.player), None)
        return "" if other is None else f"{self.player(other).name} has answered"

    def pass_over(self, past: Sequence[Entry]) -> bool:
        """Take a round trip of answers and undos into the journal without playing it.

        A journal that is played again knows what it came to: nothing, but for other dice from here on if any were
        rolled. False where that is not so: what is asked of several players at once is taken back together.
        """
        last = past[-1]
        if len(self._open) != 1 or not isinstance(last, UndoEntry):
            return False
        answered: list[int] = []
        for entry in past:
            if isinstance(entry, AnswerEntry):
                answered.append(entry.player)
            elif isinstance(entry, UndoEntry):
                rolled = entry.epoch >= 0
                back = answered[-entry.count :]
                del answered[-entry.count :]
                self._takebacks += rolled or any(player != back[0] for player in back)
                if rolled:
                    self._burn(len(answered))
        self._entries += past
        self._renumber(last.number)
        return True

    def _burn(self, further: int = 0) -> int:
        """Have new dice after the next answer, or so many further on; returns their epoch."""
        if not isinstance(self.dice, KeyedDice | ReplayedDice):
            return -1
        self.dice = self.dice.burn(self.state.answers + further)
        keyed = self.dice.then if isinstance(self.dice, ReplayedDice) else self.dice
        return keyed.epochs[-1][1]

    # ------------------------------------------------------------------ rulings

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

    def _settle_rulings(self, number: int) -> None:
        proposed = self._agreed[number]
        if proposed is not None and len(proposed[1]) == len(self.state.players):
            self._agreed[number] = None
            self.rule(proposed[0])

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
