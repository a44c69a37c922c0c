"""The Shooting phase: who may shoot, and the question what is fired at whom. Targets stand in `targets`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

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
from sandtable.battle.decisions import Value
from sandtable.forty.effects.permissions import allows
from sandtable.forty.moments import TARGETS_SELECTED, UNIT_SELECTED_TO_SHOOT, UNIT_TO_SHOOT
from sandtable.forty.state import is_attached
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.attacks import is_big, make_attacks
from sandtable.systems.w40k10.concepts import is_engaged
from sandtable.systems.w40k10.firing_deck import clear_the_deck, deck_has_target, man_the_deck
from sandtable.systems.w40k10.hit_and_wound import toughness
from sandtable.systems.w40k10.mortal import hazardous_tests
from sandtable.systems.w40k10.pistols import check_pistols, free_hands, pistol_hands, profile_named
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems import offered_beside
from sandtable.systems.w40k10.targets import (
    Gun,
    caught,
    fire,
    guns_of,
    has_any_target,
    is_held,
    pistols_engaged,
    shoots_engaged,
    unit_weapons,
    why_not_at,
    why_not_fired_at,
)
from sandtable.systems.w40k10.turn import SHOOTING
from sandtable.systems.w40k10.visibility import sees

# --- The step ---------------------------------------------------------------------------------------------------------


@rule("w40k10.shoot.sequence")
async def shoot_units(b: Battle10) -> Step:
    """One unit after the other selects its targets and makes its attacks; Stratagems may come in between."""
    player = b.state.active
    stratagems = offered_beside(b, player, UNIT_TO_SHOOT)
    ready = [Option(u.id, u.name) for u in b.units_of(player) if may_shoot(b, u)]
    choice = await b.choose(
        player,
        "shoot_with",
        "Which unit shoots next?",
        (*ready, *(option for _, _, option in stratagems)),
        optional=True,
        rules=("w40k10.shoot.sequence", "w40k10.shoot.eligible"),
    )
    if choice is None:
        return DONE
    for reaction, use, option in stratagems:
        if option.value == choice:
            await reaction.flow(b, player, Moment(), use)
            return AGAIN
    unit = b.unit(int(choice))
    b.set_unit(unit, shot=True)
    await b.act(unit, shoot(b, unit))
    return AGAIN


async def shoot(b: Battle10, unit: Unit, only: int = -1, *, overwatch: bool = False) -> None:
    """A unit selects all its targets, then makes its attacks; with `only`, at that unit alone."""
    if in_its_shooting_phase(b, unit):
        await b.window(UNIT_SELECTED_TO_SHOOT, Moment(unit.id))
    await man_the_deck(b, unit, only)
    answer = await b.ask(declaration(b, unit, only, overwatch=overwatch))
    shots = shots_of(b, unit, guns_of(b, unit, only), answer, overwatch=overwatch)
    if not shots:
        clear_the_deck(b, unit)
        return
    targets = tuple(dict.fromkeys(s.target for s in shots))
    names = ", ".join(b.unit(t).name for t in targets)
    b.tell("shoots", f"{does(unit, 'shoots')} at {names}.", "w40k10.shoot.select_targets", units=[unit.id, *targets])
    if spent := tuple((s.model, s.weapon.item) for s in shots if weapons.has_one_shot(s.weapon)):
        b.set_unit(unit, emptied=(*unit.emptied, *spent))
    await b.window(TARGETS_SELECTED, Moment(unit.id, data={"targets": targets, "shots": shots}))
    await make_attacks(b, unit, shots)
    if not unit.last_stand:
        await hazardous_tests(b, unit, [s.weapon for s in shots])
    clear_the_deck(b, unit)


def in_its_shooting_phase(w: World10, unit: Unit) -> bool:
    """Whether a unit shoots in its own Shooting phase, and not by a rule that lets it shoot out of turn."""
    return w.state.game.phase == SHOOTING and w.state.active == unit.player and not unit.last_stand


def shot_at(w: World10, unit: Unit, target: Unit, *, overwatch: bool = False) -> Shot:
    """What is fixed about a target when it is selected, whatever is fired at it."""
    return Shot(
        target=target.id,
        size=len(w.on_table(target)),
        toughness=toughness(w, target),
        unseen=not sees(w, unit, target),
        hampered=(is_big(w, unit) and is_engaged(w, unit)) or (is_big(w, target) and caught(w, unit, target)),
        overwatch=overwatch,
        attached=is_attached(w, target),
    )


# --- Who may shoot ----------------------------------------------------------------------------------------------------


def may_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot now."""
    return eligible_to_shoot(w, unit) and has_a_target(w, unit)


def eligible_to_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit is eligible to shoot, whoever the target."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k10.shoot.sequence")
    return not_shot_yet(unit) and not_hurried(w, unit) and not_locked(w, unit)


@rule("w40k10.shoot.sequence", neutral=ALLOWED)
def not_shot_yet(unit: Unit) -> Verdict:
    """A unit shoots once in a phase."""
    if unit.shot:
        return refuse(f"{does(unit, 'has')} shot already in this phase.", "w40k10.shoot.sequence")
    return ALLOWED


@rule(
    "w40k10.shoot.eligible",
    "w40k10.move.normal",
    "w40k10.move.advance_limits",
    "w40k10.move.fall_back_limits",
    neutral=ALLOWED,
)
def not_hurried(w: World10, unit: Unit) -> Verdict:
    """Who Advanced or Fell Back this turn does not shoot, but for Assault weapons after an Advance."""
    if unit.moved == FALL_BACK and not allows(w, unit, "fall_back_and_shoot"):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k10.shoot.eligible", "w40k10.move.fall_back_limits")
    if unit.moved == ADVANCE and not assault_after_advance(w, unit) and not allows(w, unit, "advance_and_shoot"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k10.shoot.eligible", "w40k10.move.advance_limits")
    return ALLOWED


@rule("w40k10.weapon.assault", neutral=False)
def assault_after_advance(w: World10, unit: Unit) -> bool:
    """Whether a unit has Assault weapons to fire after an Advance."""
    return any(weapons.is_assault(x) for x in unit_weapons(w, unit))


@rule("w40k10.shoot.locked_shooter", neutral=ALLOWED)
def not_locked(w: World10, unit: Unit) -> Verdict:
    """An engaged unit does not shoot, unless it is big or has Pistols."""
    if not is_held(w, unit) or shoots_engaged(w, unit) or pistols_engaged(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} locked in combat.", "w40k10.shoot.locked_shooter")


def has_a_target(w: World10, unit: Unit) -> Verdict:
    """Whether any weapon of the unit has a target."""
    if has_any_target(w, unit) or deck_has_target(w, unit):
        return ALLOWED
    return refuse(f"No weapon of {unit.name} has a target in range and in sight.", "w40k10.shoot.select_targets")


def why_shoot(w: World10, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may shoot."""
    if w.unit(unit).player != d.player:
        return refuse(f"{does(w.unit(unit), 'is')} not yours.", "w40k10.shoot.sequence")
    return may_shoot(w, w.unit(unit))


def default_shooter(w: World10, d: Choose) -> Value | None:
    """The next unit that can shoot; Stratagems are never a default."""
    return next((o.value for o in d.options if isinstance(o.value, int)), None)


def suggest_shooter(w: World10, d: Choose, rng: Random) -> Iterator[Value | None]:
    """Any of what is offered, and with a small chance no more."""
    yield None if rng.random() < 0.05 else rng.choice(d.options).value


# --- The question -----------------------------------------------------------------------------------------------------


def declaration(w: World10, unit: Unit, only: int = -1, *, overwatch: bool = False) -> Assign:
    """The question which weapon is fired at which unit."""
    groups = rows_of(guns_of(w, unit, only))
    targets = sorted({t for group in groups for ts in group[0].targets for t in ts})
    return Assign(
        player=unit.player,
        kind="shoot",
        prompt=f"What {agree(unit, 'does')} {unit.name} shoot at?",
        rows=tuple(_row(i, group, groups) for i, group in enumerate(groups)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=("w40k10.shoot.select_targets", "w40k10.shoot.split", "w40k10.shoot.declare_profiles"),
        unit=unit.id,
        about={"only": only, "overwatch": overwatch},
    )


def rows_of(guns: Sequence[Gun]) -> list[list[Gun]]:
    """Guns of the same kind that may be fired at the same targets, together."""
    groups: dict[tuple[object, ...], list[Gun]] = {}
    for gun in guns:
        if gun.anything:
            groups.setdefault((gun.item, gun.kind, gun.targets), []).append(gun)
    return list(groups.values())


def _row(number: int, group: Sequence[Gun], groups: Sequence[Sequence[Gun]]) -> Row:
    first = group[0]
    targets = tuple(sorted({t for ts in first.targets for t in ts}))
    modes = tuple(p.name for p in first.profiles) if len(first.profiles) > 1 else ()
    namesakes = sum(other[0].item == first.item for other in groups[:number])
    label = f"{first.item} ({namesakes + 1})" if namesakes else first.item
    return Row(f"{number}", label, weapons_in(group), targets, modes)


@rule("w40k10.shoot.split", "w40k10.shoot.declare_profiles", neutral=99)
def weapons_in(group: Sequence[Gun]) -> int:
    """How much there is to assign: whole weapons. All attacks of one go at one target, with one profile."""
    return len(group)


def why_target(w: World10, d: Assign, enemy: int) -> Verdict:
    """Why a unit is, or is not, among the targets."""
    unit, only = w.unit(d.unit), int(d.about["only"])
    if only not in (-1, enemy):
        return refuse(f"All attacks go at {w.unit(only).name}.", "w40k10.strat.fire_overwatch")
    return why_not_at(w, unit, w.unit(enemy))


def why_gun(w: World10, d: Assign, wanted: Assignment) -> Verdict:
    """Why a weapon cannot be fired at a unit that others may be fired at."""
    unit, only = w.unit(d.unit), int(d.about["only"])
    gun = rows_of(guns_of(w, unit, only))[int(wanted.row)][0]
    enemy = w.unit(int(wanted.target))
    if not why_target(w, d, enemy.id):
        return why_target(w, d, enemy.id)
    return why_not_fired_at(w, unit, gun.profiles, enemy)


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_shots(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether every weapon has a target that its profile may be fired at, and nobody mixes Pistols with the rest."""
    unit = w.unit(d.unit)
    groups = rows_of(guns_of(w, unit, int(d.about["only"])))
    for a in answer:
        gun = groups[int(a.row)][0]
        k = profile_named(gun, a.mode)
        if a.target not in gun.targets[k]:
            return refuse(
                f"{gun.profiles[k].name} cannot be fired at {w.unit(int(a.target)).name}.",
                "w40k10.shoot.select_targets",
            )
    return check_pistols(w, groups, answer) and check_one_target(w, unit, answer)


def check_one_target(w: World10, unit: Unit, answer: Sequence[Assignment]) -> Verdict:
    """In battles with that option, all Pistols of an engaged unit pick the same target."""
    if w.option("pistols") == "each" or not is_held(w, unit) or shoots_engaged(w, unit):
        return ALLOWED
    if len({a.target for a in answer}) < 2:
        return ALLOWED
    return refuse("All Pistols of an engaged unit are fired at the same unit.", "w40k10.weapon.pistol_eligible")


def shots_of(
    w: World10, unit: Unit, guns: Sequence[Gun], answer: Sequence[Assignment], *, overwatch: bool = False
) -> list[Shot]:
    """Which model fires what at whom: of equal guns those that are nearest to the target."""
    groups = rows_of(guns)
    pistols = pistol_hands(w, groups, answer)
    spent: set[tuple[int, int]] = set()
    shots: list[Shot] = []
    at = {t: shot_at(w, unit, w.unit(t), overwatch=overwatch) for t in dict.fromkeys(int(a.target) for a in answer)}
    for a in answer:
        row, target = int(a.row), w.unit(int(a.target))
        group = groups[row]
        profile = group[0].profiles[profile_named(group[0], a.mode)]
        far = w.distances(unit, target).min(axis=1)
        pistol = weapons.is_pistol(profile)
        free = [
            i
            for i, g in enumerate(group)
            if (row, i) not in spent and (pistols is None or (g.model in pistols) == pistol or free_hands(w, g.model))
        ]
        for i in sorted(free, key=lambda i: (far[group[i].row], i))[: a.count]:
            spent.add((row, i))
            shots.append(fire(w, unit, group[i].row, group[i].model, profile, at[target.id]))
    return shots


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_shots(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """Everything that can be fired at one target: the one that loses most wounds. Profiles are safe ones."""
    from sandtable.forty.odds.estimate import mean_damage

    unit, only = w.unit(d.unit), int(d.about["only"])
    guns = guns_of(w, unit, only)
    best: tuple[float, tuple[Assignment, ...]] = (-1.0, ())
    for option in d.targets:
        answer = as_far_as_legal(w, d, [Assignment(r.id, option.value, r.count, _safe(w, d, r)) for r in d.rows])
        target = w.unit(int(option.value))
        shots = shots_of(w, unit, guns, answer, overwatch=bool(d.about["overwatch"]))
        score = mean_damage(w, unit, target, shots)
        if score > best[0]:
            best = (score, answer)
    return best[1]


def _safe(w: World10, d: Assign, row: Row) -> str:
    """The first profile that does not endanger its bearer."""
    gun = rows_of(guns_of(w, w.unit(d.unit), int(d.about["only"])))[int(row.id)][0]
    safe = [p.name for p in gun.profiles if not weapons.is_hazardous(p)]
    return (safe or list(row.modes))[0] if row.modes else ""


def as_far_as_legal(w: World10, d: Assign, wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """As much of the assignments as can be made together, taken one after the other."""
    kept: tuple[Assignment, ...] = ()
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    groups = rows_of(guns)
    for a in wanted:
        gun = groups[int(a.row)][0]
        if a.target not in gun.targets[profile_named(gun, a.mode)]:
            continue
        # Fewer guns are never harder to fire together: look for the most by halves.
        count, most = 0, a.count
        wish = most
        while count < most:
            if check_pistols(w, groups, (*kept, _with(a, wish))):
                count = wish
            else:
                most = wish - 1
            wish = (count + most + 1) // 2
        if count:
            kept = (*kept, _with(a, count))
    return kept


def _with(a: Assignment, count: int) -> Assignment:
    return Assignment(a.row, a.target, count, a.mode)


def suggest_shots(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """All at one target, in some order of weapons; then weapons here and there."""
    targets = [o.value for o in d.targets]
    rng.shuffle(targets)
    if rng.random() < 0.8:
        for target in targets[:3]:
            rows = rng.sample(d.rows, len(d.rows))
            wanted = [Assignment(r.id, target, r.count, rng.choice(r.modes) if r.modes else "") for r in rows]
            yield as_far_as_legal(w, d, wanted)
    wanted = []
    for r in rng.sample(d.rows, len(d.rows)):
        split = rng.randint(0, r.count)
        for count in (split, r.count - split):
            if count:
                wanted.append(Assignment(r.id, rng.choice(r.targets), count, rng.choice(r.modes) if r.modes else ""))
    yield as_far_as_legal(w, d, wanted)


def first_option(w: World10, d: Choose) -> Any:
    """What stands first."""
    return d.options[0].value


QUESTIONS: Final = {
    "shoot_with": Question(why_unit=why_shoot, default=default_shooter, suggest=suggest_shooter),
    "shoot": Question(judge_shots, suggest_shots, default_shots, settled=True, why_unit=why_target, why_row=why_gun),
    "aim": Question(default=first_option),
}
