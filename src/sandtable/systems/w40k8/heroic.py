"""Heroic Interventions: Characters of the other players step in once all charges are made."""

from __future__ import annotations

from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Step, Verdict, refuse
from sandtable.kit.asking import pick_unit
from sandtable.kit.grammar import does
from sandtable.kit.ideas import which_unit
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.charge_move import make_heroic_move
from sandtable.systems.w40k8.concepts import enemies, model_has_keyword, within
from sandtable.systems.w40k8.state import Battle8, Unit, World8


@rule("w40k8.charge.heroic")
async def heroic_interventions(b: Battle8) -> Step:
    """After the last charge each Character near the enemy may move; no unit does it twice."""
    for player in b.opponents(b.state.active):
        prompt, rule_ = "Which Character intervenes heroically?", "w40k8.charge.heroic"
        unit = await pick_unit(b, player.id, "intervene_with", prompt, may_intervene, rule_)
        if unit is not None:
            b.set_unit(unit, intervened=True)
            await b.act(unit, make_heroic_move(b, unit))
            return AGAIN
    return DONE


def may_intervene(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may make a Heroic Intervention now."""
    if unit.player == w.state.active or unit.intervened or not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not to intervene now, or has done so.", "w40k8.charge.heroic")
    return is_a_hero(w, unit) and is_near(w, unit)


@rule("w40k8.charge.heroic", neutral=ALLOWED)
def is_a_hero(w: World8, unit: Unit) -> Verdict:
    """Only Characters intervene."""
    if all(model_has_keyword(w, int(m), "CHARACTER") for m in w.on_table(unit)):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} no Character.", "w40k8.charge.heroic")


@rule("w40k8.charge.heroic", neutral=ALLOWED)
def is_near(w: World8, unit: Unit) -> Verdict:
    """An enemy unit is within 3"."""
    if any(within(w, unit, e, BOOK.heroic_range) for e in enemies(w, unit)):
        return ALLOWED
    return refuse(f'No enemy unit is within 3" of {unit.name}.', "w40k8.charge.heroic")


QUESTIONS: Final = {"intervene_with": which_unit(0.3, may_intervene)}
