"""Exchanges: both sides strike, with what they have left when they do.

An exchange is a list of steps over the joint state of both sides. In a step each side's strength is that at its
beginning, so that strikes of one step are simultaneous; a side that strikes later strikes with its survivors. Where a
contest decides, and a tie means another round, the rounds are a chain that only goes downhill; a round in which nothing
falls leads back to itself, and is a geometric series.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Final, Literal, TypeAlias

import msgspec

from sandtable.attack.assume import assumptions, cites
from sandtable.attack.bounds import MAX_STATES, Unsolvable, check_size
from sandtable.attack.solver import solve
from sandtable.attack.volley import Attack, Choices, Cites, Procedure, Shots, Target, Volley

Left: TypeAlias = tuple[int, ...]
Joint: TypeAlias = tuple[Left, Left]
Verdict: TypeAlias = Literal["first", "second", "nobody"]

FACE: Final = 6
MANY: Final = 10_000
"""More wounds than any body has."""
MAX_STEPS: Final = 25_000_000
"""Attacks times wounds, over all strikes of an exchange: some seconds."""
OVERHEAD: Final = 2_000
"""What a solution costs before it has done anything, in the same measure."""


class Armed(msgspec.Struct, frozen=True):
    """A weapon, and the models of a side that strike with it as long as they stand."""

    volley: Volley
    """The attacks of one bearer."""
    bearers: tuple[int, ...]
    wounds: tuple[int, int] = (1, MANY)
    """They strike with it while they have so many wounds left: from the first number to the second."""


class Side(msgspec.Struct, frozen=True):
    """One side of an exchange, as it is struck."""

    name: str
    target: Target
    procedure: Procedure = Procedure.EACH_IN_TURN
    choices: Choices = Choices()
    """How the players decide in attacks on this side."""


class Strike(msgspec.Struct, frozen=True):
    """All that one side throws at the other in a step."""

    side: int
    weapons: tuple[Armed, ...]


class Contest(msgspec.Struct, frozen=True):
    """Who has won after all steps of a round: each side's highest of some D6, with modifiers; on a tie another round.

    A side that alone has bodies left has won without a roll; where neither has any, nobody has.
    """

    dice: int = 2
    bonus: tuple[int, int] = (0, 0)
    per_kill: int = 1
    more: int = 1
    """For more bodies than the other side."""
    twice: int = 1
    """As well, for more than twice as many."""
    cites: Cites = ()


class Exchange(msgspec.Struct, frozen=True):
    """Steps of strikes between two sides."""

    sides: tuple[Side, Side]
    steps: tuple[tuple[Strike, ...], ...]
    contest: Contest | None = None


class Aftermath:
    """What an exchange comes to."""

    def __init__(self, exchange: Exchange, joint: dict[Joint, float], verdicts: dict[Verdict, float]) -> None:
        self.exchange = exchange
        self.joint = joint
        """The chance of each pair of wounds left, of every body of both sides."""
        self.verdicts = verdicts
        """With a contest, the chance that the first side, the second or nobody has won."""

    def killed(self, side: int) -> dict[int, float]:
        """The chance that a side lost 0, 1, 2... models."""
        out: dict[int, float] = defaultdict(float)
        for state, p in self.joint.items():
            out[sum(not x for x in state[side])] += p
        return dict(sorted(out.items()))

    def damage(self, side: int) -> dict[int, float]:
        """The chance that a side lost 0, 1, 2... wounds."""
        total = sum(b.wounds for b in self.exchange.sides[side].target.bodies)
        out: dict[int, float] = defaultdict(float)
        for state, p in self.joint.items():
            out[total - sum(state[side])] += p
        return dict(sorted(out.items()))

    def mean_killed(self, side: int) -> float:
        return sum(n * p for n, p in self.killed(side).items())

    def destroyed(self, side: int) -> float:
        """The chance that nothing of a side is left."""
        return sum(p for state, p in self.joint.items() if not any(state[side]))

    @property
    def total(self) -> float:
        """The sum of all chances."""
        return sum(self.joint.values())

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """The policies by which the players decide, side by side."""
        out = []
        for side, attack in enumerate(_attacks(self.exchange)):
            out += [f"attacks on {self.exchange.sides[side].name}: {text}" for text in assumptions(attack)]
        return tuple(out)

    @cached_property
    def cites(self) -> Cites:
        """Every rule behind the tables, each once."""
        found = [cites(attack) for attack in _attacks(self.exchange)]
        if self.exchange.contest is not None:
            found.append(self.exchange.contest.cites)
        return tuple(dict.fromkeys(c for each in found for c in each))


def _attacks(exchange: Exchange) -> list[Attack]:
    """All volleys at each side, at full strength."""
    out = []
    for number, side in enumerate(exchange.sides):
        strikes = [s for step in exchange.steps for s in step if s.side != number]
        volleys = tuple(w.volley for s in strikes for w in s.weapons)
        out.append(Attack(volleys, side.target, side.procedure, side.choices))
    return out


def solve_exchange(exchange: Exchange) -> Aftermath:
    """The joint chances of both sides; `Unsolvable` for what is impossible or too large."""
    if any(strike.side not in (0, 1) for step in exchange.steps for strike in step):
        raise Unsolvable("an exchange has two sides, 0 and 1")
    start: Joint = (_whole(exchange.sides[0]), _whole(exchange.sides[1]))
    rounds = _Rounds(exchange)
    if exchange.contest is None:
        return Aftermath(exchange, rounds.fought(start), {})
    return _decided(exchange, exchange.contest, rounds, start)


def _whole(side: Side) -> Left:
    return tuple(b.wounds for b in side.target.bodies)


# ---------------------------------------------------------------------- one round


class _Rounds:
    """Fights rounds; what a strike does to a side is reckoned once for each strength and each state."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.known: dict[tuple[int, tuple[Volley, ...], Left], dict[Left, float]] = {}
        self.work = 0

    def fought(self, start: Joint) -> dict[Joint, float]:
        """Both sides after all steps of a round."""
        now = {start: 1.0}
        for step in self.exchange.steps:
            after: dict[Joint, float] = defaultdict(float)
            for state, p in now.items():
                first, second = (self._struck(side, step, state) for side in (0, 1))
                for a, q in first.items():
                    for b, r in second.items():
                        after[a, b] += p * q * r
            check_size("situations", len(after), MAX_STATES)
            now = after
        return dict(now)

    def _struck(self, side: int, step: tuple[Strike, ...], state: Joint) -> dict[Left, float]:
        """What a step's strikes leave of a side."""
        other = 1 - side
        bodies = self.exchange.sides[other].target.bodies
        left = {b.model: wounds for b, wounds in zip(bodies, state[other], strict=True)}
        volleys = tuple(
            volley
            for strike in step
            if strike.side == other
            for armed in strike.weapons
            if (volley := _of(armed, left)) is not None
        )
        if not volleys or not any(state[side]):
            return {state[side]: 1.0}
        key = side, volleys, state[side]
        if key not in self.known:
            check_size("strikes", len(self.known), MAX_STATES)
            attacks = sum(s.weapons * s.each.most for v in volleys for s in v.shots)
            self.work += OVERHEAD + attacks * sum(state[side])
            check_size("steps", self.work, MAX_STEPS)
            self.known[key] = self._solved(*key)
        return self.known[key]

    def _solved(self, side: int, volleys: tuple[Volley, ...], left: Left) -> dict[Left, float]:
        struck = self.exchange.sides[side]
        places = [i for i, x in enumerate(left) if x]
        bodies = tuple(msgspec.structs.replace(struck.target.bodies[i], wounds=left[i]) for i in places)
        target = msgspec.structs.replace(struck.target, bodies=bodies)
        found = solve(Attack(volleys, target, struck.procedure, struck.choices)).states
        out = {}
        for state, p in found.items():
            after = [0] * len(left)
            for i, x in zip(places, state, strict=True):
                after[i] = x
            if p > 0:
                out[tuple(after)] = p
        return out


def _of(armed: Armed, left: dict[int, int]) -> Volley | None:
    """The volley of those bearers who can strike, by the wounds that everybody has left."""
    least, most = armed.wounds
    bearers = sum(least <= left.get(m, 0) <= most for m in armed.bearers)
    if not bearers:
        return None
    shots = tuple(Shots(s.weapons * bearers, s.each) for s in armed.volley.shots)
    return msgspec.structs.replace(armed.volley, shots=shots)


# ---------------------------------------------------------------------- rounds until it is decided


def _decided(exchange: Exchange, contest: Contest, rounds: _Rounds, start: Joint) -> Aftermath:
    """Rounds until there is no tie. Bodies only ever fall, so states are done with in order of the wounds left."""
    waiting: dict[Joint, float] = {start: 1.0}
    joint: dict[Joint, float] = defaultdict(float)
    verdicts: dict[Verdict, float] = {"first": 0.0, "second": 0.0, "nobody": 0.0}
    done = 0
    while waiting:
        state = max(waiting, key=lambda s: (sum(s[0]) + sum(s[1]), s))
        fought = rounds.fought(state)
        # What ties without a loss comes back to this very state: 1 + r + r^2 + ... = 1 / (1 - r).
        again = fought.get(state, 0.0) * _verdict(exchange, contest, state)[1]
        mass = waiting.pop(state) / (1 - again)
        for after, p in fought.items():
            found, tie = _verdict(exchange, contest, after)
            for who, q in found.items():
                verdicts[who] += mass * p * q
            joint[after] += mass * p * (1 - tie)
            if tie and after != state:
                waiting[after] = waiting.get(after, 0.0) + mass * p * tie
        done += 1
        check_size("situations", done, MAX_STATES)
    return Aftermath(exchange, {s: p for s, p in joint.items() if p > 0}, verdicts)


def _verdict(exchange: Exchange, contest: Contest, state: Joint) -> tuple[dict[Verdict, float], float]:
    """The chance that each has won, and that of a tie."""
    stand = [sum(x > 0 for x in left) for left in state]
    if not all(stand):
        who: Verdict = "first" if stand[0] else "second" if stand[1] else "nobody"
        return {who: 1.0}, 0.0
    lead = _modifier(exchange, contest, stand, 0) - _modifier(exchange, contest, stand, 1)
    high = [((f / FACE) ** contest.dice) - ((f - 1) / FACE) ** contest.dice for f in range(1, FACE + 1)]
    won = sum(p * q for a, p in enumerate(high) for b, q in enumerate(high) if a + lead > b)
    tie = sum(p * q for a, p in enumerate(high) for b, q in enumerate(high) if a + lead == b)
    return {"first": won, "second": 1 - won - tie}, tie


def _modifier(exchange: Exchange, contest: Contest, stand: list[int], side: int) -> int:
    other = 1 - side
    kills = len(exchange.sides[other].target.bodies) - stand[other]
    more = contest.more * (stand[side] > stand[other]) + contest.twice * (stand[side] > 2 * stand[other])
    return contest.bonus[side] + contest.per_kill * kills + more
