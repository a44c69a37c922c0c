"""Deployment: dividing the battlefield, and setting up the armies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Option, Place, Question, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.deploying import deploy_next, without_room
from sandtable.forty.mission import zones_of
from sandtable.forty.scoring import Scoring, held, stands_in
from sandtable.kit.alternating import Group, Selection, next_selection, player_after
from sandtable.kit.asking import place_of
from sandtable.kit.grammar import does
from sandtable.kit.room import (
    Outline,
    Room,
    Spots,
    away_from,
    find_room,
    gap_to_area,
    is_wholly_in,
    models_to_place,
    placed,
    put_down,
    setting_up,
)
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.only_war import has_its_own_map
from sandtable.systems.w40k8.reinforcements import TELEPORT, judge_spots
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of
from sandtable.systems.w40k8.transports import embark_at_the_start, may_start_aboard
from sandtable.table.grid import units
from sandtable.table.zones import Ball

Point = tuple[int, int]

ALONG: Final = "along"
ACROSS: Final = "across"
RISING: Final = "rising"
FALLING: Final = "falling"
LINES: Final = {
    ALONG: "into a lower and an upper half",
    ACROSS: "into a left and a right half",
    RISING: "from the lower left to the upper right corner",
    FALLING: "from the upper left to the lower right corner",
}
"""How a battlefield can be divided, by a straight line through its middle."""
TABLE_: Final = "table"
RESERVE: Final = "reserve"


# --- Deployment zones -------------------------------------------------------------------------------------------------


@rule("w40k8.onlywar.zones")
async def divide_battlefield(b: Battle8) -> Step:
    """Who did not roll for the primary objective divides the battlefield, unless the mission has."""
    if has_its_own_map(b):
        b.set_game(halves=zones_of(b))
        return DONE
    rules = ("w40k8.onlywar.zones",)
    options = [Option(line, text) for line, text in LINES.items()]
    chosen = await b.choose(divider(b), "divide", "How is the battlefield divided?", options, rules=rules)
    b.set_game(halves=halves_of(b.table.width, b.table.depth, str(chosen)))
    b.tell("divided", f"{b.player(divider(b)).name} divides the battlefield {LINES[str(chosen)]}.", *rules)
    return DONE


@rule("w40k8.onlywar.zones")
async def assign_zones(b: Battle8) -> Step:
    """Who did roll decides which half is whose deployment zone."""
    winner, rules = b.state.game.roller, ("w40k8.onlywar.zones",)
    options = [Option(i, _called(half)) for i, half in enumerate(b.state.game.halves)]
    chosen = await b.choose(winner, "zone", "Which half is your deployment zone?", options, rules=rules)
    own, side = int(str(chosen)), b.side(winner)
    zones = tuple(own if p.side == side else 1 - own for p in b.state.players)
    b.set_game(zones=zones, attacker=zones.index(0))
    b.tell("zones", f"{b.player(winner).name} takes {options[own].label}.", *rules, half=own)
    return DONE


def divider(w: World8) -> int:
    """Who did not roll for the primary objective."""
    return player_after(w, w.state.game.roller)


@rule("w40k8.onlywar.zones", neutral=((), ()))
def halves_of(width: int, depth: int, line: str) -> tuple[tuple[Point, ...], ...]:
    """Two halves of the same size on either side of a line through the middle."""
    x, y = width // 2, depth // 2
    one: tuple[Point, ...] = {
        ALONG: ((0, 0), (width, 0), (width, y), (0, y)),
        ACROSS: ((0, 0), (x, 0), (x, depth), (0, depth)),
        RISING: ((0, 0), (width, 0), (width, depth)),
        FALLING: ((0, 0), (width, 0), (0, depth)),
    }[line]
    return one, tuple((width - px, depth - py) for px, py in one)


def _called(half: Sequence[Point]) -> str:
    x, y = (units(sum(p[i] for p in half) / len(half)) for i in (0, 1))
    return f"the half around {x:.0f}, {y:.0f}"


def zone_of(w: World8, player: int) -> Outline:
    """A player's deployment zone."""
    game = w.state.game
    return game.halves[game.zones[player]]


SCORING: Final = Scoring(
    held=lambda w, player, way: len(held(w, player, way)),
    most=lambda way: way.most,
    broken_through=lambda w, unit: stands_in(w, unit, enemy_zone(w, unit.player), is_wholly_in),
    rule="w40k8.battle.mission",
    holding="w40k8.onlywar.control",
)
"""What missions other than Only War score."""


def enemy_zone(w: World8, player: int) -> Outline:
    """That of the enemy."""
    game = w.state.game
    (enemy, *_) = w.opponents(player)
    return game.halves[game.zones[enemy.id]]


# --- Deploying --------------------------------------------------------------------------------------------------------


@rule("w40k8.onlywar.deploy")
async def deploy_armies(b: Battle8) -> Step:
    """One unit at a time, the players set up their armies."""
    return await deploy_next(b, who_deploys(b), deploy, "w40k8.onlywar.deploy")


@rule("w40k8.onlywar.deploy", neutral=None)
def who_deploys(w: World8) -> Selection | None:
    """The player who divided the battlefield begins, the players take turns, and who is done is passed over."""
    return next_selection(w, (WAITING,), w.state.game.chooser)


def waits(w: World8, unit: Unit) -> bool:
    """Whether a unit still has to be set up."""
    return bool(models_to_place(w, unit)) and not unit.reserve and unit.embarked < 0 and not unit.no_room


WAITING: Final = Group(lambda w, unit: Verdict(waits(w, unit)), divider)


async def deploy(b: Battle8, unit: Unit) -> None:
    """Set one unit up: on the battlefield, or in reserve if it has a rule for that."""
    rules = ("w40k8.onlywar.deploy",)
    if may_wait(b, unit):
        options = [Option(TABLE_, "on the battlefield"), Option(RESERVE, "in reserve")]
        where = await b.choose(unit.player, "deploy_where", f"Where is {unit.name} set up?", options, rules=rules)
        if where == RESERVE:
            b.set_unit(unit, reserve=TELEPORT)
            b.tell("in_reserve", f"{does(unit, 'is')} set up in reserve.", *rules, units=[unit.id])
            return
    area = zone_of(b, unit.player)
    spots = await b.ask(place_of(b, unit, "deploy", "Where {is} {unit} set up?", *rules, area=area, optional=True))
    if spots is None:
        b.set_unit(unit, no_room=True)
        b.tell("no_room", f"There is no room for {unit.name}.", "w40k8.gap.unplaced_units", units=[unit.id])
        return
    put_down(b, spots)
    b.tell("deployed", f"{does(unit, 'is')} deployed.", *rules, units=[unit.id])
    await load(b, unit)


@rule("w40k8.onlywar.deploy", "w40k8.lord.teleport_strike", neutral=False)
def may_wait(w: World8, unit: Unit) -> bool:
    """Whether all models of a unit can be set up in reserve by a rule of their own."""
    return all(TELEPORT in sheet_of(w, m).abilities for m in unit.models)


@rule("w40k8.transport.start")
async def load(b: Battle8, transport: Unit) -> None:
    """With a transport it is announced which units start the battle inside it, without being set up themselves."""
    while True:
        ready = [u for u in b.units_of(transport.player) if waits(b, u) and may_start_aboard(b, u, transport)]
        prompt, rules = f"Which unit starts the battle in {transport.name}?", ("w40k8.transport.start",)
        unit = await b.choose_unit(
            transport.player, "start_aboard", prompt, ready, optional=True, rules=rules, unit=transport.id
        )
        if unit is None:
            return
        embark_at_the_start(b, unit, transport)


# --- Where ------------------------------------------------------------------------------------------------------------


def room_to_deploy(w: World8, unit: Unit) -> Room:
    """Where a unit may be set up."""

    def accept(spots: Spots) -> Verdict:
        return check_zone(w, unit, spots) and check_distance(w, unit, spots) and judge_spots(w, unit, spots)

    area = away_from(zone_of(w, unit.player), enemy_zone(w, unit.player), BOOK.from_enemy_zone + 1)
    return Room(unit.id, models_to_place(w, unit), (area,), Ball(-1), BOOK.coherency, accept)


@rule("w40k8.onlywar.deploy_distance", neutral=ALLOWED)
def check_zone(w: World8, unit: Unit, spots: Spots) -> Verdict:
    """Every base is wholly in the own zone."""
    bodies, zone = placed(w, spots), zone_of(w, unit.player)
    if all(is_wholly_in(w, bodies, s.model, zone) for s in spots):
        return ALLOWED
    return refuse(f"{unit.name} must be in the own deployment zone.", "w40k8.onlywar.deploy_distance")


@rule("w40k8.onlywar.deploy_distance", neutral=ALLOWED)
def check_distance(w: World8, unit: Unit, spots: Spots) -> Verdict:
    """Nobody is set up within 12" of the enemy zone, exactly 12" included."""
    bodies, zone = placed(w, spots), enemy_zone(w, unit.player)
    if min(gap_to_area(w, bodies, s.model, zone) for s in spots) > BOOK.from_enemy_zone:
        return ALLOWED
    text = f'{unit.name} must be more than 12" from the enemy deployment zone.'
    return refuse(text, "w40k8.onlywar.deploy_distance")


@kept(EVERYTHING)
def find_place(w: World8, unit: Unit) -> Spots | None:
    """A legal place, if a bounded search finds one."""
    return find_room(w, room_to_deploy(w, unit))


@rule("w40k8.onlywar.deploy", neutral=ALLOWED)
def may_be_left_out(w: World8, d: Place) -> Verdict:
    """Only a unit for which there is no room is not set up."""
    return without_room(w, d, find_place(w, w.unit(d.unit)), "w40k8.onlywar.deploy")


def as_listed(w: World8, d: Any) -> Any:
    """Whom the army list puts into the transport."""
    roster = w.setup.data.roster
    options = [o.value for o in d.options]
    return next((u for u in options if roster and roster[u].embark == d.unit), None)


QUESTIONS: Final[dict[str, Any]] = {
    "divide": Question(default=lambda w, d: ALONG),
    "zone": Question(default=lambda w, d: d.options[0].value),
    "deploy_with": Question(default=lambda w, d: d.options[0].value),
    "deploy_where": Question(default=lambda w, d: TABLE_),
    "deploy": setting_up(
        lambda w, d: (room_to_deploy(w, w.unit(d.unit)),), lambda w, d: find_place(w, w.unit(d.unit)), may_be_left_out
    ),
    "start_aboard": Question(default=as_listed),
}
