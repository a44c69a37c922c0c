"""What shooting at a formation would do to it: units lost, and the chance that it breaks or is destroyed.

What is compiled is loaded only where somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import (
    CANNOT_BE_HIT,
    NEVER,
    Attack,
    Body,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundFace,
    WoundKind,
    WoundRoll,
    dice,
)
from sandtable.battle.decisions import Assign, Assignment, Choose, Value
from sandtable.battle.system import Outlook
from sandtable.kit.grammar import counted
from sandtable.systems.epica import assault_odds
from sandtable.systems.epica import crossfire as crossfires
from sandtable.systems.epica.actions import is_steady, may_activate, may_stand_still
from sandtable.systems.epica.aiming import at, default_aim, firing
from sandtable.systems.epica.hits import front_to_back, may_save_against, modified_save, save_of
from sandtable.systems.epica.shooting import (
    COVER,
    Aimed,
    Gun,
    can_shoot_at,
    casualty_markers,
    guns_against,
    potential_targets,
    question_of_aim,
    second_roll,
    silenced,
    to_hit_modifier,
)
from sandtable.systems.epica.state import EpicWorld, Formation, stands

ROLLS: Final = 10_000
SEED: Final = 10
"""Always the same dice, where chances cannot be reckoned exactly: they do not change by asking twice."""
KINDS: Final = ("AP", "AT", "MW")
"""Kinds of fire, each with a saving throw of its own."""
NOT_ROLLED: Final = WoundRoll((WoundFace(0),) * 6, rolled=False)
WORDS: Final = {
    "advance": "on an advance",
    "double": "on a double",
    "hold": "on hold",
    "marshal": "while it marshals",
    "overwatch": "on overwatch",
    "sustained": "on sustained fire",
}


class Chances(NamedTuple):
    """What comes of shooting at a formation."""

    lost: float
    """Units lost on average..."""
    of: int
    """...of so many."""
    any: float
    """The chance that at least one is."""
    destroyed: float
    broken: float
    """The chance that it breaks by this; 0 for one that is broken already."""


# --- The attack as the solver takes it -------------------------------------------------------------------------------


def attack_of(
    world: EpicWorld, formation: Formation, target: Formation, aimed: Sequence[Aimed], action: str, *, crossfire: bool
) -> Attack:
    """All that a formation fires at another."""
    reach: dict[str, list[int]] = {kind: [] for kind in KINDS}
    volleys = []
    for gun, a in aimed:
        reach[a.mode] += at(gun, str(a.target))
        volley = volley_of(gun, a, action)
        if volley is not None:
            volleys.append(volley)
    members = stands(world, target)
    can_be = {kind: potential_targets(world, kind, reach[kind], members) for kind in KINDS}
    bodies = []
    for stand in front_to_back(world, tuple(members), stands(world, formation)):
        changed = crossfires.crossfire_save_modifier(world, stand) if crossfire else 0
        save = modified_save(save_of(world, stand), changed)
        saves = [(save if may_save_against(k) else NEVER) if stand in can_be[k] else CANNOT_BE_HIT for k in KINDS]
        bodies.append(Body(stand, 1, 1, tuple(saves)))
    return Attack(tuple(volleys), Target(tuple(bodies)), Procedure.SPREAD)


def volley_of(gun: Gun, a: Assignment, action: str) -> Volley | None:
    """The shots of some weapons that are alike; None where they cannot hit."""
    fire = gun.weapon.firepower
    if fire is None:
        return None
    needed = fire.value(a.mode) - to_hit_modifier(action, in_cover=a.target == COVER)
    again = second_roll(needed) if needed > 6 else 0
    if needed > 6 and not again:
        return None
    shots = Shots(a.count, dice(f"D{fire.die}" if fire.die else fire.dice))
    # The roll that has to follow a 6 takes the place of a wound roll, which there is none of.
    hit = hit_table(min(needed, 6), crit=NEVER, always=NEVER)
    then = wound_table(again, crit=NEVER, always=NEVER) if again else NOT_ROLLED
    kind = WoundKind(KINDS.index(a.mode), dice(1))
    return Volley(gun.row, (shots,), hit, then, (kind,), step=int(not may_save_against(a.mode)))


def losses(attack: Attack) -> tuple[float, ...]:
    """The chance of each number of units lost: exactly, where that takes no ages."""
    from sandtable.attack.bounds import Unsolvable
    from sandtable.attack.montecarlo import roll
    from sandtable.attack.solver import solve

    if not attack.volleys:
        return (1.0, *(0.0 for _ in attack.target.bodies))
    try:
        return tuple(float(chance) for chance in solve(attack).killed)
    except Unsolvable:
        rolled = roll(attack, ROLLS, SEED)
        return tuple(count / rolled.rolls for count in rolled.killed)


def chances(world: EpicWorld, formation: Formation, target: Formation, aimed: Sequence[Aimed], action: str) -> Chances:
    """What comes of weapons that are fired at a formation, with the markers that it gets."""
    crossfire = crossfires.find_crossfire(world, formation, target) is not None
    attack = attack_of(world, formation, target, aimed, action, crossfire=crossfire)
    of = len(attack.target.bodies)
    mean = any_ = destroyed = broken = 0.0
    for number, chance in enumerate(losses(attack)):
        # One marker for coming under fire, and more for what is lost; on who is broken each of them is a hit.
        markers = 1 + casualty_markers(number) + (crossfires.extra_markers(number) if crossfire else 0)
        lost = min(of, number + markers) if target.broken else number
        mean += chance * lost
        any_ += chance * (lost > 0)
        destroyed += chance * (lost >= of)
        broken += chance * (not target.broken and lost < of and target.markers + markers >= of - lost)
    return Chances(mean, of, any_, destroyed, broken)


# --- Questions -------------------------------------------------------------------------------------------------------


def usual_fire(world: EpicWorld, formation: Formation, target: Formation, action: str) -> list[Aimed]:
    """What a formation would fire at another, aimed as most would."""
    guns = guns_against(world, formation, target, silenced(world, formation, target))
    question = question_of_aim(formation, target, guns, action)
    return with_guns(guns, default_aim(world, question))


def with_guns(guns: Sequence[Gun], aimed: Sequence[Assignment]) -> list[Aimed]:
    rows = {gun.row: gun for gun in guns}
    return [(rows[a.row], a) for a in aimed if a.row in rows]


def of_aim(world: EpicWorld, decision: Assign, aimed: Sequence[Assignment]) -> Chances:
    """What an aim does; whoever is in no row is suppressed."""
    formation, target = world.unit(decision.unit), world.unit(int(decision.about["target"]))
    return chances(world, formation, target, with_guns(firing(world, decision), aimed), str(decision.about["action"]))


def chance_of_aim(world: EpicWorld, decision: Assign, aimed: Sequence[Assignment]) -> float:
    """The chance that at least one unit is lost to an aim."""
    return of_aim(world, decision, aimed).any if aimed else 0.0


def outlook_of_aim(world: EpicWorld, decision: Assign, aimed: Sequence[Assignment]) -> Iterator[Outlook]:
    """What an aim does to its target."""
    if aimed:
        yield outlook(int(decision.about["target"]), of_aim(world, decision, aimed))


def at_target(world: EpicWorld, decision: Choose, answer: Value) -> Chances:
    """What picking a target comes to, with every weapon aimed as most would."""
    formation, target = world.unit(decision.unit), world.unit(int(answer))
    return chances(world, formation, target, usual_fire(world, formation, target, formation.action), formation.action)


def best_target(world: EpicWorld, decision: Choose) -> Value | None:
    """The target that shooting does most to; nobody only where there is nothing to fire."""
    formation = world.unit(decision.unit)
    able = [
        o.value for o in decision.options if usual_fire(world, formation, world.unit(int(o.value)), formation.action)
    ]
    return max(able, key=lambda target: effect(at_target(world, decision, target)), default=None)


def effect(found: Chances) -> float:
    """What shooting does, in units: those that are lost, and half of the others where they break."""
    return found.lost + found.broken * (found.of - found.lost) / 2


def chance_at(world: EpicWorld, decision: Choose, answer: Value | None) -> float | None:
    """The chance that at least one unit of a target is lost."""
    return None if answer is None else at_target(world, decision, answer).any


def outlook_at(world: EpicWorld, decision: Choose, answer: Value | None) -> Iterator[Outlook]:
    """What shooting at a target does to it."""
    if answer is not None:
        yield outlook(int(answer), at_target(world, decision, answer))


def outlook(target: int, found: Chances) -> Outlook:
    return Outlook(target, found.lost, found.of, found.lost, found.destroyed, broken=found.broken)


# --- In sentences ----------------------------------------------------------------------------------------------------


def forecast(world: EpicWorld, formation: Any, target: Any) -> Iterator[str]:
    """What shooting at a formation, and engaging it, would do from where both stand."""
    if not world.is_on_table(formation):
        yield f"{formation.name} is not on the table."
        return
    verdict = is_steady(formation) and can_shoot_at(world, formation, target)
    if not verdict:
        yield from (reason.text for reason in verdict.reasons)
    else:
        yield from _shooting(world, formation, target)
    if may_activate(world, formation) and world.are_enemies(formation, target) and world.is_on_table(target):
        yield from assault_odds.in_words(world, formation, target)


def _shooting(world: EpicWorld, formation: Formation, target: Formation) -> Iterator[str]:
    silent = len(silenced(world, formation, target))
    kept_down = f" ({counted(silent, 'unit')} suppressed)" if silent else ""
    for action in likely_actions(world, formation):
        aimed = usual_fire(world, formation, target, action)
        found = chances(world, formation, target, aimed, action)
        how = f"{WORDS.get(action, 'now')} with {weapons(aimed)}{kept_down}"
        yield f"Shooting from here {how}: {what_it_does(found)}"
    if crossfires.find_crossfire(world, formation, target) is not None:
        yield f"{target.name} would be caught in a crossfire."


def likely_actions(world: EpicWorld, formation: Formation) -> list[str]:
    """As what a formation would shoot: as it has acted, or lies in wait, or could still act without moving."""
    if formation.overwatch:
        return ["overwatch"]
    if formation.acted:
        return [formation.action]
    return ["advance", *(["sustained"] if may_stand_still(world, formation, "sustained fire") else [])]


def weapons(aimed: Sequence[Aimed]) -> str:
    """What is fired: "5 x Missile Launcher, 1 x Demolisher"."""
    found: Counter[str] = Counter()
    for gun, a in aimed:
        found[gun.weapon.name] += a.count
    return ", ".join(f"{n} x {name}" for name, n in found.items()) or "nothing"


def what_it_does(found: Chances) -> str:
    """Units lost on average, and the chances that it breaks and that nothing is left."""
    parts = [f"{found.lost:.1f} of {counted(found.of, 'unit')} on average"]
    if found.broken >= 0.005:
        parts.append(f"{100 * found.broken:.0f} % to break it")
    return ", ".join((*parts, f"{100 * found.destroyed:.0f} % to destroy it."))
