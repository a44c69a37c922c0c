"""Overwatch: the targets of a charge fire at those who come."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Confirm, Question
from sandtable.forty.aiming import guns_of
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k8.concepts import close_enemies
from sandtable.systems.w40k8.shooting import shoot
from sandtable.systems.w40k8.state import Battle8, Unit, World8


@rule("w40k8.charge.overwatch", "w40k8.charge.overwatch_repeat")
async def fire_overwatch(b: Battle8, target: Unit, charger: Unit) -> None:
    """A target of a charge may fire at the unit that charges it, by the usual rules of shooting."""
    if not free_to_fire(b, target) or not any(g.anything for g in guns_of(b, target, charger.id)):
        return
    fires = await b.ask(
        Confirm(
            player=target.player,
            kind="overwatch",
            prompt=f"{agree(target, 'Does')} {target.name} fire Overwatch at {charger.name}?",
            rules=("w40k8.charge.overwatch",),
            unit=target.id,
        )
    )
    if fires:
        text = f"{does(target, 'fires')} Overwatch."
        b.tell("overwatch", text, "w40k8.charge.overwatch", units=[target.id, charger.id])
        await shoot(b, target, charger.id, overwatch=True)


@rule("w40k8.charge.overwatch_repeat", "w40k8.weapon.pistol_combat", neutral=True)
def free_to_fire(w: World8, target: Unit) -> bool:
    """Nobody fires Overwatch with an enemy within 1"; else it is fired at every charge."""
    return not close_enemies(w, target)


QUESTIONS: Final = {"overwatch": Question(default=lambda w, d: True)}
