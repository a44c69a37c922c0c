"""Aiming: which weapon of which model may be fired at which unit.

What may be fired, and at whom, is the edition's; here it is asked of every weapon, once for all that are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import PLACES, PLACES_OF_THESE, SETUP, kept
from sandtable.battle.verdict import all_reasons
from sandtable.forty.effects.attack_rolls import looks_at_half_range
from sandtable.forty.effects.weapons import Changes, all_armed, armed, changes_to_weapons, key_of, kind_of
from sandtable.forty.sheets import names_in
from sandtable.forty.state import Unit, World40, sheet_of
from sandtable.kit.grammar import does
from sandtable.table.grid import Bools, steps


class Item(NamedTuple):
    """A ranged weapon of a model."""

    name: str
    kind: tuple[int, ...]
    """The datasheet and the rows of the profiles on it: equal for weapons of the same kind."""
    profiles: tuple[Any, ...]


class Gun(NamedTuple):
    """A weapon in the hands of one model: its profiles, and the targets that each of them may be fired at."""

    model: int
    row: int
    """The model's place among those of its unit on the table."""
    item: str
    kind: tuple[int, ...]
    profiles: tuple[Any, ...]
    targets: tuple[tuple[int, ...], ...]
    """For each profile."""

    @property
    def anything(self) -> bool:
        return any(self.targets)


class AimRules(NamedTuple):
    """The rules that questions and refusals cite."""

    targets: str
    """Who may be fired at."""
    declared: tuple[str, ...]
    """What is said before anything is fired, beside that."""
    ranged: str
    """What is fired at all."""
    only: str
    """By which a unit fires at one enemy alone."""


class Aiming(NamedTuple):
    """The seam: what an edition says about weapons that are fired."""

    rules: AimRules
    usable: Callable[[Any, int, Any], bool]
    """(world, model, profile): whether a model can ever fire it."""
    is_target: Callable[[Any, Any, Any], Verdict]
    """(world, unit, enemy): whether the unit may fire at an enemy unit, whatever it fires."""
    fits: Callable[[Any, Any, Any, Any], Verdict]
    """(world, unit, profile, enemy): whether it may be fired at an enemy unit, wherever the models stand."""
    reach: Callable[[Any, Any, Any, Any], Bools]
    """(world, unit, profile, enemy): for each model of the unit, whether it has the enemy in reach and in sight."""
    beyond: Callable[[Any, Any, Any, Any], Verdict]
    """(world, unit, profile, enemy): why no model has."""
    depends: Callable[[Any, Any], Hashable]
    """(world, unit): what these answers depend on, beside where models stand and what changes weapons."""
    sort: Callable[[Any], str]
    """(profile): the sort that it is of, such as Pistols; "" for most. Most models fire only one sort at a time."""
    count: Callable[[Sequence[Gun]], int]
    """(guns of a row): how much there is to assign."""
    shot_at: Callable[[Any, Any, Any, bool], Any]
    """(world, unit, target, in Overwatch): a shot that nobody fires yet, with what is true of all at that target."""
    fire: Callable[[Any, Any, int, int, Any, Any], Any]
    """(world, unit, row, model, profile, that shot): who fires what."""
    together: Callable[[Any, Any, Any, Any], Verdict]
    """(world, unit, rows of guns, assignments): whether they can be fired together."""
    lends: Callable[[Any, Any, Item], bool] = lambda w, unit, item: True
    """(world, unit aboard, weapon): whether a passenger may lend it to its transport"""
    lent: Callable[[Any, Any], tuple[Item, ...]] = lambda w, unit: ()
    """(world, unit): weapons that it has from others while it shoots."""
    free_hands: Callable[[Any, int], bool] = lambda w, model: False
    """(world, model): whether this one fires weapons of all sorts together."""
    endangers: Callable[[Any], bool] = lambda weapon: False
    """(profile): whether it may harm who fires it."""


def aiming_of(w: World40) -> Aiming:
    """What the edition of a battle says about weapons that are fired."""
    return w.system.seam(Aiming)


# --- What a unit carries ----------------------------------------------------------------------------------------------


@kept(SETUP)
def guns_carried(w: World40, model: int) -> tuple[Item, ...]:
    """The ranged weapons of a model, each with its profiles."""
    usable, kit, found = aiming_of(w).usable, w.setup.data.kits[model], dict[str, list[int]]()
    sheet = sheet_of(w, model)
    for i in kit.weapons:
        weapon = sheet.weapons[i]
        if usable(w, model, weapon):
            found.setdefault(weapon.item, []).append(i)
    return tuple(Item(name, (kit.sheet, *rows), tuple(sheet.weapons[i] for i in rows)) for name, rows in found.items())


def in_hand(w: World40, model: int, changes: Changes) -> tuple[Item, ...]:
    """The same, with what abilities change about the weapons of its unit, and without those that are emptied."""
    if changes:
        items = _changed(w, model, (-1, *kind_of(w, model, changes)))
    else:
        items = guns_carried(w, model)
    if emptied := w.unit(int(w.state.models.unit[model])).emptied:
        return tuple(item for item in items if (model, item.name) not in emptied)
    return items


@kept(SETUP)
def _changed(w: World40, model: int, kind: tuple[int, ...]) -> tuple[Item, ...]:
    changes = changes_to_weapons(w, w.unit(int(w.state.models.unit[model])))
    return tuple(
        Item(item.name, item.kind + kind, tuple(armed(w, model, p, changes) for p in item.profiles))
        for item in guns_carried(w, model)
    )


def unit_weapons(w: World40, unit: Unit) -> tuple[Any, ...]:
    """The weapon profiles in a unit, ranged and melee, each once."""
    return _unit_weapons(w, unit, key_of(changes_to_weapons(w, unit)))


@kept(PLACES_OF_THESE)
def _unit_weapons(w: World40, unit: Unit, changed: tuple[tuple[int, int], ...]) -> tuple[Any, ...]:
    kits = w.setup.data.kits
    kinds = {(kits[m].sheet, i): w.setup.data.sheets[kits[m].sheet].weapons[i]
             for m in map(int, w.on_table(unit)) for i in kits[m].weapons}  # fmt: skip
    if not changed:
        return tuple(kinds.values())
    changes = changes_to_weapons(w, unit)
    found = dict.fromkeys(all_armed(w, m, changes) for m in map(int, w.on_table(unit)))
    return tuple(dict.fromkeys(weapon for weapons in found for weapon in weapons))


# --- Who may be fired at ----------------------------------------------------------------------------------------------


def _depends(w: World40, unit: Unit) -> Hashable:
    return aiming_of(w).depends(w, unit), unit.lent, unit.emptied, unit.last_stand


def half_range_counts(asking: frozenset[str], w: World40, unit: Any, weapon: Any) -> bool:
    """Whether half range makes a difference, by an ability of the weapon that is `asking` for it or by one of the unit.

    It is looked at only then, so that all others can be rolled together.
    """
    return not asking.isdisjoint(names_in(weapon.abilities)) or looks_at_half_range(w, unit)


def within_half_range(w: World40, unit: Any, row: int, weapon: Any, target: Any) -> bool:
    """Whether the model in this row of a unit's distances has a target within half the range of its weapon."""
    return bool(w.distances(unit, target)[row].min() * 2 <= steps(weapon.range))


def guns_of(w: World40, unit: Unit, only: int = -1) -> list[Gun]:
    """Every ranged weapon of a unit with the targets that it may be fired at."""
    return _guns_of(w, unit, only, _depends(w, unit), key_of(changes_to_weapons(w, unit)))


@kept(PLACES)
def _guns_of(w: World40, unit: Unit, only: int, depends: Hashable, changed: tuple[tuple[int, int], ...]) -> list[Gun]:
    changes = changes_to_weapons(w, unit)
    aiming = aiming_of(w)
    borrowed = aiming.lent(w, unit)
    profiles = (*unit_weapons(w, unit), *(p for item in borrowed for p in item.profiles))
    enemies = _enemies_within(w, aiming, unit, only, max((p.range for p in profiles), default=0))
    reached: dict[tuple[int, ...], list[list[tuple[int, Bools]]]] = {}
    guns = []
    for row, m in enumerate(w.on_table(unit)):
        if unit.last_stand and m not in unit.last_stand:
            continue
        for item in (*in_hand(w, int(m), changes), *(borrowed if row == 0 else ())):
            if item.kind not in reached:
                reached[item.kind] = [_reached(w, aiming, unit, profile, enemies) for profile in item.profiles]
            targets = tuple(tuple(e for e, rows in found if rows[row]) for found in reached[item.kind])
            guns.append(Gun(int(m), row, item.name, item.kind, item.profiles, targets))
    return guns


def has_any_target(w: World40, unit: Unit) -> bool:
    """Whether any gun of a unit may be fired at anybody: the nearest enemies are looked at first, and one is enough."""
    if unit.lent or unit.last_stand:
        return any(g.anything for g in guns_of(w, unit))
    return _has_any_target(w, unit, _depends(w, unit), key_of(changes_to_weapons(w, unit)))


@kept(PLACES)
def _has_any_target(w: World40, unit: Unit, depends: Hashable, changed: tuple[tuple[int, int], ...]) -> bool:
    aiming, changes = aiming_of(w), changes_to_weapons(w, unit)
    bearers = _bearers(w, unit, changes) if changes else _usual_bearers(w, unit, unit.emptied)
    reach = steps(max((p.range for item, _ in bearers for p in item.profiles), default=0))
    return any(
        _has_target(w, aiming, unit, item, e, rows)
        for e in _about_the_nearest_first(w, unit)
        if w.distance(unit, e) <= reach and aiming.is_target(w, unit, e)
        for item, rows in bearers
    )


@kept(PLACES_OF_THESE)
def _usual_bearers(w: World40, unit: Unit, emptied: Hashable) -> list[tuple[Item, list[int]]]:
    return _bearers(w, unit, ())


def _bearers(w: World40, unit: Unit, changes: Changes) -> list[tuple[Item, list[int]]]:
    """One weapon of each kind in a unit, with the places of those who have it among the models on the table."""
    found: dict[tuple[int, ...], tuple[Item, list[int]]] = {}
    for row, m in enumerate(w.on_table(unit).tolist()):
        for item in in_hand(w, m, changes):
            found.setdefault(item.kind, (item, []))[1].append(row)
    return list(found.values())


def _about_the_nearest_first(w: World40, unit: Unit) -> list[Any]:
    """The enemies by where a model of each stands, or stood last: measuring all of them would take longer."""
    pos, enemies = w.state.models.pos, [e for e in w.enemies_of(unit.player) if e.models]
    off = pos[[e.models[0] for e in enemies], :2] - pos[unit.models[0], :2]
    return [enemies[k] for k in np.argsort((off * off).sum(axis=1), kind="stable").tolist()]


def _has_target(w: World40, aiming: Aiming, unit: Unit, item: Item, enemy: Unit, bearers: list[int]) -> bool:
    found = (rows for p in item.profiles for _, rows in _reached(w, aiming, unit, p, [enemy]))
    return any(bool(rows[bearers].any()) for rows in found)


def could_fire(w: World40, unit: Unit, item: Item, only: int = -1) -> bool:
    """Whether a weapon would have a target if a unit had it."""
    return _could_fire(w, unit, item, only, aiming_of(w).depends(w, unit))


@kept(PLACES)
def _could_fire(w: World40, unit: Unit, item: Item, only: int, depends: Hashable) -> bool:
    aiming = aiming_of(w)
    return any(_reached(w, aiming, unit, p, _enemies_within(w, aiming, unit, only, p.range)) for p in item.profiles)


def _enemies_within(w: World40, aiming: Aiming, unit: Unit, only: int, reach: int) -> list[Any]:
    return [
        e
        for e in w.enemies_of(unit.player)
        if only in (-1, e.id)
        and w.is_on_table(e)
        and w.distance(unit, e) <= steps(reach)
        and aiming.is_target(w, unit, e)
    ]


def _reached(w: World40, aiming: Aiming, unit: Unit, weapon: Any, enemies: list[Any]) -> list[tuple[int, Bools]]:
    """The enemies that a profile may be fired at, and which models of the unit reach them."""
    found = []
    for e in enemies:
        if aiming.fits(w, unit, weapon, e):
            rows = aiming.reach(w, unit, weapon, e)
            if rows.any():
                found.append((e.id, rows if rows.ndim else np.full(len(w.on_table(unit)), rows)))
    return found


# --- Why not ----------------------------------------------------------------------------------------------------------


def why_not_at(w: World40, unit: Unit, enemy: Unit) -> Verdict:
    """Why no weapon of a unit may be fired at another unit."""
    if not (verdict := why_no_target(w, unit, enemy)):
        return verdict
    changes = changes_to_weapons(w, unit)
    profiles = [p for m in w.on_table(unit) for item in in_hand(w, int(m), changes) for p in item.profiles]
    return why_not_fired_at(w, unit, profiles, enemy)


def why_no_target(w: World40, unit: Unit, enemy: Unit) -> Verdict:
    """Why a unit may not fire at another one, whatever it fires."""
    aiming = aiming_of(w)
    if not w.are_enemies(unit, enemy) or not w.is_on_table(enemy):
        return refuse(f"{does(enemy, 'is')} no enemy unit on the battlefield.", aiming.rules.targets)
    return aiming.is_target(w, unit, enemy)


def why_not_fired_at(w: World40, unit: Unit, profiles: Iterable[Any], enemy: Unit) -> Verdict:
    """Why none of some profiles may be fired at an enemy unit, each reason once."""
    refusals: list[Verdict] = []
    for profile in dict.fromkeys(profiles):
        if verdict := _why_not(w, aiming_of(w), unit, profile, enemy):
            return ALLOWED
        if verdict not in refusals:
            refusals.append(verdict)
    if refusals:
        return all_reasons(*refusals)
    return refuse(f"{does(unit, 'has')} no ranged weapon.", aiming_of(w).rules.ranged)


def _why_not(w: World40, aiming: Aiming, unit: Unit, weapon: Any, enemy: Unit) -> Verdict:
    verdict = aiming.fits(w, unit, weapon, enemy)
    if not verdict or np.any(aiming.reach(w, unit, weapon, enemy)):
        return verdict
    return aiming.beyond(w, unit, weapon, enemy)


def out_of_range(w: World40, unit: Unit, weapon: Any, enemy: Unit, rule: str) -> Verdict:
    """The refusal of a target that is too far off."""
    far = round(w.distance(unit, enemy) / steps(1), 2)
    return refuse(f"{does(enemy, 'is')} out of range of {weapon.name}.", rule, distance=far, range=weapon.range)


def out_of_sight(w: World40, weapon: Any, enemy: Unit, rule: str) -> Verdict:
    """The refusal of a target that nobody sees who has it in range."""
    return refuse(f"Nobody with {weapon.name} sees a model of {enemy.name} that is in range.", rule)
