"""The Fight phase: who fights when, and whom they may strike."""

from __future__ import annotations

from referee.geometry import apart, crosses, edges, flat_gap, rise
from referee.judgements.ground import Ground
from referee.sheets import weapon_of
from referee.watch import Item


class Fights(Ground):
    """Who selects, who is eligible, and that nobody is left out."""

    def begin(self) -> None:
        super().begin()
        self.start: set[int] = set()
        """Units that may have been eligible when the Fight phase began."""
        self.fought: set[int] = set()
        self.charged: set[int] = set()
        self.heroes: set[int] = set()
        self.selecting = -1
        self.forced = -1
        self.hero = -1

    def before(self, item: Item) -> None:
        if item["event"] == "told":
            self._told(item)
        elif item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            self._step_ends(item["fields"]["step"])

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            if item["fields"]["step"] == 0:
                self.charged, self.heroes = set(), set()
            if self.book.step() in ("fights first", "remaining combats"):
                self.selecting = self._other(self.table.clock["active"])
            if self.book.step() == "fights first":
                self.fought = set()
                self.start = {u["id"] for u in self.table.units if self.eligible(u["id"]) is not False}

    def _told(self, item: Item) -> None:
        match item["kind"]:
            case "stratagem" if item["data"]["name"] == "Heroic Intervention":
                self.hero = item["units"][0]
            case "stratagem" if item["data"]["name"] == "Counter-offensive":
                self.forced = item["units"][0]
            case "charged":
                self.charged.add(item["units"][0])
                if item["units"][0] == self.hero:
                    self.heroes.add(self.hero)
                    self.hero = -1
            case "charge_failed":
                self.hero = -1
            case "fights":
                self._fight(item["units"][0])

    def _other(self, player: int) -> int:
        return (player + 1) % len(self.table.players)

    # --- Eligible -----------------------------------------------------------------------------------------------------

    def eligible(self, unit: int) -> bool | None:
        """Whether a unit is eligible to fight; None where it takes a closer look."""
        if not self.table.on_table(unit) or unit in self.fought:
            return False
        if self.book.aircraft(unit):
            return None if self.reach.engaged_with(unit, self.book.slack) else False
        if unit in self.charged or self.reach.engaged_with(unit, -self.book.slack):
            return True
        if self.reach.engaged_with(unit, self.book.slack):
            return None
        return None if self._across(unit) else False

    def _across(self, unit: int) -> bool:
        """Whether a barricade may lie between a unit and an enemy within its reach."""
        lines = [edges(f.outline) for f in self.table.terrain.features if f.kind == "barricade"]
        sides = [side for line in lines for side in line]
        if not sides:
            return False
        book = self.book
        for a in self.reach.stands(self.table.on_table(unit)):
            for e in self.table.enemies(unit):
                if apart(self.reach.box(unit), self.reach.box(e), book.across + book.slack):
                    continue
                for b in self.reach.stands(self.table.on_table(e)):
                    if abs(a.x - b.x) > 12 or abs(a.y - b.y) > 12 or rise(a, b) > book.engage_up + book.slack:
                        continue
                    if flat_gap(a, b) <= book.across + book.slack and any(
                        crosses((a.x, a.y), (b.x, b.y), *side) for side in sides
                    ):
                        return True
        return False

    def first(self, unit: int) -> bool | None:
        """Whether a unit may fight in the Fights First step."""
        able = self.eligible(unit)
        if able is False or unit not in self.start:
            return False
        bonus = unit in self.charged and unit not in self.heroes
        if bonus or self.book.all_have(unit, "fights first"):
            return able
        return None if self.book.doubt("grant", ability="fights first") else False

    def ready(self, player: int, *, first: bool) -> list[bool | None]:
        """For each unit of a player, whether it could be selected now."""
        return [
            self.first(u["id"]) if first else self.eligible(u["id"]) for u in self.table.units if u["player"] == player
        ]

    # --- A fight ------------------------------------------------------------------------------------------------------

    def _fight(self, unit: int) -> None:
        step, player = self.book.step(), self.table.units[unit]["player"]
        self.looked("fights")
        if step not in ("fights first", "remaining combats"):
            if self.book.bare:
                self.accuse("w40k10.fight.steps", f"{self.name(unit)} fights in the step {step}.")
            return
        if self.table.units[unit]["last_stand"]:
            return
        if unit in self.fought:
            self.accuse("w40k10.fight.once", f"{self.name(unit)} fights a second time.")
        if self.eligible(unit) is False:
            self.accuse("w40k10.fight.eligible", f"{self.name(unit)} fights, neither engaged nor after a charge.")
        forced, self.forced = self.forced, -1
        if unit != forced:
            self._selected(unit, player, first=step == "fights first")
        elif unit in self.start and self.first(unit) is False and step == "fights first":
            pass  # Counter-offensive lets it fight out of its step.
        self.fought.add(unit)
        self.selecting = self._other(player)

    def _selected(self, unit: int, player: int, *, first: bool) -> None:
        if first and self.first(unit) is False:
            self.accuse("w40k10.fight.first_step", f"{self.name(unit)} fights in the Fights First step.")
        due = self.selecting
        if player != due and True in self.ready(due, first=first):
            name = self.table.players[due]["name"]
            self.accuse("w40k10.fight.alternate", f"{self.name(unit)} fights, and it is {name}'s selection.")

    def _step_ends(self, step: int) -> None:
        """Nobody passes: a step ends when nobody is left in it."""
        now = self.book.step()
        if now not in ("fights first", "remaining combats") or self.book.steps[step] == now:
            return
        for u in self.table.units:
            left = self.first(u["id"]) if now == "fights first" else self.eligible(u["id"])
            if left is True:
                rule = "w40k10.fight.no_pass" if now == "fights first" else "w40k10.fight.remaining"
                self.accuse(rule, f"The step {now} ends, and {self.name(u['id'])} has not fought.")


class Strikes(Ground):
    """Melee targets: who may strike whom, each fighting model with one weapon."""

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "strike":
            asked = self.court.asked(item)
            self._strike(asked["unit"], asked, item["answer"])

    def _strike(self, unit: int, asked: Item, answer: list[dict[str, object]]) -> None:
        self.looked("melee declarations")
        models = self.table.on_table(unit)
        if self.table.units[unit]["last_stand"]:
            return
        for target in sorted({int(str(a["target"])) for a in answer}):
            if not any(self.may_strike(unit, m, target) for m in models):
                self.accuse(
                    "w40k10.fight.select_targets",
                    f"{self.name(unit)} strikes {self.name(target)}, which nobody of it reaches.",
                )
        self._weapons(unit, asked, answer)

    def may_strike(self, unit: int, model: int, target: int) -> bool:
        """Whether a model may reach an enemy unit, itself or behind a comrade who touches it."""
        theirs = self.table.on_table(target)
        slack = self.book.slack
        here = self.table.stand(model)
        if self.reach.engaging(here, theirs, slack) or self._over_barricade(model, theirs):
            return True
        mates = [m for m in self.table.on_table(unit) if m != model]
        return any(
            self.reach.touching(self.table.stand(mate), theirs, slack)
            for mate in self.reach.touching(here, mates, slack)
        )

    def _over_barricade(self, model: int, theirs: list[int]) -> bool:
        if not any(f.kind == "barricade" for f in self.table.terrain.features):
            return False
        return self.reach.flat_between(self.table.stand(model), theirs) <= self.book.across + self.book.slack

    def _one_each(self, unit: int, fighters: list[int], wanted: dict[str, int]) -> None:
        """No more models strike than may, each with one weapon beside those with Extra Attacks."""
        striking = 0
        for name, count in wanted.items():
            profiles = [w for m in fighters for w in self.book.weapons(m) if w["name"] == name and w["range"] == 0]
            if not profiles or "extra attacks" in profiles[0]["abilities"]:
                continue
            each = max(int(w["attacks"]) if w["attacks"].isdigit() else 1 for w in profiles)
            striking += -(-count // each)
        if striking > len(fighters):
            self.accuse(
                "w40k10.fight.select_weapon",
                f"{striking} models of {self.name(unit)} strike, and {len(fighters)} may fight.",
            )

    def _weapons(self, unit: int, asked: Item, answer: list[dict[str, object]]) -> None:
        """No more attacks than the weapons of the models that may fight have, and no fewer than one weapon each."""
        if not self.book.bare:
            return
        reaching = {
            m: [t["value"] for t in asked["targets"] if self.may_strike(unit, m, int(t["value"]))]
            for m in self.table.on_table(unit)
        }
        fighters = [m for m, targets in reaching.items() if targets]
        labels = {row["id"]: str(row["label"]) for row in asked["rows"]}
        weapons = [w for m in fighters for w in self.book.weapons(m)]
        wanted: dict[str, int] = {}
        for a in answer:
            name = weapon_of(labels[str(a["row"])], weapons)
            wanted[name] = wanted.get(name, 0) + int(str(a["count"]))
        self._one_each(unit, fighters, wanted)
        for name, count in wanted.items():
            profiles = [w for m in fighters for w in self.book.weapons(m) if w["name"] == name and w["range"] == 0]
            most = sum(int(w["attacks"]) if w["attacks"].isdigit() else 1 for w in profiles)
            if count > most:
                self.accuse(
                    "w40k10.fight.attack_count",
                    f"{self.name(unit)} declares {count} of {name}, and those who may fight have {most}.",
                )
