"""Whether protection is worth a thought: what shots cost a unit without it and with it, exactly.

Means of the compiled tables sort out the many shots at which it can hardly matter; the solver looks at the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sandtable.battle import Choose, Effect, Question, Value
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.windows import ReactionUse
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.odds.chances import attack_of, toll_of
from sandtable.forty.odds.estimate import unbounded_damage, wounds_left
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40
from sandtable.kit.otherwise import under

MODELS: Final = 0.7
"""So many models must be at stake on average..."""
LIFE: Final = 0.1
"""...or such a part of the chance that nothing is left of the unit."""
LOSSES: Final = "losses"


class Toll(NamedTuple):
    """What shots cost a unit."""

    models: float
    """Lost on average."""
    destroyed: float
    """The chance that all are."""

    def is_much(self) -> bool:
        """Whether it is worth a thought."""
        return self.models >= MODELS or self.destroyed >= LIFE


NOTHING: Final = Toll(0.0, 0.0)


def hurts_much(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> bool:
    """Whether shots cost a target so much that whatever may be done about them is worth a thought."""
    fire = Fire(w, unit, target, tuple(shots))
    damage = mean_loss(*fire)
    return _could_be_much(fire, damage, damage) and toll(*fire).is_much()


def spares_much(w: World40, unit: Any, target: Any, shots: Sequence[Shot], effects: Iterable[Effect]) -> bool:
    """Whether effects would spare a target so much of what shots cost it."""
    now = Fire(w, unit, target, tuple(shots))
    damage = mean_loss(*now)
    if not _could_be_much(now, damage, damage):
        return False
    then = under(w, effects)
    return _is_much_less(now, damage, Fire(then, then.unit(unit.id), then.unit(target.id), now.shots))


def spares_anybody(w: World40, player: int, effects: Sequence[Effect]) -> bool:
    """Whether effects would spare any unit of a player so much, whichever enemy shoots at it from where it stands."""
    then = under(w, effects)
    for enemy in filter(w.is_on_table, w.enemies_of(player)):
        for unit in filter(w.is_on_table, w.units_of(player)):
            now = Fire(w, enemy, unit, likely_shots(w, enemy, unit))
            damage = mean_loss(*now)
            if _could_be_much(now, damage, damage):
                same = then.unit(enemy.id), then.unit(unit.id)
                if _is_much_less(now, damage, Fire(then, *same, likely_shots(then, *same))):
                    return True
    return False


class Fire(NamedTuple):
    """Shots of a unit at a target."""

    world: World40
    unit: Any
    target: Any
    shots: tuple[Shot, ...]


def _is_much_less(now: Fire, damage: float, then: Fire) -> bool:
    if not _could_be_much(now, damage, damage - mean_loss(*then)):
        return False
    bare, kept = toll(*now), toll(*then)
    return Toll(bare.models - kept.models, bare.destroyed - kept.destroyed).is_much()


def _could_be_much(fire: Fire, damage: float, spared: float) -> bool:
    """Whether so many wounds spared on average, of so many lost, may come to a model, or to the end of the unit.

    Nobody loses more models by shots, nor falls likelier, than wounds are lost; and nobody is destroyed with a greater
    chance than the part of its wounds that it loses on average.
    """
    w, target = fire.world, fire.target
    wounds = int(w.state.models.wounds[w.on_table(target)].min())
    if spared >= MODELS * max(1.0, wounds / 2):
        return True
    return spared >= LIFE and damage >= LIFE * wounds_left(w, target)


def likely_shots(w: World40, unit: Any, target: Any) -> tuple[Shot, ...]:
    """Everything that a unit could fire at another from here."""
    question = declaration(w, unit, target.id)
    return tuple(shots_of(w, unit, guns_of(w, unit, target.id), default_shots(w, question))) if question.rows else ()


# What shots cost as things are is asked about each card that may help: it is kept.


@kept(EVERYTHING)
def mean_loss(w: World40, unit: Unit, target: Unit, shots: tuple[Shot, ...]) -> float:
    """How many wounds shots cost a target on average, as if it had no end."""
    return unbounded_damage(w, unit, target, shots)


@kept(EVERYTHING)
def toll(w: World40, unit: Unit, target: Unit, shots: tuple[Shot, ...]) -> Toll:
    """What shots at a target cost it."""
    return Toll(*toll_of(attack_of(w, unit, target, shots))) if shots else NOTHING


# --- The windows in which a card protects before anybody has shot -----------------------------------------------------


def questions(card: str, effects: Callable[[int], Sequence[Effect]], trigger: str) -> Mapping[str, Question]:
    """What is known of such a window: `effects` says what the card gives to a unit."""

    def matters(w: World40, d: Choose, answer: Value | None) -> tuple[str, ...]:
        """Whether passing costs so much."""
        uses = [use for name, use in (ReactionUse.of(o.value) for o in d.options) if name == card]
        bare = answer is None and any(spares_anybody(w, d.player, effects(int(use))) for use in uses)
        return (LOSSES,) if bare else ()

    return {f"react.{trigger}": Question(matters=matters)}


def orders(card: str, trigger: str) -> tuple[Mapping[str, Any], ...]:
    """The standing order that most players would give."""
    return ({"for": f"react.{trigger}", "options": [f"{card}*"], "do": "ask", "if": ["*"], "else": "pass"},)
