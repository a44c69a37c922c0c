"""Declare Battle Formations: Leaders, then Reserves, written down in secret and revealed together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from sandtable.battle import ALLOWED, DONE, Assign, Assignment, Option, Question, Row, Step, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import has_keyword
from sandtable.systems.w40k10.placing import every_model_has
from sandtable.systems.w40k10.state import Battle10, Unit, World10, sheet_of

DEEP_STRIKE: Final = "deep strike"
STRATEGIC: Final = "strategic"
LEAD: Final = "lead"
SHARE: Final = 4
"""Strategic Reserves are at most one part in so many of the battle size."""

Plans = tuple[tuple[str, int, int], ...]


# --- Leaders ----------------------------------------------------------------------------------------------------------


async def declare_leaders(b: Battle10) -> Step:
    """First it is written down which Leader is attached to which unit."""
    asked = [d for p in b.state.players if (d := _ask_leaders(b, p.id)) is not None]
    for d, answer in zip(asked, await b.ask_all(asked), strict=True):
        plans = tuple((LEAD, int(a.row), int(a.target)) for a in answer)
        b.set_player(b.player(d.player), plans=plans)
    return DONE


def _ask_leaders(b: Battle10, player: int) -> Assign | None:
    rows, led = [], {}
    for unit in b.units_of(player):
        bodyguards = [b.unit(i) for i in leads(b, unit)]
        if bodyguards:
            rows.append(Row(str(unit.id), unit.name, 1, tuple(u.id for u in bodyguards)))
            led.update({u.id: u.name for u in bodyguards})
    if not rows:
        return None
    return Assign(
        player=player,
        kind="attach",
        prompt="Which Leaders are attached to which units?",
        rows=tuple(rows),
        targets=tuple(Option(i, name) for i, name in sorted(led.items())),
        rules=("w40k10.ability.leader_attach",),
        secret=True,
    )


@rule("w40k10.ability.leader_attach", neutral=())
def leads(w: World10, unit: Unit) -> tuple[int, ...]:
    """The units that a Leader's datasheet lets it lead."""
    entry = w.setup.data.roster[unit.id]
    return entry.leads if unit.models and all(sheet_of(w, m).has("leader") for m in unit.models) else ()


@rule("w40k10.ability.leader_attach", neutral=ALLOWED)
def judge_leaders(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """A unit takes one Leader, or two whose datasheets say so."""
    roster = w.setup.data.roster
    taken: dict[int, int] = {}
    for a in answer:
        leader, target = int(a.row), int(a.target)
        if target in taken and taken[target] not in roster[leader].beside:
            name, other = w.unit(target).name, w.unit(taken[target]).name
            return refuse(f"{name} has a Leader already: {other}.", "w40k10.ability.leader_attach")
        taken[target] = leader
    return ALLOWED


def default_leaders(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """As the army list says."""
    out: list[Assignment] = []
    for row in d.rows:
        wish = w.setup.data.roster[int(row.id)].attach
        if wish in row.targets and judge_leaders(w, d, (*out, Assignment(row.id, wish, 1))):
            out.append(Assignment(row.id, wish, 1))
    return tuple(out)


def suggest_leaders(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """As the list says, or at random."""
    if rng.random() < 0.6:
        yield default_leaders(w, d)
    for _ in range(3):
        yield tuple(Assignment(row.id, rng.choice(row.targets), 1) for row in d.rows if rng.random() < 0.7)


# --- Reserves ---------------------------------------------------------------------------------------------------------


async def declare_reserves(b: Battle10) -> Step:
    """Last it is written down which units start in Reserves, and under which rule."""
    asked = [d for p in b.state.players if (d := _ask_reserves(b, p.id)) is not None]
    for d, answer in zip(asked, await b.ask_all(asked), strict=True):
        player = b.player(d.player)
        kept = tuple((str(a.target), int(a.row), -1) for a in answer)
        b.set_player(player, plans=(*(player.plans or ()), *kept))
    return DONE


def _ask_reserves(b: Battle10, player: int) -> Assign | None:
    joined = joins(b.player(player).plans)
    rows = []
    for unit in b.units_of(player):
        if unit.id in joined or must_be_in_reserves(b, unit):
            continue
        together = [unit, *(b.unit(i) for i, to in joined.items() if to == unit.id)]
        ways = [r for r in (DEEP_STRIKE, STRATEGIC) if may_reserve(b, together, r)]
        if ways:
            rows.append(Row(str(unit.id), unit.name, 1, tuple(ways)))
    if not rows:
        return None
    return Assign(
        player=player,
        kind="reserves",
        prompt="Which units start the battle in Reserves?",
        rows=tuple(rows),
        targets=(Option(DEEP_STRIKE, "Deep Strike"), Option(STRATEGIC, "Strategic Reserves")),
        rules=("w40k10.reserve.definition", "w40k10.reserve.strategic_placing"),
        secret=True,
        about={"joined": [[i, to] for i, to in joined.items()]},
    )


def joins(plans: Plans | None) -> dict[int, int]:
    """Which Leader units join which units."""
    return {unit: to for what, unit, to in plans or () if what == LEAD}


@rule("w40k10.reserve.definition", neutral=True)
def may_reserve(w: World10, together: list[Unit], how: str) -> bool:
    """Whether units, that act as one, can start in Reserves under a rule."""
    if how == DEEP_STRIKE:
        return can_deep_strike(w, together)
    return can_wait(w, together)


@rule("w40k10.ability.deep_strike", neutral=True)
def can_deep_strike(w: World10, together: list[Unit]) -> bool:
    """Every model must have Deep Strike, an attached Leader's included."""
    return all(every_model_has(w, unit, DEEP_STRIKE) for unit in together)


@rule("w40k10.reserve.strategic_placing", neutral=True)
def can_wait(w: World10, together: list[Unit]) -> bool:
    """Any unit but FORTIFICATIONS."""
    return not any(has_keyword(w, unit, "FORTIFICATION") for unit in together)


@rule("w40k10.aircraft.deploy", neutral=False)
def must_be_in_reserves(w: World10, unit: Unit) -> bool:
    """AIRCRAFT start in Reserves."""
    return has_keyword(w, unit, "AIRCRAFT")


@rule("w40k10.reserve.strategic_limit", neutral=ALLOWED)
def judge_reserves(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Strategic Reserves hold at most a quarter of the points of the battle size."""
    points = sum(points_of(w, d, int(a.row)) for a in answer if a.target == STRATEGIC)
    most = w.setup.data.limit // SHARE
    if points <= most:
        return ALLOWED
    return refuse(
        f"Strategic Reserves hold at most {most} points at this battle size, not {points}.",
        "w40k10.reserve.strategic_limit",
        points=points,
        most=most,
    )


def points_of(w: World10, d: Assign, unit: int) -> int:
    """Points of a unit with the Leaders that join it."""
    roster = w.setup.data.roster
    return roster[unit].points + sum(roster[int(i)].points for i, to in d.about["joined"] if to == unit)


def default_reserves(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """As the army list says: by Deep Strike where possible, and within the limit."""
    out: list[Assignment] = []
    for row in d.rows:
        if w.setup.data.roster[int(row.id)].reserves:
            wish = Assignment(row.id, row.targets[0], 1)
            if judge_reserves(w, d, (*out, wish)):
                out.append(wish)
    return tuple(out)


def suggest_reserves(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """As the list says, or a few at random."""
    if rng.random() < 0.6:
        yield default_reserves(w, d)
    for chance in (0.3, 0.15):
        yield tuple(Assignment(row.id, rng.choice(row.targets), 1) for row in d.rows if rng.random() < chance)


# --- The reveal -------------------------------------------------------------------------------------------------------


@rule("w40k10.mission.battle_formations")
async def reveal(b: Battle10) -> Step:
    """Both players show what they wrote down: Leaders join their units, then Reserves are set aside."""
    for p in b.state.players:
        plans = p.plans or ()
        b.set_player(p, plans=())
        for leader, bodyguard in joins(plans).items():
            attach(b, b.unit(leader), b.unit(bodyguard))
        for what, unit, _ in plans:
            if what != LEAD:
                set_aside(b, b.unit(unit), what)
        for unit_ in b.units_of(p.id):
            if unit_.models and must_be_in_reserves(b, unit_):
                set_aside(b, unit_, STRATEGIC)
    return DONE


def attach(b: Battle10, leader: Unit, unit: Unit) -> None:
    """A Leader joins a unit for the whole battle."""
    models = leader.models
    b.join(models, unit)
    b.set_unit(unit, leader=(*unit.leader, *models), leader_strength=unit.leader_strength + len(models))
    b.tell("attached", f"{leader.name} leads {unit.name}.", "w40k10.ability.leader_attach", units=[leader.id, unit.id])


def set_aside(b: Battle10, unit: Unit, how: str) -> None:
    """A unit starts the battle in Reserves."""
    b.set_unit(unit, reserve=how)
    name = "Deep Strike" if how == DEEP_STRIKE else "Strategic Reserves"
    b.tell("reserves", f"{unit.name} starts in Reserves: {name}.", "w40k10.reserve.definition", units=[unit.id])


QUESTIONS: Final[dict[str, Any]] = {
    "attach": Question(judge=judge_leaders, default=default_leaders, suggest=suggest_leaders),
    "reserves": Question(judge=judge_reserves, default=default_reserves, suggest=suggest_reserves),
}
