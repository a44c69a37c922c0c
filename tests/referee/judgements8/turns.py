"""Rounds and phases, set-ups, and what Only War scores."""

from __future__ import annotations

from referee.geometry import Stand, area_gap, disc, distance, flat_gap, shape_of, wholly_in
from referee.judgements.objectives import VictoryPoints
from referee.judgements8.common import Judgement8
from referee.sheets import value_of
from referee.watch import GONE, ON, Item, outline_of

PHASES = ("movement", "psychic", "shooting", "charge", "fight", "morale")
ROUNDS = 5
SLAY, RELIC, DOMINATION = 1, 2, 3


class Turns8(Judgement8):
    """Turns follow each other, and phases in a turn."""

    def begin(self) -> None:
        super().begin()
        self.first = -1
        self.phases: list[str] = []
        self.turns = 0

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "first_turn":
            self.first = item["data"]["player"]
        elif item["event"] == "told" and item["kind"] == "phase":
            self._phase(item["data"]["phase"])

    def _phase(self, phase: str) -> None:
        clock, players = self.table.clock, len(self.table.players)
        self.looked("phases")
        if phase == PHASES[0]:
            if self.turns and tuple(self.phases) != PHASES:
                self.accuse("w40k8.round.phases", f"A turn had only the phases {self.phases}.")
            due = (1 + self.turns // players, (self.first + self.turns) % players)
            if (clock["round"], clock["active"]) != due:
                self.accuse("w40k8.round.battle_round", f"Turn {self.turns + 1} is not that of {due}.")
            self.turns += 1
            self.phases = []
        self.phases.append(phase)
        if tuple(self.phases) != PHASES[: len(self.phases)] or not self.book.step().startswith(phase):
            self.accuse("w40k8.round.phases", f"The phases so far are {self.phases}, in the step {self.book.step()}.")
        for p in self.table.players:
            units = [u["id"] for u in self.table.units if u["player"] == p["id"] and not u["no_room"]]
            if units and not any(self.table.alive(u) for u in units):
                self.accuse("w40k8.onlywar.wipe_out", f"The battle goes on, and {p['name']} has no models left.")

    def end(self) -> None:
        if self.table.result is None:
            self.accuse("w40k8.onlywar.length", "The battle has no result.")
        if self.turns > ROUNDS * len(self.table.players):
            self.accuse("w40k8.onlywar.length", f"{self.turns} turns were played.")


class SettingUp8(Judgement8):
    """Deployment, arrivals and disembarking."""

    def begin(self) -> None:
        super().begin()
        self.pending: Item | None = None

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and self.court.asked(item)["shape"] == "place" and item["answer"]:
            self.pending = self.court.asked(item)
        elif item["event"] == "answered" and item["kind"] == "place_marker":
            self._marker(item["answer"][0])

    def after(self, item: Item) -> None:
        if item["event"] == "placed" and item["place"] == ON and self.pending is not None:
            asked, self.pending = self.pending, None
            self.looked(f"set-ups ({asked['kind']})")
            self._set_up(asked, list(item["models"]))

    def _marker(self, spot: dict[str, int]) -> None:
        for x, y, _ in self.book.markers:
            if ((spot["x"] / 1024 - x) ** 2 + (spot["y"] / 1024 - y) ** 2) ** 0.5 < 10 - self.book.slack:
                self.accuse("w40k8.onlywar.markers", 'A marker lies less than 10" from another.')

    def _set_up(self, asked: Item, models: list[int]) -> None:
        unit, kind, slack = asked["unit"], asked["kind"], self.book.slack
        places = {m: self.table.stand(m) for m in models}
        others = [m for m in self.table.all_models() if m not in places]
        for m, stand in places.items():
            on = self.field.overlapped(stand, others, slack)
            if on is not None or self.field.off_table(stand, slack):
                self.accuse(
                    "w40k8.move.through_models", f"{self.model(m)} is set up on top of somebody, or over the edge."
                )
        if not self.reach.coherent(self.reach.stands(self.table.on_table(unit)), slack):
            self.accuse("w40k8.concept.coherency", f"{self.name(unit)} is set up out of coherency.")
        if kind == "deploy":
            self._deployed(unit, places)
        elif kind == "disembark":
            self._got_out(unit, asked, places)
        elif kind == "arrive" and self.close(unit, -slack):
            self.accuse("w40k8.move.reinforce_arrival", f"{self.name(unit)} arrives beside an enemy.")

    def _deployed(self, unit: int, places: dict[int, Stand]) -> None:
        game, player = self.table.game, self.table.units[unit]["player"]
        own = outline_of(game["halves"][game["zones"][player]])
        foe = next(p["id"] for p in self.table.players if p["side"] != self.table.players[player]["side"])
        other = outline_of(game["halves"][game["zones"][foe]])
        for m, stand in places.items():
            if not wholly_in(stand, own, self.book.slack):
                self.accuse("w40k8.onlywar.deploy_distance", f"{self.model(m)} is deployed outside its zone.")
            if area_gap(shape_of(stand), other) <= self.book.deploy_gap - self.book.slack:
                self.accuse("w40k8.onlywar.deploy_distance", f'{self.model(m)} is within 12" of the enemy zone.')

    def _got_out(self, unit: int, asked: Item, places: dict[int, Stand]) -> None:
        carriers = [self.table.stand(m) for m in asked["about"]["transports"]]
        enemies = [m for e in self.table.enemies(unit) for m in self.table.on_table(e)]
        for m, stand in places.items():
            if carriers and min(distance(stand, c) for c in carriers) > self.book.embark_range + self.book.slack:
                self.accuse("w40k8.transport.disembark_setup", f'{self.model(m)} gets out more than 3" away.')
            if self.nearest(stand, enemies) <= self.book.one_inch - self.book.slack:
                self.accuse("w40k8.transport.disembark_setup", f'{self.model(m)} gets out within 1" of an enemy.')


class OnlyWar8(Judgement8):
    """Who controls the markers, and the points for them."""

    def begin(self) -> None:
        super().begin()
        self.vp = [0] * len(self.table.players)
        self.spoils: dict[int, int] = {}

    def held(self) -> list[int | None]:
        """For each marker who controls it: -1 for nobody, None where somebody stands just at the edge of its reach."""
        found: list[int | None] = []
        for number, (x, y, z) in enumerate(self.book.markers):
            if number in self.table.game["removed"]:
                found.append(-1)
                continue
            spot = disc(x, y, 0.0, z)
            counts = [0] * len(self.table.players)
            doubt = False
            for m in self.table.all_models():
                stand = self.table.stand(m)
                if abs(stand.x - x) + abs(stand.y - y) > 30:
                    continue
                far = (max(0.0, flat_gap(stand, spot)) ** 2 + max(0.0, stand.z - z) ** 2) ** 0.5
                doubt = doubt or abs(far - self.book.marker_range) < 0.01
                counts[self.table.owner(m)] += far <= self.book.marker_range
            best = max(counts)
            found.append(None if doubt else counts.index(best) if counts.count(best) == 1 else -1)
        return found

    def before(self, item: Item) -> None:
        if item["event"] == "rolled" and item["reason"] == "warlord slain":
            self.spoils[item["player"]] = value_of((3,), 0, list(item.get("standing") or item["faces"]))
        elif item["event"] == "told" and item["kind"] == "scored":
            self.vp[item["data"]["player"]] += item["data"]["vp"]
            if not self.book.mission["scoring"]:
                self._scored(item)
        elif self.leaves(item, "score_turn"):
            self._turn_ends()

    def _turn_ends(self) -> None:
        self.looked("turns scored")
        for number, (mine, theirs) in enumerate(zip(self.held(), self.table.game["control"], strict=False)):
            carried = number in self.table.game["removed"]
            if mine is not None and mine != theirs and not carried and not self.book.doubt("allow"):
                self.accuse("w40k8.onlywar.control", f"Objective {number + 1} belongs to {mine}, not to {theirs}.")
        for p in self.table.players:
            if p["vp"] != self.vp[p["id"]]:
                self.accuse("w40k8.onlywar.domination", f"{p['name']} has {p['vp']} VP, and scored {self.vp[p['id']]}.")

    def _scored(self, item: Item) -> None:
        """What the primary objective gives a player."""
        player, points, goal = item["data"]["player"], item["data"]["vp"], self.table.game["primary"]
        held = self.held()
        if None in held:
            return
        mine = sum(who == player for who in held)
        self.looked("points scored")
        if goal == DOMINATION:
            due, rule = [mine], "w40k8.onlywar.domination"
        elif goal == RELIC:
            due, rule = [6 * mine], "w40k8.onlywar.ancient_relic"
        else:
            due, rule = [2 * mine, self.spoils.get(player, -1)], "w40k8.onlywar.slay_and_secure"
        if points not in due:
            self.accuse(rule, f"{item['text']} {due} would be right.")

    def end(self) -> None:
        for p in self.table.players:
            if p["vp"] != self.vp[p["id"]]:
                self.accuse("w40k8.onlywar.points_win", f"{p['name']} has {p['vp']} VP, and scored {self.vp[p['id']]}.")
        result = self.table.result
        if result is None or not result["winners"]:
            return
        vp = [p["vp"] for p in self.table.players]
        alive = [
            p["id"]
            for p in self.table.players
            if any(
                self.table.place[m] != GONE
                for u in self.table.units
                if u["player"] == p["id"] and not u["no_room"]
                for m in u["models"]
            )
        ]
        best = [i for i, points in enumerate(vp) if points == max(vp)]
        due = alive if len(alive) == 1 else best if len(best) == 1 else [self.table.game["underdog"]]
        self.looked("victors")
        if list(result["winners"]) != due and not result["rulings"]:
            self.accuse("w40k8.onlywar.points_win", f"{list(result['winners'])} won with {vp}, not {due}.")


class Missions8(VictoryPoints):
    """The points of missions that say themselves what is scored: for who ends a turn, and for all when the battle ends.

    Who controls a marker is settled in the same step and judged by `OnlyWar8`.
    """

    rule = "w40k8.battle.mission"

    def before(self, item: Item) -> None:
        fields = item["fields"] if item["event"] == "changed" and item["what"] == "clock" else {}
        step = self.book.step()
        if "step" not in fields or not self.book.mission["scoring"] or step not in ("score_turn", "score_battle"):
            return
        self.doubtful = False
        if step == "score_turn":
            self.score("turn", self.table.clock["active"])
            self.compare("a turn is scored")

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock":
            self.control = list(self.table.game["control"])
        elif item["event"] == "changed" and item["what"] == "game" and "removed" not in item["fields"]:
            self.control = list(item["fields"].get("control", self.control))

    def end(self) -> None:
        """When time is up all players score; what else ends a battle scores nothing."""
        result = self.table.result
        if result is None or result["reason"] != "the last round has been played" or not self.book.mission["scoring"]:
            return
        self.doubtful = False
        for p in self.table.players:
            self.score("battle", p["id"])
        self.compare("the battle is over")
