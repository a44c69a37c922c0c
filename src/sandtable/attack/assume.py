"""What an answer rests on: the players' policies in words, and the rules behind the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.attack.volley import NEVER, Attack, Cites, DiceSum, Procedure

_ALLOCATION: Final = {
    "in_order": "the defender loses models in casualty order",
    "best_save": "the defender gives each attack to the model that saves best",
    "worst_for_attacker": "the defender allocates as is worst for the attacker",
}
_REROLL: Final = {
    "failures": "the attacker re-rolls what failed and may be re-rolled",
    "criticals": "the attacker re-rolls everything that is not critical and may be re-rolled",
    "none": "the attacker re-rolls nothing",
    "optimal": "the attacker re-rolls whatever is best, deciding attack by attack",
}
_SUMS: Final = {
    "below_average": "sums of dice that may be re-rolled are re-rolled below their average",
    "none": "sums of dice are not re-rolled",
    "optimal": "sums of dice are re-rolled when that is best",
}
_AIM: Final = {
    "never": "no attack is directed at a protected model",
    "always": "attacks are directed at protected models whenever they may be",
    "optimal": "attacks are directed at protected models when that is best",
}
_GOAL: Final = {
    "damage": "what is weighed is the mean of the wounds lost",
    "models": "what is weighed is the mean of the models lost",
    "destroy": "what is weighed is the chance to destroy the whole target",
    "value": "what is weighed is the mean value of the models lost",
}
_PROCEDURE: Final = {
    Procedure.EACH_IN_TURN: "attacks are made each in turn",
    Procedure.SORTED_BATCH: "the saves of each batch are rolled together and taken from the lowest up",
    Procedure.POOLED: "all saves are rolled on the most common save, then casualties are taken",
    Procedure.SPREAD: "hits are dealt out one to each, front to back, before any save is rolled",
}


def assumptions(attack: Attack) -> tuple[str, ...]:
    """The policies of an attack in words; those that can make no difference are left out."""
    choices = attack.choices
    out = [_PROCEDURE[attack.procedure], _ALLOCATION[choices.allocation]]
    if any(v.hit.reroll or v.wound.reroll for v in attack.volleys):
        out.append(_REROLL[choices.reroll])
    if any(number.reroll for number in _sums(attack)):
        out.append(_SUMS[choices.sums])
    if any(v.may_roll and any(f.wounds for f in v.hit.faces) for v in attack.volleys):
        out.append("wounds without a wound roll are taken wherever they may be")
    if any(v.aim for v in attack.volleys):
        out.append(_AIM[choices.aim])
    if choices.weighed:
        out.append(_GOAL[choices.goal])
    if choices.allocation == "worst_for_attacker" and attack.procedure is Procedure.SORTED_BATCH:
        out.append("the order of groups is weighed for each batch on its own")
    return tuple(out)


def cites(attack: Attack) -> Cites:
    """Every rule behind the volleys and the target, each once."""
    found = [attack.target.cites]
    if any(b.pain < NEVER or b.pain_mortal for b in attack.target.bodies):
        found.append(attack.target.pain_cites)
    for volley in attack.volleys:
        found.append(volley.all_cites)
        if volley.aim:
            found.append(volley.aim_cites)
    return tuple(dict.fromkeys(c for each in found for c in each))


def _sums(attack: Attack) -> Iterator[DiceSum]:
    for volley in attack.volleys:
        yield from (s.each for s in volley.shots)
        yield from (f.extra for f in volley.hit.faces if f.extra is not None)
        for kind in volley.kinds:
            if kind.damage is not None:
                yield kind.damage
            if kind.mortal is not None:
                yield kind.mortal.points
