"""Shooting: one formation fires at another.

Pick a target, see who is suppressed, aim every weapon, roll to hit; then hits are allocated and saved, markers are
placed, and the target may break.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.battle.decisions import Assign, Assignment, ChooseSome, Option, Row
from sandtable.battle.rolls import Each, Sum, Total
from sandtable.battle.state import GONE
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.grammar import counted
from sandtable.reasons import Part, modifier
from sandtable.reasons import face as face_needed
from sandtable.rules import rule
from sandtable.rules.mark import Argument
from sandtable.systems.epica import crossfire as crossfires
from sandtable.systems.epica.blast_markers import breaks, give_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.cover import is_in_cover
from sandtable.systems.epica.datasheet import Firepower, Weapon
from sandtable.systems.epica.hits import Hits, allocate, can_be_hit, distances, roll_saves
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, label, sheet, stands
from sandtable.table.grid import Bools, Floats, steps

OPEN, COVER = "open", "cover"
AIMS: Final = (Option(OPEN, "units in the open"), Option(COVER, "units in cover"))


class Gun(NamedTuple):
    """Weapons that are alike in all that matters for one attack, one entry of `stands` for each."""

    row: str
    weapon: Weapon
    stands: tuple[int, ...]
    reach: tuple[int, ...]
    """Target units in range and line of fire"""
    covered: tuple[int, ...]
    """Those among them that are in cover from here"""


Aimed: TypeAlias = tuple[Gun, Assignment]
"""Weapons, with how many of them are fired at what."""


# --- The attack ------------------------------------------------------------------------------------------------------


@rule("epica.shoot.target_formation")
async def shoot(b: EpicBattle, formation: Formation, action: str) -> None:
    """Let a formation pick one enemy formation and shoot at it with whatever can."""
    able = [e for e in b.enemies_of(formation.player) if can_shoot_at(b, formation, e)]
    target = await b.choose(
        formation.player,
        "shoot-at",
        f"{formation.name}: shoot at",
        [Option(e.id, e.name, note_on(b, formation, e)) for e in able],
        optional=True,
        rules=("epica.shoot.target_formation",),
        unit=formation.id,
        about=crossfire_lines(b, formation, able),
    )
    if target is not None:
        await shoot_at(b, formation, b.unit(int(target)), action)


def note_on(world: EpicWorld, formation: Formation, target: Formation) -> str:
    """What matters for shooting at a target: who keeps their heads down, and whether it is caught in a crossfire."""
    silent, ready = len(silenced(world, formation, target)), len(in_position(world, formation, target))
    kept_down = [f"{silent} of {counted(ready, 'unit')} suppressed"] if silent else []
    caught = ["crossfire"] if crossfires.find_crossfire(world, formation, target) is not None else []
    return ", ".join((*kept_down, *caught))


def crossfire_lines(world: EpicWorld, formation: Formation, targets: Sequence[Formation]) -> dict[str, Any]:
    """The lines of crossfires, from stand to stand, to be drawn on the table; nothing where there is none."""
    found = [crossfires.find_crossfire(world, formation, target) for target in targets]
    lines_ = [{"from": line.near, "to": line.far, "text": "crossfire"} for line in found if line is not None]
    return {"lines": lines_} if lines_ else {}


async def shoot_at(b: EpicBattle, formation: Formation, target: Formation, action: str) -> bool:
    """Aim and fire at a given formation; says whether any weapon was fired."""
    silent = await suppress(b, formation, target)
    guns = guns_against(b, formation, target, silent)
    if not guns:
        return False
    about = {"suppressed": list(silent), **crossfire_lines(b, formation, [target])}
    aimed = await b.ask(question_of_aim(formation, target, guns, action, about))
    if not aimed:
        return False
    rows = {gun.row: gun for gun in guns}
    await fire(b, formation, target, [(rows[a.row], a) for a in aimed], action)
    return True


def question_of_aim(
    formation: Formation, target: Formation, guns: Sequence[Gun], action: str, about: Mapping[str, Any] | None = None
) -> Assign:
    """What weapons are fired at a target, and as what."""
    silent = len((about or {}).get("suppressed", ()))
    kept_down = f" ({counted(silent, 'unit')} suppressed)" if silent else ""
    return Assign(
        player=formation.player,
        kind="aim",
        prompt=f"{formation.name}: aim at {target.name}{kept_down}",
        rules=("epica.shoot.ap_at_choice", "epica.shoot.cover_choice"),
        unit=formation.id,
        rows=tuple(_row(gun) for gun in guns),
        targets=AIMS,
        everything=not BOOK.may_hold_fire,
        about={
            "target": target.id,
            "targets": [target.id],
            "action": action,
            "must_fire": action == "overwatch",
            **(about or {}),
        },
    )


@rule("epica.shoot.procedure")
async def fire(b: EpicBattle, formation: Formation, target: Formation, aimed: Sequence[Aimed], action: str) -> None:
    """Place the marker for coming under fire, roll, allocate and save, place markers for losses, see who breaks."""
    line = crossfires.find_crossfire(b, formation, target)
    b.tell(
        "shooting",
        f"{formation.name} shoot at {target.name}{', who are caught in a crossfire' if line else ''}.",
        "epica.shoot.procedure",
        *(("epica.crossfire.line",) if line else ()),
        units=[formation.id, target.id],
        crossfire=[line.near, line.far] if line else [],
    )
    due = await under_fire_markers(b, target)
    pools, shots = roll_to_hit(b, formation, target, aimed, action)
    lost = await resolve_hits(b, formation, target, pools, crossfire=line is not None)
    tell_losses(b, target, lost, shots, sum(p.number for p in pools))
    due += casualty_markers(len(lost)) + (crossfires.extra_markers(len(lost)) if line else 0)
    await give_markers(b, target, due, "for their losses", "epica.shoot.casualty_markers", source=stands(b, formation))
    check_break(b, target)


@rule("epica.shoot.under_fire_marker", "epica.bm.under_fire", "epica.shoot.harmless_fire", neutral=0)
async def under_fire_markers(b: EpicBattle, target: Formation) -> int:
    """The marker for being shot at comes before the dice; on a broken formation it is due as a hit afterwards."""
    if target.broken:
        return 1
    await give_markers(b, target, 1, "for coming under fire", "epica.shoot.under_fire_marker")
    return 0


@rule("epica.shoot.casualty_markers", "epica.bm.casualty", neutral=0)
def casualty_markers(lost: int) -> int:
    """One marker for each unit lost."""
    return lost


@rule("epica.shoot.break_check")
def check_break(b: EpicBattle, target: Formation) -> None:
    """When all is resolved, see whether the target breaks; it withdraws once this action is over."""
    breaks(b, target)


@rule("epica.shoot.macro_order", "epica.special.macro_allocation", neutral=())
def macro_hits(pools: Sequence[Hits]) -> tuple[Hits, ...]:
    """Macro-weapon hits, which come after all the others are done with."""
    return tuple(p for p in pools if p.kind == "MW")


async def resolve_hits(
    b: EpicBattle, formation: Formation, target: Formation, pools: Sequence[Hits], *, crossfire: bool
) -> list[int]:
    """Allocate and save, normal hits before macro-weapon hits; returns the units lost, which are gone then."""
    lost: list[int] = []
    for part in (tuple(p for p in pools if p.kind != "MW"), macro_hits(pools)):
        left = stands(b, target)
        batch = tuple(p._replace(candidates=tuple(c for c in p.candidates if c in left)) for p in part)
        if not any(p.number and p.candidates for p in batch):
            continue
        load = await allocate(b, target.player, batch, stands(b, formation))
        dead = roll_saves(
            b,
            load,
            batch[0].kind,
            cover=True,
            modifier=lambda s: crossfires.crossfire_save_modifier(b, s) if crossfire else 0,
        )
        b.place_models(dead, GONE)
        lost += dead
    return lost


def tell_losses(b: EpicBattle, target: Formation, lost: Sequence[int], shots: int, hits: int) -> None:
    """What came of an attack, also where that is nothing: whoever draws its dice in one line learns where it ends."""
    b.tell(
        "destroyed" if lost else "unharmed",
        f"{target.name} lose {len(lost) or 'none'} of their units to the fire.",
        "epica.shoot.saves",
        units=[target.id],
        attacks=shots,
        hits=hits,
        lost=len(lost),
        stands=list(lost),
    )


# --- Who may shoot ---------------------------------------------------------------------------------------------------


def can_shoot_at(world: EpicWorld, formation: Formation, target: Formation) -> Verdict:
    """Whether any unit of a formation could shoot at another now."""
    if not world.is_on_table(target):
        return refuse(f"{target.name} is not on the table.", "epica.shoot.target_formation")
    if not world.are_enemies(formation, target):
        return refuse(f"{target.name} is no enemy of {formation.name}.", "epica.shoot.target_formation")
    ready = in_position(world, formation, target)
    armed = [s for s in ready if any(_reached(world, formation, target, s, w).any() for w in sheet(world, s).guns)]
    if not armed:
        return refuse(
            f"No weapon of {formation.name} has {target.name} in range and line of fire.",
            "epica.shoot.eligible",
            "epica.shoot.range",
            "epica.shoot.small_arms_cannot",
        )
    if suppressed_count(formation) >= len(ready) or not _left_to_shoot(world, formation, target, ready, armed):
        return refuse(
            f"Blast markers keep every unit of {formation.name} from shooting at {target.name}.",
            "epica.suppress.count",
            markers=formation.markers,
        )
    return ALLOWED


def _left_to_shoot(
    world: EpicWorld, formation: Formation, target: Formation, ready: list[int], armed: list[int]
) -> bool:
    """Whether some armed unit is left once the rearmost are suppressed; a tie leaves the choice to the player."""
    count = suppressed_count(formation)
    if not count:
        return True
    order = back_to_front(world, ready, target)
    far = distances(world, order, stands(world, target))
    certain = [s for s, d in zip(order[:count], far[:count], strict=True) if d > far[count]]
    return any(s not in certain for s in armed)


@rule("epica.shoot.eligible", neutral=())
def in_position(world: EpicWorld, formation: Formation, target: Formation) -> list[int]:
    """The units with a weapon, were it only small arms, that has the target in range and line of fire."""
    found = []
    for stand in stands(world, formation):
        if can_be_suppressed(world, formation, target, stand):
            found.append(stand)
    return found


@rule("epica.suppress.eligible", neutral=False)
def can_be_suppressed(world: EpicWorld, formation: Formation, target: Formation, stand: int) -> bool:
    """Whether a unit counts for suppression: range and line of fire are enough, a gun that could fire is not needed."""
    return any(_reached(world, formation, target, stand, w).any() for w in sheet(world, stand).weapons if w.is_ranged)


def _reached(world: EpicWorld, formation: Formation, target: Formation, stand: int, weapon: Weapon) -> Bools:
    """Which units of the target a weapon has in range and line of fire, in the order of its stands."""
    row = stands(world, formation).index(stand)
    gap: Floats = world.gaps(formation, target)[row]
    clear: Bools = lines(world, formation, target).clear[row]
    reached: Bools = clear & in_range(gap, weapon)
    return reached


@rule("epica.shoot.range", "epica.concept.range_measurement", neutral=np.True_)
def in_range(gap: Floats, weapon: Weapon) -> Bools:
    """Which gaps, from base edge to base edge, a weapon reaches across; exactly its range is in range."""
    reached: Bools = np.less_equal(gap, steps(weapon.range))
    return reached


# --- Suppression -----------------------------------------------------------------------------------------------------


@rule("epica.suppress.count", "epica.bm.effects", neutral=0)
def suppressed_count(formation: Formation) -> int:
    """How many units of a formation its blast markers silence."""
    return formation.markers


@rule("epica.suppress.order", neutral=Argument("ready"))
def back_to_front(world: EpicWorld, ready: list[int], target: Formation) -> list[int]:
    """Units in position to shoot, those furthest from the target first."""
    far = distances(world, ready, stands(world, target))
    return [ready[i] for i in np.argsort(-far, kind="stable")]


def silenced(world: EpicWorld, formation: Formation, target: Formation) -> tuple[int, ...]:
    """The units that blast markers keep from shooting at a target; of those equally far away, the first."""
    ready = in_position(world, formation, target)
    count = min(suppressed_count(formation), len(ready))
    return tuple(back_to_front(world, ready, target)[:count]) if count else ()


async def suppress(b: EpicBattle, formation: Formation, target: Formation) -> tuple[int, ...]:
    """The units that blast markers keep from shooting at this target; their owner chooses between equals."""
    ready = in_position(b, formation, target)
    count = min(suppressed_count(formation), len(ready))
    if not count or not ready:
        return ()
    order = back_to_front(b, ready, target)
    if count >= len(order) or not order:
        return tuple(order)
    far = distances(b, order, stands(b, target))
    edge = far[count - 1]
    if far[count] != edge:
        silent = tuple(order[:count])
    else:
        sure = [s for s, d in zip(order, far, strict=True) if d > edge]
        tied = [s for s, d in zip(order, far, strict=True) if d == edge]
        chosen = await b.ask(
            ChooseSome(
                player=formation.player,
                kind="suppress",
                deed="Keep down",
                prompt=f"{formation.name}: these are equally far from {target.name}; who keeps their heads down?",
                rules=("epica.suppress.order",),
                unit=formation.id,
                options=tuple(Option(s, label(b, s)) for s in tied),
                least=count - len(sure),
                most=count - len(sure),
            )
        )
        silent = (*sure, *(int(s) for s in chosen))
    b.tell(
        "suppressed",
        f"{formation.name}: {count} {'units are' if count > 1 else 'unit is'} suppressed.",
        "epica.suppress.count",
        units=[formation.id],
        stands=list(silent),
    )
    return silent


# --- Aiming ----------------------------------------------------------------------------------------------------------


def guns_against(world: EpicWorld, formation: Formation, target: Formation, silent: Sequence[int]) -> list[Gun]:
    """The weapons that can fire at a target, alike ones together."""
    theirs = stands(world, target)
    hidden = lines(world, formation, target).hidden
    own_cover = np.array([is_in_cover(world, t) for t in theirs], dtype=np.bool_)
    found: dict[tuple[str, Firepower | None, bytes, bytes], list[tuple[int, Weapon, Bools, Bools]]] = {}
    for row, stand in enumerate(stands(world, formation)):
        if stand in silent:
            continue
        for weapon in sheet(world, stand).guns:
            reach = _reached(world, formation, target, stand, weapon)
            if reach.any():
                covered = reach & (own_cover | hidden[row])
                key = (weapon.name, weapon.firepower, reach.tobytes(), covered.tobytes())
                found.setdefault(key, []).extend([(stand, weapon, reach, covered)] * number_carried(weapon))
    guns = []
    for number, entries in enumerate(found.values(), 1):
        _, weapon, reach, covered = entries[0]
        guns.append(
            Gun(
                f"{weapon.name} {number}",
                weapon,
                tuple(e[0] for e in entries),
                tuple(t for t, r in zip(theirs, reach, strict=True) if r),
                tuple(t for t, c in zip(theirs, covered, strict=True) if c),
            )
        )
    return guns


def _row(gun: Gun) -> Row:
    aims = tuple(a for a, there in ((OPEN, len(gun.covered) < len(gun.reach)), (COVER, bool(gun.covered))) if there)
    return Row(gun.row, gun.row, len(gun.stands), aims, kinds_of_fire(gun.weapon), tuple(dict.fromkeys(gun.stands)))


@rule("epica.weapon.count", neutral=1)
def number_carried(weapon: Weapon) -> int:
    """How many weapons of a line a unit fires, each on its own."""
    return weapon.count


@rule("epica.weapon.firepower", "epica.shoot.ap_at_choice", neutral=("AP",))
def kinds_of_fire(weapon: Weapon) -> tuple[str, ...]:
    """What a weapon can be fired as; one of these each time, never two."""
    return weapon.firepower.kinds if weapon.firepower is not None else ()


@rule("epica.shoot.cover_choice", neutral=ALLOWED)
def one_aim_for_each_kind(aimed: Sequence[Assignment]) -> Verdict:
    """All fire of a kind goes at units in cover, or all of it at units in the open."""
    aims: dict[str, str] = {}
    for a in aimed:
        if aims.setdefault(a.mode, str(a.target)) != a.target:
            return refuse(
                f"All {a.mode} fire has to go the same way: at units in the open or at units in cover.",
                "epica.shoot.cover_choice",
            )
    return ALLOWED


def judge_aim(world: EpicWorld, decision: Assign, aimed: Sequence[Assignment]) -> Verdict:
    """Whether weapons may be aimed like this."""
    if not aimed and decision.about.get("must_fire"):
        return refuse("Overwatch fire that is called for has to fire something.", "epica.overwatch.trigger")
    return one_aim_for_each_kind(aimed)


# --- Rolling to hit --------------------------------------------------------------------------------------------------


def roll_to_hit(
    b: EpicBattle, formation: Formation, target: Formation, aimed: Sequence[Aimed], action: str
) -> tuple[list[Hits], int]:
    """Roll for all shots; hits by kind, with the units that they can fall on, and how many shots there were."""
    fired = 0
    hits: dict[str, int] = {}
    reach: dict[str, list[int]] = {}
    for gun, a in aimed:
        fire_ = gun.weapon.firepower
        assert fire_ is not None
        shots = number_of_shots(b, formation, fire_, a.count)
        fired += shots
        needed = fire_.value(a.mode) - to_hit_modifier(action, in_cover=a.target == COVER)
        read = read_shots(fire_.value(a.mode), action, needed, in_cover=a.target == COVER)
        faces = b.roll(shots, "hit", formation.player, rules=("epica.shoot.to_hit",), read=read)
        scored = sum(shot_hits(b, formation, face, needed) for face in faces)
        hits[a.mode] = hits.get(a.mode, 0) + scored
        aimed_at = gun.covered if a.target == COVER else [t for t in gun.reach if t not in gun.covered]
        reach.setdefault(a.mode, []).extend(aimed_at)
    return [
        Hits(kind, count, potential_targets(b, kind, reach[kind], stands(b, target)))
        for kind, count in sorted(hits.items())
    ], fired


def read_shots(value: int, action: str, needed: int, *, in_cover: bool) -> Each:
    """How to-hit dice are read: a 1 misses always, and what needs more than a 6 needs another roll after it."""
    why = [face_needed(value, "epica.shoot.to_hit")]
    if action_modifier(action):
        why.append(modifier(action_modifier(action), "epica.shoot.to_hit_modifiers", action))
    if in_cover:
        why.append(modifier(BOOK.hit_in_cover, "epica.shoot.to_hit_modifiers", "cover"))
    if needed <= 6:
        return Each("hit(s)", tuple(why), max(2, needed))
    if not second_roll(needed):
        return Each("hit(s)", tuple(why), needed)
    return Each("to be rolled again", (*why, Part(f"6, then {second_roll(needed)}+")), 6)


@rule("epica.shoot.allocation_targets", neutral=())
def potential_targets(world: EpicWorld, kind: str, reached: Sequence[int], members: Sequence[int]) -> tuple[int, ...]:
    """The units that hits of a kind can fall on: of the right type, and reached by a weapon that fired that kind."""
    return tuple(t for t in members if t in reached and can_be_hit(sheet(world, t).type, kind))


def number_of_shots(b: EpicBattle, formation: Formation, firepower: Firepower, weapons: int) -> int:
    """How many dice some weapons roll; a multiplier that is a die is rolled anew each time."""
    if not firepower.die:
        return firepower.dice * weapons
    die = f"D{firepower.die}"
    one = (Part(f"{weapons} x {die}" if weapons > 1 else die),)
    read = Total("shot(s)", one, sums=(Sum((firepower.die,) * weapons),))
    faces = b.roll(weapons, "number of shots", formation.player, rules=("epica.weapon.dice_multiplier",), read=read)
    return sum(d3(face) if firepower.die == 3 else face for face in faces)


@rule("epica.dice.notation", neutral=1)
def d3(face: int) -> int:
    """A D3 is half a D6, fractions up."""
    return (face + 1) // 2


@rule("epica.shoot.to_hit_modifiers", neutral=0)
def to_hit_modifier(action: str, *, in_cover: bool) -> int:
    """All that makes a shot easier or harder, added up."""
    return action_modifier(action) + (BOOK.hit_in_cover if in_cover else 0)


@rule("epica.action.double", "epica.action.sustained_fire", neutral=0)
def action_modifier(action: str) -> int:
    """What the action of the shooters does to their aim."""
    return BOOK.hit_by_action.get(action, 0)


@rule("epica.shoot.to_hit", "epica.shoot.seven_plus", "epica.shoot.natural_one", neutral=False)
def shot_hits(b: EpicBattle, formation: Formation, face: int, needed: int) -> bool:
    """Whether a shot hits, with a second roll where more than a 6 is needed."""
    if always_misses(face):
        return False
    if needed <= 6:
        return face >= needed
    second = second_roll(needed)
    if face < 6 or not second:
        return False
    read = Each("it hits/it misses", needed=second)
    return b.roll_one("hit again", formation.player, rules=("epica.shoot.seven_plus",), read=read) >= second


@rule("epica.shoot.natural_one", neutral=False)
def always_misses(face: int) -> bool:
    """A rolled 1 misses, whatever is needed."""
    return face == 1


@rule("epica.shoot.seven_plus", neutral=0)
def second_roll(needed: int) -> int:
    """What has to follow a 6 when that many are needed; 0 when it cannot be done."""
    return BOOK.second_roll.get(needed, 0)
