"""The running account of a battle: headings, who decided what, the dice, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle import answers as wording
from sandtable.battle import rolls
from sandtable.battle.decisions import Decision
from sandtable.battle.events import Answered, AnyEvent, Changed, Ended, Rolled, Ruled, Told
from sandtable.battle.state import Result, from_bytes
from sandtable.cli.out import cites, text
from sandtable.players import words
from sandtable.players.table import AnyBattle
from sandtable.table.picture_style import side_style
from sandtable.table.picture_text import text_map

if TYPE_CHECKING:
    from rich.text import Text


SCORED: Final = "scored"
"""What systems tell when a player scores: with the player, and the points as vp."""


def _style(side: int) -> str:
    return f"bold {side_style(side).colour}" if side >= 0 else "dim"


class Account:
    """Turns events into lines. `secret` keeps hidden answers hidden, for when a person sits at this screen."""

    def __init__(self, battle: AnyBattle, say: Callable[[Text], None], *, secret: bool = False) -> None:
        self._battle = battle
        self._say = say
        self._secret = secret
        self._asked: dict[int, Decision[Any]] = {}
        self._automatic: dict[int, str] = {}
        self.reasons: dict[int, str] = {}
        """By the number of the question, for all that were answered by machine."""
        self._scored: dict[int, dict[int, int]] = {}
        """Points by round and player, as far as the system tells them."""
        self._turn: tuple[str, int, int] | None = None
        self._step = -1
        system = battle.system
        # Headings follow the clock of the story, which is behind the battle's own.
        self._clock = from_bytes(battle.start_bytes, system.unit_type, system.player_type, system.game_type)

    def catch_up(self, events: Iterable[AnyEvent]) -> None:
        """Take note of what happened before, without telling it."""
        say, self._say = self._say, lambda _: None
        for event in events:
            self.tell(event)
        self._say = say

    def asked(self, decision: Decision[Any]) -> None:
        """Remember a question, so that its answer can be told in words."""
        self._asked[decision.id] = decision

    def automatic(self, decision: int, by: str) -> None:
        """Note that a question was answered by a standing order, or why a computer player answered as it did."""
        self._automatic[decision] = by
        self.reasons[decision] = by

    def tell(self, event: AnyEvent) -> None:
        match event:
            case Changed("clock", _, fields):
                for name, value in fields.items():
                    setattr(self._clock, name, value)
            case Answered():
                self._tell_answer(event)
            case Rolled():
                self._head()
                self._say(self._roll(event))
            case Told(kind, said, rules, _, data):
                self._head()
                self._say(text(f"      {said}", cites(rules)))
                if kind == SCORED:
                    in_round = self._scored.setdefault(self._clock.round, {})
                    in_round[int(data["player"])] = in_round.get(int(data["player"]), 0) + int(data["vp"])
            case Ruled(said):
                self._head()
                self._say(text("    Agreed ruling: ", said))
            case Ended(result):
                self._say(text())
                self._say(text((say_result(self._battle, result), "bold")))
                self._say_scores()
                self._say_map()

    def _roll(self, event: Rolled) -> Text:
        who = f"{self._name(event.player)} rolls " if event.player >= 0 else "Rolls "
        came = rolls.outcome(event)
        return text(
            f"      {who}{rolls.heading(event)}: ",
            (rolls.dice(event), "bold"),
            f", {came}" if came else "",
            cites(event.rules),
        )

    def _tell_answer(self, event: Answered) -> None:
        asked = self._asked.pop(event.decision, None)
        if asked is None:
            return
        self._head()
        if asked.secret and self._secret:
            said = "decided in secret"
        else:
            said = wording.describe(self._battle, asked, event.answer)
        by = self._automatic.pop(event.decision, "")
        style = "dim" if said == wording.PASS else ""
        auto = f"  ({by})" if by else ""
        question = words.prompt(self._battle, asked)
        question += " " if question.endswith("?") else ": "
        self._say(text(f"    {self._name(event.player)}: {question}", (said, style), (auto, "dim")))

    def _head(self) -> None:
        """Print the headings that are due; a step in which nothing happens has none."""
        clock = self._clock
        turn = (clock.segment, clock.round, clock.active)
        if turn != self._turn:
            self._turn, self._step = turn, -1
            self._say(text())
            whose = f"Round {clock.round}, turn of {self._name(clock.active)}"
            self._say(text((whose if clock.round else clock.segment.capitalize(), "bold")))
        if clock.step != self._step:
            self._step = clock.step
            flows = self._battle.system.segments[clock.segment]
            name = flows[clock.step].__name__ if clock.step < len(flows) else clock.segment
            self._say(text((f"  {name.strip('_').replace('_', ' ').capitalize()}", "underline")))

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


def say_result(battle: AnyBattle, result: Result) -> str:
    """How a battle ended, in a sentence."""
    winners = " and ".join(battle.player(p).name for p in result.winners)
    scores = ""
    if result.scores:
        named = zip((p.name for p in battle.state.players), result.scores, strict=False)
        scores = f" ({', '.join(f'{name} {score}' for name, score in named)})"
    rulings = f" {result.rulings} rulings were agreed on." if result.rulings else ""
    rulings += f" Answers were taken back {result.takebacks} times after the fact." if result.takebacks else ""
    return f"{f'{winners} won' if winners else 'A draw'}: {result.reason}{scores}.{rulings}"
