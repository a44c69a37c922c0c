"""The course of a scenario under a system that it may not have been written for.

Answers are given where the same kind of question is put to the same player. What the file does not answer gets the
simplest legal answer, what nobody asks for is left out, and what is refused is noted: nothing here fails because the
rules are other ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from sandtable.battle import answers as wording
from sandtable.battle import rolls
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import Dice, EndlessDice, ScriptedDice
from sandtable.battle.driving import BrokenRule
from sandtable.battle.events import AnyEvent, Rolled, Told
from sandtable.battle.judging import Stop, Stopped, answer_of, cited_by, moment_of, open_questions, question_to
from sandtable.battle.machine import Battle
from sandtable.battle.questions import check, plain
from sandtable.battle.scenario import Scenario, player_number, set_up_scenario
from sandtable.battle.state import TABLE
from sandtable.battle.system import WINDOWS, System
from sandtable.errors import UserError
from sandtable.table.grid import units

AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]
Open: TypeAlias = frozenset[tuple[int, str]]
Due: TypeAlias = Callable[[AnyBattle], bool]

MOST_BETWEEN: Final = 40
"""So many questions that the file does not answer are passed over to come to one that it does."""
MOST_PLACES: Final = 6
"""Places of models that are told of a unit."""

What: TypeAlias = Literal["answer", "try", "asked", "roll", "told", "halt", "unit", "open"]
MILESTONES: Final = ("phase", "round")
"""What is told of these is about one moment each: a Shooting phase here is no Fight phase there."""
DECISIVE: Final = ("faces", "again", "needed", "needs", "total", "outcome")
"""What makes a roll another one; editions may have other names for why it needs what it needs."""
GIVEN, ALLOWED, REFUSED, NOT_ASKED = "given", "allowed", "refused", "not asked"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing in the course of a scenario."""

    what: What
    """An answer or a try of the file, a question that it does not answer, a roll, what is told; in the end: units, and
    who is asked what."""
    about: str
    """Whose answer it is, which roll..."""
    text: str
    key: str
    """Entries with one key, in two courses, are about the same."""
    same: str
    """Two entries with the same in this are no difference."""
    status: str = ""
    """What became of an answer or a try."""
    brief: str = ""
    """The text without what a headline has no room for."""
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = {}


class Course(msgspec.Struct, frozen=True):
    """How a scenario went under a system."""

    system: str
    name: str
    edition: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...]
    """What has to be known about it: options that were left out, dice that were not written down."""
    open: Open
    """Who was asked what when it ended."""
    dice: dict[str, list[int]]
    """What was rolled, and written down but not rolled, by kind, for the same luck under other systems."""


def play(scenario: Scenario, system: System, like: Course | None = None) -> Course:
    """Play a scenario under a system; with the dice of another course, and up to where that ended, if there is one."""
    options, notes = dict(scenario.options), list[str]()
    # An option that the file's own system has not is a slip of the file, and refused like anywhere else.
    if system.id != scenario.system:
        options, notes = _known_options(system, scenario.options)
    known = msgspec.structs.replace(scenario, system=system.id, options=options)
    dice = scenario.dice if like is None else like.dice
    # A file that says itself where it ends needs no other end.
    goal = like.open if like is not None and scenario.until is None else frozenset()
    playing = _Playing(known, system, dice, goal)
    playing.run()
    return Course(
        system.id,
        system.name,
        system.edition,
        (*playing.entries, *_end(playing.battle, playing.stopped)),
        (*notes, *playing.notes()),
        frozenset() if playing.stopped else _open(playing.battle),
        playing.dice_by_kind(),
    )


def _known_options(system: System, chosen: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The options that a system has, too, and a note on each of the others."""
    has = {reading.name: reading.values for reading in (*system.readings, WINDOWS)}
    known = {name: value for name, value in chosen.items() if value in has.get(name, ())}
    left_out = [f"{name}={value}" for name, value in chosen.items() if name not in known]
    return known, [f"There is no option {one} here; it is left out." for one in left_out]


def _open(battle: AnyBattle) -> Open:
    return frozenset((d.player, d.kind) for d in battle.decisions)


# --- Playing ----------------------------------------------------------------------------------------------------------


class Halted(Exception):
    """The rules, or a bound, let it go no further."""


class _Playing:
    """A scenario while it is played."""

    def __init__(self, scenario: Scenario, system: System, dice: Any, goal: Open) -> None:
        self.scenario = scenario
        self.system = system
        self.entries: list[Entry] = []
        self.stopped = False
        self._script = dice
        self._goal = goal
        self._pending = list(range(len(scenario.answers)))
        self._given: list[tuple[int, str, Any]] = []
        self._heard = 0
        self._stop, self.battle = self._set_up()

    def _set_up(self) -> tuple[Stop, AnyBattle]:
        stop = Stop(self.scenario.until)
        dice: Dice | None = None if self._script is None else EndlessDice(self._script, self.scenario.seed)
        battle = set_up_scenario(self.scenario, self.system, stop.on_step, dice)
        stop.watch(battle)
        return stop, battle

    def run(self) -> None:
        try:
            self._stop.watching = not self._answers_left()
            self.battle.start()
            self._hear()
            while self._pending and self._come_to(lambda battle: self._wanted(battle) is not None):
                self._give_next()
            self._stop.watching = True
            if self._goal or self.scenario.until:
                self._come_to(lambda battle: not self._goal.isdisjoint(_open(battle)))
        except Stopped:
            self.stopped = True
        except Halted as error:
            self._hear()
            self.entries.append(Entry(what="halt", about="it ends here", text=str(error), key="halt", same=str(error)))
        self._hear()
        self._tell_what_nobody_asked()

    def _answers_left(self) -> bool:
        return any(self.scenario.answers[i].refused is None for i in self._pending)

    def _wanted(self, battle: AnyBattle) -> tuple[int, Decision[Any]] | None:
        """The first answer of the file that is asked for now, and the question."""
        for i in self._pending:
            given = self.scenario.answers[i]
            asked = question_to(battle, player_number(self.scenario, given.player), given.to)
            if asked is not None:
                return i, asked
        return None

    def _come_to(self, due: Due) -> bool:
        """Pass over questions that the file does not answer, if what is due comes up then; or else over none."""
        between = self._between(due)
        for _ in range(between or 0):
            asked = self.battle.decisions[0]
            self._answer_plainly(asked, "asked only here")
        return between is not None

    def _between(self, due: Due) -> int | None:
        """How many questions there are up to what is due, within this turn; None where it does not come up.

        That is tried with the same dice beside the battle, which has to stay where it is if it leads nowhere.
        """
        if due(self.battle):
            return 0
        count = 0
        try:
            twin = self._twin()
            turn = (twin.state.round, twin.state.active)
            while twin.decisions and turn == (twin.state.round, twin.state.active) and count < MOST_BETWEEN:
                if due(twin):
                    return count
                count += 1
                twin.answer(twin.decisions[0], plain(twin, twin.decisions[0]))
        except Stopped:
            return count
        except Exception:  # it was only to find out whether it leads there
            return None
        return count if due(twin) else None

    def _twin(self) -> AnyBattle:
        """The same battle once more."""
        stop, twin = self._set_up()
        twin.start()
        for player, kind, answer in self._given:
            asked = question_to(twin, player, kind)
            assert asked is not None
            twin.answer(asked, answer)
        stop.watching = self._stop.watching
        return twin

    def _give_next(self) -> None:
        wanted = self._wanted(self.battle)
        assert wanted is not None
        number, asked = wanted
        self._pending.remove(number)
        given = self.scenario.answers[number]
        try:
            answer = answer_of(self.battle, asked, given)
        except UserError as error:
            self._note(number, REFUSED, str(error), ())
        else:
            verdict = check(self.battle, asked, answer)
            why = " ".join(reason.text for reason in verdict.reasons)
            if verdict and given.refused is None:
                said = wording.describe(self.battle, asked, answer)
                self._note(number, GIVEN, said, (), said if given.default else "")
                self._answer(asked, answer)
                return
            self._note(number, ALLOWED if verdict else REFUSED, why, cited_by(verdict))
        if given.refused is None:
            self._answer_plainly(asked, "instead")

    def _note(self, number: int, status: str, text: str, rules: tuple[str, ...], more: str = "") -> None:
        self.entries.append(self._entry(number, status, text, rules, more))

    def _entry(self, number: int, status: str, text: str, rules: tuple[str, ...], more: str = "") -> Entry:
        """An answer of the file; in what it says it is the same everywhere, so what counts is what became of it."""
        given = self.scenario.answers[number]
        tried = given.refused is not None
        # A try is written down for its verdict; of an answer that was simply given nobody needs to be told that.
        told = text if status == GIVEN else f"{status}: {text}" if text else status
        return Entry(
            what="try" if tried else "answer",
            about=f"{given.player} {'tries' if tried else 'answers'} {given.to}",
            text=told,
            key=f"answer {number}",
            same=f"{status} {more.casefold()}",
            status=status,
            brief=text,
            rules=rules,
            data={"number": number, "player": given.player, "to": given.to},
        )

    def _answer_plainly(self, asked: Decision[Any], why: str) -> None:
        try:
            answer = plain(self.battle, asked)
        except LookupError:
            raise Halted(f"'{asked.prompt}' has no simple answer.") from None
        player = self.battle.player(asked.player).name
        said = wording.describe(self.battle, asked, answer)
        self.entries.append(
            Entry(
                what="asked",
                about=f"{player} is asked {asked.kind}",
                text=f"{asked.prompt}: {said} ({why})",
                key=f"asked {player} {asked.kind}",
                same=said.casefold(),
                brief=asked.prompt,
                rules=asked.rules,
                data={"player": player, "to": asked.kind, "prompt": asked.prompt, "answer": said},
            )
        )
        self._answer(asked, answer)

    def _answer(self, asked: Decision[Any], answer: Any) -> None:
        self._stop.watching = not self._answers_left()
        self._given.append((asked.player, asked.kind, answer))
        try:
            self.battle.answer(asked, answer)
        except (UserError, BrokenRule) as error:
            raise Halted(str(error)) from None
        self._hear()

    # --- What happens --------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Take what happened since into the course."""
        events = self.battle.events
        self.entries += [entry for event in events[self._heard :] for entry in self._told(event)]
        self._heard = len(events)

    def _told(self, event: AnyEvent) -> Iterator[Entry]:
        if isinstance(event, Rolled):
            yield self._roll(event)
        elif isinstance(event, Told):
            about = event.kind.replace("_", " ").replace("-", " ")
            # Capitals are a matter of how a book is set.
            same = event.text.casefold()
            key = f"told {event.kind} {same}" if event.kind in MILESTONES else f"told {event.kind}"
            yield Entry(what="told", about=about, text=event.text, key=key, same=same, rules=event.rules)

    def _roll(self, event: Rolled) -> Entry:
        data = rolls.as_data(event)
        player = self.battle.player(event.player).name if event.player >= 0 else ""
        # A modifier that an ability brings has the ability's name for its source, and no rule.
        behind = [part.source for part in event.why if part.source.startswith(f"{self.system.id}.")]
        return Entry(
            what="roll",
            about=f"{player} rolls {event.reason}".strip(),
            text=rolls.sentence(event),
            key=f"roll {player} {event.reason}",
            same=str([data.get(name) for name in DECISIVE]),
            brief=rolls.heading(event).removeprefix(event.reason).strip(),
            rules=tuple(dict.fromkeys((*event.rules, *behind))),
            data=data,
        )

    def _tell_what_nobody_asked(self) -> None:
        """Note answers that were not asked for, each before those that follow it in the file."""
        for number in self._pending:
            entry = self._entry(number, NOT_ASKED, "", ())
            later = (i for i, e in enumerate(self.entries) if e.status and e.data["number"] > number)
            self.entries.insert(next(later, len(self.entries)), entry)

    def notes(self) -> Iterator[str]:
        """What has to be known about this course."""
        until = self.scenario.until
        if until is not None and not self.stopped:
            yield f"It does not come to '{moment_of(until)}', where the file ends; it ends with the next question."
        fresh: dict[str, int] = {}
        for event, number in zip(self._rolled(), self._fresh(), strict=False):
            fresh[event.reason] = fresh.get(event.reason, 0) + number
        short = ", ".join(f"{number} for {reason}" for reason, number in fresh.items() if number)
        if short:
            yield f"More dice are rolled than there are: {short}. They come from seed {self.scenario.seed}."

    def dice_by_kind(self) -> dict[str, list[int]]:
        """The dice of this course without those that had to be added, and what is left of them."""
        found: dict[str, list[int]] = {}
        fresh = self._fresh()
        for i, event in enumerate(self._rolled()):
            added = fresh[i] if i < len(fresh) else 0
            found.setdefault(event.reason, []).extend(event.faces[: len(event.faces) - added])
        if isinstance(self.battle.dice, ScriptedDice):
            for reason, faces in self.battle.dice.rest().items():
                found.setdefault(reason, []).extend(faces)
        return found

    def _rolled(self) -> list[Rolled]:
        return [e for e in self.battle.events if isinstance(e, Rolled)]

    def _fresh(self) -> list[int]:
        return self.battle.dice.fresh() if isinstance(self.battle.dice, EndlessDice) else []


# --- The end ----------------------------------------------------------------------------------------------------------


def _end(battle: AnyBattle, stopped: bool) -> Iterator[Entry]:
    for unit in battle.state.units:
        yield _unit(battle, unit)
    asked = [] if stopped else open_questions(battle)
    over = f"the battle is over: {battle.result.reason}" if battle.result else "nothing"
    said = ", ".join(asked) or over
    if not stopped:
        yield Entry(what="open", about="asked next", text=said, key="open", same=said, data={"open": asked})


def _unit(battle: AnyBattle, unit: Any) -> Entry:
    models = battle.state.models
    alive = [m for m in unit.models if models.place[m] == TABLE]
    wounds = [int(models.wounds[m]) for m in alive]
    places = [[round(units(int(v)), 2) for v in models.pos[m]] for m in alive]
    number = f"{len(alive)} model{'' if len(alive) == 1 else 's'}"
    left = f"wounds {' '.join(map(str, wounds))}"
    said = f"{number}; {left}; at {_places(places)}" if alive else "nobody on the table"
    return Entry(
        what="unit",
        about=f"{unit.name} in the end",
        text=said,
        key=f"unit {unit.name}",
        same=f"{wounds} {places}",
        brief=f"{number}, {left}" if alive else said,
        data={"unit": unit.name, "models": len(alive), "wounds": wounds, "positions": places},
    )


def _places(places: Sequence[Sequence[float]]) -> str:
    shown = [f"({', '.join(f'{v:g}' for v in (p if p[2] else p[:2]))})" for p in places[:MOST_PLACES]]
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return " ".join(shown) + more


def rules_of(entries: Collection[Entry]) -> tuple[str, ...]:
    """The rules that entries cite, each once."""
    return tuple(dict.fromkeys(rule for entry in entries for rule in entry.rules))
