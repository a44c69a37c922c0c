"""What can be asked about an open decision: is this answer legal, what would be, what is the plain one, how likely.

All of it is pure, works on a battle or on a player's view, and serves person, computer player and browser alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sandtable.battle.decisions import (
    Assign,
    Assignment,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Move,
    Number,
    Option,
    Order,
    Place,
    Row,
    Split,
    Value,
    check_shape,
    default_answer,
    not_offered,
    read_answer,
)
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.system import Goal, Outlook, Question, Reach, Stake
from sandtable.battle.tactics import Idea
from sandtable.battle.verdict import ALLOWED, Verdict, refuse

if TYPE_CHECKING:
    from sandtable.attack.volley import Aim
    from sandtable.battle.system import AnyWorld

MOST_IDEAS: Final = 12
"""Ideas of the tactics, and suggestions, that are looked at."""
MOST_WAYS: Final = 4
"""Legal ways to a place that are compared."""
REACTION: Final = "react."
"""How the kinds of questions begin that a window asks."""

_NOTHING_KNOWN = Question()


def check(world: AnyWorld, decision: Decision[Any], answer: Any) -> Verdict:
    """Whether an answer is legal; complete, so that what it allows the battle carries out.

    Where it is, the verdict notes what the answer brings with it; `weigh`, by which a battle goes on, leaves that out.
    """
    verdict, typed = weigh(world, decision, answer)
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    if not verdict or known.notes is None:
        return verdict
    return msgspec.structs.replace(verdict, notes=tuple(known.notes(world, decision, typed)))


def weigh(world: AnyWorld, decision: Decision[Any], answer: Any) -> tuple[Verdict, Any]:
    """The verdict on an answer, and the answer in its type."""
    try:
        typed = read_answer(decision, answer)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError) as error:
        return refuse(f"That is not an answer to '{decision.prompt}': {error}.", *decision.rules), None
    return judge(world, decision, typed), typed


def judge(world: AnyWorld, decision: Decision[Any], typed: Any) -> Verdict:
    """Whether an answer that already has its type is legal."""
    if decision.id >= 0 and isinstance(decision, Move | Place):
        # Whoever proposed it had it judged already: looking at every path again costs more than all the rest.
        return _judge_once(world, decision, typed)
    return _judge(world, decision, typed)


@kept(EVERYTHING)
def _judge_once(world: AnyWorld, decision: Decision[Any], typed: Any) -> Verdict:
    return _judge(world, decision, typed)


def _judge(world: AnyWorld, decision: Decision[Any], typed: Any) -> Verdict:
    verdict = check_shape(decision, typed)
    if verdict and isinstance(decision, Move) and not -1 <= typed.onto < len(world.state.units):
        return refuse(f"There is no unit {typed.onto} to embark in.", *decision.rules)
    if verdict:
        known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
        if known.judge is not None:
            return known.judge(world, decision, typed)
        return verdict
    if isinstance(decision, Move) and typed.mode not in {m.name for m in decision.modes}:
        known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
        closed = None if known.why_mode is None else known.why_mode(world, decision, typed.mode)
        return verdict if closed is None or closed.ok else closed
    if isinstance(decision, Choose) and typed is not None:
        # A refusal is falsy, so `or` would lose it.
        reason = _why_not_offered(world, decision, typed)
        return verdict if reason is None else reason
    if isinstance(decision, Assign):
        rows = {r.id: r.targets for r in decision.rows}
        for a in typed:
            if a.row in rows and a.target not in rows[a.row]:
                reason = _why_not_on(world, decision, a)
                return verdict if reason is None else reason
    return verdict


def _why_not_offered(world: AnyWorld, decision: Choose | Assign, value: Value) -> Verdict | None:
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    if not isinstance(value, int) or not 0 <= value < len(world.state.units):
        return None
    if known.why_unit is not None:
        verdict = known.why_unit(world, decision, value)
        if not verdict:
            return verdict
    if isinstance(decision, Choose) and any(stands_for_unit(world, o) for o in decision.options):
        # Nobody knows the number of a unit.
        return not_offered(decision, world.state.units[value].name)
    return None


def stands_for_unit(world: AnyWorld, option: Option) -> bool:
    """Whether an option is a unit: its value is the unit's number, and its label begins with the unit's name."""
    units, value = world.state.units, option.value
    return isinstance(value, int) and 0 <= value < len(units) and option.label.startswith(units[value].name)


def _why_not_on(world: AnyWorld, decision: Assign, wanted: Assignment) -> Verdict | None:
    """Why something cannot be put on a target: what holds for this row, or else for all of them."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    target = wanted.target
    if known.why_row is not None and isinstance(target, int) and 0 <= target < len(world.state.units):
        verdict = known.why_row(world, decision, wanted)
        if not verdict:
            return verdict
    return _why_not_offered(world, decision, target)


def default(world: AnyWorld, decision: Decision[Any]) -> Any:
    """The answer that a player accepts with one key: what a sensible player would do.

    That is the best idea of the system's tactics, unless players expect the plain answer. Reactions keep the plain one:
    most of them spend something, and nobody wants to spend it by leaning on a key.
    """
    if _takes_advice(world, decision):
        for idea in _advice(world, decision):
            return idea.answer
    return plain(world, decision)


def _takes_advice(world: AnyWorld, decision: Decision[Any]) -> bool:
    """Whether players expect what the tactics advise rather than the plain answer."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return not known.settled and not decision.kind.startswith(REACTION)


def plain(world: AnyWorld, decision: Decision[Any]) -> Any:
    """The simplest legal answer, without a thought."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    if known.default is not None:
        return known.default(world, decision)
    return default_answer(decision)


def odds(world: AnyWorld, decision: Decision[Any], answer: Any) -> float | None:
    """The chance that an answer does what it is for, where the system can tell."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return known.odds(world, decision, answer) if known.odds is not None else None


def meant(world: AnyWorld, decision: Decision[Any]) -> str:
    """What `odds` tells the chance of; empty where the system does not say."""
    return world.system.questions.get(decision.kind, _NOTHING_KNOWN).meant


def matters(world: AnyWorld, decision: Decision[Any], answer: Any) -> tuple[str, ...]:
    """What a player might want another answer for than this one; nothing where any will do, or nobody can tell."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return () if known.matters is None else tuple(known.matters(world, decision, answer))


def stake(world: AnyWorld, decision: Decision[Any]) -> Stake:
    """What a decision is about, beside others of its kind; where nothing is known each unit stands for itself."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return known.stake(world, decision) if known.stake is not None else Stake(f"{decision.unit}")


def reach(world: AnyWorld, decision: Decision[Any], mode: str) -> list[Reach]:
    """Where the models of a unit may end a move, the certain area first; empty where the system cannot tell."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return [] if known.reach is None else list(known.reach(world, decision, mode))


def outlook(world: AnyWorld, decision: Decision[Any], answer: Any) -> list[Outlook]:
    """What an answer does to each of its targets on average; empty where the system cannot tell."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return [] if known.outlook is None else list(known.outlook(world, decision, answer))


def safe_modes(world: AnyWorld, decision: Assign, row: Row) -> tuple[str, ...]:
    """The modes of a row that do no harm to who uses it; all of them where the system makes no difference."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return row.modes if known.safe_modes is None else known.safe_modes(world, decision, row)


def fit(world: AnyWorld, decision: Decision[Any], answer: Any) -> Any:
    """What is legal and nearest to an answer that wants too much, or too little; None where the system cannot tell."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return None if known.fit is None else known.fit(world, decision, answer)


def advise(world: AnyWorld, decision: Decision[Any], aim: Aim) -> Any:
    """The answer that reaches most of an aim; None where the system has no advice."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    return known.advise(world, decision, aim) if known.advise is not None else None


def suggest(world: AnyWorld, decision: Decision[Any], rng: Random) -> Iterator[Any]:
    """Legal answers, varied, until they run out; the plain one stands at the end."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    ideas = known.suggest(world, decision, rng) if known.suggest is not None else _plain_ideas(decision, rng)
    for idea in ideas:
        if judge(world, decision, idea):
            yield idea
    yield plain(world, decision)


def ideas(world: AnyWorld, decision: Decision[Any]) -> Iterator[Idea]:
    """Legal answers, best first: what the system's tactics advise, answers with a name, the plain one, suggestions.

    The same moment always gives the same ideas; no two have the same answer.
    """
    given: list[Any] = []
    for idea in chain(_advice(world, decision), _further(world, decision, given)):
        if idea.answer not in given:
            given.append(idea.answer)
            yield idea


def _advice(world: AnyWorld, decision: Decision[Any]) -> Iterator[Idea]:
    """The legal ones among the ideas of the best style that the system's tactics know."""
    tactics = world.system.tactics
    if tactics is not None:
        for idea in islice(tactics.ideas(world, decision, tactics.styles[-1]), MOST_IDEAS):
            if judge(world, decision, idea.answer):
                yield idea


def _further(world: AnyWorld, decision: Decision[Any], advised: Sequence[Any]) -> Iterator[Idea]:
    """Answers beside what is advised; the plain one is the usual one only where one key gives it."""
    usual = not advised or not _takes_advice(world, decision)
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    for name, answer in known.named(world, decision) if known.named is not None else ():
        if judge(world, decision, answer):
            yield Idea(answer, 0.0, name)
    try:
        yield Idea(plain(world, decision), 0.0, "The usual answer." if usual else "The simplest answer.")
        suggested = islice(suggest(world, decision, Random(0)), MOST_IDEAS)
        yield from (Idea(answer, 0.0, "") for answer in suggested)
    except LookupError:
        return


def towards(world: AnyWorld, decision: Decision[Any], goal: Goal) -> Any:
    """The legal answer that brings a unit nearest to a place, of the first few; None where none was found."""
    known = world.system.questions.get(decision.kind, _NOTHING_KNOWN)
    if known.towards is None:
        return None
    legal = (a for a in known.towards(world, decision, goal) if judge(world, decision, a))
    return min(islice(legal, MOST_WAYS), key=lambda a: _short_of(world, decision, a, goal), default=None)


def nearest(world: AnyWorld, decision: Decision[Any], answer: Any) -> Any:
    """A legal answer near one that was refused, where somebody or something was to go somewhere; None without one."""
    if not isinstance(decision, Move | Place) or not answer:
        return None
    if isinstance(decision, Move) and not answer.paths:
        return None
    x, y = middle_after(world, decision, answer)
    mode = answer.mode if isinstance(decision, Move) else ""
    on_table = min(max(round(x), 0), world.table.width), min(max(round(y), 0), world.table.depth)
    return towards(world, decision, Goal(*on_table, mode=mode))


def _short_of(world: AnyWorld, decision: Decision[Any], answer: Any, goal: Goal) -> float:
    """How far from a place the middle of a unit would be."""
    x, y = middle_after(world, decision, answer)
    return (x - goal.x) ** 2 + (y - goal.y) ** 2


def middle_after(world: AnyWorld, decision: Decision[Any], answer: Any) -> tuple[float, float]:
    """Where the middle of a unit would be after a move, or a set-up."""
    if isinstance(decision, Move):
        pos = world.state.models.pos
        moved = {p.model: (p.legs[-1].x, p.legs[-1].y) for p in answer.paths if p.legs}
        ends = [moved.get(m, (int(pos[m, 0]), int(pos[m, 1]))) for m in decision.models]
    else:
        ends = [(s.x, s.y) for s in answer]
    return sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends)


def _plain_ideas(decision: Decision[Any], rng: Random) -> Iterator[Any]:
    match decision:
        case Choose():
            values: list[Value | None] = [o.value for o in decision.options]
            if decision.optional:
                values.append(None)
            rng.shuffle(values)
            yield from values
        case ChooseSome():
            most = min(decision.most, len(decision.options))
            for _ in range(3):
                yield tuple(o.value for o in rng.sample(decision.options, rng.randint(decision.least, most)))
        case Order():
            yield tuple(o.value for o in rng.sample(decision.options, len(decision.options)))
        case Split():
            yield _random_split(decision, rng)
        case Assign():
            yield from _random_assignments(decision, rng)
        case Number():
            yield rng.randint(decision.least, decision.most)
        case Confirm():
            yield rng.random() < 0.5


def _random_split(decision: Split, rng: Random) -> tuple[tuple[Value, int], ...]:
    shares = dict.fromkeys((o.value for o in decision.options), 0)
    for _ in range(decision.total):
        shares[rng.choice([v for v, n in shares.items() if n < decision.most_each])] += 1
    return tuple((v, n) for v, n in shares.items() if n)


def _random_assignments(decision: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    for _ in range(3):
        out: list[Assignment] = []
        for row in decision.rows:
            if not row.targets:
                continue
            split = rng.randint(0, row.count) if row.count > 1 and len(row.targets) > 1 and rng.random() < 0.3 else 0
            for count, target in ((row.count - split, rng.choice(row.targets)), (split, rng.choice(row.targets))):
                if count and (decision.everything or rng.random() < 0.95):
                    out.append(Assignment(row.id, target, count, rng.choice(row.modes) if row.modes else ""))
        yield tuple(out)


def option_verdict(world: AnyWorld, decision: Choose, value: Value) -> Verdict:
    """Why something is, or is not, among the options of a decision."""
    if any(o.value == value for o in decision.options):
        return ALLOWED
    refused = _why_not_offered(world, decision, value)
    return not_offered(decision, repr(value)) if refused is None else refused


def offer(values: Iterator[tuple[Value, str]]) -> tuple[Option, ...]:
    """Options from pairs of value and label."""
    return tuple(Option(value, label) for value, label in values)
