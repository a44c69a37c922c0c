"""What abilities do at a moment: when that is, mortal wounds, healing, and models that come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.effects import deeds
from sandtable.forty.effects.leaving import REDEPLOY, Leaving
from sandtable.forty.effects.moments import FALLS, MOMENTS, TURN_STARTS
from sandtable.forty.effects.occasions import falls_hard
from sandtable.forty.effects.returning import Returns
from sandtable.forty.effects.words import Deeds
from sandtable.forty.moments import ATTACKS_MADE, MODEL_DESTROYED, PHASE_BEGAN, PHASE_ENDED, TURN_BEGAN, UNIT_MOVE_ENDED
from sandtable.forty.rerolls import offer_for_ability
from sandtable.kit.dice import Amount
from sandtable.systems.w40k8.abilities import WORDS
from sandtable.systems.w40k8.attacks import inflict, toughness
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import check_coherent, close_enemies, enemy_near, together, who_orders
from sandtable.systems.w40k8.dice import halved
from sandtable.systems.w40k8.reinforcements import TELEPORT, arrive, check_room, find_arrival
from sandtable.systems.w40k8.state import ORDINARY, Unit, World8
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links


def value_of(amount: Amount, faces: Sequence[int]) -> int:
    """What a number comes to with these dice; a D3 is a D6 halved and rounded up."""
    return amount.plus + sum(map(halved, faces) if amount.sides == 3 else faces)


def may_stand(w: World8, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Who comes back is in coherency with somebody who was there before, and more than 1" from enemies."""
    near = links(bodies, w.shapes, models, w.on_table(unit), Zone(BOOK.coherency.reach, BOOK.coherency.vertical))
    if not near.any(axis=1).all():
        return refuse(f"Who comes back stands in coherency with models of {unit.name} that were there.", WORDS.source)
    enemy = enemy_near(w, unit, bodies, models, BOOK.close)
    return ALLOWED if enemy is None else refuse(f'A model would come back within 1" of {enemy.name}.', WORDS.source)


RETURNS: Final = Returns(
    together=together,
    free=check_room,
    coherent=check_coherent,
    may_stand=may_stand,
    set_up_rule="w40k8.concept.coherency",
    left_for_good=lambda unit: unit.fled,
)
LEAVING: Final = Leaving("", TELEPORT, "", find_arrival, arrive)
DEEDS: Final = Deeds(
    source=WORDS.source,
    moments={
        TURN_BEGAN: TURN_STARTS,
        MODEL_DESTROYED: FALLS,
        **{when: MOMENTS[when] for when in (PHASE_BEGAN, PHASE_ENDED, UNIT_MOVE_ENDED, ATTACKS_MADE)},
    },
    moves=ORDINARY,
    in_combat_with=close_enemies,
    orders=who_orders,
    sequencing="w40k8.round.sequencing_turn",
    by_name={name: deeds.DEEDS[name] for name in ("mortal_wounds", "heal", "return_models")} | {"redeploy": REDEPLOY},
    inflict=inflict,
    may_go_off=falls_hard,
    value_of=value_of,
    toughness=toughness,
    after_roll=offer_for_ability,
)
