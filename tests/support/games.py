"""Battles for the tests of the machine: the skirmish, and systems of a few steps made up on the spot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.battle import Battle, Reaction, questions
from sandtable.battle.dice import Dice, KeyedDice
from sandtable.battle.events import Answered, Asked
from sandtable.battle.state import to_bytes
from sandtable.battle.system import Question, System
from support import skirmish

AnyBattle = Battle[Any, Any, Any, Any]
RED, BLUE = 0, 1


def new(
    seed: int = 1, *, dice: Dice | None = None, system: System | None = None, options: Mapping[str, str] | None = None
) -> AnyBattle:
    """A skirmish, or a battle of another system with the skirmish's table and units, at its first question."""
    rules = system or skirmish.system()
    setup, state = skirmish.start()
    if options is not None:
        setup = msgspec.structs.replace(setup, options=rules.settle_options(options))
    battle: AnyBattle = Battle(rules, setup, state, dice=dice or KeyedDice(seed))
    return battle.start()


def tiny(
    *steps: Callable[[Any], Any],
    reactions: tuple[Reaction, ...] = (),
    secrets: frozenset[tuple[str, str]] = frozenset(),
    asks: Mapping[str, Question] | None = None,
    more: Mapping[str, tuple[Any, ...]] | None = None,
    after: Callable[[Any], str | None] = lambda b: None,
) -> System:
    """A system of these steps, played once; then whatever `after` names."""
    return System(
        id="tiny",
        name="Tiny",
        unit="in",
        unit_type=skirmish.Unit,
        player_type=skirmish.Player,
        game_type=skirmish.Game,
        data_type=skirmish.Data,
        segments={"setup": tuple(steps), **(more or {})},
        next_segment=after,
        questions=asks or {},
        reactions=reactions,
        secrets=secrets,
    )


def play(battle: AnyBattle, rng: Random, count: int = 10_000, until: str = "") -> AnyBattle:
    """Answer at random: so many times, or until a kind of question is open."""
    for _ in range(count):
        if not battle.decisions or (until and battle.decisions[0].kind == until):
            break
        decision = battle.decisions[0]
        battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    return battle


def plainly(battle: AnyBattle, until: str) -> AnyBattle:
    """Give the next answer, and default answers after it, until a kind of question is open."""
    while battle.decisions:
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
        if asked(battle)[:1] == [until]:
            break
    return battle


def asked(battle: AnyBattle) -> list[str]:
    """The kinds of the open questions."""
    return [d.kind for d in battle.decisions]


def snapshot(battle: AnyBattle) -> tuple[bytes, bytes, bytes]:
    """State, events and open questions, byte for byte; but for the numbers of questions, which never come again."""
    told = [replace(e, decision=0) if isinstance(e, Asked | Answered) else e for e in battle.events]
    return (
        to_bytes(battle.state),
        msgspec.json.encode(told),
        msgspec.json.encode([replace(d, id=0) for d in battle.decisions]),
    )
