"""Stratagems around attacks: Command Re-roll, Fire Overwatch, Go to Ground, Smokescreen, Grenade, Epic Challenge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from sandtable.attack.volley import NEVER
from sandtable.battle import Effect, Moment, Option, Reaction, Value
from sandtable.battle.rolls import Each
from sandtable.forty.aiming import guns_carried, guns_of
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.moments import (
    AFTER_ROLL,
    TARGETS_SELECTED,
    UNIT_MOVE_BEGAN,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_SET_UP,
    UNIT_TO_SHOOT,
)
from sandtable.forty.state import is_attached
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.averages import of_weapon
from sandtable.systems.w40k10.concepts import engaged_enemies, has_keyword, is_engaged
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.dice import may_reroll, reroll
from sandtable.systems.w40k10.estimate import saved_by
from sandtable.systems.w40k10.hit_and_wound import STEALTH, overwatch_need
from sandtable.systems.w40k10.mortal import inflict
from sandtable.systems.w40k10.saves import INVULNERABLE
from sandtable.systems.w40k10.shooting import eligible_to_shoot, shoot
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.stratagems import (
    COMMAND_REROLL,
    EPIC_CHALLENGE,
    FIRE_OVERWATCH,
    GO_TO_GROUND,
    GRENADE,
    SMOKESCREEN,
    reaction,
)
from sandtable.systems.w40k10.targets import caught
from sandtable.systems.w40k10.visibility import sees
from sandtable.systems.w40k10.weapons import torrent
from sandtable.table.grid import STEP, steps

REROLLABLE: Final = frozenset(
    {"hit", "wound", "damage", "save", "advance", "charge", "desperate escape", "hazardous", "attacks"}
)
ESCAPE: Final = "desperate escape"
DEAR: Final = 3
"""So many wounds on one roll are worth a Command point..."""
FEW: Final = 3
"""...where no more attacks than this are made; of many, one is not missed."""
MANY: Final = 5
"""How much a roll for damage or attacks must be able to gain, as a D6 does."""
OVERWATCH_RANGE: Final = steps(24)
WATCHED: Final = (NORMAL, ADVANCE, FALL_BACK, "charge")
ONLY_SIXES: Final = 6
GRENADE_RANGE: Final = steps(8)
GRENADE_DICE: Final = 6
GRENADE_WOUNDS: Final = 4
GROUND_SAVE: Final = 6
SPARED: Final = 0.5
"""So much of a model, or a whole wound, must be spared on average for a Stratagem to be worth a thought."""


# --- Command Re-roll --------------------------------------------------------------------------------------------------


@rule("w40k10.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle10, player: int, moment: Moment) -> bool:
    """One of the listed rolls, made by the player."""
    if moment.data["roll"] not in REROLLABLE or b.unit(moment.unit).player != player:
        return False
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return True
    if b.option("windows") != "all" and not _much_at_stake(b, batch):
        return False
    return batch.kind != "save" or may_reroll_saves(b, b.unit(moment.unit), batch.model)


def _much_at_stake(b: Battle10, batch: Roll) -> bool:
    """What `worth_rerolling` asks of a whole batch, before any of its rolls is looked at."""
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY
    if batch.kind == "save":
        return batch.stake >= DEAR or len(b.on_table(b.unit(batch.unit))) == 1
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def rerolls(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The rolls that may be picked: one option for each different result, the worst first."""
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
    different: dict[float, int] = {}
    for which in batch.open():
        different.setdefault(batch.score[which], which)
    return [
        Option(which, _text(batch.kind, tuple(batch.faces[i] for i in batch.dice_of(which))))
        for which in different.values()
    ]


def _text(kind: str, faces: tuple[int, ...]) -> str:
    return f"the {' and '.join(map(str, faces))} of the {kind} roll"


def worth_rerolling(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether much hangs on the roll: a failed test or charge, a big shot, a save that costs dear, a low number."""
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        data = moment.data
        result = sum(data["faces"]) if data["sum"] else data["faces"][int(use)]
        if data["roll"] == ESCAPE and not _dear_escape(b, b.unit(moment.unit), data):
            return False
        return bool(result < data.get("need", 0))
    score = batch.score[int(use)]
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY and 4 * score <= batch.best
    if score:
        return False
    if batch.kind == "save":
        return batch.stake >= DEAR or _would_be_gone(b, batch)
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def _dear_escape(b: Battle10, unit: Unit, data: dict[str, Any]) -> bool:
    """Whether a desperate escape costs more than a plain model, which its player picks: a dear one, or the last."""
    models = b.on_table(unit)
    failed = sum(face < data["need"] for face in data["faces"])
    return failed >= len(models) or int(b.state.models.wounds[models].min()) >= DEAR


def _would_be_gone(b: Battle10, batch: Roll) -> bool:
    """Whether failed saves are the end of a unit's last model."""
    models = b.on_table(b.unit(batch.unit))
    failed = sum(score == 0 for score in batch.score)
    return len(models) == 1 and int(b.state.models.wounds[models[0]]) <= failed * batch.stake


async def use_command_reroll(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        moment.data["faces"] = reroll_one(b, batch, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)
        return
    reroll(b, b.unit(moment.unit), moment.data, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)


def _for_roller(b: Battle10, player: int, moment: Moment, use: Value) -> int:
    return moment.unit


# --- Fire Overwatch ---------------------------------------------------------------------------------------------------


@rule("w40k10.strat.fire_overwatch", neutral=False)
def may_overwatch(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 24" that could shoot the enemy in a Shooting phase of its own."""
    return (
        bool(not_forbidden(w, enemy, "overwatch_at_unit", "be shot at by Fire Overwatch"))
        and w.distance(unit, enemy) <= OVERWATCH_RANGE
        and bool(eligible_to_shoot(w, unit))
        and any(g.anything for g in guns_of(w, unit, enemy.id))
    )


def worth_overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Torrent weapons, or shots that cost a wound, or a quarter of what is left, on average."""
    unit, enemy = b.unit(int(use)), b.unit(moment.unit)
    guns = [g.profiles for g in guns_of(b, unit, enemy.id) if g.anything]
    return overwatch_damage(b, unit, enemy, Counter(guns)) >= _worth_a_thought(b, enemy)


def could_be_worth(w: World10, unit: Unit, enemy: Unit, least: float) -> bool:
    """Whether a unit would do that much if everything were in sight: sight is dear to look at."""
    if not w.is_on_table(unit) or w.distance(unit, enemy) > OVERWATCH_RANGE:
        return False
    key = ("overwatch", unit.id, enemy.id, overwatch_need(w, unit))
    return least <= w.standing(key, lambda: overwatch_damage(w, unit, enemy, _arms(w, unit)), unit.id, enemy.id)


def overwatch_damage(w: World10, unit: Unit, enemy: Unit, guns: Mapping[tuple[Weapon, ...], int]) -> float:
    """About how many wounds so many of these weapons take off in Overwatch, each with its best profile."""
    if any(torrent(p) for profiles in guns for p in profiles):
        return float("inf")
    models = w.on_table(enemy)
    sheet, far, size = w.setup.data.kits[int(models[0])].sheet, w.distance(unit, enemy) / STEP, len(models)
    faces = NEVER - min(overwatch_need(w, unit), ONLY_SIXES)
    return sum(n * max([of_weapon(w, p, sheet, far, size, faces) for p in profiles]) for profiles, n in guns.items())


def _worth_a_thought(w: World10, enemy: Unit) -> float:
    return min(1.0, int(w.state.models.wounds[w.on_table(enemy)].sum()) / 4)


def _arms(w: World10, unit: Unit) -> Counter[tuple[Weapon, ...]]:
    """How many of which ranged weapons a unit has."""

    def look() -> Counter[tuple[Weapon, ...]]:
        return Counter(item.profiles for m in w.on_table(unit).tolist() for item in guns_carried(w, m))

    return w.standing(("arms", unit.id), look, unit.id)


def _enemy_acts(b: Battle10, player: int, moment: Moment) -> bool:
    """An enemy is set up, or begins or ends one of the moves that the card names."""
    return b.side(b.unit(moment.unit).player) != b.side(player) and moment.data.get("move", NORMAL) in WATCHED


def overwatchers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    if not b.is_on_table(enemy):
        return []
    every, least = b.option("windows") == "all", _worth_a_thought(b, enemy)
    return [
        Option(u.id, u.name)
        for u in b.units_of(player)
        if (every or could_be_worth(b, u, enemy, least)) and may_overwatch(b, u, enemy)
    ]


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
    """Whether it spares the unit enough against the attacks that have just been declared."""
    return _spares(b, moment, b.unit(int(use)), inv=GROUND_SAVE)


def helps_in_smoke(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """The same for Smokescreen."""
    return _spares(b, moment, b.unit(int(use)), stealth=True)


def _spares(b: Battle10, moment: Moment, target: Unit, *, inv: int = NEVER, stealth: bool = False) -> bool:
    unit, shots = b.unit(moment.unit), [s for s in moment.data["shots"] if s.target == target.id]
    spared = saved_by(b, unit, target, shots, inv=inv, stealth=stealth)
    return spared >= min(1.0, SPARED * sheet_of(b, int(b.on_table(target)[0])).wounds)


@rule("w40k10.strat.smokescreen", neutral=[])
def smoke_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return _targets_with(b, player, moment, "SMOKE")


async def smokescreen(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    source = SMOKESCREEN.rule
    b.add_effect(Effect(STEALTH, int(use), 1, source=source, until="phase"))
    b.add_effect(Effect(COVER, int(use), 1, source=source, until="phase"))


# --- Grenade ----------------------------------------------------------------------------------------------------------


def _has_grenades(b: Battle10, player: int, moment: Moment) -> bool:
    return any(not u.shot and has_keyword(b, u, "GRENADES") for u in b.units_of(player))


def throwers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """One option for each thrower and each unit that it could throw at."""
    return [
        Option(f"{unit.id}>{enemy.id}", f"{unit.name} at {enemy.name}")
        for unit in b.units_of(player)
        if may_throw(b, unit)
        for enemy in b.enemies_of(player)
        if b.is_on_table(enemy) and may_be_thrown_at(b, unit, enemy)
    ]


@rule("w40k10.strat.grenade", neutral=True)
def may_throw(w: World10, unit: Unit) -> bool:
    """A GRENADES unit that is not engaged and has not been selected to shoot."""
    if w.option("grenade") == "unhurried" and unit.moved in (ADVANCE, FALL_BACK):
        return False
    return not unit.shot and has_keyword(w, unit, "GRENADES") and not is_engaged(w, unit)


@rule("w40k10.strat.grenade", neutral=True)
def may_be_thrown_at(w: World10, unit: Unit, enemy: Unit) -> bool:
    """An enemy within 8" that the unit sees and that none of its army is engaged with."""
    return w.distance(unit, enemy) <= GRENADE_RANGE and not caught(w, unit, enemy) and sees(w, unit, enemy)


async def grenade(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    thrower, enemy = (int(v) for v in str(use).split(">"))
    read = Each("mortal wound(s)", needed=GRENADE_WOUNDS)
    faces = b.roll(GRENADE_DICE, "grenade", player, rules=(GRENADE.rule,), read=read)
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
        reaction(
            FIRE_OVERWATCH, trigger, effect=overwatch, targets=overwatchers, when=_enemy_acts, worth=worth_overwatch
        )
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
    reaction(
        SMOKESCREEN,
        TARGETS_SELECTED,
        effect=smokescreen,
        targets=smoke_under_fire,
        when=_under_fire,
        worth=helps_in_smoke,
    ),
    reaction(GRENADE, UNIT_TO_SHOOT, effect=grenade, targets=throwers, when=_has_grenades, for_unit=_thrower),
    reaction(
        EPIC_CHALLENGE,
        UNIT_SELECTED_TO_FIGHT,
        effect=epic_challenge,
        targets=challengers,
        when=_own_fight,
        for_unit=_for_roller,
    ),
)
