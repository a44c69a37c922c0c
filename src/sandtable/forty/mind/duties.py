"""Actions and duties of a mission: when a unit should rather act than shoot, whom to name, and what to mark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle import Choose, Option
from sandtable.battle.tactics import Idea
from sandtable.battle.windows import ReactionUse
from sandtable.forty.counts import is_for, paid
from sandtable.forty.mind.mind import Worth, mind_of
from sandtable.forty.mind.shots import best_shots
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import Style
from sandtable.forty.state import World40
from sandtable.forty.tasks import Task, actions_of
from sandtable.kit.grammar import does
from sandtable.kit.missions import Action, Score

ACTION: Final = "Action"
HELD: Final = 0.8
"""How likely an action is completed on an objective that its player holds..."""
OPEN: Final = 0.4
"""...and anywhere else."""
STAYS: Final = 0.7
"""What a mark counts in each later round"""
STEP: Final = 1.0
"""VP that taking an operation marker off is worth where it pays nothing at once"""


def task_worth(w: World40, d: Choose, option: Option) -> Worth | None:
    """What an action brings beyond the shooting that it costs; None where that is nothing."""
    name, use = ReactionUse.of(option.value)
    if name != ACTION:
        return None
    task = Task.of(use)
    action, unit = actions_of(w)[task.action], w.unit(task.unit)
    gain = stakes(w, d.player).point * _points(w, d.player, action) * _chance(w, d.player, action, task.target)
    shoots = any(o.value == unit.id for o in d.options)
    gain -= best_shots(w, unit).worth if shoots else 0.0
    return (gain, f"{does(unit, 'has')} nothing better to do than {action.name}.") if gain > 0 else None


def _points(w: World40, player: int, action: Action) -> float:
    """About how many VP an action brings in this battle, once completed."""
    ways = [way for way in mind_of(w).scoring(w) or () if is_for(w, player, way.by)]
    found = sum(_pays(w, way, action) for way in ways if not (way.once and paid(w, player, way)))
    return action.vp + found + (STEP if action.clears and not found else 0.0)


def _pays(w: World40, way: Score, action: Action) -> float:
    if way.to_round < w.state.round:
        return 0.0
    if way.action == action.name and way.action:
        return float(way.vp)
    token = way.kind == "tokens" and way.tokens_of == "own" and action.at != "enemy"
    if not action.tag or (way.tag != action.tag and not token):
        return 0.0
    once = way.vp / max(1, way.count)
    if way.fresh or action.lasts != "battle" or way.when == "battle":
        return once
    return once * sum(STAYS**n for n in range(w.setup.data.rounds - w.state.round + 1))


def _chance(w: World40, player: int, action: Action, target: int) -> float:
    if action.completes == "at once" or not (action.controls or action.alone):
        return 1.0
    control = w.state.game.control
    held = action.controls and target < len(control) and control[target] == player
    return HELD if held else OPEN


def what_to_mark(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The first objective that a unit may mark."""
    for option in d.options[:1]:
        yield Idea(option.value, 1.0, "Whatever is marked pays.")


def whom_to_name(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The enemies that are destroyed most easily: those with the fewest wounds left."""
    left = {int(o.value): int(w.state.models.wounds[w.on_table(w.unit(int(o.value)))].sum()) for o in d.options}
    for number in sorted(left, key=lambda u: (left[u], u))[:1]:
        yield Idea(number, 1.0, f"{does(w.unit(number), 'is')} the easiest to destroy.")


DUTIES: Final = {"mark_objective": what_to_mark, "name_enemy": whom_to_name}
"""What a mission asks its players, and who thinks about it."""
