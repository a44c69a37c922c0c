"""Set-ups of 11th edition: deployment, arrivals from strategic reserves, and getting out of transports."""

from __future__ import annotations

from referee.geometry import Stand, area_gap, distance, shape_of, wholly_in
from referee.judgements11.common import Judgement11
from referee.watch import ON, Item


class SettingUp11(Judgement11):
    """Whoever is put on the table."""

    def begin(self) -> None:
        super().begin()
        self.pending: Item | None = None

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and self.court.asked(item)["shape"] == "place" and item["answer"]:
            self.pending = self.court.asked(item)

    def after(self, item: Item) -> None:
        if item["event"] == "placed" and item["place"] == ON and self.pending is not None:
            asked, self.pending = self.pending, None
            self.looked(f"set-ups ({asked['kind']})")
            self._set_up(asked, list(item["models"]))

    def _set_up(self, asked: Item, models: list[int]) -> None:
        unit, kind, slack = asked["unit"], asked["kind"], self.book.slack
        places = {m: self.table.stand(m) for m in models}
        others = [m for m in self.table.all_models() if m not in places]
        for m, stand in places.items():
            if self.field.overlapped(stand, others, slack) is not None or self.field.off_table(stand, slack):
                self.accuse("w40k11.setup.conditions", f"{self.model(m)} is set up on somebody, or over the edge.")
        if not self.reach.unit_coherent(unit, slack):
            self.accuse("w40k11.setup.conditions", f"{self.name(unit)} is set up out of coherency.")
        near = self.reach.engaged_with(unit, -slack)
        if near and kind in ("deploy", "arrive"):
            self.accuse("w40k11.setup.conditions", f"{self.name(unit)} is set up engaged with {self.name(near[0])}.")
        if kind == "deploy":
            self._deployed(unit, places)
        elif kind == "arrive":
            self._arrived(unit, places)
        elif kind == "disembark":
            self._got_out(asked, places)

    def _deployed(self, unit: int, places: dict[int, Stand]) -> None:
        player = self.table.units[unit]["player"]
        if self.book.all_have(unit, "infiltrators"):
            zone = self.book.zone(player, enemy=True)
            inside = all(wholly_in(s, self.book.zone(player), self.book.slack) for s in places.values())
            for m, stand in places.items():
                if not inside and area_gap(shape_of(stand), zone) <= self.book.arrive_gap - self.book.slack:
                    self.accuse("w40k11.unit.infiltrators", f'{self.model(m)} is within 8" of the enemy zone.')
            return
        for m, stand in places.items():
            if not wholly_in(stand, self.book.zone(player), self.book.slack):
                self.accuse("w40k11.gap.deployment", f"{self.model(m)} is deployed outside its zone.")

    def _arrived(self, unit: int, places: dict[int, Stand]) -> None:
        if self.table.clock["round"] < 2 and self.book.bare:
            self.accuse("w40k11.reserves.arriving", f"{self.name(unit)} arrives in the first round.")
        enemies = [m for e in self.table.enemies(unit) for m in self.table.on_table(e)]
        deep = self.book.all_have(unit, "deep strike") or not self.book.bare
        width, depth = self.table.terrain.width, self.table.terrain.depth
        band = self.book.arrive_band
        strips = (
            ((0, 0), (width, 0), (width, band), (0, band)),
            ((0, depth - band), (width, depth - band), (width, depth), (0, depth)),
            ((0, 0), (band, 0), (band, depth), (0, depth)),
            ((width - band, 0), (width, 0), (width, depth), (width - band, depth)),
        )
        for m, stand in places.items():
            if self.book.bare and self.reach.flat_between(stand, enemies) <= self.book.arrive_gap - self.book.slack:
                self.accuse("w40k11.reserves.ingress", f'{self.model(m)} arrives within 8" of an enemy.')
            if not deep and not any(wholly_in(stand, strip, self.book.slack) for strip in strips):
                self.accuse("w40k11.reserves.ingress", f'{self.model(m)} arrives more than 6" from every edge.')

    def _got_out(self, asked: Item, places: dict[int, Stand]) -> None:
        carriers = [self.table.stand(m) for m in asked["about"].get("transports", ())]
        for m, stand in places.items():
            if carriers and min(distance(stand, c) for c in carriers) > self.book.furthest_out + self.book.slack:
                self.accuse("w40k11.transport.disembark", f"{self.model(m)} gets out too far away.")
