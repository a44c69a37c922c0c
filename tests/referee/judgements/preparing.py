"""Before the battle: markers that players place, Leaders, Reserves and their points."""

from __future__ import annotations

import math

from referee.judgements.ground import Ground
from referee.watch import Item


class Preparing(Ground):
    """What is settled before the first turn."""

    def begin(self) -> None:
        super().begin()
        self.placed: list[int] = []

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "place_marker":
            self.placed.append(item["player"])

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "game" and "markers" in item["fields"]:
            self._marker()
        elif item["event"] == "told" and item["kind"] == "attached":
            self._attached(*item["units"])
        elif item["event"] == "told" and item["kind"] == "reserves":
            self._reserves(item["units"][0])
        elif item["event"] == "told" and item["kind"] == "round" and item["data"]["round"] == 1:
            self._ready()

    def _marker(self) -> None:
        book, slack = self.book, self.book.slack
        spots = book.markers
        x, y, _ = spots[-1]
        self.looked("markers placed")
        edge = min(x, y, self.table.terrain.width - x, self.table.terrain.depth - y) - book.marker_radius
        if edge <= book.marker_from_edge - slack:
            self.accuse("w40k10.onlywar.markers", f'Marker {len(spots)} lies {edge:.2f}" from an edge.')
        for n, (ox, oy, _) in enumerate(spots[:-1]):
            gap = math.hypot(x - ox, y - oy) - 2 * book.marker_radius
            if gap <= book.marker_from_marker - slack:
                self.accuse("w40k10.onlywar.markers", f'Marker {len(spots)} lies {gap:.2f}" from marker {n + 1}.')

    def _ready(self) -> None:
        wanted = self.book.mission["placed"]
        if len(self.placed) != wanted:
            self.accuse("w40k10.onlywar.markers", f"{len(self.placed)} markers were placed instead of {wanted}.")
        if any(a == b for a, b in zip(self.placed, self.placed[1:], strict=False)):
            self.accuse("w40k10.onlywar.markers", f"Markers are placed by {self.placed} in turn.")
        for u in self.table.units:
            if self.book.unit_is(u["id"], "AIRCRAFT") and not u["hover"] and self.table.on_table(u["id"]):
                self.accuse("w40k10.aircraft.deploy", f"{self.name(u['id'])} is an AIRCRAFT and is deployed.")

    def _attached(self, leader: int, unit: int) -> None:
        self.looked("Leaders attached")
        entry = self.book.data["roster"][leader]
        if unit not in entry["leads"]:
            self.accuse(
                "w40k10.ability.leader_attach", f"{entry['datasheet']} leads {self.name(unit)}, which it may not."
            )
        came = {self.book.part_of(m) for m in self.table.units[unit]["leader"]}
        beside = all(b in self.book.data["roster"][a]["beside"] for a in came for b in came if a != b)
        if len(came) > 1 and not beside:
            self.accuse("w40k10.ability.leader_attach", f"{self.name(unit)} has {len(came)} Leaders.")

    def _reserves(self, unit: int) -> None:
        self.looked("units in Reserves")
        kind = self.table.units[unit]["reserve"]
        granted = self.book.doubt("grant", ability="deep strike")
        if kind == "deep strike" and not self.book.all_have(unit, "deep strike") and not granted:
            self.accuse("w40k10.ability.deep_strike", f"{self.name(unit)} has no Deep Strike.")
        if kind == "strategic":
            self._points(self.table.units[unit]["player"])

    def _points(self, player: int) -> None:
        """Strategic Reserves take a quarter of the points of the battle size at most, passengers included."""
        held = {
            u["id"]
            for u in self.table.units
            if u["player"] == player and u["reserve"] == "strategic" and not self.book.aircraft(u["id"])
        }
        held |= {u["id"] for u in self.table.units if u["embarked"] in held}
        roster = self.book.data["roster"]
        parts = {self.book.part_of(m) for u in held for m in self.table.units[u]["models"]}
        points = sum(roster[p]["points"] for p in parts)
        if points > self.book.data["limit"] / 4:
            self.accuse("w40k10.reserve.strategic_limit", f"{points} points are in Strategic Reserves.")
