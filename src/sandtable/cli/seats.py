"""The players that a command line names, and the table talk around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sandtable.battle.decisions import Decision
from sandtable.battle.events import AnyEvent
from sandtable.errors import UserError
from sandtable.players import DEFAULT_ORDERS, Note, Orders, Person, Player, StandingOrders, default_orders, seat
from sandtable.players.standing import check_kinds, read_orders_file
from sandtable.players.table import SEATS, TAKEBACKS, AnyBattle, Takebacks, play

if TYPE_CHECKING:
    from rich.console import Console

    from sandtable.cli.account import Account


def read_standing(name: str) -> Orders | None:
    """Standing orders for the people at the table: a file, or the word `default`."""
    if not name:
        return None
    return DEFAULT_ORDERS if name == "default" else read_orders_file(Path(name))


def seats(
    battle: AnyBattle,
    names: Sequence[str],
    seed: int,
    orders: Orders | None,
    account: Account,
    screen: Console,
    where: str = "orders",
) -> dict[int, Player]:
    """A player for each seat; people get their standing orders, which stand in the file `where`."""
    if len(names) != len(battle.state.players):
        seated = ", ".join(p.name for p in battle.state.players)
        raise UserError(f"Name {len(battle.state.players)} players, one each for {seated}; not {len(names)}.")

    if orders is DEFAULT_ORDERS:
        orders = default_orders(battle.system)
    elif orders is not None:
        check_kinds(orders, battle.system, where)

    def note(written: Note) -> None:
        if written.answered:
            account.automatic(written.decision, "standing order")
        else:
            screen.print(written.text, markup=False)

    def person(_: int) -> Player:
        someone = Person(input, lambda line: screen.print(line, markup=False))
        return someone if orders is None else StandingOrders(orders, someone, note)

    return seat(names, seed, person, lambda thought: account.automatic(thought.decision, thought.text))


def play_and_save(
    battle: AnyBattle,
    players: dict[int, Player],
    save: Path | None,
    *,
    takebacks: Takebacks = "agreed",
    since: int = 0,
    on_event: Callable[[AnyEvent], None] | None = None,
    on_ask: Callable[[Decision[Any]], None] | None = None,
) -> bool:
    """Play; whatever happens, what was played is kept if it was to be saved."""
    stopped = False
    try:
        return play(battle, players, takebacks=takebacks, since=since, on_event=on_event, on_ask=on_ask)
    except KeyboardInterrupt:
        stopped = True
        raise
    finally:
        if save is not None:
            battle.save(save)
            if stopped:
                on = f"'sandtable battle --resume {save}' goes on from there {SEATS}"
                with suppress(OSError):  # a terminal that is gone
                    typer.echo(f"Stopped. Wrote {save}; {on}.", err=True)


def read_takebacks(name: str) -> Takebacks:
    """When answers can be taken back, by name."""
    for known in TAKEBACKS:
        if name == known:
            return known
    raise UserError(f"Answers can be taken back {', '.join(TAKEBACKS)}; not '{name}'.")


def tell_and_save(
    battle: AnyBattle,
    players: dict[int, Player],
    save: Path | None,
    account: Account,
    screen: Console,
    takebacks: Takebacks = "agreed",
) -> None:
    """Play with a running account; of what happened before, it tells only how the battle stands."""
    since = len(battle.events) if battle.answers else 0
    if since:
        account.catch_up(battle.events)
        for line in battle.system.score(battle) if battle.system.score else ():
            screen.print(line, markup=False)
    hear = partial(play_and_save, on_event=account.tell, on_ask=account.asked)
    if not hear(battle, players, save, takebacks=takebacks, since=since):
        account.finish()
        screen.print("You left the table; the battle is not over.")
    if save is not None:
        screen.print(f"Wrote {save}.", markup=False)
