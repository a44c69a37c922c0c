"""Seating players at a battle, and playing it to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from sandtable.battle.decisions import Decision
from sandtable.battle.events import Answered, AnyEvent, Moved, Placed, Ruled
from sandtable.battle.machine import Battle, Refused
from sandtable.battle.rulings import Correction, describe_ruling, ruling_of
from sandtable.errors import UserError
from sandtable.players.base import Agreeable, Concede, Correct, Leave, Listener, Player, Save, TakeBack
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


SEATS: Final = "with the same --players and --orders, which the file does not hold"

Takebacks: TypeAlias = Literal["until-dice", "agreed", "free", "never"]
TAKEBACKS: Final[tuple[Takebacks, ...]] = get_args(Takebacks)


def play(
    battle: AnyBattle,
    players: Mapping[int, Player],
    *,
    takebacks: Takebacks = "agreed",
    since: int = 0,
    on_event: Callable[[AnyEvent], None] | None = None,
    on_ask: Callable[[Decision[Any]], None] | None = None,
) -> bool:
    """Put every decision to its player until the battle is over; False if a player left before that.

    `on_ask` hears of a decision before its player does; `on_event` of all that happened since an event, before the next
    question.

    An answer can be taken back freely until dice were rolled or somebody else answered. Beyond that `takebacks` counts:
    "until-dice" allows none, for "agreed" all others must agree, and "free" is for practice. "never" is for purists:
    what is placed stays, dice or not, and only a choice that nothing came of yet can be made again.
    """
    missing = [p.name for p in battle.state.players if p.id not in players]
    if missing:
        raise UserError(f"Nobody plays for {', '.join(missing)}.")
    told = _tell(battle, since, on_event)
    while battle.decisions:
        decision = battle.decisions[0]
        if on_ask is not None:
            on_ask(decision)
        try:
            holds = _one_answer(battle, players, decision, takebacks)
        except Leave:
            return False
        # Answers taken back leave a shorter story, and a ruling begins a step anew; what holds of it was told before.
        told = _tell(battle, min(told, len(battle.events) if holds is None else holds), on_event)
    return True


def _one_answer(
    battle: AnyBattle, players: Mapping[int, Player], decision: Decision[Any], takebacks: Takebacks
) -> int | None:
    """Put a decision to its player; how many events still hold if players agreed on a ruling instead."""
    player = players[decision.player]
    try:
        view = battle.view(decision.player, trusted=getattr(player, "trusted", False))
        battle.answer(decision, player.choose(view, decision))
    except Concede:
        battle.concede(decision.player)
    except Save as wanted:
        try:
            battle.save(wanted.path)
            _hear(player, f"Wrote {wanted.path}; 'sandtable battle --resume {wanted.path}' goes on from here {SEATS}.")
        except UserError as error:
            _hear(player, str(error), error)
    except Correct as asked:
        try:
            return _correct(battle, players, decision.player, asked.wanted)
        except UserError as error:
            _hear(player, str(error), error)
    except TakeBack:
        try:
            _take_back(battle, players, decision.player, takebacks)
        except UserError as error:
            _hear(player, str(error), error)
    except Refused as error:
        _hear(player, str(error.verdict), error)
    return None


def _correct(battle: AnyBattle, players: Mapping[int, Player], player: int, wanted: Correction) -> int:
    """Correct something that all agree on; a computer player leaves that to people, and the result counts it."""
    ruling = ruling_of(battle, wanted)
    request = f"{battle.player(player).name} wants a correction. {describe_ruling(battle, ruling)} Do you agree?"
    for other, opponent in players.items():
        if other != player and isinstance(opponent, Agreeable) and not _agrees(battle, opponent, other, request):
            raise UserError(f"{battle.player(other).name} does not agree.")
    counted = battle.state.rulings
    battle.rule(ruling)
    if battle.state.rulings == counted:
        _hear(players[player], "It holds as soon as what is being done is over.")
    return max(i for i, event in enumerate(battle.events) if isinstance(event, Ruled))


def _take_back(battle: AnyBattle, players: Mapping[int, Player], player: int, takebacks: Takebacks) -> None:
    count = back_to(battle, player)
    learnt = battle.learnt_since(count)
    if why := stays(learnt, placed_since(battle, count), takebacks):
        raise UserError(why)
    if learnt and takebacks == "agreed":
        request = f"{battle.player(player).name} wants to take an answer back, although {learnt} since. Do you agree?"
        for other, opponent in players.items():
            if other != player and not _agrees(battle, opponent, other, request):
                raise UserError(f"{battle.player(other).name} does not agree: {learnt} since.")
    battle.undo(count)


def placed_since(battle: AnyBattle, count: int) -> bool:
    """Whether a model was set up or moved since the last so many answers."""
    answered = [i for i, e in enumerate(battle.events) if isinstance(e, Answered)][-count:]
    return any(isinstance(e, Moved | Placed) for e in battle.events[answered[0] :]) if answered else False


def stays(learnt: str, placed: bool, takebacks: Takebacks) -> str:
    """Why an answer stays whatever others say; empty where it need not."""
    if learnt and takebacks in ("until-dice", "never"):
        return f"That cannot be taken back: {learnt} since."
    if placed and takebacks == "never":
        return "That cannot be taken back: what is placed stays in this battle."
    return ""


def _agrees(battle: AnyBattle, player: Player, number: int, request: str) -> bool:
    """A computer player never does: whoever wants to practise says so beforehand."""
    return isinstance(player, Agreeable) and player.agrees(battle.view(number), request)


def _hear(player: Player, message: str, error: UserError | None = None) -> None:
    """Tell the player; one who cannot listen to a refusal would give the same answer for ever."""
    if isinstance(player, Listener):
        player.hear(message)
    elif error is not None:
        raise error


def back_to(battle: AnyBattle, player: int) -> int:
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
