"""Units that come onto the battlefield in mid-battle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from sandtable.battle import ALLOWED, Verdict
from sandtable.forty.effects.permissions import approached
from sandtable.forty.mission import enemy_zone, zones_of
from sandtable.forty.placing import too_near
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.asking import place_of
from sandtable.kit.grammar import does
from sandtable.kit.room import Spots, gap_to_area, gap_to_enemies, put_down
from sandtable.table.grid import OVERLAP, STEP, Ints, steps
from sandtable.table.shapes import Bodies

Ids: TypeAlias = Sequence[int]
CLOSER: Final = steps(6)
"""As close abilities let somebody arrive that say `arrive_at_6`."""


async def come_on(
    b: Battle40,
    unit: Unit,
    *rules: str,
    gap: int,
    told: str,
    moved: Callable[[Any, Any], None],
    optional: bool = False,
    **fields: Any,
) -> bool:
    """Ask where a unit arrives from reserve, and put it down; whether it came.

    `gap` is how far from enemies it has to be, `told` the rule that its arrival cites, `moved` what that counts as, and
    `fields` what else is then true of it.
    """
    about = {"gap": min(gap, CLOSER) if approached(b, unit) else gap}
    prompt = "Where {does} {unit} arrive?"
    spots = await b.ask(place_of(b, unit, "arrive", prompt, *rules, optional=optional, about=about))
    if spots is None:
        return False
    put_down(b, spots)
    b.set_unit(unit, reserve="", arrived=True, **fields)
    moved(b, unit)
    b.tell("arrived", f"{does(unit, 'arrives')}.", told, units=[unit.id])
    return True


def is_far_enough(
    w: World40, unit: Unit, bodies: Bodies, models: Ints, gap: int, *rules: str, end: str = "be", near: Ids = ()
) -> Verdict:
    """Whether models stand, or end their move, further than so far horizontally from every enemy.

    Of the enemies in `near` they need to be no further than an ability says that lets a unit arrive closer.
    """
    if gap_to_enemies(w, unit.player, bodies, models, near) > gap:
        close = gap_to_enemies(w, unit.player, bodies, models) if near else gap + 1
        if close > CLOSER:
            return ALLOWED
        text = f'{unit.name} must {end} more than {CLOSER // STEP}" horizontally even from enemies it may approach'
        return too_near(w, text, bodies, models, w.enemies_of(unit.player), CLOSER, *rules)
    text = f'{unit.name} must {end} more than {gap // STEP}" horizontally from all enemy units'
    others = [e for e in w.enemies_of(unit.player) if e.id not in near]
    return too_near(w, text, bodies, models, others, gap, *rules)


def in_enemy_zone(w: World40, unit: Unit, bodies: Bodies, spots: Spots) -> bool:
    """Whether a model would arrive, if only in part, in the deployment zone of its player's enemies."""
    zone = enemy_zone(w, unit.player) if zones_of(w) else ()
    return bool(zone) and any(gap_to_area(w, bodies, s.model, zone) <= OVERLAP for s in spots)
