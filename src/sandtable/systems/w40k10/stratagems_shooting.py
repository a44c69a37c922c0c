"""Stratagems around attacks: Command Re-roll, Fire Overwatch, Go to Ground, Smokescreen, Grenade, Epic Challenge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Reaction, Value
from sandtable.kit.attacks import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.attacks import INVULNERABLE, STEALTH
from sandtable.systems.w40k10.concepts import engaged, engaged_enemies, has_keyword, is_engaged
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.dice import may_reroll, reroll
from sandtable.systems.w40k10.mortal import inflict
from sandtable.systems.w40k10.shooting import OVERWATCH_RANGE, eligible_to_shoot, guns_of, shoot
from sandtable.systems.w40k10.state import Battle10, Unit, World10, is_attached, sheet_of
from sandtable.systems.w40k10.stratagems import (
    COMMAND_REROLL,
    EPIC_CHALLENGE,
    FIRE_OVERWATCH,
    GO_TO_GROUND,
    GRENADE,
    SMOKESCREEN,
    reaction,
)
from sandtable.systems.w40k10.triggers import (
    AFTER_ROLL,
    TARGETS_SELECTED,
    UNIT_MOVE_BEGAN,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_SET_UP,
    UNIT_TO_SHOOT,
)
from sandtable.systems.w40k10.visibility import sees
from sandtable.table.grid import steps

REROLLABLE: Final = frozenset(
    {"hit", "wound", "damage", "save", "advance", "charge", "desperate escape", "hazardous", "attacks"}
)
GRENADE_RANGE: Final = steps(8)
GRENADE_DICE: Final = 6
GRENADE_WOUNDS: Final = 4
GROUND_SAVE: Final = 6


# --- Command Re-roll --------------------------------------------------------------------------------------------------


@rule("w40k10.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle10, player: int, moment: Moment) -> bool:
    """One of the listed rolls, made by the player."""
    return moment.data["roll"] in REROLLABLE and b.unit(moment.unit).player == player


def rerolls(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The dice that may be picked: one option for each different result, the worst first."""
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        return _of_batch(batch)
    data = moment.data
    if data["sum"]:
        return [Option(0, _text(data["roll"], data["faces"]))] if may_reroll(data, 0) else []
    faces: dict[int, int] = {}
    for die, face in enumerate(data["faces"]):
        if may_reroll(data, die):
            faces.setdefault(face, die)
    return [Option(die, _text(data["roll"], (face,))) for face, die in sorted(faces.items())]


def _of_batch(batch: Roll) -> list[Option]:
    different: dict[tuple[int, ...], int] = {}
    for which in batch.open():
        different.setdefault(tuple(batch.faces[i] for i in batch.dice_of(which)), which)
    return [Option(which, _text(batch.kind, faces)) for faces, which in different.items()]


def _text(kind: str, faces: tuple[int, ...]) -> str:
    return f"the {' and '.join(map(str, faces))} of the {kind} roll"


def worth_rerolling(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether another result could be better by much: a failure, or a low number."""
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        score = batch.score[int(use)]
        return score == 0 or (batch.kind in ("damage", "attacks") and 2 * score < batch.best)
    data = moment.data
    result = sum(data["faces"]) if data["sum"] else data["faces"][int(use)]
    low = 8 if data["sum"] and len(data["faces"]) > 1 else 4
    return bool(result < (data.get("need") or low))


async def use_command_reroll(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        moment.data["faces"] = reroll_one(b, batch, int(use), COMMAND_REROLL.rule)
        return
    reroll(b, b.unit(moment.unit), moment.data, int(use), COMMAND_REROLL.rule)


def _for_roller(b: Battle10, player: int, moment: Moment, use: Value) -> int:
    return moment.unit


# --- Fire Overwatch ---------------------------------------------------------------------------------------------------


@rule("w40k10.strat.fire_overwatch", neutral=False)
def may_overwatch(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 24" that could shoot the enemy in a Shooting phase of its own."""
    return (
        w.is_on_table(unit)
        and w.distance(unit, enemy) <= OVERWATCH_RANGE
        and bool(eligible_to_shoot(w, unit))
        and any(g.anything for g in guns_of(w, unit, enemy.id))
    )


def _enemy_acts(b: Battle10, player: int, moment: Moment) -> bool:
    return b.side(b.unit(moment.unit).player) != b.side(player)


def overwatchers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    if not b.is_on_table(enemy):
        return []
    return [Option(u.id, u.name) for u in b.units_of(player) if may_overwatch(b, u, enemy)]


async def overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    unit = b.unit(int(use))
    await b.act(unit, shoot(b, unit, moment.unit, overwatch=True))


# --- Under fire -------------------------------------------------------------------------------------------------------


def _under_fire(b: Battle10, player: int, moment: Moment) -> bool:
    return b.state.game.phase == "shooting" and b.side(b.unit(moment.unit).player) != b.side(player)


def _targets_with(b: Battle10, player: int, moment: Moment, keyword: str) -> list[Option]:
    units = [b.unit(t) for t in moment.data["targets"]]
    return [Option(u.id, u.name) for u in units if u.player == player and has_keyword(b, u, keyword)]


@rule("w40k10.strat.go_to_ground", neutral=[])
def infantry_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return _targets_with(b, player, moment, "INFANTRY")


async def go_to_ground(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    source = GO_TO_GROUND.rule
    b.add_effect(Effect(INVULNERABLE, int(use), GROUND_SAVE, source=source, until="phase"))
    b.add_effect(Effect(COVER, int(use), 1, source=source, until="phase"))


def helps_on_the_ground(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """It changes nothing for models with an invulnerable save that are in cover already, by an effect."""
    unit = b.unit(int(use))
    saved = all(sheet_of(b, int(m)).invulnerable for m in b.on_table(unit))
    return not (saved and b.affected(COVER, unit.id))


@rule("w40k10.strat.smokescreen", neutral=[])
def smoke_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return _targets_with(b, player, moment, "SMOKE")


async def smokescreen(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    source = SMOKESCREEN.rule
    b.add_effect(Effect(STEALTH, int(use), 1, source=source, until="phase"))
    b.add_effect(Effect(COVER, int(use), 1, source=source, until="phase"))


# --- Grenade ----------------------------------------------------------------------------------------------------------


def throwers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """One option for each thrower and each unit that it could throw at."""
    found = []
    for unit in b.units_of(player):
        if not may_throw(b, unit):
            continue
        for enemy in b.enemies_of(player):
            if may_be_thrown_at(b, unit, enemy):
                found.append(Option(f"{unit.id}>{enemy.id}", f"{unit.name} at {enemy.name}"))
    return found


@rule("w40k10.strat.grenade", neutral=False)
def may_throw(w: World10, unit: Unit) -> bool:
    return w.is_on_table(unit) and not unit.shot and has_keyword(w, unit, "GRENADES") and not is_engaged(w, unit)


@rule("w40k10.strat.grenade", neutral=False)
def may_be_thrown_at(w: World10, unit: Unit, enemy: Unit) -> bool:
    if not w.is_on_table(enemy) or w.distance(unit, enemy) > GRENADE_RANGE:
        return False
    mates = (f for f in w.friends_of(unit.player) if w.is_on_table(f))
    return not any(engaged(w, f, enemy) for f in mates) and sees(w, unit, enemy)


async def grenade(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    thrower, enemy = (int(v) for v in str(use).split(">"))
    faces = b.roll(GRENADE_DICE, "grenade", player, rules=(GRENADE.rule,))
    points = sum(1 for f in faces if f >= GRENADE_WOUNDS)
    await inflict(b, b.unit(enemy), points, GRENADE.rule, by=thrower)


def _thrower(b: Battle10, player: int, moment: Moment, use: Value) -> int:
    return int(str(use).split(">")[0])


# --- Epic Challenge ---------------------------------------------------------------------------------------------------


def _own_fight(b: Battle10, player: int, moment: Moment) -> bool:
    return b.unit(moment.unit).player == player


@rule("w40k10.strat.epic_challenge", neutral=[])
def challengers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The CHARACTER models of the unit, if it is engaged with an Attached unit."""
    unit = b.unit(moment.unit)
    if not any(is_attached(b, e) for e in engaged_enemies(b, unit)):
        return []
    return [Option(m, f"{sheet_of(b, m).name} {m}") for m in melee.characters(b, unit)]


async def epic_challenge(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    b.add_effect(Effect(melee.CHALLENGE, moment.unit, int(use), source=EPIC_CHALLENGE.rule, until="phase"))


REACTIONS: Final[tuple[Reaction, ...]] = (
    reaction(
        COMMAND_REROLL,
        AFTER_ROLL,
        effect=use_command_reroll,
        targets=rerolls,
        when=can_be_rerolled,
        worth=worth_rerolling,
        for_unit=_for_roller,
    ),
    *(
        reaction(FIRE_OVERWATCH, trigger, effect=overwatch, targets=overwatchers, when=_enemy_acts)
        for trigger in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)
    ),
    reaction(
        GO_TO_GROUND,
        TARGETS_SELECTED,
        effect=go_to_ground,
        targets=infantry_under_fire,
        when=_under_fire,
        worth=helps_on_the_ground,
    ),
    reaction(SMOKESCREEN, TARGETS_SELECTED, effect=smokescreen, targets=smoke_under_fire, when=_under_fire),
    reaction(GRENADE, UNIT_TO_SHOOT, effect=grenade, targets=throwers, for_unit=_thrower),
    reaction(
        EPIC_CHALLENGE,
        UNIT_SELECTED_TO_FIGHT,
        effect=epic_challenge,
        targets=challengers,
        when=_own_fight,
        for_unit=_for_roller,
    ),
)
