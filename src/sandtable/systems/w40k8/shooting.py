"""The Shooting phase: who may shoot, and what is fired at whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Assign,
    Assignment,
    Option,
    Question,
    Row,
    Step,
    Verdict,
    refuse,
)
from sandtable.forty.effects.permissions import allows
from sandtable.forty.odds.estimate import mean_damage
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import which_unit
from sandtable.kit.seeing import visible
from sandtable.rules import rule
from sandtable.systems.w40k8 import weapons
from sandtable.systems.w40k8.abilities import INDIRECT
from sandtable.systems.w40k8.attacks import ballistic_skill, make_attacks
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, enemies, model_has_keyword, reaches
from sandtable.systems.w40k8.datasheet import ASSAULT, Weapon
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, Battle8, Unit, World8, sheet_of, weapons_of
from sandtable.table.grid import Floats, steps

# --- The step ---------------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.sequence")
async def shoot_units(b: Battle8) -> Step:
    """One unit after the other chooses targets and makes its attacks."""
    player = b.state.active
    ready = [u for u in b.units_of(player) if may_shoot(b, u)]
    unit = await b.choose_unit(
        player, "shoot_with", "Which unit shoots next?", ready, optional=True, rules=("w40k8.shoot.sequence",)
    )
    if unit is None:
        return DONE
    b.set_unit(unit, shot=True)
    await b.act(unit, shoot(b, unit))
    return AGAIN


@rule("w40k8.shoot.declare")
async def shoot(b: Battle8, unit: Unit, only: int = -1, *, overwatch: bool = False) -> None:
    """A unit says what it fires at whom, and then makes all these attacks; with `only`, at that unit alone."""
    squads = squads_of(b, unit, only)
    answer = await b.ask(declaration(b, unit, squads, only))
    shots = shots_of(b, unit, squads, answer, overwatch=overwatch)
    if not shots:
        return
    targets = tuple(dict.fromkeys(s.target for s in shots))
    names = ", ".join(b.unit(t).name for t in targets)
    b.tell("shoots", f"{does(unit, 'shoots')} at {names}.", "w40k8.shoot.targets", units=[unit.id, *targets])
    await make_attacks(b, unit, shots)


# --- Who may shoot ----------------------------------------------------------------------------------------------------


def may_shoot(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to shoot now."""
    if unit.player != w.state.active:
        return refuse(f"It is not {w.player(unit.player).name}'s Shooting phase.", "w40k8.shoot.sequence")
    return not_shot_yet(unit) and not_after_falling_back(w, unit) and has_a_target(w, unit)


@rule("w40k8.shoot.sequence", neutral=ALLOWED)
def not_shot_yet(unit: Unit) -> Verdict:
    """A unit shoots once in a phase."""
    if unit.shot:
        return refuse(f"{does(unit, 'has')} shot already in this phase.", "w40k8.shoot.sequence")
    return ALLOWED


@rule("w40k8.shoot.eligible", "w40k8.move.fall_back_limits", neutral=ALLOWED)
def not_after_falling_back(w: World8, unit: Unit) -> Verdict:
    """A unit that Fell Back does not shoot, unless all of it can Fly or an ability allows it."""
    if unit.moved != FALL_BACK or allows(w, unit, "fall_back_and_shoot"):
        return ALLOWED
    if not all(model_has_keyword(w, int(m), "FLY") for m in w.on_table(unit)):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k8.shoot.eligible", "w40k8.move.fall_back_limits")
    return ALLOWED


def has_a_target(w: World8, unit: Unit) -> Verdict:
    """Whether any weapon of the unit has a target."""
    if any(gun.targets for squad in squads_of(w, unit) for gun in squad.guns):
        return ALLOWED
    return refuse(f"No weapon of {unit.name} has a target in range and in sight.", "w40k8.shoot.targets")


@rule("w40k8.shoot.eligible", "w40k8.weapon.assault", "w40k8.weapon.grenade", "w40k8.move.advance_limits", neutral=True)
def fires_after_advance(unit: Unit, weapon: Weapon) -> bool:
    """After an Advance only Assault weapons are fired."""
    return unit.moved != ADVANCE or weapon.type == ASSAULT


# --- What may be fired at whom ----------------------------------------------------------------------------------------


class Gun(NamedTuple):
    """A ranged weapon of models that are alike, and the units that it may be fired at."""

    weapon: Weapon
    targets: tuple[int, ...]


class Squad(NamedTuple):
    """Models of a unit that carry the same, and may fire it at the same units."""

    models: tuple[int, ...]
    guns: tuple[Gun, ...]


def squads_of(w: World8, unit: Unit, only: int = -1) -> list[Squad]:
    """The models of a unit that can shoot, those that are alike together."""
    near = bool(close_enemies(w, unit))
    marks = [e for e in enemies(w, unit) if only in (-1, e.id)]
    groups: dict[tuple[int, tuple[Gun, ...]], list[int]] = {}
    for row, model in enumerate(w.on_table(unit).tolist()):
        if can_shoot(w, model):
            open_ = [e.id for e in marks if only >= 0 or stands_out(w, unit, row, e)]
            guns = tuple(
                Gun(x, tuple(e.id for e in marks if e.id in open_ and may_target(w, unit, row, x, e, near=near)))
                for x in weapons_of(w, model)
                if weapons.can_be_fired(x) and fires_after_advance(unit, x)
            )
            groups.setdefault((w.setup.data.kits[model].sheet, guns), []).append(model)
    return [Squad(tuple(models), guns) for (_, guns), models in groups.items() if any(g.targets for g in guns)]


@rule("w40k8.sheet.ballistic_skill_dash", neutral=True)
def can_shoot(w: World8, model: int) -> bool:
    """A model with a dash for its Ballistic Skill cannot shoot, in Overwatch neither."""
    return ballistic_skill(w, model) is not None


def may_target(w: World8, unit: Unit, row: int, weapon: Weapon, enemy: Unit, *, near: bool) -> bool:
    """Whether a model may fire a weapon at a unit; `near` tells of enemies within 1" of the model's own unit."""
    return (
        fires_in_combat(weapon, near=near)
        and is_at_hand(w, unit, row, enemy, near=near)
        and out_of_combat(w, enemy, near=near)
        and in_range_and_sight(w, unit, row, weapon, enemy)
    )


@rule("w40k8.shoot.eligible", "w40k8.weapon.assault", "w40k8.weapon.grenade", neutral=True)
def fires_in_combat(weapon: Weapon, *, near: bool) -> bool:
    """A unit with an enemy within 1" of any of its models fires nothing but Pistols."""
    return not near or weapons.is_pistol(weapon)


@rule("w40k8.weapon.pistol_combat", neutral=False)
def is_at_hand(w: World8, unit: Unit, row: int, enemy: Unit, *, near: bool) -> bool:
    """With enemies within 1" of its unit a model fires Pistols at the unit nearest to it."""
    return not near or all(nearest(w, unit, enemy)[row] <= nearest(w, unit, e)[row] for e in enemies(w, unit))


@rule("w40k8.shoot.friends_near_target", neutral=True)
def out_of_combat(w: World8, enemy: Unit, *, near: bool) -> bool:
    """Nobody shoots at a unit with friends within 1" of it, but for who has that enemy at hand."""
    return near or not close_enemies(w, enemy)


@rule("w40k8.shoot.targets", "w40k8.concept.visibility", neutral=True)
def in_range_and_sight(w: World8, unit: Unit, row: int, weapon: Weapon, enemy: Unit) -> bool:
    """One and the same model of the target is in range of a model, and visible to it."""
    far, seen = w.distances(unit, enemy)[row], visible(w, unit, enemy)[row]
    unseen = INDIRECT in weapon.abilities
    return any(reaches(float(d), steps(weapon.range)) and (unseen or bool(v)) for d, v in zip(far, seen, strict=True))


@rule("w40k8.shoot.character", "w40k8.gap.closest_tie", neutral=True)
def stands_out(w: World8, unit: Unit, row: int, enemy: Unit) -> bool:
    """In the Shooting phase a Character is a target for models that see no other enemy unit nearer to them."""
    if not hides_in_the_crowd(w, enemy):
        return True
    limit = float(nearest(w, unit, enemy)[row]) - BOOK.equally_near
    nearer = (e for e in enemies(w, unit) if nearest(w, unit, e)[row] < limit)
    return not any(visible(w, unit, e)[row].any() for e in nearer)


@rule("w40k8.shoot.character", "w40k8.shoot.character_large", neutral=False)
def hides_in_the_crowd(w: World8, unit: Unit) -> bool:
    """Characters are hard to pick out, but for those whose Wounds characteristic is 10 or more."""
    models = w.on_table(unit).tolist()
    return all(model_has_keyword(w, m, "CHARACTER") and sheet_of(w, m).wounds < BOOK.large for m in models)


# --- The question -----------------------------------------------------------------------------------------------------


def declaration(w: World8, unit: Unit, squads: Sequence[Squad], only: int) -> Assign:
    """The question which weapon is fired at which unit."""
    targets = sorted({t for squad in squads for gun in squad.guns for t in gun.targets})
    return Assign(
        player=unit.player,
        kind="shoot",
        prompt=f"What {agree(unit, 'does')} {unit.name} shoot at?",
        rows=tuple(rows_of(squads)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=("w40k8.shoot.targets", "w40k8.shoot.split"),
        unit=unit.id,
        about={"only": only},
    )


@rule("w40k8.shoot.all_weapons", "w40k8.shoot.split", neutral=())
def rows_of(squads: Sequence[Squad]) -> Iterator[Row]:
    """What there is to assign: every weapon that has a target, each with those that it may be fired at."""
    for i, squad in enumerate(squads):
        for k, gun in enumerate(squad.guns):
            if gun.targets:
                yield Row(f"{i}.{k}", _label(squads[:i], gun), weapons_in(squad), gun.targets)


def _label(before: Sequence[Squad], gun: Gun) -> str:
    """What a row is called: rows of the same weapon are numbered."""
    namesakes = sum(g.weapon.name == gun.weapon.name for squad in before for g in squad.guns)
    return f"{gun.weapon.name} ({namesakes + 1})" if namesakes else gun.weapon.name


@rule("w40k8.shoot.one_target_per_weapon", neutral=99)
def weapons_in(squad: Squad) -> int:
    """How many of each weapon there are to assign: whole ones, since all attacks of one go at the same unit."""
    return len(squad.models)


def _gun(squads: Sequence[Squad], row: str) -> tuple[Squad, Gun]:
    i, k = map(int, row.split("."))
    return squads[i], squads[i].guns[k]


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_shots(w: World8, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether these weapons can be fired together."""
    squads = squads_of(w, w.unit(d.unit), int(d.about["only"]))
    return check_grenades(squads, answer) and check_pistols(squads, answer)


@rule("w40k8.weapon.grenade", neutral=ALLOWED)
def check_grenades(squads: Sequence[Squad], answer: Sequence[Assignment]) -> Verdict:
    """One model of a unit throws one grenade."""
    if sum(a.count for a in answer if weapons.is_grenade(_gun(squads, a.row)[1].weapon)) > 1:
        return refuse("Only one model of a unit throws a grenade.", "w40k8.weapon.grenade")
    return ALLOWED


def check_pistols(squads: Sequence[Squad], answer: Sequence[Assignment]) -> Verdict:
    """No model fires Pistols beside other weapons, or anything beside a grenade."""
    for i, squad in enumerate(squads):
        used = [(gun.weapon, sum(a.count for a in answer if a.row == f"{i}.{k}")) for k, gun in enumerate(squad.guns)]
        if hands_needed(used) > len(squad.models):
            return refuse(
                "A model fires either its Pistols or its other weapons, or throws a grenade.",
                "w40k8.weapon.pistol_choice",
                "w40k8.weapon.grenade",
            )
    return ALLOWED


@rule("w40k8.weapon.pistol_choice", "w40k8.weapon.grenade", "w40k8.shoot.all_weapons", neutral=0)
def hands_needed(used: Sequence[tuple[Weapon, int]]) -> int:
    """How many models it takes to fire so many of each weapon."""
    pistols = max((n for x, n in used if weapons.is_pistol(x)), default=0)
    thrown = sum(n for x, n in used if weapons.is_grenade(x))
    others = max((n for x, n in used if not weapons.is_pistol(x) and not weapons.is_grenade(x)), default=0)
    return pistols + thrown + others


def shots_of(
    w: World8, unit: Unit, squads: Sequence[Squad], answer: Sequence[Assignment], *, overwatch: bool = False
) -> list[Shot]:
    """Which model fires what at whom: those nearest to the target first."""
    models = w.on_table(unit).tolist()
    busy: dict[int, str] = {}
    """What kind of weapon a model has in hand: Pistols, a grenade, or others."""
    spent: set[tuple[int, str]] = set()
    shots = []
    for a in answer:
        squad, gun = _gun(squads, a.row)
        weapon, target = gun.weapon, w.unit(int(a.target))
        far = nearest(w, unit, target)
        kind = weapon.type if weapons.is_pistol(weapon) or weapons.is_grenade(weapon) else ""
        free = [m for m in squad.models if (m, a.row) not in spent and busy.get(m, kind) == kind]
        for m in sorted(free, key=lambda m: (m not in busy, far[models.index(m)], m))[: a.count]:
            busy[m] = kind
            spent.add((m, a.row))
            half = weapons.at_half_range(weapon, float(far[models.index(m)]))
            shots.append(Shot(model=m, weapon=weapon, target=target.id, half_range=half, overwatch=overwatch))
    return shots


def nearest(w: World8, unit: Unit, target: Unit) -> Floats:
    """For each model of a unit how far off the nearest model of the target is."""
    far: Floats = w.distances(unit, target).min(axis=1)
    return far


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_shots(w: World8, d: Assign) -> tuple[Assignment, ...]:
    """All that can be fired together, at the unit that loses most by it on average."""
    unit = w.unit(d.unit)
    squads = squads_of(w, unit, int(d.about["only"]))
    targets = [o.value for o in d.targets]
    best: tuple[float, tuple[Assignment, ...]] = (-1.0, ())
    for target in targets:
        answer = _wanted(w, d, [target, *targets], d.rows)
        at_it = [s for s in shots_of(w, unit, squads, answer) if s.target == target]
        best = max(best, (mean_damage(w, unit, w.unit(int(target)), at_it), answer), key=lambda found: found[0])
    return best[1]


def suggest_shots(w: World8, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Weapons in any order at targets in any order."""
    targets = [o.value for o in d.targets]
    yield _wanted(w, d, rng.sample(targets, len(targets)), rng.sample(d.rows, len(d.rows)))


def _wanted(w: World8, d: Assign, targets: Sequence[object], rows: Sequence[Row]) -> tuple[Assignment, ...]:
    """As much as can be fired together, row by row, each at the first of the targets that it may be fired at."""
    kept: tuple[Assignment, ...] = ()
    for row in rows:
        target = min(row.targets, key=targets.index)
        for count in (row.count, 1):
            if judge_shots(w, d, (*kept, Assignment(row.id, target, count))):
                kept = (*kept, Assignment(row.id, target, count))
                break
    return kept


QUESTIONS: Final = {
    "shoot_with": which_unit(0.1, may_shoot),
    "shoot": Question(judge_shots, suggest_shots, default_shots),
}
