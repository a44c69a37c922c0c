"""Actions of a mission: on what they are done, what they leave behind, and those that happen at a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.forty.counts import is_for
from sandtable.forty.grounds import area_lies, lies
from sandtable.forty.markers import markers_near
from sandtable.forty.mission import mission_of
from sandtable.forty.moments import (
    BATTLE_BEGINS,
    TURN_BEGAN,
    TURN_ENDED,
    UNIT_SET_UP,
)
from sandtable.forty.recall import AREA, OBJECTIVE, UNIT, Mark, areas_with, marks_of, tokens_of
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.areas import areas_of
from sandtable.kit.grammar import does
from sandtable.kit.missions import Action
from sandtable.table.grid import steps

NOTHING: Final = -1
OWN_TURN: Final = ("turn begins", "turn ends")
"""Moments at which only whose turn it is does what the mission says"""
KINDS: Final = {"objective": OBJECTIVE, "area": AREA, "enemy": UNIT}


class Task(NamedTuple):
    """An action that a unit may start: the unit, the number of the action, and its target or -1."""

    unit: int
    action: int
    target: int

    @property
    def value(self) -> str:
        """The value of its option."""
        return f"{self.unit}>{self.action}>{self.target}"

    @classmethod
    def of(cls, value: Value) -> Task:
        """What the value of an option stands for."""
        unit, action, target = str(value).split(">")
        return cls(int(unit), int(action), int(target))


def actions_of(w: World40) -> tuple[Action, ...]:
    """The actions of the mission that is played."""
    mission = mission_of(w)
    return () if mission is None else mission.actions


# --- What may be done -------------------------------------------------------------------------------------------------


def why_not(w: World40, player: int, action: Action) -> str:
    """Why nobody of a player may start an action now; empty if somebody may."""
    if not is_for(w, player, action.by):
        return f"{action.name} is not on {w.player(player).name}'s card."
    if 0 < w.state.round < action.from_round:
        return f"{action.name} starts from battle round {action.from_round} on."
    if action.leaves and len(_all_tokens(w)) <= action.leaves:
        return f"{action.name} cannot start while only {action.leaves} operation marker is left."
    return ""


def _all_tokens(w: World40) -> list[Mark]:
    return [mark for mark in marks_of(w) if mark.kind != UNIT]


def targets_of(w: World40, unit: Unit, action: Action, sees: Callable[[Any, Any, Any], bool]) -> list[int]:
    """On what a unit may do an action; -1 stands for one without a target."""
    if not action.at:
        return [NOTHING]
    number = actions_of(w).index(action)
    taken = {target for _, which, target in w.state.game.tasks if which == number}
    kind = KINDS[action.at]
    if not action.again:
        taken |= {m.number for m in marks_of(w) if m.kind == kind and m.tag == action.tag and m.player == unit.player}
    return [target for target in _within_reach(w, unit, action, sees) if target not in taken]


def _within_reach(w: World40, unit: Unit, action: Action, sees: Callable[[Any, Any, Any], bool]) -> Sequence[int]:
    match action.at:
        case "objective":
            return [m for m in markers_near(w, unit) if lies(w, m, unit.player, action.where)]
        case "area":
            return [a for a in areas_with(w, unit) if area_lies(w, a, unit.player, action.where)]
        case _:
            near = [w.unit(e) for e in w.may_be_near(unit, steps(action.within))]
            return [e.id for e in near if w.distance(unit, e) <= steps(action.within) and sees(w, unit, e)]


def openings(
    b: Battle40, player: int, may_start: Callable[[Any, Any, Action], object], sees: Callable[[Any, Any, Any], bool]
) -> list[Option]:
    """One option for each action, each unit that may start it, and each target."""
    return [
        Option(Task(unit.id, i, target).value, f"{action.name}{_on(b, action, target)} with {unit.name}")
        for i, action in enumerate(actions_of(b))
        for unit in b.units_of(player)
        if may_start(b, unit, action)
        for target in targets_of(b, unit, action, sees)
    ]


def _on(w: World40, action: Action, target: int) -> str:
    return "" if target == NOTHING else f" on {called(w, KINDS[action.at], target)}"


def called(w: World40, kind: str, number: int) -> str:
    """An objective, an area or a unit as players call it."""
    if kind == OBJECTIVE:
        return f"objective {number + 1}"
    if kind == AREA:
        feature = w.table.features[number]
        return str(feature.name or feature.id).partition("/")[0]
    return str(w.unit(number).name)


# --- What comes of it -------------------------------------------------------------------------------------------------


def begin(b: Battle40, task: Task) -> None:
    """It is remembered on what a unit does an action."""
    if task.target != NOTHING:
        b.set_game(tasks=(*b.state.game.tasks, tuple(task)))


def task_of(w: World40, unit: Unit, name: str) -> Task:
    """The action that a unit has started in this turn."""
    mine = [i for i, a in enumerate(actions_of(w)) if a.name == name and is_for(w, unit.player, a.by)]
    number = mine[0]
    found = (t for u, which, t in w.state.game.tasks if (u, which) == (unit.id, number))
    return Task(unit.id, number, next(found, NOTHING))


def why_undone(w: World40, task: Task, controls: Callable[[Any, Any, int], bool]) -> str:
    """Why an action that comes to its end is not completed; empty if it is."""
    action, unit = actions_of(w)[task.action], w.unit(task.unit)
    if action.controls and not controls(w, unit, task.target):
        return f"{does(unit, 'does')} not control objective {task.target + 1}"
    if action.alone and task.target not in areas_with(w, unit):
        return f"{does(unit, 'is')} not within {called(w, AREA, task.target)} any more"
    if action.alone and any(task.target in areas_with(w, e) for e in w.enemies_of(unit.player)):
        return f"enemies are within {called(w, AREA, task.target)}"
    return ""


async def finish(b: Battle40, task: Task, rule: str) -> None:
    """An action is completed: its effect happens."""
    action, unit = actions_of(b)[task.action], b.unit(task.unit)
    p = b.player(unit.player)
    told = f"{does(unit, 'completes')} {action.name}{_on(b, action, task.target)}"
    if action.vp:
        b.set_player(p, vp=p.vp + action.vp)
        told += f": {action.vp}VP"
    if action.at:
        b.set_game(deeds=(*b.state.game.deeds, tuple(task)))
    b.tell("action_completed", f"{told}.", rule, units=[unit.id], vp=action.vp)
    if action.tag:
        mark(b, action, task.target, unit.player, rule)
    if action.clears == "one":
        await clear_one(b, unit.player, rule)


def mark(b: Battle40, action: Action, target: int, player: int, rule: str) -> None:
    """The target of an action is called what the action makes of it."""
    kind = KINDS[action.at]
    made = Mark(action.tag, kind, target, player, b.state.game.turns)
    b.set_game(marks=(*b.state.game.marks, tuple(made)))
    about: dict[str, Any] = {"units": [target]} if kind == UNIT else {kind: target}
    name = called(b, kind, target)
    b.tell("marked", f"{name[:1].upper()}{name[1:]} is {action.tag}.", rule, player=player, **about)


async def clear_one(b: Battle40, player: int, rule: str) -> None:
    """A player takes one operation marker off the battlefield."""
    tokens = _all_tokens(b)
    options = [Option(i, called(b, t.kind, t.number)) for i, t in enumerate(tokens)]
    if not options:
        return
    which = await b.choose(player, "clear_marker", "Which operation marker is taken off?", options, rules=(rule,))
    take_away(b, [tokens[int(str(which))]], rule)


def take_away(b: Battle40, tokens: Sequence[Mark], rule: str) -> None:
    """Operation markers are taken off the battlefield."""
    if not tokens:
        return
    left = marks_of(b)
    for token in tokens:
        left.remove(token)
        b.tell("marker_cleared", f"The marker at {called(b, token.kind, token.number)} is taken off.", rule)
    b.set_game(marks=tuple(tuple(one) for one in left))


# --- What happens at a moment -----------------------------------------------------------------------------------------


def rites(rule: str) -> tuple[Reaction, ...]:
    """What a mission has players do at a moment, whatever their units do else."""

    def at(starts: str) -> Callable[[Battle40, int, Moment], bool]:
        def guard(b: Battle40, player: int, moment: Moment) -> bool:
            if starts in OWN_TURN and player != b.state.active:
                return False
            return any(a.starts == starts and not why_not(b, player, a) for a in actions_of(b))

        return guard

    def once(b: Battle40, player: int, moment: Moment) -> list[Option]:
        return [Option(player, "the mission")]

    def where_it_stands(b: Battle40, player: int, moment: Moment) -> list[Option]:
        mine = b.unit(moment.unit).player == player
        return [Option(player, "the mission")] if mine and _swept(b, b.unit(moment.unit)) else []

    async def arrive(b: Battle40, player: int, moment: Moment, use: Value) -> None:
        sweep(b, b.unit(moment.unit), rule)

    async def place(b: Battle40, player: int, moment: Moment, use: Value) -> None:
        await place_tokens(b, player, rule)

    async def name(b: Battle40, player: int, moment: Moment, use: Value) -> None:
        await name_enemies(b, player, rule)

    async def hallow(b: Battle40, player: int, moment: Moment, use: Value) -> None:
        await mark_with_slayers(b, player, rule)

    def rite(title: str, trigger: str, flow: Any, guard: Any, uses: Any = once) -> Reaction:
        return Reaction(title, trigger, flow, guard, uses, mandatory=True, rules=(rule,))

    return (
        rite("Markers", BATTLE_BEGINS, place, at("battle")),
        rite("Enemies are named", TURN_BEGAN, name, at("turn begins")),
        rite("Objectives are marked", TURN_ENDED, hallow, at("turn ends")),
        rite("Markers", UNIT_SET_UP, arrive, at("moves"), where_it_stands),
    )


def _due(w: World40, player: int, starts: str) -> list[Action]:
    return [a for a in actions_of(w) if a.starts == starts and not why_not(w, player, a)]


def sweep(b: Battle40, unit: Unit, rule: str) -> None:
    """Where a unit ends any move it takes the enemy's operation markers off, if its player's card says so."""
    take_away(b, _swept(b, unit), rule)


def _swept(w: World40, unit: Unit) -> list[Mark]:
    """The enemy's operation markers in range of objectives that a unit is in range of, which go when it gets there."""
    if not _due(w, unit.player, "moves") or not w.is_on_table(unit):
        return []
    tokens = [t for t in tokens_of(w, unit.player, "enemy") if t.kind == OBJECTIVE]
    near = markers_near(w, unit) if tokens else ()
    return [t for t in tokens if t.number in near]


async def place_tokens(b: Battle40, player: int, rule: str) -> None:
    """Before the first turn a player puts operation markers into terrain areas, one in each."""
    for action in _due(b, player, "battle"):
        every = dict.fromkeys(areas_of(b).tolist())
        areas = [a for a in every if area_lies(b, a, player, action.where)]
        for left in range(min(action.limit, len(areas)), 0, -1):
            options = [Option(a, called(b, AREA, a)) for a in areas]
            prompt = f"Which terrain area gets an operation marker ({left} to go)?"
            picked = areas[0]
            if len(areas) > left:
                picked = int(str(await b.choose(player, "place_token", prompt, options, rules=(rule,))))
            areas.remove(picked)
            mark(b, action, picked, player, rule)


async def name_enemies(b: Battle40, player: int, rule: str) -> None:
    """At the start of their turn a player names enemies: those on objectives or that destroyed somebody, or any one."""
    for action in _due(b, player, "turn begins"):
        turn, here = b.state.game.turns, [e for e in b.enemies_of(player) if b.is_on_table(e)]
        slayers = {who for who, _, when, _ in b.state.game.slain if when == turn - 1}
        threats = [e for e in here if e.id in slayers or markers_near(b, e)]
        most = action.limit if threats else 1
        left = [e.id for e in threats or here]
        for number in range(most):
            options = [Option(e, b.unit(e).name) for e in left]
            if not options:
                break
            prompt = f"Which enemy unit is {action.tag}?"
            picked = await b.choose(player, "name_enemy", prompt, options, optional=number > 0, rules=(rule,))
            if picked is None:
                break
            left.remove(int(str(picked)))
            mark(b, action, int(str(picked)), player, rule)


async def mark_with_slayers(b: Battle40, player: int, rule: str) -> None:
    """At the end of their turn each unit of a player that has destroyed an enemy may mark an objective in range."""
    for action in _due(b, player, "turn ends"):
        slayers = dict.fromkeys(who for who, _, _, _ in b.state.game.slain if b.unit(who).player == player)
        for unit in (b.unit(u) for u in slayers if b.is_on_table(b.unit(u))):
            options = [Option(m, f"objective {m + 1}") for m in targets_of(b, unit, action, lambda *_: True)]
            if not options:
                continue
            prompt = f"Which objective is {action.tag} by {unit.name}?"
            picked = await b.choose(
                player, "mark_objective", prompt, options, optional=True, rules=(rule,), unit=unit.id
            )
            if picked is not None:
                mark(b, action, int(str(picked)), player, rule)
