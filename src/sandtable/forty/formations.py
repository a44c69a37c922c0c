"""Battle formations: what players write down about their units before the battle, as rows that go with targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, TypeVar

from sandtable.battle import ALLOWED, Assign, Assignment, Option, Question, Row, Value, Verdict, refuse
from sandtable.errors import UserError
from sandtable.forty.passengers import hold_of
from sandtable.forty.state import Battle40, Entry, Unit, World40
from sandtable.kit.grammar import does

Plans: TypeAlias = tuple[tuple[str, int, int], ...]
"""What, which unit, with which."""
LEAD = "lead"
EMBARK = "embark"

U = TypeVar("U", bound=Unit)
Hold: TypeAlias = Callable[[Any, Any, Sequence[Any]], Verdict]
"""(world, transport, units): whether there is room for all of them"""


def written(player: Any) -> Plans:
    """What a player has written down so far."""
    plans: Plans = player.plans or ()
    return plans


def to_write_down(
    player: int,
    kind: str,
    prompt: str,
    rows: Iterable[tuple[Unit, Sequence[Value]]],
    targets: Iterable[Option],
    *rules: str,
    joined: Mapping[int, int] | None = None,
) -> Assign | None:
    """The secret question with what units go, of what is open to each; None where nothing is open to any.

    `joined` says which units go with others already.
    """
    found = tuple(Row(str(unit.id), unit.name, 1, tuple(open_to)) for unit, open_to in rows if open_to)
    if not found:
        return None
    about = {} if joined is None else {"joined": [[unit, to] for unit, to in joined.items()]}
    options = tuple(targets)
    return Assign(
        player=player, kind=kind, prompt=prompt, rows=found, targets=options, rules=rules, secret=True, about=about
    )


async def declare(
    b: Battle40, asked: Iterable[Assign | None], plan: Callable[[Assignment], tuple[str, int, int]]
) -> None:
    """The players write down, each without knowing of the others, what they answer."""
    questions = [d for d in asked if d is not None]
    for d, answer in zip(questions, await b.ask_all(questions), strict=True):
        player = b.player(d.player)
        b.set_player(player, plans=(*written(player), *(plan(a) for a in answer)))


def ask_riders(b: Battle40, player: int, joined: Mapping[int, int], hold: Hold, *rules: str) -> Assign | None:
    """The question which units of a player start the battle in which transports."""
    carriers = [u for u in b.units_of(player) if u.models and hold_of(b, u) is not None]
    rows = [
        (unit, [c.id for c in carriers if hold(b, c, together(b, unit, joined))])
        for unit in b.units_of(player)
        if unit.id not in joined and unit.models
    ]
    prompt = "Which units start the battle in which transports?"
    options = [Option(c.id, c.name) for c in carriers]
    return to_write_down(player, "start_embarked", prompt, rows, options, *rules, joined=joined)


def judge_riders(w: World40, d: Assign, answer: tuple[Assignment, ...], hold: Hold, rule: str) -> Verdict:
    """Everybody in a transport has room; nobody is in a transport that is itself embarked."""
    joined = {int(i): int(to) for i, to in d.about["joined"]}
    riders = {int(a.row): int(a.target) for a in answer}
    for transport in dict.fromkeys(riders.values()):
        if transport in riders:
            return refuse(f"{does(w.unit(transport), 'is')} embarked itself.", rule)
        aboard = [u for row, to in riders.items() if to == transport for u in together(w, w.unit(row), joined)]
        verdict = hold(w, w.unit(transport), aboard)
        if not verdict:
            return verdict
    return ALLOWED


def joins(plans: Plans | None) -> dict[int, int]:
    """Which Leader units join which units."""
    return {unit: to for what, unit, to in plans or () if what == LEAD}


def rides(plans: Plans | None) -> dict[int, int]:
    """Which units start the battle in which transports."""
    return {unit: to for what, unit, to in plans or () if what == EMBARK}


def together(w: World40, unit: U, joined: Mapping[int, int]) -> list[U]:
    """A unit and the Leaders that join it."""
    return [unit, *(w.unit(i) for i, to in joined.items() if to == unit.id)]


def points_with(w: World40, d: Assign, unit: int) -> int:
    """Points of a unit with the Leaders that join it, and with who is embarked in it."""
    inside = [int(i) for i, to in d.about["joined"] if to == unit]
    roster = w.setup.data.roster
    own: int = roster[unit].points if roster else 0
    return own + sum(points_with(w, d, i) for i in inside)


def attach(b: Battle40, leader: Unit, unit: Unit, rule: str) -> None:
    """A Leader joins a unit for the whole battle."""
    models = leader.models
    b.join(models, unit)
    b.set_unit(
        unit,
        leader=(*unit.leader, *models),
        leader_strength=unit.leader_strength + len(models),
        leader_names=(*unit.leader_names, *(leader.name for _ in models)),
    )
    b.tell("attached", f"{does(leader, 'leads')} {unit.name}.", rule, units=[leader.id, unit.id])


def join_listed(
    b: Battle40,
    leaders: Sequence[tuple[Unit, Unit]],
    leads: Callable[[Any, Any], Sequence[int]],
    judge: Callable[[Any, Assign, tuple[Assignment, ...]], Verdict],
    join: Callable[[Any, Any, Any], None],
) -> None:
    """Leaders join units of army lists, as a file says, and keep their own places on the roster.

    `leads` says whom of its army a Leader can lead.
    """
    joined: list[Assignment] = []
    for leader, unit in leaders:
        open_to = leads(b, leader)
        if unit.id not in open_to:
            known = ", ".join(b.unit(i).name for i in open_to) or "nobody"
            raise UserError(f"units ({leader.name}): leads: of its army it can lead {known}, not {unit.name}.")
        joined.append(Assignment(str(leader.id), unit.id, 1))
    asked = Assign(player=0, kind="attach", prompt="Which unit does each Leader join?", rows=(), targets=())
    verdict = judge(b, asked, tuple(joined))
    if not verdict:
        raise UserError(f"units: leads: {verdict.reasons[0].text}")
    for leader, unit in leaders:
        join(b, leader, unit)


def planning(
    judge: Callable[[Any, Assign, tuple[Assignment, ...]], Verdict],
    wish: Callable[[Entry, Sequence[Value]], Value | None],
    *,
    as_listed: float,
    at_random: Sequence[float],
) -> Question:
    """The question how units go with others, by default as the army list says.

    `wish` tells what a unit's entry on the roster says, of these targets. Suggestions follow the list so often, and
    then take each unit at random, with these chances.
    """

    def default(w: World40, d: Assign) -> tuple[Assignment, ...]:
        out: list[Assignment] = []
        # Who begins in a scenario file is on no roster.
        for row in d.rows if w.setup.data.roster else ():
            target = wish(w.setup.data.roster[int(row.id)], row.targets)
            if target is not None and target in row.targets:
                wished = Assignment(row.id, target, 1)
                if judge(w, d, (*out, wished)):
                    out.append(wished)
        return tuple(out)

    def suggest(w: World40, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
        if rng.random() < as_listed:
            yield default(w, d)
        for chance in at_random:
            yield tuple(Assignment(row.id, rng.choice(row.targets), 1) for row in d.rows if rng.random() < chance)

    return Question(judge=judge, default=default, suggest=suggest)
