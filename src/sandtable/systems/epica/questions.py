"""What Epic knows about each kind of question: what is legal, what is a good idea, what is the plain answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from sandtable.battle.decisions import Choose, ChooseSome, Value
from sandtable.battle.system import Question
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.systems.epica import (
    assault_odds,
    charging,
    movement,
    odds,
    pointing,
    rallying,
    suggest,
    usual_moves,
    watching,
)
from sandtable.systems.epica.action_test import chance
from sandtable.systems.epica.actions import ACTIONS, may_activate, may_declare
from sandtable.systems.epica.aiming import default_aim, suggest_aim
from sandtable.systems.epica.assault import judge_consolidation
from sandtable.systems.epica.broken import judge_withdrawal
from sandtable.systems.epica.charge import judge_charge, judge_counter_charge
from sandtable.systems.epica.movement import MOVE_COMPLETED, fastest, judge_move, stay_or_leave
from sandtable.systems.epica.shooting import can_shoot_at, judge_aim
from sandtable.systems.epica.state import EpicWorld, size
from sandtable.table.grid import steps

# --- Choosing --------------------------------------------------------------------------------------------------------


def why_activate(world: EpicWorld, decision: Choose, unit: int) -> Verdict:
    if world.unit(unit).player != decision.player:
        return refuse(f"{world.unit(unit).name} takes orders from somebody else.", "epica.action.alternate")
    return may_activate(world, world.unit(unit))


def why_shoot_at(world: EpicWorld, decision: Choose, unit: int) -> Verdict:
    return can_shoot_at(world, world.unit(decision.unit), world.unit(unit))


def suggest_action(world: EpicWorld, decision: Choose, rng: Random) -> Iterator[Value | None]:
    """Any action, with a liking for engaging whoever is near."""
    formation = world.unit(decision.unit)
    near = min(
        (world.distance(formation, e) for e in world.enemies_of(formation.player) if world.is_on_table(e)),
        default=float("inf"),
    )
    in_reach = near <= fastest(world, formation) + steps(15)
    values = [o.value for o in decision.options]
    rng.shuffle(values)
    if "road-march" in values and rng.random() < 0.5:
        yield "road-march"
    if "engage" in values and in_reach and rng.random() < 0.45:
        yield "engage"
    yield from (v for v in values if v != "engage" or in_reach or rng.random() < 0.2)


def nearest_enemy(world: EpicWorld, decision: Choose) -> Value:
    """The enemy that is easiest to reach."""
    formation = world.unit(decision.unit)
    return min((o.value for o in decision.options), key=lambda e: world.distance(formation, world.unit(int(e))))


def suggest_engage(world: EpicWorld, decision: Choose, rng: Random) -> Iterator[Value | None]:
    """Mostly the nearest enemy."""
    formation = world.unit(decision.unit)
    values = [int(o.value) for o in decision.options]
    values.sort(key=lambda e: (world.distance(formation, world.unit(e)), e))
    if rng.random() < 0.15:
        rng.shuffle(values)
    yield from values


def action_odds(world: EpicWorld, decision: Choose, answer: Value) -> float | None:
    if answer == "road-march":
        return 1.0
    return chance(world, world.unit(decision.unit), retaining=bool(decision.about.get("retaining")))


def usual_part(world: EpicWorld, decision: Choose) -> Value:
    """Shoot where there is somebody to shoot at; but who has more markers than half its units rather regroups."""
    formation, open_ = world.unit(decision.unit), [o.value for o in decision.options]
    if "regroup" in open_ and 2 * formation.markers > size(world, formation):
        return "regroup"
    if "shoot" in open_ and _shoot(world, formation.id):
        return "shoot"
    return next((part for part in ("regroup", "move") if part in open_), open_[0])


def everybody(world: EpicWorld, decision: ChooseSome) -> tuple[Value, ...]:
    """All that is offered."""
    return tuple(o.value for o in decision.options)


def first_listed(world: EpicWorld, decision: Choose) -> Value:
    """The largest part of a formation that has fallen apart."""
    parts: Sequence[Sequence[int]] = decision.about["parts"]
    return max(range(len(parts)), key=lambda i: (len(parts[i]), -i))


# --- The table -------------------------------------------------------------------------------------------------------

QUESTIONS: Final[dict[str, Question]] = {
    "first": Question(),
    "activate": Question(why_unit=why_activate),
    "retain": Question(why_unit=why_activate),
    "action": Question(suggest=suggest_action, odds=action_odds),
    "marshal": Question(default=usual_part),
    "hold": Question(default=usual_part),
    "move": Question(
        judge_move,
        suggest.ordinary_moves,
        stay_or_leave,
        towards=suggest.move_towards,
        reach=suggest.reach_of_formation,
        notes=movement.notes,
    ),
    "stragglers": Question(default=first_listed),
    "shoot-at": Question(default=odds.best_target, why_unit=why_shoot_at, odds=odds.chance_at, outlook=odds.outlook_at),
    "suppress": Question(),
    "aim": Question(judge_aim, suggest_aim, default_aim, odds=odds.chance_of_aim, outlook=odds.outlook_of_aim),
    "allocate": Question(),
    "engage": Question(
        suggest=suggest_engage,
        default=nearest_enemy,
        odds=assault_odds.chance_to_win,
        outlook=assault_odds.outlook_of_assault,
    ),
    "intermingle": Question(),
    "charge": Question(
        judge_charge,
        suggest.charges,
        charging.usual_charge,
        named=charging.intents,
        outlook=assault_odds.outlook_of_charge,
        towards=pointing.charge_towards,
        reach=pointing.reach,
        notes=movement.notes,
    ),
    "counter-charge": Question(
        judge_counter_charge,
        suggest.counter_charges,
        usual_moves.counter_charge_into_the_fight,
        towards=pointing.counter_charge_towards,
        reach=pointing.reach,
        notes=movement.notes_of_the_ground,
    ),
    "support": Question(default=everybody),
    "withdraw": Question(
        judge_withdrawal,
        suggest.withdrawals,
        usual_moves.withdrawal,
        towards=pointing.towards,
        reach=pointing.reach,
        notes=movement.notes,
    ),
    "consolidate": Question(
        judge_consolidation,
        suggest.consolidations,
        usual_moves.consolidation,
        towards=pointing.towards,
        reach=pointing.reach,
        notes=movement.notes,
    ),
    "rally": Question(default=rallying.best_to_rally),
    f"react.{MOVE_COMPLETED}": Question(
        odds=watching.chance, meant="to destroy a unit", matters=watching.matters, stake=watching.stake
    ),
}


def _declare(action: str) -> Any:
    def verdict(world: EpicWorld, unit: int) -> Verdict:
        formation = world.unit(unit)
        return may_activate(world, formation) and may_declare(world, formation, action)

    return verdict


def _shoot(world: EpicWorld, unit: int) -> Verdict:
    formation = world.unit(unit)
    verdicts = [can_shoot_at(world, formation, e) for e in world.enemies_of(formation.player)]
    return next((v for v in verdicts if v), verdicts[0] if verdicts else ALLOWED)


WHY: Final = {
    "act": lambda world, unit: may_activate(world, world.unit(unit)),
    "shoot": _shoot,
    **{action: _declare(action) for action in ACTIONS},
}
