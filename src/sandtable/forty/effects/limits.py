"""How often an ability may be used: once in a phase, turn, round or battle, once at any one moment, once on a unit.

A player's `spent` holds one text for each use, with the time for which it counts before a bar.
"""

from __future__ import annotations

from typing import TypeAlias

from sandtable.armies.effects import AnyEffect
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.occasions import Occasion, Use, at_moment
from sandtable.forty.state import Battle40, World40

Source: TypeAlias = Ability | DetachmentStratagem


def limit_of(ability: Ability, at: str, branch: str) -> AnyEffect | None:
    """The effect that limits how often the ability is used."""
    return next((e for _, e in at_moment(ability, at, branch) if e.once), None)


def _key(w: World40, use: Use, at: str) -> tuple[str, int]:
    """What is counted for a limited use, and how many uses there are."""
    ability = w.setup.data.abilities[use.ability]
    limit = limit_of(ability, at, use.branch)
    if limit is None:
        return "", 0
    which = ability.name if limit.shared else f"{use.ability}@{use.bearer}"
    key = f"{limit.once}|{which}/{use.branch}"
    return key, pieces(w, ability) if ability.item and not limit.shared else times(ability, limit)


def times(ability: Ability, limit: AnyEffect) -> int:
    """How often an ability without pieces of wargear can be used: once, or more often the larger the unit began."""
    return limit.uses * (len(ability.models) // limit.per if limit.per else 1)


def pieces(w: World40, ability: Ability) -> int:
    """How many pieces of wargear give an ability: each of them can be used so often."""
    roster = w.setup.data.roster
    if not roster or ability.unit < 0:
        return len(ability.models)
    return sum(items.count(ability.item) for items in roster[ability.unit].wargear)


def is_left(w: World40, use: Use, occasion: Occasion) -> bool:
    """Whether an ability has uses left, and was not used at this very moment."""
    ability = w.setup.data.abilities[use.ability]
    spent: tuple[str, ...] = w.player(ability.player).spent
    key, most = _key(w, use, occasion.at)
    if key and spent.count(key) >= most:
        return False
    return bool(spent.count(_now(w, use, occasion)) < max(1, ability.choose))


def _now(w: World40, use: Use, occasion: Occasion) -> str:
    """What stands for a use at this very moment; models fall and Stratagems come, each at a moment of its own."""
    if occasion.at in ("targeted", "slain"):
        return ""
    by = occasion.fallen[0] if occasion.at in ("death_phase_end", "slew") else occasion.by
    if occasion.at == "enemy_moved":
        by = _whereabouts(w, occasion.unit)
    return f"phase|{use.ability}@{use.bearer}@{occasion.at}@{occasion.unit}@{by}"


def _whereabouts(w: World40, unit: int) -> int:
    """A number that changes with each move of a unit, of which it may make several in a phase, and with no loss."""
    return int(w.state.models.pos[list(w.unit(unit).models)].sum())


def _done_to(source: Source, effect: AnyEffect, unit: int, occasion: Occasion) -> str:
    """What stands for something that was done to a unit at this moment, whoever of several bearers did it."""
    when = ",".join(effect.when)
    return f"phase|{source.name}>{unit}@{occasion.at}@{occasion.unit}@{occasion.by}@{when}"


def is_done(w: World40, source: Source, effect: AnyEffect, unit: int, occasion: Occasion) -> bool:
    """Whether an ability of this name did it to a unit at this moment already, and does it once."""
    return effect.fresh and _done_to(source, effect, unit, occasion) in w.player(source.player).spent


def note_done(b: Battle40, source: Source, effect: AnyEffect, unit: int, occasion: Occasion) -> None:
    """Remember to whom it was done, where several bearers do it once."""
    if effect.fresh:
        player = b.player(source.player)
        b.set_player(player, spent=(*player.spent, _done_to(source, effect, unit, occasion)))


def spend(b: Battle40, use: Use, occasion: Occasion) -> None:
    """Remember a use."""
    player = b.player(b.setup.data.abilities[use.ability].player)
    key, _ = _key(b, use, occasion.at)
    more = tuple(k for k in (key, _now(b, use, occasion)) if k)
    if more:
        b.set_player(player, spent=(*player.spent, *more))


def forget_uses(b: Battle40, time: str) -> None:
    """With the end of a phase, turn or round, abilities that can be used once in it can be used again."""
    for p in b.state.players:
        kept = tuple(use for use in p.spent if not use.startswith(f"{time}|"))
        if len(kept) != len(p.spent):
            b.set_player(p, spent=kept)
