"""Aircraft: how they move and leave, and what is different for others who move, charge and fight near them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from sandtable.battle import ALLOWED, DONE, OFF, ChooseSome, Move, Moves, Option, Path, Question, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, PLACES, SETUP, kept
from sandtable.battle.verdict import first_refusal
from sandtable.forty.state import called_all
from sandtable.kit.cites import Cites, Length, cite
from sandtable.kit.flags import belonging_to, enemy_units
from sandtable.kit.flights import (
    at_the_end,
    flight,
    flown,
    furthest,
    leads_straight_on,
    shortest_flight,
    some_flights,
    stays_on_table,
    turned_once,
)
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.kit.sweeps import check_stop
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT, engaged_enemies
from sandtable.systems.w40k10.objectives import check_off_markers
from sandtable.systems.w40k10.state import NORMAL, Battle10, Unit, World10, sheet_of
from sandtable.table.grid import STEP, TURN, Bools, steps
from sandtable.table.moves import Code

HOVER_MOVE: Final = 20
HOVER: Final = "hover"
STRATEGIC: Final = "strategic"


class FLIGHT(Facts):
    least_flight = fact(steps(20), "w40k10.aircraft.minimum_move", neutral=0)
    widest_pivot = fact(TURN // 4, "w40k10.aircraft.pivot", neutral=TURN)
    """How far an AIRCRAFT turns after its move."""
    aircraft_are_passed = fact(True, "w40k10.aircraft.others_pass", neutral=False)
    """Everybody moves past AIRCRAFT, and through their Engagement Range."""


def is_aircraft(w: World10, unit: Unit) -> bool:
    """Whether a unit follows the rules of AIRCRAFT."""
    return _some_fly_high(w) and has_keyword(w, unit, "AIRCRAFT") and not loses_keyword(unit)


@kept(SETUP)
def _some_fly_high(w: World10) -> bool:
    """Whether there is any AIRCRAFT in the armies: in most battles there is none, and nobody need be looked at."""
    return any(model_has_keyword(w, m, "AIRCRAFT") for m in range(len(w.setup.data.kits)))


@rule("w40k10.aircraft.hover", neutral=False)
def loses_keyword(unit: Unit) -> bool:
    """In Hover mode an AIRCRAFT is none."""
    return unit.hover


def can_fly(w: World10, unit: Unit) -> bool:
    """Whether a unit can FLY."""
    return has_keyword(w, unit, "FLY")


# --- Hover ------------------------------------------------------------------------------------------------------------


@rule("w40k10.aircraft.hover")
async def declare_hover(b: Battle10) -> Step:
    """Before all other battle formations players say which AIRCRAFT are in Hover mode."""
    asked = [d for p in b.state.players if (d := _ask_hover(b, p.id)) is not None]
    for answer in await b.ask_all(asked):
        for value in answer:
            unit = b.unit(int(value))
            b.set_unit(unit, hover=True)
            b.tell("hover", f"{does(unit, 'is')} in Hover mode.", "w40k10.aircraft.hover", units=[unit.id])
    return DONE


def _ask_hover(w: World10, player: int) -> ChooseSome | None:
    able = [u for u in w.units_of(player) if has_keyword(w, u, "AIRCRAFT") and sheet_of(w, u.models[0]).has(HOVER)]
    if not able:
        return None
    return ChooseSome(
        player=player,
        kind="hover",
        deed="Hover",
        prompt="Which AIRCRAFT are in Hover mode for this battle?",
        options=tuple(Option(u.id, u.name) for u in able),
        rules=("w40k10.aircraft.hover",),
        secret=True,
    )


@rule("w40k10.aircraft.hover", neutral=0)
def hover_move(unit: Unit) -> int:
    """The Move characteristic in Hover mode, in inches; 0 for a unit that is in none."""
    return HOVER_MOVE if unit.hover else 0


# --- Which moves ------------------------------------------------------------------------------------------------------


@rule("w40k10.aircraft.move_options", neutral=None)
def only_normal(w: World10, unit: Unit, move: str) -> Verdict | None:
    """AIRCRAFT make Normal moves, engaged or not, and no others; None for units that are no AIRCRAFT."""
    if not is_aircraft(w, unit):
        return None
    if move == NORMAL:
        return ALLOWED
    return refuse(f"{unit.name}: an AIRCRAFT makes a Normal move and no other.", "w40k10.aircraft.move_options")


@rule("w40k10.aircraft.move_options", neutral=False)
def must_move(w: World10, unit: Unit) -> bool:
    """AIRCRAFT on the battlefield move in each of their Movement phases."""
    return is_aircraft(w, unit)


def held_fast(w: World10, unit: Unit) -> bool:
    """Whether enemies keep a unit from a Normal move or an Advance."""
    enemies = engaged_enemies(w, unit)
    return bool(enemies) and not only_aircraft(w, enemies)


@rule("w40k10.aircraft.others_options", neutral=False)
def only_aircraft(w: World10, enemies: Sequence[Unit]) -> bool:
    """AIRCRAFT alone keep nobody from moving."""
    return all(is_aircraft(w, e) for e in enemies)


# --- The flight -------------------------------------------------------------------------------------------------------


def judge_flight(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """Whether AIRCRAFT may move like this; where it leads off the battlefield, they leave."""
    models = [int(m) for m in w.on_table(unit)]
    if sorted(p.model for p in answer.paths) != models:
        return check_must_fly(w, unit)
    flown_well = first_refusal(
        *(check_straight(w, p) and check_least(w, p) and check_pivot(w, p) for p in answer.paths)
    )
    if not flown_well or leaves(w, answer):
        return flown_well
    return first_refusal(*(check_end(w, unit, p, answer) for p in answer.paths))


@rule("w40k10.aircraft.minimum_move", neutral=ALLOWED)
def check_must_fly(w: World10, unit: Unit) -> Verdict:
    """An AIRCRAFT that can move at least 20" does."""
    way = ahead(w, unit)
    if way is None:
        return ALLOWED
    return refuse(f'{unit.name} must move straight on, at least 20".', "w40k10.aircraft.minimum_move", instead=way)


@rule("w40k10.aircraft.minimum_move", neutral=ALLOWED)
def check_straight(w: World10, path: Path) -> Verdict:
    """Straight along the facing; no turn before or during the move."""
    if leads_straight_on(w, path):
        return ALLOWED
    text = f"{sheet_of(w, path.model).name} flies straight on, along its facing, and pivots at the end at most."
    return refuse(text, "w40k10.aircraft.minimum_move")


@rule("w40k10.aircraft.minimum_move", neutral=ALLOWED)
def check_least(w: World10, path: Path) -> Verdict:
    """At least 20"."""
    far = flown(w, path)
    if far >= FLIGHT.least_flight - 0.5:
        return ALLOWED
    told = Length(w, far, FLIGHT.least_flight)
    text = f'{sheet_of(w, path.model).name} must move at least 20", not {told}.'
    return refuse(text, "w40k10.aircraft.minimum_move", far=round(far / STEP, 3))


@rule("w40k10.aircraft.pivot", neutral=ALLOWED)
def check_pivot(w: World10, path: Path) -> Verdict:
    """One pivot at the end, of a quarter turn at most."""
    turned = turned_once(path)
    if turned is not None and turned <= FLIGHT.widest_pivot:
        return ALLOWED
    text = f"{sheet_of(w, path.model).name} may pivot once, by up to 90 degrees, after its move."
    return refuse(text, "w40k10.aircraft.pivot")


@rule("w40k10.aircraft.minimum_move", neutral=ALLOWED)
def check_end(w: World10, unit: Unit, path: Path, answer: Moves) -> Verdict:
    """Not on top of a model, not within Engagement Range of the enemy, and on ground that bears it."""
    bodies, blocks = after(w, answer), at_the_end(w, unit.player, ENGAGEMENT.range)
    return check_stop(w, unit.id, NORMAL, path.model, bodies, blocks, FLIGHTS) and check_off_markers(
        w, bodies, np.array([path.model], dtype=np.int64)
    )


_IN_TERRAIN: Final = cite(
    "The AIRCRAFT cannot end its move in that terrain.", "w40k10.aircraft.minimum_move", "w40k10.move.over_terrain"
)
FLIGHTS: Final = Cites(
    {
        Code.END_MODEL: cite(
            "The AIRCRAFT would end on top of {other}.", "w40k10.aircraft.minimum_move", "w40k10.move.no_stacking"
        ),
        Code.END_ZONE: cite(
            "The AIRCRAFT would end within Engagement Range of {other}.",
            "w40k10.aircraft.minimum_move",
            "w40k10.concept.engagement_limit",
        ),
        **dict.fromkeys((Code.END_WALL, Code.END_SOLID, Code.END_CEILING, Code.END_FLOOR), _IN_TERRAIN),
    },
    called_all,
)


@kept(EVERYTHING)
def ahead(w: World10, unit: Unit, pivot: int = 0) -> Moves | None:
    """The shortest legal flight that stays on the battlefield, if there is one."""

    def ends_well(moves: Moves) -> bool:
        return all(check_end(w, unit, p, moves) for p in moves.paths)

    return shortest_flight(w, NORMAL, w.on_table(unit).tolist(), FLIGHT.least_flight, pivot, ends_well)


# --- Leaving ----------------------------------------------------------------------------------------------------------


@rule("w40k10.aircraft.leave", neutral=False)
def leaves(w: World10, moves: Moves) -> bool:
    """Whether a flight leads over the edge, or cannot be made at all."""
    return not moves.paths or not stays_on_table(w, moves)


@rule("w40k10.aircraft.leave")
def leave(b: Battle10, unit: Unit) -> None:
    """The AIRCRAFT goes into Strategic Reserves, and arrives in its player's next turn."""
    b.place_models([int(m) for m in b.on_table(unit)], OFF)
    b.set_unit(unit, reserve=STRATEGIC, due=True, held_back=True)
    text = f"{does(unit, 'leaves')} the battlefield into Strategic Reserves."
    b.tell("left", text, "w40k10.aircraft.leave", units=[unit.id])


@rule("w40k10.aircraft.leave", neutral=True)
def may_wait(unit: Unit) -> bool:
    """Whether a unit in Reserves may stay there; AIRCRAFT that left the battlefield come back as soon as they can."""
    return not unit.due


@rule("w40k10.aircraft.leave", neutral=True)
def may_come_early(unit: Unit) -> bool:
    """Whether a unit may arrive in another player's turn; AIRCRAFT that left wait for their own."""
    return not unit.due


# --- Others who move --------------------------------------------------------------------------------------------------


@kept(PLACES)
def air_models(w: World10, player: int) -> Bools:
    """Which models on the table are AIRCRAFT of a player's enemies."""
    return belonging_to(w, [e for e in enemy_units(w, player) if is_aircraft(w, w.unit(e))])


@rule("w40k10.aircraft.others_pass", neutral=False)
def closed_by_aircraft(winged: bool) -> bool:
    """Whether not even a charge or a fight brings a model within Engagement Range of AIRCRAFT; FLY models may."""
    return not winged


# --- Charging and fighting --------------------------------------------------------------------------------------------


@rule("w40k10.aircraft.charge", "w40k10.charge.eligible", neutral=ALLOWED)
def may_charge(w: World10, unit: Unit) -> Verdict:
    """AIRCRAFT do not charge."""
    if is_aircraft(w, unit):
        return refuse(f"{unit.name}: an AIRCRAFT cannot charge.", "w40k10.aircraft.charge")
    return ALLOWED


@rule("w40k10.aircraft.charge", "w40k10.charge.targets", neutral=True)
def may_be_charged(w: World10, unit: Unit, enemy: Unit) -> bool:
    """AIRCRAFT are charged by units that can FLY only."""
    return can_fly(w, unit) or not is_aircraft(w, enemy)


@rule("w40k10.aircraft.fight", neutral=ALLOWED)
def may_fight(w: World10, unit: Unit) -> Verdict:
    """AIRCRAFT fight only if an enemy that can FLY is within Engagement Range."""
    if not is_aircraft(w, unit) or any(can_fly(w, e) for e in engaged_enemies(w, unit)):
        return ALLOWED
    return refuse(f"No enemy that can FLY is within Engagement Range of {unit.name}.", "w40k10.aircraft.fight")


@rule("w40k10.aircraft.fight", neutral=True)
def may_strike(w: World10, unit: Unit, model: int, enemy: Unit) -> bool:
    """AIRCRAFT strike units that can FLY, and are struck by models that can."""
    if is_aircraft(w, unit) and not can_fly(w, enemy):
        return False
    return model_has_keyword(w, model, "FLY") or not is_aircraft(w, enemy)


@rule("w40k10.aircraft.pile_in", neutral=True)
def may_step_in(w: World10, unit: Unit) -> bool:
    """AIRCRAFT neither Pile In nor Consolidate."""
    return not is_aircraft(w, unit)


@rule("w40k10.aircraft.pile_in", neutral=False)
def ignores_aircraft(w: World10, model: int) -> bool:
    """A model without FLY looks past AIRCRAFT for the closest enemy."""
    return not model_has_keyword(w, model, "FLY")


# --- Ideas ------------------------------------------------------------------------------------------------------------


def flights(w: World10, d: Move, rng: Random | None) -> Iterator[Moves] | None:
    """Ways of AIRCRAFT: without chance straight on for as short as possible; None for units that may stay."""
    unit = w.unit(d.unit)
    return _flights(w, unit, rng) if must_move(w, unit) else None


def _flights(w: World10, unit: Unit, rng: Random | None) -> Iterator[Moves]:
    pivot = 0
    if rng is not None:
        yield from some_flights(w, NORMAL, w.on_table(unit).tolist(), FLIGHT.least_flight, FLIGHT.widest_pivot, rng)
        pivot = rng.randint(-FLIGHT.widest_pivot, FLIGHT.widest_pivot)
    found = ahead(w, unit, pivot)
    yield from () if found is None else (found,)
    # Who finds no end ahead flies on, off the battlefield.
    yield Moves(NORMAL, tuple(flight(w, m, furthest(w)) for m in w.on_table(unit).tolist()))


QUESTIONS: Final[dict[str, Any]] = {"hover": Question(default=lambda w, d: ())}


@rule("w40k10.aircraft.deploy", neutral=False)
def must_be_in_reserves(w: World10, unit: Unit) -> bool:
    """AIRCRAFT start in Reserves."""
    return is_aircraft(w, unit)


@rule("w40k10.aircraft.deploy", neutral=True)
def may_start_aboard(w: World10, unit: Unit, transport: Unit, reserved: Collection[int]) -> bool:
    """Into an AIRCRAFT in Reserves goes only who is in Reserves too."""
    return not must_be_in_reserves(w, transport) or unit.id in reserved
