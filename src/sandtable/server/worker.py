"""A worker process: thinks for computer players and standing orders, and works out advice, odds and replays.

It reads jobs from its standard input and writes what came of them to its standard output. It keeps nothing between two
jobs but the ground of the last few battles. To think it gets a player's view, never the battle itself, so that neither
the seed nor what the player may not know can have a part in it. When the server ends, however that happens, the input
closes and the worker ends, too.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec

from sandtable import kernels, systems
from sandtable.api import disagreement, new
from sandtable.battle import answers, questions
from sandtable.battle.decisions import Assign, Assignment, Decision, Move, Place, Spot, read_answer
from sandtable.battle.dice import KeyedDice
from sandtable.battle.machine import Battle
from sandtable.battle.setup import Setup
from sandtable.battle.state import from_bytes
from sandtable.battle.system import Goal, Outlook, Reach
from sandtable.battle.world import Ground, View, World
from sandtable.errors import UserError
from sandtable.kit.drafts import Draft
from sandtable.players import Leave, Note, Orders, Remembered, StandingOrders, named, read_orders
from sandtable.players.named import NAMES
from sandtable.players.standing import check_kinds
from sandtable.server import chances, dropped, lists, moments, rulings, surveys
from sandtable.server.chances import Known, OddsAsked, Told
from sandtable.server.protocol import Idea, ListRead, MomentShown, ReadList, Rule, ShowMoment, Shown, SightShown
from sandtable.server.shade import Outlines, shade
from sandtable.server.showing import shown

if TYPE_CHECKING:
    from sandtable.server.catalogue import Wish
    from sandtable.server.told import Chapter

HEADER: Final = struct.Struct("<Q")
READY: Final = b"ready\n"
"""What a worker says before its first job."""
GROUNDS: Final = 32
"""Battles whose compiled terrain is kept."""

MOST_MEMORY: Final = 3 << 30
"""Bytes that a worker may have mapped; it needs a tenth of that."""
WARMING: Final = 24
"""Questions that a new worker thinks about for itself: moves, shots and saves are among them."""

YOURS: Final = "Your orders"
"""What a refusal calls the orders that somebody wrote."""

AnyView: TypeAlias = View[Any, Any, Any, Any]


class Scene(NamedTuple):
    """A player's view, ready to be sent to another process."""

    system: str
    setup: bytes
    state: bytes
    player: int
    decision: Decision[Any] | None = None


class Prepared(NamedTuple):
    """A battle before it begins: lists are read and tables laid, which takes longest."""

    system: str
    seed: int
    setup: bytes
    start: bytes
    """The state that it begins with."""
    seat: int = 0
    """Whose seat is taken by whoever wanted the battle."""

    def begin(self) -> Battle[Any, Any, Any, Any]:
        """The battle at its first question."""
        system = systems.get(self.system)
        state = from_bytes(self.start, system.unit_type, system.player_type, system.game_type)
        battle: Battle[Any, Any, Any, Any] = Battle(system, pickle.loads(self.setup), state, dice=KeyedDice(self.seed))
        return battle.start()


class Computer(NamedTuple):
    """A computer player."""

    name: str
    seed: int


class Standing(NamedTuple):
    """Standing orders, and what they have come to."""

    orders: Orders
    so_far: tuple[Remembered, ...]


class Thought(NamedTuple):
    """What a player decided."""

    answer: Any
    asks: bool
    """Whether the orders leave the answer to who gave them."""
    notes: tuple[Note, ...]
    so_far: tuple[Remembered, ...] = ()


class Failure(NamedTuple):
    """A job that came to nothing."""

    text: str
    meant: bool
    """Whether the text is for who asked; otherwise something is broken."""


# ------------------------------------------------------------------------------------------ jobs


def choose(scene: Scene, mind: Computer | Standing) -> Thought:
    """An answer to the scene's decision."""
    view, decision = _open(scene)
    notes: list[Note] = []
    if isinstance(mind, Computer):
        # A player of chance has no memory here: each question is a new throw, the same one after a restart.
        player = named(mind.name, mind.seed * 1_000_003 + decision.id, notes.append)
        return Thought(player.choose(view, decision), False, tuple(notes))
    standing = StandingOrders(mind.orders, _Asker(), notes.append, mind.so_far)
    try:
        answer = standing.choose(view, decision)
    except Leave:
        return Thought(None, True, tuple(notes), standing.remembered)
    return Thought(answer, False, tuple(notes), standing.remembered)


class _Asker:
    """Stands for the person behind standing orders, who must be asked."""

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        raise Leave


def ideas(scene: Scene, most: int) -> list[Idea]:
    """Legal answers, the best first."""
    view, decision = _open(scene)
    found: list[Idea] = []
    for i in questions.ideas(view, decision):
        said = answers.describe(view, decision, i.answer)
        # What nobody could tell from another idea is none.
        if all(said != other.said or (i.why and i.why != other.why) for other in found):
            found.append(Idea(i.answer, said, i.why, float(i.worth)))
        if len(found) == most:
            break
    return found


def default(scene: Scene) -> list[Idea]:
    """The answer that one key gives; none where there is no such answer."""
    view, decision = _open(scene)
    try:
        answer = questions.default(view, decision)
    except LookupError:
        return []
    return [Idea(answer, answers.describe(view, decision, answer), "", 0.0)]


def towards(scene: Scene, goal: Goal) -> list[Idea]:
    """A legal answer that goes to a place, or near it; none where nothing was found."""
    view, decision = _open(scene)
    if isinstance(decision, Move) and goal.mode and goal.mode not in {mode.name for mode in decision.modes}:
        raise UserError(f"'{goal.mode}' is not a way of moving here: {', '.join(m.name for m in decision.modes)}.")
    strangers = {spot.model for spot in goal.ends} - set(getattr(decision, "models", ()))
    if strangers:
        raise UserError(f"Only models of the question go anywhere here, not number {min(strangers)}.")
    answer = questions.towards(view, decision, goal)
    return [] if answer is None else [Idea(answer, answers.describe(view, decision, answer), "", 0.0)]


def nearest(scene: Scene, answer: Any) -> Any:
    """A legal answer near one that was refused; None where none is found, or that is no answer to this at all."""
    view, decision = _open(scene)
    try:
        typed = read_answer(decision, answer)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return None
    return questions.nearest(view, decision, typed)


def advise(scene: Scene, aim: Any) -> list[Idea]:
    """The answer that reaches most of an aim; none where the system has no advice."""
    view, decision = _open(scene)
    answer = questions.advise(view, decision, aim)
    if answer is None or not questions.check(view, decision, answer):
        return []
    return [Idea(answer, answers.describe(view, decision, answer), "", 0.0)]


def chance(scene: Scene, answer: Any) -> tuple[float | None, str]:
    """The chance that an answer does what it is for, and what that is; only legal answers have one."""
    view, decision = _open(scene)
    verdict, typed = questions.weigh(view, decision, answer)
    if not verdict:
        raise UserError(str(verdict))
    found = questions.odds(view, decision, typed)
    return (None, "") if found is None else (float(found), questions.meant(view, decision))


def odds(scene: Scene, unit: int, target: int) -> list[str]:
    """What the attacks of a unit at another would do now."""
    view = _view(scene)
    if view.system.forecast is None:
        raise UserError(f"{view.system.name} cannot tell odds here.")
    return list(view.system.forecast(view, unit_of(view, unit), unit_of(view, target)))


def reach(scene: Scene, mode: str) -> list[Reach]:
    """Where the models of the decision's unit may end."""
    view, decision = _open(scene)
    if not isinstance(decision, Move) or mode not in {m.name for m in decision.modes}:
        return []
    return questions.reach(view, decision, mode)


def shaded(scene: Scene, foe: int) -> Outlines:
    """Where the decision's unit would be out of sight of another."""
    view, decision = _open(scene)
    return shade(view, decision, unit_of(view, foe)) if isinstance(decision, Move | Place) else ()


def outlook(scene: Scene, given: tuple[Any, ...]) -> tuple[list[list[Outlook]], list[Any]]:
    """What answers would do to their targets, and what of them is legal together."""
    view, decision = _open(scene)
    found: list[list[Outlook]] = []
    kept: list[Any] = []
    for answer in given:
        verdict, typed = questions.weigh(view, decision, answer)
        fitted = _fitted(view, decision, typed) if not verdict and isinstance(decision, Assign) and typed else None
        if fitted is not None:
            verdict, typed = questions.judge(view, decision, fitted), fitted
        elif isinstance(decision, Assign) and typed:
            aimed = tuple(_aimed(view, decision, part) for part in typed)
            if aimed != typed:
                verdict, typed = questions.judge(view, decision, aimed), aimed
        if not verdict and isinstance(decision, Assign) and typed:
            typed = _together(view, decision, typed)
        found.append(questions.outlook(view, decision, typed) if verdict or typed else [])
        kept.append(typed)
    return found, kept


def _fitted(view: AnyView, decision: Assign, given: tuple[Assignment, ...]) -> tuple[Assignment, ...] | None:
    """The legal answer nearest to one, as the system sees it; None where it cannot tell, or nothing is possible."""
    rows = {row.id: row for row in decision.rows}
    able = tuple(
        part
        for part in given
        if (row := rows.get(part.row))
        and part.target in row.targets
        and part.mode in ("", *row.modes)
        and part.count > 0
    )
    found: tuple[Assignment, ...] | None = questions.fit(view, decision, able) if able else None
    return found


def _aimed(view: AnyView, decision: Assign, part: Assignment) -> Assignment:
    """Things of a row on a target with the safe profile that does most there, where none is named."""
    row = next((row for row in decision.rows if row.id == part.row), None)
    if part.mode or row is None or not row.modes:
        return part
    able = [msgspec.structs.replace(part, mode=mode) for mode in row.modes]
    able = [one for one in able if questions.judge(view, decision, (one,))]
    safe = questions.safe_modes(view, decision, row)
    able = [one for one in able if one.mode in safe] or able
    return max(able, key=lambda one: _worth(view, decision, one), default=part)


def _worth(view: AnyView, decision: Assign, part: Assignment) -> float:
    """What something does by itself."""
    return sum(seen.damage for seen in questions.outlook(view, decision, (part,)))


def _together(view: AnyView, decision: Assign, given: tuple[Assignment, ...]) -> tuple[Assignment, ...]:
    """What can be done together of an answer; what does most by itself comes first."""
    kept: tuple[Assignment, ...] = ()
    able = [part for part in given if questions.judge(view, decision, (part,))]
    for part in sorted(able, key=lambda part: _worth(view, decision, part), reverse=True):
        if questions.judge(view, decision, (*kept, part)):
            kept = (*kept, part)
    return tuple(part for part in given if part in kept)


def sight(scene: Scene, unit: int, target: int, stood: tuple[Spot, ...] = ()) -> SightShown:
    """What the models of a unit see of another, or saw when models stood elsewhere."""
    view = _view(scene)
    if stood:
        surveys.put_back(view, stood)
    return surveys.sight(view, unit_of(view, unit), unit_of(view, target))


def reference(system: str, phase: str, kind: str) -> list[Rule]:
    """The rules of a phase, and of what is asked in it."""
    return [rulings.rule_of(row) for row in surveys.of_phase(systems.get(system), phase, kind)]


def moment(scene: Scene, said: ShowMoment, left_out: str = "") -> MomentShown:
    """The battle as it stands, as a scenario file, with what is argued about."""
    return moments.shown(_view(scene), scene.decision, said, left_out)


def moment_at(data: bytes, events: int) -> MomentShown:
    """A journal once so many events have happened, as everybody may know it, as a scenario file."""
    from sandtable.battle import journal

    return moments.at(journal.read(data, dropped.BATTLE), events)


def rules(ids: tuple[str, ...]) -> list[Rule]:
    """What the ledger says."""
    return [rulings.proved(id_) for id_ in ids]


def rule_page(id_: str) -> bytes:
    """A rule as a page of its own."""
    return rulings.as_page(rulings.proved(id_))


def replay_page(data: bytes) -> bytes:
    """The page that replays a journal, as everybody may see it."""
    from sandtable.battle import journal
    from sandtable.battle.replaying import replay
    from sandtable.page import page_html
    from sandtable.page.story import tell

    try:
        written = journal.read(data, dropped.BATTLE)
    except UserError:
        dropped.demand("battle", data.decode("utf-8", "replace"))
        raise
    battle, agreement = replay(written, systems.get(written.system))
    if not agreement.whole:
        raise UserError(disagreement("The battle", agreement))
    return page_html(tell(battle)).encode()


def told_page(head: bytes, chapters: list[Chapter]) -> bytes:
    """The page that replays a battle that cannot be played again, by what was told of it."""
    from sandtable.server import told

    return told.page(head, chapters)


def prepare(wish: Wish) -> Prepared:
    """The battle that somebody wants, as far as its first question; raises what is wrong with what they sent for it."""
    from sandtable.server.catalogue import build, seat_in, settled

    battle = build(settled(wish))
    assert battle.seed is not None
    setup, seat = pickle.dumps(battle.setup), seat_in(wish, battle)
    return Prepared(battle.system.id, battle.seed, setup, battle.start_bytes, seat)


def kind_of(data: bytes) -> dropped.Kind:
    """What a file that somebody dropped is meant to be; refuses pages."""
    text = data.decode("utf-8", "replace")
    dropped.refuse_page(text)
    return dropped.meant(text)


def read_list(asked: ReadList) -> ListRead:
    """What is understood of an army list that somebody sent."""
    return lists.read(asked)


def warm_lists() -> None:
    """Load what the first list needs."""
    lists.warm()


def recap(data: bytes, player: int, since: int) -> Shown | None:
    """A battle as a seat saw it when an event was the next; None where it never stood just there."""
    from sandtable.battle import journal
    from sandtable.battle.replaying import replay

    found: list[Shown] = []

    def listen(battle: Battle[Any, Any, Any, Any], _: Any = None) -> None:
        # What was taken back meanwhile does not count: the last time is the one that is meant.
        if len(battle.events) == since:
            found[:] = [shown(battle.view(player).state)]

    written = journal.read(data, "The battle")
    battle, _ = replay(written, systems.get(written.system), watch=listen)
    listen(battle)
    return found[0] if found else None


def odds_known(system: str) -> Known:
    """What can be asked about a system."""
    return chances.known(system)


def odds_told(asked: OddsAsked) -> Told:
    """What one unit does to another."""
    return chances.answered(asked)


def draft(system: str, name: str, text: str) -> Draft:
    """A table that somebody draws, with what is wrong with it."""
    from sandtable.server import catalogue

    return catalogue.draft(system, name, text)


def check_orders(system: str, text: str) -> Orders:
    """Orders from their text; refuses those for questions that a system never asks."""
    orders = read_orders(text, YOURS)
    check_kinds(orders, systems.get(system), YOURS)
    return orders


def warm(system: str) -> None:
    """Think about a few questions, so that the first of a person finds everything loaded."""
    battle = new(system, seed=0)
    player = named(NAMES[-1], 0)
    for _ in range(WARMING):
        asked = battle.decisions[0]
        battle.answer(asked, player.choose(battle.view(asked.player), asked))


def unit_of(view: AnyView, unit: int) -> Any:
    """A unit by its number."""
    if not 0 <= unit < len(view.state.units):
        raise UserError(f"There is no unit {unit}; units run from 0 to {len(view.state.units) - 1}.")
    return view.unit(unit)


JOBS: Final[dict[str, Callable[..., Any]]] = {
    job.__name__: job
    for job in (
        *(choose, ideas, default, towards, advise, chance, odds, rules, replay_page, prepare, draft, recap),
        *(odds_known, odds_told, check_orders, kind_of, read_list, warm_lists, nearest),
        *(reach, shaded, outlook, sight, reference, moment, moment_at, warm, rule_page, told_page),
    )
}

# ------------------------------------------------------------------------------------------ views

_grounds: OrderedDict[bytes, tuple[Setup[Any], Ground]] = OrderedDict()


def _view(scene: Scene) -> AnyView:
    known = _grounds.pop(scene.setup, None)
    if known is None:
        setup: Setup[Any] = pickle.loads(scene.setup)
        known = (setup, Ground(setup))
    _grounds[scene.setup] = known
    while len(_grounds) > GROUNDS:
        _grounds.popitem(last=False)
    system = systems.get(scene.system)
    state = from_bytes(scene.state, system.unit_type, system.player_type, system.game_type)
    world: World[Any, Any, Any, Any] = World(system, known[0], state, known[1])
    return View(world, scene.player)


def _open(scene: Scene) -> tuple[AnyView, Decision[Any]]:
    assert scene.decision is not None
    return _view(scene), scene.decision


# ------------------------------------------------------------------------------------------ the process


def work(jobs: IO[bytes], results: IO[bytes]) -> None:
    """Do jobs until there are no more."""
    while len(header := jobs.read(HEADER.size)) == HEADER.size:
        (size,) = HEADER.unpack(header)
        job = jobs.read(size)
        if len(job) < size:
            return  # the server was killed while it told of it
        name, arguments = pickle.loads(job)
        try:
            found: Any = JOBS[name](*arguments)
        except UserError as error:
            found = Failure(str(error), True)
        except Exception:
            found = Failure(traceback.format_exc(), False)
        data = pickle.dumps(found)
        results.write(HEADER.pack(len(data)) + data)
        results.flush()


def main() -> None:
    _be_modest()
    # Whatever prints something must not write between the results.
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    kernels.engage()
    try:
        results.write(READY)
        results.flush()
        work(sys.stdin.buffer, results)
    except BrokenPipeError:
        # The server is gone. Python would try once more to write what nobody reads, and complain.
        os._exit(0)


def _be_modest() -> None:
    """What a stranger sent may ask for any amount of memory: then the job fails, not the machine."""
    try:
        import resource
    except ImportError:
        return  # not on this system
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
