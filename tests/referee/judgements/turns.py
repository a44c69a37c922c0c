"""The battle round: whose turn it is, the order of phases and steps, roll-offs, and what units did this turn."""

from __future__ import annotations

from referee.judgements.ground import Ground
from referee.watch import ABOARD, OFF, Item

PHASES = ("command", "movement", "shooting", "charge", "fight")


class Turns(Ground):
    """Rounds, turns, phases and steps follow each other as the book has it."""

    def begin(self) -> None:
        super().begin()
        self.first = -1
        self.turns: list[tuple[int, int]] = []
        self.phases: list[str] = []
        self.rolls: list[tuple[int, int]] = []
        self.winner = -1

    def before(self, item: Item) -> None:
        if item["event"] == "rolled" and item["reason"] == "roll-off":
            self.rolls.append((item["player"], item["faces"][0]))
        elif item["event"] == "told":
            self._told(item)

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            self._step(item["fields"]["step"])

    def _told(self, item: Item) -> None:
        match item["kind"]:
            case "roll_off":
                self._roll_off(item)
            case "attacker":
                self._won(item, "w40k10.mission.attacker_defender")
            case "first_turn":
                self.first = item["data"]["player"]
                self._won(item, "w40k10.onlywar.first_turn")
            case "phase":
                self._phase(item["data"]["phase"])
            case "round":
                if item["data"]["round"] != self.table.clock["round"]:
                    self.accuse("w40k10.round.structure", f"{item['text']} It is round {self.table.clock['round']}.")

    # --- Roll-offs ----------------------------------------------------------------------------------------------------

    def _roll_off(self, item: Item) -> None:
        self.looked("roll-offs")
        rolls, self.rolls = self.rolls, []
        players = [p["id"] for p in self.table.players]
        while rolls:
            round_, rolls = rolls[: len(players)], rolls[len(players) :]
            if [p for p, _ in round_] != players:
                self.accuse("w40k10.dice.roll_off", f"{round_} roll off, and {players} should.")
                return
            best = max(face for _, face in round_)
            players = [p for p, face in round_ if face == best]
            if len(players) == 1 and rolls:
                self.accuse("w40k10.dice.roll_off", "A roll-off goes on after it was won.")
        if len(players) != 1:
            self.accuse("w40k10.dice.roll_off", "A tie in a roll-off is not rolled again.")
            return
        self.winner = players[0]
        if not item["text"].startswith(self.table.players[self.winner]["name"]):
            self.accuse("w40k10.dice.roll_off", f"{item['text']} {self.table.players[self.winner]['name']} won it.")

    def _won(self, item: Item, rule: str) -> None:
        if item["data"]["player"] != self.winner:
            self.accuse(rule, f"{item['text']} The roll-off was won by {self.table.players[self.winner]['name']}.")

    # --- Turns, phases, steps -----------------------------------------------------------------------------------------

    def _phase(self, phase: str) -> None:
        clock = self.table.clock
        if phase == PHASES[0]:
            self._turn(clock["round"], clock["active"])
        self.phases.append(phase)
        self.looked("phases")
        for p in self.table.players:
            mine = [u["id"] for u in self.table.units if u["player"] == p["id"]]
            if mine and not any(self.table.alive(u) for u in mine):
                self.accuse("w40k10.onlywar.end", f"The battle goes on, and {p['name']} has no models left.")
        if phase not in PHASES or PHASES[: len(self.phases)] != tuple(self.phases):
            self.accuse("w40k10.round.phases", f"The phases of this turn so far are {self.phases}.")
        here = "command" if phase == "command" else f"{phase} begins"
        if self.book.step() != here:
            self.accuse("w40k10.round.phases", f"The {phase} phase begins in the step {self.book.step()}.")

    def _turn(self, round_: int, active: int) -> None:
        if self.turns and len(self.phases) != len(PHASES):
            self.accuse("w40k10.round.phases", f"A turn had only the phases {self.phases}.")
        self.phases = []
        count, players = len(self.turns), len(self.table.players)
        expected = (1 + count // players, (self.first + count) % players)
        self.turns.append((round_, active))
        self.looked("turns")
        if (round_, active) != expected:
            who = self.table.players[expected[1]]["name"]
            self.accuse(
                "w40k10.round.first_player",
                f"Turn {count + 1} is {self.table.players[active]['name']}'s in round {round_}, "
                f"not {who}'s in round {expected[0]}.",
            )

    def _step(self, step: int) -> None:
        clock = self.table.clock
        if clock["segment"] == "turn" and not 0 <= step < len(self.book.steps):
            self.accuse("w40k10.round.phases", f"There is no step {step} in a turn.")

    def end(self) -> None:
        result = self.table.result
        if result is None:
            self.accuse("w40k10.mission.end", "The battle has no result.")
            return
        for u in self.table.units:
            rides = u["embarked"] >= 0 and bool(self.table.on_table(u["embarked"]))
            if not rides and any(self.table.place[m] in (OFF, ABOARD) for m in u["models"]):
                self.accuse("w40k10.reserve.unarrived", f"{self.name(u['id'])} never arrived and is not destroyed.")
        if max((r for r, _ in self.turns), default=0) > self.book.data["rounds"]:
            self.accuse("w40k10.mission.end", f"{max(r for r, _ in self.turns)} battle rounds were played.")


class Deeds(Ground):
    """What a unit is remembered to have done this turn is what it did."""

    def begin(self) -> None:
        super().begin()
        self.moved: dict[int, str] = {}
        self.clear()

    def clear(self) -> None:
        self.moved, self.charged, self.shot, self.fought = {}, set(), set(), set()

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and item["fields"].get("step") == 0:
            self.clear()
        elif item["event"] == "told":
            self._told(item)
        elif item["event"] == "asked" and item["kind"] in ("shoot_with", "charge_with", "fight_with", "move_with"):
            self._compare()

    def _told(self, item: Item) -> None:
        unit = item["units"][0] if item["units"] else -1
        match item["kind"]:
            case "stationary":
                self.moved[unit] = "stationary"
            case "advance":
                self.moved[unit] = "advance"
            case "moved":
                self.moved.pop(unit, None)  # A move by an ability says nothing about the move of the turn.
                for mode in ("normal", "advance", "fall_back"):
                    if f"w40k10.move.{mode}" in item["rules"]:
                        self.moved[unit] = mode
            case "charged":
                self.charged.add(unit)

    def _compare(self) -> None:
        for u in self.table.units:
            told = self.moved.get(u["id"])
            if told is not None and u["moved"] not in (told, "") and self.table.on_table(u["id"]):
                self.accuse(
                    "w40k10.move.stationary", f"{self.name(u['id'])} made a {told} move and counts as {u['moved']}."
                )
                self.moved[u["id"]] = u["moved"]
            if u["id"] in self.charged and not u["charged"] and self.table.on_table(u["id"]):
                self.accuse("w40k10.charge.bonus", f"{self.name(u['id'])} charged, and that is forgotten.")
                self.charged.discard(u["id"])
