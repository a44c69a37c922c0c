"""What a player is told when models may not go where they are sent."""

from __future__ import annotations

from typing import Final

from sandtable.forty.state import called_all
from sandtable.kit.cites import BACK_AGAIN, FRIEND, Cites, cite
from sandtable.kit.sweeps import STOPPED, TOO_FAR
from sandtable.systems.w40k10.aircraft import is_aircraft
from sandtable.systems.w40k10.concepts import BARRICADE, DEBRIS
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, World10
from sandtable.table.moves import Code

AIRCRAFT: Final = "AIRCRAFT"


def cases(w: World10, unit: int) -> tuple[str, ...]:
    """What else is said where a unit is in the way."""
    return (AIRCRAFT,) if is_aircraft(w, w.unit(unit)) else ()


_CLIMB = "{thing} is in the way of {who}, {top:.1f} high: it has to be climbed or gone around."
_NEAR = "{who} would end {gap} from {other}, within Engagement Range ({zone})"
_INSIDE = cite("{who} cannot end inside a part of {thing}.", "w40k10.terrain.ruins_move_through")

OFFENCES: Final = Cites(
    {
        TOO_FAR: cite(
            "{who} would go {far}, but may go {limit}: {over} too far.", "w40k10.move.distance", "w40k10.move.normal"
        )
        .but(ADVANCE, "", "w40k10.move.distance", "w40k10.move.advance")
        .but(FALL_BACK, "", "w40k10.move.distance", "w40k10.move.fall_back")
        .but("charge", "", "w40k10.move.distance", "w40k10.charge.roll")
        .but("pile_in", "", "w40k10.move.distance", "w40k10.fight.pile_in")
        .but("consolidate", "", "w40k10.move.distance", "w40k10.fight.consolidate"),
        Code.LEG: cite("{who}: a leg goes straight, turns on the spot or climbs straight up or down, one at a time."),
        Code.EDGE: cite("{who} would cross the edge of the battlefield, by {by}.", "w40k10.move.board_edge").but(
            BACK_AGAIN, "{who} would cross the edge of the battlefield.", "w40k10.move.board_edge"
        ),
        # On the way
        Code.MODEL: cite("{who} would move across models of {other}.", "w40k10.move.through_enemies")
        .but(
            FRIEND,
            "{who} would move across {other}: MONSTERS and VEHICLES go around each other.",
            "w40k10.move.monster_vehicle_block",
        )
        .but(FALL_BACK, "", "w40k10.move.desperate_escape_trigger"),
        Code.ZONE: cite("{who} would pass within {zone} of {other}, in Engagement Range.", "w40k10.move.normal")
        .but(ADVANCE, "", "w40k10.move.advance")
        .but(FALL_BACK, "", "w40k10.move.fall_back")
        .but(
            "charge",
            "{who} would pass within {zone} of {other}: {other:is} no target, and Engagement Range is closed.",
            "w40k10.charge.conditions",
        ),
        Code.WALL: cite(_CLIMB, "w40k10.move.over_terrain"),
        Code.SOLID: cite(_CLIMB, "w40k10.move.over_terrain"),
        Code.FLOOR: cite(_CLIMB, "w40k10.move.over_terrain"),
        Code.AIR: cite(
            "{who} would find nothing to walk on or to climb along on the way to a height of {height:.1f}.",
            "w40k10.move.climb",
        ),
        STOPPED: cite(
            "{thing} is in the way of {who}, {top:.1f} high: it has to be flown over or around.",
            "w40k10.move.fly_air",
            "w40k10.move.over_terrain",
        ),
        # At the end
        Code.END_MODEL: cite(
            "{who} cannot end on top of {other}: the bases would overlap by {overlap}.", "w40k10.move.no_stacking"
        ),
        Code.END_ZONE: cite(f"{_NEAR}.", "w40k10.concept.engagement_limit")
        .but(AIRCRAFT, f"{_NEAR} of an AIRCRAFT.", "w40k10.aircraft.others_pass", "w40k10.concept.engagement_limit")
        .but(FALL_BACK, "", "w40k10.concept.engagement_limit", "w40k10.move.fall_back")
        .but("charge", f"{_NEAR}: {{other:is}} no target.", "w40k10.charge.conditions"),
        Code.END_WALL: _INSIDE,
        Code.END_CEILING: _INSIDE,
        Code.END_SOLID: cite("{who} cannot end on {thing}.", "w40k10.move.over_terrain")
        .but(BARRICADE, "", "w40k10.terrain.barricade_move")
        .but(DEBRIS, "", "w40k10.terrain.debris_move"),
        Code.END_FLOOR: cite(
            "{who} cannot end in the middle of a climb: there is no ground at a height of {height:.1f}.",
            "w40k10.move.climb",
        ),
    },
    called_all,
    cases,
)
