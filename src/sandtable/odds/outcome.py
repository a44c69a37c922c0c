"""What one unit's attacks do to another, and how two such answers differ."""

from __future__ import annotations

import msgspec

from sandtable.attack import series
from sandtable.attack.funnel import Stage
from sandtable.attack.volley import Attack, Target
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Backfire
from sandtable.odds.answers import Answer, Assumptions, Row, percent, signed
from sandtable.odds.names import words

MARKS = (0.5, 0.8, 0.95)
"""The chances that the at-least curve is read off at."""


class Fate(msgspec.Struct, frozen=True):
    """What becomes of one kind of model in the target."""

    name: str
    number: int
    lost: float
    """How many of them are destroyed on average."""
    gone: float
    """The chance that all of them are: for a single one, that it dies."""
    guarded: bool = False
    """Others fall before them."""


class Outcome(Answer, frozen=True, kw_only=True):
    """All attacks of one unit, or of several one after the other, on a target."""

    attacker: str
    target: str
    points: int
    """What the attackers cost."""
    target_points: int
    models: int
    wounds: int
    killed: tuple[float, ...]
    """The chance to destroy exactly 0, 1, 2... models."""
    damage: tuple[float, ...]
    """The chance that exactly 0, 1, 2... wounds are lost."""
    below_half: float
    """The chance that fewer than half of the models are left, or of the wounds of a single model."""
    value: float
    """Mean points destroyed."""
    potential: float | None
    """Mean damage on a target that never ends; what it is above the damage done is wasted."""
    stages: tuple[Stage, ...] = ()
    """The funnel from attacks to models."""
    fates: tuple[Fate, ...] = ()
    """Where the target has several kinds of models, what becomes of each."""
    who: str = ""
    """The kind of model that was asked about."""
    order: tuple[str, ...] = ()
    """The weapons in the order in which they are used."""
    backfires: tuple[Backfire, ...] = ()
    """What the attackers' own weapons cost them."""
    strength: int = 0
    """Models that the target had at first."""
    attacks: tuple[Attack, ...] = ()

    @property
    def destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return self.killed[-1]

    @property
    def mean_killed(self) -> float:
        return sum(n * p for n, p in enumerate(self.killed))

    @property
    def mean_damage(self) -> float:
        return sum(n * p for n, p in enumerate(self.damage))

    @property
    def wasted(self) -> float | None:
        """Mean damage that went beyond what models had left."""
        return None if self.potential is None else max(0.0, self.potential - self.mean_damage)

    @property
    def returned(self) -> float:
        """Points destroyed for each point of the attackers."""
        return self.value / self.points if self.points else 0.0

    def at_least(self, models: int) -> float:
        """The chance to destroy so many models or more."""
        return min(1.0, sum(self.killed[max(0, models) :]))

    @property
    def counts_wounds(self) -> bool:
        """Whether wounds tell more than models, as with a single model."""
        return self.models == 1

    @property
    def bars(self) -> tuple[float, ...]:
        """The exact chances that are worth showing: of models, or of wounds for a single model."""
        return self.damage if self.counts_wounds else self.killed

    def mark(self, share: float) -> int:
        """The most models (wounds of a single model) that are reached with at least this chance."""
        left = 1.0
        best = 0
        for n, p in enumerate(self.bars):
            if left >= share - 1e-12:
                best = n
            left -= p
        return best

    def about(self, who: str) -> Outcome:
        """The same answer, told of one kind of model in the target: a Leader, say."""
        names = {words(fate.name): fate.name for fate in self.fates}
        close = [name for known, name in names.items() if set(words(who)) <= set(known)]
        if words(who) in names:
            close = [names[words(who)]]
        if len(close) != 1:
            there = ", ".join(close or names.values()) or self.target
            raise UserError(f"Who is meant by '{who[:60]}' in {self.target}? There: {there}.")
        return msgspec.structs.replace(self, who=close[0])

    @property
    def fate(self) -> Fate | None:
        """What becomes of the kind of model that was asked about."""
        return next((fate for fate in self.fates if fate.name == self.who), None)

    @property
    def headline(self) -> str:
        if (fate := self.fate) is not None:
            whom = fate.name if fate.number == 1 else f"all {fate.number} {fate.name}"
            everybody = f"{percent(self.destroyed)} to destroy the whole unit"
            return f"{percent(fate.gone)} to kill {whom} in {self.target}; {everybody}"
        if self.counts_wounds:
            loss = f"{self.mean_damage:.1f} of {self.wounds} wounds"
        else:
            loss = f"{self.mean_killed:.1f} of {self.models} models"
        worth = f", {self.returned:.2f} {self.assumptions.returned}" if self.points and self.target_points else ""
        return f"{percent(self.destroyed)} to destroy {self.target}: {loss}{worth}"

    def table(self) -> list[Row]:
        kind = "wounds" if self.counts_wounds else "models"
        left, rows = 1.0, list[Row]()
        for n, p in enumerate(self.bars):
            # What is left of 1 is never less than what is still to come, however little that is.
            rows.append({kind: n, "exactly": round(p, 15), "at least": max(round(left, 12), round(p, 15))})
            left -= p
        return rows

    def data(self) -> dict[str, object]:
        more = {"destroyed": self.destroyed, "mean_killed": self.mean_killed, "mean_damage": self.mean_damage,
                "wasted": self.wasted, "returned": self.returned,
                "marks": {f"{100 * share:.0f}": self.mark(share) for share in MARKS}}  # fmt: skip
        return super().data() | more

    def compare(self, other: Outcome, name: str = "", other_name: str = "") -> Difference:
        """This answer against another one: what changes from this to that."""
        return Difference(
            assumptions=_both(self.assumptions, other.assumptions),
            first=self,
            second=other,
            first_name=name or self.attacker,
            second_name=other_name or other.attacker,
        )

    def combine(self, *others: Outcome) -> Outcome:
        """All of it on the same target, one unit after the other; what one leaves is what the next one meets."""
        everyone = (self, *others)
        if any(o.target != self.target for o in others):
            raise UserError("Only attacks on the same target can be combined.")
        if any(not o.attacks for o in everyone):
            raise UserError("What is combined needs its attacks; answers read from a file have none.")
        attacks = tuple(a for o in everyone for a in o.attacks)
        states = series.series(attacks)[-1]
        target = self.attacks[0].target
        return Outcome(
            assumptions=_both(*(o.assumptions for o in everyone)),
            attacker=", then ".join(o.attacker for o in everyone),
            target=self.target,
            points=sum(o.points for o in everyone),
            target_points=self.target_points,
            models=self.models,
            wounds=self.wounds,
            killed=tuple(series.killed(states).tolist()),
            damage=tuple(series.damage(states, target).tolist()),
            below_half=half_gone(states, target, self.strength),
            value=series.value(states, target),
            potential=None,
            fates=fates_of(states, target),
            backfires=tuple(lost for o in everyone for lost in o.backfires),
            strength=self.strength,
            attacks=attacks,
        )


def fates_of(states: series.States, target: Target) -> tuple[Fate, ...]:
    """What becomes of each kind of model, where there are several."""
    kinds: dict[str, list[int]] = {}
    for i, body in enumerate(target.bodies):
        kinds.setdefault(body.group, []).append(i)
    if len(kinds) < 2:
        return ()
    return tuple(
        Fate(
            name,
            len(places),
            sum(p * sum(not left[i] for i in places) for left, p in states.items()),
            sum(p for left, p in states.items() if not any(left[i] for i in places)),
            target.bodies[places[0]].rank > min(body.rank for body in target.bodies),
        )
        for name, places in kinds.items()
    )


def half_gone(states: series.States, target: Target, strength: int) -> float:
    """The chance that fewer than half of the models are left, or of the wounds of a unit that is a single model."""
    size, full = max(strength, len(target.bodies)), target.bodies[0].full

    def half(left: tuple[int, ...]) -> bool:
        return 2 * sum(x > 0 for x in left) < size if size > 1 else 2 * left[0] < full

    return sum(p for left, p in states.items() if half(left))


def _both(*all_: Assumptions) -> Assumptions:
    first = all_[0]

    def joined(name: str) -> tuple[object, ...]:
        return tuple(dict.fromkeys(item for each in all_ for item in getattr(each, name)))

    names = ("units", "circumstances", "policies", "rules", "left_out", "notes")
    return msgspec.structs.replace(first, **{name: joined(name) for name in names})


def _short(number: float) -> float:
    return round(number, 12)


class Difference(Answer, frozen=True, kw_only=True):
    """Two answers side by side."""

    first: Outcome
    second: Outcome
    first_name: str
    second_name: str

    @property
    def headline(self) -> str:
        a, b = self.first, self.second
        chance = f"{percent(a.destroyed)} → {percent(b.destroyed)} to destroy"
        if max(a.destroyed, b.destroyed) < 0.005:
            chance = f"{a.mean_damage:.1f} → {b.mean_damage:.1f} wounds"
        cost = b.points - a.points
        word = self.assumptions.cost
        price = f", for {cost} more {word}" if cost > 0 else f", {-cost} {word} cheaper" if cost else ""
        models = f"{signed(b.mean_killed - a.mean_killed)} models"
        per_point = f"; {a.returned:.2f} → {b.returned:.2f} {self.assumptions.returned}"
        return f"{self.second_name} against {self.first_name}: {chance}, {models}{price}{per_point}"

    def table(self) -> list[Row]:
        a, b = self.first, self.second
        rows: list[tuple[str, float, float]] = [
            ("chance to destroy", a.destroyed, b.destroyed),
            ("chance to take below half", a.below_half, b.below_half),
            ("models killed", a.mean_killed, b.mean_killed),
            ("wounds lost", a.mean_damage, b.mean_damage),
            (f"{self.assumptions.cost} destroyed", a.value, b.value),
            (self.assumptions.cost, a.points, b.points),
            (self.assumptions.returned, a.returned, b.returned),
        ]
        return [
            {"what": what, self.first_name: _short(x), self.second_name: _short(y), "difference": _short(y - x)}
            for what, x, y in rows
        ]

    def data(self) -> dict[str, object]:
        found = super().data()
        found["first"], found["second"] = self.first.data(), self.second.data()
        return found
