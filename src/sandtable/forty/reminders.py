"""What is left to the players in a phase: abilities that nothing enforces, while somebody who has them is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sandtable.armies import due
from sandtable.battle.kept import SETUP, kept
from sandtable.battle.reminding import known, marked
from sandtable.battle.system import Reminder
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.enforced import Enforced, called, gist_of, odd_parts, parts_left
from sandtable.forty.mission import SETUP as BEFORE_THE_BATTLE
from sandtable.forty.scenario import Files
from sandtable.forty.state import World40, alive

IN_PHASE, BEFORE, ANY_TIME = "in this phase", "before the battle", "whenever it applies"
"""When something is left to a player."""
ANY: Final = "any"
THEIRS: Final = "opponent_"
"""Stands before phases of Stratagems that must be an opponent's."""


class Left(NamedTuple):
    """An ability that is left to a player, whole or in part."""

    player: int
    called: str
    """Whose it is, by its name."""
    name: str
    due: tuple[str, ...]
    models: tuple[int, ...]
    """Those that bear it; nobody bears a Stratagem."""
    gist: str = ""
    """What it does, where that is known."""


def reminders(w: World40) -> list[Reminder]:
    """What can matter in the phase that it is; what could matter at any time is told when the first turn begins."""
    phases = [phase for phase in w.system.seam(Files).phases.values() if phase in due.PHASES]
    first, last = phases[0], phases[-1]
    phase = due.DEPLOYMENT if w.state.segment == BEFORE_THE_BATTLE else w.state.game.phase
    told = BEFORE if phase == due.DEPLOYMENT else IN_PHASE
    found: dict[tuple[int, str, str], dict[str, str]] = {}
    for left in all_left(w):
        own = left.player == w.state.active
        if left.due:
            now = due.is_due(left.due, phase, own=own, first=first, last=last)
        else:
            now = own and w.state.round == 1 and phase == first
        if now and _is_there(w, left):
            gists = found.setdefault((left.player, told if left.due else ANY_TIME, left.called), {})
            gists[left.name] = gists.get(left.name) or left.gist
    # By player, and what is not known to be due comes last.
    order = sorted(found.items(), key=lambda item: (item[0][0], item[0][1] == ANY_TIME))
    return [Reminder(player, name, tuple(g), when, gists=known(g)) for (player, when, name), g in order]


def _is_there(w: World40, left: Left) -> bool:
    """Whether a model is left that bears it, or, of what belongs to nobody, any model of the army."""
    if left.models:
        return bool(alive(w, left.models))
    return any(alive(w, unit.models) for unit in w.units_of(left.player))


@kept(SETUP)
def all_left(w: World40) -> tuple[Left, ...]:
    """All that is left to the players; whose a model is never changes."""
    return tuple(_left(w))


def _left(w: World40) -> Iterator[Left]:
    enforced, data = w.system.seam(Enforced), w.setup.data
    for rule in (*data.abilities, *data.stratagems):
        parts = list(parts_left(enforced, data, rule))
        if parts:
            bought, whole = isinstance(rule, DetachmentStratagem), any(part.whole for part in parts)
            models = rule.models if isinstance(rule, Ability) else ()
            gist = next(filter(None, (gist_of(part.what) for part in parts)), "")
            name = marked(rule.name, whole=whole, stratagem=bought)
            yield Left(rule.player, called(rule), name, _due(rule), models, gist)
    for odd in odd_parts(w):
        name = marked(odd.entry.name, whole=odd.entry.whole, stratagem=False)
        yield Left(odd.player, odd.called, name, odd.due, (odd.model,), gist_of(odd.entry.what))


def _due(rule: Ability | DetachmentStratagem) -> tuple[str, ...]:
    if isinstance(rule, Ability):
        return rule.due or due.of_effects(rule.effects)
    if ANY in rule.phases:
        return ()
    whose = {"own": due.OWN, "opponent": due.OPPONENT}.get(rule.turn, "")
    return tuple(
        due.OPPONENT + phase.removeprefix(THEIRS) if phase.startswith(THEIRS) else whose + phase
        for phase in rule.phases
    )
