"""Pre-battle abilities, and Scouts among them (24.31, 24.32): set-ups and moves before the first battle round."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Move, Moves, Question, Step, Verdict
from sandtable.forty.arriving import is_far_enough
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.markers import worth_going_to
from sandtable.forty.mind.pointing import move_towards, reach_of_move
from sandtable.forty.mission import zones_of
from sandtable.forty.moments import PRE_BATTLE
from sandtable.forty.passengers import living, passengers
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.kit.alternating import player_after, players_from
from sandtable.kit.asking import move_of, place_of
from sandtable.kit.grammar import does
from sandtable.kit.ideas import wander, which_unit
from sandtable.kit.moving import after
from sandtable.kit.room import Room, find_room, put_down, setting_up
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import has_keyword, wholly_within
from sandtable.systems.w40k11.deployment import room_in_zone, zone_of
from sandtable.systems.w40k11.moving import SCOUT, carry, judge_paths, no_embarking, passage
from sandtable.systems.w40k11.setting_up import every_model_has
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.table.grid import steps

SCOUTS: Final = "scouts"


class SCOUTING(Facts):
    """What the book states about scout moves."""

    gap = fact(steps(8), "w40k11.unit.scout_move", neutral=-1)
    """How far from all enemies a scout move ends."""


@rule("w40k11.gap.pre_battle")
async def pre_battle_abilities(b: Battle11) -> Step:
    """In turn, the player with the first turn first, the players resolve abilities that wait for this moment."""
    first = b.state.game.chooser if b.state.game.chooser >= 0 else b.state.game.first
    prompt, rules = "Which pre-battle ability is resolved next?", ("w40k11.gap.pre_battle", "w40k11.unit.scouts")
    for player in players_from(b, first):
        ready = [u for u in b.units_of(player) if may_scout(b, u)]
        unit, used = await unit_or_stratagem(
            b, "pre_battle", prompt, ready, PRE_BATTLE, player=player, optional=bool(ready), rules=rules
        )
        for u in ready if unit is None and not used else [u for u in ready if u is unit]:
            b.set_unit(u, scouted=True)
        if unit is not None:
            await b.act(unit, scout(b, unit))
        if ready or used:
            b.set_game(chooser=player_after(b, player))
            return AGAIN
    return DONE


@rule("w40k11.unit.scouts", neutral=False)
def may_scout(w: World11, unit: Unit) -> bool:
    """Who has Scouts comes out of reserves, or moves if it is wholly within its zone; or its transport does."""
    if unit.scouted or not zones_of(w):
        return False
    if w.is_on_table(unit):
        return carries_scouts(w, unit) or (every_model_has(w, unit, SCOUTS) and stands_in_its_zone(w, unit))
    return bool(unit.reserve) and every_model_has(w, unit, SCOUTS)


def stands_in_its_zone(w: World11, unit: Unit) -> bool:
    """Whether every model of a unit is wholly within its own deployment zone."""
    zone = zone_of(w, unit.player)
    return all(wholly_within(w, w.bodies, m, zone) for m in w.on_table(unit).tolist())


@rule("w40k11.unit.scouts", neutral=False)
def carries_scouts(w: World11, unit: Unit) -> bool:
    """A DEDICATED TRANSPORT moves if everybody in it has Scouts."""
    aboard = passengers(w, unit) if has_keyword(w, unit, "DEDICATED TRANSPORT") else []
    return bool(aboard) and all(every_model_has(w, u, SCOUTS) for u in aboard)


async def scout(b: Battle11, unit: Unit) -> None:
    """A unit with Scouts is set up, or makes its scout move."""
    if unit.reserve:
        area, where = zone_of(b, unit.player), "Where {is} {unit} set up?"
        spots = await b.ask(place_of(b, unit, "scout_set_up", where, "w40k11.unit.scouts", area=area, optional=True))
        if spots is not None:
            put_down(b, spots)
            b.set_unit(unit, reserve="")
            b.tell("deployed", f"{does(unit, 'is')} set up.", "w40k11.unit.scouts", units=[unit.id])
        return
    mode, rule_ = Mode(SCOUT, "Scout move", scout_distance(b, unit)), "w40k11.unit.scout_move"
    moves = await b.ask(move_of(b, unit, "scout_move", "Where {does} {unit} scout?", (mode,), rule_))
    carry(b, unit, moves, passage(b, unit, SCOUT))
    b.tell("scouted", f"{does(unit, 'makes')} a scout move.", rule_, units=[unit.id])


@rule("w40k11.unit.scout_move", "w40k11.weapon.duplicates", neutral=0)
def scout_distance(w: World11, unit: Unit) -> int:
    """The distance behind the ability, in grid steps: the least of all models, or of a transport's passengers."""
    units = [unit] if every_model_has(w, unit, SCOUTS) else passengers(w, unit)
    values = [v.rstrip('"') for u in units for m in living(w, u) for v in core_values(w, u, m, SCOUTS)]
    return steps(min([int(v) for v in values]))


def judge_scout(w: World11, d: Move, answer: Moves) -> Verdict:
    """Like any move, and far enough from the enemy; to stay is always open."""
    unit, far = w.unit(d.unit), d.modes[0].allowance
    stays = may_not_embark(answer)
    if not answer.paths:
        return stays
    return (
        stays and judge_paths(w, answer, passage(w, unit, SCOUT), lambda _: far) and check_scouts_end(w, unit, answer)
    )


@rule("w40k11.unit.scout_move", "w40k11.faq.scout_embark", neutral=ALLOWED)
def may_not_embark(answer: Moves) -> Verdict:
    """Before the first battle round nobody embarks."""
    return no_embarking(answer)


@rule("w40k11.unit.scout_move", neutral=ALLOWED)
def check_scouts_end(w: World11, unit: Unit, answer: Moves) -> Verdict:
    """The move ends more than 8" horizontally from all enemies."""
    models, rule_ = w.on_table(unit), "w40k11.unit.scout_move"
    return is_far_enough(w, unit, after(w, answer), models, SCOUTING.gap, rule_, end="end")


def suggest_scout(w: World11, d: Move, rng: Random) -> Iterator[Moves]:
    """Ways to go."""
    unit, far = w.unit(d.unit), d.modes[0].allowance
    yield from wander(w, passage(w, unit, SCOUT), d.models, lambda _: far, worth_going_to(w, unit.player), rng)


def _zone(w: World11, unit: Unit) -> Room:
    return room_in_zone(w, unit)


QUESTIONS: Final[dict[str, Any]] = {
    "pre_battle": which_unit(0.1),
    "scout_set_up": setting_up(lambda w, unit: (_zone(w, unit),), lambda w, unit: find_room(w, _zone(w, unit))),
    "scout_move": Question(
        judge=judge_scout,
        suggest=suggest_scout,
        default=lambda w, d: Moves(SCOUT),
        towards=move_towards,
        reach=reach_of_move,
    ),
}
