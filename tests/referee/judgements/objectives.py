"""Objective markers and Victory points: who controls what at the end of a phase, and what that scores."""

from __future__ import annotations

from typing import Any

from referee.geometry import disc, flat_gap, inside, rise, wholly_in
from referee.judgements.ground import Ground
from referee.watch import GONE, Item


class Control(Ground):
    """At the end of each phase the greater Level of Control decides."""

    def before(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            step = self.book.step()
            if (step.endswith(" ends") and step not in ("turn ends", "round ends")) or step == "turn is scored":
                self._settled()

    def _settled(self) -> None:
        if self.book.doubt("characteristic", name="OC") or self.book.allowed("hold_objectives"):
            return
        control = self.table.game["control"]
        for number, (x, y, z) in enumerate(self.book.markers):
            if number in self.table.game["removed"]:
                if control and control[number] >= 0:
                    self.accuse("w40k10.objective.control", f"Marker {number + 1} was carried off and is controlled.")
                continue
            expected = self._controller(x, y, z)
            if expected is None:
                continue
            self.looked("markers settled")
            told = control[number] if control else -1
            if told != expected:
                names = [*(p["name"] for p in self.table.players), "nobody"]
                self.accuse(
                    "w40k10.objective.control",
                    f"Marker {number + 1} is told to be {names[told]}'s, and by the models it is {names[expected]}'s.",
                )

    def _controller(self, x: float, y: float, z: float) -> int | None:
        """Who controls a marker, -1 for nobody; None where a model stands on the edge of its range."""
        book, marker = self.book, disc(x, y, self.book.marker_radius, z)
        levels = [0] * len(self.table.players)
        for m in self.table.all_models():
            stand = self.table.stand(m)
            far = book.marker_flat + stand.base.reach + book.marker_radius + 0.1
            if abs(stand.x - x) > far or abs(stand.y - y) > far:
                continue
            gap, up = flat_gap(stand, marker), rise(stand, marker)
            if gap > book.marker_flat + book.slack or up > book.marker_up + book.slack:
                continue
            if gap > book.marker_flat - book.slack or up > book.marker_up - book.slack:
                return None
            if not self.table.units[self.table.unit_of[m]]["battle_shocked"]:
                levels[self.table.owner(m)] += book.sheet(m)["oc"] or 0
        best = max(levels)
        return levels.index(best) if levels.count(best) == 1 else -1


class VictoryPoints(Ground):
    """What a mission scores, worked out again from control, losses and places."""

    rule = "w40k10.mission.muster"

    def begin(self) -> None:
        super().begin()
        players = self.table.players
        ways = len(self.book.mission["scoring"]) if self.book.data["mission"] else 0
        self.by_way = [[0] * ways for _ in players]
        self.vp = [0] * len(players)
        self.credited: list[set[int]] = [set() for _ in players]
        self.owner = [u["player"] for u in self.table.units]
        self.removed = 0
        self.control: list[int] = []
        """Who controlled the markers when they were scored, before any was carried off."""
        self.doubtful = False

    def before(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "player" and "vp" in item["fields"]:
            self._on_time(item)
        if item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            step = self.book.step()
            if step in ("command is scored", "turn is scored"):
                self._compare(step)

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            step = self.book.step()
            if step in ("command is scored", "turn is scored"):
                self.control = list(self.table.game["control"])
        elif item["event"] == "changed" and item["what"] == "game" and "removed" not in item["fields"]:
            # When a turn ends control is settled once more before it is scored.
            self.control = list(item["fields"].get("control", self.control))

    def _on_time(self, item: Item) -> None:
        step = self.book.step()
        if step not in ("command is scored", "turn is scored") and not self.table.result and step != "round ends":
            self.accuse("w40k10.onlywar.capture_and_control", f"Victory points change in the step {step}.")

    def score(self, when: str, player: int) -> None:
        round_ = self.table.clock["round"]
        gone: list[int] = []
        for i, way in enumerate(self.book.mission["scoring"]):
            if way["when"] != when or not way["from_round"] <= round_ <= way["to_round"]:
                continue
            worth = way["vp"] + way["grows"] * (round_ - way["from_round"])
            count = self._count(player, way)
            room = way["most_in_battle"] - self.by_way[player][i]
            gain = max(0, min(worth * count, way["most"], room))
            self.by_way[player][i] += gain
            self.vp[player] += gain
            if gain and way["carries_off"]:
                held = [m for m in self._held(player, way) if m not in gone]
                gone += held[: max(1, gain // max(1, worth))]
                # What is carried off counts for nobody any more, in no further way either.
                self.control = [-1 if m in gone else who for m, who in enumerate(self.control)]
        self.removed += len(gone)
        if when == "turn":
            fallen = self._fallen(player)
            self.credited[player] |= fallen
            self.credited = [seen & self._fallen(p) for p, seen in enumerate(self.credited)]

    def _compare(self, step: str) -> None:
        self.doubtful = False
        self.score(step.split(maxsplit=1)[0], self.table.clock["active"])
        self.compare(step)

    def compare(self, step: str) -> None:
        """Hold what players have against what they should have."""
        self.looked("scores compared")
        for p in self.table.players:
            due = self.vp[p["id"]]
            if p["vp"] != due and not self.doubtful:
                self.accuse(self.rule, f"{p['name']} has {p['vp']}VP where {step}, and should have {due}.")
            self.vp[p["id"]] = p["vp"]
        if len(self.table.game["removed"]) != self.removed:
            self.accuse(
                self.rule, f"{len(self.table.game['removed'])} markers were carried off, and {self.removed} should be."
            )
            self.removed = len(self.table.game["removed"])

    # --- What counts --------------------------------------------------------------------------------------------------

    def _count(self, player: int, way: dict[str, Any]) -> int:
        others = [p["id"] for p in self.table.players if p["id"] != player]
        match way["kind"]:
            case "hold":
                return len(self._held(player, way))
            case "hold more":
                return int(len(self._held(player, way)) > max(len(self._held(p, way)) for p in others))
            case "hold some":
                return int(len(self._held(player, way)) >= way["count"])
            case "destroy":
                return len(self._fallen(player) - self.credited[player])
            case "destroy warlord":
                return int(self._warlord_fell(player))
            case "break through":
                return sum(self._through(u["id"], player) for u in self.table.units if u["player"] == player)
        return 0

    def _held(self, player: int, way: dict[str, Any]) -> list[int]:
        return [
            m
            for m, (x, y, _) in enumerate(self.book.markers)
            if self.control and self.control[m] == player and self._lies(x, y, player, way["where"])
        ]

    def _lies(self, x: float, y: float, player: int, where: str) -> bool:
        own = inside(x, y, self.book.zone(player))
        enemy = inside(x, y, self.book.zone(player, enemy=True))
        known = {"all": True, "own zone": own, "enemy zone": enemy, "not own zone": not own}
        return known.get(where, not own and not enemy)

    def _fallen(self, player: int) -> set[int]:
        """Enemy entries of the rosters of which nothing is left."""
        side = self.table.players[player]["side"]
        return {
            i
            for i in range(len(self.book.data["roster"]))
            if self.table.players[self.owner[i]]["side"] != side and self.book.fallen(i)
        }

    def _warlord_fell(self, player: int) -> bool:
        side = self.table.players[player]["side"]
        return any(
            e["warlord"] >= 0
            and self.table.players[self.owner[i]]["side"] != side
            and self.table.place[e["warlord"]] == GONE
            for i, e in enumerate(self.book.data["roster"])
        )

    def _through(self, unit: int, player: int) -> bool:
        zone = self.book.zone(player, enemy=True)
        here = [self.table.stand(m) for m in self.table.on_table(unit)]
        sure, maybe = (bool(here) and all(wholly_in(s, zone, slack) for s in here) for slack in (-0.01, 0.01))
        self.doubtful |= sure != maybe
        return sure

    # --- The end ------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        result = self.table.result
        if result is None:
            return
        scores = [p["vp"] for p in self.table.players]
        if list(result["scores"]) != scores:
            self.accuse(
                "w40k10.mission.victor", f"The result is {list(result['scores'])}, and the players have {scores}."
            )
        alive = [
            any(self.table.alive(u["id"]) for u in self.table.units if u["player"] == p) for p in range(len(scores))
        ]
        if all(alive) or not any(alive) or not self.book.mission["destroyed_loses"]:
            best = max(scores)
            winners = [p for p, vp in enumerate(scores) if vp == best]
            winners = winners if len(winners) == 1 else []
        else:
            winners = [p for p, lives in enumerate(alive) if lives]
        if list(result["winners"]) != winners:
            self.accuse("w40k10.onlywar.victor", f"{list(result['winners'])} win with {scores}, and {winners} should.")
