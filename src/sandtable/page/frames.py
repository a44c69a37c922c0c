"""From events to frames: what goes together, and where a watcher wants to stop.

Answers go with what comes of them. Rolls of one kind that follow each other are one throw. What a roll brings about
shows with the frame after it: dice first, then their result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sandtable.battle import rolls
from sandtable.battle.answers import PASS, describe
from sandtable.battle.decisions import Choose, Decision, Leg, Moves
from sandtable.battle.events import (
    Answered,
    AnyEvent,
    Built,
    Changed,
    Ended,
    Joined,
    Moved,
    Placed,
    Rolled,
    Ruled,
    Told,
    Wounded,
)
from sandtable.battle.fold import fold
from sandtable.battle.state import GONE, Result
from sandtable.battle.world import World
from sandtable.errors import UserError
from sandtable.kit.grammar import players_do
from sandtable.page import wording
from sandtable.page.story import (
    ANSWER,
    ENDED,
    ROLLED,
    RULED,
    TOLD,
    Frame,
    Heading,
    Line,
    Story,
    ground,
    marks,
    objectives,
)

MAX_FRAMES: Final = 20_000
MAX_FACES: Final = 400
"""Dice of one throw that are shown."""
SAID_BY_HEADINGS: Final = ("phase", "round")
"""Kinds of tales that say no more than a heading does."""
IN_SECRET: Final = "decided in secret"

Actors = tuple[tuple[int, ...], tuple[int, ...]]
NOBODY: Final[Actors] = ((), ())


class Teller:
    """Hears the events of a battle and writes the frames of its story."""

    def __init__(
        self,
        story: Story,
        world: World[Any, Any, Any, Any],
        asked: Mapping[int, Decision[Any]],
        reasons: Mapping[int, str],
    ) -> None:
        self._story = story
        self._world = world
        self._asked = asked
        self._reasons = reasons
        self._changes = Changes(story, world)
        self._answers: list[Line] = []
        self._throw: Rolled | None = None
        """The roll that the last line shows, while others like it may still join it"""
        self._folded: list[Line] | None = None if world.state.round else []
        """Lines of the set-up: each of its steps is one frame; None once the first turn has begun"""
        self._rules: dict[str, int] = {}
        self._heard = 0
        """Events so far"""
        self._phase = ""
        self._heading: tuple[str, int, str] | None = None
        self._actors = self._shown_actors = NOBODY
        story.frames.append(Frame())

    def hear(self, event: AnyEvent) -> None:
        """Take in one event."""
        self._heard += 1
        match event:
            case Changed():
                self._change(event)
            case Answered():
                self._answer(event)
            case Rolled():
                self._roll(event)
            case Told(kind, text, rules, units):
                if kind not in SAID_BY_HEADINGS:
                    self._point_at(units)
                    owner = self._owner(units[0]) if units else -1
                    self._open(Line(TOLD, owner, wording.line(text), self._cite(rules)))
            case Ruled(text):
                self._open(Line(RULED, -1, wording.line(text)))
            case Ended(result):
                fold(self._world.state, [event])
                self._end(result)
            case _:
                self._changes.take(event)
                fold(self._world.state, [event])

    def close(self) -> None:
        """No more events come."""
        self._unfold(self._when())
        self._begin()
        if self._answers or self._changes.any():
            self._open()
        self._story.rules = wording.glossary(self._rules)

    # --- what is heard

    def _change(self, event: Changed) -> None:
        before = self._when()
        self._changes.take(event)
        fold(self._world.state, [event])
        if event.what == "clock" and {"round", "active", "segment"}.intersection(event.fields):
            self._phase = ""
        elif event.what == "game" and "phase" in event.fields:
            self._phase = str(event.fields["phase"] or "")
        if self._when() != before:
            self._throw = None
            self._actors = NOBODY
            if self._answers:
                # A last word such as "no more": it belongs to the phase that it ended.
                self._open(when=before)
            self._unfold(before)
            if self._world.state.round:
                self._begin()

    def _answer(self, event: Answered) -> None:
        asked = self._asked.get(event.decision)
        if asked is None or asked.kind != event.kind:
            return
        question = wording.line(wording.question(asked, self._world.state.units))
        said = IN_SECRET if event.secret else wording.line(describe(self._world, asked, event.answer))
        why = "" if event.secret else self._reasons.get(event.decision, "")
        if why:
            said = wording.line(f"{said} ({why})")
        last = self._answers[-1] if self._answers else None
        if last is not None and (last.player, last.text) == (event.player, question) and said != PASS:
            self._answers[-1] = Line(ANSWER, event.player, question, said=wording.line(f"{last.said}, {said}"))
        else:
            self._answers.append(Line(ANSWER, event.player, question, said=said))
        if not event.secret:
            self._changes.expect(event.answer)
            self._point_by(asked, event.answer)

    def _roll(self, event: Rolled) -> None:
        lines = self._story.frames[-1].lines if self._folded is None else self._folded
        both = rolls.joined(self._throw, event) if self._throw is not None else None
        if both is not None:
            lines[-1:] = [*self._answers, self._roll_line(both)]
            self._answers = []
            if self._folded is None:
                self._story.frames[-1].heard = self._heard
        else:
            self._open(self._roll_line(event))
        self._throw = both or event

    def _roll_line(self, event: Rolled) -> Line:
        between = "" if event.sides < 10 else " "
        shown = between.join(map(str, event.faces[:MAX_FACES]))
        head, came = wording.line(rolls.heading(event)), wording.line(_came(event))
        return Line(ROLLED, event.player, head, self._cite(event.rules), shown, event.sides, came)

    def _end(self, result: Result) -> None:
        players = self._world.state.players
        winners = [p for p in result.winners if 0 <= p < len(players)]
        self._actors = NOBODY
        self._open(Line(ENDED, -1, wording.line(result.reason)))
        self._story.result = {
            "winners": winners,
            "verdict": players_do([wording.line(players[p].name) for p in winners], "wins") if winners else "A draw",
            "reason": wording.line(result.reason),
            "scores": list(result.scores),
            "rulings": result.rulings,
            "takebacks": result.takebacks,
        }

    # --- frames

    def _open(self, line: Line | None = None, when: tuple[str, int, str] | None = None) -> None:
        """A new frame with what was answered and what has changed since the last one."""
        lines = self._answers if line is None else [*self._answers, line]
        self._answers, self._throw = [], None
        if self._folded is not None:
            self._folded += lines
        else:
            self._frame(lines, when)

    def _unfold(self, when: tuple[str, int, str]) -> None:
        """A step of the set-up is over: what it told and changed is one frame."""
        if self._folded:
            lines, self._folded = self._folded, []
            self._frame(lines, when)

    def _begin(self) -> None:
        """The first turn has begun: a page opens on the frame before it, with both armies set up."""
        if self._folded is not None:
            self._folded = None
            self._story.start = len(self._story.frames) - 1

    def _frame(self, lines: list[Line], when: tuple[str, int, str] | None = None) -> None:
        story = self._story
        if len(story.frames) >= MAX_FRAMES:
            raise UserError(f"A page holds at most {MAX_FRAMES} moments, and this battle has more.")
        frame = Frame(lines, heard=self._heard)
        self._changes.put_into(frame)
        if self._actors != self._shown_actors:
            frame.actors = self._shown_actors = self._actors
        when = when or self._when()
        if when != self._heading:
            self._heading = when
            story.headings.append(Heading(len(story.frames), *when))
        story.frames.append(frame)

    def _when(self) -> tuple[str, int, str]:
        """Round, whose turn, and phase; the phase by the step's name where the system keeps no phases."""
        state = self._world.state
        flows = self._world.system.segments[state.segment]
        step = flows[state.step].__name__ if state.step < len(flows) else state.segment
        phase = f"{self._phase} phase" if self._phase else step.strip("_").replace("_", " ")
        number = f"{self._world.system.round_name} {state.round}" if state.round else state.segment.capitalize()
        return number, state.active, wording.name(phase.capitalize())

    def _cite(self, rules: Sequence[str]) -> tuple[int, ...]:
        return tuple(self._rules.setdefault(r, len(self._rules)) for r in rules)

    # --- who acts on whom

    def _owner(self, unit: int) -> int:
        units = self._world.state.units
        return int(units[unit].player) if 0 <= unit < len(units) else -1

    def _point_at(self, units: Sequence[int]) -> None:
        """The first unit acts, with friends; enemies that are named with it are acted against."""
        known = [u for u in units if self._owner(u) >= 0]
        # What befalls those who are acted against does not change who acts.
        if not set(known).issubset(self._actors[1]):
            side = self._world.side(self._owner(known[0]))
            friends = tuple(u for u in known if self._world.side(self._owner(u)) == side)
            self._actors = friends, tuple(u for u in known if u not in friends)

    def _point_by(self, asked: Decision[Any], answer: Any) -> None:
        """An answer may choose a unit, or somebody for the unit that it is about."""
        units = self._world.state.units
        about = [asked.unit] if 0 <= asked.unit < len(units) else []
        if isinstance(asked, Choose) and isinstance(answer, int) and 0 <= answer < len(units):
            label = next((o.label for o in asked.options if o.value == answer), "")
            if label == units[answer].name:
                self._point_at([*about, answer])
                return
        if about and asked.unit not in (*self._actors[0], *self._actors[1]):
            self._point_at(about)


class Changes:
    """What has changed on the table since the last frame."""

    def __init__(self, story: Story, world: World[Any, Any, Any, Any]) -> None:
        self._world = world
        self._marks = list(story.marks)
        self._numbers = list(story.numbers)
        self._objectives = story.objectives
        self._paths: dict[int, tuple[Leg, ...]] = {}
        self._forget()

    def _forget(self) -> None:
        self._moved: dict[int, list[int]] = {}
        self._placed: dict[int, int] = {}
        self._wounds: dict[int, int] = {}
        self._joined: dict[int, int] = {}
        self._built: list[Any] = []
        self._named: set[int] = set()
        self._stirred = False

    def any(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._moved or self._placed or self._wounds or self._joined or self._built)

    def expect(self, answer: Any) -> None:
        """Remember the paths of an answer, for the moves that come of it."""
        if isinstance(answer, Moves):
            self._paths = {p.model: p.legs for p in answer.paths}

    def take(self, event: AnyEvent) -> None:
        """Note what an event changes; the world does not know of it yet."""
        match event:
            case Moved(models, pos, facing):
                self._stirred = True
                for m, (x, y, z), turned in zip(models, pos, facing, strict=True):
                    before = self._moved.get(m)
                    corners = [*before[5:], *before[1:3]] if before else []
                    self._moved[m] = [m, x, y, z, turned, *corners, *self._corners(m, x, y)]
            case Placed(models, place):
                self._placed.update(dict.fromkeys(models, place))
                self._stirred = True
            case Wounded(model, wounds):
                self._wounds[model] = wounds
            case Joined(models, unit):
                self._joined.update(dict.fromkeys(models, unit))
            case Built(features):
                self._built += features[len(self._world.state.features) :]
            case Changed():
                self._stirred = True
                if event.what == "unit" and "name" in event.fields:
                    self._rename(event.id, str(event.fields["name"]))

    def _rename(self, unit: int, name: str) -> None:
        """A unit without models that takes over another's name stands for the fallen of that name from now on."""
        state = self._world.state
        self._named.add(unit)
        fallen = [u for u in state.units if u.id != unit and u.name == name]
        if fallen and not state.units[unit].models:
            gone = (m for m in fallen[0].models if state.models.place[m] == GONE)
            self._joined.update(dict.fromkeys(map(int, gone), unit))

    def _corners(self, model: int, x: int, y: int) -> list[int]:
        """Where the way of a model that ends here turns."""
        legs = self._paths.pop(model, ())
        if not legs or (legs[-1].x, legs[-1].y) != (x, y):
            return []
        at = tuple(self._world.state.models.pos[model, :2].tolist())
        out: list[int] = []
        for leg in legs:
            if (leg.x, leg.y) not in (at, (x, y)):
                out += (leg.x, leg.y)
            at = (leg.x, leg.y)
        return out

    def put_into(self, frame: Frame) -> None:
        """Hand everything over to a frame."""
        frame.moved = list(self._moved.values())
        frame.placed = list(self._placed.items())
        frame.wounds = list(self._wounds.items())
        frame.joined = list(self._joined.items())
        frame.features = [ground(f) for f in self._built]
        if self._named:
            names = [u.name for u in self._world.state.units]
            labels = wording.labels(names)
            frame.names = [(u, wording.name(names[u]), labels[u]) for u in sorted(self._named)]
        state = self._world.state
        frame.marks = _news(self._marks, [marks(self._world, u) for u in state.units])
        frame.numbers = _news(self._numbers, [wording.numbers(self._world, p) for p in state.players])
        if self._stirred:
            markers = objectives(self._world)
            if markers != self._objectives:
                frame.objectives = self._objectives = markers
        self._forget()


def _news(known: list[Any], now: list[Any]) -> list[tuple[int, Any]]:
    """What is different now, by number; and remember it."""
    found = [(i, new) for i, (old, new) in enumerate(zip(known, now, strict=True)) if old != new]
    known[:] = now
    return found


def _came(roll: Rolled) -> str:
    """What came of a roll, with the sum where the dice are added up and the words do not name it."""
    said = rolls.outcome(roll)
    total = "" if roll.total is None or said.startswith(str(roll.total)) else str(roll.total)
    return ", ".join(filter(None, (total, said)))
