"""What abilities do at a moment: when that is, mortal wounds, healing, and models that come back."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.rolls import AnyReading
from sandtable.forty.effects import deeds
from sandtable.forty.effects.moments import FALLS, MOMENTS, TURN_STARTS
from sandtable.forty.effects.occasions import falls_hard
from sandtable.forty.effects.returning import Returns
from sandtable.forty.effects.words import Deeds
from sandtable.forty.moments import ATTACKS_MADE, MODEL_DESTROYED, PHASE_BEGAN, PHASE_ENDED, TURN_BEGAN, UNIT_MOVE_ENDED
from sandtable.forty.rerolls import offer_reroll
from sandtable.kit.dice import Amount
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import check_coherent, close_enemies, enemies, enemy_near, who_orders, within
from sandtable.systems.w40k8.dice import halved
from sandtable.systems.w40k8.mortal import inflict
from sandtable.systems.w40k8.setting_up import check_room
from sandtable.systems.w40k8.state import ORDINARY, Battle8, Player, Unit, World8
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links

D3: Final = 3
SOURCE: Final = "w40k8.sheet.abilities"
FIGHT_NEAR: Final = steps(8)
"""Nobody further away than that gets into a fight by piling in and consolidating."""


def gets_into_a_fight(w: World8, unit: Unit) -> bool:
    """Whether an enemy is near enough for a fight."""
    return any(within(w, unit, e, FIGHT_NEAR) for e in enemies(w, unit))


def in_range(face: int, least: int, most: int) -> bool:
    """Whether a die shows what is needed."""
    return least <= face <= most


def value_of(amount: Amount, faces: Sequence[int]) -> int:
    """What a number comes to with these dice; a D3 is a D6 halved and rounded up."""
    return amount.plus + sum(map(halved, faces) if amount.sides == D3 else faces)


async def after_roll(b: Battle8, unit: int, kind: str, faces: tuple[int, ...], read: AnyReading) -> tuple[int, ...]:
    """Command re-rolls work on the dice of abilities, too."""
    if unit < 0:
        return faces
    return await offer_reroll(b, b.unit(unit), kind, faces, sum_=False, read=read, value=lambda _: 0)


def no_points(b: Battle8, player: Player, points: int, source: str) -> None:
    """There are no Command points."""


# --- Models that come back --------------------------------------------------------------------------------------------


def is_gone(w: World8, unit: Unit) -> bool:
    """Nobody comes back to a unit of which nobody is on the battlefield."""
    return not w.is_on_table(unit)


def together(count: int) -> Coherency:
    """As any unit."""
    return BOOK.coherency


def may_stand(w: World8, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Each of them is in coherency with somebody who was there before, and more than 1" from enemies."""
    near = links(bodies, w.shapes, models, w.on_table(unit), Zone(BOOK.coherency.reach, BOOK.coherency.vertical))
    if not near.any(axis=1).all():
        return refuse(f"Who comes back stands in coherency with models of {unit.name} that were there.", SOURCE)
    enemy = enemy_near(w, unit, bodies, models, BOOK.close)
    return ALLOWED if enemy is None else refuse(f'A model would come back within 1" of {enemy.name}.', SOURCE)


RETURNS: Final = Returns(
    is_gone, together, check_room, check_coherent, may_stand, "w40k8.concept.coherency", lambda unit: unit.fled
)
DEEDS: Final = Deeds(
    source=SOURCE,
    moments=MappingProxyType(
        {
            TURN_BEGAN: TURN_STARTS,
            PHASE_BEGAN: MOMENTS[PHASE_BEGAN],
            PHASE_ENDED: MOMENTS[PHASE_ENDED],
            UNIT_MOVE_ENDED: MOMENTS[UNIT_MOVE_ENDED],
            ATTACKS_MADE: MOMENTS[ATTACKS_MADE],
            MODEL_DESTROYED: FALLS,
        }
    ),
    moves=ORDINARY,
    in_combat_with=close_enemies,
    gets_into_a_fight=gets_into_a_fight,
    orders=who_orders,
    sequencing="w40k8.round.sequencing_turn",
    by_name=MappingProxyType({name: deeds.DEEDS[name] for name in ("mortal_wounds", "heal", "return_models")}),
    gain_points=no_points,
    inflict=inflict,
    may_go_off=falls_hard,
    in_range=in_range,
    value_of=value_of,
    after_roll=after_roll,
    last_stand=MappingProxyType({}),
)
