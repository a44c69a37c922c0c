"""From army lists to abilities: who bears which, in the numbering of the battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandtable.armies import ArmyList, Pack
from sandtable.armies.effects import AnyEffect, Characteristic
from sandtable.armies.format import Ability as PackAbility
from sandtable.armies.format import Detachment, Enhancement, ModelKind, PsychicPower, Stratagem
from sandtable.armies.format import Sheet as PackSheet
from sandtable.armies.lists import ListUnit, detachment_of
from sandtable.forty.effects.ability import Ability, DetachmentStratagem, Origin

DAMAGED = "Damaged"
PSYCHIC = ("own psychic",)
"""When powers matter of which nothing else is said."""


def abilities_of(
    army: ArmyList,
    pack: Pack,
    player: int,
    first_unit: int,
    models: Sequence[Sequence[int]],
    wargear: Sequence[Sequence[Sequence[str]]],
    characters: Sequence[Sequence[int]],
    of_faction: Callable[[str, PackSheet], bool] = lambda keyword, sheet: True,
) -> list[Ability]:
    """All abilities that an army brings: `models`, `wargear` and `characters` stand there for each of its units.

    `of_faction` says of the keyword of its faction and a datasheet whether such units have the rules of the faction.
    """
    found = list(_of_army(army, pack, player, models, of_faction))
    detachment = detachment_of(pack, army)
    for i, unit in enumerate(army.units):
        sheet = pack.sheet(unit.sheet)
        if sheet is not None:
            found += _of_sheet(sheet, player, first_unit + i, models[i], wargear[i])
            found += _powers(pack, sheet, player, first_unit + i, models[i])
        enhancement = _enhancement(detachment, unit)
        if enhancement is not None and detachment is not None:
            bearers = tuple(characters[i][:1] or models[i][:1])
            told = _told(enhancement)
            found.append(
                Ability(
                    enhancement.name, detachment.id, first_unit + i, bearers, player, told[0], 0, "enhancement",
                    left_out=told[1], due=enhancement.due, called=sheet.name if sheet else unit.sheet,
                )
            )  # fmt: skip
    return found


def stratagems_of(army: ArmyList, pack: Pack, player: int) -> list[DetachmentStratagem]:
    """The Stratagems of an army's detachment."""
    detachment = detachment_of(pack, army)
    if detachment is None:
        return []
    return [
        DetachmentStratagem(
            s.name, detachment.id, player, s.cp, s.phases, s.turn, told[0], s.needs, told[1], s.until, detachment.name
        )
        for s in detachment.stratagems
        for told in [_told(s)]
    ]


def extra_wounds(sheet: PackSheet, kind: ModelKind, items: Sequence[str], enhancement: Enhancement | None) -> int:
    """The Wounds characteristic of a model with its wargear and enhancement."""
    wounds = kind.stats["W"]
    assert isinstance(wounds, int)
    sources = [a.effects for a in sheet.abilities if a.item is None or a.item in items]
    if enhancement is not None:
        sources.append(enhancement.effects)
    for effect in (e for effects in sources for e in effects):
        if raises_wounds(effect):
            assert isinstance(effect, Characteristic)
            wounds = effect.to if effect.to is not None else wounds + int(effect.add)
    return wounds


def raises_wounds(effect: AnyEffect) -> bool:
    """Whether an effect changes the Wounds characteristic for the whole battle."""
    return (
        isinstance(effect, Characteristic)
        and effect.name == "W"
        and effect.who == "model"
        and effect.divide == effect.multiply == 1
        and isinstance(effect.add, int)
        and not (effect.at or effect.when or effect.bearer or effect.only or effect.weapons)
    )


def enhancement_of(army: ArmyList, pack: Pack, unit: ListUnit) -> Enhancement | None:
    """The Enhancement that a list gives to a unit."""
    return _enhancement(detachment_of(pack, army), unit)


def _enhancement(detachment: Detachment | None, unit: ListUnit) -> Enhancement | None:
    if detachment is None or unit.enhancement is None:
        return None
    return next((e for e in detachment.enhancements if e.name == unit.enhancement), None)


def _of_army(
    army: ArmyList,
    pack: Pack,
    player: int,
    models: Sequence[Sequence[int]],
    of_faction: Callable[[str, PackSheet], bool],
) -> Iterator[Ability]:
    """Rules of the faction, borne by the units that have them, and of the detachment, borne by all."""
    faction, detachment = pack.faction(army.faction), detachment_of(pack, army)
    if faction is not None:
        for rule in faction.rules:
            having = [
                m
                for unit, own in zip(army.units, models, strict=True)
                if (sheet := pack.sheet(unit.sheet)) and rule.name in sheet.faction_rules
                if of_faction(faction.keyword, sheet)
                for m in own
            ]
            if having:
                yield _borne(rule, army.faction, -1, having, player, "faction", faction.name)
    if detachment is not None:
        everybody = [m for own in models for m in own]
        for rule in detachment.rules:
            yield _borne(rule, army.detachment, -1, everybody, player, "detachment", detachment.name)


def _of_sheet(
    sheet: PackSheet, player: int, unit: int, models: Sequence[int], wargear: Sequence[Sequence[str]]
) -> Iterator[Ability]:
    for ability in sheet.abilities:
        having = [m for m, items in zip(models, wargear, strict=True) if ability.item is None or ability.item in items]
        having = list(models) if having and ability.of_unit else having
        if having:
            yield _borne(ability, sheet.id, unit, having, player, "datasheet", sheet.name)
    if sheet.damaged is not None:
        effects, wounds = sheet.damaged.effects, sheet.damaged.wounds
        yield Ability(DAMAGED, sheet.id, unit, tuple(models), player, effects, wounds=wounds, called=sheet.name)


def _powers(pack: Pack, sheet: PackSheet, player: int, unit: int, models: Sequence[int]) -> Iterator[Ability]:
    """The powers that psykers may know, as abilities that work when they are manifested."""
    faction = pack.faction(pack.faction_of(sheet.id))
    if faction is not None and sheet.psyker is not None and sheet.psyker.more:
        for power in faction.powers:
            yield _borne(power, faction.id, unit, models, player, "faction", sheet.name)


def _borne(
    rule: PackAbility, source: str, unit: int, models: Sequence[int], player: int, origin: Origin, called: str
) -> Ability:
    effects, left_out = _told(rule)
    item = rule.item or ""
    due = rule.due or (PSYCHIC if isinstance(rule, PsychicPower) else ())
    return Ability(
        rule.name, source, unit, tuple(models), player, effects, rule.choose, origin, item, 0, left_out, due, called
    )


def _told(rule: PackAbility | Enhancement | Stratagem) -> tuple[tuple[AnyEffect, ...], str]:
    """The effects of a rule, and what it leaves to the players."""
    if not rule.enforced:
        return (), rule.text
    return rule.effects, rule.left_out or ""
