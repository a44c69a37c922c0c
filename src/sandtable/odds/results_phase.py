"""The answers to questions about phases: a charge through Overwatch, a Morale phase, a psychic power."""

from __future__ import annotations

from sandtable.odds.answers import Answer, Row, percent


class Assault(Answer, frozen=True, kw_only=True):
    """A charge over a distance: Overwatch, the roll, both sides' blows, and who flees."""

    names: tuple[str, str]
    points: tuple[int, int]
    models: tuple[int, int]
    distance: float
    needed: int
    chance: float
    """Of the charge roll."""
    again: float
    """With a re-roll."""
    home: float
    """That anybody of those who charge reaches the enemy."""
    fired: tuple[float, float]
    """Mean models that each side loses before the charge is rolled for."""
    killed: tuple[tuple[float, ...], tuple[float, ...]]
    """For each side the chance to lose exactly 0, 1, 2... models, whether the charge is made or not..."""
    made: tuple[tuple[float, ...], tuple[float, ...]]
    """...and if it is."""
    lost: tuple[float, float]
    """Mean cost of what each side loses."""
    fled: tuple[float, float] | None
    """Mean models that flee in the end; None where nobody flees."""
    steps: tuple[str, ...]
    before: int
    """So many of the steps come before the roll."""

    def mean_killed(self, side: int, *, made: bool = False) -> float:
        """Models that a side loses on average."""
        return sum(n * p for n, p in enumerate((self.made if made else self.killed)[side]))

    @property
    def destroyed(self) -> tuple[float, float]:
        """The chance that nothing is left of each side, before anybody flees."""
        return self.killed[0][-1], self.killed[1][-1]

    @property
    def headline(self) -> str:
        a, b = self.names
        way = f'{percent(self.home)} to charge home over {self.distance:g}" ({self.needed}+)'
        fire = f", {self.fired[0]:.1f} of them before the charge" if self.fired[0] >= 0.05 else ""
        ours = self._loses("it" if self.models[0] == 1 else "they", 0)
        theirs = f"{self._loses(b, 1)} ({percent(self.destroyed[1])} destroyed)"
        fled = ""
        if self.fled is not None and max(self.fled) >= 0.05:
            fled = f"; then {self.fled[0]:.1f} of {a} and {self.fled[1]:.1f} of {b} flee"
        return f"{a}: {way}; on average {ours}{fire}, and {theirs}{fled}"

    def _loses(self, who: str, side: int) -> str:
        most = self.models[side]
        many = f"lose {self.mean_killed(side):.1f} of {most} models"
        return f"{who} {many if most > 1 else f'loses {self.mean_killed(side):.1f} models'}"

    def table(self) -> list[Row]:
        return [
            {"side": self.names[side], "models lost": n, "exactly": round(p, 12),
             "exactly if the charge is made": round(q, 12)}
            for side in (0, 1) for n, (p, q) in enumerate(zip(self.killed[side], self.made[side], strict=True))
        ]  # fmt: skip


class Morale(Answer, frozen=True, kw_only=True):
    """A Morale phase after losses."""

    unit: str
    models: int
    attackers: tuple[str, ...]
    slain: tuple[float, ...]
    """The chance that exactly 0, 1, 2... models were slain before..."""
    gone: tuple[float, ...]
    """...and that so many are gone after it."""
    firm: float
    """The chance that nobody flees."""

    @property
    def mean_slain(self) -> float:
        return sum(n * p for n, p in enumerate(self.slain))

    @property
    def mean_fled(self) -> float:
        return max(0.0, sum(n * p for n, p in enumerate(self.gone)) - self.mean_slain)

    @property
    def headline(self) -> str:
        after = " + ".join(self.attackers)
        slain = f"{self.mean_slain:.1f} slain by {after}" if after else f"{self.mean_slain:.0f} slain"
        end = f"{percent(self.gone[-1])} to lose all of it" if self.gone[-1] else f"never all {self.models}"
        return f"{self.unit}, {slain}: {percent(self.firm)} that nobody flees, {self.mean_fled:.1f} on average, {end}"

    def table(self) -> list[Row]:
        left = 1.0
        rows: list[Row] = []
        for n, (before, after) in enumerate(zip(self.slain, self.gone, strict=True)):
            rows.append({"models": n, "slain exactly": round(before, 12), "gone exactly": round(after, 12),
                         "chance of at least so many": round(max(0.0, left), 12)})  # fmt: skip
            left -= after
        return rows


class Psychic(Answer, frozen=True, kw_only=True):
    """A psychic power on a unit."""

    psyker: str
    target: str
    power: str
    needed: int
    manifested: float
    denied: float
    works: float
    """The chance that it is manifested and not denied."""
    perils: float
    dies: float
    """The chance that the psyker dies of Perils."""
    own_wounds: float
    dealt: tuple[tuple[str, float], ...]
    """The mortal wounds that it may deal, with the chance of each."""
    models: int
    wounds: int
    killed: tuple[float, ...]
    damage: tuple[float, ...]
    value: float

    @property
    def destroyed(self) -> float:
        return self.killed[-1]

    @property
    def mean_killed(self) -> float:
        return sum(n * p for n, p in enumerate(self.killed))

    @property
    def mean_damage(self) -> float:
        return sum(n * p for n, p in enumerate(self.damage))

    @property
    def headline(self) -> str:
        test = f"{percent(self.manifested)} to manifest {self.power} ({self.needed}+)"
        denied = f", {percent(self.works)} after a denial" if self.denied else ""
        does = f"{self.mean_damage:.1f} mortal wounds on {self.target}"
        killed = f", {self.mean_killed:.1f} of {self.models} models" if self.models > 1 else ""
        price = f"{percent(self.perils)} Perils"
        dies = f", {percent(self.dies)} to die of them" if self.dies else ""
        return f"{test}{denied}: {does}{killed}; {price}{dies}"

    def table(self) -> list[Row]:
        left = 1.0
        rows: list[Row] = []
        for n, p in enumerate(self.damage):
            rows.append({"wounds": n, "exactly": round(p, 12), "chance of at least so many": round(max(0.0, left), 12)})
            left -= p
        return rows
