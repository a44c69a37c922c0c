"""What Overwatch would do, and the order by which players are asked about it only where it may do something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from sandtable.battle import Choose, Question, Value
from sandtable.battle.system import Stake
from sandtable.battle.windows import ReactionUse
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.mind.outlook import value_of
from sandtable.forty.odds.chances import attack_of, chance_to_hurt
from sandtable.forty.state import Unit, World40

ASKED_FROM: Final = 0.25
"""The chance to do harm from which on a player wants to be asked..."""
ASKED_AGAIN: Final = 0.1
"""...and so much better it must be, or so much more the enemy be worth, before they are asked again in a phase."""
MOVEMENT: Final = "movement"
MEANT: Final = "to kill a model or cost two wounds"


def questions(card: str, foes: Callable[[Any, Choose, Any], Iterable[Any]], *triggers: str) -> Mapping[str, Question]:
    """The windows in which a card lets units fire Overwatch: (world, question, unit) are the enemies it may fire at."""

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

    return {f"react.{trigger}": Question(odds=odds, meant=MEANT, stake=stake) for trigger in triggers}


def chance(w: World40, unit: Unit, enemy: Unit) -> float | None:
    """The chance that Overwatch of a unit hurts an enemy; None for a unit that has no guns but those others lend it."""
    question = declaration(w, unit, enemy.id, overwatch=True)
    shots = shots_of(w, unit, guns_of(w, unit, enemy.id), default_shots(w, question), overwatch=True)
    return chance_to_hurt(attack_of(w, unit, enemy, shots)) if shots else None


def orders(card: str) -> tuple[Mapping[str, Any], ...]:
    """The standing order that most players would give."""
    asked = {"do": "ask", "odds": ASKED_FROM, "better": ASKED_AGAIN, "else": "pass"}
    return ({"for": "react.*", "options": [f"{card}*"], **asked},)
