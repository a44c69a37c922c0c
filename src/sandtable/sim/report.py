"""What many battles came to: win rates with their intervals, margins, and what each unit earned.

A win rate measures the computer player as much as the list. So every report carries its controls: each list against
itself, the same battles by another player, the interval, and both seats on the same seeds.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from sandtable import systems
from sandtable.sim.game import SEATS, Outcome
from sandtable.sim.share import Z95, Share


class UnitReport(msgspec.Struct, frozen=True):
    """A unit of a list, over all games."""

    name: str
    points: int
    earned: float
    """Points of enemy units that its attacks took, on average."""
    survived: float
    """The share of games in which it lived."""
    median_death: float
    """The round in which it died, median of those games where it did; 0 for never."""

    @property
    def returned(self) -> float:
        """Points earned for each point spent."""
        return self.earned / self.points if self.points else 0.0

    def to_json(self) -> dict[str, Any]:
        return {**msgspec.structs.asdict(self), "returned": self.returned}


class Matchup(msgspec.Struct, frozen=True):
    """What a number of battles between two lists came to."""

    names: tuple[str, str]
    system: str
    mission: str
    players: tuple[str, ...]
    """Who played: the first for the headline, the others as controls."""
    outcomes: tuple[Outcome, ...]
    """The first list has the first seat in every even game, and the second seat in the odd one after it."""
    mirrors: tuple[tuple[Outcome, ...], tuple[Outcome, ...]] = ((), ())
    others: tuple[tuple[str, tuple[Outcome, ...]], ...] = ()
    """The same battles by other players."""
    unenforced: tuple[tuple[int, int], ...] = ()
    """For each list: abilities that are not enforced, of how many."""

    @property
    def share(self) -> Share:
        """How often the first list won."""
        return share_of(self.outcomes, seat_of_first)

    @property
    def by_seat(self) -> dict[str, Share]:
        """How often the first list won from each seat."""
        return {
            "first seat": share_of([o for i, o in enumerate(self.outcomes) if seat_of_first(i) == 0], lambda _: 0),
            "second seat": share_of([o for i, o in enumerate(self.outcomes) if seat_of_first(i) == 1], lambda _: 1),
        }

    @property
    def by_first_turn(self) -> dict[str, Share]:
        """How often the first list won with the first turn, and without."""
        return self._split(lambda i, o: "first turn" if o.first == seat_of_first(i) else "second turn")

    @property
    def by_layout(self) -> dict[str, Share]:
        return self._split(lambda _, o: o.game.layout)

    @property
    def margins(self) -> list[int]:
        """By how many victory points the first list led at the end of each game."""
        return [o.margin if seat_of_first(i) == 0 else -o.margin for i, o in enumerate(self.outcomes) if not o.trouble]

    @property
    def seats(self) -> Share:
        """How often the first seat won, whichever list sat there: what the seat alone is worth."""
        return share_of(self.outcomes, lambda _: 0)

    @property
    def troubles(self) -> list[str]:
        """Battles without a result, and why."""
        return [f"seed {o.game.seed}: {o.trouble}" for o in self.outcomes if o.trouble]

    def mirror(self, side: int) -> Share:
        """How often the first seat won when a list played itself: one half, if all is fair."""
        return share_of(self.mirrors[side], lambda _: 0)

    @property
    def mirror_shares(self) -> dict[str, Share]:
        return {name: self.mirror(side) for side, name in enumerate(self.names) if self.mirrors[side]}

    @property
    def other_shares(self) -> dict[str, Share]:
        """How often the first list won when other players played both sides."""
        return {player: share_of(done, seat_of_first) for player, done in self.others}

    def units(self, side: int) -> list[UnitReport]:
        """The units of a list, those that earned most first."""
        rows: dict[str, list[Any]] = {}
        for i, outcome in enumerate(self.outcomes):
            sat = seat_of_first(i) if side == 0 else 1 - seat_of_first(i)
            for tale in outcome.units:
                if tale.seat == sat:
                    rows.setdefault(_plain(tale.name), []).append(tale)
        reports = [
            UnitReport(
                name,
                tales[0].points,
                statistics.fmean(t.earned for t in tales),
                statistics.fmean(t.died == 0 for t in tales),
                statistics.median([t.died for t in tales if t.died] or [0]),
            )
            for name, tales in rows.items()
        ]
        return sorted(reports, key=lambda r: (-r.earned, r.name))

    @property
    def headline(self) -> str:
        low, high = self.share.interval
        verdict = "no clear favourite"
        if low > 0.5:
            verdict = f"{self.names[0]} is the favourite"
        elif high < 0.5:
            verdict = f"{self.names[1]} is the favourite"
        return (
            f"{self.names[0]} wins {self.share.rate:.0%} of {self.share.games} battles against {self.names[1]} "
            f"({low:.0%} to {high:.0%}): {verdict}"
        )

    @property
    def assumptions(self) -> list[str]:
        """What the figures rest on."""
        lines = [
            f"{systems.get(self.system).name}, mission {self.mission}",
            f"played by {self.players[0]} on both sides; every seed on both seats; a draw counts half",
            "Wilson intervals of 95%",
            "an attached Leader's attacks count for the unit that it leads; mortal wounds outside attacks for nobody",
        ]
        if self.troubles:
            lines.append(f"{len(self.troubles)} of {len(self.outcomes)} battles ended in an error and are left out")
        for name, (missing, of) in zip(self.names, self.unenforced, strict=False):
            lines.append(f"{name}: {of - missing} of {of} abilities enforced")
        return lines

    def _split(self, key: Callable[[int, Outcome], str]) -> dict[str, Share]:
        found: dict[str, list[float]] = {}
        for i, outcome in enumerate(self.outcomes):
            if not outcome.trouble:
                found.setdefault(key(i, outcome), []).append(outcome.won_by(seat_of_first(i)))
        return {name: Share(sum(won), len(won)) for name, won in sorted(found.items())}

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        margins = self.margins
        return {
            "headline": self.headline,
            "lists": self.names,
            "players": self.players,
            "mission": self.mission,
            "share": self.share.to_json(),
            "by_seat": {k: v.to_json() for k, v in self.by_seat.items()},
            "by_first_turn": {k: v.to_json() for k, v in self.by_first_turn.items()},
            "by_layout": {k: v.to_json() for k, v in self.by_layout.items()},
            "margin": _spread(margins),
            "units": {name: [r.to_json() for r in self.units(side)] for side, name in enumerate(self.names)},
            "controls": {
                "first_seat_any_list": self.seats.to_json(),
                "mirror": {name: share.to_json() for name, share in self.mirror_shares.items()},
                "other_players": {name: share.to_json() for name, share in self.other_shares.items()},
            },
            "assumptions": self.assumptions,
            "troubles": self.troubles,
        }

    def to_csv(self) -> str:
        """One line for each battle of the headline."""
        lines = ["seed,layout,seat_of_first_list,first_turn,won,margin,rounds,decisions,trouble"]
        for i, o in enumerate(self.outcomes):
            seat = seat_of_first(i)
            margin = o.margin if seat == 0 else -o.margin
            trouble = o.trouble.replace('"', "'").replace("\n", " ")
            won = "" if o.trouble else f"{o.won_by(seat):g}"
            cells = [
                o.game.seed,
                o.game.layout,
                seat + 1,
                o.first + 1,
                won,
                margin,
                o.rounds,
                o.decisions,
                f'"{trouble}"',
            ]
            lines.append(",".join(map(str, cells)))
        return "\n".join(lines) + "\n"

    def _repr_svg_(self) -> str:
        from sandtable.sim.pictures import to_svg

        return to_svg(self)


class Paired(msgspec.Struct, frozen=True):
    """Two lists of one player against the same enemy, on the same seeds, seats and tables."""

    names: tuple[str, str]
    against: str
    first: Matchup
    second: Matchup

    @property
    def differences(self) -> list[float]:
        """Game by game: what the second list won more than the first."""
        return [
            two.won_by(seat_of_first(i)) - one.won_by(seat_of_first(i))
            for i, (one, two) in enumerate(zip(self.first.outcomes, self.second.outcomes, strict=True))
            if not one.trouble and not two.trouble
        ]

    @property
    def changed(self) -> dict[str, int]:
        """How many pairs went worse, the same or better with the second list."""
        found = self.differences
        return {
            "worse": sum(d < 0 for d in found),
            "same": sum(d == 0 for d in found),
            "better": sum(d > 0 for d in found),
        }

    @property
    def difference(self) -> float:
        found = self.differences
        return statistics.fmean(found) if found else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true difference lies, 19 times in 20; common seeds make it narrower than two win rates would."""
        found = self.differences
        if len(found) < 2:
            return -1.0, 1.0
        half = Z95 * statistics.stdev(found) / math.sqrt(len(found))
        return max(-1.0, self.difference - half), min(1.0, self.difference + half)

    @property
    def headline(self) -> str:
        low, high = self.interval
        verdict = "no clear difference"
        if low > 0:
            verdict = f"{self.names[1]} is better"
        elif high < 0:
            verdict = f"{self.names[0]} is better"
        return (
            f"{self.names[1]} instead of {self.names[0]} against {self.against}: {self.difference:+.0%} of games "
            f"({low:+.0%} to {high:+.0%} over {len(self.differences)} pairs): {verdict}"
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "headline": self.headline,
            "difference": self.difference,
            "interval": self.interval,
            "pairs": len(self.differences),
            "changed": self.changed,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
        }

    def to_csv(self) -> str:
        """The battles of both lists, one below the other."""
        first, *rows = self.first.to_csv().splitlines()
        second = self.second.to_csv().splitlines()[1:]
        named = [f"{self.names[0]},{row}" for row in rows] + [f"{self.names[1]},{row}" for row in second]
        return "\n".join([f"list,{first}", *named]) + "\n"

    def _repr_svg_(self) -> str:
        from sandtable.sim.pictures import to_svg

        return to_svg(self)


def seat_of_first(game: int) -> int:
    """The seat of the first list in a game."""
    return game % 2


def share_of(outcomes: Iterable[Outcome], seat: Callable[[int], int]) -> Share:
    won = [o.won_by(seat(i)) for i, o in enumerate(outcomes) if not o.trouble]
    return Share(sum(won), len(won))


def _spread(values: Sequence[int]) -> dict[str, float]:
    if not values:
        return {}
    ordered = sorted(values)
    low, high = (float(ordered[min(len(ordered) - 1, int(q * len(ordered)))]) for q in (0.1, 0.9))
    return {"mean": statistics.fmean(values), "p10": low, "median": statistics.median(values), "p90": high}


def _plain(name: str) -> str:
    """A unit's name without the seat that tells it from its namesake in a mirror match."""
    for seat in SEATS:
        name = name.removesuffix(f" ({seat})")
    return name
