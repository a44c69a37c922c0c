"""The Fight phase: whose turn it is to fight, Pile In, and Consolidate. The attacks themselves stand in `attacks`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Choose,
    Mode,
    Moment,
    Move,
    Moves,
    Question,
    Step,
    Verdict,
    refuse,
)
from sandtable.forty.markers import markers_left, markers_of
from sandtable.forty.moments import UNIT_FOUGHT, UNIT_SELECTED_TO_FIGHT
from sandtable.forty.state import called_all
from sandtable.kit.grammar import agree, does
from sandtable.kit.moving import after, carry_out
from sandtable.kit.walking import walk_to
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, objectives, transports
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.closing import (
    across,
    close_in,
    enemy_models,
    free_models,
    gets_closer,
    mend,
    touching,
    unblock,
    within_reach,
)
from sandtable.systems.w40k10.contact import contact_instead, who_could_touch
from sandtable.systems.w40k10.datasheet_abilities import has_core
from sandtable.systems.w40k10.joining import Closing, join_battle
from sandtable.systems.w40k10.paths import CONSOLIDATE, PILE_IN, Passage, judge_paths
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.turn import FIGHT, begin_phase
from sandtable.table.arrange import arrange
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.measure import distances, gaps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Zone, linked, links

OBJECTIVE: Final = "objective"
"""Consolidating towards an objective marker"""


# --- The steps --------------------------------------------------------------------------------------------------------


async def fight_phase(b: Battle10) -> Step:
    """The Fight phase begins; who is eligible to fight now can fight in the Fights First step."""
    await begin_phase(b, FIGHT)
    for unit in b.units():
        if eligible_to_fight(b, unit):
            b.set_unit(unit, fight_eligible=True)
    return DONE


@rule("w40k10.fight.steps")
async def fights_first(b: Battle10) -> Step:
    """1. Fights First."""
    return await _next_fight(b, in_fights_first)


@rule("w40k10.fight.remaining")
async def remaining_combats(b: Battle10) -> Step:
    """2. Remaining Combats."""
    return await _next_fight(b, eligible_to_fight)


async def _next_fight(b: Battle10, ready: Callable[[World10, Unit], Verdict]) -> Step:
    """One unit fights; players take turns, and who has nobody left is passed over."""
    forced = b.state.game.forced
    if forced >= 0:
        b.set_game(forced=-1)
        unit: Unit | None = b.unit(forced)
        if not eligible_to_fight(b, b.unit(forced)):
            return AGAIN
    else:
        player = who_selects(b, ready)
        if player < 0:
            b.set_game(selecting=-1)
            return DONE
        unit = await _select(b, player, [u for u in b.units_of(player) if ready(b, u)])
    if unit is None:
        return DONE
    # A Counter-offensive is its player's selection; where it is extra, that player selects next.
    extra = forced >= 0 and b.option("counter-offensive") == "extra"
    b.set_game(selecting=unit.player if extra else player_after(b, unit.player))
    b.set_unit(unit, fought=True)
    await b.act(unit, fight(b, unit))
    await b.window(UNIT_FOUGHT, Moment(unit.id))
    return AGAIN


async def _select(b: Battle10, player: int, units: list[Unit]) -> Unit | None:
    return await b.choose_unit(
        player,
        "fight_with",
        "Which unit fights next?",
        units,
        optional=may_pass(),
        rules=("w40k10.fight.alternate", "w40k10.fight.no_pass"),
    )


@rule("w40k10.fight.no_pass", neutral=True)
def may_pass() -> bool:
    """Whoever has an eligible unit must fight with one."""
    return False


@rule("w40k10.fight.alternate", neutral=0)
def first_to_select(w: World10) -> int:
    """The player whose turn it is not selects first."""
    return player_after(w, w.state.active)


def player_after(w: World10, player: int) -> int:
    """The next player in the order of seats."""
    return (player + 1) % len(w.state.players)


def who_selects(w: World10, ready: Callable[[World10, Unit], Verdict]) -> int:
    """Whose selection it is, leaving out players who have nobody to fight with; -1 when there is nobody at all."""
    start = w.state.game.selecting if w.state.game.selecting >= 0 else first_to_select(w)
    players = len(w.state.players)
    for k in range(players):
        player = (start + k) % players
        if any(ready(w, u) for u in w.units_of(player)):
            return player
    return -1


# --- Who may fight ----------------------------------------------------------------------------------------------------


def eligible_to_fight(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to fight."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k10.fight.eligible")
    return not_fought(unit) and in_a_fight(w, unit) and aircraft.may_fight(w, unit)


@rule("w40k10.fight.once", neutral=ALLOWED)
def not_fought(unit: Unit) -> Verdict:
    """A unit fights once in a phase."""
    if unit.fought:
        return refuse(f"{does(unit, 'has')} fought already in this phase.", "w40k10.fight.once")
    return ALLOWED


@rule("w40k10.fight.eligible", neutral=refuse("Nobody is eligible to fight."))
def in_a_fight(w: World10, unit: Unit) -> Verdict:
    """Units that are engaged, and units that charged this turn, fight."""
    if unit.charged or enemies_in_reach(w, unit):
        return ALLOWED
    return refuse(f"{unit.name} did not charge, and no enemy is within Engagement Range.", "w40k10.fight.eligible")


def in_fights_first(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected in the Fights First step."""
    return eligible_to_fight(w, unit) and was_eligible(unit) and fights_first_now(w, unit)


@rule("w40k10.fight.newly_eligible", neutral=ALLOWED)
def was_eligible(unit: Unit) -> Verdict:
    """Who became eligible only during the phase waits for the Remaining Combats."""
    if unit.fight_eligible:
        return ALLOWED
    return refuse(
        f"{does(unit, 'was')} not eligible when the Fight phase began, and can only fight in the Remaining Combats.",
        "w40k10.fight.newly_eligible",
    )


@rule("w40k10.fight.first_step", neutral=ALLOWED)
def fights_first_now(w: World10, unit: Unit) -> Verdict:
    """Units with Fights First, by the Charge bonus or by themselves, fight in the first step."""
    if has_charge_bonus(unit) or all_fight_first(w, unit):
        return ALLOWED
    return refuse(
        f"{does(unit, 'does')} not have Fights First.", "w40k10.fight.first_step", "w40k10.ability.fights_first"
    )


@rule("w40k10.charge.bonus", "w40k10.ability.fights_first", neutral=False)
def has_charge_bonus(unit: Unit) -> bool:
    """A unit that made a Charge move fights first this turn, unless it intervened heroically."""
    return unit.charged and not unit.intervened


@rule("w40k10.ability.fights_first", neutral=False)
def all_fight_first(w: World10, unit: Unit) -> bool:
    """Whether every model of the unit has the ability."""
    return all(has_core(w, unit, int(m), "fights first") for m in w.on_table(unit))


# --- Who reaches whom -------------------------------------------------------------------------------------------------


def reach_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools:
    """Which models may attack which enemies, [model, enemy]: Engagement Range, or 2" across a barricade."""
    near = links(bodies, w.shapes, models, enemies, BOOK.engagement)
    return np.asarray(near | across_in_fight(w, bodies, models, enemies))


@rule("w40k10.terrain.barricade_fight", neutral=False)
def across_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools | bool:
    """A barricade between two models stretches the reach of fighting to 2"."""
    return across(w, bodies, models, enemies)


def enemies_in_reach(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units that a unit could fight from where it stands."""

    def look() -> list[Unit]:
        models = w.on_table(unit)
        found = []
        for e in w.enemies_near(unit, Zone(2 * BOOK.engagement.flat, BOOK.engagement.up)):
            if bool(reach_in_fight(w, w.bodies, models, w.on_table(e)).any()):
                found.append(e)
        return found

    return [w.unit(e.id) for e in w.cached(("in_reach", unit.id), look)]


def fighters(w: World10, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that fight, and the enemy units that each of them may attack."""

    def look() -> dict[int, tuple[int, ...]]:
        reached = in_the_fray(w, unit).items()
        found = {m: tuple(e for e in near if aircraft.may_strike(w, unit, m, w.unit(e))) for m, near in reached}
        return {m: targets for m, targets in found.items() if targets}

    return w.cached(("fighters", unit.id), look)


@rule("w40k10.fight.which_models", "w40k10.fight.select_targets", neutral={})
def in_the_fray(w: World10, unit: Unit) -> dict[int, list[int]]:
    """Models within reach of an enemy, and models that touch a comrade who touches an enemy; with the enemy units."""
    models, bodies = w.on_table(unit), w.bodies
    mates = links(bodies, w.shapes, models, models, CONTACT)
    reached: dict[int, list[int]] = {int(m): [] for m in models}
    for enemy in enemies_in_reach(w, unit):
        theirs = w.on_table(enemy)
        direct = np.asarray(reach_in_fight(w, bodies, models, theirs).any(axis=1))
        behind = (mates & touching(w, bodies, models, theirs)).any(axis=1)
        for m in models[direct | behind]:
            reached[int(m)].append(enemy.id)
    return reached


# --- A fight ----------------------------------------------------------------------------------------------------------


@rule("w40k10.fight.sequence")
async def fight(b: Battle10, unit: Unit) -> None:
    """Pile In, attack, Consolidate."""
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k10.fight.sequence", units=[unit.id])
    await b.window(UNIT_SELECTED_TO_FIGHT, Moment(unit.id))
    await pile_in(b, unit)
    from sandtable.systems.w40k10.melee import fight_with

    await fight_with(b, unit)
    await consolidate(b, unit)


async def pile_in(b: Battle10, unit: Unit) -> None:
    """1. Pile In, if anybody can."""
    if not aircraft.may_step_in(b, unit) or not len(free_models(b, unit)) or not could_engage(b, unit):
        return
    moves = await b.ask(
        Move(
            player=unit.player,
            kind="pile_in",
            prompt=f"How {agree(unit, 'does')} {unit.name} Pile In?",
            models=tuple(int(m) for m in b.on_table(unit)),
            modes=(Mode(PILE_IN, "Pile In", BOOK.step_in),),
            rules=("w40k10.fight.pile_in", "w40k10.fight.pile_in_direction"),
            unit=unit.id,
        )
    )
    if moves.paths:
        carry_out(b, moves)
        b.tell("piled_in", f"{does(unit, 'Piles')} In.", "w40k10.fight.pile_in", units=[unit.id])


def could_engage(w: World10, unit: Unit) -> bool:
    """Whether a unit that goes 3" could end within Engagement Range; distances alone decide."""
    models, enemies = w.on_table(unit), enemy_models(w, unit)
    return linked(w.bodies, w.shapes, models, enemies, BOOK.engagement.grown(BOOK.step_in))


def judge_pile_in(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may Pile In like this; it may always stay."""
    if not answer.paths:
        return ALLOWED
    return judge_towards_enemy(w, w.unit(d.unit), answer, PILE_IN)


def judge_towards_enemy(w: World10, unit: Unit, answer: Moves, move: str) -> Verdict:
    """The conditions of a Pile-in or Consolidation move, and base contact wherever it is possible."""

    def look() -> Verdict:
        return judge_step_in(w, unit, answer, move) and check_contact(w, unit, answer, move)

    return w.now(("step_in", unit.id, move, answer), look)


def judge_step_in(w: World10, unit: Unit, answer: Moves, move: str) -> Verdict:
    """Who may move, how far, where to; and that the unit ends engaged and coherent."""
    if not transports.no_embarking(answer):
        return transports.no_embarking(answer)
    bodies = after(w, answer)
    return (
        check_loose(w, unit, answer, move)
        and judge_paths(w, answer, Passage(unit.id, move), lambda _: BOOK.step_in)
        and check_ends_engaged(w, unit, bodies, move)
        and check_direction(w, unit, answer, bodies, move)
    )


def _rules_of(move: str) -> tuple[str, str]:
    if move == PILE_IN:
        return "w40k10.fight.pile_in", "w40k10.fight.pile_in_direction"
    return "w40k10.fight.consolidate", "w40k10.fight.consolidate_enemy"


@rule("w40k10.fight.pile_in", "w40k10.fight.consolidate", neutral=ALLOWED)
def check_loose(w: World10, unit: Unit, answer: Moves, move: str) -> Verdict:
    """A model in base contact with an enemy stays."""
    free = {int(m) for m in free_models(w, unit)}
    if all(p.model in free for p in answer.paths):
        return ALLOWED
    return refuse(_held(w, answer, free), _rules_of(move)[0])


def _held(w: World10, answer: Moves, free: Collection[int]) -> str:
    held = [p.model for p in answer.paths if p.model not in free]
    return f"{called_all(w, held)} cannot move: in base contact with an enemy."


@rule("w40k10.fight.pile_in", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_ends_engaged(w: World10, unit: Unit, bodies: Bodies, move: str) -> Verdict:
    """The unit ends within Engagement Range of an enemy unit."""
    if linked(bodies, w.shapes, w.on_table(unit), enemy_models(w, unit), BOOK.engagement):
        return ALLOWED
    rule_ = "w40k10.fight.pile_in" if move == PILE_IN else "w40k10.fight.consolidate_enemy"
    return refuse(f"{unit.name} would not end within Engagement Range of any enemy.", rule_)


@rule("w40k10.fight.pile_in_direction", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_direction(w: World10, unit: Unit, answer: Moves, bodies: Bodies, move: str) -> Verdict:
    """Every model that moves ends closer to the enemy model that was closest to it."""
    enemies = enemy_models(w, unit)
    prey = {p.model: aircraft.worth_closing_on(w, p.model, enemies, unit.player) for p in answer.paths}
    if all(len(prey[p.model]) and gets_closer(w, bodies, p.model, prey[p.model]) for p in answer.paths):
        return ALLOWED
    return refuse(_astray(w, prey, bodies), _rules_of(move)[1])


def _astray(w: World10, prey: Mapping[int, Ints], bodies: Bodies) -> str:
    astray = [m for m, near in prey.items() if not (len(near) and gets_closer(w, bodies, m, near))]
    return f"{called_all(w, astray)} would not end closer to the closest enemy model, as every model that moves must."


@rule("w40k10.fight.pile_in_direction", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_contact(w: World10, unit: Unit, answer: Moves, move: str) -> Verdict:
    """A model that moves ends in base contact if it can: the refusal shows where."""
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    closing = closing_of(w, unit, move)
    better = contact_instead(w, closing, answer, moved)
    if better is None:
        return ALLOWED
    text = f"{who_could_touch(w, closing, answer, better)}: a model that can, must."
    return refuse(text, _rules_of(move)[1], instead=better)


def closing_of(w: World10, unit: Unit, move: str) -> Closing:
    """A Pile-in or Consolidation move as the search for contact and for places sees it."""
    enemies = enemy_models(w, unit)

    def closer(model: int) -> tuple[Ints, Floats]:
        prey = aircraft.worth_closing_on(w, model, enemies, unit.player)
        gap = distances(w.bodies, w.shapes, np.array([model], dtype=np.int64), prey)[0]
        nearest = gap <= gap.min(initial=np.inf) + 0.5
        return prey[nearest], gap[nearest]

    def accept(moves: Moves) -> Verdict:
        return judge_step_in(w, unit, moves, move)

    way, groups = Passage(unit.id, move), np.zeros(len(enemies), dtype=np.int64)
    return Closing(unit, way, BOOK.step_in, enemies, groups, closer, accept)


def find_step_in(w: World10, unit: Unit, move: str) -> Moves | None:
    """A legal Pile-in or Consolidation move towards the enemy, if a bounded search finds one."""
    key = ("step_in", unit.id, move, w.state.game.removed)
    return w.cached(key, lambda: (_find_step_in(w, unit, move),))[0]


def _find_step_in(w: World10, unit: Unit, move: str) -> Moves | None:
    movers = free_models(w, unit)
    if not len(movers):
        return None
    prey = aircraft.worth_closing_on(w, int(movers[0]), enemy_models(w, unit), unit.player)
    enemies = within_reach(w, movers, prey, BOOK.step_in)
    if not len(enemies):
        return None
    way = Passage(unit.id, move)
    moves = close_in(w, movers, enemies, way, BOOK.step_in)
    attempts: tuple[Callable[[], Moves], ...] = (
        lambda: moves,
        lambda: unblock(w, moves, way, BOOK.step_in, enemies),
    )
    for attempt in attempts:
        tried = attempt()
        found = mend(tried, lambda m: judge_towards_enemy(w, unit, m, move)) if tried.paths else None
        if found is not None:
            return found
    # One blocked model spoils the move of all: alone, one of them may still get there.
    alone = next((s for p in moves.paths if judge_towards_enemy(w, unit, s := Moves(move, (p,)), move)), None)
    if alone is not None:
        return alone
    joined = join_battle(w, closing_of(w, unit, move), movers)
    return None if joined is None else mend(joined, lambda m: judge_towards_enemy(w, unit, m, move))


# --- Consolidating ----------------------------------------------------------------------------------------------------


async def consolidate(b: Battle10, unit: Unit) -> None:
    """3. Consolidate: towards the enemy if that is possible, else towards an objective marker."""
    if not b.is_on_table(unit) or not aircraft.may_step_in(b, unit) or not len(free_models(b, unit)):
        return
    modes = consolidation_modes(b, unit)
    if not modes:
        return
    moves = await b.ask(
        Move(
            player=unit.player,
            kind="consolidate",
            prompt=f"How {agree(unit, 'does')} {unit.name} Consolidate?",
            models=tuple(int(m) for m in b.on_table(unit)),
            modes=modes,
            rules=("w40k10.fight.consolidate",),
            unit=unit.id,
        )
    )
    if moves.paths:
        carry_out(b, moves)
        b.tell("consolidated", f"{does(unit, 'Consolidates')}.", "w40k10.fight.consolidate", units=[unit.id])


def consolidation_modes(w: World10, unit: Unit) -> tuple[Mode, ...]:
    """Which ways of Consolidating are open: the objective only where the enemy cannot be reached."""
    modes = []
    enemies = bool(len(enemy_models(w, unit))) and could_engage(w, unit)
    if enemies:
        modes.append(Mode(CONSOLIDATE, "Towards the enemy", BOOK.step_in))
    if may_turn_to_objective(w, unit) and nearest_marker(w, unit) >= 0:
        modes.append(Mode(OBJECTIVE, "Towards the objective", BOOK.step_in))
    return tuple(modes)


@rule("w40k10.fight.consolidate_enemy", neutral=True)
def may_turn_to_objective(w: World10, unit: Unit) -> bool:
    """The objective is open only where the unit is not engaged, and no way to get so is in sight."""
    models, enemies = w.on_table(unit), enemy_models(w, unit)
    if linked(w.bodies, w.shapes, models, enemies, BOOK.engagement):
        return False
    return find_step_in(w, unit, CONSOLIDATE) is None


def nearest_marker(w: World10, unit: Unit) -> int:
    """The objective marker that is closest to a unit; -1 where there is none that 3" could bring into range."""
    models = w.on_table(unit)
    left = markers_left(w)
    near = [(float(objectives.gap_to_marker(w, w.bodies, models, m).min()), m) for m in left]
    gap, marker = min(near, default=(float("inf"), -1))
    return marker if gap <= BOOK.step_in + BOOK.marker_range.flat else -1


def judge_consolidate(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may Consolidate like this; it may always stay."""
    unit = w.unit(d.unit)
    if not answer.paths:
        return ALLOWED
    if answer.mode == OBJECTIVE:
        return judge_to_objective(w, unit, answer)
    return judge_towards_enemy(w, unit, answer, CONSOLIDATE)


@rule("w40k10.fight.consolidate_objective", neutral=ALLOWED)
def judge_to_objective(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """Towards the closest marker, and within range of it at the end."""
    if answer.onto >= 0:
        return refuse("Nobody embarks in the Fight phase.", "w40k10.transport.embark")
    marker, bodies, models = nearest_marker(w, unit), after(w, answer), w.on_table(unit)
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    verdict = judge_paths(w, answer, Passage(unit.id, CONSOLIDATE), lambda _: BOOK.step_in)
    if not verdict:
        return verdict
    if not bool(objectives.in_range(w, bodies, models, marker).any()):
        return refuse(
            f"{unit.name} would not end within range of objective {marker + 1}.", "w40k10.fight.consolidate_objective"
        )
    before = objectives.gap_to_marker(w, w.bodies, moved, marker)
    if not bool((objectives.gap_to_marker(w, bodies, moved, marker) < before).all()):
        return refuse(
            f"Every model that moves must go towards objective {marker + 1}.", "w40k10.fight.consolidate_objective"
        )
    return ALLOWED


# --- Suggestions ------------------------------------------------------------------------------------------------------


def default_pile_in(w: World10, d: Move) -> Moves:
    """As many models into contact as the search finds."""
    return find_step_in(w, w.unit(d.unit), PILE_IN) or Moves(PILE_IN)


def default_consolidate(w: World10, d: Move) -> Moves:
    """Towards the enemy, else stay."""
    mode = d.modes[0].name
    if mode == CONSOLIDATE:
        return find_step_in(w, w.unit(d.unit), CONSOLIDATE) or Moves(CONSOLIDATE)
    return Moves(mode)


def suggest_pile_in(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """The move that was found, parts of it, or none."""
    yield from _parts(default_pile_in(w, d), rng)
    yield Moves(PILE_IN)


def suggest_consolidate(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """Towards the enemy or the objective, or not at all."""
    names = [m.name for m in d.modes]
    if OBJECTIVE in names and (CONSOLIDATE not in names or rng.random() < 0.5):
        yield from to_marker(w, w.unit(d.unit))
    yield from _parts(default_consolidate(w, d), rng)
    yield Moves(names[0])


def _parts(best: Moves, rng: Random) -> Iterator[Moves]:
    chance = rng.random()
    if chance < 0.1:
        yield Moves(best.mode)
    if chance < 0.3 and len(best.paths) > 1:
        yield Moves(best.mode, tuple(p for p in best.paths if rng.random() < 0.7))
    yield best


def to_marker(w: World10, unit: Unit) -> Iterator[Moves]:
    """Consolidation moves towards the nearest objective marker."""
    way = Passage(unit.id, OBJECTIVE)
    marker, movers = nearest_marker(w, unit), free_models(w, unit)
    x, y, _ = markers_of(w)[marker]
    mates = w.on_table(unit)
    found = arrange(
        way.things(w, w.bodies),
        w.shapes,
        w.terrain,
        movers,
        anchor=(x, y),
        shape="keep",
        turn=False,
        allowance=BOOK.step_in,
        clear=way.room(w),
        coherency=way.together(w, len(mates)),
        staying=mates[~np.isin(mates, movers)],
        z=int(w.state.models.pos[movers[0], 2]),
    )
    if found.legal:
        yield walk_to(w, way, movers, found.pos)


def gap_to_enemies(w: World10, unit: Unit) -> float:
    """The smallest horizontal gap to an enemy model."""
    models, enemies = w.on_table(unit), enemy_models(w, unit)
    return float(gaps(w.bodies, w.shapes, models, enemies).min()) if len(enemies) else float("inf")


def why_fight(w: World10, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k10.fight.alternate")
    first = w.state.segment == "turn" and w.system.segments["turn"][w.state.step].__name__ == fights_first.__name__
    return in_fights_first(w, u) if first else eligible_to_fight(w, u)


QUESTIONS: Final = {
    "fight_with": Question(why_unit=why_fight),
    "pile_in": Question(judge=judge_pile_in, suggest=suggest_pile_in, default=default_pile_in),
    "consolidate": Question(judge=judge_consolidate, suggest=suggest_consolidate, default=default_consolidate),
}
