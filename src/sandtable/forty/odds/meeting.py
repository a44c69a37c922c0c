"""Two units without a battle: what one does to the other, for questions about odds.

The units are enlisted as for a battle and stand on an empty table. All models of a unit stand on one spot, so that each
of them is as far from the enemy as the question says. Attacks are then compiled by the functions of the battle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from sandtable.armies.effects import (
    Characteristic,
    Critical,
    Damage,
    FeelNoPain,
    Grant,
    Invulnerable,
    Mark,
    Modify,
    Reroll,
    WeaponAbility,
)
from sandtable.attack.volley import Attack, Choices, Cites, Target, Volley
from sandtable.battle import GONE, TABLE, Battle, System
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.state import new_version
from sandtable.errors import UserError
from sandtable.forty.aiming import aiming_of, guns_carried
from sandtable.forty.attacks import Compile, compiled_batches, in_batches
from sandtable.forty.effects.enforced import left_out
from sandtable.forty.effects.moments import FIGHT, SHOOTING
from sandtable.forty.enlist import Army
from sandtable.forty.odds.circumstances import (
    HALF_RANGE,
    OVERCHARGE,
    OVERWATCH,
    UNSEEN,
    Circumstance,
    meant_by,
    use,
)
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.odds.matchups import Backfire, Force, Losses, Matchups, Situation, Strikes, StrikesOfBoth, Test
from sandtable.forty.sheets import shape_of
from sandtable.forty.shot import Shot
from sandtable.forty.state import NORMAL, Battle40, sheet_of
from sandtable.forty.striking import Striking, best_strikes, strikes
from sandtable.kit.grammar import agree, does
from sandtable.kit.seeing import presume
from sandtable.table.grid import STEP, TURN, steps
from sandtable.table.layout import Table

FIELD: Final = Table(steps(240), steps(120), "in", ())
MIDDLE: Final = (steps(60), steps(60))
MAX_DISTANCE: Final = 120.0
FAR: Final = 12.5
"""Where the question names no distance, units stand so far apart that little depends on being near..."""
NEAR: Final = 6.0
"""...or at half the range of the shortest guns."""
BESIDE: Final = steps(3)
"""How far from a unit stands who helps it without joining it."""

ON_ATTACKS: Final = (
    Characteristic,
    Critical,
    Damage,
    FeelNoPain,
    Grant,
    Invulnerable,
    Mark,
    Modify,
    Reroll,
    WeaponAbility,
)
"""Effects that can change what attacks do."""


@dataclass(frozen=True)
class Meeting:
    """What an edition says about two units that meet without a battle."""

    rules: System
    """The system as far as attacks are compiled by it: nothing is played here, and all the rest takes long to load."""
    assemble: Callable[..., tuple[Any, Any]]
    """(armies, table, options): set-up and state, with the units beside the table."""
    circumstances: tuple[Circumstance, ...]
    order_of_loss: Callable[[Any, Any], Iterable[int]]
    """(world, unit): its models, those first that its owner would rather lose."""
    fires_unseen: Callable[[Any], bool]
    """(profile): whether it may be fired at what nobody sees."""
    melee_weapons: Callable[[Any, Any], Iterable[tuple[int, Any]]]
    """(world, unit): who can strike with what."""
    blows: Callable[[Any, Any, Callable[[int, Any], bool]], list[Any]]
    """(world, unit, whether a model uses a weapon): every model strikes with what does most."""
    harm: Callable[[Any, Any, Sequence[Any], Mapping[int, float]], Backfire | None]
    """(world, unit, shots, what its models are worth): what the shots cost the unit itself."""
    attach: Callable[[Any, Any, Any], None] = lambda b, leader, unit: None
    """(battle, leader, unit): the leader joins the unit."""
    begin: Callable[[Any], None] = lambda unit: None
    """(unit): what it did before, if the question has no word about it."""
    under: Callable[[Any, Situation], Any] = lambda shot, how: shot
    """(shot, situation): the shot under circumstances that only this edition knows."""
    strength: Callable[[Any, Any], int] = lambda w, unit: len(unit.models)
    """(world, unit): the models that it had at first."""
    half_range_counts: Callable[[Any, Any, Any], bool] = lambda w, unit, profile: True
    """(world, unit, profile): whether it makes a difference to be within half range."""
    once: tuple[str, ...] = ()
    """Sorts of weapons of which a unit fires a single one."""


def has_moved(unit: Any) -> None:
    """Without a word about it, a unit has made a Normal move."""
    unit.moved = NORMAL


def melee_weapons(w: Any, unit: Any) -> Iterable[tuple[int, Any]]:
    """Who can strike with what, where blows are declared in one answer."""
    return ((hand.model, hand.weapon) for hand in w.system.seam(Striking).hands(w, unit))


def blows(w: Any, unit: Any, used: Callable[[int, Any], bool]) -> list[Any]:
    """Every model strikes with what does most, of what it uses."""
    hands = [hand for hand in w.system.seam(Striking).hands(w, unit) if used(hand.model, hand.weapon)]
    return strikes(w, unit, hands, best_strikes(w, unit, hands)) if any(h.targets for h in hands) else []


def matchups(
    m: Meeting, tests: Callable[[Force, float, Mapping[str, str]], tuple[Test, ...]], panel: Path, **more: Any
) -> Matchups:
    """What an edition answers about odds; `more` are fields of `Matchups`."""
    modifiers = tuple(c.modifier for c in m.circumstances)
    return Matchups(m.rules, modifiers, partial(strikes_between, m), tests, panel, **more)


# --- The small world --------------------------------------------------------------------------------------------------


def strikes_between(
    m: Meeting,
    first: Force,
    second: Force,
    there: Situation | None,
    back: Situation | None,
    options: Mapping[str, str],
) -> StrikesOfBoth:
    """What the first does to the second, and what the second does to the first."""
    return (
        None if there is None else _strikes(m, first, second, there, options, back=False),
        None if back is None else _strikes(m, first, second, back, options, back=True),
    )


def _strikes(
    m: Meeting, first: Force, second: Force, how: Situation, options: Mapping[str, str], *, back: bool
) -> Strikes:
    far = _distance(how)
    b, units = meet(m, first, second, 0.0 if how.melee else far, options)
    unit, target = units[::-1] if back else units
    # On one spot models would hide each other.
    presume(b, unit, target, seen=UNSEEN not in how.modifiers)
    b.state.active = target.player if OVERWATCH in how.modifiers else unit.player
    b.state.game.phase = FIGHT if how.melee else SHOOTING
    m.begin(unit)
    for circumstance in m.circumstances:
        if circumstance.modifier.name in how.modifiers:
            circumstance.apply(b, unit, target)
    how = msgspec.structs.replace(how, uses=tuple(use(b, unit, target, name) for name in how.uses))
    how = _with_proper_names(b, unit, how)
    by = (second if back else first).profiles
    shots = _blows(m, b, unit, target, how, by) if how.melee else _shooting(m, b, unit, target, how, by)
    return _strikes_of(m, b, unit, target, shots, how)


def _distance(how: Situation) -> float:
    if how.distance is None:
        return NEAR if HALF_RANGE in how.modifiers else FAR
    if not 0 < how.distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {how.distance}".')
    return how.distance


def alone(m: Meeting, force: Force, distance: float, options: Mapping[str, str]) -> tuple[Battle40, Any]:
    """A unit by itself, for the rolls that it makes; refuses a distance that makes no sense."""
    if not 0 < distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {distance}".')
    b, (unit, _) = meet(m, force, force, FAR, options)
    return b, unit


def meet(
    m: Meeting, first: Force, second: Force, far: float, options: Mapping[str, str]
) -> tuple[Battle40, tuple[Any, Any]]:
    """Both units on an empty table, so far from each other; Leaders are with them."""
    armies = {"attacker": Army(first.army, first.pack), "target": Army(second.army, second.pack)}
    setup, state = m.assemble(armies, FIELD, m.rules.settle_options(options))
    b: Battle40 = Battle(m.rules, setup, state, dice=ScriptedDice([]), record=False)
    heads = (b.unit(0), b.unit(len(first.army.units)))
    for head, force in zip(heads, (first, second), strict=True):
        for number in range(1, len(force.army.units)):
            m.attach(b, b.unit(head.id + number), head)
        # Whoever did not join the unit stands beside it.
        others = [
            m for n in range(1, len(force.army.units)) for m in b.unit(head.id + n).models if m not in head.models
        ]
        for model in (*head.models, *others):
            half = shape_of(sheet_of(b, model)).length // 2
            x = MIDDLE[0] - half if head is heads[0] else MIDDLE[0] + math.floor(far * STEP) + half
            state.models.pos[model] = (x, MIDDLE[1] + (BESIDE if model in others else 0), 0)
            state.models.facing[model] = 0 if head is heads[0] else TURN // 2
            state.models.place[model] = TABLE
    state.version = state.stamp = new_version()
    for head, force in zip(heads, (first, second), strict=True):
        if force.losses is not None:
            _lose(m, b, head, force.losses, force.name)
    return b, heads


def _lose(m: Meeting, b: Battle40, unit: Any, losses: Losses, name: str) -> None:
    """Take off what a unit has lost before the question, in the order in which its owner would rather lose it."""
    state, order = b.state.models, list(m.order_of_loss(b, unit))
    wounds = [int(state.wounds[model]) for model in order]
    there = len(order) if losses.what == "models" else sum(wounds)
    lost = there - losses.number if losses.left else losses.number
    if losses.what == "half":
        lost = there // 2
    if not 0 <= lost < there:
        kept = "left" if losses.left else "lost"
        least, most = (1, there) if losses.left else (0, there - 1)
        raise UserError(f"{name}: {least} to {most} {losses.what} can be {kept}, not {losses.number}.")
    points = sum(wounds[:lost]) if losses.what == "models" else lost
    for model, own in zip(order, wounds, strict=True):
        state.wounds[model] = max(0, own - points)
        if own <= points:
            state.place[model] = GONE
        points -= min(own, points)
    b.state.version = b.state.stamp = new_version()


def _strikes_of(m: Meeting, b: Battle40, unit: Any, target: Any, shots: Sequence[Any], how: Situation) -> Strikes:
    """Declared attacks as everybody above reads them."""
    # Of those who strike together some may strike more often: each of a batch stands for all of it.
    rolled = b.system.seam(Compile).batches(b, unit, target, shots)
    alike = [part for batch in rolled for part in in_batches(batch, lambda s: s.attacks)]
    batches, volleys, whom, procedure = compiled_batches(b, unit, target, alike)
    single = compiled_batches(b, unit, target, [batch[:1] for batch in batches]).volleys
    again = [(*c.again, c.modifier.rules) for c in m.circumstances if c.again and c.modifier.name in how.modifiers]
    return Strikes(
        Attack(
            tuple(_rerolled(v, again) for v in volleys),
            valued(b, whom),
            procedure,
            Choices(aim="always"),
        ),
        tuple(_rerolled(v, again) for v in single),
        tuple(tuple(s.model for s in batch) for batch in batches),
        tuple(batch[0].weapon.name for batch in batches),
        tuple(sheet_of(b, batch[0].model).name for batch in batches),
        _facts(how),
        _not_counted(b, how.uses),
        m.strength(b, target),
        m.harm(b, unit, shots, _shares(b)),
    )


def valued(b: Battle40, target: Target) -> Target:
    """A target with what its models are worth: their share of what their unit costs."""
    share = _shares(b)
    bodies = tuple(msgspec.structs.replace(body, value=share[body.model]) for body in target.bodies)
    return msgspec.structs.replace(target, bodies=bodies)


def _shares(b: Battle40) -> dict[int, float]:
    each = [entry.points / entry.models for entry in b.setup.data.roster for _ in range(entry.models)]
    return dict(enumerate(each))


def _rerolled(v: Volley, again: Sequence[tuple[str, tuple[int, ...], Cites]]) -> Volley:
    """With the re-rolls that the question grants, beside those that the weapon has."""
    hit, wound = v.hit, v.wound
    for roll, faces, rules in again:
        if roll == "hit" and hit.rolled:
            more = tuple(sorted({*hit.reroll, *faces}))
            hit = msgspec.structs.replace(hit, reroll=more, cites=(*hit.cites, *rules))
        elif roll == "wound" and wound.rolled:
            more = tuple(sorted({*wound.reroll, *faces}))
            wound = msgspec.structs.replace(wound, reroll=more, cites=(*wound.cites, *rules))
    return msgspec.structs.replace(v, hit=hit, wound=wound)


def _not_counted(b: Battle40, at_work: Sequence[str]) -> tuple[str, ...]:
    """Abilities that are not enforced, or that work only at a moment which no question of odds comes to."""
    data = b.setup.data
    later = [c.name for c in data.abilities if any(e.at and isinstance(e, ON_ATTACKS) for e in c.effects)]
    stratagems = [s.name for s in data.stratagems]
    parts = [entry.name for entry in left_out(b) if entry.name not in stratagems]
    out = [f"{name} (at its moment)" for name in dict.fromkeys(later) if name not in at_work]
    return (*out, *(f"{name} (left to the players)" for name in dict.fromkeys(parts)))


def _facts(how: Situation) -> tuple[str, ...]:
    at_work = [f"{name} is at work" for name in how.uses]
    if how.melee:
        return ("every model fights, with the melee weapon that does most", *at_work)
    reach = "every weapon is in range" if how.distance is None else f'the units are {how.distance:g}" apart'
    half = () if how.distance is not None or HALF_RANGE in how.modifiers else ("and none within half range",)
    return (" ".join((reach, *half)), "each model fires everything it may, with the profiles that do most", *at_work)


# --- Which weapons ----------------------------------------------------------------------------------------------------


def _shooting(m: Meeting, b: Battle40, unit: Any, target: Any, how: Situation, by: tuple[str, ...]) -> list[Any]:
    """Each model fires everything that it may, with the profile that does most; of sorts that go alone, the best."""
    aiming = aiming_of(b)
    at = aiming.shot_at(b, unit, target, OVERWATCH in how.modifiers)
    known: dict[tuple[Any, ...], tuple[Any, float] | None] = {}
    found: dict[int, dict[str, list[tuple[Any, float]]]] = {}
    for row, model in enumerate(map(int, b.on_table(unit))):
        choices = found[model] = {"": []}
        for item in guns_carried(b, model):
            best = known.get(item.profiles)
            if item.profiles not in known:
                best = known[item.profiles] = _best_profile(m, b, unit, target, at, how, by, row, model, item.profiles)
            if best is not None:
                shot = msgspec.structs.replace(best[0], model=model)
                choices.setdefault(aiming.sort(shot.weapon), []).append((shot, best[1]))
    shots = _together(m, found, lambda model: aiming.free_hands(b, model))
    if not shots:
        raise UserError(_nothing_to_use(unit, target.name, how))
    return shots


def _best_profile(
    m: Meeting,
    b: Battle40,
    unit: Any,
    target: Any,
    at: Shot,
    how: Situation,
    by: tuple[str, ...],
    row: int,
    model: int,
    profiles: Sequence[Any],
) -> tuple[Any, float] | None:
    """The shot of one weapon that does most on average, and how much; None where it may not be fired."""
    usable = [p for p in profiles if _named(how, p) and _may_fire(m, b, unit, target, how, row, p)]
    if wanted := [p for p in usable if _label(p) in by]:
        usable = wanted
    elif OVERCHARGE not in how.modifiers:
        usable = [p for p in usable if not aiming_of(b).endangers(p)] or usable
    best: tuple[Any, float] | None = None
    for profile in usable:
        shot = aiming_of(b).fire(b, unit, row, model, profile, at)
        if how.distance is None:
            # The question itself says whether weapons are within half range.
            half = HALF_RANGE in how.modifiers and m.half_range_counts(b, unit, profile)
            shot = msgspec.structs.replace(shot, half_range=half)
        shot = m.under(shot, how)
        mean = mean_damage(b, unit, target, [shot])
        if best is None or mean > best[1]:
            best = (shot, mean)
    return best


def _may_fire(m: Meeting, b: Battle40, unit: Any, target: Any, how: Situation, row: int, profile: Any) -> bool:
    if not aiming_of(b).fits(b, unit, profile, target) or (UNSEEN in how.modifiers and not m.fires_unseen(profile)):
        return False
    return how.distance is None or bool((b.distances(unit, target)[row] <= steps(profile.range)).any())


def _together(
    m: Meeting, found: Mapping[int, Mapping[str, Sequence[tuple[Any, float]]]], free: Callable[[int], bool]
) -> list[Any]:
    """What is fired of all that could be: each model fires one sort of weapons, or all if it has its hands free."""
    shots: dict[int, list[Any]] = {}
    gains: list[tuple[float, int, Any]] = []
    for model, choices in found.items():
        usual = {sort: fired for sort, fired in choices.items() if sort not in m.once}
        chosen = max(usual.values(), key=_worth)
        if free(model):
            chosen = [pair for fired in usual.values() for pair in fired]
        shots[model] = [shot for shot, _ in chosen]
        thrown = [pair for sort in m.once for pair in choices.get(sort, ())]
        gains += [(mean - _worth(chosen), model, shot) for shot, mean in thrown]
    gain, model, shot = max(gains, key=lambda g: g[0], default=(0.0, -1, None))
    if gain > 0:
        shots[model] = [shot]
    return [shot for fired in shots.values() for shot in fired]


def _worth(fired: Sequence[tuple[Any, float]]) -> float:
    return sum(mean for _, mean in fired)


def _blows(m: Meeting, b: Battle40, unit: Any, target: Any, how: Situation, by: tuple[str, ...]) -> list[Any]:
    """Every model strikes with what does most, as a battle's default has it."""
    chosen = {
        (model, weapon.item)
        for model, weapon in m.melee_weapons(b, unit)
        if _named(how, weapon) and _label(weapon) in by
    }

    def used(model: int, weapon: Any) -> bool:
        return _named(how, weapon) and ((model, weapon.item) not in chosen or _label(weapon) in by)

    blows = m.blows(b, unit, used)
    if not blows:
        raise UserError(_nothing_to_use(unit, target.name, how))
    return blows


def _all_weapons(b: Battle40, unit: Any, *, ranged: bool) -> list[Any]:
    kits, sheets = b.setup.data.kits, b.setup.data.sheets
    found = [sheets[kits[m].sheet].weapons[i] for m in unit.models for i in kits[m].weapons]
    return list(dict.fromkeys(w for w in found if w.is_melee != ranged))


def _named(how: Situation, weapon: Any) -> bool:
    return not how.weapons or weapon.name in how.weapons or weapon.item in how.weapons


def _label(weapon: Any) -> str:
    """The name of a profile alone: "supercharge"."""
    return str(weapon.name).removeprefix(weapon.item).lstrip(", ")


def _with_proper_names(b: Battle40, unit: Any, how: Situation) -> Situation:
    """The situation with weapons named as on the datasheet, however they were written; refuses unknown ones."""
    there = _all_weapons(b, unit, ranged=not how.melee)
    items = list(dict.fromkeys(weapon.item for weapon in there))
    known = list(dict.fromkeys((*items, *(weapon.name for weapon in there))))
    labels = list(dict.fromkeys(label for weapon in there if (label := _label(weapon))))
    found: list[str] = []
    for name in how.weapons:
        if proper := meant_by(name, items) or meant_by(name, known):
            found.append(proper)
        elif label := meant_by(name, labels):
            found += [weapon.name for weapon in there if _label(weapon) == label]
        else:
            kind = "melee" if how.melee else "ranged"
            armed = f"{agree(unit, 'it')} {agree(unit, 'has')}: {', '.join(known) or 'none'}"
            raise UserError(f"{does(unit, 'has')} no {kind} weapon '{name}'; {armed}.")
    return msgspec.structs.replace(how, weapons=tuple(dict.fromkeys(found)))


def _nothing_to_use(unit: Any, whom: str, how: Situation) -> str:
    if how.melee:
        return f"{does(unit, 'has')} no melee weapon to strike {whom} with."
    where = "" if how.distance is None else f' from {how.distance:g}" away'
    weapon = f"no ranged weapon that {agree(unit, 'it')} may fire at {whom}{where}"
    return f"{does(unit, 'has')} {weapon}, the way things stand; try close combat."
