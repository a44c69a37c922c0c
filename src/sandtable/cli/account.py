"""The running account of a battle: all of it, or what a player would tell afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle import answers as wording
from sandtable.battle import rolls
from sandtable.battle.decisions import Decision
from sandtable.battle.events import Answered, AnyEvent, Changed, Ended, Rolled, Ruled, Told
from sandtable.battle.reminding import Reminding
from sandtable.battle.state import Result, from_bytes
from sandtable.cli.out import cites, text
from sandtable.players import words
from sandtable.players.computer import PLAIN
from sandtable.players.table import AnyBattle
from sandtable.table.picture_style import side_style
from sandtable.table.picture_text import text_map

if TYPE_CHECKING:
    from rich.text import Text


LOSSES: Final = ("attack", "mortal-wounds")
"""What is heard after the end of a unit that it brings about"""


def _style(side: int) -> str:
    return f"bold {side_style(side).colour}" if side >= 0 else "dim"


class Account:
    """Hears events and tells of them in lines.

    `secret` keeps hidden answers hidden, for when a person sits at this screen.
    """

    def __init__(self, battle: AnyBattle, say: Callable[[Text], None], *, secret: bool = False) -> None:
        self._battle = battle
        self._say = say
        self._secret = secret
        self._asked: dict[int, Decision[Any]] = {}
        self.reasons: dict[int, str] = {}
        """By the number of the question, for those that were answered by machine for a reason."""
        self._scored: dict[int, dict[int, int]] = {}
        """Points by round and player, as far as the system tells them."""
        self._turn: tuple[str, int, int] | None = None
        self._before = ""
        """The score when the turn began."""
        system = battle.system
        # Headings and names follow the clock of the story, which is behind the battle's own.
        self._clock = from_bytes(battle.start_bytes, system.unit_type, system.player_type, system.game_type)
        self._reminding = Reminding(battle)

    def catch_up(self, events: Iterable[AnyEvent]) -> None:
        """Take note of what happened before, without telling it."""
        say, self._say = self._say, lambda _: None
        for event in events:
            self.tell(event)
        self._say = say

    def asked(self, decision: Decision[Any]) -> None:
        """Remember a question, so that its answer can be told in words; its player does not know of it yet."""
        self._asked[decision.id] = decision
        self._reminding.catch_up()

    def automatic(self, decision: int, by: str) -> None:
        """Note that a question was answered by a standing order, or why a computer player answered as it did."""
        # That an answer is the usual one is no reason worth telling.
        if by != PLAIN:
            self.reasons[decision] = by

    def tell(self, event: AnyEvent) -> None:
        """Hear an event."""
        match event:
            case Changed("clock", _, fields):
                for name, value in fields.items():
                    setattr(self._clock, name, value)
                if not fields.keys().isdisjoint(("segment", "round", "active")):
                    self._before = self._standing()
            case Changed("unit", unit, fields) if "name" in fields:
                self._clock.units[unit].name = str(fields["name"])
            case Told("scored", _, _, _, data):
                in_round = self._scored.setdefault(self._clock.round, {})
                in_round[int(data["player"])] = in_round.get(int(data["player"]), 0) + int(data["vp"])
            case Ended(result):
                self._say(text())
                self._say(text((say_result(self._battle, result), "bold")))
                self._say_scores()
                self._say_map()

    def finish(self) -> None:
        """Tell what was held back; nothing more comes for now."""

    def _roll(self, event: Rolled, indent: str = "      ") -> Text:
        who = f"{self._name(event.player)} rolls " if event.player >= 0 else "Rolls "
        came = rolls.outcome(event)
        return text(f"{indent}{who}{rolls.heading(event)}: ", (rolls.dice(event), "bold"), f", {came}" if came else "")

    def _answer(self, event: Answered, indent: str = "    ") -> Text | None:
        """An answer in words; None if nobody heard the question."""
        asked = self._asked.pop(event.decision, None)
        if asked is None:
            return None
        if asked.secret and self._secret:
            said = "decided in secret"
        else:
            said = wording.describe(self._battle, asked, event.answer)
        by = self.reasons.get(event.decision, "")
        style = "dim" if said == wording.PASS else ""
        question = words.prompt(self._battle, asked)
        question += " " if question.endswith("?") else ": "
        return text(
            f"{indent}{self._name(event.player)}: {question}", (said, style), (f"  ({by})" if by else "", "dim")
        )

    def _head(self) -> bool:
        """Print the heading of a turn if it is due; says whether it was."""
        clock = self._clock
        turn = (clock.segment, clock.round, clock.active)
        if turn == self._turn:
            return False
        self._turn = turn
        self._say(text())
        system = self._battle.system
        number = f"{system.round_name} {clock.round}"
        whose = system.whose_turn.format(round=number, player=self._name(clock.active)) + self._before
        self._say(text((whose if clock.round else clock.segment.capitalize(), "bold")))
        return True

    def _standing(self) -> str:
        """The score so far, once somebody has scored."""
        if not self._scored:
            return ""
        names = [p.name for p in self._battle.state.players]
        got = [sum(found.get(p, 0) for found in self._scored.values()) for p in range(len(names))]
        return f" ({', '.join(f'{name} {points}' for name, points in zip(names, got, strict=True))})"

    def _step_name(self) -> str:
        clock = self._clock
        flows = self._battle.system.segments[clock.segment]
        name = flows[clock.step].__name__ if clock.step < len(flows) else clock.segment
        return name.strip("_").replace("_", " ").capitalize()

    def _say_scores(self) -> None:
        """Who scored how much in which round."""
        if not self._scored:
            return
        rounds = sorted(self._scored)
        names = [p.name for p in self._battle.state.players]
        wide = max(len("Round"), *map(len, names))
        self._say(text())
        self._say(text((f"{'Round':<{wide}}" + "".join(f"{n:>5}" for n in rounds) + "  all", "bold")))
        for player, name in enumerate(names):
            got = [self._scored[n].get(player, 0) for n in rounds]
            self._say(text(f"{name:<{wide}}" + "".join(f"{n:>5}" for n in got) + f"{sum(got):>5}"))

    def _say_map(self) -> None:
        """The table as it was left."""
        picture = self._battle.picture()
        rows = text_map(picture)
        edge = "─" * len(rows[0])
        self._say(text())
        self._say(text((f"  ┌{edge}┐", "dim")))
        for row in rows:
            self._say(text(("  │", "dim"), *((cell.sign, _style(cell.side)) for cell in row), ("│", "dim")))
        self._say(text((f"  └{edge}┘", "dim")))
        letters = ", ".join(f"{name[:1].lower()} {name}" for name in picture.sides)
        self._say(text((f"  {letters} (capitals: three models or more), numbers: markers, shaded: terrain", "dim")))

    def _name(self, player: int) -> str:
        name: str = self._battle.player(player).name
        return name


class FullAccount(Account):
    """Tells who decided what and why, all dice, and all that came of it, with the rules behind it."""

    def __init__(self, battle: AnyBattle, say: Callable[[Text], None], *, secret: bool = False) -> None:
        super().__init__(battle, say, secret=secret)
        self._step = -1
        self._opening: list[Text] = []
        """What belongs under the next heading of a turn, and is told before anybody's turn has begun."""
        self._ends: list[tuple[int, Text]] = []
        """Units whose end was heard last: what brought it about is heard when it is over, and told first."""

    def asked(self, decision: Decision[Any]) -> None:
        self.finish()
        super().asked(decision)

    def finish(self) -> None:
        for _, line in self._ends:
            self._say(line)
        self._ends = []

    def tell(self, event: AnyEvent) -> None:
        sets_off = isinstance(event, Told) and event.kind in LOSSES and event.units[-1:] == self._last_end()
        if not sets_off and not isinstance(event, Changed):
            self.finish()
        self._tell(event)
        if sets_off:
            self.finish()

    def _last_end(self) -> tuple[int, ...]:
        return tuple(unit for unit, _ in self._ends[-1:])

    def _tell(self, event: AnyEvent) -> None:
        super().tell(event)
        match event:
            case Told("unit_destroyed", said, rules, units):
                self._head()
                self._ends.append((units[0], text(f"      {said}", cites(rules))))
            case Answered():
                line = self._answer(event)
                if line is not None:
                    self._head()
                    self._say(line)
            case Rolled():
                self._head()
                self._say(self._roll(event).append_text(text(cites(event.rules))))
            case Told("round", said, rules):
                self._opening.append(text(f"      {said}", cites(rules)))
            case Told(_, said, rules):
                self._head()
                self._say(text(f"      {said}", cites(rules)))
            case Ruled(said):
                self._head()
                self._say(text("    Agreed ruling: ", said))
        for said in self._reminding.hear(event):
            self._head()
            self._say(text((f"      {said}", "italic")))

    def _head(self) -> bool:
        """The heading of a turn, and that of a step; a step in which nothing happens has none."""
        new = super()._head()
        if new:
            for line in self._opening:
                self._say(line)
            self._opening = []
        if new or self._clock.step != self._step:
            self._step = self._clock.step
            self._say(text((f"  {self._step_name()}", "underline")))
        return new


def say_result(battle: AnyBattle, result: Result) -> str:
    """How a battle ended, in a sentence."""
    winners = " and ".join(battle.player(p).name for p in result.winners)
    scores = ""
    if result.scores:
        named = zip(battle.state.players, result.scores, strict=False)
        ranked = sorted(named, key=lambda found: (found[0].id not in result.winners, -found[1], found[0].id))
        scores = f" ({', '.join(f'{p.name} {score}' for p, score in ranked)})"
    rulings = f" {result.rulings} rulings were agreed on." if result.rulings else ""
    rulings += f" Answers were taken back {result.takebacks} times after the fact." if result.takebacks else ""
    degree = f" a {result.victory} victory" if result.victory else ""
    return f"{f'{winners} won{degree}' if winners else 'A draw'}: {result.reason}{scores}.{rulings}"
