"""Seating players at a battle, and playing it to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sandtable.battle.decisions import Decision
from sandtable.battle.events import AnyEvent
from sandtable.battle.machine import Battle, Refused
from sandtable.errors import UserError
from sandtable.players.base import Concede, Leave, Listener, Player, TakeBack
from sandtable.players.named import named
from sandtable.players.standing import Note

AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]


def seat(
    names: Sequence[str], seed: int, person: Callable[[int], Player], note: Callable[[Note], None] | None = None
) -> dict[int, Player]:
    """A player for each name, by number; `person` makes those who sit at the terminal.

    `note` hears why the computer players answer as they do.
    """
    # By chance plays nobody from the battle's own stream of dice, and everybody from another one.
    return {
        number: person(number) if name == "person" else named(name, seed * 31 + number + 1, note)
        for number, name in enumerate(names)
    }


def play(
    battle: AnyBattle,
    players: Mapping[int, Player],
    *,
    on_event: Callable[[AnyEvent], None] | None = None,
    on_ask: Callable[[Decision[Any]], None] | None = None,
) -> bool:
    """Put every decision to its player until the battle is over; False if a player left before that.

    `on_ask` hears of a decision before its player does; `on_event` of all that happened, before the next question.
    """
    missing = [p.name for p in battle.state.players if p.id not in players]
    if missing:
        raise UserError(f"Nobody plays for {', '.join(missing)}.")
    told = _tell(battle, 0, on_event)
    while battle.decisions:
        decision = battle.decisions[0]
        if on_ask is not None:
            on_ask(decision)
        player = players[decision.player]
        try:
            _one_answer(battle, player, decision)
        except Leave:
            return False
        # Answers taken back leave a shorter story; what is left of it was told before.
        told = _tell(battle, min(told, len(battle.events)), on_event)
    return True


def _one_answer(battle: AnyBattle, player: Player, decision: Decision[Any]) -> None:
    try:
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    except Concede:
        battle.concede(decision.player)
    except TakeBack:
        try:
            battle.undo(_back_to(battle, decision.player))
        except UserError as error:
            _hear(player, str(error), error)
    except Refused as error:
        _hear(player, str(error.verdict), error)


def _hear(player: Player, message: str, error: UserError) -> None:
    """Tell the player; one who cannot listen would give the same answer for ever."""
    if not isinstance(player, Listener):
        raise error
    player.hear(message)


def _back_to(battle: AnyBattle, player: int) -> int:
    """How many answers must go to take back the last one of a player."""
    given = battle.answers
    for count, answer in enumerate(reversed(given), 1):
        if answer.player == player:
            return count
    raise UserError("You have not answered anything yet that could be taken back.")


def _tell(battle: AnyBattle, since: int, on_event: Callable[[AnyEvent], None] | None) -> int:
    if on_event is not None:
        for event in battle.events[since:]:
            on_event(event)
    return len(battle.events)
