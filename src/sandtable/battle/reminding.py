"""What is left to the players: listed by unit before a battle, and told again in phases in which it matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle.events import AnyEvent, Told
from sandtable.battle.fold import fold
from sandtable.battle.state import State, from_bytes
from sandtable.battle.system import ByHand, Reminder
from sandtable.battle.world import World

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle, AnyWorld

PHASE: Final = "phase"
"""What is told when a phase begins."""


def left_by_unit(world: AnyWorld) -> list[ByHand]:
    """All that is left to the players, those of one datasheet together."""
    found: dict[tuple[int, str], dict[str, str]] = {}
    for entry in world.system.left_out(world) if world.system.left_out is not None else ():
        name = marked(entry.name, whole=entry.whole, stratagem=entry.stratagem)
        for player in entry.players:
            gists = found.setdefault((player, entry.called or entry.where), {})
            gists[name] = gists.get(name) or entry.gist
    ordered = sorted(found.items(), key=lambda item: item[0][0])
    return [ByHand(player, called, tuple(gists), gists=known(gists)) for (player, called), gists in ordered]


def marked(name: str, *, whole: bool, stratagem: bool) -> str:
    """The name of an ability, with a mark where only a part is left to the players, or where it is a Stratagem."""
    marks = (*(("Stratagem",) if stratagem else ()), *(() if whole else ("in part",)))
    return f"{name} ({', '.join(marks)})" if marks else name


def known(gists: Mapping[str, str]) -> dict[str, str]:
    """What players apply, where something is known of it."""
    return {name: gist for name, gist in gists.items() if gist}


def in_words(one: ByHand) -> str:
    """Abilities by their names; those of which more is known come last, each with its gist."""
    named = [name for name in one.abilities if name not in one.gists]
    return "; ".join([*filter(None, [", ".join(named)]), *(f"{n}: {_inside(g)}" for n, g in one.gists.items())])


def _inside(sentence: str) -> str:
    """A sentence as part of another; it keeps the capital of a name, which another follows."""
    first, _, rest = sentence.removesuffix(".").partition(" ")
    plain = first[1:].islower() and not rest[:1].isupper()
    return f"{first[0].lower() if plain else first[0]}{first[1:]}{' ' if rest else ''}{rest}"


def sentences(reminders: Iterable[Reminder], world: AnyWorld) -> Iterator[str]:
    """Reminders in words, a sentence for each player and kind."""
    lines: dict[tuple[int, str], list[str]] = {}
    for one in reminders:
        lines.setdefault((one.player, one.when), []).append(f"{one.called} - {in_words(one)}")
    for (player, when), parts in lines.items():
        yield f"Not enforced here, for {world.player(player).name} to play by hand {when}: {'; '.join(parts)}."


class Reminding:
    """Follows the story of a battle, event by event, and knows what is left to the players when a phase begins."""

    def __init__(self, battle: AnyBattle) -> None:
        self._battle = battle
        self.restart()

    def restart(self) -> None:
        """The story is told from its beginning again."""
        battle, system = self._battle, self._battle.system
        self.heard = 0
        self._state: State[Any, Any, Any] = from_bytes(
            battle.start_bytes, system.unit_type, system.player_type, system.game_type
        )

    def hear(self, event: AnyEvent) -> list[str]:
        """What players are reminded of at an event: at the first one, and whenever a phase begins."""
        told = self._now() if not self.heard else []
        self.heard += 1
        fold(self._state, (event,))
        return self._now() if isinstance(event, Told) and event.kind == PHASE else told

    def catch_up(self) -> None:
        """Follow the story anew where answers were taken back, up to what has happened by now."""
        if self.heard > len(self._battle.events):
            self.restart()
            self.heard = len(self._battle.events)
            fold(self._state, self._battle.events)

    def _now(self) -> list[str]:
        battle = self._battle
        if battle.system.reminders is None:
            return []
        world: AnyWorld = World(battle.system, battle.setup, self._state, battle.ground)
        return list(sentences(battle.system.reminders(world), world))
