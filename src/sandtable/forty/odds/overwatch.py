"""What Overwatch would do, and the order by which players are asked about it only where it may do something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sandtable.attack.volley import Attack
from sandtable.battle import Choose, Question, Value
from sandtable.battle.system import Stake
from sandtable.battle.windows import ReactionUse
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.mind.outlook import value_of
from sandtable.forty.odds.chances import attack_of, chance_to_hurt, chances_of_losses, mean_wounds
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40

WOUNDS: Final = 2.0
"""So many wounds that it takes on average are reason enough to ask..."""
LIKELY: Final = 0.25
"""...and so is this chance that a charge comes to nothing, or that it is the end of the enemy."""
ASKED_AGAIN: Final = 0.1
"""So much better the chance must be, or so much more the enemy be worth, before a player is asked again in a phase."""
MOVEMENT: Final = "movement"
MEANT: Final = "to kill a model or cost two wounds"


class Watch(NamedTuple):
    """What an edition says about the windows in which a card lets units fire Overwatch."""

    card: str
    foes: Callable[[Any, Choose, Any], Iterable[Any]]
    """(world, question, unit): the enemies that it may fire at."""
    certain: Callable[[Any], bool]
    """(weapon): does it hit without a roll?"""
    stops: Callable[[Any, Choose, Any, Sequence[int]], bool] = lambda w, d, enemy, left: False
    """(world, question, enemy, models): is the enemy's charge over where these are all that is left of it?"""


def questions(watch: Watch, *triggers: str) -> Mapping[str, Question]:
    """What is known of these windows."""
    card, foes = watch.card, watch.foes

    def odds(w: World40, d: Choose, answer: Value | None) -> float | None:
        """The chance that a model falls, or two wounds are lost, of the enemy to which that is likeliest."""
        name, use = ReactionUse.of(answer)
        if name != card:
            return None
        unit = w.unit(int(use))
        found = [chance(w, unit, enemy) for enemy in foes(w, d, unit)]
        return max([c for c in found if c is not None], default=None)

    def stake(w: World40, d: Choose) -> Stake:
        """What the enemies are worth together that could be fired at; of those that charge each is another threat."""
        units = [w.unit(int(use)) for name, use in map(ReactionUse.of, (o.value for o in d.options)) if name == card]
        worth = sum(value_of(w, enemy) for enemy in {e.id: e for unit in units for e in foes(w, d, unit)}.values())
        return Stake("" if w.state.game.phase == MOVEMENT else f"{d.unit}", worth)

    def matters(w: World40, d: Choose, answer: Value | None) -> tuple[str, ...]:
        """What is given away by holding fire."""
        if answer is not None:
            return ()
        units = [w.unit(int(use)) for name, use in map(ReactionUse.of, (o.value for o in d.options)) if name == card]
        found = [why for unit in units for enemy in foes(w, d, unit) for why in reasons(w, d, watch, unit, enemy)]
        return tuple(dict.fromkeys(found))

    return {f"react.{t}": Question(odds=odds, meant=MEANT, stake=stake, matters=matters) for t in triggers}


def reasons(w: World40, d: Choose, watch: Watch, unit: Unit, enemy: Unit) -> Iterator[str]:
    """Why a unit should perhaps fire at an enemy."""
    shots = fired(w, unit, enemy)
    if not shots:
        yield "weapons of others"
        return
    if any(watch.certain(shot.weapon) for shot in shots):
        yield "sure hits"
    attack = attack_of(w, unit, enemy, shots)
    if mean_wounds(attack) >= WOUNDS:
        yield "two wounds"
    if chances_of_losses(attack)[-1] >= LIKELY:
        yield "their end"
    if chance_to_stop(w, d, watch, enemy, attack) >= LIKELY:
        yield "the charge"


def chance_to_stop(w: World40, d: Choose, watch: Watch, enemy: Unit, attack: Attack) -> float:
    """The chance that so many of a unit fall that its charge is over.

    Measured is how many fall, in the order in which their owner would rather lose them, until whoever is left of them
    stands further from a target than was rolled. That a wall of fallen comrades opens a longer way only, or that
    nobody finds room for the rest, is not looked at.
    """
    order = [body.model for body in attack.target.bodies]
    chances = chances_of_losses(attack)
    enough = next((k for k in range(1, len(chances)) if watch.stops(w, d, enemy, order[k:])), None)
    return 0.0 if enough is None else chances[enough]


def fired(w: World40, unit: Unit, enemy: Unit) -> Sequence[Shot]:
    """What a unit would fire at an enemy; nothing for one that has no guns but those others lend it."""
    question = declaration(w, unit, enemy.id, overwatch=True)
    return shots_of(w, unit, guns_of(w, unit, enemy.id), default_shots(w, question), overwatch=True)


def chance(w: World40, unit: Unit, enemy: Unit) -> float | None:
    """The chance that Overwatch of a unit hurts an enemy; None for a unit that has no guns but those others lend it."""
    shots = fired(w, unit, enemy)
    return chance_to_hurt(attack_of(w, unit, enemy, shots)) if shots else None


def orders(card: str) -> tuple[Mapping[str, Any], ...]:
    """The standing order that most players would give."""
    asked = {"do": "ask", "if": ["*"], "better": ASKED_AGAIN, "else": "pass"}
    return ({"for": "react.*", "options": [f"{card}*"], **asked},)
