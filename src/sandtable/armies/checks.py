"""Whether a faction of a pack makes sense as a whole: names that refer to something, numbers that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from sandtable.armies.alike import led_alike
from sandtable.armies.characteristics import Printed, is_one_of, printed, problem_of_row, problem_of_stats, unknown
from sandtable.armies.effects import (
    SPARED,
    AnyEffect,
    Characteristic,
    Grant,
    WeaponAbility,
    problem_of_effect,
)
from sandtable.armies.format import (
    MAX_UNIT,
    Ability,
    Enhancement,
    Faction,
    FactionFile,
    ModelKind,
    Option,
    Sheet,
    Stratagem,
    Weapon,
    problem_of_base,
)

NOT_CORE = ("benefit of cover",)
"""What a rule can grant besides the core abilities of datasheets."""


def complete(file: FactionFile) -> FactionFile:
    """The same, each datasheet with the shared weapons that it uses and its faction's keywords."""
    shared = {weapon.name: weapon for weapon in file.weapons}
    sheets = []
    for sheet in file.sheets:
        own = {weapon.name for weapon in sheet.weapons}
        used = [name for name in _carried(sheet) if name in shared and name not in own]
        weapons = sheet.weapons + tuple(shared[name] for name in dict.fromkeys(used))
        keywords = sheet.faction_keywords or (file.faction.keyword,)
        sheets.append(msgspec.structs.replace(sheet, weapons=weapons, faction_keywords=keywords))
    return msgspec.structs.replace(file, sheets=tuple(led_alike(sheets)))


def check_faction(file: FactionFile, system: str) -> list[str]:
    """Everything that is wrong with a completed faction, a sentence each, beginning with the place."""
    table = printed(system)
    problems = list(_faction_problems(file.faction, table))
    problems += [f"weapons: {name} is there twice." for name in _twice(w.name for w in file.weapons)]
    problems += [f"sheets: {id_} is there twice." for id_ in _twice(s.id for s in file.sheets)]
    used = {name for sheet in file.sheets for name in _carried(sheet)}
    problems += [f"weapons: nobody has the {w.name}." for w in file.weapons if w.name not in used]
    ids = {sheet.id for sheet in file.sheets}
    rules = {rule.name for rule in file.faction.rules}
    for sheet in file.sheets:
        problems += [f"{sheet.id}: {problem}." for problem in _sheet_problems(sheet, table, ids, rules)]
    return problems


# --- Factions ---------------------------------------------------------------------------------------------------------


def _faction_problems(faction: Faction, table: Printed) -> Iterator[str]:
    for rule in (*faction.rules, *faction.powers):
        yield from (f"faction, {rule.name}: {p}." for p in rule_problems(rule, table, None))
    if bool(faction.detachments) != table.detachments:
        yield "detachments: " + ("at least one is wanted." if table.detachments else "the system has none.")
    yield from (f"detachments: {id_} is there twice." for id_ in _twice(d.id for d in faction.detachments))
    for detachment in faction.detachments:
        parts: tuple[Ability | Enhancement | Stratagem, ...] = (
            *detachment.rules,
            *detachment.enhancements,
            *detachment.stratagems,
        )
        for name in _twice(part.name for part in parts):
            yield f"{detachment.id}: {name} is there twice."
        for part in parts:
            yield from (f"{detachment.id}, {part.name}: {p}." for p in rule_problems(part, table, None))


def rule_problems(
    rule: Ability | Enhancement | Stratagem, table: Printed, weapons: frozenset[str] | None
) -> Iterator[str]:
    """What is wrong with a rule; `weapons` are those that its effects can name, None for any."""
    if rule.enforced and not rule.effects:
        yield "it has no effects; say 'enforced: false' if none can express it"
    if rule.enforced and rule.unreviewed:
        yield "'unreviewed' effects are for rules with 'enforced: false'"
    if not rule.enforced and (rule.effects or rule.left_out):
        yield "'enforced: false' is for rules without any effect; say what is missing in 'left_out'"
    if not isinstance(rule, Stratagem) and rule.due and rule.enforced and not rule.left_out:
        yield "'due' is for what players apply themselves; with 'enforced: false' or 'left_out'"
    branches = {effect.branch for effect in rule.effects + rule.unreviewed if effect.branch}
    choose = rule.choose if isinstance(rule, Ability) else 0
    if choose and choose >= len(branches):
        yield f"a choice of {choose} needs effects of more than {choose} branches"
    if not choose and branches:
        yield "effects have a branch, but 'choose' is missing"
    yield from _effects_problems(rule.effects + rule.unreviewed, table, weapons)


def _effects_problems(effects: Iterable[AnyEffect], table: Printed, weapons: frozenset[str] | None) -> Iterator[str]:
    for number, effect in enumerate(effects, 1):
        where = f"effect {number}"
        if problem := problem_of_effect(effect):
            yield f"{where}: {problem}"
        match effect:
            case Characteristic():
                if effect.name not in table.names:
                    yield f"{where}: there is no characteristic '{effect.name}'"
            case WeaponAbility():
                if not is_one_of(effect.ability, table.weapon_abilities):
                    yield f"{where}: {unknown('weapon ability', effect.ability, table.weapon_abilities)}"
            case Grant():
                if effect.ability not in NOT_CORE and not is_one_of(effect.ability, table.core):
                    yield f"{where}: {unknown('ability', effect.ability, table.core)}"
        if isinstance(effect, Characteristic | WeaponAbility):
            meant = effect.weapons.partition(SPARED)[0]
            named = meant not in ("", "all", "ranged", "melee")
            if named and weapons is not None and meant.rstrip(" 23") not in weapons:
                yield f"{where}: the sheet has no weapon '{effect.weapons}'"


# --- Datasheets -------------------------------------------------------------------------------------------------------


def _sheet_problems(sheet: Sheet, table: Printed, ids: set[str], rules: set[str]) -> Iterator[str]:
    weapons = frozenset(weapon.name for weapon in sheet.weapons)
    items = weapons | {ability.item for ability in sheet.abilities if ability.item}
    for keyword in sheet.keywords + sheet.faction_keywords:
        if keyword != keyword.upper():
            yield f"keywords are in upper case, not '{keyword}'"
    yield from (f"models: {name} is there twice" for name in _twice(k.name for k in sheet.models))
    for kind in sheet.models:
        yield from (f"models, {kind.name}: {p}" for p in _kind_problems(kind, table, items))
    yield from _size_problems(sheet, table)
    yield from (f"weapons: {name} is there twice" for name in _twice(w.name for w in sheet.weapons))
    for weapon in sheet.weapons:
        yield from (f"weapons, {weapon.name}: {p}" for p in _weapon_problems(weapon, table))
    for name in sheet.core:
        if not is_one_of(name, table.core):
            yield f"core: {unknown('ability', name, table.core)}"
    for name in sheet.faction_rules:
        if name not in rules:
            yield f"faction_rules: the faction has no rule '{name}'"
    yield from (f"abilities: {name} is there twice" for name in _twice(a.name for a in sheet.abilities))
    for ability in sheet.abilities:
        yield from (f"abilities, {ability.name}: {p}" for p in rule_problems(ability, table, weapons))
    for number, option in enumerate(sheet.options, 1):
        yield from (f"options, number {number}: {p}" for p in _option_problems(option, sheet, items))
    carried = items if sheet.loose else set(_carried(sheet))
    yield from (f"weapons: nobody can carry the {name}" for name in sorted(items - carried))
    yield from (f"prices: the sheet has no '{name}'" for name in sheet.prices if name not in items)
    for other in sheet.leads + sheet.leads_beside:
        if other not in ids:
            yield f"leads: the pack has no datasheet '{other}'"
    if sheet.psyker is not None and not table.psykers:
        yield "psyker: the system has no Psychic phase"
    if table.psykers and (sheet.psyker is None) == ("PSYKER" in sheet.keywords):
        yield "psyker: it goes with the keyword PSYKER"
    if sheet.damaged:
        yield from (f"damaged: {p}" for p in _effects_problems(sheet.damaged.effects, table, weapons))


def _kind_problems(kind: ModelKind, table: Printed, items: frozenset[str]) -> Iterator[str]:
    if problem := problem_of_stats(kind.stats, table.models):
        yield f"stats: {problem}"
    if problem := problem_of_base(kind.base):
        yield problem
    yield from (f"chart: {p}" for p in _chart_problems(kind, table))
    if kind.min > kind.max:
        yield f"at least {kind.min} and at most {kind.max} cannot be"
    for item in kind.equipment:
        if item not in items:
            yield f"equipment: the sheet has no weapon and no ability of an item '{item}'"


def _chart_problems(kind: ModelKind, table: Printed) -> Iterator[str]:
    fewer = kind.stats.get("W", 0)
    for row in kind.chart:
        if isinstance(fewer, int) and row.wounds >= fewer:
            yield f"a row for {row.wounds} wounds cannot follow {fewer}"
        fewer = row.wounds
        if not row.stats or "W" in row.stats:
            yield f"the row for {row.wounds} wounds needs characteristics, and Wounds are none of them"
        elif problem := problem_of_row(row.stats, kind.stats, table.models):
            yield problem


def _weapon_problems(weapon: Weapon, table: Printed) -> Iterator[str]:
    if len(weapon.profiles) > 1 and (len({p.name for p in weapon.profiles}) < len(weapon.profiles)):
        yield "its profiles need different names"
    for profile in weapon.profiles:
        if problem := problem_of_stats(profile.stats, table.weapons):
            yield problem
        for ability in profile.abilities:
            if not is_one_of(ability, table.weapon_abilities):
                yield unknown("weapon ability", ability, table.weapon_abilities)


def _size_problems(sheet: Sheet, table: Printed) -> Iterator[str]:
    least, most = sheet.sizes
    if least < 1 or most > MAX_UNIT:
        yield f"a unit has 1 to {MAX_UNIT} models, not {least} to {most}"
    if least > min(size.models for size in sheet.points):
        yield "points: the smallest unit has more models than the smallest price is for"
    if most > sum(kind.max for kind in sheet.models):
        yield f"points: the unit cannot have {most} models"
    models = [(size.copy, size.models) for size in sheet.points]
    if models != sorted(set(models)) and not any(size.of for size in sheet.points):
        yield "points: the sizes go from small to large"
    for size in sheet.points:
        if table.power and (size.points or not size.power):
            yield f"points: the system counts in power, which {size.models} models need"
        if size.of and sum(size.of.values()) != size.models:
            yield f"points: {size.of} is not {size.models} models"
        for name, count in size.of.items():
            kind = sheet.kind(name)
            if kind is None or not kind.min <= count <= kind.max:
                yield f"points: the unit cannot have {count} of '{name}'"


def _option_problems(option: Option, sheet: Sheet, items: frozenset[str]) -> Iterator[str]:
    for name in option.who:
        if sheet.kind(name) is None:
            yield f"there are no models '{name}'"
    for item in (*option.replace, *(item for choice in option.by for item in choice.items)):
        if item not in items:
            yield f"the sheet has no weapon and no ability of an item '{item}'"
    if option.per and not option.count:
        yield "'per' needs a 'count'"


def _carried(sheet: Sheet) -> Iterator[str]:
    """Everything that models of the unit carry, or can carry."""
    for kind in sheet.models:
        yield from kind.equipment
    for option in sheet.options:
        for choice in option.by:
            yield from choice.items


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
