"""The answers to the other questions, each with what it found."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.odds.answers import Answer, Row, counted, percent
from sandtable.odds.outcome import Outcome

SAME = 1e-9
"""What differs by less is the same."""


class Needed(Answer, frozen=True, kw_only=True):
    """How many units it takes."""

    attacker: str
    target: str
    points: int
    """Of one unit."""
    wanted: float
    chances: tuple[float, ...]
    """The chance to destroy the target with 1, 2, 3... units."""

    @property
    def number(self) -> int | None:
        """The fewest units that reach the chance; None when even the most that were tried do not."""
        return next((n for n, p in enumerate(self.chances, 1) if p >= self.wanted - 1e-12), None)

    @property
    def headline(self) -> str:
        goal = f"for {percent(self.wanted)} to destroy {self.target}"
        if self.number is None:
            most = len(self.chances)
            return f"Even {most} x {self.attacker} would not do {goal}: {percent(self.chances[-1])}"
        cost = f" ({self.number * self.points} {self.assumptions.cost})" if self.points else ""
        return f"{self.number} x {self.attacker}{cost} {goal}: {percent(self.chances[self.number - 1])}"

    def table(self) -> list[Row]:
        return [
            {"units": n, self.assumptions.cost: n * self.points, "chance to destroy": round(p, 15)}
            for n, p in enumerate(self.chances, 1)
        ]

    def data(self) -> dict[str, Any]:
        return super().data() | {"number": self.number}


class Choice(Answer, frozen=True, kw_only=True):
    """One unit, several targets: which to take."""

    attacker: str
    outcomes: tuple[Outcome, ...]

    @property
    def by_points(self) -> Outcome:
        """The target that loses most points."""
        return max(self.outcomes, key=lambda o: o.value)

    @property
    def by_chance(self) -> Outcome:
        """The target that is most likely destroyed."""
        return max(self.outcomes, key=lambda o: o.destroyed)

    @property
    def headline(self) -> str:
        rich, sure = self.by_points, self.by_chance
        words = self.assumptions
        first = f"Most {words.cost} from {rich.target}: {words.told(rich.value)} ({rich.returned:.2f} per {words.one})"
        if sure is rich or sure.destroyed < 0.005:
            return f"{first}, {percent(rich.destroyed)} to destroy it"
        return f"{first}; surest kill {sure.target}: {percent(sure.destroyed)}"

    def table(self) -> list[Row]:
        return [
            {
                "target": o.target, "chance to destroy": round(o.destroyed, 9),
                "models killed": round(o.mean_killed, 9), "wounds lost": round(o.mean_damage, 9),
                f"{self.assumptions.cost} destroyed": round(o.value, 9),
                self.assumptions.returned: round(o.returned, 9),
                "damage wasted": None if o.wasted is None else round(o.wasted, 9),
            }
            for o in self.outcomes
        ]  # fmt: skip

    def data(self) -> dict[str, Any]:
        return super().data() | {"outcomes": [o.data() for o in self.outcomes]}


class Grid(Answer, frozen=True, kw_only=True):
    """Attackers against targets."""

    title: str
    attackers: tuple[str, ...]
    points: tuple[int, ...]
    targets: tuple[str, ...]
    destroyed: tuple[tuple[float, ...], ...]
    """[attacker, target]: the chance to destroy."""
    returned: tuple[tuple[float, ...], ...]
    """[attacker, target]: points destroyed for each point of the attacker."""

    @property
    def means(self) -> tuple[float, ...]:
        """Points returned per point, over all targets alike."""
        return tuple(sum(row) / len(row) if row else 0.0 for row in self.returned)

    @property
    def best(self) -> int:
        """The attacker that returns most over all targets."""
        return max(range(len(self.attackers)), key=lambda i: (self.means[i], -i))

    @property
    def headline(self) -> str:
        top = self.best
        parts = [f"{self.attackers[top]} returns most: {self.means[top]:.2f} {self._per} over the field"]
        for t, name in enumerate(self.targets):
            row = max(range(len(self.attackers)), key=lambda i: self.returned[i][t])
            if row != top and self.returned[row][t] > 1.25 * self.returned[top][t] > 0:
                parts.append(f"against {name} take {self.attackers[row]}")
                break
        return "; ".join(parts)

    @property
    def _per(self) -> str:
        return f"{self.assumptions.cost} per {self.assumptions.one}"

    def table(self) -> list[Row]:
        return [
            {"attacker": a, self.assumptions.cost: self.points[i], "target": t,
             "chance to destroy": round(self.destroyed[i][j], 9),
             self.assumptions.returned: round(self.returned[i][j], 9)}
            for i, a in enumerate(self.attackers) for j, t in enumerate(self.targets)
        ]  # fmt: skip

    def data(self) -> dict[str, Any]:
        return super().data() | {"means": list(self.means)}


class Lists(Answer, frozen=True, kw_only=True):
    """Two army lists, both ways."""

    mine: str
    theirs: str
    there: Grid
    """My units on theirs."""
    back: Grid
    """Their units on mine."""

    def hard(self, grid: Grid, limit: float = 0.15) -> list[str]:
        """Units of the other list that no single unit destroys with this chance."""
        return [t for j, t in enumerate(grid.targets) if max(row[j] for row in grid.destroyed) < limit]

    def killers(self, grid: Grid) -> list[str]:
        """The units that return most, best first."""
        order = sorted(range(len(grid.attackers)), key=lambda i: (-grid.means[i], i))
        return [grid.attackers[i] for i in order]

    @property
    def headline(self) -> str:
        hard = self.hard(self.there)
        does = f"cannot kill {_few(hard)} with one unit" if hard else "has something for every unit"
        return f"{self.mine} {does}; beware of {self.killers(self.back)[0]}"

    def table(self) -> list[Row]:
        return [
            {"direction": way, **row}
            for way, grid in (("there", self.there), ("back", self.back))
            for row in grid.table()
        ]

    def data(self) -> dict[str, Any]:
        more = {"cannot_kill": self.hard(self.there), "cannot_be_killed": self.hard(self.back),
                "dangerous": self.killers(self.back)[:3],
                "there": self.there.data(), "back": self.back.data()}  # fmt: skip
        return super().data() | more


def _few(names: list[str]) -> str:
    shown = names[:3]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(shown) + more


class Use(msgspec.Struct, frozen=True):
    """One way to spend a command point."""

    name: str
    rules: tuple[str, ...]
    before: float
    after: float
    by_target: bool = False
    price: int = 1

    @property
    def gain(self) -> float:
        """What the one who pays gains by it for each point."""
        return (self.before - self.after if self.by_target else self.after - self.before) / self.price


class CommandPoint(Answer, frozen=True, kw_only=True):
    """What a command point is worth in one attack."""

    attacker: str
    target: str
    aim: str
    uses: tuple[Use, ...]
    spent: str = "command point"

    def best(self, *, by_target: bool) -> Use | None:
        """The use that gains most for a side."""
        mine = [use for use in self.uses if use.by_target == by_target]
        return max(mine, key=lambda use: use.gain, default=None)

    @property
    def headline(self) -> str:
        use = self.best(by_target=False)
        against = self.best(by_target=True)
        parts = []
        if use is not None and use.gain > 1e-4:
            parts.append(f"Best spent on {use.name}: {self._change(use)} {self.unit}")
        if against is not None and against.gain > 1e-4:
            parts.append(f"the other side's best answer is {against.name}: {self._change(against, 'down to')}")
        return "; ".join(parts) or f"No {self.spent} changes this; ask for another aim, such as damage"

    @property
    def unit(self) -> str:
        destroyed = f"{self.assumptions.cost} destroyed"
        words = {"destroy": "to destroy", "kills": "models killed", "damage": "wounds", "points": destroyed}
        return words[self.aim]

    def _change(self, use: Use, to: str = "to") -> str:
        """From what to what; with more digits where it would not show otherwise."""
        fine = self.told(use.before) == self.told(use.after)
        return f"{self.told(use.before, fine=fine)} {to} {self.told(use.after, fine=fine)}"

    def told(self, value: float, *, fine: bool = False) -> str:
        """A value of the aim in words."""
        if self.aim == "destroy":
            return f"{100 * value:.2f} %" if fine else percent(value)
        return f"{value:.2f}"

    def table(self) -> list[Row]:
        return [
            {"use": use.name, "by": "target" if use.by_target else "attacker", f"{self.spent}s": use.price,
             "before": round(use.before, 9), "after": round(use.after, 9), "gain": round(use.gain, 9),
             "rules": " ".join(use.rules)}
            for use in self.uses
        ]  # fmt: skip


class Exchange(Answer, frozen=True, kw_only=True):
    """One strikes, the other strikes back with what is left."""

    names: tuple[str, str]
    points: tuple[int, int]
    models: tuple[int, int]
    killed: tuple[tuple[float, ...], tuple[float, ...]]
    """For each side the chance to lose exactly 0, 1, 2... models."""
    destroyed: tuple[float, float]
    lost: tuple[float, float]
    """Mean points that each side loses."""
    steps: tuple[str, ...]

    def mean_killed(self, side: int) -> float:
        """Models that a side loses on average."""
        return sum(n * p for n, p in enumerate(self.killed[side]))

    @property
    def headline(self) -> str:
        a, b = self.names
        ahead = self.lost[1] - self.lost[0]
        lead = self.assumptions.told(abs(ahead))
        verdict = f"{lead} {self.assumptions.cost} ahead for {a if ahead > 0 else b}" if float(lead) else "even"
        losses = [f"{self.mean_killed(k):.1f} of {self.models[k]} lost" for k in (0, 1)]
        return f"{a}: {losses[0]}; {b}: {losses[1]} ({percent(self.destroyed[1])} destroyed); {verdict}"

    def table(self) -> list[Row]:
        return [
            {"side": self.names[side], "models lost": n, "exactly": round(p, 12)}
            for side in (0, 1) for n, p in enumerate(self.killed[side])
        ]  # fmt: skip


class Share(msgspec.Struct, frozen=True):
    """So many weapons at one target."""

    weapon: str
    target: str
    count: int


class SplitFire(Answer, frozen=True, kw_only=True):
    """The best split of a unit's weapons over targets, and the best order of its volleys."""

    attacker: str
    aim: str
    targets: tuple[str, ...]
    shares: tuple[Share, ...]
    worth: float
    by_target: tuple[float, ...]
    alone: tuple[float, ...]
    """What everything at one target would be worth, for each of them."""
    order: tuple[str, ...] = ()
    """For a single target the weapons in the best order."""
    worst_order: float | None = None
    proven: bool = True

    @property
    def headline(self) -> str:
        if len(self.targets) == 1:
            worst = self.worth if self.worst_order is None else self.worst_order
            if self.worth - worst < SAME:
                return f"The order of the weapons makes no difference to {self.attacker}: {self.told(self.worth)}"
            against = percent(worst) if self.aim == "destroy" else f"{worst:.2f}"
            return f"Best order {', then '.join(self.order)}: {self.told(self.worth)}, against {against} in the worst"
        plan = "; ".join(
            f"{', '.join(f'{s.count} {s.weapon}' for s in self.shares if s.target == t)} at {t}"
            for t in self.targets
            if any(s.target == t for s in self.shares)
        )
        return f"{plan}: {self.told(self.worth)}, against {self.told(max(self.alone))} all at one"

    def told(self, value: float) -> str:
        """A value of the aim in words."""
        worth = self.assumptions.cost
        words = {"destroy": "targets destroyed", "kills": "models", "damage": "wounds", "points": worth}
        if self.aim == "destroy" and len(self.targets) == 1:
            return f"{percent(value)} to destroy"
        return f"{value:.2f} {words[self.aim]}"

    def table(self) -> list[Row]:
        return [{"weapon": s.weapon, "target": s.target, "count": s.count} for s in self.shares]


class Sweep(Answer, frozen=True, kw_only=True):
    """One number is changed step by step: where does it matter?"""

    attacker: str
    target: str
    what: str
    values: tuple[int, ...]
    now: int | None
    destroyed: tuple[float, ...]
    killed: tuple[float, ...]
    damage: tuple[float, ...]

    @property
    def breaks(self) -> tuple[int, ...]:
        """The values at which the damage jumps: more than a twentieth above or below the one before."""
        found = []
        for i in range(1, len(self.values)):
            low, high = sorted((self.damage[i - 1], self.damage[i]))
            if high - low > 0.05 * max(high, 1e-9) and high > 1e-6:
                found.append(self.values[i])
        return tuple(found)

    @property
    def flat(self) -> tuple[int, ...]:
        """The values that change nothing against the one before."""
        return tuple(v for i, v in enumerate(self.values) if i and abs(self.damage[i] - self.damage[i - 1]) < 1e-9)

    @property
    def headline(self) -> str:
        if self.what == "models":
            ends = f"{self.damage[0]:.1f} to {self.damage[-1]:.1f} wounds"
            chances = f"{percent(self.destroyed[0])} to {percent(self.destroyed[-1])} to destroy"
            return f"From {self.values[0]} to {self.values[-1]} models: {ends}, {chances}"
        if not self.breaks:
            return f"{self.what} of {self.values[0]} to {self.values[-1]} changes next to nothing"
        biggest = max(range(1, len(self.values)), key=lambda i: abs(self.damage[i] - self.damage[i - 1]))
        step = f"{self.damage[biggest - 1]:.1f} to {self.damage[biggest]:.1f} wounds"
        here = f"; now {self.now}" if self.now is not None else ""
        points = ", ".join(map(str, self.breaks))
        return f"{self.what} breaks at {points}; the biggest step is at {self.values[biggest]} ({step}){here}"

    def table(self) -> list[Row]:
        return [
            {self.what: v, "chance to destroy": round(self.destroyed[i], 12), "models killed": round(self.killed[i], 9),
             "wounds lost": round(self.damage[i], 9), "break": v in self.breaks}
            for i, v in enumerate(self.values)
        ]  # fmt: skip

    def data(self) -> dict[str, Any]:
        return super().data() | {"breaks": list(self.breaks), "flat": list(self.flat)}


class Survival(Answer, frozen=True, kw_only=True):
    """How long a unit lives under fire."""

    unit: str
    models: int
    attackers: tuple[str, ...]
    """Who attacks, in order."""
    alive: tuple[float, ...]
    """The chance that something is left after each attack."""
    left: tuple[float, ...]
    """Models left on average after each attack."""
    wounds: int
    wounds_left: tuple[float, ...]
    """Wounds left on average after each attack."""

    def rest(self, place: int, *, brief: bool = False) -> str:
        """What is left on average after an attack: models, or the wounds of a single one."""
        left, of, what = (
            (self.wounds_left[place], self.wounds, "wounds")
            if self.models == 1
            else (self.left[place], self.models, "models")
        )
        return f"{left:.1f} of {of} left" if brief else f"{left:.1f} of {of} {what} left"

    @property
    def half_life(self) -> int | None:
        """After so many attacks it is more likely gone than not."""
        return next((n for n, p in enumerate(self.alive, 1) if p < 0.5), None)

    @property
    def headline(self) -> str:
        end = f"{percent(self.alive[-1])} to outlive all {len(self.alive)}"
        if len(self.alive) == 1:
            return f"{self.unit}: {percent(self.alive[0])} to survive {self.attackers[0]}, {self.rest(0)}"
        same = len(set(self.attackers)) == 1
        what = f"attacks of {self.attackers[0]}" if same else "attackers"
        if self.half_life is None:
            return f"{self.unit}: {end} {what}, {self.rest(-1)}"
        lasts = counted(self.half_life, "attack")
        return f"{self.unit}: more likely gone than not after {lasts}, {end} {what}"

    def table(self) -> list[Row]:
        return [
            {"attack": n, "by": self.attackers[n - 1], "chance to survive": round(p, 12),
             "models left": round(self.left[n - 1], 9), "wounds left": round(self.wounds_left[n - 1], 9)}
            for n, p in enumerate(self.alive, 1)
        ]  # fmt: skip
