"""From triggers to the moments of the vocabulary (`armies.effects`): what a trigger means for a player's abilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

from sandtable.battle import Moment
from sandtable.forty.effects.occasions import Occasion
from sandtable.forty.effects.words import Deeds, Moments
from sandtable.forty.moments import (
    ATTACKS_MADE,
    FORMATIONS,
    PHASE_BEGAN,
    PHASE_ENDED,
    PRE_BATTLE,
    TURN_ENDED,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_SELECTED_TO_SHOOT,
)
from sandtable.forty.state import World40

COMMAND: Final = "command"
MOVEMENT: Final = "movement"
SHOOTING: Final = "shooting"
FIGHT: Final = "fight"
FALLEN: Final = "fallen_bearer"
"""Kind of effect: a model, in its value, fell in this phase and may stand up again."""


def _phase_began(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    phase, own = moment.data["phase"], w.state.active == player
    if phase == COMMAND:
        yield Occasion("any_command")
    if phase == FIGHT or (own and phase in (COMMAND, MOVEMENT, SHOOTING)):
        yield Occasion(phase)


def _phase_ended(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    phase, own = moment.data["phase"], w.state.active == player
    if own and phase in (COMMAND, MOVEMENT):
        yield Occasion(f"{phase}_end")
    if phase == FIGHT:
        yield Occasion("fight_end")
    yield Occasion("phase_end")
    for effect in w.state.effects:
        if effect.kind == FALLEN and w.unit(effect.unit).player == player:
            yield Occasion("death_phase_end", fallen=(int(effect.value),))


def _move_ended(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    mover, move = w.unit(moment.unit), moment.data["move"]
    if not w.is_on_table(mover):
        return
    if mover.player != player:
        if move in w.system.seam(Deeds).moves and w.side(mover.player) != w.side(player):
            yield Occasion("enemy_moved", mover.id)
        return
    if move == "charge":
        yield Occasion("charged", mover.id, targets=tuple(e.id for e in w.system.seam(Deeds).in_combat_with(w, mover)))
        return
    yield Occasion("moved", mover.id, move=move)
    if moment.data.get("over"):
        yield Occasion("moved_over", mover.id, targets=tuple(moment.data["over"]), move=move)


def _to_shoot(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.unit(moment.unit).player == player:
        yield Occasion("select_to_shoot", moment.unit)


def _to_fight(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.unit(moment.unit).player == player:
        yield Occasion("select_to_fight", moment.unit)


def _attacks_made(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    unit, data = w.unit(moment.unit), moment.data
    if unit.player == player:
        if w.state.game.phase == SHOOTING and w.state.active == player and not unit.last_stand:
            yield Occasion("shot", unit.id, targets=data["hit"], hitters=data.get("hitters", ()))
        owners = w.state.models.unit
        gone = dict.fromkeys(int(owners[m]) for m in data["destroyed"])
        killed = tuple(u for u in gone if _is_destroyed(w, u, data["destroyed"]))
        if killed:
            fallen = tuple(m for m in data["destroyed"] if int(owners[m]) in killed)
            yield Occasion("killed", unit.id, targets=killed, melee=data["melee"], fallen=fallen)
        for m in data["destroyed"]:
            yield Occasion("slew", unit.id, targets=(int(owners[m]),), melee=data["melee"], fallen=(m,))
        return
    for hurt in data["hurt"]:
        if w.unit(hurt).player == player and w.is_on_table(w.unit(hurt)):
            yield Occasion("wounded", hurt, by=unit.id, melee=data["melee"])
            if any(int(w.state.models.unit[m]) == hurt for m in data["destroyed"]):
                yield Occasion("bereaved", hurt, by=unit.id, melee=data["melee"])


def _is_destroyed(w: World40, unit: int, fallen: Sequence[int]) -> bool:
    """Whether a unit, or where that counts one part of an Attached unit, fell with these models."""
    u, whole = w.unit(unit), w.system.seam(Deeds).is_destroyed
    if whole is not None:
        return whole(w, u)
    left = [int(m) for m in w.on_table(u)]
    parts = ([m for m in u.models if m in u.leader], [m for m in u.models if m not in u.leader])
    return any(any(m in fallen for m in part) and not any(m in left for m in part) for part in parts)


def _in_command(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    yield Occasion("any_command")
    if w.state.active == player:
        yield Occasion(COMMAND)


def _phase_or_command_began(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if moment.data["phase"] != COMMAND:
        yield from _phase_began(w, player, moment)
        return
    yield Occasion("any_command_start")
    if w.state.active == player:
        yield Occasion("command_start")


def _set_up(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    mover = w.unit(moment.unit)
    if w.side(mover.player) != w.side(player) and w.is_on_table(mover):
        yield Occasion("enemy_moved", mover.id)


def _turn_ended(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.side(player) != w.side(w.state.active):
        yield Occasion("opponent_turn_end")


def _turn_began(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if player == w.state.active:
        yield Occasion("turn_start")


def _slain(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.unit(moment.unit).player == player:
        yield Occasion("slain", moment.unit, fallen=(int(moment.data["model"]),))


def _formations(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    yield Occasion("formations")


def _before_battle(w: World40, player: int, moment: Moment) -> Iterator[Occasion]:
    yield Occasion("battle_start")


MOMENTS: Final[MappingProxyType[str, Moments]] = MappingProxyType(
    {
        PHASE_BEGAN: Moments((COMMAND, "any_command", MOVEMENT, SHOOTING, FIGHT), _phase_began),
        PHASE_ENDED: Moments(
            ("command_end", "movement_end", "fight_end", "phase_end", "death_phase_end"), _phase_ended
        ),
        UNIT_MOVE_ENDED: Moments(("moved", "moved_over", "enemy_moved", "charged"), _move_ended),
        UNIT_SELECTED_TO_SHOOT: Moments(("select_to_shoot",), _to_shoot),
        UNIT_SELECTED_TO_FIGHT: Moments(("select_to_fight",), _to_fight),
        ATTACKS_MADE: Moments(("shot", "killed", "slew", "wounded", "bereaved"), _attacks_made),
        TURN_ENDED: Moments(("opponent_turn_end",), _turn_ended),
        FORMATIONS: Moments(("formations",), _formations),
        PRE_BATTLE: Moments(("battle_start",), _before_battle),
    }
)
"""For each trigger what it stands for in every edition that brings it."""
TURN_STARTS: Final = Moments(("turn_start",), _turn_began)
"""Where turns begin before their first phase."""
IN_COMMAND: Final = Moments((COMMAND, "any_command"), _in_command)
WITH_COMMAND_START: Final = Moments(
    ("command_start", "any_command_start", MOVEMENT, SHOOTING, FIGHT), _phase_or_command_began
)
"""Where what is done in the Command phase has a step of its own, and when phases begin there."""
SET_UP: Final = Moments(("enemy_moved",), _set_up)
"""Where to be set up is a move, too."""
FALLS: Final = Moments(("slain",), _slain)
"""Where models do something when they are slain."""
