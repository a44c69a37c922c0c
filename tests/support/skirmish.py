"""A small made-up game that uses every part of the machine, and variants of it with a known slip each.

Two players, three units each, on a bare table. It is sound; `slip` plants one fault.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec
import numpy as np

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    GONE,
    TABLE,
    AnyPlayer,
    AnyUnit,
    Battle,
    Choose,
    Confirm,
    Effect,
    Models,
    Moment,
    Number,
    Option,
    Question,
    Reaction,
    Result,
    Setup,
    State,
    Step,
    System,
    Verdict,
    World,
    refuse,
)
from sandtable.table.grid import steps
from sandtable.table.layout import Table
from sandtable.table.shapes import round_base
from sandtable.table.zones import Zone

ROUNDS = 3


class Unit(AnyUnit):
    moved: bool = False
    shot: bool = False
    fought: bool = False


class Player(AnyPlayer):
    ammo: int = 2
    plan: int | None = None


class Game(msgspec.Struct):
    selecting: int = 0
    forced: int = -1
    fights: int = 0


class Data(msgspec.Struct, frozen=True):
    slip: str = ""


Skirmish: TypeAlias = Battle[Unit, Player, Game, Data]

# What the bad variants keep outside the state.
_started: list[int] = []
_counter = [0]
_queue: list[int] = []


def forget() -> None:
    """Empty what the bad variants keep outside the state, as a new process would."""
    _started.clear()
    _counter[0] = 0
    _queue.clear()


async def plan(b: Skirmish) -> Step:
    asked = [
        Choose(
            player=p.id,
            kind="plan",
            prompt="Secret plan",
            options=tuple(Option(i, f"plan {i}") for i in range(3)),
            secret=True,
        )
        for p in b.state.players
    ]
    for p, answer in zip(b.state.players, await b.ask_all(asked), strict=True):
        b.set_player(p, plan=int(answer or 0))
    return DONE


async def begin(b: Skirmish) -> Step:
    for u in b.units_of(b.state.active):
        b.set_unit(u, moved=False, shot=False)
        b.add_effect(Effect("bonus", u.id, 1, until="turn"))
    await b.window("turn_began")
    return DONE


async def move(b: Skirmish) -> Step:
    slip = b.setup.data.slip
    if slip == "effect before the loop":
        moment = b.state.round * 2 + b.state.active
        if moment not in _started:
            _started.append(moment)
            b.set_game(fights=b.state.game.fights + 1)
    if slip == "a counter outside the state":
        _counter[0] += 1
        if _counter[0] % 3 == 0:
            b.tell("third", "Every third move is told.")
    ready = [u for u in b.units_of(b.state.active) if b.is_on_table(u) and not u.moved]
    if slip == "a list instead of the state":
        if not _queue:
            _queue.extend(u.id for u in ready)
        ready = [b.unit(i) for i in _queue[:2] if b.is_on_table(b.unit(i))]
    unit = await b.choose_unit(b.state.active, "move-with", "Move with", ready, optional=True)
    if unit is None:
        _queue.clear()
        return DONE
    if slip == "a list instead of the state":
        _queue.remove(unit.id)
    await b.act(unit, _move(b, unit))
    return AGAIN


async def _move(b: Skirmish, unit: Unit) -> None:
    if b.setup.data.slip == "changed before the question":
        b.set_unit(unit, moved=True)
    far = await b.ask(Number(player=unit.player, kind="how-far", prompt="How far", least=0, most=6, unit=unit.id))
    models = b.on_table(unit)
    pos = b.state.models.pos[models]
    sign = 1 if unit.player == 0 else -1
    where = [(int(x), int(y) + sign * steps(far), int(z)) for x, y, z in pos]
    if b.setup.data.slip == "geometry changed in silence":
        b.state.models.pos[models] = where
    else:
        b.move_models([int(m) for m in models], where)
    b.set_unit(unit, moved=True)
    await b.window("unit_moved", Moment(unit.id))
    b.tell("moved", f"{unit.name} moved {far}.", units=[unit.id])


async def shoot(b: Skirmish) -> Step:
    unit = await b.choose_unit(
        b.state.active,
        "shoot-with",
        "Shoot with",
        [u for u in b.units_of(b.state.active) if may_shoot(b, u)],
        optional=True,
    )
    if unit is None:
        return DONE
    targets = [e for e in b.enemies_of(unit.player) if b.is_on_table(e) and b.distance(unit, e) <= steps(24)]
    target = await b.choose_unit(unit.player, "shoot-at", "Shoot at", targets, unit=unit.id)
    b.set_unit(unit, shot=True)
    if target is not None:
        await volley(b, unit, target)
    return AGAIN


def may_shoot(b: World[Unit, Player, Game, Data], unit: Unit) -> Verdict:
    if unit.shot:
        return refuse(f"{unit.name} has shot already.", "skirmish.shoot.once")
    if not b.is_on_table(unit):
        return refuse(f"{unit.name} is gone.", "skirmish.shoot.alive")
    return ALLOWED


async def volley(b: Skirmish, unit: Unit, target: Unit) -> None:
    dice = b.roll(len(b.on_table(unit)), "hit", unit.player)
    bonus = b.effect_sum("bonus", unit.id)
    misses = sum(1 for d in dice if d + bonus < 5)
    if misses and b.player(unit.player).ammo:
        again = await b.ask(
            Confirm(player=unit.player, kind="reroll", prompt=f"Re-roll {misses} misses?", unit=unit.id)
        )
        if again:
            b.set_player(b.player(unit.player), ammo=b.player(unit.player).ammo - 1)
            dice = (*(d for d in dice if d + bonus >= 5), *b.roll(misses, "hit", unit.player))
    for _ in range(sum(1 for d in dice if d + bonus >= 5)):
        if b.is_on_table(target):
            await lose_one(b, target)


async def lose_one(b: Skirmish, target: Unit) -> None:
    alive = [int(m) for m in b.on_table(target)]
    options = [Option(m, f"model {m}") for m in alive]
    victim = await b.choose(target.player, "allocate", "Who falls", options, unit=target.id)
    wounds = int(b.state.models.wounds[int(victim or 0)]) - 1
    b.set_wounds(int(victim or 0), wounds)
    if b.setup.data.slip == "a silent change":
        target.fought = True
    if not wounds:
        b.place_models([int(victim or 0)], GONE)
        if not any(b.is_on_table(u) for u in b.units_of(target.player)):
            b.end(Result(tuple(p.id for p in b.opponents(target.player)), "nobody is left"))


async def fight(b: Skirmish) -> Step:
    game = b.state.game
    player = b.unit(game.forced).player if game.forced >= 0 else game.selecting
    ready = [u for u in b.units_of(player) if b.is_on_table(u) and not u.fought and foes(b, u)]
    if game.forced >= 0:
        ready = [u for u in ready if u.id == game.forced]
        b.set_game(forced=-1)
    if not ready:
        if not any(not u.fought and b.is_on_table(u) and foes(b, u) for u in b.units()):
            return DONE
        b.set_game(selecting=(player + 1) % len(b.state.players))
        return AGAIN
    unit = await b.choose_unit(player, "fight-with", "Fight with", ready)
    assert unit is not None
    b.set_unit(unit, fought=True)
    b.set_game(selecting=(player + 1) % len(b.state.players), fights=game.fights + 1)
    await b.act(unit, volley(b, unit, foes(b, unit)[0]))
    await b.window("unit_fought", Moment(unit.id))
    return AGAIN


def foes(b: World[Unit, Player, Game, Data], unit: Unit) -> list[Unit]:
    return [e for e in b.enemies_of(unit.player) if b.is_on_table(e) and b.linked(unit, e, Zone(steps(2), steps(5)))]


async def finish(b: Skirmish) -> Step:
    b.end_effects(lambda e: e.until == "turn")
    for u in b.units():
        if u.fought:
            b.set_unit(u, fought=False)
    return DONE


def follow(b: Skirmish) -> str | None:
    if b.state.segment == "setup":
        b.set_clock(round=1, active=0)
    elif b.state.active == 0:
        b.set_clock(active=1)
    elif b.state.round < ROUNDS:
        b.set_clock(round=b.state.round + 1, active=0)
    else:
        b.finish(Result((), "time"))
        return None
    b.set_game(selecting=b.state.active)
    return "turn"


# reactions


async def overwatch(b: Skirmish, player: int, moment: Moment, use: Any) -> None:
    b.set_player(b.player(player), ammo=b.player(player).ammo - 1)
    shooter = b.unit(int(use))
    await b.act(shooter, volley(b, shooter, b.unit(moment.unit)))


async def counter(b: Skirmish, player: int, moment: Moment, use: Any) -> None:
    b.set_player(b.player(player), ammo=b.player(player).ammo - 1)
    b.set_game(forced=int(use))


async def reveal(b: Skirmish, player: int, moment: Moment, use: Any) -> None:
    if b.player(player).plan == 2:
        b.set_player(b.player(player), ammo=b.player(player).ammo + 1)


def _not_mine(b: Skirmish, player: int, moment: Moment) -> bool:
    return b.player(player).ammo > 0 and b.unit(moment.unit).player != player


def _shooters(b: Skirmish, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    return [Option(u.id, u.name) for u in b.units_of(player) if b.is_on_table(u) and b.distance(u, enemy) <= steps(12)]


def _fighters(b: Skirmish, player: int, moment: Moment) -> list[Option]:
    return [Option(u.id, u.name) for u in b.units_of(player) if b.is_on_table(u) and not u.fought and foes(b, u)]


def _judge_how_far(w: World[Unit, Player, Game, Data], d: Number, answer: int) -> Verdict:
    if w.setup.data.slip == "a judge that changes the state":
        w.player(0).ammo += 1
    if answer == 5:
        return refuse("Nobody moves exactly 5.", "skirmish.move.five", far=answer)
    return ALLOWED


def system() -> System:
    return System(
        id="skirmish",
        name="Skirmish",
        unit="in",
        unit_type=Unit,
        player_type=Player,
        game_type=Game,
        data_type=Data,
        segments={"setup": (plan,), "turn": (begin, move, shoot, fight, finish)},
        next_segment=follow,
        questions={
            "how-far": Question(judge=_judge_how_far),
            "shoot-with": Question(why_unit=lambda w, d, u: may_shoot(w, w.unit(u))),
        },
        reactions=(
            Reaction("Overwatch", "unit_moved", overwatch, _not_mine, _shooters),
            Reaction("Counter", "unit_fought", counter, _not_mine, _fighters),
            Reaction(
                "Reveal",
                "turn_began",
                reveal,
                lambda b, p, m: b.state.round == 2 and b.state.active == 0,
                lambda b, p, m: [Option("reveal", "reveal")],
                mandatory=True,
            ),
        ),
        secrets=frozenset({("player", "plan")}),
        why={"shoot": lambda w, u: may_shoot(w, w.unit(u))},
    )


def start(slip: str = "") -> tuple[Setup[Data], State[Unit, Player, Game]]:
    base = round_base(1.25, 2.0)
    units: list[Unit] = []
    pos: list[tuple[int, int, int]] = []
    for player in range(2):
        for k in range(3):
            first = len(pos)
            for m in range(4):
                pos.append((steps(6 + 12 * k + 1.5 * m), steps(8 if player == 0 else 20), 0))
            units.append(
                Unit(len(units), player, f"{'red' if player == 0 else 'blue'} {k}", tuple(range(first, first + 4)))
            )
    n = len(pos)
    zero = np.zeros(n, dtype=np.int64)
    models = Models(
        np.array(pos, dtype=np.int64),
        zero.copy(),
        np.full(n, 2, dtype=np.int64),
        np.full(n, TABLE, dtype=np.int64),
        zero.copy(),
        np.array([i // 4 for i in range(n)], dtype=np.int64),
    )
    setup = Setup(
        "skirmish",
        Table(steps(44), steps(30), "in"),
        (base,),
        (0,) * n,
        Data(slip),
        system().settle_options({}),
    )
    return setup, State(models, units, [Player(0, "Red", 0), Player(1, "Blue", 1)], Game())
