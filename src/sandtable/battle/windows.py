"""Windows: the moments at which rules fall due and players may react."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.battle.decisions import Option, Order, Value
from sandtable.battle.system import Moment, Reaction

if TYPE_CHECKING:
    from sandtable.battle.acting import AnyActing

Due = tuple[Reaction, int, Value]


class ReactionUse(NamedTuple):
    """What an option stands for where several reactions are offered: which one, and which use of it."""

    reaction: str
    use: str

    @classmethod
    def of(cls, value: Value | None) -> ReactionUse:
        """What the value of an option stands for."""
        reaction, _, use = str(value).partition("/")
        return cls(reaction, use)


def as_option(reaction: Reaction, use: Option) -> Option:
    """One use of a reaction as an option beside others."""
    return Option(f"{reaction.name}/{use.value}", f"{reaction.name}: {use.label}", use.note, unit=use.unit)


def any_guard(battle: AnyActing, reactions: tuple[Reaction, ...], moment: Moment) -> bool:
    """Whether any reaction could matter to any player."""
    for player in battle.state.players:
        number = player.id
        for reaction in reactions:
            if reaction.guard(battle, number, moment):
                return True
    return False


async def open_window(battle: AnyActing, trigger: str, reactions: tuple[Reaction, ...], moment: Moment) -> bool:
    """Carry out what is due, then let players react until nobody wants to; says whether anything happened."""
    due: list[Due] = []
    optional = False
    for reaction in reactions:
        if not reaction.mandatory:
            optional = True
            continue
        for player in battle.state.players:
            if reaction.guard(battle, player.id, moment):
                due += [(reaction, player.id, use.value) for use in reaction.uses(battle, player.id, moment)]
    if due:
        await _carry_out(battle, trigger, due, moment)
    if not optional:
        return bool(due)
    return await _react(battle, trigger, reactions, moment) or bool(due)


async def _carry_out(battle: AnyActing, trigger: str, due: list[Due], moment: Moment) -> None:
    if len(due) > 1:
        options = tuple(Option(i, f"{r.name} ({battle.player(p).name}: {use})") for i, (r, p, use) in enumerate(due))
        orders = battle.system.orders
        order = await battle.ask(
            Order(
                player=battle.state.active if orders is None else orders(battle),
                kind=f"order.{trigger}",
                prompt="These happen at the same time: in which order?",
                options=options,
                rules=tuple(dict.fromkeys(x for r, _, _ in due for x in r.rules)),
                unit=moment.unit,
            )
        )
        due = [due[int(i)] for i in order]
    for reaction, player, use in due:
        await reaction.flow(battle, player, moment, use)


async def _react(battle: AnyActing, trigger: str, reactions: tuple[Reaction, ...], moment: Moment) -> bool:
    happened = False
    passed: set[int] = set()
    while True:
        asked = next(
            (
                (player.id, found)
                for player in _in_turn_order(battle)
                if player.id not in passed and (found := _takers(battle, trigger, reactions, player.id, moment))
            ),
            None,
        )
        if asked is None:
            return happened
        player_id, takers = asked
        offered = [(r, use, as_option(r, use)) for r, use in takers]
        choice = await battle.choose(
            player_id,
            f"react.{trigger}",
            f"{_what(battle, trigger, moment)}: do you {_deed(battle, player_id, moment)}?",
            [option for _, _, option in offered],
            optional=True,
            rules=tuple(dict.fromkeys(x for r, _ in takers for x in r.rules)),
            unit=moment.unit,
            about=moment.about,
        )
        if choice is None:
            passed.add(player_id)
            continue
        happened = True
        reaction, use = next((r, use) for r, use, option in offered if option.value == choice)
        await reaction.flow(battle, player_id, moment, use.value)
        battle.go_on()


def _in_turn_order(battle: AnyActing) -> list[Any]:
    players = battle.state.players
    active = battle.state.active
    return [*players[active:], *players[:active]]


def _takers(
    battle: AnyActing, trigger: str, reactions: tuple[Reaction, ...], player: int, moment: Moment
) -> list[tuple[Reaction, Option]]:
    takers = []
    every = battle.asks_every(player, trigger)
    for reaction in reactions:
        if reaction.mandatory or not reaction.guard(battle, player, moment):
            continue
        for use in reaction.uses(battle, player, moment):
            if every or reaction.worth is None or reaction.worth(battle, player, moment, use.value):
                takers.append((reaction, use))
    return takers


def _deed(battle: AnyActing, player: int, moment: Moment) -> str:
    """Nobody reacts to what is their own."""
    whose = battle.unit(moment.unit).player if moment.unit >= 0 else battle.state.active
    return "use anything" if whose == player else "react"


def _what(battle: AnyActing, trigger: str, moment: Moment) -> str:
    if battle.system.happening is not None:
        return battle.system.happening(battle, trigger, moment)
    words = trigger.replace("_", " ").capitalize()
    return f"{words} ({battle.unit(moment.unit).name})" if moment.unit >= 0 else words
