"""The front door: begin a battle, load it, save it, open a scenario."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from sandtable import kernels, systems
from sandtable.armies.lists import ArmyList
from sandtable.armies.packs import find_list
from sandtable.battle import courses, journal, replaying
from sandtable.battle.dice import SEED_BITS, KeyedDice, derived_seed
from sandtable.battle.driving import BrokenRule
from sandtable.battle.judging import Outcome, run_scenario
from sandtable.battle.machine import Battle
from sandtable.battle.scenario import Scenario, open_scenario, read_scenario_file
from sandtable.battle.side_by_side import SideBySide, side_by_side
from sandtable.errors import UserError
from sandtable.version import __version__

AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]

DEFAULT_MISSION: Final = "only-war"
MAX_SEED: Final = (1 << 63) - 1
TABLES: Final = 1_000_000
"""From so many tables one is drawn where nobody chose a layout."""
UNKNOWN: Final = re.compile(r": Object contains unknown field `(.*)`", re.DOTALL)
"""How a file's reader says that something has a field too many."""


def new(
    system: str,
    *,
    armies: Mapping[str, str | Path | ArmyList] | None = None,
    mission: str = DEFAULT_MISSION,
    layout: str = "",
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    on_step: Callable[[AnyBattle], None] | None = None,
) -> AnyBattle:
    """A battle at its first question; without a seed its dice are anybody's guess.

    `armies` gives each player's army list: itself, as a file, or by the name of one in a pack; without it the armies
    are made up and stand ready. Without a layout the terrain is drawn up from the seed.
    """
    rules = systems.get(system)
    if seed is None:
        seed = secrets.randbits(SEED_BITS)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise UserError(f"A seed is a whole number from 0 to {MAX_SEED}, not {seed!r}.")
    chosen = rules.settle_options(options or {})
    if armies:
        if rules.build is None:
            raise UserError(f"{rules.name} cannot be played with army lists yet.")
        lists = {player: one if isinstance(one, ArmyList) else find_list(one, system) for player, one in armies.items()}
        kernels.engage()
        setup, state = rules.build(lists, mission, layout or table_of(seed), chosen)
    elif rules.sample is None:
        raise UserError(f"{rules.name} has no sample armies.")
    else:
        setup, state = rules.sample(seed, chosen)
    battle: AnyBattle = Battle(rules, setup, state, dice=KeyedDice(seed), on_step=on_step)
    return battle.start()


def table_of(seed: int) -> str:
    """The layout of a battle for which nobody chose one; who sees it learns nothing about the dice."""
    return f"random-{derived_seed(seed, -1) % TABLES}"


def save(battle: AnyBattle, path: str | Path) -> None:
    """Write the journal of a battle; the file is there whole, or not at all."""
    battle.save(path)


def load(path: str | Path, *, on_step: Callable[[AnyBattle], None] | None = None) -> AnyBattle:
    """The battle of a journal, where it was left; refuses, saying where, if it does not play the same.

    `on_step` hears of the steps that are entered from then on.
    """
    battle, agreement = replay(path)
    trouble = disagreement(path, agreement)
    if trouble:
        raise UserError(trouble)
    battle.watch(on_step)
    return battle


def replay(
    path: str | Path, until: int | None = None, watch: replaying.Watch | None = None
) -> tuple[AnyBattle, replaying.Agreement]:
    """Play a journal again, up to a number of answers, and say how far it agrees with what was written."""
    written = journal.read_file(Path(path))
    try:
        return replaying.replay(written, systems.get(written.system), until, watch)
    except UserError as error:
        raise _named(error, path) from None


def disagreement(path: str | Path, agreement: replaying.Agreement) -> str:
    """In a sentence, where a journal stops playing the same; empty when it plays the same to its end."""
    if agreement.whole:
        return ""
    other = f" was written by Sandtable {agreement.version}, this is {__version__}: it"
    writer = "" if agreement.same_version else other
    why = f": {agreement.trouble.rstrip('.')}" if agreement.trouble else ""
    return f"{path}{writer} plays the same only up to step {agreement.steps} of {agreement.of}{why}."


def scenario(path: str | Path) -> AnyBattle:
    """The battle of a scenario file, at its moment and before its answers."""
    return open_moment(read_scenario_file(Path(path)), path)


def open_moment(document: Scenario, where: str | Path) -> AnyBattle:
    """The battle of a scenario that has been read, at its moment."""
    try:
        return open_scenario(document, systems.get(document.system))
    except Exception as error:
        raise _unplayable(error, where, document.system) from error


def check_scenario(document: Scenario, where: str | Path) -> Outcome:
    """Play the answers of a scenario and hold the end against what it expects."""
    try:
        return run_scenario(document, systems.get(document.system))
    except BrokenRule:
        raise
    except Exception as error:
        raise _unplayable(error, where, document.system) from error


def compare_scenario(document: Scenario, where: str | Path, among: Sequence[str]) -> SideBySide:
    """Play a scenario under several systems, with the same dice and answers; beside its own where one is named."""
    named = tuple(dict.fromkeys(among))
    ids = named if len(named) > 1 else tuple(dict.fromkeys((document.system, *named)))
    if len(ids) < 2:
        raise UserError(f"To compare takes two systems; {where} is of {document.system} itself.")
    for id_ in ids:
        systems.get(id_)
    # Dice and answers are meant for the file's own system: the others roll what it rolled, and end where it ended.
    model = _course(document, where, document.system)
    found = [model if id_ == document.system else _course(document, where, id_, model) for id_ in ids]
    return side_by_side(document.scenario, document.question, found)


def _course(document: Scenario, where: str | Path, system: str, like: courses.Course | None = None) -> courses.Course:
    """How a scenario goes under a system; a refusal says which system it is that cannot play it."""
    rules, own = systems.get(system), systems.get(document.system)
    if rules.unit != own.unit:
        raise UserError(f"{where} is of {own.name}, which measures in other units than {rules.name}.")
    try:
        return courses.play(document, rules, like)
    except Exception as error:
        if system == document.system:
            raise _unplayable(error, where, system) from error
        raise UserError(f"{where} is of {own.name}; {rules.edition} cannot play it: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """Why a system cannot play a file of another, without the words that it would know instead."""
    if isinstance(error, UserError):
        said = str(error).partition("; ")[0].rstrip(".")
        return UNKNOWN.sub(r" has '\1', which is not known there", said)
    return f"its rules cannot go on from there ({type(error).__name__}: {error})"


def _unplayable(error: Exception, where: str | Path, system: str) -> UserError:
    """Where a file sets up what no battle can come to, the rules may fail anywhere: still say which file it was."""
    if isinstance(error, UserError):
        return _named(error, where)
    return UserError(f"{where}: {system} cannot play on from there ({type(error).__name__}: {error}).")


def _named(error: UserError, where: str | Path) -> UserError:
    """An error that says which file it is about."""
    message = str(error)
    return error if message.startswith(str(where)) else UserError(f"{where}: {message}")
