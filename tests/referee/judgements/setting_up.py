"""Setting up: deployment, Reserves, disembarking, and models that come back."""

from __future__ import annotations

from collections.abc import Sequence

from referee.field import rim
from referee.geometry import ROUND, Stand, area_gap, extent, flat_gap, inside, shape_of, wholly_in
from referee.judgements.ground import Ground
from referee.watch import GONE, OFF, ON, Item


class SettingUp(Ground):
    """Where a unit may be set up, when, and by whom."""

    def begin(self) -> None:
        super().begin()
        self.pending: Item | None = None
        self.last_deployed = -1
        self.aboard: set[int] = set()
        """Units that were embarked when this Movement phase began."""

    def before(self, item: Item) -> None:
        event = item["event"]
        if event == "answered":
            asked = self.court.asked(item)
            if asked["shape"] == "place":
                self.pending = asked if item["answer"] is not None else None
        elif event == "told" and item["kind"] == "phase" and item["data"]["phase"] == "movement":
            self.aboard = {u["id"] for u in self.table.units if u["embarked"] >= 0}
        elif event == "question" and item["kind"] in ("deploy", "deploy_with"):
            self._turn_to_deploy(item)
        elif event == "placed" and item["place"] == ON:
            self.field = self.field.fresh()
            self._set_up(item["models"])
        elif event == "told" and item["kind"] == "deployed":
            self.last_deployed = self.table.units[item["units"][0]]["player"]

    # --- Whose turn it is ---------------------------------------------------------------------------------------------

    def _turn_to_deploy(self, asked: Item) -> None:
        players = len(self.table.players)
        if players != 2 or self.book.doubt("grant", ability="after deployment") or self._somebody_late():
            return
        due = self.table.game["attacker"] if self.last_deployed < 0 else 1 - self.last_deployed
        if not self._waiting(due):
            due = 1 - due
        if asked["player"] != due:
            rule = "w40k10.onlywar.deploy"
            self.accuse(rule, f"{self.table.players[asked['player']]['name']} deploys out of turn.")

    def _somebody_late(self) -> bool:
        return any(self.book.core(m, "after deployment") is not None for m in range(len(self.table.place)))

    def _waiting(self, player: int) -> bool:
        return any(
            u["player"] == player
            and not u["reserve"]
            and u["embarked"] < 0
            and not u["no_room"]
            and any(self.table.place[m] == OFF for m in u["models"])
            for u in self.table.units
        )

    # --- A set-up -----------------------------------------------------------------------------------------------------

    def _set_up(self, models: Sequence[int]) -> None:
        asked, self.pending = self.pending, None
        unit = self.table.unit_of[models[0]]
        kind = asked["kind"] if asked is not None and asked["unit"] == unit else ""
        self.looked(f"set-ups ({kind or 'unasked'})")
        if not kind and not self.book.bare:
            return  # Who stands once more to shoot or to fight, or comes back by an ability, is nobody's set-up.
        places = {m: self.table.stand(m) for m in models}
        self._everywhere(unit, places, kind)
        if kind == "deploy":
            self._deployed(unit, places)
        elif kind == "arrive":
            self._arrived(unit, places)
        elif kind in ("disembark", "escape"):
            self._got_out(unit, places, kind)
        elif kind == "return_models":
            self._came_back(unit, models)
        elif not kind:
            self.accuse("w40k10.concept.coherency_setup", f"{self.name(unit)} is set up, and nobody had said where.")

    def _everywhere(self, unit: int, places: dict[int, Stand], kind: str) -> None:
        here = self.table.on_table(unit)
        mates = [m for m in here if m not in places]
        everybody = [m for m in self.table.all_models() if m not in places]
        for m, stand in places.items():
            on = self.field.overlapped(stand, everybody, self.book.slack)
            if on is not None:
                self.accuse("w40k10.move.no_stacking", f"{self.model(m)} is set up on top of {self.model(on)}.")
            for other, there in places.items():
                if other < m and abs(stand.z - there.z) < 0.5 and flat_gap(stand, there) < -self.book.slack:
                    self.accuse("w40k10.move.no_stacking", f"{self.model(m)} is set up on top of {self.model(other)}.")
            self.standing(m, stand)
        stands = [*self.reach.stands(mates), *places.values()]
        if not self.reach.coherent(stands, self.book.slack):
            self.accuse("w40k10.concept.coherency_setup", f"{self.name(unit)} is set up out of coherency.")
        fought = set(self.reach.engaged_with(unit, self.book.slack)) if kind == "return_models" else set()
        for e in self.table.enemies(unit):
            if e in fought or (kind not in ("deploy", "arrive", "disembark", "escape", "return_models")):
                continue
            if any(self.reach.engaging(s, self.table.on_table(e), -self.book.slack) for s in places.values()):
                self.accuse(
                    "w40k10.concept.engagement_limit",
                    f"{self.name(unit)} is set up within Engagement Range of {self.name(e)}.",
                )

    # --- Deployment ---------------------------------------------------------------------------------------------------

    def _deployed(self, unit: int, places: dict[int, Stand]) -> None:
        player = self.table.units[unit]["player"]
        own, other = self.book.zone(player), self.book.zone(player, enemy=True)
        if all(wholly_in(s, own, self.book.slack) for s in places.values()):
            return
        if not all(self.book.core(m, "infiltrators") is not None for m in places):
            if not self.book.doubt("grant", ability="infiltrators"):
                self.accuse("w40k10.onlywar.deploy", f"{self.name(unit)} is deployed outside its zone.")
            return
        far = self.book.infiltrate - self.book.slack
        enemies = [m for e in self.table.enemies(unit) for m in self.table.on_table(e)]
        for m, s in places.items():
            if area_gap(shape_of(s), other) <= far:
                self.accuse("w40k10.ability.infiltrators", f'{self.model(m)} is within 9" of the enemy zone.')
            if self.reach.flat_between(s, enemies) <= far:
                self.accuse("w40k10.ability.infiltrators", f'{self.model(m)} infiltrates within 9" of an enemy.')

    # --- Reserves -----------------------------------------------------------------------------------------------------

    def _arrived(self, unit: int, places: dict[int, Stand]) -> None:
        self._when(unit)
        strategic = self.table.units[unit]["reserve"] == "strategic"
        player = self.table.units[unit]["player"]
        enemies = [m for e in self.table.enemies(unit) for m in self.table.on_table(e)]
        gap = min(self.reach.flat_between(s, enemies) for s in places.values())
        least = self.book.arrive_gap if strategic or not self.book.allowed("arrive_at_6", player) else 6.0
        rule = "w40k10.reserve.strategic_enemy_distance" if strategic else "w40k10.ability.deep_strike"
        if gap <= least - self.book.slack:
            self.accuse(rule, f'{self.name(unit)} arrives {gap:.2f}" from an enemy.')
        if not strategic:
            return
        if self.table.clock["round"] < 2 and not self.book.allowed("arrive_round_one", player):
            self.accuse("w40k10.reserve.strategic_timing", f"{self.name(unit)} arrives in the first battle round.")
        for m, s in places.items():
            if not self._near_edge(s):
                self.accuse("w40k10.reserve.strategic_round2", f'{self.model(m)} is not wholly within 6" of an edge.')
                break
        if self.table.clock["round"] == 2:
            zone = self.book.zone(player, enemy=True)
            for m, s in places.items():
                if inside(s.x, s.y, zone) or area_gap(shape_of(s), zone) < -0.05:
                    self.accuse("w40k10.reserve.strategic_round2", f"{self.model(m)} arrives in the enemy's zone.")
                    break

    def _when(self, unit: int) -> None:
        active, step = self.table.clock["active"], self.book.step()
        own = self.table.units[unit]["player"] == active
        if own and step != "reinforcements":
            self.accuse("w40k10.move.steps", f"{self.name(unit)} arrives in the step {step}.")
        if not own and step != "movement ends":
            self.accuse("w40k10.strat.rapid_ingress", f"{self.name(unit)} arrives in the enemy's turn, in {step}.")

    def _near_edge(self, s: Stand) -> bool:
        """Whether a base may be wholly within the band along an edge."""
        if s.base.kind == ROUND:
            r = s.base.long
            box = (s.x - r, s.y - r, s.x + r, s.y + r)
        else:
            box = extent(shape_of(s))
        width, depth = self.field.terrain.width, self.field.terrain.depth
        return min(box[2], box[3], width - box[0], depth - box[1]) <= self.book.arrive_band + self.book.slack

    # --- Transports ---------------------------------------------------------------------------------------------------

    def _got_out(self, unit: int, places: dict[int, Stand], kind: str) -> None:
        number = self.table.units[unit]["embarked"]
        if number < 0:
            self.accuse("w40k10.transport.disembark_when", f"{self.name(unit)} disembarks and was in no transport.")
            return
        carriers = [self.table.stand(m) for m in self.table.units[number]["models"] if self.table.place[m] == ON]
        reach = self.book.emergency_reach if kind == "escape" else self.book.disembark_reach
        for m, s in places.items():
            points = [s._replace(base=s.base._replace(kind=ROUND, long=0.0), x=x, y=y) for x, y in rim(s, 0.0)]
            if carriers and min(max(flat_gap(p, c) for p in points) for c in carriers) > reach + self.book.slack:
                self.accuse("w40k10.transport.disembark_setup", f'{self.model(m)} is not wholly within {reach:.0f}".')
                break
        if kind == "escape":
            return
        carrier = self.table.units[number]
        if self.book.step() not in ("move units", "late disembarking") or unit not in self.aboard:
            self.accuse("w40k10.transport.disembark_when", f"{self.name(unit)} disembarks in {self.book.step()}.")
        early = self.book.allowed("disembark_after_advance", carrier["player"])
        if carrier["moved"] == "fall_back" or (carrier["moved"] == "advance" and not early):
            self.accuse(
                "w40k10.transport.disembark_forbidden",
                f"{self.name(unit)} disembarks from {self.name(number)}, which made a {carrier['moved']} move.",
            )

    # --- Coming back --------------------------------------------------------------------------------------------------

    def _came_back(self, unit: int, models: Sequence[int]) -> None:
        """Nobody comes back to what is destroyed: neither to a unit, nor to one part of an Attached unit."""
        for m in models:
            part = self.book.part_of(m)
            mates = [x for x in self.book.entry_models(part) if x not in models]
            if self.table.place[m] == GONE and all(self.table.place[x] == GONE for x in mates):
                name = self.book.data["roster"][part]["datasheet"]
                self.accuse(
                    "w40k10.unit.attached_strength", f"{self.model(m)} comes back to {name}, which is destroyed."
                )
                return
