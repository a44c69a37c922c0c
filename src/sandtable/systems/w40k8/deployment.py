"""Deployment: dividing the battlefield, and setting up the armies."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Option, Question, Step, Verdict, refuse
from sandtable.forty.counts import Scoring
from sandtable.forty.deploying import as_listed, deploy_next, deploying, set_up, without_room
from sandtable.forty.mission import zones_of
from sandtable.forty.passengers import put_aboard, tell_of
from sandtable.kit.alternating import Group, Selection, next_selection, player_after
from sandtable.kit.grammar import agree, does
from sandtable.kit.halving import LINES, called, halves_of
from sandtable.kit.ready import refuse_if
from sandtable.kit.room import Outline, Room, Spots, away_from, gap_to_area, is_wholly_in, models_to_place, placed
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.only_war import has_its_own_map, primary_in_words
from sandtable.systems.w40k8.reinforcements import TELEPORT, room_for
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of
from sandtable.systems.w40k8.transports import has_room_for

RESERVE: Final = "reserve"


@rule("w40k8.onlywar.zones")
async def divide_battlefield(b: Battle8) -> Step:
    """Who did not roll for the primary objective divides the battlefield, unless the mission has."""
    if has_its_own_map(b):
        b.set_game(halves=zones_of(b))
        return DONE
    rules = ("w40k8.onlywar.zones",)
    options = [Option(line, text) for line, text in LINES.items()]
    line = str(await b.choose(divider(b), "divide", "How is the battlefield divided?", options, rules=rules))
    b.set_game(halves=halves_of(b.table.width, b.table.depth, line))
    b.tell("divided", f"{b.player(divider(b)).name} divides the battlefield {LINES[line]}.", *rules)
    return DONE


@rule("w40k8.onlywar.zones")
async def assign_zones(b: Battle8) -> Step:
    """Who did roll decides which half is whose deployment zone."""
    winner, rules = b.state.game.roller, ("w40k8.onlywar.zones",)
    options = [Option(i, called(half)) for i, half in enumerate(b.state.game.halves)]
    own = int(str(await b.choose(winner, "zone", "Which half is your deployment zone?", options, rules=rules)))
    zones = tuple(own if p.side == b.side(winner) else 1 - own for p in b.state.players)
    b.set_game(zones=zones, attacker=zones.index(0))
    b.tell("zones", f"{b.player(winner).name} takes {options[own].label}.", *rules, half=own)
    return DONE


def divider(w: World8) -> int:
    """Who did not roll for the primary objective."""
    return player_after(w, w.state.game.roller)


def zone_of(w: World8, player: int) -> Outline:
    """A player's deployment zone; where a scenario begins after they were taken, one of those of its mission."""
    game = w.state.game
    if game.zones:
        return game.halves[game.zones[player]]
    return (zones_of(w) or halves_of(w.table.width, w.table.depth, next(iter(LINES))))[w.side(player) % 2]


def enemy_zone(w: World8, player: int) -> Outline:
    """That of the enemy."""
    return zone_of(w, w.opponents(player)[0].id)


SCORING: Final = Scoring(
    wholly=is_wholly_in, rule="w40k8.battle.mission", holding="w40k8.onlywar.control", further=primary_in_words
)
"""What missions other than Only War score."""


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
        options = [Option("table", "on the battlefield"), Option(RESERVE, "in reserve")]
        prompt = f"Where {agree(unit, 'is')} {unit.name} set up?"
        where = await b.choose(unit.player, "deploy_where", prompt, options, rules=rules)
        if where == RESERVE:
            b.set_unit(unit, reserve=TELEPORT)
            b.tell("in_reserve", f"{does(unit, 'is')} set up in reserve.", *rules, units=[unit.id])
            return
    (area,) = rooms_to_deploy(b, unit)[0].areas
    if await set_up(b, unit, area, *rules, told="w40k8.onlywar.deploy", without="w40k8.gap.unplaced_units"):
        await load(b, unit)


@rule("w40k8.onlywar.deploy", "w40k8.lord.teleport_strike", neutral=False)
def may_wait(w: World8, unit: Unit) -> bool:
    """Whether all models of a unit can be set up in reserve by a rule of their own."""
    return all(TELEPORT in sheet_of(w, m).abilities for m in unit.models)


@rule("w40k8.transport.start")
async def load(b: Battle8, transport: Unit) -> None:
    """With a transport it is announced which units start the battle inside it, without being set up themselves."""
    while True:
        ready = [u for u in b.units_of(transport.player) if waits(b, u) and has_room_for(b, transport, u)]
        player, prompt = transport.player, f"Which unit starts the battle in {transport.name}?"
        rules = ("w40k8.transport.start",)
        unit = await b.choose_unit(player, "start_aboard", prompt, ready, optional=True, rules=rules, unit=transport.id)
        if unit is None:
            return
        put_aboard(b, unit, transport)
        tell_of(b, "starts_aboard", "starts the battle in", unit, transport, "w40k8.transport.start")


def rooms_to_deploy(w: World8, unit: Unit) -> tuple[Room]:
    """Where a unit may be set up: in the part of its zone that is far enough from the enemy's."""
    area = away_from(zone_of(w, unit.player), enemy_zone(w, unit.player), BOOK.from_enemy_zone + 1)
    return (room_for(w, unit, (area,), partial(check_where, w, unit)),)


@rule("w40k8.onlywar.deploy_distance", neutral=ALLOWED)
def check_where(w: World8, unit: Unit, spots: Spots) -> Verdict:
    """Every base is wholly in the own zone, and nobody within 12" of the enemy's, exactly 12" included."""
    id_, own, other = "w40k8.onlywar.deploy_distance", zone_of(w, unit.player), enemy_zone(w, unit.player)
    bodies = placed(w, spots)
    if not all(is_wholly_in(w, bodies, s.model, own) for s in spots):
        return refuse(f"{unit.name} must be in the own deployment zone.", id_)
    near = min(gap_to_area(w, bodies, s.model, other) for s in spots) <= BOOK.from_enemy_zone
    return refuse_if(near, unit, '{unit} must be more than 12" from the enemy deployment zone.', id_)


@rule("w40k8.onlywar.deploy", neutral=ALLOWED)
def may_be_left_out(w: World8, unit: Unit) -> Verdict:
    """Only a unit for which there is no room is not set up."""
    return without_room(w, rooms_to_deploy, unit, "w40k8.onlywar.deploy")


QUESTIONS: Final[dict[str, Any]] = {
    "start_aboard": Question(default=as_listed),
    **deploying(rooms_to_deploy, may_be_left_out),
}
