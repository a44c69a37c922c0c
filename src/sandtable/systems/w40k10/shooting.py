"""The Shooting phase: who may shoot, at whom, with which weapons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Assign,
    Assignment,
    Choose,
    Moment,
    Option,
    Question,
    Row,
    Step,
    Verdict,
    refuse,
)
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.attacks import Aim, Fire, is_big, make_attacks, precise_targets, toughness
from sandtable.systems.w40k10.concepts import engaged, is_engaged, model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.mortal import hazardous_tests
from sandtable.systems.w40k10.state import (
    ADVANCE,
    FALL_BACK,
    Battle10,
    Unit,
    World10,
    is_attached,
    sheet_of,
    weapons_of,
)
from sandtable.systems.w40k10.triggers import TARGETS_SELECTED, UNIT_TO_SHOOT
from sandtable.systems.w40k10.visibility import RUINS, WHOLLY, sees, sight, standing
from sandtable.table.grid import Floats, steps

LONE_OPERATIVE_RANGE: Final = steps(12)
PLUNGING_HEIGHT: Final = steps(6)
OVERWATCH_RANGE: Final = steps(24)


class Gun(NamedTuple):
    """A weapon in the hands of one model: its profiles, and the targets that each of them may be fired at."""

    model: int
    item: str
    profiles: tuple[Weapon, ...]
    targets: tuple[tuple[int, ...], ...]
    """For each profile."""

    @property
    def anything(self) -> bool:
        return any(self.targets)


# --- The step ---------------------------------------------------------------------------------------------------------


@rule("w40k10.shoot.sequence")
async def shoot_units(b: Battle10) -> Step:
    """One unit after the other selects its targets and makes its attacks."""
    await b.window(UNIT_TO_SHOOT)
    ready = [u for u in b.units_of(b.state.active) if may_shoot(b, u)]
    unit = await b.choose_unit(
        b.state.active,
        "shoot_with",
        "Which unit shoots next?",
        ready,
        optional=True,
        rules=("w40k10.shoot.sequence", "w40k10.shoot.eligible"),
    )
    if unit is None:
        return DONE
    b.set_unit(unit, shot=True)
    await b.act(unit, shoot(b, unit))
    return AGAIN


async def shoot(b: Battle10, unit: Unit, only: int = -1, *, overwatch: bool = False) -> None:
    """A unit selects all its targets, then makes its attacks; with `only`, at that unit alone."""
    guns = guns_of(b, unit, only)
    answer = await b.ask(declaration(b, unit, guns, only))
    fires = fires_of(b, unit, guns, answer)
    if not fires:
        return
    targets = tuple(dict.fromkeys(f.target for f in fires))
    aims = {t: aim_at(b, unit, b.unit(t), overwatch=overwatch) for t in targets}
    names = ", ".join(b.unit(t).name for t in targets)
    b.tell("shoots", f"{unit.name} shoots at {names}.", "w40k10.shoot.select_targets", units=[unit.id, *targets])
    await b.window(TARGETS_SELECTED, Moment(unit.id, data={"targets": targets}))
    await make_attacks(b, unit, fires, aims)
    await hazardous_tests(b, unit, [f.weapon for f in fires])


def declaration(w: World10, unit: Unit, guns: Sequence[Gun], only: int) -> Assign:
    """The question which weapon is fired at which unit."""
    targets = sorted({t for g in guns for ts in g.targets for t in ts})
    return Assign(
        player=unit.player,
        kind="shoot",
        prompt=f"What does {unit.name} shoot at?",
        rows=tuple(_row(i, group) for i, group in enumerate(rows_of(guns))),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=("w40k10.shoot.select_targets", "w40k10.shoot.split", "w40k10.shoot.declare_profiles"),
        unit=unit.id,
        about={"only": only},
    )


def rows_of(guns: Sequence[Gun]) -> list[list[Gun]]:
    """Guns of the same kind that may be fired at the same targets, together."""
    groups: dict[tuple[object, ...], list[Gun]] = {}
    for gun in guns:
        if gun.anything:
            groups.setdefault((gun.item, gun.profiles, gun.targets), []).append(gun)
    return list(groups.values())


def _row(number: int, group: Sequence[Gun]) -> Row:
    first = group[0]
    targets = tuple(sorted({t for ts in first.targets for t in ts}))
    modes = tuple(p.name for p in first.profiles) if len(first.profiles) > 1 else ()
    return Row(f"{number}", first.item, len(group), targets, modes)


# --- Who may shoot ----------------------------------------------------------------------------------------------------


def may_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot now."""
    return eligible_to_shoot(w, unit) and has_a_target(w, unit)


def eligible_to_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit is eligible to shoot, whoever the target."""
    if not w.is_on_table(unit):
        return refuse(f"{unit.name} is not on the battlefield.", "w40k10.shoot.sequence")
    return not_shot_yet(unit) and not_hurried(w, unit) and not_locked(w, unit)


@rule("w40k10.shoot.sequence", neutral=ALLOWED)
def not_shot_yet(unit: Unit) -> Verdict:
    """A unit shoots once in a phase."""
    if unit.shot:
        return refuse(f"{unit.name} has shot already in this phase.", "w40k10.shoot.sequence")
    return ALLOWED


@rule("w40k10.shoot.eligible", "w40k10.move.advance_limits", "w40k10.move.fall_back_limits", neutral=ALLOWED)
def not_hurried(w: World10, unit: Unit) -> Verdict:
    """Who Advanced or Fell Back this turn does not shoot, but for Assault weapons after an Advance."""
    if unit.moved == FALL_BACK:
        return refuse(f"{unit.name} Fell Back this turn.", "w40k10.shoot.eligible", "w40k10.move.fall_back_limits")
    if unit.moved == ADVANCE and not assault_after_advance(w, unit):
        return refuse(f"{unit.name} Advanced this turn.", "w40k10.shoot.eligible", "w40k10.move.advance_limits")
    return ALLOWED


@rule("w40k10.weapon.assault", neutral=False)
def assault_after_advance(w: World10, unit: Unit) -> bool:
    """Whether a unit has Assault weapons to fire after an Advance."""
    return any(weapons.is_assault(x) for m in w.on_table(unit) for x in weapons_of(w, int(m)))


@rule("w40k10.shoot.locked_shooter", neutral=ALLOWED)
def not_locked(w: World10, unit: Unit) -> Verdict:
    """An engaged unit does not shoot, unless it is big or has Pistols."""
    if not is_engaged(w, unit) or shoots_engaged(w, unit) or pistols_engaged(w, unit):
        return ALLOWED
    return refuse(f"{unit.name} is locked in combat.", "w40k10.shoot.locked_shooter")


@rule("w40k10.shoot.bgnt_shooter", neutral=False)
def shoots_engaged(w: World10, unit: Unit) -> bool:
    """MONSTERS and VEHICLES shoot while engaged."""
    return is_big(w, unit)


@rule("w40k10.weapon.pistol_eligible", neutral=False)
def pistols_engaged(w: World10, unit: Unit) -> bool:
    """Units with Pistols shoot while engaged."""
    return any(weapons.is_pistol(x) for m in w.on_table(unit) for x in weapons_of(w, int(m)))


def has_a_target(w: World10, unit: Unit) -> Verdict:
    """Whether any weapon of the unit has a target."""
    if any(g.anything for g in guns_of(w, unit)):
        return ALLOWED
    return refuse(f"No weapon of {unit.name} has a target in range and in sight.", "w40k10.shoot.select_targets")


# --- Targets ----------------------------------------------------------------------------------------------------------


def guns_of(w: World10, unit: Unit, only: int = -1) -> list[Gun]:
    """Every ranged weapon of a unit with the targets that it may be fired at."""
    key = ("guns", unit.id, only, unit.moved)
    return w.cached(key, lambda: _guns_of(w, unit, only))


def _guns_of(w: World10, unit: Unit, only: int) -> list[Gun]:
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and only in (-1, e.id)]
    enemies = [e for e in enemies if _in_any_range(w, unit, e)]
    open_targets = [e for e in enemies if may_be_shot(w, unit, e)]
    guns = []
    for row, m in enumerate(w.on_table(unit)):
        for item, profiles in carried(w, int(m)):
            targets = tuple(tuple(e.id for e in open_targets if may_fire(w, unit, row, int(m), p, e)) for p in profiles)
            guns.append(Gun(int(m), item, profiles, targets))
    return guns


def _in_any_range(w: World10, unit: Unit, enemy: Unit) -> bool:
    longest = max((x.range for m in w.on_table(unit) for x in weapons_of(w, int(m))), default=0)
    return w.distance(unit, enemy) <= steps(longest)


@rule("w40k10.datasheet.weapon_profile", neutral=())
def carried(w: World10, model: int) -> tuple[tuple[str, tuple[Weapon, ...]], ...]:
    """The ranged weapons of a model, each with its profiles; melee weapons do not shoot."""
    found: dict[str, list[Weapon]] = {}
    for weapon in weapons_of(w, model):
        if not weapon.is_melee and may_use(w, model, weapon):
            found.setdefault(weapon.item, []).append(weapon)
    return tuple((item, tuple(profiles)) for item, profiles in found.items())


@rule("w40k10.ability.psychic", neutral=True)
def may_use(w: World10, model: int, weapon: Weapon) -> bool:
    """Psychic weapons are for PSYKERS."""
    return not weapon.has("psychic") or model_has_keyword(w, model, "PSYKER")


def may_be_shot(w: World10, unit: Unit, enemy: Unit) -> Verdict:
    """Whether an enemy unit may be targeted at all, whatever the weapon."""
    return not_in_our_melee(w, unit, enemy)


@rule("w40k10.shoot.locked_target", neutral=ALLOWED)
def not_in_our_melee(w: World10, unit: Unit, enemy: Unit) -> Verdict:
    """Nobody shoots into a combat of their own army, with the exceptions for big units and Pistols."""
    if not any(engaged(w, friend, enemy) for friend in w.friends_of(unit.player) if w.is_on_table(friend)):
        return ALLOWED
    if engaged(w, unit, enemy):
        if shoots_engaged(w, unit) or pistols_engaged(w, unit):
            return ALLOWED
    elif big_target(w, enemy):
        return ALLOWED
    return refuse(f"{enemy.name} is locked in combat with your own army.", "w40k10.shoot.locked_target")


@rule("w40k10.shoot.bgnt_target", neutral=False)
def big_target(w: World10, enemy: Unit) -> bool:
    """MONSTERS and VEHICLES may be shot at in a combat."""
    return is_big(w, enemy)


def may_fire(w: World10, unit: Unit, row: int, model: int, weapon: Weapon, enemy: Unit) -> bool:
    """Whether a model may fire a profile at an enemy unit."""
    return (
        fits_the_turn(unit, weapon)
        and fits_the_melee(w, unit, weapon, enemy)
        and blast_is_clear(w, unit, weapon, enemy)
        and close_enough(w, unit, row, enemy)
        and in_range_and_sight(w, unit, row, weapon, enemy)
    )


@rule("w40k10.weapon.assault", neutral=True)
def fits_the_turn(unit: Unit, weapon: Weapon) -> bool:
    """After an Advance only Assault weapons are fired."""
    return unit.moved != ADVANCE or weapons.is_assault(weapon)


@rule("w40k10.weapon.pistol_eligible", neutral=True)
def fits_the_melee(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> bool:
    """A unit that shoots while engaged, and is not big, uses Pistols at those whom it is engaged with."""
    if not is_engaged(w, unit) or shoots_engaged(w, unit):
        return True
    return weapons.is_pistol(weapon) and engaged(w, unit, enemy)


@rule("w40k10.weapon.blast_limit", neutral=True)
def blast_is_clear(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> bool:
    """A Blast weapon is never fired into a combat of the own army."""
    if not weapon.has("blast"):
        return True
    return not any(engaged(w, friend, enemy) for friend in w.friends_of(unit.player) if w.is_on_table(friend))


@rule("w40k10.ability.lone_operative", neutral=True)
def close_enough(w: World10, unit: Unit, row: int, enemy: Unit) -> bool:
    """A Lone Operative is targeted from within 12" only."""
    if is_attached(w, enemy) or not all(sheet_of(w, int(m)).has("lone operative") for m in w.on_table(enemy)):
        return True
    return bool(w.distances(unit, enemy)[row].min() <= LONE_OPERATIVE_RANGE)


@rule("w40k10.shoot.select_targets", neutral=True)
def in_range_and_sight(w: World10, unit: Unit, row: int, weapon: Weapon, enemy: Unit) -> bool:
    """One and the same model of the enemy is in range and visible."""
    reached = in_range(w.distances(unit, enemy)[row], weapon.range)
    if not reached.any():
        return False
    if weapons.indirect(weapon):
        return True
    return bool((reached & sight(w, unit, enemy).visible[row]).any())


@rule("w40k10.shoot.range", neutral=np.ones(1, dtype=np.bool_))
def in_range(far: Floats, reach: int) -> np.ndarray:
    """Which models are no further away than the weapon's Range."""
    return np.asarray(far <= steps(reach))


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_shots(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether every weapon has a target that its profile may be fired at, and nobody mixes Pistols with the rest."""
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    groups = rows_of(guns)
    for a in answer:
        gun = groups[int(a.row)][0]
        k = next((i for i, p in enumerate(gun.profiles) if p.name == a.mode), 0)
        if a.target not in gun.targets[k]:
            return refuse(
                f"{gun.profiles[k].name} cannot be fired at {w.unit(int(a.target)).name}.",
                "w40k10.shoot.select_targets",
            )
    return check_profiles(answer, groups) and check_pistols(w, unit, guns, answer)


@rule("w40k10.shoot.declare_profiles", neutral=ALLOWED)
def check_profiles(answer: tuple[Assignment, ...], groups: Sequence[Sequence[Gun]]) -> Verdict:
    """Each weapon shoots once, with one of its profiles."""
    used = [0] * len(groups)
    for a in answer:
        used[int(a.row)] += a.count
    if any(n > len(group) for n, group in zip(used, groups, strict=True)):
        return refuse("A weapon shoots with one profile at one target.", "w40k10.shoot.declare_profiles")
    return ALLOWED


@rule("w40k10.weapon.pistol_exclusive", neutral=ALLOWED)
def check_pistols(w: World10, unit: Unit, guns: Sequence[Gun], answer: tuple[Assignment, ...]) -> Verdict:
    """A model that is neither MONSTER nor VEHICLE fires its Pistols or its other weapons."""
    wanted = sum(a.count for a in answer)
    if len(fires_of(w, unit, guns, answer)) == wanted:
        return ALLOWED
    return refuse("A model fires either its Pistols or its other weapons.", "w40k10.weapon.pistol_exclusive")


def fires_of(w: World10, unit: Unit, guns: Sequence[Gun], answer: Sequence[Assignment]) -> list[Fire]:
    """Which model fires what at whom; models that would mix Pistols with other weapons are left out."""
    groups = rows_of(guns)
    hands: dict[int, bool] = {}
    """For each model that fires, whether it fires Pistols."""
    spent: set[tuple[int, int]] = set()
    fires: list[Fire] = []
    models = [int(m) for m in w.on_table(unit)]
    for a in answer:
        row = int(a.row)
        left = a.count
        for i, gun in enumerate(groups[row]):
            profile = next((p for p in gun.profiles if p.name == a.mode), gun.profiles[0])
            pistol = weapons.is_pistol(profile)
            if left == 0:
                break
            if (row, i) in spent or not _free_hand(w, gun.model, pistol, hands):
                continue
            spent.add((row, i))
            hands[gun.model] = pistol
            left -= 1
            fires.append(fire(w, unit, models.index(gun.model), gun.model, profile, w.unit(int(a.target))))
    return fires


def _free_hand(w: World10, model: int, pistol: bool, hands: dict[int, bool]) -> bool:
    if model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE"):
        return True
    return hands.get(model, pistol) == pistol


def fire(w: World10, unit: Unit, row: int, model: int, weapon: Weapon, target: Unit) -> Fire:
    """A shot with what is true of it when targets are selected."""
    half = bool(w.distances(unit, target)[row].min() * 2 <= steps(weapon.range))
    aim: tuple[int, ...] = ()
    if weapons.precision(weapon):
        seen = sight(w, unit, target).visible[row]
        aim = precise_targets(w, target, [int(m) for m, v in zip(w.on_table(target), seen, strict=True) if v])
    return Fire(model, weapon, target.id, half, plunging(w, model, target), aim)


@rule("w40k10.terrain.ruins_plunging_fire", neutral=False)
def plunging(w: World10, model: int, target: Unit) -> bool:
    """A model 6" up and wholly within ruins fires down at a unit that is all at ground level."""
    pos = w.state.models.pos
    if pos[model, 2] < PLUNGING_HEIGHT or any(pos[m, 2] > 0 for m in w.on_table(target)):
        return False
    stands = standing(w, np.array([model], dtype=np.int64))[0]
    return any(f.kind == RUINS and stands[i] == WHOLLY for i, f in enumerate(w.table.features))


def aim_at(w: World10, unit: Unit, target: Unit, *, overwatch: bool = False) -> Aim:
    """What is fixed about a target when it is selected."""
    caught = any(engaged(w, friend, target) for friend in w.friends_of(unit.player) if w.is_on_table(friend))
    return Aim(
        target.id,
        len(w.on_table(target)),
        toughness(w, target),
        unseen=not sees(w, unit, target),
        hampered=(is_big(w, unit) and is_engaged(w, unit)) or (caught and is_big(w, target)),
        overwatch=overwatch,
    )


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_shots(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """Everything that can be fired at one target: the one that most weapons reach."""
    counts = {o.value: sum(r.count for r in d.rows if o.value in r.targets) for o in d.targets}
    if not counts:
        return ()
    target = max(counts, key=lambda t: (counts[t], -int(t)))
    return _legal(w, d, [Assignment(r.id, target, r.count, r.modes[0] if r.modes else "") for r in d.rows])


def _legal(w: World10, d: Assign, wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """The assignments that can be made together, taken one after the other."""
    kept: tuple[Assignment, ...] = ()
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    groups = rows_of(guns)
    for a in wanted:
        gun = groups[int(a.row)][0]
        k = next((i for i, p in enumerate(gun.profiles) if p.name == a.mode), 0)
        if a.target not in gun.targets[k]:
            continue
        before = len(fires_of(w, unit, guns, kept))
        can = len(fires_of(w, unit, guns, (*kept, a))) - before
        if can:
            kept = (*kept, Assignment(a.row, a.target, can, a.mode))
    return kept


def suggest_shots(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """All at one target, in some order of weapons; then weapons here and there."""
    targets = [o.value for o in d.targets]
    rng.shuffle(targets)
    for target in targets[:3]:
        rows = rng.sample(d.rows, len(d.rows))
        yield _legal(w, d, [Assignment(r.id, target, r.count, rng.choice(r.modes) if r.modes else "") for r in rows])
    rows = rng.sample(d.rows, len(d.rows))
    wanted = []
    for r in rows:
        split = rng.randint(0, r.count)
        for count in (split, r.count - split):
            if count:
                wanted.append(Assignment(r.id, rng.choice(r.targets), count, rng.choice(r.modes) if r.modes else ""))
    yield _legal(w, d, wanted)


def why_shoot(w: World10, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may shoot."""
    if w.unit(unit).player != d.player:
        return refuse(f"{w.unit(unit).name} is not yours.", "w40k10.shoot.sequence")
    return may_shoot(w, w.unit(unit))


QUESTIONS: Final = {
    "shoot_with": Question(why_unit=why_shoot),
    "shoot": Question(judge=judge_shots, suggest=suggest_shots, default=default_shots),
}
