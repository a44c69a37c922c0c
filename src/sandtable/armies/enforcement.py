"""What of a pack the engine enforces, and what it leaves to the players; so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, TypeVar

import msgspec

from sandtable.armies.format import Ability, Enhancement, Stratagem
from sandtable.armies.pack import Pack

Rule: TypeAlias = Ability | Enhancement | Stratagem


class NotEnforced(NamedTuple):
    """A rule, or a part of one, that no effect expresses."""

    where: str
    """Id of the faction, detachment or datasheet."""
    name: str
    what: str
    whole: bool
    """The whole rule is left to the players, not only a part."""


class Share(NamedTuple):
    """How many rules are told as effects."""

    whole: int
    in_part: int
    none: int

    @property
    def total(self) -> int:
        return self.whole + self.in_part + self.none


def rules_of(pack: Pack) -> Iterator[tuple[str, Rule]]:
    """Every rule of factions, detachments and datasheets that is not one of the system's own."""
    for file in pack.files:
        yield from ((file.faction.id, rule) for rule in (*file.faction.rules, *file.faction.powers))
        for detachment in file.faction.detachments:
            yield from ((detachment.id, rule) for rule in detachment.rules)
            yield from ((detachment.id, enhancement) for enhancement in detachment.enhancements)
            yield from ((detachment.id, stratagem) for stratagem in detachment.stratagems)
        for sheet in file.sheets:
            yield from ((sheet.id, ability) for ability in sheet.abilities)


def not_enforced(pack: Pack) -> list[NotEnforced]:
    """What players have to apply themselves."""
    return [
        NotEnforced(where, rule.name, rule.left_out or rule.text, not rule.enforced)
        for where, rule in rules_of(pack)
        if rule.left_out or not rule.enforced
    ]


def share(pack: Pack) -> Share:
    """How many of the rules are told as effects, wholly, in part, or not at all."""
    rules = [rule for _, rule in rules_of(pack)]
    none = sum(not rule.enforced for rule in rules)
    in_part = sum(rule.left_out is not None for rule in rules)
    return Share(len(rules) - none - in_part, in_part, none)


def with_unreviewed(pack: Pack) -> Pack:
    """The pack, where rules that nobody held against print do what they seem to."""
    files = []
    for file in pack.files:
        detachments = tuple(
            msgspec.structs.replace(
                one,
                rules=tuple(map(_trusted, one.rules)),
                enhancements=tuple(map(_trusted, one.enhancements)),
                stratagems=tuple(map(_trusted, one.stratagems)),
            )
            for one in file.faction.detachments
        )
        rules = tuple(map(_trusted, file.faction.rules))
        faction = msgspec.structs.replace(file.faction, rules=rules, detachments=detachments)
        sheets = tuple(
            msgspec.structs.replace(sheet, abilities=tuple(map(_trusted, sheet.abilities))) for sheet in file.sheets
        )
        files.append(msgspec.structs.replace(file, faction=faction, sheets=sheets))
    return Pack(pack.header, tuple(files), pack.lists)


R = TypeVar("R", Ability, Enhancement, Stratagem)


def _trusted(rule: R) -> R:
    if rule.enforced or not rule.unreviewed:
        return rule
    return msgspec.structs.replace(rule, effects=rule.unreviewed, enforced=True, unreviewed=())
