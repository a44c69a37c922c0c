"""The short account of a battle: a few lines for each turn, as a player would tell it afterwards.

Moves and the like are listed in one line, all attacks of a unit on another are one line, and what a system counts as of
no account is left out. With people at the table their dice are shown, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sandtable.battle.decisions import Decision
from sandtable.battle.events import Answered, AnyEvent, Changed, Ended, Rolled, Ruled, Told
from sandtable.battle.system import Brief
from sandtable.battle.world import World
from sandtable.cli.account import Account
from sandtable.cli.out import text
from sandtable.kit.grammar import counted, does
from sandtable.players.table import AnyBattle

if TYPE_CHECKING:
    from rich.text import Text

COLUMN: Final = 10
"""Where lines begin, behind the name of the phase."""
FIGURES: Final = ("attacks", "hits", "wounds", "unsaved", "damage")


@dataclass
class Attacks:
    """All attacks of one unit on another, one after the other."""

    against: int
    name: str
    """Of the target, when the attacks began: it may be called otherwise after its losses."""
    sums: dict[str, int] = field(default_factory=dict)
    fallen: int = 0
    mortal: int = 0


@dataclass
class Volleys:
    """All attacks of one unit, target by target."""

    unit: int
    targets: list[Attacks] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    """What became of units that were attacked."""


class Sentence(NamedTuple):
    text: str
    unit: int
    kind: str = ""


Lists: TypeAlias = dict[str, list[str]]
Item: TypeAlias = Volleys | Lists | Sentence


class ShortAccount(Account):
    """Tells what happened; `people` are the players at this screen, who see their dice."""

    def __init__(self, battle: AnyBattle, say: Callable[[Text], None], *, people: Collection[int] = ()) -> None:
        super().__init__(battle, say, secret=bool(people))
        self._people = people
        self._world: World[Any, Any, Any, Any] = World(battle.system, battle.setup, self._clock, battle.ground)
        """Units by the names that they have at this point of the story."""
        self._phase = ""
        self._label = ""
        """The phase that was named last in this turn."""
        self._items: list[Item] = []
        self._late: dict[tuple[str, str], str] = {}
        self._verbs: dict[int, str] = {}
        """What units do in this phase: they shoot, or strike."""
        self._names = {u.id: u.name for u in self._clock.units}
        """Of the units, when the last attack began."""
        self._held: list[Sentence] = []
        """What was told since the last attack: the next one may have set it off, for it is told when it is over."""

    def asked(self, decision: Decision[Any]) -> None:
        """A person who is asked has heard everything so far."""
        if decision.player in self._people:
            super().asked(decision)
            self._flush()
            self._head()

    def finish(self) -> None:
        self._flush()

    def tell(self, event: AnyEvent) -> None:
        match event:
            case Changed("clock"):
                if {"round", "active", "segment"}.intersection(event.fields):
                    self._end_turn()
                elif not self._phase:
                    self._flush()
            case Changed("game", _, fields) if "phase" in fields:
                self._flush()
                self._verbs = {}
                self._phase = str(fields["phase"] or "")
            case Answered() if event.decision in self.reasons:
                # What was answered in a person's name; no other questions are remembered.
                line = self._answer(event, "")
                if line is not None:
                    self._flush()
                    self._line(line.plain)
            case Rolled() if self._people:
                self._flush()
                self._line(self._roll(event, "").plain)
            case Told():
                self._tell(event)
            case Ruled(said):
                self._flush()
                self._line(f"Agreed ruling: {said}")
            case Ended():
                self._end_turn()
        for said in self._reminding.hear(event) if self._people else ():
            self._line(said)
        super().tell(event)

    # --- what is heard

    def _tell(self, told: Told) -> None:
        if told.kind in ("attack", "mortal-wounds") and len(told.units) == 2:
            self._attack(told)
            return
        system = self._battle.system
        brief = system.brief(self._world, told) if system.brief else None
        if brief is None:
            self._sentence(told)
        elif brief.verb:
            self._verbs[told.units[0]] = brief.verb
            self._names = {u.id: u.name for u in self._clock.units}
        elif brief.key:
            self._late[brief.heading, brief.key] = brief.item
        elif brief.heading:
            self._list(brief, told)

    def _sentence(self, told: Told) -> None:
        said = Sentence(told.text, told.units[0] if told.units else -1, told.kind)
        last = self._held[-1:]
        # Mortal wounds are heard when they are over: the end of a unit that they bring about is told after them.
        if told.kind == "mortal-wounds" and last and last[0][1:] == (said.unit, "unit_destroyed"):
            self._held.insert(-1, said)
        else:
            self._held.append(said)

    def _list(self, brief: Brief, told: Told) -> None:
        lists = next((item for item in self._items if isinstance(item, dict)), None)
        if lists is None:
            lists = {}
            self._items.append(lists)
        found = lists.setdefault(brief.heading, [])
        item = brief.item or self._world.unit(told.units[0]).name
        if item not in found:
            found.append(item)

    def _attack(self, told: Told) -> None:
        unit, against = told.units
        found = next((i for i in reversed(self._items) if isinstance(i, Volleys) and i.unit == unit), None)
        if found is None:
            found = Volleys(unit)
            # What the unit itself did before is told before.
            self._items += [*(said for said in self._held if said.unit == unit), found]
            self._held = [said for said in self._held if said.unit != unit]
        target = next((t for t in found.targets if t.against == against), None)
        if target is None:
            target = Attacks(against, "itself" if against == unit else self._names[against])
            found.targets.append(target)
        for name in FIGURES:
            target.sums[name] = target.sums.get(name, 0) + int(told.data.get(name, 0))
        target.fallen += len(told.data.get("destroyed", ()))
        target.mortal += int(told.data.get("points", 0))
        found.then += [said.text for said in self._held if said.unit == against]
        self._items += [said for said in self._held if said.unit != against]
        self._held = []

    # --- what is told

    def _flush(self) -> None:
        items: list[Item] = [*self._items, *self._held]
        self._items, self._held = [], []
        for item in items:
            self._line(self._worded(item))

    def _end_turn(self) -> None:
        self._flush()
        by_heading: Lists = {}
        # What has numbers stands in their order, all else as it happened.
        for (heading, _), item in sorted(self._late.items(), key=lambda kept: _number(kept[0][1])):
            by_heading.setdefault(heading, []).append(item)
        if by_heading:
            self._phase, self._late = "end", {}
            self._line(self._worded(by_heading))
        self._phase = self._label = ""

    def _line(self, words: str) -> None:
        if self._head():
            self._label = ""
        if not self._clock.round:
            self._say(text(f"  {words}"))
            return
        label = self._phase.capitalize() or self._step_name()
        shown = "" if label == self._label else label
        self._label = label
        self._say(text(f"  {shown:<{COLUMN}}{words}" if len(shown) < COLUMN else f"  {shown}: {words}"))

    def _worded(self, item: Item) -> str:
        if isinstance(item, Sentence):
            return item.text
        if isinstance(item, dict):
            return "; ".join(f"{heading}: {', '.join(names)}" for heading, names in item.items())
        verb = self._verbs.get(item.unit)
        who = does(self._world.unit(item.unit), verb or "inflicts")
        words = self._attack_words if verb else self._mortal_words
        return " ".join((f"{who} {'; '.join(map(words, item.targets))}.", *item.then))

    def _mortal_words(self, attack: Attacks) -> str:
        lost = self._lost(attack)
        return f"{counted(attack.mortal, 'mortal wound')} on {attack.name}{': ' if lost else ''}{lost}"

    def _attack_words(self, attack: Attacks) -> str:
        sums = attack.sums
        chain = [counted(sums["attacks"], "attack")] if sums["attacks"] else []
        if chain:
            chain.append(counted(sums["hits"], "hit") if sums["hits"] else "no hits")
            if sums["hits"]:
                chain.append(counted(sums["wounds"], "wound") if sums["wounds"] else "no wounds")
            if sums["wounds"]:
                chain.append(f"{sums['unsaved']} unsaved")
        if attack.mortal:
            chain.append(counted(attack.mortal, "mortal wound"))
        lost = self._lost(attack)
        return f"{attack.name}: {', '.join(chain)}{': ' if lost else ''}{lost}"

    def _lost(self, attack: Attacks) -> str:
        if attack.fallen:
            return f"{attack.fallen} dead"
        return f"{counted(attack.sums['damage'], 'wound')} lost" if attack.sums["damage"] else ""


def _number(key: str) -> int:
    return int(key) if key.isdecimal() else 0


def account_of(
    battle: AnyBattle, say: Callable[[Text], None], *, verbose: bool = False, people: Collection[int] = ()
) -> Account:
    """The account that is wanted; hidden answers stay hidden where people sit at the screen."""
    from sandtable.cli.account import FullAccount

    return FullAccount(battle, say, secret=bool(people)) if verbose else ShortAccount(battle, say, people=people)
