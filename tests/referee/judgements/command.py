"""The Command phase: Command points, and Battle-shock tests."""

from __future__ import annotations

from referee.judgements.ground import Ground
from referee.watch import Item


class CommandPoints(Ground):
    """Every Command point comes from somewhere, and goes somewhere."""

    rule = "w40k10.command.gain_cp"
    step = "command"
    """In which both players gain one."""

    def begin(self) -> None:
        super().begin()
        self.cp = [p["cp"] for p in self.table.players]
        self.extra = [0] * len(self.table.players)
        self.open: list[tuple[int, int]] = []
        """Changes that have not been explained yet: player and points."""

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "player" and "cp" in item["fields"]:
            player, now = item["id"], item["fields"]["cp"]
            if now != self.cp[player]:
                self.open.append((player, now - self.cp[player]))
            self.cp[player] = now
        elif item["event"] == "changed" and item["what"] == "clock" and "round" in item["fields"]:
            self.extra = [0] * len(self.cp)
        elif item["event"] == "told" and item["kind"] == "command_points":
            self._gained(item)
        elif item["event"] == "told" and item["kind"] == "stratagem":
            self.open = [(p, n) for p, n in self.open if n > 0]
        elif item["event"] == "asked":
            self._explained()

    def _gained(self, item: Item) -> None:
        changes, self.open = self.open, []
        if self.rule in item["rules"]:
            self.looked("Command points gained")
            if sorted(changes) != [(p["id"], 1) for p in self.table.players]:
                self.accuse(self.rule, f"Both players gain 1CP, and the changes are {changes}.")
            if self.book.step() != self.step:
                self.accuse(self.rule, f"Command points are gained in the step {self.book.step()}.")
            return
        for player, points in changes:
            if points < 0:
                continue
            self.extra[player] += points
            if self.extra[player] > 1:
                name = self.table.players[player]["name"]
                self.accuse("w40k10.command.cp_cap", f"{name} gains {self.extra[player]} extra CP in one round.")

    def _explained(self) -> None:
        for player, points in self.open:
            name = self.table.players[player]["name"]
            self.accuse(self.rule, f"{name}'s Command points change by {points}, and nothing says why.")
        self.open = []


class BattleShock(Ground):
    """Who must test, and whether a test is passed."""

    def begin(self) -> None:
        super().begin()
        self.faces: list[int] = []
        self.needed = 0
        """What the roll says that it needs; 0 where it says nothing."""
        self.due: set[int] = set()
        self.tested: set[int] = set()

    def before(self, item: Item) -> None:
        if item["event"] == "rolled" and item["reason"] == "battle-shock":
            self.faces = list(item["faces"])
            self.needed = item.get("read", {}).get("needed", 0)
        elif item["event"] == "told" and item["kind"] == "test":
            self._test(item)
        elif item["event"] == "changed" and item["what"] == "clock" and self.book.step() == "battle-shock":
            self._over()

    def after(self, item: Item) -> None:
        if item["event"] != "changed" or item["what"] != "clock" or "step" not in item["fields"]:
            return
        if self.book.step() == "battle-shock":
            mine = [u["id"] for u in self.table.units if u["player"] == self.table.clock["active"]]
            self.due, self.tested = {u for u in mine if self.below_half(u)}, set()

    def below_half(self, unit: int) -> bool:
        """Whether a unit on the battlefield is Below Half-strength."""
        here = self.table.on_table(unit)
        if not here:
            return False
        u = self.table.units[unit]
        leaders = [m for m in here if m in u["leader"]]
        others = [m for m in here if m not in u["leader"]]
        strength = (u["leader_strength"] if leaders else 0) + (u["strength"] if others or not u["leader"] else 0)
        if strength == 1:
            return 2 * self.table.wounds[here[0]] < self.book.sheet(here[0])["wounds"]
        return 2 * len(here) < strength

    def _test(self, item: Item) -> None:
        if "battle-shock" not in item["text"]:
            return
        unit = item["units"][0]
        self.looked("Battle-shock tests")
        if self.book.step() == "battle-shock":
            if unit not in self.due:
                self.accuse(
                    "w40k10.command.battleshock_test", f"{self.name(unit)} tests and is not Below Half-strength."
                )
            if unit in self.tested:
                self.accuse("w40k10.command.battleshock_test", f"{self.name(unit)} tests a second time.")
            self.tested.add(unit)
        elif self.book.bare:
            self.accuse("w40k10.command.battleshock_test", f"{self.name(unit)} tests in the step {self.book.step()}.")
        doubts = (
            self.book.doubt("characteristic", name="Ld"),
            self.book.doubt("modify", roll=("battle_shock", "leadership")),
            self.book.doubt("battle_shock"),
            self.book.allowed("extra_battle_shock_die"),
        )
        if any(doubts):
            return
        best = min(self.book.sheet(m)["leadership"] for m in self.table.on_table(unit))
        if self.needed not in (0, best):
            self.accuse("w40k10.datasheet.leadership_test", f"{self.name(unit)} is told to need {self.needed}+.")
        if len(self.faces) != 2:
            self.accuse("w40k10.command.battleshock_test", f"{self.name(unit)} tests with {len(self.faces)} dice.")
        if item["data"]["passed"] != (sum(self.faces) >= best):
            self.accuse(
                "w40k10.command.battleshock_test",
                f"{self.name(unit)} rolls {self.faces} against {best}+: {item['text']}",
            )

    def _over(self) -> None:
        for unit in self.due - self.tested:
            if self.table.on_table(unit):
                self.accuse(
                    "w40k10.command.battleshock_test", f"{self.name(unit)} is Below Half-strength and does not test."
                )


class Shocked(Ground):
    """Who is Battle-shocked, and until when."""

    def begin(self) -> None:
        super().begin()
        self.shocked = {u["id"]: False for u in self.table.units}

    def after(self, item: Item) -> None:
        table = self.table
        if item["event"] == "told" and item["kind"] in ("battle_shocked", "escaped"):
            self.shocked[item["units"][0]] = True
        elif item["event"] == "told" and item["kind"] == "brave":
            self.shocked[item["units"][0]] = False
        elif item["event"] == "told" and item["kind"] == "phase" and item["data"]["phase"] == "command":
            for u in table.units:
                if u["player"] == table.clock["active"]:
                    self.shocked[u["id"]] = False
        elif item["event"] == "asked":
            for u in table.units:
                now = u["battle_shocked"]
                if now != self.shocked[u["id"]] and table.alive(u["id"]):
                    rule = "w40k10.command.battleshock_duration"
                    self.accuse(rule, f"{self.name(u['id'])} is {'' if now else 'not '}Battle-shocked for no reason.")
                    self.shocked[u["id"]] = now
