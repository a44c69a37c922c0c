"""Standing orders: a player that answers for you, as you told it, until a stop that you named.

Orders are tried from the top; the first that fits the kind of decision, and has not ended, counts. What no order
answers goes to the player behind them. Every automatic answer is noted.

With `if`, an order asks only where the answer that it would give otherwise costs something that another would not, or
gives something away, such as a marker, or a charge that could be stopped.

With `better`, who was asked once in a phase is asked again only where the chance is better by so much than all that was
left to them, or where more is at stake by that part; where nobody knows a chance, what is at stake alone counts.

An order that asks about a reaction where a unit is offered arms that unit: its player is asked although the reaction is
hardly worth it, as `{for: "react.*", offers: ["*Intercessors*"], do: ask}`. With `every`, it asks about all such
reactions, as `{for: react.after_roll, do: ask, every: true}` does about every roll that may be made again.

`do: best` gives the answer that reaches most of an aim on average: to `destroy` targets, or as many `kills`, as much
`damage` or as many `points` as can be. It counts where the game has such advice; elsewhere the player is asked.

    orders:
      - {for: "order.*", do: default}
      - {for: "allocate*", do: ask, if: [a character, a marker], else: default}
      - {for: react.unit_moved, do: ask, odds: 0.25, else: pass}
      - {for: shoot, do: best, aim: destroy}
      - for: reroll
        do: answer
        answer: yes
        stop: {uses: 3, resource: {name: cp, to: 0}, target: [CHARACTER, "Captain*"], near: 9}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import islice, takewhile
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from sandtable.attack.volley import Aim
from sandtable.battle import answers as wording
from sandtable.battle import questions
from sandtable.battle.decisions import Assign, Choose, ChooseSome, Confirm, Decision, FlightPath, Place
from sandtable.battle.state import AnyUnit
from sandtable.battle.system import Stake, System
from sandtable.battle.vocabulary import reactions_of, vocabulary
from sandtable.documents import convert, parse_yaml
from sandtable.errors import UserError
from sandtable.files import read_text
from sandtable.players.base import Agreeable, AnyView, Player
from sandtable.table.grid import steps

MAX_ORDERS: Final = 200
MAX_PATTERN: Final = 200
WILD: Final = frozenset("*?[")
"""What makes a pattern of a name."""
REACTIONS: Final = "react."
"""How kinds of decisions begin that are about reactions."""
LOOKED_AT: Final = 12
"""Answers whose odds are looked at before "ask if the odds are at least x" is decided."""

Pattern = str


class Resource(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number of the player, such as command points, that must not drop to `to` by spending `cost`."""

    name: str
    to: int = 0
    cost: int = 1


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When an order ends by itself; any one of these is enough."""

    uses: int | None = None
    """After so many answers."""
    resource: Resource | None = None
    target: tuple[Pattern, ...] = ()
    """When the decision is about a unit with one of these keywords or names."""
    near: float | None = None
    """When an enemy unit comes this near to one of yours that was further away when the order began."""


class Order(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"kinds": "for", "matters": "if", "otherwise": "else"},
):
    """What to do at one kind of decision."""

    kinds: Pattern
    """Kinds of decisions, with * for anything: "react.*"."""
    do: Literal["pass", "default", "free", "ask", "answer", "best"]
    """`free` takes what costs nothing, and asks where the plain answer is to pass."""
    answer: Any = None
    """With `do: answer`, in the words of scenario files."""
    aim: Aim | None = None
    """With `do: best`: what the answer is for."""
    odds: float | None = None
    """With `do: ask`: ask only if some answer does what it is for with at least this chance..."""
    matters: tuple[Pattern, ...] = ()
    """With `do: ask`: ask only if one of these speaks against the answer given otherwise; with `odds`, either is."""
    better: float | None = None
    """With `odds` or `if`: in the same phase ask again only about a chance, or a stake, that is better by this..."""
    otherwise: Literal["pass", "default"] = "default"
    """...and do this if none does."""
    every: bool = False
    """With `do: ask`, for reactions: ask also where one is hardly worth it."""
    unit: Pattern = "*"
    """Only for decisions about units of this name."""
    options: tuple[Pattern, ...] = ()
    """Only where everything that is offered is like one of these."""
    offers: tuple[Pattern, ...] = ()
    """Only where something that is offered is like one of these."""
    stop: Stop = Stop()


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list of orders, as a file holds it."""

    orders: tuple[Order, ...] = ()

    def dump(self) -> str:
        """As YAML that `read_orders` reads back."""
        import yaml

        return yaml.safe_dump(msgspec.to_builtins(self), sort_keys=False, allow_unicode=True)


#: What is tedious to be asked and rarely matters takes the default; nothing is spent that does not come back.
DEFAULT_ORDERS: Final = Orders(
    (
        Order("order.*", "default"),
        Order("allocate*", "ask", matters=("*",)),
        Order("react.*", "free"),
    )
)


def default_orders(system: System) -> Orders:
    """The orders that most players of a system would give: its own, then those for any system."""
    own = msgspec.convert(list(system.default_orders), tuple[Order, ...], strict=True)
    return Orders((*own, *DEFAULT_ORDERS.orders))


class Note(msgspec.Struct, frozen=True):
    """An automatic answer, or the end of an order."""

    player: int
    decision: int
    kind: str
    text: str
    answered: bool = True


EXAMPLE: Final = '- {for: "react.*", do: pass}'
"""An order as somebody may write it: no reactions."""


def _is_list_of_orders(raw: object) -> bool:
    """Whether orders may stand in this; what is wrong with one of them is told with its place."""
    if not isinstance(raw, dict):
        return False
    orders = raw.get("orders", [])
    return isinstance(orders, list) and all(isinstance(order, dict) for order in orders)


def read_orders(text: str, where: str) -> Orders:
    """Orders from YAML; refuses with the place of what is wrong. Which questions there are is the system's to say."""
    raw = parse_yaml(text, where)
    if raw is not None and not _is_list_of_orders(raw):
        raise UserError(
            f"{where}: this is no list of orders. Write 'orders:' and below it one line for each, "
            f"which says for which questions it is and what to do there, such as {EXAMPLE}"
        )
    orders = convert({} if raw is None else raw, Orders, where, text)
    if len(orders.orders) > MAX_ORDERS:
        raise UserError(f"{where}: at most {MAX_ORDERS} orders, not {len(orders.orders)}.")
    for i, order in enumerate(orders.orders):
        trouble = _trouble(order)
        if trouble:
            raise UserError(f"{where}: orders[{i}] ({order.kinds}): {trouble}")
    return orders


def read_orders_file(path: Path) -> Orders:
    """Orders from a file; refuses one that holds none."""
    orders = read_orders(read_text(path), str(path))
    if not orders.orders:
        raise UserError(f"{path} holds no orders; they stand under 'orders', such as {{for: '*', do: default}}.")
    return orders


def arms(orders: Orders, units: Iterable[AnyUnit]) -> list[int]:
    """The units that orders arm: those by whose name a reaction is asked about, whatever it is worth."""
    asking = [o.offers for o in orders.orders if o.do == "ask" and o.offers and o.kinds.startswith(REACTIONS)]
    return [u.id for u in units if any(_like(u.name, patterns) for patterns in asking)]


def awaits(orders: Orders, system: System) -> list[str]:
    """The triggers at which orders ask about every reaction, whatever it is worth."""
    kinds = [o.kinds for o in orders.orders if o.every]
    return [t for t in system.by_trigger if any(fnmatchcase(REACTIONS + t, k) for k in kinds)]


def doubtful_kinds(orders: Orders, system: System) -> set[str]:
    """What orders are for that may be no question of a system: only its code says so, and takes long to read."""
    known = {*system.questions, *reactions_of(system)}
    return {order.kinds for order in orders.orders if not set(order.kinds) & WILD} - known


def check_kinds(orders: Orders, system: System, where: str) -> None:
    """Refuse orders for a question that a system never asks; a pattern may fit what is asked one day."""
    from difflib import get_close_matches

    doubted = doubtful_kinds(orders, system)
    if not doubted:
        return
    words = vocabulary(system)
    known = sorted({*(q.kind for q in words.questions), *words.reactions, *system.questions})
    for i, order in enumerate(orders.orders):
        if order.kinds in known or order.kinds not in doubted:
            continue
        near = " or ".join(f"'{name}'" for name in get_close_matches(order.kinds, known, n=2))
        perhaps = f"did you mean {near}?" if near else f"it asks {', '.join(known)}."
        raise UserError(f"{where}: orders[{i}]: {system.name} asks no question '{order.kinds}'; {perhaps}")


def _trouble(order: Order) -> str:
    stop = order.stop
    patterns = (order.kinds, order.unit, *order.options, *order.offers, *stop.target, *order.matters)
    if any(not 0 < len(p) <= MAX_PATTERN for p in patterns):
        return f"a pattern has 1 to {MAX_PATTERN} characters."
    if (order.answer is not None) != (order.do == "answer"):
        return "an answer belongs to 'do: answer', and only there."
    if order.do == "best" and order.aim is None:
        return f"'do: best' needs an aim: {', '.join(get_args(Aim))}."
    if order.aim is not None and order.do != "best":
        return "an aim belongs to 'do: best'."
    if order.odds is not None and order.do != "ask":
        return "odds belong to 'do: ask'."
    if order.odds is not None and not 0 <= order.odds <= 1:
        return f"odds are a number from 0 to 1, not {order.odds}."
    if order.matters and order.do != "ask":
        return "'if' belongs to 'do: ask'."
    if order.better is not None and order.odds is None and not order.matters:
        return "'better' belongs to odds, or to 'if'."
    if order.better is not None and not 0 <= order.better <= 1:
        return f"'better' is a number from 0 to 1, not {order.better}."
    narrowed = order.odds is not None or order.matters
    if order.every and (order.do != "ask" or narrowed or not order.kinds.startswith(REACTIONS)):
        return f"'every' belongs to 'do: ask' without odds or 'if', for reactions ('{REACTIONS}...')."
    if stop.uses is not None and stop.uses < 1:
        return f"an order is used at least once, not {stop.uses} times."
    if stop.near is not None and not 0 < stop.near <= 1000:
        return f"'near' is a distance up to 1000, not {stop.near}."
    return ""


class Asked(NamedTuple):
    """A question that an order left to its player."""

    phase: str
    kind: str
    unit: int
    chance: float | None
    """None where nobody could tell."""
    stake: Stake


class Remembered(msgspec.Struct, frozen=True):
    """What an order in force has come to; with it the same orders go on in another process."""

    uses: int = 0
    near: tuple[tuple[int, int], ...] | None = None
    """Pairs of own and enemy units that were near each other when it began."""
    ended: str = ""
    asked: tuple[Asked, ...] = ()
    """What was left to the player in this phase."""


class _Running:
    """An order in force, with what it remembers."""

    __slots__ = ("asked", "ended", "near", "order", "uses")

    def __init__(self, order: Order, so_far: Remembered) -> None:
        self.order = order
        self.uses = so_far.uses
        self.near = None if so_far.near is None else frozenset(so_far.near)
        self.ended = so_far.ended
        self.asked = so_far.asked

    def asks(self, view: AnyView, decision: Decision[Any]) -> bool:
        """Whether the player shall be asked, who is not asked about the same or less twice in a phase."""
        order = self.order
        if order.odds is None and not order.matters:
            return True
        best = _best_odds(view, decision)
        likely = order.odds is not None and (best is None or best >= order.odds)
        if not likely and not _speaks_against(view, decision, order):
            return False
        if order.better is None:
            return True
        now = Asked(_phase(view), decision.kind, decision.unit, best, questions.stake(view, decision))
        # Who took something back is asked the same once more, and what came after it did not happen.
        before = takewhile(lambda one: (one.kind, one.unit) != (now.kind, now.unit), self.asked)
        self.asked = tuple(one for one in before if one.phase == now.phase)
        if any(_is_like(now, one, order.better) for one in self.asked):
            return False
        self.asked = (*self.asked, now)
        return True


class StandingOrders:
    """A player that answers by standing orders, and lets another answer the rest."""

    def __init__(
        self,
        orders: Orders,
        inner: Player,
        note: Callable[[Note], None] | None = None,
        so_far: Sequence[Remembered] = (),
    ) -> None:
        self.inner = inner
        self.log: list[Note] = []
        self._note = note
        started = [*so_far, *[Remembered()] * (len(orders.orders) - len(so_far))]
        self._running = [_Running(order, known) for order, known in zip(orders.orders, started, strict=True)]

    @property
    def remembered(self) -> tuple[Remembered, ...]:
        """What each order has come to, to go on from later."""
        return tuple(
            Remembered(r.uses, None if r.near is None else tuple(sorted(r.near)), r.ended, r.asked)
            for r in self._running
        )

    @property
    def trusted(self) -> bool:
        return getattr(self.inner, "trusted", False)

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        for running in self._running:
            if running.ended or not _fits(view, decision, running.order):
                continue
            reason = _stops(view, decision, running)
            if reason:
                running.ended = reason
                self._write(decision, f"The order for '{running.order.kinds}' ends: {reason}.", answered=False)
                continue
            found = _answer(view, decision, running)
            if found is None:
                break
            running.uses += 1
            said = wording.describe(view, decision, found[0])
            self._write(decision, f"'{decision.prompt}': {said} (order for '{running.order.kinds}')")
            return found[0]
        return self.inner.choose(view, decision)

    def hear(self, message: str) -> None:
        """Pass on what could not be done."""
        hear = getattr(self.inner, "hear", None)
        if hear is None:
            raise UserError(message)
        hear(message)

    def agrees(self, view: AnyView, request: str) -> bool:
        """Orders agree to nothing; whoever gave them may."""
        return isinstance(self.inner, Agreeable) and self.inner.agrees(view, request)

    def _write(self, decision: Decision[Any], text: str, *, answered: bool = True) -> None:
        note = Note(decision.player, decision.id, decision.kind, text, answered)
        self.log.append(note)
        if self._note is not None:
            self._note(note)


def _fits(view: AnyView, decision: Decision[Any], order: Order) -> bool:
    if not fnmatchcase(decision.kind, order.kinds):
        return False
    offered = decision.options if isinstance(decision, Choose | ChooseSome) else ()
    if order.options and (not offered or not all(_like(o.label, order.options) for o in offered)):
        return False
    if order.offers and not any(_like(o.label, order.offers) for o in offered):
        return False
    if order.unit == "*":
        return True
    return decision.unit >= 0 and fnmatchcase(view.unit(decision.unit).name, order.unit)


# ------------------------------------------------------------------------------------------------------------ stops


def _stops(view: AnyView, decision: Decision[Any], running: _Running) -> str:
    """Why the order ends now; empty if it goes on."""
    stop = running.order.stop
    if stop.uses is not None and running.uses >= stop.uses:
        return f"used {running.uses} times"
    if stop.resource is not None:
        left = getattr(view.player(decision.player), stop.resource.name, None)
        if not isinstance(left, int):
            return f"this game has no '{stop.resource.name}'"
        if left - stop.resource.cost <= stop.resource.to:
            return f"{stop.resource.name} would drop from {left} to {left - stop.resource.cost}"
    if stop.target:
        for number in _units_in(view, decision):
            name = next((n for n in _names(view, number) if _like(n, stop.target)), None)
            if name is not None:
                named = view.unit(number).name
                return f"the target is {named}" if name == named else f"the target is {named}, {name}"
    if stop.near is not None:
        near = _near(view, decision.player, steps(stop.near))
        if running.near is None:
            running.near = near
        new = sorted(near - running.near)
        if new:
            mine, enemy = new[0]
            return f"{view.unit(enemy).name} came within {stop.near:g} of {view.unit(mine).name}"
    return ""


def _units_in(view: AnyView, decision: Decision[Any]) -> Iterable[int]:
    """Enemy units that a decision is about: its own, its target, and those that it offers."""
    numbers = [decision.unit, decision.about.get("target", -1)]
    if isinstance(decision, Choose | ChooseSome):
        named = {u.name: u.id for u in view.state.units}
        numbers += [o.value for o in decision.options if named.get(o.label) == o.value]
    elif isinstance(decision, Assign):
        numbers += [o.value for o in decision.targets]
    side = view.side(decision.player)
    for number in dict.fromkeys(n for n in numbers if type(n) is int and 0 <= n < len(view.state.units)):
        if view.side(view.unit(number).player) != side:
            yield number


def _names(view: AnyView, number: int) -> tuple[str, ...]:
    unit = view.unit(number)
    keywords = view.system.keywords(view, unit) if view.system.keywords else getattr(unit, "keywords", ())
    return (unit.name, *sorted(keywords))


def _like(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name.casefold(), p.casefold()) for p in patterns)


def _near(view: AnyView, player: int, reach: int) -> frozenset[tuple[int, int]]:
    mine = [u for u in view.units_of(player) if view.is_on_table(u)]
    theirs = [e for e in view.enemies_of(player) if view.is_on_table(e)]
    return frozenset((u.id, e.id) for u in mine for e in theirs if view.distance(u, e) <= reach)


# ---------------------------------------------------------------------------------------------------------- answers


def _answer(view: AnyView, decision: Decision[Any], running: _Running) -> tuple[Any] | None:
    """The order's answer in a tuple of one; None where it must be asked."""
    order = running.order
    match order.do:
        case "pass":
            return _pass(decision)
        case "default":
            return (questions.default(view, decision),)
        case "free":
            plain = questions.plain(view, decision)
            return None if plain in (None, (), False) else (plain,)
        case "answer":
            return _fixed(view, decision, order.answer)
        case "best":
            return _best(view, decision, order.aim)
    return None if running.asks(view, decision) else _otherwise(view, decision, order)


def _otherwise(view: AnyView, decision: Decision[Any], order: Order) -> tuple[Any]:
    """What an order to ask answers where it does not."""
    passed = _pass(decision) if order.otherwise == "pass" else None
    return passed or (questions.default(view, decision),)


def _speaks_against(view: AnyView, decision: Decision[Any], order: Order) -> bool:
    """Whether something that an order names speaks against what it would answer."""
    if not order.matters:
        return False
    found = questions.matters(view, decision, _otherwise(view, decision, order)[0])
    return any(_like(name, order.matters) for name in found)


def _pass(decision: Decision[Any]) -> tuple[Any] | None:
    match decision:
        case Choose() | Place() | FlightPath() if decision.optional:
            return (None,)
        case ChooseSome() if not decision.least:
            return ((),)
        case Confirm():
            return (False,)
    return None


def _fixed(view: AnyView, decision: Decision[Any], raw: Any) -> tuple[Any] | None:
    try:
        answer = wording.read(view, decision, raw)
    except UserError:
        return None
    return (answer,) if questions.check(view, decision, answer) else None


def _best(view: AnyView, decision: Decision[Any], aim: Aim | None) -> tuple[Any] | None:
    answer = None if aim is None else questions.advise(view, decision, aim)
    return (answer,) if answer is not None and questions.check(view, decision, answer) else None


def _best_odds(view: AnyView, decision: Decision[Any]) -> float | None:
    """The best chance of an answer; None where the system cannot tell."""
    if isinstance(decision, Choose):
        ideas: Iterable[Any] = (o.value for o in decision.options)
    else:
        # Looking must not depend on chance: the same moment is always judged the same way.
        ideas = questions.suggest(view, decision, Random(0))
    found = [questions.odds(view, decision, idea) for idea in islice(ideas, LOOKED_AT)]
    return max([chance for chance in found if chance is not None], default=None)


def _phase(view: AnyView) -> str:
    state = view.state
    return f"{state.segment} {state.round} {state.active} {getattr(state.game, 'phase', '')}"


def _is_like(now: Asked, before: Asked, better: float) -> bool:
    """Whether neither the chance nor what is at stake is much better than before."""
    if now.stake.among != before.stake.among or now.stake.worth > before.stake.worth * (1 + better):
        return False
    # Where nobody knows a chance, what is at stake is all that can be compared.
    return now.chance is None or before.chance is None or now.chance < before.chance + better
