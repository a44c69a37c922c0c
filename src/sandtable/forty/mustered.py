"""What army lists brought to a battle, as the scenario file of a moment holds it, in the battle's own numbering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final

import msgspec

from sandtable.armies.characteristics import printed
from sandtable.armies.checks import rule_problems
from sandtable.armies.format import Ability as PackAbility
from sandtable.battle import Effect, State
from sandtable.errors import UserError, short
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.index import ABILITY, referred
from sandtable.forty.state import Data, Entry, World40
from sandtable.kit.written import plain

MOST_EFFECTS: Final = 40
MOST: Final = 400
"""So many abilities, Stratagems or effects a file holds at most."""
MOST_COST: Final = 20
SHOWN: Final = 60
WHERE: Final = "extra.mustered"

Limit = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Abilities = Annotated[tuple[Ability, ...], msgspec.Meta(max_length=MOST)]
Stratagems = Annotated[tuple[DetachmentStratagem, ...], msgspec.Meta(max_length=MOST)]
Effects = Annotated[tuple[Effect, ...], msgspec.Meta(max_length=MOST)]


class Mustered(msgspec.Struct, forbid_unknown_fields=True):
    """Armies as they were mustered, and what works for a while. Units and models are named by their numbers."""

    roster: tuple[Entry, ...] = ()
    """An entry for each unit of the file, as they were before Leaders joined; none where no list was brought."""
    limit: Limit = 0
    """Points of each army at this battle size."""
    abilities: Abilities = ()
    stratagems: Stratagems = ()
    effects: Effects = ()
    """What abilities and Stratagems have set off."""


def mustered(w: World40) -> dict[str, Any]:
    """What the armies of a battle brought, and what works in it for a while."""
    data = w.setup.data
    roster = tuple([entry if _is_open(w, i) else _without_plans(entry) for i, entry in enumerate(data.roster)])
    found: dict[str, Any] = plain(Mustered(roster, data.limit, data.abilities, data.stratagems, tuple(w.state.effects)))
    return found


def _is_open(w: World40, unit: int) -> bool:
    """Whether everybody who sees this knows what a list plans with a unit: before the battle, only its player does."""
    return bool(w.state.round) or getattr(w, "player_id", w.unit(unit).player) == w.unit(unit).player


def _without_plans(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, attach=-1, embark=-1, reserves=False)


def check_mustered(system: str, data: Data, state: State[Any, Any, Any], effects: Sequence[Effect]) -> None:
    """Refuse what names a unit, a model or a player that is not there, or an effect that no rule knows."""
    for where, problem in _problems(system, data, state, effects):
        raise UserError(f"{WHERE}.{where}: {problem}.")


def _problems(
    system: str, data: Data, state: State[Any, Any, Any], effects: Sequence[Effect]
) -> Iterator[tuple[str, str]]:
    units, models, players = len(state.units), len(data.kits), len(state.players)
    if len(data.roster) not in (0, units):
        yield "roster", f"it has one entry for each unit, {units} in all, not {len(data.roster)}"
    for i, (entry, unit) in enumerate(zip(data.roster, state.units, strict=False)):
        own = len(unit.models) - len(unit.leader)
        if entry.models != own:
            yield f"roster[{i}]", f"{short(unit.name, SHOWN)} has {own} models, not {entry.models}"
        if i in (*entry.leads, *entry.beside, entry.attach, entry.embark):
            yield f"roster[{i}]", f"{short(unit.name, SHOWN)} can neither lead nor carry itself"
        named = (*entry.leads, *entry.beside, entry.attach, entry.embark)
        yield from _named(f"roster[{i}]", "unit", named, units)
        yield from _named(f"roster[{i}]", "model", (entry.warlord,), models)
    rules: list[tuple[str, Ability | DetachmentStratagem]] = [
        *((f"abilities[{i}]", ability) for i, ability in enumerate(data.abilities)),
        *((f"stratagems[{i}]", card) for i, card in enumerate(data.stratagems)),
    ]
    for place, rule in rules:
        where = f"{place} ({short(rule.name, SHOWN)})"
        if not 0 <= rule.player < players:
            yield where, f"there is no player {rule.player}"
        if isinstance(rule, Ability):
            yield from _named(where, "unit", (rule.unit,), units)
            yield from _named(where, "model", rule.models, models, least=0)
        elif not 0 <= rule.cp <= MOST_COST:
            yield where, f"it costs 0 to {MOST_COST}CP, not {rule.cp}"
        if len(rule.effects) > MOST_EFFECTS:
            yield where, f"it has at most {MOST_EFFECTS} effects, not {len(rule.effects)}"
        if rule.effects:
            as_printed = PackAbility(rule.name, rule.name, rule.effects, getattr(rule, "choose", 0))
            yield from ((where, problem) for problem in rule_problems(as_printed, printed(system), None))
    for i, effect in enumerate(effects):
        yield from _named(f"effects[{i}]", "unit", (effect.unit,), units)
        if effect.kind == ABILITY and not _is_reference(data, effect.value):
            yield f"effects[{i}]", f"'{short(str(effect.value), SHOWN)}' is no effect of an ability, such as 3/0"
        if effect.kind != ABILITY and not (isinstance(effect.value, int) and -models <= effect.value <= max(6, models)):
            yield f"effects[{i}]", f"the value of {short(effect.kind, SHOWN)} is a small number"


def _named(where: str, what: str, numbers: Iterable[int], count: int, *, least: int = -1) -> Iterator[tuple[str, str]]:
    """Numbers of units or models that are not there; -1 is for none, where that may be."""
    none = "" if least == 0 else ", and -1 for none"
    for number in numbers:
        if not least <= number < count:
            yield where, f"there is no {what} {number}; they are 0 to {count - 1}{none}"


def _is_reference(data: Data, value: object) -> bool:
    """Whether a value names an effect of an ability that was brought."""
    try:
        ability, number, _ = referred(data, str(value))
    except (ValueError, IndexError):
        return False
    return ability >= 0 and number >= 0
