"""Random battles with army lists, and a referee who watches them: over all lists, layouts and missions of the game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sandtable.armies import read_list
from sandtable.battle import GONE, TABLE, Battle
from sandtable.battle.events import AnyEvent, Changed, Joined, Moved, Placed, Told
from sandtable.kit.missions import Score
from sandtable.systems.w40k10.coherency import in_coherency
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.mission import missions, score_command, score_turn
from sandtable.systems.w40k10.readings import READINGS
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM, TURN
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies
from support.discipline import Findings, prove
from support.tour import Match, misplaced, play, tour
from w40k10.armies import pack

COMMAND = TURN.index(score_command)
END = TURN.index(score_turn)


@cache
def lists() -> dict[int, list[Path]]:
    """The lists of the pack by their points."""
    found: dict[int, list[Path]] = {}
    for path in sorted(pack().lists):
        found.setdefault(read_list(path).limit, []).append(path)
    return found


def matches(points: tuple[int, ...] = (1000, 2000)) -> Iterator[Match]:
    """Battles without end: lists, missions and layouts go round at different paces, so that all of them meet."""
    yield from tour(lists(), points, missions())


def start(match: Match) -> tuple[Any, Any]:
    """The set-up and state of a battle; one in five is played with all the other readings of the rules."""
    named = {path.stem: path for paths in lists().values() for path in paths}
    options = {r.name: r.values[1] for r in READINGS} if match.number % 5 == 4 else {}
    return build({"red": named[match.red], "blue": named[match.blue]}, match.mission, match.layout, options)


def referee(match: Match, every: int) -> Findings:
    """Play a battle under the eyes of a referee, with the proofs of the discipline; `every` thins out purity."""
    watch = Referee()
    found = prove(SYSTEM, lambda: start(match), match.number, invariant=watch.look, every=every)
    if watch.turns == 0:
        found.fault("invariant", "no turn was played")
    return found


def watch(match: Match) -> Findings:
    """Play a battle under the eyes of a referee, without the proofs of the discipline."""
    return play(SYSTEM, start(match), match.number, Referee().look)


class Referee:
    """Follows the events of one battle with books of its own."""

    def __init__(self) -> None:
        self.seen = 0
        self.turns = 0
        self.version = -1
        self.due = ""
        self.faults: list[str] = []

    def look(self, b: Battle[Any, Any, Any, Any]) -> str | None:
        """What is wrong at a question, if anything."""
        if not self.seen:
            self.begin(b)
        for event in b.events[self.seen :]:
            self.follow(b, event)
        self.seen = len(b.events)
        if not b.decisions:
            self.settle(b)
        self.compare(b)
        wrong = [*self.faults, *self.numbers(b), *self.places(b)]
        self.faults = []
        return "; ".join(wrong) or None

    # --- What must be true at every question --------------------------------------------------------------------------

    def numbers(self, b: Battle10) -> Iterator[str]:
        """Points and wounds are never negative."""
        for p in b.state.players:
            if p.cp < 0 or p.vp < 0:
                yield f"{p.name} has {p.cp} CP and {p.vp} VP"
        models = b.state.models
        if (models.wounds < 0).any():
            yield f"model {int(np.flatnonzero(models.wounds < 0)[0])} has less than no wounds"

    def places(self, b: Battle10) -> Iterator[str]:
        """Nobody is off the table, and no two bases overlap on one level."""
        if b.state.version == self.version:
            return
        self.version = b.state.version
        yield from misplaced(b)

    # --- The books ----------------------------------------------------------------------------------------------------

    def begin(self, b: Battle10) -> None:
        """The books at the start, before any event."""
        models, data = b.state.models, b.setup.data
        self.pos, self.facing, self.place = models.pos.copy(), models.facing.copy(), models.place.copy()
        self.unit = models.unit.copy()
        self.control: list[int] = [-1] * 20
        self.segment, self.round, self.active, self.attacker = "setup", 0, 0, 0
        self.vp = [0] * len(b.state.players)
        self.by_way = [[0] * len(data.mission.scoring) for _ in b.state.players]  # type: ignore[union-attr]
        self.credited: list[set[int]] = [set() for _ in b.state.players]
        firsts = np.cumsum([0, *(e.models for e in data.roster)])
        self.roster = [range(int(firsts[i]), int(firsts[i + 1])) for i in range(len(data.roster))]
        self.owner = [b.unit(i).player for i in range(len(data.roster))]
        self.markers: tuple[tuple[int, int, int], ...] = data.objectives

    def follow(self, b: Battle10, event: AnyEvent) -> None:
        """Write an event into the books; the points of a moment are worked out before anything else happens in it."""
        if self.due and not _settles_control(event):
            self.settle(b)
        match event:
            case Moved(models, pos, facing):
                rows = list(models)
                self.pos[rows], self.facing[rows] = pos, facing
            case Placed(models, place):
                self.place[list(models)] = place
            case Joined(models, unit):
                self.unit[list(models)] = unit
            case Told("control", data={"marker": marker, "player": player}):
                self.control[marker] = player
            case Told("carried_off", data={"marker": marker}):
                self.control[marker] = -1
            case Changed("game", fields=fields):
                self.attacker = fields.get("attacker", self.attacker)
                self.markers = fields.get("markers", self.markers)
            case Changed("clock", fields=fields):
                self.clock(b, fields)

    def clock(self, b: Battle10, fields: dict[str, Any]) -> None:
        """Rounds, turns and steps go by."""
        self.round, self.active = fields.get("round", self.round), fields.get("active", self.active)
        self.segment = fields.get("segment", self.segment)
        if self.segment != "turn":
            return
        if fields.get("step") == COMMAND:
            self.due = "command"
        if fields.get("step") == END:
            self.turns += 1
            self.due = "turn"
            self.coherency(b)

    def coherency(self, b: Battle10) -> None:
        """At the end of a turn every unit is in coherency."""
        bodies = Bodies(self.pos, self.facing, b.ground.shape)
        for u in b.units():
            models = np.flatnonzero((self.unit == u.id) & (self.place == TABLE))
            if len(models) > 1 and not in_coherency(b, bodies, models):
                self.faults.append(f"{u.name} is out of coherency at the end of a turn")

    # --- The score ----------------------------------------------------------------------------------------------------

    def settle(self, b: Battle10) -> None:
        """Add what the mission gives for this moment."""
        when, self.due = self.due, ""
        if not when:
            return
        player = self.active
        for i, way in enumerate(b.setup.data.mission.scoring):  # type: ignore[union-attr]
            if way.when != when or not way.from_round <= self.round <= way.to_round:
                continue
            worth = way.vp + way.grows * (self.round - way.from_round)
            room = way.most_in_battle - self.by_way[player][i]
            gain = max(0, min(worth * self.count(b, player, way), way.most, room))
            self.by_way[player][i] += gain
            self.vp[player] += gain
        if when == "turn":
            self.credited[player] |= self.fallen_enemies(player)
            # A unit that came back may fall, and be scored, again.
            self.credited = [seen & self.fallen_enemies(p) for p, seen in enumerate(self.credited)]

    def compare(self, b: Battle10) -> None:
        """The battle's points and ours."""
        if self.due:
            return
        for p in b.state.players:
            if p.vp != self.vp[p.id]:
                mission = b.setup.data.mission
                assert mission is not None
                self.faults.append(f"{mission.id}: {p.name} has {p.vp} VP instead of {self.vp[p.id]}")
                self.vp[p.id] = p.vp

    def count(self, b: Battle10, player: int, way: Score) -> int:
        """How many of what is scored a player has."""
        others = [p.id for p in b.state.players if p.id != player]
        match way.kind:
            case "hold":
                return self.held(b, player, way)
            case "hold more":
                return int(self.held(b, player, way) > max(self.held(b, p, way) for p in others))
            case "hold some":
                return int(self.held(b, player, way) >= way.count)
            case "destroy":
                return len(self.fallen_enemies(player) - self.credited[player])
            case "destroy warlord":
                lords = [e.warlord for i, e in enumerate(b.setup.data.roster) if self.owner[i] != player]
                return int(any(m >= 0 and self.place[m] == GONE for m in lords))
            case "break through":
                return sum(self.is_through(b, u.id, player) for u in b.units() if u.player == player)

    def fallen_enemies(self, player: int) -> set[int]:
        """The enemy entries of the rosters of which nothing is left."""
        return {
            i
            for i, models in enumerate(self.roster)
            if self.owner[i] != player and all(self.place[m] == GONE for m in models)
        }

    def held(self, b: Battle10, player: int, way: Score) -> int:
        """The markers under a player's control, where the mission looks for them."""
        return sum(
            self.control[m] == player and self.lies(b, spot, player, way.where) for m, spot in enumerate(self.markers)
        )

    def lies(self, b: Battle10, spot: tuple[int, int, int], player: int, where: str) -> bool:
        """Whether a marker lies in the part of the battlefield that counts."""
        zones = b.setup.data.zones
        own, theirs = (zones[0], zones[1]) if player == self.attacker else (zones[1], zones[0])
        if where == "all":
            return True
        in_own, in_theirs = _winds(own, spot), _winds(theirs, spot)
        return {"own zone": in_own, "enemy zone": in_theirs, "no man's land": not in_own and not in_theirs}[where]

    def is_through(self, b: Battle10, unit: int, player: int) -> bool:
        """Whether all of a unit is inside the enemy deployment zone, which must be a rectangle."""
        zone = np.array(b.setup.data.zones[1 if player == self.attacker else 0])
        models = np.flatnonzero((self.unit == unit) & (self.place == TABLE))
        low, high = zone.min(axis=0), zone.max(axis=0)
        assert len(zone) == 4
        return len(models) > 0 and all(self.is_inside(b, int(m), low, high) for m in models)

    def is_inside(self, b: Battle10, model: int, low: Ints, high: Ints) -> bool:
        """Whether a base lies in a rectangle: its corners do, with room for its rounding."""
        shape = int(b.ground.shape[model])
        angle = self.facing[model] * 2 * np.pi / 4096
        core = b.shapes.core[shape][: int(b.shapes.corners[shape])]
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = self.pos[model, :2] + core @ turn.T
        radius = int(b.shapes.radius[shape])
        return bool((corners - radius >= low - 1).all() and (corners + radius <= high + 1).all())


def _settles_control(event: AnyEvent) -> bool:
    """Events with which the control of markers is settled, at the end of a turn before anything is scored."""
    if isinstance(event, Told):
        return event.kind == "control"
    return isinstance(event, Changed) and event.what == "game" and event.fields.keys() == {"control"}


def _winds(zone: tuple[tuple[int, int], ...], spot: tuple[int, int, int]) -> bool:
    """Whether an outline winds around a spot: the sum of the angles to its corners."""
    corners = np.array(zone, dtype=np.float64) - spot[:2]
    angles = np.arctan2(corners[:, 1], corners[:, 0])
    turned = np.diff(np.append(angles, angles[0]))
    turned = (turned + np.pi) % (2 * np.pi) - np.pi
    return bool(abs(turned.sum()) > np.pi)
