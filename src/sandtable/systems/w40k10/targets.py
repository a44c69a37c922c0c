"""Selecting targets: which weapon of which model may be fired at which unit, and if not, why not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec
import numpy as np

from sandtable.armies.effects import Grant
from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.verdict import all_reasons
from sandtable.forty.effects.attack_rolls import looks_at_half_range
from sandtable.forty.effects.core_abilities import granted_by
from sandtable.forty.effects.permissions import allows
from sandtable.forty.effects.weapons import Changes, all_armed, armed, changes_to_weapons, key_of, kind_of
from sandtable.forty.state import is_attached
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, weapons
from sandtable.systems.w40k10.attacks import is_big, precise_targets
from sandtable.systems.w40k10.concepts import RUINS, engaged, engaged_enemies, is_engaged, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.datasheet_abilities import has_core
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import ADVANCE, Data, Unit, World10, sheet_of
from sandtable.systems.w40k10.visibility import WHOLLY, visible, within_areas
from sandtable.table.grid import Bools, Floats, steps

LONE_OPERATIVE: Final = "lone operative"
LONE_OPERATIVE_RANGE: Final = steps(12)
PLUNGING_HEIGHT: Final = steps(6)


class Gun(NamedTuple):
    """A weapon in the hands of one model: its profiles, and the targets that each of them may be fired at."""

    model: int
    row: int
    """The model's place among those of its unit on the table."""
    item: str
    kind: tuple[int, ...]
    """The datasheet and the rows of the profiles on it: equal for guns of the same kind."""
    profiles: tuple[Weapon, ...]
    targets: tuple[tuple[int, ...], ...]
    """For each profile."""

    @property
    def anything(self) -> bool:
        return any(self.targets)


# --- What a unit carries ----------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """A ranged weapon of a model."""

    name: str
    kind: tuple[int, ...]
    profiles: tuple[Weapon, ...]


def carried(w: World10, model: int) -> tuple[Item, ...]:
    """The ranged weapons of a model, each with its profiles."""
    return w.fixed(("carried", model), lambda: _carried(w, model))


def _carried(w: World10, model: int) -> tuple[Item, ...]:
    kit, found = w.setup.data.kits[model], dict[str, list[int]]()
    sheet = sheet_of(w, model)
    for i in kit.weapons:
        weapon = sheet.weapons[i]
        if can_be_fired(weapon) and may_use(w, model, weapon):
            found.setdefault(weapon.item, []).append(i)
    return tuple(Item(name, (kit.sheet, *rows), tuple(sheet.weapons[i] for i in rows)) for name, rows in found.items())


def in_hand(w: World10, model: int, changes: Changes) -> tuple[Item, ...]:
    """The same, with what abilities change about the weapons of its unit, and without those that are emptied."""
    if changes:
        kind = (-1, *kind_of(w, model, changes))
        items = w.fixed(("in_hand", model, kind), lambda: _changed(w, model, changes, kind))
    else:
        items = carried(w, model)
    if emptied := w.unit(int(w.state.models.unit[model])).emptied:
        return tuple(item for item in items if (model, item.name) not in emptied)
    return items


def _changed(w: World10, model: int, changes: Changes, kind: tuple[int, ...]) -> tuple[Item, ...]:
    return tuple(
        Item(item.name, item.kind + kind, tuple(armed(w, model, p, changes) for p in item.profiles))
        for item in carried(w, model)
    )


@rule("w40k10.datasheet.weapon_profile", neutral=True)
def can_be_fired(weapon: Weapon) -> bool:
    """Melee weapons do not shoot."""
    return not weapon.is_melee


@rule("w40k10.ability.psychic", neutral=True)
def may_use(w: World10, model: int, weapon: Weapon) -> bool:
    """Psychic weapons are for PSYKERS."""
    return not weapons.is_psychic(weapon) or model_has_keyword(w, model, "PSYKER")


@rule("w40k10.transport.firing_deck", neutral=())
def lent(w: World10, unit: Unit) -> tuple[Item, ...]:
    """The weapons that a transport has from its passengers while it shoots."""
    return tuple(item for model, name in unit.lent for item in carried(w, model) if item.name == name)


def unit_weapons(w: World10, unit: Unit) -> tuple[Weapon, ...]:
    """The weapon profiles in a unit, each once."""
    changes = changes_to_weapons(w, unit)

    def look() -> tuple[Weapon, ...]:
        kits = w.setup.data.kits
        kinds = {(kits[m].sheet, i): w.setup.data.sheets[kits[m].sheet].weapons[i]
                 for m in map(int, w.on_table(unit)) for i in kits[m].weapons}  # fmt: skip
        if not changes:
            return tuple(kinds.values())
        found = dict.fromkeys(all_armed(w, m, changes) for m in map(int, w.on_table(unit)))
        return tuple(dict.fromkeys(weapon for weapons in found for weapon in weapons))

    return w.standing(("unit_weapons", unit.id, key_of(changes)), look, unit.id)


# --- Who may be fired at ----------------------------------------------------------------------------------------------


def guns_of(w: World10, unit: Unit, only: int = -1) -> list[Gun]:
    """Every ranged weapon of a unit with the targets that it may be fired at."""
    changes = changes_to_weapons(w, unit)
    state = (unit.moved, unit.lent, unit.emptied, unit.last_stand, fires_on_the_run(w, unit), made_alone(w))
    return w.cached(("guns", unit.id, only, state, key_of(changes)), lambda: _guns_of(w, unit, only, changes))


def has_any_target(w: World10, unit: Unit) -> bool:
    """Whether any gun of a unit may be fired at anybody: the nearest enemies are looked at first, and one is enough."""
    changes = changes_to_weapons(w, unit)
    if unit.lent or unit.last_stand:
        return any(g.anything for g in guns_of(w, unit))

    def look() -> tuple[bool]:
        items = {i.kind: i for m in map(int, w.on_table(unit)) for i in in_hand(w, m, changes)}
        reach = max((p.range for i in items.values() for p in i.profiles), default=0)
        enemies = sorted(_enemies_within(w, unit, -1, reach), key=lambda e: (w.distance(unit, e), e.id))
        return (any(_has_target(w, unit, item, e, changes) for e in enemies for item in items.values()),)

    state = (unit.moved, unit.emptied, fires_on_the_run(w, unit), made_alone(w))
    return w.cached(("has_any_target", unit.id, state, key_of(changes)), look)[0]


def _has_target(w: World10, unit: Unit, item: Item, enemy: Unit, changes: Changes) -> bool:
    for profile in item.profiles:
        for _, rows in _reached(w, unit, profile, [enemy]):
            bearers = [any(i.kind == item.kind for i in in_hand(w, int(m), changes)) for m in w.on_table(unit)]
            if bool((rows & np.array(bearers, dtype=np.bool_)).any()):
                return True
    return False


def _guns_of(w: World10, unit: Unit, only: int, changes: Changes) -> list[Gun]:
    borrowed = lent(w, unit)
    profiles = (*unit_weapons(w, unit), *(p for item in borrowed for p in item.profiles))
    enemies = _enemies_within(w, unit, only, max((p.range for p in profiles), default=0))
    reached: dict[tuple[int, ...], list[list[tuple[int, Bools]]]] = {}
    guns = []
    for row, m in enumerate(w.on_table(unit)):
        if unit.last_stand and m not in unit.last_stand:
            continue
        for item in (*in_hand(w, int(m), changes), *(borrowed if row == 0 else ())):
            if item.kind not in reached:
                reached[item.kind] = [_reached(w, unit, profile, enemies) for profile in item.profiles]
            targets = tuple(tuple(e for e, rows in found if rows[row]) for found in reached[item.kind])
            guns.append(Gun(int(m), row, item.name, item.kind, item.profiles, targets))
    return guns


def _enemies_within(w: World10, unit: Unit, only: int, reach: int) -> list[Unit]:
    return [
        e
        for e in w.enemies_of(unit.player)
        if only in (-1, e.id)
        and w.is_on_table(e)
        and w.distance(unit, e) <= steps(reach)
        and not_in_our_melee(w, unit, e)
    ]


def could_fire(w: World10, unit: Unit, item: Item, only: int = -1) -> bool:
    """Whether a weapon would have a target if a unit had it."""

    def look() -> tuple[bool]:
        return (any(_reached(w, unit, p, _enemies_within(w, unit, only, p.range)) for p in item.profiles),)

    state = (unit.moved, fires_on_the_run(w, unit), made_alone(w))
    return w.cached(("could_fire", unit.id, item.kind, only, state), look)[0]


def _reached(w: World10, unit: Unit, weapon: Weapon, enemies: list[Unit]) -> list[tuple[int, Bools]]:
    """The enemies that a profile may be fired at, and which models of the unit reach them."""
    found = []
    for e in enemies:
        if fits(w, unit, weapon, e):
            rows = np.logical_and(close_enough(w, unit, e), _reach_of(w, unit, weapon, e))
            if rows.any():
                found.append((e.id, rows if rows.ndim else np.full(len(w.on_table(unit)), rows)))
    return found


def _reach_of(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """The same for all weapons of one Range, as long as everybody stands where they do."""
    key = ("reach_of", unit.id, enemy.id, weapon.range, weapons.indirect(weapon))
    return w.cached(key, lambda: in_range_and_sight(w, unit, weapon, enemy))


def fits(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Whether a unit may use a profile on an enemy unit, wherever its models stand."""
    return (
        fits_the_turn(w, unit, weapon)
        and fits_the_melee(w, unit, weapon, enemy)
        and blast_is_clear(w, unit, weapon, enemy)
    )


def why_not_at(w: World10, unit: Unit, enemy: Unit) -> Verdict:
    """Why no weapon of a unit may be fired at another unit."""
    if not w.are_enemies(unit, enemy) or not w.is_on_table(enemy):
        return refuse(f"{does(enemy, 'is')} no enemy unit on the battlefield.", "w40k10.shoot.select_targets")
    if not not_in_our_melee(w, unit, enemy):
        return not_in_our_melee(w, unit, enemy)
    changes = changes_to_weapons(w, unit)
    profiles = [p for m in w.on_table(unit) for item in in_hand(w, int(m), changes) for p in item.profiles]
    return why_not_fired_at(w, unit, profiles, enemy)


def why_not_fired_at(w: World10, unit: Unit, profiles: Iterable[Weapon], enemy: Unit) -> Verdict:
    """Why none of some profiles may be fired at an enemy unit."""
    refusals: list[Verdict] = []
    for profile in dict.fromkeys(profiles):
        verdict = _why_not(w, unit, profile, enemy)
        if verdict:
            return ALLOWED
        if verdict not in refusals:
            refusals.append(verdict)
    if refusals:
        return all_reasons(*refusals)
    return refuse(f"{does(unit, 'has')} no ranged weapon.", "w40k10.datasheet.weapon_profile")


def _why_not(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    verdict = fits(w, unit, weapon, enemy)
    if not verdict:
        return verdict
    if not np.any(close_enough(w, unit, enemy)):
        return refuse(f'{does(enemy, "is")} targeted from within 12" only.', "w40k10.ability.lone_operative")
    far = w.distance(unit, enemy)
    if not np.any(in_range(w.distances(unit, enemy), weapon.range)):
        return refuse(
            f"{does(enemy, 'is')} out of range of {weapon.name}.",
            "w40k10.shoot.range",
            distance=round(far / steps(1), 2),
            range=weapon.range,
        )
    if not np.any(in_range_and_sight(w, unit, weapon, enemy)):
        return refuse(
            f"Nobody with {weapon.name} sees a model of {enemy.name} that is in range.", "w40k10.shoot.select_targets"
        )
    return ALLOWED


def caught(w: World10, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy unit is engaged with any unit of the own army."""
    return any(not w.are_enemies(unit, e) for e in engaged_enemies(w, enemy))


@rule(
    "w40k10.shoot.locked_target",
    "w40k10.shoot.bgnt_shooter",
    "w40k10.shoot.bgnt_target",
    "w40k10.weapon.pistol_eligible",
    neutral=ALLOWED,
)
def not_in_our_melee(w: World10, unit: Unit, enemy: Unit) -> Verdict:
    """Nobody shoots into a combat of their own army, with the exceptions for big units and Pistols."""
    if not caught(w, unit, enemy):
        return ALLOWED
    if engaged(w, unit, enemy):
        if shoots_engaged(w, unit) or pistols_engaged(w, unit):
            return ALLOWED
    elif big_target(w, enemy):
        return ALLOWED
    return refuse(f"{does(enemy, 'is')} locked in combat with your own army.", "w40k10.shoot.locked_target")


def is_held(w: World10, unit: Unit) -> bool:
    """Whether a unit is in a combat that holds it for shooting; AIRCRAFT alone do not, in battles with that option."""
    if not is_engaged(w, unit):
        return False
    return w.option("aircraft-lock") == "locked" or aircraft.held_fast(w, unit)


@rule("w40k10.shoot.bgnt_target", neutral=False)
def big_target(w: World10, enemy: Unit) -> bool:
    """MONSTERS and VEHICLES may be shot at in a combat."""
    return is_big(w, enemy)


@rule("w40k10.shoot.bgnt_shooter", neutral=False)
def shoots_engaged(w: World10, unit: Unit) -> bool:
    """MONSTERS and VEHICLES shoot while engaged."""
    return is_big(w, unit)


@rule("w40k10.weapon.pistol_eligible", neutral=False)
def pistols_engaged(w: World10, unit: Unit) -> bool:
    """Units with Pistols shoot while engaged."""
    return any(weapons.is_pistol(x) for x in unit_weapons(w, unit))


@rule("w40k10.weapon.assault", neutral=ALLOWED)
def fits_the_turn(w: World10, unit: Unit, weapon: Weapon) -> Verdict:
    """After an Advance only Assault weapons are fired."""
    if unit.moved != ADVANCE or weapons.is_assault(weapon) or fires_on_the_run(w, unit):
        return ALLOWED
    return refuse(f"{unit.name} Advanced, and {weapon.name} is no Assault weapon.", "w40k10.weapon.assault")


def fires_on_the_run(w: World10, unit: Unit) -> bool:
    """Whether a unit that Advanced has an ability to fire all its weapons."""
    return unit.moved == ADVANCE and allows(w, unit, "advance_and_shoot")


@rule("w40k10.weapon.pistol_eligible", "w40k10.shoot.bgnt_shooter", neutral=ALLOWED)
def fits_the_melee(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """A unit that shoots while engaged, and is not big, uses Pistols at those whom it is engaged with."""
    if not is_held(w, unit) or shoots_engaged(w, unit):
        return ALLOWED
    if weapons.is_pistol(weapon) and engaged(w, unit, enemy):
        return ALLOWED
    return refuse(
        f"{does(unit, 'is')} engaged and can fire Pistols only, at enemies in the same combat.",
        "w40k10.weapon.pistol_eligible",
    )


@rule("w40k10.weapon.blast_limit", neutral=ALLOWED)
def blast_is_clear(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """A Blast weapon is never fired into a combat of the own army."""
    if not weapons.is_blast(weapon) or not caught(w, unit, enemy):
        return ALLOWED
    return refuse(
        f"{weapon.name} has Blast, and {does(enemy, 'is')} engaged with your own army.", "w40k10.weapon.blast_limit"
    )


@rule("w40k10.ability.lone_operative", neutral=True)
def close_enough(w: World10, unit: Unit, enemy: Unit) -> Bools | bool:
    """For each model of a unit: a Lone Operative is targeted from within 12" only."""
    if is_attached(w, enemy) or not all(has_core(w, enemy, int(m), LONE_OPERATIVE) for m in w.on_table(enemy)):
        return True
    return np.asarray(w.distances(unit, enemy).min(axis=1) <= LONE_OPERATIVE_RANGE)


@rule("w40k10.shoot.select_targets", "w40k10.weapon.torrent", neutral=True)
def in_range_and_sight(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model of a unit: whether one and the same model of the enemy is in range and visible."""
    reached = np.asarray(in_range(w.distances(unit, enemy), weapon.range))
    if not weapons.indirect(weapon) and reached.any():
        reached = reached & visible(w, unit, enemy)
    return np.asarray(reached.any(axis=-1))


@rule("w40k10.shoot.range", neutral=True)
def in_range(far: Floats, reach: int) -> Bools:
    """Which models are no further away than the weapon's Range."""
    return np.asarray(far <= steps(reach))


def made_alone(w: World10) -> tuple[int, ...]:
    """The models that abilities make Lone Operatives now; nobody in battles where none does."""
    if not w.fixed("makes alone", lambda: (_makes_anybody_alone(w.setup.data),))[0]:
        return ()
    return tuple(m for u in w.units() for m in map(int, w.on_table(u)) if granted_by(w, u, m, LONE_OPERATIVE))


def _makes_anybody_alone(data: Data) -> bool:
    """Whether any ability or Stratagem could make a model a Lone Operative."""
    effects = [e.effects for e in data.abilities] + [e.effects for e in data.stratagems]
    return any(isinstance(e, Grant) and e.ability.startswith(LONE_OPERATIVE) for found in effects for e in found)


# --- What is true of a shot when targets are selected -----------------------------------------------------------------


def fire(w: World10, unit: Unit, row: int, model: int, weapon: Weapon, at: Shot) -> Shot:
    """A shot with what is true of it when targets are selected; `at` has what is true of all shots at that target."""
    target = w.unit(at.target)
    # Half range is looked at only where it counts, so that all others can be rolled together.
    counts = weapons.has(weapon, "rapid fire") or weapons.has(weapon, "melta") or looks_at_half_range(w, unit)
    half = counts and bool(w.distances(unit, target)[row].min() * 2 <= steps(weapon.range))
    aim = precise_targets(w, unit, target, model) if weapons.precision(weapon) else ()
    alone = w.option("indirect-sight") == "model" and weapons.indirect(weapon)
    blind = alone and not bool(visible(w, unit, target)[row].any())
    return msgspec.structs.replace(
        at,
        model=model,
        weapon=weapon,
        half_range=half,
        plunging=plunging(w, unit, row, target),
        aim=aim,
        unseen=at.unseen or blind,
    )


@rule("w40k10.terrain.ruins_plunging_fire", neutral=False)
def plunging(w: World10, unit: Unit, row: int, target: Unit) -> bool:
    """A model 6" up and wholly within ruins fires down at a unit that is all at ground level."""
    pos = w.state.models.pos
    if pos[w.on_table(unit)[row], 2] < PLUNGING_HEIGHT or pos[w.on_table(target), 2].any():
        return False
    stands = within_areas(w, unit)[row]
    return any(f.kind == RUINS and stands[i] == WHOLLY for i, f in enumerate(w.table.features))
