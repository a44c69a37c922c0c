"""Deploy armies, and what happens between deployment and the first turn: Infiltrators and Scouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Move, Moves, Place, Question, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.markers import worth_going_to
from sandtable.forty.mind.pointing import move_towards
from sandtable.forty.mission import attacker_of, enemy_zone
from sandtable.forty.passengers import passengers
from sandtable.forty.state import called_all
from sandtable.kit.flags import enemy_units
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import mostly_go_on, wander
from sandtable.kit.moving import after, carry_out
from sandtable.kit.room import (
    ANYWHERE,
    Outline,
    Room,
    Spots,
    far_from_area,
    find_room,
    gap_to_area,
    gap_to_enemies,
    models_to_place,
    placed,
    put_down,
    rows_of,
    setting_up,
)
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import has_keyword
from sandtable.systems.w40k10.dice import roll_off
from sandtable.systems.w40k10.paths import Passage, can_move, judge_paths
from sandtable.systems.w40k10.placing import every_model_has, room_for, wholly_within
from sandtable.systems.w40k10.scoring import zone_of
from sandtable.systems.w40k10.state import NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import embark, judge_embark
from sandtable.table.grid import steps, units
from sandtable.table.shapes import Bodies

AFTER_DEPLOYMENT: Final = "after deployment"
"""The ability of units that are set up once both armies are deployed."""


# --- Deploying --------------------------------------------------------------------------------------------------------


async def deploy_armies(b: Battle10) -> Step:
    """6. One unit at a time, the players deploy their armies."""
    return await _deploy_next(b, late=False)


@rule("w40k10.onlywar.deploy_after")
async def deploy_late_units(b: Battle10) -> Step:
    """Units that are set up after both armies; if both players have some, a roll-off says who begins."""
    owners = [p.id for p in b.state.players if waiting(b, p.id, late=True)]
    if len(owners) > 1 and b.state.game.chooser < 0:
        b.set_game(chooser=roll_off(b))
    return await _deploy_next(b, late=True)


async def _deploy_next(b: Battle10, *, late: bool) -> Step:
    player = who_deploys(b, late=late)
    if player is None:
        b.set_game(chooser=-1)
        return DONE
    unit = await b.choose_unit(
        player,
        "deploy_with",
        "Which unit is set up next?",
        waiting(b, player, late=late),
        rules=("w40k10.onlywar.deploy",),
    )
    assert unit is not None
    await deploy(b, unit)
    b.set_game(chooser=(player + 1) % len(b.state.players))
    return AGAIN


def waiting(w: World10, player: int, *, late: bool) -> list[Unit]:
    """The units that a player still has to deploy."""
    return [
        u
        for u in w.units_of(player)
        if models_to_place(w, u)
        and is_deployed(u)
        and not u.no_room
        and every_model_has(w, u, AFTER_DEPLOYMENT) == late
    ]


@rule("w40k10.onlywar.deploy", "w40k10.reserve.definition", neutral=True)
def is_deployed(unit: Unit) -> bool:
    """Units in Reserves and units that are embarked are not set up."""
    return not unit.reserve and unit.embarked < 0


@rule("w40k10.onlywar.deploy", neutral=None)
def who_deploys(w: World10, *, late: bool) -> int | None:
    """Whose turn it is: the Attacker begins, the players alternate, who is done is passed over."""
    first = w.state.game.chooser if w.state.game.chooser >= 0 else attacker_of(w)
    order = [(first + i) % len(w.state.players) for i in range(len(w.state.players))]
    return next((p for p in order if waiting(w, p, late=late)), None)


async def deploy(b: Battle10, unit: Unit) -> None:
    """Set one unit up."""
    roams = infiltrates(b, unit)
    spots = await b.ask(
        Place(
            player=unit.player,
            kind="deploy",
            prompt=f"Where {agree(unit, 'is')} {unit.name} set up?",
            models=models_to_place(b, unit),
            area=() if roams else zone_of(b, unit.player),
            optional=True,
            rules=("w40k10.ability.infiltrators",) if roams else ("w40k10.onlywar.deploy",),
            unit=unit.id,
        )
    )
    if spots is None:
        b.set_unit(unit, no_room=True)
        return
    put_down(b, spots)
    b.tell("deployed", f"{does(unit, 'is')} deployed.", "w40k10.onlywar.deploy", units=[unit.id])


@rule("w40k10.ability.infiltrators", neutral=False)
def infiltrates(w: World10, unit: Unit) -> bool:
    """Whether all models of a unit are Infiltrators."""
    return every_model_has(w, unit, "infiltrators")


def rooms_to_deploy(w: World10, unit: Unit) -> tuple[Room, ...]:
    """Where a unit may be deployed: Infiltrators anywhere that is far enough from the enemy, everybody in the zone."""

    def where(spots: Spots) -> Verdict:
        return check_where(w, unit, spots)

    zone = room_for(w, unit, (zone_of(w, unit.player),), where)
    if not infiltrates(w, unit):
        return (zone,)
    return room_for(w, unit, (ANYWHERE,), where, gap=BOOK.infiltrators_gap, ideas=3), zone


@kept(EVERYTHING)
def find_place(w: World10, unit: Unit) -> Spots | None:
    """A legal place in the own zone, if a bounded search finds one."""
    return find_room(w, rooms_to_deploy(w, unit)[-1])


def may_be_left_out(w: World10, d: Place) -> Verdict:
    """Only a unit for which there is no room is not deployed."""
    unit = w.unit(d.unit)
    room = find_place(w, unit)
    if room is None:
        return ALLOWED
    return refuse(f"There is room for {unit.name}.", "w40k10.onlywar.deploy", instead=room)


def check_where(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """Within the own zone; Infiltrators anywhere that is far enough from the enemy."""
    verdict = check_zone(w, unit, spots)
    if verdict or not infiltrates(w, unit):
        return verdict
    return check_infiltrators(w, unit, spots)


@rule("w40k10.onlywar.deploy", neutral=ALLOWED)
def check_zone(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """Every model is wholly within the player's own deployment zone."""
    bodies, zone = placed(w, spots), zone_of(w, unit.player)
    if all(wholly_within(w, bodies, s.model, zone) for s in spots):
        return ALLOWED
    return refuse(_outside(w, unit, bodies, [s.model for s in spots], zone), "w40k10.onlywar.deploy")


def _outside(w: World10, unit: Unit, bodies: Bodies, models: Sequence[int], zone: Outline) -> str:
    """Who would stand outside a zone, how far, and where the zone is."""
    outside = [m for m in models if not wholly_within(w, bodies, m, zone)]
    far = max(far_from_area(w, bodies, m, zone) for m in outside)
    corners = "; ".join(f"{units(x):g}, {units(y):g}" for x, y in zone)
    off = f'{units(far):.2f}" outside the deployment zone, whose corners are {corners}'
    return f"{called_all(w, outside)} would stand up to {off}. {unit.name} must be wholly within it."


@rule("w40k10.ability.infiltrators", neutral=ALLOWED)
def check_infiltrators(w: World10, unit: Unit, spots: Spots) -> Verdict:
    """More than 9" horizontally from the enemy deployment zone and from all enemy models."""
    bodies, zone = placed(w, spots), enemy_zone(w, unit.player)
    if min(gap_to_area(w, bodies, s.model, zone) for s in spots) <= BOOK.infiltrators_gap:
        return refuse(
            f'{unit.name} must be more than 9" from the enemy deployment zone.', "w40k10.ability.infiltrators"
        )
    if gap_to_enemies(w, unit.player, bodies, rows_of(spots)) <= BOOK.infiltrators_gap:
        return refuse(f'{unit.name} must be more than 9" from all enemy models.', "w40k10.ability.infiltrators")
    return ALLOWED


# --- Scouts -----------------------------------------------------------------------------------------------------------


@rule("w40k10.ability.scouts")
async def scouts(b: Battle10) -> Step:
    """When the first battle round opens: Scouts moves, all of the first-turn player's before the others'."""
    first, count = b.state.game.first, len(b.state.players)
    for player in ((first + i) % count for i in range(count)):
        ready = [u for u in b.units_of(player) if may_scout(b, u)]
        if not ready:
            continue
        b.set_clock(active=player)
        unit = await b.choose_unit(
            player,
            "scout_with",
            "Which unit makes a Scouts move?",
            ready,
            optional=True,
            rules=("w40k10.ability.scouts",),
        )
        if unit is None:
            for u in ready:
                b.set_unit(u, scouted=True)
            return AGAIN
        b.set_unit(unit, scouted=True)
        await scout(b, unit)
        return AGAIN
    return DONE


@rule("w40k10.ability.scouts", neutral=False)
def may_scout(w: World10, unit: Unit) -> bool:
    """A unit on the battlefield all of whose models have Scouts moves once."""
    able = every_model_has(w, unit, "scouts") or carries_only_scouts(w, unit)
    return able and not unit.scouted and w.is_on_table(unit)


@rule("w40k10.ability.scouts_transport", neutral=False)
def carries_only_scouts(w: World10, unit: Unit) -> bool:
    """A DEDICATED TRANSPORT makes the move if everybody in it has Scouts."""
    aboard = passengers(w, unit) if has_keyword(w, unit, "DEDICATED TRANSPORT") else []
    return bool(aboard) and all(every_model_has(w, u, "scouts") for u in aboard)


async def scout(b: Battle10, unit: Unit) -> None:
    """A Normal move of the distance that the ability gives."""
    moves = await b.ask(
        Move(
            player=unit.player,
            kind="scout_move",
            prompt=f"Where {agree(unit, 'does')} {unit.name} scout?",
            models=tuple(int(m) for m in b.on_table(unit)),
            modes=(Mode(NORMAL, "Scouts move", scout_distance(b, unit)),),
            rules=("w40k10.ability.scouts",),
            unit=unit.id,
        )
    )
    carry_out(b, moves)
    b.tell("scouted", f"{does(unit, 'makes')} a Scouts move.", "w40k10.ability.scouts", units=[unit.id])
    if moves.onto >= 0:
        embark(b, unit, b.unit(moves.onto))


@rule("w40k10.ability.scouts", neutral=0)
def scout_distance(w: World10, unit: Unit) -> int:
    """The distance behind the ability, in grid steps; the least of the models, or of a transport's passengers."""
    models = [int(m) for m in w.on_table(unit)]
    if not every_model_has(w, unit, "scouts"):
        models = [m for u in passengers(w, unit) for m in models_to_place(w, u)]
    values = [[v.rstrip('"') for v in core_values(w, w.unit(int(w.state.models.unit[m])), m, "scouts")] for m in models]
    best = [max((int(v) for v in found if v.isdecimal()), default=0) for found in values]
    return steps(min(best, default=0))


def judge_scout(w: World10, d: Move, answer: Moves) -> Verdict:
    """A Normal move that ends far enough from the enemy; to stay is always open."""
    unit = w.unit(d.unit)
    if answer.onto >= 0:
        verdict = judge_embark(w, unit, answer)
        if not verdict:
            return verdict
    if not answer.paths:
        return ALLOWED
    limit = scout_distance(w, unit)
    way = Passage(unit.id, NORMAL, enemy_units(w, unit.player))
    verdict = judge_paths(w, answer, way, lambda m: limit if can_move(w, m) else 0)
    return verdict and check_scouts_end(w, unit, answer)


@rule("w40k10.ability.scouts", neutral=ALLOWED)
def check_scouts_end(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """The move ends more than 9" horizontally from all enemy models."""
    if gap_to_enemies(w, unit.player, after(w, answer), w.on_table(unit)) > BOOK.scouts_gap:
        return ALLOWED
    return refuse(f'{unit.name} must end more than 9" from all enemy models.', "w40k10.ability.scouts")


def suggest_scout(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """Ways to go."""
    unit = w.unit(d.unit)
    limit = scout_distance(w, unit)
    way = Passage(unit.id, NORMAL, enemy_units(w, unit.player))
    yield from wander(w, way, d.models, lambda m: limit if can_move(w, m) else 0, worth_going_to(w, unit.player), rng)


QUESTIONS: Final[dict[str, Any]] = {
    "deploy_with": Question(default=lambda w, d: d.options[0].value),
    "deploy": setting_up(
        lambda w, d: rooms_to_deploy(w, w.unit(d.unit)),
        lambda w, d: find_place(w, w.unit(d.unit)),
        may_be_left_out,
    ),
    "scout_with": Question(default=lambda w, d: d.options[0].value, suggest=mostly_go_on(0.1)),
    "scout_move": Question(
        judge=judge_scout, suggest=suggest_scout, default=lambda w, d: Moves(NORMAL), towards=move_towards
    ),
}
