"""Stratagems: what they cost, how often they are used, at which step, and on whom."""

from __future__ import annotations

from typing import Any

from referee.judgements.ground import Ground
from referee.watch import Item

OWN, OPPONENT = "own", "opponent"


class Stratagems(Ground):
    """Every use of a Stratagem, core or of a detachment."""

    def begin(self) -> None:
        super().begin()
        self.phase: set[tuple[int, str]] = set()
        self.turn: set[tuple[int, str]] = set()
        self.cp = [p["cp"] for p in self.table.players]
        self.shots: list[int] = []
        """The unit that shoots, and its targets."""
        self.failed = -1
        self.fought = -1
        self.charged = -1
        self.answer: Any = None

    def before(self, item: Item) -> None:
        if item["event"] == "answered":
            self.answer = item["answer"]
        elif item["event"] == "told":
            self._told(item)

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock":
            if "step" in item["fields"] and self.book.step().endswith(" begins"):
                self.phase = set()
            if "active" in item["fields"] or item["fields"].get("step") == 0:
                self.turn = set()
        if not (item["event"] == "changed" and item["what"] == "player" and "used" in item["fields"]):
            self.cp = [p["cp"] for p in self.table.players]

    def _told(self, item: Item) -> None:
        kind = item["kind"]
        if kind == "stratagem":
            self._used(item)
        elif kind == "shoots":
            self.shots = list(item["units"])
        elif kind == "test":
            self.failed = -1 if item["data"]["passed"] else item["units"][0]
        elif kind == "fights":
            self.fought = item["units"][0]
        elif kind == "charged":
            self.charged = item["units"][0]

    # --- A use --------------------------------------------------------------------------------------------------------

    def _used(self, item: Item) -> None:
        name, player = item["data"]["name"], self._who(item)
        unit = item["units"][0] if item["units"] else -1
        self.looked("Stratagems")
        cost, steps, turn = self._card(name, player)
        if cost is None:
            self.accuse("w40k10.strat.use", f"There is no Stratagem {name}.")
            return
        paid = self.cp[player] - self.table.players[player]["cp"]
        if paid != cost and not self.book.doubt("cost"):
            self.accuse("w40k10.strat.use", f"{item['text']} It costs {cost}CP, and {paid} were paid.")
        if self.table.players[player]["cp"] < 0:
            self.accuse("w40k10.strat.use", f"{item['text']} That leaves less than 0CP.")
        step = self.book.step()
        if step not in steps:
            self.accuse(self._rule(item), f"{item['text']} The step is {step}, and it is for {', '.join(steps)}.")
        own = self.table.players[player]["side"] == self.table.players[self.table.clock["active"]]["side"]
        if (turn == OWN and not own) or (turn == OPPONENT and own):
            self.accuse("w40k10.strat.when_target", f"{item['text']} It is used in the wrong player's turn.")
        again = self.book.allowed("shared_stratagem", player)
        if (player, name) in self.phase and not again:
            self.accuse("w40k10.strat.once_per_phase", f"{item['text']} It was used in this phase already.")
        if name in self.book.once_per_turn and (player, name) in self.turn:
            self.accuse(self._rule(item), f"{item['text']} It was used in this turn already.")
        self.phase.add((player, name))
        self.turn.add((player, name))
        if unit >= 0:
            self._target(item, name, player, unit)

    def _who(self, item: Item) -> int:
        found = [p["id"] for p in self.table.players if item["text"].startswith(f"{p['name']} uses")]
        return int(found[0]) if found else 0

    @staticmethod
    def _rule(item: Item) -> str:
        return str(item["rules"][0]) if item["rules"] else "w40k10.strat.when_target"

    def _card(self, name: str, player: int) -> tuple[int | None, tuple[str, ...], str]:
        """Cost, steps and turn of a Stratagem."""
        if name in self.book.cards:
            return self.book.cards[name]
        for s in self.book.stratagems:
            if s["name"] == name and s["player"] == player:
                phases = set(s["phases"])
                own = self.table.players[player]["side"] == self.table.players[self.table.clock["active"]]["side"]
                if "opponent_shooting" in phases and not own:
                    phases.add("shooting")
                steps = tuple(step for step in self.book.steps if "any" in phases or self.book.phase_of(step) in phases)
                return s["cp"], steps, s["turn"]
        return None, (), ""

    # --- On whom ------------------------------------------------------------------------------------------------------

    def _target(self, item: Item, name: str, player: int, unit: int) -> None:
        table, book = self.table, self.book
        own = table.units[unit]["player"] == player
        if own and table.units[unit]["battle_shocked"] and name != "Insane Bravery":
            self.accuse("w40k10.command.battleshock_stratagems", f"{item['text']} The unit is Battle-shocked.")
        wrong = ""
        match name:
            case "Insane Bravery":
                wrong = "" if unit == self.failed else "It did not just fail a test"
            case "Go to Ground":
                wrong = self._under_fire(unit) or ("" if book.unit_is(unit, "INFANTRY") else "It is no INFANTRY")
            case "Smokescreen":
                wrong = self._under_fire(unit) or ("" if book.unit_is(unit, "SMOKE") else "It has no SMOKE")
            case "Tank Shock":
                wrong = "" if book.unit_is(unit, "VEHICLE") else "It is no VEHICLE"
            case "Grenade":
                wrong = self._grenade(unit)
            case "Counter-offensive":
                wrong = self._counter(unit)
            case "Heroic Intervention":
                wrong = self._intervenes(unit)
            case "Epic Challenge":
                wrong = self._challenges(unit)
            case "Fire Overwatch":
                wrong = self._overwatch(unit)
            case "Rapid Ingress":
                wrong = self._ingress(unit)
        if wrong:
            self.accuse(self._rule(item), f"{item['text']} {wrong}.")

    def _under_fire(self, unit: int) -> str:
        return "" if unit in self.shots[1:] else "It is no target of the unit that shoots"

    def _engaged(self, unit: int, slack: float) -> bool:
        return bool(self.reach.engaged_with(unit, slack))

    def _grenade(self, unit: int) -> str:
        slack = self.book.slack
        if not self.book.unit_is(unit, "GRENADES"):
            return "It has no GRENADES"
        if self._engaged(unit, -slack):
            return "It is engaged"
        if self.table.units[unit]["shot"]:
            return "It has been selected to shoot"
        enemy = self._after(self.answer, ">")
        if enemy is None:
            return ""
        if self.reach.between(unit, enemy) > self.book.grenade_range + slack:
            return 'The enemy is more than 8" away'
        side = self.table.side(unit)
        if any(self.table.side(e) == side for e in self.reach.engaged_with(enemy, -slack)):
            return "The enemy is engaged"
        return ""

    @staticmethod
    def _after(answer: Any, mark: str) -> int | None:
        text = str(answer).rpartition(mark)[2]
        return int(text) if text.isdigit() else None

    def _counter(self, unit: int) -> str:
        if self.table.units[unit]["fought"]:
            return "It has fought"
        return "" if self._engaged(unit, self.book.slack) else "It is engaged with nobody"

    def _intervenes(self, unit: int) -> str:
        if self._engaged(unit, -self.book.slack):
            return "It is engaged"
        if self.book.unit_is(unit, "VEHICLE") and not self.book.unit_is(unit, "WALKER"):
            return "It is a VEHICLE and no WALKER"
        if self.reach.between(unit, self.charged) > self.book.intervene_range + self.book.slack:
            return 'It is more than 6" from the enemy that charged'
        return ""

    def _challenges(self, unit: int) -> str:
        if not self.book.unit_is(unit, "CHARACTER"):
            return "It is no CHARACTER"
        near = self.reach.engaged_with(unit, self.book.slack)
        return "" if any(self.book.attached(e) for e in near) else "It is engaged with no Attached unit"

    def _overwatch(self, unit: int) -> str:
        unit_of = self.table.units[unit]
        if unit_of["moved"] == "fall_back" and unit_of["player"] == self.table.clock["active"]:
            return "It Fell Back this turn"
        return ""

    def _ingress(self, unit: int) -> str:
        unit_of = self.table.units[unit]
        if not unit_of["reserve"]:
            return "It is not in Reserves"
        early = self.table.clock["round"] < 2 and unit_of["reserve"] == "strategic"
        free = self.book.allowed("arrive_round_one", unit_of["player"])
        return "It cannot arrive in the first battle round" if early and not free else ""
